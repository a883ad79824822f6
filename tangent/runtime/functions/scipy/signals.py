"""Run-time functions for rules about SciPy; they are looked up only where SciPy has been imported."""
import numpy as np
import scipy.integrate
import scipy.linalg
import scipy.signal
import scipy.special

from tangent.errors import ArgumentError
from tangent.runtime.broadcast import cast, unbroadcast


def log_unless(x, y):
    """`log(y)`, and 0 where both are 0."""
    both = np.equal(x, 0) & np.equal(y, 0)
    return np.log(np.where(both, 1, y))[()]


def lambert_slope(w, z):
    """The derivative of `w = scipy.special.lambertw(z)`."""
    return np.exp(-w) / (1 + w)


def unlogsumexp(d, a, y, axis=None, b=None, keepdims=False):
    """The gradients of `a` and `b`, from that of `y = scipy.special.logsumexp(a, axis, b, keepdims)`."""
    if axis is not None and not keepdims:
        d, y = np.expand_dims(d, axis), np.expand_dims(y, axis)
    with np.errstate(invalid='ignore'):
        shares = np.nan_to_num(np.exp(a - y)) if np.any(np.isneginf(np.real(y))) else np.exp(a - y)
    return (unbroadcast(d * shares * (1 if b is None else b), a), None if b is None else unbroadcast(d * shares, b))


def push_logsumexp(da, db, a, y, axis=None, b=None, keepdims=False):
    """The tangent of `y = scipy.special.logsumexp(a, axis, b, keepdims)`."""
    whole = y if axis is None or keepdims else np.expand_dims(y, axis)
    moved = np.exp(a - whole) * (da if b is None else da * b + db)
    return np.sum(moved, axis=axis, keepdims=keepdims)


# Linear algebra

def push_matrix_function(function, da, a):
    """The tangent of a function of a matrix, such as `scipy.linalg.expm`."""
    if np.ndim(a) > 2:
        return np.stack([push_matrix_function(function, *pair) for pair in zip(np.broadcast_to(da, np.shape(a)), a)])
    n = len(a)
    found = function(doubled(a, da))
    check_branch(function, found)
    return found[:n, n:]


def unmatrix_function(function, d, a):
    """The gradient of `a`, from that of the function of it."""
    return cast(push_matrix_function(function, d, np.swapaxes(a, -1, -2)), a)


def doubled(a, e):
    return np.concatenate([np.concatenate([a, e], axis=1), np.concatenate([np.zeros_like(a), a], axis=1)])


def check_branch(function, found):
    """Raise where a logarithm has taken another value of several in one half than in the other."""
    n = len(found) // 2
    if function is scipy.linalg.logm and np.any(np.abs(found[:n, :n] - found[n:, n:]) > 0.1):    # one value, or 2 pi apart
        raise ArgumentError('logm has no derivative at a matrix with eigenvalues on its cut (the negative real axis), where '
                            'equal eigenvalues may come to lie on either side')


def _turned(trans):
    return {0: 'T', 'N': 'T', 1: 'N', 'T': 'N'}.get(trans, None)


def _triangle(m, lower, unit_diagonal):
    return np.tril(m, -1 if unit_diagonal else 0) if lower else np.triu(m, 1 if unit_diagonal else 0)


def unsolve_triangular(d, a, b, y, trans=0, lower=False, unit_diagonal=False):
    """The gradients of `a` and `b`, from that of `y = scipy.linalg.solve_triangular(a, b, trans, lower, unit_diagonal)`."""
    if _turned(trans) is None:
        raise ArgumentError(f'scipy.linalg.solve_triangular: trans={trans!r} has no derivative rule; use 0 or 1')
    owed = scipy.linalg.solve_triangular(a, d, _turned(trans), lower, unit_diagonal)
    columns, found = (v.reshape(len(v), -1) for v in (owed, np.asarray(y)))
    ba = -columns @ found.T
    return cast(_triangle(ba if _turned(trans) == 'T' else ba.T, lower, unit_diagonal), a), cast(owed, b)


