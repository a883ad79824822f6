"""Functions of matrices from `scipy.linalg` in those of which they are made; see `table`."""
import numpy as np
import scipy.linalg

from tangent.errors import ArgumentError


def lu_factor(a, overwrite_a=False, check_finite=True):
    _, low, up = scipy.linalg.lu(a)
    return np.tril(low, -1) + up, pivots_of(a)


def pivots_of(a):
    """Which rows were exchanged."""
    return scipy.linalg.lu_factor(a)[1]


def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    lu, piv = lu_and_piv
    if trans not in (0, 1):
        raise ArgumentError('scipy.linalg.lu_solve: trans other than 0 and 1 has no derivative rule')
    order = order_of(piv)
    if trans:
        inner = scipy.linalg.solve_triangular(np.triu(lu), b, trans=1)
        return scipy.linalg.solve_triangular(np.tril(lu), inner, trans=1, lower=True, unit_diagonal=True)[np.argsort(order)]
    inner = scipy.linalg.solve_triangular(np.tril(lu), b[order], lower=True, unit_diagonal=True)
    return scipy.linalg.solve_triangular(np.triu(lu), inner)


def order_of(piv):
    """The order of rows that exchanges make."""
    order = np.arange(len(piv))
    for k, other in enumerate(piv):
        order[[k, other]] = order[[other, k]]
    return order


def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    return scipy.linalg.cholesky(a, lower=True) if lower else scipy.linalg.cholesky(a), lower


def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    c, lower = c_and_lower
    if lower:
        return scipy.linalg.solve_triangular(c, scipy.linalg.solve_triangular(c, b, lower=True), trans=1, lower=True)
    return scipy.linalg.solve_triangular(c, scipy.linalg.solve_triangular(c, b, trans=1))


def polar(a, side='right'):
    """By the root of `a.T @ a`, which is smooth where singular values are equal, as the factors are."""
    if side == 'right':
        p = scipy.linalg.sqrtm(np.transpose(a) @ a)
        return np.transpose(np.linalg.solve(p, np.transpose(a))), p
    p = scipy.linalg.sqrtm(a @ np.transpose(a))
    return np.linalg.solve(p, a), p


def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):
    n = len(A)
    upper = np.concatenate([A, E], axis=1)
    whole = scipy.linalg.expm(np.concatenate([upper, np.concatenate([np.zeros((n, n)), A], axis=1)]))
    if not compute_expm:
        return whole[:n, n:]
    return whole[:n, :n], whole[:n, n:]


def solve_discrete_lyapunov(a, q, method=None):
    n = len(a)
    return np.reshape(np.linalg.solve(np.eye(n * n) - np.kron(a, np.conj(a)), np.ravel(q)), np.shape(q))


def signm(A, disp=None):
    return A @ np.linalg.inv(scipy.linalg.sqrtm(A @ A))


def fractional_matrix_power(A, t):
    return scipy.linalg.expm(t * scipy.linalg.logm(A))


def subspace_angles(A, B):
    one, two = np.linalg.qr(A)[0], np.linalg.qr(B)[0]
    if len(two.T) > len(one.T):
        one, two = two, one
    both = np.transpose(one) @ two
    cosines = np.linalg.svdvals(both)
    sines = np.linalg.svdvals(two - one @ both)
    near = cosines ** 2 >= 0.5
    small = np.arcsin(np.where(near, sines, 0.5))
    return np.where(near, small, np.arccos(np.where(near, 0.5, cosines[::-1])))


def pinvh(a, atol=None, rtol=None, lower=True, return_rank=False, check_finite=True):
    if return_rank or atol is not None or rtol is not None:
        raise ArgumentError('scipy.linalg.pinvh: atol, rtol and return_rank have no derivative rule')
    half = np.tril(a, -1) if lower else np.triu(a, 1)
    return np.linalg.pinv(half + np.transpose(half) + np.diag(np.diagonal(a)))


def circulant(c):
    return c[(np.expand_dims(np.arange(len(c)), 1) - np.arange(len(c))) % len(c)]


def toeplitz(c, r=None):
    c = np.ravel(c)
    if r is not None:
        r = np.ravel(r)
        return np.concatenate([r[:0:-1], c])[np.expand_dims(np.arange(len(c)), 1) - np.arange(len(r)) + len(r) - 1]
    apart = np.expand_dims(np.arange(len(c)), 1) - np.arange(len(c))
    found = c[np.abs(apart)]
    return np.where(apart < 0, np.conj(found), found) if np.iscomplexobj(c) else found


