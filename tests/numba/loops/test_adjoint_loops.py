"""The text for Numba: innermost adjoint loops as sums and loops of their own, and where that would not be right."""
import gast
import numpy as np
import pytest

import tangent
from benchmarks.kernels import in_c, programs
from benchmarks.polybench import loss_of, sizes
from tangent.analysis.dataflow.ranges import forwards
from tangent.frontend.tree import expression
from tests.tools.checking import assert_close

numba = pytest.importorskip('numba', reason='Numba is not installed')

A = np.random.RandomState(0).rand(6, 6) + 6 * np.eye(6)
V = np.random.RandomState(1).rand(6)


def text(f, wrt=0):
    return tangent.source(tangent.grad(numba.njit(f), wrt))


def uncompiled(f, wrt, args):
    """The gradient by the text for Numba, run by CPython."""
    return tangent.grad(numba.njit(f), wrt).py_func(*args)


CASES = [(programs.gemm, (0, 1), (A, A.T.copy())), (programs.lu, 0, (A,)), (programs.cholesky, 0, (A + A.T,)),
         (programs.trisolv, (0, 1), (A, V)), (programs.durbin, 0, (V * 0.1,)), (programs.seidel_2d, 0, (A, 2)),
         (programs.jacobi_2d, 0, (A, 3)), (programs.newton, 0, (0.5, 3)), (programs.cheap, 0, (0.5, 9))]


@pytest.mark.parametrize(('f', 'wrt', 'args'), CASES, ids=lambda c: getattr(c, '__name__', ''))
def test_the_text_is_right_as_python(f, wrt, args):
    assert_close(uncompiled(f, wrt, args), tangent.grad(f, wrt)(*args), 1e-12)


def test_a_loop_for_each_array():
    lines = [line.strip() for line in text(programs.gemm, (0, 1)).splitlines() if '#' not in line]
    at = lines.index('for j in range(n):')
    assert lines[at + 1:at + 6] == ['bb[k, j] += bc[i, j] * a[i, k]', 'total = init_grad(ba[i, k])', 'for j in range(n):',
                                    'total += bc[i, j] * b[k, j]', 'ba[i, k] += total']


def scan(x, n):
    y = np.zeros(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = y[i - 1] * 0.5 + x[i]
    return np.sum(y * y)


def test_what_depends_on_the_order_stays_in_order():
    found = text(scan)
    assert 'range(n - 1, 0, -1)' in found and 'total' not in found
    assert_close(uncompiled(scan, 0, (V, 6)), tangent.grad(scan)(V, 6), 1e-12)


def read_while_added(x, n):
    s = 0.0
    for i in range(n):
        s = s * x[0] + x[i]
    return s


def test_a_number_that_is_carried_is_no_sum():
    assert_close(uncompiled(read_while_added, 0, (V, 6)), tangent.grad(read_while_added)(V, 6), 1e-12)


def test_tables_of_ranges():
    for before, after in [('range(n - 1, -1, -1)', 'range(n)'), ('range(n - 2, 0, -1)', 'range(1, n - 1)'),
                          ('range(9, -1, -1)', 'range(10)'), ('range(i, k - 1, -1)', 'range(k, i + 1)'),
                          ('range(n - 3 - 1, i - 1, -1)', 'range(i, n - 3)'), ('range(a, b, -1)', 'range(b + 1, a + 1)')]:
        assert gast.dump(forwards(expression(before))) == gast.dump(expression(after)), before
    assert forwards(expression('range(n - 1, -1, -2)')) is None and forwards(expression('range(n)')) is None


def test_adjoints_by_hand_agree():
    by_hand = in_c.functions()
    if not by_hand:
        pytest.skip('there is no gcc')
    for f, wrt, args in CASES:
        if f.__name__ in by_hand:
            assert_close(by_hand[f.__name__](*args), tangent.grad(f, wrt)(*args), 1e-10)
    for name, gradient in in_c.kernels().items():
        work = sizes.TABLE[name]
        given = work.arguments(6)
        loss = loss_of(work.function, tuple(given), work.results, 'np.sum({0} * {0})')
        assert_close(gradient(*given.values()), tangent.grad(loss, argnums=work.wrt(given))(*given.values()), 1e-10)


@pytest.mark.parametrize('name', ['trmm', 'durbin', 'gramschmidt', 'deriche'])
def test_kernels_of_jax_compute_the_same(name):
    pytest.importorskip('jax')
    from benchmarks.kernels import in_jax
    work = sizes.TABLE[name]
    given = work.arguments(5)
    loss = loss_of(work.function, tuple(given), work.results, 'np.sum({0} * {0})')
    gradient = in_jax.polybench(name)[1](list(given.values()), work.wrt(given))
    assert_close(tuple(np.asarray(g) for g in gradient(*given.values())),
                 tangent.grad(loss, argnums=work.wrt(given))(*given.values()), 1e-9)


def windows(x, w):
    out = np.empty((x.shape[0] - 1, x.shape[1] - 1, w.shape[2]))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            for c in range(out.shape[2]):
                out[i, j, c] = np.sum(x[i:i + 2, j:j + 2] * w[:, :, c]) * x[i, j] + w[0, 0, c]
    return np.sum(out * out)


def numbers_first(w, x, y, s):
    for c in range(w.shape[1]):
        b = 2.0 * y[c]
        s[c] += b
        w[:, c] += b * x


def test_loops_over_the_last_axis_go_inside():
    x, w = np.random.RandomState(0).rand(4, 5), np.random.RandomState(1).rand(2, 2, 3)
    for one, other in zip(uncompiled(windows, (0, 1), (x, w)), tangent.grad(numba.njit(windows), (0, 1))(x, w), strict=True):
        assert_close(one, other, 1e-12)


@pytest.mark.parametrize('apart', [True, False])
def test_numbers_that_are_made_first_are_those_of_each_trip(apart):
    made, base = tangent.lower(numbers_first, apart=apart), np.random.RandomState(0).rand(4, 4)
    for given in [lambda m: (m, m[0].copy(), m[1].copy(), m[2].copy()), lambda m: (m, m[0], m[1].copy(), m[2].copy()),
                  lambda m: (m, m[0].copy(), m[1], m[2].copy()), lambda m: (m, m[0].copy(), m[1].copy(), m[2]),
                  lambda m: (m.copy(), m[0], m[1], m[1]), lambda m: (m.copy(), m[0], m[1], m[0])]:
        one, other = base.copy(), base.copy()
        try:
            made(*given(one))
        except tangent.errors.AliasError:
            assert apart
            continue
        numbers_first(*given(other))
        assert_close(one, other, 1e-12)
