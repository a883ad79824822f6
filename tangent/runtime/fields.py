"""What an object is made of: which values have attributes of their own, and what these are.

An *object* is an instance of a class written in Python (or a SimpleNamespace, or an exception) that is not a number, an
array or a container. Its fields are its own attributes, those of `__slots__` among them; what properties and other descriptors
compute is none. What is within reach of values is what they hold, and what that holds, and so on.
"""
import collections
import enum
import functools
import numbers
import operator
import os
import threading
import types

import numpy as np

from tangent.errors import AliasError, ArgumentTypeError, FieldError

FUNCTIONS = (type, types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.ModuleType, functools.partial)
LEAVES = (numbers.Number, np.ndarray, np.generic, str, bytes, bytearray, set, frozenset, enum.Enum,
          os.PathLike, *FUNCTIONS)
CONTAINERS = (list, tuple, dict)
SEQUENCES = (list, collections.deque)
PLAIN = frozenset([float, int, complex, bool, str, bytes, type(None), np.float64])
ARITHMETIC = '''__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __pow__ __neg__ __abs__
    __lt__'''.split()
IN_PLACE = tuple(f'i{name}' for name in 'add sub mul truediv floordiv mod pow matmul and or xor lshift rshift concat'.split())
COMPUTED = (types.FunctionType, classmethod, staticmethod, functools.cached_property)     # an attribute hides them
SCALAR_KINDS: set = set()    # classes whose instances stand for a value, and have no memory that could be shared: futures
# Modules of classes none of whose instances has a gradient
CONSTANT = 'scipy.interpolate.', 'scipy.stats.', 'numba.core.', 'distributed.', 'concurrent.', 'multiprocessing.'
PRIMAL = '__primal__'        # the attribute by which the gradient of an object, while it is summed, is known


def is_gradient(x):
    """Whether `x` is the gradient of an object, while it is summed."""
    return hasattr(type(x), PRIMAL)


def has_arithmetic(kind, names=ARITHMETIC):
    """Whether a class has all that numbers have: arithmetic and an order, which quaternions, say, have not."""
    return all(getattr(kind, name, None) is not getattr(object, name, None) for name in names)


def is_number_like(kind):
    """Whether a class has all the arithmetic of a number, or is an array of some library's: no dataclass that makes one."""
    return has_arithmetic(kind) or hasattr(kind, '__array__') and not hasattr(kind, PRIMAL) and not answers_ufuncs(kind) \
        and not hasattr(kind, '__dataclass_fields__') or hasattr(kind, 'dtype') and hasattr(kind, 'shape')


def answers_ufuncs(kind):
    """Whether a class says itself in Python what ufuncs do with its objects, a vector with fields, say, and is no array, which
    answers NumPy's other functions as well."""
    told = isinstance(getattr(kind, '__array_ufunc__', None), types.FunctionType)
    shown = '__array_function__', 'shape', 'dtype', PRIMAL
    return told and not issubclass(kind, np.ndarray) and not any(hasattr(kind, name) for name in shown)


def dtype_of(x):
    """The dtype of an array or a number of NumPy's, else None: other libraries have attributes of that name, too."""
    try:
        found = getattr(x, 'dtype', None)
    except Exception:                                  # of a `__getattr__` that raises others: `dict.__getitem__`
        return None
    return found if isinstance(found, np.dtype) else None


@functools.lru_cache(maxsize=4096)
def is_scalar_kind(kind):
    """Whether a class is a number's of some library or of the user's, and no array's."""
    return kind in SCALAR_KINDS or has_arithmetic(kind) and not hasattr(kind, '__array__') \
        and not hasattr(kind, '__array_function__') and not hasattr(kind, 'shape') \
        and not hasattr(kind, PRIMAL) and not issubclass(kind, CONTAINERS)


@functools.lru_cache(maxsize=4096)
def is_object_type(kind):
    """Whether the instances of a class are objects."""
    if issubclass(kind, LEAVES + CONTAINERS) or kind in SCALAR_KINDS or is_number_like(kind) or holds_constants(kind):
        return False
    return issubclass(kind, (types.SimpleNamespace, threading.local, BaseException)) \
        or bool(kind.__flags__ & HEAP and slots_or_dict(kind))


