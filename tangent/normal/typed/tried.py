"""`try` statements that are decided by what the values in them are: what is tried comes to its end, or fails at once.

    try:                                    r, where r is a number:           r, where r is an array of some axes:
        r[r < 0.0] = 0.0
    except TypeError:              ->           if r < 0.0:                       r[r < 0.0] = 0.0
        if r < 0.0:                                 r = 0.0
            r = 0.0

    try:                                    y, where y is a number or an array:
        y.name = 'power'           ->           pass
    except AttributeError:
        pass

It is said of each statement which errors it may raise. Where one of these may be what a handler is for, the `try` stays.
"""
import builtins

import gast
import numpy as np

from tangent.analysis.fences.halfway import asks_again
from tangent.analysis.kinds.decided import NUMERICAL, SCALARS, is_array, is_elementwise, stored
from tangent.emit.signature import params
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import Bound
from tangent.runtime import facts
from tangent.templates.language import registry

USUAL = frozenset([ArithmeticError, Warning])                      # NumPy tells by either that a number is out of its range
LIBRARY = USUAL | {TypeError, ValueError, IndexError, RuntimeError, AssertionError}
TAME = 'any', 'all', 'squeeze', 'copy'                             # methods that raise nothing where they are given nothing
ALWAYS = MemoryError, RecursionError, KeyboardInterrupt            # which anything may raise


def names_are_bound(s, resolver, before, known=()):
    """Whether all names in what is tried are bound, and nothing is imported there: the handlers are for names that are not.
    What calls in there may raise in spite of that leaves the derivative as an error, too.

    before, known : names that are surely bound there
    """
    bound = {*before, *known}
    nodes = [n for t in s.body for n in tree.walk(t)]
    if any(isinstance(n, (gast.Import, gast.ImportFrom, gast.Delete, gast.Global, gast.Nonlocal)) for n in nodes) \
            or any(isinstance(n, gast.Raise) and not raises_another(n, resolver) for n in nodes):
        return False
    first = Bound(s.body, bound).first
    return all(n not in resolver.local and is_known(tree.load(n), resolver) for n in first)


def raises_another(s, resolver):
    """Whether a `raise` surely is of an error that is none about names."""
    kind = resolver(s.exc.func if isinstance(s.exc, gast.Call) else s.exc) if s.exc is not None else None
    return isinstance(kind, type) and issubclass(kind, BaseException) and not issubclass(kind, (NameError, ImportError))


def is_known(expr, resolver):
    """Whether a name that is none of the function's own is bound: outside, or by Python."""
    return hasattr(builtins, expr.id) or resolver.value(expr) is not UNKNOWN or resolver(expr) is not UNKNOWN


class Anything(Exception):
    """Nothing is known of what a statement may raise."""


