"""Persistent arrays: every version stays what it was, memory is bounded, and derivatives go through all of it."""
import copy
import dataclasses
import gc
import importlib
import pickle
import sys
import threading
import tracemalloc
import weakref

import numpy as np
import pytest

import tangent
from benchmarks import lattice
from tangent import persistent
from tangent.emit import library
from tangent.errors import AliasError, ArgumentTypeError
from tangent.persistent import gradient, versions
from tests.random import persistent_programs

START = [0.5, 1.2, -0.7, 0.3]


# Versions

def random_change(rng, handle, model):
    """A new version and what it has to hold."""
    n, kind, expected = len(model), rng.integers(7), model.copy()
    if kind == 0 and n:
        i, v = int(rng.integers(-n, n)), rng.normal()
        expected[i] = v
        return handle.setitem(i, v), expected
    if kind == 1:
        s, v = slice(*sorted(rng.integers(0, n + 1, 2)), rng.integers(1, 3)), rng.normal()
        expected[s] = v
        return handle.setitem(s, v), expected
    if kind == 2:
        rows = rng.normal(size=(rng.integers(0, 3), *model.shape[1:]))
        return handle.extended(rows), np.concatenate([model, rows])
    if kind == 3 and n:
        last, rest = handle.popped()
        assert np.array_equal(last, model[-1])
        return rest, model[:-1]
    if kind == 4 and n:
        i, v = rng.integers(0, n, 3), rng.normal(size=(3, *model.shape[1:]))
        expected[i] = v
        return handle.setitem(i.tolist(), v), expected
    if kind == 5:
        mask = rng.random(model.shape) < 0.5
        expected[mask] = 1.5
        return handle.setitem(mask, 1.5), expected
    row = rng.normal(size=model.shape[1:])
    return handle.appended(row), np.concatenate([model, row[None]])


@pytest.mark.parametrize('shape', [(6,), (4, 3)])
def test_every_version_stays_what_it_was(shape):
    rng = np.random.default_rng(0)
    versions = [(persistent.array(np.zeros(shape)), np.zeros(shape))]
    for _ in range(3000):
        handle, model = versions[rng.integers(len(versions))]
        assert np.array_equal(handle[...], model)
        versions.append(random_change(rng, handle, model))
        if len(versions) > 12:
            versions.pop(int(rng.integers(len(versions))))
    for handle, model in versions:
        assert np.array_equal(handle, model)


def test_writing_to_an_old_version_branches():
    a = persistent.array([1.0, 2.0, 3.0])
    b = a.setitem(0, 10.0)
    c = a.setitem(0, 100.0)
    assert (a[0], b[0], c[0]) == (1.0, 10.0, 100.0)
    a[1] = -1.0
    assert (a.tolist(), b.tolist(), c.tolist()) == ([1, -1, 3], [10, 2, 3], [100, 2, 3])


def test_a_handle_moves_and_its_copies_stay():
    a = persistent.array([1.0, 2.0, 3.0])
    same, other = a, a.copy()
    a[1:] *= 2
    a.append(7.0)
    a.extend([8.0, 9.0])
    assert a.pop() == 9.0
    a += 1
    assert a.tolist() == same.tolist() == [2, 5, 7, 8, 9]
    assert other.tolist() == [1, 2, 3]
    assert copy.copy(other).tolist() == copy.deepcopy(other).tolist() == [1, 2, 3]


def test_what_was_read_is_no_view():
    a = persistent.array(np.arange(6.0).reshape(2, 3))
    row, whole = a[0], np.asarray(a)
    a[0] = -1.0
    row[1] = 50.0
    whole[1] = 60.0
    assert row.tolist() == [0, 50, 2]
    assert a.tolist() == [[-1, -1, -1], [3, 4, 5]]
    index = np.array([0, 1])
    b = a.setitem((index, index), 9.0)
    index[:] = 0
    assert a[0, 0] == -1 and b.tolist() == [[9, -1, -1], [3, 9, 5]]


