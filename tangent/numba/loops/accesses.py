"""Array expressions as what they do at each step of a loop: which elements of which arrays are read and written."""
import dataclasses

import gast
import numpy as np

from tangent.analysis.kinds.special import COMPARED
from tangent.frontend import tree
from tangent.numba.loops import outer_products as matrices
from tangent.numba.loops.affine import At, Form, NotLowered, Ref, Span, Through, atom
from tangent.numba.loops.types import SHARED
from tangent.numba.loops.values import INT, elementwise
from tangent.runtime import facts

FULL = gast.Slice(lower=None, upper=None, step=None)
OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow)
DTYPES = ('float64', 'float32', 'complex128', 'complex64')
SAFE = (*DTYPES, 'int64', 'bool')


@dataclasses.dataclass(eq=False)
class ArrayStmt:
    """`target = value` or `target op= value`, element by element.

    fresh : the target is a name that gets an array of its own here
    refs : id of a node of the value -> its Ref
    lengths : how many steps on each axis
    looked : names of which only the shape matters, so that they are not read any more
    down : for each axis whether the loop over it has to run backwards
    """
    target: Ref
    op: object
    value: gast.AST
    refs: dict
    lengths: tuple
    fresh: bool = False
    dtype: str | None = None
    looked: list = dataclasses.field(default_factory=list)
    down: tuple = ()
    stmt: object = None

    @property
    def adds(self):
        return isinstance(self.op, (gast.Add, gast.Sub))

    @property
    def sums(self):
        """Whether several steps add to one element."""
        return bool(self.target.parts) and sum(isinstance(p, (Span, Through)) for p in self.target.parts) < len(self.lengths)

    @property
    def reads(self):
        return list(self.refs.values()) + ([self.target] if self.op is not None and not self.adds else [])


