"""The seed of a derivative: the gradient of the result, checked against the result it is for."""
import collections.abc
import types
import weakref

import numpy as np

from tangent.errors import ArgumentTypeError, ShapeError
from tangent.runtime.array_api import ELEMENTS, as_array, filled, is_foreign, peer
from tangent.runtime.broadcast import gradient_dtype, refuse_kinds, shape_of, unbroadcast
from tangent.runtime.caller import caller
from tangent.runtime.fields import dtype_of, is_gradient, is_object
from tangent.runtime.functions.real import is_complex, refuse_complex
from tangent.runtime.zeros import FLOAT64, TupleGrad, exotic, init_grad, is_record, own_number, real_kind, rebuild_record

SCALARS = frozenset([float, np.float64])
# the modules whose functions call these
CHECKING = frozenset(['tangent.runtime.seeds', 'tangent.runtime.functions.complex', 'tangent.runtime.functions.plain'])
NO_SEED = (tuple, dict)
NO_NUMBER = (str, bytes, set, frozenset, type(None), types.FunctionType)
WAY_OUT = ('the result is not a scalar; give a seed of its shape, or use tangent.jacobian (all derivatives), '
           'tangent.elementwise_grad (the gradient of its sum) or tangent.vjp (a seed of your own)')
ONE_NUMBER = ('return the number to differentiate alone, or with the rest beside it and has_aux=True; or use tangent.jacobian '
              '(all derivatives) or tangent.vjp (a seed of this structure)')


def check_number(y, by):
    """The seed to use for a result that has to be a number, not an array of one element; see `check_dims`.

    Emitted where numbers are combined element by element, so that no broadcasting has to be undone.

    Parameters
    ----------
    y : object
        The result.
    by : object
        The seed.

    Returns
    -------
    number

    Raises
    ------
    ShapeError
        If the result is an array, or the seed has another shape.

    Examples
    --------
    >>> tangent.utils.check_number(2.0, 1.0)
    1.0
    """
    if type(by) is float is type(y):
        return by
    by = check_dims(y, by)
    if shape_of(y) != ():
        raise ShapeError(f'Shape mismatch between return value {shape_of(y)} and the single numbers it is made from: '
                         'return its element (result[0]), or use tangent.vjp with a seed of that shape')
    return by


def check_dims(y, by, *leaves):
    """The seed to use for the result `y`, given the seed `by`.

    Parameters
    ----------
    y : object
        The result: a number, an array, or a tuple, list or dict of them.
    by : object
        The seed: a number or array of the shape of `y`, in the same structure.
    leaves : object
        Values that `y` is made from element by element, without broadcasting being undone: an array of one element must
        not be mixed from numbers and such arrays.

    Returns
    -------
    object
        `by`, in the arithmetic of `y`: filled to shape (1,) where the result has that shape and the seed is a number;
        float where it was made of integers; a Fraction where the result is one.

    Raises
    ------
    ShapeError
        If the shapes or structures differ.
    ArgumentTypeError
        If the result has no gradient (a bool, a string, None).

    Examples
    --------
    >>> tangent.utils.check_dims(numpy.zeros(1), 1.0)
    array([1.])
    """
    if type(by) is float is type(y):        # of Python's numbers alone; that one of them is a bool would take long to see
        return by
    frame = caller(CHECKING)
    small = _look(frame)
    refuse_kinds(frame)
    if type(by) is float and type(y) is np.float64:
        return by
    refuse_no_number(by)
    if small and type(by) is float and getattr(y, 'dtype', FLOAT64).kind == 'f':
        by = np.float64(by)
    for leaf in leaves:
        if shape_of(leaf) != shape_of(y) != () and array_of_one(y):
            raise ShapeError(f'Shape mismatch between return value {shape_of(y)} and a value it is made from '
                             f'{shape_of(leaf)}: return its element (result[0]), or use tangent.vjp with a seed of that '
                             'shape')
    if isinstance(y, (tuple, list)):
        _same_structure(y, by, isinstance(by, (tuple, list)) and len(y) == len(by))
        parts = map(_check_part, y, by)
        return TupleGrad(parts, type(y)) if isinstance(y, tuple) and not isinstance(y, TupleGrad) else list(parts)
    if isinstance(y, dict):
        _same_structure(y, by, isinstance(by, dict) and y.keys() == by.keys())
        return {key: _check_part(value, by[key]) for key, value in y.items()}
    if is_record(y):
        _same_structure(y, by, type(y) is type(by))
        return rebuild_record(y, _check_part, by)
    return _check_leaf(y, by)