def push_solve_triangular(da, db, a, y, trans=0, lower=False, unit_diagonal=False):
    """The tangent of `y = scipy.linalg.solve_triangular(a, b, trans, lower, unit_diagonal)`."""
    moved = _triangle(np.broadcast_to(da, np.shape(a)), lower, unit_diagonal)
    moved = moved if _turned(trans) == 'T' else moved.T
    return scipy.linalg.solve_triangular(a, db - moved @ y, trans, lower, unit_diagonal)


def unsylvester(d, a, b, y):
    """The gradients of `a`, `b` and `q`, from that of `y = scipy.linalg.solve_sylvester(a, b, q)`."""
    owed = scipy.linalg.solve_sylvester(np.transpose(a), np.transpose(b), d)
    return cast(-owed @ y.T, a), cast(-y.T @ owed, b), owed


def _square(y):
    p, low, up = y
    if low.shape != up.shape:
        raise ArgumentError('scipy.linalg.lu: matrices that are not square have no derivative rule')
    return p, low, up


def unlu(d, y):
    """The gradient of `a`, from that of `y = scipy.linalg.lu(a)`: (p, l, u)."""
    p, low, up = _square(y)
    dl, du = (np.zeros_like(m) if part is None else np.asarray(part) for part, m in zip(d[1:], (low, up)))
    inner = np.tril(low.T @ dl, -1) + np.triu(du @ up.T)
    return p @ np.linalg.solve(low.T, np.linalg.solve(up, inner.T).T)


def push_lu(da, y):
    """The tangent of `y = scipy.linalg.lu(a)`."""
    p, low, up = _square(y)
    inner = np.linalg.solve(low, np.linalg.solve(up.T, (p.T @ da).T).T)
    return np.zeros_like(p), low @ np.tril(inner, -1), np.triu(inner) @ up


def unblock_diag(d, arrays, k):
    """The gradient of array number `k`, from that of `scipy.linalg.block_diag(*arrays)`."""
    shapes = [np.atleast_2d(a).shape for a in arrays]
    row, column = (sum(s[axis] for s in shapes[:k]) for axis in (0, 1))
    part = d[row:row + shapes[k][0], column:column + shapes[k][1]]
    return cast(np.reshape(part, np.shape(arrays[k])).copy(), arrays[k])


# Signals

def _whole(d, a, v, mode, axes, second):
    """The gradient `d` of a convolution put into the full one."""
    if mode == 'full':
        return d
    one, two = (v, a) if second else (a, v)
    axes = range(d.ndim) if axes is None else [k % d.ndim for k in np.atleast_1d(axes)]
    full = list(d.shape)
    start = [0] * d.ndim
    for k in axes:
        full[k] = np.shape(one)[k] + np.shape(two)[k] - 1
        start[k] = (full[k] - d.shape[k]) // 2
    out = np.zeros(full, d.dtype)
    out[tuple(slice(s, s + n) for s, n in zip(start, d.shape))] = d
    return out


def unconvolve_axes(d, a, v, mode='full', axes=None, second=False):
    """The gradient of `a`, from that of the convolution of `a` and `v` (of `v` and `a` if it is the `second`)."""
    d = _whole(np.asarray(d), a, v, mode, axes, second)
    axes = range(d.ndim) if axes is None else [k % d.ndim for k in np.atleast_1d(axes)]
    turned = np.flip(v, tuple(axes))
    found = scipy.signal.fftconvolve(d, turned, axes=list(axes)) if d.ndim else d * v
    cut = tuple(slice(np.shape(v)[k] - 1, np.shape(v)[k] - 1 + np.shape(a)[k]) if k in axes else slice(None)
                for k in range(d.ndim))
    return unbroadcast(found[cut], a)


def unlfilter(d, b, a, x, y, axis=-1):
    """The gradients of `b`, `a` and `x`, from that of `y = scipy.signal.lfilter(b, a, x, axis)`."""
    d, x, y = (np.moveaxis(np.asarray(v), axis, -1) for v in (d, x, y))
    b, a = np.atleast_1d(b), np.atleast_1d(a)
    owed = scipy.signal.lfilter([1.0], a, d[..., ::-1])[..., ::-1]
    bx = scipy.signal.lfilter(b, [1.0], owed[..., ::-1])[..., ::-1]
    n = x.shape[-1]

    def lagged(v, count):
        return np.array([np.sum(owed[..., k:] * v[..., :n - k]) if k < n else 0.0 for k in range(count)])
    return cast(lagged(x, len(b)), b), cast(-lagged(y, len(a)), a), cast(np.moveaxis(bx, -1, axis).copy(), x)


