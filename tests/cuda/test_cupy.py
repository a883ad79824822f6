"""CuPy: its functions resolve to NumPy's rules, the texts call CuPy's, and what the tables say of the real one is so."""
import collections
import importlib
import importlib.util
import inspect
import re
import subprocess
import sys

import gast
import numpy as np
import pytest

import tangent
from tangent.frontend import tree
from tangent.interfaces.tools import coverage_cupy, cupy_names
from tangent.reverse import kernel_fusion
from tangent.templates.language import registry
from tests import ROOT
from tests.cuda import test_strict
from tests.tools import fake_cupy
from tests.tools.sampling import Counts, define
from tests.tools.strict_array import KEYWORDS, Counter, Strict, on_device, to_device, to_host

coverage = importlib.import_module('tangent.interfaces.tools.coverage')
X = np.array([0.3, 0.9, 1.4])
NAMES = 'chain mixed edges products reductions shapes spectrum written elements solved'.split()


@pytest.fixture
def programs():
    """`functions_cupy`, imported where `cupy` is the fake one."""
    with fake_cupy.installed():
        sys.modules.pop('tests.corpora.programs.functions_cupy', None)
        yield importlib.import_module('tests.corpora.programs.functions_cupy')
        sys.modules.pop('tests.corpora.programs.functions_cupy', None)


def on_host(f):
    """The same function with NumPy in CuPy's place."""
    return type(f)(f.__code__, {**f.__globals__, 'cp': np, 'cupy': np}, f.__name__)


def differences(f, x, step=1e-3):
    def slope(v, h):
        return (f(x + h * v) - f(x - h * v)) / (2 * h)
    return np.array([(4 * slope(v, step / 2) - slope(v, step)) / 3 for v in np.eye(len(x))])


@pytest.mark.parametrize('name', NAMES)
def test_both_modes_on_the_device(programs, name):
    f = getattr(programs, name)
    right = differences(on_host(f), X)
    Counter.moves = 0
    gradient, tangents = tangent.grad(f)(to_device(X)), tangent.jvp(f)(to_device(X), to_device(X * X))
    assert Counter.moves == 0 and isinstance(gradient, Strict) and isinstance(tangents, Strict)
    np.testing.assert_allclose(to_host(gradient), right, 1e-7, 1e-7)
    np.testing.assert_allclose(to_host(tangents), right @ (X * X), 1e-7, 1e-7)
    twice = tangent.jvp(tangent.grad(f))(to_device(X), 1.0, to_device(np.ones(3)))
    assert on_device(twice) and np.shape(twice) == (3,)


@pytest.mark.parametrize('name', NAMES)
def test_the_text_calls_cupy(programs, name):
    f = getattr(programs, name)
    for df in (tangent.grad(f), tangent.jvp(f)):
        numpys = set(re.findall(r'\b(?:np|numpy)\.(\w+)', df.source))
        allowed = {'mixed': {'pi', 'sum', 'sin', 'cos', 'log', 'reshape', 'shape'}}.get(name, {'log'})
        assert numpys <= allowed, df.source
    assert re.search(r'\b(cp|cupy)\.', df.source)


def test_readable(programs):
    text = tangent.source(tangent.grad(programs.chain))
    assert 'cupy.tanh(0.5 * x)' in text and 'cupy.exp(-x)' in text and 'numpy' not in text, text


def test_functions_known_when_running(programs):
    cp = sys.modules['cupy']
    found = tangent.grad(programs.given, wrt=1)(cp.sin, to_device(X))
    np.testing.assert_allclose(to_host(found), np.sin(X) + X * np.cos(X))
    both = tangent.grad(programs.either)
    np.testing.assert_allclose(to_host(both(to_device(X))), np.cos(X))
    np.testing.assert_allclose(both(X), np.cos(X))
    np.testing.assert_allclose(to_host(tangent.elementwise_grad(cp.tanh)(to_device(X))), 1 - np.tanh(X) ** 2)


def test_what_the_function_moves_is_moved_back(programs):
    df = tangent.grad(programs.there_and_back)
    Counter.moves = 0
    found = df(X)
    assert type(found) is np.ndarray and Counter.moves == 3        # there and back, and back again
    np.testing.assert_allclose(found, -np.cos(np.cos(X)) * np.sin(X))
    moved = tangent.jvp(programs.there_and_back)(X, np.ones(3))
    np.testing.assert_allclose(moved, np.sum(found))


