"""Run-time functions for rules about linear algebra: norms, eigenvalues, singular values, factors, inverses.

The gradients that come and go are those of the rules, which are not conjugated: `dL = real(sum(d * dz))`. The formulas
here are written for their conjugates, with conjugate transposes, as books have them. Where NumPy takes a matrix to be
Hermitian it reads one triangle of it: there the gradient is, and it is zero in the other one.

Numba compiles most of these functions as they are written, for real matrices: see `numba.overloads.linalg`.
"""
import functools

import numpy as np

from tangent.errors import ArgumentError
from tangent.runtime.array_api import as_array, beside, counted
from tangent.runtime.broadcast import cast, results_like
from tangent.runtime.functions.numpy.statistics import dual
from tangent.runtime.functions.real import for_real_numbers


def H(m):
    """The conjugate transpose of the matrices `m`."""
    return np.swapaxes(dual(m), -1, -2)


def first_columns(m, k):
    """The first columns of the matrices `m`."""
    return m[..., :k]


def other_columns(m, k):
    return m[..., k:]


def first_rows(m, k):
    return m[..., :k, :]


def unit_matrix(m):
    """The unit matrix of as many rows as `m` has columns."""
    return beside(np.eye(m.shape[-1]), m)


def imaginary_part(v):
    """The imaginary parts of numbers as imaginary numbers; zeros for real numbers."""
    return 1j * np.imag(v) if np.iscomplexobj(v) else np.zeros_like(v)


def from_triangle(m, upper=False):
    """The Hermitian matrices of which one triangle is given."""
    rest = np.triu(m, 1) if upper else np.tril(m, -1)
    return rest + H(rest) + diagonal_matrix(np.real(diagonal_of(m)))


def to_triangle(m, upper=False):
    """The adjoint of `from_triangle`."""
    both = m + H(m)
    return (np.triu(both, 1) if upper else np.tril(both, -1)) + diagonal_matrix(np.real(diagonal_of(m)))


def scaled(m, s):
    """`m` times a diagonal matrix: its columns times the elements of `s`."""
    return m * s[..., None, :]


def part(d, k, y):
    """Part `k` of the gradient of a tuple, zeros where there is none."""
    found = d[k]
    return np.zeros_like(y[k]) if found is None else np.broadcast_to(as_array(found), np.shape(y[k]))


def _without_warnings(function):
    """The function, silent where it divides by the distance of two equal eigenvalues."""
    @functools.wraps(function)
    def quiet(*args, **keywords):
        with np.errstate(divide='ignore', invalid='ignore'):
            return function(*args, **keywords)
    return quiet


def over_gaps(m, w, rounding=0.0, idle=False):
    """The elements of `m` over the differences `w[j] - w[i]`, 0 on the diagonal and where they are idle; nan where such a
    difference is no more than what comes of rounding."""
    gaps = w[..., None, :] - w[..., :, None]
    gaps = np.where(np.abs(gaps) <= rounding, np.nan, gaps)
    idle = (unit_matrix(w) == 1) | idle
    return np.where(idle, 0, m / np.where(idle, 1, gaps))


def rounding_of(w):
    """What two eigenvalues may differ by that are equal."""
    largest = np.max(np.abs(w), axis=-1)[..., None, None] if w.shape[-1] else 0.0
    return w.shape[-1] * np.finfo(w.dtype).eps * largest


def idle_pairs(bv):
    """Of which pairs of vectors neither has a gradient."""
    idle = np.all(bv == 0, axis=-2)
    return idle[..., None, :] & idle[..., :, None]


def by_largest(s):
    """(the largest of the singular values, all of them over it, the squares of these, which do not overflow)."""
    top = np.where(s[..., :1] == 0, 1, s[..., :1])
    return top[..., None], s / top, (s / top) ** 2


def solved(r, b):
    """`numpy.linalg.solve` of a triangle, and nan where that is singular: what QR gives of such a matrix is not determined."""
    singular = np.any(diagonal_of(r) == 0, axis=-1)[..., None, None]
    return np.where(singular, np.nan, np.linalg.solve(np.where(singular, unit_matrix(r), r), b))


