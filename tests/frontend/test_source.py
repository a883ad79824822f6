"""Reading functions: the right text, the right names, and an error where the text is not that of the loaded code."""
import ast
import functools
import gc
import importlib
import inspect
import linecache
import sys
import textwrap

import gast
import numpy
import pytest

from tangent import errors
from tangent.driver.interpreter import deriving
from tangent.frontend import code_match
from tangent.frontend.source import read, unwrap
from tests.tools.texts import define

SCALE = 3.0

twice = lambda x: x * 2; thrice = lambda x: x * 3                                         # noqa: E702, E731
same = [lambda x: x + 1, lambda x: x + 1, lambda x: x + 1.0, lambda x, y=2: x + 1]
nested = lambda x: (lambda y: y * 2)(x)                                                   # noqa: E731
over_rows = (lambda x:                                                                    # first
             x * 2 +                                                                      # second
             1)


def with_comments(x):
    # Über
    y = (x +   # the argument
         1)    # one
    text = '# no comment'
    return y, text
    # at the end


# outside


def asserting(x, n=2):
    """Pytest rewrites the asserts of this file."""
    assert x > 0, 'positive'
    assert (n, x) != (0, SCALE)
    return x * n + 11


def logged(f):
    @functools.wraps(f)
    def wrapper(*args):
        return 2 * f(*args)
    return wrapper


@logged
def decorated(x):
    return x + 1


def unchanged(f):
    return f


@unchanged
@unchanged
def decorated_twice(
        x,
        w=1.5, *, k=(1,
                     2)
):
    return x * w


def make(a):
    b = 2.0

    def inner(x):
        return a * b * x
    return inner


if SCALE:
    class Outer:
        class _Inner:
            def __init__(self, x):
                self.__x = x

            def method(self, __y):
                def hidden(x):
                    return __y * x
                return self.__x * __y, hidden

            @staticmethod
            def static(x):
                return x

            @classmethod
            def of(cls, x):
                return cls(x)

            def parent(self):
                return super().__repr__()

            square = lambda self, x: x * x                                                # noqa: E731


def body(source):
    return [gast.unparse(stmt).strip() for stmt in source.tree.body]


def refused(thing, *words, kind=errors.SourceError):
    with pytest.raises(kind) as caught:
        read(thing)
    for word in words:
        assert word in str(caught.value)
    return str(caught.value)


# --- what is read

def test_places_are_those_of_the_file():
    source = read(asserting)
    lines, first = inspect.getsourcelines(asserting)
    assert source.first == source.tree.lineno == first
    assert source.filename == __file__
    assert source.line(first) == 'def asserting(x, n=2):'
    assert source.line(0) == source.line(10 ** 6) == ''
    last = source.tree.body[-1]
    assert source.segment(last) == 'return x * n + 11'
    assert last.lineno == first + len(lines) - 1 and last.col_offset == 4
    assert source.function is asserting and source.globals is globals()


def test_signature():
    source = read(decorated_twice)
    assert source.parameters == ('x', 'w', 'k')
    assert source.defaults == (1.5,) and source.kwdefaults == {'k': (1, 2)}
    assert source.line(source.first) == '@unchanged'
    f = define('def f(a, /, b, *c, d=1, **e):\n    z = 1').f
    assert read(f).parameters == tuple(inspect.signature(f).parameters)


def test_defaults_are_those_of_the_definition():
    f = define('n = 1\ndef f(x, y=n):\n    return x * y\nn = 2').f
    assert read(f).defaults == (1,)


def test_comments():
    source = read(with_comments)
    first = source.first
    assert source.comments == {first + 1: ('# Über', True), first + 2: ('# the argument', False),
                               first + 3: ('# one', False), first + 6: ('# at the end', True)}


def test_comments_of_a_lambda_inside_a_call():
    source = read(over_rows)
    assert [text for text, _ in source.comments.values()] == ['# first', '# second']


def test_closure():
    f = make(5.0)
    source = read(f)
    assert {name: cell.cell_contents for name, cell in source.closure.items()} == {'a': 5.0, 'b': 2.0}
    assert source.closure['a'] is f.__closure__[0]


