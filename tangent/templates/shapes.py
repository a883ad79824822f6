"""Functions that move elements: reshaping, transposing, joining, splitting, padding."""
from tangent.rules import linear

linear('y = numpy.reshape(a, shape, order="C")', 'numpy.reshape(d[y], numpy.shape(a), order=order)')
linear('y = numpy.transpose(a, axes=None)', 'untranspose(d[y], axes)')
linear('y = numpy.transpose(a, axes=None)', 'numpy.transpose(d[y])', when='axes is None')
linear('y = a.T', 'd[y].T')
linear('y = a.reshape(*shape, order="C")', 'numpy.reshape(d[y], numpy.shape(a), order=order)')
linear('y = a.transpose(*axes)', 'untranspose(d[y], axes)')
linear('y = a.transpose(*axes)', 'd[y].T', when='axes == ()')
linear('y = numpy.concatenate(arrays, axis=0)', 'unconcatenate(d[y], arrays, axis=axis)')
linear('y = numpy.array(object)', 'unarray(d[y], object)')
