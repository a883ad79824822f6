"""Which classes take part in what a function does: those of the objects that it is given and of those that its text, or that of
what it calls, can name.

A class takes part if its objects mean something of their own by operators, methods or attributes that the text of a derivative
would take for those of numbers and arrays. Records, whose attributes are all there is to them, take no part: texts handle them
as they are.
"""
import collections
import collections.abc
import contextlib
import functools
import os
import sys
import threading
import types
import weakref

import numpy as np

from tangent.analysis.kinds.classes import Far, answering, contents, implicit, is_arraylike, is_filled, is_users
from tangent.analysis.kinds.special import OPERATORS
from tangent.errors import ArgumentTypeError
from tangent.frontend.array_modules import counterpart, is_autograd
from tangent.frontend.dependencies import (
    FOUNDATIONS,
    codes_of,
    is_installed,
    is_users_module,
    note_classes,
    path_of,
    remembered,
)
from tangent.frontend.resolve import owner, stands_for_module
from tangent.frontend.source import classes_inside, original
from tangent.runtime import facts
from tangent.runtime.add import SUMMED
from tangent.runtime.array_api import is_other_array
from tangent.runtime.facts import Later, Lazy
from tangent.runtime.objects import function_of
from tangent.templates.language import registry

PLAIN = frozenset([int, float, bool, complex, str, bytes, type(None), type(...), range, slice, np.dtype, np.ndarray,
                   types.BuiltinFunctionType, types.ModuleType, np.ufunc, *np.sctypeDict.values()])
SIMPLE = PLAIN - {np.ndarray}
FUNCTIONS = types.BuiltinFunctionType, np.ufunc
CONTAINERS = list, tuple, set, frozenset, collections.deque
COMPUTING = frozenset('getattr attrgetter methodcaller getmembers vars __dict__ dir eval exec'.split())
ANY = '*'
MOST = 150                   # classes that take part; those that are met behind so many are not read, see `classes.Far`
PLAIN_BASES = frozenset(['builtins', 'abc', 'typing', 'collections.abc'])          # which call none but special methods
ENGINES = 'dask', 'distributed', 'autograd'       # which run what they are given, and hold no numbers themselves
PYTHONS = sys.stdlib_module_names - {'collections', 'builtins'}                     # what `exec` defines is of `builtins`
TABLES = frozenset('pandas xarray astropy pint unyt torch jax tensorflow polars'.split())      # modules that make such arrays
SILENT = frozenset(f'__{n}__' for n in (
    'init new post_init init_subclass repr str eq ne hash del reduce reduce_ex getstate setstate getnewargs getnewargs_ex '
    'sizeof format dir copy deepcopy replace class_getitem').split())


class Overridden:
    """Takes part where a method need not be what classes define: an object has a function of its own under its name, or a class
    makes attributes up, or there are objects that nobody has looked at."""


class Others:
    """Takes part where arrays of other libraries are at hand, whose operations are not those of NumPy's by the same names."""


class Told:
    """Takes part where gradients are of a class for which somebody has registered how these are added."""


class Running(threading.local):
    """The classes that take part in the call of a derivative that is running."""
    classes: frozenset = frozenset()


RUNNING = Running()


def of_call(function):
    """The classes that take part in a function that is found while a derivative runs."""
    written = 'source' in function.__dict__ and not hasattr(function, 'carried')       # by us, and none in it
    if facts.in_library(function) or written:
        around = around_wrappers(function)
        if around:
            return taking_part(around, RUNNING.classes)
        return RUNNING.classes if stands_for_users(function) else frozenset()
    found = taking_part([function], RUNNING.classes)
    alone = [kind for kind in owner(function) if not any(issubclass(other, kind) for other in found)]
    return taking_part([function, *alone], RUNNING.classes) if alone else found


def around_wrappers(function):
    """The callables such as `checkpoint(f)` that a function calls which is written around one."""
    names = function.__globals__
    if 'source' not in function.__dict__ or facts.home(function) not in ('tangent', 'functions_with_rules'):
        return []
    return [held for held in names.values() if hasattr(type(held), 'wraps_function')]


