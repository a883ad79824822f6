"""Functions for `tests/corpora/test_hunted.py` that bind elements and attributes where others bind names."""
import collections
import contextlib
import functools
import itertools
import math

import numpy as np

from tests.corpora.hunted.hunting import found

V = np.array([0.7, 1.3, 0.4])


class Box:
    def __init__(self, **given):
        self.__dict__.update(given)


# Loops

@found(V, mixes=('f',))
def element_of_a_list(v):
    t, s = [0.0], 0.0
    for t[0] in [v[0], v[1] * v[0]]:
        s = s + t[0] * t[0]
    return s * t[0]


@found(V, mixes=('f',))
def element_of_an_array(v):
    y, s = np.outer(v, v), 0.0
    for y[0] in [v * 2, v * v]:
        for y[1, 1] in y[0]:              # noqa: B020
            s = s + y[1, 1] * y[0, 2]
    return s * np.sum(y)


@found(V, mixes=('f',))
def attribute_with_continue_and_break(v):
    box, s = Box(), 0.0
    for box.e in [v[0], v[1], v[2], v[0]]:
        if box.e > 1:
            continue
        s = s + box.e ** 2
        if box.e < 0.5:
            break
    else:
        s = s * 2
    return s * box.e


@found(V, mixes=('f',))
def elements_of_pairs(v):
    t, box, s = [0.0, 0.0], Box(), 0.0
    for t[1], (a, t[0]) in zip(v, [(v[0], v[1]), (v[1], v[2])]):
        s = s + t[0] * t[1] * a
    for box.i, t[0] in enumerate(v):
        s = s + t[0] * box.i
    for t[1], box.e in {2: v[0], 3: v[1]}.items():
        s = s * t[1] + box.e
    return s * t[0] * t[1] * box.e


@found(V, mixes=('f',))
def rest_as_an_attribute(v):
    box, s = Box(), 0.0
    for a, *box.rest in [(v[0], v[1], v[2]), (v[1], v[2])]:
        s = s + a * box.rest[-1] * len(box.rest)
    return s * a * box.rest[0]


@found(V, mixes=('f',))
def element_whose_index_is_bound_beside_it(v):
    y, i = [v[0], v[1], v[2]], 2
    for i, y[i] in enumerate(v[:2] * 2):              # noqa: B007
        pass
    for y[i], i in [(v[0] * v[1], 2), (v[2] * v[1], 0)]:
        y[0] = y[0] * y[i]
    return y[0] * y[1] + y[2]


def stored(box, xs):
    s = 0.0
    for box.e in xs:
        s = s + box.e ** 2
    return s


@found(V, mixes=('f',))
def attribute_of_a_parameter(v):
    box = Box(e=0.0)

    def inner(box, xs):
        for box.f in xs:
            pass
    inner(box, v * v)
    return stored(box, v) * box.e * box.f


@found(V, mixes=('f',))
def attribute_of_what_a_function_inside_gives(v):
    box, values, items = Box(), np.zeros(3), []

    def gives():
        return box
    also = lambda: values                # noqa: E731
    for gives().e in v:
        also()[0] += box.e
    gives().f = v[0]
    (lambda: items)().append(v[1])
    these = also()
    these[1] = v[0] * v[2]
    return box.e * box.f * np.sum(values * v) * items[0]


# Comprehensions

@found(V, mixes=('f',))
def comprehensions(v):
    box = Box()
    a = [box.e * box.e for box.e in [v[0], v[1] * v[0]]]
    b = {k: box.f * v[0] for k, box.f in enumerate(v)}
    c = [box.g * r[-1] for box.g, *r in [v, v * 2]]
    d = len([0 for box.h in v]) + len({1 for box.i in v})
    return sum(a) * box.e + b[1] * box.f + c[0] * box.g + d * box.h * box.i


# Assignments

