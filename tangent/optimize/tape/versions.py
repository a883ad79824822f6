"""One name per value: definitions that never meet at a read get names of their own."""
import dataclasses

import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.solve import Analysis, solve
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.coalesce import SPELLED


def versions(func):
    """Give each value of a name that is bound several times its own name, so that later passes see it alone.

    >>> show(versions, 'y = x; z = y; y = 2; w = y')
    y = x; z = y; y2 = 2; w = y2
    >>> show(versions, 'y = x; y += 1; z = y')
    y = x; y += 1; z = y
    """
    webs = _Webs(func)
    new = webs.names()
    if not new:
        return func
    body = webs.block(func.tree.body)
    old = webs.old
    base = {**func.base, **{name: func.base.get(old[name], old[name]) for name in old}}
    temps = func.temps | {name for name in old if old[name] in func.temps}
    arrays = {**func.arrays, **{name: func.arrays[old[name]] for name in old if old[name] in func.arrays}}
    return dataclasses.replace(rewrite.with_body(func, body), base=base, temps=temps, arrays=arrays)


class _Webs:
    """Definitions (node, name), numbered, and joined where one read may see either."""

    def __init__(self, func):
        self.func, self.graph = func, cfg.Graph(func)
        fixed, count = set(), {}
        for stmt in cfg.statements(func):
            fixed |= look(stmt).captured | (look(stmt).writes if isinstance(stmt, SPELLED) else frozenset())
        for node in self.graph.nodes:
            for name in node.writes:
                count[name] = count.get(name, 0) + 1
        self.several = {name for name, k in count.items() if k > 1} - fixed
        self.definitions = [(node.at, name) for node in self.graph.nodes
                            for name in sorted(node.writes & self.several)]
        self.number = {definition: k for k, definition in enumerate(self.definitions)}
        self.of = {}
        for k, (_, name) in enumerate(self.definitions):
            self.of[name] = self.of.get(name, 0) | 1 << k
        self.parent = list(range(len(self.definitions)))
        self.loads, self.stores, self.old = {}, {}, {}

    def reaching(self):
        """The definitions that may hold before each node, as sets of bits."""
        gen, keep = [0] * len(self.graph.nodes), [-1] * len(self.graph.nodes)
        for k, (index, name) in enumerate(self.definitions):
            gen[index] |= 1 << k
            keep[index] &= ~self.of[name]
        return solve(Analysis(forward=True, start=0, join=int.__or__,
                              step=lambda node, held: held & keep[node.at] | gen[node.at]), self.graph)[0]

    def find(self, k):
        while self.parent[k] != k:
            self.parent[k] = k = self.parent[self.parent[k]]
        return k

    def join(self, seen):
        """One web for all definitions in the set of bits; returns one of them, or None."""
        first = None
        while seen:
            low = seen & -seen
            k = self.find(low.bit_length() - 1)
            seen ^= low
            if first is not None and k != first:
                k, first = max(k, first), min(k, first)
                self.parent[k] = first
            first = k if first is None else first
        return first

    def names(self):
        """The names that are new. Fills `loads` and `stores`: statement -> {name: name in its place}."""
        if not self.several:
            return []
        before, uses = self.reaching(), []
        for node in self.graph.nodes:
            for name in node.reads & self.several:
                seen = before[node.at] & self.of[name]
                if isinstance(node.stmt, gast.AugAssign) and name in node.writes:
                    seen |= 1 << self.number[node.at, name]
                uses.append((node, name, self.join(seen)))
        chosen = self.choose()
        for node, name, k in uses:
            if k is not None and chosen[self.find(k)] != name:
                self.loads.setdefault(node.stmt, {})[name] = chosen[self.find(k)]
        for k, (index, name) in enumerate(self.definitions):
            if chosen[self.find(k)] != name:
                self.stores.setdefault(self.graph.nodes[index].stmt, {})[name] = chosen[self.find(k)]
        return list(self.old)

    def choose(self):
        """web -> its name: the first one keeps the name it has."""
        chosen, seen = {}, set()
        taken = tree.Names(taken_names(self.func))
        for k, (_, name) in enumerate(self.definitions):
            web = self.find(k)
            if web in chosen:
                continue
            chosen[web] = name
            if name in seen:
                chosen[web] = taken.fresh(self.func.base.get(name, name))
                self.old[chosen[web]] = name
            seen.add(name)
        return chosen

    def block(self, block):
        return rewrite.same([self.statement(stmt) for stmt in block], block)

    def statement(self, stmt):
        loads, stores = self.loads.get(stmt), self.stores.get(stmt)
        new = stmt
        if loads or stores:
            new = rewrite.header(stmt, lambda part: rewrite.rename_apart(part, loads or {}, stores or {}))
        return rewrite.with_blocks(new, self.block)


def taken_names(func):
    """Every name that stands in the function, and the library's."""
    taken = set(tree.names(func.tree.args, gast.Param)) | set(func.library.values()) | set(func.base)
    for stmt in cfg.statements(func):
        taken |= look(stmt).writes | set(look(stmt).loads)
    return taken
