"""The kind of every expression of a function, from the kinds of its parameters: a walk over the text that runs it on kinds.

    def f(x, w):            x: Array(('n', 3), 'float64'), w: Array((3,), 'float64')
        y = x @ w           y: Array(('n',), 'float64')
        return y.sum()      Number('float64')

Where paths meet, kinds are joined; loops run until nothing changes. What is not understood is of no kind (None): a callee that
nobody has looked at, what stands in a `try`, a `with`, a comprehension. What functions make of kinds is asked of their records.
"""
import collections
import dataclasses
import functools
import itertools
import math
import types
from collections.abc import Hashable
from typing import NamedTuple

import gast
import numpy as np

from tangent.analysis.dataflow.effects import filled_by, is_list_of_zeros
from tangent.analysis.kinds.decided import asks_for_none
from tangent.analysis.kinds.grown import LOOKING, elements_of, grown_lists
from tangent.analysis.kinds.program import Program
from tangent.analysis.kinds.records import fields_of_named, is_plain_dataclass
from tangent.analysis.kinds.results import ATTRIBUTES, METHODS, RESHAPED, RESULTS, Call, product
from tangent.analysis.kinds.special import OPERATORS
from tangent.analysis.kinds.values import (
    BOOL,
    EMPTY,
    FLOAT,
    HELD,
    INT,
    NONE,
    NUMBERS_AND_ARRAYS,
    PASSIVE,
    PYTHON,
    SIZES,
    Array,
    Entries,
    Items,
    Number,
    OneOf,
    Parts,
    Passive,
    Saved,
    Without,
    broadcast,
    classes_in,
    elementwise,
    gradient_kind,
    is_float,
    is_integer,
    is_list_of_floats,
    is_object,
    is_several,
    is_sum,
    join,
    joined_all,
    kind_of,
    length,
    of_lengths,
    parts_within,
    promoted,
    says_itself,
    shorter,
)
from tangent.analysis.outside import bound_in_module
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN, Resolver
from tangent.runtime import facts
from tangent.runtime.objects import ObjectGrad, definition, function_of
from tangent.templates.language import registry
from tangent.templates.python import mutations

RESHAPING = frozenset('shape dtype strides resize setflags'.split())
WHOLE = frozenset([np.add, np.subtract, np.multiply, np.negative, np.absolute, np.maximum, np.minimum, np.square, np.sign])
MIRRORED = {gast.Lt: gast.Gt, gast.LtE: gast.GtE, gast.Gt: gast.Lt, gast.GtE: gast.LtE}
LOOKS = mutations.names(lambda m: not m.writes and m.of & {'list', 'dict'})
SPLIT = 'split_here'                    # the marker between a primal and its adjoint: a call that takes the result
SOME_ARRAY = Array((None,), 'float64')
UNSET, OWN = object(), object()        # no kind yet; a container that the text has made, of whatever it holds
CONSTANTS = math.pi, math.e, math.tau, math.inf, math.nan, np.pi, np.e, np.inf, np.nan, np.euler_gamma
PICKING = itertools.combinations, itertools.permutations
CONTAINERS = frozenset([dict, set, collections.deque, collections.defaultdict, collections.OrderedDict])


class TwinText(NamedTuple):
    """What the name of an emitted twin stands for.

    wrt : parameters with gradients
    text : the name of the primal, under which both are made
    again : the Again of an adjoint that takes the arguments of the callee, or None
    kinds : (parameter, its kind) for which the text was made, in lengths of its own
    result : the kind of what it gives where it asks its powers whether they are floats, and that is a float; else None
    """
    callee: object
    wrt: tuple
    is_primal: bool
    text: str
    again: object = None
    kinds: tuple = ()
    result: object = None


class Known(NamedTuple):
    """What a text may take for granted: the kinds of its parameters, and whom to ask what its names denote.

    library : gives names to functions and modules, see `emit.library`
    program : a `kinds.program.Program`
    twins : () -> name of an emitted twin -> its TwinText
    temps : names in the text that stand for parts of the user's expressions
    final : name of a text of twins -> for each gradient that the adjoint returns, whether it has the form that people get
    checks : whether the text may ask powers whether they are floats
    """
    given: dict
    resolver: object
    library: object
    program: Program
    twins: object
    temps: set
    final: dict
    checks: bool = False

    def infer(self, function):
        """The kinds in this text: those that were found last, where the text is the very same."""
        if self.program.last[:2] == (id(self), id(function)):
            return self.program.last[2]
        helpers = {new: self.library.objects.get(new, self.resolver.name(new)) for new in self.library.given.values()}
        found = Inference(function, self.given, self.resolver, self.program, helpers, self.twins(), self.temps)
        self.program.last = id(self), id(function), found, self, function                   # which live as long as their ids do
        return found


def axes_of_names(source, known):
    """(how many axes the arrays have that variables of a function hold, for those that hold such alone, 'number' for numbers;
    the variables that hold integers alone; the Held).

    known : (parameter -> kind, the Program), or None
    """
    if known is None:
        return {}, frozenset(), Held(frozenset(), frozenset(), frozenset(), frozenset(), False)
    resolver = Resolver(source, None, getattr(source, 'visible', {}))
    inference = Inference(source.tree, known[0], resolver, known[1])
    found = inference.names
    of_loops = {n for s in source.nodes if isinstance(s, (gast.For, gast.comprehension))
                for n in tree.names(s.target, gast.Store)}                     # which stand for what is gone through
    return {name: 'number' if isinstance(kind, Number) else len(kind.axes) for name, kind in found.items()
            if isinstance(kind, Number) and name not in of_loops
            or isinstance(kind, Array) and kind.axes and kind.dtype in ('int64', 'float64')}, \
        frozenset(name for name, kind in found.items() if is_integer(kind)), \
        Held(frozenset(name for name, kind in found.items() if is_sequence(kind)),
             frozenset(name for name, kind in found.items() if holds_numbers(kind)),
             frozenset(name for name, kind in found.items() if isinstance(kind, HELD) and holds_numbers(kind.element)),
             frozenset(name for name, kind in found.items() if holds_arrays(kind) or inference.holds_arrays(name)),
             all(map(is_double, known[0].values())))


class Held(NamedTuple):
    """What is known of the containers of a function.

    listed : variables that hold lists and tuples
    of_numbers : those of these, and of dicts, that hold numbers alone
    tables : lists of lists of numbers, whose rows are changed by no other name
    of_arrays : lists and dicts that hold arrays alone
    doubles : whether all that the function is given is known, and in double precision
    """
    listed: frozenset
    of_numbers: frozenset
    tables: frozenset
    of_arrays: frozenset
    doubles: bool


def is_double(kind):
    """Whether it is a number or an array in double precision, or a container of such."""
    if isinstance(kind, (Number, Array)):
        return kind.dtype in SIZES
    if isinstance(kind, Parts):
        return all(map(is_double, kind.kinds))
    return isinstance(kind, Passive) or isinstance(kind, HELD) and is_double(kind.element)


def holds_numbers(kind):
    """Whether it is a list, tuple or dict of numbers alone."""
    parts = (kind.element,) if isinstance(kind, HELD) else kind.kinds if isinstance(kind, Parts) else ()
    plain = is_sequence(kind) or isinstance(kind, Entries) or isinstance(kind, Parts) and issubclass(kind.form, dict)
    return plain and bool(parts) and all(isinstance(k, Number) for k in parts)


def holds_arrays(kind):
    """Whether it is a list or dict of arrays alone, which are no numbers."""
    parts = (kind.element,) if isinstance(kind, HELD) else kind.kinds if isinstance(kind, Parts) and kind.form in (list, dict) \
        else ()
    return bool(parts) and all(map(has_axes, parts))


def has_axes(kind):
    """Whether it is an array that is no number."""
    return isinstance(kind, Array) and bool(kind.axes)


def is_container(function):
    """Whether it is a class of containers that are made of what is given: what calls it has a new one."""
    return isinstance(function, type) and function in CONTAINERS


