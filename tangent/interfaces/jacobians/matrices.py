"""Jacobians, Hessians, and products with them.

A Jacobian has the shape `output.shape + input.shape`. Containers come back as containers: for each leaf of the output the
structure of the input, with an array in place of each of its leaves.
"""
import copy
import functools
import math

import numpy as np

from tangent import errors
from tangent.driver import ruled_functions, variants
from tangent.driver.options import Options
from tangent.interfaces import arguments, display, grad, linear_maps
from tangent.interfaces.arguments import asks
from tangent.interfaces.jacobians import compiled, complex, operators, shown, sparse
from tangent.interfaces.jacobians import taylor as series
from tangent.interfaces.jacobians.columns import FEWEST, Columns, Conjugated, grouped
from tangent.runtime.broadcast import gradient_dtype
from tangent.runtime.pytree import filled, leaves, leaves_like, mapped, numeric, size
from tangent.runtime.seeds import check_pair, why_no_gradient
from tangent.runtime.tangents.zeros import check_tangent
from tangent.runtime.zeros import init_grad

WIDER = 4                # how many columns to a row forward mode is chosen for: each of them is work, but no pass of its own

__all__ = ['gauss_newton', 'hessian', 'hvp', 'jacobian', 'taylor']


@asks
def jacobian(func, wrt=(0,), mode=None, chunk_size=None, progress=False, sparsity=None, *, argnums=None, argnum=None,
             has_aux=False, holomorphic=False, allow_int=None, out=False):
    """The Jacobian: all derivatives of all outputs.

    Parameters
    ----------
    func : function
        Its result may be of any shape, and a container.
    wrt, argnums, argnum, has_aux
        As for `grad`; `holomorphic` and `allow_int` need not be said.
    mode : {None, 'forward', 'reverse'}
        By columns, of which one pass takes many (see `jvp` with `batched=True`), or row by row; by default what takes less
        work for the shapes at hand.
    chunk_size : int
        How many directions one pass of forward mode takes: memory grows with it, and time falls. By default as many as give
        tangents of a million numbers for the arguments.
    progress : bool
        Show a progress bar (needs `tqdm`).
    sparsity : SciPy sparse matrix, array or 'detect'
        The pattern of nonzeros, by one vector of one vector. As few passes as its colouring allows (Curtis, Powell and Reid,
        1974), and one that checks that the pattern holds; the result is a SciPy sparse array.
    out : bool
        Write into arrays of yours: the function takes them behind the arguments, one for each parameter in `wrt`, of shape
        `(numbers in the result, *input.shape)`, and returns nothing. For functions that Numba compiles, in reverse mode.

    Returns
    -------
    function
        Takes the arguments of `func`; gives an array of shape `output.shape + input.shape`, or a container of them. The
        derivative of a complex result by a complex argument is `f'(z)`, that of a real one the gradient `dx + 1j * dy`.

    Raises
    ------
    ComplexNotImplementedError
        If a complex result is no holomorphic function of a complex argument.

    Examples
    --------
    >>> jacobian(lambda x: x[:2] * x[2])(numpy.array([1.0, 2.0, 3.0]))
    array([[3., 0., 1.],
           [0., 3., 2.]])
    """
    func = linear_maps.unfilled(func)
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    check_how(func, wrt, mode, chunk_size)
    if sparsity is not None:
        refuse_aux(has_aux)
        return sparse.jacobian(func, wrt, bare, sparsity, mode, progress)
    in_numba = compiled.jacobian(func, wrt, mode, out) if bare and not progress and not has_aux else None
    if out and in_numba is None:
        raise errors.ArgumentError(compiled.NOT_COMPILED)
    if in_numba is not None:
        return titled(in_numba, func, 'jacobian', wrt, bare, has_aux)
    dense = Dense(func, wrt, mode, chunk_size, progress, has_aux)

    def jacobian_of(*args, **keywords):
        blocks = dense(args, keywords)
        found = mapped_blocks(lambda parts: parts[0], blocks) if dense.alone and bare else blocks.structure
        return (found, blocks.aux) if has_aux else found
    return titled(jacobian_of, func, 'jacobian', wrt, bare, has_aux)


