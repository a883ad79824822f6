"""Errors inside of derivatives say for which line of the user's they were raised; refusals show no frames of the library."""
import linecache
import os
import re
import subprocess
import sys
import traceback
import types

import numpy as np
import pytest

import tangent
from tangent import errors
from tests import ROOT

LIBRARY = str(ROOT / 'tangent') + os.sep
PROGRAM = '''
import sys
import numpy as np
import tangent

def helper(a, b):
    c = np.dot(a, b)
    return c * 2

def f(x, w):
    y = np.tanh(x)
    return helper(y, w)

@tangent.custom_vjp
def bent(x):
    return x

bent.defvjp(lambda x: (x, x), lambda x, g: ([1][int(x)] * g,))

def backward(x):
    return bent(x) * 2

def unknown(x):
    return eval('x')

def folded(x):
    y = x * 2
    return np.sum(y @ np.ones((5, 5)))

@tangent.primitive
def ruled(x):
    return np.tanh(x)

tangent.defvjp(ruled, lambda ans, x: lambda g: g @ np.ones((5, 5)))

def by_rule(x):
    y = x * 2
    z = ruled(y)
    return np.sum(z)

def deep(x):
    if x > 0:
        return folded(np.ones(3) * x)
    return x

def kept_outside():
    held = np.zeros(2)
    def f(x):
        nonlocal held
        held = held + x
        return np.sum(held)
    return lambda x: f(x) * f(x)

CALLS = {'forward': lambda: tangent.grad(f)(np.ones(3), np.ones(4)),
         'tangents': lambda: tangent.jvp(f)(np.ones(3), np.ones(4), np.ones(3)),
         'backward': lambda: tangent.grad(backward)(2.0),
         'refused': lambda: tangent.grad(unknown),
         'folded': lambda: tangent.grad(folded)(np.ones(3)),
         'by a rule': lambda: tangent.grad(by_rule)(np.ones(3)),
         'second': lambda: tangent.hvp(folded)(np.ones(3), np.ones(3)),
         'many': lambda: tangent.vmap(tangent.grad(folded))(np.ones((2, 3))),
         'matrix': lambda: tangent.jacfwd(folded)(np.ones(3)),
         'hessian': lambda: tangent.hessian(deep)(1.0),
         'attempts': lambda: tangent.grad(kept_outside())}
'''


@pytest.fixture
def program(tmp_path):
    path = tmp_path / 'program.py'
    path.write_text(PROGRAM, encoding='utf-8')
    space = {'__name__': 'program', '__file__': str(path)}
    exec(compile(PROGRAM, path, 'exec'), space)
    return path, space['CALLS']


def printed(call):
    with pytest.raises(Exception) as caught:
        call()
    return ''.join(traceback.format_exception(caught.type, caught.value, caught.tb)), caught.value


@pytest.mark.parametrize(('name', 'line', 'way'), [
    ('forward', 'c = np.dot(a, b)', 'forward'), ('tangents', 'c = np.dot(a, b)', 'forward'),
    ('backward', 'return bent(x) * 2', 'backward')])
def test_the_users_line_is_told(program, name, line, way):
    path, calls = program
    text, error = printed(calls[name])
    assert isinstance(error, (ValueError, IndexError)) and not isinstance(error, tangent.TangentError)
    number = PROGRAM.splitlines().index('    ' + line) + 1
    assert f'File "{path}", line {number}' in text and line in text
    assert f'{way} pass' in text
    if sys.version_info >= (3, 11):
        assert f'line {number}\n    {line}' in error.__notes__[-1]
        assert len(error.__notes__) == 1 and error.args[0] in str(error)


FOLDED = 'return np.sum(y @ np.ones((5, 5)))'


@pytest.mark.skipif(sys.version_info < (3, 11), reason='Python does not know the columns')
@pytest.mark.parametrize(('name', 'line'), [('folded', FOLDED), ('by a rule', 'z = ruled(y)'), ('second', FOLDED), ('many', FOLDED),
                                            ('matrix', FOLDED)])
def test_what_is_folded_into_another_line_has_its_own(program, name, line):
    _, error = printed(program[1][name])
    assert re.findall(r'line \d+\n    (.*)', error.__notes__[-1])[-1] == line


def test_without_columns_all_lines_are_named(program, monkeypatch):
    _, error = printed(program[1]['folded'])
    frame = [entry for entry in errors.entries_of(error.__traceback__) if entry.tb_frame.f_code.co_filename in errors.PLACES][-1]
    monkeypatch.setattr(errors, 'span', lambda code, at: None)
    place = errors.place_at(frame.tb_frame.f_code, frame.tb_lineno, 0)
    first = PROGRAM.splitlines().index('def folded(x):') + 2
    assert f'backward pass of line {first} or {first + 1}' in errors.entry_at(place, '', frame.tb_frame).tb_frame.f_code.co_name


