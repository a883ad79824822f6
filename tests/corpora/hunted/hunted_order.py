"""Functions for `tests/corpora/test_hunted.py` whose calls change what stands beside them: in tests, indices and operands of a statement;
and those with calls that Python makes only where it comes to them: comparisons in a row, messages of assertions.
"""
import collections
import functools

import numpy as np

from tests.corpora.hunted.hunting import found

V = np.array([0.7, 1.3, 0.4])


class Box:
    def __init__(self, a):
        self.a, self.items, self.v = a, [a, a * 2, a * 3], np.array([a, a * 2])

    def step(self):
        self.a = self.a * 2
        return self.a

    def shift(self):
        return self.items.pop(0)


def grown(xs, x):
    xs.append(x * 2)
    return len(xs)


def tripled(v):
    v[0] = v[0] * 3
    return v[1]


# Calls where no derivative flows, which change what has one

@found(0.7, mixes=('f', 'rf'))
def method_in_tests(x):
    box = Box(x)
    if box.step() > 1:
        x = x * box.a
    while box.step() < 9:
        pass
    assert box.step() > 0
    return box.a * x if box.step() > 1 else box.a


@found(0.7, mixes=('f',))
def method_in_passive_values(x):
    box = Box(x)
    k = int(box.step() * 0)
    flag = box.step() > 1 and box.step() > 2
    return box.a * x + k + flag + len([box.step()]) + [0, 1][bool(box.step() > 1)]


@found(0.7, mixes=('f', 'rf'))
def function_in_tests(x):
    xs = [x]
    if grown(xs, x) > 1:
        x = x * x
    while grown(xs, x * x) < 4:
        x = x + 1
    n = grown(xs, xs[-1])
    return sum(xs) * n


@found(V, mixes=('f',))
def writes_in_an_index(v):
    v = v * 1.0
    y = v[int(tripled(v) * 0)] * v[:2 + int(tripled(v) * 0)]
    return np.sum(y) * v[0]


@found(0.7, mixes=('f',))
def closure_in_a_test(x):
    t = x

    def bump():
        nonlocal t
        t = t * 2
        return t
    if bump() > 1:
        pass
    while bump() < 5:
        pass
    return t * (bump() > 3)


@found(0.7, mixes=('f',))
def next_in_a_test(x):
    it = iter([x, x * 2, x * 3])
    y = next(it) if next(it) > 0 else x
    return y * x


# Operands that are evaluated before a call that changes them

@found(0.7, mixes=('f', 'rf'))
def variable_bound_anew_by_what_is_added_to_it(x):
    t = x

    def bump():
        nonlocal t
        t = t * 3
        return t
    t += bump()
    z = t < bump() < t * 1.5 and t or bump()
    return t * z + t * bump()


@found(0.7, mixes=('f',))
def attribute_changed_by_what_is_added_to_it(x):
    box = Box(x)
    y = box.a * box.step() + box.a
    box.a += box.step()
    box.items[0] += box.shift()
    return y * box.a + box.items[0] * box.items[-1]


@found(V, mixes=('f',))
def element_changed_by_what_is_added_to_it(v):
    v = v * 1.0
    c = v * 2 + tripled(v) * v
    v[0] += tripled(v)
    return np.sum(c * v)


@found(0.7, mixes=('f',))
def index_changed_by_the_value(x):
    xs, i = [x, x * 2, x * 3], 0

    def following():
        nonlocal i
        i += 1
        return i
    xs[i] = xs[following()] * xs[i]
    xs.append(x)
    xs[len(xs) - 1] = xs.pop(0) * x
    return xs[0] * xs[1] + xs[2]


# Where what is assigned goes: its value is evaluated first, of an update after the place and what stands there

V = np.array([0.7, 1.3, 0.4])
COUNT = [0]


class Holder:
    def __init__(self, v):
        self.v, self.c, self.k = v, 1.0, 0

    def grown(self):
        self.v = self.v * 2
        self.c = self.c + 1
        return self.c * self.v[1]

    def tripled(self):
        self.v[0] = self.v[0] * 3
        return self.v[1]

    def itself(self):
        self.c = self.c * 2
        return self

    @property
    def following(self):
        self.k = self.k + 1
        return self.k - 1


def counted(c):
    c[0] += 1
    return c[0]


def counted_from(k):
    COUNT[0] = k


def counted_outside():
    COUNT[0] += 1
    return COUNT[0] % 3


