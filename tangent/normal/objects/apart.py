"""What loops bind has a name of its own where the function binds the name by assignments, too.

    for x in xs:                         for x in xs:
        p = Particle(x)                      p = Particle(x)
        particles.append(p)       ->         particles.append(p)
    for p in particles:                  for p2 in particles:
        p.move(dt)                           p2.move(dt)

So it is where no read of the name may see now what a loop has bound, now what an assignment has, as that of a function that is
made there may when it is called.
"""
import dataclasses

import gast

from tangent.frontend import tree
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS, inside, own_names

LOOP, OTHER = 'loop', 'other'


def loops_apart(source):
    """The Source with such names apart."""
    function = source.tree
    by_loops = {n for s in inside(function.body) if isinstance(s, gast.For) for n in tree.names(s.target, gast.Store)}
    named = tree.names(function.args, gast.Param)
    by_others = {n for s in inside(function.body) if isinstance(s, (gast.Assign, gast.AnnAssign, gast.AugAssign))
                 for n in tree.writes(s)} | set(named)
    mixed = {n for n in by_loops & by_others if _Reads(n).are_apart(function.body, OTHER if n in named else None)}
    if not mixed:
        return source
    taken = tree.Names(tree.all_names(function))
    new = {n: taken.fresh(n) for n in sorted(mixed)}
    return dataclasses.replace(source, tree=tree.replace(function, body=renamed(function.body, new)))


def renamed(stmts, new):
    """The statements with other names for what their loops bind."""
    out = []
    for s in stmts:
        own = {n: new[n] for n in tree.names(s.target, gast.Store) if n in new} if isinstance(s, gast.For) else {}
        if own:
            s = tree.replace(s, target=tree.rename(s.target, own), body=[tree.rename(t, own) for t in s.body])
        s = tree.replace(s, **{field: renamed(block, new) for field, block in tree.blocks(s)})
        out.append(s)
    return out


class _Mixed(Exception):
    """A read may see what a loop has bound, and what something else has."""


class _Reads:
    """The reads of one name, in the order of the text: what has bound it last, a LOOP around, or before, or something OTHER."""

    def __init__(self, name):
        self.name = name

    def are_apart(self, stmts, before):
        try:
            self.block(stmts, before, False)
        except _Mixed:
            return False
        return True

    def block(self, stmts, last, own):
        """What has bound the name last behind these statements; `own` : they stand in a loop that binds it."""
        for s in stmts:
            last = self.statement(s, last, own)
        return last

    def statement(self, s, last, own):
        bound = isinstance(s, gast.For) and self.name in tree.names(s.target, gast.Store)
        if any(isinstance(n, gast.Lambda) and self.reads(n) for part in tree.header(s) for n in tree.walk(part)):
            raise _Mixed
        if isinstance(s, (*DEFINITIONS, gast.ClassDef, *tree.TRIES, gast.With, gast.Match, gast.Global, gast.Nonlocal)):
            if any(isinstance(n, gast.Name) and n.id == self.name for n in tree.walk(s)):
                raise _Mixed
            return last
        looped = isinstance(s, (gast.For, gast.While)) and self.binds_in(s)
        updated = isinstance(s, gast.AugAssign) and getattr(s.target, 'id', None) == self.name
        if (updated or any(map(self.reads, [s.iter] if bound else tree.header(s)))) and not own and (
                last is LOOP or looped and isinstance(s, gast.While)):
            raise _Mixed
        if bound:
            if own or s.orelse:
                raise _Mixed
            self.block(s.body, LOOP, True)
            return LOOP
        if self.name in tree.writes(s):
            if own:
                raise _Mixed
            return OTHER
        ends = [self.block(block, LOOP if looped else last, own) for _, block in tree.blocks(s)]    # as the next one sees it
        return LOOP if looped or LOOP in ends else OTHER if OTHER in ends else last

    def binds_in(self, s):
        """Whether a loop inside a statement binds the name."""
        return any(isinstance(n, gast.For) and self.name in tree.names(n.target, gast.Store) for n in inside([s]))

    def reads(self, expr):
        """Whether an expression reads the name."""
        if isinstance(expr, (*COMPREHENSIONS, gast.Lambda)) and self.name in own_names(expr):
            return not isinstance(expr, gast.Lambda) and self.reads(expr.generators[0].iter)
        if isinstance(expr, gast.Name):
            return expr.id == self.name and isinstance(expr.ctx, gast.Load)
        return any(map(self.reads, tree.children(expr)))