def check_ones(y, by):
    """The seed to use for a result of any shape, over which a number is spread.

    Parameters
    ----------
    y : number, array or container
        The result.
    by : number or array
        The seed, of the shape of `y` or one that is spread over it.

    Returns
    -------
    number or array
        Of the shape and dtype of `y`.

    Raises
    ------
    ShapeError
        If the result is complex: the sum of its elements is no number that could have a gradient.

    Examples
    --------
    >>> tangent.utils.check_ones(numpy.zeros(2), numpy.ones(2))
    array([1., 1.])
    """
    if is_complex(y):
        raise ShapeError('The result is complex: the sum of its elements has no gradient; use tangent.holomorphic_grad for a '
                         'holomorphic function, tangent.vjp with a seed of your own, or return a real number made of it')
    refuse_no_number(by)
    refuse_kinds(caller(CHECKING))
    return unbroadcast(by, y)


def refuse_no_number(by):
    """Refuse what no gradient can be, as a seed."""
    if isinstance(by, NO_NUMBER):
        raise ArgumentTypeError(f'the seed is {described(by)}: give a number, or what has the shape of the result')


def _check_part(y, by):
    """As `check_dims` for a part of a result, whose seed may be left out: it is none, or zero for a number or an array."""
    return init_grad(y) if by is None else check_dims(y, by)


def _check_leaf(y, by):
    if type(y) is float is type(by):
        return by
    _has_gradient(y)
    if is_object(y):
        _same_structure(y, by, is_object(by) or is_gradient(by))
        return by
    refuse_complex(y, 'The result')
    refuse_complex(by, 'The seed')
    if isinstance(by, list):
        by = as_array(by)
    shape, given = shape_of(y), shape_of(by)
    if is_foreign(y):
        _refuse_elements(y, caller({__name__}))
    if is_foreign(y) and given == () and type(by) in SCALARS and (shape == () or array_of_one(y)):
        return filled(shape, by, gradient_dtype(y), like=y)
    if array_of_one(y) and given == () and not isinstance(by, NO_SEED):
        return filled(shape, by, np.result_type(gradient_dtype(y) or object, by), like=peer(y))
    if shape != given or isinstance(by, NO_SEED):
        raise ShapeError(_mismatch(y, by) + (f': {WAY_OUT}' if given == () else ''))
    if type(by) in (float, int) and type(y) not in SCALARS and exotic(y) is not None:
        return own_number(y, by)
    if (dtype_of(by) or FLOAT64).kind in 'iub':
        return by.astype(np.float64)
    if type(by) in (int, float) and gradient_dtype(y) not in (None, FLOAT64):
        return gradient_dtype(y).type(by)                                         # of the precision of the result
    return float(by) if type(by) is int else by


def _refuse_elements(x, frame):
    """Refuse an array whose elements are views of it where the derivative takes them for numbers, which stay as they are."""
    if frame.f_code in ELEMENTS:
        raise ArgumentTypeError(f'the function writes into single elements of arrays, and those of a {type(x).__module__}.'
                                f'{type(x).__name__} are views of it, not numbers: name its module (cupy.zeros_like(x) in the '
                                'place of numpy.zeros_like(x)) or write slices')


def _look(frame):
    """Refuse arguments that `wrt` asks for and that have no gradient; whether one of them is made of small integers.

    NumPy's functions make numbers of low precision of those, and their gradients are in double precision as those of others.
    """
    small, values = False, frame.f_locals
    for name in asked_by(frame.f_code):
        value = values.get(name)
        if type(value) is not float:
            dtype = dtype_of(value)
            if dtype is not FLOAT64:
                _refuse_flag(value, name)
                small = small or getattr(dtype, 'kind', None) in ('i', 'u') and dtype.itemsize < 4
    return small


