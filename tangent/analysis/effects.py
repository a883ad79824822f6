"""Effects of callees: into which of its arguments may a user function write?

Read off its source, and the sources of what it calls. A function whose source cannot be read is taken to write nothing,
except for those of NumPy and the standard library that are known to.
"""
from __future__ import annotations

import collections
import dataclasses
import functools
import inspect
import os
import re
import types
import weakref

import gast
import numpy as np

from tangent.analysis import outside
from tangent.analysis.activity import Links, Sources, linked
from tangent.analysis.alias import READERS, Aliases
from tangent.analysis.array_accesses import array_like, axes_of, taken_whole, write_of
from tangent.analysis.dataflow.solve import closure
from tangent.analysis.fences.lazy import Lazy, Parted, gone_through_again, is_iterator
from tangent.analysis.kinds import classes, methods, special
from tangent.analysis.kinds.participants import Overridden
from tangent.errors import TangentError
from tangent.frontend import dependencies, tree
from tangent.frontend.dependencies import remembered
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, Resolver, imported, local_names
from tangent.frontend.scopes import caught, free, functions_in, inside
from tangent.frontend.source import Source, is_derivative, original, read, takes_from_tape, uncompiled
from tangent.runtime import facts
from tangent.runtime.references import table
from tangent.templates.language import registry

# what they call is all of the compiler
COMPILING = 'tangent.checkpoint.checkpointed', 'tangent.driver.', 'tangent.interfaces.grad'


HERE = os.path.dirname(os.path.dirname(__file__))
ROUNDS = 8               # at most: what is said of functions that call each other only grows


@dataclasses.dataclass(frozen=True)
class Effect:
    """What a function does with its parameters, told by their names.

    writes, updates : those it writes into, and those it updates by `x += v`
    unsure : those it gives to functions that are known only when running
    aliased : those it updates under another name, as `y` in `y = np.asarray(x); y += v`
    deep : those of which it writes into something that they hold
    whole : those of which it takes more than elements
    kept : those that are held by its value, or by anything else, when it is done; None where that is not known
    axes : parameter -> how many indices its text uses for an element
    arrays : names that its text treats as arrays; not `*a` and `**k`, which hold many
    outside : what it does outside of itself
    raises : whether it raises exceptions that carry values
    iterator : whether it may return an iterator that has a list in its place
    again : those that it may go through more than once, or take one value from
    partly : those, and others of which it may leave some
    parted : those of which forward mode would leave some tangents behind
    twice : whether two parts of its value may be, or hold, one thing that it has made
    array : whether its value surely is an array, or a number
    new : whether that is an array of its own, which nothing else has or holds
    read : whether its text could be read
    joined : parameters that may hold the same, or one the other, when it is done, as frozensets
    summed : those of which it has a sum or a product, which holds what they hold where they are lists, or which NumPy's
        functions take for arrays
    """

    writes: tuple = ()
    updates: tuple = ()
    unsure: tuple = ()
    deep: tuple = ()
    kept: frozenset | None = None
    axes: dict = dataclasses.field(default_factory=dict)
    arrays: frozenset = frozenset()
    outside: outside.Outside = dataclasses.field(default=outside.NOTHING, compare=False)     # its places are trees
    raises: bool = False
    iterator: bool = False
    again: frozenset = frozenset()
    partly: frozenset = frozenset()
    parted: frozenset = frozenset()
    twice: bool = False
    array: bool = False
    new: bool = False
    aliased: frozenset = frozenset()
    whole: frozenset = frozenset()
    read: bool = True
    joined: frozenset = frozenset()
    summed: frozenset = frozenset()


OF_CONTAINERS = READERS.union(dir(list), dir(dict), dir(collections.deque))
# Modules of the standard library whose functions handle texts, times and the like, and call nothing that they are given
TEXTUAL = frozenset('''re warnings logging string textwrap posixpath ntpath os pathlib linecache locale time datetime traceback
    fnmatch glob platform unicodedata calendar uuid hashlib base64'''.split())
SUBSTITUTING = frozenset([re.sub, re.subn])                              # but for these, where they get a function
SILENT, UNREAD, BEGUN = Effect(), Effect(read=False), Effect(kept=frozenset())
# Found by the rules of a version of the registry:
INSTALLED: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()      # function of a library that others stand on -> Effect
SETTLED: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()        # function -> (sight, writers, acted) -> Settled
_rules = [None]


@dataclasses.dataclass
class Settled:
    """An Effect, what it was read off, and when that was last looked at."""
    effect: Effect
    age: int
    notes: dependencies.Notes


def installed():
    """The table of functions of libraries, whose text does not change; empty again when a rule has been registered."""
    if _rules[0] != registry.version():
        INSTALLED.clear()
        SETTLED.clear()
        _rules[0] = registry.version()
    return INSTALLED


