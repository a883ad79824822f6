"""Dicts of a function's own that lose keys, are copied and filled: structured, and right whatever other names hold them."""

import copy

import numpy as np
import pytest

import tangent
from tests.tools.checking import differences
from tests.tools.judge import check_every_text

X = np.array([0.5, 0.9, 1.3])
A = np.array([1.0, 2.0, 3.0])


def under_two_names(v):
    x = v[0] * v[1]
    d = {'a': x}
    e = d
    d.pop('a')
    e['b'] = x * x
    return sum(d.values()) * x


def a_list_in_a_copy(v):
    x = v[0] * v[1]
    d = {'a': [x]}
    e = d.copy()
    e['a'].append(x * x)
    return d['a'][1] * x + e['a'][0]


def a_list_in_a_shallow_copy(v):
    x = v[0] * v[1]
    d = {'a': [x, 1.0]}
    e = copy.copy(d)
    e['a'][1] = x * x
    return d['a'][1] * x


def written_in(x, **kw):
    kw['a'][0] = x * x
    return kw['a'][0]


def a_list_given_by_name(v):
    x = v[0] * v[1]
    row = [x, x]
    y = written_in(x, a=row)
    return y * row[0]


def keeps_options(o, **kw):
    o['d'] = kw
    kw['z'] = o['x'] * 2


def options_that_are_kept(v):
    x = v[0] * v[1]
    o = {'x': x}
    keeps_options(o, y=x)
    return o['d']['z'] * o['d']['y']


def out_and_in_again(v):
    x = v[0] * v[1]
    d = dict(a=x)
    for _ in range(3):
        t = d.pop('a')
        d['a'] = t * x
        d.setdefault('b', t)
    return d['a'] * d['b']


def there_on_some_trips(v):
    x = v[0] * v[1]
    d = dict(a=x)
    for i in range(4):
        if i % 2:
            d.setdefault('b', x * i)
        else:
            d.pop('b', None)
    return d['a'] * d.get('b', 2.0)


def updated_from_itself(v):
    x = v[0] * v[1]
    d = dict(a=x, b=x * x)
    d.update(a=d['b'], b=d['a'])
    return d['a'] * 3 + d['b'] * 5


def updated_from_what_is_taken_out(v):
    x = v[0] * v[1]
    d = dict(a=x, b=x * x)
    d.update({'c': d.pop('a')}, b=x**3)
    return d['c'] * 3 + d['b'] * 5


def defaults_set(v):
    x = v[0] * v[1]
    d = dict(a=x)
    y = d.setdefault('a', x * 100) + d.setdefault('b', x * 10)
    return y * len(d)


def taking_out(**kw):
    a = kw.pop('a', 1.0)
    b = kw.pop('b', None)
    if kw:
        raise TypeError(kw)
    return a if b is None else a * b


def options_taken_out(v):
    x = v[0] * v[1]
    return taking_out(a=x) + taking_out(a=x, b=x * x) + taking_out() * x


def scaled(x, **kw):
    kw.setdefault('scale', 2.0)
    return scaled_and_shifted(x, **kw)


def scaled_and_shifted(x, scale=1.0, shift=0.0):
    return x * scale + shift


def options_handed_on(v):
    x = v[0] * v[1]
    return scaled(x) + scaled(x, scale=x) + scaled(x, shift=x * x)


def a_text_taken_out(v):
    x = v[0] * v[1]
    d = {'m': 'CIE', 'a': x}
    m = d.pop('m')
    return d['a'] * len(m)


def texts_by_default(v):
    x = v[0] * v[1]
    d = {'m': 'CIE', 'a': x}
    m = d.pop('m', 'zz')
    n = d.pop('n', 'zz')
    return d['a'] * x * (len(m) + len(n))


def taken_out_one_by_one(v):
    x = v[0] * v[1]
    d = {k: x * k for k in range(4)}
    t = 0.0
    for k in range(4):
        t = t + d.pop(k) * x
    return t


def an_array_taken_out(v):
    x = v[0] * v[1]
    d = {'a': A * x}
    a = d.pop('a')
    a[0] = x * x
    return np.sum(a * a)


def an_array_in_a_copy(v):
    x = v[0] * v[1]
    a = A * x
    d = {'a': a}
    e = d.copy()
    e['a'][0] = x * x
    return np.sum(a * d['a'])


def copies_of_copies(v):
    x = v[0] * v[1]
    d = dict(a=x)
    e = d.copy()
    f = e.copy()
    f['a'] = x * x
    e['a'] = x**3
    return d['a'] + 2 * e['a'] + 3 * f['a']


