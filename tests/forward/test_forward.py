"""Forward mode on the corpus: every function that reverse mode takes, optimized and raw, against reverse mode."""
import copy

import numpy as np
import pytest

import tangent
from tests.corpora.programs import (
    functions,
    functions_arrays,
    functions_calls,
    functions_carried,
    functions_loops,
    functions_numpy,
)
from tests.tools.checking import assert_close, differences, numbers, random_like

CASES = [case
         for module in (functions, functions_loops, functions_carried, functions_calls, functions_numpy, functions_arrays)
         for case in module.CASES]
INPUT_DERIVATIVE = tangent.INPUT_DERIVATIVE


def tangents_of(case):
    return [random_like(case.args[p], seed=p + 1) for p in case.wrt]


def push(case, tangents, **options):
    """Value and tangent, with the tangents by name: arguments with a default may be left out."""
    df = tangent.jvp(case.function, wrt=case.wrt, preserve_result=True, **options)
    code = df.__code__
    names = code.co_varnames[code.co_argcount - len(case.wrt):code.co_argcount]
    dy, y = df(*copy.deepcopy(case.args), **dict(zip(names, copy.deepcopy(tangents))))
    return y, dy


def along(case, tangents):
    """The derivative along the tangents, by differences, as a row of numbers."""
    value = case.function(*copy.deepcopy(case.args))
    found = []
    for k in range(len(numbers(value))):
        def entry(*args, k=k):
            return numbers(case.function(*args))[k]
        gradients = differences(entry, case.args, case.wrt)
        found.append(sum(np.dot(numbers(g), numbers(t)) for g, t in zip(gradients, tangents)))
    return np.array(found)


@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
@pytest.mark.parametrize('case', CASES, ids=lambda c: c.label)
def test_corpus(case, optimized):
    tangents = tangents_of(case)
    y, dy = push(case, tangents, optimized=optimized)
    value = case.function(*copy.deepcopy(case.args))
    assert_close(y, value, 1e-12)
    assert len(numbers(dy)) == len(numbers(value))
    np.testing.assert_allclose(numbers(dy), along(case, tangents), rtol=1e-5, atol=1e-6)
