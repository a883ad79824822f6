"""The tangent of what is called by the name of an attribute, in forward mode.

    y, dy = pushforward(p.area, (h,), (dh,), df=tangent_called(p, 'area', dp))

For a method that is the tangent of its object, be that `p` or something that `p` holds, as where `__getattr__` passes on what
it is asked for; for a function that `p` holds it is what `dp` holds under that name.
"""
import functools
import inspect
import types

from tangent.errors import FieldError
from tangent.runtime.fields import fields, is_object, own_dict


def tangent_called(owner, name, d):
    """The tangent of the function `owner.name`, of the tangent of the owner."""
    steps = steps_to_called(owner, name)
    if not steps:
        return d
    return d.get(name) if isinstance(d, dict) else getattr(d, name, None) if steps == (name,) else along(d, steps)


def along(d, steps):
    for step in steps:
        if isinstance(d, dict):
            d = d.get(step)
        else:
            d = d[step] if isinstance(step, int) else getattr(d, step, None)
    return d


def steps_to_called(owner, name):
    """Names of attributes, places and keys by which the tangent of `owner.name` is found in that of the owner."""
    found = getattr(owner, name)
    if getattr(found, '__self__', None) is owner:
        return ()
    if isinstance(owner, dict) or name in own_dict(owner) or not is_made(type(owner), name):
        return (name,)
    steps = steps_to(found.__self__, owner) if isinstance(found, types.MethodType) else None
    if steps is None:
        raise FieldError(f'{type(owner).__name__}.{name}, which is called, is made by Python code (a property, another '
                         f'descriptor, __getattr__): give it a name of its own first, f = x.{name}, and call that')
    return steps


def is_made(kind, name):
    """Whether Python code of a class gives the attribute."""
    above = inspect.getattr_static(kind, name, None)
    return isinstance(above, (property, functools.cached_property)) \
        or isinstance(getattr(type(above), '__get__', None), types.FunctionType) \
        or above is None and isinstance(getattr(kind, '__getattr__', None), types.FunctionType)


def steps_to(thing, x):
    """The steps to something that `x` holds; None where it is not found."""
    pending, seen = [(x, ())], set()
    while pending:
        x, steps = pending.pop(0)
        if x is thing:
            return steps
        if id(x) not in seen:
            seen.add(id(x))
            pending += [(part, (*steps, step)) for step, part in parts(x)]
    return None


def parts(x):
    if isinstance(x, (list, tuple)):
        return enumerate(x)
    return x.items() if isinstance(x, dict) else fields(x).items() if is_object(x) else ()


__all__ = ['steps_to_called', 'tangent_called']
