"""Objects and containers: gradients have their structure, one object has one gradient, and nothing is taken for a number
that is none."""
import collections
import copy
import dataclasses
import inspect
import math
import pickle
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tangent
from tangent.runtime.objects import ObjectGrad
from tests.corpora.programs import functions_objects as programs
from tests.corpora.programs.functions_objects import A, Frozen, Layer, Model, Point, Slots
from tests.tools.judge import check_every_text
from tests.tools.texts import define


def parts(x):
    """(how it is read, how it is set, part) for each part of a container or object."""
    if isinstance(x, dict):
        return [(('item', k), v) for k, v in x.items()]
    if isinstance(x, (list, tuple)):
        return [(('item', k), v) for k, v in enumerate(x)]
    if isinstance(x, np.ndarray):
        return [(('item', k), x[k]) for k in np.ndindex(x.shape)]
    names = [n for k in type(x).__mro__ for n in getattr(k, '__slots__', ())] + list(getattr(x, '__dict__', ()))
    return [(('attribute', n), getattr(x, n)) for n in names]


def numbers(x, path=()):
    """The path to every number in a value."""
    if isinstance(x, (float, int)) and not isinstance(x, bool):
        yield path
    elif not isinstance(x, (str, type(None), bool, type(len), type)):
        for step, part in parts(x):
            yield from numbers(part, (*path, step))


def read(x, path):
    for kind, key in path:
        x = x[key] if kind == 'item' else getattr(x, key)
    return x


def moved(x, path, h):
    """A copy of a value in which one number is moved."""
    if not path:
        return x + h
    (kind, key), *rest = path
    if isinstance(x, tuple):
        items = [moved(v, rest, h) if k == key else v for k, v in enumerate(x)]
        return type(x)(*items) if hasattr(x, '_fields') else tuple(items)
    new = copy.copy(x)
    if kind == 'item':
        new[key] = moved(x[key], rest, h)
    else:
        object.__setattr__(new, key, moved(getattr(x, key), rest, h))
    return new


def check(function, args, wrt, tolerance=1e-5):
    """Every number of the gradient against a central difference; the structure against the argument's."""
    before = [[read(a, path) for path in numbers(a)] for a in args]
    found = tangent.grad(function, wrt=wrt)(*args)
    assert [[read(a, path) for path in numbers(a)] for a in args] == before
    for k, gradient in zip(wrt, found if len(wrt) > 1 else [found]):
        same_structure(args[k], gradient)
        for path in numbers(args[k]):
            up, down = (function(*args[:k], moved(args[k], path, h), *args[k + 1:]) for h in (1e-5, -1e-5))
            expected = (up - down) / 2e-5
            assert read(gradient, path) == pytest.approx(expected, rel=tolerance, abs=tolerance), path


def same_structure(x, gradient):
    if isinstance(x, (str, type(None), type(len), type, np.ufunc)):
        assert gradient is None
    elif isinstance(x, (int, float)):
        assert isinstance(gradient, float)
    elif isinstance(x, np.ndarray):
        assert type(gradient) is np.ndarray and gradient.shape == x.shape and gradient.flags.writeable
    else:
        plain = isinstance(x, (list, tuple, dict, SimpleNamespace)) or hasattr(x, '__dataclass_fields__')
        assert type(gradient) is (type(x) if plain else ObjectGrad)
        assert [step for step, _ in parts(gradient) if step[1] != '__of__'] == [step for step, _ in parts(x)] \
            or set(vars(gradient)) >= {step[1] for step, _ in parts(x)}
        for step, part in parts(x):
            same_structure(part, read(gradient, [step]))


@pytest.mark.parametrize('function, args, wrt', programs.CASES, ids=[c[0].__name__ for c in programs.CASES])
def test_gradient(function, args, wrt):
    check(function, args, wrt)