def test_numpy_takes_them_for_arrays():
    a = persistent.array([[1.0, 2.0], [3.0, 4.0]])
    plain = np.array(a)
    assert np.array_equal(np.sin(a) + a, np.sin(plain) + plain)
    assert np.array_equal(2 ** a @ a, 2 ** plain @ plain)
    assert np.array_equal(np.stack([a, plain]), np.stack([plain, plain]))
    assert np.array_equal(np.where(a > 2, a, -a), np.where(plain > 2, plain, -plain))
    assert (np.add.reduce(a).tolist(), np.sum(a, axis=1).tolist()) == ([4, 6], [3, 7])
    assert (a.shape, a.ndim, a.size, a.nbytes, a.dtype, len(a)) == ((2, 2), 2, 4, 32, np.float64, 2)
    assert repr(a) == 'persistent.array([[1., 2.],\n                  [3., 4.]])'
    before = a.copy()
    np.add(a, 1, out=a)
    np.multiply(a, 10, out=a, where=plain > 2)
    np.add.at(a, (0, 0), 5)
    np.cumsum(before, axis=0, out=before)
    assert a.tolist() == [[7, 3], [40, 50]]
    assert before.tolist() == [[1, 2], [4, 6]]
    target = np.zeros((2, 2))
    assert np.add(a, 1, out=target) is target and target.tolist() == [[8, 4], [41, 51]]


def test_functions_that_write_into_their_argument_move_the_handle():
    a = persistent.array(np.zeros((3, 3)))
    old = a.copy()
    np.put(a, [1], 5.0)
    np.fill_diagonal(a, 7.0)
    np.copyto(a, 2.0, where=np.array(a) == 0)
    assert a.tolist() == [[7, 5, 2], [2, 7, 2], [2, 2, 7]]
    assert np.all(old == 0)


def test_failed_writes_leave_everything_as_it_was():
    a = persistent.array([1.0, 2.0, 3.0])
    old = a.copy()
    for wrong, error in [(lambda: a.setitem(7, 1.0), IndexError), (lambda: a.setitem(slice(0, 2), [1.0, 2.0, 3.0]), ValueError),
                         (lambda: a.append([1.0, 2.0]), ArgumentTypeError), (lambda: a.setitem(0, 1j), ArgumentTypeError),
                         (lambda: persistent.array([1, 2]).setitem(0, 1.5), ArgumentTypeError),
                         (lambda: persistent.array([[1], [1, 2]], dtype=object), ArgumentTypeError),
                         (lambda: persistent.zeros(0).pop(), IndexError),
                         (lambda: persistent.array(1.0).pop(), ArgumentTypeError)]:
        with pytest.raises(error):
            wrong()
    assert a.tolist() == old.tolist() == [1, 2, 3]


def test_pickled_they_are_their_contents():
    a = persistent.array([1.0, 2.0])
    b = a.setitem(0, 5.0)
    back = pickle.loads(pickle.dumps([a, b]))
    assert [v.tolist() for v in back] == [[1, 2], [5, 2]] and type(back[0]) is persistent.Array
    back[0][1] = 7.0
    assert a[1] == 2.0


# Memory

def kilobytes():
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / 1000


@pytest.fixture
def traced(few_objects):
    tracemalloc.start()
    yield
    tracemalloc.stop()


def test_versions_without_handles_take_no_memory(traced):
    a = persistent.array(np.zeros(100))
    before = kilobytes()
    for k in range(5_000):
        a[k % 100] = k
    assert kilobytes() < before + 10            # two bytes each
    for k in range(5_000):
        b = a.setitem(k % 100, k)               # a branch each time
    assert kilobytes() < before + 10 and b[0] == a[0]
    del b
    for k in range(5_000):
        a.append(k)
        a.pop()
    assert kilobytes() < before + 10


def test_what_stands_between_two_versions_is_no_more_than_a_copy(traced):
    first = persistent.array(np.zeros(100))
    last, middle = first.copy(), []
    before = kilobytes()
    for k in range(20_000):
        last[k % 100] = k
        if k in (5_000, 10_000):
            middle.append((last.copy(), np.array(last)))
    assert kilobytes() < before + 60
    assert first.sum() == 0 and (last[0], last[99]) == (19_900, 19_999)
    assert all(np.array_equal(*pair) for pair in middle)
    assert first.sum() == 0