@found(V, mixes=('f',))
def indices_that_are_popped(v):
    ks, y, z = [2, 0, 0, 1, 1, 0, 2, 1], v * 1.0, v * 2.0
    y[ks.pop()] += y[ks.pop()]
    y[ks.pop()] = z[ks.pop()] * v[0]
    y[ks.pop()], z[ks.pop()] = z[ks.pop()], y[ks.pop()] * z[0]
    return np.sum(y * v) + np.prod(z)


@found(V, mixes=('f',))
def indices_that_are_counted(v):
    c, y, m = [-1], v * 1.0, np.outer(v, v)
    y[counted(c)] += y[counted(c)] * v[2]
    c[0] = 0
    y[counted(c):] *= y[counted(c)]
    c[0] = -1
    m[counted(c), counted(c)] += m[counted(c), 0] * v[0]
    c[0] = -1
    m[counted(c)][counted(c)] -= m[counted(c)][0] * v[0]
    it = iter([1, 2])
    y[next(it)] += y[next(it)]
    return np.sum(y * v) + np.sum(m * m)


@found(V, mixes=('f',))
def indices_that_are_counted_outside(v):
    counted_from(0)
    y = v * 1.0
    y[counted_outside()] += y[counted_outside()] * v[0]
    y[counted_outside()] = y[counted_outside()] * v[1]
    y[COUNT[0] % 3] += counted_outside() * v[0]
    return np.sum(y * v)


@found(V, mixes=('f',))
def indices_that_are_bound_inside(v):
    y, z, i, k = v * 1.0, v * 2.0, -1, 0
    y[(i := i + 1)] += y[(i := i + 1)] * v[0]
    z[(i := i - 1)] = z[(i := i - 1)] * v[0]
    y[k] += (k := 1) * v[2]
    s = t = v * 3.0
    s *= (s := s * v[1]) * v[2]
    return y[0] * y[1] * z[1] * k + np.sum(s * v * t)


@found(V, mixes=('f',))
def owners_that_are_bound_anew(v):
    h = Holder(v * 1.0)
    old = h.v
    h.v[0] += h.grown()
    h.v[1:] *= h.grown()
    h.v[1] = h.grown()
    h.v[int(h.grown() * 0)] += h.v[2]
    return np.sum(h.v ** 2) + np.sum(old * v)


@found(V, mixes=('f',))
def owners_that_are_changed(v):
    h = Holder(v * 1.0)
    h.v[0] += h.tripled()
    h.v[int(h.tripled() * 0)] += h.v[1]
    h.itself().v[0] = h.c * v[0]
    h.itself().v[2] += h.c * v[0]
    h.itself().c += h.grown()
    h.itself().c = h.c + v[1]
    return np.sum(h.v ** 2) * h.c


@found(V, mixes=('f',))
def index_that_a_property_counts(v):
    h, y = Holder(v), v * 1.0
    y[h.following] += y[h.following] * v[0]
    return np.sum(y * v) * h.k


@found(V, mixes=('f',))
def owners_in_owners(v):
    h, inner = Holder(v), Holder(v[0])
    h.inner = inner

    def another():
        h.inner = Holder(v[2])
        return v[1] * h.c
    h.inner.v *= another()
    h.inner.c += another()
    return h.inner.v * inner.v * inner.c


@found(V, mixes=('f',))
def ends_of_lists(v):
    xs, table = [v[0], v[1], v[2], v[0]], {'a': v[0], 'b': v[1]}
    xs[-1] += xs.pop()
    xs[len(xs) - 2] *= xs.pop() + xs[0]
    xs[len(xs) - 1] = xs.pop() * xs[-1]
    table['a'] += table.pop('b')
    table['a'] *= len(table)
    return sum(xs) * len(xs) * table['a']


SCALE, TABLE = 2.0, [2.0]


class Rates:
    k = 2.0


def reset(v):
    """Binds anew, and writes into, what is outside: all for the next call of a function as for the first."""
    global SCALE
    SCALE, TABLE[0], Rates.k = 2.0, 2.0, 2.0
    return v


def raised(v):
    global SCALE
    SCALE, TABLE[0], Rates.k = SCALE * 2.5, TABLE[0] * 2.5, Rates.k * 2.5
    return v


@found(np.array([0.7, 1.3, 0.4]))
def global_that_a_callee_binds_anew(x):
    y = reset(x[0]) ** SCALE
    y = y * SCALE * raised(x[1]) + SCALE
    return y * SCALE


