"""What statements do with the memory of arrays: which they may change.

Which function writes into what it is given, its record says (`runtime.facts`); one that has none may do anything.
"""
from __future__ import annotations

import gast

from tangent.frontend import tree
from tangent.numba.loops.prepared.spread_first import lent
from tangent.runtime import facts

CHECKS = 'check_apart', 'check_equal', 'check_disjoint', 'check_floats'


def checks(s, kinds):
    """Whether a statement does no more than look at what it is given."""
    call = s.value if isinstance(s, gast.Expr) else None
    return isinstance(call, gast.Call) and facts.is_helper(kinds.find(call.func), *CHECKS)


def changed(s, kinds):
    """Names of arrays that a statement may change, as far as its header goes."""
    names = set() if checks(s, kinds) else lent(s, kinds) | tree.mutates(s)
    for n in [n for part in tree.header(s) for n in tree.walk(part)]:              # in `a[0], b = ...`, `del a[0]`, too
        if isinstance(n, (gast.Subscript, gast.Attribute)) and not isinstance(n.ctx, gast.Load):
            names |= {tree.root_name(n)} - {None}
    return {m for n in names for m in kinds.family(n)}