def stands_for_users(function):
    """Whether it stands for what runs code of the user's classes: a special method, a property (see `dispatch.operators`)."""
    names = function.__globals__
    return names.get('__name__') == 'objects' and (
        any(n.startswith('__') for n in function.__code__.co_names)
        or any(isinstance(names.get(n), types.FunctionType) for n in ('made', 'fget', 'fset', 'method')))


def taking_part(things, others=frozenset()):
    """The classes that take part where these values are handled: of objects in them, and of what functions in them name.

    None at all where there are but records; with one that is more than that, all of them.

    others : classes that take part besides: what reads a method of theirs may stand in the things, and the other way round
    """
    scan = Scan([*things, *others])
    note_classes(scan.kinds)
    found = closed(frozenset(scan.kinds), frozenset(scan.names), frozenset(scan.functions), scan.unseen)
    return found.union(scan.marks, others)


@remembered
def closed(kinds, names, functions, unseen):
    """The same for what a Scan has found."""
    found = frozenset(Scan(kinds, names).kinds)
    if Far not in found and not any(map(takes_part, found)):
        return frozenset([Overridden]) if unseen else frozenset()
    unsure = unseen or Far in found \
        or any(name in vars(k) for kind in found for k in kind.__mro__ for name in (*functions, '__getattr__')) \
        or any(isinstance(kind.__getattribute__, types.FunctionType) for kind in found)
    return found | {Overridden} if unsure else found


class Scan:
    """Goes through values and all that they hold or name.

    Where names are given, methods of the classes are gone through, too: special ones, and those under names that anything
    reads which was gone through. `Pose.plot` draws by what hundreds of classes define; where nobody plots, none takes part.

    kinds : the classes that were met
    names : those of variables and attributes that functions read, and texts that may be such; ANY where functions of the user's
        own may read them by names that they compute
    functions : names of attributes of objects that hold functions
    unseen : whether there is what might give any object, and is not looked into: an iterator, a weak reference
    marks : Others where there is an array of another library, or a library that has such; Lazy where there is one of Dask's,
        Later where there is a task of its; Told where gradients are added as somebody has registered
    """

    def __init__(self, things, names=None):
        self.kinds, self.functions, self.unseen, self.marks = set(), set(), False, set()
        self.names, self.inner = set(names or ()), names is not None
        self.waiting = {}                # name -> (class, what it has under that) while nothing reads it
        self.seen, pending = set(), list(things)
        while pending:
            near = frozenset(self.kinds)
            pending = [part for thing in pending for part in self.parts(thing)]
            if self.inner and len(self.kinds) > MOST:
                self.kinds, pending = {*near, Far}, ()

    def parts(self, thing):
        """What a value holds or names, if it has not been gone through."""
        if type(thing) in SUMMED:
            self.marks.add(Told)
        parts = way_of(type(thing))
        if parts is None or id(thing) in self.seen:
            return ()
        self.seen.add(id(thing))
        return parts(self, thing)

    def of_array(self, thing):
        return thing.ravel().tolist() if thing.dtype.hasobject and thing.dtype.names is None else ()

    def of_container(self, thing):
        return () if SIMPLE.issuperset(map(type, thing)) else thing

    def of_dict(self, thing):
        return [*thing, *thing.values()]

    def of_type(self, kind):
        if is_arraylike(kind) and is_of_the_user(kind):
            refuse_arraylike(kind)
        if not of_python(kind) or kind in self.kinds:
            return ()
        self.kinds.add(kind)
        if not self.inner:
            return ()
        found, every = [], is_called_by_bases(kind) or ANY in self.names and is_of_the_user(kind)
        matched = getattr(kind, '__match_args__', ())                  # which `case Pose(x)` reads
        for name, held in methods_of(kind):
            if every or name.startswith('__') or name in self.names or name in matched:
                found.append(held)
            else:
                self.waiting.setdefault(name, []).append((kind, held))
        return found

    def of_partial(self, thing):
        return [thing.func, *thing.args, *thing.keywords.values()]

    def of_method(self, thing):
        return [thing.__func__, thing.__self__]

    def of_function(self, thing):
        names, found = of_function(thing)
        if not names.isdisjoint(COMPUTING) and is_of_the_user(thing):
            names |= {ANY}
        fresh = names - self.names
        self.names |= fresh
        read = [held for name in fresh & self.waiting.keys() for _, held in self.waiting.pop(name)]
        if ANY in fresh:
            read += [held for each in self.waiting.values() for kind, held in each if is_of_the_user(kind)]
        return found + read

    def of_cached(self, thing):
        return [thing.__wrapped__]

    def of_wrapper(self, thing):
        return [thing.function, *registry.passes(thing)]

    def of_other(self, thing):
        self.marks.add(Others)
        return ()

    def of_lazy(self, thing):
        self.marks.add(Lazy if type(thing).__module__.startswith('dask.array.') else Later)
        return ()

    def of_module(self, thing):
        if thing.__name__ == 'dask.array':
            self.marks.add(Lazy)
        if thing.__name__.partition('.')[0] in TABLES:
            self.marks.add(Others)
        return ()

    def of_unseen(self, thing):
        self.unseen = True
        return ()

    def of_object(self, thing):
        kind = type(thing)
        held = {name: getattr(thing, name, None) for name in slots_of(kind)}
        with contextlib.suppress(AttributeError):                      # whatever `__getattribute__` of its class says
            held.update(object.__getattribute__(thing, '__dict__'))
        for name, value in held.items():
            if type(value) not in PLAIN and callable(value) or type(value) in FUNCTIONS:
                self.functions.add(name)
        return [*self.of_type(kind), *held.values(), *items_of(thing)]


