"""Tuples, lists, dicts and their methods."""
import collections
import math
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from typing import NamedTuple

import numpy as np

from tests.tools.registry import program


@program('list methods', [0.3, 0.8], 1.5)
def appended(xs, y):
    out = []
    for x in xs:
        out.append(x * y)
    out.append(y)
    return out[0] * out[1] * out[2]


@program('list methods', [0.3, 0.8], 1.5)
def extended(xs, y):
    out = [y]
    out.extend(xs)
    out.extend(x * x for x in xs)
    return sum(k * v for k, v in enumerate(out))


@program('list methods', 0.3, 1.5)
def inserted(x, y):
    out = [x, y]
    out.insert(0, x * y)
    out.insert(-1, 2.0)
    return out[0] * out[1] + out[2] * out[3]


@program('list methods', [0.3, 0.8, 1.4])
def popped(xs):
    stack = [x * 2 for x in xs]
    last = stack.pop()
    first = stack.pop(0)
    return last * first + stack[0]


@program('list methods', [0.9, 0.2, 0.5])
def sorted_in_place(xs):
    ys = list(xs)
    ys.sort()
    a = ys[0] * 3 + ys[1]
    ys.sort(key=lambda v: -v)
    ys.reverse()
    return a * ys[2]


@program('list methods', [0.9, 0.2, 0.5])
def removed_and_cleared(xs):
    ys = xs.copy()
    ys.remove(ys[1])
    total = sum(ys)
    ys.clear()
    return total * (len(ys) + 1) * xs[0]


@program('list methods', [0.9, 0.2, 0.5])
def counted_and_indexed(xs):
    k = xs.index(min(xs))
    return xs[k] * xs.count(xs[0]) + xs[0]


@program('list items', [0.9, 0.2, 0.5])
def item_assigned(xs):
    ys = [0.0] * 3
    for k in range(3):
        ys[k] = xs[k] ** 2
    ys[0] = ys[1] * ys[2]
    return sum(ys)


@program('list items', [0.9, 0.2, 0.5])
def item_augmented(xs):
    ys = [1.0, 1.0]
    for k, x in enumerate(xs):
        ys[k % 2] *= x
        ys[0] += x
    return ys[0] * ys[1]


@program('list items', [0.9, 0.2, 0.5])
def items_swapped(xs):
    ys = list(xs)
    ys[0], ys[2] = ys[2], ys[0]
    return ys[0] * 3 + ys[1] * 2 + ys[2]


@program('list slices', [0.9, 0.2, 0.5, 1.3])
def slices_assigned(xs):
    ys = [1.0, 2.0, 3.0]
    ys[1:2] = xs[:2]
    ys[-1:] = []
    return sum(k * y for k, y in enumerate(ys, 1)) + xs[::2][1] ** 2


@program('list concatenation', [0.9, 0.2], [0.5])
def concatenated(xs, ys):
    zs = xs + ys + [2.0]
    zs += [xs[0]]
    return sum(k * z for k, z in enumerate(zs))


@program('list repetition', 0.9)
def repeated(x):
    ys = [x] * 3 + 2 * [x * x]
    return math.prod(ys)


@program('list grid', 0.9)
def grid(x):
    table = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            table[i][j] = x ** i * (j + 1) + (table[i - 1][j] if i else 0.0)
    return table[2][1] * table[1][2]


@program('list of lists', [[0.3, 0.8], [1.1]])
def ragged(rows):
    total = 0.0
    for row in rows:
        total += math.prod(row) * len(row)
    return total


@program('tuple', 0.3, 1.2)
def tuple_displays(x, y):
    t = x, (y, x * y)
    a, (b, c) = t
    return a * b + c * t[1][0]


@program('tuple', (0.3, (1.2, [0.5, 0.6])))
def nested_argument(t):
    a, (b, (c, d)) = t
    return a * b * c * d


@program('tuple', (0.3, 1.2))
def tuples_joined(t):
    u = t + (2.0,) + t[:1]
    return u[0] * u[1] * u[3]


@program('tuple', (0.3, 1.2), (0.4, 2.0))
def tuples_compared(s, t):
    low, high = (s, t) if s < t else (t, s)
    return low[1] - high[0] * (2 - (7 in s))


@program('starred', [0.3, 1.2, 0.6])
def starred_displays(xs):
    ys = [1.0, *xs, *xs[1:]]
    t = (*ys, 2.0)
    *front, last = ys
    return t[1] * t[5] + sum(front) * last


@program('dict', {'a': 0.3, 'b': [1.2, 0.4]})
def dict_argument(d):
    return d['a'] * d['b'][0] + d['b'][1] ** 2


