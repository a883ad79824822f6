"""Aliases: which names may hold the same object, and which objects are written in place?

Flow-insensitive: names that share anywhere share everywhere. Arithmetic makes new objects; names, elements, attributes and
calls of unknown functions may hand on old ones.
"""
import collections
import functools
import operator
import sys
import types
from typing import NamedTuple

import gast
import numpy as np

from tangent.analysis import unseen
from tangent.analysis.array_accesses import is_element
from tangent.analysis.dataflow.sequences import Sequences
from tangent.analysis.dataflow.solve import closure
from tangent.analysis.kinds import special
from tangent.analysis.kinds.classes import made_by
from tangent.analysis.mutated_lists import Builders, kind_of
from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import UNKNOWN, is_prange, pushed, pushes
from tangent.frontend.scopes import caught, free
from tangent.runtime import facts
from tangent.runtime.functions.operators import Acting
from tangent.templates.language import registry
from tangent.templates.python import mutations

WRITERS = mutations.names(lambda m: m.writes and not m.of_deques_alone)
SHUFFLES = mutations.names(lambda m: m.writes and m.of == {'other'})          # they change arrays that they are given


READERS = tree.PURE_METHODS | frozenset('''format join split strip lstrip rstrip startswith endswith upper lower replace encode
    decode find title isdigit write writelines flush close info debug warning error exception log critical
    __getitem__ __contains__ __len__
    union intersection difference issubset issuperset most_common hexdigest total_seconds _asdict
    _replace'''.split())


class Effect(NamedTuple):
    """What a call may write into: names of the objects.

    by_source : the source of the function that is called says so, or of one that is handed to `map` and the like
    updated : that source updates them by `x += v`, which changes arrays only
    written : a method's owner, an output array, what is given to an unknown function that is called for its effect
    unsure : what is given to a function that is known only when running, here or by the function that is called
    """
    by_source: list
    updated: list
    written: list
    unsure: list

    @property
    def names(self):
        return {n for found in self for n in found}


