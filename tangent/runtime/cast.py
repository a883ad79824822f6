"""Giving a gradient the form of the value it belongs to; copies of values."""
import functools
import itertools
import types

import numpy as np

from tangent.errors import AliasError, ArgumentTypeError
from tangent.runtime.array_api import as_array, beside, chunks, is_array, is_chunked, is_sparse
from tangent.runtime.broadcast import FLOATS, unbroadcast
from tangent.runtime.caller import caller
from tangent.runtime.captures import environment
from tangent.runtime.fields import PLAIN, fields, within
from tangent.runtime.objects import Record, copy_record, equal, holds_objects, is_object, unify
from tangent.runtime.zeros import (
    FLOAT64,
    TupleGrad,
    ZeroGrad,
    exotic,
    init_grad,
    is_record,
    own_number,
    real_kind,
    rebuild_dict,
    rebuild_record,
    rebuild_tuple,
)

EACH = ' and each of its parts'            # how `check_apart` is told so
PYTHON_NUMBERS = (float, int, complex)
FUNCTIONS = (types.FunctionType, types.MethodType, functools.partial)
COPIERS: dict = {}         # type -> a copy of a value of that type
FITTERS: dict = {}         # type -> a gradient, and the value, to the gradient in the form that users get


def register_kind(kind, copier, fitter):
    """Register how values of a type are copied, and how gradients `b` of a value `x` get their form: `fitter(b, x)`."""
    COPIERS[kind], FITTERS[kind] = copier, fitter


HOLDERS = frozenset([Record, list, tuple, dict])


def astype(b, x):
    """The gradient `b` in the structure, shape and dtype of `x`.

    Parameters
    ----------
    b : object
        A gradient of `x`, as it was summed: its tuples may be `TupleGrad`s, its parts zero (None, `ZeroGrad`).
    x : object
        The value.

    Returns
    -------
    object
        float32 for float32, float64 for integers, real for real, a number for a number, a namedtuple for a namedtuple;
        `b` itself when it has that form already.

    Examples
    --------
    >>> astype(1 + 2j, 3.0)
    1.0
    """
    if type(b) is np.ndarray is type(x):
        dtype = b.dtype
        if dtype is x.dtype and b.shape == x.shape and (dtype is FLOAT64 or dtype.kind in 'fcO'):
            return b
    elif type(b) in FLOATS and type(x) in FLOATS:
        return b
    x = without_records(x)
    return unify(b, x, _astype) if holds_objects(x) else _astype(b, x)


def without_records(x):
    """The value itself, where a gradient of objects stands for it in what is owed to that: each place of one thing is owed what
    all are."""
    if type(x) is Record:
        return x.__primal__
    if type(x) in (list, tuple, dict) and any(type(part) in HOLDERS for part in (x.values() if type(x) is dict else x)):
        return {key: without_records(part) for key, part in x.items()} if type(x) is dict else type(x)(map(without_records, x))
    return x


def _astype(b, x):
    """`astype` for a value that holds no objects."""
    if hasattr(type(b), 'settled'):                # what tasks compute: see `functions.parallel.tasks`
        return b.settled(x)
    if isinstance(x, FUNCTIONS):
        return _of_function(b, x)
    if type(b) in FLOATS and type(x) in FLOATS:
        return b
    if b is None or type(b) is ZeroGrad:
        b = init_grad(x)
        return _astype(b, x) if isinstance(x, (tuple, list, dict)) or type(x) in FITTERS else b
    if isinstance(x, TupleGrad):
        return TupleGrad(_each(b, x), x._kind)
    if isinstance(x, tuple):
        return rebuild_tuple(type(x), _each(b, x))
    if isinstance(x, list):
        return _each(b, x)
    if isinstance(x, dict):
        return rebuild_dict(x, lambda value, part: _astype(part, value), b)
    if is_chunked(x):
        return chunks().as_chunks(as_array(unbroadcast(b, x)), x)
    if is_array(x):
        found = beside(as_array(unbroadcast(b, x)), x)
        return chunks().plain(found) if is_chunked(found) else found
    if isinstance(x, (bool, *PYTHON_NUMBERS, np.generic)):
        return _scalar(b, x)
    if isinstance(b, PYTHON_NUMBERS) and exotic(x) is not None:
        return own_number(x, b)
    if is_sparse(x):
        return unbroadcast(b, x)
    return FITTERS[type(x)](b, x) if type(x) in FITTERS else b


