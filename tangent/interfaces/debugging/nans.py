"""`debug_nans`: the first line, forward or backward, that makes a nan or an infinity of numbers that are none.

    >>> with tangent.debug_nans():
    ...     df(x)
    NotFiniteError: model.py:7: makes the first infinity (division by zero), in the backward pass
        n = numpy.sqrt(y)
          in dfdx, line 9: by = bn / (2 * n)
          made bn / (2 * n) = inf
          of bn = 1.0
          of n = 0.0
"""
import contextlib
import functools
import linecache
from typing import NamedTuple

import numpy as np

from tangent import errors
from tangent.errors import PLACES
from tangent.interfaces.debugging.expressions import culprit
from tangent.interfaces.debugging.statements import statement_of
from tangent.interfaces.debugging.watch import users_place, watching

DEPTH, MANY = 4, 200              # how far containers are looked into
SHOWN = 8                         # values that a report shows


def debug_nans(function=None, *, nan=True, inf=True):
    """Find the first line of a derivative, forward or backward, that makes a nan or an infinity.

    Parameters
    ----------
    function : callable, optional
        What is watched whenever it is called: `debug_nans(df)`, or `@debug_nans` above a function that calls derivatives.
        Without it the result is a context, in which all derivatives are watched, and a decorator.
    nan, inf : bool
        What is looked for. Infinities come of overflow and of divisions by zero.

    Returns
    -------
    callable or context manager
        It raises a NotFiniteError, a FloatingPointError, at the first line whose result has one where what it reads has none:
        its message has the line of the user's, the pass, the emitted line, and shapes and ranges of what it made and read.

    Raises
    ------
    ArgumentTypeError
        If it is given something that cannot be called.

    Notes
    -----
    Each line is looked at while Python runs it, many times slower than usual, in this thread. What Numba has compiled is run by
    Python. Outside of the context nothing is changed. Numbers that the function holds already (arguments, constants) are
    reported only if a result is not finite and no line has made it so.

    Examples
    --------
    >>> def f(x):
    ...     return numpy.sqrt(x - 1.0)
    >>> try:
    ...     tangent.debug_nans(tangent.grad(f))(1.0)
    ... except FloatingPointError as error:
    ...     print('inf' in str(error))
    True
    """
    if not (nan or inf):
        raise errors.ArgumentError('debug_nans(nan=False, inf=False) looks for nothing: leave one of them out')
    if function is None:
        return Watching(nan, inf)
    if not callable(function):
        raise errors.ArgumentTypeError(f'debug_nans watches what is called: it was given a {type(function).__name__}')

    @functools.wraps(function)
    def watched(*args, **keywords):
        with Watching(nan, inf):
            return function(*args, **keywords)
    return watched


class Watching(contextlib.ContextDecorator):
    """The context; as a decorator it makes itself anew for each call."""

    def __init__(self, nan, inf):
        self.wanted, self.stack = (nan, inf), []

    def _recreate_cm(self):
        return Watching(*self.wanted)

    def __enter__(self):
        finder, stack = Finder(*self.wanted), contextlib.ExitStack()
        stack.enter_context(np.errstate(all='call', call=finder.signal))
        stack.enter_context(watching(finder.event))
        self.stack.append((finder, stack))

    def __exit__(self, kind, error, trace):
        finder, stack = self.stack.pop()
        stack.close()
        if finder.found is not None and error is not finder.found and (error is None or isinstance(error, Exception)):
            raise finder.found               # the function has caught it


class Line(NamedTuple):
    """A line that has begun.

    statement, number
    reads : name -> what it held
    before : names and targets that it changes in place, and that were not finite
    met : whether something that was not finite had been met
    """
    statement: object
    number: int
    reads: dict
    before: frozenset
    met: bool


