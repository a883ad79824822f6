"""No cell of the coverage table is empty words: each function that claims a mode has a sample, and the mode is checked on it.

A sample of a function is the shortest text among all samples that calls it and that both modes pass: reverse and forward
against each other (the dot-product test) and forward against extrapolated differences; constants have gradients of zero.
"""
import functools
import importlib
import warnings
import zlib

import gast
import numpy as np
import pytest

import tangent
from tangent.frontend import tree
from tangent.templates.language import registry
from tests import ROOT
from tests.rules import test_samples
from tests.tools.sampling import Checker, Sample, define

CHUNKS = 16
coverage = importlib.import_module('tangent.interfaces.tools.coverage')

# Functions without a value that differences could be taken of: name -> the file that tests them by name
ELSEWHERE = {
    **dict.fromkeys(['.appended()', '.extended()', '.popped()', '.setitem()'], 'persistent/test_persistent.py'),
    **{f'scipy.optimize.{name}': 'interfaces/test_implicit.py' for name in '''bisect brenth brentq fixed_point fsolve least_squares
       minimize minimize_scalar newton ridder root root_scalar'''.split()},
    **{f'scipy.integrate.{name}': 'interfaces/test_ode.py' for name in ('odeint', 'solve_ivp', 'quad')},
    'scipy.integrate.dblquad': 'rules/scipy/test_areas.py',
    **{f'scipy.sparse.{name}': 'rules/scipy/test_sparse.py' for name in '''coo_array coo_matrix csc_array csc_matrix csr_array csr_matrix
       diags diags_array linalg.spsolve'''.split()},
    **{f'scipy.spatial.distance.{name}': 'rules/scipy/test_data.py' for name in ('cdist', 'pdist')},
    **{f'.{name}()': 'rules/scipy/test_sparse.py' for name in ('toarray', 'tocoo', 'tocsc', 'tocsr')},
    'scipy.optimize.brenth': 'rules/test_claims.py', 'scipy.optimize.ridder': 'rules/test_claims.py',
    'numpy.random.normal': 'rules/test_rules.py', 'numpy.random.uniform': 'rules/test_rules.py', 'numpy.row_stack': 'rules/test_claims.py',
}
HERE = {f'cmath.{name}(z)': {'z': 0.3 + 0.4j} for name in '''exp log log10 sqrt sin cos tan asin acos atan sinh cosh tanh asinh
        acosh atanh phase polar'''.split()} | {
    'cmath.rect(r, s)': {'r': 1.3, 's': 0.4}, 'list(enumerate(v))[1][1]': None, 'list(zip(v, v * v))[1]': None,
    'list(numpy.ndenumerate(v))[1][1]': None,
    'numpy.sum(numpy.array(v.flat))': None, 'numpy.complex64(s) * v': None, 'numpy.clongdouble(s) * v': None,
    'numpy.longdouble(s) * v': None, 'numpy.float16(s) * v': None, 'numpy.kaiser(5, s)': None,
}


def own_samples():
    for text, values in HERE.items():
        narrow = 'float16' in text or 'complex64' in text
        yield Sample(text, values or {'v': np.array([0.5, 1.5, -0.7]), 's': 0.75}, exact=1e-3 if narrow else 1e-12,
                     smooth=10 if narrow else 1e-6)


BANDED = {'ab': np.array([[0.0, 0.5, 0.3], [2.0, 3.0, 2.5], [0.4, 0.2, 0.0]]), 'v': np.array([0.5, 1.5, -0.7])}
ALL = test_samples.ALL | {(s.text, False, False): [s] for s in own_samples()} | {
    (text, False, True): [Sample(text, BANDED)] for text in ('linalg.solve_banded((1, 1), ab, v)', 'linalg.solveh_banded(ab[:2], v)')}


def of_distributions():
    """Name -> a sample of a method of a distribution of SciPy's, at the parameters at which SciPy tests it."""
    if importlib.util.find_spec('scipy') is None:
        return {}
    stats, params = importlib.import_module('scipy.stats'), importlib.import_module('scipy.stats._distr_params')
    found = {}
    for name, shapes in params.distcont:
        at = ''.join(f'{float(p)}, ' for p in shapes)
        inside = float(getattr(stats, name).ppf(0.4, *shapes, 0.1, 1.3))
        for method in METHODS:
            about = f'{at}a, r' if method in ('median', 'mean', 'var', 'std', 'entropy') else f'x, {at}a, r'
            x = 0.4 if method in ('ppf', 'isf') else inside
            found[f'scipy.stats.{name}.{method}'] = Sample(f'stats.{name}.{method}({about})', {'x': x, 'a': 0.1, 'r': 1.3})
    for name, shapes in params.distdiscrete:
        changing = [k for k, p in enumerate(shapes) if not isinstance(p, int)]
        if not isinstance(name, str) or not changing:
            continue
        at = ', '.join('q' if k == changing[-1] else repr(p) for k, p in enumerate(shapes))
        for method in ('pmf', 'logpmf', 'mean', 'var', 'std', 'entropy'):
            k = '' if 'pmf' not in method else f'{int(getattr(stats, name).ppf(0.4, *shapes))}, '
            found[f'scipy.stats.{name}.{method}'] = Sample(f'stats.{name}.{method}({k}{at})', {'q': np.float64(
                shapes[changing[-1]])})
    return found


