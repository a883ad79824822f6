"""Functions for `tests/corpora/test_hunted.py` that use the keys of dicts as numbers, which have no derivative, and names as keys.

Fields of namedtuples and records may be named as anything of ours is, and classes be made of dicts and lists. Then captured variables
that are bound anew after a call, and sums of a thing with itself.
"""
import collections
import dataclasses
import enum
import types
import typing

import numpy as np

from tests.corpora.hunted.hunting import found

FOUR = np.array([0.7, 1.3, 0.4, -0.9])

@found({3: 0.7, 1: 0.4}, 0.9, mixes=('f', 'rf'))
def polynomial_with_its_coefficients_in_a_dict(table, x):
    y = 0.0
    for n in table:
        y = y + table[n] * x ** n
    return y


@found({3: 0.7, 1: 0.4}, mixes=('f', 'ff'))
def keys_in_order(table):
    t = 0.0
    for k in sorted(table):
        t = t * 3 + k * table[k]
    for n, k in enumerate(table):
        t = t * 3 + k * table[k] + n
    return (t + sum([k * table[k] for k in table])) ** 2


@found(0.7, mixes=('f',))
def keys_of_a_dict_made_here(x):
    table = {3: x * 2.0, 1: x * x}
    a, b = table
    first = list(table)[0]
    return min(table) * x + max(table) * table[min(table)] + sum(table) * x + a * table[b] + first * x


@found(0.7, mixes=('f',))
def items_taken_off_a_dict(x):
    table = {3: x * 2.0, 1: x * x}
    k, v = table.popitem()
    return k * v * table.pop(3)


def powers(x):
    return {1.0: x, 2.0: x * x}


def grown(x):
    table = {}
    for i in range(3):
        table[i * 1.5] = x * i
    return table


def with_one_more(table, k):
    table[k] = table[1.0] * 2
    return table


@found(0.7, mixes=('f', 'rf', 'ff'))
def keys_of_what_a_callee_returns(x):
    table = powers(x)
    times = [k * x for k in list(table)]
    first, *others = [*table]
    return (times[0] + times[1] + sum(list(table)) * x + table[2.0] * first + sum(others) * x) ** 2


@found({1.0: 0.5, 2.0: 0.7}, mixes=('f',))
def keys_of_a_parameter(table):
    t = sum(map(lambda k: k * k, table)) * table[1.0] + sum([*table]) * table[2.0]
    for k in list(table):
        t = t + k * table[k]
    return t


@found(0.7, mixes=('f', 'rr', 'rf'))
def extreme_keys_of_what_callees_return(x):
    return max(grown(x)) * x * x + sum(powers(x)) * x + sorted(powers(x))[1] * powers(x)[2.0]


@found(0.7, mixes=('f', 'rf'))
def keys_of_a_dict_that_a_callee_adds_to(x):
    table = {1.0: x}
    with_one_more(table, 2.0)
    return table[2.0] * x + sum(with_one_more(table, 4.0)) * x * x


# What `enumerate` counts, and what goes along in `zip`, is no key of the other

W = np.array([0.3, 0.5, 0.2])


@found(W, mixes=('f',))
def elements_beside_their_numbers(v):
    for i, e in enumerate(v):
        v[i] = v[i] * e
    s = 0.0
    for i, e in zip(range(3), v):
        s = s + v[i] * e
    return s + sum([v[i] * e for i, e in enumerate(v)])


@found(W, mixes=('f',))
def elements_taken_off_their_own_places(v):
    for i, e in enumerate(v):
        v[i] -= e * v[0]
    return np.sum(v)


@found(0.7, 1.3, 0, mixes=('f', 'rf'))
def keys_of_a_display_that_are_equal(x, y, k):
    table = {0: x, k: y * x, k + 1: x * x}
    return table[0] * y + {k: x, len(table): y, 2: x * y}[2] * table[1]


# Names of the user's fields are no names of the library's

@dataclasses.dataclass
class Named:
    x: float
    made: float = 1.0
    put: list = dataclasses.field(default_factory=list)
    blank: float = 2.0

    def moved(self, v):
        return dataclasses.replace(self, x=self.x * v, made=self.made + v)