@found(V, mixes=('f',))
def rest_in_an_assignment(v):
    box, t, d = Box(), [0.0, 0.0], {}
    box.a, *box.rest = v * v
    t[0], *t[1] = v * box.a
    *d['b'], d['c'] = v * v
    *box.all, = v
    (box.d, (e, *box.g)), h = (v[0], v * v), v[1]
    return box.a * box.rest[0] + box.rest[1] + t[0] * t[1][1] + d['b'][1] * d['c'] + box.all[2] * box.d * e * box.g[1] * h


@found(V, mixes=('f',))
def slice_of_a_list_kept_as_an_attribute(v):
    box, items = Box(), list(v * v)
    box.rest, table = items[1:], {}
    table['a'] = items[:2]
    return box.rest[0] * table['a'][1] * 2 + box.rest[1]


@found(V, mixes=('f',))
def several_targets(v):
    y, i = v * 1.0, 0
    a = y[i] = i = 2
    y[i] = i = 1
    y[i], b = c = [v[0] * v[1], v[2]]
    d = y[2], y[0] = v[:2] * v[1]
    return np.sum(y * v) * a * b * c[0] + d[1] * i


@found(V, mixes=('f',))
def pair_whose_index_is_bound_beside_it(v):
    y, i = v * 1.0, 0
    pair = v[0] * v[1], 2
    y[i], i = pair
    i, y[i] = 1, v[2] * y[i]
    return y[0] * y[1] + y[2] * i


class Recent:
    def __init__(self, values):
        self.values = values

    def scale(self, x):
        self.values[-1] *= x


@found(0.7)
def items_of_a_deque_that_an_object_holds(x):
    """Reverse over forward mode knew no items of deques that are found when running."""
    recent = Recent(collections.deque([x, x * x], maxlen=2))
    recent.scale(x)
    recent.values[0] = recent.values[-1] * 2.0
    return recent.values[0] * recent.values[1]


@found(0.7)
def dict_that_is_updated_by_a_union(x):
    """It was refused where nothing but a dict can stand there."""
    table = dict(a=x)
    same = table
    for k in range(3):
        table |= {k: x * k, 'a': table['a'] * x}
    table |= [('b', x * x)]
    return sum(same.values()) * same['b']


def of_length_one(v):
    size = np.linalg.norm(v)
    if size == 0.0:
        return v
    return np.asarray(v) / size


def checked(q, unit=True):
    q = np.asarray(q, dtype=np.float64)
    if unit:
        return of_length_one(q)
    return q


def of_names(q):
    p = q * 2.0
    return p


@found(np.array([0.3, 1.2, 0.8, 0.1]))
def unpacks_what_a_function_hands_on(q):
    w, x, y, z = checked(q)
    return w * x + y * z * z


@found(np.array([0.3, 1.2, 0.8, 0.1]))
def unpacks_what_has_a_name_in_a_function(q):
    q = of_names(q)
    w, x, y, z = q
    return w * x + y * z * z


def applied(f, x):
    return f(x)


y1, rest = 100.0, {'b': 7.0}


@found(0.7, mixes=())
def captured_from_a_walrus_in_a_comprehension(x):
    z = [y1 := x * k for k in (1.0, 2.0)]
    return applied(lambda q: np.sin(q) + y1, y1) * math.sin(1.0) + z[0]


@found(0.7, mixes=())
def captured_from_a_pattern(x):
    match (x, {'a': x, 'b': 2.0}):
        case [y1, {'a': y2, **rest}] if y1 > 0:
            pass
        case [y1, y2, *rest]:
            pass
    return applied(lambda q: np.sin(q) + y1 * rest['b'], y2) * math.sin(1.0)


@found((0.3, np.array([1.0, 2.0])), mixes=())
def captured_from_a_pattern_where_it_is_not_read(w):
    match (1.5, 1.5):
        case [y1, y2] if y1:
            pass
        case [y1, y2]:
            pass
    applied(lambda q: np.sin(q) + y1, y2)
    return w[0] + math.sin(np.tanh(1.0))