def check_how(func, wrt, mode, chunk_size):
    """Refuse what no call could do: parameters that the function does not have, and options."""
    linear_maps.Wanted(func, wrt)
    if mode not in (None, 'forward', 'reverse'):
        raise errors.ArgumentError(f"mode is {mode!r}: it has to be 'forward', 'reverse' or None")
    arguments.check_chunk(chunk_size)


def refuse_aux(has_aux):
    if has_aux:
        raise errors.ArgumentError('has_aux=True is for full Jacobians: leave out sparsity')


def alone_in(wrt):
    """Whether there is one thing alone to differentiate by."""
    return not isinstance(wrt, (tuple, list)) or len(wrt) == 1


class Blocks:
    """The Jacobian of a function: `value`, and for each of its leaves the tuple of what belongs to each input.

    aux : what the function returns beside the value
    """

    def __init__(self, value, parts, aux=None):
        self.value, self.parts, self.aux = value, parts, aux

    @property
    def structure(self):
        return filled(self.value, self.parts)


def mapped_blocks(function, blocks):
    return filled(blocks.value, map(function, blocks.parts))


class Dense:
    """The full Jacobian of a function at given arguments, column by column or row by row."""

    def __init__(self, func, wrt, mode=None, chunk_size=None, progress=False, has_aux=False, columns=Columns):
        self.func, self.wrt, self.mode, self.chunk_size, self.progress = func, wrt, mode, chunk_size, progress
        self.has_aux, self.columns = has_aux, columns
        self.alone = alone_in(wrt)

    def __call__(self, args, keywords):
        inputs = linear_maps.selected(self.func, self.wrt, args, keywords)
        for name, value in zip(linear_maps.names_of(self.func, self.wrt), inputs):
            why = why_no_gradient(value, name, failed=not leaves(value))
            if why is not None:
                raise errors.ArgumentTypeError(why)
            numeric(value, f'the argument {name}')
        mode = self.mode or self.cheaper(inputs, args, keywords)
        value, rows = self.forward(inputs, args, keywords) if mode == 'forward' else self.reverse(inputs, args, keywords)
        parts = []
        for leaf, row in zip(self.outputs(value), rows):
            shaped = [b.reshape(np.shape(leaf) + np.shape(x))[()] for b, x in zip(row, leaves(inputs))]
            parts.append(filled(inputs, shaped))
        return Blocks(value[0], parts, value[1]) if self.has_aux else Blocks(value, parts)

    def outputs(self, value):
        """The leaves of the result that are differentiated: those of the first of a pair, which come first, with `has_aux`."""
        return numeric(check_pair(value)[0] if self.has_aux else value, 'the result')

    def cheaper(self, inputs, args, keywords):
        """The mode with less work: reverse mode takes a pass for each number in the output, forward mode few for all."""
        count = size(inputs)
        if count > 1:
            rows = size(self.outputs(self.func(*args, **keywords)))
            if rows < count and (rows < FEWEST or count > WIDER * rows):
                return 'reverse'
        try:
            linear_maps.pushing(self.func, self.wrt)
        except linear_maps.NOT_FORWARD:
            return 'reverse'
        return 'forward'

    def reverse(self, inputs, args, keywords):
        """(value, for each leaf of it the blocks of all leaves of the input), a row at a time."""
        value, pull = linear_maps.pulling(self.func, self.wrt)(args, keywords)
        outputs = self.outputs(value)
        blocks = [[np.empty((np.size(y), np.size(x)), block_dtype(x, y)) for x in leaves(inputs)] for y in outputs]
        rows = [(o, k) for o, y in enumerate(outputs) for k in range(np.size(y))]
        for o, k in self.shown(rows):
            last = (o, k) == rows[-1]
            seeds = basis(outputs, o, k)
            found = pull(seed_of(value, seeds, self.has_aux), last=last and not np.iscomplexobj(outputs[o]))
            found = leaves_like(inputs, found)
            if np.iscomplexobj(outputs[o]):
                turned = [1j * s if i == o else s for i, s in enumerate(seeds)]
                turned = leaves_like(inputs, pull(seed_of(value, turned, self.has_aux), last=last))
                found = [complex.row(*each) for each in zip(leaves(inputs), found, turned)]
            for block, g in zip(blocks[o], found):
                block[k] = np.ravel(g)
        return value, blocks

    def forward(self, inputs, args, keywords):
        """The same, many columns at a time."""
        columns = self.columns(self.func, self.wrt, args, keywords)
        value, blocks = None, None
        for places in self.shown(columns.chunks(self.chunk_size)):
            value, found = columns(places)
            if blocks is None:
                blocks = [[np.empty((np.size(y), np.size(x)), block_dtype(x, y)) for x in columns.points]
                          for y in self.outputs(value)]
            for i, (rows, numbers) in grouped(places).items():
                for row, moved in zip(blocks, found):
                    row[i][:, numbers] = (moved if np.iscomplexobj(row[i]) else np.real(moved))[rows].T
        return value, blocks

    def shown(self, steps):
        return with_bar(steps) if self.progress else steps


