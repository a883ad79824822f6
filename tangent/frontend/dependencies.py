"""What something made from the user's program depends on: noted while it is made, asked again before it is used.

    with noting() as notes:
        read(g); resolver(tree of 'tools.h')          g's code and defaults, what `tools` and `tools.h` denote
    g.__code__ = ...
    notes.moved()                                     True

Whatever is read of functions, names and classes while something is made decides about it: all of that is noted by those who
read it, so that nobody has to say what a derivative, or a fact about a class, depends on. Libraries are taken to stay as they
are. Python lets `__code__` be replaced under the same function object: `importlib.reload` makes new functions, but IPython's
`%autoreload 2` puts their code into the old ones, and methods into old classes.
"""
import contextlib
import dis
import functools
import operator
import os
import sys
import threading
import types
import weakref

from tangent.runtime import fields, zeros

OTHERS = os.path.dirname(os.__file__)
HERE = os.path.dirname(os.path.dirname(__file__)) + os.sep
# Packages that others stand on, which have rules or no numbers
FOUNDATIONS = frozenset('''numpy scipy numba llvmlite jax jaxlib torch gast astor pandas xarray dask distributed sparse mpi4py
    matplotlib tqdm joblib pytest _pytest pluggy'''.split())
LIMIT = 4096
PYTHONS = '__dict__', '__weakref__'                     # what Python gives classes itself


class Noting(threading.local):
    """Who takes notes at this moment, innermost last."""

    def __init__(self):
        self.all = []


NOTING = Noting()
AGE = [0]                   # grows whenever something is about to be made: what was remembered before is looked at once again


class Notes:
    """What was read.

    functions : id of a function -> Code
    names : (id of a namespace or of a class, name) -> Name or Held
    cells : id of a cell -> Cell
    classes : class -> Class
    """

    def __init__(self):
        self.functions, self.names, self.cells, self.classes = {}, {}, {}, {}
        self.read: set = set()                            # names in code that `functions` has no more
        self.known = None

    def add(self, other):
        """Take over what another has."""
        if other is self:
            return
        self.functions.update(other.functions)
        self.names.update(other.names)
        self.cells.update(other.cells)
        self.classes.update(other.classes)
        self.read |= other.read
        self.known = None

    def size(self):
        return sum(map(len, (self.functions, self.names, self.cells, self.classes)))

    def without(self, function):
        """The same for any function made of the same code: without that one, and without what its cells hold."""
        found, code = Notes(), function.__code__
        found.add(self)
        found.functions = {k: v for k, v in self.functions.items() if v.code is not code}
        own = {id(cell) for cell in function.__closure__ or ()}
        found.read = self.names_read() if self.classes else set()
        found.cells = {k: v for k, v in self.cells.items() if k not in own}
        return found

    def names_read(self):
        """Names in the code of the functions that were read."""
        return self.read.union(*(code.co_names for known in self.functions.values() for code in codes_of(known.code)))

    def checks(self, whole=False):
        """What is asked to know whether anything has changed; of classes what code that was read names, or the whole."""
        names = None if whole or not self.classes else self.names_read()
        return [*self.functions.values(), *self.names.values(), *self.cells.values(),
                *(known.part(names) for known in self.classes.values())]

    def moved(self, whole=False):
        """Whether anything is not what it was."""
        if self.known is None:
            self.known = self.checks(whole)
        for check in self.known:
            if check.moved():
                return True
        return False


class Code:
    """A function has the code and the defaults that it had."""

    def __init__(self, function):
        self.reference, self.code = weakref.ref(function), function.__code__
        self.defaults, self.kwdefaults = function.__defaults__, function.__kwdefaults__
        self.values = tuple(self.kwdefaults.values()) if self.kwdefaults else None

    def moved(self):
        function = self.reference()
        if function is None:                  # nobody can call it
            return False
        return function.__code__ is not self.code or function.__defaults__ is not self.defaults \
            or function.__kwdefaults__ is not self.kwdefaults \
            or self.values is not None and not same(self.kwdefaults.values(), self.values)

    def terms(self):
        """(what the guard of a derivative compares at sight, what that is) for those that can be."""
        found = [('{0}.__code__ is not {1}', self.reference(), self.code)]
        if self.defaults is not None:
            found.append(('{0}.__defaults__ is not {1}', self.reference(), self.defaults))
        if self.kwdefaults is not None:
            found.append(('{len}({0}.__kwdefaults__ or ()) is not {1}', self.reference(), len(self.values)))
            found += [(f'({{0}}.__kwdefaults__ or {{{{}}}}).get({name!r}, {{0}}) is not {{1}}', self.reference(), value)
                      for name, value in zip(self.kwdefaults, self.values)]
        return found if found[0][1] is not None else []


