"""Buffers: arrays that a function writes into, element by element, while a derivative flows through them.

    y = np.zeros(n)                    by = ...
    y[i] = v                           bv = by[i]; by[i] = 0
    y[i] += v                          bv = by[i]
    t = y[i]                           by[i] += bt

The array keeps one name, and so does its gradient. What a write destroys is put back on the way back, so that the adjoint
of what came before it reads what it read (the optimizer leaves that out where nothing reads it). All this is so only for
an array whose writes are all seen in the text: it is made by the function itself, and no other name that may share its
memory (a view, an alias) is read after a write that it did not see coming.
"""
import collections
import types
from typing import NamedTuple

import gast
import numpy as np

from tangent.analysis.activity import is_passive
from tangent.analysis.array_accesses import ARITHMETIC, array_like, is_element, is_position, is_whole, needs_no_axes, write_of
from tangent.analysis.dataflow.solve import closure
from tangent.analysis.generators import is_generator_call
from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import LAZY, SCOPES, UNKNOWN
from tangent.frontend.source import uncompiled
from tangent.runtime import facts
from tangent.templates.language import registry
from tangent.templates.python import mutations

NUMBERS = 'item', 'sum', 'prod', 'mean', 'std', 'var', 'max', 'min', 'ptp'           # methods that give what is new
RESHAPING = 'reshape', 'squeeze', 'transpose', 'swapaxes'
KEEPERS = mutations.names(lambda m: m.keeps)
LISTS = list, sorted


class Event(NamedTuple):
    """What the text does: its place in the order of the text, the loops and the branches around it: (place of an if, field)."""
    at: int
    loops: tuple
    branches: tuple = ()

    def before(self, other, fixed):
        """Whether `other` may run after this one, with none of the statements that stand in the loops `fixed` in between."""
        behind = other.at > self.at and not self.excludes(other)
        return behind or any(loop in other.loops and loop not in fixed for loop in self.loops)

    def excludes(self, other):
        """Whether the two stand in several branches of one `if`."""
        mine = dict(self.branches)
        return any(mine.get(at, field) != field for at, field in other.branches)


class Memory:
    """Whose memory the values of expressions may share.

    ranks : name of an array -> number of axes, where it is known
    """

    def __init__(self, resolver, aliases, ranks):
        self.resolver, self.aliases, self.ranks = resolver, aliases, ranks

    def memory(self, expr):
        """Names of arrays whose memory the value of an expression may share, or hold."""
        if isinstance(expr, (gast.UnaryOp, gast.Compare, gast.Constant)) or self.is_fresh(expr):
            return set()
        if isinstance(expr, gast.Subscript) and is_element(expr, self.ranks):
            return set()
        if getattr(expr, 'id', None) in self.aliases.numbers:
            return set()
        inner = expr
        while isinstance(inner, (gast.Subscript, gast.Attribute)):
            if isinstance(inner, gast.Attribute) and is_passive(inner.attr):
                return set()
            inner = inner.value
        call = expr if isinstance(expr, gast.Call) else None
        if call is not None and self.aliases.effects.knows(self.resolver(call.func)):
            args = tree.arguments(call)
            return set().union(*(self.memory(a) for a in args if not isinstance(a, gast.Starred)
                                 and self.aliases.effects.keeps(self.resolver(call.func), call, a)))
        return self.aliases.handed_on(expr)

    def is_fresh(self, expr):
        """Whether the expression surely makes a new array; `[u] * 2` and `xs + ys` of lists hold the arrays that these hold."""
        if isinstance(expr, gast.BinOp):
            return not self.aliases.sequences.is_joined(expr)
        if isinstance(expr, gast.UnaryOp):
            return True
        if not isinstance(expr, gast.Call):
            return False
        function = self.resolver(expr.func)
        if function is UNKNOWN:
            name, given = getattr(expr.func, 'attr', None), len(expr.args) + len(expr.keywords)
            return name in ('copy', 'astype') and not expr.keywords \
                or name in NUMBERS and given <= 1 and not any(k.arg == 'out' for k in expr.keywords) \
                and not any(hasattr(kind, name) for kind in self.resolver.classes)
        if self.aliases.effects.gives_new(function):
            return True
        if any(k.arg in ('copy', 'out') for k in expr.keywords):
            return False
        rule = registry.lookup(function)
        known = facts.of(facts.shared_name(function))
        new = known.copies or known.fills or known.alike or known.rank is not None
        return rule is not None and (new or not self.aliases.by_call(expr))


