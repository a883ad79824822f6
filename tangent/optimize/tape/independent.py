"""A loop whose trips hand on nothing but sums runs backwards right after each trip."""
from typing import NamedTuple

import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.ranges import span
from tangent.analysis.dataflow.shape_only import value_reads
from tangent.analysis.dataflow.statements import look
from tangent.analysis.liveness import exposed
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.coalesce import kept
from tangent.optimize.tape.covers import Covers, jumps

CHECKS = ('check_number', 'check_scalar')


def independent(func):
    """Put the adjoint of a trip behind the trip, where what the adjoint of the loop reads is there by then, and it only adds
    to what it does not read: nothing has to be kept from one loop to the other.

    >>> show(independent, 's = 0.0\\n_s = []\\nfor i in range(n):\\n t = np.sin(x[i])\\n _s.append(t)\\n s = s + t * t\\n'
    ...     'bx = np.zeros_like(x)\\nfor i in range(n - 1, -1, -1):\\n t2 = _s.pop()\\n bx[i] += 2 * t2\\nreturn bx',
    ...     independent=True, params=['x', 'n'])
    s = 0.0
    bx = np.zeros_like(x)
    for i in range(n):
        t = np.sin(x[i])
        s = s + t * t
        bx[i] += 2 * t
    return bx

    Such a loop needs the memory of one trip (A. Griewank and A. Walther, Evaluating Derivatives, 2nd ed. (2008), section
    12.1; L. Hascoet, S. Fidanova and C. Held, Adjoining independent computations (2002)).
    """
    if not func.independent:
        return func
    new = func
    while new is not None:
        func, new = new, next(filter(None, (_Pair(new, f, r).joined() for f, r in pairs(new.tree.body))), None)
    return func


def pairs(body):
    """(f, r) where a loop pops in the statement `r` of the body what a loop pushes in the statement `f`."""
    loops = [k for k, s in enumerate(body) if isinstance(s, gast.For)]
    return [(f, r) for r in loops for f in loops if f < r and on(body[f], 'append') & on(body[r], 'pop')]


def on(s, method):
    """The tapes on which a loop pushes, or from which it pops."""
    return {stack for inner in tree.every([s]) for stack, _ in [kept(inner, method)] if stack}


def bound(stmts):
    return {n for s in tree.every(stmts) for n in look(s).writes}


def mentioned(stmts):
    return {n for s in tree.every(stmts) for n in (*look(s).loads, *look(s).writes)}


