"""Texts for known kinds say what a person would: loops over what the user went over, what was kept, where it is updated."""
import copy
import math

import numpy as np
import pytest

import tangent
from tangent import errors
from tangent.driver import variants
from tests.tools.checking import assert_close, differences

X = np.array([0.5, 0.7, 1.2, 0.9])
M = np.array([[0.5, 0.7, 1.2], [0.3, 1.1, 0.2], [0.9, 0.4, 0.6]])


def grown_under_two_names(x, w):
    path = [x * w]
    q = path
    for _ in range(3):
        q.append(path[-1] * w)
    return np.sum(np.stack(path))


def grown_shorter(x, w):
    path = [x]
    for _ in range(3):
        path.append(path[-1][1:] * w)
    return sum(np.sum(p) for p in path)


def grown_of_all_kinds(x, w):
    path = [w]
    path.append(x)
    path.append(w * x)
    t = 0.0
    for p in path:
        t = t + np.sum(p * p)
    return t


def grown_of_one(x, w):
    path = [w * x[:1]]
    return np.sum((np.stack(path) - x) ** 2)


def grown_and_written(x, w):
    path = [x]
    for _ in range(2):
        path[0] = path[0] * w
        path.append(path[0] + path[-1])
    return np.sum(path[-1]) + np.sum(path[0] ** 2)


def grown_of_numbers(x, w):
    path = []
    for v in x:
        path.append(v * w)
    y = np.array(path)
    return np.sum(y ** 3)


def repeated(x, w):
    path = [0.0] * 4
    for i in range(4):
        path[i] = path[i - 1] * w + x[i]
    return path[3] * path[1]


def grown_and_emptied(x, w):
    path = [x]
    last = path.pop()
    path.append(last * w)
    path.append(w * path[0])
    s = 0.0
    for k, p in enumerate(path):
        s += np.sum(p) * (k + 1)
    return s


def grown_by_another(x, w):
    def grow(l):
        l.append(w * x)
    path = [x]
    grow(path)
    return np.sum(path[-1] ** 2)


def counted(x, w):
    s = 1.0
    for i in range(len(x)):
        c = x[i]
        s = s * c + i * w
    return s * i * c


def as_often_as_there_are_elements(x, w):
    s = 1.0
    for _ in x:
        s = s + w
    return s * np.sum(x)


def enumerated_pairs(x, w):
    s = 1.0
    for k, (a, b) in enumerate(zip(x, x[1:])):
        s = s * a + b * k * w
    return s


def written_ahead(x, w):
    x = x * 1.0
    s = w
    for k, c in enumerate(x):
        x[(k + 1) % len(x)] += s * c
        s = s + c
    return s


def left(x, w):
    s = w
    for c in x:
        if s > 3.0:
            break
        s = s * c + c
    return s


def rows(m, w):
    s = 0.0
    for row in m:
        for i, v in enumerate(row):
            s = s * w + v * row[i - 1]
    return s


def two_parts(y, w):
    for _ in range(4):
        a, b = y[0], y[1]
        y = y + 0.1 * np.array([a * b - w * b, a * a * b])
    return y[0] * y[1]


def parts_written(y, w):
    y = y * 1.0
    for _ in range(4):
        a = y[0]
        b = y[1]
        y[0] = a * b * w
        y[1] = a - b * b
    return y[0] * y[1]


def garch(x, w):
    s, v = 0.0, 1.0
    for r in x:
        s += r ** 2 / v + math.log(v)
        v = w + 0.3 * r ** 2 + 0.5 * v
        r = r * 2.0
        s += r ** 2 * v
    return s


def parts_of_products(y, w):
    z = y
    for _ in range(3):
        a = z[0] * w
        z = z * a
        b = z[1] + z[0]
        z = z + b
    return np.sum(z)


def updated(x, w):
    x = x * 1.0
    for i in range(1, len(x) - 1):
        x[i] = (x[i - 1] + w * x[i] * x[i + 1]) / x[i]
        x[i] *= x[i - 1]
    return np.sum(x ** 2)


def updated_elsewhere(x, w):
    x = x * 1.0
    j = 2
    for i in range(len(x)):
        x[i] = x[j] * x[i] + w
        j = i
    return np.sum(x * x)


def updated_under_two_names(x, w):
    x = x * 1.0
    y = x
    for i in range(len(x)):
        x[i] = y[i - 1] * x[i] * w
    return np.sum(x * y)


def updated_at_known_places(x, w):
    x = x * 1.0
    x[0] = x[0] * x[1] + x[0] * w
    x[-4] = x[0] * 2 + x[1] * x[2]
    x[1] += x[0] * x[2]
    x[1] -= x[3] * x[2] * x[1]
    return np.sum(x * x)


