"""Values that trips of loops keep, or take, where another array has them.

    for i in range(n):                                for i in range(n):
        t = x[i] / s                                      t = x[i] / s
        _stack.append((s, t))                             _stack.append(s)
        y[i] = t                          ->              y[i] = t
    by = 2 * b * y                                    for i2 in range(n - 1, -1, -1):
    for i2 in range(n - 1, -1, -1):                       s2 = _stack.pop()
        s2, t2 = _stack.pop()                             t2 = y[i2]
        bt = copy(by[i2])                                 bt = 2 * b * y[i2]
        by[i2] = 0
        bt * t2

Each trip stores at a place of its own, which the variables of all loops around say, and nothing else is written into the array.
What is made of whole arrays element by element is made where it is taken, if each trip takes it at its own place, and once.
"""
import gast

from tangent.frontend import tree
from tangent.numba.loops.prepared.memory import changed, kept
from tangent.runtime import facts

REAL = ('float64', 'float32')


def stored(function, known):
    """The FunctionDef with less on tapes; the same object where there is nothing to do.

    known : FunctionDef -> the Kinds of it
    """
    for step in (taken_at_places, off_tapes):
        new = step(function, known(function))
        while new is not None:
            function, new = new, step(new, known(new))
    return function


class Places:
    """Where statements stand.

    loops : id of a statement -> the loops around it, outer ones first; None within anything else
    block : id of a statement -> the block that it stands in
    """

    def __init__(self, function, kinds):
        self.kinds, self.loops, self.block, self.every = kinds, {}, {}, []
        self.visit(function.body, ())
        self.kept, self.writers = kept(function, kinds), {}
        for s in self.every:
            for n in changed(s, kinds) if not self.pushes(s) else ():
                self.writers.setdefault(n, []).append(s)

    def visit(self, block, loops):
        for s in block:
            self.every.append(s)
            self.loops[id(s)], self.block[id(s)] = loops, block
            plain = loops is not None and isinstance(s, gast.For) and not s.orelse and isinstance(s.target, gast.Name) \
                and isinstance(s.iter, gast.Call) and self.kinds.find(s.iter.func) is range and self.is_counted(s)
            for _, inner in tree.blocks(s):
                self.visit(inner, (*loops, s) if plain else None)

    def is_counted(self, loop):
        """Whether it is known for which values of its variable a loop runs, all of them."""
        trips = self.kinds.trips(loop.iter)
        return trips is not None and all(map(self.kinds.is_stable, trips[:2])) and not any(
            isinstance(n, (gast.Break, gast.Continue, gast.Return)) for n in tree.walk(loop))

    def pushes(self, s):
        return any(is_on(s, tape, 'append') for tape in self.kinds.tapes)

    def is_own(self, name):
        """Whether a name stands for one real array, made in the function's own block, that has no other name."""
        kind = self.kinds.of.get(name)
        makers = [s for s in self.every if name in tree.writes(s)]
        return kind is not None and kind.parts is None and kind.rank > 0 and kind.dtype in REAL and len(makers) == 1 \
            and self.kinds.bound.get(name) == 1 and self.loops[id(makers[0])] == () and tree.target(makers[0]) == name \
            and isinstance(makers[0].value, (gast.BinOp, gast.Call)) and self.kinds.family(name) == {name} \
            and name not in self.kept

    def at_own_place(self, s, index):
        """Whether each trip of the loops around a statement has an index of its own: their variables, each once."""
        loops = self.loops[id(s)]
        if not loops:
            return False
        parts = index.elts if isinstance(index, gast.Tuple) else [index]
        variables = [loop.target.id for loop in loops]
        return [getattr(p, 'id', None) for p in parts] == variables and all(
            sum(v in tree.writes(t) for t in tree.every(loops[0].body)) == (v != variables[0]) for v in variables)


def trips(loop, kinds):
    """(least value of the variable, number of trips)."""
    return kinds.trips(loop.iter)[:2]


# Where it is taken

def taken_at_places(function, kinds):
    """Without arrays that are made of others element by element, of which each trip of loops takes its own part."""
    places = Places(function, kinds)
    for s in function.body:
        name = tree.target(s)
        if name is None or not isinstance(s.value, gast.BinOp) or not places.is_own(name):
            continue
        uses = [t for t in places.every if t is not s and any(
            isinstance(n, gast.Name) and n.id == name for part in tree.header(t) for n in tree.walk(part))]
        if len(uses) == 2 and takes(places, *uses, name) and is_lasting(s, places, function):
            take, zero = uses
            index = zero.targets[0].slice
            value = at(s.value, index, kinds)
            if value is not None:
                made = tree.replace(take, value=value)
                body = exchanged(function.body, {id(s): [], id(take): [made], id(zero): []})
                return tree.replace(function, body=body)
    return None


def takes(places, take, zero, name):
    """Whether a statement reads an element or a row of an array, and the next puts zeros there."""
    if not isinstance(zero, gast.Assign) or tree.target(take) is None or not isinstance(zero.targets[0], gast.Subscript) \
            or getattr(zero.targets[0].value, 'id', None) != name or getattr(zero.value, 'value', None) != 0:
        return False
    value = take.value
    if isinstance(value, gast.Call) and facts.is_helper(places.kinds.find(value.func), 'copy') and len(value.args) == 1:
        value = value.args[0]
    return isinstance(value, gast.Subscript) and getattr(value.value, 'id', None) == name \
        and gast.dump(value.slice) == gast.dump(zero.targets[0].slice) and places.at_own_place(zero, value.slice) \
        and places.block[id(take)] is places.block[id(zero)]


