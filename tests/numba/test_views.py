"""Views under names of their own that compiled functions write into: other names, slices, transposed matrices."""
import numpy as np
import pytest

import tangent
from tangent.errors import TangentParseError
from tests.tools.checking import assert_close, differences

numba = pytest.importorskip('numba')
V, M = np.array([0.3, 0.5, 0.2, 0.9]), np.arange(16.0).reshape(4, 4) * 0.1 + 0.2


def slices_that_overlap(v, m, s):
    w = v[1:]
    u = v[0]
    for i in range(2):
        w[i] = w[i + 1] * s * u
        v[i] += w[0]
    backwards = v[::-1]
    backwards[0] = s * v[1]
    return np.sum(v * v)


def columns_and_blocks(v, m, s):
    w = m[:, 1]
    w[:] = v * s
    rows = m[1:3]
    if s > 0.1:
        rows[:, 0] = v[:2]
    while s < 2.0:
        rows[0] = rows[1] * s
        s = s * 2
    return np.sum(m * m) * s


def places_of_slices(v, m, s):
    w = v[1:]
    w[w > 0.4] = s
    w[np.array([0, 0])] += s
    for i in range(3):
        part = m[i, 1:3]
        part *= s
        part[1] = part[0] * v[i]
    return np.sum(v * v) + np.sum(m * m)


def transposed(v, m, s):
    w = m.T
    w[1, 2] = s
    w[0] = v
    u = v
    u[1] += s * v[2]
    return np.sum(m * m * w) * np.sum(v * u)


@pytest.mark.parametrize('f', [slices_that_overlap, columns_and_blocks, places_of_slices, transposed], ids=lambda f: f.__name__)
def test_views(f):
    found = tangent.grad(numba.njit(f), (0, 1, 2))(V, M, 0.7)
    assert_close(found, tuple(differences(f, (V, M, 0.7), (0, 1, 2))))


def bound_anew(v, s):
    w = v[1:]
    v = v * 2
    w[0] = s
    return np.sum(v * v) + w[0] + w[1]


def bounds_anew(v, s):
    n = 1
    w = v[n:]
    n = 2
    w[0] = s
    return np.sum(v * v) + n


@pytest.mark.parametrize('f', [bound_anew, bounds_anew], ids=lambda f: f.__name__)
def test_refused(f):
    with pytest.raises(TangentParseError, match='write into an array'):
        tangent.grad(numba.njit(f), (0, 1))(V, 0.7)