def is_sequence(kind):
    """Whether it is a list or a tuple."""
    return isinstance(kind, Items) or isinstance(kind, Parts) and issubclass(kind.form, (list, tuple))


def result(function, given, resolver, program):
    """(the kind of what a function gives, whether it may change a container that it is given, what holds of all that its names
    are bound to, whether powers were taken for floats)."""
    found = Inference(function, given, resolver, program)
    return None if found.result is UNSET else found.result, found.changes, found.names, bool(found.presumed)


def made_by(function, given, resolver, program):
    """Attribute -> kind for an object of which `__init__` binds them, and does nothing else with it, or None."""
    own = tree.names(function.args, gast.Param)[0]
    found = Inference(function, {**given, own: OWN}, resolver, program)
    kinds: dict = {}
    for s in function.body:
        target, value = (s.targets[0], s.value) if isinstance(s, gast.Assign) and len(s.targets) == 1 else (None, None)
        several = isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple) and len(target.elts) == len(value.elts)
        for t, v in zip(target.elts, value.elts) if several else [(target, value)] if target is not None else []:
            if isinstance(t, gast.Attribute) and tree.dotted(t.value) == own and t.attr not in kinds:
                kinds[t.attr] = PASSIVE[type(None)] if tree.is_none(v) else found.of(v)
    count = sum(isinstance(n, gast.Name) and n.id == own for s in function.body for n in tree.walk(s))
    return kinds if kinds and count == len(kinds) and not found.changes else None


