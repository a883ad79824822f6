"""SciPy's functions through the whole library, in both modes, against differences."""
import copy
import importlib.util
import os
import subprocess
import sys
import textwrap
import warnings

import numpy as np
import pytest

import tangent
from tests import ROOT
from tests.tools.checking import assert_close, differences, random_like, seed_name

scipy = pytest.importorskip('scipy')
pytest.importorskip('scipy.special')

RNG = np.random.default_rng(5)
VALUES = {'s': 0.7, 'r': 1.9, 'v': np.array([0.3, 1.2, -0.8]), 'p': np.array([0.4, 1.3, 2.6]), 'w': np.array([0.2, 0.5, 0.3]),
          'u': np.array([0.15, 0.6, 0.9]), 'm': RNG.normal(size=(2, 3)), 'q': np.array([[2.0, 0.3, 0.1], [0.2, 1.5, -0.4], [0.35, 0.15, 1.8]]),
          'h': RNG.normal(size=(3, 3)), 't': RNG.normal(size=(2, 3, 4)), 'x': RNG.normal(size=9)}

SPECIAL = {
    'v': 'erf erfc erfcx erfi dawsn ndtr log_ndtr expit log_expit exp2 exp10 expm1 cbrt cosm1 exprel j0 j1 i0 i1 i0e i1e',
    'p': '''gamma gammaln loggamma rgamma digamma psi log1p entr exp1 expi spence y0 y1 k0 k1 k0e k1e''',
    'u': 'erfinv erfcinv ndtri logit ellipk ellipe lambertw',
}
CALLS = [f'special.{name}({x})' for x, names in SPECIAL.items() for name in names.split()]
CALLS += [f'special.{name}(2, p)' for name in 'jv yv jn iv kv kn ive kve polygamma expn'.split()]
CALLS += '''
special.jv(0.5, p)
special.zeta(2.5, p)
special.factorial(p)
special.beta(p, s)
special.betaln(p, r)
special.poch(p, s)
special.binom(p + 3, p)
special.gammainc(1.5, p)
special.gammaincc(1.5, p)
special.gammaincinv(1.5, u)
special.gammainccinv(1.5, u)
special.betainc(1.5, 2.5, u)
special.betaincinv(1.5, 2.5, u)
special.stdtr(3.0, v)
special.chdtr(3.0, p)
special.xlogy(v, p)
special.xlog1py(v, p)
special.rel_entr(u, p)
special.kl_div(u, p)
special.huber(s, v)
special.pseudo_huber(s, v)
special.boxcox(p, s)
special.boxcox1p(p, s)
special.inv_boxcox(u, s)
special.hyp0f1(1.5, v)
special.hyp1f1(0.5, 1.5, v)
special.hyp2f1(0.5, 1.5, 2.5, u)
special.logsumexp(v)
special.logsumexp(t, axis=1)
special.logsumexp(t, axis=(0, 2), keepdims=True)
special.logsumexp(v, b=p)
special.logsumexp(m, axis=1, b=u)
special.softmax(m, axis=1)
special.softmax(v)
special.log_softmax(t, axis=0)
linalg.det(q)
linalg.inv(q)
linalg.solve(q, v)
linalg.solve(q, h)
linalg.cholesky(h @ h.T + q @ q.T)
linalg.cholesky(q @ q.T, lower=True)
linalg.eigh(h + h.T)[0]
linalg.eigh(h + h.T, eigvals_only=True)
linalg.eigvalsh(h + h.T)
linalg.svdvals(m)
linalg.svd(q)[1]
linalg.svd(m, compute_uv=False)
linalg.pinv(m)
linalg.norm(m)
linalg.norm(v, 1)
linalg.expm(h)
linalg.logm(q)
linalg.sqrtm(q)
linalg.sinm(h)
linalg.coshm(h)
linalg.solve_triangular(q, v)
linalg.solve_triangular(q, h, lower=True)
linalg.solve_triangular(q, v, trans=1)
linalg.solve_triangular(q, v, trans='T', lower=True, unit_diagonal=True)
linalg.cho_solve((q, True), v)
linalg.cho_solve((q, False), h)
linalg.cho_solve(linalg.cho_factor(q @ q.T), v)
linalg.solve_sylvester(q, q.T, h)
linalg.lu(q)[1]
linalg.lu(h)[2]
linalg.block_diag(q, m, v)
linalg.toeplitz(v)
linalg.toeplitz(v, x)
linalg.circulant(v)
linalg.hankel(v)
linalg.khatri_rao(m, h)
signal.convolve(v, x)
signal.convolve(x, v, mode='same')
signal.convolve(x, v, 'valid')
signal.convolve(q, m, mode='same')
signal.fftconvolve(m, q)
signal.fftconvolve(m, m, axes=1)
signal.correlate(x, v)
signal.correlate(x, v, mode='same')
signal.correlate(q, m, 'valid')
signal.lfilter(v, [1.0, 0.4, -0.2], x)
signal.lfilter(v, p, x)
signal.lfilter([1.0, s], p, t, axis=1)
signal.detrend(x)
integrate.trapezoid(x)
integrate.trapezoid(m, v, axis=1)
integrate.simpson(x)
integrate.romb(x, 0.5)
integrate.romb(t[:, :3], axis=1)
integrate.cumulative_simpson(x)
integrate.cumulative_simpson(t, dx=0.5, axis=1, initial=2.0)
integrate.cumulative_simpson(m, x=[0.0, 1.0, 3.0])
integrate.simpson(t, dx=0.5, axis=1)
integrate.simpson(m, x=[0.0, 1.0, 3.0])
integrate.cumulative_trapezoid(x, dx=0.5)
integrate.cumulative_trapezoid(m, [0.0, 1.0, 3.0], initial=0)
stats.multivariate_normal.logpdf(v, p, q @ q.T)
stats.multivariate_normal.logpdf(h, v, q @ q.T)
stats.multivariate_normal.logpdf(v, p[:1], q[:1, :1] ** 2 + 1)
stats.multivariate_normal.logpdf(v, None, q[:1, :1] ** 2 + 1)
stats.multivariate_normal.logpdf(v[:1], None, q @ q.T)
stats.multivariate_normal.logpdf(h[:, :1], v, q @ q.T)
stats.multivariate_normal.pdf(v, p, q @ q.T)
stats.multivariate_normal.pdf(h, v, q @ q.T)
stats.multivariate_normal.entropy(v, q @ q.T)
stats.multivariate_normal.logpdf(v, p, q @ q.T, allow_singular=True)
stats.poisson.cdf([0, 2, 3], p)
stats.dirichlet.logpdf(w / np.sum(w), p)
stats.dirichlet.pdf(w / np.sum(w), p)
special.yn(2, p)
stats.poisson.logpmf([0, 2, 3], p)
stats.poisson.pmf([0, 2, 3], p)
stats.binom.logpmf([0, 2, 3], 5, u)
stats.bernoulli.logpmf([0, 1, 1], u)
stats.geom.logpmf([1, 2, 3], u)
'''.strip().splitlines()
for name in 'norm expon cauchy laplace logistic gumbel_r gumbel_l'.split():
    at = 'p' if name == 'expon' else 'v'
    CALLS += [f'stats.{name}.{f}({at}, 0.1, r)' for f in 'logpdf pdf cdf sf logcdf logsf'.split()]
    CALLS += [f'stats.{name}.logpdf({at}, loc=0.05 * s, scale=r)']
