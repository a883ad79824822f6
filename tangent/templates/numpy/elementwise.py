"""NumPy's elementwise functions. Terms are written with the result where that saves a transcendental function."""

from tangent.templates.language.declare import elementwise, general, linear, only

elementwise('z = numpy.add(x, y)', 'd[z]', 'd[z]', gives='same')
elementwise('z = numpy.subtract(x, y)', 'd[z]', '-d[z]', gives='same')
elementwise('z = numpy.multiply(x, y)', 'd[z] * y', 'd[z] * x', gives='same')
elementwise('z = numpy.divide(x, y)', 'd[z] / y', '-d[z] * z / y')
elementwise('z = numpy.remainder(x, y)', 'd[z]', '-d[z] * numpy.floor(x / y)', gives='same')
elementwise('z = numpy.fmod(x, y)', 'd[z]', '-d[z] * numpy.trunc(x / y)', gives='same')
elementwise('z = numpy.float_power(x, y)', 'd[z] * dpower_dx(x, y)', 'd[z] * dpower_dy(x, y, z)',
            pushed=[None, 'null_times(d[z], dpower_dy(x, y, z))'])
elementwise('y = numpy.negative(x)', '-d[y]', gives='same')
elementwise('y = numpy.positive(x)', 'd[y]', gives='same')
elementwise('y = numpy.square(x)', '2 * d[y] * x', gives='same')
elementwise('y = numpy.reciprocal(x)', '-d[y] * y * y')
elementwise('y = numpy.sqrt(x)', 'd[y] / (2 * y)')
elementwise('y = numpy.cbrt(x)', 'd[y] / (3 * y * y)')

elementwise('y = numpy.exp(x)', 'd[y] * y')
elementwise('y = numpy.exp2(x)', 'd[y] * (y * math.log(2))')
elementwise('y = numpy.expm1(x)', 'd[y] * (y + 1)')
elementwise('y = numpy.log(x)', 'd[y] / x')
elementwise('y = numpy.log2(x)', 'd[y] / (x * math.log(2))')
elementwise('y = numpy.log10(x)', 'd[y] / (x * math.log(10))')
elementwise('y = numpy.log1p(x)', 'd[y] / (1 + x)')
elementwise('z = numpy.logaddexp(x, y)', 'd[z] * numpy.exp(x - z)', 'd[z] * numpy.exp(y - z)')
elementwise('z = numpy.logaddexp2(x, y)', 'd[z] * numpy.exp2(x - z)', 'd[z] * numpy.exp2(y - z)')

elementwise('y = numpy.sin(x)', 'd[y] * numpy.cos(x)')
elementwise('y = numpy.cos(x)', '-d[y] * numpy.sin(x)')
elementwise('y = numpy.tan(x)', 'd[y] * (1 + y * y)')
elementwise('y = numpy.arcsin(x)', 'd[y] / numpy.sqrt(1 - x * x)')
elementwise('y = numpy.arccos(x)', '-d[y] / numpy.sqrt(1 - x * x)')
elementwise('y = numpy.arctan(x)', 'd[y] / (1 + x * x)')
elementwise('z = numpy.arctan2(y, x)', 'd[z] * by_squares(x, y)', '-d[z] * by_squares(y, x)')
elementwise('z = by_squares(x, y)', 'd[z] * (by_squares(y, x) ** 2 - z * z)', '-2 * d[z] * z * by_squares(y, x)')
elementwise('z = numpy.hypot(x, y)', 'd[z] * safe_divide(x, z)', 'd[z] * safe_divide(y, z)')
elementwise('y = numpy.sinh(x)', 'd[y] * numpy.cosh(x)')
elementwise('y = numpy.cosh(x)', 'd[y] * numpy.sinh(x)')
elementwise('y = numpy.tanh(x)', 'd[y] * (1 - y * y)')
elementwise('y = numpy.arcsinh(x)', 'd[y] / numpy.hypot(x, 1)')
elementwise('y = numpy.arccosh(x)', 'd[y] / (numpy.sqrt(x - 1) * numpy.sqrt(x + 1))')
elementwise('y = numpy.arctanh(x)', 'd[y] / (1 - x * x)')
elementwise('y = numpy.sinc(x)', 'd[y] * sinc_slope(x)')
elementwise('y = sinc_slope(x, n=1)', 'd[y] * sinc_slope(x, n + 1)')
for degrees in ['deg2rad', 'radians']:
    elementwise(f'y = numpy.{degrees}(x)', 'd[y] * (numpy.pi / 180)')
for radians in ['rad2deg', 'degrees']:
    elementwise(f'y = numpy.{radians}(x)', 'd[y] * (180 / numpy.pi)')

elementwise('y = numpy.abs(x)', 'd[y] * sign(x)', gives='real')
elementwise('y = numpy.fabs(x)', 'd[y] * sign(x)')
elementwise('z = numpy.copysign(x, y)', 'd[z] * (sign(x) * numpy.copysign(1.0, y))')
elementwise('z = numpy.heaviside(x, y)', None, 'd[z] * (x == 0)')
elementwise('y = numpy.nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None)', 'd[y] * numpy.isfinite(x)',
            prepare=only('numpy.nan_to_num', copy=True), gives='same', pushed=['null_times(numpy.isfinite(x), d[y])'])
