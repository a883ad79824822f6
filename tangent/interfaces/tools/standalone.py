"""Functions of the run time as an exported module has them that runs without this library: for numbers, arrays, lists, tuples
and dicts of these, without the types that people register and without lazy zeros.

They are written into the module as they stand here, so each reads nothing but NumPy and the others.
"""
import types

import numpy


def shape_of(x):
    return numpy.shape(x) if isinstance(x, (list, tuple)) else getattr(x, 'shape', ())


def fields_of(x):
    return list(vars(x)) if hasattr(x, '__dict__') else ()


class Fields(list):
    """The gradient of a namedtuple, while it is summed."""

    def __init__(self, names, values):
        list.__init__(self, values)
        self.__dict__['names'] = names

    def __getattr__(self, name):
        return self[self.__dict__['names'].index(name)]

    def __setattr__(self, name, value):
        self[self.__dict__['names'].index(name)] = value


def init_grad(x, allow_lazy_initializer=False):
    if isinstance(x, (list, tuple)) and not hasattr(x, '_fields'):
        return [init_grad(v) for v in x]
    if isinstance(x, dict):
        return {k: init_grad(v) for k, v in x.items()}
    if isinstance(x, numpy.ndarray):
        return numpy.zeros(x.shape, x.dtype if x.dtype.kind in 'fcO' else float)
    if isinstance(x, numpy.generic):
        return x.dtype.type(0) if x.dtype.kind in 'fc' else numpy.float64(0)
    if isinstance(x, (int, float, complex)):
        return 0j if isinstance(x, complex) else 0.0
    if hasattr(x, '_fields'):
        return Fields(x._fields, [init_grad(v) for v in x])
    names = () if callable(x) else fields_of(x)
    return types.SimpleNamespace(**{n: init_grad(getattr(x, n)) for n in names}) if names else None


def gradient_like(values, parts):
    return Fields(values._fields, parts) if hasattr(values, '_fields') else list(parts)


def zero_gradient(x, *read):
    return astype(init_grad(x), x)


def add_grad(left, right):
    if left is None or right is None:
        return right if left is None else left
    if isinstance(left, Fields):
        return Fields(left.__dict__['names'], [add_grad(a, b) for a, b in zip(left, right)])
    if isinstance(left, (list, tuple)):
        return [add_grad(a, b) for a, b in zip(left, right)]
    if isinstance(left, dict):
        return {k: add_grad(left.get(k), right.get(k)) for k in {**left, **right}}
    if isinstance(left, types.SimpleNamespace):
        return types.SimpleNamespace(**{n: add_grad(getattr(left, n), getattr(right, n, None)) for n in vars(left)})
    return left + right


def unbroadcast(b, x):
    if isinstance(b, (list, tuple)) and isinstance(x, (list, tuple)):
        return type(x)(unbroadcast(a, v) for a, v in zip(b, x))
    shape = shape_of(x)
    if numpy.shape(b) != shape:
        b = numpy.asarray(b)
        extra = tuple(range(b.ndim - len(shape)))
        b = b.sum(axis=extra) if extra else b
        axes = tuple(k for k, n in enumerate(shape) if n == 1 and b.shape[k] != 1)
        b = b.sum(axis=axes, keepdims=True) if axes else b
        b = numpy.broadcast_to(b, shape).copy() if b.shape != shape else b
    real = not numpy.iscomplexobj(x) if isinstance(x, (numpy.ndarray, numpy.generic)) else not isinstance(x, complex)
    return b.real if real and numpy.iscomplexobj(b) else b


def astype(b, x):
    if b is None:
        b = init_grad(x)
    if isinstance(x, tuple) and hasattr(x, '_fields'):
        return type(x)(*[astype(a, v) for a, v in zip(b, x)])
    if isinstance(x, (list, tuple)) and isinstance(b, (list, tuple)):
        return type(x)([astype(a, v) for a, v in zip(b, x)])
    if isinstance(x, dict):
        return {k: astype(b.get(k), v) for k, v in x.items()}
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        kind = x.dtype if x.dtype.kind in 'fc' else numpy.dtype(float)
        return numpy.asarray(b, kind).reshape(x.shape) if isinstance(x, numpy.ndarray) else kind.type(b)
    if isinstance(b, types.SimpleNamespace):
        return types.SimpleNamespace(**{n: astype(getattr(b, n, None), v) for n, v in vars(x).items()})
    return b


def cast(b, x):
    return astype(b, x) if isinstance(x, (numpy.ndarray, numpy.generic)) else b.real if numpy.iscomplexobj(b) else b


