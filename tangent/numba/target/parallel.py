"""Parallel adjoints for Numba: a loop over `prange` stays parallel in the derivative, forwards and backwards.

    for i in prange(n):                    for i in prange(n):
        y[i] = np.tanh(a * x[i])    ->         t = by[i]; by[i] = 0; ...
                                               bx[i] += ...                   # an element of its own
                                               ba += ...                      # a sum that Numba makes

What else a loop does decides its form (`dependences` looks at it):

* A loop with a tape is cut into parts, as many as there are threads, each with a tape of its own.
* Trips that add to any element of an array add into an array of their part: these are summed up in the end.
* Trips that add to elements at constant distances (`bx[i - 1] += ...; bx[i + 1] += ...`) run in pairs of parts: all first parts
  together, then all second ones. Two parts that run together are too far apart to touch the same element.

Where none of this is right the loop runs in order, and a comment in the text says why. No two threads ever write into one
element, and sums are made in an order that depends on the number of threads alone.
"""
import dataclasses

import gast

from tangent.emit.signature import params
from tangent.frontend import tree
from tangent.frontend.resolve import Resolver, is_prange
from tangent.numba.target.dependences import Loop, Serial, live_after
from tangent.runtime import facts

TAPE = tree.Origin('tape')


def parallel(made, derivation, names):
    """(what was made, with its parallel loops; id of a statement -> lines of comments)."""
    options, twins = derivation.options.target, derivation.twins.items()
    of_twins = {n: options.of(callee) for (callee, *_), twin in twins for n in twin[:2]}
    wanted = [dict(of_twins.get(m.tree.name, options).options).get('parallel') for m in made]
    if not any(wanted):
        return made, {}
    helpers = {name: getattr(thing, '__name__', None) for name, thing in derivation.shared.items()
               if facts.is_ours(thing)}
    writers = {n for (_, demands, *_), twin in twins for n in twin[:2] if demands[1]}
    partner = {n: other for _, twin in twins for n, other in (twin[:2], twin[1::-1])}
    known = {m.tree.name: m for m, w in zip(made, wanted) if w}
    remarks: dict = {}
    for name in list(known):
        if name not in known:
            continue
        unit = [known.pop(n) for n in (name, partner.get(name)) if n in known]
        for m, function in zip(unit, Unit(unit, helpers, writers, names, remarks).functions()):
            made = [dataclasses.replace(m, tree=function) if other is m else other for other in made]
    return made, remarks


