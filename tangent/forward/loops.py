"""Loops over things with a derivative: the header brings values and tangents.

    for x in xs:                      for x, dx in zip(xs, dxs):
    for i, x in enumerate(xs):        for i, (x, dx) in enumerate(zip(xs, dxs)):
    for x, w in zip(xs, ws):          for x, w, dx in zip(xs, ws, dxs):
    for k, x in d.items():            for (k, x), dx in zip(d.items(), dd.values()):
"""
from __future__ import annotations

import inspect
from typing import NamedTuple

import gast

from tangent.analysis.ops import Op
from tangent.frontend import tree

VIEWS = ('items', 'values')


class Head(NamedTuple):
    """One thing that a loop goes over.

    kind : 'each', 'reversed' or 'count' (what `enumerate` counts)
    target : tree of what an element is bound to
    iter : tree of the thing, None for a count
    """
    kind: str
    target: object
    iter: object


def loop_heads(target, expr, resolver):
    """The Heads of a loop: several where it goes over a `zip` or an `enumerate`."""
    function = resolver(expr.func) if isinstance(expr, gast.Call) and not expr.keywords else None
    plain = function is not None and not any(isinstance(a, gast.Starred) for a in expr.args)
    elements = target.elts if isinstance(target, (gast.Tuple, gast.List)) else ()
    if plain and function is enumerate and len(elements) == 2 and len(expr.args) in (1, 2):
        start = expr.args[1] if len(expr.args) == 2 else None
        return [Head('count', elements[0], start)] + loop_heads(elements[1], expr.args[0], resolver)
    if plain and function is zip and len(elements) == len(expr.args) and \
            not any(is_call_of(a, enumerate, resolver) for a in expr.args):
        return [head for t, a in zip(elements, expr.args) for head in loop_heads(t, a, resolver)]
    if plain and function is reversed and len(expr.args) == 1:
        return [Head('reversed', target, expr.args[0])]
    return [Head('each', target, expr)]


def is_generator_call(expr, resolver):
    return isinstance(expr, gast.Call) and inspect.isgeneratorfunction(resolver(expr.func))


def is_call_of(expr, function, resolver):
    return isinstance(expr, gast.Call) and resolver(expr.func) is function


class Loops:
    """The part of `Forward` that writes loops."""

    def on_loop(self, s, op):
        values, tangents, count, first, again = [], [], None, [], self.iterators(op.args)
        for head in op.args:
            if head.kind == 'count':
                count = head
                continue
            if is_generator_call(head.iter, self.facts.resolver) and self.flows_into(head.iter):
                values.append((display([head.target, self.d_target(head.target)]), self.generated(head.iter, s)))
                continue
            values.append((head.target, self.reversed(head, head.iter)))
            names = [n for n in tree.names(head.target, gast.Store) if n in self.active]
            if (names or head in again) and self.flows(owner(head.iter)):
                place = self.d_of_element(head) if names else tree.store(self.names.fresh('_'))
                tangents.append((place, self.reversed(head, self.d_of_iterated(head))))
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
        """Those heads that go through an iterator with a name, where there are several: it may be the same one.

        All their tangents are taken then, whether they are needed or not, as the values are.
        """
        makers, names = (iter, map, filter, zip, enumerate, reversed), set()
        for s in tree.every(self.facts.tree.body):
            value = s.value if isinstance(s, gast.Assign) else None
            if isinstance(value, gast.Call) and self.facts.resolver(value.func) in makers \
                    or isinstance(value, gast.Name) and value.id in names:
                names.add(tree.target(s))
        found = [h for h in heads if isinstance(h.iter, gast.Name) and h.iter.id in names]
        return found if len(found) > 1 else []

    def flows_into(self, call):
        return any(map(self.flows, [*call.args, *(k.value for k in call.keywords)]))

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


def owner(expr):
    """What is iterated over, for `d.items()` the dict."""
    while isinstance(expr, (gast.Call, gast.Subscript, gast.Attribute)):
        expr = expr.func.value if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) else \
            expr.value if not isinstance(expr, gast.Call) else tree.constant(None)
    return expr


def display(parts):
    return gast.Tuple(elts=list(parts), ctx=gast.Store())
