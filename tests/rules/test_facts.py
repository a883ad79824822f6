"""One declaration, and what others make of it: a function of NumPy's with a helper of its own gets all that others have."""
import itertools
import sys
import types

import numpy as np
import pytest

import tangent
from tangent.frontend import array_modules
from tangent.interfaces.tools import coverage
from tangent.optimize.tape import counts
from tangent.runtime import api, array_api, facts
from tangent.templates.language import registry
from tests.tools.texts import define

FUNCTION = '''
import numpy
from tangent.runtime.facts import helper
from tangent.runtime.tangents.batched import Directions


@helper(numba=True)
def softsign(x):
    return x / (1 + numpy.abs(x))


def compiled_slope(x):
    return (1 + numpy.abs(x)) ** -2.0


def batched_slope(x):
    return Directions(compiled_slope(x.d))


numpy.softsign = softsign
'''

RULE = '''
from tangent.templates.language.declare import elementwise


@helper(numba=compiled_slope, batched=batched_slope)
def softsign_slope(x):
    return 1 / (1 + numpy.abs(x)) ** 2


elementwise('y = numpy.softsign(x)', 'd[y] * softsign_slope(x)')
elementwise('y = softsign_slope(x)', '-2 * d[y] * numpy.sign(x) / (1 + numpy.abs(x)) ** 3')
'''

X = np.array([-1.5, 0.3, 2.0])


def f(x):
    return np.sum(np.softsign(x) ** 2)


def value(x):
    return np.sum((x / (1 + abs(x))) ** 2)


def gradient(x):
    return 2 * x / (1 + abs(x)) ** 3


@pytest.fixture(scope='module', autouse=True)
def softsign():
    """A module that declares a function, and is forgotten afterwards."""
    tables = registry.REVERSE, registry.FORWARD, registry.HELPERS, facts.NAMED, facts.DECLARED, facts.BATCHED
    before = [dict(table) for table in tables]
    try:
        yield define(FUNCTION + RULE, 'softsign_rules')
    finally:
        for table, old in zip(tables, before):
            for key in set(table) - set(old):              # others may have been declared meanwhile: SciPy's, when it is imported
                if 'softsign' in getattr(key, '__name__', key):
                    del table[key]
        del np.softsign


def test_reverse():
    df = tangent.grad(f)
    assert 'softsign_slope(x)' in tangent.source(df)
    np.testing.assert_allclose(df(X), gradient(X))


def test_forward():
    np.testing.assert_allclose(tangent.jvp(f)(X, np.ones(3)), gradient(X).sum())


def test_forward_in_several_directions():
    np.testing.assert_allclose(tangent.jvp(f, batched=True)(X, np.eye(3)), gradient(X))


def test_second_order():
    slope = np.diag(2 / (1 + abs(X)) ** 3 - 6 * abs(X) / (1 + abs(X)) ** 4)
    np.testing.assert_allclose(tangent.hessian(f)(X), slope)
    by_differences = (gradient(X + 1e-6) - gradient(X - 1e-6)) / 2e-6
    np.testing.assert_allclose(np.diag(slope), by_differences, rtol=1e-6)


def test_numba():
    numba = pytest.importorskip('numba')
    df = tangent.grad(numba.njit(f))
    assert isinstance(df, numba.core.dispatcher.Dispatcher)
    np.testing.assert_allclose(df(X), gradient(X))


def test_coverage_and_docs():
    found = {entry.name: entry for entry in coverage.entries()}['numpy.softsign']
    assert found.reverse and found.forward and not found.refused
    assert '\n| `numpy.softsign` | yes | yes |' in coverage.table()


def test_name_of_cupy(monkeypatch):
    cupy = types.ModuleType('cupy')
    cupy.softsign = types.FunctionType((lambda x: x).__code__, {}, 'softsign')
    cupy.softsign.__module__ = 'cupy'
    monkeypatch.setitem(sys.modules, 'cupy', cupy)
    array_modules._functions.cache_clear()
    assert array_modules.counterpart(cupy.softsign) is np.softsign
    array_modules._functions.cache_clear()
    assert {entry.name: entry for entry in coverage.entries()}['numpy.softsign'].cupy


def test_what_passes_ask():
    assert facts.of('np.softsign').elementwise and facts.of('np.softsign').fresh
    assert facts.of('softsign_slope').elementwise and facts.is_ours(facts.DECLARED['softsign_slope'])
    assert facts.of('nothing_of_that_name') is facts.NOTHING


def test_two_notes_of_one_function_add_up():
    assert facts.of('unbroadcast').like == 1 and facts.of('unbroadcast').view == (0,) and facts.of('unbroadcast').directions
    assert facts.of(np.tanh).elementwise and facts.of(np.absolute) is not facts.NOTHING
    assert facts.of(f) is facts.NOTHING


def test_a_name_does_not_make_a_helper():
    """Rules of helpers are those of the functions that texts mean by their names, not of others of the same names."""
    assert registry.lookup(array_api.counted).kind == 'constant'
    assert registry.lookup(counts.counted) is None

    def unbroadcast(b, x):
        return b
    unbroadcast.__module__ = 'tangent.interfaces.grad'
    assert registry.lookup(api.unbroadcast).kind == 'linear' and registry.lookup(unbroadcast) is None
    assert facts.of(api.unbroadcast).like == 1 and facts.of(unbroadcast) is facts.NOTHING
    assert facts.is_helper(api.unbroadcast, 'unbroadcast') and not facts.is_helper(api.unbroadcast, 'copy')


def test_what_functions_of_python_s_do_with_what_they_are_given():
    """It is known of the very functions, and not of others of the same names."""
    assert facts.of(sum).takes_all and not facts.of(any).takes_all and facts.of(any).takes == 'now'
    assert facts.of(reversed).takes == facts.of(map).takes == 'later' and facts.of(itertools.islice).leaves
    assert facts.of(map).calls == (0, None) and facts.of(sorted).calls == (None, 'key') and facts.of(reversed).calls is None
    assert facts.of(getattr).reads and not facts.of(getattr).pure and facts.of(len).tells

    def zip(*lists):
        return lists
    assert facts.of(zip) is facts.NOTHING