def test_differences_go_when_the_handle_goes(traced):
    first = persistent.array(np.zeros(100_000))
    last = first.copy()
    before = kilobytes()
    for k in range(5_000):
        last[k] = k
    assert kilobytes() > before + 100           # all of them stand between the two
    del last
    assert kilobytes() < before + 10
    assert first.sum() == 0


def test_the_dead_end_of_a_branch_is_found_when_others_are_at_work():
    a = persistent.array(np.zeros(4))
    b = a.setitem(0, 1.0).setitem(1, 2.0)
    tree, last = b._tree, b._version.node
    with tree.lock:
        del b
    assert tree.current is last                 # nobody could look at it then
    c = a.setitem(2, 3.0)
    assert (a.tolist(), c.tolist()) == ([0, 0, 0, 0], [0, 0, 3, 0])
    del c
    assert tree.current is a._version.node and not versions.neighbours(tree.current) and not tree.gone


def test_a_long_way_is_no_recursion():
    first = persistent.array(np.zeros(100))
    kept = [first]
    for k in range(100_000):
        kept.append(kept[-1].setitem(k % 100, k))
    assert (first[99], kept[-1][99], kept[500][0]) == (0, 99_999, 400)
    assert kept[-1][0] == 99_900
    last = kept[-1]
    del kept                                    # a chain of 100,000 objects is freed
    assert (first[0], last[0]) == (0, 99_900)


def test_an_abandoned_array_is_freed_at_once():
    gc.disable()
    try:
        a = persistent.array(np.zeros(10))
        b = a.setitem(0, 1.0).setitem(1, 2.0)
        buffer = weakref.ref(a._tree)
        del a, b
        assert buffer() is None                 # nothing waits for the garbage collector
    finally:
        gc.enable()


# Threads

def test_threads_share_versions():
    base = persistent.array(np.arange(50.0))
    wrong = []

    def work(number):
        rng, own, model = np.random.default_rng(number), base.copy(), np.arange(50.0)
        for _ in range(400):
            own, model = random_change(rng, own, model)
            if not np.array_equal(own, model) or base[7] != 7:
                wrong.append(number)
    run(work, range(4))
    assert wrong == []


def test_no_write_through_a_shared_handle_is_lost():
    shared = persistent.zeros(0)

    def work(number):
        for _ in range(300):
            shared.append(number)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        run(work, range(4))
    finally:
        sys.setswitchinterval(interval)
    assert np.bincount(np.array(shared, int)).tolist() == [300] * 4


def run(work, numbers):
    threads = [threading.Thread(target=work, args=(n,)) for n in numbers]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)


# Derivatives

def loop(a, v):
    total = 0.0
    for k in range(3):
        x = a
        for j in range(4):
            r = (j * 3 + k) % 4
            x = x.setitem(r, np.tanh(v * x[r] + x[(r + 1) % 4]))
        total = total + x[k] * x[k + 1]
    return total


def pieces(a, v):
    b = a.setitem(slice(0, 2), v * a[1:3])
    c = b.setitem([0, 2, 0], np.stack([v, v * v, 3 * b[1]]))
    d = c.setitem(np.array([True, False, False, True]), v).setitem([1, 2], a[[3, 3]])
    return np.sum(a * c) + b[0] * d[1] * d[3] * d[2]


def branch(a, v):
    b = a.setitem(0, v * v)
    if v > 0:
        b = b.setitem(1, b[0] * a[2])
    else:
        b = a
    return np.dot(b, b)


def rows(a, v):
    b = a.appended(v * a[0])
    c = b.extended(np.stack([b[-1] * v, v]))
    last, d = c.popped()
    return np.sum(d * d) * last + b[-1] + a[1]


def recursive(a, v):
    return descended(a, v, 3)


def descended(a, v, n):
    if n == 0:
        return a[0] * a[1]
    b = a.setitem(n % 4, a[n - 1] * v)
    return descended(b, v, n - 1) + b[n]


def many_indices(a, v):
    b = a.setitem(-1, v).setitem((slice(None, None, 2),), 2 * v).setitem(3, a[-1] * v)
    c = b.setitem(slice(3, None), b[:1]).setitem(..., b * v)
    return np.sum(b * c) + a.sum() * a.max() + a.reshape(2, 2)[0, 1] * a.dot(c)


