# ruff: noqa: B007, B008, C400, C401, C416, C417, E731, F841, PLW - a corpus of programs as people write them
"""Comprehensions, lists that grow, assignments in expressions, match, starred targets, itertools ... as people write them."""
import functools
import itertools
from itertools import chain, combinations, pairwise, product

import numpy as np

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)

XS = np.array([1.0, 2.0, 3.0])
LIST = [0.5, 1.5, 2.5]
SCALE = 2.0


# Comprehensions

def sum_of_products(xs, w):
    return sum(w * x for x in xs)


case(sum_of_products, XS, 0.7)
case(sum_of_products, LIST, 0.7)


def filtered(xs, w):
    ys = [np.tanh(w * x) for x in xs if x > 1.2 if x < 2.9]
    return np.sum(np.array(ys))


case(filtered, XS, 0.7)


def rebound(x, n):
    xs = [x * k for k in range(n)]
    xs = [v * v for v in xs]
    return sum(xs) + max(v for v in xs) + xs[1]


case(rebound, 0.7, 4)


def layers(ws, x, n):
    h = [x, x * x]
    for k in range(n):
        h = [np.tanh(ws[0] * h[0] + ws[1] * h[1]), np.tanh(ws[2] * v) if (v := h[1]) > 0 else v]
        h = [u + k for u in h]
    return h[0] * h[1]


case(layers, np.array([0.3, 0.5, 0.7]), 0.9, 3)


def table_of_tables(x):
    m = [[x[i] * x[j] for j in range(3)] for i in range(3)]
    return m[0][1] * m[2][2] + sum(m[1]) + sum(sum(row) for row in m)


case(table_of_tables, XS)


def two_generators(m):
    return sum(m[i][j] * (i + 1) for i in range(len(m)) for j in range(len(m[i])) if i != j)


case(two_generators, [[1.0, 2.0], [3.0, 4.0]])


def target_is_a_local(x, n):
    k = 5.0
    ys = [x * k for k in range(n)]
    v = 2.0
    return sum(v * y for y in ys) * k * sum(v for v in ys) * v


case(target_is_a_local, 0.7, 4)


def iterable_of_the_same_name(x):
    return sum(x * 2 for x in [y * y for y in x for x in (1.0, 2.0)])


case(iterable_of_the_same_name, XS)


def dict_comprehension(x):
    d = {k: x * i for i, k in enumerate('abc')}
    e = {k: v * v for k, v in d.items()}
    return sum(e.values()) + sum(e[k] for k in e) * d['b']


case(dict_comprehension, 0.7)


def same_key_again(xs):
    d = {k % 2: x * k for k, x in enumerate(xs, 1)}
    return d[0] * d[1]


case(same_key_again, LIST)


def dict_of_pairs(names, xs):
    d = dict(zip(names, xs))
    e = dict((k, v * v) for k, v in d.items())
    return d['a'] * e['b'] + max(d.values())


case(dict_of_pairs, ('a', 'b'), (1.0, 2.0), wrt=[(1,)])


def consumers(xs):
    t = tuple(v * 2 for v in xs)
    low, *_ = sorted(v * v for v in xs)
    return t[0] * t[1] + min(v for v in xs) * max([v * v for v in xs]) + low + list(v for v in xs)[1]


case(consumers, XS)
case(consumers, LIST)


def arrays_of(xs):
    a = np.array([[a * b for a in xs] for b in xs])
    b = np.stack([np.array([x, x * x]) for x in xs])
    c = np.fromiter((x ** 3 for x in xs), float)
    return np.sum(a) + np.sum(b ** 2) + np.sum(c)


case(arrays_of, XS)


def first_of(xs):
    first = next(v * v for v in xs if v > 1.2)
    none = next((v for v in xs if v > 9), 2.0)
    return first * none * xs[0] + sum((v * v for v in xs), xs[1])


case(first_of, XS)


def witness(xs):
    if any((found := v) > 1.2 for v in xs):
        return found * found
    return xs[0]


case(witness, XS)


def every_one(xs):
    last = xs[0]
    fine = all((last := v) < 2.2 for v in xs)
    return last * 3 if not fine else last


case(every_one, XS)