def hankel(c, r=None):
    c = np.ravel(c)
    r = np.zeros_like(c) if r is None else np.ravel(r)
    return np.concatenate([c, r[1:]])[np.expand_dims(np.arange(len(c)), 1) + np.arange(len(r))]


def khatri_rao(a, b):
    return np.reshape(np.expand_dims(a, 1) * b, (-1, np.shape(a)[1]))


def companion(a):
    return np.concatenate([np.expand_dims(-a[1:] / a[0], 0), np.eye(len(a) - 2, len(a) - 1)])


def leslie(f, s):
    return np.concatenate([np.expand_dims(f, 0), np.concatenate([np.diag(s), np.zeros((len(s), 1))], axis=1)])


def fiedler(a):
    return np.abs(np.expand_dims(a, 1) - np.expand_dims(a, 0))


def convolution_matrix(a, n, mode='full'):
    rows = [np.concatenate([np.zeros(k), a, np.zeros(n - 1 - k)]) for k in range(n)]
    whole = np.transpose(np.stack(rows))
    if mode == 'full':
        return whole
    size = len(a)
    if mode == 'same':
        start = (min(n, size) - 1) // 2
        return whole[start:start + max(n, size)]
    start = min(n, size) - 1
    return whole[start:start + max(n, size) - min(n, size) + 1]


def matmul_toeplitz(c_or_cr, x, check_finite=False, workers=None):
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, None)
    return (scipy.linalg.toeplitz(c) if r is None else scipy.linalg.toeplitz(c, r)) @ x


def tridiagonal_matrix(d, e):
    return np.diag(d) + np.diag(e, 1) + np.diag(e, -1)


def eigvalsh_tridiagonal(d, e, select='a', select_range=None, check_finite=True, tol=0.0, lapack_driver='auto'):
    if select != 'a':
        raise ArgumentError('scipy.linalg.eigvalsh_tridiagonal: only all eigenvalues have a derivative rule')
    return np.linalg.eigvalsh(tridiagonal_matrix(d, e))


def eigh_tridiagonal(d, e, eigvals_only=False, select='a', select_range=None, check_finite=True, tol=0.0, lapack_driver='auto'):
    if select != 'a':
        raise ArgumentError('scipy.linalg.eigh_tridiagonal: only all eigenvalues have a derivative rule')
    return np.linalg.eigvalsh(tridiagonal_matrix(d, e)) if eigvals_only else tuple(np.linalg.eigh(tridiagonal_matrix(d, e)))


def orthogonal_procrustes(A, B, check_finite=True):
    turned, size = polar(np.transpose(A) @ B)
    return turned, np.trace(size)


def eigvals(a, b=None, overwrite_a=False, check_finite=True, homogeneous_eigvals=False):
    if b is not None or homogeneous_eigvals:
        raise ArgumentError('scipy.linalg.eigvals: b and homogeneous_eigvals have no derivative rule')
    return np.linalg.eigvals(a)


def eig(a, b=None, left=False, right=True, overwrite_a=False, overwrite_b=False, check_finite=True, homogeneous_eigvals=False):
    if b is not None or left or homogeneous_eigvals:
        raise ArgumentError('scipy.linalg.eig: b, left and homogeneous_eigvals have no derivative rule')
    return tuple(np.linalg.eig(a)) if right else np.linalg.eigvals(a)


def qr(a, overwrite_a=False, lwork=None, mode='full', pivoting=False, check_finite=True):
    if pivoting or mode == 'raw':
        raise ArgumentError('scipy.linalg.qr: pivoting and mode="raw" have no derivative rule')
    if mode == 'r':
        return (np.linalg.qr(a, mode='complete')[1],)
    return tuple(np.linalg.qr(a, mode='complete')) if mode == 'full' else tuple(np.linalg.qr(a))


def lstsq(a, b, cond=None, overwrite_a=False, overwrite_b=False, check_finite=True, lapack_driver=None):
    return tuple(np.linalg.lstsq(a, b, rcond=cond))


FUNCTIONS = (eigvals, eig, qr, lstsq, lu_factor, lu_solve, cho_factor, cho_solve, polar, expm_frechet,
             solve_discrete_lyapunov, signm, fractional_matrix_power, subspace_angles, pinvh, circulant, toeplitz,
             hankel, khatri_rao, companion, leslie, fiedler, convolution_matrix, matmul_toeplitz,
             eigvalsh_tridiagonal, eigh_tridiagonal, orthogonal_procrustes)
TABLE = {getattr(scipy.linalg, f.__name__): f for f in FUNCTIONS}
