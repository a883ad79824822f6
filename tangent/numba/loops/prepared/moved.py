"""Arrays that are taken over in place of copies of them, and writes that begin an array anew.

    bt = copy(bC[:])                             bt = 2 * b * C        (which had the name `bC`)
    bC[:] = 0                          ->        bC = beta * bt
    bC += beta * bt

    C2 = array_copy(C)
    C2[:] = t + beta * C2              ->        C2 = np.empty_like(C); C2[:] = t + beta * C

    bt = copy(bA[:])                   ->        bt @ x                 (where neither changes from there on)
    bt @ x

    old = copy(A[:])
    A[:] = t                           ->        A[:] = t               (where nobody reads `A` any more)
    ...
    A[:] = old

    bt = -bA
    bt2 = unbroadcast(bt, t)           ->        bB += unbroadcast(-bA, t)
    bB += bt2

    bA = 2 * b * A
    bt = A @ x                         ->        bt = A @ x
    bA += np.outer(bt, x)                        bA = 2 * b * A         (in the memory of `A`, in one pass)
                                                 bA += np.outer(bt, x)

A derivative of one function does not know what its callers do with what it is given; here all of it is one text. What an array
of its own is, that no other name stands for, is known of the whole function, what is read and changed of the statements that
follow. Statements inside others are left as they are.
"""
import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.prepared.memory import changed, kept
from tangent.numba.loops.prepared.rename import is_told
from tangent.numba.loops.values import elementwise
from tangent.runtime import facts

REAL = ('float64', 'float32')


def moved(function, known, names, numpy):
    """The FunctionDef with fewer arrays; the same object where there is nothing to do.

    known : FunctionDef -> the Kinds of it
    numpy : gives the name by which the text calls NumPy
    """
    while True:
        new = _Moved(function, known(function), names, numpy).step()
        if new is None:
            return function
        function = tree.replace(function, body=new)


