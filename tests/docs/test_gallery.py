"""The programs of the gallery do what their pages say, at a small size, and their gradients agree with differences."""
import numpy as np
import pytest

import tangent
from docs import gallery

pytest.importorskip('matplotlib').use('Agg')
for package in ('scipy', 'sklearn', 'numba'):
    pytest.importorskip(package)


def heat(program, powers, wanted):
    return program.cost(powers, wanted) < 0.02 * program.cost(0 * powers, wanted)


def orbit(program, state, truth, measured):
    return np.abs(state - truth).max() < 0.05


def kalman(program, log_variances, data, truth):
    level = program.smooth(program.kalman(log_variances, data)[1])[:, 0]
    return np.std(level - truth) < 0.7 * np.std(data - truth)


def gaussian_process(program, log_scales, x, y):
    mean, _ = program.predict(log_scales, x, y, x)
    return np.abs(mean - np.sin(1.5 * x) - 0.3 * x).max() < 0.4 and 0.1 < np.exp(log_scales[2]) < 0.4


def hidden_markov(program, loaded, states, faces):
    """The gradient by the evidence is a probability, for each throw, and mostly that of the right state."""
    np.testing.assert_allclose(loaded.sum(axis=1), 1)
    return loaded.min() >= 0 and np.mean((loaded[:, 1] > 0.5) == states) > 0.7


def bundle(program, start, found, pictures):
    return program.cost(found, pictures) < 1e-3 * program.cost(start, pictures)


def robot_arm(program, motion, rest):
    hand = program.joints(motion[-1])[-1]
    return np.linalg.norm(hand - program.TARGET) < 0.05 and max(program.near(program.joints(angles)) for angles in motion) < 1e-3


def options(program, parameters, truth, quotes):
    np.testing.assert_allclose(program.plain(parameters), program.plain(truth), rtol=0.1)
    return all(np.abs(program.merton(parameters, strikes, maturity) - prices).max() < 0.01 for maturity, (strikes, prices) in quotes.items())


def epidemic(program, model, truth, counts, measures):
    np.testing.assert_allclose([model.before, model.after, model.recovery], [truth.before, truth.after, truth.recovery], rtol=0.25)
    return True


def text_rnn(program, losses, words):
    return np.mean(losses[-10:]) < 0.7 * losses[0] and set(words) <= set(program.LETTERS)


def digits_cnn(program, losses, filters, images, answers, labels):
    return np.mean(answers == labels) > 0.8


def physics(program, push, value, steps):
    """The descent comes nearer to the target than the push that it began with."""
    return value < 0.8 * program.cost(1.2 * np.array([np.cos(0.2), np.sin(0.2)]), steps)


def nuts(program, chain, schools):
    return 2.5 < chain[:, 0].mean() < 6.5 and np.isfinite(schools).all()


def waves(program, stiffness, truth):
    return np.sum((stiffness - truth) ** 2) < 0.8 * np.sum((1 - truth) ** 2)


SMALL = {
    heat: {'size': 8},
    orbit: {'size': 12},
    kalman: {'size': 60},
    gaussian_process: {'size': 24},
    hidden_markov: {'size': 300},
    bundle: {'size': 16, 'cameras': 4},
    robot_arm: {'size': 8},
    options: {'size': 9},
    epidemic: {'size': 50},
    text_rnn: {'size': 60, 'hidden': 16, 'length': 20},
    digits_cnn: {'size': 3},
    physics: {'size': 60, 'starts': 1, 'rounds': 5},
    nuts: {'size': 150},
    waves: {'size': 16, 'iterations': 15},
}


def agrees_with_differences(slope, args):
    """The gradient by the first argument, along a direction."""
    point, unravel = tangent.ravel_pytree(args[0])
    direction = np.random.default_rng(0).normal(size=point.shape)
    step = 1e-6 * direction
    difference = slope(unravel(point + step), *args[1:])[0] - slope(unravel(point - step), *args[1:])[0]
    gradient = tangent.ravel_pytree(slope(*args)[1])[0]
    np.testing.assert_allclose(gradient @ direction, difference / 2e-6, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize('check', SMALL, ids=lambda check: check.__name__)
def test_program(check):
    from matplotlib import pyplot
    program = gallery.load(check.__name__)
    found = program.main(**SMALL[check])
    assert check(program, *found)
    agrees_with_differences(program.slope.function, program.slope.args)
    pyplot.close(program.picture(*found))


def test_every_program_is_tested():
    assert {check.__name__ for check in SMALL} == set(gallery.PROGRAMS)


@pytest.mark.parametrize('name', gallery.PROGRAMS)
def test_a_program_says_what_it_is(name):
    first, *paragraphs, start = gallery.words(name)
    assert start.strip() == f'python examples/gallery/{name}.py'
    assert len(first.splitlines()) == 1 and paragraphs
    assert 30 <= sum(bool(line.strip()) for line in gallery.program(name).splitlines()) <= 90


def test_a_page_of_the_gallery(monkeypatch):
    program = gallery.load('gaussian_process')
    main = program.main
    program.main = lambda: main(10)
    monkeypatch.setattr(gallery, 'load', lambda name: program)
    page, picture = gallery.page('gaussian_process')
    assert page.startswith('# Gaussian process regression\n\n**The scales of a curve')
    assert all(part in page for part in ('](gaussian_process.png)', 'height ', 'def main(size=40)', '# Grad of: '))
    assert picture.startswith(b'\x89PNG')
