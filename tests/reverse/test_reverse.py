"""Reverse mode on the corpus: every function in joint and split motion, optimized and raw, against differences."""
import copy
import types

import numpy as np
import pytest

import tangent
from tests.corpora.programs import (
    functions,
    functions_arrays,
    functions_calls,
    functions_carried,
    functions_later,
    functions_loops,
    functions_numpy,
)
from tests.tools.checking import assert_close, differences, random_like, seed_name, share_memory

CASES = [case
         for module in (functions, functions_loops, functions_carried, functions_calls, functions_numpy, functions_arrays)
         for case in module.CASES]
INPUT_DERIVATIVE = tangent.INPUT_DERIVATIVE


def value_and_seed(case):
    """The value of the function, and a seed of the same shape; the cost of a tuple is its first element."""
    value = case.function(*copy.deepcopy(case.args))
    return value, random_like(value[0] if isinstance(value, tuple) else value)


def expected(case, seed):
    def cost(*args):
        value = case.function(*args)
        return value[0] if isinstance(value, tuple) else value
    return differences(cost, case.args, case.wrt, seed)


def as_list(gradients, wrt):
    return [gradients] if len(wrt) == 1 else list(gradients)


def call(df, case, seed, name=None):
    """The derivative at the arguments, with the seed by name: arguments with a default may be left out."""
    return df(*copy.deepcopy(case.args), **{name or seed_name(df): seed})


def check(case, gradients, seed):
    for actual, right in zip(gradients, expected(case, seed), strict=True):
        assert_close(actual, right)


WAYS = [('joint', True), ('split', False), ('joint', False), ('split', True)]


@pytest.mark.parametrize('k', range(len(CASES)), ids=[c.label for c in CASES])
def test_corpus(k, in_turn):
    """In two of the ways each, in turn, all with `--all-samples`; in joint motion the value is kept, too."""
    case = CASES[k]
    value, seed = value_and_seed(case)
    for motion, optimized in [*in_turn(WAYS[:2], k), *in_turn(WAYS[2:], k // 2)]:
        df = tangent.autodiff(case.function, wrt=case.wrt, motion=motion, optimized=optimized, preserve_result=motion == 'joint',
                              input_derivative=INPUT_DERIVATIVE.Required)
        if motion == 'joint':
            *gradients, kept = call(df, case, seed)
            assert_close(kept, value, 1e-12)
        else:
            gradients = as_list(call(df, case, seed, 'init_grad'), case.wrt)
        check(case, gradients, seed)


@pytest.mark.share(2)
@pytest.mark.parametrize('case', CASES, ids=lambda c: c.label)
def test_each_argument_alone(case):
    """`vjp` takes a seed of the structure of the whole result."""
    seed = random_like(case.function(*copy.deepcopy(case.args)))
    for position, right in zip(case.wrt, differences(case.function, case.args, case.wrt, seed)):
        assert_close(call(tangent.vjp(case.function, wrt=(position,)), case, seed), right)


@pytest.mark.parametrize('case', CASES, ids=lambda c: c.label)
def test_without_options(case):
    """Arguments are left alone. A twin of the function is not known to any cache, so its derivative is made anew: the same text."""
    f, (_, seed) = case.function, value_and_seed(case)
    df, args = tangent.autodiff(f, wrt=case.wrt), copy.deepcopy(case.args)
    found = as_list(df(*args, **{seed_name(df): seed}), case.wrt)
    np.testing.assert_equal(args, case.args)
    assert not share_memory([*args, seed, *found])
    check(case, found, seed)
    twin = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__)
    twin.__kwdefaults__ = f.__kwdefaults__
    again = tangent.autodiff(twin, wrt=case.wrt)
    assert df is not again
    assert tangent.source(df) == tangent.source(again)


@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
@pytest.mark.parametrize('case', functions_later.LATER, ids=lambda c: c.label)
def test_right_or_refused(case, optimized):
    try:
        df = tangent.autodiff(case.function, wrt=case.wrt, optimized=optimized)
        gradients = as_list(call(df, case, 1.0), case.wrt)
    except tangent.errors.TangentError as error:
        assert str(error)
        return
    check(case, gradients, 1.0)
