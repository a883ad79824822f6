"""Solutions of ordinary differential equations: forward along the equation of their tangents, backward along the adjoint one.

The gradient `b` of the state obeys `db/dt = -(df/dy)^T b`, backward in time, with what a point in time is given added to it
there; what parameters get is the integral of `(df/da)^T b` (Pontryagin; Cao, Li, Petzold and Serban, Adjoint sensitivity
analysis for differential-algebraic equations, SIAM J. Sci. Comput. 24, 2003; Chen et al., Neural ordinary differential
equations, 2018). The state is read off a dense solution, which is computed once more, and not integrated backward: that
would be unstable where the way forward is stable. The integral is taken by Gauss's rule in each step of the adjoint solution.

This is the derivative of the exact solution. The equations are solved with tolerances ten times smaller than the user's, of
`RTOL` and `ATOL` at most, so that the derivative is about as good as the solution; where the user's method is an explicit one
of low order, by one of order 8 (Hairer, Norsett and Wanner, Solving ordinary differential equations I, section II.10).
"""
import functools
import importlib

import numpy as np

from tangent import errors
from tangent.driver.dispatch.reverse import pullback
from tangent.emit.build import Part, build
from tangent.interfaces.grad import jvp, vjp
from tangent.interfaces.solvers.implicit import as_result, vector
from tangent.runtime.cast import astype
from tangent.runtime.pytree import is_leaf
from tangent.runtime.zeros import ZeroGrad, init_grad
from tangent.templates.language.declare import constant, general, linear

RTOL, ATOL = 1e-6, 1e-9
GAUSS = {'DOP853': np.polynomial.legendre.leggauss(4)}             # as good as what stands between two steps
FEW = np.polynomial.legendre.leggauss(3)


# The right-hand sides

@functools.cache
def law_for(count, y_first=False):
    """`dy/dt` as `solve_ivp` asks for it, or `odeint`, with so many further arguments; None: the only one is no tuple.

    def law(f, t, y, args):
        a0, a1, = args
        return vector(f(t, y, a0, a1))
    """
    names = ['args'] if count is None else [f'a{k}' for k in range(count)]
    head = f'    {"".join(n + ", " for n in names)}= args\n' if count else ''
    call = ', '.join([*(('y', 't') if y_first else ('t', 'y')), *names])
    text = f'def law(f, t, y, args):\n{head}    return vector(f({call}))\n'
    return build(text, [Part('law', {'__name__': __name__, 'vector': vector})], {}, 'law')['law']


def rate(args):
    """`dy/dt` as `solve_ivp` asks for it."""
    return law_for(len(args))


def rate_of_y(args, tfirst):
    """`dy/dt` as `odeint` asks for it."""
    return law_for(len(args) if isinstance(args, tuple) else None, not tfirst)


constant(rate, rate_of_y)


# The states at the times `T`, one in each column, from the state `y0` at the time `t0`
#
# law : the rate of the state, made of (f, t, y, args); what has a derivative is `f` and `args`
# how : (method, rtol, atol, the longest step or None)

def flow(law, f, t0, T, y0, args, how):
    """The states at the times `T`."""
    return solved(law, f, t0, T[-1], y0, args, how, t_eval=T).y


def adjoint(g, law, f, t0, T, y0, args, how):
    """The gradients of `f`, `t0`, `T`, `y0` and `args`, from that of the states."""
    like = f, args
    state = solved(law, f, t0, T[-1], y0, args, how, dense_output=True).sol if T[-1] != t0 else lambda t: y0
    b, gT, owed = np.zeros(len(y0)), np.zeros(len(T)), flat(zeros(like), like)
    for k in range(len(T) - 1, -1, -1):
        gT[k] = g[:, k] @ law(f, T[k], state(T[k]), args)
        b = b + g[:, k]
        before = T[k - 1] if k else t0
        if before != T[k]:
            b, more = back(b, law, f, T[k], before, state, args, how)
            owed = owed + more
    bf, bargs = unflat(owed, like)
    return bf, -(b @ law(f, t0, y0, args)), gT, b, bargs


def back(b, law, f, start, end, state, args, how):
    """The gradient of the state at `end` from that at `start`; what goes to `f` and `args` on the way, in one row."""
    def slope(pull, t, b, args):
        _, go = pull(f, t, state(t), args)
        return -go(b)
    found = solved(slope, pullback(law, (2,)), start, end, b, args, how, dense_output=True)
    owed, pull, form = 0.0, pullback(law, (0, 3)), zeros((f, args))
    middle, half = (found.t[:-1] + found.t[1:]) / 2, np.diff(found.t) / 2
    nodes, weights = GAUSS.get(method_of(how), FEW)
    times, weights = np.ravel(middle[:, None] + half[:, None] * nodes), np.ravel(half[:, None] * weights)
    for t, y, b in zip(times, state(times).T, (found.sol(times) * weights).T):
        _, go = pull(f, t, y, args)
        owed = owed - in_row(go(b), form)
    return found.y[:, -1], owed


