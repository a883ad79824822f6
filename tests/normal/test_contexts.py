"""`with` statements of the user's contexts: in the structured text where nothing they do has a derivative, right everywhere."""
import numpy as np
import pytest

import tangent
from tests.tools.judge import check_every_text

SCALE, MODE, LOG = 1.0, 'a', []


def set_scale(scale):
    global SCALE
    SCALE = scale


def set_mode(mode):
    global MODE
    MODE = mode


def scale():
    return SCALE


class Scaled:
    def __init__(self, scale):
        self.scale, self.before = scale, SCALE

    def __enter__(self):
        set_scale(self.scale)
        return self

    def __exit__(self, *error):
        set_scale(self.before)


class Child(Scaled):
    pass


class Moded:
    def __init__(self, mode='b'):
        self.mode, self.before = mode, MODE

    def __enter__(self):
        set_mode(self.mode)

    def __exit__(self, kind, error, trace):
        set_mode(self.before)


class Counted:
    entered = left = 0

    def __enter__(self):
        Counted.entered += 1

    def __exit__(self, *error):
        Counted.left += 1
        return False


class Swallowing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


class Asking(Swallowing):
    def __init__(self, stops):
        self.stops = stops

    def __exit__(self, *error):
        return self.stops


class Adding:
    def __init__(self, sums, x):
        self.sums, self.x = sums, x

    def __enter__(self):
        self.sums.total = self.sums.total + self.x

    def __exit__(self, *error):
        self.sums.total = self.sums.total * self.x


class Sums:
    def __init__(self):
        self.total = 0.0


def scaled_square(a):
    return a * a * SCALE


def combined(a, b):
    return a / b if MODE == 'b' else a * b


def square_of_callee(a):
    with Scaled(2.0):
        return a * a * scale()


def positive(x):
    if x <= 0.0:
        raise ValueError('not positive')
    return x


# In the structured text

def mode_that_a_callee_reads(x):
    with Moded():
        y = combined(x[0], 3.0)
    return y * combined(x[0], x[1])


def value_of_outside_read_inside_and_behind(x):
    with Scaled(2.0):
        y = x[0] * x[1] * SCALE
    return y * y * SCALE


def returned_from_inside(x):
    y = x[0] * 3.0
    with Scaled(2.0):
        y = y * x[1]
        return scaled_square(y) * y


def several_and_nested(x):
    with Scaled(2.0), Moded('b'):
        y = scaled_square(x[0]) * combined(x[1], 3.0)
        with Scaled(5.0):
            y = y * scaled_square(x[1])
        y = y * scaled_square(x[0])
    return y * combined(x[0], x[1]) * scaled_square(x[1])


def bound_to_a_name(x):
    with Child(2.0) as context:
        y = scaled_square(x[0]) * context.scale
    return y * context.scale * x[1]


def callee_that_enters(x):
    t = square_of_callee(x[0])
    for _ in range(2):
        t = t * square_of_callee(t) + x[1]
    return t + scaled_square(x[1])


def in_a_loop(x):
    t = x[0]
    while t < 10.0:
        with Scaled(1.5):
            t = t * scale() + scaled_square(x[1])
    return t * scaled_square(x[0])


def in_a_branch(x):
    y = x[0]
    if x[1] > 0.0:
        with Scaled(2.0):
            y = scaled_square(y)
    with Scaled(4.0):
        y = y + scaled_square(x[1])
    return y


def around_writes(x):
    a = np.zeros(2)
    b = [x[0] * x[1]]
    with Scaled(2.0):
        a[0] = x[0] * scale()
        b.append(scaled_square(x[1]))
        b[0] = b[0] * scale()
    return a[0] * b[0] * b[1] * scale()


def its_name_taken(x):
    context = 2.0 * x[0]
    with Scaled(2.0):
        y = scaled_square(context)
    return y * context * x[1]


# Elsewhere

def stops_what_is_raised(x):
    y = x[0]
    with Swallowing():
        y = x[0] * x[1]
        y = y * positive(-x[1])
    return y * 2.0


def may_stop_it(x):
    with Asking(False):
        y = scaled_square(x[0])
    return y * x[1]


def holds_what_has_a_derivative(x):
    sums = Sums()
    with Adding(sums, x[0]):
        y = sums.total * x[1]
    return y * sums.total


def left_by_break(x):
    t = x[0]
    for i in range(4):
        with Scaled(2.0):
            t = t * scale() + x[1]
            if i == 2:
                break
    return t * scale()


def returned_in_a_branch(x):
    with Scaled(2.0):
        if x[0] > 0.0:
            return scaled_square(x[0]) * x[1]
        y = x[0]
    return y


def caught_outside(x):
    y = scaled_square(x[0])
    try:
        with Scaled(2.0):
            y = positive(-y)
    except ValueError:
        y = y * 3.0
    return y * scaled_square(x[1])


STRUCTURED = [mode_that_a_callee_reads, value_of_outside_read_inside_and_behind, returned_from_inside, several_and_nested,
              bound_to_a_name, callee_that_enters, in_a_loop, in_a_branch, around_writes, its_name_taken, left_by_break,
              returned_in_a_branch]
OTHERS = [stops_what_is_raised, may_stop_it, holds_what_has_a_derivative, caught_outside]
X = np.array([0.7, 1.3])


@pytest.mark.parametrize('f', STRUCTURED + OTHERS)
def test_right_in_every_text(f):
    check_every_text(f, X)
    assert (SCALE, MODE) == (1.0, 'a')


@pytest.mark.parametrize('f', STRUCTURED)
def test_structured(f):
    text = tangent.source(tangent.grad(f))
    assert '_grads' not in text and '__exit__' not in text and 'with ' in text


@pytest.mark.parametrize('f', STRUCTURED)
def test_right_twice(f):
    v, h = np.array([0.6, -0.8]), 1e-5
    wanted = (tangent.grad(f)(X + h * v) - tangent.grad(f)(X - h * v)) / (2 * h)
    np.testing.assert_allclose(tangent.hvp(f)(X, v), wanted, rtol=1e-7)
    np.testing.assert_allclose(tangent.grad(lambda x: np.sum(tangent.grad(f)(x) * v))(X), wanted, rtol=1e-7)


def counted(x):
    with Counted():
        y = x * x
    return y * x


def test_is_entered_once():
    Counted.entered = Counted.left = 0
    assert tangent.value_and_grad(counted)(2.0) == (8.0, 12.0)
    assert (Counted.entered, Counted.left) == (1, 1)


def failing(x):
    with Scaled(2.0):
        y = positive(x) * scale()
    return y * y


def test_is_left_where_something_is_raised():
    df = tangent.grad(failing)
    assert '_grads' not in tangent.source(df) and df(3.0) == 24.0
    with pytest.raises(ValueError, match='not positive'):
        df(-1.0)
    assert SCALE == 1.0