def copy(x):
    if isinstance(x, (list, tuple)):
        parts = [copy(v) for v in x]
        return type(x)(*parts) if hasattr(x, '_fields') else type(x)(parts)
    if isinstance(x, dict):
        return {k: copy(v) for k, v in x.items()}
    return x.copy() if isinstance(x, numpy.ndarray) else x


def seed_for(y, by):
    if isinstance(y, (list, tuple)):
        if not isinstance(by, (list, tuple)):
            raise ValueError('Shape mismatch between return value and seed')
        return type(y)(seed_for(v, b) for v, b in zip(y, by))
    if isinstance(y, dict):
        return {k: seed_for(v, by[k]) for k, v in y.items()}
    if numpy.shape(by) != shape_of(y):
        if numpy.shape(by) == () and numpy.size(y) == 1:
            return numpy.full(shape_of(y), by, float)
        raise ValueError(f'Shape mismatch between return value ({shape_of(y)}) and seed ({numpy.shape(by)})')
    return float(by) if isinstance(by, int) else by


def check_dims(y, by, *leaves):
    return seed_for(y, by)


def check_number(y, by):
    if numpy.size(y) != 1 or isinstance(y, (list, tuple, dict)):
        raise TypeError(f'the result is no number: it has the shape {shape_of(y)}')
    return seed_for(y, by)


def check_scalar(by):
    if numpy.shape(by) != ():
        raise ValueError(f'Shape mismatch between return value (()) and seed ({numpy.shape(by)})')
    return float(by) if isinstance(by, int) else by


def check_ones(y, by):
    return by if numpy.shape(by) == shape_of(y) else numpy.broadcast_to(numpy.asarray(by, float), shape_of(y)).copy()


def check_tangent(x, dx):
    if isinstance(x, (list, tuple)):
        return type(x)(check_tangent(v, d) for v, d in zip(x, dx))
    if isinstance(x, (int, float, complex, numpy.ndarray, numpy.generic)) and numpy.shape(dx) != shape_of(x):
        raise ValueError(f'Shape mismatch between argument value ({shape_of(x)}) and its tangent ({numpy.shape(dx)})')
    return float(dx) if isinstance(dx, int) else dx


def zero_tangent(x):
    return init_grad(x)


def first_seed(y, by):
    return (by, *[init_grad(v) for v in y[1:]]) if isinstance(y, tuple) else by


def array_size(x, axis=None):
    axes = range(numpy.ndim(x)) if axis is None else (axis,) if isinstance(axis, int) else axis
    return int(numpy.prod([numpy.shape(x)[k] for k in axes]))


def unreduce(b, shape, axis=None, keepdims=False):
    b = numpy.asarray(b)
    if axis is not None and not keepdims:
        b = numpy.expand_dims(b, tuple(axis) if isinstance(axis, (tuple, list)) else axis)
    return numpy.broadcast_to(b, shape).copy()


def unreduce_like(array, original_array, axis=None, keepdims=False, where=True):
    found = unreduce(array, numpy.shape(original_array), axis, keepdims)
    return found if where is True else numpy.where(where, found, 0)


def check_pair(x):
    if not isinstance(x, tuple) or len(x) != 2:
        raise TypeError('with has_aux=True the function returns a pair')
    return x


def ObjectGrad(of='object', /, **fields):
    return types.SimpleNamespace(**fields)


def check_called(owner, name, function, above=None):
    held = getattr(type(owner), name, None)
    if getattr(held, 'fget', held) is not function and above is None:
        raise TypeError(f'what has .{name} here is none of the objects that the derivative was made for')


def exotic(x):
    return None


def own_number(x, value):
    return float(value)


def peer(*values):
    return None


def is_foreign(x):
    return False


is_sparse = is_foreign


def is_array(x):
    return isinstance(x, numpy.ndarray)


def as_array(x, dtype=None):
    return numpy.asarray(x, dtype)


def at_least_1d(x):
    return numpy.atleast_1d(x)


def beside(x, *values):
    return x


def counted(n, *values):
    return numpy.arange(n)


def dtype_of(x):
    return getattr(x, 'dtype', None)


def real_dtype(dtype):
    return dtype if dtype.kind in 'fcO' else numpy.dtype(float) if dtype.kind in 'iub' else None


def gradient_dtype(x):
    return real_dtype(x.dtype) if hasattr(x, 'dtype') else None


FUNCTIONS = {name: thing for name, thing in list(globals().items()) if callable(thing)}
