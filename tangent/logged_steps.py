"""Steps of the log form: one statement of the user's as operations, its entry in the log, and its adjoint."""
from __future__ import annotations

import collections
import dataclasses

import gast

from tangent import fence, tree
from tangent.frames import exposed, merged
from tangent.logged_reads import Reads
from tangent.resolve import UNKNOWN

SIGNS = {gast.Add: '+', gast.Sub: '-', gast.Mult: '*', gast.Div: '/', gast.FloorDiv: '//', gast.Mod: '%', gast.Pow: '**',
         gast.MatMult: '@', gast.BitAnd: '&', gast.BitOr: '|', gast.BitXor: '^', gast.LShift: '<<', gast.RShift: '>>'}
NUMERIC = ('elementwise', 'bilinear', 'reduction')          # kinds of rules whose results are numbers and arrays


@dataclasses.dataclass
class Entry:
    """What one kind of entry in the log holds, and what the backward pass does with it."""
    number: int
    saved: list
    adjoint: list
    origin: object


class Steps(Reads):
    """Writes statements into `out`, and an Entry for each that the backward pass has to see."""

    def __init__(self):
        self.out, self.entries, self.pending = [], [], []
        self.gradients, self.temps, self.outer = {}, set(), set()
        self.s, self.generator = None, False
        self.depth, self.several = 0, set()      # of loops around the statement at hand; names bound in two places by us
        self.stores = collections.Counter(n for s in self.function.body for n in tree.names(s, gast.Store))
        self.celled = sorted((self.activity.captured | set(self.source.closure)) & self.varied)
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

    def b(self, name):
        """The variable that holds the gradient of a name."""
        if name not in self.gradients:
            self.gradients[name] = self.names.fresh('b' + name)
        return self.gradients[name]

    def method(self, name, *args):
        """A call of a method of the table of gradients."""
        owner = gast.Attribute(value=tree.load(self.grads), attr=name, ctx=gast.Load())
        return gast.Call(func=owner, args=list(args), keywords=[])

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
        k = len(self.entries) + 1
        read = exposed(adjoint)
        known = self.local | self.temps | set(self.cell.values())
        saved = [n for n in dict.fromkeys([*always, *sorted(read)]) if n in known and n in read]
        self.entries.append(Entry(k, saved, adjoint, tree.origin(self.s)))
        values = gast.Tuple(elts=[tree.load(n) for n in saved], ctx=gast.Load()) if len(saved) > 1 else \
            tree.load(saved[0]) if saved else tree.constant(None)
        note = gast.Tuple(elts=[tree.constant(k), values], ctx=gast.Load())
        append = gast.Call(func=gast.Attribute(value=tree.load(self.log), attr='append', ctx=gast.Load()), args=[note],
                           keywords=[])
        return tree.place(gast.Expr(value=append), tree.Origin('tape')), saved

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
        name = self.named_gradient(gradient, root, ops[-1].target, adjoint)
        inner = self.adjoints(ops, name)
        if inner:
            test = gast.Compare(left=tree.load(name), ops=[gast.IsNot()], comparators=[tree.constant(None)])
            adjoint.append(tree.place(gast.If(test=test, body=inner, orelse=[]), None))
        note, saved = self.enter(adjoint)
        for target, value in folded(ops, saved, root or ops[-1].target):
            self.put(target, value)
        for stmt in [*then, note]:
            self.emit(stmt)

    def named_gradient(self, gradient, root, target, adjoint):
        """The name of the gradient that a step starts from; what is left for the next round of a loop is nothing."""
        if isinstance(gradient, gast.Name):
            return gradient.id
        if root is not None and self.once(root):
            name = self.b(root)
            if not (isinstance(gradient, gast.Name) and gradient.id == name):
                adjoint.append(tree.assign(name, gradient, None))
            return name
        name = self.names.fresh('b' + target)
        adjoint.append(tree.assign(name, gradient, None))
        if root is not None and root not in self.cell:
            adjoint.append(tree.assign(self.b(root), tree.constant(None), None))
        return name

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
        b = self.method('take_cell', tree.load(self.cell[name])) if name in self.cell else tree.load(self.b(name))
        value = tree.load(name)
        if op.kind == 'display':
            return self.method('take_whole', value, b)
        if op.kind == 'sum' or op.kind == 'rule' and op.data[0].kind not in NUMERIC:
            return self.method('take_full', value, b)
        if op.kind == 'item':
            return self.method('take_slice' if isinstance(op.data[1], gast.Slice) else 'take_from', value, b, op.data[0])
        if op.kind == 'attribute':
            return self.method('take_from', value, b)
        return self.method('take', value, b)

    def give(self, atom, term):
        """Adjoint statements that add a term to the gradient of an atom."""
        if not isinstance(atom, gast.Name) or atom.id not in self.varied:
            return []
        if atom.id in self.cell:
            part = self.method('give_part', tree.load(self.cell[atom.id]), tree.constant('value'), atom, term)
            return [tree.place(gast.Expr(value=part), None)]
        b = self.b(atom.id)
        return [tree.assign(b, self.method('give', atom, term, tree.load(b)), None)]

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
                    if op.kind == 'item' and maker.kind == 'item' and isinstance(maker.data[1], gast.Slice):
                        term = self.method('take_slice', atom, term, maker.data[0])
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
            key = tree.constant(key) if op.kind == 'attribute' else self.as_value(key)
            kind = 'give_item' if op.kind == 'item' else 'give_attribute'
            if owner.id in self.varied and owner.id not in self.cell:
                b = self.b(owner.id)
                out.append(tree.assign(b, self.method(kind, owner, key, target, g, tree.load(b)), None))
                return []
            if owner.id in self.cell:
                return [(owner, self.method(kind, owner, key, target, g))]
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
        body, terms = self.library.fill(rule, bound, target, g, active)
        out += [tree.place(s, None) for s in body]
        found = []
        for p, value in merged(terms, bound).items():
            operands = bound[p].elts if isinstance(value, list) else [bound[p]]
            for operand, v in zip(operands, value if isinstance(value, list) else [value]):
                if rule.kind == 'elementwise' and isinstance(operand, gast.Name):
                    v = self.helper('unbroadcast', v, operand)
                found.append((operand, v))
        return found

    def varied_or_made(self, e):
        return any(n in self.varied or n in self.made for n in tree_names(e))

    # Calls of functions that are dispatched when running

    def call(self, expr, target):
        """`target = expr` for a call whose callee and its effects are found out when running."""
        func, atoms, flags, args, keywords = self.called(expr)
        self.flush_all()
        k = len(self.entries) + 1
        record, g = self.names.fresh('record'), None
        adjoint = []
        if target is not None:
            g = self.names.fresh('b' + target)
            b = self.b(target) if target not in self.cell else None
            old = tree.load(b) if b else self.method('take_cell', tree.load(self.cell[target]))
            pair = gast.Tuple(elts=[tree.store(g), tree.store(b or '_')], ctx=gast.Store())
            adjoint.append(tree.assign(pair, gast.Call(func=attribute(record, 'take'), args=[tree.load(self.grads), old],
                                                       keywords=[]), None))
        back = gast.Call(func=attribute(record, 'back'), args=[tree.load(self.grads)] + ([tree.load(g)] if g else []),
                         keywords=[])
        parts = [self.names.fresh('b' + a.id) for a in atoms]
        if parts:
            left = gast.Tuple(elts=[tree.store(p) for p in parts], ctx=gast.Store())
            adjoint.append(tree.assign(left, back, None))
            for a, p in zip(atoms, parts):
                adjoint += self.give(a, tree.load(p))
        else:
            adjoint.append(tree.place(gast.Expr(value=back), None))
        own = [n for n in sorted(exposed(adjoint)) if n in self.local | self.temps | set(self.cell.values())]
        self.entries.append(Entry(k, [record] + own, adjoint, tree.origin(self.s)))
        saved = gast.Tuple(elts=[tree.load(n) for n in own], ctx=gast.Load())
        value = gast.Call(func=tree.load(self.library('call')), args=[
            tree.load(self.log), gast.Tuple(elts=[tree.constant(k), *saved.elts], ctx=gast.Load()),
            gast.Tuple(elts=[tree.constant(f) for f in flags], ctx=gast.Load()), func, *args], keywords=keywords)
        if target is None:
            self.emit(tree.place(gast.Expr(value=value), tree.origin(self.s)))
        else:
            self.put(target, value)

    def called(self, expr):
        """(callee, atoms with a derivative, their flags, arguments, keywords) of a call, everything evaluated."""
        atoms, flags = [], []

        def note(atom, flag):
            if isinstance(atom, gast.Name) and self.varied_or_made(atom):
                atoms.append(atom)
                flags.append(flag)
            return atom

        func = expr.func
        if isinstance(func, gast.Attribute) and isinstance(func.value, gast.Call) and tree.dotted(func.value.func) == 'super':
            note(func.value.args[-1], 'self')
        elif isinstance(func, gast.Attribute) and self.resolver(func) is UNKNOWN and self.flows(func.value):
            owner = self.value(func.value)
            self.flush(owner)
            func = tree.replace(func, value=note(owner, 'self'))
        elif self.flows(func):
            func = self.value(func)
            self.flush(func)
            note(func, 'self')
        args = []
        for n, a in enumerate(expr.args):
            starred = isinstance(a, gast.Starred)
            atom = self.value(a.value if starred else a)
            note(atom, f'*{n}' if starred else n)
            args.append(tree.replace(a, value=atom) if starred else atom)
        keywords = []
        for kw in expr.keywords:
            atom = self.value(kw.value)
            note(atom, kw.arg or '**')
            keywords.append(tree.replace(kw, value=atom))
        return func, atoms, flags, args, keywords

    # Bindings

    def assign_name(self, name, expr):
        if not self.flows(expr):
            self.put(name, self.purged(expr))
            self.out += self.reset([name])
            return
        if self.is_call(expr):
            self.call(expr, name)
            return
        atom = self.value(expr)
        if not any(op.target == getattr(atom, 'id', None) for op in self.pending):
            self.copy(name, atom)
            return
        op = self.root_of(atom.id)
        free = name not in {n for o in self.pending for n in tree_names(o.value)}
        if free and name not in self.cell:
            self.step_named(name, op, atom)
            return
        self.flush(atom)
        self.copy(name, atom)

    def step_named(self, name, op, atom):
        old = op.target
        op.target = name
        self.made.add(name)
        self.step(self.taken(name, op), tree.load(name), root=name)
        self.made.discard(name)
        self.made.discard(old)

    def copy(self, name, atom):
        """`name = atom`: a number's gradient moves over; a thing's stays with the thing."""
        self.put(name, atom)
        if not isinstance(atom, gast.Name) or atom.id not in self.varied:
            self.out += self.reset([name])
            return
        g = self.names.fresh('b' + name)
        if name in self.cell:
            adjoint = [tree.assign(g, self.method('take_cell', tree.load(self.cell[name])), None)]
        else:
            adjoint = [tree.assign(g, tree.load(self.b(name)), None), tree.assign(self.b(name), tree.constant(None), None)]
        if atom.id in self.cell:
            adjoint += self.give(atom, tree.load(g))
        else:
            b = self.b(atom.id)
            adjoint.append(tree.assign(b, self.helper('add_parts', tree.load(b), tree.load(g)), None))
        note, _ = self.enter(adjoint)
        self.emit(note)

    def reset(self, names):
        """Log entries for names that are bound to something without a derivative."""
        found = []
        for name in names:
            if name not in self.varied or self.once(name):
                continue
            if name in self.cell:
                value = gast.Expr(value=self.method('take_cell', tree.load(self.cell[name])))
                adjoint = [tree.place(value, None)]
            else:
                adjoint = [tree.assign(self.b(name), tree.constant(None), None)]
            found.append(self.enter(adjoint)[0])
        return found

    def store_value(self, expr):
        """The atom for a value that is stored, operations still pending."""
        return self.value(expr) if self.flows(expr) else self.passive_atom(expr)

    def stored(self, expr):
        """The atom for a value that is stored: the operations that make it belong to the same step, but for displays."""
        atom = self.store_value(expr)
        op = next((op for op in self.pending if op.target == getattr(atom, 'id', None)), None)
        rest = [o for o in self.pending if o.target != getattr(atom, 'id', None)]
        used = {n for o in self.pending for n in tree_names(o.value)}
        if op is not None and (op.kind == 'display' or op.kind == 'rule' and op.data[0].kind not in NUMERIC):
            self.flush(atom)
        self.flush(*[tree.load(o.target) for o in rest if o.target not in used])
        return atom

    def done(self, target, value):
        return tree.place(gast.Assign(targets=[target], value=value, type_comment=None), tree.origin(self.s))

    def assign_item(self, target, expr):
        if not self.flows(target.value):
            if self.flows(expr):
                raise fence.unsupported(target, self.source, 'assignments into something that is not known to have a '
                                        'derivative', 'make it in the same function, or pass it as an argument')
            self.put(tree.replace(target, slice=self.purged(target.slice), value=self.purged(target.value)), self.purged(expr))
            return
        owner, index = self.place(target)
        value = self.stored(expr)
        old = self.names.fresh('old')
        self.temps.add(old)
        then = [tree.assign(old, self.helper('before', owner, self.as_value(index)), tree.origin(self.s)),
                self.done(tree.replace(target, value=owner, slice=index), value)]
        self.step(self.method('undo_item', owner, self.as_value(index), tree.load(old), value), value, then=then)

    def place(self, target):
        """(owner, index) of an element that is written; atoms."""
        owner = self.value(target.value)
        self.flush(owner)
        index = self.index(target.slice)
        self.flush_all()
        return owner, index

    def assign_attribute(self, target, expr):
        if not self.flows(target.value):
            self.put(tree.replace(target, value=self.purged(target.value)), self.purged(expr))
            return
        owner = self.value(target.value)
        self.flush(owner)
        value = self.stored(expr)
        old = self.names.fresh('old')
        self.temps.add(old)
        then = [tree.assign(old, self.helper('before_attribute', owner, tree.constant(target.attr)), tree.origin(self.s)),
                self.done(tree.replace(target, value=owner), value)]
        self.step(self.method('undo_attribute', owner, tree.constant(target.attr), tree.load(old), value), value, then=then)

    def unpack(self, target, expr):
        atom = self.held(expr, 't') if self.flows(expr) else None
        if atom is None:
            self.emit(tree.place(gast.Assign(targets=[target], value=self.purged(expr), type_comment=None),
                                 tree.origin(self.s)))
            self.out += self.reset(tree.names(target, gast.Store))
            return
        parts, later = [], []
        for e in target.elts:
            if isinstance(e, gast.Name):
                parts.append(e.id)
                continue
            parts.append(self.fresh())
            later.append((e, parts[-1]))
        self.emit(tree.place(gast.Assign(targets=[tree.replace(target, elts=[tree.store(p) for p in parts])], value=atom,
                                         type_comment=None), tree.origin(self.s)))
        for k, p in enumerate(parts):
            self.item_step(atom, tree.constant(k), p)
        for e, p in later:
            self.assign(e, tree.load(p))

    def item_step(self, owner, index, name):
        """Log `name = owner[index]` for an element that the program got without saying so."""
        g = self.names.fresh('b' + name)
        if name in self.cell:
            b = self.method('take_cell', tree.load(self.cell[name]))
        else:
            b = tree.load(self.b(name))
        adjoint = [tree.assign(g, self.method('take_from', tree.load(name), b, owner), None)]
        if name not in self.cell:
            adjoint.append(tree.assign(self.b(name), tree.constant(None), None))
        given = [owner, index, tree.load(name), tree.load(g)]
        if owner.id in self.cell:
            adjoint += self.give(owner, self.method('give_item', *given))
        else:
            adjoint.append(tree.assign(self.b(owner.id), self.method('give_item', *given, tree.load(self.b(owner.id))), None))
        note, _ = self.enter(adjoint)
        self.emit(note)

    def AugAssign(self, s):
        target = s.target
        if not self.flows(s.value) and not self.flows(as_read(target)):
            self.passive(s)
        elif isinstance(target, gast.Name):
            self.update(target.id, s.op, s.value)
        elif isinstance(target, gast.Subscript) and not self.classes.define('getitem', 'setitem'):
            self.update_item(target, s.op, s.value)
        else:
            owner = self.held(target.value, 't')
            place = tree.replace(target, value=owner)
            if isinstance(target, gast.Subscript):
                place = tree.replace(place, slice=self.index(target.slice, hold=True))
            name = self.fresh()
            self.assign_name(name, as_read(place))
            self.update(name, s.op, s.value)
            self.assign(place, tree.load(name))

    def update(self, name, op, expr):
        value = self.stored(expr)
        if isinstance(value, gast.Name) and value.id == name:            # `w *= w`: of a number there will be two
            value = tree.load(self.fresh())
            self.assign_name(value.id, tree.load(name))
        elif any(name in tree_names(o.value) for o in self.pending):     # what reads the name reads it as it was
            self.flush(value)
        old, kept, sign = self.names.fresh('old'), self.names.fresh('kept'), tree.constant(SIGNS[type(op)])
        self.temps |= {old, kept}
        then = [tree.assign(old, tree.load(name), tree.origin(self.s)),
                tree.assign(kept, self.helper('kept', tree.load(name)), tree.origin(self.s)),
                tree.place(gast.AugAssign(target=tree.store(name), op=op, value=value), tree.origin(self.s))]
        cell = self.cell.get(name)
        b = self.method('take_cell', tree.load(cell)) if cell else tree.load(self.b(name))
        new, g = (self.names.fresh('bt') if cell else self.b(name)), self.names.fresh('bt')
        pair = gast.Tuple(elts=[tree.store(new), tree.store(g)], ctx=gast.Store())
        undone = self.method('undo_update', sign, tree.load(name), tree.load(old), tree.load(kept), value, b)
        adjoint = [tree.assign(pair, undone, None)]
        if cell:
            adjoint.append(tree.place(gast.Expr(value=self.method('give_part', tree.load(cell), tree.constant('value'),
                                                                  tree.load(old), tree.load(new))), None))
        self.step(tree.load(g), value, before=adjoint, then=then)

    def update_item(self, target, op, expr):
        """`x[i] += v`: only what is overwritten is kept."""
        owner, index = self.place(target)
        value = self.stored(expr)
        place = tree.replace(target, value=owner, slice=index)
        index, old = self.as_value(index), self.names.fresh('old')
        self.temps.add(old)
        then = [tree.assign(old, self.helper('before_update', owner, index), tree.origin(self.s)),
                tree.place(gast.AugAssign(target=place, op=op, value=value), tree.origin(self.s))]
        undone = self.method('undo_item_update', tree.constant(SIGNS[type(op)]), owner, index, tree.load(old), value)
        self.step(undone, value, then=then)

    # The whole

    def cells(self):
        """Statements at the start of the forward pass that take hold of the cells of captured variables."""
        self.s = tree.place(gast.Pass(), tree.Origin('tape'))
        stmts = []
        for name in self.celled:
            function = gast.Lambda(args=gast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[],
                                                       kwarg=None, defaults=[]), body=tree.load(name))
            stmts.append(tree.assign(self.cell[name], self.helper('cell_of', function), tree.Origin('tape')))
            if name not in self.source.closure and name in self.params:
                note, _ = self.enter([tree.assign(self.b(name), self.method('take_cell', tree.load(self.cell[name])), None)])
                stmts.append(note)
        return stmts

    def result_of(self, param):
        return tree.load(self.b(param))

    def backward(self, returned):
        """The body of the adjoint."""
        step, saved = self.names.fresh('step'), self.names.fresh('saved')
        chain = []
        for entry in reversed(self.entries):
            test = gast.Compare(left=tree.load(step), ops=[gast.Eq()], comparators=[tree.constant(entry.number)])
            body = self.unpacked(entry, saved) + entry.adjoint
            chain = [tree.place(gast.If(test=test, body=[adjoint_of(s, entry.origin) for s in body], orelse=chain), None)]
        loop = gast.For(target=gast.Tuple(elts=[tree.store(step), tree.store(saved)], ctx=gast.Store()), body=chain, orelse=[],
                        iter=tree.call(self.library('reversed'), tree.load(self.log)), type_comment=None)
        start = gast.Assign(targets=[tree.store(b) for b in self.gradients.values()], value=tree.constant(None),
                            type_comment=None)
        body = [tree.place(start, tree.Origin('zero'))] if self.gradients else []
        if chain:
            body.append(tree.place(loop, tree.Origin('tape')))
        value = returned[0] if len(returned) == 1 else gast.Tuple(elts=returned, ctx=gast.Load())
        return body + [tree.place(gast.Return(value=value), tree.Origin('return'))]

    def unpacked(self, entry, saved):
        if not entry.saved:
            return []
        target = tree.store(entry.saved[0]) if len(entry.saved) == 1 else gast.Tuple(
            elts=[tree.store(n) for n in entry.saved], ctx=gast.Store())
        return [tree.assign(target, tree.load(saved), None)]


