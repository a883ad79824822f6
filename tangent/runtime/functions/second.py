"""Run-time functions of derivatives of derivatives: how the run time's own functions are differentiated."""
import numpy as np

from tangent.errors import RecomputeError
from tangent.runtime.add import _as_arrays, add_at
from tangent.runtime.array_api import as_array, counted, is_array, is_foreign, peer
from tangent.runtime.broadcast import unbroadcast
from tangent.runtime.functions.elementwise import unconcatenate
from tangent.runtime.functions.numpy.products import uneinsum
from tangent.runtime.objects import attributes
from tangent.runtime.zeros import exotic, init_grad


def as_it_was(x):
    """`x`, through which no derivative flows."""
    return x


def check_again(gradients, vectors, seed, moved):
    """Check that gradients and a tangent are those of one function: `v . gradient = seed . tangent along v`.

    Raises
    ------
    RecomputeError
        If they are not: the function gave something else when it was run again, or has a gradient of its own making.
    """
    left, right = _products(gradients, vectors), _products(seed, moved)
    total, size = sum(left), sum(map(abs, left)) + sum(map(abs, right))
    rounding = 1e-8 * sum(map(abs, _products(vectors, vectors))) ** 0.5        # a gradient may be zero but for that
    if size < np.inf and abs(total - sum(right)) > 1e-3 * size + rounding:
        raise RecomputeError('a derivative in the log form is differentiated by way of forward mode, and forward mode gave '
                             'another derivative: the function has to depend on its arguments alone (draw random numbers '
                             'outside), and its gradient may not be changed by hand')


def _products(a, b):
    """The products of the numbers in two values of one structure."""
    if a is None or b is None:
        return []
    if isinstance(a, (tuple, list)):
        return [p for x, y in zip(a, b) for p in _products(x, y)]
    if isinstance(a, dict):
        return [p for k in a for p in _products(a[k], b[k])]
    if exotic(a) is not None or exotic(b) is not None:
        return _other_products(a, b)
    if isinstance(a, (float, int, complex, np.ndarray, np.generic)) or is_foreign(a):
        return np.ravel(np.real(np.conj(a) * b)).tolist()
    return [p for k, x in attributes(a).items() for p in _products(x, getattr(b, k))]


def _other_products(a, b):
    """The same for numbers of third parties; none of symbols, which are no floats."""
    try:
        return [float(x) * float(y) for x, y in zip(np.ravel(a), np.ravel(b))]
    except TypeError:
        return []


def unadd_at(d, index, v):
    """The gradient of `v`, from that of `add_at(bx, index, v)`."""
    if not is_array(d) and not isinstance(d, (int, float, complex)):
        return d.get(index) if isinstance(d, dict) else d[index]
    return unbroadcast(np.asarray(d)[index] if not is_array(d) else d[_as_arrays(index, d)], v)


def unadd_at_from(g, d, index):
    """The gradient of `d`, from that of `unadd_at(d, index, v)`."""
    return add_at(init_grad(d), index, g)


def einsum_with(d, subscripts, operands, which):
    """`numpy.einsum(subscripts, *operands)` with operand number `which` replaced by `d`."""
    return np.einsum(subscripts, *_replaced(operands, which, d))


def uneinsum_operands(d, g, subscripts, operands, which):
    """The gradients of all operands, from that of `uneinsum(g, subscripts, operands, which)`."""
    given = _replaced(operands, which, d)
    return tuple(init_grad(x) if k == which else uneinsum(g, subscripts, given, k) for k, x in enumerate(operands))


def push_uneinsum(dg, doperands, g, subscripts, operands, which):
    """The tangent of `uneinsum(g, subscripts, operands, which)`."""
    found = uneinsum(dg, subscripts, operands, which)
    for k, d in enumerate(doperands):
        if k != which:
            found = found + uneinsum(g, subscripts, _replaced(operands, k, d), which)
    return found


def _replaced(operands, which, d):
    return tuple(d if k == which else x for k, x in enumerate(operands))


def push_ix(dargs, y):
    """The tangent of `y = numpy.ix_(*args)`."""
    return tuple(np.reshape(d, v.shape) if np.size(d) == v.size else np.zeros(v.shape, like=peer(v)) for d, v in zip(dargs, y))


def unpush_ix(g, dargs):
    """The gradients of the tangents that `push_ix(dargs, y)` takes."""
    return tuple(np.reshape(b, np.shape(d)) if np.size(d) == np.size(b) else init_grad(d) for b, d in zip(g, dargs))


def reconcatenate(d, g, arrays, axis=0):
    """The gradient of `g`, from those of the parts that `unconcatenate(g, arrays, axis)` gives."""
    places = unconcatenate(counted(float(np.size(g)), g).reshape(np.shape(g)), arrays, axis)
    out = np.zeros(np.size(g), np.result_type(g, 0.0), like=peer(g))
    for place, part in zip(places, d):
        out[as_array(place).astype(int).ravel()] = np.ravel(part)
    return out.reshape(np.shape(g))
