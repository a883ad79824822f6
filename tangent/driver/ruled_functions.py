"""Callables whose derivative is a rule (NumPy's functions, `custom_vjp` objects): a Python function around each.

    tangent.grad(numpy.tanh)      is the derivative of      def tanh(x): return numpy_tanh(x)
"""
from __future__ import annotations

import functools
import inspect
import keyword
import types

from tangent.emit.build import Part, build
from tangent.frontend import tree
from tangent.templates.language import registry

CACHED = type(functools.lru_cache(len))
_made: dict = {}         # callable -> (what its rule was, the function around it)


def as_function(thing):
    """A Python function that calls `thing`, if that has a rule of its own; else `thing` itself."""
    try:
        rule = registry.lookup(thing) or registry.custom(thing)
    except AttributeError:                 # an object whose attributes cannot be asked for
        rule = None
    if rule is None or registry.is_random(thing):
        return inner_function(thing)
    known = _made.get(thing)
    if known is None or known[0] is not rule:
        known = _made[thing] = rule, around(thing, rule)
    return known[1]


def inner_function(thing):
    """The function that an `lru_cache` is around, the method `__call__` of an object; all else as it is."""
    if isinstance(thing, CACHED):
        return thing.__wrapped__
    call = type(thing).__call__
    written = isinstance(call, types.FunctionType) and not isinstance(thing, type) and not hasattr(thing, 'py_func')
    return types.MethodType(call, thing) if written else thing


def is_ruled(thing):
    return as_function(thing) is not thing


def fixed(thing, count, keywords):
    """A Python function of `count` positional arguments that calls `thing` with these keywords.

    >>> fixed(numpy.sum, 1, {'axis': 0})        # def sum(x): return numpy_sum(x, axis=0)
    """
    names = [f'x{k}' for k in range(count)] if count > 1 else ['x'][:count]
    name, inner = titles(thing, names)
    given = [*names, *(f'{key}={repr(value) if is_literal(value) else f"the_{key}"}' for key, value in keywords.items())]
    key = thing, count, tuple(given), tuple(None if is_literal(v) else id(v) for v in keywords.values())
    if key not in _fixed:
        text = f'def {name}({", ".join(names)}):\n    return {inner}({", ".join(given)})\n'
        namespace = {'__name__': 'functions_with_rules', inner: thing, **{f'the_{k}': v for k, v in keywords.items()}}
        _fixed[key] = build(text, [Part(name, namespace)], {}, name)[name]
    return _fixed[key]


_fixed: dict = {}        # (callable, number of arguments, text of the call, ids of keywords) -> the function around it


def is_literal(value):
    if isinstance(value, tuple):
        return all(map(is_literal, value))
    return isinstance(value, (bool, int, float, str, type(None))) and value == value


def titles(thing, parameters):
    """(the name of the function around, the name of the callable in it)."""
    name = getattr(thing, '__name__', 'f')
    name = name if name.isidentifier() and not keyword.iskeyword(name) else 'f'
    module = (getattr(thing, '__module__', None) or 'the').rpartition('.')[2]
    return name, tree.Names({name, *parameters}).fresh(f'{module}_{name}')


def around(thing, rule):
    parameters = required(thing, rule)
    name, inner = titles(thing, parameters)
    text = f'def {name}({", ".join(parameters)}):\n    return {inner}({", ".join(parameters)})\n'
    made = build(text, [Part(name, {'__name__': 'functions_with_rules', inner: thing})], {}, name)[name]
    made.__doc__ = getattr(thing, '__doc__', None)
    return made


def required(thing, rule):
    """Names of the parameters of the function around: those that have to be given."""
    if isinstance(rule, registry.Rule) and rule.parameters and rule.vararg is None:
        names = [p for p in rule.parameters if p not in rule.defaults]
    elif hasattr(thing, 'nin'):
        names = ['x', 'y', 'z', 'w'][:thing.nin]
    else:
        try:
            found = inspect.signature(thing).parameters.values()
        except (TypeError, ValueError):
            found = ()
        names = [p.name for p in found if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    return names or ['x']
