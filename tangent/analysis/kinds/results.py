"""The kinds of what NumPy's functions make, for those whose records do not say it: products, reductions, made arrays."""
from typing import NamedTuple

import numpy as np

from tangent.analysis.kinds.values import (
    BOOL,
    FLOAT,
    INT,
    SEVERAL,
    Array,
    Items,
    Number,
    Parts,
    elementwise,
    is_float,
    is_integer,
    is_several,
    join,
    joined_all,
    promoted,
)
from tangent.templates.language import registry


class Call(NamedTuple):
    """A call: kinds and trees of its arguments by position, those by keyword as dicts."""
    kinds: list
    trees: list
    named: dict
    keywords: dict

    def kind(self, position, name=None):
        return self.kinds[position] if len(self.kinds) > position else self.named.get(name)

    def tree(self, position, name=None):
        return self.trees[position] if len(self.trees) > position else self.keywords.get(name)

    @property
    def only(self):
        """The kind of the one argument that there is, or None."""
        return self.kinds[0] if len(self.kinds) == 1 and not self.named else None

    def met(self, other):
        """What is known where it is this call or that one, of the same trees."""
        return self._replace(kinds=list(map(join, self.kinds, other.kinds)),
                             named={name: join(kind, other.named[name]) for name, kind in self.named.items()})

    def literal(self, position, name, default):
        """The value of a literal argument; `Call` where it is none."""
        tree = self.tree(position, name)
        found = [default] if tree is None else registry.literal(tree)
        return found[0] if found else Call


def made(axes, dtype):
    """An array of these axes, or NumPy's number where there are none."""
    return Array(tuple(axes), dtype) if axes else Number(dtype, False)


def axes_of(kind):
    """The axes of an array or a number, or None."""
    return kind.axes if isinstance(kind, Array) else () if isinstance(kind, Number) else None


def product(call):
    """`a @ b`."""
    if len(call.kinds) != 2 or call.named:
        return None
    left, right = map(axes_of, call.kinds)
    if not left or not right or promoted(call.kinds) in (None, 'bool'):
        return None
    if len(left) > 2 or len(right) > 2:
        return None
    return made(left[:-1] + right[:-2] + right[-1:] * (len(right) > 1), promoted(call.kinds))


def dot(call):
    """`numpy.dot(a, b)`, which is a product of numbers, too."""
    if all(map(axes_of, call.kinds)):
        return product(call)
    return elementwise(call.kinds, number=False) if len(call.kinds) == 2 and promoted(call.kinds) != 'bool' else None


def outer(call):
    kinds = call.kinds
    if len(kinds) != 2 or not all(isinstance(k, Array) and len(k.axes) == 1 for k in kinds):
        return None
    return Array(kinds[0].axes + kinds[1].axes, promoted(kinds)) if promoted(kinds) else None


def reduced(kind, axis, keepdims, dtype=None):
    """What a reduction over `axis` (None for all, Call where it is not known) leaves of an array."""
    if not isinstance(kind, Array) or axis is Call or keepdims is Call:
        return None
    rank = len(kind.axes)
    over = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if not all(type(k) is int and -rank <= k < rank for k in over):
        return None
    over = {k % rank for k in over}
    kept = [1 if k in over else n for k, n in enumerate(kind.axes) if keepdims or k not in over]
    return made(kept, dtype or kind.dtype)


def reduction(call, dtype=None):
    """A reduction of floating numbers over `axis`, the second argument."""
    kind = call.kind(0, 'a')
    if is_float(kind) and dtype is None and len(call.trees) == 1 and not call.named.keys() - {'a'}:
        return Number('float64', False)
    if not isinstance(kind, Array) or kind.dtype in ('bool', 'int64') and dtype is None or len(call.trees) > 2 \
            or not call.named.keys() <= {'axis', 'keepdims', 'ddof'}:
        return None
    return reduced(kind, call.literal(1, 'axis', None), call.literal(9, 'keepdims', False), dtype)


def place(call):
    return reduction(call, 'int64')


def truth(call):
    return reduction(call, 'bool')


def transposed(call):
    kind = call.only
    return Array(kind.axes[::-1], kind.dtype) if isinstance(kind, Array) else None