def made(a, v):
    b = persistent.array(np.asarray(a) * v)
    c = b.setitem(0, b[1])
    e = persistent.array(c)
    return c[0] * e[2] * persistent.array([v, 2.0])[0]


VALUES = [recursive, many_indices, loop, pieces, branch, rows, made]


def in_place(a, v):
    for i in range(len(a)):
        a[i] = a[i] * v + a[(i + 1) % len(a)]
    return np.sum(a[...] * a)


def in_place_pieces(a, v):
    a[1:3] = v * a[0:2]
    a[0] *= a[1]
    a[[0, 2, 0]] = np.array([v, v * v, 3 * v])
    a[1:] += a[:-1]
    a[2] -= v
    a[3] /= 1 + a[0] ** 2
    return a[0] * a[1] + np.sum(a * a)


def snapshots(a, v):
    start = a.copy()
    a[0] = v * start[1]
    b = a.copy()
    a[1] = a[0] * v
    b[2] = a[1] + start[0]
    return np.sum(a * b) + start[0] * b[2] * a[2]


def in_place_rows(a, v):
    a.append(v * a[0])
    a.append(a[-1] * 2)
    last = a.pop()
    a.extend([last, v])
    a[0] = a.pop() * last
    return np.sum(a * a)


def two_names(a, v):
    b = a
    b[0] = v
    row = a[1:3]
    row[0] = 5 * v
    a[1] = a[1] * row[0]
    return np.sum(a * a) + row[0] * row[1]


def whole(a, v):
    a += v
    a *= a[0]
    c = a * 2
    turned = a.T
    turned[0] = 3.0
    d = np.tanh(a) + a.T + a.sum()
    return np.sum(c * d) + np.sum(turned * turned)


def scale(a, i, v):
    a[i] = a[i] * v


def through_calls(a, v):
    scale(a, 0, v)
    scale(a, 1, a[0])
    return a[0] * a[1] * a[2]


def with_try(a, v):
    for i in range(6):
        try:
            a[i] = a[i] * v
        except IndexError:
            a.append(v)
    return np.sum(a * a)


def made_in_place(a, v):
    b = persistent.zeros(3)
    for i in range(3):
        b[i] = a[i] * v
    c = persistent.array(b)
    c[0] = b[1]
    return np.sum(b * c)


def of_containers(a, v):
    h = [a, a.copy()]
    h[0][0] = v
    h[1][1] = v * h[0][0]
    d = {'x': h[1].setitem(2, v)}
    d['x'][3] = h[0][1] * d['x'][2]
    return np.sum(h[0] * h[1] * d['x'])


class Box:
    def __init__(self, a):
        self.a = a

    def bump(self, v):
        self.a[1] = self.a[0] * v
        self.a.append(v * self.a[1])


def of_objects(a, v):
    b = Box(a)
    b.bump(v)
    b.a = b.a.setitem(0, b.a[-1])
    b.bump(v)
    return np.sum(a * a) + np.sum(b.a * b.a)


def of_closures(a, v):
    def scaled(i):
        a[i] = a[i] * v
        return a[i]
    return scaled(0) * scaled(1) + scaled(0) + np.sum(a * a)


def history(a, v):
    k, kept = 0, []
    while a[k] < 1.0 and k < 3:
        kept.append(a.copy())
        a[k] = a[k] + v
        a[k + 1] = a[k] * a[k + 1]
        k += 1
    total = 0.0
    for h in kept:
        total = total + h[1] * h[0]
    return total + a[2]


def given_twice(a, v):
    return both(a, a, v)


def both(p, q, v):
    p[0] = v
    q[1] = p[0] * q[1]
    return np.sum(p * q)


def repeated_indices(a, v):
    a[0:2] = v * a[[1, 1]]
    b = a.setitem([2, 0], a[[1, 1]] * a[[3, 3]])
    a[[1, 1]] += np.stack([v, b[0]])
    return np.sum(a * b)


