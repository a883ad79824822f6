"""Innermost loops over elements, taken for what their statements do to whole rows, and written as loops again.

    for j in range(n - 2, 0, -1):                      for j in range(1, n - 1):
        bt = 0.2 * bg[i, j]                                bt[j] = 0.2 * bg[i, j]
        bg[i, j] = 0                                       bg[i, j] = 0
        bf[i - 1, j] += bt                    ->       for j in range(1, n - 1):
        bf[i, j - 1] += bt                                 bf[i - 1, j] += bt[j]
        bf[i, j + 1] += bt                             for j in range(n):
                                                           bf[i, j] += bt[j + 1] + bt[j - 1]

Statements may part where no element is met in another order than before; additions may be made in another order. What every
trip adds to one and the same element is summed up before. Positions count from the front for all that can be seen, and the
number of trips is known before the first.
"""
import gast

from tangent.frontend import tree
from tangent.numba.loops.accesses import ArrayStmt
from tangent.numba.loops.affine import At, Form, NotLowered, Ref, Span, atom
from tangent.numba.loops.fuse import Order
from tangent.numba.loops.interchange import escapes
from tangent.numba.loops.prepared.rename import rebound
from tangent.numba.loops.scopes import Room
from tangent.numba.loops.values import FLOAT, Kind, elementwise
from tangent.runtime import facts

SHORT = 16                                      # trips that are too few for loops of their own
ODD = (gast.BoolOp, gast.Lambda, gast.NamedExpr, gast.ListComp, gast.Attribute)
REAL = ('float64', 'float32')


def raised(loop, lowering, scope):
    """The statements in place of an innermost loop; None where it stays as it is."""
    if not isinstance(loop, gast.For) or lowering.helpers.get('empty_sum') is None or not isinstance(loop.target, gast.Name) \
            or loop.orelse or not lowering.is_range(loop.iter):
        return None
    if not all(isinstance(s, (gast.Assign, gast.AugAssign)) for s in loop.body) or not is_worth_it(loop):
        return None
    try:
        return _Rows(loop, lowering, scope).loops()
    except NotLowered:
        return None


def is_worth_it(loop):
    """Whether it adds to elements of arrays, and does more than that."""
    stores = [s for s in loop.body if not tree.target(s)]
    return len(stores) > 1 and any(isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Subscript) for s in stores)


