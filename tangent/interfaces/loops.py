"""`tangent.lower`: a function whose array expressions are loops over elements."""
import functools
import inspect
import types

import gast
import numpy as np

from tangent.emit import module_cache
from tangent.emit.printer import emit
from tangent.errors import ArgumentTypeError
from tangent.frontend import tree
from tangent.frontend.source import read, unwrap
from tangent.numba import options
from tangent.numba.loops.functions import specialised
from tangent.runtime.functions import extents


def lower(func, *args, apart=True):
    """A function whose arithmetic on slices and whole arrays is written as loops over elements.

    Statements such as `B[1:-1] = 0.5 * (A[:-2] + A[2:])` become `for i in range(1, B.shape[0] - 1): ...`; those that follow
    each other share loops where that changes nothing but the order of sums. How many axes arrays have decides about the
    text, so there is one for each set of types of arguments; a statement of which anything is not known stays as it is.

    Parameters
    ----------
    func : function
        A Python function, or one decorated with `numba.njit`, or a derivative of ours.
    *args
        Arguments of the types that the function is going to be called with. With these the result is a plain function, made
        at once, which `numba.njit` takes.
    apart : bool
        Take the arrays that are given for different memory, where order would matter, and raise an error if they are not.
        False calculates all values of a statement before the first is written, where two arrays may be the same.

    Returns
    -------
    function
        Without `args` the text is made when it is called first; `tangent.source` shows the latest. Of a function compiled by
        Numba it is one that Numba compiles.

    Raises
    ------
    ShapeError
        When called: slices of different lengths meet. (Where a length of 1 would be spread over a longer slice, too.)
    AliasError
        When called: arrays that were taken for different memory share some.

    Notes
    -----
    Order of loops and conditions for sharing them: K. Kennedy and J. R. Allen, Optimizing Compilers for Modern
    Architectures (2001), sections 2.2 (dependence tests), 6.2 (fusion) and 13.3 (array assignments as loops).

    Examples
    --------
    >>> def f(a, b):
    ...     b[1:] = a[:-1] + 1
    ...     return b
    >>> loops = tangent.lower(f, numpy.zeros(3), numpy.zeros(3))
    >>> loops(numpy.zeros(3), numpy.zeros(3))
    array([0., 1., 1.])
    """
    flags = options.flags_of(func)
    plain, instance = unwrap(func)
    if instance is not None:
        raise ArgumentTypeError('tangent.lower takes functions: pass a function that calls the method')
    if args:
        return compiled_as(flags, variant(plain, args, {}, apart))
    if flags is not None:
        loops = functools.partial(specialised, helper=flags.find, divides=flags.divides, apart=apart)
        plain = twin(plain)
        if not flags.cache:
            return flags.compile(plain, functools.partial(loops, plain))
        text = getattr(plain, 'source', None) or undecorated(read(plain))
        return module_cache.single(plain, flags, loops, text, ('lower', apart))
    return Lowered(plain, apart)


def twin(function):
    """A function of its own with the same code, for a dispatcher of its own."""
    made = types.FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__,
                              function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return functools.update_wrapper(made, function)


def undecorated(source):
    """The text of a function, as a file of its own has it."""
    node = tree.replace(source.tree, decorator_list=[], returns=None)
    return emit([node], [source.comments], {}, [{n.lineno for n in tree.walk(node) if isinstance(n, gast.stmt)}])


def compiled_as(flags, function):
    if flags is None:
        return function
    return module_cache.single(function, flags) if hasattr(function, 'source') else flags.compile(function)


class Lowered:
    """A function that is made into loops for the types of its arguments when it is called.

    Attributes
    ----------
    source : str
        The text that was made last.
    by_types : dict
        Types of the arguments -> the function for these.
    """

    def __init__(self, function, apart=True):
        functools.update_wrapper(self, function)
        self.function, self.apart, self.by_types, self.source = function, apart, {}, None

    def __call__(self, /, *args, **keywords):
        kinds = described(self.function, args, keywords)
        found = self.by_types.get(kinds)
        if found is None:
            found = self.by_types[kinds] = variant(self.function, args, keywords, self.apart)
            self.source = inspect.getsource(found) if getattr(found, 'source', None) is None else found.source
        return found(*args, **keywords)


def variant(function, args, keywords, apart):
    """The function for arguments of these types."""
    made = specialised(function, dict(described(function, args, keywords)), lambda name: getattr(extents, name, None),
                       divides=True, apart=apart)
    return function if made is None else made


def text(function, args):
    """The text of a function as Numba compiles it for arguments of these types."""
    plain, _ = unwrap(function)
    if hasattr(plain, 'derived'):
        return str(options.Flags.derived(plain, args).source)
    make = getattr(plain, 'loops', None)
    made = make(dict(described(plain, args, {}))) if make is not None else None
    return str((made or plain).source) if made or hasattr(plain, 'source') else inspect.getsource(plain)


def described(function, args, keywords):
    """(parameter, type) for each argument; see `numba.loops.functions.specialised`."""
    bound = inspect.signature(function).bind(*args, **keywords)
    bound.apply_defaults()
    return tuple((name, of_value(value)) for name, value in bound.arguments.items())


def of_value(x):
    if type(x) is np.ndarray:
        return 'array', x.ndim, x.dtype.name
    if isinstance(x, (bool, int, float, complex, np.number, np.bool_)):
        return 'number', np.dtype(type(x)).name
    return ('tuple', tuple(map(of_value, x))) if type(x) is tuple else None
