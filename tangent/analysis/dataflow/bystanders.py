"""Where objects of the classes in sight may come, in a function that is given none, and where they cannot.

    def curve(x):
        y = scale(x) * 2          `scale` asks isinstance(x, Vec) and gives no Vec that it was not given: `*` is that of numbers
        v = Vec(y, y)             from here on nothing is sure: `v` is one, and may change what it was given
        return v.x

An object of a class comes from arguments, or from what can make or hold one: the class, a variable from outside that holds
such, a function that names either. What is made of other things is none, and has none in it, unless one is put there: where
one is stored into something, or goes into a call together with something, whatever a function has may hold it afterwards.
The order of statements is not looked at.
"""
import collections
import threading
import types

import gast

from tangent.analysis.kinds.participants import SIMPLE, taking_part
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.dependencies import remembered
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, resolver_of
from tangent.frontend.source import original, read
from tangent.templates.language import registry

DEEP = 40                # functions that call each other are looked into so far
TELL = isinstance, issubclass, callable, hasattr, bool, len, all, any, hash, id              # these give facts
MUTABLE = list, dict, set, collections.deque
SENT = gast.Yield, gast.YieldFrom, gast.Await
MIXING = gast.BinOp, gast.Compare, gast.Subscript
BOUND = {gast.For: ('target', 'iter'), gast.comprehension: ('target', 'iter'), gast.withitem: ('optional_vars', 'context_expr'),
         **dict.fromkeys((gast.NamedExpr, gast.AugAssign, gast.AnnAssign), ('target', 'value'))}


class Above(threading.local):
    """The functions that are looked into on the way."""
    functions = ()


ABOVE = Above()


class Reached:
    """What objects of classes in sight reach in a function.

    given : names of parameters that may hold one
    names : names that may hold one, or something that has one in it
    spread : whether one may have got into what the function was given, or into what stands outside of it
    """

    def __init__(self, function, resolver, given):
        self.resolver, self.nodes = resolver, tree.walk(function)
        self.bound = {n.id for n in self.nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)} | {
            n.name for n in self.nodes if isinstance(n, gast.FunctionDef)}
        self.names, self.spread = set(given), False
        size = -1
        while not self.spread and size != len(self.names):
            size = len(self.names)
            self.spread = any(map(self.spreads, self.nodes))

    def spreads(self, node):
        """Whether what is done at a node may put an object anywhere; what it binds is noted."""
        kind = type(node)
        if kind is gast.Assign:
            return any([self.binds(target, node.value) for target in node.targets])
        if kind in BOUND:
            target, value = [getattr(node, field) for field in BOUND[kind]]
            return target is not None and value is not None and self.binds(target, value)
        if kind is gast.ExceptHandler and node.name is not None:
            self.names.add(node.name.id)
        elif kind is gast.FunctionDef and node is not self.nodes[0] and self.holds(node):
            self.names.add(node.name)
        elif kind is gast.Call:
            gives, spreads = self.of_call(node)
            return spreads or gives and self.mixes(tree.arguments(node), node.func)
        elif kind in MIXING:
            return self.holds(node) and self.mixes(tree.children(node))
        return kind in (gast.Global, gast.Nonlocal, gast.ClassDef, gast.Match)

    def binds(self, target, value):
        """What is assigned reaches the names of a target; an element or attribute may be that of anything."""
        reached, spreads = self.holds(value), False
        for node in tree.walk(target):
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load) and reached:
                self.names.add(node.id)
            elif isinstance(node, (gast.Subscript, gast.Attribute)) and isinstance(node.ctx, gast.Store):
                spreads = spreads or reached or self.holds(node.value)
        return spreads

    def mixes(self, operands, func=None):
        """Whether, where an object takes part, there is something that could get to hold it."""
        receiver = [func] if func is not None and self.resolver(func) is UNKNOWN else []
        names = [n for e in (*operands, *receiver) for n in tree.walk(e) if isinstance(n, gast.Name)]
        return any(map(self.could_hold, names))

    def could_hold(self, name):
        """Whether what a name denotes has no object in it, but may get one."""
        if name.id in self.bound:
            return name.id not in self.names
        found = self.resolver(name)
        return not isinstance(found, (types.FunctionType, type)) and type(found) not in SIMPLE

    def holds(self, node):
        """Whether the value of an expression may hold an object."""
        if self.spread:
            return True
        if isinstance(node, gast.Name):
            return node.id in self.names or node.id not in self.bound and brings(self.resolver(node))
        if isinstance(node, gast.Attribute) and (found := self.resolver(node)) is not UNKNOWN:
            return brings(found)
        if isinstance(node, gast.Call):
            return self.of_call(node)[0]
        if isinstance(node, gast.IfExp):
            return self.holds(node.body) or self.holds(node.orelse)
        if isinstance(node, gast.Compare) and all(isinstance(op, (gast.Is, gast.IsNot)) for op in node.ops):
            return False
        return isinstance(node, SENT) or any(map(self.holds, tree.children(node)))

    def of_call(self, call):
        """(whether what a call gives may hold an object, whether one may have got elsewhere)."""
        callee = self.resolver(call.func)
        if any(callee is told for told in TELL):
            return False, False
        if any(map(self.holds, tree.arguments(call))):
            return True, False
        if callee is UNKNOWN:
            return self.holds(call.func), False
        if registry.lookup(callee) is not None or not brings(callee):
            return False, False
        if isinstance(callee, Nested):
            return looked_into(callee, callee.source)
        return of_function(callee) if isinstance(callee, types.FunctionType) else (True, not isinstance(callee, type))


@remembered
def of_function(callee):
    """What a call of a function of the user's, which is given no object, gives and does, see `Reached.of_call`."""
    try:
        source = read(original(callee))
    except TangentError:
        return True, True
    return looked_into(callee, source)


def looked_into(callee, source):
    above = ABOVE.functions
    if has_object_defaults(source) or callee in above or len(above) == DEEP:
        return True, True
    ABOVE.functions = *above, callee
    try:
        found = Reached(source.tree, resolver_of(source), ())
        given = [n.value for n in found.nodes if isinstance(n, (gast.Return, gast.Yield, gast.YieldFrom)) and n.value]
        return any(map(found.holds, given)), found.spread
    finally:
        ABOVE.functions = above


def brings(thing):
    """Whether something from outside may hold an object of a class that takes part, or names such a class."""
    return thing is UNKNOWN or isinstance(thing, MUTABLE) or bool(taking_part([thing]))


def reached(function, resolver, source, brought):
    """What objects reach in a function.

    brought : what it is given may hold some
    """
    brought = brought or has_object_defaults(source)
    return Reached(function, resolver, tree.names(function.args, gast.Param) if brought else ())


def has_object_defaults(source):
    return bool(taking_part([*source.defaults, *source.kwdefaults.values()]))
