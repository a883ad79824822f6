"""Where kinds are known, the gradient of a container or an object is written down at once, with all its parts."""
import collections
import dataclasses
import functools
import itertools
from typing import NamedTuple

import gast

from tangent.analysis.dataflow.effects import effects_of, filled_by
from tangent.analysis.dataflow.ranges import span
from tangent.analysis.dataflow.statements import look
from tangent.analysis.kinds.infer import element, literal_slice
from tangent.analysis.kinds.records import maker_of_gradients
from tangent.analysis.kinds.values import (
    PLAIN,
    Array,
    Number,
    OneOf,
    Parts,
    Passive,
    alike,
    gradient_kind,
    is_exact,
    is_float,
    is_object,
    is_plain,
)
from tangent.frontend import tree
from tangent.optimize import rewrite
from tangent.runtime import facts
from tangent.runtime.objects import ObjectGrad
from tangent.templates.language import registry
from tangent.templates.python import mutations

MOST = 12                # parts that are written down
LISTS = 'unextreme', 'unsum'                           # functions of the run time that make a new list for a list of numbers
KEEPING = 'add_at', 'push', 'own_parts'               # functions of the run time that change what they are given, or keep it


def displays(func):
    """What is added to a zero, part by part, as one expression, which has the form that people get.

        bself = init_grad(self)                 bself = Beam(length=0.0, width=bt, height=bt2)
        bself.height += bt2
        bself.width += bt
        return astype(bself, self)              return bself

        bparams = init_grad(params)             bparams = {'top': bt, 'half': 0.0}
        bparams['top'] += bt

        bself2 = init_grad(self)                bself2 = Beam(length=bself.length + bt, width=bself.width, height=bself.height)
        bself2 = add_grad(bself2, bself)
        bself2.length += bt

        bps = add_at(init_grad(ps), -1, bt)     bps = [*bt2, bt]
        bps = add_at(bps, slice(None, -1), bt2)

        bself = add_grad(bself, bself2)         bself.w += bself2.w            (or, where it is not to be written into,
                                                bself.b += bself2.b             Beam(w=bself.w + bself2.w, ...))

        bps = init_grad(ps)                     bps = [Point(x=0.0, y=0.0) for p in ps]
        for i, j in pairs:                      for i, j in pairs:
            bp = Point(x=bt, y=-bt2)                bps[i].x += bt
            bps = add_at(bps, i, bp)                bps[i].y -= bt2
    """
    if func.known is None or func.known.library.nan_safe or func.known.library.in_complex:
        return func
    finder = _Displays(func)
    body = finder.block(func.tree.body)
    while not finder.taken >= finder.parts:                # of some it was said too early that they become part of others
        finder = _Displays(func, finder.taken & finder.parts)
        body = finder.block(func.tree.body)
    body = finder.added(body)
    final = finder.final(body)
    func.known.final[func.tree.name] = finder.returned(body, final)
    new = {s: fitted for s in tree.every(body) if (fitted := rewrite.header(s, lambda n: finder.fitted(n, final))) is not s}
    body = rewrite.with_statements(body, new) if new else body
    return rewrite.with_body(dataclasses.replace(func, pure=func.pure | finder.said) if finder.said else func, body)


class Part(NamedTuple):
    """What is added to a part of a gradient: under which key, None for all of it, but for some; with which sign."""
    key: object
    value: object
    minus: bool = False
    but: tuple = ()

    def reaches(self, key):
        return self.key in (None, key) and key not in self.but


