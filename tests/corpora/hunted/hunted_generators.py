"""What generators and contexts do after a yield, which reverse mode undid as if it had come before what the consumer did."""
import contextlib
import heapq
import itertools
import math

import numpy as np

from tests.corpora.hunted.hunting import found

X = np.array([0.7, 1.3, 0.4])


def score(log):
    return sum(v * v * (k + 1) for k, v in enumerate(log))


def squares(x, log):
    for v in x:
        yield v * 1.0
        log.append(v * v)


@found(X)
def both_append(x):
    log = []
    for v in squares(x, log):
        log.append(v)
    return score(log)


def one(a, log):
    yield 1.0
    log.append(a)


@found(X)
def one_value(x):
    log = [x[0]]
    for v in one(x[1], log):
        log.append(log[-1] * x[2] * v)
    return score(log)


@found(X)
def two_in_step(x):
    log = []
    for a, b in zip(squares(x, log), squares(2 * x, log)):
        log.append(a * b)
    return score(log)


@found(X)
def the_shorter_ends(x):
    log = []
    for a, b in zip(squares(x, log), [x[0], x[1]]):
        log.append(a * b)
    return score(log)


def scales(s, x):
    for v in x:
        yield v * s[0]
        s[0] = s[0] * v


@found(X)
def what_both_read(x):
    s, t = [1.0], 0.0
    for v in scales(s, x):
        s[0] = s[0] + v
        t = t + s[0] * v
    return t


@found(X, mixes=('f',))
def captured(x):
    out, s = [], [1.0]

    def products():
        for v in x:
            yield v
            out.append(s[0] * v)
    for v in products():
        s[0] = s[0] * v
    return sum(out) + s[0]


def doubles(x, log):
    for v in squares(x, log):
        yield v * 2
        log.append(v * 3)


@found(X)
def one_through_another(x):
    log = []
    for v in doubles(x, log):
        log.append(v * v)
    return score(log)


def then_a_product(x, log):
    yield from squares(x, log)
    log.append(x[0] * x[1])


@found(X)
def yield_from(x):
    log = []
    for v in then_a_product(x, log):
        log.append(v * v)
    return score(log)


@found(X, mixes=())
def the_last_next(x):
    log = []
    g = squares(x, log)
    for _ in range(4):
        log.append(next(g, x[0] * x[1]))
    return score(log)


def consume(g, log):
    for v in g:
        log.append(v * 3)


@found(X, mixes=())
def consumed_elsewhere(x):
    log = []
    consume(squares(x, log), log)
    return score(log)


def stops(x, log):
    for v in x:
        yield v
        log.append(v * v)
        if v > 1.0:
            raise ValueError


@found(X)
def one_that_raises(x):
    log = []
    try:
        for v in stops(x, log):
            log.append(v * 3)
    except ValueError:
        log.append(x[2] * log[-1])
    return score(log)


def at_last(x, log):
    try:
        yield from x
    finally:
        log.append(x[0] * 5)


@found(X)
def ends_with_the_loop(x):
    log = []
    for v in at_last(x, log):
        log.append(v * 3)
        if v > 1.0:
            break
    log.append(x[1])
    return score(log)


@found(X, mixes=())
def nobody_reads_its_values(x):
    log = []
    g = squares(x, log)
    log.append(x[1])
    for _ in g:
        pass
    log.append(x[2] * log[-1])
    return score(log)


@found(X, mixes=())
def extended_while_it_grows(x):
    log = []
    log.extend(squares(x, log))
    return score(log)


def empty(x, log):
    log.append(x[0])
    return
    yield


@found(X, mixes=())
def without_a_value(x):
    log = []
    g = empty(x, log)
    log.append(x[1])
    for v in g:
        log.append(v)
    return log[0] * log[0] * log[1]


@contextlib.contextmanager
def around(log, a):
    log.append(a)
    yield a * 2
    log.append(a * log[-1])


@found(X, mixes=('f',))
def contexts_in_each_other(x):
    log = []
    with around(log, x[0]) as u, around(log, x[1]) as v:
        log.append(u * v * x[2])
    return score(log)