def _of_function(b, function):
    """The gradient of a function value in full: zeros for what it captured and its calls did not touch."""
    if isinstance(function, types.MethodType):
        return astype(b, function.__self__)
    found = environment(function)
    b = b if isinstance(b, dict) else {}
    return {name: astype(b.get(name), value) for name, value in found.items()} if found else None


def _each(b, x):
    return [_astype(part, value) for part, value in zip(b, x, strict=True)]


def _scalar(b, x):
    """`b` as a number like `x`."""
    b = unbroadcast(b, x)
    if isinstance(b, np.ndarray):
        b = b[()]
    if isinstance(x, np.generic) or not isinstance(b, (np.generic, *PYTHON_NUMBERS)):
        return b
    return complex(b) if isinstance(x, complex) else float(b)


def array_copy(x, axes=None):
    """A copy of an array that the function writes into, so that the caller's own stays as it is.

    Parameters
    ----------
    x : array
    axes : int, optional
        The number of axes for which the derivative was made, where the text of the function says one.

    Returns
    -------
    array
        Of the same shape and dtype.

    Raises
    ------
    ArgumentTypeError
        If `x` is no array, has another number of axes, or holds integers, which would cut off what is written.

    Examples
    --------
    >>> x = numpy.ones(2)
    >>> y = tangent.utils.array_copy(x)
    >>> y[0] = 5.0
    >>> x
    array([1., 1.])
    """
    if not hasattr(x, 'dtype') or not hasattr(x, 'copy') or np.ndim(x) == 0 and not is_array(x):
        raise ArgumentTypeError(f'the derivative was made for a function that writes into an array; a {type(x).__name__} '
                                'was given: pass numpy.array(...) of it')
    if axes is not None and x.ndim != axes:
        raise ArgumentTypeError(f'the function writes to elements by {axes} indices, but the array has {x.ndim} axes: write '
                                'an index or a slice for each axis, as in x[i, j, :]')
    return check_floats(x).copy()


def check_apart(names, *arrays):
    """See to it that no array which is written into shares memory with another.

    Parameters
    ----------
    names : str
        The names of the arrays, those that are written into in front of a bar: 'u (line 3) | v, w'. 'o and its parts' where
        something that it holds may be written into, 'o and each of its parts' where no two of these may share memory either.
    arrays : arrays, containers and objects
        In the same order.

    Raises
    ------
    AliasError
        If two of them share memory, or are one thing, or one holds the other: what is written into one would be seen in the
        other.

    Examples
    --------
    >>> x = numpy.ones(3)
    >>> tangent.utils.check_apart('x | y', x, numpy.ones(3))
    >>> try:
    ...     tangent.utils.check_apart('x | y', x, x[1:])
    ... except tangent.errors.AliasError:
    ...     print('shared')
    shared
    """
    written = names.partition(' | ')[0].split(', ')
    for k, (name, x) in enumerate(zip(written, arrays)):
        each = name.endswith(EACH)
        if each and any(itertools.starmap(meet_deeply, itertools.combinations(parts_of(x), 2))):
            raise PartsShared(f'two parts of {name.removesuffix(EACH)} share memory, and the function writes into one of them: '
                              'what is written there is seen in the other, too; pass a copy of each')
        for j, y in enumerate(arrays):
            if j != k and meet(x, y, each or name.endswith(' and its parts')):
                told = names.replace(EACH, ' and its parts').replace(' | ', ', ').split(', ')
                kind = PartsShared if each else AliasError
                raise kind(shared(told[k], told[j], '{}.copy()' if is_array(x) else 'copy.deepcopy({})'))