class _Displays:
    """
    parts : statements that add a container to an element of another, which is to become a display with that in it
    taken : the statements that have become part of a display
    runs : statement that makes a gradient -> (it and those that add to that, one behind the other, the names that the gradient
        has after each of them)
    made : id of a display -> the names of gradients in it; None where it has not the form that people get
    said : classes that the text calls now
    """

    def __init__(self, func, parts=None):
        self.func, self.known, self.effects = func, func.known, effects_of(func)
        self.library = {new: name for name, new in func.library.items()}
        self.twins, self.made, self.said = func.known.twins(), {}, set()
        self.top, every = func.tree.body, [*tree.every(func.tree.body)]
        self.every = every
        self.again = {s for loop in every if isinstance(loop, (gast.For, gast.While)) for s in tree.every([loop])}
        # Statement -> the block it stands in; `made` keeps the statements
        self.places = {id(s): id(block) for block in blocks(func.tree.body) for s in block}
        self.loads, self.bare = collections.Counter(), collections.Counter()
        for s in every:
            for part in tree.header(s):
                self.count(part, True)
            if self.adds(s) and isinstance(s.value.right, gast.Name):
                self.bare[s.value.right.id] += 1
        self.filled, self.taken = {}, set()
        self.runs = {run[0]: (run, called) for block in blocks(func.tree.body) for run, called in self.runs_in(block)}
        self.parts = {s for run, _ in self.runs.values() for s in run if self.is_addition(s)} if parts is None else parts
        self.filled = {update: zero for block in blocks(func.tree.body) for zero, update in self.fillings(block)}
        for zero in self.filled.values():
            self.runs.pop(zero, None)
        self.sums = {}                    # statement -> of which list of gradients it is the zero, or adds to an element
        for zero in [*self.every]:
            self.sums.update(dict.fromkeys(self.summed_list(zero), zero))
        self.run_of: dict = {}            # id of a display -> the statements that it stands for
        # What is gathered at once is changed by nobody else: another name for it comes later
        gathered = {s: called for run, called in self.runs.values() for s in run}
        self.changes = [(s, names) for s in every if s not in self.filled
                        and (names := self.changed_by(s).difference(gathered.get(s, ())))]
        self.copies = [{tree.target(s), s.value.id} for s in every if tree.target(s) and isinstance(s.value, gast.Name)]
        # A copy of a frozen gradient is as frozen
        self.alike = self.copies + [{tree.target(s), s.value.args[0].id} for s in every if tree.target(s) and self.called(
            s.value) == 'copy' and isinstance(s.value.args[0], gast.Name)]
        self.values = {tree.target(s): s.value for s in every if tree.target(s)}

    @functools.cached_property
    def kinds(self):
        return self.known.infer(self.func.tree)

    def count(self, node, bare):
        """Count how often names are read, and how often otherwise than in a formula, so that others may hold the value."""
        if isinstance(node, gast.Name):
            self.loads[node.id] += isinstance(node.ctx, gast.Load)
            self.bare[node.id] += bare and isinstance(node.ctx, gast.Load)
            return
        for child in tree.children(node):
            self.count(child, not isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare)))

    def is_addition(self, s):
        """Whether it is `b = add_at(b, k, bk)` with a literal place."""
        call = s.value if tree.target(s) else None
        return self.called(call) == 'add_at' and all(isinstance(call.args[k], gast.Name) for k in (0, 2)) \
            and self.place_of(call.args[1]) is not None

    def place_of(self, index):
        """The literal key, or the slice with literal ends, in brackets: as a list of one; None for any other."""
        index = tree.as_index(index, self.func.library.get('slice'))
        if not isinstance(index, gast.Slice):
            return registry.literal(index)
        found = literal_slice(index)
        return found and [found]

    @staticmethod
    def adds(s):
        """Whether it is `b.k = b.k + e`, or the like."""
        return isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.value, gast.BinOp) and isinstance(
            s.value.op, gast.Add) and isinstance(s.targets[0], (gast.Attribute, gast.Subscript))

    def called(self, node):
        """The library's name of the function of the run time that is called, or None."""
        return self.library.get(tree.dotted(node.func)) if isinstance(node, gast.Call) else None

    def changed_by(self, s):
        """Names of containers that the statement changes, or hands to what may keep them."""
        found = set()
        if s in self.parts:
            return {s.value.args[0].id}
        for n in (n for part in tree.header(s) for n in tree.walk(part)):
            if isinstance(n, (gast.Subscript, gast.Attribute)) and not isinstance(n.ctx, gast.Load):
                found.add(tree.root_name(n))
            elif isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and mutations.of(n.func.attr).writes:
                found.add(tree.root_name(n.func))
            elif self.called(n) in KEEPING:
                found.update(*(tree.names(a, gast.Load) for a in n.args))
        if tree.role(s) == 'inserted':
            found.update(tree.names(s, gast.Load))
        return found

    def others(self, name, kind):
        """The names of what is changed where its gradient, of what is of that kind, is, or may not be changed as that may not;
        itself among them."""
        found, pairs = {name}, self.copies if may_be_set(kind) else self.alike
        while grown := [pair for pair in pairs if pair & found and not pair <= found]:
            found = found.union(*grown)
        return found

    # Lists

    def fillings(self, block):
        """(statement that makes it, statement that adds) for each list of gradients in a block to which a loop adds once for
        each index.

            bt = init_grad(t)                               bt = [None] * len(t)
            for i in range(len(t) - 1, -1, -1):             for i in range(len(t) - 1, -1, -1):
                ...                                             ...
                bt = add_at(bt, i, blayer)                      bt[i] = blayer
        """
        for at, s in enumerate(block):
            name = self.begins(s)
            if name is None or self.kinds.of(s.value.args[0]).form is not list:
                continue
            uses = [u for u in tree.every(block[at + 1:]) if self.changes_list(u, name)]
            loop = next((u for u in block[at + 1:] if isinstance(u, gast.For) and uses and uses[0] in u.body), None)
            if len(uses) == 1 and loop is not None and self.runs_over(loop, s.value.args[0], name, uses[0]):
                yield s, uses[0]

    def changes_list(self, s, name):
        return name in self.changed_by(s) or name in tree.writes(s)

    def runs_over(self, loop, value, name, update):
        """Whether the loop adds something to each element of the gradient of a list, and has no other use of that."""
        index, inner, about = loop.target, [*tree.every(loop.body)], span(loop.iter)
        call = update.value if isinstance(update, gast.Assign) and self.called(update.value) == 'add_at' else None
        ends = [gast.dump(end) for end in self.ends_of(value)]
        return call is not None and tree.target(update) == tree.dotted(call.args[0]) == name and isinstance(index, gast.Name) \
            and tree.dotted(call.args[1]) == index.id and about is not None and about[0] == gast.dump(tree.constant(0)) \
            and about[1] in ends \
            and not loop.orelse and not any(isinstance(s, (gast.Break, gast.Continue, gast.Return)) for s in inner) \
            and not any(index.id in tree.writes(s) for s in inner) and self.effects.count.get(value.id) == 1 \
            and isinstance(call.args[2], gast.Name) and not any(name in look(s).loads for s in inner if s is not update) \
            and self.is_whole(call.args[2], self.kinds.of(value))

    def ends_of(self, value):
        """The expressions for the length of a list: `len(xs)`, and `min(len(xs), len(ys))` where both are of one length."""
        length, kind = tree.call('len', value), self.kinds.of(value)
        yield length
        for s in self.every:
            for n in tree.walk(s.iter) if isinstance(s, gast.For) else ():
                same = tree.is_call(n, 'min') and not n.keywords and all(
                    tree.is_call(e, 'len') and isinstance(e.args[0], gast.Name) and self.effects.count.get(e.args[0].id) == 1
                    and isinstance(found := self.kinds.of(e.args[0]), Parts) and found.form in (list, tuple)
                    and len(found.kinds) == len(kind.kinds) for e in n.args)
                if same:
                    yield n

    def is_whole(self, value, kind):
        """Whether it is a gradient of the elements of a list, which may be its element."""
        elements = {gradient_kind(part) for part in kind.kinds}
        found = self.kinds.of(value)
        return isinstance(found, (Parts, OneOf)) and (elements == {found} or gradient_kind(element(kind)) == found) or is_float(
            found) and all(map(is_float, kind.kinds))

    # Displays

    def runs_in(self, block):
        """What `runs` says of those that begin in a block."""
        for at, s in enumerate(block):
            name = self.begins(s)
            if name is None:
                continue
            run, called = [s], [name]
            for more in itertools.takewhile(lambda s: self.part(s, called[-1]) is not None, block[at + 1:]):  # noqa: B023
                run.append(more)
                called.append(tree.target(more) or called[-1])
            yield run, called

    def block(self, stmts):
        """The block with the gradients that are gathered in it written down."""
        displays, inside = {}, set()
        for run, called in (self.runs[s] for s in stmts if s in self.runs):
            found = self.display(called, run)
            if found is None:
                found, count = self.begun(run)
                run, called = run[:count], called[:count]
            if found is not None:
                self.taken.update(run)
                made = displays[run[0]] = tree.assign(called[-1], found, tree.origin(run[-1]))
                self.run_of[id(made)] = run
                self.places[id(made)] = self.places[id(run[0])]
                inside.update(run[1:])
        out = []
        for s in stmts:
            if s in displays:
                out.append(displays[s])
            elif s in self.sums:
                self.summing(s, out)
            elif s in self.filled or s in self.filled.values():
                out.append(self.filling(s))
            elif s not in inside:
                out.append(rewrite.with_blocks(s, self.block))
        return rewrite.same(out, stmts)

    def filling(self, s):
        """The statement that makes a list which is filled, or fills an element."""
        if s in self.filled:
            owner, index, value = s.value.args
            target = gast.Subscript(value=owner, slice=index, ctx=gast.Store())
            return gast.copy_location(tree.place(gast.Assign(targets=[target], value=value), tree.origin(s)), s)
        update = next(u for u, zero in self.filled.items() if zero is s)
        empty = gast.List(elts=[tree.constant(None)], ctx=gast.Load())
        made = gast.BinOp(left=empty, op=gast.Mult(), right=tree.call(self.known.library('len'), s.value.args[0]))
        self.made[id(made)] = [update.value.args[2].id]
        return tree.replace(s, value=made)

    # Lists of objects, to whose gradients is added again and again

    def summed_list(self, zero):
        """The statement that makes a list of gradients of objects of one class, and those that add to one of these, where
        nobody else has them; none for any other statement."""
        name, stmts = self.begins(zero), [zero]
        kind = self.kinds.of(zero.value.args[0]) if name is not None else None
        if kind is None or kind.form is not list or zero in self.filled.values() or zero not in self.top \
                or not isinstance(zero.value.args[0], gast.Name) or not is_of_records(kind):
            return []
        keys = kind.kinds[0].keys
        if self.written(element(kind), keys, [tree.constant(0.0)] * len(keys)) is None:
            return []
        for s in self.every:
            if s is zero or name not in look(s).loads and name not in tree.writes(s):
                continue
            if self.adds_element(s, name, kind):
                stmts.append(s)
            elif isinstance(s, gast.AugAssign) and filled_by(s) == name and name not in tree.names(s.value, gast.Load):
                continue                                                     # `name[i].part += value`, as it is to be
            elif not (isinstance(s, gast.Return) or tree.target(s) and isinstance(s.value, gast.Name) and s in self.top):
                return []
        return stmts if len(stmts) > 1 and name not in self.effects.captured | self.effects.params else []

    def adds_element(self, s, name, kind):
        """Whether it is `name = add_at(name, i, b)` with the gradient of an element of a list."""
        call = s.value if tree.target(s) == name and self.called(s.value) == 'add_at' else None
        return call is not None and tree.dotted(call.args[0]) == name and tree.is_atom(call.args[1]) and isinstance(
            call.args[2], gast.Name) and call.args[2].id != name and self.is_whole(call.args[2], kind)

    def summing(self, s, out):
        """Add to a block what stands for a statement of these."""
        zero = self.sums[s]
        kind = self.kinds.of(zero.value.args[0])
        keys, each = kind.kinds[0].keys, element(kind)
        if s is zero:
            taken = {n.id for t in self.every for n in tree.walk(t) if isinstance(n, gast.Name)} | self.effects.params
            place = tree.load(tree.Names(taken | set(self.func.library.values())).fresh(tree.target(s)[1:2] or 'each'))
            values = [self.zero_in(part, item(place, key, each)) for key, part in zip(keys, each.kinds)]
            made = gast.ListComp(elt=self.written(each, keys, values), generators=[gast.comprehension(
                target=tree.store(place.id), iter=zero.value.args[0], ifs=[], is_async=0)])
            self.made[id(made)] = []
            out.append(tree.replace(s, value=made))
            return
        owner, index, value = s.value.args
        parts = self.parts_of(value.id, s, out) or {key: item(value, key, each) for key in keys}
        for key, part in zip(keys, each.kinds):
            added = parts[key]
            if isinstance(part, Passive) or isinstance(added, gast.Constant) and added.value in (0.0, None):
                continue
            minus = isinstance(added, gast.UnaryOp) and isinstance(added.op, gast.USub)
            target = item(gast.Subscript(value=owner, slice=index, ctx=gast.Load()), key, each)
            update = gast.AugAssign(target=tree.replace(target, ctx=gast.Store()), op=gast.Sub() if minus else gast.Add(),
                                    value=added.operand if minus else added)
            out.append(gast.copy_location(tree.place(update, tree.origin(s)), s))

    def parts_of(self, name, s, out):
        """key -> value in a display that was written just before, and of which this statement is all that reads it: it goes."""
        for at in range(len(out) - 1, -1, -1):
            run = self.run_of.get(id(out[at]))
            if tree.target(out[at]) == name and run is not None:
                values = {k.arg: k.value for k in getattr(out[at].value, 'keywords', ())}
                read = {n for v in values.values() for n in tree.names(v, gast.Load)}
                lasts = not any(read & tree.writes(t) or self.effects.changes(t) & read for t in out[at + 1:])
                alone = not any(name in look(t).loads for t in self.every if t is not s and t not in run)
                if not values or not lasts or not alone:
                    return None
                del out[at]
                return values
            if name in tree.writes(out[at]):
                return None
        return None

    def zero_in(self, kind, place):
        """The gradient of a field of an object to which nothing is added yet."""
        if isinstance(kind, Passive):
            return tree.constant(None)
        if not isinstance(kind, Array):
            return tree.constant(0.0)
        return tree.call(f'{self.known.library("numpy")}.zeros', gast.Attribute(value=place, attr='shape', ctx=gast.Load()))

    def begins(self, s):
        """The name of a container or an object whose zero the statement makes, or None."""
        if tree.target(s) is None or self.called(s.value) != 'init_grad' or tree.role(s) == 'primal':
            return None
        value = s.value.args[0]
        plain = isinstance(value, gast.Name) or isinstance(value, gast.Subscript) and all(
            map(tree.is_atom, (value.value, value.slice)))
        return tree.target(s) if plain and isinstance(self.kinds.of(value), Parts) else None

    def part(self, s, name):
        """What the statement adds to the gradient, None for any other statement."""
        if isinstance(s, gast.AugAssign) and isinstance(s.op, (gast.Add, gast.Sub)):
            key = key_of(s.target, name)
            return Part(key, s.value, isinstance(s.op, gast.Sub)) if key is not None else None
        if self.adds(s):
            key = key_of(s.targets[0], name)
            return Part(key, s.value.right) if key is not None and key == key_of(s.value.left, name) else None
        called = self.called(s.value) if isinstance(s, gast.Assign) and len(s.targets) == 1 else None
        if called not in ('add_grad', 'add_at'):
            return None
        if name == tree.dotted(s.value.args[0]) and (tree.target(s) == name or tree.target(s) and self.loads[name] == 1):
            at = [None] if called == 'add_grad' else self.place_of(s.value.args[1])
            value = s.value.args[-1]
            if called == 'add_grad' and self.called(value) == 'without' and isinstance(value.args[0], gast.Name):
                return Part(None, value.args[0], but=registry.literal(value.args[2])[0])
            return Part(at[0], value) if at else None
        key = key_of(s.targets[0], name)
        return Part(key, s.value.args[1]) if key is not None and key == key_of(s.value.args[0], name) else None

    def display(self, called, run):
        """The expression for what these statements make, or None where it has to be a container that is changed.

        called : the names that it has after each of them
        """
        value = run[0].value.args[0]
        kind, parts = self.kinds.of(value), [self.part(s, name) for s, name in zip(run[1:], called)]
        keys = kind.keys or tuple(range(len(kind.kinds)))
        names = set().union(*(self.others(name, kind) for name in called))
        elsewhere = any(names & changed for s, changed in self.changes if s not in run and not self.takes(s, names, run))
        if elsewhere or len(keys) > MOST or any(names.intersection(tree.names(p.value, gast.Load)) for p in parts):
            return None
        if issubclass(kind.form, (list, tuple)) and not kind.keys:
            parts = [p._replace(key=tuple(keys[p.key]) if isinstance(p.key, slice) else keys[p.key]
                                if type(p.key) is int and -len(keys) <= p.key < len(keys) else p.key) for p in parts]
            if any(type(p.key) is tuple for p in parts):
                return self.of_lists(kind, parts, run)
        if any(isinstance(p.key, slice) or p.key not in (None, *keys) for p in parts):
            return None
        held: list = []
        found = [self.sum_of(part, key, [p for p in parts if p.reaches(key)], run, held) if any(
            p.reaches(key) for p in parts) else self.zero(part, item(value, key, kind), held, (kind.form,))
            for key, part in zip(keys, kind.kinds)]
        display = self.written(kind, keys, found) if None not in found else None
        if display is not None:
            self.made[id(display)] = None if None in held else held
        return display

    def begun(self, run):
        """(what a container begins with, to which others add, how many of these statements say that): the zeros of all parts of
        an object, or a list that is the first to be added; (None, 0) where it is to be made by parts."""
        name, added = tree.target(run[0]), self.part(run[1], tree.target(run[0])) if len(run) > 1 else None
        if added is not None and added.key is None and self.called(added.value) in LISTS and tree.target(run[1]) == name \
                and self.kinds.of(added.value) == gradient_kind(self.kinds.of(run[0].value.args[0])):
            self.made[id(added.value)] = []
            return added.value, 2
        zeros = self.zeros(run[0])
        return zeros, int(zeros is not None)

    def zeros(self, s):
        """The gradient of an object to whose parts others add, with a zero in each, or None."""
        name, value, held = tree.target(s), s.value.args[0], []
        kind = self.kinds.of(value)
        if not is_object(kind) or not may_be_set(kind) or len(kind.keys) > MOST or not all(map(is_summed_in_place, kind.kinds)):
            return None
        if not self.asks_for_parts(self.others(name, kind), kind):
            return None
        found = [self.zero(part, item(value, key, kind), held, (kind.form,)) for key, part in zip(kind.keys, kind.kinds)]
        display = self.written(kind, kind.keys, found)
        if held or display is None:
            return None
        self.made[id(display)] = held
        return display

    def asks_for_parts(self, names, kind):
        """Whether all that the text does with a gradient, which has these names, is to ask for what its object holds itself,
        and to hand it out."""
        bound, asked, loads = 0, 0, 0
        for s in self.every:
            bound += bool(names & tree.writes(s)) and not self.copies_one(s, names)
            asked += self.copies_one(s, names) or isinstance(s, gast.Return) and tree.dotted(s.value) in names
            for n in (n for part in tree.header(s) for n in tree.walk(part)):
                asked += isinstance(n, gast.Attribute) and tree.dotted(n.value) in names and n.attr in kind.keys
                asked += self.called(n) == 'astype' and tree.dotted(n.args[0]) in names
                loads += isinstance(n, gast.Name) and n.id in names and isinstance(n.ctx, gast.Load)
        return bound == 1 and asked == loads and names.isdisjoint(self.effects.captured | self.effects.params)

    @staticmethod
    def copies_one(s, names):
        return tree.target(s) in names and isinstance(s.value, gast.Name) and s.value.id in names

    def takes(self, s, names, run):
        """Whether a statement adds all of a gradient to a part of another, and is all that reads it."""
        call = s.value if isinstance(s, gast.Assign) else None
        return self.called(call) == 'add_at' and tree.dotted(call.args[2]) in names and names.isdisjoint(
            tree.names(call.args[0], gast.Load)) and not any(
                names & set(look(other).loads) for other in self.every if other is not s and other not in run)

    def of_lists(self, kind, parts, run):
        """The list of the elements of others, and of single ones, where each element is given once."""
        held: list = []
        found = sorted([p for p in parts if p.key is not None], key=lambda p: p.key if type(p.key) is tuple else (p.key,))
        if len(found) < len(parts) or [k for p in found for k in (p.key if type(p.key) is tuple else [p.key])] != [
                *range(len(kind.kinds))] or not issubclass(kind.form, (list, tuple)) or kind.keys:
            return None
        values = []
        for p in found:
            several = type(p.key) is tuple
            part = Parts(tuple([kind.kinds[k] for k in p.key]), kind.form) if several else kind.kinds[p.key]
            value = self.sum_of(part, p.key, [p], run, held)
            if value is None or several and not isinstance(value, gast.Name):
                return None
            values.append(gast.Starred(value=value, ctx=gast.Load()) if several else value)
        display = self.written(kind, range(len(values)), values)
        self.made[id(display)] = None if None in held else held
        return display

    def sum_of(self, kind, key, parts, run, held):
        """What is added to one part, None where that is not of its kind."""
        if isinstance(kind, (Parts, OneOf)):
            return self.container(kind, parts, run, held)
        like, total = gradient_kind(kind), None
        if isinstance(kind, Passive):
            return tree.constant(None)
        for p in parts:
            whole = found = self.kinds.of(p.value)
            if p.key is None and isinstance(whole, Parts):
                found = whole.part(key) if whole.keys else whole.kinds[key]
            if like is None or not (alike(found, like) if isinstance(like, Array) else is_float(found)):
                return None
            if p.key is None and not tree.is_atom(p.value):
                return None                                        # it is computed once
            value = item(p.value, key, whole) if p.key is None else p.value
            if isinstance(like, Array) and len(parts) == 1 and not p.minus and not self.is_own(p, run):
                value = tree.method(value, 'copy')
            total = joined(total, value, p.minus)
        return total

    def is_own(self, part, run):
        """Whether what is added, once for each run, is an array that nothing else holds or will hold."""
        value = part.value
        if isinstance(value, (gast.BinOp, gast.UnaryOp)):
            return True
        if not isinstance(value, gast.Name):
            return False
        bound = [s for s in self.every if value.id in tree.writes(s)]
        once = self.bare[value.id] == 1 and value.id not in self.effects.captured
        if len(bound) > 1 and run[0] in self.top and part.key is not None:
            return once and all(tree.target(s) == value.id and self.is_new(s.value) for s in bound)
        if len(bound) != 1 or self.places.get(id(bound[0])) != self.places[id(run[0])]:
            return False
        if part.key is None:
            return self.loads[value.id] == 1
        return once and value.id in self.values and self.is_new(self.values[value.id])

    def is_new(self, value):
        """Whether an expression makes a new array."""
        if isinstance(value, (gast.BinOp, gast.UnaryOp)):
            return True
        if not isinstance(value, gast.Call):
            return False
        if self.called(value) == 'unbroadcast':
            kinds = [self.kinds.of(value), self.kinds.of(value.args[0])]
            arrays = all(isinstance(kind, Array) for kind in kinds)               # the sum over some axes
            return arrays and (len({len(kind.axes) for kind in kinds}) > 1 or all(map(is_exact, kinds)) and not alike(*kinds))
        return facts.of(self.called(value) or tree.dotted(value.func) or '').fresh

    def container(self, kind, parts, run, held):
        """The gradient of a part that is a container itself: one that is finished by then."""
        value = parts[0].value
        if len(parts) > 1 or parts[0].key is None or parts[0].minus or self.kinds.of(value) != gradient_kind(kind):
            return None
        if self.called(value) in LISTS:
            return value
        if not isinstance(value, gast.Name):
            return None
        if sum(value.id in tree.writes(s) for s in self.every if s not in self.filled) != 1:
            return None
        later = self.every[self.every.index(run[-1]) + 1:]
        if run[0] in self.again or any(value.id in look(s).loads for s in later):
            return None
        held.append(value.id)
        return value

    def zero(self, kind, place, held, around=()):
        """The gradient of a part to which nothing is added.

        around : the classes of what it is a part of: objects in others of their class may be many
        """
        if isinstance(kind, Number) and kind.dtype in PLAIN:
            return tree.constant(0.0)
        if isinstance(kind, Passive):
            return tree.constant(None)
        if isinstance(kind, Parts) and (kind.form not in around or not is_object(kind)):
            keys, around = kind.keys or tuple(range(len(kind.kinds))), (*around, kind.form)
            found = [self.zero(part, item(place, key, kind), held, around) for key, part in zip(keys, kind.kinds)]
            display = self.written(kind, keys, found) if len(keys) <= MOST else None
            if display is not None:
                return display
        if not isinstance(kind, Array) and not is_settled(kind):
            held.append(None)
        return tree.call(self.known.library('init_grad'), place)

    def written(self, kind, keys, values):
        """The expression for a gradient of these parts, or None where it cannot be written down."""
        if kind.form is dict:
            plain = all(type(key) in (str, int, float, bool) for key in keys)
            return gast.Dict(keys=[tree.constant(key) for key in keys], values=values) if plain else None
        if kind.form in (list, tuple):
            return (gast.List if kind.form is list else gast.Tuple)(elts=values, ctx=gast.Load())
        maker = maker_of_gradients(kind.form, keys)
        if maker is None:
            return None
        lead = []
        if maker is ObjectGrad:
            name, lead = self.known.library('ObjectGrad'), [tree.constant(kind.form.__name__)]
        elif self.known.resolver.name(maker.__name__) is maker:
            name = self.known.library.template(maker.__name__, maker)
            self.known.program.assume(self.known.resolver, name, maker)
        else:
            return None
        self.said.add(name)
        return tree.call(name, *lead, **dict(zip(keys, values)))

    # Sums

    def added(self, body):
        """The body with sums of gradients of objects part by part."""
        every = [*tree.every(body)]
        changed = [(s, names) for s in every if (names := self.changed_by(s))]
        sums = {s: kind for s in every if (kind := self.summed(s, changed)) is not None}
        own = {s for s in sums if tree.target(s) == tree.dotted(s.value.args[0])}
        mine = {name for name in map(tree.target, own) if self.may_be_written(name, every, own)}
        new, before = {}, {}
        for s, kind in sums.items():
            name, more = tree.target(s), s.value.args[1]
            if s in own and name in mine and may_be_set(kind) and not any(isinstance(part, Parts) for part in kind.kinds):
                updates = [tree.place(gast.AugAssign(target=tree.replace(item(tree.load(name), key, kind), ctx=gast.Store()),
                                                     op=gast.Add(), value=item(more, key, kind)), tree.origin(s))
                           for key, part in zip(kind.keys, kind.kinds) if not isinstance(part, Passive)]
                new[s], before[s] = updates[-1], updates[:-1]
                continue
            value = self.sum_display(kind, *s.value.args)
            if value is not None:
                self.made[id(value)] = []
                new[s] = tree.replace(s, value=value)
        return rewrite.with_statements(body, new, before) if new else body

    def summed(self, s, changed):
        """The kind of a record of numbers and arrays for `b3 = add_grad(b, b2)` of two gradients of it, or None."""
        if tree.target(s) is None or self.called(s.value) != 'add_grad' or tree.role(s) == 'primal':
            return None
        left, right = s.value.args
        kind, name = self.kinds.of(left), tree.target(s)
        names = [e.id for e in (left, right) if isinstance(e, gast.Name)]
        if len({*names}) < 2 or right.id == name or kind != self.kinds.of(right):
            return None
        if not isinstance(kind, Parts) or not kind.own or kind.form in (list, tuple):
            return None
        if not may_be_set(kind) and any(self.others(name, kind) & names for _, names in changed):
            return None
        leaves = leaves_of(kind)
        known = all(isinstance(part, Passive) or is_float(part) or is_exact(part) and part.dtype in PLAIN for part in leaves)
        return kind if known and len(leaves) <= MOST else None

    def sum_display(self, kind, left, right):
        """The sum of two gradients of one kind."""
        if not isinstance(kind, Parts):
            return tree.constant(None) if isinstance(kind, Passive) else joined(left, right, False)
        keys = kind.keys or tuple(range(len(kind.kinds)))
        parts = [self.sum_display(part, item(left, key, kind), item(right, key, kind)) for key, part in zip(keys, kind.kinds)]
        return self.written(kind, keys, parts) if None not in parts else None

    def may_be_written(self, name, every, sums):
        """Whether the gradient of that name, when sums are added to it, is a display made here of numbers and of arrays that
        nothing else holds; it has another name when all is added.

        every, sums : all statements of the body, those that add to gradients
        """
        made = [s for s in every if name in tree.writes(s) and s not in sums]
        if len(made) != 1 or name in self.effects.captured | self.effects.params or id(made[0].value) not in self.made \
                or not self.is_of_new(made[0].value):
            return False
        last = max(at for at, s in enumerate(every) if s in sums and tree.target(s) == name)
        end = [s for s in every[last:] if tree.target(s) and isinstance(s.value, gast.Name)
               and self.places.get(id(s)) == self.places[id(made[0])]]
        return not any(name in self.kept_by(s) for s in every if s not in sums and s not in end)

    def is_of_new(self, display):
        """Whether a display of a dict or an object holds numbers and new arrays, and nothing else."""
        if isinstance(display, gast.Dict):
            values = display.values
        else:
            values = [k.value for k in getattr(display, 'keywords', ())]
        zeros = f'{self.known.library("numpy")}.zeros'
        return all(isinstance(v, gast.Constant | gast.BinOp | gast.UnaryOp) or isinstance(v, gast.Call) and (
            tree.dotted(v.func) == zeros or self.called(v) == 'init_grad' or self.is_new(v)) for v in values)

    def kept_by(self, s):
        """Names of what may live on elsewhere than under them after a statement that does not return it."""
        if isinstance(s, gast.Return):
            return set()
        bare: set = set()
        def look_at(node, alone):
            if isinstance(node, gast.Name):
                bare.update([node.id] * alone)
                return
            for child in tree.children(node):
                look_at(child, not isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Compare)))
        for part in tree.header(s):
            look_at(part, True)
        return bare - tree.writes(s)

    # The form that people get

    def final(self, body):
        """The names of gradients that surely have the form that people get."""
        sources: dict = {}
        for s in tree.every(body):
            found = self.sources(s)
            for name in tree.writes(s):
                sources.setdefault(name, []).append(found.get(name))
        final = {name for name, each in sources.items() if None not in each} - self.effects.params
        while wrong := {name for name in final if not final.issuperset(n for each in sources[name] for n in each)}:
            final -= wrong
        return final

    def sources(self, s):
        """Name -> the names on which it depends whether the value that the statement gives it has the form that people get."""
        if not isinstance(s, gast.Assign) or len(s.targets) > 1:
            return {}
        target, value = s.targets[0], s.value
        twin = self.twins.get(tree.dotted(value.func)) if isinstance(value, gast.Call) else None
        if twin is not None:
            flags = () if twin.is_primal else self.known.final.get(twin.text, ())
            names = target.elts if isinstance(target, gast.Tuple) else [target]
            return {n.id: [] for n, flag in zip(names, flags) if flag and isinstance(n, gast.Name)} if len(names) == len(
                flags) else {}
        if not isinstance(target, gast.Name):
            return {}
        return {target.id: self.rests_on(value.args[0] if self.called(value) == 'copy' else value)}

    def rests_on(self, value):
        """The names on which it depends whether a value has the form that people get; None where it may not have it."""
        if isinstance(value, gast.Name):
            return [value.id]
        called = self.called(value)
        if called == 'init_grad' or called in LISTS:
            return [] if is_settled(self.kinds.of(value.args[-1])) else None
        if called == 'add_grad' and all(is_settled(self.kinds.of(a)) for a in value.args):
            found = [*map(self.rests_on, value.args)]
            return None if None in found else [*itertools.chain(*found)]
        return self.made.get(id(value))

    def returned(self, body, final):
        """For each gradient that is returned, whether it has the form that people get."""
        if not isinstance(body[-1], gast.Return):
            return ()
        value = body[-1].value
        return tuple([isinstance(e, gast.Name) and e.id in final for e in getattr(value, 'elts', [value])])

    def fitted(self, node, final):
        """The expression without `astype` around what has the form that people get, and with the zeros of arguments written
        down on which nothing depends."""
        if not isinstance(node, gast.AST) or isinstance(node, (gast.Name, gast.Constant)):
            return node
        if self.called(node) == 'zero_gradient' and len(node.args) == 1:
            held, kind = [], self.kinds.of(node.args[0])
            zero = self.zero(kind, node.args[0], held) if isinstance(kind, Parts) and is_plain(kind) else None
            return node if zero is None or held else zero
        if self.called(node) == 'astype' and isinstance(node.args[0], gast.Name) and node.args[0].id in final:
            kind = self.kinds.of(node.args[1])
            if isinstance(kind, Parts) and is_plain(kind) and self.kinds.of(node.args[0]) == gradient_kind(kind):
                return node.args[0]
        return tree.with_children(node, lambda child: self.fitted(child, final))


