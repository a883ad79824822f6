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


def seconds(call, times):
    """The processor time of one call, from `times` of them in a row."""
    start = time.process_time()
    for _ in range(times):
        call()
    return (time.process_time() - start) / times


def measure(programs, repeats=15, batch=0.01):
    """Median processor time of a call of each program, in seconds.

    The programs take turns, so that whatever else the machine does falls on all of them alike; each turn is as many
    calls as fill `batch` seconds.

    Parameters
    ----------
    programs : dict of str to callable
    repeats : int
    batch : float

    Returns
    -------
    dict of str to float
    """
    counts = {}
    for name, call in programs.items():
        call()
        counts[name] = max(1, round(batch / max(seconds(call, 2), 1e-7)))
    found = {name: [] for name in programs}
    for _ in range(repeats):
        for name, call in programs.items():
            found[name].append(seconds(call, counts[name]))
    return {name: statistics.median(times) for name, times in found.items()}