def adjoint_again(g, law, f, t0, T, y0, args, how):
    """`adjoint` as it is differentiated: the state goes backward with its gradient, from each of the times anew."""
    states = flow(law, f, t0, T, y0, args, how)
    n, like = len(y0), (f, args)
    row = np.zeros(2 * n + count(like))
    gT = []
    for k in range(len(T) - 1, -1, -1):
        gT.append(np.dot(g[:, k], law(f, T[k], states[:, k], args)))
        row = np.concatenate([states[:, k], row[n:2 * n] + g[:, k], row[2 * n:]])
        before = T[k - 1] if k else t0
        if before != T[k]:
            row = flow(backward, (law, f, n), T[k], np.stack([before]), row, args, how)[:, 0]
    b = row[n:2 * n]
    bf, bargs = unflat(row[2 * n:], like)
    return bf, -np.dot(b, law(f, t0, y0, args)), np.stack(gT[::-1]), b, bargs


adjoint.tangent = adjoint_again                    # type: ignore[attr-defined]


def backward(system, t, row, args):
    """The rate of a state, its gradient and what parameters get, in one row."""
    law, f, n = system
    pull = vjp(law, (0, 2, 3))
    bf, by, bargs = pull(f, t, row[:n], args, row[n:2 * n])
    return np.concatenate([law(f, t, row[:n], args), -by, -flat((bf, bargs), (f, args))])


def push_flow(moved, law, f, t0, T, y0, args, how):
    """The tangent of the states, from those of `f`, `t0`, `T`, `y0` and `args`."""
    df, dt0, dT, dy0, dargs = moved
    n = len(y0)
    start = np.concatenate([y0, dy0 - dt0 * law(f, t0, y0, args)])
    rows = flow(forward, (law, f, n), t0, T, start, (args, df, given(dargs, args)), how)
    slopes = [law(f, T[k], rows[:n, k], args) for k in range(len(T))]
    return rows[n:] + np.stack(slopes, 1) * dT


def forward(system, t, row, given):
    """The rate of a state and of its tangent, in one row."""
    law, f, n = system
    args, df, dargs = given
    push = jvp(law, (0, 2, 3), check_dims=False)
    return np.concatenate([law(f, t, row[:n], args), push(f, t, row[:n], args, df, row[n:], dargs)])


def given(dargs, args):
    """The tangent of the arguments; that of none at all is none at all."""
    return args if isinstance(args, tuple) and not args else dargs


def method_of(how):
    """The method of the user's; one of low order would take many steps for these tolerances."""
    return 'DOP853' if how[0] in ('RK23', 'RK45') else how[0]


def solved(law, f, start, end, y0, args, how, **more):
    """What `solve_ivp` finds with tolerances small enough for a derivative."""
    _, rtol, atol, longest = how
    integrate = importlib.import_module('scipy.integrate')
    if longest is not None:
        more['max_step'] = longest
    found = integrate.solve_ivp(lambda t, y: law(f, t, y, args), (start, end), y0, method_of(how),
                                rtol=min(0.1 * np.min(rtol), RTOL), atol=min(0.1 * np.min(atol), ATOL), **more)
    if not found.success:
        raise errors.UnsolvedError(f'the equation for the derivative of the solution of a differential equation cannot be '
                                   f'solved: {found.message} Try another method ("Radau", "LSODA") for a stiff equation')
    return found


# Gradients of functions and arguments, in one row

def zeros(like):
    """The zero gradient of a value in its final form: that of a function is a dict of those of what it has captured."""
    return astype(init_grad(like), like)


def flat(g, like):
    """The numbers of a gradient of `like`, or of its tangent, in one row."""
    return in_row(g, zeros(like))


def in_row(g, zero):
    parts = []
    gather(zero, g, parts)
    return np.concatenate(parts) if parts else np.zeros(0)


def gather(zero, g, parts):
    nothing = g is None or isinstance(g, ZeroGrad)
    if isinstance(zero, (tuple, list)):
        for k, z in enumerate(zero):
            gather(z, None if nothing else g[k], parts)
    elif isinstance(zero, dict):
        for key, z in zero.items():
            gather(z, None if nothing else g.get(key), parts)
    elif is_leaf(zero):
        parts.append(np.ravel(zero if nothing else g if np.shape(g) == np.shape(zero) else np.broadcast_to(g, np.shape(zero))))
    elif zero is not None:
        raise errors.ArgumentTypeError(f'the gradient of {type(zero).__name__} objects cannot be put into one row: pass the '
                                       'numbers and arrays that they hold')


