"""Arrays that are written into under a name which holds one array here and another there: copies of the function's own.

    u = step(u)                    u = step(u)                        for k in range(n):         for k in range(n):
    u[0] = 1.0             ->      u = u.copy()                           w[1:] = u[:-1]   ->        w = w.copy()
                                   u[0] = 1.0                             u, w = w, u                w[1:] = u[:-1]
                                                                                                     u, w = w, u

An array that is made where its name is bound, and bound in one place, has a gradient in place (see `mutated_arrays`); what
another function has given, what paths bring together, and what a loop hands on to its next trip is copied where it is bound.
That changes nothing if no other name is read later that may share its memory there: a question of data flow, asked for pairs
of names. Only for names of which kinds are known: arrays, wherever they are bound. One that a loop updates as a whole behind
where it writes into it stays one array:

    for k in range(n):             for k in range(n):
        u[0] += v          ->          u[0] += v
        u *= 0.5                       u[...] *= 0.5
"""
import itertools

import gast

from tangent.analysis.alias import Aliases
from tangent.analysis.mutated_arrays import KEEPERS, Memory
from tangent.frontend import tree
from tangent.frontend.resolve import SCOPES, UNKNOWN
from tangent.normal.entry import in_place
from tangent.normal.ssa import live_after
from tangent.normal.typed.views import stored_into
from tangent.runtime import facts
from tangent.templates.language import registry

ELSEWHERE = ' elsewhere'         # what may hold an array that has been handed to somebody
COMPOUND = gast.If, gast.For, gast.While, gast.With


def copied(function, kinds, inner, effects, resolver, typed):
    """The FunctionDef with copies of such arrays.

    inner : whether the caller sees what becomes of the arrays that it handed over
    typed : there is no other form: a loop that seldom gives a name another array copies that array on each trip, too
    """
    params = set(tree.names(function.args, gast.Param))
    axes = {n: kind for n, kind in kinds.items() if type(kind) is int and kind > 0}
    arrays = axes.keys() - (params if inner else set())
    if not arrays or any(isinstance(n, SCOPES) for s in function.body for n in tree.walk(s)) \
            or any(any(tree.blocks(s)) and not isinstance(s, COMPOUND) for s in tree.every(function.body)):
        return function
    found = _Definitions(Memory(resolver, Aliases(function, resolver, effects, kinds), axes), effects, arrays, typed)
    found.block(function.body, dict.fromkeys(params, NONE))
    if found.updated:
        return copied(in_place(function, found.updated), kinds, inner, effects, resolver, typed)
    if not found.wanted:
        return function
    live = {}
    live_after(function.body, frozenset(), live)
    pairs = Pairs(found.memory, effects, live, params)
    pairs.block(function.body, frozenset())
    places = {}
    for (s, at), names in found.wanted.items():
        fit = [n for n in sorted(names) if pairs.is_alone(n, (s, at))]
        if fit:
            places.setdefault(s, []).append((at, fit))
    return tree.replace(function, body=with_copies(function.body, places)) if places else function


def with_copies(stmts, places):
    """The statements with copies at these places: `after` a statement, or at the `start` of the body of a loop."""
    out = []
    for s in stmts:
        blocks = {field: with_copies(block, places) for field, block in tree.blocks(s)}
        start = [copy_of(n, s) for at, names in places.get(s, ()) if at == 'start' for n in names]
        if start:
            blocks['body'] = start + blocks['body']
        out.append(tree.replace(s, **blocks) if blocks else s)
        out += [copy_of(n, s) for at, names in places.get(s, ()) if at == 'after' for n in names]
    return out


def copy_of(name, s):
    made = tree.assign(name, tree.method(tree.load(name), 'copy'), tree.origin(s))
    return tree.instead(made, s)


