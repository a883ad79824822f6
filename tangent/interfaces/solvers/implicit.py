"""The implicit function theorem: derivatives of roots, fixed points and minima, whatever has found them.

Where `x` solves `F(x, a) = 0`, its derivative is `dx/da = -(dF/dx)^-1 dF/da`, at the solution alone: nothing flows through
the steps of the solver, nor from where it started (Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 15;
Blondel et al., Efficient and modular implicit differentiation, 2022).

    x = solution(conditions, f, x, args)    ...    bf, bargs = unsolution(bx, conditions, f, x, args)

Here `conditions(f, x, args)` is the vector that is zero at the solution, such as the gradient of `f` for a minimum. All of
it is plain Python that is differentiated again for second derivatives.
"""
from collections.abc import Callable

import numpy as np

from tangent import errors
from tangent.interfaces.grad import jvp, vjp
from tangent.runtime.tangents.zeros import zero_tangent
from tangent.templates.language.declare import constant, general

__all__ = ['fixed_point', 'minimiser', 'root']

BOUND = 1e-7        # how close to a bound, in parts of its size, an element of a minimum lies at it
FAR = 1e-3          # the longest Newton step, in parts of the size of `x`, from what a solver has found that is put up with


# What is zero at a solution

def vector(value):
    """All the numbers of a number, an array or a list in one row."""
    return np.ravel(np.asarray(value))


def called(f, x, args, pair=False):
    """`f(x, *args)` as SciPy calls it; the first of a pair where it gives its derivative too."""
    value = f(x, *args) if isinstance(args, tuple) else f(x, args)
    return value[0] if pair else value


def at_root(f, x, args, pair=False):
    """Zero where `x` is a root of `f`."""
    return vector(called(f, x, args, pair))


def at_fixed_point(f, x, args, pair=False):
    """Zero where `x` is a fixed point of `f`."""
    return vector(x) - vector(called(f, x, args))


def objective(f, x, args, pair=False):
    """The number that is smallest."""
    return np.sum(called(f, x, args, pair))


def at_minimum(f, x, args, pair=False):
    """Zero where `f` is stationary."""
    slope = vjp(objective, 1)
    return vector(slope(f, x, args, pair, 1.0))


def half_square(f, x, args, pair=False):
    """What is smallest at the solution of a problem of least squares."""
    return 0.5 * np.sum(vector(called(f, x, args)) ** 2)


def at_least_squares(f, x, args, pair=False):
    """Zero where the sum of the squares of `f` is stationary."""
    slope = vjp(half_square, 1)
    return vector(slope(f, x, args, pair, 1.0))


# The derivative

def solution(conditions, f, x, args):
    """`x`, which makes `conditions(f, x, args)` zero, with the derivative of a solution by `f` and `args`."""
    return x


def unsolution(g, conditions, f, x, args, pair=False, free=None):
    """The gradients of `f` (of what it has captured) and of `args`, from that of a solution `x`.

    Parameters
    ----------
    g : number or array
    conditions : function
        Zero at the solution: a vector made of `(f, x, args, pair)`.
    pair : bool
        Whether `f` gives a pair, of which the first is meant.
    free : array of bool, optional
        Which elements of `x` are no prisoners of a bound; the others do not move.
    """
    matrix = released(slopes(conditions, f, x, args, pair), free)
    refuse_unsolved(conditions, f, x, args, pair, free, matrix)
    weights = np.linalg.solve(np.transpose(matrix), -moving(vector(g), free))
    pull = vjp(conditions, (0, 2))
    return pull(f, x, args, pair, moving(weights, free))


def push_solution(df, dargs, conditions, f, x, args, pair=False, free=None):
    """The tangent of a solution `x`, from those of `f` and `args`."""
    matrix = released(slopes(conditions, f, x, args, pair), free)
    refuse_unsolved(conditions, f, x, args, pair, free, matrix)
    push = jvp(conditions, (0, 2), check_dims=False)
    moved = moving(push(f, x, args, pair, df, given(dargs, args)), free)
    return shaped(-np.linalg.solve(matrix, moved), x)


