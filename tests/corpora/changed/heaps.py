"""Heaps: structured where nothing is asked of them but what heaps are."""

import heapq
import math
from heapq import heappop, heappush

from tests.tools.registry import other, program


@program('a heap', 0.7)
def dij(w):
    g = {i: [(i + 1, 1.0 + 0.1 * i), (i + 2, 1.5)] for i in range(6)}
    dist = {0: 0.0}
    heap = [(0.0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist.get(u, 1000000000.0):
            continue
        for v, c in g.get(u, []):
            nd = d + c * w
            if nd < dist.get(v, 1000000000.0):
                dist[v] = nd
                heapq.heappush(heap, (nd, v))
    return dist[6] ** 2


@program('a heap', 0.7)
def huffman(x):
    h = [x, 2 * x + 0.01, x * x + 0.02, 3.0]
    heapq.heapify(h)
    t = 0.0
    while len(h) > 1:
        a = heappop(h)
        b = heappop(h)
        t += a + b
        heappush(h, a + b)
    return (t * h[0]) ** 2


@program('a heap', 0.7)
def events(x):
    q = []
    heappush(q, (x, 'a', 1.0))
    heappush(q, (2.5 * x, 'b', 2.0))
    t, s = (0.0, 0.0)
    while q and q[0][0] < 5.0:
        t, kind, v = heappop(q)
        s += v * t * t
        if kind == 'a':
            heappush(q, (t + x + 0.1, 'a', v * x))
        else:
            heappush(q, (t * 1.7, 'b', v))
    return s**2


@program('a heap', 0.7)
def topk(x):
    h = []
    for i in range(6):
        heappush(h, math.sin(x * (i + 1)))
        if len(h) > 3:
            heappop(h)
    return sum(h) ** 2


@program('a heap', 0.7)
def topk2(x):
    h = []
    for i in range(6):
        heappush(h, (-math.sin(x * (i + 1)), i))
        if len(h) > 3:
            heappop(h)
    t = 0.0
    while h:
        t = t * 0.5 + heappop(h)[0] ** 2
    return t**2


@other
@program('a heap', 0.7)
def in_function(x):
    h = []

    def push(v):
        heappush(h, v * v)

    for i in range(3):
        push(x * i + 1)
    return (heappop(h) * heappop(h)) ** 2


class PQ:
    def __init__(self):
        self.h = []

    def push(self, p, v):
        heappush(self.h, (p, v))

    def pop(self):
        return heappop(self.h)

    def __len__(self):
        return len(self.h)


@program('a heap', 0.7)
def pq(x):
    q = PQ()
    for i in range(4):
        q.push(x * (i * 3 % 4) + 0.01 * i, i)
    t = 0.0
    while len(q):
        p, v = q.pop()
        t = t * x + p * v
    return t**2


@other
@program('a heap', 0.7)
def alias(x):
    h = [x, 2 * x]
    k = h
    heappush(k, x * x)
    return (heappop(h) * len(k) ** 2 * heappop(k)) ** 2


@program('a heap', 0.7)
def ties(x):
    h = []
    heappush(h, (1.0, 'b', x))
    heappush(h, (1.0, 'a', 2 * x))
    p, k, v = heappop(h)
    return (v * v if k == 'a' else v) ** 2


@program('a heap', 0.7)
def rebuilt(x):
    t = 0.0
    for i in range(3):
        h = [x * i, x + i]
        heapq.heapify(h)
        heappush(h, x * 0.5)
        t += heappop(h) * (i + 1) * x
    return t**2


@program('a heap', 0.7)
def largest(x):
    xs = [math.sin(x * i) for i in range(6)]
    return (sum(heapq.nlargest(2, xs)) * heapq.nsmallest(1, xs)[0]) ** 2
