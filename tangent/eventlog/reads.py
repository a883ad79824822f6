"""Expressions of the log form: one operation after the other, until a statement takes them for its step."""
import dataclasses
import functools
import inspect
import operator

import gast

from tangent.analysis.alias import COMPREHENSIONS, writes_out
from tangent.analysis.fences.aliased_updates import refuse_unseen
from tangent.analysis.generators import names_generator
from tangent.analysis.kinds import special
from tangent.analysis.kinds.infer import OWN
from tangent.analysis.kinds.values import Array, Items, Number, Parts
from tangent.errors import ArgumentError, ReverseNotImplementedError
from tangent.eventlog.entries import NUMERIC
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import DEFINITIONS, inside
from tangent.normal.ops import is_simple
from tangent.runtime import facts
from tangent.runtime.functions.operators import iterated
from tangent.runtime.references.table import is_keyed
from tangent.templates.language import registry


@dataclasses.dataclass
class Operation:
    """target = value; kind is 'rule', 'item', 'attribute', 'display' or 'sum' (of numbers or of sequences)."""
    target: str
    kind: str
    value: object
    data: object


class Reads:
    """Evaluates expressions: `value` gives an atom for each, with the operations that make it pending."""

    def __init__(self):
        self.made = set()                     # names of pending operations
        self.bound_inside = set()             # names that the body of the loop at hand binds
        self.numbers = surely_numbers(self.function, self.resolver, self.classes)
        self.assigned: dict = {}              # name -> what is assigned to it, None where that has no text of its own
        for s in (s for s in tree.walk(self.function) if isinstance(s, gast.Assign)):
            for target, value in (pair for t in s.targets for pair in tree.side_by_side(t, s.value)):
                for name in tree.names(target, gast.Store):
                    self.assigned.setdefault(name, []).append(value if isinstance(target, gast.Name) else None)
        self.rebound = {n for d in tree.walk(self.function) if isinstance(d, gast.Nonlocal) for n in d.names}
        self.kinds = {}                       # expressions that we have made -> their kind
        self.sure, self.things = set(), set()          # names that hold numbers alone; things, whose gradients are in the table
        self.axes = {}                        # names of arrays -> their axes, where nobody can give them others
        calls = [n for n in tree.walk(self.function) if isinstance(n, gast.Call)] if self.known is not None else []
        self.keeps_shapes = not any(self.is_call(n) and not self.appends(n) for n in calls)
        for name, kind in self.known.names.items() if self.known is not None else ():
            self.note_kind(name, kind)

    def value(self, expr):
        """A name or a passive expression for the value."""
        if not self.flows(expr):
            return self.passive_atom(expr)
        if isinstance(expr, gast.Name):
            return self.as_it_is(expr)
        atom = subset.handler(self, expr, self.source)(expr)
        if isinstance(atom, gast.Name):
            self.note_kind(atom.id, self.kind(expr))
        return atom

    def note_kind(self, name, kind):
        """Note of what kind that is which a name alone stands for."""
        if isinstance(kind, Number):
            self.sure.add(name)
        elif is_thing(kind):
            self.things.add(name)
        if isinstance(kind, Array) and self.keeps_shapes:
            self.axes[name] = kind.axes

    def kind(self, expr):
        """What is known of the value of an expression, or None."""
        return self.kinds.get(expr) or (self.known.of(expr) if self.known is not None else None)

    def as_it_is(self, name):
        """A variable that a call later in the statement may rebind, under another name."""
        if name.id not in self.rebound or not any(isinstance(n, gast.Call) for part in tree.header(self.s)
                                                  for n in tree.walk(part)):
            return name
        new = self.temporary('t')
        if self.flows(name):
            self.copy(self.make(new), name)
        else:
            self.put(new, name)
        return tree.load(new)

    def held(self, expr, base):
        """The value under a name that no later statement rebinds."""
        if isinstance(expr, gast.Constant):
            return expr
        name = self.names.fresh(base)
        if not self.flows(expr):
            self.temps.add(name)
            self.put(name, self.purged(expr))
            return tree.load(name)
        self.make(name)
        self.note_kind(name, self.kind(expr))
        self.assign_name(name, expr)
        return tree.load(name)

    def thing(self, expr):
        """A name for what is put somewhere or given to a call: the very object, where there is no derivative."""
        return self.value(expr) if self.flows(expr) else self.passive_atom(expr, whole=False)

    def passive_atom(self, expr, whole=True):
        """A passive expression that the adjoint can read again; under a name where it could have changed by then.

        whole : whether the adjoint reads its elements, so that it takes a copy of what is written into later
        """
        expr = self.purged(expr)
        if not whole and isinstance(expr, gast.Name) and expr.id not in self.rebound:
            return expr
        if isinstance(expr, gast.Constant) or isinstance(expr, gast.Name) and expr.id not in self.local:
            return expr
        if isinstance(expr, gast.Name) and expr.id in self.rebound:
            return self.as_it_is(expr)
        changes = any(self.aliases.is_mutated(n) for n in tree.names(expr, gast.Load))
        if is_simple(expr) and not changes and self.rebound.isdisjoint(tree.names(expr, gast.Load)):
            return expr
        name = self.temporary('t')
        whole = whole and bool(self.aliases.handed_on(expr))
        self.put(name, self.helper('copy', expr) if changes and whole else expr)
        return tree.load(name)

    def purged(self, expr):
        """The expression with the calls that the backward pass has to see evaluated before."""
        if isinstance(expr, COMPREHENSIONS):
            refuse_unseen(self.aliases, [gast.Expr(value=expr)], self.varied, self.source)
        if expr is None or not isinstance(expr, gast.AST) or not any(
                isinstance(n, (gast.Call, *COMPREHENSIONS)) and (isinstance(n, COMPREHENSIONS) or self.acts(n))
                for n in tree.walk(expr)):
            return expr
        if isinstance(expr, gast.Call) and self.acts(expr):
            if not isinstance(self.s, gast.Expr) or self.s.value is not expr:
                name = self.fresh()
                self.call(expr, name)
                return tree.load(name)
            self.call(expr, None)
            return tree.constant(None)
        if isinstance(expr, gast.BoolOp):
            return self.short_circuit(expr)
        if isinstance(expr, gast.Compare) and any(map(self.has_acting, expr.comparators[1:])):
            return self.chained(expr)
        if isinstance(expr, gast.IfExp):
            return self.chosen(expr)
        if isinstance(expr, (gast.Lambda, *COMPREHENSIONS)):
            return expr
        fields = {field: list(value) if isinstance(value, list) else value for field, value in gast.iter_fields(expr)}
        places = [(f, k) for f, v in fields.items() for k in (range(len(v)) if isinstance(v, list) else [None])
                  if isinstance(part_at(fields, f, k), gast.AST)]
        last = max(n for n, place in enumerate(places) if self.has_acting(part_at(fields, *place)))
        for n, (field, k) in enumerate(places):
            part = self.purged(part_at(fields, field, k))
            if n < last:
                part = self.settled(part)
            if k is None:
                fields[field] = part
            else:
                fields[field][k] = part
        return tree.replace(expr, **fields)

    def has_acting(self, expr):
        return any(isinstance(n, COMPREHENSIONS) or isinstance(n, gast.Call) and self.acts(n) for n in tree.walk(expr))

    def settled(self, expr):
        """A passive part of an expression under a name, where a call behind it may change what it is."""
        if isinstance(expr, (gast.Starred, gast.keyword, gast.FormattedValue)):
            return tree.replace(expr, value=self.settled(expr.value))
        if not isinstance(expr, gast.expr) or isinstance(expr, (gast.Constant, gast.Slice)) \
                or isinstance(expr, gast.Name) and expr.id not in self.rebound:
            return expr
        name = self.temporary('c')
        self.put(name, expr)
        return tree.load(name)

    def short_circuit(self, expr):
        """`a and f(x)` as an `if`, so that f is called when Python would call it."""
        self.flush_all()
        name = self.temporary('c')
        return self.in_turn(expr, name, lambda e: self.put(name, self.purged(e)))

    def in_turn(self, expr, name, bind):
        """The operands of `and` or `or` bound to a name one after the other, as long as Python would evaluate them."""
        bind(expr.values[0])
        for value in expr.values[1:]:
            test = tree.load(name) if isinstance(expr.op, gast.And) else tree.negation(tree.load(name))
            self.emit(tree.place(gast.If(test=test, body=self.block_of(bind, value), orelse=[]), tree.origin(self.s)))
        return tree.load(name)

    def either(self, expr, test, name, bind):
        """One of the two operands of `a if c else b` bound to a name."""
        body, orelse = self.block_of(bind, expr.body), self.block_of(bind, expr.orelse)
        self.emit(tree.place(gast.If(test=test, body=body, orelse=orelse), tree.origin(self.s)))
        return tree.load(name)

    def block_of(self, bind, expr):
        """The statements that bind the value of an expression."""
        outer, self.out = self.out, []
        bind(expr)
        made, self.out = self.out, outer
        return made

    def chained(self, expr):
        """`a < b < f(x)` as `a < b and b < f(x)`, with b evaluated once."""
        left, middle = (self.settled(self.purged(e)) for e in (expr.left, expr.comparators[0]))
        first = gast.Compare(left=left, ops=expr.ops[:1], comparators=[middle])
        rest = gast.Compare(left=middle, ops=expr.ops[1:], comparators=expr.comparators[1:])
        return self.short_circuit(gast.BoolOp(op=gast.And(), values=[first, rest]))

    def chosen(self, expr):
        """`f(x) if a else g(x)` as an `if`, so that only what Python would call is called."""
        self.flush_all()
        name, test = self.names.fresh('c'), self.purged(expr.test)
        self.temps.add(name)
        return self.either(expr, test, name, lambda e: self.put(name, self.purged(e)))

    # Kinds of expressions

    def operation(self, kind, value, data):
        name = self.temporary('t')
        self.made.add(name)
        self.pending.append(Operation(name, kind, value, data))
        return tree.load(name)

    def of_BinOp(self, expr):
        left, right = self.value(expr.left), self.value(expr.right)
        value = tree.replace(expr, left=left, right=right)
        if isinstance(expr.op, gast.Add) and not self.is_number(expr):
            self.flush(*[e for e in (left, right) if not self.computed(e)])
            return self.operation('sum', value, (left, right))
        rule = registry.operator(type(expr.op))
        if isinstance(expr.op, gast.Mult) and self.may_repeat(expr.left, expr.right):
            rule = registry.HELPERS['repeated']
        if isinstance(expr.op, gast.BitOr):
            rule = registry.HELPERS['united']
        return self.operation('rule', value, (rule, rule.bind([left, right], {})))

    def computed(self, atom):
        """Whether an atom is the value of a pending operation that gives numbers and arrays alone."""
        return any(op.target == getattr(atom, 'id', None) and op.kind == 'rule' and op.data[0].kind in NUMERIC
                   for op in self.pending)

    def may_repeat(self, left, right):
        """Whether a product may be a list so many times, for all that is known."""
        active, others = [e for e in (left, right) if self.flows(e)], [e for e in (left, right) if not self.flows(e)]
        if self.is_display(left) or self.is_display(right):          # what the list may hold flows through the number, too
            return True
        return len(active) == 1 and not self.is_number(active[0]) \
            and not (isinstance(others[0], gast.Constant) and isinstance(others[0].value, float))

    def is_display(self, expr, seen=()):
        """Whether an expression surely has a list or tuple as its value: a display, or what is made of one."""
        if isinstance(expr, gast.Name):
            made = self.assigned.get(expr.id, ())
            return expr.id not in (*self.params, *seen) and len(made) == self.stores[expr.id] > 0 and all(
                self.is_display(e, (*seen, expr.id)) for e in made)
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Mult)):
            return self.is_display(expr.left, seen) or self.is_display(expr.right, seen)
        return isinstance(expr, (gast.List, gast.Tuple, gast.ListComp))

    def is_number(self, expr):
        """Whether an expression surely has a number or an array as its value, not a list."""
        if isinstance(self.kind(expr), (Number, Array)):
            return True
        if isinstance(expr, gast.Constant):
            return isinstance(expr.value, (int, float, complex))
        if isinstance(expr, gast.Name):
            return expr.id in self.numbers
        if any(self.classes.define(*names) for names, _ in special.methods_run(expr)):
            return False
        if isinstance(expr, gast.BinOp) and self.is_display(expr):
            return False
        if isinstance(expr, gast.BinOp):
            sides = [self.is_number(e) for e in (expr.left, expr.right)]
            if not isinstance(expr.op, gast.Mult):
                return any(sides) or not isinstance(expr.op, gast.Add)
            floats = any(isinstance(e, gast.Constant) and isinstance(e.value, float) for e in (expr.left, expr.right))
            return all(sides) or floats or self.flows(expr.left) and self.flows(expr.right)        # a list so many times
        if isinstance(expr, gast.UnaryOp):
            return True
        found = self.resolver(expr.func) if isinstance(expr, gast.Call) else UNKNOWN
        rule = registry.lookup(found) if found is not UNKNOWN else None
        return rule is not None and rule.kind in ('elementwise', 'reduction', 'bilinear') and not joins(found, self.classes)

    def of_UnaryOp(self, expr):
        operand = self.value(expr.operand)
        rule = registry.operator(type(expr.op))
        return self.operation('rule', tree.replace(expr, operand=operand), (rule, rule.bind([operand], {})))

    def owner(self, expr):
        """The atom for something whose element or attribute is read: its gradient is kept in the table."""
        atom = self.value(expr)
        if any(op.target == atom.id and op.kind not in ('item', 'attribute') for op in self.pending):
            self.flush(atom)
        return atom

    def of_Subscript(self, expr):
        subset.refuse_passive(expr, self.flows, self.source)
        owner = self.owner(expr.value)
        index = self.index(expr.slice)
        return self.operation('item', tree.replace(expr, value=owner, slice=index), (owner, index))

    def index(self, index, hold=False):
        if isinstance(index, gast.Tuple):
            return tree.replace(index, elts=[self.index(e, hold) for e in index.elts])
        if isinstance(index, gast.Slice):
            parts = {k: getattr(index, k) for k in ('lower', 'upper', 'step')}
            return tree.replace(index, **{k: v if v is None else self.index(v, hold) for k, v in parts.items()})
        if self.flows(index) and not isinstance(index, gast.Name):
            atom = self.value(index)
            self.flush(atom)
            return atom
        if hold and not isinstance(index, gast.Constant):
            return self.held(index, 'i') if not self.flows(index) else index
        return self.passive_atom(index)

    def of_Attribute(self, expr):
        owner = self.owner(expr.value)
        return self.operation('attribute', tree.replace(expr, value=owner), (owner, expr.attr))

    def of_Tuple(self, expr):
        for e in expr.elts:
            if isinstance(e, gast.Starred):
                raise subset.unsupported(e, self.source, 'starred expressions', 'write out the elements, or use a slice')
        elements = [self.thing(e) for e in expr.elts]
        self.flush(*elements)
        pairs = [(tree.constant(k), e) for k, e in enumerate(elements)]
        return self.operation('display', tree.replace(expr, elts=elements), pairs)

    of_List = of_Tuple

    def of_Dict(self, expr):
        pairs = [(self.passive_atom(k), self.thing(v)) for k, v in zip(expr.keys, expr.values)]
        keys, values = [k for k, _ in pairs], [v for _, v in pairs]
        self.flush(*values)
        return self.operation('display', tree.replace(expr, keys=keys, values=values), pairs)

    def of_IfExp(self, expr):
        self.flush_all()
        test, name = self.purged(expr.test), self.fresh()
        self.several.add(name)
        return self.either(expr, test, name, functools.partial(self.assign_name, name))

    def refuse_defaults(self, node):
        if any(self.flows(d) for d in node.args.defaults + node.args.kw_defaults if d is not None):
            raise subset.unsupported(node, self.source, 'default values with a derivative', 'read the variable in the body')

    def of_BoolOp(self, expr):
        self.flush_all()
        name = self.fresh()
        self.several.add(name)
        return self.in_turn(expr, name, functools.partial(self.assign_name, name))

    def of_Lambda(self, expr):
        self.refuse_defaults(expr)
        name = self.fresh()
        self.put(name, expr)
        return tree.load(name)

    def of_ListComp(self, expr):
        """A comprehension that was left as it is: no derivative may flow through its elements."""
        if isinstance(expr, (gast.GeneratorExp, gast.SetComp)) and self.flows(expr):
            subset.refuse_active(expr, self.source)
        name = self.temporary('t')
        self.put(name, expr)
        return tree.load(name)

    of_SetComp = of_DictComp = of_GeneratorExp = of_ListComp

    def of_Call(self, expr):
        if self.is_call(expr):
            name = self.fresh()
            self.flush_all()
            self.call(expr, name)
            return tree.load(name)
        rule, receiver = self.rule_of(expr)
        args = [self.value(self.drained(a)) for a in expr.args]
        keywords = [tree.replace(k, value=self.value(k.value)) for k in expr.keywords]
        owner = [self.value(expr.func.value)] if receiver else []
        func = tree.replace(expr.func, value=owner[0]) if owner else expr.func
        try:
            bound = rule.bind(owner + args, {k.arg: k.value for k in keywords})
        except ArgumentError as error:
            raise ReverseNotImplementedError(subset.locate(expr, self.source, error.bare)) from None
        if rule.kind not in ('elementwise', 'bilinear', 'reduction'):
            self.flush(*[e for e in [*args, *(k.value for k in keywords)] if isinstance(e, gast.Name) and not self.computed(e)])
        return self.operation('rule', tree.replace(expr, func=func, args=args, keywords=keywords), (rule, bound))

    def drained(self, expr):
        """The argument of a rule, made a list of where it is a call that may give a generator."""
        if isinstance(expr, gast.Name) and self.flows(expr) and self.generates(expr.id):
            return self.helper('drain', expr)
        if not self.is_call(expr) or not self.flows(expr):
            return expr
        found = self.resolver(expr.func)
        drains = found is UNKNOWN or found is iterated or inspect.isgeneratorfunction(found)
        return self.helper('drain', expr) if drains else expr

    def generates(self, name):
        """Whether a name is bound to what a generator function gives, or one inside this function, or to an iterator,
        which a parameter may be that is gone through twice."""
        inner = {d.name for d in inside(self.function.body) if isinstance(d, DEFINITIONS)
                 and any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in inside(d.body))}
        makes = lambda func: getattr(func, 'id', None) in inner or inspect.isgeneratorfunction(self.resolver(func)) \
            or names_generator(func, self.source.function) or self.resolver(func) in (iter, iterated)         # noqa: E731
        return name in self.again or any(
            isinstance(value, gast.Call) and makes(value.func) for value in self.assigned.get(name, ()))

    def rule_of(self, expr):
        """(the rule of a call that needs no dispatch, whether it is a method's) or (None, False)."""
        found = self.resolver(expr.func)
        if tree.is_starred(expr):
            return None, False
        if found is UNKNOWN:
            if any(k.arg == 'out' for k in expr.keywords):
                return None, False
            known = isinstance(expr.func, gast.Attribute) and self.is_number(expr.func.value)
            return (registry.method(expr.func.attr), True) if known and registry.method(expr.func.attr) else (None, False)
        if writes_out(found, expr) or found in self.looked_at:
            return None, False
        rule = self.resolver.placed(registry.lookup(found), expr.func)
        if rule is not None and (rule.always or is_keyed(found, rule, expr.keywords)):          # what sends messages always is
            return None, False
        return rule, False

    def is_call(self, expr):
        """Whether the expression is a call that is dispatched when running."""
        return isinstance(expr, gast.Call) and self.rule_of(expr)[0] is None


