"""`profile`: what each line of the user's costs, forward and backward, in time and memory.

    >>> print(tangent.profile(df, x, w))
                     forward                  backward
      line       time   memory   runs     time   memory   runs
    model.py
         6    12.1 ms   1.6 MB    200  30.2 ms   3.2 MB    200  97% | x = x + h * numpy.sin(w * x)
    ...
"""
import collections
import time
import tracemalloc
from typing import NamedTuple

from tangent import errors
from tangent.checkpoint.memory_size import shown
from tangent.errors import PLACES
from tangent.interfaces.debugging.watch import users_place, watching

ENOUGH = 0.3          # seconds: short derivatives are run as often as fits into so many, at most RUNS times
RUNS = 20
WARM = 6              # times after which no text is made anew any more


class Row(NamedTuple):
    """What one line of the user's costs in one call of the derivative.

    Attributes
    ----------
    file, line, text : str, int, str
    forward_seconds, backward_seconds : float
        Time in the line itself and in what it calls; lines of functions that have rows of their own count there.
    forward_bytes, backward_bytes : int
        Memory that it allocates, each time that it runs, for its results and on the way to them.
    forward_runs, backward_runs : int
        How often it runs. A line may be several in the derivative: the one that runs most often counts.
    """
    file: str
    line: int
    text: str
    forward_seconds: float = 0.0
    backward_seconds: float = 0.0
    forward_bytes: int = 0
    backward_bytes: int = 0
    forward_runs: int = 0
    backward_runs: int = 0

    @property
    def seconds(self):
        """Forward and backward together."""
        return self.forward_seconds + self.backward_seconds

    @property
    def cells(self):
        """Time, memory and runs, forward and backward, as the table shows them."""
        ways = ((self.forward_seconds, self.forward_bytes, self.forward_runs),
                (self.backward_seconds, self.backward_bytes, self.backward_runs))
        return [f'{duration(s):>9}{shown(b) if b else "":>9}{n or "":>7}' for s, b, n in ways]


class Profile(NamedTuple):
    """What `profile` returns.

    Attributes
    ----------
    name : str
        Of the derivative.
    rows : list of Row
        The lines of the user's functions that ran, in the order of their files.
    seconds : float
        Time of one call; more than that of all rows together by what belongs to no line.
    peak : int
        Bytes that one call takes at most at a time, beside its arguments.
    compiled : bool
        Whether Numba compiles the derivative, so that Python ran it here in its place.
    """
    name: str
    rows: list
    seconds: float
    peak: int
    compiled: bool = False

    def __repr__(self):
        return str(self)

    def __str__(self):
        total = sum(row.seconds for row in self.rows) or 1.0
        titles = 2 * f'{"time":>9}{"memory":>9}{"runs":>7}'
        found, head = [f'{"":>6}  {"forward":^25}{"backward":^25}'.rstrip(), f'{"line":>6}  {titles}'], None
        for row in self.rows:
            if row.file != head:
                head = row.file
                found.append(errors.file_name(head))
            found.append(f'{row.line:>6}  {"".join(row.cells)} {row.seconds / total:>4.0%} | {row.text}')
        found.append(f'{self.name}: {duration(self.seconds)} a call, at most {shown(self.peak)} at a time')
        most = max(self.rows, key=lambda row: row.seconds)
        way = 'backward' if most.backward_seconds > most.forward_seconds else 'forward'
        found.append(f'most of the time: {errors.file_name(most.file)}:{most.line}, {most.seconds / total:.0%}, mostly {way}: '
                     f'{most.text}')
        if self.compiled:
            found.append('Numba compiles this derivative; here Python ran it, line by line: compare lines, not seconds')
        return '\n'.join(found)


