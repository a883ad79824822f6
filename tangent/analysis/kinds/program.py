"""Kinds from function to function: what callees are called with, and what they give back.

    def f(x, w1, w2):                    layer is called with ('m0', 'm1') and ('m1', 'm2'), and so it is again: one text of
        h = layer(x, w1)                 it does for both. What it gives is said for each call by itself.
        return layer(h, w2)
"""
import dataclasses
import functools
import inspect
import itertools
import sys
import types

import gast

from tangent import errors
from tangent.analysis.kinds.grown import TABLE, borrowed, given_back
from tangent.analysis.kinds.records import fields_of_named, is_plain_dataclass
from tangent.analysis.kinds.values import (
    EMPTY,
    FLOAT,
    HELD,
    PYTHON,
    Array,
    Less,
    Number,
    OneOf,
    Parts,
    Passive,
    are_objects,
    classes_in,
    has_fields,
    join,
    joined_all,
    kind_of,
    shorter,
)
from tangent.frontend import tree
from tangent.frontend.closures.spread import may_be_spread, of_calls, rest_of
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, Lookup, Resolver, resolver_of
from tangent.frontend.source import original, read
from tangent.runtime import facts
from tangent.templates.language import registry

CALLS = 200                 # kinds of calls that are looked at; those of a program that makes more are of no kind
DEPTH = 40                  # calls within calls that are looked at: a function may call itself with ever shorter arrays


