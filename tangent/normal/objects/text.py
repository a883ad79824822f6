"""One function, written anew with the fields of objects as variables.

Expressions keep their order: where a call gives back fields that it has bound anew it becomes a statement of its own, and
what was evaluated before it is given a name before it.
"""
from __future__ import annotations

import dataclasses
import inspect
import math
import types
from typing import NamedTuple

import gast
import numpy as np

from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.definite_assignment import Bound
from tangent.frontend.dependencies import note_held
from tangent.frontend.resolve import UNKNOWN, local_names
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS, inside, own_names
from tangent.frontend.source import read
from tangent.normal.constructors import is_generated
from tangent.normal.objects.forms import ABSENT, Form, default, form_of, is_data, resolver_of
from tangent.runtime import facts
from tangent.runtime.objects import definition
from tangent.templates.language import registry

SCOPED = (gast.Lambda, *COMPREHENSIONS, gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)
PLAINLY = 'property', 'staticmethod', 'abstractmethod', 'abc.abstractmethod', 'override', 'typing.override'
SHOWN = {'__init__': 'init', '__call__': 'call', '__post_init__': 'post_init'}


class Whole(Exception):
    """A variable has to hold an object as it is; `name` is that variable."""

    def __init__(self, name):
        super().__init__(name)
        self.name = name


class Owner(NamedTuple):
    """An expression that denotes an object which is taken apart: a variable, and the path from there."""
    name: str
    path: tuple
    form: Form

    def part(self, name):
        """What says which field it is: the variable and the path."""
        return self.name, (*self.path, name)


