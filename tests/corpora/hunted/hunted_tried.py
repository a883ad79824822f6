"""What somebody may see of how far a `try` has come, and what changes outside while the function runs."""
import collections
import functools
import re
import sys
import typing

import numpy as np

from tests.corpora.hunted.hunting import found

V = np.array([0.5, 0.9, 1.3])


# Names that are bound on some paths

@found(V)
def bound_under_a_test(v):
    z = v[0]
    try:
        if v[1] > 5:
            z = v[1]
        y = np.sqrt(v[2])
    except ValueError:
        return 0.0
    return y * z


@found(V)
def bound_in_the_first_trip(v):
    for k in range(2):
        try:
            if k == 0:
                y = v[0] * v[1]
            r = v[2]
        except ValueError:
            y = 0.0
            r = 0.0
    return r * y


# What is done last may raise itself

@found(V)
def of_another_shape(v):
    u = np.zeros(3)
    try:
        u -= np.zeros((3, 3)) * v[0]
    except ValueError:
        u -= v * v
    return np.sum(u * v)


@found(V)
def at_no_place(v):
    u = v * 1.0
    try:
        u[7] = v[0] * 2
    except IndexError:
        u[0] = v[1] * 3
    return u[0] * u[1]


@found(V)
def at_no_place_of_a_list(v):
    items = [v[0]]
    try:
        items[1] = v[1] * v[2]
    except IndexError:
        items.append(v[1])
    return items[0] * items[1]


@found(V)
def at_a_place_that_is_no_number(v):
    r = np.zeros(3)
    try:
        r[int('x')] = v[0]
    except ValueError:
        r[0] = v[0] * v[1]
    return np.sum(r * r)


# Statements that do no more than to raise

def raising_for_nothing(a):
    int('x')
    return a * 2.0


@found(V)
def raised_for_nothing_in_a_callee(v):
    try:
        y = raising_for_nothing(v[0])
    except ValueError:
        y = v[1] * v[1]
    return y * v[2]


@found(V)
def raised_by_the_head_of_a_loop(v):
    try:
        for _ in {'a': [1]}['b']:
            v = v * 1.0
        y = v[0]
    except KeyError:
        y = v[1] * v[1]
    return y * v[2]


@found(V)
def raised_by_a_test(v):
    try:
        if {'a': 1}['b'] > 0:
            z = 1                             # noqa: F841
        y = v[0]
    except KeyError:
        y = v[1] * v[1]
    return y * v[2]


@found(V)
def raised_by_an_empty_loop(v):
    try:
        for k in range(10):
            z = v[k]                          # noqa: F841
        y = v[0]
    except IndexError:
        y = v[1] * v[1]
    return y * v[2]


# Errors that carry a derivative

class Carrying(Exception):
    def __init__(self, v):
        self.v = v


def carry(v):
    if v > 0:
        raise Carrying(v * v)
    return v


def caught_from(f, v):
    try:
        return f(v)
    except Carrying as e:
        return e.v * 2


@found(V, mixes=('f',))
def raised_by_what_is_given(v):
    return caught_from(carry, v[0]) * v[1]


@found(V, mixes=('f',))
def raised_by_what_is_mapped(v):
    try:
        y = list(map(carry, v))
    except Carrying as e:
        y = [e.v]
    return y[0] * v[1]


def make_and_raise(v):
    e = Carrying(v)
    e.v = v * v
    raise e


@found(V, mixes=('f',))
def raised_after_it_was_made(v):
    try:
        y = make_and_raise(v[0])
    except Carrying as e:
        y = e.v * v[1]
    return y * v[2]


# The error that is being handled

@found(V)
def asked_of_python(v):
    try:
        y = np.sqrt([][0]) * v[0]
    except IndexError:
        y = v[1] * 2.0 if sys.exc_info()[0] is IndexError else v[2]
    return y * v[0]


# Classes that set no field, or a field of a field

class Filling:
    def __init__(self, arr):
        arr[0] = 5.0 * arr[1]


@found(V)
def a_class_that_sets_no_field(v):
    u = v * 1.0
    Filling(u)
    return np.sum(u * u)


class Part:
    def __init__(self, b):
        self.b = b


class Whole:
    def __init__(self, o, v):
        self.o = o
        self.o.b = v * self.o.b


@found(V)
def a_field_of_a_field(v):
    o = Part(v[0])
    g = Whole(o, v[1])
    return o.b * g.o.b * v[2]


# Functions that texts are made by

