"""Random programs against differences: every gradient is right, or refused with an error of our own.

    python -m tests.random --count 1000 --seed 0 --shrink

writes programs (`tests/random/program_writer.py`), differentiates each as it stands in a file, and compares the gradient,
optimized and raw, with extrapolated central differences, and with the complex step where the program is analytic.
A program that fails is shrunk and printed; kept ones live in `tests/random/regressions`.
"""
import argparse
import collections
import copy
import functools
import importlib
import importlib.util
import pathlib
import re
import sys
import tempfile
import warnings
from typing import NamedTuple

import numpy as np

import tangent
from tangent.driver import variants
from tests.random.program_writer import Writer
from tests.random.program_writer_jumps import JumpsWriter
from tests.random.program_writer_python import FEATURES, PythonWriter
from tests.tools import orders
from tests.tools.checking import NotSmooth, complex_step, difference, differences, numbers, share_memory
from tests.tools.registry import Entry
from tests.tools.sampling import at_most
from tests.tools.shrinking import shrink

SECONDS_ALONE, SECONDS = 1, 60         # of the processor's time: a busy or slow machine changes no outcome
WORDS = len('expected ')      # of a message, to tell failures apart
UNLIKE = re.compile(r'program\d+\.py:\d+: ')    # in what is said of like refusals


class Outcome(NamedTuple):
    """What became of a program: right, wrong, refused, crashed or skipped (no derivative at the point), and why."""
    kind: str
    why: str = ''

    def same(self, other):
        """Whether two outcomes are the same failure: the same kind, place and first words."""
        return self.kind == other.kind and self.words() == other.words()

    def words(self):
        place, _, message = self.why.partition(': ')
        return place, message[:WORDS]


class Hangs(BaseException):
    """A program or its gradient takes too long; not an Exception, so that no handler on the way swallows it."""


def limited(seconds):
    """Raise :class:`Hangs` in the block after some seconds of work."""
    return at_most(seconds, Hangs)


