"""Functions of numbers of other libraries: `mpmath`, `sympy`, `uncertainties.umath`, in their own arithmetic.

The same derivatives are said for each; a library lacks those functions that it does not have.
"""
import importlib
import sys

from tangent.templates.language.declare import constant, elementwise, linear

COMMON = '''
sin         {M}.cos(x)
cos         -{M}.sin(x)
tan         1 + y * y
sec         y * {M}.tan(x)
csc         -y * {M}.cot(x)
cot         -(1 + y * y)
asin        1 / {M}.sqrt(1 - x * x)
acos        -1 / {M}.sqrt(1 - x * x)
atan        1 / (1 + x * x)
sinh        {M}.cosh(x)
cosh        {M}.sinh(x)
tanh        1 - y * y
asinh       1 / {M}.sqrt(x * x + 1)
acosh       1 / ({M}.sqrt(x - 1) * {M}.sqrt(x + 1))
atanh       1 / (1 - x * x)
exp         y
expm1       y + 1
ln          1 / x
log1p       1 / (1 + x)
sqrt        1 / (2 * y)
cbrt        1 / (3 * y * y)
erf         2 / {M}.sqrt({M}.pi) * {M}.exp(-x * x)
erfc        -2 / {M}.sqrt({M}.pi) * {M}.exp(-x * x)
erfi        2 / {M}.sqrt({M}.pi) * {M}.exp(x * x)
digamma     {PSI}(1, x)
'''
OF_MPMATH = '''
log10       1 / (x * mpmath.log(10))
gamma       y * mpmath.digamma(x)
factorial   y * mpmath.digamma(x + 1)
rgamma      -y * mpmath.digamma(x)
loggamma    mpmath.digamma(x)
lambertw    1 / (x + mpmath.exp(y))
fabs        mpmath.sign(x)
ellipk      (mpmath.ellipe(x) / (1 - x) - y) / (2 * x)
ellipe      (y - mpmath.ellipk(x)) / (2 * x)
ei          mpmath.exp(x) / x
e1          -mpmath.exp(-x) / x
si          mpmath.sin(x) / x
ci          mpmath.cos(x) / x
'''
OF_SYMPY = '''
gamma       y * sympy.polygamma(0, x)
loggamma    sympy.polygamma(0, x)
LambertW    1 / (x + sympy.exp(y))
Abs         sympy.sign(x)
factorial   y * sympy.polygamma(0, x + 1)
'''
OF_UMATH = '''
log10       1 / (x * math.log(10))
fabs        sign(x)
gamma       y * digamma(x)
lgamma      digamma(x)
degrees     180 / math.pi
radians     math.pi / 180
'''


def declare(module, table, **more):
    found = importlib.import_module(module)
    for line in table.strip().splitlines():
        name, slope = line.split(None, 1)
        if hasattr(found, name):
            slope = slope.format(M=module, **more)
            elementwise(f'y = {module}.{name}(x)', f'd[y] * ({slope})')


def of_mpmath():
    declare('mpmath', COMMON, PSI='mpmath.psi')
    declare('mpmath', OF_MPMATH)
    elementwise('y = mpmath.log(x, b=None)', 'd[y] / (x * mpmath.log(b))', '-d[y] * y / (b * mpmath.log(b))')
    elementwise('y = mpmath.log(x, b=None)', 'd[y] / x', when='b is None')
    elementwise('z = mpmath.power(x, y)', 'd[z] * y * x ** (y - 1)', 'd[z] * z * mpmath.log(x)')
    elementwise('z = mpmath.atan2(y, x)', 'd[z] * x / (x * x + y * y)', '-d[z] * y / (x * x + y * y)')
    elementwise('z = mpmath.hypot(x, y)', 'd[z] * x / z', 'd[z] * y / z')
    elementwise('y = mpmath.zeta(s, a=1, derivative=0)', 'd[y] * mpmath.zeta(s, a, derivative + 1)', refuse=['a'])
    elementwise('y = mpmath.psi(n, x)', None, 'd[y] * mpmath.psi(n + 1, x)')
    for name, sign, middle in [('besselj', '', '-'), ('bessely', '', '-'), ('besseli', '', '+'), ('besselk', '-', '+')]:
        f = f'mpmath.{name}'
        elementwise(f'y = {f}(n, x)', None, f'{sign}d[y] * ({f}(n - 1, x) {middle} {f}(n + 1, x)) / 2', refuse=['n'])
    elementwise('y = mpmath.beta(a, b)', 'd[y] * y * (mpmath.digamma(a) - mpmath.digamma(a + b))',
                'd[y] * y * (mpmath.digamma(b) - mpmath.digamma(a + b))')
    elementwise('y = mpmath.mpf(x)', 'd[y]')
    elementwise('y = mpmath.mpmathify(x)', 'd[y]')
    linear('y = mpmath.fsum(terms)', '[d[y]] * len(terms)')
    found = sys.modules['mpmath']
    constant(*(getattr(found, n) for n in '''
        floor ceil nint sign isnan isinf isfinite nstr workdps workprec almosteq'''.split()))


def of_sympy():
    declare('sympy', COMMON, PSI='sympy.polygamma')
    declare('sympy', OF_SYMPY)
    elementwise('y = sympy.log(x, b=None)', 'd[y] / (x * sympy.log(b))', '-d[y] * y / (b * sympy.log(b))')
    elementwise('y = sympy.log(x, b=None)', 'd[y] / x', when='b is None')
    elementwise('z = sympy.atan2(y, x)', 'd[z] * x / (x * x + y * y)', '-d[z] * y / (x * x + y * y)')
    elementwise('z = sympy.Pow(x, y)', 'd[z] * y * x ** (y - 1)', 'd[z] * z * sympy.log(x)')
    elementwise('z = sympy.Max(*args)', 'd[z] * largest(args, i, 1)')
    elementwise('z = sympy.Min(*args)', 'd[z] * largest(args, i, -1)')
    constant('largest(x)')
    elementwise('y = sympy.polygamma(n, x)', None, 'd[y] * sympy.polygamma(n + 1, x)', refuse=['n'])
    found = sys.modules['sympy']
    constant(found.sign, found.Integer, found.Rational, found.Symbol, found.floor, found.ceiling, found.symbols)


def of_umath():
    declare('uncertainties.umath', COMMON, PSI='')
    declare('uncertainties.umath', OF_UMATH)
    M = 'uncertainties.umath'
    elementwise(f'y = {M}.log(x)', 'd[y] / x')
    elementwise(f'z = {M}.atan2(y, x)', 'd[z] * x / (x * x + y * y)', '-d[z] * y / (x * x + y * y)')
    elementwise(f'z = {M}.hypot(x, y)', 'd[z] * x / z', 'd[z] * y / z')
    elementwise(f'z = {M}.pow(x, y)', 'd[z] * y * x ** (y - 1)', f'd[z] * z * {M}.log(x)')
