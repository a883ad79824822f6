"""Tests that are decided by what the arguments are: the branch that is taken stands alone.

    def area(r, kind='disc', scale=None):            area(r), where r is a number:
        if scale is None:
            scale = 1.0                                  scale = 1.0
        if kind == 'disc':                    ->         return math.pi * r ** 2 * scale
            return math.pi * r ** 2 * scale
        elif kind == 'square':
            return r ** 2 * scale

What is known of a name is a `Fixed` value, which is None, True, False, a text or an integer that is asked for, or of which
classes it may be, or that it is not None. That holds from where the name is bound to where it is bound again.
"""
import dataclasses
import math
import types
import warnings

import gast
import numpy as np

from tangent.analysis.kinds.values import NONE, UNSET, Array, Number, Parts, Passive, says_itself
from tangent.frontend import tree
from tangent.frontend.quote import literal
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.scopes import DEFINITIONS
from tangent.runtime import facts
from tangent.templates.language import registry

FIXED = type(None), bool, str
SURE = {gast.List: list, gast.ListComp: list, gast.Tuple: tuple, gast.Dict: dict, gast.DictComp: dict, gast.Set: set,
        gast.SetComp: set, gast.JoinedStr: str, gast.Lambda: types.FunctionType}
PLAIN = (gast.Name, gast.Constant, gast.Compare, gast.Attribute, gast.Load, gast.cmpop, gast.UnaryOp, gast.unaryop, gast.BoolOp,
         gast.boolop, gast.Tuple, gast.List)


@dataclasses.dataclass(frozen=True, eq=False)
class Fixed:
    """A value that is known: None, True, False, a text, or an integer that tests ask for; 1 is not True."""
    value: object

    def __eq__(self, other):
        return isinstance(other, Fixed) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self):
        return hash((type(self.value), self.value))


@dataclasses.dataclass(frozen=True)
class Of:
    """A value of one of these classes; of any but that of None, where there are none."""
    classes: tuple = ()


@dataclasses.dataclass(frozen=True)
class Together:
    """A tuple, or a list, of values of which something is known, None where it is not."""
    parts: tuple
    classes: tuple = (tuple,)


class WithAxes(np.ndarray):
    """Stands among classes for that of arrays which surely have axes: what is computed with others may be a number."""


class WithoutAxes(np.ndarray):
    """The same for arrays which surely have none: what is computed with them is a number."""


SOME = Of()
NUMERIC = bool, int, float, complex
SCALARS = tuple(sorted({kind for kind in np.sctypeDict.values() if issubclass(kind, (np.number, np.bool_))
                        and not issubclass(kind, np.timedelta64)}, key=str))
BY_NUMPY = *SCALARS, np.ndarray
NUMERICAL = frozenset([*NUMERIC, *BY_NUMPY, WithAxes, WithoutAxes])    # all that arithmetic of numbers and arrays may give
NEW = frozenset('array asarray atleast_1d atleast_2d zeros_like ones_like empty_like full_like'.split())
QUIET = np.errstate, warnings.catch_warnings                       # contexts that stop no error
OF_FLOATS = 'eps', 'tiny', 'max', 'min'
ORDERS = gast.Eq, gast.NotEq, gast.Lt, gast.LtE, gast.Gt, gast.GtE


def fact_of_kind(kind):
    """What a kind tells of a value, or None."""
    if kind == NONE:
        return Fixed(None)
    if isinstance(kind, Passive):
        return Fixed(None) if kind.form is type(None) else Of((kind.form,))
    if isinstance(kind, Array):
        return Of((WithAxes if kind.axes else WithoutAxes,))
    if not isinstance(kind, Number) or kind.dtype in (UNSET, 'real'):
        return None
    own = [CLASSES[kind.dtype]] if kind.python is not False and kind.dtype in CLASSES else []
    return Of((*own, *([np.dtype(kind.dtype).type] if kind.python is not True else [])))


