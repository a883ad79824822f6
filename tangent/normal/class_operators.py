"""Operators that may run code of a class, for the log form: they become calls, which are looked at when running.

    a + b    ->    operator.add(a, b)            a += b    ->    if operates('add', a, b): a = operator.add(a, b)
    a[i]     ->    operator.getitem(a, i)                        else: a += b

Where the methods behind them act (see `kinds.special`), they are calls of what nobody knows:

    a < b    ->    lt(a, b)                      if t:     ->    if truth(t):
"""
import functools

import gast
import numpy as np

from tangent.analysis.kinds import special
from tangent.analysis.kinds.classes import defined
from tangent.emit.library import find
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime import facts
from tangent.runtime.functions.operators import BUILTIN, OPERATIONS, PLAIN, Absent
from tangent.templates.language import registry

LISTED = {zip: 'zipped', reversed: 'reversed_list', enumerate: 'enumerated'}
LOOKED_AT = (abs, float, complex, sum, pow, max, min)
ORDERED = (min, max, sorted)
GONE_THROUGH = 'tuple', 'list', 'len', 'sorted', 'set'
OF_ARRAYS = frozenset(f for module in (np, np.linalg) for f in vars(module).values() if callable(f) and not isinstance(f, type))


class Makers(gast.NodeTransformer):
    """Writes `dict(a=x)` as a display, and iterators that a call takes the whole of as lists."""

    def __init__(self, library, resolver):
        self.library, self.resolver = library, resolver

    def rewrite(self, function):
        return tree.replace(function, body=[self.visit(tree.clone(s)) for s in function.body])

    def visit_Call(self, node):
        self.generic_visit(node)
        found = self.resolver(node.func)
        if found is dict and node.keywords and not node.args and all(k.arg for k in node.keywords):
            return gast.copy_location(gast.Dict(keys=[tree.constant(k.arg) for k in node.keywords],
                                                values=[k.value for k in node.keywords]), node)
        if facts.of(found).takes_all:
            node.args = [self.listed(a) for a in node.args]
        return node

    def listed(self, expr):
        found = self.resolver(expr.func) if isinstance(expr, gast.Call) else None
        name = next((name for f, name in LISTED.items() if f is found), None)
        return expr if name is None else tree.replace(expr, func=tree.load(self.library(name)))


def unknown(name, node, library, resolver, *args):
    """A call, in the place of a node, of something that nobody knows: it may write into all that it is given."""
    function = OPERATIONS[name]
    own = library.object(function.__name__, function)
    resolver.seen[own] = UNKNOWN
    resolver.acting.add(own)
    return gast.copy_location(tree.call(own, *args), node)


