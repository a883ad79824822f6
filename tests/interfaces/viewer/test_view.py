"""`tangent.view`: which texts a page holds, which lines it links, and how notebooks and terminals show a derivative."""
import ast
import functools
import gc
import html
import inspect
import io
import json
import pathlib
import re
import sys
import time
import types
import weakref

import numpy as np
import pytest

import tangent
from tangent.interfaces.tools.viewer import colours, page, progress
from tests.interfaces.viewer import programs
from tests.tools.texts import define

FORMS = {
    'a loop': lambda: tangent.grad(programs.loop, wrt='w'),
    'raw': lambda: tangent.grad(programs.loop, wrt='w', optimized=False),
    'forward': lambda: tangent.jvp(programs.until),
    'two parameters and the value': lambda: tangent.value_and_grad(programs.pair, wrt=('a', 'b')),
    'a function inside': lambda: tangent.grad(programs.nested, wrt=('x', 'w')),
    'a closure': lambda: tangent.grad(programs.maker(3.0)),
    'the log form': lambda: tangent.grad(programs.noted),
    'recursion': lambda: tangent.grad(programs.recursive),
    'a callable argument': lambda: tangent.grad(programs.given),
    'texts of several lines': lambda: tangent.grad(programs.texts),
    'stars': lambda: tangent.grad(programs.starred),
    'a lambda': lambda: tangent.grad(lambda x: x * x),
    'a derivative of a derivative': lambda: tangent.grad(tangent.grad(programs.elements)),
    'split': lambda: tangent.autodiff(programs.until, motion='split'),
    'a method': lambda: tangent.grad(programs.Model().loss),
    'an object': lambda: tangent.grad(programs.of_model),
    'complex': lambda: tangent.grad(programs.of_complex),
    'elementwise': lambda: tangent.elementwise_grad(programs.elements),
    'several directions': lambda: tangent.jvp(programs.elements, batched=True),
    'lines that go on': lambda: tangent.grad(programs.over_lines),
    'nan_safe': lambda: tangent.grad(programs.until, nan_safe=True),
}


@functools.cache
def view(name):
    return tangent.view(FORMS[name]())