class _Pair:
    """A loop, the loop that is its adjoint, and what stands around them.

    lent : names whose values the adjoint of a trip takes from outside
    sums : names to which the adjoint only adds; zeros : arrays that each trip of it leaves as zeros
    private : arrays that each trip of the first loop fills before it reads them
    """

    def __init__(self, func, f, r):
        self.func, self.effects = func, effects_of(func)
        body = func.tree.body
        self.fore, self.back = body[f], body[r]
        self.before, self.middle, self.after = body[:f], body[f + 1:r], body[r + 1:]
        self.stacks = on(self.fore, 'append')
        self.covers = Covers(self.effects, cfg.places(func))
        self.numbers = {tree.target(s) for s in body if self.is_check(s)} | self.covers.lengths

    def is_check(self, s):
        return bool(tree.target(s)) and isinstance(s.value, gast.Call) and self.covers.last(s.value) in CHECKS \
            and tree.role(s) == 'seed'

    def changed(self, stmts):
        """Names of memory that the statements change, the tape left aside."""
        return {n for s in tree.every(stmts) if not self.on_tape(s) for n in self.effects.changes(s)} - self.numbers

    def on_tape(self, s):
        return kept(s, 'append')[0] in self.stacks or kept(s, 'pop')[0] in self.stacks

    def read(self, stmts):
        """Names of which the statements read more than the shape."""
        return {n for s in tree.every(stmts) for n, _ in value_reads(s, self.effects.helper)}

    def joined(self):
        """The function with one loop for the two; None if that is not right."""
        if not self.alike() or not self.only_here():
            return None
        self.own, self.lent = bound(self.back.body), exposed(self.back.body) - {self.back.target.id}
        self.changed_fore, self.changed_back = self.changed(self.fore.body), self.changed(self.back.body)
        self.units = list(self.restoring())
        self.covers.silent = frozenset(s for unit in self.units for s in (unit.keep, unit.put))
        self.sums = {n for n in self.lent if self.is_summed(n)}
        self.zeros = {n for n in self.lent - self.sums if self.is_zero_between(n)}
        self.private = {n for n in self.changed_fore | self.changed_back if self.is_private(n)}
        early = self.early() if self.names_apart() and self.memory_apart() else None
        return None if early is None else self.written(early)

    # Whether

    def alike(self):
        """Whether the loops make the same trips, all of them to the end, and their variables belong to them.

        The marker between two twins stands alone: the adjoint of a callee has its seed when the first loop is long done.
        """
        fore, back = self.fore, self.back
        if not isinstance(fore.target, gast.Name) or not isinstance(back.target, gast.Name) or fore.orelse or back.orelse:
            return False
        i, j = fore.target.id, back.target.id
        trips, inside = span(fore.iter), bound([*fore.body, *self.middle, *back.body])
        apart = any(isinstance(s, gast.Expr) and tree.role(s) == 'seed' for s in self.middle)
        return trips is not None and not apart and trips == span(back.iter) and not jumps(fore.body) and not jumps(back.body) \
            and (set(look(fore.iter).loads) | {i, j}).isdisjoint(inside) and (i == j or i not in mentioned(back.body)) \
            and {i, j}.isdisjoint(exposed(self.middle) | exposed(self.after))

    def only_here(self):
        """Whether what the one loop pushes is popped in the other, and nowhere else."""
        rest = [s for s in tree.every(self.func.tree.body) if not self.on_tape(s)]
        makes = {tree.target(s) for s in self.before if isinstance(getattr(s, 'value', None), gast.List) and not s.value.elts}
        inside = [*tree.every([self.fore]), *tree.every([self.back])]
        here = sum(map(self.on_tape, inside)) == sum(map(self.on_tape, tree.every(self.func.tree.body)))
        return here and self.stacks == on(self.back, 'pop') and self.stacks <= makes and not on(self.fore, 'pop') \
            and not on(self.back, 'append') and self.stacks.isdisjoint(n for s in rest for n in look(s).loads)

    def names_apart(self):
        """Whether names mean the same in each trip of either loop, with trips of the other one in between."""
        own, apart = self.own - self.sums - self.zeros, self.sums | self.zeros
        fore = mentioned(self.fore.body)
        return self.lent.isdisjoint(bound(self.fore.body)) and self.lent.isdisjoint(own) and apart.isdisjoint(fore) \
            and own.isdisjoint(exposed(self.fore.body) | exposed(self.middle) | exposed(self.after))

    def memory_apart(self):
        """The same for arrays, and whatever else may be changed in place."""
        alias, near = self.effects.alias, mentioned([self.fore, *self.middle, self.back])
        outside = [*self.middle, *self.after]
        if any(near & (set(alias.get(n, (n,))) - {n}) - self.numbers for n in self.sums | self.zeros):
            return False
        if (self.read(outside) | self.changed(outside)) & self.private:
            return False
        local = bound(self.fore.body) | self.own - self.lent
        local -= exposed(self.fore.body) | exposed(self.middle) | exposed(self.after)
        looked = self.changed_back | self.read(self.back.body) & self.changed_fore
        looked -= {m for n in self.sums | self.zeros for m in alias.get(n, (n,))}
        group = {m for n in looked for m in alias.get(n, (n,))}
        return group <= local | self.private | self.numbers | self.stacks

    def restoring(self):
        """The Units of elements that are kept for no more than to be put back."""
        fore, back = list(tree.every(self.fore.body)), list(tree.every(self.back.body))
        for stack in self.stacks:
            pushes, pops = ([s for s in part if kept(s, method)[0] == stack]
                            for part, method in ((fore, 'append'), (back, 'pop')))
            if len(pushes) != 1 or len(pops) != 1:
                continue
            for value, target in zip(kept(pushes[0], 'append')[1], kept(pops[0], 'pop')[1]):
                puts = [s for s in back if name_of(target) in look(s).loads]
                made = [s for s in fore if name_of(value) in look(s).writes]
                if len(puts) == len(made) == 1 and element_of(getattr(made[0], 'value', None)) is not None \
                        and isinstance(puts[0], gast.Assign) and element_of(puts[0].targets[0]) == element_of(
                            made[0].value) and [s for s in fore if name_of(value) in look(s).loads] == pushes:
                    yield Unit(made[0], pushes[0], value, pops[0], target, puts[0])

    def is_summed(self, name):
        """Whether the adjoint does nothing but to add to what the name stands for."""
        uses = [s for s in tree.every(self.back.body) if name in look(s).loads or name in look(s).writes]
        return all(isinstance(s, gast.AugAssign) and isinstance(s.op, (gast.Add, gast.Sub)) and adds(s, name) for s in uses)

    def is_private(self, name):
        """Whether an array made outside is filled by each trip before that reads it."""
        return self.covers.shape(name) is not None and name in bound(self.before) and self.covers.filled(name, self.fore.body)

    def is_zero_between(self, name):
        """Whether each trip of the adjoint leaves an array as zeros that was zeros at first."""
        made = self.covers.made.get(name)
        if not isinstance(made, gast.Call) or self.covers.last(made) != 'init_grad' or self.covers.shape(name) is None:
            return False
        elsewhere = [s for s in tree.every([*self.before, *self.middle, self.fore]) if name in look(s).loads]
        return not elsewhere and self.covers.zero_again(name, self.back.body)

    # What becomes of them

    def early(self):
        """The statements between the loops that the adjoint needs, in order; None if they need the first loop."""
        needed, early, asked = exposed([self.back]), [], set()
        for s in reversed(self.middle):
            writes = bound([s]) | self.changed([s])
            if writes.isdisjoint(needed):
                if not mentioned([s]).isdisjoint(self.sums | self.zeros):
                    return None
                continue
            if self.only_adds(s, writes & needed) and asked.isdisjoint(writes):
                continue
            early.insert(0, s)
            if self.is_check(s):
                continue
            reads = mentioned([s])
            if not isinstance(s, (gast.Assign, gast.AugAssign)) or not self.effects.pure(s) \
                    or reads & bound(self.fore.body) or self.read([s]) & self.changed_fore or writes & mentioned([self.fore]):
                return None
            needed |= reads
            asked |= reads
        late = [s for s in self.middle if s not in early]
        for s in early:
            ahead = [other for other in late if self.middle.index(other) < self.middle.index(s)]
            if not self.is_check(s) and any((bound([s]) | self.changed([s])) & mentioned([other]) for other in ahead):
                return None
        return early

    def only_adds(self, s, names):
        """Whether a statement does no more to what the adjoint needs than to add to sums, which it may do after it as well."""
        uses = [t for t in tree.every([s]) for n in self.sums | self.zeros if n in look(t).loads or n in look(t).writes]
        return names <= self.sums and all(any(is_added(t, n) for n in names) and len(mentioned([t]) & names) == 1
                                          and mentioned([t]).isdisjoint((self.sums | self.zeros) - names) for t in uses)

    def written(self, early):
        """The function with one loop; the check of the seed is made before it, and again where the result is known."""
        checks = [s for s in early if self.is_check(s)]
        name = self.func.library.get('check_scalar')
        if any(name is None or name_of(s.value.args[-1]) != tree.target(s) for s in checks):
            return None
        moved = [tree.replace(s, value=tree.call(name, s.value.args[-1])) if s in checks else s for s in early]
        moved = [s for at, s in enumerate(moved) if not self.is_check(s)       # one and the same check is made once
                 or gast.dump(s) not in map(gast.dump, [*self.before, *moved[:at]])]
        names = {self.back.target.id: self.fore.target.id}
        new = self.without_old_elements()
        fore, back = (rewrite.with_statements(part, new) for part in (self.fore.body, self.back.body))
        trip = _Trip(fore, renamed(back, names), self.stacks)
        loop = tree.replace(self.fore, body=trip.body())
        left = on(loop, 'append')
        before = [s for s in self.before if tree.target(s) not in self.stacks - left]
        late = [s for s in self.middle if s not in early or s in checks and len(s.value.args) > 1]
        late = [tree.place(gast.Expr(value=s.value), tree.origin(s))           # a check is made all the same
                if s in checks and tree.target(s) not in exposed([*late[at + 1:], *self.after]) else s
                for at, s in enumerate(late)]
        return rewrite.with_body(self.func, [*before, *moved, loop, *late, *self.after])


    def without_old_elements(self):
        """statement -> what takes its place, for what keeps and puts back elements of which no later one is read."""
        new = {}
        for unit in self.units:
            name = element_of(unit.put.targets[0])
            group = set(self.effects.alias.get(name, (name,))) - self.numbers - self.stacks
            at = next(k for k, s in enumerate(self.back.body) if unit.put in tree.every([s]))
            later = [look(s) for s in tree.every(self.back.body[at:]) if s is not unit.put]
            if name in self.private and not any(group & (set(s.loads) | s.writes) for s in later):
                push, pop = new.get(unit.push, unit.push), new.get(unit.pop, unit.pop)
                new.update({unit.keep: None, unit.put: None, unit.push: without(push, 'append', unit.value),
                            unit.pop: without(pop, 'pop', unit.target)})
        return new