class State:
    def __init__(self):
        self.v = 1.0

    @contextlib.contextmanager
    def scaled(self, a):
        self.v = self.v * a
        yield self.v
        self.v = self.v * self.v + a


@found(X, mixes=('f',))
def contexts_of_an_object(x):
    s = State()
    with s.scaled(x[0]) as u, s.scaled(x[1]) as w:
        s.v = s.v * w * u
    return s.v * x[2]


class Stream:
    """Has a generator that writes when it ends."""

    def __init__(self, v):
        self.v = v

    def parts(self):
        try:
            yield self.v
            yield self.v * 2.0
        finally:
            self.v = self.v * 10.0


@found(X, mixes=('f',))
def left_at_a_break(x):
    """Forward mode kept the generator, and its end came at the end of the function."""
    s, t = Stream(x[0]), 0.0
    for v in s.parts():
        t = t + v * x[1]
        break
    return t + s.v * x[2]


@found(X, mixes=('f',))
def left_at_a_break_by_number(x):
    s, t = Stream(x[0]), 0.0
    for k, (v, w) in enumerate(zip(s.parts(), x)):
        t = t + v * w
        if k == 0:
            break
    return t * x[1] + s.v * x[2]


@found(X, mixes=('f',))
def left_by_an_error(x):
    s, t = Stream(x[0]), 0.0
    try:
        for v in s.parts():
            t = t + v * x[1]
            raise ValueError
    except ValueError:
        t = t * s.v
    return t + s.v * x[2]


class Tuned:
    def __init__(self, v):
        self.v, self.n = v, 1.0

    def __enter__(self):
        self.n = self.n * self.v
        return self.n

    def __exit__(self, kind, error, place):
        self.v = self.v * 3.0
        return kind is ValueError


@contextlib.contextmanager
def noted(log, v):
    log.append(v)
    try:
        yield v * 2.0
    except ValueError:
        log.append(v * 5.0)
    finally:
        log.append(v * v)


@found(X, mixes=('f',))
def contexts_left_in_all_ways(x):
    t = Tuned(x[0])
    for k in range(4):
        with t as a:
            if k == 1:
                continue
            y = a * x[1]
            if k == 2:
                break
            raise ValueError
    return y * t.v * t.n


@found(X, mixes=('f',))
def generators_that_see_an_error_in_their_context(x):
    log, w = [], x[1]
    with noted(log, x[0]) as u:
        w = w * u
        raise ValueError
    try:
        with noted(log, x[2]):
            raise KeyError
    except KeyError:
        w = w * log[1]
    return w * log[2] + log[-1] * log[-2]


def inside_of(t, v):
    with t as a:
        return a * v


@found(X, mixes=('f',))
def returned_from_a_context(x):
    t = Tuned(x[0])
    return inside_of(t, x[1]) * t.v * inside_of(t, x[2])


@found(X, mixes=('f',))
def a_generator_inside_that_writes(x):
    log, y = [], x * 1.0

    def parts(n):
        for k in range(n):
            log.append(y[k] * 2.0)
            yield y[k]
            y[k] = y[k] * y[k]
    t = 0.0
    for v in parts(3):
        y[2] = y[2] + v
        t = t + v * log[-1]
        if len(log) > 2:
            break
    return t * np.sum(y)


@found(X, mixes=('f',))
def a_generator_inside_that_calls_itself(x):
    def leaves(tree):
        if isinstance(tree, list):
            for t in tree:
                yield from leaves(t)
        else:
            yield tree * x[0]
    return sum(leaves([x[1], [x[2], [2.0]]]))


@found(X, mixes=('f',))
def a_generator_inside_that_binds_a_variable_outside(x):
    s = 0.0

    def sums():
        nonlocal s
        for v in x:
            s = s + v * v
            yield s
    t = 0.0
    for v in sums():
        t = t + v
    return t * s


class Failed(Exception):
    def __init__(self, v):
        self.v = v


class Pool:
    def __init__(self):
        self.items, self.total = [], 0.0

    @contextlib.contextmanager
    def item(self, v):
        self.items.append(v)
        try:
            yield self
        except Failed as e:
            self.total = self.total + e.v
        finally:
            self.total = self.total + self.items.pop() * 2.0


