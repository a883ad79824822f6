"""The command line: what it prints, where, and with which exit code."""
import io
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

import pytest

from tangent.interfaces.tools import cli
from tangent.interfaces.tools.cli.parser import EXAMPLES
from tangent.interfaces.tools.viewer import colours, progress
from tests import ROOT

MODULE = '''\
"""A module of a user's."""
import numpy as np
import tangent


def half(v):
    return 0.5 * v


def energy(x, k=2.0):
    return half(k) * np.sum(x * x)


def lie(x):
    return x + 1.0


@tangent.grads.adjoint(lie)
def adjoint_lie(y, x):
    d[x] = 3.0 * d[y]


def wrong(x):
    return lie(x) * 2.0


def vector(x):
    return x * 2.0


def loopy(x):
    async def inner():
        pass
    return x


def fails(x):
    table = {'one': 1.0}
    return table['no such thing'] * x


def point():
    return np.ones(3), 4.0


def pair(p):
    return p[0] * p[1]


def decay(x):
    for _ in range(3):
        x = np.tanh(x)
    return np.sum(x)
'''


@pytest.fixture
def model(tmp_path, monkeypatch):
    """The name of a file of functions, in the current folder."""
    (tmp_path / 'model.py').write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', sys.path[:])
    yield 'model.py'
    for name in [n for n in sys.modules if n.startswith('model')]:
        del sys.modules[name]


def run(capsys, *argv):
    """(exit code, standard output, standard error) of a command."""
    try:
        code = cli.main(list(argv))
    except SystemExit as stop:
        code = stop.code
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def refused(capsys, *argv):
    """The message of a command that cannot be carried out."""
    code, out, err = run(capsys, *argv)
    assert (code, out) == (2, '')
    assert 'Traceback' not in err
    return err


def test_show_prints_the_source(model, capsys):
    code, out, err = run(capsys, 'show', f'{model}:energy')
    assert (code, err) == (0, '')
    assert out.startswith('def denergydx(x, k=2.0, b')
    assert '\x1b' not in out


def test_show_by_names_and_positions(model, capsys):
    _, by_name, _ = run(capsys, 'show', f'{model}:energy', '--wrt', 'x, k')
    _, by_place, _ = run(capsys, 'show', f'{model}:energy', '--wrt', '0,1')
    assert by_name == by_place
    assert 'def denergydxdk(' in by_name


def test_raw_shows_more(model, capsys):
    _, raw, _ = run(capsys, 'show', f'{model}:energy', '--raw')
    _, optimized, _ = run(capsys, 'show', f'{model}:energy')
    assert len(raw) > len(optimized)


def test_verbose_prints_the_rooms_before_the_source(model, capsys):
    _, out, _ = run(capsys, 'show', f'{model}:energy', '--verbose')
    _, source, _ = run(capsys, 'show', f'{model}:energy')
    assert out.endswith(source)
    assert len(out) > 2 * len(source)


def test_color_on_request_only(model, capsys):
    _, painted, _ = run(capsys, 'show', f'{model}:energy', '--color', 'always')
    _, plain, _ = run(capsys, 'show', f'{model}:energy', '--color', 'never')
    assert '\x1b[' in painted
    assert '\x1b[' not in plain


def test_color_follows_the_terminal(monkeypatch):
    monkeypatch.delenv('NO_COLOR', raising=False)
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: True, raising=False)
    assert colours.is_wanted(choice='auto')
    monkeypatch.setenv('NO_COLOR', '1')
    assert not colours.is_wanted(choice='auto')
    assert colours.is_wanted(choice='always')


def test_without_pygments_the_text_is_plain(model, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, 'pygments', None)
    code, out, _ = run(capsys, 'show', f'{model}:energy', '--color', 'always')
    assert code == 0
    assert '\x1b' not in out


def test_module_names(capsys):
    pytest.importorskip('scipy')
    code, out, _ = run(capsys, 'show', 'scipy.optimize:rosen')
    assert code == 0
    assert 'def drosendx(x' in out


def test_check_agrees(model, capsys):
    code, out, err = run(capsys, 'check', f'{model}:energy', '--wrt', 'x,k', '--at', 'np.ones(3)', '--at', '2')
    assert (code, err) == (0, '')
    header, x, k = out.splitlines()
    assert header.split() == ['argument', 'at', 'derivative', 'difference', 'error']
    assert x.split()[0].startswith('x[') and x.split()[-1] == 'ok'
    assert k.split()[:1] + k.split()[-1:] == ['k', 'ok']