def by_rows(a, v):
    total = 0.0
    for x in a:
        total = total + x * v
        a[3] = total
    a[0], a[1] = a[1] * v, a[0]
    a[:] = a * a[0] + a
    return total * a[3] + a[0] + 2 * a[1]


IN_PLACE = [in_place, in_place_pieces, snapshots, in_place_rows, two_names, whole, through_calls, with_try, of_containers,
            of_objects, of_closures, history, given_twice, by_rows, repeated_indices, made_in_place]


def differences(f, a, v, h=1e-6):
    """The gradient of `f` by central differences."""
    found = [(f(persistent.array(a + e), v) - f(persistent.array(a - e), v)) / (2 * h) for e in h * np.eye(len(a))]
    return np.array(found), (f(persistent.array(a), v + h) - f(persistent.array(a), v - h)) / (2 * h)


@pytest.mark.parametrize('f', VALUES + IN_PLACE, ids=lambda f: f.__name__)
def test_gradients(f):
    a = persistent.array(START)
    value, found = tangent.value_and_grad(f, wrt=(0, 1))(a, 1.3)
    assert a.tolist() == START
    np.testing.assert_allclose(value, f(persistent.array(START), 1.3), rtol=1e-14)
    for ours, theirs in zip(found, differences(f, np.array(START), 1.3)):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize('f', [f for f in VALUES + IN_PLACE if f is not of_objects], ids=lambda f: f.__name__)
