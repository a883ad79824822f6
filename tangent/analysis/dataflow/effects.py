"""What may be left out, moved or shared: effects of statements, and which names may hold the same object."""
import builtins
import collections
import threading

import gast

from tangent.analysis.dataflow import cfg
from tangent.analysis.dataflow.sequences import Sequences
from tangent.analysis.dataflow.statements import CLASSES, CONDITIONAL, is_class_of, look
from tangent.frontend import tree
from tangent.runtime import facts
from tangent.templates.language import registry
from tangent.templates.python import mutations

MAKERS = 'list', 'tuple', 'dict', 'sorted'


class Tape:
    """The pushes and pops of a function by identifier, where each identifier stands in exactly one of each."""

    def __init__(self, func):
        self.stack = func.library.get('Stack', 'Stack')
        self.push_name = func.library.get('push', 'push')
        self.pop_name = func.library.get('pop', 'pop')
        self.pushes, self.pops, self.twice = {}, {}, set()
        for stmt in cfg.statements(func):
            for found, known in ((self.push(stmt), self.pushes), (self.pop(stmt), self.pops)):
                if found and found[-1] in known:
                    self.twice.add(found[-1])
                elif found:
                    known[found[-1]] = stmt
        self.pairs = dict.fromkeys(key for key in self.pushes if key in self.pops and key not in self.twice)     # in order

    def push(self, stmt):
        """(stack, value, identifier) of `push(stack, value, 'identifier')`."""
        if isinstance(stmt, gast.Expr) and called(stmt.value, self.push_name, 3):
            stack, value, key = stmt.value.args
            return stack, value, key.value
        return None

    def pop(self, stmt):
        """(stack, target, identifier) of `target = pop(stack, 'identifier')`."""
        if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 and called(stmt.value, self.pop_name, 2):
            stack, key = stmt.value.args
            return stack, stmt.targets[0], key.value
        return None

    def makes(self, stmt):
        """The name of the tape that `name = Stack()` makes."""
        if tree.target(stmt) and isinstance(stmt.value, gast.Call) and tree.dotted(stmt.value.func) == self.stack:
            return tree.target(stmt)
        return None


def called(expr, name, count):
    """Whether the expression is `name(variable, ..., constant)` with so many arguments."""
    return (isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name) and expr.func.id == name
            and len(expr.args) == count and isinstance(expr.args[0], gast.Name)
            and isinstance(expr.args[-1], gast.Constant))


class Memo:
    """What is known of statements and calls alone, whatever stands around them: it serves the next form of a function, too, as
    long as the same is known of names.

    calls : see `Effects.impure`; known : call -> whether it is pure; joined, raw, needed : what `Effects` finds once
    """

    def __init__(self, known_of_names):
        self.of = known_of_names
        self.calls, self.known, self.joined, self.raw, self.needed = {}, {}, {}, {}, {}