class Buffers(Memory):
    """The buffers of a function in which every definition has its own name.

    names : the buffers
    writes : statement -> Write, for those
    calls : statement -> the buffers that a function called there writes into, or can add to the gradients of
    given : buffers that are parameters
    ranks : name -> number of axes, where it is known
    """

    def __init__(self, function, resolver, aliases, active, arrays=(), kinds=types.MappingProxyType({}), typed=False):
        axes = {n: kind for n, kind in kinds.items() if type(kind) is int}
        super().__init__(resolver, aliases, axes)
        self.places, self.makes, self.holds, self.holders, self.uses, self.opaque = {}, {}, {}, {}, {}, set()
        self.given, self.surely, self.typed = set(dict(arrays)), set(), typed
        self.names, self.writes, self.calls = set(), {}, {}
        named = {name for s, name in aliases.writes + aliases.updates if name in active}
        if not named:
            return
        self.scan(function.body, ())
        self.counts = {e.id for s in self.places for part in tree.header(s) for n in tree.walk(part)
                       if tree.is_call(n, 'range') for e in n.args if isinstance(e, gast.Name)}
        self.ranks = {n: r for n, r in dict(arrays).items() if r is not None}
        self.ranks |= axes
        self.ranks.update((n, r) for n in self.makes for r in [self.rank(n)] if r is not None)
        if 'cupy' in resolver.modules:              # there an element is a view, as a slice is
            self.ranks = {}
        for name in by_slices(function, resolver, kinds):          # which are views, too
            self.ranks.pop(name, None)
        evident = axes.keys() | array_like(function, resolver) | aliases.effects.handed_over(function, resolver)
        self.share(evident)
        self.surely = axes.keys() | array_like(function, resolver, surely=True)
        found = {s: w for s in tree.every(function.body) if (w := write_of(s)) is not None}
        calls = {s: names for s in self.places if (names := self.written_by(s))}
        wanted = {w.name for w in found.values()}.union(*calls.values()) & active - aliases.builders.kinds.keys()
        writers, times = set(), collections.Counter(aliases.writes)
        for s, name in aliases.writes + [u for u in aliases.updates if not isinstance(u[0], gast.AugAssign)]:
            alone = s in found and times[s, name] == 1        # and no call in the statement writes into it, too
            if not alone and name not in calls.get(s, ()):
                writers |= self.aliases.family(name)      # a statement of another kind writes into it, or may
        for name in sorted(wanted - writers):
            mine = [s for s, w in found.items() if w.name == name] + [s for s, names in calls.items() if name in names]
            if self.is_made(name, evident) and self.is_alone(name, mine) and not self.is_list(name, mine):
                self.names.add(name)
        self.writes = {s: w for s, w in found.items() if w.name in self.names}
        self.names |= self.given
        self.calls = {s: names + self.also_given(s, names) for s, names in calls.items() if self.names.issuperset(names)}

    def __contains__(self, name):
        return name in self.names

    # Reading the function

    def scan(self, stmts, loops, branches=()):
        for s in stmts:
            loop = isinstance(s, (gast.For, gast.While))
            at = len(self.places)
            here = self.places[s] = Event(at, loops + (at,) if loop else loops, branches)
            for name in tree.reads(s):
                self.uses.setdefault(name, []).append(here)
            source = s.iter if isinstance(s, gast.For) else s.value if isinstance(s, gast.Assign) else None
            if source is not None:
                for name in tree.writes(s):
                    self.makes.setdefault(name, []).append((here, source))
            for field, block in tree.blocks(s):
                self.scan(block, here.loops, (*branches, (at, field)) if isinstance(s, gast.If) else branches)

    def share(self, evident):
        """Note which names may hold memory of others, and what goes out of sight."""
        for name, made in self.makes.items():
            self.holds[name] = [(here, self.memory(source)) for here, source in made if name not in self.aliases.numbers]
        for s, here in self.places.items():
            change = self.aliases.builders.changes.get(s)
            if change is not None and change.value is not None:
                self.holds.setdefault(change.name, []).append((here, self.memory(change.value)))
                continue
            self.opaque |= self.stored_elsewhere(s, evident)
            for node in [n for part in tree.header(s) for n in tree.walk(part)]:
                if isinstance(node, SCOPES):
                    self.opaque |= tree.all_names(node)
                elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in KEEPERS \
                        and self.resolver(node.func) is UNKNOWN:
                    self.opaque |= set().union(*map(self.memory, node.args))
        for name, held in self.holds.items():
            for shared in set().union(*(names for _, names in held)):
                self.holders.setdefault(shared, []).append(name)

    def stored_elsewhere(self, s, evident):
        """Names whose memory an assignment puts into a list, dict or object."""
        for target in s.targets if isinstance(s, gast.Assign) else ():
            parts = target.elts if isinstance(target, (gast.Tuple, gast.List)) else [target]
            for part in parts:
                if isinstance(part, gast.Attribute) or isinstance(part, gast.Subscript) and not self.is_array(
                        part.value, evident):
                    return self.memory(s.value)
        return set()

    def is_array(self, expr, evident):
        return isinstance(expr, gast.Name) and (expr.id in evident or expr.id in self.given or any(
            self.is_fresh(value) for _, value in self.makes.get(expr.id, ())))

    # Questions

    def is_made(self, name, evident):
        """Whether the name is bound once, to a new array, or is a parameter known to be one."""
        if name in self.given:
            return name not in self.makes and name not in self.opaque
        made = self.makes.get(name, ())
        if len(made) != 1 or name in self.opaque:
            return False
        value = made[0][1]
        if self.is_only_view(*made[0]):
            value = value.value if isinstance(value, gast.Attribute) else value.func.value
            if isinstance(value, gast.Name):
                return self.is_made(value.id, evident)
        if not self.is_fresh(value):
            return False
        if isinstance(value, gast.Call):
            function = self.resolver(value.func)
            if function is UNKNOWN and isinstance(value.func, gast.Attribute) and self.is_container(value.func.value):
                return False
            if getattr(function, '__name__', '') == 'init_grad' and self.is_sequence(value.args[0]):
                return False
            return function is not UNKNOWN and getattr(function, '__name__', '') != 'copy' or name in evident \
                or facts.home(function) == 'numpy'
        return name in evident or isinstance(value.op, ARITHMETIC)

    def is_container(self, expr, seen=()):
        """Whether a value may be a list or dict that the text makes: `d[0, 1]` is an element, and a copy holds the same."""
        if isinstance(expr, gast.Name) and expr.id not in seen:
            return any(self.is_container(value, (*seen, expr.id)) for _, value in self.makes.get(expr.id, ()))
        return isinstance(expr, (gast.Dict, gast.List, gast.DictComp, gast.ListComp)) \
            or isinstance(expr, gast.Call) and self.resolver(expr.func) in (dict, list)

    def is_list(self, name, writes):
        """Whether the name is bound to a list that is written into in another way than arrays are: a slice of it is no view
        into which zeros go, and what holds arrays has no number for an element."""
        made = self.makes.get(name, ())
        function = self.resolver(made[0][1].func) if made and isinstance(made[0][1], gast.Call) else None
        if function not in LISTS:
            return facts.of(function).sequence
        return any(self.is_taken_whole(name, s) if (w := write_of(s)) is None or w.name != name else not is_position(w.index)
                   for s in writes)

    def is_taken_whole(self, name, s):
        """Whether the function called in a statement that writes into it takes more than elements of what has a name."""
        call = self.writing_call(s)
        function, effects = uncompiled(self.resolver(call.func)), self.aliases.effects
        given = {p for p, found in effects.bound(function, call).items() if any(getattr(e, 'id', None) == name for e in found)}
        return not given or not given.isdisjoint(effects.of(function).whole)

    def is_only_view(self, here, expr):
        """Whether it is `t.T` or `t.reshape(...)` of an array that is bound as often, or not at all, and nothing else reads."""
        taken = expr.func if isinstance(expr, gast.Call) else expr
        if not isinstance(taken, gast.Attribute) or taken.attr not in (RESHAPING if taken is not expr else ('T',)) \
                or self.resolver(taken) is not UNKNOWN:
            return False
        if not isinstance(taken.value, gast.Name):
            return isinstance(taken.value, (gast.Call, gast.BinOp))
        name = taken.value.id
        made = self.makes.get(name, ())
        alone = len(self.uses.get(name, ())) == 1 and name not in self.given
        return alone and len(made) == 1 and made[0][0].loops == here.loops

    def is_sequence(self, expr):
        """Whether the text shows the value to be a list or tuple: a display, or what begins or ends with one."""
        if isinstance(expr, gast.Name):
            made = self.makes.get(expr.id, ())
            return len(made) == 1 and self.is_sequence(made[0][1])
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Mult)):
            return self.is_sequence(expr.left) or self.is_sequence(expr.right)
        return isinstance(expr, (gast.Tuple, gast.List))

    def written_by(self, s):
        """The arrays that a function called in a statement writes into, if nothing else there looks at them."""
        calls = [n for n in tree.walk(s) if isinstance(n, gast.Call) and self.writes_into(n)] if not any(tree.blocks(s)) else []
        if len(calls) != 1 or any(isinstance(n, LAZY) for n in tree.walk(s)):
            return []
        names = self.written_by_call(calls[0])
        every, inside = (collections.Counter(tree.names(node, gast.Load)) for node in (s, calls[0]))
        return names if all(every[m] == inside[m] for n in names for m in self.family(n)) else []

    def also_given(self, s, written):
        """Further buffers that the function called in a statement is given, whose gradients it can add to in place."""
        args = tree.arguments(self.writing_call(s))
        return [a.id for a in args if isinstance(a, gast.Name) and a.id in self.names and a.id not in written
                and sum(a.id in self.sharing(other) for other in args) == 1]

    def writing_call(self, s):
        """The call in a statement that writes into arrays."""
        return next(n for n in tree.walk(s) if isinstance(n, gast.Call) and self.writes_into(n))

    def writes_into(self, call):
        found = self.aliases.effects(self.resolver(call.func), call)
        return any(found)

    def written_by_call(self, call):
        function = uncompiled(self.resolver(call.func))
        if not isinstance(function, (types.FunctionType, Nested)) or registry.lookup(function) is not None \
                or tree.is_starred(call):
            return []
        if is_generator_call(call, self.resolver):          # it writes while it is gone through, which other code does
            return []
        effects = self.aliases.effects
        written = [e for part in effects(function, call) for e in part]
        bound = effects.bound(function, call)
        if not all(self.is_number(e) for p in effects.of(function).aliased for e in bound.get(p, ())):
            return []                                                             # its text has no name for them
        args = tree.arguments(call)
        written = [e for e in written if not self.is_number(e)]
        names = [e.id for e in written if isinstance(e, gast.Name)]
        clear = len(names) == len(written) and all(
            sum(n in self.sharing(a) for a in args) == 1 for n in names)
        return list(dict.fromkeys(names)) if clear else []

    def is_number(self, expr):
        """Whether an argument surely is a number: `d *= 2` in the function that gets it changes nothing here."""
        if isinstance(expr, (gast.BinOp, gast.UnaryOp)):
            return all(self.is_number(e) for e in tree.children(expr) if isinstance(e, gast.expr))
        named = getattr(expr, 'id', None) in self.aliases.numbers
        return named or isinstance(expr, gast.Constant) or self.aliases.is_number(expr)

    def sharing(self, expr):
        """Names whose memory is within reach through an argument, the arrays that it is a view of among them."""
        found = self.memory(expr)
        return found | {n for n in self.makes if not found.isdisjoint(self.family(n))}

    def is_alone(self, name, writes):
        """Whether no other name that may share the memory is read after a write that follows the sharing."""
        holders = self.family(name)
        if holders & self.opaque:
            return False
        made = self.makes[name][0][0].loops if name in self.makes else ()
        changes = [self.places[s] for s in writes]
        return not any(bound.before(change, made) and self.follows(change, use, bound)
                       for h in holders - {name} for bound, names in self.holds[h] if names & holders
                       for change in changes for use in self.uses.get(h, ()))

    @staticmethod
    def follows(change, use, bound):
        """Whether the use may come after the change while the name is still bound as it was at `bound`."""
        if use.at == change.at:
            return any(loop not in bound.loops for loop in use.loops)
        if use.at > change.at:
            return not change.at < bound.at < use.at or use.loops[:len(bound.loops)] != bound.loops
        return any(loop in change.loops and loop not in bound.loops for loop in use.loops)

    def lasts(self, name, buffer):
        """Whether what was read of the buffer under a name is still there wherever the name is read."""
        made = self.makes[buffer][0][0].loops if buffer in self.makes else ()
        changes = [self.places[s] for s, w in self.writes.items() if w.name == buffer]
        changes += [self.places[s] for s, names in self.calls.items() if buffer in names]
        return not any(bound.before(change, made) and self.follows(change, use, bound)
                       for bound, _ in self.makes.get(name, ()) for change in changes for use in self.uses.get(name, ()))

    def family(self, name):
        """The name and all others that may share memory with it."""
        return closure([name], self.holders)

    def rank(self, name):
        """The number of axes of a buffer, where the text says it."""
        made = self.makes[name]
        if len(made) != 1 or not isinstance(made[0][1], gast.Call):
            return None
        call = made[0][1]
        known = facts.of(facts.shared_name(self.resolver(call.func)))
        if known.rank is not None:
            return known.rank
        args = call.args or [k.value for k in call.keywords if k.arg == 'shape']
        if (tree.dotted(call.func) or '').startswith('array_copy') and len(args) == 2:
            return args[1].value
        if known.alike and args and isinstance(args[0], gast.Name):
            return self.rank(args[0].id) if args[0].id in self.makes else self.ranks.get(args[0].id)
        if not known.fills or not args:
            return None
        if isinstance(args[0], (gast.Tuple, gast.List)) and not tree.starred(args[0].elts):
            return len(args[0].elts)
        if isinstance(args[0], gast.Attribute) and args[0].attr == 'shape' and isinstance(args[0].value, gast.Name):
            return self.rank(args[0].value.id) if args[0].value.id in self.makes else self.ranks.get(args[0].value.id)
        return 1 if is_count(args[0], self) else None


    def may_be_list(self, name):
        """Whether a buffer may be a list, of which a slice is a list of its own: what nothing tells to be an array, and has
        come from a caller, or was not made by NumPy."""
        if self.typed or name in self.surely or self.ranks.get(name) is not None:         # Numba tells arrays from lists
            return False
        made = self.makes.get(name, ())
        return not made or isinstance(made[0][1], gast.Call) and facts.home(self.resolver(made[0][1].func)) != 'numpy'

    def may_be_number(self, name):
        """Whether the array may have no axes, so that arithmetic gives a number in its place."""
        indices = [w.index for w in self.writes.values() if w.name == name]
        made = {n: [value for _, value in found] for n, found in self.makes.items()}
        number = any(is_fresh_number(value, self.resolver) for value in made.get(name, ()))
        return not self.ranks.get(name) and (any(map(is_whole, indices)) or not number and needs_no_axes(indices, made))

    def is_message(self, expr):
        """Whether a value has come from another process into an array of the same kind."""
        if isinstance(expr, gast.Name):
            made = self.makes.get(expr.id, ())
            return bool(made) and all(isinstance(value, gast.Call) and self.is_message(value) for _, value in made)
        return isinstance(expr, gast.Call) and registry.is_message(self.resolver(expr.func))

    def is_floating(self, name):
        """Whether an array surely holds no integers, which would cut off what is written; a message is of what it holds."""
        written = [s for s, w in self.writes.items() if w.name == name]
        if written and all(self.is_message(s.value) for s in written) and not any(name in n for n in self.calls.values()):
            return True
        made = self.makes.get(name, ())
        if len(made) != 1:
            return False
        value = made[0][1]
        if not isinstance(value, gast.Call):
            return True
        function = self.resolver(value.func)
        if self.aliases.effects.gives_new(function):
            return False
        kind = facts.shared_name(function)
        if kind == 'full' and len(value.args) == 2:
            return isinstance(value.args[1], gast.Constant) and isinstance(value.args[1].value, float)
        if kind in ('zeros', 'ones', 'empty', 'eye', 'identity'):
            return len(value.args) == 1 and not any(k.arg == 'dtype' for k in value.keywords)
        if kind in ('zeros_like', 'ones_like', 'empty_like', 'copy', 'array'):
            return len(value.args) == 1 and not value.keywords and isinstance(value.args[0], gast.Name) \
                and self.is_floating(value.args[0].id)
        return kind not in ('array', 'copy', 'full', 'arange') and not kind.endswith('_like')


