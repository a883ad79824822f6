"""Linear algebra of singular, empty, huge, tiny and non-finite matrices: gradients that are right, nan where they are not
determined, or the very error that NumPy itself raises; in both modes."""
import numpy as np
import pytest

import tangent

L = np.linalg
FUNCTIONS = {
    'inv': lambda a: L.inv(a), 'det': lambda a: L.det(a), 'slogdet': lambda a: L.slogdet(a)[1],
    'solve': lambda a: L.solve(a, np.ones((a.shape[0], 1))), 'pinv': lambda a: L.pinv(a), 'svdvals': lambda a: L.svd(a, compute_uv=False),
    'svd': lambda a: L.svd(a, full_matrices=False)[0], 'qr': lambda a: L.qr(a)[1], 'q of qr': lambda a: L.qr(a)[0],
    'eigvalsh': lambda a: L.eigvalsh(a), 'eigh': lambda a: L.eigh(a)[1], 'eigvals': lambda a: np.real(L.eigvals(a)),
    'cholesky': lambda a: L.cholesky(a), 'norm': lambda a: L.norm(a), 'norm 2': lambda a: L.norm(a, 2),
    'norm nuc': lambda a: L.norm(a, 'nuc'), 'norm 1': lambda a: L.norm(a, 1), 'norm inf': lambda a: L.norm(a, np.inf),
    'cond': lambda a: L.cond(a), 'cond 1': lambda a: L.cond(a, 1), 'power': lambda a: L.matrix_power(a, 3),
    'negative power': lambda a: L.matrix_power(a, -1), 'lstsq': lambda a: L.lstsq(a, np.ones(a.shape[0]), rcond=None)[0],
    'trace': lambda a: np.trace(a), 'matmul': lambda a: a @ a, 'multi_dot': lambda a: L.multi_dot([a, a, a]),
    'norms of columns': lambda a: L.norm(a, axis=0), 'tensorinv': lambda a: L.tensorinv(a, ind=1),
}
GENERIC = np.array([[2.0, 1], [1, 3]])
MATRICES = {
    'zeros': np.zeros((2, 2)), 'ones': np.ones((2, 2)), 'rank 1': np.array([[1.0, 2], [2, 4]]), 'empty': np.zeros((0, 0)),
    'huge': 1e300 * GENERIC, 'tiny': 1e-300 * GENERIC, 'nan': np.array([[np.nan, 1], [1, 2.0]]),
    'inf': np.array([[np.inf, 1], [1, 2.0]]), 'identity': np.eye(2),
}
# f(c a) = c ** k f(a), so the gradient at c a is c ** (k - 1) times that at a: what has to be seen at 1e300 and 1e-300
DEGREE = {'inv': -1, 'det': 2, 'slogdet': 0, 'solve': -1, 'pinv': -1, 'svdvals': 1, 'svd': 0, 'qr': 1, 'q of qr': 0, 'eigvalsh': 1,
          'eigh': 0, 'eigvals': 1, 'cholesky': 0.5, 'norm 2': 1, 'norm nuc': 1, 'norm 1': 1, 'norm inf': 1, 'cond': 0, 'cond 1': 0,
          'power': 3, 'negative power': -1, 'lstsq': -1, 'trace': 1, 'matmul': 2, 'multi_dot': 3, 'tensorinv': -1}


def attempted(make):
    try:
        with np.errstate(all='ignore'):
            return make(), None
    except Exception as error:  # noqa: BLE001 (whatever NumPy raises)
        return None, error


@pytest.mark.parametrize('kind', MATRICES)
@pytest.mark.parametrize('name', FUNCTIONS)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_matrices_at_the_edge(name, kind):
    f, a = FUNCTIONS[name], MATRICES[kind]
    value, error = attempted(lambda: f(a))
    backward, forward = tangent.vjp(f), tangent.jvp(f)
    if error is not None:
        with pytest.raises(type(error)):
            backward(a, np.zeros(()))
        with pytest.raises(type(error)):
            forward(a, np.ones_like(a))
        return
    seed = np.ones_like(value)
    with np.errstate(all='ignore'):
        gradient, moved = backward(a, seed), forward(a, np.full_like(a, 0.5))
    assert gradient.shape == a.shape and gradient.dtype == a.dtype
    assert np.shape(moved) == np.shape(value)
    determined = kind in ('zeros', 'ones', 'rank 1', 'identity', 'empty') and not (kind == 'rank 1' and 'qr' in name)
    if determined and np.all(np.isfinite(gradient)) and np.all(np.isfinite(moved)):
        np.testing.assert_allclose(np.sum(moved), np.sum(gradient) * 0.5, 1e-6, 1e-9 * max(1, np.max(np.abs(gradient), initial=1)))
    if not np.all(np.isfinite(value)) and kind in ('nan', 'inf') and name != 'trace':
        touched = np.isnan(gradient) | (gradient == 0) | np.isinf(gradient)
        assert np.any(touched)


