"""What is known of functions beside their derivatives: one record each, noted where they are declared, asked by everybody.

    @helper(elementwise=True, numba=in_numba)                    # beside a function of the run time
    def slope(x): ...

    note('unbroadcast(b, x)', like='x', view='b')                # the same by name: positions are said by names of parameters
    note('zeros ones empty', fresh=True)                         # of several at once
    note((list, tuple), takes='now')                             # Python's own: the very functions, as names may be bound anew

Emitted texts name functions, and so do rules: `of('np.tanh')` finds a record by the last part of a name, `of(numpy.tanh)`
by the function. What nobody has noted is `NOTHING`, of which nothing is known. The records of functions that others wrote
are noted in `templates/`, those of Python's own in `templates/python/functions.py`, of methods in `mutations.py` beside it.
"""
import dataclasses
import inspect
import sys
import types

import numpy as np

# Where the functions are that texts call by their names: the first that has the name is meant
RUN_TIME = tuple('tangent.' + name for name in '''
    runtime.api runtime.functions.containers runtime.functions.elementwise runtime.functions.real
    runtime.functions.numpy.products runtime.functions.numpy.numeric runtime.functions.lists runtime.functions.custom
    runtime.functions.numpy.statistics runtime.functions.numpy.arrays runtime.functions.numpy.pad runtime.functions.numpy.linalg
    runtime.functions.numpy.fourier runtime.functions.numpy.polynomials runtime.tangents.zeros runtime.tangents.called
    runtime.tangents.yielded runtime.tangents.contexts runtime.tangents.thrown
    runtime.functions.numbers eventlog.shadow.gradients
    eventlog.shadow.values driver.dispatch.log_calls eventlog.shadow.iterators eventlog.shadow.methods
    eventlog.shadow.operators runtime.captures
    driver.dispatch.reverse driver.dispatch.forward driver.dispatch.operators runtime.functions.second
    runtime.functions.numpy.ufuncs runtime.functions.numpy.series checkpoint.checkpointed persistent.gradient
    interfaces.solvers.implicit interfaces.solvers.ode interfaces.solvers.integrals interfaces.solvers.mixed_mode
    runtime.tangents.batched runtime.tangents.conversions runtime.nan_safe runtime.array_api cuda.cupy_kernels
    runtime.functions.bases runtime.functions.rows runtime.functions.trees'''.split())
IN_COMPLEX = 'tangent.runtime.functions.complex'                # looked up first for derivatives in complex form
LAZILY = 'tangent.runtime.functions.parallel.chunks'            # looked up first beside arrays in chunks
FORMS = (IN_COMPLEX, 'tangent.runtime.functions.plain', 'tangent.runtime.nan_safe',        # helpers in other forms
         'tangent.persistent', 'tangent.persistent.array')                                 # what users call by these names
EXTRA_RUN_TIME = [('dask.array', LAZILY)] + [      # for rules
    ('scipy', f'tangent.runtime.functions.scipy.{name}') for name in 'signals banded special'.split()] + [
    ('scipy.ndimage', 'tangent.runtime.functions.scipy.images')] + [
    ('scipy.interpolate', f'tangent.runtime.references.{name}') for name in 'interpolate splines grids'.split()] + [
    ('scipy.stats', 'tangent.runtime.references.distributions'), ('scipy.stats', 'tangent.runtime.references.samples'),
    ('scipy.linalg', 'tangent.runtime.references.matrices'),
    ('scipy.ndimage', 'tangent.runtime.references.images'),
    ('scipy.sparse', 'tangent.runtime.functions.scipy.sparse'), ('scipy.sparse', 'tangent.runtime.references.sparse')] + [
    ('mpi4py.MPI', f'tangent.runtime.functions.parallel.{name}') for name in '''messages collectives arrays requests
    order links buffers'''.split()] + [('numba_mpi', 'tangent.runtime.functions.parallel.compiled')]