class _Definitions:
    """Which definition a name has where it is written into.

    A definition is a pair: where a copy can be made, (statement, 'after' or 'start'), or none has to, or none can be.
    wanted : (statement, 'after' or 'start') -> names that have a copy there
    updated : names that are written into before a loop updates them as a whole
    """

    def __init__(self, memory, effects, arrays, seldom):
        self.memory, self.effects, self.arrays, self.seldom = memory, effects, arrays, seldom
        self.wanted: dict = {}
        self.updated: set = set()

    def block(self, stmts, held):
        """Name -> its definition after the statements, from those before, for names that are surely bound."""
        for s in stmts:
            for name in self.written(s) & self.arrays:
                if held.get(name, NONE)[1] in ('after', 'start'):
                    self.wanted.setdefault(held[name], set()).add(name)
                elif held.get(name, NONE)[1] == 'carried':
                    self.updated.add(name)
            if isinstance(s, gast.If):
                left, right = (self.block(b, dict(held)) for b in (s.body, s.orelse))
                held.update({n: left[n] if left[n] == right[n] else (s, 'after') for n in left.keys() & right.keys()})
            elif isinstance(s, gast.With):
                self.block(s.body, held)
            elif isinstance(s, (gast.For, gast.While)):
                names = {n for t in tree.every([s]) for n in bound(t)}
                always = [t for t in s.body if self.seldom or not isinstance(t, gast.If)]
                anew = {n for t in tree.every(always) for n in bound(t)}
                there = names & (held.keys() | set(tree.names(s.target, gast.Store) if isinstance(s, gast.For) else ()))
                carried = {n: CARRIED for t in tree.every(s.body) if is_update(t) and (n := t.target.id) in held.keys() - names}
                self.block(s.body, {**held, **{n: (s, 'start') if n in anew else NONE for n in there}, **carried})
                held.update({n: (s, 'after') for n in names & held.keys()})
            elif is_update(s) and held.get(s.target.id) == CARRIED:
                held[s.target.id] = (s, 'fresh')
            else:
                values = dict(given(s))
                for name in bound(s):
                    fresh = name in values and self.memory.is_fresh(values[name])
                    held[name] = (s, 'fresh') if fresh else (s, 'after')
        return held

    def written(self, s):
        """Names of arrays that a statement writes into, itself or by a function that it calls."""
        found = stored_into([s]) if not any(tree.blocks(s)) and not is_update(s) else set()
        for call in (n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)):
            found |= {n for part in self.effects(self.memory.resolver(call.func), call) for e in part
                      for n in tree.names(e, gast.Load)}
        return found


NONE, CARRIED = (None, 'none'), (None, 'carried')


def is_update(s):
    """Whether it is `x += v`, which is followed as `x = x + v`."""
    return isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)


def bound(s):
    """The names that a statement itself binds to something else."""
    if isinstance(s, gast.For):
        return tree.names(s.target, gast.Store)
    return tree.writes(s) if not any(tree.blocks(s)) and not is_update(s) else ()


def given(s):
    """(name, the expression whose value it holds) for the names that an assignment binds to one each."""
    for target in s.targets if isinstance(s, gast.Assign) else ():
        for t, value in tree.side_by_side(target, s.value):
            if isinstance(t, gast.Name):
                yield t.id, value


def is_known(function):
    """Whether a function of a library keeps nothing of what it is given, but for what its value holds."""
    return function is not UNKNOWN and (facts.of(function).reads or function is next or registry.lookup(function) is not None
                                        or facts.is_numpy(function) or facts.is_helper(function))


