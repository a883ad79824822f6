"""Run-time functions for rules about means, interpolation and polynomials."""
import math

import numpy as np

from tangent.runtime.array_api import add_into, as_array, beside, counted, is_chunked, peer
from tangent.runtime.broadcast import cast, unbroadcast
from tangent.runtime.functions.elementwise import safe_divide, undiff
from tangent.runtime.zeros import init_grad


def by_squares(x, y):
    """`x / (x * x + y * y)`, whose squares neither overflow nor vanish; 0 where both are 0."""
    size = np.hypot(x, y)
    return safe_divide(safe_divide(x, size), size)


def sinc_slope(x, n=1):
    """The n-th derivative of `numpy.sinc(x)`.

    Near 0 by its series, else by `x s(n) + n s(n-1) = pi**(n-1) sin(pi x + n pi/2)`.
    """
    x = as_array(x)
    near = np.abs(x) < 0.5 * n
    small, large = np.where(near, x, 0), np.where(near, 1, x)
    series, found = 0 * small, np.sinc(large)
    for k in range(-(-n // 2), 12 + 3 * n):
        factor = (-1) ** k * math.pi ** (2 * k) / (math.factorial(2 * k - n) * (2 * k + 1))
        series = series + factor * small ** (2 * k - n)
    for k in range(1, n + 1):
        found = (math.pi ** (k - 1) * np.sin(math.pi * large + k * math.pi / 2) - k * found) / large
    return np.where(near, series, found)[()]


def _spread_weights(a, weights, axis):
    """The weights of `numpy.average(a, axis, weights)` in the rank of `a`."""
    if weights is None:
        return np.ones_like(a)
    if np.shape(weights) == np.shape(a):
        return as_array(weights)
    axes = [axis % np.ndim(a)] if np.ndim(axis) == 0 else [k % np.ndim(a) for k in axis]
    order = np.argsort(axes)
    return np.reshape(np.transpose(weights, order), [n if k in axes else 1 for k, n in enumerate(np.shape(a))])


def shares(a, weights, axis=None):
    """What part of `numpy.average(a, axis, weights)` each element of `a` makes."""
    spread = _spread_weights(a, weights, axis)
    return cast(np.broadcast_to(spread, np.shape(a)) / np.sum(spread, axis=axis, keepdims=True), a)


def unaverage_values(d, a, weights, axis=None, keepdims=False):
    """The gradient of `a`, from that of `numpy.average(a, axis, weights)`, where any of them may be complex."""
    spread = np.broadcast_to(_spread_weights(a, weights, axis), np.shape(a))
    d = np.expand_dims(d, axis) if axis is not None and not keepdims else d
    return unbroadcast(d * spread / np.sum(spread, axis=axis, keepdims=True), a)


def unaverage(d, a, y, weights, axis=None, keepdims=False):
    """The gradient of `weights`, from that of `y = numpy.average(a, axis, weights)`; None where there are none."""
    if weights is None:
        return None
    spread = _spread_weights(a, weights, axis)
    if axis is not None and not keepdims:
        d, y = np.expand_dims(d, axis), np.expand_dims(y, axis)
    owed = unbroadcast(d * (a - y) / np.sum(spread, axis=axis, keepdims=True), spread)
    if np.ndim(axis) == 0 or np.shape(weights) == np.shape(a):
        return cast(np.reshape(owed, np.shape(weights)), weights)
    order = np.argsort([k % np.ndim(a) for k in axis])
    kept = np.squeeze(owed, tuple(k for k in range(np.ndim(a)) if k not in [j % np.ndim(a) for j in axis]))
    return cast(np.transpose(kept, np.argsort(order)), weights)


def push_average(da, dw, a, y, weights, axis=None, keepdims=False):
    """The tangent of `y = numpy.average(a, axis, weights)`; `dw` is None where the weights are."""
    if weights is None:
        return np.mean(da, axis=axis, keepdims=keepdims)
    spread = _spread_weights(a, weights, axis)
    y = y if axis is None or keepdims else np.expand_dims(y, axis)
    moved = da * spread + _spread_weights(a, np.broadcast_to(dw, np.shape(weights)), axis) * (a - y)
    return np.sum(moved, axis=axis, keepdims=keepdims) / np.sum(spread, axis=axis, keepdims=keepdims)


def _nodes(x, xp, period, *others):
    """(x, xp, the order in which the nodes are used), brought into one period if there is one."""
    x, xp = beside(as_array(x), xp, *others), beside(as_array(xp), x, *others)
    if period is None and len(xp) == 1:                          # the one value everywhere: at both ends of a piece
        return x, np.concatenate([xp, np.nextafter(xp, np.inf)]), counted(2, xp) * 0
    if period is None:
        return x, xp, counted(len(xp), xp)
    xp = xp % abs(period)
    order = np.argsort(xp)
    order = np.concatenate([order[-1:], order, order[:1]])
    turns = np.zeros(len(order), like=peer(xp))
    turns[0], turns[-1] = -1, 1
    return x % abs(period), xp[order] + turns * abs(period), order


def _piece(x, xp):
    """(number of the piece, which part of it lies behind, whether x is inside)."""
    k = np.clip(np.searchsorted(xp, x, side='right') - 1, 0, len(xp) - 2)
    with np.errstate(over='ignore'):
        part = np.clip((x - xp[k]) / (xp[k + 1] - xp[k]), 0, 1)
    return k, part, (x >= xp[0]) & (x <= xp[-1])


def interp_slope(x, xp, fp, left=None, right=None, period=None):
    """The derivative of `numpy.interp(x, xp, fp)` by `x`: the slope of the piece to the right, 0 outside."""
    x, xp, order = _nodes(x, xp, period, fp)
    fp = beside(as_array(fp), x)[order]
    k, _, _ = _piece(x, xp)
    inside = (x >= xp[0]) & (x < xp[-1])
    slope = inside * (fp[k + 1] - fp[k]) / (xp[k + 1] - xp[k])
    return slope if np.iscomplexobj(slope) else cast(slope, x)


def uninterp(d, x, xp, fp, left=None, right=None, period=None):
    """The gradient of `fp`, from that of `numpy.interp(x, xp, fp, left, right, period)`."""
    x, xp, order = _nodes(x, xp, period, fp)
    k, part, _ = _piece(x, xp)
    d = as_array(d)
    if left is not None:
        d = np.where(x < xp[0], 0, d)
    if right is not None:
        d = np.where(x > xp[-1], 0, d)
    out = np.zeros(np.shape(fp), np.result_type(d, float), like=peer(d))
    add_into(out, order[k], d * (1 - part))
    add_into(out, order[k + 1], d * part)
    return cast(out, fp)


def uninterp_nodes(d, x, xp, fp, period=None):
    """The gradient of `xp`, from that of `numpy.interp(x, xp, fp, period=period)`."""
    x, nodes, order = _nodes(x, xp, period, fp)
    k, part, inside = _piece(x, nodes)
    fp = beside(as_array(fp), x)[order]
    slope = d * inside * (fp[k + 1] - fp[k]) / (nodes[k + 1] - nodes[k])
    out = np.zeros(np.shape(xp), np.result_type(slope, float), like=peer(slope))
    add_into(out, order[k], -slope * (1 - part))
    add_into(out, order[k + 1], -slope * part)
    return cast(out, xp)


def below(x, xp, period=None):
    """Whether `numpy.interp` gives its `left`."""
    return (beside(as_array(x), xp) < as_array(xp)[0]) & (period is None)


def above(x, xp, period=None):
    """Whether `numpy.interp` gives its `right`."""
    return (beside(as_array(x), xp) > as_array(xp)[-1]) & (period is None)


def push_interp(dx, dxp, dfp, dleft, dright, x, xp, fp, left=None, right=None, period=None):
    """The tangent of `numpy.interp(x, xp, fp, left, right, period)`."""
    at, nodes, order = _nodes(x, xp, period, fp)
    k, part, inside = _piece(at, nodes)
    dxp, dfp = (np.broadcast_to(beside(as_array(v), order), np.shape(xp))[order] for v in (dxp, dfp))
    slope = interp_slope(x, xp, fp, left, right, period)
    moved = np.multiply(dx, slope) + dfp[k] * (1 - part) + dfp[k + 1] * part \
        - inside * slope * (dxp[k] * (1 - part) + dxp[k + 1] * part)
    if left is not None:
        moved = np.where(below(x, xp, period), dleft, moved)
    if right is not None:
        moved = np.where(above(x, xp, period), dright, moved)
    return moved[()]


def bessel(x, order):
    """The modified Bessel function of the first kind of an integer order: what the derivatives of `numpy.i0` are made of.

    The trapezoidal rule on the integral of `exp(x * cos(t)) * cos(order * t)` over a period, which is exact to rounding.
    """
    if is_chunked(x):
        return cast(x.map_blocks(bessel, order, dtype=float), x)
    size = np.abs(as_array(x, float))
    summed = np.where(size < 800, size, 800.0)           # above that the result is inf
    count = int(48 + 10 * math.sqrt(float(np.max(summed)) if size.size else 0.0)) + 2 * abs(order)
    angles = 2 * np.pi * counted(count, size) / count
    scaled = np.mean(np.exp(summed[..., None] * (np.cos(angles) - 1)) * np.cos(order * angles), axis=-1)
    return cast((scaled * np.exp(size) * np.where(as_array(x) < 0, (-1.0) ** order, 1.0))[()], x)


def push_arange(y, dstart, stop, dstep):
    """The tangent of `y = numpy.arange(start, stop, step)`: where `stop` is None the start is 0."""
    return np.zeros(len(y), like=peer(y)) if stop is None else dstart + dstep * counted(len(y), y)


def exponents(x, columns, increasing):
    return counted(columns, x) if increasing else counted(columns, x)[::-1]


def unvander(d, x, increasing=False):
    """The gradient of `x`, from that of `numpy.vander(x, N, increasing)`."""
    k = exponents(d, np.shape(d)[-1], increasing)
    return cast(np.sum(d * slopes_of_powers(x, k), axis=-1), x)


def push_vander(dx, x, y, increasing=False):
    """The tangent of `y = numpy.vander(x, N, increasing)`."""
    k = exponents(x, np.shape(y)[-1], increasing)
    return slopes_of_powers(x, k) * as_array(dx)[:, None]


def slopes_of_powers(x, k):
    return k * beside(as_array(x), k)[:, None] ** np.maximum(k - 1, 0)


def _steps(y, x, dx, axis):
    """The widths of the intervals of `numpy.trapezoid(y, x, dx, axis)`, in the rank of `y`."""
    if x is None:
        return dx
    steps = beside(np.diff(x, axis=axis if np.ndim(x) > 1 else 0), y)
    return steps if np.ndim(x) > 1 else np.reshape(steps, [-1 if k == axis % np.ndim(y) else 1 for k in range(np.ndim(y))])


def _pairs(y, axis):
    """The sums of neighbours along the axis."""
    y = as_array(y)
    lead = (slice(None),) * (axis % y.ndim)
    return y[(*lead, slice(1, None))] + y[(*lead, slice(None, -1))]


def untrapezoid(d, y, x, dx, axis):
    """The gradients of `y`, `x` and `dx`, from that of `numpy.trapezoid(y, x, dx, axis)`."""
    spread = np.expand_dims(d, axis)
    heights = _pairs(y, axis) / 2
    half = np.broadcast_to(spread * _steps(y, x, dx, axis) / 2, np.shape(heights))
    if np.size(half):
        edge = np.zeros_like(np.take(half, [0], axis))
        owed = cast(np.concatenate([half, edge], axis) + np.concatenate([edge, half], axis), y)
    else:
        owed = init_grad(y)
    if x is None:
        return owed, None, unbroadcast(spread * heights, dx)
    widths = unbroadcast(spread * heights, _steps(y, x, dx, axis))
    return owed, undiff(widths if np.ndim(x) > 1 else np.ravel(widths), x, 1, axis if np.ndim(x) > 1 else 0), 0.0 * dx


def push_trapezoid(dy, dx, dstep, y, x, step, axis):
    """The tangent of `numpy.trapezoid(y, x, step, axis)`."""
    moved = _pairs(dy, axis) * _steps(y, x, step, axis) / 2
    if x is None:
        return np.sum(moved + _pairs(y, axis) * dstep / 2, axis)
    return np.sum(moved + _pairs(y, axis) * _steps(y, np.broadcast_to(dx, np.shape(x)), step, axis) / 2, axis)


def unlinspace(d, start, stop, num=50, endpoint=True):
    """The sum of the elements of `d` times the numbers from `start` to `stop`, which are as many."""
    return np.tensordot(beside(np.linspace(start, stop, num, endpoint), d), d, 1)


def push_cumprod(da, a, y, axis=None):
    """The tangent of `y = numpy.cumprod(a, axis)`."""
    at = 0 if axis is None else axis
    da, a = (np.ravel(da), np.ravel(a)) if axis is None or np.ndim(a) == 0 else (da, a)
    da, a, y = (np.moveaxis(v, at, 0) for v in (da, a, y))
    out = np.empty_like(y, dtype=np.result_type(y, da))
    for k in range(len(a)):
        out[k] = out[k - 1] * a[k] + y[k - 1] * da[k] if k else da[k]
    return np.moveaxis(out, 0, at)
