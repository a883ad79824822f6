"""The table of what has a derivative: docs and README say what the registry says, and what is claimed can be called."""
import importlib
import re

import numpy as np
import pytest

import tangent
from tests import ROOT

coverage = importlib.import_module('tangent.interfaces.tools.coverage')
RULES, README = ROOT / 'docs' / 'rules.md', ROOT / 'README.md'
START = '### NumPy\n'
COUNT = re.compile(r'(\d+) functions, methods and operators')

pytest.importorskip('scipy')
newest = pytest.mark.skipif(not hasattr(np, 'vecmat'), reason='the table is of the newest NumPy')


@newest
def test_the_page_has_the_table(request):
    page = RULES.read_text(encoding='utf-8')
    if request.config.getoption('--update-docs'):
        RULES.write_text(page[:page.index(START)] + coverage.table(), encoding='utf-8')
    assert RULES.read_text(encoding='utf-8').endswith(coverage.table()), 'pytest tests/rules/test_coverage.py --update-docs writes it'


@newest
def test_the_readme_has_the_count(request):
    text = README.read_text(encoding='utf-8')
    right = str(coverage.counts()[0])
    if request.config.getoption('--update-docs'):
        README.write_text(COUNT.sub(f'{right} functions, methods and operators', text), encoding='utf-8')
    assert COUNT.search(README.read_text(encoding='utf-8'))[1] == right


def test_it_prints(capsys):
    tangent.coverage()
    assert capsys.readouterr().out == coverage.table()


def test_every_name_is_one_that_people_can_write():
    for entry in coverage.entries():
        module, _, name = entry.name.rpartition('.')
        if entry.name.startswith(('numpy.', 'math.', 'cmath.', 'scipy.', 'operator.')):
            owner = importlib.import_module(entry.name.partition('.')[0])
            for part in entry.name.split('.')[1:]:
                owner = getattr(owner, part) if hasattr(owner, part) else importlib.import_module(f'{owner.__name__}.{part}')
            assert callable(owner), entry


def test_nothing_is_both_a_constant_and_differentiable():
    assert not [e for e in coverage.entries() if e.constant and (e.reverse or e.forward)]


def test_the_usual_functions_are_there():
    known = {e.name: e for e in coverage.entries()}
    for name in ('numpy.tanh', 'numpy.linalg.svd', 'numpy.fft.rfft', 'x @ y', 'math.erf', 'scipy.special.gammaln', '.sum()', '.T'):
        assert known[name].reverse and known[name].forward
    assert known['numpy.argmax'].constant and known['numpy.abs'].in_complex
    assert known['numpy.gradient'].refused == ('varargs',)
