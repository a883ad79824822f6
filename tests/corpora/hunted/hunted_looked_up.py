"""Functions that Python looks up before their arguments bind them anew, special methods that write within a statement, and what
a cached_property keeps, which reverse mode computed again from what the object held later."""
import collections
import contextlib
import functools
import math

import numpy as np

from tests.corpora.hunted.hunting import found

X = np.array([0.7, 1.3, 0.4])


class Model:
    def __init__(self, act):
        self.act = act


def square(v):
    return v * v


def cube(v):
    return v * v * v


def swapped(o, v):
    o.act = cube
    return v


@found(X)
def looked_up_before_a_callee(x):
    o = Model(square)
    return o.act(swapped(o, x[0])) * x[1]


@found(X)
def looked_up_before_a_function_inside(x):
    o = Model(square)

    def swap():
        o.act = cube
        return x[0]
    y = o.act(swap())
    return y + o.act(x[1])


@found(X)
def looked_up_before_a_keyword(x):
    o = Model(square)
    return o.act(v=swapped(o, x[0]))


@found(X)
def looked_up_in_a_comprehension(x):
    o = Model(square)
    t = [o.act(swapped(o, v)) for v in x]
    return t[0] + t[1] * t[2]


class Scale:
    def __init__(self, k):
        self.k = k

    def __call__(self, v):
        return v * self.k


class Layer:
    def __init__(self, k):
        self.inner = Scale(k)

    def step(self, v):
        self.inner = Scale(v)
        return v

    def run(self, v):
        return self.inner(self.step(v))


@found(X, mixes=('f',))
def objects_that_are_called(x):
    layer = Layer(x[0])
    return layer.run(x[1]) + layer.run(x[2])


class Counts:
    def __init__(self, x):
        self.x, self.s = x, 1.0

    def __len__(self):
        self.s = self.s * self.x[0]
        return 3

    def __getitem__(self, i):
        self.s = self.s * self.x[i]
        return self.x[i] * self.s


@found(X)
def index_that_counts(x):
    c, xs = Counts(x), [0.0] * 4
    xs[len(c)] = c.s
    return xs[3] * c.s


@found(X)
def index_of_an_update_that_counts(x):
    c, v = Counts(x), [1.0, 2.0, 3.0, x[0]]
    v[len(c)] += c.s
    return v[3] * x[1]


class Doubles:
    def __init__(self, v):
        self.v = v

    def __mul__(self, other):
        self.v = self.v * self.v
        return self.v * other


@found(X)
def update_by_a_product_that_writes(x):
    t = Doubles(x[0])
    y = x[1] * t.v
    y += t.v * (t * x[2])
    return y


@found(X)
def attribute_updated_by_its_object(x):
    t = Doubles(x[0])
    t.v += t * x[2]
    return t.v


class Square:
    def __init__(self, a):
        self.a = a

    @functools.cached_property
    def square(self):
        return self.a * self.a

    @property
    def area(self):
        return self.square * 2


@found(X)
def object_that_changes(x):
    c = Square(x[0])
    t = c.square
    c.a = x[1]
    return t + c.square * x[2]


@found(X)
def value_that_is_set(x):
    c = Square(x[0])
    c.square = x[1] * x[2]
    return c.square * c.a


@found(X, mixes=('f', 'rf', 'fr', 'ff'))
def read_by_a_property(x):
    c = Square(x[0])
    t = c.area
    c.a = x[1]
    return t * c.area * c.a


class Held:
    def __init__(self, a):
        self.a = a

    @functools.cached_property
    def items(self):
        return [self.a, self.a * 2]

    @functools.cached_property
    def array(self):
        return self.a * 2.0

    @functools.cached_property
    def child(self):
        return Square(self.a)


@found(X)
def list_that_is_kept(x):
    d = Held(x[0])
    d.items.append(x[1])
    d.items[0] = d.items[0] * x[2]
    return d.items[0] * d.items[2] + d.items[1]


@found(X)
def array_that_is_kept(x):
    e = Held(x)
    e.array[0] = e.array[1] * e.array[2]
    return np.sum(e.array * x)


@found(X)
def object_that_is_kept(x):
    h = Held(x[0])
    h.child.a = h.child.a * x[1]
    h.a = x[2]
    return h.child.square * h.child.a * h.a


class Chain:
    def __init__(self, x):
        self.x = x

    @functools.cached_property
    def first(self):
        return self.x[0] * self.x[1]

    @functools.cached_property
    def second(self):
        return self.first * self.x[2]


@found(X, mixes=('f', 'rf', 'ff'))
def one_of_another(x):
    f = Chain(x * 1.0)
    s = f.second
    f.x = f.x * 2
    return s * f.first * f.x[0]


