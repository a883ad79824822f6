"""What NumPy gives as a view, or in place, and is written into: the derivative knows that both names are one memory."""
import numpy as np
import pytest

import tangent
from tests.tools.texts import define

X = np.array([0.3, 0.7, 1.1, 0.2, 0.9, 0.4])
VIEWS = '''np.atleast_1d(y) | np.atleast_3d(y) | np.real(y) | y.real | np.broadcast_arrays(y)[0] | np.unstack(y.reshape(2, 3))[0]
np.permute_dims(y) | np.matrix_transpose(y.reshape(2, 3)) | y[:] | y[::-1] | np.array(y, copy=False) | np.array(y, copy=None)
np.array(y, copy=False, ndmin=2) | np.asarray(y) | np.asfortranarray(y) | y.astype(float, copy=False)
np.astype(y, np.float64, copy=False) | np.ravel(y) | np.hsplit(y, 2)[0] | np.swapaxes(y, 0, 0) | np.expand_dims(y, 0)
y[..., 1:] | y.reshape(2, 3)[0] | np.split(y, 2)[1] | np.rot90(y.reshape(2, 3), 2) | np.array(y) | y.flatten() | np.tile(y, 1)
np.lib.stride_tricks.as_strided(y, (3,), (16,)) | np.lib.stride_tricks.as_strided(y[::2], (3,), (16,))
np.lib.stride_tricks.as_strided(y, (2, 2), (8, 8)) | np.lib.stride_tricks.sliding_window_view(y, 2, writeable=True)
np.lib.stride_tricks.sliding_window_view(y, 2, writeable=True)[:2] | np.concatenate([y]) | np.take(y, [0, 1])'''
VIEWS = [text for line in VIEWS.splitlines() for text in line.split(' | ')]


def written(view, name):
    return define(f'''def f(x):
    y = x * 2.0
    v = {view}
    {name}[0] = x[1] * 3.0
    return np.sum(y * y) + np.sum(v * v * v)
''', np=np).f


@pytest.mark.parametrize('name', ['v', 'y'])
@pytest.mark.parametrize('view', VIEWS)
def test_views(view, name):
    f = written(view, name)
    expected = np.array([(f(X + 1e-5 * d) - f(X - 1e-5 * d)) / 2e-5 for d in np.eye(len(X))])
    np.testing.assert_allclose(tangent.grad(f)(X), expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose([tangent.jvp(f)(X, d) for d in np.eye(len(X))], expected, rtol=1e-6, atol=1e-6)


def test_values_that_are_put_in_place_are_refused():
    for derive in tangent.grad, tangent.jvp:
        with pytest.raises(tangent.errors.TangentError, match='leave copy out'):
            derive(written('np.nan_to_num(y, copy=False)', 'v'))
