"""Iterators that read what has changed, and numbers that become keys: refused with the user's line; both were wrong. What
is near to them stays right."""
import collections
import copy
import io
import itertools
import types
import typing

import numpy as np
import pytest

import tangent
from tangent.errors import TangentError
from tests.tools.checking import differences

X = np.array([0.7, 1.3, 0.4])


class Added:
    """A class with an operator: what stands beside it takes the log form."""

    def __add__(self, other):
        return other


def twice(v):
    return v * 2


def put(a, v):
    a[0] = v
    return v


def doubled(y):
    return map(twice, y)


def sum_after_a_write(values, y, v):
    y[0] = v
    return sum(values)


def map_of_a_list(x):
    y = [x[0], x[1]]
    g = map(twice, y)
    y[0] = x[2]
    return sum(g)


def map_of_an_array_updated(x):
    y = x * 1.0
    g = map(np.sin, y)
    y += x
    return sum(g)


def generator_of_arrays_updated_by_a_loop(x):
    parts = [x[:2] * 1.0, x[1:] * 1.0]
    g = (np.sum(v) for v in parts)
    for v in parts:
        v *= 3.0
    return sum(g)


def map_of_arrays_updated_by_a_loop(x):
    parts = [x[:2] * 1.0, x[1:] * 1.0]
    g = map(np.sum, parts)
    for v in parts:
        v *= 3.0
    return sum(g)


def map_of_a_list_that_grows(x):
    y = [x[0]]
    g = map(twice, y)
    y.append(x[1])
    return sum(g)


def captured_is_bound_anew(x):
    k = x[0]
    g = map(lambda v: v * k, x)
    k = x[1]
    return sum(g)


def captured_by_a_def(x):
    k = x[0]

    def scaled(v):
        return v * k
    g = map(scaled, x)
    k = x[1]
    return sum(g)


def captured_in_a_loop(x):
    k, s = x[0], 0.0
    for v in map(lambda t: t * k, x):
        k = k + v
        s += v
    return s


def captured_index_of_a_loop(x):
    gs = []
    for i in range(1, 3):
        gs.append(map(lambda v: v * i, x))            # noqa: B023
    return sum(gs[0]) + sum(gs[1])


def captured_index_of_a_comprehension(x):
    gs = [map(lambda v: v * i, x) for i in range(1, 3)]             # noqa: B023
    return sum(gs[0]) + sum(gs[1])


def generator_under_a_name(x):
    y = [x[0], x[1]]
    g = (v * 2 for v in y)
    y[0] = x[2]
    return sum(g)


def another_name(x):
    y = [x[0], x[1]]
    z, g = y, map(twice, y)
    h = g
    z[0] = x[2]
    return sum(h)


def view_is_written(x):
    y = x * 1.0
    v = y[1:]
    g = map(twice, y)
    v[0] = 5 * x[0]
    return sum(g)


def rows_are_written(x):
    rows = [x[:2] * 1.0, x[1:] * 1.0]
    g = map(np.sum, rows)
    rows[0][1] = 7 * x[0]
    return sum(g)


def callee_writes(x):
    y = x * 1.0
    g = map(twice, y)
    put(y, x[2])
    return sum(g)


def callee_writes_what_its_argument_reads(x):
    y = x * 1.0
    return sum_after_a_write(map(twice, y), y, x[2] ** 2) if x[0] < 0 else in_two_steps(y, x)


def in_two_steps(y, x):
    g = map(twice, y)
    return sum_after_a_write(g, y, x[2] ** 2)


def callee_gives_the_iterator(x):
    y = x * 1.0
    g = doubled(y)
    y[0] = x[2] ** 2
    return sum(g)


def written_on_one_path(x):
    y = x * 1.0
    g = map(twice, y)
    if x[0] > 0:
        y[1] = x[0] ** 2
    return sum(g)


def in_a_dict(x):
    y = x * 1.0
    d = {'g': map(twice, y)}
    y[0] = x[2] * 5
    return sum(d['g'])


def loop_over_a_chain(x):
    y, s = x * 1.0, 0.0
    for v in itertools.chain(y[:2], y[2:]):
        y[2] += v
        s += v
    return s