def test_check_reports_a_wrong_derivative(model, capsys):
    code, out, _ = run(capsys, 'check', f'{model}:wrong', '--at', '2.0')
    assert code == 1
    assert out.splitlines()[1].split() == ['x', '1', 'of', '1', '6', '2', '6.7e-01', 'WRONG']


@pytest.mark.parametrize('text', ['point()', '*point()[:1], 4.0', '(np.ones(3), 4.0)'])
def test_check_takes_a_tuple_of_all_arguments_from_the_module(model, capsys, text):
    code, out, _ = run(capsys, 'check', f'{model}:energy', '--wrt', 'x,k', '--at', text)
    assert code == 0
    assert len(out.splitlines()) == 3


def test_check_of_a_container(model, capsys):
    code, out, _ = run(capsys, 'check', f'{model}:pair', '--at', '[2.0, 3.0]')
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ['argument', 'p[0]', 'p[1]']


def test_check_refuses_text_and_missing_values(model, capsys):
    assert 'not a number' in refused(capsys, 'check', f'{model}:energy', '--at', '"text"')
    assert "'k'" in refused(capsys, 'check', f'{model}:energy', '--wrt', 'k', '--at', '1.0')
    assert '--at' in refused(capsys, 'check', f'{model}:energy')


def test_check_refuses_results_that_are_no_number(model, capsys):
    refused(capsys, 'check', f'{model}:vector', '--at', 'np.ones(3)')


def test_check_shows_where_an_expression_fails(model, capsys):
    message = refused(capsys, 'check', f'{model}:energy', '--at', '1 / 0')
    assert 'ZeroDivisionError: division by zero' in message
    assert 'SyntaxError' in refused(capsys, 'check', f'{model}:energy', '--at', '1 +')


def test_export_runs_on_its_own(model, capsys, tmp_path):
    assert run(capsys, 'export', f'{model}:energy', '--wrt', 'x,k', '-o', 'denergy.py') == (0, '', '')
    program = 'import denergy, numpy; dx, dk = denergy.denergydxdk(numpy.array([1.0, 2.0]), 3.0); print(*dx, float(dk))'
    done = subprocess.run([sys.executable, '-c', program], cwd=tmp_path, capture_output=True, text=True,
                          env=environment())
    assert (done.stdout, done.stderr) == ('3.0 6.0 2.5\n', '')


def test_export_does_not_need_the_file_it_came_from(model, capsys, tmp_path):
    (tmp_path / 'elsewhere').mkdir()
    assert run(capsys, 'export', f'{model}:energy', '-o', 'elsewhere/denergy.py') == (0, '', '')
    program = 'import denergy, sys; print(denergy.denergydx(5.0), "model" in sys.modules)'
    done = subprocess.run([sys.executable, '-c', program], cwd=tmp_path / 'elsewhere', capture_output=True, text=True,
                          env=environment())
    assert (done.stdout, done.stderr) == ('10.0 False\n', '')


def test_export_to_standard_output(model, capsys):
    code, out, _ = run(capsys, 'export', f'{model}:energy')
    run(capsys, 'export', f'{model}:energy', '-o', 'denergy.py')
    assert code == 0
    assert out == pathlib.Path('denergy.py').read_text()


def test_export_to_a_folder_that_is_not_there(model, capsys):
    assert 'cannot write' in refused(capsys, 'export', f'{model}:energy', '-o', 'nowhere/denergy.py')


@pytest.mark.parametrize('target, reason', [
    ('missing.py:f', 'missing.py: no such file'),
    ('model.py:nothing', "no function 'nothing'"),
    ('model.py', 'expected FILE.py:FUNCTION'),
    ('no_such_module_here:f', 'no_such_module_here'),
    ('os:getpid', 'getpid'),
    ('model.py:np', ''),
])
def test_targets_that_cannot_be_differentiated(model, capsys, target, reason):
    assert reason in refused(capsys, 'show', target)


