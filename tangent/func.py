"""The interfaces of `jax` and `torch.func`, with their names, argument orders and results.

    value, pullback = tangent.func.vjp(f, x, w)          gx, gw = pullback(1.0)
    value, tangent = tangent.func.jvp(f, (x, w), (dx, dw))

`tangent.grad`, `tangent.value_and_grad`, `tangent.jacobian`, `tangent.hessian` take `argnums=` and `has_aux=`, too.
"""
from tangent import errors
from tangent.interfaces import arguments, linear_maps, registered  # noqa: F401
from tangent.interfaces import grad as grad_util
from tangent.interfaces.arguments import asks
from tangent.interfaces.jacobians import matrices, operators
from tangent.interfaces.vmap import vmap
from tangent.runtime.zeros import init_grad

__all__ = ['grad', 'grad_and_value', 'hessian', 'jacfwd', 'jacrev', 'jvp', 'linearize', 'value_and_grad', 'vjp', 'vmap']


LOOPS = 'loops and branches of Python are differentiated as they are'
TREES = 'there are tangent.tree_map and tangent.ravel_pytree'
RULES = 'that is tangent.custom_vjp, with f.defvjp(fwd, bwd)'
NO_TAPE = 'outside of a derivative nothing is recorded: leave it out'
SOLVERS = "call SciPy's, which has a derivative as it is"
ELSEWHERE = {              # names of JAX, PyTorch, autograd and Julia that are not here -> what is in their place
    'jit': 'tangent.grad(f, jit=True), and the derivative of what numba.njit compiles, are compiled by Numba',
    'pmap': "tangent.vmap(f, jit={'parallel': True}) runs on all cores",
    'functional_call': 'a network is an object, and an argument like any other: tangent.grad(loss)(network, x, y)',
    'stack_module_state': 'tangent.tree_map(lambda *each: numpy.stack(each), *networks) is an ensemble for tangent.vmap',
    'functionalize': 'functions may write into arrays and objects as they are',
    'lax': f'{LOOPS}; stop_gradient is tangent.stop_gradient',
    **dict.fromkeys(('scan', 'while_loop', 'fori_loop', 'cond', 'switch'), LOOPS),
    'numpy': 'write the function with numpy itself',
    **dict.fromkeys(('tree', 'tree_util', 'tree_leaves', 'tree_flatten', 'tree_unflatten', 'flatten'), TREES),
    'make_jaxpr': 'tangent.source(tangent.grad(f)) shows a derivative',
    'backward': 'tangent.grad(f)(x) gives the gradient, and nothing is kept in arrays',
    **dict.fromkeys(('no_grad', 'enable_grad', 'inference_mode'), NO_TAPE),
    **dict.fromkeys(('tensor', 'Tensor', 'Variable'), 'arrays are those of NumPy: numpy.array'),
    'nn': 'a network is an object or a tree of arrays, and an argument like any other: tangent.grad(loss)(network, x, y)',
    'optim': 'a step is tangent.tree_map(lambda p, g: p - rate * g, parameters, gradient)',
    'autograd': 'the names of autograd stand in tangent itself',
    'Function': RULES,
    'gradcheck': 'that is tangent.check_grads',
    'detect_anomaly': 'that is tangent.debug_nans',
    **dict.fromkeys(('detach', 'ignore_derivatives'), 'that is tangent.stop_gradient'),
    'derivative': 'tangent.grad(f)(x) is that of a number, tangent.elementwise_grad(f)(x) that of each element',
    'withgradient': 'that is tangent.value_and_grad(f)(x)',
    'pullback': 'that is tangent.func.vjp(f, x), or tangent.vjp(f) for a function of (x, seed)',
    'pushforward': 'that is tangent.func.jvp(f, (x,), (dx,)), or tangent.jvp(f) for a function of (x, dx)',
    'rrule': RULES,
    'frule': 'that is tangent.custom_jvp, with f.defjvp(rule)',
    **dict.fromkeys(('Reverse', 'Forward'), "tangent.autodiff(f, mode='reverse') or mode='forward'"),
    'fixed_point': 'that is tangent.implicit.fixed_point',
    **dict.fromkeys(('odeint', 'minimize'), SOLVERS),
}
OURS = 'checkpoint check_grads custom_jvp custom_vjp hvp jacobian ravel_pytree remat stop_gradient tree_map'.split()


def __getattr__(name):
    said = f': that is tangent.{name}' if name in OURS else f': {ELSEWHERE[name]}' if name in ELSEWHERE else ''
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}{said}')