class Table(dict):
    """(sight, writers, acted) -> Settled, of a function that we write: it holds its own, which dies with it.

    A copy of that function, or what is wrapped around it, may hold that of the other; one that was pickled holds an empty one.
    """
    version, whose = None, staticmethod(lambda: None)

    def __reduce__(self):
        return Table, ()


def table_of(function):
    """The Table of a function, or what stands for it."""
    installed()
    if not is_written(function):
        return SETTLED.setdefault(function, {})
    table = function.__dict__.get('settled')
    if table is None or table.version != _rules[0] or table.whose() is not function:
        table = function.__dict__['settled'] = Table()
        table.version, table.whose = _rules[0], weakref.ref(function)
    return table


def is_written(function):
    """Whether we have written a function, whose text is the one that is read wherever it is met."""
    held = function.__dict__
    return 'source' in held and 'variants' not in held and 'written_out' not in held


class Effects:
    """Which arguments of a call are written into: asked as `effects(function, call)`."""

    def __init__(self, facts=types.MappingProxyType({}), sight=frozenset(), writers=None, acted=None):
        self.facts = facts                     # code -> kinds of its parameters
        self.sight = sight                     # see `Source`
        self.writers, self.acted = writers, acted      # what `writing` and `acting` give, where they do not ask the classes
        self.known, self.texts = {}, {}        # function -> Effect, and whether it can be read
        self.signatures = {}
        self.exact = {}                        # function -> see `kept_exactly`
        self.visited = None                    # functions that were looked at in this round, while one is going on

    @functools.cached_property
    def acting(self):
        """Names of special methods, of classes in sight, that do more than make an object or tell a fact."""
        return acting(self.sight) if self.acted is None else self.acted

    def writing(self, resolver):
        """Names of methods that write although those of arrays, dicts and texts with such names only read."""
        if self.writers is not None:
            return self.writers
        own = resolver.classes - self.sight
        return writing(self.sight if like_containers(own) <= like_containers(self.sight) else self.sight | own)

    def reads(self, name):
        """Whether methods of this name are those of classes in sight alone, and each gives a value, and writes into nothing."""
        if Overridden in self.sight or name in OF_CONTAINERS or registry.method(name) is not None:
            return False
        found = [function for kind in self.sight for n, function in classes.functions(kind) if n == name]
        asked = self.acted is not None                       # what methods do, and nothing is emitted that goes through them
        return bool(found) and all(self.of(f).read and not writes(self.of(f)) and (asked or gives(f)) for f in found)

    def __call__(self, function, call):
        """(arguments written into, arguments updated in place if they are arrays) of a call, as trees."""
        function, call = classes.run_by(uncompiled(function), call)
        ours = facts.is_ours(function) or function is dataclasses.replace
        if function is UNKNOWN or ours or registry.lookup(function) is not None:
            return [], []
        if not isinstance(function, (types.FunctionType, Nested)) or table.written_out(function) is not function:
            return call.args[:1] if facts.of(getattr(function, '__name__', None)).writes else [], []
        if facts.says_what_it_writes(function):
            return call.args[:1], []
        if function in SUBSTITUTING and len(call.args) > 1 and isinstance(call.args[1], (gast.Constant, gast.JoinedStr)):
            return [], []
        if tree.is_starred(call):
            given = [] if facts.in_library(function) else tree.arguments(call)
            return tuple(given if found else [] for found in self.written(function))
        bound = self.bound(function, call)
        return tuple([e for p in found for e in bound.get(p, ())] for found in self.written(function))

    def written(self, function):
        """(parameters written into, parameters updated) of a function."""
        found = self.of(function)
        return found.writes, found.updates

    def unsure_of(self, function, call):
        """Arguments of a call that the function hands to functions which are known only when running."""
        function = uncompiled(function)
        if facts.in_library(function) or registry.lookup(function) is not None or not self.knows(function):
            return []
        unsure = self.of(function).unsure
        if not unsure:
            return []
        bound = self.bound(function, call)
        if not bound:
            return tree.arguments(call)
        return [e for p in unsure for e in bound.get(p, ())]

    def readable(self, function):
        """Whether the source of a function can be read, so that what it writes is known."""
        if function not in self.texts:
            try:
                self.texts[function] = read(original(function)) is not None
            except TangentError:
                self.texts[function] = False
        return self.texts[function]

    def lets_go(self, function, call, arg):
        """Whether an argument of a call is surely not kept: neither by the value nor by anything else."""
        function = uncompiled(function)
        if not isinstance(function, (types.FunctionType, Nested)) or registry.lookup(function) is not None:
            return False
        try:
            bound = signature(function).bind_partial(*call.args, **{k.arg: k.value for k in call.keywords if k.arg}).arguments
            source = source_of(function)
        except (TypeError, ValueError, TangentError):
            return False
        name = next((p for p, e in bound.items() if e is arg), None)
        called = sum(isinstance(n, gast.Call) and isinstance(n.func, gast.Name) and n.func.id == name
                     for n in inside(source.tree.body))
        return name is not None and called == sum(n == name for s in source.tree.body for n in tree.names(s, gast.Load))

    def keeps(self, function, call, arg):
        """Whether what a user function is given for an argument may be held, in whole or in part, when it is done."""
        function = uncompiled(function)
        if not self.knows(function):
            return True
        name = next((p for p, given in self.bound(function, call).items() if any(e is arg for e in given)), None)
        held = self.of(function).kept
        return name is None or held is None or name in held

    def joined(self, function, call, written):
        """Arguments of a call that may be, or hold, what the function writes into when it is done."""
        bound = self.bound(function, call)
        if not bound:
            return [e for e in tree.arguments(call) if written and self.keeps(function, call, e)]
        params = {p for p, given in bound.items() if any(e is w for e in given for w in written)}
        others = set().union(*(both for both in self.of(function).joined if not both.isdisjoint(params)))
        return [e for p, given in bound.items() if p in others for e in given]

    def held(self, function, call, exact):
        """The arguments of a call of a function that its value may hold, in whole or in part: all, where that is not known, or
        where it puts them together. If `exact`, each call in it is asked so in turn."""
        function, every = uncompiled(function), tree.arguments(call)
        starred = tree.is_starred(call)
        if starred or facts.is_ours(function) or facts.in_library(function) or self.acts(function) and (
                exact or not self.keeps_apart(function)):
            return every
        kept, bound = self.kept_exactly(function) if exact else self.of(function).kept, self.bound(function, call)
        return every if kept is None else [e for p, given in bound.items() if p in kept for e in given] if bound else every

    def summed(self, function, call):
        """Parameter -> arguments of a call of a user function which its value may hold if they are lists."""
        function = uncompiled(function)
        if not self.knows(function):
            return {}
        summed = self.of(function).summed
        return {p: given for p, given in self.bound(function, call).items() if p in summed}

    def kept_exactly(self, function):
        """The parameters that a function, which acts on nothing, hands on, where each call in it is asked what it hands on."""
        if function not in self.exact:
            source, params = source_of(function), frozenset(signature(function).parameters)
            self.exact[function] = params                                       # for a function that calls itself
            text = self.text_of(source, self.facts.get(getattr(function, '__code__', None), {}), exact=True)
            if params.issuperset(text[2]):                                      # else it is that of what is decorated
                self.exact[function] = frozenset(kept(*text, self))
        return self.exact[function]

    def gives_array(self, function):
        """Whether a user function surely gives an array, or a number."""
        function = uncompiled(function)
        return isinstance(function, (types.FunctionType, Nested)) and not facts.is_ours(function) and self.of(function).array

    def gives_new(self, function):
        """Whether a user function surely gives an array that it has made, and that nothing else has."""
        function = uncompiled(function)
        return isinstance(function, (types.FunctionType, Nested)) and not facts.is_ours(function) and self.of(function).new

    def handed_over(self, function, resolver):
        """Names that are given to user functions which treat them as arrays."""
        found = set()
        for call in (n for s in function.body for n in tree.walk(s)):          # not those that decorate it
            callee = uncompiled(resolver(call.func)) if isinstance(call, gast.Call) else UNKNOWN
            if isinstance(callee, (types.FunctionType, Nested)) and self.knows(callee):
                found |= {e.id for p, given in self.bound(callee, call).items() for e in given
                          if isinstance(e, gast.Name) and p in self.of(callee).arrays}
        return found

    def bound(self, function, call):
        """Parameter -> arguments of a call: many for `*a` and `**k`, one for others; empty if the call does not fit."""
        try:
            if function not in self.signatures:
                self.signatures[function] = signature(function)
            return by_parameter(self.signatures[function].bind(*call.args, **{k.arg: k.value for k in call.keywords if k.arg}))
        except (TypeError, ValueError):
            return {}

    def acts(self, function):
        """Whether a user function may write into anything that others see; True for one whose text cannot be read."""
        done = self.of(function)
        return not done.read or bool(done.writes or done.updates or done.unsure or done.outside.stores)

    def keeps_apart(self, function):
        """Whether a user function that writes into what it is given surely puts nothing of that into something else of it."""
        done = self.of(function)
        return done.read and not (done.unsure or done.outside.stores or done.joined)

    def gives_iterator(self, function):
        """Whether a user function may return an iterator, of the kind that derivatives go through at once."""
        return not facts.in_library(function) and self.of(function).iterator

    def again(self, function, wholly=False):
        """Names of the parameters that a user function may go through more than once, or take one value from; `wholly`: or of
        which it may leave some."""
        if not self.knows(function):
            return frozenset()
        return self.of(function).partly if wholly else self.of(function).again

    def parted(self, function):
        """Names of the parameters of a user function which, where they are iterators, may be left by the values alone."""
        plain = isinstance(uncompiled(function), (types.FunctionType, Nested)) and not facts.in_library(function)
        return self.of(function).parted if plain else frozenset()

    def gives_twice(self, call, resolver):
        """Whether two parts of what a call gives may be, or hold, one thing that is made there."""
        function, name = uncompiled(resolver(call.func)), getattr(call.func, 'attr', None)
        if isinstance(function, (types.FunctionType, Nested)) and not facts.in_library(function):
            found = self.of(function)
            return found.twice or not found.read
        if facts.is_helper(function, 'zero_tangent', 'zero_directions'):               # as its argument may
            return True
        return function is UNKNOWN and name not in OF_CONTAINERS and registry.method(name or '') is None

    def knows(self, function):
        function = uncompiled(function)
        return isinstance(function, (types.FunctionType, Nested)) and self.of(function).read

    def of(self, function):
        """The Effect of a function."""
        function = uncompiled(function)
        if function in self.known:
            return self.known[function]
        if not self.facts and isinstance(function, types.FunctionType) and function in installed():
            return INSTALLED[function]
        if registry.lookup(function) is not None or getattr(function, '__module__', None) == 'tangent.interfaces.grad' \
                or table.chosen(function, None, ())[0] is not function or is_textual(function):
            return SILENT
        if not self.facts and self.sight and stands_below(function):      # no class in sight is known there
            return Effects(writers=self.writers, acted=self.acted).of(function)
        if self.visited is not None and function in self.visited:
            return self.visit(function)
        if (found := self.recalled(function)) is not None:
            self.known[function] = found
            return found
        if self.visited is None:
            self.settle(function)
            return self.known[function]
        return self.visit(function)

    def recalled(self, function):
        """The Effect that was found before, by others who see the same classes, if nothing that it was read off has changed."""
        entry = table_of(function).get((self.sight, self.writers, self.acted)) if self.stays(function) else None
        if entry is None or entry.age != dependencies.AGE[0] and entry.notes.moved(whole=True):
            return None
        entry.age = dependencies.AGE[0]
        dependencies.note_all(entry.notes)
        return entry.effect

    def stays(self, function):
        """Whether what is found of a function is of use to others: a closure is made anew again and again, but for those that
        we write."""
        return not self.facts and isinstance(function, types.FunctionType) \
            and (not function.__closure__ or is_written(function))

    def settle(self, function):
        """Read a function and all that it calls, each once; again while functions that call each other tell more of it."""
        self.estimates = {}
        with dependencies.noting() as notes:
            for _ in range(ROUNDS):
                self.visited, self.done, self.cyclic, self.changed = set(), set(), False, False
                self.exact = {}
                self.visit(function)
                if not (self.cyclic and self.changed):
                    break
        self.visited, self.exact = None, {}
        self.known.update(self.estimates)
        for f, e in self.estimates.items():
            if self.stays(f):
                table_of(f)[self.sight, self.writers, self.acted] = Settled(e, dependencies.AGE[0], notes)
        if not (self.facts or self.sight or self.writers or self.acted):
            installed().update((f, e) for f, e in self.estimates.items() if stands_below(f))

    def visit(self, function):
        """What a function writes, as far as is known in this round."""
        before = self.estimates.setdefault(function, BEGUN)
        if function in self.visited:
            self.cyclic |= function not in self.done
            return before
        self.visited.add(function)
        found = self.estimates[function] = self.read(function)
        self.changed |= before != found
        self.done.add(function)
        return found

    def read(self, function):
        if takes_from_tape(function) or str(getattr(function, '__module__', None)).startswith(COMPILING):
            return UNREAD
        try:
            source = source_of(function)
        except TangentError:
            return UNREAD
        if not isinstance(source, Source):           # of a function inside, which is being looked at
            return UNREAD
        return self.of_source(source, self.facts.get(getattr(function, '__code__', None), {}))

    def of_source(self, source, kinds=types.MappingProxyType({})):
        """The Effect of a function with this source."""
        function, aliases, families, arrays = self.text_of(source, kinds)
        resolver, params = aliases.resolver, list(families)
        given = {n for s in function.body for call in tree.walk(s) if isinstance(call, gast.Call)
                 for n in aliases.by_unknown(call)}
        fresh = {*params[:1]} - aliases.deep if function.name == '__init__' else ()       # a write into that is seen by nobody
        options = function.args.kwarg                                       # of which Python makes one for each call
        own = {options.id} - aliases.deep if options is not None else ()
        copies = copies_of_its_own(function, aliases)
        writes, updates = ([p for p in params if any(
            n in families[p] and (n not in own or not is_shallow(s, n) if n == p else n not in fresh) and n not in copies(s)
            for s, n in found)]
            for found in (aliases.writes, aliases.updates))
        exact = self.text_of(source, kinds, exact=True)[1] if updates else aliases
        updates = [p for p in updates if any(n in exact.family(p) | {p} for _, n in exact.updates)]
        handled = caught(function)
        errors = [thrown(n, resolver) for s in function.body for n in tree.walk(s)]
        raises = any(carried(e) or is_object(e, handled, resolver) for e in errors) \
            or any(self.of(f).raises for f in called(function, resolver) if self.knows(f))
        lazy = Lazy(resolver, self)
        returned = [n.value for n in tree.every(function.body) if isinstance(n, gast.Return)]
        return Effect(
            tuple(writes), tuple(updates), tuple(p for p in params if not families[p].isdisjoint(given)),
            tuple(p for p in params if not families[p].isdisjoint(aliases.deep)),
            frozenset(kept(function, aliases, families, arrays, self)),
            {p: n for p in params if (n := axes_of(source.tree, p)) is not None} | axes(kinds),
            frozenset(arrays), outside.of(source, function, aliases), raises,
            any((lazy(value) or is_iterator(value, resolver)) and not lazy.is_view(value) for value in returned),
            gone_through_again(function, resolver, self), gone_through_again(function, resolver, self, True),
            Parted(function, dict.fromkeys(params, 2), resolver, self).names_left(is_derivative(source.function)),
            any(holds_twice(value, aliases, self) for value in returned),
            bool(returned) and not is_generator(function) and all(e is not None and aliases.is_array(e) for e in returned),
            bool(returned) and all(e is not None and is_new(e, function, aliases, self) for e in returned),
            frozenset(p for p in updates if not (exact.family(p) | {p}).isdisjoint(self.updated_apart(p, exact))),
            frozenset(taken_whole(function, resolver, self)) if writes else frozenset(params),
            joined=joined(function, aliases, params) if writes or updates else frozenset(),          # nothing else asks
            summed=summed(families, aliases, self))

    def beside(self, function, lent, lending):
        """What the `Done` says of a function that is lent some of its parameters."""
        text, aliases, families, _ = self.text_of(source_of(function), {}, lent=lent, lending=lending)
        found = {n for s, n in aliases.writes + aliases.updates if n not in lent and not lending.writes_row(s, lent)}
        written = frozenset(p for p, names in families.items() if not found.isdisjoint(names))
        put = set().union(*(families[p] for p in lent)).intersection(families)
        links = Links(Sources(aliases.resolver), aliases)
        forward, _, world = linked(text, links, links.results(text))
        reached = {q: closure([q], forward) for q in families}
        return frozenset(put), written, {p: frozenset(q for q, names in reached.items() if world or p in names)
                                         for p in {*written, *lent}}

    def text_of(self, source, kinds, exact=False, lent=(), lending=None):
        """(the function, its Aliases, parameter -> names that may hold what it does, names that it treats as arrays)."""
        source = methods.resolved(source, self.sight)
        known = {**imported(source.tree, source), **getattr(source, 'visible', {})}
        function, _ = bound_anew(source.tree)
        resolver = Resolver(source, local_names(function), known)
        aliases = Aliases(function, resolver, self, kinds, exact, dict.fromkeys(lent, 'dict'), lending)
        families = {p: aliases.family(p) | {p} for p in tree.names(function.args, gast.Param)}
        several = {p.id for p in (function.args.vararg, function.args.kwarg) if p is not None}
        arrays = (array_like(source.tree, resolver) | self.handed_over(source.tree, resolver) | axes(kinds).keys()) - several
        return function, aliases, families, arrays

    def updated_apart(self, parameter, aliases):
        """Names under which a function updates what a parameter holds, but for its own, as that of an array."""
        found = {n for s, n in aliases.updates if isinstance(s, gast.AugAssign) and n != parameter}
        for call in (n for n in aliases.nodes if isinstance(n, gast.Call)):
            callee = uncompiled(aliases.resolver(call.func))
            if isinstance(callee, (types.FunctionType, Nested)) and self.written(callee)[1]:
                bound, apart = self.bound(callee, call), self.of(callee).aliased
                given = [e for p in self.written(callee)[1] for e in bound.get(p, tree.arguments(call))
                         if p in apart or not isinstance(e, gast.Name) or e.id != parameter]
                found = found.union(*map(aliases.handed_on, given))
        return found


