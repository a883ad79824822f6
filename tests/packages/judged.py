"""What becomes of a function of a package: value, reverse and forward mode and second order, each against differences."""
import dataclasses
import time
import warnings

import numpy as np

import tangent
from tests.random.random_programs import Hangs, limited

SECONDS = 20
MODES = 'reverse', 'forward', 'second'


@dataclasses.dataclass
class Judgement:
    """status : {mode: 'right', 'WRONG', 'raw', 'refused', 'slow', or '-' where there is nothing to compare with}; why : {mode: words}."""
    status: dict
    why: dict
    log: bool = False
    deriving: float = float('nan')
    ratio: float = float('nan')


class Unclear(Exception):
    """Differences of several steps disagree."""


def judge(case, timed=True):
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        value = float(case.function(case.make()))
        slopes, doubts = differences(case.function, case)
        found = Judgement({}, {})
        direction = np.random.RandomState(1).uniform(0.5, 1.5, np.shape(case.at)) * np.where(np.equal(case.at, 0), 1, np.abs(case.at))
        direction = direction if isinstance(case.at, np.ndarray) else float(direction)
        tried(found, 'reverse', lambda: reverse(case, value, slopes, doubts, found))
        tried(found, 'forward', lambda: forward(case, direction, slopes, doubts))
        if case.smooth and found.status['reverse'] == 'right':
            tried(found, 'second', lambda: second(case, direction))
        if timed and found.status['reverse'] == 'right':
            found.ratio = seconds(tangent.grad(case.function), case) / seconds(case.function, case)
    return found


def tried(found, mode, check):
    try:
        with limited(SECONDS):
            problem = check()
        found.status[mode], found.why[mode] = ('WRONG', problem) if problem else ('right', '')
    except Unclear as error:
        found.status[mode], found.why[mode] = '-', str(error)
    except tangent.errors.TangentError as error:
        found.status[mode], found.why[mode] = 'refused', f'{type(error).__name__}: {error}'
    except Hangs as error:
        found.status[mode], found.why[mode] = 'slow', str(error)
    except Exception as error:
        found.status[mode], found.why[mode] = 'raw', f'{type(error).__name__}: {error}'


def reverse(case, value, slopes, doubts, found):
    start = time.process_time()
    derivative = tangent.grad(case.function)
    gradient = derivative(case.make())
    found.deriving = time.process_time() - start
    later = [derivative(case.make()) for _ in range(3)]                            # by texts that are made for such arguments
    found.log = '_grads' in tangent.source(derivative, case.make())
    again, same = tangent.value_and_grad(case.function)(case.make())
    if abs(float(again) - value) > 1e-12 * abs(value):
        return f'value {again!r} for {value!r}'
    if np.shape(gradient) != np.shape(case.at):
        return f'shape {np.shape(gradient)}'
    return next(filter(None, (unequal(each, slopes, doubts) for each in (gradient, *later, same))), '')


def forward(case, direction, slopes, doubts):
    return unequal(tangent.jvp(case.function)(case.make(), direction), np.sum(slopes * direction), np.sum(doubts * np.abs(direction)))


def second(case, direction):
    df = tangent.grad(case.function)
    along, doubts = slope_and_doubt(lambda h: df(case.make() + h * direction), case.step)
    if not np.all(np.isfinite(along)):
        raise Unclear('no second derivative')
    return unequal(tangent.hvp(case.function)(case.make(), direction), along, doubts)


def unequal(actual, wanted, doubts):
    """Nothing where they agree as far as the differences can tell, else both in words."""
    close = np.abs(actual - wanted) <= 1e-6 * np.abs(wanted) + 10 * doubts + 1e-9 * np.max(np.abs(wanted), initial=0)
    return '' if np.all(close) else f'{actual!r} for {wanted!r}'


def differences(f, case):
    """The slope by each number, by central differences, and how far each can be trusted; the steps are parts of the number."""
    x = np.asarray(case.at, dtype=float)
    slopes, doubts = np.zeros(x.shape), np.zeros(x.shape)
    for k in np.ndindex(x.shape):
        unit = abs(x[k]) or 1.0

        def line(h):
            moved = case.make()
            if x.shape:
                moved[k] += h * unit                     # noqa: B023 it is called here only
            else:
                moved += h * unit                        # noqa: B023
            return float(f(moved))
        best, doubt = slope_and_doubt(line, case.step)
        slopes[k], doubts[k] = best / unit, doubt / unit
    if not np.all(np.isfinite(slopes)) or np.any(doubts > 1e-3 * np.abs(slopes) + 1e-6):
        raise AssertionError(f'{case.name}: not smooth there: {slopes} +- {doubts}')
    return (slopes, doubts) if x.shape else (float(slopes), float(doubts))


def slope_and_doubt(line, step):
    """The slope of a function of one number at 0: the most certain of those that a few steps give, each extrapolated."""
    found = []
    for size in (step, step / 8, step / 64):
        a, b, c = [(line(h) - line(-h)) / (2 * h) for h in (size, size / 2, size / 4)]
        once, twice = (4 * b - a) / 3, (4 * c - b) / 3
        noise = 1e-15 * np.max(np.abs(line(0.0))) / size
        found.append(((16 * twice - once) / 15, np.abs(twice - once) + noise))
    return min(found, key=lambda pair: np.max(pair[1]) if np.all(np.isfinite(pair[0])) else np.inf)


def seconds(f, case):
    """The time of a call, the best of a few after the first."""
    f(case.make())
    best, until, count = float('inf'), time.perf_counter() + 0.05, 0
    while time.perf_counter() < until or count < 3:
        count += 1
        x = case.make()
        start = time.perf_counter()
        f(x)
        best = min(best, time.perf_counter() - start)
    return best
