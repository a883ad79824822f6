"""Dicts of a function's own become variables where the text says all their keys, and stay dicts where anybody else may see them."""
import numpy as np
import pytest

import tangent
from tests.tools.judge import check_every_text

X = np.array([0.5, 0.9, 1.3])


def swing(v):
    state = {'x': v[0], 'v': v[1]}
    for _ in range(4):
        state['v'] -= 0.1 * v[2] * np.sin(state['x'])
        state['x'] = state['x'] + 0.1 * state['v']
    return state['x'] ** 2 + state['v']


def fitted(p, x, y):
    q = dict(p)
    for _ in range(3):
        r = q['w'] * x + q['b'] - y
        q['w'] = q['w'] - 0.1 * np.mean(r * x)
        q['b'] = q['b'] - 0.1 * np.mean(r)
    return np.sum((q['w'] * x + q['b'] - y) ** 2)


def made_anew(p, x, y):
    q = p.copy()
    for _ in range(3):
        q = {'w': q['w'] - 0.1 * q['b'], 'b': q['b'] + 0.2 * q['w']}
    q = {'b': q['b'], 'w': q['w'] * q['b']}
    return np.sum((q['w'] * x + q['b'] - y) ** 2)


def with_another(p, x, y):
    q = {**p, 'b': p['w'] * 2.0, 'c': 3.0}
    q = dict(w=q['b'], b=q['w'], c=q['c'] * q['w'])
    return np.sum((q['w'] * x + q['b'] * q['c'] - y) ** 2)


def of_dicts(v):
    state = {'pos': {'x': v[0], 'y': v[1]}, 'n': 0}
    for _ in range(3):
        state['pos']['x'] += v[2] * state['pos']['y']
        state['n'] += 1
    return state['pos']['x'] * state['n']


def in_branches(v):
    if v[0] > 0.0:
        d = {'a': v[0] * v[1]}
    else:
        d = {'a': v[1]}
    d['a'] *= v[2]
    return d['a']


def of_arrays(v):
    a = v * 2.0
    d = {'a': a, 'b': v}
    d['a'] += v
    d['a'][0] = d['b'][1] * 3.0
    return np.sum(a * d['a'])


# Those that stay dicts

def another_name(v):
    d = {'a': v[0], 'b': v[1]}
    e = d
    e['a'] = e['a'] * v[2]
    return d['a'] * d['b']


def held(v):
    d = {'a': v[0]}
    both = [d, d]
    d['a'] = d['a'] * v[1]
    return both[0]['a'] * v[2]


def other_keys(v):
    d = {'a': v[0]}
    d['b'] = v[1] * d['a']
    return d['b'] * v[2]


def one_branch_has_more(v):
    d = {'a': v[0]}
    if v[0] > 0.0:
        d = {'a': v[0] * v[1], 'b': v[2]}
    return d['a'] * d['b']


def gone_through(v):
    d = {'a': v[0], 'b': v[1]}
    d['a'] = d['a'] * v[2]
    return sum(d.values())


def half_made(v):
    d = {'a': v[0], 'b': 1.0}
    try:
        d = {'a': v[1], 'b': v[2] * (1 // len([]))}
    except ZeroDivisionError:
        d['b'] = v[2]
    return d['a'] * d['b']


def in_a_lambda(v):
    d = {'a': v[0]}
    f = lambda x: x * d['a']
    d['a'] = v[1]
    return f(v[2])


def changed_by_another(v, p):
    p['w'] = v[0] * p['w']
    q = dict(p)
    return q['w'] * v[1]


@pytest.mark.parametrize('f', [swing, of_dicts, in_branches, of_arrays, another_name, held, other_keys, one_branch_has_more,
                               gone_through, half_made, in_a_lambda], ids=lambda f: f.__name__)
def test_right(f):
    check_every_text(f, X)


@pytest.mark.parametrize('f', [swing, of_dicts, in_branches], ids=lambda f: f.__name__)
def test_text(f):
    """In the text for all, too."""
    for text in (tangent.source(tangent.grad(f)), tangent.source(tangent.grad(f), X)):
        assert '["a"]' not in text and '["x"]' not in text


@pytest.mark.parametrize('f', [fitted, made_anew, with_another], ids=lambda f: f.__name__)
def test_copies(f):
    x, y = np.array([0.2, 0.5, 0.9]), np.array([1.0, 0.3, 0.1])
    of_vector = lambda v: f({'w': v[0], 'b': v[1]}, x, y)  # noqa: E731
    wanted = tangent.grad(of_vector)(X)
    check_every_text(of_vector, X)
    df = tangent.grad(f)
    for _ in range(4):
        for p in ({'w': 0.5, 'b': 0.9}, {'b': 0.9, 'w': 0.5}, {'w': 0.5, 'b': 0.9, 'unused': 1.0}):
            found = df(p, x, y)
            assert list(found) == list(p) and found['w'] == pytest.approx(wanted[0]) and found['b'] == pytest.approx(wanted[1])
    assert 'q["w"]' not in tangent.source(df, {'w': 0.5, 'b': 0.9}, x, y)


def test_a_dict_that_is_written_into_is_copied_as_it_is_then():
    df = tangent.grad(changed_by_another)
    for _ in range(4):
        np.testing.assert_allclose(df(X, {'w': 2.0, 'b': 1.0}), [2.0 * 0.9, 2.0 * 0.5, 0.0])