def test_tangents(f):
    da = np.array([0.3, -1.0, 0.7, 2.0])
    expected = differences(f, np.array(START), 1.3)
    a = persistent.array(START)
    np.testing.assert_allclose(tangent.jvp(f)(a, 1.3, persistent.array(da)), expected[0] @ da, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tangent.jvp(f, wrt=1)(persistent.array(START), 1.3, 2.0), 2 * expected[1], rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize('f', VALUES, ids=lambda f: f.__name__)
def test_second_order(f):
    direction, h = np.array([0.3, -1.0, 0.7, 2.0]), 1e-5
    a, df = persistent.array(START), tangent.grad(f)
    ahead, behind = (np.asarray(df(persistent.array(START + e * direction), 1.3)) for e in (h, -h))
    np.testing.assert_allclose(tangent.hvp(f)(a, 1.3, direction), (ahead - behind) / (2 * h), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize('f', [in_place, in_place_pieces, snapshots, in_place_rows, two_names, of_closures, made_in_place],
                         ids=lambda f: f.__name__)
def test_second_order_in_place_by_reverse_over_forward(f):
    direction, h, df = np.array([0.3, -1.0, 0.7, 2.0]), 1e-5, tangent.grad(f)
    ahead, behind = (np.asarray(df(persistent.array(START + e * direction), 1.3)) for e in (h, -h))
    found = tangent.grad(tangent.jvp(f))(persistent.array(START), 1.3, persistent.array(direction))
    np.testing.assert_allclose(found, (ahead - behind) / (2 * h), rtol=1e-6, atol=1e-7)


def test_other_ways_to_ask():
    def f(a, v):
        return a.setitem(0, v * a[1])

    def cost(a, v):
        b = f(a, v)
        return b[0] * b[1] + a[2] ** 3
    a, rows = persistent.array([1.0, 2.0, 3.0]), np.array([[0, 2, 0], [0, 1, 0], [0, 0, 1.0]])
    for jacobian in (tangent.jacobian, tangent.func.jacfwd, tangent.func.jacrev):
        np.testing.assert_array_equal(jacobian(f)(a, 2.0), rows)
    np.testing.assert_array_equal(tangent.hessian(cost)(a, 2.0), np.diag([0, 4, 18.0]))
    da, dv = tangent.vjp(f, wrt=(0, 1))(a, 2.0, persistent.array([1.0, 10.0, 100.0]))
    assert (da.tolist(), dv) == ([0, 12, 100], 2)
    value, gradient = tangent.value_and_grad(cost)(a, 2.0)
    assert (value, gradient.tolist()) == (35, [0, 8, 27])
    tangent.check_grads(cost, (a, 2.0), order=2)
    split = tangent.autodiff(cost, motion='split')
    assert split(a, 2.0, init_grad=2.0).tolist() == [0, 16, 54]
    assert tangent.grad(cost, optimized=False)(a, 2.0).tolist() == [0, 8, 27]


def test_in_checkpointed_loops():
    def plain(a, v):
        for k in range(6):
            a = a.setitem(k % 3, np.tanh(a[(k + 1) % 3] * v))
        return np.sum(a * a)

    def with_budget(a, v):
        for k in tangent.checkpointed(range(6), budget=2):
            a = a.setitem(k % 3, np.tanh(a[(k + 1) % 3] * v))
        return np.sum(a * a)
    a = persistent.array([0.5, 0.2, 0.3])
    for ours, theirs in zip(tangent.grad(with_budget, wrt=(0, 1))(a, 1.3), tangent.grad(plain, wrt=(0, 1))(a, 1.3)):
        np.testing.assert_allclose(ours, theirs, rtol=1e-14)


def test_in_containers():
    @dataclasses.dataclass
    class Model:
        a: persistent.Array
        w: float

    def f(model, others):
        b = model.a.setitem(0, model.w * others['x'][1])
        return b[0] * b[2]
    a = persistent.array([1.0, 2.0, 3.0])
    g, h = tangent.grad(f, wrt=(0, 1))(Model(a, 5.0), {'x': a.copy()})
    assert (g.a.tolist(), g.w, h['x'].tolist()) == ([0, 0, 10], 6, [0, 15, 0])
    assert isinstance(g.a, persistent.Array) and isinstance(h['x'], persistent.Array)


def test_the_rules_name_functions_of_their_own():
    for name in ('unset_item', 'written_item', 'head_rows', 'row_at', 'tail_rows', 'unpop', 'dense', 'persisted', 'push_set'):
        assert library.find(name) is getattr(gradient, name)


def test_a_gradient_is_persistent_and_the_users_own():
    a = persistent.array(np.array(START, np.float32))
    g = tangent.grad(lambda a: a[0] * a[1])(a)
    assert isinstance(g, persistent.Array) and g.dtype == np.float32
    np.testing.assert_array_equal(g, np.array([1.2, 0.5, 0, 0], np.float32))
    g[0] = 9.0
    assert a[0] == np.float32(0.5)
    unused = tangent.grad(lambda a, b: b * b, wrt=0)(a, 2.0)
    assert isinstance(unused, persistent.Array) and unused.tolist() == [0, 0, 0, 0]
    whole_numbers = tangent.grad(lambda a: a[1] * a[1] * 1.0)(persistent.array([1, 2]))
    assert whole_numbers.dtype == np.float64 and whole_numbers.tolist() == [0, 4]


def test_functions_of_numpy_that_write_into_one_are_right_or_refused():
    def put(a, v):
        np.put(a, [0, 2], v)
        return np.sum(a * a)

    def put_somewhere(a, v):
        try:
            np.put(a, [0, 2], v)
        except IndexError:
            pass
        return np.sum(a * a)

    def multiplied(a, v):
        np.multiply(a, v, out=a)
        return np.sum(a * a)
    for f in (put, put_somewhere, multiplied):
        try:
            found = tangent.grad(f, wrt=(0, 1))(persistent.array(START), 1.3)
        except AliasError as error:
            assert 'writes into a Array: use a' in str(error)
            continue
        for ours, theirs in zip(found, differences(f, np.array(START), 1.3)):
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-7)
    with pytest.raises(AliasError, match='writes into a Array: use a'):
        tangent.grad(put_somewhere)(persistent.array(START), 1.3)


def test_complex():
    def f(a, v):
        b = a.setitem(0, v * a[1] * 1j)
        b = b.setitem(slice(1, 3), b[0] * a[0:2])
        return np.real(b[1] * np.conj(b[2]) + b[0])
    z, w, h = np.array([0.3 + 1j, -0.5 + 0.2j, 1.0 - 1j]), 0.7 - 0.4j, 1e-6
    gz, gw = tangent.grad(f, wrt=(0, 1))(persistent.array(z), w)
    for e in np.eye(3):
        both = [(f(persistent.array(z + d * e), w) - f(persistent.array(z - d * e), w)) / (2 * h) for d in (h, h * 1j)]
        np.testing.assert_allclose(np.sum(gz * e), both[0] + 1j * both[1], rtol=1e-6, atol=1e-8)
    both = [(f(persistent.array(z), w + d) - f(persistent.array(z), w - d)) / (2 * h) for d in (h, h * 1j)]
    np.testing.assert_allclose(gw, both[0] + 1j * both[1], rtol=1e-6)


# Random programs

@pytest.mark.parametrize('seed', range(20))
def test_random_programs(seed, tmp_path, monkeypatch):
    name, x = f'persistent_program_{seed}', np.array(START)
    (tmp_path / f'{name}.py').write_text(persistent_programs.Writer(seed).program())
    monkeypatch.syspath_prepend(tmp_path)
    f = importlib.import_module(name).f
    numeric, by_v = differences(f, x, 1.3)
    if not np.max(np.abs(numeric)) < 1e4:
        pytest.skip('too steep for differences')
    numeric = np.append(numeric, by_v)
    gradient = np.append(*tangent.grad(f, wrt=(0, 1))(persistent.array(x), 1.3))
    push = tangent.jvp(f, wrt=(0, 1))
    tangents = [push(persistent.array(x), 1.3, persistent.array(e[:4]), e[4]) for e in np.eye(5)]
    for found in (gradient, tangents):
        np.testing.assert_allclose(found, numeric, rtol=1e-4, atol=1e-4 * max(1.0, np.max(np.abs(numeric))))


# What it costs

def test_the_lattice_is_one_model_in_three_ways():
    found = {}
    for way, function in lattice.WAYS.items():
        x0, w = lattice.arguments(way, 9, 3)
        found[way] = [np.asarray(g) for g in tangent.grad(function, wrt=('x0', 'w'))(x0, w, 5)]
    for way in ('subarrays', 'persistent'):
        for ours, theirs in zip(found[way], found['immutable']):
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-14)