def updated_through_views(x, w):
    u = x * 1.0
    v = u[1:]
    v[0] = v[1] * u[0] * w
    u[1] += v[2] * u[1]
    return np.sum(u * u)


def signs(x, w):
    t = -x
    return np.sum(t * w) - np.sum(t * x) + np.sum(-x / w) + np.max(-x)


def residuals(x, w):
    r = x[2:] - w * x[1:-1] - w * w * x[:-2]
    return np.sum(r ** 2) * np.mean(-r)


def systems(m, w):
    k = m @ m.T + w * np.eye(len(m))
    b = np.sum(m, axis=1)
    y = np.linalg.solve(k, b)
    z = np.linalg.solve(k, y)
    return np.sum(z * b) + np.sum(y ** 2)


def systems_of_matrices(m, w):
    k = m @ m.T + w * np.eye(len(m))
    y = np.linalg.solve(k, m)
    k = k * y[0, 0]
    return np.sum(np.linalg.solve(k, y) ** 2)


def picked(m, w):
    l = np.array([0, 1, 0])
    p = m[np.arange(3), l]
    return -np.mean(p) * w + np.mean(m[l, np.arange(3)] ** 2)


def log_sum_exp(m, w):
    top = np.max(m, axis=1)
    return np.sum(top + np.log(np.sum(np.exp(w * m - top[:, None]), axis=1)))


def root_of_positive(x, w):
    r = x[0] * 1.0
    r = float(r)
    if r < 0.1:
        c = 2.0
    elif r < 50.0:
        c = r ** 0.7 * w
    else:
        c = r
    return c * x[1]


def root_of_what_changed(a, w):
    if a > 0:
        s = a ** 0.5
        a = a - 10.0
        s = s + (a * a) ** 0.3
    else:
        s = (a * a + 1) ** 1.5
    return s * w


def two_steps(a, w):
    before, u = a, a * w
    for _ in range(5):
        before, u = u, 2 * u - before * w
    return u * before


def two_at_once(a, w):
    x, y = 0.0, 1.0
    for _ in range(5):
        x, y = y * a, x + y * w
    return x * y


def short_branches(a, w):
    if a < 0:
        return 0.0
    elif a < 4.0:
        return a * w - w
    return w * 4.0 + (a - 4.0) * w


def whole_numbers_added(x, w):
    """The numbers of which an array is full were added as they stand there, not in the dtype of the array."""
    z = np.zeros(3)
    np.add.at(z, np.array([0, 1, 1]), np.full(3, 1.7, int))
    np.add.at(z, np.array([2, 0, 2]), np.full(3, 1.2, dtype=int))
    return np.sum(x[:3] * z) * w


def full_of_whole_numbers(x, w):
    return np.sum(np.full(x.shape, 1.7, dtype=int) / x) * w


OF_VECTORS = (grown_under_two_names, grown_shorter, grown_of_all_kinds, grown_of_one, grown_and_written, grown_of_numbers,
              repeated, grown_and_emptied, grown_by_another, counted, as_often_as_there_are_elements, enumerated_pairs,
              written_ahead, left, garch, updated, updated_elsewhere, updated_under_two_names, updated_at_known_places,
              updated_through_views, signs, residuals, whole_numbers_added, full_of_whole_numbers)
OF_PAIRS = two_parts, parts_written, parts_of_products
OF_MATRICES = rows, systems, systems_of_matrices, picked, log_sum_exp
OF_NUMBERS = root_of_what_changed, two_steps, two_at_once, short_branches
CASES = [*((f, X) for f in (*OF_VECTORS, root_of_positive)), *((f, X[:2]) for f in OF_PAIRS), *((f, M) for f in OF_MATRICES),
         *((f, a) for f in OF_NUMBERS for a in (0.5, -0.7, 3.0, 80.0))]


def slopes(f, x, w, h=1e-6):
    """The derivatives by x and w, by central differences."""
    def at(value, by):
        return f(np.copy(value) if np.ndim(value) else value, w + by)
    found = np.zeros(np.shape(x))
    for i in np.ndindex(np.shape(x)):
        step = np.zeros(np.shape(x))
        step[i] = h
        found[i] = (at(x + step if np.ndim(x) else x + h, 0.0) - at(x - step if np.ndim(x) else x - h, 0.0)) / (2 * h)
    return found, (at(x, h) - at(x, -h)) / (2 * h)


