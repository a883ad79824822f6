"""A stencil under Numba: what a wave passes through, from what is heard at the other side.

A wave runs over a membrane whose stiffness differs from place to place; microphones on the right hear it. Loops over the grid
are compiled by Numba, and so is their derivative, which tangent writes as loops too: one pass back in time gives the gradient
by the stiffness at every place (the adjoint method of seismology).

    python examples/gallery/waves.py
"""
import matplotlib.pyplot as plt
import numba
import numpy as np
from scipy.optimize import minimize

import tangent


@numba.njit
def step(before, now, stiffness):
    """The next state of the membrane: five points of the grid give one."""
    following = np.zeros_like(now)
    for i in range(1, now.shape[0] - 1):
        for j in range(1, now.shape[1] - 1):
            bend = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1] - 4.0 * now[i, j]
            following[i, j] = 1.995 * now[i, j] - 0.995 * before[i, j] + 0.25 * stiffness[i, j] * bend
    return following


@numba.njit
def heard(stiffness, row, steps):
    """What microphones in the last column but one hear, after a knock at a place of the second column."""
    n, m = stiffness.shape
    before, now = np.zeros((n, m)), np.zeros((n, m))
    sound = np.zeros((steps, n))
    for t in range(steps):
        following = step(before, now, stiffness)
        following[row, 1] += np.exp(-0.05 * (t - 10.0) ** 2)
        before, now = now, following
        sound[t] = now[:, m - 2]
    return sound


@numba.njit
def misfit(stiffness, row, sound):
    return np.sum((heard(stiffness, row, len(sound)) - sound) ** 2)


slope = tangent.value_and_grad(misfit)


def main(size=40, iterations=60):
    i, j = np.mgrid[:size, :size] / size
    spot = lambda row, column: 0.15 * np.exp(-60 * ((i - row) ** 2 + (j - column) ** 2))
    truth = 1.0 - spot(0.35, 0.5) + spot(0.7, 0.45)
    sounds = {row: heard(truth, row, 3 * size) for row in range(3, size - 1, 4)}
    start = np.ones((size, size))

    def total(v):
        values, gradients = zip(*(slope(v.reshape(start.shape), row, sound) for row, sound in sounds.items()))
        return sum(values), sum(gradients).ravel()

    found = minimize(total, start.ravel(), jac=True, method='L-BFGS-B', options={'maxiter': iterations})
    stiffness = found.x.reshape(start.shape)
    print(f'misfit {total(start)[0]:.3f} at first, {found.fun:.5f} after {found.nit} iterations')
    return stiffness, truth


def picture(stiffness, truth):
    figure, axes = plt.subplots(1, 2, figsize=(8, 3.5), layout='constrained')
    for ax, image, title in zip(axes, (truth, stiffness), ('true stiffness', 'as it was heard')):
        shown = ax.imshow(image, vmin=0.8, vmax=1.2, cmap='coolwarm')
        ax.set(title=title)
    figure.colorbar(shown, ax=axes)
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
