"""What several values are computed from is kept in their place."""
import dataclasses
import math

import gast

from tangent.analysis.kinds.values import Array, Number
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.optimize.tape.recompute import Again, Formula
from tangent.optimize.tape.versions import taken_names

SMALL = 16          # elements of an array that is kept for some of them


def operands(func):
    """Keep one number, or one small array, for two values or more that are cheap to compute from it, where kinds are known.

        for r in returns:                              for r in returns:
            t = r ** 2                                     t = r ** 2
            t2 = t / variance                              push(_stack, r, '3')
            push(_stack, t, '1')
            push(_stack, t2, '2')
    """
    if func.known is None:
        return func
    again = Again(func)
    wanted: dict = {}
    for key in again.tape.pairs:
        for name in [found for found in [missing(again, key)] if found]:
            wanted.setdefault((name, id(again.places[again.tape.pushes[key]].block)), []).append(key)
    groups = {name: keys for (name, _), keys in wanted.items() if len(keys) > 1}
    return with_pairs(func, again, groups) if groups else func


def missing(again, key):
    """The one name that would have to be kept to compute the value of a pair again, or None."""
    push, pop = again.tape.pushes[key], again.tape.pops[key]
    value = again.tape.push(push)[1]
    made = again.definition.get(getattr(value, 'id', None))
    loops = again.places[push].loops
    if not loops or tree.target(made) is None or not again.effects.stable(value.id) or tree.target(pop) is None \
            or again.places[made].loops != loops or len(again.places[pop].loops) != len(loops):
        return None
    formula = Wanting(again, loops, again.places[pop].loops, pop, push)
    expr = formula.expression(made.value, made)
    if expr is None or len(formula.wants) != 1:
        return None
    [name] = formula.wants
    parts = [n for n in tree.walk(expr) if isinstance(n, gast.Subscript) and tree.dotted(n.value) == name]
    whole = sum(isinstance(n, gast.Name) and n.id == name for n in tree.walk(expr)) > len(parts)
    return name if isinstance(again.kinds.names.get(name), Number) or not whole else None


class Wanting(Formula):
    """A formula in which may stand what is not kept: numbers and small arrays that nobody changes."""

    def __init__(self, again, forward, backward, pop, push):
        super().__init__(again, forward, backward, pop)
        self.push, self.wants = push, set()

    def name(self, name, at, key=None):
        found = super().name(name, at, key)
        if found is None and name in self.effects.count and name not in self.effects.mutated | self.effects.captured \
                and is_small(self.again.kinds.names.get(name)) and self.intact(name, at, self.push):
            self.wants.add(name)
            return tree.load(name)
        return found


def is_small(kind):
    """Whether it is a number, or an array of few elements."""
    return isinstance(kind, Number) or isinstance(kind, Array) and all(type(n) is int for n in kind.axes) \
        and math.prod(kind.axes) <= SMALL


def with_pairs(func, again, groups):
    """The function with a pair for each of the names, beside the first of those that it is to take the place of."""
    taken, base, new, before = tree.Names(taken_names(func)), dict(func.base), {}, {}
    library = {name: func.library.get(name, name) for name in ('push', 'pop')}
    for name, keys in groups.items():
        push, pop = again.tape.pushes[keys[0]], again.tape.pops[keys[0]]
        stack, key = again.tape.push(push)[0], tree.constant(f'{keys[0]} {name}')
        back = taken.fresh(base.get(name, name))
        base[back] = base.get(name, name)
        kept = tree.call(library['push'], stack, tree.load(name), key)
        before[push], new[push] = [push], tree.place(gast.Expr(value=kept), tree.origin(push))
        before[pop] = [tree.assign(back, tree.call(library['pop'], stack, key), tree.origin(pop))]
    body = rewrite.with_statements(func.tree.body, new, before)
    return dataclasses.replace(rewrite.with_body(func, body), base=base)