@found(FOUR)
def fields_that_are_named_like_ours(v):
    p = Named(v[0], put=[v[1]]).moved(v[2])
    p.put.append(p.made * p.x)
    s = types.SimpleNamespace(made=v[3], blank=p.blank)
    return sum(p.put) * s.blank * p.x * s.made


class Sorted(typing.NamedTuple):
    kind: float
    count: float
    index: float

    def moved(self, v):
        return self._replace(count=self.count * v + self.index, index=self.index * self.kind)._replace(kind=self.kind * v)


@found(FOUR)
def fields_that_are_named_like_methods_of_lists(v):
    t = Sorted(v[0] * v[1], v[2], index=v[3])
    for u in v:
        t = t.moved(u)
    return t.count * t.index + Sorted._make([t.kind, t.count, v[0]]).count


class Params(dict):
    pass


class Pile(list):
    def push(self, x):
        self.append(x * x)

    def top(self):
        return self[-1]


@found(FOUR)
def classes_made_of_containers(v):
    p, pile = Params(), Pile()
    p['a'] = v[0] * v[1]
    p.update(b=v[2], owner=v[3])
    p.setdefault('c', v[3] * 2.0)
    for u in p.values():
        pile.push(u)
    top = pile.top()
    pile.pop()
    return p.get('a', 0.0) * p['b'] * p.get('z', v[0]) + p.pop('c') * sum(pile) * top


class Adam:
    def __init__(self, rate):
        self.rate, self.mean, self.square = rate, {}, {}

    def step(self, params, grads):
        for k in params:
            self.mean[k] = 0.9 * self.mean.get(k, 0.0) + 0.1 * grads[k]
            self.square[k] = 0.99 * self.square.get(k, 0.0) + 0.01 * grads[k] ** 2
            params[k] = params[k] - self.rate * self.mean[k] / (np.sqrt(self.square[k]) + 1e-2)


@found(FOUR)
def state_in_dicts(v):
    params, adam = {'w': v[:2] * 1.0, 'b': v[2]}, Adam(v[3] ** 2)
    for _ in range(2):
        adam.step(params, {'w': 2.0 * params['w'] + params['b'], 'b': params['b'] ** 3 + np.sum(params['w'])})
    return np.sum(params['w'] ** 2) + params['b']


# Captured variables that are bound anew

V = np.array([0.3, 0.5, 0.2])


def applied(f, x):
    return f(x) * f(2 * x)


@found(V, 0.7, mixes=('f',))
def a_captured_array_under_another_name(v, s):
    def times(a):
        return a * v
    y = times(2.0)
    w = v
    w[0] = s
    v = y
    return np.sum(y) + v[1] * w[0]


@found(V, 0.7, mixes=('f',))
def a_captured_array_bound_to_what_the_function_makes(v, s):
    def times(a):
        return a * v
    v = times(s)
    for i in range(3):
        v[i] *= 0.867
    return np.sum(v)


@found(V, 0.7, mixes=('f',))
def a_captured_array_bound_anew_between_calls_as_an_argument(v, s):
    def times(a):
        return a * v
    y = applied(times, s)
    v = y * 2.0
    v[0] = 3.0 * v[1]
    return np.sum(applied(times, s) * v)


@found(V, 0.7, mixes=('f',))
def captured_by_what_is_captured(v, s):
    k = s * 2

    def times(a):
        return a * v * k

    def more(a):
        return times(a) + v
    y = applied(more, s)
    v = y * 2.0
    v[0] = 3.0 * v[1]
    k = v[1]
    y2 = applied(more, s)
    k = v * 2.0
    return np.sum(y2 * v * applied(more, s))


@found(V, 0.7, mixes=('f',))
def captured_in_a_loop_that_binds_it(v, s):
    out = 0.0

    def times(a):
        nonlocal out
        out = out + np.sum(a * v)
        return a * v
    for _ in range(3):
        y = times(s)
        v = y * 1.5
        v[0] = s * v[1]
        y = applied(times, s)
    return np.sum(y) + out


# Sums of a thing with itself, of which elements are read

