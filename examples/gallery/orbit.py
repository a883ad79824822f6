"""Orbit determination: which way does an asteroid go, of which one has measured a few directions and distances?

The asteroid goes around the Sun, and so does the Earth from which it is seen. The orbit is integrated by the leapfrog method;
what should have been seen is compared with what was, which has errors. Minimised are the squares of the differences, by
the four numbers that the orbit starts with. Lengths are in astronomical units, and a year is 2 pi long.

    python examples/gallery/orbit.py
"""
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import tangent

DT, EVERY = 0.05, 8                        # a step of the integration; a measurement comes every so many steps


def gravity(position):
    return -position / np.sum(position ** 2) ** 1.5


def orbit(state, count):
    """Positions at the times of the measurements."""
    position, velocity = state[:2], state[2:]
    positions = []
    for step in range(1, count * EVERY + 1):
        velocity = velocity + 0.5 * DT * gravity(position)
        position = position + DT * velocity
        velocity = velocity + 0.5 * DT * gravity(position)
        if step % EVERY == 0:
            positions.append(position)
    return np.array(positions)


def earth(count):
    times = DT * EVERY * np.arange(1, count + 1)
    return np.stack([np.cos(times), np.sin(times)], axis=1)


def seen(positions):
    """Distance from the Earth, and direction as cosine and sine."""
    line = positions - earth(len(positions))
    distance = np.sqrt(np.sum(line ** 2, axis=1))
    return distance, line / distance[:, np.newaxis]


def misfit(state, distances, directions):
    found, towards = seen(orbit(state, len(distances)))
    return np.sum((found - distances) ** 2) / 0.01 ** 2 + np.sum((towards - directions) ** 2) / 0.005 ** 2


slope = tangent.value_and_grad(misfit)


def main(size=30):
    rng = np.random.default_rng(0)
    truth = np.array([1.6, 0.3, -0.25, 0.78])
    distances, directions = seen(orbit(truth, size))
    distances = distances + 0.01 * rng.normal(size=distances.shape)
    directions = directions + 0.005 * rng.normal(size=directions.shape)
    state = truth + [0.1, -0.1, 0.05, 0.03]
    for count in (size // 3, size):                    # the first third alone, then all: later times are hard to meet at first
        found = minimize(slope, state, args=(distances[:count], directions[:count]), jac=True, method='BFGS')
        state = found.x
    print(f'true  {truth}\nfound {np.round(state, 4)} in {found.nit} iterations')
    return state, truth, earth(size) + directions * distances[:, np.newaxis]


def picture(state, truth, measured):
    figure, axes = plt.subplots(figsize=(6.5, 5), layout='constrained')
    axes.plot(0, 0, 'o', color='orange', markersize=12, label='Sun')
    axes.plot(*earth(len(measured)).T, '.', color='lightsteelblue', label='Earth')
    axes.plot(*orbit(truth, len(measured)).T, 'k--', linewidth=1, label='true orbit')
    axes.plot(*orbit(state, len(measured)).T, linewidth=1, label='orbit found')
    axes.plot(*measured.T, '.', label='measured')
    axes.set_aspect('equal')
    axes.legend(loc='upper left', bbox_to_anchor=(1, 1))
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
