"""Branches that only say whether."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite


def flags(func):
    """Write `c = test` for a branch that only sets a flag which nothing but tests reads.

    >>> show(flags, 'if x > 0:\\n c = True\\nelse:\\n c = False\\nif c:\\n z = 2')
    c = x > 0
    if c:
        z = 2
    """
    effects, tested = effects_of(func), {}
    for stmt in cfg.statements(func):
        if isinstance(stmt, (gast.If, gast.While)):
            for name in look(stmt).loads:
                tested[name] = tested.get(name, 0) + 1

    def change(stmt):
        if isinstance(stmt, gast.If) and len(stmt.body) == len(stmt.orelse) == 1 and single(stmt.test):
            name, values = tree.target(stmt.body[0]), [truth(stmt.body[0]), truth(stmt.orelse[0])]
            if (name and name == tree.target(stmt.orelse[0]) and values == [True, False]
                    and tested.get(name) == effects.uses.get(name)):
                return tree.replace(stmt.body[0], value=stmt.test)
        return rewrite.with_blocks(stmt, block)

    def block(statements):
        return rewrite.same([change(stmt) for stmt in statements], statements)
    return rewrite.with_body(func, block(func.tree.body))


def single(test):
    return isinstance(test, gast.Compare) and len(test.ops) == 1


def truth(stmt):
    """True or False if that is what the statement assigns, else None."""
    value = stmt.value if isinstance(stmt, gast.Assign) else None
    return value.value if isinstance(value, gast.Constant) and isinstance(value.value, bool) else None
