"""Forward mode: beside every statement of the user's that a derivative flows through stands the same for the tangents.

    y = x * np.sin(x)            t = np.sin(x); dt = dx * np.cos(x)
                          ->     y = x * t; dy = dx * t + x * dt

Tangents mirror values: the tangent of a list is a list of tangents, and where two names hold one array, so do the names
of their tangents. Control flow is the user's own. There is no tape, and a tangent lives as long as its value.

    y = g(x, n)                    y, dy = g_tangent(x, n, dx)                   a function of the user's
    y = f(x, n)           ->       y, dy = pushforward(f, (x, n), (dx, None))    a function known only when running
    p = Point(x, 1.0)              p = Point(x, 1.0); dp = Point(dx, 0.0)        a container

The header of a loop over things with a derivative brings values and tangents:

    for x in xs:                      for x, dx in zip(xs, dxs):
    for i, x in enumerate(xs):        for i, (x, dx) in enumerate(zip(xs, dxs)):
    for x, w in zip(xs, ws):          for x, w, dx in zip(xs, ws, dxs):
    for k, x in d.items():            for (k, x), dx in zip(d.items(), dd.values()):
"""
import types

import gast

from tangent import errors
from tangent.analysis.array_accesses import needs_no_axes, write_of
from tangent.analysis.fences.lazy import iterators
from tangent.analysis.generators import is_generator_call
from tangent.analysis.mutated_arrays import is_fresh_number
from tangent.analysis.shapes import NUMBER
from tangent.forward.integers import MayBeIntegers
from tangent.forward.terms import RESULT, Covers, is_shared, moved_update, one_sum, product_update
from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested, generates
from tangent.frontend.resolve import pushed
from tangent.normal.desugar.keys import is_text
from tangent.normal.ops import Op
from tangent.reverse import calls
from tangent.templates.language import registry

TANGENT = 'tangent'
METHODS = frozenset(['bound_method', 'method_above'])           # their tangents are those of the objects
SAME = ('linear', 'bilinear')              # tangents are made as values are, and are views where these are
IN_PLACE = (gast.Add, gast.Sub)
OF_LISTS = 'x + y', 'x * y'                                     # which lists have, too
BY_OPERATORS = frozenset(f'numpy.{n}' for n in 'add subtract multiply divide true_divide negative positive'.split())
MOVED: dict = {'insert': [1], 'pop': [1], 'get': [1], 'setdefault': [1], 'popitem': [], 'rotate': [],
               'move_to_end': []}                               # arguments with tangents; those by name have none
ZEROS = {int: 0, float: 0.0, complex: 0j}       # the tangents of literals, exact where these are


def tangent_of(s):
    place = tree.origin(s)
    return tree.Origin(TANGENT, place.line, part=place.part) if place else tree.Origin(TANGENT)


