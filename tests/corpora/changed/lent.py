"""Lists, dicts and deques of a function's own that other functions change for it, and variables that functions inside bind
anew: all are structured (`tests/normal/test_element_updates.py`), but for those marked, which look alike and are not."""
import collections
import math
from itertools import combinations

import numpy as np

from tests.tools.registry import other, program


def push(xs, v):
    xs.append(v * v)


def put(d, key, v):
    d[key] = v


def drop(xs):
    return xs.pop() * xs[-1]


@program('a list that is lent', 1.3)
def pushed(x):
    xs = []
    for i in range(4):
        push(xs, x * i)
    return sum(xs) + xs[2] * xs[3]


@program('a list that is lent', 1.3)
def pushed_until_it_is_long(x):
    xs = []
    while len(xs) < 4:
        push(xs, x * len(xs) + 1)
    return xs[3] * xs[1]


@program('a list that is lent', 1.3)
def read_before_and_after_it_is_changed(x):
    xs = [x, x * x, 3.0]
    return xs[0] * drop(xs) + len(xs) + xs[0] * x


@program('a list that is lent', 1.3)
def lent_twice_in_one_statement(x):
    xs = [x, 2 * x, x * x, 3 * x]
    t = drop(xs) * xs[0] + drop(xs) * xs[-1]
    return t * x


def both(xs, ys, v):
    xs.append(v)
    ys.append(xs[-1] * v)


@program('a list that is lent', 1.3)
def two_lists_in_turn(x):
    xs, ys = [], []
    both(xs, ys, x)
    both(xs, ys, 2 * x)
    both(ys, xs, 3 * x)
    return xs[0] * ys[1] + xs[2] * ys[2]


def last_of(xs, v):
    return xs[-1] * v


def handed_further(xs, v):
    push(xs, v)
    push(xs, v + 1)
    return last_of(xs, v)


@program('a list that is lent', 1.3)
def lent_further(x):
    xs = []
    t = handed_further(xs, x) + handed_further(xs, 2 * x)
    return t * xs[0]


def whole(xs, v):
    xs.append(v + sum(xs))
    return max(xs) * v


@program('a list that is lent', 1.3)
def read_as_a_whole(x):
    xs = [x, 0.5]
    t = 0.0
    for _ in range(3):
        t += whole(xs, x)
    return t + sum(xs)


def copied_out(xs, v):
    ys = list(xs)
    xs.append(v)
    ys.append(v * v)
    return ys


@program('a list that is lent', 1.3)
def copies_taken(x):
    xs = [x]
    ys = copied_out(xs, x)
    zs = copied_out(xs, x * 2)
    return sum(ys) * sum(zs) + sum(xs)


def early(xs, v):
    if v > 1.5:
        return 0.0
    xs.append(v)
    for e in xs:
        if e > 1.0:
            return e * v
    return v


@program('a list that is lent', 1.3)
def left_early(x):
    xs = []
    t = 0.0
    for k in range(4):
        t += early(xs, x * (0.3 + 0.3 * k))
    return t * sum(xs)


def pushed_or_set(xs, v, new):
    if new:
        xs.append(v)
    else:
        xs[0] = v
    return len(xs)


@program('a list that is lent', 1.3)
def given_what_it_holds(x):
    xs = [x]
    n = 0
    for k in range(5):
        n += pushed_or_set(xs, x * k + xs[-1], k % 2 == 0)
    return n * x + sum(xs) * xs[1]


def with_array(a, xs, v):
    a[0] = v * a[1]
    xs.append(a[0])


@other
@program('a list that is lent', 1.3)
def beside_an_array(x):
    a, xs = np.ones(3), []
    with_array(a, xs, x)
    with_array(a, xs, x * 2)
    return a[0] * xs[0] * xs[1]


def default(v, xs=[]):                                                            # noqa: B006
    xs.append(v)
    return xs[-1] * len(xs)


@program('a list that is lent', 1.3)
def in_place_of_a_default(x):
    xs = []
    return default(x, xs) + default(x * x, xs)


def swapped(a, b):
    a[0], b[0] = b[0], a[0]


@program('a list that is lent', 1.3)
def elements_exchanged(x):
    a, b = [x], [x * x]
    swapped(a, b)
    return a[0] * 2 + b[0] * 3


TREE = (2.0, [(1.0, []), (3.0, [(0.5, []), (4.0, [])])])