def flattened(xs):
    rows = [[v, v * v] for v in xs]
    flat = sum(rows, [])
    again = [v for row in rows for v in row]
    return flat[1] * flat[4] + again[3]


case(flattened, XS)


def generator_kept(xs):
    squares = (v * v for v in xs)
    return sum(squares)


case(generator_kept, XS)


def fused(xs):
    s = 1.0
    for v in (u * u for u in xs if u > 0.7):
        if v > 8:
            break
        s = s * v
    return s


case(fused, LIST)
case(fused, XS)


def passive_ones(x, names):
    lengths = [len(n) for n in names]
    known = {n: k for k, n in enumerate(names)}
    letters = {c for n in names for c in n}
    text = ', '.join(n for n in names)
    return x * sum(lengths) * known['bc'] + len(letters) * len(text) * x * all(k > 0 for k in lengths)


case(passive_ones, 0.7, ('a', 'bc'))


# Lists and dicts that grow

def collected(x, n):
    out = []
    for i in range(n):
        out.append(np.sin(x * i))
    return np.sum(np.stack(out))


case(collected, 0.7, 4)


def recurrence(w, x, n):
    hs = [x]
    for _ in range(n):
        hs.append(np.tanh(w @ hs[-1]))
    return np.sum(np.stack(hs) ** 2) + np.mean(hs)


case(recurrence, np.array([[0.3, 0.7], [0.1, 1.2]]), np.array([0.2, 0.5]), 3)


def read_while_growing(x, n):
    out = [x]
    for i in range(n):
        m = np.mean(out)
        out.append(m * x + len(out) * out[-1] + sum(out))
    return out[-1] / len(out)


case(read_while_growing, 0.7, 3)


def in_branches(x):
    s = 0.0
    for i in range(len(x)):
        row = []
        for j in range(i + 1):
            if j % 2:
                row.append(x[i] * x[j])
            elif x[j] > 0.9:
                row.append(x[j])
                row.append(2.0)
        s = s + np.prod(np.array(row))
    return s


case(in_branches, XS)


def collect(x, n):
    out = []
    for i in range(n):
        if i == 3:
            break
        out.append(x ** i)
    return out


def of_a_callee(x, n):
    powers = collect(x, n)
    return powers[1] * powers[2] + powers[-1]


case(of_a_callee, 0.7, 6)


def returned(x, n):
    rows = []
    for i in range(n):
        rows.append([x * i, x * x])
    return rows


case(returned, 0.7, 3)


def read_in_a_branch(x, n):
    out = []
    for i in range(n):
        out.append(x * i)
        if len(out) > 2:
            x = x + out[-1] * out[-2]
    return x * out[0] + out[n - 1]


case(read_in_a_branch, 0.7, 4)


def stack_machine(x, n):
    st = [x]
    for i in range(n):
        a = st.pop()
        st.append(a * a)
        st.append(a + 1)
        st.append(st.pop() * st[-1])
        if i == 1:
            st.pop()
    return sum(st)


case(stack_machine, 0.7, 4)


def by_key(x, n):
    d = {}
    for i in range(n):
        d[i] = x * i
        d['last'] = d[i] * x
    s = 0.0
    for k, v in d.items():
        s = s + v
    return s * d[1] + d['last']


case(by_key, 0.7, 4)


def histogram(xs):
    h = {}
    for k, x in enumerate(xs):
        h[k % 2] = h.get(k % 2, 1.0) * x
    return h[0] + h[1] * 3


case(histogram, LIST)


def fibonacci(x, n):
    t = [0.0] * n
    t[0] = x
    t[1] = x * x
    for i in range(2, n):
        t[i] = t[i - 1] * t[i - 2] + x
    return t[-1] * t[1]


case(fibonacci, 0.7, 6)


def extended(x):
    out = []
    out.extend([x, x * x])
    out += [2 * x]
    out.extend(v * v for v in list(out))
    out += out[:2]
    return sum(out) * out[-1]


case(extended, 0.7)


def arrays_appended(xs):
    parts = []
    for k in range(len(xs) - 1):
        parts.append(xs[k:k + 2] * k)
    parts.append(xs)
    return np.sum(np.concatenate(parts) ** 2)


case(arrays_appended, XS)


def list_of_this_round(xs):
    last = 0.0
    for k, x in enumerate(xs):
        row = [x * j for j in range(4 - k)]
        last = last + row[-1]
    return last * row[1]


