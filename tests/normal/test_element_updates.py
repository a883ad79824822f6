"""Lists and dicts of numbers that are updated: structured, and what may be an array, or has another name, right all the same."""
import collections
import types

import numpy as np
import pytest

import tangent
from tests.random.random_programs import Outcome
from tests.tools import orders
from tests.tools.checking import differences
from tests.tools.judge import check_every_text, judge
from tests.tools.registry import OTHERS as IN_LOG_FORM
from tests.tools.registry import changes, entries

X = np.array([0.5, 0.9, 1.3])


def summed_into_a_list(x, n):
    acc = [0.0] * 3
    for i in range(3):
        for j in range(n):
            acc[i] += x[i] * x[j]
    return acc[0] * acc[1] + acc[2]


def assigned(x, n):
    acc = [0.0] * 3
    for i in range(3):
        for j in range(n):
            acc[i] = acc[i] + x[i] * x[j]
    return acc[0] * acc[1] + acc[2]


def made_by_a_comprehension(x, n):
    acc = [0.0 for _ in range(3)]
    for i in range(3):
        acc[i] -= x[i] * x[0]
    return sum(acc)


def sums_in_a_dict(x, n):
    d = {}
    for k in range(n):
        key = 'a' if k % 2 else 'b'
        d[key] = d.get(key, 0.0) + x[k]**2
    return d['a'] * d['b']


def two_lists_in_steps(x, n):
    pos = list(x)
    vel = [0.0] * 3
    for _ in range(n):
        for i in range(3):
            vel[i] -= 0.1 * pos[i]
        for i in range(3):
            pos[i] += 0.1 * vel[i]
    return sum(pos)


def rows_of_lists(x, n):
    rows = [[v, v * v] for v in x]
    s = 0.0
    for r in rows:
        r[0] *= 2
        s += r[0] * r[1]
    return s


def renewed(x, n):
    v = x.tolist()
    v[:] = sorted(v)
    v[0] *= 2
    return sum(v[i] * i for i in range(3))


def sorted_and_updated(x, n):
    v = x.tolist()
    v = sorted(v)
    v[0] *= 2
    return sum(v[i] * i for i in range(3))


def sorted_in_place(x, n):
    v = [a * a for a in x]
    v.sort(reverse=True)
    return v[0] * 2 + v[1]


def an_array_sorted(x, n):
    a = x * 2.0
    a[...] = np.sort(a)
    return a[0] * a[1]


def an_array_sorted_in_place(x, n):
    a = x * 2.0
    a.sort()
    return a[0] * a[1]


def a_diagonal(x, n):
    D = np.outer(x, x)
    D[np.diag_indices(min(D.shape), D.ndim)] = 1.0
    return np.sum(1 / D)


def lists_in_a_dict(x, n):
    d = {0: [], 1: []}
    for k, v in enumerate(x):
        d[k % 2].append(v * v)
    return sum(d[0]) * sum(d[1])


def a_dict_of_sums(x, n):
    d = {0: 0.0, 1: 0.0}
    for k, v in enumerate(x):
        d[k % 2] += v * v
    return d[0] * d[1]


def nested_lists(x, n):
    g = [[0.0, 0.0], [0.0, 0.0]]
    for i in range(2):
        for j in range(2):
            g[i][j] = x[i] * x[j]
    return g[0][1] * g[1][1]


def list_of_an_array(x, n):
    v = x.tolist()
    v[0] *= 2
    return sum(v[i] * i for i in range(3))


def elements_and_more(x, n):
    v = [x[0], x[1]]
    v[0] = v[1] * 2
    v.append(x[2])
    return v[0] * v[2]


def swapped(x, n):
    v = x.tolist()
    v[0], v[1] = v[1], v[0]
    return v[0] * 2 + v[1]


def counted(x, n):
    c = collections.defaultdict(float)
    for k, v in enumerate(x):
        c[k % 2] += v * v
    return c[0] * c[1]


def counted_by_words(x, n):
    c = collections.defaultdict(float)
    for k in range(n):
        c['a'] += x[k]
        c['b'] = c['a'] * c['c'] + x[0]
    return c['a'] * c['b'] + c['d']


def one_array_twice(x, n):
    a = np.zeros(2)
    v = [a, a]
    v[0] += x[:2]
    return np.sum(v[1] * x[:2])


def another_name(x, n):
    v = [x[0], x[1]]
    w = v
    v[0] += x[2]
    return w[0] * v[1]


