"""Structure: one exit, structured control flow.

    if c: return a          if c: r = a               for ...:              for ...:
    b                  ->   else: b; r = d                A           ->        A
    return d                return r                      if c: break           if c: stop = True
                                                          B                     else: stop = False; B
                                                                                if stop: break

The rest of a block moves into the `else` of its guard, so flags are made only where two paths of a branch both go on.
What remains is one guarded `break` at the end of a loop body.
"""
import gast

from tangent.frontend import tree
from tangent.frontend.subset import region

JUMPS = (gast.Return, gast.Break, gast.Continue)
FALL = 'fall'


def structure(function, names):
    """The FunctionDef with one `return` at its end (a Name or an expression) and no `continue`."""
    body = list(function.body)
    if body and isinstance(body[-1], gast.Return) and not any(jumps(s, gast.Return) for s in body[:-1]):
        state = _Structure(None, None, names)
        block, _ = state.block(body[:-1])
        return tree.replace(function, body=block + [body[-1]])
    returns = [n for n in tree.walk_scope(body) if isinstance(n, gast.Return)]
    done = names.fresh('done')
    result = common_name(returns) or names.fresh('result')
    state = _Structure(result, done, names)
    block, ends = state.block(body)
    before = []
    if FALL in ends:                       # the end of the body, too, returns: None
        result = names.fresh('result')
        state = _Structure(result, done, names)
        block, ends = state.block(body)
        before.append(tree.assign(result, tree.constant(None), tree.Origin('primal')))
    if reads(block, state.done):
        before.append(flag(state.done, False))
    else:
        block = without(block, state.done)
    last = gast.Return(value=tree.load(result))
    tree.place(last, tree.Origin('primal', returns[-1].lineno if returns else function.lineno, ''))
    return tree.replace(function, body=before + block + [last])


def common_name(returns):
    """The name that every `return` returns, if it is one name."""
    found = {r.value.id if isinstance(r.value, gast.Name) else None for r in returns}
    return found.pop() if len(found) == 1 else None


def jumps(stmt, kinds=JUMPS):
    if isinstance(stmt, (gast.Assign, gast.AugAssign, gast.Expr)):
        return False
    return any(isinstance(n, kinds) for n in tree.walk_scope([stmt]))


