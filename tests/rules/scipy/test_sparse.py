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
def test_products_and_solutions(name, in_turn):
    rng, h = np.random.default_rng(1), 1e-6
    for k, (f, x) in enumerate(programs(name)):
        w = rng.normal(size=x.shape)
        g = tangent.grad(f)
        along = (f(x + h * w) - f(x - h * w)) / (2 * h)
        assert np.sum(g(x) * w) == pytest.approx(along, 1e-6) == tangent.jvp(f)(x, w)
        twice = (g(x + h * w) - g(x - h * w)) / (2 * h)
        modes = in_turn(['f', '', 'r', ''], k + MATRICES.index(name))
        if 'f' in modes:
            np.testing.assert_allclose(tangent.jvp(g)(x, 1.0, w), twice, 1e-5, 1e-6)
        if 'r' in modes:
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


A = sp.csr_matrix(SQUARE)


def multiplied(m, x):
    for _ in range(2):
        x = x - 0.1 * (m * x)
    return np.sum(x ** 2)


def in_a_helper(m, x):
    return multiplied(m.T, x) + x[0]


OF_ARGUMENTS = [
    lambda m, x: np.sum((m * x) ** 2), lambda m, x: np.sum((x * m) ** 2), lambda m, x: np.sum((m / x[0]) @ x),
    lambda m, x: np.sum((m * x[0]) @ x), lambda m, x: np.sum((m.T * x) ** 2), lambda m, x: np.sum(np.multiply(m, x)), multiplied,
    in_a_helper, lambda m, x: (lambda v: np.sum((m * v) ** 2))(x),
]


@pytest.mark.parametrize('f', OF_ARGUMENTS)
def test_stars_of_older_matrices_that_are_arguments_are_refused(f):
    """The gradient would be that of a product element by element."""
    for name in ('csr_matrix', 'csc_matrix', 'coo_matrix', 'bsr_matrix', 'lil_matrix'):
        m = getattr(sp, name)(SQUARE)
        for call in (lambda: tangent.grad(f, wrt=1)(m, U), lambda: tangent.jvp(f, wrt=1)(m, U, U)):  # noqa: B023
            with pytest.raises(tangent.errors.ArgumentTypeError, match=f'm is a {name}.*write @, or pass a sparse array'):
                call()


@pytest.mark.parametrize('f', [
    lambda x: np.sum((A.T * x) ** 2), lambda x: np.sum((A / x[0]) @ x), lambda x: np.sum((sp.csr_matrix(SQUARE) * x) ** 2),
    lambda x: np.sum((sp.diags([x], [0]) * x) ** 2), lambda x: np.sum((sp.eye(4) * x) ** 2),
])
def test_stars_of_older_matrices_that_are_made_are_refused(f):
    for derive in (tangent.grad, tangent.jvp):
        with pytest.raises(tangent.errors.TangentParseError, match='sparse matrix of the older kind'):
            derive(f)


def test_stars_that_are_none_of_such_matrices_are_not_refused():
    m, h = sp.csr_matrix(SQUARE), 1e-6
    programs = [lambda m, x: np.sum((m @ x) * x), lambda m, x: np.sum(2 * m @ x * x / x[0]), lambda m, x: m[0, 1] * x[1] ** 2,
                lambda m, x: np.sum(m.toarray() * x), lambda m, x: m.sum() * np.sum(x * x), lambda m, x: np.sum((-m / 4) @ x) ** 2]
    for f in programs:
        assert tangent.grad(f, wrt=1)(m, U) @ U == pytest.approx((f(m, U + h * U) - f(m, U - h * U)) / (2 * h), 1e-6)
        assert tangent.jvp(f, wrt=1)(m, U, U) == pytest.approx(tangent.grad(f, wrt=1)(m, U) @ U)


SPARSE_ARRAYS = [
    lambda m, x: np.sum((m * x) ** 2), lambda m, x: np.sum((x * m) * x), lambda m, x: np.sum((m / 2 + m * m) @ x),
    lambda m, x: np.sum((m * x[0]) @ x), lambda m, x: np.sum((m ** 2) @ x / x[1]), lambda m, x: m.sum() * x[0],
    lambda m, x: np.sum((m + x) ** 2), lambda m, x: m.mean() * np.sum(m.sum(axis=0) * x),
]


@pytest.mark.parametrize('f', SPARSE_ARRAYS)
@pytest.mark.parametrize('kind', ['csr_array', 'csc_array', 'coo_array'])
def test_stars_of_sparse_arrays_go_element_by_element(f, kind):
    m, h = getattr(sp, kind)(SQUARE), 1e-6
    moved = m.copy()
    moved.data = RNG.normal(size=m.nnz)
    found = tangent.grad(f, wrt=(0, 1))(m, U)
    assert type(found[0]) is type(m) or kind == 'coo_array'                # sums of those are csr_arrays
    assert found[0].nnz == m.nnz and type(found[1]) is np.ndarray and found[1].shape == U.shape
    along = (f(m + h * moved, U) - f(m - h * moved, U)) / (2 * h)
    assert (found[0] * moved).sum() == pytest.approx(along, 1e-6) == tangent.jvp(f)(m, U, moved)
    along = (f(m, U + h * U) - f(m, U - h * U)) / (2 * h)
    assert found[1] @ U == pytest.approx(along, 1e-6) == tangent.jvp(f, wrt=1)(m, U, U)


@pytest.mark.parametrize('f', [
    lambda d: np.sum(linalg.spsolve(sp.csc_matrix(SQUARE), sp.csc_matrix((d, ([0, 1], [0, 0])), shape=(4, 1)))),
    lambda d: np.sum(sp.csr_matrix(sp.csr_matrix((d, ([0, 1], [0, 0])), shape=(4, 4))) @ U),
    lambda d: np.sum(sp.diags([d[0]], [0], shape=(4, 4)) @ U),
])
def test_what_has_no_derivative_is_an_error(f):
    with pytest.raises((tangent.errors.TangentError, TypeError)):
        tangent.grad(f)(np.array([1.0, 2.0]))


@pytest.mark.parametrize('kind', ['csr_array', 'csc_array', 'coo_array'])
def test_diagonals_and_traces(kind):
    def f(x, m):
        scaled = m * x[0]
        turned = scaled * x[1]
        return np.sum(turned.diagonal() * U[:4]) ** 2 + scaled.diagonal()[1] * turned.trace()

    def g(m):
        return np.sum(m.diagonal() ** 2) + m.trace()
    x, m, dense = np.array([0.3, 0.8]), getattr(sp, kind)(SQUARE), SQUARE
    np.testing.assert_allclose(tangent.grad(f)(x, m), tangent.grad(f)(x, dense))
    assert tangent.jvp(f)(x, m, x) == pytest.approx(tangent.jvp(f)(x, dense, x))
    np.testing.assert_allclose(tangent.hvp(f)(x, m, x), tangent.hvp(f)(x, dense, x))
    np.testing.assert_allclose(tangent.grad(g)(m).toarray(), tangent.grad(g)(dense) * (dense != 0))