def in_another_list(x, n):
    v = [x[0], x[1]]
    out = [v, 3.0]
    v[0] += x[2]
    return out[0][0] * v[1]


def add(u, k):
    u[0] = k


def changed_by_a_callee(x, n):
    v = [x[0], x[1]]
    add(v, x * 2)
    v[0] += x[2]
    return np.sum(v[0]) * v[1]


def read_by_a_lambda(x, n):
    v = [x[0], x[1]]
    f = lambda: v[0]
    v[0] += x[2]
    return f() * v[1]


def an_array_under_another_name(x, n):
    v = [x[:2] * 1.0, x[1]]
    t = v[0]
    v[0] += x[2]
    return np.sum(t) * v[1]


def updated_read_and_turned(x, n):
    v = [0.0] * 3
    for i in range(3):
        v[i] += x[i]
        t = v[i]
        v[i] *= t
    v.sort()
    v.reverse()
    return v[0] * v[1]-v[2]


def gone_through_while_it_changes(x, n):
    d = {}
    for i in range(n):
        d[i] = x[i]
        d[i] **= 2
        d[i] -= x[0]
    for k in d:
        d[k] *= 1.5
    return sum(d.values())


def gone_through_and_changed(x, n):
    v = list(x)
    for e in v:
        v[0] += e
    return v[0]


def grown_and_updated(x, n):
    v = [x[0]]
    for _ in range(n):
        v.append(v[-1] * x[1])
        v[-1] += x[2]
    m = max(v)
    v[v.index(m)] -= 1.0
    return sum(v) * len(v)


def arrays_and_numbers(x, n):
    v = [x[0], None]
    v[1] = x * 2
    v[0] += x[1]
    v[1] += 1
    return v[0] * np.sum(v[1])


def diagonal_of_ones(x, n):
    D = np.sqrt(np.outer(x, x) + 1e-9)
    np.fill_diagonal(D, 1.0)
    return np.sum(1 / D)


def diagonal_of_a_rectangle(x, n):
    D = np.outer(x, x[:2]) * 1.0
    np.fill_diagonal(D, -np.inf)
    return np.sum(np.exp(D))


def diagonal_of_an_array(x, n):
    D = np.outer(x, x)
    np.fill_diagonal(D, x * 2)
    return np.sum(D*D)


def distances(x, n):
    X = x.reshape(-1, 1)
    D = np.sqrt(((X - X.T)**2) + 1e-9)
    np.fill_diagonal(D, np.inf)
    return np.sum(1 / D)


def counted_by_hand(x, n):
    v, i = [0.0] * 3, 0
    while i < n:
        v[i] += x[i] * x[0]
        i = i + 1
    return v[0] * v[1] + v[2]


HELPERS = add,
PROGRAMS = [f for f in list(globals().values()) if isinstance(f, types.FunctionType) and f.__module__ == __name__
            and f not in HELPERS]
WHOLE = [one_array_twice, in_another_list, changed_by_a_callee,
         read_by_a_lambda, an_array_under_another_name, gone_through_and_changed,
         arrays_and_numbers, diagonal_of_an_array]                   # in the log form


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_right_in_every_text(f):
    check_every_text(f, X, 3)


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_the_form(f):
    assert ('_grads' in tangent.source(tangent.grad(f))) == (f in WHOLE)


def test_counters_that_have_something_to_start_with():
    """They may hold arrays, and forward mode has no rule for them."""
    def number(x):
        c = collections.defaultdict(float, a=x[0])
        c['a'] += x[1]
        c['b'] += x[2] * x[0]
        return c['a'] * c['b']

    def array(x):
        y = x * 1.0
        c = collections.defaultdict(float, a=y)
        c['a'] += x
        return np.sum(y * y)
    for f in (number, array):
        gradient = tangent.grad(f)
        for _ in range(4):
            np.testing.assert_allclose(gradient(X), differences(f, (X,), (0,))[0], atol=1e-6)
        with pytest.raises(tangent.errors.ForwardNotImplementedError, match='defaultdict'):
            tangent.jvp(f)(X, np.ones(3))


def test_arrays_where_numbers_were_expected():
    """The text is made for numbers in the list; where it holds arrays, another one runs."""
    def f(x, y):
        v = [0.0, y]
        t = v[1]
        v[0] += np.sum(x)
        v[1] += v[0]
        return np.sum(v[1] * t)
    y = np.array([0.5, 0.7])
    for _ in range(4):
        np.testing.assert_allclose(tangent.grad(f)(X, 2.0), differences(f, (X, 2.0), (0,))[0], atol=1e-6)
    for _ in range(4):
        found = tangent.grad(f)(X, y.copy())
        np.testing.assert_allclose(found, differences(lambda x: f(x, y.copy()), (X,), (0,))[0], atol=1e-6)


