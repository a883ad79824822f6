"""Operators and attributes that may run code of a class, in forward mode: they become calls, which are looked at when running.

    a + b         ->    operator.add(a, b)              p.area        ->    getattr(p, 'area')
    a[i] = v      ->    operator.setitem(a, i, v)       p.area = v    ->    setattr(p, 'area', v)

What is surely a number or an array is left as it stands.
"""
import collections
import dataclasses
import operator
import types

import gast

from tangent.analysis.activity import Sources
from tangent.analysis.attributes import Objects, combines_objects, is_of_arrays
from tangent.analysis.kinds.classes import OF_NAMEDTUPLES
from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.source import is_derivative
from tangent.normal.class_operators import Operators
from tangent.runtime import facts
from tangent.templates.language import registry

ARITHMETIC = (gast.BinOp, gast.UnaryOp, gast.BoolOp)
PASSIVE = (gast.Constant, gast.Compare, gast.JoinedStr, gast.List, gast.Tuple, gast.Dict, gast.Set, gast.ListComp,
           gast.DictComp, gast.Lambda)
ALWAYS = frozenset([getattr, setattr, dataclasses.replace])
IN_OURS = ALWAYS | {operator.add}              # the sum of objects is a loop of ours, see `driver.dispatch.operators.total`
BOUND = frozenset(n for kind in (list, dict, set, collections.deque) for n in dir(kind) if not n.startswith('_'))
NUMERIC = ('numpy', 'math', 'scipy', 'cmath')


class ObjectSources(Sources):
    """What a value depends on where objects may have methods that are named like those of arrays.

    is_sure : whether the value of an expression surely is a number, an array or a container
    """

    def __init__(self, resolver, is_object, is_sure):
        super().__init__(resolver, is_object)
        self.is_sure = is_sure

    def may_be_users(self, method, rule):
        return method.attr in self.users[0] and not self.is_sure(method.value)