def is_of_records(kind):
    """Whether a list is of objects of one class, which hold numbers and arrays whose gradients are such in double precision."""
    first = kind.kinds[0]
    alike_ = all(isinstance(each, Parts) and each.form is first.form and each.keys == first.keys for each in kind.kinds)
    return alike_ and isinstance(element(kind), Parts) and bool(first.keys) and first.form is not dict and may_be_set(first) \
        and all(isinstance(part, Passive) or isinstance(part, (Number, Array)) and part.dtype in PLAIN
                for part in element(kind).kinds)


def may_be_set(kind):
    """Whether a part of the gradient that people get of a value of this kind may be bound anew."""
    frozen = dataclasses.is_dataclass(kind.form) and kind.form.__dataclass_params__.frozen
    return not issubclass(kind.form, tuple) and not frozen


def is_settled(kind):
    """Whether the zero of what is of that kind has the form that people get from the first: a list, or a dict, of numbers."""
    return isinstance(kind, Parts) and kind.form in (list, dict) and is_plain(kind) and all(
        is_float(part) or is_settled(part) for part in kind.kinds)


def is_summed_in_place(kind):
    """Whether the sum of gradients of what is of that kind has the form that people get: no object or tuple stands in it."""
    if isinstance(kind, Parts):
        return kind.form in (list, dict) and all(map(is_summed_in_place, kind.kinds))
    return isinstance(kind, (Number, Array, Passive))