class Decided:
    """Writes a function out for what is known of its parameters.

    kind_of : the kind of an expression of the function, or None
    called : makes of a call, and the facts of its arguments, (what stands for it or None, what is known of its value or None)
    tried : makes of this, and the function, what tells which statements of a `try` are run; or None
    """

    def __init__(self, resolver, kind_of=lambda expr: None, called=None, tried=None):
        self.resolver, self.kind_of, self.called, self.decisions = resolver, kind_of, called, 0
        self.tried, self.tries = tried, None
        self.results = {}                     # id of a call -> (the call, what is known of its value)
        self.returned = []                    # what is known of each value that is returned

    def function(self, function, facts):
        """The function with these facts of its parameters; the same where they decide nothing."""
        others = {n for s in tree.walk(function) if isinstance(s, (gast.Global, gast.Nonlocal)) for n in s.names}
        others |= {n for d in function.body for inner in tree.walk(d) if isinstance(inner, (*DEFINITIONS, gast.ClassDef))
                   for n in tree.names(inner, gast.Store)}
        self.others = others | {n.target.id for n in tree.walk(function) if isinstance(n, gast.NamedExpr)}
        self.tries = self.tried(self, function) if self.tried and any(isinstance(n, gast.Try) for n in tree.walk(function)) \
            else None
        body, _ = self.block(function.body, {n: f for n, f in facts.items() if n not in self.others})
        return tree.replace(function, body=filled(body, function)) if self.decisions else function

    # Statements

    def block(self, stmts, known):
        """(statements as far as they are reached, what is known behind them, None where nothing goes on)."""
        out = []
        for s in stmts:
            made, known = self.statement(s, known)
            out += made
            if known is None:
                break
        return out, known

    def statement(self, s, known):
        if isinstance(s, gast.If):
            return self.on_if(s, known)
        if isinstance(s, (gast.For, gast.While)):
            return self.on_loop(s, known)
        if isinstance(s, (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Expr, gast.Return, gast.Raise, gast.Assert)):
            new = self.with_header(s, known)
            if isinstance(s, gast.Return):
                self.returned.append(self.fact(new.value, known) if new.value is not None else Fixed(None))
            if isinstance(s, (gast.Return, gast.Raise)):
                return [new], None
            return [new], self.bound(new, known)
        if isinstance(s, gast.With):
            body, end = self.block(s.body, self.without(known, tree.writes(s)))
            if all(self.resolver(getattr(i.context_expr, 'func', i.context_expr)) in QUIET for i in s.items):
                return [tree.replace(s, body=filled(body, s))], end
            return [tree.replace(s, body=filled(body, s))], self.without(known, stored([s]))           # it may keep an error
        if isinstance(s, gast.Try) and (chosen := self.tries.chosen(s, known) if self.tries else None) is not None:
            self.decisions += 1
            return self.block(chosen, known)
        if isinstance(s, tree.TRIES):
            inner = self.without(known, stored([s]))
            body, _ = self.block(s.body, known)
            handlers = [tree.replace(h, body=filled(self.block(h.body, inner)[0], h)) for h in s.handlers]
            rest = {field: self.block(getattr(s, field), inner)[0] for field in ('orelse', 'finalbody')}
            return [tree.replace(s, body=filled(body, s), handlers=handlers, **rest)], inner
        return [s], None if isinstance(s, (gast.Break, gast.Continue)) else self.without(known, stored([s]))

    def on_if(self, s, known):
        truth, test = self.test(s.test, known)
        if truth is not None:
            self.decisions += 1
            return self.block(s.body if truth else s.orelse, known)
        ends, blocks = [], {}
        for field, given in (('body', True), ('orelse', False)):
            blocks[field], end = self.block(getattr(s, field), {**known, **self.told(s.test, given, known)})
            ends.append(end)
        blocks['body'] = filled(blocks['body'], s)
        found = [end for end in ends if end is not None]
        both = {n: f for n, f in found[0].items() if all(end.get(n) == f for end in found)} if found else None
        return [tree.replace(s, test=test, **blocks)], both

    def on_loop(self, s, known):
        head = 'iter' if isinstance(s, gast.For) else 'test'
        inside = self.without(known, stored([s]))
        new = self.fold(getattr(s, head), known if head == 'iter' else inside)
        body, _ = self.block(s.body, inside)
        orelse, _ = self.block(s.orelse, inside)
        return [tree.replace(s, **{head: new}, body=filled(body, s), orelse=orelse)], inside

    def with_header(self, s, known):
        fields = {field: self.fold(value, known) for field in ('value', 'exc', 'test', 'msg')
                  if isinstance(value := getattr(s, field, None), gast.AST)}
        changed = {field: new for field, new in fields.items() if new is not getattr(s, field)}
        return tree.replace(s, **changed) if changed else s

    def bound(self, s, known):
        """What is known behind an assignment."""
        names = stored([s])
        if not names:
            return known
        new = self.without(known, names)
        if tree.target(s) and (fact := self.fact(s.value, known)) is not None and tree.target(s) not in self.others:
            new[tree.target(s)] = fact
        elif isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], (gast.Tuple, gast.List)):
            fact, targets = self.fact(s.value, known), s.targets[0].elts
            parts = fact.parts if isinstance(fact, Together) and len(fact.parts) == len(targets) else ()
            ids = [getattr(t, 'id', None) for t in targets]
            new.update({n: f for n, f in zip(ids, parts) if n and f is not None and ids.count(n) == 1 and n not in self.others})
        return new

    @staticmethod
    def without(known, names):
        return {n: f for n, f in known.items() if n not in names}

    # Expressions

    def fact(self, expr, known):
        """What is known of the value of an expression, or None."""
        if isinstance(expr, gast.Constant):
            return Fixed(expr.value) if isinstance(expr.value, FIXED) else \
                Of((type(expr.value),)) if type(expr.value) in NUMERIC else SOME
        if isinstance(expr, gast.Name) and expr.id in known:
            return known[expr.id]
        if id(expr) in self.results:
            return self.results[id(expr)][1]
        asked = isinstance(expr, gast.Compare) or isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.Not)
        if asked and (truth := self.test(expr, known)[0]) is not None:                 # alone = out is None
            return Fixed(truth)
        found = fact_of_kind(self.kind_of(expr))
        if found is None and isinstance(expr, gast.Name) and self.is_constant(expr):
            return Of((float,))
        if found is None and isinstance(expr, gast.Tuple) and not any(isinstance(e, gast.Starred) for e in expr.elts):
            return Together(tuple([self.fact(e, known) for e in expr.elts]))
        if found is None and type(expr) in SURE:
            return Of((SURE[type(expr)],))
        return made(expr, lambda e: self.classes(e, known), self.resolver) if found is None else found

    def is_constant(self, name):
        """Whether it is one of a library's by its own name, `from numpy import pi`: who binds that anew binds a number."""
        value = self.resolver.value(name) if name.id not in self.resolver.local else None
        return type(value) is float and any(getattr(module, name.id, None) is value for module in (math, np))

    def classes(self, expr, known):
        """The classes of which the value of an expression may be, a set; empty where that is not known."""
        return set(classes_of(self.fact(expr, known)))

    def told(self, test, truth, known):
        """What a test that is not decided tells where it is true, or where it is not."""
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            return self.told(test.operand, not truth, known)
        if isinstance(test, gast.BoolOp) and isinstance(test.op, gast.And) == truth:
            return {n: f for e in test.values for n, f in self.told(e, truth, known).items()}
        none = asks_for_none(test)
        if none is None or not isinstance(none[0], gast.Name) or none[0].id in self.others:
            return {}
        return {none[0].id: Fixed(None) if none[1] == truth else known.get(none[0].id, SOME)}

    def test(self, expr, known):
        """(whether a test is true, None where that is not known; the test in short)."""
        if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.Not):
            truth, inner = self.test(expr.operand, known)
            return None if truth is None else not truth, expr if inner is expr.operand else tree.replace(expr, operand=inner)
        if isinstance(expr, gast.BoolOp):
            return self.test_of_all(expr, known)
        truth = self.truth(expr, known)
        return truth, self.fold(expr, known) if truth is None else expr

    def test_of_all(self, expr, known):
        """`a and b`: what is true is left out, and nothing is looked at behind what is false; `or` likewise."""
        ends, left, before = isinstance(expr.op, gast.Or), [], known
        for e in expr.values:
            truth, new = self.test(e, before)
            if truth is not None and truth == ends and all(map(is_plain, left)):
                return ends, expr
            if truth is None or truth == ends:
                left.append(new)
            before = {**before, **self.told(e, not ends, before)}
        if not left:
            return not ends, expr
        if len(left) == len(expr.values) and all(a is b for a, b in zip(left, expr.values)):
            return None, expr
        return None, left[0] if len(left) == 1 else tree.replace(expr, values=left)

    def truth(self, expr, known):
        if isinstance(expr, (gast.Name, gast.Constant)):
            found = self.fact(expr, known)
            return bool(found.value) if isinstance(found, Fixed) else None
        if isinstance(expr, gast.Compare) and len(expr.ops) == 1:
            return self.compared(expr, known)
        if not isinstance(expr, gast.Call) or expr.keywords:
            return None
        function = self.resolver(expr.func)
        if function is isinstance and len(expr.args) == 2:
            return self.is_instance(*expr.args, known)
        if function in (any, all) and len(expr.args) == 1 and isinstance(expr.args[0], gast.GeneratorExp):
            return self.of_each(function, expr.args[0], known)
        return None

    def of_each(self, function, generator, known):
        """Whether `any(... for v in x)` is true, where the elements of an array say the same."""
        loop = generator.generators[0]
        if len(generator.generators) > 1 or loop.ifs or not isinstance(loop.target, gast.Name) \
                or self.classes(loop.iter, known) != {WithAxes} or not isinstance(loop.iter, gast.Name):
            return None
        truth, _ = self.test(generator.elt, {**known, loop.target.id: Of(BY_NUMPY)})
        return truth if truth is (function is all) else None                     # there may be none

    def compared(self, expr, known):
        if (told := self.in_text_of_class(expr, known)) is not None:
            return told
        none = asks_for_none(expr)
        left = self.fact(expr.left if none is None else none[0], known)
        if none is not None:
            if left is None or not isinstance(left, Fixed) and type(None) in classes_of(left):
                return None
            return (left == Fixed(None)) == none[1]
        if not isinstance(left, Fixed):
            return None
        op, other = expr.ops[0], expr.comparators[0]
        if isinstance(op, (gast.In, gast.NotIn)) and (keys := self.keys(other)) is not None:
            return (left.value in keys) == isinstance(op, gast.In)
        if isinstance(op, (gast.In, gast.NotIn)) and isinstance(other, (gast.Tuple, gast.List, gast.Set)):
            values = [e.value if isinstance(e, gast.Constant) else integer(e) for e in other.elts]
            if not all(isinstance(e, gast.Constant) or v is not None for e, v in zip(other.elts, values)):
                return None
            return (left.value in values) == isinstance(op, gast.In)
        right = Fixed(integer(other)) if integer(other) is not None else self.fact(other, known)
        if not isinstance(right, Fixed) or not isinstance(op, (gast.Eq, gast.NotEq, gast.Is, gast.IsNot)):
            return None
        if isinstance(op, (gast.Is, gast.IsNot)) and {type(left.value), type(right.value)} & {str, int}:
            return None
        return (left.value == right.value) == isinstance(op, (gast.Eq, gast.Is))

    def keys(self, expr):
        """The keys of a dict that is named, where they are known, or None."""
        kind = self.kind_of(expr) if is_plain(expr) else None
        return kind.keys if isinstance(kind, Parts) and kind.form is dict else None

    def looked_up(self, call):
        """What `d.get('k', default)` stands for, where the keys of `d` are known and the default, evaluated in any case, does
        nothing else; or None."""
        if not isinstance(call.func, gast.Attribute) or call.func.attr != 'get' or call.keywords or not 0 < len(call.args) < 3 \
                or not all(map(is_plain, call.args)) or not isinstance(call.args[0], gast.Constant) \
                or (keys := self.keys(call.func.value)) is None:
            return None
        owner, key = call.func.value, call.args[0]
        if key.value in keys:
            return gast.copy_location(gast.Subscript(value=owner, slice=key, ctx=gast.Load()), call)
        return call.args[1] if len(call.args) == 2 else gast.copy_location(tree.constant(None), call)

    def in_text_of_class(self, expr, known):
        """Whether `'sympy' in str(type(x))` is true; None for other tests, and where it is not known."""
        part, (whole,), (op,) = expr.left, expr.comparators, expr.ops
        inner = whole.args[0] if is_call_of(whole, str, self.resolver) else None
        if not isinstance(op, (gast.In, gast.NotIn)) or not isinstance(part, gast.Constant) or not isinstance(part.value, str) \
                or not is_call_of(inner, type, self.resolver):
            return None
        found = {part.value in str(np.ndarray if issubclass(kind, np.ndarray) else kind)
                 for kind in self.classes(inner.args[0], known)}
        return found.pop() == isinstance(op, gast.In) if len(found) == 1 else None

    def is_instance(self, expr, classes, known):
        fact = self.fact(expr, known)
        kinds = [self.resolver(e) for e in (classes.elts if isinstance(classes, gast.Tuple) else [classes])]
        if not all(isinstance(kind, type) and says_itself(kind) for kind in kinds):
            return None
        found = {issubclass(own, tuple(kinds)) for own in classes_of(fact)}
        return found.pop() if len(found) == 1 else None

    def fold(self, expr, known):
        """The expression with its own choices decided, and with calls made for what is known of their arguments."""
        if isinstance(expr, gast.IfExp):
            truth, test = self.test(expr.test, known)
            if truth is not None:
                self.decisions += 1
                return self.fold(expr.body if truth else expr.orelse, known)
            body = self.fold(expr.body, {**known, **self.told(expr.test, True, known)})
            orelse = self.fold(expr.orelse, {**known, **self.told(expr.test, False, known)})
            same = test is expr.test and body is expr.body and orelse is expr.orelse
            return expr if same else tree.replace(expr, test=test, body=body, orelse=orelse)
        if isinstance(expr, (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)):
            return expr
        if isinstance(expr, gast.Call) and (there := self.looked_up(expr)) is not None:
            self.decisions += 1
            return self.fold(there, known)
        fields = {}
        for field, value in expr.__dict__.items():
            if isinstance(value, gast.expr):
                new = self.fold(value, known)
                if new is not value:
                    fields[field] = new
            elif isinstance(value, list) and value and all(isinstance(e, gast.AST) for e in value):
                new = [self.fold(e, known) if isinstance(e, (gast.expr, gast.keyword)) else e for e in value]
                if any(a is not b for a, b in zip(new, value)):
                    fields[field] = new
        new = tree.replace(expr, **fields) if fields else expr
        if not isinstance(expr, gast.Call) or not self.called:
            return new
        made, fact = self.called(expr, new, lambda e: self.fact(e, known))
        self.decisions += made is not None
        if fact is not None:
            self.results[id(made or new)] = made or new, fact
        return made or new


