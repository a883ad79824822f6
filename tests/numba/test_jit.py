"""The derivative of a function that Numba compiles is one too: the interface, what it covers, the memory it gives back."""
import copy
import math
import os
import subprocess
import sys

import numpy as np
import pytest

import tangent
from tangent import errors
from tests import ROOT
from tests.tools.checking import assert_close, differences

numba = pytest.importorskip('numba', reason='Numba is not installed')
corpus = pytest.importorskip('tests.corpora.numba.numba_corpus_jit')


@pytest.mark.share(2)
@pytest.mark.filterwarnings('ignore::numba.core.errors.NumbaPerformanceWarning')
@pytest.mark.parametrize('case', corpus.CASES, ids=lambda c: c.label)
def test_gradient(case):
    df = tangent.grad(case.function, wrt=case.wrt)
    assert isinstance(df, type(case.function))
    compiled = df(*copy.deepcopy(case.args))
    assert_close(compiled, tangent.grad(case.function, wrt=case.wrt, jit=False)(*copy.deepcopy(case.args)), 1e-10)
    right = differences(case.function.py_func, case.args, case.wrt)
    assert_close(compiled, right[0] if len(right) == 1 else tuple(right))


@numba.njit
def energy(x, n):
    s = x
    for _i in range(n):
        s = math.sin(s) * 0.999 + corpus.root(s + 1.0) * x
    return s


def mixed(x, n):
    return energy(x, n) * x


def test_all_interfaces_agree_with_those_of_plain_functions():
    args = 0.5, 4
    grad = tangent.grad(energy, jit=False)(*args)
    assert tangent.grad(energy)(*args) == pytest.approx(grad)
    assert tangent.value_and_grad(energy)(*args) == pytest.approx((energy(*args), grad))
    assert tangent.grad(energy, preserve_result=True)(*args) == pytest.approx((grad, energy(*args)))
    assert tangent.vjp(energy)(*args, 2.0) == pytest.approx(2 * grad)
    assert tangent.jvp(energy)(*args, 2.0) == pytest.approx(2 * grad)
    assert tangent.autodiff(energy, motion='split')(*args, init_grad=3.0) == pytest.approx(3 * grad)
    assert tangent.autodiff(energy, mode='forward')(*args, 3.0) == pytest.approx(3 * grad)
    assert tangent.jacobian(energy)(*args) == pytest.approx(grad)
    made = tangent.grad(energy), tangent.vjp(energy), tangent.jvp(energy), tangent.autodiff(energy, motion='split')
    assert all(isinstance(df, type(energy)) for df in made)
    assert tangent.grad(energy) is tangent.grad(energy)


def test_second_derivatives():
    plain = tangent.grad(tangent.grad(energy, jit=False), jit=False)(0.5, 3)
    assert tangent.grad(tangent.grad(energy))(0.5, 3) == pytest.approx(plain)
    assert tangent.jvp(tangent.grad(energy))(0.5, 3, 1.0, 1.0) == pytest.approx(plain)
    assert tangent.hvp(energy)(0.5, 3, 2.0) == pytest.approx(2 * plain)


def test_it_can_be_called_from_compiled_code():
    df = tangent.grad(energy)

    @numba.njit
    def descend(x, steps):
        for _ in range(steps):
            x -= 0.1 * df(x, 3)
        return x

    x = 0.5
    for _ in range(3):
        x -= 0.1 * tangent.grad(energy, jit=False)(x, 3)
    assert descend(0.5, 3) == pytest.approx(x)


def test_options_of_the_decorator_carry_over():
    fast = numba.njit(fastmath={'reassoc', 'nsz'}, error_model='numpy', boundscheck=True, nogil=True)(energy.py_func)
    options = tangent.grad(fast).targetoptions
    assert options['fastmath'] == {'reassoc', 'nsz'} and options['error_model'] == 'numpy'
    assert options['boundscheck'] is True and options['nogil'] is True
    assert 'fastmath' not in tangent.grad(energy).targetoptions
    asked = tangent.grad(mixed, jit={'fastmath': True})
    assert asked.targetoptions['fastmath'] is True
    assert asked(0.5, 2) == pytest.approx(tangent.grad(mixed)(0.5, 2))
    assert not hasattr(tangent.grad(mixed), 'py_func') and hasattr(tangent.grad(mixed, jit=True), 'py_func')