class Aliases:
    """Classes of names that may hold the same object.

    mutated : representatives of the classes of objects that some statement writes into
    builders : lists of the function's own that grow, which does not count as writing; nor does it of those that it is lent
        (`given`), or lends as `lending` says
    exact : whether of all that is called inside a callee it is asked which of its arguments its value may hold
    """

    def __init__(self, function, resolver, effects, kinds=types.MappingProxyType({}), exact=False,
                 given=types.MappingProxyType({}), lending=None):
        self.resolver, self.parent, self.effects, self.kinds, self.exact = resolver, {}, effects, kinds, exact
        self.nodes = [n for s in function.body for n in tree.walk(s)]
        self.numbers = counters(function, resolver)                                     # they share nothing
        self.numbers |= {n for n, kind in kinds.items() if kind in ('int', 'number')}
        self.made_of = {}                     # name -> names that were assigned to it, or put into it
        self.taken = {}                       # name -> names that were assigned to it, or that it was put into
        self.placed = {}                      # name of an attribute -> what is assigned to it
        stmts = list(tree.every(function.body))
        for s in stmts:
            for t in s.targets if isinstance(s, gast.Assign) else ():
                if isinstance(t, gast.Attribute):
                    self.placed.setdefault(t.attr, []).append(s.value)
        self.builders = Builders(function, resolver, effects, kinds, given, lending)
        self.sequences = Sequences(stmts, lambda call: resolver(call.func) in (list, tuple, dict, sorted), resolver.listed)
        self.defined = {s.name: s for s in stmts if isinstance(s, gast.FunctionDef)}
        self.made_here: dict = {}             # see `functions_of`
        assigned = {}                         # name -> what is assigned to it
        for s in stmts:
            if isinstance(s, gast.Assign) and (name := tree.target(s)):
                assigned.setdefault(name, []).append(s.value)
        lambdas = {n: f for n, found in assigned.items() for f in found if isinstance(f, gast.Lambda)}
        self.captured = {name: free(f) for name, f in {**self.defined, **lambdas}.items()}
        # name -> what functions have captured that it may hold
        self.held = {name: set(free(f)) for name, f in self.defined.items()}
        for s in stmts if any(isinstance(n, gast.Lambda) for n in self.nodes) else ():
            if inside := set().union(*map(by_lambdas, tree.header(s))):
                calls = [n.func for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Call)]
                given = {f.value.id for f in calls if isinstance(f, gast.Attribute) and isinstance(f.value, gast.Name)}
                for n in tree.mutates(s).union(given, *(tree.names(part, gast.Store) for part in tree.header(s))):
                    self.held.setdefault(n, set()).update(inside)
        params = set(tree.names(function.args, gast.Param))
        named = [n for n in self.nodes if type(n) is gast.Name]
        stores = collections.Counter(n.id for n in named if type(n.ctx) is gast.Store)
        self.bound = {n: found for n, found in assigned.items() if n not in params and stores[n] == len(found)}
        taken = [s for s in stmts if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Tuple)]
        self.unpacked = {t.id: s.value for s in taken for t in s.targets[0].elts
                         if isinstance(t, gast.Name) and stores[t.id] == 1 and t.id not in params}
        self.loaded = {n.id for n in named if type(n.ctx) is gast.Load}
        self.looked_into = []                 # functions inside that are looked into at the moment
        self.writers = set()                  # names of methods such as `add = xs.append`
        self.called = {n.func.id for n in self.nodes if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)}
        self.writes = []                      # (statement, name of the object)
        self.updates = []                     # the same for `x += v` on a name and callees that do so: arrays only
        self.deep = set()                     # names of which something is written into that they hold
        if any(isinstance(n, gast.ExceptHandler) for n in self.nodes):
            self.share(sorted(caught(function) & self.asked()), self.thrown())
        self.block(function.body)
        self.deep |= self.updated_inside(function)
        changed = {n for _, n in self.writes + self.updates}
        self.deep |= {m for n in changed for m in closure([n], self.taken) if m != n and not self.is_array(tree.load(m))}
        self.writes += [(s, n) for s in tree.every(function.body) for n in sorted(self.written_through(s))]
        self.mutated = {self.find(n) for _, n in self.writes + self.updates}

    def find(self, name):
        while self.parent.setdefault(name, name) != name:
            self.parent[name] = self.parent[self.parent[name]]
            name = self.parent[name]
        return name

    def is_changed(self, name):
        """Whether what the name holds may change in place, lists that grow and shrink among it."""
        return name not in self.numbers and (self.is_mutated(name) or name in self.builders.kinds)

    def is_mutated(self, name):
        return self.find(name) in self.mutated

    def family(self, name):
        """All names that may hold what the name holds."""
        root = self.find(name)
        return {n for n in list(self.parent) if self.find(n) == root}

    def origins(self, name):
        """The names whose object the name may hold, or a part of it: itself, what it was made of, and so on."""
        return closure([name], self.made_of)

    def sharing(self, name):
        """Those of the family that may have something in common with the name itself.

        After `r = a[0]` in one branch and `r = t` in another, `r` may share with `a` and with `t`, but `t` not with `a`.
        """
        own = self.origins(name)
        return {n for n in self.family(name) if not own.isdisjoint(self.origins(n))}

    def block(self, stmts):
        for s in stmts:
            change = self.builders.changes.get(s)
            if change is not None and change.value is not None:
                inside = self.handed_on(change.value)
                self.hold([change.name], inside)
            if isinstance(s, gast.Assign):
                targets = [n for t in s.targets for n in tree.names(t, gast.Store)]
                held = self.held_under if isinstance(s.value, gast.Attribute) else self.handed_on
                self.share(targets, held(s.value))
                chained = len(s.targets) > 1 and not self.is_number_of_text(s.value)             # `a = b = np.zeros(n)`
                if chained or len(targets) > 1 and self.gives_twice(s.value):
                    self.share(targets, targets)
                if isinstance(s.value, gast.Call):
                    functions = self.called.intersection(targets)                # they may have captured the same
                    self.share(functions, functions)
                if isinstance(s.value, gast.Attribute) and s.value.attr in WRITERS and tree.target(s):
                    self.writers.add(tree.target(s))
            elif self.sequences.extends(s):
                self.share(self.handed_on(s.target), self.handed_on(s.value))
            elif isinstance(s, gast.For):
                self.share(tree.names(s.target, gast.Store), self.handed_on(s.iter))
            elif insertion(s) is not None:
                before, after = insertion(s)
                self.share([after.id], {before.id})
            elif isinstance(s, gast.With):
                for item in s.items:
                    if item.optional_vars is not None:
                        self.share(tree.names(item.optional_vars, gast.Store), self.handed_on(item.context_expr))
            kind = self.updates if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name) else self.writes
            kind += [(s, n) for n in self.changed(s) if change is None]
            self.acted(s, s)
            for part in tree.header(s):
                for node in tree.walk(part):
                    self.acted(node, s)
                    if isinstance(node, (gast.comprehension, gast.NamedExpr)):
                        held = node.iter if isinstance(node, gast.comprehension) else node.value
                        self.share(tree.names(node.target, gast.Store), self.handed_on(held))
                        self.writes += [(s, n) for n in self.changed(node)]
                    if isinstance(node, gast.Call):
                        if keeps(node):
                            self.hold(self.handed_on(node.func.value), set().union(*map(self.handed_on, tree.arguments(node))))
                        done, lent = self.effect(node, s), self.builders.lent.get(id(node), ())
                        done = self.lend(node, lent, done) if lent else done
                        self.deep |= self.reached(node, done) if not lent else set()
                        own = change is not None and change.kind != 'store' and node is s.value
                        names = done.by_source if own else [*done.by_source, *done.written, *done.unsure]
                        self.writes += [(s, n) for n in dict.fromkeys(names) if n not in lent]
                        self.updates += [(s, n) for n in done.updated]
            if insertion(s) is None:
                for _, block in tree.blocks(s):
                    self.block(block)

    def lend(self, call, names, done):
        """The Effect of a call that changes these builders, on other things: what it puts into them is there from then on."""
        put, written, deep = (set().union(*(self.handed_on(e) for e in found if not self.is_number(e)))
                              for found in self.builders.lending.others(call, self.resolver, names))
        self.hold(names, put)
        self.deep |= deep | self.builders.tables.intersection(names)
        return done._replace(by_source=sorted(written | self.by_handed(call)))

    def flowing(self, call):
        """(names that may hold what a call writes into, what that depends on) for each argument into which it writes; None
        where it is not known that the function lets go of what it changes."""
        lending = self.builders.lending
        names = {e.id for e in tree.arguments(call) if isinstance(e, gast.Name)} if lending is not None else set()
        names = names & self.builders.kinds.keys() if self.effects.acting else names        # what is no list may have operators
        lent = lending.lent(call, self.resolver, names) if names else ()
        return [(self.handed_on(e), parts) for e, parts in lending.flowing(call, self.resolver, lent)] if lent else None

    def touched_else(self, call):
        """Names of what such a call may write into by functions that it is given, or that are known only when running."""
        unsure = self.effects.unsure_of(self.resolver(call.func), call)
        return self.by_handed(call).union(*map(self.handed_on, unsure))

    def asked(self):
        """Names of which a part is read, or that are given to functions of the user's: no text is made of them alone."""
        calls = [n for n in self.nodes if isinstance(n, gast.Call) and self.effects.knows(self.resolver(n.func))]
        read = [tree.root(n) for n in self.nodes if isinstance(n, (gast.Attribute, gast.Subscript))]
        return {e.id for e in [*read, *(a for call in calls for a in tree.arguments(call))] if isinstance(e, gast.Name)}

    def thrown(self):
        """Names of what exceptions may carry that are raised, here or by the functions that are called."""
        raised = [self.handed_on(n.exc) for n in self.nodes if isinstance(n, gast.Raise) and n.exc is not None]
        calls = [n for n in self.nodes if isinstance(n, gast.Call) and self.throws(n)]
        return set().union(*raised, *(self.handed_on(e) for call in calls for e in tree.arguments(call)),
                           *(self.inside(call.func) for call in calls))

    def is_number_of_text(self, expr):
        """Whether it is a constant, or a name for one such as `math.nan`."""
        return isinstance(expr, gast.Constant) or isinstance(expr, gast.Attribute) and self.is_constant(expr)

    def gives_twice(self, expr):
        """Whether what an expression gives may hold one thing in two places: `[x] * 2`."""
        if isinstance(expr, gast.BinOp):
            return isinstance(expr.op, gast.Mult) and self.sequences.is_joined(expr)
        return isinstance(expr, gast.Call) and self.effects.gives_twice(expr, self.resolver)

    def acted(self, node, s):
        """Note what a method that stands behind an operator may write into."""
        given = special.given(node, self.effects.acting)
        if not all(map(self.is_plain, given)):
            names = set().union(*map(self.handed_on, given))
            self.writes += [(s, n) for n in sorted(names)]
            self.deep |= names

    def is_plain(self, expr, seen=()):
        """Whether an expression surely gives a number or an array, of which no class has the methods: its kind is known, or it
        is made of such by operators and by functions of Python's and NumPy's."""
        if isinstance(expr, gast.Name):
            made = self.bound.get(expr.id, ()) if expr.id not in seen else ()
            return expr.id in self.numbers or self.kinds.get(expr.id) is not None \
                or bool(made) and all(self.is_plain(e, (*seen, expr.id)) for e in made)
        inner = [e for e in tree.children(expr) if isinstance(e, gast.expr)]
        if isinstance(expr, gast.Call):
            rule, inner = registry.lookup(self.resolver(expr.func)), tree.arguments(expr)
            if rule is None or rule.kind not in NUMERIC or facts.home(self.resolver(expr.func)) not in ('math', 'numpy'):
                return False
        known = gast.Call, gast.Subscript, gast.BinOp, gast.UnaryOp, gast.Compare, gast.IfExp, gast.Tuple, gast.Slice
        return isinstance(expr, gast.Constant) or isinstance(expr, known) and all(self.is_plain(e, seen) for e in inner)

    def changed(self, s):
        """Names whose object a statement changes in place: the base of `x[i] = v` and `x.a = v`, and `x` of `x += v`."""
        targets = list(s.targets) if isinstance(s, (gast.Assign, gast.Delete)) else \
            [s.target] if isinstance(s, (gast.AugAssign, gast.For, gast.comprehension)) else \
            [i.optional_vars for i in s.items] if isinstance(s, gast.With) else []
        found = {}
        while targets:
            t = targets.pop(0)
            if isinstance(t, (gast.Tuple, gast.List)):
                targets = [*t.elts, *targets]
            elif isinstance(t, gast.Starred):
                targets = [t.value, *targets]
            elif isinstance(t, (gast.Subscript, gast.Attribute)):
                found.update(dict.fromkeys(sorted(self.handed_on(t))))
                self.deep |= set(found) if isinstance(t.value, (gast.Subscript, gast.Attribute)) else set()
            elif isinstance(t, gast.Name) and isinstance(s, gast.AugAssign) and t.id not in self.numbers:
                found[t.id] = None
        return list(found)

    def updated_inside(self, function):
        """Names of lists and dicts made here, but for builders, of which elements are updated in place: `xs[i] += v`."""
        found = {s.target.value.id for s in tree.every(function.body) if isinstance(s, gast.AugAssign)
                 and isinstance(s.target, gast.Subscript) and isinstance(s.target.value, gast.Name)}
        return {n for n in found - self.builders.kinds.keys() if any(kind_of(e, self.resolver) for e in self.bound.get(n, ()))}

    def reached(self, call, done):
        """Names of which a call may write into something that they hold; `done` is its Effect."""
        found = self.resolver(call.func)
        if isinstance(found, (types.FunctionType, Nested)) and self.effects.knows(found):
            bound, deep = self.effects.bound(found, call), self.effects.of(found).deep
            if not bound:
                return done.names
            parts = [e for given in self.effects(found, call) for e in given
                     if not isinstance(e, gast.Name) or self.made_of.get(e.id)]          # of something else, for all one knows
            return set().union(*map(self.handed_on, parts), *(self.handed_on(e) for p in deep for e in bound.get(p, ())))
        own = isinstance(call.func, gast.Attribute) and isinstance(call.func.value, gast.Name) and call.func.attr in WRITERS
        return done.names - self.handed_on(call.func) if own else done.names

    def written_through(self, s):
        """Names that a statement stores in something that is written into through that: `a.part = b`, then `a.part.x = v`, or
        `xs[0] = b`, then `c = xs[0]; c *= v`."""
        targets = s.targets if isinstance(s, gast.Assign) else []
        owners = set().union(*(self.handed_on(t) for t in targets if isinstance(t, (gast.Attribute, gast.Subscript))))
        if self.sequences.extends(s):
            owners |= self.handed_on(s.target)
        through = any(not self.deep.isdisjoint(self.family(n) | {n}) for n in owners)
        named = {t.id for t in targets if isinstance(t, gast.Name)}                     # `a.part = b = ...`
        return (self.handed_on(s.value) | named) - owners if through else set()

    def effect(self, call, s):
        """The Effect of a call that stands in a statement."""
        for_effect = isinstance(s, gast.Expr) and call is s.value
        told = for_effect or not self.reads_value(s) or getattr(call.func, 'id', None) in self.resolver.acting \
            or 'call' in self.effects.acting or self.hands_on_writers \
            or any(map(self.is_writer, tree.arguments(call)))                   # it may be an object, or run one of these
        unsure = self.by_unknown(call) if told else ()
        return self._effect(call, for_effect)._replace(unsure=sorted(unsure))

    def touched(self, call, for_effect):
        """Names of the objects that a call may write into, whatever way this is known; `for_effect` if its value is not."""
        return self._effect(call, for_effect).names

    def _effect(self, call, for_effect):
        by_source, updated = (sorted(set().union(*(self.handed_on(e) for e in found if not self.is_number(e))))
                              for found in self.effects(self.resolver(call.func), call))
        written = self.written_by_inner(call) | self.written(call, for_effect)
        return Effect([*by_source, *sorted(self.by_handed(call))], updated, sorted(written), [])

    def written_by_inner(self, call):
        """Names of what a call of a lambda, or of a function inside, may write into: what it has captured, or is given."""
        name = getattr(call.func, 'id', None)
        made = [self.defined[name]] if name in self.defined else self.bound.get(name, [call.func])
        made = [function for function in made if function not in self.looked_into]          # it may call itself
        self.looked_into += made
        found = set().union(*(self.written_inside(function, []) for function in made))
        del self.looked_into[len(self.looked_into) - len(made):]
        own = {n for f in made if isinstance(f, (gast.FunctionDef, gast.Lambda)) for n in tree.names(f.args, gast.Param)}
        given = set().union(*map(self.handed_on, tree.arguments(call))) if not own.isdisjoint(found) else set()
        return (found - own) | given

    def writes_when_left(self, item):
        """Whether a context that a `with` statement makes may write into what it gives, when it is left.

        Python's own contexts (a pool of threads) write nothing of the program's, but for those of contextlib, which call it.
        """
        kind = self.resolver(item.context_expr.func) if isinstance(item.context_expr, gast.Call) else None
        if kind is not None and facts.home(kind) in sys.stdlib_module_names - {'contextlib'}:
            return False
        method = getattr(kind, '__exit__', None) if isinstance(kind, type) else None
        return isinstance(method, types.FunctionType) and any(self.effects.written(method))

    def only_reads(self, name):
        """Whether a method of that name writes nothing, whoever has it."""
        acting = self.effects.acting | self.effects.writing(self.resolver)
        return name in READERS and name not in acting and name.strip('_') not in acting

    def put(self, call):
        """(names of what a call of a user function writes into, of what it may put there)."""
        function, lent = self.resolver(call.func), self.builders.lent.get(id(call), ())
        if lent:
            return set(lent), set().union(*map(self.handed_on, self.builders.lending.others(call, self.resolver, lent)[0]))
        if not self.effects.knows(function):
            return set(), set()
        written = [e for part in self.effects(function, call) for e in part]
        kept = [e for e in self.effects.joined(function, call, written) if e not in written]
        owners = set().union(*map(self.handed_on, written))
        return owners, set().union(*map(self.handed_on, kept)) - owners

    def acts(self, call):
        """Whether a call may write into anything that it is given: objects and lists, too, and by code that cannot be read."""
        found, effects = self.resolver(call.func), self.effects
        if found is UNKNOWN and any(k.arg == 'out' for k in call.keywords):
            return True
        if found is UNKNOWN:
            method = isinstance(call.func, gast.Attribute)
            return not (method and (self.only_reads(call.func.attr) or self.is_outside(call.func)))
        if writes_out(found, call) or self.by_handed(call):
            return True
        if registry.lookup(found) is not None or isinstance(found, type) and found.__module__ == 'builtins':
            return False
        if isinstance(found, types.FunctionType) and not pushes(found):
            return not effects.readable(found) or any(effects.written(found)) or bool(effects.unsure_of(found, call)) \
                or effects.of(found).raises
        return True

    def throws(self, call):
        """Whether a call is of a user function that raises exceptions which carry values."""
        found = self.resolver(call.func)
        return self.effects.knows(found) and self.effects.of(found).raises

    def surely_written(self, call):
        """Names of the objects that a call writes into for all that is known: no method of something unknown."""
        function = self.resolver(call.func)
        method = isinstance(call.func, gast.Attribute) and call.func.attr in WRITERS
        owner = [call.func.value] if method else []
        return set().union(*map(self.handed_on, [*self.effects(function, call)[0], *outputs(function, call), *owner]))

    def by_handed(self, call):
        """Names of what a function may write into that is handed to `map` and the like, which call it."""
        caller, given = self.resolver(call.func), tree.arguments(call)
        sure = (facts.of(caller).calls or (None, None))[0] is not None
        twin = isinstance(caller, types.FunctionType) and is_reference(caller.__globals__) and any(map(self.is_writer, given))
        if twin or any(self.may_write(f) for f in handed_to(caller, call) if sure or not self.is_unknown(f)):
            return set().union(*map(self.handed_on, given), *(tree.names(e, gast.Load) for e in given))
        return set()

    def unseen(self, stmts, active, comprehensions=True):
        """The first part of the statements that may write into these names where no pass over statements sees it, or None.

        That is what `map` and its like may go through in part, and a call in a comprehension that stays one.
        """
        for s in tree.every(stmts):
            for part in tree.header(s):
                complete = {id(a) for n in tree.walk(part) if isinstance(n, gast.Call)
                            and facts.of(self.resolver(n.func)).takes_all for a in n.args}
                for node in tree.walk(part):
                    found = set()
                    if comprehensions and isinstance(node, COMPREHENSIONS):
                        found = set().union(*(self.touched(n, False) for n in tree.walk(node) if isinstance(n, gast.Call)))
                    elif isinstance(node, gast.Call) and id(node) not in complete and is_lazy_caller(self.resolver(node.func)):
                        found = self.by_handed(node)
                    elif isinstance(node, gast.Call) and self.is_ordering(node):
                        found = self.by_key(node)
                    if any(not active.isdisjoint(self.family(n) | {n}) for n in found):
                        return node
        return None

    def is_ordering(self, call):
        """Whether it is a call that may be given a function by which things are ordered."""
        method = isinstance(call.func, gast.Attribute) and call.func.attr == 'sort'
        return method or self.resolver(call.func) in (sorted, min, max)

    def by_key(self, call):
        """Names of what the function after `key=` may write into, and of what it may write there."""
        found = set()
        for key in [k.value for k in call.keywords if k.arg == 'key']:
            function = self.defined.get(key.id) if isinstance(key, gast.Name) else key
            if isinstance(function, (gast.FunctionDef, gast.Lambda)):
                written = self.written_inside(function, [])
                found |= written and written | set(tree.names(function, gast.Load) + tree.names(call, gast.Load))
            elif self.may_write(key) and not self.is_unknown(key):          # which is watched
                found |= set(tree.names(call, gast.Load))
        return found

    def written_inside(self, function, seen):
        """Names of what the code of a lambda or of a function inside may write into or bind anew."""
        if not isinstance(function, (gast.FunctionDef, gast.Lambda)) or function in seen:
            return set()
        found = set()
        for node in gast.walk(function):
            if isinstance(node, gast.Nonlocal):
                found |= set(node.names)
            elif isinstance(node, (gast.Assign, gast.AugAssign)):
                found |= tree.mutates(node)
            elif isinstance(node, gast.Call):
                found |= self.touched(node, False)
                if isinstance(node.func, gast.Name):
                    found |= self.written_inside(self.defined.get(node.func.id), [*seen, function])
        return found

    def may_write(self, expr, seen=()):
        """Whether the value of the expression is a function that may write into anything: one that is not known may."""
        if isinstance(expr, gast.Constant):
            return False
        if isinstance(expr, gast.Call) and self.resolver(expr.func) in GETTERS:
            return bool(self.effects.acting)
        if isinstance(expr, gast.Call) and expr.args and self.resolver(expr.func) in (functools.partial, functools.cmp_to_key):
            return self.may_write(expr.args[0], seen)
        if isinstance(expr, gast.Call) and len(expr.args) == 2 and getattr(expr.func, 'id', '').startswith('getattr') \
                and isinstance(expr.args[1], gast.Constant):                       # as forward mode looks at objects
            expr = gast.Attribute(value=expr.args[0], attr=expr.args[1].value, ctx=gast.Load())
        if isinstance(expr, gast.Lambda):
            return self.writes_inside(expr)
        name = expr.id if isinstance(expr, gast.Name) else None
        if name in self.defined:
            return self.writes_inside(self.defined[name])
        if name in self.bound and name not in seen:
            return any(self.may_write(value, (*seen, name)) for value in self.bound[name])
        found = self.resolver(expr)
        if found is UNKNOWN and isinstance(expr, gast.Attribute) and expr.attr not in WRITERS:          # a method
            sight = self.resolver.sight | self.effects.sight
            methods = [f for k in sight if isinstance(f := vars(k).get(expr.attr), types.FunctionType)]
            known = bool(methods) or self.only_reads(expr.attr) or registry.method(expr.attr) is not None \
                or self.is_outside(expr)
            return not known or any(map(self.does_write, methods))
        return found is UNKNOWN or self.does_write(found)

    @functools.cached_property
    def hands_on_writers(self):
        """Whether functions that the text has as values, or finds in values, write into what they are given."""
        runs = {run.function for run, _ in unseen.by_values(self.nodes, self.resolver)}
        found = [f for f in runs if type(f) is types.FunctionType and not facts.in_library(f)]
        users = [f for f in found if any(self.effects.written(f)) and (not hasattr(f, 'source') or self.writes_captured(f))]
        return any(map(self.does_write, users))

    def writes_captured(self, function):
        """Whether a function of a derivative, which the user's has inside, writes into what it has captured."""
        code = function.__code__
        captured = code.co_varnames[code.co_argcount:code.co_argcount + code.co_kwonlyargcount]
        return getattr(function, 'by_text', False) and not set(captured).isdisjoint(*self.effects.written(function)[:1])

    def is_writer(self, expr):
        """Whether the value of the expression surely is a function made here, and one that may write."""
        made = self.functions_of(expr.id) if isinstance(expr, gast.Name) and expr.id in self.bound \
            and expr.id not in self.defined else self.functions([expr])
        return any(self.written_inside(e, []) if isinstance(e, gast.FunctionDef) else self.may_write(e) for e in made)

    def functions_of(self, name):
        """What a name is bound to, as far as it is a function made here; asked of each use of the name."""
        if name not in self.made_here:
            self.made_here[name] = self.functions(self.bound[name])
        return self.made_here[name]

    def functions(self, exprs):
        """The definitions, and the calls of functools.partial, among what expressions give."""
        inner = [self.defined.get(getattr(e, 'id', None), e) for e in exprs]
        return [e for e in inner if isinstance(e, gast.FunctionDef)
                or isinstance(e, gast.Call) and self.resolver(e.func) is functools.partial]

    def is_unknown(self, expr):
        """Whether the value of the expression is a function of which nothing is known but that it is called."""
        return isinstance(expr, gast.Name) and self.resolver(expr) is UNKNOWN and expr.id not in self.bound \
            and expr.id not in self.defined

    def does_write(self, function):
        """Whether a function may write into what it is given, or into something outside; a class, but into what it makes."""
        if isinstance(function, type):
            init = made_by(function)
            found = None if init is None else self.effects.of(init)
            own = None if init is None else init.__code__.co_varnames[0]
            return found is not None and (bool({*found.writes, *found.unsure} - {own}) or bool(found.outside.stores))
        if isinstance(function, GETTERS):
            return bool(self.effects.acting)
        if not isinstance(function, (types.FunctionType, types.MethodType, Nested)):
            return isinstance(function, operator.methodcaller) or getattr(function, '__name__', None) in CHANGING
        function = getattr(function, '__func__', function)
        if registry.lookup(function) is not None or facts.in_library(function):
            return False
        found = self.effects.of(function)
        return not found.read or any(self.effects.written(function)) or bool(found.unsure) or bool(found.outside.stores)

    def writes_inside(self, function):
        """Whether the code of a lambda or of a function inside may write into anything, or calls what is not known."""
        if function in self.looked_into:                        # it hands on itself
            return False
        nodes = list(gast.walk(function))
        unknown = any(isinstance(n, gast.Call) and self.resolver(n.func) is UNKNOWN and not isinstance(n.func, gast.Attribute)
                      and getattr(n.func, 'id', None) not in self.defined for n in nodes)
        self.looked_into.append(function)
        written = self.written_inside(function, [])
        self.looked_into.pop()
        return unknown or bool(written)

    def hold(self, owners, inside):
        """Note that something is put into containers: what is put into one of several names for an object is in all."""
        self.share(owners, inside, taken=False)
        self.share(inside, owners)

    def share(self, targets, sources, taken=True):
        for t in targets:
            if t in self.numbers:
                continue
            if taken:
                self.taken.setdefault(t, set()).update(sources)
            self.made_of.setdefault(t, set()).update(sources)
            for n in sources:
                self.parent[self.find(t)] = self.find(n)

    def handed_on(self, expr):
        """Names whose object the value of the expression may be, or hold, or be a part of."""
        if isinstance(expr, gast.Name):
            return {expr.id} - self.numbers
        if isinstance(expr, gast.Attribute) and self.is_constant(expr):
            return set()
        if isinstance(expr, gast.Subscript) and isinstance(expr.ctx, gast.Load) and self.is_taken_by_list(expr):
            return set()
        if isinstance(expr, (gast.Subscript, gast.Attribute, gast.Starred, gast.NamedExpr)):
            return self.handed_on(expr.value)
        if isinstance(expr, gast.BinOp) and self.sequences.is_joined(expr):
            return self.handed_on(expr.left) | self.handed_on(expr.right)
        if isinstance(expr, (gast.Tuple, gast.List, gast.Set)):
            return set().union(*map(self.handed_on, expr.elts))
        if isinstance(expr, gast.Dict):
            return set().union(*map(self.handed_on, expr.values))
        if isinstance(expr, gast.IfExp):
            return self.handed_on(expr.body) | self.handed_on(expr.orelse)
        if isinstance(expr, gast.BoolOp):
            return set().union(*map(self.handed_on, expr.values))
        if isinstance(expr, gast.Call):
            return self.by_call(expr) | self.inside(expr.func)
        if isinstance(expr, (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)):
            found = self.handed_on(expr.value if isinstance(expr, gast.DictComp) else expr.elt)
            own = {n for g in expr.generators for n in tree.names(g.target, gast.Store)}
            return found if found.isdisjoint(own) else (found - own).union(*(self.handed_on(g.iter) for g in expr.generators))
        return set()

    def is_taken_by_list(self, expr):
        """Whether it is `a[[2, 0], k]` of what surely is an array: a copy of these elements."""
        parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        return any(isinstance(p, gast.List) for p in parts) and self.is_array(expr.value)

    def held_under(self, place, seen=()):
        """Names whose object an attribute may be: its owner's, and what is put under that name of anything."""
        found = self.handed_on(place)
        for value in self.placed.get(place.attr, ()) if place.attr not in seen else ():
            further = isinstance(value, gast.Attribute)
            found = found | (self.held_under(value, (*seen, place.attr)) if further else self.handed_on(value))
        return found

    def is_constant(self, expr):
        """Whether it is a number that a module of Python's or NumPy's has, such as `math.nan`."""
        if not isinstance(expr.value, gast.Name) or expr.value.id in self.resolver.local:
            return False
        module = self.resolver(expr.value)
        return isinstance(module, types.ModuleType) and module.__name__ in ('math', 'cmath', 'numpy') \
            and isinstance(getattr(module, expr.attr, None), float)

    def held_by(self, expr):
        """The same, and what functions have captured that it may be, or hold."""
        found = self.handed_on(expr) | by_lambdas(expr)
        names = {m for n in found for m in self.family(n) | {n}}
        return found.union(*(self.held.get(m, ()) for m in names))

    def is_number(self, expr):
        """Whether it is an element of an array, at places that surely are numbers."""
        if not isinstance(expr, gast.Subscript):
            return False
        parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        return is_element(expr, self.kinds) and all(isinstance(p, gast.Constant) or getattr(p, 'id', None) in self.numbers
                                                    for p in parts)

    def makes_array(self, call, found):
        """Whether a call gives an array of its own, by a function of NumPy's or a method of what surely is an array."""
        if found is UNKNOWN and isinstance(call.func, gast.Attribute):
            plain = call.func.attr == 'astype' and len(call.args) == 1 and not call.keywords
            return (plain or call.func.attr in ('copy', 'flatten')) and self.is_array(call.func.value)
        return facts.is_numpy(found) and (found in JOINING or facts.of(found).is_fresh(call))

    def of_objects(self, call):
        """Whether a call of NumPy makes an array of objects, which stand in it themselves: it is told so, or given what is made
        of a class of the user's."""
        dtypes = [k.value for k in call.keywords if k.arg == 'dtype']
        if any(self.resolver(e) is object or getattr(e, 'value', None) in ('O', 'object') for e in dtypes):
            return True
        leaves = [e for a in call.args for e in (a.elts if isinstance(a, (gast.List, gast.Tuple)) else [a])]
        made = [v for e in leaves for v in (self.bound.get(e.id, ()) if isinstance(e, gast.Name) else [e])]
        found = [self.resolver(v.func) for v in made if isinstance(v, gast.Call)]
        return any(isinstance(kind, type) and not facts.is_numpy(kind) and facts.home(kind) != 'builtins' for kind in found)

    def is_array(self, expr, seen=()):
        """Whether an expression surely gives an array or a number: its kind is known, or the text shows what makes it."""
        if isinstance(expr, gast.Name):
            made = self.bound.get(expr.id, ()) if expr.id not in seen else ()
            known = self.kinds.get(expr.id) is not None or is_of_linalg(self.unpacked.get(expr.id), self.resolver)
            return known or bool(made) and all(self.is_array(e, (*seen, expr.id)) for e in made)
        if isinstance(expr, gast.Subscript):
            return self.is_array(expr.value, seen)
        if isinstance(expr, gast.BinOp):
            return all(isinstance(e, gast.Constant) or self.is_array(e, seen) for e in (expr.left, expr.right))
        if not isinstance(expr, gast.Call):
            return False
        found = self.resolver(expr.func)
        return facts.is_numpy(found) and facts.of(found).numeric or self.effects.gives_array(found)

    def inside(self, func):
        """Names of what the function that an expression gives may hand out without being given it."""
        if isinstance(func, gast.Lambda) or getattr(func, 'id', None) in self.captured:
            return free(func) if isinstance(func, gast.Lambda) else self.captured[func.id]
        kept = self.made_of.get(func.id) and self.resolver(func) is UNKNOWN if isinstance(func, gast.Name) \
            else not isinstance(func, gast.Attribute)                           # a partial, `fs[0]`
        return self.held_by(func) if kept else set()

    def lent(self, expr):
        """Names whose memory the value may share, where a method that copies arrays is taken for what it is for arrays."""
        copies = isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and expr.func.attr in COPYING
        return set() if copies else self.handed_on(expr)

    def by_call(self, expr):
        found = self.resolver(expr.func)
        args = tree.arguments(expr)
        inside = pushed(expr, self.resolver)
        if inside is not None and self.resolver(inside) is not UNKNOWN:
            args = args[1:]
        if found is UNKNOWN and isinstance(expr.func, gast.Attribute):
            if expr.func.attr in GIVING_NOTHING:
                return set()
            rule, args = registry.method(expr.func.attr), args + [expr.func.value]
        else:
            rule = registry.lookup(found)
        if rule is not None and rule.always:                              # what comes from elsewhere is new
            return set() if facts.of(found).fresh else self.handed_on(args[0])
        if facts.is_numpy(found) and self.of_objects(expr):
            return set().union(*map(self.handed_on, args))
        if is_prange(found) or facts.of(found).copies and not any(k.arg == 'copy' for k in expr.keywords):
            return set()
        if found is UNKNOWN and isinstance(expr.func, gast.Attribute) and expr.func.attr in ('copy', 'flatten') \
                and self.is_array(expr.func.value):
            return set()
        if self.makes_array(expr, found) or self.effects.gives_new(found):
            return set()
        may_be_view = found is np.einsum and len(expr.args) == 2          # of one array
        if rule is not None and rule.kind in ('elementwise', 'reduction', 'bilinear', 'constant') and not may_be_view:
            return set().union(*map(self.handed_on, args)) if self.keeps_operands(found) else set()
        if found is UNKNOWN and rule is not None and facts.of(expr.func.attr).view == (0,):
            args = [expr.func.value]
        elif facts.is_numpy(found) and facts.of(found).view == (0,) and expr.args:
            args = expr.args[:1]
        elif rule is None and isinstance(found, (types.FunctionType, Nested)):
            lists = [e for e in args if self.sequences.may_be(e)]
            joined = [e for given in self.effects.summed(found, expr).values() for e in given] if lists else []
            args = [*self.effects.held(found, expr, self.exact), *(e for e in lists if any(e is given for given in joined))]
        return set().union(*map(self.handed_on, args))

    def keeps_operands(self, found):
        """Whether what an operator gives may hold its operands: a class in sight has a method for it that says so."""
        if facts.home(found) != '_operator':
            return False
        name = found.__name__.strip('_')
        methods = [vars(kind).get(f'__{r}{name}__') for kind in self.resolver.sight for r in ('', 'r')]
        return any(self.effects.of(f).kept != frozenset() for f in methods if isinstance(f, types.FunctionType))

    def written_by_method(self, call):
        """The same for a method of something that is known only when running, or of a global object."""
        owner = self.handed_on(call.func.value)
        if call.func.attr in SHUFFLES:
            return owner.union(*map(self.handed_on, call.args))
        if call.func.attr in WRITERS:
            return owner
        given = outputs_of_method(call, self.resolver)
        if given:
            return set().union(*map(self.handed_on, given))
        if tree.dotted(call.func.value) in self.resolver.comms:
            return set()
        known = registry.method(call.func.attr) is not None and call.func.attr not in self.effects.writing(self.resolver)
        if known or self.only_reads(call.func.attr) or self.is_outside(call.func) or self.effects.reads(call.func.attr):
            return set()
        return owner.union(*map(self.handed_on, tree.arguments(call)))

    def is_outside(self, func):
        """Whether a method is one of a global object of the standard library's or of C's: a logger, a file, a generator."""
        found = self.resolver.value(func.value)
        method = getattr(type(found), func.attr, None)
        return found is not UNKNOWN and (
            facts.home(type(found)) in sys.stdlib_module_names or not isinstance(method, types.FunctionType))

    def reads_value(self, s):
        """Whether a derivative may flow through the value of a statement: not where it is tested, or bound to no use."""
        bound = [n for t in s.targets for n in gast.walk(t)] if isinstance(s, gast.Assign) else ()
        if bound and not any(isinstance(n, (gast.Attribute, gast.Subscript)) for n in bound):
            return not self.loaded.isdisjoint(n.id for n in bound if isinstance(n, gast.Name))
        return not isinstance(s, (gast.If, gast.While, gast.Assert))

    def by_unknown(self, call):
        """Names of what is given to a function that is known only when running, here or in the function that is called."""
        func = pushed(call, self.resolver) or call.func
        found = self.resolver(func)
        if is_reference(self.resolver.globals):
            return set()
        if found is UNKNOWN and not isinstance(func, gast.Attribute):
            given = tree.arguments(call)                                       # a partial has some arguments already:
            held = self.made_of.get(getattr(func, 'id', None), set()) | self.handed_on(func) & self.resolver.local
        else:
            given, held = self.effects.unsure_of(found, call) if isinstance(found, (types.FunctionType, Nested)) else [], set()
        return held.union(*map(self.handed_on, given))

    def written_when_pushed(self, inside, parts):
        """The same of a function of the user's, or of a class, with these tuples of values and of their tangents."""
        found = self.resolver(inside)
        calls = [gast.Call(func=inside, args=part.elts, keywords=[]) for part in parts if isinstance(part, gast.Tuple)]
        known = isinstance(found, (types.FunctionType, type, Nested)) and len(calls) == 2
        changed = [e for call in calls for part in self.effects(found, call) for e in part] if known else []
        return set().union(*map(self.handed_on, changed))

    def written(self, call, for_effect):
        """Names of the objects that a call writes into: the owner of a writing method; what an unknown function made only
        for its effect is given."""
        inside = pushed(call, self.resolver)
        if inside is not None:                # what `x.f(y)` may write, and the tangents of that
            given = call.args[self.resolver(inside) is not UNKNOWN:] + [k.value for k in call.keywords]
            acts = isinstance(self.resolver(inside), Acting)
            every = for_effect or acts or is_method(inside)
            return set().union(*map(self.handed_on, given)) if every else self.written_when_pushed(inside, call.args[1:3])
        if isinstance(call.func, gast.Attribute) and self.resolver(call.func) is UNKNOWN:
            return self.written_by_method(call)
        if isinstance(call.func, gast.Name) and call.func.id in self.writers:
            return self.handed_on(call.func)
        found = self.resolver(call.func)
        scatters = facts.is_of_ufunc(found) and found.__name__ == 'at' and not tree.is_starred(call)
        out = call.args[:1] if scatters else outputs(found, call)
        if out:
            return set().union(*map(self.handed_on, out))
        if isinstance(found, (*GETTERS, operator.methodcaller)) and self.does_write(found):
            return set().union(*map(self.handed_on, tree.arguments(call)))
        if facts.is_ours(found):
            return set()
        if self.effects.knows(found):
            return set()                      # `calls` has said what it writes
        if not for_effect or is_prange(found) or found is not UNKNOWN and registry.lookup(found) is not None:
            return set()                      # what has a rule gives its value, and no more
        return set().union(*map(self.handed_on, tree.arguments(call)))


