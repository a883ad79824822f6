"""Kinds of values: what is known of a number or an array without a look at its elements.

    0.5                     Number('float64', python=True)
    numpy.float64(0.5)      Number('float64', python=False)
    numpy.ones((5, 1))      Array(('n', 1), 'float64')

A kind is for the very classes that it names: a subclass, or a number of somebody else's, is of no kind (None), and so is what
nobody has looked at. Axes of one length have one name in all arrays that are looked at together, so that `x + y` has the shape
of `x` where both are `('n',)`; short ones are known by their length, as those of length 1, which broadcast. An axis with a name
has more than that; where nothing is known it is None. `'3|n'` is one of these lengths.
"""
import abc
import functools
import itertools
import types
from typing import NamedTuple

import numpy as np

from tangent.frontend.dependencies import is_users_class, remembered


class Number(NamedTuple):
    """A number.

    python : whether it is Python's own or NumPy's, None where it may be either
    axis : for an integer, the length of which axes it is, if that is known
    """
    dtype: str
    python: bool | None = True
    axis: object = None


class Array(NamedTuple):
    """An array of class `numpy.ndarray` itself."""
    axes: tuple
    dtype: str


class Parts(NamedTuple):
    """A container of so many parts.

    form : list, dict, tuple or a class of records: what it is indexed by tells what `keys` are
    keys : keys of a dict, names of the fields of a record
    own : it is a gradient that the text makes, which nothing else holds
    """
    kinds: tuple
    form: type = tuple
    keys: tuple = ()
    own: bool = False

    def part(self, key):
        """The kind of what stands under a key or an attribute."""
        return self.kinds[self.keys.index(key)] if key in self.keys else None


class OneOf(NamedTuple):
    """An object of one of several classes, of the kind that is said for its class; None may be among them."""
    kinds: tuple


class Passive(NamedTuple):
    """What no derivative is by, and whose gradient is None, wherever it stands: None, a text."""
    form: type


class Items(NamedTuple):
    """A list that the text has made, of any length, whose elements are of one kind; EMPTY where none has been put into it."""
    element: object


class Entries(NamedTuple):
    """A dict that the text has made, of any keys, whose values are of one kind; EMPTY where none has been put into it."""
    element: object


HELD = Items, Entries


class Saved(NamedTuple):
    """What the primal twin of a callee hands over to its adjoint: made in a call with parameters of these kinds."""
    callee: object
    bound: tuple


class Begun(NamedTuple):
    """A sum of arrays of this kind, or the number with which it begins: `total = 0.0`, then `total = total + x` in a loop."""
    array: Array


class Less(NamedTuple):
    """The length of an axis less so many: of `x[1:-1]`, which may have one element, or none, if it is many."""
    axis: object
    fewer: int


class Without(NamedTuple):
    """The length of `x[k:]`, and of `x[:-k]`, for an axis and an integer of a function's: for one k it is the same."""
    axis: object
    by: tuple


EMPTY = object()
INT, FLOAT, BOOL = Number('int64'), Number('float64'), Number('bool')
NONE = Number('none')
PYTHON = {float: FLOAT, int: INT, bool: BOOL, complex: Number('complex128')}
HEAP = 1 << 9               # flag of classes that are written in Python
CLASSES = 8                 # of which an object may be
MANY = 32                   # parts of a container that are looked at
SMALL = 4                   # axes up to this length are known by it, as those of points and rotations
CLOSE = SMALL - 1           # what has a name is longer, so that two elements are left when less than so many are taken away
# What gradients in double precision belong to: 'real' may be an integer, too, and 'none|real' None, with which nobody computes
# anything; kept in a container it has None for its gradient.
SEVERAL = '2|more'           # an axis of which no more is known than that
UNSET = 'none|real'
PLAIN = 'bool', 'int64', UNSET, 'real', 'float64'
SIZES = *PLAIN, 'complex128'                                  # each holds what those before it do
DTYPES = {np.dtype(name): name for name in ('bool', 'int64', 'float64', 'complex128', 'float32', 'complex64')}
PARTS_OF_REAL = frozenset(['none', 'int64', UNSET, 'real', 'float64'])
CONTAINERS = frozenset([list, dict])
NOTHING = {kind: Parts((), kind) for kind in CONTAINERS}
PASSIVE = {kind: Passive(kind) for kind in (type(None), str)}
SCALARS = {dtype.type: Number(name, False) for dtype, name in DTYPES.items()}


NUMBERS_AND_ARRAYS = frozenset([*PYTHON, *SCALARS, np.ndarray, str, type(None)])


