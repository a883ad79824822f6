"""Functions for `tests/corpora/test_hunted.py` where a class in sight has operators, or methods with names that arrays have, too:
these are looked at when running."""
import collections
import enum
import functools
import heapq
import math
import operator

import numpy as np

from tests.corpora.hunted.hunting import found


class Shape:
    def __init__(self, size):
        self.size = size

    def __add__(self, other):
        return Shape(self.size + other.size)


def multiples(x, n):
    for k in range(1, n):
        yield x * k


@found(0.7, mixes=('f',))
def sum_of_a_generator_where_classes_have_operators(x):
    y = sum(multiples(x, 4))
    return y * y if y > 0 else x


@found(0.7, mixes=('f',))
def generator_given_to_a_function_under_another_name(x):
    total = [np.sin, sum][1]
    return total(multiples(x, 4)) * x


class Fails:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self.x

    def __exit__(self, *error):
        raise KeyError


@found(0.7, mixes=('f',))
def error_when_a_context_is_left(x):
    try:
        with Fails(x) as y:
            return y * x
    except KeyError:
        return x * 5


@found([0.9, 0.3, 0.6, 0.1], mixes=())
def call_in_an_update_is_made_once(xs):
    heap, k = [], 1
    for x in xs:
        heapq.heappush(heap, x)
    total = 1.0
    while heap:
        total += k * heapq.heappop(heap)
        k += 1
    return total


@found(0.7, mixes=('f',))
def variable_bound_anew_by_what_is_added_to_it_with_operators(x):
    t = x

    def bump():
        nonlocal t
        t = t * 3
        return t
    t += bump()
    return t


# Methods with names that arrays, dicts and texts have, too: what they write was left out

class Cells:
    def __init__(self, cells):
        self.cells, self.calls = cells, 1.0

    def take(self):
        self.cells[1] *= 0

    def get(self):
        self.calls += 1.0

    def sum(self):
        self.calls += 1.0
        return self.cells[0]

    def copy(self):
        self.cells[1] = self.cells[1] * self.cells[0]
        return 3.0

    def mean(self):
        self.get()

    def write(self):
        self.cells[0] = 0.5


@found(np.array([0.7, 1.3, 0.4]))
def take_that_writes_a_constant(x):
    o = Cells(x * 1.0)
    o.take()
    return o.cells[1] + x[0] * x[1]


@found(np.array([0.7, 1.3, 0.4]))
def get_that_counts(x):
    o = Cells(x)
    o.get()
    return o.cells[1] * o.calls


@found(np.array([0.7, 1.3, 0.4]))
def sum_that_counts_under_a_name(x):
    o = Cells(x)
    total = o.sum()  # noqa: F841
    return o.cells[1] * o.calls


@found(np.array([0.7, 1.3, 0.4]))
def copy_that_writes(x):
    o = Cells(x * 1.0)
    o.copy()
    return o.cells[1] * o.calls


@found(np.array([0.7, 1.3, 0.4]))
def mean_that_calls_what_counts(x):
    o = Cells(x)
    o.mean()
    return o.cells[1] * o.calls


@found(np.array([0.7, 1.3, 0.4]))
def write_that_overwrites(x):
    o = Cells(x * 1.0)
    o.write()
    return o.cells[0] * o.cells[1]


class Sized:
    def __init__(self, a):
        self.a = a

    def take(self, other):
        other.grow()

    def grow(self):
        self.a *= 2.0

    def __len__(self):
        self.take(self)
        return 2


@found(np.array([0.7, 1.3, 0.4]))
def take_that_writes_in_a_special_method(x):
    o = Sized(x[0])
    return len(o) * o.a * x[1]


class Rows:
    def __init__(self, a):
        self.rows = [a]

    def copy(self, t):
        self.rows.append(t * self.rows[-1])

    def __len__(self):
        return grown(self)


def grown(rows):
    rows.copy(2.0)
    return 1


@found(np.array([0.7, 1.3, 0.4]))
def copy_that_a_special_method_has_a_function_call(x):
    o = Rows(x[0])
    o.copy(x[1])
    n = len(o)
    return o.rows[-1] * x[2] * n