def bound_anew(function, fresh=None):
    """(the function with another name for a parameter from where its body binds it anew, which is not what the caller gave,
    {name: parameter}).

        v = np.sin(v)           v' = np.sin(v)
        v[0] = 2.0        ->    v'[0] = 2.0

    fresh : parameter -> a name for a text that is to run, in which only those that are written into need one
    """
    body, others, names = list(function.body), {}, {}
    params = set(tree.names(function.args, gast.Param))
    if params.isdisjoint(n for s in body if isinstance(s, gast.Assign) for n in tree.names(s, gast.Store)):
        return function, others
    texts = {text for s in body for n in tree.walk(s) for text in vars(n).values() if isinstance(text, str)
             and not isinstance(n, (gast.Name, gast.Attribute, gast.keyword, gast.Constant))}      # `case v:`, `import v`
    alone = params.difference(texts, *map(free, functions_in(function)))
    for k, s in enumerate(body):
        targets = s.targets if isinstance(s, gast.Assign) else []
        bound = alone.intersection(n for t in targets for n in tree.names(t, gast.Store))
        if fresh and not bound <= names.keys():
            bound &= names.keys() | {n for inner in tree.every(body[k:]) for n in tree.mutates(inner)}
        later = [e for e in tree.walk(s) if isinstance(e, gast.GeneratorExp)]
        alone = alone.difference(*(tree.names(e, gast.Load) for e in later))
        if bound:
            new = names | {n: fresh(n) if fresh else f"{names.get(n, n)}'" for n in sorted(bound)}
            s = tree.replace(s, value=tree.rename(s.value, names), targets=[tree.rename(t, new) for t in targets])
            names, others = new, others | {new[n]: n for n in bound}
        else:
            s = tree.rename(s, names)
        body[k] = s
    return (tree.replace(function, body=body) if others else function), others