class _Moved:
    """
    params : names of arguments that may be arrays, or hold some
    made : name -> which statement of the function's own block gives it a value last
    kept : names of arrays that something else may keep
    """

    def __init__(self, function, kinds, names, numpy):
        self.function, self.kinds, self.names, self.numpy = function, kinds, names, numpy
        self.body = function.body
        given = [(n, kinds.of.get(n)) for n in tree.names(function.args, gast.Param)]
        self.params = {n for n, kind in given if kind is None or kind.rank or kind.parts is not None}
        self.made = {tree.target(s): k for k, s in enumerate(self.body) if tree.target(s) is not None}
        self.kept = kept(function, kinds)

    def step(self):
        """The statements after one change; None where there is none to make."""
        for k, s in enumerate(self.body):
            new = self.dead(k, s) or self.anew(k, s) or self.taken(k, s) or self.shared(k, s) or self.first(k, s) \
                or self.late(k, s) or self.again(k, s)
            if new is not None:
                return new
        return None

    # What is known

    def is_array(self, name):
        kind = self.kinds.of.get(name)
        return kind is not None and kind.parts is None and kind.rank > 0 and kind.dtype in REAL

    def is_own(self, name):
        """Whether a name stands for one array, made in a statement of the block, that nothing else stands for, or keeps."""
        return name in self.made and self.is_array(name) and self.kinds.bound.get(name) == 1 and name not in self.kept \
            and not self.kinds.family(name) - {name} and is_made(self.body[self.made[name]].value, self.kinds)

    def loads(self, stmts, name):
        return sum(tree.names(s, gast.Load).count(name) for s in stmts)

    def is_like(self, expr, name):
        """Whether an expression makes an array of the shape and type of another."""
        kind, own = self.kinds.kind(expr), self.kinds.of[name]
        return is_made(expr, self.kinds) and kind is not None and kind.parts is None and None not in kind.shape and kind == own

    def changed(self, stmts):
        """Names of arrays that the statements may change."""
        return {n for s in tree.every(stmts) for n in changed(s, self.kinds)}

    def returned(self, name):
        ends = [s for s in tree.every(self.body) if isinstance(s, gast.Return) and s.value is not None]
        return bool(self.kinds.family(name) & {n for s in ends for n in tree.names(s, gast.Load)})

    # What is done

    def dead(self, k, s):
        """Without a write into all of an array, or an array, that nobody reads."""
        name = written_whole(s)
        if name is not None and self.is_own(name) and isinstance(s.value, (gast.Name, gast.Constant)) \
                and not any(self.value_loads(t, name) for t in self.body[k + 1:]):
            return self.body[:k] + self.body[k + 1:]
        name = copied(s, self.kinds)
        copy = tree.target(s)
        if name is not None and not self.loads(self.body, copy) and self.kinds.bound.get(copy) == 1:
            return self.body[:k] + self.body[k + 1:]
        return None

    def value_loads(self, s, name):
        """How often a statement reads more of an array than its shape."""
        shapes = sum(isinstance(n, gast.Attribute) and n.attr == 'shape' and getattr(n.value, 'id', None) == name
                     for n in tree.walk(s))
        likes = sum(isinstance(n, gast.Call) and facts.is_helper(self.kinds.find(n.func), 'unbroadcast') and len(n.args) == 2
                    and getattr(n.args[1], 'id', None) == name for n in tree.walk(s))
        return self.loads([s], name) > shapes + likes

    def anew(self, k, s):
        """With an array of its own from where all of another is written, if nobody has changed that before."""
        name = written_whole(s)
        made = self.body[self.made[name]] if name in self.made and self.is_own(name) else None
        source = copied(made, self.kinds) if made is not None else None
        if source is None or isinstance(s.value, gast.Constant) or self.made[name] >= k or source not in self.params \
                or self.params & self.changed(self.body) or name in self.changed(self.body[self.made[name]:k]):
            return None
        new = self.names.fresh(name)
        value = tree.substitute(s.value, {name: tree.load(source)})
        if self.is_like(s.value, name):
            write = [gast.copy_location(tree.place(tree.assign(new, value), tree.origin(s)), s)]
        else:
            made = tree.assign(new, tree.call(f'{self.numpy()}.empty_like', tree.load(source)))
            target = gast.Subscript(value=tree.load(new), slice=s.targets[0].slice, ctx=gast.Store())
            write = [gast.copy_location(tree.place(made, tree.origin(s)), s), tree.replace(s, targets=[target], value=value)]
        body = [tree.substitute(t, {name: tree.load(source)}) if t is not self.body[self.made[name]] else None
                for t in self.body[:k]]
        return [*(t for t in body if t is not None), *write, *(tree.rename(t, {name: new}) for t in self.body[k + 1:])]

    def taken(self, k, s):
        """With the array itself in place of its copy, where all of it is set to 0 next."""
        name, after = copied(s, self.kinds), self.body[k + 1:k + 2]
        if name is None or not after or written_whole(after[0]) != name or not self.is_own(name) or self.made[name] >= k \
                or not isinstance(after[0].value, gast.Constant) or self.kinds.bound.get(tree.target(s)) != 1:
            return None
        value = after[0].value.value
        if value != 0 or isinstance(value, complex):
            return None
        before = [tree.rename(t, {name: tree.target(s)}) for t in self.body[:k]]
        zeros = tree.assign(name, tree.call(f'{self.numpy()}.zeros_like', tree.load(tree.target(s))))
        return [*before, gast.copy_location(tree.place(zeros, tree.origin(s)), s), *self.body[k + 2:]]

    def shared(self, k, s):
        """With the array itself in place of its copy, where nobody reads it any more, or neither changes from there on, and
        they are not both handed on."""
        name, copy = copied(s, self.kinds), tree.target(s)
        if name is None or not self.is_own(name) or self.made[name] >= k or self.kinds.bound.get(copy) != 1:
            return None
        left = any(mentions(t, name) for t in self.body[k + 1:])
        after = self.changed(self.body[k + 1:]) if left else set()
        if left and (self.returned(copy) or copy in self.kept or {name, *self.kinds.family(copy)} & after):
            return None
        return [*self.body[:k], *(tree.rename(t, {copy: name}) for t in self.body[k + 1:])]

    def first(self, k, s):
        """With what is added to zeros first in their place."""
        value = s.value if tree.target(s) is not None else None
        if not isinstance(value, gast.Call) or self.kinds.find(value.func) is not self.kinds.find(
                tree.expression(f'{self.numpy()}.zeros_like')) or not self.is_own(tree.target(s)):
            return None
        name = tree.target(s)
        at = next((m for m in range(k + 1, len(self.body)) if mentions(self.body[m], name)), None)
        add = self.body[at] if at is not None else None
        if not isinstance(add, gast.AugAssign) or getattr(add.target, 'id', None) != name or not isinstance(add.op, gast.Add) \
                or self.loads([add], name) > isinstance(add.target.ctx, gast.Load) :
            return None
        if not self.is_like(add.value, name):
            return None
        made = gast.copy_location(tree.place(tree.assign(name, add.value), tree.origin(add)), add)
        return [*self.body[:k], *self.body[k + 1:at], made, *self.body[at + 1:]]

    def late(self, k, s):
        """With a matrix made where it is added to first, if one of which it is made is read until then and no longer."""
        name = tree.target(s)
        if name is None or not isinstance(s.value, gast.BinOp) or not self.is_own(name) or self.kinds.of[name].rank < 2 \
                or any(isinstance(n, gast.Call) for n in tree.walk(s.value)):
            return None
        at = next((m for m in range(k + 1, len(self.body)) if mentions(self.body[m], name)), k)
        between, add = self.body[k + 1:at], self.body[at]
        if not between or not isinstance(add, gast.AugAssign) or getattr(add.target, 'id', None) != name \
                or not all(isinstance(t, (gast.Assign, gast.AugAssign, gast.Expr)) for t in between):
            return None
        reads = set(tree.names(s.value, gast.Load))
        changes = self.changed(between) | {n for t in between for n in tree.writes(t)}
        if changes & {m for n in reads for m in (n, *self.kinds.family(n))}:
            return None
        if not any(self.is_own(n) and self.kinds.of[n].rank == self.kinds.of[name].rank and self.loads(between, n)
                   and not any(mentions(t, n) for t in self.body[at:]) for n in reads):
            return None
        return [*self.body[:k], *between, s, *self.body[at:]]

    def again(self, k, s):
        """Without a large array that is another one, or that with the other sign: so it is read where it is needed."""
        name, other, after = tree.target(s), signed(s.value, self.kinds) if tree.target(s) else None, self.body[k + 1:]
        if other is None or other == name or not self.is_array(name) or not self.is_array(other) \
                or self.kinds.of[name].rank < 2 or self.kinds.bound.get(name) != 1 or self.made.get(other, k) >= k \
                or any(self.kinds.bound.get(n, 1) != 1 for n in tree.names(s.value, gast.Load)):
            return None
        family = {name, *self.kinds.family(name), other, *self.kinds.family(other)}
        if family & (self.kept | self.changed(after)) \
                or self.loads(self.body, name) != sum(self.operand(t, name) for t in after):
            return None
        return [*self.body[:k], *(tree.substitute(t, {name: s.value}) for t in after)]

    def operand(self, s, name):
        """How often a simple statement calculates with an array, element by element."""
        if not isinstance(s, (gast.Assign, gast.AugAssign)):
            return 0
        found = 0
        for n in tree.walk(s.value):
            if isinstance(n, gast.BinOp) and not isinstance(n.op, gast.MatMult):
                found += sum(getattr(e, 'id', None) == name for e in (n.left, n.right))
            elif isinstance(n, gast.Call) and facts.is_helper(self.kinds.find(n.func), 'unbroadcast', 'copy'):
                found += getattr(n.args[0], 'id', None) == name
        return found + (getattr(getattr(s.value, 'operand', None), 'id', None) == name)


