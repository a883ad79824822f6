"""Hostile code: names, namespaces and shapes of programs that break a careless source transformation.

Every derivative is right, or refused with an error of our own; never a raw internal error, never wrong.
"""
import concurrent.futures
import copy
import functools
import math
import re
import traceback

import numpy as np
import pytest

import tangent
from tangent.errors import TangentError
from tests.corpora import hostile
from tests.tools.checking import assert_close, differences

V = np.array([0.3, 1.2, -0.7])
W = np.array([1.1, 0.4, 0.95])
M = np.array([[0.3, 1.2], [0.5, -0.4]])
OPTIMIZED = pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])


def label(value):
    """The text of a value without addresses, which differ from one process of a test run to another."""
    return re.sub(' at 0x[0-9a-f]+', '', str(value))


def check(f, args, wrt, optimized=True):
    """The gradients are right, and the arguments as they were."""
    given = copy.deepcopy(args)
    gradients = tangent.grad(f, wrt=wrt, optimized=optimized)(*given)
    gradients = [gradients] if len(wrt) == 1 else gradients
    for actual, right in zip(gradients, differences(f, args, wrt), strict=True):
        assert_close(actual, right)
    np.testing.assert_equal(given, args)


NAMES = [
    (hostile.names_of_gradients, (1.2, 0.3, 0.7)),
    (hostile.names_of_the_tape, (0.9, 0.3, 3)),
    (hostile.names_of_helpers, (1.2, 0.3, W, 0.5, 0.1)),
    (hostile.names_of_numpy, (1.2, 0.7)),
    (hostile.local_np, (1.2,)),
    (hostile.names_of_temporaries, (1.2, 0.3, 0.7, 0.1)),
    (hostile.numbered_names, (1.2, 0.3, 0.7)),
    (hostile.names_d_dx, (1.2, 0.3)),
    (hostile.dfdx, (1.2,)),
    (hostile.own_name, (1.2,)),
    (hostile.wrapped_names, (1.2,)),
    (hostile.by, (1.2, 0.3)),
    (hostile.unicode, (1.2, 0.3)),
    (hostile.normalized, (1.2, 0.3)),
    (hostile.shadowed_sum, (V,)),
    (hostile.shadowed_builtins, (1.2, 0.3, 0.7, 2.0)),
    (hostile.shadowed_max, (1.2, 0.3)),
    (hostile.aliased_modules, (1.2,)),
    (hostile.star_imports, (V,)),
    (hostile.module_attributes, (V,)),
    (hostile.uses_unhashable, (1.2,)),
    (hostile.uses_settings, (1.2,)),
]
CODE = [
    (hostile.unused, (1.2, V)),
    (hostile.same_twice, (1.2,)),
    (hostile.product, (1.2, 0.3)),
    (hostile.mutable_default, (1.2,)),
    (hostile.mutable_default, (1.2, [0.5])),
    (hostile.default_from_global, (1.2,)),
    (hostile.reads_global, (1.2,)),
    (hostile.calls_helper, (1.2,)),
    (hostile.zero_trips, (1.2, 3)),
    (hostile.returns_from_depth, (1.2, 4)),
    (hostile.returns_from_depth, (0.2, 3)),
    (hostile.returns_from_depth, (2.2, 3)),
    (hostile.deep_nest, (1.2,)),
    (hostile.deep_nest, (0.2,)),
    (hostile.deep_nest, (-0.2,)),
    (hostile.strings_pass, (1.2,)),
    (hostile.asserts, (1.2,)),
    (hostile.raises, (1.2,)),
    (hostile.mixed_tabs_and_comments, (1.2,)),
    (hostile.semicolons, (1.2,)),
    (hostile.backslash, (1.2,)),
    (hostile.multiline_string, (1.2,)),
    (hostile.chained, (1.2, 0.3)),
    (hostile.tuple_swap_in_loop, (1.2, 0.3)),
    (hostile.conditional_value_of_kinds, (1.2, True)),
    (hostile.conditional_value_of_kinds, (1.2, False)),
    (hostile.power_zero, (1.2,)),
    (hostile.power_two_of_zero, (0.0, 0.0)),
    (hostile.sum_nothing, (V,)),
    (hostile.reads_attribute, (V,)),
    (hostile.is_none_default, (1.2,)),
    (hostile.is_none_default, (1.2, 0.3)),
    (hostile.shape_branches, (V,)),
    (hostile.shape_branches, (M,)),
    (hostile.argument_rebound_to_constant, (1.2, 0.3)),
    (hostile.first, (1.2, 0.3)),
    (hostile.second, (1.2, 0.3)),
    (hostile.over_lines, (1.2,)),
]
# Right or refused; what is refused today may work tomorrow.
PERHAPS = [
    (hostile.pair[0], (1.2,)),
    (hostile.pair[1], (1.2,)),
    (hostile.inside_call, (1.2,)),
    (hostile.nested_function, (1.2,)),
    (hostile.local_alias, (1.2,)),
    (hostile.local_module, (1.2,)),
    (hostile.conditional_import, (1.2,)),
    (hostile.loop_variable_is_argument, (1.2, 0)),
    (math.sin, (1.2,)),
    (abs, (-1.2,)),
    (functools.partial(hostile.product, 2.0), (1.2,)),
    (functools.lru_cache(hostile.product), (1.2, 0.3)),
    ([lambda x: x * 2, lambda x: x * 3][1], (1.2,)),
    ((lambda a: lambda x: a * x)(3.0), (1.2,)),
    (eval('lambda x: x * x'), (1.2,)),
    (np.vectorize(hostile.helper), (1.2,)),
    (max, (1.2, 0.3)),
    (hostile.Model(np.array([2.0, 3.0, 0.5])).loss, (V,)),
    (hostile.Model(np.array([2.0, 3.0, 0.5])), (V,)),
    (hostile.Model.square, (1.2,)),
    (hostile.Model.cube, (1.2,)),
    (hostile.uses_static, (1.2,)),
]