class Inference:
    """The kinds in one function, a derivative's or the user's own.

    Parameters
    ----------
    function : gast.FunctionDef
    given : dict
        Parameter -> kind.
    resolver : Resolver
        Tells what names of the user's denote.
    program : Program
        Tells what callees give.
    helpers : dict
        Name in the text -> the function of the run time that it denotes.
    twins : dict
        Name in the text -> the twin that it denotes, see `Known`.
    temps : set of str
        Names in the text that stand for parts of the user's expressions.
    """

    def __init__(self, function, given, resolver, program, helpers=types.MappingProxyType({}),
                 twins=types.MappingProxyType({}), temps=frozenset()):
        self.resolver, self.program, self.helpers, self.twins, self.temps = resolver, program, helpers, twins, temps
        self.nodes, self.scope = tree.walk(function), (function.name, getattr(function, 'lineno', 0))
        self.shared = {n for s in self.nodes if isinstance(s, (gast.Nonlocal, gast.Global)) for n in s.names}
        self.changes = bool(self.shared)  # whether a container of the caller's may be changed, or what a name outside denotes
        trusted, self.steady, self.made_anew = program.trusts, True, False
        self.run(function, given)
        own = set(tree.names(function.args, gast.Param))
        if self.changes and (program.distrusted(trusted) or self.made_anew or not all(
                name in own and not may_change(kind) for name, kind in given.items())):
            self.steady = False
            self.run(function, {name: kind for name, kind in given.items() if name in own and not may_change(kind)})

    def run(self, function, given):
        self.given, self.role = given, None
        self.kinds = dict.fromkeys(tree.names(function.args, gast.Param)) | dict(given)
        self.at, self.calls, self.tapes, self.left = {}, {}, {}, []
        self.names = dict(given)          # name -> what holds of all that it is bound to
        self.result = UNSET
        self.bound = collections.Counter(
            [n.id for n in self.nodes if type(n) is gast.Name and type(n.ctx) is gast.Store]
            + [n.name for n in self.nodes if isinstance(n, (gast.FunctionDef, gast.ClassDef))])
        self.raises = False               # whether an operator may be one that an object has not
        self.presumed: list = []          # powers, and calls, that are floats if powers of floats are
        self.positive: frozenset = frozenset()        # names of numbers that are not negative here
        self.tests: dict = {}             # name -> the comparison whose outcome it holds
        given_lists = {p for p, kind in given.items() if isinstance(kind, HELD)}
        self.lists, self.tables = grown_lists(function, self.function, self, given_lists)  # whose elements, or rows, are known
        for name in given_lists - self.lists:
            self.kinds[name] = self.names[name] = None
        holders = {p for p, kind in given.items() if holds_arrays(kind) and not self.bound[p]}
        self.of_arrays = elements_of(holders, self.nodes, self.function) if holders else set()         # names that are arrays
        self.put_there: dict = {}         # name of a list or dict of the text's -> kinds of what it is given
        self.zeros: set = set()           # names of lists of gradients of objects, which the text has made
        self.harmless: set = set()        # functions made here, calls of which change nothing
        if not reshapes(self.nodes):
            self.block(function.body)
            if self.kinds is not None and self.result is not UNSET:            # it may come to its end, without a return
                self.returns(PASSIVE[type(None)])

    def of(self, expr):
        """The kind of an expression of the function, or None."""
        return self.at.get(id(expr))

    def of_callee(self, callee, expr):
        """The kinds that the text of a callee may take for granted where this expression calls it."""
        call = self.calls.get(id(expr))
        return self.program.fitting(callee, call) if call is not None else ()

    # Statements

    def block(self, stmts):
        for s in stmts:
            if self.kinds is None:                      # nothing comes here
                return
            self.role = tree.role(s)
            step = getattr(self, 'on_' + type(s).__name__, None)
            if step is not None:
                step(s)
            else:
                self.forget([s])

    def forget(self, stmts):
        """Know nothing of what is bound in these statements, whatever way they go."""
        for s in stmts:
            self.look_for_changes(s)
        for s in tree.every(stmts):
            named = {n for part in tree.walk(s) for n in (getattr(part, 'name', None), getattr(part, 'rest', None))}
            for n in tree.writes(s) | {n for n in named if isinstance(n, str)}:         # patterns and definitions have names
                self.bind(n, None)
            if isinstance(s, gast.Return):
                self.returns(None)
        self.left.append(dict(self.kinds))              # from where it may leave the loop around it

    def bind(self, name, kind):
        if isinstance(kind, HELD) and name not in self.lists:
            kind = OWN
        elif isinstance(kind, HELD) and name not in self.tables and isinstance(kind.element, HELD):
            kind = kind._replace(element=OWN)
        self.positive = self.positive - {name}
        self.tests = {n: test for n, test in self.tests.items() if n != name and name not in tree.names(test, gast.Load)}
        kind = self.kinds[name] = None if name in self.shared else kind
        self.names[name] = join(self.names[name], kind) if name in self.names else kind

    def on_FunctionDef(self, s):
        self.defined(s.name, lambda: self.forget([s]))

    def defined(self, name, look):
        """Look at a function that is made here; if nothing in it changes anything, calls of it do not either."""
        before, self.changes = self.changes, False
        look()
        if not self.changes and self.bound[name] == 1:
            self.harmless.add(name)
        self.changes = self.changes or before

    def on_Assign(self, s):
        self.zeros.update([tree.target(s)] * (is_list_of_zeros(s) and self.bound[tree.target(s)] == 1))
        if isinstance(s.value, gast.Lambda) and tree.target(s):
            self.defined(tree.target(s), lambda: self.hidden(s.value))
            return self.bind(tree.target(s), None)
        kind = NONE if tree.is_none(s.value) else self.expression(s.value)
        pairs = tree.side_by_side(s.targets[0], s.value) if len(s.targets) == 1 else []
        if len(pairs) > 1:
            for (target, _), each in zip(pairs, [self.held(t, v, self.of(v)) for t, v in pairs]):
                self.assign(target, each)
        else:
            for target in s.targets:
                own = self.held(target, s.value, kind)
                self.assign(target, self.unchanged(s.value, own) if tree.target(s) in self.temps else own)
        asks = isinstance(s.value, gast.Call) and self.function(s.value.func) is isinstance
        if tree.target(s) and (asks or isinstance(s.value, gast.Compare)):
            self.tests[tree.target(s)] = s.value

    def held(self, target, value, kind):
        """The kind of what a target is bound to: of a list of the text's, that of its elements."""
        name = getattr(target, 'id', None)
        if name in self.lists:
            self.put_there.setdefault(name, []).extend(self.parts_of(value, kind))
        if name in self.lists and (kind is OWN or isinstance(kind, Parts)):
            return self.listed(value) if kind is OWN else Items(element(kind))
        return kind

    def parts_of(self, value, kind):
        """Kinds of what is in a list or dict that a name is bound to."""
        if isinstance(value, (gast.List, gast.Dict)):
            return map(self.of, value.elts if isinstance(value, gast.List) else value.values)
        each = getattr(value, 'value', None) if isinstance(value, gast.DictComp) else getattr(value, 'elt', None)
        if isinstance(each, gast.Call) and facts.of(self.function(each.func)).alike:          # `np.zeros_like(p)` of any array
            return [SOME_ARRAY]
        return kind.kinds if isinstance(kind, Parts) else [kind.element] if isinstance(kind, HELD) else [None]

    def holds_arrays(self, name):
        """Whether a list or dict of the text's holds arrays alone, be they of several kinds."""
        given = [kind for kind in self.put_there.get(name, ()) if kind is not EMPTY]
        return isinstance(self.names.get(name), HELD) and bool(given) and all(map(has_axes, given))

    def listed(self, value):
        """The kind of a list that a name is bound to, of `[x, y]` or `[x] * n`."""
        display = value.left if isinstance(value, gast.BinOp) else value
        if not isinstance(display, (gast.List, gast.Dict)):
            return OWN
        made = Items if isinstance(display, gast.List) else Entries
        kinds = [self.given_back(e, self.of(e)) for e in (display.elts if made is Items else display.values)]
        return functools.reduce(join, [list_of(kind, made) for kind in kinds], made(EMPTY))

    def grows(self, name, kind):
        """What is put into a list of the text's."""
        self.put_there.setdefault(name, []).append(kind)
        held = self.kinds[name]
        self.bind(name, join(held, list_of(kind, type(held))) if isinstance(held, HELD) else None)

    def put(self, target, kind):
        """What is put into a list by `xs[i] = v`, or into a row of a table by `table[i][j] = v`."""
        if not isinstance(self.kinds.get(tree.root_name(target)), HELD):
            self.changes = True
        elif isinstance(target.value, gast.Name):
            self.grows(target.value.id, kind)
        else:
            name = getattr(getattr(target.value, 'value', None), 'id', None)
            row = self.of(target.value)
            known = name in self.tables and isinstance(row, HELD)
            self.grows(tree.root_name(target), list_of(kind, type(row)) if known else None)

    def assign(self, target, kind):
        if isinstance(target, gast.Name):
            self.bind(target.id, kind)
        elif isinstance(target, (gast.Tuple, gast.List)):
            starred = tree.starred(target.elts)
            listed = isinstance(kind, Parts) and issubclass(kind.form, (list, tuple))
            parts = kind.kinds if listed and len(kind.kinds) == len(target.elts) else None
            for k, t in enumerate(target.elts):
                self.assign(getattr(t, 'value', t) if isinstance(t, gast.Starred) else t,
                            None if starred else parts[k] if parts else element(kind))
        else:
            self.each(tree.children(target))
            self.changed(target, kind)

    def changed(self, target, kind=None):
        """What is written into, `target` or its attribute, is an array, or a gradient of the text's own; or else is changed."""
        owner = self.of(target.value)
        if isinstance(target.value, gast.Subscript) and isinstance(self.kinds.get(tree.root_name(target)), HELD) \
                or isinstance(owner, HELD):
            if isinstance(target, gast.Attribute):
                self.grows(tree.root_name(target), None)                        # `objects[i].a = v`
            elif not isinstance(target.ctx, gast.Del):
                self.put(target, element(kind) if isinstance(target.slice, gast.Slice) else kind)
        elif isinstance(owner, Parts) and owner.own and isinstance(target.value, gast.Name):
            same = kind is not None and isinstance(target, gast.Attribute) and owner.part(target.attr) == kind
            if isinstance(target.ctx, gast.Store) and not same:
                self.bind(target.value.id, OWN)
        elif not isinstance(owner, Array) and owner is not OWN and getattr(target.value, 'id', None) not in self.of_arrays:
            self.changes = True

    def look_for_changes(self, node):
        """The same in what is not looked into: writes, calls of methods and of functions of the user's."""
        for n in tree.walk(node):
            writes = isinstance(n, (gast.Subscript, gast.Attribute)) and not isinstance(n.ctx, gast.Load)
            called = isinstance(n, gast.Call) and (not self.only_reads(self.function(n.func)) or is_given_function(n))
            if writes or called or isinstance(n, gast.AugAssign):
                self.changes = True

    @staticmethod
    def only_reads(function):
        """Whether a function surely changes no container."""
        if facts.is_helper(function, 'add_at'):                      # into a gradient
            return True
        if facts.in_library(function) or facts.home(function) == 'math':
            return not facts.of(function).writes
        if isinstance(function, type) and issubclass(function, BaseException):
            return not any(isinstance(made, types.FunctionType) for made in (function.__init__, function.__new__))
        return facts.of(function).reads

    def on_AugAssign(self, s):
        value = self.expression(s.value)
        if isinstance(s.target, gast.Name):
            old = self.kinds.get(s.target.id)
            self.bind(s.target.id, old if isinstance(old, Array) else self.operation(s.op, [old, value]))
            self.changes = self.changes or s.target.id not in self.of_arrays and (may_change(old) or old is None)
        else:
            self.each(tree.children(s.target))
            owner = self.of(s.target.value)
            if isinstance(owner, HELD):
                old = owner.element
                self.put(s.target, old if isinstance(old, Array) else self.operation(s.op, [old, value]))
            elif (not isinstance(owner, Parts) or not owner.own) and filled_by(s) not in self.zeros and not self.counts(s) \
                    and not self.updates_array(owner, s.target):
                self.changed(s.target)

    def updates_array(self, owner, target):
        """Whether `owner[index] += v` changes an array in place, that stays where it is: not for a part of a list."""
        keyed, index = isinstance(owner, Parts) and owner.form is dict, getattr(target, 'slice', None)
        single = keyed or isinstance(index, gast.Constant) or is_integer(self.of(index))
        return isinstance(target, gast.Subscript) and single and holds_arrays(owner)

    def counts(self, s):
        """Whether it is `f.calls += 1` for a function: what stands there is an integer, and stays one."""
        return isinstance(s.target, gast.Attribute) and isinstance(s.value, gast.Constant) and type(s.value.value) is int \
            and isinstance(s.op, gast.Add) and isinstance(self.function(s.target.value), types.FunctionType)

    def on_Expr(self, s):
        self.expression(s.value)

    def on_Pass(self, s):
        pass

    def on_Assert(self, s):
        self.each(tree.header(s))

    def on_Raise(self, s):
        self.each(tree.header(s))
        self.kinds = None

    def on_Return(self, s):
        self.returns(self.given_back(s.value, self.expression(s.value)) if s.value is not None else PASSIVE[type(None)])
        self.kinds = None

    def given_back(self, value, kind):
        """The kind of what is returned, or put into a list: of lists that are made there, that of their elements."""
        if isinstance(value, gast.Tuple) and isinstance(kind, Parts) and len(kind.kinds) == len(value.elts):
            return kind._replace(kinds=tuple(map(self.given_back, value.elts, kind.kinds)))
        listed = isinstance(kind, Parts) and getattr(value, 'id', None) in self.lists
        return self.listed(value) if kind is OWN else list_of(element(kind)) if listed else kind

    def returns(self, kind):
        self.result = kind if self.result is UNSET else join(self.result, kind)

    def on_If(self, s):
        self.expression(s.test)
        before, positive, tests, ends = self.kinds, self.positive, self.tests, []
        test = self.tests.get(tree.dotted(s.test), s.test)
        told = [self.of_class(test, truth) for truth in (True, False)]
        for block, names, of in zip((s.body, s.orelse), not_negative(test), told):
            self.kinds, self.positive, self.tests = None if of is None else before | of, positive | names, tests
            self.block(block)
            ends.append((self.kinds, self.positive, self.tests))
        self.kinds = met([kinds for kinds, _, _ in ends])
        self.positive = positive.intersection(*(names for _, names, _ in ends))
        self.tests = kept_in([tests, *(found for _, _, found in ends)])

    def of_class(self, test, truth):
        """Name -> its kind where a test holds, or does not, if that asks for a class of objects; None if no way goes there."""
        name, classes = self.asked_for(test)
        kind = self.kinds.get(name)
        if not classes_in(kind) or any(definition(each.form, '__class__') is not object for each in classes_in(kind)):
            return {}
        left = [each for each in classes_in(kind) if classes(each.form) == truth]
        return {name: joined_all(left)} if left else None

    def asked_for(self, test):
        """(a name, whether objects of a class pass) for `type(x) is C`, `isinstance(x, (C, D))` and `x is None`; (None, None)
        for all other tests."""
        none = asks_for_none(test)
        if none is not None:
            return tree.dotted(none[0]), lambda kind: (kind is type(None)) == none[1]
        if isinstance(test, gast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], gast.Is):
            call, exact = test.left, self.resolver(test.comparators[0])
            found = isinstance(call, gast.Call) and self.function(call.func) is type and len(call.args) == 1 \
                and isinstance(exact, type) and isinstance(call.args[0], gast.Name)
            return (call.args[0].id, lambda kind: kind is exact) if found else (None, None)
        if not isinstance(test, gast.Call) or self.function(test.func) is not isinstance or len(test.args) != 2:
            return None, None
        own, of = test.args
        several = tuple([self.resolver(e) for e in getattr(of, 'elts', [of])])
        found = isinstance(own, gast.Name) and all(isinstance(each, type) and says_itself(each) for each in several)
        return (own.id, lambda kind: issubclass(kind, several)) if found else (None, None)

    def on_While(self, s):
        self.loop(s, lambda: self.expression(s.test))
        if getattr(s.test, 'value', None) is True and not any(isinstance(n, gast.Break) for n in tree.walk(s)):
            self.kinds = None                           # a return or an error is the only way out

    def on_For(self, s):
        iterated = self.expression(s.iter)
        self.loop(s, lambda: self.assign(s.target, self.item(s.iter)), self.has_items(s.iter, iterated))

    def has_items(self, expr, kind):
        """Whether a loop over an expression surely runs."""
        called = self.function(expr.func) if isinstance(expr, gast.Call) and len(expr.args) == 1 and not expr.keywords else None
        if called is range:
            count, given = registry.literal(expr.args[0]), getattr(expr.args[0], 'args', [])
            counted = len(given) == 1 and self.function(expr.args[0].func) is len
            return bool(count) and count[0] > 0 or counted and self.has_items(given[0], self.of(given[0]))
        if called in (enumerate, reversed):
            return self.has_items(expr.args[0], self.of(expr.args[0]))
        several = isinstance(kind, Array) and kind.axes and (is_several(kind.axes[0]) or kind.axes[0] == 1)
        return several or isinstance(kind, Parts) and issubclass(kind.form, (list, tuple)) and bool(kind.kinds)

    def loop(self, s, start, surely=False):
        """Until what is known where the body begins is true of all that comes there; `surely` if it runs at least once."""
        around, tests, known = self.left, self.tests, None
        while known != (self.kinds, self.tapes, self.positive, self.tests):
            known, self.left = (self.kinds, dict(self.tapes), self.positive, self.tests), []
            self.kinds = dict(self.kinds)
            start()
            begun = dict(self.kinds)                    # where a test ends the loop, it may have bound names
            self.block(s.body)
            end = met([self.kinds, *self.left])
            self.kinds = met([known[0], begun, end])
            self.tests = kept_in([tests, self.tests])
        self.kinds = end if surely else self.kinds
        self.left = around
        self.block(s.orelse)

    def on_Break(self, s):
        self.left.append(self.kinds)
        self.kinds = None

    on_Continue = on_Break

    def item(self, iterated):
        """The kind of what a loop over an expression binds its target to."""
        if isinstance(iterated, gast.Subscript) and isinstance(iterated.slice, gast.Slice) and self.of(iterated) is None:
            return self.item(iterated.value)                             # `range(n)[1:]`
        if isinstance(iterated, (gast.List, gast.Tuple)) and iterated.elts and not tree.starred(iterated.elts):
            return joined_all([self.of(e) for e in iterated.elts])
        if not isinstance(iterated, gast.Call):
            return element(self.of(iterated))
        owner = self.of(iterated.func.value) if isinstance(iterated.func, gast.Attribute) and not iterated.args else None
        keyed = isinstance(owner, Parts) and owner.form is dict
        if isinstance(owner, Entries) or keyed:
            kinds = owner.kinds if keyed else () if owner.element is EMPTY else (owner.element,)
            value = joined_all(kinds) if kinds else None
            return {'values': value, 'items': Parts((None, value))}.get(iterated.func.attr)
        function, items = self.function(iterated.func), list(map(self.item, iterated.args))
        if function is range:
            return INT
        if function is enumerate and items:
            return Parts((INT, items[0]))
        if function is zip or function is itertools.product and not iterated.keywords:
            return Parts(tuple(items))
        several = registry.literal(iterated.args[1]) if function in PICKING and len(items) == 2 else None
        if several and type(several[0]) is int:
            return Parts((items[0],) * several[0])
        return items[0] if function is reversed and items else element(self.of(iterated))

    # Expressions

    def each(self, exprs):
        return [self.expression(e) for e in exprs]

    def expression(self, expr):
        """The kind of an expression, which is kept for `of`; where it is looked at again, in a loop, what holds for both."""
        step = getattr(self, 'of_' + type(expr).__name__, None)
        if step is None:
            self.hidden(expr)
            return None
        kind = step(expr)
        key = id(expr)
        self.at[key] = join(self.at[key], kind) if key in self.at else kind
        return kind

    def hidden(self, expr):
        """What is not looked into may bind names."""
        self.look_for_changes(expr)
        for n in tree.names(expr, gast.Store):
            self.bind(n, None)

    def of_Constant(self, expr):
        return length(expr.value) if type(expr.value) is int else PYTHON.get(type(expr.value))

    def of_Name(self, expr):
        if expr.id in self.kinds:
            return self.kinds[expr.id]
        return self.outside(expr)

    def outside(self, expr):
        """A number of a library's, `numpy.pi`; what stands in the user's modules now is assumed to stay there, where nothing in
        the program may change it while it runs."""
        found, module = self.resolver(expr), self.resolver(expr.value) if isinstance(expr, gast.Attribute) else None
        kind = kind_of(found, {}) if type(found) in NUMBERS_AND_ARRAYS else None
        if isinstance(kind, Array):                            # whose axes have no names that callers know
            kind = Array(tuple([axis if isinstance(axis, int) else None for axis in kind.axes]), kind.dtype)
        if kind is None or getattr(module, '__name__', '').partition('.')[0] in ('numpy', 'math', 'scipy'):
            return kind
        trusted = self.program.trusts or self.is_constant(expr, found)
        if not trusted or isinstance(expr, gast.Attribute) and not isinstance(module, types.ModuleType):
            return None                                        # an object may be written into
        self.program.assume(self.resolver, tree.dotted(expr), found)
        return kind

    def is_constant(self, expr, found):
        """Whether it is a name for `pi` or the like of a library's, which no function of the user's module binds anew."""
        space, name = self.resolver.globals, getattr(expr, 'id', None)
        return any(found is value for value in CONSTANTS) and space.get(name) is found and name not in self.resolver.cells \
            and not bound_in_module(space, {name})

    def of_Tuple(self, expr):
        kinds = self.each(expr.elts)
        return None if tree.starred(expr.elts) else Parts(tuple(kinds))

    def of_List(self, expr):
        self.each(expr.elts)
        return OWN

    def of_ListComp(self, expr):
        if any(isinstance(n, gast.NamedExpr) for n in tree.walk(expr)):
            return self.hidden(expr)
        before, named = dict(self.kinds), dict(self.names)
        for g in expr.generators:
            self.expression(g.iter)
            self.assign(g.target, self.item(g.iter))
            self.each(g.ifs)
        keyed = isinstance(expr, gast.DictComp)
        self.each([expr.key] if keyed else [])
        value = expr.value if keyed else expr.elt
        made = list_of(self.given_back(value, self.expression(value)), Entries if keyed else Items)
        self.kinds, self.names = before, self.names | named           # its names are its own
        return made

    of_DictComp = of_ListComp

    def of_Dict(self, expr):
        self.each([e for e in [*expr.keys, *expr.values] if e is not None])
        return OWN

    def unchanged(self, expr, kind):
        """The kind of a value that nobody can change, as they might a list that has a name."""
        return Parts(tuple([self.unchanged(e, self.of(e)) for e in expr.elts])) if isinstance(expr, gast.List) else kind

    def of_Slice(self, expr):
        self.each(tree.children(expr))

    def of_Starred(self, expr):
        self.expression(expr.value)

    def of_NamedExpr(self, expr):
        kind = self.expression(expr.value)
        self.bind(expr.target.id, kind)
        return kind

    def of_IfExp(self, expr):
        self.expression(expr.test)
        before, ends, kinds = self.kinds, [], []
        for part in (expr.body, expr.orelse):
            self.kinds = dict(before)
            kinds.append(self.expression(part))
            ends.append(self.kinds)
        self.kinds = met(ends)
        return join(*kinds)

    def of_BoolOp(self, expr):
        kinds = self.each(expr.values)
        for part in expr.values[1:]:
            self.hidden(part)
        return kinds[0] if all(kind == kinds[0] for kind in kinds) else None

    def of_UnaryOp(self, expr):
        kind = self.expression(expr.operand)
        if isinstance(expr.op, gast.Not):
            return BOOL
        found = operator_method(expr.op, [kind])
        if found is not None:
            return self.method(found[0], expr, [expr.operand], [kind], {})
        self.raises = self.raises or is_object(kind)
        return self.operation(expr.op, [kind])

    def of_Compare(self, expr):
        kinds = self.each([expr.left, *expr.comparators])
        if len(kinds) > 2 or any(isinstance(op, (gast.Is, gast.IsNot, gast.In, gast.NotIn)) for op in expr.ops):
            return BOOL if len(kinds) == 2 else None
        return elementwise(kinds, gives='bool')

    def of_BinOp(self, expr):
        kinds = self.each([expr.left, expr.right])
        found = operator_method(expr.op, kinds)
        if found is not None:
            turned = -1 if found[1] else 1
            return self.method(found[0], expr, [expr.left, expr.right][::turned], kinds[::turned], {})
        self.raises = self.raises or any(map(is_object, kinds))
        if isinstance(expr.op, gast.Pow):
            return self.power(kinds, expr)
        if isinstance(expr.op, gast.Mult) and kinds[0] is OWN and is_integer(kinds[1]):
            return OWN
        if isinstance(expr.op, (gast.Add, gast.Sub)) and all(isinstance(kind, Number) and kind.axis for kind in kinds):
            length, more = kinds if isinstance(kinds[1].axis, int) or isinstance(expr.op, gast.Sub) else kinds[::-1]
            if isinstance(more.axis, int):
                return Number('int64', True, shorter(length.axis, more.axis if isinstance(expr.op, gast.Sub) else -more.axis))
        return self.operation(expr.op, kinds)

    def power(self, kinds, expr):
        """`x ** y`: Python makes a complex number of a root of a negative one, and a fraction of what is divided by."""
        found = elementwise(kinds)
        if found is None or any(kind.dtype == 'bool' for kind in kinds):
            return None
        if not isinstance(found, Number) or any(kind.python is False for kind in kinds if isinstance(kind, Number)):
            return found
        value = registry.literal(expr.right)
        whole = bool(value) and type(value[0]) in (int, float) and float(value[0]).is_integer()
        if found.dtype == 'float64':
            if whole or kinds[1].dtype == 'int64' or self.is_positive(expr.left):
                return found
            self.presumed += [expr] * (self.program.presumes and found == FLOAT)
            return found if self.program.presumes and found == FLOAT else None
        return found if found.dtype == 'int64' and whole and value[0] >= 0 else None

    def is_positive(self, expr):
        """Whether a number is surely not negative, as far as the text says."""
        if isinstance(expr, gast.Name):
            return expr.id in self.positive
        if isinstance(expr, gast.Constant):
            return type(expr.value) in (int, float) and expr.value >= 0
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Mult, gast.Div)):
            square = isinstance(expr.op, gast.Mult) and tree.dotted(expr.left) is not None \
                and tree.dotted(expr.left) == tree.dotted(expr.right)
            return square or self.is_positive(expr.left) and self.is_positive(expr.right)
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Pow):
            return registry.literal(expr.right) == [2] or self.is_positive(expr.left)
        return isinstance(expr, gast.Call) and self.function(expr.func) in (abs, math.exp, math.sqrt, math.hypot, math.fabs)

    def is_lasting(self, name):
        """Whether a parameter is an integer wherever the function reads it."""
        return is_integer(self.names.get(name)) and not self.bound[name] and name not in self.shared

    def operation(self, op, kinds):
        """What an operator makes of these."""
        if isinstance(op, gast.MatMult):
            return product(Call(kinds, [], {}, {}))
        found = elementwise(kinds, gives='float' if isinstance(op, gast.Div) else 'same')
        if found is not None and found.dtype == 'bool' and not isinstance(op, (gast.BitAnd, gast.BitOr, gast.BitXor)):
            return INT if found == BOOL else None
        return found

    def of_Attribute(self, expr):
        kind = self.expression(expr.value)
        if isinstance(kind, OneOf):
            return joined_all([self.attribute(each, expr) for each in kind.kinds if is_object(each)])       # None has none
        return self.attribute(kind, expr)

    def attribute(self, kind, expr):
        """The kind of an attribute of what is of a kind."""
        if isinstance(kind, Array):
            return ATTRIBUTES[expr.attr](kind) if expr.attr in ATTRIBUTES else None
        if isinstance(kind, Parts):
            method = method_of(kind, expr.attr)
            if isinstance(method, property):
                call = Call([kind], [expr.value], {}, {})
                found = self.program.called(method.fget, call)
                self.changes = self.changes or self.program.changes(method.fget, call)
                return found
            return None if kind.form in (list, tuple, dict) or has_descriptor(kind.form, expr.attr) else kind.part(expr.attr)
        return self.outside(expr) if kind is None and tree.root_name(expr) not in self.kinds else None

    def of_Subscript(self, expr):
        kind, index = self.expression(expr.value), self.expression(expr.slice)
        if isinstance(kind, Array):
            return indexed(self, kind, expr.slice)
        if isinstance(kind, HELD):
            known = is_integer(index) or isinstance(kind, Entries) and not isinstance(expr.slice, gast.Slice)
            return kind.element if known and kind.element is not EMPTY else None
        if isinstance(kind, Parts):
            held = plain_method(kind, '__getitem__') if isinstance(expr.ctx, gast.Load) and not has_slice(expr.slice) else None
            if held is not None:
                return self.method(held, expr, [expr.value, expr.slice], [kind, index], {})
            at = registry.literal(expr.slice)
            if not issubclass(kind.form, (list, tuple)):
                if kind.form is not dict:
                    return None
                if not at:
                    return joined_all(kind.kinds) if kind.kinds else None
                return kind.part(at[0]) if isinstance(at[0], Hashable) else None
            if isinstance(expr.slice, gast.Slice):
                return part_of_list(kind, expr.slice)
            known = at and type(at[0]) is int and -len(kind.kinds) <= at[0] < len(kind.kinds)
            return kind.kinds[at[0]] if known else element(kind) if is_integer(index) else None
        return None

    # Calls

    def function(self, expr):
        """What is called: a function of the run time or of the user's namespace, or None."""
        name = tree.dotted(expr)
        if name in self.helpers:
            return self.helpers[name]
        root = tree.root_name(expr)
        if name is not None and isinstance(self.helpers.get(root), types.ModuleType):
            return functools.reduce(lambda found, part: getattr(found, part, None), name.split('.')[1:], self.helpers[root])
        found = self.resolver(expr) if root not in self.kinds else UNKNOWN
        return None if found is UNKNOWN else found

    def lent(self, function, call):
        """The lists of the text's, in a call, that come back from there; `kinds.program.Program.lent`."""
        return self.program.lent(function, call) if tree.dotted(call.func) not in self.twins else {}

    def gives(self, function):
        """See `kinds.program.Program.gives`."""
        return self.program.gives(function)

    def of_Call(self, expr):
        listed = expr.func.value if isinstance(expr.func, gast.Attribute) and isinstance(expr.func.value, gast.Name) else None
        if listed is not None and listed.id in self.lists and isinstance(self.kinds.get(listed.id), HELD):
            return self.of_list_method(expr, listed)
        function = self.function(expr.func)
        if function is None and (held := methods_of(self.of_object(expr.func), '__call__')):
            trees, named = [expr.func, *expr.args], {k.arg: self.expression(k.value) for k in expr.keywords}
            return self.one_method(held, expr, trees, list(map(self.unchanged, trees, self.each(trees))), named)
        trees = expr.args
        if isinstance(expr.func, gast.Attribute) and function is None:
            trees = [expr.func.value, *trees]
        kinds = list(map(self.unchanged, trees, self.each(trees)))
        named = {k.arg: self.expression(k.value) for k in expr.keywords}
        if function is None and trees is not expr.args and isinstance(kinds[0], Array):
            function = METHODS.get(expr.func.attr) or RESHAPED.get(expr.func.attr)
        elif function is None and trees is not expr.args:
            held = methods_of(kinds[0], expr.func.attr)
            if held and not any(isinstance(method, property) for _, method in held):
                return self.one_method(held, expr, trees, kinds, named)
        if isinstance(expr.func, gast.Name) and expr.func.id == SPLIT:
            return None
        if trees is expr.args:
            makes = isinstance(function, type) and tree.dotted(expr.func) in self.helpers       # a record: a gradient's display
            if makes and self.role in ('adjoint', 'zero', 'return'):
                return self.gradient_made(function, {k.arg: PASSIVE[type(None)] if tree.is_none(k.value) else named[k.arg]
                                                     for k in expr.keywords})
            reads = makes or is_container(function) or self.only_reads(function) and not is_given_function(expr) \
                or tree.dotted(expr.func) in self.harmless
        else:
            reads = isinstance(kinds[0], Array) or kinds[0] is OWN or isinstance(kinds[0], Parts) and expr.func.attr in LOOKS
        if None in named or tree.starred(expr.args):
            self.changes = self.changes or not reads
            return None
        if (kind := replaced(function, expr, kinds, named)) is not None:
            return self.lasting(kind)
        call = Call(kinds, trees, named, {k.arg: k.value for k in expr.keywords})
        name = tree.dotted(expr.func)
        self.calls[id(expr)] = self.calls[id(expr)].met(call) if id(expr) in self.calls else call
        if name in self.twins:
            return self.twin(self.twins[name], call)
        found = self.called(function, call, name) if function is not None else None
        if found == FLOAT and self.program.presumes and self.program.plain(function, call)[0] in self.program.guesses:
            self.presumed.append(expr)
        for list_lent, kind in self.program.after(function, call) if self.lists else ():
            self.put_there.setdefault(list_lent, []).append(kind.element if isinstance(kind, HELD) else None)
            self.bind(list_lent, join(self.kinds[list_lent], kind))
        if not reads:
            self.changes = self.changes or trees is not expr.args or self.program.changes(function, call)
        return found

    def of_object(self, expr):
        """The kind of an object that is called; None for functions and methods."""
        if isinstance(expr, gast.Name):
            return self.kinds.get(expr.id)
        if isinstance(expr, gast.Attribute):
            owner = self.of_object(expr.value)
            plain = isinstance(owner, (Parts, OneOf)) and not methods_of(owner, expr.attr)
            kinds = owner.kinds if isinstance(owner, OneOf) else (owner,)
            return joined_all([each.part(expr.attr) for each in kinds if isinstance(each, Parts)]) if plain else None
        return self.expression(expr) if isinstance(expr, gast.Subscript) else None

    def gradient_made(self, maker, named):
        """The kind of a gradient that is written down: of which class, its parts say; one that says so by name has no class of
        its own."""
        keys, form = tuple(named), maker
        if maker is ObjectGrad:
            form = next((kind.form for kind in parts_within(self.given.values()) if kind.keys == keys), None)
        return Parts(tuple(map(gradient_kind, named.values())), form, keys, own=True) if form is not None else OWN

    def of_list_method(self, expr, listed):
        """`path.append(x)`, `path.pop()`."""
        kind, given = self.expression(listed), self.each(expr.args)
        self.each([k.value for k in expr.keywords])
        if isinstance(kind, Entries):
            return self.of_dict_method(expr, kind, given)
        if expr.func.attr in ('append', 'insert'):
            one = len(given) == 1 + (expr.func.attr == 'insert')
            self.grows(listed.id, self.given_back(expr.args[-1], given[-1]) if one else None)
        elif expr.func.attr == 'sort':
            self.changes = self.changes or not all(isinstance(k.value, (gast.Lambda, gast.Constant)) for k in expr.keywords)
        if expr.func.attr in ('index', 'count'):
            return INT
        return NONE if expr.func.attr != 'pop' else None if kind.element is EMPTY else kind.element

    def of_dict_method(self, expr, kind, given):
        """`found.get(k, 0.0)`, `found.pop(k)`."""
        value = None if kind.element is EMPTY else kind.element
        if expr.func.attr == 'get' and given:
            return join(value, given[1]) if len(given) > 1 else join(value, NONE)
        if expr.func.attr == 'pop' and len(given) == 1:
            return value
        if expr.func.attr not in ('get', 'pop', *LOOKING):
            self.grows(expr.func.value.id, None)
        return None

    def one_method(self, held, expr, trees, kinds, named):
        """What the call of a method gives that is one of these: (kind of the object, what its class has by the name)."""
        return joined_all([self.method(method, expr, trees, [kind, *kinds[1:]], named) for kind, method in held])

    def method(self, method, expr, trees, kinds, named):
        """What the call of an object's method gives."""
        if None in named or tree.starred(trees):
            self.changes = True
            return None
        first = 1 if isinstance(method, staticmethod) else 0
        call = Call(kinds[first:], trees[first:], named, {k.arg: k.value for k in getattr(expr, 'keywords', ())})
        found = self.program.called(function_of(method), call)
        self.changes = self.changes or self.program.changes(function_of(method), call)
        return self.lasting(found)

    def twin(self, twin, call):
        """What a twin gives: the result and what is saved, or the gradients by those parameters."""
        callee = twin.callee
        if twin.is_primal:
            bound, found = self.program.bound(callee, call), self.lasting(self.program.called(callee, call))
            found = twin.result if found is None else found
            self.changes = self.changes or self.program.changes(callee, call)
            return Parts((found, Saved(callee, bound) if bound is not None else None))
        saved = call.kinds[1] if len(call.kinds) > 1 else None
        if twin.again is not None:
            bound = self.given_again(twin, call)
        elif isinstance(saved, Saved):
            bound = dict(saved.bound)
        else:
            return None
        plain = all(kind.dtype in SIZES for kind in bound.values() if isinstance(kind, (Number, Array)))
        kinds = [gradient_kind(bound[p]) if plain and p in bound else None for p in twin.wrt]
        return kinds[0] if len(kinds) == 1 else Parts(tuple(kinds))

    @staticmethod
    def given_again(twin, call):
        """Parameter -> kind in the call of an adjoint that takes arguments: what it is not given has lengths of what it is."""
        given, made_for = dict(zip(twin.again.parameters, call.kinds)), dict(twin.kinds)
        lengths = {own: axis for p, kind in given.items() if isinstance(kind, Array) and isinstance(made_for.get(p), Array)
                   for own, axis in zip(made_for[p].axes, kind.axes)}
        return {p: of_lengths(kind, lengths) for p, kind in made_for.items()} | given

    def called(self, function, call, name):
        """What a function makes of kinds: what is said of it by itself, or by its record."""
        if facts.is_helper(function, 'push', 'pop'):
            return self.taped(function.__name__, call)
        record = facts.of(function)
        if record.out is not None and ('out' in call.named or len(call.kinds) > record.out):
            return None
        if isinstance(function, Hashable) and function in RESULTS:
            return RESULTS[function](call)
        if is_container(function):
            return OWN
        if facts.is_helper(function):
            return helped(function, record, call)
        plain = call.kinds and not call.named
        if isinstance(function, np.ufunc):
            known = plain and record.elementwise and function.nout == 1 and function not in (np.float_power, np.ldexp)
            return of_ufunc(function, record, call.kinds) if known else None
        rule = registry.lookup(function)
        if rule is not None and rule.kind == 'elementwise' and facts.home(function) == 'math':
            return FLOAT if plain else None                      # whatever they are given, or they raise
        if isinstance(function, type):
            found = record_made(function, call) if issubclass(function, tuple) else self.program.made(function, call)
        else:
            found = self.program.called(function, call)
        if found is not None:
            self.program.assume(self.resolver, name, function)
        return self.lasting(found)

    def lasting(self, found):
        """What a call gives, unless something may give other parts to what it is."""
        if not may_change(found):
            return found
        self.made_anew = True
        return found if self.steady else None

    def taped(self, name, call):
        """What is pushed onto a tape comes back where it is popped."""
        mark = registry.literal(call.trees[-1])
        key = tree.dotted(call.trees[0]), mark[0] if mark else None
        if name == 'pop':
            return self.tapes.get(key)
        kind = call.kind(1)
        self.tapes[key] = join(self.tapes[key], kind) if key in self.tapes else kind
        return None