def is_fresh_number(expr, resolver):
    """Whether an expression gives a number, into which nobody writes, where it is made of arrays without axes."""
    if not isinstance(expr, gast.Call):
        return isinstance(expr, (gast.BinOp, gast.UnaryOp))
    function = resolver(expr.func)
    rule = registry.lookup(function)
    return isinstance(function, np.ufunc) or rule is not None and rule.kind in ('reduction', 'bilinear')


def by_slices(function, resolver, kinds):
    """Names of what is indexed by something that may be a slice, though it does not stand there as one."""
    places = Places(function, resolver, kinds)
    return {n.value.id for n in places.nodes if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name)
            and not all(map(places.is_sure, getattr(n.slice, 'elts', [n.slice])))}


class Places:
    """What the indices of a function are made of.

    kinds : names of which it is known that they are numbers or arrays
    """

    def __init__(self, function, resolver, kinds):
        self.resolver, self.kinds, self.bound = resolver, kinds, {n: [None] for n in tree.names(function.args, gast.Param)}
        self.nodes = [n for s in function.body for n in tree.walk(s)]
        for n in self.nodes:
            if isinstance(n, gast.Assign):
                for target, value in (pair for t in n.targets for pair in tree.side_by_side(t, n.value)):
                    self.bind(target, value if isinstance(target, gast.Name) else None)
            elif isinstance(n, (gast.For, gast.comprehension)):
                self.loop(n)
            elif isinstance(n, gast.NamedExpr):
                self.bind(n.target, n.value)

    def bind(self, target, value):
        for name in tree.names(target, gast.Store):
            self.bound.setdefault(name, []).append(value)

    def loop(self, loop):
        """What a loop binds: numbers, where it counts, or where it goes through literals."""
        called = self.resolver(loop.iter.func) if isinstance(loop.iter, gast.Call) else None
        counts = isinstance(loop.target, gast.Tuple) and called is enumerate
        for k, target in enumerate(loop.target.elts if isinstance(loop.target, gast.Tuple) else [loop.target]):
            literal = getattr(loop.iter, 'elts', None)
            if called is range or called is np.ndindex or counts and k == 0:
                self.bind(target, tree.constant(0))
            elif literal and isinstance(target, gast.Name) and target is loop.target:
                for e in literal:
                    self.bind(target, e)
            else:
                self.bind(target, None)

    def is_sure(self, index, within=frozenset()):
        """Whether an index is a slice that stands there, or surely none."""
        if isinstance(index, gast.Name):
            values = self.bound.get(index.id)
            if index.id in self.kinds or index.id in within:
                return True
            if values is None:
                return not makes_slices(self.resolver(index))
            return all(v is not None and not isinstance(v, gast.Slice) and self.is_sure(v, within | {index.id}) for v in values)
        if isinstance(index, gast.Call):
            function = self.resolver(index.func)
            method = function is UNKNOWN and isinstance(index.func, gast.Attribute)
            if method:
                return registry.method(index.func.attr) is not None
            written = isinstance(function, (types.FunctionType, Nested)) and not facts.in_library(function)
            return function is not slice and function is not UNKNOWN and not written
        if isinstance(index, gast.Subscript):
            return isinstance(index.value, gast.Attribute) and index.value.attr == 'shape'
        if isinstance(index, gast.Attribute):                                # of a module: `cuda.threadIdx.x`
            module = isinstance(self.resolver(tree.root(index)), types.ModuleType)
            return is_passive(index.attr) or module and not makes_slices(self.resolver(index))
        if isinstance(index, (gast.IfExp, gast.BoolOp, gast.Tuple)):
            return all(self.is_sure(e, within) for e in tree.children(index))
        return True


