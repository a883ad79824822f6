"""Loops over arrays that have names, and are changed in place: what is done to each of them, one behind the other.

    params = [w, b]                            w -= rate * dw
    for p, g in zip(params, [dw, db]):    ->   b -= rate * db
        p -= rate * g

The list shows what becomes of the arrays, and they what becomes of its elements: said with the names that they have, there is
one place for each. Where the list is a display of names that are bound once, or the loop goes through one.
"""
import gast

from tangent.frontend import tree
from tangent.normal.ssa import live_after
from tangent.normal.typed.by_number import at_a_time, put_in, updated_in_place
from tangent.normal.typed.views import LATE, bound, stores
from tangent.runtime.facts import is_one

MOST = 8                      # arrays that a loop goes through
LONGEST = 24                  # statements in its place
DISPLAYS = gast.List, gast.Tuple
LOOKING = 'index', 'count', 'copy'


def written_out(function, kinds, of_arrays, resolver, names):
    """The FunctionDef with what such loops do.

    kinds : name -> how many axes it has, for arrays
    of_arrays : lists that hold arrays alone
    """
    axes = {n for n, kind in kinds.items() if type(kind) is int and kind > 0}
    loops = [s for s in tree.every(function.body) if isinstance(s, gast.For) and updated_in_place(s.body)]
    if not axes or not loops or any(isinstance(n, LATE) for s in function.body for n in tree.walk(s)):
        return function
    turns = _Turns(function, axes, of_arrays, resolver, names)
    body = turns.block(function.body)
    if not turns.changed:
        return function
    rest = _Turns(tree.replace(function, body=body), axes, of_arrays, resolver, names, turns.turned)
    return tree.replace(function, body=rest.without_unread(rest.block(body)))


