"""Frames: small questions about the blocks of a forward and a backward pass."""
from __future__ import annotations

import gast

from tangent import tree
from tangent.ssa import is_guard

TAPE = tree.Origin('tape')


def role(s):
    return s.origin.role if tree.origin(s) else None


def adjoint_of(s):
    place = tree.origin(s)
    return tree.Origin('adjoint', place.line, place.text) if place else tree.Origin('adjoint')


def merged(terms, bound):
    """The terms of an operation with equal ones for one name made one: `2 * by * x` for `y = x * x`."""
    if len(terms) != 2:
        return terms
    (p, first), (q, second) = terms.items()
    if not isinstance(bound[p], gast.Name) or gast.dump(bound[p]) != gast.dump(bound[q]) or isinstance(first, list) \
            or gast.dump(first) != gast.dump(second):
        return terms
    return {p: twice(first)}


def twice(expr):
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Mult):
        return tree.replace(expr, left=twice(expr.left))
    return gast.BinOp(left=tree.constant(2), op=gast.Mult(), right=expr)


def passes():
    return tree.place(gast.Pass(), TAPE)


def in_front_of_guard(body, stmts):
    if body and is_guard(body[-1]):
        return body[:-1] + stmts + body[-1:]
    return body + stmts


def mutates_in_place(block):
    return any(isinstance(n, gast.AugAssign) or isinstance(n, (gast.Subscript, gast.Attribute))
               and isinstance(n.ctx, gast.Store) for s in block.body for n in gast.walk(s))


def exposed(stmts, defined=()):
    """Names that the statements read before they define them."""
    found, known = set(), set(defined)
    _exposed(stmts, known, found)
    return found


def defined(stmts):
    """Names that the statements surely define."""
    known: set = set()
    _exposed(stmts, known, set())
    return known


def _exposed(stmts, known, found):
    for s in stmts:
        found |= tree.reads(s) - known
        if isinstance(s, gast.If):
            paths = set(known), set(known)
            for block, path in zip((s.body, s.orelse), paths):
                _exposed(block, path, found)
            known |= paths[0] & paths[1]
        elif isinstance(s, (gast.For, gast.While)):
            inner = known | tree.writes(s)
            _exposed(s.body, inner, found)
        else:
            for _, block in tree.blocks(s):
                _exposed(block, set(known), found)
            known |= tree.writes(s)