class Doubled:
    def __init__(self, v):
        self.v = v

    def __iadd__(self, other):
        self.v = self.v * 2.0
        return self

    def look(self):
        return np.roll([self.v, 1.0], 1)


@found(0.7, mixes=())
def update_of_an_object_that_nobody_reads(x):
    o = Doubled(abs(x))
    for _ in range(2):
        o += o
        o.look()
    return x * 2


# One thing in two places of what a function gives back: a write through one name is seen by the other

def twice():
    held = {'a': 1.0}
    return held, held


def array_and_view():
    held = np.zeros(3)
    return held, held[:2]


def and_what_holds_it():
    held = [1.0, 2.0]
    pair = held, {'k': (held, 2)}
    return pair


class Maker:
    def __init__(self, k):
        self.k = k

    def two(self):
        held = [self.k]
        return held, held


@found(V)
def one_dict_given_back_twice(v):
    first, second = twice()
    first['a'] = v[0] * v[1]
    return second['a'] * v[0]


@found(V)
def an_array_and_a_view_of_it(v):
    first, second = array_and_view()
    first[:2] = v[:2] ** 2
    second[0] *= v[1]
    return np.sum(second * v[:2]) + first[0]


@found(V)
def a_list_and_what_holds_it(v):
    first, second = and_what_holds_it()
    first[0] = v[0] * v[1]
    return second['k'][0][0] * v[0]


@found(V)
def one_list_of_a_method_twice(v):
    first, second = Maker(2.0).two()
    first[0] = v[0] * v[1]
    return second[0] * v[0]


@found(V)
def one_list_of_a_function_inside(v):
    def two():
        held = [1.0]
        return (held, held) if v[0] > 0 else (held, [2.0])
    first, (*second,) = two()
    first[0] = v[0] * v[1]
    return two()[0][0] * first[0] * v[0] + second[0]


# Contexts that give what the block writes into, and that has no derivative before

class Gathered:
    def __init__(self):
        self.total = 0.0

    def add(self, v):
        self.total = self.total + v * v

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.total = self.total * 2


class Lent:
    def __init__(self, part):
        self.part, self.seen = part, 1.0

    def __enter__(self):
        return self.part

    def __exit__(self, *error):
        self.seen = self.part.total * 2


@contextlib.contextmanager
def tripled(part):
    yield part
    part.total = part.total * 3


@found(V)
def given_by_a_context(v):
    a, b = Gathered(), Gathered()
    with a as same:
        same.add(v[0])
    lent = Lent(b)
    with lent as part:
        part.add(v[1])
    with Lent(a) as part, contextlib.nullcontext(b) as other, tripled(b) as third:
        part.add(v[2])
        other.add(v[0])
        third.add(v[2])
    return a.total * b.total * lent.seen


# Iterators that are gone through by one function after another

@found(V)
def rest_of_an_iterator(v):
    it = iter(v)
    first, rest = next(it), list(it)
    again = iter(sorted(rest, reverse=True))
    largest = next(again)
    return first * largest * rest[1] + np.array(list(again)).sum() ** 2


@found(V)
def iterators_at_their_end(v):
    it = iter(v.tolist())
    other = iter([v[0], v[1] * v[2]])
    largest, total = max(it), sum(other)
    return largest ** 2 + total * v[0] + sum(other) + len(list(it)) * v[1]


def sum_and_rest(values):
    return sum(values) + 2.0 * sum(values)


def first_and_sum(values):
    found = 1.0
    for v in values:
        found = v
        break
    return found * sum(values)


@found(V)
def iterators_given_to_who_reads_them_twice(v):
    it = iter([v[0], v[1] ** 2, v[2] * v[0]])
    begun = next(it)
    return begun * sum_and_rest(it) + first_and_sum(iter([v[0], v[1], v[2] ** 2])) + sum_and_rest(v.tolist())


# Lists so many times, under several names