def with_bar(steps):
    try:
        from tqdm import tqdm
    except ImportError:
        raise errors.ArgumentError('progress=True needs the package tqdm: pip install tqdm') from None
    return tqdm(steps, desc='jacobian')


def seed_of(value, seeds, has_aux):
    """The gradient of a result, from those of its leaves; the second of a pair has none."""
    return (filled(value[0], seeds), init_grad(value[1])) if has_aux else filled(value, seeds)


def basis(points, i, k):
    """Zeros like the leaves, with a one in place `k` of leaf `i`."""
    found = []
    for j, x in enumerate(points):
        if not hasattr(x, '__array_function__'):
            found.append(1.0 if i == j else 0.0)
            continue
        zero = np.zeros(x.shape, gradient_dtype(x))
        if i == j:
            zero.reshape(-1)[k] = 1
        found.append(zero)
    return found


def block_dtype(x, y):
    """The dtype of the derivatives of `y` by `x`: that of the gradient of `x`, complex where either is."""
    return np.result_type(gradient_dtype(x), np.complex64) if np.iscomplexobj(y) else gradient_dtype(x)


@asks
def hessian(func, wrt=(0,), progress=False, *, chunk_size=None, argnums=None, argnum=None, has_aux=False, holomorphic=False):
    """The Hessian: all second derivatives of a function, `output.shape + input.shape + input.shape`.

    Forward over reverse, one pass for many numbers of the input. For several inputs, and containers, it has the structure
    of the input twice: the block of `x` and `w` stands at `[x][w]`.

    Parameters
    ----------
    func : function
    wrt, argnums, argnum, has_aux
        As for `grad`.
    progress, chunk_size
        As for `jacobian`.
    holomorphic : bool
        The second complex derivative of a function with a complex result: see `holomorphic_grad`.

    Returns
    -------
    function
        Takes the arguments of `func`; gives an array of shape `output.shape + input.shape + input.shape`, or containers.

    Examples
    --------
    >>> tangent.hessian(lambda x: numpy.sum(x ** 3))(numpy.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    func = linear_maps.unfilled(func)
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    arguments.check_chunk(chunk_size)
    if linear_maps.is_starred(func):
        return by_count(hessian, func, wrt, bare, progress=progress, chunk_size=chunk_size, has_aux=has_aux,
                        holomorphic=holomorphic)
    rows = second_rows(func, wrt, bare, holomorphic, has_aux, chunk_size=chunk_size, progress=progress)

    def hessian_of(*args, **keywords):
        if holomorphic:
            args, keywords = linear_maps.made_complex(func, wrt, args, keywords)
        value = func(*args, **keywords)
        wanted = check_pair(value)[0] if has_aux else value
        if holomorphic:
            complex.refuse_real(wanted)
        outputs = numeric(wanted, 'the result')
        parts = []
        for o, y in enumerate(outputs):
            each = rows(args, keywords, value, [basis(outputs, o, k) for k in range(np.size(y))], np.iscomplexobj(y))
            whole = mapped(lambda *each, y=y: np.reshape(each, np.shape(y) + np.shape(each[0]))[()], *each)
            parts.append(whole[0] if bare and alone_in(wrt) else whole)
        found = filled(wanted, parts)
        return (found, value[1]) if has_aux else found
    return titled(hessian_of, func, 'hessian', wrt, bare, has_aux)


def second_rows(func, wrt, bare, holomorphic, has_aux, **how):
    """A function of arguments, the result there, and seeds, that gives the second derivatives for each seed."""
    inner = variants.derivative(func, wrt, Options(scalar=False, first=False, default=None, bare=False, in_complex=holomorphic))
    dense = Dense(inner, wrt, columns=Conjugated, mode='forward', **how) if holomorphic else Dense(inner, wrt, **how)
    complete = linear_maps.completing(func)

    def block(args, keywords, value, seeds):
        found = dense((*complete(args, keywords), seed_of(value, seeds, has_aux)), complete.rest(keywords))
        return mapped_blocks(lambda b: b[0] if dense.alone and bare else b, found)

    def rows(args, keywords, value, every, in_complex):
        found = [block(args, keywords, value, seeds) for seeds in every]
        if not in_complex:
            return found
        turned = [block(args, keywords, value, [1j * seed for seed in seeds]) for seeds in every]
        return [mapped(complex.second if holomorphic else complex.second_by_real, *pair) for pair in zip(found, turned)]
    return rows


@asks
def hvp(func, wrt=(0,), *, argnums=None, argnum=None, has_aux=False, vector=-1):
    """The product of the Hessian with a vector, at a small multiple of the cost of the gradient: forward over reverse.

    Parameters
    ----------
    func : function
        Returns a number.
    wrt, argnums, argnum, has_aux
        As for `grad`.
    vector : int
        Where the vector stands among the arguments of the product: behind all others, or at 1, as the `hessp` of SciPy's
        `minimize` has it where there are `args`.

    Returns
    -------
    function
        Takes the arguments of `func` and a vector of the structure of what is differentiated by: a tuple for several.

    Notes
    -----
    Pearlmutter, "Fast exact multiplication by the Hessian" (1994).

    Examples
    --------
    >>> hvp(lambda x: numpy.sum(x ** 3))(numpy.array([1.0, 2.0]), numpy.array([1.0, 1.0]))
    array([ 6., 12.])
    """
    if vector != -1:
        return with_vector_at(vector, func, hvp(func, wrt, argnums=argnums, argnum=argnum, has_aux=has_aux))
    func = linear_maps.unfilled(func)
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    alone = alone_in(wrt)
    in_numba = compiled.hvp(func, wrt) if bare and not has_aux else None
    if in_numba is not None:
        return titled(in_numba, func, 'hvp', wrt, bare)
    if linear_maps.is_starred(func):
        return by_count(hvp, func, wrt, bare, 1, has_aux=has_aux)
    inner = variants.derivative(func, wrt, Options(bare=bare))
    try:
        push = variants.derivative(inner, wrt, Options(mode='forward', default=None))
        outer = lambda args, vector, rest: push(*args, 1.0, *vector, **rest)  # noqa: E731
    except linear_maps.NOT_FORWARD:
        pull = grad.vjp(inner, wrt)              # the Hessian is its own transpose
        outer = lambda args, vector, rest: pull(*args, 1.0, vector[0] if alone and bare else tuple(vector), **rest)  # noqa: E731
    complete = linear_maps.completing(func)

    def product(*args, **keywords):
        if len(args) < 2:
            raise errors.ArgumentTypeError('the product with the Hessian takes the arguments of the function, and the vector '
                                           'last')
        *args, vector = args
        found = outer(complete(tuple(args), keywords), (vector,) if alone and bare else tuple(vector), complete.rest(keywords))
        return (found, check_pair(func(*args, **keywords))[1]) if has_aux else found
    return titled(product, func, 'hvp', wrt, bare, has_aux)


def titled(made, func, what, wrt, bare, has_aux=False):
    """An operator's function as people get it: it can be differentiated, and has a text, which notebooks show."""
    return display.attached(arguments.titled(made, func, what, lambda: operators.written_out(what, func, wrt, bare, has_aux),
                                             functools.partial(shown.as_text, what, func, wrt)))


