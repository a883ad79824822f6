"""A derivative looks at its arguments: objects have a text of their own, and a class that nobody passes in changes nothing."""
import copy
import inspect
import re
import threading
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

import tangent
from tangent.driver import variants
from tests.driver import object_programs as methods
from tests.eventlog.test_objects import check
from tests.tools.texts import define

PROGRAM = '''
import numpy as np


def f(x, w):
    y = x * w + x[0]
    for v in w:
        y = y + v * v
    return np.sum(abs(y) ** 2)


def g(x, y):
    return x * y + y
'''
BYSTANDERS = '''
import collections
import dataclasses
import pathlib

HERE = pathlib.Path('.')


class Vec:
    def __init__(self, x):
        self.x, self.size = x, 1

    def __mul__(self, other):
        return Vec(self.x * other.x * 3)

    __add__ = __sub__ = __pow__ = __abs__ = __mul__

    def __getitem__(self, i):
        return self

    def sum(self):
        return self.x


class Dataset:
    def __getitem__(self, i):
        return i

    def __iter__(self):
        return iter([])


@dataclasses.dataclass(order=True)
class Ordered:
    a: float


class Tally(collections.Counter):
    def __add__(self, other):
        return self


class Any:
    def __getattr__(self, name):
        return name


VECTOR = Vec(1.0)
'''


@pytest.mark.parametrize('mode', [tangent.grad, tangent.jvp, lambda f: tangent.autodiff(f, motion='split')])
def test_a_class_that_nobody_passes_in_changes_no_text(mode):
    alone, among = define(PROGRAM), define(PROGRAM + BYSTANDERS)
    for name in 'fg':
        assert text_of(mode(getattr(alone, name))) == text_of(mode(getattr(among, name)))


def text_of(derivative):
    """Its text, wherever the function stands."""
    return re.sub(r'<cell \d+>', '', tangent.source(derivative))


def test_nor_who_asks_first():
    first, second = define(PROGRAM + BYSTANDERS), define(PROGRAM + BYSTANDERS)
    texts = [text_of(tangent.grad(f)) for f in (first.f, first.g)]
    tangent.grad(second.g)(second.Vec(2.0), second.Vec(3.0), second.Vec(1.0))
    assert [text_of(tangent.grad(f)) for f in (second.g, second.f)] == texts[::-1]


class Number:
    """An object with arithmetic that is not that of numbers."""

    def __init__(self, v):
        self.v = v

    def __mul__(self, other):
        return Number(self.v * getattr(other, 'v', other) * 2)

    def __add__(self, other):
        return Number(self.v + getattr(other, 'v', other))

    __rmul__, __radd__ = __mul__, __add__


def product(x, y):
    t = x * y + y
    return t.v if hasattr(t, 'v') else t


def test_objects_get_a_derivative_of_their_own():
    df = tangent.grad(product, wrt=(0, 1))
    assert df(2.0, 3.0) == (3.0, 3.0)
    check(product, (Number(2.0), Number(3.0)), (0, 1))
    check(product, (Number(2.0), 3.0), (0, 1))
    check(product, (2.0, Number(3.0)), (0, 1))
    assert df(2.0, 3.0) == (3.0, 3.0)
    texts = df.source, tangent.source(df, Number(2.0), 3.0), tangent.source(df, 2.0, 3.0)
    assert len(set(texts)) == 3 and tangent.source(df) == texts[2]


class Loud(float):
    def __mul__(self, other):
        return float(self) * float(other) * 2

    __rmul__ = __mul__


class Quiet(float):
    pass


class Mass(np.ndarray):
    def __mul__(self, other):
        return np.asarray(self) * other * 2


def inner(x, y):
    return np.sum(x * y + y)


@pytest.mark.parametrize('x, y', [
    (np.ones(3), np.ones(3)), (np.ones((3, 1)), np.ones(3)), (np.ones(1), np.ones(3)), (2, np.ones(3)), (2.0, 3), (Quiet(2.0), 3.0),
    (np.float32(2.0), np.ones(3)), (np.ones(3, np.float32), 2.0), (np.ones(3, int), 2.0)], ids=str)