@found(np.array([0.7, 1.3, 0.4]))
def element_outside_that_a_callee_writes(x):
    y = reset(x[0]) ** TABLE[0]
    return y * TABLE[0] * raised(x[1]) * TABLE[0]


@found(np.array([0.7, 1.3, 0.4]))
def attribute_of_a_class_that_a_callee_writes(x):
    y = reset(x[0]) ** Rates.k
    return y * Rates.k * raised(x[1]) * Rates.k


def times_scale(v):
    return v * SCALE


def power_of_both(v):
    return times_scale(v) ** TABLE[0] + Rates.k * v


@found(np.array([0.7, 1.3, 0.4]))
def read_by_one_callee_and_bound_anew_by_another(x):
    """Between the call of the one and its adjoint."""
    y = times_scale(reset(x[0])) * Rates.k
    raised(1.0)
    return y * times_scale(x[1]) + x[2]


@found(np.array([0.7, 1.3, 0.4]))
def read_and_bound_anew_in_a_loop(x):
    y = reset(x[0])
    for _ in range(2):
        y = power_of_both(y) * x[1]
        raised(1.0)
    return y


# What has no derivative, and is written into after a call that has read it

class Part:
    n = 2.0


class Model:
    def __init__(self, n):
        self.n, self.stack, self.part = n, [1.0], Part()

    def scaled(self, y):
        return self.n * y

    def top(self, y):
        return self.stack[-1] * y

    def through(self, y):
        return self.part.n * y

    def renew(self, n):
        self.n = n


def scaled(model, y):
    return model.n * y


def last(a, y):
    return a[-1] * y


@found(V, mixes=('f', 'rf'))
def attribute_bound_anew(x):
    m = Model(2.0)
    y = m.scaled(x[0])
    m.n = 5.0
    z = scaled(m, y)
    m.renew(7.0)
    return z * x[1] * m.n


@found(V, mixes=('f',))
def list_of_an_object_grows(x):
    m = Model(2.0)
    y = x[0]
    for i in range(3):
        y = y * m.top(y) + x[1]
        m.stack.append(1.0 / (i + 1))
    return y


@found(V, mixes=('f', 'rf'))
def part_under_another_name(x):
    m, other = Model(2.0), Model(3.0)
    other.part = m.part
    y = m.through(x[0])
    other.part.n = 5.0
    return y * x[1]


@found(V, mixes=('f',))
def method_under_a_name(x):
    m = Model(2.0)
    f = m.scaled
    y = f(x[0])
    m.n = 5.0
    return y * x[1] + sum([m.top(v) for v in x])


@found(V, mixes=('f',))
def array_updated(x):
    m, a = Model(2.0), np.ones(2)
    y = last(a, x[0]) * m.scaled(x[1])
    a += 5.0
    m.n *= 2.0
    return y * x[1]


class Scope:
    def __init__(self):
        self.n, self.stack = 3.0, []

    def __enter__(self):
        self.n = 2.0
        self.stack.append(1.0)
        return self

    def __exit__(self, *error):
        self.n = 5.0
        self.stack.pop()

    def scaled(self, y):
        return len(self.stack) * self.n * y


@found(V, mixes=('f',))
def context_changes_when_left(x):
    scope = Scope()
    with scope:
        y = scope.n * x[0] * scope.scaled(x[1])
    return y


class Lazy:
    pass


def boxed(p):
    box = Lazy()
    box.p = p
    return box


def doubled(box):
    box.p = box.p * 2
    return box.p


def taken(box, test):
    return box.p * (2 if test else 3)


@found(V, mixes=('f',))
def last_of_comparisons_that_is_not_reached(v):
    n = [0]

    def note():
        n[0] = v[0] * v[1]
        return 9.0
    if 5 < v[0] < note():
        pass
    return n[0] + v[2] * v[0]


@found(V, mixes=('f',))
def comparisons_in_tests_of_loops(v):
    box = boxed(v[0])
    while 5 < v[1] < doubled(box):
        pass
    while 0.1 < box.p < doubled(box) < 4:
        box.p = box.p * v[1]
    return box.p * v[2]


