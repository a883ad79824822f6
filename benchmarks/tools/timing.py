"""Measuring several programs side by side, and printing what was found beside what is aimed at."""
import statistics
import time
from typing import NamedTuple


class Row(NamedTuple):
    """One line of the report; `target` is the largest (or, with `least`, the smallest) value that is good enough."""
    what: str
    value: float
    target: float = None
    least: bool = False
    unit: str = ''

    def __str__(self):
        text = f'{self.what:<58} {self.value:10.4g}{self.unit}'
        if self.target is None:
            return text
        reached = self.value >= self.target if self.least else self.value <= self.target
        bound = 'at least' if self.least else 'at most'
        return f'{text:<74} {bound} {self.target:g}{self.unit}: {"reached" if reached else "NOT reached"}'


def seconds(call, times, clock=time.process_time):
    """The time of one call, from `times` of them in a row."""
    start = clock()
    for _ in range(times):
        call()
    return (clock() - start) / times


def measure(programs, repeats=15, batch=0.01, clock=time.process_time):
    """Median time of a call of each program, in seconds.

    The programs take turns, so that whatever else the machine does falls on all of them alike; each turn is as many
    calls as fill `batch` seconds.

    Parameters
    ----------
    programs : dict of str to callable
    repeats : int
    batch : float
    clock : callable
        Of the processor, which other programs do not disturb; that of the wall where several threads work.

    Returns
    -------
    dict of str to float
    """
    counts = {}
    for name, call in programs.items():
        call()
        counts[name] = max(1, round(batch / max(seconds(call, 2, clock), 1e-7)))
    found = {name: [] for name in programs}
    for _ in range(repeats):
        for name, call in programs.items():
            found[name].append(seconds(call, counts[name], clock))
    return {name: statistics.median(times) for name, times in found.items()}
