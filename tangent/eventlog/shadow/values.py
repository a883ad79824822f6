"""Values in the log form: what undoing needs of them, and small things that its two passes call."""
from __future__ import annotations

import collections
import inspect
import numbers
import types

import numpy as np

from tangent import errors
from tangent.eventlog.shadow.restore import Kept  # noqa: F401 (for emitted code)
from tangent.persistent.array import Array
from tangent.runtime import facts
from tangent.runtime.add import add_grad
from tangent.runtime.array_api import is_chunked, is_foreign
from tangent.runtime.broadcast import unbroadcast
from tangent.runtime.cast import check_floats
from tangent.runtime.fields import has_items_for_attributes, holds_itself, is_scalar_kind
from tangent.runtime.tangents.yielded import Yielded
from tangent.runtime.zeros import TupleGrad, exotic, own_number

SIMPLE = frozenset([float, int, complex, bool, str, bytes, type(None), np.float64, np.float32, np.complex128, np.int64])
OWN = type('Own', (), {'__repr__': lambda self: "'self'"})()        # the flag of what is called itself, or of its object
MISSING = type('Missing', (), {'__repr__': lambda self: 'MISSING'})()
NUMBERS = 'numbers', 'fractions', 'decimal', 'mpmath', 'sympy', 'uncertainties'       # whose arithmetic has rules


def coded(x, name):
    """The method of that name, if it is written in Python; else None. What stands for a generator has none."""
    kind = type(x)
    found = getattr(kind, f'__{name}__', None)
    plain = isinstance(found, types.FunctionType) and kind is not Yielded and not hasattr(kind, 'receive')
    return found if plain and not is_number_type(kind) else None


def refuse_getattribute(owner, name):
    """Raise for an attribute of an object whose class says what each of them is."""
    if coded(owner, 'getattribute') is not None:
        raise errors.FieldError(f'{type(owner).__name__} defines __getattribute__: write {name} as a function that takes the '
                                'object')


def is_number_type(kind):
    return hasattr(kind, '__array__') or issubclass(kind, numbers.Number) \
        or any(facts.home(k) in NUMBERS for k in kind.__mro__)


def is_number(value):
    return type(value) in SIMPLE or isinstance(value, (numbers.Number, np.generic)) or is_scalar_kind(type(value)) \
        or is_chunked(value)               # which is a graph, and no memory


def kept(x):
    """What undoing `x += v` will need of the old value of x: a copy of an array, the elements of a list."""
    if isinstance(x, Array):
        return x.copy()
    return x.copy() if isinstance(x, np.ndarray) else list(x) if isinstance(x, list) else x


def of_flat(owner, index):
    """(array, index) for an index of `array.flat`."""
    array = owner.base
    return array, np.unravel_index(np.arange(array.size)[index], array.shape)


def refuse_foreign(owner):
    """Raise for an array of another library: the log knows no memory but NumPy's."""
    if is_foreign(owner):
        raise errors.AliasError(f'the derivative of this function is in the log form, which takes no {type(owner).__name__} of '
                                f'{type(owner).__module__}: tangent.explain says why, and what to write for the other form')


def before(owner, index):
    """What undoing `owner[index] = v` will need: a copy of what is there now, MISSING if there is nothing."""
    if isinstance(owner, Array):
        return owner.copy()                # a handle: nothing is copied
    if isinstance(owner, np.flatiter):
        return np.array(owner[index])
    if isinstance(owner, np.ndarray):
        return np.array(owner[index])
    if isinstance(owner, (list, collections.deque)):
        return [list(owner)] if isinstance(index, slice) else owner[index]
    if isinstance(owner, dict):
        return owner.get(index, MISSING)
    refuse_foreign(owner)
    if not hasattr(type(owner), '__setitem__'):
        raise TypeError(f"'{type(owner).__name__}' object does not support item assignment")           # as Python says
    raise errors.AliasError(f'item assignment to a {type(owner).__name__}: its class has to be visible in the module of '
                            'the differentiated function')