class _Rows:
    def __init__(self, loop, lowering, scope):
        self.loop, self.lowering, self.kinds, self.scope = loop, lowering, lowering.kinds, scope
        self.room, self.facts = Room(lowering, scope), scope.facts.inner()
        self.variable = loop.target.id
        self.first, self.length, self.down = self.trips()
        self.facts.known.append(self.length - 1)
        self.changed = rebound(loop.body)
        self.temps = self.temporaries()
        self.numbers: set = set()                       # those of which the loop makes no row

    def refuse_if(self, odd):
        if odd:
            raise NotLowered

    def trips(self):
        """(least value of the variable, number of trips, whether they run down)."""
        found = self.kinds.trips(self.loop.iter)
        self.refuse_if(found is None)
        first, length, down = found
        constant = self.facts.settled(length).constant
        self.refuse_if(constant is not None and constant < SHORT)
        written = {n for s in self.loop.body for n in tree.writes(s)} | {self.variable}
        self.refuse_if(written & set(tree.names(self.loop.iter, gast.Load)) or escapes(self.loop, self.lowering.function))
        return first, length, down

    def temporaries(self):
        """Name -> its new name, for each name that a trip gives a value and that nothing but the trip reads."""
        made = [tree.target(s) for s in self.loop.body if isinstance(s, gast.Assign) and tree.target(s)]
        known: set = set()
        for s in self.loop.body:
            reads = set(tree.names(s, gast.Load))
            self.refuse_if(any(n in made and n not in known for n in reads))
            known.add(tree.target(s))
        elsewhere = left_over(self.lowering.function.body, frozenset(), set())
        kinds = [self.kinds.of.get(n) for n in made]
        self.refuse_if(len(set(made)) < len(made) or any(n in elsewhere for n in made)
                       or any(k is None or k.parts is not None or k.rank or k.dtype != 'float64' for k in kinds))
        return {n: self.lowering.names.fresh(n) if self.kinds.bound.get(n, 0) > 1 else n for n in made}

    # What statements do

    def loops(self):
        before, after, stmts = [], [], []
        for s in self.loop.body:
            stmts.append(self.statement(s))
        pairs: set = set()
        fresh = set(self.temps.values())
        order = Order(self.facts, lambda a, b: self.lowering.are_apart(a, b, pairs), self.kinds.family, fresh)
        self.refuse_if(not self.may_part(stmts, order))
        stmts = self.without_invariants(stmts, order, before)
        ready = [self.total(s, before, after) if s.sums else s for s in stmts]
        for s in ready:
            s.down = (False,)
        order.fresh |= {s.target.name for s in ready if not s.target.parts}
        for name, new in self.temps.items():
            self.lowering.loads[new] = sum(tree.names(s.stmt, gast.Load).count(new) for s in ready)
            self.kinds.of[new] = Kind(0, 'float64') if new in self.numbers else Kind(1, self.kinds.of[name].dtype, (None,))
        made = self.lowering.written(ready, order, pairs, self.room)
        test = self.has_trips()
        if test is not None and self.lowering.padded:
            made = [gast.copy_location(tree.place(gast.If(test=test, body=made, orelse=[]), tree.origin(self.loop)), self.loop)]
        return [*self.scope.taken(), *before, *made, *after]

    def has_trips(self):
        """The test whether there are trips; None where that is known."""
        length = self.scope.facts.settled(self.length)
        if self.scope.facts.at_least(length, 1):
            return None
        return gast.Compare(left=length.tree(), ops=[gast.Gt()], comparators=[tree.constant(0)])

    def statement(self, s):
        """What a statement does, as one about rows."""
        new = tree.instead(tree.rename(s, self.temps), s)
        refs: dict = {}
        self.value(s.value, new.value, refs)
        target = new.target if isinstance(new, gast.AugAssign) else new.targets[0] if len(new.targets) == 1 else None
        op = new.op if isinstance(new, gast.AugAssign) else None
        self.refuse_if(op is not None and not isinstance(op, (gast.Add, gast.Sub)))
        if isinstance(target, gast.Name) and op is None:
            ref = Ref(target.id, (Span(Form(0), 1, self.length),))
            return ArrayStmt(ref, None, new.value, refs, (self.length,), True, 'float64', stmt=new)
        if isinstance(target, gast.Name):
            self.refuse_if(self.kinds.of.get(target.id) != FLOAT or self.kinds.kind(s.value) != FLOAT)
            return ArrayStmt(Ref(target.id, (At(None, None),)), op, new.value, refs, (self.length,), stmt=new)
        self.refuse_if(not isinstance(target, gast.Subscript))
        ref = self.element(target)
        self.refuse_if(op is None and not ref.spans)
        return ArrayStmt(ref, op, new.value, refs, (self.length,), stmt=new)

    def value(self, old, new, refs):
        """Note what an expression reads; raises NotLowered where a row cannot be read so."""
        self.refuse_if(isinstance(old, (*ODD, gast.IfExp)))
        if isinstance(old, gast.Name):
            self.refuse_if(old.id == self.variable or old.id in self.changed and old.id not in self.temps)
            kind = self.kinds.kind(old)
            self.refuse_if(kind is None or kind.rank or kind.parts is not None)
            if old.id in self.temps:
                refs[id(new)] = Ref(new.id, (Span(Form(0), 1, self.length),))
        elif isinstance(old, gast.Subscript):
            refs[id(new)] = self.element(new)
        elif isinstance(old, gast.Call):
            self.refuse_if(old.keywords or not self.is_known(old))
            for a, b in zip(old.args, new.args):
                self.value(a, b, refs)
        else:
            pairs = zip(gast.iter_child_nodes(old), gast.iter_child_nodes(new))
            for a, b in pairs:
                if isinstance(a, gast.expr):
                    self.value(a, b, refs)

    def is_known(self, call):
        found = self.kinds.find(call.func)
        return facts.is_helper(found, 'copy', 'unbroadcast') or facts.home(found) == 'math' \
            or elementwise(found) and isinstance(call.func, gast.Attribute)

    def element(self, node):
        """The Ref of an element of an array, at all trips."""
        kind = self.kinds.of.get(node.value.id) if isinstance(node.value, gast.Name) else None
        index = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
        self.refuse_if(kind is None or kind.rank != len(index) or kind.dtype not in REAL or node.value.id in self.changed)
        return Ref(node.value.id, tuple(map(self.part, index)))

    def part(self, expr):
        kind, form = self.kinds.kind(expr), self.kinds.form(expr)
        self.refuse_if(kind is None or kind.rank or kind.dtype != 'int64' or kind.parts is not None)
        names = set(tree.names(expr, gast.Load))
        times = 0 if form is None else form.atoms.get(self.variable, 0)
        if not times:
            self.refuse_if(names & (self.changed | {self.variable})
                           or any(isinstance(n, (gast.Call, gast.Subscript)) for n in tree.walk(expr)))
            return At(expr, form)
        self.refuse_if(times not in (1, -1))
        start = form - atom(self.variable).times(times) + self.first.times(times)
        self.refuse_if(not self.facts.at_least(start if times > 0 else start - self.length + 1))
        return Span(start, times, self.length)

    # Whether they may part

    def may_part(self, stmts, order):
        """Whether each statement can be made for all trips before the next one is."""
        for k, s in enumerate(stmts):
            for r in s.reads:
                d = order.distance(r, s.target) if not is_number(s) else 'apart'
                if d != 'apart' and (s.sums or d is None or any(d)):
                    return False
            for other in stmts[k + 1:]:
                if not all(self.in_order(x, y, order) for x, y in met(s, other)):
                    return False
        return True

    def in_order(self, x, y, order):
        d = order.distance(x, y)
        if d == 'apart':
            return True
        return d is not None and len(d) == 1 and (d[0] <= 0 if self.down else d[0] >= 0)

    def without_invariants(self, stmts, order, before):
        """The statements but for those that make the same number in each trip, which is made before, if there is a trip."""
        left = []
        for s in stmts:
            reads = list(s.refs.values())
            same = s.fresh and not any(r.spans for r in reads) and all(
                order.distance(r, t.target) == 'apart' for r in reads for t in stmts if not t.fresh)
            if not same:
                left.append(s)
                continue
            value, test = s.value, self.has_trips()
            if test is not None:
                value = gast.IfExp(test=test, body=value, orelse=tree.constant(0.0))
            before.append(gast.copy_location(tree.place(tree.assign(s.target.name, value), tree.origin(s.stmt)), s.stmt))
            for other in stmts:
                other.refs = {key: r for key, r in other.refs.items() if r.name != s.target.name}
            self.numbers.add(s.target.name)
        return left

    def total(self, s, before, after):
        """The sum that is made in place of additions to one element, or to a number; what is done with it is added."""
        number = is_number(s)
        dtype = 'float64' if number else self.kinds.of[s.target.name].dtype
        name, origin = self.lowering.names.fresh('total'), tree.origin(s.stmt)
        before.append(self.lowering.begin(name, dtype, s.stmt, origin))
        end = gast.AugAssign(target=s.stmt.target, op=gast.Add(), value=tree.load(name))
        after.append(gast.copy_location(tree.place(end, origin), s.stmt))
        self.kinds.of[name], self.kinds.bound[name] = Kind(0, dtype), 1
        return ArrayStmt(Ref(name, ()), s.op, s.value, s.refs, s.lengths, stmt=s.stmt)


def left_over(stmts, made, found):
    """Names that are read where the last statement that gave them a value may have been one inside another."""
    for s in stmts:
        reads = {n for part in tree.header(s) for n in tree.names(part, gast.Load)}
        if isinstance(s, gast.AugAssign):
            reads |= set(tree.names(s.target, gast.Store))
        found |= reads - made
        inner = [block for _, block in tree.blocks(s)]
        inside = {n for block in inner for t in tree.every(block) for n in tree.writes(t)}
        own = set(tree.names(s.target, gast.Store)) if isinstance(s, gast.For) else set()
        for block in inner:
            left_over(block, made - inside | own, found)
        made = made - inside | (tree.writes(s) if isinstance(s, gast.Assign) else set())
    return found


def is_number(s):
    """Whether what is added to is a number with a name."""
    return isinstance(s.stmt, gast.AugAssign) and isinstance(s.stmt.target, gast.Name)


def met(a, b):
    """Pairs of what two statements have to do with, of which one is written, where order matters."""
    pairs = [(x, y) for x, y in [(a.target, r) for r in b.reads] + [(r, b.target) for r in a.reads]]
    if not (a.adds and b.adds and a.target.name == b.target.name):
        pairs.append((a.target, b.target))
    return pairs