def reshaped(call):
    """`numpy.reshape(x, shape)`, `x.reshape(2, 3)`, `x.reshape(-1)`: an axis whose length is to be found is not known."""
    kind, lengths = call.kinds[0] if call.kinds else None, call.kinds[1:]
    lengths = lengths[0].kinds if len(lengths) == 1 and isinstance(lengths[0], Parts) else lengths
    plain = isinstance(kind, Array) and not call.named and lengths and all(map(is_integer, lengths))
    return Array(tuple([n.axis for n in lengths]), kind.dtype) if plain else None


def flattened(call):
    """`numpy.ravel(x)`, `x.flatten()`."""
    kind = call.only
    return Array(kind.axes if len(kind.axes) == 1 else (None,), kind.dtype) if isinstance(kind, Array) and kind.axes else None


def swapped(call):
    """`numpy.swapaxes(x, 0, 1)`."""
    kind, one, other = call.kind(0), call.literal(1, 'axis1', Call), call.literal(2, 'axis2', Call)
    axes = list(kind.axes) if isinstance(kind, Array) and not call.named else []
    if not all(type(k) is int and -len(axes) <= k < len(axes) for k in (one, other)):
        return None
    axes[one], axes[other] = axes[other], axes[one]
    return Array(tuple(axes), kind.dtype)


def widened(call):
    """`numpy.expand_dims(x, 0)`."""
    kind, axis = call.kind(0, 'a'), call.literal(1, 'axis', Call)
    if not isinstance(kind, Array) or type(axis) is not int or not -len(kind.axes) - 1 <= axis <= len(kind.axes):
        return None
    axes = list(kind.axes)
    axes.insert(axis % (len(axes) + 1), 1)
    return Array(tuple(axes), kind.dtype)


def split(call):
    """`numpy.split(x, 2)`, `numpy.split(x, [2, 5])`: a list of parts along the first axis."""
    kind, places = call.kinds[0] if len(call.kinds) == 2 and not call.named else None, call.literal(1, None, Call)
    count = len(places) + 1 if isinstance(places, (list, tuple)) else places
    if not isinstance(kind, Array) or not kind.axes or type(count) is not int or not 0 < count <= 16:
        return None
    return Parts((Array((None, *kind.axes[1:]), kind.dtype),) * count, list)


def same(call):
    """An array like the first argument."""
    kind = call.kinds[0] if call.kinds else None
    return kind if isinstance(kind, Array) and kind.axes else None


def plain_copy(call):
    """`x.copy()`, `numpy.array(x)`, `numpy.array([x, y])`."""
    kind = call.only
    if isinstance(kind, Items):
        return of_items(kind)
    return stacked(kind.kinds) if isinstance(kind, Parts) else kind if isinstance(kind, Array) else None


def stacked(kinds):
    """An array of these, which are all numbers or all arrays of one shape, or lists that make such."""
    kinds = [stacked(kind.kinds) if isinstance(kind, Parts) and kind.form in (list, tuple) else kind for kind in kinds]
    shapes = set(map(axes_of, kinds))
    axes = shapes.pop() if len(shapes) == 1 else None
    dtype = promoted(kinds)
    return Array((len(kinds), *axes), dtype) if axes is not None and None not in axes and dtype not in (None, 'real') else None


def stack(call):
    """`numpy.stack([x, y])`."""
    kind = call.only
    if isinstance(kind, Items) and isinstance(kind.element, Array):
        return of_items(kind)
    return stacked(kind.kinds) if isinstance(kind, Parts) and all(isinstance(part, Array) for part in kind.kinds) else None


def of_items(kind):
    """An array of the elements of a list of any length, which are of one kind."""
    if isinstance(kind.element, Items):
        kind = Items(of_items(kind.element))
    axes = axes_of(kind.element)
    return Array((None, *axes), promoted([kind.element])) if axes is not None and None not in axes and promoted(
        [kind.element]) not in (None, 'real') else None


