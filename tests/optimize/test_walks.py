"""Texts for known kinds go over their tapes, ask again what the user asked, and use names of parts again."""
import math

import numpy as np
import pytest

import tangent
from tangent.analysis.dataflow import cfg, effects
from tangent.driver import variants
from tests.driver.test_kinds import by_differences
from tests.tools.texts import define


def steps(x, n):
    for _ in range(n):
        x = x - 0.1 * math.sin(x)
    return x


def until(x, low):
    y = 1.0
    while abs(y * y - x) > 1e-9:
        y = 0.5 * (y + x / y) + low - low
    return y


def left(x, low):
    y = x
    for _ in range(9):
        y = y * x + low
        if y > 20.0:
            break
    return y


def skipped(x, low):
    y = x
    for k in range(6):
        if k % 2:
            continue
        y = y * x + low
    return y


def nested(x, low):
    y = x
    for i in range(3):
        for _ in range(i):
            y = math.sin(y) * x
        y = y * y + low
    return y


def indexed(x, low):
    y = x
    for i in range(4):
        y = y * y + low * i * math.sin(y)
    return y


def after(x, low):
    """The variable of the loop and what the tape keeps are read behind it."""
    y = x
    for k in range(4):  # noqa: B007
        t = y * y
        y = math.sin(t) + low
    return y * t + k


def never(x, n):
    y = x
    for _ in range(n - n):
        y = y * y * math.exp(y)
    return y


def two(x, low):
    y, z = x, low
    for _ in range(3):
        y = y * y * z
        z = z * math.sin(y)
    for _ in range(2):
        z = z * z * math.sin(z)
    return y + z


def branches(x, low):
    r = x * low / 3.0
    if r < 1.0:
        c = 24.0 / r
    elif r < 1000.0:
        c = 24.0 / r * (1.0 + 0.15 * r * r)
    else:
        c = 0.44
    return c * x ** 2 * low


def bound_later(x, low):
    r = x * low
    if r < 1.0:
        y = r * x
    else:
        y = r * r
    r = y * 2.0
    if r < 1.0:
        y = y * r
    return y * r


def called(x, low):
    return steps(x, 3) * steps(low, 2)


PROGRAMS = steps, until, left, skipped, nested, indexed, after, never, two, branches, bound_later, called
POINTS = (0.7, 2), (1.6, 1), (3.1, 2)


@pytest.mark.parametrize('args', POINTS)
@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(f, args):
    args = args if f in (steps, never) else (args[0], float(args[1]) + 0.3)
    wrt = (0,) if f in (steps, never) else (0, 1)
    df = tangent.grad(f, wrt=wrt)
    found = variants.specialised(df, args)(*args)
    assert found == pytest.approx(df.plain(*args), rel=1e-13)
    assert np.atleast_1d(found) == pytest.approx(by_differences(f, args, wrt), rel=1e-4, abs=1e-5)


@pytest.mark.parametrize('f, said, not_said', [
    (steps, ['for x in reversed(_stack):'], ['.pop()']), (until, ['in reversed(_stack):'], ['while _stack']),
    (nested, ['_stack.pop()'], []), (branches, ['elif r < 1000.0:'], ['if c2', 'c = r'])])
def test_texts(f, said, not_said):
    text = tangent.source(tangent.grad(f))
    assert all(part in text for part in said) and not any(part in text for part in not_said), text
    if f is branches:
        assert text.count('if r < 1.0:') == 3          # in both passes, and in the comment over the second one


def test_a_tape_stays_as_it_is_when_the_derivative_is_called_again():
    df = tangent.grad(steps)
    assert len({df(0.7, 5) for _ in range(5)}) == 1


@pytest.mark.parametrize('seed', range(12))
def test_names_that_are_used_again_hold_what_they_should(seed):
    """Sums of products of shared parts, in any order: what is given one name is never needed twice at a time."""
    rng = np.random.default_rng(seed)
    lines, names = [], ['x', 'low']
    for k in range(8):
        a, b, c = rng.choice(names, 3)
        lines.append(f'    v{k} = {rng.choice(["math.sin", "math.cos", "math.exp"])}({a} * {b} - {c} * 0.3) / (1.5 + {b} ** 2)')
        names.append(f'v{k}')
    text = 'def f(x, low):\n' + '\n'.join(lines) + f'\n    return {" + ".join(f"{n} * {rng.choice(names)}" for n in names[2:])}\n'
    space = define('import math\n' + text)
    df = tangent.grad(space.f, wrt=(0, 1))
    best = variants.specialised(df, (0.4, 0.8))
    assert best(0.4, 0.8) == pytest.approx(df.plain(0.4, 0.8), rel=1e-12)
    assert best(0.4, 0.8) == pytest.approx(by_differences(space.f, (0.4, 0.8), (0, 1)), rel=1e-5, abs=1e-6)


TAPED = '''
import numpy as np


def f(x, w, n, flag):
    y, total = np.zeros(len(x)), 0.0
    for k in range(n):
        y[k] = np.sin(y[k] * w) + w * x[k]
        if flag and k > 1:
            w = w * 2.0
        else:
            y[1] = y[1] * w + y[0]
        total += y[k] * w
    pair = [w, 2.0 * w]
    return np.sum(y * pair[0]) + total + pair[1]


def g(x, w, n, flag):
    h, out = x, 0.0
    while n > 0:
        h = np.tanh(h @ w + np.maximum(h, 0.0))
        out += np.sum(np.where(h > 0.0, h * h, -h))
        n = n - 1
    return out * (1.0 if flag else 2.0)
'''


@pytest.mark.parametrize('name', 'fg')
@pytest.mark.parametrize('mode', [tangent.grad, lambda f, wrt: tangent.autodiff(f, wrt, motion='split'), tangent.jvp])
def test_what_is_remembered_of_statements_is_what_is_found_afresh(mode, name, monkeypatch):
    found = []

    def compared(func, memo=None, make=effects.Effects):
        known, fresh = make(func, memo), make(func)
        for what in ('alias', 'mutated', 'given', 'count', 'uses', 'captured'):
            assert getattr(known, what) == getattr(fresh, what)
        for s in cfg.statements(func):
            assert known.impure(s) == fresh.impure(s) and known.changes(s) == fresh.changes(s)
        found.append(memo is not None and known.memo is memo)
        return known
    monkeypatch.setattr(effects, 'Effects', compared)
    assert mode(getattr(define(TAPED), name), (0, 1)) and any(found)