def test_derivatives_made_for_one_kind_of_number_are_right_for_others(x, y):
    df = tangent.grad(inner, wrt=(0, 1))
    df(1.0, 2.0)
    args = np.asarray(x, float), np.asarray(y, float)
    for k, found in enumerate(df(x, y)):
        want = [moved(args, k, place, 1e-5) - moved(args, k, place, -1e-5) for place in np.ndindex(args[k].shape)]
        assert np.shape(found) == args[k].shape and np.allclose(np.ravel(found), np.array(want) / 2e-5, atol=1e-4)


def moved(args, k, place, h):
    args = [a.copy() for a in args]
    args[k][place] += h
    return inner(*args)


@pytest.mark.parametrize('x', [Loud(2.0), np.ones(3).view(Mass), [Loud(2.0)], np.array([Loud(2.0)], object)], ids=str)
def test_numbers_with_operators_of_their_own_are_refused(x):
    with pytest.raises(tangent.errors.ArgumentTypeError, match='operators are code of its own'):
        tangent.grad(inner)(x, 3.0)


@pytest.mark.parametrize('x', [2j, np.array([1j])], ids=str)
def test_complex_numbers_are_refused_where_the_text_is_for_real_ones(x):
    with pytest.raises(tangent.TangentError):
        tangent.grad(inner)(x, 3.0)


def test_objects_in_containers_and_fields():
    f = lambda d: (d['k'][0].of * d['k'][0].of).v  # noqa: E731
    check(f, ({'k': [SimpleNamespace(of=Number(2.0))]},), (0,))


def test_closures_of_one_def_with_other_objects():
    def make(d):
        return lambda x: product(d[0], x)
    for d, want in [([2.0], 3.0), ([Number(2.0)], 5.0), ([2.0], 3.0), ([Number(2.0)], 5.0)]:
        assert tangent.grad(make(d))(5.0) == want


def test_derivatives_that_others_call():
    df = tangent.grad(product)

    def outer(x, y):
        return df(x, y) * product(x, y)
    assert tangent.grad(outer)(2.0, 3.0) == pytest.approx(9.0)
    check(lambda y: product(Number(2.0), y) * product(3.0, y), (1.5,), (0,))


def test_derivatives_of_derivatives_of_objects():
    def f(m, x):
        return m.f(x) * m.f(x)
    second = tangent.grad(tangent.grad(f, wrt=1), wrt=1)
    assert second(methods.Base(2.0), 3.0) == pytest.approx(8.0)
    assert second(methods.Derived(2.0), 3.0) == pytest.approx(2 * 4 * 6 * 9.0)


