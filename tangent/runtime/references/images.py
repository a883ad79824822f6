"""Images of `scipy.ndimage` at other places, as functions of the image and of the places; see `table`.

A spline through the image is evaluated at each place: its coefficients are those of `scipy.ndimage.spline_filter1d`, which are
linear in the image, and its weights are functions of the places.
"""
import itertools

import numpy as np
import scipy.ndimage

from tangent.errors import ArgumentError

MODES = 'mirror', 'reflect', 'grid-wrap', 'grid-mirror', 'nearest', 'constant'


def map_coordinates(input, coordinates, output=None, order=3, mode='constant', cval=0.0, prefilter=True):
    check(output, order, mode)
    places = np.asarray(coordinates)
    rows = [places[k] for k in range(np.ndim(input))]
    return sampled(coefficients(np.asarray(input), order, mode, prefilter), rows, np.shape(input), order, mode, cval)


def check(output, order, mode):
    if output is not None or order not in (0, 1, 2, 3) or mode not in MODES:
        raise ArgumentError('scipy.ndimage: places have a derivative rule for output=None, order 0 to 3 and the modes '
                            + ', '.join(MODES))


def coefficients(image, order, mode, prefilter):
    """The coefficients of the spline through an image, with a border around it where the nearest element is taken."""
    if order < 2 or not prefilter:
        return image
    if mode == 'nearest':
        image = np.pad(image, 12, 'edge')
    for axis in range(np.ndim(image)):
        image = scipy.ndimage.spline_filter1d(image, order=order, axis=axis, mode=filtered(mode))
    return image


def filtered(mode):
    """The border that the coefficients are made for."""
    return {'constant': 'mirror', 'grid-mirror': 'reflect'}.get(mode, mode)


def sampled(c, places, shape, order, mode, cval):
    """The value of the spline at places, one array for each axis."""
    border = (c.shape[0] - shape[0]) // 2
    firsts, weights = [], []
    for k in range(len(shape)):
        firsts.append(first_of(places[k], order))
        weights.append(weights_of(places[k] - firsts[k], order))
    total = 0.0
    for steps in itertools.product(range(order + 1), repeat=len(shape)):
        term = 1.0
        for k in range(len(shape)):
            term = term * weights[k][steps[k]]
        total = total + term * c[index_of(firsts, steps, c.shape, border, mode)]
    if mode == 'constant':
        inside = within(places, shape)
        return np.where(inside, total, cval)
    return total


def first_of(place, order):
    """The first element that a place is made of, as a float."""
    return np.floor(place + 0.5) - order // 2 if order % 2 == 0 else np.floor(place) - order // 2


def weights_of(t, order):
    """The values at `t - k` of a B-spline, for each element, from where the first element lies."""
    if order == 0:
        return [np.ones_like(t)]
    if order == 1:
        return [1 - t, t]
    if order == 2:
        u = t - 1
        return [(0.5 - u) ** 2 / 2, 0.75 - u ** 2, (0.5 + u) ** 2 / 2]
    u = t - 1
    return [(1 - u) ** 3 / 6, 2 / 3 - u ** 2 + u ** 3 / 2, (1 + 3 * u + 3 * u ** 2 - 3 * u ** 3) / 6, u ** 3 / 6]


def index_of(firsts, steps, shape, border, mode):
    """Which elements of the coefficients are read."""
    return tuple(turned(np.asarray(first).astype(int) + step + border, n, mode)
                 for first, step, n in zip(firsts, steps, shape))


def turned(k, n, mode):
    """Numbers of elements, brought back into the image."""
    if mode == 'nearest':
        return np.clip(k, 0, n - 1)
    if mode in ('mirror', 'constant'):
        k = np.abs(k) % max(2 * n - 2, 1)
        return np.where(k >= n, 2 * n - 2 - k, k)
    if mode in ('reflect', 'grid-mirror'):
        k = k % (2 * n)
        return np.where(k >= n, 2 * n - 1 - k, k)
    return k % n


def within(places, shape):
    """Whether places are inside the image."""
    inside = True
    for place, n in zip(places, shape):
        inside = inside & (np.asarray(place) >= 0) & (np.asarray(place) <= n - 1)
    return inside


def grid(shape):
    """The places of all elements of an image."""
    return np.indices(shape).astype(float)


def affine_transform(input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode='constant', cval=0.0,
                     prefilter=True):
    rank = np.ndim(input)
    check(output, order, mode)
    shape = np.shape(input) if output_shape is None else tuple(output_shape)
    matrix = np.asarray(matrix)
    if np.ndim(matrix) == 2 and matrix.shape[1] == rank + 1:
        offset, matrix = matrix[:rank, rank], matrix[:rank, :rank]
    places = np.reshape(grid(shape), (rank, -1))
    moved = matrix @ places if np.ndim(matrix) == 2 else np.reshape(matrix, (rank, 1)) * places
    moved = moved + np.reshape(np.zeros(rank) + offset, (rank, 1))
    return map_coordinates(input, np.reshape(moved, (rank, *shape)), None, order, mode, cval, prefilter)


def shift(input, shift, output=None, order=3, mode='constant', cval=0.0, prefilter=True):
    rank = np.ndim(input)
    moved = grid(np.shape(input)) - np.reshape(np.zeros(rank) + shift, (rank,) + (1,) * rank)
    return map_coordinates(input, moved, output, order, mode, cval, prefilter)


def zoom(input, zoom, output=None, order=3, mode='constant', cval=0.0, prefilter=True, *, grid_mode=False):
    if grid_mode:
        raise ArgumentError('scipy.ndimage.zoom: grid_mode has no derivative rule')
    return map_coordinates(input, zoomed(np.shape(input), zoom), output, order, mode, cval, prefilter)


def zoomed(shape, factors):
    """The places that `zoom` reads."""
    factors = np.broadcast_to(factors, len(shape))
    wanted = [int(round(n * f)) for n, f in zip(shape, factors)]
    steps = np.array([(n - 1) / (w - 1) if w > 1 else 1.0 for n, w in zip(shape, wanted)])
    return grid(tuple(wanted)) * np.reshape(steps, (-1,) + (1,) * len(shape))


def rotate(input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode='constant', cval=0.0, prefilter=True):
    if np.ndim(input) != 2 or reshape:
        raise ArgumentError('scipy.ndimage.rotate: only images of two axes with reshape=False have a derivative rule')
    turn = angle * np.pi / 180
    first, second = sorted(axes)
    matrix = np.reshape(np.stack([np.cos(turn), np.sin(turn), -np.sin(turn), np.cos(turn)]), (2, 2))
    middle = (np.array(np.shape(input)) - 1) / 2
    return affine_transform(input, matrix, middle - matrix @ middle, None, output, order, mode, cval, prefilter)


FUNCTIONS = map_coordinates, affine_transform, shift, zoom, rotate
TABLE = {getattr(scipy.ndimage, f.__name__): f for f in FUNCTIONS}
