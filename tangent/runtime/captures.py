"""What functions have captured, and the gradients of that.

The gradient of a function value is a dict of the gradients of what it captured, by name; None where it captured nothing.
"""
import collections.abc
import datetime
import functools
import inspect
import io
import re
import threading
import types

import numpy as np

from tangent.errors import ArgumentError, ReverseNotImplementedError
from tangent.runtime.fields import own_dict
from tangent.runtime.zeros import ZeroGrad, init_grad, is_extended, is_record

PASSIVE = (bool, int, str, bytes, type(None), type, types.ModuleType, types.BuiltinFunctionType, np.ufunc, np.integer,
           np.bool_, range, slice)
NUMBERLESS = (str, bytes, re.Pattern, re.Match, io.IOBase, type(threading.Lock()), type(threading.RLock()), datetime.date,
              datetime.time, datetime.timedelta, datetime.tzinfo, inspect.Signature, inspect.Parameter)
WHOLE = list, tuple, str, collections.abc.Set, collections.abc.Mapping         # what can be gone through again


def of_text(f, *args):
    """Whether a call is that of a method of a text, a date, a file or a lock which is given nothing that has a derivative."""
    return type(f) is types.BuiltinMethodType and isinstance(f.__self__, NUMBERLESS) and not any(map(differentiable, args))


def makes_keys(f, *args):
    """Whether a call makes a set of what has no derivative."""
    return (f is set or f is frozenset) and all([isinstance(a, WHOLE) and not differentiable(tuple(a)) for a in args])


def differentiable(value, depth=4):
    """Whether a value that a function has captured may have a gradient: integers count as counts, not as numbers."""
    if isinstance(value, (float, complex, np.inexact)):
        return True
    if isinstance(value, np.ndarray):
        return value.dtype.kind in 'fcO' or value.dtype.kind == 'V' and is_extended(value.dtype)
    if isinstance(value, PASSIVE) or not depth:
        return False
    if isinstance(value, (list, tuple)):
        return any(differentiable(v, depth - 1) for v in value)
    if isinstance(value, dict):
        return any(differentiable(v, depth - 1) for v in value.values())
    if isinstance(value, types.FunctionType):
        return any(differentiable(content(c), depth - 1) for c in value.__closure__ or ())
    if isinstance(value, functools.partial):
        held = [*enumerate(value.args, -len(value.args)), *value.keywords.items()]
        return any(carries(value.func, name, v, depth) for name, v in held) or differentiable(value.func, depth - 1)
    if isinstance(value, types.MethodType):
        return differentiable(value.__self__, depth)
    return is_record(value) or bool(own_dict(value)) or hasattr(type(value), '__slots__') \
        or hasattr(type(value), '__add__')


def signature_of(function, **options):
    """inspect.signature, where no default can have a derivative: those of functions of modules are constants.

    Raises
    ------
    ArgumentError
        If it is a partial, or was made inside a function, and has a default that may have one.
    """
    found = inspect.signature(function, **options)
    plain = inspect.unwrap(getattr(function, '__func__', function))
    if isinstance(plain, (types.FunctionType, types.BuiltinFunctionType, type)) and '<locals>' not in plain.__qualname__:
        return found
    for name, parameter in found.parameters.items():
        if parameter.default is ... or parameter.default is not parameter.empty and differentiable(parameter.default):
            raise ArgumentError(f'inspect.signature of a function whose default of {name} may have a derivative: ask for the '
                                'signature of a function of the module')
    return found


def content(cell):
    """What a closure cell holds; None for one that is not filled yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def environment(function):
    """Name -> value of what a function value has captured and may have a gradient."""
    if isinstance(function, functools.partial):
        found = {**{k - len(function.args): v for k, v in enumerate(function.args)}, **function.keywords}
        found = {k: v for k, v in found.items() if carries(function.func, k, v)}
        if environment(function.func):
            found['__func__'] = function.func
        return found
    elif isinstance(function, types.FunctionType):
        found = dict(zip(function.__code__.co_freevars, map(content, function.__closure__ or ())))
    else:
        return {}
    return {name: value for name, value in found.items() if value is not function and differentiable(value)}


def carries(function, name, value, depth=4):
    """Whether a derivative may flow through an argument that a partial of `function` holds.

    Of the variables that a function takes which was found inside another it is known (see `nested.note_captures`).
    """
    return name in function.captures if name in getattr(function, 'variables', ()) else differentiable(value, depth)


def holds_counts(value):
    """Whether a value is an integer, an array or a list of such, which a partial holds as a count, without a gradient."""
    if isinstance(value, (list, tuple)):
        return not differentiable(value) and any(map(holds_counts, value))
    kind = getattr(getattr(value, 'dtype', None), 'kind', '')
    return isinstance(value, int) and not isinstance(value, bool) or kind in ('i', 'u')


def refuse_counts(name, value, error):
    where = f'argument {name}' if isinstance(name, str) else 'an argument'
    raise error(f'a function value holds {where} that is made of integers, {value!r}, through which a derivative may flow: '
                'make it of floats')


def captured(gradient, name, value):
    """The gradient of the captured `value`, from the gradient of the function value that captured it under `name`."""
    if gradient is None or type(gradient) is ZeroGrad:
        return init_grad(value)
    if name not in gradient and holds_counts(value):
        refuse_counts(name, value, ReverseNotImplementedError)
    if name not in gradient and differentiable(value):
        raise ReverseNotImplementedError(f'a function has captured {name}, through which a derivative flows, but was not '
                                         'differentiated with respect to it: pass it as an argument')
    found = gradient.get(name)
    return init_grad(value) if found is None else found


def of_inner(gradient, function, count, *names):
    """The gradient of `function`, from that of a partial of it with so many arguments and these keywords.

    Python makes one partial of a partial of a partial.
    """
    if gradient is None or type(gradient) is ZeroGrad or '__func__' in gradient or not isinstance(function, functools.partial):
        return captured(gradient, '__func__', function)
    found = {key + count: b for key, b in gradient.items() if isinstance(key, int) and key < -count}
    return {**found, **{k: b for k, b in gradient.items() if k in function.keywords and k not in names}}


def of_captured(b, gradient, name):
    """The gradient of `gradient`, a dict, in which only that of the element `name` is not zero."""
    found = init_grad(gradient) or {}
    found[name] = b
    return found
