"""Parameters in lists and tuples of arrays, of widths that differ: each array has its own gradient, in the form of the list."""
# ruff: noqa: B007
import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

X = np.cos(np.arange(15.0)).reshape(5, 3)


def layers(widths, outer=list, inner=tuple):
    sizes = zip(widths[:-1], widths[1:])
    return outer(inner((np.sin(np.arange(a * b) + a).reshape(a, b), np.cos(np.arange(b) + 0.5))) for a, b in sizes)


def p1(params, x):
    h = x
    for w, b in params[:-1]:
        h = np.tanh(h @ w + b)
    w, b = params[-1]
    return np.mean((h @ w + b) ** 2)


def p2(params, x):
    h = x
    for w, b in params:
        h = np.tanh(h @ w + b)
    w, b = params[0]
    return np.sum(h) + np.sum(w * w)


def p3(params, x):
    h = x
    for w, b in params[:-1]:
        h = np.tanh(h @ w + b)
    for w, b in params[1:]:
        h = h + np.sum(w) * np.sum(b)
    return np.sum(h ** 2)


def p4(params, x):
    first, last = params[0], params[-1]
    h = np.tanh(x @ first[0] + first[1])
    return np.sum(h) * np.sum(last[0]) + np.sum(last[1])


def p5(params, x):
    a, *rest = params
    h = x @ a[0] + a[1]
    for w, b in rest:
        h = np.tanh(h @ w) + b
    return np.sum(h)


def p6(params, x):
    h = x
    for k in range(len(params)):
        w, b = params[k]
        h = h @ w
        if k < len(params) - 1:
            h = np.tanh(h + b)
    return np.sum(h ** 2)


def p7(params, x):
    h = x
    for w, b in params[::-1][::-1]:
        h = np.tanh(h @ w + b)
    return np.sum(h)


def p8(params, x):
    h = x
    head = params[:1]
    tail = params[1:]
    for w, b in head + tail:
        h = np.tanh(h @ w + b)
    return np.sum(h) + np.sum(tail[0][1])


def p9(params, x):
    h = x
    head = params[:1]
    for w, b in head:
        h = np.tanh(h @ w + b)
    for w, b in head:
        h = h * 2 + b
    w, b = params[1]
    return np.sum(h @ w + b)


def p10(params, x):
    h = x
    mid = params[:-1]
    for w, b in mid:
        h = np.tanh(h @ w + b)
        if np.sum(h) > 100:
            break
    w, b = params[-1]
    return np.mean((h @ w + b) ** 2) + np.sum(mid[0][1])


def p11(params, x):
    s = 0.0
    for w, b in params[:-1]:
        s = s + np.sum(b)
    w, b = params[-1]
    return s


def p12(params, x):
    t = params[:-1]
    s = 0.0
    for w, b in t:
        for v, c in t:
            s = s + np.sum(w) * np.sum(c)
    u = params[-1]
    return s + np.sum(u[0]) * np.sum(u[0])


def p13(params, x):
    t = params[-2:]
    a, b = t
    return np.sum(a[0]) * np.sum(b[1]) + np.sum(params[0][0])


def p14(params, x):
    w, b = params[-1]
    v = w
    return np.sum(v * w) + np.sum(b) * np.sum(params[-1][1])


def p15(params, x):
    w, b = params[-1]
    return np.sum(x) * np.sum(w) + np.sum(w @ b)


def p16(params, x):
    s = 0.0
    for k in range(3):
        w, b = params[-1]
        s = s + np.sum(w) ** 2 * np.sum(b)
    return s


PROGRAMS = [f for name, f in sorted(globals().items()) if name[0] == 'p' and name[1:].isdigit()]


WIDTHS = [(3, 4, 2, 4), (3, 6, 8, 1), (3, 1, 1), (3, 3, 3, 3)]


@pytest.mark.parametrize('widths', WIDTHS, ids=str)
@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_right(f, widths, in_turn):
    """Each program meets lists and tuples in each other in every way, for the one widths or for the other."""
    for outer, inner in in_turn([(list, tuple), (list, list), (tuple, tuple)], PROGRAMS.index(f) + WIDTHS.index(widths)):
        params = layers(widths, outer, inner)
        try:
            wanted = differences(f, (params, X), (0,))[0]
        except ValueError:                              # widths that do not fit the program
            assert f in (p4, p9, p13, p15)
            continue
        gradient = tangent.grad(f)
        for _ in range(3):
            found = gradient(params, X)
            assert type(found) is outer and all(type(part) is inner for part in found)
            arrays = [a for part in found for a in part]
            for have, want in zip(arrays, [a for part in wanted for a in part]):
                np.testing.assert_allclose(have, want, atol=1e-6)
            assert not any(np.shares_memory(a, b) for k, a in enumerate(arrays) for b in arrays[:k])