class Name:
    """A name of a module denotes what it denoted, or something of the same class."""

    def __init__(self, namespace, name, thing, fixed):
        self.namespace, self.name, self.thing, self.fixed = namespace, name, thing, fixed
        self.get = namespace.get

    def moved(self):
        found = self.namespace.get(self.name)
        return (found if self.fixed else type(found)) is not self.thing

    def terms(self):
        found = f'{{0}}({self.name!r})'
        return [(f'{found if self.fixed else f"{{type}}({found})"} is not {{1}}', self.get, self.thing)]


class Cell:
    """A variable of a function around holds what it held, or something of the same class."""

    def __init__(self, cell, thing, fixed):
        self.cell, self.thing, self.fixed = cell, thing, fixed

    def moved(self):
        return self.seen() is not self.thing

    def seen(self):
        """What decides of what it holds; the cell itself where it holds nothing."""
        try:
            found = self.cell.cell_contents
        except ValueError:
            return self.cell
        return found if self.fixed else type(found)

    def terms(self):
        return [('{0}() is not {1}', self.seen, self.thing)]


class Class:
    """A class has the methods and descriptors that it had."""

    def __init__(self, kind, size, mro, methods, codes):
        self.kind, self.size, self.mro, self.methods, self.codes = kind, size, mro, methods, codes
        self.names, self.values = list(methods), list(methods.values())

    @classmethod
    def of(cls, kind):
        with contextlib.suppress(Exception):
            _ = kind.__annotations__             # Python puts that into the class when somebody asks: before it is counted
        methods = {n: v for n, v in vars(kind).items() if is_method(v) and n not in PYTHONS}
        codes = [Code(f) for v in methods.values() for f in functions_of(v)]
        return cls(kind, len(vars(kind)), kind.__mro__, methods, codes)

    def part(self, names):
        """What is asked where code reads these names: of methods of these names, and of special ones, which they are."""
        if names is None:
            return self
        methods = {n: v for n, v in self.methods.items() if n in names or n.startswith('__')}
        return Class(self.kind, self.size, self.mro, methods, ())

    def moved(self):
        held = vars(self.kind)
        return len(held) != self.size or self.kind.__mro__ is not self.mro \
            or not all(map(operator.is_, map(held.get, self.names), self.values)) \
            or any([code.moved() for code in self.codes])

    def terms(self):
        if self.codes or type(self.kind) is not type:
            return []
        found = [('{0}.__mro__ is not {1}', self.kind, self.mro), ('{len}({0}.__dict__) != {1}', self.kind, self.size)]
        return found + [(f'{{0}}.__dict__.get({name!r}) is not {{1}}', self.kind, value)
                        for name, value in self.methods.items()]


class Held:
    """A class has for an attribute what it had."""

    def __init__(self, kind, name, value):
        self.kind, self.name, self.value = kind, name, value

    def moved(self):
        return getattr(self.kind, self.name, None) is not self.value

    def terms(self):
        return []


def same(left, right):
    return len(left) == len(right) and all(map(operator.is_, left, right))


def is_method(value):
    return callable(value) or hasattr(type(value), '__get__')


def functions_of(value):
    """The functions of a method, a property or its like."""
    found = [value, *(getattr(value, name, None) for name in ('__func__', 'fget', 'fset', 'func', '__wrapped__'))]
    return [f for f in found if isinstance(f, types.FunctionType)]


# Noting

@contextlib.contextmanager
def noting(notes=None):
    """Notes of what is read in the block, or the given ones with that; who noted before has these, too."""
    notes = Notes() if notes is None else notes
    NOTING.all.append(notes)
    try:
        yield notes
    finally:
        NOTING.all.pop()
        if NOTING.all:
            NOTING.all[-1].add(notes)


def current():
    """The notes that are being taken, or None."""
    return NOTING.all[-1] if NOTING.all else None


def note(function):
    """The text of a function is read. For one of ours that is what it was made of."""
    notes = current()
    if notes is None or not isinstance(function, types.FunctionType):
        return
    inherited = function.__dict__.get('notes')
    if inherited is not None:
        notes.add(inherited)
    elif 'source' not in function.__dict__ and not stays(function.__code__.co_filename):
        notes.functions.setdefault(id(function), Code(function))
        notes.known = None


def note_name(namespace, name, thing):
    """A name is looked up, of a module of the user's: where it denotes what may be called, a derivative is made for that; of
    another object its class decides."""
    notes = current()
    if notes is not None and (fixed := is_fixed(thing)) is not None and not stays(namespace.get('__file__') or ''):
        notes.names.setdefault((id(namespace), name), Name(namespace, name, thing if fixed else type(thing), fixed))
        notes.known = None