class Counted:
    """A property that writes, one that writes and then has nothing, and so for any other name."""

    def __init__(self, v):
        self.v, self.n = v, 1.0

    @property
    def grown(self):
        self.n = self.n * self.v
        return self.n


class Absent(Counted):
    @property
    def missing(self):
        self.n = self.n * self.v
        if self.v > 0.1:
            raise AttributeError('missing')
        return self.n


class Any(Counted):
    def __getattr__(self, name):
        self.n = self.n * self.v
        if name == 'missing':
            raise AttributeError(name)
        return self.v * 2


@found(X, mixes=('f',))
def a_property_that_writes_with_a_default(x):
    o = Counted(x[0])
    a = o.n
    return (a + getattr(o, 'grown', 1.0)) * o.n * x[1]


@found(X, mixes=('f',))
def a_property_that_writes_and_has_nothing(x):
    o = Absent(x[0])
    a = o.n
    return (a + getattr(o, 'missing', x[1])) * o.n * x[2]


@found(X, mixes=('f',))
def a_look_up_that_writes_and_finds_nothing(x):
    o = Any(x[0])
    a = o.n
    return (a + getattr(o, 'missing', x[1])) * o.n * x[2]


@found(X, mixes=('f',))
def a_look_up_that_writes_with_a_default(x):
    o = Any(x[0])
    a = o.n
    return (a + getattr(o, 'other', x[1])) * o.n * x[2]


class ByItself:
    """A descriptor that gives a function which has captured the object."""

    def __get__(self, owner, kind):
        return lambda v: owner.a * v


class GivesFunctions:
    area = ByItself()

    def __init__(self, a):
        self.a = a

    @property
    def law(self):
        return lambda v: self.a * v * v

    def __getattr__(self, name):
        if name == 'made':
            return lambda v: self.a + v
        raise AttributeError(name)


class Inner:
    def __init__(self, v):
        self.v = v

    def method(self, w):
        return self.v * w


class Delegates:
    def __init__(self, v):
        self.known, self.inner = 2.0, Inner(v)

    def __getattr__(self, name):
        return getattr(self.inner, name)


KINDS = {'gives': GivesFunctions, 'delegates': Delegates}


def area_of(s, v):
    return s.area(v) * s.a


@found(X)
def functions_that_a_class_makes_are_called(x):
    """Forward mode took what they have captured for passive."""
    s = GivesFunctions(x[0])
    return s.area(2.0) + s.law(x[1]) + s.made(x[2]) * x[0]


@found(X, mixes=('f',))
def functions_that_a_class_found_when_running_makes(x):
    return area_of(KINDS['gives'](x[0]), x[1]) * x[2]


@found(X, mixes=('f',))
def a_method_of_what_an_object_passes_on_to(x):
    """Forward mode took the tangent of the object in front for that of the one behind."""
    return Delegates(x[0]).method(x[1]) + KINDS['delegates'](x[1]).method(x[2]) * x[0]


class Unit:
    known: dict = {}

    def __init_subclass__(cls):
        Unit.known[cls.__name__] = cls


class Squares(Unit):
    def run(self, x):
        return x * x


class Steps(Unit):
    def run(self, x):
        return x + 1.0


@found(0.7)
def classes_that_are_registered_as_they_are_made(x):
    y = x
    for name in ('Squares', 'Steps', 'Squares'):
        y = Unit.known[name]().run(y)
    return y * x


def lowered(method, known):
    name = str(method).lower()
    return name if name in known else known[0]


TABLE = {'sum': np.sum, 'mean': np.mean}


@found(X, mixes=())
def methods_of_texts_are_constants(v):
    chosen = [lowered, v[0]]
    texts = ['MEAN', v[1]]
    return TABLE[chosen[0](texts[0], ['sum', 'mean'])](v * v) * texts[1] * texts[0].join(['a', 'b']).count('MEAN')


def imports_what_it_calls(*args, **given):
    from tests.corpora.hunted.hunted_targets import of_names as named

    from .hunted_targets import of_length_one
    p = named(args[0])
    return p * 3.0 if 't' in given else of_length_one(p) * args[1]


@found(X, mixes=('f',))
def functions_that_a_function_imports(x):
    return np.sum(imports_what_it_calls(x, x) + imports_what_it_calls(x, t=1))


# What super() finds, where the class itself has something else by the name

class Above:
    def scaled(self, *a):
        return a[0] * 2

    def weighed(self, a, **words):
        return a * words.get('by', 3)

    @staticmethod
    def plain(a):
        return a * 7

    def sum(self, a):
        return a * 13

    def square(self, x):
        return x * x

    def how_many(self, n):
        return n + 1

    @property
    def strength(self):
        return 3.0