class ObjectCode(Operators):
    """Rewrites a function; `functions` are those that have to be looked at when running."""

    def __init__(self, *given):
        super().__init__(*given)
        self.functions |= ALWAYS
        self.sure = set()

    def rewrite(self, function):
        bound = any(isinstance(n, gast.Attribute) and n.attr in BOUND for n in tree.walk(function))
        if not self.classes.methods and not self.classes.computed and not self.classes.anything and not bound:
            return function
        self.sure = surely_numbers(function, self.resolver, self.classes)
        return tree.replace(function, body=[s for old in function.body for s in self.statements(tree.clone(old))])

    def statements(self, s):
        found = self.visit(s)
        return found if isinstance(found, list) else [found]

    def is_sure(self, expr):
        return is_sure(expr, self.sure, self.resolver, self.classes)

    def visit_BinOp(self, node):
        sure = self.is_sure(node.left) and self.is_sure(node.right)
        return self.generic_visit(node) if sure else super().visit_BinOp(node)

    def visit_UnaryOp(self, node):
        return self.generic_visit(node) if self.is_sure(node.operand) else super().visit_UnaryOp(node)

    def visit_Subscript(self, node):
        return self.generic_visit(node) if self.is_sure(node.value) else super().visit_Subscript(node)

    def visit_parts(self, node):
        if isinstance(node.func, gast.Attribute) and self.gives_function(node.func):
            node.func = self.visit(node.func)
        elif isinstance(node.func, gast.Attribute):          # the method of an object is found by the call
            node.func.value = self.visit(node.func.value)
        elif not isinstance(node.func, gast.Name):             # grad(p.energy)(x), (a | b)(x)
            node.func = self.visit(node.func)
        node.args = [self.visit(a) for a in node.args]
        node.keywords = [self.visit(k) for k in node.keywords]

    def visit_Attribute(self, node):
        node = self.generic_visit(node)
        known = isinstance(self.resolver(node.value), (types.ModuleType, type)) if tree.dotted(node.value) else False
        unclear = node.attr in self.classes.fields and is_of_arrays(node.attr) and not self.is_sure(node.value)
        bound = node.attr in BOUND and getattr(tree.root(node), 'id', None) in self.resolver.local
        if known or not isinstance(node.ctx, gast.Load) or not (unclear or bound or self.runs_code(node.attr)):
            return node
        if self.computes(node.attr):
            return self.unknown('attribute', node, node.value, tree.constant(node.attr))
        call = tree.call(self.library('getattr'), node.value, tree.constant(node.attr))
        return gast.copy_location(call, node)

    def gives_function(self, func):
        """Whether what is called may be made by code of a class, and no method: it has captured what that code gave it."""
        classes, name = self.classes, func.attr
        if tree.dotted(func) and self.resolver(func) is not UNKNOWN or self.is_sure(func.value) or name in classes.methods:
            return False
        return self.runs_code(name) and registry.method(name) is None and name not in BOUND.union(OF_NAMEDTUPLES)

    def runs_code(self, name):
        classes = self.classes
        return name in classes.computed or name in classes.methods - classes.fields \
            or classes.define('getattr', 'getattribute') and registry.attribute(name) is None

    def visit_For(self, node):
        named = isinstance(node.iter, (gast.Name, gast.Attribute)) or isinstance(node.iter, gast.Call) and is_users(
            self.resolver(node.iter.func) if tree.dotted(node.iter.func) else None)
        unsure = named and not self.is_sure(node.iter)
        node.iter = self.iterated(self.visit(node.iter))
        if unsure and self.classes.define('getitem') and not self.classes.define('iter'):
            node.iter = self.unpacked(node.iter)
        return self.blocks(node)

    def unpacked(self, expr):
        self.functions.add(find('elements'))
        return gast.copy_location(tree.call(self.library('elements'), expr), expr)

    def blocks(self, node):
        for field, block in tree.blocks(node):
            setattr(node, field, [s for old in block for s in self.statements(old)])
        return node

    def visit_Assign(self, node):
        target = node.targets[0]
        if len(node.targets) > 1 or not self.runs_when_set(target):
            return super().visit_Assign(node)
        return self.set(node, target, self.visit(node.value))

    def visit_AugAssign(self, node):
        """`t = a[i]; t += v; a[i] = t` for `a[i] += v`: what stands there may be an array or list, which changes in place."""
        target = node.target
        if not self.runs_when_set(target):
            return super().visit_AugAssign(node)
        out = []
        place = tree.replace(target, value=self.held(self.visit(target.value), node, out))
        if isinstance(target, gast.Subscript):
            place = tree.replace(place, slice=self.held(self.visit(target.slice), node, out))
        part = self.names.fresh('t')
        self.made.add(part)
        out.append(self.bind(part, self.visit(tree.replace(tree.clone(place), ctx=gast.Load())), node))
        changed = self.visit(tree.instead(tree.replace(node, target=tree.store(part)), node))
        return [*out, *(changed if isinstance(changed, list) else [changed]), self.set(node, place, tree.load(part))]

    def visit_Delete(self, node):
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, gast.Attribute) and self.runs_when_deleted(target.attr):
            return tree.instead(gast.Expr(value=tree.method(self.visit(target.value), '__delattr__',
                                                            tree.constant(target.attr))), node)
        deletes = isinstance(target, gast.Subscript) and self.classes.define('delitem') and not self.is_sure(target.value)
        if len(node.targets) > 1 or not deletes:
            return self.generic_visit(node)
        call = tree.method(self.visit(target.value), '__delitem__', self.spelled(self.visit(target.slice)))
        return tree.instead(gast.Expr(value=call), node)

    def runs_when_deleted(self, name):
        held = [vars(base)[name] for kind in self.resolver.sight for base in getattr(kind, '__mro__', ()) if name in vars(base)]
        return '__delattr__' in self.classes.methods or any(
            h.fdel is not None if isinstance(h, property) else isinstance(getattr(h, '__delete__', None), types.MethodType)
            for h in held)

    def runs_when_set(self, target):
        classes = self.classes
        if isinstance(target, gast.Attribute):
            return target.attr in classes.computed or classes.define('setattr')
        return isinstance(target, gast.Subscript) and classes.define('setitem') and not self.is_sure(target.value)

    def set(self, s, target, value):
        owner = self.visit(target.value)
        if isinstance(target, gast.Attribute):
            call = tree.call(self.library('setattr'), owner, tree.constant(target.attr), value)
        else:
            call = self.call('setitem', s, owner, self.spelled(self.visit(target.slice)), value)
        return tree.instead(gast.Expr(value=gast.copy_location(call, s)), s)