def integers_asked(stmts):
    """Names that tests compare with integers, `order == 0` or `mode in (1, 2)`: flags, of which not much else is made."""
    tests = [n for s in stmts for n in tree.walk(s) if isinstance(n, gast.Compare) and len(n.ops) == 1
             and isinstance(n.ops[0], (gast.Eq, gast.NotEq, gast.In, gast.NotIn)) and isinstance(n.left, gast.Name)]
    return {n.left.id for n in tests for e in [n.comparators[0]] for parts in [getattr(e, 'elts', [e])]
            if parts and all(integer(part) is not None for part in parts)}


def integer(expr):
    """The integer that an expression writes down, or None."""
    return next((value for value in literal(expr) if type(value) is int), None)


def is_call_of(expr, function, resolver):
    """Whether an expression is a call of a function with one argument."""
    return isinstance(expr, gast.Call) and len(expr.args) == 1 and not expr.keywords and resolver(expr.func) is function


def filled(body, s):
    """The statements of a block of `s`, which says so where none is left."""
    return body or [tree.instead(gast.Pass(), s)]


def asks_for_none(test):
    """(expression, True) of `x is None`, (expression, False) of `x is not None`; None for another test."""
    if isinstance(test, gast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (gast.Is, gast.IsNot)) \
            and tree.is_none(test.comparators[0]):
        return test.left, isinstance(test.ops[0], gast.Is)
    return None


