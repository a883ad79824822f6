"""The programs of ADBench and GradBench, plain and compiled, against the reference outputs of the suite."""
import functools
import json

import numpy as np
import pytest

import tangent
from benchmarks.adbench import by_hand, data, nested, programs

EXPECTED = json.loads((data.FOLDER / 'expected.json').read_text())
ARGS = {'llsq': data.llsq, 'lse': data.lse, 'det': data.det, 'kmeans': data.kmeans, 'gmm': lambda: data.random_gmm(2, 5),
        'lstm': data.lstm, 'ode': lambda: data.ode(8, 20)}
WRT = {'gmm': (0, 1, 2, 3), 'lstm': (0, 1)}
VALUES = {'llsq': 'llsq/S/primal', 'lse': 'lse/S/primal', 'det': 'det/S/primal', 'kmeans': 'kmeans/S/cost',
          'gmm': 'gmm/S/objective', 'lstm': 'lstm/S/objective'}
GRADIENTS = {'llsq': ('llsq/S/gradient', 'out'), 'lse': ('lse/S/gradient', 'out'), 'det': ('det/S/gradient', 'out'),
             'gmm': ('gmm/S/jacobian', 'alpha', 'mu', 'q', 'l'), 'lstm': ('lstm/S/jacobian', 'g')}


def flat(found):
    return np.concatenate([np.ravel(p) for p in found]) if isinstance(found, (tuple, list)) else np.ravel(found)


def assert_close(found, expected):
    """ADBench's own measure."""
    found, expected = flat(found), flat(expected)
    assert np.max(np.abs(found - expected)) <= 1e-6 * np.max(np.abs(expected))


def expected_gradient(name):
    key, *fields = GRADIENTS[name]
    return np.concatenate([np.ravel(EXPECTED[key][field]) for field in fields])


@pytest.mark.parametrize('name', sorted(VALUES))
def test_values(name):
    assert_close(getattr(programs, name)(*ARGS[name]()), EXPECTED[VALUES[name]]['out'])


@pytest.mark.parametrize('name', sorted(GRADIENTS))
def test_gradients(name):
    assert_close(tangent.grad(getattr(programs, name), WRT.get(name, 0))(*ARGS[name]()), expected_gradient(name))


@pytest.mark.parametrize('how', ['functions', 'push_pop'])
@pytest.mark.parametrize('name', ['lstm', 'gmm'])
def test_gradients_in_c(name, how):
    """What compiled gradients are measured against computes the same."""
    if not (found := getattr(by_hand, how)()):
        pytest.skip('there is no gcc')
    args = ARGS[name]()
    for _ in range(2):                        # the stack is as it was before
        assert_close(found[name](*args), tangent.grad(getattr(programs, name), WRT[name])(*args))


def test_direction_of_kmeans():
    """The gradient by the diagonal of the Hessian, which is a product with ones."""
    centroids, points = data.kmeans()
    diagonal = tangent.hvp(programs.kmeans)(centroids, points, np.ones_like(centroids))
    assert_close(tangent.grad(programs.kmeans)(centroids, points) / diagonal, EXPECTED['kmeans/S/dir']['out'])


def test_gradient_of_the_chain_where_it_is_alive():
    args = ARGS['ode']()
    assert_close(tangent.grad(programs.ode)(*args), tangent.jacobian(programs.ode, mode='forward')(*args))
    assert np.all(tangent.grad(programs.ode)(*args) != 0)


def test_bundle_adjustment():
    cameras, points, weights, features, _, _ = data.ba()
    observation = cameras[0], points[0], weights[0], features[0]
    expected = EXPECTED['ba/S/objective']
    assert_close(programs.reprojection(*observation), expected['reproj'])
    assert_close(programs.weight_error(weights[0]), expected['w'])
    of_cam, of_x, of_w = tangent.jacobian(programs.reprojection, (0, 1, 2))(*observation)
    assert_close(np.concatenate([of_cam, of_x, of_w[:, None]], axis=1), EXPECTED['ba/S/jacobian']['vals'][:30])
    assert tangent.grad(programs.weight_error)(weights[0]) == pytest.approx(EXPECTED['ba/S/jacobian']['vals'][30])


@pytest.mark.parametrize('kind', ['simple', 'complicated'])
def test_hand_tracking(kind):
    args = data.hand(kind)
    assert_close(programs.hand(*args), EXPECTED[f'ht/{kind}-S/objective']['err'])
    expected = np.array(EXPECTED[f'ht/{kind}-S/jacobian']['J'])
    assert_close(tangent.jacobian(programs.hand)(*args), expected[:, -26:])
    if kind == 'complicated':                              # each error depends on its own pair alone
        for k in range(2):
            direction = np.zeros_like(args[1])
            direction[:, k] = 1.0
            assert_close(tangent.jvp(programs.hand, 1)(*args, direction), expected[:, k])


@pytest.mark.parametrize('name, start, modes', [('saddle', np.ones(2), 'fr'), ('saddle', np.ones(2), 'rr'), ('particle', 0.0, 'rr')])
def test_derivatives_in_differentiated_programs(name, start, modes):
    assert_close(getattr(nested, name)(start, modes), EXPECTED[f'{name}/S/{modes}']['out'])


@functools.cache
def landings():
    return [nested.landing(0.1 + e, nested.GRADIENTS['r']) for e in (-1e-5, 1e-5)]


@pytest.mark.parametrize('modes', ['ff', 'fr', 'rf', 'rr'])
def test_gradient_of_the_landing(modes):
    outer, inner = (nested.GRADIENTS[mode] for mode in modes)
    near = landings()
    found = outer(lambda w: nested.landing(w, inner))(0.1)
    assert found == pytest.approx((near[1] - near[0]) / 2e-5, rel=1e-6)


@pytest.mark.share(2)
@pytest.mark.parametrize('name', sorted(GRADIENTS) + ['kmeans', 'ode'])
def test_compiled_gradients(name):
    loops = pytest.importorskip('benchmarks.adbench.loops', reason='needs numba', exc_type=ImportError)
    args, plain = ARGS[name](), getattr(programs, name)
    compiled = tangent.grad(getattr(loops, name), WRT.get(name, 0))
    assert_close(compiled(*args), tangent.grad(plain, WRT.get(name, 0))(*args))


def test_compiled_jacobian_of_bundle_adjustment():
    loops = pytest.importorskip('benchmarks.adbench.loops', reason='needs numba', exc_type=ImportError)
    args, expected = data.ba(), EXPECTED['ba/S/jacobian']
    for found, name in zip(loops.ba_jacobian(*args), ('rows', 'cols', 'vals')):
        assert_close(np.append(found[:30], found[-1]), expected[name])


@pytest.mark.parametrize('kind', ['simple', 'complicated'])
def test_compiled_hand_tracking(kind):
    loops_hand = pytest.importorskip('benchmarks.adbench.loops_hand', reason='needs numba', exc_type=ImportError)
    args = loops_hand.arguments(*data.hand(kind))
    assert_close(loops_hand.hand(*args), EXPECTED[f'ht/{kind}-S/objective']['err'])
    assert_close(loops_hand.hand_jacobian(*args), EXPECTED[f'ht/{kind}-S/jacobian']['J'])