def with_vector_at(place, func, product):
    """The product with a Hessian with its vector at another place among the arguments."""
    if not arguments.is_index(place):
        raise errors.ArgumentTypeError(f'vector is {place!r}: it is a position among the arguments of the product, 1 for what '
                                       'comes behind the first')

    def turned(*args, **keywords):
        args = list(args)
        if not -len(args) <= place < len(args):
            raise errors.ArgumentError(f'vector={place} is no position among the {len(args)} arguments that were given')
        args.append(args.pop(place))
        return product(*args, **keywords)
    return arguments.titled(turned, func, 'hvp', lambda: operators.with_vector_at(place, product))


def by_count(operator, func, wrt, bare, behind=0, **options):
    """What an operator makes of a function of any number of arguments: for as many as a call has, of which some are its own."""
    style = {'wrt': wrt} if bare else {'argnums': wrt}

    def of(*args, **keywords):
        return operator(ruled_functions.fixed(func, len(args) - behind, keywords), **style, **options)(*args)
    return arguments.titled(of, func, operator.__name__)


@asks
def gauss_newton(func, loss=None, wrt=(0,), *, argnums=None, argnum=None):
    """The product of the Gauss-Newton matrix `J.T @ H @ J` with a vector: `J` of `func`, `H` the Hessian of `loss`.

    Parameters
    ----------
    func : function
    loss : function, optional
        A number from what `func` returns; by default half its squared length, whose Hessian is the identity.
    wrt, argnums, argnum
        As for `grad`.

    Returns
    -------
    function
        Takes the arguments of `func` and a vector of the structure of what is differentiated by.

    Notes
    -----
    Schraudolph, "Fast curvature matrix-vector products for second-order gradient descent" (2002).

    Examples
    --------
    >>> product = tangent.gauss_newton(lambda x: 2 * x)
    >>> product(numpy.array([1.0, 2.0]), numpy.array([1.0, 0.0]))
    array([4., 0.])
    """
    wrt, bare = arguments.asked(func, wrt, argnums, argnum)
    alone = alone_in(wrt)
    push, pull_at = linear_maps.pushing(func, wrt), linear_maps.pulling(func, wrt)
    curvature = hvp(loss) if loss is not None else None

    def product(*args, **keywords):
        *args, vector = args
        value, pull = pull_at(tuple(args), keywords)
        _, tangent = push(tuple(args), keywords, (vector,) if alone and bare else tuple(vector))
        found = pull(tangent if curvature is None else curvature(value, tangent), last=True)
        return found[0] if alone and bare else found
    return arguments.titled(product, func, 'gauss_newton', lambda: operators.gauss_newton(
        func, loss, **{'wrt' if bare else 'argnums': wrt}))


