"""Tapes of branches that Numba leaves out.

    _stack = Tape()                              if w is None:
    if w is None:                                    _stack = Tape()
        for i in ...: _stack.append(t)    ->         for i in ...: _stack.append(t)

Where an argument is None, or is not, Numba compiles one branch only: a tape of the other one would be of no type.
"""
import gast

from tangent.analysis.numeric import asks_for_none
from tangent.frontend import tree


def in_branches(stmts):
    """The statements of a function, with tapes made in the branches that alone use them, where these may be left out."""
    moved: dict = {}                      # a branch, as (statement, field) -> its tapes
    for s in stmts:
        name = tree.target(s)
        if not name or not tree.origin(s) or s.origin.role != 'tape' or not isinstance(s.value, gast.Call) or s.value.args:
            continue
        users = [t for t in stmts if t is not s and any(n.id == name for n in tree.walk(t) if isinstance(n, gast.Name))]
        if users and all(isinstance(t, gast.If) and asks_for_none(t.test) for t in users) and branch(users[0], name):
            moved.setdefault((users[0], branch(users[0], name)), []).append(s)
    tapes = {id(s) for found in moved.values() for s in found}
    out = []
    for s in stmts:
        fields = {field: found + getattr(s, field) for (where, field), found in moved.items() if where is s}
        if id(s) not in tapes:
            out.append(tree.replace(s, **fields) if fields else s)
    return out


def branch(s, name):
    """The one field of an `if` that reads a name, or None."""
    found = [field for field, block in tree.blocks(s)
             if any(n.id == name for t in block for n in tree.walk(t) if isinstance(n, gast.Name))]
    return found[0] if len(found) == 1 else None
