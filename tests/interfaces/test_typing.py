"""mypy and pyright are clean on users' scripts, and find what is wrong in them."""
import os
import re
import shutil
import subprocess
import sys

import pytest

from tests import ROOT

SCRIPTS = ROOT / 'tests/interfaces/typed'
CHECKERS = {
    'mypy': [sys.executable, '-m', 'mypy', '--strict', '--ignore-missing-imports', '--follow-imports=silent', '--no-error-summary'],
    'pyright': [sys.executable, '-m', 'pyright', '--pythonpath', sys.executable],
}


@pytest.fixture(scope='module')
def complaints(tmp_path_factory):
    """A function that gives what a checker says of the scripts: (file, line) -> message, for its errors."""
    folder, known = tmp_path_factory.mktemp('scripts'), {}
    for script in SCRIPTS.glob('*.py'):
        if script.stem != '__init__':
            shutil.copy(script, folder)

    def of(checker):
        pytest.importorskip(checker)
        if checker not in known:
            done = subprocess.run([*CHECKERS[checker], *sorted(map(str, folder.glob('*.py')))], capture_output=True, text=True,
                                  cwd=folder, env={**os.environ, 'PYTHONPATH': str(ROOT), 'MYPYPATH': str(ROOT),
                                                   'PYRIGHT_PYTHON_IGNORE_WARNINGS': '1'})
            found = re.findall(r'(\w+\.py):(\d+)(?::\d+)?(?: -|:) error: (.*)', done.stdout)
            assert found or done.returncode == 0, done.stdout + done.stderr
            known[checker] = {(file, int(line)): message for file, line, message in found}
        return known[checker]
    return of


@pytest.mark.parametrize('checker', CHECKERS)
def test_users_scripts_are_clean(checker, complaints):
    assert {place: said for place, said in complaints(checker).items() if place[0] != 'mistakes.py'} == {}


@pytest.mark.parametrize('checker', CHECKERS)
def test_mistakes_are_found(checker, complaints):
    lines = (SCRIPTS / 'mistakes.py').read_text(encoding='utf-8').splitlines()
    wrong = {k for k, line in enumerate(lines, 1) if line.endswith('# wrong')}
    assert {line for file, line in complaints(checker) if file == 'mistakes.py'} == wrong
