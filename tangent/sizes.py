"""How much memory values take: what is kept for a backward pass, counted once however often it is held."""
from __future__ import annotations

import sys
import types

import numpy as np

from tangent.errors import ArgumentError

FREE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, np.dtype, np.ufunc)
CONTAINERS = (list, tuple, set, frozenset)
HEADER = sys.getsizeof(np.empty(0))


def size(value, seen=None):
    """The bytes that a value takes, with all that it holds; an array that owns no memory counts as the one that does.

    Parameters
    ----------
    value : object
    seen : dict, optional
        id -> object for what is not to be counted (again); what is counted is added.
    """
    seen = {} if seen is None else seen
    total, pending = 0, [value]
    while pending:
        x = pending.pop()
        if x is None or isinstance(x, (bool, FREE)) or type(x) is int and -5 <= x <= 256:
            continue
        if id(x) in seen:
            continue
        seen[id(x)] = x
        if isinstance(x, np.ndarray):
            total += HEADER + (x.nbytes if owner(x) is x else 0)
            pending += [owner(x)] + (list(x.flat) if x.dtype == object else [])
            continue
        total += sys.getsizeof(x)
        if isinstance(x, dict):
            pending += [*x.keys(), *x.values()]
        elif isinstance(x, CONTAINERS):
            pending += x
        else:
            pending += parts(x)
    return total


def owner(x):
    """The array that owns the memory of an array."""
    while isinstance(x.base, np.ndarray):
        x = x.base
    return x


def parts(x):
    """What an object holds in attributes and slots."""
    found = list(getattr(x, '__dict__', {}).values())
    for kind in type(x).__mro__:
        slots = kind.__dict__.get('__slots__', ())
        for name in [slots] if isinstance(slots, str) else slots:
            if name != '__dict__' and hasattr(x, name):
                found.append(getattr(x, name))
    return found


UNITS = {'B': 1, 'KB': 10**3, 'MB': 10**6, 'GB': 10**9, 'TB': 10**12, 'KIB': 2**10, 'MIB': 2**20, 'GIB': 2**30, 'TIB': 2**40}


def parsed(text):
    """The number of bytes that `'200MB'` means: units are B, kB, MB, GB, TB (powers of 1000) and KiB, MiB, GiB, TiB."""
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        return int(text)
    digits = text.strip().rstrip('BbKkMmGgTtIi ') if isinstance(text, str) else ''
    unit = text.strip()[len(digits):].strip().upper() if digits else ''
    try:
        return int(float(digits) * UNITS[unit or 'B'])
    except (ValueError, KeyError):
        raise ArgumentError(f"{text!r} is no amount of memory: write a number of bytes, or '200MB', '1.5GiB'") from None


def shown(count):
    """A number of bytes as people read it."""
    for unit in ('B', 'kB', 'MB', 'GB'):
        if count < 1000:
            return f'{count:.0f} {unit}' if unit == 'B' or count >= 99.95 else f'{count:.1f} {unit}'
        count /= 1000
    return f'{count:.1f} TB'