def test_the_text_is_there_and_runs_as_it_is():
    df = tangent.grad(corpus.branching)
    assert '_kept = Kept(x, n)' in tangent.source(df) and 'kept(_kept, branching_primal, saved)' in tangent.source(df)
    assert '= LocalTape()' in tangent.source(tangent.grad(corpus.root)) and '[]' in tangent.source(tangent.grad(corpus.root, jit=False))
    code = '''
import os, sys
os.environ['NUMBA_DISABLE_JIT'] = '1'
import tangent
from tests.corpora.numba import numba_corpus_jit as corpus
for name in 'branching', 'calls_with_loops', 'mutual_recursion', 'inner_function':
    f = getattr(corpus, name)
    assert type(f).__name__ == 'function'
    df, text = tangent.grad(f), tangent.grad(f, jit=True)
    args = next(c.args for c in corpus.CASES if c.function is f)
    assert abs(df(*args) - text(*args)) < 1e-12, name
    print(df(*args))
'''
    printed = run(code).split()
    for name, number in zip(['branching', 'calls_with_loops', 'mutual_recursion', 'inner_function'], printed, strict=True):
        args = next(c.args for c in corpus.CASES if c.function is getattr(corpus, name))
        assert tangent.grad(getattr(corpus, name))(*args) == pytest.approx(float(number))


