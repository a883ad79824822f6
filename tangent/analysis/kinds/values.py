"""Kinds of values: what is known of a number or an array without a look at its elements.

    0.5                     Number('float64', python=True)
    numpy.float64(0.5)      Number('float64', python=False)
    numpy.ones((5, 1))      Array(('n', 1), 'float64')

A kind is for the very classes that it names: a subclass, or a number of somebody else's, is of no kind (None), and so is what
nobody has looked at. Axes of one length have one name in all arrays that are looked at together, so that `x + y` has the shape
of `x` where both are `('n',)`; those of length 1, which broadcast, are 1. An axis that a name stands for has two elements or
more; where not even that is known it is None, or `Less`.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Number(NamedTuple):
    """A number.

    python : whether it is Python's own or NumPy's, None where it may be either
    axis : for an integer, the length of which axes it is, if that is known
    """
    dtype: str
    python: bool | None = True
    axis: object = None


class Array(NamedTuple):
    """An array of class `numpy.ndarray` itself."""
    axes: tuple
    dtype: str


class Parts(NamedTuple):
    """A tuple of so many parts."""
    kinds: tuple


class Less(NamedTuple):
    """The length of an axis less so many: of `x[1:-1]`, which may have one element, or none."""
    axis: object
    fewer: int


INT, FLOAT, BOOL = Number('int64'), Number('float64'), Number('bool')
PYTHON = {float: FLOAT, int: INT, bool: BOOL, complex: Number('complex128')}
SIZES = 'bool', 'int64', 'float64', 'complex128'             # each holds what those before it do
DTYPES = {np.dtype(name): name for name in (*SIZES, 'float32', 'complex64')}
SCALARS = {dtype.type: Number(name, False) for dtype, name in DTYPES.items()}


def kinds_of(values):
    """The kind of each of these values, in which axes of one length have one name."""
    lengths: dict = {1: 1}
    return tuple([kind_of(value, lengths) for value in values])


def kind_of(value, lengths):
    """The kind of a value; `lengths` has the names of axes so far."""
    kind = PYTHON.get(type(value)) or SCALARS.get(type(value))
    if kind is not None or type(value) is not np.ndarray or 0 in value.shape or value.dtype not in DTYPES:
        return kind
    return Array(tuple([lengths.setdefault(n, f'n{len(lengths)}') for n in value.shape]), DTYPES[value.dtype])


def join(left, right):
    """What is known of a value that may be of one kind or the other."""
    if left == right:
        return left
    if type(left) is not type(right):
        return None
    if isinstance(left, Number):
        return Number(left.dtype, left.python if left.python == right.python else None) if left.dtype == right.dtype else None
    if isinstance(left, Parts):
        return Parts(tuple(map(join, left.kinds, right.kinds))) if len(left.kinds) == len(right.kinds) else None
    if not isinstance(left, Array) or left.dtype != right.dtype or len(left.axes) != len(right.axes):
        return None
    return Array(tuple([a if a == b else None for a, b in zip(left.axes, right.axes)]), left.dtype)


def is_float(kind):
    """Whether it is a number of double precision, of Python's or NumPy's."""
    return isinstance(kind, Number) and kind.dtype == 'float64'


def is_integer(kind):
    """Whether it is an integer."""
    return isinstance(kind, Number) and kind.dtype == 'int64'


def is_sum(left, right):
    """Whether `left + right` adds two gradients of one value, of these kinds."""
    return is_float(left) and is_float(right) or is_exact(left) and left == right and left.dtype == 'float64'


def is_exact(kind):
    """Whether no axis is unknown, so that arrays of equal kinds have equal shapes."""
    return isinstance(kind, Array) and None not in kind.axes


def has_elements(kind):
    """Whether there surely is an element."""
    return isinstance(kind, Array) and all(isinstance(axis, (int, str)) for axis in kind.axes)


def length(value):
    """The kind of an integer that stands in the text."""
    return Number('int64', True, value if value > 0 else None)


def shorter(axis, count):
    """An axis less so many elements."""
    if not count or axis is None:
        return axis
    if isinstance(axis, int):
        return axis - count if axis > count else None
    return shorter(axis.axis, axis.fewer + count) if isinstance(axis, Less) else Less(axis, count)


def broadcast(shapes):
    """The axes of what is computed element by element from arrays of these, if it can be."""
    rank = max(map(len, shapes))
    columns = zip(*[(1,) * (rank - len(axes)) + tuple(axes) for axes in shapes])
    return tuple(map(_widest, columns))


def _widest(axes):
    """The longest of the lengths, which are equal but for those of length 1."""
    rest = [axis for axis in axes if axis != 1]
    sure = [axis for axis in rest if isinstance(axis, (int, str))]
    return sure[0] if sure else 1 if not rest else rest[0] if len(set(rest)) == 1 else None


def promoted(kinds):
    """The dtype of what arithmetic makes of these, or None: the same for NumPy 1 and NumPy 2."""
    if not kinds or not all(isinstance(kind, (Number, Array)) for kind in kinds):
        return None
    found = {kind.dtype for kind in kinds}
    if found.issubset(SIZES):
        return max(found, key=SIZES.index)
    arrays = {kind.dtype for kind in kinds if isinstance(kind, Array) and kind.axes}
    weak = all(kind.python and kind.dtype != 'complex128' for kind in kinds if isinstance(kind, Number))
    plain = all(kind.axes for kind in kinds if isinstance(kind, Array))
    return 'float32' if arrays == {'float32'} and weak and plain else None


def elementwise(kinds, gives='same', number=None):
    """The kind of what a function makes element by element; `number` tells whether a number is Python's own."""
    dtype = promoted(kinds)
    if dtype is None:
        return None
    if gives == 'float' and dtype in ('bool', 'int64'):
        dtype = 'float64'
    elif gives == 'real' and dtype == 'complex128':
        dtype = 'float64'
    elif gives == 'bool':
        dtype = 'bool'
    arrays = [kind.axes for kind in kinds if isinstance(kind, Array)]
    axes = broadcast(arrays) if arrays else ()
    if axes:
        return Array(axes, dtype)
    return Number(dtype, False if arrays or any(kind.python is False for kind in kinds) else
                  None if any(kind.python is None for kind in kinds) else number if number is not None else True)


def gradient_kind(kind):
    """The kind of a gradient of what is of that kind; that of an array without axes may be a number."""
    if not isinstance(kind, (Number, Array)) or isinstance(kind, Array) and not kind.axes:
        return None
    dtype = 'float64' if kind.dtype in ('bool', 'int64') else kind.dtype
    return Array(kind.axes, dtype) if isinstance(kind, Array) else Number(dtype, None) if dtype == 'float64' else None
