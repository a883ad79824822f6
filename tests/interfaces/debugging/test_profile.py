"""`profile` finds the line that is slow, and the one that takes the memory, wherever it stands."""
import collections
import time

import numpy as np
import pytest

import tangent
from tangent import errors


def wait(x):
    time.sleep(0.02)
    return x


def slow_forward(x):
    y = np.sin(x)
    y = y * wait(2.0)
    return np.sum(y)


@tangent.custom_vjp
def bent(x):
    return x * x


bent.defvjp(lambda x: (x * x, x), lambda x, g: (2 * wait(x) * g,))


def slow_backward(x):
    total = 0.0
    for k in range(2):
        x = np.sin(x) * k
        total = total + np.sum(bent(x))
    return total


class Model:
    def __init__(self, w):
        self.w, self.seen = w, []

    def step(self, x):
        self.seen.append(np.sum(np.outer(x, x)))
        return np.cos(self.w * x)


def method(x):
    model = Model(x[0])
    for _ in range(3):
        x = model.step(x)
    return np.sum(x) + sum(model.seen)


def row(found, text):
    matching = [r for r in found.rows if r.text == text]
    assert len(matching) == 1, str(found)
    return matching[0]


def by_time(found):
    return max(found.rows, key=lambda r: r.seconds).text


def test_the_line_that_is_slow_forward():
    found = tangent.profile(tangent.grad(slow_forward), np.ones(3))
    assert by_time(found) == 'time.sleep(0.02)'
    slow = row(found, 'time.sleep(0.02)')
    assert 0.02 <= slow.forward_seconds < 0.1 and slow.backward_seconds == 0 and slow.forward_runs == 1
    assert found.seconds >= sum(r.seconds for r in found.rows)
    assert 'most of the time: test_profile.py:13, ' in str(found) and 'mostly forward: time.sleep(0.02)' in str(found)


def test_the_line_that_is_slow_backward():
    found = tangent.profile(tangent.grad(slow_backward), np.ones(3))
    slow = row(found, 'time.sleep(0.02)')
    assert by_time(found) == slow.text and slow.backward_seconds >= 0.04 and slow.forward_seconds == 0
    assert 'mostly backward' in str(found)


def test_memory_by_lines_in_the_log_form():
    n = 300
    found = tangent.profile(tangent.grad(method), np.linspace(0.1, 0.9, n))
    big = row(found, 'self.seen.append(np.sum(np.outer(x, x)))')
    assert 3 * 8 * n * n <= big.forward_bytes < 7 * 8 * n * n
    assert big.forward_bytes == max(r.forward_bytes for r in found.rows)
    assert row(found, 'return np.cos(self.w * x)').forward_runs == 3


def test_forward_mode_has_no_backward_pass():
    found = tangent.profile(tangent.jvp(slow_forward), np.ones(3), np.ones(3))
    assert by_time(found) == 'time.sleep(0.02)' and not any(r.backward_runs for r in found.rows)


def test_texts_made_on_the_way_are_not_counted():
    def f(x, w):
        for _ in range(3):
            x = np.tanh(x * w)
        return np.sum(x)
    assert tangent.profile(tangent.grad(f), np.ones(5), np.ones(5)).seconds < 0.01


def test_what_numba_compiles_is_run_by_python():
    numba = pytest.importorskip('numba')

    @numba.njit
    def f(x):
        for k in range(3):
            x = np.sin(x) / (k + 1)
        return x.sum()
    df = tangent.grad(f)
    found = tangent.profile(df, np.ones(2000))
    assert found.compiled and row(found, 'x = np.sin(x) / (k + 1)').backward_runs == 3
    assert '__call__' not in vars(type(df).__mro__[1]) and 'line by line' in str(found)
    assert np.array_equal(df(np.ones(3)), df.py_func(np.ones(3)))


def test_what_runs_no_derivative_is_refused():
    with pytest.raises(errors.ArgumentTypeError, match=r'tangent.profile\(tangent.grad\(wait\), x\)'):
        tangent.profile(wait, 1.0)
    with pytest.raises(errors.ArgumentTypeError, match='was given a float'):
        tangent.profile(3.0)


def test_code_without_text_has_no_rows():
    """That of named tuples, ours among them: it counts where it is called."""
    Pair = collections.namedtuple('Pair', 'a b')

    def f(x):
        pair = Pair(np.sin(x), x * 2)
        return np.sum(pair.a * pair.b)
    for derivative in (tangent.grad(f), tangent.grad(lambda x: f(x)), tangent.hessian(f)):
        rows = tangent.profile(derivative, np.ones(3)).rows
        assert rows and all(r.text for r in rows) and {r.file for r in rows} == {__file__}


def test_it_is_shown_as_its_table():
    found = tangent.profile(tangent.grad(slow_forward), np.ones(3))
    assert repr(found) == str(found)


def test_nothing_is_left_behind():
    import sys
    before = sys.gettrace()
    df = tangent.grad(slow_forward)
    with pytest.raises(TypeError):
        tangent.profile(df)
    assert sys.gettrace() is before