def diagonal_matrix(v):
    return v[..., None, :] * unit_matrix(v)


def diagonal_of(m):
    return np.diagonal(m, axis1=-2, axis2=-1)


# Norms

def direction(x):
    """`x` over its size, 0 at 0."""
    size = np.abs(x)
    return np.where(size == 0, 0, x / np.where(size == 0, 1, size))


def _share(equal, axis=None):
    return equal / np.sum(equal, axis=axis, keepdims=True)


def thin_svd(a, hermitian=False):
    return np.linalg.svd(a, full_matrices=False, **({'hermitian': True} if hermitian else {}))


def vector_slope_of(x, ord=2, axis=None):
    """The derivative of a vector norm over all axes named, conjugated (minimum-norm subgradient)."""
    x = as_array(x)
    x = x.astype(float) if x.dtype.kind in 'iub' else x
    size = np.abs(x)
    if ord == 0:
        return np.zeros_like(x)
    if ord in (np.inf, -np.inf):
        extreme = (np.max if ord > 0 else np.min)(size, axis=axis, keepdims=True)
        return cast(direction(x) * _share(size == extreme, axis), x)
    if ord == 1:
        return direction(x)
    if ord == 2:
        norm = np.sqrt(np.sum(size * size, axis=axis, keepdims=True))
        return np.where(norm == 0, 0, x / np.where(norm == 0, 1, norm))
    norm = np.sum(size ** ord, axis=axis, keepdims=True) ** (1 / ord)
    return cast(direction(x) * np.where(norm == 0, 0, size / np.where(norm == 0, 1, norm)) ** (ord - 1), x)


def matrix_slope_of(x, ord='fro'):
    """The derivative of a norm of the matrices `x`, conjugated (minimum-norm subgradient)."""
    x = as_array(x)
    if x.size == 0:
        return np.zeros_like(x)
    if ord in (None, 'fro'):
        return vector_slope_of(x, 2, (-2, -1))
    if ord in (1, -1, np.inf, -np.inf):
        sums = np.sum(np.abs(x), axis=-2 if abs(ord) == 1 else -1, keepdims=True)
        extreme = (np.max if ord > 0 else np.min)(sums, axis=(-2, -1), keepdims=True)
        return cast(direction(x) * _share(sums == extreme, (-2, -1)), x)
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return cast((u * singular_weights(s, ord, max(x.shape))[..., None, :]) @ vh, x)


def norm_slope_of(x, ord=None, axis=None):
    """The derivative of `numpy.linalg.norm(x, ord, axis)`, conjugated (minimum-norm subgradient)."""
    x = as_array(x)
    if ord is None or (x.ndim if axis is None else np.size(axis)) == 1:
        return vector_slope_of(x, 2 if ord is None else ord, axis)
    axes = (0, 1) if axis is None else axis
    return np.moveaxis(matrix_slope_of(np.moveaxis(x, axes, (-2, -1)), ord), (-2, -1), axes)


@for_real_numbers
def norm_slope(x, ord=None, axis=None):
    """As `norm_slope_of`, of real numbers."""
    return norm_slope_of(x, ord, axis)


@for_real_numbers
def vector_slope(x, ord=2, axis=None):
    """As `vector_slope_of`, of real numbers."""
    return vector_slope_of(x, ord, axis)


@for_real_numbers
def matrix_slope(x, ord='fro'):
    """As `matrix_slope_of`, of real numbers."""
    return matrix_slope_of(x, ord)


def singular_weights(s, ord, size):
    """The derivative of a matrix norm by each singular value, of a matrix of at most that many rows and columns."""
    if ord == 'nuc':
        return np.where(s > np.finfo(s.dtype).eps * size * s[..., :1], 1, 0 * s)
    equal = (s == (s[..., :1] if ord == 2 else s[..., -1:])).astype(s.dtype)
    return np.where(s[..., :1] == 0, 0, equal / np.sum(equal, axis=-1, keepdims=True))


