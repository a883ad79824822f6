"""An array that behaves as CuPy's does on a machine without a GPU, as far as conversions go: none happens by accident.

The numbers are in an ndarray inside, the "device". What NumPy offers reaches it by the protocols alone (`__array_ufunc__`,
`__array_function__`), and only where CuPy has the function and the keywords that are passed. Everything that would move
data between host and device unasked is an error: `__array__`, arithmetic with an ndarray, assignment of one, indexing by
one, use as an index. Reductions give arrays without axes, not numbers. `float()`, `int()` and `bool()` of one element wait
for the device: they are allowed, as CuPy allows them, and counted.
"""

import numpy as np

from tangent.interfaces.tools.cupy_names import LACKING

# Keywords of functions of NumPy's that CuPy does not have (as of CuPy 14)
KEYWORDS = {name: frozenset(words.split()) for name, words in {
    'all': 'where', 'amax': 'initial where', 'amin': 'initial where', 'any': 'where', 'arange': 'start_or_stop',
    'argpartition': 'kind order', 'argsort': 'order stable', 'array': 'object ndmax', 'array_str': 'a',
    'broadcast_arrays': 'subok', 'broadcast_to': 'subok', 'clip': 'min max kwargs', 'concat': 'arrays',
    'concatenate': 'arrays', 'copy': 'subok', 'corrcoef': 'x', 'count_nonzero': 'keepdims', 'cov': 'm', 'delete': 'obj',
    'ediff1d': 'ary', 'extract': 'arr', 'flip': 'm', 'fliplr': 'm', 'flipud': 'm', 'histogram': 'a', 'indices': 'sparse',
    'intersect1d': 'ar1 ar2', 'isin': 'kind', 'lexsort': 'axis', 'load': 'fix_imports encoding max_header_size',
    'max': 'initial where', 'mean': 'where', 'min': 'initial where', 'nanmax': 'initial where', 'nanmean': 'where',
    'nanmin': 'initial where', 'nanprod': 'initial where', 'nanstd': 'where mean correction', 'nansum': 'initial where',
    'nanvar': 'where mean correction', 'partition': 'kind order', 'percentile': 'weights', 'piecewise': 'args kw',
    'prod': 'initial where', 'quantile': 'weights', 'reshape': 'shape', 'rot90': 'm', 'show_config': 'mode',
    'sort': 'order stable', 'stack': 'arrays', 'std': 'where mean correction', 'sum': 'initial where', 'take': 'mode',
    'take_along_axis': 'arr', 'trim_zeros': 'axis', 'union1d': 'ar1 ar2', 'unique': 'sorted', 'unpackbits': 'count',
    'unravel_index': 'shape', 'var': 'where mean correction', 'linalg.cholesky': 'upper', 'linalg.matmul': 'x1 x2',
    'linalg.matrix_power': 'a', 'linalg.matrix_rank': 'A hermitian rtol', 'linalg.matrix_transpose': 'x',
    'linalg.pinv': 'hermitian rtol', 'linalg.svd': 'hermitian'}.items()}

ATTRIBUTES = frozenset('dtype shape size ndim itemsize nbytes strides flags'.split())
ARRAYS = frozenset('T mT real imag flat base'.split())
METHODS = frozenset('''all any argmax argmin argpartition argsort astype choose clip compress conj conjugate copy cumprod cumsum
    diagonal dot fill flatten max mean min nonzero partition prod ptp put ravel repeat reshape round searchsorted
    sort squeeze std sum swapaxes take trace transpose var view'''.split())
HOST_RESULTS = frozenset('''shape ndim size result_type can_cast iscomplexobj isrealobj may_share_memory shares_memory
    common_type min_scalar_type array_repr array_str array2string'''.split())
HOST_ARGUMENTS = {'roll', 'asarray', 'array', 'split', 'array_split', 'hsplit', 'vsplit', 'dsplit', 'pad', 'transpose', 'moveaxis', 'tile'}


class Counter:
    """How often somebody waited for the device, and how often data was moved on request."""
    waits = 0
    moves = 0


def refuse(thing):
    """CuPy's own error for an array of the host among its arguments."""
    raise TypeError(f'Unsupported type {type(thing)}')


