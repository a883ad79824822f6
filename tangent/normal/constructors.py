"""Calls that make containers and objects: they are displays, as far as derivatives go.

    P(a, y=b)  of a namedtuple or dataclass P    is like    (a, b)     its parts are ba = bp[0], or ba = bp.x
    dict(a=x, b=y)                               is         {'a': x, 'b': y}
    getattr(p, 'x')                              is         p.x
    zip(a, b), reversed(a), enumerate(a)         are        lists, when they stand for a value
"""
from __future__ import annotations

import dataclasses
import inspect
import types

import gast

from tangent.analysis.attributes import HOLE, Place
from tangent.analysis.ops import Op
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.templates.language import registry

ITERATORS = (zip, reversed, enumerate)
SEQUENCES = (list, tuple, sorted)


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


def of_keywords(call):
    """The dict of the keywords of a call."""
    keys = [tree.constant(k.arg) for k in call.keywords]
    return gast.copy_location(gast.Dict(keys=keys, values=[k.value for k in call.keywords]), call)


class Makers:
    """The part of `Split` that knows calls that make containers and objects."""

    def made(self, target, expr, function, s):
        """`target = expr` for a call of that kind; None for any other call."""
        if self.mode != 'reverse':
            return None
        if function is dict and expr.keywords and not expr.args and all(k.arg for k in expr.keywords):
            keys = [tree.constant(k.arg) for k in expr.keywords]
            return self.display_as(target, expr, keys, [k.value for k in expr.keywords], s)
        if function is dict and expr.keywords and len(expr.args) == 1 and all(k.arg for k in expr.keywords):
            pairs = tree.replace(expr, keywords=[])
            return self.operation(target, tree.call(self.library('united'), pairs, of_keywords(expr)), s)
        if function is getattr and len(expr.args) == 2 and is_name(expr.args[1]):
            attribute = gast.Attribute(value=expr.args[0], attr=expr.args[1].value, ctx=gast.Load())
            return self.operation(target, gast.copy_location(attribute, expr), s)
        if function is dataclasses.replace and len(expr.args) == 1:
            return self.replaced(target, expr, expr.args[0], s)
        if function is UNKNOWN and isinstance(expr.func, gast.Attribute) and expr.func.attr == '_replace' and not expr.args:
            return self.replaced(target, expr, expr.func.value, s)
        if function in ITERATORS and not any(isinstance(a, gast.Starred) for a in expr.args):
            return self.listed(target, expr, function, s)
        if getattr(function, '__name__', None) == '_make' and is_plain_tuple(getattr(function, '__self__', None)) \
                and len(expr.args) == 1:
            values, rule = self.atom(expr.args[0], s), registry.lookup(list)
            return self.put(s, target, tree.replace(expr, args=[values]), Op('rule', rule.bind([values], {}), rule))
        parts = parts_of(function, expr)
        if parts is None:
            return None
        if issubclass(function, tuple):
            keys = [tree.constant(function._fields.index(name)) for name in parts]
        else:
            keys = [Place(gast.Attribute(value=tree.load(HOLE), attr=name, ctx=gast.Load())) for name in parts]
        return self.display_as(target, expr, keys, list(parts.values()), s)

    def display_as(self, target, expr, keys, values, s):
        """A call whose arguments become parts of its value."""
        atoms = {id(v): self.atom(v, s) for v in values}
        value = tree.replace(expr, args=[atoms[id(a)] for a in expr.args],
                             keywords=[tree.replace(k, value=atoms[id(k.value)]) for k in expr.keywords])
        return self.put(s, target, value, Op('display', [atoms[id(v)] for v in values], keys))

    def replaced(self, target, expr, owner, s):
        """A copy in which some attributes are replaced."""
        if not all(k.arg for k in expr.keywords):
            return None
        owner = self.atom(owner, s)
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        if isinstance(expr.func, gast.Attribute) and expr.func.attr == '_replace':
            value = tree.replace(expr, func=tree.replace(expr.func, value=owner), keywords=keywords)
        else:
            value = tree.replace(expr, args=[owner], keywords=keywords)
        names = gast.Tuple(elts=[tree.constant(k.arg) for k in keywords], ctx=gast.Load())
        rule = registry.HELPERS['replaced']
        bound = rule.bind([owner, names, *(k.value for k in keywords)], {})
        return self.put(s, target, value, Op('rule', bound, rule))

    def listed(self, target, expr, function, s):
        """An iterator as a list, so that it can be read more than once."""
        args = [self.atom(a, s) for a in expr.args]
        keywords = [tree.replace(k, value=self.atom(k.value, s)) for k in expr.keywords]
        rule = registry.lookup(function)
        bound = rule.bind(args, {k.arg: k.value for k in keywords})
        value = self.builtin('list', tree.replace(expr, args=args, keywords=keywords))
        target = self.put(s, target, value, Op('rule', bound, rule))
        self.sequences.add(target.id)
        return target


def is_name(expr):
    return isinstance(expr, gast.Constant) and isinstance(expr.value, str) and expr.value.isidentifier()