def concatenated(call):
    """`numpy.concatenate([x, y])` of arrays with as many axes."""
    kind, axis = call.kind(0, 'arrays'), call.literal(1, 'axis', 0)
    kinds = kind.kinds if isinstance(kind, Parts) else [kind.element] * 2 if isinstance(kind, Items) else []
    kinds = [stacked(k.kinds) if isinstance(k, Parts) and k.form in (list, tuple) else k for k in kinds]
    if len(call.trees) > 2 or not call.named.keys() <= {'axis'} or not kinds or not all(isinstance(k, Array) for k in kinds):
        return None
    rank, dtype = len(kinds[0].axes), promoted(kinds)
    if type(axis) is not int or not -rank <= axis < rank or dtype is None or any(len(k.axes) != rank for k in kinds):
        return None
    axes = [next((n for n in along if n is not None), None) for along in zip(*(k.axes for k in kinds))]
    along = [k.axes[axis] for k in kinds] if isinstance(kind, Parts) else [None]
    axes[axis] = along[0] if len(along) == 1 else sum(along) if all(type(n) is int for n in along) else \
        SEVERAL if any(map(is_several, along)) else None
    return Array(tuple(axes), dtype)


def counting(call):
    """`numpy.arange(n)`."""
    kind = call.only
    return Array((kind.axis,), 'int64') if is_integer(kind) else None


def like(call):
    """`numpy.zeros_like(x)`."""
    kind = call.kinds[0] if call.kinds else None
    return kind if isinstance(kind, Array) and not call.named and len(call.trees) <= 2 else None


def filled(call):
    """`numpy.zeros(shape)`."""
    return of_shape(call.kind(0, 'shape'), 'float64') if len(call.trees) == 1 and not call.named else None


def full(call):
    """`numpy.full(shape, value)`."""
    value = call.kind(1, 'fill_value')
    plain = len(call.trees) == 2 and not call.named and isinstance(value, Number)
    return of_shape(call.kind(0, 'shape'), value.dtype) if plain else None


def of_shape(kind, dtype):
    """An array with the lengths that integers say."""
    lengths = kind.kinds if isinstance(kind, Parts) else (kind,)
    return Array(tuple([n.axis for n in lengths]), dtype) if lengths and all(map(is_integer, lengths)) else None


def identity(call):
    """`numpy.eye(n)`."""
    kind = call.only
    return Array((kind.axis,) * 2, 'float64') if is_integer(kind) else None


def diagonal(call):
    """`numpy.diag(x)`: the diagonal of a square matrix, or a matrix with this diagonal."""
    kind = call.only
    if not isinstance(kind, Array) or len(kind.axes) == 2 and kind.axes[0] != kind.axes[1]:
        return None
    return Array(kind.axes[:1] * (3 - len(kind.axes)), kind.dtype) if len(kind.axes) in (1, 2) else None


def sign_and_log(call):
    """`numpy.linalg.slogdet(a)` of one matrix."""
    return Parts((Number('float64', False),) * 2) if square(call) else None


def solved(call):
    """`numpy.linalg.solve(a, b)` of one matrix."""
    kinds = call.kinds
    if len(kinds) != 2 or not all(isinstance(k, Array) and k.dtype == 'float64' for k in kinds) or len(kinds[0].axes) != 2:
        return None
    return Array(kinds[1].axes, 'float64') if len(kinds[1].axes) in (1, 2) else None


def square(call):
    """A function of one matrix that gives another of its shape."""
    kind = call.only
    return kind if isinstance(kind, Array) and kind.dtype == 'float64' and len(kind.axes) == 2 else None


def power(call):
    """`numpy.linalg.matrix_power(a, n)` of one matrix."""
    return square(call._replace(kinds=call.kinds[:1])) if len(call.kinds) == 2 else None


def number_of_matrix(call):
    return Number('float64', False) if square(call) else None


def norm(call):
    """`numpy.linalg.norm(x)`, that of each row with `axis=1`."""
    kind = call.kind(0, 'x')
    if not isinstance(kind, Array) or kind.dtype not in ('float64', 'int64', 'complex128') or len(call.trees) > 1 \
            or not call.named.keys() <= {'axis', 'keepdims'}:
        return None
    return reduced(kind, call.literal(9, 'axis', None), call.literal(9, 'keepdims', False), 'float64')


def accumulated(call):
    """`numpy.cumsum(x)`, `numpy.maximum.accumulate(x)`: of the shape of x, where that has one axis, or one is given."""
    kind = call.kind(0, 'a')
    given = len(call.trees) == 2 or call.named.keys() == {'axis'}
    plain = isinstance(kind, Array) and kind.dtype == 'float64' and kind.axes and len(call.trees) + len(call.named) <= 2
    return kind if plain and (len(kind.axes) == 1 if not given else type(call.literal(1, 'axis', None)) is int) else None


