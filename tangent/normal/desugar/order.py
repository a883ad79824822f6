"""Parts of a statement that a call in it may change are evaluated when Python does, in statements of their own.

    y[ks.pop()] += y[ks.pop()]         i = ks.pop()
                                       y[i] += y[ks.pop()]

    o.v[0] += o.step()           ->    t = o.v
                                       old = t[0]
                                       old += o.step()
                                       t[0] = old

    o.grown().p = o.c                  t = o.c
                                       o.grown().p = t

    o.f(o.swapped())                   f = o.f
                                       f(o.swapped())

    y[ks.pop()] = x                    i = ks.pop()
                                       y[i] = x

    assert c, next(messages)           if not c:
                                           raise AssertionError(next(messages))

Python evaluates the value of `a[i] = v` first; of `a[i] += v` it evaluates a and i, reads the element, and then the value.
"""
import dis
import functools
from types import FunctionType

import gast

from tangent.analysis.alias import Aliases, writes_out
from tangent.analysis.effects import thrown
from tangent.analysis.kinds import special
from tangent.analysis.kinds.classes import Classes
from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import free
from tangent.normal.desugar.loops import SCOPES, inside, made
from tangent.normal.desugar.targets import PLACES
from tangent.runtime import facts
from tangent.templates.language import registry


def ordered(function, names, resolver, library, effects, source):
    """The FunctionDef with such parts evaluated in order."""
    return tree.replace(function, body=Order(function, names, resolver, library, effects, source).block(function.body))


def looked_up(function, names, resolver, library, effects, source):
    """The FunctionDef with functions that are looked up before their arguments change that under names."""
    order = Order(function, names, resolver, library, effects, source)

    def block(stmts):
        found = []
        for s in stmts:
            out = []
            if isinstance(s, (gast.Assign, gast.AugAssign, gast.Expr, gast.Return)) and s.value is not None:
                s = tree.replace(s, value=LookedUp(order, s, out).visit(tree.clone(s.value)))
            found += [*out, s if out or isinstance(s, SCOPES) else inside(s, block)]
        return found
    calls = any(order.is_looked_up(n) for s in function.body for n in tree.walk(s))
    return tree.replace(function, body=block(function.body)) if calls else function


class LookedUp(gast.NodeTransformer):
    """Puts functions that are looked up before their arguments change that under names."""

    def __init__(self, order, s, out):
        self.order, self.s, self.out = order, s, out
        self.acted = False

    def visit_Call(self, node):
        if self.order.is_looked_up(node):
            if self.acted:
                raise subset.unsupported(
                    self.s, self.order.source, 'several calls in one statement of what their arguments bind anew',
                    'write a statement for each call')
            node = tree.replace(node, func=self.order.held(self.out, self.s, node.func, 'f'))
        node = self.generic_visit(node)
        self.acted = self.acted or self.order.is_act(node)
        return node

    def leave(self, node):
        return node

    visit_Lambda = visit_IfExp = visit_BoolOp = visit_ListComp = visit_GeneratorExp = visit_DictComp = visit_SetComp = leave


