"""Functions for `tests/corpora/test_hunted.py` that hand functions on as values, which write when they are called."""
import enum
import functools
import operator

import numpy as np
from scipy import optimize

import tangent
from tests.corpora.hunted.hunting import found

V = np.array([0.7, 1.3, 0.4])


class Sum:
    def __init__(self):
        self.total, self.seen = 0.0, []

    def add(self, v):
        self.total = self.total + v * v
        return v

    def large(self, v):
        self.total = self.total + v * v
        return v > 0.5

    def both(self, v, w):
        self.total = self.total + v * w
        return v

    def call(self, v):
        self.then(v)

    def into_part(self, v):
        self.part.total = v * v

    def add_to_part(self, v):
        self.part.add(v)


def each(f, xs):
    for x in xs:
        f(x)


# Numbers on one path that are arrays on another

@found(V)
def summed_if_it_has_axes(v):
    a = np.sum(v) * v
    return np.sum(a) if a.ndim else a


@found(0.7, V)
def returned_as_it_is_or_summed(w, v):
    y = w * v
    if np.ndim(y) == 0:
        return y
    return np.sum(y * y)


@found(V)
def multiplied_in_a_loop_that_does_not_run(v):
    w, t = np.sum(v) * v, 1.0
    for _ in range(len(v) - 3):
        t = t * w
    return t * np.sum(w)


@found(0.7, V)
def summed_up_until_it_has_no_axes(w, v):
    y = w * v
    while y.ndim:
        y = y.sum()
    return y


@found(0.7, V)
def stored_as_it_is_or_summed(w, v):
    y, a = w * v, np.zeros(2)
    if y.ndim:
        a[0] = np.sum(y)
    else:
        a[0] = y
    a[1] = w
    return np.sum(a * a)


# Builtins that call what they are handed

@found(V, mixes=('f',))
def mapped_append(v):
    xs = []
    list(map(xs.append, v * v))
    return sum(xs) * xs[0]


@found(V, mixes=('f',))
def mapped_method(v):
    s = Sum()
    list(map(s.add, v))
    return s.total * v[0]


@found(V, mixes=('f',))
def mapped_over_two(v):
    s = Sum()
    tuple(map(s.both, v, v[::-1]))
    return s.total * v[0]


@found(V, mixes=('f',))
def map_in_the_header_of_a_loop(v):
    s, seen = Sum(), 0.0
    for _ in map(s.add, v):
        seen = seen + s.total
    return s.total * seen


@found(V, mixes=('f',))
def mapped_lambda(v):
    xs = []
    list(map(lambda u: xs.append(u * u), v))
    return xs[0] * xs[1]


@found(V, mixes=('f',))
def mapped_function_inside(v):
    total = 0.0

    def add(u):
        nonlocal total
        total = total + u * u
    list(map(add, v))
    return total * v[1]


@found(V, mixes=('f',))
def filtered(v):
    s = Sum()
    large = list(filter(s.large, v))
    return s.total * large[0]


@found(V, mixes=('f',))
def any_of_mapped_stops_early(v):
    s = Sum()
    y = v[0] if any(map(s.large, v)) else v[1]
    return s.total * y


@found(V, mixes=('f',))
def next_of_filtered(v):
    s = Sum()
    return next(filter(s.large, v[::-1])) * s.total


@found(V, mixes=('f',))
def mapped_of_mapped(v):
    s, t = Sum(), Sum()
    for u in map(s.add, map(t.add, v)):
        t.total = t.total + s.total * u
    return t.total


@found(V, mixes=('f',))
def reduced(v):
    s = Sum()
    return functools.reduce(s.both, v) * s.total


# Comprehensions whose value has no derivative

@found(V, mixes=('f',))
def any_stops_early(v):
    s = Sum()
    any(s.large(u) for u in v)
    return s.total * v[1]


@found(V, mixes=('f',))
def any_of_a_list(v):
    s = Sum()
    if any([s.large(u) for u in v]):
        return s.total * v[1]
    return v[0]


@found(V, mixes=('f',))
def all_stops_early(v):
    s = Sum()
    all(s.large(u) for u in v[::-1])
    return s.total * v[1]


