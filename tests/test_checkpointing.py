"""Loops that keep a few states: their gradients are those of plain loops, and what they keep and run again is counted."""
import itertools
import types

import numpy as np
import pytest

import tangent
from tangent.checkpointing import checkpointed


def plainly(iterable, budget=None, storage=None, tape=None):
    return iterable


def unmarked(function):
    """The function with loops that tape every step."""
    namespace = {**function.__globals__, 'checkpointed': plainly}
    return types.FunctionType(function.__code__, namespace, function.__name__, function.__defaults__)


def agrees(function, *args, wrt=(0, 1), rtol=1e-12):
    """The gradients of both, the same; those of the marked function."""
    found = tangent.grad(function, wrt=wrt)(*args)
    wanted = tangent.grad(unmarked(function), wrt=wrt)(*args)
    for g, h in zip(found if isinstance(wrt, tuple) else [found], wanted if isinstance(wrt, tuple) else [wanted]):
        np.testing.assert_allclose(g, h, rtol=rtol, atol=1e-13)
    assert function(*args) == pytest.approx(unmarked(function)(*args), rel=1e-14)
    return found


# Programs

def scalars(x, w, n):
    t = 0.0
    for i in checkpointed(range(n), budget=3):
        x = x + 0.01 * np.sin(w * x) * i
        t = t + x * x
    return t + x


def by_two(x, w, n):
    for i in checkpointed(range(3, n, 2), budget=2, tape=2):
        x = x * w + np.cos(x) / i
    return x + i


def backward_range(x, w, n):
    for i in checkpointed(range(n, 0, -1), budget=2):
        x = np.sin(x * w) + i
    return x


def continued(x, w, n):
    for i in checkpointed(range(n), budget=3):
        if i % 3 == 0:
            continue
        y = x * w
        x = np.sin(y) + i
        if x > 1e9:
            continue
        x = x - 0.5
    return x


def broken(x, w, n):
    for i in checkpointed(range(1000), budget=3, tape=1):  # noqa: B007
        x = x + w * 0.1
        if x > n:
            break
        x = x * 1.01
    return x * x + i


def with_else(x, w, n):
    for _ in checkpointed(range(n), budget=3):
        x = x * w
        if x > 1e6:
            break
    else:
        x = x + w
    return x * x


def whiled(x, w, n):
    k = 0
    while checkpointed(x < n, budget=3, tape=1):
        x = x * (1 + 0.1 * w)
        k = k + 1
    return x * k


def counted(x, w, n):
    for i in checkpointed(itertools.count(1, 2), budget=4, tape=1):
        if i > n:
            break
        x = np.sin(x * w) + i * 0.1
    return x


def inner_loop(x, w, n):
    for i in checkpointed(range(n), budget=2):
        for j in range(i):
            x = x + 0.1 * np.sin(w * x + j)
    return x


def nested(x, w, n):
    for i in checkpointed(range(n), budget=2, tape=1):
        for j in checkpointed(range(i + 1), budget=2, tape=1):
            x = x + 0.1 * np.sin(w * x + j)
            while checkpointed(x > 3.0, budget=1, tape=1):
                x = x - w
    return x


def in_a_loop(x, w, n):
    t = 0.0
    for k in range(3):
        for _ in checkpointed(range(n), budget=3):
            x = x + 0.1 * np.sin(w * x) * k
        t = t + x
        w = w * 1.1
    return t


def branches(x, w, n):
    y = w
    for i in checkpointed(range(n), budget=2):
        if i % 2:
            y = x * y
        else:
            x = np.sin(x) + 0.1 * y
        last = x * i
    return x + y + last


def later(x, w, n):
    for i in checkpointed(range(n), budget=2):
        if i == 0:
            y = x * w
        y = np.sin(y) + 0.5
    return y


def helper(x, w):
    return np.sin(x) * w


def calls(x, w, n):
    def local(a):
        return helper(a, w) + a
    for _ in checkpointed(range(n), budget=2):
        x = local(helper(x, w)) * 0.9
    return x


def augmented(x, w, n):
    t = 0.0
    for i in checkpointed(range(n), budget=3):
        x += 0.1 * np.sin(w * x)
        t += x * i
    return t