for call in ['t.{}(v, r)', 't.{}(v, r, s, p)', 'gamma.{}(p, r, scale=r)', 'beta.{}(u, r, p)', 'chi2.{}(p, 3.0)', 'lognorm.{}(p, s)',
             'weibull_min.{}(p, r, scale=r)', 'pareto.{}(p + 1, r)']:
    CALLS += [f'stats.{call.format(f)}' for f in ('logpdf', 'pdf')]


def names(expression):
    found = compile(expression, 'call', 'eval').co_names
    return [n for n in found if n in VALUES and f'.{n}(' not in expression and f'.{n}.' not in expression]


@pytest.fixture(scope='module')
def functions(tmp_path_factory):
    path = tmp_path_factory.mktemp('scipy') / 'scipy_calls.py'
    path.write_text('import numpy as np\nfrom scipy import integrate, linalg, signal, special, stats\n' + ''.join(
        f'\n\ndef f{k}({", ".join(names(e))}):\n    return {e}\n' for k, e in enumerate(CALLS)))
    spec = importlib.util.spec_from_file_location('scipy_calls', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [getattr(module, f'f{k}') for k in range(len(CALLS))]


@pytest.mark.parametrize('k', range(len(CALLS)), ids=CALLS)
@pytest.mark.filterwarnings('ignore')
def test_reverse(k, functions):
    f, args = functions[k], tuple(VALUES[n] for n in names(CALLS[k]))
    value = f(*copy.deepcopy(args))
    wrt = tuple(range(len(args)))
    if np.iscomplexobj(value):
        pytest.skip('a complex result')
    seed = random_like(value)
    df = tangent.vjp(f, wrt=wrt)
    found = df(*copy.deepcopy(args), **{seed_name(df): seed})
    for actual, right in zip([found] if len(wrt) == 1 else found, differences(f, args, wrt, seed), strict=True):
        assert_close(actual, right, 2e-6)


@pytest.mark.parametrize('k', range(len(CALLS)), ids=CALLS)
@pytest.mark.filterwarnings('ignore')
def test_forward(k, functions):
    f, args = functions[k], tuple(VALUES[n] for n in names(CALLS[k]))
    if np.iscomplexobj(f(*args)):
        pytest.skip('a complex result')
    rng = np.random.default_rng(3)
    tangents = [rng.normal(size=np.shape(a))[()] for a in args]
    found = tangent.jvp(f, wrt=tuple(range(len(args))))(*args, *tangents)
    h = 1e-5
    ends = [f(*(a + step * t for a, t in zip(args, tangents))) for step in (h, -h)]
    np.testing.assert_allclose(found, (ends[0] - ends[1]) / (2 * h), 2e-5, 1e-6)


def test_rules_are_declared_only_when_scipy_is_there():
    code = 'import sys, tangent; assert not any(m.startswith("scipy") for m in sys.modules), "SciPy was imported"'
    assert subprocess.run([sys.executable, '-c', code], cwd=str(tangent.__path__[0]) + '/..').returncode == 0


def test_edges():
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        dx, dy = tangent.grad(at_zero, wrt=(0, 1))(0.0, 0.0)
    assert dx == 0 and np.isnan(dy)


def at_zero(x, y):
    return scipy.special.xlogy(x, y)


def of_one_point(v):
    out = np.zeros(2)
    out[0] = scipy.stats.multivariate_normal.logpdf(v[:1], np.zeros(1), np.array([[v[1]]]))
    return out * v[0]


def test_the_tangent_of_a_density_at_one_point_is_a_number():
    """It had an axis, which could not be written where a number belongs."""
    v = np.array([0.2, 0.3])
    by_columns = np.stack([tangent.jvp(of_one_point)(v, e) for e in np.eye(2)], axis=1)
    assert_close(by_columns, tangent.jacobian(of_one_point)(v))


def test_a_rule_of_ones_own_stays_when_those_of_scipy_are_declared(tmp_path):
    """Also where it is registered before anything of SciPy's has been differentiated."""
    program = tmp_path / 'program.py'
    program.write_text(textwrap.dedent('''
        import scipy.special
        import tangent

        @tangent.grads.adjoint(scipy.special.j0)
        def own(y, x):
            d[x] = 7.0 * d[y]

        def f(x):
            return scipy.special.j1(x) + scipy.special.j0(x)

        print(tangent.source(tangent.grad(f)))
    '''))
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True,
                          env={**os.environ, 'PYTHONPATH': str(ROOT)})
    assert '7.0 *' in done.stdout, done.stderr
