"""Calls that exercise every rule of the tables, on variables of a fixed pool (see `pool`)."""
import math
import re

import numpy

from tests.corpora.samples.rule_samples_more import MORE, REFERENCES  # noqa: F401 (for others)


def pool(dtype=float):
    """Named arguments by domain: the letters are shapes and ranges, not roles."""
    rng = numpy.random.default_rng(7)

    def draw(*shape, low=-2.0, high=2.0):
        return rng.uniform(low, high, shape).astype(dtype)

    return {
        's': 0.7, 'r': 1.9, 'n': -1.3,                                 # Python numbers
        'v': draw(3), 'w': draw(3), 'a4': draw(4), 'a5': draw(5), 'c1': draw(1), 'a2': draw(2), 'G': draw(2, 4),
        'M': draw(2, 3), 'M2': draw(2, 3), 'N': draw(3, 4), 'C': draw(2, 1), 'S': draw(3, 3),
        'T': draw(2, 3, 4), 'U': draw(2, 4, 3), 'B': draw(2, 3, 3),
        'p': draw(3, low=0.5, high=2), 'P': draw(2, 3, low=0.5, high=2),     # positive
        'u': draw(3, low=-0.9, high=0.9), 'g': draw(3, low=1.1, high=3),     # inside (-1, 1), above 1
        'Z': numpy.array([[0.0, 2, 3], [4, 0, 0]], dtype), 'k': numpy.array([True, False, True]),
        'zero': numpy.array(0.5, dtype), 'spd': (lambda a: a @ a.T + 3 * numpy.eye(3, dtype=dtype))(draw(3, 3)),
        'idx': numpy.array([0, 2, 0]), 'grid': numpy.array([0.0, 1.0, 2.5, 4.0], dtype),
        'W': numpy.array([[True, False, True], [True, True, False]]), 'grid2': numpy.array([0.0, 0.5, 1.5, 2.0, 4.0], dtype),
        'G4': draw(4, 3), 'N4': draw(4, 2), 'I4': draw(2, 3, 2, 3), 'J4': draw(2, 2, 3, 3), 'K4': draw(6, 2, 3), 'B3': draw(3, 3, 2),
        'q4': numpy.array([1.0, -4.0, 1.5, 2.0], dtype), 'g4': numpy.array([0.1, 0.9, 1.4, 2.2], dtype),
    }


UNARY = {
    'v': '''exp exp2 expm1 sin cos tan arctan sinh cosh tanh arcsinh sinc square negative positive reciprocal abs fabs
            deg2rad radians rad2deg degrees cbrt nan_to_num real imag conj''',
    'p': 'log log2 log10 log1p sqrt arccosh_ angle',
    'u': 'arcsin arccos arctanh',
    'g': 'arccosh',
}
SAMPLES = [f'numpy.{name}({x})' for x, names in UNARY.items() for name in names.split() if not name.endswith('_')]

MATH = {
    's': '''exp exp2 expm1 log log1p log2 log10 sqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh atanh fabs
            radians degrees erf erfc gamma lgamma''',
    'r': 'acosh exp cbrt', 'n': 'gamma fabs',
}
SAMPLES += [f'math.{name}({x})' for x, names in MATH.items() for name in names.split()]

BINARY = '''add subtract multiply divide arctan2 hypot maximum minimum fmax fmin logaddexp logaddexp2 remainder fmod
            copysign'''
SAMPLES += [f'numpy.{name}({x})' for name in BINARY.split() for x in ('v, w', 'M, v', 's, M', 'C, M2', 'zero, v')]