@asks
def taylor(func, x, v, order):
    """The Taylor coefficients of `func(x + t * v)` in `t`, up to `t ** order`.

    Parameters
    ----------
    func : function
        Of one argument.
    x, v : number, array or container
        The point, and the direction.
    order : int

    Returns
    -------
    list
        `order + 1` values of the structure of the result: `sum(c * t ** k for k, c in enumerate(found))`.

    Raises
    ------
    ArgumentError
        If `order` is negative.

    Notes
    -----
    Arithmetic of truncated series: Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 13.

    Examples
    --------
    >>> taylor(numpy.exp, 0.0, 1.0, 3)
    [1.0, 1.0, 0.5, 0.16666666666666666]
    """
    if not isinstance(order, (int, np.integer)) or order < 0:
        raise errors.ArgumentError(f'order is {order!r}: it counts from 0')
    func = linear_maps.unfilled(func)
    args = linear_maps.completing(func)((x,), {})
    v, found, current = check_tangent(x, v), [func(copy.deepcopy(x))], func
    for k in range(1, order + 1):
        current = variants.derivative(current, (0,), Options(mode='forward', default=None, check_dims=False))
        args = (*args, v)
        derivative = current(*args)
        found.append(mapped(lambda d, k=k: d / math.factorial(k), derivative))
        if k == 1 and order > 2 and (all_of := by_series(func, x, v, order, found)):
            return all_of
    return found


def by_series(func, x, v, order, first):
    """The coefficients by the arithmetic of series, None where that does not go; the first two of them are known."""
    try:
        value = series.coefficients(func, copy.deepcopy(x), v, order)
        found = [series.parts(value, first[0], k) for k in range(order + 1)]
    except Exception:                  # whatever a function does that a series is no number for
        return None
    for right, mine in zip(first, found):
        for a, b in zip(leaves(right), leaves(mine)):
            slack = np.sqrt(np.finfo(np.asarray(b).dtype).eps) if np.asarray(b).dtype.kind == 'f' else 0.0
            if not np.allclose(a, b, slack, slack * np.max(np.abs(a), initial=0.0), equal_nan=True):
                return None
    return found


operators.register({jacobian: operators.jacobian, hessian: operators.hessian, hvp: operators.hvp,
                    gauss_newton: operators.gauss_newton, taylor: operators.refused('taylor')})