def _refuse_flag(value, name):
    if isinstance(value, (bool, str, bytes, set, frozenset)) or real_kind(value) in tuple('bUSMmV'):
        raise ArgumentTypeError(_flag(value, name))


def _flag(value, name):
    return (f'wrt asks for the gradient of {name}, which is {_kind(value)}: only numbers, arrays and containers of them have '
            'one')


def why_no_gradient(value, name, failed=False):
    """Why an argument that a derivative is by has no gradient, and what to give instead; None where it may have one.

    failed : the function has failed with it; else only what must not go on is told
    """
    kind, module = type(value), type(value).__module__.partition('.')[0]
    title = f'{module}.{kind.__name__}' if module != 'builtins' else kind.__name__
    if isinstance(value, (set, frozenset)) or holds_set(value):
        what = 'is' if isinstance(value, (set, frozenset)) else 'holds'
        return f'{name} {what} a set: its elements have no order, so that none of them can be given its gradient; write a list'
    if isinstance(value, collections.abc.Iterator):
        return f'{name} is a {title}, which can be read only once: give a list of what it gives, list({name})'
    if isinstance(value, (collections.abc.KeysView, collections.abc.ValuesView, collections.abc.ItemsView)):
        return f'{name} is a view of a dict ({title}): give the dict, or list({name})'
    if module in OTHERS and kind.__name__ in OTHERS[module]:
        way = OTHERS[module][kind.__name__].format(name)
        if failed or module in ('torch', 'tensorflow'):
            return f'{name} is a {title}: derivatives of ours are of arrays of NumPy and the like; give {way}'
    flag = isinstance(value, (bool, np.bool_))
    if flag or failed and (isinstance(value, (str, bytes)) or real_kind(value) in tuple('bUSMmV')):
        return _flag(value, name)
    if failed and value is None:
        return f'{name} is None: give a number, an array or a container of them, or leave {name} out of wrt'
    if failed and callable(value) and hasattr(value, '__code__'):
        return f'{name} is a function: give its result, or leave {name} out of wrt'
    if failed and isinstance(value, (type, types.ModuleType)):
        return f'{name} is a {"class" if isinstance(value, type) else "module"}: give a number, an array or a container of them'
    return None


def hint(value, name, error=None):
    """What might help where a function has failed with an argument that may have a gradient; None where nothing is known."""
    if isinstance(error, AttributeError) and type(value) is dict:
        return f'{name} is a dict: what is in it is {name}[key]'
    if type(value) in (list, tuple) and value and all(isinstance(v, str) for v in value):
        return f'{name} is a {type(value).__name__} of strings: make numbers of them, numpy.array({name}, float)'
    if type(value) in (list, tuple, dict):
        array = f'numpy.array({name})' if type(value) is not dict else f'{name}[key]'
        return f'{name} is a {type(value).__name__}, with which there is no arithmetic: if an array is meant, give {array}'
    if getattr(getattr(value, 'dtype', None), 'kind', None) == 'O':
        return f'{name} is an array of objects (dtype object): if numbers are meant, give {name}.astype(float)'
    if type(value) is range:
        return f'{name} is a range: if an array is meant, give numpy.array({name}, float)'
    if isinstance(error, TypeError) and is_object(value) and f"'{type(value).__name__}'" in str(error):
        return (f'{name} is a {type(value).__name__}, with which there is no such arithmetic: give the number or array in it '
                'that is meant')
    return None


# kinds of other libraries, and what makes arrays of them
OTHERS = {'torch': {'Tensor': '{0}.detach().numpy()', 'Parameter': '{0}.detach().numpy()'},
          'tensorflow': {'EagerTensor': '{0}.numpy()', 'Variable': '{0}.numpy()'},
          'jaxlib': {'ArrayImpl': 'numpy.asarray({0})'},
          'pandas': {'Series': '{0}.to_numpy()', 'DataFrame': '{0}.to_numpy()'}}


def holds_set(value, depth=4):
    """Whether a set of real or complex numbers is somewhere in a container."""
    if isinstance(value, (set, frozenset)):
        return any(isinstance(v, (float, complex, np.inexact)) for v in value)
    parts = value.values() if type(value) is dict else value if type(value) in (list, tuple) else ()
    return depth > 0 and any(holds_set(part, depth - 1) for part in parts if type(part) in CONTAINERS)


