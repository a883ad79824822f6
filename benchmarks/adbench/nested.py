"""Saddle and particle: derivatives of programs that contain derivatives, in the four mixes of the modes."""
import numpy as np

import tangent


def forward(f):
    return tangent.jacobian(f, mode='forward')


GRADIENTS = {'f': forward, 'r': tangent.grad}


def norm(x):
    return np.sqrt(np.sum(x * x))


def argmin(f, gradient, x):
    """The descent that saddle and particle share; its steps grow with success and shrink without."""
    slope = gradient(f)
    fx, g = f(x), slope(x)
    i, eta = 0, 1e-5
    while norm(g) > 1e-5:
        if i == 10:
            eta *= 2
            i = 0
            continue
        x1 = x - eta * g
        if norm(x - x1) <= 1e-5:
            break
        f1 = f(x1)
        if f1 < fx:
            x, fx, g = x1, f1, slope(x1)
            i += 1
        else:
            eta /= 2
            i = 0
    return x


def payoff(x, y):
    return np.sum(x * x) - np.sum(y * y)


def saddle(start, modes):
    """The point where `payoff` is least in x and greatest in y; modes of the outer and the inner gradient, as 'fr'."""
    outer, inner = (GRADIENTS[mode] for mode in modes)

    def answer(x):
        return argmin(lambda y: -payoff(x, y), inner, start)

    x = argmin(lambda x: payoff(x, answer(x)), outer, start)
    return np.concatenate([x, answer(x)])


def potential(position, w):
    return 1 / norm(position - np.array([10.0, 10.0 - w])) + 1 / norm(position - np.array([10.0, 0.0]))


def landing(w, gradient):
    """The square of where a particle lands that falls in the field of two charges, one of them moved by w."""
    position, velocity, dt = np.array([0.0, 8.0]), np.array([0.75, 0.0]), 0.1
    field = gradient(lambda p: potential(p, w))
    while True:
        acceleration = -field(position)
        position = position + dt * velocity
        if position[1] <= 0:
            break
        velocity = velocity + dt * acceleration
    left = -position[1] / velocity[1]
    return (position[0] + left * velocity[0]) ** 2


def particle(start, modes):
    """The w for which the particle lands nearest to 0."""
    outer, inner = (GRADIENTS[mode] for mode in modes)
    return argmin(lambda w: landing(w, inner), outer, start)
