"""What is kept for nothing but a test is kept as the outcome of the test."""
import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.solve import Analysis, solve
from tangent.analysis.dataflow.statements import look
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.expressions.coalesce import kept
from tangent.optimize.tape.versions import taken_names


def kept_tests(func):
    """Push whether a branch was taken, in place of the values that say so.

    >>> show(kept_tests, '_s = []\\nfor i in range(n):\\n _s.append(y)\\n if x[i] > y:\\n  y = x[i]\\n'
    ...     'for i in range(n - 1, -1, -1):\\n y = _s.pop()\\n if x[i] > y:\\n  bx[i] += by\\n  by = init_grad(y)',
    ...     independent=True, params=['x', 'n', 'y', 'bx', 'by'])
    _s = []
    for i in range(n):
        _s.append(x[i] > y)
        if x[i] > y:
            y = x[i]
    for i in range(n - 1, -1, -1):
        if _s.pop():
            bx[i] += by
            by = init_grad(by)
    """
    if not func.independent:
        return func
    for push in [s for s in cfg.statements(func) if kept(s, 'append')[0]]:
        func = _Test(func, push).replaced()
    return func


class _Test:
    def __init__(self, func, push):
        self.func, self.effects, self.places = func, effects_of(func), cfg.places(func)
        self.push, (self.stack, self.values) = push, kept(push, 'append')

    def pop(self):
        """The one statement that pops what is pushed here; None if there are others."""
        uses = [s for s in self.places if self.stack in look(s).loads]
        pops = [s for s in uses if kept(s, 'pop')[0] == self.stack]
        return pops[0] if len(uses) == 2 and len(pops) == 1 else None

    def following(self, s):
        """The branch that stands right behind a statement."""
        place = self.places[s]
        after = place.block[place.at + 1:place.at + 2]
        return after[0] if after and isinstance(after[0], gast.If) else None

    def replaced(self):
        """The function with the test on the tape; itself where that is not right."""
        pop = self.pop()
        first, then = self.following(self.push), pop and self.following(pop)
        targets = kept(pop, 'pop')[1] if pop else []
        if not first or not then or len(targets) != len(self.values) \
                or not all(isinstance(e, gast.Name) for e in [*targets, *self.values]):
            return self.func
        names = {t.id: v.id for t, v in zip(targets, self.values)}
        if gast.dump(rewrite.rename(then.test, names)) != gast.dump(first.test) or not self.effects.pure(then):
            return self.func
        asked = [n for n in names if n in look(then.test).loads]
        zeros = self.zeros(then, asked)
        if not asked or self.lives(asked, pop, {then, *zeros}):
            return self.func
        return self.written(pop, first, then, targets, asked, zeros)

    def zeros(self, branch, asked):
        """statement -> what takes its place, for those in the branch that ask a popped value for its type."""
        found, seen = {}, set()
        for s in branch.body:
            name = tree.target(s)
            if name in seen and isinstance(s.value, gast.Call) and len(s.value.args) == 1 and not s.value.keywords \
                    and self.effects.helper(tree.dotted(s.value.func)) == 'init_grad' \
                    and getattr(s.value.args[0], 'id', None) in asked:
                found[s] = tree.replace(s, value=tree.replace(s.value, args=[tree.load(name)]))
            seen.update(look(s).loads)
        return found

    def lives(self, names, pop, spared):
        """Whether a name is read after the pop, but by the statements that are spared."""
        graph, bits = cfg.Graph(self.func), {name: 1 << k for k, name in enumerate(names)}
        gen = [0 if node.stmt in spared else cfg.mask(node.reads, bits) for node in graph.nodes]
        keep = [~cfg.mask(node.writes, bits) for node in graph.nodes]
        after, _ = solve(Analysis(forward=False, start=0, join=int.__or__,
                                  step=lambda node, live: live & keep[node.at] | gen[node.at]), graph)
        return any(after[node.at] for node in graph.nodes if node.stmt is pop)

    def written(self, pop, first, then, targets, asked, zeros):
        rest = [k for k, t in enumerate(targets) if t.id not in asked]
        pushed, popped = [self.values[k] for k in rest], [targets[k] for k in rest]
        value = gast.Tuple(elts=[*pushed, first.test], ctx=gast.Load()) if rest else first.test
        append = tree.replace(self.push, value=tree.replace(self.push.value, args=[value]))
        branch = rewrite.with_blocks(then, lambda block: rewrite.with_statements(block, zeros))
        if not rest:
            new = {self.push: append, pop: None, then: tree.replace(branch, test=pop.value)}
        else:
            taken = tree.Names(taken_names(self.func)).fresh('taken')
            target = gast.Tuple(elts=[*popped, tree.store(taken)], ctx=gast.Store())
            new = {self.push: append, pop: tree.replace(pop, targets=[target]),
                   then: tree.replace(branch, test=tree.load(taken))}
        return rewrite.with_body(self.func, rewrite.with_statements(self.func.tree.body, new))
