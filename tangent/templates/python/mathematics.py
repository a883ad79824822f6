"""`math` and `cmath`: functions of Python's own numbers.

Where a derivative is infinite, `quotient` and `numpy.divide` give inf; a plain `/` of two Python floats would raise.
"""
import cmath
import math

from tangent.templates.language.declare import bilinear, constant, elementwise, general, linear

elementwise('y = math.exp(x)', 'd[y] * y')
elementwise('y = math.exp2(x)', 'd[y] * (y * math.log(2))')
elementwise('y = math.expm1(x)', 'd[y] * (y + 1)')
elementwise('y = math.log(x, base=None)', 'd[y] / (x * math.log(base))', '-d[y] * y / (base * math.log(base))')
elementwise('y = math.log(x, base=None)', 'd[y] / x', when='base is None')
elementwise('y = math.log1p(x)', 'd[y] / (1 + x)')
elementwise('y = math.log2(x)', 'd[y] / (x * math.log(2))')
elementwise('y = math.log10(x)', 'd[y] / (x * math.log(10))')
elementwise('y = math.sqrt(x)', 'quotient(d[y], 2 * y)')
elementwise('y = math.cbrt(x)', 'quotient(d[y], 3 * y * y)')

elementwise('y = math.sin(x)', 'd[y] * math.cos(x)')
elementwise('y = math.cos(x)', '-d[y] * math.sin(x)')
elementwise('y = math.tan(x)', 'd[y] * (1 + y * y)')
elementwise('y = math.asin(x)', 'quotient(d[y], math.sqrt(1 - x * x))')
elementwise('y = math.acos(x)', '-quotient(d[y], math.sqrt(1 - x * x))')
elementwise('y = math.atan(x)', 'd[y] / (1 + x * x)')
elementwise('z = math.atan2(y, x)', 'd[z] * by_squares(x, y)', '-d[z] * by_squares(y, x)')
elementwise('y = math.sinh(x)', 'd[y] * math.cosh(x)')
elementwise('y = math.cosh(x)', 'd[y] * math.sinh(x)')
elementwise('y = math.tanh(x)', 'd[y] * (1 - y * y)')
elementwise('y = math.asinh(x)', 'd[y] / math.hypot(x, 1)')
elementwise('y = math.acosh(x)', 'quotient(d[y], math.sqrt(x - 1) * math.sqrt(x + 1))')
elementwise('y = math.atanh(x)', 'd[y] / (1 - x * x)')
elementwise('y = math.hypot(*coordinates)', 'd[y] * safe_divide(coordinates[i], y)')

elementwise('y = math.fabs(x)', 'd[y] * sign(x)')
elementwise('y = math.radians(x)', 'd[y] * (math.pi / 180)')
elementwise('y = math.degrees(x)', 'd[y] * (180 / math.pi)')
elementwise('z = math.copysign(x, y)', 'd[z] * (sign(x) * math.copysign(1.0, y))')
elementwise('z = math.fmod(x, y)', 'd[z]', '-d[z] * numpy.trunc(x / y)')
elementwise('z = math.remainder(x, y)', 'd[z]', '-d[z] * numpy.round((x - z) / y)')
elementwise('z = math.ldexp(x, i)', 'd[z] * 2.0 ** i')
elementwise('y = math.erf(x)', 'd[y] * (2 / math.sqrt(math.pi) * math.exp(-x * x))')
elementwise('y = math.erfc(x)', '-d[y] * (2 / math.sqrt(math.pi) * math.exp(-x * x))')
elementwise('y = math.gamma(x)', 'd[y] * (y * digamma(x))')
elementwise('y = math.lgamma(x)', 'd[y] * digamma(x)')

linear('y = math.fsum(seq)', 'unsum(d[y], seq)')
bilinear('y = math.sumprod(p, q)', 'unarray(d[y] * numpy.asarray(q), p)', 'unarray(d[y] * numpy.asarray(p), q)')

elementwise('y = cmath.exp(x)', 'd[y] * y')
elementwise('y = cmath.log(x)', 'd[y] / x')
elementwise('y = cmath.log10(x)', 'd[y] / (x * math.log(10))')
elementwise('y = cmath.sqrt(x)', 'numpy.divide(d[y], 2 * y)')
elementwise('y = cmath.sin(x)', 'd[y] * cmath.cos(x)')
elementwise('y = cmath.cos(x)', '-d[y] * cmath.sin(x)')
elementwise('y = cmath.tan(x)', 'd[y] * (1 + y * y)')
elementwise('y = cmath.asin(x)', 'numpy.divide(d[y], cmath.sqrt(1 - x * x))')
elementwise('y = cmath.acos(x)', '-numpy.divide(d[y], cmath.sqrt(1 - x * x))')
elementwise('y = cmath.atan(x)', 'd[y] / (1 + x * x)')
elementwise('y = cmath.sinh(x)', 'd[y] * cmath.cosh(x)')
elementwise('y = cmath.cosh(x)', 'd[y] * cmath.sinh(x)')
elementwise('y = cmath.tanh(x)', 'd[y] * (1 - y * y)')
elementwise('y = cmath.asinh(x)', 'numpy.divide(d[y], cmath.sqrt(x * x + 1))')
elementwise('y = cmath.acosh(x)', 'numpy.divide(d[y], cmath.sqrt(x - 1) * cmath.sqrt(x + 1))')
elementwise('y = cmath.atanh(x)', 'd[y] / (1 - x * x)')

elementwise('z = math.nextafter(x, y)', 'd[z]')
general('y = math.modf(x)', 'd[y][0]', forward='(d[x], 0.0)')
general('y = math.frexp(x)', 'd[y][0] * 2.0 ** -y[1]', forward='(d[x] * 2.0 ** -y[1], 0)')
linear('y = cmath.phase(x)', 'unimag(d[y], x)')
general('y = cmath.polar(x)', 'unimag(d[y][1], x)', forward='(d[x], 0.0 * d[x])')
elementwise('y = cmath.rect(r, phi)', 'd[y] * cmath.rect(1.0, phi)', 'd[y] * (1j * y)')

constant(math.floor, math.ceil, math.trunc, math.isnan, math.isinf, math.isfinite, math.isclose, math.gcd, math.lcm,
         math.comb, math.perm, math.factorial, math.isqrt, math.ulp, cmath.isnan, cmath.isinf, cmath.isfinite,
         cmath.isclose)

# Methods of decimal.Decimal (see `runtime.functions.numbers`)
elementwise('y = decimal_sqrt(x, context=None)', 'd[y] / (2 * y)')
elementwise('y = decimal_exp(x, context=None)', 'd[y] * y')
elementwise('y = decimal_ln(x, context=None)', 'd[y] / x')
elementwise('y = decimal_log10(x, context=None)', 'd[y] / (x * decimal_ln(0 * x + 10))')
