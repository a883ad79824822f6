"""`scipy.special`. Parameters without a term have a derivative that SciPy has no function for."""
import scipy.special

from tangent.runtime.references import scipy as plain
from tangent.runtime.references.table import SUBSTITUTES
from tangent.templates.language.declare import constant, elementwise, general, only, signature

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


# Functions with several values

def several(text, slopes, of, refuse=()):
    """Declare a function with several values: their derivatives by the parameter `of`, in order."""
    name = text.partition('(')[0]
    if not hasattr(scipy.special, name):
        return
    found = '(' + ', '.join(slopes.replace('S.', S).split('; ')) + ')'
    _, parameters, *_ = signature(f'y = {S}{text}')
    terms = [f'untuple(d[y], {found}, {p})' if p == of else None for p in parameters]
    general(f'y = {S}{text}', *terms, forward=f'push_tuple(d[{of}], {found})', refuse=refuse, shape='container')


several('airy(z)', 'y[1]; z * y[0]; y[3]; z * y[2]', 'z')
several('airye(z)', 'y[1] + numpy.sqrt(z) * y[0]; z * y[0] + numpy.sqrt(z) * y[1]; y[3] - numpy.sqrt(z) * y[2]; '
        'z * y[2] - numpy.sqrt(z) * y[3]', 'z')
several('fresnel(z)', 'numpy.sin(numpy.pi / 2 * z * z); numpy.cos(numpy.pi / 2 * z * z)', 'z')
several('sici(x)', 'numpy.sinc(x / numpy.pi); numpy.cos(x) / x', 'x')
several('shichi(x)', 'safe_divide(numpy.sinh(x), x) + (x == 0); numpy.cosh(x) / x', 'x')
several('iti0k0(x)', 'S.i0(x); S.k0(x)', 'x')
several('itj0y0(x)', 'S.j0(x); S.y0(x)', 'x')
several('it2i0k0(x)', '(S.i0(x) - 1) / x; -S.k0(x) / x', 'x')
several('it2j0y0(x)', '(1 - S.j0(x)) / x; -S.y0(x) / x', 'x')
several('itairy(x)', 'S.airy(x)[0]; S.airy(x)[2]; S.airy(-x)[0]; S.airy(-x)[2]', 'x')
several('pbdv(v, x)', 'y[1]; (x * x / 4 - v - 0.5) * y[0]', 'x', ['v'])
several('pbvv(v, x)', 'y[1]; (x * x / 4 - v - 0.5) * y[0]', 'x', ['v'])
several('pbwa(a, x)', 'y[1]; (a - x * x / 4) * y[0]', 'x', ['a'])
DEGREES = 'y[1] * (numpy.pi / 180); -({} - 2 * q * numpy.cos(x * (numpy.pi / 90))) * y[0] * (numpy.pi / 180)'
several('mathieu_cem(m, q, x)', DEGREES.format('S.mathieu_a(m, q)'), 'x', ['q'])
several('mathieu_sem(m, q, x)', DEGREES.format('S.mathieu_b(m, q)'), 'x', ['q'])

# Jacobi's functions: the derivative by m comes from that of the amplitude (DLMF 22.16)
AMPLITUDE = 'amplitude_slope(y, u, m)'
BY_U = 'y[1] * y[2], -y[0] * y[2], -m * y[0] * y[1], y[2]'
BY_M = f'y[1] * {AMPLITUDE}, -y[0] * {AMPLITUDE}, -(y[0] ** 2 + 2 * m * y[0] * y[1] * {AMPLITUDE}) / (2 * y[2]), {AMPLITUDE}'
general(f'y = {S}ellipj(u, m)', f'untuple(d[y], ({BY_U}), u)', f'untuple(d[y], ({BY_M}), m)',
        forward=f'add_tuples(push_tuple(d[u], ({BY_U})), push_tuple(d[m], ({BY_M})))', shape='container')


def calls(table):
    """Declare functions: a line has the call and, for each parameter, the derivative: nothing for 0, `-` for one unknown."""
    for line in table.strip().splitlines():
        text, *slopes = [part.strip() for part in line.split('|')]
        name = text.partition('(')[0]
        if not hasattr(scipy.special, name):
            continue
        _, parameters, *_ = signature(f'res = {S}{text}')
        terms = [None if slope in ('', '-') else f'd[res] * ({slope.replace("S.", S).replace("SELF", S + name)})'
                 for slope in slopes]
        elementwise(f'res = {S}{text}', *terms, refuse=[p for p, s in zip(parameters, slopes, strict=True) if s == '-'])


