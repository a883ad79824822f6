"""In-place operations on what may be an array that has another name, where `x += v` is not `x = x + v`.

On numbers they are the same, and as that it is differentiated; on an array that some other name holds it is not.
"""
from __future__ import annotations

import collections
import functools
import types

import gast

from tangent.emit.library import find
from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested

SHARED = types.ModuleType, type, types.FunctionType, Nested


def unseen(node, source):
    """The error for writes that no pass over statements sees."""
    return subset.unsupported(node, source, 'calls that write into a value with a derivative inside a comprehension, or by '
                              'map and the like that may stop early,', 'write a for loop')


class HeldTwice:
    """Which statements may update an array that has another name: `x += v`, and calls of functions that do so to an
    argument through which a derivative flows."""

    def __init__(self, updated, active, aliases, base, source, inner, buffers):
        self.updated, self.aliases, self.base = updated, aliases, base
        self.source, self.inner = source, inner
        self.params = set(tree.names(source.tree.args, gast.Param))
        self.loads = collections.Counter(tree.names(source.tree, gast.Load))
        tests = [s.test for s in tree.every(source.tree.body) if isinstance(s, (gast.If, gast.While))]
        self.compared = {e.id for test in tests for n in tree.walk(test) if isinstance(n, gast.Compare)
                         for e in [n.left, *n.comparators] if isinstance(e, gast.Name)}
        self.assignments = [s for s in tree.every(source.tree.body) if isinstance(s, gast.Assign)]
        self.calls = {}
        self.guards = set()                   # names for people of what has to be a number
        for s, name in aliases.updates:
            known = name in buffers.calls.get(s, ()) or name in aliases.numbers
            if isinstance(s, gast.AugAssign) or active.isdisjoint(aliases.family(name)) or known:
                continue
            if active.isdisjoint(tree.writes(s)) or self.loads[base.get(name, name)] > 1 or self.elsewhere(name):
                self.calls.setdefault(s, name)

    def refuse(self, stmts, typed):
        """Refuse statements that would be seen under another name if they worked on an array.

        typed : whether types are known before the derivative runs, so that it can be left to a guard
        """
        for s in stmts:
            if self.of(s) and not (typed and self.can_guard(s)):
                raise subset.unsupported(s, self.source, 'in-place operations on what has another name, as an array would show',
                                        'write x = x + v for x += v, or work on a copy', undecided=True)
            for _, block in tree.blocks(s):
                self.refuse(block, typed)

    def of(self, s):
        old = self.updated.get(tree.target(s))
        return s in self.calls or bool(old) and old not in self.aliases.numbers and self.elsewhere(old)

    def can_guard(self, s):
        """Whether it is enough that what the name is given elsewhere are numbers; notes that they have to be."""
        if s in self.calls or (root := self.root(self.updated[tree.target(s)])) in self.params:
            return False
        self.guards.add(root)
        return True

    def guarded(self, stmts, library, resolver):
        """The statements with guards behind those that give such a name what may be an array of another name.

            y = v[i]         ->         y = v[i]
                                        check_element(y)
        """
        if not self.guards:
            return stmts
        out = []
        for s in stmts:
            blocks = {field: self.guarded(block, library, resolver) for field, block in tree.blocks(s)}
            s = tree.replace(s, **blocks) if blocks else s              # others are known by what they are
            guards = [self.guard(name, s, library, resolver) for name in self.given(s)]
            if isinstance(s, gast.For):
                s, guards = tree.replace(s, body=[*guards, *s.body]) if guards else s, []
            out += [s, *guards]
        return out

    def given(self, s):
        """The guarded names to which a statement gives what another name may hold, or a part of that."""
        if isinstance(s, gast.Assign):
            names, value = [tree.target(s)], s.value
        elif isinstance(s, gast.For):
            names, value = tree.names(s.target, gast.Store), s.iter
        else:
            return []
        found = {self.root(n) for n in self.aliases.handed_on(value)}
        return [n for n in names if n and self.root(n) in self.guards and found - {self.root(n)}]

    @staticmethod
    def guard(name, s, library, resolver):
        helper = library('check_element')
        resolver.seen[helper] = find('check_element')
        return tree.place(gast.Expr(value=tree.call(helper, tree.load(name))), tree.Origin('guard', s.lineno))

    def root(self, name):
        return self.base.get(name, name)

    def elsewhere(self, old):
        """Whether the user has another name through which an update of an array in place would be seen."""
        root = self.root(old)
        if root in self.compared:             # by an `if` or `while`: an array has no one truth value
            return False
        family = self.aliases.sharing(old)
        if self.inner and not family.isdisjoint(self.params):
            return True
        made_from = [n for s in self.assignments if root in tree.writes(s) for n in self.aliases.handed_on(s.value)]
        others = {self.root(n) for n in family} - {root}
        return any(self.loads[n] > made_from.count(n) for n in others)


def refuse_unseen(aliases, stmts, active, source, comprehensions=True):
    """Refuse calls that may write into what has a derivative where no pass over statements sees them."""
    node = aliases.unseen(stmts, active, comprehensions)
    if node is not None:
        raise unseen(node, source)


def refuse_shared(function, flows, resolver, source):
    """Refuse values with a derivative that become attributes of a module, a class or a function: all who see it share them."""
    partials = {tree.target(s) for s in tree.every(function.body) if isinstance(s, gast.Assign)
                and isinstance(s.value, gast.Call) and resolver(s.value.func) is functools.partial}
    for s in tree.every(function.body):
        call = s.value if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
        if call is not None and resolver(call.func) is setattr and len(call.args) == 3:
            places, value = [call.args[0]], call.args[2]
        elif isinstance(s, (gast.Assign, gast.AugAssign)):
            targets = s.targets if isinstance(s, gast.Assign) else [s.target]
            places, value = [t.value for t in targets if isinstance(t, (gast.Attribute, gast.Subscript))], s.value
        else:
            continue
        if flows(value) and any(is_shared(place, resolver) or getattr(place, 'id', None) in partials for place in places):
            raise subset.unsupported(s, source, 'writes to global variables through which a derivative flows',
                                    'return the value and assign it in the caller')


def is_shared(place, resolver):
    """Whether something is a module, a class or a function, or is read from one."""
    while isinstance(place, (gast.Attribute, gast.Subscript)):
        if tree.dotted(place) and isinstance(resolver(place), SHARED):
            return True
        place = place.value
    return isinstance(place, gast.Name) and isinstance(resolver(place), SHARED)


def refuse_dicts(function, flows, source):
    """Refuse the `__dict__` of objects with a derivative: another way to their attributes, which nothing sees."""
    for s in function.body:
        for node in tree.walk(s):
            if isinstance(node, gast.Attribute) and node.attr == '__dict__' and flows(node.value):
                raise subset.unsupported(node, source, 'uses of the __dict__ of an object with a derivative',
                                        'use getattr and setattr')