def joined(function, aliases, params):
    """Sets of parameters that may hold the same when a function is done, or one the other."""
    groups = [{p} for p in params]
    for s in tree.every(function.body):
        targets = s.targets if isinstance(s, gast.Assign) else [s.target] if isinstance(s, gast.AugAssign) else []
        owners = set().union(*(aliases.handed_on(t) for t in targets if not isinstance(t, gast.Name)))
        groups += [owners | aliases.handed_on(s.value)] if owners else []
    groups += [owners | parts for n in aliases.nodes if isinstance(n, gast.Call) for owners, parts in [aliases.put(n)] if parts]
    merged: list = []
    for group in groups:
        group = set().union(*map(aliases.origins, group)).intersection(params)
        apart = [other for other in merged if other.isdisjoint(group)]
        merged = [*apart, group.union(*(other for other in merged if not other.isdisjoint(group)))]
    return frozenset(frozenset(group) for group in merged if len(group) > 1)


def summed(families, aliases, effects):
    """Parameters of which a function, or one that it calls, has a sum or a product: lists joined, for all that is known; and
    those of which it has a sine, say, as of an array."""
    found: set = set()
    for n in aliases.nodes:
        if isinstance(n, (gast.BinOp, gast.AugAssign)) and isinstance(n.op, (gast.Add, gast.Mult, gast.BitOr)):
            found |= {e.value if isinstance(getattr(e, 'slice', None), gast.Slice) else e for e in tree.children(n)}
        elif isinstance(n, gast.Call) and isinstance(function := aliases.resolver(n.func), np.ufunc):
            found |= set(n.args)
        elif isinstance(n, gast.Call):
            found = found.union(*effects.summed(function, n).values())
    names = {e.id for e in found if isinstance(e, gast.Name)}
    return frozenset(p for p, family in families.items() if not family.isdisjoint(names))


