"""Functions that are known only when they are called, and put a value with a tangent where a caller of theirs reads it."""
import numpy as np
import pytest

import tangent

X = np.array([0.7, 1.3, 0.4])
SCALE = 1.0
BUFFER = np.zeros(3)
SEEN, KEPT = [], []


def scaled(t):
    global SCALE
    SCALE = SCALE * t
    return t


def filled(t):
    BUFFER[0] = t * 2
    return t


def noted(t):
    SEEN.append(t)
    return t


def applied(f, t):
    return f(t)


BY_NAME = {'scaled': scaled, 'filled': filled, 'noted': noted}


def global_by_argument(x):
    global SCALE
    SCALE = x[0]
    return applied(scaled, x[1]) * SCALE


def global_by_name(x):
    global SCALE
    SCALE = x[0]
    return BY_NAME['scaled'](x[1]) * SCALE


def array_by_argument(x):
    BUFFER[:] = x
    return applied(filled, x[1]) * BUFFER[0]


def array_by_name(x):
    BUFFER[:] = x
    return BY_NAME['filled'](x[1]) * BUFFER[0]


@pytest.mark.parametrize('f', [global_by_argument, global_by_name, array_by_argument, array_by_name])
def test_refused(f):
    with pytest.raises(tangent.TangentError, match=r'test_unknown_writers.py:\d+: values with a derivative that are kept'):
        tangent.jvp(f)(X, np.ones(3))


def last():
    return KEPT[-1]


def kept(t):
    KEPT.append(t * 2.0)
    return t


def read_by_another(x):
    {'kept': kept}['kept'](x[0])
    return last() * x[1]


def test_what_another_function_reads():
    with pytest.raises(tangent.TangentError, match=r'test_unknown_writers.py:\d+: values with a derivative that are kept'):
        tangent.jvp(read_by_another)(X, np.ones(3))


def only_written(x):
    return BY_NAME['noted'](x[0]) * applied(noted, x[1])


def test_what_nobody_reads():
    assert tangent.jvp(only_written)(X, np.ones(3)) == pytest.approx(X[0] + X[1])
