"""`scipy.special`. Parameters without a term have a derivative that SciPy has no function for."""
import importlib

import scipy.special

from tangent.templates.language.declare import constant, elementwise, general, only

S = 'scipy.special.'
ROOT = 'numpy.sqrt(numpy.pi)'
NORMAL = 'numpy.sqrt(2 * numpy.pi)'


def functions(table):
    """Declare functions of one argument: a line has the name and the derivative."""
    for line in table.strip().splitlines():
        name, slope = line.split(None, 1)
        if hasattr(scipy.special, name):
            elementwise(f'y = {S}{name}(x)', f'd[y] * ({slope})')


functions(f'''
erf         2 / {ROOT} * numpy.exp(-x * x)
erfc        -2 / {ROOT} * numpy.exp(-x * x)
erfcx       2 * x * y - 2 / {ROOT}
erfi        2 / {ROOT} * numpy.exp(x * x)
dawsn       1 - 2 * x * y
erfinv      {ROOT} / 2 * numpy.exp(y * y)
erfcinv     -{ROOT} / 2 * numpy.exp(y * y)
ndtr        numpy.exp(-x * x / 2) / {NORMAL}
log_ndtr    numpy.exp(-x * x / 2 - y) / {NORMAL}
ndtri       {NORMAL} * numpy.exp(y * y / 2)
gamma       y * {S}digamma(x)
gammaln     {S}digamma(x)
loggamma    {S}digamma(x)
rgamma      -y * {S}digamma(x)
digamma     {S}polygamma(1, x)
psi         {S}polygamma(1, x)
expit       y * (1 - y)
logit       1 / (x * (1 - x))
log_expit   {S}expit(-x)
exp2        y * math.log(2)
exp10       y * math.log(10)
expm1       y + 1
log1p       1 / (1 + x)
cbrt        1 / (3 * y * y)
cosm1       -numpy.sin(x)
exprel      safe_divide(numpy.exp(x) - y, x) + 0.5 * (x == 0)
entr        -numpy.log(x) - 1
exp1        -numpy.exp(-x) / x
expi        numpy.exp(x) / x
spence      safe_divide(numpy.log(x), 1 - x) - (x == 1)
ellipk      numpy.pi / 8 * {S}hyp2f1(1.5, 1.5, 2.0, x)
ellipe      -numpy.pi / 8 * {S}hyp2f1(0.5, 1.5, 2.0, x)
j0          -{S}j1(x)
j1          ({S}j0(x) - {S}jv(2, x)) / 2
y0          -{S}y1(x)
y1          ({S}y0(x) - {S}yv(2, x)) / 2
i0          {S}i1(x)
i1          ({S}i0(x) + {S}iv(2, x)) / 2
i0e         {S}i1e(x) - sign(x) * y
i1e         ({S}i0e(x) + {S}ive(2, x)) / 2 - sign(x) * y
k0          -{S}k1(x)
k1          -({S}k0(x) + {S}kv(2, x)) / 2
k0e         y - {S}k1e(x)
k1e         y - ({S}k0e(x) + {S}kve(2, x)) / 2
sindg       numpy.pi / 180 * {S}cosdg(x)
cosdg       -numpy.pi / 180 * {S}sindg(x)
tandg       numpy.pi / 180 * (1 + y * y)
cotdg       -numpy.pi / 180 * (1 + y * y)
softplus    {S}expit(x)
wrightomega y / (1 + y)
ellipkm1    -({S}ellipe(1 - x) / x - y) / (2 * (1 - x))
''')