@found(V, mixes=('f',))
def counted(v):
    s = Sum()
    n = sum(1 for u in v if s.large(u))
    return s.total * v[1] * n


@found(V, mixes=('f',))
def counted_by_len(v):
    s = Sum()
    n = len([u for u in v if s.large(u)])
    return s.total * v[1] * n


@found(V, mixes=('f',))
def in_a_set(v):
    s = Sum()
    {s.large(u) for u in v}
    return s.total * v[0]


# Functions that are called at once, handed to functions, kept in objects

@found(V, mixes=('f',))
def lambda_called_at_once(v):
    out = []
    (lambda w: out.append(w * w))(v[0] * v[1])
    return out[0] * v[2]


@found(V, mixes=('f',))
def handed_append(v):
    xs = []
    each(xs.append, v * v)
    return xs[0] * xs[1]


@found(V, mixes=('f',))
def handed_method(v):
    s = Sum()
    each(s.add, v)
    return s.total * v[1]


@found(V, mixes=('f',))
def callback(v):
    s, t = Sum(), Sum()
    s.then = t.add
    s.then(v[0])
    s.call(v[1])
    return t.total * v[2]


@found(V, mixes=('f',))
def callback_of_a_list(v):
    s, xs = Sum(), []
    s.then = xs.append
    s.call(v[0])
    return xs[0] * v[1]


@found(V, mixes=('f',))
def part_written_through_its_owner(v):
    s, t = Sum(), Sum()
    s.part = t
    s.part.total = v[0]
    return t.total * v[1]


@found(V, mixes=('f',))
def part_written_by_a_method_of_its_owner(v):
    s, t = Sum(), Sum()
    s.part = t
    s.into_part(v[0])
    s.add_to_part(v[1])
    return t.total * v[2]


# Generators and who goes through them

def doubled(x):
    a = x * x
    yield a
    yield a * 2.0


@found(V, mixes=('f',))
def yielded_array_that_is_made_there(v):
    return sum(np.sum(a * v) for a in doubled(v))


@found(V, mixes=('f',))
def yielded_array_that_is_written_into(v):
    total = 0.0
    for a in doubled(v):
        a[0] = a[0] * v[1]
        total = total + np.sum(a)
    return total


def lists(x):
    l = [x[0]]
    yield l
    yield [l[0] * l[0], l[-1]]


@found(V, mixes=('f',))
def yielded_list_that_grows(v):
    total = 0.0
    for l in lists(v):
        l.append(l[0] * v[1])
        total = total + sum(l)
    return total


@found(np.array([0.7, 1.3]), mixes=('f', 'rf'))
def elements_called_by_a_lambda_in_reduce(x):
    return functools.reduce(lambda a, f: f(a), [lambda a: a * x[0], lambda a: a + x[1]], x[1])


def applied(f, k):
    return f(k)


@found(np.array([0.7, 1.3]), mixes=('f', 'rf'))
def function_inside_that_hands_on_itself(x):
    def h(k):
        return x[0] if k < 1 else applied(h, k - 1) * x[1]

    def g(k):
        return x[1] if k < 1 else list(map(g, [k - 1]))[0] * x[0]
    return h(2) + g(1)


class Unit(enum.Enum):
    SMALL = 1.5
    LARGE = 2.5

    def scaled(self, y):
        return self.value * y


@found(np.array([0.7, 1.3]), mixes=('f',))
def members_of_an_enum_in_a_loop(x):
    total = 0.0
    for unit in [Unit.SMALL, Unit.LARGE]:
        total = total + unit.scaled(x[0]) * x[1] * unit.value
    return total


@found(V, mixes=())
def the_value_of_a_stop_iteration_that_the_function_raises(x):
    try:
        raise StopIteration(x[0] * 2.0)
    except StopIteration as s:
        return s.value * x[1]


def named(s, x):
    return f'{s.add(x)} {s.large(x):{len(s.seen)}.3f} {s.add(x)!r}'


@found(V, mixes=('f',))
def writing_methods_in_a_formatted_text(x):
    s = Sum()
    text = named(s, x[0])
    return s.total * x[1] * len(text.split())


