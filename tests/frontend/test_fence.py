"""The fence: every refused construct, the place that the error shows, and what passes untouched."""
import ast
import pathlib
import re
import sys
import traceback

import gast
import numpy as np
import pytest

import tangent.errors
from docs import limits
from tangent.frontend import subset
from tangent.frontend.source import read
from tests import ROOT
from tests.tools.texts import define

LIMITS = ROOT / 'docs' / 'limits.md'

REFUSED = {
    'async functions and await': 'async def f(x):\n    return ^x',
    'generators (yield)': 'def f(x):\n    y = 2 * x\n    ^yield y',
    'functions defined inside the function': 'def f(x):\n    ^def g(y):\n        return y\n    return g(x)',
    'classes defined inside the function': 'def f(x):\n    ^class A:\n        k = x\n    return x',
    'try statements': 'def f(x):\n    ^try:\n        return x\n    finally:\n        pass',
    'insert_grad_of blocks of another form':
        'def f(x):\n    ^with insert_grad_of(x, 2) as dx:\n        pass\n    return x',
    'insert_grad_of blocks for what is no variable of the function':
        'def f(x):\n    ^with insert_grad_of(y) as dx:\n        pass\n    return x',
    'with statements other than insert_grad_of(...) and numpy.errstate(...)': 'def f(x):\n    ^with open(x) as y:\n        pass\n    return x',
    'del statements of elements and attributes': 'def f(x):\n    y = [x]\n    ^del y[0]\n    return x',
    'global declarations of names that the function assigns': 'def f(x):\n    ^global y\n    y = x\n    return x',
    'variables that are bound by globals()': 'def f(x):\n    ^globals()["y"] = x\n    return x',
    'writes into modules that are looked up by their names': 'def f(x):\n    m = ^modules["a"]\n    m.y = x\n    return x',
    'eval, exec and locals': 'def f(x):\n    return ^eval("x * 2")',
    'views made by numpy.ndarray(buffer=...)': 'def f(x):\n    return ^ndarray(3, float, x)',
    'calls of super without arguments': 'def f(x):\n    return ^super().f(x)',
}

REFUSED_WHEN_ACTIVE = {
    'generator expressions that are kept, or given to functions of your own':
        'def f(x):\n    return g(^(a * a for a in x))',
    'sets': 'def f(x):\n    return ^{x, 1}',
    'lambdas inside the function': 'def f(x):\n    return (^lambda y: y)(x)',
    'calls with *args or **kwargs': 'def f(x):\n    return ^max(*x)',
    'starred expressions': 'def f(x):\n    return [^*x, 1]',
    'assignments to attributes': 'def f(x, o):\n    ^o.a = x\n    return x',
}

ACCEPTED = '''
def f(x, /, y=1.0, *, k: "int" = 3):
    """Docstring."""
    import math
    from os import path
    assert x > 0, f'{x!r}'
    print(*[a for a in range(3)], {1, 2}, sep='')
    log = {}
    log['x'] = lambda: x
    z: float = x
    for i in range(k):
        if i > 2:
            continue
        while True:
            break
    if not x:
        raise ValueError(path)
    with insert_grad_of(x) as dx:
        dx.clip(-1, 1)
    a, (b, c) = x, (y, z)
    return {'a': a, 'b': [b, c if x < 1 else 0]}
'''


def function(marked, **names):
    """The function `f` of a text, and the line and column (from 1) of its mark."""
    before = marked.partition('^')[0]
    return define(marked.replace('^', ''), **names).f, before.count('\n') + 1, len(before.rpartition('\n')[2]) + 1


def insert_grad_of(x):
    return x


def refusal(call, *args):
    with pytest.raises(tangent.errors.TangentParseError) as caught:
        call(*args)
    return caught.value


@pytest.mark.parametrize('what', REFUSED)
def test_refused_anywhere(what):
    f, line, column = function(REFUSED[what], insert_grad_of=insert_grad_of, ndarray=np.ndarray, modules=sys.modules)
    error = refusal(subset.check, read(f))
    if what.startswith('async'):
        line, column = 1, 1
    assert f'{what} are not supported' in str(error)
    assert (error.lineno, error.offset) == (line, column)


@pytest.mark.parametrize('what', REFUSED_WHEN_ACTIVE)
def test_refused_when_active(what):
    f, line, column = function(REFUSED_WHEN_ACTIVE[what])
    source = read(f)
    subset.check(source)
    errors = [refusal(subset.refuse_active, source.tree.body[0], source)]
    assert f'{what} are not supported' in str(errors[0])
    assert (errors[0].lineno, errors[0].offset) == (line, column)


def test_every_row_has_an_example():
    rows = [row.what for row in subset.ALWAYS if row.what != 'nonlocal declarations']
    assert rows == list(REFUSED)
    assert [row.what for row in subset.WHEN_ACTIVE] == list(REFUSED_WHEN_ACTIVE)