class Text:
    """unset : variables of objects with fields that may be read before they are set, as far as is known by now
    objects : variable -> Form
    lifted : the Lifted that it is the text of, None for the function that makes the objects
    """

    def __init__(self, program, source, given, lifted=None, kept=()):
        self.program, self.source, self.lifted, self.given = program, source, lifted, given
        function = source.tree
        self.resolver = resolver_of(source)
        self.local = local_names(function)
        self.objects = {**given, **self.made_here(function, kept, given)}
        names = {n.id for n in tree.walk(function) if isinstance(n, gast.Name)} | self.local
        self.names = tree.Names(names | program.names.taken)
        self.variables, self.front, self.lazy, self.guarded, self.count = {}, [], 0, 0, 0
        self.around = source.closure.get('__class__')
        self.own = next((a.id for a in function.args.posonlyargs + function.args.args), None)
        if not self.objects:
            return
        returned = [n.value for n in inside(function.body) if isinstance(n, gast.Return)]
        self.itself = any(getattr(e, 'id', None) in given for e in returned)
        self.value = any(e is not None and not is_none(e) for e in returned) and not self.itself
        self.changed, self.unset = set(), []
        body = self.block(function.body)
        self.sets = tuple([(p, path) for p, form in given.items() for path in form.leaves() if (p, path) in self.changed])
        self.body = [self.returning(s) for s in body]
        if self.sets and not isinstance(body[-1], (gast.Return, gast.Raise)):
            self.body.append(gast.copy_location(gast.Return(value=self.returned(tree.constant(None))), function.body[-1]))
        bound = Bound(self.body, self.local - set(self.variables.values()))
        self.takes = tuple([(p, path) for p, form in given.items() for path in form.leaves()
                            if self.variables.get((p, path)) in bound.first])
        self.unset += [name for (name, _), v in self.variables.items() if name not in given and v in bound.first]
        self.count = len(program.lifted)

    def made_here(self, function, kept, given):
        """Local variable -> Form of the objects that are made for it."""
        stores: dict = {}
        for n in inside(function.body):
            if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load):
                stores[n.id] = stores.get(n.id, 0) + 1
        found, params = {}, set(tree.names(function.args, gast.Param))
        for s in inside(function.body):
            if tree.target(s) and isinstance(s.value, gast.Call) and s.targets[0].id not in params.union(kept, given):
                kind = self.resolver(s.value.func)
                form = form_of(kind, self.program.deep) if isinstance(kind, type) else None
                if form is not None:
                    found.setdefault(s.targets[0].id, []).append(form)
        hidden = {n for s in inside(function.body) if isinstance(s, (*DEFINITIONS, gast.Lambda, *COMPREHENSIONS))
                  for n in own_names(s)}
        hidden |= {n for s in inside(function.body) if isinstance(s, (gast.Global, gast.Nonlocal)) for n in s.names}
        return {n: forms[0] for n, forms in found.items()
                if len(forms) == stores[n] and all(f == forms[0] for f in forms) and n not in hidden}

    # The definition

    def definition(self, name):
        function = self.source.tree
        args = tree.replace(function.args, **{f: [bare(a) for a in getattr(function.args, f)]
                                              for f in ('posonlyargs', 'args', 'kwonlyargs')}) if self.lifted else function.args
        if self.lifted:
            args = self.parameters(args)
        return tree.replace(function, name=name, args=args, body=self.body, decorator_list=[] if self.lifted
                            else function.decorator_list, returns=None)

    def parameters(self, args):
        """Parameters with fields in place of objects, which come first."""
        positional = args.posonlyargs + args.args
        first = len(positional) - len(args.defaults)
        defaults = [d for a, d in zip(positional[first:], args.defaults) if a.id not in self.given]
        fields = [gast.Name(id=self.variables[key], ctx=gast.Param(), annotation=None, type_comment=None) for key in self.takes]
        only = [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults) if a.id not in self.given]
        return tree.replace(args, posonlyargs=[], args=fields + [a for a in positional if a.id not in self.given],
                            defaults=defaults, kwonlyargs=[a for a, _ in only], kw_defaults=[d for _, d in only])

    @property
    def defaults(self):
        """The values of the defaults that are left."""
        args = self.source.tree.args
        positional = (args.posonlyargs + args.args)[::-1]
        values = zip(positional, self.source.defaults[::-1])
        return tuple([v for a, v in values if a.id not in self.given])[::-1]

    def returning(self, s):
        """The statement with fields that were bound anew in what it, or one in its blocks, gives back."""
        if not self.sets or isinstance(s, (*DEFINITIONS, gast.ClassDef)):
            return s
        if isinstance(s, gast.Return):
            return tree.replace(s, value=self.returned(s.value or tree.constant(None)))
        blocks = {field: [self.returning(t) for t in block] for field, block in tree.blocks(s)}
        if isinstance(s, gast.Match):
            blocks['cases'] = [tree.replace(c, body=[self.returning(t) for t in c.body]) for c in s.cases]
        return tree.replace(s, **blocks) if blocks else s

    def returned(self, value):
        elts = [value] * self.value + [tree.load(self.variable(*key)) for key in self.sets]
        return elts[0] if len(elts) == 1 else gast.Tuple(elts=elts, ctx=gast.Load())

    # Variables

    def variable(self, name, path):
        """The variable for a field."""
        if (name, path) not in self.variables:
            base = '_'.join(p.strip('_') or 'field' for p in path)
            if name not in self.given or base in self.names.taken:
                base = f'{name.strip("_") or "own"}_{base}'
            self.variables[name, path] = self.names.fresh(base)
        return self.variables[name, path]

    def owner(self, expr):
        """The Owner for an expression that denotes an object which is taken apart, or None."""
        if isinstance(expr, gast.Name) and expr.id in self.objects:
            return Owner(expr.id, (), self.objects[expr.id])
        if isinstance(expr, gast.Attribute):
            above = self.owner(expr.value)
            form = above.form.field(expr.attr) if above else None
            if isinstance(form, Form):
                return Owner(above.name, (*above.path, expr.attr), form)
        if tree.is_call(expr, 'super') and not expr.args and self.own in self.given:
            return Owner(self.own, (), self.given[self.own])
        return None

    # Statements

    def block(self, stmts):
        out = []
        for s in stmts:
            out += self.statement(s)
        return out

    def statement(self, s):
        """The statements in place of one."""
        outer, self.front = self.front, []
        try:
            if isinstance(s, gast.Return) and self.itself:
                if getattr(s.value, 'id', None) != self.own:
                    raise Whole(self.any())
                return [tree.replace(s, value=None)]
            if isinstance(s, (*DEFINITIONS, gast.ClassDef)):
                return [self.inside(s)]
            if isinstance(s, gast.While):
                return self.loop(s)
            if isinstance(s, gast.Assign) and len(s.targets) == 1:
                new = self.assignment(s, s.targets[0], s.value)
            elif isinstance(s, gast.AnnAssign) and s.value is not None and self.owner(getattr(s.target, 'value', None)):
                new = self.assignment(s, s.target, s.value)
            elif isinstance(s, gast.Expr) and isinstance(s.value, gast.Call):
                value = self.call(s.value, ())
                new = [] if value is None or is_none(value) else [tree.replace(s, value=value)]
            else:
                new = [self.parts(s)]
            return [gast.copy_location(t, s) for t in self.front] + new
        finally:
            self.front = outer

    def assignment(self, s, target, value):
        """`target = value`; what an object is made with goes to its fields."""
        owner = self.owner(target)
        if owner is not None:
            made = isinstance(value, gast.Call) and self.resolver(value.func) is owner.form.kind
            if not made or owner.name in self.given and not owner.path:
                raise Whole(owner.name)
            self.make(owner, value)
            return []
        owner = self.owner(getattr(target, 'value', None))
        held = self.held(target, owner) if owner and owner.form.field(target.attr) is ABSENT else None
        if isinstance(held, property) and isinstance(held.fset, types.FunctionType):
            value = self.invoke(s, held.fset, {self.first_of(held.fset): owner}, [value], target=())
            return [] if value is None else [gast.copy_location(gast.Expr(value=value), s)]
        if isinstance(target, gast.Name) and isinstance(value, gast.Call):
            call = self.call(value, target)
            return [] if call is None else [tree.replace(s, value=call)]
        new = self.expr(value)
        before = len(self.front)
        target = self.expr(target)
        if len(self.front) != before:
            raise Whole(self.any())
        return [gast.copy_location(gast.Assign(targets=[target], value=new, type_comment=None), s)]

    def parts(self, s):
        """Any other statement: what its header evaluates, then its blocks."""
        fields, blocks = {}, dict(tree.blocks(s))
        guarded = isinstance(s, gast.Try) or isinstance(s, gast.With) and not all(map(self.lets_through, s.items))
        for field, value in gast.iter_fields(s):
            if field in (*blocks, 'cases') or not isinstance(value, (gast.AST, list)):
                continue
            before = len(self.front)
            fields[field] = self.expr(value) if isinstance(value, gast.AST) and value.__dict__ else value \
                if isinstance(value, gast.AST) else [self.expr(v) if isinstance(v, gast.AST) else v for v in value]
            if len(self.front) != before and not (field in ('value', 'test', 'iter', 'subject') and self.keeps_order(s)):
                raise Whole(self.any())
        self.guarded += guarded
        for field, block in blocks.items():
            fields[field] = self.block(block) or ([gast.copy_location(gast.Pass(), s)] if block else [])
        self.guarded -= guarded
        if isinstance(s, gast.Match):
            fields['cases'] = [self.case(c) for c in s.cases]
        return tree.replace(s, **fields)

    def case(self, case):
        self.lazy += 1
        guard = case.guard and self.expr(case.guard)
        self.lazy -= 1
        return tree.replace(case, guard=guard, body=self.block(case.body))

    def keeps_order(self, s):
        """Whether what stands in front of the statement may be evaluated before everything else in it."""
        if isinstance(s, gast.AugAssign):
            changed = {n for t in self.front for n in tree.names(t, gast.Store)}
            owner = self.owner(getattr(s.target, 'value', None))
            own = self.variable(*owner.part(s.target.attr)) if owner else getattr(s.target, 'id', None)
            return own is not None and own not in changed
        return isinstance(s, (gast.Assign, gast.Return, gast.Expr, gast.If, gast.For, gast.Assert))

    def lets_through(self, item):
        """Whether a context manager is one that stops no exception."""
        called = self.resolver(getattr(item.context_expr, 'func', item.context_expr))
        return called is np.errstate

    def loop(self, s):
        """`while`, with a test that is evaluated in statements of its own where it sets fields."""
        test = self.expr(s.test)
        front, body, orelse = self.front, self.block(s.body), self.block(s.orelse)
        if not front:
            return [tree.replace(s, test=test, body=body, orelse=orelse)]
        if orelse:
            raise Whole(self.any())
        stop = [gast.copy_location(gast.Break(), s.test)]
        stop = gast.If(test=gast.copy_location(gast.UnaryOp(op=gast.Not(), operand=test), s.test), body=stop, orelse=[])
        front = [gast.copy_location(t, s.test) for t in (*front, stop)]
        return [tree.replace(s, test=gast.copy_location(tree.constant(True), s.test), body=front + body)]

    def any(self):
        """A variable to leave whole where it is not known which is in the way."""
        return next(iter(self.objects))

    # Expressions

    def expr(self, node):
        """The expression with fields for objects; what has to come before it is added to `front`."""
        owner = self.owner(node)
        if owner is not None:
            raise Whole(owner.name)
        if isinstance(node, gast.Attribute) and (owner := self.owner(node.value)) is not None:
            return self.attribute(node, owner)
        if isinstance(node, gast.Call):
            return self.call(node)
        if isinstance(node, (gast.Lambda, *COMPREHENSIONS, *DEFINITIONS)):
            return self.inside(node)
        if isinstance(node, (gast.Name, gast.Constant)):
            return node
        if isinstance(node, gast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (gast.Is, gast.IsNot)) \
                and self.owner(node.left) and is_none(node.comparators[0]):
            return gast.copy_location(tree.constant(isinstance(node.ops[0], gast.IsNot)), node)
        lazy = isinstance(node, (gast.BoolOp, gast.IfExp)) or isinstance(node, gast.Compare) and len(node.comparators) > 1
        return self.children(node, lazy)

    def inside(self, node):
        """What runs when it runs: a function, a comprehension. It may read fields there, nothing more."""
        self.lazy += 1
        new = tree.with_children(node, self.expr)
        self.lazy -= 1
        return new

    def children(self, node, lazy=False):
        """The node with its parts, evaluated in their order."""
        done: list = []                           # (place in front, new part, how it is put into the node)
        fields: dict = {}
        for field in node._fields:
            old = getattr(node, field, None)
            if isinstance(old, list):
                fields[field] = list(old)
            parts = enumerate(old) if isinstance(old, list) else [(None, old)]
            for k, part in parts:
                if not isinstance(part, gast.AST) or not part.__dict__:
                    continue
                first, before = not done, len(self.front)
                self.lazy += lazy and not first
                new = self.expr(part)
                self.lazy -= lazy and not first
                if len(self.front) > before:
                    if isinstance(node, gast.Dict):
                        raise Whole(self.any())
                    self.settle(done, before, fields)
                done.append((new, field, k))
                put(fields, field, k, new)
        if all(getattr(node, f, None) is v for f, v in fields.items() if not isinstance(v, list)) and all(
                a is b for f, v in fields.items() if isinstance(v, list) for a, b in zip(v, getattr(node, f))):
            return node
        return tree.replace(node, **fields)

    def settle(self, done, before, fields):
        """Give names to what was evaluated before the statements in front from that place on."""
        made, changed = [], {n for t in self.front[before:] for n in tree.names(t, gast.Store)}
        for j, (new, field, k) in enumerate(done):
            if not self.is_stable(new, changed):
                if not isinstance(new, gast.expr):
                    raise Whole(self.any())
                name = self.names.fresh('t')
                made.append(gast.Assign(targets=[tree.store(name)], value=new, type_comment=None))
                new = tree.load(name)
                done[j] = new, field, k
                put(fields, field, k, new)
        self.front[before:before] = made

    def is_stable(self, node, changed):
        """Whether an expression has the same value when these names have been bound anew."""
        if isinstance(node, gast.Name):
            return node.id not in changed
        known = isinstance(node, gast.Attribute) and self.resolver(node) is not UNKNOWN
        return known or isinstance(node, (gast.Constant, gast.Lambda))

    def attribute(self, node, owner):
        """The variable for a field, or what the class has by the name."""
        form = owner.form.field(node.attr) if not tree.is_call(node.value, 'super') else ABSENT
        if form is None:
            variable = self.variable(*owner.part(node.attr))
            if isinstance(node.ctx, gast.Load):
                return gast.copy_location(tree.load(variable), node)
            if isinstance(node.ctx, gast.Del) or self.lazy:
                raise Whole(owner.name)
            self.changed.add(owner.part(node.attr))
            return gast.copy_location(tree.store(variable), node)
        held = self.held(node, owner)
        if not isinstance(node.ctx, gast.Load) or held is ABSENT:
            raise Whole(owner.name)
        if isinstance(held, property) and isinstance(held.fget, types.FunctionType):
            return self.invoke(node, held.fget, {self.first_of(held.fget): owner})
        if is_data(held):
            return gast.copy_location(self.of_class(owner.form.kind, node.attr), node)
        raise Whole(owner.name)

    def held(self, node, owner):
        """What the class of an object has by the name of an attribute."""
        above = getattr(self.around, 'cell_contents', None) if tree.is_call(node.value, 'super') else None
        kind = definition(owner.form.kind, node.attr, above)
        return ABSENT if kind is None else vars(kind)[node.attr]

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

    def call(self, node, target=None):
        """A call. One that binds fields anew stands in front, and its value has a new name.

        target : the name that is assigned the value, () where nobody reads it: then None is left of such a call
        """
        func = node.func
        owner = self.owner(func)
        if owner is not None:
            return self.method(node, '__call__', owner, target)
        if isinstance(func, gast.Attribute) and (owner := self.owner(func.value)) is not None and (
                tree.is_call(func.value, 'super') or owner.form.field(func.attr) is ABSENT):
            return self.method(node, func.attr, owner, target)
        if any(map(self.owner, tree.arguments(node))):
            function = self.resolver(func)
            if getattr(function, 'py_func', None) is not None or not isinstance(function, types.FunctionType) \
                    or registry.lookup(function) is not None or facts.in_library(function):
                raise Whole(next(o for o in map(self.owner, tree.arguments(node)) if o).name)
            return self.handed(node, function, None, target)
        return self.children(node)

    def method(self, node, name, owner, target):
        held = self.held(node.func, owner) if name == getattr(node.func, 'attr', None) else owner.form.held(name)
        if held is ABSENT and name == '__init__' or held is object.__init__:        # super().__init__() at the top
            if node.args or node.keywords:
                raise Whole(owner.name)
            return tree.constant(None)
        if isinstance(held, staticmethod) and isinstance(held.__func__, types.FunctionType):
            return self.children(tree.replace(node, func=self.named(held.__func__)))
        if not isinstance(held, types.FunctionType):
            raise Whole(owner.name)
        return self.handed(node, held, owner, target)

    def handed(self, node, function, owner, target):
        """A call of a function that is given objects, `owner` for its first parameter."""
        given, taken = {}, read(function).tree.args
        params = [a.id for a in taken.posonlyargs + taken.args]
        if owner is not None:
            if not params:
                raise Whole(owner.name)
            given[params[0]] = owner
        rest = params[len(given):]
        args, keywords = [], []
        for k, a in enumerate(node.args):
            found = self.owner(a)
            if found is not None and (k >= len(rest) or any(isinstance(b, gast.Starred) for b in node.args[:k])):
                raise Whole(found.name)
            if found is not None:
                given[rest[k]] = found
            else:
                args.append(a)
        for k in node.keywords:
            found = self.owner(k.value)
            if found is not None:
                given[k.arg] = found
            else:
                keywords.append(k)
        return self.invoke(node, function, given, args, keywords, target)

    def first_of(self, function):
        return next((a.id for a in read(function).tree.args.args), None)

    def invoke(self, node, function, given, args=(), keywords=(), target=None):
        """The call of the function that takes fields, see `call`."""
        owners = list(given.values())
        fits = is_plain_function(function) and given.keys() <= set(inspect.signature(function).parameters)
        if not fits or nested_in(owners):
            raise Whole(owners[0].name)
        wish = f'{owners[0].form.kind.__name__}_{SHOWN[function.__name__]}' if function.__name__ in SHOWN \
            else function.__name__.strip('_')
        lifted = self.program.lift(function, tuple([(p, o.form) for p, o in given.items()]), wish or 'method')
        name = tree.load(lifted.nested.__name__)
        call = self.children(gast.copy_location(gast.Call(func=name, args=list(args), keywords=list(keywords)), node))
        if lifted.failed or lifted.sets and (self.lazy or self.guarded) or lifted.itself and target != ():
            raise Whole(owners[0].name)
        at = lambda p, path: (given[p].name, given[p].path + path)  # noqa: E731
        fields = [tree.load(self.variable(*at(*key))) for key in lifted.takes]
        call = tree.replace(call, args=[*fields, *call.args])
        if not lifted.sets:
            return call
        self.changed.update(at(*key) for key in lifted.sets)
        stored = [tree.store(self.variable(*at(*key))) for key in lifted.sets]
        value = target or tree.store(self.names.fresh('t'))
        if lifted.value:
            stored.insert(0, value)
        stored = stored[0] if len(stored) == 1 else gast.Tuple(elts=stored, ctx=gast.Store())
        self.front.append(gast.Assign(targets=[stored], value=call, type_comment=None))
        if target and not lifted.value:
            self.front.append(gast.Assign(targets=[target], value=tree.constant(None), type_comment=None))
        return None if target is not None else tree.load(value.id) if lifted.value else tree.constant(None)

    def make(self, owner, node):
        """Set the fields of an object that is made here."""
        kind, form = owner.form.kind, owner.form
        if self.lazy or self.guarded or any(map(self.owner, tree.arguments(node))):
            raise Whole(owner.name)
        first, args, known = kind.__init__, (node.args, node.keywords), set(form.given)
        if is_generated(first):
            known |= self.make_record(owner, node)
            first, args = getattr(kind, '__post_init__', None), ((), ())
        for name in form.given:
            self.set(owner, name, self.of_class(kind, name))
        if (plain := self.in_place(first, owner, *args)) is not None:
            for name, value in plain:
                inner = owner.form.field(name)
                if isinstance(inner, Form):
                    self.make(Owner(*owner.part(name), inner), value)
                else:
                    self.set(owner, name, value)
        elif isinstance(first, types.FunctionType):
            own = self.first_of(first)
            value = self.invoke(node, first, {own: owner}, *args, target=())
            lifted = self.program.lifted[first, ((own, form),)]
            if any(path[0] not in known for _, path in lifted.takes):              # it reads one, or does not always set it
                self.unset.append(owner.name)
            known |= {path[0] for _, path in lifted.sets}
            if value is not None:
                self.front.append(gast.Expr(value=value))

    def in_place(self, init, owner, args, keywords):
        """(field, expression) for an `__init__` that does nothing but set these, with arguments for parameters; else None."""
        found = fields_set(init) if is_plain_function(init) else None
        if not found or any(map(starred, [*args, *keywords])):
            return None
        source = read(init)
        params = [a.id for a in source.tree.args.args][1:]
        given = arguments_of(source, args, keywords)
        outer = {n for _, e in found for n in tree.names(e, gast.Load)} - set(params)
        resolver = resolver_of(source)
        alike = all(n not in self.local and resolver.name(n) is self.resolver.name(n) is not UNKNOWN for n in outer)
        if given is None or not alike:
            return None
        before = len(self.front)
        values = {p: self.expr(e) for p, e in given.items()}
        own = {v for (name, _), v in self.variables.items() if name == owner.name}
        if len(self.front) > before or any(not own.isdisjoint(tree.names(e, gast.Load)) for e in values.values()):
            del self.front[before:]
            return None
        large = [p for p, e in values.items() if not tree.is_atom(e)]
        rows = [getattr(e, 'id', None) for _, e in found]
        last = rows.index(large[-1]) if large and large[-1] in rows else -1
        in_order = [p for p in rows if p in large] == large and all(tree.is_atom(e) for _, e in found[:last + 1]) \
            and all(tree.names(e, gast.Load).count(p) == (row == p) for p in large for row, (_, e) in zip(rows, found))
        for p in () if in_order else large:
            name = self.names.fresh(p)
            self.front.append(gast.Assign(targets=[tree.store(name)], value=values[p], type_comment=None))
            values[p] = tree.load(name)
        return [(name, tree.substitute(tree.clone(e), values)) for name, e in found]

    def make_record(self, owner, node):
        """The same for a dataclass: the names of its fields."""
        fields = {f.name: f for f in dataclasses.fields(owner.form.kind)}
        if any(map(starred, [*node.args, *node.keywords])):
            raise Whole(owner.name)
        try:
            bound = inspect.signature(owner.form.kind).bind(*node.args, **{k.arg: k.value for k in node.keywords}).arguments
        except TypeError:
            raise Whole(owner.name) from None
        values = [(n, self.expr(v)) for n, v in bound.items()]
        for name, value in values + [(n, tree.clone(default(f))) for n, f in fields.items() if n not in bound]:
            self.set(owner, name, value)
        return fields.keys()

    def set(self, owner, name, value):
        if isinstance(owner.form.field(name), Form):
            raise Whole(owner.name)
        self.changed.add(owner.part(name))
        target = tree.store(self.variable(*owner.part(name)))
        self.front.append(gast.Assign(targets=[target], value=value, type_comment=None))