@found(V)
def an_element_of_a_sum_with_itself(v):
    t = v + v
    return t[0] * t[1]


@found([0.3, 0.5, 0.2], mixes=('f',))
def an_element_of_a_list_joined_to_itself(v):
    t = v + v
    return t[0] * t[4] + t[3]


@found(V)
def elements_of_sums_with_itself_in_a_loop(v):
    s = 0.0
    for i in range(3):
        s += (v + v)[i] * v[i]
    return s


# Elements by their number in an array of any shape

@found(np.arange(6.0).reshape(2, 3) + 0.5)
def elements_by_number(v):
    t = (v * 2).flat
    s = v.flat[1] * v[0, 2]
    for i in range(3):
        s += t[i] * v.flat[-i]
    return s + np.sum(t[3:] * v.flat[:3])


def refused(a):
    raise ValueError


def small(a):
    if a > 0.9:
        raise ValueError
    return a * a


@found(np.array([0.7, 1.3, 0.4]))
def kept_where_a_call_raises(x):
    z = x[0] * 1.0
    try:
        z = refused(np.sin(z))
    except ValueError:
        pass

    def times(a):
        return a * z
    return x[1] + z + times(x[2])


@found(np.array([0.7, 1.3, 0.4]))
def kept_where_a_call_inside_raises(x):
    z = x[0] * 1.0

    def put(a):
        nonlocal z
        z = small(a)
    for v in x:
        try:
            put(v)
        except ValueError:
            z = z * x[0]
    return x[1] + z


@found(0.7, mixes=('f', 'rf', 'fr'))
def comprehension_that_names_its_own_as_what_it_goes_through(x):
    w = x * 2.0

    def weighted(q):
        nonlocal w
        w = w * q
        return sum([q * w for q, w in zip([w, w], [q, x])])
    return weighted(x) + w


# Parameters that nothing in the text tells to be dicts

def keys_alone_of_a_parameter(table):
    total = 0.0
    for k in table:
        total += k * k
    return total * table[1.0]


def keys_of_a_parameter_in_generators(table):
    return sum(k * k for k in table) * table[1.0] + sum([k for k in table]) * table[2.0] + sum(map(lambda k: k + 1.0, table))


# Either end of an OrderedDict

@found(V, mixes=('f',))
def either_end_of_an_ordered_dict(v):
    held = collections.OrderedDict()
    for k in range(3):
        held[k] = v[k]
    total, last = v[0], False
    while held:
        _, a = held.popitem(last)
        total, last = total * 2 + a * a, not last
    return total


@found(V, mixes=())
def arguments_by_name_of_an_ordered_dict(v):
    held = collections.OrderedDict()
    held['a'] = v[0]
    held.setdefault('b', default=v[1])
    held.setdefault(key='c', default=v[2] * v[0])
    held.move_to_end(key='a', last=False)
    _, first = held.popitem(last=False)
    return first * held.pop('d', default=v[1]) + held.pop(key='b') * held['c']


# Dicts that are in order

class LastUsed:
    def __init__(self, size):
        self.held, self.size = collections.OrderedDict(), size

    def get(self, key, compute):
        if key in self.held:
            self.held.move_to_end(key)
            return self.held[key]
        self.held[key] = compute(key)
        if len(self.held) > self.size:
            self.held.popitem(last=False)
        return self.held[key]


@found(np.array([0.7, 1.3, 0.4]))
def a_table_of_what_was_used_last(x):
    table, t = LastUsed(2), 0.0
    for k in [0, 1, 0, 2, 1, 0]:
        t = t * x[0] + table.get(k, lambda k: x[k] ** 2)
    return t


@found(np.array([0.7, 1.3, 0.4]))
def moved_to_an_end(x):
    d = collections.OrderedDict(a=x[0], b=x[1], c=x[2])
    d.move_to_end('a')
    d['b'] = d['b'] * d['a']
    d.move_to_end('c', last=False)
    return sum([(k + 1) * v for k, v in enumerate(d.values())]) * d['c']


@found(np.array([0.7, 1.3, 0.4]))
def taken_from_an_end(x):
    d = collections.OrderedDict([('a', x[0] * x[2]), ('b', x[1])])
    _, v = d.popitem(last=True)
    return v * v * d['a']