@pytest.mark.parametrize('f, x', CASES, ids=lambda value: getattr(value, '__name__', ''))
def test_gradients(f, x):
    df = tangent.grad(f, wrt=(0, 1))
    found = variants.specialised(df, (x, 1.3))(copy.copy(x), 1.3)
    for got, plain, expected in zip(found, df.plain(copy.copy(x), 1.3), slopes(f, x, 1.3)):
        assert got == pytest.approx(plain, rel=1e-12, abs=1e-13)
        assert got == pytest.approx(expected, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize('f, x, said, not_said', [
    (enumerated_pairs, X, ['for k, (a, b) in enumerate(zip(x, t)):'], []),
    (rows, M, ['for row in m:', 'for i, v in enumerate(row):'], []),
    (counted, X, ['for i in range(len(x)):'], ['enumerate']),
    (as_often_as_there_are_elements, X, ['for _ in range(len(x)):'], ['count']),
    (garch, X, ['for r in x:', 'r = x[i]'], ['v2 ** 2']),
    (two_parts, X[:2], ['_stack.append(y)', 'for y in reversed(_stack):'], ['t = y[0]']),
    (grown_of_numbers, X, ['for v in x:'], ['unbroadcast', 'count']),
    (residuals, X, ['bx[1:-1] -= ', 'bx[:-2] -= '], []),
    (systems, M, ['np.linalg.solve(k.T, ', 'np.outer('], ['unsolve']),
    (picked, M, [], ['np.full', '.copy()']),
    (two_steps, 0.5, ['before, u = u, 2 * u - before * w'], []),
    (short_branches, 3.0, ['return bshort_branches * w, '], ['ba = '])])
def test_texts(f, x, said, not_said):
    text = tangent.source(tangent.grad(f, wrt=(0, 1)), x, 1.3)
    assert all(part in text for part in said) and not any(part in text for part in not_said), text


def signs_of_flags(x, w):
    c = w > 0
    return -(c * w) * np.sum(x)


def flags_as_numbers(x, w):
    y = np.sum(x * w)
    return y, (y > 0) * 1


def sums_of_whole_numbers(x, w):
    n = np.array([0, 1, 2])
    n[0] += 0.6
    n[0] += 0.6
    return w ** n[0] * np.sum(x)



@pytest.mark.parametrize('f, x', [(signs_of_flags, X), (flags_as_numbers, X), (sums_of_whole_numbers, X)])
def test_what_the_user_computes_stays(f, x):
    """Signs do not move before flags, which have none; sums are of flags and whole numbers where the user's are."""
    df, w = tangent.value_and_grad(f, wrt=(0, 1)), np.float64(1.3)
    plain = tangent.value_and_grad(f, wrt=(0, 1), optimized=False)(x, w)
    assert repr(variants.specialised(df, (x, w))(x, w)) == repr(df(x, w)) == repr(plain)


def root_after_a_branch(a, w):
    y = 0.0
    if a > 0:
        if w > 0.1:
            a = a - 5.0
        y = a ** 0.5
    return y * w


def root_of_later_trips(a, w):
    t = 0.0
    for _ in range(3):
        if a > 0:
            for _ in range(2):
                t = t + a ** 0.5
                a = a - w
    return t


def root_by_an_older_test(a, w):
    c = w > 0
    if w > 5:
        c = a > 0
    if c:
        return a ** 0.5
    return a


@pytest.mark.parametrize('f', [root_after_a_branch, root_of_later_trips, root_by_an_older_test])
def test_what_was_positive_and_is_so_no_more(f):
    """Python's roots of negative numbers are complex, in functions that are called as well."""
    def caller(a, w):
        return f(a, w) * w
    a = -0.8 if f is root_by_an_older_test else 0.8
    for g in (f, caller):
        df = tangent.grad(g)
        for called in (variants.specialised(df, (a, 1.3), alone=True), df, df, df, df):
            with pytest.raises(errors.ComplexNotImplementedError):
                called(a, 1.3)


def parts_by_a_mask(p):
    groups = [p[:1], p[1:3], p[3:]]
    means = [g.mean() for g in groups]
    out = np.zeros((3, 3))
    out[np.arange(3)[:, None] >= np.arange(3)] = np.concatenate(groups)
    out[-1] -= means
    return np.linalg.norm(out, axis=1) @ means + np.linalg.norm(out, 'fro')


def test_products_of_lists_are_no_products_of_arrays():
    """The kind of `means` says no dtype: it was asked for one."""
    p = np.array([0.7, 1.3, 0.4, 0.9, 1.1, 0.2])
    df = tangent.grad(parts_by_a_mask, check_dims=False)
    for _ in range(4):
        assert_close(df(p), *differences(parts_by_a_mask, (p,), (0,)))
