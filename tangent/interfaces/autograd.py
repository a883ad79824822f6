"""The differential operators of `autograd`, under its names and with its results."""
import inspect

import numpy as np

from tangent.driver import variants
from tangent.driver.options import Options
from tangent.driver.ruled_functions import as_function
from tangent.interfaces import arguments, grad, linear_maps
from tangent.interfaces.arguments import asks
from tangent.interfaces.jacobians import matrices, operators
from tangent.runtime.pytree import mapped

__all__ = ['grad_named', 'hessian_tensor_product', 'hessian_vector_product', 'make_ggnvp', 'make_hvp',
           'make_jvp', 'make_vjp', 'multigrad_dict', 'tensor_jacobian_product', 'vector_jacobian_product']


@asks
def make_vjp(func, wrt=(0,), *, argnums=None, argnum=None):
    """A function of the arguments that gives `(vjp, value)`, where `vjp(g)` is the gradient for a gradient `g` of the value.

    Parameters
    ----------
    func, wrt, argnums, argnum
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func`; gives the pair. `vjp` takes a `g` of the shape of the value, and gives a gradient of the
        shape of the argument, or a tuple of them.

    Examples
    --------
    >>> back, value = make_vjp(lambda x: x * x)(3.0)
    >>> value, back(1.0), back(2.0)
    (9.0, 6.0, 12.0)
    """
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    pull_at = linear_maps.pulling(func, wrt)
    alone = bare and (not isinstance(wrt, (tuple, list)) or len(wrt) == 1)

    def maker(*args, **keywords):
        value, pull = pull_at(args, keywords)
        back = (lambda g: pull(g)[0]) if alone else (lambda g: pull(g))
        back.written_out = lambda: operators.general('vjp', func, wrt, bare)(*args, **keywords)[0]
        return back, value
    return arguments.titled(maker, func, 'vjp', lambda: operators.written_out('vjp', func, wrt, bare))


@asks
def make_jvp(func, wrt=(0,), *, argnums=None, argnum=None):
    """A function of the arguments that gives a function of the tangent (a tuple for several): `(value, tangent)`.

    Parameters
    ----------
    func, wrt, argnums, argnum
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func`; gives a function of a tangent of the shape of the argument.

    Examples
    --------
    >>> push = tangent.make_jvp(lambda x: x * x)(3.0)
    >>> push(1.0)
    (9.0, 6.0)
    """
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    push = linear_maps.pushing(func, wrt)
    alone = bare and (not isinstance(wrt, (tuple, list)) or len(wrt) == 1)

    def maker(*args, **keywords):
        forward = lambda v: push(args, keywords, (v,) if alone else tuple(v))  # noqa: E731
        forward.written_out = lambda: operators.general('jvp', func, wrt, bare)(*args, **keywords)
        return forward
    return arguments.titled(maker, func, 'jvp', lambda: operators.written_out('jvp', func, wrt, bare))


@asks
def grad_named(func, name, **options):
    """The gradient by the parameter of that name.

    Parameters
    ----------
    func : function
    name : str
        The parameter.
    **options
        As for `grad`.

    Returns
    -------
    function
        What `grad` gives.

    Examples
    --------
    >>> tangent.grad_named(lambda x, w: x * w, 'w')(3.0, 5.0)
    3.0
    """
    return grad.grad(func, wrt=name, **options)