class Forward:
    """Generates the statements of one function with their tangents.

    Parameters
    ----------
    facts : forward_derive.Facts
        The split function and what is known of it.
    twin : callable
        (callee, names of its active parameters, statement) -> Twin
    finish : callable
        (value, tangent) -> the tree that is returned
    given : names
        The parameters whose tangents are given.
    """

    def __init__(self, facts, twin, finish, given=()):
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
        imports = [s for s in tree.every(facts.tree.body) if isinstance(s, (gast.Import, gast.ImportFrom))]
        self.imported = {(a.asname or a.name).partition('.')[0] for s in imports for a in s.names}
        self.may_cut = MayBeIntegers(facts, given)
        self.out = []
        self.whole = self.without_axes()

    def without_axes(self):
        """Names of arrays that are written into in ways that need no axes."""
        indices, made = {}, {}
        for s in tree.every(self.facts.tree.body):
            if (write := write_of(s)) is not None:
                indices.setdefault(write.name, []).append(write.index)
            elif tree.target(s):
                made.setdefault(tree.target(s), []).append(s.value)
        return {n for n in indices if needs_no_axes(indices[n], made)}

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
        return isinstance(atom, gast.Name) and atom.id in self.active and atom.id not in self.imported

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
            whole = [e for e in expr.elts if not isinstance(e, gast.Constant) and not self.facts.is_number(e)]
            if len(whole) > 1 and not self.flows(expr) and isinstance(expr.ctx, gast.Load):       # which may be one thing
                return self.zeros(expr)
            return tree.replace(expr, elts=self.elements(expr.elts))
        if isinstance(expr, gast.Starred):
            return tree.replace(expr, value=self.d(expr.value))
        if isinstance(expr, gast.Attribute) and expr.attr == '__class__':
            return tree.constant(None)
        if isinstance(expr, (gast.Subscript, gast.Attribute)) and self.is_active(tree.root(expr)):
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
        self.attempts += isinstance(s, tree.TRIES)
        fields = {field: self.block(block) for field, block in tree.blocks(s)}
        self.attempts -= isinstance(s, tree.TRIES)
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
                if number and isinstance(s.value, gast.Call) and is_generator_call(s.value, self.facts.resolver):
                    self.refuse_next(name)                  # what it is sent later has a derivative
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
        if y in self.whole and isinstance(value, gast.BinOp) and not is_fresh_number(s.value, self.facts.resolver):
            value = tree.method(tree.load(self.library('numpy')), 'asarray', value)
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

    def elements(self, elts):
        """The tangents of the elements of a display; a flag among numbers counts as one: `np.hstack([True, x])`."""
        constants = [e for e in elts if isinstance(e, gast.Constant)]
        flags = all(type(e.value) in (bool, int, float) for e in constants) and any(map(self.is_active, elts))
        return [tree.constant(0.0) if flags and isinstance(getattr(e, 'value', None), bool) else self.d(e) for e in elts]

    def on_display(self, s, op):
        parts = self.elements(op.args) if not isinstance(s.value, gast.Dict) else [self.d(e) for e in op.args]
        field = 'values' if isinstance(s.value, gast.Dict) else 'elts'
        self.both(s, tree.replace(s.value, **{field: parts}))

    def on_merge(self, s, op):
        parts = [self.d(e) for e in op.args]
        if isinstance(s.value, gast.Dict):
            self.both(s, tree.replace(s.value, values=parts))
        else:
            self.both(s, self.call('merge_tangents', *parts))

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
        if not rule.always and active.isdisjoint(form.chosen(bound) if rule.kind == 'elementwise' else form.differentiable):
            self.out.append(s)
            self.start([tree.target(s)], s)
            return
        tangents = {p: self.of_operand(given[p], self.tangents(p, given[p], rule), rule, s) for p in active}
        if rule.name == 'add_grad' and len(active) == 1:
            value, = tangents.values()
            held = self.facts.changes([tree.target(s), *self.primals(value)])
            self.define(s, [], self.call('copy', value) if held else value)
            return
        body, value = self.fill(rule, bound, tree.load(RESULT), tangents, active, s)
        self.define(s, body, self.shaped(rule, given, value, s))

    def of_operand(self, expr, value, rule, s):
        """The tangent of an operand, as an array where that may be a list: `np.add(xs, ys)` is no `xs + ys`."""
        name = getattr(expr, 'id', '')
        bound = [t for t in self.ops if tree.target(t) == name]
        if rule.kind != 'elementwise' or rule.name in OF_LISTS or isinstance(value, list):
            return value
        if not any(isinstance(v, (gast.List, gast.Tuple)) for v in (expr, *(getattr(t, 'value', None) for t in bound))):
            made = [self.ops[t].what if self.ops[t].kind == 'rule' else None for t in bound]
            known = made and all(r is not None and r.shape == 'elementwise' and r.name not in OF_LISTS for r in made) \
                or self.facts.shapes_at(s)[0].get(name) == NUMBER
            if known or rule.name not in BY_OPERATORS or not isinstance(s.value, gast.Call):
                return value
        function = gast.Attribute(value=tree.load(self.library('numpy')), attr='positive', ctx=gast.Load())
        return gast.Call(func=function, args=[value], keywords=[])

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
            raise errors.ForwardNotImplementedError(subset.locate(s, self.facts.source, error.bare)) from None
        return body, one_sum(self.with_zeros(value))

    def shaped(self, rule, given, value, s):
        """The tangent in the shape of the result, in memory of its own where somebody writes into it."""
        y = s.targets[0].id
        if rule.name == 'float':
            return tree.call(self.library('float'), value)
        (shapes, result), names = self.facts.shapes_at(s), [y, *self.primals(value)]
        lent = rule.name not in METHODS and rule.kind not in SAME and result != NUMBER and self.facts.is_lent(names)
        if rule.kind == 'elementwise':
            primals = {new: f'thin {old}' if old in self.thin else old for old, new in self.of.items()}
            covers = Covers(shapes, result, primals)(value, given, rule)
            if not covers and not self.facts.changes(names) and not lent:
                self.thin.add(y)
                return value
            # What arithmetic makes of arrays of rank 0 is a number, which `+=` binds anew: so is the tangent that is lent
            if not covers or lent and is_shared(value):
                value = self.call('broadcast_like', value, tree.load(RESULT))
        return self.call('copy', value) if lent and is_shared(value) else value

    def primals(self, value):
        old = {new: name for name, new in self.of.items()}
        return [old[n] for n in tree.names(value, gast.Load) if n in old]

    # Statements that stay what they are

    def on_store(self, s, op):
        target, value = op.args
        if isinstance(target, gast.Subscript) and self.flows(value):
            self.guard(target.value, s, value)
        if isinstance(target, gast.Attribute) and self.is_made_function(target.value):
            raise subset.unsupported(s, self.facts.source, 'values with a derivative that a function has as its attributes, in '
                                     'forward mode,', 'keep them in an object, and pass it to the function')
        of_array = isinstance(target, gast.Attribute) and target.attr == 'shape' and not self.facts.is_object(target.value)
        moved = value if of_array and not self.flows(value) else self.d(value)
        self.put(self.d(target), moved, s)                    # first: it may be made of what the statement overwrites
        self.out.append(s)

    def is_made_function(self, expr):
        """Whether it names a function that this one has found inside itself, and gives what that has captured."""
        return isinstance(expr, gast.Name) and any(
            op.kind == 'partial' and tree.target(s) == expr.id for s, op in self.ops.items())

    def guard(self, owner, s, value=None):
        """Look at what a value with a derivative is written into, where it may be an array of integers."""
        if value is not None and self.may_cut.is_message(value):
            return
        name = getattr(tree.root(owner), 'id', None)
        if name is not None and (self.may_cut(name) or isinstance(owner, gast.Attribute) and name in self.parameters):
            check = gast.Expr(value=self.call('check_floats', tree.as_read(owner)))
            self.out.append(tree.place(gast.copy_location(check, s), tree.Origin('guard', s.lineno)))

    def guard_given(self, s, given):
        """The same for what a function is given and writes into."""
        written = {n for t, n in self.facts.aliases.writes if t is s}
        for name in dict.fromkeys(a.id for a in given if self.is_active(a) and a.id in written):
            self.guard(tree.load(name), s)

    def on_update(self, s, op):
        """`x op= v`, in place where it is for arrays: other names may hold the array, and its tangent."""
        target, value = op.args
        place = self.d(target)
        dv = self.d(value) if self.flows(value) else None
        if isinstance(target, gast.Subscript) and dv is not None:
            self.guard(target.value, s)
        if isinstance(s.op, IN_PLACE):
            if dv is not None:
                self.change(place, s.op, dv, s)
            self.out.append(s)
            if dv is None and not self.fits(value, s):
                self.put(place, self.call('grown_like', tree.as_read(place), tree.as_read(target)), s)
            return
        known = product_update(s.op, tree.as_read(target), value, dv)
        if known is not None and dv is not None and self.overlap(target, value, s):
            held = self.names.fresh('dt')                 # a name of its own: what is read may not be read later
            first, known = moved_update(s.op, tree.as_read(target), value, dv, tree.load(held))
            self.put(held, first, s)
        if known is not None:
            before, after = known
            for op_, change in before:
                self.change(place, op_, change, s)
            self.out.append(s)
            for op_, change in after:
                self.change(place, op_, change, s)
            return
        self.recompute(s, op, target, place, value)

    def overlap(self, target, value, s):
        """Whether what is updated, or its tangent, may share memory with the value, or with the tangent of that.

        The tangent of `y + 1` is that of y. Those who call a function may give it one array twice.
        """
        if self.facts.shape_of(value, s) == NUMBER or not isinstance(tree.root(value), gast.Name):
            return False
        names = tree.root(target).id, tree.root(value).id
        given, tangents = (self.parameters, {self.of.get(p) for p in self.parameters}) if self.facts.inner else (set(), set())
        return self.meet([self.facts.held.family(n) | {n} for n in names], given) \
            or self.meet([self.held_by([self.tangent(n)]) for n in names], tangents)

    @staticmethod
    def meet(families, given):
        """Whether the families have something in common, or each has something of what is given."""
        return not families[0].isdisjoint(families[1]) or not any(given.isdisjoint(family) for family in families)

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
        fresh = self.fresh if op.what.kind == 'constant' or not self.overlap(target, value, s) else self.names.fresh
        new = self.zeros(tree.as_read(target), number=True)
        if rule.kind != 'constant':
            bound = rule.bind([tree.as_read(target), value], {})
            x, v = rule.parameters
            tangents = {x: tree.as_read(place), **({v: self.d(value)} if self.flows(value) else {})}
            result = fresh('t')
            operation = gast.BinOp(left=tree.as_read(target), op=s.op, right=value)
            self.out.append(tree.assign(result, operation, tree.origin(s)))
            _, new = self.fill(rule, bound, tree.load(result), tangents, set(tangents), s)
        held = fresh('dt')
        self.put(held, new, s)
        self.out.append(s)
        self.put(place, self.call('overwrite', tree.as_read(place), tree.load(held)), s)

    def on_mirror(self, s, op):
        """A call that does to the tangent what it does to the value."""
        owner, which = op.args
        if isinstance(s, gast.Delete):
            places = [t for t in s.targets if not isinstance(t, gast.Name) and self.is_active(tree.root(t))]
            self.out.append(s)
            self.out.append(tree.place(tree.replace(s, targets=[self.d(t) for t in places]), tangent_of(s)))
            return
        call = s.value
        if isinstance(which, tuple):                       # a function that writes into its first argument
            self.guard(call.args[0], s)
            args = [self.d(a) if k == 0 or k in which else a for k, a in enumerate(call.args)]
            again = tree.replace(call, args=args)
        else:
            if call.func.attr == 'fill':
                self.guard(owner, s)
            passive = isinstance(owner, gast.Name) and not self.is_active(owner)         # though the name of its value may be
            again = self.zeros(tree.load(RESULT)) if passive and tree.target(s) else self.mirrored_method(call)
        if isinstance(s, gast.Expr):
            self.out.append(s)
            self.out.append(tree.place(gast.Expr(value=again), tangent_of(s)))
        else:
            self.both(s, again)

    def mirrored_method(self, call):
        method, args = call.func.attr, list(call.args)
        args = [self.d(a) if k in MOVED.get(method, range(len(args))) else a for k, a in enumerate(args)]
        keywords = [k if method in MOVED else tree.replace(k, value=self.d(k.value)) for k in call.keywords]
        return tree.replace(call, func=self.d(call.func), args=args, keywords=keywords)

    def on_reorder(self, s, op):
        """`xs.sort()` and `xs.remove(v)`: where an element goes is told by its value."""
        call = s.value
        owner, helper = call.func.value, self.library(f'{call.func.attr}_both')
        again = tree.replace(call, func=tree.load(helper), args=[owner, self.d(owner), *call.args])
        self.out.append(tree.replace(s, value=again))

    def on_yield(self, s, op):
        tangent = self.apart(self.d(op.args), op.what)
        pair = gast.Tuple(elts=[op.args, tangent], ctx=gast.Load())
        self.out.append(tree.replace(s, value=tree.replace(s.value, value=pair)))

    def on_return(self, s, op):
        if self.facts.generates:
            if not isinstance(s.value, gast.Constant):
                raise subset.unsupported(s, self.facts.source, 'generators that return a value', 'yield it')
            self.out.append(tree.replace(s, value=None))
            return
        value, where = s.value, tree.origin(s)
        self.out.append(tree.place(gast.Return(value=self.finish(self, value, self.d(value), op.what)),
                                   tree.Origin('return', *where[1:] if where else ())))

    def on_raise(self, s, op):
        error = self.call('without_tangent', s.exc) if op.args is None else self.call('with_tangent', op.args, self.d(op.args))
        self.out.append(tree.replace(s, exc=error))

    def on_caught(self, s, op):
        self.put(self.tangent(op.args), self.call('tangent_of_error', tree.load(op.args)), s)

    # Calls

    def zeros(self, expr, number=False):
        """The zero tangent of a value, of a number or array or of what is not known to be one."""
        if self.count is not None:
            if isinstance(expr, gast.Constant) and type(expr.value) in (int, float):
                return tree.constant(0.0)
            return self.call('zero_directions', expr, tree.load(self.count))
        return self.call('init_grad' if number else 'zero_tangent', expr)

    def with_zeros(self, value):
        """A tangent with the zeros in it made for all directions, where there are several: they may be written into."""
        return value if self.count is None else calls_replaced(value, self.library.given.get('init_grad'), self.zeros)

    def on_derivative(self, s, op):
        """`grad(f)` and its kin: the derivative has captured what the function has."""
        self.both(s, self.d(op.args))

    def on_call(self, s, op):
        """A call of a function that is differentiated through its source, by way of its twin."""
        args, keywords = op.args
        self.guard_given(s, [*args, *keywords.values()])
        call = self.to_twin(s, op)
        if generates(op.what):
            self.refuse_next(tree.target(s))
            call = self.call('drained', call)
        self.hand_over(s, call, [*args, *keywords.values()])

    def refuse_next(self, name):
        """Refuse `next(g)` of a generator with a derivative."""
        for node in tree.walk(self.facts.tree):
            if tree.is_call(node, 'next') and node.args and tree.dotted(node.args[0]) == name:
                raise subset.unsupported(node, self.facts.source, 'next() of a generator with a derivative, in forward mode,',
                                         'iterate over it with for')

    def on_pairs(self, s, op):
        """A call that makes a generator with a name under which its pairs are gone through."""
        args, keywords = op.args
        given = [*args, *keywords.values()]
        self.guard_given(s, given)
        self.note(tree.target(s), gast.Tuple(elts=[self.d(a) for a in given if self.is_active(a)], ctx=gast.Load()))
        self.out.append(tree.replace(s, value=self.to_twin(s, op)))

    def on_next(self, s, op):
        """`y = next(g)` of such a generator."""
        _, *default = op.args
        pairs = [gast.Tuple(elts=[e, self.d(e)], ctx=gast.Load()) for e in default]
        self.hand_over(s, tree.replace(s.value, args=[s.value.args[0], *pairs]), op.args)

    def on_drain(self, s, op):
        """All that is left of one, for what goes through the whole of it."""
        self.hand_over(s, self.call('pairs_apart', op.args), [op.args])

    def on_effect(self, s, op):
        args, keywords = op.args
        self.guard_given(s, [*args, *keywords.values()])
        self.out.append(tree.replace(s, value=self.to_twin(s, op)))

    def to_twin(self, s, op):
        (args, keywords), callee = op.args, op.what
        bound = self.facts.bind(callee, args, keywords, s)
        wanted = tuple(p for p, e in bound.items() if any(map(self.flows, calls.atoms(e))))
        twin = self.twin(callee, wanted, s)
        tangents = [self.d_bound(bound[p]) for p in wanted]
        call = s.value
        if call.keywords or len(call.args) < twin.positional:
            given = [gast.keyword(arg=p, value=t) for p, t in zip(twin.parameters, tangents)]
            return tree.replace(call, func=tree.load(twin.name), keywords=call.keywords + given)
        return tree.replace(call, func=tree.load(twin.name), args=call.args + tangents)

    def d_bound(self, bound):
        """The tangent of what is bound to a parameter: one atom, or those of a vararg or kwarg."""
        if isinstance(bound, dict):
            return gast.Dict(keys=[tree.constant(k) for k in bound], values=[self.d(a) for a in bound.values()])
        return self.d(gast.Tuple(elts=list(bound), ctx=gast.Load()) if isinstance(bound, tuple) else bound)

    def hand_over(self, s, call, given):
        """`y, dy = call`, or the call alone where it is made for its effect."""
        if isinstance(s, gast.Expr):
            self.out.append(tree.replace(s, value=call))
            return
        target = s.targets[0]
        pair = gast.Tuple(elts=[target, tree.store(self.tangent(target.id))], ctx=gast.Store())
        self.note(target.id, gast.Tuple(elts=[self.d(a) for a in given if self.is_active(a)], ctx=gast.Load()))
        self.out.append(tree.replace(s, targets=[pair], value=call))

    def on_dispatch(self, s, op):
        """A call of a function that is known only when running."""
        func, args, keywords = op.args
        self.guard_given(s, [*args, *(k.value for k in keywords)])
        call, owner = self.pushed(s.value, op)
        self.hand_over(s, call, [*args, *(k.value for k in keywords), *owner])

    def pushed(self, expr, op):
        """(the call that gives the value and the tangent of such a call, the names whose tangent it takes for its own)."""
        func, args, keywords = op.args
        again = pushed(expr, self.facts.resolver)
        if again is not None:                          # a forward pass that is pushed forward again
            func, *args = args
        given = [gast.Tuple(elts=list(args), ctx=gast.Load()), gast.Tuple(elts=list(map(self.maybe, args)), ctx=gast.Load())]
        if keywords:
            names = [None if k.arg is None else tree.constant(k.arg) for k in keywords]
            tangents = [self.d(k.value) if self.flows(k.value) else tree.expression('{}' if k.arg is None else 'None')
                        for k in keywords]
            given += [gast.Dict(keys=names, values=[k.value for k in keywords]), gast.Dict(keys=names, values=tangents)]
        own = func
        if tree.is_call(getattr(func, 'value', None), 'super') and len(func.value.args) == 2:
            func = self.call('method_above', *func.value.args, tree.constant(func.attr))
        call = self.call('pushforward', func if again is None else self.call('pushing', func), *given)
        func = own if again is None else again
        owner = func.value if isinstance(func, gast.Attribute) else func
        if tree.is_call(owner, 'super') and len(owner.args) == 2:
            owner = owner.args[1]
        if self.is_active(tree.root(owner)):
            own = self.d(owner)
            if isinstance(func, gast.Attribute) and owner is func.value:
                own = self.call('tangent_called', owner, tree.constant(func.attr), own)
            call.keywords.append(gast.keyword(arg='df', value=own))
        return call, [tree.root(owner)] if call.keywords else []

    def maybe(self, atom):
        """The tangent of an argument, None where it has none."""
        if not isinstance(atom, gast.Starred):
            return self.d(atom) if self.flows(atom) else tree.constant(None)
        none = gast.List(elts=[tree.constant(None)], ctx=gast.Load())
        count = tree.call(self.library('len'), atom.value)
        passive = gast.BinOp(left=none, op=gast.Mult(), right=count)
        return tree.replace(atom, value=self.d(atom.value) if self.flows(atom.value) else passive)

    def apart(self, tangent, made_of):
        """The tangent that a twin returns, copied where it may be that of an argument while the value surely is none.

        made_of : for the value, or for each element of a tuple, the names of what it may share memory with
        """
        if isinstance(tangent, gast.Tuple) and len(tangent.elts) == len(made_of):
            return tree.replace(tangent, elts=[self.apart(t, [names]) for t, names in zip(tangent.elts, made_of)])
        aliases = self.facts.aliases
        names = set().union(*made_of)
        if not self.parameters.isdisjoint(names.union(*map(aliases.family, names), *map(aliases.origins, names))):
            return tangent
        return self.call('copy', tangent) if self.shares(tangent, {self.of.get(p) for p in self.parameters}) else tangent

    def on_partial(self, s, op):
        """The tangent of `functools.partial(f, x, k=y)` is `{-1: dx, 'k': dy}`: places count from the end."""
        func, count = s.value.args[0], len(s.value.args) - 1
        parts = [(key - count if isinstance(key, int) else key, atom) for key, atom in op.args[1:] if self.flows(atom)]
        if isinstance(op.what, Nested):
            op.what.active |= {key for key, _ in parts}
        held = not isinstance(op.what, (Nested, types.FunctionType, types.BuiltinFunctionType))
        none = [k.arg for k in s.value.keywords if held and k.arg and not self.flows(k.value)]      # in the place of others
        made = gast.Dict(keys=[registry.number(key) if isinstance(key, int) else tree.constant(key) for key, _ in parts]
                         + list(map(tree.constant, none)),
                         values=[self.d(atom) for _, atom in parts] + [tree.constant(None) for _ in none])
        if held:
            made = self.call('partial_tangent', func, self.maybe(func), tree.constant(count), made)
        self.both(s, made)

    def on_make(self, s, op):
        """A call that makes a container: its tangent is made in the same way."""
        zips = self.facts.resolver(s.value.func) is zip
        keywords = [k if zips else tree.replace(k, value=self.d(k.value)) for k in s.value.keywords]
        steps = [zips and isinstance(a, gast.Name) and not self.is_active(a) for a in s.value.args]        # maybe an iterator
        tangents = [a if is_text(a) else self.call('each_none', self.d(a)) if step else self.d(a)
                    for step, a in zip(steps, s.value.args)]                       # the letters of zip('ab', xs) have none
        pairs = self.facts.resolver(s.value.func) is dict and s.value.args
        if pairs:                                              # the keys of pairs are not in their tangents
            tangents = [self.call('dict_tangent', *tangents, *s.value.args)]
        self.both(s, tangents[0] if pairs and not keywords else tree.replace(s.value, args=tangents, keywords=keywords))

    # Loops

    def on_loop(self, s, op):
        values, tangents, count, first, stepped = [], [], None, [], self.iterators(op.args)
        again = stepped if len(stepped) > 1 else []
        for head in op.args:
            if head.kind == 'count':
                count = head
                continue
            if is_generator_call(head.iter, self.facts.resolver) and self.flows_into(head.iter):
                values.append((display([head.target, self.d_target(head.target)]), self.generated(head.iter, s)))
                continue
            if head.kind == 'pairs':
                values.append((display([head.target, self.d_target(head.target)]), head.iter))
                continue
            if head.iter in self.ops:
                pairs = gast.Starred(value=self.pushed(head.iter, self.ops[head.iter])[0], ctx=gast.Load())
                values.append((display([head.target, self.d_target(head.target)]), self.zipped([pairs])))
                continue
            values.append((head.target, self.reversed(head, head.iter)))
            names = [n for n in tree.names(head.target, gast.Store) if n in self.active]
            if (names or head in again) and self.flows(owner(head.iter)):
                place = self.d_of_element(head) if names else tree.store(self.names.fresh('_'))
                beside = values if head in stepped and len(op.args) > 1 else tangents       # zip may leave after the first
                beside.append((place, self.reversed(head, self.d_of_iterated(head))))
                first += self.keys(head)
            else:
                first += names
        both = values + tangents
        target, iterator = both[0] if len(both) == 1 else (display([t for t, _ in both]), self.zipped([e for _, e in both]))
        if count is not None:
            target = display([count.target, target])
            first += [n for n in tree.names(count.target, gast.Store) if n in self.active]
            iterator = tree.call(self.library('enumerate'), iterator, *([count.iter] if count.iter is not None else []))
        outer, self.out = self.out, []
        self.start(first, s)
        begin, self.out = self.out, outer
        fields = {field: self.block(block) for field, block in tree.blocks(s)}
        fields['body'] = begin + fields['body']
        self.out.append(tree.replace(s, target=target, iter=iterator, **fields))

    def iterators(self, heads):
        """Those heads that go through an iterator with a name.

        Where there are several, it may be the same one: all their tangents are taken, whether they are needed or not, as the
        values are.
        """
        names = iterators(self.facts.tree, self.facts.resolver)
        return [h for h in heads if isinstance(h.iter, gast.Name) and h.iter.id in names]

    def flows_into(self, call):
        return any(map(self.flows, tree.arguments(call)))

    def generated(self, call, s):
        """The twin of a generator, which yields values and tangents."""
        args = call.args, {k.arg: k.value for k in call.keywords}
        stmt = tree.replace(tree.assign('_', call), lineno=s.lineno)
        return self.to_twin(stmt, Op('call', args, self.facts.resolver(call.func)))

    def zipped(self, iterators):
        return tree.call(self.library('zip'), *iterators)

    def reversed(self, head, expr):
        return tree.call(self.library('reversed'), expr) if head.kind == 'reversed' else expr

    def d_of_iterated(self, head):
        """What the tangents come from: of the pairs of `items`, where they are taken apart, the values alone."""
        expr = head.iter
        if isinstance(expr, gast.Call):
            whole = self.is_items(head) and not isinstance(head.target, (gast.Tuple, gast.List))
            method = tree.replace(expr.func, value=self.d(expr.func.value), attr='items' if whole else 'values')
            return tree.replace(expr, func=method)
        return self.d(expr)

    def keys(self, head):
        """Names of the keys of `d.items()` that the body uses in what has a derivative."""
        if self.is_items(head) and isinstance(head.target, (gast.Tuple, gast.List)):
            return [n for n in tree.names(head.target.elts[0], gast.Store) if n in self.active]
        return []

    @staticmethod
    def is_items(head):
        return isinstance(head.iter, gast.Call) and head.iter.func.attr == 'items'

    def d_of_element(self, head):
        """The target of a tangent; of the pairs of `items` keys have none."""
        target = head.target
        if self.is_items(head) and isinstance(target, (gast.Tuple, gast.List)):
            target = target.elts[1]
        return self.d_target(target)


def calls_replaced(node, name, replacement):
    """The tree with `replacement(x)` in place of each call `name(x)`."""
    if tree.is_call(node, name):
        return replacement(node.args[0])
    if not isinstance(node, gast.AST) or isinstance(node, gast.Name):
        return node
    fields = {key: [calls_replaced(v, name, replacement) for v in value] if isinstance(value, list) else
              calls_replaced(value, name, replacement) for key, value in node.__dict__.items()}
    return tree.replace(node, **fields)


def owner(expr):
    """What is iterated over, for `d.items()` the dict."""
    while isinstance(expr, (gast.Call, gast.Subscript, gast.Attribute)):
        expr = expr.func.value if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) else \
            expr.value if not isinstance(expr, gast.Call) else tree.constant(None)
    return expr


def display(parts):
    return gast.Tuple(elts=list(parts), ctx=gast.Store())