def doubled(d):
    d = d.copy()
    d['a'] = d['a'] * 2
    return d


def copied_by_a_callee(v):
    x = v[0] * v[1]
    p = {'a': x}
    q = doubled(p)
    r = doubled(q)
    return p['a'] + q['a'] * 3 + r['a'] * x


def doubled_options(**kw):
    kw['a'] = kw['a'] * 2
    return kw


def options_given_back(v):
    x = v[0] * v[1]
    p = {'a': x}
    q = doubled_options(**p)
    r = doubled_options(**q)
    return p['a'] + q['a'] * 3 + r['a'] * x


def taken_out_by_a_lambda(v):
    x = v[0] * v[1]
    d = {'a': x}
    g = lambda: d.pop('a')
    y = g()
    return y * (1 + len(d))


def until_it_is_empty(v):
    x = v[0] * v[1]
    d = {'a': x, 'b': x * x}
    y = 0.0
    while d:
        k = list(d)[0]
        y = y * x + d.pop(k)
    return y


def a_copy_under_the_same_name(v):
    x = v[0] * v[1]
    d = {'a': x}
    d2 = d
    d = d.copy()
    d['a'] = x * x
    return d2['a'] * d['a']


def a_copy_in_one_branch(v):
    x = v[0] * v[1]
    d = {'a': x}
    d = d.copy() if x > 0 else d
    d['a'] = d['a'] * x
    return d['a']


def updated_from_another(v):
    x = v[0] * v[1]
    d = dict(a=x)
    o = dict(b=x * x, a=3 * x)
    d.update(o)
    o['b'] = x
    return d['b'] * d['a']


def counting(x, *a, **kw):
    kw['n'] = kw.get('n', 0) + 1
    if kw['n'] > 3:
        return x
    return x * counting(x, *a, **kw)


def options_of_a_recursion(v):
    x = v[0] * v[1]
    return counting(x)


def held_by_a_list(v):
    x = v[0] * v[1]
    d = {'x': x}
    h = [d]
    d.pop('x')
    d['y'] = x * x
    return h[0]['y'] * len(h[0])


def taken_out_in_an_expression(v):
    x = v[0] * v[1]
    d = dict(a=x)
    y = d.pop('a') if 'a' in d and d['a'] > 0 else d.setdefault('b', x)
    return y * (2 + len(d))


def read_before_it_is_taken_out(v):
    x = v[0] * v[1]
    d = dict(a=x)
    return d['a'] * d.pop('a') + d.setdefault('a', 3.0) * d.get('a', x)


def an_array_by_default(v):
    x = v[0] * v[1]
    a = A * x
    d = dict()
    y = d.setdefault('a', a)
    a[0] = x * x
    return np.sum(y) + np.sum(d['a'])


def taken_out_after_a_copy(v):
    x = v[0] * v[1]
    d = {'a': x}
    e = d.copy()
    d.pop('a')
    return e['a'] * (1 + len(d))


def changed_after_a_copy(v):
    x = v[0] * v[1]
    d = {'a': x}
    e = {**d}
    d['b'] = x
    d['a'] = x * x
    d.pop('b')
    return e['a'] * (1 + len(d)) * d['a'] * len(e)


def copied_on_each_trip(v):
    x = v[0] * v[1]
    d = {}
    for i in range(3):
        e = d.copy()
        e[i] = x * (i + 1)
        d = e
    return sum(d.values()) * x


class Options:
    def __init__(self, **kw):
        self.a = kw.pop('a', 1.0)
        self.rest = kw
        kw['later'] = self.a * 2


def options_of_an_object(v):
    x = v[0] * v[1]
    o = Options(a=x, b=x * x)
    return o.rest['later'] * o.rest['b']


class Point:
    def __init__(self, x):
        self.x = x

    def m(self, **kw):
        kw.setdefault('s', self.x)
        return kw['s'] * kw.pop('t', 1.0)


def options_of_a_method(v):
    x = v[0] * v[1]
    p = Point(x)
    return p.m() + p.m(t=x) + p.m(s=x * x, t=2.0)


def asked_by_a_lambda(**kw):
    f = lambda z: z * kw.get('a', 1.0)
    kw.pop('a')
    return f(3.0)


def options_in_a_lambda(v):
    x = v[0] * v[1]
    return asked_by_a_lambda(a=x) * x


def asked_inside(**kw):
    def g():
        return kw['a']

    kw['a'] = kw['a'] * 2
    return g()


def options_in_a_function_inside(v):
    x = v[0] * v[1]
    return asked_inside(a=x)


