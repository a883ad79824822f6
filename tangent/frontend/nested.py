"""Functions that were found inside others, as callees: what `closures` makes of them."""
import dataclasses
import functools
import inspect
from collections.abc import Mapping

import gast

from tangent.frontend import scopes, tree
from tangent.frontend.resolve import local_names
from tangent.frontend.source import Source
from tangent.runtime.references.table import written_out


@dataclasses.dataclass(frozen=True)
class Settings:
    """What all functions of a derivation are made for; known before the first of them is made.

    in_complex : in complex form
    hints : functions with complex numbers are looked for, see `complexity.look`
    every_loop : loops keep no more than a budget, see `outlined.loops`
    nan_safe : what is known not to take part contributes zero
    typed : types are known before the derivative runs, as for Numba
    facts : code object -> name -> what it holds, see `numba.machine.types_of.facts`
    classes : those whose objects may take part, see `analysis.kinds`
    later : others run between the forward and the backward pass, and may have bound anew by then what is outside
    late : functions of packages that are refused, in forward mode: their calls are, where they are made
    """
    in_complex: bool = False
    hints: bool = False
    every_loop: bool = False
    nan_safe: bool = False
    typed: bool = False
    facts: Mapping = dataclasses.field(default_factory=dict)
    classes: frozenset = frozenset()
    later: bool = False
    late: frozenset = frozenset()


class Shared(dict):
    """What grows while the functions of one derivation are made: library name -> object, and beside it

    nested : the functions found inside others
    converted : (code object, wanted parameters) -> the converted tree and its nested functions
    guards : guards that say what only types can tell, see `aliased_updates.HeldTwice`
    outer : keys (see `analysis.outside`) of what is written outside the functions
    """

    def __init__(self, settings=Settings()):
        super().__init__()
        self.settings, self.nested, self.converted, self.guards = settings, [], {}, []
        self.outer: set = set()

    def nest(self, source, local, wish, captured=()):
        """A function beside one, by a name that means nothing else there; its source is to come."""
        nested = Nested(tree.Names(set(self) | set(source.globals) | local).fresh(wish), captured)
        self[nested.__name__] = nested
        self.nested.append(nested)
        return nested


@dataclasses.dataclass(frozen=True, eq=False)
class NestedSource(Source):
    """A function that was found inside another: its namespace is that of the outermost one.

    values : the values of its positional defaults
    keyword_values : name -> value of its keyword-only defaults
    visible : name -> Nested for the functions it can call
    numbers : parameters that are known to be plain numbers
    is_loop : it runs some iterations of a loop that was taken out (see `checkpointed_loops`)
    apart : objects were taken apart in it (see `normal.objects`)
    given : so were objects that it is given
    copies : it writes into copies of arrays that these hold
    written : the definition as it was written, where it is the outermost one in other words
    tried : what comes around it, where it is what a `try` statement tries (see `outlined.attempts`)
    passive : it is a statement through which no derivative may flow (see `outlined.attempts`)
    decided : the facts by which tests in it were decided (see `kinds.decided`)
    """
    values: tuple = ()
    keyword_values: dict = dataclasses.field(default_factory=dict)
    visible: dict = dataclasses.field(default_factory=dict)
    numbers: frozenset = frozenset()
    is_loop: bool = False
    apart: bool = False
    given: bool = False
    copies: bool = False
    written: gast.FunctionDef | None = None
    tried: object = None
    passive: bool = False
    decided: tuple = ()

    @classmethod
    def of(cls, source, tree, **more):
        """One with the namespace of a Source, and this definition."""
        fields = {f.name: getattr(source, f.name) for f in dataclasses.fields(Source)}
        return cls(**{**fields, 'tree': tree}, **more)

    @classmethod
    def rewritten(cls, source, tree, **more):
        """The Source of the same function in other words."""
        if isinstance(source, cls):
            return dataclasses.replace(source, tree=tree, **more)
        return cls.of(source, tree, values=tuple(source.defaults), keyword_values=dict(source.kwdefaults), **more)

    defaults = property(lambda self: self.values)
    kwdefaults = property(lambda self: self.keyword_values)


