"""Products of vectors, matrices and tensors, and linear algebra."""
from tangent.rules import bilinear

bilinear('z = numpy.dot(a, b)', 'dot_left(d[z], a, b)', 'dot_right(d[z], a, b)')
bilinear('z = a.dot(b)', 'dot_left(d[z], a, b)', 'dot_right(d[z], a, b)')
bilinear('z = numpy.matmul(a, b)', 'matmul_left(d[z], a, b)', 'matmul_right(d[z], a, b)')
