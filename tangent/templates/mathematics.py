"""`math` and `cmath`: functions of Python's own numbers.

Where a derivative is infinite, `numpy.divide` gives inf; a plain `/` of two Python floats would raise.
"""
import math

from tangent.rules import constant, elementwise

elementwise('y = math.exp(x)', 'd[y] * y')
elementwise('y = math.expm1(x)', 'd[y] * (y + 1)')
elementwise('y = math.log(x)', 'd[y] / x')
elementwise('y = math.log1p(x)', 'd[y] / (1 + x)')
elementwise('y = math.log2(x)', 'd[y] / (x * math.log(2))')
elementwise('y = math.log10(x)', 'd[y] / (x * math.log(10))')
elementwise('y = math.sqrt(x)', 'numpy.divide(d[y], 2 * y)')
elementwise('z = math.pow(x, y)', 'd[z] * dpower_dx(x, y)', 'd[z] * dpower_dy(x, y, z)')

elementwise('y = math.sin(x)', 'd[y] * math.cos(x)')
elementwise('y = math.cos(x)', '-d[y] * math.sin(x)')
elementwise('y = math.tan(x)', 'd[y] * (1 + y * y)')
elementwise('y = math.asin(x)', 'numpy.divide(d[y], math.sqrt(1 - x * x))')
elementwise('y = math.acos(x)', '-numpy.divide(d[y], math.sqrt(1 - x * x))')
elementwise('y = math.atan(x)', 'd[y] / (1 + x * x)')
elementwise('z = math.atan2(y, x)', 'd[z] * darctan2(y, x)', '-d[z] * darctan2(x, y)')
elementwise('y = math.sinh(x)', 'd[y] * math.cosh(x)')
elementwise('y = math.cosh(x)', 'd[y] * math.sinh(x)')
elementwise('y = math.tanh(x)', 'd[y] * (1 - y * y)')
elementwise('y = math.asinh(x)', 'd[y] / math.sqrt(x * x + 1)')
elementwise('y = math.acosh(x)', 'numpy.divide(d[y], math.sqrt(x * x - 1))')
elementwise('y = math.atanh(x)', 'd[y] / (1 - x * x)')

elementwise('y = math.fabs(x)', 'd[y] * numpy.sign(x)')
elementwise('y = math.radians(x)', 'd[y] * (math.pi / 180)')
elementwise('y = math.degrees(x)', 'd[y] * (180 / math.pi)')
elementwise('z = math.copysign(x, y)', 'd[z] * numpy.sign(x) * math.copysign(1.0, y)', None)
elementwise('z = math.fmod(x, y)', 'd[z]', '-d[z] * math.trunc(x / y)')
elementwise('y = math.erf(x)', 'd[y] * (2 / math.sqrt(math.pi) * math.exp(-x * x))')
elementwise('y = math.erfc(x)', '-d[y] * (2 / math.sqrt(math.pi) * math.exp(-x * x))')

constant(math.floor, math.ceil, math.trunc, math.isnan, math.isinf, math.isfinite, math.isclose, math.gcd, math.comb,
         math.perm, math.factorial, math.isqrt)
