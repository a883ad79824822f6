"""Arguments that meet element by element, spread over each other before, as NumPy would do it each time.

    def dfdx(x, y, a, bf=1.0):                   def dfdx(x, y, a, bf=1.0):
        t = x * a                                    x2 = spread(x, joint(x.shape[0], y.shape[0]))
        z = t + y                     ->             y2 = spread(y, x2.shape[0])
        bz = 2 * bf * z                              t = x2 * a
        bt = unbroadcast(bz, t)                      z = t + y2
        return bt * a, ...                           bz = 2 * bf * z
                                                     made = bz * a
                                                     return unbroadcast(made, x), ...

So all arrays of a row of statements have the same lengths, and the statements share loops. `spread` gives back what has these
lengths, which nearly all arguments have. A derivative for the spread array is added up to that for the argument at the end:
what stands between is linear in it, and else made of what is the same along the axes that are added up.

What an array of such a text is: a *value* that depends on some of the arguments, and is the same along axes which these do not
have; a value that depends on *all* of them; or a *sum to come*, which is owed to some of them, and still to be added up.
"""
from typing import NamedTuple

import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.prepared.rename import is_pure
from tangent.numba.loops.values import elementwise
from tangent.runtime import facts

REAL = ('float64', 'float32')
LINEAR = (gast.Mult, gast.Div)
SUMS = (gast.Add, gast.Sub)


class Is(NamedTuple):
    """What an array is: `of` these arguments, `owed` to them or a value."""
    of: frozenset
    owed: bool = False


class Odd(Exception):
    """The expression is none that is understood here."""


def spread_first(function, kinds, names, helper):
    """(the FunctionDef, the arguments that are spread in it).

    helper : gives the name by which the text calls a function of the run time
    """
    found = _Found(function, kinds)
    groups = [g for g in found.groups() if found.allows(g)]
    if not groups:
        return function, frozenset()
    chosen = frozenset().union(*groups)
    spread, first = {n: names.fresh(n) for n in sorted(chosen)}, []
    for group in groups:
        first += spreads(sorted(group), kinds, spread, helper, function.body[0])
    out, later = [], {}
    for s in function.body:
        for name in [n for n in later if n in tree.all_names(s)]:
            out.append(later.pop(name))
        out += written(s, found, chosen, spread, names, later)
    at = next(k for k, s in enumerate(out) if set(spread.values()) & set(tree.names(s, gast.Load)))
    return tree.replace(function, body=[*out[:at], *first, *out[at:]]), chosen


def meet(function, kinds):
    """Whether there are arguments that `spread_first` spreads."""
    found = _Found(function, kinds)
    return any(map(found.allows, found.groups()))


def spreads(group, kinds, spread, helper, where):
    """The statements that spread the arguments of a group."""
    main, out = group[0], []
    for name in group:
        lengths = []
        for axis in range(kinds.of[name].rank):
            length = tree.expression(f'{spread[main]}.shape[{axis}]')
            if name == main:
                length = tree.expression(f'{group[0]}.shape[{axis}]')
                for other in group[1:]:
                    length = tree.call(helper('joint'), length, tree.expression(f'{other}.shape[{axis}]'))
            lengths.append(length)
        made = tree.assign(spread[name], tree.call(helper('spread'), tree.load(name), *lengths), tree.Origin('tape'))
        out.append(gast.copy_location(made, where))
    return out


def written(s, found, chosen, spread, names, later):
    """The statements for one; `later` gets those that add up what it makes, for when that is asked for."""
    known = found.made.get(id(s))
    if known is None or not known.of & chosen:
        return [s]
    value = without_helpers(tree.rename(s.value, spread), found.kinds)
    name = tree.target(s)
    if not (known.owed and name in found.outside):
        return [tree.replace(s, value=value)]
    full = names.fresh('made')
    spread[name] = full
    like, = known.of
    later[name] = tree.replace(s, value=gast.Call(func=found.adds_up, args=[tree.load(full), tree.load(like)], keywords=[]))
    return [tree.replace(s, targets=[tree.store(full)], value=value)]


def without_helpers(expr, kinds):
    """The expression without what would add up gradients for other lengths."""
    expr = tree.with_children(expr, lambda e: without_helpers(e, kinds) if isinstance(e, gast.expr) else e)
    if isinstance(expr, gast.Call) and facts.is_helper(kinds.find(expr.func), 'unbroadcast'):
        return expr.args[0]
    return expr