def of_ufunc(function, record, kinds):
    """What a function of NumPy's makes element by element; of integers some make integers, and of flags what they like."""
    found = elementwise(kinds, record.gives, number=False)
    if found is None or record.gives == 'bool':
        return found
    whole = promoted(kinds) == 'int64' and function not in WHOLE and (record.gives != 'float' or function is np.reciprocal)
    return None if found.dtype == 'bool' or whole else found


def helped(function, record, call):
    """What a function of the run time makes."""
    if facts.is_helper(function, 'array_size', 'len'):
        return INT
    if facts.is_helper(function, 'of_forward'):
        return call.kinds[0]
    if facts.is_helper(function, 'part_of', 'without') and isinstance(call.kinds[0], Parts):
        name = registry.literal(call.trees[2])
        return call.kinds[0].part(name[0]) if facts.is_helper(function, 'part_of') else call.kinds[0]
    if facts.is_helper(function, 'unstack', 'unarray') and isinstance(call.kinds[1], Items):
        return gradient_kind(call.kinds[1]) if isinstance(call.kinds[0], Array) and len(call.kinds) == 2 else None
    if facts.is_helper(function, 'unsum', 'unextreme'):
        values = call.kinds[-1]
        plain = is_list_of_floats(values) and all(map(is_float, call.kinds[:-1]))
        return gradient_kind(values) if plain else None
    if facts.is_helper(function, 'unarray'):
        numbers = isinstance(call.kinds[1], Parts) and all(map(is_float, call.kinds[1].kinds))
        return call.kinds[1] if numbers and isinstance(call.kinds[0], Array) else None
    if facts.is_helper(function, 'check_dims', 'check_number', 'check_scalar'):
        return call.kinds[:2][-1] if all(map(is_float, call.kinds[:2])) else None
    if facts.is_helper(function, 'add_grad') and isinstance(call.kinds[0], Passive) and call.kinds[0] == call.kinds[1]:
        return call.kinds[0]
    if facts.is_helper(function, 'add_at', 'add_grad') and (call.kinds[0] is OWN or isinstance(call.kinds[0], Parts)):
        return call.kinds[0] if call.kinds[0] is OWN or call.kinds[0].own else None
    if facts.is_helper(function, 'add_at'):
        return call.kinds[0] if isinstance(call.kinds[0], Array) else None
    if facts.is_helper(function, 'add_grad'):
        return join(*call.kinds) if is_sum(*call.kinds) else None
    if facts.is_helper(function, 'uncholesky', 'unslogdet'):
        matrix = call.kinds[1]
        return matrix if isinstance(matrix, Array) and matrix.dtype == promoted(call.kinds) == 'float64' else None
    if facts.is_helper(function, 'unsolve'):
        return Parts(tuple(map(gradient_kind, call.kinds[1:3]))) if RESULTS[np.linalg.solve](call._replace(
            kinds=call.kinds[1:3])) else None
    if record.like is not None and len(call.kinds) > record.like:
        like = call.kinds[record.like]
        if record.copies:
            return like
        if isinstance(like, (Parts, Items)):
            return gradient_kind(like) if facts.is_helper(function, 'init_grad') else None
        if isinstance(like, Number) and facts.is_helper(function, 'unreduce_like') and not is_float(call.kinds[0]):
            return None                                   # the axes that a number was given are left
        found = gradient_kind(like)
        return found if record.casts or isinstance(found, Array) and promoted(call.kinds) == found.dtype else None
    found = elementwise(call.kinds, record.gives) if record.elementwise and not call.named else None
    if is_float(found) and facts.is_helper(function, 'quotient', 'balanced_eq', 'dpower_dx', 'dpower_dy'):
        return found._replace(python=None)
    return found if isinstance(found, Array) else None