# With an order, which has no derivative here
for name, slope in [('jv', '({0}(v - 1, z) - {0}(v + 1, z)) / 2'), ('yv', '({0}(v - 1, z) - {0}(v + 1, z)) / 2'),
                    ('yn', '({0}(v - 1, z) - {0}(v + 1, z)) / 2'),
                    ('jn', '({0}(v - 1, z) - {0}(v + 1, z)) / 2'), ('iv', '({0}(v - 1, z) + {0}(v + 1, z)) / 2'),
                    ('kv', '-({0}(v - 1, z) + {0}(v + 1, z)) / 2'), ('kn', '-({0}(v - 1, z) + {0}(v + 1, z)) / 2'),
                    ('ive', '({0}(v - 1, z) + {0}(v + 1, z)) / 2 - sign(z) * y'),
                    ('kve', 'y - ({0}(v - 1, z) + {0}(v + 1, z)) / 2')]:
    elementwise(f'y = {S}{name}(v, z)', None, f'd[y] * ({slope.format(S + name)})', refuse=['v'])
for name in ['hankel1', 'hankel2']:
    elementwise(f'y = {S}{name}(v, z)', None, f'd[y] * ({S}{name}(v - 1, z) - {S}{name}(v + 1, z)) / 2', refuse=['v'])
for name, below, slope in [
        ('eval_legendre', '', '(n + 1) / 2 * {0}eval_jacobi(n - 1, 1, 1, x)'),
        ('eval_chebyt', '', 'n * {0}eval_chebyu(n - 1, x)'),
        ('eval_chebyu', '', '2 * {0}eval_gegenbauer(n - 1, 2, x)'),
        ('eval_hermite', '', '2 * n * {0}eval_hermite(n - 1, x)'),
        ('eval_hermitenorm', '', 'n * {0}eval_hermitenorm(n - 1, x)'),
        ('eval_laguerre', '', '-{0}eval_genlaguerre(n - 1, 1, x)'),
        ('eval_genlaguerre', 'alpha, ', '-{0}eval_genlaguerre(n - 1, alpha + 1, x)'),
        ('eval_gegenbauer', 'alpha, ', '2 * alpha * {0}eval_gegenbauer(n - 1, alpha + 1, x)'),
        ('eval_jacobi', 'alpha, beta, ', '(n + alpha + beta + 1) / 2 * {0}eval_jacobi(n - 1, alpha + 1, beta + 1, x)')]:
    elementwise(f'y = {S}{name}(n, {below}x)', refuse=['n', *(p for p in below.split(', ') if p)],
                more={'x': f'd[y] * ({slope.format(S)})'})
elementwise(f'y = {S}ellipkinc(phi, m)', 'd[y] / numpy.sqrt(1 - m * numpy.sin(phi) ** 2)', 'd[y] * ellipkinc_slope(phi, m, y)')
elementwise(f'y = {S}ellipeinc(phi, m)', 'd[y] * numpy.sqrt(1 - m * numpy.sin(phi) ** 2)', '-d[y] / 2 * elliptic_rest(phi, m)')
elementwise(f'p = {S}chdtrc(v, x)', '-d[p] * gammainc_slope(v / 2, x / 2) / 2',
            f'-d[p] * numpy.exp({S}xlogy(v / 2 - 1, x / 2) - x / 2 - {S}gammaln(v / 2)) / 2')
elementwise(f'p = {S}pdtr(k, m)', None, f'-d[p] * numpy.exp({S}xlogy(numpy.floor(k), m) - m - {S}gammaln(numpy.floor(k) + 1))')
elementwise(f'y = {S}inv_boxcox1p(x, lmbda)', 'd[y] * (1 + y) ** (1 - lmbda)', refuse=['lmbda'])
elementwise(f'y = {S}polygamma(n, x)', None, f'd[y] * {S}polygamma(n + 1, x)')
elementwise(f'y = {S}expn(n, x)', None, f'-d[y] * {S}expn(n - 1, x)')
elementwise(f'y = {S}zeta(x, q=None)', None, f'-d[y] * x * {S}zeta(x + 1, q)', refuse=['x'])
elementwise(f'y = {S}factorial(n, exact=False)', f'd[y] * (y * {S}digamma(n + 1))')

