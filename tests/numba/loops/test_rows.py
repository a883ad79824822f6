"""Loops over elements that become loops over rows, and those that must not; and random ones, which stay what they compute."""
import linecache
import random

import numpy as np
import pytest

import tangent
from tangent.errors import AliasError
from tangent.numba.loops.functions import specialised
from tangent.runtime.functions.extents import check_disjoint, check_equal, dot_at, dot_rows, ends
from tangent.runtime.tape import empty_sum

numba = pytest.importorskip('numba', reason='Numba is not installed')
HELPERS = {'ends': ends, 'check_equal': check_equal, 'check_disjoint': check_disjoint, 'dot_rows': dot_rows, 'dot_at': dot_at,
           'empty_sum': empty_sum}


def made(f, *args):
    """The function with loops over rows, run by CPython; None where it stays as it is."""
    kinds = [('array', a.ndim, a.dtype.name) if isinstance(a, np.ndarray) else ('number', np.asarray(a).dtype.name) for a in args]
    names = f.__code__.co_varnames[:f.__code__.co_argcount]
    return specialised(f, dict(zip(names, kinds)), HELPERS.get)


def given(n=6, dtype='float64'):
    r = np.random.default_rng(0)
    return [r.normal(size=(n, n)).astype(dtype), r.normal(size=(n, n)).astype(dtype), n]


def to_neighbours(b, c, n):
    for i in range(1, n - 1):
        for j in range(n - 2, 0, -1):
            t = c[i, j]
            c[i, j] = 0
            t2 = 0.25 * t
            b[i - 1, j] += t2
            b[i, j + 1] += t2
            b[i, j - 1] += t2
            b[i, j] -= t2


def to_one_element(b, c, n):
    s = 0.0
    for i in range(n):
        for j in range(i - 1, -1, -1):
            t = -b[i, i]
            b[i, j] += t * c[i, j]
            c[i, i] += b[i, j] * c[j, i]
            s -= t * c[i, j]
    b[0, 0] += s


def along_a_column(b, c, n):
    for i in range(n):
        for k in range(i):
            b[k, i] += b[i, n - 1] * c[i, k]
            b[i, k] -= b[i, n - 1] * c[k, i]


def the_other_way(b, c, n):
    for i in range(1, n):
        for k in range(i):
            t = c[i, k]
            c[i, k] = 0
            b[0, i - k - 1] += t
            b[1, k] += t * 2.0


@pytest.mark.parametrize('f', [to_neighbours, to_one_element, along_a_column, the_other_way])
@pytest.mark.parametrize('dtype', ['float64', 'float32'])
def test_loops_over_rows(f, dtype):
    new = made(f, *given(dtype=dtype))
    assert new is not None or dtype == 'float32'
    fast = tangent.lower(numba.njit(f))
    for n in 6, 2, 1, 19:
        right, found, compiled = (given(n, dtype) for _ in range(3))
        f(*right)
        (new or f)(*found)
        fast(*compiled)
        for k in range(2):
            np.testing.assert_allclose(found[k], right[k], rtol=1e-12 if dtype == 'float64' else 1e-4, atol=1e-6)
            np.testing.assert_allclose(compiled[k], right[k], rtol=1e-12 if dtype == 'float64' else 1e-4, atol=1e-6)


def test_what_they_look_like():
    text = made(to_neighbours, *given()).source
    assert 't2 = np.zeros(max(n + 2, 0))' in text and 't2[k + 2] + t2[k]' in text
    assert text.count('for ') > 3 and 'range(n - 2, 0, -1)' not in text
    assert made(to_one_element, *given()).source.count('empty_sum(') == 2


def waits(b, c, n):
    for j in range(1, n):
        b[0, j] += b[0, j - 1]
        c[0, j] += b[0, j]


def comes_too_late(b, c, n):
    for j in range(1, n - 1):
        t = b[0, j]
        c[0, j] += t
        b[0, j + 1] += 2.0 * c[0, j]


def left_over(b, c, n):
    t = 0.0
    for j in range(n):
        t = b[0, j] * 2.0
        b[1, j] += t
        c[0, j] += t
    c[0, 0] += t


def handed_on(b, c, n):
    t = 1.0
    for j in range(n):
        b[1, j] += t
        c[0, j] += t
        t = b[0, j] * 2.0


def from_the_end(b, c, n):
    for j in range(n):
        b[0, j - 1] += c[0, j]
        c[0, j] += 1.0


def with_its_variable(b, c, n):
    j = 0
    for j in range(n):
        b[0, j] += c[0, j]
        b[1, j] += c[0, j] * j
    c[0, j] += 1.0


def in_steps(b, c, n):
    for j in range(0, n, 2):
        b[0, j] += c[0, j]
        b[1, j] += c[0, j]


def chosen(b, c, n):
    for j in range(n):
        k = (j * j) % n
        b[0, k] += c[0, j]
        c[1, j] += b[0, 0]


def under_two_names(b, c, n):
    d = b[0]
    for j in range(1, n):
        d[j] += c[0, j]
        c[0, j] += b[0, j - 1]


def few(b, c, n):
    for j in range(2):
        b[0, j] += c[0, j]
        c[1, j] += b[1, j]


def one_store(b, c, n):
    for j in range(n):
        b[0, j] += c[0, j]


@pytest.mark.parametrize('f', [waits, comes_too_late, left_over, handed_on, from_the_end, with_its_variable, in_steps, chosen,
                               under_two_names, few, one_store])