class Operators(gast.NodeTransformer):
    """Rewrites a function; `functions` are those that have to be looked at when running."""

    def __init__(self, classes, library, resolver, names, source):
        self.classes, self.library, self.resolver, self.names, self.source = classes, library, resolver, names, source
        self.made, self.rebound = set(), set()           # names bound here, and by functions inside
        self.functions = {f for f in LOOKED_AT if classes.define(*special.BUILTINS[f.__name__])}
        self.functions |= OF_ARRAYS if '__array_ufunc__' in classes.methods else set()

    def rewrite(self, function):
        if not self.classes.methods and not self.classes.anything:
            return function
        self.rebound = {n for d in tree.walk(function) if isinstance(d, gast.Nonlocal) for n in d.names}
        new = [self.visit(tree.clone(s)) for s in function.body]
        return tree.replace(function, body=[s for found in new for s in (found if isinstance(found, list) else [found])])

    @functools.cached_property
    def tables(self):
        """Names of which the function, as it is written, does no more than take items, or go through all of them."""
        nodes = tree.walk(self.source.tree)
        read = [n.value for n in nodes if isinstance(n, gast.Subscript) and isinstance(n.ctx, gast.Load)]
        read += [a for n in nodes if isinstance(n, gast.Call) and getattr(n.func, 'id', '') in GONE_THROUGH for a in n.args]
        read += [e for n in nodes if isinstance(n, gast.Compare) for e in n.comparators]
        found = {id(e): e.id for e in map(tree.root, read) if isinstance(e, gast.Name)}
        return {*found.values()} - {n.id for n in nodes if isinstance(n, gast.Name) and id(n) not in found}

    def is_sure(self, expr):
        """Whether the value of an expression surely is no object of the user's."""
        return isinstance(expr, (gast.Constant, gast.JoinedStr))

    def acts(self, node):
        """Whether a node itself may run a method that acts."""
        return bool(special.given(node, self.classes.acting, self.is_sure))

    def call(self, name, node, *args):
        if name in self.classes.acting or f'r{name}' in self.classes.acting:
            return self.unknown(name, node, *args)
        function = PLAIN[name]
        self.functions.add(function)
        path = f'{self.library("operator")}.{function.__name__}'
        self.resolver.seen[path] = function
        return gast.copy_location(tree.call(path, *args), node)

    def unknown(self, name, node, *args):
        return unknown(name, node, self.library, self.resolver, *args)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        name = special.ARITHMETIC[type(node.op)]
        numbers = isinstance(node.left, gast.Constant) and isinstance(node.right, gast.Constant)
        if numbers or not self.classes.define(name, 'r' + name):
            return node
        return self.call(name, node, node.left, node.right)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, gast.Not):
            return tree.replace(node, operand=self.asked(node.operand))
        name = special.UNARY[type(node.op)]
        if isinstance(node.operand, gast.Constant) or not self.classes.define(name):
            return node
        return self.call(name, node, node.operand)

    # What acts, where others tell facts

    def visit_Compare(self, node):
        chained = len(node.ops) > 1 and self.acts(node)
        self.generic_visit(node)
        if not self.acts(node):
            return node
        if chained and not all(isinstance(e, (gast.Name, gast.Constant)) for e in node.comparators[:-1]):
            raise subset.unsupported(node, self.source, 'comparisons in a row of what classes compare', 'write them with and')
        operands = [node.left, *node.comparators]
        pairs = [self.compared(op, *pair, node) for op, pair in zip(node.ops, zip(operands, operands[1:]))]
        return pairs[0] if len(pairs) == 1 else gast.copy_location(gast.BoolOp(op=gast.And(), values=pairs), node)

    def compared(self, op, left, right, node):
        if isinstance(op, (gast.Is, gast.IsNot)):
            return gast.copy_location(gast.Compare(left=left, ops=[op], comparators=[right]), node)
        if isinstance(op, (gast.In, gast.NotIn)):
            found = self.unknown('contains', node, right, left)
            return found if isinstance(op, gast.In) else gast.copy_location(tree.negation(found), node)
        return self.unknown(special.COMPARED[type(op)], node, left, right)

    def asked(self, expr):
        """An expression whose truth is asked for."""
        if isinstance(expr, gast.BoolOp):
            return tree.replace(expr, values=[self.asked(e) for e in expr.values])
        if self.classes.acting.isdisjoint(special.TRUTH) or special.is_fact(expr) or self.is_sure(expr):
            return expr
        return self.unknown('truth', expr, expr)

    def visit_If(self, node):
        self.generic_visit(node)
        node.test = self.asked(node.test)
        return node

    visit_While = visit_IfExp = visit_Assert = visit_If

    def visit_BoolOp(self, node):
        """`a and b` where it is wanted as a value: what stands in a test is asked there."""
        self.generic_visit(node)
        if len(node.values) > 2 or not isinstance(node.values[0], gast.Name):
            return node
        first, last = node.values
        test = self.asked(first)
        if test is first:
            return node
        values = (last, first) if isinstance(node.op, gast.And) else (first, last)
        return gast.copy_location(gast.IfExp(test=test, body=values[0], orelse=values[1]), node)

    def visit_comprehension(self, node):
        node = self.visit_iteration(node)
        node.ifs = [self.asked(e) for e in node.ifs]
        return node

    # What is gone through

    def iterated(self, expr):
        """What is gone through where an expression is: an object says what that is."""
        if not self.classes.define('iter', 'next') or self.is_sure(expr) or special.is_listed(expr):
            return expr
        if not self.classes.acting.isdisjoint(special.THROUGH):
            return self.unknown('iterated', expr, expr)
        self.functions.add(find('iterated'))
        return gast.copy_location(tree.call(self.library('iterated'), expr), expr)

    def visit_iteration(self, node):
        self.generic_visit(node)
        node.iter = self.iterated(node.iter)
        return node

    visit_For = visit_iteration

    def visit_Starred(self, node):
        self.generic_visit(node)
        return tree.replace(node, value=self.iterated(node.value)) if isinstance(node.ctx, gast.Load) else node

    def visit_YieldFrom(self, node):
        self.generic_visit(node)
        return tree.replace(node, value=self.iterated(node.value))

    def visit_Call(self, node):
        ordered = not self.classes.acting.isdisjoint(('lt', 'gt')) and any(self.resolver(node.func) is f for f in ORDERED)
        if ordered and not any(k.arg == 'key' for k in node.keywords):
            raise subset.unsupported(node, self.source, 'orders of objects whose comparison writes something',
                                    'compare with if')
        if self.resolver(node.func) is hasattr and self.looked_up(node):
            return self.has(node)
        through = special.iterated(node) if isinstance(node.func, gast.Name) else []
        at = [k for k, e in enumerate(node.args) if any(e is t for t in through)]
        self.visit_parts(node)
        for k in at:
            node.args[k] = self.iterated(node.args[k])
        name = next((name for name, f in BUILTIN.items() if f is self.resolver(node.func)), None)
        if name is None or node.keywords or not self.acts(node):
            return node
        return self.unknown(name, node, *node.args)

    def has(self, call):
        """`hasattr` where a getter acts: the attribute is asked for, and compared with what stands for none."""
        self.visit_parts(call)
        absent = self.library.object('Absent', Absent)
        found = self.unknown('attribute', call, *call.args, tree.load(absent))
        return gast.copy_location(gast.Compare(left=found, ops=[gast.IsNot()], comparators=[tree.load(absent)]), call)

    def looked_up(self, call):
        """Whether a look-up by hasattr may run a getter that acts."""
        name = call.args[1].value if len(call.args) == 2 and isinstance(call.args[1], gast.Constant) else None
        asked = {'getattr', f'.{name}'} if name is not None else {n for n in self.classes.acting if n[0] == '.'} | {'getattr'}
        return not asked.isdisjoint(self.classes.acting)

    def visit_parts(self, call):
        self.generic_visit(call)

    # Parts, and what is updated

    def visit_Attribute(self, node):
        self.generic_visit(node)
        known = self.resolver(node) is not UNKNOWN or tree.dotted(node.value) and self.resolver(node.value) is not UNKNOWN
        if known or not isinstance(node.ctx, gast.Load) or not self.computes(node.attr):
            return node
        return self.unknown('attribute', node, node.value, tree.constant(node.attr))

    def computes(self, name):
        """Whether reading an attribute of that name may run a getter that acts."""
        classes = self.classes
        return f'.{name}' in classes.acting or 'getattr' in classes.acting and registry.attribute(name) is None \
            and name not in classes.methods

    def visit_Subscript(self, node):
        self.generic_visit(node)
        found = self.resolver(node.value)
        known = found is not UNKNOWN and defined(type(found), 'getitem') is None
        if known or not isinstance(node.ctx, gast.Load) or not self.classes.define('getitem', 'missing'):
            return node
        if found is not UNKNOWN and tree.root_name(node.value) in self.tables:
            return unknown('outside', node, self.library, self.resolver, node.value, self.spelled(node.slice))
        return self.call('getitem', node, node.value, self.spelled(node.slice))

    def spelled(self, index):
        """An index as it is written outside of brackets."""
        if isinstance(index, gast.Tuple):
            return tree.replace(index, elts=[self.spelled(e) for e in index.elts])
        if isinstance(index, gast.Slice):
            ends = [tree.constant(None) if p is None else p for p in (index.lower, index.upper, index.step)]
            return gast.Call(func=tree.load(self.library('slice')), args=ends, keywords=[])
        return index

    def visit_Assign(self, node):
        self.generic_visit(node)
        if isinstance(node.targets[0], (gast.Tuple, gast.List)) and not isinstance(node.value, (gast.Tuple, gast.List)) \
                and self.classes.define('getitem', 'iter'):
            node.value = self.iterated(node.value)
            node.value = gast.copy_location(gast.Call(func=tree.load(self.library('elements')), args=[node.value], keywords=[]),
                                            node.value)
            self.functions.add(find('elements'))
        return node

    def visit_AugAssign(self, node):
        calls = any(isinstance(n, (gast.Call, gast.NamedExpr)) or self.acts(n) for n in gast.walk(node.value))
        node.value = self.visit(node.value)
        name = special.ARITHMETIC[type(node.op)]
        if isinstance(node.target, gast.Subscript) and self.classes.define('setitem') \
                and not any(isinstance(n, gast.Call) for n in gast.walk(node.target.slice)):
            return self.updated_item(node)
        if not self.classes.define(name, 'r' + name, 'i' + name):
            return node
        if not isinstance(node.target, gast.Name):
            return self.updated_part(node, name)
        if calls:                                    # what is called, is called once
            value, old = self.names.fresh('t'), self.names.fresh('t')
            self.made |= {value, old}
            name_of = node.target.id
            kept = name_of in self.rebound              # by what is called: it is what it was before
            new = tree.instead(tree.replace(node, value=tree.load(value)), node)
            return [*[self.bind(old, tree.load(name_of), node)] * kept, self.bind(value, node.value, node),
                    *[self.bind(name_of, tree.load(old), node)] * kept, self.updated(new, name)]
        return self.updated(node, name)

    def bind(self, target, expr, node):
        return tree.instead(tree.assign(target, expr, tree.origin(node)), node)

    def held(self, expr, node, out):
        """The expression, under a name of its own unless it is as good as one."""
        if isinstance(expr, (gast.Name, gast.Constant)):
            return expr
        if isinstance(expr, gast.Tuple):
            return tree.replace(expr, elts=[self.held(e, node, out) for e in expr.elts])
        if isinstance(expr, gast.Slice):
            return tree.replace(expr, **{k: self.held(v, node, out) for k in ('lower', 'upper', 'step')
                                         if (v := getattr(expr, k)) is not None})
        name = self.names.fresh('t')
        self.made.add(name)
        out.append(self.bind(name, expr, node))
        return tree.load(name)

    def updated_item(self, node):
        """`t = a[i]; t += v; a[i] = t` for `a[i] += v`, where `a` may be of a class that says what `a[i]` is."""
        out, target, value = [], node.target, node.value
        owner = self.held(self.visit(target.value), node, out)
        place = tree.replace(target, value=owner, slice=self.held(self.visit(target.slice), node, out))
        part = self.names.fresh('t')
        self.made.add(part)
        out.append(self.bind(part, self.visit(tree.replace(place, ctx=gast.Load())), node))
        changed = self.visit_AugAssign(tree.instead(tree.replace(node, target=tree.store(part), value=value), node))
        return [*out, *(changed if isinstance(changed, list) else [changed]),
                tree.instead(gast.Assign(targets=[place], value=tree.load(part), type_comment=None), node)]

    def updated_part(self, node, name):
        """`a.p += v` and `a[i] += v`: the part is read, the value made, and the part put back."""
        out, target = [], node.target
        owner = self.held(self.visit(target.value), node, out)
        place = tree.replace(target, value=owner)
        if isinstance(target, gast.Subscript):
            place = tree.replace(place, slice=self.held(self.visit(target.slice), node, out))
        old = self.names.fresh('t')
        self.made.add(old)
        out.append(self.bind(old, self.visit(tree.replace(place, ctx=gast.Load())), node))
        value = self.held(node.value, node, out)
        return [*out, self.updated(tree.instead(tree.replace(node, target=place, value=value), node), name, tree.load(old))]

    def updated(self, node, name, own=None):
        """`if operates(...)` around `x += v`; `own`: what x is, where that is no name."""
        own = own or tree.load(node.target.id)
        value = self.call('i' + name if self.classes.define('i' + name) else name, node, own, node.value)
        value.stands_for_update = True
        test = gast.Call(func=tree.load(self.library('operates')), args=[tree.constant(name), own, node.value], keywords=[])
        assign = tree.instead(gast.Assign(targets=[node.target], value=value, type_comment=None), node)
        return tree.instead(gast.If(test=test, body=[assign], orelse=[node]), node)


