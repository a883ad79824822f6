"""Versions of one variable become one name again."""
import dataclasses

import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.solve import Analysis, solve
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.dead import filled

# Statements that spell the names they bind without a Name node: these names stay as they are.
SPELLED = (gast.Import, gast.ImportFrom, gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.ExceptHandler)


def coalesce(func):
    """Give the versions of a variable one name, where they are never needed at the same time.

    >>> show(coalesce, 'y2 = y * 2; return y2', base={'y2': 'y'})
    y = y * 2; return y
    >>> show(coalesce, 'y2 = y * 2; return y2 + y', base={'y2': 'y'})
    y2 = y * 2; return y2 + y
    """
    found = _Versions(func)
    names = found.names()
    if not names:
        return func
    body = renamed(func.tree.body, names)
    base = {name: base for name, base in func.base.items() if name not in names}
    return dataclasses.replace(rewrite.with_body(func, body), base=base)


class _Versions:
    """Names with their bits, joined into classes of names that can be one name."""

    def __init__(self, func):
        self.func, self.params = func, set(tree.names(func.tree.args, gast.Param))
        statements = list(cfg.statements(func))
        self.fixed = frozenset().union(*(look(s).captured | (look(s).writes if isinstance(s, SPELLED) else frozenset())
                                         for s in statements))
        self.graph = cfg.Graph(func)
        self.order = self.appearance()
        self.scratch = self.adjoint_parts(statements) if func.known is not None else set()
        self.bits = {name: 1 << k for k, name in enumerate(self.candidates(statements))}
        self.clash = self.clashes()
        self.parent = {name: name for name in self.bits}
        self.members = dict(self.bits)

    def appearance(self):
        """The names that the function binds, in the order in which they appear."""
        order = {}
        for node in self.graph.nodes:
            for name in sorted(node.writes, key=lambda n: (len(n), n)):
                order.setdefault(name, len(order))
        return order

    def adjoint_parts(self, statements):
        """Names of gradients of parts of the user's expressions: those whose turns do not meet can be one name."""
        others = {n for s in statements if tree.role(s) != 'adjoint' or not tree.target(s)
                  for n in look(s).writes}
        return {n for n in self.order if n in self.func.temps and n.startswith('b') and n not in others}

    def base(self, name):
        return self.func.base.get(name, name)

    def candidates(self, statements):
        """The names that may change: versions, and both sides of a copy."""
        count = {}
        for name in self.order:
            count[self.base(name)] = count.get(self.base(name), 0) + 1
        pairs = {name for pair in self.copies(statements) for name in pair}
        return [n for n in self.order if n not in self.fixed and (
            count[self.base(n)] > 1 or n in pairs or n in self.scratch or n != self.base(n))]

    def copies(self, statements):
        """(a, b) where `a` is made of `b` by a copy or by way of the tape, and one of the two is a name that we made."""
        pushed, pairs = {}, []
        for stmt in statements:
            stack, values = kept(stmt, 'append')
            if stack:
                pushed[stack] = values
            elif tree.target(stmt) and isinstance(stmt.value, gast.Name):
                pairs.append((stmt.targets[0], stmt.value))
        for stmt in statements:
            stack, targets = kept(stmt, 'pop')
            pairs += zip(targets, pushed.get(stack, ()))
        for pair in pairs:
            names = [n.id for n in pair if isinstance(n, gast.Name) and n.id in self.order]
            if len(names) == 2 and any(self.base(n) in self.func.temps or n in self.func.temps for n in names):
                yield tuple(names)

    def clashes(self):
        """name -> the names that are alive where it is bound (those that hold the same value by a copy excepted)."""
        live_after, _ = cfg.liveness(self.graph, self.bits)
        bound = self.bound() if self.func.known is not None else dict.fromkeys([node.at for node in self.graph.nodes], -1)
        clash = dict.fromkeys(self.bits, 0)
        for node in self.graph.nodes:
            live = live_after[node.at] & bound[node.at] | cfg.mask(node.writes, self.bits)
            if tree.target(node.stmt) and isinstance(node.stmt.value, gast.Name):
                live &= ~self.bits.get(node.stmt.value.id, 0)
            for name in node.writes & clash.keys():
                clash[name] |= live & ~self.bits[name]
        return clash

    def bound(self):
        """For each place the names that may have been bound when it is come to: what is bound on no way there holds nothing."""
        wrote = [cfg.mask(node.writes, self.bits) for node in self.graph.nodes]
        _, after = solve(Analysis(forward=True, start=0, join=int.__or__,
                                  step=lambda node, names: names | wrote[node.at]), self.graph)
        return after

    def find(self, name):
        while self.parent[name] != name:
            name = self.parent[name]
        return name

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b or self.clash[a] & self.members[b] or self.clash[b] & self.members[a]:
            return
        if self.order[b] < self.order[a]:
            a, b = b, a
        self.parent[b] = a
        self.members[a] |= self.members[b]
        self.clash[a] |= self.clash[b]

    def names(self):
        """name -> new name, for the names that change."""
        for pair in self.copies(list(cfg.statements(self.func))):
            if pair[0] in self.bits and pair[1] in self.bits:
                self.join(*pair)
        versions = {}
        for name in self.bits:
            versions.setdefault(self.base(name), []).append(name)
        for base, group in versions.items():
            if base not in self.func.temps:
                self.merge(group)
        self.merge([name for name in self.bits if name in self.scratch])
        return self.choose()

    def merge(self, group):
        """Join each version with the first class that takes it, the latest classes first."""
        heads = []
        for name in group:
            for head in heads[-8:][::-1]:
                self.join(head, name)
                if self.find(head) == self.find(name):
                    break
            else:
                heads.append(name)

    def choose(self):
        classes = {}
        for name in self.bits:
            classes.setdefault(self.find(name), []).append(name)
        new, taken = {}, tree.Names(self.taken())
        for group in sorted(classes.values(), key=lambda g: (not self.params & set(g), self.base(g[0]) not in g)):
            name = self.best(group)
            if not self.params & set(group):
                name = taken.fresh(self.base(name))
            new.update((old, name) for old in group)
        return {old: name for old, name in new.items() if old != name}

    def best(self, group):
        """The name that people know: a parameter, else one of the user's, else the first."""
        mine = [n for n in group if n in self.params] or [n for n in group if self.base(n) not in self.func.temps]
        return (mine or group)[0]

    def taken(self):
        """The names that a class may not take: parameters, and all names that are not to be renamed."""
        every = {name for stmt in cfg.statements(self.func) for name in look(stmt).loads}
        return (every | self.order.keys() | set(self.func.library.values())) - (self.bits.keys() - self.params)


def renamed(block, names):
    """The block with names renamed and without `x = x`."""
    out = []
    for stmt in block:
        new = rewrite.header(stmt, lambda part: rewrite.rename(part, names))
        full = rewrite.with_blocks(new, lambda inner: renamed(inner, names))
        if not (tree.target(new) and isinstance(new.value, gast.Name) and new.value.id == tree.target(new)):
            out += [new] if full is new else filled(full)
    return rewrite.same(out, block)


def kept(stmt, method):
    """(list, trees) for `list.append((a, b))` and `a, b = list.pop()` of a tape; else (None, ())."""
    kind = gast.Expr if method == 'append' else gast.Assign
    if not isinstance(stmt, kind) or tree.role(stmt) == 'primal':
        return None, ()
    if not isinstance(stmt.value, gast.Call) or not isinstance(stmt.value.func, gast.Attribute):
        return None, ()
    if stmt.value.func.attr != method or not isinstance(stmt.value.func.value, gast.Name):
        return None, ()
    item = stmt.targets[0] if isinstance(stmt, gast.Assign) else stmt.value.args[0]
    return stmt.value.func.value.id, item.elts if isinstance(item, gast.Tuple) else [item]
