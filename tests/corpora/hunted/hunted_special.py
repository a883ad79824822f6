"""Methods that Python calls where no call stands: what they write, and what they give, was taken for nothing."""
import copy
import dataclasses
import functools
import typing

import numpy as np

from tests.corpora.hunted.hunting import found

X = np.array([0.7, 1.3, 0.4])


class Scored:
    """All of whose operators write."""

    def __init__(self, p):
        self.p = p

    def __add__(self, other):
        self.p = self.p + other.p * 2.0
        return 1.0

    def __mod__(self, other):
        self.p = self.p + other.p * other.p
        return 1.0

    def __floordiv__(self, other):
        self.p = self.p + other.p * 2.0
        return Scored(other.p)

    def __getitem__(self, other):
        self.p = self.p + other.p * 2.0
        return 1.0

    def __lt__(self, other):
        self.p = self.p + other.p * 3.0
        return False

    def __contains__(self, v):
        self.p = self.p * v
        return False

    def __bool__(self):
        self.p = self.p * self.p
        return True

    def __len__(self):
        self.p = self.p * 3.0
        return 2

    def __delitem__(self, k):
        self.p = self.p * self.p


@found(X, mixes=('f', 'rf'))
def operators_that_write(x):
    a, b, c, d = Scored(1.0), Scored(1.0), Scored(1.0), Scored(1.0)
    a + Scored(x[0] * x[1])
    r = b % Scored(x[0] * x[1])
    s = c // Scored(x[1])
    t = d[Scored(x[1] * x[2])]
    return a.p * b.p * r + c.p * s.p * d.p * t * x[2]


def added(a, b):
    return a + b


@found(X, mixes=('f', 'rf', 'fr', 'ff'))                # 'rr' is refused
def operators_of_callees(x):
    a = Scored(1.0)
    added(a, Scored(x[0] * x[1]))
    return a.p * x[2]


@found(X, mixes=('f', 'rf'))
def comparisons_that_write(x):
    r, s = Scored(x[0]), Scored(x[1])
    a = 1.0 if r < s < r else 2.0
    b = [1.0 for u in (1, 2) if r < s]
    y = x[2] in r or x[1] not in s
    return r.p * s.p * a + len(b) + (1.0 if y else 0.0) + x[0]


@found(X, mixes=('f', 'rf'))
def tests_that_write(x):
    r, n = Scored(x[0]), 0
    while r and n < 1:
        n = n + 1
    assert r
    if not r or n > 5:
        return x[0]
    kept = [u for u in x if r]
    return r.p * kept[1] + (r.p if r else x[1])


@found(X, mixes=('f', 'rf', 'fr', 'rr'))                # 'ff' is refused
def lengths_that_write(x):
    t = Scored(x[0] * x[1])
    n = len(t)
    del t[0]
    return t.p * x[2] * n


class Compared:
    def __init__(self, a):
        self.a = a

    def __eq__(self, other):
        return Compared(self.a * other.a)

    def __lt__(self, other):
        return Compared(self.a - other.a * other.a)

    def __ne__(self, other):
        return Compared(self.a + 2.0 * other.a)

    def __and__(self, other):
        return Compared(self.a * other.a)

    def __or__(self, other):
        return Compared(self.a + other.a)

    def __rlshift__(self, k):
        return Compared(self.a * k)

    def __invert__(self):
        return Compared(self.a * self.a)

    def __round__(self, digits=0):
        return Compared(self.a * (2.0 + digits))

    def __divmod__(self, other):
        return self.a * other, self.a


@found(X, mixes=('f', 'rf'))
def comparisons_that_make_objects(x):
    a, b = Compared(x[0]), Compared(x[1])
    return ((a == b).a + (a < b).a * x[2]) * (a != b).a + (a > b).a


@found(X, mixes=('f', 'rf'))
def operators_that_numbers_have_no_derivative_for(x):
    a, b = Compared(x[0]), Compared(x[1])
    q, r = divmod(a, x[2])
    return (a & b).a + (~a | b).a * (x[2] << a).a + round(b).a * round(a, 1).a + q * r


@functools.total_ordering
class Ordered:
    def __init__(self, v):
        self.v, self.n = v, 0.0

    def __eq__(self, other):
        return self.v == other.v

    def __lt__(self, other):
        self.n = self.n + other.v
        return self.v < other.v


@found(X, mixes=('f', 'rf'))
def orders_made_of_one(x):
    a, b = Ordered(x[0]), Ordered(x[1])
    return (1.0 if a > b else 2.0) * (1.0 if a <= b else 3.0) * (a.n + b.n * 2.0) * x[2]


class Summed:
    def __init__(self, p):
        self.p = p

    def __add__(self, other):
        return Summed(self.p + other.p * 2.0)