def method_of(kind, name):
    """The function, static method or property that objects of a kind have by a name, or None."""
    if not isinstance(kind, Parts) or issubclass(kind.form, (list, tuple, dict)) or name in kind.keys:
        return None
    owner = definition(kind.form, name)
    held = vars(owner)[name] if owner is not None else None
    plain = isinstance(held, (types.FunctionType, staticmethod, property)) and isinstance(function_of(held), types.FunctionType)
    return held if plain else None


def methods_of(kind, name):
    """(kind, what `method_of` tells) for each class of which an object may be; nothing where one has no such."""
    held = [(each, method_of(each, name)) for each in classes_in(kind)]
    return held if all(method is not None for _, method in held) else []


def operator_method(op, kinds):
    """(the method that an operator runs, whether the operands are turned round) for objects of these kinds, or None.

    It is the one of the left operand, or of the right one if the left is a number of Python's. One that may say
    `NotImplemented` is asked again when running.
    """
    name = OPERATORS.get(type(op))
    held = plain_method(kinds[0], f'__{name}__')
    if len(kinds) == 1 or held is not None:
        right = kinds[-1] if len(kinds) == 2 else None
        above = kinds[0].form if held is not None else None
        asked_first = isinstance(right, Parts) and above not in (None, right.form) and issubclass(right.form, above)
        return (held, False) if held is not None and not asked_first else None
    number = isinstance(kinds[0], Number) and kinds[0].python and kinds[0].dtype != 'none'
    held = plain_method(kinds[1], f'__r{name}__') if number else None
    return (held, True) if held is not None else None