SAMPLES += '''
x + y; x - y; x * y; x / y; x % y
'''.replace('x', 'M').replace('y', 'v').split(';')
SAMPLES += [f'{x} {op} {y}' for op in ('+', '-', '*', '/') for x, y in (('s', 'r'), ('C', 'M'), ('s', 'M'), ('M', 's'))]
SAMPLES += '''
-v; +v; -s; abs(v); abs(n); float(s); float(zero); sum(v); sum(M); sum([s, r]); sum((s, r), n); sum([v, w])
max(s, r); max(s, r, n); max([s, r]); max(v); min(s, r); min(s, r, n); min([s, n, r]); min(v); complex(s, r)
p ** 2; p ** 3; p ** 0.5; p ** -1; v ** 2; v ** -2; s ** 3; s ** 0.5; p ** 1; p ** 0; p ** v; s ** r; P ** p; p ** s; s ** p
pow(s, r); pow(p, 2); math.pow(s, r); math.pow(s, 3); numpy.power(p, v); numpy.power(v, 2); numpy.power(P, 0.5)
operator.pow(s, r); numpy.float_power(p, v); numpy.float_power(p, 3)
math.log(r, 3.0); math.log(r, s); math.hypot(s, r); math.hypot(s, r, n); math.atan2(s, n); math.copysign(s, n)
math.fmod(r, s); math.remainder(r, s); math.ldexp(s, 3); math.fsum([s, r]); math.fsum(v); math.sumprod([s, r], [r, n])
numpy.clip(v, -0.5, 0.5); numpy.clip(v, s, None); numpy.clip(v, None, s); numpy.clip(M, v, 1.5); v.clip(-0.5, 0.5); v.clip(min=s)
numpy.clip(v, r, s)
numpy.where(k, v, w); numpy.where(k, M, s); numpy.where(k, s, v); numpy.heaviside(v, w); numpy.ldexp(v, 2)
v.real; v.imag; v.conj(); v.conjugate(); numpy.angle(p); numpy.angle(n, True)
'''.replace('\n', ';').split(';')

REDUCTIONS = 'sum mean prod max min amax amin var std median nansum nanmean nanmax nanmin ptp'
WAYS = ['', ', axis=0', ', axis=1, keepdims=True', ', keepdims=True', ', axis=-1', ', axis=(0, 2)', ', axis=None']
SAMPLES += [f'numpy.{name}(T{way})' for name in REDUCTIONS.split() for way in WAYS]
SAMPLES += [f'numpy.{name}(v)' for name in REDUCTIONS.split()]
SAMPLES += [f'T.{name}({way[2:]})' for name in 'sum mean prod max min var std'.split() for way in WAYS[:4]]
SAMPLES += '''
numpy.prod(Z); numpy.prod(Z, axis=0); numpy.prod(Z, 1); numpy.var(T, ddof=1); numpy.std(T, axis=1, ddof=1)
numpy.var(T, axis=(0, 1), ddof=1, keepdims=True); numpy.median(N, axis=1); numpy.median(N); numpy.median(N, axis=0)
numpy.average(T); numpy.average(T, axis=1); numpy.average(M, axis=1, weights=p); numpy.average(M, weights=P)
numpy.average(M, axis=0, weights=P); numpy.average(v, weights=p)
numpy.cumsum(T); numpy.cumsum(T, axis=1); numpy.cumsum(v); numpy.cumprod(T); numpy.cumprod(T, axis=1); numpy.cumprod(Z)
numpy.cumprod(Z, axis=1); M.cumsum(); M.cumprod(axis=0); numpy.sum(M, 0, float, None, True); numpy.sum(s); numpy.sum([s, r])
numpy.mean([s, r, n]); numpy.max([s, r]); numpy.nanvar(T); numpy.nanvar(T, axis=1, ddof=1); numpy.nanstd(T, axis=(0, 2))
numpy.nanstd(M, keepdims=True); numpy.trapezoid(v); numpy.trapezoid(T, dx=s, axis=1); numpy.trapezoid(v, w); numpy.trapezoid(M, v)
numpy.trapezoid(T, v, axis=-2); numpy.trapezoid(M, M2, 1.0, 1); numpy.trapezoid(M, axis=0); numpy.add.reduce(T)
numpy.add.reduce(T, axis=(0, 1), keepdims=True); numpy.add.reduce(T, None); numpy.multiply.reduce(T, 1); numpy.multiply.reduce(Z)
numpy.maximum.reduce(T); numpy.minimum.reduce(T, axis=-1); numpy.maximum.reduce(T, axis=None); numpy.logaddexp.reduce(T)
numpy.logaddexp.reduce(T, axis=1, keepdims=True); numpy.add.accumulate(T); numpy.add.accumulate(T, axis=2); numpy.multiply.accumulate(Z)
numpy.multiply.accumulate(T, 1); numpy.add.outer(M, v); numpy.add.outer(s, v); numpy.subtract.outer(v, M); numpy.multiply.outer(M, v)
numpy.multiply.outer(s, M); numpy.multiply.outer(M, s); numpy.nansum(T, axis=1); numpy.nanmean(Z)
'''.replace('\n', ';').split(';')

