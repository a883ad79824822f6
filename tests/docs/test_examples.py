"""The examples do what they say."""
import importlib.util

import numpy as np
import pytest

from tests import ROOT

EXAMPLES = ROOT / 'examples'


def example(name):
    spec = importlib.util.spec_from_file_location(f'example_{name}', EXAMPLES / f'{name}.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_perceptron_reads_digits(capsys):
    pytest.importorskip('sklearn')
    assert example('mlp').main() >= 0.95
    printed = capsys.readouterr()
    assert 'accuracy' in printed.out
    assert 'training: 100%' in printed.err


def test_rosenbrock_is_minimised_through_scipys_own_source():
    pytest.importorskip('scipy')
    found = example('rosenbrock').main()
    assert found.success
    np.testing.assert_allclose(found.x, 1, atol=1e-6)


def test_the_gradient_of_rosenbrock_is_scipys():
    optimize = pytest.importorskip('scipy.optimize')
    rosenbrock = example('rosenbrock')
    x = np.linspace(-1.3, 2.1, 7)
    value, gradient = rosenbrock.tangent.value_and_grad(optimize.rosen)(x)
    assert value == optimize.rosen(x)
    np.testing.assert_allclose(gradient, optimize.rosen_der(x), rtol=1e-12)


def test_the_recurrent_network_learns_with_clipped_gradients():
    before, after = example('rnn_clipping').main()
    assert after < before / 10


def test_clipping_and_truncation_bite():
    """The surgery changes the gradient, and it is that of each stretch alone where nothing is clipped."""
    rnn = example('rnn_clipping')
    xs, ys = rnn.series(2 * rnn.STEPS)
    wx, wh, b, wo = rnn.initial_parameters()
    wo = np.linspace(-1, 1, len(wo))

    def gradient(clip):
        rnn.CLIP = clip
        return rnn.tangent.grad(rnn.loss, wrt='wh')(wx, wh, b, wo, xs, ys)

    assert np.abs(gradient(1e-3) - gradient(1e9)).max() > 1e-3
    first = slice(0, rnn.STEPS)
    h = np.zeros(len(b))
    for x in xs[first]:
        h = np.tanh(wx * x + wh @ h + b)

    def second_stretch(w):
        state, total = h, 0.0
        for x, y in zip(xs[rnn.STEPS:], ys[rnn.STEPS:]):
            state = np.tanh(wx * x + w @ state + b)
            total += (wo @ state - y) ** 2
        return total / len(xs)

    def first_stretch(w):
        return rnn.loss(wx, w, b, wo, xs[first], ys[first]) / 2

    step = np.zeros_like(wh)
    step[2, 3] = 1e-6
    slope = sum((f(wh + step) - f(wh - step)) / 2e-6 for f in (first_stretch, second_stretch))
    np.testing.assert_allclose(gradient(1e9)[2, 3], slope, rtol=1e-5)
