"""The reductions of `bottleneck`, which stand where packages ask for fast ones."""
import numpy as np
import pytest

import tangent

bottleneck = pytest.importorskip('bottleneck', reason='bottleneck is not installed')
A = np.array([[0.3, 0.8, 1.1, 0.2], [1.4, 0.5, 0.4, 0.75], [0.9, 0.7, 0.6, 2.0]])
HOLES = np.where(A == 0.4, np.nan, A)
W = np.arange(1.0, 5.0)
OF_NAN = 'nansum nanmean nanvar nanstd nanmin nanmax nanmedian'.split()


def check(f, x):
    units = [np.reshape(unit, x.shape) for unit in np.eye(x.size)]
    wanted = np.reshape([(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in units], x.shape)
    df = tangent.grad(f)
    for _ in range(4):
        np.testing.assert_allclose(df(x), wanted, rtol=1e-5, atol=1e-8)
    direction = np.cos(A)
    np.testing.assert_allclose(tangent.jvp(f)(x, direction), np.sum(wanted * direction), rtol=1e-5)


@pytest.mark.parametrize('name', [*OF_NAN, 'median', 'ss'])
def test_reductions(name):
    reduce = getattr(bottleneck, name)
    for x in (A, HOLES) if name in OF_NAN else (A,):
        check(lambda a: reduce(a) * 2.0, x)
        check(lambda a: np.sum(W * reduce(a, axis=0)), x)
        check(lambda a: np.sum(W[:3] * reduce(a, 1)), x)


@pytest.mark.parametrize('name', ['nanvar', 'nanstd'])
def test_of_a_sample(name):
    reduce = getattr(bottleneck, name)
    check(lambda a: reduce(a, None, 1), HOLES)
    check(lambda a: np.sum(W * reduce(a, axis=0, ddof=1)), A)


def test_places_have_no_derivative():
    np.testing.assert_array_equal(tangent.grad(lambda x: np.sum(x) * bottleneck.nanargmax(x))(W), 3.0)