class Program:
    """The callees of one function, at any remove.

    signatures : callee -> ((parameter, kind), ...) for what holds of all its calls, in names of axes of its own
    assumed : Lookup of a name -> what it denoted
    borrows : callee -> {parameter that it neither keeps nor gives back: (LIST or TABLE, whether it is changed)}
    lists_made : callee -> whether it gives back a list that it has made, see `grown.given_back`
    left : (callee, kinds of its parameters) -> {parameter: kind of the list that is in it, then}
    spread : (callee, what a call gives for `*args` and `**more`) -> the same with a parameter for each argument, see `plain`
    trusts : whether numbers and arrays that stand outside stay there while the program runs
    last : what `Known.infer` has found last, and of what
    presumes : whether powers of floats are taken for floats
    guesses : callees that give what they are said to give if they are
    checks : whether texts may ask, see `normal.typed.powers`
    """

    def __init__(self, infer, infer_made=lambda *_: None, presumes=False):
        self.infer = infer                       # (source, kinds of parameters, resolver, program) -> Inference
        self.infer_made = infer_made             # the same of an `__init__` -> kinds of attributes, or None
        self.signatures, self.results, self.assumed = {}, {}, {}
        self.borrows, self.left, self.lists_made, self.spread = {}, {}, {}, {}
        self.trusts, self.last, self.depth = True, (), 0
        self.presumes, self.guesses, self.checks = presumes, set(), False

    @functools.cached_property
    def presuming(self):
        """The same program, in which powers of floats are taken for floats."""
        other = Program(self.infer, self.infer_made, True)
        other.assumed = self.assumed
        return other

    def assume(self, resolver, path, found):
        """Remember that a name of the user's was taken for what it denotes."""
        first = path.partition('.')[0]
        if first not in resolver.nested and first not in resolver.methods:
            self.assumed[Lookup(resolver.globals, resolver.cells.get(first), path)] = found

    def distrusted(self, before):
        """Trust no more in what stands outside; whether what was found since, when it was so `before`, was found in trust."""
        if self.trusts:
            self.trusts = False
            self.results.clear()
        return before and any(not callable(found) for found in self.assumed.values())

    def plain(self, callee, call):
        """(callee, call) of one with a parameter for each argument, in the place of one with `*args` or `**more`."""
        rest = rest_of(callee, call.kinds, call.named)
        source = source_of(callee) if rest is not None and is_followed(callee) else None
        if source is None or not may_be_spread(source.tree):
            return callee, call
        key = callee, rest
        if key not in self.spread:
            self.spread[key] = of_calls(source, rest)
        nested, more = self.spread[key]
        named, keywords = ({more.get(n, n): v for n, v in given.items()} for given in (call.named, call.keywords))
        return nested, call._replace(named=named, keywords=keywords)

    def called(self, callee, call):
        """The kind of what the call gives, or None; what it is called with is remembered."""
        callee, call = self.plain(callee, call)
        bound = self.bound(callee, call)
        if bound is None:
            return None
        own, names = renamed(bound)
        known = self.signatures.get(callee)
        self.signatures[callee] = own if known is None else joined(known, own)
        key = callee, own
        if key not in self.results:
            self.results[key] = None, True           # while it calls itself
            self.settle(key)
        found = named_back(self.results[key][0], names)
        if isinstance(found, Parts) and isinstance(callee, Nested) and callee.source.tried is not None:
            found = found._replace(kinds=(*found.kinds[:1], *[join(kind, FLOAT) for kind in found.kinds[1:]]))     # if it fails
        return found

    def settle(self, key):
        """Find out what a callee gives for these kinds, and what is in the lists that it was lent, then."""
        callee, given = key
        left = {p: kind for p, kind in given if isinstance(kind, HELD)}
        for _ in range(3) if len(self.results) < CALLS and self.depth < DEPTH else ():
            self.left[key] = left                    # while it calls itself
            self.depth += 1
            try:
                kind, changes, names, guessed = self.result(callee, given)
            finally:
                self.depth -= 1
            self.results[key] = kind, changes
            self.guesses.update([callee] * guessed)
            if left == (found := {p: names.get(p) for p in left}):
                return
            left = found
        self.left[key] = dict.fromkeys(left)

    def lent(self, callee, call):
        """`id` of an argument of a call that a callee of the user's neither keeps nor gives back, given once or not changed ->
        LIST or TABLE, see `grown.borrowed`."""
        given = [*call.args, *(k.value for k in call.keywords)]
        signature = signature_of(callee) if any(isinstance(a, gast.Name) for a in given) else None
        if signature is None or tree.is_starred(call):
            return {}
        try:
            bound = signature.bind(*call.args, **{k.arg: k.value for k in call.keywords}).arguments
        except TypeError:
            return {}
        borrowed = self.borrowed(callee)
        others = [n.id for a in given if not isinstance(a, gast.Name) for n in tree.walk(a) if isinstance(n, gast.Name)]
        others += [a.id for p, a in bound.items() if isinstance(a, gast.Name) and p not in borrowed]
        changed = [a.id for p, a in bound.items() if isinstance(a, gast.Name) and p in borrowed and borrowed[p][1]]
        names = [a.id for a in given if isinstance(a, gast.Name)]
        return {id(a): borrowed[p][0] for p, a in bound.items() if p in borrowed and isinstance(a, gast.Name)
                and a.id not in others and (a.id not in changed or names.count(a.id) == 1)}

    def borrowed(self, callee):
        """See `borrows`; of functions that call each other none does more than all of them together do."""
        if callee not in self.borrows:
            source, before = source_of(callee), set(self.borrows)
            found = dict.fromkeys(signature_of(callee).parameters, (TABLE, False)) if source is not None else {}
            called = source and called_in(source)
            while found != self.borrows.get(callee):
                self.borrows = {c: p for c, p in self.borrows.items() if c in before}
                self.borrows[callee] = found
                if source is not None:
                    found = borrowed(source.tree, called, self)
        return self.borrows[callee]

    def gives(self, callee):
        """Whether a callee gives back a list that it has made, see `grown.given_back`; not of one that calls itself."""
        if not isinstance(callee, (types.FunctionType, Nested)) or signature_of(callee) is None:
            return None
        if callee not in self.lists_made:
            self.lists_made[callee] = None
            source = source_of(callee)
            if source is not None:
                self.lists_made[callee] = given_back(source.tree, called_in(source), self)
        return self.lists_made[callee]

    def after(self, callee, call):
        """(name, kind of the list in it), in lengths of the caller's, for lists of the caller's when a call has come back."""
        if not any(isinstance(kind, HELD) for kind in (*call.kinds, *call.named.values())):
            return []
        bound = self.bound(callee, call)
        if bound is None:
            return []
        own, names = renamed(bound)
        given = signature_of(callee).bind(*call.trees, **call.keywords).arguments
        left = self.left.get((callee, own), {})
        return [(given[p].id, named_back(kind, names)) for p, kind in left.items() if isinstance(given[p], gast.Name)]

    def made(self, kind, call):
        """The kind of what the call of a class makes, whose objects are what `__init__` binds of them; or None."""
        if not is_made_by_init(kind):
            return None
        bound = self.bound(kind.__init__, call._replace(kinds=[None, *call.kinds]))
        if not bound or not bound[1:]:
            return None
        if dataclasses.is_dataclass(kind):
            keys, parts = zip(*bound[1:])
            return Parts(parts, kind, keys) if is_plain_dataclass(kind, keys) else None
        own, names = renamed(bound)
        key = kind, own
        if key not in self.results:
            self.results[key] = None                  # while it makes another of its kind
            self.results[key] = self.initial(kind, own) if len(self.results) < CALLS else None
        return named_back(self.results[key], names)

    def initial(self, kind, bound):
        """The kind of an object that has just been made."""
        source = source_of(kind.__init__)
        resolver = Resolver(source) if source is not None else None
        fields = self.infer_made(source.tree, dict(bound), resolver, self) if source is not None else None
        told = fields and not any(hasattr(kind, name) for name in fields)
        return Parts(tuple(fields.values()), kind, tuple(fields)) if told else None

    def changes(self, callee, call):
        """Whether the callee may change a container that it is given in this call, for all that is known."""
        if isinstance(callee, type):
            return fields_of_named(callee) is None and self.made(callee, call) is None
        callee, call = self.plain(callee, call)
        bound = self.bound(callee, call)
        return bound is None or self.results.get((callee, renamed(bound)[0]), (None, True))[1]

    def result(self, callee, bound):
        """(the kind of what it gives, whether it may change a container that it is given, what holds of its names, whether that
        takes powers of floats for floats)."""
        source = source_of(callee)
        if source is None:
            return None, True, {}, False
        resolver = Resolver(source, None, getattr(source, 'visible', {}))
        return self.infer(source.tree, dict(bound), resolver, self)

    def bound(self, callee, call):
        """(parameter, kind) for each parameter of a callee, or None if it is none that can be looked into."""
        signature = signature_of(callee)
        if signature is None:
            return None
        try:
            bound = signature.bind(*call.kinds, **call.named)
        except TypeError:
            return None
        given = bound.arguments
        return tuple([(p.name, given[p.name] if p.name in given else kind_of(p.default) if type(p.default) in PYTHON else None)
                      for p in signature.parameters.values()])

    def fitting(self, callee, call):
        """What the text of a callee may take for granted of the kinds of its parameters in this call."""
        known, bound = self.signatures.get(callee), self.bound(callee, call)
        if known is None or bound is None or joined(known, renamed(bound)[0]) != known:
            return ()
        return tuple([(p, kind) for p, kind in known if kind is not None])