def is_reference(namespace):
    """Whether functions with these globals stand in for those of libraries, or are derivatives of such ones."""
    return str(namespace.get('__name__', '')).startswith('tangent.runtime.references')


def counters(function, resolver):
    """The names that only numbers are bound to: by loops over ranges, by literals, and by arithmetic with such names."""
    stored, binding, others = collections.Counter(), {}, set()
    for n in tree.walk(function):
        if isinstance(n, gast.Name):
            stored[n.id] += not isinstance(n.ctx, gast.Load)
        elif isinstance(n, (gast.For, gast.Assign, gast.AugAssign)):
            for name, value in number_bound(n, resolver):
                binding.setdefault(name, []).append(value)
        elif not isinstance(n, gast.Constant):
            others.update(text for text in vars(n).values() if isinstance(text, str))      # `import x`, `case x:`
            others.update(n.names if isinstance(n, (gast.Nonlocal, gast.Global)) else ())
    found = {n for n, made in binding.items() if len(made) == stored[n]} - others
    while more := {n for n in found for value in binding[n] if value is not None and not is_arithmetic(value, found)}:
        found -= more
    return found


def number_bound(s, resolver):
    """(name, value) of what a statement may bind to a number; no value for the target of a loop over a range."""
    pairs = []
    if isinstance(s, gast.For):
        made = resolver(s.iter.func) if isinstance(s.iter, gast.Call) else None
        pairs = [(s.target, None)] if made is range or is_prange(made) else []
    elif isinstance(s, (gast.Assign, gast.AugAssign)):
        pairs = [(t, s.value) for t in (s.targets if isinstance(s, gast.Assign) else [s.target])]
    for t, value in pairs[:]:
        if isinstance(t, gast.Tuple) and isinstance(value, gast.Tuple) and len(t.elts) == len(value.elts):
            pairs += zip(t.elts, value.elts)
    return [(t.id, value) for t, value in pairs if isinstance(t, gast.Name)]