class PartsShared(AliasError):
    """A list or dict is given whose parts a text takes for its own, before it has done anything."""


def parts_of(x):
    return x.values() if isinstance(x, dict) else x


def meet_deeply(x, y):
    return meet(x, y, True)


def meet(x, y, deep):
    """Whether `x`, or with `deep` something that it holds, is `y`, shares memory with it, or is held by it."""
    if is_chunked(x) or is_chunked(y):                   # whose memory is not known before they are computed
        return x is y
    if is_array(x) and is_array(y) and object not in (x.dtype, y.dtype):
        return np.may_share_memory(x, y) and overlap(x, y)
    if type(x) in PLAIN or type(y) in PLAIN:
        return False
    ours, theirs = within([x]) if deep else {id(x): x}, within([y])
    held = [a for a in theirs.values() if isinstance(a, np.ndarray)]
    return not ours.keys().isdisjoint(theirs) or any(
        np.may_share_memory(a, b) and overlap(a, b) for a in ours.values() if isinstance(a, np.ndarray) for b in held)


def shared(one, other, copied='{}.copy()'):
    name = one.split()[0]
    return (f'{one} and {other} share memory, and the function writes into {name}: what is written there is seen in the other, '
            f'too; pass a copy, as with {copied.format(name)}')


def overlap(x, y):
    try:
        return np.shares_memory(x, y, max_work=10_000)
    except np.exceptions.TooHardError:
        return True


def check_floats(x):
    """The array as it is, if what is written into it keeps its fraction.

    Parameters
    ----------
    x : array

    Returns
    -------
    array
        `x`.

    Raises
    ------
    ArgumentTypeError
        If the array holds integers, or records, or objects, whose gradients would be added as arrays add them.

    Examples
    --------
    >>> tangent.utils.check_floats(numpy.ones(2))
    array([1., 1.])
    """
    if not is_array(x):
        return x
    if x.dtype.kind in 'iub':
        raise ArgumentTypeError(f'values with a derivative are written into an array of {x.dtype}, which cuts off their '
                                'fraction: make it an array of floats, as with x.astype(float)')
    if x.dtype.names:
        raise ArgumentTypeError(f'values with a derivative are written into an array of records, with the fields '
                                f'{", ".join(x.dtype.names)}: keep an array of floats for each field, as in a dict')
    if x.dtype.hasobject:
        raise ArgumentTypeError('values with a derivative are written into an array of objects: make it an array of floats, or '
                                'a list')
    return x


def check_element(x):
    """Nothing, if `x` is a number: `x += v` is then no change of an array that has another name.

    Parameters
    ----------
    x : object

    Raises
    ------
    AliasError
        If it is an array, a row of another one for example.

    Examples
    --------
    >>> tangent.utils.check_element(1.0)
    """
    if is_array(x) and x.ndim:
        raise AliasError(f'an array with {x.ndim} axes that has another name, too, is changed in place by x += v: write '
                         'x = x + v, or work on a copy')


def copy(x):
    """A copy of the arrays of `x` and of the containers that hold them; numbers and everything else as they are.

    Parameters
    ----------
    x : object

    Returns
    -------
    object
        Of the structure, shapes and dtypes of `x`.

    Examples
    --------
    >>> x = [numpy.ones(2), 'word']
    >>> y = tangent.copy(x)
    >>> y[0] is x[0], y
    (False, [array([1., 1.]), 'word'])
    """
    return copy_of(x, copy)


def copy_alike(x):
    """`copy` in which what stands in two places is one thing, as it is in `x`: for values, of which parts are written into.

    Parameters
    ----------
    x : object

    Returns
    -------
    object

    Examples
    --------
    >>> a = numpy.ones(2)
    >>> b, c = tangent.utils.copy_alike((a, a))
    >>> b is c, b is a
    (True, False)
    """
    known: dict = {}

    def copied(part):
        if id(part) not in known:
            known[id(part)] = copy_of(part, copied) if type(part) is not functools.partial else functools.partial(
                part.func, *map(copied, part.args), **{name: copied(value) for name, value in part.keywords.items()})
        return known[id(part)]
    return copied(x)