def loop_over_pairs(x):
    y, s = x * 1.0, 0.0
    for a, b in itertools.pairwise(y):
        y[2] += a
        s += b
    return s


def loop_over_zipped(x):
    y, s = x * 1.0, 0.0
    for v, a in zip(map(np.sin, y), x):
        y[2] += v
        s += v * a
    return s


def loop_over_a_zipped_generator(x):
    y, s = x * 1.0, 0.0
    for v, a in zip((t * 2 for t in y), x):
        y[2] += v
        s += v * a
    return s


def loop_from_behind(x):
    y = x * 1.0
    for i, v in enumerate(map(twice, y[::-1])):
        y[i] = v
    return np.sum(y * x)


def comprehension_writes(x):
    y = x * 1.0
    return sum([put(y[1:], v) for v in map(twice, y)])


def summed_twice(x):
    m = map(twice, x)
    return sum(m) + sum(m) * 3


def listed_twice(x):
    c = itertools.chain(x, x)
    a = list(c)
    b = list(c)
    return sum(a) + 5 * len(b) * x[0]


def gone_on_behind_a_break(x):
    m, s = map(twice, x), 0.0
    for v in m:
        s += v
        break
    for v in m:
        s += 10 * v
    return s


def zipped_with_itself(x):
    m = map(twice, x)
    return sum(a * b for a, b in zip(m, m))


def next_of_a_filter(x):
    return next(filter(lambda v: v > 0.5, x)) * 2


def next_of_a_map_under_a_name(x):
    m = map(twice, x)
    return next(m) + sum(m) * 3


def inverted(x):
    inv = {v: k for k, v in zip('abc', x)}
    return max(inv)


def keys_of_a_loop(x):
    d = {}
    for v in x:
        d[v * 2] = 1.0
    s = 0.0
    for k in d:
        s += k
    return s


def items_with_numbers(x):
    d = {x[0]: 1.0, x[1]: 2.0}
    return sum(k * v for k, v in d.items())


def key_by_setdefault(x):
    d = {}
    d.setdefault(x[0], 1)
    return list(d)[0] * 2


def keys_of_pairs(x):
    return max(dict(zip(x, 'abc')))


def set_that_grows(x):
    s = set()
    s.add(x[0])
    return sum(s)


def set_of_a_comprehension(x):
    return sum({v * 2 for v in x})


def keys_in_a_dict(x):
    d = {}
    d['a'] = {x[0]: 1}
    return sum(d['a'])


def inverse(x):
    return {v: v * v for v in x}


def keys_of_a_callee(x):
    return sum(inverse(x))


def sum_twice(values):
    return sum(values) + sum(values)


def handed_on(values):
    return sum_twice(values)


def sums_or_first(values, c):
    if c:
        return sum(values)
    for v in values:
        return v


def map_to_who_reads_it_twice(x):
    return sum_twice(map(twice, x))


def generator_handed_on_to_who_reads_it_twice(x):
    return handed_on(v * v for v in x)


def name_to_who_reads_it_twice(x):
    g = map(twice, x)
    return handed_on(values=g)


def numbers_that_a_comprehension_makes_keys(x):
    table = {v: 1.0 for v in x}
    return sum(table)


def put_among_names(first, **given):
    given[first] = 1.0
    return sum(list(given.keys()))


def number_among_names(x):
    return put_among_names(x[0])


REFUSED = [f for name, f in list(globals().items()) if isinstance(f, types.FunctionType) and f.__module__ == __name__
           and name not in ('twice', 'put', 'doubled', 'sum_after_a_write', 'in_two_steps', 'inverse',
                        'sum_twice', 'handed_on', 'put_among_names', 'sums_or_first', 'captured_in_a_loop', 'comprehension_writes')]


def chain(x):
    y = [x[0], x[1]]
    g = itertools.chain(y, x)
    y[0] = x[2]
    return sum(g)


def chain_from(x):
    y = [x[0], x[1]]
    g = itertools.chain.from_iterable([y, x])
    y[0] = x[2]
    return sum(g)


def islice(x):
    y = [x[0], x[1]]
    g = itertools.islice(y, 0, 2)
    y[0] = x[2]
    return sum(g)