def copies_of_its_own(function, aliases):
    """Statement -> names of copies (`v = u.copy()`, nothing else) into which it writes and which it changes alone: what they
    hold stays as it is, which may be held by what was copied, too."""
    if any('copy' in vars(kind) for kind in aliases.resolver.sight | aliases.effects.sight):
        return lambda s: ()
    made = {n for n, values in aliases.bound.items() if all(map(tree.is_copy, values))} - aliases.deep

    def own(s):
        target = s.targets[0] if isinstance(s, gast.Assign) else s.target if isinstance(s, gast.AugAssign) else None
        if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
            return ()
        n, at = target.value.id, target.slice
        slices = any(isinstance(part, gast.Slice) for part in (at.elts if isinstance(at, gast.Tuple) else [at]))
        stored = isinstance(s, gast.Assign) and len(s.targets) == 1 or slices
        return (n,) if stored and n in made else ()
    return own


def is_shallow(s, name):
    """Whether a statement changes a dict itself at most, by its items and methods, and neither hands it on nor changes what it
    holds, as `k['a'] *= 2` does."""
    if isinstance(s, gast.AugAssign):
        return False
    nodes = [n for part in tree.header(s) for n in tree.walk(part)]
    owners = [n.value for n in nodes if isinstance(n, gast.Subscript)]
    owners += [n.func.value for n in nodes if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute)]
    return all(any(n is owner for owner in owners) for n in nodes if isinstance(n, gast.Name) and n.id == name)


