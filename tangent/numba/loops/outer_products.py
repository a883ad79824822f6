"""Products of a vector with a matrix, or with another vector to a matrix, element by element.

    b[:, i:] += np.outer(x, y)             ->      for j in range(n):
                                                       for k in range(i, m):
                                                           b[j, k] += x[j] * y[k - i]

    t = np.outer(x, y) + np.outer(u, v)    ->      n, m = joint(len(x), len(u)), joint(len(y), len(v))
                                                   x, y, u, v = spread(x, n), spread(y, m), spread(u, n), spread(v, m)
                                                   t = np.empty((n, m))
                                                   for j in range(n):
                                                       for k in range(m):
                                                           t[j, k] = x[j] * y[k] + u[j] * v[k]

    y[:] += x @ A[:, i:]                   ->      for j in range(n):
                                                       for k in range(m - i):
                                                           y[k] += x[j] * A[j, k + i]

    y[:] += A[:, i:] @ x                   ->      for j in range(n):
                                                       y[j] += dot_rows(A[j, i:], x)

    for k in range(m):                             for i in range(n):
        y[k] += dot_rows(A[:, k], x)       ->          for k in range(m):
                                                           y[k] += A[i, k] * x[i]

The second and the third are so for parts of rows alone: libraries take no such matrix before it has been copied. A whole one is
theirs. `spread` gives a vector back, unless that has one element, which NumPy repeats; where lengths are known to agree nothing
is asked.
"""
import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.affine import Form, Inner, NotLowered, Ref, Span, atom
from tangent.numba.loops.values import INT, elementwise

REAL = ('float64', 'float32')
FULL = (None, None, None)


def factors(expr, kinds):
    """(left, right) of a product of a matrix and a vector, or the other way round; None for all else."""
    if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.MatMult):
        pair = expr.left, expr.right
    elif isinstance(expr, gast.Call) and kinds.find(expr.func) is np.dot and len(expr.args) == 2 and not expr.keywords:
        pair = tuple(expr.args)
    else:
        return None
    found = [kinds.kind(e) for e in pair]
    real = None not in found and found[0].dtype == found[1].dtype and found[0].dtype in REAL
    return pair if real and {k.rank for k in found} == {1, 2} else None


def is_outer(expr, kinds):
    """Whether it is the product of each element of a real vector with each of another."""
    if not isinstance(expr, gast.Call) or kinds.find(expr.func) is not np.outer or len(expr.args) != 2 or expr.keywords:
        return False
    found = [kinds.kind(e) for e in expr.args]
    return all(k is not None and k.rank == 1 and k.dtype in REAL for k in found) and found[0].dtype == found[1].dtype


def outer(reader, expr):
    """The lengths of such a product; what is read of the first vector is read at the same place for all steps inside."""
    found = [vector(reader, e) for e in expr.args]
    wanted = reader.wanted or [ref.spans[0].length for ref in found]
    one, other = (spread(reader, e, ref, (length,)) for e, ref, length in zip(expr.args, found, wanted))
    reader.refs[id(expr.args[0])], reader.refs[id(expr.args[1])] = one._replace(inside=1), other
    return tuple(wanted)


def spread(reader, expr, ref, lengths):
    """The Ref of an array of these lengths, where NumPy would repeat what it has one of."""
    if all(map(reader.facts.equal, (p.length for p in ref.spans), lengths)):
        return ref
    name = reader.room.value('spread', expr, *(reader.facts.settled(n).tree() for n in lengths))
    kinds = reader.kinds
    kinds.of[name] = kinds.kind(expr)._replace(shape=tuple(lengths))
    for other in kinds.family(ref.name) | {name}:
        kinds.alias.setdefault(name, {name}).add(other)
        kinds.alias.setdefault(other, {other}).add(name)
    return Ref(name, tuple(Span(Form(0), 1, n) for n in lengths))


def common(reader, expr):
    """The lengths to which whole arrays, and products of vectors, are spread in an expression; None where that is not known."""
    found: list = []
    rank = reader.kinds.kind(expr).rank
    if not gathered(reader, expr, found) or not any(len(each) == rank for each in found):
        return None
    return tuple(joint(reader, [each[axis - rank] for each in found if len(each) >= rank - axis]) for axis in range(rank))


def gathered(reader, expr, found):
    """Put the lengths of all arrays of an expression into the list; whether all of it is understood."""
    kind = reader.kinds.kind(expr)
    if kind is None or kind.parts is not None:
        return False
    if not kind.rank:
        return True
    if is_outer(expr, reader.kinds):
        found.append([vector(reader, e).spans[0].length for e in expr.args])
        return True
    if isinstance(expr, gast.Name):
        ref = reader.ref(expr)
        found.append([p.length for p in ref.spans] if ref is not None else [])
        return reader.spreads and ref is not None
    if isinstance(expr, gast.Call):
        parts = expr.args if elementwise(reader.kinds.find(expr.func)) and not expr.keywords else []
    else:
        parts = [expr.left, expr.right] if isinstance(expr, gast.BinOp) and not isinstance(expr.op, gast.MatMult) \
            else [expr.operand] if isinstance(expr, gast.UnaryOp) else []
    return bool(parts) and all(gathered(reader, p, found) for p in parts)