def collect(node, out, w):
    v, kids = node
    out.append(v * w)
    for kid in kids:
        collect(kid, out, w * 0.5)


@program('a list that is lent', 1.2)
def collected_from_a_tree(w):
    out = []
    collect(TREE, out, w)
    return sum(o * o for o in out)


def compute(stack, op):
    b = stack.pop()
    a = stack.pop()
    stack.append(a + b if op == '+' else a * b if op == '*' else a - b)


@program('a list that is lent', 1.5, 2.5)
def postfix(x, y):
    stack = []
    for token in 'x y + x * y y * -'.split():
        if token in 'xy':
            put_on(stack, x if token == 'x' else y)
        else:
            compute(stack, token)
    return stack[0]


def put_on(stack, v):
    stack.append(v)


def row(hs, h, w):
    hs.append(np.tanh(w * h))
    return hs[-1]


@program('a list that is lent', np.array([0.3, 0.5, -0.7]))
def arrays_in_a_list(w):
    hs = []
    h = np.ones(3)
    for _ in range(3):
        h = row(hs, h, w)
    return np.sum(hs[0] * hs[2]) + np.sum(h)


@other
@program('a list that is lent', np.array([0.3, 0.5, -0.7]))
def an_array_updated_that_is_in_it(w):
    hs = []
    h = np.ones(3)
    for _ in range(3):
        h = row(hs, h, w)
    h += 1.0
    return np.sum(hs[0] * hs[2]) + np.sum(hs[-1])


@other
@program('a list that is lent', np.array([0.3, 0.5, -0.7]))
def rows_written_that_are_elsewhere(w):
    hs = []
    h = row(hs, np.ones(3), w)
    hs[0][1] = 5.0
    return np.sum(hs[0] * h * w)


@other
@program('a list that is lent', 1.3)
def by_two_names(x):
    xs = []
    ys = xs
    push(xs, x)
    push(ys, 2 * x)
    return xs[0] * ys[1] + len(xs)


def given_back(xs, v):
    xs.append(v * v)
    return xs


@other
@program('a list that is lent', 1.3)
def handed_back(x):
    xs = []
    ys = given_back(xs, x)
    push(ys, 2 * x)
    return xs[0] * xs[1]


def kept_in(box, xs, v):
    xs.append(v)
    box.append(xs)


@other
@program('a list that is lent', 1.3)
def kept_in_another(x):
    xs, box = [], []
    kept_in(box, xs, x)
    push(xs, x)
    return box[0][1] * xs[0]


def raising(xs, v):
    xs.append(v)
    if v > 2:
        raise ValueError(v)
    xs.append(v * v)


@other
@program('a list that is lent', 1.3)
def left_half_way(x):
    xs = []
    for k in range(4):
        try:
            raising(xs, k * x)
        except ValueError:
            xs.append(x)
    return sum(xs) + xs[-1] * xs[1]


@other
@program('a list that is lent', 1.3)
def only_where_something_holds(x):
    xs = [x, x * 3]
    taken = len(xs) > 1 and xs.pop() > 0 and drop_one(xs) > 0
    push(xs, x * 5)
    return xs[0] * (2 if taken else 1)


def drop_one(xs):
    return xs.pop()


@program('a list that is lent', 1.3)
def by_a_lambda(x):
    xs = []
    add = lambda v: push(xs, v)                                                   # noqa: E731
    add(x)
    push(xs, x * 2)
    add(3 * x)
    return xs[0] * xs[1] * xs[2]


# Dicts

@program('a dict that is lent', 1.3)
def put_and_put_again(x):
    d = {}
    put(d, 'a', x)
    put(d, 'a', d['a'] * x)
    put(d, 'b', d['a'] + x)
    return d['a'] * d['b']


def posted(ledger, account, amount):
    ledger[account] = ledger.get(account, 0.0) + amount


@program('a dict that is lent', 0.2, [1.0, 2.0, 3.0])
def ledger(rate, xs):
    found = {}
    for i, x in enumerate(xs):
        posted(found, 'cash', x)
        posted(found, 'tax', -rate * x)
        if i % 2:
            posted(found, 'cash', -rate * found['cash'])
    return found['cash'] * found['tax']


def taken(d, key):
    return d.pop(key)