class Supers(gast.NodeTransformer):
    """Writes out the arguments of `super()`, and what is read of it without a call, which a property may compute.

        super().__init__(x)    ->    super(__class__, self).__init__(x)
        super().area           ->    above(Square, self, 'area')
    """

    def __init__(self, source, names, library, resolver):
        self.names, self.library, self.resolver = names, library, resolver
        self.around = getattr(source.closure.get('__class__'), 'cell_contents', None)

    def visit_Call(self, node):
        if isinstance(node.func, gast.Attribute) and self.is_super(node.func.value):
            node = tree.replace(node, args=[self.visit(a) for a in node.args], keywords=[self.visit(k) for k in node.keywords])
            return tree.replace(node, func=tree.replace(node.func, value=self.visit(node.func.value)))
        self.generic_visit(node)
        if not self.is_super(node) or node.args or not self.names:
            return node
        return tree.replace(node, args=[tree.load('__class__'), tree.load(self.names[0])])

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if not isinstance(node.ctx, gast.Load) or not self.is_super(node.value) or len(node.value.args) != 2:
            return node
        kind, owner = node.value.args
        if getattr(kind, 'id', None) == '__class__' and self.around is not None:
            kind = tree.load(self.library.object(self.around.__name__, self.around))
        return unknown('above', node, self.library, self.resolver, kind, owner, tree.constant(node.attr))

    def is_super(self, node):
        return isinstance(node, gast.Call) and tree.dotted(node.func) == 'super'
