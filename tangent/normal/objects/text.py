"""One function, written anew with the fields of objects as variables.

Expressions keep their order: where a call makes an object, or gives back fields that it has bound anew, it becomes a statement
of its own, and what was evaluated before it is given a name before it.
"""
import dataclasses
import inspect
import math
import types

import gast
import numpy as np

from tangent.analysis.alias import outputs
from tangent.analysis.kinds.special import ARITHMETIC, COMPARED, UNARY
from tangent.analysis.kinds.values import NOTHING, Array
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.dependencies import note_held
from tangent.frontend.resolve import UNKNOWN, local_names, resolver_of
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS, Bound, inside, own_names
from tangent.normal.objects import spelled
from tangent.normal.objects.apart import loops_apart
from tangent.normal.objects.forms import ABSENT, DISPLAYS, Form, Several, default, is_data, is_record
from tangent.normal.objects.given import made_of, reading
from tangent.normal.objects.mixed import WHOLE, one_by_one
from tangent.normal.objects.owner import At, Many, Owner, Refined, Whole
from tangent.normal.objects.rows import SIMPLE, Rows, at_places, is_empty, made_by, overlap, written
from tangent.normal.objects.several import Standing
from tangent.normal.typed.views import stored_into
from tangent.runtime import facts
from tangent.runtime.objects import check_operand, check_other
from tangent.templates.language import registry
from tangent.templates.python import mutations

SCOPED = (gast.Lambda, *COMPREHENSIONS, gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)
WRITERS = mutations.names(lambda m: m.writes)
SHOWN = {'__init__': 'init', '__call__': 'call', '__post_init__': 'post_init'}
ASKED = {abs: '__abs__', len: '__len__', float: '__float__', bool: '__bool__', round: '__round__'}
DONE = gast.Pass()                            # what is left of a statement that others stand for


