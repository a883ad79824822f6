"""Arrays that exchange their names exchange what they hold: then each name stays that of one array.

    a, b = b, a               check_alike(a, b)
                              t = a.copy()
                              a[...] = b
                              b[...] = t

So long as no other name is that of one of the arrays, both come to the same (`buffers` sees to that), and an array of one name
has a derivative in place. Only where types say that all are arrays of equally many axes.
"""
from __future__ import annotations

import gast

from tangent.emit.library import find
from tangent.frontend import tree


def by_contents(function, kinds, inner, names, library, resolver):
    """The FunctionDef with copies in place of permutations of names.

    inner : whether the caller sees what becomes of the arrays that it handed over
    """
    kept = set(tree.names(function.args, gast.Param)) if inner else set()
    axes = {n: kind for n, kind in kinds.items() if type(kind) is int and kind > 0 and n not in kept}
    if len(axes) < 2:
        return function
    body = _Swaps(axes, names, library, resolver).block(function.body)
    return tree.replace(function, body=body)


class _Swaps:
    def __init__(self, axes, names, library, resolver):
        self.axes, self.names, self.library, self.resolver = axes, names, library, resolver

    def block(self, stmts):
        out, k = [], 0
        while k < len(stmts):
            s = stmts[k]
            moves, count = self.permutation(stmts[k:])
            if moves is not None:
                out += self.copies(moves, s)
                k += count
                continue
            blocks = {field: self.block(block) for field, block in tree.blocks(s)}
            out.append(tree.replace(s, **blocks) if blocks else s)
            k += 1
        return out

    def permutation(self, stmts):
        """(target -> source, how many statements) where the first of the statements begin a permutation of names."""
        found = moved(stmts[0])
        if found is not None and self.permutes(found):
            return found, 1
        three = [moved(s) for s in stmts[:3]]
        if len(three) == 3 and all(m is not None and len(m) == 1 for m in three):         # t = a; a = b; b = t
            (t, a), (a2, b), (b2, t2) = (next(iter(m.items())) for m in three)
            if a == a2 and b == b2 and t == t2 and self.permutes({a: b, b: a}) \
                    and t not in {n for s in stmts[3:] for n in tree.names(s, gast.Load)}:
                return {a: b, b: a}, 3
        return None, 0

    def permutes(self, moves):
        ranks = {self.axes.get(n) for n in moves}
        return len(moves) > 1 and set(moves) == set(moves.values()) and len(ranks) == 1 and None not in ranks

    def copies(self, moves, s):
        helper = self.library('check_alike')
        self.resolver.seen[helper] = find('check_alike')
        first, *rest = moves
        out = [gast.Expr(value=tree.call(helper, tree.load(first), tree.load(n))) for n in rest]
        left = dict(moves)
        while left:
            start = target = next(iter(left))
            held = self.names.fresh('t')
            copy = tree.method(tree.load(start), 'copy')
            out.append(gast.Assign(targets=[tree.store(held)], value=copy, type_comment=None))
            while left:
                source = left.pop(target)
                place = gast.Subscript(value=tree.load(target), slice=tree.constant(...), ctx=gast.Store())
                value = tree.load(held if source == start else source)
                out.append(gast.Assign(targets=[place], value=value, type_comment=None))
                target = source
                if source == start:
                    break
        return [tree.place(gast.copy_location(t, s), tree.origin(s)) for t in out]


def moved(s):
    """Target -> source for a statement that gives names what other names hold; None for others."""
    if not isinstance(s, gast.Assign) or len(s.targets) != 1:
        return None
    targets, values = s.targets[0], s.value
    pairs = list(zip(targets.elts, values.elts)) if isinstance(targets, gast.Tuple) and isinstance(values, gast.Tuple) \
        and len(targets.elts) == len(values.elts) else [(targets, values)]
    if not all(isinstance(e, gast.Name) for pair in pairs for e in pair):
        return None
    return {t.id: v.id for t, v in pairs}
