"""Generators: what a loop goes through stands in its place, where the text shows all that is done with it."""
import itertools
import math
from itertools import islice

import numpy as np

from tests.tools.registry import other, program

XS = [1.0, 2.0, 3.5]


def growing(x, n):
    """Counts up."""
    for i in range(n):
        x = x * 1.1 + i
        yield x


def two(x):
    yield x
    yield x * x


def until(x, n):
    if n == 0:
        return
    y = x
    for _ in range(n):
        if y > 5.0:
            return
        yield y
        y = y * 1.5
    yield -y


def products(xs):
    for i, a in enumerate(xs):
        for b in xs[:i]:
            yield a * b
        if a > 3.0:
            return
        yield a
    yield 7.0 * xs[0]


def delegating(x):
    yield from growing(x, 2)
    yield from two(x)
    yield from [x, 2.0 * x]


def roots(x):
    g = 1.0
    while True:
        yield g
        g = 0.5 * (g + x / g)


def windows(xs, k):
    for i in range(len(xs) - k + 1):
        yield xs[i:i + k]


def doubling(a):
    for i in range(len(a)):
        a[i] = a[i] * 2.0
        yield i


def elements(a):
    for i in range(len(a)):
        yield a[i] * 1.0


def halves(x, n):
    if n > 0:
        yield x
        yield from halves(x * 0.5, n - 1)


def stepping(x, n):
    i = 0
    while True:
        if i >= n:
            break
        if i == 1:
            i += 1
            continue
        yield x * (i + 1)
        i += 1


def scaled(x, *, n=3, s=2.0):
    for i in range(n):
        yield x * s ** i


def squares(values):
    for v in values:
        yield v * v


def states(x):
    s = {'v': x, 'k': 0}
    while s['k'] < 3:
        s['v'] = s['v'] * x
        s['k'] += 1
        yield s


def guarded(x):
    try:
        yield x
        yield x * x
    finally:
        x = 0.0


def first_and_second(x):
    return iter([x * 2.0, x * x])


def pairs_of(x):
    return ((v, v * x) for v in [x, 2.0 * x])


def noted(seen, v):
    seen.append(v)
    return v * v


@program('continue, break and else of the loop; return of the generator, and more than one yield', 1.7)
def left_both_ways(x):
    t = 0.0
    for v in until(x, 6):
        if v < 0:
            continue
        t += v * v
        if t > 40.0:
            break
    else:
        t = t * 2.0
    return t


@program('enumerate, with yields in two loops and behind them', XS)
def numbered(xs):
    t = 0.0
    for k, v in enumerate(products(xs)):
        if k == 1:
            continue
        if k > 6:
            break
        t += v * (k + 1)
    return t


@program('yield from other generators and a list', 1.7)
def delegated(x):
    t = 0.0
    for v in delegating(x):
        t = t * 0.9 + v
    return t


@program('several in one expression', 1.7)
def in_one_expression(x):
    return max(until(x, 4)) + min(until(x, 2)) * sum(delegating(x), 3.0)


@program('taken apart, with a star', 1.7)
def taken_apart(x):
    a, b = two(x)
    first, *rest = growing(x, 3)
    return a * b + first * rest[-1]


@program('zip with a range before it, and continue', 1.7)
def behind_a_range(x):
    t = 0.0
    for i, g in zip(range(5), roots(x)):
        if i == 2:
            continue
        t += g * i
    return t


@program('zip with a range behind it, and the variable read afterwards', 1.7)
def before_a_range(x):
    t = 0.0
    for g, i in zip(roots(x), range(4)):
        if i % 2:
            continue
        t += g
    return t * g


@program('islice of one without an end, as long as a parameter says', 1.7, 4)
def sliced(x, n):
    t = 0.0
    for g in islice(roots(x), n):
        if g > 3:
            continue
        t += g * g
    return t


@program('a comprehension with a condition', XS)
def windows_of_two(xs):
    return sum(w[0] * w[-1] for w in windows(xs, 2) if w[0] < 3.0)


@program('it writes into an array that the loop reads', np.array(XS))
def written_while_read(x):
    a = x * 1.0
    t = 0.0
    for i in doubling(a):
        t += a[i] * a[i - 1]
    return t


@program('the loop writes into an array that it reads', np.array(XS))
def read_while_written(x):
    a = x * 1.0
    t = 0.0
    for v in elements(a):
        a[-1] = a[-1] + v
        t += v * v
    return t


@program('a generator inside the function, and a variable that both bind anew', 1.7, 0.6)
def inside(x, y):
    n = 0.0

    def products():
        nonlocal n
        for _ in range(3):
            n += y
            yield x * n
    t = 0.0
    for v in products():
        n = n * 1.5
        t += v
    return t + n


@program('made before what it was given is bound anew', 1.7)
def made_before(x):
    values = growing(x * 2.0, 3)
    x = x + 100.0
    t = 0.0
    for v in values:
        t += v * x
    return t


@program('one in another, with break and else', 1.7)
def one_in_another(x):
    t = 0.0
    for a in growing(x, 2):
        for b in growing(a, 3):
            if b > 6:
                break
            t += a * b
        else:
            t += 1.0 * x
    return t


@program('return out of the loop', 1.7)
def returned_out_of(x):
    for v in roots(x):
        if abs(v * v - x) < 1e-12:
            return v * 2.0
    return 0.0


@program('in a loop, left in two ways', 1.7)
def in_a_loop(x):
    t = 0.0
    k = 0
    while k < 3:
        for v in growing(x, k + 1):
            t += v
            if t > 30:
                break
        k += 1
        if t > 60:
            return t
    return t * x