def adjoint_of(s, place):
    """The statement with its blocks, said to be the adjoint of the user's line."""
    for _, block in tree.blocks(s):
        for t in block:
            adjoint_of(t, place)
    return tree.place(s, tree.Origin('adjoint', place.line, place.text) if place else None)


def attribute(name, attr):
    return gast.Attribute(value=tree.load(name), attr=attr, ctx=gast.Load())


def as_read(target):
    return tree.replace(target, ctx=gast.Load())


def tree_names(expr):
    return set(tree.names(expr, gast.Load)) if isinstance(expr, gast.AST) else set()


def folded(ops, saved, last):
    """(name, expression) for each operation, those whose value is read once, right there, written where it is read."""
    inside, done = {}, []
    uses = {}
    for op in ops:
        for n in tree.names(op.value, gast.Load):
            uses[n] = uses.get(n, 0) + 1
    for op in ops:
        value = Fold(inside).visit(tree.clone(op.value)) if inside else op.value
        if op.target not in saved and op.target != last and uses.get(op.target) == 1:
            inside[op.target] = value
        else:
            done.append((op.target, value))
    return done


class Fold(gast.NodeTransformer):
    def __init__(self, inside):
        self.inside = inside

    def visit_Name(self, node):
        return self.inside.get(node.id, node) if isinstance(node.ctx, gast.Load) else node
