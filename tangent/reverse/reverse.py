"""Reverse mode: from the statements of a function to those statements with a tape, and the adjoint of each, last one first.

Straight lines need no tape, since nothing there is overwritten. A loop body is a *frame*: what its adjoint reads of the
names that the body defines is pushed when an iteration ends and popped where its adjoint begins (To-Be-Recorded). The same
holds for the branches of an `if` inside a frame. The optimizer then drops what need not be kept.
"""
import dataclasses
import functools
from collections.abc import Callable

import gast

from tangent.analysis import attributes
from tangent.analysis.effects import surely_stores
from tangent.analysis.liveness import TAPE, adjoint_of, exposed, merged, mutates_in_place, named, values_of
from tangent.analysis.messages.communication import communicates, hands_on
from tangent.analysis.numeric import joined_lists, perhaps_none, several_kinds, tuple_lengths
from tangent.analysis.shapes import NUMBER
from tangent.emit import naming
from tangent.frontend import quote, subset, tree
from tangent.normal.loop_headers import taken
from tangent.normal.ssa import Rename
from tangent.reverse import arrays, calls, control_flow, custom_calls, lists
from tangent.reverse.accumulate import Gather, Term
from tangent.reverse.uses import Uses
from tangent.templates.language import registry

SENDS = 'sent', 'sent_aside', 'isent', 'Sent', 'Sent_aside', 'Isent'              # their values have no gradient


@dataclasses.dataclass(frozen=True)
class Callees:
    """What is asked of the driver about callees.

    twin : (callee, names of its active parameters, statement, ...) -> Twin; what else is given are the rest of its Demands
    readable : (callee, statement) -> the Python function whose source is read for it; an error where there is none
    reads : Twin -> whether its adjoint may read elements of the arrays that the callee is given
    again : Twin -> the Again of its adjoint, or None where that takes what the primal has saved
    """
    twin: Callable
    readable: Callable
    reads: Callable
    again: Callable