def kinds_of(values):
    """The kind of each of these values, in which axes of one length have one name."""
    lengths: dict = {}
    return tuple([kind_of(value, lengths) if not holds_twice(value) else None for value in values])


def kind_of(value, lengths=types.MappingProxyType({})):
    """The kind of a value; `lengths` has the names of axes so far."""
    kind = PYTHON.get(type(value)) or SCALARS.get(type(value)) or PASSIVE.get(type(value))
    if kind is not None:
        return kind
    if type(value) is np.ndarray and 0 not in value.shape and value.dtype in DTYPES:
        return Array(tuple([n if n <= SMALL else named(n, lengths) for n in value.shape]), DTYPES[value.dtype])
    keys, parts = parts_of(value)
    if not is_looked_into(value, parts):
        return None
    of_object = has_fields(type(value))
    return Parts(tuple([NOTHING.get(type(part)) if of_object and is_empty(part) else kind_of(part, lengths) for part in parts]),
                 type(value), keys)


def parts_of(value):
    """(keys, values) of a list, a tuple, a dict, a namedtuple or an object of plain attributes; nothing of other values."""
    kind = type(value)
    if kind is list or kind is tuple:
        return (), value
    if kind is dict:
        return tuple(value), tuple(value.values())
    if isinstance(value, tuple):
        return (kind._fields, value) if hasattr(kind, '_fields') else ((), ())
    fields = vars(value) if has_fields(kind) else {}
    return tuple(fields), tuple(fields.values())


def is_looked_into(value, parts):
    """Whether a value with these parts has a kind of its own: what is empty is none, but for an object without fields."""
    return 0 < len(parts) <= MANY or not parts and is_users_class(type(value)) and has_fields(type(value))


def is_empty(value):
    """Whether it is a list or dict with nothing in it: what an object holds has a kind then, for what is put into it."""
    return type(value) in CONTAINERS and not value


def has_number_keys(form, keys):
    """Whether a container of a class, with these keys, is a dict some of whose keys are no texts: who goes through it may get
    numbers."""
    return form is dict and not all(isinstance(key, str) for key in keys)


def holds_twice(value, seen=None, inside=False):
    """Whether an object stands in two places in a value, or an array, a list or a dict that objects hold: both places have one
    gradient, which a text for kinds does not know."""
    if type(value) in NUMBERS_AND_ARRAYS:
        return False
    seen = set() if seen is None else seen
    is_object = type(value) not in CONTAINERS and not isinstance(value, tuple)
    if is_object or inside and not isinstance(value, tuple):
        if id(value) in seen:
            return True
        seen.add(id(value))
    inside = inside or is_object
    for part in parts_of(value)[1]:
        if type(part) is np.ndarray:
            if inside:
                if id(part) in seen:
                    return True
                seen.add(id(part))
        elif type(part) not in PYTHON and holds_twice(part, seen, inside):
            return True
    return False


def share_memory(values):
    """Whether arrays among these values, or held by them, share memory."""
    found: dict = {}
    pending = [*values]
    while pending:
        value = pending.pop()
        if type(value) is np.ndarray:
            root = value
            while isinstance(root.base, np.ndarray):
                root = root.base
            found.setdefault(id(root if root.base is None else root.base), []).append(value)
        elif type(value) not in NUMBERS_AND_ARRAYS:
            pending += parts_of(value)[1]
    return any(np.may_share_memory(a, b) for group in found.values() for a, b in itertools.combinations(group, 2))


def may_hold_twice(kind):
    """Whether values of a kind may do so: there are two things in it that could be one."""
    return shared_things(kind) > 1


def shared_things(kind, inside=False):
    """How many things in values of a kind have one gradient wherever they stand; what nobody has looked at may be many."""
    if isinstance(kind, (Number, Passive)):
        return 0
    if isinstance(kind, Array):
        return int(inside)
    if not isinstance(kind, Parts):
        return 2 * inside
    is_object = kind.form not in CONTAINERS and not issubclass(kind.form, tuple)
    here = is_object or inside and not issubclass(kind.form, tuple)
    return here + sum(shared_things(part, inside or is_object) for part in kind.kinds)


@remembered
def has_fields(kind):
    """Whether the attributes of objects of a class are what stands in their `__dict__`, or is of the class."""
    plain = kind.__getattribute__ is object.__getattribute__ and type(kind) is type and not hasattr(kind, '__getattr__')
    return plain and bool(kind.__dictoffset__) and kind.__base__ is not None and all(
        base.__flags__ & HEAP and '__slots__' not in vars(base) for base in kind.__mro__[:-1])


