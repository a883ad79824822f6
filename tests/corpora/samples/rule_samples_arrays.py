"""Samples of functions that move elements, and of products and linear algebra; see `rule_samples_made`."""
import itertools
import zlib

import numpy as np

from tests.corpora.samples.rule_samples_made import made
from tests.tools.sampling import Sample

# text: shapes of a (and of b, c)
SHAPING = '''
numpy.reshape(a, (3, 2)): 6, 2 3, 3 2, 1 6
numpy.reshape(a, -1, order="F"): 6, 2 3, 2 1 3
numpy.reshape(a, (-1, 1)): 3, 2 3, 0
a.reshape(-1): 3, 2 3, 2 1 3, 0
a.reshape((1, -1)): 3, 2 3
a.reshape(a.size, 1, order="F"): 3, 2 3
numpy.ravel(a): , 3, 2 3, 2 0
a.ravel("F"): 3, 2 3, 2 3 2
a.flatten(): 3, 2 3
numpy.squeeze(a): 1, 2 1, 1 2 1, 1 1
numpy.squeeze(a, axis=1): 2 1, 2 1 3
numpy.expand_dims(a, 0): , 3, 2 3
numpy.expand_dims(a, (0, -1)): 3, 2 3
a[None]: 3, 2 3
numpy.lib.stride_tricks.sliding_window_view(a, 2): 3, 5
numpy.lib.stride_tricks.sliding_window_view(a, (2, 2)): 3 4, 2 2
numpy.lib.stride_tricks.sliding_window_view(a, 2, axis=-1): 2 3, 4
numpy.lib.stride_tricks.sliding_window_view(a, (2, 3), axis=(1, 1)): 2 5
numpy.lib.stride_tricks.as_strided(a, (3, 3), (a.strides[0], a.strides[0])): 5, 7
numpy.lib.stride_tricks.as_strided(a, strides=a.strides): 2 3, 4
a[..., None]: 3, 2 3
numpy.atleast_1d(a): , 3, 2 3
numpy.atleast_2d(a): , 3, 2 3
numpy.atleast_3d(a): , 3, 2 3, 2 3 2
numpy.transpose(a): 3, 2 3, 2 3 4
a.T: 3, 2 3, 2 3 4
a.mT: 2 3, 2 3 4
numpy.transpose(a, (1, 0)): 2 3, 1 3
numpy.transpose(a, (2, 0, 1)): 2 3 4
a.transpose(-1, 0, 1): 2 3 4
numpy.permute_dims(a, (1, 0)): 2 3
numpy.swapaxes(a, 0, -1): 3, 2 3, 2 3 4
numpy.moveaxis(a, 0, -1): 3, 2 3, 2 3 4
numpy.moveaxis(a, [0, 1], [-1, -2]): 2 3, 2 3 4
numpy.rollaxis(a, -1): 2 3, 2 3 4
numpy.flip(a): 3, 2 3, 2 3 4, 0
numpy.flip(a, 0): 3, 2 3
numpy.flip(a, (0, 1)): 2 3, 2 3 4
numpy.fliplr(a): 2 3, 2 3 4
numpy.flipud(a): 3, 2 3
numpy.rot90(a): 2 3, 3 3
numpy.rot90(a, k=3): 2 3, 2 3 2
numpy.rot90(a, 2, axes=(1, 0)): 2 3
numpy.roll(a, 1): 3, 2 3, 0
numpy.roll(a, -2, axis=-1): 3, 2 3
numpy.roll(a, (1, 2), axis=(0, 1)): 2 3, 2 3 2
numpy.concatenate([a, a]): 3, 2 3
numpy.concatenate((a, 2 * a), axis=-1): 3, 2 3, 2 3 2
numpy.concat([a, a[:1]]): 3, 2 3
numpy.stack([a, a * a]): , 3, 2 3
numpy.stack((a, a), axis=-1): , 3, 2 3
numpy.vstack([a, a]): 3, 2 3
numpy.hstack([a, a]): , 3, 2 3
numpy.dstack([a, a]): 3, 2 3
numpy.column_stack((a, a)): 3, 2 3
numpy.append(a, a): , 3, 2 3
numpy.append(a, a, axis=0): 3, 2 3
numpy.block([[a, a], [a, a]]): 2 3, 1 1
numpy.split(a, 2)[1]: 4, 2 3
numpy.split(a, [1, 2], axis=-1): 3, 2 3
numpy.array_split(a, 2, axis=-1): 3, 2 3
numpy.hsplit(a, [1]): 3, 2 3
numpy.vsplit(a, 2)[0]: 2 3, 4 1
numpy.dsplit(a, 2): 2 3 4
numpy.unstack(a): 3, 2 3
numpy.unstack(a, axis=-1): 3, 2 3
numpy.tile(a, 2): , 3, 2 3
numpy.tile(a, (2, 1, 2)): 3, 2 3
numpy.repeat(a, 2): , 3, 2 3
numpy.repeat(a, 3, axis=-1): 3, 2 3
numpy.repeat(a, [1, 0, 2], axis=0): 3, 3 2
numpy.broadcast_to(a, (2, 3)): , 3, 2 1, 1 3
numpy.broadcast_to(a, (4, 2, 3)): 3, 2 3, 2 1
numpy.broadcast_arrays(a, a[:1]): 3, 2 3
numpy.pad(a, 1): 3, 2 3
numpy.pad(a, (1, 2), mode="edge"): 3, 2 3
numpy.pad(a, 2, mode="reflect"): 3, 3 3
numpy.pad(a, 2, mode="symmetric"): 3, 2 3
numpy.pad(a, 2, mode="wrap"): 3, 2 3
numpy.pad(a, 2, mode="mean"): 3, 2 3
numpy.pad(a, 2, mode="median"): 3, 2 3
numpy.pad(a, 2, mode="maximum", stat_length=2): 3, 2 3
numpy.pad(a, 2, mode="linear_ramp", end_values=0.5): 3, 2 3
numpy.pad(a, (2, 1), "reflect", reflect_type="odd"): 3, 3 3
numpy.diag(a): 3, 3 3, 2 3
numpy.diag(a, 1): 3, 3 3, 2 3
numpy.diag(a, -1): 3, 3 3, 2 3
numpy.diagflat(a): 3, 2 3
numpy.diagonal(a): 3 3, 2 3, 2 3 2
numpy.diagonal(a, offset=1, axis1=0, axis2=-1): 2 3, 2 3 2
numpy.trace(a): 3 3, 2 3, 2 3 2
numpy.trace(a, offset=-1): 3 3, 2 3
numpy.tril(a): 3 3, 2 3, 2 3 3
numpy.triu(a, k=1): 3 3, 2 3, 2 3 3
numpy.take(a, [0, 1, 0]): 3, 2 3
numpy.take(a, [[0, 1], [1, 1]], axis=0): 3, 2 3
numpy.take(a, 1, axis=-1): 3, 2 3
numpy.take(a, [0, 7], mode="wrap"): 3, 2 3
numpy.take(a, [-4, 7], axis=0, mode="clip"): 3, 2 3
numpy.take_along_axis(a, numpy.array([[0], [1]]), axis=1): 2 3
numpy.compress([True, False, True], a): 3, 2 3
numpy.compress([False, True], a, axis=0): 2 3
numpy.extract(a > 0, a): 3, 2 3
numpy.delete(a, 1): 3, 2 3
numpy.delete(a, [0, 1], axis=-1): 3, 2 3
numpy.delete(a, slice(0, 2), axis=0): 3, 3 2
numpy.insert(a, 1, 2.5): 3, 2 3
numpy.insert(a, [0, 2], a[0], axis=0): 2 2
numpy.resize(a, (3, 3)): 3, 2 3
numpy.choose([0, 1, 1], [a, 2 * a]): 3, 2 3
numpy.ix_(a, [1.0, 2.0])[0]: 3
numpy.meshgrid(a, a): 3
numpy.meshgrid(a, a, indexing="ij", sparse=True): 3
numpy.vander(a): 3
numpy.vander(a, 4, increasing=True): 3
numpy.diff(a): 3, 2 3
numpy.diff(a, n=2, axis=-1): 3, 2 3
numpy.diff(a, axis=0, prepend=0.5): 3, 2 3
numpy.ediff1d(a): 3, 2 3
numpy.gradient(a): 3, 3 3
numpy.gradient(a, 0.5, axis=0): 3, 3 2
numpy.gradient(a, edge_order=2): 3, 4 3
numpy.unwrap(a): 5, 2 3
numpy.trapezoid(a): 3, 2 3
numpy.trapezoid(a, dx=0.5, axis=0): 3, 2 3
numpy.trapezoid(a, [0.0, 1.0, 3.0]): 3, 2 3
numpy.interp(a, [-3.0, 0.0, 1.0, 3.0], [0.0, 1.0, -1.0, 2.0]): , 3, 2 3
numpy.interp(0.4, [-3.0, 0.0, 3.0], a): 3
numpy.interp([0.4, -1.0, 9.0], [-3.0, 0.0, 3.0], a): 3
numpy.array(a): , 3, 2 3
numpy.array([a, a]): , 3, 2 3
numpy.array(a, ndmin=2): , 3
numpy.asarray(a): , 3, 2 3
numpy.copy(a): , 3, 2 3
a.astype(float): , 3, 2 3
a.copy(): 3, 2 3
a.item(1): 3, 2 3
a.tolist(): 3, 2 3
numpy.full_like(a, 2.0) * a: 3
numpy.ones_like(a) * a + numpy.zeros_like(a): 3
numpy.nan_to_num(a, posinf=3.0): 3
numpy.linspace(a, 2 * a, 4): , 3
numpy.geomspace(abs(a) + 1, 5.0, 3): , 3
numpy.logspace(a, 1.0, 3): , 3
numpy.apply_along_axis(numpy.sum, 0, a): 3, 2 3
numpy.apply_along_axis(lambda t: t * t, -1, a): 3, 2 3
numpy.apply_over_axes(numpy.sum, a, [0]): 2 3
numpy.cov(a): 3, 2 3
numpy.cov(a, bias=True, rowvar=False): 3 2
numpy.corrcoef(a): 2 4
numpy.bincount([0, 1, 1], weights=a): 3
numpy.histogram([0.1, 0.5, 0.9], 2, (0, 1), weights=a)[0]: 3
numpy.poly(a): 3
numpy.polyval(a, 0.7): 3, 1
numpy.polyval([1.0, 2.0, -1.0], a): , 3, 2 3
numpy.polyder(a): 4
numpy.polyint(a, 2): 3
numpy.polyadd(a, a[:2]): 3
numpy.polymul(a, a[1:]): 3
numpy.polydiv(a, a[:2])[0]: 4
numpy.polyfit([0.0, 1.0, 2.0, 4.0], a, 1): 4
numpy.convolve(a, a): 3
numpy.convolve(a, [1.0, 2.0], "same"): 3
numpy.correlate(a, a[1:], "valid"): 3
numpy.polynomial.polynomial.polyval(a, [1.0, 2.0, 3.0]): , 3, 2 3
numpy.polynomial.polynomial.polyval(0.5, a): 3
numpy.polynomial.polynomial.polymul(a, a): 3
numpy.polynomial.polynomial.polyadd(a, a[1:]): 3
numpy.polynomial.polynomial.polysub(a, a[1:]): 3
numpy.polynomial.polynomial.polymulx(a): 3
numpy.polynomial.polynomial.polydiv(a, a[1:])[0]: 4
numpy.polynomial.polynomial.polydiv(a, [1.0, 0.5]): 4
numpy.polynomial.polynomial.polyder(a): 3
numpy.polynomial.polynomial.polyint(a): 3
numpy.polynomial.polynomial.polypow(a, 2): 3
numpy.polynomial.polynomial.polyfromroots(a): 3
numpy.polynomial.polynomial.polyvander(a, 3): 3
numpy.polynomial.polynomial.polyroots(numpy.array([2.0, -3.0, 1.0]) + 0.01 * a): 3
numpy.polynomial.polynomial.polyfit([0.0, 1.0, 2.0, 4.0], a, 1): 4
numpy.polynomial.chebyshev.chebval(a, [1.0, 2.0, 3.0]): , 3
numpy.polynomial.chebyshev.chebval(0.3, a): 3
numpy.polynomial.legendre.legval(a, [1.0, 2.0, 3.0]): , 3
numpy.polynomial.hermite.hermval(a, [1.0, 2.0, 3.0]): 3
numpy.polynomial.hermite_e.hermeval(a, [1.0, 2.0, 3.0]): 3
numpy.polynomial.laguerre.lagval(a, [1.0, 2.0, 3.0]): 3
a[0]: 3, 2 3
a[-1]: 3, 2 3
a[::2]: 3, 3 2
a[::-1]: 3, 3 2
a[1:, :1]: 3 2
a[..., 1]: 3, 2 3
a[[0, 0, 1]]: 3, 2 3
a[[0, 1], [1, 0]]: 2 2, 2 3
a[a > 0]: 3, 2 3
a[:, [0, 1]]: 2 3
a[numpy.ix_([0, 1], [1, 0])]: 2 3
a[:, None] * a: 3
a[[True, False, True]]: 3
a[1, numpy.array([0, 1])]: 2 3
a[numpy.array([[0], [1]]), [0, 1]]: 2 3
a[a.shape[0] - 1]: 3, 2 3
a[()] * 1.0: 3
'''