def is_thing(kind):
    """Whether what is of a kind can be written into, and is no number or tuple."""
    return isinstance(kind, (Array, Items)) or kind is OWN or isinstance(kind, Parts) and not issubclass(kind.form, tuple)


def part_at(fields, field, k):
    return fields[field] if k is None else fields[field][k]


def surely_numbers(function, resolver, classes):
    """Names that arithmetic works on which lists and tuples do not have, nor the classes in sight."""
    found = {a.id for a in function.args.args if isinstance(a.annotation, gast.Constant) and a.annotation.value == 'array'}
    for node in gast.walk(function):
        operands = []
        if any(classes.define(*names) for names, _ in special.methods_run(node)):
            continue
        if isinstance(node, gast.BinOp) and not isinstance(node.op, (gast.Add, gast.Mult)):
            operands = [node.left, node.right]
        elif isinstance(node, gast.BinOp) and any(isinstance(e, gast.Constant) and isinstance(e.value, float)
                                                  for e in (node.left, node.right)):
            operands = [node.left, node.right]
        elif isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.USub):
            operands = [node.operand]
        elif isinstance(node, gast.Call) and resolver(node.func) is not UNKNOWN:
            rule = registry.lookup(resolver(node.func))
            if rule is not None and rule.kind == 'elementwise' and not joins(resolver(node.func), classes):
                operands = node.args
        found |= {e.id for e in operands if isinstance(e, gast.Name)}
    return found


def joins(function, classes):
    """Whether a function is an operator that something else than numbers and arrays may have."""
    name = function.__name__ if facts.home(function) == '_operator' else ''
    return function in JOIN or classes.define(name, f'r{name}', f'i{name}')


JOIN = frozenset([operator.add, operator.iadd, operator.mul, operator.imul])        # lists have these, too