def test_unknown_arguments(model, capsys):
    assert "'z'" in refused(capsys, 'show', f'{model}:energy', '--wrt', 'z')
    assert '7' in refused(capsys, 'show', f'{model}:energy', '--wrt', '7')


def test_the_fence_shows_the_users_line(model, capsys):
    message = refused(capsys, 'show', f'{model}:loopy')
    assert 'async def inner' in message
    assert 'model.py' in message


def test_a_file_that_fails_shows_its_line(model, capsys, tmp_path):
    (tmp_path / 'broken.py').write_text('a = 1\nb = a / 0\n')
    message = refused(capsys, 'show', 'broken.py:f')
    assert 'line 2' in message and 'b = a / 0' in message and 'ZeroDivisionError' in message
    (tmp_path / 'garbled.py').write_text('def f(x:\n')
    assert 'def f(x:' in refused(capsys, 'show', 'garbled.py:f')


def test_a_function_that_fails_shows_its_line(model, capsys):
    message = refused(capsys, 'check', f'{model}:fails', '--at', '1.0')
    assert "return table['no such thing'] * x\nKeyError: 'no such thing'" in message


def test_usage(capsys):
    assert 'usage: tangent' in refused(capsys)
    assert 'invalid choice' in refused(capsys, 'dance')
    code, out, _ = run(capsys, '--help')
    assert code == 0
    assert 'show' in out and 'check' in out and 'export' in out and 'exit codes' in out
    for command in EXAMPLES:
        code, out, _ = run(capsys, command, '--help')
        assert code == 0
        assert 'example' in out and f'  tangent {EXAMPLES[command][0]}\n' in out


@pytest.mark.parametrize('command', [line for lines in EXAMPLES.values() for line in lines])
def test_the_examples_of_the_help_run(command, capsys, tmp_path, monkeypatch):
    (tmp_path / 'examples').symlink_to(ROOT / 'examples')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, 'path', sys.path[:])
    monkeypatch.setattr('webbrowser.open', lambda uri: None)
    code, out, err = run(capsys, *shlex.split(command))
    assert (code, err) == (0, '')
    written = re.findall(r'-o (\S+)', command)
    assert all((tmp_path / name).stat().st_size for name in written) and bool(out) != bool(written)


def test_view_writes_a_page(model, capsys, tmp_path):
    assert run(capsys, 'view', f'{model}:energy', '--wrt', 'x,k', '-o', 'energy.html') == (0, '', '')
    text = (tmp_path / 'energy.html').read_text()
    assert text.startswith('<!DOCTYPE html>') and 'denergydxdk' in text and 'forward raw' in text


def test_view_shows_a_page_in_a_browser(model, capsys, monkeypatch):
    opened = []
    monkeypatch.setattr('webbrowser.open', opened.append)
    code, out, _ = run(capsys, 'view', f'{model}:energy', '--mode', 'forward', '--raw', '--at', 'np.ones(3)')
    assert code == 0
    assert opened == [pathlib.Path(out.strip()).as_uri()] and '"own":"forward raw"' in pathlib.Path(out.strip()).read_text()


def test_view_for_given_arguments(model, capsys, tmp_path):
    assert run(capsys, 'view', f'{model}:energy', '--at', 'np.ones(3)', '-o', 'energy.html')[0] == 0
    assert '["x","array (3,)"]' in (tmp_path / 'energy.html').read_text()


def test_view_refuses(model, capsys):
    assert 'cannot write' in refused(capsys, 'view', f'{model}:energy', '-o', 'nowhere/energy.html')
    assert 'async def inner' in refused(capsys, 'view', f'{model}:loopy', '-o', 'loopy.html')
    assert '--at' in refused(capsys, 'view', f'{model}:energy', '--profile', '-o', 'energy.html')
    assert not pathlib.Path('energy.html').exists()


def test_profile_says_what_each_line_takes(model, capsys):
    code, out, err = run(capsys, 'profile', f'{model}:decay', '--at', 'np.ones(10_000)')
    assert (code, err) == (0, '')
    head, titles, file, *rows = out.splitlines()
    assert head.split() == ['forward', 'backward'] and file == 'model.py'
    assert titles.split() == ['line', *2 * ['time', 'memory', 'runs']]
    assert any(row.endswith('| x = np.tanh(x)') and 'kB' in row for row in rows)
    assert 'ddecaydx: ' in rows[-2] and rows[-1].startswith('most of the time: model.py:')


