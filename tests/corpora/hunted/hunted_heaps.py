"""Functions for `tests/corpora/test_hunted.py`: heaps, queues, sorted lists, and what functions of the user's write into a list that a
generator goes through; arrays that another call was given.
"""
import bisect
import collections
import functools
import heapq
import math

import numpy as np

import tangent
from tests.corpora.hunted.hunting import found

V = np.array([0.7, 1.3, 0.4, -0.9])


@found(V)
def pushed_and_popped(v):
    heap = []
    for k, u in enumerate(v):
        heapq.heappush(heap, (u * u, k))
    total = 0.0
    while heap:
        u, k = heapq.heappop(heap)
        total += u * (k + 1) * math.sin(u)
    return total


@found(V)
def heap_of_products(v):
    heap = [u * w for u, w in zip(v, v[1:])]
    heapq.heapify(heap)
    a = heapq.heappushpop(heap, v[0] ** 2)
    b = heapq.heapreplace(heap, a * v[1])
    return a * b + heap[0] ** 2


@found(V)
def largest_and_smallest(v):
    a, b = heapq.nlargest(2, v, key=abs)
    return a * b + sum(u * k for k, u in enumerate(heapq.nlargest(2, v))) + heapq.nsmallest(1, v)[0] ** 2


@found(V)
def merged(v):
    total = 1.0
    for k, u in enumerate(heapq.merge(sorted(v[:2]), sorted(v[2:]))):
        total = total * u + k
    return total


@found(V)
def running_median(v):
    low, high, total = [], [], 0.0
    for u in v:
        heapq.heappush(low, -u)
        heapq.heappush(high, -heapq.heappop(low))
        if len(high) > len(low):
            heapq.heappush(low, -heapq.heappop(high))
        total += low[0] ** 2
    return total


@found(V)
def shortest_way(v):
    graph = {0: [(1, v[0] ** 2), (2, v[1] ** 2)], 1: [(3, v[1] + 2)], 2: [(1, v[2] ** 2), (3, 3.0)], 3: []}
    known, heap = {0: 0.0}, [(0.0, 0)]
    while heap:
        d, n = heapq.heappop(heap)
        if d > known.get(n, math.inf):
            continue
        for m, w in graph[n]:
            if d + w < known.get(m, math.inf):
                known[m] = d + w
                heapq.heappush(heap, (d + w, m))
    return known[3] * known[1]


@found(V)
def kept_in_order(v):
    xs, ys = [], []
    for u in v:
        bisect.insort(xs, u * u)
        bisect.insort_left(ys, u, key=lambda w: -w)
    return sum(k * x for k, x in enumerate(xs)) * xs[0] + ys[0] * ys[1]


def put_first(xs, value):
    xs.insert(0, value)


@found(V)
def gone_through_after_a_callee_wrote(v):
    xs = []
    put_first(xs, v[0] * v[1])
    put_first(xs, v[2])
    return sum(x * x for x in xs)


def written_into_a_copy(v):
    v = v * 1.0
    a = v.copy()
    a[1:] = a[:-1] * a[1:]
    return np.sum(a * a)


ALONG = np.array([0.3, -0.2, 0.5, 0.1])
PUSHED = tangent.jvp(written_into_a_copy)


@found(V, mixes=('f',))
def along_an_array_of_the_module(v):
    return PUSHED(v, ALONG)


@found(V)
def a_full_queue_turned(v):
    d = collections.deque(v, maxlen=3)
    d.rotate(1)
    d.append(d[0] * d[1])
    d.appendleft(d.pop() * 2)
    return sum(a * (i + 1) for i, a in enumerate(d))


@found(V)
def a_queue_extended_at_both_ends(v):
    d = collections.deque([v[0] * v[1]], maxlen=3)
    d.extend([u * u for u in v])
    a = d[0] * d[2]
    d.extendleft([u * 3 for u in v[:2]])
    return a + d[0] * d[1] + d[2] ** 3


@found(V)
def all_that_a_queue_does(v):
    d = collections.deque(v)
    d.reverse()
    d.insert(1, d[0] * d[3])
    d.remove(v[2])
    e = d.copy()
    e.append(e[0] ** 2)
    d.rotate(-2)
    total = sum(k * x for k, x in enumerate(d)) * sum(k * x for k, x in enumerate(e))
    d.clear()
    d.append(total)
    return d[0] * e[1]


@functools.singledispatch
def twice(thing):
    raise TypeError(type(thing))


@twice.register
def _(thing: tuple):
    return thing[0] * 2


@twice.register
def _(thing: list):
    return [t * t for t in thing]


@found(V)
def dispatched_by_the_class_of_an_argument(v):
    return twice((v[0] * v[1],)) * sum(twice([v[2], v[3]]))


def slope(t, y, v):
    return np.array([y[1], -v[0] * np.sin(y[0]) + v[1] * np.cos(t)])


def steps(v):
    y, t = np.array([v[2], 0.1]), 0.0
    for _ in range(3):
        y = y + 0.1 * slope(t, y, v)
        t += 0.1
    return y[0] ** 2 + y[1]


PUSHED_STEPS = tangent.jvp(steps)


@found(V, mixes=('f',))
def along_an_array_of_the_module_through_a_count(v):
    return PUSHED_STEPS(v, ALONG)


# Gradients of what holds one object in several places, differentiated again

class Weight:
    def __init__(self, v):
        self.v = v


class Tied:
    def __init__(self, a, b):
        self.a, self.b = a, b


def energy_of_tied(t):
    return t.a.v * t.b.v * t.a.v


def energy_of_three(t):
    return t.a.a.v ** 2 * t.a.b.v * t.b.v


def energy_of_listed(ws):
    return ws[0].v ** 2 * ws[1].v * ws[2].v


@found(0.7)
def gradient_of_tied_weights(x):
    w = Weight(x)
    g = tangent.grad(energy_of_tied)(Tied(w, w))
    return g.a.v + 2.0 * g.b.v


@found(0.7)
def gradient_of_partly_tied_weights(x):
    w = Weight(x)
    g = tangent.grad(energy_of_three)(Tied(Tied(w, Weight(x * x)), w))
    return g.a.a.v + 2.0 * g.b.v + g.a.b.v ** 2


@found(0.7)
def gradient_of_a_list_of_tied_weights(x):
    w = Weight(x)
    g = tangent.grad(energy_of_listed)([w, Weight(2.0 * x), w])
    return g[0].v + 2.0 * g[2].v + g[1].v ** 2


# What is zipped strictly

@found(np.array([0.7, 1.3, 0.4]), mixes=('f', 'fr', 'ff'))
def strict_zips(x):
    total = sum(a * b for a, b in zip(x, x[::-1], strict=True))
    for k, (a, b) in enumerate(zip(x, [1.0, 2.0, 3.0], strict=True)):
        total += a ** b * k
    pairs = list(zip(x, x * 2, strict=False))
    try:
        total += sum(a * b for a, b in zip(x, x[1:], strict=True))
    except ValueError:
        total *= x[0]
    return total + pairs[0][1] * pairs[2][0]