CONTAINERS = frozenset([list, tuple, dict, set, frozenset])


def remember(code, names):
    """Note by which parameters a derivative is, as long as its code is there."""
    if id(code) not in _arguments:
        _arguments[id(code)] = tuple(names)
        weakref.finalize(code, _arguments.pop, id(code), None)


def asked_by(code):
    """The parameters that a derivative is by."""
    if id(code) not in _arguments:                  # one that was exported, or that others have compiled
        remember(code, _asked_for(code))
    return _arguments[id(code)]


def _asked_for(code):
    """The parameters that a derivative is by: its name ends with them, as in `dfdxdy`."""
    names = sorted(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount], key=len, reverse=True)
    rest, found = code.co_name, []
    while last := next((n for n in names if rest.endswith('d' + n)), None):
        found.append(last)
        rest = rest.removesuffix('d' + last)
    return found


def _kind(value):
    return f'an array of {value.dtype}' if shape_of(value) else f'a {type(value).__name__}'


def _has_gradient(y):
    dtype = dtype_of(y)
    if isinstance(y, bool) or (init_grad(y) is None if dtype is None else real_kind(y) in tuple('bSUMmV')):
        raise ArgumentTypeError(f'The result is {"None" if y is None else _kind(y)}: it has no gradient')


def _same_structure(y, by, same):
    if not same:
        raise ShapeError(_mismatch(y, by))


def _mismatch(y, by):
    way = f': {ONE_NUMBER}' if isinstance(y, (tuple, list, dict)) and type(by) in (float, int, np.float64) else ''
    return f'Shape mismatch between return value ({described(y)}) and seed derivative ({described(by)}){way}'


def described(value):
    """What a value is, in a message about shapes."""
    if isinstance(value, (tuple, list, dict)):
        return f'{type(value).__name__} of {len(value)}'
    if is_record(value) or isinstance(value, NO_NUMBER):
        return 'None' if value is None else f'a {type(value).__name__}'
    shape = shape_of(value)
    return f'shape {shape}' if shape else 'a number'


def check_scalar(by):
    """The seed to use for a result that is known to be a number: one of 1.0 is an exact 1 where an argument is exact.

    Parameters
    ----------
    by : number
        The seed.

    Returns
    -------
    number

    Raises
    ------
    ShapeError
        If the seed is not a number.

    Examples
    --------
    >>> tangent.utils.check_scalar(1.0)
    1.0
    """
    return checked_scalar(by, caller(), refuse_complex)


def checked_scalar(by, frame, look_at=None):
    """The same for a derivative that is running; `look_at` looks at arguments that are not of double precision, too."""
    if type(by) is not float:
        refuse_no_number(by)
        if np.shape(by) != ():
            raise ShapeError(f'Shape mismatch between return value (a number) and seed derivative ({described(by)})')
    small = _look(frame)
    refuse_kinds(frame)
    values = frame.f_locals
    for name in asked_by(frame.f_code):
        value = values.get(name)
        if type(value) is float:
            continue
        if look_at is not None and dtype_of(value) is not FLOAT64:
            look_at(value, f'The argument {name}')
        if is_foreign(value):
            _refuse_elements(value, frame)
        if type(by) is float and exotic(value) is not None:
            by = own_number(exotic(value), by)
    return np.float64(by) if small and type(by) is float else by


_arguments: dict = {}            # id of the code of a derivative -> what it is by


def check_pair(y):
    """The result of a function that is differentiated with `has_aux=True`, which has to be a pair.

    Parameters
    ----------
    y : object
        The result.

    Returns
    -------
    tuple or list
        `y`.

    Raises
    ------
    ArgumentTypeError
        If it is not.

    Examples
    --------
    >>> tangent.utils.check_pair((1.0, 'more'))
    (1.0, 'more')
    """
    if not isinstance(y, (tuple, list)) or len(y) != 2:
        raise ArgumentTypeError(f'has_aux: the result is a {type(y).__name__}, and has to be a pair: the number to '
                                'differentiate, and one thing more')
    return y


def array_of_one(y):
    """Whether it is an array of one element, of any number of axes but none."""
    return set(shape_of(y)) == {1}
