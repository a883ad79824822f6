"""`scipy.special`, further: functions with several values, those of orders and degrees, distribution functions."""
import scipy.special

from tangent.runtime.references import special
from tangent.runtime.references.table import SUBSTITUTES
from tangent.templates.language.declare import constant, elementwise, general, only, signature

S = 'scipy.special.'


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


def functions(table):
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
functions('''
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
functions(f'''
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
SUBSTITUTES.update(special.TABLE)

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