def test_loops_that_stay(f):
    assert made(f, *given()) is None
    right, found = given(), given()
    f(*right)
    tangent.lower(numba.njit(f))(*found)
    np.testing.assert_allclose(found[:2], right[:2])


def test_one_array_twice_is_refused():
    new = made(to_neighbours, *given())
    b = np.ones((5, 5))
    with pytest.raises(AliasError):
        new(b, b, 5)


# Random loops

def place(r, variable):
    outer, inner = 'i', variable
    other = r.choice(['0', '1', outer, f'{outer} - 1', 'n - 1'])
    mine = r.choice([inner, inner, f'{inner} + 1', f'{inner} - 1', f'n - {inner} - 1', outer, '0', f'{inner} + {outer}'])
    return r.choice([f'{other}, {mine}', f'{other}, {mine}', f'{mine}, {other}'])


def program(r):
    """The text of a function with a random loop in a loop."""
    ranges = ['range(n)', 'range(1, n - 1)', 'range(n - 2, 0, -1)', 'range(i)', 'range(i - 1, -1, -1)', 'range(i, n)',
              'range(n - 1, i, -1)']
    lines = ['def f(a, b, c, n):', '    s = 0.0', f'    for i in {r.choice(ranges[:3])}:', f'        for j in {r.choice(ranges)}:']
    values = ['s2', '2.0', *(f'{name}[{place(r, "j")}]' for name in 'abc')]
    lines.append(f'            s2 = {r.choice(values[1:])} * 0.5')
    for _ in range(r.randint(2, 4)):
        value = f'{r.choice(values)} * {r.choice(values)}'
        what = r.choice(['b', 'b', 'c', 'c', 's'])
        target = 's' if what == 's' else f'{what}[{place(r, "j")}]'
        lines.append(f'            {target} {r.choice(["+=", "+=", "-=", "="] if what != "s" else ["+=", "-="])} {value}')
    return '\n'.join([*lines, '    b[0, 0] += s']) + '\n'


def test_random_loops():
    count = 0
    for seed in range(400):
        text, path = program(random.Random(seed)), f'<random loop {seed}>'
        linecache.cache[path] = len(text), None, text.splitlines(True), path
        space = {'__name__': __name__, 'np': np}
        exec(compile(text, path, 'exec'), space)
        f, r = space['f'], np.random.default_rng(seed)
        arrays = r.normal(size=(3, 24, 24)) * 0.5
        new = made(f, *arrays, 6)
        if new is None:
            continue
        count += 1
        for n in 0, 1, 2, 3, 6, 11:
            right, found = arrays.copy(), arrays.copy()
            f(*right, n)
            new(*found, n)
            np.testing.assert_allclose(found, right, rtol=1e-9, atol=1e-9, err_msg=text + new.source)
    assert count > 40


@numba.njit
def heat(a, steps):
    u, v = a.copy(), a.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                v[i, j] = u[i, j] + 0.2 * (u[i, j - 1] + u[i, j + 1] + u[i + 1, j] + u[i - 1, j] - 4.0 * u[i, j])
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                u[i, j] = v[i, j]
    return np.sum(u) + u[0, 0]


@pytest.mark.parametrize('shape', [(7, 9), (1, 3), (2, 2)])
def test_a_gradient_of_loops_over_elements(shape):
    a = np.random.default_rng(0).normal(size=shape)
    fast, plain = tangent.grad(heat), tangent.grad(heat, jit=False)
    np.testing.assert_allclose(fast(a, 3), plain(a, 3), rtol=1e-11, atol=1e-13)
    assert 'np.zeros(' in tangent.source(fast, a, 3)


@numba.njit
def one_sum_between_rows(a, b, v):
    n = a.shape[0]
    for i in range(2, n - 2):
        for j in range(n - 3, 1, -1):
            t = 0.2 * (b[i + 2, i] + a[i, i]) * (a[i, j + 1] - 0.5 * b[i, j - 2]) + a[j, j + 2]
            v[j] += 0.2 * t
    return np.sum(np.sin(a)) + np.sum(v * v)


@pytest.mark.parametrize('n', [4, 5, 20])
def test_what_all_trips_add_to_one_number(n):
    """The sum of a loop stands among sums of rows: a raw IndexError once."""
    r = np.random.default_rng(n)
    a, b, v = r.normal(size=(n, n)), r.normal(size=(n, n)), r.normal(size=n)
    fast, plain = (tangent.grad(one_sum_between_rows, wrt=(0, 1, 2), jit=jit) for jit in (None, False))
    for x, y in zip(fast(a, b, v), plain(a, b, v)):
        np.testing.assert_allclose(x, y, rtol=1e-10, atol=1e-12)


def in_a_triangle(b, c, n):
    for i in range(n - 1, 0, -1):
        for j in range(i):
            t = c[i, j]
            c[i, j] = 0
            b[0, i - j - 1] += t
            b[1, j] += t


def left_early(b, c, n):
    for i in range(1, n):
        if c[i, i] > 100.0:
            break
        for j in range(i):
            t = c[i, j]
            c[i, j] = 0
            b[0, i - j - 1] += t
            b[1, j] += t


@pytest.mark.parametrize('f, where', [(in_a_triangle, '\n    t = np.empty(max(n - 1, 0))'), (left_early, '\n        t = np.empty(')])
def test_one_row_for_all_trips(f, where):
    new = made(f, *given())
    assert where in new.source
    for n in 6, 1, 0, 13:
        right, found = given(max(n, 2)), given(max(n, 2))
        f(*right[:2], n)
        new(*found[:2], n)
        np.testing.assert_allclose(found[:2], right[:2], rtol=1e-12)
