"""Functions through which no gradient flows: shapes, comparisons, indices, creation from a shape, input and output."""
import numpy

from tangent.rules import constant

constant(print, len, range, int, bool, str, isinstance, id, type)
constant(numpy.shape, numpy.argmax, numpy.zeros, numpy.ones, numpy.zeros_like, numpy.ones_like, numpy.arange)
constant('x.shape', 'x.ndim', 'x.size', 'x.dtype', 'x.argmax()')