def inner(value, host=False):
    """What is inside; arrays of the host are refused."""
    if isinstance(value, Strict):
        return value._inner
    if isinstance(value, np.ndarray) and not host:
        refuse(value)
    if isinstance(value, (list, tuple)):
        items = [inner(v, host) for v in value]
        return type(value)(*items) if hasattr(value, '_fields') else type(value)(items)
    if isinstance(value, dict):
        return {k: inner(v, host) for k, v in value.items()}
    if isinstance(value, slice):
        return slice(*(index(v) for v in (value.start, value.stop, value.step)))
    return value


def index(value):
    if isinstance(value, Strict):
        raise TypeError('an array of the device as the bound of a slice')
    return value


def outer(value):
    """A result, with its arrays and NumPy's numbers on the device."""
    if isinstance(value, (np.ndarray, np.generic)):
        return Strict(np.asarray(value))
    if isinstance(value, (list, tuple)):
        items = [outer(v) for v in value]
        return type(value)(*items) if hasattr(value, '_fields') else type(value)(items)
    return value


def public_name(function):
    """The name of a function of NumPy as CuPy looks for it: its module and its name."""
    module = function.__module__.partition('.')[2]
    return f'{module}.{function.__name__}' if module else function.__name__


def check_keywords(name, keywords):
    wrong = (KEYWORDS.get(name, frozenset()) | {'device'}) & set(keywords)      # NumPy hands it on where nobody named it
    if wrong:
        raise TypeError(f'{name}() got an unexpected keyword argument {sorted(wrong)[0]!r}')


def check_axes(a, b, axes=2):
    if 0 in (np.ndim(a), np.ndim(b)) and axes not in (0, ((), ())):
        raise ValueError('An input is zero-dim while axes has dimensions')


def check_choices(condlist, choicelist, default=0):
    if np.ndim(default) or not all(isinstance(v, Strict) for v in choicelist):
        raise TypeError('default only accepts scalar values, choicelist only accepts lists of cupy ndarrays')


CHECKS = {'tensordot': check_axes, 'select': check_choices}


class Library:
    """The module of the strict arrays, as far as their own functions are asked for by it."""

    class add:
        @staticmethod
        def at(array, index, values):
            np.add.at(array._inner, inner(index), inner(values))


class Strict:
    """See the module."""

    __array_priority__ = 100
    __hash__ = None

    def __init__(self, array):
        self._inner = array

    # The protocols

    def __array__(self, dtype=None, copy=None):
        raise TypeError('Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct a NumPy '
                        'array explicitly.')

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        if method == 'reduceat' or method == 'at' and isinstance(inputs[1], (tuple, list)) or ufunc.__name__ in LACKING \
                or ufunc.signature is not None and ufunc.__name__ != 'matmul':
            return NotImplemented
        if method in ('reduce', 'accumulate') and ufunc not in (np.add, np.multiply):
            raise NotImplementedError(f'`cupy_{ufunc.__name__}.{method}` is not supported yet')
        if 'where' in keywords and method != '__call__':
            raise TypeError("reduce() got an unexpected keyword argument 'where'")
        out = keywords.pop('out', None)
        if out is not None:
            if not all(isinstance(o, Strict) for o in out):
                refuse(out[0])
            keywords['out'] = tuple(o._inner for o in out)
        found = getattr(ufunc, method)(*inner(inputs), **inner(keywords))
        return out[0] if out is not None and len(out) == 1 else outer(found)

    def __array_function__(self, function, kinds, args, keywords):
        name = public_name(function)
        if name in LACKING or name.split('.')[0] not in dir(np) or '.' in name and name.split('.')[0] not in ('linalg', 'fft'):
            return NotImplemented
        if not all(issubclass(kind, (Strict, np.ndarray)) for kind in kinds):
            return NotImplemented
        check_keywords(name, keywords)
        CHECKS.get(name, lambda *args, **keywords: None)(*args, **keywords)
        return called(function, args, keywords, function.__name__)

    # Waiting for the device

    def _wait(self, kind):
        Counter.waits += 1
        if self._inner.size != 1:
            raise TypeError('only arrays of one element can be converted')
        return kind(self._inner.reshape(())[()])

    def __bool__(self):
        if self._inner.size != 1:
            raise ValueError('The truth value of an array with more than one element is ambiguous.')
        return self._wait(bool)

    def __float__(self):
        return self._wait(float)

    def __int__(self):
        return self._wait(int)

    def __complex__(self):
        return self._wait(complex)

    def item(self, *args):
        Counter.waits += 1
        return self._inner.item(*args)

    def __array_namespace__(self):
        return Library

    def get(self):
        """The numbers on the host, asked for."""
        Counter.moves += 1
        return self._inner.copy()

    def tolist(self):
        return self.get().tolist()

    def __contains__(self, thing):
        raise TypeError('a search in an array of the device')

    # As an array

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        if name in ATTRIBUTES:
            return getattr(self._inner, name)
        if name in ARRAYS:
            found = getattr(self._inner, name)
            return None if found is None else outer(found)
        if name in METHODS:
            return lambda *args, **keywords: self._method(name, args, keywords)
        raise AttributeError(f"'ndarray' object has no attribute {name!r}")

    def _method(self, name, args, keywords):
        check_keywords(name, keywords)
        return called(getattr(self._inner, name), args, keywords, name)

    def __setattr__(self, name, value):
        if name == '_inner':
            object.__setattr__(self, name, value)
        elif name in ('real', 'imag', 'shape', 'flat'):
            setattr(self._inner, name, inner(value))
        else:
            raise AttributeError(f'an attribute {name!r} is set')

    def __getitem__(self, key):
        """A part; one element is a view without axes."""
        key = inner(key)
        found = self._inner[key]
        if isinstance(found, np.generic):
            found = self._inner[(*key, ...) if isinstance(key, tuple) else (key, ...)]
        return outer(found)

    def __setitem__(self, key, value):
        if isinstance(value, (list, tuple)):
            raise TypeError('a list is assigned to elements of an array of the device')
        self._inner[inner(key)] = inner(value)

    def __len__(self):
        return len(self._inner)

    def __iter__(self):
        return map(outer, iter(self._inner))

    def __copy__(self):
        return Strict(self._inner.copy())

    def __deepcopy__(self, memo):
        return Strict(self._inner.copy())

    def __repr__(self):
        return f'Strict({self._inner!r})'