@found(V, mixes=('f',))
def comparisons_in_arguments_and_operands(v):
    box = boxed(v[0])
    y = taken(box, 5 < v[0] < doubled(box)) * v[1] + (5 < v[0] < doubled(box)) * 2
    return y + [box.p, 0.1 < box.p < doubled(box), box.p][2] + box.p * (0.1 < v[0] < 0.2 < doubled(box))


@found(V, mixes=('f',))
def comparisons_where_a_value_is_read_before(v):
    box = boxed(v[0])
    a = [doubled(box), box.p, 5 < box.p < doubled(box), box.p]
    b = [doubled(box), box.p, box.p > 9 and doubled(box) > 0, doubled(box) if box.p > 9 else 3, box.p]
    return a[0] * a[1] * a[3] * v[1] + b[0] * b[1] * b[4]


@found(V, mixes=('f',))
def comparisons_in_comprehensions_and_choices(v):
    box = boxed(v[0])
    a = [e * box.p for e in v if 0.5 < e < doubled(box)]
    b = [e for e in v if 5 < e < doubled(box)]
    c = 2.0 if 0 < v[1] < doubled(box) < doubled(box) else 3.0
    return sum(a) * c * box.p + len(b) + any(5 < e < doubled(box) for e in v) * box.p


@found(V, mixes=('f',))
def comparisons_whose_links_are_all_calls(v):
    seen = []

    def shown(e):
        seen.append(e)
        return e
    test = shown(v[0]) < shown(v[1]) > shown(v[2]) > shown(v[0]) > shown(v[1])
    y = 1 + test
    for e in seen:
        y = y * e
    return y * seen[-1]


@found(V, mixes=('f',))
def pops_and_walruses_that_are_not_reached(v):
    xs, y = [v[0], v[1], v[2]], 0.0
    if v[0] > 5 > xs.pop():
        y = 1.0
    if 5 < v[0] < (y := v[1] * v[1]):
        pass
    if 0 < v[0] < (y := v[1] * v[2]) < (z := xs.pop()):
        y = y + z
    return y * xs[-1] + len(xs)


@found(V, mixes=('f',))
def keys_and_values_of_a_display_in_turns(v):
    box = boxed(v[0])
    box.n = 0

    def counted():
        box.n += 1
        box.p = box.p * v[box.n]
        return box.p
    table = {box.n: counted(), box.n + 10: counted()}
    return table[0] * table[11] * box.p


@found(V, mixes=('f',))
def messages_of_assertions_that_hold(v):
    box = boxed(v[0])
    xs = [v[0], v[1]]
    assert v[0] > 0, doubled(box)
    assert len(xs) == 2, xs.pop()
    assert v[0] > 5 or doubled(box), f'{doubled(box)}'
    assert box.p < 5, [doubled(box) for _ in range(3)]
    return box.p * xs[-1]


@found(V, mixes=('f',))
def message_of_an_assertion_that_fails(v):
    box = boxed(v[0])
    try:
        assert box.p > 5, str(doubled(box))
    except AssertionError:
        return box.p * v[1]
    return box.p


class Acting:
    """Objects that change when they are read."""

    def __init__(self, v):
        self.v = v

    def __getitem__(self, k):
        self.v = self.v * 2
        return self.v * k

    def __len__(self):
        return 3


@found(0.7, mixes=('f', 'rf'))
def items_read_before_a_loop_in_an_expression(x):
    a = Acting(x)
    y = a[2] * x + sum(a[k] for k in range(2))
    return a.v * y


class Doubling:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        self.v = self.v * 2.0
        return self.v < (other.v if isinstance(other, Doubling) else other)

    def scaled(self, x):
        self.v = self.v * x
        return self.v


@found(0.7)
def compared_in_a_row(x):
    """It was refused: what stands in the middle of a row is no name, and classes say what comparisons do."""
    a, b = Doubling(x), Doubling(x * x)
    t = x if 5.0 < a.scaled(x) < b.scaled(2.0) else 2.0 * x
    if -2 < a.scaled(x) < a.scaled(2.0) < a.scaled(3.0) and a < b:
        t = t * a.v
    return t * a.v * b.v


def overwrites(a, v):
    v[0], v[1] = a, a * 2
    return [1, 2, 3]


def overwrites_and_tells(a, v):
    v[0], v[1] = a, a * 2
    return a * 3


