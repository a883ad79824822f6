"""Products of vectors, matrices and tensors, and linear algebra.

Ranks are not known when a derivative is made, so most products go through functions right for every rank.
"""
import numpy

from tangent.frontend.quote import Written
from tangent.templates.language.declare import bilinear, constant, general, linear, reduction
from tangent.templates.numpy.einstein import operand, spelt

bilinear('z = numpy.dot(a, b)', 'dot_left(d[z], a, b)', 'dot_right(d[z], a, b)')
bilinear('z = numpy.matmul(x1, x2)', 'matmul_left(d[z], x1, x2)', 'matmul_right(d[z], x1, x2)')
bilinear('z = numpy.inner(a, b)', 'inner_left(d[z], a, b)', 'inner_right(d[z], a, b)')
bilinear('z = numpy.outer(a, b)', 'numpy.reshape(d[z] @ numpy.ravel(b), numpy.shape(a))',
         'numpy.reshape(numpy.ravel(a) @ d[z], numpy.shape(b))')
bilinear('z = numpy.vdot(a, b)', 'numpy.reshape(d[z] * numpy.ravel(b), numpy.shape(a))',
         'numpy.reshape(d[z] * numpy.ravel(a), numpy.shape(b))', shape='scalar')
bilinear('z = numpy.tensordot(a, b, axes=2)', 'tensordot_left(d[z], a, b, axes=axes)',
         'tensordot_right(d[z], a, b, axes=axes)')
bilinear('z = numpy.kron(a, b)', 'unkron(d[z], a, b, 0)', 'unkron(d[z], a, b, 1)')
CROSS = 'axisa=-1, axisb=-1, axisc=-1, axis=None'
bilinear(f'z = numpy.cross(a, b, {CROSS})', 'uncross(d[z], a, b, axisa, axisb, axisc, axis)[0]',
         'uncross(d[z], a, b, axisa, axisb, axisc, axis)[1]')
bilinear(f'z = numpy.cross(a, b, {CROSS})', 'cross_left(d[z], a, b)', 'cross_right(d[z], a, b)',
         when='axisa == axisb == axisc == -1 and axis is None')
bilinear('z = numpy.linalg.cross(x1, x2, axis=-1)', 'unbroadcast(numpy.cross(x2, d[z], -1, -1, -1, axis), x1)',
         'unbroadcast(numpy.cross(d[z], x1, -1, -1, -1, axis), x2)')
for vecdot in ['vecdot', 'linalg.vecdot']:
    bilinear(f'z = numpy.{vecdot}(x1, x2, axis=-1)', 'unbroadcast(numpy.expand_dims(d[z], axis) * x2, x1)',
             'unbroadcast(numpy.expand_dims(d[z], axis) * x1, x2)')
bilinear('z = numpy.matvec(x1, x2)', 'unmatvec(d[z], x1, x2)[0]', 'unmatvec(d[z], x1, x2)[1]')
bilinear('z = numpy.vecmat(x1, x2)', 'unvecmat(d[z], x1, x2)[0]', 'unvecmat(d[z], x1, x2)[1]')
bilinear('z = numpy.linalg.matmul(x1, x2)', 'matmul_left(d[z], x1, x2)', 'matmul_right(d[z], x1, x2)')
bilinear('z = numpy.linalg.tensordot(x1, x2, axes=2)', 'tensordot_left(d[z], x1, x2, axes=axes)',
         'tensordot_right(d[z], x1, x2, axes=axes)')
bilinear('z = numpy.convolve(a, v, mode="full")', 'unconvolve(d[z], a, v, mode=mode)',
         'unconvolve(d[z], v, a, mode=mode)')
bilinear('y = numpy.einsum(subscripts, *operands, optimize=False)', None, Written(operand, 'uneinsum unbroadcast numpy'),
         refuse=['subscripts'], prepare=spelt)
bilinear('z = a.dot(b)', 'dot_left(d[z], a, b)', 'dot_right(d[z], a, b)')       # sparse matrices have it, too

reduction('y = numpy.linalg.norm(x, ord=None, axis=None, keepdims=False)', 'norm_slope(x, ord=ord, axis=axis)')
reduction('y = numpy.linalg.norm(x, ord=None, axis=None, keepdims=False)', 'safe_divide(x, y)',
          when='ord is None and axis is None and not keepdims')

INVERSE = 'numpy.swapaxes(y, -1, -2)'
general('y = numpy.linalg.inv(a)', f'-({INVERSE} @ d[y] @ {INVERSE})', forward='-(y @ d[a] @ y)', shape='a')
general('y = numpy.linalg.det(a)', 'undet(d[y], a)',
        forward='numpy.sum(d[a] * cofactors(a), axis=(-1, -2))')
general('y = numpy.linalg.slogdet(a)',
        'unslogdet(d[y][1], a)',
        forward='push_sign_and_logdet(d[a], a)')
general('y = numpy.linalg.solve(a, b)', 'unsolve(d[y], a, b, y)[0]', 'unsolve(d[y], a, b, y)[1]',
        forward='numpy.linalg.solve(a, d[b] - d[a] @ y)')
