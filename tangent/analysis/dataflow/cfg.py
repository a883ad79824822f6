"""The control-flow graph of a function in normal form."""
from typing import Any, NamedTuple

import gast

from tangent.analysis.dataflow.solve import Analysis, solve
from tangent.analysis.dataflow.statements import COMPOUND, look
from tangent.frontend import tree


class Node(NamedTuple):
    """One step of the program: a statement, or the part of a compound statement that is evaluated by itself."""
    at: int
    stmt: Any
    reads: frozenset
    writes: frozenset


class Graph:
    """nodes in the order of the text; `succ` and `pred` hold indices. Node 0 binds the parameters."""

    def __init__(self, func):
        self.nodes, self.succ, self.pred = [], [], []
        self.loops, self.guards, self.returns = [], [], []
        start = self.node(func.tree, frozenset(), frozenset(tree.names(func.tree.args, gast.Param)), [])
        ends = self.block(func.tree.body, [start])
        self.node(func.tree, frozenset(), frozenset(), ends + self.returns)

    def node(self, stmt, reads, writes, sources):
        index = len(self.nodes)
        self.nodes.append(Node(index, stmt, reads, writes))
        self.succ.append([])
        self.pred.append([])
        for source in sources:
            self.edge(source, index)
        for guard in self.guards:
            guard.append(index)
        return index

    def edge(self, source, sink):
        self.succ[source].append(sink)
        self.pred[sink].append(source)

    def block(self, statements, ends):
        for stmt in statements:
            ends = self.statement(stmt, ends)
        return ends

    def statement(self, stmt, ends):
        if isinstance(stmt, (gast.For, gast.While)):
            return self.loop(stmt, ends)
        if isinstance(stmt, tree.TRIES):
            return self.attempt(stmt, ends)
        found = look(stmt)
        here = self.node(stmt, frozenset(found.loads), found.writes, ends)
        if isinstance(stmt, gast.If):
            return self.block(stmt.body, [here]) + self.block(stmt.orelse, [here])
        if isinstance(stmt, gast.With):
            anywhere = [here]
            self.guards.append(anywhere)
            self.block(stmt.body, [here])
            self.guards.pop()
            return anywhere
        if isinstance(stmt, gast.Break):
            self.loops[-1][1].append(here)
            return []
        if isinstance(stmt, gast.Continue):
            self.edge(here, self.loops[-1][0])
            return []
        if isinstance(stmt, (gast.Return, gast.Raise)):
            self.returns.append(here)
            return []
        return [here]

    def loop(self, stmt, ends):
        """What is gone through is evaluated once; the head sees whether there is another element, which is bound then."""
        if isinstance(stmt, gast.For):
            ends = [self.node(stmt, frozenset(look(stmt.iter).loads), frozenset(), ends)]
            head = self.node(stmt, frozenset(), frozenset(), ends)
            begin = self.node(stmt, frozenset(look(stmt.target).loads), look(stmt.target).writes, [head])
        else:
            head = begin = self.node(stmt, frozenset(look(stmt.test).loads), frozenset(), ends)
        self.loops.append((head, []))
        for end in self.block(stmt.body, [begin]):
            self.edge(end, head)
        breaks = self.loops.pop()[1]
        return self.block(stmt.orelse, [head]) + breaks

    def attempt(self, stmt, ends):
        """Any step of the body may be the last one before a handler, any step at all before the `finally`."""
        body = list(ends)
        self.guards.append(body)
        ends = self.block(stmt.body, ends)
        self.guards.pop()
        anywhere = list(body)
        self.guards.append(anywhere)
        ends = self.block(stmt.orelse, ends)
        for handler in stmt.handlers:
            here = self.node(handler, frozenset(look(handler).loads), look(handler).writes, body)
            found = self.block(handler.body, [here])
            ends = ends + found
            body = body if isinstance(stmt, gast.Try) else body + found               # after `except*` others may run
        self.guards.pop()
        return self.block(stmt.finalbody, ends + anywhere) if stmt.finalbody else ends


def blocks(func):
    """Every block of the function, outer ones first."""
    todo = [func.tree.body]
    for block in todo:
        yield block
        for stmt in block:
            if isinstance(stmt, COMPOUND):
                todo.extend(inner for _, inner in tree.blocks(stmt))


def statements(func):
    """Every statement of the function, in no particular order."""
    for block in blocks(func):
        yield from block


def liveness(graph, bits):
    """(live after, live before) each node, as sets of bits: the names that may still be read."""
    gen = [mask(node.reads, bits) for node in graph.nodes]
    keep = [~mask(node.writes, bits) for node in graph.nodes]
    return solve(Analysis(forward=False, start=0, join=int.__or__,
                          step=lambda node, live: live & keep[node.at] | gen[node.at]), graph)


def mask(names, bits):
    """The set of names as one integer, given each name's bit; names without a bit are left out."""
    found = 0
    for name in names:
        found |= bits.get(name, 0)
    return found


class Place(NamedTuple):
    """Where a statement stands: in which block, at which index, under which compound statement, inside which loops."""
    block: list
    at: int
    parent: Any
    loops: tuple


def places(func):
    """statement -> :class:`Place`, for every statement of the function, in the order of the text."""
    found = {}

    def walk(block, parent, loops):
        for index, stmt in enumerate(block):
            found[stmt] = Place(block, index, parent, loops)
            if not isinstance(stmt, COMPOUND):
                continue
            inner = loops + (stmt,) if isinstance(stmt, (gast.For, gast.While)) else loops
            for field, block_ in tree.blocks(stmt):
                walk(block_, stmt, loops if field == 'orelse' else inner)

    walk(func.tree.body, None, ())
    return found


def within(stmt, block, found):
    """The statement of the block that is, or holds, the given one; None if it stands elsewhere."""
    while stmt is not None and found[stmt].block is not block:
        stmt = found[stmt].parent
    return stmt