def surely_numbers(function, resolver, classes):
    """Names that hold numbers, arrays or containers: what is bound to nothing else, or is given to NumPy's functions."""
    made, bound = {}, set()
    for node in tree.walk(function):
        if isinstance(node, gast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], gast.Name):
            made.setdefault(node.targets[0].id, []).append(node.value)
            continue
        if isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            made.setdefault(node.target.id, []).append(node.value)
        elif isinstance(node, gast.For) and isinstance(node.target, gast.Name) and tree.is_call(node.iter, 'range'):
            made.setdefault(node.target.id, []).append(tree.constant(0))
        else:
            bound |= {n for t in targets(node) for n in tree.names(t, gast.Store)}
    given = set()
    for node in tree.walk(function):
        if isinstance(node, gast.Call) and tree.dotted(node.func) and is_of_numpy(resolver(node.func)):
            given |= {a.id for a in node.args if isinstance(a, gast.Name)}
        if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name) \
                and registry.attribute(node.attr) is not None \
                and node.attr not in classes.fields | classes.computed | classes.methods:
            given.add(node.value.id)
    sure = given | made.keys() - bound
    while True:
        found = {n for n in sure if n in given or all(is_sure(e, sure, resolver, classes) for e in made[n])}
        if found == sure:
            return sure
        sure = found


def targets(node):
    if isinstance(node, gast.Assign):
        return node.targets
    if isinstance(node, (gast.For, gast.AnnAssign, gast.NamedExpr)):
        return [node.target]
    if isinstance(node, gast.With):
        return [i.optional_vars for i in node.items if i.optional_vars]
    return []


def is_sure(expr, sure, resolver, classes):
    if isinstance(expr, gast.Name):
        return expr.id in sure or isinstance(resolver(expr), (int, float, complex))
    if isinstance(expr, ARITHMETIC):
        return all(is_sure(e, sure, resolver, classes) for e in tree.children(expr) if isinstance(e, gast.expr))
    if isinstance(expr, gast.IfExp):
        return is_sure(expr.body, sure, resolver, classes) and is_sure(expr.orelse, sure, resolver, classes)
    if isinstance(expr, gast.Call):
        return is_numeric(expr, resolver)
    if isinstance(expr, gast.Attribute):
        return registry.attribute(expr.attr) is not None and is_sure(expr.value, sure, resolver, classes)
    return isinstance(expr, PASSIVE)


def is_numeric(call, resolver):
    """Whether it is a call of a function of NumPy's, or of one that gives a number."""
    function = resolver(call.func) if tree.dotted(call.func) else None
    return is_of_numpy(function) or function in (len, range, int, float, round)


def is_of_numpy(function):
    return (facts.home(function) or facts.home(type(function))) in NUMERIC


def is_users(kind):
    """Whether it is a class of the user's."""
    return isinstance(kind, type) and kind.__module__ not in ('builtins', 'itertools', 'collections')


def looks_at_objects(function, classes, library, resolver, names, source):
    """(the function with what may run code of a class written as calls, the functions that are looked at when running, whether
    an expression surely is a number)."""
    if is_derivative(source.function):                   # what we have written is about numbers, or is written so already
        return function, IN_OURS, lambda expr: True
    classes.anything |= combines_objects(function, Objects(function, resolver, classes.fields))
    code = ObjectCode(classes, library, resolver, names, source)
    return code.rewrite(function), code.functions, code.is_sure