def takewhile(x):
    y = [x[0], x[1]]
    g = itertools.takewhile(lambda v: v > 0, y)
    y[0] = x[2]
    return sum(g)


def accumulate(x):
    y = [x[0], x[1]]
    g = itertools.accumulate(y)
    y[0] = x[2]
    return sum(g)


def filtered(x):
    y = [x[0], x[1]]
    g = filter(lambda v: v > 0, y)
    y[0] = x[2]
    return sum(g)


def groupby(x):
    y = [x[0], x[1]]
    g = itertools.groupby(y, lambda v: v > 0)
    y[0] = x[2]
    return sum(v for k, vs in g for v in vs)


REFUSED += [chain, chain_from, islice, takewhile, accumulate, filtered, groupby]


def read_before_the_write(x):
    y = x * 1.0
    g = map(twice, y)
    s = sum(g)
    y[0] = s
    return np.sum(y)


def list_of_it(x):
    y = [x[0], x[1]]
    g = list(map(twice, y))
    y[0] = x[2]
    return sum(g) * y[0]


def unpacked(x):
    y = x * 1.0
    a, b, c = map(twice, y)
    y[0] = a
    return b * y[0] + c


def name_bound_anew(x):
    y = x * 1.0
    g = map(twice, y)
    y = y * 3
    return sum(g) + y[0]


def made_again_in_a_loop(x):
    y, s = [x[0], x[1]], 0.0
    for _ in range(2):
        g = map(twice, y)
        s = s + sum(g)
        y[0] = x[2]
    return s


def made_in_a_loop_of_what_it_counts(x):
    s = 0.0
    for i in range(3):
        for v in map(lambda t: t * i, x):            # noqa: B023
            s += v
    return s


def written_behind_what_is_read(x):
    y = x * 1.0
    for i, v in enumerate(map(np.sin, y)):
        y[i] = v
    return np.sum(y ** 2)


def values_of_keys_that_were_read(x):
    d = {'a': x[:1] * 1.0, 'b': x[1:] * 1.0}
    for k, g in zip(d, map(np.sin, d.values())):
        d[k] = d[k] - g
    return np.sum(d['a']) + np.sum(d['b'])


def written_and_left(x):
    y = x * 1.0
    for v in filter(lambda v: v > 1, y):
        y[0] = v
        break
    return y[0] * y[1]


def elements_are_updated(x):
    ws, bs = [x[:2] * 1.0], [x[1:] * 1.0]
    for p in itertools.chain(ws, bs):
        p *= 2
    return np.sum(ws[0] * bs[0])


def list_of_what_is_read(x):
    out, y = [], [x[0], x[1]]
    for v in map(twice, y):
        out.append(v)
        out[-1] += v
    return out[0] * out[1]


def total_begins_with_an_element(x):
    total = x[0]
    for v in map(twice, x[1:]):
        total += v
    return total


def another_attribute(x):
    o = types.SimpleNamespace(total=0.0, xs=[x[0], x[1]])
    for v in map(twice, o.xs):
        o.total += v
    return o.total


def another_key(x):
    d = {'total': 0.0, 'xs': [x[0], x[1]]}
    for v in map(twice, d['xs']):
        d['total'] += v
    return d['total']


def loops_read_as_python_does(x):
    y, s = x * 1.0, 0.0
    for v in (t * 2 for t in y):
        y[2] += v
        s += v
    for i, (v, a) in enumerate(zip(y, x)):
        y[2] += v * i
        s += v * a
    return s


def made_anew(x):
    m = map(twice, x)
    s = sum(m)
    m = map(twice, x * s)
    return sum(m) * s


def on_two_paths(x):
    m = map(twice, x)
    if x[0] > 0:
        s = sum(m)
    else:
        s = max(m)
    return s


def several_in_a_list(x):
    ms = [map(twice, x), map(np.sin, x)]
    return sum(ms[0]) * sum(ms[1])


def next_of_a_generator(x):
    return next(v for v in x if v > 0.5) * 2


def pool_of_pairs(x):
    y = [x[0], x[1]]
    g = itertools.product(y, x)
    y[0] = x[2]
    return sum(a * b for a, b in g)


