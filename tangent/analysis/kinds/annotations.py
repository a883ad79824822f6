"""What annotations say of parameters and fields: `x: float`, `w: np.ndarray`, `beam: Beam`."""
import dataclasses
import functools
import typing

import numpy as np

from tangent.analysis.kinds.records import fields_of_named


def annotated(thing):
    """Name -> class for the annotations of a function or a class that can be read; arrays of any kind are `numpy.ndarray`."""
    try:
        found = typing.get_type_hints(thing)
    except Exception:                      # a name that is known to type checkers alone
        found = getattr(thing, '__annotations__', {})
    return {name: plain(hint) for name, hint in found.items() if name != 'return'}


def plain(hint):
    """The class that an annotation names, or a word for what is none; None where it says nothing."""
    if isinstance(hint, typing.TypeVar) or hint is typing.Any or isinstance(hint, str):
        return None
    kind = typing.get_origin(hint) or hint
    if isinstance(kind, type):
        return np.ndarray if issubclass(kind, np.ndarray) else float if issubclass(kind, np.floating) else kind
    return None


@functools.lru_cache(maxsize=1024)
def fields_of(kind):
    """Field -> what its annotation says, of a class of records: a dataclass or a namedtuple; None for any other class."""
    if dataclasses.is_dataclass(kind):
        hints = annotated(kind)
        return {field.name: hints.get(field.name) for field in dataclasses.fields(kind)}
    names = fields_of_named(kind) if isinstance(kind, type) else None
    return {name: annotated(kind).get(name) for name in names} if names else None