def data(text):
    """What a page gives to its script."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])


def plain(line):
    """The text of a line of a page."""
    return html.unescape(re.sub('<[^>]*>', '', line))


@pytest.mark.parametrize('name', FORMS)
def test_the_text_shown_is_that_of_the_derivative(name):
    found = view(name)
    derivative, shown = found.derivative, data(found.html)
    rows = shown['panels'][shown['own']]['rows']
    assert '\n'.join(plain(shown['lines'][k]) for k, _, _ in rows).rstrip() == tangent.source(derivative).rstrip()
    assert found.text.rstrip() == tangent.source(derivative).rstrip()


@pytest.mark.parametrize('name', FORMS)
def test_all_modes_and_forms_are_there(name):
    panels = data(view(name).html)['panels']
    assert list(panels) == ['reverse optimized', 'reverse raw', 'forward optimized', 'forward raw']
    if name != 'a derivative of a derivative':
        assert not [panel['error'] for panel in panels.values() if 'error' in panel]


@pytest.mark.parametrize('name', [name for name in FORMS if name != 'a derivative of a derivative'])
def test_adjoints_are_linked_to_the_line_that_they_quote(name):
    """The links come from origins; the comments say the same in another way."""
    found, lines, checked = view(name), {}, 0
    for explained in found.explanation:
        lines.update({(explained.filename, line.number): line.text for line in explained.lines})
    for recording in found.recordings.values():
        quoted = None
        for row in recording.rows:
            if '# Grad of: ' in row.text:
                quoted = row.text.partition('# Grad of: ')[2].removesuffix(' ...')
            elif row.role == 'adjoint' and quoted and row.place in lines:
                words = re.findall(r'\w+', quoted)
                there = ' '.join(text for (file, k), text in lines.items()
                                 if file == row.place[0] and row.place[1] <= k < row.place[1] + 4)
                assert set(words[:4]) <= set(re.findall(r'\w+', there)) | {'return'}, (row, quoted)
                checked += 1
            else:
                quoted = quoted if row.role in ('adjoint', 'tape', '') else None
    assert checked or found.recordings['reverse', True].error


def test_every_line_that_a_derivative_flows_through_has_its_adjoint():
    found = view('a loop')
    rows = found.recordings['reverse', True].rows
    linked = {line for row in rows if row.role == 'adjoint' for line in (row.place[1], *row.also)}
    active = {line.number for explained in found.explanation for line in explained.lines if line.active}
    assert active and active <= linked


def test_what_is_written_to_a_tape_belongs_to_the_line_before():
    rows = tangent.view(tangent.grad(programs.until, check_dims=False)).own.rows
    push = next(k for k, row in enumerate(rows) if '.append(' in row.text)
    pop = next(k for k, row in enumerate(rows) if '.pop()' in row.text)
    first = inspect.getsourcelines(programs.until)[1]
    assert rows[push].role == rows[pop].role == 'tape'
    assert {rows[push].place[1], rows[pop].place[1]} <= {first + 2, first + 3}


def test_a_page_needs_nothing_else():
    text = view('a loop').html
    assert re.findall(r'''(?:src|href|url|@import)\s*[=(]?\s*["']?\s*(?:https?:)?//''', text) == []
    assert 'http' not in re.sub(r'<script type="application/json".*?</script>', '', text, flags=re.S)


def test_what_the_user_wrote_cannot_end_the_script():
    text = view('a loop').html
    inside = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1]
    assert 'Steps' in inside and '</' not in inside
    assert any('Steps </script> & <b>' in plain(line) for line in json.loads(inside)['lines'])


def test_names_of_placeholders_in_the_users_text_stay():
    cell = define('def f(x):\n    """@style@ @noscript@ @data@"""\n    return x * 2.0\n')
    shown = data(tangent.view(tangent.grad(cell.f)).html)
    assert any('@style@ @noscript@ @data@' in plain(line) for line in shown['lines'])


def test_a_line_of_the_user_is_shown_once():
    """A function inside another one stands in that."""
    shown = data(view('a function inside').html)
    keys = [row[2] for block in shown['blocks'] for row in block['rows']]
    assert len(keys) == len(set(keys))
    marks = {plain(shown['lines'][row[0]]).strip(): row[3] for block in shown['blocks'] for row in block['rows']}
    assert 'A' in marks['return z * w']


def test_a_formula_of_several_lines_is_linked_to_each():
    cell = define('def f(a, b):\n    c = a * b\n    d = c**2\n    return d + 1.0\n')
    rows = tangent.view(tangent.grad(cell.f)).own.rows
    folded = next(row for row in rows if row.role == 'adjoint')
    assert '2 *' in folded.text and {folded.place[1], *folded.also} >= {2, 3}


def test_all_lines_of_a_statement_are_linked():
    shown = data(view('lines that go on').html)
    first = inspect.getsourcelines(programs.over_lines)[1]
    keys = {row[2] - first: int(row[1].partition(':')[2]) - first for row in shown['blocks'][0]['rows']}
    assert keys == {0: 0, 1: 0, 2: 2, 3: 3, 4: 3, 5: 5, 6: 6, 7: 6, 8: 6, 9: 9}
    linked = {key for row in shown['panels']['reverse optimized']['rows'] if row[2] == 'adjoint' for key in row[1].split()}
    assert {int(key.partition(':')[2]) - first for key in linked} >= {3, 6}


def test_the_film_goes_from_the_adjoint_to_the_text():
    found = view('a loop')
    shown = data(found.html)
    film = shown['panels']['reverse optimized']['films'][-1]
    assert [film['function'], film['frames'][0]['step'], film['frames'][0]['about']] == [
        'dloopdw', 'reverse', page.ROOMS['reverse']]
    before = None
    for frame in film['frames']:
        assert frame['about']
        texts = {sign: [plain(shown['lines'][row[0]]) for row in frame['rows'] if row[3] in (' ', sign)] for sign in '+-'}
        ast.parse('\n'.join(texts['+']))
        assert before is None or texts['-'] == before and texts['+'] != before
        before = texts['+']
    def statements(text):
        return [type(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)
                and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]        # the docstring
    assert statements('\n'.join(before)) == statements(found.text[found.text.index('def dloopdw('):])


def test_rooms_are_those_that_verbose_prints(capsys):
    tangent.grad(programs.loop, wrt='w', verbose=2)
    log = capsys.readouterr().out
    shown = data(view('a loop').html)
    rooms = shown['panels']['reverse optimized']['rooms']
    assert [room['name'] for room in rooms] == [name for name in re.findall(r'^# --- (\w+)', log, re.M)
                                                if name in ('normal', 'reverse')]
    for room in rooms:
        assert '\n'.join(plain(shown['lines'][row[0]]) for row in room['rows']) in log


def test_the_log_form_has_a_room_too():
    rooms = data(view('the log form').html)['panels']['reverse optimized']['rooms']
    assert [room['name'] for room in rooms] == ['desugared']


def test_a_mode_without_a_derivative_says_why():
    cell = define('def f(x):\n    y = yield x\n    return y\ndef g(x):\n    return next(f(x))\n')
    found = tangent.view(tangent.grad(define('def h(x):\n    return x * 2.0\n').h))
    assert not found.recordings['forward', True].error
    with pytest.raises(tangent.TangentError):
        tangent.view(cell.f)


def test_assumptions_of_given_arguments():
    found = tangent.view(tangent.grad(programs.loop, wrt='w'), np.ones(4), 2.0)
    assert dict(data(found.html)['assumed'])['x'] == 'array (4,)'
    assert found.text.rstrip() == tangent.source(tangent.grad(programs.loop, wrt='w'), np.ones(4), 2.0).rstrip()
    facts = {name: kind for explained in found.explanation for name, kind in explained.kinds}
    assert facts['x'] == 'array (4,)'


def test_assumptions_of_what_the_function_calls():
    assumed = dict(data(view('a loop').html)['assumed'])
    assert assumed['half'].startswith('half, programs.py:')
    assert 'as the function lets one expect' in assumed['x, w, bloop'] and assumed['x'] == 'array (n0,)'
    assert 'numbers, arrays' in dict(data(view('elementwise').html)['assumed'])['x']


def test_without_arguments_it_is_the_text_that_source_shows():
    for df in (tangent.grad(programs.loop), tangent.grad(programs.given), tangent.elementwise_grad(programs.elements)):
        assert tangent.view(df).text.rstrip() == tangent.source(df).rstrip()


def test_docstrings_belong_to_no_line():
    found = tangent.view(tangent.grad(programs.loop))
    rows = {row.text.strip(): row for row in found.own.rows}
    assert rows['x : array (n0,)'].place is None and rows['x : array (n0,)'].role == 'docstring'
    assert rows['# Initialize the tape'].place[1] == inspect.getsourcelines(programs.loop)[1] + 2


def test_a_profile_is_shown_beside_the_lines():
    first = inspect.getsourcelines(programs.until)[1]
    row = programs.__file__, first + 3, 'y = y * y + 1.0', 1e-3, 2e-3, 100, 200, 5, 5
    found = tangent.view(tangent.grad(programs.until), profile=types.SimpleNamespace(rows=[row]))
    rows = {r[2]: r[5:] for r in data(found.html)['blocks'][0]['rows']}
    assert rows[first + 3] == [[1e-3, 2e-3, 100, 200]] and rows[first + 2] == []


def test_functions_are_seen_as_their_gradients():
    assert tangent.view(programs.until).text == tangent.view(tangent.grad(programs.until)).text


def test_partials_are_seen_as_what_they_call():
    found = tangent.view(tangent.grad(functools.partial(programs.recursive, n=2)))
    assert 'drecursivedx' in found.text and data(found.html)['module']


@pytest.mark.parametrize('thing', [3, 'text'])
def test_what_has_no_text_is_refused(thing):
    with pytest.raises(TypeError, match='has no text of its own: pass what tangent.grad'):
        tangent.view(thing)


@pytest.mark.parametrize(('operator', 'function', 'line', 'marks'), [
    (tangent.jacobian, programs.folded, 'y = x * w', {'y = x * w', 'dy = dx * w'}),
    (tangent.hessian, programs.cubed, 'z = y ** 3', {'z = y**3', 't2 = 3 * bz', 't3 = y**2'}),
    (tangent.hvp, programs.cubed, 'z = y ** 3', {'z = y**3', 't2 = 3 * bz', 't3 = y**2'}),
    (tangent.hessian, programs.Model().forward, 'return np.tanh', {'dt = dx * self.w * (1 - t * t)'})], ids=lambda v: getattr(v, '__name__', None))
def test_operators_are_shown_beside_the_function(operator, function, line, marks):
    """The derivative that they call, or the derivative of a derivative, with the lines of the user's."""
    derivative = operator(function)
    found = tangent.view(derivative)
    page_of = data(found.html)
    lines = [plain(text) for text in page_of['lines']]
    left = {key for block in page_of['blocks'] for k, key, *_ in block['rows'] if lines[k].strip().startswith(line)}
    right = {lines[k].strip() for k, keys, _ in page_of['panels'][page_of['own']]['rows'] if left & set(keys.split())}
    assert marks <= right, right
    assert f'def {derivative.__name__}(' in found.text and len(page_of['panels']) == 2
    assert all('generated' not in block['head'] for block in page_of['blocks']) and page_of['module']
    assert derivative.__name__ in derivative._repr_html_() and derivative._repr_markdown_().startswith('```python')


