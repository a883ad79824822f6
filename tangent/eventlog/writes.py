"""Bindings and writes in the log form."""
import gast

from tangent.analysis.kinds import special
from tangent.analysis.kinds.values import FLOAT
from tangent.eventlog.entries import NUMERIC, tree_names
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime.functions import operators
from tangent.templates.language import registry

SIGNS = {op: operators.SIGNS[name] for op, name in special.ARITHMETIC.items()}


class Writes:
    """The part of `Steps` that binds names and writes into things."""

    def assign_name(self, name, expr):
        if not self.flows(expr):
            self.put(name, self.purged(expr))
            self.out += self.reset([name])
            return
        if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr in ('values', 'items') \
                and not expr.args and name not in self.temps:
            raise subset.unsupported(expr, self.source, 'views of dicts with a derivative under a name',
                                    'make a list of it: list(d.values())')
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
        if atom.id == name or self.tabled(name) or self.tabled(atom.id) and name not in self.cell:
            return
        if name in self.cell:
            g = self.names.fresh('b' + name)
            adjoint = [tree.assign(g, self.method('take_cell', tree.load(self.cell[name])), None)]
        else:
            g, adjoint = self.b(name), []
        if atom.id in self.cell:
            adjoint += self.give(atom, tree.load(g))
        else:
            b = self.b(atom.id)
            adjoint.append(tree.assign(b, self.helper('add_parts', tree.load(b), tree.load(g)), None))
        if name not in self.cell:
            adjoint.append(tree.assign(g, tree.constant(None), None))
        note, _ = self.enter(adjoint)
        self.emit(note)

    def reset(self, names):
        """Log entries for names that are bound to something without a derivative."""
        found = []
        for name in names:
            if name not in self.varied or self.once(name) or self.tabled(name):
                continue
            if name in self.cell:
                value = gast.Expr(value=self.method('take_cell', tree.load(self.cell[name])))
                adjoint = [tree.place(value, None)]
            else:
                adjoint = [tree.assign(self.b(name), tree.constant(None), None)]
            found.append(self.enter(adjoint)[0])
        return found

    def stored(self, expr, read=False):
        """The atom for a value that is stored: the operations that make it belong to the same step, but for displays.

        read : whether the adjoint reads it, as that of `x *= v` does
        """
        atom = self.value(expr) if read else self.thing(expr)
        op = next((op for op in self.pending if op.target == getattr(atom, 'id', None)), None)
        rest = [o for o in self.pending if o.target != getattr(atom, 'id', None)]
        used = {n for o in self.pending for n in tree_names(o.value)}
        if op is not None and (op.kind == 'rule' and op.data[0].kind not in NUMERIC or op.kind in ('display', 'item', 'sum')
                               and self.may_contain(op)):
            self.flush(atom)
        self.flush(*[tree.load(o.target) for o in rest if o.target not in used])
        return atom

    def done(self, target, value):
        return tree.place(gast.Assign(targets=[target], value=value, type_comment=None), tree.origin(self.s))

    def assign_item(self, target, expr):
        if not self.flows(target.value):
            if self.flows(expr):
                raise subset.unsupported(target, self.source, 'assignments into something that is not known to have a '
                                        'derivative', 'make it in the same function, or pass it as an argument')
            self.put(tree.replace(target, slice=self.purged(target.slice), value=self.purged(target.value)), self.purged(expr))
            return
        if self.classes.define('setitem'):
            self.dispatched('setitem', target.value, tree.as_value(self.index(target.slice), self.library), expr)
            return
        expr = self.first(expr, target)
        owner, index = self.place(target)
        value = self.stored(expr)
        old = self.temporary('old')
        then = [tree.assign(old, self.helper('before', owner, tree.as_value(index, self.library)), tree.origin(self.s)),
                self.done(tree.replace(target, value=owner, slice=index), value)]
        self.step(self.method('undo_item', owner, tree.as_value(index, self.library), tree.load(old), value), value, then=then)

    def first(self, expr, target):
        """The value that is assigned, under a name where a call in it may change which element or attribute is meant."""
        parts = [target.value, target.slice] if isinstance(target, gast.Subscript) else [target.value]
        nodes = [n for part in parts for n in tree.walk(part)]
        doubtful = any(isinstance(n, (gast.Attribute, gast.Subscript, gast.Call)) or isinstance(n, gast.Name)
                       and n.id in self.rebound for n in nodes)
        return self.held(expr, 't') if doubtful and self.runs_code(expr) else expr

    def runs_code(self, expr):
        """Whether an expression has calls of something that has no rule."""
        calls, writing = [n for n in tree.walk(expr) if isinstance(n, gast.Call)], self.aliases.effects.writing(self.resolver)
        return any((found := self.resolver(n.func)) is UNKNOWN and not tree.is_pure_method(n.func, None, (), writing)
                   or found is not UNKNOWN and registry.lookup(found) is None for n in calls)

    def place(self, target):
        """(owner, index) of an element that is written; atoms."""
        owner = self.value(target.value)
        self.flush(owner)
        index = self.index(target.slice)
        self.flush_all()
        return owner, index

    def dispatched(self, name, *args):
        """A write that may run Python code of a class: a call, which is looked at when running."""
        function = gast.Attribute(value=tree.load(self.library('operator')), attr=name, ctx=gast.Load()) \
            if name != 'setattr' else tree.load(self.library(name))
        self.call(gast.Call(func=function, args=list(args), keywords=[]), None)

    def assign_attribute(self, target, expr):
        if (target.attr in self.classes.computed or self.classes.define('setattr')) and self.flows(target.value):
            self.dispatched('setattr', target.value, tree.constant(target.attr), expr)
            return
        if not self.flows(target.value):
            self.put(tree.replace(target, value=self.purged(target.value)), self.purged(expr))
            return
        expr = self.first(expr, target)
        owner = self.value(target.value)
        self.flush(owner)
        value = self.stored(expr)
        old = self.temporary('old')
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
        g, b = self.names.fresh('b' + name), self.left_with(name)
        behind = [] if self.elsewhere(name) else [tree.assign(self.b(name), tree.constant(None), None)]
        if self.plain(name):
            g, adjoint = b.id, []
        else:
            adjoint, behind = [tree.assign(g, self.method('take_from', tree.load(name), b, owner), None), *behind], []
        given = [owner, index, tree.load(name), tree.load(g)]
        if owner.id in self.cell:
            adjoint += self.give(owner, self.method('give_item', *given))
        elif self.tabled(owner.id):
            adjoint.append(tree.place(gast.Expr(value=self.method('give_item', *given)), None))
        else:
            adjoint.append(tree.assign(self.b(owner.id), self.method('give_item', *given, tree.load(self.b(owner.id))), None))
        note, _ = self.enter(adjoint + behind)
        self.emit(note)

    def AugAssign(self, s):
        target = s.target
        if not self.flows(s.value) and not self.flows(tree.as_read(target)):
            self.passive(s)
        elif isinstance(target, gast.Name) and target.id in self.rebound and self.runs_code(s.value):
            name = self.fresh()
            self.assign_name(name, tree.load(target.id))
            self.update(name, s.op, s.value)
            self.assign(target, tree.load(name))
        elif isinstance(target, gast.Name) and self.plain(target.id):
            value = gast.BinOp(left=tree.load(target.id), op=s.op, right=s.value)
            self.kinds[value] = FLOAT
            self.assign_name(target.id, value)
        elif isinstance(target, gast.Name):
            self.update(target.id, s.op, s.value)
        elif isinstance(target, gast.Subscript) and not self.classes.define('getitem', 'setitem') \
                and not self.touches(s.value, target):
            self.update_item(target, s.op, s.value)
        else:
            owner = self.held(target.value, 't')
            place = tree.replace(target, value=owner)
            if isinstance(target, gast.Subscript):
                place = tree.replace(place, slice=self.index(target.slice, hold=True))
            name = self.fresh()
            self.assign_name(name, tree.as_read(place))
            self.update(name, s.op, s.value)
            self.assign(place, tree.load(name))

    def touches(self, expr, target):
        """Whether a call in an expression may write into what the target is an element of: that is read before the call."""
        calls = [n for n in tree.walk(expr) if isinstance(n, gast.Call) and self.acts(n)]
        owner = set().union(*(self.aliases.family(n) for n in self.aliases.handed_on(target)))
        if not owner.isdisjoint(self.captured) and self.runs_code(expr):         # of a function inside that has captured it
            return True
        return any(not owner.isdisjoint(self.aliases.handed_on(e)) for n in calls for e in tree.parts_of(n))

    def update(self, name, op, expr):
        value = self.stored(expr, read=True)
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
        pair = tree.targets(new, g)
        undone = self.method('undo_update', sign, tree.load(name), tree.load(old), tree.load(kept), value, b)
        adjoint = [tree.assign(pair, undone, None)]
        if cell:
            adjoint.append(tree.place(gast.Expr(value=self.method('give_part', tree.load(cell), tree.constant('value'),
                                                                  tree.load(old), tree.load(new))), None))
        self.step(tree.load(g), value, before=adjoint, then=then)

    def update_item(self, target, op, expr):
        """`x[i] += v`: only what is overwritten is kept."""
        owner, index = self.place(target)
        value = self.stored(expr, read=True)
        place = tree.replace(target, value=owner, slice=index)
        index, old = tree.as_value(index, self.library), self.names.fresh('old')
        self.temps.add(old)
        then = [tree.assign(old, self.helper('before_update', owner, index), tree.origin(self.s)),
                tree.place(gast.AugAssign(target=place, op=op, value=value), tree.origin(self.s))]
        undone = self.method('undo_item_update', tree.constant(SIGNS[type(op)]), owner, index, tree.load(old), value)
        self.step(undone, value, then=then)
