"""Derivatives by central finite differences, entry by entry: what `tangent check` compares with.

It knows numbers, arrays, and tuples, lists and dicts of them; it never sees a tree.
"""
import copy
import inspect
import math
from typing import NamedTuple

import numpy

from tangent.errors import ArgumentError, ArgumentTypeError, ShapeError
from tangent.interfaces.tools.viewer import progress
from tangent.persistent.array import Array

MOST = 100  # entries of one array that are looked at


class Row(NamedTuple):
    """How one number or array of the arguments fares: its worst entry, of `checked` entries out of `size`."""
    place: str
    checked: int
    size: int
    derivative: complex
    difference: complex
    error: float


def positions(func, wrt):
    """Positions of the arguments that `wrt` names, with their names."""
    names = list(inspect.signature(func).parameters)
    found = []
    for w in wrt:
        if w not in names and not (isinstance(w, int) and w < len(names)):
            raise ArgumentError(f'{func.__name__} has no argument {w!r}; its arguments are {", ".join(names)}')
        found.append((names.index(w), w) if w in names else (w, names[w]))
    return found


def compare(func, df, args, wrt):
    """Rows that compare `df(*args)` with differences of `func`, for the arguments `wrt` (see :func:`positions`)."""
    args = list(args)
    for k, name in wrt:
        if k >= len(args):
            raise ArgumentError(f'{func.__name__} is checked by its argument {name!r}, for which no value is given')
        args[k] = promote(args[k], name)
    cost(func, args)  # what fails without derivatives is shown as such
    gradients = df(*copy.deepcopy(args))
    if len(wrt) == 1:
        gradients = (gradients,)
    return [row for (k, name), g in zip(wrt, gradients)
            for row in rows(lambda value, k=k: cost(func, args[:k] + [value] + args[k + 1:]), args[k], g, name)]


def promote(value, name):
    """The value in double precision, so that differences mean something."""
    if isinstance(value, (tuple, list)):
        return like(value, [promote(item, f'{name}[{k}]') for k, item in enumerate(value)])
    if isinstance(value, dict):
        return {key: promote(item, f'{name}[{key!r}]') for key, item in value.items()}
    kind = numpy.asarray(value).dtype.kind
    if kind not in 'iufc':
        raise ArgumentTypeError(f'argument {name}: {value!r} is not a number or an array of numbers')
    if not numpy.all(numpy.isfinite(value)):
        raise ArgumentError(f'argument {name} holds nan or inf, where finite differences say nothing')
    if isinstance(value, numpy.ndarray):
        return value.astype(complex if kind == 'c' else float)
    if isinstance(value, Array):
        return Array(value, complex if kind == 'c' else float)
    return complex(value) if kind == 'c' else float(value)


def moved_to(place, value):
    """A point near the value of an argument, in its kind."""
    return Array(place) if isinstance(value, Array) else place


def cost(func, args):
    """The number that is differentiated: the result, or the first element of a tuple."""
    result = func(*copy.deepcopy(args))
    result = result[0] if isinstance(result, tuple) else result
    if numpy.size(result) != 1:
        raise ShapeError(f'{func.__name__} returns an array of shape {numpy.shape(result)}, not a number: check a function '
                         'that makes a number of it, or use tangent.check_grads, which takes results of any shape')
    return numpy.reshape(result, ())[()]


def rows(f, value, gradient, name):
    """A row for each number or array in `value`."""
    if isinstance(value, dict):
        return [row for key in value for row in
                rows(lambda v, key=key: f({**value, key: v}), value[key], gradient[key], f'{name}[{key!r}]')]
    if isinstance(value, (tuple, list)):
        return [row for k, item in enumerate(value) for row in
                rows(lambda v, k=k: f(like(value, [*value[:k], v, *value[k + 1:]])), item, gradient[k], f'{name}[{k}]')]
    return [leaf_row(f, value, gradient, name)]


def like(sequence, items):
    """The items as a sequence of the same type: list, tuple, namedtuple."""
    return type(sequence)(*items) if hasattr(sequence, '_fields') else type(sequence)(items)


def leaf_row(f, value, gradient, name):
    """The row of one number or array: the worst of its entries."""
    array = numpy.asarray(value)
    if numpy.shape(gradient) != array.shape:
        raise ShapeError(f'the gradient by {name} has shape {numpy.shape(gradient)}, the argument has {array.shape}')
    entries = list(numpy.ndindex(array.shape))
    entries = entries[::max(1, math.ceil(len(entries) / MOST))]
    worst = Row(name, len(entries), array.size, 0.0, 0.0, 0.0)
    for index in progress.bar(entries, name):
        difference = entry_difference(lambda place: f(moved_to(place, value)), array, index)
        derivative = numpy.asarray(gradient)[index]
        error = relative(derivative, difference)
        if not error < worst.error or index == entries[0]:
            place = name + (f'[{", ".join(map(str, index))}]' if index else '')
            worst = Row(place, len(entries), array.size, derivative, difference, error)
    return worst


def entry_difference(f, array, index):
    """The difference quotient by one entry; for a complex entry `d/dx + 1j d/dy`, as gradients have it."""
    def at(delta):
        moved = array.copy()
        moved[index] += delta
        return f(moved if array.ndim else moved[()])

    step = numpy.cbrt(numpy.finfo(float).eps) * max(1.0, abs(array[index]))
    slope = richardson(at, step)
    return slope + 1j * richardson(at, 1j * step) if numpy.iscomplexobj(array) else slope


def richardson(at, step):
    """Two central differences, combined so that the error falls with the fourth power of the step."""
    fine = (at(step) - at(-step)) / (2 * abs(step))
    coarse = (at(2 * step) - at(-2 * step)) / (4 * abs(step))
    return (4 * fine - coarse) / 3


def relative(a, b):
    if a == b or numpy.isnan(a) and numpy.isnan(b):
        return 0.0
    error = abs(a - b) / max(1.0, abs(a), abs(b))
    return numpy.inf if numpy.isnan(error) else error