@program('dict', 0.3, 1.2)
def dict_filled(x, y):
    d = {}
    d['a'] = x
    d['b'] = x * y
    d['a'] = d['a'] * 2
    d['c'] = d['a'] + d['b']
    return d['c'] * d['a']


@program('dict methods', 0.3, 1.2)
def dict_updated(x, y):
    d = {'a': x}
    d.update({'b': y, 'a': x * y})
    d.update(c=x)
    return d['a'] * d['b'] + d['c']


@program('dict methods', {'a': 0.3, 'b': 1.2})
def dict_got(d):
    return d.get('a', 5.0) * d.get('z', 2.0) + d.get('b')


@program('dict methods', [0.3, 1.2, 0.5])
def setdefault_groups(xs):
    groups = {}
    for k, x in enumerate(xs):
        groups.setdefault(k % 2, []).append(x)
    return sum(groups[0]) * sum(groups[1])


@program('dict methods', {'a': 0.3, 'b': 1.2})
def dict_popped(d):
    work = dict(d)
    a = work.pop('a')
    z = work.pop('z', 2.0)
    return a * z + sum(work.values())


@program('dict methods', {'a': 0.3, 'b': 1.2}, 0.5)
def dict_merged(d, x):
    e = {**d, 'b': x, 'c': d['a'] * x}
    f = e | {'a': x}
    return e['a'] * e['b'] + e['c'] * f['a']


@program('dict methods', {'a': 0.3, 'b': 1.2})
def dict_views(d):
    keys = sorted(d.keys())
    total = 0.0
    for k in keys:
        total = total * 2 + d[k]
    return total * max(d.values()) + len(d.items())


@program('dict deleted', {'a': 0.3, 'b': 1.2})
def dict_deleted(d):
    e = {k: v * v for k, v in d.items()}
    del e['a']
    return sum(e.values()) if 'a' not in e else 0.0


@program('dict of arrays', {'w': np.array([[0.3, 0.8], [1.0, 0.5]]), 'b': np.array([0.1, 0.2])}, np.array([1.0, 2.0]))
def parameters(params, x):
    h = np.tanh(np.dot(params['w'], x) + params['b'])
    return np.sum(h ** 2)


@program('list of dicts', [{'w': 0.3, 'b': 0.8}, {'w': 1.1, 'b': 0.2}], 0.5)
def layers(params, x):
    for layer in params:
        x = math.tanh(layer['w'] * x + layer['b'])
    return x


@program('tuple keys', 0.3)
def tuple_keys(x):
    table = {(0, 0): x, (0, 1): x * x}
    table[1, 0] = table[0, 0] + table[0, 1]
    return table[1, 0] * table[0, 1]


Point = namedtuple('Point', 'x y')


@program('namedtuple', Point(0.3, 1.2))
def namedtuple_argument(p):
    return p.x * p.y + p[0]


@program('namedtuple', 0.3, 1.2)
def namedtuple_made(x, y):
    p = Point(x, y=y * x)
    q = p._replace(x=2.0 * x)
    a, b = q
    return p.x * q.y + a * b


class State(NamedTuple):
    position: float
    velocity: float

    def moved(self, dt):
        return State(self.position + dt * self.velocity, self.velocity - dt * self.position)


@program('namedtuple', State(0.3, 1.2))
def namedtuple_with_method(s):
    for _ in range(3):
        s = s.moved(0.1)
    return s.position * s.velocity


@program('deque', [0.3, 0.8, 1.4])
def deque_window(xs):
    window = deque(maxlen=2)
    total = 0.0
    for x in xs:
        window.append(x)
        total += sum(window) ** 2
    return total


@program('deque', [0.3, 0.8, 1.4])
def breadth_first(xs):
    queue = deque([(0, 1.0)])
    total = 0.0
    while queue:
        k, w = queue.popleft()
        if k < len(xs):
            total += w * xs[k]
            queue.append((2 * k + 1, w * xs[k]))
            queue.append((2 * k + 2, w * 0.5))
    return total


@program('defaultdict', [0.3, 0.8, 1.4])
def default_dict(xs):
    sums = defaultdict(float)
    for k, x in enumerate(xs):
        sums[k % 2] += x * x
    return sums[0] * sums[1]


@program('OrderedDict', 0.3)
def ordered_dict(x):
    d = OrderedDict()
    d['b'] = x
    d['a'] = x * x
    d.move_to_end('b')
    return sum(k * v for k, v in enumerate(d.values(), 1))


@program('Counter', [0.3, 0.8])
def counter_of_words(xs):
    counts = Counter('abba')
    return xs[0] * counts['a'] + xs[1] ** counts['b']


