"""The functions people call: `grad`, `autodiff`, `vjp`, `value_and_grad`."""
import dataclasses
import enum

from tangent import errors
from tangent.checkpoint.memory_size import parsed
from tangent.checkpoint.report import limited
from tangent.cuda import kernels
from tangent.driver import second_order
from tangent.driver.options import Options
from tangent.driver.questions import for_numba, wanted
from tangent.driver.variants import derivative
from tangent.interfaces import arguments, display
from tangent.interfaces.arguments import asks
from tangent.interfaces.holomorphic import holomorphic_grad, value_and_derivative
from tangent.interfaces.jacobians import directions
from tangent.interfaces.linear_maps import unfilled
from tangent.numba import options as compiled


class INPUT_DERIVATIVE(enum.Enum):
    """What the derivative does about its seed: take it as an argument, or have a default for it.

    Examples
    --------
    >>> df = tangent.autodiff(lambda x: x * x, input_derivative=tangent.INPUT_DERIVATIVE.DefaultOne)
    >>> df(3.0)
    6.0
    """
    Required = 1
    DefaultOne = 2
    DefaultOnes = 3


@asks
def grad(func, wrt=(0,), optimized=True, preserve_result=False, check_dims=True, verbose=0, *, argnums=None, argnum=None,
         has_aux=False, holomorphic=False, allow_int=None, jit=None, memory=None, nan_safe=False, fuse=False):
    """The gradient of a function that returns a number.

    Parameters
    ----------
    func : function
        Its first returned value (of a tuple, the first element) has to be a number or an array of one element.
    wrt : int, str, or tuple of these
        Parameters to differentiate with respect to, by position or name.
    optimized : bool
        False shows the raw form, with every tape operation.
    preserve_result : bool
        Return the gradients followed by the function's own result.
    check_dims : bool
        Check that result and seed have the same shape.
    verbose : int
        1 prints the derivative's source, 2 what each room made of the function.
    argnums, argnum : int or tuple of int
        In place of `wrt`, with the rules of JAX and of autograd: a tuple gives a tuple, of one element as well.
    has_aux, holomorphic, allow_int : bool
        The function returns a pair, and the derivative `(gradient, second of the pair)`; the complex derivative, see
        `holomorphic_grad`; nothing: integers have float64 gradients, whatever is said.
    jit : bool or dict
        Whether Numba compiles it, or options for `numba.njit`; by default as `func` is. False: nor what is compiled in `func`.
    memory : int or str
        How many bytes (or `'200MB'`) the backward pass may keep: loops whose tape does not fit keep some of their states (see
        `tangent.checkpointed`). What was chosen in the last call is the `report` of the derivative.
    nan_safe : bool
        What does not take part contributes zero, also where its derivative is inf or nan: what `where`, `select`, `maximum`,
        `minimum` or `clip` has not taken, and elements whose seed is zero; not one by arithmetic: `sqrt(x) ** 2` at 0 is nan.
    fuse : bool
        Chains of elementwise operations in the backward pass become functions, for CuPy's arrays kernels of `cupy.fuse`.

    Returns
    -------
    function
        Takes the arguments of `func` and an optional seed, and returns the gradient, or a flat tuple of gradients if `wrt`
        names several parameters. Each has the shape and dtype of its argument (integers give float64).

    Raises
    ------
    TangentParseError, SourceError, ReverseNotImplementedError, ArgumentError, ArgumentTypeError, ShapeError

    Notes
    -----
    Adjoint templates and a tape: van Merriënboer, Moldovan and Wiltschko, "Tangent" (NeurIPS 2018), section 4.

    Examples
    --------
    >>> tangent.grad(lambda x, w: numpy.sum(w * x * x), wrt=('x', 'w'))(numpy.array([1.0, 2.0]), 3.0)
    (array([ 6., 12.]), 5.0)
    """
    refuse_both(has_aux, preserve_result)
    if beside(holomorphic, preserve_result=preserve_result, jit=jit, memory=memory, nan_safe=nan_safe, fuse=fuse):
        return holomorphic_grad(func, wrt, argnums=argnums, argnum=argnum, has_aux=has_aux)
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    options = Options(optimized=optimized, check_dims=check_dims, values='after' if preserve_result else 'none',
                      aux=has_aux, bare=bare, nan_safe=nan_safe, fuse=fuse, verbose=verbose)
    return for_machine(func, wrt, options, not_compiled(func, jit, nan_safe=nan_safe), memory)