class Below(Above):
    def scaled(self, *a):
        return a[0] * 100

    def weighed(self, a, **words):
        return a * 1000

    @staticmethod
    def plain(a):
        return a * 700

    def sum(self, a):
        return a * 1300

    def how_many(self, n):
        return n + 100

    @property
    def strength(self):
        return super().strength * self.part * 2

    def counted(self, x):
        for k in range(super().how_many(1)):
            x = self.square(x) + k
        if super().how_many(1) > 50:
            return x
        return self.square(x) * super().how_many(3)

    def by_star(self, x):
        return self.square(x) + super().scaled(*[x])

    def by_words(self, x):
        return self.square(x) + super().weighed(x, **{'by': x})

    def by_names_of_others(self, x):
        return self.square(x) + super().plain(x) + super().sum(x)


@found(0.7)
def found_above_by_star(x):
    return Below().by_star(x) * x


@found(0.7)
def found_above_by_words(x):
    return Below().by_words(x) * x


@found(0.7)
def found_above_by_names_of_others(x):
    return Below().by_names_of_others(x) * x


@found(0.7)
def found_above_without_a_derivative(x):
    return Below().counted(x)


@found(0.7)
def found_above_as_a_property(x):
    b = Below()
    b.part = x
    return b.strength * x


# Properties that make something each time they are read

class Turned:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __mul__(self, k):
        return Turned(self.x * k, self.y * k)

    @property
    def aside(self):
        return Turned(-self.y, self.x)

    @property
    def listed(self):
        return [self.x * 2, self.y * self.x]

    @property
    def named(self):
        return {'k': [Turned(self.x * self.x, 1.0), self]}


def one_of(v):
    return [Turned(v[0], v[1])][0]


@found(X)
def a_property_that_makes_an_object(x):
    v = one_of(x)
    w = v.aside
    return w.y * w.x + (w * 2.0).y * v.aside.aside.x


@found(X)
def a_property_that_makes_a_list(x):
    v = one_of(x)
    w = v.listed
    w[0] = w[0] * x[2]
    w.append(x[1])
    return w[0] * w[2] + w[1] * v.x


@found(X)
def a_property_that_makes_a_dict_with_the_object(x):
    v = one_of(x)
    w = v.named
    w['k'][1].x = w['k'][0].x * x[2]
    return v.x * w['k'][0].x


@found(X)
def a_property_that_is_read_in_a_loop(x):
    v, total = one_of(x), 0.0
    for _ in range(3):
        w = v.aside
        v.x = w.y * 1.1
        total = total + w.x * w.y
    return total


# A loop over what stands outside of the function

RETURNS = 0.1 * np.sin(np.arange(6.0))


class Likelihood:
    def __init__(self, start, weight):
        self.weight, self.variance, self.sum = weight, start, 0.0

    def update(self, r):
        self.sum -= np.log(self.variance) + r * r / self.variance
        self.variance = 0.1 + self.weight * r + 0.5 * self.variance


@found(X)
def a_global_array_that_a_method_is_given(x):
    model = [Likelihood(x[0], x[1])][0]
    for r in RETURNS:
        model.update(r)
    return model.sum * x[2]


# Settings that a context, or what runs between a call and its adjoint, changes: the adjoint took the branch of the new one

SETTING = 'plain'


@contextlib.contextmanager
def setting(name):
    global SETTING
    before, SETTING = SETTING, name
    try:
        yield
    finally:
        SETTING = before


def divided(a, b):
    if SETTING == 'plain':
        return a / b
    return a / (b + 1.0)


def divided_at_once(a, b):
    return a / b if SETTING == 'plain' else a / (b + 1.0)


@found(X)
def in_a_setting(v):
    with setting('shifted'):
        y = divided(v[0], v[1]) * v[2]
    return divided_at_once(y, v[0])


@found(X)
def in_a_setting_with_a_callee_at_once(v):
    with setting('shifted'):
        y = divided_at_once(v[0], v[1]) * v[2]
    return y * v[0]


@found(X)
def in_settings_one_after_the_other(v):
    total = v[0] * v[0]
    for name in ('plain', 'shifted', 'plain'):
        with setting(name):
            total = divided(v[1], total) * v[2]
    return total


class Settings:
    factor = 2.0

    def __init__(self):
        self.factor = 2.0


FACTORS, OBJECT = {'factor': 2.0}, Settings()


@contextlib.contextmanager
def factor(value):
    before = FACTORS['factor'], OBJECT.factor, Settings.factor
    FACTORS['factor'] = OBJECT.factor = Settings.factor = value
    yield
    FACTORS['factor'], OBJECT.factor, Settings.factor = before


def by_table(x):
    return x * x * FACTORS['factor']


