"""Zeros: what a gradient is before anything was added to it.

The zero of a value has the structure of the value, can be written to, and shares no memory with it. Integers have
float64 gradients. Numbers that are neither Python's nor NumPy's (Fraction, Decimal, mpmath ...) get the zero of their
own kind.
"""
import collections
import copy as _copy
import dataclasses
import functools
import mmap
import numbers
import operator
import tempfile

import numpy as np

from tangent.errors import RegistrationError
from tangent.runtime.array_api import REGISTERED, chunks, is_chunked, is_foreign, is_other_array, is_sparse, peer
from tangent.runtime.fields import dtype_of, is_number_like, is_object_type, is_scalar_kind

FLOAT64 = np.dtype(np.float64)
ORDINARY = frozenset([float, np.float64, int, complex, bool, str, type(None)])


class TupleGrad(list):
    """The gradient of a tuple while it is being summed: a list, because `bx[0] += v` must be possible.

    The fields of a namedtuple can be read and written as attributes. `astype` turns the sum back into a tuple of its type.

    Parameters
    ----------
    items : iterable
        The gradients of the elements.
    kind : type
        That of the tuple.

    Examples
    --------
    >>> bx = tangent.utils.TupleGrad([1.0, 2.0])
    >>> bx[0] += 1.0
    >>> tangent.astype(bx, (5.0, 6.0))
    (2.0, 2.0)
    """

    __slots__ = ('_kind',)

    def __init__(self, items=(), kind=tuple):
        super().__init__(items)
        object.__setattr__(self, '_kind', kind)
        if not OF_LISTS.isdisjoint(getattr(kind, '_fields', ())):
            object.__setattr__(self, '__class__', with_fields(type(self), kind._fields))

    def __getattr__(self, name):
        return self[place_of_field(self._kind, name)]

    def __setattr__(self, name, value):
        self[place_of_field(self._kind, name)] = value

    def __reduce__(self):                              # it travels to other processes
        return next(k for k in type(self).__mro__ if k.__module__ == __name__), (list(self), self._kind)

    def __iadd__(self, other):  # type: ignore[misc]
        """Part by part, as NumPy takes a tuple for an array; a list would grow."""
        return TupleGrad(map(operator.iadd, self, other), self._kind)


OF_LISTS = frozenset(dir(list))


@functools.cache
def with_fields(above, names):
    """The class for namedtuples some of whose fields have names of methods of lists: `count`, `index`, `copy`."""
    fields = {n: property(lambda self, k=k: self[k]) for k, n in enumerate(names) if n in OF_LISTS}
    return type(above.__name__, (above,), {'__slots__': (), '__module__': '', **fields})


def place_of_field(kind, name):
    """The place of a field in a namedtuple."""
    try:
        return kind._fields.index(name)
    except (AttributeError, ValueError):
        raise AttributeError(f'{kind.__name__} has no field {name!r}') from None


class FieldsGrad(TupleGrad):
    """The gradient of a namedtuple, whose arrays are made when they are first asked for: a `ZeroGrad` stands for each."""

    __slots__ = ()

    def made(self, k):
        value = list.__getitem__(self, k)
        if type(value) is ZeroGrad:
            value = value.materialize()
            list.__setitem__(self, k, value)
        return value

    def __getattr__(self, name):
        return self.made(place_of_field(self._kind, name))

    def __getitem__(self, index):
        return [*self][index] if isinstance(index, slice) else self.made(index)

    def __iter__(self):
        return map(self.made, range(len(self)))

    def unmade(self):
        """The fields as they are."""
        return list.__iter__(self)


class ZeroGrad:
    """A zero that is made only when somebody looks at it.

    Adding to it gives the other operand as it is, so that most zeros are never made at all. It is internal: what a
    derivative returns has passed through `astype`, which materialises it.

    Parameters
    ----------
    prototype : object
        The value that it is a gradient of.

    Notes
    -----
    Section 3.3 of the Tangent paper.

    Examples
    --------
    >>> zero = tangent.ZeroGrad(numpy.ones(2))
    >>> zero + 3.0, zero.materialize()
    (3.0, array([0., 0.]))
    """

    __slots__ = ('prototype',)
    __array_ufunc__ = None          # an array on the left leaves `array + zero` to us

    def __init__(self, prototype):
        self.prototype = prototype

    def materialize(self):
        """The zero itself."""
        return init_grad(self.prototype)

    def __add__(self, other):
        return other

    __radd__ = __add__

    def __getitem__(self, index):
        return ZeroGrad(self.prototype[index])

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.materialize(), dtype=dtype)

    def __repr__(self):
        return f'ZeroGrad({self.prototype!r})'


def real_dtype(dtype):
    """The dtype of the gradient of an array of `dtype`: its own, float64 for integers, None if there is no gradient."""
    if dtype.kind in 'fcO':
        return dtype
    if dtype.kind == 'V' and is_extended(dtype):
        return FLOAT64 if dtype.name.startswith(('int', 'uint')) else dtype
    return FLOAT64 if dtype.kind in 'iub' else None


