"""Adjoints that take the arguments of the callee: of a few operations of numbers, and those that need nothing else."""
import dataclasses
import math
from typing import NamedTuple

import numpy as np
import pytest

import tangent
from tangent.driver import variants


def square(x, k=2.0, *, c=1.0):
    """With defaults."""
    return k * x * x + c * x


def piece(x, low=0.5):
    if x > low:
        return x * x
    return 3.0 * x


def bounded(x):
    return max(0.0, min(x, 2.0))


def turned(x, y):
    return x * math.cos(y), x * math.sin(y)


class Point(NamedTuple):
    x: float
    y: float


def moved(p, d):
    return Point(p.x + d, p.y * d)


@dataclasses.dataclass
class Box:
    a: float
    b: float

    def area(self):
        return self.a * self.b

    def scaled(self, k=3.0):
        return self.area() * k


class Double(Box):
    def area(self):
        return 2.0 * self.a * self.b


def defaults(a, b):
    return square(a) * square(b, 3.0) + square(a, c=2.0) + square(x=b, k=a)


def loop(a, b):
    total = 0.0
    for i in range(4):
        total = total + piece(a * i) * b
        a = a * 0.9
    return total


def extremes(a, b):
    return bounded(a * b) * a + bounded(a) * b


def tuples(a, b):
    p, q = turned(a, b)
    return p * q + turned(q, a)[0]


def records(a, b):
    p = Point(a, b)
    for _ in range(3):
        p = moved(p, 0.3)
    return p.x ** 2 + p.y ** 2


def bound_anew(a, b):
    first = a
    a = square(a)
    a = square(a) * first
    b = square(b) + a
    return a * b


def captured(a, b):
    def inner(x, s=2.0):
        return x * s + a
    return inner(a) * inner(b, 0.5) + (lambda z: z * a)(b)


def until(a, b):
    x = a
    while x < 10.0:
        x = square(x) + b
    return x


def nested(a, b):
    return square(square(square(a))) * piece(square(b))


def branches(a, b):
    y = 0.0
    for i in range(3):
        if i % 2:
            y = y + square(a)
        else:
            y = y * piece(b) + a
    return y


PROGRAMS = [defaults, loop, extremes, tuples, records, bound_anew, captured, until, nested, branches]


def differences(f, args, h=1e-6):
    moved = lambda k, by: f(*[a + by if i == k else a for i, a in enumerate(args)])  # noqa: E731
    return [(moved(k, h) - moved(k, -h)) / (2 * h) for k in range(len(args))]


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f):
    df = tangent.grad(f, wrt=(0, 1))
    for args in ((1.3, 0.7), (np.float64(1.3), 0.7), (2, 0.7)):
        expected = differences(f, [float(a) for a in args])
        assert df(*args) == pytest.approx(expected, rel=1e-6)
        assert variants.specialised(df, args)(*args) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize('f', [defaults, loop, extremes, bound_anew, until, nested, branches], ids=lambda f: f.__name__)
def test_nothing_is_handed_over(f):
    text = tangent.source(tangent.grad(f, wrt=(0, 1)), 1.3, 0.7)
    assert '_adjoint(' in text and '_primal' not in text and 'saved' not in text


def of_object(box, x):
    def half(y):
        return y / 2
    return box.scaled() * half(x) + box.scaled(x)


def of_point(p, x):
    q = moved(p, x)
    return q.x * q.y * x


@pytest.mark.parametrize('f, kind', [(of_object, Box), (of_object, Double), (of_point, Point)])
def test_gradients_of_objects(f, kind):
    df = tangent.grad(f, wrt=(0, 1))
    expected = differences(lambda a, b, x: f(kind(a, b), x), (1.3, 0.7, 0.4))
    for _ in range(3):
        g, gx = df(kind(1.3, 0.7), 0.4)
        assert [*(g if kind is Point else (g.a, g.b)), gx] == pytest.approx(expected, rel=1e-6)
    text = tangent.source(df, kind(1.3, 0.7), 0.4)
    assert '_primal' not in text and 'unbroadcast' not in text and 'check_called' not in text


def test_each_class_has_its_own_methods():
    df = tangent.grad(of_object, wrt=1)
    slope = {kind: differences(lambda x, k=kind: of_object(k(1.3, 0.7), x), (0.4,))[0] for kind in (Box, Double)}
    for kind in (Box, Box, Double, Double, Box, Double):
        assert df(kind(1.3, 0.7), 0.4) == pytest.approx(slope[kind], rel=1e-6)


def changed_after(box, x):
    y = box.scaled(x)
    box.a = 5.0
    return y * box.scaled(x)


def changed_by_callee(box, x):
    y = box.scaled(x)
    grow(box)
    return y * box.scaled(x)


def grow(box):
    box.a = box.a + 4.0


def written_after(box, x):
    d = [x, box.a]
    y = product(d)
    d[0] = x * x
    return y * product(d)


def product(d):
    return d[0] * d[1] * d[1]


