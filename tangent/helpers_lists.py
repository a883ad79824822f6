"""Gradients of lists and dicts: run-time functions that the rules of containers name in their texts."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from tangent.utils import copy


def own_parts(gradient):
    """The gradient of a list or dict as a list or dict that nothing else holds, nor any part of it."""
    if isinstance(gradient, dict):
        return {key: copy(value) for key, value in gradient.items()}
    return [copy(value) for value in gradient]


def same_length(*lengths):
    """The common length of what is zipped strictly."""
    if len(set(lengths)) > 1:
        raise ValueError(f'zip() arguments have different lengths: {", ".join(map(str, lengths))}')
    return lengths[0]


def is_sequence(subject):
    """Whether a sequence pattern of `match` may match it: lists, tuples and their like, but no strings."""
    return isinstance(subject, Sequence) and not isinstance(subject, (str, bytes, bytearray))


def is_mapping(subject):
    """Whether a mapping pattern of `match` may match it."""
    return isinstance(subject, Mapping)