def test_one_line():
    text = 'def f(x):\n    y = (x +  # one\n         f"# {x}"\n         [0])\n    z = x + \\\n        1\n' \
           '    s = """a\n b"""\n    return y ; w = 1'
    source = read(define(text).f)
    assert [source.one_line(stmt) for stmt in source.tree.body] == [
        'y = (x + f"# {x}" [0])', 'z = x + 1', 's = """a\n b"""', 'return y', 'w = 1']
    assert source.segment(gast.Pass()) == source.one_line(gast.Pass()) == ''


# --- which function

def test_lambdas_that_share_a_line():
    assert read(twice).name == 'twice' and body(read(twice)) == ['return x * 2']
    assert read(thrice).name == 'thrice' and body(read(thrice)) == ['return x * 3']
    assert [read(f).tree.body[0].value.right.value for f in same] == [1, 1, 1.0, 1]
    assert isinstance(read(same[2]).tree.body[0].value.right.value, float)
    assert read(same[3]).parameters == ('x', 'y')
    assert body(read(nested)) == ['return (lambda y: y * 2)(x)']


@pytest.mark.skipif(sys.version_info < (3, 11), reason='code objects know no columns')
def test_equal_lambdas_are_told_apart_by_their_columns():
    columns = [read(f).tree.col_offset for f in same]
    assert columns == sorted(set(columns))


def test_lambda_that_the_line_does_not_hold():
    other = define('f = lambda x: x - 7').f
    foreign = make.__class__(other.__code__.replace(co_filename=__file__, co_firstlineno=twice.__code__.co_firstlineno),
                             {})
    refused(foreign, 'source', 'twice = lambda x: x * 2', 'line of its own')


def test_lambdas_that_nothing_tells_apart(monkeypatch):
    monkeypatch.setattr(code_match, 'same_place', lambda node, path, code: True)    # Python 3.10, or -X no_debug_ranges
    assert body(read(same[1])) == ['return x + 1']
    f = define('f, g = lambda x, n=1: x * n, lambda x, n=2: x * n').f
    refused(f, 'ambiguous', 'f, g = lambda x, n=1')


def test_too_deep():
    f = define('def f(x):\n    return ' + ' + '.join(['x'] * 2000)).f
    refused(f, 'nests too deeply', 'give parts')


@pytest.mark.parametrize('text, name', [
    ('f = lambda x: x', 'f'), ('f: object = lambda x: x', 'f'), ('(f := lambda x: x)', 'f'), ('f = (lambda x: x)', 'f'),
    ('a, f = 1, lambda x: x', 'fn'), ('f = [lambda x: x][0]', 'fn'), ('x = f = lambda x: x', 'fn'),
    ('x = lambda x: x\nf = x', 'fn'), ('f = (\n lambda\n x: x)', 'f')])
def test_name_of_a_lambda(text, name):
    assert read(define(text).f).name == name


def test_wraps_is_not_seen_through():
    source = read(decorated)
    assert source.parameters == ('args',) and list(source.closure) == ['f']
    assert body(source) == ['return 2 * f(*args)']


def test_bound_methods():
    thing = Outer._Inner(3)
    source = read(thing.method)
    assert source.instance is thing and source.parameters == ('self', '_Inner__y')
    assert body(source)[-1] == 'return (self._Inner__x * _Inner__y, hidden)'
    assert read(Outer._Inner.method).instance is None
    assert read(Outer._Inner.of).instance is Outer._Inner
    assert read(thing.static).instance is None and read(vars(Outer._Inner)['static']).name == 'static'
    assert read(thing.method(2)[1]).closure['_Inner__y'].cell_contents == 2
    assert body(read(thing.method(2)[1])) == ['return _Inner__y * x']
    assert read(thing.square).name == 'square'
    assert list(read(thing.parent).closure) == ['__class__']


def test_dispatchers():
    numba = pytest.importorskip('numba')
    assert read(numba.njit(make(2.0))).closure['a'].cell_contents == 2.0
    assert unwrap(numba.njit(asserting)) == (asserting, None)
    assert read(numpy.gradient).name == 'gradient'


# --- texts that look strange

GENERIC = [
    'def f[T](x: T) -> T:\n    return x',
    'def f[T: int, *U](x: T):\n    return T, U, x',
    'class A[T]:\n    def f[V](self, x: T):\n        return T, V, A\nf = A.f',
    'class A[T]:\n    f = lambda self, x: (T, x)\nf = A.f',
] if sys.version_info >= (3, 12) else []