class Certain(Exception):
    """A statement surely raises an error of a class, and has done nothing before."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


class Tried:
    """decided : the Decided that asks, which knows what values are"""

    def __init__(self, decided, function):
        self.decided, self.resolver = decided, decided.resolver
        self.before = Bound(function.body, params(function)).before

    def chosen(self, s, known):
        """The statements that are run for a `try`, or None where that is not known."""
        caught = [self.caught(h) for h in s.handlers]
        if not s.handlers or None in caught or any(not isinstance(e, gast.Pass) for e in s.finalbody):
            return None
        every = tuple([kind for kinds in caught for kind in kinds])
        if any(issubclass(kind, every) for kind in ALWAYS):
            return None
        if all(issubclass(kind, (NameError, ImportError)) for kind in every):
            return [*s.body, *s.orelse] if names_are_bound(s, self.resolver, self.before.get(id(s), ()), known) else None

        def handled(error):
            return next((h.body for h, kinds in zip(s.handlers, caught) if issubclass(error.kind, kinds)
                         and h.name is None and not asks_again(h.body)), None)
        try:
            bound = self.before.get(id(s), frozenset())
            if len(s.body) == 1 and isinstance(s.body[0], gast.If) and (branch := self.branch(s.body[0], known, bound, every)):
                body = handled(branch)
                return body and [tree.replace(s.body[0], body=body, orelse=[*s.body[0].orelse, *s.orelse])]
            raised = self.block(s.body, known, bound)
        except Certain as error:
            return handled(error)
        except Anything:
            return None
        meets = any(issubclass(a, b) or issubclass(b, a) for a in raised for b in every)
        return None if meets else [*s.body, *s.orelse]

    def branch(self, s, known, bound, every):
        """The Certain error of an `if` that does nothing else where it is true, and raises nothing that is caught where not."""
        raised = self.truth(s.test, known, bound) | self.block(s.orelse, known, bound, False)
        if any(issubclass(a, b) or issubclass(b, a) for a in raised for b in every):
            return None
        try:
            self.block(s.body[:1], known, bound)
        except Certain as error:
            return error
        except Anything:
            pass
        return None

    def caught(self, handler):
        """The classes that a handler is for, None where they are not known."""
        if handler.type is None:
            return None
        kinds = [self.resolver(e) for e in (handler.type.elts if isinstance(handler.type, gast.Tuple) else [handler.type])]
        known = all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in kinds)
        return tuple(kinds) if known else None

    # What is raised

    def block(self, stmts, known, bound, first=True):
        """The classes of errors that statements may raise.

        known : what is known of values, as Decided has it
        bound : names that surely are bound
        first : whether nothing has been done before, so that it tells what surely is raised
        """
        found = set()
        for s in stmts:
            try:
                found |= self.statement(s, known, bound, first and not found)
            except Certain:
                if not first or found:
                    raise Anything from None
                raise
            if isinstance(s, (gast.Return, gast.Raise)):
                break
            first = first and isinstance(s, gast.Pass)
            known = self.decided.bound(s, known) if isinstance(s, (gast.Assign, gast.AugAssign)) \
                else self.decided.without(known, stored([s]))
            bound |= {n for n in tree.writes(s)} if isinstance(s, gast.Assign) else set()
        return found

    def statement(self, s, known, bound, first):
        value = lambda e: self.value(e, known, bound)  # noqa: E731
        if isinstance(s, (gast.Pass, gast.Break, gast.Continue)):
            return set()
        if isinstance(s, (gast.Expr, gast.Return)):
            return value(s.value) if s.value is not None else set()
        if isinstance(s, gast.Assign):
            return value(s.value).union(*(self.stored(t, s.value, known, bound, first) for t in s.targets))
        if isinstance(s, gast.AugAssign):
            inner = tree.replace(s.target, ctx=gast.Load())
            both = self.operation(s.op, [inner, s.value], known, bound)
            whole = isinstance(s.target, gast.Name)
            return both | (set() if whole else self.stored(s.target, s.value, known, bound, first))
        if isinstance(s, gast.If):
            return self.truth(s.test, known, bound).union(
                *(self.block(block, known, bound, False) for block in (s.body, s.orelse)))
        if isinstance(s, gast.Raise) and s.exc is not None and s.cause is None:
            call = s.exc if isinstance(s.exc, gast.Call) else None
            kind = self.resolver(call.func if call else s.exc)
            if isinstance(kind, type) and issubclass(kind, BaseException) and kind.__module__ == 'builtins' \
                    and (call is None or all(isinstance(a, gast.Constant) for a in call.args) and not call.keywords):
                return {kind}
        raise Anything

    def stored(self, target, value, known, bound, first):
        """What storing a value in a target may raise."""
        if isinstance(target, gast.Name):
            return set()
        if isinstance(target, gast.Tuple) and all(isinstance(e, gast.Name) for e in target.elts):
            return {TypeError, ValueError}
        owner = self.decided.classes(target.value, known) if isinstance(target, (gast.Attribute, gast.Subscript)) else set()
        if isinstance(target, gast.Attribute) and owner and not any(hasattr(kind, target.attr) for kind in owner):
            return self.certain(AttributeError, [target.value, value], known, bound, first)
        if isinstance(target, gast.Subscript) and owner and self.is_plain(value, known):
            parts = [target.value, target.slice, value]
            if not any(hasattr(kind, '__setitem__') for kind in owner):
                return self.certain(TypeError, parts, known, bound, first)
            if is_array(owner) and self.is_plain(target.slice, known):
                return {ValueError, IndexError}.union(*(self.value(e, known, bound) for e in parts[:2]))
        raise Anything

    def certain(self, kind, parts, known, bound, first):
        """The error is surely raised, if nothing else is before; what that may be is no matter where it is not evaluated."""
        raised = set().union(*(self.value(e, known, bound) for e in parts))
        if first and raised <= {ValueError, Warning}:             # as two arrays that meet may; these are numbers
            raise Certain(kind)
        raise Anything

    def value(self, expr, known, bound):
        """What evaluating an expression may raise."""
        if isinstance(expr, gast.Constant):
            return set()
        if isinstance(expr, gast.Name):
            return self.name(expr, {*bound, *known})
        if isinstance(expr, (gast.Tuple, gast.List)):
            return set().union(*(self.value(e, known, bound) for e in expr.elts))
        if isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Compare)):
            parts = [expr.left, *getattr(expr, 'comparators', [])] if isinstance(expr, gast.Compare) else \
                [expr.left, expr.right] if isinstance(expr, gast.BinOp) else [expr.operand]
            if isinstance(expr, gast.Compare):
                plain = len(expr.ops) == 1 and not isinstance(expr.ops[0], (gast.In, gast.NotIn))
                return self.operation(None if plain else gast.And(), parts, known, bound)
            if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.Not):
                return self.truth(expr.operand, known, bound)
            return self.operation(expr.op, parts, known, bound)
        if isinstance(expr, gast.BoolOp):
            return set().union(*(self.truth(e, known, bound) for e in expr.values))
        if isinstance(expr, gast.Subscript) and is_array(self.decided.classes(expr.value, known)) \
                and self.is_index(expr.slice, known):
            return {IndexError, *self.value(expr.value, known, bound), *self.value(expr.slice, known, bound)}
        if isinstance(expr, gast.Subscript) and self.decided.classes(expr.slice, known) == {np.bool_} \
                and self.decided.classes(expr.value, known) <= {*SCALARS}:
            return {*self.value(expr.value, known, bound), *self.value(expr.slice, known, bound)}
        if isinstance(expr, gast.Attribute):
            if self.decided.fact(expr, known) is not None:             # of `np.finfo(...)`
                return self.value(expr.value, known, bound)
            return self.attribute(expr, known, bound)
        if isinstance(expr, gast.Call):
            return self.call(expr, known, bound)
        raise Anything

    def name(self, expr, bound):
        if expr.id in bound or expr.id not in self.resolver.local and is_known(expr, self.resolver):
            return set()
        return {NameError}

    def operation(self, op, parts, known, bound):
        """What an operator, or for None a comparison, may raise of numbers and arrays."""
        if not all(self.is_plain(e, known) for e in parts):
            raise Anything
        arrays = any(map(self.may_be_array, parts, [known] * len(parts)))
        found = set().union(*(self.value(e, known, bound) for e in parts))
        found |= {ValueError} if arrays and len(parts) > 1 else set()
        if op is None or isinstance(op, (gast.UAdd, gast.USub)):
            return found
        if isinstance(op, (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow)):
            return found | USUAL | ({ValueError} if isinstance(op, gast.Pow) else set())
        return found | USUAL | {TypeError, ValueError}                 # `|`, `//` and the like are not for all of them

    def truth(self, expr, known, bound):
        if isinstance(expr, gast.Compare) or self.is_plain(expr, known):
            arrays = any(self.may_be_array(e, known) for e in tree.walk(expr) if isinstance(e, gast.Name))
            return self.value(expr, known, bound) | ({ValueError} if arrays else set())
        if isinstance(expr, (gast.BoolOp, gast.UnaryOp)):
            return self.value(expr, known, bound)
        raise Anything

    def attribute(self, expr, known, bound):
        if self.resolver(expr) is not UNKNOWN:                         # `np.pi`
            return set()
        owner = self.decided.classes(expr.value, known)
        if owner and all(hasattr(kind, expr.attr) for kind in owner):
            return self.value(expr.value, known, bound)
        if owner and not any(hasattr(kind, expr.attr) for kind in owner):
            return self.certain(AttributeError, [expr.value], known, bound, True)
        raise Anything

    def call(self, expr, known, bound):
        """What a call of a function of NumPy's or Python's with numbers and arrays may raise, or of a method of theirs."""
        function, args = self.resolver(expr.func), [*expr.args, *(k.value for k in expr.keywords)]
        if any(isinstance(a, gast.Starred) for a in expr.args) or any(k.arg is None for k in expr.keywords):
            raise Anything
        inside = set().union(*(self.value(e, known, bound) for e in args))
        plain = all(self.is_plain(e, known) for e in args)
        if function is UNKNOWN and isinstance(expr.func, gast.Attribute):
            if not plain or not self.decided.classes(expr.func.value, known):
                raise Anything
            asked = self.attribute(expr.func, known, bound)
            return asked if expr.func.attr in TAME and not args else inside | asked | LIBRARY
        if function is np.finfo:
            return inside | {TypeError, ValueError}
        if not plain:
            raise Anything
        if function is abs:
            return inside
        if isinstance(function, np.ufunc) and not expr.keywords and function.nin == len(args):
            return inside | USUAL | ({ValueError} if len(args) > 1 else set())
        if facts.is_numpy(function) and is_elementwise(function):
            return inside | USUAL | {TypeError, ValueError}
        if registry.lookup(function) is not None and facts.home(function) in ('numpy', 'math'):
            return inside | LIBRARY
        raise Anything

    # What values are

    def is_plain(self, expr, known):
        """Whether a value surely is a number or an array of NumPy's."""
        found = self.decided.classes(expr, known)
        return bool(found) and found <= NUMERICAL

    def may_be_array(self, expr, known):
        return any(issubclass(kind, np.ndarray) for kind in self.decided.classes(expr, known))

    def is_index(self, expr, known):
        """Whether it surely is what an array may be indexed by."""
        parts = expr.elts if isinstance(expr, gast.Tuple) else [expr]
        return all(isinstance(e, (gast.Slice, gast.Constant)) or self.is_plain(e, known) for e in parts)