class _Turns:
    """lists : name -> the elements of the display that it is bound to, for lists and tuples that stay as they are written: one
        of several displays that are as long
    places : name -> (blocks around it, its place in the order of the text) of each statement that binds it
    filled : name of a list -> the loop that does nothing but put something there
    changed : whether a loop was written out
    turned : names of lists that such a loop went through
    others : those of which it is known, so that other loops and comprehensions over them are written out, too
    """

    def __init__(self, function, axes, of_arrays, resolver, names, others=frozenset()):
        self.axes, self.of_arrays, self.resolver, self.names = axes, of_arrays, resolver, names
        self.live, self.places = {}, {}
        self.changed, self.turned, self.others = False, set(), others
        live_after(function.body, frozenset(), self.live)
        self.at: dict = {}
        self.note(function.body, ())
        for name in tree.names(function.args, gast.Param):
            self.places.setdefault(name, []).insert(0, ((), -1))
        self.filled = {name: s for s in self.at if isinstance(s, gast.For) and len(s.body) == 1
                       for name in [appended_to(s.body[0])] if name}
        made: dict = {}
        for s in self.at:
            for name in tree.writes(s):
                made.setdefault(name, []).append(s.value if tree.target(s) == name else None)
        kept = made.keys() - self.changed_lists(function.body) - set(tree.names(function.args, gast.Param))
        self.lists: dict = {}
        for shown in (self.count, self.as_many):
            found = {name: {shown(v, name) for v in made[name]} for name in kept - self.lists.keys()}
            self.lists |= {name: getattr(made[name][0], 'elts', None) or [None] * max(counts) for name, counts in found.items()
                           if len(counts) == 1 and None not in counts}

    def changed_lists(self, body):
        """Names of what may get or lose elements, but for what a loop over a list puts there, one for each of its elements."""
        nodes = [n for s in body for n in tree.walk(s)]
        appends = [n.value.id for n in nodes if isinstance(n, gast.Attribute) and n.attr == 'append'
                   and isinstance(n.value, gast.Name)]
        changed = {n.value.id for n in nodes if isinstance(n, (gast.Subscript, gast.Attribute))
                   and isinstance(n.value, gast.Name) and not (isinstance(n.ctx, gast.Load) and (
                       isinstance(n, gast.Subscript) or n.attr in (*LOOKING, 'append')))}
        changed |= {name for name in appends if appends.count(name) > 1 or name not in self.filled}
        looked = [e for n in nodes for e in self.looked_at(n)]
        read = [n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)]
        return changed | {name for name in {*read} if read.count(name) > looked.count(name)}

    def looked_at(self, node):
        """Names of lists that a node reads, and gives to nobody."""
        found = [node.value] if isinstance(node, (gast.Subscript, gast.Attribute)) else \
            [node.iter] if isinstance(node, (gast.For, gast.comprehension)) else \
            tree.arguments(node) if isinstance(node, gast.Call) and self.only_looks(node) else []
        return [e.id for e in found if isinstance(e, gast.Name)]

    def note(self, stmts, around):
        around = (*around, id(stmts))
        for s in stmts:
            self.at[s] = around, len(self.at)
            for name in tree.writes(s) if not isinstance(s, gast.AugAssign) else ():
                self.places.setdefault(name, []).append(self.at[s])
            for _, block in tree.blocks(s):
                self.note(block, around)

    def lasts(self, name, place):
        """Whether a name is bound once, on every way to a place, and stands for the same thing since."""
        found = self.places.get(name, ())
        return len(found) == 1 and place[0][:len(found[0][0])] == found[0][0] and found[0][1] < place[1]

    def count(self, value, name=None):
        """How many elements a display has, if that is known."""
        shown = isinstance(value, DISPLAYS) and not tree.starred(value.elts) and name not in self.filled
        return len(value.elts) if shown else None

    def as_many(self, value, name):
        """How many elements a list has for which a comprehension, or a loop that fills it, goes through such a list."""
        over = value.generators[0] if isinstance(value, gast.ListComp) and len(value.generators) == 1 else None
        loop = self.filled.get(name) if isinstance(value, gast.List) and not value.elts else None
        if loop is not None and self.lasts(name, self.at[loop]) and self.at[loop][0] == self.places[name][0][0]:
            over = loop
        shown = self.lists.get(getattr(over.iter, 'id', None)) if over is not None and not getattr(over, 'ifs', ()) else None
        return len(shown) if shown is not None else None

    def only_looks(self, call):
        return is_one(self.resolver(call.func), (zip, enumerate, len, sum))

    def block(self, stmts):
        out = []
        for s in stmts:
            done = self.done(s) if isinstance(s, gast.For) else None
            blocks = {field: self.block(block) for field, block in tree.blocks(s)} if done is None else {}
            self.here = self.at[s]
            s = tree.replace(s, **blocks) if blocks else s
            skip = tuple(field for field, _ in tree.blocks(s))
            out += done if done is not None else [tree.with_children(s, self.shown, skip) if self.others else s]
        return out

    def shown(self, node):
        """An expression with displays in the place of comprehensions over such lists."""
        node = tree.with_children(node, self.shown)
        g = node.generators[0] if isinstance(node, gast.ListComp) and len(node.generators) == 1 else None
        if g is None or g.ifs or not isinstance(g.target, gast.Name) or getattr(g.iter, 'id', None) not in self.others:
            return node
        elements = self.elements(g.iter, self.here, [])
        inner = [n for n in tree.walk(node.elt) if isinstance(n, LATE)]
        if elements is None or inner or not all(isinstance(e, gast.Name) for e in elements):
            return node
        return gast.List(elts=[put_in(tree.clone(node.elt), {g.target.id: e}) for e in elements], ctx=gast.Load())

    def done(self, s):
        """The statements in the place of a loop, or None."""
        first, courses = self.courses(s)
        names = [name for name, _ in courses]
        if not courses or None in names or s.orelse or not self.live[s].isdisjoint(names):
            return None
        count = len(courses[-1][1])
        updated = updated_in_place(s.body).intersection(names)
        every = [e for _, elements in courses for e in elements]
        alone = bound(s.body).isdisjoint([n for e in every for n in tree.names(e, gast.Load)]) \
            and not any(stores(s.body, n) for n in names)
        leaves = any(isinstance(n, (gast.Break, gast.Continue, *LATE)) for t in s.body for n in tree.walk(t))
        arrays = all(getattr(e, 'id', None) in self.axes or tree.root_name(e) in self.of_arrays
                     for name, elements in courses if name in updated for e in elements)
        over = {n for n in tree.names(s.iter, gast.Load) if n in self.lists}
        called_for = updated or not over.isdisjoint(self.others)
        if not called_for or not arrays or not alone or leaves or any(len(elements) != count for _, elements in courses) \
                or count > MOST or count * len(list(tree.every(s.body))) > LONGEST:
            return None
        self.changed, self.turned = True, self.turned | over
        before = [tree.instead(tree.assign(name, value, tree.origin(s)), s) for name, value in first]
        return before + [put_in(tree.clone(t), {name: elements[k] for name, elements in courses})
                         for k in range(count) for t in s.body]

    def courses(self, s):
        """([(name, value)] bound before, (variable, its elements) of each that a loop goes through); nothing for others."""
        index, pairs = at_a_time(s.target, s.iter, self.resolver)
        target, given = pairs[0]
        if isinstance(target, DISPLAYS) and isinstance(given, DISPLAYS) and all(
                self.count(e) == len(target.elts) for e in given.elts):                   # `for p, g in ((w, dw), (b, db))`
            pairs = [(t, tree.replace(given, elts=[e.elts[k] for e in given.elts])) for k, t in enumerate(target.elts)]
        first, found = [], []
        for t, e in pairs:
            elements = self.elements(e, self.at[s], first)
            if elements is None:
                return [], []
            found.append((getattr(t, 'id', None), elements))
        numbers = [tree.constant(k) for k in range(len(found[0][1]))]
        return first, [(getattr(t, 'id', None), numbers) for t in [index] if t is not None] + found

    def elements(self, expr, place, first):
        """What stands for the elements of a list: the names that it is a display of, names for what it shows beside them, which
        are bound `first`, or places in it; None for what is no such list."""
        if isinstance(expr, DISPLAYS):
            found = []
            for e in expr.elts if not tree.starred(expr.elts) else ():
                if not tree.is_atom(e):
                    first.append((self.names.fresh('t'), e))
                    e = tree.load(first[-1][0])
                found.append(e)
            return found or None
        shown = self.lists.get(getattr(expr, 'id', None))
        if shown is None:
            return None
        if shown and self.lasts(expr.id, place) and all(
                isinstance(e, gast.Name) and self.lasts(e.id, self.places[expr.id][0]) for e in shown):
            return shown
        return [gast.Subscript(value=tree.load(expr.id), slice=tree.constant(k), ctx=gast.Load()) for k in range(len(shown))]

    def without_unread(self, body):
        """The statements without displays of names that nobody reads by now."""
        read = {n for s in body for n in tree.names(s, gast.Load)}
        unread = {name for name, shown in self.lists.items() if name not in read and all(map(tree.is_atom, shown))}
        return without(body, unread) if unread else body


def appended_to(s):
    """The name of the list to which a statement appends, or None."""
    method = s.value.func if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
    return getattr(method.value, 'id', None) if isinstance(method, gast.Attribute) and method.attr == 'append' else None


def without(stmts, unread):
    out = [tree.replace(s, **{field: without(block, unread) for field, block in tree.blocks(s)}) for s in stmts
           if tree.target(s) not in unread]
    return out or [tree.place(gast.Pass(), tree.Origin('primal'))]
