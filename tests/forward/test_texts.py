"""Texts that a program reads numbers from, kept beside what has a derivative."""
import datetime

import pytest

import tangent
from tests.tools.checking import assert_close

LINES = '1 00.5', '2 00.7'
WHOLE = '\n'.join(LINES)


class Orbit:
    pass


def read(first, second, orbit=None):
    if orbit is None:
        orbit = Orbit()
    line = first.rstrip()
    orbit.name = line[2:]
    orbit.a = float(line[2:6])
    line = second.rstrip()
    if orbit.name == line:
        raise ValueError
    orbit.b = float(line[2:])
    return orbit


def moved(orbit, t):
    orbit.t = t
    orbit.at = orbit.a * t + orbit.b * t * t
    return orbit.at


def of_global(t):
    return moved(read(LINES[0], LINES[1]), t)


def of_parts(t, lines):
    return moved(read(lines[0], lines[1]), t)


def of_split(t, text):
    first, second = text.splitlines()
    return moved(read(first, second), t)


def of_rows(t, rows):
    total = 0.0
    for first, second in rows:
        total += moved(read(first, second), t)
    return total


@pytest.mark.parametrize('f, given', [(of_global, ()), (of_parts, (LINES,)), (of_split, (WHOLE,)), (of_rows, ([LINES],))])
@pytest.mark.parametrize('derivative', [
    tangent.grad, lambda f: tangent.grad(f, optimized=False), lambda f: lambda t, *given: tangent.jvp(f)(t, *given, 1.0)])
def test_numbers_read_from_texts(f, given, derivative):
    df = derivative(f)
    for _ in range(4):
        assert_close(df(2.0, *given), 0.5 + 0.7 * 4)


def test_texts_at_second_order():
    assert_close(tangent.hvp(of_global)(2.0, 1.0), 1.4)


def dated(t, orbit):
    orbit.rate = 2.0 * t
    days = t * 10
    orbit.epoch = datetime.datetime(2000, 1, int(days))
    return orbit.rate * orbit.epoch.day


def test_a_date_counts_days():
    for _ in range(4):
        assert_close(tangent.grad(dated)(1.25, Orbit()), 24.0)
        assert_close(tangent.jvp(dated)(1.25, Orbit(), 1.0), 24.0)
