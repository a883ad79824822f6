"""Run-time functions for rules about Fourier transforms.

A transform is a symmetric matrix, so that its adjoint, without conjugation, is the transform itself, of as many points. What
is cut off or added to reach that many is added or cut off again. Where the transform is of real numbers, half of the
spectrum stands for the whole.
"""
import numpy as np

from tangent.runtime.array_api import as_array, filled, is_chunked, peer
from tangent.runtime.broadcast import cast


def _resized(d, size, axis):
    """`d` cut to `size` elements along the axis, or filled up with zeros."""
    have = d.shape[axis]
    if have >= size:
        return np.moveaxis(np.moveaxis(d, axis, 0)[:size], 0, axis)
    return np.pad(d, [(0, size - have) if k == axis % d.ndim else (0, 0) for k in range(d.ndim)])


def _whole(d, axis):
    """An array in chunks with one chunk along the axis."""
    return d.rechunk({axis % d.ndim: -1}) if is_chunked(d) else d


def _halved(d, points, axis):
    """What `d`, the adjoint of a whole spectrum, is for the half that stands for it: the middle of it counts twice."""
    half = points // 2 + 1
    d = np.moveaxis(_resized(d, half, axis), axis, -1)
    twice = filled(half, 2.0, like=peer(d))
    twice[0] = 1
    if points % 2 == 0:
        twice[-1] = 1
    return np.moveaxis(d * twice, -1, axis)


def _back(kind, d, size, points, axis, norm):
    """The adjoint of one transform along one axis, for an argument of `size` elements there."""
    d = _whole(d, axis)
    if kind in ('fft', 'ifft'):
        found = getattr(np.fft, kind)(d, points, axis, norm)
    elif kind in ('rfft', 'ihfft'):
        found = (np.fft.fft if kind == 'rfft' else np.fft.ifft)(_whole(_resized(d, points, axis), axis), points, axis, norm)
    else:
        found = _halved((np.fft.ifft if kind == 'irfft' else np.fft.fft)(d, points, axis, norm), points, axis)
    return _resized(found, size, axis)


def _default(kind, size):
    return 2 * (size - 1) if kind in ('irfft', 'hfft') else size


def unfft(d, a, kind, n=None, axis=-1, norm=None):
    """The gradient of `a`, from that of `numpy.fft.<kind>(a, n, axis, norm)`."""
    size = np.shape(a)[axis]
    return cast(_back(kind, as_array(d), size, _default(kind, size) if n is None else n, axis, norm), a)


def unfftn(d, a, kind, s=None, axes=None, norm=None):
    """The gradient of `a`, from that of the transform over several axes whose last one is the 1-dimensional `kind`."""
    d, rank = as_array(d), np.ndim(a)
    axes = list(range(rank) if s is None else range(rank - len(s), rank)) if axes is None else list(axes)
    others = {'rfft': 'fft', 'irfft': 'ifft'}.get(kind, kind)
    order = list(zip(axes, [None] * len(axes) if s is None else s))
    last = order.pop()
    whole = [(last, kind)] + [(each, others) for each in order] if kind == 'irfft' else \
        [(each, others) for each in order] + [(last, kind)]
    for (axis, points), each in whole:
        size = np.shape(a)[axis]
        points = _default(each, size) if points in (None, -1) else points
        d = _back(each, d, size, points, axis, norm)
    return cast(d, a)


def transform(a, kind, n=None, axis=-1, norm=None):
    """`numpy.fft.<kind>(a, n, axis, norm)`."""
    return getattr(np.fft, kind)(a, n, axis, norm)


def transform_axes(a, kind, s=None, axes=None, norm=None):
    """The transform over several axes whose last one is the 1-dimensional `kind`."""
    return getattr(np.fft, kind + 'n')(a, s, axes, norm)