class Counted:
    def __init__(self, p):
        self.p = p

    def __iadd__(self, other):
        self.p = self.p + other.p * 2.0
        return self


class Box:
    pass


@found(X, mixes=('f', 'rf'))
def parts_updated_by_operators(x):
    b, xs, d = Box(), [Summed(x[0])], {'k': Summed(x[2])}
    b.p = Summed(x[0])
    b.p += Summed(x[1] * x[0])
    xs[0] += Summed(x[1] * x[2])
    d['k'] += xs[0]
    return b.p.p * x[2] + xs[0].p * d['k'].p


@found(X, mixes=('f', 'rf'))
def parts_updated_in_place(x):
    box, xs = Box(), [Counted(1.0)]
    box.p = other = Counted(1.0)
    box.p += Counted(x[0] * x[1])
    first = xs[0]
    xs[0] += Counted(x[1])
    return other.p * x[2] + first.p * xs[0].p


@found(X, mixes=('f', 'ff'))                            # 'rr' is refused
def written_through_what_holds_it(x):
    box, inner, other = Box(), Scored(1.0), Scored(1.0)
    box.p = inner
    added(box.p, Scored(x[0] * x[1]))
    box.q = last = other
    o = box.q
    added(o, Scored(x[2]))
    return inner.p * x[2] + last.p * other.p


def put(table, value):
    table['v'] = value


@found(X, mixes=('f', 'rf'))
def written_through_what_a_callee_filled(x):
    table, values = {}, [1.0, 2.0]
    put(table, values)
    table['v'][0] = x[0] * x[1]
    return values[0] * x[2]


class Lazy:
    def __init__(self, v):
        self.v, self.n = v, 0.0

    def __getattr__(self, name):
        if name == 'square':
            self.square = self.v * self.v
            return self.square
        raise AttributeError(name)

    @property
    def grown(self):
        self.n = self.n + self.v
        return self.n


@found(X, mixes=('f', 'rf'))
def properties_that_write(x):
    m = Lazy(x[0] * x[1])
    t = 0.0 * m.grown
    for i in range(2):
        t = t + m.grown * x[i]
    return t * m.n * x[2]


class Base:
    def __init__(self, x):
        self.x = x

    def f(self, y):
        return self.x * y


class Above(Base):
    def f(self, y):
        return 100.0


@found(X, mixes=('f', 'rf'))
def super_of_what_is_made_there(x):
    return np.sum(super(Above, Above(x)).f(x))


class History:
    def __init__(self):
        self.values = []

    def add(self, v):
        self.values = self.values + [v]


@found(X, mixes=('f', 'rf'))
def lists_joined_into_attributes(x):
    h, rows = History(), [[x[0]], [x[1]]]
    h.add(x[0] * x[1])
    h.values = [*h.values, x[2]]
    same = rows
    rows[0] = rows[0] + [x[2]]
    return h.values[0] * h.values[1] * same[0][1]


class Branch:
    def __init__(self, v):
        self.v, self.twigs, self.up = v, [], None

    def add(self, twig):
        self.twigs.append(twig)
        twig.up = self
        return self


@found(X, mixes=('f', 'rf'))
def deep_copies_of_what_is_shared(x):
    rows = [x[0]]
    both = copy.deepcopy([rows, rows])
    both[0][0] = x[1] * 2
    tree = Branch(x[0]).add(Branch(x[1]))
    other = copy.deepcopy(tree)
    other.twigs[0].up.v = x[2] * x[0]
    return both[1][0] * rows[0] + other.v * tree.v


class Listed:
    """Puts itself where it is told to."""

    def __init__(self, v, where=None):
        self.v = v
        if where is not None:
            where.append(self)


@found(X, mixes=('f', 'rf'))
def made_in_a_comprehension(x):
    where, more = [], []
    made = [Listed(v, where) for v in x]
    n = len([Listed(v * v, more) for v in x])
    return where[0].v * where[1].v * n * made[2].v * more[1].v


@found(X, mixes=('f', 'rf'))
def made_by_map(x):
    where, more = [], []
    list(map(Listed, x, [where, where, where]))
    for made in map(lambda v: Listed(v, more), x):
        made.v = made.v * made.v
    return where[0].v * where[1].v * more[2].v


@found(X, mixes=('f', 'rf'))
def made_for_what_it_is_put_into(x):
    where = []
    for v in x:
        Listed(v * x[0], where)
    return where[0].v * where[1].v


# What is gone through: what `__iter__` writes was left undone, and generators of objects were taken whole

