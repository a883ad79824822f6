"""Powers of floats: texts for known kinds take them for floats, ask whether they are, and leave what is complex to the text for
all."""
import math
import re

import numpy as np
import pytest

import tangent

CALLS = []


def root(x):
    return 3.0 * x ** 0.5


def power(x, p):
    return 3.0 * x ** p + x * p


def inner(x, p):
    return 2.0 * x ** p


def outer(x, p):
    return inner(x, p) * inner(p, x) + (x / p) ** 0.5


def magnitude(x, p):
    return (x ** p) * (x ** -p) + abs(x) ** p


def real_of_passive(x, c):
    return x * inner(c, 0.5) * inner(c, 0.5)


def squares_of_roots(x, c):
    root_of_c = c ** 0.5
    return x * (root_of_c * root_of_c)


def on_either_side(x, p):
    if x > 0.0:
        return x ** p
    return -(-x) ** p


def of_numpy(v):
    return 0.3 ** v[0] + v[1] ** 2.5 + 2.0 ** (v[0] * v[1])


def root_of_a_sum(x, n):
    total = 0.0
    for k in range(n):
        total = total + (x + k) ** 1.5
    return total ** 0.5


def both(a, b):
    return a ** b, b ** a


def of_a_tuple(a, b):
    p, q = both(a, b)
    return (p * q) ** 0.25


def told(x, p):
    CALLS.append(x)
    return x ** p


def noisy(x, p):
    print(x)
    return 2.0 * x ** p


def caught(x, p):
    try:
        y = math.sqrt(inner(x, p))
    except (TypeError, ValueError):
        y = x * p
    return y


def shadowed(x, p, float=3.0):
    return float * x ** p


POINTS = [(2.0, 0.3), (-2.0, 0.3), (-2.0, 3.0), (0.0, 0.3), (0.0, 1.5), (0.0, 0.0), (2.0, -1.5), (0.0, -0.5), (1e300, 2.5)]


def said(call):
    try:
        return [*np.ravel(call())]
    except (ArithmeticError, TypeError, ValueError, tangent.errors.TangentError) as error:
        return type(error).__name__, re.sub(r'^\S+:\d+: ', '', str(error).splitlines()[0])


@pytest.mark.filterwarnings('ignore:.*encountered in')
@pytest.mark.parametrize('f, args', [(f, args) for f in (power, outer, magnitude, real_of_passive, squares_of_roots, on_either_side, of_a_tuple,
                                                         told, caught, shadowed) for args in POINTS]
                         + [(root, (x,)) for x in (4.0, 0.0, -1.0, np.inf)] + [(of_numpy, (np.array(v),)) for v in POINTS]
                         + [(root_of_a_sum, (x, n)) for x in (2.0, -0.5) for n in (0, 1, 3)])
def test_every_call_gives_what_the_text_for_all_gives(f, args):
    wrt = tuple(range(1 if f is root_of_a_sum else len(args)))
    df, good = tangent.grad(f, wrt=wrt), (2.0,) * len(args) if f is not of_numpy else (np.array([2.0, 3.0]),)
    good = (2.0, 3) if f is root_of_a_sum else good
    wanted = said(lambda: df.plain(*args))
    for k in range(4):
        df(*good)
        given = said(lambda: df(*args))
        assert given == wanted or np.allclose(given, wanted, rtol=1e-14, atol=0, equal_nan=True), k


@pytest.mark.parametrize('f, args, text', [
    (root, (4.0,), '1.5 * b * float(x ** -0.5)'), (power, (2.0, 0.3), 'float(x ** p)'),
    (inner, (2.0, 0.3), 'float(x ** (p - 1))')])
def test_there_is_nothing_left_to_find_out(f, args, text):
    df = tangent.grad(f, wrt=tuple(range(len(args))))
    source = tangent.source(df, *args)
    assert 'unbroadcast' not in source and 'check_dims' not in source and 'np.power' not in source
    assert 'float(' in source and text.split('float')[1].replace(' ', '') in source.replace(' ', '')


@pytest.mark.parametrize('f', [told, noisy, shadowed])
def test_what_others_see_is_not_run_twice(f, capsys):
    df = tangent.grad(f)
    assert 'float(' not in tangent.source(df, 2.0, 0.5)
    CALLS.clear()
    for _ in range(4):
        df(2.0, 0.5)
        said(lambda: df(-2.0, 0.5))
    assert f is not told or CALLS == [2.0, -2.0] * 4
    assert f is not noisy or capsys.readouterr().out.split() == ['2.0', '-2.0'] * 4


def test_a_passive_power_that_is_complex_is_complex():
    df = tangent.grad(squares_of_roots)
    for c in (2.0, 2.0, 2.0, -2.0, 2.0, -2.0):
        assert said(lambda: df(3.0, c)) == said(lambda: df.plain(3.0, c))          # noqa: B023


def test_text_to_be_exported_asks_nothing():
    df = tangent.grad(root)
    assert 'float(' in tangent.source(df, 4.0) and 'float(' not in tangent.export_source(df, 4.0)