def profile(derivative, *args, **keywords):
    """Run a derivative, and say for each line of the user's what it costs, forward and backward, in time and memory.

    Parameters
    ----------
    derivative : function
        What `tangent.grad` or its like returned, or any function that calls such.
    *args, **keywords
        Its arguments. It is run several times, also for what it writes or prints.

    Returns
    -------
    Profile
        Its `rows`, one for each line; printed, a table. A `Row` has `file`, `line`, `text`, `forward_seconds`,
        `backward_seconds`, `forward_bytes` and `backward_bytes`, of one call.

    Raises
    ------
    ArgumentTypeError
        If no derivative runs.

    Examples
    --------
    >>> def f(x):
    ...     y = numpy.sin(x)
    ...     return numpy.sum(y * y)
    >>> found = tangent.profile(tangent.grad(f), numpy.ones(1000))
    >>> found.rows[0].text, found.rows[0].forward_bytes >= 8000, found.rows[0].forward_runs
    ('y = numpy.sin(x)', True, 1)
    """
    if not callable(derivative):
        raise errors.ArgumentTypeError(f'profile runs a derivative: it was given a {type(derivative).__name__}. Write '
                                       'tangent.profile(tangent.grad(f), x) for the arguments x')
    run = lambda: derivative(*args, **keywords)  # noqa: E731
    with watching(lambda *event: None):
        run()
    for _ in range(WARM):                          # callees are derived, and texts made anew for arguments that come again
        known, clock, memory = set(PLACES), Clock(), Memory()
        runs = clock.watch(run)
        if known.issuperset(PLACES):
            break
    if not clock.runs:
        name = getattr(derivative, '__name__', 'f')
        raise errors.ArgumentTypeError(f'{name} ran, and no derivative with it: profile takes what tangent.grad and its like '
                                       f'return, as in tangent.profile(tangent.grad({name}), x)')
    memory.watch(run)
    rows = [row_of(file, line, runs, clock, memory) for file, line in sorted({(p.file, p.line) for p in clock.runs})]
    name, compiled = getattr(derivative, '__name__', type(derivative).__name__), hasattr(derivative, 'py_func')
    return Profile(name, rows, clock.total / runs, memory.most, compiled)


def duration(seconds):
    """A time in a unit that makes it short."""
    for scale, unit in (1.0, 's'), (1e-3, 'ms'):
        if seconds >= scale:
            return f'{seconds / scale:.3g} {unit}'
    return f'{seconds * 1e6:.3g} us' if seconds else ''


def row_of(file, line, runs, clock, memory):
    ways = [errors.Place(file, line, backward) for backward in (False, True)]
    count = [max(clock.runs[way].values(), default=0) // runs if way in clock.runs else 0 for way in ways]
    return Row(file, line, errors.line_text(file, line), *(clock.spent[way] / runs for way in ways),
               *(int(memory.spent[way]) for way in ways), *count)


class Meter:
    """Adds what is spent between two events to the line of the user's that is running then.

    spent : Place -> what the line has spent; None -> what belongs to no line
    runs : Place -> emitted line that stands for it -> how often it ran
    """

    def __init__(self):
        self.spent: collections.Counter = collections.Counter()
        self.runs: dict = {}
        self.running: list = []           # the lines in which emitted functions are, the innermost last

    def event(self, frame, event, what):
        self.spent[self.running[-1] if self.running else None] += self.since()
        if event == 'call':
            self.running.append(self.running[-1] if self.running else None)
        elif event == 'line':
            outer = self.running[-2] if len(self.running) > 1 else None
            place = users_place(frame, outer is not None and outer.backward)
            if place is not None:
                count = self.runs.setdefault(place, collections.Counter())
                count[frame.f_code.co_filename, frame.f_lineno] += 1
                self.running[-1] = place
            else:
                self.running[-1] = outer
        elif event == 'return' and self.running:
            self.running.pop()
        self.start()


class Clock(Meter):
    """Time, without that of the watching itself."""

    total = last = 0.0

    def watch(self, run):
        """Run a few times; how often."""
        begun, count = time.perf_counter(), 0
        with watching(self.event):
            known = len(PLACES)
            while not count or count < RUNS and time.perf_counter() - begun < ENOUGH and len(PLACES) == known:
                self.start()
                run()
                self.spent[None] += self.since()
                count += 1
        self.total = sum(self.spent.values())
        return count

    def since(self):
        return time.perf_counter() - self.last

    def start(self):
        self.last = time.perf_counter()


class Memory(Meter):
    """Bytes that are allocated, at the peak of each line."""

    most = base = 0

    def watch(self, run):
        """Run once."""
        traced = tracemalloc.is_tracing()
        if not traced:
            tracemalloc.start()
        try:
            begun = tracemalloc.get_traced_memory()[0]
            with watching(self.event):
                self.start()
                run()
                self.since()
            self.most = max(0, self.most - begun)
        finally:
            if not traced:
                tracemalloc.stop()

    def since(self):
        _, peak = tracemalloc.get_traced_memory()
        self.most = max(self.most, peak)
        return max(0, peak - self.base)

    def start(self):
        tracemalloc.reset_peak()
        self.base = tracemalloc.get_traced_memory()[0]