def load(path):
    """The module in a file, imported afresh."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)         # where generated code finds its class
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', SyntaxWarning)        # shrinking tries much that makes no sense
        spec.loader.exec_module(module)
    return module


def smooth_gradients(module):
    """The gradients by differences; :class:`NotSmooth` where there are none, or none that can be trusted."""
    with np.errstate(all='raise', under='ignore'):
        value = module.f(*copy.deepcopy(module.ARGS))
    if not abs(value) < 1e4:
        raise NotSmooth('the value is too large')
    return differences(module.f, module.ARGS, module.WRT, strict=True)


def exact_gradients(module):
    """The gradients by the complex step, or None for a program that does not take complex numbers."""
    try:
        return complex_step(module.f, module.ARGS, module.WRT) if module.ANALYTIC else None
    except TypeError:                     # an array of floats that is written in place holds no complex number
        return None


def ways(f, wrt):
    """(name, function from the arguments to the gradients and the value) for each way to differentiate."""
    optimized = tangent.grad(f, wrt=wrt, preserve_result=True)
    yield 'optimized', optimized
    yield 'known', lambda *args: variants.specialised(optimized, args)(*args)
    yield 'raw', tangent.grad(f, wrt=wrt, preserve_result=True, optimized=False)
    yield 'split', tangent.autodiff(f, wrt=wrt, preserve_result=True, motion='split',
                                    input_derivative=tangent.INPUT_DERIVATIVE.DefaultOne)


def judge(path, mixes=()):
    """The outcome for the program in a file; of its derivatives in some mixes of modes, where any are named."""
    try:
        with np.errstate(all='ignore'), limited(SECONDS_ALONE):
            module = load(path)
            right, exact = smooth_gradients(module), exact_gradients(module)
    except (NotSmooth, Hangs, ArithmeticError) as reason:
        return Outcome('skipped', str(reason))
    except Exception as reason:           # a program that goes wrong without derivatives, as random ones do
        return Outcome('skipped', f'does not run: {reason!r}')
    try:
        with np.errstate(all='ignore'), limited(SECONDS):
            return compare_mixes(module, right, mixes) if mixes else compare(module, right, exact or right)
    except tangent.errors.TangentError as error:
        return Outcome('refused', f'{type(error).__name__}: {error}')
    except (Exception, Hangs) as error:
        return Outcome('crashed', f'{type(error).__name__}: {error}')


def compare(module, right, exact):
    value = module.f(*copy.deepcopy(module.ARGS))
    for name, df in ways(module.f, module.WRT):
        args = copy.deepcopy(module.ARGS)
        *gradients, kept = df(*args)
        for position, actual, near, closer in zip(module.WRT, gradients, right, exact, strict=True):
            problem = difference(actual, near) or difference(actual, closer, 1e-6 if exact is right else 1e-9)
            if problem:
                return Outcome('wrong', f'{name}, argument {position}: {problem}')
        if difference(kept, value, 1e-9):
            return Outcome('wrong', f'{name}, value: expected {value!r}, got {kept!r}')
        if not np.array_equal(numbers(args), numbers(module.ARGS)):
            return Outcome('wrong', f'{name}, arguments changed: {args!r}')
        if share_memory(list(args) + gradients):
            return Outcome('wrong', f'{name}, memory shared: {gradients!r}')
    return Outcome('right')


def compare_mixes(module, right, mixes):
    """Derivatives of any order along fixed directions; the mixes are those of `tests.tools.orders`."""
    entry = Entry('f', module.f, lambda: copy.deepcopy(module.ARGS), tuple(module.WRT), 'random')
    along = orders.directions(entry, 1), orders.directions(entry, 2)
    known = {1: orders.inner(entry, right, along[0])}
    for mix in mixes:
        if len(mix) not in known:
            known[len(mix)] = orders.expected(entry, len(mix), along)
        wanted, actual = known[len(mix)], orders.found(entry, mix, along)
        if not abs(actual - wanted) <= orders.CLOSE[len(mix)] * 10 * max(1.0, abs(wanted)):
            return Outcome('wrong', f'{mix}: expected {wanted!r}, got {actual!r}')
    return Outcome('right')


class Bench:
    """A folder where programs are written and judged; every text gets a file of its own."""

    def __init__(self, folder, mixes=(), judge=judge):
        self.folder, self.count, self.mixes, self.by = pathlib.Path(folder), 0, mixes, judge

    def judge(self, text, asked=()):
        self.count += 1
        path = self.folder / f'program{self.count}.py'
        path.write_text(text)
        return self.by(path, asked or self.mixes)

    def shrunk(self, text, outcome):
        """A smaller program that fails alike; a judge that knows several ways is asked for the one that failed alone."""
        way = outcome.words()[0]

        def fails_alike(candidate):
            try:
                return self.judge(candidate, (way,) if way in getattr(self.by, 'ways', ()) else ()).same(outcome)
            except Exception:  # deleting a line may leave a program that does not even run
                return False
        return shrink(text, fails_alike)


def campaign(count, seed, folder, shrinking=False, report=print, writer=Writer, mixes=(), judge=judge):
    """Judge `count` programs; gives how many had each outcome, why programs were refused, and the failed texts."""
    bench, outcomes, refusals, failed = Bench(folder, mixes, judge), collections.Counter(), collections.Counter(), []
    for k in range(seed, seed + count):
        text = writer(k).program()
        outcome = bench.judge(text)
        outcomes[outcome.kind] += 1
        if outcome.kind == 'refused':
            refusals[UNLIKE.sub('', outcome.why.splitlines()[0])[:100]] += 1
        elif outcome.kind in ('wrong', 'crashed'):
            hangs = outcome.why.startswith(Hangs.__name__)             # and so would every try to make it smaller
            text = bench.shrunk(text, outcome) if shrinking and not hangs else text
            report(f'--- program {k} is {outcome.kind}: {outcome.why}\n{text}')
            failed.append(text)
    return outcomes, refusals, failed


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--count', type=int, default=1000, help='how many programs (default 1000)')
    parser.add_argument('--seed', type=int, default=0, help='number of the first program (default 0)')
    parser.add_argument('--shrink', action='store_true', help='shrink the programs that fail before printing them')
    parser.add_argument('--show', type=int, metavar='SEED', help='print one program and its outcome')
    parser.add_argument('--features', nargs='*', choices=FEATURES, metavar='NAME',
                        help=f'programs with more of Python: all of it, or only {", ".join(FEATURES)}')
    parser.add_argument('--mix', nargs='*', default=(), metavar='LETTERS',
                        help='derivatives of any order in place of gradients: f, rf for reverse over forward mode, fff ...')
    parser.add_argument('--njit', nargs='?', const='mixed', choices=('mixed', 'typed', 'text'),
                        help='programs for Numba, and their compiled derivatives; typed: programs that Numba takes; '
                        'text: the same, the derivatives as Python runs them, which is quick')
    parser.add_argument('--state', action='store_true', help='programs with state: objects, closures, generators, contexts ...; in every mode')
    parser.add_argument('--views', action='store_true', help='programs about views of arrays, written through one name and read through another')
    parser.add_argument('--jumps', action='store_true', help='programs of jumps, exceptions and writes')
    options = parser.parse_args(argv)
    writer = Writer if options.features is None else functools.partial(PythonWriter, features=options.features or FEATURES)
    by = judge
    if options.njit:
        judges = importlib.import_module('tests.random.random_numba')
        writer, by = judges.WRITERS[options.njit], judges.judge_text if options.njit == 'text' else judges.judge
    if options.jumps:
        writer = JumpsWriter
    if options.views:
        writer = importlib.import_module('tests.random.state.views').ViewWriter
    if options.state:
        writer = importlib.import_module('tests.random.state.writer').StateWriter
    if options.state or options.views:
        by = importlib.import_module('tests.random.state.judge').judge
    with tempfile.TemporaryDirectory() as folder:
        if options.show is not None:
            text = writer(options.show).program()
            print(text, *Bench(folder, options.mix, by).judge(text), sep='\n')
            return 0
        outcomes, refusals, failed = campaign(options.count, options.seed, folder, options.shrink, writer=writer,
                                               mixes=options.mix, judge=by)
    print(', '.join(f'{outcomes[kind]} {kind}' for kind in ('right', 'wrong', 'refused', 'crashed', 'skipped')))
    for why, times in refusals.most_common():
        print(f'  refused {times}: {why}')
    return 1 if failed else 0