def draw(text, shapes, **more):
    """Samples of a line `text: shapes`, of one array called a."""
    for shape in shapes.split(','):
        yield made(text, a=tuple(map(int, shape.split())), **more)


ONCE = ('numpy.apply_', 'numpy.piecewise',         # functions that take functions: in the log form, which is not derived again
        'numpy.polydiv', 'numpy.polynomial.polynomial.polydiv')                   # whose second derivative is not written down

def shaping():
    """Functions that move elements, and others of one array."""
    for line in SHAPING.strip().splitlines():
        text, _, shapes = line.rpartition(': ') if not line.endswith(':') else (line[:-1], '', '')
        yield from draw(text, shapes, twice=not text.startswith(ONCE))


PRODUCTS = {
    'numpy.dot(a, b)': '3|3, 2 3|3, 3|3 2, 2 3|3 2, |3, 3|, |, 2 3 4|4 2, 2 3|4 3 2, 2 2 3|3, 1 3|3 1',
    'numpy.matmul(a, b)': '3|3, 2 3|3, 3|3 2, 2 3|3 2, 2 3 4|2 4 3, 2 3|4 3 2, 1 2 3|4 3 2, 3|2 3 2, 2 4 3|3, 2 1 2 3|3 3 2, 2 0|0 3',
    'a @ b': '3|3, 2 3|3, 3|3 2, 2 3|3 2, 2 3 4|2 4 3, 4 2 3|3 2, 1 3|3 1, 0 3|3 2',
    'numpy.inner(a, b)': '3|3, 2 3|3, 2 3|4 3, |2 3, 2 3|, 2 2 3|3',
    'numpy.outer(a, b)': '3|2, 2 2|3, |3, 3|',
    'numpy.vdot(a, b)': '3|3, 2 3|2 3',
    'numpy.tensordot(a, b, 1)': '3|3, 2 3|3 2, 2 3|3, 2 3 4|4 2',
    'numpy.tensordot(a, b, 0)': '3|2, 2 2|3',
    'numpy.tensordot(a, b)': '2 3|2 3, 2 3 4|3 4, 2 3 4|3 4 2',
    'numpy.tensordot(a, b, ([0], [1]))': '3 2|2 3, 3 2 2|2 3',
    'numpy.tensordot(a, b, [[1, 0], [0, 1]])': '2 3|3 2, 2 3 2|3 2 4',
    'numpy.kron(a, b)': '2|3, 2 3|2 2, 3|2 3, 2 3|3, 2 1 2|3 2',
    'numpy.cross(a, b)': '3|3, 2 3|3, 2 3|2 3, 4 1 3|2 3',
    'numpy.vecdot(a, b)': '3|3, 2 3|3, 2 3|2 3, 2 1 3|4 3',
    'numpy.matvec(a, b)': '2 3|3, 4 2 3|3, 4 2 3|4 3',
    'numpy.vecmat(a, b)': '2|2 3, 4 2|2 3, 4 2|4 2 3',
    'numpy.linalg.cross(a, b)': '3|3, 2 3|2 3',
    'numpy.linalg.vecdot(a, b)': '3|3, 2 3|2 3',
    'numpy.linalg.matmul(a, b)': '2 3|3 2, 2 2 3|3 2',
    'numpy.linalg.outer(a, b)': '3|2, 2|3',
    'numpy.linalg.tensordot(a, b, axes=1)': '2 3|3 2',
    'numpy.linalg.multi_dot([a, b, a])': '3 2|2 3, 2 2|2 2',
    'numpy.linalg.multi_dot([a, b])': '3 2|2 3, 3|3 2, 3|3',
    'numpy.convolve(a, b)': '3|2, 2|4, 1|3',
    'numpy.convolve(a, b, "same")': '4|2, 2|4, 3|3',
    'numpy.convolve(a, b, "valid")': '4|2, 2|4, 3|3',
    'numpy.correlate(a, b)': '4|2, 2|4, 3|3',
    'numpy.correlate(a, b, "full")': '4|2, 2|4',
    'numpy.correlate(a, b, "same")': '4|2, 2|4',
    'numpy.einsum("ij,jk->ik", a, b)': '2 3|3 2, 1 3|3 1',
    'numpy.einsum("ij,j", a, b)': '2 3|3',
    'numpy.einsum("ij,ij->", a, b)': '2 3|2 3',
    'numpy.einsum("i,j->ji", a, b)': '2|3',
    'numpy.einsum("...i,...i->...", a, b)': '3|3, 2 3|3, 2 3|2 3, 2 1 3|4 3',
    'numpy.einsum("...ij,jk", a, b)': '2 3|3 2, 2 2 3|3 2',
    'numpy.einsum("ii,i->i", a, b)': '3 3|3',
    'numpy.einsum("i,ij,j", a, b, a)': '3|3 3',
    'numpy.einsum("ij,kj->ik", a, b, optimize=True)': '2 3|4 3',
    'numpy.einsum(a, [0, 1], b, [1, 2], [0, 2])': '2 3|3 2',
    'numpy.einsum(a, [0, 1], b, [1])': '2 3|3',
    'numpy.concatenate([a, b])': '3|2, 2 3|1 3, 0|3',
    'numpy.concatenate([a, b], axis=1)': '2 3|2 1',
    'numpy.hstack([a, b])': '3|2, 2 3|2 1',
    'numpy.vstack([a, b])': '3|3, 2 3|3',
    'numpy.append(a, b)': '3|2, 2 3|, |3',
    'numpy.where(a > 0, a, b)': '3|3, 2 3|3, 3|, |3, 2 1|3',
    'numpy.meshgrid(a, b)': '3|2',
    'numpy.cov(a, b)': '4|4, 2 4|4',
    'numpy.trapezoid(a, b)': '4|4, 2 4|4, 2 4|2 4',
    'numpy.average(a, weights=b * b + 1)': '3|3, 2 3|2 3',
    'numpy.average(a, 1, b * b + 1)': '2 3|3, 2 3 2|3',
    'numpy.polyval(a, b)': '3|, 3|2, 3|2 2',
    'numpy.linspace(a, b, 4)': '|, 3|3, 3|, 2 3|3',
    'numpy.clip(a, b, b + 1)': '3|3, 2 3|3, 3|',
    'numpy.insert(a, 1, b)': '3|, 3|2',
    'numpy.full_like(a, b) * a': '3|, 2 3|3',
    'numpy.select([a > 0, b > 0], [a, b], a * b)': '3|3, 2 3|3',
    'numpy.interp(b, numpy.cumsum(a * a + 0.1), a)': '4|3, 4|',
}


