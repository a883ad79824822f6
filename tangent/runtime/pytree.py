"""Values as their leaves: the numbers and arrays of any nesting of tuples, lists, dicts, namedtuples and dataclasses."""
import numbers

import numpy as np

from tangent.errors import ArgumentTypeError
from tangent.runtime.fields import is_object
from tangent.runtime.zeros import is_record, rebuilt


def is_leaf(value):
    """Whether it is a number or an array of numbers."""
    if isinstance(value, (bool, np.bool_)):
        return False
    return isinstance(value, numbers.Number) or getattr(getattr(value, 'dtype', None), 'kind', None) in tuple('iufcO')


def mapped(function, value, *others):
    """The structure of `value`, with `function` of each leaf of it and what stands there in `others`."""
    made = rebuilt(value, lambda *parts: mapped(function, *parts), *others)
    if made is not None:
        return made
    return function(value, *others) if is_leaf(value) else value


def leaves(value):
    """The leaves of a value in order."""
    found = []
    mapped(found.append, value)
    return found


def leaves_like(value, other):
    """What stands in another value where the leaves of a value are: gradients may have leaves where there is a mask."""
    found = []
    mapped(lambda _, part: found.append(part), value, other)
    return found


def filled(value, items):
    """The structure of `value` with the items, in order, in place of its leaves."""
    rest = iter(items)
    return mapped(lambda _: next(rest), value)


def places(value, name=''):
    """Names for the leaves of a value, as a person would write them: `x[0]['w']`."""
    if isinstance(value, (tuple, list)):
        return [p for k, v in enumerate(value) for p in places(v, f'{name}[{k}]')]
    if isinstance(value, dict):
        return [p for k, v in value.items() for p in places(v, f'{name}[{k!r}]')]
    if is_record(value):
        return [p for k in vars(value) for p in places(getattr(value, k), f'{name}.{k}')]
    return [name] if is_leaf(value) else []


def size(value):
    """How many numbers a value is made of."""
    return sum(np.size(leaf) for leaf in leaves(value))


def numeric(value, what):
    """The leaves of a value that has to have some.

    Raises
    ------
    ArgumentTypeError
        If there is no number in it.
    """
    found = leaves(value)
    if not found and is_object(value):
        raise ArgumentTypeError(f'{what} is a {type(value).__name__}, an object: give the vector of its numbers, as in '
                                'vector, unravel = tangent.ravel_pytree(thing), to a function that calls unravel')
    if not found:
        raise ArgumentTypeError(f'{what} is {value!r}: there is no number in it')
    return found


def flattened(value):
    """All the numbers of a value in one array."""
    rows = [np.ravel(leaf) for leaf in leaves(value)]
    return np.concatenate(rows) if rows else np.zeros(0)