class Unit:
    """A function, or the two twins of one, which share their tapes."""

    def __init__(self, unit, helpers, writers, names, remarks):
        self.unit, self.helpers, self.writers, self.names, self.remarks = unit, helpers, writers, names, remarks
        self.plans: dict = {}              # loop -> Plan
        self.given: dict = {}
        self.pieces: dict = {}             # tape -> 'threads' or 'pairs'

    def functions(self):
        loops = [(m, s) for m in self.unit for s in loops_of(m)]
        if not loops:
            return [m.tree for m in self.unit]
        taken = {n.id for m in self.unit for n in tree.walk(m.tree) if isinstance(n, gast.Name)}
        self.taken = tree.Names(taken | set(self.names.shared) | {n for m in self.unit for n in params(m.tree)})
        self.tapes = {tree.target(s) for m in self.unit for s in tree.every(m.tree.body)
                      if tree.target(s) and isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Name)
                      and self.helper(s.value.func.id) == 'Tape'}
        for m, s in loops:
            try:
                self.plans[s] = Plan(s, m.tree, self)
            except Serial as why:
                self.plans[s] = str(why)
        self.agree(loops)
        for m in self.unit:
            counted = any(is_made(s, self.pieces) for s in m.tree.body)
            for s in tree.every(m.tree.body):
                if isinstance(self.plans.get(s), Plan):
                    self.plans[s].counted = counted
        return [tree.replace(m.tree, body=self.block(m.tree.body)) for m in self.unit]

    def helper(self, name):
        """The helper of ours that is called by this name in the text, or None."""
        return self.helpers.get(name) or getattr(self.names.shared.get(name), '__name__', None)

    def agree(self, loops):
        """Both passes over a tape have to be parallel, or none."""
        while True:
            before = dict(self.plans)
            shared: dict = {}
            for _, s in loops:
                for t in tapes_in(s, self.tapes):
                    shared.setdefault((t, tree.origin(s).line), []).append(s)
            unclear = {t for t in self.tapes if not all(self.is_clear(m, t) for m in self.unit)}
            for (t, _), group in shared.items():
                plans = [self.plans[s] for s in group]
                reason = next((p for p in plans if isinstance(p, str)), None)
                if t in unclear or len(group) < 2 and not emptied(group[0], t):
                    reason = reason or 'its tape is used in other ways, too'
                if reason:
                    self.plans.update(dict.fromkeys(group, reason))
            if self.plans == before:
                break
        for (t, _), group in shared.items():
            if isinstance(self.plans[group[0]], Plan):
                width = max(self.plans[s].width for s in group)
                for s in group:
                    self.plans[s].width, self.plans[s].tapes = width, self.plans[s].tapes | {t}
                self.pieces[t] = 'pairs' if width or self.pieces.get(t) == 'pairs' else 'threads'

    def name(self, base):
        """A name that all parallel loops of the function share."""
        if base not in self.given:
            self.given[base] = self.taken.fresh(base)
        return self.given[base]

    def is_clear(self, m, tape):
        """Whether all that is done with a tape is to make it, to push, to pop and to hand it over."""
        count = sum(tree.names(s, gast.Load).count(tape) for s in m.tree.body)
        for n in (n for s in m.tree.body for n in tree.walk(s)):
            if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr in ('append', 'pop') \
                    and isinstance(n.func.value, gast.Name) and n.func.value.id == tape:
                count -= 1
            if isinstance(n, gast.Return) and n.value is not None:
                count -= tree.names(n.value, gast.Load).count(tape)
        return count == 0

    # Rewriting

    def block(self, stmts):
        found = []
        for s in stmts:
            plan = self.plans.get(s)
            if isinstance(plan, Plan):
                found += plan.loops()
                continue
            if is_made(s, self.pieces):
                parts = tree.load(self.name('parts'))
                if not any(tree.target(t) == parts.id for t in found):
                    found.append(tree.assign(parts.id, tree.call(self.names('get_num_threads')), TAPE))
                count = twice(parts) if self.pieces[tree.target(s)] == 'pairs' else parts
                s = tree.replace(s, value=tree.call(self.names('Tapes'), count))
            s = tree.replace(s, **{field: self.block(block) for field, block in tree.blocks(s)})
            if not any(True for _ in tree.blocks(s)):
                s = on_part(s, self.pieces, tree.constant(0))
            if isinstance(plan, str):
                self.remarks[id(s)] = [f'In order: {plan}']
            found.append(s)
        return found


def is_of_adjoint(s):
    known = tree.origin(s)
    return known is not None and known.role == 'adjoint'


