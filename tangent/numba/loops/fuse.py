"""From array statements that follow each other to nests of loops.

Statements share a loop where no element is met in another order than before; sums may be made in another order. Along the
last axis every array that is written at several places gets a loop of its own, so that compilers find few streams in each
of them, and what all of them need is kept in a row:

    bt = 0.2 * bA[1:-1, 1:-1]                 for i in range(1, bA.shape[0] - 1):
    bA[1:-1, 1:-1] = 0.0               ->         for j in range(1, bA.shape[1] - 1):
    bB[1:-1, 1:-1] += bt                              bt[j] = 0.2 * bA[i, j]
    bB[1:-1, :-2] += bt                               bA[i, j] = 0.0
                                                      bB[i, j] += bt[j]
                                                  for j in range(1, bA.shape[1] - 1):
                                                      bB[i, j - 1] += bt[j]
"""
import dataclasses
import itertools

import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.accesses import ArrayStmt
from tangent.numba.loops.affine import At, Form, Inner, NotLowered, Ref, Span, Through, atom, distance
from tangent.numba.loops.outer_products import factors, is_outer
from tangent.numba.loops.scatter_to_gather import Loop, gathered
from tangent.numba.loops.types import SHARED
from tangent.runtime import facts


class Order:
    """What may be put into one loop.

    apart : says of two names whether their arrays share no memory
    family : name -> names of arrays that may share memory with it
    fresh : names that get arrays of their own
    """

    def __init__(self, facts, apart, family, fresh):
        self.facts, self.apart, self.family, self.fresh = facts, apart, family, fresh

    def distance(self, x, y):
        if x.name != y.name:
            if x.name in self.fresh or y.name in self.fresh:
                return 'apart'
            return None if y.name in self.family(x.name) or not self.apart(x.name, y.name) else 'apart'
        return distance(x, y, self.facts)

    def conflicts(self, a, b):
        """The distances from elements of `a` to the same elements of `b`, which comes after it, where order matters."""
        pairs = [(a.target, y, a.sums) for y in b.reads] + [(x, b.target, b.sums) for x in a.reads]
        if not (a.adds and b.adds and a.target.name == b.target.name):
            pairs.append((a.target, b.target, a.sums or b.sums))
        return [None if sums else d for x, y, sums in pairs for d in [self.distance(x, y)] if d != 'apart']

    def direct(self, s):
        """The directions of the loops in which a statement alone can run; raises NotLowered where there are none."""
        found = []
        for r in s.reads:
            if r is not s.target:
                d = self.distance(r, s.target)
                if d is None or s.sums and d != 'apart':
                    raise NotLowered
                if d != 'apart':
                    found.append(d)
        down = []
        for axis in range(len(s.lengths)):
            here = [d[axis] for d in found]
            if min(here, default=0) < 0 < max(here, default=0):
                raise NotLowered
            down.append(min(here, default=0) < 0)
            found = [d for d in found if d[axis] == 0]
        return tuple(down)

    def may_share(self, cluster, s, axis):
        """Whether a statement can join the loop over this axis of those before it."""
        if s.fresh and any(s.target.name in (r.name for r in (c.target, *c.refs.values())) for c in cluster):
            return False
        if len(cluster[0].lengths) != len(s.lengths) or s.down[axis] != cluster[0].down[axis] or not all(
                self.facts.equal(a, b) for a, b in zip(cluster[0].lengths[axis:axis + 1], s.lengths[axis:])):
            return False
        for other in cluster:
            for d in self.conflicts(other, s):
                if d is None:
                    return False
                if not any(d[:axis]) and (d[axis] > 0 if s.down[axis] else d[axis] < 0):
                    return False
        return axis + 1 < len(s.lengths) or not self.crowded(cluster, s)

    def crowded(self, cluster, s):
        """Whether the innermost loop would write an array at one place and use it at another."""
        def same(x, y):
            d = self.distance(x, y)
            if d == 'apart':
                return x.name != y.name or not x.parts or not isinstance(x.parts[-1], Span)
            return d is not None and not any(d)
        for other in cluster:
            if not all(same(x, s.target) for x in [other.target, *other.refs.values()]) \
                    or not all(same(other.target, y) for y in s.refs.values()):
                return True
        return False

    def loops(self, stmts, axis=0):
        """The loops over this axis of statements that all run for the same steps of the axes before."""
        clusters: list = []
        for s in stmts:
            if clusters and self.may_share(clusters[-1], s, axis):
                clusters[-1].append(s)
            else:
                clusters.append([s])
        return [Loop(axis, c if axis + 1 == len(c[0].lengths) else self.loops(c, axis + 1), c[0].down[axis]) for c in clusters]