class Effects:
    """What is known of the effects in one function.

    alias : name -> the names that may hold (part of) the same object, itself among them
    mutated : names whose object may be changed in place somewhere; captured : names that nested functions use
    count : name -> how often it is bound, parameters once
    own : names of lists that have no other name, and are part of nothing: what stands in their places may have others, but for
        `deep`, those of gradients of objects
    """

    def __init__(self, func, memo=None):
        self.func, self.tape = func, Tape(func)
        self.library = {name: key for key, name in func.library.items()}
        self.modules = {name.split('.')[0] for name in func.pure if '.' in name}
        self.params = set(tree.names(func.tree.args, gast.Param))
        self.count, self.uses, captured = dict.fromkeys(self.params, 1), {}, set()
        every = list(cfg.statements(func))
        for stmt in every:
            found = look(stmt)
            captured |= found.captured
            for name in found.writes:
                self.count[name] = self.count.get(name, 0) + 1
            for name in found.loads:
                self.uses[name] = self.uses.get(name, 0) + 1
        self.captured = frozenset(captured)
        self.own = self.own_lists(every, is_empty_list)
        self.deep = self.own_lists(every, is_list_of_zeros, True)
        self.given = set(func.generators)
        for stmt in every:
            self.given |= look(stmt).writes if self.is_given(stmt) else set()
        self.groups = {}
        self.sequences = Sequences(every, lambda call: self.helper(tree.dotted(call.func)) in MAKERS)
        names = (func.pure, func.library, func.arrays, func.writing, self.given, self.sequences.names, self.sequences.nested)
        self.memo = memo if memo is not None and memo.of == names else Memo(names)
        self.known, self.calls = self.memo.known, self.memo.calls
        for group in func.alike:
            self.together(group)
        for stmt in every:
            if stmt not in self.memo.joined:
                self.memo.joined[stmt] = [group for group in self.join(stmt) if group]
            for group in self.memo.joined[stmt]:
                self.together(group)
        self.alias = {name: group for group in map(frozenset, {id(g): g for g in self.groups.values()}.values())
                      for name in group}
        self.changed = {}                 # statement -> see `changes`
        self.mutated = frozenset(name for stmt in every for name in self.changes(stmt))

    def impure(self, node):
        """The calls in a statement or expression that have, or may have, an effect; None for something opaque."""
        if node not in self.calls:
            found = look(node)
            calls = [c for c in found.calls if not self.pure_call(c)]
            opaque = found.opaque and not is_list_of_zeros(node) or not calls and stands_alone(node)
            self.calls[node] = None if opaque else calls
        return self.calls[node]

    def pure(self, node):
        return self.impure(node) == []

    def is_given(self, stmt):
        """Whether a statement binds a generator that has effects, or what a function gave that is known only when running."""
        value = stmt.value if isinstance(stmt, gast.Assign) else None
        if isinstance(value, gast.GeneratorExp):
            return not all(map(self.known_to_be_pure, look(value).calls))
        asked = isinstance(value, gast.Call) and self.helper(tree.dotted(value.func)) == 'pushforward'
        return asked or self.runs(value)

    def runs(self, *exprs):
        """Whether to go through these may run a generator."""
        return bool(self.given) and any(
            e.id in self.given if isinstance(e, gast.Name) else isinstance(e, gast.Call) and self.runs(*e.args)
            and self.takes(tree.dotted(e.func)) for e in exprs)

    def pure_call(self, call):
        found = self.known.get(call)
        if found is None:
            runs = self.runs(*call.args) and self.takes(tree.dotted(call.func))
            found = self.known[call] = not runs and self.known_to_be_pure(call)
        return found

    def known_to_be_pure(self, call):
        """The same where it goes through no generator."""
        name = tree.dotted(call.func)
        method = tree.is_pure_method(call.func, name, self.modules, self.func.writing)
        found = name in self.func.pure or method or self.helper(name) in ('init_grad', 'Stack')
        return found and not any(k.arg == 'out' for k in call.keywords)

    def takes(self, name):
        """Whether a function of Python's goes through what it is given."""
        return facts.of(vars(builtins).get(self.helper(name))).takes is not None

    def helper(self, name):
        """The library's own name of a function that the emitted text calls `name`."""
        return self.library.get(name, name)

    def changes(self, stmt):
        """Names whose objects the statement may change in place, all their aliases with them."""
        found = self.changed.get(stmt)
        if found is None:
            found = self.changed[stmt] = self.changes_now(stmt)
        return found

    def changes_now(self, stmt):
        filled = filled_by(stmt)
        if filled is not None and filled in (self.own if isinstance(stmt, gast.Assign) else self.deep) and self.pure(stmt):
            return frozenset([filled])
        if is_list_of_zeros(stmt):
            return frozenset()
        changed = self.memo.raw.get(stmt)
        if changed is None:
            changed = self.memo.raw[stmt] = self.changed_in_place(stmt)
        return frozenset().union(*(self.alias.get(name, (name,)) for name in changed)) if changed else changed

    def own_lists(self, every, makes, deep=False):
        """Names bound once, to what `makes` says, of which only elements and the length are asked, until they are returned.

        deep : nor are elements, to parts of which something is added
        """
        made = {tree.target(s) for s in every if makes(s)} - {None}
        own = {name for name in made - self.captured if self.count.get(name) == 1}
        if not own:
            return frozenset()
        bare: set = set()
        def look_at(node, above):
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and not (
                    isinstance(above, gast.Subscript) and not deep or tree.is_call(above, 'len')):
                bare.add(node.id)
            for child in tree.children(node):
                look_at(child, node)
        for s in every:
            added = isinstance(s, gast.AugAssign) and filled_by(s) in own
            parts = [s.value, s.target.value.slice] if added and deep else tree.header(s)
            for part in parts if not isinstance(s, gast.Return) else ():
                look_at(part, s)
        return frozenset(own - bare)

    def changed_in_place(self, stmt):
        """The same without their aliases."""
        found, calls = look(stmt), self.impure(stmt)
        through = self.shares(stmt.iter) if isinstance(stmt, gast.For) and self.runs(stmt.iter) else set()
        opaque = found.opaque or calls is None
        if not (calls or found.mutated or opaque or through):
            return frozenset()
        changed = set(found.mutated) | through
        for call in calls or ():
            changed |= self.touched(call)
        if opaque:
            changed |= set(found.loads)
        return frozenset(changed)

    def touched(self, call):
        """Names that an impure call may change in place: the roots of what it is given."""
        name = self.helper(tree.dotted(call.func))
        if name in ('push', 'pop'):
            return {tree.root_name(call.args[0])} - {None}
        known = facts.of(name)
        if known.harmless:
            return set()
        args = tree.arguments(call)
        if self.is_update(name):
            args = args[:1]
        elif known.in_place:
            args = known.given(call, known.writes)
        elif isinstance(call.func, gast.Attribute):
            args.append(call.func.value)
        return {name for arg in args for name in self.shares(arg)} - self.modules

    def unknown(self, stmt):
        """Whether the statement runs code that may change anything a global name or an attribute leads to."""
        calls = self.impure(stmt)
        if not calls:
            return calls is None
        names = [self.helper(tree.dotted(c.func)) for c in calls]
        return not all(n in ('push', 'pop') or facts.of(n).in_place or facts.of(n).harmless or self.is_update(n) for n in names)

    def is_update(self, name):
        """Whether it is `np.add.at` or that of `np.subtract`, which write into their first argument."""
        return bool(name) and name.endswith(('.add.at', '.subtract.at')) and name.split('.')[0] in self.modules

    def local(self, stmt):
        """Whether all that the statement's calls do is to change their arguments in place."""
        calls = self.impure(stmt)
        names = [self.helper(tree.dotted(call.func)) for call in calls or ()]
        return calls is not None and all(facts.of(name).in_place or self.is_update(name) for name in names)

    def is_free(self, name):
        """Whether a name is that of something outside, of the user's."""
        return name not in self.count and not name.startswith('tape ')

    def shares(self, expr):
        """Names whose object the value of the expression may be, be a part of, or hold."""
        if isinstance(expr, gast.Name):
            return {expr.id}
        if isinstance(expr, gast.Subscript) and self.is_element(expr):
            return set()
        if isinstance(expr, gast.Attribute) and registry.tells(expr.attr) and isinstance(expr.value, gast.Name) \
                and expr.value.id in self.func.arrays:
            return set()
        if is_class_of(expr):
            return {CLASSES}
        if isinstance(expr, (gast.Attribute, gast.Subscript, gast.Starred)):
            return self.shares(expr.value)
        if isinstance(expr, gast.BinOp) and self.sequences.is_joined(expr):
            return self.shares(expr.left) | self.shares(expr.right)
        if isinstance(expr, (gast.Constant, gast.BinOp, gast.UnaryOp, gast.Compare, gast.JoinedStr)):
            return set()
        if isinstance(expr, gast.Call):
            name = tree.dotted(expr.func)
            known = facts.of(self.helper(name or ''))
            args = tree.arguments(expr)
            if known.shares:
                args = known.given(expr, known.shares)
            elif self.copies_container(expr.func):
                args.append(expr.func.value)
            elif known.is_fresh(expr) or facts.of(getattr(expr.func, 'attr', None)).fresh:
                return set()
            elif isinstance(expr.func, gast.Attribute):
                args.append(expr.func.value)
            return {name for arg in args for name in self.shares(arg)} - self.modules
        return set(look(expr).loads) - self.modules

    def copies_container(self, func):
        """Whether it may be a method that copies a list or dict, whose elements are those of the other."""
        return isinstance(func, gast.Attribute) and {'list', 'dict'} & mutations.of(func.attr).of \
            and isinstance(tree.root_name(func), str) and tree.root_name(func) not in self.func.arrays.keys() | self.modules

    def join(self, stmt):
        """Names that may hold the same object after the statement, as sets of such."""
        if self.copies_into(stmt):
            return []
        if is_list_of_zeros(stmt):
            return []
        if isinstance(stmt, gast.Assign) and not self.impure(stmt) and not look(stmt).opaque:
            shared = self.shares(stmt.value) | look(stmt).mutated
            return [look(stmt).writes | shared] if shared else []
        push, pop = self.tape.push(stmt), self.tape.pop(stmt)
        if push:
            return [{f'tape {push[2]}'} | self.shares(push[1])]
        if pop:
            return [{f'tape {pop[2]}'} | look(stmt).writes]
        found = look(stmt)
        groups = [self.touched(call) for call in self.impure(stmt) or () if self.unknown(stmt)]
        if found.opaque:
            groups.append(set(found.loads) | found.writes)
        elif isinstance(stmt, (gast.Assign, gast.AnnAssign)) and stmt.value is not None:
            groups.append(found.writes | found.mutated | self.shares(stmt.value))
        elif isinstance(stmt, gast.For):
            groups.append(found.writes | self.shares(stmt.iter))
        elif self.sequences.extends(stmt):
            groups.append(found.mutated | found.writes | self.shares(stmt.value))
        elif found.writes and not isinstance(stmt, gast.AugAssign):
            groups.append(found.writes | set(found.loads))
        return groups

    def is_element(self, expr):
        """Whether `x[i, j]` shares nothing with the array: it is one element (or a choice of them, which is a copy)."""
        parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        return isinstance(expr.value, gast.Name) and self.func.arrays.get(expr.value.id) == len(parts) and not any(
            isinstance(p, gast.Slice) or isinstance(p, gast.Constant) and type(p.value) is not int for p in parts)

    def copies_into(self, stmt):
        """Whether the statement writes into an array, which holds what it is given and no object."""
        if not isinstance(stmt, gast.Assign) or len(stmt.targets) != 1 or not isinstance(stmt.targets[0], gast.Subscript):
            return False
        owner = stmt.targets[0].value
        return isinstance(owner, gast.Name) and owner.id in self.func.arrays and self.impure(stmt) == [] \
            and not look(stmt).opaque

    def together(self, names):
        groups = sorted({id(g): g for g in (self.groups.get(n) or self.groups.setdefault(n, {n}) for n in names)}.values(),
                        key=len)
        for small in groups[:-1]:
            groups[-1] |= small
            for name in small:
                self.groups[name] = groups[-1]

    def temporary(self, name):
        """Whether the name was made by the library for a part of a formula (or is the gradient of such a name)."""
        return name in self.func.temps or self.func.base.get(name, name) in self.func.temps

    def stable(self, name):
        """Whether the name means one value wherever it is defined: bound once, never changed in place."""
        return self.count.get(name, 0) <= 1 and name not in self.mutated and name not in self.captured


