"""Dtypes: which gradients may come out in another precision than the argument's, or hold memory that is not their own?

The dtype of a value is known as the set of things it was promoted from: Python's own numbers add nothing. A gradient of
`x` needs `astype` where its set holds more than `x`.
"""
import collections

import gast

from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime import facts

WITHOUT = ('shape', 'len', 'size', 'ndim')


class Variable(str):
    """A name that is defined in the statements, as against a fact, which is a plain string."""


class Dtypes:
    """Name -> set of the things its dtype comes from, over all statements of a function, whatever their order."""

    def __init__(self, stmts, params, resolver, library, twins):
        self.resolver, self.twins = resolver, twins
        self.helpers = {new: name for name, new in library.given.items()}
        self.of = {p: frozenset([p]) for p in params}
        self.stores = {}
        self.collect(stmts)
        self.spread()

    def collect(self, stmts):
        for s in stmts:
            if isinstance(s, gast.Assign):
                for t in s.targets:
                    parts = isinstance(t, gast.Tuple)
                    for k, n in enumerate(tree.names(t, gast.Store)):
                        self.stores.setdefault(n, []).append((s.value, k if parts else None))
            elif isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
                if not self.accumulates(s.target.id):
                    self.stores.setdefault(s.target.id, []).append((s.value, None))
            elif isinstance(s, gast.For):
                for n in tree.names(s.target, gast.Store):
                    self.stores.setdefault(n, []).append((s.iter, None))
            for _, block in tree.blocks(s):
                self.collect(block)

    def accumulates(self, name):
        """Whether the name holds a zero gradient, to which others are added in place: that keeps its dtype."""
        value = self.stores.get(name, [(None, None)])[0][0]
        return isinstance(value, gast.Call) and self.helpers.get(tree.dotted(value.func)) == 'init_grad'

    def spread(self):
        """Propagate along definitions until nothing changes (a worklist over the names, in order of definition)."""
        names, users, facts = {}, {}, {}
        for name, values in self.stores.items():
            found = frozenset().union(*(self.expression(v) for v, _ in values))
            names[name] = {n for n in found if isinstance(n, Variable)}
            facts[name] = found - names[name]
            if any(part is not None for _, part in values):
                facts[name] |= {f'part of {name}'}
            for n in names[name]:
                users.setdefault(n, []).append(name)
        pending = collections.deque(self.stores)
        waiting = set(pending)
        while pending:
            name = pending.popleft()
            waiting.discard(name)
            found = facts[name].union(self.of.get(name, ()), *(self.of.get(n, ()) for n in names[name]))
            if found != self.of.get(name):
                self.of[name] = found
                for user in users.get(name, ()):
                    if user not in waiting:
                        waiting.add(user)
                        pending.append(user)

    def expression(self, expr):
        """What the dtype of an expression comes from: facts, and names (as Variables) whose facts are to be added."""
        if isinstance(expr, gast.Constant):
            return frozenset(['complex']) if isinstance(expr.value, complex) else frozenset()
        if isinstance(expr, gast.Name):
            if expr.id in self.of or expr.id in self.stores:
                return frozenset([Variable(expr.id)])
            return self.outside(expr)
        if isinstance(expr, gast.Compare):
            return frozenset()
        if isinstance(expr, gast.Subscript):
            return self.expression(expr.value)
        if isinstance(expr, gast.Attribute):
            if expr.attr in WITHOUT:
                return frozenset()
            found = self.resolver(expr)
            return self.outside(expr) if found is not UNKNOWN else self.expression(expr.value)
        if isinstance(expr, gast.Call):
            return self.call(expr)
        return frozenset().union(*map(self.expression, tree.children(expr)))

    def outside(self, expr):
        """A name of the user's namespace: plain numbers promote nothing."""
        found = self.resolver(expr)
        if found is not UNKNOWN and isinstance(found, (bool, int, float)) and type(found).__module__ == 'builtins':
            return frozenset()
        return frozenset([tree.dotted(expr) or '?'])

    def call(self, expr):
        name = expr.func.attr if isinstance(expr.func, gast.Attribute) else tree.dotted(expr.func)
        if isinstance(expr.func, gast.Attribute) and name == 'pop':
            return frozenset([tree.dotted(expr.func)])        # of what a list was filled with
        name = self.helpers.get(name, name)
        if name in WITHOUT or name in ('range', 'int'):
            return frozenset()
        known = facts.of(name)
        if known.casts and len(expr.args) > known.like:
            return self.expression(expr.args[known.like])
        found = self.resolver(expr.func)
        args = [a for a in expr.args] + [k.value for k in expr.keywords if k.arg not in ('axis', 'keepdims')]
        if isinstance(expr.func, gast.Attribute) and found is UNKNOWN:
            args.append(expr.func.value)
        union = frozenset().union(*map(self.expression, args))
        known = name in self.helpers.values() or found is UNKNOWN or facts.is_numpy(found) \
            or facts.home(found) in ('math', 'builtins')
        return union if known and union else union if name in self.helpers.values() else union | frozenset([f'{name}()'])

    def root(self, expr):
        """(the name of the memory that an expression may share, whether nobody outside holds it)."""
        while True:
            if isinstance(expr, gast.Name):
                values = self.stores.get(expr.id)
                if values is None:
                    return expr.id, False
                (value, part), = values[:1]
                if len(values) > 1:
                    return expr.id, True
                lent = self.lent(value, part)
                if lent is None:
                    if part is not None or not shares(value):
                        return expr.id, True
                    lent = value
                expr = lent
            elif isinstance(expr, (gast.Subscript, gast.Attribute)):
                expr = expr.value
            elif isinstance(expr, gast.Call) and expr.args and shares(expr):
                expr = expr.args[0]
            else:
                return id(expr), True

    def lent(self, value, part):
        """For a gradient that an adjoint twin returns: the gradient given to it, if it may have handed that on."""
        if isinstance(value, gast.Call) and tree.dotted(value.func) in self.twins:
            lent = self.twins[tree.dotted(value.func)]
            if lent is None or lent[part or 0]:
                return value.args[0]
        return None


def shares(expr):
    """Whether the value of an expression may be (a view of) one of its operands."""
    if isinstance(expr, (gast.Name, gast.Subscript, gast.Attribute)):
        return True
    if isinstance(expr, gast.Call):
        name = expr.func.attr if isinstance(expr.func, gast.Attribute) else getattr(expr.func, 'id', '')
        return bool(facts.of(name).view) and bool(expr.args) and shares(expr.args[0])
    return False