# Lists on one path, numbers on the other

def over_pairs(d, n):
    if not isinstance(d, list):
        return d * n
    out = 0.0
    for k in range(3):
        t = list(d)[k:k + 2]
        out = out + t[0] * t[1]
    return out


@found([0.7, 0.2, 0.3, 0.4], 0.3)
def list_or_number(d, n):
    return over_pairs(d, n) + over_pairs(d[0], n) * d[1]


def sum_of_squares(d):
    if not hasattr(d, '__len__'):
        return np.tanh(d)
    out = 0.0
    for k in range(3):
        for a in reversed(d):
            out = out + a * a
        out = out * max(d) + sum(d[k:k + 1])
    return out


@found([0.7, 0.2, 0.3, 0.4], 0.3)
def sequence_or_number(d, n):
    return sum_of_squares(d) + sum_of_squares(n)


@found([0.7, 0.2])
def elements_of_repeated_lists(x):
    return np.sin((x * 3)[1]) * np.sin((2 * x)[2])


# Extremes by a key and reductions of generators, where the program has the log form

@found(np.array([0.7, -1.3, 0.4, 2.1]))
def pivots_by_a_key(v):
    m = [list(v[:3]), list(v[1:] * v[1:]), [v[1], v[0] * 2, 1.0]]
    for k in range(3):
        p = max(range(k, 3), key=lambda r: abs(m[r][k]))
        m[k], m[p] = m[p], m[k]
        for r in range(k + 1, 3):
            f = m[r][k] / m[k][k]
            m[r] = [a - f * b for a, b in zip(m[r], m[k])]
    return m[0][0] * m[1][1] * m[2][2]


@found(V)
def extremes_behind_writes(v):
    m = list(v)
    first, last = min(m, key=lambda e: -e), max(m[:2], m[1:], key=lambda part: part[0])
    m.append(v[1])
    return first ** 2 * m[3] + last[0] * last[1] + max([], default=v[0]) * m[max([0, 1, 2], key=m.__getitem__)]


@found(V)
def reductions_of_generators(v):
    return functools.reduce(operator.mul, (a + 1 for a in v)) + functools.reduce(lambda a, b: a * b, (np.sin(a) for a in v), v[0])


def as_array(v):
    if isinstance(v, (list, tuple)):
        v = np.array(v)
    return v


@found([0.4, 0.7, 0.2], 0.6)
def arrays_of_lists_or_numbers(xs, s):
    a, b = as_array(xs), as_array(s)
    return np.sum(a * a * b) + as_array((s, s * s))[1]


def polynomial(c, x):
    if hasattr(x, '__len__'):
        return [polynomial(c, e) for e in x]
    r = 0
    for k in c[::-1]:
        r = r * x + k
    return r


@found([0.3, 0.5, -0.2], [0.2, 0.9], 0.7)
def coefficients_in_a_list_or_tuple(c, xs, x):
    ys = polynomial(c, xs)
    return ys[0] * ys[1] + polynomial(c, x) + polynomial(tuple(c), x + 1)


def times(x, s):
    return None if x is None else x * s


@found(0.3, [0.1, 0.4])
def parts_that_are_there(x, ys):
    parts = [times(x, 2.0), times(None, x), *[times(y, x) for y in ys]]
    return sum(p for p in parts if p is not None) + len(parts) * x


# Objects that stand in two places, given to what takes gradients by identity

class Link:
    def __init__(self, length, children):
        self.length, self.children = length, children

    def ends(self, start, out):
        end = start + self.length
        out.append(end * self.length)
        for child in self.children:
            child.ends(end, out)
        return out


@found(V)
def two_links_that_hold_one(v):
    tip = Link(v[2], [])
    root = Link(v[0], [Link(v[1], [tip]), tip])
    return sum(k * end for k, end in enumerate(root.ends(v[0] * v[1], []), 1))


# Values that are None at first, and are kept beside those that are not

@found(np.array([0.7, 1.3, 0.4, -0.9]))
def none_in_a_list(x):
    last, s, seen = None, 1.0, []
    for v in x:
        seen.append(last)
        if last is not None:
            s = s * (1 + v * last)
        last = v * v
    return s * seen[2]