def copy_along(d, x):
    """`copy_alike` of the tangent of `x`, in which what stands in two places of `x` has one.

    Parameters
    ----------
    d : object
        The tangent.
    x : object
        The value.

    Returns
    -------
    object

    Raises
    ------
    AliasError
        If one array or list of `x` has two tangents that differ.

    Examples
    --------
    >>> a, d = numpy.ones(2), numpy.ones(2)
    >>> b, c = tangent.utils.copy_along([d, d.copy()], [a, a])
    >>> b is c, b is d
    (True, False)
    """
    known: dict = {}

    def copied(d, x):
        if type(d) is not type(x) or not isinstance(x, (list, tuple, dict, np.ndarray)):
            return copy_alike(d)
        if id(x) in known:
            if not equal(known[id(x)][0], d):
                raise AliasError('one array or list stands in two places of an argument that is written into, and has two '
                                 'tangents: give the same in both places')
            return known[id(x)][1]
        if isinstance(x, np.ndarray):
            new = copy_alike(d)
        elif isinstance(x, dict):
            new = rebuild_dict(d, copied, x)
        else:
            new = rebuild_tuple(type(x), map(copied, d, x)) if isinstance(x, tuple) else list(map(copied, d, x))
        known[id(x)] = d, new
        return new
    return d.copy() if type(d) is np.ndarray else copied(d, x)


def copy_of(x, copied):
    """The copy of a container of what `copied` makes of its parts; of an array a copy."""
    if is_chunked(x):
        return chunks().writeable(x)
    if is_array(x):
        return x.copy()
    if isinstance(x, TupleGrad):
        return TupleGrad(map(copied, x), x._kind)
    if isinstance(x, Record):
        return copy_record(x, copied)
    if isinstance(x, tuple):
        return rebuild_tuple(type(x), map(copied, x))
    if type(x) is list:
        return list(map(copied, x))
    if isinstance(x, dict):
        return rebuild_dict(x, copied)
    if is_record(x):
        return rebuild_record(x, copied)
    return COPIERS[type(x)](x) if type(x) in COPIERS else x


def has_none(x):
    """Whether it is something that no gradient can be of: a bool, a string, a date, a record, None, or an array of such."""
    return isinstance(x, (bool, str, bytes, set, frozenset, type(None))) or real_kind(x) in tuple('bUSMmV')


def zero_gradient(x, *read):
    """The zero gradient of an argument on which the result does not depend: of its structure, shape and dtype.

    `read` names the attributes that the function reads of it, which were taken for those of an array.

    Parameters
    ----------
    x : object
        The argument.
    *read : str
        The attributes.

    Returns
    -------
    object

    Raises
    ------
    ArgumentTypeError
        If it is a bool, a string or None, which have no gradient.

    Examples
    --------
    >>> tangent.utils.zero_gradient([1.0, numpy.ones(2)])
    [0.0, array([0., 0.])]
    """
    if has_none(x):
        raise ArgumentTypeError(f'wrt asks for the gradient of {argument_name(x)}, which is a {type(x).__name__}: only '
                                'numbers, arrays and containers of them have one')
    if is_object(x):
        if read := set(read) & fields(x).keys():
            raise ArgumentTypeError(f'{type(x).__name__}.{min(read)} has a name that arrays use: read another attribute of the '
                                    'object too, or give its class to the module of the function')
    return astype(init_grad(x), x)


def argument_name(x):
    """The name of a parameter of the derivative that is running whose value is `x`."""
    frame = caller({__name__, 'tangent.runtime.tangents.zeros'})
    code = frame.f_code
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    return next((n for n in names if frame.f_locals.get(n) is x), 'an argument')
