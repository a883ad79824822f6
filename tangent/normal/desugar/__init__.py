"""Desugar: what Python has shorter words for is written out in longer ones, before anything is differentiated.

    y = sum(w * x for x in xs)       total = 0                         while (c := f(x)) > 1:         while True:
                                     for x in xs:                          x = c                          c = f(x)
                                         total = total + w * x    ;                              ->       if not c > 1:
                                     y = total                                                                break
                                                                                                          x = c

Comprehensions become loops where a derivative may flow through them, assignments inside expressions become statements
wherever they stand, `match` becomes `if`, and an `else` of a loop becomes an `if` behind it. What was evaluated first still
is. Every statement made here stands for a line of the user's (its origin). Statements such as `try` and `with` stay;
what is in their blocks is written out like the rest.

Enters: a function as it was written. Leaves: the same in fewer kinds of statements. May import: what `normal` may.
Start with: `desugar` below, which lists the steps; then `lower`.
"""
import types
from collections.abc import Mapping
from typing import NamedTuple

import gast

from tangent.analysis.activity import Activity, Links, Sources, activity, by_name, each
from tangent.analysis.alias import Aliases
from tangent.emit.library import Library, find
from tangent.frontend import tree
from tangent.frontend.resolve import Resolver, imported, local_names
from tangent.normal.desugar.chains import one_by_one
from tangent.normal.desugar.heaps import with_places
from tangent.normal.desugar.keys import with_keys
from tangent.normal.desugar.loops import calls_until, in_order, in_parts, is_of_python, numbered_outside, without_else, yielding
from tangent.normal.desugar.lower import COMPREHENSIONS, Lower
from tangent.normal.desugar.match import without_match
from tangent.normal.desugar.order import looked_up, ordered
from tangent.normal.desugar.outer import held_outer
from tangent.normal.desugar.own_views import own_views
from tangent.normal.desugar.simple import (
    by_operators,
    by_position,
    loose_zips,
    numerals,
    of_arrays,
    of_displays,
    plain_methods,
    signatures,
    simple,
    sized,
    undecorated,
    without_flat,
)
from tangent.normal.desugar.targets import bound_apart, bound_together, refuse_stores
from tangent.normal.desugar.writes import with_stores, written_out
from tangent.templates.language.registry import MODULES


class Desugared(NamedTuple):
    """A function with its sugar written out.

    function : the FunctionDef
    names : gives names that are free in it
    resolver : of this tree
    temps : names made here for parts of expressions, which may be folded back
    """
    function: gast.FunctionDef
    names: tree.Names
    resolver: Resolver
    temps: set


class Given(NamedTuple):
    """What is known of parameters.

    numbered : those that hold dicts with numbers for keys
    lent : those that hold lists, dicts and deques which the function changes for its caller -> 'list', 'dict' or 'deque'
    """
    numbered: frozenset = frozenset()
    lent: Mapping = types.MappingProxyType({})


GIVEN = Given()


def desugar(source, function, shared, effects, wrt=None, nested=None, logged=False, given=GIVEN):
    """The function as a Desugared.

    Parameters
    ----------
    source : Source
    function : gast.FunctionDef
        Its statements have origins (see `normal.placed`).
    shared : dict
        Gets the run-time helpers that the text uses: name -> object.
    effects : Effects
    wrt : iterable of str, optional
        Names from which derivatives flow; by default all names do.
    nested : dict, optional
        Names of functions that were found inside others (see `closures`).
    logged : bool
        It is for the log form, which has no adjoint for a starred target or `**` in a dict.
    given : Given
    """
    local = local_names(function)
    names = tree.Names(local | tree.all_names(function) | {function.name})
    imports = imported(function, source)
    nested = {**imports, **(nested or {})}
    shared.update({name: thing for name, thing in imports.items() if name not in shared})
    resolver = Resolver(source, local, nested)
    library = Library(names, resolver, shared)
    function = numerals(sized(function, resolver, library), names, resolver, library, effects, wrt)
    body = without_else(without_match(function.body, names, resolver, library, source), names)
    body = by_operators(calls_until(numbered_outside(body, resolver), names, resolver), names, resolver)
    if logged:
        body = yielding(undecorated(body, names), names, lambda e: is_of_python(e, resolver))
        body = in_parts(body, names, resolver)
    body = simple(in_order(body, resolver, library), set(tree.names(function, gast.Store)))
    function, temps = one_by_one(tree.replace(function, body=body), names, effects.acting)
    body = function.body if logged else bound_together(function, names, temps, resolver, effects)
    body = bound_apart(body, names, temps, logged)
    function = without_flat(tree.replace(function, body=body), resolver, source)
    function = by_position(loose_zips(function, resolver), resolver, source)
    body = ordered(function, names, resolver, library, effects, source).body
    function = signatures(own_views(tree.replace(function, body=body), resolver, library), resolver, library)
    function = with_keys(plain_methods(of_arrays(function, resolver), resolver), resolver, library, given.numbered)
    function = held_outer(function, source, names, resolver, effects, shared)
    flow = first_guess(function, resolver, wrt, effects)
    if not logged and not shared.settings.typed and (placed := with_places(function, names, resolver, library, flow.flows)):
        function, flow = placed, first_guess(placed, resolver, wrt, effects)
    function = of_displays(function, resolver, library, flow.flows)
    lower = Lower(function, names, resolver, flow, library, logged, source, effects)
    lower.temps |= temps
    dicts_lent = {p for p, kind in given.lent.items() if kind == 'dict'}
    lower.dicts |= dicts_lent
    lower.lists |= given.lent.keys() - dicts_lent
    function = tree.replace(function, body=lower.block(function.body))
    function = looked_up(function, names, resolver, library, effects, source)
    refuse_stores(function, source)
    if not logged:
        function = tree.replace(function, body=written_out(function.body, resolver, names))
    if not logged and not shared.settings.typed:
        function = with_stores(function, names, resolver, dicts_lent)
    known = {new: find(name) for name, new in library.given.items() if name not in MODULES}
    return Desugared(function, names, Resolver(source, local_names(function), {**nested, **known}), lower.temps)


def first_guess(function, resolver, wrt, effects):
    """Where a derivative may flow in what is to be written out.

    Where there are comprehensions, names that may hold the same count as one: it is not asked again which of these have a
    derivative, and in `self.q = same(seq)` what is written into by another name of `seq` may have one there, too.
    """
    known = by_name(function, resolver, wrt, effects)
    if wrt is None or not any(isinstance(n, COMPREHENSIONS) for n in tree.walk(function)):
        return known
    links = Links(Sources(resolver), Aliases(function, resolver, effects), each, inner=True)
    found = activity(function, wrt, links, tree.names(function.args, gast.Param), shared=True)
    return Activity(known.sources, known.varied | found.varied, known.useful | found.useful)