# With degrees that are whole numbers, which have no derivative, no more than a floor has
calls('''
struve(v, x)            | - | S.struve(v - 1, x) - v / x * res
modstruve(v, x)         | - | S.modstruve(v - 1, x) - v / x * res
itstruve0(x)            | S.struve(0, x)
it2struve0(x)           | -S.struve(0, x) / x
itmodstruve0(x)         | S.modstruve(0, x)
jve(v, z)               | - | (SELF(v - 1, z) - SELF(v + 1, z)) / 2
yve(v, z)               | - | (SELF(v - 1, z) - SELF(v + 1, z)) / 2
hankel1e(v, z)          | - | (SELF(v - 1, z) - SELF(v + 1, z)) / 2 - 1j * res
hankel2e(v, z)          | - | (SELF(v - 1, z) - SELF(v + 1, z)) / 2 + 1j * res
hyperu(a, b, x)         | - | - | -a * S.hyperu(a + 1, b + 1, x)
besselpoly(a, lmb, nu)  | SELF(a, lmb + 1, nu - 1) - SELF(a, lmb + 1, nu + 1) | - | -
wright_bessel(a, b, x)  | - | - | SELF(a, b + a, x)
log_wright_bessel(a, b, x) | - | - | numpy.exp(SELF(a, b + a, x) - res)
wofz(z)                 | 2j / numpy.sqrt(numpy.pi) - 2 * z * res
ber(x)                  | S.berp(x)
bei(x)                  | S.beip(x)
ker(x)                  | S.kerp(x)
kei(x)                  | S.keip(x)
berp(x)                 | -S.bei(x) - res / x
beip(x)                 | S.ber(x) - res / x
kerp(x)                 | -S.kei(x) - res / x
keip(x)                 | S.ker(x) - res / x
lpmv(m, v, x)           | | - | (v * x * res - (v + m) * SELF(m, v - 1, x)) / (x * x - 1)
radian(deg, mins, secs) | numpy.pi / 180 | numpy.pi / 10800 | numpy.pi / 648000
tklmbda(x, lmbda)       | 1 / (res ** (lmbda - 1) + (1 - res) ** (lmbda - 1)) | -
eval_sh_legendre(n, x)  | - | (n + 1) * S.eval_jacobi(n - 1, 1, 1, 2 * x - 1)
eval_sh_chebyt(n, x)    | - | 2 * n * S.eval_chebyu(n - 1, 2 * x - 1)
eval_sh_chebyu(n, x)    | - | 4 * S.eval_gegenbauer(n - 1, 2, 2 * x - 1)
eval_chebyc(n, x)       | - | n * S.eval_chebyu(n - 1, x / 2)
eval_chebys(n, x)       | - | S.eval_gegenbauer(n - 1, 2, x / 2)
eval_sh_jacobi(n, p, q, x) | - | - | - | n * SELF(n - 1, p + 2, q + 1, x)
''')

# Distribution functions; those of counts are steps in the count, and inverses have one over the density there
BINOMIAL = ('numpy.exp(S.xlogy(numpy.floor(k), {0}) + S.xlog1py(n - numpy.floor(k) - 1, -{0})'
            ' - S.betaln(numpy.floor(k) + 1, n - numpy.floor(k)))')
WAITING = 'numpy.exp(S.xlogy(n - 1, {0}) + S.xlog1py(numpy.floor(k), -{0}) - S.betaln(n, numpy.floor(k) + 1))'
POISSON = 'numpy.exp(S.xlogy(numpy.floor(k), {0}) - {0} - S.gammaln(numpy.floor(k) + 1))'
RATIO = ('(numpy.exp(dfn / 2 * numpy.log(dfn * {0} / (dfn * {0} + dfd)) + dfd / 2 * numpy.log(dfd / (dfn * {0} + dfd))'
         ' - S.betaln(dfn / 2, dfd / 2)) / {0})')