SAMPLES += '''
numpy.reshape(M, (3, 2)); numpy.reshape(M, (3, 2), order="F"); numpy.reshape(M, -1); M.reshape(3, 2); M.reshape((3, 2))
M.reshape(3, 2, order="F"); M.ravel(); numpy.ravel(M); numpy.ravel(M, "F"); M.flatten(); M.flatten("F"); numpy.expand_dims(M, 1)
numpy.squeeze(C); numpy.squeeze(C, axis=1); C.squeeze(); numpy.atleast_1d(s); numpy.atleast_2d(v); numpy.atleast_3d(M)
numpy.transpose(M); numpy.transpose(T, (1, 2, 0)); numpy.transpose(T, (0, -1, 1)); T.transpose(); T.transpose(1, 2, 0)
T.transpose((2, 0, 1)); T.T; T.mT; numpy.matrix_transpose(T); numpy.permute_dims(T, (1, 2, 0)); numpy.permute_dims(T)
numpy.swapaxes(T, 0, 2); T.swapaxes(0, 1); numpy.moveaxis(T, 0, 2); numpy.moveaxis(T, (0, 1), (1, 2)); numpy.rollaxis(T, 2)
numpy.rollaxis(T, 0, 3); numpy.rollaxis(T, 1, -1); numpy.flip(T); numpy.flip(T, axis=1); numpy.fliplr(M); numpy.flipud(M)
numpy.roll(M, 1); numpy.roll(M, 1, axis=1); numpy.roll(M, (1, 2), axis=(0, 1)); numpy.rot90(M); numpy.rot90(T, 2, (1, 2))
numpy.concatenate([v, w]); numpy.concatenate((M, C), axis=1); numpy.concatenate([M, M2], axis=None)
numpy.append(v, w); numpy.append(M, s); numpy.append(M, M2, axis=0); numpy.append(M, C, axis=-1)
numpy.stack([v, w]); numpy.stack([M, M2], axis=1); numpy.stack((M, M2), axis=-1); numpy.hstack([v, w]); numpy.hstack((M, C))
numpy.hstack([s, v]); numpy.vstack([v, M]); numpy.vstack((v, w)); numpy.dstack([v, w]); numpy.dstack([M, M2])
numpy.column_stack([v, w]); numpy.column_stack([N, v]); numpy.split(T, 2); numpy.split(T, [1, 3], axis=2)
numpy.array_split(a5, 2); numpy.array_split(T, 3, axis=2); numpy.hsplit(T, 3); numpy.hsplit(a4, 2); numpy.vsplit(T, 2)
numpy.dsplit(T, 2); numpy.unstack(T); numpy.unstack(T, axis=1)
numpy.broadcast_to(v, (2, 3)); numpy.broadcast_to(C, (4, 2, 3)); numpy.broadcast_to(s, (2,)); numpy.tile(v, 2)
numpy.tile(M, (2, 1, 3)); numpy.tile(T, 2); numpy.repeat(M, 2); numpy.repeat(M, 2, axis=1); numpy.repeat(M, (1, 2, 0), axis=1)
M.repeat(3, axis=0); numpy.pad(M, 1); numpy.pad(M, ((1, 2), (0, 1))); numpy.pad(v, (1, 2)); numpy.pad(M, 1, "edge")
numpy.pad(M, ((1, 1), (2, 1)), "reflect"); numpy.pad(v, 2, mode="wrap"); numpy.pad(v, 2, constant_values=7)
numpy.full((2, 3), s); numpy.full((2, 3), v); numpy.full_like(M, s); numpy.linspace(s, r, 5); numpy.linspace(s, r, 5, False)
numpy.linspace(v, w, 4); numpy.linspace(s, r); numpy.arange(s, 5, r); numpy.arange(s, 3); numpy.arange(r)
numpy.diag(v); numpy.diag(S); numpy.diag(M, 1); numpy.diag(v, -1); numpy.diagflat(M, 1); numpy.diagonal(T); M.diagonal(1)
numpy.diagonal(T, 1, 0, 2); numpy.diagonal(M, -1); numpy.trace(S); numpy.trace(T, 1, 1, 2); S.trace(); numpy.tril(M)
numpy.triu(S, 1); numpy.tril(T, -1); numpy.take(M, idx); numpy.take(M, idx, axis=1); M.take(idx, axis=-1); numpy.take(v, 1)
numpy.take_along_axis(M, numpy.array([[2, 2, 0], [1, 0, 1]]), axis=1); numpy.take_along_axis(M, numpy.array([4, 1]), None)
numpy.compress(k, M, axis=1); numpy.extract(k, v); numpy.diff(v); numpy.diff(M, 2); numpy.diff(M, axis=0)
numpy.diff(T, 2, 1); numpy.ediff1d(M); numpy.sort(v); numpy.sort(M, axis=0); numpy.sort(M, axis=None); numpy.sort(M, kind="stable")
numpy.interp(r, grid, a4); numpy.interp(p, grid, a4); numpy.interp(s, grid, a4)
numpy.array(v); numpy.array([s, r]); numpy.array([[s, r], [n, 2.0]]); numpy.array([v, w]); numpy.asarray(M); numpy.asarray([s, r])
numpy.asanyarray(v); numpy.ascontiguousarray(M); numpy.asfortranarray(M); numpy.array(v, dtype=int); numpy.copy(M); M.copy()
numpy.float64(s); numpy.complex128(s); M.astype(float); M.astype(int); numpy.astype(M, float); c1.item(); M.item(1, 2); M.item(4); v.tolist()
numpy.array((v, w), dtype=float); numpy.array(v, ndmin=3); numpy.array([s, r], ndmin=2); numpy.delete(M, 1); numpy.delete(M, [0, 2], axis=1)
numpy.delete(v, k); numpy.select([k, ~k], [v, w]); numpy.select([v > 0, w > 0], [M, s], r); numpy.select([k], [v], w)
numpy.meshgrid(v, a4); numpy.meshgrid(v, a4, indexing="ij"); numpy.meshgrid(v, a4, w); numpy.meshgrid(v)
numpy.vander(v); numpy.vander(v, 5); numpy.vander(v, 4, increasing=True)

'''.replace('\n', ';').split(';')

