"""What is cheap to compute again is not kept on the tape."""
import functools

import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.dataflow.statements import COMPOUND, look
from tangent.analysis.kinds.values import Number
from tangent.frontend import tree
from tangent.optimize import rewrite

CHEAP = (gast.Add, gast.Sub, gast.Mult, gast.Mod, gast.FloorDiv, gast.USub, gast.UAdd, gast.Not, gast.cmpop,
         gast.boolop)
POWERS = 2, 3
FORMS = (gast.BinOp, gast.UnaryOp, gast.BoolOp, gast.Compare, gast.IfExp, gast.Subscript, gast.Attribute, gast.Tuple,
         gast.Slice)
TESTS = 'logical_and', 'logical_or', 'logical_xor', 'logical_not'        # what joins masks, of NumPy


def recompute(func):
    """Compute a value of a loop again in the loop that runs backwards, where it is cheap and its operands are there.

    >>> show(recompute, 'for i in range(n):\\n t = x[i] * w\\n push(_s, t, "1")\\n'
    ...     'for i2 in range(n - 1, -1, -1):\\n t2 = pop(_s, "1")\\n bw += t2', base={'i2': 'i'}, params=['x', 'w', 'n', 'bw'])
    for i in range(n):
        t = x[i] * w
    for i2 in range(n - 1, -1, -1):
        t2 = x[i2] * w
        bw += t2

    >>> show(recompute, 'for i in range(n):\n m = np.logical_and(r * i / n <= x, x < w)\n push(_s, m, "1")\n'
    ...     'for i2 in range(n - 1, -1, -1):\n m2 = pop(_s, "1")\n bx[m2] += 1', base={'i2': 'i'},
    ...     params=['x', 'w', 'r', 'n', 'bx'])
    for i in range(n):
        m = np.logical_and(r * i / n <= x, x < w)
    for i2 in range(n - 1, -1, -1):
        m2 = np.logical_and(r * i2 / n <= x, x < w)
        bx[m2] += 1
    """
    again = Again(func)
    return rewrite.with_body(func, again.body())


class Again:
    def __init__(self, func):
        self.func, self.effects = func, effects_of(func)
        self.tape, self.places = self.effects.tape, cfg.places(func)
        self.rank = {stmt: k for k, stmt in enumerate(self.places)}
        self.bound = {}
        for stmt in self.places:
            for name in look(stmt).writes:
                self.bound.setdefault(name, []).append(self.rank[stmt])
        self.definition = {name: stmt for stmt in self.places for name in look(stmt).writes}
        self.kept = {}
        for key in self.tape.pairs:
            value = self.tape.push(self.tape.pushes[key])[1]
            if isinstance(value, gast.Name):
                self.kept.setdefault(value.id, []).append(key)
        self.new, self.after, self.late, self.read = {}, {}, {}, set()
        self.wild = any(self.effects.unknown(stmt) for stmt in self.places)

    @functools.cached_property
    def kinds(self):
        return self.func.known.infer(self.func.tree)

    def is_test(self, node):
        """Whether the expression joins masks."""
        name = tree.dotted(node.func) if isinstance(node, gast.Call) and not node.keywords else None
        return name in self.func.pure and name.rpartition('.')[2] in TESTS

    def is_free(self, node):
        """Whether the expression is one of numbers, which costs nothing beside one of arrays."""
        return self.func.known is not None and isinstance(self.kinds.of(node), Number)

    def divides(self, node, mask):
        """Whether the expression is a quotient or a small power of numbers: it went well once. What is compared with arrays is
        mostly one of numbers."""
        if mask and self.func.known is None and isinstance(node.op, gast.Div):
            return True
        power = isinstance(node.op, gast.Pow) and isinstance(node.right, gast.Constant) and node.right.value in POWERS
        return self.func.known is not None and (power or isinstance(node.op, gast.Div)) \
            and all(isinstance(self.kinds.of(part), Number) for part in (node.left, node.right))

    def body(self):
        """The function's body with recomputed values in place of popped ones."""
        for stmt in list(self.places):
            push = self.tape.push(stmt)
            if push and push[2] in self.tape.pairs:
                self.pair(push[2], push[1])
        if not self.new:
            return self.func.tree.body
        return self.placed(self.func.tree.body)

    def placed(self, block):
        out = []
        for stmt in block:
            if stmt not in self.new:
                out.append(rewrite.with_blocks(stmt, self.placed))
            elif self.new[stmt] is not None and stmt not in self.after:
                out.append(self.new[stmt])
            out += self.late.get(stmt, [])
        return rewrite.same(out, block)

    def pair(self, key, value):
        """Replace one push and its pop, if the value can be had again."""
        push, pop = self.tape.pushes[key], self.tape.pops[key]
        target = tree.target(pop)
        if not isinstance(value, gast.Name) or target is None or not self.places[push].loops:
            return
        if not self.effects.stable(target):
            return
        forward, backward = self.places[push].loops, self.places[pop].loops
        if len(forward) != len(backward):
            return
        formula = Formula(self, forward, backward, pop)
        expr = formula.name(value.id, push, key)
        if expr is None:
            return
        last = self.last(pop, target, formula.needs)
        if last is None or last is not pop and pop in self.read:
            return
        self.read.update(formula.needs)
        self.new[push] = None
        self.new[pop] = tree.replace(pop, value=expr)
        if last is not pop:
            self.after[pop] = last
            self.late.setdefault(last, []).append(self.new[pop])

    def last(self, pop, target, needs):
        """The statement after which all operands are there, in the block of the pop; None if that is too late."""
        block, index = self.places[pop].block, self.places[pop].at
        last = max([index] + [self.places[self.after.get(s, s)].at for s in needs
                              if self.places[self.after.get(s, s)].block is block])
        between = block[index + 1:last + 1]
        if any(isinstance(s, COMPOUND) or target in look(s).loads for s in between):
            return None
        return block[last]