def writing_to(u):
    def f(m):
        u[0] = u[1] * 2
        return 'b'
    return f


def written_by_a_substitution(v):
    u = v * 1.0
    re.sub('a', writing_to(u), 'aa')
    return u[0] * u[1]


# An array outside under another name

OUTSIDE = np.array([1.0, 2.0, 3.0])


@found(V)
def written_under_a_name_of_its_own(v):
    OUTSIDE[0] = 1.0
    w = OUTSIDE
    y = np.sum(OUTSIDE * v)
    w[0] = 5.0
    return y * np.sum(OUTSIDE * v)


FACTORS = np.array([1.0, 2.0, 3.0])


def times_factors(v):
    return np.sum(v * FACTORS)


def read_and_written(v):
    FACTORS[0] = 4.0
    y = times_factors(v)
    FACTORS[0] = 1.0
    return y * times_factors(v * v)


SCALE = 2.0


def grow():
    global SCALE
    SCALE = SCALE + 1.0


def scaled(v):
    return v * SCALE


@found(V)
def read_and_bound_anew(v):
    global SCALE
    SCALE = 2.0
    y = scaled(v[0])
    grow()
    return y * scaled(v[1])


def set_scale(v):
    global SCALE
    SCALE = v


def read_by_a_function_inside(v):
    set_scale(2.0)

    def times(a):
        return a * SCALE
    y = times(v[0])
    set_scale(3.0)
    return y * times(v[1])


def read_by_a_lambda(v):
    set_scale(2.0)
    times = lambda a: a * SCALE  # noqa: E731
    y = times(v[0])
    set_scale(3.0)
    return y * times(v[1])


def read_by_what_is_in_a_list(v):
    set_scale(2.0)
    fs = [scaled]
    y = fs[0](v[0])
    set_scale(3.0)
    return y * fs[0](v[1])


RATE, FACTORS_ANEW = 2.0, np.array([1.0, 2.0, 3.0])


def times_rate(v):
    return v * RATE


def times_factors_anew(v):
    return np.sum(v * FACTORS_ANEW)


def set_by_attribute(v):
    HERE.RATE = v


def set_by_name(v):
    setattr(HERE, 'RATE', v)                            # noqa: B010


def set_array(v):
    global FACTORS_ANEW
    FACTORS_ANEW = np.array([v, 2.0, 3.0])


HERE = sys.modules[__name__]


@found(V)
def bound_anew_as_an_attribute(v):
    set_by_attribute(5.0)
    y = times_rate(v[0])
    set_by_attribute(2.0)
    return y * times_rate(v[1])


@found(V)
def bound_anew_by_its_name(v):
    set_by_name(5.0)
    y = times_rate(v[0])
    set_by_name(2.0)
    return y * times_rate(v[1])


@found(V)
def an_array_bound_anew(v):
    set_array(5.0)
    y = times_factors_anew(v)
    set_array(1.0)
    return y * times_factors_anew(v * v)


# Sequences that NumPy takes for arrays, and names of strings

@found(V)
def a_row_times_a_list(v):
    a = np.zeros((2, 3))
    a[0] = v
    a[1] = a[0] * v
    return np.sum(a[1] * [1, 2, 3])


@found(V)
def a_row_times_what_a_list_computes(v):
    a = np.zeros((2, 3))
    a[0] = v
    a[1] = a[0] * v
    return np.sum((v[0], 2.0, v[1] * v[2]) * a[1] + a[0] * [[v[0], 2.0, 3.0], v])


@found(V)
def letters_that_are_aligned(v):
    s, t = 'GAT', 'GCAT'
    scores = [[0.0] * (len(t) + 1) for _ in range(len(s) + 1)]
    best = 0.0
    for i, a in enumerate(s, 1):
        for j, b in enumerate(t, 1):
            scores[i][j] = max(scores[i - 1][j - 1] + (v[0] if a == b else -v[1]), scores[i - 1][j] - v[2])
            best = max(best, scores[i][j])
    return best * best


class Moments(typing.NamedTuple):
    mean: float
    variance: float


@found(V)
def the_rest_of_a_namedtuple(v):
    found = Moments(v[0], v[1])
    wider = found._replace(variance=found.variance * 2)
    mean, *rest = wider
    return mean * rest[0] * found.mean + wider.variance


