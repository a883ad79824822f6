"""Comprehensions as loops: what each of them collects, and what a function makes of it that is given one.

    sum(f(x) for x in xs)        total = 0;  for x in xs: total = total + f(x)
    [f(x) for x in xs]           items = [];  for x in xs: items.append(f(x))
    {k: f(x) for k, x in xs}     table = {};  for k, x in xs: table[k] = f(x)
    any(f(x) for x in xs)        found = False;  for x in xs: if f(x): found = True; break
    next(f(x) for x in xs)       for x in xs: first = f(x); break

The targets keep their names unless the function uses the names for something else.
"""
from __future__ import annotations

import builtins
import types

import gast

from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.desugar.loops import bound, else_behind, made, written

LISTS = (gast.ListComp, gast.GeneratorExp)
MODULES = ('numpy', 'itertools', 'functools', 'math', 'statistics', 'collections', 'scipy', 'operator', '_functools')


class Comprehensions:
    """The part of `Lower` that knows comprehensions."""

    # Loops

    def nest(self, node, finish):
        """The loops of a comprehension put out; `finish(node)` puts out what is done in the innermost."""
        self.level(list(node.generators), lambda: finish(node))

    def level(self, generators, finish):
        first, *rest = generators
        iterator = self.value(first.iter, True)
        body, _ = self.collected(self.filtered, list(first.ifs), rest, finish)
        self.put(gast.For(target=first.target, iter=iterator, body=body, orelse=[], type_comment=None))

    def filtered(self, tests, rest, finish):
        if not tests:
            return self.level(rest, finish) if rest else finish()
        test, *more = tests
        test = self.value(test, False)
        while more and not self.moves(more[0], False):
            values = test.values if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And) else [test]
            test = gast.BoolOp(op=gast.And(), values=[*values, more.pop(0)])
        body, _ = self.collected(self.filtered, more, rest, finish)
        return self.put(gast.If(test=test, body=body, orelse=[]))

    def own_names(self, node):
        """The comprehension with targets that the function uses for nothing else."""
        inside = {n.id for g in node.generators for n in tree.walk(g.target) if isinstance(n, gast.Name)
                  and isinstance(n.ctx, gast.Store)}
        others = self.used_elsewhere()
        new = {n: self.names.fresh(n) for n in sorted(inside) if n in others}
        if not new:
            return node
        first = node.generators[0]
        renamed = tree.rename(tree.replace(node, generators=[tree.replace(first, iter=tree.constant(None)),
                                                             *node.generators[1:]]), new)
        renamed.generators[0] = tree.replace(renamed.generators[0], iter=first.iter)
        return renamed

    def used_elsewhere(self):
        """Names that the function uses outside of the comprehensions that bind them."""
        if self._elsewhere is None:
            self._elsewhere = set(free(self.function.args)).union(*map(free, self.function.body))
        return self._elsewhere

    _elsewhere = None

    # What is collected

    def directly(self, target, value):
        """Put out `target = value` for a value that can be collected under the name itself; whether it can."""
        if isinstance(value, gast.Call):
            value = self.goes_through(value) or value
        if self.is_sum(value) and target not in tree.names(value, gast.Load):
            self.summed(value, target)
            return True
        if isinstance(value, gast.Call) and self.known(value) in (list, dict) and self.collects(value):
            comp = value.args[0]
            if self.known(value) is list:
                value = gast.ListComp(elt=comp.elt, generators=comp.generators)
            elif isinstance(comp.elt, gast.Tuple) and len(comp.elt.elts) == 2:
                value = gast.DictComp(key=comp.elt.elts[0], value=comp.elt.elts[1], generators=comp.generators)
        if not isinstance(value, (gast.ListComp, gast.DictComp)):
            return False
        if target in tree.names(value, gast.Load):
            old = self.hold(tree.load(target))
            value = tree.substitute(value, {target: old})
        self.collect(value, target)
        return True

    def collect(self, node, name):
        """Put out loops that fill a list or dict of that name."""
        node = self.own_names(node)
        if isinstance(node, gast.DictComp):
            self.assign(name, gast.Dict(keys=[], values=[]))
            self.nest(node, lambda node: self.store(name, node))
        else:
            self.assign(name, gast.List(elts=[], ctx=gast.Load()))
            self.nest(node, lambda node: self.append(name, node.elt))
        return tree.load(name)

    def append(self, name, elt):
        method = gast.Attribute(value=tree.load(name), attr='append', ctx=gast.Load())
        self.put(gast.Expr(value=gast.Call(func=method, args=[self.value(elt, True)], keywords=[])))

    def store(self, name, node):
        key, value = self.sequence([node.key, node.value], True)
        place = gast.Subscript(value=tree.load(name), slice=key, ctx=gast.Store())
        self.put(gast.Assign(targets=[place], value=value, type_comment=None))

    def of_ListComp(self, expr, flows):
        return self.collect(expr, self.names.fresh('items'))

    of_GeneratorExp = of_ListComp

    def of_DictComp(self, expr, flows):
        return self.collect(expr, self.names.fresh('table'))

    def of_SetComp(self, expr, flows):
        items = self.collect(gast.ListComp(elt=expr.elt, generators=expr.generators), self.names.fresh('items'))
        return gast.Set(elts=[gast.Starred(value=items, ctx=gast.Load())])

    # What is done with it

    def goes_through(self, call):
        """For a call that goes through the values or items of a dict, or makes a dict of what is zipped: the call with a
        generator that does so. Else None."""
        if not call.args or not self.takes_list(call):
            return None
        inner = call.args[0]
        if self.known(call) is sum and len(call.args) == 2 and isinstance(call.args[1], gast.List) \
                and not isinstance(inner, LISTS):
            name = self.names.fresh('part')
            each = gast.comprehension(target=tree.store(name), iter=inner, ifs=[], is_async=0)
            return tree.replace(call, args=[gast.GeneratorExp(elt=tree.load(name), generators=[each]), call.args[1]])
        if len(call.args) != 1 or not isinstance(inner, gast.Call):
            return None
        view = isinstance(inner.func, gast.Attribute) and inner.func.attr in ('values', 'items') \
            and not inner.args and self.resolver(inner.func) is UNKNOWN
        pairs = self.known(call) is dict and self.known(inner) is zip and len(inner.args) == 2
        if not view and not pairs:
            return None
        words = ['key', 'value'] if pairs or inner.func.attr == 'items' else ['value']
        names = [self.names.fresh(n) for n in words]
        target, elt = tree.store(names[0]), tree.load(names[0])
        if len(names) == 2:
            target = gast.Tuple(elts=[tree.store(n) for n in names], ctx=gast.Store())
            elt = gast.Tuple(elts=[tree.load(n) for n in names], ctx=gast.Load())
        generator = gast.comprehension(target=target, iter=inner, ifs=[], is_async=0)
        return tree.replace(call, args=[gast.GeneratorExp(elt=elt, generators=[generator])])

    def of_Call(self, expr, flows):
        if flows:
            expr = self.goes_through(expr) or expr
        if self.collects(expr):
            function = self.known(expr)
            if self.is_sum(expr):
                return self.summed(expr, self.names.fresh('total'))
            if function in (any, all):
                return self.decided(expr, function is any)
            if function is next and isinstance(expr.args[0], gast.GeneratorExp):
                return self.first(expr)
            if function is list:
                return self.of_ListComp(expr.args[0], flows)
            if function is dict and self.directly(name := self.names.fresh('table'), expr):
                return tree.load(name)
            if getattr(function, '__name__', '') == 'fromiter':
                expr = tree.replace(expr, func=tree.replace(expr.func, attr='array'), args=expr.args[:2])
            comp = expr.args[0]
            expr = tree.replace(expr, args=[gast.ListComp(elt=comp.elt, generators=comp.generators), *expr.args[1:]])
        return self.parts(expr, flows)

    def known(self, call):
        """The builtin or library function that is called, if it is one that can be asked for by identity."""
        function = self.resolver(call.func)
        return function if isinstance(function, (type, types.BuiltinFunctionType, types.FunctionType)) else None

    def collects(self, call):
        """Whether the call is given a comprehension that moves, which the function goes through once."""
        return bool(call.args) and isinstance(call.args[0], LISTS) and self.takes_list(call) \
            and (self.flow.flows(call.args[0]) or self.moves(call.args[0], True))

    def makes_generator(self, s):
        """Whether the statement binds a name to a generator through which a derivative flows."""
        return tree.target(s) is not None and isinstance(s.value, gast.GeneratorExp) and self.flow.flows(s.value) \
            and self.is_used_once(s)

    def unpacks_generator(self, s):
        """Whether the statement is `a, b = (...)` of a generator through which a derivative flows."""
        return isinstance(s, gast.Assign) and isinstance(s.value, gast.GeneratorExp) and self.flow.flows(s.value) \
            and all(isinstance(t, (gast.Tuple, gast.List)) for t in s.targets)

    def is_used_once(self, s):
        """Whether what goes through the generator of the statement does so once, and finds what it would find now."""
        name = tree.target(s)
        uses = [n for n in tree.walk(self.function) if isinstance(n, gast.Name) and n.id == name]
        after = [k for k, t in enumerate(self.following) if name in tree.names(t, gast.Load)]
        if len(uses) != 2 or len(after) != 1:
            return False
        user = self.following[after[0]]
        if any(isinstance(n, gast.Call) and self.resolver(n.func) is next for n in tree.walk(user)):
            return False                          # a list does not know how far it has been read
        if any(tree.blocks(user)) and not (isinstance(user, gast.For) and name in tree.reads(user)):
            return False
        meanwhile = self.following[:after[0] + isinstance(user, gast.For)]
        return (bound(meanwhile) | written(meanwhile)).isdisjoint(free(s.value))

    def takes_list(self, call):
        """Whether what is called makes the same of a list as of a generator."""
        function = self.resolver(call.func)
        if function is UNKNOWN or isinstance(call.func, gast.Attribute) and self.resolver(call.func) is UNKNOWN:
            return False
        module = (getattr(function, '__module__', None) or '').partition('.')[0]
        return module in MODULES or module == 'builtins' and getattr(builtins, function.__name__, None) is function

    def is_sum(self, expr):
        return isinstance(expr, gast.Call) and self.known(expr) is sum and self.collects(expr) \
            and not any(k.arg != 'start' for k in expr.keywords) and len(expr.args) + len(expr.keywords) <= 2

    def summed(self, call, name):
        """`name = sum(...)` as a loop."""
        start = [*call.args[1:], *(k.value for k in call.keywords)]
        node = self.own_names(call.args[0])
        if start and isinstance(start[0], gast.List):
            self.assign(name, start[0])
            self.nest(node, lambda node: self.extend(name, node.elt))
            return tree.load(name)
        self.assign(name, self.value(start[0], True) if start else tree.constant(0))
        self.nest(node, lambda node: self.assign(name, gast.BinOp(left=tree.load(name), op=gast.Add(),
                                                                  right=self.value(node.elt, True))))
        return tree.load(name)

    def extend(self, name, elt):
        item = self.names.fresh('item')
        body, _ = self.collected(self.append, name, tree.load(item))
        self.put(gast.For(target=tree.store(item), iter=self.value(elt, True), body=body, orelse=[], type_comment=None))

    def decided(self, call, found):
        """`any(...)` and `all(...)`, which stop as soon as they know; a list is made to its end, whatever it calls."""
        name = self.names.fresh('found' if found else 'every')
        self.assign(name, tree.constant(not found))

        def finish(node):
            test = self.value(node.elt, False)
            test = test if found else gast.UnaryOp(op=gast.Not(), operand=test)
            stop, _ = self.collected(self.assign if whole else self.stop, name, tree.constant(found))
            self.put(gast.If(test=test, body=stop, orelse=[]))
        each = call.args[0]
        whole = not isinstance(each, gast.GeneratorExp) and any(isinstance(n, gast.Call) for n in gast.walk(each))
        if whole:
            self.nest(self.own_names(each), finish)
        else:
            self.until(each, finish, name)
        return tree.load(name)

    def first(self, call):
        """`next(...)` of a generator: the first element, or the default."""
        name = self.names.fresh('first')
        if len(call.args) > 1:
            self.assign(name, self.value(call.args[1], True))
        done = self.until(call.args[0], lambda node: self.stop(name, self.value(node.elt, True)), name)
        if len(call.args) == 1:
            error = gast.Raise(exc=self.call('StopIteration').func, cause=None)
            loop = self.out.pop()
            self.out += else_behind(tree.replace(loop, orelse=[made(error, self.at)]), self.names)
        return done

    def stop(self, name, value):
        self.assign(name, value)
        self.put(gast.Break())

    def until(self, node, finish, name):
        """Loops that `finish` leaves; those over several generators go through all they give first."""
        node = self.own_names(node)
        if len(node.generators) > 1:
            targets = gast.Tuple(elts=[n for g in node.generators for n in tree.walk(g.target)
                                       if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)], ctx=gast.Store())
            every = gast.ListComp(elt=_loaded(targets), generators=node.generators)
            items = self.collect(every, self.names.fresh('items'))
            node = tree.replace(node, generators=[gast.comprehension(target=targets, iter=items, ifs=[], is_async=0)])
        self.nest(node, finish)
        return tree.load(name)


def _loaded(target):
    return gast.Tuple(elts=[tree.load(n.id) for n in target.elts], ctx=gast.Load())


def free(node, inner=frozenset()):
    """Names in a tree, without those that a comprehension around them binds."""
    if isinstance(node, gast.Name):
        return [] if node.id in inner else [node.id]
    generators = getattr(node, 'generators', None)
    if generators is None:
        return [n for child in tree.children(node) for n in free(child, inner)]
    own = {n.id for g in generators for n in tree.walk(g.target) if isinstance(n, gast.Name)}
    parts = [p for p in tree.children(node) if p is not generators[0]]
    first = generators[0]
    found = [n for p in parts + [first.target, *first.ifs] for n in free(p, inner | own)]
    return found + free(first.iter, inner)