def called(function, args, keywords, name):
    """The function, called with what is inside; the result on the device."""
    out = keywords.get('out')
    found = function(*inner(args, name in HOST_ARGUMENTS), **inner(keywords, name in HOST_ARGUMENTS))
    return out if isinstance(out, Strict) else found if name in HOST_RESULTS else outer(found)


def _binary(name):
    def method(self, other):
        if isinstance(other, (list, tuple, str)) or other is None:
            return NotImplemented
        return outer(getattr(self._inner, name)(inner(other)))
    return method


def _in_place(name):
    def method(self, other):
        self._inner = getattr(self._inner, name)(inner(other)) if self._inner.ndim else _element(self._inner, name, inner(other))
        return self
    return method


def _element(array, name, other):
    getattr(np, UFUNCS[name])(array, other, out=array, casting='same_kind')
    return array


UFUNCS = {'__iadd__': 'add', '__isub__': 'subtract', '__imul__': 'multiply', '__itruediv__': 'divide', '__ipow__': 'power'}
for _name in '''add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod divmod rdivmod pow rpow matmul rmatmul
        and rand or ror xor rxor lshift rlshift rshift rrshift lt le gt ge eq ne'''.split():
    setattr(Strict, f'__{_name}__', _binary(f'__{_name}__'))
for _name in 'iadd isub imul itruediv ifloordiv imod ipow iand ior ixor'.split():
    setattr(Strict, f'__{_name}__', _in_place(f'__{_name}__'))
for _name in 'neg pos abs invert'.split():
    setattr(Strict, f'__{_name}__', lambda self, name=f'__{_name}__': outer(getattr(self._inner, name)()))


# To the device and back, for tests

def to_device(value):
    """The value with a copy of each array of floats on the device, and each array of integers or booleans."""
    if isinstance(value, np.ndarray) and value.dtype.kind in 'fciub':
        return Strict(value.copy())
    if isinstance(value, (list, tuple)):
        items = [to_device(v) for v in value]
        return type(value)(*items) if hasattr(value, '_fields') else type(value)(items)
    if isinstance(value, dict):
        return {k: to_device(v) for k, v in value.items()}
    return value


def to_host(value):
    """The value with each array on the host."""
    if isinstance(value, Strict):
        return value._inner
    if isinstance(value, (list, tuple)):
        items = [to_host(v) for v in value]
        return type(value)(*items) if hasattr(value, '_fields') else type(value)(items)
    if isinstance(value, dict):
        return {k: to_host(v) for k, v in value.items()}
    return value


def on_device(value):
    """Whether no array in the value is the host's."""
    if isinstance(value, (list, tuple)):
        return all(map(on_device, value))
    if isinstance(value, dict):
        return all(map(on_device, value.values()))
    return not isinstance(value, np.ndarray)