@found(V)
def repeated_and_changed(v):
    n = len(v)
    a, b = [v[0]] * n, n * [v[1], v[2] ** 2]
    other, table = a, {'b': b}
    other[0] += a[1]
    table['b'][1] *= 2.0
    both = [v[2]] * 2 + [v[0]] * 3
    last = both
    last[1] *= v[1]
    return a[0] * v[1] + sum(b) * a[2] + sum(both) ** 2


@found(V)
def sorted_while_it_is_gone_through(v):
    a, s = [v[2], v[0]], 0.0
    for e in a:
        a.sort()
        s = s + e * v[1]
    return s


@found(V)
def array_of_one_number_in_a_list(v):
    a = [0.0] * 3
    a[0] = np.where(v[0] > 0.0, v[0], 0.0)
    first = a[0] + 0.0
    c = v[0] > 0.2
    a[1] = np.sum(v[c])
    a[0] += v[1]
    a[1] += v[2]
    return first * a[0] * a[1]


# Iterators of which a function leaves some

def squares_until(values, last):
    s = 0.0
    for k, e in enumerate(values):
        s = s + e * e
        if k == last:
            break
    return s


def first_squared(values):
    for e in values:
        return e * e


def products(values, others):
    return sum([a * b for a, b in zip(others, values)])


@found(V)
def iterators_that_are_left(v):
    it, other, third = iter(v), iter([v[0], v[1], v[2]]), iter(v)
    s = squares_until(it, 0) + 10.0 * squares_until(it, 5)
    t = first_squared(other) + 10.0 * first_squared(other)
    return s * t + products(third, v[:1] * 2.0) * sum_and_rest(third)


def holds(values, wanted):
    return wanted in values


def two_squared(values):
    return sum([e * e for e in itertools.islice(values, 2)])


def any_above(values, bound):
    return any(e > bound for e in values)


@found(V, mixes=())
def an_iterator_that_is_searched_in_a_callee(v):
    it = iter([v[0], v[1], v[2]])
    s = 2.0 if holds(it, v[0]) else 1.0
    return s * sum(it)


@found(V, mixes=())
def an_iterator_of_which_a_callee_takes_a_slice(v):
    it = iter([v[0], v[1], v[2]])
    return two_squared(it) * sum(it)


@found(V, mixes=())
def an_iterator_of_which_any_leaves_some(v):
    it, bound = iter([v[0], v[1] + 3.0, v[2]]), v[0] + 1.0
    s = 3.0 if any_above(it, bound) else 1.0
    return s * sum(it)


@found(V)
def an_iterator_that_a_zip_leaves(v):
    it = iter([v[0], v[1], v[2]])
    s = sum(a * b for a, b in zip(it, [2.0]))
    return s * sum(it)


@found(V, mixes=('f',))
def iterators_made_in_one_line_that_a_zip_leaves(v):
    it, two = iter(v), iter(v[:2])
    s = sum(a * b for a, b in zip(it, two))
    return s * sum(it)


def products_in_order(values, others):
    return sum(a * b for a, b in zip(values, others))


@found(V, mixes=())
def an_iterator_that_a_zip_of_a_callee_leaves(v):
    it = iter(v)
    return products_in_order(it, v[:1]) * sum(it)


@found(V, mixes=())
def an_iterator_taken_while(v):
    it = iter([v[0], v[0] + 1.0, v[2], v[1]])
    first = v[0]
    s = sum(itertools.takewhile(lambda e: e < first + 0.5, it))
    return s * sum(it)


# What a function kept for later gives is what it has captured

def itself(z, k):
    return z


def keeping(z):
    return lambda: z


@found(V)
def an_array_that_a_partial_gives(v):
    a = v * 2
    given, made = functools.partial(itself, a), functools.partial(lambda z, k: z, a)
    b = given(1)
    b *= v
    c = made(1)
    c *= a
    return np.sum(a * v)


@found(V)
def an_array_that_a_made_function_gives(v):
    a = v * 2
    get = keeping(a)
    b = get()
    b *= a
    return np.sum(a)


# What is put into something that the text does not show to be a list is written into through that