def is_made_by_init(kind):
    """Whether objects of a class are what its `__init__`, a function, makes of new ones."""
    frozen = dataclasses.is_dataclass(kind) and kind.__dataclass_params__.frozen
    return type(kind) is type and has_fields(kind) and kind.__new__ is object.__new__ and isinstance(
        kind.__init__, types.FunctionType) and (frozen or kind.__setattr__ is object.__setattr__)


def source_of(callee):
    """The source of a callee, or None."""
    if isinstance(callee, Nested):
        return callee.source
    try:
        return read(original(callee))
    except errors.TangentError:
        return None


def called_in(source):
    """From what a call in a function calls to what that is, None where it is not known."""
    resolver = resolver_of(source)
    return lambda expr: None if resolver(expr) is UNKNOWN else resolver(expr)


def signature_of(callee):
    """The signature of a function of the user's with a parameter for each argument, or None."""
    if not is_followed(callee):
        return None
    signature = callee.signature if isinstance(callee, Nested) else inspect.signature(callee, follow_wrapped=False)
    several = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    return None if any(p.kind in several for p in signature.parameters.values()) else signature


def is_followed(callee):
    """Whether it is a function of the user's without a rule, which runs when it is called."""
    if isinstance(callee, Nested):
        return True
    return isinstance(callee, types.FunctionType) and not facts.in_library(callee) and registry.lookup(callee) is None \
        and facts.home(callee) not in sys.stdlib_module_names \
        and not inspect.isgeneratorfunction(callee) and not inspect.iscoroutinefunction(callee)


