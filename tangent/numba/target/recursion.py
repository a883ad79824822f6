"""Recursive functions for Numba: what they keep for their adjoints lies in one place, and they hand over where.

    def f_primal(x, n):                              def f_primal(_kept, x, n):
        ... f_primal(x, n - 1) ...           ->          ... f_primal(_kept, x, n - 1) ...
        return y, (x, f_saved)                           return y, keep(_kept, f_primal, (x, f_saved))

    def f_adjoint(bf, saved):                        def f_adjoint(_kept, bf, saved):
        x, f_saved = saved                               saved = kept(_kept, f_primal, saved)
                                                         x, f_saved = saved

`f_saved` is in `saved` again, and so a type that Numba can give no name. The derivative itself makes the memory.
"""
import dataclasses

import gast

from tangent.emit.signature import params
from tangent.frontend import tree

SEED = tree.Origin('seed')


def with_memory(made, twins, main, names):
    """What was made, with memory for the twins that are recursive; `names` gives names to Kept, keep, kept."""
    links = calls(made)
    reached = {name: reach(name, links) for name in links}
    recursive = {t.primal: t for t in twins if t.primal in reached and t.primal in reached[t.primal]}
    if not recursive:
        return made
    core = {*recursive, *(t.adjoint for t in recursive.values())}
    users = {name for name in links if name in core or reached[name] & core} - {main}
    return [dataclasses.replace(m, tree=_Rewriter(m.tree, recursive, users, main, names).function()) for m in made]


def calls(made):
    """Name -> names of the functions that it calls."""
    return {m.tree.name: tree.names_called(m.tree) for m in made}


def reach(name, links):
    """The functions that a call of this one may call, directly or not."""
    found, pending = set(), [name]
    while pending:
        for other in links.get(pending.pop(), ()):
            if other in links and other not in found:
                found.add(other)
                pending.append(other)
    return found


class _Rewriter:
    """One function on its way."""

    def __init__(self, function, recursive, users, main, names):
        self.before, self.recursive, self.users, self.main, self.names = function, recursive, users, main, names
        self.memory = names.memory

    def function(self):
        function, name = self.before, self.before.name
        body = [self.expressions(s) for s in function.body]
        if name == self.main and tree.names_called(function) & self.users:
            start = tree.call(self.names('Kept'), *map(tree.load, params(function)[:-1]))
            at = tree.is_text(body[0])       # behind the docstring
            made = tree.assign(self.memory, start, tree.Origin('tape'))
            return tree.replace(function, body=[*body[:at], made, *body[at:]])
        if name not in self.users:
            return function
        if name in self.recursive:
            body = [*body[:-1], self.keeping(body[-1], name)]
        for primal, twin in self.recursive.items():
            if twin.adjoint == name:
                saved = params(function)[1 if twin.seeded else 0]
                got = tree.call(self.names('kept'), tree.load(self.memory), tree.load(primal), tree.load(saved))
                body = [tree.assign(saved, got, SEED), *body]
        args = tree.replace(function.args, args=[tree.parameter(self.memory), *function.args.args])
        if function.args.posonlyargs:
            args = tree.replace(function.args, posonlyargs=[tree.parameter(self.memory), *function.args.posonlyargs])
        return tree.replace(function, args=args, body=body)

    def keeping(self, s, name):
        """The return of a primal, which puts down what it saves."""
        first = [tree.load(self.memory), tree.load(name)]
        if not self.recursive[name].seeded:
            return tree.replace(s, value=tree.call(self.names('keep'), *first, s.value))
        result, saved = s.value.elts
        place = tree.call(self.names('keep'), *first, saved)
        return tree.replace(s, value=gast.Tuple(elts=[result, place], ctx=gast.Load()))

    def expressions(self, node):
        """The tree in which the memory is passed on."""
        new = tree.with_children(node, self.expressions)
        if isinstance(new, gast.Call) and isinstance(new.func, gast.Name) and new.func.id in self.users:
            new = tree.replace(new, args=[tree.load(self.memory), *new.args])
        return new