def is_arithmetic(expr, numbers):
    """Whether an expression is made of literals and names of numbers alone."""
    if isinstance(expr, (gast.BinOp, gast.UnaryOp)):
        return all(is_arithmetic(e, numbers) for e in tree.children(expr) if isinstance(e, gast.expr))
    return isinstance(expr, gast.Name) and expr.id in numbers \
        or isinstance(expr, gast.Constant) and isinstance(expr.value, (int, float, complex))


def keeps(call):
    """Whether it is one such as `d.update(k=v)`, after which its object holds what it was given."""
    known = mutations.of(call.func.attr) if isinstance(call.func, gast.Attribute) else mutations.NOTHING
    return known.keeps and known.of != {'set'}                                       # what is in a set is no array


class Escaping(NamedTuple):
    """What of the caller's a function may write a value with a derivative into, as its caller may read.

    written : the first name of something that it writes into, or None
    updated : its parameters that it updates by `x += v`, which changes what is no number
    """
    written: str | None
    updated: tuple

    @classmethod
    def of(cls, aliases, function, varied, written):
        found = {m for _, n in aliases.updates for m in aliases.family(n) | {n}
                 if not varied.isdisjoint(aliases.family(n) | {n})}
        return cls(written, tuple(p for p in tree.names(function.args, gast.Param) if p in found))