def test_numbers_of_literals_stay_on_the_host(programs):
    assert 'math.log(2)' in tangent.source(tangent.grad(programs.log_two))


def test_a_rebound_function_is_followed(programs):
    df = tangent.grad(programs.chain)
    assert tangent.grad(programs.chain) is df
    assert registry.lookup(sys.modules['cupy'].tanh) is registry.lookup(np.tanh)
    assert registry.lookup(sys.modules['cupy'].add.reduce) is registry.lookup(np.add.reduce)


def test_claims_are_met(tmp_path):
    """Each function of NumPy's that the table says serves CuPy has a sample that does, on the array that forbids conversion."""
    wanted = {e.name for e in coverage.entries() if e.cupy and e.name.startswith(('numpy.', '.')) and not e.constant}
    assert len(wanted) > 290
    keys = [key for key in test_strict.PLAIN if '=lambda' not in key[0]]
    served, problems, tried = set(), [], collections.Counter()
    calls = define([(key[0], test_strict.PLAIN[key].values) for key in keys], tmp_path / 'claims.py')
    with test_strict.quiet():
        for key, call in zip(keys, calls, strict=True):
            found = names_in(key[0]) & wanted - served
            tried.update(found)
            if any(tried[name] <= 5 for name in found):
                counts = Counts()
                values = test_strict.PLAIN[key].values
                test_strict.check_sample(key[0], call, {n: values[n] for n in call.names}, counts, problems)
                served |= found if counts else set()
    assert not problems
    assert wanted - served == UNSAMPLED, ' '.join(sorted((wanted - served) ^ UNSAMPLED))


def names_in(text):
    """The names of the table for the functions, methods and attributes in an expression."""
    found = set()
    for node in gast.walk(tree.expression(text)):
        if isinstance(node, gast.Attribute):
            path = tree.dotted(node) or ''
            known = path.split('.')[0] in ('np', 'numpy')
            found |= {'numpy.' + path.partition('.')[2]} if known else {f'.{node.attr}', f'.{node.attr}()'}
    return found


def _entry_name(rule):
    form = rule.form
    receiver = isinstance(form, gast.Call) and isinstance(form.func, gast.Attribute) and tree.dotted(form.func.value) in rule.parameters
    return f'.{form.func.attr}()' if receiver else f'.{form.attr}' if isinstance(form, gast.Attribute) else rule.name


# Of a shape alone, other names of the same function, or called as CuPy's own (`cupy.asarray`)
UNSAMPLED = {'numpy.row_stack', *('numpy.' + n for n in '''arange array asanyarray asarray ascontiguousarray
             asfortranarray fft.fftfreq fft.rfftfreq full'''.split())}


# The real CuPy, which can be imported where there is no device

@pytest.fixture
def cupy():
    return pytest.importorskip('cupy', reason='CuPy is not installed: what is said of it cannot be compared with it')


def signature_of(thing):
    try:
        return inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return None


def test_what_cupy_lacks(cupy):
    lacking, keywords = set(), {}
    for module, prefix in ((np, ''), (np.linalg, 'linalg.'), (np.fft, 'fft.')):
        theirs = getattr(cupy, prefix.rstrip('.')) if prefix else cupy
        for name in dir(module):
            function = getattr(module, name)
            if name.startswith('_') or not callable(function) or isinstance(function, type) and name != 'ndenumerate':
                continue
            if not hasattr(theirs, name):
                lacking.add(prefix + name)
            elif not isinstance(function, np.ufunc):
                ours, given = signature_of(function), signature_of(getattr(theirs, name))
                if ours and given and not any(p.kind is p.VAR_KEYWORD for p in given.values()):
                    missing = {p for p in ours if p not in given and p not in ('like', 'device', 'out')}
                    keywords.update({prefix + name: missing} if missing else {})
    if cupy.__version__.split('.')[0] == '14' and np.__version__.startswith('2.4'):
        assert lacking == cupy_names.LACKING
        assert keywords == KEYWORDS
    claimed = {e.name[6:] for e in coverage.entries() if e.cupy and e.name.startswith('numpy.') and not e.constant}
    assert not claimed & lacking


