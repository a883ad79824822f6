"""How much memory values take: what is kept for a backward pass, counted once however often it is held."""
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
    return sum(own for _, own in pieces(value, {} if seen is None else seen))


def itself(x):
    """(the bytes of an object itself, what else it holds)."""
    if isinstance(x, np.ndarray):
        base = owner(x)
        held = [base] if base is not x else []
        return HEADER + (x.nbytes if base is x else 0), held + (list(x.flat) if x.dtype == object else [])
    if isinstance(x, dict):
        return sys.getsizeof(x), [*x.keys(), *x.values()]
    return sys.getsizeof(x), x if isinstance(x, CONTAINERS) else parts(x)


class Live:
    """What a tape holds, counted once however often it is written there.

    opaque : id -> object for what is not looked into: other tapes
    """

    def __init__(self, elsewhere):
        self.elsewhere, self.opaque = {}, {}
        size(elsewhere, self.elsewhere)
        self.counts, self.bytes = {}, 0

    def take(self, value):
        """Add a value; the bytes that it adds."""
        added = 0
        for x, count in pieces(value, {}, self.elsewhere, self.opaque):
            times, _, _ = self.counts.get(id(x), (0, 0, None))
            self.counts[id(x)] = times + 1, count, x
            added += 0 if times else count
        self.bytes += added
        return added

    def take_itself(self, value, more):
        """Add a tuple without what it holds, and some bytes more; the bytes that this adds."""
        times, count, _ = self.counts.get(id(value), (0, sys.getsizeof(value) + more, None))
        self.counts[id(value)] = times + 1, count, value
        self.bytes += 0 if times else count
        return 0 if times else count

    def let_go(self, value):
        """Take a value away."""
        for x, count in pieces(value, {}, self.elsewhere, self.opaque):
            times, count, _ = self.counts.get(id(x), (0, 0, None))
            if times == 1:
                del self.counts[id(x)]
                self.bytes -= count
            elif times:
                self.counts[id(x)] = times - 1, count, x


class Packed(Live):
    """What a tape of machine code holds: numbers by their bits each time they are written there, arrays once."""

    def __init__(self):
        self.opaque, self.arrays, self.bytes = {}, {}, 0

    def take(self, value):
        added = 0
        for x in leaves(value):
            base = owner(x) if isinstance(x, np.ndarray) else None
            if base is None:
                added += bits(x)
                continue
            times, _ = self.arrays.get(id(base), (0, None))
            self.arrays[id(base)] = times + 1, base
            added += 0 if times else base.nbytes
        self.bytes += added
        return added

    def take_itself(self, value, more):
        return 0

    def let_go(self, value):
        for x in leaves(value):
            base = owner(x) if isinstance(x, np.ndarray) else None
            if base is None:
                self.bytes -= bits(x)
            elif id(base) in self.arrays:
                times, _ = self.arrays.pop(id(base))
                if times > 1:
                    self.arrays[id(base)] = times - 1, base
                else:
                    self.bytes -= base.nbytes


def leaves(value):
    """The numbers and arrays of a value of a tape."""
    if isinstance(value, (tuple, list)):
        return [x for part in value for x in leaves(part)]
    return [value]


def bits(x):
    """The bytes of a number in machine code."""
    if isinstance(x, np.generic):
        return x.nbytes
    return 16 if isinstance(x, complex) else 1 if isinstance(x, bool) else 8 if isinstance(x, (int, float)) else 0


def pieces(value, seen, elsewhere=types.MappingProxyType({}), opaque=types.MappingProxyType({})):
    """(object, the bytes of itself) for all that a value holds and that stands in none of these; it is added to `seen`."""
    pending = [value]
    while pending:
        x = pending.pop()
        if id(x) in seen or id(x) in elsewhere or id(x) in opaque or x is None or isinstance(x, (bool, FREE)) \
                or type(x) is int and -5 <= x <= 256:
            continue
        seen[id(x)] = x
        own, held = itself(x)
        yield x, own
        pending += held


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
    digits = text.strip().rstrip('BbKkMmGgTtIi ') if isinstance(text, str) else ''
    unit = text.strip()[len(digits):].strip().upper() if digits else 'B'
    try:
        count = float(digits) if isinstance(text, str) else text
        if isinstance(text, bool) or not 0 <= count < float('inf'):
            raise ValueError
        return int(count * UNITS[unit or 'B'])
    except (ValueError, TypeError, KeyError):
        raise ArgumentError(f"{text!r} is no amount of memory: write a number of bytes, or '200MB', '1.5GiB'") from None


def shown(count):
    """A number of bytes as people read it."""
    for unit in ('B', 'kB', 'MB', 'GB'):
        if count < 1000:
            return f'{count:.0f} {unit}' if unit == 'B' or count >= 99.95 else f'{count:.1f} {unit}'
        count /= 1000
    return f'{count:.1f} TB'