def signed(expr, kinds):
    """The name of the array that an expression is, but for its sign and for axes that are summed up; None for a name alone."""
    before = expr
    while isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub) or isinstance(expr, gast.Call) \
            and not expr.keywords and facts.is_helper(kinds.find(expr.func), 'unbroadcast'):
        expr = expr.operand if isinstance(expr, gast.UnaryOp) else expr.args[0]
    return expr.id if isinstance(expr, gast.Name) and expr is not before else None


def mentions(s, name):
    return any(isinstance(n, gast.Name) and n.id == name for n in tree.walk(s))


def written_whole(s, added=False):
    """The name of the array of which a statement writes all, `x[:] = ...`, or adds to all, `x[:] += ...`."""
    target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
    if added and isinstance(s, gast.AugAssign):
        target = s.target
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return None
    return target.value.id if is_full(target.slice) else None


def is_full(index):
    return isinstance(index, gast.Slice) and index.lower is None and index.upper is None and index.step is None


def copied(s, kinds):
    """The name of the array of which a statement makes a copy, `y = copy(x[:])`, or `array_copy(x)`."""
    call = s.value if tree.target(s) is not None else None
    if not isinstance(call, gast.Call) or call.keywords or not facts.is_helper(kinds.find(call.func), 'copy', 'array_copy'):
        return None
    given = call.args[0]
    if isinstance(given, gast.Subscript) and is_full(given.slice):
        given = given.value
    return given.id if isinstance(given, gast.Name) and kinds.of.get(given.id) is not None and kinds.of[given.id].rank else None


def is_made(expr, kinds):
    """Whether the value of an expression surely is an array with memory of its own."""
    if isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Compare)):
        return True
    found = kinds.find(expr.func) if isinstance(expr, gast.Call) else None
    if facts.is_helper(found, 'unbroadcast') and len(expr.args) == 2:
        return is_made(expr.args[0], kinds)
    if facts.is_helper(found, 'copy', 'array_copy'):
        return True
    new = facts.of(found).fresh or elementwise(found) and found is not np.positive
    return found is not None and new and not expr.keywords and not is_told(expr, kinds)