def insertion(s):
    """(x, x2) of `with insert_grad_of(x, x2) as dx:` of the normal form, in which x2 is bound to x; None for others."""
    args = getattr(s.items[0].context_expr, 'args', ()) if isinstance(s, gast.With) else ()
    return args if len(args) == 2 and isinstance(args[1], gast.Name) and isinstance(args[1].ctx, gast.Store) else None


def is_method(func):
    """Whether what is called is a method: `x.f`, or what stands for `super().f`."""
    return isinstance(func, gast.Attribute) or tree.is_call(func, 'method_above')


COMPREHENSIONS = gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp


def handed_to(caller, call):
    """The arguments of a call of `map` and the like that are functions, which it calls."""
    at, word = facts.of(caller).calls or (None, None)
    return [k.value for k in call.keywords if k.arg == word and word] + (call.args[at:at + 1] if at is not None else [])


def is_lazy_caller(function):
    """Whether it is `map` or the like, which calls a function when its iterator is gone through."""
    return facts.of(function).takes == 'later' and facts.of(function).calls is not None


NUMERIC = 'elementwise', 'reduction', 'bilinear', 'linear'                # kinds of rules for numbers and arrays
GETTERS = operator.itemgetter, operator.attrgetter
# NumPy's that give an array of its own, made of others
JOINING = frozenset([np.concatenate, np.stack, np.hstack, np.vstack, np.dstack, np.column_stack, np.tile, np.repeat, np.pad,
                     np.append, np.insert, np.delete, np.roll])
