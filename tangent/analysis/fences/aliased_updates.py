"""In-place operations on what may be an array that has another name, where `x += v` is not `x = x + v`.

On numbers they are the same, and as that it is differentiated; on an array that some other name holds it is not.
"""
import collections
import functools
import types

import gast

from tangent.emit.library import find
from tangent.frontend import subset, tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import SCOPES, UNKNOWN
from tangent.frontend.scopes import Bound
from tangent.frontend.source import uncompiled
from tangent.runtime import facts
from tangent.templates.language import registry

SHARED = types.ModuleType, type, types.FunctionType, Nested


def unseen(node, source):
    """The error for writes that no pass over statements sees."""
    return subset.unsupported(node, source, 'calls that write into a value with a derivative inside a comprehension, or by '
                              'map and the like that may stop early,', 'write a for loop')


class HeldTwice:
    """Which statements may update an array that has another name: `x += v`, and calls of functions that do so to an
    argument through which a derivative flows.

    watched : parameters that hold what the caller may read again
    kept : those of which what they hold must be left as it is
    """

    def __init__(self, straight, flow, aliases, own, buffers):
        self.updated, self.aliases, self.base = straight.updated, aliases, straight.base
        self.source = source = straight.source
        self.params = set(tree.names(source.tree.args, gast.Param))
        self.watched = self.params.difference(self.params if own is None else own)
        self.kept = self.params.difference(own or ())
        self.loads = collections.Counter(tree.names(source.tree, gast.Load))
        tests = [s.test for s in tree.every(source.tree.body) if isinstance(s, (gast.If, gast.While))]
        self.compared = {e.id for test in tests for n in tree.walk(test) if isinstance(n, gast.Compare)
                         for e in [n.left, *n.comparators] if isinstance(e, gast.Name)}
        self.assignments = [s for s in tree.every(source.tree.body) if isinstance(s, gast.Assign)]
        self.repeated, self.around = in_loops(source.tree.body), in_loops(straight.tree.body)
        self.every = list(tree.every(straight.tree.body))
        self.local = self.params.union(*(tree.names(part, gast.Store) for s in self.every for part in tree.header(s)))
        self.calls = {}
        self.guards = set()                   # names for people of what has to be a number
        for s, name in aliases.updates:
            known = name in buffers.calls.get(s, ()) or name in aliases.numbers
            if isinstance(s, gast.AugAssign) or flow.active.isdisjoint(aliases.family(name)) or known:
                continue
            unused = not isinstance(s, gast.Return) and flow.active.isdisjoint(tree.writes(s))
            shown = self.loads[self.root(name)] > 1 or self.elsewhere(name) or self.is_carried(self.shared([name]), s)
            if unused or shown and not (self.is_read_out(name, s) and all(
                    map(flow.flows, above(s.value, lambda call: bool(aliases.effects(aliases.resolver(call.func), call)[1]))))):
                self.calls.setdefault(s, name)

    def refuse(self, stmts, typed):
        """Refuse statements that would be seen under another name if they worked on an array.

        typed : whether types are known before the derivative runs, so that it can be left to a guard
        """
        for s in stmts:
            if self.of(s) and not (typed and self.can_guard(s)):
                raise subset.unsupported(s, self.source, 'in-place operations on what has another name, as an array would show',
                                        'write x = x + v for x += v, or work on a copy', undecided=True)
            for _, block in tree.blocks(s):
                self.refuse(block, typed)

    def of(self, s):
        old = self.updated.get(tree.target(s))
        return s in self.calls or bool(old) and old not in self.aliases.numbers and self.elsewhere(old) \
            and not self.is_read_out(old, s) and not self.is_kept_later(old, s)

    def can_guard(self, s):
        """Whether it is enough that what the name is given elsewhere are numbers; notes that they have to be."""
        if s in self.calls or (root := self.root(self.updated[tree.target(s)])) in self.params:
            return False
        self.guards.add(root)
        return True

    def guarded(self, stmts, library, resolver):
        """The statements with guards behind those that give such a name what may be an array of another name.

            y = v[i]         ->         y = v[i]
                                        check_element(y)
        """
        if not self.guards:
            return stmts
        out = []
        for s in stmts:
            blocks = {field: self.guarded(block, library, resolver) for field, block in tree.blocks(s)}
            s = tree.replace(s, **blocks) if blocks else s              # others are known by what they are
            guards = [self.guard(name, s, library, resolver) for name in self.given(s)]
            if isinstance(s, gast.For):
                s, guards = tree.replace(s, body=[*guards, *s.body]) if guards else s, []
            out += [s, *guards]
        return out

    def given(self, s):
        """The guarded names to which a statement gives what another name may hold, or a part of that."""
        if isinstance(s, gast.Assign):
            names, value = [tree.target(s)], s.value
        elif isinstance(s, gast.For):
            names, value = tree.names(s.target, gast.Store), s.iter
        else:
            return []
        found = {self.root(n) for n in self.aliases.handed_on(value)}
        return [n for n in names if n and self.root(n) in self.guards and found - {self.root(n)}]

    @staticmethod
    def guard(name, s, library, resolver):
        helper = library('check_element')
        resolver.seen[helper] = find('check_element')
        return tree.place(gast.Expr(value=tree.call(helper, tree.load(name))), tree.Origin('guard', s.lineno))

    def root(self, name):
        return self.base.get(name, name)

    def elsewhere(self, old):
        """Whether the user has another name through which an update of an array in place would be seen."""
        root = self.root(old)
        if root in self.compared:             # by an `if` or `while`: an array has no one truth value
            return False
        family = self.aliases.sharing(old)
        if not family.isdisjoint(self.watched):
            return True
        made = [s for s in self.assignments if root in tree.writes(s)]
        made_from = [n for s in made for n in self.aliases.handed_on(s.value)]
        others = {self.root(n) for n in family} - {root}
        return any(self.loads[n] > made_from.count(n) for n in others) \
            or any(n in others - self.repeated[s] for s in made if s in self.repeated for n in whole(s.value))

    def handed_over(self, function, resolver):
        """Function -> those of its parameters that it updates under another name, where all calls of it give it for them what
        nobody reads any more: then its text may leave alone what it was given."""
        found = {}
        for s in tree.every(function.body):
            for part in tree.header(s):
                for call in (n for n in tree.walk(part) if isinstance(n, gast.Call)):
                    callee = uncompiled(resolver(call.func))
                    if isinstance(callee, (types.FunctionType, Nested)) and self.aliases.effects.of(callee).aliased:
                        mine = self.given_over(callee, call, s) if is_run_once(call, part) else frozenset()
                        found[callee] = mine & found.get(callee, mine)
        return found

    def given_over(self, callee, call, s):
        """Those for which one call does so."""
        effects = self.aliases.effects
        if tree.is_starred(call):
            return frozenset()
        bound = effects.bound(callee, call)
        return frozenset(p for p in effects.of(callee).aliased if p in bound and all(self.is_last(e, s) for e in bound[p]))

    def is_last(self, expr, s):
        """Whether nobody reads what the value of an expression may hold after a statement."""
        names = self.aliases.handed_on(expr)
        shared = self.shared(names)
        if not shared <= self.local or self.is_carried(shared, s) or not shared.isdisjoint(self.kept):
            return False
        return not any((self.loads[self.root(n)] > 1 or self.elsewhere(n)) and not self.is_read_out(n, s) for n in names)

    def shared(self, names):
        """The names, and others that may hold something of what they do."""
        return set(names).union(*map(self.aliases.sharing, names))

    def still_shared(self, name):
        """The same for one name, with those that hold it when it has been updated, as an array is, in place."""
        found, more = set(), self.shared([name])
        while not more <= found:
            found |= more
            more = self.shared([new for new, old in self.updated.items() if old in found])
        return found

    def is_carried(self, names, s):
        """Whether a statement stands in a loop whose next trip may find what these names hold."""
        return not set(names) <= self.around.get(s, names)

    def is_read_out(self, name, s):
        """Whether all that reads what a name holds stands before a statement, outside of loops, and has kept nothing of it."""
        if s in self.around:
            return False
        at = self.every.index(s)
        bound = {n for t in self.every[at:] for part in tree.header(t) for n in tree.names(part, gast.Store)}
        bound -= {n for t in self.every[:at] for part in tree.header(t) for n in tree.names(part, gast.Store)}
        shared = self.still_shared(name) - bound                             # others hold what the statement has made
        if not shared.isdisjoint(self.watched) or sum(n for m, n in reads(s).items() if m in shared) > 1:
            return False
        return not any(shared & reads(t).keys() for t in self.every[at + 1:]) \
            and all(self.is_quiet(t) for t in self.every[:at] if shared & reads(t).keys())

    def is_kept_later(self, name, s):
        """Whether all that may hold what a variable does comes to hold it behind a statement that updates this, and before that
        is run again, in a loop around both, the variable is bound to something new.

            for row in rows:
                total = 0.0
                for x in row:
                    total += x * w
                totals.append(total)
        """
        root, shared = self.root(name), self.shared([name])
        own = {n for n in shared if self.root(n) == root}
        if not shared.isdisjoint(self.watched) or own.isdisjoint(self.local):
            return False
        keepers = []
        for t in self.every:
            binds = own & {n for part in tree.header(t) for n in tree.names(part, gast.Store)}
            if binds and not (isinstance(t, gast.Assign) and tree.target(t) and self.aliases.handed_on(t.value) <= own):
                return False
            if not binds and own & reads(t).keys() and not self.only_computes(t, own):
                keepers.append(t)
        at = self.every.index(s)
        return all(self.every.index(t) > at and self.is_new_in(self.common_loop(s, t), own) for t in keepers)

    def only_computes(self, s, names):
        """Whether a statement computes with what these names hold, and keeps nothing of it."""
        values = [s.iter] if isinstance(s, gast.For) else [s.value] if isinstance(s, gast.Assign) else []
        return self.is_quiet(s) and not isinstance(s, gast.Return) and all(
            names.isdisjoint(self.aliases.handed_on(e)) for e in values)

    def common_loop(self, s, t):
        """The innermost loop around both statements, or None."""
        loops = [loop for loop in self.every if isinstance(loop, (gast.For, gast.While))]
        both = [loop for loop in loops if {id(s), id(t)} <= {id(inner) for inner in tree.every(loop.body)}]
        return both[-1] if both else None

    def is_new_in(self, loop, names):
        """Whether these names are bound in a loop alone, so that each trip begins without them."""
        inside = {id(t) for t in tree.every(loop.body)} if loop is not None else ()
        return loop is None or not any(id(t) not in inside and names.intersection(tree.writes(t)) for t in self.every)

    def is_quiet(self, s):
        """Whether a statement keeps what it reads nowhere but in the names that it binds."""
        nodes = [n for part in tree.header(s) for n in tree.walk(part)]
        plain = isinstance(s, (gast.If, gast.While, gast.For, gast.Return)) or isinstance(s, gast.Assign) and not any(
            isinstance(n, (gast.Attribute, gast.Subscript)) and isinstance(n.ctx, gast.Store) for n in nodes)
        return plain and not any(isinstance(n, (gast.Lambda, gast.GeneratorExp)) for n in nodes) \
            and all(self.is_quiet_call(n) for n in nodes if isinstance(n, gast.Call))

    def is_quiet_call(self, call):
        found, effects = self.aliases.resolver(call.func), self.aliases.effects
        if found is UNKNOWN:
            return isinstance(call.func, gast.Attribute) and self.aliases.only_reads(call.func.attr)
        own = isinstance(uncompiled(found), (types.FunctionType, Nested)) and not facts.in_library(found)
        return not effects.acts(found) if own else registry.lookup(found) is not None and not self.aliases.acts(call)