BETA = f'{S}digamma(a) - {S}digamma(a + b)', f'{S}digamma(b) - {S}digamma(a + b)'
elementwise(f'y = {S}beta(a, b)', *(f'd[y] * (y * ({t}))' for t in BETA))
elementwise(f'y = {S}betaln(a, b)', *(f'd[y] * ({t})' for t in BETA))
elementwise(f'y = {S}poch(z, m)', f'd[y] * (y * ({S}digamma(z + m) - {S}digamma(z)))', f'd[y] * (y * {S}digamma(z + m))')
elementwise(f'c = {S}binom(x, y)', f'd[c] * (c * ({S}digamma(x + 1) - {S}digamma(x - y + 1)))',
            f'd[c] * (c * ({S}digamma(x - y + 1) - {S}digamma(y + 1)))')

DENSITY = f'numpy.exp({S}xlogy(a - 1, {{0}}) - {{0}} - {S}gammaln(a))'
elementwise(f'y = {S}gammainc(a, x)', 'd[y] * gammainc_slope(a, x)', f'd[y] * {DENSITY.format("x")}')
elementwise(f'y = {S}gammaincc(a, x)', '-d[y] * gammainc_slope(a, x)', f'-d[y] * {DENSITY.format("x")}')
for inverse, sign in [('gammaincinv', ''), ('gammainccinv', '-')]:
    elementwise(f'x = {S}{inverse}(a, y)', f'-d[x] * gammainc_slope(a, x) / {DENSITY.format("x")}',
                f'{sign}d[x] / {DENSITY.format("x")}')
SHARE = f'numpy.exp({S}xlogy(a - 1, x) + {S}xlog1py(b - 1, -x) - {S}betaln(a, b))'
BY_SHAPE = 'betainc_slopes(a, b, x)[0]', 'betainc_slopes(a, b, x)[1]'
elementwise(f'y = {S}betainc(a, b, x)', *(f'd[y] * {t}' for t in BY_SHAPE), f'd[y] * {SHARE}')
elementwise(f'y = {S}betaincc(a, b, x)', *(f'-d[y] * {t}' for t in BY_SHAPE), f'-d[y] * {SHARE}')
for inverse, sign in [('betaincinv', ''), ('betainccinv', '-')]:
    elementwise(f'x = {S}{inverse}(a, b, y)', *(f'-d[x] * {t} / {SHARE}' for t in BY_SHAPE), f'{sign}d[x] / {SHARE}')
elementwise(f'p = {S}stdtr(df, t)', 'd[p] * stdtr_slope(df, t)',
            f'd[p] * numpy.exp(-(df + 1) / 2 * numpy.log1p(t * t / df) - {S}betaln(df / 2, 0.5)) / numpy.sqrt(df)')
elementwise(f'p = {S}chdtr(v, x)', 'd[p] * gammainc_slope(v / 2, x / 2) / 2',
            f'd[p] * numpy.exp({S}xlogy(v / 2 - 1, x / 2) - x / 2 - {S}gammaln(v / 2)) / 2')

# At 0 * log(0) the derivative by x is 0, as for the value
elementwise(f'z = {S}xlogy(x, y)', 'd[z] * log_unless(x, y)', 'd[z] * numpy.divide(x, y)')
elementwise(f'z = {S}xlog1py(x, y)', 'd[z] * numpy.log1p(y)', 'd[z] * x / (1 + y)')
elementwise(f'z = {S}rel_entr(x, y)', 'd[z] * (numpy.log(x / y) + 1)', '-d[z] * x / y')
elementwise(f'z = {S}kl_div(x, y)', 'd[z] * numpy.log(x / y)', 'd[z] * (1 - x / y)')
elementwise(f'y = {S}huber(delta, r)', 'd[y] * numpy.maximum(numpy.abs(r) - delta, 0)', 'd[y] * numpy.clip(r, -delta, delta)')
elementwise(f'y = {S}pseudo_huber(delta, r)',
            'd[y] * (2 * y / delta - r * r / delta / numpy.hypot(1, r / delta))', 'd[y] * r / numpy.hypot(1, r / delta)')
