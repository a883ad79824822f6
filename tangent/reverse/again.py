"""Adjoints that take the arguments of the callee: of a few operations of numbers, which they compute again as they need them,
and those that need nothing but the arguments and the result.

    def cooling(temperature, k):                         def cooling_adjoint(temperature, k, bcooling):
        return -k * (temperature - 20.0)                     bt = -bcooling * k
                                                             return bt, -bcooling * (temperature - 20.0)

    y = cooling(t1, k)    ->    y = cooling(t1, k)   ...   bt1, bk = cooling_adjoint(t1, k, by)

The program calls the function itself, as its author wrote it, and nothing is handed over as `saved`. That is for functions
without effects, in texts for known kinds: what is computed again is numbers, or attributes and parts that are numbers.
"""
from typing import NamedTuple

import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.effects import writing
from tangent.analysis.kinds.values import Number, Parts, of_lengths
from tangent.analysis.liveness import exposed
from tangent.emit.signature import params
from tangent.frontend import tree
from tangent.reverse import split
from tangent.runtime import facts
from tangent.templates.language import registry

MOST = 10                                                # operations of numbers that cost about what handing values over does
CALLS = {'builtins': 1, 'math': 2, 'numpy': 5}           # how many operations a call of a function counts for
MANY = MOST + 1                                          # of what is not computed again by others, whatever it costs
LITERALS = (int, float, bool, type(None))


class Again(NamedTuple):
    """An adjoint that computes values again.

    parameters : those that it takes before the seed
    result : whether it takes the result, too
    cost : how many operations there are in the function
    defaults : (parameter, value) of those with defaults
    """
    parameters: tuple
    result: bool
    cost: int
    defaults: tuple


def cost(normal, kinds, again_of):
    """How many operations a function in normal form has, or None where it is not one of a few operations of numbers.

    kinds : the Inference of kinds in it
    again_of : statement -> the Again of the call that it makes, or None
    """
    if normal.buffers.names:
        return None
    found = _Cost(normal, kinds, again_of).block(normal.tree.body[:-1])
    return found if found is not None and found <= MOST else None


def defaults(source):
    """(parameter, value) of those with defaults."""
    names = [a.id for a in source.tree.args.posonlyargs + source.tree.args.args]
    values = tuple(source.defaults or ())
    return (*zip(names[len(names) - len(values):], values), *(source.kwdefaults or {}).items())


def of_arguments(function, source, seed, reverse):
    """(what of the text of both passes comes after the marker, the name of the result or None), if that reads nothing but the
    arguments and the result; else None."""
    forward, backward = split.halves(function)
    func = tree.Func(tree.replace(function, body=forward), reverse.base, frozenset(reverse.temps),
                     reverse.normal.pure() | reverse.without_effects, dict(reverse.library.given),
                     writing=writing(reverse.normal.resolver.classes))
    effects, own = effects_of(func), {*params(source.tree), *reverse.normal.stored(forward)}
    plain = all(isinstance(s, gast.If) or tree.target(s) or tree.is_text(s) for s in tree.every(forward))
    result = getattr(function.body[len(forward)].value.args[0], 'id', None)
    given = {name for name in (*params(source.tree), result) if effects.stable(name)}
    given -= set(reverse.normal.stored(backward))
    reads = (exposed(backward) - {seed}) & own
    if not plain or not all(map(effects.pure, tree.every(forward))) or not reads <= given:
        return None
    return backward, result if result in reads and result not in params(source.tree) else None


def has_literal_defaults(source):
    """Whether what a call leaves out can be written in the call of an adjoint."""
    return all(type(v) in LITERALS for _, v in defaults(source))


def parameters(function, source, wrt, known):
    """The parameters that the text of an adjoint reads, in order; None where one that is no number does not come with its
    argument, so that nobody could say of what kind its gradient is, and where a call may not say what they are."""
    args = source.tree.args
    if args.vararg or args.kwarg or not has_literal_defaults(source):
        return None
    read = {n for s in function.body for n in tree.names(s, gast.Load)}
    found = tuple([name for name in params(source.tree) if name in read])
    lengths = {axis: axis for p in found for axis in getattr(known.given.get(p), 'axes', ())}
    return found if all(p in read or of_lengths(known.given.get(p), lengths) for p in wrt) else None


class _Cost:
    def __init__(self, normal, kinds, again_of):
        self.normal, self.kinds, self.again_of = normal, kinds, again_of

    def block(self, stmts):
        return total(map(self.statement, stmts))

    def statement(self, s):
        if isinstance(s, gast.If):
            return total([self.expression(s.test), self.block(s.body), self.block(s.orelse)])
        if tree.is_text(s):
            return 0
        if tree.target(s) is None:
            return None
        op = self.normal.ops.get(s)
        if op is not None and op.kind == 'call':
            again = self.again_of(s)
            return again.cost + 1 if again is not None else None
        return self.expression(s.value)

    def expression(self, expr):
        """How many operations of numbers it is; None for anything else."""
        if isinstance(expr, (gast.Name, gast.Constant)):
            return 0
        if isinstance(expr, gast.Tuple):
            return total(map(self.expression, expr.elts))
        if isinstance(expr, (gast.Attribute, gast.Subscript)):
            part = isinstance(self.kinds.of(expr.value), Parts) and self.is_number(expr)
            return 0 if part and isinstance(expr.value, gast.Name) else None
        if isinstance(expr, gast.Call):
            return self.call(expr)
        if not isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Compare)):
            return None
        parts = [part for part in tree.children(expr) if isinstance(part, gast.expr)]
        return total([1, *map(self.expression, parts)]) if all(map(self.is_number, parts)) else None

    def call(self, expr):
        function = self.normal.resolver(expr.func)
        if expr.keywords or not all(map(self.is_number, expr.args)):
            return None
        if isinstance(function, type) and issubclass(function, tuple) and isinstance(self.kinds.of(expr), Parts):
            return 1
        known = registry.lookup(function) is not None and self.is_number(expr)
        return total([CALLS.get(facts.home(function)), *map(self.expression, expr.args)]) if known else None

    def is_number(self, expr):
        return isinstance(self.kinds.of(expr), Number)


def total(found):
    """The sum; None where one of them is."""
    found = list(found)
    return None if None in found else sum(found)