def test_nonlocal():
    f = define('def outer():\n    n = 0\n    def f(x):\n        nonlocal n\n        n += 1\n        return x\n'
               '    return f\nf = outer()').f
    assert 'nonlocal declarations are not supported' in str(refusal(subset.check, read(f)))


def test_accepted():
    subset.check(read(define(ACCEPTED, insert_grad_of=insert_grad_of).f))


def test_insert_grad_of_under_another_name():
    text = 'def f(x):\n    with surgery(x) as dx:\n        print(dx)\n    return x'
    subset.check(read(define(text, surgery=insert_grad_of).f))
    refusal(subset.check, read(define(text, surgery=open).f))


def test_builtins_shadowed_by_the_user():
    text = 'def eval(x):\n    return 2 * x\ndef f(x, locals):\n    return eval(x) + locals() + vars(x)'
    subset.check(read(define(text).f))


def test_closures_that_are_not_complete_yet():
    text = 'def outer():\n    def f(x):\n        with later(x) as y:\n            return y\n    seen.append(f)\n' \
           '    later = open\nseen = []\nouter()'
    f = define(text).seen[0]
    assert subset.value_of(gast.parse('later', mode='eval').body, read(f)) is open
    unfinished = define(text.replace('    later = open\n', '    return\n    later = open\n')).seen[0]
    assert subset.value_of(gast.parse('later', mode='eval').body, read(unfinished)) is subset.MISSING
    assert 'with statements' in str(refusal(subset.check, read(unfinished)))


def test_the_first_place_in_the_text_is_shown():
    f = define('def f(x):\n    if x:\n        if x > 1:\n            del x[0]\n    try:\n        pass\n    finally:\n'
               '        pass').f
    assert refusal(subset.check, read(f)).lineno == 4


def test_message():
    f = define('def f(x):\n\té = x; y = g(a for a in x)\n\treturn y').f
    source = read(f)
    error = refusal(subset.refuse_active, source.tree.body[1], source)
    first, line, caret = str(error).split('\n')
    assert first.endswith(':2: generator expressions that are kept, or given to functions of your own are not supported '
                          'in differentiated code: make it a list: [...]')
    assert line == '    é = x; y = g(a for a in x)'
    assert line.index('(') == caret.index('^')
    assert error.filename == f.__code__.co_filename
    assert error.text == '\té = x; y = g(a for a in x)\n'
    assert error.text[error.offset - 1] == '('
    assert isinstance(error, SyntaxError)
    assert 'y = g' in ''.join(traceback.format_exception_only(error))


def test_unsupported_at_a_node_without_a_place():
    source = read(define('def f(x):\n    return x').f)
    error = subset.unsupported(gast.parse('y').body[0], source, 'ys', 'write x')
    assert 'ys are not supported' in str(error)
    made = gast.Pass()
    made.lineno = 2
    assert subset.unsupported(made, source, 'ys', 'write x').offset == 5


def test_limits_page_is_the_table():
    assert LIMITS.read_text(encoding='utf-8') == limits.table()


TABLES = {'normal/outlined': limits.CHECKPOINTED, 'cuda/': limits.CUDA, 'forward/': limits.FORWARD, 'eventlog/': limits.REFUSED,
          'numba/target/': limits.NUMBA, 'normal/typed/': limits.NUMBA, 'analysis/messages/': limits.MESSAGES,
          'other': limits.LOG_FORM}


@pytest.fixture(scope='module')
def refusals():
    """(table, pattern) for what the rooms refuse, read from their text."""
    return sorted(set(read_refusals(pathlib.Path(subset.__file__).parent.parent)))


def read_refusals(package):
    for path in sorted(package.rglob('*.py')):
        kind = next((k for k in TABLES if path.relative_to(package).as_posix().startswith(k)), 'other')
        text = path.read_text(encoding='utf-8')
        for node in ast.walk(ast.parse(text)) if 'unsupported(' in text else ():
            if isinstance(node, ast.Call) and 'unsupported' in (getattr(node.func, 'attr', None), getattr(node.func, 'id', None)):
                parts = getattr(node.args[2], 'values', [node.args[2]])
                yield kind, ''.join(re.escape(p.value) if isinstance(p, ast.Constant) else r'[\w ]+' for p in parts)


def test_limits_page_knows_what_other_rooms_refuse(refusals):
    assert len(refusals) > 60
    assert [(kind, pattern) for kind, pattern in refusals
            if not any(re.fullmatch(pattern, what) for what, _ in TABLES[kind] + limits.REFUSED)] == []


def test_what_other_rooms_accept_by_now_is_off_the_page(refusals):
    patterns = {p for _, p in refusals}
    listed = limits.REFUSED + limits.FORWARD + limits.LOG_FORM + limits.CHECKPOINTED + limits.NUMBA + limits.CUDA
    assert [what for what, _ in listed if not any(re.fullmatch(p, what) for p in patterns)] == []


def test_locate():
    source = read(define('def f(x):\n    return g(x)', filename='<cell of mine>').f)
    assert subset.locate(source.tree.body[0].value.args[0], source, 'hm') == (
        '<cell of mine>:2: hm\n    return g(x)\n             ^')