class Formula:
    """One value written in terms of what the backward loop has."""

    def __init__(self, again, forward, backward, pop):
        self.again, self.forward, self.backward, self.pop = again, forward, backward, pop
        self.effects, self.places = again.effects, again.places
        self.needs, self.left, self.mask = [], again.func.cheap, False

    def name(self, name, at, key=None):
        """The tree to read in the backward loop instead of the name as it is at a statement of the forward loop."""
        if name not in self.effects.count:
            return None if self.again.wild else tree.load(name)
        if name in self.effects.mutated | self.effects.captured:
            return None
        made = self.again.definition.get(name)
        loops = self.places[made].loops if made else ()
        if not isinstance(made, gast.For) and not loops:
            return tree.load(name) if self.effects.stable(name) else None
        for fore, back in zip(self.forward, self.backward):
            if made is fore and self.trip(name, fore, back):
                return tree.load(back.target.id)
        found = self.popped(name, at, key)
        if found is None and self.effects.stable(name) and tree.target(made) and loops == self.forward[:len(loops)]:
            found = self.expression(made.value, made)
        return found

    def trip(self, name, fore, back):
        """Whether the loop that runs backwards gives its target the values that the forward loop gives the name."""
        target = back.target.id if isinstance(back, gast.For) and isinstance(back.target, gast.Name) else None
        base = self.again.func.base
        return (target and base.get(target, target) == base.get(name, name) and self.effects.stable(name)
                and self.effects.stable(target) and counts(fore.iter) and counts(back.iter))

    def popped(self, name, at, key):
        """The name in the backward loop that a kept value of this trip comes back in."""
        for other in self.again.kept.get(name, ()):
            push, pop = self.again.tape.pushes[other], self.again.tape.pops[other]
            target, depth = tree.target(pop), len(self.places[push].loops)
            if (other == key or key and pop in self.again.new or not target or not self.effects.stable(target)
                    or not self.intact(name, at, push) or self.places[push].loops != self.forward[:depth]
                    or self.places[pop].loops != self.backward[:depth]):
                continue
            here = cfg.within(self.pop, self.places[pop].block, self.places)
            if here is self.pop or here and self.places[here].at > self.places[pop].at:
                self.needs.append(pop)
                return tree.load(target)
        return None

    def intact(self, name, at, push):
        """Whether the name holds the same value at both statements of the forward loop."""
        if self.effects.stable(name):
            return True
        first, last = sorted((self.again.rank[at], self.again.rank[push]))
        return self.places[at].loops == self.places[push].loops and not any(
            first <= rank < last for rank in self.again.bound[name])

    def expression(self, node, at):
        """The expression in terms of the backward loop, else None if it is dear or an operand is gone."""
        if isinstance(node, gast.Name):
            return self.name(node.id, at)
        if isinstance(node, gast.Constant):
            return node
        test = self.again.is_test(node)
        self.mask = self.mask or test
        if not isinstance(node, FORMS) and not test or isinstance(node, gast.Attribute) and self.again.wild:
            return None
        ops = [node.op] if hasattr(node, 'op') else getattr(node, 'ops', [])
        self.left -= len(ops) + test if not (self.mask and self.again.is_free(node)) else 0
        if self.left < 0 or not all(isinstance(op, CHEAP) for op in ops) and not self.again.divides(node, self.mask):
            return None
        failed = []

        def operand(child):
            if not isinstance(child, (gast.expr, gast.Slice)) or test and child is node.func:    # a Slice is no expr to gast
                return child
            new = self.expression(child, at)
            if new is None:
                failed.append(child)
            return child if new is None else new
        new = tree.with_children(node, operand)
        return None if failed else new


def counts(expr):
    """Whether the loop runs over a range."""
    return isinstance(expr, gast.Call) and tree.dotted(expr.func) in ('range', 'reversed')