def is_extended(dtype):
    """Whether it is a dtype of numbers that another library has made, such as bfloat16."""
    return dtype.type is not np.void and dtype.names is None


def real_kind(value):
    """The kind of the dtype of an array, 'f' for numbers of another library's; None for all else."""
    dtype = dtype_of(value)
    kind = None if dtype is None else dtype.kind
    return 'f' if kind == 'V' and is_extended(dtype) else kind


def is_record(obj):
    """Whether `obj` is an instance of a dataclass."""
    return dataclasses.is_dataclass(obj) and not isinstance(obj, type)


def rebuild_record(obj, function, *others):
    """A dataclass instance like `obj` whose fields are `function` of the fields of `obj` and `others`."""
    new = _copy.copy(obj)
    own = getattr(new, '__dict__', {})
    for field in dataclasses.fields(obj):
        value = function(*[getattr(o, field.name) for o in (obj, *others)])
        if field.name in own:                          # where a descriptor would look at what it is given, it has done so
            own[field.name] = value
        else:
            object.__setattr__(new, field.name, value)
    return new


def rebuild_dict(obj, function, *others):
    """A dict of the type of `obj` whose values are `function` of the values of `obj` and `others`."""
    items = {key: function(value, *(o.get(key) for o in others)) for key, value in obj.items()}
    if type(obj) is dict:
        return items
    new = _copy.copy(obj)
    new.update(items)
    return new


class Keyless(dict):
    """The tangent of a dict whose keys may be numbers: who takes it for a sequence of them finds that they have none."""
    default_factory = None                 # of a `defaultdict`: what that makes for a key that is not there

    def __iter__(self):
        return iter([0.0] * len(self))

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        return self.setdefault(key, self.default_factory())


def no_keys(given):
    """The tangent of a dict, in which keys that may be numbers have none."""
    factory = getattr(given, 'default_factory', None)
    made = keyless(given if factory is None else {})
    made.update(given)
    if factory is not None:
        made.default_factory = factory
    return made


def keyless(like):
    """An empty dict, for a tangent that has the keys of `like`."""
    return {} if like and all(isinstance(k, str) for k in like.keys()) else Keyless()


def rebuild_tuple(kind, items):
    """A tuple of type `kind` (plain, or a namedtuple)."""
    return kind._make(items) if hasattr(kind, '_make') else kind(items)


def gradient_like(values, parts):
    """The gradient of a list, tuple or deque, of those of its elements: one to which others can be added in place."""
    kind = type(values)
    if isinstance(values, TupleGrad):
        return TupleGrad(parts, values._kind)
    return TupleGrad(parts, kind) if isinstance(values, tuple) else kind(parts)


def rebuilt(obj, function, *others):
    """A tuple, list, dict or dataclass instance like `obj`, of `function` of its parts and of those of the others; None where
    `obj` is something else."""
    if isinstance(obj, (tuple, list)):
        parts = [function(*each) for each in zip(obj, *others, strict=True)]
        if isinstance(obj, TupleGrad):
            return TupleGrad(parts, obj._kind)
        return parts if isinstance(obj, list) else rebuild_tuple(type(obj), parts)
    if isinstance(obj, dict):
        return rebuild_dict(obj, function, *others)
    return rebuild_record(obj, function, *others) if is_record(obj) else None


ONES: dict = {}          # type of a third party's numbers -> a function that gives the 1 of a value


def own_number(obj, value):
    """`value` in the arithmetic of `obj`, a number of a third party's kind; exact where the value is a whole number."""
    if type(obj) in ONES:
        return ONES[type(obj)](obj) * value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        made = type(obj)(value) if isinstance(obj, numbers.Number) else None
        if made is not None and type(made) is type(obj) and made == value:
            return made
    except TypeError:               # a kind whose constructor wants something else
        pass
    return obj * 0 + value


def exotic(x):
    """The first number of a third party's kind in a value, or None where there is none: numbers of Python's and NumPy's."""
    if type(x) in ORDINARY:
        return None
    if isinstance(x, np.ndarray):
        return exotic(x.flat[0]) if x.dtype.kind == 'O' and x.size else None
    if isinstance(x, (list, tuple)):
        return exotic(x[0]) if x else None
    if isinstance(x, dict):
        return exotic(next(iter(x.values()))) if x else None
    if isinstance(x, (float, int, complex, np.generic)):
        return None
    return x if isinstance(x, numbers.Number) or is_scalar_kind(type(x)) else None