@program('a dict that is lent', 1.3)
def taken_out_and_put_back(x):
    d = {'a': x, 'b': x * x}
    t = taken(d, 'a') * x
    put(d, 'a', t * d['b'])
    return sum(d.values()) + len(d) * x


@program('a memo', 100.0, 95.0, 1.1, 0.05)
def binomial_tree(s, k, u, r):
    memo = {}
    n = 4
    d = 1 / u
    p = (math.exp(r / n) - d) / (u - d)

    def value(i, j):
        if (i, j) in memo:
            return memo[i, j]
        if i == n:
            v = max(s * u ** (2 * j - i) - k, 0.0)
        else:
            v = math.exp(-r / n) * (p * value(i + 1, j + 1) + (1 - p) * value(i + 1, j))
        memo[i, j] = v
        return v
    return value(0, 0)


@program('a memo', [1, 3, 4, 5], [1.0, 4.2, 5.1, 7.3], 7)
def knapsack(weights, values, room):
    memo = {}

    def best(i, left):
        if i == len(weights):
            return 0.0
        if (i, left) in memo:
            return memo[(i, left)]
        found = best(i + 1, left)
        if weights[i] <= left:
            found = max(found, values[i] + best(i + 1, left - weights[i]))
        memo[(i, left)] = found
        return found
    return best(0, room) ** 2


@program('a memo', np.array([1.0, 1.3, 1.7]))
def edit_distance(costs):
    a, b = 'kitten', 'sitting'
    memo = {}

    def distance(i, j):
        if i == 0:
            return j * costs[0]
        if j == 0:
            return i * costs[1]
        key = (i, j)
        if key not in memo:
            change = 0.0 if a[i - 1] == b[j - 1] else costs[2]
            memo[key] = min(distance(i - 1, j) + costs[1], distance(i, j - 1) + costs[0], distance(i - 1, j - 1) + change)
        return memo[key]
    return distance(len(a), len(b)) ** 2


@program('a set and a list', 0.8)
def visited_once(x):
    order, seen = [], set()
    graph = {0: [1, 2], 1: [3], 2: [3], 3: []}

    def visit(u, w):
        if u in seen:
            return
        seen.add(u)
        order.append(w * (u + 1))
        for v in graph[u]:
            visit(v, w * x)
    visit(0, x)
    return sum(order) * order[-1]


def parsed(text, env):
    pos = [0]

    def peek():
        return text[pos[0]] if pos[0] < len(text) else ''

    def take():
        c = peek()
        pos[0] += 1
        return c

    def factor():
        c = take()
        if c == '(':
            v = expression()
            take()
            return v
        return env[c]

    def term():
        v = factor()
        while peek() in ('*', '/'):
            v = v * factor() if take() == '*' else v / factor()
        return v

    def expression():
        v = term()
        while peek() in ('+', '-'):
            v = v + term() if take() == '+' else v - term()
        return v
    return expression()


@program('a place in a text', 1.5, 2.5)
def calculator(x, y):
    return parsed('x*(y+x)-y/x', {'x': x, 'y': y})


@other
@program('a deque that is lent', 1.3)
def a_queue(x):
    q = collections.deque([x, 2.0])
    t = 0.0
    for k in range(3):
        t += turned(q, x + k)
    return t + q[0] * q[-1]


def turned(q, v):
    q.append(v)
    return q.popleft() * v


# Lists in lists and dicts, which those they are lent to change

def recorded(history, t, x):
    history['t'].append(t)
    history['x'].append(x)


@program('rows that are lent', 2.0)
def a_history(k):
    history = {'t': [], 'x': []}
    x, v = 1.0, 0.0
    for i in range(5):
        v = v - k * x * 0.1
        x = x + v * 0.1
        recorded(history, i * 0.1, x)
    return sum(x * x for x in history['x']) + history['x'][-1] * k


def filled(table, i, w):
    for j in range(len(table[i])):
        table[i][j] = w * (table[i - 1][j] + (table[i - 1][j - 1] if j else 0.0))


@program('rows that are lent', 0.9)
def rows_of_a_triangle(w):
    table = [[1.0] + [0.0] * 4 for _ in range(5)]
    for i in range(1, 5):
        filled(table, i, w)
    return table[4][2] * table[3][1]


def grouped(groups, key, v):
    groups.setdefault(key, []).append(v)