def joint(reader, forms):
    """The length to which vectors of these lengths are spread."""
    length = forms[0]
    for form in forms[1:]:
        if not reader.facts.equal(length, form):
            both = (reader.facts.settled(f).tree() for f in (length, form))
            length = atom(reader.room.value('joint', *both, kind=INT))
            reader.room.learn(length)
    return length


def matrix(reader, expr):
    """The Ref of a matrix whose rows are parts of those of an array."""
    index = expr.slice.elts if isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Tuple) else []
    ref = reader.ref(expr) if index else None
    if ref is None or len(index) < len(ref.parts) or len(ref.spans) != 2 or not isinstance(ref.parts[-1], Span) \
            or ref.parts[-1].step != 1 or (index[-1].lower, index[-1].upper, index[-1].step) == FULL:
        raise NotLowered
    return ref


def vector(reader, expr):
    ref = reader.ref(expr) if isinstance(expr, (gast.Name, gast.Subscript)) else None
    if ref is None or len(ref.spans) != 1:
        raise NotLowered
    return ref


def rows(reader, expr):
    """The lengths of `A[:, i:] @ x`, of which each step is the product of two rows."""
    left, right = factors(expr, reader.kinds) or (None, None)
    if left is None or reader.kinds.kind(left).rank != 2:
        raise NotLowered
    ref, other = matrix(reader, left), vector(reader, right)
    last = Inner(*ref.parts[-1], left.slice.elts[-1])
    reader.refs['rows', id(expr)] = ref._replace(parts=(*ref.parts[:-1], last))
    reader.refs['with', id(expr)] = other._replace(parts=tuple(
        Inner(*p, None) if isinstance(p, Span) else p for p in other.parts))
    return ref.spans[0].length,


def sums(reader, expr):
    """(number of rows, lengths, value for one row) of `x @ A[:, i:]`, which is added up over the rows; None for all else."""
    left, right = factors(expr, reader.kinds) or (None, None)
    if left is None or reader.kinds.kind(left).rank != 1:
        return None
    one, other = vector(reader, left), matrix(reader, right)
    reader.broadcast([(one.spans[0].length,)], (other.spans[0].length,))
    reader.refs[id(left)], reader.refs[id(right)] = one._replace(inside=1), other
    value = gast.BinOp(left=left, op=gast.Mult(), right=right)
    return other.spans[0].length, (other.spans[1].length,), value


def column(s, lowering, scope):
    """The product of a column with a vector that a statement adds to an element, once for each column; None for all else.

    Such a sum is worth it where the loop over the columns can be put inside: otherwise `lowering.waiting` names it.
    """
    if not isinstance(s, gast.AugAssign) or not isinstance(s.op, (gast.Add, gast.Sub)) or scope.variable is None \
            or last(s.target) != scope.variable or gast.unparse(s) in lowering.waiting:
        return None
    calls = [n for n in tree.walk(s.value) if isinstance(n, gast.Call)]
    if len(calls) != 1 or lowering.library.get(getattr(calls[0].func, 'id', None)) is not lowering.helpers['dot_rows'] \
            or not is_factor(s.value, calls[0]) or all(last(a) != scope.variable for a in calls[0].args):
        return None
    return calls[0]


def last(expr):
    """The name of the last position of an element of an array, or of a column."""
    index = expr.slice if isinstance(expr, gast.Subscript) else None
    index = index.elts[-1] if isinstance(index, gast.Tuple) else index
    return index.id if isinstance(index, gast.Name) else None


def is_factor(expr, part):
    """Whether an expression is this part times numbers."""
    if expr is part:
        return True
    if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
        return is_factor(expr.operand, part)
    if not isinstance(expr, gast.BinOp) or not isinstance(expr.op, (gast.Mult, gast.Div)):
        return False
    return is_factor(expr.left, part) or isinstance(expr.op, gast.Mult) and is_factor(expr.right, part)


def summed(reader, s, ref, call):
    """(lengths, value of one step) of a statement that adds the product of a column with a vector to an element."""
    product = gast.BinOp(left=call.args[0], op=gast.Mult(), right=call.args[1])
    value = tree.exchange(s.value, {id(call): product})
    kind = reader.kinds.kind(value)
    lengths = reader.scan(value)
    if len(lengths) != 1 or kind is None or kind.dtype != reader.kinds.of[ref.name].dtype or kind.dtype not in REAL:
        raise NotLowered
    return lengths, value
