"""Heaps: what is in one has a place in a list that only grows, which has a derivative; the heap says which comes next.

    heap = [(0.0, s)]                     kept = [(0.0, s)]
                                          heap = [ranked(v, k) for k, v in enumerate(kept)]
    heapq.heappush(heap, (d, v))    ->    kept.append((d, v))
                                          heapq.heappush(heap, ranked(kept[-1], len(kept) - 1))
    d, u = heapq.heappop(heap)            d, u = kept[heapq.heappop(heap)[1]]
    while heap and heap[0][0] < t:        while heap and kept[heap[0][1]][0] < t:
    return sum(heap)                      return sum([kept[k] for _, k in heap])

The heap compares what it did; where two are equal, that which was put there first comes first. So it is for a list of the
function's own that nothing is asked of but what heaps are.
"""
import heapq

import gast

from tangent.analysis.mutated_lists import kind_of
from tangent.frontend import tree
from tangent.normal.desugar.loops import inside, made

HEAPS = frozenset([heapq.heappush, heapq.heappop, heapq.heapify])


def with_places(function, names, resolver, library, flows):
    """The FunctionDef with such heaps written so, if something with a derivative is in one; else None."""
    heaps = Heaps(function, resolver, library)
    for name in heaps.found(flows):
        heaps.kept[name] = names.fresh('kept')
    return tree.replace(function, body=heaps.block(function.body)) if heaps.kept else None