@asks
def grad(f, argnums=0, has_aux=False, holomorphic=False, allow_int=None):
    """The gradient of `f` by the arguments at `argnums`: bare for an int, a tuple for a tuple.

    With `holomorphic`, the complex derivative `f'(z)` of a function with a complex result.

    Parameters
    ----------
    f : function
    argnums : int or tuple of int
    has_aux : bool
        `f` returns a pair, of which the second is handed on.
    holomorphic : bool
    allow_int : bool
        Taken, and not needed: integers have float64 gradients.

    Returns
    -------
    function
        Takes the arguments of `f`; each gradient has the shape and dtype of its argument.

    See Also
    --------
    tangent.grad : the same with more options.

    Examples
    --------
    >>> tangent.func.grad(lambda x, w: x * w, argnums=(0, 1))(3.0, 5.0)
    (5.0, 3.0)
    """
    return grad_util.grad(f, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


@asks
def value_and_grad(f, argnums=0, has_aux=False, holomorphic=False, allow_int=None):
    """A function that gives `(value, gradient)`, with `has_aux` `((value, aux), gradient)`; `holomorphic` as for `grad`.

    Parameters
    ----------
    f, argnums, has_aux, holomorphic, allow_int
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
    return grad_util.value_and_grad(f, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic)


@asks
def grad_and_value(f, argnums=0, has_aux=False):
    """A function that gives `(gradient, value)`, as PyTorch's does; with `has_aux` `(gradient, (value, aux))`.

    Parameters
    ----------
    f, argnums, has_aux
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `f`; gives the pair.

    See Also
    --------
    tangent.value_and_grad : the same the other way round, as JAX and autograd have it.

    Examples
    --------
    >>> tangent.grad_and_value(lambda x: x * x)(3.0)
    (6.0, 9.0)
    """
    both = grad_util.value_and_grad(f, argnums=argnums, has_aux=has_aux)

    def turned(*args, **keywords):
        value, gradient = both(*args, **keywords)
        return gradient, value
    return arguments.titled(turned, f, 'grad_and_value', lambda: operators.grad_and_value(f, argnums, has_aux))


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

    Raises
    ------
    ArgumentTypeError
        If no arguments are given: that is `tangent.vjp`.

    Examples
    --------
    >>> value, pullback = tangent.func.vjp(lambda x, w: x * w, 3.0, 5.0)
    >>> value, pullback(1.0)
    (15.0, (5.0, 3.0))
    """
    refuse_none(primals, 'vjp')
    value, pull = linear_maps.pulling(f, tuple(range(len(primals))))(primals, {})
    value, aux = _pair(value) if has_aux else (value, None)
    pullback = (lambda gradient: pull((gradient, init_grad(aux)))) if has_aux else (lambda gradient: pull(gradient))
    pullback.written_out = lambda: operators.func_vjp(f, *primals, has_aux=has_aux)[1]
    return (value, pullback, aux) if has_aux else (value, pullback)


def refuse_none(primals, name):
    """Refuse a call without the arguments of the function."""
    if not primals:
        raise errors.ArgumentTypeError(f'tangent.func.{name}() takes the function and its arguments, as in {name}(f, x)')


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
    check_count(primals, tangents)
    value, tangent = linear_maps.pushing(f, tuple(range(len(primals))))(tuple(primals), {}, tuple(tangents))
    if not has_aux:
        return value, tangent
    (value, aux), (tangent, _) = _pair(value), _pair(tangent)
    return value, tangent, aux


def check_count(primals, tangents):
    if len(primals) != len(tangents):
        raise errors.ArgumentError(f'{len(primals)} primals and {len(tangents)} tangents are given')


@asks
def linearize(f, *primals, has_aux=False):
    """`(value, push)`, where `push(*tangents)` is the tangent of the value; with `has_aux` the aux follows.

    Parameters
    ----------
    f : function
    *primals : object
        Its arguments.
    has_aux : bool

    Returns
    -------
    tuple
        The value, a function of tangents of the shapes of the arguments, and with `has_aux` the aux.

    Examples
    --------
    >>> value, push = tangent.func.linearize(lambda x: x * x, 3.0)
    >>> value, push(1.0)
    (9.0, 6.0)
    """
    refuse_none(primals, 'linearize')
    pushed = linear_maps.pushing(f, tuple(range(len(primals))))

    def tangent_of(*tangents):
        check_count(primals, tangents)
        return pushed(primals, {}, tangents)[1]
    push = (lambda *tangents: tangent_of(*tangents)[0]) if has_aux else tangent_of
    push.written_out = lambda: operators.func_linearize(f, *primals, has_aux=has_aux)[1]
    value = f(*primals)
    return (_pair(value)[0], push, value[1]) if has_aux else (value, push)


@asks
def jacfwd(f, argnums=0, has_aux=False, *, holomorphic=False, allow_int=None, chunk_size=None):
    """The Jacobian by forward mode: `output.shape + input.shape`; a holomorphic function need not be called so.

    Parameters
    ----------
    f : function
    argnums : int or tuple of int
    has_aux, holomorphic, allow_int, chunk_size
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
    return matrices.jacobian(f, argnums=argnums, mode='forward', chunk_size=chunk_size, has_aux=has_aux)


@asks
def jacrev(f, argnums=0, has_aux=False, *, holomorphic=False, allow_int=None, chunk_size=None):
    """The Jacobian by reverse mode: `output.shape + input.shape`; a holomorphic function need not be called so.

    Parameters
    ----------
    f : function
    argnums : int or tuple of int
    has_aux, holomorphic, allow_int, chunk_size
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
    return matrices.jacobian(f, argnums=argnums, mode='reverse', chunk_size=chunk_size, has_aux=has_aux)


@asks
def hessian(f, argnums=0, has_aux=False, *, holomorphic=False, chunk_size=None):
    """The matrix of second derivatives, forward over reverse.

    Parameters
    ----------
    f : function
    argnums : int or tuple of int
    has_aux, holomorphic, chunk_size
        As for `tangent.hessian`.

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
    return matrices.hessian(f, argnums=argnums, has_aux=has_aux, holomorphic=holomorphic, chunk_size=chunk_size)


def _pair(value):
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise errors.ArgumentTypeError(f'has_aux: the result is a {type(value).__name__}, and has to be a pair')
    return value


operators.register({vjp: operators.func_vjp, jvp: operators.func_jvp, linearize: operators.func_linearize,
                    jacfwd: operators.func_jacobian, jacrev: operators.func_jacobian, hessian: operators.func_hessian,
                    grad_and_value: operators.grad_and_value})