@pytest.mark.parametrize('text', [
    'def f(x):\n\tif x:\n\t\treturn x\n\treturn -x',
    'def f(x): return x',
    'def f(x): y = 2 * x; return y',
    'class A:\n    def f(self, x): return x\nf = A.f',
    'class A:\n  class __B:\n    def f(self, __x): return __x + self.__y\n  f = __B.f\nf = A.f',
    'if True:\n        def f(x):\n            """Doc\nat the margin\n            """\n            return x',
    'def f(x): \\\n  return x \\\n + 1',
    'def f(\n x, # one\n # two\n y\n ):\n\n\n  # hm\n  return (x\n\n+ y)',
    'from __future__ import annotations\ndef f(x: Undefined) -> Undefined2:\n    y: Undefined3 = x\n'
    '    x.a: Undefined4 = 1\n    return y',
    'def f(x: "a", *, y: int = 3) -> "b":\n    z: float\n    return x',
    'def f(größe):\n    日本 = größe * 2  # 説明\n    return 日本',
    'def f(x):\n    return x if x in {1, 2, "a", (1, 2)} else -0.0',
    'def f(x):\n    return x + 1j, b"a", ..., None, True, 1, 1.0, float("nan")',
    'def f(x):\n    def g(y):\n        class A:\n            def h(self): return x, y, __class__\n'
    '        return A\n    return g',
    'def f(x):\n    return [[a + b for a in range(x)] for b in range(x)], lambda: x',
    'def f(x, n=[lambda x: x, lambda: (yield)]):\n    return n',
    '@(lambda g: g)\ndef f(x):\n    return x',
    'def outer(__class__):\n    def f(x): return __class__ + x\n    return f\nf = outer(1)',
    'def outer(a):\n    class A:\n        def f(self, x): return a + __class__.y + x\n    return A.f\nf = outer(1)',
    'def outer(a):\n    class A:\n        a = 2\n        def f(self, x): return a + x\n    return A.f\nf = outer(1)',
    'def outer():\n    def f(x): return f(x - 1) if x else 0\n    return f\nf = outer()',
    'def f(x): return f(x - 1) if x else 0',
    'def outer(a):\n    global f\n    def f(x): return f(x - a) if x else 0\nouter(1)',
    'def outer(a):\n    global f\n    f = lambda x: f(x - a) if x else 0\nouter(1)',
    'class A:\n    def f(x): return f(x - 1) if x else 0\nf = A.f',
    'class A:\n    def f(self, x): return A, x\nf = A.f',
    'def outer():\n    class A:\n        def f(self, x): return A, super().f\n    return A.f\nf = outer()',
    'import math as m\ndef f(x): return m.sin(x)',
    'if True:\n    from os import path\ndef f(x): return lambda: path.join(x)',
    'def outer():\n    import math\n    def f(x): return math.sin(x)\n    return f\nf = outer()',
    'import math\ndef outer(math):\n    def f(x): return math.sin(x)\n    return f\nf = outer(1)',
    'import math\nclass A:\n    __a = lambda self, x: math.sin(self.__b)\n    f = __a\nf = A.f',
    'def outer(f=None):\n    while True:\n        try:\n            with open("x"): pass\n'
    '        except OSError as e:\n            def f(x):\n                return x\n            return f\nf = outer()',
    'async def f(x):\n    async with x: await x',
    'def f(x):\n    yield x',
    'def f(x):\n    "doc"',
    'def f(x):\n    if __debug__:\n        print(x)\n    assert x\n    return x',
    'def f(x):\n    try:\n        return x / 0\n    except ZeroDivisionError:\n        return 0\n'
    '    finally:\n        print()',
    'def f(x):\n    match x:\n        case {"a": [1, *_], **rest}: return rest\n        case _: return 0',
    'f = [lambda x, i=i: x * i for i in range(3)][1]',
    'f = (lambda a: [lambda x: x + a, lambda x: x - a])(1)[1]',
    'f = {"a": lambda x: x, "b": lambda x: -x}["b"]',
    'f = max(\n    (lambda x: x,\n     lambda x: 2 * x), key=lambda g: g(1))',
    'def f(g=lambda x: x):\n    return g\nf = f.__defaults__[0]',
    'def f(x):\r\n    return x\r\n',
    '\x0cdef f(x):\n    return x\n\x0c',
] + GENERIC)
@pytest.mark.parametrize('optimize', [0, 1, 2])
def test_no_false_alarm(text, optimize):
    namespace = {}
    filename = f'<{hash((text, optimize))}>'
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    exec(compile(text, filename, 'exec', dont_inherit=True, optimize=optimize), namespace)
    f = namespace['f']
    source = read(f)
    assert source.tree.lineno >= f.__code__.co_firstlineno
    assert source.segment(source.tree).startswith(('def f', 'async def f', 'lambda'))
    node = [n for n in ast.walk(ast.parse(text)) if getattr(n, 'lineno', 0) == source.tree.lineno
            and getattr(n, 'col_offset', 0) == source.tree.col_offset]
    assert node
    assert f.__code__.co_freevars == tuple(source.closure)


