"""What is known of gradients that are None until something is added to them.

    bt4 = bx = None
    bt4 = add_parts(bt4, by * t)               ->       bt4 = by * t
    if bt4 is not None:                                 bx = _grads.give(x, bt4 * k)
        bx = _grads.give(x, bt4 * k, bx)
    bt4 = None

Enters: the body of a backward pass. Leaves: the same without sums and tests of what is known.
"""
import gast

from tangent.eventlog.entries import Fold
from tangent.frontend import tree

NONE, VALUE, MAYBE = 'none', 'value', 'maybe'
LOOPS = gast.For, gast.While
# Methods of the table that may be given what there is already, behind so many arguments
SUMS = {'give': 2, 'give_item': 4, 'give_attribute': 4, 'take': 1, 'take_full': 1, 'take_whole': 1}
JUMPS = gast.Break, gast.Continue, *tree.TRIES, gast.With, gast.NamedExpr, gast.Delete, gast.Nonlocal, gast.Global


def settled(stmts, adds, numbers, table, seed):
    """The statements of a backward pass, with what is known of its gradients made use of.

    Parameters
    ----------
    stmts : list of gast.stmt
    adds : str or None
        The name of `add_parts`.
    numbers : set of str
        Those gradients that are numbers, or None.
    table : str
        The name of the table of gradients.
    seed : str or None
        The name of the seed, if that surely is something.
    """
    if any(isinstance(n, (*JUMPS, gast.FunctionDef, gast.Lambda)) for s in stmts for n in tree.walk(s)):
        return stmts
    gradients = {n for s in tree.every(stmts) for n in tree.writes(s)}
    flow = Flow(gradients, adds, numbers, table)
    state = dict.fromkeys(gradients, MAYBE)
    if seed is not None:
        state[seed] = VALUE
    return alive(flow.block(stmts, state), gradients, set())[0] or [tree.place(gast.Pass(), None)]


class Flow:
    """Goes through the statements with what each gradient is by then: nothing, something, or one of the two."""

    def __init__(self, gradients, adds, numbers, table):
        self.gradients, self.adds, self.numbers, self.table = gradients, adds, numbers, table

    def block(self, stmts, state):
        """The statements as they can be written where this holds before them; `state` is then what holds behind them."""
        out = []
        for s in stmts:
            if isinstance(s, gast.If):
                out += self.branch(s, state)
            elif isinstance(s, LOOPS):
                out.append(self.loop(s, state))
            else:
                out.append(self.plain(s, state))
        return out

    def branch(self, s, state):
        name = tested(s.test)
        known = state.get(name, MAYBE)
        if known != MAYBE:
            return self.block(s.body if known == VALUE else s.orelse, state)
        ways = [dict(state), dict(state)]
        if name in state:
            ways[0][name], ways[1][name] = VALUE, NONE
        body, orelse = (self.block(stmts, way) for stmts, way in zip((s.body, s.orelse), ways))
        state.update(joined(*ways))
        return [tree.replace(s, body=body or [tree.place(gast.Pass(), None)], orelse=orelse)]

    def loop(self, s, state):
        while True:
            inside = dict(state)
            self.bind(tree.writes(s) if isinstance(s, gast.For) else (), inside)
            body = self.block(s.body, inside)
            met = joined(state, inside)
            if met == state:
                return tree.replace(s, body=body or [tree.place(gast.Pass(), None)])
            state.update(met)

    def bind(self, names, state, what=MAYBE):
        state.update(dict.fromkeys(self.gradients.intersection(names), what))

    def plain(self, s, state):
        if isinstance(s, gast.AugAssign):
            self.bind([getattr(s.target, 'id', None)], state, VALUE)
            return s
        s = self.filled_in(s, state)
        if not isinstance(s, gast.Assign):
            return s
        name = tree.target(s)
        if name and self.is_sum(s.value):
            s = tree.replace(s, value=self.sum(*s.value.args, state, name in self.numbers))
        value = self.of(s.value, state) if name or tree.is_none(s.value) else MAYBE           # else a part of it
        self.bind([n for t in s.targets for n in tree.names(t, gast.Store)], state, value)
        return s

    def filled_in(self, s, state):
        """The statement with None for what is nothing, which is left out where a method of the table is given no more."""
        nothing = {n for n in tree.reads(s) if state.get(n) == NONE}
        call = getattr(s, 'value', None)
        if nothing and isinstance(s, (gast.Assign, gast.Expr)) and not self.is_sum(call):
            s = Fold(dict.fromkeys(nothing, tree.constant(None))).visit(tree.clone(s))
            call = s.value
            owner, _, method = (tree.dotted(getattr(call, 'func', None)) or '').rpartition('.')
            if owner == self.table and len(call.args) > SUMS.get(method, len(call.args)) and tree.is_none(call.args[-1]):
                call.args.pop()
        return s

    def is_sum(self, expr):
        return isinstance(expr, gast.Call) and self.adds is not None and tree.dotted(expr.func) == self.adds

    def sum(self, left, right, state, are_numbers):
        """`add_parts(left, right)`."""
        known = [self.of(e, state) for e in (left, right)]
        if NONE in known:
            return right if known[0] == NONE else left
        if are_numbers and known == [VALUE, VALUE]:
            return gast.BinOp(left=left, op=gast.Add(), right=right)
        return gast.Call(func=tree.load(self.adds), args=[left, right], keywords=[])

    def of(self, expr, state):
        """What the value of an expression is."""
        if isinstance(expr, gast.Name):
            return state.get(expr.id, MAYBE)
        if isinstance(expr, gast.Constant):
            return NONE if expr.value is None else VALUE
        if self.is_sum(expr):
            known = [self.of(e, state) for e in expr.args]
            return VALUE if VALUE in known else NONE if known == [NONE, NONE] else MAYBE
        return VALUE if isinstance(expr, (gast.BinOp, gast.UnaryOp)) else MAYBE