def a_context_that_asks_an_exception(x):
    p = Pool()
    for v in x:
        with p.item(v):
            if v > 1:
                raise Failed(v * v)
    return p.total


# Step by step

def numbered(x, n=3):
    for k in range(n):
        yield x * (k + 1)
        x = x * 1.1


def scaling(o, x):
    for k in range(3):
        o.v = o.v * x + k
        yield o.v


class Cell:
    def __init__(self, v):
        self.v = v

    def steps(self, x):
        for _ in range(3):
            self.v = self.v * x
            yield self.v

    def reads(self):
        for k in range(3):
            yield self.v * k


ALL_BUT_TWICE_FORWARD = 'f', 'rf', 'fr', 'rr'


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def first_and_the_rest(x):
    """Forward mode took no single value of a generator."""
    g = numbered(x)
    a = next(g)
    return sum(g) * a * next(numbered(x * x)) + next(g, x * x)


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def gone_on_with_after_a_break(x):
    g = numbered(x)
    for v in g:
        if v > 1.0:
            break
    return sum(g) * v + sum(g)


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def until_it_ends(x):
    g = numbered(x)
    try:
        while True:
            x = x * next(g)
    except StopIteration:
        pass
    return x


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def written_between_the_steps(x):
    o = Cell(x)
    g = scaling(o, x)
    a = next(g)
    o.v = o.v * a
    t = 0.0
    for v in g:
        t = t + v * a
        o.v = o.v * x
    return t * o.v


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def facts_of_what_is_left(x):
    g, h = numbered(x), numbered(x * x, 4)
    n = len([v for v in g if v > 1.0])
    if max(h) > 1.0:
        return n * x * x
    return x


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def method_that_writes_between_its_values(x):
    """Second order took all values at once: wrong where the object is written, here or there, between them."""
    o, t = Cell(x), 0.0
    for v in o.steps(x):
        o.v = o.v * v * 2.0
        t = t + v
    return t * o.v


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def method_that_reads_between_its_values(x):
    o, t = Cell(x), 0.0
    for v in o.reads():
        o.v = o.v * x + v
        t = t + v
    return t * o.v + sum(o.steps(x))


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def steps_of_a_method(x):
    o = Cell(x)
    g = o.steps(x)
    a = next(g)
    o.v = o.v * 2.0
    t = 0.0
    for v in g:
        o.v = o.v * a
        t = t + v
    return t * o.v


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def one_inside_of_another(x):
    o, t = Cell(x), 0.0
    for v in scaling(o, x):
        o.v = o.v * v
        for w in scaling(o, v):
            t = t + w
    return t * o.v


# Inside of functions

@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def variable_that_both_bind(x):
    """Forward mode refused generators inside that read or bind what is bound anew."""
    a = x

    def parts(q):
        nonlocal a
        while a < 5.0:
            a = a + q
            yield a * q
            q = q * 1.1
    t = 0.0
    for v in parts(x):
        t = t + v * a
        a = a * 1.2
    return t * a


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def bound_when_it_is_left(x):
    a = x

    def parts():
        nonlocal a
        try:
            yield a
            yield a * a
        finally:
            a = a * 3.0
    for v in parts():                  # noqa: B007
        break
    return a * v


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def steps_of_one_inside(x):
    a = x

    def parts():
        yield a
        yield a * a
    g = parts()
    t = next(g)
    a = a * x
    return t + next(g)


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def two_of_one_inside(x):
    a = x

    def parts(n):
        nonlocal a
        for _ in range(n):
            a = a * x
            yield a
    t = max(parts(2)) * a
    for p, q in zip(parts(2), parts(2)):
        t = t + p * q
    return t


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def left_by_an_exception(x):
    """Second order took all values of a method's generator at once, though it was left."""
    o, y = Cell(x), 0.0
    try:
        for v in o.steps(x):
            y = y + v
            if v < 0.4:
                raise ValueError(v)
    except ValueError as e:
        return e.args[0] * o.v * y
    return y


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def the_whole_of_what_a_method_yields(x):
    o = Cell(x)
    y = max(o.steps(x)) + sorted(o.steps(2.0))[0] * o.v
    z = list(o.steps(x))
    return y * z[0] + sum(o.steps(x))