def products():
    """Functions of two arrays."""
    for text, pairs in PRODUCTS.items():
        for pair in pairs.split(','):
            a, b = (tuple(map(int, part.split())) for part in pair.split('|'))
            yield made(text, a=a, b=b)


MATRICES = {                       # of matrices that are far from singular
    'square': '''inv(a); det(a); slogdet(a); slogdet(a)[1]; solve(a, b); matrix_power(a, 3); matrix_power(a, -2)
        matrix_power(a, 0); eigvals(a); eig(a); eig(a)[0]; qr(a); qr(a)[1]; qr(a, mode="r"); pinv(a); cond(a); cond(a, 1); cond(a, "fro"); trace(a)
        svd(a); svd(a)[1]; svdvals(a); svd(a, compute_uv=False); norm(a, 2, axis=(-2, -1)); norm(a, "nuc", axis=(-2, -1)); matrix_norm(a)
        matrix_norm(a, ord=2); diagonal(a); matrix_transpose(a); tensorsolve(a, a[..., 0]) if a.ndim == 2 else a''',
    'symmetric': '''eigh(a); eigh(a, UPLO="U"); eigh(a)[0]; eigvalsh(a); eigvalsh(a, UPLO="U"); cholesky(a); cholesky(a, upper=True)
        eigh(a @ a); inv(a); pinv(a, hermitian=True); svd(a, hermitian=True)[1]''',
    'tall': '''qr(a); svd(a, full_matrices=False); pinv(a); svdvals(a); norm(a); norm(a, 2); norm(a, 1); norm(a, -1); norm(a, numpy.inf)
        norm(a, -numpy.inf); norm(a, "nuc"); norm(a, -2); norm(a, "fro"); norm(a, axis=0); norm(a, 1, axis=1); norm(a, 3, axis=0, keepdims=True)
        norm(a, 0, axis=0); norm(a, numpy.inf, axis=1); vector_norm(a, ord=1); vector_norm(a, ord=3, axis=0); lstsq(a, b, rcond=None)
        lstsq(a, b, rcond=None)[0]; cond(a); matrix_norm(a, ord="nuc"); matrix_norm(a, ord=1, keepdims=True)''',
    'wide': 'qr(a); svd(a, full_matrices=False); pinv(a); svdvals(a); norm(a, 2); cond(a); lstsq(a, b, rcond=None)[0]',
}