@pytest.mark.parametrize('scale', [1e300, 1e-300])
@pytest.mark.parametrize('name', DEGREE)
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_gradients_of_huge_and_tiny_matrices_are_those_of_usual_ones_scaled(name, scale):
    f = FUNCTIONS[name]
    plain = tangent.vjp(f)(GENERIC, np.ones_like(f(GENERIC)))
    with np.errstate(all='ignore'):
        right = plain * np.float64(scale) ** (DEGREE[name] - 1)
        value = f(scale * GENERIC)
        found = tangent.vjp(f)(scale * GENERIC, np.ones_like(value))
    shown = np.isfinite(right) & (np.abs(right) > 1e-305)          # what a float can hold
    np.testing.assert_allclose(found[shown], right[shown], 1e-9, 1e-12 * np.max(np.abs(right[shown]), initial=0))


def test_norms_have_the_subgradient_of_least_norm():
    for order in 2, 'nuc', 1, np.inf, 'fro':
        np.testing.assert_array_equal(tangent.grad(lambda a, order=order: L.norm(a, order))(np.zeros((2, 3))), np.zeros((2, 3)))
    np.testing.assert_allclose(tangent.grad(lambda a: L.norm(a, 'nuc'))(np.ones((2, 2))), np.full((2, 2), 0.5), 1e-12)
    np.testing.assert_allclose(tangent.grad(lambda a: L.norm(a, 2))(np.eye(3)), np.eye(3) / 3, 1e-12)


def test_factors_of_a_singular_matrix_are_not_determined():
    for f in (lambda a: np.sum(L.qr(a)[1]), lambda a: L.svd(a)[0][0, 0], lambda a: L.eigh(a)[1][0, 1], lambda a: L.cond(a, 1)):
        assert np.any(np.isnan(tangent.grad(f)(np.zeros((2, 2)))))


def test_one_singular_matrix_of_several():
    """It has an infinite gradient, the others theirs."""
    a = np.array([GENERIC, np.ones((2, 2))])
    gradient = tangent.vjp(lambda a: L.slogdet(a)[1])(a, np.ones(2))
    np.testing.assert_allclose(gradient[0], L.inv(GENERIC).T, 1e-12)
    assert np.all(np.isinf(gradient[1]))
    moved = tangent.jvp(lambda a: L.slogdet(a)[1])(a, np.array([GENERIC, np.eye(2)]))
    np.testing.assert_allclose(moved, [2, np.inf], 1e-12)
    a = np.array([GENERIC, [[3.0, 1], [0, 0]]])             # R is exactly this, in the arithmetic of any processor
    gradient = tangent.vjp(lambda a: L.qr(a)[1])(a, np.ones((2, 2, 2)))
    assert np.all(np.isfinite(gradient[0])) and np.all(np.isnan(gradient[1]))


TURNED = np.linalg.qr(np.random.RandomState(0).randn(4, 4))[0]


def exponential(a):
    w, v = L.eigh((a + a.T) / 2)
    return np.sum(((v * np.exp(w / 3)) @ v.T) * np.arange(16.0).reshape(4, 4))


def sum_of_cubes(a):
    return np.sum(L.eigvalsh((a + a.T) / 2) ** 3)


def first_direction(a):
    w, v = L.eigh((a + a.T) / 2)
    return np.sum(np.abs(v[:, -1]) * w[-1])


def test_eigenvalues_that_are_equal_but_for_rounding():
    """It was a division by the rounding errors: any number at all, in second derivatives of symmetric functions, too."""
    threefold = TURNED @ np.diag([2.0, 2.0, 2.0, 5.0]) @ TURNED.T
    assert 0 < np.ptp(L.eigvalsh(threefold)[:3]) < 1e-14
    assert np.all(np.isnan(tangent.grad(exponential)(threefold)))
    assert np.isnan(tangent.jvp(exponential)(threefold, np.ones((4, 4))))
    for take in (tangent.grad, lambda f: lambda a: tangent.jvp(f)(a, np.ones((4, 4)))):
        assert np.all(np.isnan(take(lambda a: np.sum(tangent.grad(sum_of_cubes)(a) ** 2))(threefold)))


@pytest.mark.parametrize('last', [0.0, 1e-17])
def test_vectors_of_equal_eigenvalues_that_nobody_uses(last):
    low = TURNED @ np.diag([0.0, last, 1.0, 5.0]) @ TURNED.T
    gradient, d = tangent.grad(first_direction), np.eye(4)
    wanted = [[first_direction(low + 1e-6 * np.outer(x, y)) - first_direction(low - 1e-6 * np.outer(x, y)) for y in d] for x in d]
    np.testing.assert_allclose(gradient(low), np.array(wanted) / 2e-6, atol=1e-8)
    np.testing.assert_allclose(gradient(np.diag([0.0, 0.0, 1.0, 5.0])), np.diag([0, 0, 0, 1.0]), atol=1e-12)
