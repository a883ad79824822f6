"""Products of two vectors, where they are known to be vectors; and these as loops, in the place where they are needed.

    s = np.dot(A[i, :j], A[j, :j])                 ->      s = dot_rows(A[i, :j], A[j, :j])
    bA[i, :j] += dot_left(bs, A[i, :j], A[j, :j])  ->      bA[i, :j] += bs * A[j, :j]
    bs = unbroadcast(2.0 * bt * A[i, :j], s)       ->      bs = 2.0 * dot_rows(bt, A[i, :j])

and what helpers would do to numbers, which is nothing, is left out:

    bt = -unbroadcast(copy(bA[i, j]), s)           ->      bt = -bA[i, j]

`dot_rows` is a loop in compiled code: parts of rows are mostly too short for what calling a library costs. Products with a
number can become loops over elements; the others add up where they stand, in any order (`machine/passes/sums`):

    s -= dot_rows(A[i, :j], A[j, :j])              ->      total = empty_sum(0.0)
                                                           for k in range(j):
                                                               total += A[i, k] * A[j, k]
                                                           s -= total
"""
import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.accesses import ArrayStmt, Reader
from tangent.numba.loops.affine import NotLowered, Ref, Through
from tangent.numba.loops.fuse import Writer
from tangent.numba.loops.scatter_to_gather import Loop
from tangent.numba.loops.scopes import Room
from tangent.numba.loops.values import FLOAT, Kind, elementwise
from tangent.runtime import facts

REAL = ('float64', 'float32')
OTHER = {'dot_left': 2, 'matmul_left': 2, 'dot_right': 1, 'matmul_right': 1}      # by which argument the gradient is multiplied


def products(function, kinds, helper, numpy, lengths=False):
    """(the FunctionDef with such products and without such helpers, whether there are such products).

    helper : gives the name by which the text calls a function of the run time
    numpy : gives the name by which it calls NumPy
    lengths : whether gradients are summed up for lengths in place of arrays, see `of_lengths`
    """
    walker = _Products(kinds, helper, numpy)
    walker.lengths = lengths
    new = tree.replace(function, body=[walker.statement(s) for s in function.body])
    return new, walker.found


