"""Run-time functions of forward mode. The tangent of a value has the structure of the value, part by part."""
import collections
import copy as _copy
import enum
import functools
import inspect
import itertools
import numbers
import types

import numpy as np

from tangent.errors import ArgumentTypeError, FieldError, ShapeError
from tangent.runtime.array_api import as_array, beside, is_array
from tangent.runtime.broadcast import cast, gradient_dtype, refuse_joined, refuse_kinds, shape_of, unbroadcast
from tangent.runtime.caller import caller
from tangent.runtime.captures import NUMBERLESS, differentiable
from tangent.runtime.cast import COPIERS, FITTERS, argument_name, copy, has_none, zero_gradient
from tangent.runtime.fields import refuse_member
from tangent.runtime.functions.elementwise import float_array
from tangent.runtime.functions.real import is_complex, refuse_complex
from tangent.runtime.objects import Record, attributes
from tangent.runtime.seeds import NO_NUMBER, described
from tangent.runtime.zeros import (
    exotic,
    init_grad,
    is_record,
    keyless,
    no_keys,
    own_number,
    rebuild_dict,
    rebuild_record,
    rebuild_tuple,
)


def check_tangent(x, dx):
    """The tangent `dx` given for the argument `x`, in the structure and dtype of its gradient.

    Raises
    ------
    ShapeError
        If their shapes or structures differ.
    ArgumentTypeError
        If the argument has no derivative (a bool, a string, None).
    """
    refuse_kinds(caller())
    if type(x) is float is type(dx):
        return dx
    if type(x) is np.ndarray is type(dx) and x.dtype == dx.dtype and x.dtype.kind == 'f' and x.shape == dx.shape:
        return dx
    if isinstance(x, (tuple, list)):
        if not isinstance(dx, (tuple, list)) or len(x) != len(dx):
            raise ShapeError(_mismatch(x, dx))
        parts = [_part(v, d) for v, d in zip(x, dx)]
        return parts if isinstance(x, list) else rebuild_tuple(type(x), parts)
    if isinstance(x, dict):
        if not isinstance(dx, dict) or x.keys() != dx.keys():
            raise ShapeError(_mismatch(x, dx))
        made = rebuild_dict(x, _part, dx)
        if isinstance(made, collections.defaultdict):
            made.default_factory = zero_factory(made.default_factory)
        return no_keys(made) if type(made) is dict else made
    if is_record(x):
        if isinstance(dx, Record):           # what stands for a zero
            return dx
        if type(x) is not type(dx):
            raise ShapeError(_mismatch(x, dx))
        return rebuild_record(x, _part, dx)
    return _ranked(_check_leaf(x, dx), x)


def _part(x, dx):
    return None if dx is None else zero_tangent(x) if is_constant(x, dx) else check_tangent(x, dx)


def is_constant(x, dx):
    """Whether a part of a container is a word, a flag or a function, for which a container of that structure has another."""
    return (has_none(x) or callable(x)) and type(dx) is type(x)


def _check_leaf(x, dx):
    if has_none(x):
        raise ArgumentTypeError(f'wrt asks for the derivative by {argument_name(x)}, which is a {type(x).__name__}: only '
                                'numbers, arrays and containers of them have one')
    if isinstance(dx, (list, tuple)):
        dx = as_array(dx)
    if is_complex(dx) and not is_complex(x):
        refuse_complex(dx, 'The tangent')
    if isinstance(dx, (*NO_NUMBER, dict)) or shape_of(x) != shape_of(dx):
        raise ShapeError(_mismatch(x, dx))
    if type(x) in FITTERS:
        return FITTERS[type(x)](dx, x)
    if gradient_dtype(x) is not None:
        return cast(beside(dx, x) if np.ndim(dx) == 0 else dx, x)
    if type(dx) in (float, int) and exotic(x) is not None:
        return own_number(x, dx)
    return float(dx) if isinstance(x, (float, int)) and isinstance(dx, int) else dx


def _mismatch(x, dx):
    way_out = ': tangents come behind all the arguments, those with defaults too; give them by name' if dx is None else ''
    return f'Shape mismatch between argument value ({described(x)}) and its tangent ({described(dx)}){way_out}'