elementwise(f'y = {S}boxcox(x, lmbda)', 'd[y] * x ** (lmbda - 1)',
            'd[y] * (safe_divide((lmbda * y + 1) * numpy.log(x) - y, lmbda) + (lmbda == 0) * numpy.log(x) ** 2 / 2)')
elementwise(f'y = {S}boxcox1p(x, lmbda)', 'd[y] * (1 + x) ** (lmbda - 1)',
            'd[y] * (safe_divide((lmbda * y + 1) * numpy.log1p(x) - y, lmbda) + (lmbda == 0) * numpy.log1p(x) ** 2 / 2)')
elementwise(f'x = {S}inv_boxcox(y, lmbda)', 'd[x] * x ** (1 - lmbda)',
            '-d[x] * x ** (1 - lmbda) * (safe_divide((lmbda * y + 1) * numpy.log(x) - y, lmbda)'
            ' + (lmbda == 0) * numpy.log(x) ** 2 / 2)')
elementwise(f'y = {S}hyp0f1(v, z)', None, f'd[y] * {S}hyp0f1(v + 1, z) / v', refuse=['v'])
elementwise(f'y = {S}hyp1f1(a, b, x)', None, None, f'd[y] * {S}hyp1f1(a + 1, b + 1, x) * a / b', refuse=['a', 'b'])
elementwise(f'y = {S}hyp2f1(a, b, c, z)', None, None, None, f'd[y] * {S}hyp2f1(a + 1, b + 1, c + 1, z) * (a * b / c)',
            refuse=['a', 'b', 'c'])
elementwise(f'w = {S}lambertw(z, k=0, tol=1e-8)', 'd[w] * lambert_slope(w, z)')

elementwise(f'y = {S}owens_t(h, a)', f'-d[y] * numpy.exp(-h * h / 2) * {S}erf(a * h / numpy.sqrt(2)) / (2 * {NORMAL})',
            'd[y] * numpy.exp(-h * h * (1 + a * a) / 2) / (2 * numpy.pi * (1 + a * a))')
elementwise(f'z = {S}powm1(x, y)', 'd[z] * y * x ** (y - 1)', 'd[z] * (1 + z) * numpy.log(x)')
GAMMA = f'(a ** b * x ** (b - 1) * numpy.exp(-a * x) / {S}gamma(b))'
elementwise(f'y = {S}gdtr(a, b, x)', f'd[y] * {GAMMA} * x / a', 'd[y] * gammainc_slope(b, a * x)', f'd[y] * {GAMMA}')
elementwise(f'y = {S}spherical_jn(n, z, derivative=False)', None, f'd[y] * (n / z * y - {S}spherical_jn(n + 1, z))',
            prepare=only(S + 'spherical_jn', derivative=False))
elementwise(f'y = {S}spherical_yn(n, z, derivative=False)', None, f'd[y] * (n / z * y - {S}spherical_yn(n + 1, z))',
            prepare=only(S + 'spherical_yn', derivative=False))

# Over axes
general(f'y = {S}logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False)',
        'unlogsumexp(d[y], a, y, axis, b, keepdims)[0]', None, 'unlogsumexp(d[y], a, y, axis, b, keepdims)[1]',
        forward='push_logsumexp(d[a], d[b], a, y, axis, b, keepdims)', refuse=['return_sign'],
        prepare=only(S + 'logsumexp', return_sign=False))
general(f'y = {S}softmax(x, axis=None)', 'y * (d[y] - numpy.sum(d[y] * y, axis=axis, keepdims=True))',
        forward='y * (d[x] - numpy.sum(d[x] * y, axis=axis, keepdims=True))', shape='x')
general(f'y = {S}log_softmax(x, axis=None)', 'd[y] - numpy.exp(y) * numpy.sum(d[y], axis=axis, keepdims=True)',
        forward='d[x] - numpy.sum(numpy.exp(y) * d[x], axis=axis, keepdims=True)', shape='x')

constant(scipy.special.gammasgn, 'gamma_terms(a, x)', 'beta_terms(a, b, x)')
importlib.import_module('tangent.templates.scipy.special_more')
