"""Arrays that a function of the user's returns and that are written into afterwards: copies of the function's own.

    a = start(x)                   t = start(x)
    a[0] = y               ->      a = t.copy()
                                   a[0] = y

The adjoint of `start` reads what it returned. Only where the result shares no memory with what was handed over: then nobody
else sees what is written into it.
"""
from __future__ import annotations

import types

import gast

from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.source import uncompiled
from tangent.normal.typed.views import stored_into


def apart(function, kinds, effects, resolver, names):
    """The FunctionDef with copies of such results."""
    results = _Results({n for n, kind in kinds.items() if type(kind) is int and kind > 0}, effects, resolver, names)
    results.changed = results.written_into(function)
    return tree.replace(function, body=results.block(function.body)) if results.changed else function


class _Results:
    def __init__(self, arrays, effects, resolver, names):
        self.arrays, self.effects, self.resolver, self.names = arrays, effects, resolver, names
        self.changed = set()

    def written_into(self, function):
        """Names of arrays into which the function writes, or functions that it calls."""
        found = stored_into(function.body)
        for s in tree.every(function.body):
            for call in (n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)):
                found |= {n for part in self.effects(self.resolver(call.func), call) for e in part
                          for n in tree.names(e, gast.Load)}
        return found & self.arrays

    def block(self, stmts):
        out = []
        for s in stmts:
            blocks = {field: self.block(block) for field, block in tree.blocks(s)}
            s = tree.replace(s, **blocks) if blocks else s
            out += self.copied(s) if tree.target(s) in self.changed and self.is_own(s.value) else [s]
        return out

    def is_own(self, call):
        """Whether it calls a function of the user's whose result shares no memory with its arguments."""
        callee = self.resolver(call.func) if isinstance(call, gast.Call) else None
        args = tree.arguments(call) if callee is not None else []
        return isinstance(uncompiled(callee), (types.FunctionType, Nested)) and self.effects.knows(callee) \
            and not any(self.effects.keeps(callee, call, a) for a in args)

    def copied(self, s):
        held = self.names.fresh('t')
        copy = tree.method(tree.load(held), 'copy')
        return [tree.replace(s, targets=[tree.store(held)]),
                tree.place(gast.copy_location(tree.replace(s, value=copy), s), tree.origin(s))]