@asks
def value_and_grad(func, wrt=(0,), optimized=True, check_dims=True, verbose=0, *, argnums=None, argnum=None, has_aux=False,
                   holomorphic=False, allow_int=None, jit=None, memory=None, nan_safe=False, fuse=False):
    """Like `grad`, but the function returned gives `(value, gradient)`; with `has_aux` `((value, aux), gradient)`.

    Parameters
    ----------
    func, wrt, optimized, check_dims, verbose, argnums, argnum, has_aux, holomorphic, allow_int, jit, memory, nan_safe, fuse
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func` and an optional seed. Each gradient has the shape and dtype of its argument (integers give
        float64); several are a tuple.

    Raises
    ------
    TangentParseError, SourceError, ReverseNotImplementedError, ArgumentError, ArgumentTypeError
        As `grad`.

    Examples
    --------
    >>> tangent.value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    if beside(holomorphic, jit=jit, memory=memory, nan_safe=nan_safe, fuse=fuse):
        return value_and_derivative(func, wrt, argnums, argnum, has_aux)
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    options = Options(optimized=optimized, check_dims=check_dims, values='before', aux=has_aux, bare=bare,
                      nan_safe=nan_safe, fuse=fuse, verbose=verbose)
    return for_machine(func, wrt, options, not_compiled(func, jit, nan_safe=nan_safe), memory)


@asks
def grad_and_aux(func, wrt=(0,), optimized=True, check_dims=True, verbose=0, *, argnums=None, argnum=None, jit=None,
                 memory=None):
    """Like `grad`, for a function that returns a pair: `(gradient of the first, the second)`.

    Parameters
    ----------
    func, wrt, optimized, check_dims, verbose, argnums, argnum, jit, memory
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func` and an optional seed; gives the pair.

    Examples
    --------
    >>> tangent.grad_and_aux(lambda x: (x * x, 'more'))(3.0)
    (6.0, 'more')
    """
    return grad(func, wrt, optimized, False, check_dims, verbose, argnums=argnums, argnum=argnum, has_aux=True,
                jit=jit, memory=memory)


@asks
def elementwise_grad(func, wrt=(0,), optimized=True, check_dims=True, preserve_result=False, verbose=0, *, argnums=None,
                     argnum=None, has_aux=False, jit=None, memory=None, nan_safe=False, fuse=False):
    """Like `grad`, for a result of any shape: the gradient of the sum of its elements.

    For a function that works element by element, that is its derivative at each element.

    Parameters
    ----------
    func, wrt, optimized, check_dims, verbose, argnums, argnum, has_aux, preserve_result, jit, memory, nan_safe, fuse
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func`; gives a gradient of the shape and dtype of the argument, or a tuple of them.

    Examples
    --------
    >>> tangent.elementwise_grad(lambda x: x ** 3)(numpy.array([1.0, 2.0]))
    array([ 3., 12.])
    """
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    refuse_both(has_aux, preserve_result)
    options = Options(optimized=optimized, check_dims=check_dims, scalar=False, first=has_aux, aux=has_aux, ones=True,
                      bare=bare, values='after' if preserve_result else 'none', nan_safe=nan_safe, fuse=fuse, verbose=verbose)
    return for_machine(func, wrt, options, not_compiled(func, jit, nan_safe=nan_safe), memory)


@asks
def vjp(func, wrt=(0,), optimized=True, check_dims=True, preserve_result=False, verbose=0, *, argnums=None, argnum=None,
        has_aux=False, jit=None, memory=None, nan_safe=False, fuse=False):
    """The vector-Jacobian product: a function of the arguments and a seed of the shape of the result.

    Parameters
    ----------
    func, wrt, optimized, check_dims, verbose, argnums, argnum, has_aux, preserve_result, jit, memory, nan_safe, fuse
        As for `grad`.
        The result of `func` may have any shape and structure.

    Returns
    -------
    function
        Takes the arguments of `func`, then the seed, which has the shape and structure of the result. Gives what `grad` gives.

    Raises
    ------
    ArgumentTypeError
        If it is called as `jax.vjp(f, x)` is: that is `tangent.func.vjp`.
    ShapeError
        When called: the seed has another shape than the result.

    Examples
    --------
    >>> pull = tangent.vjp(lambda x: numpy.sin(x) * 2)
    >>> pull(numpy.zeros(2), numpy.array([1.0, 10.0]))
    array([ 2., 20.])
    """
    arguments.refuse_primals(wrt, 'vjp(f, x) -> (value, pullback)', 'vjp')
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    refuse_both(has_aux, preserve_result)
    options = Options(optimized=optimized, check_dims=check_dims, scalar=False, first=has_aux, aux=has_aux, default=None,
                      bare=bare, values='after' if preserve_result else 'none', nan_safe=nan_safe, fuse=fuse, verbose=verbose)
    return for_machine(func, wrt, options, not_compiled(func, jit, nan_safe=nan_safe), memory)


@asks
def jvp(func, wrt=(0,), optimized=True, check_dims=True, preserve_result=False, verbose=0, *, has_aux=False, jit=None,
        batched=False, nan_safe=False):
    """The Jacobian-vector product: a function of the arguments and a tangent for each parameter in `wrt`.

    Forward mode: one pass that computes values and tangents side by side, in the memory of the function itself.

    Parameters
    ----------
    func, wrt, optimized, verbose, has_aux, jit, nan_safe
        As for `grad`; elements whose tangent is zero take no part.
    check_dims : bool
        Check that each tangent has the shape of its argument.
    preserve_result : bool
        Return the tangent of the result followed by the result itself.
    batched : bool
        Several directions in one pass: each tangent has one more axis in front, `(k, *x.shape)` for `k` directions, and so has
        what is returned. The function itself is computed once. Elementwise operations, reductions, products and the like
        are made for all directions in one call of NumPy; any other function (one that a rule of yours gives, SciPy's) is
        called for each direction. A function that Numba compiles is computed once for eight directions.

    Returns
    -------
    function
        Takes the arguments of `func`, then the tangents, named `dx` for the parameter `x`. Returns the derivative of the
        result along them, in the structure of the result.

    Raises
    ------
    TangentParseError, SourceError, ForwardNotImplementedError, ArgumentError, ArgumentTypeError
        As `grad`; also if it is called as `jax.jvp(f, (x,), (dx,))` is: that is `tangent.func.jvp`.

    Examples
    --------
    >>> def f(x, y):
    ...     return x * y
    >>> jvp(f, wrt=(0, 1))(3.0, 5.0, 1.0, 0.0)
    5.0
    >>> jvp(f, batched=True)(numpy.array([3.0, 4.0]), 5.0, numpy.eye(2))
    array([[5., 0.],
           [0., 5.]])
    """
    arguments.refuse_primals(wrt, 'jvp(f, (x,), (dx,)) -> (value, tangent)', 'jvp')
    refuse_both(has_aux, preserve_result)
    options = Options(optimized=optimized, mode='forward', check_dims=check_dims, default=None, aux=has_aux,
                      values='after' if preserve_result else 'none', batched=batched, nan_safe=nan_safe,
                      verbose=verbose)
    return for_machine(func, wrt, options, not_compiled(func, jit, batched, nan_safe))


@asks
def autodiff(func, wrt=(0,), optimized=True, motion='joint', mode='reverse', preserve_result=False, check_dims=True,
             input_derivative=INPUT_DERIVATIVE.Required, verbose=0, *, jit=None, batched=False,
             nan_safe=False):
    """The derivative with full control.

    Parameters
    ----------
    func, wrt, optimized, preserve_result, check_dims, verbose, jit, nan_safe
        As for `grad`.
    motion : {'joint', 'split'}
        One function that runs forward and backward, or a primal and an adjoint that hand over what was saved; the callable
        then takes the seed as keyword `init_grad`, which is 1.0 if it is left out.
    mode : {'reverse', 'forward'}
        Forward mode has no motion; it takes a tangent for each parameter in `wrt`, as `jvp` does.
    batched : bool
        Forward mode in several directions at once, as in `jvp`.
    input_derivative : INPUT_DERIVATIVE
        The seed is `Required`, or has a default: `DefaultOne` for a result that is a number, `DefaultOnes` for one of any
        shape, filled with ones.

    Returns
    -------
    function
        Takes the arguments of `func` and a seed of the shape of its result (forward mode: a tangent of the shape of each
        parameter in `wrt`). With `motion='split'` a callable whose seed is the keyword `init_grad`.

    Raises
    ------
    ArgumentError
        If the options make no sense together; else as `grad` or `jvp`.

    Examples
    --------
    >>> def f(x):
    ...     return numpy.sin(x) * 2
    >>> tangent.autodiff(f)(0.0, 1.0), tangent.autodiff(f, mode='forward')(0.0, 1.0)
    (2.0, 2.0)
    """
    if motion not in ('joint', 'split'):
        raise errors.ArgumentError(f"motion is {motion!r}: it has to be 'joint' or 'split'")
    if mode not in ('reverse', 'forward'):
        raise errors.ArgumentError(f"mode is {mode!r}: it has to be 'reverse' or 'forward'")
    if not isinstance(input_derivative, INPUT_DERIVATIVE):
        raise errors.ArgumentError(f'input_derivative is {input_derivative!r}: it has to be a member of INPUT_DERIVATIVE')
    if batched and mode != 'forward':
        raise errors.ArgumentError("batched=True takes several tangents in one pass: it has to be with mode='forward'")
    required = input_derivative is INPUT_DERIVATIVE.Required and (motion, mode) != ('split', 'reverse')
    options = Options(optimized=optimized, motion=motion, mode=mode, check_dims=check_dims, scalar=False,
                      default=None if required or batched else 1.0, ones=input_derivative is INPUT_DERIVATIVE.DefaultOnes,
                      values='after' if preserve_result else 'none', batched=batched, nan_safe=nan_safe,
                      verbose=verbose)
    return for_machine(func, wrt, options, not_compiled(func, jit, batched, nan_safe))


def refuse_both(has_aux, preserve_result):
    if has_aux and preserve_result:
        raise errors.ArgumentError('give has_aux=True or preserve_result=True, not both; value_and_grad(f, has_aux=True) '
                                   'gives ((value, aux), gradient)')


def beside(holomorphic, **options):
    """Whether the complex derivative is asked for; options of a gradient that it does not have are refused."""
    for name, value in options.items():
        if holomorphic and value is not None and value is not False:
            raise errors.ArgumentError(f'{name}={value!r} and holomorphic=True exclude each other: the complex derivative '
                                       'takes wrt, argnums, argnum and has_aux; value_and_grad gives the value, too')
    return holomorphic


def not_compiled(func, jit, batched=False, nan_safe=False):
    """The option `jit`, False for derivatives whose values are none of Numba's."""
    if batched and nan_safe:
        raise errors.ArgumentError('batched=True and nan_safe=True exclude each other: take one direction at a time')
    if batched and jit:
        raise errors.ArgumentError('batched=True is for functions as they are: decorate it with numba.njit, or give jit=False')
    arguments.check_jit(jit)
    if not nan_safe:
        return jit
    if jit or jit is None and compiled.flags_of(func) is not None:
        raise errors.ArgumentError('nan_safe=True is for derivatives that Python runs: give jit=False')
    return False


def for_machine(func, wrt, options, jit=None, memory=None):
    """The derivative of `func` for people: compiled by Numba where `func` is, or where `jit` asks for it."""
    arguments.refuse_values(wrt)
    if not isinstance(options.verbose, int):
        raise errors.ArgumentTypeError(f'verbose is {options.verbose!r}: it is 0 (silent), 1 (the source) or 2 (every room)')
    return display.attached(made_for(func, wrt, options, jit, memory))


def made_for(func, wrt, options, jit, memory):
    if kernels.is_kernel(func):
        return kernels.derivative(func, wanted(func.py_func, wrt)[0], options)
    options = dataclasses.replace(options, in_python=True) if jit is False else options
    if memory is not None:
        limit = parsed(memory)
        made = derivative(func, wrt, dataclasses.replace(options, memory=True))
        return limited(made, limit, lambda: derivative(func, wrt, options))
    flags = compiled.flags_of(func) if jit is None else compiled.flags(jit) if jit is not False else None
    if flags is not None and jit is None and options.mode == 'forward' and second_order.brings_passes(func):
        flags = None                          # the tangent of a gradient that writes calls what CPython runs
    if flags is None:
        return derivative(func, wrt, options)
    return directions.batched(func, wrt, options) if options.batched else for_numba(unfilled(func), wrt, options, flags)