def numbers_as_keys_alone(x):
    memo, s = {}, 0.0
    for v in [x[0], x[0], x[1]]:
        if v not in memo:
            memo[v] = v * v
        s += memo[v]
    return s + len(memo)


def set_of_what_was_seen(x):
    seen, s = set(), 0.0
    for v in x:
        if v not in seen:
            seen.add(v)
            s += v * v
    return s


def order_of_keys(x):
    d = {v: v * v for v in x}
    return sum(d[k] * i for i, k in enumerate(sorted(d)))


def names_as_keys(x):
    p = dict(zip(('a', 'bb', 'c'), x))
    q = {}
    for k, v in p.items():
        q[k] = v * v
    return sum(len(k) * v for k, v in q.items())


def numbers_of_the_keys(x):
    c = collections.defaultdict(float)
    for i, v in enumerate(x):
        c[i % 2] += v * v
    return sum(k * c[k] for k in c) + sum(c.values())


def best_key(x):
    prices = {'a': x[0], 'b': x[1]}
    best = min(prices, key=prices.get)
    return prices[best] * (2.0 if best == 'a' else 3.0)


def pairs_of(names):
    return [(n.upper(), n) for n in names]


def named_anew(**given):
    table = {new: given[old] for new, old in pairs_of(tuple(given))}
    return added_up(table)


def added_up(table):
    return table['A'] * table['B'] + table['C']


def taken_out(table):
    out = {}
    for name in table.copy():
        if name in ('a', 'b'):
            out[name] = table.pop(name)
    return out


def names_that_are_compared_with_texts(x):
    table = {'a': x[0], 'b': x[1], 'c': x[2]}
    out = taken_out(table)
    return out['a'] * out['b'] + table['c']


def only_some(**given):
    given = copy.copy(given)
    for name in set(given.keys()) - {'a', 'b'}:
        given.pop(name)
    names = sorted(set(given))
    return given[names[0]] * given[names[1]] * len(names[1])


def names_in_a_set(x):
    return only_some(a=x[0], b=x[1], c=x[2])


def names_of_keywords(x):
    return named_anew(a=x[0], b=x[1], c=x[2])


def read_once_on_each_way(x):
    return sums_or_first(map(twice, x), x[0] > 0) + sums_or_first(map(twice, x), x[0] < 0)


def list_to_who_reads_it_twice(x):
    return handed_on(list(map(twice, x)))


RIGHT = [names_in_a_set, names_of_keywords, names_that_are_compared_with_texts, read_once_on_each_way, list_to_who_reads_it_twice, read_before_the_write, list_of_it, unpacked, name_bound_anew, made_again_in_a_loop, made_in_a_loop_of_what_it_counts,
         written_behind_what_is_read, values_of_keys_that_were_read, written_and_left, elements_are_updated,
         list_of_what_is_read, total_begins_with_an_element, another_attribute, another_key, loops_read_as_python_does,
         pool_of_pairs, made_anew, on_two_paths, several_in_a_list, next_of_a_generator, numbers_as_keys_alone, set_of_what_was_seen, order_of_keys, names_as_keys, numbers_of_the_keys,
         best_key, captured_in_a_loop, comprehension_writes]            # the last two are loops, as if they were written so
MODES = {'reverse': lambda f: tangent.grad(f)(X), 'forward': lambda f: np.array([tangent.jvp(f)(X, e) for e in np.eye(3)])}


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', REFUSED)
def test_refused_with_the_line(f, mode):
    with pytest.raises(TangentError, match=r'test_late_reads.py:\d+: .*(after it has been changed|gone through twice|read as numbers)'):
        MODES[mode](f)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', RIGHT)
def test_right(f, mode):
    np.testing.assert_allclose(MODES[mode](f), differences(f, (X,), (0,))[0], atol=1e-6)


def test_the_line_is_that_of_the_iterator_and_the_way_out_is_named():
    with pytest.raises(TangentError, match=r'write list\(...\) around it') as error:
        tangent.grad(map_of_a_list)(X)
    assert 'g = map(twice, y)' in str(error.value)
    with pytest.raises(TangentError, match='keep the numbers in a list beside it') as error:
        tangent.grad(inverted)(X)
    assert 'inv = {v: k for k, v in' in str(error.value)


