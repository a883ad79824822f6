"""NumPy's elementwise functions."""
from tangent.rules import elementwise

elementwise('z = numpy.add(x, y)', 'd[z]', 'd[z]')
elementwise('z = numpy.subtract(x, y)', 'd[z]', '-d[z]')
elementwise('z = numpy.multiply(x, y)', 'd[z] * y', 'd[z] * x')
elementwise('z = numpy.divide(x, y)', 'd[z] / y', '-d[z] * z / y')
elementwise('y = numpy.negative(x)', '-d[y]')
elementwise('y = numpy.positive(x)', 'd[y]')

elementwise('y = numpy.exp(x)', 'd[y] * y')
elementwise('y = numpy.log(x)', 'd[y] / x')
elementwise('y = numpy.sqrt(x)', 'd[y] / (2 * y)')
elementwise('y = numpy.square(x)', 'd[y] * (2 * x)')
elementwise('y = numpy.sin(x)', 'd[y] * numpy.cos(x)')
elementwise('y = numpy.cos(x)', '-d[y] * numpy.sin(x)')
elementwise('y = numpy.tanh(x)', 'd[y] * (1 - y * y)')
elementwise('y = numpy.abs(x)', 'd[y] * numpy.sign(x)')
elementwise('z = numpy.maximum(x, y)', 'd[z] * balanced_max(x, y)', 'd[z] * balanced_max(y, x)')
elementwise('z = numpy.minimum(x, y)', 'd[z] * balanced_max(y, x)', 'd[z] * balanced_max(x, y)')

