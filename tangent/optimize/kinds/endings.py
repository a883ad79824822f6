"""Where a text ends with branches, each of them returns what it has found; zeros are bound together."""
import collections
import functools

import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import look
from tangent.analysis.kinds.values import Number
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.cheap import is_operation, operations
from tangent.optimize.expressions.constants import is_users
from tangent.optimize.expressions.fold import WIDTH, size_of

BRANCHES = 5        # so many returns are still read at a glance


def endings(func):
    """The branches at the end of a text for known kinds return; gradients that begin as zeros do so in one line, and what the
    user binds in one line is bound in one.

        if x < 0:                         if x < 0:
            ba = 0.0                          return 0.0, 2.0 * by
            bb = 2.0 * by                 return by * x, 0.0
        else:
            ba = by * x
            bb = 0.0
        return ba, bb

        ba = 0.0                          ba = bb = 0.0
        bb = 0.0

        bw = np.zeros(w.shape)            bw, bb = np.zeros(w.shape), np.zeros(b.shape)
        bb = np.zeros(b.shape)
    """
    if func.known is None:
        return func
    ends = _Endings(func)
    return rewrite.with_body(func, at_once(ends.together(ends.block(func.tree.body)), names_of(func)))


class _Endings:
    def __init__(self, func):
        self.func, self.effects = func, effects_of(func)
        self.zeros = f'{func.known.library("numpy")}.zeros'

    def block(self, body):
        """The body of the function, with its last branches returning if they can."""
        if len(body) < 2 or not isinstance(body[-1], gast.Return) or not isinstance(body[-2], gast.If):
            return body
        leaves = self.leaves(body[-2])
        if leaves is None or len(leaves) > BRANCHES:
            return body
        inside = {name for leaf in leaves for s in leaf for name in look(s).writes}
        elsewhere = {n for s in tree.every(body[:-2]) for n in (*look(s).loads, *look(s).writes)} | set(self.effects.params)
        if inside & elsewhere or not inside & set(look(body[-1]).loads):
            return body
        end = tree.place(tree.replace(body[-1]), tree.origin(body[-2]))
        new = {id(leaf): self.returning(leaf, end, 2) or self.returning(leaf, end, 1) for leaf in leaves}
        return body if None in new.values() else [*body[:-2], with_leaves(body[-2], new)]

    def leaves(self, branch):
        """The blocks in one of which the branches end, or None if something else may happen there."""
        found = []
        for block in (branch.body, branch.orelse):
            if len(block) == 1 and isinstance(block[0], gast.If):
                inner = self.leaves(block[0])
                if inner is None:
                    return None
                found += inner
            elif block and all(tree.target(s) and self.effects.pure(s) for s in block):
                found.append(block)
            else:
                return None
        return found

    def returning(self, leaf, end, most):
        """The block with the return behind it, in which stands what is read there once, and what is short and read so often;
        None if that is too much for a line."""
        if len({tree.target(s) for s in leaf}) < len(leaf):
            return None
        out, origins = [end], []
        for s in reversed(leaf):
            name = tree.target(s)
            count = sum(look(later).loads.count(name) for later in out)
            literal = isinstance(s.value, gast.Constant)
            if count == 1 or literal or 1 < count <= most and self.is_short(s.value):
                value = tree.part_of(s.value, tree.origin(s))
                out = [rewrite.header(later, lambda part: rewrite.substitute(part, {name: value})) for later in out]  # noqa: B023
                origins += [] if literal or tree.role(s) != 'adjoint' else [tree.origin(s)]
            elif count:
                out.insert(0, s)
        last = tree.replace(out[-1], value=without_signs(out[-1].value))
        if size_of(last) > WIDTH:
            return None
        return [*out[:-1], tree.place(last, origins[0] if origins else tree.origin(end))]

    def is_short(self, expr):
        """Whether it is one operation of two numbers, which a person would write twice."""
        return is_operation(expr) and operations(expr) == 1 and all(
            isinstance(self.kinds.of(part), Number) for part in (expr.left, expr.right))

    @functools.cached_property
    def kinds(self):
        return self.func.known.infer(self.func.tree)

    def together(self, block):
        """The block with neighbours that become zero by one step bound in one statement, where that fits a line, and what
        the user has bound in one statement."""
        out = []
        for s in block:
            s = rewrite.with_blocks(s, self.together)
            last = out[-1] if out else None
            if not last or tree.origin(s) != tree.origin(last):
                out.append(s)
            elif begins(s) and begins(last):
                out[-1] = tree.replace(last, targets=[*last.targets, *s.targets])
            elif size_of(s) + size_of(last) <= WIDTH and (
                    starts(s, self.zeros) and starts(last, self.zeros) or self.beside(last, s)):
                out[-1] = tree.replace(last, targets=[joined(last.targets[0], s.targets[0], gast.Store())],
                                       value=joined(last.value, s.value, gast.Load()))
            else:
                out.append(s)
        return rewrite.same(out, block)

    def beside(self, first, second):
        """Whether these were `a, b = x, y` of the user's."""
        names = look(first).writes
        users = tree.role(second) == 'carry' or tree.role(second) == 'primal' and tree.origin(second).line
        return self.binds(first) and self.binds(second) and users \
            and names.isdisjoint(look(second).writes) and names.isdisjoint(look(second).loads)

    def binds(self, s):
        """Whether the statement binds variables of the user's, one or several."""
        names = look(s).writes
        return isinstance(s, gast.Assign) and len(s.targets) == 1 and 0 < len(names) == len(unpacked(s.targets[0], s.value)) \
            and not any(self.func.base.get(n, n) in self.func.temps for n in names)