def fields_set(init):
    """(attribute, expression) for a method that does nothing but give attributes what its parameters tell; else None."""
    function = read(init).tree
    own = next((a.id for a in function.args.args), None)
    found = []
    for s in function.body:
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant):
            continue
        target = s.targets[0] if isinstance(s, gast.Assign) and len(s.targets) == 1 else getattr(s, 'target', None)
        value = getattr(s, 'value', None) if isinstance(s, (gast.Assign, gast.AnnAssign)) else None
        several = isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) and len(target.elts) == len(value.elts)
        for t, e in zip(target.elts, value.elts) if several else [(target, value)]:
            field = isinstance(t, gast.Attribute) and isinstance(t.value, gast.Name) and t.value.id == own
            if not field or e is None or any(isinstance(n, SCOPED) or getattr(n, 'id', None) == own for n in tree.walk(e)):
                return None
            found.append((t.attr, e))
    names = [n for n, _ in found]
    return found if len(set(names)) == len(names) else None


def arguments_of(source, args, keywords):
    """Parameter -> expression for a call of a method, in the order in which they are evaluated; None if some are not known."""
    taken = source.tree.args
    params = [a.id for a in taken.args][1:]
    given = {**dict(zip(params, args)), **{k.arg: k.value for k in keywords}}
    defaults = dict(zip(params[::-1], taken.defaults[::-1]))
    rest = {p: defaults.get(p) for p in params if p not in given}
    fits = not (taken.vararg or taken.kwarg or taken.kwonlyargs or taken.posonlyargs) and given.keys() <= set(params) \
        and len(args) <= len(params) and len(given) == len(args) + len(keywords)
    return {**given, **rest} if fits and all(isinstance(d, gast.Constant) for d in rest.values()) else None


def starred(argument):
    return isinstance(argument, gast.Starred) or isinstance(argument, gast.keyword) and argument.arg is None


def put(fields, field, k, new):
    if k is None:
        fields[field] = new
    else:
        fields[field][k] = new


def bare(parameter):
    return tree.replace(parameter, annotation=None)


def is_none(expr):
    return isinstance(expr, gast.Constant) and expr.value is None


def is_plain_function(function):
    """Whether it is a function that a text can stand for: no generator, no coroutine, nothing wrapped."""
    if not isinstance(function, types.FunctionType) or function.__code__.co_flags & 0x2a0 or hasattr(function, '__wrapped__'):
        return False
    try:
        decorators = read(function).tree.decorator_list
    except TangentError:
        return False
    return all(tree.dotted(d) in PLAINLY or getattr(d, 'attr', None) in ('setter', 'getter')
               for d in decorators)


def nested_in(owners):
    """Whether one object is part of another."""
    paths = [(o.name, *o.path) for o in owners]
    return any(a is not b and b[:len(a)] == a for a in paths for b in paths)
