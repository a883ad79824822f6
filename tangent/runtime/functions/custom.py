"""Run time of the user's own rules: what functions such as `hook` do when called, and checks of what custom rules give."""
import numpy as np

from tangent.errors import ArgumentTypeError, RecomputeError, ShapeError
from tangent.runtime.broadcast import shape_of
from tangent.runtime.cast import copy
from tangent.runtime.seeds import NO_NUMBER
from tangent.runtime.zeros import init_grad


def stop_gradient(x):
    """The value of `x`, through which no derivative flows: a copy, for arrays and containers.

    Parameters
    ----------
    x : object
        A number, an array, or a container of them.

    Returns
    -------
    object
        Of the structure, shapes and dtypes of `x`.

    Examples
    --------
    >>> tangent.grad(lambda x: x * tangent.stop_gradient(x))(3.0)
    3.0
    """
    return copy(x)


def hook(f, x):
    """The value of `x`. In the backward pass its gradient `g` is replaced by `f(g)`.

    Parameters
    ----------
    f : function
        From a gradient to a gradient, of the shape of `x`.
    x : number or array

    Returns
    -------
    number or array
        `x`.

    Examples
    --------
    >>> def loss(x):
    ...     return tangent.hook(lambda g: numpy.clip(g, -1, 1), x) ** 2
    >>> float(tangent.grad(loss)(3.0))
    1.0
    """
    return x


def nest_level():
    """How many derivatives the code that calls this is in: 0 when run as it is, 1 in a gradient, 2 in one of that.

    Returns
    -------
    int

    Examples
    --------
    >>> def f(x):
    ...     return x * tangent.nest_level()
    >>> f(3.0), tangent.grad(f)(3.0)
    (0.0, 1.0)
    """
    return 0


def of_forward(found):
    """What the forward pass of a `custom_vjp` gave: its value, and what it keeps.

    Raises
    ------
    ArgumentTypeError
        If it is no pair: an array of two elements is none, although it could be taken apart like one.
    """
    return _pair(found, 'the forward pass of a custom_vjp', 'its value and what it keeps for the backward pass')


def of_rule(found):
    """What the rule of a `custom_jvp` gave: the value and its tangent.

    Raises
    ------
    ArgumentTypeError
        If it is no pair.
    """
    return _pair(found, 'the rule of a custom_jvp', 'the value and its tangent')


def _pair(found, whose, parts):
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        raise ArgumentTypeError(f'{whose} returned {_given(found)}: it has to return a pair, {parts}')
    return found


def of_arguments(found, *args):
    """The gradients that the backward pass of a `custom_vjp` gave, one for each argument; None stands for a zero.

    Raises
    ------
    ArgumentTypeError
        If it is no tuple of as many elements as there are arguments.
    ShapeError
        If a gradient has another shape than its argument.
    """
    if not isinstance(found, (tuple, list)) or len(found) != len(args):
        raise ArgumentTypeError(f'the backward pass of a custom_vjp returned {_given(found)}: it has to return a tuple of '
                                f'{len(args)}, one gradient for each argument (None where there is none)')
    return tuple(_of_argument(k, g, x) for k, (g, x) in enumerate(zip(found, args)))


def _given(value):
    if isinstance(value, (tuple, list)):
        return f'{len(value)} values'
    return 'an array' if isinstance(value, np.ndarray) else 'None' if value is None else f'a {type(value).__name__}'


def _of_argument(k, g, x):
    if g is None:
        return init_grad(x)
    if isinstance(x, (float, int, np.ndarray, np.generic)) and shape_of(g) != shape_of(x):
        raise ShapeError(f'the backward pass of a custom_vjp returned a gradient of shape {shape_of(g)} for argument {k}, '
                         f'which has shape {shape_of(x)}')
    return g


def fitting(g, x, name, k):
    """The gradient `g` that the rule of a function made for its argument `x`, number `k`.

    Raises
    ------
    ShapeError
        If it has another shape than the argument: a sum over broadcast axes is missing, or a number was not spread.
    """
    plain = (float, int, complex, np.ndarray, np.generic)
    if isinstance(x, plain) and isinstance(g, NO_NUMBER):
        raise ArgumentTypeError(f'the rule of {name} made {_given(g)} where the gradient of argument {k} has to be: a number '
                                'or an array')
    if isinstance(x, plain) and isinstance(g, plain) and shape_of(g) != shape_of(x):
        raise ShapeError(f'the rule of {name} made a gradient of shape {shape_of(g)} for argument {k}, which has '
                         f'shape {shape_of(x)}: sum it over the axes that were broadcast, or spread it over the argument')
    return g


def check_recomputed(y, again):
    """Check that a function that is computed again in the backward pass gave the same.

    Raises
    ------
    RecomputeError
        If it did not: it draws random numbers, or depends on something that has changed since.
    """
    if not same(y, again):
        raise RecomputeError('a checkpointed function gave another value when it was computed again in the backward pass: '
                             'it has to depend on its arguments alone (draw random numbers outside, or from a generator '
                             'seeded inside)')


def same(y, again):
    if isinstance(y, (tuple, list)):
        return isinstance(again, (tuple, list)) and len(y) == len(again) and all(map(same, y, again))
    if isinstance(y, dict):
        return isinstance(again, dict) and y.keys() == again.keys() and all(same(y[k], again[k]) for k in y)
    if isinstance(y, (float, complex, np.ndarray, np.generic)):
        a, b = np.asarray(y), np.asarray(again)
        return a.shape == b.shape and bool(np.all((a == b) | (a != a) & (b != b)))
    return True
