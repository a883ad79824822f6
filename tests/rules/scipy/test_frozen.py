"""Distributions with their parameters, and what calls with further keywords keep."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close

stats = pytest.importorskip('scipy.stats')

POINTS = np.array([0.4, 1.3, 2.6])
COUNTS = np.array([0, 2, 3])


def square(x, low, scale):
    return ((x - low) / scale) ** 2


class Held:
    def __init__(self, args, keywords):
        self.args, self.keywords = args, keywords

    def at(self, x):
        return square(x, *self.args, **self.keywords)


def hold(*args, **keywords):
    return Held(args, keywords)


class Maker:
    def __call__(self, *args, **keywords):
        return Held(args, keywords)

    def hold(self, **keywords):
        return Held((), keywords)


MAKER = Maker()


def by_function(low, scale, x):
    return hold(low=low, scale=scale).at(x)


def by_instance(low, scale, x):
    return MAKER(low, scale=scale).at(x)


def by_method(low, scale, x):
    return MAKER.hold(scale=scale, low=low).at(x)


@pytest.mark.parametrize('f', [by_function, by_instance, by_method])
def test_further_keywords_that_an_object_keeps(f):
    """The dict of `**keywords` is nobody else's: what is owed to the numbers in it goes back to the arguments."""
    low, scale, x = 0.7, 1.9, 1.2
    z = (x - low) / scale
    wanted = (-2 * z / scale, -2 * z * z / scale, 2 * z / scale)
    assert_close(tangent.grad(f, wrt=(0, 1, 2))(low, scale, x), wanted)
    assert_close(tangent.jvp(f, wrt=(0, 1, 2))(low, scale, x, 1.0, 1.0, 1.0), sum(wanted))


def frozen_normal(x, m, s):
    return np.sum(stats.norm(m, scale=s).logpdf(x))


def frozen_gamma(x, a, s):
    return np.sum(stats.gamma(a, scale=s).cdf(x))


def moments(x, a, s):
    return stats.gamma.mean(a, scale=s) + stats.gamma.std(a, scale=s) * np.sum(x)


@pytest.mark.parametrize('f', [frozen_normal, frozen_gamma, moments])
def test_frozen_distributions(f):
    args = POINTS, 1.7, 0.9
    found = tangent.grad(f, wrt=(0, 1, 2))(*args)
    for k, step in enumerate([np.array([1e-6, 0, 0]), 1e-6, 1e-6]):
        up, down = ([a + sign * step if j == k else a for j, a in enumerate(args)] for sign in (1, -1))
        slope = (f(*up) - f(*down)) / 2e-6
        assert_close(found[k][0] if k == 0 else found[k], slope, 1e-6)
    moved = tangent.jvp(f, wrt=(0, 1, 2))(*args, np.ones(3), 1.0, 1.0)
    assert_close(moved, np.sum(found[0]) + found[1] + found[2], 1e-12)


FROZEN = stats.norm(0.5, 2.0)


def frozen_outside(x):
    return np.sum(FROZEN.logpdf(x))


def test_distributions_frozen_outside():
    assert_close(tangent.grad(frozen_outside)(POINTS), -(POINTS - 0.5) / 4)


def test_points_outside_the_support_have_the_values_and_gradients_of_scipy():
    def f(x):
        return stats.gengamma.pdf(x, 1.5, 1.3)
    x = np.array([-1.0, 0.7])
    value, gradient = tangent.value_and_grad(lambda x: np.sum(f(x)))(x)
    assert_close(value, np.sum(f(x)), 1e-12)
    assert gradient[0] == 0 and gradient[1] != 0


class Mine(stats.rv_continuous):
    def _pdf(self, x):
        return 2 * x


MINE = Mine(a=0.0, b=1.0, name='mine')


def own_distribution(x):
    return MINE(0.0, 1.0).pdf(x)


def test_distributions_of_ones_own_are_refused():
    with pytest.raises(tangent.errors.TangentError):
        tangent.grad(own_distribution)(0.3)


def lacking(a):
    return stats.skewnorm(a).cdf(0.3)


def test_what_no_formula_is_known_for_is_refused():
    with pytest.raises(tangent.errors.TangentError, match='skewnorm'):
        tangent.grad(lacking)(0.5)


@pytest.mark.parametrize('a', [2, np.int64(2), 2.0])
def test_shape_parameters_may_be_integers(a):
    """The density of skewnorm takes its formula apart with a star: integers had no gradient there."""
    h = 1e-6
    along = (stats.skewnorm.pdf(0.5, 2 + h) - stats.skewnorm.pdf(0.5, 2 - h)) / (2 * h)
    assert tangent.grad(lambda a: stats.skewnorm.pdf(0.5, a))(a) == pytest.approx(along, 1e-6)
    assert tangent.grad(lambda x: stats.skewnorm.pdf(x, a))(0.5) == pytest.approx(
        (stats.skewnorm.pdf(0.5 + h, 2) - stats.skewnorm.pdf(0.5 - h, 2)) / (2 * h), 1e-6)
