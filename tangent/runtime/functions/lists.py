"""Gradients of lists and dicts: run-time functions that the rules of containers name in their texts."""
import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from tangent.runtime.api import TupleGrad, copy, init_grad


def own_parts(gradient):
    """The gradient of a list, dict or deque as a list or dict that nothing else holds, nor any part of it."""
    if isinstance(gradient, dict):
        return {key: copy(value) for key, value in gradient.items()}
    return [copy(value) for value in gradient]


def ranked(value, place):
    """What stands in a heap for a value: it is compared as that is, and knows the place of that."""
    return value, place


def own_gradient(b):
    """A copy of a gradient that can be written into."""
    return TupleGrad(map(copy, b)) if type(b) is tuple else copy(b)


def first(items, count):
    """The first so many of what may have no end."""
    return itertools.islice(items, count)


def writeable(b):
    """A gradient that nothing else holds as one into whose parts can be written."""
    return TupleGrad(b, type(b)) if isinstance(b, tuple) else b


def same_length(*lengths):
    """The common length of what is zipped strictly."""
    if len(set(lengths)) > 1:
        raise ValueError(f'zip() arguments have different lengths: {", ".join(map(str, lengths))}')
    return lengths[0]


def is_sequence(subject):
    """Whether a sequence pattern of `match` may match it: lists, tuples and their like, but no strings."""
    return isinstance(subject, Sequence) and not isinstance(subject, (str, bytes, bytearray))


def dict_keys(subject):
    """What a loop over the thing goes through, where that has no derivative: the keys of a dict, numbers that index."""
    return subject.keys() if isinstance(subject, dict) else subject


def last_key(subject):
    """The key that `popitem` would take off a dict."""
    if not subject:
        raise KeyError('popitem(): dictionary is empty')
    return next(reversed(subject))


def is_mapping(subject):
    """Whether a mapping pattern of `match` may match it."""
    return isinstance(subject, Mapping)


def unmerged(gradient, part, *later):
    """The gradient of one of the dicts that were merged into one; what `later` parts have replaced has none."""
    if not isinstance(part, dict):                 # a | b of masks
        return init_grad(part)
    return {key: init_grad(value) if any(key in other for other in later) else gradient[key] for key, value in part.items()}


def remerged(d, gradient, part, *later):
    """The gradient of `gradient`, from that of `unmerged(gradient, part, *later)`."""
    if not isinstance(part, dict):
        return init_grad(gradient)
    kept = {key for key in part if not any(key in other for other in later)}
    return {key: d[key] if key in kept else init_grad(value) for key, value in gradient.items()}


def united(x, y):
    """`x | y`: two dicts made one, or two masks."""
    return x | y


def columns(*parts):
    """`numpy.c_[parts]`."""
    return np.c_[parts]


def uncolumns(d, parts):
    """The gradients of the arrays that `columns` put side by side."""
    widths = [np.shape(part)[-1] if np.ndim(part) > 1 else 1 for part in parts]
    pieces = np.split(np.asarray(d), np.cumsum(widths)[:-1], axis=-1)
    return [np.array(np.reshape(piece, np.shape(part))) for piece, part in zip(pieces, parts)]