def values_later(x):
    d = {'a': x[0], 'b': x[1]}
    v = d.values()
    d['a'] = x[2]
    return sum(v)


def values_in_a_list(x):
    d = {'a': x[0], 'b': x[1]}
    views = [d.values()]
    d['a'] = x[2]
    return sum(views[0])


def numbered_later(x):
    y = [x[0], x[1]]
    g = enumerate(y)
    y[0] = x[2]
    return sum(v for i, v in g)


def numbered_twice(x):
    g = enumerate(x)
    return sum(v for i, v in g) + sum(v * i for i, v in g)


def zipped_twice(x):
    g = zip(x, x)
    return sum(v * w for v, w in g) + sum(v for v, _ in g)


@pytest.mark.parametrize('f', [values_later, values_in_a_list, numbered_later, numbered_twice, zipped_twice],
                         ids=lambda f: f.__name__)
def test_what_reverse_mode_makes_lists_of(f):
    """Forward mode reads views of dicts, `enumerate` and `zip` under a name as Python does."""
    with pytest.raises(TangentError, match=r'test_late_reads.py:\d+: iterators'):
        tangent.grad(f)(X)
    np.testing.assert_allclose(MODES['forward'](f), differences(f, (X,), (0,))[0], atol=1e-6)


def test_what_forward_mode_makes_lists_of():
    """Generators under a name; the log form goes through them as Python does."""
    def generated(x):
        y = [x[0], x[1]]
        g = generator(y)
        y[0] = x[2]
        return sum(g)

    def values_twice(x):
        v = {'a': x[0], 'b': x[1]}.values()
        return sum(v) * sum(v)

    np.testing.assert_allclose(tangent.jvp(values_twice)(X, X), 2 * (X[0] + X[1]) ** 2)
    np.testing.assert_allclose(tangent.jvp(generated)(X, X), 2 * (X[1] + X[2]))
    np.testing.assert_allclose(tangent.grad(generated)(X), [0, 2, 2])


def generator(y):
    for v in y:
        yield v * 2


def test_generators_that_are_given_away():
    """The gradient of what a function of the user's made of them was zero in reverse mode."""
    def total(values):
        return sum([v * v for v in values])

    def program(x):
        return total(v * 2 for v in x)

    def of_a_list(x):
        return total([v * 2 for v in x])

    for mode in MODES.values():
        with pytest.raises(TangentError, match=r'test_late_reads.py:\d+: generator expressions that are kept, or given'):
            mode(program)
        np.testing.assert_allclose(mode(of_a_list), 8 * X)


def added(a, b):
    return {k: a[k] - 0.1 * b[k] for k in a}


def zeros(d):
    return {k: 0.0 for k in d}


def one_step(x):
    p = added({'a': x[0], 'b': x[1]}, {'a': x[1], 'b': x[2]})
    return p['a'] * p['b']


def filled_from_zeros(x):
    p = {'a': x[0], 'b': x[1]}
    z = zeros(p)
    return sum(p[k] * p[k] + z[k] for k in p)


def mapped(x):
    f = lambda t: {k: f(v) for k, v in t.items()} if isinstance(t, dict) else t * 2              # noqa: E731
    return f({'a': x[0], 'b': {'c': x[1]}})['b']['c'] * x[2]


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', [one_step, filled_from_zeros, mapped])
def test_dicts_made_of_dicts(f, mode):
    """Keys of what a function is given are keys, where nothing else is done with them."""
    np.testing.assert_allclose(MODES[mode](f), differences(f, (X,), (0,))[0], atol=1e-6)


# Numbers that are read from texts made of what has a derivative: their gradient was without what went through the text

def read_from_a_format(x):
    return float(f'{x[0] * x[1]:.6f}') * x[2]


def read_from_a_name(x):
    text = str(x[0] * x[1])
    return float(text) * x[2]


def read_from_a_joined_text(x):
    parts = ','.join('%.4f' % v for v in x).split(',')               # noqa: UP031
    return sum(float(p) for p in parts) * x[0]


def read_into_a_list(x):
    found = []
    for v in x:
        found.append(float('{:.3f}'.format(v)))               # noqa: UP032
    return sum(found) * x[0]