def names_of(func):
    """How often each name is read or bound."""
    return collections.Counter(n for s in tree.every(func.tree.body) for n in (*look(s).loads, *look(s).writes))


def at_once(block, count):
    """The block with two steps that need both old values in one statement, where one waited under another name.

        bz2 = -bu                                      bz, bu = -bu, bz + 2 * bu
        bu = bz + 2 * bu
        bz = bz2

    count : how often each name stands in the function
    """
    out = [rewrite.with_blocks(s, lambda inner: at_once(inner, count)) for s in block]
    for last in [s for s in out if tree.target(s) and isinstance(s.value, gast.Name)]:
        held, name = last.value.id, tree.target(last)
        at = next((k for k, s in enumerate(out) if tree.target(s) == held), len(out))
        steps = out[at:out.index(last)]
        if len(steps) < 2:
            continue
        first, second = steps[:2]
        if not tree.target(second) or tree.target(second) in (held, name) or held in look(second).loads:
            continue
        between = list(tree.every(steps[2:]))
        jumps = any(isinstance(s, (gast.Break, gast.Continue, gast.Return)) for s in between)
        if jumps or count[held] != 2 or any(name in look(s).loads or name in look(s).writes for s in between) \
                or size_of(first) + size_of(second) > WIDTH:
            continue
        out[at] = tree.replace(second, targets=[joined(last.targets[0], second.targets[0], gast.Store())],
                               value=joined(first.value, second.value, gast.Load()))
        out.remove(second)
        out.remove(last)
    return rewrite.same(out, block)


def unpacked(target, value):
    """The names that a statement binds by a display of as many values, or the one that it binds."""
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) and len(value.elts) == len(target.elts):
        return [t for t in target.elts if isinstance(t, gast.Name)]
    return [target] if isinstance(target, gast.Name) and not isinstance(value, gast.Tuple) else []


def with_leaves(branch, new):
    fields = {}
    for field in ('body', 'orelse'):
        block = getattr(branch, field)
        fields[field] = new[id(block)] if id(block) in new else [with_leaves(block[0], new)]
    return tree.replace(branch, **fields)


def without_signs(expr):
    """`0.0` for `-0.0`, `-a * b` for `-(a * b)`; what the user wrote stays."""
    if is_users(expr):
        return expr
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        inner = expr.operand
        if is_zero(inner):
            return inner
        if isinstance(inner, gast.BinOp) and isinstance(inner.op, (gast.Mult, gast.Div)):
            return tree.replace(inner, left=tree.replace(expr, operand=inner.left))
    return tree.with_children(expr, without_signs)


def is_zero(expr):
    return isinstance(expr, gast.Constant) and type(expr.value) is float and expr.value == 0.0


def joined(left, right, ctx):
    """One tuple of both."""
    return gast.Tuple(elts=[*(left.elts if isinstance(left, gast.Tuple) else [left]), right], ctx=ctx)


def starts(s, zeros):
    """Whether the statement makes gradients of zeros, one or several."""
    if not isinstance(s, gast.Assign) or len(s.targets) > 1 or tree.role(s) not in ('adjoint', 'zero'):
        return False
    if isinstance(s.value, gast.Tuple) and not isinstance(s.targets[0], gast.Tuple):         # the gradient of one tuple
        return False
    values = s.value.elts if isinstance(s.value, gast.Tuple) else [s.value]
    targets = s.targets[0].elts if isinstance(s.targets[0], gast.Tuple) else s.targets
    return all(isinstance(t, gast.Name) for t in targets) and all(
        isinstance(value, gast.Call) and tree.dotted(value.func) == zeros or is_zero(value) for value in values)


def begins(s):
    """Whether the statement makes a gradient zero."""
    return isinstance(s, gast.Assign) and is_zero(s.value) and tree.role(s) in ('adjoint', 'zero') \
        and all(isinstance(t, gast.Name) for t in s.targets)
