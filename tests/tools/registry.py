"""Where the programs of the corpus register, and the numbers in their arguments, whatever holds these."""
import copy
import dataclasses
import importlib
from fractions import Fraction

import numpy as np

MODULES = '''python.closures python.functions python.control python.comprehensions python.containers python.objects python.library
    python.inplace python.aliases python.effects kernels.kernels_linear kernels.kernels_stencils kernels.kernels_solvers
    python.simulations python.models changed.updates changed.lent changed.made
    changed.rows changed.heaps changed.mixed changed.variadic changed.yielded changed.taken changed.layers
    changed.parts changed.held changed.handed'''.split()
ENTRIES = []
OTHERS = set()                 # programs that have the log form where kinds are known


@dataclasses.dataclass(frozen=True)
class Entry:
    """A program: its function, what makes its arguments, the positions that are differentiated, what it shows.

    smooth : False for results that complex numbers or differences cannot follow to the last digits
    """
    name: str
    function: object
    make: object
    wrt: tuple
    feature: str
    tolerance: float = 1e-6


def program(feature, *args, make=None, wrt=None, tolerance=1e-6):
    """A decorator that registers a function with arguments (or a function that makes them) and leaves it as it is."""
    make = make or (lambda: copy.deepcopy(args))

    def register(function):
        asked = wrt
        if asked is None:
            asked = tuple(k for k, a in enumerate(make()) if any(True for _ in leaves(a)))
        module = function.__module__.rpartition('.')[2]
        ENTRIES.append(Entry(f'{module}.{function.__name__}', function, make, asked, feature, tolerance))
        return function
    return register


def other(function):
    """A decorator that notes of a program that it has the log form where kinds are known, and leaves it as it is."""
    OTHERS.add(function)
    return function


def entries():
    """All entries, in the order of the modules, whichever was imported first."""
    for module in MODULES:
        importlib.import_module(f'tests.corpora.{module}')
    order = [module.rpartition('.')[2] for module in MODULES]
    return sorted(ENTRIES, key=lambda entry: order.index(entry.name.partition('.')[0]))


def changes(entry):
    """Whether an entry is one of `tests/corpora/changed`."""
    return entry.function.__module__.startswith('tests.corpora.changed.')


# Leaves: (path, value) for every number and array of numbers in a value. A path is a tuple of steps, each '.name' or a key.

def leaves(value, path=(), above=()):
    """(path, leaf) for each float, complex, Fraction or array of these in a value; ints are counters, not leaves."""
    if is_leaf(value):
        yield path, value
    elif any(value is v for v in above):
        return
    else:
        for step, part in parts(value):
            yield from leaves(part, path + (step,), above + (value,))


def is_leaf(value):
    if isinstance(value, np.ndarray):
        return value.dtype.kind in 'fc'
    return isinstance(value, (float, complex, np.floating, np.complexfloating, Fraction))


def parts(value):
    """(step, part) for what a value holds."""
    if isinstance(value, dict):
        return [(('item', k), v) for k, v in value.items()]
    if isinstance(value, (list, tuple)):
        return [(('item', k), v) for k, v in enumerate(value)]
    if isinstance(value, type) or callable(value) and not hasattr(value, '__dict__') or isinstance(value, type(copy)):
        return []
    names = list(getattr(value, '__dict__', ()))
    names += [n for kind in type(value).__mro__ for n in getattr(kind, '__slots__', ()) if hasattr(value, n)]
    return [(('attr', n), getattr(value, n)) for n in dict.fromkeys(names) if n not in ('__dict__', '__weakref__')]


def get(value, path):
    for kind, key in path:
        value = getattr(value, key) if kind == 'attr' else value[key]
    return value


def put(value, path, leaf):
    """The value with another leaf at the end of the path: the same object, changed, unless it cannot change."""
    if not path:
        return leaf
    (kind, key), *rest = path
    new = put(getattr(value, key) if kind == 'attr' else value[key], rest, leaf)
    if kind == 'attr':
        object.__setattr__(value, key, new)
    elif isinstance(value, tuple):
        items = list(value)
        items[key] = new
        return type(value)(*items) if hasattr(value, '_fields') else tuple(items)
    else:
        value[key] = new
    return value


def shown(path):
    return ''.join(f'.{key}' if kind == 'attr' else f'[{key!r}]' for kind, key in path)