def floats(args):
    return tuple(i for i, a in enumerate(args) if isinstance(a, (float, np.ndarray)))


@OPTIMIZED
@pytest.mark.parametrize('f, args', NAMES, ids=lambda v: getattr(v, '__name__', ''))
def test_names(f, args, optimized):
    check(f, args, floats(args), optimized)


@OPTIMIZED
@pytest.mark.parametrize('f, args', CODE, ids=lambda v: getattr(v, '__name__', ''))
def test_code(f, args, optimized):
    check(f, args, floats(args), optimized)


@pytest.mark.parametrize('f, args', PERHAPS, ids=label)
def test_right_or_refused(f, args):
    try:
        check(f, args, floats(args))
    except TangentError as error:
        assert str(error)


# Functions that cannot be differentiated

def from_text(text):
    namespace = {}
    exec(text, namespace)
    return namespace['f']


class Callable:
    def __call__(self, x):
        return x * x


@pytest.mark.parametrize('f, kind, words', [
    (from_text('def f(x): return x * x'), ValueError, 'source'),
    (hostile.generator, SyntaxError, 'not supported'),
    (hostile.coroutine, SyntaxError, 'not supported'),
    (None, TypeError, ''),
    (3.0, TypeError, ''),
    ('f', TypeError, ''),
    (np.sin(V), TypeError, ''),
    (dict.get, (TypeError, ValueError, NotImplementedError), ''),
    (print, (TypeError, ValueError, NotImplementedError), ''),
], ids=label)
def test_no_function_to_differentiate(f, kind, words):
    with pytest.raises(kind) as caught:
        tangent.grad(f)(1.0)
    assert isinstance(caught.value, TangentError)
    assert words in str(caught.value)


def test_fence_shows_the_line():
    with pytest.raises(tangent.errors.TangentParseError) as caught:
        tangent.grad(hostile.generator)
    assert caught.value.text.strip() == 'yield x'
    assert caught.value.filename.endswith('hostile.py')
    assert caught.value.lineno == hostile.generator.__code__.co_firstlineno + 1