def names_slice(nodes, resolver):
    """Whether a text with these nodes makes slices, so that a name in it may stand for one."""
    return any(isinstance(n, gast.Name) and resolver(n) is slice for n in nodes)


def makes_slices(thing):
    """Whether a thing is, makes or holds slices."""
    if isinstance(thing, (list, tuple, dict)):
        return any(isinstance(e, slice) for e in (thing.values() if isinstance(thing, dict) else thing))
    return thing is slice or isinstance(thing, (slice, type(np.s_)))


NONE = types.SimpleNamespace(names=frozenset(), writes={}, calls={}, ranks={})


def is_count(expr, buffers):
    """Whether an expression that tells a shape is surely one number."""
    if isinstance(expr, gast.Constant):
        return isinstance(expr.value, int)
    if isinstance(expr, gast.BinOp):
        return is_count(expr.left, buffers) and is_count(expr.right, buffers)
    if isinstance(expr, gast.Call):
        return tree.dotted(expr.func) == 'len'
    if isinstance(expr, gast.Attribute):
        return expr.attr == 'size'
    if isinstance(expr, gast.Subscript):
        return isinstance(expr.value, gast.Attribute) and expr.value.attr == 'shape' and not isinstance(expr.slice, gast.Slice)
    if isinstance(expr, gast.Name):
        made = buffers.makes.get(expr.id, ())
        return expr.id in buffers.counts or len(made) == 1 and is_count(made[0][1], buffers)
    return False