@pytest.mark.parametrize('name', ['folded', 'many', 'matrix', 'hessian'])
def test_no_frames_of_the_library_stand_before_those_that_fail(program, name):
    _, error = printed(program[1][name])
    files = [entry.filename for entry in traceback.extract_tb(error.__traceback__)]
    assert sum(file.startswith(LIBRARY) for file in files) <= 1 and not files[-1].startswith(LIBRARY)


def test_what_was_tried_before_a_refusal_is_not_shown(program):
    text, error = printed(program[1]['attempts'])
    assert isinstance(error, errors.TangentParseError) and 'During handling' not in text
    try:
        raise KeyError('mine')
    except KeyError:
        text, _ = printed(program[1]['attempts'])
    assert "KeyError: 'mine'" in text


def test_the_way_to_a_callee_is_told(program):
    path, calls = program
    text, _ = printed(calls['forward'])
    assert f'File "{path}", line {PROGRAM.splitlines().index("    return helper(y, w)") + 1}' in text


def test_errors_keep_their_class_and_words(program):
    with pytest.raises(ValueError, match=r'^shapes \(3,\) and \(4,\) not aligned'):
        program[1]['forward']()


def test_refusals_show_no_frames_of_the_library(program, monkeypatch):
    with pytest.raises(errors.TangentParseError) as caught:
        program[1]['refused']()
    files = [entry.filename for entry in traceback.extract_tb(caught.tb)]
    assert sum(file.startswith(LIBRARY) for file in files) == 1
    monkeypatch.setattr(errors, 'FRAMES', 'full')
    with pytest.raises(errors.TangentParseError) as caught:
        program[1]['refused']()
    assert sum(entry.filename.startswith(LIBRARY) for entry in traceback.extract_tb(caught.tb)) > 5


def test_frames_of_the_users_stay():
    def inner(x):
        if x > 0:
            raise KeyError('mine')
        return x

    def f(x):
        return inner(x) * 2
    text, error = printed(lambda: tangent.grad(f)(1.0))
    assert isinstance(error, KeyError) and "raise KeyError('mine')" in text and 'return inner(x) * 2' in text


def test_generated_lines_show_their_text_in_what_python_prints(program):
    path, _ = program
    done = subprocess.run([sys.executable, '-c', f'import runpy; runpy.run_path({str(path)!r})["CALLS"]["forward"]()'], text=True,
                          capture_output=True, env={**os.environ, 'PYTHONPATH': str(ROOT)})
    assert done.returncode == 1
    assert re.search(r'<generated by tangent: .*\n +.*helper_primal\(y, w\)', done.stderr)
    assert '    c = np.dot(a, b)\n' in done.stderr and 'ValueError: shapes' in done.stderr


def test_missing_arguments_of_a_derivative_name_it():
    with pytest.raises(TypeError, match=r"^dproductdx\b.*\(\) missing 1 required positional argument: 'w'"):
        tangent.grad(product)(1.0)


def unset(x):
    y = None
    if x > 5:
        y = x
    return y


def one_of_two(x):
    if np.sum(x) > 0:
        return x * 2
    return np.sum(x)


def test_what_is_wrong_with_a_result_names_the_line_that_returns_it():
    """Where several lines return, none is named: the result may be that of any."""
    with pytest.raises(errors.ArgumentTypeError, match=r'result is None[^\n]*\n    return y$'):
        tangent.grad(unset)(1.0)
    with pytest.raises(errors.ShapeError, match=r'not a scalar[^\n]*\n    def one_of_two\(x\):$'):
        tangent.grad(one_of_two)(np.ones(3))


def over_lines(x):
    y = (np.sin(x)        # the first
         + x @ np.ones((5, 5))
         + 1)
    return np.sum(y)


def test_a_statement_over_several_lines_is_shown_whole():
    whole = 'y = (np.sin(x) + x @ np.ones((5, 5)) + 1)'
    text, _ = printed(lambda: tangent.grad(over_lines)(np.ones(3)))
    assert whole in text.splitlines()[-1] if sys.version_info >= (3, 11) else 'y = (np.sin(x)' in text
    with pytest.raises(FloatingPointError, match=re.escape(whole)), tangent.debug_nans():
        tangent.value_and_grad(over_lines)(np.full(5, 1e308))


def test_what_compiled_derivatives_raise_shows_the_users_line():
    numba = pytest.importorskip('numba')

    @numba.njit
    def checked(x):
        if x[0] > 0:
            raise ValueError('too large')        # in a callee
        return x.sum()

    @numba.njit
    def f(x):
        return checked(x * 2)
    for call in (lambda: tangent.grad(f)(np.ones(3)), lambda: tangent.value_and_grad(checked)(np.ones(3))):
        text, _ = printed(call)
        assert re.search(rf'File "{re.escape(__file__)}", line \d+, in checked\n +raise ValueError\(.too large.\)', text), text