class OfFunction(dict):
    """The tangent of a function value: those of what it has captured, by name. The attributes of functions have none."""

    def __getattr__(self, name):
        raise FieldError(f'values with a derivative that a function has as its attributes, as .{name} here, are not followed '
                         'in forward mode: keep them in an object, and pass it to the function')

    def __setattr__(self, name, value):
        getattr(self, name)


class OfView:
    """The tangent of a read-only view of a dict: what that shows has none, and must be nothing that could have one."""

    def __init__(self, shown):
        self.shown = shown

    def __getitem__(self, key):
        if differentiable(self.shown[key]):
            self.__getattr__(key)
        return zero_tangent(self.shown[key])

    def get(self, key, default=None):
        return self[key] if key in self.shown else default

    def keys(self):
        return self.shown.keys()

    def __iter__(self):
        return self.__getattr__('an iterator')

    def __getattr__(self, name):
        raise FieldError(f'values that a {type(self.shown).__name__} gives have no tangent, as {name} here: read them from the '
                         'dict itself')


class OfSet(frozenset):
    """The tangent of a set: of what it held when it was made. What is put into a set has no derivative."""

    def __iter__(self):
        return map(zero_tangent, super().__iter__())

    def pop(self):
        return next(iter(self), 0.0)

    def clear(self):
        """What is left then has no tangents that anybody asks for."""

    def update(self, *tangents):
        """So has what comes."""


class OfMember:
    """The tangent of a member of an enumeration, whose attributes are constants."""

    def __init__(self, member):
        self.__dict__['member'] = member

    def __setattr__(self, name, value):
        refuse_member(self.member, name)

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return zero_tangent(getattr(self.member, name))


class OfModule:
    """The tangent of a module, whose variables are constants."""

    def __init__(self, module):
        self.__dict__['module'] = module

    def __bool__(self):
        return False

    def __getattr__(self, name):
        if name.startswith('__'):
            raise AttributeError(name)
        return zero_tangent(getattr(self.module, name))


class OfNumber(OfMember, float):
    """That of a member that is a number."""

    def __new__(cls, member):
        return super().__new__(cls, 0.0)


class OfNumberless(OfNumber):
    """That of a text, a date or a file, and of what is taken from it: it counts as zero where a number is made of that."""

    def __getitem__(self, index):
        return self

    def __iter__(self):
        return itertools.repeat(self)

    def __repr__(self):
        return 'None'


def zero_tangent(x):
    """The tangent of what does not depend on the arguments: zeros in the structure of `x`, None for what has none."""
    if isinstance(x, range):
        return [0.0] * len(x)
    if isinstance(x, collections.abc.KeysView):
        return [zero_tangent(key) for key in x]
    if not isinstance(x, (list, tuple, dict, collections.deque)):
        if isinstance(x, enum.Enum):
            return (OfNumber if isinstance(x, numbers.Number) else OfMember)(x)
        if isinstance(x, STEPPED):
            return zero_steps(x)
        found = init_grad(x)
        if isinstance(x, (types.FunctionType, functools.partial)) and (found is None or type(found) is dict):
            return OfFunction(found or {})
        if isinstance(x, types.MappingProxyType):
            of_signature = bool(x) and all(type(value) is inspect.Parameter for value in x.values())
            return {name: OfNumberless(value) for name, value in x.items()} if of_signature else OfView(x)
        if isinstance(x, types.ModuleType):
            return OfModule(x)
        if isinstance(x, (set, frozenset)):
            return OfSet(x)
        if isinstance(x, NUMBERLESS):
            return OfNumberless(x)
        if isinstance(x, BaseException):
            found = Record(x)
            found.args = zero_tangent(x.args)
            return found
        if not isinstance(found, Record):
            return found
    known, pending = {}, []
    found = zero_parts(x, known, pending)
    while pending:                  # at once: what an object holds is changed later
        made, thing = pending.pop()
        for name, value in attributes(thing).items():
            setattr(made, name, zero_parts(value, known, pending))
    return found


class ZeroSteps(map):
    """The tangent of an iterator that only gives what there is: `next` of both gives a value and its tangent."""


