"""Persistent arrays: arrays all of whose versions stay alive."""
import math
import operator

import numpy as np

from tangent.errors import ArgumentTypeError
from tangent.persistent.versions import Tree, frozen
from tangent.runtime import facts

METHODS = '''all any argmax argmin argsort astype clip conj conjugate cumprod cumsum diagonal dot flatten item max mean min
    nonzero prod ravel repeat reshape round squeeze std sum swapaxes take tobytes tolist trace transpose var'''.split()

Operators = np.lib.mixins.NDArrayOperatorsMixin


def of_contents(function):
    return lambda self: function(self[...])


class Array(Operators):
    """A handle of one version of a persistent array; made by `persistent.array`.

    Reading gives numbers and arrays of their own: later writes do not touch them, and writes to them do not touch this
    array. `setitem`, `appended`, `extended` and `popped` make a new version and leave this one as it is; `a[i] = v`,
    `append`, `extend` and `pop` make a new version and move the handle to it. `copy` gives a second handle of the same
    version, at no cost. Whatever version is written to, the others stay: a write to an old one starts a branch.

    A read or write costs what its piece costs, if the version was read or written last; else also the pieces that differ
    between the two versions, or as many copies of the array as there are versions with handles on the way (Baker 1978).
    Memory is that of the array and of the differences between the versions that have handles, each at most twice a copy.

    All versions of one array share a lock: handles can be used from several threads, and so can one handle, whose
    operations then happen one after the other in some order. (`a[i] += v` is two of them, as it is for a list.)

    Pickled, and in NumPy's functions, a version is its contents; its history stays behind.

    Parameters
    ----------
    data : array_like
        Numbers, of any number of axes.
    dtype : dtype, optional

    Raises
    ------
    ArgumentTypeError
        If the data is made of things that are no numbers.

    Examples
    --------
    >>> a = tangent.persistent.Array([1.0, 2.0])
    >>> a.shape, a.setitem(0, 5.0)[0], a[0]
    ((2,), 5.0, 1.0)
    """

    __slots__ = ('_tree', '_version') + ('__weakref__',) * (not hasattr(Operators, '__weakref__'))         # NumPy 1 has it
    __hash__ = None                        # type: ignore[assignment]

    def __init__(self, data, dtype=None):
        data = np.array(data, dtype=dtype, copy=True)
        if data.dtype.hasobject:
            raise ArgumentTypeError(f'a persistent array holds numbers, not {data.dtype}: give a dtype, or rows of one length')
        self._tree = Tree(data)
        self._version = self._tree.first()

    def _handle(self, version):
        """A handle like this one of another version of the tree."""
        made = object.__new__(type(self))
        made._tree, made._version = self._tree, version
        return made

    # Reading

    def __getitem__(self, index):
        tree = self._tree
        with tree.lock:
            tree.reroot(self._version.node)
            found = tree.data[index]
            return found.copy() if isinstance(found, np.ndarray) and found.base is not None else found

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError('the contents of a persistent array cannot be had without a copy')
        found = self[...]
        return found if dtype is None or dtype == found.dtype else found.astype(dtype)

    @property
    def shape(self):
        return (self._version.node.length, *self._tree.buffer.shape[1:]) if self._tree.buffer.ndim else ()

    dtype = property(lambda self: self._tree.buffer.dtype)
    ndim = property(lambda self: self._tree.buffer.ndim)
    size = property(lambda self: math.prod(self.shape))
    nbytes = property(lambda self: self.size * self.dtype.itemsize)
    T = property(lambda self: self[...].T)
    real = property(lambda self: self[...].real)
    imag = property(lambda self: self[...].imag)

    def __len__(self):
        if not self.ndim:
            raise TypeError('len() of unsized object')
        return self.shape[0]

    def __iter__(self):
        k = 0
        while k < len(self):               # a loop sees what is written meanwhile, as loops over lists and arrays do
            yield self[k]
            k += 1

    def __contains__(self, value):
        return value in self[...]

    __bool__, __float__, __int__, __complex__, __str__, __index__ = map(
        of_contents, (bool, float, int, complex, str, operator.index))

    def __repr__(self):
        return np.array_repr(self[...]).replace('array', 'persistent.array', 1).replace('\n', '\n           ')

    def __reduce__(self):
        return type(self), (self[...],)

    # New versions

    def _write(self, index, values, add=False, move=False):
        """A handle of the version with `values` written to (or added at) an index: this one if it is to `move`."""
        values, index, tree, _before = self._fitting(values), frozen(index), self._tree, self._version
        with tree.lock:
            tree.reroot(self._version.node)
            if move and tree.alone(self._version):
                tree.overwrite(index, values, add)
                version, size = self._version, np.size(tree.data[index])
            else:
                version, size = tree.write(index, values, add)
            if move:
                self._version = version
        made = self if move else self._handle(version)
        made._wrote(self, index, size)
        return made

    def _wrote(self, before, index, size):
        """What a write of so many elements says of where the array may differ from zero; a gradient keeps it."""

    def _resize(self, change, rows=None, move=False):
        """(the last row of this version; a handle of the version with so many more or fewer rows)."""
        tree, last, _before = self._tree, None, self._version
        if not self.ndim:
            raise ArgumentTypeError('a persistent array without axes has no rows to append or pop')
        with tree.lock:
            tree.reroot(self._version.node)
            if change < 0:
                if not len(tree.data):
                    raise IndexError('pop from an empty persistent array')
                last = np.array(tree.data[-1])[()]
            version = tree.resize(len(tree.data) + change, rows)
            if move:
                self._version = version
        return last, self if move else self._handle(version)

    def _rows(self, rows):
        rows = np.asarray(rows if hasattr(rows, '__len__') else list(rows))
        rows = rows if rows.size or rows.ndim == self.ndim else rows.reshape(0, *self.shape[1:])
        if rows.shape[1:] != self.shape[1:] or not rows.ndim:
            raise ArgumentTypeError(f'rows of shape {rows.shape[1:]} for a persistent array whose rows have {self.shape[1:]}')
        return len(rows), self._fitting(rows)

    def _fitting(self, values):
        """The values as an array, which writing does not cut."""
        values = np.asarray(values)
        dtype = self._tree.buffer.dtype
        if values.dtype is not dtype and not np.can_cast(values.dtype, dtype, 'same_kind'):
            raise ArgumentTypeError(f'{values.dtype} is written into a persistent array of {dtype}, which would cut it: '
                                    f'make that one with dtype={values.dtype}')
        return values

    def copy(self):
        """Another handle of this version."""
        with self._tree.lock:
            self._version.shared = True
            return self._handle(self._version)

    __copy__ = copy

    def become(self, other):
        """Move this handle to the version of another one."""
        with other._tree.lock:
            other._version.shared = True
            self._tree, self._version = other._tree, other._version

    def __deepcopy__(self, memo):
        return self.copy()

    def setitem(self, index, value):
        """A new version with `value` at `index` (any index of NumPy's); this one stays as it is."""
        return self._write(index, value)

    def appended(self, row):
        """A new version with one more row."""
        return self.extended(np.asarray(row)[None])

    def extended(self, rows):
        """A new version with more rows."""
        return self._resize(*self._rows(rows))[1]

    def popped(self):
        """(the last row, a new version without it)."""
        return self._resize(-1)

    # The same, moving the handle

    def __setitem__(self, index, value):
        self._write(index, value, move=True)

    def add_at(self, index, value):
        """Add to the elements at an index; one that is named twice gets both (`numpy.add.at`)."""
        self._write(index, value, add=True, move=True)

    def append(self, row):
        """Add a row to the end."""
        self.extend(np.asarray(row)[None])

    def extend(self, rows):
        """Add rows to the end."""
        self._resize(*self._rows(rows), move=True)

    def pop(self):
        """Remove the last row and return it."""
        return self._resize(-1, move=True)[0]

    # NumPy

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **keywords):
        if ufunc is np.add and method == 'at' and isinstance(inputs[0], Array):
            return inputs[0].add_at(*map(contents, inputs[1:]))
        if method == 'at':
            out, inputs = inputs[:1], (np.array(inputs[0]), *map(contents, inputs[1:]))
            getattr(ufunc, method)(*inputs, **keywords)
            out[0][...] = inputs[0]
            return None
        filled = tuple(np.array(v) if isinstance(v, Array) else v for v in out)
        found = getattr(ufunc, method)(*map(contents, inputs), out=filled or None, **contents(keywords))
        for target, value in zip(out, filled):
            if isinstance(target, Array):
                target[...] = value
        return found if not out else out[0] if len(out) == 1 else out

    def __array_function__(self, function, types, args, keywords):
        out = args[0] if facts.of(function).writes else keywords.get('out')
        if isinstance(out, Array):
            filled = np.array(out)
            if facts.of(function).writes:
                function(filled, *contents(args[1:]), **contents(keywords))
            else:
                function(*contents(args), **contents({**keywords, 'out': filled}))
            out[...] = filled
            return None if facts.of(function).writes else out
        return function(*contents(args), **contents(keywords))


def contents(x):
    """A value with arrays in the place of persistent ones."""
    if isinstance(x, Array):
        return x[...]
    if type(x) in (list, tuple):
        return type(x)(map(contents, x))
    return {key: contents(v) for key, v in x.items()} if type(x) is dict else x


def delegated(name):
    def method(self, *args, **keywords):
        return getattr(self[...], name)(*args, **keywords)
    method.__name__ = name
    method.__doc__ = f'`numpy.ndarray.{name}` of the contents.'
    return method


for _name in METHODS:
    setattr(Array, _name, delegated(_name))