def is_lasting(s, places, function):
    """Whether what a statement makes would be the same later on."""
    later = list(tree.every(function.body[function.body.index(s) + 1:]))
    known = {id(t) for t in later}
    return not any(n in tree.writes(t) for t in later for n in tree.names(s.value, gast.Load)) and not any(
        id(t) in known for n in tree.names(s.value, gast.Load) for t in places.writers.get(n, ()))


def at(expr, index, kinds):
    """The part of what is calculated element by element; None where that is not known."""
    kind = kinds.kind(expr)
    if kind is None or kind.parts is not None:
        return None
    if not kind.rank:
        return expr if not any(isinstance(n, (gast.Call, gast.Subscript, gast.Attribute)) for n in tree.walk(expr)) else None
    if isinstance(expr, gast.Name):
        return gast.Subscript(value=expr, slice=index, ctx=gast.Load()) if None not in kind.shape else None
    if not isinstance(expr, gast.BinOp) or isinstance(expr.op, gast.MatMult):
        return None
    sides = [kinds.kind(e) for e in (expr.left, expr.right)]
    if None in sides or any(k.rank and k.shape != kind.shape for k in sides):
        return None
    left, right = at(expr.left, index, kinds), at(expr.right, index, kinds)
    return None if left is None or right is None else tree.replace(expr, left=left, right=right)


def exchanged(block, mapping):
    """The statements with others in place of some, by their `id`."""
    out = []
    for s in block:
        if id(s) in mapping:
            out += mapping[id(s)]
            continue
        fields = {f: exchanged(inner, mapping) for f, inner in tree.blocks(s)}
        out.append(tree.replace(s, **fields) if any(
            a is not b for f, inner in tree.blocks(s) for a, b in zip(inner, [*fields[f], *[None] * len(inner)])) else s)
    return out


# Off the tape

def off_tapes(function, kinds):
    """Without values on tapes that an array keeps, too."""
    places = Places(function, kinds)
    for tape in sorted(kinds.tapes):
        pushes = [s for s in places.every if is_on(s, tape, 'append')]
        pops = [s for s in places.every if isinstance(s, gast.Assign) and is_on(s, tape, 'pop')]
        if len(pushes) != 1 or len(pops) != 1 or not isinstance(pushes[0].value.args[0], gast.Tuple) \
                or not isinstance(pops[0].targets[0], gast.Tuple):
            continue
        push, pop = pushes[0], pops[0]
        values, targets = push.value.args[0].elts, pop.targets[0].elts
        for k, (value, target) in enumerate(zip(values, targets)):
            alone = isinstance(target, gast.Name) and len(values) > 1 and not places.writers.get(target.id)
            place = kept_at(places, push, pop, value) if alone and kinds.bound.get(target.id) == 1 else None
            if place is None:
                continue
            rest = [v for m, v in enumerate(values) if m != k], [v for m, v in enumerate(targets) if m != k]
            one, other = (part[0] if len(part) == 1 else gast.Tuple(elts=part, ctx=ctx)
                          for part, ctx in zip(rest, (gast.Load(), gast.Store())))
            less = tree.replace(push, value=tree.replace(push.value, args=[one]))
            taken = tree.like(pop, target, place)
            mapping = {id(push): [less], id(pop): [tree.replace(pop, targets=[other]), taken]}
            return tree.replace(function, body=exchanged(function.body, mapping))
    return None


def is_on(s, tape, method):
    call = getattr(s, 'value', None)
    return isinstance(s, (gast.Expr, gast.Assign)) and isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) \
        and call.func.attr == method and getattr(call.func.value, 'id', None) == tape and len(call.args) == (method == 'append')


def kept_at(places, push, pop, value):
    """Where an array keeps what is pushed, as the loops around the pop see it; None where it does not."""
    kinds = places.kinds
    if not isinstance(value, gast.Name) or kinds.bound.get(value.id) != 1 or kinds.of.get(value.id) is None \
            or not kinds.of[value.id].rank or places.writers.get(value.id):
        return None
    for s in places.block[id(push)]:
        target = s.targets[0] if isinstance(s, gast.Assign) else None
        if not isinstance(target, gast.Subscript) or getattr(s.value, 'id', None) != value.id \
                or not isinstance(target.value, gast.Name) or not places.is_own(target.value.id):
            continue
        name, fore, back = target.value.id, places.loops[id(push)], places.loops[id(pop)]
        known, kind = kinds.of[name], kinds.of[value.id]
        same = fore and back and len(fore) == len(back) and all(
            trips(a, kinds) == trips(b, kinds) and kinds.trips(a.iter)[2] != kinds.trips(b.iter)[2] for a, b in zip(fore, back))
        if places.writers.get(name) == [s] and same and places.at_own_place(s, target.slice) \
                and known.dtype == kind.dtype and known.rank == kind.rank + len(fore):
            variables = [tree.load(loop.target.id) for loop in back]
            index = variables[0] if len(variables) == 1 else gast.Tuple(elts=variables, ctx=gast.Load())
            return gast.Subscript(value=tree.load(name), slice=index, ctx=gast.Load())
    return None