class Order:
    """Rewrites the statements of one function."""

    def __init__(self, function, names, resolver, library, effects, source):
        self.function, self.names, self.resolver, self.library, self.effects = function, names, resolver, library, effects
        self.source = source

    @functools.cached_property
    def aliases(self):
        return Aliases(self.function, self.resolver, self.effects)

    @functools.cached_property
    def rebound(self):
        """Names that functions inside bind anew."""
        return {n for s in self.function.body for d in tree.walk(s) if isinstance(d, gast.Nonlocal) for n in d.names}

    @functools.cached_property
    def captured(self):
        """Names that functions inside read or write."""
        inner = [n for s in self.function.body for n in gast.walk(s) if isinstance(n, (gast.FunctionDef, gast.Lambda))]
        return set().union(*map(free, inner))

    # Statements

    def block(self, stmts):
        return [t for s in stmts for t in self.statement(s)]

    def statement(self, s):
        if isinstance(s, SCOPES):
            return [s]
        if isinstance(s, gast.Assert) and s.msg is not None and (self.acts(s.msg) or thrown(s, self.resolver) is not None):
            return self.raised(s)
        if isinstance(s, gast.AugAssign) and isinstance(s.target, PLACES) and (self.acts(s.target) or self.acts(s.value)):
            return self.updated(s)
        if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) and s.target.id in tree.names(s.value, gast.Store):
            return self.with_old(s, s.target, [])
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], PLACES):
            return self.stored(s)
        if isinstance(s, gast.Delete) and any(map(self.acts, s.targets)):
            return [t for target in s.targets for t in self.deleted(tree.replace(s, targets=[target]))]
        for h in getattr(s, 'handlers', ()):
            if h.type is not None and self.acts(h.type):
                raise subset.unsupported(h.type, self.source, 'handlers that are chosen by a call which writes into something',
                                         'call it in front of the try')
        return [inside(s, self.block)]

    def is_looked_up(self, call):
        """Whether what a call calls is the value of an attribute that its arguments may bind anew: Python looks it up first."""
        if not isinstance(call, gast.Call) or not isinstance(call.func, gast.Attribute) or not tree.dotted(call.func):
            return False
        function, arguments = call.func, tree.arguments(call)
        if self.resolver(function) is not UNKNOWN or function.attr not in self.bound:
            return False
        changed = set().union(*map(self.changed, arguments))
        return not changed.isdisjoint(self.objects(function.value))

    @functools.cached_property
    def bound(self):
        """Names of attributes that are set in sight, but for methods: here, by what is called here and by classes in sight."""
        nodes = [n for s in self.function.body for n in gast.walk(s)]
        here = {n.attr for n in nodes if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store)}
        called = [self.resolver(n.func) for n in nodes if isinstance(n, gast.Call)]
        codes = {f.__code__ for found in called if isinstance(f := getattr(found, '__init__', None) if isinstance(found, type)
                                                              else found, FunctionType)}
        there = {i.argval for code in codes for i in dis.get_instructions(code) if i.opname == 'STORE_ATTR'}
        there |= {n.attr for f in called if isinstance(f, Nested) for n in gast.walk(f.source.tree)
                  if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store)}
        classes = Classes(self.resolver)
        return (here | there | classes.fields) - classes.methods

    def is_behind(self, target, value):
        """Whether what is assigned to an element or attribute has to be evaluated in front."""
        if not isinstance(target, PLACES) or isinstance(value, gast.Constant):
            return False
        return self.acts(target) or self.is_given and not isinstance(target.value, gast.Name) and self.acts(value)

    @functools.cached_property
    def is_given(self):
        """Whether a class in sight has a method that is given what is assigned, behind what it is assigned to."""
        return Classes(self.resolver).define('setitem', 'setattr')

    def stored(self, s):
        """`a[i] = v`: the value under a name where it has to be evaluated in front, and what is called for i likewise: calls
        whose effects have derivatives stand in no target."""
        out = []
        hold = functools.partial(self.held, out, s)
        value = hold(s.value, 't') if self.is_behind(s.targets[0], s.value) else s.value
        targets = [self.called_apart(target, hold) for target in s.targets]
        return [*out, tree.replace(s, targets=targets, value=value)] if out else [s]

    def deleted(self, s):
        """`del a[i]`, with what is called for i in front."""
        out = []
        target = self.called_apart(s.targets[0], functools.partial(self.held, out, s))
        return [*out, tree.replace(s, targets=[target])]

    def called_apart(self, place, hold):
        """The place with what is called for its indices under names, the outer ones first, as Python does."""
        if not isinstance(place, PLACES) or not self.acts(place):
            return place
        place = tree.replace(place, value=self.called_apart(place.value, hold))
        return tree.replace(place, slice=self.index(place.slice, set(), hold)) if isinstance(place, gast.Subscript) else place

    def raised(self, s):
        """`assert test, message` whose message is made only if the test fails, and not at all under `python -O`."""
        known = self.library.known('AssertionError')
        error = tree.call(known, s.msg)
        test = tree.negation(s.test)
        return [made(gast.If(test=test, body=[made(gast.Raise(exc=error, cause=None), s)], orelse=[]), s)] if __debug__ else []

    def updated(self, s):
        """`a[i] += v`, where evaluating one of them changes what another reads."""
        out = []
        value, target = s.value, s.target
        index = target.slice if isinstance(target, gast.Subscript) else None
        changed, behind = self.changed(value), self.changed(value) | (self.changed(index) if index is not None else set())
        hold = functools.partial(self.held, out, s)
        owner = hold(target.value, 't') if self.is_late(target.value, behind) else target.value
        place = tree.replace(target, value=owner)
        if index is not None:
            place = tree.replace(place, slice=self.index(index, changed, hold))
        if changed.isdisjoint(self.objects(target)):
            return [*out, tree.replace(s, target=place)]
        return self.with_old(s, place, out)

    def with_old(self, s, place, out):
        old = self.held(out, s, tree.replace(place, ctx=gast.Load()), 'old')
        update = gast.AugAssign(target=tree.store(old.id), op=s.op, value=s.value)
        return [*out, made(update, s), made(gast.Assign(targets=[place], value=old, type_comment=None), s)]

    def index(self, index, changed, hold):
        if isinstance(index, gast.Tuple):
            return tree.replace(index, elts=[self.index(e, changed, hold) for e in index.elts])
        if isinstance(index, gast.Slice):
            parts = {k: getattr(index, k) for k in ('lower', 'upper', 'step')}
            return tree.replace(index, **{k: e and self.index(e, changed, hold) for k, e in parts.items()})
        return hold(index, 'i') if self.is_late(index, changed) else index

    def held(self, out, s, expr, base):
        """The value of an expression under a name."""
        name = self.names.fresh(base)
        out.append(made(tree.assign(name, expr), s))
        return tree.load(name)

    # What is changed

    def is_late(self, expr, changed):
        """Whether an expression has to be evaluated before what changes these names, or does something itself."""
        if isinstance(expr, gast.Name):
            return ('bound', expr.id) in changed
        return self.acts(expr) or not changed.isdisjoint(self.objects(expr)) \
            or any(('bound', n) in changed for n in tree.names(expr, gast.Load))

    def objects(self, expr):
        """Names of all objects from which an expression reads something."""
        return set().union(*({n} | self.aliases.family(n) for n in tree.names(expr, gast.Load)))

    def acts(self, expr):
        """Whether evaluating an expression may change anything."""
        return any(isinstance(n, gast.NamedExpr) or isinstance(n, gast.Call) and self.is_act(n) or self.given(n)
                   for n in tree.walk(expr))

    def given(self, node):
        """What a node itself hands to methods of classes in sight that act, where no call stands."""
        return special.given(node, self.effects.acting)

    def is_act(self, call):
        """The same for a call, its arguments left out."""
        found = self.resolver(call.func)
        if found is next:
            return True
        if found is not UNKNOWN and registry.lookup(found) is not None and facts.of(found).calls is None \
                and not writes_out(found, call):
            return False
        return bool(self.reached(call)) or self.leaves(found)

    def leaves(self, function):
        """Whether a function may change what stands outside of it."""
        return self.effects.knows(function) and bool(self.effects.of(function).outside.stores)

    def reached(self, call):
        """Names of what a call may write into."""
        found = self.resolver(call.func)
        if found is next:
            return self.aliases.handed_on(call.args[0])
        reached = self.aliases.touched(call, found is UNKNOWN) | self.aliases.by_unknown(call)
        if found is UNKNOWN and isinstance(call.func, gast.Name):
            reached |= {call.func.id} | self.captured
        return reached

    def changed(self, expr):
        """Names whose objects evaluating an expression may change, and ('bound', name) for those that it binds anew."""
        found = set()
        for n in tree.walk(expr):
            if isinstance(n, gast.NamedExpr):
                found |= {('bound', n.target.id), n.target.id}
                continue
            found |= set().union(*map(self.objects, self.given(n)))
            if isinstance(n, gast.Call) and self.is_act(n):
                found |= set().union(*({m} | self.aliases.family(m) for m in self.reached(n)))
                found |= {('bound', m) for m in self.rebound} if self.resolver(n.func) is UNKNOWN else set()
                if self.leaves(self.resolver(n.func)):
                    found |= {m for m in tree.names(self.function, gast.Load) if m not in self.resolver.local}
        return found
