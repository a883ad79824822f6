"""Loops that run backwards trip by trip, in compiled derivatives: where they may, and above all where they must not."""
import math

import numpy as np
import pytest

import tangent

numba = pytest.importorskip('numba')
rng = np.random.default_rng(5)
X = rng.uniform(0.5, 1.5, (6, 4))
W = rng.uniform(0.5, 1.5, 4)


def slopes(f, args, step=1e-6):
    """Central differences."""
    x, found = args[0], np.empty_like(args[0])
    for k in np.ndindex(x.shape):
        sides = []
        for sign in 1, -1:
            moved = x.copy()
            moved[k] += sign * step
            sides.append(f(moved, *args[1:]))
        found[k] = (sides[0] - sides[1]) / (2 * step)
    return found


def gradient(f, *args, compiled=False):
    """The text of the gradient for Numba, after its numbers were compared with differences and with those of CPython's text."""
    df = tangent.grad(numba.njit(f))
    found = (df if compiled else df.py_func)(*args)
    np.testing.assert_allclose(found, slopes(f, args), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(tangent.grad(f)(*args), found, rtol=1e-12, atol=1e-14)
    return tangent.source(df)


def loops(text):
    """How many loops stand in the function itself."""
    return sum(line.startswith('    for ') or line.startswith('    while ') for line in text.splitlines())


def polynomials(x, n):
    total = 0.0
    for i in range(n):
        t = 0.1 * i
        value, power = 0.0, 1.0
        for j in range(x.shape[0]):
            value += x[j] * power
            power *= t
        total += math.sin(value)
    return 0.5 * total


def nearest(c, points):
    total = 0.0
    for i in range(points.shape[0]):
        best = math.inf
        for k in range(c.shape[0]):
            d = 0.0
            for j in range(c.shape[1]):
                d += (points[i, j] - c[k, j]) ** 2
            if d < best:
                best = d
        total += best
    return total


def buffered(w, x):
    n, d = x.shape
    v = np.empty(d)
    total = 0.0
    for i in range(n):
        for j in range(d):
            v[j] = math.sin(x[i, j] * w[j])
        for j in range(d):
            total += v[j] * v[d - 1 - j]
    return total


def two_buffers(w, x):
    n, d = x.shape
    v, y = np.empty(d), np.zeros((2, d))
    total = 0.0
    for i in range(n):
        for j in range(d):
            v[j] = x[i, j] * w[j]
        for k in range(2):
            for j in range(d):
                y[k, j] = math.exp(-k * v[j])
        for j in range(d):
            total += y[0, j] * y[1, j] * v[0]
    return total


def backwards(x, n):
    total = 0.0
    for i in range(n - 1, 0, -1):
        t = math.exp(x[i] * x[i - 1])
        total += t * t
    return total


def with_reading_after(w, x):
    total, seen = 0.0, 0.0
    for i in range(x.shape[0]):
        t = math.sin(x[i, 0] * w[1])
        seen = seen + x[i, 1]
        total += t * t
    return total * w[0] + seen * w[2]


@pytest.mark.parametrize('f, args', [
    (polynomials, (W, 5)), (nearest, (X[:3] + 0.3, X)), (buffered, (W, X)), (two_buffers, (W, X)), (backwards, (W, 4))])
def test_one_loop(f, args):
    assert loops(gradient(f, *args, compiled=True)) == 1


@pytest.mark.parametrize('f, args', [(polynomials, (W, 0)), (nearest, (X[:3], X[:0])), (buffered, (W, X[:0])),
                                     (backwards, (W, 1)), (buffered, (W, X[:1]))])
def test_no_trips_and_one(f, args):
    gradient(f, *args)


def carried(x, n):
    y, total = 1.0, 0.0
    for i in range(n):
        y = y * x[i] + math.sin(y)
        total += y
    return total


def sum_under_a_root(x, n):
    total = 0.0
    for i in range(n):
        t = math.exp(x[i])
        total += t * t
    return math.sqrt(total)


def sum_read_in_the_loop(x, n):
    total = 0.0
    for i in range(n):
        t = math.exp(x[i])
        total += t * t * total + 1.0
    return total


def not_quite_filled(w, x):
    """The last element of the buffer is that of the first trip, and of the trip before."""
    n, d = x.shape
    v = np.ones(d)
    total = 0.0
    for i in range(n):
        for j in range(d - 1):
            v[j] = math.sin(x[i, j] * w[j])
        total += v[0] * v[d - 1]
        v[d - 1] = v[0] * v[1]
    return total


def filled_under_a_condition(w, x):
    n, d = x.shape
    v = np.ones(d)
    total = 0.0
    for i in range(n):
        for j in range(d):
            if x[i, j] > 1:
                v[j] = math.sin(x[i, j] * w[j])
        for j in range(d):
            total += v[j] * v[j]
    return total


def filled_too_late(w, x):
    n, d = x.shape
    v = np.ones(d)
    total = 0.0
    for i in range(n):
        for j in range(d):
            total += v[j] * v[j] * w[0]
        for j in range(d):
            v[j] = math.sin(x[i, j] * w[j])
    return total


def filled_from_itself(w, x):
    n, d = x.shape
    v = np.ones(d)
    total = 0.0
    for i in range(n):
        for j in range(d):
            v[j] = math.sin(x[i, j] * w[j] + v[d - 1 - j])
        for j in range(d):
            total += v[j] * v[j]
    return total


def filled_up_to_a_break(w, x):
    n, d = x.shape
    v = np.ones(d)
    total = 0.0
    for i in range(n):
        for j in range(d):
            if j > i:
                break
            v[j] = math.sin(x[i, j] * w[j])
        for j in range(d):
            total += v[j] * v[j]
    return total


def read_afterwards(w, x):
    n, d = x.shape
    v = np.empty(d)
    total = 0.0
    for i in range(n):
        for j in range(d):
            v[j] = math.sin(x[i, j] * w[j])
        total += v[0] * v[1]
    return total + math.exp(v[2])


def left_early(x, limit):
    total = 0.0
    for i in range(x.shape[0]):
        t = math.exp(x[i])
        total += t * t
        if t > limit:
            break
    return total


def summed_in_an_element(x, n):
    total = np.zeros(2)
    for i in range(n):
        t = math.exp(x[i])
        total[0] += t * t
    return math.sin(total[0]) * total[0]


def last_one_read(x, n):
    total, t = 0.0, 1.0
    for i in range(n):
        t = math.exp(x[i] * total)
        total = total + t * x[0]
    return total * t


def seen_by_another_name(w, x):
    n, d = x.shape
    v = np.ones(d)
    u = v[1:]
    total = 0.0
    for i in range(n):
        total += u[0] * w[0]
        for j in range(d):
            v[j] = math.sin(x[i, j] * w[j])
        total += u[1] * u[1]
    return total


@pytest.mark.parametrize('f, args', [
    (carried, (W, 4)), (sum_under_a_root, (W, 4)), (sum_read_in_the_loop, (W, 4)), (not_quite_filled, (W, X)),
    (filled_under_a_condition, (W, X)), (filled_too_late, (W, X)), (filled_from_itself, (W, X)),
    (filled_up_to_a_break, (W, X)), (read_afterwards, (W, X)), (left_early, (W, 3.0)), (summed_in_an_element, (W, 4)),
    (last_one_read, (W, 4))])
def test_two_loops(f, args):
    assert loops(gradient(f, *args)) > 1


def test_another_name_for_the_buffer():
    try:
        assert loops(gradient(seen_by_another_name, W, X)) > 1
    except tangent.errors.TangentParseError:
        pass                                # refused for its views: as good


def test_what_is_read_after_the_loop_has_its_value():
    gradient(with_reading_after, W, X, compiled=True)


def test_exceptions_are_raised():
    @numba.njit
    def f(x, n):
        total = 0.0
        for i in range(n):
            if x[i] < 0:
                raise ValueError('negative')
            t = math.sqrt(x[i])
            total += t * t * t
        return total
    df = tangent.grad(f)
    np.testing.assert_allclose(df(W, 4), 1.5 * np.sqrt(W))
    with pytest.raises(ValueError, match='negative'):
        df(-W, 4)


def test_seeds_and_values():
    f = numba.njit(polynomials)
    value, slope = tangent.value_and_grad(f)(W, 5)
    assert value == f(W, 5)
    np.testing.assert_allclose(tangent.vjp(f)(W, 5, 3.0), 3 * slope)
    np.testing.assert_allclose(tangent.grad(f)(W, 5, 2), 2 * slope)
    np.testing.assert_allclose(tangent.grad(f)(W.astype(np.float32), 5), slope, rtol=1e-5)


@pytest.mark.parametrize('f, args', [(polynomials, (W, 5)), (nearest, (X[:3] + 0.3, X))])
def test_second_order(f, args):
    direction = rng.normal(size=args[0].shape)
    expected = slopes(lambda w: np.sum(tangent.grad(f)(w, *args[1:]) * direction), args[:1])
    np.testing.assert_allclose(tangent.hvp(numba.njit(f))(*args, direction), expected, rtol=1e-5, atol=1e-7)


def largest(x):
    top = x[0]
    for i in range(x.shape[0]):
        if x[i] > top:
            top = x[i]
    return top * top


def largest_twice(x):
    """What is kept for the test is read for itself, too."""
    top = x[0]
    for i in range(x.shape[0]):
        if x[i] > top:
            top = x[i] * top
    return top


def largest_of_what_changes(x):
    y = np.zeros(x.shape[0])
    top = x[0]
    for i in range(x.shape[0]):
        y[i] = x[i] * top
        if y[i] > top:
            top = y[i]
        y[i] = y[i] * top
    return np.sum(y)


def test_the_outcome_of_a_test_is_kept():
    assert '_stack.append(x[i] > top)' in gradient(largest, W[::-1].copy()) and 'if _stack.pop():' in gradient(largest, W)
    assert '_stack.append(x[i] > top)' not in gradient(largest_twice, W[::-1] + 1)
    gradient(largest_of_what_changes, W, compiled=True)


def chosen(w, x):
    total = 0.0
    for i in range(x.shape[0]):
        d = math.sin(w[0] * x[i, 0])
        best = w[1]
        if d < best:
            best = d
        for j in range(x.shape[1]):
            total += best * x[i, j]
        total += d * d                  # read beside the branch: not zero on the other path
    return total


def test_work_for_a_zero_is_left_out():
    text = gradient(nearest, X[:3] + 0.3, X, compiled=True)
    lines = text.splitlines()
    assert 'else:' not in text
    branch = next(k for k, line in enumerate(lines) if 'if _stack.pop():' in line)
    loop = next(k for k, line in enumerate(lines[branch:], branch) if 'for j in' in line and '#' not in line)
    assert lines[loop].index('for') > lines[branch].index('if')
    gradient(chosen, W, X, compiled=True)


def penalised(w, x):
    total = 0.0
    for i in range(x.shape[0]):
        t = math.sin(w[i % 4]) * x[i, 0]
        total += t * t
    top = np.max(w)
    for j in range(w.shape[0]):
        total += 0.5 * math.exp(w[j] - top) * w[j]
    return total


def test_what_else_is_added_to_a_sum_comes_after_the_loop():
    """The adjoint of the second loop is ahead of that of the first, and adds to what the latter adds to."""
    text = gradient(penalised, W, X)
    assert 'x.shape[0] - 1' not in text and text.count('for ') - text.count('# Grad of: for') == 2
    assert text.count('= check_scalar') == 1
    gradient(penalised, W, X, compiled=True)
    gradient(penalised, W, X[:0])


def scaled_meanwhile(w, x):
    total = 0.0
    for i in range(x.shape[0]):
        t = math.sin(w[i % 4]) * x[i, 0]
        total += t * t
    v = total * np.sin(w)
    for j in range(w.shape[0]):
        v[j] = v[j] * w[j] + v[j] * v[0]
    return np.sum(v)


def seed_from_a_loop(w, x):
    total = 0.0
    for i in range(x.shape[0]):
        t = math.sin(w[i % 4]) * x[i, 0]
        total += t * t
    rest = 0.0
    for j in range(w.shape[0]):
        rest += w[j] * total
    return rest


@pytest.mark.parametrize('f', [scaled_meanwhile, seed_from_a_loop])
def test_no_sum_is_early_that_something_in_between_needs(f):
    assert 'x.shape[0] - 1' in gradient(f, W, X)
