"""Contexts that a generator makes (`contextlib.contextmanager`), in forward mode: what is given has its tangent with it.

    context, dcontext = pushforward(scaled, (x,), (dx,))
    y, dy = pushforward(context.__enter__, (), ())
"""
import contextlib
import sys
import types

from tangent.runtime.tangents.zeros import zero_tangent


class PushedContext:
    """The context that a generator of (value, tangent) makes."""

    def __init__(self, pairs):
        self.context = contextlib.contextmanager(lambda: pairs)()

    def __enter__(self):
        return self.context.__enter__()

    def __exit__(self, *error):
        return self.context.__exit__(*error)


def of_context(f, args):
    """(value, tangent) of a call of a method of such a context, or of one written in C, as a lock; None of anything else."""
    if isinstance(f, types.BuiltinMethodType) and f.__name__ in ('__enter__', '__exit__'):
        value = f(*args)
        return value, zero_tangent(value)
    if not isinstance(f, types.MethodType) or type(f.__self__) is not PushedContext:
        return None
    return f(*args) if f.__name__ == '__enter__' else (f(*args), None)


def raised(k):
    """Of the exception at hand the class, itself, or where it was raised."""
    return sys.exc_info()[k]