@found(V)
def functions_of_lists(v):
    pair = [v[0], v[1] * v[2]]
    y = np.log1p([v[0], 2.0]) * np.arctan(pair) + np.square(pair) * np.sort([v[2], v[0]]) - np.ldexp(v[:2], [1, 2])
    return np.sum(np.array([1.2, 2.5]) % pair) + np.sum(np.sin([w * w for w in v]) * y[0]) + np.sum(1.0 / np.abs(pair)) + np.sum(
        np.multiply(v[0], [1.0, 2.0]))


@found(V)
def exponents_in_a_list(v):
    return np.sum(v ** [0.5, 2.0, 1.5]) * np.sum(np.power(v, [v[0], 2.0, v[1]]))


@found(V)
def triangles_of_a_row(v):
    y = np.cumsum(np.sin(v))
    return np.sum(np.tril(y) ** 2 * np.arange(9.0).reshape(3, 3)) + np.sum(np.triu(y, 1) * y[0]) + np.linalg.norm(y)


@found(V)
def axes_in_a_sum_of_terms(v):
    y = v * v
    total = 4.0 * np.sum(np.where(y > np.array([1, 2, 3]), y, 0.0))
    total += 2.0 * np.sum(np.where(y > v[:, None], y, v[:, None]))
    return total


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        yield self.x
        yield self.y


@found(V, mixes=('f', 'fr'))
def parts_of_an_object(v):
    a, b = Pair(v[0] * v[0], v[1])
    c, *rest = Pair(v[2], a * b)
    return a * b * c + rest[0]


class Row:
    def __init__(self, *values):
        self.values = values

    def __getitem__(self, k):
        return self.values[k] * self.values[0]


@found(V, mixes=('f', 'fr'))
def parts_of_what_can_be_indexed(v):
    a, b = Row(v[0] * v[1], v[1])
    row = Row(v * v[0], v[1:2] * 2.0)
    c, d = row
    c[0] = c[1] * d[0]
    return a * b + np.sum(c) * np.sum(d)


# What a block does that is told in a log was done outside of its `try`


@found({'k': 2.0}, 1.3, mixes=())
def a_default_that_raises(p, x):
    try:
        return p.get('k', 1.0 / 0.0) * x
    except ZeroDivisionError:
        return x * x * p['k']


@found({'k': 2.0}, 1.3, mixes=())
def a_looked_up_value_by_zero(p, x):
    try:
        y = p.get('k') / (x - x)
    except ZeroDivisionError:
        y = x * x * p['k']
    return y


# Lists that NumPy takes for arrays, and lists that are joined in a callee

PAIR = [0.7, 0.3]


@found(PAIR)
def of_a_list_that_is_given(v):
    return np.sum(np.exp(v) * np.tan(v) + np.sqrt(v) + 1.0 / np.square(v)) + np.sum(np.add(v, v) * np.multiply(v, 2.0))


def cosines(v):
    return np.sum(np.cos(v) / np.exp(v))


@found(PAIR)
def of_a_list_in_a_callee(v):
    w = v + v
    return cosines(w) * w[3] + cosines(v) * len(w)


@found(0.7)
def of_a_list_that_a_callee_is_given(x):
    return cosines([x, x * x]) * x


def doubled(v):
    u = v + v
    return u[0] * u[3] + u[2] * 2


@found(0.7)
def doubled_in_a_callee(x):
    return doubled([x, x * x]) + doubled((x * 3, x))


def once_and_twice(v, w):
    u = v + w
    u = u + u
    return u[0] * u[3] + u[2] * 2


@found(0.7)
def joined_and_doubled_in_a_callee(x):
    w = [x, x * x]
    return once_and_twice(w, w) + once_and_twice(w, [x])


def array_where_it_is_long(xs, y):
    if len(xs) > 1:
        xs = np.asarray(xs)
    return np.sum(xs + xs * y)


def stacked_where_it_is_long(xs, y):
    if len(xs) > 1:
        xs = np.stack(xs) * 1.0
    return np.sum(xs + xs * y)


def row_by_row(xs, y):
    ys = np.concatenate([xs, xs]) if y > 0 else xs
    return np.sum(ys * y + ys)


@found(0.7)
def array_on_one_path(x):
    return array_where_it_is_long([x, x * x], x) + stacked_where_it_is_long([x, 2 * x], x) + row_by_row([x, x * x], x)


# Values without a derivative beside those that have one: iterators at their end, sets, shapes

def at_its_end(x):
    it = iter([3.0])
    return next(it, x) * next(it, x * x) * next(iter(()), x)


def taken_out_of(s, x):
    t = x
    while s:
        t = t * (x + s.pop())
    return t