class Text:
    """given : parameter -> Form of the objects that it is given
    key : tells the text apart from others of the Program; None for the function that makes the objects
    objects : variable -> Form
    entering : those of them that are parameters of the function that makes the others
    changed : (variable, path) of fields that are bound anew
    unset : objects with fields that may be read before they are set, as far as is known by now
    result, itself : as a Lifted has them
    keeps, grows, writes : see Lifted
    has_variables : (class, list or dict) of objects in such that have variables, and not only in a loop
    touched : whether there is any object
    """

    def __init__(self, program, source, given, key):
        self.program, self.given, self.key, self.found = program, given, key, program.found[key]
        self.entering = {p: form for p, kind in program.given.items() if key is None and (form := program.form(made_of(kind)))}
        self.objects = {**given, **self.entering, **self.found}
        source = program.through(source, {name: form.kind for name, form in self.objects.items()
                                          if not form.many and isinstance(form.kind, type)})
        source = self.source = loops_apart(one_by_one(source))
        function = source.tree
        self.resolver, self.local = resolver_of(source), local_names(function)
        names = tree.all_names(function) | self.local
        self.names = tree.Names(names | program.names.taken)
        self.own = next((a.id for a in function.args.posonlyargs + function.args.args), None)
        around = source.closure.get('__class__')
        self.above = around.cell_contents if around is not None and self.own in given else None
        self.making = key is not None and function.name in ('__init__', '__post_init__')
        self.params = set(tree.names(function.args, gast.Param))
        self.variables, self.front, self.lazy, self.guarded, self.depth = {}, [], 0, 0, 0
        self.changed, self.unset, self.assigned, self.returns = set(), [], {}, []
        self.keeps, self.grows, self.has_variables, self.writes, self.rows = set(), set(), set(), False, Rows(self)
        self.standing = Standing(self, function)
        self.shown = set()                           # variables of the text's own that stand for fields, too
        self.result = self.itself = None
        self.nothing = False                         # whether it may give back None
        body = self.block(function.body)
        program.stored |= self.fields_written(body)
        body = [*self.entrance(), *body]
        if (self.result or self.itself) and (self.nothing or Bound(body).goes_on):
            raise Whole(self.any())
        self.touched = bool(self.objects or self.variables)
        self.check_variables()
        self.sets = tuple([(p, path) for p, form in given.items() for path in form.leaves() if (p, path) in self.changed])
        self.value = bool(self.returns) and self.itself is None
        self.body = [self.returning(s) for s in body]
        if self.sets and not (body and isinstance(body[-1], (gast.Return, gast.Raise))):
            self.body.append(gast.copy_location(gast.Return(value=self.returned(None)), function.body[-1]))
        self.look_at_order()

    def entrance(self):
        """The statements that read the fields of objects that the function is given."""
        for (name, path), variable in self.variables.items():
            copied = self.copied if path[-1] in self.program.stored else lambda kind, value: value
            value = name in self.entering and reading(self.program.given[name], tree.load(name), path, copied, self.names)
            if value:
                read = gast.Assign(targets=[tree.store(variable)], value=value, type_comment=None)
                yield tree.place(read, tree.Origin('primal', self.source.tree.lineno))   # no text of the user's

    def copied(self, kind, value):
        """A copy of what an object holds that the function is given, which is left as it was."""
        if kind in NOTHING.values():
            return tree.clone(DISPLAYS[kind.form])
        self.program.copied.update([value.attr] if isinstance(kind, Array) else ())
        how = np.copy if isinstance(kind, Array) else kind.form if getattr(kind, 'form', None) in (list, dict) else None
        return gast.Call(func=self.named(how), args=[value], keywords=[]) if how else value

    def look_at_order(self):
        bound = Bound(self.body, self.local - (set(self.variables.values()) - self.shown))
        self.takes = tuple([(p, path) for p, form in self.given.items() for path in form.leaves()
                            if self.variables.get((p, path)) in bound.first])
        self.unset += [Owner(name, (), self.objects[name]) for (name, _), v in self.variables.items()
                       if name not in self.given and v in bound.first]

    def check_variables(self):
        """A variable that holds an object, or stands for one in a list, never holds anything else."""
        stores: dict = {}
        nodes = list(inside(self.source.tree.body))
        own = {id(n) for g in nodes if isinstance(g, gast.comprehension) for n in tree.walk(g.target)}
        for n in nodes:
            if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load) and id(n) not in own:
                stores[n.id] = stores.get(n.id, 0) + 1
        hidden = {n for s in nodes if isinstance(s, (*DEFINITIONS, gast.Lambda)) for n in own_names(s)}
        hidden |= {n for s in nodes if isinstance(s, (gast.Global, gast.Nonlocal)) for n in s.names}
        for name, form in self.objects.items():
            if name in self.local and (stores.get(name, 0) != len(self.assigned.get(name, ())) or name in hidden):
                raise Whole(Owner(name, (), form))
        self.rows.check(stores, hidden)

    # The definition

    def definition(self, name):
        function = self.source.tree
        if self.key is None:
            return tree.replace(function, body=self.body)
        return tree.replace(function, name=name, args=self.parameters(function.args), body=self.body, decorator_list=[],
                            returns=None)

    def parameters(self, args):
        """Parameters with fields in place of objects, which come first."""
        positional = args.posonlyargs + args.args
        first = len(positional) - len(args.defaults)
        defaults = [d for a, d in zip(positional[first:], args.defaults) if a.id not in self.given]
        fields = [tree.parameter(self.variables[key]) for key in self.takes]
        only = [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults) if a.id not in self.given]
        return tree.replace(args, posonlyargs=[], args=fields + [bare(a) for a in positional if a.id not in self.given],
                            defaults=defaults, kwonlyargs=[bare(a) for a, _ in only], kw_defaults=[d for _, d in only])

    @property
    def defaults(self):
        """The values of the defaults that are left."""
        args = self.source.tree.args
        values = zip((args.posonlyargs + args.args)[::-1], self.source.defaults[::-1]) if args.defaults else ()
        return tuple([v for a, v in values if a.id not in self.given])[::-1]

    def returning(self, s):
        """The statement with fields that were bound anew in what it, or one in its blocks, gives back."""
        if not self.sets or isinstance(s, (*DEFINITIONS, gast.ClassDef)):
            return s
        if isinstance(s, gast.Return):
            return tree.replace(s, value=self.returned(s.value))
        blocks = {field: [self.returning(t) for t in block] for field, block in tree.blocks(s)}
        if isinstance(s, gast.Match):
            blocks['cases'] = [tree.replace(c, body=[self.returning(t) for t in c.body]) for c in s.cases]
        return tree.replace(s, **blocks) if blocks else s

    def returned(self, value):
        values = [] if not self.value else value.elts if self.result is not None else [value or tree.constant(None)]
        elts = [*values, *(tree.load(self.variable(*key)) for key in self.sets)]
        return elts[0] if len(elts) == 1 and self.result is None else gast.Tuple(elts=elts, ctx=gast.Load())

    # Variables

    def variable(self, name, path):
        """The variable for a field, a list for those of objects in a list."""
        path = tuple([step for step in path if not isinstance(step, At)])
        if (name, path) not in self.variables:
            base = '_'.join(p.strip('_') or 'field' for p in path)
            if name not in self.given or self.given[name].many or base in self.names.taken or not base.isidentifier():
                base = f'{name.strip("_") or "own"}_{base}'
            self.variables[name, path] = self.names.fresh(base)
        return self.variables[name, path]

    def leaves(self, owner):
        """(path, variable) for each field of an object."""
        return [(path, self.variable(owner.name, owner.path + path)) for path in owner.form.leaves()]

    def part(self, name, path, ctx=None):
        """The tree for a field: the variable, or its element where the object stands in a list."""
        found = tree.load(self.variable(name, path))
        places = [step for step in path if isinstance(step, At)]
        for step in places:
            found = gast.Subscript(value=found, slice=step.expression(), ctx=gast.Load())
        if places:
            self.rows.leaves.add(self.variable(name, path))
        return tree.replace(found, ctx=ctx) if ctx is not None else found

    def loads(self, owner):
        """The trees for all fields of an object."""
        return [self.part(owner.name, owner.path + path) for path in owner.form.leaves(moved=True)]

    def stores(self, owner):
        """The same as targets."""
        return [self.part(owner.name, owner.path + path, gast.Store()) for path in owner.form.leaves(moved=True)]

    def bound_anew(self, owner):
        """Note that all fields of an object are bound anew."""
        self.changed.update((owner.name, owner.path + path) for path in owner.form.leaves(moved=True))

    def fresh(self, form):
        """A variable for an object that is made on the way."""
        owner = Owner(self.names.fresh('made'), (), form, True)
        self.objects[owner.name] = form
        self.rows.binds(owner.name)
        return owner

    def destination(self, target, form):
        """(the object that a call makes: where an assignment puts it, or else on the way, what stands for the call)."""
        if target is None or not self.is_place(target):
            return (made := self.fresh(form)), made
        return self.place(target, form), DONE

    def place(self, target, form):
        """The object of this Form that an assignment sets, or, for None, the variable (a tree) that it binds.

        target : as it stands in the text, or an Owner
        """
        if isinstance(target, Owner):
            if form != target.form:
                raise Whole(target)
            return target._replace(fresh=True)
        if isinstance(target, gast.Name):
            if form is not None:
                if target.id in self.given or self.key is None and target.id in self.program.kept \
                        or self.objects.get(target.id, form) != form:
                    raise Whole(Owner(target.id, (), form))
                if target.id in self.params and self.depth > 1:
                    raise Whole(Owner(target.id, (), form))
                self.objects[target.id] = form
                self.rows.binds(target.id)
                if target.id not in self.params:             # which hold something else until then
                    self.found[target.id] = form
                self.assigned.setdefault(target.id, set()).add(id(target))
                return Owner(target.id, (), form, True)
            if target.id in self.objects:
                raise Whole(Owner(target.id, (), self.objects[target.id]))
            return tree.store(target.id)
        if not isinstance(target, gast.Attribute):
            raise Whole(self.any())
        owner = self.visit(target.value)
        known = owner.form.field(target.attr)
        if form is None:
            if isinstance(known, Form):
                raise Whole(Owner('', (), known))
            return self.attribute(target, owner)
        if known != form:
            inner = Many(form.kind, form.many) if form.many else form.kind
            raise Refined(owner.form.kind, target.attr, inner) if known is None else Whole(Owner('', (), form))
        self.mutates(owner)
        if not (self.making and owner.name == self.own and not owner.path):
            self.program.replaced.add((owner.form.kind, target.attr))
        return Owner(*owner.part(target.attr), form, True)

    def mutates(self, owner):
        """Note that a field of an object is bound anew; of one that the function is given who gives it says so."""
        if owner.path or owner.name not in self.given:
            self.program.mutated.add(owner.form.kind)

    def is_place(self, target):
        """Whether an object may be assigned to it: a variable, or a field of an object."""
        return isinstance(target, (gast.Name, Owner)) or isinstance(target, gast.Attribute) and bool(self.denoted(target.value))

    def denoted(self, expr):
        """The Owner for a variable, attributes of it, and objects in a list, or None."""
        if isinstance(expr, gast.Name):
            return self.rows.named(expr.id)
        if isinstance(expr, gast.Subscript) and not isinstance(expr.slice, gast.Slice):
            lists = self.denoted(expr.value)
            if lists and isinstance(lists.form.kind, Several):
                return self.standing.item(lists, expr.slice)
            return self.rows.item(lists, expr.slice) if lists and lists.form.many and tree.is_atom(expr.slice) else None
        above = self.denoted(expr.value) if isinstance(expr, gast.Attribute) else None
        return above.inner(expr.attr) if above and isinstance(above.form.field(expr.attr), Form) else None

    # Statements

    def block(self, stmts):
        out = []
        self.depth += 1
        for s in stmts:
            out += self.statement(s)
            if out and isinstance(out[-1], gast.Return):                # what stands behind it was seen to be for others
                break
        self.depth -= 1
        return out

    def statement(self, s):
        """The statements in place of one."""
        outer, self.front = self.front, []
        loops, blocks = self.rows.loops, self.rows.blocks
        if isinstance(s, (gast.For, gast.While)):
            self.rows.loops = (*loops, id(s))
        try:
            new = self.rewritten(s)
            return [placed(t, s) for t in self.front] + [t for t in new if t is not DONE]
        finally:
            self.front, self.rows.loops, self.rows.blocks = outer, loops, blocks

    def rewritten(self, s):
        if isinstance(s, (*DEFINITIONS, gast.ClassDef)):
            return [self.inside(s)]
        if isinstance(s, gast.While):
            return self.loop(s)
        if isinstance(s, gast.For) and (looped := self.standing.loop(s)) is not None:
            return looped
        if isinstance(s, gast.For) and (looped := self.rows.loop(s)) is not None:
            return looped
        if isinstance(s, gast.If):
            return self.branch(s)
        if isinstance(s, gast.Return):
            return [self.answer(s)]
        if isinstance(s, gast.Assign) and len(s.targets) == 1 and (apart := self.one_by_one(s)):
            return [t for one in apart for t in self.statement(one)]
        if isinstance(s, gast.Assign) and len(s.targets) == 1 and (
                self.is_place(s.targets[0]) or self.rows.may_store(s.targets[0], s.value)):
            return [self.assignment(s, s.targets[0], s.value)]
        if isinstance(s, gast.AnnAssign) and s.value is not None and self.is_place(s.target) \
                and not (isinstance(s.target, gast.Name) and self.visits_plainly(s.value)):
            return [self.assignment(s, s.target, s.value)]
        if isinstance(s, gast.AugAssign) and (owner := self.denoted(tree.replace(s.target, ctx=gast.Load()))):
            return [self.update(s, owner)]
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call):
            value = self.call(s.value)
            left = isinstance(value, Owner) or value is DONE or isinstance(value, gast.Constant)
            return [] if left else [tree.replace(s, value=value)]
        return [self.parts(s)]

    def one_by_one(self, s):
        """The assignments that stand for `a, b = Point(x), Point(y)`, where nothing asks for their order; none for others."""
        pairs = tree.side_by_side(s.targets[0], s.value)
        names = [getattr(t, 'id', None) for t, _ in pairs]
        values = [v for _, v in pairs]
        plainly = all(map(self.visits_plainly, values)) and self.objects.keys().isdisjoint(names)
        if len(set(names)) < len(pairs) or None in names or plainly or any(map(starred, values)):
            return []
        read = [tree.all_names(v) for v in values]
        inner = [n for n in inside(self.source.tree.body) if isinstance(n, (*DEFINITIONS, gast.Lambda, gast.GeneratorExp))]
        late = {n.id for f in inner for n in tree.walk(f) if isinstance(n, gast.Name)}
        if len(pairs) < 2 or not late.isdisjoint(names) or any(not r.isdisjoint(names[:k]) for k, r in enumerate(read)):
            return []
        return [gast.copy_location(gast.Assign(targets=[t], value=v, type_comment=None), s) for t, v in pairs]

    def visits_plainly(self, value):
        kind = self.resolver(value.func) if isinstance(value, gast.Call) else None
        return self.program.form(kind) is None

    def assignment(self, s, target, value):
        """`target = value`; an object goes there field by field."""
        owner = self.denoted(target.value) if isinstance(target, gast.Attribute) else None
        held = owner.form.held(target.attr) if owner and owner.form.field(target.attr) is ABSENT else None
        if isinstance(held, property) and isinstance(held.fset, types.FunctionType):
            value = self.invoke(s, held.fset, [owner, self.visit(value)])
            return DONE if isinstance(value, gast.Constant) else gast.copy_location(gast.Expr(value=value), s)
        new = self.visit(value, target)
        if new is DONE:
            return DONE
        if isinstance(new, Owner):
            if isinstance(target, gast.Name) and new[:2] == (target.id, ()):
                self.assigned.setdefault(target.id, set()).add(id(target))
                return DONE
            if new.is_row() and isinstance(target, gast.Name):
                return gast.copy_location(self.rows.assigned(target, new), s)
            if isinstance(target, gast.Subscript):
                self.rows.stored(target, new)
                return DONE
            self.moved(self.place(target, new.form), new)
            return DONE
        before = len(self.front)
        target = self.place(target, None)
        if len(self.front) != before:
            raise Whole(self.any())
        return gast.copy_location(gast.Assign(targets=[target], value=new, type_comment=None), s)

    def moved(self, to, owner):
        """All fields of one object are those of another."""
        if isinstance(owner.form.kind, Several):
            self.rows.take(owner)
        elif not owner.fresh:
            self.program.aliased.add(owner.form.kind)
        loads = self.loads(owner)
        self.bound_anew(to)
        if loads and to[:2] != owner[:2]:
            value = loads[0] if len(loads) == 1 else gast.Tuple(elts=loads, ctx=gast.Load())
            self.front.append(gast.Assign(targets=[together(self.stores(to))], value=value, type_comment=None))

    def update(self, s, owner):
        """`owner += value`: by a method of that name, or as `owner = owner + value`."""
        name = ARITHMETIC[type(s.op)]
        own = owner.form.held(f'__i{name}__')
        before = len(self.front)
        value = self.visit(s.value)
        if self.may_be_replaced(owner, self.changed_by(self.front[before:])):
            raise Whole(owner)
        if own is not ABSENT:
            new = self.invoke(s, own, [owner, value])
            if not isinstance(new, Owner) or new[:2] != owner[:2]:
                raise Whole(owner)
            if isinstance(s.target, gast.Name):
                self.assigned.setdefault(s.target.id, set()).add(id(s.target))
            return DONE
        new = self.operator(s, name, owner, value, s.target)
        if isinstance(new, Owner):
            self.moved(self.place(s.target, new.form), new)
        elif new is not DONE:
            raise Whole(owner)
        return DONE

    def answer(self, s):
        """`return value`"""
        value = self.visit(s.value) if s.value is not None else None
        if isinstance(value, Owner):
            if self.key is None:
                raise Whole(value)
            itself = value.name if value.name in self.given and not value.path else None
            form = value.form if itself is None else None
        else:
            itself = form = None
        if not isinstance(value, Owner) and (value is None or tree.is_none(value)):
            self.nothing = True
        elif self.returns and self.returns[0] != (itself, form):
            raise Whole(value if isinstance(value, Owner) else self.any())
        else:
            self.returns.append((itself, form))
        if not isinstance(value, Owner):
            return tree.replace(s, value=value)
        self.itself, self.result = itself, form
        if itself is not None:
            return tree.replace(s, value=None)
        if not value.fresh and value.name in self.given:
            self.program.aliased.add(form.kind)
        return tree.replace(s, value=gast.Tuple(elts=self.loads(value), ctx=gast.Load()))

    def parts(self, s):
        """Any other statement: what its header evaluates, then its blocks."""
        fields, blocks = {}, dict(tree.blocks(s))
        guarded = isinstance(s, tree.TRIES) or isinstance(s, gast.With) and not all(map(self.lets_through, s.items))
        for field, value in gast.iter_fields(s):
            if field in (*blocks, 'cases') or not isinstance(value, (gast.AST, list)):
                continue
            before = len(self.front)
            fields[field] = value if isinstance(value, gast.AST) and not value.__dict__ else self.expr(value) \
                if isinstance(value, gast.AST) else [self.expr(v) if isinstance(v, gast.AST) else v for v in value]
            if len(self.front) != before and not (field in ('value', 'test', 'iter', 'subject') and self.keeps_order(s)):
                raise Whole(self.any())
        self.guarded += guarded
        for field, block in blocks.items():
            fields[field] = self.filled(block, s)
        self.guarded -= guarded
        if isinstance(s, gast.Match):
            fields['cases'] = [self.case(c) for c in s.cases]
        return tree.replace(s, **fields)

    def filled(self, block, s):
        self.rows.blocks = (*self.rows.blocks, id(s), id(block))
        return self.block(block) or ([gast.copy_location(gast.Pass(), s)] if block else [])

    def case(self, case):
        self.lazy += 1
        guard = case.guard and self.expr(case.guard)
        self.lazy -= 1
        return tree.replace(case, guard=guard, body=self.filled(case.body, case.body[0]))

    def keeps_order(self, s):
        """Whether what stands in front of the statement may be evaluated before everything else in it."""
        if isinstance(s, gast.AugAssign):
            changed = self.changed_by(self.front)
            owner = self.denoted(getattr(s.target, 'value', None))
            own = self.variable(*owner.part(s.target.attr)) if owner else getattr(s.target, 'id', None)
            return own is not None and own not in changed
        return isinstance(s, (gast.Assign, gast.AnnAssign, gast.Expr, gast.For, gast.Assert, gast.Match))

    def lets_through(self, item):
        """Whether a context manager is one that stops no exception."""
        return self.resolver(getattr(item.context_expr, 'func', item.context_expr)) is np.errstate

    def branch(self, s):
        """`if`, where the test may be known by what is an object."""
        test = self.test(s.test)
        if hasattr(test, 'settled'):
            return self.block(s.body if test.value else s.orelse)
        return [tree.replace(s, test=test, body=self.filled(s.body, s), orelse=self.filled(s.orelse, s))]

    def loop(self, s):
        """`while`, with a test that is evaluated in statements of its own where it has to be."""
        test = self.test(s.test)
        front, body, orelse = self.front, self.filled(s.body, s), self.filled(s.orelse, s)
        if not front:
            return [tree.replace(s, test=test, body=body, orelse=orelse)]
        if orelse:
            raise Whole(self.any())
        self.front = []
        stop = [gast.copy_location(gast.Break(), s.test)]
        stop = gast.If(test=gast.copy_location(tree.negation(test), s.test), body=stop, orelse=[])
        front = [gast.copy_location(t, s.test) for t in (*front, stop)]
        return [tree.replace(s, test=gast.copy_location(tree.constant(True), s.test), body=front + body, orelse=[])]

    def any(self):
        """An object to leave as it is where it is not known which is in the way."""
        if not self.objects:
            return Owner('', (), None)
        named = [n for n in self.objects if n in self.local] or list(self.objects)
        return Owner(named[0], (), self.objects[named[0]])

    # Expressions

    def expr(self, node):
        """The expression in place of one that gives no object."""
        new = self.visit(node)
        if isinstance(new, Owner):
            raise Whole(new)
        return new

    def test(self, node):
        """The same for one whose truth is asked for."""
        new = self.of_BoolOp(node, None, tested=True) if isinstance(node, gast.BoolOp) else self.visit(node)
        if isinstance(new, Owner) and new.form.many:
            return self.rows.first(new)
        return settled(True, node) if isinstance(new, Owner) and self.is_true(new) else new

    def is_true(self, owner):
        if any(owner.form.held(n) is not ABSENT for n in ('__bool__', '__len__')):
            raise Whole(owner)
        return True

    def visit(self, node, target=None):
        """What stands for an expression: another one, or an Owner. Where it is made for a target of an assignment, DONE.

        What has to come before it is added to `front`.
        """
        special = getattr(self, f'of_{type(node).__name__}', None)
        if special is not None:
            return special(node, target)
        if isinstance(node, gast.ListComp) and (display := self.standing.listed(node)) is not None:
            return self.visit(display, target)
        if isinstance(node, SCOPED[:5]):
            return self.rows.made_in_loop(node, target) if self.rows.makes_objects(node) else self.inside(node)
        return self.children(node)

    def of_Name(self, node, target):
        owner = self.rows.named(node.id)
        if owner is not None:
            if not isinstance(node.ctx, gast.Load):
                raise Whole(owner)
            return owner
        if isinstance(node.ctx, gast.Load) and node.id not in self.rows.hidden:
            self.rows.early.add(node.id)
        if node.id == 'NotImplemented' and self.given:
            raise Whole(self.any())
        return node

    def of_Dict(self, node, target):
        if is_empty(node):
            return DONE if self.begins(node, target) else node
        if None in node.keys:
            return self.children(node)
        parts = self.sequence([e for pair in zip(node.keys, node.values) for e in pair])
        if (key := next((k for k in parts[::2] if isinstance(k, Owner)), None)) is not None:
            raise Whole(key)
        if any(isinstance(new, Owner) for new in parts):
            return self.rows.display(parts[1::2], target, parts[::2])
        return tree.replace(node, keys=parts[::2], values=parts[1::2])

    def begins(self, node, target):
        """Whether an empty list or dict is one of objects, of which those for all fields have been put in front, then."""
        known = self.objects.get(getattr(target, 'id', None)) if not isinstance(target, Owner) else target.form
        if isinstance(target, gast.Attribute) and (owner := self.denoted(target.value)):
            known = owner.form.field(target.attr)
        if not isinstance(known, Form) or known.many is not made_by(node):
            return False
        self.rows.emptied(self.place(target, known))
        return True

    def of_List(self, node, target):
        if is_empty(node) and self.begins(node, target):
            return DONE
        news = self.sequence(node.elts)
        if any(isinstance(new, Owner) for new in news):
            return self.rows.display(news, target)
        return tree.replace(node, elts=news) if any(a is not b for a, b in zip(news, node.elts)) else node

    def of_Tuple(self, node, target):
        if not isinstance(node.ctx, gast.Load):
            return self.children(node)
        news = self.sequence(node.elts)
        if news and all(isinstance(new, Owner) for new in news):
            return self.standing.display(news, target)
        for new in news:
            if isinstance(new, Owner):
                raise Whole(new)
        return tree.replace(node, elts=news) if any(a is not b for a, b in zip(news, node.elts)) else node

    def of_Constant(self, node, target):
        return node

    def of_Attribute(self, node, target):
        if tree.is_call(node.value, 'super') and self.above and not node.value.args:
            raise Whole(self.any())
        value = self.visit(node.value)
        if isinstance(value, Owner):
            return self.attribute(node, value)
        return node if value is node.value else tree.replace(node, value=value)

    def of_Call(self, node, target):
        return self.call(node, target)

    def of_BinOp(self, node, target):
        left, right = self.sequence([node.left, node.right])
        if isinstance(left, Owner) or isinstance(right, Owner):
            return self.operator(node, ARITHMETIC[type(node.op)], left, right, target)
        return node if left is node.left and right is node.right else tree.replace(node, left=left, right=right)

    def of_UnaryOp(self, node, target):
        if isinstance(node.op, gast.Not):
            operand = self.test(node.operand)
            if hasattr(operand, 'settled'):
                return settled(not operand.value, node)
        else:
            operand = self.visit(node.operand)
        if isinstance(operand, Owner):
            return self.invoke(node, operand.form.held(f'__{UNARY[type(node.op)]}__'), [operand], target=target)
        return node if operand is node.operand else tree.replace(node, operand=operand)

    def of_Compare(self, node, target):
        if len(node.ops) > 1:
            return self.children(node, lazy=True)
        op, = node.ops
        left, right = self.sequence([node.left, *node.comparators])
        if isinstance(op, (gast.Is, gast.IsNot)) and isinstance(left, Owner) and tree.is_none(right):
            return settled(isinstance(op, gast.IsNot), node)
        if isinstance(op, (gast.Is, gast.IsNot)) and isinstance(left, Owner) and isinstance(right, Owner) \
                and (same := self.rows.same(node, left, right)) is not None:
            return same
        if isinstance(left, Owner) and type(op) in COMPARED:
            return self.invoke(node, left.form.held(f'__{COMPARED[type(op)]}__'), [left, right])
        if isinstance(op, (gast.In, gast.NotIn)) and isinstance(right, Owner) and right.form.many is dict and not isinstance(
                left, Owner):
            return tree.replace(node, left=left, comparators=[self.rows.first(right)])
        if isinstance(op, gast.In) and isinstance(right, Owner):
            return self.invoke(node, right.form.held('__contains__'), [right, left])
        for owner in (left, right):
            if isinstance(owner, Owner):
                raise Whole(owner)
        return tree.replace(node, left=left, comparators=[right])

    def of_Subscript(self, node, target):
        value, index = self.sequence([node.value, node.slice])
        if isinstance(value, Owner) and isinstance(value.form.kind, Several) and isinstance(node.ctx, gast.Load):
            return self.standing.item(value, index)
        if isinstance(value, Owner) and value.form.many and isinstance(node.ctx, gast.Load):
            return self.rows.item(value, index)
        if isinstance(value, Owner) and isinstance(node.ctx, gast.Load) and not isinstance(index, Owner):
            return self.invoke(node, value.form.held('__getitem__'), [value, index], target=target)
        for owner in (value, index):
            if isinstance(owner, Owner):
                raise Whole(owner)
        return node if value is node.value and index is node.slice else tree.replace(node, value=value, slice=index)

    def of_IfExp(self, node, target):
        test = self.test(node.test)
        if hasattr(test, 'settled'):
            return self.visit(node.body if test.value else node.orelse, target)
        self.lazy += 1
        body, orelse = self.expr(node.body), self.expr(node.orelse)
        self.lazy -= 1
        return tree.replace(node, test=test, body=body, orelse=orelse)

    def of_BoolOp(self, node, target, tested=False):
        """`a and b`: what is known of objects decides, or is left out; `tested`: nothing but its truth is asked for."""
        decides, values, last = isinstance(node.op, gast.Or), [], node.values[-1]
        for k, e in enumerate(node.values):
            self.lazy += k > 0
            new = self.test(e) if tested else self.visit(e)
            self.lazy -= k > 0
            if isinstance(new, Owner) and (e is last or self.is_true(new) and decides):
                if values:
                    raise Whole(new)
                return new
            if hasattr(new, 'settled') and new.value == decides:
                values.append(new)
                break
            if not isinstance(new, Owner) and (not hasattr(new, 'settled') or e is last and not tested):
                values.append(new)
        if not values or len(values) == 1 and hasattr(values[0], 'settled'):
            return settled(decides if values and values[0].value == decides else not decides, node)
        return values[0] if len(values) == 1 else tree.replace(node, values=values)

    def inside(self, node):
        """What runs when it runs: a function, a comprehension. It may read fields there, nothing more."""
        self.lazy += 1
        new = self.rows.comprehension(node) if isinstance(node, COMPREHENSIONS) else tree.with_children(node, self.expr)
        self.lazy -= 1
        return new

    def children(self, node, lazy=False):
        """The node with its parts, none of which is an object, evaluated in their order."""
        places = [(f, k, part) for f in node._fields for k, part in listed(getattr(node, f, None))]
        eager = 2 if lazy else len(places)                    # of `a < b < c`, which is the one that is lazy
        news = self.sequence([part for _, _, part in places[:eager]])
        self.lazy += lazy
        news += self.sequence([part for _, _, part in places[eager:]])
        self.lazy -= lazy
        fields: dict = {}
        for (field, k, old), new in zip(places, news):
            if isinstance(new, Owner):
                raise Whole(new)
            if new is not old and k is None:
                fields[field] = new
            elif new is not old:
                fields.setdefault(field, list(getattr(node, field)))[k] = new
        return tree.replace(node, **fields) if fields else node

    def sequence(self, nodes):
        """What stands for expressions that are evaluated one after the other."""
        done: list = []
        for node in nodes:
            before = len(self.front)
            new = self.visit(node)
            if len(self.front) > before:
                self.settle(done, before)
            done.append(new)
        return done

    def settle(self, done, before):
        """Give names to what was evaluated before the statements in front from that place on."""
        made, changed = [], self.changed_by(self.front[before:])
        for owner in done:
            if isinstance(owner, Owner) and self.may_be_replaced(owner, changed):
                raise Whole(owner)
        for k, new in enumerate(done):
            if not isinstance(new, Owner) and not self.is_stable(new, changed):
                if not isinstance(new, gast.expr) or isinstance(new, (gast.Starred, gast.Slice, gast.FormattedValue)):
                    raise Whole(self.any())
                done[k] = self.kept(new, made)
        self.front[before:before] = made

    def changed_by(self, stmts):
        """Names that statements bind, and lists of fields that they write into."""
        return {n for t in stmts for n in tree.names(t, gast.Store)} | written(stmts) & self.rows.leaves

    def may_be_replaced(self, owner, changed):
        """Whether there may be another object where this one is, when these names have been bound anew."""
        if any(not step.names().isdisjoint(changed) for step in owner.path if isinstance(step, At)):
            return True
        if changed.isdisjoint(v for _, v in self.leaves(owner)):
            return False
        return any((form.kind, name) in self.program.replaced for name, form in self.rows.fields_of(owner))

    def kept(self, value, front):
        """A new name for the value of an expression."""
        name = self.names.fresh('t')
        front.append(gast.Assign(targets=[tree.store(name)], value=value, type_comment=None))
        return tree.load(name)

    def is_stable(self, node, changed):
        """Whether an expression has the same value when these names have been bound anew."""
        if isinstance(node, gast.Name):
            return node.id not in changed
        known = isinstance(node, gast.Attribute) and self.resolver(node) is not UNKNOWN
        return known or isinstance(node, (gast.Constant, gast.Lambda))

    def attribute(self, node, owner):
        """What stands for an attribute of an object: the variable for a field, an object, what the class has by the name."""
        form = owner.form.field(node.attr)
        if isinstance(form, Form):
            if not isinstance(node.ctx, gast.Load):
                raise Whole(Owner('', (), form))
            return owner.inner(node.attr)
        if form is None:
            if isinstance(node.ctx, gast.Load):
                return gast.copy_location(self.part(*owner.part(node.attr)), node)
            if isinstance(node.ctx, gast.Del) or self.lazy:
                raise Whole(owner)
            self.changed.add(owner.part(node.attr))
            self.program.rebound.add((owner.form.kind, node.attr))
            self.mutates(owner)
            self.writes = self.writes or owner.in_list()
            return gast.copy_location(self.part(*owner.part(node.attr), gast.Store()), node)
        held = owner.form.held(node.attr)
        if not isinstance(node.ctx, gast.Load) or held is ABSENT:
            raise Whole(owner)
        if isinstance(held, property):
            return self.invoke(node, held.fget, [owner])
        if is_data(held):
            return gast.copy_location(self.of_class(owner.form.kind, node.attr), node)
        raise Whole(owner)

    def of_class(self, kind, name):
        """What a class holds by a name: a literal while it holds that."""
        value = getattr(kind, name)
        plain = type(value) in (int, str, bool, type(None)) or type(value) is float and math.isfinite(value)
        if plain and not self.program.may_set(name):
            note_held(kind, name)
            return tree.constant(value)
        return gast.Attribute(value=self.named(kind), attr=name, ctx=gast.Load())

    def named(self, thing):
        """A name for a function or class in this text."""
        name = thing.__name__
        if name not in self.local and self.resolver.name(name) is thing:
            return tree.load(name)
        return tree.load(self.program.name_of(thing, name))

    # Calls

    def operator(self, node, name, left, right, target=None):
        """`left + right`, by a method of the class of one of these."""
        own = left.form.held(f'__{name}__') if isinstance(left, Owner) else ABSENT
        both = isinstance(left, Owner) and isinstance(right, Owner)
        if both and left.form.kind is not right.form.kind and issubclass(right.form.kind, left.form.kind):
            raise Whole(right)                                          # which is asked first
        if own is not ABSENT:
            return self.invoke(node, own, [left, right], target=target)
        if not isinstance(right, Owner):
            raise Whole(left)
        if not isinstance(left, (Owner, gast.Constant)):
            known = self.resolver.value(left)
            if known is not UNKNOWN and not isinstance(known, (int, float, complex, np.number)):
                raise Whole(right)
            left = left if isinstance(left, gast.Name) else self.kept(left, self.front)
            self.check(check_operand, left)                             # all others are asked first
        return self.invoke(node, right.form.held(f'__r{name}__'), [right, left], target=target)

    def call(self, node, target=None):
        """What stands for a call, see `visit`."""
        func, values = node.func, [*node.args, *(k.value for k in node.keywords)]
        if isinstance(func, gast.Attribute) and tree.is_call(func.value, 'super') and self.above and not func.value.args:
            own = Owner(self.own, (), self.given[self.own])
            return self.method(node, own, func.attr, self.sequence(values), target, self.above)
        function = self.resolver(func) if tree.root_name(func) not in self.objects else UNKNOWN
        if function in WHOLE and len(values) == 1 and isinstance(values[0], gast.GeneratorExp):
            values = [self.standing.listed(values[0]) or values[0]]
        if function is not UNKNOWN:
            return self.known(node, function, self.sequence(values), target)
        if (owner := self.of_same_class(func)) is not None:
            form = self.program.form(owner.form.kind)
            if form is None:
                raise Whole(owner)
            return self.make(node, form, self.sequence(values), target)
        held = self.denoted(func.value) if isinstance(func, gast.Attribute) else None
        if not isinstance(func, gast.Attribute) or held and held.form.field(func.attr) is not ABSENT:
            owner, *given = self.sequence([func, *values])             # what a field holds before it is given anything
            if isinstance(owner, Owner):
                return self.method(node, owner, '__call__', given, target)
            return self.written(tree.replace(node, func=owner), given)
        owner, *given = self.sequence([func.value, *values])
        if self.rows.appended(node, owner, given):
            return tree.constant(None)
        if not isinstance(owner, Owner):
            func = func if owner is func.value else tree.replace(func, value=owner)
            return self.written(node if func is node.func else tree.replace(node, func=func), given)
        if owner.form.field(func.attr) is None:
            return self.written(tree.replace(node, func=self.attribute(func, owner)), given)
        if isinstance(owner.form.field(func.attr), Form):
            return self.method(node, owner.inner(func.attr), '__call__', given, target)
        return self.method(node, owner, func.attr, given, target)

    def of_same_class(self, func):
        """The object of whose class `self.__class__` or `type(self)` is, or None."""
        asked = isinstance(func, gast.Call) and len(func.args) == 1 and self.resolver(func.func) is type
        named = isinstance(func, gast.Attribute) and func.attr == '__class__'
        owner = self.denoted(func.value if named else func.args[0]) if named or asked else None
        if owner is not None and isinstance(owner.form.kind, Several):
            raise Whole(owner)
        hidden = owner is not None and any('__class__' in vars(k) for k in owner.form.kind.__mro__[:-1])
        return None if hidden else owner

    def written(self, node, given):
        """The call with these arguments, none of which is an object."""
        for value in given:
            if isinstance(value, Owner):
                raise Whole(value)
        count = len(node.args)
        if all(map(lambda a, b: a is b, given, [*node.args, *(k.value for k in node.keywords)])):
            return node
        return tree.replace(node, args=given[:count],
                            keywords=[tree.replace(k, value=v) for k, v in zip(node.keywords, given[count:])])

    def known(self, node, function, given, target):
        """A call of a function or class that the text names."""
        form = self.program.form(function)
        if form is not None:
            return self.make(node, form, given, target)
        if function in (list, tuple, len) and len(given) == 1 and isinstance(given[0], Owner) \
                and isinstance(given[0].form.kind, Several):
            return tree.constant(len(given[0].form.fields)) if function is len else given[0]
        function = self.program.of_class(*found) if (found := spelled.class_method(function)) else function
        owner = next((v for v in given if isinstance(v, Owner)), None)
        if function is isinstance and owner is None and (told := self.is_other(node, given)) is not None:
            return told
        plain = spelled.written(function)
        theirs = not isinstance(plain, types.FunctionType) or facts.in_library(plain) \
            or registry.lookup(plain) is not None or hasattr(plain, 'py_func')
        if owner is None:
            plain = not theirs and is_plain_function(function) and self.program.makes(function) \
                and not any(map(starred, [*node.args, *node.keywords]))
            names = [k.arg for k in node.keywords]
            function, _ = self.spelled(function, len(node.args), names) if plain else (function, None)
            lifted = self.program.lift(function, (), function.__name__) if plain else None
            if lifted is None or lifted.failed or lifted.result is None:
                return self.written(node, given)
        elif isinstance(owner.form.kind, Several):
            raise Whole(owner)
        elif function is isinstance and len(given) == 2 and isinstance(given[0], Owner):
            if (kinds := self.kinds_in(node.args[1])) is not None:
                return settled(issubclass(owner.form.kind, kinds), node)
        elif function in (len, *((sorted, list, tuple, set) if owner.form.many is dict else ())) and owner.form.many \
                and len(given) == 1 and not node.keywords:
            return tree.replace(node, args=[self.rows.first(owner)])
        elif function in ASKED and isinstance(given[0], Owner):
            return self.invoke(node, owner.form.held(ASKED[function]), given, target=target)
        elif theirs:
            raise Whole(owner)
        return self.invoke(node, function, given[:len(node.args)], list(zip([k.arg for k in node.keywords],
                                                                            given[len(node.args):])), target)

    def kinds_in(self, expr):
        """The classes that are named behind the comma of `isinstance`; None where they are not known."""
        kinds = tuple(map(self.resolver, expr.elts if isinstance(expr, gast.Tuple) else [expr]))
        return kinds if all(isinstance(k, type) for k in kinds) else None

    def is_other(self, node, given):
        """`isinstance(v, C)` of what is no object that is taken apart: it is none of the class, or comes from elsewhere."""
        kinds = self.kinds_in(node.args[1]) if len(node.args) == 2 else None
        if not kinds or not self.given or any(self.program.form(k) is None for k in kinds):
            return None
        value = given[0]
        if not isinstance(value, gast.Constant):
            if self.lazy or not isinstance(value, gast.Name):
                return None
            self.check(check_other, value, *map(self.named, kinds))
        return settled(False, node)

    def check(self, helper, *args):
        """Have a helper look, when the text runs, that a value is what it is taken for."""
        func = tree.load(self.program.name_of(helper, helper.__name__))
        self.front.append(gast.Expr(value=gast.Call(func=func, args=list(args), keywords=[])))

    def method(self, node, owner, name, given, target, above=None):
        """A call of what the class of an object has by a name."""
        held = owner.form.held(name, above)
        count = len(node.args)
        if name == '__init__' and (held is ABSENT or held is object.__init__) and not given:
            return tree.constant(None)
        keywords = list(zip([k.arg for k in node.keywords], given[count:]))
        if isinstance(held, classmethod) and isinstance(held.__func__, types.FunctionType):
            return self.invoke(node, self.program.of_class(held.__func__, owner.form.kind), given[:count], keywords, target)
        if isinstance(held, staticmethod) and isinstance(held.__func__, types.FunctionType):
            if any(isinstance(v, Owner) for v in given):
                return self.invoke(node, held.__func__, given[:count], keywords, target)
            return self.written(tree.replace(node, func=self.named(held.__func__)), given)
        return self.invoke(node, held, [owner, *given[:count]], keywords, target)

    def invoke(self, node, function, args, keywords=(), target=None, new=False):
        """A call of a function of the user's that is given objects, or makes one, by one that takes fields; see `call`.

        new : it sets the fields of an object for the first time
        """
        function, names = self.spelled(function, len(args), [n for n, _ in keywords])
        keywords = [(names.get(n, n), v) for n, v in keywords]
        given, args, keywords = self.given_to(function, args, keywords)
        owners = list(given.values())
        wish = function.__name__.strip('_') or 'method'
        if function.__name__.startswith('__') and owners:
            wish = f'{owners[0].form.kind.__name__}_{SHOWN.get(function.__name__, wish)}'
        lifted = self.program.lift(function, tuple([(p, o.form) for p, o in given.items()]), wish)
        bound = lifted.sets or lifted.result or lifted.writes
        if lifted.failed or bound and (self.lazy or self.guarded) or self.rows.is_gone_through(lifted.grows):
            raise Whole(owners[0] if owners else self.any())
        self.grows |= lifted.grows
        self.writes = self.writes or lifted.writes or any(given[p].in_list() for p, _ in lifted.sets)
        for p in sorted(lifted.keeps):
            self.rows.take(given[p])
        at = lambda p, path: (given[p].name, given[p].path + path)  # noqa: E731
        self.changed.update(at(*key) for key in lifted.sets)
        for p in {p for p, _ in lifted.sets} - ({self.first_of(function)} if new else set()):
            self.mutates(given[p])
        taken = [self.part(*at(*key)) for key in lifted.takes]
        same = bool(lifted.sets or lifted.writes) and overlap(owners)            # perhaps: where it is written out it may be
        if (body := self.body_of(lifted, at, args, keywords, same)) is not None:
            return self.in_line(body, lifted, given, target)
        if same:
            raise Whole(owners[0])
        call = gast.Call(func=tree.load(lifted.nested.__name__), args=[*taken, *args],
                         keywords=[gast.keyword(arg=n, value=v) for n, v in keywords])
        call = gast.copy_location(call, node)
        if not lifted.sets and lifted.result is None and lifted.itself is None and not lifted.writes:
            return call
        stored = [self.part(*at(*key), gast.Store()) for key in lifted.sets]
        return self.given_back(call, lifted, stored, given, target)

    def spelled(self, function, count, names):
        """(the function, written out for calls with so many arguments and these keywords where it takes any; keyword -> its
        name there)."""
        args = spelled.source_of(function).tree.args if is_plain_function(function) and None not in names else None
        found = self.program.of_call(function, count, tuple(names)) if args and (args.vararg or args.kwarg) else None
        return found or (function, {})

    def given_back(self, call, lifted, stored, given, target):
        """The statement in front for a call that gives back fields; what stands for its value."""
        value = DONE if target is not None else tree.constant(None)
        if lifted.itself is not None:
            value = given[lifted.itself]
        elif lifted.result is not None:
            owner, value = self.destination(target, lifted.result)
            self.bound_anew(owner)
            stored = [*self.stores(owner), *stored]
        elif lifted.value:
            name = target.id if isinstance(target, gast.Name) and target.id not in self.objects else self.names.fresh('t')
            stored = [tree.store(name), *stored]
            value = DONE if isinstance(target, gast.Name) and name == target.id else tree.load(name)
        elif target is not None:
            value = tree.constant(None)
        if not stored:
            self.front.append(gast.Expr(value=call))
        else:
            one = len(stored) == 1 and lifted.result is None
            stores = stored[0] if one else gast.Tuple(elts=stored, ctx=gast.Store())
            self.front.append(gast.Assign(targets=[stores], value=call, type_comment=None))
        return value

    def body_of(self, lifted, at, args, keywords, needed):
        """The statements of a function that writes into a list or the like in a field, or is `needed`, for this place; None for
        others. What only gives a value is written there where others are, too."""
        text = lifted.text
        stmts = text.statements() if text is not None else []
        asks = self.program.inline and text is not None and text.only_asks()
        wanted = asks or text is not None and (needed or text.writes_in_place(self.program.inline))
        if not wanted or lifted.running or not asks and (self.lazy or self.guarded):
            return None
        returns = sum(isinstance(n, gast.Return) for n in inside(stmts))
        defined = any(isinstance(n, (*DEFINITIONS, gast.Lambda, gast.Global, gast.Nonlocal)) for n in inside(stmts))
        given = arguments_of(lifted.source, args, keywords, text.given)
        parts = {v: self.part(*at(*key)) for key, v in text.variables.items() if key[0] in text.given}
        own = {v: part.id for v, part in parts.items() if isinstance(part, gast.Name)}
        parts = {v: part for v, part in parts.items() if v not in own}
        stored = {n for s in stmts for n in tree.names(s, gast.Store)}
        local = stored | set(text.local)
        outer = {n for s in stmts for n in tree.names(s, gast.Load)} - local - own.keys() - parts.keys()
        alike = all(n in self.program.visible or n not in self.local and n not in self.variables.values()
                    and text.resolver.name(n) is self.resolver.name(n) for n in outer - {*self.program.lifted_names()})
        if given is None or defined or not alike or returns > isinstance(stmts[-1], gast.Return):
            return None
        names, front, values = dict(own), [], {}
        for p, v in given.items():
            plain = tree.is_atom(v) or asks and all(isinstance(n, SIMPLE) for n in tree.walk(v))
            if p in stored or not plain or getattr(v, 'id', None) in own.values() and not asks:
                names[p] = self.names.fresh(p)
                front.append(gast.Assign(targets=[tree.store(names[p])], value=v, type_comment=None))
            else:
                values[p] = v
        names.update({n: self.names.fresh(n) for n in sorted(stored) if n not in names and n not in parts})
        found = [tree.substitute(tree.rename(s, names), values) for s in stmts]
        found = [at_places(s, parts) for s in found] if parts else found
        for s in found if lifted.source.filename == self.source.filename else ():
            s.in_place = True                                              # lines of one file are told apart
        return None if front and (self.lazy or self.guarded) else front + found

    def statements(self):
        return [s for s in self.body if not tree.is_text(s)]

    def only_asks(self):
        """Whether it does nothing but give a value."""
        return not self.sets and [type(s) for s in self.statements()] == [gast.Return]

    def fields_written(self, body):
        """Names of fields whose arrays and lists statements write into."""
        names = stored_into(body)
        for call in (n for s in body for n in tree.walk(s) if isinstance(n, gast.Call)):
            function = self.resolver(call.func)
            given = [e for part in self.program.effects(function, call) for e in part] + outputs(function, call)
            given += [call.func] if getattr(call.func, 'attr', None) in WRITERS else []
            names |= {tree.root_name(e) for e in given}
        return {path[-1] for (_, path), variable in self.variables.items() if variable in names}

    def writes_in_place(self, everything):
        """Whether it writes into what fields hold, by methods or, with `everything`, by indices and `self.x += v`."""
        fields = {v for (p, _), v in self.variables.items() if p in self.given}
        nodes = [n for s in self.body for n in tree.walk(s)]
        by_methods = any(isinstance(n, gast.Call) and (
            isinstance(n.func, gast.Attribute) and n.func.attr in WRITERS and tree.root_name(n.func) in fields
            or n.args and tree.root_name(n.args[0]) in fields and facts.home(self.resolver(n.func)) == '_heapq') for n in nodes)
        return by_methods or everything and any(
            isinstance(n, gast.Subscript) and not isinstance(n.ctx, gast.Load) and tree.root_name(n) in fields
            or isinstance(n, gast.AugAssign) and getattr(n.target, 'id', None) in fields for n in nodes)

    def in_line(self, body, lifted, given, target):
        """What stands for the value of a call in whose place these statements are."""
        last = body.pop() if isinstance(body[-1], gast.Return) else None
        self.front += body
        found = [] if last is None or last.value is None else list(last.value.elts) if isinstance(last.value, gast.Tuple) \
            and (lifted.sets or lifted.result) else [last.value]
        found = found[:len(found) - len(lifted.sets)]
        if lifted.itself is not None:
            return given[lifted.itself]
        if lifted.result is not None:
            owner, value = self.destination(target, lifted.result)
            self.bound_anew(owner)
            for v, e in zip(self.stores(owner), found):
                self.front.append(gast.Assign(targets=[v], value=e, type_comment=None))
            return value
        if found and isinstance(target, gast.Name) and target.id not in self.objects and hasattr(last, 'in_place'):
            bound = gast.Assign(targets=[tree.store(target.id)], value=found[0], type_comment=None)
            bound.in_place = True
            self.front.append(gast.copy_location(bound, last))
            return DONE
        return found[0] if found else tree.constant(None)

    def given_to(self, function, args, keywords):
        """(parameter -> Owner, the other arguments, those with keywords) of a call; refuses what cannot be told."""
        owners = [v for v in [*args, *(v for _, v in keywords)] if isinstance(v, Owner)]
        owner = owners[0] if owners else self.any()
        if not is_plain_function(function) or tree.starred(args):
            raise Whole(owner)
        taken = spelled.source_of(function).tree.args
        params = [a.id for a in taken.posonlyargs + taken.args]
        given = {}
        for k, v in enumerate(args):
            if isinstance(v, Owner):
                if k >= len(params):
                    raise Whole(v)
                given[params[k]] = v
        given.update({n: v for n, v in keywords if isinstance(v, Owner)})
        if not given.keys() <= {*params, *(a.id for a in taken.kwonlyargs)}:
            raise Whole(owner)
        return given, [v for v in args if not isinstance(v, Owner)], [(n, v) for n, v in keywords if not isinstance(v, Owner)]

    # Making objects

    def make(self, node, form, given, target=None):
        """A call of a class: the fields of an object are set."""
        if self.lazy or self.guarded:
            raise Whole(Owner('', (), form))
        owner, value = self.destination(target, form)
        kind, own = form.kind, {v for _, v in self.leaves(owner)} | {owner.name}
        given = [self.kept(v, self.front) if not isinstance(v, Owner) and not own.isdisjoint(tree.names(v, gast.Load)) else v
                 for v in given]
        if any(isinstance(v, Owner) and v.name == owner.name for v in given):
            raise Whole(owner)
        count = len(node.args)
        args, keywords = given[:count], list(zip([k.arg for k in node.keywords], given[count:]))
        first, known = kind.__init__, set(form.given)
        if first is object.__init__ and given:
            raise Whole(owner)
        for name in form.given:
            self.set(owner, name, self.of_class(kind, name))
        if is_record(kind):
            known |= self.make_record(owner, node, args, keywords)
            first, args, keywords = getattr(kind, '__post_init__', None), [], []
        if isinstance(first, types.FunctionType):
            first, names = self.spelled(first, len(args) + 1, [n for n, _ in keywords])
            keywords = [(names.get(n, n), v) for n, v in keywords]
        if isinstance(first, (types.FunctionType, spelled.Spelled)) and not self.in_place(first, owner, args, keywords):
            made = self.invoke(node, first, [owner, *args], keywords, new=True)
            if isinstance(made, gast.Call):                            # which sets no field, and may do other things
                self.front.append(gast.copy_location(gast.Expr(value=made), node))
            lifted = self.program.lifted[first, self.forms_of(first, [owner, *args], keywords)]
            if any(path[0] not in known for p, path in lifted.takes if p == self.first_of(first)):
                self.unset.append(owner)                               # it reads a field, or does not always set it
        return value

    def forms_of(self, function, args, keywords):
        return tuple([(p, o.form) for p, o in self.given_to(function, args, keywords)[0].items()])

    @staticmethod
    def first_of(function):
        return spelled.source_of(function).tree.args.args[0].id

    def in_place(self, init, owner, args, keywords):
        """Set the fields as an `__init__` does that does nothing else, with arguments for parameters; whether it is one."""
        found = fields_set(init) if is_plain_function(init) else None
        if not found or tree.starred(args) or any(n is None for n, _ in keywords):
            return False
        source = spelled.source_of(init)
        params = [a.id for a in source.tree.args.args][1:]
        given = arguments_of(source, args, keywords)
        outer = {n for _, e in found for n in tree.names(e, gast.Load)} - set(params)
        resolver = resolver_of(source)
        alike = all(n not in self.local and resolver.name(n) is self.resolver.name(n) is not UNKNOWN for n in outer)
        if given is None or not alike:
            return False
        self.resolver.outer |= outer
        values = {p: v.expression() if isinstance(v, Owner) else v for p, v in given.items()}
        hidden = {n for _, e in found for part in tree.walk(e) if isinstance(part, gast.ListComp) for n in own_names(part)}
        if not hidden.isdisjoint(n for v in values.values() for n in tree.names(v, gast.Load)):
            return False
        large = [p for p, v in given.items() if not isinstance(v, Owner) and not tree.is_atom(v)]
        rows = [getattr(e, 'id', None) for _, e in found]
        last = rows.index(large[-1]) if large and large[-1] in rows else -1
        in_order = [p for p in rows if p in large] == large and all(tree.is_atom(e) for _, e in found[:last + 1]) \
            and all(tree.names(e, gast.Load).count(p) == (row == p) for p in large for row, (_, e) in zip(rows, found))
        for p in () if in_order else large:
            values[p] = self.kept(values[p], self.front)
        for name, e in found:
            value = tree.substitute(tree.clone(e), values)
            inner = owner.inner(name) if isinstance(owner.form.field(name), Form) else None
            value = value if getattr(e, 'id', None) in large else self.visit(value, inner)
            if value is not DONE:
                self.set(owner, name, value)
        return True

    def make_record(self, owner, node, args, keywords):
        """The same for a dataclass: the names of its fields."""
        fields = {f.name: f for f in dataclasses.fields(owner.form.kind)}
        if any(map(starred, [*node.args, *node.keywords])):
            raise Whole(owner)
        try:
            bound = inspect.signature(owner.form.kind).bind(*args, **dict(keywords)).arguments
        except TypeError:
            raise Whole(owner) from None
        rest = {n: default(f) for n, f in fields.items() if n not in bound}
        if ABSENT in rest.values():                                    # a default that no text says
            raise Whole(owner)
        for name, value in [*bound.items(), *((n, tree.clone(value)) for n, value in rest.items())]:
            self.set(owner, name, value)
        return set(fields)

    def is_own_list(self, value):
        """Whether an expression is a variable for a list or dict that the text makes at this level, and binds once."""
        if not isinstance(value, gast.Name) or value.id in self.params or self.rows.loops or self.guarded or self.lazy:
            return False
        body = self.source.tree.body
        bound = [s for s in body if tree.target(s) == value.id]
        stores = [n for n in inside(body) if isinstance(n, gast.Name) and n.id == value.id and not isinstance(n.ctx, gast.Load)]
        return len(bound) == len(stores) == 1 and isinstance(bound[0].value, (gast.List, gast.ListComp, gast.Dict))

    def set(self, owner, name, value):
        """Set a field of an object that is being made."""
        form = owner.form.field(name)
        if isinstance(form, Form) and form.many and not isinstance(value, Owner) and made_by(value) is form.many:
            self.rows.emptied(owner.inner(name))
            return
        if isinstance(value, Owner):
            if form != value.form:
                inner = Many(value.form.kind, value.form.many) if value.form.many else value.form.kind
                raise Refined(owner.form.kind, name, inner) if form is None else Whole(value)
            self.moved(owner.inner(name), value)
            return
        if form is not None:
            raise Whole(Owner('', (), form if isinstance(form, Form) else owner.form))
        self.changed.add(owner.part(name))
        if self.is_own_list(value) and not owner.path \
                and (owner.form.kind, name) not in self.program.rebound and self.rows.is_bound_once(owner.name):
            self.variables[owner.part(name)] = value.id                 # the list has one name
            self.shown.add(value.id)
            return
        target = self.part(*owner.part(name), gast.Store())
        self.front.append(gast.Assign(targets=[target], value=value, type_comment=None))