def in_two_steps(s, name, dtype):
    """The statement with its value calculated before anything is written."""
    lengths = s.lengths
    if s.sums or any(isinstance(p, Through) for p in s.target.parts):
        raise NotLowered
    row = Ref(name, tuple(Span(Form(0), 1, n) for n in lengths))
    node = tree.load(name)
    if s.op is None:
        value, refs = s.value, s.refs
    else:
        old = tree.load(s.target.name)
        value, refs = gast.BinOp(left=old, op=s.op, right=s.value), {**s.refs, id(old): s.target}
    first = ArrayStmt(row, None, value, refs, lengths, True, dtype, s.looked, (False,) * len(lengths), s.stmt)
    second = ArrayStmt(s.target, None, node, {id(node): row}, lengths, down=(False,) * len(lengths), stmt=s.stmt)
    return [first, second]


@dataclasses.dataclass
class Row:
    """An array of which only a part is kept: nothing for the first `depth` axes.

    bases : at which position it begins, on each axis that is left
    pad : how many zeros stand on both sides, along the last axis
    """
    depth: int
    name: str
    bases: list = dataclasses.field(default_factory=list)
    pad: int = 0


class Writer:
    """Writes loops as statements.

    room : gives names, and takes what has to be made before
    ready : all statements that are written, in whatever loops
    divide : the name of NumPy's division where that of the language would raise; None to use the operator
    over : name of an array -> that of the one that takes its place
    """

    def __init__(self, room, kinds, lowering, ready, divide):
        self.room, self.kinds, self.lowering, self.ready, self.divide = room, kinds, lowering, ready, divide
        self.numpy = lowering.numpy()
        self.rows, self.made, self.over = {}, [], {}

    def nest(self, loop):
        """The statements that a nest becomes."""
        self.made, self.rows = [], {name: row for name, row in self.rows.items() if not row.depth}
        inside = loop.statements
        for s in inside:
            if s.fresh and s.target.name not in self.rows:
                self.settle(s, loop, inside)
        body = self.loop(gathered(loop, self.rows, self.room.facts), ())
        return [*self.made, body]

    def settle(self, s, loop, inside):
        """Decide what there is of an array that gets its name here: all, a row, or one element at a time."""
        name, lengths = s.target.name, s.lengths
        depth = self.kept(s, loop, inside)
        if s.sums:
            self.made.append(self.empty(s, name, [self.size(p.length) for p in s.target.spans], s.dtype, 'zeros'))
        elif depth is None:
            last = self.last(s)
            made = self.empty(s, name, [self.size(n) for n in lengths], s.dtype) if last is None else None
            if last is not None:
                self.over[last] = name
                made = tree.place(gast.copy_location(tree.assign(name, tree.load(last)), s.stmt), tree.Origin('tape'))
            self.made.append(made)
        else:
            self.rows[name] = Row(depth, name if depth == len(lengths) else self.lowering.row_name(name))

    def beside(self, loops):
        """The nests, with sums that come from neighbours where loops over one axis follow each other."""
        out: list = []
        for is_flat, run in itertools.groupby(loops, lambda loop: not any(isinstance(p, Loop) for p in loop.body)):
            flat = list(run)
            for loop in flat if is_flat and len(flat) > 1 else ():
                for s in loop.statements:
                    if s.fresh and not s.sums and self.kept(s, loop, loop.statements) == 0:
                        self.rows[s.target.name] = Row(0, self.lowering.row_name(s.target.name))
            out += gathered(Loop(0, flat), self.rows, self.room.facts).body if is_flat else flat
        return out

    def kept(self, s, loop, inside):
        """How many loops stand around all there is of an array that gets its name here; None where all of it is there."""
        name, lengths = s.target.name, s.lengths
        uses = [(t, r) for t in self.ready for r in t.refs.values() if r.name == name]
        later = self.ready[self.ready.index(s) + 1:]
        alone = all(t in later for t, _ in uses) and sum(t.target.name == name for t in self.ready) == 1
        known = {id(t.stmt): t.stmt for t in self.ready}.values()
        elsewhere = self.lowering.loads.get(name, 0) - sum(tree.names(t, gast.Load).count(name) for t in known)
        whole = all(len(r.parts) == len(lengths) == len(t.lengths) and not r.inside and all(
            isinstance(p, Span) and p.step == 1 and p.start == Form(0) for p in r.parts) for t, r in uses)
        if alone and whole and elsewhere <= 0 and uses and name not in self.lowering.whole:
            return self.depth(loop, name) if all(t in inside for t, _ in uses) else 0
        return None

    def last(self, s):
        """The name of an array of the same size that is read for the last time where a statement makes another one of it,
        element by element; None where there is none."""
        if self.room.scope.outer is not None or s.dtype is None or s.sums:
            return None
        for r in s.refs.values():
            kind, loads = self.kinds.of.get(r.name), tree.names(s.stmt, gast.Load).count(r.name)
            whole = len(r.parts) == len(s.lengths) and not r.inside and all(
                isinstance(p, Span) and p.step == 1 and p.start == Form(0) for p in r.parts)
            if whole and loads == 1 and kind is not None and kind.dtype == s.dtype and self.lowering.is_whole(r.name) \
                    and r.name not in self.rows and self.is_read_last(s, r.name) \
                    and all(map(self.room.facts.equal, (p.length for p in r.parts), s.lengths)):
                return r.name
        return None

    def is_read_last(self, s, name):
        """Whether nothing reads an array but one statement, and what is done before its nests."""
        others = [t for t in self.ready if t is not s]
        return self.lowering.loads.get(name) == 1 or self.lowering.is_read_last(s.stmt, name) and not any(
            name in (t.target.name, *(r.name for r in t.refs.values())) for t in others)

    def size(self, form, facts=None):
        form = self.room.facts.settled(form)
        known = (facts or self.room.facts).at_least(form)
        return form.tree() if known else tree.call('max', form.tree(), tree.constant(0))

    def empty(self, s, name, sizes, dtype, maker='empty'):
        """`name = np.empty(...)`."""
        if dtype is None:
            raise NotLowered
        shape = sizes[0] if len(sizes) == 1 else gast.Tuple(elts=sizes, ctx=gast.Load())
        more = [] if dtype == 'float64' else [tree.expression(f'{self.numpy}.{dtype}' + '_' * (dtype == 'bool'))]
        stmt = tree.assign(name, tree.call(f'{self.numpy}.{maker}', shape, *more))
        return tree.place(gast.copy_location(stmt, s.stmt), tree.Origin('tape'))

    @staticmethod
    def depth(loop, name):
        """How many loops stand around all uses of a name."""
        def uses(part):
            return sum(s.target.name == name or any(r.name == name for r in s.refs.values())
                       for s in (part.statements if isinstance(part, Loop) else [part]))
        total, depth = uses(loop), 0
        while True:
            depth += 1
            inner = [p for p in loop.body if isinstance(p, Loop) and uses(p) == total]
            if not inner:
                return depth
            loop, = inner

    def base(self, loop):
        """Where a loop begins: at the place of what is written first."""
        inside = loop.statements
        refs = [r for s in inside if not s.fresh for r in (s.target, *s.refs.values())]
        refs += [r for s in inside if s.fresh for r in s.refs.values() if r.name not in self.rows]
        rows = [self.rows[r.name] for s in inside for r in s.refs.values() if r.name in self.rows and self.rows[r.name].bases]
        for row in rows:
            if row.depth <= loop.axis and not row.pad:
                return row.bases[loop.axis]
        refs = [r for r in refs if r.name not in self.rows]
        spans = [p for r in refs for p in self.on(r, loop.axis, inside[0])]
        if any(p.step != 1 for p in spans):
            return Form(0)
        return spans[0].start if spans else Form(0)

    @staticmethod
    def on(ref, axis, s):
        """The Span of a Ref on an axis of the loops, in a list."""
        at = axis - len(s.lengths) + len(ref.spans) + ref.inside
        return [ref.spans[at]] if 0 <= at < len(ref.spans) else []

    def loop(self, loop, around):
        base, first = self.base(loop), loop.statements[0]
        var = self.lowering.step(loop.axis)
        length = first.lengths[loop.axis]
        stop = base + length
        around = (*around, (var, base))
        body = []
        for part in loop.body:
            body += [self.loop(part, around)] if isinstance(part, Loop) else [self.statement(part, around)]
        base, stop = (self.room.facts.settled(f) if self.is_made(f) else f for f in (base, stop))
        if loop.down:
            args = [(stop - 1).tree(), (base - 1).tree(), tree.constant(-1)]
        else:
            args = [stop.tree()] if base == Form(0) else [base.tree(), stop.tree()]
        made = gast.For(target=tree.store(var), iter=tree.call('range', *args), body=body, orelse=[], type_comment=None)
        return tree.place(gast.copy_location(made, first.stmt), tree.Origin('primal', first.stmt.lineno))

    def is_made(self, form):
        """Whether a form asks for the shape of an array that is made here, if at all."""
        return any(a.partition('.')[0] in self.lowering.fresh or any(
            s.fresh and s.target.name == a.partition('.')[0] for s in self.ready) for a in form.atoms)

    def statement(self, s, around):
        target = self.element(s.target, s, around, store=True)
        value = self.value(s.value, s, around)
        if s.op is None:
            made = gast.Assign(targets=[target], value=value, type_comment=None)
        elif isinstance(s.op, gast.Div) and self.divide is not None and not nonzero(s.value):
            value = tree.call(self.divide, self.element(s.target, s, around), value)
            made = gast.Assign(targets=[target], value=value, type_comment=None)
        else:
            made = gast.AugAssign(target=target, op=s.op, value=value)
        return tree.place(gast.copy_location(made, s.stmt), tree.Origin('primal', s.stmt.lineno))

    def element(self, ref, s, around, store=False):
        """The element of an array at this step, or the number that is added to at all of them."""
        if not ref.parts:
            return tree.store(ref.name) if store else tree.load(ref.name)
        row = self.rows.get(ref.name)
        if row is not None and row.depth == len(s.lengths):
            return tree.store(row.name) if store else tree.load(row.name)
        if row is not None and not row.bases:
            self.make_row(row, s, around)
        index, axis = [], len(s.lengths) - len(ref.spans) - ref.inside
        for part in ref.parts:
            if isinstance(part, (At, Inner)):
                index.append(tree.clone(part.expr))
                continue
            if isinstance(part, Through):
                index.append(self.value(part.expr, s, around))
                continue
            var, base = around[axis]
            start = part.start if row is None else row.bases[axis] and row.bases[axis] + part.start
            if start is not None:
                index.append(((atom(var) - base).times(part.step) + start).tree())
            axis += 1
        place = index[0] if len(index) == 1 else gast.Tuple(elts=index, ctx=gast.Load())
        name = self.over.get(ref.name, ref.name) if row is None else row.name
        return gast.Subscript(value=tree.load(name), slice=place, ctx=gast.Store() if store else gast.Load())

    def make_row(self, row, s, around):
        """Have the row made before; it begins where the loop does, if that is near 0."""
        row.bases += [None] * row.depth
        for _, base in around[row.depth:]:
            near = row.depth and base.constant is not None and 0 <= base.constant < 5
            row.bases.append(base if near else Form(0))
        if row.pad:
            row.bases[-1] = Form(row.pad)
        known = [str(self.kinds.of[r.name].dtype) for r in s.refs.values() if self.kinds.of.get(r.name) is not None]
        dtype = s.dtype or ('complex128' if any(k.startswith('complex') for k in known) else 'float64')
        forms = [b + n for b, n in zip(row.bases[row.depth:], s.lengths[row.depth:-1])]
        forms.append(row.bases[-1] + s.lengths[-1] + row.pad)
        if not row.pad:                                        # one for all trips, of which the longest has most elements
            forms = [self.room.scope.widest(self.room.facts.settled(form)) for form in forms]
        facts = self.room.home(forms).facts                    # it is made outside of loops that may have no trips
        sizes = [self.size(form, facts) for form in forms]
        self.room.place([self.empty(s, row.name, sizes, dtype, 'zeros' if row.pad else 'empty')])

    def value(self, expr, s, around):
        """The expression for one element."""
        if id(expr) in s.refs:
            return self.element(s.refs[id(expr)], s, around)
        if id(expr) in self.room.numbers:
            return tree.load(self.room.numbers[id(expr)])
        if ('rows', id(expr)) in s.refs:
            row, other = self.element(s.refs['rows', id(expr)], s, around), factors(expr, self.kinds)[1]
            return tree.call(self.lowering.helper('dot_rows'), row, tree.clone(other))
        if is_outer(expr, self.kinds):
            left, right = (self.value(a, s, around) for a in expr.args)
            return gast.BinOp(left=left, op=gast.Mult(), right=right)
        if isinstance(expr, gast.Call):
            found = self.kinds.find(expr.func)
            name = getattr(found, '__name__', '')
            if found is None:
                return self.value(expr.func.value, s, around)
            ours = facts.is_helper(found, *SHARED, 'unreduce_like') or found is self.lowering.helpers.get('unspread')
            if name == 'copy' or found is np.flip or ours:
                return self.value(expr.args[0], s, around)
            args = [self.value(a, s, around) for a in expr.args]
            if found is np.where:
                return gast.IfExp(test=args[0], body=args[1], orelse=args[2])
            if found is np.clip:
                return tree.call(f'{self.numpy}.minimum', tree.call(f'{self.numpy}.maximum', *args[:2]), args[2])
            return tree.replace(expr, args=args)
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Div) and self.divide is not None \
                and self.kinds.kind(expr) is not None and self.kinds.kind(expr).rank and not nonzero(expr.right):
            return tree.call(self.divide, self.value(expr.left, s, around), self.value(expr.right, s, around))
        fields = {}
        for key, part in expr.__dict__.items():
            if type(part) is list:
                fields[key] = [self.value(p, s, around) if isinstance(p, gast.AST) else p for p in part]
            elif isinstance(part, gast.expr):
                fields[key] = self.value(part, s, around)
        return tree.replace(expr, **fields) if fields else expr


def nonzero(expr):
    """Whether an expression surely is a number that is not 0."""
    if isinstance(expr, gast.UnaryOp):
        return nonzero(expr.operand)
    return isinstance(expr, gast.Constant) and expr.value != 0