def named(n, lengths):
    """The name of an axis of length `n`; one that is little longer or shorter than another is known by that."""
    if n not in lengths:
        near = [(m, name) for m, name in lengths.items() if abs(m - n) < CLOSE and isinstance(name, str)]
        lengths[n] = Less(near[0][1], near[0][0] - n) if near else f'n{len(lengths)}'
    return lengths[n]


def join(left, right):
    """What is known of a value that may be of one kind or the other."""
    if left == right:
        return left
    if are_objects(left, right):
        return one_of(left, right)
    if type(left) is not type(right):
        return begun(left, right) or begun(right, left)
    if isinstance(left, Number):
        dtypes = {left.dtype, right.dtype}
        dtype = left.dtype if len(dtypes) == 1 else None if not dtypes <= PARTS_OF_REAL else \
            'real' if dtypes.isdisjoint(['none', UNSET]) else UNSET
        return Number(dtype, left.python if left.python == right.python else None) if dtype else None
    if isinstance(left, HELD):
        known = [kind for kind in (left.element, right.element) if kind is not EMPTY]
        return left._replace(element=join(*known) if len(known) == 2 else known[0])
    if isinstance(left, Saved):
        same = left.callee is right.callee
        bound = [(p, join(a, b)) for (p, a), (_, b) in zip(left.bound, right.bound)]
        return left._replace(bound=tuple(bound)) if same else None
    if isinstance(left, Parts):
        same = len(left.kinds) == len(right.kinds) and left[1:] == right[1:]
        return left._replace(kinds=tuple(map(join, left.kinds, right.kinds))) if same else None
    if not isinstance(left, Array) or left.dtype != right.dtype or len(left.axes) != len(right.axes):
        return None
    return Array(tuple(map(join_axes, left.axes, right.axes)), left.dtype)


def joined_all(kinds):
    """What is known of a value that may be of any of these kinds."""
    return functools.reduce(join, kinds)


def are_objects(left, right):
    """Whether these are objects of several classes."""
    forms = {kind.form for kind in (*classes_in(left), *classes_in(right))}
    return bool(classes_in(left) and classes_in(right)) and len(forms) > 1


def one_of(left, right):
    """What is known of an object that may be of one kind or the other, each for several classes."""
    found = {kind.form: kind for kind in classes_in(left)}
    for kind in classes_in(right):
        found[kind.form] = join(found[kind.form], kind) if kind.form in found else kind
    known = None not in found.values() and len(found) <= CLASSES and len({
        kind.own for kind in found.values() if is_object(kind)}) == 1
    return OneOf(tuple(sorted(found.values(), key=lambda kind: (kind.form.__module__, kind.form.__qualname__)))) \
        if known else None


def classes_in(kind):
    """The kinds of which an object may be, one for each class, as is None: none for what is no object."""
    return kind.kinds if isinstance(kind, OneOf) else (kind,) if is_object(kind) or kind == PASSIVE[type(None)] else ()


def says_itself(kind):
    """Whether its place among classes tells what is an instance of a class: nothing of the user's is asked."""
    asked = type(kind).__instancecheck__
    return asked is type.__instancecheck__ or kind.__module__ in ('numbers', 'collections.abc') \
        or asked is abc.ABCMeta.__instancecheck__ and not is_users_class(kind)            # an abstract one of a library


def is_object(kind):
    """Whether it is an object of a class of the user's."""
    return isinstance(kind, Parts) and not issubclass(kind.form, (list, tuple, dict))


def holds_no_object(kind):
    """Whether it is no object of a class of the user's, and holds none."""
    if isinstance(kind, HELD):
        return kind.element == EMPTY or holds_no_object(kind.element)
    if isinstance(kind, Parts):
        return kind.form in (list, tuple, dict) and all(map(holds_no_object, kind.kinds))
    return isinstance(kind, (Number, Array)) or isinstance(kind, Passive) and kind.form in (str, bool, type(None))


def begun(array, number):
    """What is an array, or the beginning of a sum of such."""
    array = array.array if isinstance(array, Begun) else array
    begins = is_float(number) or is_integer(number) or isinstance(number, Begun) and number.array == array or number == array
    return Begun(array) if begins and is_exact(array) and array.axes and array.dtype == 'float64' else None


def join_axes(left, right):
    """One length or the other. That both are of several elements is what lets operands go without a look at broadcasting."""
    if left == right:
        return left
    if not is_several(left) or not is_several(right):
        return None
    return '|'.join(sorted({name for axis in (left, right) for name in lengths_of(axis)}))


