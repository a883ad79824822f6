"""Lists, dicts, deques and arrays of a function's own that it updates in the ways people do: all are structured where kinds are
known (`tests/normal/test_element_updates.py`), but for those marked."""
import collections
import functools
import operator

import numpy as np

from tests.tools.registry import other, program

XS = [0.9, 0.2, 0.5, 0.7]
V = np.array([0.9, 0.2, 0.5])


@program('updates of numbers', XS)
def elements_updated(xs):
    ys = [1.0, 1.0]
    for k, x in enumerate(xs):
        ys[k % 2] *= x
        ys[0] += x
    return ys[0] * ys[1]


@program('updates of numbers', XS)
def rows_updated(xs):
    t = [[0.0] * 4 for _ in range(3)]
    for i in range(3):
        for j in range(4):
            t[i][j] += xs[i] * xs[j]
    return t[0][1] * t[1][3] + sum(t[2])


@program('updates of numbers', XS)
def elimination(xs):
    n = 3
    m = [[xs[i] * xs[j] for j in range(n)] for i in range(n)]
    for i in range(n):
        m[i][i] += 1.0
    for k in range(n):
        for i in range(k + 1, n):
            f = m[i][k] / m[k][k]
            for j in range(n):
                m[i][j] -= f * m[k][j]
    return m[0][0] * m[1][1] * m[2][2]


@program('updates of numbers', XS)
def bins(xs):
    d = collections.defaultdict(float)
    for k, x in enumerate(xs):
        d[k % 2] += x * x
    return d[0] * d[1]


@program('updates of numbers', XS)
@other
def one_row_three_times(xs):
    t = [[0.0, 1.0]] * 3
    for i in range(3):
        t[i][0] += xs[i] * t[0][1]
        t[i][1] *= xs[3]
    return t[0][0] * t[2][1]


@program('updates of numbers', XS)
def a_row_by_another_name(xs):
    m = [[x, x * x] for x in xs]
    row = m[0]
    row[1] += row[0] * 2
    m[0][1] *= xs[1]
    return m[0][1] * m[1][1] + row[1]


@program('updates of numbers', XS)
@other
def a_row_put_there_and_kept(xs):
    m, row = [], []
    for x in xs:
        row.append(x * x)
        m.append(row)
    m[0][1] += xs[0]
    return m[3][1] * m[1][2] + len(m[0])


@program('updates of numbers', XS)
@other
def a_row_made_once_and_changed_later(xs):
    m = []
    for x in xs:
        row = [x]
        m.append(row)
        row.append(x * x)
    m[0][1] += xs[1]
    return m[0][1] * m[3][1]


@program('sorted in place', XS)
def sorted_in_place_of_its_own(xs):
    ys = list(xs)
    ys.sort()
    zs = [x * x for x in xs]
    zs.sort(key=lambda v: -v)
    zs.reverse()
    return ys[0] * 3 + ys[1] * zs[2]


@program('taken out in front', XS)
def taken_in_front(xs):
    ys = list(xs)
    a = ys.pop(0)
    while len(ys) > 1:
        a = a * ys.pop(0) + ys[0]
    return a * ys[0]


@program('put in front', XS)
def put_in_front(xs):
    ys = []
    for x in xs:
        ys.insert(0, x * x)
    ys[1:] = [xs[0] * 2, xs[1]]
    return ys[0] * 3 + ys[1] * ys[2]


@program('rows that grow', XS)
def grouped(xs):
    d = {}
    for k, x in enumerate(xs):
        if k % 2 not in d:
            d[k % 2] = []
        d[k % 2].append(x * x)
    return sum(d[0]) * sum(d[1])


@program('rows that grow', XS)
def grouped_by_default(xs):
    d = {}
    for k, x in enumerate(xs):
        d.setdefault(k % 2, []).append(x * x)
    e = collections.defaultdict(list)
    for k, x in enumerate(xs):
        e[k % 3].append(x * d[0][0])
    return sum(d[0]) * sum(d[1]) + sum(e[0]) * e[1][0]


@program('rows that grow', XS)
def stacks(xs):
    rows = [[], [2.0]]
    for k, x in enumerate(xs):
        rows[k % 2].append(x * rows[1][0])
    last = rows[0].pop()
    top = rows[1].pop()
    return last * sum(rows[0]) + top * rows[1][0]


