"""The column of the table for Numba: some of what it says is compiled here; `python -m tests.numba.numba_claims` compiles all of it."""
import importlib

import pytest

from tangent.interfaces.tools.coverage_numba import COMPILED, PRIMAL

pytest.importorskip('numba', reason='Numba is not installed')
pytest.importorskip('scipy')

EVERY = 45                         # one name in so many is compiled
SOME = sorted(COMPILED)[::EVERY]


@pytest.mark.parametrize('name', SOME)
def test_what_the_table_says_compiles(name, tmp_path):
    found, why = importlib.import_module('tests.numba.numba_claims').tried(name, tmp_path)
    assert found == 'compiled', why


def test_the_names_are_those_of_the_table():
    known = {e.name for e in importlib.import_module('tangent.interfaces.tools.coverage').entries() if e.reverse}
    assert known >= COMPILED | PRIMAL and not COMPILED & PRIMAL and len(COMPILED) > 150
