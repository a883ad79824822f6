"""Sparse matrices of SciPy's: products, solutions, and matrices made of numbers and places, in both modes and twice."""
import numpy as np
import pytest

import tangent

sp = pytest.importorskip('scipy.sparse')
linalg = pytest.importorskip('scipy.sparse.linalg')

RNG = np.random.default_rng(0)
W = np.maximum(RNG.normal(size=(4, 6)), 0)
V, U, VV, UU = RNG.normal(size=6), RNG.normal(size=4), RNG.normal(size=(6, 2)), RNG.normal(size=(3, 4))
ROWS, COLUMNS, DATA = np.array([0, 0, 1, 2, 3, 3, 0]), np.array([0, 2, 1, 3, 0, 5, 2]), RNG.normal(size=7)    # two of one place
SQUARE = np.diag([3.0, 4, 5, 6]) + np.diag([1.0, 2, 1], 1)
MATRICES = ['csr_matrix', 'csr_array', 'csc_matrix', 'csc_array', 'coo_matrix', 'coo_array']


def programs(name):
    """(function, argument) for one kind of matrix."""
    kind = getattr(sp, name)
    a, square = kind(W), kind(SQUARE).tocsc()
    yield lambda x: np.sum((a @ x) ** 2), V
    yield lambda x: np.sum((x @ a) ** 2), U
    yield lambda x: np.sum((a.T @ x) ** 2), U
    yield lambda x: np.sum((a @ x) ** 3), VV
    yield lambda x: np.sum((x @ a) ** 2), UU
    yield lambda x: (a @ x).sum() + np.dot(x, x), V
    yield lambda d: np.sum((kind((d, (ROWS, COLUMNS)), shape=(4, 6)) @ V) ** 2), DATA
    yield lambda d: np.sum((U @ kind((d, (ROWS, COLUMNS)), shape=(4, 6))) ** 2), DATA
    yield lambda d: np.sum((2 * kind((d * d, (ROWS, COLUMNS)), shape=(4, 6)) @ V) ** 2), DATA
    yield lambda d: np.sum((kind((d, (ROWS, COLUMNS)), shape=(4, 6)).T @ U) ** 2), DATA
    yield lambda d: np.sum(kind((d, (ROWS, COLUMNS)), shape=(4, 6)).toarray() ** 3), DATA
    yield lambda w: np.sum((kind(w) @ V) ** 2), W
    yield lambda d: np.sum((kind((d, (ROWS, COLUMNS)), shape=(4, 6)).tocsr().tocsc().tocoo() @ V) ** 3), DATA
    yield lambda b: np.sum(linalg.spsolve(square, b) ** 2), U
    yield lambda d: np.sum(linalg.spsolve(sp.csc_matrix((d, ([0, 1, 2, 3, 0, 1], [0, 1, 2, 3, 2, 3])), shape=(4, 4)), U) ** 2), \
        np.array([3.0, 4, 5, 6, 1, 2])
    yield lambda d: np.sum((sp.diags([d, d[1:]], [0, 1]) @ V) ** 2), V
    yield lambda d: np.sum((sp.diags_array([d, d[1:]], offsets=[0, 1]) @ V) ** 2), V
    if name.endswith('matrix'):
        yield lambda x: np.sum((a * x) ** 2), V


@pytest.mark.parametrize('name', MATRICES)
@pytest.mark.filterwarnings('ignore::scipy.sparse.SparseEfficiencyWarning')
def test_products_and_solutions(name):
    rng, h = np.random.default_rng(1), 1e-6
    for f, x in programs(name):
        w = rng.normal(size=x.shape)
        g = tangent.grad(f)
        along = (f(x + h * w) - f(x - h * w)) / (2 * h)
        assert np.sum(g(x) * w) == pytest.approx(along, 1e-6) == tangent.jvp(f)(x, w)
        twice = (g(x + h * w) - g(x - h * w)) / (2 * h)
        np.testing.assert_allclose(tangent.jvp(g)(x, 1.0, w), twice, 1e-5, 1e-6)
        assert np.sum(tangent.vjp(g)(x, 1.0, w) * w) == pytest.approx(np.sum(twice * w), 1e-5, 1e-6)


@pytest.mark.parametrize('name', MATRICES)
def test_the_gradient_of_a_sparse_matrix_has_its_pattern(name):
    a = getattr(sp, name)(W)
    g = tangent.grad(lambda m, x: np.sum((m @ x) ** 2))(a, V)
    assert type(g) is type(a) and g.nnz == a.nnz
    np.testing.assert_allclose(g.toarray(), np.where(W > 0, 2 * np.outer(W @ V, V), 0), 1e-12)
    assert tangent.jvp(lambda m, x: np.sum((m @ x) ** 2))(a, V, a) == pytest.approx(2 * np.sum((W @ V) ** 2))


def test_numbers_in_rows_and_products_of_sparse_matrices():
    made = sp.csr_matrix(W)
    right = sp.csr_matrix(W.T)

    def f(d):
        return np.sum((sp.csr_matrix((d, made.indices, made.indptr), shape=(4, 6)) @ right).toarray() ** 2)
    w, h = RNG.normal(size=made.nnz), 1e-6
    along = (f(made.data + h * w) - f(made.data - h * w)) / (2 * h)
    assert np.sum(tangent.grad(f)(made.data) * w) == pytest.approx(along, 1e-6) == tangent.jvp(f)(made.data, w)


def test_the_star_of_an_old_matrix_is_a_product():
    a = sp.csr_matrix(SQUARE)                  # square: a product from the wrong side would go unnoticed
    w = np.array([1.0, -2.0, 0.5, 3.0])

    def f(x):
        return np.sum((a * x) ** 2)
    assert tangent.jvp(f)(U, w) == pytest.approx(2 * (SQUARE @ U) @ (SQUARE @ w)) == tangent.grad(f)(U) @ w


@pytest.mark.parametrize('f', [
    lambda d: np.sum(linalg.spsolve(sp.csc_matrix(SQUARE), sp.csc_matrix((d, ([0, 1], [0, 0])), shape=(4, 1)))),
    lambda d: np.sum(sp.csr_matrix(sp.csr_matrix((d, ([0, 1], [0, 0])), shape=(4, 4))) @ U),
    lambda d: np.sum(sp.diags([d[0]], [0], shape=(4, 4)) @ U),
])
def test_what_has_no_derivative_is_an_error(f):
    with pytest.raises((tangent.errors.TangentError, TypeError)):
        tangent.grad(f)(np.array([1.0, 2.0]))