@program('rows that are lent', 1.3)
def groups(x):
    found = {}
    for k in range(6):
        grouped(found, k % 2, x * k)
    return sum(found[0]) * found[1][1]


def joined(graph, u, w):
    if u not in graph:
        graph[u] = []
    graph[u].append(w)


@program('rows that are lent', 1.3)
def edges_of_a_graph(x):
    graph = {}
    joined(graph, 'a', x)
    joined(graph, 'a', x * x)
    joined(graph, 'b', 2 * x)
    return graph['a'][0] * graph['a'][1] + sum(graph['b'])


def begun(table, v):
    table.append([v, v * v])


@program('rows that are lent', 1.3)
def rows_begun_by_another(x):
    table = []
    begun(table, x)
    begun(table, 2 * x)
    table[0][1] = table[1][0] * x
    return table[0][1] * table[1][1] + len(table)


def same_row(table, r):
    table['b'] = r


@other
@program('rows that are lent', 1.3)
def a_row_with_a_name(x):
    table, r = {'a': [x]}, [x * x]
    same_row(table, r)
    table['b'].append(x * 3)
    r.append(x)
    return sum(table['b']) * sum(r)


def one_for_two(table):
    table['b'] = table['a']


@other
@program('rows that are lent', 1.3)
def a_row_in_two_places(x):
    table = {'a': [x]}
    one_for_two(table)
    table['a'].append(x * 3)
    table['b'].append(x)
    return sum(table['b']) * sum(table['a'])


def row_of(table, key):
    table[key].append(1.0)
    return table[key]


@other
@program('rows that are lent', 1.3)
def a_row_handed_out(x):
    table = {'a': [x]}
    r = row_of(table, 'a')
    table['a'].append(x * x)
    r.append(3 * x)
    return sum(table['a']) * sum(r)


# Variables that functions inside bind anew

@program('a variable bound from inside', 1.3)
def summed_from_inside(x):
    total = 0.0

    def add(v):
        nonlocal total
        total += v * x
    for i in range(5):
        add(i * x)
    return total * x


@program('a variable bound from inside', 1.3)
def best_so_far(x):
    count, best = 0, None

    def visit(v):
        nonlocal count, best
        count += 1
        if best is None or v > best:
            best = v
        return count
    for i in range(5):
        visit(math.sin(i * x))
    return best * count


@program('a variable bound from inside', 1.3)
def bound_inside_and_outside(x):
    y = 1.0

    def set_to(v):
        nonlocal y
        y = v
    set_to(x)
    y = y * 2
    set_to(y * x)
    return y


@program('a variable bound from inside', 1.3, 0.7)
def a_parameter_bound_from_inside(x, a):
    def subtract(v):
        nonlocal a
        a = a - v
        return a
    subtract(x)
    subtract(x * a)
    return a * x


@program('a variable bound from inside', 1.3)
def two_at_once(x):
    a, b = x, x * x

    def turn():
        nonlocal a, b
        a, b = b, a + b
    for _ in range(4):
        turn()
    return a * b


@program('a variable bound from inside', 1.3)
def captured_and_bound_later(x):
    k = 1.0

    def scaled(v):
        return v * k
    t = scaled(x)
    k = 2.0 * x
    return t + scaled(x)


@other
@program('a variable bound from inside', 1.3)
def a_sum_that_is_kept(x):
    total, history = 0.0, []

    def add(v):
        nonlocal total
        total += v
        history.append(total)
    add(x)
    add(x * x)
    return history[0] * history[1] + total


@other
@program('a variable bound from inside', 1.3)
def called_by_others(x):
    total = 0.0

    def add(v):
        nonlocal total
        total += v
    list(map(add, [x, x * x]))
    return total


@other
@program('a count that a function value keeps', np.array([0.5, 1.3, 0.4]))
def counted_until_there_is_no_more(x):
    n = [0]

    def step():
        n[0] += 1
        return x[n[0]] if n[0] < 3 else None
    t = 0.0
    for v in iter(step, None):
        t += v * v * n[0]
    return t


@other
@program('a count that a function value keeps', np.array([0.5, 1.3, 0.4]))
def counted_by_a_function_value(x):
    n = 0

    def step(v):
        nonlocal n
        n += 1
        return v * v * n
    f = step if x[0] > 0 else abs
    t = f(x[1]) * n
    t += f(x[2]) * n
    return t