def test_operators_without_a_text_say_so():
    for derivative, why in ((tangent.jacobian(programs.pair, ('a', 'b')), 'has a text where it is by one argument'),
                            (tangent.hvp(programs.Model().loss), r'differentiates a log .*tangent.view\(tangent.grad\(loss\)\)')):
        with pytest.raises(ValueError, match=why):
            tangent.view(derivative)
        assert derivative._repr_html_() is None


def test_errors_are_those_of_the_derivation():
    cell = define('def f(x):\n    async def g():\n        pass\n    return x\n')
    with pytest.raises(tangent.TangentParseError, match='async def g'):
        tangent.view(cell.f)


def test_compiled_functions():
    numba = pytest.importorskip('numba')
    cell = define('import numpy as np\ndef f(x):\n    s = 0.0\n    for i in range(x.shape[0]):\n'
                  '        s += np.tanh(x[i]) * s\n    return s\n')
    derivative = tangent.grad(numba.njit(cell.f))
    found = tangent.view(derivative)
    assert found.text.rstrip() == tangent.source(derivative).rstrip() and 'LocalTape()' in found.text
    shown = data(found.html)
    assert not [panel['error'] for panel in shown['panels'].values() if 'error' in panel]
    assert 'def dfdx' in '\n'.join(plain(shown['lines'][k]) for k in shown['module'])