def is_plain(expr):
    """Whether nothing but what it gives can be told of an expression: it calls nothing."""
    return all(isinstance(n, PLAIN) for n in gast.walk(expr))


def made(expr, classes, resolver):
    """What is known of what an expression makes of numbers and arrays, or None.

    classes : expression -> the classes of which its value may be, empty where that is not known
    """
    if isinstance(expr, gast.Call):
        return made_by(expr, classes, resolver)
    if isinstance(expr, gast.Attribute):
        return Of(SCALARS) if expr.attr in OF_FLOATS and classes(expr.value) == {np.finfo} else None
    if isinstance(expr, gast.Subscript):
        plain = (index := classes(expr.slice)) and index <= NUMERICAL
        return Of(BY_NUMPY) if plain and (is_array(owner := classes(expr.value)) or owner and owner <= {*SCALARS}) else None
    if isinstance(expr, (gast.BinOp, gast.UnaryOp)) and isinstance(expr.op, (gast.Not, gast.MatMult)) \
            or isinstance(expr, gast.Compare) and (len(expr.ops) > 1 or not isinstance(expr.ops[0], ORDERS)):
        return None
    if not isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Compare)):
        return None
    fact = combined([classes(e) for e in tree.children(expr) if isinstance(e, gast.expr)])
    return fact if fact is None or not isinstance(expr, gast.Compare) else \
        Of(tuple([kind for kind in fact.classes if kind in (bool, np.bool_) or issubclass(kind, np.ndarray)]))