I = '-fdtr_slopes(dfn, dfd, res)[{0}] / ' + RATIO.format('res')
GAMMA = '(a ** b * {0} ** (b - 1) * numpy.exp(-a * {0}) / S.gamma(b))'
CHI = '(numpy.exp(S.xlogy(v / 2 - 1, {0} / 2) - {0} / 2 - S.gammaln(v / 2)) / 2)'
STUDENT = '(numpy.exp(-(df + 1) / 2 * numpy.log1p({0} * {0} / df) - S.betaln(df / 2, 0.5)) / numpy.sqrt(df))'
SHIFTED = 'numpy.exp(-(x + nc) / 2 + numpy.log(x / nc) * (df / 4 - 0.5)) * S.iv(df / 2 - 1, numpy.sqrt(nc * x))'
BELL = 'numpy.sqrt(2 * numpy.pi) * numpy.exp(S.ndtri(p) ** 2 / 2)'
calls(f'''
bdtr(k, n, p)           | | - | -{BINOMIAL.format('p')}
bdtrc(k, n, p)          | | - | {BINOMIAL.format('p')}
bdtri(k, n, y)          | | - | -1 / {BINOMIAL.format('res')}
nbdtr(k, n, p)          | | - | {WAITING.format('p')}
nbdtrc(k, n, p)         | | - | -{WAITING.format('p')}
nbdtri(k, n, y)         | | - | 1 / {WAITING.format('res')}
fdtr(dfn, dfd, x)       | fdtr_slopes(dfn, dfd, x)[0] | fdtr_slopes(dfn, dfd, x)[1] | {RATIO.format('x')}
fdtrc(dfn, dfd, x)      | -fdtr_slopes(dfn, dfd, x)[0] | -fdtr_slopes(dfn, dfd, x)[1] | -{RATIO.format('x')}
fdtri(dfn, dfd, p)      | {I.format(0)} | {I.format(1)} | 1 / {RATIO.format('res')}
pdtrc(k, m)             | | {POISSON.format('m')}
pdtri(k, y)             | | -1 / {POISSON.format('res')}
gdtrc(a, b, x)          | -{GAMMA.format('x')} * x / a | -gammainc_slope(b, a * x) | -{GAMMA.format('x')}
gdtrix(a, b, p)         | -res / a | -gammainc_slope(b, a * res) / {GAMMA.format('res')} | 1 / {GAMMA.format('res')}
chdtri(v, p)            | -gammainc_slope(v / 2, res / 2) / 2 / {CHI.format('res')} | -1 / {CHI.format('res')}
stdtrit(df, p)          | -stdtr_slope(df, res) / {STUDENT.format('res')} | 1 / {STUDENT.format('res')}
nrdtrimn(p, std, x)     | -std * {BELL} | -S.ndtri(p) | 1
nrdtrisd(mn, p, x)      | -1 / S.ndtri(p) | -res / S.ndtri(p) * {BELL} | 1 / S.ndtri(p)
chndtr(x, df, nc)       | {SHIFTED} / 2 | - | (SELF(x, df + 2, nc) - res) / 2
''')

# The profile of Voigt, the real part of Faddeeva's function, is homogeneous of degree -1
SLOPE = 'voigt_slope(x, sigma, gamma)'
elementwise(f'y = {S}voigt_profile(x, sigma, gamma)', f'd[y] * {SLOPE}[0]',
            f'-d[y] * (y + x * {SLOPE}[0] + gamma * {SLOPE}[1]) / sigma', f'd[y] * {SLOPE}[1]')

constant(scipy.special.round, scipy.special.comb, scipy.special.perm, scipy.special.bernoulli, scipy.special.euler)
SUBSTITUTES.update({getattr(scipy.special, f.__name__): f for f in (plain.diric, plain.agm)})

# Polynomials with a degree
elementwise(f'y = {S}assoc_laguerre(x, n, k=0.0)', f'-d[y] * {S}eval_genlaguerre(n - 1, k + 1, x)', refuse=['n', 'k'])
if hasattr(scipy.special, 'legendre_p'):
    elementwise(f'y = {S}legendre_p(n, z, diff_n=0)', None, f'd[y] * (n + 1) / 2 * {S}eval_jacobi(n - 1, 1, 1, z)',
                prepare=only(S + 'legendre_p', diff_n=0))
    elementwise(f'y = {S}sph_harm_y(n, m, theta, phi, diff_n=0)', prepare=only(S + 'sph_harm_y', diff_n=0), more={
        'theta': f'd[y] * (m / numpy.tan(theta) * y + numpy.sqrt((n - m) * (n + m + 1)) * numpy.exp(-1j * phi)'
                 f' * {S}sph_harm_y(n, m + 1, theta, phi))', 'phi': 'd[y] * (1j * m * y)'})

# Derivatives of Bessel functions; their own is the next one
for name in ['jvp', 'yvp', 'ivp', 'kvp', 'h1vp', 'h2vp']:
    elementwise(f'y = {S}{name}(v, z, n=1)', None, f'd[y] * {S}{name}(v, z, n + 1)', refuse=['v'])