case(list_of_this_round, LIST)


def nested_builders(x, n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i + 1):
            row.append(x * (i + j))
        rows.append(row)
    return rows[2][1] * rows[1][0] + sum(rows[-1])


case(nested_builders, 0.7, 3)


def method_in_a_variable(x, n):
    out = []
    add = out.append
    for i in range(n):
        add(x * i)
    return out[2] * x


case(method_in_a_variable, 0.7, 4)


# Assignments in expressions, loops with else, match

def in_a_while_test(x):
    t = 0.0
    while (y := x * x * (t + 1)) < 5 and (z := y + t) < 20:
        if t > 3:
            break
        t = t + z
    else:
        t = t * 2
    return t * y


case(in_a_while_test, 0.7)
case(in_a_while_test, 1.9)


def in_conditions(x, n):
    s = 0.0
    for i in range(n):
        if (y := x * i) > 1 and (z := y * y) > 1.2 or i == 0:
            s += y
        else:
            s += z if i > 5 else y * 2
    return s * (w := s) + w


case(in_conditions, 0.7, 8)


def order_of_evaluation(x):
    a = x
    first = a + (a := a * 2) * a + (a := a + 1)
    return first * a + [a, (a := 3 * a), a][0] * a


case(order_of_evaluation, 0.7)


def chained(x):
    if 0 < (y := x * x) < (z := y + 1) < 5:
        return y * z
    return y


case(chained, 0.7)
case(chained, 2.5)


def searched(xs, limit):
    for x in xs:
        if x > limit:
            found = x * x
            break
    else:
        found = xs[0]
    return found


case(searched, XS, 1.2, wrt=[(0,)])
case(searched, XS, 9.0, wrt=[(0,)])


def else_of_two_loops(x, n):
    for i in range(n):
        for j in range(i):
            if x * j > 1.3:
                x = x * 0.9
                break
        else:
            x = x * 1.1
            continue
        if i > 4:
            break
    else:
        x = x * x
    return x


case(else_of_two_loops, 0.7, 4)
case(else_of_two_loops, 0.7, 8)


def area(x, shape):
    match shape:
        case ('circle', r):
            return x * r * r
        case ('rectangle', w, h) if w > h:
            return x * w + h
        case ('rectangle', w, h):
            return x * h - w
        case {'side': s, **rest}:
            return x * s * s + len(rest)
        case [first, *more, 2.0]:
            return x * first + len(more)
        case float() | int() as v:
            return x + v
        case None:
            return x
        case _:
            return 2 * x


for one in [('circle', 2.0), ('rectangle', 3.0, 2.0), ('rectangle', 1.0, 2.0), {'side': 2.0, 'z': 1}, [3.0, 1.0, 2.0], 4, None,
            'abc', [], {}, (1.0,)]:
    case(area, 0.7, one, wrt=[(0,)])


def parts_matched(pair, z):
    match pair:
        case (x, 0) | (0, x):
            y = x * x
        case (x, [y, *_]) if y > x * z:
            y = x * y * z
        case (x, _):
            y = x * z
    return y


case(parts_matched, (2.0, 3.0), 0.7)
case(parts_matched, (2.0, [5.0, 1.0]), 0.7)
case(parts_matched, (2.0, [1.0, 0.5]), 0.7)
case(parts_matched, (2.0, 0), 0.7, wrt=[(1,)])


def automaton(state, x, n):
    for i in range(n):
        match state:
            case 'up':
                x = x * 2
                state = 'down'
            case 'down' if i % 2:
                x = x * x
                if x > 50:
                    break
                state = 'up'
            case _:
                state = 'up'
                continue
        x = x + 1
    return x


case(automaton, 'up', 0.7, 7)


# Unpacking, displays, small statements

def starred_targets(xs):
    a, *b = xs
    *c, d = xs
    (e, f), *g = (a, d), b[0], c[1]
    return a * b[0] + c[0] * d + e * f * g[0] * g[1]


case(starred_targets, XS)
case(starred_targets, LIST)
case(starred_targets, (1.0, 2.0, 3.0))


def starred_displays(xs, y):
    zs = [*xs, y, *xs[1:]]
    ts = (y, *zs)
    return zs[0] * zs[-1] + zs[3] * ts[0] + ts[-1]


