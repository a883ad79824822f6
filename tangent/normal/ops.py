"""What `split` writes: atoms, the statements that make them, and what those with a derivative do."""
import dataclasses

import gast

from tangent.frontend import tree


@dataclasses.dataclass(frozen=True)
class Op:
    """What an active statement does.

    kind : 'copy', 'rule', 'index', 'field' (of an object), 'display', 'join' (of lists), 'merge' (of dicts), 'unpack', 'call',
        'insertion', and what is done to a builder: 'append', 'appendleft', 'pop', 'popleft', 'insert', 'take',
        'store', 'remove'
    args : trees: the operand(s); for a rule a dict parameter -> tree, for a call (args, keywords)
    what : the Rule, the callee, or None
    listed : parameters of the callee that get lists or tuples, of which it has sums or products
    """
    kind: str
    args: object
    what: object = None
    listed: tuple = ()


def bind(target, value, out, s):
    """Assignments of a (nested) target to a (nested) display of the same form."""
    if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, gast.Tuple) \
            and len(target.elts) == len(value.elts):
        for t, v in zip(target.elts, value.elts):
            bind(t, v, out, s)
    else:
        out.append(tree.like(s, target, value))


def subscript(value, index):
    return gast.Subscript(value=value, slice=index, ctx=gast.Load())


def difference(left, right):
    return gast.BinOp(left=left, op=gast.Sub(), right=right)


SIMPLE = (gast.Name, gast.Constant, gast.Attribute, gast.Tuple, gast.List, gast.Slice, gast.UnaryOp, gast.BinOp,
          gast.Subscript, gast.Dict, gast.operator, gast.unaryop, gast.expr_context)


def is_simple(expr, size=24):
    """Whether a passive expression can be evaluated again at no cost worth mentioning: names, literals, indices."""
    nodes = [n for n in gast.walk(expr) if not isinstance(n, gast.cmpop)]
    return len(nodes) <= size and all(
        isinstance(n, SIMPLE) and not isinstance(n, (gast.MatMult, gast.Pow))
        or isinstance(n, gast.Call) and tree.dotted(n.func) == 'len' or isinstance(n, gast.Compare) for n in nodes)


def subscripts(expr, keys):
    """`expr[k][l]...` for these keys."""
    for key in keys:
        expr = gast.Subscript(value=expr, slice=key, ctx=gast.Load())
    return expr