def test_methods_and_scipy(cupy):
    assert {m for m in cupy_names.METHODS | cupy_names.ATTRIBUTES if not hasattr(cupy.ndarray, m)} == set()
    for name in ('special', 'fft'):
        module = importlib.import_module(f'cupyx.scipy.{name}')
        assert [n for n in cupy_names.SCIPY if n.startswith(name + '.') and not hasattr(module, n.partition('.')[2])] == []


def resolved(cupy, path):
    """What CuPy has under a dotted name of NumPy's."""
    found = cupy
    for part in path.split('.')[1:]:
        found = getattr(found, part, None)
    return found


def test_functions_that_rules_call_exist(cupy):
    """For each function that the table says serves CuPy: all that its rule and its helpers call is in the real module."""
    missing = {}
    for entry, rule in claimed_rules():
        for path in coverage_cupy.reached(rule):
            if path.startswith('numpy.') and resolved(cupy, path) is None:
                missing.setdefault(path, []).append(entry)
    assert missing == {}


# Passed only where the call that is differentiated passed them, which CuPy would have refused itself
PASSED_ON = frozenset('where initial mean correction ddof hermitian weights method'.split())


def claimed_rules():
    names = {e.name: e for e in coverage.entries() if e.cupy and not e.constant}
    for table in (registry.REVERSE, registry.METHODS):
        for rule in table.values():
            if rule.kind not in ('constant', 'template') and _entry_name(rule) in names:
                yield _entry_name(rule), rule


def calls_of(rule):
    """(dotted name of NumPy's, number of arguments, keywords) for each call in the texts of a rule."""
    texts = [t for p in [rule.partials, *(v for _, v, _ in rule.variants)] for t in p.values()]
    for text in [*texts, rule.forward_text, *(f for *_, f in rule.variants)]:
        for node in gast.walk(text) if isinstance(text, gast.AST) else ():
            if isinstance(node, gast.Call) and (tree.dotted(node.func) or '').startswith('numpy.'):
                yield tree.dotted(node.func), node.args, [k.arg for k in node.keywords]


def test_signatures_that_rules_call(cupy):
    """The arguments and keywords in the texts of the rules are ones that CuPy's functions take."""
    checked, wrong = 0, []
    for entry, rule in claimed_rules():
        for path, args, keywords in calls_of(rule):
            function = resolved(cupy, path)
            known = signature_of(function)
            if known is None or isinstance(function, cupy.ufunc):
                continue
            checked += 1
            stars = {p.kind for p in known.values()}
            takes = [p for p in known.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
            starred = any(isinstance(a, gast.Starred) for a in args)
            if len(args) > len(takes) and inspect.Parameter.VAR_POSITIONAL not in stars and not starred:
                wrong.append((entry, path, len(args)))
            unknown = set(keywords) - set(known) - PASSED_ON - {None}
            if unknown and inspect.Parameter.VAR_KEYWORD not in stars:
                wrong.append((entry, path, sorted(unknown)))
    assert checked > 80 and wrong == []


def test_kernels_are_made_of_ufuncs(cupy):
    names = [n for n in dir(cupy) if kernel_fusion.is_function(tree.expression(f'np.{n}'))]
    assert len(names) > 60 and {n for n in names if not isinstance(getattr(cupy, n), cupy.ufunc)} == {'where'}


@pytest.mark.parametrize(('names', 'expected'), [
    ("[f.__dict__[n] for n in '" + ' '.join(NAMES) + "'.split()]", ['cp.linalg.solve(', 'cupy.tanh(', 'cp.fft.']),
    ('[f.errors, f.soft, f.turned]', ['cp.exp(', 'special.digamma(']),
], ids=['functions_cupy', 'functions_cupyx'])
def test_texts_with_the_real_module(cupy, names, expected, request):
    """In an interpreter of its own: the text names the real functions, and needs no device."""
    module = request.node.callspec.id
    if 'cupyx' in module:
        pytest.importorskip('scipy')
    code = (f'from tests.corpora.programs import {module} as f; import tangent\n'
            f'for g in {names}: print(tangent.source(tangent.grad(g))); tangent.jvp(g)')
    done = subprocess.run([sys.executable, '-c', code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert [text for text in expected if text not in done.stdout] == [], done.stdout
    assert not re.search(r'(?<![\w.])scipy\.', done.stdout), done.stdout