METHODS = 'pdf logpdf cdf logcdf sf logsf ppf isf median mean var std entropy'.split()
DISTRIBUTIONS = of_distributions()


@functools.cache
def names_of_rules():
    """id of a rule -> the name in the table."""
    found = {}
    for table in (registry.REVERSE, registry.METHODS, registry.ATTRIBUTES, registry.OPERATORS):
        for key, rule in table.items():
            name = coverage._name(table, key, rule)
            if name is not None:
                found.setdefault(id(rule), set()).add(name)
    return found


def called(text):
    """Names in the table of what a text calls."""
    found = {name for rule in test_samples.used(text) if rule is not None for name in names_of_rules().get(id(rule), ())}
    for node in gast.walk(tree.expression(text)):
        name = tree.dotted(node.func) if isinstance(node, gast.Call) else None
        if name is not None and name.split('.')[0] in test_samples.NAMES:
            thing = eval(name, test_samples.NAMES)
            found.add(coverage._public(thing))
    return found


@functools.cache
def candidates():
    """Name in the table -> the samples whose texts call it, the shortest first."""
    found = {}
    for key in sorted(ALL, key=lambda k: (len(k[0]), k)):
        for name in called(key[0]):
            found.setdefault(name, []).append(key)
    for name, sample in DISTRIBUTIONS.items():
        ALL.setdefault(key := (sample.text, False, True), [sample])
        found.setdefault(name, [key])
    return found


def claimed():
    return [e for e in coverage.entries() if e.reverse or e.forward]


def test_what_is_claimed_has_a_sample():
    lacking = sorted(e.name for e in claimed() if e.name not in candidates() and e.name not in ELSEWHERE)
    assert not lacking
    for name, file in ELSEWHERE.items():
        assert name.rpartition('.')[2].removesuffix('()') in (ROOT / 'tests' / file).read_text(), name


@pytest.mark.share(6)
@pytest.mark.parametrize('k', range(CHUNKS))
def test_claims(k, tmp_path):
    mine = [e for e in claimed() if e.name in candidates() and zlib.crc32(e.name.encode()) % CHUNKS == k]
    problems = [f'{e.name}: {why}' for e, why in zip(mine, failures(mine, tmp_path)) if why]
    assert not problems, '\n'.join(problems)


def failures(entries, path):
    """For each entry why none of its samples passes, or None."""
    found = []
    for n, entry in enumerate(entries):
        why = 'no sample has a derivative'
        for m, key in enumerate(candidates()[entry.name][:12]):
            sample = ALL[key][0]
            call, = define([(key[0], sample.values)], path / f'claim_{n}_{m}.py', key[2])
            checker = Checker()
            values = {name: sample.values[name] for name in call.names}
            forms = [call.in_complex] if any(map(np.iscomplexobj, values.values())) else [call, call.in_complex]
            with warnings.catch_warnings(), np.errstate(all='ignore'):
                warnings.simplefilter('ignore')
                if any(checker._guard(sample, 'as it stands', checker.modes, form, values, sample) for form in forms):
                    why = None
                    break
            if checker.problems:
                why = f'{key[0]}: {checker.problems[0][2]}'
        found.append(why)
    return found


@pytest.mark.parametrize('name', ['bisect', 'brenth', 'brentq', 'ridder'])
def test_roots_in_brackets(name):
    optimize = pytest.importorskip('scipy.optimize')
    solver = getattr(optimize, name)

    def root(a):
        return solver(lambda x, a: x * x - a, 0.0, 9.0, args=(a,), xtol=1e-12)
    assert tangent.grad(root)(4.0) == pytest.approx(0.25, rel=1e-9)
    assert tangent.jvp(root)(4.0, 1.0) == pytest.approx(0.25, rel=1e-9)


POINTS = np.float64(0.7), np.array([0.3, 1.7])


def test_constants_have_no_gradient():
    """Functions of one argument that are declared constant: their gradient is zero, not refused and not something else."""
    counted = 0
    for entry in coverage.entries():
        function = getattr(np, entry.name.removeprefix('numpy.'), None) if entry.name.startswith('numpy.') else None
        if not entry.constant or function in (None, np.empty_like):
            continue
        for x in POINTS:
            try:
                with warnings.catch_warnings(), np.errstate(all='ignore'):
                    warnings.simplefilter('ignore')
                    value = function(x)
            except Exception:  # noqa: BLE001 (not a function of one number)
                continue
            if np.asarray(value).dtype.kind in 'fiub' and np.shape(value) == np.shape(x):
                found = tangent.elementwise_grad(lambda x, function=function: function(x) * x)(x)
                np.testing.assert_array_equal(found, value)
                counted += 1
    assert counted > 20
