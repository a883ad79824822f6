"""Orbit determination: where was a satellite, and how fast, if a station has measured angles and distances?

The orbit is integrated by the leapfrog method around a point mass. Distances and directions of some of the times are compared
with the measured ones, which have errors. Minimised are the squares of the differences, by the four numbers that the orbit
starts with. Lengths are in radii of the Earth, times such that its gravitational parameter is 1.

    python examples/gallery/orbit.py
"""
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import tangent

STATION = np.array([1.0, 0.0])


def gravity(position):
    return -position / np.sum(position ** 2) ** 1.5


def orbit(state, steps, dt=0.05):
    """Positions at the end of each step of the leapfrog method."""
    position, velocity = state[:2], state[2:]
    positions = []
    for _ in range(steps):
        velocity = velocity + 0.5 * dt * gravity(position)
        position = position + dt * velocity
        velocity = velocity + 0.5 * dt * gravity(position)
        positions.append(position)
    return np.array(positions)


def seen(positions):
    """Distance from the station, and direction as cosine and sine."""
    line = positions - STATION
    distance = np.sqrt(np.sum(line ** 2, axis=1))
    return distance, line / distance[:, np.newaxis]


def misfit(state, distances, directions, every):
    found, towards = seen(orbit(state, every * len(distances))[every - 1::every])
    return np.sum((found - distances) ** 2) / 0.01 ** 2 + np.sum((towards - directions) ** 2) / 0.005 ** 2


slope = tangent.value_and_grad(misfit)


def main(size=30, every=8):
    rng = np.random.default_rng(0)
    truth = np.array([1.6, 0.3, -0.25, 0.78])
    distances, directions = seen(orbit(truth, every * size)[every - 1::every])
    distances = distances + 0.01 * rng.normal(size=distances.shape)
    directions = directions + 0.005 * rng.normal(size=directions.shape)
    start = truth + [0.1, -0.1, 0.05, 0.03]
    for count in (size // 3, size):                    # the first third alone, then all: later times are hard to meet at first
        given = distances[:count], directions[:count], every
        found = minimize(slope, start, args=given, jac=True, method='BFGS')
        start = found.x
    print('true ', truth, '\nfound', np.round(found.x, 4), f'in {found.nit} iterations')
    return found.x, truth, STATION + directions * distances[:, np.newaxis], every


def picture(state, truth, measured, every):
    figure, axes = plt.subplots(figsize=(5, 5), layout='constrained')
    axes.add_patch(plt.Circle((0, 0), 0.95, color='lightsteelblue'))
    axes.plot(*orbit(truth, every * len(measured)).T, 'k--', linewidth=1, label='true orbit')
    axes.plot(*orbit(state, every * len(measured)).T, linewidth=1, label='orbit found')
    axes.plot(*measured.T, '.', label='measured')
    axes.plot(*STATION, '^', label='station')
    axes.set_aspect('equal')
    axes.legend(loc='center')
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