def test_asserts_that_pytest_rewrote():
    assert any(name.startswith('@py') for name in asserting.__code__.co_names)
    assert body(read(asserting))[-1] == 'return x * n + 11'
    code = asserting.__code__.replace(co_consts=tuple(12 if c == 11 else c for c in asserting.__code__.co_consts))
    refused(make.__class__(code, globals(), 'asserting'), 'source')


@pytest.mark.skipif(sys.version_info < (3, 13), reason='classes do not list their attributes')
def test_attributes_of_a_nested_class_in_any_order():
    f = define('def f(x):\n    class A:\n        def g(self):\n            self.a = self.b = x\n    return A').f

    def turned(code):
        return code.replace(co_consts=tuple(
            turned(c) if inspect.iscode(c) else c[::-1] if isinstance(c, tuple) else c for c in code.co_consts))
    f.__code__ = turned(f.__code__)
    assert read(f).name == 'f'


def test_functions_of_the_standard_library():
    import statistics
    import textwrap as module
    for f in [*vars(module).values(), *vars(statistics).values(), *vars(inspect).values(), *vars(ast).values()]:
        if inspect.isfunction(f) and not hasattr(f, '__wrapped__'):
            assert read(f).name == f.__code__.co_name


def test_under_a_tracer():
    f = define('def f(x):\n    for i in range(3):\n        x += i\n    return x').f
    sys.settrace(lambda *args: None)
    try:
        for _ in range(100):
            f(1)
        assert read(f).name == 'f'
    finally:
        sys.settrace(None)


# --- where there is no source

def test_code_from_exec():
    namespace = {}
    exec('def f(x): return x', namespace)
    refused(namespace['f'], 'source of f', 'linecache')


@pytest.mark.parametrize('thing, words', [
    (len, ['source of len', 'lambda x: len(x)']),
    (numpy.sin, ['source of sin', 'not written in Python']),
    ([].append, ['source']),
    (functools.lru_cache(unchanged), ['source', '__wrapped__'])])
def test_not_written_in_python(thing, words):
    refused(thing, *words)


class Called:
    def __call__(self, x):
        return x


class Callable(Called):
    pass


@pytest.mark.parametrize('thing, words', [
    (Outer, ['Outer is a class']),
    (Callable(), ['class Callable', '__call__']),
    (functools.partial(asserting, 1), ['partial of asserting', 'lambda']),
    (3.0, ['3.0 is of type float', 'pass the function itself']),
    (None, ['None']), ('f', ["'f' is of type str"]), (numpy, ['module']),
    (vars(Outer._Inner)['of'], ['classmethod'])])
def test_not_a_function(thing, words):
    refused(thing, *words, kind=errors.ArgumentTypeError)


def test_call_method_of_an_object():
    assert read(Callable().__call__).parameters == ('self', 'x')


# --- files that change

@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module's text and imports it (the first time)."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, 'dont_write_bytecode', True)
    path = tmp_path / 'changing_module.py'

    def write(text):
        path.write_text(textwrap.dedent(text), encoding='utf-8')
        importlib.invalidate_caches()
        return importlib.import_module('changing_module')
    yield write
    sys.modules.pop('changing_module', None)


BEFORE = 'import math\n\ndef f(x):\n    """Doc."""\n    y = x * 2\n    return math.sin(y)\n'


@pytest.mark.parametrize('change', [
    ('2', '3'), ('2', '2.0'), ('*', '+'), ('math.sin', 'math.cos'), ('y = x', 'y = y'), ('    return', '    # return'),
    ('(x)', '(x, z=1)'), ('import math\n', ''), ('def f', 'def g'), ('    """Doc."""\n', '    y = 1\n'),
    ('def f(x):', 'def f(x:'), (BEFORE, ''), ('return', 'yield')])
