"""Functions whose source is in no file that `inspect` finds: differentiated where Python has left the text, else told what to do."""
import collections.abc
import os
import subprocess
import sys
import time
import zipfile

import pytest

from tangent.frontend.source import read
from tests import ROOT

TEXT = 'import tangent\ndef f(x):\n    return x * x * x\n\n\ng = lambda x: x * x\nprint(tangent.grad(f)(2.0), tangent.grad(g)(2.0))\n'
ENVIRONMENT = {**os.environ, 'PYTHONPATH': str(ROOT)}


def run(*args, **options):
    return subprocess.run([sys.executable, *args], capture_output=True, text=True, env=ENVIRONMENT, timeout=120, **options)


@pytest.mark.parametrize('args', [['-c', TEXT], ['-uc', TEXT], ['-W', 'ignore', '-c', TEXT], ['-c' + TEXT]])
def test_on_the_command_line(args):
    assert run(*args).stdout == '12.0 4.0\n'


def test_a_script_as_standard_input(tmp_path):
    (tmp_path / 'script.py').write_text(TEXT)
    with open(tmp_path / 'script.py') as script:
        assert run('-', stdin=script).stdout == '12.0 4.0\n'
    found = run('-', input=TEXT)                                    # a pipe
    assert 'is not kept' in found.stderr and 'SourceError' in found.stderr


@pytest.mark.skipif(sys.platform == 'win32', reason='a terminal is made with pty')
def test_at_the_prompt():
    pty = pytest.importorskip('pty')
    pytest.importorskip('readline')
    pid, terminal = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, '-q', '-i', '-c', 'import readline'],
                  {**ENVIRONMENT, 'TERM': 'dumb', 'PYTHON_BASIC_REPL': '1', 'PYTHONSTARTUP': ''})
    seen = b''
    try:
        for line in ('import tangent', 'def f(x):', '    y = x * x', '    return y * x', '', 'def f2(x):', '    return x', '',
                     'g = lambda x: x * x', 'print("%s and %s" % (tangent.grad(f)(2.0), tangent.grad(g)(2.0)))'):
            os.write(terminal, line.encode() + b'\n')
        end = time.time() + 60
        while b'12.0 and 4.0' not in seen and b'Error' not in seen and time.time() < end:
            seen += os.read(terminal, 4096)
    finally:
        os.write(terminal, b'exit()\n')
        os.close(terminal)
        os.waitpid(pid, 0)
    assert b'12.0 and 4.0' in seen


def test_in_a_zip(tmp_path):
    with zipfile.ZipFile(tmp_path / 'packed.zip', 'w') as file:
        file.writestr('packed.py', 'def f(x):\n    return x * x\n')
    found = run('-c', 'import sys; sys.path.insert(0, "packed.zip")\nimport packed, tangent\nprint(tangent.grad(packed.f)(3.0))',
                cwd=tmp_path)
    assert found.stdout == '6.0\n'


def test_compiled_alone(tmp_path):
    (tmp_path / 'alone.py').write_text('def f(x):\n    return x * x\n')
    run('-m', 'compileall', '-q', '-b', '.', cwd=tmp_path)
    (tmp_path / 'alone.py').unlink()
    found = run('-c', 'import sys; sys.path.insert(0, ".")\nimport alone, tangent\nprint(tangent.grad(alone.f)(3.0))', cwd=tmp_path)
    assert 'keep the .py file' in found.stderr and 'custom_vjp' in found.stderr


def test_another_text_of_the_command_line_is_none():
    """What `exec` defines beside it has lines of its own, which nobody has kept."""
    text = 'import tangent\nexec("def f(x):\\n    return x * x\\n")\nprint(tangent.grad(f)(3.0))'
    found = run('-c', text)
    assert 'cannot be read' in found.stderr or found.stdout == '6.0\n'


def test_frozen_modules_that_call_themselves_otherwise():
    """`Mapping.__module__` is `collections.abc`, and its code that of `_collections_abc`."""
    assert read(collections.abc.Mapping.get).tree.name == 'get'
    assert read(collections.abc.MutableMapping.pop).first > 500
