"""A module `cupy` over the strict array: CuPy's names, and NumPy's numbers behind them, where there is no GPU.

    with fake_cupy.installed() as cupy:
        cupy.sum(cupy.asarray(x))

Functions take arrays of the device and plain numbers and refuse arrays of the host. `cupy.asarray` and `cupy.asnumpy`
move data because they are asked to. `cupy.fuse` runs the function as it is, and notes that it did.
"""
import contextlib
import functools
import importlib
import sys
import types

import numpy as np

from tangent.interfaces.tools.cupy_names import LACKING, SCIPY
from tests.tools.strict_array import Counter, Strict, called, check_keywords, inner, outer

MAKERS = frozenset('zeros ones empty full arange linspace eye identity logspace tri indices'.split())
SUBMODULES = ('linalg', 'fft')
OF_SCIPY = ('special', 'fft')              # the modules of cupyx.scipy of which the table of its functions speaks


def _function(name, function):
    @functools.wraps(function)
    def on_device(*args, **keywords):
        check_keywords(name, keywords)
        if not any(map(is_strict, [*args, *keywords.values()])) and name not in MAKERS:
            args = tuple(np.asarray(a) if isinstance(a, (int, float, complex, np.generic)) else a for a in args[:1]) + args[1:]
            return outer(function(*inner(args, True), **inner(keywords)))
        return called(function, args, keywords, name)
    on_device.__module__, on_device.__name__, on_device.__qualname__ = 'cupy._fake', function.__name__, function.__name__
    del on_device.__wrapped__
    return on_device


def is_strict(value):
    return isinstance(value, Strict) or isinstance(value, (list, tuple)) and any(map(is_strict, value))


class InC:
    """A method as those written in C are, which have no source."""

    def __init__(self, function):
        self.function = function

    def __get__(self, owner, kind=None):
        return self if owner is None else functools.partial(self.function, owner)


class ufunc:
    """A ufunc of CuPy's: no attribute of it says where it comes from."""

    __module__ = 'cupy._core._kernel'

    def __init__(self, of):
        self.of, self.__name__ = of, of.__name__

    @InC
    def __call__(self, *args, **keywords):
        if any(isinstance(a, (list, tuple)) for a in args):
            raise TypeError(f'Unsupported type {list}')
        out = keywords.pop('out', None)
        keywords = {**keywords, **({} if out is None else {'out': inner(out)})}
        found = self.of(*inner(args), **inner(keywords))
        return out if isinstance(out, Strict) else outer(found)

    def reduce(self, array, *args, **keywords):
        return outer(self.of.reduce(inner(array), *args, **keywords))

    def accumulate(self, array, *args, **keywords):
        return outer(self.of.accumulate(inner(array), *args, **keywords))

    def outer(self, a, b):
        return outer(self.of.outer(inner(a), inner(b)))

    def at(self, array, *args):
        self.of.at(inner(array), *inner(args))


def asarray(a, dtype=None, order=None):
    """To the device, as asked for."""
    if isinstance(a, Strict):
        return a if dtype is None else a.astype(dtype)
    Counter.moves += 1
    return Strict(np.array(a._inner if isinstance(a, Strict) else inner(a, True), dtype=dtype))


def array(object, dtype=None, copy=True, order='K', subok=False, ndmin=0):
    return Strict(np.array(inner(object, True), dtype=dtype, ndmin=ndmin))


def asnumpy(a, stream=None, order='C'):
    """To the host, as asked for."""
    return a.get() if isinstance(a, Strict) else np.asarray(a)


def get_array_module(*args):
    return sys.modules['cupy'] if any(isinstance(a, Strict) for a in args) else np


FUSED = []                  # the functions that were fused, and with what they were called


def fuse(*args, **options):
    """As `cupy.fuse`: a decorator, with or without options."""
    if args and callable(args[0]):
        @functools.wraps(args[0])
        def fused(*values):
            FUSED.append((args[0].__name__, values))
            return args[0](*values)
        return fused
    return lambda function: fuse(function)


class Place:
    """A device or a stream, as far as it is a context: what has been entered is noted."""

    entered: list = []

    def __init__(self, *args, **options):
        self.args = args

    @InC
    def __enter__(self):
        self.entered.append((type(self).__name__, *self.args))
        return self

    @InC
    def __exit__(self, *exception):
        return None

    @InC
    def synchronize(self):
        return None


def _fill(module, source, prefix=''):
    for name in dir(source):
        thing = getattr(source, name)
        if name.startswith('_') or f'{prefix}{name}' in LACKING:
            continue
        if isinstance(thing, np.ufunc):
            setattr(module, name, ufunc(thing))
        elif callable(thing) and not isinstance(thing, type):
            setattr(module, name, _function(f'{prefix}{name}', thing))
        elif isinstance(thing, (int, float, np.dtype)) or isinstance(thing, type) and issubclass(thing, np.generic):
            setattr(module, name, thing)


def made():
    """The module, with its submodules."""
    cupy = types.ModuleType('cupy')
    _fill(cupy, np)
    for name in SUBMODULES:
        inside = types.ModuleType(f'cupy.{name}')
        _fill(inside, getattr(np, name), f'{name}.')
        setattr(cupy, name, inside)
    cupy.cuda = types.ModuleType('cupy.cuda')
    for place in ('Device', 'Stream'):
        setattr(cupy.cuda, place, type(place, (Place,), {'__module__': 'cupy.cuda'}))
    cupy.newaxis, cupy.ndarray, cupy.__version__ = None, Strict, 'fake'
    for own in (asarray, array, asnumpy, get_array_module, fuse):
        setattr(cupy, own.__name__, own)
        own.__module__ = 'cupy._fake'
    return cupy


def scipy_made():
    """The modules of `cupyx`, as far as SciPy is installed."""
    try:
        scipy = importlib.import_module('scipy')
    except ImportError:
        return {}
    cupyx, own = types.ModuleType('cupyx'), types.ModuleType('cupyx.scipy')
    cupyx.scipy, found = own, {'cupyx': cupyx, 'cupyx.scipy': own}
    for name in OF_SCIPY:
        source, inside = importlib.import_module(f'{scipy.__name__}.{name}'), types.ModuleType(f'cupyx.scipy.{name}')
        for word in dir(source):
            if f'{name}.{word}' in SCIPY:
                thing = getattr(source, word)
                setattr(inside, word, ufunc(thing) if isinstance(thing, np.ufunc) else _function(f'{name}.{word}', thing))
        setattr(own, name, inside)
        found[f'cupyx.scipy.{name}'] = inside
    return found


@contextlib.contextmanager
def installed():
    """Meanwhile `import cupy` and `import cupyx.scipy.special` give the fake ones."""
    from tangent.frontend import array_modules
    from tangent.templates.language import registry
    names = [n for n in sys.modules if n.partition('.')[0] in ('cupy', 'cupyx') or n == 'tangent.templates.numpy.cupy']
    before = {n: sys.modules.pop(n) for n in names}
    cupy = made()
    extra = scipy_made()
    sys.modules.update({'cupy': cupy, **{f'cupy.{n}': getattr(cupy, n) for n in SUBMODULES}, **extra})
    array_modules._functions.cache_clear()
    array_modules._moved.clear()
    try:
        yield cupy
    finally:
        for n in ('cupy', 'tangent.templates.numpy.cupy', *(f'cupy.{m}' for m in SUBMODULES), *extra):
            sys.modules.pop(n, None)
        sys.modules.update(before)
        array_modules._functions.cache_clear()
        array_modules._moved.clear()
        registry.Registry.changes += 1