class _Products:
    def __init__(self, kinds, helper, numpy):
        self.kinds, self.helper, self.numpy, self.found, self.lengths = kinds, helper, numpy, False, False

    def statement(self, s):
        fields = {f: [self.statement(t) for t in block] for f, block in tree.blocks(s)}
        for f, v in s.__dict__.items():
            if f not in fields and isinstance(v, gast.expr):
                new = self.expression(v)
                if new is not v:
                    fields[f] = new
        return tree.replace(s, **fields) if fields else s

    def expression(self, expr):
        if isinstance(expr, gast.Lambda):
            return expr
        new = tree.with_children(expr, lambda e: self.expression(e) if isinstance(e, gast.expr) else e)
        if self.is_bare(expr):
            return new.args[0]
        made = self.product(expr)
        if made is None:
            return new
        self.found = True
        return made(new)

    def product(self, expr):
        """What makes the new expression from this one with new parts; None if it is no such product."""
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.MatMult) and self.vectors(expr.left, expr.right):
            return lambda new: self.dot(new.left, new.right)
        if not isinstance(expr, gast.Call) or expr.keywords:
            return None
        found = self.kinds.find(expr.func)
        if found is np.dot and len(expr.args) == 2 and self.vectors(*expr.args):
            return lambda new: self.dot(*new.args)
        if getattr(found, '__name__', '') == 'unbroadcast' and len(expr.args) == 2:
            made = self.summed(expr) or self.whole(expr)
            return self.of_lengths(expr) if made is None and self.lengths else None if made is None else lambda new: made
        other = OTHER.get(found.__name__) if facts.is_helper(found) else None
        if other is not None and len(expr.args) == 3 and self.vectors(*expr.args[1:]):
            d, kind = self.kinds.kind(expr.args[0]), self.kinds.kind(expr.args[1])
            if d is not None and d.rank == 0 and d.parts is None and d.dtype in (kind.dtype, 'float64', 'int64'):
                return lambda new: gast.BinOp(left=new.args[0], op=gast.Mult(), right=new.args[other])
        return self.with_matrix(expr, found.__name__) if other is not None and len(expr.args) == 3 else None

    def with_matrix(self, expr, name):
        """What makes the product of a gradient that is a vector with a vector or a matrix; None if it is none of these."""
        kinds = [self.kinds.kind(a) for a in expr.args]
        if None in kinds or len({k.dtype for k in kinds}) > 1 or kinds[0].dtype not in REAL:
            return None
        d, a, b = range(3)
        left = name.endswith('left')
        pair = {(1, 2, 1): (d, b) if left else (d, a), (1, 1, 2): (b, d) if left else (a, d),
                (2, 2, 2): (d, b) if left else (a, d)}.get(tuple(k.rank for k in kinds))
        if pair is None:
            return None

        def made(new):
            one, other = (new.args[k] for k in pair)
            if kinds[d].rank == 2:
                turned = gast.Attribute(value=other if left else one, attr='T', ctx=gast.Load())
                one, other = (one, turned) if left else (turned, other)
                return gast.BinOp(left=one, op=gast.MatMult(), right=other)
            if kinds[pair[0]].rank == kinds[pair[1]].rank:
                return tree.call(f'{self.numpy()}.outer', one, other)
            return gast.BinOp(left=one, op=gast.MatMult(), right=other)
        return made

    def is_bare(self, expr):
        """Whether a helper is called that has nothing to do: numbers are what they are asked to be."""
        if not isinstance(expr, gast.Call) or expr.keywords or not expr.args:
            return False
        found = self.kinds.find(expr.func)
        wanted = {'unbroadcast': 2, 'copy': 1}.get(getattr(found, '__name__', ''))
        if len(expr.args) != wanted or not facts.is_helper(found):
            return False
        kinds = [self.kinds.kind(a) for a in expr.args]
        kind = kinds[0]
        same = wanted == 2 and kind is not None and kind.rank and kind.parts is None and None not in kind.shape
        return all(k == FLOAT for k in kinds) or bool(same) and kind == kinds[1] and kind.dtype in REAL

    def dot(self, a, b):
        """The call that multiplies two vectors."""
        for one, other in ((a, b), (b, a)):
            index = other.slice if isinstance(other, gast.Subscript) else None
            kind = self.kinds.kind(index) if index is not None and not isinstance(index, (gast.Slice, gast.Tuple)) else None
            if kind is not None and kind.rank == 1 and isinstance(other.value, gast.Name):
                return tree.call(self.helper('dot_at'), one, other.value, index)
        return tree.call(self.helper('dot_rows'), a, b)

    def summed(self, call):
        """The sum of the products of two vectors and numbers, which is what is asked of them where a number is to come out."""
        like = self.kinds.kind(call.args[1])
        found: list = []
        if like is None or like[:2] != (0, 'float64') or like.parts is not None:
            return None
        made = self.factors(call.args[0], found)
        if made is None or len(found) != 2 or not self.vectors(*found) or self.kinds.kind(found[0]).dtype != 'float64':
            return None
        return made(self.dot(*found))

    def whole(self, call):
        """The sum of all elements of a real vector, where a number is to come out."""
        kind, like = map(self.kinds.kind, call.args)
        if like is None or like[:2] != (0, 'float64') or like.parts is not None or kind is None \
                or kind[:2] != (1, 'float64') or kind.parts is not None:
            return None
        given, found = call.args[0], self.kinds.find(getattr(call.args[0], 'func', None))
        if getattr(found, '__name__', '') == 'copy' and len(given.args) == 1:
            given = given.args[0]
        return tree.call(f'{self.numpy()}.sum', self.expression(given))

    def of_lengths(self, call):
        """What sums a gradient up for the lengths of an array that another function kept, so that it need not be there."""
        like, kind = call.args[1], self.kinds.kind(call.args[1])
        if not isinstance(like, gast.Name) or like.id not in self.kinds.handed or like.id in self.kinds.given or kind is None \
                or kind.rank < 2 or kind.dtype not in REAL or self.kinds.kind(call.args[0]) is None \
                or self.kinds.kind(call.args[0]).dtype != kind.dtype or not self.kinds.kind(call.args[0]).rank:
            return None
        names = {a.partition('.')[0] for f in kind.shape if f is not None for a in f.atoms}
        if None in kind.shape or not names <= self.kinds.given.keys():
            return None
        return lambda new: tree.call(self.helper('unspread'), new.args[0], *(f.tree() for f in kind.shape))

    def factors(self, expr, found):
        """What makes the product of its numbers and of what stands for its vectors, which are put into the list."""
        kind = self.kinds.kind(expr)
        if kind is None or kind.parts is not None:
            return None
        if kind.rank == 1 and isinstance(expr, (gast.Name, gast.Subscript)):
            found.append(expr)
            return lambda whole: whole
        if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
            inner = self.factors(expr.operand, found)
            return None if inner is None else lambda whole: negative(inner(whole))
        if not isinstance(expr, gast.BinOp) or not isinstance(expr.op, (gast.Mult, gast.Div)):
            return None
        left, right = self.kinds.kind(expr.left), self.kinds.kind(expr.right)
        if left is None or right is None:
            return None
        if right.rank == 0:
            inner = self.factors(expr.left, found)
            return None if inner is None else lambda whole: tree.replace(expr, left=inner(whole))
        if isinstance(expr.op, gast.Div):
            return None
        inner = self.factors(expr.right, found)
        if inner is None or left.rank == 0:
            return None if inner is None else lambda whole: tree.replace(expr, right=inner(whole))
        outer = self.factors(expr.left, found)
        return None if outer is None else lambda whole: outer(inner(whole))

    def vectors(self, a, b):
        """Whether both are vectors of the same real type."""
        found = [self.kinds.kind(a), self.kinds.kind(b)]
        return all(k is not None and k.rank == 1 and k.dtype in REAL for k in found) and found[0].dtype == found[1].dtype


