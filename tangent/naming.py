"""Names that people see: of derivatives, of seeds."""
from __future__ import annotations

import gast

from tangent.structure import walk_scope

OPERATORS = {gast.Add: 'plus', gast.Sub: 'minus', gast.Mult: 'times', gast.Div: 'over', gast.Pow: 'to', gast.MatMult: 'at'}


def derivative(source, wrt):
    """`dfdx`; with respect to several `dfdxdy`."""
    return 'd' + source.name + ''.join(f'd{p}' for p in wrt)


def result(source):
    """What the result is called: `y` for `return y`, `x_times_x` for `return x * x`, else the name of the function."""
    returns = [n.value for n in walk_scope(source.tree.body) if isinstance(n, gast.Return)]
    found = {_name(value) for value in returns}
    return found.pop() or source.name if len(found) == 1 else source.name


def seed(source):
    return 'b' + result(source)


def _name(value):
    if isinstance(value, gast.Name):
        return value.id
    if isinstance(value, gast.BinOp) and type(value.op) in OPERATORS \
            and isinstance(value.left, gast.Name) and isinstance(value.right, gast.Name):
        return f'{value.left.id}_{OPERATORS[type(value.op)]}_{value.right.id}'
    return None