linear('y = numpy.linalg.trace(x, offset=0)', 'untrace(d[y], x, offset=offset, axis1=-2, axis2=-1)')
linear('y = numpy.linalg.diagonal(x, offset=0)', 'undiagonal(d[y], x, offset=offset, axis1=-2, axis2=-1)')
linear('y = numpy.linalg.matrix_transpose(x)', 'numpy.swapaxes(d[y], -1, -2)')
CHOLESKY = 'y = numpy.linalg.cholesky(a, upper=False)'
LOWER, PUSH_LOWER = 'uncholesky(d[y], y)', 'push_cholesky(d[a], y)'
UPPER = 'numpy.swapaxes(uncholesky(numpy.swapaxes(d[y], -1, -2), numpy.swapaxes(y, -1, -2)), -1, -2)'
PUSH_UPPER = 'numpy.swapaxes(push_cholesky(numpy.swapaxes(d[a], -1, -2), numpy.swapaxes(y, -1, -2)), -1, -2)'
general(CHOLESKY, f'{UPPER} if upper else {LOWER}', forward=f'{PUSH_UPPER} if upper else {PUSH_LOWER}', shape='a')
general(CHOLESKY, LOWER, forward=PUSH_LOWER, when='not upper')
general(CHOLESKY, UPPER, forward=PUSH_UPPER, when='upper')
general('y = numpy.linalg.matrix_power(a, n)', 'unmatrix_power(d[y], a, n)', forward='push_matrix_power(d[a], a, n)',
        shape='a')
bilinear('z = numpy.linalg.outer(x1, x2)', 'd[z] @ x2', 'x1 @ d[z]')

# Norms under their newer names, condition numbers

general('y = numpy.linalg.vector_norm(x, axis=None, keepdims=False, ord=2)',
        'unreduce_like(d[y], x, axis=axis, keepdims=keepdims) * vector_slope(x, ord, axis)',
        forward='numpy.sum(d[x] * vector_slope(x, ord, axis), axis=axis, keepdims=keepdims)', shape='reduction')
general('y = numpy.linalg.matrix_norm(x, keepdims=False, ord="fro")',
        'unreduce_like(d[y], x, axis=(-2, -1), keepdims=keepdims) * matrix_slope(x, ord)',
        forward='numpy.sum(d[x] * matrix_slope(x, ord), axis=(-2, -1), keepdims=keepdims)')
general('y = numpy.linalg.cond(x, p=None)', 'uncond(d[y], x, y, p=p)', forward='push_cond(d[x], x, y, p=p)')

# Eigenvalues, singular values, factors

general('y = numpy.linalg.eigh(a, UPLO="L")', 'uneigh(d[y], y, UPLO in ("U", "u"))',
        forward='push_eigh(d[a], y, UPLO in ("U", "u"))')
general('y = numpy.linalg.eigh(a, UPLO="L")', 'uneigh(d[y], y)', forward='push_eigh(d[a], y)', when='UPLO == "L"')
general('y = numpy.linalg.eigvalsh(a, UPLO="L")', 'uneigvalsh(d[y], a, UPLO=UPLO)', forward='push_eigvalsh(d[a], a, UPLO=UPLO)')
general('y = numpy.linalg.eig(a)', 'uneig(d[y], a, y)', forward='push_eig(d[a], y)')
general('y = numpy.linalg.eigvals(a)', 'uneigvals(d[y], a)', forward='push_eig(d[a], numpy.linalg.eig(a))[0]')
SVD = 'y = numpy.linalg.svd(a, full_matrices=True, compute_uv=True, hermitian=False)'
BOTH, PUSH_BOTH = 'unsvd(d[y], a, y, hermitian=hermitian)', 'push_svd(d[a], a, y, hermitian=hermitian)'
VALUES, PUSH_VALUES = 'unsvdvals(d[y], a, hermitian=hermitian)', 'push_svdvals(d[a], a, hermitian=hermitian)'
general(SVD, f'{BOTH} if compute_uv else {VALUES}', forward=f'{PUSH_BOTH} if compute_uv else {PUSH_VALUES}')
general(SVD, BOTH, forward=PUSH_BOTH, when='compute_uv')
general(SVD, VALUES, forward=PUSH_VALUES, when='not compute_uv')
general('y = numpy.linalg.svdvals(x)', 'unsvdvals(d[y], x)', forward='push_svdvals(d[x], x)')
general('y = numpy.linalg.qr(a, mode="reduced")', 'unqr(d[y], a, y, mode=mode)', forward='push_qr(d[a], a, y, mode=mode)')
general('y = numpy.linalg.pinv(a, rcond=None, hermitian=False, rtol=None)', 'unpinv(d[y], a, y, hermitian=hermitian)',
        forward='push_pinv(d[a], a, y, hermitian=hermitian)')
general('y = numpy.linalg.lstsq(a, b, rcond=None)', 'unlstsq(d[y], a, b, y)[0]', 'unlstsq(d[y], a, b, y)[1]',
        forward='push_lstsq(d[a], d[b], a, b, y)')

# Several factors, several axes

general('y = numpy.linalg.multi_dot(arrays, out=None)', 'unmulti_dot(d[y], arrays)',
        forward='push_multi_dot(d[arrays], arrays)')

constant(numpy.linalg.matrix_rank)
