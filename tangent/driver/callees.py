"""The part of the corridor that a callee walks through: its source, and the twins that are made of it."""
from __future__ import annotations

import inspect
from typing import NamedTuple

import gast

from tangent import errors
from tangent.emit import naming
from tangent.emit.signature import part_of
from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested
from tangent.frontend.source import original, read
from tangent.numba.target import lower
from tangent.runtime.references.table import SUBSTITUTES, is_substitute


class Twin(NamedTuple):
    """Names of the emitted twins, and where the name of their callee is looked up.

    seeded : whether the adjoint takes the gradient of a result; it does not where nothing is returned
    """
    primal: str
    adjoint: str
    lookup: object = None
    seeded: bool = True


def refuse_log(source):
    """Refuse to differentiate a derivative in the log form: what its log holds would not be followed."""
    function = source.function
    logs = any(n.startswith(('_log', '_grads')) for n in function.__code__.co_varnames)
    if logs and isinstance(getattr(function, 'source', None), str):
        raise errors.ReverseNotImplementedError(
            f'{source.name} is a derivative in the log form, for a function with writes, exceptions or generators through '
            'which a derivative flows, and has no derivative itself: write that function without them')


class CalleeCorridor:
    """Twins of callees, made once for each set of active arguments."""

    mode, door = 'reverse', 'grads.adjoint'                             # where rules are registered
    without: type[errors.TangentError] = errors.ReverseNotImplementedError

    def plain(self, function):
        """A function that was found inside another, as it is, for calls through which no derivative flows."""
        return self.made_of(function.source.tree, function.source, part_of(function.__name__, function.source))

    def remake(self, demands, callee):
        """The twins of another callee, which the name of the first denotes by now."""
        return type(self)(self.options, self.facts).pair_for(read(original(callee)), *demands)

    def pair_for(self, source, wanted, written=(), restored=False):
        """The primal and the adjoint of one function, for calls that find them when running."""
        key = source.function, (wanted, written, restored), None
        twin = self.hinted(lambda: self.pair_of(source, wanted, key, None, written, restored))
        made = self.build(twin.primal)
        return made[twin.primal], made[twin.adjoint]

    def twin(self, callee, wanted, s, caller, resolver, written=(), restored=False):
        """The primal and adjoint twins for calls of a user function, with respect to some of its parameters."""
        lookup = resolver.lookup(s.value.func) if not isinstance(callee, Nested) and not is_substitute(callee) else None
        key = callee, (wanted, written, restored), lookup
        if key not in self.twins:
            try:
                self.pair_of(self.callee_source(callee, s, caller), wanted, key, lookup, written, restored)
            except errors.TangentError as error:
                if not str(getattr(callee, '__module__', None)).startswith(('numpy', 'scipy')) or 'scipy' in caller.filename:
                    raise
                raise self.without_rule(callee, s, caller, f'cannot be differentiated ({error})') from None
        return self.twins[key]

    def pair_of(self, source, wanted, key, lookup, written=(), restored=False):
        names = [self.function_name(f'{source.name}_{kind}', source) for kind in ('primal', 'adjoint')]
        self.twins[key] = Twin(*names, lookup, not written or naming.returns(source))
        self.lent[names[1]] = None
        try:
            functions, _ = self.pair(source, wanted, self.twins[key], False, written, restored)
        except errors.TangentParseError as why:
            lower.refuse_log(self.options.target, why)
            shares = any(isinstance(n, gast.Nonlocal) for n in tree.walk(source.tree))
            if shares or written or inspect.isgeneratorfunction(source.function):
                raise                     # only a log form can go back through generators, and what shares state with others
            functions = self.logged_twin(source, wanted, names)
        self.made += functions
        return self.twins[key]

    def callee_source(self, callee, s, caller):
        if isinstance(callee, Nested):
            return callee.source
        try:
            return read(original(SUBSTITUTES.get(callee, callee)))
        except (errors.SourceError, errors.ArgumentTypeError) as error:
            raise self.without_rule(callee, s, caller, f'cannot be read ({error})') from None

    def readable(self, callee, s, caller):
        """What the signature of a callee is read off."""
        return callee if isinstance(callee, Nested) else self.callee_source(callee, s, caller).function

    @classmethod
    def without_rule(cls, callee, s, caller, why):
        name = getattr(callee, '__name__', repr(callee))
        module = getattr(callee, '__module__', None)
        path = f'{module}.{name}' if module else name
        return cls.without(subset.locate(
            s, caller, f'{path} has no rule for {cls.mode} mode and its source {why}; register a rule with '
            f'@tangent.{cls.door}({name})'))