def test_profile_refuses(model, capsys):
    assert '--at' in refused(capsys, 'profile', f'{model}:energy')
    assert "KeyError: 'no such thing'" in refused(capsys, 'profile', f'{model}:fails', '--at', '1.0')


def test_view_shows_a_profile_of_the_run(model, capsys, tmp_path):
    at = MODULE.split('\n').index('        x = np.tanh(x)') + 1
    pages = []
    for profiled in ((), ('--profile',)):
        command = 'view', f'{model}:decay', '--at', 'np.ones(10_000)', '-o', 'decay.html', *profiled
        assert run(capsys, *command) == (0, '', '')
        page = (tmp_path / 'decay.html').read_text()
        block = json.loads(re.search(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.S)[1])['blocks'][0]
        pages.append({row[2]: row[5:] for row in block['rows']})
    without, given = pages
    assert not any(without.values())
    [(forward_seconds, backward_seconds, forward_bytes, backward_bytes)] = given[at]
    assert forward_seconds > 0 and backward_seconds > 0 and forward_bytes >= 80_000 and backward_bytes >= 80_000
    assert given[at - 2] == []


def test_explain_prints_and_writes(model, capsys, tmp_path):
    code, out, _ = run(capsys, 'explain', f'{model}:energy')
    assert code == 0
    assert out.startswith('energy(x, k) with respect to x (model.py:') and 'A active' in out
    assert run(capsys, 'explain', f'{model}:energy', '-o', 'energy.html') == (0, '', '')
    assert 'energy(x, k) with respect to x' in (tmp_path / 'energy.html').read_text()
    _, given, _ = run(capsys, 'explain', f'{model}:energy', '--at', 'np.ones((5, 2))')
    assert 'x : array (n0, 2)' in given


def test_explain_in_colours_says_the_same(model, capsys):
    _, plain, _ = run(capsys, 'explain', f'{model}:energy')
    _, painted, _ = run(capsys, 'explain', f'{model}:energy', '--color', 'always')
    assert '\x1b[' in painted and re.sub(r'\x1b\[[\d;]*m', '', painted) == plain


def test_coverage_says_what_has_a_rule(capsys):
    code, out, _ = run(capsys, 'coverage', 'numpy.tanh', 'math')
    assert code == 0
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines()}
    assert rows['numpy.tanh'][:2] == ['yes', 'yes'] and rows['math.floor'][:2] == ['constant', 'constant']
    assert 'numpy.sin' not in rows
    code, out, _ = run(capsys, 'coverage', 'numpy.tanh', 'numpy.nonsense')
    assert code == 1
    assert 'numpy.nonsense: no rule' in out


def test_coverage_in_colours_lines_up(capsys):
    _, plain, _ = run(capsys, 'coverage', 'numpy.linalg')
    _, painted, _ = run(capsys, 'coverage', 'numpy.linalg', '--color', 'always')
    assert '\x1b[32myes' in painted and re.sub(r'\x1b\[[\d;]*m', '', painted) == plain


def test_the_table_of_the_documentation(capsys):
    code, out, _ = run(capsys, 'coverage', 'math.sin', '--markdown')
    assert code == 0
    assert out.startswith('### math, cmath\n') and '| `math.sin` | yes | yes |' in out


def test_check_in_colours(model, capsys):
    _, out, _ = run(capsys, 'check', f'{model}:wrong', '--at', '2.0', '--color', 'always')
    assert out.rstrip().endswith('\x1b[1;31mWRONG\x1b[0m')


def test_no_color_is_heeded(model, capsys, monkeypatch):
    monkeypatch.setenv('NO_COLOR', '1')
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: True, raising=False)
    for command in (('show', f'{model}:energy'), ('explain', f'{model}:energy'), ('coverage', 'math.sin')):
        assert '\x1b' not in run(capsys, *command)[1]


def test_interrupted(model, capsys, monkeypatch):
    def stop(*args, **keywords):
        raise KeyboardInterrupt
    monkeypatch.setattr('tangent.interfaces.tools.cli.commands.grad', stop)
    code, out, err = run(capsys, 'show', f'{model}:energy')
    assert (code, out, err) == (130, '', 'tangent: interrupted\n')