class _Found:
    """
    given : arguments that hold real arrays, and are changed by nobody
    arrays : name -> what it is, for these and for what is made of them element by element
    made : id of a statement -> what the array is that it makes
    outside : names that are read elsewhere than in such statements
    adds_up : what the text calls to add up gradients for other lengths
    met, whole : arguments that meet, and those that have to be all that do
    """

    def __init__(self, function, kinds):
        self.kinds, self.made, self.adds_up = kinds, {}, None
        changed = {m for s in tree.every(function.body) for n in tree.mutates(s) | lent(s, kinds) for m in kinds.family(n)}
        params = tree.names(function.args, gast.Param)
        self.given = {n for n in params if (k := kinds.of.get(n)) is not None and k.rank and k.dtype in REAL
                      and k.parts is None and kinds.bound.get(n) == 1 and n not in changed}
        self.arrays = {n: Is(frozenset([n])) for n in self.given}
        self.met: list = []
        self.whole: list = []
        for s in function.body:
            name = tree.target(s)
            kind = kinds.of.get(name)
            if name is None or kind is None or not kind.rank or kinds.bound.get(name) != 1 or name in changed \
                    or isinstance(s.value, gast.Name):
                continue
            try:
                what = self.array(s.value)
            except Odd:
                continue
            if what is not None:
                self.arrays[name] = self.made[id(s)] = what
        self.outside = {n for s in function.body if id(s) not in self.made for n in tree.all_names(s)}

    # What expressions are

    def array(self, expr):
        """What the value of an expression is, None for a number; raises Odd."""
        kind = self.kinds.kind(expr)
        if kind is None or kind.parts is not None:
            raise Odd
        if isinstance(expr, (gast.Name, gast.Constant)):
            if kind.rank and getattr(expr, 'id', None) not in self.arrays:
                raise Odd
            return self.arrays[expr.id] if kind.rank else None
        if not kind.rank and not any(n in self.arrays for n in tree.names(expr, gast.Load)):
            return None
        if not kind.rank:
            raise Odd
        if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, (gast.USub, gast.UAdd)):
            return self.array(expr.operand)
        if isinstance(expr, gast.BinOp) and not isinstance(expr.op, gast.MatMult):
            return self.combined(type(expr.op), expr.left, expr.right)
        if isinstance(expr, gast.Compare) and len(expr.ops) == 1:
            return self.value([expr.left, *expr.comparators])
        if isinstance(expr, gast.Call) and not expr.keywords:
            return self.call(expr)
        raise Odd

    def call(self, expr):
        found = self.kinds.find(expr.func)
        if facts.is_helper(found, 'unbroadcast') and len(expr.args) == 2:
            what, like = map(self.array, expr.args)
            if like is None or what is None or not like.of <= what.of or like.owed:
                raise Odd
            self.adds_up = expr.func
            if like.of == what.of:
                return what
            if not what.owed:
                self.whole.append(what.of)             # else what is the same along an axis would be added up along that, too
            return Is(like.of, True)
        if facts.is_helper(found, 'unreduce_like') and len(expr.args) == 2 and self.array(expr.args[0]) is None:
            return self.value(expr.args[1:])
        if elementwise(found) and len(expr.args) in (1, 2) or found is np.clip and len(expr.args) == 3 \
                or found is np.where and len(expr.args) == 3:
            return self.value(expr.args)
        raise Odd

    def combined(self, op, left, right):
        one, other = self.array(left), self.array(right)
        if not any(p is not None and p.owed for p in (one, other)):
            return self.together([one, other])
        if op in LINEAR and one is not None and one.owed and (other is None or not other.owed and other.of <= one.of):
            return one
        if op is gast.Mult and other.owed and (one is None or not one.owed and one.of <= other.of):
            return other
        if op in SUMS and one == other:
            return one
        raise Odd

    def value(self, exprs):
        found = [self.array(e) for e in exprs]
        if any(p is not None and p.owed for p in found):
            raise Odd
        return self.together(found)

    def together(self, found):
        parts = [p.of for p in found if p is not None]
        ranks = {self.kinds.of[n].rank for part in parts for n in part}
        if len(ranks) > 1:
            raise Odd
        if len(set(parts)) > 1:
            self.met.append(frozenset().union(*parts))
        return Is(frozenset().union(*parts))

    # Which of them are spread

    def groups(self):
        """Sets of arguments that meet, of which not all are known to have the same lengths."""
        joined: list = []
        for part in self.met:
            inside = [g for g in joined if g & part]
            joined = [g for g in joined if not g & part] + [part.union(*inside)]
        known = [(g, [self.kinds.of[n] for n in g]) for g in joined]
        return [g for g, kinds in known if len({k.shape for k in kinds}) > 1 and len({k.dtype for k in kinds}) == 1]

    def allows(self, group):
        """Whether what has not the lengths of all of a group is used nowhere else, unless it is owed to one argument."""
        if any(of & group and of != group for of in self.whole):
            return False
        parts = [n for n, what in self.arrays.items() if n not in self.given and what.of & group and what.of != group
                 and not (what.owed and len(what.of) == 1)]
        return self.outside.isdisjoint(parts)


def lent(s, kinds):
    """The names that a statement gives to functions, or asks for methods, that may write into what they are given."""
    calls = [n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)]
    return {n for c in calls if not elementwise(kinds.find(c.func)) and not is_pure(c, kinds) for n in tree.names(c, gast.Load)}