@program('lists, tuples, arrays and sorted lists of them', 1.7)
def as_containers(x):
    values, table = tuple(growing(x, 3)), {k: v for k, v in enumerate(list(two(x)), 5)}
    a = np.array([v * 2.0 for v in products([x, 2.0 * x, 3.0])])
    return sum(v * w for v, w in zip(values, values[1:])) + sorted(growing(-x, 3))[0] ** 2 + table[5] * table[6] + np.sum(a * a)


@program('map, and what goes through another one', 1.7)
def through_others(x):
    t = sum(squares(growing(x, 3)))
    for v in map(math.sin, squares(squares(growing(x * 1.0, 2)))):
        t += v
    return t + math.prod(w * 2.0 for w in growing(x, 2) if w > 2.0)


@program('generator expressions with a name, and in the header of a loop', 1.7)
def expressions(x):
    doubled = (w * 2.0 for w in growing(x, 3) if w > 2.0)
    t = sum(doubled)
    for k, v in enumerate(w * x for w in squares(roots(x))):
        if k == 3:
            break
        t += v
    return t


@program('in the test of an if, and in the value it gives back', 1.7)
def tested(x):
    if sum(growing(x, 2)) > 3.0:
        return max(growing(x, 3)) * x
    return x


@program('break and continue of its own', 1.7)
def jumps_of_its_own(x):
    t = 0.0
    for v in stepping(x, 5):
        if v > 3 * x:
            t += v
            continue
        t += v * v
    return t


@program('arguments by name, and defaults', 1.7)
def by_name(x):
    return sum(scaled(x, n=4)) * sum(scaled(x, s=x))


@program('it takes from a list that is read before and behind it', 1.7)
def taking_from_a_list(x):
    xs = [x, x * 2.0, 3.0]

    def taken(k):
        for _ in range(k):
            yield xs.pop()
    return xs[0] * sum(taken(2)) + len(xs) * x


@program('it changes an element that was read before it', 1.7)
def changing_an_element(x):
    a = np.array([x, 2 * x])

    def doubled():
        for i in range(2):
            a[i] *= 2.0
            yield a[i]
    return a[0] + sum(doubled()) * a[0] + np.sum(a)


@program('calls that note something stand around it', 1.7)
def between_calls(x):
    seen = []
    return noted(seen, x) + sum(v * len(seen) for v in growing(x, 2)) + noted(seen, 2 * x) * len(seen)


@program('functions that make iterators', 1.7)
def of_functions(x):
    t = 0.0
    for k, v in enumerate(first_and_second(x)):
        t += v * v * k
    return t + sum(a * b for a, b in pairs_of(x)) + sum(first_and_second(2.0 * x))


@other
@program('it calls itself', 1.7)
def calling_itself(x):
    return sum(halves(x, 4))


@other
@program('what it yields is changed in it afterwards, and kept', 1.7)
def the_same_again(x):
    return [s['v'] for s in list(states(x))][0]


@other
@program('it yields in a try', 1.7)
def in_a_try(x):
    t = 0.0
    for v in guarded(x):
        t += v
    return t


@other
@program('next', 1.7)
def by_hand(x):
    values = roots(x)
    for _ in range(5):
        g = next(values)
    return g


@other
@program('it binds a variable anew that stands before it in the expression', 1.7)
def binding_anew(x):
    n = x

    def growing():
        nonlocal n
        for i in range(3):
            n = n * 1.5
            yield n * i
    return n * 2.0 + sum(growing()) * n


class Bag:
    def __init__(self):
        self.items, self.log = [], 0.0

    def add(self, v):
        self.items.append(v)

    def __iter__(self):
        for v in self.items:
            self.log += v
            yield v

    def pairs(self, k=1):
        yield from zip(self.items, self.items[k:])


class Doubled(Bag):
    def pairs(self, k=1):
        for a in self.items:
            yield a, a


class Vec:
    def __init__(self, xs):
        self.xs = list(xs)

    def __add__(self, other):
        return Vec([a + b for a, b in zip(self, other)])

    def __len__(self):
        return len(self.xs)

    def __iter__(self):
        return iter(self.xs)

    def __getitem__(self, k):
        return self.xs[k]

    def dot(self, other):
        return sum(a * b for a, b in zip(self, other))

    def steps(self, n):
        x = self.xs[0]
        for _ in range(n):
            x = x * 1.1
            yield x


def bag(kind, *values):
    made = kind()
    for v in values:
        made.add(v)
    return made


@program('an object that notes what it yields', 1.5, 2.2)
def noting(x, y):
    b = Bag()
    b.add(x)
    b.add(y)
    b.add(x * y)
    t = 0.0
    for v in b:
        if v > 2.0:
            continue
        t += v * b.log
    return t + b.log


@program('methods of objects that the function makes', 1.5, 2.0)
def of_made(x, y):
    b = Doubled()
    b.add(x)
    b.add(y)
    c = Bag()
    c.add(x)
    c.add(x * y)
    return sum(p * q for p, q in b.pairs()) + sum(p - q for p, q in c.pairs(k=1)) + max(c)


@program('methods of objects that are given', Vec([1.0, 2.0, 4.0]), Vec([2.0, 0.5, 1.0]))
def of_given(u, v):
    t = 0.0
    for k, a in enumerate(u):
        t += a * k
    return t + max(u) * sum(v.steps(2)) * u.xs[1]


@program('operators of objects that go through each other', 1.7, 0.3)
def of_operators(x, y):
    u = Vec([x, y]) + Vec([1.0, x])
    return u.dot(u) * u[0] + len(u) * sum(u)


@other
@program('of a subclass, and sliced', bag(Doubled, 1.0, 2.0))
def of_a_subclass(b):
    t = 0.0
    for p, q in itertools.islice(b.pairs(), 1):
        t += p * q
    return sum(p * q for p, q in b.pairs()) + t