def leaves_of(kind):
    """The kinds of numbers and arrays in one, at any depth."""
    return [leaf for part in kind.kinds for leaf in leaves_of(part)] if isinstance(kind, Parts) else [kind]


def blocks(body):
    """The block, and all that stand in it."""
    yield body
    for s in tree.every(body):
        yield from (block for _, block in tree.blocks(s))


def key_of(place, name):
    """The key in `name[key]` or `name.key`, or None."""
    if not isinstance(place, (gast.Subscript, gast.Attribute)) or tree.dotted(place.value) != name:
        return None
    if isinstance(place, gast.Attribute):
        return place.attr
    found = registry.literal(place.slice)
    return found[0] if found and type(found[0]) in (int, str) else None


def item(value, key, kind):
    """The part of a container or an object."""
    if isinstance(kind, Parts) and kind.keys and kind.form is not dict:
        return gast.Attribute(value=value, attr=key, ctx=gast.Load())
    return gast.Subscript(value=value, slice=tree.constant(key), ctx=gast.Load())


def joined(total, value, minus):
    """`total + value`, `total - value`."""
    if total is None:
        return gast.UnaryOp(op=gast.USub(), operand=value) if minus else value
    return gast.BinOp(left=total, op=gast.Sub() if minus else gast.Add(), right=value)