def is_made_in_python(kind):
    """Whether the objects of a class are made by a `__new__` or `__init__` in Python, and are but their attributes."""
    if isinstance(kind.__new__, types.FunctionType) or kind.__new__ is object.__new__ and isinstance(
            kind.__init__, types.FunctionType):
        plain = type(kind).__call__ is type.__call__ and is_object_type(kind) and not issubclass(kind, BaseException)
        return plain and next(k for k in kind.__mro__ if not k.__flags__ & HEAP) is object
    return False


def makes_own(kind):
    """Whether they are made by a `__new__` in Python."""
    return isinstance(kind.__new__, types.FunctionType) and is_made_in_python(kind)


def holds_itself(kind, name):
    """Whether what an object of a class has under a name surely is what it holds, and nothing that Python code computes."""
    if is_plain(kind):
        for above in kind.__mro__:
            if name in above.__dict__:
                return False
        return True
    return False


@functools.lru_cache(maxsize=4096)
def is_plain(kind):
    """Whether objects of a class have the attributes that they hold, and those of the class."""
    return is_object_type(kind) and kind.__getattribute__ is object.__getattribute__ and not hasattr(kind, '__getattr__') \
        and bool(kind.__dictoffset__)


HEAP = 1 << 9               # the class was made by a class statement, not in C


@functools.lru_cache(maxsize=4096)
def updates_in_place(kind):
    """Whether `x += v` or its like changes an instance of the class, as it does arrays and lists, and no numbers."""
    return any(hasattr(kind, f'__{name}__') for name in IN_PLACE)


def holds_constants(kind):
    """Whether what the instances of a class hold are constants, as in the splines that SciPy has made."""
    return kind.__module__.startswith(CONSTANT)


def slots_or_dict(kind):
    return any('__dict__' in vars(k) or '__slots__' in vars(k) for k in kind.__mro__)


def has_items_for_attributes(x):
    """Whether it is a dict whose attributes are its items, as what SciPy's solvers return."""
    return type(x).__setattr__ is dict.__setitem__


def put_attribute(owner, name, *value):
    """Set an attribute that an object holds, or delete it where no value is given, without running code of its class."""
    word = '__setattr__' if value else '__delattr__'
    kind = next(k for k in type(owner).__mro__ if isinstance(vars(k).get(word), types.WrapperDescriptorType))
    getattr(kind, word)(owner, name, *value)


def is_object(x):
    return is_object_type(type(x))


UNFILLED = object()


@functools.lru_cache(maxsize=4096)
def slots(kind):
    """Names under which the slots of a class are read."""
    found = []
    for k in kind.__mro__[::-1]:
        names = vars(k).get('__slots__', ())
        for name in (names,) if isinstance(names, str) else names:
            if name.startswith('__') and not name.endswith('__'):
                name = f'_{k.__name__.lstrip("_")}{name}'
            found.append(name)
    return tuple(n for n in dict.fromkeys(found) if n not in ('__dict__', '__weakref__'))


def own(x, name, default=None):
    """What an object has under a name by itself: no `__getattr__` of its class is asked, which may answer to any name."""
    try:
        return object.__getattribute__(x, name)
    except AttributeError:
        return default


def own_dict(x):
    """The `__dict__` of an object; {} where it has none."""
    return own(x, '__dict__', {})


def fields(x):
    """Name -> value of the attributes that an object holds itself."""
    found = {n: v for n in slots(type(x)) if (v := own(x, n, UNFILLED)) is not UNFILLED}
    found.update(own_dict(x))
    return {'args': x.args, **found} if isinstance(x, BaseException) else found


def field(x, name):
    """The value of one attribute, which has to be held by the object or its class.

    Raises
    ------
    ArgumentTypeError
        If Python code computes it: a property, another descriptor, `__getattr__`.
    """
    kind = type(x)
    held = name in own_dict(x)
    plain = kind.__getattribute__ is object.__getattribute__ or issubclass(kind, types.SimpleNamespace)
    if isinstance(x, BaseException):
        plain = kind.__getattribute__ is BaseException.__getattribute__
        if name == 'args':
            return x.args
    if plain and held and not hasattr(kind, name):
        return x.__dict__[name]
    above = next((vars(k)[name] for k in kind.__mro__ if name in vars(k)), None)
    if plain and (held and (isinstance(above, COMPUTED) or not hasattr(type(above), '__get__'))
                  or isinstance(above, types.MemberDescriptorType)
                  or above is not None and not hasattr(type(above), '__get__')):
        return getattr(x, name)
    raise FieldError(f'{kind.__name__}.{name} is no attribute that the object holds: Python code computes it (a '
                     'property, another descriptor, __getattr__); write it as a function that takes the object')