PARTS = [((*CONTAINERS,), Scan.of_container), ((dict,), Scan.of_dict), ((functools.partial,), Scan.of_partial),
         ((types.MethodType,), Scan.of_method), ((types.FunctionType,), Scan.of_function),
         ((type(functools.lru_cache(len)),), Scan.of_cached), ((staticmethod, classmethod), Scan.of_cached),
         ((types.MappingProxyType, weakref.ref, collections.abc.Iterator, collections.abc.MappingView), Scan.of_unseen)]


@functools.lru_cache(maxsize=4096)
def way_of(kind):
    """How the parts of values of a class are found; None where they have none."""
    if is_other_arithmetic(kind):
        raise ArgumentTypeError(
            f'{kind.__name__} is a kind of {kind.__mro__[-2].__name__} whose operators are code of its own, which a '
            'derivative would not follow: pass plain numbers and arrays, or write a class that holds one')
    if kind is np.ndarray:
        return Scan.of_array
    if is_arraylike(kind) and is_of_the_user(kind):
        refuse_arraylike(kind)
    if kind is types.ModuleType:
        return Scan.of_module
    if kind in SIMPLE:
        return None
    if facts.home(kind) in ENGINES[:2]:
        return Scan.of_lazy
    if hasattr(kind, 'wraps_function'):
        return Scan.of_wrapper
    if is_other_array(kind):
        return Scan.of_other
    if issubclass(kind, type):
        return Scan.of_type
    if of_python(kind) or kind is types.SimpleNamespace:
        return Scan.of_object
    return next((parts for kinds, parts in PARTS if issubclass(kind, kinds)), None)


@functools.lru_cache(maxsize=4096)
def is_called_by_bases(kind):
    """Whether a class stands on one of Python's own that calls methods under names of its choice: `run` of a thread."""
    return any(not of_python(k) and k.__module__ not in PLAIN_BASES for k in kind.__mro__)


def methods_of(kind):
    """(name, value) of what a class and those that it inherits from define: functions of methods, and what objects share."""
    found = [(name, held.func if isinstance(held, functools.cached_property) else function_of(held))
             for k in kind.__mro__ if of_python(k) for name, held in vars(k).items()]
    return [(name, f) for name, f in found if not isinstance(f, (types.GetSetDescriptorType, types.MemberDescriptorType, str))]


@functools.lru_cache(maxsize=4096)
def of_python(kind):
    """Whether a class is one of the user's, or of a package's, that may hold numbers: paths and dates of Python's do not, and
    what is but asked for by `isinstance(x, collections.abc.KeysView)` neither."""
    return is_users(kind) and kind.__module__ != 'collections.abc' and facts.home(kind) not in {*PYTHONS, *ENGINES}


