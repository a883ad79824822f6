"""Activity: which names carry a derivative from the inputs asked for to the result.

A name is *varied* if an input reaches it through differentiable operations, *useful* if it reaches the result.
Active is both. Comparisons, shapes, lengths, arg-maxima and the like break the chain; everything that is not active
passes through the library untouched.
"""
from __future__ import annotations

import gast

from tangent.analysis.alias import WRITERS
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.templates.language import registry

PASSIVE_ATTRIBUTES = frozenset('shape size ndim dtype itemsize nbytes strides flags'.split())


class Sources:
    """The names on which the value of an expression depends differentiably."""

    def __init__(self, resolver, is_object=lambda expr: False):
        self.resolver, self.is_object = resolver, is_object

    def rule_of(self, expr):
        """The rule of an attribute or method that arrays have; None where its owner is an object."""
        find = registry.method if isinstance(expr, gast.Call) else registry.attribute
        expr = expr.func if isinstance(expr, gast.Call) else expr
        return None if self.is_object(expr.value) else find(expr.attr)

    def __call__(self, expr):
        method = getattr(self, type(expr).__name__, None)
        if method is not None:
            return method(expr)
        return self.union(tree.children(expr))

    def union(self, exprs):
        return frozenset().union(*map(self, exprs))

    def Name(self, expr):
        return frozenset([expr.id])

    def nothing(self, expr):
        return frozenset()

    Constant = Compare = JoinedStr = Slice = nothing

    def UnaryOp(self, expr):
        return frozenset() if isinstance(expr.op, (gast.Not, gast.Invert)) else self(expr.operand)

    def BinOp(self, expr):
        rule = registry.operator(type(expr.op))
        if rule is not None and rule.kind == 'constant' and not isinstance(expr.op, gast.BitOr):
            return frozenset()
        return self(expr.left) | self(expr.right)

    def IfExp(self, expr):
        return self(expr.body) | self(expr.orelse)

    def Subscript(self, expr):
        owner = self.resolver(expr.value)
        if type(owner).__module__.startswith('numpy'):          # np.r_[x, 1.0] is a call in disguise
            return self.union(gast.walk(expr.slice))
        return self(expr.value)

    def Attribute(self, expr):
        passive = expr.attr in PASSIVE_ATTRIBUTES and not self.is_object(expr.value)
        if passive or self.resolver(expr) is not UNKNOWN:
            return frozenset()
        return self(expr.value)

    def comprehension_value(self, expr):
        own = {n.id for g in expr.generators for n in gast.walk(g.target) if isinstance(n, gast.Name)}
        found = self.union([expr.value] if isinstance(expr, gast.DictComp) else [expr.elt])
        if found.isdisjoint(own):
            return found
        first, *rest = [g.iter for g in expr.generators]      # the first is no part of the comprehension's own scope
        return (found | self.union(rest)) - own | self(first)

    ListComp = SetComp = GeneratorExp = DictComp = comprehension_value

    def Lambda(self, expr):
        own = {n.id for n in gast.walk(expr.args) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Param)}
        defaults = [d for d in expr.args.defaults + expr.args.kw_defaults if d is not None]
        return self(expr.body) - own | self.union(defaults)

    def Dict(self, expr):
        return self.union(v for v in expr.values)

    def Call(self, expr):
        args = list(expr.args) + [k.value for k in expr.keywords]
        function = self.resolver(expr.func)
        if function is not UNKNOWN:
            return frozenset() if registry.is_constant(function) else self.union(args)
        if isinstance(expr.func, gast.Attribute):
            rule = self.rule_of(expr)
            if rule is not None and rule.kind == 'constant':
                return frozenset()
            return self.union(args + [expr.func.value])
        return self.union(args + [expr.func])


def edges(stmts, sources, aliases, out):
    """(name, names it depends on) for every binding in the statements, and for every name of an object written into."""
    for s in stmts:
        change = aliases.builders.changes.get(s)
        if change is not None and change.value is not None:
            out.append((change.name, sources(change.value)))
            continue
        if isinstance(s, gast.Assign):
            found = sources(s.value)
            out += [(n, found) for t in s.targets for n in written(t, aliases)]
        elif isinstance(s, gast.For):
            found = sources(s.iter) if not over_keys(s) else frozenset()
            out += [(n, found) for n in stored(s.target)]
        elif isinstance(s, gast.AugAssign):
            found = sources(s.value)
            out += [(n, found) for n in written(s.target, aliases)]
        elif isinstance(s, gast.With):
            before, after = s.items[0].context_expr.args
            out.append((after.id, frozenset([before.id])))
        for part in tree.header(s):
            for call in tree.walk(part):
                if isinstance(call, gast.Call):
                    touched = aliases.touched(call, isinstance(s, gast.Expr) and call is s.value)
                    found = given_to(call, sources) if touched else frozenset()
                    out += [(n, found) for t in touched for n in aliases.family(t)]
        for _, block in tree.blocks(s):
            if not isinstance(s, gast.With):
                edges(block, sources, aliases, out)
    return out


def over_keys(loop):
    """Whether `for k in table` goes through the keys of a dict, as `table[k]` in its body tells."""
    return isinstance(loop.iter, gast.Name) and isinstance(loop.target, gast.Name) and any(
        isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name) and n.value.id == loop.iter.id
        and isinstance(n.slice, gast.Name) and n.slice.id == loop.target.id for s in loop.body for n in tree.walk(s))


def written(target, aliases):
    """Names that an assignment binds; for `x[i] = v` every name that may hold the object."""
    if isinstance(target, (gast.Tuple, gast.List)):
        return [n for e in target.elts for n in written(e, aliases)]
    if isinstance(target, gast.Name):
        return stored(target)
    return [m for n in aliases.handed_on(target) for m in aliases.family(n)]


def given_to(call, sources):
    """What a call that writes may put into what it writes to."""
    owner = [call.func.value] if isinstance(call.func, gast.Attribute) and call.func.attr not in WRITERS \
        and sources.resolver(call.func) is UNKNOWN else []
    return sources.union(owner + list(call.args) + [k.value for k in call.keywords])


def stored(target):
    """Names that a target binds, or whose object it writes into."""
    if isinstance(target, (gast.Subscript, gast.Attribute, gast.Starred)):
        return stored(target.value)
    if isinstance(target, (gast.Tuple, gast.List)):
        return [n for e in target.elts for n in stored(e)]
    return [target.id] if isinstance(target, gast.Name) else []


def closure(start, graph):
    """Everything that can be reached from the names of `start`."""
    reached, pending = set(start), list(start)
    while pending:
        for name in graph.get(pending.pop(), ()):
            if name not in reached:
                reached.add(name)
                pending.append(name)
    return reached


def active(function, wrt, sources, aliases, arrays=()):
    """(varied names, active names) of a function in which every definition has its own name.

    arrays : parameters whose elements are results, too
    """
    pairs = edges(function.body, sources, aliases, [])
    forward, backward = {}, {}
    for name, found in pairs:
        backward.setdefault(name, set()).update(found)
        for source in found:
            forward.setdefault(source, set()).add(name)
    varied = closure(wrt, forward)
    useful = closure({*sources(function.body[-1].value), *arrays}, backward)
    return varied, varied & useful