def lengths_of(axis):
    """The names of the lengths that an axis of several elements may have; one that is part of another may be as short as 2."""
    if isinstance(axis, Less):
        return [axis_text(axis), *['2'] * (axis.fewer > 0)]
    return str(axis).split('|')


def is_float(kind):
    """Whether it is a number of double precision, of Python's or NumPy's."""
    return isinstance(kind, Number) and kind.dtype == 'float64'


def is_list_of_floats(kind):
    """Whether it is a list of numbers of double precision."""
    return isinstance(kind, Items) and is_float(kind.element) or isinstance(kind, Parts) and kind.form is list and all(
        map(is_float, kind.kinds))


def is_integer(kind):
    """Whether it is an integer."""
    return isinstance(kind, Number) and kind.dtype == 'int64'


def is_plain(kind):
    """Whether it is, or holds nothing but, numbers and arrays of double precision and integers, and what has no gradient."""
    if isinstance(kind, Parts):
        return all(is_plain(part) or part == BOOL for part in kind.kinds)
    if isinstance(kind, OneOf):
        return all(map(is_plain, kind.kinds))
    return isinstance(kind, Passive) or isinstance(kind, (Number, Array)) and kind.dtype in PLAIN[1:]


def is_sum(left, right):
    """Whether `left + right` adds two gradients of one value, of these kinds."""
    return is_float(left) and is_float(right) or alike(left, right) and left.dtype == 'float64'


def alike(left, right):
    """Whether arrays that meet in an operation, or a gradient and its value, have one shape: no axis can be broadcast."""
    arrays = isinstance(left, Array) and isinstance(right, Array)
    return arrays and left.dtype == right.dtype and same_axes(left.axes, right.axes)


def same_axes(left, right):
    return len(left) == len(right) and all(a == b is not None or is_several(a) and is_several(b) for a, b in zip(left, right))


def is_whole(kind):
    """Whether no axis is unknown: each has a length, or is one of several lengths."""
    return isinstance(kind, Array) and None not in kind.axes


def is_exact(kind):
    """Whether each axis has one length, so that arrays of equal kinds have equal shapes."""
    return is_whole(kind) and not any(isinstance(axis, str) and '|' in axis for axis in map(whole_axis, kind.axes))


def whole_axis(axis):
    """The axis of which one is a part."""
    return whole_axis(axis.axis) if isinstance(axis, Less) else axis


def is_several(axis):
    """Whether an axis surely has two elements or more, so that it is not broadcast."""
    if isinstance(axis, Less):
        return isinstance(axis.axis, str) and not axis.axis[0].isdigit() and axis.fewer < CLOSE
    return isinstance(axis, str) or isinstance(axis, int) and axis > 1


def has_elements(kind):
    """Whether there surely is an element."""
    return isinstance(kind, Array) and all(axis == 1 or is_several(axis) for axis in kind.axes)


def length(value):
    """The kind of an integer that stands in the text."""
    return Number('int64', True, value if value > 0 else None)


def shorter(axis, count):
    """An axis less so many elements."""
    if isinstance(axis, int):
        return axis - count if axis > count else None
    if isinstance(axis, Less):
        axis, count = axis.axis, axis.fewer + count
    return Less(axis, count) if count and axis is not None else axis


def broadcast(shapes):
    """The axes of what is computed element by element from arrays of these, if it can be."""
    rank = max(map(len, shapes))
    columns = zip(*[(1,) * (rank - len(axes)) + tuple(axes) for axes in shapes])
    return tuple(map(_widest, columns))


def _widest(axes):
    """The longest of the lengths, which are equal but for those of length 1."""
    rest = [axis for axis in axes if axis != 1]
    sure = [axis for axis in rest if is_several(axis)]
    return sure[0] if sure else 1 if not rest else rest[0] if len(set(rest)) == 1 else None


def promoted(kinds):
    """The dtype of what arithmetic makes of these, or None: the same for NumPy 1 and NumPy 2."""
    if not kinds or not all(isinstance(kind, (Number, Array)) for kind in kinds):
        return None
    found = {'real' if kind.dtype == UNSET else kind.dtype for kind in kinds} - {'none'}      # which makes nothing but an error
    if found and found.issubset(SIZES):
        return max(found, key=SIZES.index)
    arrays = {kind.dtype for kind in kinds if isinstance(kind, Array) and kind.axes}
    weak = all(kind.python and kind.dtype != 'complex128' for kind in kinds if isinstance(kind, Number))
    plain = all(kind.axes for kind in kinds if isinstance(kind, Array))
    return 'float32' if arrays == {'float32'} and weak and plain else None


