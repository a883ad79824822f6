"""Functions for `tests/corpora/test_hunted.py` whose calls change what stands beside them: in tests, indices and operands of a statement."""
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