RANKS = ['v, w', 'M, N', 'M, v', 'v, N', 'T, U', 'T, a4', 'U, N', 'v, B', 'M, B']
SAMPLES += [f'numpy.{name}({x})' for name in ('dot', 'matmul') for x in RANKS]
SAMPLES += '''
M @ N; M @ v; v @ N; v @ w; B @ B; T @ U; M @ B; B @ N; v @ B; B @ v; numpy.dot(s, M); numpy.dot(M, s); numpy.dot(s, r)
M.dot(N); M.dot(v); numpy.dot(v, B); numpy.dot(B, S)
numpy.inner(v, w); numpy.inner(M, v); numpy.inner(M, M2); numpy.inner(s, M); numpy.inner(T, a4); numpy.inner(v, M)
numpy.outer(v, a4); numpy.outer(M, a4); numpy.outer(s, v); numpy.linalg.outer(v, a4); numpy.vdot(v, w); numpy.vdot(M, M2)
numpy.tensordot(M, N, 1); numpy.tensordot(T, T, 3); numpy.tensordot(T, U, ([2, 1], [1, 2])); numpy.tensordot(M, N, axes=([1], [0]))
numpy.tensordot(v, w, 0); numpy.tensordot(T, M, ([0, 1], [0, 1])); numpy.tensordot(T, M, ((1, 0), (1, 0))); numpy.tensordot(M, M2)
numpy.tensordot(T, M, (1, 1)); numpy.tensordot(T, U, ([1, 2], [2, -2]))
numpy.kron(M, N); numpy.kron(v, M); numpy.kron(M, v); numpy.cross(v, w); numpy.cross(S, v); numpy.vecdot(M, v); numpy.vecdot(v, M)
numpy.convolve(v, a5); numpy.convolve(a5, v, "same"); numpy.convolve(a5, v, "valid"); numpy.convolve(v, a5, "valid")
numpy.convolve(v, a4, "same"); numpy.convolve(a4, v, "same"); numpy.convolve(v, a5, "same")
numpy.einsum("ij,jk->ik", M, N); numpy.einsum("ij,jk->ik", M, N, optimize=True); numpy.einsum("ij,jk", M, N); numpy.einsum("ii->i", S); numpy.einsum("ii", S); numpy.einsum("ij->", M)
numpy.einsum("ij->j", M); numpy.einsum("ij,ij->i", M, M2); numpy.einsum("...ij,...jk->...ik", T, U); numpy.einsum("i,j->ij", v, w)
numpy.einsum("ij,ij->ij", C, M); numpy.einsum("...i,i->...", T, a4); numpy.einsum("ij,kj,k->i", M, M2, numpy.ones(2))
numpy.einsum("...i,...i", M, v); numpy.einsum("ii,ij->j", S, S); numpy.einsum("ji", M); numpy.einsum("bij,bjk->bik", T, U)
numpy.linalg.norm(v); numpy.linalg.norm(M); numpy.linalg.norm(T, axis=1); numpy.linalg.norm(M, axis=1, keepdims=True); numpy.linalg.norm(v, 1)
numpy.linalg.norm(v, 3); numpy.linalg.norm(M, "fro"); numpy.linalg.norm(M, "nuc"); numpy.linalg.norm(M, 2)
numpy.linalg.norm(M, 1); numpy.linalg.norm(M, -2); numpy.linalg.norm(T, ord=1, axis=2); numpy.linalg.norm(T, ord=2, axis=(0, 2)); numpy.linalg.norm(T)
numpy.linalg.inv(S); numpy.linalg.inv(B); numpy.linalg.det(S); numpy.linalg.det(B); numpy.linalg.slogdet(S); numpy.linalg.slogdet(B); numpy.linalg.solve(S, v); numpy.linalg.solve(S, N)
numpy.linalg.solve(B, N); numpy.linalg.solve(B, B); numpy.linalg.trace(B); numpy.linalg.matrix_power(S, 3); numpy.linalg.matrix_power(B, 2)
numpy.linalg.matrix_power(S, -2); numpy.linalg.matrix_power(S, 0); numpy.linalg.matrix_power(S, 1)
'''.replace('\n', ';').split(';')