def test_a_sorted_of_ones_own():
    def f(x, n):
        def sorted(v):
            return v[::-1]
        v = [a * a for a in x]
        v.sort()
        return sorted(v)[0] * v[0] * n
    np.testing.assert_allclose(tangent.grad(f)(X, 3), differences(f, (X, 3), (0,))[0], atol=1e-6)


def sorted_on_the_way(x):
    v, s = [x[2], x[0]], 0.0
    for a in v:
        v.sort()
        s = s + a
    return s


def turned_on_the_way(x):
    v, s = [x[2], x[0]], 1.0
    for i, a in enumerate(v):
        v.reverse()
        s = s * x[1] + a * i
    return s


def renewed_on_the_way(x):
    v, s = [x[2], x[0]], 0.0
    for a in v:
        v[:] = [x[1], x[1]]
        s = s + a
    return s


def number_of_where(x):
    v = [0.0] * 3
    v[0] = np.where(x[0] > 0, x[0], 0.0)
    w = v[0]
    v[0] += x[1]
    return w * v[0]


def chosen_by_a_bool(x):
    c, v = x[0] > 0.2, [0.0] * 3
    v[0] = x[c]
    w = v[0]
    v[0] += x[1]
    return np.sum(w * v[0])


@pytest.mark.parametrize('f', [sorted_on_the_way, turned_on_the_way, renewed_on_the_way, number_of_where, chosen_by_a_bool],
                         ids=lambda f: f.__name__)
def test_what_only_looks_like_a_list_of_numbers_of_ones_own(f):
    """Loops see the list change; `where` makes an array of a number, and a bool as index chooses one."""
    gradient = tangent.grad(f)
    for _ in range(4):
        np.testing.assert_allclose(gradient(X), differences(f, (X,), (0,))[0], atol=1e-6)


# Slices, insertions, and keys that calls give

NOTED = []


def key(v):
    NOTED.append(v)
    return len(NOTED) % 2


def keyed_once(x):
    NOTED.clear()
    h = [0.0, 1.0]
    for v in x:
        h[key(float(v))] += v * v
    return h[0] * h[1] + len(NOTED)


def keys_that_are_computed(x):
    h = [0.0] * 4
    for v in x:
        h[min(3, int(v * 2))] += v * v
    return h[0] * h[1] + h[2]


def keys_of_a_dict_that_are_computed(x):
    h = {0: 0.0, 1: 0.0, 2: 0.0}
    for v in x:
        h[int(v * 2)] += v * v
    return h[0] * h[1] + h[2]


def slices_replaced(x):
    xs = [0.0] * 5
    xs[1:4] = [v * v for v in x]
    xs[:2] = [x[0], x[1], x[2]]
    xs[4:] = []
    return xs[1] * xs[3] + xs[0]


def part_of_itself(x):
    xs = [x[0], x[1], x[2]]
    xs[1:2] = xs
    return xs[1] * xs[3] + xs[0] * len(xs)


def insertion(x):
    xs = [v * v for v in x]
    xs.insert(0, x[0])
    xs.insert(9, x[1])
    xs.insert(2, x[2])
    return xs[1] * xs[3] + xs[0] * xs[4] * xs[5]


def insertion_loop(x):
    xs = [0.0]
    for v in x:
        xs.insert(1, v * xs[0] + v)
    return xs[1] * xs[3] + xs[2]


def insertion_alias(x):
    xs = [v * v for v in x]
    ys = xs
    xs.insert(0, x[0])
    return ys[0] * xs[1] + len(ys)


def insertion_while_looping(x):
    xs = [1.0, 2.0]
    t = 0.0
    for v in xs:
        if len(xs) < 5:
            xs.insert(0, v * x[0])
        t = t + v * x[1]
    return t


def insertion_of_list(x):
    xs = [v * v for v in x]
    xs.insert(0, [x[0], x[1]])
    return xs[0][1] * xs[1]


def part_alias(x):
    xs = [v * v for v in x]
    ys = xs
    xs[1:2] = [x[0], x[1]]
    return ys[1] * ys[2] + len(ys)