class Plan:
    """How a loop becomes parallel.

    width : trips so far apart touch nothing in common; 0 where no two do
    private : arrays of which each part has one of its own
    helped : names to which helpers add, of which each part has one of its own
    sums : names of numbers that trips add to; each part has one of its own, unless Numba sees to it
    gathered : those among them that Numba may not know as sums: it wants one addition, in no inner block
    tapes : tapes of which each part has one
    counted : whether the function says at its beginning how many parts there are
    """

    def __init__(self, loop, function, unit):
        self.unit, self.names = unit, unit.names
        self.tapes: set = set()
        self.used = tapes_in(loop, unit.tapes)
        self.loop = loop
        if loop.orelse or not isinstance(loop.target, gast.Name):
            raise Serial('it has no single variable')
        self.is_adjoint = any(is_of_adjoint(s) for s in tree.every([loop]))        # or both passes, trip by trip
        if self.is_adjoint:
            self.arrays, self.integers = arrays_of(function), integers_of(function)
            loop = self.loop = tree.replace(loop, body=self.plain(loop.body))
        self.refuse_calls()
        facts = self.facts = Loop(loop, unit.helper)
        after = live_after(function, next(s for s in tree.every(function.body) if same(s, loop)))
        sums = facts.carried(after - unit.tapes)
        self.sums = [n for n, helped in sums.items() if not helped]
        self.helped = [n for n, helped in sums.items() if helped]
        self.width, self.private, self.gathered, self.counted = 0, [], [], False
        if self.is_adjoint:
            self.look_at_arrays()
            self.gathered = [n for n in self.sums if not once(n, loop.body)]

    def plain(self, stmts):
        """The statements with `b[i] += v` for `b = add_at(b, i, v)` where b is the gradient of an array, and i a number."""
        found = []
        for s in stmts:
            s = tree.replace(s, **{field: self.plain(block) for field, block in tree.blocks(s)})
            call = getattr(s, 'value', None)
            if self.is_plain(s, call):
                element = gast.Subscript(value=call.args[0], slice=call.args[1], ctx=gast.Store())
                new = gast.AugAssign(target=element, op=gast.Add(), value=call.args[2])
                s = tree.instead(new, s)
            found.append(s)
        return found

    def is_plain(self, s, call):
        return isinstance(s, gast.Assign) and isinstance(call, gast.Call) and tree.target(s) in self.arrays \
            and self.unit.helper(tree.dotted(call.func)) == 'add_at' and is_integer(call.args[1], self.integers) \
            and isinstance(call.args[0], gast.Name) and call.args[0].id == tree.target(s)

    def refuse_calls(self):
        """Refuse what may write into something that it is given, in a way that the text does not show."""
        for n in (n for s in self.loop.body for n in tree.walk(s)):
            if isinstance(n, (gast.Break, gast.Return)):
                raise Serial('it may be left early')
            if not isinstance(n, gast.Call):
                continue
            name = tree.dotted(n.func)
            if name in self.unit.writers and self.is_adjoint:
                raise Serial(f'{name} writes into what it is given')
            given = {a.id for a in n.args if isinstance(a, gast.Name)}
            if given & ({self.names.memory} | self.unit.tapes):
                raise Serial(f'{name} writes on a tape')

    def look_at_arrays(self):
        facts = self.facts
        for name, found in sorted(facts.accesses.items()):
            if all(a.kind in ('read', 'whole') for a in found) or name in self.helped:
                continue
            if name in facts.stored:
                makes = [s for s in tree.every(self.loop.body) if tree.target(s) == name]
                if not all(fresh(s.value) or facts.by_helper(s) for s in makes):
                    raise Serial(f'{name} may be a part of another array')
                continue
            width = facts.width(name)
            if width is None:
                self.private.append(name)
            else:
                self.width = max(self.width, width)

    # The loops

    def loops(self):
        """The statements in place of the loop."""
        loop, names, origin = self.loop, self.names, tree.origin(self.loop)
        first, last = self.facts.first, self.facts.last
        body = [augmented(s, self.sums) for s in loop.body]
        if not (self.tapes or self.private or self.helped or self.width or self.gathered):
            args = [last] if is_zero(first) else [first, last]
            return [tree.replace(loop, iter=tree.call(names('prange'), *args), body=body)]
        part, start, stop = map(self.unit.name, ('part', 'start', 'stop'))
        own = {n: self.unit.taken.fresh(f'{n}_part') for n in [*self.private, *self.helped, *self.sums]}
        body = [tree.rename(on_part(s, self.tapes, tree.load(part)), own) for s in body]
        before = [] if self.counted else [tree.assign(self.unit.name('parts'), self.count(), origin)]
        pieces = tree.load(self.unit.name('parts'))
        if self.width:
            pairs = self.unit.name('pairs')
            count = tree.call(names('in_pairs'), pieces, first, last, tree.constant(self.width))
            before.append(tree.assign(pairs, count, origin))
            pieces = twice(tree.load(pairs))
        backwards = self.is_adjoint and not all(emptied(loop, t) for t in self.tapes)
        inner = tree.replace(loop, iter=trips(start, stop, backwards), body=body)
        cut = tree.call(names('portion'), tree.load(part), pieces, first, last)
        cut = tree.assign(tree.targets(start, stop), cut, origin)
        inside, collected = [cut], []
        for name in own:
            is_gradient = any(is_of_adjoint(s) and name in tree.writes(s) | set(tree.mutates(s)) for s in tree.every(loop.body))
            zero = tree.call(names('init_grad' if is_gradient else 'empty_sum'), tree.load(name))
            inside.append(tree.assign(own[name], zero, origin))
        inside.append(inner)
        for name in own:
            collected.append(self.collect(name, own[name], part, pieces, origin, before, inside))
        if self.width and self.is_adjoint:
            return [*before, *self.in_turn(part, pairs, inside, origin), *collected]
        outer = for_loop(part, tree.call(names('prange'), pieces), inside, loop)
        return [*before, outer, *collected]

    def count(self):
        """How many parts there are, at most: as many as threads."""
        if not self.tapes:
            return tree.call(self.names('get_num_threads'))
        made = tree.call('len', tree.load(min(self.tapes)))
        paired = any(self.unit.pieces[t] == 'pairs' for t in [min(self.tapes)])
        return gast.BinOp(left=made, op=gast.FloorDiv(), right=tree.constant(2)) if paired else made

    def in_turn(self, part, pairs, inside, origin):
        """All first parts of the pairs together, then all second ones."""
        turn, pair = map(self.unit.name, ('turn', 'pair'))
        number = gast.BinOp(left=twice(tree.load(pair)), op=gast.Add(), right=tree.load(turn))
        inside = [tree.assign(part, number, origin), *inside]
        inner = for_loop(pair, tree.call(self.names('prange'), tree.load(pairs)), inside, self.loop)
        return [for_loop(turn, tree.call('range', tree.constant(2)), [inner], self.loop)]

    def collect(self, name, own, part, pieces, origin, before, inside):
        """The loop that adds up what each part has; parts hand over what they have on a tape."""
        tape = self.unit.taken.fresh(f'{name}_parts')
        before.append(tree.assign(tape, tree.call(self.names('Tapes'), pieces), origin))
        push = tree.call(f'{tape}.append', tree.load(part), tree.load(own))
        inside.append(tree.place(gast.Expr(value=push), origin))
        pop = tree.call(f'{tape}.pop', tree.load(part))
        if name not in self.helped:
            more = tree.place(gast.AugAssign(target=tree.store(name), op=gast.Add(), value=pop), origin)
        else:
            more = tree.assign(name, tree.call(self.names('add_grad'), tree.load(name), pop), origin)
        return for_loop(part, tree.call('range', pieces), [more], self.loop)