@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'rf', 'fr', 'rr'))
def calls_that_write_inside_what_has_no_derivative(x):
    s, t = x * 1.0, x * 2.0
    n = len(overwrites(x[1], s))
    assert overwrites(2.0, t)
    return s[1] * n * x[0] + t[0] * x[2] + t[2]


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def such_calls_inside_displays_and_sums(x):
    s, t, u = x * 1.0, x * 2.0, x * 3.0
    d, z = {'n': len(overwrites(x[1], s))}, [len(overwrites(x[0], t)), 1]
    y = x[0] * len(overwrites(x[2], u))
    return s[1] * d['n'] + t[1] * z[0] + u[0] * y


@found(np.array([0.7, 1.3, 0.4]), mixes=('f',))
def such_calls_that_give_numbers(x):
    s, t, u = x * 1.0, x * 2.0, x * 3.0
    k = int(overwrites_and_tells(x[1], s))
    y = np.floor(overwrites_and_tells(x[1], t)) * x[0]
    z = x[int(overwrites_and_tells(0.1, u))]
    return k * s[1] + y * t[1] + z * u[0] + u[2]


# What is asked whether there is anything in it, and changes after: the way back asked again

def taken_from(jobs):
    return jobs.pop()


@found(V)
def a_list_that_is_emptied(v):
    jobs, total = [0, 1, 2], 0.0
    for _ in range(4):
        if jobs:
            total += v[jobs.pop()] ** 2
        else:
            total += v[0] * v[1]
    return total


@found(V)
def a_list_that_a_callee_empties(v, jobs=None):
    jobs = [0, 1] if jobs is None else jobs
    total = 0.0
    for _ in range(4):
        if jobs:
            total += v[taken_from(jobs)] ** 2
    return total


@found(V)
def a_list_under_two_names(v):
    jobs = [0, 1, 2]
    others, total = jobs, 0.0
    for _ in range(4):
        total += v[others.pop()] ** 2 if jobs else v[0]
    return total


@found(V)
def a_queue_that_is_emptied(v):
    queue, total = collections.deque([2, 1, 0]), 0.0
    for _ in range(4):
        if queue:
            total += v[queue.popleft()] ** 2
    return total


@found(V)
def lists_in_a_list(v):
    rows, product = [[0], [1], [2]], v[0]
    for k in range(3):
        if rows[k]:
            rows[k].pop()
            product = product * v[1]
    for k in range(3):
        if rows[k]:
            product = product * v[2]
    return product


@found(V)
def a_list_of_values_that_is_emptied(v):
    held, total = [], 0.0
    for k in range(3):
        if held:
            total += held.pop() * v[k]
        held.append(v[k] * v[k])
    while held:
        a = held.pop()
        total += a * v[0] if held else a * a
    return total


@found(V)
def a_list_of_the_function_around(v):
    jobs = [1, 2]

    def worked(x):
        if jobs:
            return x * jobs.pop()
        return x * x
    return worked(v[0]) + worked(v[1]) + worked(v[2])


def doubled_into(held, x, k):
    held[0] = held[0] * 2 + x[k]
    return k


@found(V)
def indices_that_write_where_something_is_stored(v):
    held, a, d = [v[0]], [[1.0, 2.0], [3.0, v[1]]], {}
    a[doubled_into(held, v, 1)][doubled_into(held, v, 0)] = held[0] * v[2]
    d[doubled_into(held, v, 2)], d[doubled_into(held, v, 0)] = held[0], 2.0
    return a[1][0] * held[0] * a[1][1] + d[2] * d[0]


@found(V)
def indices_that_write_where_something_is_deleted(v):
    held, a, d = [v[0]], [v[0], v[1], v[2]], {0: v[1], 1: v[2]}
    del a[doubled_into(held, v, 1)], d[doubled_into(held, v, 0)]
    return a[1] * held[0] + d[1]


# Orders by a function of two

def by_size(a, b):
    return -1 if a < b else 1 if a > b else 0


@found(np.array([0.7, 1.3, 0.4]))
def in_the_order_of_a_function(x):
    xs = [x[0], x[1], x[2]]
    xs.sort(key=functools.cmp_to_key(by_size), reverse=True)
    ps = sorted([(x[0], 'b'), (x[1], 'c'), (x[2], 'a')], key=functools.cmp_to_key(lambda a, b: by_size(a[1], b[1])))
    key = functools.cmp_to_key(by_size)
    return xs[0] * xs[1] + xs[2] ** 2 * ps[0][0] * ps[1][0] ** 2 + max(x, key=key) * sorted(x, key=key)[0]
