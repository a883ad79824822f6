"""Sums, means, extrema and other reductions over axes, and running sums and products."""
import numpy

from tangent.rules import linear, methods, reduction

linear('y = numpy.sum(a, axis=None, dtype=None, out=None, keepdims=False)',
       'unreduce_like(d[y], a, axis=axis, keepdims=keepdims)', shape='reduction')
linear('y = numpy.mean(a, axis=None, dtype=None, out=None, keepdims=False)',
       'unreduce_like(d[y], a, axis=axis, keepdims=keepdims) / array_size(a, axis=axis)', shape='reduction')
reduction('y = numpy.max(a, axis=None, out=None, keepdims=False)',
          'balanced_eq(a, numpy.max(a, axis=axis, keepdims=True), axis=axis)')

methods('sum mean max', numpy)