def tested(test):
    """The name in `name is not None`."""
    found = isinstance(test, gast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], gast.IsNot) \
        and tree.is_none(test.comparators[0]) and isinstance(test.left, gast.Name)
    return test.left.id if found else None


def joined(a, b):
    return {name: a[name] if a[name] == b[name] else MAYBE for name in a}


def alive(stmts, gradients, after):
    """(the statements without those that bind gradients, by a name or to nothing, that nobody reads; what is read before)."""
    out, live = [], set(after)
    for s in reversed(stmts):
        if isinstance(s, gast.If):
            (body, first), (orelse, second) = (alive(block, gradients, live) for block in (s.body, s.orelse))
            live = first | second | set(tree.reads(s))
            if body or orelse or any(isinstance(n, gast.Call) for n in tree.walk(s.test)):       # which may take from the tape
                out.append(tree.replace(s, body=body or [tree.place(gast.Pass(), None)], orelse=orelse))
        elif isinstance(s, LOOPS):
            around = live | set(tree.reads(s))
            while True:
                body, before = alive(s.body, gradients, around)
                if before <= around:
                    break
                around |= before
            live = around
            out.append(tree.replace(s, body=body or [tree.place(gast.Pass(), None)]))
        elif s := needed(s, gradients, live):
            live = live - (set(tree.writes(s)) if not isinstance(s, gast.AugAssign) else set()) | set(tree.reads(s))
            out.append(s)
    return out[::-1], live


def needed(s, gradients, live):
    """What of a statement has to be done."""
    if isinstance(s, gast.Pass):
        return None
    if not isinstance(s, gast.Assign) or not isinstance(s.value, (gast.Constant, gast.Name)):
        return s
    if tree.target(s) and tree.target(s) == getattr(s.value, 'id', None):
        return None
    targets = [t for t in s.targets if not isinstance(t, gast.Name) or t.id in live or t.id not in gradients]
    return s if len(targets) == len(s.targets) else tree.replace(s, targets=targets) if targets else None