# Eigenvalues

@for_real_numbers
@_without_warnings
def uneigh(d, y, upper=False):
    """The gradient of `a`, from that of `y = numpy.linalg.eigh(a)` of its upper or lower triangle."""
    w, v = y
    bw, bv = part(d, 0, y), dual(part(d, 1, y))
    inner = diagonal_matrix(np.real(bw)).astype(v.dtype)
    if np.any(bv):
        pulled = H(v) @ bv
        if np.iscomplexobj(v):
            refuse_phases(np.imag(diagonal_of(pulled)), bv, 'numpy.linalg.eigh')
        inner = inner + over_gaps(pulled, w, rounding_of(w), idle_pairs(bv))
    return dual(to_triangle(v @ inner @ H(v), upper))


@for_real_numbers
@_without_warnings
def push_eigh(da, y, upper=False):
    """The tangent of `y = numpy.linalg.eigh(a)`."""
    w, v = y
    inner = H(v) @ from_triangle(da, upper) @ v
    return results_like(y, np.real(diagonal_of(inner)), v @ over_gaps(inner, w, rounding_of(w)))


@for_real_numbers
def uneigvalsh(d, a, UPLO='L'):
    """The gradient of `a`, from that of `numpy.linalg.eigvalsh(a, UPLO)`."""
    w, v = eigh_of(a, UPLO)
    return cast(dual(to_triangle(scaled(v, np.real(d) + 0 * w) @ H(v), UPLO in ('U', 'u'))), a)


@for_real_numbers
def push_eigvalsh(da, a, UPLO='L'):
    """The tangent of `numpy.linalg.eigvalsh(a, UPLO)`."""
    _, v = eigh_of(a, UPLO)
    return np.real(diagonal_of(H(v) @ from_triangle(da, UPLO in ('U', 'u')) @ v))


def eigh_of(a, UPLO):
    return np.linalg.eigh(a, UPLO)


@_without_warnings
def uneig(d, a, y):
    """The gradient of `a`, from that of `y = numpy.linalg.eig(a)`, whose vectors have length 1."""
    w, v = y
    bw, bv = dual(part(d, 0, y)), dual(part(d, 1, y))
    inner = diagonal_matrix(bw)
    if np.any(bv):
        pulled = H(v) @ (bv + turned_back(bv, v))
        pulled = pulled - scaled(H(v) @ v, np.real(diagonal_of(pulled)))
        inner = inner + over_gaps(pulled, dual(w))
    return cast(dual(np.linalg.solve(H(v), inner @ H(v))), a)


@_without_warnings
def push_eig(da, y):
    """The tangent of `y = numpy.linalg.eig(a)`."""
    w, v = y
    inner = np.linalg.solve(v, da @ v)
    dv = v @ over_gaps(inner, w)
    dv = dv - scaled(v, np.real(np.sum(dual(v) * dv, axis=-2)) + turn(dv, v))
    return results_like(y, diagonal_of(inner).copy(), dv)


def turn(dv, v):
    """What has to be taken from the tangents of vectors whose largest elements are real, times these: imaginary numbers."""
    if not np.iscomplexobj(v):
        return 0.0
    largest = np.argmax(np.abs(v), axis=-2)[..., None, :]
    return 1j * (np.imag(np.take_along_axis(dv, largest, -2)) / np.real(np.take_along_axis(v, largest, -2)))[..., 0, :]


def turned_back(bv, v):
    """What `turn` adds to the gradient of its argument."""
    if not np.iscomplexobj(v):
        return 0.0
    largest = np.argmax(np.abs(v), axis=-2)[..., None, :]
    turned = np.imag(np.sum(dual(bv) * v, axis=-2, keepdims=True)) / np.real(np.take_along_axis(v, largest, -2))
    return 1j * turned * (counted(v.shape[-2], v)[:, None] == largest)


