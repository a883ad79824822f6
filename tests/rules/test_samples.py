"""The table of rules tests itself: samples of every function, in every form, in both modes and twice (see `sampling`).

`pytest tests/rules/test_samples.py --all-samples` runs all of them, in some minutes; without the switch one call in twelve is
taken, a fixed choice. How many samples were checked is printed at the end of the run.
"""
import importlib
import re
import subprocess
import sys
import zlib

import gast
import numpy as np
import pytest

from tangent.frontend import tree
from tangent.templates.language import registry
from tests import ROOT
from tests.corpora.samples import rule_samples, rule_samples_arrays, rule_samples_made
from tests.rules import test_numpy_calls
from tests.rules.test_rules import ENV
from tests.tools.sampling import Checker, Sample, define

GENERATORS = [rule_samples_made.elementwise, rule_samples_made.reductions, rule_samples_made.orders, rule_samples_arrays.shaping,
              rule_samples_arrays.products, rule_samples_arrays.matrices, rule_samples_arrays.fourier]
CHUNKS = 64
SHARE = 12

# What is refused, or cannot be said: (text, form, message). Each of these is met in a full run, and nothing else is.
EXPECTED = [
    (r'linalg\.(eigh|svd)\(', 'complex', 'phases of complex vectors are not determined'),
    (r'slogdet.*logabsdet', 'as it stands', "'tuple' object has no attribute"),     # tangents of named results are tuples
    (r'linalg\.logm', 'single', 'is complex: this derivative was made for real numbers'),
    (r'linalg\.eigvals', 'twice', 'is complex: this derivative was made for real numbers'),
    (r'^(not s|s < 1|v == v)$', '', 'it has no gradient'),
    (r'out=np.zeros', 'as it stands', 'refused'),
    (r'np.vectorize', '', 'refused'),
]


def written():
    """The samples that are written down one by one."""
    pool = rule_samples.pool()
    for text in rule_samples.SAMPLES + rule_samples.HOLOMORPHIC + rule_samples.REFERENCES:
        if text.startswith(('numpy.', 'math.', '-', '+')) or re.match(r'\w+\.|\w+ \S+ |(abs|sum|max|min|float|pow|complex)\(', text):
            if not text.startswith('cmath'):
                yield Sample(text, pool)
    for text in test_numpy_calls.EXPRESSIONS:
        if 'scipy' not in text:
            yield Sample(text, test_numpy_calls.VALUES, twice='functools' not in text and 'lambda' not in text)


def everything():
    """Text -> its samples; those of SciPy where it is installed."""
    found = {}
    generators = [written, *GENERATORS]
    if importlib.util.find_spec('scipy') is not None:
        generators += importlib.import_module('tests.corpora.samples.rule_samples_scipy').GENERATORS
    for generator in generators:
        for sample in generator():
            found.setdefault((sample.text, generator is written, 'scipy' in generator.__module__), []).append(sample)
    return found


ALL = everything()


def chunk(k, whole):
    """The texts of a chunk, whose module is one file."""
    return [key for key in ALL if zlib.crc32(key[0].encode()) % CHUNKS == k
            and (whole or zlib.crc32(key[0].encode()) // CHUNKS % SHARE == 0)]


def is_expected(text, form, message):
    return any(re.search(t, text) and form.startswith(f) and re.search(m, message) for t, f, m in EXPECTED)


@pytest.mark.share(2)
@pytest.mark.parametrize('k', range(CHUNKS))
def test_samples(k, tmp_path, record_property, request):
    keys = chunk(k, request.config.getoption('--all-samples'))
    checker = Checker()
    for scipy in (False, True):
        mine = [key for key in keys if key[2] == scipy]
        calls = define([(key[0], ALL[key][0].values) for key in mine], tmp_path / f'calls_{k}_{scipy}.py', scipy)
        for key, call in zip(mine, calls, strict=True):
            for sample in ALL[key]:
                checker.check(call, sample)
    record_property('samples', sum(checker.counts.values()))
    record_property('calls', len(keys))
    problems = [p for p in checker.problems if not is_expected(*p)]
    assert not problems, '\n'.join(f'{form} | {text} | {message[:300]}' for text, form, message in problems)


def used(text):
    """The rules of the functions, methods, attributes and operators in a text."""
    for node in gast.walk(tree.expression(text)):
        if isinstance(node, gast.BinOp):
            yield registry.operator(type(node.op))
        elif isinstance(node, gast.UnaryOp):
            yield registry.operator(type(node.op))
        elif isinstance(node, gast.Attribute):
            yield registry.attribute(node.attr)
        elif isinstance(node, gast.Call):
            name = tree.dotted(node.func) if isinstance(node.func, (gast.Name, gast.Attribute)) else None
            if name is not None and name.split('.')[0] in NAMES:
                yield registry.lookup(eval(name, NAMES))
            elif isinstance(node.func, gast.Attribute):
                yield registry.method(node.func.attr)


NAMES = {k: v for k, v in ENV.items() if k in ('numpy', 'math', 'cmath', 'operator')} | {'np': np}
NAMES |= {f.__name__: f for f in (abs, sum, max, min, float, pow, complex, divmod, sorted, tuple, list, dict, zip, reversed, enumerate)}
if importlib.util.find_spec('scipy') is not None:
    import scipy
    NAMES |= {m: importlib.import_module(f'scipy.{m}') for m in '''fft integrate interpolate linalg ndimage signal sparse special
              stats'''.split()} | {'scipy': scipy}
    registry.declare_extras()


def test_every_rule_has_a_sample():
    """Whatever claims to have a derivative is among the samples: none of them is claimed and not had.

    Asked of a fresh interpreter, where no other test has registered rules of its own.
    """
    code = 'from tests.rules import test_samples; print(*sorted(test_samples.without_sample()))'
    done = subprocess.run([sys.executable, '-c', code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.strip(), done.returncode) == ('', 0), done.stderr


def without_sample():
    """Names of rules that no sample reaches."""
    reached = set()
    for text, *_ in ALL:
        reached |= {id(rule) for rule in used(text)}
    claimed = {id(r): r for table in (registry.REVERSE, registry.METHODS, registry.ATTRIBUTES, registry.OPERATORS) for r in table.values()
               if r.kind not in ('constant', 'template') and r.differentiable}
    lacking = sorted(r.name for k, r in claimed.items() if k not in reached and not r.name.startswith(BESIDE)
                     and (r.name.count('.') > 1 or not r.name.startswith('a.')))
    return set(lacking) - ELSEWHERE


ELSEWHERE = {
    'x.toarray', 'x.tocoo', 'x.tocsc', 'x.tocsr',                              # of sparse matrices: tests/rules/scipy/test_sparse.py
    'numpy.random.normal', 'numpy.random.uniform',                             # of random numbers: tests/rules/test_rules.py
    'numpy.float16', 'numpy.longdouble', 'numpy.complex64', 'numpy.clongdouble',         # these change the precision
    'numpy.row_stack', 'a.flat', 'zip', 'enumerate', 'copied', 'held_alike', 'displaced',    # of older versions, of containers
}
BESIDE = ('cmath.', 'numpy.ma.', 'scipy.optimize.', 'scipy.integrate.', 'scipy.sparse.')        # have tests of their own



def test_there_are_many():
    counted = sum(len(v) for v in ALL.values())
    assert len(ALL) > 2000 and counted > 4000                 # each in about eight forms
