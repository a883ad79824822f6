"""Jumps out of the middle of statements that were put together: out of all of them, or to the end of a block.

    for i in xs:                                left = False
        for j in ys:                            for i in xs:
            if c:                   ->              for j in ys:
                (leave)                                 if c:
        A                                                   left = True
    B                                                       break
                                                    if left:
                                                        break
                                                    A
                                                if not left:
                                                    B
"""
import gast

from tangent.frontend import tree
from tangent.normal.desugar.loops import LOOPS, SCOPES, inside
from tangent.normal.desugar.loops import made as placed


class Leave(gast.Break):
    """Leaves all statements that were put in a place."""


class Skip(gast.Continue):
    """Goes to the end of the block that was put in a place."""


def made(stmt, s):
    """A statement of ours in the place of one of the user's; of one with blocks, of its header."""
    stmt, header = placed(stmt, s), getattr(s, 'iter', getattr(s, 'test', None))
    if header is not None:
        stmt.end_lineno, stmt.end_col_offset = header.end_lineno, header.end_col_offset
    return stmt


def marked(stmts):
    """The statements of a loop with marks in the place of its `break` and `continue`."""
    out = []
    for s in stmts:
        if type(s) is gast.Break:
            s = made(Leave(), s)
        elif type(s) is gast.Continue:
            s = made(Skip(), s)
        elif not isinstance(s, (*LOOPS, *SCOPES)):
            s = inside(s, marked)
        out.append(s)
    return out


def returned(stmts):
    """The statements of a generator function with marks in the place of `return`."""
    return [made(Leave(), s) if isinstance(s, gast.Return) else s if isinstance(s, SCOPES) else inside(s, returned)
            for s in stmts]


def has(stmts, mark):
    return any(isinstance(n, mark) for n in tree.walk_scope(stmts))


class Jumps:
    """Says marks in other words; `names` gives fresh ones, `flags` are those that have to be set to False before it all."""

    def __init__(self, names):
        self.names, self.flags = names, []

    def flag(self, wish, s):
        name = self.names.fresh(wish)
        self.flags.append(made(tree.assign(name, tree.constant(False)), s))
        return name

    def to_end(self, stmts, mark, wish):
        """The statements without marks of a kind: what is behind these is jumped over."""
        for k, s in enumerate(stmts):
            if isinstance(s, mark):
                return stmts[:k]
            if isinstance(s, SCOPES) or not has([s], mark):
                continue
            if isinstance(s, gast.If):
                for field, other in (('body', 'orelse'), ('orelse', 'body')):
                    block = getattr(s, field)
                    if block and isinstance(block[-1], mark) and not has(getattr(s, other) + block[:-1], mark):
                        rest = self.to_end([*getattr(s, other), *stmts[k + 1:]], mark, wish)
                        return [*stmts[:k], *branch(s, **{field: block[:-1], other: rest})]
            rest = self.to_end(stmts[k + 1:], mark, wish)
            if not rest and isinstance(s, LOOPS) and not is_deep(s.body, mark):
                return [*stmts[:k], tree.replace(s, body=self.broken(s.body, mark, None))]
            name = self.flag(wish, s)
            return [*stmts[:k], *self.setting([s], mark, name), *unless(name, rest, s)]
        return stmts

    def setting(self, stmts, mark, name):
        """The statements with the flag set for the marks, and what is behind these jumped over."""
        out = []
        for k, s in enumerate(stmts):
            if isinstance(s, mark):
                return [*out, made(tree.assign(name, tree.constant(True)), s)]
            if isinstance(s, SCOPES) or not has([s], mark):
                out.append(s)
            elif isinstance(s, LOOPS):
                out.append(tree.replace(s, body=self.broken(s.body, mark, name)))
            else:
                out.append(inside(s, lambda block: self.setting(block, mark, name)))
            if out[-1] is not s:
                return [*out, *unless(name, self.setting(stmts[k + 1:], mark, name), s)]
        return out

    def broken(self, stmts, mark, name):
        """What stands in a loop, with `break` for the marks, and the flag set if there is one."""
        out = []
        for s in stmts:
            if isinstance(s, mark):
                setting = [made(tree.assign(name, tree.constant(True)), s)] if name else []
                return [*out, *setting, made(gast.Break(), s)]
            found = not isinstance(s, SCOPES) and has([s], mark)
            out.append(inside(s, lambda block: self.broken(block, mark, name)) if found else s)
            if found and isinstance(s, LOOPS):
                out.append(made(gast.If(test=tree.load(name), body=[made(gast.Break(), s)], orelse=[]), s))
        return out


def is_deep(stmts, mark):
    """Whether marks stand in loops inside."""
    return any(isinstance(n, LOOPS) and has([n], mark) for n in tree.walk_scope(stmts))


def unless(name, stmts, s):
    return [made(gast.If(test=tree.negation(tree.load(name)), body=stmts, orelse=[]), s)] if stmts else []


def branch(s, body, orelse):
    """The statements for an `if` with these blocks, either of which may be empty."""
    if body:
        return [tree.replace(s, body=body, orelse=orelse)]
    if orelse:
        return [tree.replace(s, test=tree.negation(s.test), body=orelse, orelse=[])]
    return [] if tree.is_atom(s.test) else [made(gast.Expr(value=s.test), s)]