def refuse_phases(turned, size, what):
    """Raise an ArgumentError if a gradient depends on the phases of complex vectors, which are not determined."""
    if np.any(np.abs(turned) > 1e-3 * np.max(np.abs(size), initial=0)):
        raise ArgumentError(f'{what}: the phases of complex vectors are not determined, and this derivative depends on them; '
                            'use something of the vectors that does not, such as numpy.abs(v) or v[:, 0] * numpy.conj(v[0, 0])')


def uneigvals(d, a):
    """The gradient of `a`, from that of `numpy.linalg.eigvals(a)`."""
    y = np.linalg.eig(a)
    return uneig((d, None), a, y)


# Singular values

@for_real_numbers
@_without_warnings
def unsvd(d, a, y, hermitian=False):
    """The gradient of `a`, from that of `y = numpy.linalg.svd(a, ...)`: (u, s, vh)."""
    u, s, vh = y
    k = s.shape[-1]
    bu, bs, bvh = dual(part(d, 0, y)), np.real(part(d, 1, y)), dual(part(d, 2, y))
    if np.any(other_columns(bu, k)) or np.any(bvh[..., k:, :]):
        raise ArgumentError('numpy.linalg.svd: the vectors that full_matrices=True adds are not determined and have no '
                            'derivative; use full_matrices=False')
    u, vh, bu, bvh = first_columns(u, k), first_rows(vh, k), first_columns(bu, k), first_rows(bvh, k)
    if not np.any(bu) and not np.any(bvh):
        found = scaled(u, bs + 0 * s) @ vh                    # nan where s is not finite
        return dual(cast(to_triangle(found) if hermitian else found, a))
    left, right = H(u) @ bu, vh @ H(bvh)
    if np.iscomplexobj(a):
        size = np.max(np.abs(left)), np.max(np.abs(right))
        refuse_phases(np.imag(diagonal_of(left) + diagonal_of(right)), size, 'numpy.linalg.svd')
    left, right = left - H(left), right - H(right)
    top, t, squares = by_largest(s)
    inner = (scaled(over_gaps(left, squares), t) + t[..., :, None] * over_gaps(right, squares)) / top + diagonal_matrix(bs)
    if np.iscomplexobj(a):
        inner = inner + diagonal_matrix(diagonal_of(left) / (2 * s))
    found = u @ inner @ vh
    if u.shape[-2] > k:
        outer = scaled(bu, 1 / s)
        found = found + (outer - u @ (H(u) @ outer)) @ vh
    if vh.shape[-1] > k:
        outer = bvh / s[..., :, None]
        found = found + u @ (outer - (outer @ H(vh)) @ vh)
    return dual(cast(to_triangle(found) if hermitian else found, a))


@for_real_numbers
@_without_warnings
def push_svd(da, a, y, hermitian=False):
    """The tangent of `y = numpy.linalg.svd(a, ...)`."""
    u, s, vh = y
    da = from_triangle(da) if hermitian else da
    k = s.shape[-1]
    if u.shape[-1] > k or vh.shape[-2] > k:
        raise ArgumentError('numpy.linalg.svd: full_matrices=True has no derivative; use full_matrices=False')
    inner = H(u) @ da @ H(vh)
    top, t, squares = by_largest(s)
    du = u @ over_gaps(scaled(inner, t) + t[..., :, None] * H(inner), squares) / top
    dv = H(vh) @ over_gaps(t[..., :, None] * inner + scaled(H(inner), t), squares) / top
    if np.iscomplexobj(a):
        turn = imaginary_part(diagonal_of(inner)) / (2 * s)
        du, dv = du + scaled(u, turn), dv - scaled(H(vh), turn)
    if u.shape[-2] > k:
        outer = scaled(da @ H(vh), 1 / s)
        du = du + outer - u @ (H(u) @ outer)
    if vh.shape[-1] > k:
        outer = scaled(H(da) @ u, 1 / s)
        dv = dv + outer - H(vh) @ (vh @ outer)
    return results_like(y, du, np.real(diagonal_of(inner)), H(dv))