def with_axes(kind, name):
    """The kind with other names for its axes."""
    if isinstance(kind, Array):
        return Array(tuple([renamed_axis(axis, name) for axis in kind.axes]), kind.dtype)
    if isinstance(kind, Number):
        return kind._replace(axis=renamed_axis(kind.axis, name))
    if isinstance(kind, (Parts, OneOf)):
        lists = isinstance(kind, Parts) and kind.form is tuple          # who has an object may change what it holds
        return kind._replace(kinds=tuple([with_axes(part, name) if lists or not isinstance(part, HELD) else None
                                          for part in kind.kinds]))
    if isinstance(kind, HELD):
        return kind if kind.element is EMPTY else kind._replace(element=with_axes(kind.element, name))
    return kind if isinstance(kind, Passive) else None


def renamed_axis(axis, name):
    if isinstance(axis, Less):
        return Less(name(axis.axis), axis.fewer)
    return name(axis) if isinstance(axis, str) else axis


def renamed(bound):
    """The kinds with names of axes in the order in which they come, and old name -> new name."""
    names: dict = {}
    name = lambda axis: names.setdefault(axis, f'{"2" * axis[0].isdigit()}m{len(names)}')  # noqa: E731
    return tuple([(p, with_axes(kind, name)) for p, kind in bound]), names


def named_back(kind, names):
    """The kind with the names of axes that `renamed` found."""
    back = {new: old for old, new in names.items()}
    return with_axes(kind, lambda axis: back.get(axis, axis))


def joined(left, right):
    """What is known of a call that may be one or the other: axes have one name where they have one in both."""
    pairs: dict = {}
    return tuple([(p, paired(a, b, pairs)) for (p, a), (_, b) in itertools.zip_longest(left, right)])


def paired(left, right, pairs):
    if isinstance(left, Parts) and isinstance(right, Parts) and len(left.kinds) == len(right.kinds) and left[1:] == right[1:]:
        return left._replace(kinds=tuple([paired(a, b, pairs) for a, b in zip(left.kinds, right.kinds)]))
    if are_objects(left, right):
        ours, theirs = ({kind.form: kind for kind in classes_in(each)} for each in (left, right))
        return joined_all([paired(ours[form], theirs[form], pairs) if form in ours and form in theirs else with_axes(
            kind, functools.partial(alone, pairs, form in theirs)) for form, kind in {**ours, **theirs}.items()])
    if isinstance(left, Array) and isinstance(right, Array) and left.dtype == right.dtype and len(left.axes) == len(right.axes):
        return Array(tuple([paired_axis(a, b, pairs) for a, b in zip(left.axes, right.axes)]), left.dtype)
    return join(left, right)


def alone(pairs, is_right, axis):
    """The name of a length that stands in one of two only."""
    return pairs.setdefault((None, axis) if is_right else (axis, None), f'{"2" * axis[0].isdigit()}m{len(pairs)}')


def paired_axis(left, right, pairs):
    """One length for two: a name of its own for each pair of lengths that have names."""
    if isinstance(left, Less) and isinstance(right, Less) and left.fewer == right.fewer:
        return shorter(paired_axis(left.axis, right.axis, pairs), left.fewer)
    if left == right and isinstance(left, int):
        return left
    if not all(isinstance(axis, (int, str)) and axis != 1 for axis in (left, right)):
        return None
    short = any(isinstance(axis, int) or axis[0].isdigit() for axis in (left, right))
    return pairs.setdefault((left, right), f'{"2" * short}m{len(pairs)}')