def test_changed_on_disk(module, change):
    """What was read before is known; what was not is refused."""
    f, after = module(BEFORE).f, BEFORE.replace(*change)
    assert after != BEFORE
    module(after + '\n# longer\n')
    refused(f, 'source of f')
    module(BEFORE)
    before = gast.dump(read(f).tree)
    module(after + '\n# longer\n')
    assert gast.dump(read(f).tree) == before


@pytest.mark.parametrize('change', [
    ('x * 2', '(x * 2)  # twice'), ('y = x', 'y  = x'), ('return math', 'return   math')])
def test_changed_in_form_only(module, change):
    f = module(BEFORE).f
    module(BEFORE.replace(*change) + '\n# longer\n')
    assert read(f).name == 'f'


def test_error_of_a_changed_file(module):
    f = module(BEFORE).f
    module(BEFORE.replace('2', '30'))
    message = refused(f, 'changing_module.py:3', 'def f(x):', 'import it anew')
    assert message.count('\n') == 2


def test_import_anew(module):
    first = module(BEFORE)
    importlib.reload(module(BEFORE.replace('2', '30')))
    assert body(read(first.f))[1] == 'y = x * 30'


def test_same_code_is_needed_in_nested_functions(module):
    text = 'def f(x):\n    def g(y):\n        return y * 2\n    return g(x)\n'
    f = module(text).f
    module(text.replace('2', '30'))
    refused(f, 'source of f')


def test_what_cannot_be_compiled_is_not_refused():
    node = ast.parse('def f(x): return nonlocal_').body[0]
    node.body[0] = ast.Nonlocal(names=['nowhere'], lineno=1, col_offset=10, end_lineno=1, end_col_offset=12)
    assert code_match.matches(node, (), twice.__code__)


def test_notebook_compiles_each_statement_on_its_own():
    text = 'import math\ndef f(x):\n    return math.sin(x)'
    linecache.cache['<cell>'] = (len(text), None, text.splitlines(True), '<cell>')
    namespace = {}
    for stmt in ast.parse(text).body:
        exec(compile(ast.Module(body=[stmt], type_ignores=[]), '<cell>', 'exec'), namespace)
    assert body(read(namespace['f'])) == ['return math.sin(x)']


# --- cells, and what the library emits itself

def test_cell_that_runs_a_second_time():
    first = define('def f(x):\n    return x', filename='<ipython-input-1>').f
    second = define('def f(x):\n    return x * 2', filename='<ipython-input-2>').f
    assert body(read(first)) == ['return x'] and body(read(second)) == ['return x * 2']


def test_emitted_functions_can_be_read():
    text = 'def dfdx(x, by=1.0):\n    # Grad of: y = x * x\n    return 2 * x * by'
    df = define(text, filename='<tangent dfdx 3>').dfdx
    source = read(df)
    assert source.name == 'dfdx' and source.comments == {2: ('# Grad of: y = x * x', True)}


def test_two_reads_do_not_share_trees():
    first, second = read(with_comments), read(with_comments)
    first.tree.body.clear()
    assert second.tree.body and read(with_comments).tree.body


def test_settings_of_the_interpreter_are_as_before_whichever_thread_is_done_first():
    before, garbage = sys.getrecursionlimit(), gc.isenabled()
    first, second = deriving(), deriving()
    first.__enter__()
    second.__enter__()                         # in another thread, while the first is at it
    first.__exit__(None, None, None)
    assert sys.getrecursionlimit() > before
    second.__exit__(None, None, None)
    assert (sys.getrecursionlimit(), gc.isenabled()) == (before, garbage)


@pytest.mark.parametrize('head, kept', [('from __future__ import annotations', False), ('Unknown = float', True)])
def test_annotations_inside_are_no_names_where_python_keeps_texts(head, kept):
    text = 'def f(x):\n    def cost(y: Unknown, *, target: Unknown = 1.0) -> Unknown:\n        return y - target\n    return cost(x)\n'
    inner = read(define(f'{head}\n{text}').f).tree.body[0]
    assert [inner.returns is not None, *(a.annotation is not None for a in inner.args.args + inner.args.kwonlyargs)] == [kept] * 3


def test_what_is_too_deep_to_be_derived_says_so():
    with pytest.raises(errors.SourceError, match='too many in a row'), deriving():
        raise RecursionError