class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def values(self):
        return [self.a * 2.0, self.b]

    def items(self):
        return [(3.0, self.a), (4.0, self.b)]


@found(np.array([0.7, 1.3, 0.4]))
def values_that_are_no_view(x):
    d, s = {'a': x[0], 'b': x[1]}, 0.0
    for v in d.values():
        s += v * v
    for v in Pair(x[1], x[2]).values():
        s += v * v * x[0]
    return s


@found(np.array([0.7, 1.3, 0.4]))
def items_that_are_no_view(x):
    o = Pair(x[0], x[1])
    return sum([k * v * v for k, v in o.items()]) * sum(o.values())


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


@found(np.array([0.7, 1.3, 0.4]))
def flags_joined(x):
    rights = Rights.READ | Rights.WRITE
    return x[0] * x[1] * (2.0 if rights & Rights.WRITE else 1.0)


class Diagonal:
    """Methods that arrays have, too, of what its operators give."""

    def __init__(self, v):
        self.v = v

    def __matmul__(self, other):
        return Diagonal(self.v * other.v)

    def __pow__(self, n):
        return Diagonal(self.v ** n)

    def trace(self):
        return 3 * self.v

    def sum(self):
        return 5 * self.v

    def dot(self, other):
        return 7 * self.v * other.v


@found(0.7)
def methods_of_what_an_operator_gives(x):
    m = Diagonal(x)
    return (m @ m).trace() * (m @ m).sum() + (m ** 3).trace() + (m @ m).dot(m)


def composed(*functions):
    return functools.reduce(lambda f, g: lambda x: f(g(x)), functions)


@found(0.7)
def composition_of_functions_that_capture(x):
    return composed(math.sin, lambda u: u * x, lambda u: u + x)(x)


@found(np.array([0.7, 1.3, 0.4]))
def a_vector_times_a_matrix_in_place(v):
    a = v.copy()
    a @= np.outer(v, v) if v[0] < 0 else np.eye(3) * 2
    return np.sum(a * v)


class Turn:
    """Has all the arithmetic of numbers, and no order: it is made of parts that have derivatives."""

    def __init__(self, w, z):
        self.parts = np.array([w, z])

    @property
    def z(self):
        return self.parts[1]

    def __add__(self, other):
        return Turn(*(self.parts + (other.parts if isinstance(other, Turn) else np.array([other, 0.0]))))

    def __mul__(self, other):
        (a, b), (c, d) = self.parts, other.parts if isinstance(other, Turn) else (other, 0.0)
        return Turn(a * c - b * d, a * d + b * c)

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __abs__(self):
        return np.sqrt(np.sum(self.parts ** 2))

    def __truediv__(self, other):
        return self * (1.0 / other)

    def __rtruediv__(self, other):
        return Turn(self.parts[0], -self.parts[1]) * other / np.sum(self.parts ** 2)

    def __pow__(self, n):
        return self if n == 1 else self * self ** (n - 1)

    __radd__, __rmul__ = __add__, __mul__


@found(0.7, 0.4, mixes=('f',))
def all_the_arithmetic_of_numbers(x, y):
    t = Turn(x, y) * Turn(y, 2.0) + 1.0
    return (t ** 2).z * abs(t) + (1.0 / t - t).z


def lengths(el, masks):
    return el * 2.0 if masks | 1 == 3 else el


@found(0.7, mixes=('f', 'ff'))
def tangents_of_names_that_would_be_keywords(x):
    ef = x * x
    return lengths(ef, 2) * ef


def masked(x, mask=4):
    mask = mask | 3 if x > 0.5 else mask
    return x * mask


@found(0.7, mixes=('f',))
def masks_are_no_dicts(x):
    return np.sum([g(x, int(x > 0)) for g in (masked, lengths)])


class Flags:
    FIRST, ALL = 4, 7


def with_flags(x, flags=1):
    if x > 0.5:
        flags |= Flags.FIRST
    flags |= 2
    return x * flags if flags & Flags.ALL else x


@found(0.7, mixes=('f',))
def flags_are_no_dicts(x):
    return sum([g(x, int(x > 0)) for g in (with_flags, lengths)]) * with_flags(x * x)


# `o.p += v` of an object of which nothing is known but that its attributes may be set by code