CHANGING = frozenset('setattr delattr next exec eval setitem delitem iand ior copyto put place putmask fill_diagonal'.split())
CHANGING |= {name for name in vars(operator) if name[0] == 'i' and name[1:] in vars(operator)}             # operator.iadd


GIVING_NOTHING = mutations.names(
    lambda m: m.gives == 'nothing' and m.of & {'list', 'set'} and 'array' not in m.of and not m.common)
COPYING = mutations.names(lambda m: m.gives == 'new' and not m.writes)


def outputs(function, call):
    """The arguments of a call of NumPy's into which it writes its value: `out=`, or in its place, or hidden by `*` or `**`."""
    at = facts.place_of_output(function)
    known = facts.is_numpy(function) or facts.is_of_ufunc(function)
    hidden = [k.value for k in call.keywords if k.arg is None] if known else []
    starred = [a.value for a in call.args if isinstance(a, gast.Starred)] if at is not None else []
    return given_out(call, at, getattr(function, 'nout', 1)) + hidden + starred


def outputs_of_method(call, resolver):
    """The same for a method that arrays have, of something that is known only when running."""
    attr = call.func.attr
    if registry.method(attr) is None or any(attr in vars(kind) for kind in resolver.sight):
        return given_out(call, None)
    at = facts.of(attr).out
    return given_out(call, at if at is None else at - 1)