def combined(found):
    """What arithmetic makes of values of these classes."""
    if not all(kinds and kinds <= NUMERICAL for kinds in found):
        return None
    if any(kinds == {WithAxes} for kinds in found):
        return Of((WithAxes,))
    if all(kinds <= set(NUMERIC) for kinds in found):
        return Of(NUMERIC)
    numpys = SCALARS if all(kinds <= {*NUMERIC, *SCALARS, WithoutAxes} for kinds in found) else BY_NUMPY
    return Of(numpys if any(kinds.isdisjoint(NUMERIC) for kinds in found) else (*NUMERIC, *numpys))


def made_by(call, classes, resolver):
    """The same for a call: of NumPy's functions with numbers and arrays, and of methods of arrays."""
    function, args = resolver(call.func), call.args
    if call.keywords or any(isinstance(a, gast.Starred) for a in args):
        return None
    found = list(map(classes, args))
    plain = [bool(kinds) and kinds <= NUMERICAL for kinds in found]
    if function is abs:
        return combined(found)
    if function is np.finfo:
        return Of((np.finfo,))
    if function is UNKNOWN and isinstance(call.func, gast.Attribute) and call.func.attr in ('any', 'all', 'squeeze', 'sum'):
        owner = classes(call.func.value)
        return Of(BY_NUMPY) if owner and owner <= NUMERICAL.difference(NUMERIC) and all(plain) else None
    if not facts.is_numpy(function) or not args or (rule := registry.lookup(function)) is None or not plain[0]:
        return None
    if function.__name__ in NEW:
        axes = WithAxes if found[0] == {WithAxes} or function.__name__.startswith('atleast') else \
            WithoutAxes if found[0] <= {*NUMERIC, *SCALARS, WithoutAxes} else np.ndarray
        return Of((axes,))
    if function is np.broadcast_arrays and all(plain):
        return Together((Of((WithAxes if {WithAxes} in found else np.ndarray,)),) * len(args), (tuple, list))
    if all(plain) and is_elementwise(function):
        numbers = all(kinds <= {*NUMERIC, *SCALARS, WithoutAxes} for kinds in found)
        return Of((WithAxes,) if {WithAxes} in found else SCALARS if numbers and isinstance(function, np.ufunc) else BY_NUMPY)
    return Of(BY_NUMPY) if rule.kind == 'reduction' else None


