"""What a call of a function known only when running costs over a direct call, each way, after the first; what the look at
arguments costs."""
import functools

import numpy as np

import tangent
from benchmarks.tools.timing import Row, measure
from tangent.driver.dispatch.reverse import pullback


def plain(x, n):
    return x * n


def made(w):
    return lambda x: x * w


class Model:
    def __init__(self):
        self.w = 2.0

    def apply(self, x):
        return x * 2.0


CALLS = {                              # kind -> (function, arguments, whether its own gradient is wanted)
    'function': (plain, (2.0, 3.0), False),
    'closure': (made(3.0), (2.0,), False),
    'closure and its captures': (made(3.0), (2.0,), True),
    'partial': (functools.partial(plain, n=3.0), (2.0,), False),
    'method': (Model().apply, (2.0,), False),
}


def three(x, y, z):
    return x * y + z


def added(x, y, z):
    return np.sum(x * y + z)


def first(p, y, z):
    return p[0] * y + p[1] * z


VECTOR = np.ones(3)
LOOKED_AT = {                          # kinds of three arguments -> (function, arguments)
    'numbers': (three, (1.0, 2.0, 3.0)),
    'arrays': (added, (VECTOR, VECTOR, VECTOR)),
    'arrays and a number': (added, (VECTOR, VECTOR, 2.0)),
    'a list and numbers': (first, ([1.0, 2.0], 2.0, 3.0)),
}


def looking(f, args):
    """A derivative, and what it calls for these arguments."""
    df = tangent.grad(f)
    for _ in range(3):
        df(*args)
    found = df.texts.last[1]
    return {'looks': lambda: df(*args), 'called': lambda: found(*args)}


def programs(f, args, captured):
    _, back = pullback(f, (0,), captured)(*args)
    return {'direct': lambda: f(*args), 'forward': lambda: pullback(f, (0,), captured)(*args),
            'adjoint': lambda: back.adjoint(1.0, back.saved), 'back': lambda: back(1.0)}


def run(peers, repeats=15):
    """The report, line by line."""
    for kind, call in CALLS.items():
        taken = {name: seconds * 1e6 for name, seconds in measure(programs(*call), repeats).items()}
        yield Row(f'dispatch of a {kind}: forward, over a direct call', taken['forward'] - taken['direct'], 2, unit=' us')
        yield Row(f'dispatch of a {kind}: backward, over its adjoint', taken['back'] - taken['adjoint'], 2, unit=' us')
    for kinds, call in LOOKED_AT.items():
        taken = {name: seconds * 1e6 for name, seconds in measure(looking(*call), repeats).items()}
        yield Row(f'a derivative looks at {kinds}', taken['looks'] - taken['called'], 0.3, unit=' us')
    tangent.grad(made(2.0))
    again = measure({'again': lambda: tangent.grad(made(2.0))}, repeats)['again']
    yield Row('grad of a closure made anew', again * 1e6, unit=' us')