@program('rows that grow', XS)
@other
def rows_of_two_tables(xs):
    rows, others = [[], []], []
    for k, x in enumerate(xs):
        rows[k % 2].append(x)
    others.append(rows[0])
    others[0].append(xs[1])
    rows[0].append(xs[0] * xs[2])
    return sum(rows[0]) * sum(others[0])


@program('deques', XS)
def in_a_queue(xs):
    q = collections.deque([xs[0]])
    t, k = 0.0, 1
    while q:
        v = q.popleft()
        t = t * v + v
        if k < 4:
            q.append(v * xs[k])
            k += 1
    return t


@program('deques', XS)
def from_both_ends(xs):
    q = collections.deque(xs)
    q.appendleft(xs[1] * xs[2])
    t = 1.0
    while len(q) > 1:
        t += q.pop() * q.popleft()
    return t * t * q[0]


@program('deques', XS)
def in_a_window(xs):
    q, t = collections.deque(), 0.0
    for x in xs:
        q.append(x)
        if len(q) > 2:
            q.popleft()
        t += sum(q) ** 2
    return t


@program('deques', XS)
def of_arrays(xs):
    x = np.array(xs)
    q, t = collections.deque([x, x * 2]), 0.0
    for _ in range(3):
        a = q.popleft()
        q.append(a * q[0])
        t += np.sum(q[-1])
    return t


@program('deques', XS)
def seen_by_numpy(xs):
    q = collections.deque(xs)
    y = list(q)
    q.appendleft(y[0] * 2)
    return np.sum(np.array(q)) * y[1]


@program('deques', XS)
def a_queue_with_two_names(xs):
    q = collections.deque(xs)
    p = q
    p.append(xs[0] * xs[1])
    return q[-1] * q[0]


@program('arrays', np.arange(16.0).reshape(4, 4) / 7 + 0.3)
def edges_together(h):
    h = h.copy()
    h[0, :], h[-1, :] = h[1, :], h[-2, :]
    h[:, 0], h[:, -1] = h[:, 1], h[:, -2]
    return np.sum(h ** 2)


@program('arrays', np.arange(12.0).reshape(3, 4) / 7 + 0.3)
def rows_that_see_each_other(h):
    h = h.copy()
    h[0, :], h[1, :] = h[1, :], h[0, :]              # no swap: both are row 1 then
    return np.sum(h[0] * h[2]) + h[1, 1] ** 2


@program('arrays', V)
def added_into_itself(v):
    y, t = np.empty_like(v), np.empty_like(v)
    np.multiply(v, 2.0, out=t)
    np.exp(t, out=y)
    np.add(y, t, out=y)
    np.sqrt(y, out=y)
    return np.sum(y)


@program('arrays', V)
def gram_schmidt(v):
    q, a = np.zeros((3, 3)), np.outer(v, v) + np.eye(3)
    for j in range(3):
        w = a[:, j].copy()
        for i in range(j):
            w -= (q[:, i] @ a[:, j]) * q[:, i]
        q[:, j] = w / np.sqrt(w @ w)
    return np.sum(q * a)


@program('arrays', V)
@other
def an_element_that_is_a_list(v):
    rows = [[v[0], v[1]], [v[2], 1.0]]
    row = rows[0].copy()
    row += [v[2]]
    rows[0][0] = row[2] * row[0]
    return functools.reduce(operator.mul, row) * rows[0][0]


def parameters():
    return {'w': np.arange(9.0).reshape(3, 3) / 7 + 0.3, 'b': V.copy()}


@program('arrays in containers', parameters())
def descent_steps(p):
    q = {k: v.copy() for k, v in p.items()}
    for _ in range(2):
        g = {'w': np.outer(q['b'], q['b']), 'b': q['w'] @ q['b']}
        for k in q:
            q[k] -= 0.1 * g[k]
    return np.sum(q['w'] ** 2) + np.sum(q['b'])