def logged(function):
    """The function with its body in a `try`, which asks for the log form."""
    lines = inspect.getsource(function).splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith('def '))
    body = ['    ' + line for line in lines[start + 1:]]
    text = '\n'.join([lines[start], '    try:', *body, '    finally:', '        pass', ''])
    return getattr(define(text, **vars(programs)), function.__name__)


@pytest.mark.parametrize('function, args, wrt', programs.CASES, ids=[c[0].__name__ for c in programs.CASES])
def test_gradient_in_the_log_form(function, args, wrt):
    check(logged(function), args, wrt)


def test_the_check_finds_a_wrong_gradient():
    rule = tangent.grads.adjoint(wrong)

    @rule
    def adjoint_of_wrong(y, x):
        d[x] = 2.0 * d[y]  # noqa: F821
    with pytest.raises(AssertionError):
        check(calls_wrong, ([2.0],), (0,))


def wrong(x):
    return x


def calls_wrong(p):
    return wrong(p[0])


# What people get

def test_a_method_by_its_class_and_by_its_object():
    m, x = Model(), A
    by_class = tangent.grad(Model.loss, wrt='self')(m, x)
    assert by_class.name is None and by_class.act is None and by_class.count == pytest.approx(0.3)
    assert by_class.scale == pytest.approx((m.loss(x) - 0.9) / 2)
    np.testing.assert_allclose(tangent.grad(m.loss)(x), tangent.grad(Model.loss, wrt='x')(m, x))


def test_a_gradient_is_an_object_of_its_own():
    g = tangent.grad(programs.layers_by_index)(Model(), A)
    assert repr(g).startswith('Model(layers=[Layer(w=array(')
    assert list(vars(g))[:2] == ['layers', 'scale']
    again = pickle.loads(pickle.dumps(g))
    assert again == g and again is not g and copy.deepcopy(g) == g
    again.layers[0].b[0] += 1
    assert again != g and g != 1.0


def test_values_and_unused_objects():
    value, g = tangent.value_and_grad(programs.slots)(Slots())
    assert value == 12.0 and g.a == 6.0 and g.b.tolist() == [2.0, 2.0, 2.0]
    assert tangent.grad(lambda m, x: x * 1.0)(Slots(), 2.0).b.tolist() == [0.0, 0.0, 0.0]


def two_ways(m):
    return m.a.w * m.a.w + 3 * m.b.w + 5 * m.parts[0].w + 7 * m.parts[1].w


def test_an_object_reached_by_several_ways_has_one_gradient():
    shared = SimpleNamespace(w=2.0)
    m = SimpleNamespace(a=shared, b=shared, parts=[shared, shared])
    g = tangent.grad(two_ways)(m)
    assert g.a is g.b is g.parts[0] is g.parts[1] and g.a.w == 4.0 + 3 + 5 + 7


def test_a_list_that_holds_an_object_twice():
    layer = Layer(2.0, 3.0)
    g = tangent.grad(lambda p: p[0].w * p[1].w + p[1].b)([layer, layer])
    assert g[0] is g[1] and (g[0].w, g[0].b) == (4.0, 1.0)


def test_an_array_that_an_object_holds_twice():
    w = np.ones(2)
    g = tangent.grad(lambda m: np.sum(m.a * 2.0) + np.sum(m.b * 3.0))(SimpleNamespace(a=w, b=w))
    assert g.a is g.b and g.a.tolist() == [5.0, 5.0]


def test_arrays_in_containers_have_a_gradient_for_each_place():
    w = np.ones(2)
    g = tangent.grad(programs.two_places)([w, w])
    assert [part.tolist() for part in g] == [[2.0, 2.0], [3.0, 3.0]]


def around(node):
    return node.child.parent.w * node.child.w * node.w


def test_objects_that_hold_each_other():
    node = SimpleNamespace(w=2.0, child=SimpleNamespace(w=3.0))
    node.child.parent = node
    g = tangent.grad(around)(node)
    assert g.child.parent is g and (g.w, g.child.w) == (12.0, 4.0)


