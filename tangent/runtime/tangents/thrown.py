"""Exceptions that carry values, in forward mode: each brings its tangent with it, as an attribute.

    error, derror = pushforward(Stopped, (x,), (dx,))
    raise with_tangent(error, derror)
    raise without_tangent(Stopped(0.5))
    ...
    except Stopped as e:
        de = tangent_of_error(e)
"""
import builtins

from tangent.errors import ForwardNotImplementedError
from tangent.runtime.objects import Record
from tangent.runtime.tangents.zeros import zero_tangent

GROUPS = getattr(builtins, 'BaseExceptionGroup', ())                 # from Python 3.11 on
PLAIN = str, bytes, int, type, type(None)


def thrown(kind, args, tangents, keywords):
    """An exception of a class that is yet to be initialised, and its tangent."""
    value = kind.__new__(kind, *args, **keywords)
    d = Record(value)
    set_args(value, d, args, tangents)
    return value, d


def initialized(init, args, tangents, keywords, df):
    """What `BaseException.__init__`, bound to an exception with the tangent `df`, does to both."""
    init(*args, **keywords)
    if df is not None:
        set_args(init.__self__, df, args, tangents)


def set_args(error, d, args, tangents):
    """What it does to the tangent."""
    d.args = tuple(zero_tangent(a) if t is None else t for a, t in zip(args, tangents))
    if isinstance(error, GROUPS):
        held = tangents[1] if len(tangents) > 1 and tangents[1] is not None else [None] * len(error.exceptions)
        d.exceptions = tuple(tangent_of_error(e) if t is None else t for e, t in zip(error.exceptions, held))
    for kind, name in ((StopIteration, 'value'), (SystemExit, 'code')):
        if isinstance(error, kind) and len(d.args) == 1:
            setattr(d, name, d.args[0])


def with_tangent(error, d):
    error.__tangent__ = d
    if isinstance(error, GROUPS):                       # `except*` makes other groups of the errors that it holds
        for inner, di in zip(error.exceptions, d.exceptions):
            with_tangent(inner, di)
    return error


def without_tangent(error):
    """An exception that is raised with values that have no derivative."""
    if isinstance(error, GROUPS):
        return error
    d = Record(error)
    set_args(error, d, error.args, [None] * len(error.args))
    vars(d).update({name: zero_tangent(v) for name, v in vars(error).items()})
    return with_tangent(error, d)


def tangent_of_error(error):
    """The tangent that an exception has brought; zero for one that holds no number."""
    found = vars(error).get('__tangent__')
    if found is not None:
        for name in ('__cause__', '__context__'):
            if hasattr(before := getattr(error, name), '__tangent__'):
                setattr(found, name, before.__tangent__)
        return found
    if isinstance(error, GROUPS):
        d = Record(error)
        d.exceptions = tuple(map(tangent_of_error, error.exceptions))
        d.args = None, d.exceptions
        return d
    if not all(isinstance(v, PLAIN) for v in (*error.args, *vars(error).values())):
        raise ForwardNotImplementedError(f'{type(error).__name__} was raised where its tangent is not known, and is asked for '
                                         'values: return them')
    d = Record(error)
    set_args(error, d, error.args, [None] * len(error.args))
    return d


__all__ = ['tangent_of_error', 'with_tangent', 'without_tangent']
