"""Callables whose derivative is a rule (NumPy's functions, `custom_vjp` objects): a Python function around each.

    tangent.grad(numpy.tanh)      is the derivative of      def tanh(x): return numpy_tanh(x)
"""
from __future__ import annotations

import functools
import inspect
import keyword
import types

from tangent import custom_calls, rules, tree
from tangent.build import Part, build

CACHED = type(functools.lru_cache(len))
_made: dict = {}         # callable -> (what its rule was, the function around it)


def as_function(thing):
    """A Python function that calls `thing`, if that has a rule of its own; else `thing` itself."""
    try:
        rule = rules.lookup(thing) or custom_calls.of(thing)
    except AttributeError:                 # an object whose attributes cannot be asked for
        rule = None
    if rule is None or rules.is_random(thing):
        return inner_function(thing)
    known = _made.get(thing)
    if known is None or known[0] is not rule:
        known = _made[thing] = rule, around(thing, rule)
    return known[1]


def inner_function(thing):
    """The function that an `lru_cache` is around, the method `__call__` of an object; all else as it is."""
    if isinstance(thing, CACHED):
        return thing.__wrapped__
    call = getattr(type(thing), '__call__', None)
    written = isinstance(call, types.FunctionType) and not isinstance(thing, type) and not hasattr(thing, 'py_func')
    return types.MethodType(call, thing) if written else thing


def around(thing, rule):
    name = getattr(thing, '__name__', 'f')
    name = name if name.isidentifier() and not keyword.iskeyword(name) else 'f'
    parameters = required(thing, rule)
    inner = tree.Names({name, *parameters}).fresh(f'{(getattr(thing, "__module__", None) or "the").rpartition(".")[2]}_{name}')
    text = f'def {name}({", ".join(parameters)}):\n    return {inner}({", ".join(parameters)})\n'
    made = build(text, [Part(name, {'__name__': __name__, inner: thing})], {}, name)[name]
    made.__doc__ = getattr(thing, '__doc__', None)
    return made


def required(thing, rule):
    """Names of the parameters of the function around: those that have to be given."""
    if isinstance(rule, rules.Rule) and rule.parameters and rule.vararg is None:
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