class Reverse(Gather):
    """Generates the adjoint of one function.

    Parameters
    ----------
    normal : Normal
        The function in normal form, with its ops, active names and shapes.
    callees : Callees
    scalars : set of str
        Names known to hold one number because the result does.
    inner : bool
        Whether the adjoint becomes a function of its own.
    restored : bool
        Whether arrays of the caller's get back what they held.
    """

    def __init__(self, normal, callees, scalars, inner=False, restored=False):
        super().__init__()
        self.normal, self.callees, self.scalars = normal, callees, scalars
        self.inner, self.restored = inner, restored
        self.names, self.ops, self.shapes, self.library = normal.names, normal.ops, normal.shapes, normal.library
        self.uses = Uses(normal)
        self.base, self.temps = dict(normal.base), set(normal.temps)
        self.backs = set()               # names of what goes back from a call that is dispatched when running
        self.wide = set()                # names whose gradients are left as broad as those of what they go into
        self.again = {}                  # call of a user function -> the Again of its adjoint, or None
        self.without_effects: set = set()           # names of such functions and of their adjoints
        self.put_back: set = set()       # names of arrays in which adjoints of callees put back what they held
        self.region = False              # whether names of a branch are lost when it ends: inside loops
        self.pairs = 0
        self.gradient_of = {}            # name of a gradient -> name of what it is the gradient of
        self.looked_at = set()           # carried lists whose first value is looked at, if there is one
        self.arrays = {n: normal.buffers.ranks.get(n) for n in normal.buffers.names}    # and their gradients -> axes
        self.elements = {}               # see arrays.elements_read, of the block at hand
        self.values = {}                 # calls whose value has a name in the block at hand, as text -> that name

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

    def means_one(self, name, number):
        """Whether the name stands for one value, which nothing changes: a `number`, unless nothing is changed in place."""
        changed = self.normal.buffers.names or self.normal.builders
        return self.uses.binds[name] == 1 and (
            number or not changed or self.shapes.of.get(name) == NUMBER)

    def call(self, helper, *args):
        return gast.Call(func=tree.load(self.library(helper)), args=list(args), keywords=[])

    # Statements

    def block(self, stmts):
        """(the statements, with what the adjoint needs of them kept; their adjoint) of a block."""
        outer, self.out = self.out, []
        values, self.values = self.values, {**self.values, **values_of(self, stmts)}
        forward, done = [], set()
        around = self.elements
        self.elements = arrays.elements_read(self, stmts) if self.region or self.inner else {}
        for s in reversed(stmts):
            start = len(self.out)
            forward += reversed(self.statement(s))
            arrays.read_again(self, start, self.elements, done, adjoint_of(s))
        self.elements, self.values = around, values
        adjoint, self.out = self.out, outer
        return forward[::-1], adjoint

    def statement(self, s):
        """Write the adjoint of a statement; the statements that take its place in the forward pass."""
        op = self.ops.get(s)
        lists.open_all(self, s, adjoint_of(s))
        if op is None:
            return self.without_operation(s)
        origin = adjoint_of(s)
        if op.kind == 'unpack':
            self.unpacked(op, origin)
            return [s]
        if op.kind == 'insertion':
            self.inserted(s, op.args, origin)
            return [s]
        if op.kind in lists.CHANGES:
            lists.changed(self, s, op, origin)
            return [s]
        if s in self.normal.effects:
            return self.on_call(s, op, self.take(tree.target(s)), origin)
        made = tree.target(s) in self.normal.builders or tree.target(s) in self.normal.buffers
        gradient = lists.made(self, tree.target(s)) if made else self.take(tree.target(s))
        if gradient is None and op.kind == 'rule' and op.what.always:
            gradient = tree.constant(None) if op.what.name in SENDS else self.call('init_grad', tree.load(tree.target(s)))
        elif gradient is None and not (op.kind == 'call' and (
                communicates(op.what) or hands_on(s.value, self.normal.resolver))):
            return [s]
        return getattr(self, 'on_' + op.kind)(s, op, gradient, origin) or [s]

    def without_operation(self, s):
        """As `statement`, for one that is made of others or through which no derivative flows."""
        if not self.normal.touches(s):
            for name in self.normal.bound(s):        # overwritten by something without a derivative
                self.owed.pop(name, None)
            return [s]
        if isinstance(s, gast.Assign):
            self.owed.pop(tree.target(s), None)
            if tree.target(s) in self.normal.builders or tree.target(s) in self.normal.buffers:
                self.open.pop(tree.target(s), None)
            return [s]
        way = control_flow.branch if isinstance(s, gast.If) else control_flow.context if isinstance(s, gast.With) else \
            control_flow.loop
        return way(self, s)

    # Kinds of operations: each writes the adjoint, and gives what takes the place of the statement if that is not itself

    def on_copy(self, s, op, gradient, origin):
        if self.starts_accumulator(s) and self.may_broadcast(op.args, tree.target(s)):
            gradient = self.call('unbroadcast', gradient, op.args)
        self.offer(op.args, Term(gradient, origin, self.is_number(op.args)))

    def on_index(self, s, op, gradient, origin):
        value, index = op.args
        sure = tree.target(s) in self.normal.numbers - self.several_kinds or getattr(value, 'id', None) in self.normal.buffers
        basic = self.shapes.is_basic(index) and not is_of_number(index) and sure and not arrays.of_list(self, value, index)
        self.offer(value, Term(gradient, origin, index=index, basic=basic))

    def on_field(self, s, op, gradient, origin):
        owner, place = op.args
        basic = isinstance(place.value, gast.Attribute) or self.shapes.is_basic(place.value.slice)
        self.offer(owner, Term(gradient, origin, index=place, basic=basic and tree.target(s) in self.normal.numbers))

    def on_join(self, s, op, gradient, origin):
        """The gradient of `left + right` for lists or tuples: its first part and its last; one of them may be an array."""
        count = self.tuple_lengths.get(getattr(op.args[0], 'id', None))
        middle = self.call('len', op.args[0]) if count is None else tree.constant(count)
        empty = any(isinstance(e, (gast.List, gast.Tuple)) and not e.elts for e in op.args)     # to which no array is added
        sure = empty or all(not isinstance(e, gast.Name) or e.id in self.joined_lists for e in op.args)
        twice = not sure and quote.same(*op.args)                     # `xs + xs`: what `part_of_sequence` gives is all of it
        for p, operand, ends in zip('x' if twice else 'xy', op.args, ((None, middle), (middle, None))):
            part = gast.Subscript(value=gradient, slice=gast.Slice(lower=ends[0], upper=ends[1], step=None), ctx=gast.Load())
            part = part if sure else self.part_of_sequence(s.value, p, gradient)
            self.offer(operand, Term(part, origin, number=False))

    def on_merge(self, s, op, gradient, origin):
        lists.merged(self, op, gradient, origin)

    def on_display(self, s, op, gradient, origin):
        if self.normal.emitted and isinstance(s.value, gast.Tuple):
            calls.handed_out(self, op, gradient, origin)
            return
        for k, element in enumerate(op.args):
            key = op.what[k] if op.what is not None else tree.constant(k)
            part = tree.as_read(attributes.of(key, gradient.id))
            self.offer(element, Term(part, origin, self.is_number(element)))

    def on_derivative(self, s, op, gradient, origin):
        """A function defined inside: its derivative has captured what it has."""
        self.offer(op.args, Term(gradient, origin, number=False))

    def on_partial(self, s, op, gradient, origin):
        calls.captured(self, op, gradient, origin)

    def on_dispatch(self, s, op, gradient, origin):
        return calls.adjoint_of_dispatch(self, s, op, gradient, origin)

    def primal(self, s):
        """The statement itself, or those of the user's `primal` template for the function it calls."""
        rule = registry.PRIMAL.get(self.normal.resolver(s.value.func)) if registry.PRIMAL and isinstance(s.value, gast.Call) \
            else None
        if rule is None:
            return [s]
        bound = rule.bind(s.value.args, {k.arg: k.value for k in s.value.keywords})
        return [tree.place(t, tree.origin(s)) for t in self.library.replacement(rule, bound, tree.target(s))]

    def offer(self, atom, term):
        """Give the term to the name, if the atom is a name with a derivative."""
        if isinstance(atom, gast.Name) and atom.id in self.normal.active:
            builder = atom.id in self.normal.builders and term.index is None
            if atom.id in self.normal.buffers and atom.id in self.normal.numbers and not term.number:
                term = dataclasses.replace(term, number=True)
            self.give(atom.id, lists.whole(term) if builder else term)

    def returned_to(self, back, atoms, origin, starred=()):
        """Give the gradients that the call `back` returns, in this order, to the atoms; one alone comes bare. Those of what a
        star has gone through are lists."""
        names = [self.gradient(a.id) for a in atoms]
        self.put(tree.targets(*names), back, origin)
        for atom, name in zip(atoms, names):
            spread = any(atom is a for a in starred) and atom.id not in self.normal.displays
            found = self.call('unlist', tree.load(name), tree.load(atom.id)) if spread else tree.load(name)
            self.offer(atom, Term(found, origin, self.is_number(atom)))

    def is_number(self, atom):
        return isinstance(atom, gast.Name) and atom.id in self.normal.numbers

    def on_rule(self, s, op, gradient, origin):
        rule, bound, y = op.what, op.args, tree.target(s)
        active = {p for p, e in bound.items() if self.is_active(e)} | {*rule.always}
        body, terms = arrays.dot_of_vectors(self, rule, bound, gradient) or subset.at_line(
            s, self.normal.source, lambda: self.library.fill(rule, bound, tree.load(y), gradient, active))
        for stmt in body:
            self.out.append(tree.place(stmt, origin))
        joins = isinstance(s.value, gast.BinOp) and isinstance(s.value.op, gast.Add) and isinstance(bound['x'], gast.Name) \
            and self.may_be_sequence(s, bound['x']) and not quote.same(s.value.left, s.value.right)
        terms = self.computed_once(terms, origin)
        for p, value in (terms if joins else merged(terms, bound)).items():
            operands = bound[p].elts if isinstance(value, list) else [bound[p]]
            for operand, v in zip(operands, value if isinstance(value, list) else [value]):
                v = named(v, self.values) if self.values else v
                if self.may_be_sequence(s, operand):
                    v = self.part_of_sequence(s.value, p, gradient)
                elif rule.kind == 'elementwise' and (y in self.wide | self.normal.doubled or self.may_broadcast(operand, y)):
                    v = arrays.unbroadcast(self, v, operand, y in self.wide)
                if p in rule.always:                               # a message has its place among others
                    v = self.at_once(operand, v, origin)
                number = (rule.kind == 'elementwise' or isinstance(s.value, gast.BinOp) or '.' in rule.name
                          and not rule.takes_lists) and not self.may_be_sequence(s, operand)
                self.offer(operand, Term(v, origin, number or self.is_number(operand)))
        return self.primal(s)

    def at_once(self, operand, value, origin):
        """The name of a term that is computed here, whoever reads it."""
        if not self.is_active(operand):
            self.out.append(tree.place(gast.Expr(value=value), origin))
            return value
        name = self.gradient(operand.id)
        self.temps.add(name)
        self.put(name, value, origin)
        return tree.load(name)

    def computed_once(self, terms, origin):
        """The terms with a name for what gives the gradients of several operands: `bt = unsolve(by, a, b, y)`."""
        parts = {p: v for p, v in terms.items() if isinstance(v, gast.Subscript) and isinstance(v.slice, gast.Constant)}
        texts = {p: gast.dump(v.value) for p, v in parts.items() if isinstance(v.value, gast.Call)}
        named: dict = {}
        for p, text in texts.items():
            if text not in named and [*texts.values()].count(text) > 1:
                named[text] = self.names.fresh('bt')
                self.temps.add(named[text])
                self.put(tree.store(named[text]), terms[p].value, origin)
        return {p: tree.replace(v, value=tree.load(named[texts[p]])) if texts.get(p) in named else v for p, v in terms.items()}

    def may_be_sequence(self, s, operand):
        """Whether `+` may join and `*` may repeat a list here, for all that is known."""
        return isinstance(s.value, gast.BinOp) and isinstance(s.value.op, (gast.Add, gast.Mult)) \
            and tree.target(s) in self.normal.indexed - self.normal.numbers and operand.id not in self.normal.numbers

    def part_of_sequence(self, expr, p, gradient):
        """The gradient of an operand that may be a list."""
        own, other = (expr.left, expr.right) if p == 'x' else (expr.right, expr.left)
        if isinstance(expr.op, gast.Add) and quote.same(own, other):                       # which repeats a list
            return self.call('unrepeated', gradient, own, tree.constant(2))
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
        return tree.role(s) != 'carry' and any(tree.target(s) in names for names in self.normal.accumulators.values())

    @functools.cached_property
    def perhaps_none(self):
        return perhaps_none(self.normal.tree, self.ops)

    @functools.cached_property
    def several_kinds(self):
        found = several_kinds(self.normal.tree, self.ops)
        if self.normal.emitted:               # a tangent is None where its value is, of which alone the text asks that
            found |= perhaps_none(self.normal.tree, self.ops, elements=True)
        return found

    @functools.cached_property
    def joined_lists(self):
        return joined_lists(self.normal.tree, self.ops)

    @functools.cached_property
    def tuple_lengths(self):
        return tuple_lengths(self.normal.tree)

    def unpacked(self, op, origin):
        (value, *targets), star = op.args, op.what
        gradients = [lists.made(self, t) if t in self.normal.builders else self.take(t) for t in targets]
        if all(g is None for g in gradients):
            return
        if value.id in self.normal.displays:
            parts = [self.call('init_grad', tree.load(t)) if g is None else g for t, g in zip(targets, gradients)]
            if star is not None:
                parts[star] = gast.Starred(value=parts[star], ctx=gast.Load())
            self.offer(value, Term(gast.Tuple(elts=parts, ctx=gast.Load()), origin, number=False))
            return
        for k, g in enumerate(gradients):
            if g is not None:
                index = taken(k, len(targets), star)
                basic = targets[k] in self.normal.numbers - self.perhaps_none and k != star
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

    def on_call(self, s, op, gradient, origin):
        """A call of a function that is differentiated through its source: its primal and adjoint twins."""
        custom = registry.custom(op.what)
        if custom is not None:
            return custom_calls.adjoint_of_call(self, s, op, custom, gradient, origin)
        callee, y = op.what, tree.target(s)
        bound, wanted, written = self.active_arguments(s, op)
        if written:
            arrays.settle_readers(self, s)
        twin = arrays.twin_of(self, callee, wanted, s, written)
        saved = self.names.fresh(f'{naming.title(callee.__name__)}_saved' if callee.__name__.isidentifier() else 'saved')
        wanted = [p for p in wanted if p not in written]
        targets = [self.gradient(getattr(bound[p], 'id', p)) for p in wanted]
        if gradient is None and twin.seeded:
            gradient = self.call('init_grad', tree.load(y))
        for p, n in written.items():
            if n in self.normal.buffers and arrays.may_lack_axes(self, n) and not surely_stores(callee, p):
                self.put(self.open[n][0], self.call('in_place', tree.load(self.open[n][0])), origin)
        again = self.again[s] = self.callees.again(twin)
        args = ([gradient] if twin.seeded else []) + [tree.load(saved), *(tree.load(self.open[n][0]) for n in written.values())]
        if again:
            args = self.arguments_again(again, bound, y, gradient)
            self.without_effects |= {tree.dotted(s.value.func), twin.adjoint}
        back = gast.Call(func=tree.load(twin.adjoint), args=args, keywords=[])
        if targets:
            self.put(tree.targets(*targets), back, origin)
        else:
            self.out.append(tree.place(gast.Expr(value=back), origin))
        for p, t in zip(wanted, targets):
            for atom, part in calls.parts(bound[p], tree.load(t)):
                self.offer(atom, Term(part, origin, self.is_number(atom)))
        if again:
            return self.primal(s)
        value = tree.replace(s.value, func=tree.load(twin.primal))
        left = tree.store(saved)
        if twin.seeded:
            left = gast.Tuple(elts=[tree.store(y), left], ctx=gast.Store())
        called = tree.replace(s, targets=[left], value=value)
        return [called] if twin.seeded else [called, tree.like(s, tree.store(y), tree.constant(None))]

    @staticmethod
    def arguments_again(again, bound, y, gradient):
        """What an adjoint is given that takes arguments."""
        left = {name: tree.constant(value) for name, value in again.defaults}
        return [*(bound.get(p) or left[p] for p in again.parameters), *[tree.load(y)] * again.result, gradient]

    def active_arguments(self, s, op):
        """Parameter -> argument of a call; the parameters with a derivative; parameter -> array whose gradient is changed."""
        bound = self.normal.bind(self.callees.readable(op.what, s), *op.args, s)
        wanted = tuple(p for p, e in bound.items() if any(map(self.is_active, calls.atoms(e))))
        return bound, wanted, arrays.written_by_call(self, s, bound)

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
        while at and (tree.role(forward[at - 1]) == 'carry' or tree.is_guard(forward[at - 1])):
            at -= 1
        return forward[:at] + pushes + forward[at:], pops[::-1] + adjoint


def is_of_number(index):
    """Whether an index is one that numbers of NumPy's have, too: it selects nothing, as `...`, None and `()` do."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return all(isinstance(e, gast.Constant) and e.value in (None, ...) or getattr(e, 'attr', None) == 'newaxis' for e in parts)