def either(found):
    """What is known of a value that is one of several of which this is known, or None."""
    if not found or None in found:
        return None
    first = found[0]
    if all(fact == first for fact in found):
        return first
    if all(isinstance(fact, Together) and len(fact.parts) == len(first.parts) for fact in found):
        classes = dict.fromkeys(kind for fact in found for kind in fact.classes)
        return Together(tuple([either(parts) for parts in zip(*(fact.parts for fact in found))]), tuple(classes))
    classes = [classes_of(fact) for fact in found]
    return Of(tuple(dict.fromkeys(kind for kinds in classes for kind in kinds))) if all(classes) else None


def is_array(classes):
    """Whether a value of one of these classes surely is an array."""
    return bool(classes) and all(issubclass(kind, np.ndarray) for kind in classes)


def is_elementwise(function):
    """Whether a function of NumPy's gives one array, or number, for such ones, element by element."""
    rule = registry.lookup(function)
    return isinstance(function, np.ufunc) and function.nout == 1 or rule is not None and rule.shape == 'elementwise' \
        or getattr(function, '__name__', '') in ('isclose', 'isreal', 'iscomplex', 'isposinf', 'isneginf')


def classes_of(fact):
    """The classes of which a value may be, as far as that is known."""
    return [type(fact.value)] if isinstance(fact, Fixed) else fact.classes if isinstance(fact, (Of, Together)) else ()


CLASSES = {'float64': float, 'int64': int, 'bool': bool, 'complex128': complex}


def stored(stmts):
    """Names that statements bind, in what stands inside them, too: patterns and definitions have names that are texts."""
    nodes = [n for s in stmts for n in tree.walk(s)]
    named = {name for n in nodes for name in (getattr(n, 'name', None), getattr(n, 'rest', None)) if isinstance(name, str)}
    return named | {n.id for n in nodes if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)} \
        | {(a.asname or a.name).partition('.')[0] for n in nodes if isinstance(n, (gast.Import, gast.ImportFrom))
           for a in n.names}