def unflat(row, like):
    """A gradient of `like`, from its numbers in one row."""
    return rebuilt(zeros(like), row, [0])


def rebuilt(zero, row, at):
    if isinstance(zero, (tuple, list)):
        return type(zero)([rebuilt(z, row, at) for z in zero])
    if isinstance(zero, dict):
        return {key: rebuilt(z, row, at) for key, z in zero.items()}
    if not is_leaf(zero):
        return None
    start, at[0] = at[0], at[0] + np.size(zero)
    return np.reshape(row[start:at[0]], np.shape(zero)) if np.ndim(zero) else row[start]


def count(like):
    """How many numbers a gradient of `like` has."""
    return len(flat(zeros(like), like))


constant(count, zeros)
linear('y = flat(g, like)', 'unflat(d[y], like)')
linear('y = unflat(row, like)', 'flat(d[y], like)')
TO_FLOW = 'adjoint(d[Y], law, f, t0, T, y0, args, how)'
general('Y = flow(law, f, t0, T, y0, args, how)', None, *(f'{TO_FLOW}[{k}]' for k in range(5)),
        forward='push_flow((d[f], d[t0], d[T], d[y0], d[args]), law, f, t0, T, y0, args, how)')


# SciPy's functions

def unsolve_ivp(g, result, fun, task, how, events=None):
    """The gradients of `fun`, and of `t_span, y0, t_eval, args = task`, from that of what `solve_ivp` has returned."""
    check_ivp(g, result, events)
    t_span, y0, t_eval, args = task
    T = result['t']
    args = () if args is None else args
    bf, bt0, bT, by0, bargs = adjoint(g['y'], rate(args), fun, t_span[0], T, vector(y0), args, how)
    bT = bT + g['t']
    if t_eval is None:
        return bf, (bt0 + bT[0], bT[-1]), by0, None, bargs
    return bf, (bt0, 0.0), by0, bT, bargs


def push_ivp(df, dtask, result, fun, task, how, events=None):
    """The tangent of what `solve_ivp` has returned."""
    check_ivp(None, result, events)
    (t_span, y0, t_eval, args), (dt_span, dy0, dt_eval, dargs) = task, dtask
    T = result['t']
    args = () if args is None else args
    dT = dt_eval if t_eval is not None else np.concatenate([[dt_span[0]], np.zeros(len(T) - 2), [dt_span[1]]])
    dY = push_flow((df, dt_span[0], dT, vector(dy0), dargs), rate(args), fun, t_span[0], T, vector(y0), args, how)
    return moved_result(still(result), dY, dT)


def still(result):
    """The result as something without a derivative: only its form is looked at."""
    return result


def moved_result(result, dY, dT):
    """The tangent of what `solve_ivp` has returned, from those of the states and of the times."""
    return as_result(result, y=dY, t=dT)


def check_ivp(g, result, events):
    if events is not None or result.get('sol') is not None:
        raise errors.ArgumentError('solve_ivp with events, or with dense_output, has no derivative rule: give the times in '
                                   't_eval; the time of an event is a root, for which there is tangent.implicit.root')
    if not result['success']:
        raise errors.UnsolvedError(f'solve_ivp has not reached the end of the interval: {result["message"]}')
    if np.iscomplexobj(result['y']):
        raise errors.ComplexNotImplementedError('solve_ivp with complex states has no derivative rule: take real and imaginary '
                                                'parts as states of their own')


def unodeint(g, func, y0, t, args, how, tfirst=False):
    """The gradients of `func`, `y0`, `t` and `args`, from that of what `odeint` has returned."""
    law = rate_of_y(args, tfirst)
    bf, bt0, bt, by0, bargs = adjoint(np.transpose(g), law, func, t[0], t, vector(y0), args, how)
    return bf, by0, np.concatenate([[bt0 + bt[0]], bt[1:]]), bargs


def push_odeint(moved, func, y0, t, args, how, tfirst=False):
    """The tangent of what `odeint` has returned, from those of `func`, `y0`, `t` and `args`."""
    df, dy0, dt, dargs = moved
    law = rate_of_y(args, tfirst)
    return np.transpose(push_flow((df, dt[0], dt, vector(dy0), dargs), law, func, t[0], t, vector(y0), args, how))


constant(check_ivp, still)
general('z = moved_result(result, dY, dT)', None, 'd[z]["y"]', 'd[z]["t"]', shape='container',
        forward='moved_result(result, d[dY], d[dT])')