def steps_of(x):
    for k in range(3):
        yield x * k


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def the_rest_of_a_generator_added_up_by_fsum(x):
    """Forward mode refused what it takes of `sum`."""
    g = steps_of(x * x)
    next(g)
    return math.fsum(g) * x


# What is read before a generator with a name is gone through is read before that writes

class Running:
    def __init__(self, v):
        self.v = v

    def scaled(self, x):
        for k in range(3):
            self.v = self.v * x
            yield self.v + k


def growing(o, x):
    for _ in range(3):
        o.v = o.v * x
        yield o.v


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def read_before_a_sum_over_a_name(x):
    o = Running(x)
    g = o.scaled(x)
    return o.v * sum(y * 2.0 for y in g) + o.v * 2.0


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def read_before_and_behind_a_sum(x):
    o = Running(x)
    g = o.scaled(x)
    for y in g:
        if y > 0.1:
            break
    a = [o.v, sum(g), o.v]
    return a[0] * a[1] * a[2]


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def read_around_a_list_that_a_generator_fills(x):
    o = Running(x)
    g = growing(o, x)
    return o.v * sum([y for y in g]) * o.v


@found(0.7, mixes=ALL_BUT_TWICE_FORWARD)
def read_around_the_largest(x):
    o = Running(x)
    g = growing(o, x)
    d = {'a': o.v, 'b': max(g), 'c': o.v}
    return d['a'] * d['b'] * d['c']


def filled(a, v):
    for k in range(3):
        v[k] = a * (k + 1)
        yield v


def doubled(o):
    for _ in range(2):
        o['a'] = o['a'] * 2.0
        yield o


def cleared_at_last(v):
    yield v
    v[1] = 0.0


@found(X, mixes=('f', 'rf', 'fr', 'rr'))
def writing_while_it_is_listed(x):
    s, t, u, w = x * 1.0, x * 2.0, x * 3.0, x * 4.0
    z = list(filled(1.141, s))
    n = len(list(filled(x[1], t)))
    if list(filled(2.0, u)):
        n += 1
    y = 1.0 if tuple(filled(x[0], w)) else 2.0
    return s[1] * n + t[1] * y + u[0] * len(z) + w[2] * x[0]


@found(X, mixes=('f', 'rf', 'fr', 'rr'))
def writing_after_what_was_listed(x):
    s, o = x * 1.0, {'a': x[0]}
    z, q = list(cleared_at_last(s)), list(doubled(o))
    return z[0][1] + s[1] + s[0] * z[0][2] + q[0]['a'] * q[1]['a']


@found(X, mixes=('f',))
def writing_while_it_is_asserted(x):
    s = x * 1.0
    d = {'n': len(list(filled(x[1], s)))}
    assert list(filled(x[2], s))
    return s[1] * d['n'] + s[0]


# Iterators without a derivative beside what has one

def twos():
    while True:
        yield 2


@found(X, mixes=('f', 'rf'))
def beside_iterators_without_an_end(x):
    total = sum(a * b for a, b in zip(x, twos())) * sum(a * b for a, b in zip((k for k in itertools.count(1)), x))
    for k, (a, b) in enumerate(zip(x, map(float, itertools.count(1)))):
        total += a * b * k
    return total + sum(a * b for a, b in zip(x, itertools.chain([1], itertools.repeat(3))))


@found(X, mixes=('f', 'rf'))
def beside_iterators_under_names(x):
    it, other, more = iter([1, 2, 3, 4, 5]), twos(), (k for k in range(6))
    total = sum(a * b for a, b in zip(x, it)) * next(it)
    return total * sum(a * b for b, a in zip(other, x)) + sum(a * b for a, b in zip(x, more)) * sum(more)


@found(X, mixes=('f',))
def in_a_zip_that_is_handed_on(x):
    return sum(itertools.starmap(lambda a, b: a ** b, zip(x, itertools.repeat(3)))) * sum(
        itertools.starmap(lambda a, b: a * b, zip(x, twos())))


def zero(v):
    return [0.0, v]


@found(X, mixes=('f', 'rf'))
def a_function_whose_twin_is_named_as_one_of_the_library(x):
    return zero(x[0])[1] * x[1] + zero(x[2])[0]