@found(np.array([0.7, 1.3, 0.4, -0.9]))
def none_in_a_tuple(x):
    last, s, pair = None, 1.0, (None, 1.0)
    for v in x:
        pair = last, v
        if last is not None:
            s = s * (1 + v * last)
        if pair[0] is not None:
            s = s + pair[0] * v
        last = v * v
    return s * pair[0] * pair[1]


@found(np.array([0.7, 1.3, 0.4, -0.9]))
def none_in_a_dict(x):
    kept = {}
    last = None
    for i, v in enumerate(x):
        kept[i] = last
        last = v * v if last is None else last * v
    return last + sum(w * w for w in kept.values() if w is not None)


def filled(x):
    d = {'a': 1.0}
    d['b'] = x[0] * x[1]
    d['a'] = d['b'] * x[2]
    return d['a'] * d['b']


FILLED = tangent.jvp(filled)


@found(np.array([0.7, 1.3, 0.4, -0.9]), mixes=('f',))
def the_tangent_of_a_dict_that_is_filled(x):
    return FILLED(x, x * x)


# One array under several names, of which two or more are updated; the places of objects that hold one are names, too

class Place:
    """Holds something."""


def doubled_in_place(v):
    v *= 2


@found(np.array([0.7, 1.3, 0.4]))
def attribute_updated_that_nobody_reads(x):
    o = Place()
    y = x * 1.0
    o.y = y
    o.y += x
    return np.sum(y * y)


@found(np.array([0.7, 1.3, 0.4]))
def name_and_attribute_updated(x):
    o = Place()
    y = x * 1.0
    o.y = y
    y += x
    o.y *= 2
    return np.sum(y * x)


@found(np.array([0.7, 1.3, 0.4]))
def attribute_given_for_the_result(x):
    o = Place()
    y = x * 1.0
    o.y = y
    np.add(o.y, x, out=o.y)
    return np.sum(y * x)


@found(np.array([0.7, 1.3, 0.4]))
def written_under_a_name_for_an_attribute(x):
    o = Place()
    y = x * 1.0
    o.y = y
    t = o.y
    t[0] = x[1] * x[2]
    return np.sum(y * x)


@found(np.array([0.7, 1.3, 0.4]))
def updated_under_a_name_for_an_attribute_of_another(x):
    o, p = Place(), Place()
    y = x * 1.0
    o.y = y
    p.z = o.y
    t = p.z
    t += x
    return np.sum(y * x)


@found(np.array([0.7, 1.3, 0.4]))
def parts_of_a_list_repeated(x):
    y, z = [x * 1.0] * 2
    z += x
    return np.sum(y * x)


@found(np.array([0.7, 1.3, 0.4]))
def parts_of_a_list_repeated_with_a_star(x):
    y, *z = [x * 1.0] * 3
    y += x
    return np.sum(z[1] * x)


@found(np.array([0.7, 1.3, 0.4]))
def two_names_updated_by_turns(x):
    y = x * 1.0
    z = y
    doubled_in_place(y)
    z += x
    y *= x
    return np.sum(z)


# Lists that functions join or repeat: in reverse mode refused, forward the tangents stood in other places


def joined(xs, ys):
    return xs + ys


def joined_again(xs, ys):
    return joined(xs, ys)


def repeated(xs, n):
    return n * xs


def turned(xs, k):
    return xs[k:] + xs[:k]


def padded(row, n):
    return row + [0.0] * (n - len(row))


def in_turns(a, b):
    if not a or not b:
        return a + b
    return [a[0], b[0]] + in_turns(a[1:], b[1:])


def lengthened(xs, ys):
    xs += ys
    return xs


@found(1.3)
def joined_behind_numbers(x):
    n = joined([1.0, 2.0], [x])
    return n[0] * 3 + n[2] * x


@found(1.3)
def joined_before_numbers(x):
    m = [x]
    n = joined(m, [1.0, 2.0])
    m.append(x * x)
    return n[0] * 3 + n[2] * x + m[1]