def test_with_a_budget_of_memory():
    assert 'def duntildx' in tangent.view(tangent.grad(programs.until, memory='1MB')).text


# Where it is shown

def test_save_and_open(tmp_path, monkeypatch):
    found = view('a loop')
    assert found.save(str(tmp_path / 'loss.html')).read_text(encoding='utf-8') == found.html
    opened = []
    monkeypatch.setattr('webbrowser.open', opened.append)
    path = found.open()
    assert opened == [path.as_uri()] and path.read_text(encoding='utf-8') == found.html


def test_a_terminal_shows_both_texts():
    found = view('a loop')
    text = str(found)
    for line in [*inspect.getsource(programs.loop).splitlines(), *found.text.splitlines()]:
        assert line.rstrip() in text
    assert '\x1b' not in text and repr(found) == text
    assert re.search(r'^ *\d+ \|T\| .*_stack', text, re.M)


def test_a_terminal_shows_colours(monkeypatch):
    pytest.importorskip('pygments')
    monkeypatch.delenv('NO_COLOR', raising=False)
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: True, raising=False)
    found = view('a loop')
    painted = repr(found)
    assert '\x1b[' in painted and re.sub(r'\x1b\[[\d;]*m', '', painted) == str(found)


def test_notebooks_show_a_derivative_beside_its_function():
    derivative = tangent.grad(programs.loop, wrt='w')
    inside = html.unescape(re.search(r'srcdoc="([^"]*)"', derivative._repr_html_())[1])
    shown = data(inside)
    assert list(shown['panels']) == ['reverse optimized'] and shown['title'] == 'loop by w'
    assert derivative._repr_markdown_() == f'```python\n{tangent.source(derivative).rstrip()}\n```'
    assert 'srcdoc=' in view('a loop')._repr_html_()


def test_terminals_of_ipython_print_the_text(capsys, monkeypatch):
    monkeypatch.delitem(sys.modules, 'ipykernel', raising=False)
    derivative = tangent.grad(programs.loop, wrt='w')
    assert derivative._ipython_display_() is None
    assert capsys.readouterr().out == '\n' + tangent.source(derivative)
    monkeypatch.setitem(sys.modules, 'ipykernel', types.ModuleType('ipykernel'))
    with pytest.raises(NotImplementedError):             # IPython asks for HTML then
        derivative._ipython_display_()