def plain_method(kind, name):
    """The function that objects of a kind have by the name of a special method, or None, as if it may say `NotImplemented`."""
    held = method_of(kind, name)
    plain = isinstance(held, types.FunctionType) and isinstance(function_of(held), types.FunctionType)
    return held if plain and 'NotImplemented' not in function_of(held).__code__.co_names else None


def has_descriptor(kind, name):
    """Whether what objects have by a name is not what stands in their `__dict__`; fields of namedtuples are what they say."""
    owner = definition(kind, name)
    return owner is not None and not issubclass(kind, tuple) and hasattr(type(vars(owner)[name]), '__set__')


def record_made(kind, call):
    """What the call of a class of namedtuples makes."""
    fields = fields_of_named(kind)
    if fields is None:
        return None
    if len(call.kinds) + len(call.named) != len(fields) or not call.named.keys() <= set(fields[len(call.kinds):]):
        return None
    return Parts((*call.kinds, *(call.named[name] for name in fields[len(call.kinds):])), kind, fields)


def replaced(function, expr, kinds, named):
    """The kind of a copy of a record in which some fields are others: `s._replace(x=0.0)`, `dataclasses.replace(p, b=b)`."""
    kind = kinds[0] if len(kinds) == 1 else None
    if not isinstance(kind, Parts) or not named.keys() <= set(kind.keys):
        return None
    if function is None:
        asked = isinstance(expr.func, gast.Attribute) and expr.func.attr == '_replace'
        plain = asked and fields_of_named(kind.form) == kind.keys
    else:
        plain = function is dataclasses.replace and dataclasses.is_dataclass(kind.form) and is_plain_dataclass(
            kind.form, kind.keys)
    return kind._replace(kinds=tuple([named.get(key, part) for key, part in zip(kind.keys, kind.kinds)])) if plain else None