class Noted:
    """Each way through it notes something."""

    def __init__(self, a, items):
        self.a, self.items = a, items

    def __iter__(self):
        self.items.append(abs(self.items[-1]))
        yield self.a
        self.items.append(self.items[-1] * self.a)
        yield 0.5 * self.a

    def parts(self):
        for v in self.items:
            yield v * self.a


class Asked:
    def __init__(self, xs):
        self.xs, self.asked = list(xs), [xs[0]]

    def __iter__(self):
        self.asked.append(self.asked[-1] * 2.0)
        return iter(self.xs)


class Twig:
    def __init__(self, v, kids):
        self.v, self.kids = v, kids

    def __iter__(self):
        yield self.v
        for k in self.kids:
            yield from k


class Count:
    def __init__(self, a):
        self.a = a

    def __next__(self):
        self.a = self.a * 1.5
        return self.a


def noted(x):
    return Noted(x[1], [0.5 * x[2], np.sum(x)])


@found(X, mixes=('f',))
def gone_through_for_nothing(x):
    o, p = noted(x), Asked(x)
    sum(o)
    for _ in o:
        pass
    a, b = o
    max(p), sorted(p), [v for v in p], any(p), next(iter(p))
    return sum(o.items) + sum(p.asked)


@found(X, mixes=('f',))
def left_early(x):
    o, y = noted(x), 1.0
    for v in o:
        y = y * v * o.items[-1]
        break
    return sum(o.items) + y


@found(X, mixes=('f',))
def every_way(x):
    p = Asked(x)
    first, *rest = p
    y = sum(a * b for a, b in zip(p, x)) + sum(p) * max(p) + first * rest[0] + np.sum(np.array(list(p)) ** 2)
    for i, a in enumerate(p):
        p.xs[2] = p.xs[2] * a
        y += a * i
    return y + sum(p.asked)


@found(X, mixes=('f',))
def branches(x):
    t, y = Twig(x[0], [Twig(x[1], []), Twig(x[2], [Twig(x[0] * x[1], [])])]), 1.0
    for v in t:
        y = y * v
    return y + sum(t) + max(t)


@found(X, mixes=('f',))
def next_of_an_object(x):
    c = Count(x[0] * x[1])
    a = next(c)
    return a * next(c) + c.a


@found(X, mixes=('f',))
def a_loop_writes_what_a_generator_of_an_object_reads(x):
    o, y = noted(x), x[0]
    for k, v in enumerate(o.parts()):
        o.items[1] *= v
        y = y * v
        o.a = y * (k + 1)
    return sum(o.items) + y


@found(X, mixes=('f',))
def a_generator_of_an_object_begins_late(x):
    o = noted(x)
    parts = o.parts()
    o.a = 3.0 * x[2]
    y = next(parts)
    o.a = x[0]
    return y * next(parts)


@found(X, mixes=('f',))
def a_generator_of_an_object_beside_a_list(x):
    o, y = noted(x), 1.0
    for v, w in zip(o.parts(), o.items):
        y = y * v * w
        o.a = y
    return y + max(o.parts()) * sorted(o.parts())[0]


# Exceptions that carry values, which forward mode refused

class Stopped(Exception):
    def __init__(self, v, note='stopped'):
        super().__init__(v)
        self.value, self.note = v, note


class StoppedTwice(Stopped):
    def __init__(self, a, b):
        super().__init__(a * b, note='twice')
        self.b = b


class Bare(Exception):
    pass


def stops(v, k):
    if k == 1:
        raise Stopped(v * 3.0)
    if k == 2:
        raise StoppedTwice(v, v * 2.0)
    if k == 3:
        raise Bare(v, 'text', v * v)
    raise ValueError(f'bad {v}')


def stops_differently(v):
    try:
        return stops(v, 1)
    except Stopped as e:
        raise Bare(e.value * v) from e


@found(X, mixes=('f',))
def values_of_exceptions(x):
    try:
        y = stops(x[0], 1)
    except Stopped as e:
        y = e.value * e.args[0] * x[1]
    try:
        stops(y, 2)
    except Stopped as e:
        y = y + e.value * e.b
    try:
        stops(y, 3)
    except (Bare, Stopped) as e:
        a, n, b = e.args
        y = a * len(n) + b * x[2]
    return y


@found(X, mixes=('f',))
def exceptions_raised_again_and_by_name(x):
    try:
        stops_differently(x[0])
    except Bare as e:
        y = e.args[0] * x[1]
    error = Stopped(x[2] * y)
    try:
        raise error
    except Stopped as e:
        y = y * e.value
    return y * error.value


TABLE = {'stops': stops}