ROOMS = *RUN_TIME, *FORMS, *(room for _, room in EXTRA_RUN_TIME)
IS_ROOM = frozenset(ROOMS)


class Later:
    """Takes part where values of tasks are at hand, which stand for anything: what is owed to them has to be given its form."""


class Lazy(Later):
    """Takes part (see `analysis.kinds.participants`) where arrays in chunks are at hand, Dask's: what is owed to plain arrays
    beside them is as lazy as they are."""


@dataclasses.dataclass(frozen=True)
class Facts:
    """What is known of a function.

    elementwise : the value is made element by element, so that it has the shape to which the arguments broadcast
    gives : for such a function, the dtype: 'float' (integers become floats), 'same', 'real' (of complex numbers) or 'bool'
    like : the position of the argument whose shape and (floating) dtype the value has
    casts : the value surely has that dtype, whatever those of the other arguments are
    fresh : the value shares no memory with anything that existed before
    fresh_of : how many arguments it has to be given to be so
    view : positions of arguments that the value may be, or may be a part of
    shares : positions of the only arguments with which the value may share memory, for a function that is not `fresh`
    shape_of : positions of the arguments of which only shape and dtype are looked at
    linear : the value is zero where the first argument is
    each : element by element the value is the first argument; where that is a number, it is that number
    copies : the value is an array of its own that holds what the first argument does
    fills : the first argument is a shape, and the value an array of it
    rank : how many axes the value has
    sequence : the value is a list or tuple of arrays and numbers
    numeric : the value is an array or a number
    structured : the names of parameters that may be containers; None where nothing is said of that
    pure : a call may be left out, made once for two, or made elsewhere
    harmless : a call changes nothing that a name stands for, although its place among other calls matters
    writes : positions of the arguments that are written into
    values : positions of the arguments that are written there
    in_place : all that a call does is to write there: it keeps nothing of what it is given
    out : the position of the argument `out`, into which the value is written
    directions : tangents in several directions are taken as they are
    listed : a list is given for a list
    followed : derivatives follow its text, as that of a function of the user's
    takes : 'now' for what goes through the iterables that it is given, 'later' for an iterator, which does so when it is read
    leaves : it need not go to their end
    calls : position and name of the argument that it calls, or None
    reads : it changes nothing that it is given, and keeps nothing, but for what its value holds
    tells : its value is a fact of its arguments, through which no derivative flows
    lets_go : of the functions that it is given nothing is kept once it is done
    parameters : their names, where the facts were noted with them
    """

    elementwise: bool = False
    gives: str = 'float'
    like: int | None = None
    casts: bool = False
    fresh: bool = False
    fresh_of: int = 0
    view: tuple = ()
    shares: tuple = ()
    shape_of: tuple = ()
    linear: bool = False
    each: bool = False
    copies: bool = False
    fills: bool = False
    rank: int | None = None
    sequence: bool = False
    numeric: bool = False
    structured: tuple | None = None
    pure: bool = True
    harmless: bool = False
    writes: tuple = ()
    values: tuple = ()
    in_place: bool = False
    out: int | None = None
    directions: bool = False
    listed: bool = False
    followed: bool = False
    takes: str | None = None
    leaves: bool = False
    calls: tuple | None = None
    reads: bool = False
    tells: bool = False
    lets_go: bool = False
    parameters: tuple = ()

    def given(self, call, positions):
        """The arguments of a call at these positions, given by position or by name."""
        names = {self.parameters[k] for k in positions if k < len(self.parameters)}
        return [call.args[k] for k in positions if k < len(call.args)] + [k.value for k in call.keywords if k.arg in names]

    def is_fresh(self, call):
        """Whether the value of this call is."""
        return self.fresh or 0 < self.fresh_of <= len(call.args)

    @property
    def takes_all(self):
        """Whether it goes to the end of the iterables that it is given before it is done."""
        return self.takes == 'now' and not self.leaves

    @property
    def alike(self):
        """Whether the value is a new array in the shape and dtype of the first argument."""
        return self.fresh and self.like == 0


