"""Array expressions over slices and whole arrays, as loops over elements.

    B[1:-1] = 0.5 * (A[:-2] + A[2:])        ->        for i in range(1, B.shape[0] - 1):
                                                          B[i] = 0.5 * (A[i - 1] + A[i + 1])

What arrays have how many axes has to be known (`lowering_kinds`), and which elements a statement reads and writes
(`lowering_accesses`). Statements in a row share loops (`lowering_nests`). Lengths that agree for all that can be seen need
no check; others are checked where the program runs, before the outermost loop in which they stay what they are. A statement
of which anything is not known stays as it is.
"""
from __future__ import annotations

import collections
import re

import gast
import numpy as np

from tangent import tree
from tangent.emit import expression_text
from tangent.lowering_accesses import NotLowered, Reader
from tangent.lowering_forms import Facts, Form, atom
from tangent.lowering_kinds import Kinds
from tangent.lowering_names import versions, without_views
from tangent.lowering_nests import Order, Writer, in_two_steps
from tangent.lowering_order import turned
from tangent.lowering_values import INT

STEPS = 'ijkmpqrs'


class Lowering:
    """
    given : name of a parameter -> its Kind, or None
    find : expression -> what it denotes outside of the function, or None
    library : name -> object; gets what the new text calls
    helpers : name -> function of the run time
    divides : whether a division of numbers by 0 raises
    apart : whether arrays of the caller's may be taken for different memory, which is checked when running
    unread : name -> how many of its loads are known to go when statements become loops
    whole : names of arrays that have to be made as a whole
    """

    def __init__(self, function, given, find, library, helpers, divides=True, apart=True, unread=(), whole=()):
        self.library, self.helpers, self.apart = library, helpers, apart
        self.names = tree.Names({n.id for n in tree.walk(function) if isinstance(n, gast.Name)} | set(library))
        kinds = self.known(function, given, find)
        arrays = [n for n, k in kinds.of.items() if (k is None or k.rank) and kinds.bound.get(n, 0) > 1]
        function = versions(function, arrays, self.names)
        function = without_views(function, self.known(function, given, find))
        self.function, self.kinds = function, self.known(function, given, find)
        self.notes, self.changed, self.variables, self.loads, self.rows = {}, False, {}, {}, set()
        self.divides, self.find, self.whole, self.nested = divides, find, whole, {}
        self.looked: collections.Counter = collections.Counter()     # how often a name was read for its shape alone
        self.fresh: set = set()
        self.shrunk: set = set()                                     # names of arrays of which a part is kept, or nothing
        for n in tree.walk(function):
            if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load):
                self.loads[n.id] = self.loads.get(n.id, 0) + 1
        for name, count in dict(unread).items():
            self.loads[name] = self.loads.get(name, 0) - count
        self.params = set(given)

    @staticmethod
    def known(function, given, find):
        bound = set(given) | {n for s in tree.every(function.body) for n in tree.writes(s)}
        return Kinds(function, given, lambda e: None if (tree.dotted(e) or '').partition('.')[0] in bound else find(e))

    def run(self):
        """The FunctionDef with loops; the same object where there is nothing to lower."""
        scope = Scope(self, None, None)
        body = self.block(self.function.body, scope)
        return tree.replace(self.function, body=body) if self.changed else self.function

    def asked(self, function):
        """Names of arrays that are not made, or not as a whole, and are asked for their shape."""
        return self.shrunk & {n.value.id for n in tree.walk(function) if isinstance(n, gast.Attribute)
                              and isinstance(n.value, gast.Name)}

    def helper(self, name):
        """The name by which the text calls a function of the run time, or a module."""
        thing = self.helpers[name]
        there = next((known for known, other in self.library.items() if other is thing), None)
        if there is None:
            there = self.names.fresh(name)
            self.library[there] = thing
        return there

    def numpy(self):
        for name in ('np', 'numpy'):
            if self.find(tree.load(name)) is np and name not in self.kinds.bound:
                return name
        return self.helper('numpy')

    def row_name(self, name):
        """A name for what is kept of an array: its own, unless that has been used."""
        used = name in self.rows or self.kinds.bound.get(name, 1) > 1
        self.rows.add(name)
        return self.names.fresh(name) if used else name

    def step(self, depth):
        """The name of the variable of a loop inside `depth` others."""
        while depth >= len(self.variables):
            free = next((c for c in STEPS if c not in self.names.taken), 'i')
            self.variables[len(self.variables)] = self.names.fresh(free)
        return self.variables[depth]

    # Blocks

    def block(self, stmts, scope):
        out, run = [], []
        for s in stmts:
            if any(True for _ in tree.blocks(s)):
                out += self.flush(run, scope)
                run = []
            inner = {field: self.block(block, Scope(self, scope, s)) for field, block in tree.blocks(s)}
            room = Room(self, scope)
            try:
                if inner:
                    raise NotLowered
                found = Reader(self.kinds, room).statement(s)
            except NotLowered:
                out += self.flush(run, scope)
                here = self.loop(tree.replace(s, **inner), scope) if inner else [s]
                out += scope.taken() + here
                scope.forget({n for part in tree.every([s]) for n in tree.writes(part)})
                run = []
                continue
            if room.uses() & {a.target.name for a, _ in run}:
                out += self.flush(run, scope)
                run = []
            room.commit()
            if found.fresh:
                scope.forget({found.target.name})
                for axis, length in enumerate(found.lengths):
                    scope.learn(f'{found.target.name}.shape[{axis}]', length)
            run.append((found, room))
        return out + self.flush(run, scope)

    def loop(self, s, scope):
        """A compound statement, turned inside out where that is better."""
        nests = [self.nested.get(id(t)) for t in s.body] if isinstance(s, gast.For) else []
        pairs: set = set()
        made = turned(s, nests, self, lambda a, b: self.are_apart(a, b, pairs)) if nests and None not in nests else None
        if made is None:
            return [s]
        room = Room(self, scope)
        for a, b in sorted(pairs):
            room.apart(a, b)
        room.commit()
        self.notes[id(made)] = [line for t in s.body for line in self.notes.get(id(t), ())]
        return [made]

    def is_range(self, call):
        return isinstance(call, gast.Call) and self.kinds.find(call.func) is range

    def flush(self, run, scope):
        """The statements of a row of array statements, as loops; what has to be known before stands before."""
        if not run:
            return []
        room = Room(self, scope)
        for _, other in run:
            room.numbers.update(other.numbers)
        try:
            loops = self.nests([a for a, _ in run], scope, room)
        except NotLowered:
            if len(run) == 1:
                return scope.taken() + [run[0][0].stmt]
            middle = len(run) // 2
            return self.flush(run[:middle], scope) + self.flush(run[middle:], scope)
        self.changed = True
        self.looked.update(n for a, _ in run for n in a.looked)
        return loops

    def nests(self, stmts, scope, room):
        pairs: set = set()
        order = Order(scope.facts, lambda a, b: self.are_apart(a, b, pairs), self.kinds.family,
                      {s.target.name for s in stmts if s.fresh})
        ready: list = []
        for s in stmts:
            try:
                s.down = order.direct(s)
                ready.append(s)
            except NotLowered:
                name, kind = self.names.fresh('new'), self.kinds.of[s.target.name]
                ready += in_two_steps(s, name, kind.dtype)
                order.fresh.add(name)
                self.kinds.of[name] = kind._replace(rank=len(s.lengths), shape=(None,) * len(s.lengths))
        writer = Writer(room, self.kinds, self, ready, self.divide())
        out = []
        for loop in order.loops(ready):
            made = writer.nest(loop)
            self.nested[id(made[-1])] = loop
            self.shrunk |= {name for name, row in writer.rows.items() if row.depth or row.name != name}
            self.fresh |= {s.target.name for s in loop.statements if s.fresh}
            self.notes[id(made[0])] = list({id(s.stmt): s.stmt for s in loop.statements}.values())
            out += made
        for a, b in sorted(pairs):
            room.apart(a, b)
        room.commit()
        return scope.taken() + out

    def divide(self):
        return f'{self.numpy()}.divide' if self.divides else None

    def are_apart(self, one, other, pairs):
        """Whether two arrays share no memory; where both come from outside it is checked when running."""
        mine, others = self.given(one), self.given(other)
        if not mine or not others:
            return True
        if self.apart and not mine & others:
            pairs |= {(a, b) for a in mine for b in others}
            return True
        return False

    def given(self, name):
        """The arrays from outside whose memory an array may be: parameters, or what came out of a parameter that holds some."""
        found = self.kinds.family(name) & self.params
        return {n if self.kinds.of[n] is not None and self.kinds.of[n].rank else name for n in found}