class Unit(NamedTuple):
    """`old = x[i]`, the push of it as `value`, the pop of it as `target`, and `x[i] = old`."""
    keep: gast.stmt
    push: gast.stmt
    value: gast.expr
    pop: gast.stmt
    target: gast.expr
    put: gast.stmt


def without(s, method, item):
    """A push or a pop without one of its items; None if it was the only one."""
    left = [e for e in kept(s, method)[1] if e is not item]
    whole = left[0] if len(left) == 1 else gast.Tuple(elts=left, ctx=gast.Load() if method == 'append' else gast.Store())
    if method == 'pop':
        return tree.replace(s, targets=[whole]) if left else None
    return tree.replace(s, value=tree.replace(s.value, args=[whole])) if left else None


def name_of(expr):
    return expr.id if isinstance(expr, gast.Name) else None


def element_of(expr):
    return name_of(expr.value) if isinstance(expr, gast.Subscript) else None


def adds(s, name):
    """Whether an addition goes to the name, or into it, and reads it nowhere else."""
    place = s.target.value if isinstance(s.target, gast.Subscript) else s.target
    index = look(s.target.slice).loads if isinstance(s.target, gast.Subscript) else ()
    return name_of(place) == name and name not in look(s.value).loads and name not in index


def is_added(s, name):
    """Whether it is an addition to what a name stands for, in place or not."""
    if isinstance(s, gast.Assign):
        value = s.value
        return tree.target(s) == name and isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Add, gast.Sub)) \
            and name_of(value.left) == name and name not in look(value.right).loads
    return isinstance(s, gast.AugAssign) and isinstance(s.op, (gast.Add, gast.Sub)) and adds(s, name)


