"""The interfaces of `jax` and `torch.func`, with their names, argument orders and results.

    value, pullback = tangent.func.vjp(f, x, w)          gx, gw = pullback(1.0)
    value, tangent = tangent.func.jvp(f, (x, w), (dx, dw))

`vmap` is none of ours: write the loop, or the array expression.
"""
from __future__ import annotations

from tangent import errors
from tangent.interfaces import autograd, linear_maps, registered  # noqa: F401
from tangent.interfaces import grad as grad_util
from tangent.interfaces.arguments import asks
from tangent.interfaces.jacobians import matrices, operators
from tangent.runtime.zeros import init_grad

__all__ = ['grad', 'hessian', 'jacfwd', 'jacrev', 'jvp', 'linearize', 'value_and_grad', 'vjp', 'vmap']


@asks
def grad(f, argnums=0, has_aux=False, holomorphic=False):
    """The gradient of `f` by the arguments at `argnums`: bare for an int, a tuple for a tuple.

    With `holomorphic`, the complex derivative `f'(z)` of a function with a complex result.

    Parameters
    ----------
    f : function
    argnums : int or tuple of int
    has_aux : bool
        `f` returns a pair, of which the second is handed on.
    holomorphic : bool

    Returns
    -------
    function
        Takes the arguments of `f`; each gradient has the shape and dtype of its argument.

    Raises
    ------
    ArgumentError
        If both `has_aux` and `holomorphic` are given.

    See Also
    --------
    tangent.grad : the same with more options.

    Examples
    --------
    >>> tangent.func.grad(lambda x, w: x * w, argnums=(0, 1))(3.0, 5.0)
    (5.0, 3.0)
    """
    if holomorphic:
        refuse_aux(has_aux)
        return autograd.holomorphic_grad(f, argnums=argnums)
    return grad_util.grad(f, argnums=argnums, has_aux=has_aux)