@found(X, mixes=('f',))
def exceptions_of_a_function_found_when_running(x):
    y, kept = x[1], None
    try:
        TABLE['stops'](x[0], 1)
    except Stopped as e:
        kept = e
    try:
        TABLE['stops'](x[0], 4)
    except ValueError as e:
        y = y * len(str(e)[:3])
    return y * kept.value


@found(X, mixes=('f',))
def an_exception_that_gets_its_value_later(x):
    error = Bare()
    error.value = x[0] * x[1]
    try:
        raise error
    except Bare as e:
        return e.value * x[2]


class Made:
    def __init__(self, v):
        self.v = v

    def __getattr__(self, name):
        self.w = self.v * self.v
        return self.w


@found(0.7)
def stored_when_it_is_missing(x):
    b = Made(x)
    return b.w * b.w * b.v


class Pair:
    def __init__(self, a, b):
        self.q = np.array([a, b])

    def __mul__(self, o):
        return Pair(*(self.q * o.q))

    def __sub__(self, o):
        return Pair(*(self.q - o.q))

    def __truediv__(self, o):
        return Pair(*(self.q / o))

    def __abs__(self):
        return np.sqrt(np.sum(self.q ** 2))

    def conj(self):
        return Pair(self.q[0], -self.q[1])


@found(np.array([0.7, 1.3]), mixes=('f',))
def methods_that_arrays_have_beside_operators(v):
    p = Pair(*v)
    r = (p.conj() - p * p) / abs(p)
    return r.q[0] * r.q[1]


# `__init__` methods that `dataclasses` wrote

@dataclasses.dataclass
class Plan:
    a: float
    b: float = 2.0
    tags: list = dataclasses.field(default_factory=list)


class Extended(Plan):
    def __init__(self, a, c):
        super().__init__(a * c, b=a)
        self.c = c


@dataclasses.dataclass
class Finished(Plan):
    d: float = 1.0

    def __post_init__(self):
        self.d = self.a * self.b * self.d


class Named(Finished):
    def __init__(self, a):
        Finished.__init__(self, a, a * a, [a], 3.0)


@found(0.7)
def generated_init_of_the_class_above(x):
    s, t = Extended(x, x * 2), Named(x)
    s.tags.append(s.a)
    return s.a * s.b + s.c * s.tags[0] + t.d * t.tags[0]


@found(0.7)
def generated_init_called_again(x):
    s = Plan(x)
    s.__init__(x * x, x)
    return s.a * s.b


@dataclasses.dataclass
class Power:
    """Equal to others by its fields, and so in no table: its call was a raw TypeError, or its `__eq__` met our functions."""
    factor: float

    def __call__(self, x, power=2):
        return self.factor * x ** power


class OfNothingElse:
    def __init__(self, factor):
        self.factor = factor

    def __eq__(self, other):
        return self.factor == other.factor

    def __hash__(self):
        return 1

    def __call__(self, x):
        return self.factor * x * x


SQUARE, CUBE, SAME = Power(2.0), Power(3.0), OfNothingElse(1.5)


@found(X)
def callables_that_are_equal_by_their_fields(v):
    made = Power(v[1])
    table = {'square': SQUARE, 'same': SAME}
    return SQUARE(v[0]) * CUBE(v[1], power=3) + SAME(v[0]) * made(v[2]) + table['same'](v[1]) * table['square'](v[2])


@found(X)
def callables_given_to_functions(v):
    return sum(map(SQUARE, v)) * functools.reduce(lambda a, b: SAME(a) * b, v) + max(SAME(v[0]), 0.0)


# Written into the class of something, which is seen outside

class Scaled:
    scale = 2.0

    def __init__(self, v):
        self.v = v

    def scaled(self):
        type(self).scale = 3.0
        return self.v * Scaled.scale


@found(X)
def classes_of_objects_of_its_own(v):
    one, two = Scaled(1.0), Scaled(2.0)
    type(one).scale = 3.0
    first = Scaled.scale
    two.__class__.scale = 5.0
    two.__class__.scale += first
    kind = type(two)
    second = kind.scale
    kind.scale = second / 4
    return np.sum(v * v) * first * second * Scaled.scale


@found(X)
def classes_of_what_has_a_derivative(v):
    return Scaled(v[0]).scaled() * Scaled(v[1]).scaled() + Scaled.scale * v[2]


# What a namedtuple computes, in the log form

class Point(typing.NamedTuple):
    x: object
    y: object

    @property
    def area(self):
        return self.x * self.y

    def __add__(self, other):
        return Point(self.x + other.x, self.y * other.y)


@found(X)
def properties_of_a_namedtuple_with_operators(v):
    points = [Point(v[0], v[1]), Point(v[1], *v[2:])]
    whole = points[0] + points[1]
    moved = whole._replace(x=points[1].area)
    return moved.area * whole.area + points[0].area