def run(code, **environment):
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, cwd=ROOT, timeout=100,
                          env={**os.environ, 'PYTHONPATH': str(ROOT), **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_kinds_of_numbers():
    x = np.array([0.5, -0.25], np.float32)
    squares = numba.njit(lambda x: np.sum(x * x))
    assert tangent.grad(squares)(x).dtype == np.float32
    assert tangent.grad(squares)(x).tolist() == [1.0, -0.5]
    assert tangent.grad(squares)(np.array([1, 2])).tolist() == [2.0, 4.0]
    z = 0.8 + 0.3j
    assert tangent.grad(corpus.complex_modulus)(z) == pytest.approx(tangent.grad(corpus.complex_modulus, jit=False)(z))


def test_complex_arguments_of_a_derivative_for_real_numbers():
    """Their gradients were not conjugated, without a word, where CPython refuses."""
    z = np.array([0.8 + 0.3j, 1 - 2j])
    for f in numba.njit(lambda a, b: np.vdot(a, b)), numba.njit(lambda a, b: np.sum(a * b)):
        for make in (lambda f: tangent.vjp(f)(z, 2 * z, 1.0), lambda f: tangent.grad(f)(z, 2 * z)):
            with pytest.raises(tangent.errors.TangentError, match='complex'):
                make(f)


def test_a_matrix_of_which_one_triangle_is_read():
    f = corpus.cholesky_by_hand
    assert_close(tangent.grad(f)(corpus.S), tangent.grad(f, jit=False)(corpus.S), 1e-10)


def test_errors():
    with pytest.raises(ValueError, match='negative'):
        tangent.grad(corpus.raising)(-1.0)
    with pytest.raises(tangent.TangentParseError, match=r'test_jit.py:\d+: (?s:.*)jit=False'):
        tangent.grad(with_try)
    assert tangent.grad(with_try, jit=False)(0.5) == 1.0
    assert tangent.grad(with_functions)(0.5, 1) == pytest.approx(2 * math.cos(0.5))
    with pytest.raises(errors.ShapeError):
        tangent.vjp(numba.njit(lambda x: x * x))(np.ones(3), np.ones(2))
    with pytest.raises(numba.TypingError, match='not_there'):
        tangent.grad(numba.njit(rejected))(0.5)


@numba.njit
def applied(f, x):
    return 2.0 * f(x)


@numba.njit
def sine(x):
    return math.sin(x)


@numba.njit
def with_functions(x, k):
    functions = (sine, sine)
    return applied(functions[k], x)


@numba.njit
def with_try(x):
    try:
        y = x * x
        if y > 1:
            raise ValueError('too large')
    except Exception:
        y = x
    return y


def rejected(x):
    y = math.floor(not_there)         # noqa: F821
    return x * y


def test_memory_is_given_back():
    from numba.core.runtime import _nrt_python as nrt
    from numba.core.runtime import rtsys
    enabled = nrt.memsys_stats_enabled()
    nrt.memsys_enable_stats()
    try:
        for f, args in (corpus.calls_with_loops, (0.7, 200)), (corpus.sum_of_recursion, (corpus.V, 300)), \
                (corpus.namedtuples, (corpus.V,)), (corpus.filled, (corpus.V,)):
            df = tangent.grad(f)
            df(*args)
            before = rtsys.get_allocation_stats()
            df(*args)
            after = rtsys.get_allocation_stats()
            assert after.alloc - before.alloc == after.free - before.free > 0, f
    finally:
        if not enabled:
            nrt.memsys_disable_stats()


# The cache (more in test_cache)

def test_what_is_recursive_is_not_cached(tmp_path, monkeypatch):
    monkeypatch.setenv('TANGENT_CACHE_DIR', str(tmp_path))
    with pytest.warns(RuntimeWarning, match='recursive'):
        df = tangent.grad(corpus.branching.py_func, jit={'cache': True})
    assert df(0.7, 3) == pytest.approx(tangent.grad(corpus.branching)(0.7, 3)) and not list(tmp_path.iterdir())


# Arguments without a gradient

@numba.njit
def multiplied(x, n):
    r = 1.0
    for _ in range(n):
        r *= x
    return r


@pytest.mark.parametrize('value', [None, '2', True, {1.0}, np.array([True]), np.array(['a'])], ids=repr)
def test_arguments_that_have_no_gradient_are_told_before_numba_looks(value):
    with pytest.raises(errors.ArgumentTypeError, match='test_jit.py:.*: wrt asks for the gradient of x, which Numba sees as'):
        tangent.grad(multiplied)(value, 3)
    assert tangent.grad(multiplied)(2.0, True) == 1.0                # what is not asked for may be anything


def test_what_numba_says_is_told_without_its_colours():
    with pytest.raises(errors.ArgumentTypeError, match='seed derivative') as caught:
        tangent.grad(multiplied)(2.0, 3, 'a')
    assert '\x1b' not in str(caught.value)


@numba.njit
def joined(x):
    t = (x[0], x[1] * x[2])
    a, b, c = t + (x[3],)
    for _ in range(2):
        a, b, c = b, c, a * b + c
    return a * b * c


def test_tuples_put_together():
    """The lengths of tuples stand in the text, as Numba asks of slices of them."""
    x = np.array([0.7, 1.3, 0.4, -0.9])
    np.testing.assert_allclose(tangent.grad(joined)(x), tangent.grad(joined, jit=False)(x), rtol=1e-13)


@numba.njit
def smoothed(x):
    y = x.copy()
    for _ in range(2):
        for i in range(1, 3):
            y[i] = y[i - 1] * y[i + 1] + y[i]
        y[1:] += y[:-1] * x[0]
    return y.sum()


def test_the_tangent_of_a_gradient_that_writes():
    """It is a function that CPython runs, around what is derived for it."""
    x, v = np.array([0.7, 1.3, 0.4, -0.9]), np.array([1.0, -0.5, 0.3, 0.8])
    found = tangent.jvp(tangent.grad(smoothed), wrt=(0,))(x, dx=v)
    np.testing.assert_allclose(found, tangent.hvp(smoothed.py_func)(x, v), rtol=1e-12)
