"""Generators with a name that are gone through step by step, where the name stands and nowhere else.

    g = numbered(x)
    y = next(g)
    for v in g:
        ...

Forward mode has their pairs of values and tangents under that name; any other use takes these apart. Who goes through one runs
what it does between its values.
"""
import inspect

import gast

from tangent.frontend import tree
from tangent.frontend.nested import generates
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import DEFINITIONS, free, parameters
from tangent.runtime import facts

LISTS = gast.ListComp, gast.SetComp, gast.DictComp


def is_generator_call(expr, resolver):
    return isinstance(expr, gast.Call) and generates(resolver(expr.func))


def stepped(function, resolver):
    """Name -> the calls that make what it holds, for the names of such generators."""
    calls, direct, lost = {}, set(), set(parameters(function.args))
    for s in tree.every(function.body):
        if tree.target(s) and is_generator_call(s.value, resolver):
            calls.setdefault(tree.target(s), []).append(s.value)
            direct.add(id(s.targets[0]))
    if not calls:
        return calls
    for node in tree.walk(function):
        direct.update(map(id, gone_through(node, resolver)))
        if isinstance(node, (*DEFINITIONS, gast.Lambda)) and node is not function:
            lost |= free(node)
        elif isinstance(node, gast.While):
            lost.update(tree.names(node.test, gast.Load))
    lost |= {n.id for n in tree.walk(function) if isinstance(n, gast.Name) and id(n) not in direct}
    return {name: made for name, made in calls.items() if name not in lost}


def may_generate(function, resolver):
    """Names that hold what a generator function has given, or a function that is not known."""
    return frozenset(tree.target(s) for s in tree.every(function.body) if tree.target(s) and isinstance(s.value, gast.Call)
                     and (resolver(s.value.func) is UNKNOWN or generates(resolver(s.value.func))))


def names_generator(func, function):
    """Whether an expression is a method of something, of a name that is a generator's in a class of the function's module."""
    return isinstance(func, gast.Attribute) and any(
        inspect.isgeneratorfunction(getattr(kind, func.attr, None))
        for kind in list(getattr(function, '__globals__', {}).values()) if type(kind) is type)


def gone_through(node, resolver):
    """What a node goes through, or takes something from, when it is run."""
    if isinstance(node, gast.For):
        return heads(node.iter, resolver)
    if isinstance(node, LISTS):
        return [node.generators[0].iter]
    if isinstance(node, gast.YieldFrom):
        return [node.value]
    if not isinstance(node, gast.Call) or not node.args:
        return []
    function, first = resolver(node.func), node.args[0]
    if facts.of(function).takes_all and isinstance(first, gast.GeneratorExp):
        return [first.generators[0].iter]
    return [first] if function is next or facts.of(function).takes_all else []


def heads(expr, resolver):
    """What the header of a loop goes through."""
    if isinstance(expr, gast.Call) and any(resolver(expr.func) is f for f in (zip, enumerate)):
        return [e for a in expr.args for e in heads(a, resolver)]
    return [expr]