def unminimum(g, laws, f, x, args, pair=False, free=None):
    """The same for a minimum whose value has a gradient as well: at a minimum that does not see `x` move.

    Parameters
    ----------
    g : tuple
        The gradients of the minimum `x`, and of the value there.
    laws : tuple of functions
        The conditions, and the value, made of `(f, x, args, pair)`.
    """
    (gx, gvalue), (conditions, value) = g, laws
    bf, bargs = unsolution(gx, conditions, f, x, args, pair, free)
    pull = vjp(value, (0, 2))
    cf, cargs = pull(f, x, args, pair, gvalue)
    return added(bf, cf), added(bargs, cargs)


def push_value(df, dargs, value, f, x, args, pair=False):
    """The tangent of the value at a minimum."""
    push = jvp(value, (0, 2), check_dims=False)
    return push(f, x, args, pair, df, given(dargs, args))


def slopes(conditions, f, x, args, pair):
    """The matrix of the derivatives of the conditions by `x`."""
    pull = vjp(conditions, 1)
    rows = []
    for seed in unit_rows(x):
        rows.append(vector(pull(f, x, args, pair, seed)))
    return np.stack(rows)


def added(left, right):
    """The sum of two gradients of the same structure."""
    if left is None:
        return right
    if isinstance(left, dict):
        return {key: added(left[key], right[key]) for key in left}
    if isinstance(left, (tuple, list)):
        return tuple([added(a, b) for a, b in zip(left, right)])
    return left + right


def given(dargs, args):
    """The tangent of the arguments; that of none at all is none at all."""
    return () if isinstance(args, tuple) and not args else dargs


def as_result(result, **moved):
    """The tangent of what a solver has returned: zeros but for these parts."""
    found = zero_tangent(result)
    found.update(moved)
    return found


def shaped(row, x):
    return np.reshape(row, np.shape(x)) if np.ndim(x) else row[0]


def released(matrix, free):
    """The matrix with the rows and columns of the unit matrix for what does not move."""
    if free is None:
        return matrix
    return np.where(free[:, None] & free, matrix, np.eye(len(free)))


def moving(row, free):
    return row if free is None else np.where(free, row, 0.0)


def unit_rows(x):
    """The rows of the unit matrix of the size of `x`."""
    return list(np.eye(np.size(x)))


def refuse_unsolved(conditions, f, x, args, pair, free, matrix):
    """Raise where `x` is no solution, or not the only one near by.

    The step that Newton's method would take from it says how far off it is.
    """
    left = conditions(f, x, args, pair)
    if np.iscomplexobj(left) or np.iscomplexobj(x):
        raise errors.ComplexNotImplementedError('the solution of an equation is complex: take its real and imaginary parts as '
                                                'unknowns of their own')
    try:
        step = np.linalg.solve(matrix, left if free is None else np.where(free, left, 0.0))
    except np.linalg.LinAlgError:
        raise errors.UnsolvedError(
            'the solution of an equation has no derivative here: the matrix of derivatives of the equations by their unknowns '
            'is singular, so that other solutions lie close by (the implicit function theorem does not hold)') from None
    far = float(np.max(np.abs(step), initial=0.0)) / (1.0 + float(np.max(np.abs(x), initial=0.0)))
    if not far <= FAR:
        raise errors.UnsolvedError(
            f'the derivative of the solution of an equation is wanted at a point that solves it not: the equations are still '
            f'off by {np.max(np.abs(left)):.3g} there, and a Newton step would move it by {far:.3g} of its size; let the '
            'solver converge (a better start, more iterations, a smaller tolerance)')


def free_of(x, bounds, constraints=()):
    """Which elements of a minimum do not lie at a bound; None for all of them."""
    if not isinstance(constraints, (tuple, list)) or len(constraints):
        raise errors.ArgumentError('a minimum under constraints has no derivative rule: give bounds alone, or write the '
                                   'conditions of Karush, Kuhn and Tucker as a root')
    if bounds is None or bounds == [None]:
        return None
    if hasattr(bounds, 'lb'):
        low, high = (np.broadcast_to(b, np.shape(x)) for b in (bounds.lb, bounds.ub))
    else:
        low, high = np.array([[-np.inf if a is None else a, np.inf if b is None else b] for a, b in bounds], float).T
    slack = BOUND * (1.0 + np.abs(x))
    return (x > low + slack) & (x < high - slack)