def is_empty_list(stmt):
    """Whether it is `name = [None] * n`."""
    value = stmt.value if isinstance(stmt, gast.Assign) else None
    return isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult) and isinstance(value.left, gast.List) \
        and len(value.left.elts) == 1 and tree.is_none(value.left.elts[0])


def is_list_of_zeros(stmt):
    """Whether it is `bps = [Point(x=0.0, y=0.0) for p in ps]`, a list of gradients that nothing has been added to."""
    value = stmt.value if isinstance(stmt, gast.Assign) and isinstance(stmt.value, gast.ListComp) else None
    made = value.elt if value is not None and isinstance(value.elt, gast.Call) else None
    return made is not None and tree.role(stmt) in ('adjoint', 'zero') and bool(made.keywords) \
        and all(isinstance(a, gast.Constant) for a in made.args) and all(
        isinstance(k.value, gast.Constant) or (tree.dotted(getattr(k.value, 'func', None)) or '').endswith('.zeros')
        for k in made.keywords)


def stands_alone(stmt):
    """Whether it is an expression of the user's written for what it does, though nothing is known of that: `counts[key]`."""
    origin = tree.origin(stmt) if isinstance(stmt, gast.Expr) else None
    return origin is not None and origin.role == 'primal' and not isinstance(stmt.value, (gast.Name, gast.Constant))


def filled_by(stmt):
    """The name in `name[i] = value`, and in `name[i].part += value`, else None."""
    place = stmt.targets[0] if isinstance(stmt, gast.Assign) and len(stmt.targets) == 1 else None
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Attribute):
        place = stmt.target.value
    return place.value.id if isinstance(place, gast.Subscript) and isinstance(place.value, gast.Name) else None


class Recent(threading.local):
    """The Effects that were found last, a few of them."""

    def __init__(self):
        self.all = collections.deque(maxlen=2)


RECENT = Recent()


def effects_of(func):
    """The :class:`Effects` of a function, the same ones for passes that follow each other without a change."""
    recent = RECENT.all
    for effects in recent:
        if effects.func is func:
            return effects
    recent.append(Effects(func, recent[-1].memo if recent else None))
    return recent[-1]


def forget():
    """Let go of the functions looked at."""
    RECENT.all.clear()


def in_order(expr):
    """Whether all parts of the expression are evaluated, each once, from left to right."""
    return not look(expr).conditional and not isinstance(expr, CONDITIONAL)