def is_textual(function):
    """Whether it is a function of the standard library's that writes into nothing that it is given, whatever that is."""
    return facts.home(function) in TEXTUAL and function not in SUBSTITUTING


def gives(function):
    """Whether a function that can be read gives a value, and is no generator."""
    text = source_of(function).tree
    returns = any(isinstance(n, gast.Return) and n.value is not None for n in tree.walk_scope(text.body))
    return returns and not is_generator(text)


def is_generator(function):
    return any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in tree.walk_scope(function.body))


@remembered
def acting(kinds):
    """The names, without underscores, of the special methods of these classes that act; see `kinds.special`."""
    getters = {(f'.{n}', f) for kind in kinds for n, f in classes.getters(kind)}

    def acts(name, method):
        done = effects.of(method)
        if name == 'call':                                          # what it hands on may be a function of the user's
            return bool(done.writes or done.outside.stores)
        return done.read and writes(done) or name in special.WHOLE \
            or name in special.COMPARED.values() and not special.tells(method)
    every = classes.specials(kinds, (*special.NAMES, *special.CONTEXT, 'call')) | getters
    found, more = None, frozenset(f'.{n}' for kind in kinds for n in classes.keepers(kind))
    if classes.Far in kinds:                   # any operator may be one of those
        return more.union(special.NAMES, special.CONTEXT, (n for n, _ in every))
    while found != more:                       # what uses one that acts may act, too
        found, effects = more, Effects(sight=kinds, writers=writing(kinds), acted=more)
        more = found | {n for n, method in every if n not in found and (
            acts(n, method) or any(f'.{m}' in found for m in named(method)))}
    return found