class Scope:
    """A block of statements, and what is known there."""

    def __init__(self, lowering, outer, owner):
        self.lowering, self.outer = lowering, outer
        self.is_loop = isinstance(owner, gast.For)
        self.facts = outer.facts.inner() if outer is not None else Facts()
        self.before, self.given, self.variable = [], {}, None
        self.bound = {n for s in tree.every([owner]) for n in tree.writes(s)} if owner is not None else set()
        self.bound |= {s.target.id for s in tree.every([owner] if owner is not None else [])
                       if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name)
                       and lowering.kinds.of.get(s.target.id, INT) in (None, INT)}
        if outer is not None:
            self.forget(self.bound)
        if self.is_loop:
            self.facts.known += self.range_facts(owner)

    def range_facts(self, loop):
        """What is known of the variable of a loop over a range, where nothing else changes it."""
        kinds, call = self.lowering.kinds, loop.iter
        if not isinstance(call, gast.Call) or kinds.find(call.func) is not range or not isinstance(loop.target, gast.Name) \
                or any(loop.target.id in tree.writes(s) for s in tree.every(loop.body)):
            return []
        forms = [kinds.form(a) for a in call.args]
        forms = [Form(0), *forms] if len(forms) == 1 else forms
        step = forms[2].constant if len(forms) == 3 and forms[2] is not None else 1 if len(forms) == 2 else None
        if not step or any(n in self.bound - {loop.target.id} for a in call.args for n in tree.names(a, gast.Load)):
            return []
        self.variable = loop.target.id
        var, (first, end) = atom(loop.target.id), forms[:2]
        low = [(var - first).times(1 if step > 0 else -1)] if first is not None else []
        return low + ([(end - var).times(1 if step > 0 else -1) - 1] if end is not None else [])

    def home(self, names):
        """The outermost scope, with nothing but loops between, in which names have the values that they have here."""
        scope = self
        while scope.is_loop and not names & scope.bound:
            scope = scope.outer
        return scope

    def put(self, stmts, names, same=(), known=()):
        """Place statements, and what is known after them."""
        home = self.home(names)
        home.before += stmts
        scope = home
        while scope is not None:
            scope.bound |= {n for s in stmts for n in tree.writes(s)}
            scope = scope.outer
        scope = self
        while True:
            for one, other in same:
                scope.facts.unify(one, other)
            scope.facts.known += known
            if scope is home:
                return home
            scope = scope.outer

    def learn(self, name, form):
        self.facts.same[name] = self.facts.settled(form)

    def forget(self, names):
        """Give up what is known of names that stand for something else from here on."""
        names = {n for n in names if not self.lowering.kinds.is_once(n)}
        self.facts.forget(names)
        self.given = {key: value for key, value in self.given.items() if not names & mentioned(key)}

    def taken(self):
        found, self.before = self.before, []
        return found

    def known(self, key):
        scope, gone = self, set()
        while scope is not None:
            if key in scope.given and not gone & mentioned(key):
                return scope.given[key]
            gone |= {n for n in scope.bound if not self.lowering.kinds.is_once(n) and n != scope.variable}
            scope = scope.outer
        return None