def test_a_linked_list():
    node = None
    for k in range(3000):
        node = SimpleNamespace(w=float(k), next=node)
    g = tangent.grad(programs.chain)(node)
    for k in reversed(range(3000)):
        assert g.w == 2.0 * k
        g = g.next
    assert g is None


def test_a_recursive_function_over_a_tree():
    def make(depth, w):
        return None if depth == 0 else SimpleNamespace(w=w, left=make(depth - 1, w + 0.5), right=make(depth - 1, w - 0.5))
    root = make(3, 1.5)
    g = tangent.grad(programs.tree)(root)
    root.left.right.w += 1e-5
    up = programs.tree(root)
    root.left.right.w -= 2e-5
    assert g.left.right.w == pytest.approx((up - programs.tree(root)) / 2e-5, rel=1e-5)


def test_arguments_are_left_alone_and_share_nothing_with_gradients():
    r = Frozen(2.0, A.copy())
    g = tangent.grad(programs.frozen)(r)
    g.w[:] = 0.0
    assert r.w.tolist() == A.tolist() and type(g) is Frozen and g.name is None


def test_a_gradient_can_be_a_seed():
    back = tangent.vjp(lambda r: Point(r.x * 2.0, r.w), wrt=0)
    g = back(Frozen(2.0, A), Point(1.0, np.ones(3)))
    assert g.x == 2.0 and g.w.tolist() == [1.0, 1.0, 1.0]


def test_fractions_stay_exact():
    g = tangent.grad(lambda p: p.x * p.y * p.y)(Point(Fraction(1, 3), Fraction(2, 7)))
    assert g == Point(Fraction(4, 49), Fraction(4, 21)) and type(g.x) is Fraction


def test_integers_and_float32():
    g = tangent.grad(lambda r: r.x * np.sum(r.w))(Frozen(3, np.ones(2, np.float32)))
    assert type(g.x) is float and g.w.dtype == np.float32


# Operators and attributes of classes

class Vector:
    unit = 2.0

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, other):
        if isinstance(other, Vector):
            return self.x * other.x + 2 * self.y * other.y
        return Vector(self.x * other, self.y * other * other)

    def __rmul__(self, other):
        return Vector(self.x * other, self.y * other)

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __matmul__(self, other):
        return self.x * other.y * other.y

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __getitem__(self, k):
        return (self.x, self.y)[k] * self.unit

    def __call__(self, t):
        return self.x * t * t

    def __float__(self):
        return self.x * 3

    def sum(self):
        return self.x + 3 * self.y

    def mean(self, t):
        return self.x * t * t

    def copy(self):
        return Vector(self.y, self.x)

    @property
    def area(self):
        return self.x * self.y


def unpacked(v):
    x, y = v
    return x * y * y


OPERATIONS = [lambda a, b, t: (a + b).x * a.y, lambda a, b, t: a * b, lambda a, b, t: math.sin(a * b), lambda a, b, t: (a * t).y,
              lambda a, b, t: (t * a).y, lambda a, b, t: (-a).x, lambda a, b, t: a @ b, lambda a, b, t: abs(a),
              lambda a, b, t: a[0] * a[1], lambda a, b, t: a(t), lambda a, b, t: float(a) * t, lambda a, b, t: a.sum(),
              lambda a, b, t: a.mean(t), lambda a, b, t: a.copy().x, lambda a, b, t: a.area * t,
              lambda a, b, t: sum([a, b], Vector(0.0, 0.0)).y, lambda a, b, t: a.unit * a.x,
              lambda a, b, t: unpacked(a)]


@pytest.mark.parametrize('k', range(len(OPERATIONS)))
def test_what_a_class_defines(k):
    check(OPERATIONS[k], (Vector(2.0, 3.0), Vector(0.5, 0.7), 1.3), (0, 1, 2))