class Heaps:
    """kept : name of a heap -> the name of the list of what was ever put there"""

    def __init__(self, function, resolver, library):
        self.function, self.resolver, self.library, self.kept = function, resolver, library, {}
        self.nodes = [n for s in function.body for n in tree.walk(s)]
        self.calls = {n: resolver(n.func) for n in self.nodes if isinstance(n, gast.Call) and n.args and not n.keywords
                      and isinstance(n.args[0], gast.Name) and getattr(resolver(n.func), '__name__', None) in NAMES
                      and resolver(n.func) in HEAPS}

    # Which they are

    def found(self, flows):
        """Names of heaps that hold something with a derivative."""
        names = {c.args[0].id for c, function in self.calls.items() if function is not heapq.heapify}
        if not names:
            return
        statements = list(tree.every(self.function.body))
        known = {id(part) for n in self.nodes for part in self.asked(n)}
        pushes = [s for s in statements if self.is_push(s)]
        known |= {id(owner_of(s.value)) for s in pushes}
        known |= {id(s.value.args[0]) for s in statements if isinstance(s, gast.Expr)
                  and self.calls.get(s.value) is heapq.heapify}
        for name in sorted(names - set(tree.names(self.function.args, gast.Param))):
            begun = [s for s in statements if tree.target(s) == name]
            uses = [n for n in self.nodes if isinstance(n, gast.Name) and n.id == name]
            put = [s.value.args[-1] for s in pushes if owner_of(s.value).id == name]
            if len(begun) == 1 and kind_of(begun[0].value, self.resolver) == 'list' \
                    and all(id(n) in known or n is begun[0].targets[0] for n in uses) \
                    and any(map(flows, [begun[0].value, *put])):
                yield name

    def asked(self, node):
        """The names of heaps, among others, of which an expression asks what is known of them."""
        if isinstance(node, gast.Call):
            asks = self.calls.get(node) is heapq.heappop or self.resolver(node.func) in (len, *READING)
            return node.args if asks and not node.keywords else []
        if isinstance(node, (gast.For, gast.comprehension)):
            return [node.iter]
        if isinstance(node, gast.Subscript):
            first = isinstance(node.slice, gast.Constant) and node.slice.value == 0 and isinstance(node.ctx, gast.Load)
            return [node.value] if first else []
        if isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not):
            return [node.operand]
        if isinstance(node, (gast.If, gast.While, gast.IfExp)):
            return node.test.values if isinstance(node.test, gast.BoolOp) else [node.test]
        return ()

    def is_push(self, s):
        """Whether it is `heapq.heappush(heap, v)` or `heap.append(v)`, a statement."""
        call = s.value if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
        if call is None or call.keywords or tree.starred(call.args):
            return False
        if call in self.calls:
            return self.calls[call] is heapq.heappush and len(call.args) == 2
        appends = isinstance(call.func, gast.Attribute) and call.func.attr == 'append' and len(call.args) == 1
        return appends and isinstance(call.func.value, gast.Name)

    # How they are written

    def block(self, stmts):
        out = []
        for s in stmts:
            s = inside(s, self.block)
            if tree.target(s) in self.kept:
                out += self.begun(s, tree.target(s))
            elif self.is_push(s) and owner_of(s.value).id in self.kept:
                out += self.pushed(s)
            else:
                asks = isinstance(s, (gast.If, gast.While))                 # `while heap`
                each = lambda e, asks=asks: e if asks and isinstance(e, gast.Name) else self.expression(e)  # noqa: E731
                out.append(tree.with_children(s, each, skip=tuple(dict(tree.blocks(s)))))
        return out

    def begun(self, s, name):
        kept = self.kept[name]
        first = tree.like(s, tree.store(kept), self.expression(s.value))
        if isinstance(s.value, gast.List) and not s.value.elts:
            return [first, s]
        each = gast.comprehension(target=gast.Tuple(elts=[tree.store('k'), tree.store('v')], ctx=gast.Store()),
                                  iter=tree.call(self.library('enumerate'), tree.load(kept)), ifs=[], is_async=0)
        ranks = gast.ListComp(elt=tree.call(self.library('ranked'), tree.load('v'), tree.load('k')), generators=[each])
        return [first, tree.like(s, tree.store(name), ranks)]

    def pushed(self, s):
        call, kept = s.value, self.kept[owner_of(s.value).id]
        grow = tree.method(tree.load(kept), 'append', self.expression(call.args[-1]))
        last = gast.Subscript(value=tree.load(kept), slice=tree.constant(-1), ctx=gast.Load())
        place = gast.BinOp(left=tree.call(self.library('len'), tree.load(kept)), op=gast.Sub(), right=tree.constant(1))
        push = tree.replace(call, args=[*call.args[:-1], tree.call(self.library('ranked'), last, place)])
        return [made(gast.Expr(value=grow), s), made(gast.Expr(value=push), s)]

    def values(self, name):
        """What is in a heap, in its order."""
        pair = gast.Tuple(elts=[tree.store('_'), tree.store('k')], ctx=gast.Store())
        each = gast.comprehension(target=pair, iter=tree.load(name), ifs=[], is_async=0)
        value = gast.Subscript(value=tree.load(self.kept[name]), slice=tree.load('k'), ctx=gast.Load())
        return gast.ListComp(elt=value, generators=[each])

    def expression(self, node):
        """An expression with what is taken from heaps."""
        if isinstance(node, gast.Name) and node.id in self.kept and isinstance(node.ctx, gast.Load):
            return self.values(node.id)
        itself = isinstance(node, (gast.Subscript, gast.UnaryOp, gast.BoolOp, gast.IfExp)) or isinstance(node, gast.Call) and (
            node in self.calls or self.resolver(node.func) is len)
        inner = tree.with_children(node, lambda e: e if itself and isinstance(e, gast.Name) else self.expression(e))
        taken = self.calls.get(node) is heapq.heappop if isinstance(node, gast.Call) else isinstance(node, gast.Subscript)
        owner = getattr(node.args[0] if isinstance(node, gast.Call) else node.value, 'id', None) if taken else None
        if owner not in self.kept:
            return inner
        place = gast.Subscript(value=inner, slice=tree.constant(1), ctx=gast.Load())
        return gast.copy_location(gast.Subscript(value=tree.load(self.kept[owner]), slice=place, ctx=gast.Load()), node)


READING = sum, max, min, sorted, list, tuple
NAMES = frozenset(function.__name__ for function in HEAPS)


def owner_of(push):
    """The name of the list to which a statement adds."""
    return push.func.value if isinstance(push.func, gast.Attribute) and push.func.attr == 'append' else push.args[0]