def _init_array(x):
    dtype = real_dtype(x.dtype)
    if dtype is None:
        return None
    if dtype.kind == 'O':
        return np.frompyfunc(init_grad, 1, 1)(x) if x.ndim else np.array(init_grad(x[()]), dtype=object)
    if is_chunked(x):
        return chunks().zeros(x, dtype)
    return np.zeros(x.shape, dtype) if type(x) is np.ndarray else np.zeros(x.shape, dtype, like=peer(x))


def _init_mapped(x):
    """The zero of an array in a file: one in a temporary file, gone with the array; parts of one are in memory."""
    dtype = real_dtype(x.dtype)
    if dtype is None or not x.size or not isinstance(x.base, mmap.mmap):
        return _init_array(x)
    with tempfile.TemporaryFile(prefix='tangent_') as file:
        return np.memmap(file, dtype, 'w+', shape=x.shape)


def _init_other(x):
    """The zero of a value whose very type is not in the table."""
    if is_foreign(x) and hasattr(x, 'dtype'):
        return _init_array(x)
    if is_objects(type(x), len(INITIALIZERS)):
        return INITIALIZERS[object][0](x)
    for kind in type(x).__mro__[1:-1]:
        if kind in INITIALIZERS:
            return INITIALIZERS[kind][0](x)
    if isinstance(x, np.generic):
        dtype = real_dtype(x.dtype)
        return None if dtype is None else dtype.type(0)
    if isinstance(x, numbers.Number):
        return own_number(x, 0)
    if is_sparse(x):
        return x * 0.0
    return x * 0 if is_number_like(type(x)) else INITIALIZERS[object][0](x)


@functools.lru_cache(maxsize=4096)
def is_objects(kind, count):
    """Whether the instances of a class are objects whose zero nobody has registered; `count`: of how many one has."""
    return is_object_type(kind) and not any(k in INITIALIZERS for k in kind.__mro__[:-1])


def _init_tuple(x):
    if hasattr(x, '_fields') and any(type(v) is np.ndarray for v in x):
        return FieldsGrad([ZeroGrad(v) if type(v) is np.ndarray and real_dtype(v.dtype) else init_grad(v) for v in x], type(x))
    return TupleGrad(map(init_grad, x), type(x))


def _init_record(x):
    return TupleGrad(map(init_grad, x), x._kind)


# type -> (zero of a value of that type, whether the zero may be lazy)
INITIALIZERS = {
    float: (lambda x: 0.0, True),
    int: (lambda x: 0.0, True),
    bool: (lambda x: 0.0, True),
    complex: (lambda x: 0j, True),
    np.ndarray: (_init_array, True),
    np.memmap: (_init_mapped, True),
    np.flatiter: (lambda x: _init_array(x.base.ravel()), False),
    list: (lambda x: [init_grad(v) for v in x], True),
    collections.deque: (lambda x: collections.deque(map(init_grad, x), x.maxlen), True),
    tuple: (_init_tuple, True),
    TupleGrad: (_init_record, True),
    dict: (lambda x: rebuild_dict(x, init_grad), True),
    ZeroGrad: (ZeroGrad.materialize, True),
    type(None): (lambda x: None, False),
}


def init_grad(obj, allow_lazy_initializer=False):
    """The zero gradient of `obj`: of its structure, writeable, sharing no memory with it.

    Parameters
    ----------
    obj : object
        A number, array, list, tuple, dict, namedtuple, dataclass, or any nesting of them. Values that have no gradient
        (None, strings, functions) have the gradient None.
    allow_lazy_initializer : bool
        Whether a `ZeroGrad`, which makes the zero only when it is looked at, may be returned in its place.

    Returns
    -------
    object
        A zero; that of a tuple is a `TupleGrad`, a list that `astype` turns back into a tuple.

    Examples
    --------
    >>> init_grad([1, 2.5])
    [0.0, 0.0]
    """
    entry = INITIALIZERS.get(type(obj))
    if entry is None:
        return _init_other(obj)
    if allow_lazy_initializer and entry[1]:
        return obj if type(obj) is ZeroGrad else ZeroGrad(obj)
    return entry[0](obj)


def register_init_grad(t, initializer, allow_lazy_initializer=False):
    """Register the zero gradient of a type and its subclasses.

    Parameters
    ----------
    t : type
    initializer : callable
        Takes a value of type `t` and gives its zero gradient.
    allow_lazy_initializer : bool
        Whether `ZeroGrad` may stand for that zero.

    Raises
    ------
    RegistrationError
        If `t` has an initializer already.

    Examples
    --------
    >>> class Price:
    ...     def __init__(self, cents):
    ...         self.cents = cents

    >>> tangent.utils.register_init_grad(Price, lambda x: Price(0))
    >>> tangent.init_grad(Price(5)).cents
    0
    """
    REGISTERED.add(t)
    is_other_array.cache_clear()
    if t in INITIALIZERS:
        raise RegistrationError(f'{t.__name__} already has a zero gradient: {INITIALIZERS[t][0]!r}')
    INITIALIZERS[t] = (initializer, allow_lazy_initializer)