def test_cells_of_notebooks_are_called_by_their_numbers(monkeypatch):
    compiler = types.SimpleNamespace(format_code_name=lambda file: ('Cell', 'In[3]') if file == __file__ else None)
    shell = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(compile=compiler))
    monkeypatch.setitem(sys.modules, 'IPython', shell)
    with pytest.raises(errors.ArgumentTypeError, match=r'^In\[3\]:\d+: .*result is None'):
        tangent.grad(unset)(1.0)
    with pytest.raises(errors.NotFiniteError, match=r'^In\[3\]:\d+: makes the first'), tangent.debug_nans():
        tangent.grad(lambda x: np.sqrt(x) * 2)(0.0)
    with pytest.raises(errors.TangentParseError, match=r'^In\[3\]:\d+: '):
        tangent.grad(lambda x: eval('x'))
    assert 'In[3]:' in str(tangent.profile(tangent.grad(product), 1.0, 2.0)) and errors.file_name('a/b.py') == 'b.py'


@pytest.mark.parametrize(('rows', 'text'), [
    (['    if (a and  # one', '        b):  # two'], 'if (a and b):'), (["    s = '''two", "    rows'''"], "s = '''two rows'''"),
    (['    y = x  # kept'], 'y = x  # kept'), (['    ) + 1'], ') + 1'), (['    "open'], '"open'), (['x = [' + '1, ' * 200, ']'], None)])
def test_the_text_of_a_line(rows, text, monkeypatch):
    monkeypatch.setitem(linecache.cache, '<rows>', (1, None, [row + '\n' for row in rows], '<rows>'))
    found = errors.line_text('<rows>', 1)
    assert found == text if text else found.endswith(' ...') and len(found) < 320
    assert errors.line_text('<rows>', 9) == ''


def product(x, w):
    return x * w


def largest(x):
    return max(x)


@pytest.mark.parametrize('derivative', [tangent.grad(largest), tangent.value_and_grad(largest), tangent.jacobian(largest),
                                        tangent.grad(lambda p: max(p['s']))])
@pytest.mark.parametrize('kind', [set, frozenset])
def test_a_set_asked_for_is_refused(derivative, kind):
    values = kind([1.0, 2.0])
    for _ in range(3):                        # also once such arguments are known at sight
        with pytest.raises(errors.ArgumentTypeError, match='(is|holds) a set'):
            derivative({'s': values} if 'fn' in derivative.__name__ else values)


def test_a_set_that_is_not_asked_for_passes():
    def f(x, names):
        return x * len(names)
    assert tangent.grad(f)(2.0, {'a', 'b'}) == 2.0
    assert tangent.grad(lambda p: p['x'] * len(p['names']))({'x': 2.0, 'names': {'a', 'b'}})['x'] == 2.0


def test_no_gradient_is_by_what_can_be_read_once():
    for values in ((v for v in [1.0, 2.0]), iter([1.0]), {'a': 1.0}.values()):
        with pytest.raises(errors.ArgumentTypeError, match=r'list\(x\)'):
            tangent.grad(largest)(values)


@pytest.mark.skipif(sys.version_info < (3, 11), reason='exceptions have no notes')
def test_hints_are_notes():
    for value, said in (([1.0, 2.0], r'numpy.array\(x\)'), (np.array([1.0, None]), r'x.astype\(float\)')):
        with pytest.raises(TypeError) as caught:
            tangent.grad(lambda x: np.sum(x * 2.0 + np.sin(1.0)))(value)
        assert any(re.search(said, note) for note in caught.value.__notes__)


def test_from_the_parent_folder_of_a_checkout(tmp_path):
    """An editable install puts the checkout on the path, where Python prefers a package to a folder of the same name."""
    assert 'package_dir =\n    = .\n' in (ROOT / 'setup.cfg').read_text(encoding='utf-8')
    (tmp_path / 'tangent' / 'tests').mkdir(parents=True)
    done = subprocess.run([sys.executable, '-c', 'import tangent; print(tangent.grad.__name__)'], text=True, cwd=tmp_path,
                          capture_output=True, env={**os.environ, 'PYTHONPATH': str(ROOT)})
    assert done.stdout == 'grad\n', done.stderr


def holds_a_set(x):
    return sum({x, x * 2})


def endless(x):
    return x * endless(x)


def test_what_the_library_went_on_after_is_not_shown():
    with pytest.raises(tangent.TangentParseError) as caught:
        tangent.grad(holds_a_set)(1.0)
    text = ''.join(traceback.format_exception(caught.value))
    assert 'During handling' not in text and len(text.splitlines()) < 20
    with pytest.raises(errors.ArgumentError) as caught:
        try:
            {}.popitem()
        except KeyError:
            tangent.grad(product, 'q')
    assert 'KeyError' in ''.join(traceback.format_exception(caught.value))          # that one is the user's