@found(0.7, mixes=('f', 'fr', 'rr', 'ff'))              # 'rf' is refused
def taken_out_of_a_set(x):
    s = {1.0, 2.0}
    s.add(3.0)
    return taken_out_of(s, x) + len(s)


class Walk:
    def __init__(self, x):
        self.x, self.todo, self.seen = x, {(0, 1), (1, 2)}, set()

    def run(self):
        t = self.x
        while self.todo:
            a, b = self.todo.pop()
            self.seen.add(a)
            t = t * (self.x + a + b)
            if a < 3:
                self.todo.add((a + 2, b))
        return t * len(self.seen)


@found(0.7, mixes=('f', 'fr'))                          # the others are refused
def walked_by_a_set(x):
    return Walk(x).run()


# Partials whose arguments are given anew, and partials of methods

def product_and_rest(a, b, *, c=1.0, d=2.0):
    return a * b + c * d


@found(0.7)
def partial_of_a_partial_with_another_value(x):
    p = functools.partial(product_and_rest, x, c=x * x)
    q = functools.partial(p, c=1.0)
    return p(2 * x) * q(x)


@found(0.7)
def called_with_another_value(x):
    p = functools.partial(product_and_rest, x, c=x * x)
    return p(x, c=1.0) * p(x, **{'c': 2.0}) * p(x)


@found(0.7)
def called_with_all_that_it_holds_anew(x):
    fs = [functools.partial(product_and_rest, c=x), functools.partial(product_and_rest, 1.0)]
    return fs[0](x, x, c=2.0) * fs[1](x, d=x) * functools.partial(fs[0], c=5.0)(x, 1.0)


class Times:
    unit = 2.0

    def __init__(self, v):
        self.v, self.n = v, 0

    def of(self, a, b=1.0, *, c=0.0):
        self.n += 1
        return self.v * a * b + c * self.n

    @classmethod
    def made(cls, v, w=1.0):
        return cls(v * w * cls.unit)


@found(0.7)
def partial_of_a_method(x):
    k = Times(x)
    m = functools.partial(k.of, b=x)
    n = functools.partial(m, b=1.0)
    k.v = x * x
    return m(x) * n(x)


@found(0.7)
def partial_of_a_method_with_another_value(x):
    e = functools.partial(Times(x).of, c=x)
    return e(x) * e(x, c=1.0)


@found(0.7)
def partial_of_a_method_of_a_class(x):
    return functools.partial(Times.made, w=x)(x).v * x


@found(0.7)
def made_by_the_class_of_an_object(x):
    k = Times(x)
    return k.__class__.made(x).v * type(k)(x).v


class Slots:
    __slots__ = ('p', 'q')

    def __init__(self, p):
        self.p = p

    def step(self):
        self.q = getattr(self, 'q', self.p * 2) * self.p
        return self


@found(0.7, mixes=('f', 'ff'))
def a_slot_that_is_empty(x):
    s = Slots(x).step().step()
    return s.q * s.p


# Determinants of matrices with equal singular values: second derivatives went through those of the singular vectors

@found(V)
def determinants_where_singular_values_are_equal(v):
    m = np.array([[v[2], v[0], v[1]], [v[0], v[1], v[2]], [v[1], v[2], v[0]]])
    return np.linalg.det(m) + np.linalg.det(v[0] * np.eye(3)) * v[1] + np.linalg.det(np.outer(v, v)) * v[2]


# Classes made of dicts

class Attributed(dict):
    pass


class Counted(collections.defaultdict):
    pass


class Itself(dict):
    def __init__(self):
        super().__init__()
        self.__dict__ = self


class Makes(dict):
    def __missing__(self, key):
        self[key] = value = self.base * key
        return value


def attributed():
    d = Attributed()
    d.k = 2.0
    return d


def filled(d, x):
    d['a'] = x
    return d.k * d['a'] * x


@found(0.7)
def attributes_of_a_dict(x):
    d = attributed()
    d['b'] = x
    d.k = d.k * d['b']
    c = Counted(float)
    c.k = 3.0
    c['b'] += x
    return filled(attributed(), x) * d.k + c.k * c['b']


@found(0.7, mixes=('f',))
def attributes_that_are_items(x):
    c = Itself()
    c.a = x
    c['b'] = c.a * x
    return c.b * c['a']


@found(0.7, mixes=())
def what_a_dict_makes_of_an_attribute(x):
    d = Makes()
    d.base = x
    return d[2] * d[3] + len(d) * d[2]