def refuse_object(x, what='taken for a number'):
    """Raise the error for an object where numbers and arrays are expected."""
    raise ArgumentTypeError(f'An instance of {type(x).__name__} is {what}: operators and methods of classes written in '
                            'Python cannot be differentiated here; write them as functions that take the object')


def refuse_member(x, name):
    """Raise the error for a value with a derivative that a member of an enumeration is to keep."""
    raise FieldError(f'{x} is a member of an enumeration, which keeps what is put under .{name} when the function is done: '
                     'keep values with a derivative in an object that the function makes')


def only_reads(function):
    """The function, watched: no derivative flows through its call, so it must not write into what it is given.

    Parameters
    ----------
    function : callable

    Returns
    -------
    callable
        What it does, with a look at its arguments before and after.

    Raises
    ------
    AliasError
        When called, if it has changed an array, list, dict or object within reach of its arguments.

    Examples
    --------
    >>> tangent.utils.only_reads(len)([1.0, 2.0])
    2
    """
    def watched(*args, **keywords):
        unchanged = noted(function, args, keywords)
        value = function(*args, **keywords)
        check_only_read(function, unchanged)
        return value
    return watched


def noted(function, args, keywords):
    """Tells, when it is called, whether all that is within reach of a call still holds what it does now."""
    before = [(thing, contents(thing)) for thing in within((*brought(function), *args, *keywords.values())).values()]
    return lambda: all(is_as_before(thing, found) for thing, found in before)


def check_only_read(function, unchanged):
    if not unchanged():
        raise AliasError(f'{described(function)} writes into what it is given, in a call through which no derivative '
                         'flows: give it a copy, or let it return the value, and assign it in the caller')


def brought(function):
    """What a function value brings with it: its object, what it has captured, the arguments of a partial."""
    if isinstance(function, functools.partial):
        return (*brought(function.func), *function.args, *function.keywords.values())
    if isinstance(function, types.FunctionType) and isinstance(function.__dict__.get('source'), str) \
            and not hasattr(function, 'carried'):            # a derivative, which keeps what it has made
        return ()
    cells = [cell.cell_contents for cell in getattr(function, '__closure__', None) or () if cell != types.CellType()]
    return function, getattr(function, '__self__', None), *cells


def described(function):
    code = getattr(function, '__code__', None)
    name = getattr(function, '__qualname__', None) or type(function).__name__
    return name if code is None else f'{name} ({code.co_filename}:{code.co_firstlineno})'


def contents(thing):
    return (thing.shape, thing.tobytes()) if isinstance(thing, np.ndarray) else held(thing)


def is_as_before(thing, before):
    """Whether an array, list, dict or object holds what it did."""
    now = contents(thing)
    if isinstance(thing, np.ndarray):
        return now == before
    if isinstance(now, dict):
        now, before = [*now, *now.values()], [*before, *before.values()]
    return len(now) == len(before) and all(map(operator.is_, now, before))


def within(things):
    """id -> thing for the lists, dicts, objects and arrays within reach."""
    found, pending = {}, list(things)
    while pending:
        thing = pending.pop()
        if isinstance(thing, tuple):
            pending += thing
        elif id(thing) not in found and (isinstance(thing, (np.ndarray, dict, *SEQUENCES)) or is_object(thing)):
            found[id(thing)] = thing
            pending += [part for part in parts(thing) if type(part) not in PLAIN]
    return found


def parts(thing):
    if isinstance(thing, np.ndarray):
        return thing.ravel().tolist() if thing.dtype == object else []
    if isinstance(thing, SEQUENCES):
        return thing
    return (thing if isinstance(thing, dict) else fields(thing)).values()


def held(thing):
    return list(thing) if isinstance(thing, SEQUENCES) else dict(thing) if isinstance(thing, dict) else fields(thing)
