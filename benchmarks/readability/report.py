"""The table: what is counted in three texts of each program, and how long two of them take."""
import importlib
from typing import NamedTuple

import numpy as np

import tangent
from benchmarks.readability import text
from benchmarks.tools import tables
from benchmarks.tools.timing import Row, measure

FIELDS = ('numbers', 'statistics', 'physics', 'linear', 'networks', 'containers', 'closures')
HEAD = ['program', 'statements by hand', 'with', 'without', 'expressions by hand', 'with', 'without', 'names by hand', 'with',
        'without', 'helpers with', 'without', 'log form', 'time / by hand']
WARM = 5                    # calls before the clock starts: a derivative may be made anew when it is called again and again


class Line(NamedTuple):
    """Counts by hand, for known arguments and without arguments, and how much longer the derivative takes than the hand's."""
    name: str
    hand: text.Counts
    known: text.Counts
    plain: text.Counts
    time: float

    def cells(self):
        three = [str(getattr(found, what)) for what in ('statements', 'expressions', 'names') for found in self[1:4]]
        log = 'both' if self.known.logged else 'without' if self.plain.logged else ''
        return [self.name, *three, str(self.known.helpers), str(self.plain.helpers), log, f'{self.time:.3g}']


def programs():
    """Name -> Program."""
    modules = [importlib.import_module(f'{text.PACKAGE}.{field}') for field in FIELDS]
    return {program.name: program for module in modules for program in module.PROGRAMS}


def measured(names=(), repeats=7):
    """A Line for each program."""
    known = programs()
    for name in names or known:
        yield line(known[name], repeats)


def line(program, repeats):
    args = program.arguments(np.random.default_rng(0))
    derivative = tangent.grad(program.function, wrt=program.wrt)
    calls = {'ours': call(program, derivative, args), 'hand': call(program, program.adjoint, args)}
    for _ in range(WARM):
        calls['ours']()
    times = measure(calls, repeats)
    return Line(program.name, text.by_hand(program, args), text.emitted(program, args, derivative, *args),
                text.emitted(program, args, derivative), times['ours'] / times['hand'])


def call(program, function, args):
    if program.writes:
        return lambda: function(*(arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args))
    return lambda: function(*args)


def means(lines):
    """(what, over all programs) for each column: geometric means of ratios to the hand's text, one added to counts of names."""
    for title, which in (('with arguments', 'known'), ('without arguments', 'plain')):
        pairs = [(getattr(each, which), each.hand) for each in lines]
        for what in 'statements', 'expressions':
            yield f'{what} / by hand, {title}', tables.mean([getattr(a, what) / getattr(b, what) for a, b in pairs])
        yield f'(1 + names) / (1 + by hand), {title}', tables.mean([(1 + a.names) / (1 + b.names) for a, b in pairs])
        yield f'calls of helpers, {title}', float(np.mean([a.helpers for a, _ in pairs]))
    yield 'time / by hand', tables.mean([each.time for each in lines])


def run(peers, repeats=7, names=()):
    """The report, line by line."""
    found = []
    yield tables.line(HEAD)
    yield '|' + '---|' * len(HEAD)
    for each in measured(names, repeats):
        found.append(each)
        yield tables.line(each.cells())
    yield ''
    for what, value in means(found):
        yield Row(what, value)