def leaves(stmt):
    """Whether the statement can leave the block it stands in: a return anywhere, a break or continue of its own loop."""
    if isinstance(stmt, (gast.For, gast.While)):
        return jumps(stmt, gast.Return)
    if isinstance(stmt, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        return False
    return isinstance(stmt, JUMPS) or any(leaves(s) for _, block in tree.blocks(stmt) for s in block)


def reads(stmts, name):
    return any(name in tree.names(s, gast.Load) for s in stmts)


def flag(name, value):
    return tree.assign(name, tree.constant(value), tree.Origin('primal'))


def without(stmts, name):
    """The statements less the assignments to a flag that nobody reads."""
    kept = []
    for s in stmts:
        if tree.target(s) == name:
            continue
        changed = {field: without(block, name) for field, block in tree.blocks(s)}
        if 'body' in changed and not changed['body']:
            changed['body'] = [tree.place(gast.Pass(), tree.Origin('primal'))]
        kept.append(tree.replace(s, **changed) if changed else s)
    return kept


class _Structure:
    """Rewrites blocks; `block` gives the new statements and the ways in which the block can end."""

    def __init__(self, result, done, names):
        self.result, self.done, self.names = result, done, names
        self.stop = self.skip = None

    def block(self, stmts):
        out = []
        for i, s in enumerate(stmts):
            rest = stmts[i + 1:]
            if isinstance(s, gast.Return):
                out += self.returned(s)
                return out, {'return'}
            if isinstance(s, gast.Break):
                return out + [flag(self.stop, True)], {'break'}
            if isinstance(s, gast.Continue):
                return out + [flag(self.skip, True)], {'continue'}
            if isinstance(s, gast.Raise):
                return out + [s], {'raise'}
            if isinstance(s, (gast.For, gast.While)):
                s, ends = self.loop(s)
                out.append(s)
                if 'return' in ends:
                    if self.stop:                    # a return leaves the loop around this one as well
                        out.append(tree.assign(self.stop, tree.load(self.done), tree.Origin('primal')))
                    if endless(s) and 'break' not in ends:
                        return out, {'return'}
                    return self.guarded(out, {'return', FALL}, rest)
            elif isinstance(s, gast.If) and leaves(s):
                return self.branch(out, s, rest)
            elif isinstance(s, gast.With) and leaves(s):
                body, ends = self.block(s.body)
                out.append(tree.replace(s, body=body))
                if region(s) is not None:                     # what is done at its end is done whatever leaves it
                    out.append(tree.replace(rest[0], body=self.block(rest[0].body)[0]))
                    rest = rest[1:]
                return self.guarded(out, ends, rest if FALL in ends else ())
            else:
                inner = {field: self.block(block)[0] for field, block in tree.blocks(s) if jumps(s)}
                out.append(tree.replace(s, **inner) if inner else s)
        return out, {FALL}

    def returned(self, s):
        value = s.value if s.value is not None else tree.constant(None)
        place = tree.Origin('primal', s.lineno, tree.origin(s).text if tree.origin(s) else '')
        same = isinstance(value, gast.Name) and value.id == self.result
        out = [] if same else [tree.assign(self.result, value, place)]
        out.append(flag(self.done, True))
        return out + ([flag(self.stop, True)] if self.stop else [])

    def branch(self, out, s, rest):
        body, ends = self.block(s.body)
        goes_on = FALL in ends
        orelse, other = self.block(s.orelse if goes_on else s.orelse + rest)             # once: `elif` stands in `else`
        if goes_on and FALL in other:
            out.append(tree.replace(s, body=body or nothing(), orelse=orelse))
            return self.guarded(out, ends | other, rest)
        if goes_on:
            body, ends = self.block(s.body + rest)
        out.append(tree.replace(s, body=body or nothing(), orelse=orelse))
        return out, ends | other

    def guarded(self, out, ends, rest):
        """The rest of a block after a statement that may or may not have left it: under a flag."""
        if not rest:
            return out, ends
        block, more = self.block(rest)
        flags = [f for kind, f in (('return', self.done), ('break', self.stop), ('continue', self.skip)) if kind in ends]
        test = tree.load(flags[0])
        if len(flags) > 1:
            test = gast.BoolOp(op=gast.Or(), values=[tree.load(f) for f in flags])
        guard = gast.If(test=tree.negation(test), body=block or nothing(), orelse=[])
        out.append(tree.place(guard, tree.Origin('primal')))
        return out, (ends - {FALL}) | more

    def loop(self, s):
        outer = self.stop, self.skip
        self.stop, self.skip = stop, skip = self.names.fresh('stop'), self.names.fresh('skip')
        body, ends = self.block(s.body)
        self.stop, self.skip = outer
        body = [flag(skip, False)] + body if reads(body, skip) else without(body, skip)
        if ends & {'break', 'return'}:
            if not always_sets(body, stop):
                body = [flag(stop, False)] + body
            guard = gast.If(test=tree.load(stop), body=[tree.place(gast.Break(), tree.Origin('primal'))], orelse=[])
            body = body + [tree.place(guard, tree.Origin('primal'))]
        return tree.replace(s, body=body or nothing()), ends


def always_sets(stmts, name):
    return any(tree.target(s) == name or isinstance(s, gast.If) and always_sets(s.body, name)
               and always_sets(s.orelse, name) for s in stmts)


def endless(s):
    """Whether it is a `while True`, which nothing but a jump leaves."""
    return isinstance(s, gast.While) and isinstance(s.test, gast.Constant) and bool(s.test.value)


def nothing():
    return [tree.place(gast.Pass(), tree.Origin('primal'))]