@found(1.3)
def repeated_by_a_function(x):
    n = repeated([1.0, x], 2)
    return n[1] * n[3]


@found(1.3)
def padded_with_zeros(x):
    r, s = padded([x, x * x], 4), padded([1.0], 4)
    return sum(a * b for a, b in zip(r, s)) + r[1]


@found(1.3, mixes=('f', 'rf', 'fr', 'rr'))
def rows_padded_with_zeros(x):
    wide = [padded(row, 3) for row in [[x], [x * x, 2.0]]]
    return sum(sum(row) * row[0] for row in wide)


@found(1.3)
def joined_in_turns(x):
    r = in_turns([x, 2 * x], [1.0, 2.0, x * x])
    return r[0] * r[3] + r[4]


@found(1.3)
def lengthened_by_a_function(x):
    n = lengthened([x], [1.0, 2.0])
    return n[0] * 3 + n[2] * x * x


@found(1.3)
def rows_joined_and_changed(x):
    m = [[x, 2.0]]
    n = joined(m, [])
    n[0][0] *= 3.0
    return m[0][0] * x


@found(1.3)
def rows_joined_by_two_functions_and_changed(x):
    m = [[x, 2.0]]
    n = joined_again(m, [[1.0, 1.0]])
    n[0][0] *= 3.0
    return m[0][0] * x + n[1][0]


@found(1.3)
def rows_turned_and_changed(x):
    m = [[x, 2.0], [x * x, 1.0]]
    n = turned(m, 1)
    n[0][0] *= 3.0
    return m[1][0] * x


@found(1.3)
def arrays_joined_and_changed(x):
    m = [np.array([x, 2.0]), np.array([1.0, x])]
    n = joined(m, m)
    n[0] *= 3.0
    return np.sum(n[2]) * m[0][0]


# Lists made of lists by operators hold the same arrays

@found(np.array([0.7, 1.3, 0.4]), 0.6)
def written_after_its_list_was_repeated(x, s):
    u = x * 1.0
    rows = [u] * 2
    u[1:] = s
    return np.sum(rows[0] * rows[-1])


@found(np.array([0.7, 1.3, 0.4]), 0.6)
def written_after_lists_were_joined(x, s):
    u = x * 1.0
    rows = [u] + [x]
    for k in range(2):
        u[k] *= s
    return np.sum(rows[0] * rows[1])


@found(np.array([0.7, 1.3, 0.4]), 0.6)
def written_after_a_tuple_was_repeated(x, s):
    u = x * 1.0
    rows = (u,) * 2
    u[0] *= s
    return np.sum(rows[0] * rows[1])


# What a function is given, and keeps for the way back, changes in the very statement that calls it

def squared_first(xs):
    return xs[0] ** 2


@found(np.array([0.7, 1.3, 0.4]))
def an_element_set_to_what_a_function_of_the_list_gives(x):
    xs = [x[0] * x[1], x[1], x[2]]
    xs[0] = squared_first(xs)
    return xs[0] * xs[1]


@found(np.array([0.7, 1.3, 0.4]))
def a_value_set_to_what_a_function_of_the_dict_gives(x):
    d = {0: x[0] * x[1], 'b': x[2]}
    d[0] = squared_first(d)
    return d[0] * d['b']


@found(np.array([0.7, 1.3, 0.4]))
def a_row_set_to_what_a_function_of_it_gives(x):
    rows = [[x[0] * x[1], x[1]], [x[2], 1.0]]
    rows[0][0] = squared_first(rows[0])
    rows[1][0] += squared_first(rows[0])
    rows[1] = [squared_first(rows[1]), rows[0][0]]
    return rows[0][0] * rows[1][0] * rows[1][1]


@found(np.array([0.7, 1.3, 0.4]))
def what_a_function_of_the_list_gives_is_appended(x):
    xs = [x[0] * x[1], x[1]]
    xs.append(squared_first(xs))
    xs[0] += squared_first(xs)
    return xs[0] * xs[1] * xs[2]


# What has no tangent among what has: flags in arrays of numbers, keywords of a function that is known when running