def test_threads_with_changing_kinds():
    df, wrong = tangent.grad(product, wrt=(0, 1)), []

    def run(k):
        for n in range(40):
            x = 2.0 + n
            found = df(Number(x), 3.0) if (n + k) % 2 else df(x, 3.0)
            want = (6.0, 2 * x + 1) if (n + k) % 2 else (3.0, x + 1)
            if (getattr(found[0], 'v', found[0]), found[1]) != want:
                wrong.append((n, found))
    threads = [threading.Thread(target=run, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


class Backwards(NamedTuple):
    a: object
    b: object

    def __getitem__(self, k):
        return tuple(self)[1 - k]


def parts(p, w):
    a, b = (p.a, p.b) if isinstance(p, Pair) else p.values() if isinstance(p, dict) else (p[0], p[1])
    return np.sum(a * b * a) * w


V = np.array([1.5, 2.0])
LOOKS = [[2.0, 3.0], (2.0, 3.0), [2, 3.0], [2.0, np.float64(3.0)], [2.0, 3.0, 4.0], V, V[:, None], V.astype('float32'), V.astype('int64'),
         {'a': 2.0, 'b': 3.0}, {'b': 2.0, 'a': 3.0}, Pair(2.0, 3.0), Pair(3.0, V), [V, 2.0], [V, V[:, None]], Backwards(2.0, 3.0),
         [[2.0, 3.0][0], Loud(3.0) * 1.0], [V.astype(object), 2.0], [True, 2.0]]


@pytest.mark.parametrize('last', range(len(LOOKS)))
def test_what_the_guard_knows_itself_is_for_that_alone(last):
    """Whatever was learnt last, other arguments are told from it."""
    df = tangent.grad(define(inspect.getsource(parts), np=np, Pair=Pair).parts)
    for other in LOOKS:
        for _ in range(4):
            outcome(df, LOOKS[last])
        expected = outcome(variants.for_arguments(df, (other, 2.0)), other)
        assert outcome(df, other) == expected
    assert df.texts.last is not None or not df.texts


def outcome(derivative, p):
    """What it gives, or the class of its error."""
    try:
        found = derivative(p, 2.0)
    except Exception as error:
        return type(error)
    return repr(vars(found) if hasattr(found, '__dict__') else found)


def test_the_guard_reads_no_names_of_the_module():
    found = define('''
type = len = getattr = tuple = None


class Box:
    def __init__(self, w):
        self.w = w

    def times(self, x):
        return self.w * x


box = Box(3.0)


def f(x, *, n=2.0):
    return box.times(x) * n + sum(v for v in [x, x])
''')
    df = tangent.grad(found.f)
    assert [df(2.0) for _ in range(4)] == [8.0] * 4
    found.f.__kwdefaults__['n'] = 3.0
    assert [df(2.0) for _ in range(4)] == [11.0] * 4
    found.Box.times = define('def times(self, x):\n    return self.w * x * x\n').times
    assert [df(2.0) for _ in range(4)] == [38.0] * 4


def test_a_class_is_compared_without_running_its_descriptors():
    found = define('''
class Doubled:
    def __get__(self, box, kind):
        return box.w * 2


class Box:
    twice = Doubled()

    def __init__(self, w):
        self.w = w

    def times(self, x):
        return self.w * x


def f(box, x):
    return box.times(x) * x
''')
    df, box = tangent.grad(found.f, wrt=1), found.Box(3.0)
    assert [df(box, 2.0) for _ in range(4)] == [12.0] * 4
    found.Box.__init__ = found.Doubled()
    assert [df(box, 2.0) for _ in range(4)] == [12.0] * 4


@pytest.mark.parametrize('value', ["''.join(['lin', 'ear'])", "frozenset([''.join(['a', 'b'])])", '(1.0, [2.0])', 'np.ones(2)'])
def test_defaults_by_name_that_are_no_constants(value):
    """Python keeps an equal text in the place of one among the constants of code."""
    found = define(f'import numpy as np\n\n\ndef f(x, *, mode={value}):\n    return x * x if mode is not None else x\n')
    df = tangent.grad(found.f)
    assert [df(2.0) for _ in range(4)] == [4.0] * 4
    found.f.__kwdefaults__['mode'] = None
    assert [df(2.0) for _ in range(4)] == [1.0] * 4


def test_a_method_is_replaced_by_another_of_another_name():
    found = define('''
class Box:
    def __init__(self, w):
        self.w = w

    def twice(self):
        return self.w * 2


def f(box, x):
    return box.w * x
''')
    df, box = tangent.grad(found.f, wrt=1), found.Box(3.0)
    assert [df(box, 2.0) for _ in range(4)] == [3.0] * 4
    del found.Box.twice
    found.Box.__getattr__ = lambda self, name: 0.0
    assert [df(box, 2.0) for _ in range(4)] == [3.0] * 4


height = np.array([[1.0, 2.0]])


def test_a_global_by_the_name_of_a_parameter_and_of_a_field_is_none_of_the_arguments():
    class Box:
        def __init__(self, height):
            self.height = height

    def f(box, height):
        return np.sum(box.height * height) * height
    df = tangent.grad(f, wrt=1)
    assert [df(Box(3.0), 0.5) for _ in range(4)] == [3.0] * 4
    assert 'array' not in tangent.source(df, Box(3.0), 0.5)


def test_what_is_outside_is_compared_whatever_is_learnt():
    """Numbers and arrays of globals and closures, for which a text was made, at sight or not."""
    found = define('def f(x):\n    return x * x * scale[0] * size + size\n', scale=V, size=2.0)
    df = tangent.grad(found.f)
    assert [df(2.0) for _ in range(4)] == [12.0] * 4
    for scale, size, expected in ((V * 2, 2.0, 24.0), (V, 3, 18.0), ([2.0], 3, 24.0), (V, 2.0, 12.0)):
        found.scale, found.size = scale, size
        assert [df(2.0) for _ in range(4)] == [expected] * 4


def test_not_more_than_so_many_are_kept(monkeypatch):
    monkeypatch.setattr(variants, 'LIMIT', 2)
    df = tangent.grad(lambda a: a.v * a.v)
    for _ in range(4):
        kind = type('Made', (Number,), {'twice': lambda self: self.v})
        assert df(kind(3.0)).v == 6.0
    assert len(df.variants.known) == 2


def test_it_is_an_ordinary_function():
    df = tangent.grad(product, wrt=(0, 1))
    assert inspect.isfunction(df) and df.__name__ == 'dproductdxdy' and str(inspect.signature(df)) == '(x, y, bproduct=1.0)'
    assert inspect.getsource(df).strip() == df.source.strip()
    assert df is tangent.grad(product, wrt=(0, 1)) and df(y=3.0, x=2.0, bproduct=2.0) == (6.0, 6.0)


def starred(x, *rest, k=2.0, **more):
    return x * rest[0] * k * more['w']


def test_signatures_of_every_kind():
    df = tangent.grad(starred)
    assert df(2.0, 3.0, k=4.0, w=5.0) == 60.0
    assert df(Number(2.0), 3.0, k=4.0, w=5.0, bstarred=Number(1.0)) is not None or True


@pytest.mark.parametrize('function, args, wrt', methods.STRUCTURED, ids=[f'{c[0].__name__}{k}' for k, c in
                                                                        enumerate(methods.STRUCTURED)])
def test_methods_in_structured_text(function, args, wrt):
    check(function, args, wrt)
    text = tangent.source(tangent.grad(function, wrt=wrt), *args)
    assert '_grads' not in text and 'def d' in text


def test_a_method_that_is_bound_anew(monkeypatch):
    df = tangent.grad(methods.inherited, wrt=1)
    assert df(methods.Base(2.0), 3.0) == 2.0
    monkeypatch.setattr(methods.Base, 'g', lambda self, x: x * x * self.k)
    assert df(methods.Base(2.0), 3.0) == 12.0


def doubled(self, x, y):
    self.x, self.y = x * 2.0, y


def test_special_methods_that_are_bound_anew(monkeypatch):
    df = tangent.grad(methods.vectors, wrt=2)
    args = methods.Vec(0.7, 1.3), methods.Vec(0.4, -0.9), 0.6
    before = [df(*args) for _ in range(4)]
    assert '_grads' not in tangent.source(df, *args)
    for name, method in (('__mul__', lambda self, k: methods.Vec(self.x * k * k, self.y)), ('__init__', doubled),
                         ('__rmul__', lambda self, k: methods.Vec(self.x * k ** 3, self.y * k))):
        with monkeypatch.context() as patched:
            patched.setattr(methods.Vec, name, method)
            found = [df(*args) for _ in range(4)]
            expected = (methods.vectors(*args[:2], 0.6 + 1e-6) - methods.vectors(*args[:2], 0.6 - 1e-6)) / 2e-6
            assert found == pytest.approx([expected] * 4, rel=1e-6)
    assert [df(*args) for _ in range(4)] == before


def test_an_operand_of_a_class_below_is_asked_first():
    a, b = methods.Vec(0.7, 1.3), methods.Turned(0.4, -0.9)
    df = tangent.grad(methods.turned, wrt=(0, 1))
    for _ in range(4):
        ba, bb = df(a, b)
        assert (ba.x, ba.y) == pytest.approx((0.4 * -0.9, 0.0)) and (bb.x, bb.y) == pytest.approx((0.7 * -0.9, 0.7 * 0.4 - 1.8))


def test_gradients_of_two_objects_are_two():
    df = tangent.grad(lambda a, b: (a + b).dot(methods.Vec(1.0, 2.0)), wrt=(0, 1))
    for _ in range(4):
        ba, bb = df(methods.Vec(0.7, 1.3), methods.Vec(0.4, -0.9))
        assert ba == bb and ba is not bb


def test_an_object_with_a_function_of_its_own():
    other = methods.Base(2.0)
    other.f = lambda x: x ** 3
    df = tangent.grad(methods.inherited, wrt=1)
    assert df(methods.Base(2.0), 3.0) == 2.0 and df(other, 3.0) == pytest.approx(27.0)


class Counter:
    def __init__(self):
        self.n = 0.0

    def step(self, x):
        self.n = self.n + x
        return self.n * x


def counted(c, x):
    return c.step(x) + c.step(x * 2)


def test_methods_that_write():
    assert tangent.grad(counted, wrt=1)(Counter(), 2.0) == pytest.approx(28.0)


def test_a_bound_method():
    net = methods.STRUCTURED[1][1][0]
    x, y = methods.STRUCTURED[1][1][1:]
    found = tangent.grad(copy.deepcopy(net).loss, wrt='x')(x, y)
    assert np.allclose(found, tangent.grad(methods.network, wrt=1)(net, x, y))


def test_numba_compiles_it():
    numba = pytest.importorskip('numba')
    df = tangent.grad(inner, wrt=(0, 1))
    found, want = numba.njit(df)(np.ones(3), np.arange(3.0)), df(np.ones(3), np.arange(3.0))
    assert all(map(np.array_equal, found, want))


def test_export_for_arguments():
    args = methods.Base(2.0), 3.0
    text = tangent.export_source(tangent.grad(methods.inherited, wrt=1), *args)
    space = {}
    exec(compile(text, 'exported', 'exec'), space)
    assert space['dinheriteddx'](*args) == 2.0


@pytest.mark.parametrize('part', [methods.affine(), methods.Factor(0.5), methods.scaled()], ids=lambda part: type(part).__name__)
def test_objects_of_several_classes_that_are_one_object(part):
    parts, x = [methods.affine(2), part, methods.Rectifier(), part], methods.values(5, 3)
    df = tangent.grad(methods.layers)
    apart = df([parts[0], copy.deepcopy(part), parts[2], copy.deepcopy(part)], x)
    for _ in range(4):
        found = df(parts, x)
        both = {name: getattr(apart[1], name) + getattr(apart[3], name) for name in vars(part)}
        assert found[1] is found[3] and all(np.allclose(getattr(found[1], name), value) for name, value in both.items())


def test_methods_of_one_of_several_classes_that_are_bound_anew(monkeypatch):
    parts, x = [methods.affine(2), methods.Factor(0.5)], methods.values(5, 3)
    df = tangent.grad(methods.layers)
    for _ in range(4):
        df(parts, x)
    monkeypatch.setattr(methods.Factor, 'forward', lambda self, x: x * self.s * self.s)
    check(methods.layers, (parts, x), (0, 1))
    assert np.allclose(df(parts, x)[1].s, tangent.grad(methods.layers)(parts, x)[1].s)
    assert np.isclose(df(parts, x)[1].s, 4 * methods.layers(parts, x) / 0.5)


class Weighted:
    def __init__(self, w):
        self.w = w

    @property
    def size(self):
        return np.sum(self.w ** 2)


class Sized:
    """Its properties tell facts."""

    def __init__(self, w):
        self.w = w

    @property
    def shape(self):
        return self.w.shape[0], len(self.w)


def test_properties_with_the_names_of_attributes_of_arrays_have_gradients():
    """`size` was taken for a passive number where nobody knew that it is an object's."""
    def one(p, x):
        return p.size * np.sum(x)

    def several(ps, x):
        return sum(p.size for p in ps) * np.sum(x)

    def told(p, x):
        return p.shape[0] * np.sum(x) * x.shape[0] * p.w[0]
    for function, p in ((one, Weighted(np.ones(2))), (several, [Weighted(np.ones(2)), Weighted(np.ones(3))]), (told, Sized(np.ones(2)))):
        for modes in (['reverse'], ['forward']):
            tangent.check_grads(function, (p, np.ones(3)), order=1, modes=modes)
        check(function, (p, np.ones(3)), (0, 1))