def mentioned(key):
    """The names in a key, of texts and forms."""
    texts = [text for part in key for text in (part.atoms if isinstance(part, Form) else [str(part)])]
    return {n for text in texts for n in re.findall(r'\w+', text)}


def names_in(*exprs):
    return {n for e in exprs for n in tree.names(e, gast.Load)}


class Room:
    """What one statement asks for; nothing of it is there before `commit`.

    numbers : id of an expression -> the name of its value, which is calculated before
    """

    def __init__(self, lowering, scope):
        self.lowering, self.scope, self.facts = lowering, scope, scope.facts.inner()
        self.wishes, self.numbers, self.given = [], {}, {}

    def uses(self):
        return {n for wish in self.wishes for n in (tree.names(wish[0][0].value, gast.Load) if wish[1] is None else wish[1])}

    def commit(self):
        for stmts, names, same, known, key, value in self.wishes:
            if key is not None and self.scope.known(key) is not None:
                continue
            if names is None:
                self.scope.before += stmts
                continue
            home = self.scope.put(stmts, names, same, known)
            if key is not None:
                home.given[key] = value
        self.wishes = []

    def wish(self, text, names, same=(), known=(), key=None, value=None):
        stmts = [tree.place(s, tree.Origin('tape')) for s in tree.statements(text)]
        self.wishes.append((stmts, names, same, known, key, value))

    def learn(self, form):
        """Note that a form is not negative."""
        for facts in (self.facts, self.scope.facts):
            if form not in facts.known:
                facts.known.append(form)

    def place(self, stmts):
        names = names_in(*(s.value for s in stmts))
        self.wishes.append((stmts, names, (), (), None, None))

    def ends(self, low, high, size):
        """Forms of where a slice begins and ends, whatever its bounds are."""
        low, high, size = expression_text(low), expression_text(high), self.facts.settled(size)
        key = 'ends', low, high, size
        found = self.scope.known(key) or self.given.get(key)
        if found is None:
            start, stop = found = self.names('start', 'stop')
            total = size.tree()
            known = [atom(start), atom(stop), size - atom(start), size - atom(stop)]
            names = names_in(tree.expression(low), tree.expression(high), total)
            self.facts.known += known
            self.given[key] = found
            self.wish(f'{start}, {stop} = {self.lowering.helper("ends")}({low}, {high}, {expression_text(total)})', names,
                      known=known, key=key, value=found)
        return atom(found[0]), atom(found[1])

    def count(self, low, high, step):
        """The form of the number of steps of a slice."""
        key = 'count', low, high, step
        found = self.scope.known(key) or self.given.get(key)
        if found is None:
            found, = self.names('count')
            low, high = low.tree(), high.tree()
            self.given[key] = found
            self.wish(f'{found} = len(range({expression_text(low)}, {expression_text(high)}, {step}))',
                      names_in(low, high), known=[atom(found)], key=key, value=found)
        return atom(found)

    def names(self, *bases):
        found = [self.lowering.names.fresh(b) for b in bases]
        for name in found:
            self.lowering.kinds.of[name] = INT
            self.lowering.kinds.bound[name] = 1
        return found

    def check_equal(self, one, other):
        gap = self.facts.settled(one - other)
        left = Form(max(gap.number, 0), {a: k for a, k in gap.atoms.items() if k > 0})
        right = left - gap
        if gap.constant is not None or not self.facts.unify(one, other):
            raise NotLowered
        names, same = names_in(left.tree(), right.tree()), [(left, right)]
        left, right = expression_text(left.tree()), expression_text(right.tree())
        self.wish(f'{self.lowering.helper("check_equal")}({left}, {right})', names, same=same)

    def apart(self, a, b):
        key = 'apart', *sorted((a, b))
        if self.scope.known(key) is None and key not in self.given:
            self.given[key] = True
            self.wish(f"{self.lowering.helper('check_disjoint')}({a}, {b})", {a, b}, key=key, value=True)

    def number(self, reader, expr):
        """Have a number calculated before."""
        name, = self.names('number')
        self.lowering.kinds.of[name] = self.lowering.kinds.kind(expr)
        self.numbers[id(expr)] = name
        stmt = tree.place(tree.assign(name, expr), tree.Origin('tape'))
        self.wishes.append(([stmt], None, (), (), None, None))