@remembered
def like_containers(kinds):
    """{(name, function)} of the methods of these classes that arrays, dicts or texts have by name."""
    return {(n, f) for kind in kinds for n, f in classes.functions(kind) if n in READERS or registry.method(n) is not None}


@remembered
def writing(kinds):
    """The names of methods of these classes that write into something, of those that arrays, dicts or texts have."""
    every = like_containers(kinds)
    found, more = None, frozenset()
    if classes.Far in kinds:
        return frozenset(n for n, _ in every)
    while found != more:                       # what calls one that writes may write, too
        found, effects = more, Effects(sight=kinds, writers=more, acted=frozenset())
        more = found | {n for n, method in every if n not in found and writes(effects.of(method))}
    return found


def writes(done):
    """Whether a function of that Effect may write into anything that others have."""
    return bool(done.writes or done.updates or done.unsure or done.outside.stores)


def named(function):
    """Names of attributes and outer variables in the code of a function."""
    return {n for code in dependencies.codes_of(function.__code__) for n in code.co_names}


def kept(function, aliases, families, arrays, effects):
    """Parameters that a function hands on: those that it returns or that may be in something it writes into."""
    held = put_away(function, aliases, arrays, effects)
    if held is None:
        return set(families)
    returns = [n.value for n in tree.walk(function) if isinstance(n, gast.Return) and n.value is not None]
    found = held.union(*map(aliases.handed_on, returns))
    return {p for p, family in families.items() if found & family}


def put_away(function, aliases, arrays, effects):
    """Names that may be in something that a function writes into; None where that is not known."""
    if any(isinstance(n, (gast.Lambda, gast.FunctionDef, gast.Yield, gast.YieldFrom, gast.Global, gast.Nonlocal))
           for s in function.body for n in tree.walk(s)):
        return None
    held: set = set()
    for s, name in aliases.writes:
        write, calls = write_of(s), calls_writing(s, name, aliases)
        if write is not None and write.name == name:
            held |= set() if name in arrays else aliases.handed_on(write.value)       # an array copies what it is given
        elif calls and all(effects.knows(aliases.resolver(call.func)) for call in calls):
            held |= set().union(*(aliases.handed_on(e) for call in calls for e in tree.arguments(call)
                                  if effects.keeps(aliases.resolver(call.func), call, e)))
        else:
            return None
    return held


def is_new(value, function, aliases, effects):
    """Whether what a function returns surely is an array that it has made, and that nothing else has.

        return np.zeros(n)
        y = np.zeros(n); y[0] = x; return y          where `y` is not put anywhere
    """
    if isinstance(value, gast.Call):
        found = aliases.resolver(value.func)
        plain = not any(k.arg in ('copy', 'out') for k in value.keywords) and not aliases.of_objects(value)
        return plain and aliases.makes_array(value, found) or effects.gives_new(found)
    if not isinstance(value, gast.Name) or not aliases.bound.get(value.id) or aliases.family(value.id) != {value.id}:
        return False
    held = put_away(function, aliases, frozenset(), effects)
    made = all(isinstance(e, gast.Call) and is_new(e, function, aliases, effects) for e in aliases.bound[value.id])
    return made and held is not None and value.id not in held and not any(
        may_keep(call, value.id, aliases, effects) for call in aliases.nodes if isinstance(call, gast.Call))


def may_keep(call, name, aliases, effects):
    """Whether something may have what a name holds when a call with it is done."""
    function = aliases.resolver(call.func)
    if facts.in_library(function) or facts.of(function).reads:
        return False
    return any(name in aliases.handed_on(e) and not (effects.knows(function) and not effects.keeps(function, call, e))
               for e in tree.arguments(call))


def calls_writing(s, name, aliases):
    """The calls in a statement that may write into what has a name; none where the statement itself does."""
    if name in aliases.changed(s):
        return []
    calls = [n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)]
    return [call for call in calls if name in aliases.effect(call, s).names]