def free_between(x, bounds):
    """The same for bounds as a pair, for each element or for all."""
    if bounds is None or hasattr(bounds, 'lb'):
        return free_of(x, bounds)
    return free_of(x, np.stack(np.broadcast_arrays(x, *bounds)[1:], -1))


def gradient_part(g, name, *more):
    """The gradient of a part of what a solver returns.

    Raises
    ------
    ReverseNotImplementedError
        If another part than these has one.
    """
    refuse_others(g, name, *more)
    return g[name]


def refuse_others(g, *names):
    for name, value in g.items():
        if name not in names and isinstance(value, (float, np.ndarray)) and np.any(value):
            raise errors.ReverseNotImplementedError(f'what a solver returns has derivatives in {" and ".join(names)}, not in '
                                                    f'{name}: compute that from the solution')


# For people

def root(residual: Callable) -> Callable:
    """A decorator of a solver: what it returns has the derivative of a root of `residual`.

    Parameters
    ----------
    residual : function
        `residual(x, *args)` is zero, element by element, at the solution `x`, a number or an array.

    Returns
    -------
    function
        Decorates a function `solver(x0, *args)` that returns `x`. It is not looked into; nothing depends on `x0`.

    Raises
    ------
    UnsolvedError
        When the derivative is computed, if `x` is no solution, or the matrix of derivatives is singular.

    Notes
    -----
    The implicit function theorem: Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 15; Blondel et al., "Efficient
    and modular implicit differentiation" (2022).

    Examples
    --------
    >>> @tangent.implicit.root(lambda x, a: x * x - a)
    ... def square_root(x0, a):
    ...     return numpy.sqrt(a)
    >>> float(tangent.grad(lambda a: square_root(1.0, a))(4.0))
    0.25
    """
    def decorate(solver):
        def solve(x0, *args):
            return solution(at_root, residual, found(solver, x0, args), args)
        return solve
    return decorate


def fixed_point(function: Callable) -> Callable:
    """A decorator like `root`, for a solver whose result fulfils `x == function(x, *args)`.

    Parameters
    ----------
    function : function
        Gives a number or array of the shape of `x`.

    Returns
    -------
    function
        As that of `root`.

    Raises
    ------
    UnsolvedError
        As for `root`.

    Notes
    -----
    Christianson, "Reverse accumulation and attractive fixed points" (1994).

    Examples
    --------
    >>> @tangent.implicit.fixed_point(lambda x, a: 0.5 * (x + a / x))
    ... def square_root(x0, a):
    ...     return numpy.sqrt(a)
    >>> float(tangent.grad(lambda a: square_root(1.0, a))(4.0))
    0.25
    """
    def decorate(solver):
        def solve(x0, *args):
            return solution(at_fixed_point, function, found(solver, x0, args), args)
        return solve
    return decorate


def minimiser(function: Callable) -> Callable:
    """A decorator like `root`, for a solver whose result makes `function(x, *args)` smallest, or just stationary.

    Parameters
    ----------
    function : function
        Gives a number.

    Returns
    -------
    function
        As that of `root`.

    Raises
    ------
    UnsolvedError
        As for `root`.

    Examples
    --------
    >>> @tangent.implicit.minimiser(lambda x, a: (x - 3 * a) ** 2)
    ... def smallest(x0, a):
    ...     return 3 * a
    >>> round(float(tangent.grad(lambda a: smallest(0.0, a))(4.0)), 9)
    3.0
    """
    def decorate(solver):
        def solve(x0, *args):
            return solution(at_minimum, function, found(solver, x0, args), args)
        return solve
    return decorate


def found(solver, x0, args):
    """What a solver returns, through which no derivative flows."""
    return solver(x0, *args)


constant(refuse_unsolved, unit_rows, free_of, free_between, refuse_others, found)
general('y = solution(conditions, f, x, args)', None, 'unsolution(d[y], conditions, f, y, args)[0]', None,
        'unsolution(d[y], conditions, f, y, args)[1]',
        forward='push_solution(d[f], d[args], conditions, f, y, args)')