def push_lfilter(db, da, dx, b, a, x, y, axis=-1):
    """The tangent of `y = scipy.signal.lfilter(b, a, x, axis)`."""
    x = np.asarray(x)
    moved = scipy.signal.lfilter(b, [1.0], np.broadcast_to(dx, x.shape), axis)
    moved = moved + scipy.signal.lfilter(np.broadcast_to(db, np.shape(b)), [1.0], x, axis)
    moved = moved - scipy.signal.lfilter(np.broadcast_to(da, np.shape(a)), [1.0], y, axis)
    return scipy.signal.lfilter([1.0], a, moved, axis)


# Densities

def _mvn(x, mean, cov, allow_singular):
    x, cov = np.asarray(x, float), np.asarray(cov, float)
    size = np.size(mean) if mean is not None else len(cov) if cov.ndim else 1                           # as SciPy has it
    matrix = np.eye(size) * cov if cov.ndim < 2 else cov
    inverse = np.linalg.pinv(matrix, 2.2e-10, True) if allow_singular else np.linalg.inv(matrix)
    rest = points(x, size) - (0.0 if mean is None else np.asarray(mean))
    return np.broadcast_to(rest, (*rest.shape[:-1], size)), matrix, inverse           # one coordinate stands for all


def points(x, size):
    """Points with `size` coordinates along the last axis: a row of numbers is a point, or of points with one coordinate."""
    return np.reshape(x, (*np.shape(x), 1)) if np.ndim(x) == 0 or np.ndim(x) == 1 and size == 1 else x


def unmvn(d, x, mean, cov, allow_singular=False):
    """The gradients of `x`, `mean` and `cov`, from that of `scipy.stats.multivariate_normal.logpdf(x, mean, cov)`."""
    rest, matrix, inverse = _mvn(x, mean, cov, allow_singular)
    d = np.asarray(d)[..., None]
    solved = rest @ inverse
    bcov = 0.5 * np.reshape(d * solved, (-1, len(matrix))).T @ np.reshape(solved, (-1, len(matrix))) - 0.5 * np.sum(d) * inverse
    if np.ndim(cov) < 2:
        bcov = np.diagonal(bcov) if np.ndim(cov) else np.trace(bcov)
    bx = np.reshape(unbroadcast(-d * solved, points(x, len(matrix))), np.shape(x))
    return (cast(bx, x), None if mean is None else unbroadcast(d * solved, mean), unbroadcast(bcov, cov))


def push_mvn(dx, dmean, dcov, x, mean, cov, y, allow_singular=False):
    """The tangent of `y = scipy.stats.multivariate_normal.logpdf(x, mean, cov)`."""
    rest, matrix, inverse = _mvn(x, mean, cov, allow_singular)
    solved = rest @ inverse
    dcov = np.eye(len(matrix)) * dcov if np.ndim(dcov) < 2 else dcov
    moved = points(dx, len(matrix)) - (0 if mean is None else dmean)
    spread = np.einsum('...i,ij,...j->...', solved, dcov, solved) - np.sum(inverse * dcov)
    return np.reshape(-np.sum(solved * moved, -1) + 0.5 * spread, np.shape(y))[()]            # SciPy squeezes what it gives


def entropy_slope(cov):
    """The derivative of the entropy of a normal distribution by its covariance: half the inverse, in the form of `cov`."""
    if np.ndim(cov) < 2:
        return 0.5 / np.asarray(cov)
    return 0.5 * np.linalg.inv(cov).T


def undirichlet(d, x, alpha):
    """The gradients of `x` and `alpha`, from that of `scipy.stats.dirichlet.logpdf(x, alpha)`."""
    if np.ndim(x) != 1 or len(x) != len(alpha):
        raise ArgumentError('scipy.stats.dirichlet.logpdf: only one point with all its coordinates has a derivative rule')
    alpha = np.asarray(alpha)
    by_alpha = np.log(x) - scipy.special.digamma(alpha) + scipy.special.digamma(np.sum(alpha))
    return cast(d * (alpha - 1) / x, x), cast(d * by_alpha, alpha)
