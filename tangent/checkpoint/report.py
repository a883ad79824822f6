"""What the loops of one derivative keep: an account of the memory they may use, and a note of what each of them chose."""
import collections
import contextlib
import contextvars
import dataclasses
import functools

from tangent.checkpoint.memory_size import shown
from tangent.errors import AliasError, RecomputeError

_current: contextvars.ContextVar = contextvars.ContextVar('account', default=None)


@dataclasses.dataclass
class Choice:
    """What one run of a loop kept, and what it computed again.

    Attributes
    ----------
    function : str
        The function with the loop.
    line : int
        The line of the loop.
    steps : int or None
        How many iterations it made; None where it has not ended.
    states : int
        How many states may be kept at a time.
    tape : int
        How many iterations are taped at a time.
    state_bytes, tape_bytes : int
        What a state takes, and what the tape of one iteration takes; 0 where it was not measured.
    kept : int
        The most states that were kept at a time.
    again : int
        How many iterations were run again, beside the one run of each that was taped.
    storage : str
    over : int
        How many bytes more it takes than it may.
    whole : bool
        The tape of all iterations is kept.
    """
    function: str
    line: int
    steps: int | None = None
    states: int = 0
    tape: int = 1
    state_bytes: int = 0
    tape_bytes: int = 0
    kept: int = 0
    again: int = 0
    storage: str = 'memory'
    over: int = 0
    whole: bool = False

    @property
    def bytes(self):
        """What it may keep at a time, by what was measured."""
        return self.states * self.state_bytes + min(self.tape, self.steps or self.tape) * self.tape_bytes

    def __str__(self):
        return f'{self.function}, line {self.line}: keeps {self.what()}; {self.again} steps run again{self.excess()}'

    def what(self):
        size = f' ({shown(self.tape_bytes)} a step)' if self.tape_bytes and not (self.whole and self.steps is None) else ''
        if self.whole:
            return f'the tape of all {"" if self.steps is None else str(self.steps) + " "}steps{size}'
        states = f'{self.states} states' + (f' of {shown(self.state_bytes)}' if self.state_bytes else '')
        where = ' on disk' if self.storage != 'memory' else ''
        steps = '' if self.steps is None else f' of {self.steps}'
        return f'{states}{where}, the tape of {self.tape}{steps} steps at a time{size}'

    def excess(self):
        return f'; {shown(self.over)} more than it may use' if self.over else ''


class Report(list):
    """A :class:`Choice` for each run of a loop, in the order in which they began."""

    whole = ''                     # why the whole tape was kept

    def __str__(self):
        if self.whole:
            return f'keeps the whole tape: {self.whole}'
        groups: dict = {}
        for choice in self:
            groups.setdefault((choice.function, choice.line), []).append(choice)
        lines = []
        for (function, line), runs in groups.items():
            kinds = collections.Counter(c.what() for c in runs)
            often = '' if len(runs) == 1 else f' run {len(runs)} times'
            kept = '; or '.join(kinds) if len(kinds) < 4 else f'{next(iter(kinds))}; and {len(kinds) - 1} other choices'
            worst = max(runs, key=lambda c: c.over)
            lines.append(f'{function}, line {line}:{often} keeps {kept}; {sum(c.again for c in runs)} steps run again'
                         f'{worst.excess()}')
        return '\n'.join(lines) or 'no loops that could be checkpointed'


class Account:
    """The account of one call of a derivative; `limit` is None where it may use what it likes.

    room : how many bytes a loop that begins now may use
    within : stands for the run of a loop in which it is counted
    sizes : function of a loop -> bytes of a state, and of the tape of one iteration, when it was run last
    """

    def __init__(self, limit=None):
        self.limit, self.room, self.report = limit, limit, Report()
        self.sizes, self.within = {}, None

    @contextlib.contextmanager
    def only(self, room):
        """Loops that are run meanwhile may use no more than this."""
        before = self.room, self.within
        self.room, self.within = room, object()
        try:
            yield
        finally:
            self.room, self.within = before


def current():
    return _current.get()


@contextlib.contextmanager
def opened(account):
    """Note what loops choose in this account, in what is run meanwhile."""
    token = _current.set(account)
    try:
        yield account
    finally:
        _current.reset(token)


def limited(derivative, limit, whole):
    """A derivative whose loops may keep so many bytes; its `report` says what they chose in its last call.

    whole : gives the derivative that keeps all of its tape, for what is found out to be no loop of arrays and numbers alone
    """
    @functools.wraps(derivative)
    def within(*args, **keywords):
        account = Account(limit)
        try:
            with opened(account):
                return derivative(*args, **keywords)
        except (AliasError, RecomputeError) as error:
            account.report.whole = str(error)
        finally:
            within.report = account.report
        return whole()(*args, **keywords)
    within.report = Report()
    return within


@contextlib.contextmanager
def watch_checkpoints():
    """What checkpointed loops keep and run again while the block runs: a list that fills as they do.

    Yields
    ------
    Report
        A list of :class:`Choice`, one for each run of a loop; `print` it.

    Examples
    --------
    >>> def f(x, n):
    ...     for i in tangent.checkpointed(range(n), budget=20):
    ...         x = x + 0.1 * numpy.sin(x)
    ...     return x
    >>> with tangent.watch_checkpoints() as report:
    ...     gradient = tangent.grad(f)(1.0, 1000)
    >>> len(report)
    1
    """
    with opened(Account()) as account:
        yield account.report