def given_out(call, at, several=1):
    """What a call is given as `out=`, or at that place, where several values may be meant."""
    given = [k.value for k in call.keywords if k.arg == 'out']
    if at is not None:
        given += call.args[at:at + several]
    return [e for e in given if not (isinstance(e, gast.Constant) and e.value in (None, ...))]


def writes_out(found, call):
    """Whether a function of NumPy is given an array to write into."""
    if outputs(found, call):
        return True
    return bool(facts.of(getattr(found, '__name__', None)).writes) and facts.home(found) in ('', 'numpy')


LIST_METHODS = mutations.names(lambda m: m.writes and not m.orders and m.of & {'list', 'dict', 'set'})


def is_of_linalg(call, resolver):
    """Whether it is a call of `numpy.linalg`: all that this gives is an array or a number."""
    return isinstance(call, gast.Call) and getattr(resolver(call.func), '__module__', '') == 'numpy.linalg'


def by_lambdas(expr):
    """Names that lambdas in an expression have captured."""
    return set().union(*(free(n) for n in tree.walk(expr) if isinstance(n, gast.Lambda)))


def writes_no_array(s, resolver):
    """Whether a statement surely writes into a list, dict or set: the caller's own is meant then, as for a log."""
    if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and isinstance(s.value.func, gast.Attribute):
        return s.value.func.attr in LIST_METHODS and resolver(s.value.func) is UNKNOWN          # not numpy.add
    targets = s.targets if isinstance(s, gast.Assign) else [s.target] if isinstance(s, gast.AugAssign) else []
    return any(isinstance(t, gast.Subscript) and isinstance(t.slice, gast.Constant) and isinstance(t.slice.value, str)
               or isinstance(t, gast.Attribute) and t.attr not in ('shape', 'real', 'imag', 'flat') for t in targets)