class Reader:
    """Makes an ArrayStmt of a statement; `room` knows kinds, facts, and takes what has to be calculated or checked before.

    spreads : whether whole arrays are spread over each other as NumPy does; else their lengths agree, or nothing is done
    wanted : the lengths to which products of vectors, and these arrays, are spread, where they are known
    """

    def __init__(self, kinds, room, spreads=False):
        self.kinds, self.room, self.facts = kinds, room, room.facts
        self.refs, self.looked, self.spreads, self.wanted = {}, [], spreads, None

    def statement(self, s):
        if isinstance(s, gast.Assign) and len(s.targets) == 1:
            target, op = s.targets[0], None
        elif isinstance(s, gast.AugAssign) and isinstance(s.op, OPERATORS):
            target, op = s.target, s.op
        else:
            raise NotLowered
        if isinstance(target, gast.Name) and op is None:
            return self.scattered(s, target) or self.added_up(s, target) or self.made(s, target)
        ref = self.ref(target)
        column = matrices.column(s, self.room.lowering, self.room.scope)
        if ref is not None and column is not None and not ref.spans:
            lengths, value = matrices.summed(self, s, ref, column)
            return ArrayStmt(ref, op, value, self.refs, lengths, looked=self.looked, stmt=s)
        if ref is None or not ref.spans or self.kinds.of[ref.name].dtype not in DTYPES:
            raise NotLowered
        lengths = tuple(p.length for p in ref.spans)
        summed = matrices.sums(self, s.value) if isinstance(op, (gast.Add, gast.Sub)) and len(lengths) == 1 else None
        if summed is not None:
            count, length, value = summed
            if self.kinds.of[ref.name].dtype != self.kinds.kind(s.value).dtype:
                raise NotLowered
            self.broadcast([length], lengths)
            return ArrayStmt(ref, op, value, self.refs, (count, *lengths), looked=self.looked, stmt=s)
        self.wanted = lengths if len(lengths) == 2 or self.spreads else None
        self.broadcast([lengths, self.scan(s.value)], lengths)
        self.refuse_complex(self.kinds.of[ref.name].dtype, s.value)
        return ArrayStmt(ref, op, s.value, self.refs, lengths, looked=self.looked, stmt=s)

    def refuse_complex(self, dtype, value):
        kind = self.kinds.kind(value)
        if not dtype.startswith('complex') and (kind is None or str(kind.dtype).startswith('complex')):
            if kind is None or kind.dtype is not None or any(
                    str(self.kinds.of[r.name].dtype).startswith('complex') for r in self.refs.values()):
                raise NotLowered

    def made(self, s, target):
        """`name = expression`: the name gets an array of its own."""
        kind = self.kinds.of.get(target.id)
        if kind is None or not kind.rank or isinstance(s.value, (gast.Name, gast.Subscript)) \
                or target.id in tree.names(s.value, gast.Load):
            raise NotLowered
        own = self.kinds.kind(s.value)
        if self.is_zeros(s.value):
            lengths = Reader(self.kinds, self.room).scan(s.value.args[0])
            self.looked += tree.names(s.value, gast.Load)
            ref = Ref(target.id, tuple(Span(Form(0), 1, n) for n in lengths))
            return ArrayStmt(ref, None, tree.constant(0.0), {}, lengths, True, own.dtype, self.looked, stmt=s)
        summed = matrices.sums(self, s.value)
        if summed is not None:
            count, lengths, value = summed
            ref = Ref(target.id, (Span(Form(0), 1, lengths[0]),))
            return ArrayStmt(ref, gast.Add(), value, self.refs, (count, *lengths), True, own.dtype, self.looked, stmt=s)
        if isinstance(s.value, gast.Call) and not self.is_elementwise(s.value) \
                and matrices.factors(s.value, self.kinds) is None:
            raise NotLowered
        self.wanted = matrices.common(self, s.value) if self.spreads or own is not None and own.rank == 2 else None
        if self.spreads and self.wanted is None:
            raise NotLowered
        lengths = self.scan(s.value)
        if own is None or own.rank != len(lengths) or facts.is_helper(
                self.kinds.find(getattr(s.value, 'func', None)), 'unreduce_like') and own.dtype not in ('float64', 'float32'):
            raise NotLowered
        ref = Ref(target.id, tuple(Span(Form(0), 1, n) for n in lengths))
        return ArrayStmt(ref, None, s.value, self.refs, lengths, True, own.dtype, self.looked, stmt=s)

    def is_zeros(self, expr):
        """Whether an expression makes zeros for a part of an array."""
        found = self.kinds.find(expr.func) if isinstance(expr, gast.Call) else None
        return facts.is_helper(found, 'init_grad') and len(expr.args) == 1 and isinstance(expr.args[0], gast.Subscript) \
            and self.kinds.kind(expr) is not None and self.kinds.kind(expr).dtype in ('float64', 'float32')

    def added_up(self, s, target):
        """`total = np.sum(expression)`, or what a helper adds up so: the number begins as 0, before."""
        call, kind = s.value, self.kinds.of.get(target.id)
        found = self.kinds.find(call.func) if isinstance(call, gast.Call) and not call.keywords else None
        lowering = self.room.lowering
        is_sum = found is np.sum and len(call.args) == 1 or facts.is_helper(found, 'unbroadcast') and len(call.args) == 2
        if not is_sum or kind is None or kind[:2] != (0, 'float64') or kind.parts is not None \
                or self.kinds.bound.get(target.id) != 1 or lowering.helpers.get('empty_sum') is None:
            return None
        like, known = self.kinds.kind(call.args[-1]), self.kinds.kind(call.args[0])
        if known is None or not known.rank or known.dtype != 'float64' or len(call.args) == 2 and (
                like is None or like[:2] != (0, 'float64') or like.parts is not None):
            return None
        lengths = self.scan(call.args[0])
        self.room.wishes.append(([lowering.begin(target.id, 'float64', s, tree.origin(s))], None, (), (), None, None))
        return ArrayStmt(Ref(target.id, ()), gast.Add(), call.args[0], self.refs, lengths, looked=self.looked, stmt=s)

    def scattered(self, s, target):
        """`b = add_at(b, index, value)`: sums that go where an array of integers says."""
        call, kind = s.value, self.kinds.of.get(target.id)
        if not isinstance(call, gast.Call) or getattr(self.kinds.find(call.func), '__name__', '') != 'add_at' \
                or len(call.args) != 3 or not isinstance(call.args[0], gast.Name) or call.args[0].id != target.id \
                or kind is None or kind.rank != 1 or kind.dtype not in DTYPES or not self.is_index(call.args[1]):
            return None
        lengths = self.scan(call.args[1])
        self.broadcast([lengths, self.scan(call.args[2])], lengths)
        self.refuse_complex(kind.dtype, call.args[2])
        return ArrayStmt(Ref(target.id, (Through(call.args[1]),)), gast.Add(), call.args[2], self.refs, lengths,
                         looked=self.looked, stmt=s)

    def is_index(self, expr):
        """Whether an expression is a vector of integers."""
        kind = self.kinds.kind(expr)
        return kind is not None and kind.rank == 1 and kind.dtype == 'int64' and isinstance(expr, (gast.Name, gast.Subscript))

    def is_elementwise(self, call):
        found = self.kinds.find(call.func)
        return elementwise(found) or found is np.clip or getattr(found, '__name__', '') in (
            'copy', 'unbroadcast', 'unreduce_like')

    # Elements

    def ref(self, expr):
        """The Ref that an expression is, or None."""
        base = expr.value if isinstance(expr, gast.Subscript) else expr
        kind = self.kinds.of.get(base.id) if isinstance(base, gast.Name) else None
        if kind is None or not kind.rank or kind.dtype not in SAFE:
            return None
        index = [] if base is expr else expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        index = [FULL if isinstance(p, gast.Constant) and p.value is Ellipsis and len(index) == 1 else p for p in index]
        if len(index) > kind.rank:
            return None
        sizes = [atom(f'{base.id}.shape[{k}]') if f is None else f for k, f in enumerate(kind.shape)]
        parts = [self.part(p, size) for p, size in zip([*index, *[FULL] * (kind.rank - len(index))], sizes)]
        return None if None in parts else Ref(base.id, tuple(parts))

    def part(self, expr, size):
        if isinstance(expr, gast.Slice):
            return self.span(expr, size)
        kind = self.kinds.kind(expr)
        if kind is None or kind[:2] != INT[:2] or kind.parts is not None:
            return None
        form = self.kinds.form(expr)
        if form is not None and form.constant is not None and form.constant < 0:
            form = size + form
            self.room.learn(form)                    # an index outside would have been an error
        return At(expr, form)

    def span(self, part, size):
        """The Span of a slice, whatever its bounds turn out to be."""
        step = 1 if part.step is None else self.constant(part.step)
        if step == -1 and part.lower is None and part.upper is None:
            return Span(size - 1, -1, size)
        if step is None or step < 1:
            return None
        low, high = self.low(part.lower, size), self.high(part.upper, size)
        if low is None or high is None:
            bounds = [tree.constant(None) if b is None else b for b in (part.lower, part.upper)]
            if any(b is not None and not self.is_int(b) for b in (part.lower, part.upper)):
                return None
            low, high = self.room.ends(*bounds, size)
        length = high - low
        if step > 1:
            length = self.room.count(low, high, step)
        return Span(low, step, length)

    def is_int(self, expr):
        kind = self.kinds.kind(expr)
        return kind is not None and kind[:2] == INT[:2] and kind.parts is None

    def constant(self, expr):
        form = self.kinds.form(expr)
        return None if form is None else form.constant

    def low(self, expr, size):
        form = Form(0) if expr is None else self.kinds.form(expr)
        if form is None:
            return None
        if form.constant is not None and form.constant < 0:
            form = size + form
        return form if self.facts.at_least(form) else None

    def high(self, expr, size):
        form = size if expr is None else self.kinds.form(expr)
        if form is None:
            return None
        if form.constant is not None and form.constant < 0:
            return size + form
        if any(self.facts.equal(form, size - c) for c in range(3)):
            return form
        return form if self.facts.at_least(form) and self.facts.at_least(size - form) else None

    # Expressions

    def scan(self, expr):
        """The number of steps on each axis that the value of an expression has; its Refs are noted."""
        kind = self.kinds.kind(expr)
        if kind is None or kind.parts is not None:
            raise NotLowered
        if kind.rank == 0:
            return self.number(expr)
        ref = self.ref(expr) if isinstance(expr, (gast.Name, gast.Subscript)) else None
        if ref is not None:
            if self.spreads and self.wanted is not None and isinstance(expr, gast.Name) and len(ref.spans) <= len(self.wanted):
                ref = matrices.spread(self, expr, ref, self.wanted[len(self.wanted) - len(ref.spans):])
            self.refs[id(expr)] = ref
            return tuple(p.length for p in ref.spans)
        if isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Name) and self.is_index(expr.slice):
            self.refs['through', id(expr)] = Ref(expr.value.id, (Through(expr.slice),))
            return self.scan(expr.slice)
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, OPERATORS):
            return self.together([expr.left, expr.right])
        if matrices.factors(expr, self.kinds) is not None:
            return matrices.rows(self, expr)
        if matrices.is_outer(expr, self.kinds):
            return matrices.outer(self, expr)
        if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, (gast.USub, gast.UAdd)):
            return self.scan(expr.operand)
        if isinstance(expr, gast.Compare) and len(expr.ops) == 1 and type(expr.ops[0]) in COMPARED:
            return self.together([expr.left, *expr.comparators])
        if isinstance(expr, gast.Call):
            return self.call(expr)
        raise NotLowered

    def call(self, expr):
        found = self.kinds.find(expr.func)
        name = getattr(found, '__name__', '')
        if expr.keywords:
            raise NotLowered
        if found is None and isinstance(expr.func, gast.Attribute) and expr.func.attr == 'copy' and not expr.args:
            return self.scan(expr.func.value)
        if facts.is_helper(found, *SHARED):
            like, other = self.kinds.kind(expr.args[0]), self.kinds.kind(expr.args[1])
            if None in (like, other) or like.dtype != other.dtype and (like.rank or other.dtype not in ('float64', 'int64')):
                raise NotLowered
            reader = Reader(self.kinds, self.room)
            lengths = reader.scan(expr.args[1])
            self.looked += tree.names(expr.args[1], gast.Load)
            name = getattr(expr.args[1], 'id', None)
            kept = len(lengths) > 1 and name in self.kinds.handed or name in self.kinds.spread
            return self.broadcast([lengths, self.scan(expr.args[0])], lengths, careful=kept)
        if found is not None and found is self.room.lowering.helpers.get('unspread'):
            lengths = tuple(map(self.kinds.form, expr.args[1:]))
            return self.broadcast([lengths, self.scan(expr.args[0])], lengths, careful=True)
        if facts.is_helper(found, 'unreduce_like') and len(expr.args) == 2:
            lengths = Reader(self.kinds, self.room).scan(expr.args[1])
            if self.scan(expr.args[0]) != ():
                raise NotLowered
            self.looked += tree.names(expr.args[1], gast.Load)
            return lengths
        if name == 'copy' and len(expr.args) == 1:
            return self.scan(expr.args[0])
        if found is np.flip and len(expr.args) == 1:
            return self.flipped(expr.args[0])
        if found is np.clip and self.kinds.kind(expr) is not None:
            return self.together(expr.args)
        if not elementwise(found) or len(expr.args) != (3 if found is np.where else found.nin):
            raise NotLowered
        return self.together(expr.args)

    def flipped(self, expr):
        """A vector the other way round."""
        before = set(self.refs)
        lengths = self.scan(expr)
        if len(lengths) != 1:
            raise NotLowered
        for key, ref in self.refs.items():
            if key not in before and ref.spans:
                parts = (Span(p.start + (p.length - 1).times(p.step), -p.step, p.length) if isinstance(p, Span) else p
                         for p in ref.parts)
                self.refs[key] = Ref(ref.name, tuple(parts))
        return lengths

    def together(self, exprs):
        found = [self.scan(e) for e in exprs]
        whole = max(found, key=len)
        plain = [all(isinstance(n, gast.Name) for n in tree.walk(e) if id(n) in self.refs) for e in exprs]
        main = plain[found.index(whole)]
        for lengths, alone in zip(found, plain):
            self.broadcast([lengths], whole, main and alone)
        return whole

    def broadcast(self, found, whole, careful=False):
        """See to it that all lengths agree: it is known, or checked when running.

        careful : two whole arrays meet, of which one may be spread over the other
        """
        for lengths in found:
            if len(lengths) > len(whole):
                raise NotLowered
            for one, other in zip(lengths[::-1], whole[::-1]):
                if not self.facts.equal(one, other):
                    if any(n == Form(1) or careful and self.is_given(n) for n in map(self.facts.settled, (one, other))):
                        raise NotLowered
                    self.room.check_equal(one, other)
        return whole

    def is_given(self, form):
        """Whether a form is the size of an axis of an argument, or of what another function kept."""
        names = {a.partition('.')[0] for a in form.atoms}
        return form.number == 0 and list(form.atoms.values()) == [1] and names <= self.kinds.given.keys() | self.kinds.handed

    def values(self, expr):
        """The nodes of an expression, but for what is asked for its size alone."""
        found = self.kinds.find(expr.func) if isinstance(expr, gast.Call) else None
        if facts.is_helper(found, 'array_size'):
            return [expr.func]
        return [expr, *(n for part in gast.iter_child_nodes(expr) for n in self.values(part))]

    def number(self, expr):
        """A number: what it reads of arrays is noted; what takes long, or may be changed meanwhile, is calculated before."""
        if any(isinstance(n, (gast.Call, gast.IfExp, gast.BoolOp, gast.NamedExpr)) for n in tree.walk(expr)):
            if any(isinstance(n, gast.Subscript) for n in self.values(expr)) or not all(
                    elementwise(f) or facts.home(f) == 'math'
                    for n in self.values(expr) if isinstance(n, gast.Call) for f in [self.kinds.find(n.func)]):
                raise NotLowered
            self.room.number(expr)
            return ()
        for n in tree.walk(expr):
            if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name) and self.kinds.of.get(n.value.id) is not None \
                    and self.kinds.of[n.value.id].rank:
                ref = self.ref(n)
                if ref is None or ref.spans:                    # of `m[1][2]` the row alone is none of the elements read
                    raise NotLowered
                self.refs[id(n)] = ref
        return ()