case(starred_displays, LIST, 0.3)
case(starred_displays, XS, 0.3)


def merged_dicts(x):
    d = {'a': x, 'b': 2 * x}
    e = {**d, 'c': x * x, 'a': 3 * x}
    f = {'a': x * x, **e} | {'b': x ** 3}
    return e['a'] * e['b'] + e['c'] * f['a'] * f['b']


case(merged_dicts, 0.7)


def repeated(x, n):
    zs = [x, 2 * x] * n + [x * x]
    return sum(zs) * zs[-1] * zs[2]


case(repeated, 0.7, 3)


def rows_and_columns(x):
    return np.sum(np.r_[x, 1.0, x * x, 0:3] ** 2) + np.sum(np.c_[x, x * x] @ np.array([1.0, 2.0]))


case(rows_and_columns, XS)


def several_at_least(x, n):
    a, b, n = np.atleast_1d(x, x[0], n * x[1])
    return np.sum(a * b * n) + sum(np.sum(m * m) for m in np.atleast_2d(x, x[1]))


case(several_at_least, XS, 2.0)


def small_statements(x):
    global SCALE
    import math
    from math import sin as sine
    y = x * x
    del y
    z, name = x, f'{x:.3f}'
    assert z > 0, f'{z}'
    d = {f'w{i}': x * i for i in range(3)}
    return sine(x) * math.cos(z) * SCALE * d['w1'] * len(name)


case(small_statements, 0.7)


def compared(x, y):
    if (x, y) == (y, x) or [x] < [y] or x in [1.0, 2.0]:
        return x * y
    return (x > 0 and x * y) + (x < 0 or y) + (x if y > 5 else y) ** 2


case(compared, 0.7, 0.9)
case(compared, 0.9, 0.7)


def keys_read(d):
    s = 0.0
    for k in d:
        s = s + d[k] * len(k)
    for k in d.keys():
        s = s * d[k]
    for k, v in d.items():
        s = s + v * len(k)
    for v in d.values():
        s = s * v
    return s


case(keys_read, {'a': 1.0, 'bb': 2.0})


# Iteration

def zips(xs, ys):
    s = 0.0
    for (a, b), c in zip(zip(xs, ys), reversed(xs)):
        s += a * b * c
    for a, b in zip(xs, ys, strict=True):
        s += a * b * b
    for k, (a, b) in enumerate(zip(xs, ys[1:]), 1):
        s *= a * b + k
    return s


case(zips, XS, LIST)


def iterators(xs, ys):
    s = sum(v * k for k, v in enumerate(chain(xs, ys)))
    s += sum(a * b * b for a, b in product(xs, ys)) + sum(a * b for a, b in combinations(xs, 2))
    s += sum((b - a) ** 2 for a, b in pairwise(xs)) + sum(a * b * b for a, b in itertools.permutations(xs, 2))
    s += sum(itertools.islice(xs, 2)) * sum(itertools.accumulate(xs)) + sum(itertools.compress(xs, [1, 0, 1]))
    return s + sum(a * b for a, b in itertools.zip_longest(xs, ys[:2], fillvalue=1.0))


case(iterators, XS, LIST)
case(iterators, LIST, LIST)


def endless(xs, ys):
    s = sum(k * v for k, v in zip(itertools.count(1), xs)) + sum(a * b for a, b in zip(itertools.cycle(ys), xs))
    return s + sum(a * b for a, b in zip(itertools.repeat(xs[0]), ys)) + sum(itertools.repeat(xs[1], 3))


case(endless, XS, LIST[:2])


def groups(xs):
    s = 0.0
    for big, vs in itertools.groupby(xs, lambda v: v > 1.2):
        s = s + sum(vs) * (2 if big else 3)
    s += sum(v * v for v in itertools.takewhile(lambda v: v < 2.2, xs))
    return s * sum(itertools.dropwhile(lambda v: v < 1.2, xs))


case(groups, LIST)


def ranges(xs):
    s = 0.0
    for i in range(len(xs) - 1, -1, -2):
        for j in range(-3, i, 2):
            s = s + xs[i] * j * s
        s = s + xs[i]
    return s


case(ranges, XS)