def test_recursion_without_an_end_is_told_in_few_lines():
    with pytest.raises(RecursionError) as caught:
        tangent.grad(endless)(2.0)
    assert len(''.join(traceback.format_exception(caught.value)).splitlines()) < 40


@pytest.mark.parametrize('seed, said', [(None, 'None'), ('1', 'a str'), ({1.0}, 'a set'), (product, 'a function')])
@pytest.mark.parametrize('derivative', [tangent.vjp(product), tangent.grad(product), tangent.elementwise_grad(product),
                                        tangent.vjp(lambda x, w: (x, w)), tangent.vjp(lambda x, w: np.sum(x * w))])
def test_a_seed_that_is_no_number_is_refused(derivative, seed, said):
    for x in (2.0, np.ones(3)):
        with pytest.raises(errors.ArgumentTypeError, match=f'the seed is {said}:'):
            derivative(x, 1.0, seed)


def test_a_result_that_is_no_number_is_told_with_the_way_out():
    for f in (lambda x: {'a': x * 2}, lambda x: [x, x * 2]):
        with pytest.raises(errors.ShapeError, match='has_aux=True'):
            tangent.grad(f)(1.0)


@pytest.mark.parametrize('value', ['1', b'1', np.array(['a'])])
def test_strings_are_told_whatever_fails(value):
    for derivative in (tangent.grad(lambda x: np.sum(np.sin(x))), tangent.elementwise_grad(lambda x: np.sin(x))):
        with pytest.raises(errors.ArgumentTypeError, match='only numbers, arrays and containers'):
            derivative(value)


def of_another_library(x):
    return x * 2


of_another_library.__module__ = 'torch.functional'


@pytest.mark.parametrize('mode', ['reverse', 'forward'])
def test_functions_of_libraries_that_trace_are_told(mode):
    def f(x):
        return of_another_library(x) * 2
    with pytest.raises(NotImplementedError, match='of_another_library(.|\n)*a function of torch, which traces(.|\n)*NumPy'):
        tangent.autodiff(f, mode=mode)(1.0, 1.0)
    assert tangent.grad(lambda x: x * of_another_library(3.0))(1.0) == 6.0              # nothing is asked of that one


class Holder:
    pass


@pytest.mark.skipif(sys.version_info < (3, 11), reason='exceptions have no notes')
@pytest.mark.parametrize('value, said', [(['1', '2'], 'strings'), ({'a': 1.0}, r'x is a dict'), (product, 'x is a function'),
                                         (errors, 'x is a module'), (float, 'x is a class'), (Holder(), 'x is a Holder')])
def test_what_has_no_arithmetic_is_told(value, said):
    with pytest.raises(TypeError) as caught:
        tangent.grad(lambda x: np.sum(x ** 2))(value)
    assert re.search(said, '\n'.join([str(caught.value), *getattr(caught.value, '__notes__', ())]))


@pytest.mark.skipif(sys.version_info < (3, 11), reason='exceptions have no notes')
def test_a_dict_taken_for_an_object_is_told_how_it_is_read():
    with pytest.raises(AttributeError) as caught:
        tangent.grad(lambda p: p.a * 2)({'a': 1.0})
    assert any('p is a dict: what is in it is p[key]' in note for note in caught.value.__notes__)


@pytest.mark.skipif(sys.version_info < (3, 11), reason='exceptions have no notes')
def test_a_line_that_is_the_users_and_its_derivative_is_in_no_pass():
    def weighted(x, w):
        return np.sum(x @ w)
    with pytest.raises(ValueError) as caught:
        tangent.grad(weighted)(np.ones(3), np.ones(4))
    assert any('in dweighteddx, for' in note for note in caught.value.__notes__)


@pytest.mark.parametrize('x', [2.0, np.ones(3)])
def test_complex_tangents_of_real_arguments_are_refused(x):
    """Their imaginary parts would be lost."""
    with pytest.raises(errors.ComplexNotImplementedError, match='The tangent is complex'):
        tangent.jvp(lambda x: np.sum(x ** 2))(x, x * 1j)
    with pytest.raises(errors.ComplexNotImplementedError, match='The tangent is complex'):
        tangent.func.jvp(lambda x: np.sum(x ** 2), (x,), (x * 1j,))


@pytest.mark.parametrize('call', [lambda: tangent.func.vjp(product), lambda: tangent.func.linearize(product)])
def test_forms_that_take_arguments_say_so(call):
    with pytest.raises(errors.ArgumentTypeError, match=r'takes the function and its arguments, as in (vjp|linearize)\(f, x\)'):
        call()