STRUCTURED = [
    out_and_in_again,
    there_on_some_trips,
    updated_from_itself,
    updated_from_what_is_taken_out,
    defaults_set,
    options_taken_out,
    options_handed_on,
    a_text_taken_out,
    texts_by_default,
    taken_out_one_by_one,
    options_given_back,
    until_it_is_empty,
    a_copy_under_the_same_name,
    options_of_a_recursion,
    taken_out_in_an_expression,
    read_before_it_is_taken_out,
    options_of_a_method,
    options_in_a_function_inside,
]
OTHERS = [
    under_two_names,
    a_list_in_a_copy,
    a_list_in_a_shallow_copy,
    a_list_given_by_name,
    options_that_are_kept,
    an_array_taken_out,
    an_array_in_a_copy,
    copies_of_copies,
    copied_by_a_callee,
    taken_out_by_a_lambda,
    a_copy_in_one_branch,
    updated_from_another,
    held_by_a_list,
    an_array_by_default,
    taken_out_after_a_copy,
    changed_after_a_copy,
    copied_on_each_trip,
    options_of_an_object,
    options_in_a_lambda,
]


@pytest.mark.parametrize('f', [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
def test_right_in_every_text(f):
    check_every_text(f, X)


@pytest.mark.parametrize('f', STRUCTURED, ids=lambda f: f.__name__)
def test_structured(f):
    assert '_grads' not in tangent.source(tangent.grad(f))


@pytest.mark.parametrize('f', STRUCTURED, ids=lambda f: f.__name__)
def test_second_order(f):
    direction, h = np.array([0.3, -0.2, 0.5]), 1e-6
    gradient = tangent.grad(f)
    wanted = (gradient(X + h * direction) - gradient(X - h * direction)) / (2 * h)
    np.testing.assert_allclose(tangent.hvp(f)(X, direction), wanted, rtol=1e-6, atol=1e-6)


def test_lists_that_lose_what_nobody_reads_have_second_derivatives():
    def popped(x):
        xs = [x]
        for k in range(4):
            if k % 2 == 0:
                xs.append(x * k)
            else:
                xs.pop()
        return xs[0] * x

    np.testing.assert_allclose(tangent.hvp(popped)(1.5, 1.0), 2.0)


def test_text():
    def f(x, **options):
        scale = options.pop('scale', 2.0)
        return x * scale

    def g(x):
        return f(x, scale=x)

    source = tangent.source(tangent.grad(g))
    assert 'scale = options2.pop("scale")' in source or 'scale = options.pop("scale")' in source


def stiffness(p, x):
    k = p.get('k', 1.0)
    if 'damping' in p:
        k = k + p['damping'] * x
    return k * x * x * p.get('scale', x) + by_a_key_or_another(p)


def by_a_key_or_another(p):
    n = p.get('n')
    return p.get('k', 3.0) ** 2 if n is None else n ** 3


def stored_before(p, x):
    p = dict(p)
    p['scale'] = x
    return p.get('scale', 1.0) * p.get('k', 2.0) * p.get('q', x)


def default_that_raises(p, x):
    """What stands for a key that is there is evaluated all the same."""
    try:
        return p.get('k', 1.0 / 0.0) * x
    except ZeroDivisionError:
        return x * x


def made_by_a_call(p, x):
    made = []

    def copy():
        made.append(x)
        return dict(p)
    n = copy().get('none', 2.0) if 'k' in copy() else 1.0
    return n * sum(made) * p.get('k', x)


@pytest.mark.parametrize('f', [stiffness, stored_before, default_that_raises, made_by_a_call])
def test_keys_of_a_dict_that_is_given(f):
    """Texts are made for the keys that a dict has; one derivative is called with several."""
    gradient = tangent.grad(f, wrt=(0, 1))
    for _ in range(4):
        for given in {'k': 2.0, 'damping': 0.5}, {'k': 2.0}, {'damping': 0.5, 'n': 1.5}, {'scale': 2.0}, {}:
            found, by_x = gradient(dict(given), 1.3)
            names = list(given)
            wanted = differences(lambda x, *values, names=names: f(dict(zip(names, values)), x), (1.3, *given.values()),
                                 range(len(names) + 1))
            assert [by_x, *(found[n] for n in names)] == pytest.approx(wanted, abs=1e-7)


def test_what_a_key_decides_stands_alone():
    gradient = tangent.grad(stiffness, wrt=(0, 1))
    text = tangent.source(gradient, {'k': 2.0, 'damping': 0.5}, 1.3)
    code = [line for line in text.splitlines() if not line.lstrip().startswith('#')]             # but for the user's lines
    assert not any(word in line for line in code for word in ('_grads', 'if ', '.get('))