def above(expr, meant):
    """The calls in an expression that are meant, and all that these are parts of."""
    below = [part for e in tree.children(expr) if isinstance(e, gast.AST) for part in above(e, meant)]
    return [*below, expr] if below or isinstance(expr, gast.Call) and meant(expr) else []


def reads(s):
    """How often a statement reads each name itself, outside of its blocks."""
    return collections.Counter(n for part in tree.header(s) for n in tree.names(part, gast.Load))


def in_loops(stmts):
    """Statement -> names that are surely bound before it in a trip of the innermost loop around it, for those in loops."""
    found = {}
    for s in tree.every(stmts):
        if isinstance(s, (gast.For, gast.While)):
            known = Bound(s.body, tree.names(s.target, gast.Store) if isinstance(s, gast.For) else ()).before
            found.update((t, known.get(id(t), frozenset())) for t in tree.every(s.body))
    return found


def whole(expr):
    """Names in an expression but for those of which it takes a part."""
    if isinstance(expr, gast.Subscript):
        return set()
    return {expr.id} if isinstance(expr, gast.Name) else set().union(*map(whole, tree.children(expr)))


def is_run_once(call, expr):
    """Whether a call in an expression is run once, where that is evaluated."""
    scopes = [n for n in tree.walk(expr) if isinstance(n, SCOPES)]
    return not any(n is call for scope in scopes for n in tree.walk(scope))


