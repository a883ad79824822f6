"""Arrays that compiled derivatives do not make: copies that are taken over, scaled matrices, what other arrays keep; and where that
would be wrong. What CPython makes of the same functions is right."""
import numpy as np
import pytest

import tangent
from benchmarks.hand import kernels
from benchmarks.polybench import linear_algebra as algebra
from benchmarks.polybench import loss_of

numba = pytest.importorskip('numba', reason='Numba is not installed')


def product_in_place(alpha, beta, c, a, b):
    c[:] = alpha * a @ b + beta * c
    return np.sum(c * c)


def updates_in_place(alpha, a, u, v, w, x):
    a[:] += np.outer(u, v) + np.outer(w, x)
    y = alpha * a @ x
    return np.sum(a * a) + np.sum(y * y)


def factor_in_place(a):
    a[:] = np.linalg.cholesky(a) + np.triu(a, 1)
    return np.sum(a * a)


def overwritten_twice(a, x):
    a[:] = a * a
    s = np.sum(a @ x)
    a[:] = np.sin(a) * s
    a[:] += 1.0
    return np.sum(a * a) * s


def scaled_before_it_changes(alpha, a, x):
    t = alpha * a
    a[:] = a * a
    y = t @ x
    z = a @ y
    return np.sum(z * y)


def scaled_and_read(alpha, a, x):
    t = a * alpha
    return np.sum(t @ x) + t[0, 1] * np.sum(t * t)


def products_and_sums(a, b, x):
    y = np.tanh(a @ b) * 2.0 + a.T @ b
    return np.sum(y * y) * np.sum(x) + np.sum((b @ x) * x)


def rows_that_are_kept(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        e = np.exp(x[i] - np.max(x[i]))
        out[i] = e / np.sum(e)
    return np.sum(out * out * x)


def rows_that_change_later(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        t = x[i] / np.sum(x[i])
        out[i] = t * t
        out[i] = t
        out[0] = out[0] + t
    out[1] = 2.0 * out[1]
    return np.sum(out * out)


def rows_of_one_place(x):
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        t = x[i] * x[i]
        out[0] = t
    return np.sum(out * out)


def given_back(a, x):
    b = 2.0 * a
    c = b.copy()
    c[0] = x
    return np.sum(b * c) + c[0, 0]


def windows(x, w):
    out = np.empty((x.shape[0] - 1, x.shape[1] - 1, w.shape[2]))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            for c in range(out.shape[2]):
                out[i, j, c] = np.sum(x[i:i + 2, j:j + 2] * w[:, :, c]) * x[i, j] + w[0, 0, c]
    return np.sum(out * out)


R = np.random.RandomState(0)


def like(*shape):
    return R.uniform(0.2, 1.2, shape)


SPD = (lambda m: m @ m.T + 4 * np.eye(4))(like(4, 4))
CASES = [
    (product_in_place, (1.5, 1.2, like(3, 4), like(3, 5), like(5, 4))),
    (product_in_place, (2, 3, like(3, 4), like(3, 0), like(0, 4))),
    (updates_in_place, (0.5, like(3, 4), like(3), like(4), like(3), like(4))),
    (factor_in_place, (SPD,)),
    (overwritten_twice, (like(3, 3), like(3))),
    (scaled_before_it_changes, (0.5, like(3, 3), like(3))),
    (scaled_and_read, (0.5, like(3, 3), like(3))),
    (products_and_sums, (like(4, 4), like(4, 4), like(4))),
    (rows_that_are_kept, (like(3, 4),)),
    (rows_that_change_later, (like(3, 4),)),
    (rows_of_one_place, (like(3, 4),)),
    (given_back, (like(3, 4), like(4))),
    (windows, (like(4, 5), like(2, 2, 3))),
]


@pytest.mark.parametrize('f, args', CASES, ids=[f'{f.__name__}-{k}' for k, (f, _) in enumerate(CASES)])
def test_gradients_are_those_of_python(f, args):
    wrt = tuple(k for k, a in enumerate(args) if isinstance(a, (float, np.ndarray)))

    def copies():
        return [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    given = copies()
    value, found = tangent.value_and_grad(numba.njit(f), wrt)(*given)
    expected = tangent.grad(f, wrt)(*copies())
    found, expected = (found, expected) if len(wrt) > 1 else ((found,), (expected,))
    for a, b in zip(given, args):
        np.testing.assert_array_equal(a, b)                       # arguments stay as they are
    assert value == pytest.approx(f(*copies()), rel=1e-12)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
    arrays = [a for a in found if isinstance(a, np.ndarray)]
    assert not any(np.shares_memory(a, b) for k, a in enumerate(arrays) for b in [*arrays[:k], *given] if isinstance(b, np.ndarray))


def of_kernel(kernel, results, **given):
    return loss_of(kernel, tuple(given), results, 'np.sum({0} * {0})', numba.njit), loss_of(
        kernel, tuple(given), results, 'np.sum({0} * {0})'), list(given.values())


GEMVER = of_kernel(algebra.gemver, ('A', 'x', 'w'), alpha=0.5, beta=0.2, A=like(4, 4), u1=like(1), v1=like(4), u2=like(4),
                   v2=like(1), w=like(4), x=like(4), y=like(4), z=like(4))


@pytest.mark.parametrize('compiled, plain, args', [
    of_kernel(algebra.gemm, ('C',), alpha=1.5, beta=1.2, C=like(3, 4), A=like(1, 5), B=like(5, 4)),
    of_kernel(algebra.gemm, ('C',), alpha=1.5, beta=1.2, C=like(3, 4), A=like(3, 5), B=like(5, 1)),
    GEMVER,
], ids=['rows', 'columns', 'vectors'])
def test_what_is_spread_over_an_array_that_is_written(compiled, plain, args):
    wrt = tuple(range(2, len(args)))
    found = tangent.grad(compiled, wrt)(*[a.copy() if isinstance(a, np.ndarray) else a for a in args])
    for one, other in zip(found, tangent.grad(plain, wrt)(*args), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def made(f, *args, wrt):
    """How many arrays the text of a compiled gradient makes, and the text."""
    text = tangent.source(tangent.grad(numba.njit(f), wrt), *args)
    return sum(text.count(word) for word in ('np.empty(', 'np.zeros(', 'array_copy(', 'init_grad(', 'np.outer(', ' @ ')), text


def test_arrays_that_are_not_made():
    count, text = made(product_in_place, *CASES[0][1], wrt=(2, 3, 4))
    assert count == 6 and 'array_copy' not in text                # and three are asked for
    compiled, _, args = GEMVER
    text = tangent.source(tangent.grad(compiled, 2), *args)
    assert 'np.outer(u1' not in text and 'np.outer(u2' not in text and text.count('array_copy(A') == 1
    _, text = made(factor_in_place, SPD, wrt=(0,))
    assert 'array_copy' not in text and 'old' not in text
    compiled, _, args = of_kernel(kernels.softmax, ('value',), x=like(2, 2, 3, 4))
    assert '_stack.append((t, e, t2))' in tangent.source(tangent.grad(compiled), *args)


def test_arguments_that_meet_still_share_loops():
    compiled, _, args = of_kernel(kernels.compute, ('value',), array_1=like(3, 4), array_2=like(3, 4), a=1.3, b=0.7, c=0.2)
    assert tangent.source(tangent.grad(compiled, (0, 1)), *args).count('np.empty(') == 2