def renamed(block, names):
    return [rewrite.with_blocks(rewrite.header(s, lambda part: rewrite.rename(part, names)),
                                lambda inner: renamed(inner, names)) for s in block]


class _Trip:
    """A trip and its adjoint; what is pushed and popped once in it stays in a variable."""

    def __init__(self, fore, back, stacks):
        self.fore, self.back = list(fore), list(back)
        for stack in sorted(stacks):
            pushes, pops = ([s for s in tree.every(part) if kept(s, method)[0] == stack]
                            for part, method in ((self.fore, 'append'), (self.back, 'pop')))
            if len(pushes) == len(pops) == 1 and pushes[0] in self.fore and pops[0] in self.back:
                self.take(pushes[0], pops[0])

    def body(self):
        return self.fore + self.back

    def take(self, push, pop):
        """Read the values where they are, if they are still there."""
        values, targets = map(list, (kept(push, 'append')[1], kept(pop, 'pop')[1]))
        after = bound(self.fore[self.fore.index(push):]) | bound(self.back[:self.back.index(pop)])
        if len(values) != len(targets) or any(name_of(v) is None or name_of(v) in after or name_of(t) is None
                                              for v, t in zip(values, targets)):
            return
        self.fore.remove(push)
        at, copies, names = self.back.index(pop), [], {}
        own = [n for s in tree.every(self.back) for n in look(s).writes]
        for value, target in zip(values, targets):
            if target.id == value.id:
                continue
            if own.count(target.id) == 1 and value.id not in own:
                names[target.id] = value.id
            else:
                copies.append(tree.assign(target.id, value, tree.origin(pop)))
        self.back = renamed([*self.back[:at], *copies, *self.back[at + 1:]], names)