SAMPLES += '''
unbroadcast(M, v); unbroadcast(v, M); astype(M, v); copy(M); unreduce_like(v, M, axis=0); unreduce_like(C, M, 1, True); unreduce_like(s, M)
add_grad(M, M2); safe_divide(v, w); safe_divide(s, M); dpower_dx(p, v); dpower_dx(s, r); dpower_dy(p, v, w); dpower_dy(s, r, n)
dot_left(s, v, w); dot_right(s, v, w); dot_left(G, M, N); dot_right(G, M, N); dot_left(a2, M, v); dot_right(a2, M, v); dot_left(a4, v, N)
dot_right(a4, v, N); matmul_left(G, M, N); matmul_right(G, M, N); matmul_left(a2, M, v); matmul_right(a2, M, v); matmul_left(a4, v, N)
matmul_right(a4, v, N); matmul_left(B, B, B); matmul_right(B, B, B); uncumsum(v, w); uncumsum(M, M2, axis=1)
untranspose(T, (1, 2, 0)); untranspose(T, (0, -1, 1)); unarray(M, M2); untake(M, S, [0, 2], 0); untake(C, M, [1], axis=1); undiagonal(a2, M)
centred(M); centred(M, axis=1); nancentred(M); nancentred(T, axis=(0, 2)); unreal(M, v); unsort(M, M2); unsort(M, M2, axis=0); check_dims(v, w); check_dims(s, r)
'''.replace('\n', ';').split(';')


def exists(text):
    """Whether this version of Python and of NumPy has the function."""
    return all(hasattr({'math': math, 'numpy': numpy}[module], name)
               for module, name in re.findall(r'(math|numpy)\.(\w+)', text))


SAMPLES = [s.strip() for s in SAMPLES + MORE if s.strip() and exists(s)]

HOLOMORPHIC = [f'cmath.{name}(z)' for name in '''exp log log10 sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh
               atanh'''.split()]
