"""Where statements stand, what is known there, and what they ask for before they can become loops."""
import re

import gast

from tangent.emit.printer import expression_text
from tangent.frontend import tree
from tangent.numba.loops.affine import Facts, Form, NotLowered, atom
from tangent.numba.loops.values import INT


class Scope:
    """A block of statements, and what is known there."""

    def __init__(self, lowering, outer, owner):
        self.lowering, self.outer = lowering, outer
        self.is_loop = isinstance(owner, gast.For)
        self.facts = outer.facts.inner() if outer is not None else Facts()
        self.before, self.given, self.variable, self.limits = [], {}, None, None
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
        if None not in (first, end) and not any(isinstance(n, (gast.Break, gast.Return)) for n in tree.walk(loop)):
            self.limits = (first, end - 1) if step > 0 else (end + 1, first)
        low = [(var - first).times(1 if step > 0 else -1)] if first is not None else []
        return low + ([(end - var).times(1 if step > 0 else -1) - 1] if end is not None else [])

    def home(self, names):
        """The outermost scope, with nothing but loops between, in which names have the values that they have here."""
        scope = self
        while scope.is_loop and not names & scope.bound:
            scope = scope.outer
        return scope

    def widest(self, form):
        """A form that is at least as much as this one in all trips of the loops around over ranges."""
        scope = self
        while scope.is_loop:
            times = form.atoms.get(scope.variable, 0)
            if times and scope.limits is not None:
                form = form - atom(scope.variable).times(times) + scope.limits[times > 0].times(times)
            scope = scope.outer
        return form

    def put(self, stmts, names, same=(), known=()):
        """Place statements, and what is known after them."""
        home = self.home(names)
        home.before += stmts
        home.bind({n for s in stmts for n in tree.writes(s)})
        scope = self
        while True:
            for one, other in same:
                scope.facts.unify(one, other)
            scope.facts.known += known
            if scope is home:
                return home
            scope = scope.outer

    def bind(self, names):
        """Note that these names get their values here."""
        scope = self
        while scope is not None:
            scope.bound |= names
            scope = scope.outer

    def learn(self, name, form):
        self.facts.same[name] = self.facts.settled(form)

    def begin(self, name, spans):
        """Note that a name gets an array of its own, of these lengths."""
        self.forget({name})
        for axis, span in enumerate(spans):
            self.learn(f'{name}.shape[{axis}]', span.length)

    def forget(self, names):
        """Give up what is known of names that stand for something else from here on."""
        names = {n for n in names if not self.lowering.kinds.is_once(n)}
        self.facts.forget(names)
        self.given = {key: value for key, value in self.given.items() if not names & mentioned(key)}

    def inside(self, s):
        """Note that the positions at which a statement has read or written are inside of their arrays."""
        kinds, changed = self.lowering.kinds, tree.writes(s)
        for base, axis, form in positions(s, kinds):
            if form.atoms and not mentioned([form]) & changed and self.facts.at_least(form):
                size = kinds.of[base].shape[axis]
                left = (atom(f'{base}.shape[{axis}]') if size is None else size) - form - 1
                if not self.facts.at_least(left):
                    self.facts.known.append(left)

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


def positions(s, kinds):
    """(name of an array, axis, form of a position on it) for each position that a simple statement surely reads or writes."""
    if not isinstance(s, (gast.Assign, gast.AugAssign)):
        return
    nodes = list(tree.walk(s))
    if any(isinstance(n, (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp)) for n in nodes):
        return
    for n in nodes:
        if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name) and kinds.of.get(n.value.id) is not None:
            index = n.slice.elts if isinstance(n.slice, gast.Tuple) else [n.slice]
            if len(index) <= kinds.of[n.value.id].rank:
                forms = [None if isinstance(p, gast.Slice) else kinds.form(p) for p in index]
                yield from ((n.value.id, axis, form) for axis, form in enumerate(forms) if form is not None)


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

    def values(self):
        """The names of which elements may be read."""
        return {n for wish in self.wishes if wish[1] is None for n in tree.names(wish[0][0].value, gast.Load)}

    def uses(self):
        """The names of which no more than the shape is asked for, and of numbers."""
        return {n for wish in self.wishes for n in wish[1] or ()}

    def commit(self):
        for stmts, names, same, known, key, value in self.wishes:
            if key is not None and self.scope.known(key) is not None:
                continue
            if names is None:
                self.scope.before += stmts
                self.scope.bind({n for s in stmts for n in tree.writes(s)})
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

    def home(self, forms):
        """The scope in which is made what is of this size."""
        return self.scope.home(names_in(*(self.facts.settled(f).tree() for f in forms)))

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

    def value(self, helper, *args, kind=None):
        """The name of what a function of the run time gives, which is called before; raises NotLowered where there is none."""
        if self.lowering.helpers.get(helper) is None:
            raise NotLowered
        name, = self.names(helper)
        self.lowering.kinds.of[name] = kind
        stmt = tree.place(tree.assign(name, tree.call(self.lowering.helper(helper), *args)), tree.Origin('tape'))
        self.wishes.append(([stmt], None, (), (), None, None))
        return name

    def number(self, expr):
        """Have a number calculated before."""
        name, = self.names('number')
        self.lowering.kinds.of[name] = self.lowering.kinds.kind(expr)
        self.numbers[id(expr)] = name
        stmt = tree.place(tree.assign(name, expr), tree.Origin('tape'))
        self.wishes.append(([stmt], None, (), (), None, None))