def elementwise(kinds, gives='same', number=None):
    """The kind of what a function makes element by element; `number` is False for one that gives NumPy's numbers alone."""
    if any(isinstance(kind, Begun) for kind in kinds):
        sums = {kind.array for kind in kinds if isinstance(kind, Begun)}
        if not sums.issubset(kinds):                     # no operand gives the result its shape
            return None
        kinds = [FLOAT if isinstance(kind, Begun) else kind for kind in kinds]
    dtype = promoted(kinds)
    if dtype is None:
        return None
    if gives == 'float' and dtype == 'bool':
        return None                                  # numbers of low precision, or of one byte
    if gives == 'float' and dtype in ('int64', 'real'):
        dtype = 'float64'
    elif gives == 'real' and dtype == 'complex128':
        dtype = 'float64'
    elif gives == 'bool':
        dtype = 'bool'
    arrays = [kind.axes for kind in kinds if isinstance(kind, Array)]
    axes = broadcast(arrays) if arrays else ()
    if axes:
        return Array(axes, dtype) if dtype != 'real' else None
    if arrays or number is False:
        return Number(dtype, False)
    theirs = {kind.python for kind in kinds}
    return Number(dtype, None if None in theirs or dtype == 'complex128' and False in theirs else False not in theirs)


def of_lengths(kind, lengths):
    """A number, or an array in lengths known from elsewhere (length here -> the same there); None if they are not."""
    if not isinstance(kind, (Number, Array)) or kind.dtype not in PLAIN:
        return None
    if isinstance(kind, Number):
        return kind
    axes = tuple([axis if isinstance(axis, int) else lengths.get(axis) for axis in kind.axes])
    return None if None in axes else kind._replace(axes=axes)


def gradient_kind(kind):
    """The kind of a gradient of what is of that kind; that of an array without axes may be a number."""
    if isinstance(kind, Parts):
        return Parts(tuple(map(part_of_gradient, kind.kinds)), kind.form, kind.keys, own=True)
    if isinstance(kind, OneOf):
        return OneOf(tuple(map(gradient_kind, kind.kinds)))
    if isinstance(kind, Items):
        return kind if kind.element is EMPTY else Items(part_of_gradient(kind.element))
    if isinstance(kind, Passive):
        return PASSIVE[type(None)]
    if not isinstance(kind, (Number, Array)) or isinstance(kind, Array) and not kind.axes:
        return None
    dtype = 'float64' if kind.dtype in PLAIN else kind.dtype
    return Array(kind.axes, dtype) if isinstance(kind, Array) else Number(dtype, None) if dtype == 'float64' else None


def part_of_gradient(kind):
    """The kind of the gradient of a part that a container holds."""
    return None if isinstance(kind, Number) and kind.dtype in ('none', UNSET) else gradient_kind(kind)


def classes_of(kinds):
    """The classes of containers and records among values of these kinds."""
    return [kind.form for kind in parts_within(kinds)]


def parts_within(kinds):
    """The kinds of containers and records among these, at any depth."""
    parts = [each for kind in kinds for each in (kind.kinds if isinstance(kind, OneOf) else (kind,)) if isinstance(each, Parts)]
    return parts + [found for kind in parts for found in parts_within(kind.kinds)]


def described(kind):
    """The kind for people: `float`, `array (n, 3)`, `list of (array (n,), float)`."""
    if isinstance(kind, Number):
        return kind.dtype.rstrip('0123456789') if kind.python else kind.dtype
    if isinstance(kind, Array):
        axes = ', '.join(map(axis_text, kind.axes)) + ',' * (len(kind.axes) == 1)
        return f'array ({axes})' + (f' of {kind.dtype}' if kind.dtype != 'float64' else '')
    if isinstance(kind, Passive):
        return 'None' if kind.form is type(None) else kind.form.__name__
    if isinstance(kind, OneOf):
        return ' or '.join(map(described, kind.kinds))
    if not isinstance(kind, Parts):
        return 'anything'
    names = kind.keys or [None] * len(kind.kinds)
    parts = [f'{name}: {described(part)}' if name is not None else described(part) for name, part in zip(names, kind.kinds)]
    return f'{kind.form.__name__} of ({", ".join(parts)})'


def axis_text(axis):
    if isinstance(axis, Less):
        return f'{axis_text(axis.axis)} {"-" if axis.fewer > 0 else "+"} {abs(axis.fewer)}'
    return str(axis) if axis is not None else '?'