@functools.lru_cache(maxsize=4096)
def is_other_arithmetic(kind):
    """Whether a class of the user's is a kind of number or array that means something else by `*` and the like."""
    names = {f'__{prefix}{n}__' for n in OPERATORS.values() for prefix in ('', 'r')}
    return issubclass(kind, (float, int, complex, np.ndarray, np.generic)) and any(
        isinstance(vars(k).get(n), types.FunctionType) for k in kind.__mro__ if is_of_the_user(k) for n in names)


def refuse_arraylike(kind):
    code = getattr(kind, '__array__', None) or kind.__array_ufunc__
    place = f'{os.path.basename(code.__code__.co_filename)}:{code.__code__.co_firstlineno}'
    raise ArgumentTypeError(
        f'{place}: {kind.__name__} tells NumPy by __array__ or __array_ufunc__ what array it is, by code that a '
        'derivative would not follow: leave that out, and hand the array that it holds to functions of NumPy')


def is_of_the_user(kind):
    return facts.home(kind) not in PYTHONS and not is_installed(path_of(sys.modules.get(kind.__module__)))


@remembered
def takes_part(kind):
    """Whether objects of a class mean anything of their own by what is done with them."""
    methods, computed, fields = contents(kind)
    return bool(computed or methods - SILENT or implicit(kind) or answering((kind,)) & {'eq', 'ne'}
                or any(registry.attribute(n) is not None for n in fields))


@functools.lru_cache(maxsize=4096)
def slots_of(kind):
    return [n for k in kind.__mro__ for n, held in vars(k).items() if isinstance(held, types.MemberDescriptorType)]


def items_of(thing):
    """The elements of an object whose class is one of containers, whatever its `__iter__` gives."""
    if isinstance(thing, dict):
        return [*dict.keys(thing), *dict.values(thing)]
    kind = next((kind for kind in CONTAINERS if isinstance(thing, kind)), None)
    return () if kind is None else list(kind.__iter__(thing))


def of_function(function):
    """(names that a function reads, what its text can name), and what it is that the text of a wrapper is around, or that of a
    derivative of; what a function of ours has captured, as `vmap(f)` has `f`."""
    inner = [getattr(function, n, None) for n in ('py_func', '__wrapped__')]
    inner += [held.func for held in (vars(function).get('variants'),) if held is not None]
    if is_autograd(function) and counterpart(function) is not function:
        return frozenset(), [counterpart(function)]
    function = original(function)
    if facts.in_library(function) or registry.lookup(function) is not None or registry.custom(function) is not None:
        return frozenset(), inner + (captured(function) if facts.home(function) == 'tangent' else [])
    codes = codes_of(function.__code__)
    names = {n for code in codes for n in code.co_names}
    constants = [c for code in codes for held in code.co_consts for c in (held if isinstance(held, tuple) else (held,))]
    return names.union(text for text in constants if isinstance(text, str)), inner + named(function, names)


def captured(function):
    return [cell.cell_contents for cell in function.__closure__ or () if is_filled(cell)]


def named(function, names):
    """What the names and attributes in the code of a function denote, those in functions inside it among them."""
    found = [function.__globals__[n] for n in names if n in function.__globals__]
    found += captured(function)
    found += classes_inside(function).values()
    found += [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), *vars(function).values()]
    found += [sys.modules[n] for n in names if n in sys.modules]                    # imported inside the function
    others = [m for m in found if stands_for_module(m)]
    found = [m for m in found if not any(m is other for other in others)] + [
        held for m in others for n in names if (held := attribute(m, n)) is not type(m)]
    modules = [m for m in found if isinstance(m, types.ModuleType)]
    for m in modules:                                                       # `package.module.Class`: by modules in modules
        held = [vars(m)[n] for n in names if n in vars(m)] if may_define(m) else []
        modules += [h for h in held if isinstance(h, types.ModuleType) and not any(h is m for m in modules)]
        found += held
    return found


def attribute(owner, name):
    """What an object that stands for a module has by a name; None where it has nothing, or says so by another error."""
    with contextlib.suppress(Exception):
        return getattr(owner, name)
    return None


def may_define(module):
    """Whether a module is of the user's, or of a package whose classes take part as the user's do."""
    home = module.__name__.partition('.')[0]
    return is_users_module(module) or home not in PYTHONS | TABLES | FOUNDATIONS | {'builtins', 'collections', 'tangent'}