def placed(stmt, s):
    """A statement that stands for another one, and all in it, at its place, if it has none of its own."""
    for t in tree.every([stmt]) if not hasattr(stmt, 'in_place') else ():
        gast.copy_location(t, s)
    return stmt


def settled(value, node):
    """A constant that is known because something is an object."""
    found = gast.copy_location(tree.constant(value), node)
    found.settled = True
    return found


def listed(value):
    """(place, part) for the parts of a field of a node."""
    parts = enumerate(value) if isinstance(value, list) else [(None, value)]
    return [(k, part) for k, part in parts if isinstance(part, gast.AST) and part.__dict__]


def fields_set(init):
    """(attribute, expression) for a method that does nothing but give attributes what its parameters tell; else None."""
    function = spelled.source_of(init).tree
    own = next((a.id for a in function.args.args), None)
    found = []
    for s in function.body:
        if tree.is_text(s):
            continue
        target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else getattr(s, 'target', None)
        value = getattr(s, 'value', None) if isinstance(s, (gast.Assign, gast.AnnAssign)) else None
        for t, e in tree.side_by_side(target, value):
            field = isinstance(t, gast.Attribute) and isinstance(t.value, gast.Name) and t.value.id == own
            if not field or e is None or any(getattr(n, 'id', None) == own for n in tree.walk(e)) \
                    or not is_simple(e, tree.names(function.args, gast.Param)):
                return None
            found.append((t.attr, e))
    names = [n for n, _ in found]
    return found if len(set(names)) == len(names) else None


