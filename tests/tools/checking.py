"""Gradients without tangent: extrapolated differences and the complex step, on arguments that may be nested containers.

The tests compare every derivative with these. A value is a number, an array, or a tuple, list or dict of values;
:func:`numbers` lays its numbers out in a row and :func:`rebuild` puts a row back into the same shape.
"""
import copy
import inspect
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

STEP = 4e-3
KINK_STEP = 1e-6


class NotSmooth(Exception):
    """Differences with several steps disagree: the point lies on or beside a kink, and the check says nothing."""


def numbers(value):
    """All the numbers in a value, in a row (float64, or complex128 where there is a complex one)."""
    if isinstance(value, (tuple, list)):
        rows = [numbers(v) for v in value]
    elif isinstance(value, dict):
        rows = [numbers(v) for v in value.values()]
    elif isinstance(value, (str, bytes, type(None))):
        rows = []
    else:
        value = np.asarray(value)
        return value.reshape(-1).astype(complex if value.dtype.kind == 'c' else float)
    return np.concatenate(rows) if rows else np.zeros(0)


def rebuild(value, row):
    """A value of the same structure and shapes with the numbers of `row` in it."""
    return _rebuild(value, iter(row))


def _rebuild(value, row):
    if isinstance(value, tuple) and hasattr(value, '_fields'):
        return type(value)(*(_rebuild(v, row) for v in value))
    if isinstance(value, (tuple, list)):
        return type(value)(_rebuild(v, row) for v in value)
    if isinstance(value, dict):
        return {k: _rebuild(v, row) for k, v in value.items()}
    if isinstance(value, (str, bytes, type(None))):
        return value
    if isinstance(value, np.ndarray):
        return np.array([next(row) for _ in range(value.size)]).reshape(value.shape)
    new = next(row)
    return new.item() if isinstance(new, np.generic) else new


def same_structure(a, b):
    """Whether two values have the same containers, keys and shapes."""
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same_structure, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same_structure(a[k], b[k]) for k in a)
    if isinstance(a, (str, bytes, type(None))):
        return True
    return not isinstance(b, (tuple, list, dict, str)) and np.shape(a) == np.shape(b)


def weighted(f, seed):
    """The scalar function `sum(seed * f(...))`; a seed of None stands for the first element of the result."""
    def scalar(*args):
        value = f(*args)
        if seed is None:
            return numbers(value[0] if isinstance(value, tuple) else value)[0]
        return np.dot(numbers(value), numbers(seed))
    return scalar


def _along(f, args, position, index):
    """The function of one number that moves entry `index` of argument `position`."""
    row = numbers(args[position])

    def line(h):
        moved = row.astype(complex) if isinstance(h, complex) else row.copy()
        moved[index] += h
        new = [copy.deepcopy(a) for a in args]
        new[position] = rebuild(args[position], moved)
        return f(*new)
    return line


def slope(line, step=STEP):
    """The derivative of a smooth function of one number at 0, and how far it can be trusted."""
    def central(h):
        return (line(h) - line(-h)) / (2 * h)
    a, b, c = central(step), central(step / 2), central(step / 4)
    once, twice = (4 * b - a) / 3, (4 * c - b) / 3
    best = (16 * twice - once) / 15
    return best, abs(best - twice)


def kinked(line):
    """Whether the slopes on the two sides of 0 differ."""
    middle, up, down = line(0.0), line(KINK_STEP), line(-KINK_STEP)
    scale = max(1.0, abs(middle), abs(up - down) / KINK_STEP)
    return abs(up - 2 * middle + down) / KINK_STEP > 1e-3 * scale


def differences(f, args, wrt, seed=None, strict=False):
    """Gradients by extrapolated central differences, one per position in `wrt`.

    Parameters
    ----------
    f : callable
    args : sequence
    wrt : sequence of int
    seed : value, optional
        Weights of the numbers of the result; by default the result is scalar (or its first element is).
    strict : bool
        Raise :class:`NotSmooth` where the steps disagree.
    """
    scalar, result = weighted(f, seed), []
    for position in wrt:
        row = []
        for index in range(len(numbers(args[position]))):
            line = _along(scalar, args, position, index)
            best, doubt = slope(line)
            if strict and (not np.isfinite(best) or doubt > 1e-6 * max(1.0, abs(best)) or kinked(line)):
                raise NotSmooth(f'entry {index} of argument {position}')
            row.append(best)
        result.append(rebuild(args[position], row))
    return result


def complex_step(f, args, wrt):
    """Gradients by the complex step: exact to rounding, for programs made of analytic operations."""
    result = []
    for position in wrt:
        row = [_along(weighted(f, None), args, position, i)(1e-30j).imag / 1e-30
               for i in range(len(numbers(args[position])))]
        result.append(rebuild(args[position], row))
    return result


def difference(actual, expected, tolerance=1e-6):
    """What is wrong with a gradient, in words, or None if nothing is."""
    if not same_structure(expected, actual):
        return f'structure differs: expected like {expected!r}, got {actual!r}'
    a, b = numbers(actual), numbers(expected)
    scale = max(1.0, np.max(np.abs(b), initial=0.0))
    if not np.allclose(a, b, rtol=tolerance, atol=tolerance * scale):
        return f'expected {expected!r}, got {actual!r}'
    return None


def assert_close(actual, expected, tolerance=1e-6):
    problem = difference(actual, expected, tolerance)
    assert problem is None, problem


def random_like(value, seed=0):
    """A value of the same structure with random numbers (a seed for a result that is not scalar)."""
    return rebuild(value, np.random.RandomState(seed).uniform(0.5, 1.5, len(numbers(value))))


def share_memory(values):
    """Whether any two arrays in the values (containers searched) share memory."""
    arrays = [a for v in values for a in arrays_in(v)]
    return any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i] if a.size and b.size)


def arrays_in(value):
    """The arrays in a value, in order."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [a for v in value for a in arrays_in(v)] if isinstance(value, (tuple, list)) else []


class Case(NamedTuple):
    """A function with arguments at which it is smooth, and the positions that are differentiated."""
    function: Callable
    args: tuple
    wrt: tuple

    @property
    def label(self):
        return f'{self.function.__name__}-{"".join(map(str, self.wrt))}'


def active(value):
    """Whether a value has numbers that a gradient can be asked for: no bools, strings or bare ints."""
    if isinstance(value, (tuple, list)):
        return bool(value) and all(map(active, value))
    if isinstance(value, dict):
        return bool(value) and all(map(active, value.values()))
    return isinstance(value, (float, complex)) or (isinstance(value, np.ndarray) and value.dtype.kind in 'fc')


def add_case(cases, function, *args, wrt=None):
    """Append a case with respect to all active arguments, or one for each tuple of positions in `wrt`."""
    everything = tuple(i for i, a in enumerate(args) if active(a))
    cases += [Case(function, args, positions) for positions in wrt or [everything]]


def seed_name(derivative):
    """The name of the seed of a derivative: its last argument that is not keyword-only, or behind `*args` the last one."""
    code = derivative.__code__
    if code.co_flags & inspect.CO_VARARGS:
        return code.co_varnames[code.co_argcount + code.co_kwonlyargcount - 1]
    return code.co_varnames[code.co_argcount - 1]