# `iter(f, end)` calls a function until it gives something

class Feed:
    def __init__(self, v):
        self.v, self.n = v, 0

    def next(self):
        self.n += 1
        return self.v * self.n if self.n < 4 else -1


@found(X)
def popped_until_nothing_is_left(x):
    xs, t = [0.0, x[0], x[1] * 2.0, x[2]], 0.0
    for v in iter(xs.pop, 0.0):
        if v > 2.0:
            continue
        xs.insert(1, v * 2.0)
        t += v * v
    return t


@found(X)
def a_method_until_it_is_done(x):
    feed, t = Feed(x[0]), 0.0
    for v in iter(feed.next, -1):
        t += v * v * x[1]
        if t > 10.0:
            break
    else:
        t = t * x[2]
    return t


@found(X)
def pairs_until_the_last(x):
    pairs, t = [(0, 0), (1, x[0]), (2, x[1] * x[2])], 0.0
    for k, v in iter(pairs.pop, (0, 0)):
        pairs = [(k, v)]
        t += k * v * v
    return t * pairs[0][1]


@found(X, mixes=('f',))
def a_function_inside_until_it_gives_none(x):
    n = 0

    def step():
        nonlocal n
        n += 1
        return x[n] if n < 3 else None
    t = 0.0
    for v in iter(step, None):
        t += v * v * n
    return t


# What is numbered beside something finite may have no end

def squares_without_end(x):
    while True:
        yield x
        x = x * x


@found(X)
def numbered_without_end(x):
    t = 0.0
    for a, (k, b) in zip(x, enumerate(squares_without_end(x[0]), 1)):
        t += a * b * k
    return t


@found(X)
def numbered_counts(x):
    return sum([a * a * b * k for (k, b), a in zip(enumerate(itertools.count(1)), x)])


# Counters whose numbers stand beside what has a derivative

class Queue:
    def __init__(self):
        self.numbers, self.held = itertools.count(), []

    def put(self, time, value):
        heapq.heappush(self.held, (time, next(self.numbers), value))

    def get(self):
        return heapq.heappop(self.held)


@found(0.7)
def events_with_numbers_in_a_heap(x):
    held, numbers, total = [], itertools.count(), 0.0
    heapq.heappush(held, (0.0, next(numbers), x))
    heapq.heappush(held, (1.0, next(numbers), x * x))
    for _ in range(3):
        time, _, value = heapq.heappop(held)
        total = total + value
        heapq.heappush(held, (time + 2, next(numbers), value * x))
    return total


@found(0.7)
def events_with_numbers_of_a_queue(x):
    queue, total = Queue(), 0.0
    queue.put(0.0, x)
    queue.put(1.0, x * x)
    for _ in range(3):
        time, number, value = queue.get()
        total = total + value * number
        queue.put(time + 2, value * x)
    return total


@found(0.7)
def names_of_a_list_and_of_a_cycle_beside_values(x):
    names, turns = iter([3, 4, 5, 6, 7]), itertools.cycle([1, 2])
    held = [(next(turns), next(names), x)]
    for _ in range(3):
        turn, name, value = held.pop(0)
        held.append((next(turns), next(names), value * x))
    return held[0][2] * x * held[0][1] + held[0][0]


def draws(rng, values, n):
    return [values[rng.integers(len(values))] * rng.random() for _ in range(n)]


@found(np.array([0.7, 1.3, 0.4, -0.9]))
def drawn_in_a_function_that_is_given_the_generator(x):
    rng = np.random.default_rng(1)
    xs = draws(rng, x, 3)
    xs[1] *= 2
    return sum(xs) * xs[0] + rng.normal() * x[0]


# max and min of several things take these, not what the first of them holds

class Iterated:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        yield self.x
        yield self.y

    def __lt__(self, other):
        return self.x < other.x

    def __gt__(self, other):
        return self.x > other.x


@found(0.7, 1.3, mixes=('f',))
def extremes_of_objects_that_could_be_gone_through(x, y):
    largest = max(Iterated(x, y), Iterated(y, x * x)).y
    return largest * min(Iterated(x, y), Iterated(y, x), key=lambda v: v.x).y * sorted([Iterated(y, y), Iterated(x, x)])[0].x