def uncut(found, owner, value):
    """The gradient of a value that was written into an array, if that has not cut off its fraction."""
    cuts = isinstance(owner, np.ndarray) and owner.dtype.kind in 'iub' and np.asarray(value).dtype.kind in 'fc'
    if cuts and found is not None and np.any(found):
        check_floats(owner)
    return found


def check_settled(value):
    """Nothing for a number, which no `finally` block changes after it has been returned."""
    for part in value if isinstance(value, tuple) else (value,):
        if part is not None and not isinstance(part, (str, tuple)) and not is_number(part):
            raise errors.AliasError('finally blocks that change what is returned and has a derivative are not followed: assign '
                                    'the value, and return it behind the try statement')


def before_update(owner, index):
    """What undoing `owner[index] += v` will need: a copy of what is there now."""
    if isinstance(owner, Array):
        return owner.copy()
    refuse_foreign(owner)
    return kept(owner[index]) if not isinstance(owner, np.ndarray) else np.array(owner[index])


def before_attribute(owner, name):
    """What undoing `owner.name = v` will need."""
    if holds_itself(type(owner), name):
        return owner.__dict__.get(name, MISSING)
    if isinstance(owner, np.ndarray):
        found = getattr(owner, name)
        return found if isinstance(found, tuple) else np.array(found)
    if isinstance(owner, TupleGrad):
        return getattr(owner, name)
    found = getattr(type(owner), name, None)
    if hasattr(found, '__set__') and not isinstance(found, (types.MemberDescriptorType, types.GetSetDescriptorType)):
        raise errors.AliasError(f'{type(owner).__name__}.{name} is a property: its class has to be visible in the module '
                                'of the differentiated function')
    if has_items_for_attributes(owner):
        return owner.get(name, MISSING)
    slot = isinstance(inspect.getattr_static(type(owner), name, None), (types.MemberDescriptorType, types.GetSetDescriptorType))
    return getattr(owner, name, MISSING) if slot or not hasattr(owner, '__dict__') else owner.__dict__.get(name, MISSING)


def cell_of(function):
    """The closure cell of the one variable that a function captures: `cell_of(lambda: w)`."""
    return function.__closure__[0]


def unjoin(g, left, right):
    """The gradients of both operands of `left + right`, numbers or sequences."""
    if type(left) in SIMPLE and type(right) in SIMPLE and type(g) in SIMPLE:
        return g, g
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return g[:len(left)], g[len(left):]
    return unbroadcast(g, left), unbroadcast(g, right)


def add_parts(b, term):
    """The sum of two gradients of one number or tuple, either of which may be None."""
    return add_grad(b, term) if b is not None and term is not None else term if b is None else b


def held_by_exception(made, parts):
    """Position -> gradient of what an exception was given: its `args`, the first of which StopIteration names `value`, too."""
    found = dict(enumerate(parts.pop('args', None) or ()))
    if isinstance(made, StopIteration) and 'value' in parts:
        found[0] = add_parts(found.get(0), parts.pop('value'))
    return found


def cost(result):
    """What is differentiated of a result: the first element of a tuple."""
    return result[0] if isinstance(result, tuple) else result


def first_seed(result, seed):
    """The gradient of a result of whose elements the first has this gradient."""
    first = result[0] if isinstance(result, tuple) and result else result
    if type(seed) is float and type(first) is not float and exotic(first) is not None:
        seed = own_number(exotic(first), seed)
    return [seed] + [None] * (len(result) - 1) if isinstance(result, tuple) else seed


def repeated_row(g, value):
    """The gradient of an array whose elements were written one after the other, again and again until there was no place."""
    size = max(np.size(value), 1)
    found = np.zeros(size, np.asarray(g).dtype)
    np.add.at(found, np.arange(np.size(g)) % size, np.ravel(g))
    return fitted(found.reshape(np.shape(value)) if np.ndim(value) else found[0], value)


def fitted(g, value):
    """A gradient summed and spread to the shape of a number or array that was broadcast."""
    return unbroadcast(g, value) if isinstance(value, (np.ndarray, Array)) or is_number(value) else g