@asks
def value_and_grad(f, argnums=0, has_aux=False, holomorphic=False):
    """A function that gives `(value, gradient)`, with `has_aux` `((value, aux), gradient)`; `holomorphic` as for `grad`.

    Parameters
    ----------
    f, argnums, has_aux, holomorphic
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `f`; gives the pair.

    Examples
    --------
    >>> tangent.func.value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    if holomorphic:
        derivative = grad(f, argnums, has_aux, True)
        return lambda *args, **keywords: (f(*args, **keywords), derivative(*args, **keywords))
    return grad_util.value_and_grad(f, argnums=argnums, has_aux=has_aux)


@asks
def vjp(f, *primals, has_aux=False):
    """`(value, pullback)`, where `pullback(gradient of the value)` is a tuple of the gradients of all `primals`.

    With `has_aux`, `f` returns a pair, and the result is `(value, pullback, aux)`.

    Parameters
    ----------
    f : function
    *primals : object
        Its arguments.
    has_aux : bool

    Returns
    -------
    tuple
        The value, the pullback, and with `has_aux` the aux.

    Examples
    --------
    >>> value, pullback = tangent.func.vjp(lambda x, w: x * w, 3.0, 5.0)
    >>> value, pullback(1.0)
    (15.0, (5.0, 3.0))
    """
    value, pull = linear_maps.pulling(f, tuple(range(len(primals))))(primals, {})
    value, aux = _pair(value) if has_aux else (value, None)
    pullback = (lambda gradient: pull((gradient, init_grad(aux)))) if has_aux else (lambda gradient: pull(gradient))
    pullback.written_out = lambda: operators.func_vjp(f, *primals, has_aux=has_aux)[1]
    return (value, pullback, aux) if has_aux else (value, pullback)


@asks
def jvp(f, primals, tangents, has_aux=False):
    """`(value, tangent)` of `f` at the tuple `primals` along the tuple `tangents`; with `has_aux` the aux follows.

    Parameters
    ----------
    f : function
    primals, tangents : tuple
        The arguments, and for each a tangent of its shape.
    has_aux : bool

    Returns
    -------
    tuple

    Raises
    ------
    ArgumentTypeError
        If one of them is no tuple.
    ArgumentError
        If they differ in length.

    Examples
    --------
    >>> tangent.func.jvp(lambda x, w: x * w, (3.0, 5.0), (1.0, 0.0))
    (15.0, 5.0)
    """
    for what, given in (('primals', primals), ('tangents', tangents)):
        if not isinstance(given, (tuple, list)):
            raise errors.ArgumentTypeError(f'{what} has to be a tuple with one entry for each argument, not {given!r}')
    if len(primals) != len(tangents):
        raise errors.ArgumentError(f'{len(primals)} primals and {len(tangents)} tangents are given')
    value, tangent = linear_maps.pushing(f, tuple(range(len(primals))))(tuple(primals), {}, tuple(tangents))
    if not has_aux:
        return value, tangent
    (value, aux), (tangent, _) = _pair(value), _pair(tangent)
    return value, tangent, aux


@asks
def linearize(f, *primals):
    """`(value, push)`, where `push(*tangents)` is the tangent of the value.

    Parameters
    ----------
    f : function
    *primals : object
        Its arguments.

    Returns
    -------
    tuple
        The value, and a function of tangents of the shapes of the arguments.

    Examples
    --------
    >>> value, push = tangent.func.linearize(lambda x: x * x, 3.0)
    >>> value, push(1.0)
    (9.0, 6.0)
    """
    pushed = linear_maps.pushing(f, tuple(range(len(primals))))
    push = lambda *tangents: pushed(primals, {}, tangents)[1]  # noqa: E731
    push.written_out = lambda: operators.func_linearize(f, *primals)[1]
    return f(*primals), push


@asks
def jacfwd(f, argnums=0, *, holomorphic=False, chunk_size=None):
    """The Jacobian by forward mode: `output.shape + input.shape`; a holomorphic function need not be called so.

    Parameters
    ----------
    f : function
    argnums : int or tuple of int
    holomorphic : bool
        Taken, and not needed.
    chunk_size : int
        As for `tangent.jacobian`.

    Returns
    -------
    function
        Takes the arguments of `f`; gives an array, or a container of arrays.

    See Also
    --------
    tangent.jacobian

    Examples
    --------
    >>> tangent.func.jacfwd(lambda x: x[:2] * x[2])(numpy.array([1.0, 2.0, 3.0]))
    array([[3., 0., 1.],
           [0., 3., 2.]])
    """
    return matrices.jacobian(f, argnums=argnums, mode='forward', chunk_size=chunk_size)


@asks
def jacrev(f, argnums=0, *, holomorphic=False, chunk_size=None):
    """The Jacobian by reverse mode: `output.shape + input.shape`; a holomorphic function need not be called so.

    Parameters
    ----------
    f : function
    argnums : int or tuple of int
    holomorphic : bool
        Taken, and not needed.
    chunk_size : int
        As for `tangent.jacobian`.

    Returns
    -------
    function
        Takes the arguments of `f`; gives an array, or a container of arrays.

    See Also
    --------
    tangent.jacobian

    Examples
    --------
    >>> tangent.func.jacrev(lambda x: x[:2] * x[2])(numpy.array([1.0, 2.0, 3.0]))
    array([[3., 0., 1.],
           [0., 3., 2.]])
    """
    return matrices.jacobian(f, argnums=argnums, mode='reverse', chunk_size=chunk_size)


@asks
def hessian(f, argnums=0):
    """The matrix of second derivatives, forward over reverse.

    Parameters
    ----------
    f : function
    argnums : int or tuple of int

    Returns
    -------
    function
        Takes the arguments of `f`; gives an array of shape `output.shape + input.shape + input.shape`.

    See Also
    --------
    tangent.hessian

    Examples
    --------
    >>> tangent.func.hessian(lambda x: x ** 3)(2.0)
    12.0
    """
    return matrices.hessian(f, argnums=argnums)


def vmap(*args, **keywords):
    """Not there: tangent differentiates a function, and does not rewrite it for one more axis.

    Parameters
    ----------
    *args, **keywords
        Whatever `jax.vmap` takes.

    Raises
    ------
    ArgumentError
        Always; it says what to write instead.

    Examples
    --------
    >>> try:
    ...     tangent.func.vmap(numpy.sin)
    ... except tangent.errors.ArgumentError:
    ...     print('write the loop')
    write the loop
    """
    raise errors.ArgumentError('tangent.func has no vmap: write a loop or an array expression over the axis; numpy.vectorize '
                               'and jacobian(..., chunk_size=...) are close to it')


def refuse_aux(has_aux):
    if has_aux:
        raise errors.ArgumentError('give has_aux=True or holomorphic=True, not both')


def _pair(value):
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise errors.ArgumentTypeError(f'has_aux: the result is a {type(value).__name__}, and has to be a pair')
    return value


operators.register({vjp: operators.func_vjp, jvp: operators.func_jvp, linearize: operators.func_linearize,
                    jacfwd: operators.func_jacobian, jacrev: operators.func_jacobian, hessian: operators.hessian})