STEPPED: tuple = (type(iter([])), type(iter(())), type(iter('')), type(iter(range(0))), itertools.count, itertools.cycle,
                  ZeroSteps)


def zero_steps(x):
    endless = isinstance(x, (itertools.count, itertools.cycle, ZeroSteps))                     # of what is passive
    return ZeroSteps(zero_tangent, itertools.repeat(0.0) if endless else _copy.copy(x))


def each_none(tangent):
    """The tangent of what a zip goes through: of an iterator, which has none, None for each of its values."""
    return itertools.repeat(None) if tangent is None else tangent


def zero_parts(x, known, pending):
    """The same for a part of something: what is one thing in two places is so in the tangent, too."""
    if id(x) in known:
        return known[id(x)][0]
    if isinstance(x, (list, collections.deque)):
        found = [] if isinstance(x, list) else collections.deque(maxlen=x.maxlen)
        known[id(x)] = found, x
        found.extend([zero_parts(v, known, pending) for v in x])
    elif isinstance(x, tuple):
        found = rebuild_tuple(type(x), [zero_parts(v, known, pending) for v in x])
    elif isinstance(x, dict):
        missing = isinstance(x, collections.defaultdict)
        found = collections.defaultdict(zero_factory(x.default_factory)) if type(x) is collections.defaultdict else copy_of(x)
        known[id(x)] = found, x
        if missing:
            found.default_factory = zero_factory(x.default_factory)
        for key, value in dict.items(x):                                   # whatever its class says of these
            dict.__setitem__(found, key, zero_parts(value, known, pending))
        if hasattr(x, '__dict__') and type(x) is not collections.OrderedDict:        # a copy has the attributes of `x`
            found.__dict__ = found if vars(x) is x else {n: zero_parts(v, known, pending) for n, v in vars(x).items()}
    elif type(x) is np.ndarray and x.dtype.kind in 'fc':
        found = zero_view(x, known)
        known[id(x)] = found, x
    else:
        constant = isinstance(x, (types.MappingProxyType, types.ModuleType, enum.Enum, set, frozenset, *NUMBERLESS, *STEPPED))
        found = zero_tangent(x) if constant else init_grad(x)
        known[id(x)] = found, x
        if isinstance(found, Record):
            pending.append((found, x))
    return found


class ZeroFactory:
    """Makes the zero tangent of what a factory makes."""

    def __init__(self, factory):
        self.factory = factory

    def __call__(self):
        return zero_tangent(self.factory())


def zero_factory(factory):
    """What makes the tangent for a key that a `defaultdict` lacks: its own factory would make a value, such as 1.0."""
    empty = isinstance(factory, type) and factory.__module__ == 'builtins'                    # list, float
    return factory if factory is None or empty or isinstance(factory, ZeroFactory) else ZeroFactory(factory)


def zero_view(x, known):
    """The tangent of an array among others: a view of that of the array whose memory it is a view of, which others may be."""
    owner = x
    while type(owner.base) is np.ndarray:
        owner = owner.base
    whole = known.setdefault((id(owner), 'whole'), (np.zeros_like(owner), owner))[0]
    if owner is x or owner.dtype != x.dtype or owner.strides != whole.strides:
        return whole if owner is x else init_grad(x)
    start = x.__array_interface__['data'][0] - owner.__array_interface__['data'][0]
    flat = whole.ravel(order='K').view(np.uint8)
    return np.ndarray(x.shape, x.dtype, flat.data, start, x.strides)


def merge_tangents(dx, dy):
    """The tangent of `x | y`: of two dicts those of what they hold; masks have none."""
    return dx | dy if isinstance(dx, (dict, set)) else 0.0 * (dx + dy)


def copy_of(x):
    return keyless(x) if type(x) is dict else _copy.copy(x)


def broadcast_like(d, x):
    """The tangent `d` of `x`, broadcast as the value was; `d` itself where it has the shape.

    Raises
    ------
    ShapeError
        They are lists of several lengths: `x` has been joined with a list that has no tangent, and `d` may belong anywhere.
    """
    if isinstance(x, (list, tuple)):
        if len(d) != len(x):
            refuse_joined(d)
        return d
    if type(d) is type(x) is float:
        return d
    return _ranked(d, x) if shape_of(d) == shape_of(x) else unbroadcast(d, x)