def put_at(values, k, v):
    values[k] += v


@program('a list of numbers that a function adds to', 1.3)
def a_histogram(x):
    bins = [0.0] * 3
    for i in range(7):
        put_at(bins, i % 3, x * i)
    return sum(b * b for b in bins)


def move(positions, speeds, k, dt):
    for i in range(len(positions)):
        speeds[i] -= k * positions[i] * dt
    for i in range(len(positions)):
        positions[i] += speeds[i] * dt


@program('a list of numbers that a function adds to', 1.3)
def springs(k):
    positions, speeds = [], []
    for i in range(3):
        positions.append(1.0 + i)
        speeds.append(0.0)
    for _ in range(4):
        move(positions, speeds, k, 0.1)
    return sum(positions) * speeds[0]


def doubled(values, k):
    if k > 0:
        values[k] += values[k - 1] * 0.5
        doubled(values, k - 1)


@program('a list of numbers that a function adds to', 1.3)
def by_a_function_that_calls_itself(x):
    values = [x, x * x, 2.0, x]
    doubled(values, 3)
    return values[0] + values[1] * values[2] + values[3]


@program('a list of numbers that a function adds to', 1.3)
def for_pairs(x):
    at, speed = [x, x * x, 2.0], [0.0] * 3
    for a, b in combinations(range(3), 2):
        d = at[b] - at[a]
        speed[a] += d * d
        speed[b] -= 2.0 * d
    return speed[0] * speed[1] + speed[2]


def put_array(values, k, v):
    values[k] = np.array([v, 2.0 * v])


def raised(values, k, v):
    values[k] += v


@other
@program('an array that comes into a list of numbers', 1.3)
def numbers_and_then_an_array(x):
    values = [0.0, x]
    put_array(values, 0, x)
    kept = values[0]
    raised(values, 0, x)                    # in place: `kept` sees it
    return np.sum(kept) * values[1]


def put_array_then_itself(values, k, v):
    if k > 0:
        values[k] += v
        put_array(values, k - 1, v)
        put_array_then_itself(values, k - 1, v)


@other
@program('an array that comes into a list of numbers', 1.3)
def numbers_and_then_an_array_by_recursion(x):
    values = [0.0, x, 1.0]
    put_array_then_itself(values, 2, x)
    return np.sum(values[0]) * np.sum(values[1]) + values[2]


def same_in_both(these, those, v):
    these[0] = np.array([v, v])
    kept = those[0]
    those[0] += 1.0 * v
    return np.sum(kept)


@other
@program('an array that comes into a list of numbers', 1.3)
def a_list_given_twice(x):
    values = [0.0, x]
    return same_in_both(values, values, x) * values[1]


def appended(xs, w):
    return xs.append(w)


@other
@program('an array in a list of numbers', 0.7)
def by_a_slice(x):
    w = np.array([x, 2.0])
    xs = [0.0] * 3
    xs[1:2] = [w]
    xs[1] += x
    return np.sum(w) ** 2


@other
@program('an array in a list of numbers', 0.7)
def in_a_sorted_list(x):
    w = np.array([x, 2.0])
    xs = [0.0] * 3
    xs.sort()
    xs[1] = w
    xs[1] += x
    return np.sum(w) ** 2


@other
@program('an array in a list of numbers', 0.7)
def by_the_value_of_append(x):
    w = np.array([x, 2.0])
    xs = [0.0, 0.0]
    r = xs.append(w)
    xs[2] += x
    return np.sum(w) ** 2 if r is None else x


@other
@program('an array in a list of numbers', 0.7)
def by_append_perhaps(x):
    w = np.array([x, 2.0])
    xs = [0.0, 0.0]
    x > 0 and xs.append(w)
    xs[2] += x
    return np.sum(w) ** 2


@other
@program('an array in a list of numbers', 0.7)
def by_a_call_that_gives_what_append_does(x):
    w = np.array([x, 2.0])
    xs = [0.0, 0.0]
    appended(xs, w)
    xs[2] += x
    return np.sum(w) ** 2


@other
@program('an array in a list of numbers', 0.7)
def by_a_lambda_that_appends(x):
    w = np.array([x, 2.0])
    xs = [0.0, 0.0]
    f = lambda v: xs.append(v)
    f(w)
    xs[2] += x
    return np.sum(w) ** 2
