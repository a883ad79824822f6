"""What the loops of one derivative keep: an account of the memory they may use, and a note of what each of them chose."""
from __future__ import annotations

import contextlib
import contextvars
import dataclasses

from tangent.sizes import shown

_current: contextvars.ContextVar = contextvars.ContextVar('ledger', default=None)


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

    @property
    def bytes(self):
        """What it may keep at a time, by what was measured."""
        return self.states * self.state_bytes + min(self.tape, self.steps or self.tape) * self.tape_bytes

    def __str__(self):
        steps = 'steps' if self.steps is None else f'{self.steps} steps'
        what = f'the tape of all {steps}' if self.steps is not None and self.tape >= self.steps else \
            f'{self.states} states' + (f' of {shown(self.state_bytes)}' if self.state_bytes else '') + \
            (' on disk' if self.storage != 'memory' else '') + f', the tape of {self.tape} of {steps} at a time'
        size = f' ({shown(self.tape_bytes)} a step)' if self.tape_bytes else ''
        return f'{self.function}, line {self.line}: keeps {what}{size}; {self.again} steps run again'


class Report(list):
    """A :class:`Choice` for each run of a loop, in the order in which they began."""

    def __str__(self):
        return '\n'.join(map(str, self)) or 'no loops that could be checkpointed'


class Ledger:
    """The account of one call of a derivative; `limit` is None where it may use what it likes."""

    def __init__(self, limit=None):
        self.limit, self.used, self.report = limit, 0, Report()

    def left(self):
        return max(self.limit - self.used, 0)


def current():
    return _current.get()


@contextlib.contextmanager
def opened(ledger):
    """Note what loops choose in this ledger, in what is run meanwhile."""
    token = _current.set(ledger)
    try:
        yield ledger
    finally:
        _current.reset(token)


@contextlib.contextmanager
def watch_checkpoints():
    """What checkpointed loops keep and run again while the block runs: a list that fills as they do.

    Yields
    ------
    Report
        A list of :class:`Choice`, one for each run of a loop; `print` it.

    Examples
    --------
    >>> with tangent.watch_checkpoints() as report:
    ...     tangent.grad(f)(1.0, 1000)
    >>> report[0].again
    1885
    """
    with opened(Ledger()) as ledger:
        yield ledger.report