NUMBERS = [scalars, by_two, backward_range, continued, broken, with_else, whiled, counted, inner_loop, nested, in_a_loop, branches,
           later, calls, augmented]


@pytest.mark.parametrize('function', NUMBERS, ids=lambda f: f.__name__)
@pytest.mark.parametrize('n', [1, 2, 13])
def test_loops_over_numbers(function, n):
    n = max(n, 5) if function is by_two else n
    agrees(function, 0.7, 1.2, n)


def test_no_iterations():
    assert agrees(scalars, 0.7, 1.2, 0) == (1.0, 0.0)
    assert agrees(whiled, 0.7, 1.2, 0.1) == (0.0, 0.0)


def test_finite_differences():
    eps = 1e-6
    for function in (scalars, broken, nested):
        found = tangent.grad(function)(0.7, 1.2, 9)
        assert found == pytest.approx((function(0.7 + eps, 1.2, 9) - function(0.7 - eps, 1.2, 9)) / (2 * eps), rel=1e-6)


# Arrays, and writes into them

def stencil(u, w, n):
    for _ in checkpointed(range(n), budget=3):
        u = u + 0.1 * w * (np.roll(u, 1) - 2 * u + np.roll(u, -1)) * u
    return np.sum(u * u)


def in_place(u, w, n):
    u = u * 1.0
    v = np.zeros_like(u)
    for _ in checkpointed(range(n), budget=3, tape=1):
        v[1:-1] = u[1:-1] + w * (u[2:] - 2 * u[1:-1] * u[:-2])
        u, v = v, u
    return np.sum(u * u)


def filled(u, w, n):
    y = np.zeros(n)
    x = u[0]
    for i in checkpointed(range(n), budget=3):
        x = np.sin(x * w) + u[i % 3]
        y[i] = x * x
    return np.sum(y) + y[0] * x


def of_a_parameter(u, w, n):
    for i in checkpointed(range(n), budget=3):
        u[i % 4] = np.sin(u[(i + 1) % 4] * w)
    return np.sum(u * u)


def through_a_view(u, w, n):
    u = u + 0.0
    for i in checkpointed(range(n), budget=3, tape=2):
        part = u[1:3]
        part[:] = np.sin(part) * w + i
    return np.sum(u * u)


def appended(u, w, n):
    out = []
    x = u[1]
    for i in checkpointed(range(n), budget=3):
        x = np.sin(x) * w
        out.append(x * i)
    return sum(out) + u[0]


def of_a_callee(u, w, n):
    u = u * 1.0
    step_in_place(u, w, n)
    return np.sum(u * u)


def step_in_place(a, w, n):
    for i in checkpointed(range(n), budget=2):
        a[i % 3] = a[i % 3 + 1] * np.sin(w * i)


def over_an_array(u, w, n):
    x = 1.0
    for a in checkpointed(u, budget=2, tape=1):
        x = np.sin(x * a) + w
    return x


def over_pairs(u, w, n):
    x = 1.0
    for k, a in checkpointed(enumerate(u), budget=2, tape=1):
        x = np.sin(x * a) + w * k
    return x


def over_constants(u, w, n):
    x = u[0]
    for a in checkpointed([0.5, 1.5, 2.5], budget=2, tape=1):
        x = np.sin(x * a) + w
    return x


def over_an_iterator(u, w, n):
    x = u[0]
    for a in checkpointed((k * 0.5 for k in range(n)), budget=2, tape=2):
        x = np.sin(x * a) + w
    return x


ARRAYS = [stencil, in_place, filled, of_a_parameter, through_a_view, appended, of_a_callee, over_an_array, over_pairs,
          over_constants, over_an_iterator]


@pytest.mark.parametrize('function', ARRAYS, ids=lambda f: f.__name__)
@pytest.mark.parametrize('n', [1, 2, 11])
def test_arrays(function, n):
    u = np.array([0.3, 0.5, 1.1, 0.2])
    kept = u.copy()
    found = tangent.grad(function, wrt=(0, 1))(u, 0.9, n)
    wanted = tangent.grad(unmarked(function), wrt=(0, 1))(u, 0.9, n)
    for g, h in zip(found, wanted):
        np.testing.assert_allclose(g, h, rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(u, kept)