NOTHING = Facts()
NAMED: dict = {}             # the last part of a name -> Facts
PYTHON: dict = {}            # id of one of Python's own functions -> Facts
DECLARED: dict = {}          # name -> function, for those declared by `helper`
BATCHED: dict = {}           # function -> the same for tangents in several directions at once
_forms: list = []            # (function, what Numba compiles in its place)
_listeners: list = []        # those who want to know of forms
FIELDS = frozenset(field.name for field in dataclasses.fields(Facts))


def helper(numba=None, batched=None, **known):
    """Declare a function that rules call by its name, with what is known of it and its other forms beside it.

    Parameters
    ----------
    numba : function or True, optional
        What Numba compiles in its place: a function of the same parameters, or True for the function itself.
    batched : function, optional
        The same for `Directions` (see `runtime.tangents.batched`); without it each direction is taken by itself.
    **known
        Facts, as for `note`.

    Examples
    --------
    >>> @helper(numba=True, elementwise=True)
    ... def softsign_slope(x):
    ...     return 1 / (1 + abs(x)) ** 2
    """
    def declared(function):
        note(f'{function.__name__}({", ".join(inspect.signature(function).parameters)})', **known)
        DECLARED[function.__name__] = function
        if batched is not None:
            BATCHED[function] = batched
        if numba is not None:
            _forms.append((function, function if numba is True else numba))
            for tell in _listeners:
                tell(*_forms[-1])
        return function
    return declared


def numba_forms(tell):
    """Have `tell(function, form)` called for each helper that has a form for Numba, now and as more are declared."""
    if tell not in _listeners:
        _listeners.append(tell)
        for function, form in _forms:
            tell(function, form)


def note(text, **facts):
    """Note facts of functions: their names, or one with its parameters, by which positions are then said; or the functions."""
    if not isinstance(text, str):
        for function in text if isinstance(text, (tuple, list)) else [text]:
            PYTHON[id(function)] = dataclasses.replace(PYTHON.get(id(function), NOTHING), **facts)
        return
    name, _, inside = text.partition('(')
    parameters = [p.partition('=')[0].strip(' *') for p in inside.rstrip(')').split(',')]
    for key in ('like', 'out'):
        if isinstance(facts.get(key), str):
            facts[key] = parameters.index(facts[key])
    for key in ('view', 'shares', 'shape_of', 'writes', 'values'):
        if isinstance(facts.get(key), str):
            facts[key] = tuple(parameters.index(p) for p in facts[key].split())
        elif isinstance(facts.get(key), int):
            facts[key] = (facts[key],)
    if facts.get('elementwise') and not facts.get('view'):
        facts['fresh'] = True
    if inside:
        facts['parameters'] = tuple(parameters)
    for one in name.split():
        key = one.rpartition('.')[2]
        NAMED[key] = dataclasses.replace(NAMED.get(key, NOTHING), **facts)


def of(thing):
    """The Facts of a function, or of the name by which a text calls it."""
    if thing is None or isinstance(thing, str):
        return NAMED.get((thing or '').rpartition('.')[2], NOTHING)
    if id(thing) in PYTHON:
        return PYTHON[id(thing)]
    try:
        name = getattr(thing, '__name__', None)
    except Exception:                     # a `__getattr__` of the user's, which looks up what it likes
        return NOTHING
    if isinstance(name, str) and name in NAMED and (is_numpy(thing) or is_helper(thing)):
        return NAMED[name]
    return NOTHING