def test_no_arguments():
    with pytest.raises(ValueError) as caught:
        tangent.grad(hostile.no_arguments)
    assert isinstance(caught.value, TangentError)


@pytest.mark.parametrize('f', [hostile.returns_nothing, hostile.returns_none, hostile.returns_string])
def test_no_number_comes_back(f):
    with pytest.raises(TangentError):
        tangent.grad(f)(1.2)


def test_comparison_has_no_gradient():
    try:
        assert tangent.grad(hostile.compares)(1.2) == 0.0
    except TangentError:
        pass


# Names that are bound again

def test_global_rebound(monkeypatch):
    df = tangent.grad(hostile.reads_global)
    assert df(1.5) == 2.0
    monkeypatch.setattr(hostile, 'SCALE', 7.0)
    assert df(1.5) == 7.0


def test_helper_rebound(monkeypatch):
    df = tangent.grad(hostile.calls_helper)
    assert_close(df(1.5), 3 * 1.5 ** 2)
    monkeypatch.setattr(hostile, 'helper', hostile.other_helper)
    assert_close(df(1.5), 4 * 1.5 ** 3)
    assert_close(tangent.grad(hostile.calls_helper)(1.5), 4 * 1.5 ** 3)


def test_settings_changed(monkeypatch):
    df = tangent.grad(hostile.uses_settings)
    monkeypatch.setitem(hostile.SETTINGS, 'scale', 10.0)
    assert df(1.5) == 13.0


def test_default_evaluated_once(monkeypatch):
    df = tangent.grad(hostile.default_from_global)
    monkeypatch.setattr(hostile, 'SCALE', 7.0)
    assert df(1.5) == 4.0


def test_mutable_default_is_shared():
    seen, = hostile.mutable_default.__defaults__
    df = tangent.grad(hostile.mutable_default)
    seen[0] = 5.0
    assert df(1.5) == 5.0
    seen[0] = 2.0
    assert df(1.5) == 2.0


def test_closure_variable_rebound():
    times, set_factor = hostile.closure_over(2.0)
    try:
        df = tangent.grad(times)
    except TangentError:
        return
    assert df(1.5) == 6.0
    set_factor(5.0)
    assert df(1.5) == 15.0


def test_closures_of_one_text():
    fs = [hostile.closure_over(k)[0] for k in (1.0, 2.0)]
    try:
        dfs = [tangent.grad(f) for f in fs]
    except TangentError:
        return
    assert [df(1.0) for df in dfs] == [2.0, 4.0]


def test_globals_are_not_touched():
    before = dict(vars(hostile))
    tangent.grad(hostile.names_of_the_tape)(0.9, 0.3, 3)
    tangent.grad(hostile.calls_helper)(1.5)
    assert vars(hostile) == before


def test_threads():
    df = tangent.grad(hostile.returns_from_depth)
    points = np.linspace(0.1, 2.0, 40)
    alone = [df(x, 4) for x in points]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(df, points, [4] * 40)) == alone


def test_deep_recursion_is_theirs():
    assert_close(tangent.grad(hostile.deep_recursion)(1.0, 200), 1.001 ** 200)
    with pytest.raises(RecursionError):
        tangent.grad(hostile.deep_recursion)(1.0, 10 ** 6)


@OPTIMIZED
def test_long_loop(optimized):
    check(hostile.long_loop, (0.3, 3000), (0,), optimized)


@OPTIMIZED
def test_keyword_only_arguments(optimized):
    assert tangent.grad(hostile.keyword_only_active, optimized=optimized)(1.5, w=2.0) == 4.0
    assert tangent.grad(hostile.keyword_only_active, wrt='w', optimized=optimized)(1.5, w=2.0) == 6.0
    assert tangent.grad(hostile.keyword_only_active, wrt=('w', 'x'), optimized=optimized)(1.5, w=2.0) == (6.0, 4.0)
    df = tangent.grad(hostile.very_keyword, wrt=('y', 'z'), optimized=optimized)
    assert df(1.5, 2.0) == (4.5, 3.0)
    assert df(1.5, y=2.0, z=5.0) == (7.5, 3.0)


