"""Quotients that a compiler can calculate once.

    bx = bz / y                          bx = bz / y
    by = -bz * z / y         ->          by = -(bz / y) * z

A division takes as long as several multiplications; equal ones are calculated once, but no compiler may change the first of
these into the second. Results differ by rounding.
"""
import gast

from tangent.frontend import tree


def with_common_quotients(function):
    """The FunctionDef with the adjoints of divisions so that they have quotients in common."""
    known = {gast.dump(n) for s in tree.every(function.body) for part in tree.header(s) for n in tree.walk(part)
             if isinstance(n, gast.BinOp) and isinstance(n.op, gast.Div)}
    return tree.replace(function, body=_block(function.body, known)) if known else function


def _block(stmts, known):
    out = []
    for s in stmts:
        inner = {field: _block(block, known) for field, block in tree.blocks(s)}
        if tree.origin(s) and tree.origin(s).role == 'adjoint' and isinstance(s, (gast.Assign, gast.AugAssign)):
            inner['value'] = _rewritten(s.value, known)
        out.append(tree.replace(s, **inner) if inner else s)
    return out


def _rewritten(node, known):
    node = tree.with_children(node, lambda n: _rewritten(n, known))
    if not isinstance(node, gast.BinOp) or not isinstance(node.op, gast.Div) or not isinstance(node.left, gast.BinOp) \
            or not isinstance(node.left.op, gast.Mult):
        return node
    gradient, other = node.left.left, node.left.right
    turned = isinstance(gradient, gast.UnaryOp) and isinstance(gradient.op, gast.USub)
    quotient = gast.BinOp(left=gradient.operand if turned else gradient, op=gast.Div(), right=node.right)
    if gast.dump(quotient) not in known:
        return node
    quotient = gast.UnaryOp(op=gast.USub(), operand=quotient) if turned else quotient
    return gast.BinOp(left=quotient, op=gast.Mult(), right=other)