@pytest.mark.parametrize('name', ['a method', 'a closure', 'a lambda', 'forward'])
def test_notebooks_show_any_derivative(name):
    assert 'srcdoc=' in FORMS[name]()._repr_html_()


def test_notebooks_show_compiled_derivatives():
    numba = pytest.importorskip('numba')
    assert 'srcdoc=' in tangent.grad(numba.njit(programs.elements))._repr_html_()


def test_to_be_shown_keeps_no_derivative_alive(few_objects):
    derivative = tangent.grad(programs.maker(2.0))
    assert derivative._repr_html_()
    alive = weakref.ref(derivative)
    del derivative
    gc.collect()
    assert alive() is None


def test_sources_are_shown_as_lines():
    text = tangent.source(tangent.grad(programs.elements))
    assert isinstance(text, str) and text._repr_markdown_() == f'```python\n{text.rstrip()}\n```'
    printed = types.SimpleNamespace(text=lambda words: found.append(words))
    found = []
    text._repr_pretty_(printed, False)
    assert found == [text.rstrip()]
    assert tangent.export_source(tangent.grad(programs.elements))._repr_markdown_().startswith('```python\n"""')


def test_without_pygments_the_page_is_plain(monkeypatch):
    monkeypatch.setitem(sys.modules, 'pygments', None)
    shown = data(tangent.view(tangent.grad(programs.loop, wrt='w')).html)
    assert not any('<span' in line for line in shown['lines'])
    assert any(html.escape('Steps </script> & <b>') in line for line in shown['lines'])


def test_each_line_of_a_text_is_one_of_html():
    for text in ('x = 1\n\ny = """a\n  b\n"""\nz = 2', '\n\nx', 'x\n', '    indented = 1\n  # comment', ''):
        assert [plain(line) for line in colours.lines_of_html(text)][:text.rstrip('\n').count('\n') + 1] \
            == text.rstrip('\n').split('\n')


def test_explanations_are_pages():
    found = tangent.explain(programs.loop, wrt='w', show=False)
    text = found.html
    for explained in found:
        assert html.escape(explained.head[0]) in text
        for line in explained.lines:
            assert html.escape(line.note) in text
    assert text.count('<tr class="active">') == sum(line.active for explained in found for line in explained.lines)
    assert '<script type="application/json" id="data">null</script>' in text and 'srcdoc=' in found._repr_html_()


# Progress

class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal(monkeypatch):
    """What is written to standard error, where that is a terminal."""
    pytest.importorskip('tqdm')
    found = Terminal()
    monkeypatch.setattr(sys, 'stderr', found)
    return found


def test_what_is_quick_shows_no_bar(monkeypatch):
    found = terminal(monkeypatch)
    assert list(progress.bar(range(3), 'counting')) == [0, 1, 2]
    with progress.waiting('thinking'):
        pass
    assert found.getvalue() == ''


def test_what_lasts_shows_one(monkeypatch):
    found = terminal(monkeypatch)
    monkeypatch.setattr(progress, 'PATIENCE', 0.01)
    for _ in progress.bar(range(4), 'counting'):
        time.sleep(0.06)
    with progress.waiting('thinking'):
        time.sleep(0.1)
    assert 'counting' in found.getvalue() and 'thinking' in found.getvalue()


def test_nobody_looks_at_a_file(monkeypatch):
    found = io.StringIO()
    monkeypatch.setattr(sys, 'stderr', found)
    monkeypatch.setattr(progress, 'PATIENCE', 0.0)
    assert list(progress.bar(range(3), 'counting')) == [0, 1, 2]
    assert found.getvalue() == ''


def test_the_files_of_the_page_come_with_the_package():
    from tests import ROOT
    assert 'tangent.interfaces.tools.viewer = static/*' in (ROOT / 'setup.cfg').read_text(encoding='utf-8')
    static = pathlib.Path(page.__file__).parent / 'static'
    assert {path.name for path in static.iterdir()} == {'page.html', 'view.html', 'view.css', 'view.js', 'theme.js', 'legend.html'}
