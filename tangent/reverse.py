"""Reverse mode: from the statements of a function to those statements with a tape, and the adjoint of each, last one first.

Straight lines need no tape, since nothing there is overwritten. A loop body is a *frame*: what its adjoint reads of the
names that the body defines is pushed when an iteration ends and popped where its adjoint begins (To-Be-Recorded). The same
holds for the branches of an `if` inside a frame. The optimizer then drops what need not be kept.
"""
from __future__ import annotations

import gast

from tangent import calls, custom_calls, places, reverse_builders, rules, tree
from tangent.frames import TAPE, adjoint_of, exposed, in_front_of_guard, merged, mutates_in_place, passes, role
from tangent.gather import Gather, Term, is_fresh
from tangent.headers import backwards, taken
from tangent.ssa import Rename, is_guard

ZERO = tree.Origin('zero')         # a gradient that is zero on one path
SEQUENCES = frozenset('math.prod math.dist math.fsum math.sumprod'.split() + ['numpy.' + n for n in '''array asarray concatenate stack vstack hstack dstack column_stack block
    ascontiguousarray append'''.split()])


class Reverse(Gather):
    """Generates the adjoint of one function.

    Parameters
    ----------
    normal : Normal
        The function in normal form, with its ops, active names and shapes.
    library : Library
        Gives names to run-time helpers and modules.
    twin : callable
        (callee, names of its active parameters, statement) -> Twin
    readable : callable
        (callee, statement) -> the Python function whose source is read for it; an error where there is none
    scalars : set of str
        Names known to hold one number because the result does.
    """

    def __init__(self, normal, library, twin, readable, scalars):
        super().__init__(self)
        self.normal, self.library, self.twin, self.scalars = normal, library, twin, scalars
        self.readable = readable
        self.names, self.ops, self.shapes = normal.names, normal.ops, normal.shapes
        self.base, self.temps = dict(normal.base), set(normal.temps)
        self.backs = set()               # names of what goes back from a call that is dispatched when running
        self.region = False              # whether names of a branch are lost when it ends: inside loops
        self.pairs = 0
        self.gradient_of = {}            # name of a gradient -> name of what it is the gradient of
        self.looked_at = set()           # carried lists whose first value is looked at, if there is one
        self.unshared = set()            # gradients of builders that nothing else holds
        self.open = {}                   # names outside the loops being reversed -> [accumulator], once one is needed

    # Names and calls

    def gradient(self, name, base=None):
        """A new name for a gradient of `name`."""
        base = base or 'b' + self.base.get(name, name)
        new = self.names.fresh(base)
        if new != base:
            self.base[new] = base
        if name in self.temps:
            self.temps.add(new)
        self.gradient_of[new] = name
        return new

    def call(self, helper, *args):
        return gast.Call(func=tree.load(self.library(helper)), args=list(args), keywords=[])

    # Statements

    def block(self, stmts):
        """(the statements, with what the adjoint needs of them kept; their adjoint) of a block."""
        outer, self.out = self.out, []
        forward = []
        for s in reversed(stmts):
            forward += reversed(self.statement(s))
        adjoint, self.out = self.out, outer
        return forward[::-1], adjoint

    def statement(self, s):
        """Write the adjoint of a statement; the statements that take its place in the forward pass."""
        op = self.ops.get(s)
        reverse_builders.open_all(self, s, adjoint_of(s))
        if op is None:
            if not self.normal.touches(s):
                for name in self.normal.bound(s):        # overwritten by something without a derivative
                    self.owed.pop(name, None)
                return [s]
            if isinstance(s, gast.Assign):
                self.owed.pop(tree.target(s), None)
                if tree.target(s) in self.normal.builders:
                    self.open.pop(tree.target(s), None)
                return [s]
            return {gast.If: self.branch, gast.For: self.loop, gast.While: self.loop}[type(s)](s)
        origin = adjoint_of(s)
        if op.kind == 'unpack':
            self.unpacked(op, origin)
            return [s]
        if op.kind == 'insertion':
            self.inserted(s, op.args, origin)
            return [s]
        if op.kind in reverse_builders.CHANGES:
            reverse_builders.changed(self, s, op, origin)
            return [s]
        made = tree.target(s) in self.normal.builders
        gradient = reverse_builders.made(self, tree.target(s)) if made else self.take(tree.target(s))
        if gradient is None:
            return [s]
        if op.kind == 'copy':
            if self.starts_accumulator(s) and self.may_broadcast(op.args, tree.target(s)):
                gradient = self.call('unbroadcast', gradient, op.args)
            self.offer(op.args, Term(gradient, origin, self.is_number(op.args)))
        elif op.kind == 'index':
            value, index = op.args
            self.offer(value, Term(gradient, origin, index=index, basic=self.shapes.is_basic(index)
                                   and tree.target(s) in self.normal.numbers))
        elif op.kind == 'field':
            owner, place = op.args
            basic = isinstance(place.value, gast.Attribute) or self.shapes.is_basic(place.value.slice)
            self.offer(owner, Term(gradient, origin, index=place, basic=basic and tree.target(s) in self.normal.numbers))
        elif op.kind == 'join':
            self.joined(op.args, gradient, origin)
        elif op.kind == 'merge':
            reverse_builders.merged(self, op, gradient, origin)
        elif op.kind == 'display':
            if self.normal.emitted and isinstance(s.value, gast.Tuple):
                calls.handed_out(self, op, gradient, origin)
                return [s]
            for k, element in enumerate(op.args):
                key = op.what[k] if op.what is not None else tree.constant(k)
                part = places.read(places.of(key, gradient.id))
                self.offer(element, Term(part, origin, self.is_number(element)))
        elif op.kind == 'call':
            return self.called(s, op, gradient, origin)
        elif op.kind == 'derivative':            # it has captured what its function has
            self.offer(op.args, Term(gradient, origin, number=False))
        elif op.kind == 'partial':
            calls.captured(self, op, gradient, origin)
        elif op.kind == 'dispatch':
            return calls.called(self, s, op, gradient, origin)
        else:
            self.ruled(s, op, gradient, origin)
            return self.primal(s)
        return [s]

    def primal(self, s):
        """The statement itself, or those of the user's `primal` template for the function it calls."""
        rule = rules.PRIMAL.get(self.normal.resolver(s.value.func)) if rules.PRIMAL and isinstance(s.value, gast.Call) \
            else None
        if rule is None:
            return [s]
        bound = rule.bind(s.value.args, {k.arg: k.value for k in s.value.keywords})
        return [tree.place(t, tree.origin(s)) for t in self.library.replacement(rule, bound, tree.target(s))]

    def joined(self, operands, gradient, origin):
        """The gradient of `left + right` for lists or tuples: its first part and its last."""
        middle = self.call('len', operands[0])
        for operand, ends in zip(operands, ((None, middle), (middle, None))):
            part = gast.Slice(lower=ends[0], upper=ends[1], step=None)
            self.offer(operand, Term(gast.Subscript(value=gradient, slice=part, ctx=gast.Load()), origin, number=False))

    def offer(self, atom, term):
        """Give the term to the name, if the atom is a name with a derivative."""
        if isinstance(atom, gast.Name) and atom.id in self.normal.active:
            builder = atom.id in self.normal.builders and term.index is None
            self.give(atom.id, reverse_builders.whole(term) if builder else term)

    def is_number(self, atom):
        return isinstance(atom, gast.Name) and atom.id in self.normal.numbers

    def ruled(self, s, op, gradient, origin):
        rule, bound, y = op.what, op.args, tree.target(s)
        active = {p for p, e in bound.items() if self.is_active(e)}
        body, terms = self.library.fill(rule, bound, tree.load(y), gradient, active)
        for stmt in body:
            self.out.append(tree.place(stmt, origin))
        for p, value in merged(terms, bound).items():
            operands = bound[p].elts if isinstance(value, list) else [bound[p]]
            for operand, v in zip(operands, value if isinstance(value, list) else [value]):
                if self.may_be_sequence(s, operand):
                    v = self.part_of_sequence(s.value, p, gradient)
                elif rule.kind == 'elementwise' and self.may_broadcast(operand, y):
                    v = self.call('unbroadcast', v, operand)
                number = (rule.kind == 'elementwise' or isinstance(s.value, gast.BinOp) or '.' in rule.name
                          and rule.name not in SEQUENCES) and not self.may_be_sequence(s, operand)
                self.offer(operand, Term(v, origin, number or self.is_number(operand)))

    def may_be_sequence(self, s, operand):
        """Whether `+` may join and `*` may repeat a list here, for all that is known."""
        return isinstance(s.value, gast.BinOp) and isinstance(s.value.op, (gast.Add, gast.Mult)) \
            and tree.target(s) in self.normal.indexed - self.normal.numbers and operand.id not in self.normal.numbers

    def part_of_sequence(self, expr, p, gradient):
        """The gradient of an operand that may be a list."""
        own, other = (expr.left, expr.right) if p == 'x' else (expr.right, expr.left)
        if isinstance(expr.op, gast.Add):
            return self.call('joined_part', gradient, own, other, tree.constant(p == 'y'))
        return self.call('unrepeated', gradient, own, other)

    def is_active(self, expr):
        if isinstance(expr, gast.Tuple):
            return any(map(self.is_active, expr.elts))
        return isinstance(expr, gast.Name) and expr.id in self.normal.active

    def may_broadcast(self, operand, result):
        if not isinstance(operand, gast.Name) or not self.library.in_complex and \
                operand.id in self.scalars and result in self.scalars:
            return False
        if operand.id in self.normal.accumulators.get(result, ()):
            return False
        if self.library.in_complex:
            return True
        return self.shapes.of.get(operand.id) != self.shapes.of.get(result)

    def starts_accumulator(self, s):
        """Whether the copy gives a carried name its first value, for which the loop has put off undoing broadcasts."""
        return role(s) != 'carry' and any(tree.target(s) in names for names in self.normal.accumulators.values())

    def unpacked(self, op, origin):
        (value, *targets), star = op.args, op.what
        gradients = [self.take(t) for t in targets]
        if all(g is None for g in gradients):
            return
        if value.id in self.normal.tuples:
            parts = [self.call('init_grad', tree.load(t)) if g is None else g for t, g in zip(targets, gradients)]
            if star is not None:
                parts[star] = gast.Starred(value=parts[star], ctx=gast.Load())
            self.offer(value, Term(gast.Tuple(elts=parts, ctx=gast.Load()), origin, number=False))
            return
        for k, g in enumerate(gradients):
            if g is not None:
                index = taken(k, len(targets), star)
                basic = targets[k] in self.normal.numbers and k != star
                self.offer(value, Term(g, origin, index=index, basic=basic))

    def inserted(self, s, block, origin):
        """The code of `with insert_grad_of(x) as dx:`, where `dx` is the gradient of x at this place."""
        after = tree.target(s)
        name = self.gradient(after)
        found = self.take(after)
        if found is None:
            value = self.call('init_grad', tree.load(after))
        else:
            value = found if not mutates_in_place(block) else self.call('copy', found)
        self.put(name, value, origin)
        user = block.items[0].optional_vars.id
        for stmt in block.body:
            stmt = Rename({user: name}, {user: name}).visit(tree.clone(stmt))
            self.out.append(tree.place(stmt, tree.Origin('inserted', stmt.lineno)))
        self.offer(s.value, Term(tree.load(name), origin, self.is_number(s.value)))

    def called(self, s, op, gradient, origin):
        """A call of a function that is differentiated through its source: its primal and adjoint twins."""
        custom = custom_calls.of(op.what)
        if custom is not None:
            return custom_calls.called(self, s, op, custom, gradient, origin)
        (args, keywords), callee, y = op.args, op.what, tree.target(s)
        bound = self.normal.bind(self.readable(callee, s), args, keywords, s)
        wanted = [p for p, e in bound.items() if any(map(self.is_active, calls.atoms(e)))]
        twin = self.twin(callee, tuple(wanted), s)
        saved = self.names.fresh(f'{callee.__name__}_saved' if callee.__name__.isidentifier() else 'saved')
        targets = [self.gradient(getattr(bound[p], 'id', p)) for p in wanted]
        left = tree.store(targets[0])
        if len(targets) > 1:
            left = gast.Tuple(elts=[tree.store(t) for t in targets], ctx=gast.Store())
        back = gast.Call(func=tree.load(twin.adjoint), args=[gradient, tree.load(saved)], keywords=[])
        self.put(left, back, origin)
        for p, t in zip(wanted, targets):
            for atom, gradient in calls.parts(bound[p], tree.load(t)):
                self.offer(atom, Term(gradient, origin, self.is_number(atom)))
        value = tree.replace(s.value, func=tree.load(twin.primal))
        pair = gast.Tuple(elts=[tree.store(y), tree.store(saved)], ctx=gast.Store())
        return [tree.replace(s, targets=[pair], value=value)]

    def settle_readers(self, s):
        """Write down what is owed in terms of names that the adjoint of a loop in the statement will set back."""
        if not isinstance(s, (gast.For, gast.While)) and not any(
                isinstance(n, (gast.For, gast.While)) for n in gast.walk(s)):
            return
        bound = set(self.normal.bound(s))
        for name, terms in list(self.owed.items()):
            reads = {n for t in terms for part in (t.value, t.index) if part is not None
                     for n in tree.names(part, gast.Load)}
            if not reads.isdisjoint(bound):
                target = self.gradient(name)
                self.settle(target, name, self.owed.pop(name))
                self.owed[name] = [Term(tree.load(target), terms[-1].origin, name in self.normal.numbers or all(
                    t.number and t.index is None for t in terms))]

    # Branches

    def branch(self, s):
        """Each path settles what is owed into one name for both."""
        origin = adjoint_of(s)
        self.settle_readers(s)
        outer = self.owed
        joined = [n for n in self.normal.bound(s) if n in outer]
        incoming = {n: Term(self.take(n), origin, n in self.normal.numbers) for n in joined}
        forward, adjoint, left = [], [], []
        for block in (s.body, s.orelse):
            self.owed = {n: [t] for n, t in incoming.items()}
            f, a = self.block(block)
            forward.append(f)
            adjoint.append(a)
            left.append({n: t for n, t in self.owed.items() if n not in joined})
        self.owed = outer
        for name in dict.fromkeys([*left[0], *left[1]]):
            if name in self.open:
                self.pour(name, [l.pop(name, []) for l in left], adjoint)
                continue
            self.join(name, [l.get(name, []) for l in left], adjoint, origin)
        if self.region:
            for k in (0, 1):
                forward[k], adjoint[k] = self.frame(forward[k], adjoint[k], [])
        if any(adjoint):
            body, orelse = (a or [] for a in adjoint)
            self.out.append(tree.place(gast.If(test=s.test, body=body or [passes()], orelse=orelse), origin))
        return [tree.replace(s, body=forward[0], orelse=forward[1])]

    def pour(self, name, terms, blocks):
        """Add terms to the accumulator of a name from outside the loop, in the blocks where they arise."""
        for t, block in zip(terms, blocks):
            if t:
                outer, self.out = self.out, block
                self.accumulate(self.accumulator(name), t, owned=True)
                self.out = outer

    def accumulator(self, name):
        if not self.open[name]:
            self.open[name].append(self.gradient(name))
        return self.open[name][0]

    def join(self, name, terms, adjoint, origin):
        """After an `if`, the gradient of an outer name: an accumulator where it exists already, else set on both paths."""
        before = self.owed.pop(name, None)
        target = self.gradient(name)
        owned = True
        if before:
            value = self.sum_of(target, name, before)
            owned = value is None or is_fresh(value)
        for t, block in zip(terms, adjoint):
            outer, self.out = self.out, block
            if before and t:
                self.accumulate(target, t, self.own(target, t, owned))
            elif t:
                self.settle(target, name, t)
            elif not before:
                self.put(target, self.call('init_grad', tree.load(name)), ZERO)
            self.out = outer
        self.give(name, Term(tree.load(target), origin, name in self.normal.numbers
                             or all(x.number and x.index is None for t in terms for x in t)))

    def sum_of(self, target, name, terms):
        """Settle terms into an accumulator; the tree it was set to, None if it is owned for sure."""
        if any(t.index is not None for t in terms):
            self.settle(target, name, terms)
            return None
        value = self.sum(terms)
        self.put(target, value, terms[-1].origin)
        return value

    def own(self, target, terms, owned):
        """Make an accumulator owned where terms must be written into it by index."""
        if not owned and any(t.index is not None for t in terms):
            self.put(target, self.call('copy', tree.load(target)), terms[0].origin)
            return True
        return False if not owned else any(t.index is not None for t in terms)

    # Loops

    def loop(self, s):
        origin = adjoint_of(s)
        self.settle_readers(s)
        carried = [tree.target(u) for u in s.body if role(u) == 'carry' and tree.target(u) in self.normal.active]
        before, outer = self.out, self.owed
        held = {}
        for c in carried:
            held[c] = self.gradient(c)
            terms = outer.pop(c, None)
            if terms:
                self.settle(held[c], c, terms)
            else:
                self.put(held[c], self.call('init_grad', tree.load(c)), origin)
        self.owed = {c: [Term(tree.load(b), origin, c in self.normal.numbers)] for c, b in held.items()}
        around = self.open
        mine = [n for n in self.normal.read_from_outside(s) if n not in around and n not in held]
        self.open = {**around, **{n: [] for n in mine}}
        region, self.region = self.region, True
        forward, adjoint = self.block(s.body)
        left, self.owed = self.owed, outer
        self.out = adjoint
        for n in [n for n in left if n in self.open]:
            self.accumulate(self.accumulator(n), left.pop(n), owned=True)
        self.hand_back(carried, held, left, origin)
        accumulators = {n: self.open[n][0] for n in mine if self.open[n]}
        self.open = around
        self.out = before
        self.starts(accumulators, origin)
        new, prelude, header = backwards(s, self.names, self.normal.resolver, self.library('range'))
        hidden = set(tree.names(header.target, gast.Store))
        forward, adjoint = self.frame(forward, adjoint, [n for n in self.normal.bound_by(s) if n not in hidden], hidden)
        self.region = region
        if adjoint:
            self.out.append(tree.place(tree.replace(header, body=adjoint), origin))
        for n, target in accumulators.items():
            self.give(n, Term(tree.load(target), origin, n in self.normal.numbers))
        for c in carried:
            self.give(c, Term(tree.load(held[c]), origin, c in self.normal.numbers))
        if not adjoint:
            return [tree.replace(s, body=forward)]
        prelude += [tree.assign(c, tree.constant(None), TAPE) for c in carried
                    if c in self.looked_at and not self.normal.is_set_outside(c, s)]
        return prelude + [tree.replace(s, body=in_front_of_guard(forward, new))]

    def hand_back(self, carried, held, left, origin):
        """At the start of an iteration, what is owed to a carried name belongs to the iteration before."""
        found = []
        for c in carried:
            terms = left.pop(c, [])
            if len(terms) == 1 and isinstance(terms[0].value, gast.Name) and terms[0].value.id == held[c]:
                continue
            if not terms:
                like = c if c in self.normal.lists else held[c]        # lists may have another length each time
                self.looked_at.add(like)
                found.append((held[c], self.call('init_grad', tree.load(like)), ZERO))
            elif len(carried) == 1 and all(t.index is None for t in terms):
                found.append((held[c], self.sum(terms), terms[-1].origin))
            else:
                new = self.gradient(c)
                self.settle(new, c, terms)
                found.append((held[c], tree.load(new), terms[-1].origin))
        for target, value, where in found:
            self.put(target, value, where)

    def starts(self, accumulators, origin):
        """Set each accumulator before the loop; it is owned."""
        for n, target in accumulators.items():
            terms = self.owed.pop(n, None)
            if n in self.normal.builders:
                reverse_builders.owned(self, n, terms or [], origin, target)
            elif not terms:
                self.put(target, self.call('init_grad', tree.load(n)), origin)
                self.unshared.add(target)
            else:
                value = self.sum_of(target, n, terms)
                if value is not None and not is_fresh(value):
                    stmt = self.out.pop()
                    owned = 'own_gradient' if self.normal.emitted or n in self.normal.tuples else 'copy'
                    self.put(target, self.call(owned, value), stmt.origin)

    # The tape

    def frame(self, forward, adjoint, targets, hidden=()):
        """Push at the end of a block what its adjoint reads of the names defined there; pop where the adjoint begins."""
        defined = dict.fromkeys([*targets, *self.normal.stored(forward)])
        read = exposed(adjoint, hidden)
        kept = [n for n in defined if n in read]
        if not kept:
            return forward, adjoint
        stack = tree.load(self.library('_stack'))
        pushes, pops = [], []
        for n in kept:
            self.pairs += 1
            mark = tree.constant(f'_{self.pairs}')
            push = self.call('push', stack, tree.load(n), mark)
            pushes.append(tree.place(gast.Expr(value=push), TAPE))
            pops.append(tree.assign(n, self.call('pop', stack, mark), TAPE))
        at = len(forward)
        while at and (role(forward[at - 1]) == 'carry' or is_guard(forward[at - 1])):
            at -= 1
        return forward[:at] + pushes + forward[at:], pops[::-1] + adjoint