@for_real_numbers
def unsvdvals(d, a, hermitian=False):
    """The gradient of `a`, from that of `numpy.linalg.svdvals(a)`."""
    return unsvd.__wrapped__((None, d, None), a, thin_svd(a, hermitian), hermitian)


@for_real_numbers
def push_svdvals(da, a, hermitian=False):
    """The tangent of `numpy.linalg.svdvals(a)`."""
    return moved_values(from_triangle(da) if hermitian else da, *thin_svd(a, hermitian))


# Factors

def unqr(d, a, y, mode='reduced'):
    """The gradient of `a`, from that of `y = numpy.linalg.qr(a, mode)`: (q, r), or r alone."""
    y = _q_and_r(a, y, mode)
    return qr_gradient((None, d) if mode == 'r' else d, as_array(a), y)


def qr_gradient(d, a, y):
    q, r = y
    bq, br = dual(part(d, 0, y)), dual(part(d, 1, y))
    k = a.shape[-2]
    r1, br1, br2 = first_columns(r, k), first_columns(br, k), other_columns(br, k)      # the rest is a product: q @ r2
    bq = bq + other_columns(a, k) @ H(br2)
    inner = np.triu(br1 @ H(r1) - H(q) @ bq)
    inner = inner + H(inner) - diagonal_matrix(np.real(diagonal_of(inner)))
    found = H(solved(r1, H(bq + q @ inner)))
    return cast(dual(np.concatenate((found, q @ br2), axis=-1)), a)


def _q_and_r(a, y, mode):
    if mode not in ('reduced', 'complete', 'r'):
        raise ArgumentError(f'numpy.linalg.qr: mode {mode!r} has no derivative rule; use mode="reduced"')
    q, r = np.linalg.qr(a) if mode == 'r' else y
    if q.shape[-1] > r.shape[-1] and q.shape[-1] > np.shape(a)[-1]:
        raise ArgumentError('numpy.linalg.qr: the vectors that mode="complete" adds are not determined and have no '
                            'derivative; use mode="reduced"')
    return q, r


def push_qr(da, a, y, mode='reduced'):
    """The tangent of `y = numpy.linalg.qr(a, mode)`."""
    found = qr_tangent(as_array(da), as_array(a), _q_and_r(a, y, mode))
    return found[1] if mode == 'r' else results_like(y, *found)


def qr_tangent(da, a, y):
    q, r = y
    k = a.shape[-2]
    r1 = first_columns(r, k)
    outer = H(solved(H(r1), H(first_columns(da, k))))
    inner = H(q) @ outer
    turn = np.tril(inner, -1)
    turn = turn - H(turn)
    if np.iscomplexobj(a):
        turn = turn + diagonal_matrix(imaginary_part(diagonal_of(inner)))
    dq = outer - q @ (inner - turn)
    rest = H(dq) @ other_columns(a, k) + H(q) @ other_columns(da, k)
    return dq, np.concatenate(((inner - turn) @ r1, rest), axis=-1)


def uncholesky(d, y):
    """The gradient of `a`, from that of `y = numpy.linalg.cholesky(a)`, which reads the lower triangle of `a` alone."""
    inner = np.tril(H(y) @ dual(d))
    inner = 0.5 * (inner + H(np.tril(inner, -1)))
    if np.iscomplexobj(inner):                  # the diagonal of the factor is real
        inner = inner - 0.5 * diagonal_matrix(imaginary_part(diagonal_of(inner)))
    half = np.linalg.solve(H(y), inner)
    return dual(to_triangle(H(np.linalg.solve(H(y), H(half)))))


def push_cholesky(da, y):
    """The tangent of `y = numpy.linalg.cholesky(a)`."""
    inner = H(np.linalg.solve(y, H(np.linalg.solve(y, from_triangle(da)))))
    return y @ (np.tril(inner) - 0.5 * np.tril(np.triu(inner)))


# Inverses