def is_given_function(call):
    """Whether what is called calls something else: `sorted(xs, key=f)`."""
    return any(k.arg == 'key' for k in call.keywords)


def not_negative(test):
    """(the names of numbers that are not negative where a test holds, those where it does not): no text compares complex
    numbers, and nan has powers as other numbers have."""
    if not isinstance(test, gast.Compare) or len(test.ops) > 1:
        return frozenset(), frozenset()
    left, right, op = test.left, test.comparators[0], test.ops[0]
    if isinstance(right, gast.Name):
        left, right, op = right, left, MIRRORED.get(type(op), gast.Eq)()
    bound = registry.literal(right)
    if not isinstance(left, gast.Name) or not bound or type(bound[0]) not in (int, float) or not bound[0] >= 0:
        return frozenset(), frozenset()
    name = frozenset([left.id])
    return (name if isinstance(op, (gast.Gt, gast.GtE)) else frozenset(),
            name if isinstance(op, (gast.Lt, gast.LtE)) else frozenset())


def may_change(kind):
    """Whether a value of this kind may be given other parts."""
    if isinstance(kind, OneOf):
        return any(map(may_change, kind.kinds))
    return isinstance(kind, Parts) and not kind.own and (not issubclass(kind.form, tuple) or any(map(may_change, kind.kinds)))


