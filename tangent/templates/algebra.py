"""Products of vectors, matrices and tensors, and linear algebra.

Ranks are not known when a derivative is made, so most products go through functions right for every rank.
"""
import numpy

from tangent.rules_trees import Written
from tangent.templates.declare import bilinear, constant, general, linear, method_of, reduction
from tangent.templates.einstein import operand

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
bilinear('z = numpy.cross(a, b)', 'unbroadcast(numpy.cross(b, d[z]), a)', 'unbroadcast(numpy.cross(d[z], a), b)')
bilinear('z = numpy.vecdot(x1, x2)', 'unbroadcast(numpy.expand_dims(d[z], -1) * x2, x1)',
         'unbroadcast(numpy.expand_dims(d[z], -1) * x1, x2)')
bilinear('z = numpy.convolve(a, v, mode="full")', 'unconvolve(d[z], a, v, mode=mode)',
         'unconvolve(d[z], v, a, mode=mode)')
bilinear('y = numpy.einsum(subscripts, *operands, optimize=False)', None, Written(operand, 'uneinsum unbroadcast numpy'),
         refuse=['subscripts'])
method_of(numpy.dot, 'dot')

reduction('y = numpy.linalg.norm(x, ord=None, axis=None, keepdims=False)', 'norm_slope(x, ord=ord, axis=axis)')
reduction('y = numpy.linalg.norm(x, ord=None, axis=None, keepdims=False)', 'safe_divide(x, y)',
          when='ord is None and axis is None and not keepdims')

INVERSE = 'numpy.swapaxes(y, -1, -2)'
general('y = numpy.linalg.inv(a)', f'-({INVERSE} @ d[y] @ {INVERSE})', forward='-(y @ d[a] @ y)', shape='a')
general('y = numpy.linalg.det(a)', 'undet(d[y], a)',
        forward='numpy.sum(d[a] * cofactors(a), axis=(-1, -2))')
general('y = numpy.linalg.slogdet(a)',
        'unslogdet(d[y][1], a)',
        forward='(numpy.zeros_like(y[0]), numpy.trace(numpy.linalg.solve(a, d[a]), axis1=-2, axis2=-1))')
general('y = numpy.linalg.solve(a, b)', 'unsolve(d[y], a, b, y)[0]', 'unsolve(d[y], a, b, y)[1]',
        forward='numpy.linalg.solve(a, d[b] - d[a] @ y)')
linear('y = numpy.linalg.trace(x)', 'untrace(d[y], x, axis1=-2, axis2=-1)')
general('y = numpy.linalg.cholesky(a)', 'uncholesky(d[y], y)', forward='push_cholesky(d[a], y)', shape='a')
general('y = numpy.linalg.matrix_power(a, n)', 'unmatrix_power(d[y], a, n)', forward='push_matrix_power(d[a], a, n)',
        shape='a')
bilinear('z = numpy.linalg.outer(x1, x2)', 'd[z] @ x2', 'x1 @ d[z]')

constant(numpy.linalg.matrix_rank)