@pytest.mark.parametrize('k', range(5))
def test_operators_of_an_object_without_a_gradient(k):
    v = Vector(2.0, 3.0)
    function = [lambda t: (v * t).y, lambda t: (t * v).y, lambda t: v(t), lambda t: v.mean(t), lambda t: (v * t + v).y * t][k]
    check(function, (1.3,), (0,))


def test_a_class_of_the_running_function():
    class Local:
        def __init__(self, x):
            self.x = x

        def __mul__(self, other):
            return Local(self.x * other.x * other.x)

    def function(a, b):
        return (a * b).x
    check(function, (Local(2.0), Local(3.0)), (0, 1))


NO_NUMBER = ['a + b', '-a', 'np.sum(a) * 1.0']


def out_of_sight(text):
    return define(f'import numpy as np\n\n\ndef f(a, b):\n    return {text}\n').f


@pytest.mark.parametrize('text', NO_NUMBER)
def test_what_is_no_number_is_refused(text):
    with pytest.raises(tangent.errors.TangentError):
        tangent.grad(out_of_sight(text), wrt=(0, 1))(Vector(2.0, 3.0), Vector(1.0, 0.5))


@pytest.mark.parametrize('text', ['a @ b', 'a[0]', 'a.area', 'a.area * a.x', 'a.sum()', 'abs(a)', '(a + b).x', '(a - b).x * a.x', '(-a).y * b.x', 'a.copy().x', '(a * 2 + b).y'])
def test_a_class_that_only_the_arguments_show(text):
    check(out_of_sight(text), (Vector(2.0, 3.0), Vector(1.0, 0.5)), (0, 1))


@pytest.mark.parametrize('text', ['a.size ** 2', 'a.shape * 2.0', 'a.size'])
def test_attributes_that_arrays_have_too(text):
    check(out_of_sight(text), (programs.Gas(), 1.0), (0,))
    check(out_of_sight(text + ' * a.pressure'), (Pressed(), 1.0), (0,))


class Pressed(programs.Gas):
    def __init__(self):
        super().__init__()
        self.pressure = 1.5


def test_gradients_of_gradients_of_objects():
    m = SimpleNamespace(layer=Layer(2.0, [3.0, 1.0]))
    g = tangent.grad(programs.outer)(m, 4.0)
    assert g.layer.w == 12.0 and g.layer.b == [8.0, 0.0]
    assert tangent.grad(tangent.grad(programs.inner, wrt=1))(m, 4.0).layer.b == [2.0, 0.0]


# Random structures

leaves = st.floats(0.5, 2.0)
structures = st.recursive(leaves | st.just(None) | st.just('text') | st.just(2), lambda inner: st.one_of(
    st.lists(inner, min_size=1, max_size=3), st.tuples(inner, inner), st.dictionaries(st.sampled_from('abc'), inner, min_size=1),
    st.builds(Point, inner, inner), st.builds(Layer, inner, inner), st.builds(lambda w, x: Frozen(w, x), inner, inner)),
    max_leaves=8)


def text_of(path):
    return ''.join(f'[{key!r}]' if kind == 'item' else f'.{key}' for kind, key in path)


@settings(max_examples=25, deadline=None)
@given(structures, st.integers(0, 10))
def test_any_structure(value, first):
    """The product of two of its numbers."""
    paths = [p for p in numbers(value)]
    if not paths or isinstance(value, (int, float)):
        return
    p, q = paths[first % len(paths)], paths[-1]
    function = define(f'def f(m):\n    t = m{text_of(p)}\n    return t * m{text_of(q)} * 2.0\n').f
    check(function, (value,), (0,))


class Scope:
    """A context that is made of two things, as `open(path, mode)` is."""

    def __init__(self, *parts):
        self.parts = parts

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        return False


def aliased_in_a_context(x):
    kept = []
    with Scope('name', 2.0) as scope:
        kept.append(x)
        y = kept
    y[0] = kept[0] * scope.parts[1]
    for k in range(2):
        y.append(x * k)
    return y[0] * y[-1]


