"""What a call of a function known only when running costs over a direct call, each way, after the first."""
import functools

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
    tangent.grad(made(2.0))
    again = measure({'again': lambda: tangent.grad(made(2.0))}, repeats)['again']
    yield Row('grad of a closure made anew', again * 1e6, unit=' us')