# What passes through

def test_print_once(capsys):
    tangent.grad(hostile.strings_pass)(1.2)
    assert capsys.readouterr().out.count("'N'") == 1


@OPTIMIZED
@pytest.mark.parametrize('f, args, kind, text', [
    (hostile.asserts, (-1.0,), AssertionError, 'x must be positive'),
    (hostile.raises, (3.0,), ValueError, 'y is too large'),
    (hostile.divides, (1.0, 0.0), ZeroDivisionError, None),
    (hostile.index_error, (V,), IndexError, None),
    (hostile.key_error, ({'a': 1.0},), KeyError, None),
    (hostile.calls_failing, (1.0,), ZeroDivisionError, None),
], ids=lambda v: getattr(v, '__name__', ''))
def test_exceptions_are_theirs(f, args, kind, text, optimized):
    with pytest.raises(kind) as theirs:
        f(*args)
    with pytest.raises(kind) as ours:
        tangent.grad(f, optimized=optimized)(*copy.deepcopy(args))
    assert type(ours.value) is type(theirs.value)
    assert str(ours.value) == str(theirs.value)
    assert text is None or text in str(ours.value)
    last = traceback.extract_tb(ours.value.__traceback__)[-1]
    assert last.line, 'a traceback shows the line of source'


def test_raised_line_is_quoted():
    with pytest.raises(ValueError) as caught:
        tangent.grad(hostile.raises)(3.0)
    shown = ''.join(traceback.format_exception(caught.value))
    assert "raise ValueError('y is too large')" in shown


# Long and deep programs

def written(tmp_path, text, name='f'):
    path = tmp_path / 'written.py'
    path.write_text(text)
    namespace = {}
    exec(compile(text, str(path), 'exec'), namespace)
    return namespace[name]


def test_five_hundred_lines(tmp_path):
    lines = [f'    x = x * {1 + 1 / k:.6f} + math.sin(x) * {0.1 / k:.6f}' for k in range(1, 501)]
    f = written(tmp_path, '\n'.join(['import math', 'def f(x):', *lines, '    return x * 1e-3']))
    check(f, (0.3,), (0,))
    check(f, (0.3,), (0,), optimized=False)


def test_long_sum(tmp_path):
    f = written(tmp_path, 'def f(x):\n    return ' + ' + '.join(f'x * {k}.5' for k in range(300)))
    check(f, (0.3,), (0,))


def test_deep_parentheses(tmp_path):
    f = written(tmp_path, 'def f(x):\n    return ' + '(x + ' * 60 + 'x' + ')' * 60)
    check(f, (0.3,), (0,))


def test_many_arguments(tmp_path):
    names = [f'a{k}' for k in range(60)]
    f = written(tmp_path, f'def f({", ".join(names)}):\n    return {" * ".join(names)}')
    check(f, tuple(1 + 0.01 * k for k in range(60)), tuple(range(60)))


def test_deep_branches(tmp_path):
    lines = ['def f(x):'] + ['    ' * (k + 1) + f'if x > {k}:\n' + '    ' * (k + 2) + 'x = x * 1.5' for k in range(15)]
    f = written(tmp_path, '\n'.join([*lines, '    return x']))
    check(f, (0.7,), (0,))
    check(f, (3.7,), (0,))


def test_windows_lines_and_tabs(tmp_path):
    f = written(tmp_path, 'def f(x):\r\n\tif x > 0:\r\n\t\treturn x * x\r\n\treturn x\r\n')
    check(f, (0.7,), (0,))


def test_file_changed_after_loading(tmp_path):
    f = written(tmp_path, 'def f(x):\n    return x * x\n')
    (tmp_path / 'written.py').write_text('def f(x):\n    return x * x * x\n')
    with pytest.raises(ValueError, match='source') as caught:
        tangent.grad(f)(2.0)
    assert isinstance(caught.value, TangentError)
