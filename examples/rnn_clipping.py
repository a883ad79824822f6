"""A recurrent network trained by truncated, clipped backpropagation: surgery on the gradient, written where it happens.

The network reads a noisy wave and predicts its next value. Inside `with insert_grad_of(h) as dh:` stands code that runs
at that place of the backward pass: there the gradient that flows back through time is clipped, and every tenth step it
is cut. In the function itself, `@tangent.differentiable` leaves the block out.

    python -m tangent show examples/rnn_clipping.py:loss --wrt wh
    python examples/rnn_clipping.py
"""
import numpy as np

import tangent
from tangent import insert_grad_of

CLIP = 0.1
STEPS = 10


@tangent.differentiable
def loss(wx, wh, b, wo, xs, ys):
    """Mean squared error of the predictions for the series `xs`, whose next values are `ys`."""
    h = np.zeros(len(b))
    total = 0.0
    for t in range(len(xs)):
        with insert_grad_of(h) as dh:
            dh = np.clip(dh, -CLIP, CLIP) if t % STEPS else np.zeros_like(dh)
        h = np.tanh(wx * xs[t] + np.dot(wh, h) + b)
        error = np.dot(wo, h) - ys[t]
        total = total + error * error
    return total / len(xs)


def series(length=200):
    t = np.arange(length + 1)
    wave = np.sin(0.3 * t) + 0.5 * np.sin(0.11 * t) + 0.05 * np.random.default_rng(0).normal(size=length + 1)
    return wave[:-1], wave[1:]


def initial_parameters(size=16):
    rng = np.random.default_rng(1)
    return [rng.normal(size=size) * 0.5, rng.normal(size=(size, size)) / np.sqrt(size), np.zeros(size), np.zeros(size)]


def main(epochs=100, rate=0.1):
    xs, ys = series()
    parameters = initial_parameters()
    before = loss(*parameters, xs, ys)
    dloss = tangent.grad(loss, wrt=(0, 1, 2, 3))
    for _ in range(epochs):
        gradients = dloss(*parameters, xs, ys)
        parameters = [p - rate * g for p, g in zip(parameters, gradients)]
    after = loss(*parameters, xs, ys)
    print(f'mean squared error: {before:.3f} before training, {after:.3f} after')
    return before, after


if __name__ == '__main__':
    main()