NOT_NAN = ['null_times(balanced_eq(x, z, y), d[z])', 'null_times(balanced_eq(y, z, x), d[z])']
elementwise('y = numpy.ldexp(x, n)', 'numpy.ldexp(d[y], n)')
for extreme, pushed in [('maximum', []), ('minimum', []), ('fmax', NOT_NAN), ('fmin', NOT_NAN)]:
    elementwise(f'z = numpy.{extreme}(x, y)', 'd[z] * balanced_eq(x, z, y)', 'd[z] * balanced_eq(y, z, x)',
                gives='same', pushed=pushed)
elementwise('z = numpy.where(condition, x, y)', None, 'numpy.where(condition, d[z], 0)',
            'numpy.where(condition, 0, d[z])', gives='same')
for clip, low, high in [('numpy.clip(a, a_min=None, a_max=None, out=None)', 'a_min', 'a_max'),
                        ('a.clip(min=None, max=None, out=None)', 'min', 'max')]:
    elementwise(f'y = {clip}', 'd[y] * (a == y)', f'd[y] * ((a < {low}) & (y == {low}))',
                f'd[y] * ((a != {high}) & (y == {high}))', elementwise=False)      # as a method it has one argument less

elementwise('y = numpy.i0(x)', 'd[y] * bessel(x, 1)')
elementwise('y = bessel(x, order)', 'd[y] * ((bessel(x, order - 1) + bessel(x, order + 1)) / 2)')
linear('y = numpy.real_if_close(a, tol=100)', 'unbroadcast(d[y], a)', shape='a')

# Functions with several results, the neighbours of a number, functions that leave the real line where they must

general('y = numpy.modf(x)', 'unbroadcast(d[y][0], x)', forward='(d[x], numpy.zeros_like(d[x]))')
general('y = numpy.frexp(x)', 'unbroadcast(d[y][0] * 2.0 ** -y[1], x)', forward='(d[x] * 2.0 ** -y[1], numpy.zeros_like(d[x]))')
for divmod, x, y in [('numpy.divmod(x1, x2)', 'x1', 'x2')]:
    general(f'z = {divmod}', f'unbroadcast(d[z][1], {x})', f'unbroadcast(-d[z][1] * z[0], {y})',
            forward=f'(0.0 * z[0], d[{x}] - d[{y}] * z[0])')
elementwise('z = numpy.nextafter(x1, x2)', 'd[z]')
elementwise('y = numpy.emath.sqrt(x)', 'd[y] / (2 * y)')
elementwise('y = numpy.emath.log(x)', 'd[y] / x')
elementwise('y = numpy.emath.log2(x)', 'd[y] / (x * math.log(2))')
elementwise('y = numpy.emath.log10(x)', 'd[y] / (x * math.log(10))')
elementwise('y = numpy.emath.logn(n, x)', '-d[y] * y / (n * numpy.emath.log(n))', 'd[y] / (x * numpy.emath.log(n))')
elementwise('y = numpy.emath.power(x, p)', 'd[y] * (p * numpy.emath.power(x, p - 1))', 'd[y] * (y * numpy.emath.log(x))')
elementwise('y = numpy.emath.arcsin(x)', 'd[y] / numpy.cos(y)')
elementwise('y = numpy.emath.arccos(x)', '-d[y] / numpy.sin(y)')
elementwise('y = numpy.emath.arctanh(x)', 'd[y] / (1 - x * x)')

linear('y = numpy.real(val)', 'unreal(d[y], val)', shape='val')
linear('y = numpy.imag(val)', 'unimag(d[y], val)', shape='val')
linear('y = numpy.conj(x)', 'unreal(d[y], x)', shape='x', elementwise=True, gives='same', view='x')
general('y = numpy.angle(z, deg=False)', 'unimag(d[y], z)', forward='0.0 * d[z]', shape='z')
linear('y = x.real', 'unreal(d[y], x)', shape='x')
linear('y = x.imag', 'unimag(d[y], x)', shape='x')
for conjugate in 'conj', 'conjugate':                   # of real numbers an array gives itself, as `numpy.conj` does not
    linear(f'y = x.{conjugate}()', 'unreal(d[y], x)', shape='x', elementwise=True, gives='same', view='x',
           forward='conjugate_beside(d[x], x, y)')
linear('y = complex(real, imag=0)', 'd[y].real', 'd[y].imag')

# Samples move with the location and scale they are drawn for.
elementwise('y = numpy.random.normal(loc=0.0, scale=1.0, size=None)', 'd[y]', 'd[y] * (y - loc) / scale', elementwise=False)
elementwise('y = numpy.random.uniform(low=0.0, high=1.0, size=None)', 'd[y] * (high - y) / (high - low)',
            'd[y] * (y - low) / (high - low)', elementwise=False)