class Pairs:
    """Which two names may share memory, at each place of a function with structured control flow.

    at : (statement, 'after' or 'start') -> the pairs there
    """

    def __init__(self, memory, effects, live, params):
        self.memory, self.effects, self.live, self.params = memory, effects, live, params
        self.at: dict = {}

    def is_alone(self, name, place):
        """Whether nothing that is read after this place, and no caller, may share the memory of a name there."""
        s, at = place
        live = self.live[s] if at == 'after' else self.live[s, 'head']
        others = set().union(*[p for p in self.at[place] if name in p]) - {name}
        return others.isdisjoint(live | self.params | {ELSEWHERE}) and all(
            n in self.memory.resolver.local for n in others)

    def held(self, expr):
        """Names of what the value of an expression may share memory with, or hold: `out + [u]`, too."""
        return self.memory.memory(expr) | (self.memory.aliases.handed_on(expr) if isinstance(expr, gast.BinOp) else set())

    def note(self, place, pairs):
        self.at[place] = self.at.get(place, frozenset()) | pairs
        return pairs

    def block(self, stmts, pairs):
        for s in stmts:
            if isinstance(s, gast.If):
                pairs = self.block(s.body, pairs) | self.block(s.orelse, pairs)
            elif isinstance(s, gast.With):
                pairs = self.block(s.body, pairs)
            elif isinstance(s, (gast.For, gast.While)):
                before = None
                while pairs != before:
                    before = pairs
                    inside = self.note((s, 'start'), self.headed(s, pairs))
                    pairs = pairs | self.block(s.body, inside)
            else:
                pairs = self.after(s, pairs)
            self.note((s, 'after'), pairs)
        return pairs

    def headed(self, s, pairs):
        if not isinstance(s, gast.For):
            return pairs
        names = tree.names(s.target, gast.Store)
        return self.bound(pairs, [({n}, self.held(s.iter)) for n in names] if names else [])

    def after(self, s, pairs):
        """The pairs after a simple statement."""
        for call in (n for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)):
            pairs = self.called(call, pairs)
        if isinstance(s, gast.AugAssign) and tree.root_name(s.target) not in self.memory.ranks:        # `xs += [u]`
            return self.together(pairs, {tree.root_name(s.target) or ELSEWHERE} | self.held(s.value))
        if not isinstance(s, (gast.Assign, gast.AnnAssign)) or s.value is None:
            return pairs
        for target in s.targets if isinstance(s, gast.Assign) else [s.target]:
            if isinstance(target, gast.Name):
                pairs = self.bound(pairs, [({target.id}, self.held(s.value))])
            elif isinstance(target, (gast.Tuple, gast.List)):
                pairs = self.unpacked(target, s.value, pairs)
            elif tree.root_name(target) not in self.memory.ranks:
                pairs = self.together(pairs, {tree.root_name(target) or ELSEWHERE} | self.held(s.value))
        return pairs

    def unpacked(self, target, value, pairs):
        names = [tree.names(t, gast.Store) for t in target.elts]
        alone = isinstance(value, (gast.Tuple, gast.List)) and len(value.elts) == len(names) \
            and all(isinstance(t, gast.Name) for t in target.elts)
        parts = value.elts if alone else [value] * len(names)
        return self.bound(pairs, [(set(own), self.held(e)) for own, e in zip(names, parts)])

    def called(self, call, pairs):
        """The pairs after a call, which may put what it is given into something else."""
        function, method = self.memory.resolver(call.func), getattr(call.func, 'attr', None)
        if function is UNKNOWN and method in KEEPERS:
            return self.together(pairs, {tree.root_name(call.func) or ELSEWHERE}.union(*map(self.held, call.args)))
        if self.effects.knows(function):
            kept = [a for a in tree.arguments(call) if self.effects.keeps(function, call, a)]
        elif function is UNKNOWN and registry.method(method or '') is not None or is_known(function):
            kept = []
        else:
            kept = [*tree.arguments(call), *([call.func.value] if method else [])]
        return self.together(pairs, {ELSEWHERE}.union(*map(self.held, kept))) if kept else pairs

    @staticmethod
    def together(pairs, names):
        every = names.union(*[p for p in pairs if p & names])
        return pairs | {frozenset(p) for p in itertools.combinations(sorted(every), 2)}

    def bound(self, pairs, given):
        """The pairs after (names, names of whose memory they may share) have been bound, all at the same time."""
        near = [(own, shared.union(*[p for p in pairs if p & shared])) for own, shared in given]
        new = set().union(*[own for own, _ in near])
        found = {p for p in pairs if p.isdisjoint(new)}
        for own, others in near:
            found |= {frozenset((a, b)) for a in own for b in others - new if a != b}
            found |= {frozenset(p) for p in itertools.combinations(sorted(own), 2) if others}
        for (one, left), (two, right) in itertools.combinations(near, 2):
            if left & right:
                found |= {frozenset((a, b)) for a in one for b in two if a != b}
        return frozenset(found)