def is_made(s, tapes):
    """Whether the statement makes one of the tapes."""
    return tree.target(s) in tapes and isinstance(s.value, gast.Call) and not s.value.args


def twice(expr):
    return gast.BinOp(left=tree.constant(2), op=gast.Mult(), right=expr)


def loops_of(m):
    """The outermost loops of a function that stand for the user's loops over `prange`."""
    resolver = Resolver(m.source)
    lines = {s.lineno for s in tree.walk(m.source.tree)
             if isinstance(s, gast.For) and isinstance(s.iter, gast.Call) and is_prange(resolver(s.iter.func))}
    found = []

    def look(stmts):
        for s in stmts:
            known = tree.origin(s)
            if isinstance(s, gast.For) and known and known.line in lines and known.text.startswith('for '):
                found.append(s)
            else:
                for _, block in tree.blocks(s):
                    look(block)
    if lines:
        look(m.tree.body)
    return found


def same(s, loop):
    return isinstance(s, gast.For) and s.target is loop.target and s.iter is loop.iter


def once(name, body):
    """Whether one statement of the body, and none in its blocks, has to do with the name."""
    return sum(name in tree.names(s, gast.Load) + tree.names(s, gast.Store) for s in body) == 1 \
        and all(name not in tree.writes(t) for s in body for _, block in tree.blocks(s) for t in tree.every(block))