class Factor:
    def __init__(self, r):
        self.r = r

    def __add__(self, other):
        return Factor(self.r * other.r)


class Holder:
    def __init__(self, part):
        self.part = part

    def __add__(self, other):
        return Holder(other.part)

    def __iadd__(self, other):
        return self


@found(np.array([0.7, 1.3]), mixes=('f',))
def attribute_of_what_an_operator_gave_is_updated_by_one(v):
    o = Holder(Factor(v[0] + 1.0))
    o = o + o
    o.part += o.part
    return o.part.r * v[1]


# Updates by functions of operator

@found(np.array([0.7, 1.3, 0.4]))
def arrays_updated_by_functions(x):
    y = x * 1.0
    z = operator.iadd(y, x * x)
    y = operator.imul(y, x)
    operator.isub(y, x[::-1])
    return np.sum(y * x * z)


@found(np.array([0.7, 1.3, 0.4]))
def numbers_and_lists_updated_by_functions(x):
    s = x[0]
    t = operator.imul(s, x[1])
    xs = [s]
    ys = operator.iadd(xs, [x[1], t])
    t = operator.itruediv(xs[2], t + ys[1])
    return s * t * sum(ys)


class Grid:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    def __getitem__(self, place):
        return self.rows[place[0]][place[1]]

    def __setitem__(self, place, v):
        self.rows[place[0]][place[1]] = v


class Scaled(Grid):
    def __getitem__(self, k):
        return self.rows[k][0] * 0.5

    def __setitem__(self, k, v):
        self.rows[k][0] = v * 3.0

    def __add__(self, other):
        return self


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def updates_of_what_a_class_looks_up(x):
    m, s = Grid([[x[0], x[1]], [x * 1.0, x[2]]]), Scaled([[x[0]], [x[1]]])
    s[0] += x[2]
    s[1] *= s[0]
    for i in range(2):
        m[0, i] += m[0, 1 - i] * x[i]
        m[1, 1] *= 1.1 if i else x[2]
    m[1, 0][1] += s[0]
    m[1, 0] *= m[0, 0]
    m[0, 1] += np.sum(m[1, 0])
    return s[0] * s[1] + m[0, 0] * m[0, 1] + m[1, 1] * np.sum(m[1, 0] ** 2)


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def updates_of_arrays_beside_what_a_class_looks_up(x):
    a, m, d = np.outer(x, x), Grid([[x[0]]]), {'k': [x[1], 2.0]}
    b = a[1]
    a[1] += x
    b[0] *= x[2]
    a[0] -= b
    a[:, 1] *= 2
    d['k'][0] *= a[1, 0]
    d['k'] += [x[2]]
    m[0, 0] += d['k'][0] * d['k'][2]
    return np.sum(a * a[::-1]) * m[0, 0]


# What an operator gives is called

class Items:
    def __init__(self, items):
        self.items = items

    def __lshift__(self, value):
        self.items.append(value)
        return self

    def __call__(self, function):
        b, a = self.items.pop(), self.items.pop()
        self.items.append(function(a, b))
        return self


@found(0.7, mixes=('f',))
def what_a_shift_gives_is_called(x):
    items = Items([x])
    (items << 3.0 << x * x)(operator.mul)(operator.sub)
    return items.items[-1]


class Bag:
    def __init__(self, k):
        self.k, self.read = k, 0.0

    def __getitem__(self, n):
        self.read += self.k
        return lambda y: y * self.k * n + self.read

    def __or__(self, other):
        return lambda y: y * self.k + other.k

    def __call__(self, y):
        return y * self.k


@found(0.7)
def what_an_element_and_a_choice_give_is_called(x):
    bag = Bag(x)
    first = bag[3](x) * bag[2](x * x) * bag.read
    return first + (bag | Bag(x * x))(x) + (bag or None)(x) + (bag if bag else None)(x) * bag.k


# Functions inside, called as values, set attributes of objects whose class does so in a way of its own

class Watched:
    def __init__(self):
        self.__dict__['held'] = {}
        self.__dict__['watching'] = []

    def __setattr__(self, name, value):
        old = self.held.get(name, 0.0)
        self.held[name] = value
        for function in self.watching:
            function(self, name, old, value)

    def __getattr__(self, name):
        try:
            return self.held[name]
        except KeyError:
            raise AttributeError(name) from None

    def watch(self, function):
        self.watching.append(function)
        return function


