"""Lists, dicts and deques of a function's own
that shrink and grow in the middle (`normal.own_lists`): all are structured where kinds are known, but for those marked."""
import collections
import copy
import heapq

from tests.tools.registry import other, program

XS = [0.7, 1.3, 0.4]


@program('parts of lists', 0.7)
def popped_in_the_middle(x):
    ys = [x, x * x, 3.0]
    ys.pop(1)
    return ys[0] * ys[1]


@program('parts of lists', 0.7)
def first_deleted(x):
    ys = [x, x * x, 3.0]
    del ys[0]
    return ys[0] * ys[1]


@program('parts of lists', 0.7)
def last_deleted(x):
    ys = [x, x * x, 3.0 * x]
    del ys[-1]
    return ys[0] * ys[1]


@program('parts of lists', 0.7)
def part_deleted(x):
    ys = [x, x * x, 3.0 * x, 4 * x]
    del ys[1:3]
    return ys[0] * ys[1]


@program('parts of lists', 0.7, 1.2)
def inserted_at_both_ends(x, y):
    out = [x, y]
    out.insert(0, x * y)
    out.insert(-1, 2.0)
    return out[0] * out[1] + out[2] * out[3]


@program('parts of lists', XS)
def removed_of_a_copy(xs):
    ys = xs.copy()
    ys.remove(ys[1])
    return sum(ys) * xs[0]


@program('parts of lists', XS)
def cleared_and_filled(xs):
    ys = [v * v for v in xs]
    t = sum(ys)
    ys.clear()
    ys.append(t)
    return ys[0] * xs[1]


@program('parts of lists', XS)
def part_replaced(xs):
    ys = [1.0, 2.0, 3.0]
    ys[1:2] = xs[:2]
    return ys[0] + ys[1] * ys[2]


@program('parts of lists', XS)
def window_of_two(xs):
    w = collections.deque(maxlen=2)
    t = 0.0
    for x in xs:
        w.append(x)
        t += sum(w) ** 2
    return t


@program('parts of lists', XS)
def turned_round(xs):
    w = collections.deque(xs)
    w.appendleft(xs[0] * xs[1])
    w.rotate(1)
    return w[0] * w[1]


@program('parts of lists', 0.7)
def key_deleted(x):
    d = {'a': x, 'b': x * x}
    del d['a']
    return sum(d.values()) * x


@program('parts of lists', {'a': 0.3, 'b': 0.5, 'c': 0.7})
def key_of_a_copy_deleted(d):
    e = {k: v * v for k, v in d.items()}
    del e['a']
    return sum(e.values())


@program('parts of lists', 0.7)
def pairs_for_keys(x):
    t = {(0, 0): x, (0, 1): x * x}
    t[1, 0] = t[0, 0] + t[0, 1]
    return t[1, 0] * t[0, 1]


@program('parts of lists', XS)
def counted(xs):
    return xs[0] * xs.count(xs[0]) + xs[1]


@program('parts of lists', 0.7)
def appended_by_another_name(x):
    a = [x, 2.0]
    b = a
    b[1] = x * x
    a.append(b[1])
    return sum(a) * len(b)


@program('parts of lists', XS)
def three_copies(xs):
    a = xs[:]
    b = list(a)
    c = a.copy()
    a[0] = 5.0
    return a[0] * b[0] * c[1]


@program('parts of lists', 0.7, 2.0, wrt=(0,))
def popped_here_and_there(x, k):
    ys = [x, x * x, 3.0 * x, 4 * x]
    t = 0.0
    for i in range(3):
        t += ys.pop(i % len(ys)) * x * i
    return t * ys[0]


@program('parts of lists', XS)
def put_back_where_it_was(xs):
    ys = [v * v for v in xs]
    k = ys.index(min(ys))
    v = ys.pop(k)
    ys.insert(k, v * v)
    ys.insert(5, v)
    ys.insert(-7, v * 2)
    return ys[0] * ys[1] + ys[2] * ys[-1] * ys.pop(-2)