def test_what_lasts_shows_that_it_goes_on(model, capsys, monkeypatch):
    pytest.importorskip('tqdm')

    class Terminal(io.StringIO):
        def isatty(self):
            return True
    shown = Terminal()
    monkeypatch.setattr(sys, 'stderr', shown)
    monkeypatch.setattr(progress, 'PATIENCE', 0.01)
    monkeypatch.setattr('tangent.interfaces.tools.finite_differences.entry_difference',
                        lambda f, array, index: time.sleep(0.03) or 2 * array[index] * 1.0)
    cli.main(['check', f'{model}:energy', '--at', 'np.ones(9)'])
    assert re.search(r'x: +\d+%', shown.getvalue())


def test_version(capsys):
    code, out, _ = run(capsys, '--version')
    assert code == 0
    assert re.fullmatch(r'tangent \d+\.\d+\.\d+.*\n', out)


def environment():
    return {**os.environ, 'PYTHONPATH': str(ROOT)}


def test_as_a_program_in_a_pipe(model, tmp_path):
    """A closed pipe is no error, and files beside the script can be imported."""
    (tmp_path / 'beside.py').write_text('from model import energy\n\n\ndef twice(x):\n    return 2 * energy(x)\n')
    command = f'{sys.executable} -m tangent show beside.py:twice --raw | head -n 1'
    done = subprocess.run(['bash', '-o', 'pipefail', '-c', command], cwd=tmp_path, capture_output=True, text=True,
                          env=environment())
    assert (done.returncode, done.stderr) == (0, '')
    assert done.stdout == 'def energy_primal(x, k=2.0):\n'


@pytest.mark.parametrize('target, said', [
    ('model.py', 'expected FILE.py:FUNCTION or MODULE:FUNCTION; it has half, energy, lie'),
    ('model.py:energi', "did you mean 'energy'?"),
    ('model.py:zzz', '; it has half, energy'),
    ('math:sinn', "did you mean 'sin'?"),
    (':energy', "':energy': expected FILE.py:FUNCTION"),
    ('energy', "'energy': expected FILE.py:FUNCTION")])
def test_wrong_names_are_told_what_there_is(model, capsys, target, said):
    assert said in refused(capsys, 'show', target)


def test_functions_may_be_named_as_pytest_does(model, capsys):
    assert run(capsys, 'show', 'model.py::energy') == run(capsys, 'show', 'model.py:energy')


def test_a_file_that_exits_when_it_is_loaded(model, capsys, tmp_path):
    (tmp_path / 'script.py').write_text('import sys\nsys.exit(3)\n')
    assert "exit code 3 when it is loaded: put what it runs as a script under if __name__ == '__main__':" \
        in refused(capsys, 'show', 'script.py:f')


@pytest.mark.parametrize('command', ['check', 'profile', 'explain', 'view'])
def test_values_have_to_fit_the_function(model, capsys, command):
    """One more would be taken for the seed of the derivative."""
    message = refused(capsys, command, f'{model}:energy', '--at', '1.0', '--at', '2.0', '--at', '3.0')
    assert 'energy(x, k=2.0): too many positional arguments; --at gives 3' in message and 'File' not in message


@pytest.mark.parametrize('text, said', [('y', '--at y: NameError'), ('(1.0,', "--at (1.0,: SyntaxError: '(' was never closed"),
                                        ('np.nan', 'argument x holds nan or inf'), ('1e400', 'argument x holds nan or inf')])
def test_values_that_are_none(model, capsys, text, said):
    assert said in refused(capsys, 'check', f'{model}:energy', '--at', text)


def test_the_line_that_is_shown_is_the_users(model, capsys, tmp_path):
    (tmp_path / 'other.py').write_text('import numpy as np\n\ndef f(x):\n    return np.summ(x)\n')
    message = refused(capsys, 'check', 'other.py:f', '--at', '1.0')
    assert 'line 4, in f\n    return np.summ(x)\nAttributeError' in message


def test_coverage_knows_how_names_are_written(capsys):
    code, out, _ = run(capsys, 'coverage', 'np.sin', 'math:sin')
    assert code == 0 and '2 functions' in out
    code, out, _ = run(capsys, 'coverage', 'sin')
    assert code == 1 and 'sin: no rule; there is ' in out and 'numpy.sin' in out
