"""`scipy.stats`: densities, their logarithms, distribution functions."""
import scipy.stats  # noqa: F401
from scipy.stats import _distn_infrastructure
from scipy.stats._distn_infrastructure import rv_continuous, rv_continuous_frozen, rv_discrete, rv_discrete_frozen

from tangent.runtime.references import distributions as laws
from tangent.runtime.references import samples
from tangent.runtime.references.table import MADE, STAND_INS, SUBSTITUTES
from tangent.templates.language.declare import constant, elementwise, general

S, T = 'scipy.special.', 'scipy.stats.'
Z = '(x - loc) / scale'


def family(name, shapes, score, others, density='pdf'):
    """Declare pdf and logpdf: the derivative of the logarithm by the standard variable `z`, and by each shape."""
    signature = ', '.join(['x', *shapes, 'loc=0', 'scale=1'])
    slope = f'({score.replace("z", f"({Z})")})'
    terms = [f'{slope} / scale', *(t.replace('z', f'({Z})') for t in others), f'-{slope} / scale',
             f'-(1 + {slope} * ({Z})) / scale']
    elementwise(f'y = {T}{name}.log{density}({signature})', *(f'd[y] * ({t})' for t in terms))
    elementwise(f'y = {T}{name}.{density}({signature})', *(f'd[y] * (y * ({t}))' for t in terms))
    if not shapes:
        p = f'{T}{name}.pdf(x, loc, scale)'
        share = f'{p} / numpy.exp(y)'
        elementwise(f'y = {T}{name}.ppf(q, loc=0, scale=1)', f'd[y] / {T}{name}.pdf(y, loc, scale)', 'd[y]',
                    'd[y] * (y - loc) / scale')
        for function, factor in [('cdf', p), ('sf', f'-{p}'), ('logcdf', share), ('logsf', f'-{share}')]:
            elementwise(f'y = {T}{name}.{function}({signature})', f'd[y] * ({factor})', f'-d[y] * ({factor})',
                        f'-d[y] * ({factor}) * {Z}')


family('norm', [], '-z', [])
family('expon', [], '-1.0', [])
family('cauchy', [], '-2 * z / (1 + z * z)', [])
family('laplace', [], '-sign(z)', [])
family('logistic', [], '-numpy.tanh(z / 2)', [])
family('gumbel_r', [], 'numpy.exp(-z) - 1', [])
family('gumbel_l', [], '1 - numpy.exp(z)', [])
family('halfnorm', [], '-z', [])
family('rayleigh', [], '1 / z - z', [])
family('maxwell', [], '2 / z - z', [])
family('uniform', [], '0 * z', [])
family('invgamma', ['a'], '1 / z ** 2 - (a + 1) / z', [f'-numpy.log(z) - {S}digamma(a)'])
family('t', ['df'], '-(df + 1) * z / (df + z * z)',
       [f'0.5 * ({S}digamma((df + 1) / 2) - {S}digamma(df / 2) - 1 / df - numpy.log1p(z * z / df)'
        ' + (df + 1) * z * z / (df * (df + z * z)))'])
family('gamma', ['a'], '(a - 1) / z - 1', [f'numpy.log(z) - {S}digamma(a)'])
family('beta', ['a', 'b'], '(a - 1) / z - (b - 1) / (1 - z)',
       [f'numpy.log(z) - {S}digamma(a) + {S}digamma(a + b)', f'numpy.log1p(-z) - {S}digamma(b) + {S}digamma(a + b)'])
family('chi2', ['df'], '(df / 2 - 1) / z - 0.5', [f'0.5 * (numpy.log(z / 2) - {S}digamma(df / 2))'])
family('lognorm', ['s'], '-(1 + numpy.log(z) / s ** 2) / z', ['numpy.log(z) ** 2 / s ** 3 - 1 / s'])
family('weibull_min', ['c'], '(c - 1 - c * z ** c) / z', ['1 / c + numpy.log(z) * (1 - z ** c)'])
family('pareto', ['b'], '-(b + 1) / z', ['1 / b - numpy.log(z)'])