@found(np.array([0.7, 1.3, 0.4]))
def a_flag_among_numbers_of_an_array(v):
    w = np.array([v[0], True, v[1] * v[2], 2])
    w[1] = v[2]
    return np.sum(w * w)


@found(np.array([0.7, 1.3, 0.4]))
def a_flag_among_numbers_of_a_type(v):
    w = np.array([[v[0], v[1] > 1], [v[1] * v[2], v[0]]], dtype=float)
    return np.sum(w * w * v[0])


def total_of(**parts):
    return sum(parts.values())


def halved(**parts):
    t = 0.0
    for part in parts.values():
        t = t * 0.5 + part
    return t


@found(0.7, 1.3)
def keywords_of_which_some_have_tangents(x, y):
    functions = [total_of, halved]
    return functions[0](a=x, b=2.0, c=y) * functions[1](a=1.0, b=y)


@found(2.3, mixes=('f',))
def keywords_with_names_of_our_own(x):
    solvers = [optimize.newton, optimize.brentq]
    return solvers[0](lambda y, a: y ** 3 - a, x0=1.0, args=(x,)) * x


# Modules that functions give

def module_for(values, plain=True):
    return (np, plain) if plain else (values, plain)


@found(np.array([0.7, 1.3, 0.4, 0.9]))
def methods_of_a_module_that_a_function_gives(v):
    xp, _ = module_for(v)
    w = xp.reshape(v * 1.5, (2, 2))
    return xp.sum(w * w) + xp.prod(v)


@found(np.array([0.7, 1.3, 0.4, 0.9]))
def methods_of_the_first_of_what_a_function_gives(v):
    xp = module_for(v)[0]
    return np.sum(xp.reshape(v * v, (2, 2))[0])


@found(np.array([0.7, 1.3, 0.4, 0.9]))
def rows_that_stand_beside_values(v):
    held = [2, v[0]]
    rows, scale = held
    table = {'rows': rows, 'scale': scale}
    count = table['rows']
    return np.sum(np.reshape(v, (4,)).reshape(count, 2)[0] ** 2) * table['scale']


# numpy.vectorize

@np.vectorize
def affine(a, b=2.0, c=1.0):
    return a * b + c * c


@np.vectorize
def both(a, b):
    return a * b, a + b


@found(np.array([0.7, 1.3]), mixes=('f',))
def vectorized_with_keywords(v):
    return np.sum(affine(v, c=2 * v, b=v[0]) * np.array([1.0, 2.0]))


@found(np.array([0.7, 1.3]), mixes=('f',))
def vectorized_with_several_values(v):
    p, q = both(v, v[1])
    return np.sum(p * q * q)


# Flags

@found(1.3)
def flags_among_numbers_of_a_display(x):
    r = [True, x]
    a, b = r
    return np.sum(np.hstack([True, x])) * sum([x, False]) * np.sum(np.stack([r, r])) * (a + b) * max([True, x])


@found(V)
def pieces_that_are_functions_and_the_rest(v):
    return np.sum(np.piecewise(v, [v < 0.5, v >= 1.0], [lambda u: u * u, lambda u: 3 * u, lambda u: u ** 3]) * v)


@found(np.array([0.7, 1.3, 0.4, 0.9]))
def replaced_by_more_and_by_fewer_under_slices_with_names(v):
    part, end = slice(1, 3), slice(-1, None)
    more, fewer = list(v), list(v)
    more[part] = [more[0] * 2, v[1], more[3]]
    fewer[part] = [fewer[0]]
    fewer[end] = fewer[part] * 2
    return sum(more[part]) * more[-1] * len(more) + sum(u * k for k, u in enumerate(fewer)) * fewer[-1]


def under_a_slice_that_is_computed(v):
    part, xs = slice(1, len(v) - 1), [u * 2 for u in v]
    xs[part] = [xs[0]]
    return sum(xs) * xs[-1]


def under_a_name_that_is_a_number(v):
    rows, k, part = [[v[0], v[1]], [v[2]]], 1, slice(0, len(v) - 2)
    rows[k] = [v[0]] * 3
    rows[part] = [[v[1]] for _ in rows[part]]
    return sum(map(sum, rows)) * rows[0][0]
