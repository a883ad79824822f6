"""Classes whose calls are displays, as far as derivatives go: namedtuples and dataclasses that run no code of their own."""
from __future__ import annotations

import dataclasses
import inspect
import types

import gast


def parts_of(kind, call):
    """Name of the part -> argument, of a call that makes a namedtuple or dataclass; None where code of its own runs."""
    if not isinstance(kind, type) or any(isinstance(a, gast.Starred) for a in call.args) \
            or any(k.arg is None for k in call.keywords):
        return None
    if not is_plain_tuple(kind) and not is_plain_record(kind):
        return None
    try:
        bound = inspect.signature(kind).bind(*call.args, **{k.arg: k.value for k in call.keywords})
    except (TypeError, ValueError):
        return None
    return dict(bound.arguments)


def is_plain_tuple(kind):
    """Whether a class is a namedtuple that adds nothing to how it is made."""
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, '_fields') \
        and is_generated(kind.__new__) and kind.__init__ is object.__init__


def is_plain_record(kind):
    """Whether a class is a dataclass whose instances hold what they are made with, and nothing else happens."""
    return dataclasses.is_dataclass(kind) and is_generated(kind.__init__) and kind.__new__ is object.__new__ \
        and not hasattr(kind, '__post_init__') and (kind.__setattr__ is object.__setattr__
                                                    or kind.__dataclass_params__.frozen)


def is_generated(function):
    """Whether a function was written by the standard library: it stands in no file."""
    return isinstance(function, types.FunctionType) and function.__code__.co_filename.startswith('<')