@pytest.mark.parametrize('f', [changed_after, changed_by_callee, written_after], ids=lambda f: f.__name__)
def test_what_is_changed_after_the_call_is_not_read_again(f):
    df = tangent.grad(f, wrt=1)
    expected = differences(lambda x: f(Box(1.3, 0.7), x), (0.4,))[0]
    for _ in range(3):
        assert df(Box(1.3, 0.7), 0.4) == pytest.approx(expected, rel=1e-6)


def test_a_callee_that_is_bound_anew(monkeypatch):
    df = tangent.grad(nested, wrt=(0, 1))
    assert [df(1.3, 0.7) for _ in range(3)][-1] == pytest.approx(differences(nested, (1.3, 0.7)), rel=1e-6)
    monkeypatch.setitem(globals(), 'square', lambda x: math.sin(x))
    assert [df(1.3, 0.7) for _ in range(3)][-1] == pytest.approx(differences(nested, (1.3, 0.7)), rel=1e-6)


def test_a_text_that_calls_the_function_itself_stands_alone_in_a_file(tmp_path):
    df = tangent.grad(nested, wrt=(0, 1))
    path = tmp_path / 'derivative.py'
    path.write_text(tangent.export_source(df, 1.3, 0.7))
    namespace: dict = {}
    exec(compile(path.read_text(), str(path), 'exec'), namespace)
    assert namespace[tangent.grad(nested, wrt=(0, 1)).__name__](1.3, 0.7) == df(1.3, 0.7)


def test_second_derivatives():
    first = tangent.grad(nested)
    second = tangent.grad(first)
    h = 1e-6
    for _ in range(3):
        assert second(1.3, 0.7) == pytest.approx((first(1.3 + h, 0.7) - first(1.3 - h, 0.7)) / (2 * h), rel=1e-6)


# Arrays: what is read again is the arguments and the result

def dense(w, x):
    return w @ x


def cell(w, h):
    return np.tanh(w @ h)


def squares(x, k=2.0):
    return x * x * k


def itself(x):
    return x


def product_of(x, y):
    return x * y


def fit(p, x):
    return p[0] * x - p[1]


def written_between(w, x):
    y = dense(w, x)
    x[0] = y[0] * 2.0
    return np.sum(dense(w, x) * y)


def kept_state(w, x):
    h = x.copy()
    for _ in range(3):
        g = cell(w, h)
        h[:] = g * 0.5
        h[1] += x[0]
    return np.sum(h * g)


def states(w, x):
    h = x
    for _ in range(3):
        h = cell(w, h)
    return np.sum(h * x)


def result_updated(w, x):
    y = cell(w, x)
    z = y
    z *= 2.0
    return np.sum(z * y)


def part_written(w, x):
    v = x[1:]
    y = squares(v)
    v[0] = 3.0 * x[0]
    return np.sum(y) * x[1] + np.sum(squares(x))


def same_array(w, x):
    a = itself(x)
    b = product_of(a, x)
    a = a * b
    return np.sum(a * b) + np.sum(product_of(b, b))


def closure_over_written(w, x):
    def inner(z):
        return w @ z
    y = inner(x)
    w[0, 0] = y[1]
    return np.sum(inner(y))


def in_a_list(w, x):
    hs = [x]
    for _ in range(3):
        hs.append(cell(w, hs[-1]))
    hs[1] = hs[1] * 2.0
    return np.sum(product_of(hs[1], hs[3]))


def sorted_after(w, x):
    y = cell(w, x)
    x.sort()
    return np.sum(y * squares(x))


def elements(w, x):
    y = fit(x, x[2])
    x[0] = y
    return y * fit(x, x[1])


ARRAYS = [written_between, kept_state, states, result_updated, part_written, same_array, closure_over_written, in_a_list,
          sorted_after, elements]
W, X = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4], [-0.6, 0.9, 0.7]]), np.array([0.4, -1.2, 0.9])


@pytest.mark.parametrize('f', ARRAYS, ids=lambda f: f.__name__)
def test_gradients_of_arrays(f):
    h, at = 1e-6, np.concatenate((W.ravel(), X))
    value = lambda v: f(v[:9].reshape(3, 3).copy(), v[9:].copy())  # noqa: E731
    expected = [(value(at + h * e) - value(at - h * e)) / (2 * h) for e in np.eye(12)]
    df = tangent.grad(f, wrt=(0, 1))
    for derivative in (df, df, df, variants.specialised(df, (W.copy(), X.copy()))):
        bw, bx = derivative(W.copy(), X.copy())
        assert np.concatenate((np.ravel(bw), bx)) == pytest.approx(expected, rel=1e-6, abs=1e-8)


def test_what_is_not_handed_over_has_the_lengths_of_what_is():
    """That a gradient needs no fitting is known, also where the adjoint does not take what it is the gradient of."""
    text = tangent.source(tangent.grad(states, wrt=(0, 1)), W, X)
    assert 'cell_adjoint(' in text and '_primal' not in text and 'astype' not in text and 'add_grad' not in text
