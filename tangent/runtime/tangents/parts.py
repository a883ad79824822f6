"""One direction at a time: functions that know nothing of directions are called for each, and what they give is joined."""
import collections

import numpy as np

from tangent.errors import ForwardNotImplementedError
from tangent.runtime import facts
from tangent.runtime.zeros import is_record, rebuilt

RULES = facts.BATCHED               # function -> the same for Directions, see `directions_numpy`
WAY_OUT = 'take one direction at a time: jvp(f, wrt) without batched=True'


class DirectionsError(ForwardNotImplementedError):
    """Something that tangents in several directions cannot do at once."""


class Base:
    """What `directions.Directions` is to the functions here.

    d : array of the directions, each of the shape of the value
    held : whether a value without axes is an array, which can be written into
    kinds : its classes in the order in which they are defined: `Directions`, and that of arrays without axes
    """

    __slots__ = ('d',)
    held = False
    kinds: tuple = ()

    def __init_subclass__(cls):
        Base.kinds = *Base.kinds, cls

    def __init__(self, d):
        self.d = d


def each_direction(function, *args, **keywords):
    """`function(*args, **keywords)` for every direction.

    Parameters
    ----------
    function : callable
    args, keywords
        With `Directions`, also in containers, where the function takes tangents.

    Returns
    -------
    object
        What the function gives, with `Directions` in place of its numbers and arrays.

    Examples
    --------
    >>> each_direction(np.sum, Directions(np.array([[1.0, 2.0], [3.0, 4.0]])))
    Directions(array([3., 7.]))
    """
    if count_in((args, keywords)) is None:
        return function(*args, **keywords)
    rule = RULES.get(function)
    found = rule(*args, **keywords) if rule is not None else NotImplemented
    return one_by_one(function, args, keywords) if found is NotImplemented else found


def one_by_one(function, args, keywords=None):
    keywords = keywords or {}
    count = count_in((args, keywords))
    if count is None:
        return function(*args, **keywords)
    if facts.of(function).writes and not isinstance(args[0], Base):
        raise DirectionsError(f'{function.__name__} writes tangents in several directions into a plain array: {WAY_OUT}')
    found = for_each(function, args, keywords, count)
    sources: list = []
    count_in((args, keywords), sources)
    return joined(found, count, sources)


def each_pushed(function, *args, **keywords):
    """(value, tangent) from a function that gives both for one direction: the value is that of the first."""
    count = count_in((args, keywords))
    if count is None:
        return function(*args, **keywords)
    found = for_each(function, args, keywords, count)
    return found[0][0], joined([tangent for _, tangent in found], count)


def for_each(function, args, keywords, count):
    """What the function gives in each direction; what it writes into lists and objects would be lost, or be there twice."""
    found = []
    for k in range(max(count, 1)):
        mine, named = part(args, k), part(keywords, k)
        given = (*mine, *named.values())
        before = [contents(x) for x in given]
        found.append(function(*mine, **named))
        if [contents(x) for x in given] != before:
            raise DirectionsError(f'{getattr(function, "__name__", function)} writes tangents in several directions into what '
                                  f'it is given: {WAY_OUT}')
    return found


def contents(x):
    """What a container or object holds, by identity."""
    if isinstance(x, (np.ndarray, Base, float)):
        return None
    if isinstance(x, dict):
        return [*x, *map(id, x.values())]
    if isinstance(x, (list, tuple, collections.deque)):
        return [*map(id, x)]
    return [(name, id(v)) for name, v in vars(x).items()] if hasattr(x, '__dict__') else None


def count_in(x, sources=None):
    """How many directions there are in a value or container, None where there are none; `sources` gets all that there are."""
    if isinstance(x, Base):
        if sources is not None:
            sources.append(x)
        return len(x.d)
    if isinstance(x, dict) or is_record(x) and hasattr(x, '__dict__'):
        x = (x if isinstance(x, dict) else vars(x)).values()
    elif not isinstance(x, (tuple, list)):
        return None
    found = None
    for v in x:
        count = count_in(v, sources)
        if count is not None:
            if sources is None:
                return count
            found = count
    return found


def part(x, k):
    """A value in the direction number `k`; arrays are views, so that a function may write into them."""
    if isinstance(x, Base):
        if k == len(x.d):                                  # no direction at all: zeros show what a function gives
            return np.zeros(x.shape, x.dtype)[()]
        return x.d[k, ...] if x.held else x.d[k]
    if count_in(x) is None:
        return x
    return rebuilt(x, lambda v: part(v, k))


def joined(found, count, sources=()):
    """What a function gave in each direction, as one: numbers and arrays become `Directions`.

    sources : the tangents that it was given; what is a view of one of them is a view of it in all directions
    """
    first = found[0]
    parts = lambda *each: joined(each, count, sources)                              # noqa: E731
    if isinstance(first, (tuple, list)):
        same_length(found)
    made = rebuilt(first, parts, *found[1:])
    if made is not None:
        return made
    if isinstance(first, (float, complex, np.inexact)) or isinstance(first, np.ndarray) and first.dtype.kind in 'fc':
        if any(np.shape(f) != np.shape(first) for f in found):
            raise DirectionsError(f'a function gives tangents of a shape that depends on the direction: {WAY_OUT}')
        kind = Base.kinds[isinstance(first, np.ndarray) and not first.ndim]
        view = view_of(found, sources) if isinstance(first, np.ndarray) and count else None
        return kind(np.stack(found)[:count] if view is None else view)
    if all(f is first or type(f) is type(first) and same(f, first) for f in found):
        return first
    raise DirectionsError(f'a function gives a {type(first).__name__} that depends on the direction: {WAY_OUT}')


def same_length(found):
    if len(set(map(len, found))) > 1:
        raise DirectionsError(f'a function gives as many values as the direction says: {WAY_OUT}')


def view_of(found, sources):
    """The view of all directions of which those found are the parts; None where they are arrays of their own."""
    for source in sources:
        if np.may_share_memory(found[0], source.d):
            step = source.d.strides[0]
            whole = np.lib.stride_tricks.as_strided(found[0], (len(found), *found[0].shape), (step, *found[0].strides))
            if any(address(f) != address(found[0]) + k * step for k, f in enumerate(found)):
                raise DirectionsError(f'a function gives views that depend on the direction: {WAY_OUT}')
            return whole
    return None


def address(array):
    return array.__array_interface__['data'][0]


def same(a, b):
    if isinstance(a, collections.deque):
        return len(a) == len(b) and all(map(same, a, b))
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)