@asks
def multigrad_dict(func):
    """The gradients by all parameters: a dict with the name of each.

    Parameters
    ----------
    func : function
        Returns a number.

    Returns
    -------
    function
        Takes the arguments of `func`; gives a dict from the name of each parameter to its gradient, which has the shape
        and dtype of the argument.

    Examples
    --------
    >>> tangent.multigrad_dict(lambda x, w: x * w)(3.0, 5.0)
    {'x': 5.0, 'w': 3.0}
    """
    names = [p.name for p in inspect.signature(as_function(func)).parameters.values()
             if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    inner = variants.derivative(func, tuple(names), Options(bare=False))

    def gradients(*args, **keywords):
        return dict(zip(names, inner(*args, **keywords)))
    return arguments.titled(gradients, func, 'gradients')


@asks
def hessian_vector_product(func, wrt=(0,), *, argnums=None, argnum=None):
    """The product of the Hessian with a vector, which follows the arguments: `tangent.hvp`.

    Parameters
    ----------
    func, wrt, argnums, argnum
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func` and a vector of the shape of what is differentiated by; gives an array of that shape.

    Examples
    --------
    >>> tangent.hessian_vector_product(lambda x: numpy.sum(x ** 3))(numpy.array([1.0, 2.0]), numpy.array([1.0, 1.0]))
    array([ 6., 12.])
    """
    return matrices.hvp(func, wrt, argnums=argnums, argnum=argnum)


hessian_tensor_product = hessian_vector_product


@asks
def tensor_jacobian_product(func, wrt=(0,), *, argnums=None, argnum=None):
    """The product of a vector, which follows the arguments, with the Jacobian: `tangent.vjp`.

    A vector with fewer axes than the result is contracted with the first axes of the Jacobian.

    Parameters
    ----------
    func, wrt, argnums, argnum
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func` and the vector; gives an array of the shape of the argument, or a tuple of them.

    Examples
    --------
    >>> product = tangent.tensor_jacobian_product(lambda x: x ** 2)
    >>> product(numpy.array([1.0, 2.0]), numpy.array([1.0, 1.0]))
    array([2., 4.])
    """
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    pull_at = linear_maps.pulling(func, wrt)
    alone = bare and (not isinstance(wrt, (tuple, list)) or len(wrt) == 1)

    def product(*args, **keywords):
        *args, vector = args
        value, pull = pull_at(tuple(args), keywords)
        if not isinstance(value, np.ndarray) or np.ndim(vector) == value.ndim:
            found = pull(vector, last=True)
            return found[0] if alone else found
        rest = value.shape[np.ndim(vector):]
        rows = []
        for index in np.ndindex(rest):
            seed = np.zeros(value.shape, np.result_type(value, vector))
            seed[(..., *index)] = vector
            rows.append(pull(seed))
        stacked = [mapped(lambda *each: np.reshape(each, rest + np.shape(each[0])), *parts) for parts in zip(*rows)]
        return stacked[0] if alone else tuple(stacked)
    return arguments.titled(product, func, 'vjp', lambda: operators.written_out('tensor_jacobian_product', func, wrt,
                                                                                       bare))


vector_jacobian_product = tensor_jacobian_product


@asks
def make_hvp(func, wrt=(0,), *, argnums=None, argnum=None):
    """A function of the arguments that gives `(hvp, gradient)`, where `hvp(v)` is the product of the Hessian with `v`.

    Parameters
    ----------
    func, wrt, argnums, argnum
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func`; gives the pair. `v` and the product have the shape of the argument.

    Examples
    --------
    >>> product, gradient = tangent.make_hvp(lambda x: numpy.sum(x ** 3))(numpy.array([1.0, 2.0]))
    >>> product(numpy.array([1.0, 1.0])), gradient
    (array([ 6., 12.]), array([ 3., 12.]))
    """
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    product = matrices.hvp(func, wrt) if bare else matrices.hvp(func, argnums=wrt)
    gradient = variants.derivative(func, wrt, Options(bare=bare))

    def maker(*args, **keywords):
        along = lambda v: product(*args, v, **keywords)  # noqa: E731
        along.written_out = lambda: operators.general('make_hvp', func, wrt, bare)(*args, **keywords)[0]
        return along, gradient(*args, **keywords)
    return arguments.titled(maker, func, 'hvp', lambda: operators.general('make_hvp', func, wrt, bare))


@asks
def make_ggnvp(func, g=operators.half_square, f_argnum=0):
    """A function of the arguments that gives the product of a vector with the Gauss-Newton matrix `J.T @ H @ J`.

    `J` is the Jacobian of `func`, `H` the Hessian of `g`, which makes a number of the result of `func`.

    Parameters
    ----------
    func : function
    g : function, optional
        A number from what `func` returns; by default half its squared length.
    f_argnum : int
        The position of the argument that `func` is differentiated by.

    Returns
    -------
    function
        Takes the arguments of `func`; gives a function of a vector of the shape of that argument.

    Notes
    -----
    Schraudolph, "Fast curvature matrix-vector products for second-order gradient descent" (2002).

    Examples
    --------
    >>> product = tangent.make_ggnvp(lambda x: 2 * x)(numpy.array([1.0, 2.0]))
    >>> product(numpy.array([1.0, 0.0]))
    array([4., 0.])
    """
    product = matrices.gauss_newton(func, g, argnum=f_argnum)
    return arguments.titled(lambda *args, **keywords: lambda v: product(*args, v, **keywords), func, 'ggnvp',
                             lambda: operators.make_ggnvp(func, g, f_argnum))


operators.register({make_vjp: operators.make_vjp, make_jvp: operators.make_jvp, hessian_vector_product: operators.hvp,
                    tensor_jacobian_product: operators.product_of, make_hvp: operators.make_hvp,
                    make_ggnvp: operators.make_ggnvp})