@program('parts of lists', XS)
def sorted_by_insertion(xs):
    out = []
    for v in xs:
        k = 0
        while k < len(out) and out[k] < v:
            k += 1
        out.insert(k, v)
    return out[0] * out[1] ** 2 + out[2] ** 3


@program('parts of lists', XS)
def inserted_into_rows(xs):
    t = [[], []]
    for i, v in enumerate(xs):
        t[i % 2].insert(0, v * v)
    a = t[0].pop(0)
    return a * t[0][0] + t[1][0]


@program('parts of lists', XS)
def popped_out_of_the_middle(xs):
    ys = [v * v for v in xs]
    t = 1.0
    while len(ys) > 1:
        a = ys.pop(len(ys) // 2)
        t = t * a + ys[0]
    return t


@program('parts of lists', XS)
def in_front_or_behind(xs):
    ys = []
    for v in xs:
        if v > 0.5:
            ys.insert(0, v)
        else:
            ys.insert(len(ys), v * v)
    return ys[0] * ys[1] ** 2 + ys[2] ** 3


@program('parts of lists', XS)
def replaced_at_the_ends(xs):
    ys = [v * v for v in xs]
    ys[1:] = [xs[0], xs[1] * 2, xs[2]]
    ys[:2] = [xs[2]]
    ys[-1:] = []
    return ys[0] * ys[1] + len(ys)


@program('parts of lists', XS)
def put_between(xs):
    ys = [1.0, 2.0, 3.0]
    ys[1:1] = xs[:2]
    ys[0:0] = [xs[1] * xs[2]]
    return ys[0] * ys[1] + ys[2] * ys[3] ** 2


@program('parts of lists', XS)
def oldest_deleted(xs):
    h = []
    t = 0.0
    for v in xs:
        h.append(v * v)
        if len(h) > 2:
            del h[:1]
        t += sum(h) * h[0]
    return t


@program('parts of lists', XS)
def cleared_when_full(xs):
    b = []
    t = 1.0
    for v in xs:
        b.append(v * v)
        if len(b) == 2:
            t *= sum(b)
            b.clear()
    return t + len(b)


@program('parts of lists', 0.7)
def dict_cleared(x):
    d = {'a': x, 'b': x * x}
    t = d['a'] * d['b']
    d.clear()
    d['c'] = t * x
    return sum(d.values())


@program('parts of lists', XS, 2, wrt=(0,))
def window_of_given_length(xs, n):
    w = collections.deque([0.0] * 2, maxlen=n)
    t = 0.0
    for x in xs:
        w.appendleft(x * x)
        t += w[0] * w[-1]
    return t


@program('parts of lists', XS)
def turned_back(xs):
    w = collections.deque(xs)
    w.rotate(-1)
    w.rotate(2)
    return w[0] * w[1] ** 2


@program('parts of lists', 0.7)
def dict_by_another_name(x):
    d = {'a': x}
    e = d
    e['b'] = x * x
    return d['b'] * d['a']


@program('parts of lists', XS)
def largest_removed(xs):
    ys = [v * v for v in xs]
    ys.remove(max(ys))
    ys.remove(ys[0])
    return ys[0] ** 2


@program('parts of lists', XS)
def two_deleted(xs):
    ys = [v * v for v in xs]
    d = {'a': xs[0], 'b': xs[1]}
    del ys[0], d['a']
    return ys[0] * d['b']


@program('parts of lists', XS)
def smallest_deleted(xs):
    best = min(xs)
    k = xs.index(best)
    ys = xs.copy()
    del ys[k]
    return best * sum(ys) ** 2 + xs[k]


@other
@program('parts of lists', XS)
def half_deleted(xs):
    xs = list(xs)
    xs.sort()
    del xs[len(xs) // 2:]
    return sum(xs) ** 2


@program('parts of lists', XS)
def shifted(xs):
    w = [0.0, 0.0]
    t = 0.0
    for x in xs:
        w.insert(0, x)
        w.pop()
        t += w[0] * w[1]
    return t


@program('parts of lists', XS)
def pair_deleted(xs):
    t = {}
    for i, x in enumerate(xs):
        t[i, i + 1] = x * x
    del t[0, 1]
    return sum(t.values()) ** 2


@program('parts of lists', XS)
def extended_by_a_slice(xs):
    ys = [xs[0]]
    ys[len(ys):] = [xs[1], xs[2] * 2]
    return ys[0] * ys[1] * ys[2] ** 2


@program('parts of lists', XS)
def last_replaced_by_two(xs):
    ys = [xs[0]]
    ys[len(ys) - 1:] = [xs[1], xs[2] * 2]
    return ys[0] * ys[1]


@program('parts of lists', XS)
def inserted_before_the_last(xs):
    ys = []
    for v in xs:
        ys.insert(len(ys) - 1, v * v)
    return ys[0] * ys[1] ** 2 + ys[2] ** 3


@program('parts of lists', XS)
def inserted_before_the_largest(xs):
    ys = [v * v for v in xs]
    ys.insert(ys.index(max(ys)), xs[0])
    ys.insert(len(ys) // 2, xs[1])
    return sum((v * k for k, v in enumerate(ys)))


@program('parts of lists', XS)
def smallest_deleted_until_one_is_left(xs):
    ys = [v * v for v in xs]
    while len(ys) > 1:
        del ys[ys.index(min(ys))]
    return ys[0] ** 2


@program('parts of lists', XS)
def counted_keys_deleted(xs):
    d = {k: v * v for k, v in enumerate(xs)}
    del d[len(d) - 1]
    d[len(d)] = xs[0] * xs[1]
    return d[0] * d[1] * d[2]


@program('parts of lists', XS)
def last_and_smallest_updated(xs):
    ys = [v * v for v in xs]
    ys[len(ys) - 1] += xs[0]
    ys[ys.index(min(ys))] *= 2
    return ys[0] * ys[1] + ys[2]


@program('parts of lists', XS)
def half_put_in_front(xs):
    ys = list(xs)
    ys.extend(ys[len(ys) - 2:])
    ys[:len(ys) // 2] = ys[len(ys) // 2:]
    return sum((v * (k + 1) for k, v in enumerate(ys))) ** 2


@program('parts of lists', XS)
def one_removed_one_moved(xs):
    ys = list(xs)
    ys.remove(xs[1])
    ys.append(ys.pop(0) * ys[-1])
    return ys[0] * ys[1]


@program('parts of lists', XS)
def from_one_list_to_another(xs):
    a, b = (list(xs), [])
    while a:
        b.append(a.pop(len(a) // 2))
        if a:
            b.insert(0, a.pop(0) * b[-1])
    return b[0] * b[1] ** 2 + b[2]


@program('parts of lists', XS)
def rows_inserted_and_deleted(xs):
    m = [[v, v * v] for v in xs]
    m.insert(1, [xs[0], 2.0])
    r = m.pop(0)
    del m[-1]
    return r[0] * m[0][1] + m[1][1] * m[0][0]


@program('parts of lists', XS)
def falling_ones_popped(xs):
    st = []
    for v in xs:
        while st and st[-1] > v:
            st.pop()
        st.append(v)
    return sum(st) * len(st)


@program('parts of lists', XS)
def two_smallest_kept(xs):
    out = []
    for v in xs:
        lo, hi = (0, len(out))
        while lo < hi:
            mid = (lo + hi) // 2
            if out[mid] < v:
                lo = mid + 1
            else:
                hi = mid
        out.insert(lo, v)
        if len(out) > 2:
            out.pop(-1)
    return out[0] * out[1] ** 2


@program('parts of lists', XS)
def popped_from_behind(xs):
    ys = list(xs)
    k = -2
    t = ys.pop(k)
    ys.insert(k, t * t)
    return ys[0] * ys[1] ** 2 * ys[2]


@other
@program('parts of lists', XS)
def changed_while_gone_through(xs):
    ys = [xs[0] * 2, xs[1]]
    zs = ys
    zs.append(xs[2])
    if xs[0] > 0:
        zs[0] = xs[1] * xs[2]
    for v in zs:
        ys[1] += v * 0.5
    return sum(zs) * ys[1]


@program('parts of lists', XS)
def rest_replaced(xs):
    ys = list(xs)
    del ys[1:]
    ys[1:] = [ys[0] * xs[1]]
    return ys[0] * ys[1]


class Window:

    def __init__(self, n):
        self.n = n
        self.items = []

    def push(self, v):
        self.items.append(v)
        if len(self.items) > self.n:
            del self.items[0]

    def mean(self):
        return sum(self.items) / len(self.items)


@program('parts of lists', XS)
def window_of_an_object(xs):
    w = Window(2)
    t = 0.0
    for x in xs:
        w.push(x * x)
        t += w.mean() ** 2
    return t


class Ring:

    def __init__(self, n):
        self.buf = collections.deque(maxlen=n)

    def add(self, v):
        self.buf.append(v)
        return sum(self.buf)


@program('parts of lists', XS)
def ring_of_an_object(xs):
    r = Ring(2)
    t = 0.0
    for x in xs:
        t += r.add(x) * x
    return t


class Stack:

    def __init__(self):
        self.items = []

    def push(self, v):
        self.items.append(v)
        return self

    def pop(self):
        return self.items.pop()

    def swap(self):
        self.items[-1], self.items[-2] = (self.items[-2], self.items[-1])


@program('parts of lists', 0.7, 1.2)
def stack_of_an_object(x, y):
    s = Stack()
    s.push(x).push(y)
    s.swap()
    a = s.pop()
    b = s.pop()
    s.push(a * b - a)
    return s.pop() ** 2


class Sorted:

    def __init__(self):
        self.vs = []

    def add(self, v):
        k = 0
        while k < len(self.vs) and self.vs[k] < v:
            k += 1
        self.vs.insert(k, v)

    def median(self):
        return self.vs[len(self.vs) // 2]


@program('parts of lists', XS)
def median_so_far(xs):
    s = Sorted()
    for x in xs:
        s.add(x * x)
    return s.median() * xs[0]


class Cache:

    def __init__(self):
        self.d = {}

    def put(self, k, v):
        if k in self.d:
            del self.d[k]
        self.d[k] = v
        if len(self.d) > 2:
            del self.d[list(self.d)[0]]


@program('parts of lists', XS)
def cache_of_two(xs):
    c = Cache()
    for i, x in enumerate(xs):
        c.put(i % 3, x * x)
    return sum(c.d.values())


class LRU:

    def __init__(self, n):
        self.n = n
        self.d = collections.OrderedDict()

    def put(self, k, v):
        self.d[k] = v
        self.d.move_to_end(k)
        if len(self.d) > self.n:
            self.d.popitem(last=False)

    def get(self, k):
        self.d.move_to_end(k)
        return self.d[k]


@program('parts of lists', XS)
def least_recently_used(xs):
    c = LRU(2)
    t = 0.0
    for i, x in enumerate(xs):
        c.put(i, x * x)
        t += c.get(i) * x
    return t + sum(c.d.values())


@program('parts of lists', XS)
def sorted_parameter(xs):
    xs = list(xs)
    xs.sort()
    del xs[0]
    return sum(xs) ** 2


@program('parts of lists', XS)
def changed_parameter(xs):
    xs = list(xs)
    xs[0] *= 2
    xs.append(xs[0] * xs[1])
    return xs[-1] * xs[2]


@program('parts of lists', {'a': 0.3, 'b': 0.4})
def dict_of_a_parameter(d):
    d = dict(d)
    d['b'] = d['a'] * 2
    d.pop('a')
    return sum(d.values()) ** 2


@program('parts of lists', XS)
def heap_of_a_list(xs):
    h = list(xs)
    heapq.heapify(h)
    t = 0.0
    w = 1.0
    while h:
        t += w * heapq.heappop(h)
        w *= 0.5
    return t ** 2


@program('parts of lists', XS)
def heap_replaced(xs):
    h = [v * v for v in xs]
    heapq.heapify(h)
    a = heapq.heappop(h)
    b = heapq.heapreplace(h, a * 2)
    return a * b + h[0]


@program('parts of lists', XS)
def huffman(xs):
    h = list(xs)
    heapq.heapify(h)
    t = 0.0
    while len(h) > 1:
        a, b = (heapq.heappop(h), heapq.heappop(h))
        t += a + b
        heapq.heappush(h, a + b)
    return t ** 2


@program('parts of lists', 0.7)
def ordered_dict(x):
    d = collections.OrderedDict()
    d['b'] = x
    d['a'] = x * x
    return sum((k * v for k, v in enumerate(d.values(), 1)))


@program('parts of lists', XS)
def oldest_particle_leaves(xs):
    ps = [[x, 1.0] for x in xs]
    for step in range(3):
        for p in ps:
            p[0] += 0.1 * p[1]
            p[1] *= p[0]
        if len(ps) > 2:
            ps.pop(0)
    return sum((p[0] * p[1] for p in ps))


@program('parts of lists', XS)
def first_entry_deleted(xs):
    acc = {'a': 100.0, 'b': 50.0}
    log = []
    for i, x in enumerate(xs):
        src, dst = ('a', 'b') if i % 2 else ('b', 'a')
        acc[src] -= x
        acc[dst] += x * 0.99
        log.append((src, acc[src]))
    del log[0]
    return acc['a'] * acc['b'] + sum((v for _, v in log))


@program('parts of lists', XS)
def derivatives_in_front(xs):
    p = list(xs)
    d = []
    while len(p) > 1:
        p = [c * (len(p) - 1 - i) for i, c in enumerate(p[:-1])]
        d.insert(0, p[0])
    return sum(d) ** 2


@program('parts of lists', XS)
def towers(xs):
    a, b, c = (list(xs), [], [])

    def move(n, s, t, u):
        if n == 0:
            return
        move(n - 1, s, u, t)
        t.append(s.pop() * 1.1)
        move(n - 1, u, t, s)
    move(3, a, c, b)
    return c[0] * c[1] + c[2]


@program('parts of lists', XS)
def queue_of_two_stacks(xs):
    inn, out = ([], [])
    t = 0.0
    for x in xs:
        inn.append(x * x)
        if not out:
            while inn:
                out.append(inn.pop())
        t = t * 0.5 + out.pop()
    return t


@other
@program('parts of lists', XS)
def window_that_a_function_fills(xs):
    w = collections.deque(maxlen=2)

    def put(v):
        w.append(v)
    for x in xs:
        put(x * x)
    return sum(w) * len(w)


@other
@program('parts of lists', XS)
def window_that_is_copied(xs):
    w = collections.deque(maxlen=2)
    w.append(xs[0])
    v = copy.copy(w)
    for x in xs:
        v.append(x * x)
    return sum(v) * len(v)


@other
@program('parts of lists', XS)
def window_extended(xs):
    w = collections.deque(maxlen=2)
    w.extend(xs)
    return w[0] * w[1]


@other
@program('parts of lists', XS)
def window_that_is_asked_how_long_it_may_be(xs):
    n = len(xs) // 2 + 1
    w = collections.deque(maxlen=n)
    for x in xs:
        w.append(x)
    return w[0] * w[-1] * w.maxlen


@program('parts of lists', XS)
def window_by_position(xs):
    n = 2
    w = collections.deque(xs, n)
    w.append(xs[0] * xs[1])
    return w[0] * w[1]


@program('parts of lists', XS)
def rows_updated_by_name(xs):
    ps = [[x, 1.0] for x in xs]
    for p in ps:
        p[0] += 0.1 * p[1]
        p[1] *= p[0]
    return sum((p[0] * p[1] for p in ps))


@other
@program('parts of lists', XS)
def rows_replaced_by_another_name(xs):
    m = [[x, x * x] for x in xs]
    qs = m
    for p in m:
        qs[0] = [1.0, 2.0]
        p[0] += 1.0
    return m[0][0] * m[1][0]


@other
@program('parts of lists', XS)
def counter_bound_anew(xs):
    m = [[x, x * x] for x in xs]
    for k, p in enumerate(m):
        k = 0
        p[0] += m[k][1]
    return m[0][0] * m[1][0] + k


@program('parts of lists', XS)
def rows_left_half_way(xs):
    m = [[x, x * x] for x in xs]
    for k, p in enumerate(m):
        p[0] += k * p[1]
        if p[0] > 2.5:
            break
    else:
        m[0][0] *= 2
    return m[0][0] * m[1][0] + k * m[k][1]


@program('parts of lists', XS)
def rows_that_grow_by_name(xs):
    m = [[x] for x in xs]
    for row in m:
        row.append(row[0] ** 2)
        row[0] = 1.0
    m.insert(0, [5.0, 6.0])
    return sum((r[0] * r[1] for r in m if len(r) > 1))


@other
@program('parts of lists', XS)
def row_bound_anew(xs):
    m = [[x, x * x] for x in xs]
    for p in m:
        p[0] += 1.0
        p = [3.0, 4.0]
    return m[0][0] * m[1][0] + p[0]


@other
@program('parts of lists', XS)
def best_of_the_rows(xs):
    m = [[x, x * x] for x in xs]
    best = m[0]
    for p in m:
        p[1] *= 2
        if p[1] < best[1]:
            best = p
    best[0] += 3.0
    return m[2][0] * m[0][1] + best[0]


@program('parts of lists', XS)
def elimination_by_name_of_row(xs):
    m = [[xs[r] * c for c in range(3)] for r in range(3)]
    for r in range(3):
        piv = m[r][r] + 1.0
        for c in range(3):
            m[r][c] /= piv
        row = m[r]
        for r2 in range(3):
            if r2 != r:
                f = m[r2][r]
                for c in range(3):
                    m[r2][c] -= f * row[c]
    return sum((sum((v * v for v in row)) for row in m))


@program('names used again', [0.7, 1.3, 0.4])
def names_used_again_inside(xs):
    m = [[xs[0], xs[1]], [xs[2], 1.0]]
    row = m[0]
    t = row[1]
    return sum([sum([v * v for v in row]) for row in m]) * t


@program('names used again', [0.7, 1.3, 0.4])
def rows_named_like_a_number(xs):
    row = 3.0
    m = [[xs[0], xs[1]], [xs[2], 1.0]]
    y = [[v * row[0] for v in row] for row in m]
    return y[0][1] * row


@program('names used again', [0.7, 1.3, 0.4])
def largest_of_rows_named_like_a_number(xs):
    m = [[xs[0], xs[1]], [xs[2], 1.0]]
    row = xs[2]
    y = max((sum([v * row[0] for v in row]) for row in m))
    return y * row


@program('names used again', [0.7, 1.3, 0.4])
def items_named_like_numbers(xs):
    m = {'a': [xs[0], xs[1]], 'b': [xs[2], 1.0]}
    v = xs[1]
    y = {k: [u * u for u in v] for k, v in m.items()}
    return y['a'][0] * y['b'][0] * v