def given_to_a_context(x):
    kept = [x]
    with Scope(x, 2.0) as scope:
        t = scope.parts
        kept[0] = kept[0] * t[0]
        y = kept
    y[0] = y[0] * t[1]
    return kept[0]


@pytest.mark.parametrize('f', [aliased_in_a_context, given_to_a_context])
def test_contexts_of_two_arguments(f):
    assert tangent.grad(f)(3.0) == 12.0


class Turn:
    """Multiplied by what is none, it is multiplied once more: then the text of the operator has to look at all attributes."""

    def __init__(self, q):
        self.q = q

    def __mul__(self, other):
        if isinstance(other, Turn):
            return self.__class__(np.dot(np.diag(self.q), other.q))
        return self * Turn(other)


class Scaled:
    def __init__(self, q):
        self.held = q

    def __getattr__(self, name):
        if name == 'q':
            return self.held * 3.0
        raise AttributeError(name)


def product_of_attributes(x):
    return np.sum((Turn(np.array([1.0, 2.0, 3.0])) * Turn(x)).q)


def element_of_what_a_class_computes(x):
    return Scaled(x).q[1] * x[0]


def part_of_what_a_class_computes(x):
    return np.sum(Scaled(x).q[1:])


def function_of_a_part(x):
    o = Scaled(x)
    return np.sum(np.sin(o.q[1:]) * np.hstack((o.q[:1], x[2:])))


@pytest.mark.parametrize('f', [product_of_attributes, element_of_what_a_class_computes, part_of_what_a_class_computes,
                               function_of_a_part])
def test_what_attributes_give_to_functions_of_arrays(f):
    check_every_text(f, np.array([0.9, 0.3, 0.2]))


# Arrays that properties and `__getattr__` give

class Held:
    def __init__(self, a):
        self._a, self._l = a * 3.0, [a, a * 2.0]

    @property
    def a(self):
        return self._a

    @property
    def new(self):
        return self._a * self._a

    @property
    def view(self):
        return self._a[:1]

    @property
    def parts(self):
        return self._l


class Absent:
    def __init__(self, a):
        self.a = a

    def __getattr__(self, name):
        raise AttributeError(name)


def held(x):
    o = Held(x)
    o.written = 1.0
    return np.sum(o.a * 2.0)


def held_and_read(x):
    o = Held(x)
    o.written = 1.0
    return np.sum(o.a * 2.0) + np.sum(o._a ** 2) + np.sum(o.a * o._a)


def held_and_made(x):
    o = Held(x)
    o.written = 1.0
    return np.sum(o.new * o.a)


def held_and_viewed(x):
    o = Held(x)
    o.written = 1.0
    return np.sum(o.view * o.a) + np.sum(o.view ** 2)


def held_in_a_list(x):
    o = Held(x)
    o.written = 1.0
    return np.sum(o.parts[0] * o.parts[1]) + np.sum(o.a)


def held_by_a_name(x):
    o = Held(x)
    o.written = 1.0
    a = o.a
    return np.sum(a * a) + np.sum(a * o.a) + o.a[0] * a[1]


def held_and_bound_anew(x):
    o = Held(x)
    o.written = 1.0
    a = o.a
    o._a = a * 2.0
    return np.sum(o.a * a)


def absent(x):
    o = Absent(x * x)
    o.written = 1.0
    return np.sum(o.a * 2.0)


@pytest.mark.parametrize('f', [held, held_and_read, held_and_made, held_and_viewed, held_in_a_list, held_by_a_name,
                               held_and_bound_anew, absent], ids=lambda f: f.__name__)
def test_arrays_that_properties_give(f):
    tangent.check_grads(f, (np.array([0.3, 0.7]),), order=1, modes=['reverse'])


class Tagged:
    def __new__(cls, *args, **keywords):
        made = super().__new__(cls)
        made.tags = []
        return made

    def __init__(self, x, y=2.0):
        self.x, self.y = x, y
        self.tags.append(x * y)


