"""Tables of ratios in Markdown, and what all of them need."""
import time

import numpy as np


def lines(head, rows):
    """The lines of a table."""
    yield line(head)
    yield '|' + '---|' * len(head)
    for row in rows:
        yield line(row)


def line(cells):
    return '| ' + ' | '.join(cells) + ' |'


def ratio(times, one, other):
    return f'{times[one] / times[other]:.3g}' if one in times and other in times else '-'


def mean(ratios):
    """The geometric mean."""
    return float(np.exp(np.mean(np.log(ratios)))) if len(ratios) else float('nan')


def flat(found):
    parts = found if isinstance(found, (tuple, list)) else [found]
    return np.concatenate([np.ravel(np.asarray(p)) for p in parts])


def check(name, expected, found, rtol=1e-6, least=0.0):
    """ADBench's own measure: every number within 1e-6 of the largest, or of `least`."""
    if np.max(np.abs(flat(expected) - flat(found))) > rtol * max(least, np.max(np.abs(flat(expected)))):
        raise AssertionError(f'{name} has another derivative')


def timed(call):
    """(seconds of processor time, result)."""
    start = time.process_time()
    found = call()
    return time.process_time() - start, found