def emptied(loop, tape):
    """Whether each trip of a loop pops what it has pushed: both are done in the same loop."""
    return {f'{tape}.append', f'{tape}.pop'} <= {tree.dotted(n.func) for n in tree.walk(loop) if isinstance(n, gast.Call)}


def tapes_in(loop, tapes):
    return {n for s in loop.body for n in tree.names(s, gast.Load)} & tapes


def arrays_of(function):
    """Names that are arrays for sure, and gradients of such: what has a shape, or elements that are added to."""
    found = set()
    for n in tree.walk(function):
        if isinstance(n, gast.Attribute) and n.attr in ('shape', 'size', 'ndim') and isinstance(n.value, gast.Name):
            found.add(n.value.id)
        if isinstance(n, gast.Subscript) and isinstance(n.slice, gast.Tuple) and isinstance(n.value, gast.Name):
            found.add(n.value.id)
        if isinstance(n, gast.AugAssign) and isinstance(n.target, gast.Subscript) and isinstance(n.target.value, gast.Name):
            found.add(n.target.value.id)
    for s in tree.every(function.body):
        call = getattr(s, 'value', None)
        if tree.target(s) and isinstance(call, gast.Call) and len(call.args) == 1 and isinstance(call.args[0], gast.Name) \
                and call.args[0].id in found and isinstance(call.func, gast.Name) and call.func.id.startswith('init_grad'):
            found.add(tree.target(s))
    return found


def integers_of(function):
    """Names that are integers for sure: variables and bounds of ranges."""
    headers = [s for s in tree.walk(function) if isinstance(s, gast.For) and isinstance(s.iter, gast.Call)
               and tree.dotted(s.iter.func) == 'range']
    bounds = [a for s in headers for a in s.iter.args]
    bounds += [part for a in bounds if isinstance(a, gast.BinOp) for part in (a.left, a.right)]
    return {n for s in headers for n in tree.names(s.target, gast.Store)} | {a.id for a in bounds if isinstance(a, gast.Name)}


def is_integer(expr, names):
    """Whether an index is made of integers alone."""
    if isinstance(expr, gast.Tuple):
        return all(is_integer(e, names) for e in expr.elts)
    if isinstance(expr, gast.BinOp):
        return isinstance(expr.op, (gast.Add, gast.Sub, gast.Mult)) and is_integer(expr.left, names) \
            and is_integer(expr.right, names)
    return isinstance(expr, gast.Name) and expr.id in names or isinstance(expr, gast.Constant) and type(expr.value) is int


def fresh(expr):
    """Whether the value is an array of its own: a result of arithmetic, or of a function that makes one."""
    if isinstance(expr, gast.BinOp):
        return True
    known = facts.of(tree.dotted(expr.func) if isinstance(expr, gast.Call) else None)
    return known.fills or known.alike or known.copies


def augmented(s, sums):
    """`s += v` for `s = s + v` of a sum, as Numba wants it."""
    s = tree.replace(s, **{field: [augmented(t, sums) for t in block] for field, block in tree.blocks(s)})
    if tree.target(s) in sums and isinstance(s.value, gast.BinOp):
        new = gast.AugAssign(target=tree.store(tree.target(s)), op=s.value.op, value=s.value.right)
        return tree.instead(new, s)
    return s


def on_part(node, tapes, part):
    """The tree that pushes on the tape of one part, and pops from it."""
    new = tree.with_children(node, lambda n: on_part(n, tapes, part))
    if isinstance(new, gast.Call) and isinstance(new.func, gast.Attribute) and new.func.attr in ('append', 'pop') \
            and isinstance(new.func.value, gast.Name) and new.func.value.id in tapes:
        new = tree.replace(new, args=[part, *new.args])
    return new


def trips(start, stop, backwards):
    if not backwards:
        return tree.call('range', tree.load(start), tree.load(stop))
    return tree.expression(f'range({stop} - 1, {start} - 1, -1)')


def for_loop(target, iterable, body, like):
    return tree.replace(like, target=tree.store(target), iter=iterable, body=body, orelse=[])


def is_zero(expr):
    return isinstance(expr, gast.Constant) and expr.value == 0