class Only:
    kept = None

    def __new__(cls, x):
        if cls.kept is None:
            cls.kept = super().__new__(cls)
        return cls.kept

    def __init__(self, x):
        self.x = x


class Doubled:
    __slots__ = ('v',)

    def __new__(cls, v):
        made = object.__new__(cls)
        made.v = v * 2
        return made


@dataclasses.dataclass
class Fivefold:
    x: float
    y: float = 1.0

    def __new__(cls, *args):
        made = object.__new__(cls)
        made.z = args[0] * 5
        return made


class Powers(collections.UserList):
    def __new__(cls, *args):
        made = super().__new__(cls)
        super().__init__(made)
        return made

    def __init__(self, x):
        self.data = [x, x * x]


class Above:
    def __new__(cls, *args):
        if cls is Above:
            return Below(args[0], 3.0)
        made = super().__new__(cls)
        made.scale = args[0] * 3
        return made


class Below(Above):
    def __init__(self, v, w=2.0):
        self.v = v * w * self.scale


class Plain:
    def __init__(self, v, w):
        self.v = v * w * w


class Last:
    def __init__(self, x):
        self.x = x
        super().__init__()


class Bare:
    pass


class Named(Bare):
    def __init__(self, x):
        self.x = x * x
        Bare.__init__(self)


def initialized_last(x):
    return Last(x).x * x + Named(x).x


def tagged(x):
    made = Tagged(x, y=x * x)
    return made.tags[0] * made.x


def made_once(x):
    return Only(x).x * x


def with_slots(x):
    return Doubled(x).v * x


def of_a_dataclass(x):
    made = Fivefold(x)
    return made.x * made.y * made.z


def of_a_list(x):
    made = Powers(x)
    return made[1] * made[0]


def made_by_one_above(x):
    made = Below(x, x * 2)
    return made.v * made.scale


def makes_one_below(x):
    return Above(x).v * x


def in_a_loop(x):
    out = 0.0
    for k in range(3):
        made = Below(x * k, out)
        out = out + made.v + made.scale
    return out


def made_of(kind, x):
    return kind(x, x * x).v


def of_a_class_that_is_given(x):
    return made_of(Below, x) + made_of(Plain, x)


def each_its_own(x):
    made = [Below(x) for _ in range(3)]
    made[0].v = x * x
    return sum(m.v for m in made)


OF_THEIR_OWN = [initialized_last, tagged, with_slots, of_a_dataclass, of_a_list, made_by_one_above, makes_one_below, in_a_loop,
                of_a_class_that_is_given, each_its_own]


def test_the_one_object_of_a_class_is_what_is_outside():
    for derivative in lambda: tangent.grad(made_once)(0.7), lambda: tangent.jvp(made_once)(0.7, 1.0):
        with pytest.raises(tangent.errors.TangentError, match='kept outside of the function'):
            derivative()


@pytest.mark.parametrize('f', OF_THEIR_OWN, ids=lambda f: f.__name__)
def test_classes_with_a_new_of_their_own(f):
    """They were refused; what the `__new__` of a dataclass writes had no gradient."""
    df = tangent.grad(f)
    for x in 0.7, 1.3, 0.7:
        slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
        assert df(x) == pytest.approx(slope, rel=1e-6) and tangent.jvp(f)(x, 1.0) == pytest.approx(slope, rel=1e-6)


@pytest.mark.parametrize('f', [f for f in OF_THEIR_OWN if f not in (makes_one_below, of_a_class_that_is_given)],
                         ids=lambda f: f.__name__)
def test_second_derivatives_of_classes_with_a_new_of_their_own(f):
    curvature = (tangent.grad(f)(0.7 + 1e-6) - tangent.grad(f)(0.7 - 1e-6)) / 2e-6
    assert tangent.hvp(f)(0.7, 1.0) == pytest.approx(curvature, rel=1e-6)
