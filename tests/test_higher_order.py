"""Derivatives of derivatives, in every mix of the modes.

Over the corpus, the four ways to the Hessian of `seed . f` along `v` have to agree: forward over reverse, reverse over
reverse, reverse over forward, and (along a second direction) forward over forward.
"""
import copy

import numpy as np
import pytest

import tangent
from tests.checking import numbers, random_like
from tests.test_forward import CASES, tangents_of

INPUT_DERIVATIVE = tangent.INPUT_DERIVATIVE


def by_name(df, case, *more):
    """The arguments of a derivative of a derivative: those of the function by position, seeds and tangents by name."""
    code = df.__code__
    count = code.co_argcount
    values = [v for group in more for v in group]
    names = code.co_varnames[count - len(values):count]
    return df(*copy.deepcopy(case.args), **dict(zip(names, copy.deepcopy(values))))


def dot(found, tangents, wrt):
    found = [found] if len(wrt) == 1 else found
    return sum(np.dot(numbers(g), numbers(t)) for g, t in zip(found, tangents, strict=True))


def row(found, wrt):
    found = [found] if len(wrt) == 1 else found
    return np.concatenate([numbers(g) for g in found])


@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
@pytest.mark.parametrize('case', CASES, ids=lambda c: c.label)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_corpus(case, optimized):
    wrt, options = case.wrt, {'wrt': case.wrt, 'optimized': optimized}
    v, u = tangents_of(case), [random_like(case.args[p], seed=p + 7) for p in case.wrt]
    seed = random_like(case.function(*copy.deepcopy(case.args)))
    back, push = tangent.vjp(case.function, **options), tangent.jvp(case.function, **options)
    forward_over_reverse = row(by_name(tangent.jvp(back, **options), case, [seed], v), wrt)
    reverse_over_reverse = row(by_name(tangent.vjp(back, **options), case, [seed], [v[0] if len(v) == 1 else tuple(v)]), wrt)
    reverse_over_forward = row(by_name(tangent.vjp(push, **options), case, v, [seed]), wrt)
    twice = by_name(tangent.jvp(push, **options), case, v, u)
    np.testing.assert_allclose(forward_over_reverse, reverse_over_reverse, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(forward_over_reverse, reverse_over_forward, rtol=1e-8, atol=1e-8)
    along = np.dot(forward_over_reverse, np.concatenate([numbers(x) for x in u]))
    np.testing.assert_allclose(np.dot(numbers(twice), numbers(seed)), along, rtol=1e-8, atol=1e-8)
