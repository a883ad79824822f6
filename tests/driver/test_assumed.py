"""What the text without arguments assumes of them, and that nothing relies on it."""
import dataclasses
import inspect
import math
from typing import NamedTuple

import numpy as np
import pytest

import tangent
from benchmarks.readability.report import programs
from tangent.analysis.kinds.assumptions import assumed
from tangent.analysis.kinds.values import Array, Less, Number, described
from tests.driver.test_kinds import KINDS, outcome, product, same


@dataclasses.dataclass
class Layer:
    w: np.ndarray
    b: np.ndarray

    def apply(self, x):
        return np.tanh(x @ self.w + self.b)


class State(NamedTuple):
    x: float
    v: float


TIMES = np.linspace(0.0, 1.0, 7)


def regression(w, b, x, y):
    return np.mean((x @ w + b - y) ** 2)


def annotated(layer: Layer, x: np.ndarray, y):
    return np.sum((layer.apply(x) - y) ** 2)


def helped(x, n=3):
    for _ in range(n):
        x = shifted(x)
    return x


def shifted(x, by=0.5):
    return math.sin(x) + by


def state(s, h):
    for _ in range(3):
        s = State(s.x + h * s.v, s.v - h * s.x)
    return s.x * s.v


def table(p, x):
    return np.sum(p['scale'] * x ** 2) + p['shift']


def unpacked(v):
    x, y = v
    return (1 - x) ** 2 + 100 * (y - x ** 2) ** 2


def captured(a):
    return np.sum(np.exp(-TIMES * a))


def branches(x, low):
    if x < low:
        return 0.0
    return x * low


def pairs(layers, x):
    for w, b in layers:
        x = np.tanh(x @ w + b)
    return np.sum(x)


def matrix(a):
    for i in range(len(a)):
        a[i, i] += 1.0
    return np.log(np.linalg.det(a))


def listed(x, n):
    ys = [x * k for k in range(n)]
    return sum(ys)


def scaled(d, x):
    e = {k: v * x for k, v in d.items()}
    return e['a']


EXPECTED = {
    regression: 'w: array (n0,), b: float, x: array (n1, n0), y: array (n1,)',
    annotated: 'layer: Layer of (w: array (n0, n1), b: array (n1,)), x: array (n2, n0), y: array (n2, n1)',
    helped: 'x: float, n: int',
    state: 's: State of (x: float, v: float), h: float',
    table: 'p: dict of (scale: float, shift: float), x: array (n0,)',
    unpacked: 'v: array (2,)',
    captured: 'a: float, TIMES: array (n0,)',
    branches: 'x: float, low: float',
    pairs: 'layers: list of (tuple of (array (n0, n0), array (n0,)), tuple of (array (n0, n0), array (n0,))), x: array (n1, n0)',
    matrix: 'a: array (n0, n0)',
    listed: 'x: float, n: int',
    scaled: 'x: float',
}


@pytest.mark.parametrize('f', EXPECTED, ids=lambda f: f.__name__)
def test_what_is_assumed(f):
    outside = {'TIMES': TIMES} if f is captured else {}
    found = assumed(f, outside)
    assert ', '.join(f'{name}: {described(kind)}' for name, kind in found.items()) == EXPECTED[f]


@pytest.mark.parametrize('f', [
    lambda x: x, lambda o: o.run(), lambda *xs: xs[0], lambda x: np.array([x, x]), lambda f, x: f(x), lambda s: s.upper(),
    lambda x: {'a': x}, lambda x, y: [x, y], lambda x: x[x > 0].sum(), lambda a: a[..., 0].sum(), lambda x: (lambda y: y * x)(2.0)])
def test_nothing_is_raised_whatever_there_is_to_read(f):
    assert all(kind is not None for kind in assumed(f, {}).values())
    assert isinstance(tangent.source(tangent.grad(f)), str)


def test_the_text_for_what_is_assumed_and_the_text_for_any():
    df = tangent.grad(regression, wrt=('w', 'b'))
    shown = tangent.source(df)
    assert 'w : array (n0,)' in shown
    assert not any(word in shown for word in ('unbroadcast', 'astype', 'check_', 'init_grad', 'matmul'))
    assert 'made for' not in df.source and 'made for' not in inspect.getsource(df) and 'made for' not in tangent.export_source(df)
    assert tangent.source(tangent.vjp(regression)) == tangent.vjp(regression).source


def test_the_same_text_whoever_asks_and_whenever():
    first = tangent.source(tangent.grad(product))
    df = tangent.grad(product)
    for args in KINDS.values():
        outcome(df, args)
    assert tangent.source(df) == tangent.source(tangent.grad(product)) == first


@pytest.mark.parametrize('kind', KINDS)
def test_what_was_assumed_is_not_relied_on(kind):
    shown, fresh = tangent.grad(product), tangent.grad(product)
    tangent.source(shown)
    for _ in range(3):
        assert same(outcome(shown, KINDS[kind]), outcome(fresh, KINDS[kind]))


def sample(kind, rng, lengths):
    """A value of a kind."""
    if isinstance(kind, Number):
        return 3 if kind.dtype == 'int64' else float(rng.uniform(0.3, 0.9))
    if isinstance(kind, Array):
        shape = [length(axis, lengths) for axis in kind.axes]
        return rng.integers(0, 3, shape) if kind.dtype == 'int64' else rng.uniform(0.3, 0.9, shape)
    parts = [sample(part, rng, lengths) for part in kind.kinds]
    if kind.form in (list, tuple):
        return kind.form(parts)
    return dict(zip(kind.keys, parts)) if kind.form is dict else kind.form(*parts)


def length(axis, lengths):
    if isinstance(axis, Less):
        return length(axis.axis, lengths) - axis.fewer
    return axis if isinstance(axis, int) else lengths


OURS = {f.__name__: (f, (0,)) for f in EXPECTED} | {p.name: (p.function, p.wrt) for p in programs().values()}


@pytest.mark.parametrize('name', OURS)
def test_the_text_for_what_is_assumed_is_right_for_that(name):
    """It gives what the text for any gives, for arguments as they are assumed to be."""
    f, wrt = OURS[name]
    df = tangent.grad(f, wrt=wrt)
    made = df.texts.assuming()
    if made is None:
        return
    kinds = next(dict(key[1]) for key, options in df.variants.known.items() if key[1])
    args = lambda rng: [sample(kinds[p], rng, 6) for p, _ in df.texts.parameters]  # noqa: E731
    try:
        f(*args(np.random.default_rng(1))[:f.__code__.co_argcount])
    except ValueError:                                 # lengths that are said to be unlike are alike here
        return
    for found, expected in zip(*(flat(each(*args(np.random.default_rng(1)))) for each in (made, df.plain)), strict=True):
        assert found.shape == expected.shape and found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def flat(value):
    if isinstance(value, (tuple, list)):
        return [part for each in value for part in flat(each)]
    if isinstance(value, dict) or hasattr(value, '__dict__'):
        return flat(list((value if isinstance(value, dict) else vars(value)).values()))
    return [np.asarray(value)]
