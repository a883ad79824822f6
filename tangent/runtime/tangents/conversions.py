"""Several directions at the doors of emitted code: tangents as people give and take them, and zeros."""
import collections
import types

import numpy as np

from tangent.errors import ArgumentTypeError, ShapeError
from tangent.runtime import facts
from tangent.runtime.broadcast import cast, gradient_dtype, shape_of
from tangent.runtime.objects import Record, attributes
from tangent.runtime.tangents.batched import NUMBERS, Directions, Held
from tangent.runtime.tangents.parts import WAY_OUT, DirectionsError, count_in
from tangent.runtime.tangents.zeros import is_constant, zero_tangent
from tangent.runtime.zeros import TupleGrad, is_record, rebuilt


def directions(*tangents):
    """How many directions the tangents have that a twin was given, None where they are plain."""
    return count_in(tangents)


def count_directions(x, dx):
    """How many directions there are in the tangents `dx` of the arguments `x`: the length of the first axis of each."""
    found = set(counts(x, dx))
    if len(found) != 1 or not isinstance(next(iter(found)), int):
        raise ShapeError('tangents in several directions have an axis of directions in front, of one length for all; here '
                         f'there is {", ".join(map(str, found)) or "none"}')
    return found.pop()


def counts(x, dx):
    if isinstance(x, (tuple, list)):
        if not isinstance(dx, (tuple, list)) or len(x) != len(dx):
            raise ShapeError(f'Shape mismatch between an argument ({type(x).__name__} of {len(x)}) and its tangents')
        return [n for v, d in zip(x, dx) if not skipped(v, d) for n in counts(v, d)]
    if isinstance(x, dict):
        if not isinstance(dx, dict) or x.keys() != dx.keys():
            raise ShapeError(f'Shape mismatch between an argument (dict of {len(x)}) and its tangents')
        return [n for key, v in x.items() if not skipped(v, dx[key]) for n in counts(v, dx[key])]
    if is_record(x):
        if type(x) is not type(dx):
            raise ShapeError(f'Shape mismatch between an argument ({type(x).__name__}) and its tangents')
        return [n for key, v in vars(x).items() if not skipped(v, getattr(dx, key))
                for n in counts(v, getattr(dx, key))]
    shape = np.shape(dx)
    return shape[:1] if shape and shape[1:] == shape_of(x) else [f'the shape {shape} for a value of shape {shape_of(x)}']


def skipped(x, dx):
    """Whether a part of a container has no tangents that are given."""
    return dx is None or is_constant(x, dx)


def to_directions(x, dx, count):
    """The tangents `dx` that were given for the argument `x` in so many directions, as emitted code takes them."""
    if dx is None:
        return None
    if is_constant(x, dx):
        return zero_tangent(x)
    made = rebuilt(x, lambda v, d: to_directions(v, d, count), dx)
    if made is not None:
        return made
    if isinstance(x, (bool, np.bool_, str, bytes, type(None))) or getattr(x, 'dtype', None) == np.dtype(bool):
        raise ArgumentTypeError(f'wrt asks for the derivative by an argument that is a {type(x).__name__}: only numbers, '
                                'arrays and containers of them have one')
    dx = np.asarray(dx)
    if dx.shape != (count, *shape_of(x)):
        raise ShapeError(f'Shape mismatch between argument value {shape_of(x)} and its tangents {dx.shape}: in {count} '
                         f'directions they have the shape {(count, *shape_of(x))}')
    if dx.dtype.kind in 'iub':
        dx = dx.astype(float)
    if dx.dtype.kind not in 'fc' or gradient_dtype(x) is None and not isinstance(x, (float, int, complex)):
        raise DirectionsError(f'an argument that is a {type(x).__name__} has no tangents in several directions: {WAY_OUT}')
    return (Held if isinstance(x, np.ndarray) and not x.ndim else Directions)(cast(dx, x))


def zero_directions(x, count):
    """The zero tangent of `x` in so many directions, of its structure and writeable; `count` is None where all are plain."""
    return zero_parts(x, count, {})


def zero_parts(x, count, known):
    """The same for a part of something: what is one thing in two places is so in the tangent, too."""
    if id(x) in known:
        return known[id(x)][0]
    found = zero_part(x, count, known)
    if isinstance(x, (list, dict, np.ndarray)) or is_record(x):
        known[id(x)] = found, x
    return found


def zero_part(x, count, known):
    if isinstance(x, (np.ndarray, *NUMBERS)) and not isinstance(x, bool) and count is not None:
        dtype = gradient_dtype(np.asarray(x))
        if dtype is not None:
            return (Held if isinstance(x, np.ndarray) and not x.ndim else Directions)(np.zeros((count, *np.shape(x)), dtype))
    if type(x) is dict or isinstance(x, (tuple, list)) or is_record(x) and vars(x):       # `__init__` has yet to fill others
        return rebuilt(x, lambda v: zero_parts(v, count, known))
    found = zero_tangent(x)
    if isinstance(found, Record) and not isinstance(x, BaseException):
        known[id(x)] = found, x
        for name, value in attributes(x).items():
            setattr(found, name, zero_parts(value, count, known))
    return found


def from_directions(tangent, count):
    """The tangents of a result as they are handed out: arrays with an axis of directions in front."""
    if tangent is None:
        return None
    if isinstance(tangent, Directions):
        return tangent.d
    made = rebuilt(list(tangent) if isinstance(tangent, TupleGrad) else tangent, lambda t: from_directions(t, count))
    if made is not None:
        return made
    if isinstance(tangent, (int, float, complex, np.generic, np.ndarray)):
        return np.broadcast_to(tangent, (count, *np.shape(tangent))).copy()
    raise DirectionsError(f'a result whose tangent is a {type(tangent).__name__} has none in several directions: {WAY_OUT}')


def passes_directions(function):
    """Whether a function takes `Directions` as they are."""
    if isinstance(function, np.ufunc) or hasattr(function, '_implementation'):
        return function is not np.full_like                # of which NumPy asks the first argument alone
    if isinstance(function, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        return function.__objclass__ in (object, list, dict, tuple, collections.deque)
    if facts.home(function) == 'builtins':
        return facts.of(function.__name__).directions
    return facts.home(function) == '_operator' or facts.is_ours(function) and facts.of(function).directions
