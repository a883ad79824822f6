"""Forward mode: beside every statement of the user's that a derivative flows through stands the same for the tangents.

    y = x * np.sin(x)            t = np.sin(x); dt = dx * np.cos(x)
                          ->     y = x * t; dy = dx * t + x * dt

Tangents mirror values: the tangent of a list is a list of tangents, and where two names hold one array, so do the names
of their tangents. Control flow is the user's own. There is no tape, and a tangent lives as long as its value.
"""
from __future__ import annotations

import gast

from tangent import errors
from tangent.analysis.shapes import NUMBER
from tangent.forward.calls import Calls, root
from tangent.forward.loops import Loops
from tangent.forward.terms import RESULT, Covers, is_shared, one_sum, product_update
from tangent.frontend import subset, tree

TANGENT = 'tangent'
METHODS = frozenset(['bound_method', 'method_above'])           # their tangents are those of the objects
IN_PLACE = (gast.Add, gast.Sub)
ZEROS = {int: 0, float: 0.0, complex: 0j}       # the tangents of literals, exact where these are


def tangent_of(s):
    place = tree.origin(s)
    return tree.Origin(TANGENT, place.line if place else 0)


class Forward(Calls, Loops):
    """Generates the statements of one function with their tangents.

    Parameters
    ----------
    facts : forward_derive.Facts
        The split function and what is known of it.
    twin : callable
        (callee, names of its active parameters, statement) -> Twin
    finish : callable
        (value, tangent) -> the tree that is returned
    """

    def __init__(self, facts, twin, finish):
        self.facts, self.twin, self.finish = facts, twin, finish
        self.names, self.ops, self.active, self.library = facts.names, facts.ops, facts.active, facts.library
        self.temps = set(facts.temps)
        self.of = {}                     # name -> name of its tangent
        self.thin = set()                # names whose tangent may be smaller: it has yet to be broadcast as the value was
        self.attempts = 0                # try statements around
        self.count = None                # name of the number of directions, where there are several
        self.typed = False               # whether a zero has to be of the type of what is added to it
        self.holders = {}                # name of a tangent -> names of tangents whose memory it may share
        self.parameters = set(tree.names(facts.source.tree.args, gast.Param))
        self.out = []

    # Names and trees

    def tangent(self, name):
        """The name of the tangent of a name."""
        if name not in self.of:
            self.of[name] = new = self.names.fresh('d' + name)
            if name in self.temps:
                self.temps.add(new)
        return self.of[name]

    def call(self, helper, *args):
        return gast.Call(func=tree.load(self.library(helper)), args=list(args), keywords=[])

    def is_active(self, atom):
        return isinstance(atom, gast.Name) and atom.id in self.active

    def d(self, expr):
        """The tangent of an atom, a display of atoms, or a place such as `x.a[i]`."""
        if self.is_active(expr) and expr.id in self.thin and isinstance(expr.ctx, gast.Load):
            return self.call('broadcast_like', tree.load(self.tangent(expr.id)), expr)
        return self.bare(expr)

    def bare(self, expr):
        """The same as it is, which may be smaller than the value."""
        if self.is_active(expr):
            return tree.replace(expr, id=self.tangent(expr.id))
        if isinstance(expr, (gast.Tuple, gast.List)):
            return tree.replace(expr, elts=[self.d(e) for e in expr.elts])
        if isinstance(expr, gast.Starred):
            return tree.replace(expr, value=self.d(expr.value))
        if isinstance(expr, (gast.Subscript, gast.Attribute)) and self.is_active(root(expr)):
            return tree.replace(expr, value=self.d(expr.value))
        if isinstance(expr, gast.Constant):
            return tree.constant(ZEROS.get(type(expr.value)))
        return self.zeros(expr, self.facts.is_number(expr))

    # Statements

    def block(self, stmts):
        outer, self.out = self.out, []
        for s in stmts:
            self.statement(s)
        done, self.out = self.out, outer
        return done

    def statement(self, s):
        op = self.ops.get(s)
        if op is not None:
            getattr(self, 'on_' + op.kind)(s, op)
        elif any(tree.blocks(s)):
            self.compound(s)
        else:
            self.out.append(s)
            if isinstance(s, gast.Assign):
                self.start(tree.names(s.targets[0], gast.Store), s)

    def compound(self, s):
        self.attempts += isinstance(s, gast.Try)
        fields = {field: self.block(block) for field, block in tree.blocks(s)}
        self.attempts -= isinstance(s, gast.Try)
        if isinstance(s, (gast.For, gast.With)):
            outer, self.out = self.out, []
            bound = [s.target] if isinstance(s, gast.For) else [i.optional_vars for i in s.items if i.optional_vars]
            self.start([n for t in bound for n in tree.names(t, gast.Store)], s)
            fields['body'], self.out = self.out + fields['body'], outer
        self.out.append(tree.replace(s, **fields))

    def start(self, names, s):
        """Zero tangents of names that are bound to something without a derivative."""
        for name in names:
            if name in self.active:
                number = isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name)
                self.put(self.tangent(name), self.zero(s.value if number else None, name), s)

    def zero(self, value, name):
        if isinstance(value, gast.Constant) and (not self.typed or type(value.value) not in (int, float)):
            return self.d(value)
        if isinstance(value, gast.List) and not value.elts or isinstance(value, gast.Dict) and not value.keys:
            return value
        return self.zeros(tree.load(name), value is not None and self.facts.is_number(value))

    def put(self, target, value, s):
        self.out.append(tree.assign(target, value, tangent_of(s)))

    def both(self, s, value):
        """The statement, and the same with the tangent of its target and this value."""
        target = s.targets[0]
        if isinstance(target, gast.Name):
            return self.define(s, [], value)
        tangent = tree.place(gast.Assign(targets=[self.d_target(target)], value=value, type_comment=None), tangent_of(s))
        first = not set(tree.names(target, gast.Store)).isdisjoint(tree.names(value, gast.Load))
        self.out += [tangent, s] if first else [s, tangent]
        for name in tree.names(target, gast.Store):
            if name in self.active:
                self.note(name, value)
        return None

    def d_target(self, target):
        if isinstance(target, gast.Name) and target.id not in self.active:
            return tree.store(self.names.fresh('_'))
        if isinstance(target, (gast.Tuple, gast.List)):
            return tree.replace(target, elts=[self.d_target(t) for t in target.elts])
        if isinstance(target, gast.Starred):
            return tree.replace(target, value=self.d_target(target.value))
        return self.d(target)

    def define(self, s, body, value):
        """`y = ...` and `dy = value`, in an order in which each finds what it reads.

        body : statements that come before `dy = value`, which may read the result, as the value may, as RESULT
        """
        y = s.targets[0].id
        self.note(y, value)
        tangent = self.tangent(y)
        mine = [tree.place(t, tangent_of(s)) for t in body] + [tree.assign(tangent, value, tangent_of(s))]
        loads = {n for t in mine for n in tree.names(t, gast.Load)}
        if y not in loads:
            self.out += [s, *(tree.rename(t, {RESULT: y}) for t in mine)]
        elif RESULT in loads:
            held = self.fresh('t')
            last = tree.replace(s, value=tree.load(held))
            self.out += [tree.replace(s, targets=[tree.store(held)]), *(tree.rename(t, {RESULT: held}) for t in mine), last]
        elif self.attempts:              # what raises changes neither
            held = self.fresh('d' + y)
            self.out += [*mine[:-1], tree.replace(mine[-1], targets=[tree.store(held)]), s]
            self.put(tangent, tree.load(held), s)
        else:
            self.out += [*mine, s]

    def note(self, name, value):
        """Remember which tangents the tangent of a name may share memory with."""
        target = self.tangent(name)
        if is_shared(value):
            for n in tree.names(value, gast.Load):
                if n in self.of.values():
                    self.holders.setdefault(target, {target}).add(n)

    def shares(self, expr, parameters):
        """Whether the tangent may share memory with one of the parameters."""
        return not self.held_by(tree.names(expr, gast.Load) if is_shared(expr) else []).isdisjoint(parameters)

    def held_by(self, names):
        """The names, and all tangents whose memory these may share."""
        seen, todo = set(), list(names)
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += self.holders.get(name, ())
        return seen

    def fresh(self, base):
        name = self.names.fresh(base)
        self.temps.add(name)
        return name

    # Operations

    def on_copy(self, s, op):
        if self.is_active(s.value) and s.value.id in self.thin:
            self.thin.add(tree.target(s))
        self.both(s, self.bare(s.value))

    def on_place(self, s, op):
        self.both(s, tree.replace(s.value, value=self.d(op.args)))

    def on_display(self, s, op):
        parts = [self.d(e) for e in op.args]
        field = 'values' if isinstance(s.value, gast.Dict) else 'elts'
        self.both(s, tree.replace(s.value, **{field: parts}))

    def on_merge(self, s, op):
        parts = [self.d(e) for e in op.args]
        if isinstance(s.value, gast.Dict):
            self.both(s, tree.replace(s.value, values=parts))
        else:
            self.both(s, tree.replace(s.value, left=parts[0], right=parts[1]))

    def on_join(self, s, op):
        left, right = map(self.d, op.args)
        self.both(s, tree.replace(s.value, left=left, right=right))

    def on_unpack(self, s, op):
        self.both(s, self.d(op.args[0]))

    def on_rule(self, s, op):
        rule, bound = op.what, op.args
        given = {p: e for p, e in bound.items() if e is not None}
        active = {p for p, e in given.items() if self.flows(e)}
        form = self.library.form(rule)
        if active.isdisjoint(form.chosen(bound) if rule.kind == 'elementwise' else form.differentiable):
            self.out.append(s)
            self.start([tree.target(s)], s)
            return
        tangents = {p: self.tangents(p, given[p], rule) for p in active}
        if rule.name == 'add_grad' and len(active) == 1:
            value, = tangents.values()
            held = self.facts.changes([tree.target(s), *self.primals(value)])
            self.define(s, [], self.call('copy', value) if held else value)
            return
        body, value = self.fill(rule, bound, tree.load(RESULT), tangents, active, s)
        self.define(s, body, self.shaped(rule, given, value, s))

    def flows(self, expr):
        if isinstance(expr, (gast.Tuple, gast.List)):
            return any(map(self.flows, expr.elts))
        return self.is_active(expr)

    def tangents(self, param, expr, rule):
        d = self.bare if rule.kind == 'elementwise' and rule.name != 'float' else self.d
        if param == rule.vararg:
            return [d(e) if self.flows(e) else None for e in expr.elts]
        return d(expr)

    def fill(self, rule, bound, result, tangents, active, s):
        try:
            body, value = self.library.fill_forward(rule, bound, result, tangents, active)
        except errors.ForwardNotImplementedError as error:
            raise errors.ForwardNotImplementedError(subset.locate(s, self.facts.source, str(error))) from None
        return body, one_sum(self.with_zeros(value))

    def shaped(self, rule, given, value, s):
        """The tangent in the shape of the result, in memory of its own where somebody writes into it."""
        y = s.targets[0].id
        if rule.name == 'float':
            return tree.call(self.library('float'), value)
        shapes, result = self.facts.shapes_at(s)
        if rule.kind == 'elementwise':
            primals = {new: f'thin {old}' if old in self.thin else old for old, new in self.of.items()}
            if not Covers(shapes, result, primals)(value, given, rule):
                if not self.facts.changes([y, *self.primals(value)]):
                    self.thin.add(y)
                    return value
                value = self.call('broadcast_like', value, tree.load(RESULT))
        if rule.name in METHODS:
            return value
        if is_shared(value) and rule.kind != 'linear' and result != NUMBER and self.facts.changes([y, *self.primals(value)]):
            return self.call('copy', value)
        return value

    def primals(self, value):
        old = {new: name for name, new in self.of.items()}
        return [old[n] for n in tree.names(value, gast.Load) if n in old]

    # Statements that stay what they are

    def on_store(self, s, op):
        target, value = op.args
        moved = value if isinstance(target, gast.Attribute) and target.attr == 'shape' else self.d(value)
        self.put(self.d(target), moved, s)                    # first: it may be made of what the statement overwrites
        self.out.append(s)

    def on_update(self, s, op):
        """`x op= v`, in place where it is for arrays: other names may hold the array, and its tangent."""
        target, value = op.args
        place = self.d(target)
        dv = self.d(value) if self.flows(value) else None
        if isinstance(s.op, IN_PLACE):
            if dv is not None:
                self.change(place, s.op, dv, s)
            self.out.append(s)
            if dv is None and not self.fits(value, s):
                self.put(place, self.call('broadcast_like', loaded(place), loaded(target)), s)
            return
        known = product_update(s.op, loaded(target), value, dv)
        if dv is not None and self.overlap(place, dv):
            known = None
        if known is not None:
            before, after = known
            for op_, change in before:
                self.change(place, op_, change, s)
            self.out.append(s)
            for op_, change in after:
                self.change(place, op_, change, s)
            return
        self.recompute(s, op, target, place, value)

    def overlap(self, place, dv):
        """Whether the tangent may share memory with the place that is updated."""
        found = [self.held_by({root(e).id} if isinstance(root(e), gast.Name) else set()) for e in (place, dv)]
        return not found[0].isdisjoint(found[1])

    def change(self, place, op, value, s):
        self.out.append(tree.place(gast.AugAssign(target=place, op=op, value=value), tangent_of(s)))

    def fits(self, value, s):
        """Whether adding the passive value surely leaves a thing of the same shape."""
        if isinstance(s.target, gast.Name) and s.target.id in self.facts.sequences:
            return False
        return self.facts.shape_of(value, s) == NUMBER or not isinstance(s.target, gast.Name)

    def recompute(self, s, op, target, place, value):
        """`x **= v` and its like: the new tangent is computed whole, and put into the old one where that is an array."""
        rule = op.what
        new = self.zeros(loaded(target), number=True)
        if rule.kind != 'constant':
            bound = rule.bind([loaded(target), value], {})
            x, v = rule.parameters
            tangents = {x: loaded(place), **({v: self.d(value)} if self.flows(value) else {})}
            result = self.fresh('t')
            operation = gast.BinOp(left=loaded(target), op=s.op, right=value)
            self.out.append(tree.assign(result, operation, tree.origin(s)))
            _, new = self.fill(rule, bound, tree.load(result), tangents, set(tangents), s)
        held = self.fresh('dt')
        self.put(held, new, s)
        self.out.append(s)
        self.put(place, self.call('overwrite', loaded(place), tree.load(held)), s)

    def on_mirror(self, s, op):
        """A call that does to the tangent what it does to the value."""
        owner, which = op.args
        if isinstance(s, gast.Delete):
            places = [t for t in s.targets if not isinstance(t, gast.Name) and self.is_active(root(t))]
            self.out.append(s)
            self.out.append(tree.place(tree.replace(s, targets=[self.d(t) for t in places]), tangent_of(s)))
            return
        call = s.value
        if isinstance(which, tuple):                       # a function that writes into its first argument
            args = [self.d(a) if k == 0 or k in which else a for k, a in enumerate(call.args)]
            again = tree.replace(call, args=args)
        else:
            again = self.mirrored_method(call)
        if isinstance(s, gast.Expr):
            self.out.append(s)
            self.out.append(tree.place(gast.Expr(value=again), tangent_of(s)))
        else:
            self.both(s, again)

    def mirrored_method(self, call):
        method, args = call.func.attr, list(call.args)
        positions = {'insert': [1], 'pop': [1], 'get': [1], 'setdefault': [1], 'popitem': []}.get(method, range(len(args)))
        args = [self.d(a) if k in positions else a for k, a in enumerate(args)]
        keywords = [tree.replace(k, value=self.d(k.value)) for k in call.keywords]
        return tree.replace(call, func=self.d(call.func), args=args, keywords=keywords)

    def on_reorder(self, s, op):
        """`xs.sort()` and `xs.remove(v)`: where an element goes is told by its value."""
        call = s.value
        owner, helper = call.func.value, self.library(f'{call.func.attr}_both')
        again = tree.replace(call, func=tree.load(helper), args=[owner, self.d(owner), *call.args])
        self.out.append(tree.replace(s, value=again))

    def on_yield(self, s, op):
        pair = gast.Tuple(elts=[op.args, self.d(op.args)], ctx=gast.Load())
        self.out.append(tree.replace(s, value=tree.replace(s.value, value=pair)))

    def on_return(self, s, op):
        if self.facts.generates:
            if not isinstance(s.value, gast.Constant):
                raise subset.unsupported(s, self.facts.source, 'generators that return a value', 'yield it')
            self.out.append(tree.replace(s, value=None))
            return
        value = s.value
        self.out.append(tree.place(gast.Return(value=self.finish(self, value, self.d(value), op.what)), tree.Origin('return')))


def loaded(place):
    return tree.replace(place, ctx=gast.Load())