class Nested:
    """A function that was found inside another, as a callee.

    source : NestedSource
    captured : names of the variables that it takes as keyword-only arguments
    active : those of them through which a derivative may flow where the function is a value
    carried, wanted : of a loop that was taken out (see `checkpointed_loops`), what goes from one iteration to the next, and
        the places of the parameters that get gradients
    """

    __module__ = 'nested'

    def __init__(self, name, captured):
        self.__name__, self.captured, self.active, self.source = name, captured, set(), None
        self.carried, self.wanted = (), ()

    @functools.cached_property
    def signature(self):
        args = self.source.tree.args
        values = self.source.values or (None,) * len(args.defaults)
        kinds = inspect.Parameter
        first = len(args.posonlyargs) + len(args.args) - len(args.defaults)
        found = []
        for k, a in enumerate(args.posonlyargs + args.args):
            kind = kinds.POSITIONAL_ONLY if k < len(args.posonlyargs) else kinds.POSITIONAL_OR_KEYWORD
            found.append(kinds(a.id, kind, default=values[k - first] if k >= first else kinds.empty))
        found += [kinds(args.vararg.id, kinds.VAR_POSITIONAL)] if args.vararg else []
        found += [kinds(a.id, kinds.KEYWORD_ONLY, default=kinds.empty if d is None else self.source.keyword_values.get(a.id))
                  for a, d in zip(args.kwonlyargs, args.kw_defaults)]
        found += [kinds(args.kwarg.id, kinds.VAR_KEYWORD)] if args.kwarg else []
        return inspect.Signature(found)


def in_use(made, shared, plain):
    """Those of the functions found inside others that the emitted text calls or hands on as they are."""
    wanted, pending = {}, [m.tree for m in made]
    while pending and shared.nested:
        function = pending.pop()
        read = {n for s in function.body for n in tree.names(s, gast.Load)} - local_names(function)
        for nested in shared.nested:
            if nested.__name__ in read and nested not in wanted and shared.get(nested.__name__) is nested:
                wanted[nested] = plain(nested)
                pending.append(nested.source.tree)
    return [wanted[n] for n in shared.nested if n in wanted]


def told_apart(made, shared):
    """Give other names to those of the functions found inside others that are called like what one of all functions has
    captured, or is a global of its module, whose text means that."""
    nested = {n.__name__: n for n in shared.nested if shared.get(n.__name__) is n}
    outside = [nested.keys() & {*m.source.closure, *m.source.globals} & set(tree.names(m.source.tree, gast.Load)) for m in made]
    clash = set().union(*outside) & {n for m in made for n in [m.tree.name, *tree.names(m.tree, gast.Load)]}
    if not clash:
        return
    names = tree.Names(set(shared).union(*(m.source.globals for m in made), *(m.source.closure for m in made), *(
        {n.id for n in tree.walk(m.tree) if isinstance(n, gast.Name)} for m in made)))
    new = {name: names.fresh(name) for name in sorted(clash)}
    for name, other in new.items():
        nested[name].__name__ = other
        shared[other] = shared.pop(name)
    for m, own in zip(made, outside):
        mapping = {name: other for name, other in new.items() if name not in own | local_names(m.tree)}
        m.tree = tree.rename(m.tree, mapping)
        if m.tree.name in mapping and m.source in [n.source for n in nested.values()]:
            m.tree.name = mapping[m.tree.name]
            m.part = m.part._replace(name=m.tree.name)


def note_captures(functions, shared):
    """Note on the functions, for calls that find them when running, which of their variables have a derivative, and that
    they are the user's own, carried along."""
    for nested in shared.nested:
        if nested.__name__ in functions:
            function = functions[nested.__name__]
            function.captures, function.variables, function.carried = nested.active, nested.captured, True


def generates(function):
    """Whether a call of a function, or of one inside another, makes a generator."""
    if isinstance(function, Nested):
        return any(isinstance(n, (gast.Yield, gast.YieldFrom)) for n in scopes.inside(function.source.tree.body))
    return inspect.isgeneratorfunction(written_out(function))
