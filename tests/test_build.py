"""Functions made from text: their globals, their cells, and what debuggers see."""
import cProfile
import gc
import inspect
import io
import linecache
import pdb
import pstats
import sys
import traceback
import types

import numpy as np
import pytest

from tangent.build import Part, build

TEXT = '''\
def dfdx(x, by=1.0):
    """The gradient."""
    y, tape = primal(x)
    return adjoint(by, tape) * scale


def primal(x):
    return np.sin(x), x


def adjoint(by, x):
    return by * np.cos(x) * helper(scale)
'''


def made(**extra):
    here = {'__name__': 'users.module', 'scale': 10.0}
    there = {'np': np, **extra}
    parts = [Part('dfdx', here, defaults=(1.0,)), Part('primal', there),
             Part('adjoint', there, {'scale': types.CellType(3.0)})]
    return build(TEXT, parts, {'helper': lambda v: v + 1}), here, there


def test_functions_see_each_other_and_each_its_own_globals():
    functions, here, there = made()
    assert list(functions) == ['dfdx', 'primal', 'adjoint']
    assert functions['dfdx'](0.5) == np.cos(0.5) * 4 * 10
    assert functions['dfdx'](0.5, 2.0) == np.cos(0.5) * 8 * 10
    here['scale'] = 100.0
    assert functions['dfdx'](0.5) == np.cos(0.5) * 4 * 100


def test_globals_are_left_as_they_were():
    functions, here, there = made()
    functions['dfdx'](0.5)
    assert set(here) == {'__name__', 'scale'} and set(there) == {'np'}
    assert functions['dfdx'].__globals__ is here


def test_cells_are_the_users_own():
    n = 2

    def users():
        return n

    cell = users.__closure__[0]
    f = build('def df(x):\n    return x * n\n', [Part('df', {}, {'n': cell})])['df']
    assert f(3) == 6
    n = 5
    assert f(3) == 15 and f.__closure__ == (cell,)


def test_library_hides_a_global_and_is_not_added_to_it():
    namespace = {'push': 'mine'}
    f = build('def df():\n    return push()\n', [Part('df', namespace)], {'push': lambda: 'library'})['df']
    assert f() == 'library' and namespace == {'push': 'mine'}


def test_recursion_and_nested_functions():
    text = 'def df(n):\n    step = lambda k: df(k - 1) + one\n    return step(n) if n else 0\n'
    f = build(text, [Part('df', {})], {'one': 1})['df']
    assert f(5) == 5


def test_identity():
    functions, _, _ = made()
    df = functions['dfdx']
    assert (df.__name__, df.__qualname__, df.__module__) == ('dfdx', 'dfdx', 'users.module')
    assert df.__doc__ == 'The gradient.' and df.source == TEXT and not hasattr(df, '__wrapped__')
    assert str(inspect.signature(df)) == '(x, by=1.0)'


def test_keyword_defaults():
    f = build('def df(x, *, k=None):\n    return x + k\n', [Part('df', {}, kwdefaults={'k': 2})])['df']
    assert f(1) == 3


def test_source_of_every_function():
    functions, _, _ = made()
    linecache.checkcache()
    assert inspect.getsource(functions['dfdx']) == TEXT[:TEXT.index('\n\n\ndef primal') + 1]
    assert inspect.getsource(functions['primal']) == 'def primal(x):\n    return np.sin(x), x\n'
    assert inspect.getsource(functions['adjoint']).startswith('def adjoint(by, x):')


def test_file_names_differ_and_entries_go_with_the_function():
    one, two = made()[0]['dfdx'], made()[0]['dfdx']
    name = one.__code__.co_filename
    assert name != two.__code__.co_filename and name.startswith('<tangent dfdx ')
    assert name in linecache.cache
    del one
    gc.collect()
    assert name not in linecache.cache and two.__code__.co_filename in linecache.cache


def test_traceback_shows_the_line():
    df = made()[0]['dfdx']
    with pytest.raises(TypeError) as caught:
        df('text')
    shown = ''.join(traceback.format_exception(caught.type, caught.value, caught.tb))
    assert 'y, tape = primal(x)' in shown and 'return np.sin(x), x' in shown


def test_pdb_steps_through_it():
    out = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO('step\nstep\nnext\nlist\ncontinue\n'), stdout=out, nosigint=True)
    debugger.use_rawinput = False
    trace = sys.gettrace()
    try:
        debugger.runcall(made()[0]['dfdx'], 0.5)
    finally:
        sys.settrace(trace)
    assert '-> y, tape = primal(x)' in out.getvalue()


def test_profilers_name_it():
    df = made()[0]['dfdx']
    profile = cProfile.Profile()
    profile.runcall(df, 0.5)
    out = io.StringIO()
    pstats.Stats(profile, stream=out).print_stats()
    assert '(dfdx)' in out.getvalue() and '(adjoint)' in out.getvalue()


def test_line_profiler_shows_its_lines():
    line_profiler = pytest.importorskip('line_profiler')
    df = made()[0]['dfdx']
    profiler = line_profiler.LineProfiler(df)
    profiler.runcall(df, 0.5)
    out = io.StringIO()
    profiler.print_stats(stream=out)
    assert 'Function: dfdx' in out.getvalue() and 'y, tape = primal(x)' in out.getvalue()


def test_numba_compiles_it():
    numba = pytest.importorskip('numba')
    from numba.extending import overload

    def double(x):
        return 2 * x

    @overload(double)
    def double_overload(x):
        return lambda x: 2 * x

    twice = numba.njit(double)
    text = 'def df(x, by=1.0):\n    t = np.cos(x)\n    return by * twin(t) * k\n\n\ndef twin(t):\n    return helper(t) + twice(t)\n'
    namespace = {'np': np}
    functions = build(text, [Part('df', namespace, {'k': types.CellType(3.0)}, (1.0,)), Part('twin', namespace)],
                      {'helper': double, 'twice': twice})
    df = functions['df']
    plain = df(0.3)
    with pytest.raises(numba.core.errors.TypingError):      # a plain Python function is not compiled through
        numba.njit(df)(0.3)
    df.__closure__[df.__code__.co_freevars.index('twin')].cell_contents = numba.njit(functions['twin'])
    assert numba.njit(df)(0.3) == pytest.approx(plain)