def ordered(call):
    """`numpy.sort(x)`: along the last axis, or the one that is given."""
    kind, axis = call.kind(0, 'a'), call.literal(1, 'axis', -1)
    plain = isinstance(kind, Array) and kind.axes and len(call.trees) <= 2 and call.named.keys() <= {'axis'}
    return kind if plain and type(axis) is int else None


def order(call):
    """`numpy.argsort(x)`."""
    kind = ordered(call)
    return kind and Array(kind.axes, 'int64')


def chosen(call):
    """`numpy.where(condition, x, y)`, `numpy.clip(a, low, high)`: arrays, also where all is numbers."""
    kinds = call.kinds[1:] if len(call.kinds) == 3 and not call.named else [None]
    shape, found = elementwise(call.kinds) if not call.named else None, elementwise(kinds)
    return Array(axes_of(shape), found.dtype) if shape is not None and found is not None else None


def clipped(call):
    found = elementwise(call.kinds) if len(call.kinds) == 3 and not call.named else None
    return found if isinstance(found, Array) else None


def differences(call):
    """`numpy.diff(x)`: its last axis is shorter by one."""
    kind = call.only
    known = isinstance(kind, Array) and kind.axes and kind.dtype != 'bool'
    return Array((*kind.axes[:-1], None), kind.dtype) if known else None


def along_rows(call):
    """`numpy.trapezoid(y)`: a sum along the last axis."""
    kind = call.only
    return reduced(kind, -1, False) if isinstance(kind, Array) and kind.dtype == 'float64' else None


def interpolated(call):
    """`numpy.interp(x, xp, fp)`, of the shape of x."""
    plain = len(call.kinds) == 3 and not call.named and all(kind is not None and getattr(kind, 'dtype', None) != 'complex128'
                                                            for kind in call.kinds)
    axes = axes_of(call.kinds[0]) if plain else None
    return None if axes is None else made(axes, 'float64')


def letters_of(text, count):
    """(the letters of each operand of `numpy.einsum`, those of the result), where letters name all axes; else None."""
    operands, arrow, left = text.replace(' ', '').partition('->') if isinstance(text, str) else ('', '', '')
    letters = operands.split(',')
    plain = arrow and len(letters) == count and ''.join(letters).isalpha() and set(left) <= set(operands)
    return (letters, left) if plain else None


def einsum(call):
    """`numpy.einsum('ij,jk->ik', a, b)`."""
    kinds = call.kinds[1:]
    found = letters_of(call.literal(0, 'subscripts', Call), len(kinds))
    if found is None or call.named or not all(map(is_float, map(element, kinds))):
        return None
    letters, left = found
    if any(len(axes_of(kind)) != len(each) for kind, each in zip(kinds, letters)):
        return None
    axes = {letter: axis for each, kind in zip(letters, kinds) for letter, axis in zip(each, axes_of(kind))}
    return made([axes[letter] for letter in left], 'float64')


def element(kind):
    """The kind of the elements of an array, of a number its own."""
    return Number(kind.dtype, False) if isinstance(kind, Array) else kind


def of_number(kind):
    """The call of a class of numbers."""
    return lambda call: kind if len(call.kinds) == 1 and isinstance(call.kinds[0], Number) else None


def absolute(call):
    found = elementwise(call.kinds, 'real') if len(call.kinds) == 1 else None
    return INT if found == BOOL else found


def listed(call):
    """`list(x)`, `sorted(x)`: the elements of an array, or of another list."""
    kind = call.only
    if isinstance(kind, Array) and kind.axes:
        return Items(made(kind.axes[1:], kind.dtype))
    if isinstance(kind, Parts) and kind.kinds and issubclass(kind.form, (list, tuple)):
        return Items(joined_all(kind.kinds))
    return kind if isinstance(kind, Items) else None


def of_parts(kind):
    """The kind of the elements of a list or tuple of numbers of one kind that is not empty, or None."""
    same = len(set(kind.kinds)) == 1 and issubclass(kind.form, (list, tuple))
    return kind.kinds[0] if same and isinstance(kind.kinds[0], Number) else None


