"""Steps of the log form: one statement of the user's as operations, its entry in the log, and its adjoint."""
import collections
import functools

import gast

from tangent.analysis.liveness import exposed, merged
from tangent.analysis.mutated_arrays import names_slice
from tangent.eventlog.calls import Calls
from tangent.eventlog.entries import NUMERIC, folded, overtaken, tree_names
from tangent.eventlog.reads import Reads
from tangent.eventlog.writes import Writes
from tangent.frontend import subset, tree
from tangent.reverse import frames
from tangent.runtime import facts


class Steps(Reads, Calls, Writes):
    """Writes statements into `out`, and an Entry for each that the backward pass has to see."""

    def __init__(self):
        self.out, self.pending = [], []
        self.notes = {}                       # statement, or call in one -> the Note that it makes
        self.unsettled = set()                # the returns (their `id`) of what a `finally` block may change
        self.gradients, self.temps = {}, set()
        self.s, self.generator = None, False
        self.overtaken = overtaken(self.function)
        self.depth, self.several = 0, set()      # of loops around the statement at hand; names bound in two places by us
        self.stores = collections.Counter(n for s in self.function.body for n in tree.names(s, gast.Store))
        self.celled = sorted((self.captured | self.source.captured) & self.varied)
        self.cell = {n: self.names.fresh(f'{n}_cell') for n in self.celled}
        super().__init__()

    # Names and calls

    def make(self, name):
        """Take a new name in as one that carries a derivative from statement to statement."""
        self.varied.add(name)
        self.temps.add(name)
        return name

    def fresh(self):
        return self.make(self.names.fresh('t'))

    def temporary(self, base):
        """A new name for what carries no derivative."""
        name = self.names.fresh(base)
        self.temps.add(name)
        return name

    def b(self, name):
        """The variable that holds the gradient of a name."""
        if name not in self.gradients:
            self.gradients[name] = self.names.fresh('b' + name)
        return self.gradients[name]

    def method(self, name, *args):
        """A call of a method of the table of gradients."""
        return tree.method(tree.load(self.grads), name, *args)

    def helper(self, name, *args):
        return tree.call(self.library(name), *args)

    def emit(self, stmt):
        if stmt is not None:
            self.out.append(tree.place(stmt, tree.origin(self.s)) if not hasattr(stmt, 'origin') else stmt)

    def put(self, target, value):
        self.emit(tree.assign(target, value, tree.origin(self.s)))

    # Entries

    def enter(self, adjoint, always=()):
        """Note the statement in the log with what its adjoint reads of the forward pass; None where it has none."""
        if not adjoint:
            return None, []
        read = exposed(adjoint)
        known = self.local | self.temps | set(self.cell.values())
        saved = [n for n in dict.fromkeys([*always, *sorted(read)]) if n in known and n in read]
        note = self.note(saved, adjoint)
        values = gast.Tuple(elts=[tree.load(n) for n in saved], ctx=gast.Load()) if len(saved) > 1 else \
            tree.load(saved[0]) if saved else tree.constant(None)
        entry = gast.Tuple(elts=[tree.constant(note.number), values], ctx=gast.Load())
        s = tree.place(gast.Expr(value=tree.method(tree.load(self.log), 'append', entry)), tree.Origin('tape'))
        self.notes[s] = note
        return s, saved

    def note(self, saved, adjoint, call='', record=''):
        return frames.Note(len(self.notes) + 1, saved, adjoint, tree.origin(self.s), call, record)

    def step(self, gradient, atom, before=(), root=None, then=()):
        """Log the operations that made the atom; in the backward pass `gradient` is an expression for its gradient.

        before : adjoint statements that come first
        then : statements that come before the entry in the log, and do something with the atom
        root : the name under which the forward pass computes the atom, if it may have another than a temporary one
        """
        ops = self.cut(atom)
        adjoint = list(before)
        if not ops:
            given = self.give(atom, gradient)
            if not given and isinstance(gradient, (gast.Call, gast.Yield)):       # it has to be done all the same
                given = [tree.place(gast.Expr(value=gradient), None)]
            note, saved = self.enter(adjoint + given)
            for stmt in [*then, note]:
                self.emit(stmt)
            return
        if root is not None:
            ops[-1].target = root
        name, behind = self.named_gradient(gradient, root, ops, adjoint)
        inner = self.adjoints(ops, name)
        if inner and self.of_copy(ops):
            adjoint += inner
        elif inner:
            test = gast.Compare(left=tree.load(name), ops=[gast.IsNot()], comparators=[tree.constant(None)])
            adjoint.append(tree.place(gast.If(test=test, body=inner, orelse=[]), None))
        adjoint += behind
        note, saved = self.enter(adjoint)
        for target, value in folded(ops, saved, root or ops[-1].target):
            self.put(target, value)
        for stmt in [*then, note]:
            self.emit(stmt)

    def overtake(self, before):
        """Where a `return` may come to nothing, the last one made takes the seed; entries from `before` on are its own."""
        if not self.overtaken:
            return
        nothing = tree.assign(self.seed, tree.constant(None), None)
        if len(self.notes) > before:
            [*self.notes.values()][-1].adjoint.append(nothing)
        else:
            self.emit(self.enter([nothing])[0])

    def of_copy(self, ops):
        """Whether the last operation takes a part of what another takes by an index that may be an array, or a class computes.

        A view of a copy has no gradient of its own, but the copy has.
        """
        owners = {op.target for op in ops if op.kind == 'item' and not is_basic(op.data[1]) or self.may_be_computed(op)}
        return ops[-1].kind in ('item', 'attribute') and ops[-1].data[0].id in owners

    def named_gradient(self, gradient, root, ops, adjoint):
        """(the name of the gradient that a step starts from, statements that come behind the step): what is left for the next
        round of a loop is nothing."""
        target, own = ops[-1].target, self.b(root) if root is not None and not self.elsewhere(root) else None
        nothing = [tree.assign(own, tree.constant(None), None)] if own and not self.once(root) else []
        if isinstance(gradient, gast.Name) and (gradient.id != own or not nothing):
            return gradient.id, []
        if isinstance(gradient, gast.Name) and not any(root in tree_names(op.value) for op in ops):
            return own, nothing
        if own and not nothing:
            name, nothing = own, []
        else:
            name = self.names.fresh('b' + target)
        adjoint.append(tree.assign(name, gradient, None))
        adjoint += nothing
        return name, []

    def once(self, name):
        """Whether a name is bound at most once while the function runs."""
        if self.depth or name in self.cell or name in self.several or name in self.params:
            return False
        return name in self.temps or self.stores[name] == 1

    def cut(self, atom):
        """The pending operations that make the atom, which are then no longer pending; those for other atoms are logged."""
        mine, names = [], tree_names(atom)
        for op in reversed(self.pending):
            if op.target in names:
                mine.insert(0, op)
                names |= tree_names(op.value)
        rest = [op for op in self.pending if op not in mine]
        self.pending = rest
        return mine

    def flush(self, *atoms):
        """Log the operations that make each of the atoms as steps of their own."""
        for atom in atoms:
            if isinstance(atom, gast.Name) and any(op.target == atom.id for op in self.pending):
                self.make(atom.id)
                self.step(self.taken(atom.id, self.root_of(atom.id)), atom, root=atom.id)

    def flush_all(self):
        used = {n for op in self.pending for n in tree_names(op.value)}
        self.flush(*[tree.load(op.target) for op in self.pending if op.target not in used])

    def root_of(self, name):
        return next(op for op in self.pending if op.target == name)

    def taken(self, name, op):
        """The gradient of a name that has just been made, as an expression."""
        b, value = self.left_with(name), tree.load(name)
        if self.plain(name):
            return b
        given = [value] if self.tabled(name) else [value, b]
        if op.kind == 'display':
            return self.method('take_whole', *given)
        if op.kind == 'sum' or op.kind == 'rule' and op.data[0].kind not in NUMERIC:
            return self.method('take_full', *given)
        if op.kind == 'item':
            return self.taken_item(op, value, b)
        if op.kind == 'attribute':
            if self.may_be_computed(op):
                return self.method('take_computed', value, b, op.data[0], tree.constant(op.data[1]))
            of_array = op.data[1] in ('T', 'mT', 'real', 'imag')           # a view, or of a persistent array a copy
            return self.method('take_from', value, b, *[op.data[0]] * of_array)
        return self.method('take', *given)

    def taken_item(self, op, value, b):
        """The same for `owner[index]`."""
        owner, index = op.data
        if self.may_be_slice(index):
            return self.method('take_piece', value, b, owner, index)
        return self.method('take_slice' if isinstance(index, gast.Slice) else 'take_from', value, b, owner)

    def may_be_slice(self, index):
        """Whether an index may be a slice under a name: where the text makes slices, or is given what it takes for one."""
        return isinstance(index, gast.Name) and index.id not in self.numbers and (
            self.makes_slices or index.id in tree.names(self.function.args, gast.Param))

    @functools.cached_property
    def makes_slices(self):
        return names_slice(self.source.nodes, self.resolver)

    def may_be_computed(self, op):
        """Whether code of a class may give what an attribute holds, which is another thing each time."""
        return op.kind == 'attribute' and (op.data[1] in self.classes.computed or self.classes.define('getattr'))

    def may_contain(self, op):
        """Whether an operation may make a list or dict."""
        if op.kind == 'sum':
            parts = {n.id for n in tree.children(op.value) if isinstance(n, gast.Name)}
            constant = any(isinstance(n, (gast.Constant, gast.UnaryOp)) for n in tree.children(op.value))
            return not constant and all(self.may_contain(other) for other in self.pending if other.target in parts)
        if op.kind == 'rule':
            name = op.data[0].name
            return op.data[0].kind not in NUMERIC and (facts.of(name).sequence or '.' not in name)
        return op.kind == 'display' or op.kind == 'item' and isinstance(op.data[1], gast.Slice)

    def give(self, atom, term):
        """Adjoint statements that add a term to the gradient of an atom."""
        if not isinstance(atom, gast.Name) or atom.id not in self.varied:
            return []
        if atom.id in self.cell:
            part = self.method('give_part', tree.load(self.cell[atom.id]), tree.constant('value'), atom, term)
            return [tree.place(gast.Expr(value=part), None)]
        if self.tabled(atom.id):
            return [tree.place(gast.Expr(value=self.method('give', atom, term)), None)]
        b = self.b(atom.id)
        if self.plain(atom.id):
            return [tree.assign(b, self.helper('add_parts', tree.load(b), term), None)]
        return [tree.assign(b, self.method('give', atom, term, tree.load(b)), None)]

    def plain(self, name):
        """Whether a name surely holds numbers, whose gradients are numbers, or None."""
        return name in self.sure and name not in self.cell

    def tabled(self, name):
        """Whether a name surely holds things whose gradients are in the table alone."""
        return name in self.things and name not in self.cell

    def elsewhere(self, name):
        """Whether the gradient of what a name holds is in no variable."""
        return name in self.cell or name in self.things

    def left_with(self, name):
        """The gradient of a name that stands in its variable, or in its cell."""
        if name in self.cell:
            return self.method('take_cell', tree.load(self.cell[name]))
        return tree.constant(None) if self.tabled(name) else tree.load(self.b(name))

    # Adjoints of a group of operations

    def adjoints(self, ops, gradient):
        """Adjoint statements of operations, the last of which has this gradient."""
        owed = {ops[-1].target: [tree.load(gradient)]}
        made = {op.target for op in ops}
        out = []
        for op in reversed(ops):
            terms = owed.pop(op.target, None)
            if not terms:
                continue
            g = terms[0]
            for t in terms[1:]:
                g = self.helper('add_parts', g, t) if op.kind != 'rule' else gast.BinOp(left=g, op=gast.Add(), right=t)
            for atom, term in self.terms(op, g, out):
                if isinstance(atom, gast.Name) and atom.id in made:
                    maker = next(o for o in ops if o.target == atom.id)
                    inside = op.kind in ('item', 'attribute') and not self.plain(maker.target)    # it is in the table already
                    if inside and maker.kind == 'item' and not isinstance(maker.data[1], gast.Constant):
                        term = self.taken_item(maker, atom, term)
                    elif inside and self.may_be_computed(maker):
                        term = self.method('take_computed', atom, term, maker.data[0], tree.constant(maker.data[1]))
                    owed.setdefault(atom.id, []).append(term)
                else:
                    out += self.give(atom, term)
        return [s if hasattr(s, 'origin') else tree.place(s, None) for s in out]

    def named(self, g, out):
        if isinstance(g, (gast.Name, gast.Constant)):
            return g
        name = self.names.fresh('bt')
        out.append(tree.assign(name, g, None))
        return tree.load(name)

    def terms(self, op, g, out):
        """(atom, term) for each operand of an operation; statements needed first go to `out`."""
        target = tree.load(op.target)
        if op.kind in ('item', 'attribute'):
            owner, key = op.data
            key = tree.constant(key) if op.kind == 'attribute' else tree.as_value(key, self.library)
            kind = 'give_item' if op.kind == 'item' else 'give_attribute'
            if owner.id in self.varied and self.tabled(owner.id):
                out.append(tree.place(gast.Expr(value=self.method(kind, owner, key, target, g)), None))
                return []
            if owner.id in self.varied and owner.id not in self.cell:
                b = self.b(owner.id)
                out.append(tree.assign(b, self.method(kind, owner, key, target, g, tree.load(b)), None))
                return []
            return [(owner, self.method(kind, owner, key, target, g))]
        g = self.named(g, out)
        if op.kind == 'display':
            return [(e, gast.Subscript(value=g, slice=key, ctx=gast.Load())) for key, e in op.data]
        if op.kind == 'sum':
            parts = [self.names.fresh('bt'), self.names.fresh('bt')]
            pair = gast.Tuple(elts=[tree.store(p) for p in parts], ctx=gast.Store())
            out.append(tree.assign(pair, self.helper('unjoin', g, *op.data), None))
            return list(zip(op.data, map(tree.load, parts)))
        return self.rule_terms(op, target, g, out)

    def rule_terms(self, op, target, g, out):
        rule, bound = op.data
        active = {p for p, e in bound.items() if e is not None and self.varied_or_made(e)}
        body, terms = subset.at_line(self.s, self.source, lambda: self.library.fill(rule, bound, target, g, active))
        out += [tree.place(s, None) for s in body]
        found = []
        for p, value in merged(terms, bound).items():
            operands = bound[p].elts if isinstance(value, list) else [bound[p]]
            for operand, v in zip(operands, value if isinstance(value, list) else [value]):
                named = rule.kind == 'elementwise' and isinstance(operand, gast.Name)
                if named and not self.has_shape_of(operand.id, op.target):
                    v = self.helper('unbroadcast', v, operand)
                found.append((operand, v))
        return found

    def has_shape_of(self, operand, value):
        """Whether an operand surely has the shape of the value of its operation."""
        return self.plain(value) or value in self.axes and None not in self.axes[value] \
            and self.axes.get(operand) == self.axes[value]

    def varied_or_made(self, e):
        return any(n in self.varied or n in self.made for n in tree_names(e))

    # The whole

    def cells(self):
        """Statements at the start of the forward pass that take hold of the cells of captured variables."""
        self.s = tree.place(gast.Pass(), tree.Origin('tape'))
        stmts = []
        for name in self.celled:
            function = gast.Lambda(args=gast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[],
                                                       kwarg=None, defaults=[]), body=tree.load(name))
            stmts.append(tree.assign(self.cell[name], self.helper('cell_of', function), frames.FRAME))
            if name not in self.source.closure and name in self.params:
                note, _ = self.enter([tree.assign(self.b(name), self.method('take_cell', tree.load(self.cell[name])), None)])
                stmts.append(note)
        return stmts

    def passes(self, body, returned, cut):
        """(the name of the tape, the body of the forward pass, that of the adjoint).

        cut : it may be left in the middle and gone back through
        """
        if cut or self.overtaken or frames.is_cut(body, self.notes):
            back = frames.gone_through(self.notes.values(), tree.load(self.log), self.names, self.library)
            tape = self.log
        else:
            reader = frames.Reader(self.notes, self.params, self.rebound)
            made = frames.Frames(body, reader, self.names, self.library, self.log)
            tape, body, back = made.stack, made.forward(), made.backward()
        start = gast.Assign(targets=[tree.store(b) for b in self.gradients.values()], value=tree.constant(None),
                            type_comment=None)
        value = returned[0] if len(returned) == 1 else gast.Tuple(elts=returned, ctx=gast.Load())
        ending = [tree.place(gast.Return(value=value), tree.Origin('return'))] if returned else []
        return tape, body, [*([tree.place(start, tree.Origin('zero'))] if self.gradients else []), *back, *ending]


def is_basic(index):
    """Whether an index surely selects by integers and slices, so that what is taken of an array is a view."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    return all(isinstance(p, (gast.Slice, gast.Constant)) for p in parts)