def scaled_by(table, k, *, scale=1.0):
    return table[k] * scale


@found({'a': 0.6, 'b': 1.7})
def a_dict_that_is_given_to_a_function_before_it_changes(d):
    d['b'] *= np.tanh(scaled_by(d, 'a', scale=d['a']))
    return d['b'] * d['a']


@found([0.6, 1.7, 0.3])
def a_list_that_is_given_to_a_function_before_it_changes(xs):
    xs[1] = scaled_by(xs, 0, scale=xs[1]) + scaled_by(xs, 1, scale=xs[2])
    xs[0] *= scaled_by(xs, 0, scale=xs[1])
    return xs[1] * xs[0]


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'fr', 'ff'))
def the_key_of_the_largest_where_keys_come_with_numbers(x):
    d = dict(zip('alpha beta gamma'.split(), x))
    d['alpha'] += d.pop('beta') * 3
    return d[max(d, key=d.get)] ** 2


class Held:
    def __init__(self):
        self.s, self.n = 0.5, 1.0

    def add(self, v):
        self.s = self.s * v + self.n
        self.n += v


@found(np.array([0.7, 1.3, 0.4]))
def numbers_that_a_defaultdict_makes(x):
    d = collections.defaultdict(lambda: 1.0)
    d['a'] *= x[0]
    d['b'] += x[1] * d['a'] * d['c']
    return d['a'] * d['b']


@found(np.array([0.7, 1.3, 0.4]))
def arrays_that_a_defaultdict_makes(x):
    d = collections.defaultdict(lambda: np.ones(3))
    d['a'] *= x
    d['b'][1] += x[2]
    return np.sum(d['a'] * d['b'])


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def objects_that_a_defaultdict_makes(x):
    d = collections.defaultdict(Held)
    for k in range(3):
        d[k % 2].add(x[k])
    return d[0].s * d[1].s + d[2].s * x[0]


@found(np.array([0.7, 1.3, 0.4]))
def tuples_that_a_defaultdict_makes(x):
    d = collections.defaultdict(lambda: (1.0, 0.5))
    for k in range(3):
        a, b = d[k % 2]
        d[k % 2] = a * x[k], b + x[k] * a
    return d[0][0] * d[1][1] + d[0][1]


def read_from_a_defaultdict_that_is_given(d, x):
    return d['c'] * d['a'] * x


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 3


class Planet(enum.Enum):
    EARTH = 1.0, 0.5
    MARS = 0.1, 0.3

    def __init__(self, mass, radius):
        self.mass, self.radius = mass, radius

    @property
    def gravity(self):
        return self.mass / self.radius ** 2


@found(np.array([0.7, 1.3, 0.4]))
def values_of_members_that_are_keys(x):
    w = {Level.LOW: x[0], Level.HIGH: x[1]}
    return sum(v ** m.value for m, v in w.items())


@found(np.array([0.7, 1.3, 0.4]))
def a_loop_over_members(x):
    s = 0.0
    for m in Level:
        s += x[m % 3] ** m.value
    return s


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'fr'))
def attributes_of_members_beside_numbers(x):
    s = x[2]
    for m, v in [(Level.LOW, x[0]), (Level.HIGH, x[1] * x[2])]:
        s += v * m.value + m
    return s


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def properties_of_members_beside_numbers(x):
    s = x[2]
    for p, v in {Planet.EARTH: x[0], Planet.MARS: x[1]}.items():
        s += p.gravity * v ** p.radius
    return s


class Knot:
    def __init__(self, value, below=()):
        self.value, self.below = value, below


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'fr'))
def objects_in_order_by_a_set_of_what_was_seen(x):
    a, b = Knot(x[0]), Knot(x[1])
    seen, order = set(), []

    def build(n):
        if id(n) not in seen:
            seen.add(id(n))
            for m in n.below:
                build(m)
            order.append(n)
    build(Knot(a.value * b.value, (a, b)))
    return sum(n.value ** 2 for n in order)


def product_of(d):
    return d['a'] ** 2 * d['b']