@program('arrays in containers', parameters())
def momentum(p):
    m = {k: np.zeros_like(v) for k, v in p.items()}
    q = {k: 1.0 * v for k, v in p.items()}
    for _ in range(3):
        for k in q:
            m[k] = 0.9 * m[k] + 0.1 * 2 * q[k]
            q[k] -= 0.1 * m[k] / (np.sqrt(np.sum(m[k] ** 2)) + 1.0)
    return np.sum(q['w']) * np.sum(q['b'] ** 2)


@program('arrays in containers', parameters())
def history_of_copies(p):
    q = {k: 1.0 * v for k, v in p.items()}
    hist = []
    for _ in range(3):
        hist.append(q['b'].copy())
        q['b'] -= 0.1 * q['b'] ** 2
    return np.sum(hist[0] * hist[2])


@program('arrays in containers', parameters())
def sums_of_arrays(p):
    acc = [np.zeros(3) for _ in range(2)]
    for i in range(2):
        for j in range(3):
            acc[i] += p['w'][j] * p['b'][i]
    return np.sum(acc[0] * acc[1])


class Scratch:
    def __init__(self, w):
        self.p, self.z = {'w1': w.copy(), 'w2': w * 2}, []

    def forward(self, x):
        self.z = [x]
        for k in ('w1', 'w2'):
            x = np.tanh(self.p[k] @ x)
            self.z.append(x)
        return x

    def backward(self, g):
        found = {}
        for i, k in reversed(list(enumerate(('w1', 'w2')))):
            g = g * (1 - self.z[i + 1] ** 2)
            found[k] = np.outer(g, self.z[i])
            g = self.p[k].T @ g
        return found

    def step(self, found, rate):
        for k in self.p:
            self.p[k] -= rate * found[k]


@program('arrays in containers', parameters()['w'])
def a_counter_that_is_bound_anew(w):
    y = w * 0.5
    for _ in range(3):
        _, y = y * 2.0, np.sin(y) * w
    return np.sum(y * _)


@program('arrays in containers', parameters()['w'])
def trained_from_scratch(w):
    m, x = Scratch(w), w[0] * 0.5
    for _ in range(2):
        y = m.forward(x)
        m.step(m.backward(2 * y), 0.1)
    return np.sum(m.forward(x) ** 2)


@program('arrays in containers', parameters())
def an_array_with_a_name(p):
    q = {'w': p['w'] * 1.0, 'b': p['b'] * 1.0}
    w = q['w']
    q['w'] -= q['w'] ** 2
    return np.sum(w * q['w'])


@program('arrays in containers', parameters())
@other
def an_array_of_what_is_given(p):
    q = {'w': p['w'], 'b': p['b'] * 1.0}
    q['w'] -= q['w'] ** 2
    return np.sum(p['w'] * q['w'])


@program('arrays in containers', parameters())
@other
def views_of_arrays(p):
    q = [p['w'] * 1.0, p['b'] * 1.0]
    t, u = q[0].T, q[1][1:]
    q[0] -= q[0] ** 2
    q[1] *= 3.0
    return np.sum(t[0] * q[1]) + np.sum(u)


@program('arrays in containers', parameters())
@other
def history_of_one_array(p):
    q = {k: 1.0 * v for k, v in p.items()}
    hist = []
    for _ in range(3):
        hist.append(q['b'])
        q['b'] -= 0.1 * q['b'] ** 2
    return np.sum(hist[0] * hist[2])


@program('arrays in containers', parameters())
@other
def one_array_in_two_places(p):
    acc = [np.zeros(3)] * 2
    both = {'a': np.zeros(3)}
    both['b'] = both['a']
    for i in range(2):
        for j in range(3):
            acc[i] += p['w'][j] * p['b'][i]
            both['a'] += p['w'][j]
    return np.sum(acc[0] * both['b'])


@program('arrays in containers', parameters())
@other
def seen_by_a_function(p):
    acc = {'a': np.zeros(3)}
    f = lambda: acc['a']                                                                                         # noqa: E731
    t = f()
    acc['a'] += p['b']
    return np.sum(t * acc['a'])


@program('arrays in containers', parameters())
@other
def chosen_and_kept(p):
    acc = {'a': p['b'] * 2}
    t = acc['a'] if p['b'][0] > 0 else None
    acc['a'] *= p['b']
    return np.sum(t * acc['a'])
