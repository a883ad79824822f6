"""Loops are left where it is found out that they end."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.dead import negated
from tangent.optimize.expressions.flags import truth


def breaks(func):
    """Write `break` for a flag that is set only to leave the loop at the end of its body.

    >>> show(breaks, 'for i in range(n):\\n if x > i:\\n  y = i\\n  stop = True\\n else:\\n  stop = False\\n count += 1\\n'
    ...     ' if stop:\\n  break')
    for i in range(n):
        count += 1
        if x > i:
            y = i
            break
    >>> show(breaks, 'for i in range(n):\\n stop = x > i\\n count += stop\\n if stop:\\n  break')
    for i in range(n):
        stop = x > i
        count += stop
        if stop:
            break
    """
    read = {}
    for stmt in cfg.statements(func):
        for name in look(stmt).loads:
            read.setdefault(name, []).append(stmt)

    def change(stmt):
        stmt = rewrite.with_blocks(stmt, block)
        flag = guard(stmt.body[-1]) if isinstance(stmt, (gast.For, gast.While)) else None
        if flag and all(guard(reader) == flag for reader in read[flag]):
            body = left(stmt.body, flag)
            return tree.replace(stmt, body=body) if body else stmt
        return stmt

    def block(statements):
        return rewrite.same([change(stmt) for stmt in statements], statements)
    return rewrite.with_body(func, block(func.tree.body))


def guard(stmt):
    """The name in `if name: break`, else None."""
    if isinstance(stmt, gast.If) and len(stmt.body) == 1 and isinstance(stmt.body[0], gast.Break) and not stmt.orelse:
        return stmt.test.id if isinstance(stmt.test, gast.Name) else None
    return None


def left(body, flag):
    """The body of a loop that is left by `break` instead of a flag; None if the flag is set where more follows."""
    setting = [k for k, stmt in enumerate(body) if flag in writes(stmt)]
    if not setting:
        return None
    last, first = setting[-1], body[setting[0]]
    start = len(setting) == 2 and truth(first) is False
    if len(setting) > 1 and not start or not start and not always(body[last], flag):
        return None
    between = body[last + 1:-1]
    if not all(passes(stmt, body[last]) for stmt in between):
        return None
    end = tail([body[last]], flag, body[-1].body[0])
    return end and [stmt for stmt in body[:last] if not start or stmt is not first] + between + end


def tail(block, flag, leave):
    """The block with `break` at its end where it sets the flag; None if more depends on the flag."""
    setting = [s for s in block if flag in writes(s)]
    if not setting:
        return block
    stmt, before = setting[0], [s for s in block if s is not setting[0]]
    if len(setting) == 1 and truth(stmt) is not None and tree.target(stmt) == flag:
        return before + [tree.replace(leave)] if truth(stmt) else before       # each statement stands in one place
    if len(setting) > 1 or stmt is not block[-1]:
        return None
    if tree.target(stmt) == flag:
        return before + [tree.place(gast.If(test=stmt.value, body=[tree.replace(leave)], orelse=[]), tree.origin(stmt))]
    if not isinstance(stmt, gast.If):
        return None
    body, orelse = tail(stmt.body, flag, leave), tail(stmt.orelse, flag, leave)
    if body is None or orelse is None:
        return None
    if body and isinstance(body[-1], gast.Break):
        return before + [tree.replace(stmt, body=body, orelse=[])] + orelse
    if body:
        return before + [tree.replace(stmt, body=body, orelse=orelse)]
    return before + [tree.replace(stmt, test=negated(stmt.test), body=orelse, orelse=[])]


def passes(stmt, other):
    """Whether the statement only keeps something for the backward pass, and may do so before the other one."""
    if tree.role(stmt) == 'primal' or not isinstance(stmt, (gast.AugAssign, gast.Expr)):
        return False
    mine = look(stmt).writes | set(look(stmt).loads)
    return mine.isdisjoint(writes(other)) and (look(stmt).writes | look(stmt).mutated).isdisjoint(reads(other))


def writes(stmt):
    return look(stmt).writes.union(*(writes(inner) for _, block in tree.blocks(stmt) for inner in block))


def reads(stmt):
    return set(look(stmt).loads).union(*(reads(inner) for _, block in tree.blocks(stmt) for inner in block))


def always(stmt, flag):
    """Whether the statement sets the flag on every path."""
    if isinstance(stmt, gast.If):
        return all(any(always(s, flag) for s in block) for block in (stmt.body, stmt.orelse))
    return tree.target(stmt) == flag