class Finder:
    """Looks at what each line has made when the next one begins."""

    def __init__(self, nan, inf):
        self.nan, self.inf = nan, inf
        self.lines: list = []             # of each function that runs, the Line that it is at
        self.places: list = []            # and the place of it, or of the function that has called it
        self.signals: list = []
        self.found = self.came = None     # the error; what was not finite before any line was run

    def signal(self, kind, flag):
        self.signals.append(kind)

    def event(self, frame, event, what):
        if self.found is not None:
            return
        if event == 'call':
            if not self.lines:
                self.arrived(frame)
            self.lines.append(None)
            self.places.append(self.places[-1] if self.places else None)
            return
        self.look(frame, event == 'return', what)
        if event == 'line':
            self.begin(frame)
        elif event == 'return':
            self.lines.pop()
            self.places.pop()
            if not self.lines:
                self.left(what)

    def begin(self, frame):
        outer = self.places[-2] if len(self.places) > 1 else None
        self.places[-1] = users_place(frame, outer is not None and outer.backward) or outer
        statement = statement_of(frame)
        self.lines[-1] = None
        if statement is not None:
            held = frame.f_locals
            reads = {name: held[name] if name in held else frame.f_globals.get(name) for name in statement.reads}
            before = frozenset(w for w in {*statement.inside, *statement.changed} if self.bad(evaluated(w, frame)))
            self.lines[-1] = Line(statement, frame.f_lineno, reads, before, self.came is not None)
            self.signals.clear()

    def look(self, frame, returns, result):
        """Look at what the line before has made."""
        line = self.lines[-1]
        if line is None or line.statement.empty:
            return
        made = [(w, evaluated(w, frame)) for w in line.statement.writes]
        for name, value in [*made, ('the result', result)] if returns else made:
            kind = self.bad(value)
            if not kind or name in line.before:
                continue
            tainted = any(name in line.before if name in line.statement.changed else self.taints(kind, value)
                          for name, value in line.reads.items())
            if not tainted and any(map(is_number, line.reads.values())):
                inside = self.came is not None and not line.met           # a function that it calls has met it
                self.fail(self.came if inside else self.report(frame, line, (name, value), kind))
            if self.came is None:
                self.came = self.report(frame, line, (name, value), kind, 'meets')

    def fail(self, report):
        self.found = errors.NotFiniteError(report)
        raise self.found

    def bad(self, value):
        """'nan', 'inf' or '': what is looked for that a value holds."""
        kinds = {kind_of(part) for part in parts(value)}
        return 'nan' if self.nan and 'nan' in kinds else 'inf' if self.inf and 'inf' in kinds else ''

    def taints(self, kind, value):
        """Whether a value explains that a result of it is a nan, or an infinity."""
        enough = ('nan',) if kind == 'nan' and not self.inf else ('nan', 'inf')
        return any(kind_of(part) in enough for part in parts(value))

    def arrived(self, frame):
        for name, value in frame.f_locals.items():
            if self.came is None and self.bad(value):
                place = PLACES[frame.f_code.co_filename].get(frame.f_code.co_firstlineno, errors.NOWHERE)
                self.came = f'{where(place)}: {name} holds {"a nan" if self.bad(value) == "nan" else "an infinity"} when ' \
                            f'{frame.f_code.co_name} is called\n    {described(name, value)}'

    def left(self, result):
        """The outermost derivative is done: what it was given, or a constant, has made its result what it is."""
        came, self.came = self.came, None
        if came is not None and self.bad(result):
            self.fail(came)

    def report(self, frame, line, made, kind, verb='makes'):
        file = frame.f_code.co_filename
        part = culprit(frame, line, self.bad) if verb == 'makes' else None
        kind = self.bad(part.made[1]) if part else kind
        whole = PLACES.get(file, {}).get(frame.f_code.co_firstlineno, errors.NOWHERE)
        place = part.place if part and part.place else self.places[-1] or whole
        cause = {'overflow': ' (overflow)', 'divide by zero': ' (division by zero)'}
        what = 'nan' if kind == 'nan' else 'infinity' + cause.get(next(iter(self.signals), ''), '')
        rows = [f'{where(place)}: {verb} the first {what}, in the {"backward" if place.backward else "forward"} pass',
                errors.line_text(place.file, place.line)]
        if file in PLACES:
            rows.append(f'  in {frame.f_code.co_name}, line {line.number}: {linecache.getline(file, line.number).strip()}')
        reads = {n: v for n, v in line.reads.items() if is_number(v) and n not in line.statement.changed}
        rows += [f'  made {described(*(part.made if part else made))}' if verb == 'makes' else f'  has {described(*made)}']
        rows += [f'  of {described(n, v)}' for n, v in reads.items() if part is None or n in part.reads][:SHOWN]
        held = frame.f_locals
        loops = [f'{n} = {held[n]!r}' for n in line.statement.loops
                 if n not in reads and isinstance(held.get(n), (int, float, str))]
        return '\n    '.join([*rows, *[f'  where {", ".join(loops)}'] * bool(loops)])


def where(place):
    return f'{errors.file_name(place.file)}:{place.line}' if place.line else '<unknown>:0'


def evaluated(expression, frame):
    """What a target holds; None where nothing is there."""
    try:
        if expression in frame.f_locals:
            value = frame.f_locals[expression]
        else:
            value = eval(expression, frame.f_globals, frame.f_locals)
    except Exception:                             # it is not there any more, or not yet
        return None
    return value


def parts(value, depth=DEPTH):
    """The numbers and arrays that a value holds."""
    if isinstance(value, (tuple, list, dict)):
        if depth:
            items = list(value.values()) if isinstance(value, dict) else value
            for part in items if len(items) <= MANY else items[-MANY:]:
                yield from parts(part, depth - 1)
    elif is_inexact(value):
        yield value


def is_inexact(value):
    if isinstance(value, np.ndarray):
        return value.dtype.kind in 'fc'
    return isinstance(value, (float, complex, np.inexact))


def is_number(value):
    return any(True for _ in parts(value)) or isinstance(value, (int, np.integer)) and not isinstance(value, bool) \
        or isinstance(value, np.ndarray) and value.dtype.kind in 'iu'


def kind_of(value):
    """'nan', 'inf' or '' for a number or an array."""
    if np.all(np.isfinite(value)):
        return ''
    return 'nan' if np.any(np.isnan(value)) else 'inf'


def described(name, value):
    """A value by its shape, its range, and where it is not finite."""
    found = list(parts(value))
    if isinstance(value, (tuple, list, dict)) and len(found) != 1:
        wrong = [part for part in found if kind_of(part)]
        return f'{name}: {type(value).__name__} of {len(found)}' + (f', of which {described("one", wrong[0])}' if wrong else '')
    value = found[0] if found else value
    if not np.ndim(value):
        return f'{name} = {value}'
    finite = np.isfinite(value)
    texts = [f'{name}: {value.dtype} {value.shape}']
    for kind, test in ('nan', np.isnan), ('inf', np.isinf):
        bad = test(value)
        if bad.any():
            at = ', '.join(map(str, np.unravel_index(np.argmax(bad), bad.shape)))
            texts.append(f'{int(bad.sum())} of {bad.size} {kind}, the first at [{at}]')
    if finite.any() and value.dtype.kind != 'c':
        rest = value[finite]
        texts.append(f'{"from" if finite.all() else "the others from"} {rest.min():.6g} to {rest.max():.6g}')
    return ', '.join(texts)