def home(thing):
    """The package that a function or a class comes from: 'numpy', 'scipy', 'builtins'; '' where it does not say.

    By its whole name: the user's own `numpy_helpers` is no part of NumPy. One of ours that is `followed` is like the user's.
    """
    if isinstance(thing, types.FunctionType):
        thing = thing.__dict__.get('plain', thing)             # of a derivative that people hold: it has another name
    module = getattr(thing, '__module__', None)
    found = module.partition('.')[0] if isinstance(module, str) else ''
    return '' if found == 'tangent' and NAMED.get(getattr(thing, '__name__', None), NOTHING).followed else found


def shared_name(function):
    """The name of a function if all of that name do the same: NumPy's and those that follow it, ours. '' for the user's own."""
    return function.__name__ if home(function) in ('numpy', 'cupy', 'array_api_compat') or is_helper(function) else ''


def says_what_it_writes(function):
    """Whether it is known into which argument a function writes, whatever its text calls: NumPy's, and those to follow."""
    if is_numpy(function):
        return bool(of(function).writes)
    noted = of(getattr(function, '__name__', None))
    return noted.followed and bool(noted.writes) and function.__module__.startswith('tangent.')


def in_library(function):
    """Whether a function is one of ours, of NumPy's or SciPy's, which do not write into what they hand on."""
    return home(function) in ('tangent', 'numpy', 'scipy', 'array_api_compat')


def is_ours(function):
    """Whether a function, or a class, is one of this library's; derivatives that it has made are none."""
    return home(function) == 'tangent' and not hasattr(function, 'source') or is_declared(function)


def is_declared(function):
    return function is not None and DECLARED.get(getattr(function, '__name__', None)) is function


def is_helper(function, *names):
    """Whether texts mean this function by its name, not another that has the same one; one of these names, if any are given."""
    name = getattr(function, '__name__', None)
    if not isinstance(name, str) or names and name not in names or not is_ours(function):
        return False
    if is_declared(function):
        return True
    home_room = getattr(sys.modules.get(function.__module__), name, None) if function.__module__ in IS_ROOM else None
    return home_room is function or any(getattr(sys.modules.get(room), name, None) is function for room in ROOMS)


IN_TABLES: dict = {}           # id of an object that tables know themselves -> it, as `dask.delayed`


def in_tables(thing):
    """The object; of a callable that is not to be looked up in tables its method `__call__`, which is all that is known of it.

    Such are objects of classes with an `__eq__` of their own, dataclasses among them, and functions of ctypes.
    """
    if not callable(thing) or isinstance(thing, type) or id(thing) in IN_TABLES:
        return thing
    call, same = type(thing).__call__, type(thing).__eq__
    if isinstance(call, types.FunctionType):
        return types.MethodType(call, thing) if isinstance(same, types.FunctionType) else thing
    return thing if is_hashable(thing) else thing.__call__


def is_hashable(thing):
    try:
        hash(thing)
    except TypeError:
        return False
    return True


def is_one(thing, several):
    """Whether a thing is one of these itself: it need not be hashed, nor be told whether it equals another."""
    return any(thing is one for one in several)


def is_numpy(function):
    """Whether a function is one of NumPy's."""
    return type(function).__name__ == 'ufunc' or home(function) == 'numpy'


def place_of_output(function):
    """The place of `out` among the arguments of a function of NumPy's or a method of an array or a ufunc, or None."""
    if is_of_ufunc(function):
        return {'reduce': 3, 'accumulate': 3, 'reduceat': 4}.get(function.__name__)
    method = isinstance(getattr(function, '__self__', None), np.ndarray)
    return function.nin if isinstance(function, np.ufunc) else of(function.__name__ if method else function).out


def is_of_ufunc(function):
    """Whether a function is a method of a ufunc."""
    return isinstance(getattr(function, '__self__', None), np.ufunc)


def is_masked(function):
    """Whether `where=` of a call says which elements are written, instead of which are summed."""
    return isinstance(function, np.ufunc) and function.signature is None or function is np.clip \
        or isinstance(getattr(function, '__self__', None), np.ndarray) and function.__name__ == 'clip'