@found(0.7)
def a_watcher_inside_that_sets_attributes(x):
    thing, changes = Watched(), []

    @thing.watch
    def watcher(it, name, old, new):
        changes.append(new - old)
        if name == 'a' and new < 2:
            it.b = new * x
    thing.a = x
    thing.a += 1.0
    thing.b *= 2
    return thing.a * thing.b + sum(changes) * (thing.c if hasattr(thing, 'c') else changes[1])


class Wide:
    def __init__(self, k):
        self.k = k

    def __getitem__(self, n):
        return self.k * n


@found(0.7)
def an_object_that_a_choice_gives(x):
    wide = Wide(x)
    first = wide[3] * x if isinstance(wide or None, Wide) else x
    return first + (wide and wide.k) * x + (x if (wide or 2.0) is wide else x * x)


class Arrow:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Arrow(self.x + other.x, self.y * other.y)

    def __radd__(self, other):
        return self if other == 0 else Arrow(self.x + other, self.y)

    def __lt__(self, other):
        return self.x < other.x


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def sum_of_objects_from_a_start_with_its_name(x):
    return sum([Arrow(x[0], x[1]), Arrow(x[2], x[1])], start=Arrow(1.0, 2.0)).y * x[0]


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def sum_of_a_list_of_objects(x):
    found = sum([Arrow(x[0], x[1]), Arrow(x[2], x[1])])
    return found.x * found.y


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def sum_of_numbers_from_an_object(x):
    return sum([Arrow(v, v) for v in x], start=Arrow(x[0], 1.0)).y


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def largest_and_smallest_of_objects(x):
    a, b = Arrow(x[0], x[1]), Arrow(x[1], x[2])
    return max(a, b).y * min(b, a).x


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def sum_of_the_objects_of_a_deque_and_of_a_dict(x):
    arrows = [Arrow(v, v * v) for v in x]
    found = sum(collections.deque(arrows)) + sum({k: a for k, a in enumerate(arrows)}.values())
    return found.x * found.y


# Elements and attributes that are arrays or lists, updated by way of a class: they change in their place

class Table:
    def __init__(self, rows):
        self.rows = rows

    def __getitem__(self, place):
        i, j = place
        return self.rows[i][j]

    def __setitem__(self, place, value):
        i, j = place
        self.rows[i][j] = value


class Kept:
    def __init__(self, **given):
        for name, value in given.items():
            setattr(self, name, value)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        object.__setattr__(self, 'count', getattr(self, 'count', 0) + 1)

    def __getitem__(self, name):
        return getattr(self, name)

    def __setitem__(self, name, value):
        setattr(self, name, value)


@found(np.array([[0.7], [1.3], [0.4], [0.9]]), mixes=('f', 'rf', 'fr'))
def updated_element_that_a_table_shares(x):
    m = Table([[x[0] * 1, x[1] * 1], [x[2] * 1, x[3] * 1]])
    n = Table([list(c) for c in zip(*m.rows)])
    m[0, 1] += m[1, 1] * 2
    return (x[1] * m[0, 0] + m[0, 1] * n[1, 0])[0]


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'rf', 'fr'))
def updated_array_under_other_names(x):
    a = x * x
    kept = Kept(a=a, b=a[1:])
    kept['a'] += x
    kept.b *= x[1]
    kept.a = kept.a * kept.count
    kept.a -= 1.0
    return np.sum(a ** 2) + np.sum(kept.a)


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def updated_list_under_another_name(x):
    xs = [x[0]]
    kept = Kept(xs=xs)
    kept['xs'] += [x[1]]
    kept.xs += (x[2],)
    return sum(xs) * xs[2]


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'rf', 'fr'))
def updated_row_of_a_list_beside_such_a_class(x):
    kept, rows = Kept(n=x[0]), [x * 1.0, x * 2.0]
    row = rows[0]
    rows[0] += x
    rows[1] -= rows[0]
    kept['n'] *= 2
    return np.sum(row ** 2) + np.sum(rows[1]) * kept.n
