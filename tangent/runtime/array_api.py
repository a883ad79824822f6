"""Arrays of other libraries (CuPy's on a device, Dask's that are not computed yet): known by NumPy's protocols alone.

Whatever implements `__array_function__` and is no ndarray is such an array. It is never converted: NumPy's functions, called
on it, are those of its own library, and new arrays that meet it are made by its library, too, with `like=peer(x)`.
"""
import functools
import importlib
import sys
import weakref

import numpy as np

from tangent.errors import ArgumentTypeError
from tangent.runtime import facts
from tangent.runtime.fields import answers_ufuncs

KNOWN: dict = {np.ndarray: False, float: False, np.float64: False, int: False, list: False, tuple: False, type(None): False}


ELEMENTS: weakref.WeakSet = weakref.WeakSet()      # code of derivatives that take elements of arrays for numbers
PRODUCTS: dict = {}            # id of the code of a derivative -> (weak reference to it, which matrices it multiplies)


def is_foreign(x):
    """Whether `x` is an array of another library."""
    kind = type(x)
    if kind not in KNOWN:
        KNOWN[kind] = hasattr(kind, '__array_function__') and not issubclass(kind, np.ndarray) \
            and facts.home(kind) != 'tangent'
    return KNOWN[kind]


def is_chunked(*values):
    """Whether one of the values is an array in chunks that are not computed yet, Dask's: see `functions.parallel.chunks`."""
    return 'dask.array' in sys.modules and any(is_foreign(x) and hasattr(type(x), 'rechunk') for x in values)


LATER: dict = {}           # class of values that are not computed yet -> (function, *args) -> what that gives, as a task


def chunks():
    """The module that says what helpers do with such arrays."""
    return importlib.import_module('tangent.runtime.functions.parallel.chunks')


def refuse_chunks(name, way_out, *values):
    """Refuse arrays in chunks where a derivative would have to know their values, or hold all of them in one place.

    Raises
    ------
    ArgumentTypeError
    """
    if is_chunked(*values):
        raise ArgumentTypeError(f'{name} of an array in chunks has no derivative that keeps to them: {way_out}')


def size_of(x):
    """`numpy.size`, which would compute an array that is not known yet."""
    return x.size if is_foreign(x) else np.size(x)


OURS = 'numpy', 'scipy', 'cupy', 'cupyx', 'dask', 'sparse', 'tangent'        # whose arrays do what NumPy's rules say
OUT = {        # attribute -> what gives the plain array or number
    'to_numpy': '.to_numpy()', 'magnitude': '.magnitude', 'unit': '.value', 'filled': '.data, and numpy.where for the mask',
    'detach': '.detach().numpy()', '__array__': 'numpy.asarray(...) of it'}
REGISTERED: set = set()        # classes whose gradients somebody has told us about


@functools.lru_cache(maxsize=4096)
def is_other_array(kind):
    """Whether instances of a class are arrays or tables that mean something of their own by what NumPy's arrays do, too: labels
    that are aligned, units, `std` with another divisor, a mask."""
    if any(k in REGISTERED for k in kind.__mro__) or kind in (np.ndarray, np.generic) or issubclass(kind, (type, np.generic)):
        return False
    if issubclass(kind, np.ndarray):
        return issubclass(kind, (np.ma.MaskedArray, np.matrix)) or kind.__array_ufunc__ is not np.ndarray.__array_ufunc__ \
            or kind.__array_function__ is not np.ndarray.__array_function__
    units = hasattr(kind, 'magnitude') or hasattr(kind, 'unit')
    if kind.__module__.partition('.')[0] in OURS or hasattr(kind, '__array_function__') and not units:      # NumPy's own words
        return False
    return hasattr(kind, '__array__') and (hasattr(kind, 'shape') or hasattr(kind, 'dtype')) \
        or hasattr(kind, '__array_ufunc__') and hasattr(kind, '__mul__') and not answers_ufuncs(kind)


def is_unmasked(x):
    """Whether it is a masked array of which nothing is masked: then it is an array like others."""
    return isinstance(x, np.ma.MaskedArray) and not np.any(x.mask)


@facts.helper(pure=False, view=(0,))
def of_numpy(x):
    """A value with a derivative itself, if it is no array of another library's whose operations have other rules.

    Raises
    ------
    ArgumentTypeError
        Says how to get a plain array.
    """
    kind = type(x)
    if kind is not np.ndarray and is_other_array(kind) and not is_unmasked(x):
        way = next(text for name, text in OUT.items() if hasattr(kind, name) or name == '__array__')
        article = 'an' if kind.__name__[0] in 'AEIOaeio' else 'a'
        library = kind.__module__.partition('.')[0]
        raise ArgumentTypeError(f'{article} {kind.__name__} of {library} takes part with a derivative: '
                                f"its operators and methods are not those of NumPy's. Pass {way}, or compute with that")
    return x


def is_sparse(x):
    """Whether `x` is a sparse matrix or array of SciPy's."""
    return type(x).__module__.startswith('scipy.sparse.')


def is_product_kind(kind):
    """Whether it is a class of sparse matrices of SciPy's older kind: of those `*` is a product of matrices."""
    return kind.__module__.startswith('scipy.sparse.') and kind.__name__.endswith('_matrix')


def is_array(x):
    """Whether `x` is an array, NumPy's or another library's."""
    return isinstance(x, np.ndarray) or is_foreign(x)


def peer(*values):
    """The first of the values that is an array of another library, or None: what `like=` takes."""
    for x in values:
        if is_foreign(x):
            return x
        if type(x) in (list, tuple):
            found = peer(*x)
            if found is not None:
                return found
    return None


def as_array(x, dtype=None):
    """`numpy.asarray`, but an array of another library stays one, and a list of such becomes one."""
    if is_foreign(x):
        return x if dtype is None else x.astype(dtype, copy=False)
    if type(x) in (list, tuple) and peer(*x) is not None:
        like = peer(*x)
        parts = [p if is_foreign(p) else as_array(p) if peer(p) is not None else np.asarray(p, like=like) for p in x]
        return as_array(np.stack(np.broadcast_arrays(*parts)), dtype)
    return np.asarray(x, dtype)


def at_least_1d(x):
    return np.atleast_1d(as_array(x))


def beside(x, *values):
    """`x`, made on the host, as an array of the library whose arrays it is going to meet."""
    like = peer(*values)
    return x if like is None or is_foreign(x) else np.asarray(x, like=like)


def filled(shape, value, dtype=None, like=None):
    """`numpy.full`, in the library of `like`: NumPy hands its own keyword `device` on, which CuPy's function does not take."""
    if like is None or is_chunked(like):
        return np.full(shape, value, dtype, like=like)
    out = np.empty(shape, np.result_type(value) if dtype is None else dtype, like=like)
    out[...] = value
    return out


def add_into(out, index, values):
    """`numpy.add.at` of the library that `out` is of: a tuple as an index does not get through NumPy's protocol."""
    if is_foreign(out):
        library_of(out).add.at(out, index, values)
    else:
        np.add.at(out, index, values)


def library_of(x):
    """The module whose functions take an array of another library, as the array or the package of its class has it."""
    told = getattr(x, '__array_namespace__', None)
    return sys.modules[type(x).__module__.partition('.')[0]] if told is None else told()


def counted(n, *values):
    """`numpy.arange(n)` in the library of the values."""
    return np.arange(n, like=peer(*values))


def open_grid(shape, *values):
    """For each axis of a shape the indices along it, in its rank: `numpy.ogrid`."""
    return [np.reshape(counted(n, *values), [-1 if k == j else 1 for j in range(len(shape))]) for k, n in enumerate(shape)]