def test_the_lattice_benchmark_reports(tmp_path):
    rows = [*lattice.run({}, repeats=1, sizes=(4, 6, 8))]
    assert all(row.value > 0 for row in rows if '~' not in row.what)
    assert rows[-1].what == 'lattice, n = 8: immutable / persistent'
    pytest.importorskip('matplotlib')
    lattice.plot(tmp_path / 'lattice.svg', lattice.times((3, 4), repeats=1))
    assert '</svg>' in (tmp_path / 'lattice.svg').read_text(encoding='utf-8')


def elements_moved(function, n, m, d, monkeypatch):
    """How many elements the writes, walks and sums of one gradient of the lattice touch."""
    moved = [0]

    def counted(function):
        def count(*args):
            value = function(*args)
            moved[0] += np.size(value)
            return value
        return count
    with monkeypatch.context() as patch:
        patch.setattr(versions, 'taken', counted(versions.taken))
        patch.setattr(persistent.Array, '__getitem__', counted(persistent.Array.__getitem__))
        x0, w = lattice.arguments('persistent', n, d)
        tangent.grad(function, wrt=('x0', 'w'))(x0, w, m)
    return moved[0]


@pytest.mark.parametrize('function', [lattice.branches, lattice.subarrays], ids=['values', 'in place'])
def test_a_gradient_of_the_lattice_costs_n_d_m(function, monkeypatch):
    base = elements_moved(function, 40, 6, 4, monkeypatch)
    assert base > 40 * 6 * 4
    assert elements_moved(function, 80, 6, 4, monkeypatch) == 2 * base
    assert elements_moved(function, 40, 6, 8, monkeypatch) < 2.2 * base
    assert elements_moved(function, 40, 12, 4, monkeypatch) < 2.2 * base


def test_versions_that_end_while_another_is_written():
    """Four in a row are gone at once, and nobody needs what stands behind: looking for the next one comes to an end."""
    tree = versions.Tree(np.zeros(4))
    held = [tree.first()]
    for k in range(3):
        held.append(tree.write(k, 1.0)[0])
    tree.reroot(held[2].node)
    with tree.lock:                                        # whoever writes holds it, and garbage is collected meanwhile
        del held[:]
    tree.forget(tree.current)
    assert not tree.gone and np.array_equal(tree.data, [1.0, 1.0, 0.0, 0.0])