_discrete: list[tuple[str, str, list]] = [
    ('poisson', 'mu', ['numpy.subtract(k, loc) / mu - 1']),
    ('bernoulli', 'p', ['numpy.subtract(k, loc) / p - (1 - numpy.subtract(k, loc)) / (1 - p)']),
    ('binom', 'n, p', [None, 'numpy.subtract(k, loc) / p - (n - numpy.subtract(k, loc)) / (1 - p)']),
    ('geom', 'p', ['1 / p - (numpy.subtract(k, loc) - 1) / (1 - p)'])]
for name, shapes, terms in _discrete:
    for function, factor in [('logpmf', ''), ('pmf', 'y * ')]:
        elementwise(f'y = {T}{name}.{function}(k, {shapes}, loc=0)', None,
                    *(None if t is None else f'd[y] * ({factor}({t}))' for t in terms), refuse=['n'] if 'n,' in shapes else ())

elementwise(f'y = {T}poisson.cdf(k, mu, loc=0)', None, f'-d[y] * {T}poisson.pmf(numpy.floor(k), mu, loc)')

constant('in_support(law, z, shapes, scale)', 'above(law, x, shapes, loc, scale)', 'inner_point(law, shapes)',
         'check_quantiles(law, q, shapes, scale)', 'places_of(cond, args)')
for law in [law for law in vars(scipy.stats).values() if isinstance(law, (rv_continuous, rv_discrete))]:
    laws.LAWS[law] = laws.Law(law)
    STAND_INS[type(law)] = laws.law_of
    MADE.extend(f'{T}{law.name}.{name}' for name in laws.known(law))
if hasattr(_distn_infrastructure, 'xpx'):              # not in SciPy before 1.16; where that module is depends on the version
    SUBSTITUTES[_distn_infrastructure.xpx.apply_where] = laws.apply_where
STAND_INS.update({kind: laws.frozen_of for kind in (rv_continuous_frozen, rv_discrete_frozen)})

# Several dimensions
NORMAL = 'x, mean=None, cov=1, allow_singular=False'
general(f'y = {T}multivariate_normal.logpdf({NORMAL})', *(f'unmvn(d[y], x, mean, cov, allow_singular)[{k}]' for k in range(3)),
        forward='push_mvn(d[x], d[mean], d[cov], x, mean, cov, y, allow_singular)')
general(f'y = {T}multivariate_normal.pdf({NORMAL})', *(f'unmvn(d[y] * y, x, mean, cov, allow_singular)[{k}]' for k in range(3)),
        forward='y * push_mvn(d[x], d[mean], d[cov], x, mean, cov, y, allow_singular)')
general(f'y = {T}multivariate_normal.entropy(mean=None, cov=1)', '0.0 * mean', 'd[y] * entropy_slope(cov)',
        forward='numpy.sum(entropy_slope(cov) * d[cov])')
general(f'y = {T}dirichlet.logpdf(x, alpha)', 'undirichlet(d[y], x, alpha)[0]', 'undirichlet(d[y], x, alpha)[1]',
        forward='numpy.sum(d[x] * undirichlet(1.0, x, alpha)[0]) + numpy.sum(d[alpha] * undirichlet(1.0, x, alpha)[1])')
general(f'y = {T}dirichlet.pdf(x, alpha)', 'undirichlet(d[y] * y, x, alpha)[0]', 'undirichlet(d[y] * y, x, alpha)[1]',
        forward='y * (numpy.sum(d[x] * undirichlet(1.0, x, alpha)[0]) + numpy.sum(d[alpha] * undirichlet(1.0, x, alpha)[1]))')

# Functions of samples
SUBSTITUTES.update(samples.TABLE)
constant('plain(name, nan_policy, alternative)', 'is_zero(p)', 'samples_axis(axis)',
         'share_below(values, points)', scipy.stats.rankdata)