@program('ChainMap', {'a': 0.3}, {'a': 2.0, 'b': 0.8})
def chain_map(d, e):
    both = collections.ChainMap(d, e)
    return both['a'] * both['b']


@program('sets', [0.3, 0.8, 1.4])
def set_membership(xs):
    chosen = {0, 2}
    chosen.add(1)
    chosen.discard(2)
    return sum(x for k, x in enumerate(xs) if k in chosen) ** 2


@program('aliases of lists', 0.3)
def list_alias(x):
    a = [x, 2.0]
    b = a
    b[1] = x * x
    a.append(b[1])
    return sum(a) * len(b)


@program('aliases of lists', [0.3, 0.8])
def list_copies(xs):
    a = xs[:]
    b = list(a)
    c = a.copy()
    a[0] = 5.0
    return a[0] * b[0] * c[1]


@program('list as state', [0.3, 0.8])
def memo_table(xs):
    memo = {}

    def f(n):
        if n < 2:
            return xs[n]
        if n not in memo:
            memo[n] = f(n - 1) + 0.5 * f(n - 2) * xs[0]
        return memo[n]
    return f(5) * f(3)


@program('containers of functions results', np.array([0.3, 0.8]))
def history(x):
    trace = [x]
    for _ in range(3):
        trace.append(np.sin(trace[-1]) + trace[0])
    return np.sum(np.array(trace) ** 2)


@program('membership and truth', [0.3, 0.8])
def truth_of_containers(xs):
    stack = list(xs)
    total = 0.0
    while stack:
        total = total * 0.5 + stack.pop() ** 2
    return total if not stack else 0.0


@program('min max of list', [0.3, 0.8, 0.1])
def min_max_sorted(xs):
    a, *_, b = sorted(xs)
    return max(xs) * min(xs) + a * b ** 2


@program('dict as switch of arrays', {'x': np.array([0.3, 0.8]), 'y': np.array([1.0, 2.0])})
def dict_array_mutation(d):
    e = {k: v.copy() for k, v in d.items()}
    e['x'][0] = e['y'][1] * 2
    e['y'] *= e['x']
    return np.sum(e['y'])


@program('list comparison', [0.3, 0.8], [0.5, 0.9])
def lists_compared(a, b):
    return (a if a < b else b)[1] ** 2


@program('heap', [0.9, 0.3, 0.5])
def heap_queue(xs):
    import heapq
    heap = list(xs)
    heapq.heapify(heap)
    smallest = heapq.heappop(heap)
    heapq.heappush(heap, smallest * 2)
    return smallest * heap[0] + sum(heap)


@program('bisect', [0.1, 0.5, 0.9], 0.6)
def interpolation(ys, x):
    import bisect
    grid = [0.0, 0.5, 1.0]
    k = bisect.bisect(grid, x) - 1
    t = (x - grid[k]) / (grid[k + 1] - grid[k])
    return (1 - t) * ys[k] + t * ys[k + 1]


@program('linked list', [0.3, 0.8, 1.4])
def linked_list(xs):
    node = None
    for x in xs:
        node = (x, node)
    total, weight = 0.0, 1.0
    while node is not None:
        value, node = node
        total += weight * value
        weight *= value
    return total


@program('box', 0.3)
def box(x):
    """A mutable box, the Zygote paper's way to a while loop."""
    cell = [1.0]

    def put(v):
        cell[0] = v
    for _ in range(3):
        put(cell[0] * x + 1.0)
    return cell[0]


@program('enumerate dict of lists', {'a': [0.3, 0.8], 'b': [1.1]})
def dict_of_lists(d):
    return sum((k + 1) * v for row in d.values() for k, v in enumerate(row))


@program('zip of rows', 0.7, 1.2)
def columns(x, y):
    m = [[x, 2.0, x * y], [y, x, 3.0]]
    first, *others = zip(*m)
    return first[0] * first[1] + sum(a * b for a, b in others)


@program('zip of rows', 0.7)
def columns_of_unequal_rows(x):
    t = 0.0
    for a, b in zip(*[[x, 2.0, x], [x * x, 1.0]]):
        t += a * b
    return t


@program('zip of rows', np.array([[0.7, 1.2], [0.3, 0.8]]))
def columns_of_an_array(a):
    t = 0.0
    for c, d in zip(*a):
        t += c * d ** 2
    return t


@program('zip of rows', [(0.7, 1.2), (0.3, 0.8), (1.5, 0.1)])
def unzipped(points):
    xs, ys = zip(*points)
    by_name = {n: c for n, c in zip('xy', zip(*points))}
    return sum(xs) * sum(ys) + max(by_name['x']) * by_name['y'][0]