def update_reads_after(x):
    h = [1.0, 2.0, 3.0]
    def bump(v):
        h[0] = h[0] + v
        return v
    h[int(x[0] * 1.2)] += bump(x[1])
    return h[0] * h[1]


def part_of_array(x):
    xs = [1.0, 2.0, 3.0]
    xs[1:2] = x * x
    return xs[1] * xs[3] + xs[0] * len(xs)


def part_of_tuple(x):
    xs = [1.0, 2.0, 3.0]
    xs[1:1] = (x[0], x[1])
    return xs[1] * xs[2] + xs[0] * len(xs)


WRITTEN_OUT = [keys_that_are_computed, keys_of_a_dict_that_are_computed, slices_replaced, insertion, insertion_loop]
OTHERS = [keyed_once, part_of_itself, insertion_alias, insertion_while_looping, insertion_of_list, part_alias,
          update_reads_after, part_of_array, part_of_tuple]


@pytest.mark.parametrize('f', [*WRITTEN_OUT, *OTHERS], ids=lambda f: f.__name__)
def test_slices_and_insertions_are_right_in_every_text(f):
    check_every_text(f, 1.1 * X)


@pytest.mark.parametrize('f', WRITTEN_OUT, ids=lambda f: f.__name__)
def test_slices_and_insertions_are_structured(f):
    assert '_grads' not in tangent.source(tangent.grad(f), X)


UPDATES = [e for e in entries() if changes(e)]


@pytest.mark.parametrize('k', range(len(UPDATES)), ids=[e.name for e in UPDATES])
def test_updates_are_right_and_which_are_structured(k, in_turn):
    """The gradient is derived once, for the judge, its text and the differences of it; every second has a second derivative."""
    entry = UPDATES[k]
    gradient = tangent.grad(entry.function, wrt=entry.wrt, preserve_result=True)
    assert judge(entry, in_turn([None, None, 'raw', None], k)) == Outcome('right')
    assert ('_grads' in tangent.source(gradient, *entry.make())) == (entry.function in IN_LOG_FORM)
    along = orders.directions(entry, 1), orders.directions(entry, 2)
    for mix in filter(None, in_turn([None, 'rf', None, 'fr'], k)):
        assert orders.found(entry, mix, along) == pytest.approx(
            orders.expected(entry, 2, along, orders.gradients(entry)), rel=orders.CLOSE[2])


def places(x):
    ys = [v * v for v in x]
    del ys[len(ys) // 2:]
    ys.insert(len(ys) // 2, x[0])
    ys.append(ys.pop(len(ys) // 2) * ys[0])
    return sum(ys) ** 2


def test_a_place_that_is_told_by_the_length_is_that_before_the_change():
    check_every_text(places, X)


def of_a_changed_copy(d):
    e = {k: v * v for k, v in d.items()}
    t = e.pop('a')
    return sum(e.values()) * t


def test_second_derivatives_through_a_copy_of_a_dict_that_changes():
    d = {'a': 0.3, 'b': 0.5, 'c': 0.7}
    found = tangent.hvp(of_a_changed_copy)(d, {'a': 1.0, 'b': 0.0, 'c': 0.0})
    assert found == pytest.approx({'a': 2 * (0.25 + 0.49), 'b': 4 * 0.3 * 0.5, 'c': 4 * 0.3 * 0.7})


class Kept:
    def __init__(self, n):
        self.n, self.items = n, []

    def push(self, v):
        self.items.append(v)
        if len(self.items) > self.n:
            del self.items[0]


def first_of_a_field_deleted(x):
    kept, total = Kept(2), 0.0
    for v in x:
        kept.push(v * v)
        total += sum(kept.items) ** 2
    return total


def test_elements_of_fields_that_a_method_deletes_have_no_tangent_left():
    check_every_text(first_of_a_field_deleted, X)


def bound_anew_at_the_end_of_each_round(x):
    total = 0.0
    for p in x:
        total += p * p
        p = 3.0
    return total * p


def rows_bound_anew(x):
    m = [[v, v * v] for v in x]
    for p in m:
        q = p
        q[0] += 1.0
        p = [3.0, 4.0]
        p[1] += 2.0
    return m[0][0] + p[0] * p[1]


@pytest.mark.parametrize('f', [bound_anew_at_the_end_of_each_round, rows_bound_anew], ids=lambda f: f.__name__)
def test_what_a_loop_leaves_in_its_variable_is_read_behind_it(f):
    check_every_text(f, X)