def read_from_bytes(x):
    return np.frombuffer((x * x).tobytes()) @ x


def parsed(text):
    return float(text)


def shown(v):
    return f'{v:.6f}'


def as_row(xs):
    return ','.join(str(v) for v in xs)


def kept_in_memory(v):
    file = io.BytesIO()
    np.save(file, v)
    return file.getvalue()


class Label:
    def __init__(self, text):
        self.text = text

    def number(self):
        return float(self.text)


def read_by_a_function(x):
    return parsed(f'{x[0] * x[1]:.6f}') * x[2]


def made_by_a_function(x):
    return float(shown(x[0] * x[1])) * x[2]


def made_and_read_by_functions(x):
    return np.sum(np.array([parsed(t) for t in as_row(x).split(',')]) * x)


def read_by_a_method(x):
    return Label(f'{x[0]}').number() * x[2]


def read_by_a_function_inside(x):
    def read(text):
        return float(text)
    return read(f'{x[0]}') * read(x[1])


def made_by_a_lambda(x):
    show = lambda v: f'{v}'             # noqa: E731
    return float(show(x[0])) * x[1]


def read_from_a_file_in_memory(x):
    file = io.BytesIO()
    np.save(file, x * x)
    file.seek(0)
    return np.sum(np.load(file) * x)


def read_from_bytes_of_a_function(x):
    return np.sum(np.load(io.BytesIO(kept_in_memory(x))) * x)


def read_from_what_was_printed(x):
    file = io.StringIO()
    print(x[0], file=file)
    return float(file.getvalue()) * x[1]


def read_from_an_array_of_texts(x):
    return np.sum(x.astype(str).astype(float) * x)


def made_an_array_of_texts(x):
    return np.sum(np.array([f'{v}' for v in x], dtype=float) * x)


def texts_for_a_report(x):
    report, lines = {}, []
    report['text'], report['value'] = '{:.3f}'.format(x[0]), x[0] * 2               # noqa: UP032
    lines.append('a {} b'.format(x[1]))               # noqa: UP032
    shown = float(f'{x[0]:.3f}')
    return report['value'] * len(lines) * float(x[2]) * float('1.5') if shown < 5 else x[0]


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', [
    read_from_a_format, read_from_a_name, read_from_a_joined_text, read_into_a_list, read_from_bytes, read_by_a_function,
    made_by_a_function, made_and_read_by_functions, read_by_a_method, read_by_a_function_inside, made_by_a_lambda,
    read_from_a_file_in_memory, read_from_bytes_of_a_function, read_from_what_was_printed, read_from_an_array_of_texts,
    made_an_array_of_texts])
def test_numbers_from_texts_are_refused(f, mode):
    with pytest.raises(TangentError, match=r'test_late_reads.py:\d+: numbers that are read from a text'):
        MODES[mode](f)


class Named:
    def __init__(self, name, value):
        self.name, self.value = name, value

    def twice(self):
        return float(self.value) * 2


def lengthened(text, by):
    return float(by) * len(text)


def texts_beside_numbers(x):
    item, read = Named(f'{x[0]:.3f}', x[1]), lambda v: float(v)             # noqa: E731
    return item.twice() * lengthened(f'{x[0]:.1f}', 2) * read(x[2]) + read('1.5') * x[0]


def read_from_a_dict_with_numbers(x):
    d = {'n': x[0] * x[1]}
    d['text'] = f'{d["n"]}'
    return float(d['text']) * d['n'] + x[2]


class Point(typing.NamedTuple):
    value: float
    text: str


def read_from_a_namedtuple_with_numbers(x):
    p = Point(x[0] * x[1], repr(x[2]))
    return float(p.text) * p.value


def read_from_a_row(x):
    row = x[0], str(x[1] * x[2])
    a, b = row
    return a * float(b)


class Labelled:
    def __init__(self, v):
        self.v, self.rows = v, []
        self.label = f'{v}'

    def number(self):
        return float(self.label) * self.v

    def note(self, v):
        self.rows.append('%r' % v)          # noqa: UP031
        return self

    def total(self):
        return sum(float(r) for r in self.rows)


def read_from_a_label(x):
    return Labelled(x[0] * x[1]).number() * x[2]