def grown_like(d, x):
    """The tangent `d` of `x`, to which something without a tangent was added in place: a list gets zeros for it, in place."""
    if isinstance(x, list):
        d += [zero_tangent(v) for v in x[len(d):]]
        return d
    return broadcast_like(d, x)


NUMBERS = (int, float, complex, np.number)


def _ranked(d, x):
    """`d`, a number where `x` is one, of NumPy's where `x` is, which has methods, and an array of rank 0 where `x` is: `+=`
    writes into that, and binds numbers anew."""
    if type(d) is float and isinstance(x, np.generic):
        return np.float64(d)
    if type(d) is np.ndarray and d.ndim == 0 and isinstance(x, NUMBERS):
        return d[()]
    return np.asarray(d) if type(x) is np.ndarray and x.ndim == 0 and isinstance(d, NUMBERS) else d


def float_asarray(dx, dtype=None):
    """The tangent of `numpy.asarray(x, dtype)`: the same array where that is; 0 through integers."""
    if is_array(dx) and dtype is None:
        return dx
    return float_array(dx, dtype)


def array_beside(dx, x, y, dtype=None):
    """The tangent of `y`, an array made of `x` with a dtype or an order: that of `x` itself where `y` is in the memory of `x`.

    What is written into one of them is then written into both, or into neither, as it is with the values; and it lies in
    memory as `y` does, so that views of it are views and copies are copies.
    """
    if is_array(dx) and shared(x, y):
        return dx
    made = float_array(dx, dtype)
    turned = type(made) is type(y) is np.ndarray and made.ndim == y.ndim and y.flags.f_contiguous
    return np.asfortranarray(made) if turned and not y.flags.c_contiguous else made


def conjugate_beside(dx, x, y):
    """The tangent of `x.conj()`, which is the array itself where that is real."""
    return dx if is_array(dx) and shared(x, y) else np.conj(dx)


def shared(x, y):
    return y is x or isinstance(x, np.ndarray) and np.may_share_memory(x, y)


def partial_tangent(f, df, count, parts):
    """The tangent of `functools.partial(f, ...)` with so many positional arguments, of which `parts` have tangents.

    A partial of a partial is one partial, unless that has attributes: places count from the end of its arguments.
    """
    if isinstance(f, functools.partial) and functools.partial(f).func is not f:
        return {**{k - count if isinstance(k, int) else k: d for k, d in (df or {}).items()}, **parts}
    return parts if df is None else {'__func__': df, **parts}


def sort_both(xs, dxs, *at, axis=-1, kind=None, key=None, reverse=False):
    """`xs.sort()` of a list or array, and the same order for its tangent."""
    if is_array(xs):
        axis = at[0] if at else axis
        order = np.argsort(xs, axis=axis, kind='stable')
        xs[...] = np.take_along_axis(xs, order, axis)
        dxs[...] = np.take_along_axis(dxs, order, axis)
    else:
        order = order_of(xs, key, reverse)
        sorted_values, sorted_tangents = [xs[k] for k in order], [dxs[k] for k in order]
        xs[:] = sorted_values
        dxs[:] = sorted_tangents


def order_of(values, key, reverse):
    """The places of values in the order in which `sort` puts them."""
    return sorted(range(len(values)), key=(lambda k: values[k]) if key is None else (lambda k: key(values[k])), reverse=reverse)


def remove_both(xs, dxs, value):
    """`xs.remove(value)` of a list, and the same for its tangent."""
    place = xs.index(value)
    del xs[place]
    del dxs[place]


def overwrite(d, value):
    """The new tangent `value` in place of `d`: written into `d` if that is an array, which others may hold."""
    if not is_array(d) and type(d) not in COPIERS:
        return value
    d[...] = value
    return d


__all__ = ['broadcast_like', 'check_tangent', 'copy', 'grown_like', 'overwrite', 'zero_gradient', 'zero_tangent']