def holds_twice(value, aliases, effects, seen=()):
    """Whether two parts of a value, which a function gives back, may be or hold one thing, or have captured it."""
    if isinstance(value, (gast.Tuple, gast.List, gast.Dict)):
        held = value.values if isinstance(value, gast.Dict) else value.elts
        parts = [set().union(*map(aliases.family, aliases.held_by(e) & aliases.resolver.local)) for e in held]
        return any(not a.isdisjoint(b) for k, a in enumerate(parts) for b in parts[:k]) \
            or any(holds_twice(e, aliases, effects, seen) for e in held)
    if isinstance(value, gast.IfExp):
        return holds_twice(value.body, aliases, effects, seen) or holds_twice(value.orelse, aliases, effects, seen)
    if isinstance(value, gast.Name):
        made = [e for e in aliases.bound.get(value.id, ()) if value.id not in seen]
        return any(holds_twice(e, aliases, effects, (*seen, value.id)) for e in made)
    return isinstance(value, gast.Call) and effects.gives_twice(value, aliases.resolver)


def called(function, resolver):
    """The functions of the user's that a function calls by name."""
    found = {uncompiled(f) for s in function.body for n in tree.walk(s) if isinstance(n, gast.Call)
             if isinstance(f := resolver(n.func), (types.FunctionType, Nested))}
    return {f for f in found if not facts.in_library(f)}


def thrown(s, resolver):
    """The exception that a statement may throw: also that of an assertion whose message may have a derivative; else None."""
    if isinstance(s, gast.Raise):
        return s.exc
    call = tree.call('AssertionError', s.msg) if isinstance(s, gast.Assert) and s.msg is not None else None
    return call if call is not None and carried(call) and Sources(resolver)(s.msg) else None


def carried(thrown):
    """Whether an exception that is raised may carry values: not in a message."""
    args = tree.arguments(thrown) if isinstance(thrown, gast.Call) else []
    return any(not isinstance(e, (gast.Constant, gast.JoinedStr)) and not (
        isinstance(e, gast.BinOp) and isinstance(e.left, gast.Constant)) for e in args)


def is_object(thrown, handled, resolver):
    """Whether what is raised is an exception that was made before, and none of those that are handled: whatever it holds."""
    return not isinstance(thrown, (gast.Call, type(None))) and getattr(thrown, 'id', None) not in handled \
        and not isinstance(resolver(thrown), type)


def by_parameter(bound):
    """Parameter -> tuple of what it is given, for BoundArguments: many for `*a` and `**k`, one for others."""
    many = {inspect.Parameter.VAR_POSITIONAL: tuple, inspect.Parameter.VAR_KEYWORD: lambda given: tuple(given.values())}
    return {p: many.get(bound.signature.parameters[p].kind, lambda value: (value,))(given)
            for p, given in bound.arguments.items()}


def axes(kinds):
    """The names that hold arrays, and how many axes these have."""
    return {n: kind for n, kind in kinds.items() if type(kind) is int}


def stands_below(function):
    """Whether a function is written in a file that came with Python, a package that others stand on, or this library, and has
    captured nothing: what a decorator has captured may be the user's, who may bind anew what that calls."""
    plain = isinstance(function, types.FunctionType) and function.__closure__ is None
    path = function.__code__.co_filename if plain else ''
    return dependencies.is_foundation(path) or path.startswith(HERE)


def signature(function):
    return function.signature if isinstance(function, Nested) else inspect.signature(function, follow_wrapped=False)


def source_of(function):
    return function.source if isinstance(function, Nested) else read(original(function))


def surely_stores(function, parameter, depth=0):
    """Whether a function surely stores into what it is given for a parameter, which is no number then; what stands in a loop
    may not run."""
    try:
        source = source_of(function)
    except TangentError:
        return False
    resolver = Resolver(source, None, getattr(source, 'visible', {}))

    def stored_by(call):
        callee = uncompiled(resolver(call.func))
        if depth >= ROUNDS or not isinstance(callee, (types.FunctionType, Nested)) or facts.in_library(callee):
            return False
        given = Effects().bound(callee, call).items()
        places = [p for p, found in given for e in found if getattr(e, 'id', None) == parameter]
        return any(surely_stores(callee, p, depth + 1) for p in places)

    def stored(stmts):
        for s in stmts:
            nodes = [n for part in tree.header(s) for n in tree.walk(part)]
            blocks = [stored(block) for _, block in tree.blocks(s)]
            if any(isinstance(n, gast.Call) and stored_by(n) or stores_into(n, parameter) for n in nodes) \
                    or isinstance(s, gast.With) and blocks[0] \
                    or isinstance(s, gast.If) and s.orelse and all(blocks):
                return True
            if any(isinstance(n, gast.Return) or getattr(n, 'id', None) == parameter and isinstance(n.ctx, gast.Store)
                   for n in tree.walk(s)):
                return False
        return False
    return stored(source.tree.body)


def stores_into(node, name):
    return isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load) and tree.root_name(node) == name
