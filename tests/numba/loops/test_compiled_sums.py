"""Sums of gradients in any order, and loops that run backwards: what compiled code is told, and that its results are right."""
import numpy as np
import pytest

numba = pytest.importorskip('numba')

import tangent  # noqa: E402
from tangent.numba.machine.compile import Compiler  # noqa: E402
from tangent.numba.machine.passes import ranges, sums  # noqa: E402
from tangent.runtime.tape import empty_sum  # noqa: E402
from tangent.runtime.zeros import init_grad  # noqa: E402


def ours(x):
    total = init_grad(x[0])
    for i in range(x.shape[0]):
        total += x[i] * x[i]
    return total


def taken_off(x):
    total = empty_sum(x[0])
    for i in range(x.shape[0]):
        if i % 2:
            total += x[i]
        total -= x[i] * x[i]
    return total


def the_users(x):
    total = x[0]
    for i in range(x.shape[0]):
        total += x[i] * x[i]
    return total


def bound_again(x):
    total = init_grad(x[0])
    for i in range(x.shape[0]):
        total += x[i]
        if i == 2:
            total = x[i] * 2.0
    return total


def outside(x):
    total = init_grad(x[0])
    total += x[0]
    total += x[1]
    return total


def rows(x):
    total = init_grad(x)
    for _ in range(x.shape[0]):
        total += x
    return total[1]


def compiled(f, module, name, x):
    """The compiled function, and how often a function of the pass was called."""
    told, insert = [], getattr(module, name)
    setattr(module, name, lambda scope, s: told.append(s) or insert(scope, s))
    try:
        made = numba.njit(pipeline_class=Compiler)(f)
        made.compile((numba.typeof(x),))
    finally:
        setattr(module, name, insert)
    return made, len(told)


@pytest.mark.parametrize('f, count', [(ours, 1), (taken_off, 2), (the_users, 0), (bound_again, 0), (outside, 0), (rows, 1)])
def test_only_sums_of_ours_need_no_order(f, count):
    x = np.random.default_rng(0).normal(size=37)
    made, found = compiled(f, sums, 'called', x)
    assert found == count
    assert made(x) == pytest.approx(f(x), rel=1e-13)


@pytest.mark.parametrize('dtype, kind', [('float32', 'float32'), ('complex128', 'complex128'), ('int64', 'float64')])
def test_sums_of_other_numbers(dtype, kind):
    x = np.arange(1, 9).astype(dtype)
    made, _ = compiled(ours, sums, 'called', x)
    assert made(x) == 204
    assert str(made.overloads[made.signatures[0]].signature.return_type) == kind


def test_sums_keep_nan_and_infinity():
    made, _ = compiled(ours, sums, 'called', np.ones(3))
    assert np.isnan(made(np.array([1.0, np.nan, 2.0] * 9)))
    assert made(np.array([1.0, np.inf, 2.0] * 9)) == np.inf


@pytest.mark.machine_code
def test_a_sum_is_vectorised():
    made, _ = compiled(ours, sums, 'called', np.ones(3))
    plain, _ = compiled(the_users, sums, 'called', np.ones(3))
    text, other = (f.inspect_llvm(f.signatures[0]) for f in (made, plain))
    assert 'x double>' in text and 'x double>' not in other


def down_inside(x):
    total = np.zeros(x.shape[0])
    for i in range(x.shape[0] - 1, -1, -1):
        for j in range(i, -1, -1):
            total[i] += x[j] * (i + 1)
    return total[-1] + 10 * total[0]


def up(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(i, -1, -1):
            total += x[j] * (i + 1)
    return total


def below_zero(x):
    total = 0.0
    for i in range(1, -3, -1):
        for _ in range(2):
            total += x[i] * (i + 7)
    return total


def down_after(x):
    for i in range(x.shape[0] - 1, 2, -2):
        for j in range(2):
            x[i] += j
    return i + x[i]


@pytest.mark.parametrize('f, count', [(down_inside, 1), (up, 0), (below_zero, 1), (down_after, 1)])
def test_how_a_loop_around_others_goes_down_is_hidden(f, count):
    x = np.random.default_rng(0).normal(size=7)
    made, found = compiled(f, ranges, 'hidden', x)
    assert found == count
    assert made(x.copy()) == pytest.approx(f(x.copy()))


@numba.njit
def product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return np.sum(c * c)


def test_the_adjoint_of_a_product_is_vectorised():
    r = np.random.default_rng(0)
    a, b = r.normal(size=(9, 21)), r.normal(size=(21, 13))
    gradient = tangent.grad(product, wrt=('a', 'b'))
    found = gradient(a, b)
    np.testing.assert_allclose(found[0], 2 * a @ b @ b.T, rtol=1e-12)
    np.testing.assert_allclose(found[1], 2 * a.T @ a @ b, rtol=1e-12)
    none = gradient(np.ones((0, 3)), np.ones((3, 2)))
    assert none[0].shape == (0, 3) and not none[1].any()


@numba.njit
def running(x, w):
    y = x.copy()
    s = 0.0
    for i in range(1, x.shape[0]):
        for j in range(w.shape[0]):
            y[i] += y[i - 1] * w[j]
        s += y[i]
    return s


@numba.njit
def decaying(x, w):
    t = 0.0
    for i in range(x.shape[0]):
        for j in range(w.shape[0]):
            t += x[i] * w[j]
        t = 0.5 * t
    return t


@pytest.mark.parametrize('f, args, forwards', [
    (product, (np.ones((2, 3)), np.ones((3, 4))), True), (running, (np.arange(5.0), np.ones(3)), False),
    (decaying, (np.arange(5.0), np.ones(3)), False)])
def test_loops_that_do_nothing_but_add_run_forwards(f, args, forwards):
    gradient = tangent.grad(f, wrt=(0, 1))
    text = tangent.source(gradient, *args)
    assert ('- 1, -1, -1)' not in text and '- 1, 0, -1)' not in text) == forwards
    r = np.random.default_rng(1)
    args = [r.normal(size=a.shape) for a in args]
    for one, other in zip(gradient(*args), tangent.grad(f, wrt=(0, 1), jit=False)(*args), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)