def note_data(namespace, name, thing):
    """A name of a module or class denotes data: an object may stand there later."""
    notes = current()
    if notes is not None and not stays(namespace.get('__file__') or ''):
        notes.names.setdefault((id(namespace), name), Name(namespace, name, type(thing), False))
        notes.known = None


def note_cell(cell, thing):
    notes = current()
    if notes is not None and (fixed := is_fixed(thing)) is not None:
        notes.cells.setdefault(id(cell), Cell(cell, thing if fixed else type(thing), fixed))
        notes.known = None


def is_fixed(thing):
    """Whether a derivative is made for the very thing that a name denotes, or for its class; None where for neither."""
    if isinstance(thing, types.ModuleType):
        return True if may_change(thing) else None
    if (getattr(thing, '__module__', None) or '').startswith('tangent.'):
        return None
    if isinstance(thing, functools.partial) or not isinstance(thing, type) and is_users_class(type(thing)):
        return False                                  # what it does is found when running: a loop may make it anew each time
    return True if callable(thing) else None


def note_classes(kinds):
    notes = current()
    if notes is not None:
        every = {k for kind in kinds for k in kind.__mro__ if is_users_class(k)}
        notes.classes.update({k: Class.of(k) for k in every - notes.classes.keys()})
        notes.known = None


def note_held(kind, name):
    """What a class has for an attribute is read off it."""
    notes = current()
    if notes is not None:
        notes.names.setdefault((id(kind), name), Held(kind, name, getattr(kind, name)))
        notes.known = None


def note_all(other):
    """What was made before, of what `other` says, is used."""
    notes = current()
    if notes is not None and other is not None:
        notes.add(other)


def remembered(function):
    """A cache for what a function tells of classes and functions: it is asked again where these have changed."""
    known = {}

    @functools.wraps(function)
    def recalled(*args):
        entry = known.get(args)
        if entry is None or entry[1] != AGE[0] and entry[2].moved(whole=True):
            with noting() as notes:
                note_given(args)
                value = function(*args)
            if len(known) >= LIMIT:
                known.clear()
            known[args] = value, AGE[0], notes
            return value
        if entry[1] != AGE[0]:
            known[args] = entry = entry[0], AGE[0], entry[2]
        note_all(entry[2])
        return entry[0]
    return recalled


def note_given(args):
    for arg in args:
        if isinstance(arg, type):
            note_classes([arg])
        elif isinstance(arg, types.FunctionType):
            note(arg)
        elif isinstance(arg, (frozenset, tuple)):
            note_given(arg)


def forget():
    """Let go of what the run time knows of classes: one of them may have changed."""
    for known in (fields.is_scalar_kind, fields.is_object_type, fields.updates_in_place, fields.slots, zeros.is_objects):
        known.cache_clear()


def begun():
    """Something is about to be made: programs may have changed since."""
    AGE[0] += 1


# What may change

def is_users_class(kind):
    """Whether a class is neither made in C nor one of an installed package."""
    return bool(kind.__flags__ & 1 << 9) and not is_installed(path_of(sys.modules.get(kind.__module__))) \
        and not kind.__module__.startswith(('tangent.', 'numpy', 'builtins.'))


def may_change(module):
    """Whether functions of a module may be replaced: it is neither Python's nor an installed package's."""
    name = module.__name__.partition('.')[0]
    return name not in sys.stdlib_module_names and name != 'tangent' and not is_installed(path_of(module))


def is_users_module(module):
    """Whether it is a module that is neither of the standard library nor installed."""
    path = path_of(module)
    return bool(path) and not is_installed(path) and not module.__name__.startswith('tangent')


def codes_of(code):
    """The code of a function, and of those inside it."""
    found = [code]
    for each in found:
        found += [c for c in each.co_consts if isinstance(c, types.CodeType)]
    return found


@functools.lru_cache(maxsize=1024)
def loaded(code):
    """Names that a piece of code reads as globals, in order: not those of attributes. A code never changes."""
    return tuple(dict.fromkeys(i.argval for i in dis.get_instructions(code) if i.opname in ('LOAD_GLOBAL', 'LOAD_NAME')))


def path_of(module):
    return getattr(module, '__file__', None) or ''


def stays(path):
    """Whether what stands in a file stays as it is."""
    return is_installed(path) or path.startswith(HERE)


def is_foundation(path):
    """Whether a file is one of the standard library, or of a package that others stand on: its classes have no code that a
    derivative follows. Those of other packages are like the user's."""
    _, packages, inner = path.rpartition('site-packages' + os.sep)
    return inner.partition(os.sep)[0] in FOUNDATIONS if packages else path.startswith(OTHERS)


def is_installed(path):
    """Whether a file is one of the standard library or of an installed package."""
    return path.startswith(OTHERS) or 'site-packages' in path