def two_empty():
    return [None] * 2


@found(V)
def an_element_of_one_of_two_lists(v):
    a = v * 2
    xs, _ = [None], []
    xs[0] = a
    c = xs[0]
    c *= 3
    return np.sum(a * v)


@found(V)
def an_element_of_what_a_function_makes(v):
    a, b = v * 2, v * 3
    xs, d = two_empty(), dict.fromkeys('ab')
    xs[0], d['a'] = a, b
    c, e = xs[0], d['a']
    c *= v
    e *= a
    return np.sum(a * b)


@found(V)
def unpacked_from_a_list_under_two_names(v):
    a, b = v * 2, v * 3
    xs = [None, None]
    same = xs
    xs[0], same[1] = a, b
    c, d = xs
    c *= d
    d += c
    return np.sum(a * b)


@found(V)
def elements_of_a_list_that_another_is_added_to(v):
    a = v * 2
    xs, ys = [], []
    ys += [a]
    xs += ys
    c = xs[0]
    c *= 3 * v
    return np.sum(a * v)


@found(V)
def an_array_that_a_lambda_in_a_list_gives(v):
    fs = []
    for k in range(3):
        a = v * k
        fs.append(lambda: a)                          # noqa: B023 all give the last one
        a += 1
    fs[0]()[0] = v[1] * 5
    b = fs[1]()
    b *= v
    return np.sum(fs[2]() * v)


# What is multiplied in place by what shares memory with it

@found(V)
def an_attribute_by_the_array_that_it_is(v):
    box, a = Box(), v * 2
    box.a = a
    box.a *= a
    box.a /= a[::-1]
    return np.sum(box.a * v)


@found(V)
def an_element_put_there_by_the_array_that_it_is(v):
    a, b = v * 2, v * 3
    xs, ys = [None], []
    xs[0] = a
    ys.append(b)
    c, d = xs[0], ys[0]
    c *= a
    d *= b
    return np.sum(c * v) + np.sum(d * a)


@found(V)
def rows_of_loops_in_each_other(v):
    m = np.outer(v, v)
    for r in m:
        for s in m:
            r *= s
    for r, s in zip(m, m[::-1]):
        r /= s + 1.0
    return np.sum(m)


@found(V)
def arrays_of_loops_in_each_other(v):
    xs = [v, v * 2, v + 1]
    for a in xs:
        for b in xs:
            a *= b
    return sum(map(np.sum, xs))


def multiplied(r, s):
    r *= s


def divided_and_raised(r, s):
    r /= s[::-1] + 1
    r **= s


@found(V)
def given_one_array_twice(v):
    m = np.outer(v, v)
    multiplied(m[0], m[0])
    multiplied(m[1:], m[:-1])
    multiplied(m.T[0], m[0])
    divided_and_raised(m[2], m[:, 2])
    return np.sum(m)


@found(V)
def what_lists_and_sorting_hand_on(v):
    xs = [v, v * 2, v * 3]
    b = xs.pop()
    c = b
    b *= c
    d = max(xs, key=np.sum)
    xs[-1] *= d
    e = sorted(xs, key=np.sum)[0]
    xs[0] *= e
    return sum(map(np.sum, xs)) + np.sum(b * d)


def moved(r, s):
    t = s + 1
    r *= t
    u = [t[::-1]]
    r *= u[0]
    r[1:] *= -s[:-1]


@found(V)
def a_tangent_that_is_that_of_what_is_written(v):
    w = v * 2
    moved(w, w)
    u = w
    w *= u + 1
    return np.sum(w * v)


# Variables with the names of what Python has built in, which texts for known kinds called

@found([0.7, 1.3, 0.4])
def variables_named_as_builtins(xs):
    len, range, list, t = xs[1], xs[2], 2.0, 0.0                                       # noqa: A001
    for x in xs:
        if x > 0.5:
            t = t * len + x * range * list
    w = np.array(xs)
    return t * np.sum(w * w)
