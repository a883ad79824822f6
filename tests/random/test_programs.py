"""Random programs (some hundred, a thousand with --all-samples), the ones that once failed, and the tools that find and shrink them."""
import doctest
import pathlib

import pytest

from tests.conftest import asks_for_all
from tests.random import random_programs
from tests.random.program_writer import Writer
from tests.random.program_writer_jumps import JumpsWriter
from tests.random.program_writer_python import FEATURES, PythonWriter
from tests.random.random_programs import Outcome, campaign, judge, load
from tests.random.state.judge import judge as judge_in_every_mode
from tests.random.state.views import ViewWriter
from tests.random.state.writer import StateWriter
from tests.tools import shrinking

REGRESSIONS = sorted((pathlib.Path(__file__).parent / 'regressions').glob('*.py'))


@pytest.fixture
def few(request):
    """(how many, of how many) -> the number of programs to judge: the second where all are to run."""
    return lambda count, all_of_them: all_of_them if asks_for_all(request.config) else count


@pytest.mark.share(10)
@pytest.mark.parametrize('seed', range(0, 1000, 100))
def test_sixty(seed, tmp_path, few):
    texts, count = [], few(30, 60)
    outcomes, refusals, failed = campaign(count, seed, tmp_path, shrinking=True, report=texts.append)
    assert not failed, '\n'.join(texts)
    assert outcomes['right'] >= 0.8 * count, (outcomes, refusals)


@pytest.mark.parametrize('feature', FEATURES)
def test_more_of_python(feature, tmp_path, few):
    texts, count = [], few(4, 10)
    outcomes, refusals, failed = campaign(count, 100, tmp_path, shrinking=True, report=texts.append,
                                          writer=lambda seed: PythonWriter(seed, (feature,)))
    assert not failed, '\n'.join(texts)
    assert outcomes['right'] >= 0.7 * count, (outcomes, refusals)


@pytest.mark.share(3)
@pytest.mark.parametrize('seed', [3, 20, 49])
def test_state(seed, tmp_path):
    texts = []
    outcomes, refusals, failed = campaign(12, seed, tmp_path, report=texts.append, writer=StateWriter, judge=judge_in_every_mode)
    assert not failed, '\n'.join(texts)
    assert outcomes['right'] >= 4, (outcomes, refusals)


@pytest.mark.share(2)
@pytest.mark.parametrize('seed', [0, 40])
def test_views(seed, tmp_path):
    texts = []
    outcomes, refusals, failed = campaign(12, seed, tmp_path, report=texts.append, writer=ViewWriter, judge=judge_in_every_mode)
    assert not failed, '\n'.join(texts)
    assert outcomes['right'] >= 6, (outcomes, refusals)


@pytest.mark.share(2)
@pytest.mark.parametrize('seed', [0, 30])
def test_jumps(seed, tmp_path):
    texts = []
    outcomes, refusals, failed = campaign(15, seed, tmp_path, shrinking=True, report=texts.append, writer=JumpsWriter)
    assert not failed, '\n'.join(texts)
    assert outcomes['right'] >= 10, (outcomes, refusals)


@pytest.mark.parametrize('path', REGRESSIONS, ids=lambda path: path.stem)
def test_regression(path):
    """Right; a program that says so may be refused, until a later version takes it."""
    outcome = judge(path)
    assert outcome == Outcome('right') or outcome.kind == 'refused' and hasattr(load(path), 'MAY_BE_REFUSED'), outcome


def test_a_seed_is_a_program():
    assert Writer(7).program() == Writer(7).program() != Writer(8).program()
    assert StateWriter(7).program() == StateWriter(7).program() != StateWriter(8).program()
    assert ViewWriter(7).program() == ViewWriter(7).program() != ViewWriter(8).program()
    assert PythonWriter(7).program() == PythonWriter(7).program() != PythonWriter(7, FEATURES[:1]).program()


def test_shrinking():
    assert not doctest.testmod(shrinking).failed


PROGRAM = """
import math
ARGS = (1.5, -0.3)
WRT = (0,)
ANALYTIC = False
def f(x, y):
    {}
"""


@pytest.mark.parametrize('body, kind', [
    ('return x * x + y', 'right'),
    ('return abs(x - 1.5) * y', 'skipped'),
    ('return x if x > 1.5 else 2 * y', 'skipped'),
    ('return x ** 100', 'skipped'),
    ('yield x', 'refused'),
])
def test_outcomes(body, kind, tmp_path, monkeypatch):
    if kind == 'refused':
        monkeypatch.setattr(random_programs, 'smooth_gradients', lambda module: [1.0])
    path = tmp_path / 'program.py'
    path.write_text(PROGRAM.format(body))
    assert judge(path).kind == kind


@pytest.mark.parametrize('way, kind', [
    (lambda x, y: (2.9, x * x + y), 'wrong'),
    (lambda x, y: (3.0, 0.0), 'wrong'),
    (lambda x, y: (3.0, 1 / 0), 'crashed'),
    (lambda x, y: (3.0, x * x + y), 'right'),
])
def test_failures_are_seen(way, kind, tmp_path, monkeypatch):
    monkeypatch.setattr(random_programs, 'ways', lambda f, wrt: [('optimized', way)])
    path = tmp_path / 'program.py'
    path.write_text(PROGRAM.format('return x * x + y'))
    assert judge(path).kind == kind