def matrices():
    """Linear algebra."""
    for kind, texts in MATRICES.items():
        for text in texts.replace('\n', ';').split(';'):
            for shape in {'square': [(2, 2), (3, 3), (2, 3, 3), (1, 1)], 'symmetric': [(2, 2), (3, 3), (2, 3, 3)],
                          'tall': [(4, 3), (3, 2)], 'wide': [(3, 4), (2, 3)]}[kind]:
                rng = np.random.default_rng(zlib.crc32(f'{text}{shape}'.encode()))
                a = rng.uniform(-1, 1, shape)
                if kind in ('square', 'symmetric'):
                    a = a + np.diag(np.arange(2.0, 2 + shape[-1]))
                if kind == 'symmetric':
                    a = a @ np.swapaxes(a, -1, -2)
                b = rng.uniform(-1, 1, (*shape[:-2], shape[-2], 2) if len(shape) > 2 else shape[-2])
                yield Sample(f'numpy.linalg.{text.strip()}', {'a': a, 'b': b}, exact=1e-11, smooth=1e-5)


FOURIER = '''fft(a); fft(a, n=5); fft(a, 2); fft(a, axis=0); fft(a, norm="ortho"); ifft(a); ifft(a, 4, norm="forward"); rfft(a); rfft(a, 5)
    irfft(a); irfft(a, 3); irfft(a, axis=0); hfft(a); hfft(a, 5); ihfft(a); fftshift(a); ifftshift(a)'''
FOURIER_2 = '''fft2(a); ifft2(a); rfft2(a); irfft2(a); fftn(a); ifftn(a); rfftn(a); irfftn(a); fftn(a, (2, 5)); rfft2(a, norm="ortho")
    irfftn(a, (3, 4)); fftshift(a, axes=1); rfft2(a, axes=(1, 0)); ifftn(a, axes=(0,))'''


def fourier():
    """Fourier transforms."""
    for text, shape in itertools.product(FOURIER.replace('\n', ';').split(';'), [(3,), (4,), (2, 3), (3, 2, 4)]):
        yield made(f'numpy.fft.{text.strip()}', a=shape)
    for text, shape in itertools.product(FOURIER_2.replace('\n', ';').split(';'), [(2, 3), (3, 4), (2, 3, 4)]):
        yield made(f'numpy.fft.{text.strip()}', a=shape)
