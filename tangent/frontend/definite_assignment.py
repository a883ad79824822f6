"""Which names are surely bound, and which are read before they are, in statements as the user wrote them."""
from __future__ import annotations

import gast

from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES
from tangent.frontend.scopes import DEFINITIONS, free


class Bound:
    """Follows every path through statements with the names that are surely bound on it.

    first : names that may be read before they are bound
    before : id of a statement -> names surely bound where it begins
    always : names surely bound at each end of the statements, where a loop would go on or be left
    goes_on : whether there is such an end
    """

    def __init__(self, stmts, known=()):
        self.first, self.before, self.loops = set(), {}, []
        self.ends = []
        self.loops.append(self.ends)
        last = self.block(stmts, frozenset(known))
        self.ends += [last] if last is not None else []
        self.goes_on = bool(self.ends)
        self.always = frozenset.intersection(*self.ends) if self.ends else frozenset()

    def block(self, stmts, known):
        """Names bound behind the statements; None where nothing goes on behind them."""
        for s in stmts:
            if known is None:
                return None
            self.before[id(s)] = known
            known = self.statement(s, known)
        return known

    def statement(self, s, known):
        if isinstance(s, (*DEFINITIONS, gast.ClassDef)):
            self.first |= (free(s) if not isinstance(s, gast.ClassDef) else tree.reads(s)) - known
            return known | {s.name}
        self.first |= tree.reads(s) - known
        if isinstance(s, (gast.Break, gast.Continue)):
            self.loops[-1].append(known)
            return None
        if isinstance(s, (gast.Return, gast.Raise)):
            return None
        known = known | stored(s)
        if isinstance(s, gast.If):
            return both(self.block(s.body, known), self.block(s.orelse, known))
        if isinstance(s, (gast.For, gast.While, gast.AsyncFor)):
            before = known - set(tree.names(s.target, gast.Store)) if hasattr(s, 'target') else known
            self.loops.append([])
            self.block(s.body, known)
            self.loops.pop()
            return both(before, self.block(s.orelse, before)) if s.orelse else before
        if isinstance(s, (gast.With, gast.AsyncWith)):
            return self.block(s.body, known)
        if isinstance(s, gast.Match):
            for case in s.cases:
                self.block(case.body, known | set(tree.names(case.pattern, gast.Store)))
            return known
        if hasattr(s, 'handlers'):
            return self.attempt(s, known)
        return known

    def attempt(self, s, known):
        done = self.block(s.body, known)
        done = self.block(s.orelse, done) if done is not None else None
        for h in s.handlers:
            done = both(done, self.block(h.body, known | ({h.name.id} if h.name else set())))
        final = self.block(s.finalbody, known)
        return None if done is None or final is None else done | final


def both(left, right):
    return right if left is None else left if right is None else left & right


def stored(s):
    """Names that a statement surely binds in its own header: none of comprehensions and lambdas."""
    if isinstance(s, (gast.Import, gast.ImportFrom)):
        return tree.writes(s)
    pending, found = list(tree.header(s)), set()
    while pending:
        node = pending.pop()
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store):
            found.add(node.id)
        elif not isinstance(node, (*SCOPES, gast.IfExp, gast.BoolOp)):
            pending += tree.children(node)
    return found