def is_simple(expr, params):
    """Whether there is no scope in an expression but those of lists that are made at once, whose names are no parameters."""
    scopes = [n for n in tree.walk(expr) if isinstance(n, SCOPED)]
    return all(isinstance(n, gast.ListComp) and own_names(n).isdisjoint(params) for n in scopes)


def arguments_of(source, args, keywords, objects=None):
    """Parameter -> argument for a call of a method, in the order in which they are evaluated; None if some are not known.

    objects : the parameters that are given objects; else the first is
    """
    taken = source.tree.args
    params = [a.id for a in taken.args if a.id not in objects] if objects is not None else [a.id for a in taken.args][1:]
    given = {**dict(zip(params, args)), **dict(keywords)}
    defaults = dict(zip(params[::-1], taken.defaults[::-1]))
    rest = {p: defaults.get(p) for p in params if p not in given}
    fits = not (taken.vararg or taken.kwarg or taken.kwonlyargs or taken.posonlyargs) and given.keys() <= set(params) \
        and len(args) <= len(params) and len(given) == len(args) + len(keywords)
    return {**given, **rest} if fits and all(isinstance(d, gast.Constant) for d in rest.values()) else None


def starred(argument):
    return isinstance(argument, gast.Starred) or isinstance(argument, gast.keyword) and argument.arg is None


def bare(parameter):
    return tree.replace(parameter, annotation=None)


def is_plain_function(function):
    """Whether it is a function that a text can stand for: no generator, no coroutine, nothing wrapped."""
    plain = spelled.written(function)
    if not isinstance(plain, types.FunctionType) or plain.__code__.co_flags & 0x2a0 or hasattr(plain, '__wrapped__'):
        return False
    try:
        spelled.source_of(function)
    except TangentError:
        return False
    return True


def together(targets):
    """One target, or several at once."""
    return targets[0] if len(targets) == 1 else gast.Tuple(elts=targets, ctx=gast.Store())