def by_object(x):
    return x * x * OBJECT.factor


def by_class(x):
    return x * x * Settings.factor


@found(X)
def factors_in_a_dict_an_object_and_a_class(v):
    with factor(3.0):
        y = by_table(v[0]) * by_object(v[1]) * by_class(v[2])
    return by_table(y) + by_object(v[0]) * by_class(v[1])


class Mode:
    """A context that keeps in itself what it puts in place of a variable outside: it was refused, whatever it was made of."""

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        global SETTING
        self.before, SETTING = SETTING, self.name

    def __exit__(self, *error):
        global SETTING
        SETTING = self.before


@found(X)
def in_a_setting_by_a_class(v):
    with Mode('shifted'):
        y = divided(v[0], v[1]) * v[2]
    return divided(y, v[0])


GIVEN = 0.0


class Giving:
    def __init__(self, value):
        self.value = value

    def __enter__(self):
        global GIVEN
        GIVEN = self.value

    def __exit__(self, *error):
        global GIVEN
        GIVEN = 0.0


def times_given(x):
    return x * GIVEN


def given_by_a_context(v):
    with Giving(v[0]):
        y = times_given(v[1])
    return y


def given_by_a_context_with_a_name(v):
    context = Giving(v[0])
    with context:
        y = times_given(v[1])
    return y


# Expressions that stand alone, for what they do

class Sized:
    def __init__(self):
        self.count = 2.0

    def __abs__(self):
        self.count += 1
        return 1.0

    def __str__(self):
        self.count += 1
        return 'counted'


@found(X)
def expressions_that_stand_alone(v):
    table, counted = collections.defaultdict(lambda: 3.0), Sized()
    before = len(table) + 2
    table['new']                                # noqa: B018
    abs(counted)
    f'{counted}'                                # noqa: B018
    return np.sum(v * v) * len(table) * before * counted.count


@found(X)
def generators_that_are_gone_through_by_name(v):
    xs = [1.0]
    added = (xs.append(k) for k in range(3))
    last = list(added)                          # noqa: F841
    return np.sum(v * v) * sum(xs)


@found(X)
def defaults_of_functions_inside(v):
    def shared(a, seen=[]):                     # noqa: B006
        seen.append(2.0)
        return a * sum(seen)

    def counted(a, *, state={'n': 0}):          # noqa: B006
        state['n'] += 1
        return a * state['n']
    return shared(v[0]) + shared(v[1]) * shared(v[2]) + counted(v[0]) * counted(v[1])


# Classes that have an answer for any name, and slots in place of a dict

class Answering:
    __slots__ = 'a', 'b'

    def __init__(self, a):
        self.a = a

    def __getattr__(self, name):
        return lambda: getattr(math, name)(self.a) if name in ('sin', 'exp') else self.a * len(name)


class Passing:
    def __init__(self, held):
        self._held = held

    def __getattr__(self, name):
        return getattr(self._held, name)


@found(0.7)
def an_answer_for_any_name(x):
    thing = Answering(x)
    return thing.sin() * thing.a + thing.exp() + thing.three()


@found(0.7)
def an_answer_passed_on_twice(x):
    once = Passing(Answering(x))
    twice = Passing(once)
    return once.a * twice.sin() + twice.exp() + once.foo()


# Methods of containers under a name, differentiated twice

@found(0.7, 1.3)
def an_item_by_its_method_under_a_name(x, y):
    xs = [x * y, x]
    got = xs.__getitem__
    return got(0) * x + xs.__getitem__(1) * y


@found(0.7, 1.3)
def elements_taken_by_a_method_under_a_name(x, y):
    xs = []
    push = xs.append
    push(x * y)
    list(map(push, (x, y, y)))
    pop = xs.pop
    return pop(1) * pop() * xs.__getitem__(0) + sum(xs)


@found([0.7, 1.3, 0.4], mixes=('f',))
def an_operator_that_is_held(xs):
    take = xs.__getitem__
    return take(0) * xs[1] + getattr(xs, '__getitem__')(2)  # noqa: B009


# hasattr, where asking writes

class Lazy:
    def __init__(self, x):
        self.x, self.asked = x, 0.0

    def __getattr__(self, name):
        if name == 'double':
            self.asked = self.asked + self.x
            return 2 * self.x
        raise AttributeError(name)


@found(0.7)
def asked_whether_it_has_what_it_makes(x):
    p = Lazy(x)
    if hasattr(p, 'double') and not hasattr(p, 'triple') and hasattr(p, 'x') and not hasattr(x, 'shapes'):
        return p.double * p.asked * x
    return x


@found(0.7)
def asked_for_what_asking_writes(x):
    p = Lazy(x)
    has = hasattr(p, 'double')
    return p.asked * x if has else x