def total(call):
    """`sum(xs)` of a list of numbers: 0 where there are none."""
    kind = call.only
    if isinstance(kind, Parts):
        found = of_parts(kind)
        return found if is_float(found) else None
    return Number('real', None) if isinstance(kind, Items) and is_float(kind.element) else None


def counted(call):
    """`len(x)`."""
    kind = call.kinds[0] if len(call.kinds) == 1 else None
    return Number('int64', True, kind.axes[0]) if isinstance(kind, Array) and kind.axes else INT


def extreme(call):
    """`max(a, b)`, `max([a, b])` of numbers of one kind."""
    if len(call.kinds) == 1 and not call.named and isinstance(call.kinds[0], Parts):
        return of_parts(call.kinds[0])
    if len(call.kinds) == 1 and not call.named and isinstance(call.kinds[0], Items):
        return call.kinds[0].element if isinstance(call.kinds[0].element, Number) else None
    kinds = set(call.kinds)
    if len(call.kinds) > 1 and all(map(is_integer, kinds)):
        return call.kinds[0] if len(kinds) == 1 else Number('int64', True if all(k.python is True for k in kinds) else None)
    return call.kinds[0] if len(kinds) == 1 and len(call.kinds) > 1 and isinstance(call.kinds[0], Number) else \
        Number('float64', None) if len(kinds) == 2 and all(map(is_float, kinds)) else None


RESULTS: dict = {
    np.matmul: product, np.dot: dot, np.outer: outer, np.transpose: transposed,
    np.cumsum: accumulated, np.cumprod: accumulated, np.maximum.accumulate: accumulated, np.minimum.accumulate: accumulated,
    np.sort: ordered, np.argsort: order, np.zeros: filled, np.ones: filled, np.empty: filled, np.full: full,
    np.zeros_like: like, np.ones_like: like, np.empty_like: like,
    np.arange: counting, np.stack: stack,
    np.copy: plain_copy, np.array: plain_copy, np.asarray: plain_copy, np.roll: same, np.flip: same, np.diff: differences,
    np.linalg.solve: solved, np.linalg.inv: square, np.linalg.cholesky: square, np.linalg.det: number_of_matrix,
    np.linalg.matrix_power: power, np.interp: interpolated, np.einsum: einsum,
    **{f: along_rows for n in ('trapezoid', 'trapz') if (f := np.__dict__.get(n)) is not None},
    np.eye: identity, np.diag: diagonal, np.linalg.slogdet: sign_and_log,
    np.trace: number_of_matrix, np.linalg.norm: norm, np.where: chosen, np.clip: clipped,
    np.argmax: place, np.argmin: place, np.all: truth, np.any: truth, np.reshape: reshaped, np.ravel: flattened,
    np.ndarray.flatten: flattened, np.swapaxes: swapped, np.expand_dims: widened, np.split: split,
    float: lambda call: FLOAT if len(call.kinds) == 1 else None,
    int: of_number(INT), bool: of_number(BOOL), abs: absolute, len: counted,
    max: extreme, min: extreme, sum: total, list: listed, sorted: listed, np.concatenate: concatenated,
    **dict.fromkeys([np.sum, np.mean, np.max, np.min, np.prod, np.std, np.var, np.median, np.amax, np.amin], reduction)}

ATTRIBUTES = {'T': lambda kind: Array(kind.axes[::-1], kind.dtype), 'ndim': lambda kind: INT,
              'size': lambda kind: Number('int64', True, kind.axes[0]) if len(kind.axes) == 1 else INT,
              'shape': lambda kind: Parts(tuple([Number('int64', True, axis) for axis in kind.axes]))}
METHODS = {'sum': np.sum, 'mean': np.mean, 'max': np.max, 'min': np.min, 'prod': np.prod, 'std': np.std, 'var': np.var,
           'dot': np.dot, 'copy': np.copy, 'transpose': np.transpose, 'argmax': np.argmax, 'argmin': np.argmin, 'all': np.all,
           'any': np.any, 'trace': np.trace, 'cumsum': np.cumsum, 'cumprod': np.cumprod, 'argsort': np.argsort}
RESHAPED = {'reshape': np.reshape, 'ravel': np.ravel, 'flatten': np.ndarray.flatten, 'swapaxes': np.swapaxes}
