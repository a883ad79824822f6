"""Desugar: what Python has shorter words for is written out in longer ones, before anything is differentiated.

    y = sum(w * x for x in xs)       total = 0                         while (c := f(x)) > 1:         while True:
                                     for x in xs:                          x = c                          c = f(x)
                                         total = total + w * x    ;                              ->       if not c > 1:
                                     y = total                                                                break
                                                                                                          x = c

Comprehensions become loops where a derivative may flow through them, assignments inside expressions become statements
wherever they stand, `match` becomes `if`, and an `else` of a loop becomes an `if` behind it. What was evaluated first still
is. Every statement made here stands for a line of the user's (its origin). Statements such as `try` and `with` stay;
what is in their blocks is written out like the rest.
"""
from __future__ import annotations

from tangent import tree
from tangent.desugar.flow import Flow
from tangent.desugar.loops import without_else
from tangent.desugar.lower import Lower
from tangent.desugar.match import without_match
from tangent.desugar.simple import simple


def desugar(function, names, resolver, wrt=None, temps=None):
    """The FunctionDef with its sugar written out.

    Parameters
    ----------
    function : gast.FunctionDef
        Its statements have origins (see `normal.placed`).
    names : tree.Names
        Gives new names.
    resolver : Resolver
        Of this tree; the tree returned has more local names.
    wrt : iterable of str, optional
        Names from which derivatives flow; by default all names do.
    temps : set, optional
        Gets the names made here for parts of expressions, which may be folded back.
    """
    body = simple(without_else(without_match(function.body, names, resolver), names), resolver)
    function = tree.replace(function, body=body)
    flow = Flow(function, resolver, wrt)
    lower = Lower(function, names, resolver, flow)
    function = tree.replace(function, body=lower.block(function.body))
    if temps is not None:
        temps |= lower.temps
    return function