@found({'a': 0.6, 'b': 1.7})
def a_key_that_is_new_to_a_dict_that_is_given(d):
    d['c'] = product_of(d) * d['b']
    d['c'] += product_of(d)
    return d['a'] * d['c'] * product_of(d)


@found({'a': 0.6, 'b': 1.7})
def keys_that_are_made_of_others(d):
    for k in ('a', 'b'):
        d['n' + k] = product_of(d) * d[k]
    return d['na'] * d['nb'] * product_of(d)


# Slices that have a name: what they take of a list is a list of its own, which the way back took for an element

@found([0.7, 1.3, 0.4])
def replaced_by_a_slice_with_a_name(xs):
    part = slice(0, 2)
    xs[part] = [v * v for v in xs[part]]
    return xs[0] + xs[1] * xs[2] * 2


@found([0.7, 1.3, 0.4], mixes=('f', 'rf', 'fr', 'rr'))
def replaced_by_slices_in_a_loop(xs):
    for part in (slice(0, 2), slice(1, 3)):
        xs[part] = [v * v for v in xs[part]]
    return xs[0] + xs[1] * xs[2] * 2


def squares_of(xs, part):
    return [v * v for v in xs[part]]


@found([0.7, 1.3, 0.4])
def taken_by_a_slice_that_is_given(xs):
    part = slice(None, None, 2)
    xs[part] = map(lambda v: v * xs[1], squares_of(xs, part))
    return xs[0] * xs[0] + xs[1] * xs[2]


@found([0.7, 1.3, 0.4])
def slice_with_a_name_of_an_own_list(xs):
    ys, part, k = [1.0] * 5, slice(1, 4), 2
    ys[part] = xs
    ys[k] = ys[k] * ys[1]
    return sum(ys[part]) * ys[2]


@found({'a': 0.7, 'b': 1.3})
def the_first_key(table):
    """Reverse over forward mode refused the iterator."""
    first = next(iter(table))
    return table[first] * table['b'] * table[first]


# Parts of arrays under slices that do not stand there: what had been there was kept as a view, where the axes are known

PARTS = [slice(0, 2), slice(1, 3)]


class Parted:
    def __init__(self):
        self.first, self.parts = slice(0, 2), [slice(0, 2), 1]

    def second(self):
        return slice(1, 3)


def first_and(k):
    return slice(k, k + 2)


@found(np.array([0.7, 1.3, 0.4]))
def an_array_written_by_a_slice_with_a_name(v):
    w, part = v * 1.0, slice(0, 2)
    w[part] = w[part] * w[part]
    return np.sum(w)


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'rf'))
def an_array_written_by_slices_in_loops(v):
    w, parts, t = v * 1.0, [slice(0, 2), slice(1, 3)], 0.0
    for p in parts:
        for q in parts:
            w[p] = w[p] * w[q]
        t += np.sum(w[p] * w[p])
    return np.sum(w) * t


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'rf'))
def an_array_written_by_slices_that_functions_make(v):
    w = v * 1.0
    for k in range(2):
        part = first_and(k)
        w[part] = w[part] * w[part]
        w[np.s_[k:k + 2]] = w[np.s_[k:k + 2]] * w[part]
    return np.sum(w)


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'rf'))
def an_array_written_by_slices_outside(v):
    w, held = v * 1.0, Parted()
    for part in PARTS:
        w[part] = w[part] * w[part]
    w[PARTS[0]] = w[PARTS[0]] * w[PARTS[1]]
    w[held.first] = w[held.first] * w[held.second()]
    for part in held.parts:
        w[part] = w[part] * w[part]
    return np.sum(w)


def written_at(w, p, q):
    w[p] = w[p] * w[q]
    return w


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'rf'))
def an_array_written_by_a_slice_that_is_given(v):
    w = v * 1.0
    written_at(w, slice(0, 2), slice(1, 3))
    written_at(w, 0, 1)
    m = np.zeros((2, 3))
    m[0], m[1] = w, w * v
    rows = 1, slice(0, 2)
    m[rows] = m[rows] * m[0, 1:]
    return np.sum(m)