def negative(expr):
    return gast.UnaryOp(op=gast.USub(), operand=expr)


def into_new(s, kinds, numpy):
    """The statements for one that multiplies two matrices: the array for the product is made before, on large pages."""
    value = s.value if tree.target(s) is not None else None
    if not isinstance(value, gast.BinOp) or not isinstance(value.op, gast.MatMult):
        return [s]
    found = [kinds.kind(value.left), kinds.kind(value.right)]
    if any(k is None or k.rank != 2 or k.dtype not in REAL for k in found) or found[0].dtype != found[1].dtype \
            or any(isinstance(n, gast.Call) or getattr(n, 'id', None) == tree.target(s) for n in tree.walk(value)):
        return [s]
    sizes = [length(side, axis) for axis, side in enumerate((value.left, value.right))]
    name, more = tree.target(s), [] if found[0].dtype == 'float64' else [tree.expression(f'{numpy()}.{found[0].dtype}')]
    made = tree.assign(name, tree.call(f'{numpy()}.empty', gast.Tuple(elts=sizes, ctx=gast.Load()), *more))
    written = gast.Expr(value=tree.call(f'{numpy()}.dot', value.left, value.right, tree.load(name)))
    return [gast.copy_location(tree.place(t, tree.origin(s)), s) for t in (made, written)]


def length(expr, axis):
    """The length of a matrix along an axis."""
    if isinstance(expr, gast.Attribute) and expr.attr == 'T':
        expr, axis = expr.value, 1 - axis
    return gast.Subscript(value=gast.Attribute(value=expr, attr='shape', ctx=gast.Load()), slice=tree.constant(axis),
                          ctx=gast.Load())


ODD = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.NamedExpr)


def summed(s, lowering, scope):
    """The statements for one in which vectors are multiplied; None where there is no such product, or it stays."""
    if lowering.helpers.get('empty_sum') is None:
        return None
    simple = isinstance(s, (gast.Assign, gast.AugAssign, gast.Return))
    calls = [n for n in tree.walk(s) if isinstance(n, gast.Call)] if simple else []
    found = [n for n in calls if is_product(n, lowering)]
    if not found or not all(n in found or is_pure(n, lowering) for n in calls) or any(isinstance(n, ODD) for n in tree.walk(s)):
        return None
    name = tree.target(s) if found == [s.value] else None
    alone = name is not None and lowering.kinds.bound.get(name) == 1
    out, names = [], {}
    for call in found:
        if not alone:
            name = lowering.names.fresh('total')
            lowering.kinds.of[name] = Kind(0, lowering.kinds.kind(call.args[0]).dtype)
            lowering.kinds.bound[name] = 1
        try:
            out += adding(name, call, s, lowering, scope)
        except NotLowered:
            continue
        names[id(call)] = tree.load(name)
    if not names:
        return None
    return out if alone else [*out, tree.exchange(s, names)]


def has_products(s, lowering):
    """Whether there are products of two vectors in a simple statement."""
    simple = isinstance(s, (gast.Assign, gast.AugAssign, gast.Return))
    return simple and any(isinstance(n, gast.Call) and is_product(n, lowering) for n in tree.walk(s))


def is_product(call, lowering):
    found = lowering.kinds.find(call.func)
    return found is not None and (found, len(call.args)) in ((lowering.helpers['dot_rows'], 2), (lowering.helpers['dot_at'], 3))


def vectors_of(call):
    """The two vectors of which a call is the product."""
    if len(call.args) == 2:
        return call.args
    one, other, index = call.args
    return [one, gast.Subscript(value=other, slice=index, ctx=gast.Load())]


def is_pure(call, lowering):
    """Whether a call changes nothing."""
    found = lowering.kinds.find(call.func)
    return facts.is_helper(found, 'copy', 'unbroadcast') or elementwise(found) or found is np.flip \
        or facts.home(found) == 'math'


def adding(name, call, s, lowering, scope):
    """The statements after which the name stands for the product; raises NotLowered."""
    kind, room = lowering.kinds.kind(call.args[0]), Room(lowering, scope)
    if kind is None or kind.dtype not in ('float64', 'float32'):
        raise NotLowered
    reader, (left, right) = Reader(lowering.kinds, room), vectors_of(call)
    lengths = reader.together([left, right])
    value = gast.BinOp(left=left, op=gast.Mult(), right=right)
    one = ArrayStmt(Ref(name, ()), gast.Add(), value, reader.refs, lengths, down=(False,), stmt=s)
    if len(lengths) != 1 or any(not r.spans and not isinstance(r.parts[0], Through) for r in one.refs.values()):
        raise NotLowered
    begin = lowering.begin(name, kind.dtype, s, tree.origin(s))
    made = Writer(room, lowering.kinds, lowering, [one], lowering.divide()).nest(Loop(0, [one]))
    room.commit()
    return [*scope.taken(), begin, *made]