def reshapes(nodes):
    """Whether a text with these nodes may give an array another shape or dtype in place."""
    return any(isinstance(n, gast.Attribute) and n.attr in RESHAPING and (
        isinstance(n.ctx, gast.Store) or n.attr in ('resize', 'setflags')) for n in nodes)


def met(ends):
    """What is known where several paths meet; None where none of them comes there. A path that has not bound a name is none of
    those after which it can be read."""
    ends = [end for end in ends if end is not None]
    if not ends:
        return None
    return {n: joined_all([end[n] for end in ends if n in end]) for n in {n: None for end in ends for n in end}}


def kept_in(tests):
    """Name -> the test that it holds at the ends of all these paths."""
    return {name: test for name, test in tests[0].items() if all(other.get(name) is test for other in tests[1:])}


def list_of(kind, made=Items):
    """The kind of a list, or dict, of the text's with such an element: what changes lists in the rows of a table is not
    followed."""
    deep = isinstance(kind, HELD) and isinstance(kind.element, HELD)
    return made(kind._replace(element=OWN) if deep else kind)


def element(kind):
    """The kind of the elements that a loop over such a value gives."""
    if isinstance(kind, Array) and kind.axes:
        return Array(kind.axes[1:], kind.dtype) if len(kind.axes) > 1 else Number(kind.dtype, False)
    if isinstance(kind, Parts) and kind.kinds and issubclass(kind.form, (list, tuple)):
        return joined_all(kind.kinds)
    return kind.element if isinstance(kind, Items) and kind.element is not EMPTY else None


def indexed(inference, kind, index):
    """The kind of `array[index]`."""
    parts = index.elts if isinstance(index, gast.Tuple) else [index]
    whole = [p for p in parts if not (isinstance(p, gast.Constant) and p.value in (None, Ellipsis))]
    if len(whole) > len(kind.axes) or sum(tree.is_ellipsis(p) for p in parts) > 1:
        return None
    rest, axes = list(kind.axes), []
    for k, part in enumerate(parts):
        if tree.is_ellipsis(part):
            after = sum(not (isinstance(p, gast.Constant) and p.value is None) for p in parts[k + 1:])
            axes, rest = axes + rest[:len(rest) - after], rest[len(rest) - after:]
        elif isinstance(part, gast.Constant) and part.value is None:
            axes.append(1)
        elif isinstance(part, gast.Slice):
            axes.append(cut(inference, rest.pop(0), part))
        elif is_integer(inference.of(part)):
            rest.pop(0)
        else:
            return fancy(inference, kind, parts)
    axes += rest
    return Array(tuple(axes), kind.dtype) if axes else Number(kind.dtype, False) \
        if not any(map(tree.is_ellipsis, parts)) else Array((), kind.dtype)


def fancy(inference, kind, parts):
    """The kind of what arrays of indices of the first axes select, or a mask."""
    indices = [inference.of(part) for part in parts]
    if len(indices) == 1 and isinstance(indices[0], Array) and indices[0].dtype == 'bool':
        rank = len(indices[0].axes)
        return Array((None, *kind.axes[rank:]), kind.dtype) if 0 < rank <= len(kind.axes) else None
    if not all(isinstance(index, (Array, Number)) and index.dtype == 'int64' for index in indices):
        return None
    axes = broadcast([index.axes if isinstance(index, Array) else () for index in indices])
    return Array(axes + kind.axes[len(indices):], kind.dtype) if axes else None


def part_of_list(kind, part):
    """The kind of what a slice with literal ends takes of a list or a tuple."""
    places = literal_slice(part)
    kinds = kind.kinds[places] if places is not None else ()
    return Parts(kinds, list if issubclass(kind.form, list) else tuple) if kinds else None


def literal_slice(part):
    """The slice that stands in brackets, if its ends are literals; else None."""
    ends = [registry.literal(end) if end is not None else [None] for end in (part.lower, part.upper, part.step)]
    plain = all(end and type(end[0]) in (int, type(None)) for end in ends) and ends[2] != [0]
    return slice(*(end[0] for end in ends)) if plain else None


def has_slice(index):
    return any(isinstance(part, gast.Slice) for part in getattr(index, 'elts', [index]))


def cut(inference, axis, part):
    """The length of what a slice takes of an axis."""
    if part.step is None and (part.lower is None) != (part.upper is None) and axis is not None:
        count = part.lower if part.upper is None else getattr(part.upper, 'operand', None)
        minus = part.upper is None or isinstance(part.upper, gast.UnaryOp) and isinstance(part.upper.op, gast.USub)
        if minus and isinstance(count, gast.Name) and inference.is_lasting(count.id):
            return Without(axis, (inference.scope, count.id))
    ends = [registry.literal(end) if end is not None else [None] for end in (part.lower, part.upper)]
    reverse = part.step is not None and registry.literal(part.step) == [-1]
    if not all(ends) or part.step is not None and not reverse:
        return None
    low, high = ends[0][0], ends[1][0]
    if low is None and high is None:
        return axis
    if reverse or axis is None or type(low) not in (int, type(None)) or type(high) not in (int, type(None)):
        return None
    if (low or 0) >= 0 and (high is None or high < 0):
        return shorter(axis, (low or 0) - (high or 0))
    return None