def refuse_unseen(aliases, stmts, active, source, comprehensions=True):
    """Refuse calls that may write into what has a derivative where no pass over statements sees them."""
    node = aliases.unseen(stmts, active, comprehensions)
    if node is not None:
        raise unseen(node, source)


def refuse_shared(function, flows, resolver, source):
    """Refuse values with a derivative that become attributes of a module, a class or a function: all who see it share them."""
    named = {tree.target(s) for s in tree.every(function.body) if isinstance(s, gast.Assign)
             and (isinstance(resolver(s.value), SHARED)
                  or isinstance(s.value, gast.Call) and resolver(s.value.func) is functools.partial)}
    for s in tree.every(function.body):
        call = s.value if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
        if call is not None and resolver(call.func) is setattr and len(call.args) == 3:
            places, value = [call.args[0]], call.args[2]
        elif isinstance(s, (gast.Assign, gast.AugAssign)):
            targets = s.targets if isinstance(s, gast.Assign) else [s.target]
            places, value = [t.value for t in targets if isinstance(t, (gast.Attribute, gast.Subscript))], s.value
        else:
            continue
        if flows(value) and any(is_shared(place, resolver) or tree.root_name(place) in named for place in places):
            raise subset.unsupported(s, source, 'writes to global variables through which a derivative flows',
                                    'return the value and assign it in the caller')


def is_shared(place, resolver):
    """Whether something is a module, a class or a function, or is read from one."""
    while isinstance(place, (gast.Attribute, gast.Subscript)):
        if tree.dotted(place) and isinstance(resolver(place), SHARED):
            return True
        place = place.value
    return isinstance(place, gast.Name) and isinstance(resolver(place), SHARED)


def refuse_dicts(function, flows, source):
    """Refuse the `__dict__` of objects with a derivative: another way to their attributes, which nothing sees."""
    for s in function.body:
        for node in tree.walk(s):
            if isinstance(node, gast.Attribute) and node.attr == '__dict__' and flows(node.value):
                raise subset.unsupported(node, source, 'uses of the __dict__ of an object with a derivative',
                                        'use getattr and setattr')