def read_from_rows_of_an_object(x):
    return Labelled(x[0]).note(x[1]).note(x[2]).total() * x[0]


def read_from_a_given_label(x):
    return Weighed(f'{x[0]}', x[1]).number() * x[2]


def read_from_a_label_set_later(x):
    w = Weighed('a', x[1])
    w.label = f'{x[0]}'
    return w.scaled() * x[2]


def read_by_a_name(x):
    parse = float
    return parse(str(x[0] * x[1])) * x[2]


def read_by_a_table(x):
    return {'f': float}['f'](f'{x[0] * x[1]}') * x[2]


def write_line(file, v):
    file.write(str(v) + '\n')


def print_line(file, v):
    print(v, file=file)


def numbers_of(file):
    return [float(line) for line in file.getvalue().split()]


def read_from_lines_of_a_function(x):
    file = io.StringIO()
    write_line(file, x[0] * x[1])
    return sum(float(line) for line in file.getvalue().split()) * x[2]


def written_and_read_by_functions(x):
    file = io.StringIO()
    print_line(file, x[0] * x[1])
    return sum(numbers_of(file)) * x[2]


def read_from_keys(x):
    return sum(float(k) * v for k, v in {str(x[0]): x[1], str(x[1]): x[2]}.items())


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', [
    read_from_a_dict_with_numbers, read_from_a_namedtuple_with_numbers, read_from_a_row, read_from_a_label,
    read_from_rows_of_an_object, read_from_a_given_label, read_from_a_label_set_later,
    read_by_a_name, read_by_a_table, read_from_lines_of_a_function,
    written_and_read_by_functions, read_from_keys])
def test_numbers_from_texts_beside_numbers_are_refused(f, mode):
    with pytest.raises(TangentError, match=r'test_late_reads.py:\d+: numbers that are read from a text'):
        MODES[mode](f)


class Weighed:
    factor = '2.5'

    def __init__(self, name, value):
        self.name, self.value, self.label, self.seen = name, value, '0.5', []

    def number(self):
        return float(self.name) * self.value

    def scaled(self):
        self.seen.append(f'{self.value:.3f}')
        return float(self.label) * float(self.value)


SETTINGS = {'rate': '0.1', 'n': 3.0}


def table_of(v):
    return {'a': v, 'b': '2'}


def texts_of_constants_in_a_list(x):
    r = [x[0], '0.5', x[1]]
    return r[0] * float(r[1]) * sum(float(u) for u in r) * x[2]


def texts_of_constants_in_rows(x):
    rows = [('a', x[0], '2'), ('b', x[1] * x[2], '3')]
    return sum(float(w) * v for _, v, w in rows) + max(rows, key=lambda row: float(row[2]))[1]


def texts_of_constants_in_objects(x):
    p = Point(x[0], '0.5')
    return p.value * float(p.text) * Weighed('a', x[1]).scaled() * x[2]


def texts_of_constants_in_settings(x):
    c = dict(SETTINGS, x=x[0])
    d = {**c, 'y': x[1]}
    return float(c['rate']) * c['x'] + float(d['n']) * d['y'] * float(table_of(x[2])['b'])


def texts_of_constants_that_are_no_numbers(x):
    found = []
    for u in [x[0], 'none', '3', x[1] * x[2]]:
        try:
            found.append(float(u))
        except ValueError:
            found.append(x[1])
    return sum(found) * found[2]


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', [texts_of_constants_in_a_list, texts_of_constants_in_rows, texts_of_constants_in_objects,
                               texts_of_constants_in_settings, texts_of_constants_that_are_no_numbers])
def test_numbers_from_texts_of_constants_are_right(f, mode):
    """TypeErrors of ours: the gradient and the tangent of such a text were None; of a namedtuple with one forward mode was wrong."""
    wanted = differences(f, (X,), (0,))[0]
    for _ in range(4):
        np.testing.assert_allclose(MODES[mode](f), wanted, atol=1e-6)


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('f', [texts_for_a_report, texts_beside_numbers])
def test_texts_that_nobody_reads_are_right(f, mode):
    np.testing.assert_allclose(MODES[mode](f), differences(f, (X,), (0,))[0], atol=1e-6)