def unpinv(d, a, y, hermitian=False):
    """The gradient of `a`, from that of `y = numpy.linalg.pinv(a)`, of matrices whose rank stays.

    Products are taken in an order in which those of tall matrices are small.
    """
    a, by = as_array(a), dual(as_array(d))
    whole = from_triangle(a) if hermitian else a
    left, right = H(by) @ (y @ H(y)), H(y) @ (y @ H(by))
    found = left - whole @ (y @ left) + right - right @ (y @ whole) - H(y) @ (by @ H(y))
    return cast(dual(to_triangle(found) if hermitian else found), a)


def push_pinv(da, a, y, hermitian=False):
    """The tangent of `y = numpy.linalg.pinv(a)`."""
    da, whole = (from_triangle(da), from_triangle(a)) if hermitian else (da, a)
    left, right = (y @ H(y)) @ H(da), (H(da) @ H(y)) @ y
    return left - (left @ whole) @ y + right - (y @ whole) @ right - (y @ da) @ y


def as_columns(b):
    return b[:, None] if np.ndim(b) == 1 else b


@for_real_numbers
def unlstsq(d, a, b, y):
    """The gradients of `a` and `b`, from that of `y = numpy.linalg.lstsq(a, b)`: (x, residuals, rank, singular values)."""
    b = as_array(b)
    x, bx = as_columns(y[0]), as_columns(dual(part(d, 0, y)))
    inverse = np.linalg.pinv(a)
    ba = dual(unpinv(dual(bx @ H(as_columns(b))), a, inverse))
    bb = H(inverse) @ bx
    bresiduals, bs = np.real(part(d, 1, y)), np.real(part(d, 3, y))
    if np.any(bresiduals):
        rest = 2 * (as_columns(b) - a @ x) * bresiduals
        ba, bb = ba - rest @ H(x), bb + rest
    if np.any(bs):
        u, _, vh = thin_svd(a)
        ba = ba + scaled(u, bs) @ vh
    return cast(dual(ba), a), cast(dual(np.reshape(bb, b.shape)), b)


@for_real_numbers
def push_lstsq(da, db, a, b, y):
    """The tangent of `y = numpy.linalg.lstsq(a, b)`."""
    inverse = np.linalg.pinv(a)
    rest = b - a @ y[0]
    dresidual = np.zeros_like(y[1])
    if np.size(y[1]):
        dresidual = dresidual + 2 * np.real(np.sum(dual(rest) * (db - da @ y[0]), axis=0))
    return push_pinv(da, a, inverse) @ b + inverse @ db, dresidual, 0, moved_values(da, *thin_svd(a))


def moved_values(da, u, s, vh):
    """The tangent of singular values."""
    return np.real(np.sum(dual(u) * (da @ H(vh)), axis=-2))


@for_real_numbers
def uncond(d, x, y, p=None):
    """The gradient of `x`, from that of `y = numpy.linalg.cond(x, p)`."""
    d = np.real(d)
    if p in (None, 2, -2):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        ends = (0, -1) if p != -2 else (-1, 0)
        weights = np.zeros_like(s)
        weights[..., ends[0]] += d / s[..., ends[1]]
        weights[..., ends[1]] -= d * y / s[..., ends[1]]
        return cast(dual(scaled(u, weights) @ vh), x)
    singular = np.isinf(y)[..., None, None]
    inverse = np.linalg.inv(np.where(singular, unit_matrix(x), x))
    norms = [np.linalg.norm(m, p, axis=(-2, -1)) for m in (x, inverse)]
    bx, binverse = (np.expand_dims(d * n, (-2, -1)) * matrix_slope_of(m, p) for m, n in ((x, norms[1]), (inverse, norms[0])))
    return cast(np.where(singular, np.nan, dual(bx - H(inverse) @ binverse @ H(inverse))), x)


@for_real_numbers
def push_cond(dx, x, y, p=None):
    """The tangent of `y = numpy.linalg.cond(x, p)`."""
    return np.real(np.sum(uncond.__wrapped__(np.ones_like(y), x, y, p) * dx, axis=(-2, -1)))
