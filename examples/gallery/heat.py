"""Control of the heat equation: which heating makes a rod have a wanted temperature at the end?

A rod of metal is heated at its left end, with a power that may change in every step of time, and loses heat at its right end.
The temperatures follow from explicit Euler steps. The gradient by all powers at once comes of one pass back through time, at
the cost of a few simulations, however many powers there are.

    python examples/gallery/heat.py
"""
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import tangent


def simulate(powers, cells):
    """The temperatures along the rod after all steps, and those on the way."""
    t = np.zeros(cells)
    history = []
    for power in powers:
        change = np.zeros(cells)
        change[1:-1] = t[2:] - 2 * t[1:-1] + t[:-2]
        change[0] = t[1] - t[0] + power
        change[-1] = t[-2] - 2 * t[-1]
        t = t + 0.4 * change
        history.append(t)
    return t, history


def cost(powers, wanted):
    t, _ = simulate(powers, len(wanted))
    roughness = np.sum(np.diff(powers) ** 2)
    return np.sum((t - wanted) ** 2) + 1e-3 * roughness


slope = tangent.value_and_grad(cost)


def main(size=30):
    x = np.linspace(0, 1, size)
    wanted = np.exp(-20 * (x - 0.35) ** 2)
    start = np.zeros(15 * size)
    found = minimize(slope, start, args=(wanted,), jac=True, method='L-BFGS-B', options={'maxiter': 150})
    print(f'cost {cost(start, wanted):.3f} without heating, {found.fun:.4f} with the heating found in {found.nit} iterations')
    return found.x, wanted


def picture(powers, wanted):
    t, history = simulate(powers, len(wanted))
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.2), layout='constrained')
    left.plot(powers)
    left.set(title='heating', xlabel='step', ylabel='power')
    image = middle.imshow(np.transpose(history), aspect='auto', origin='lower', cmap='inferno')
    middle.set(title='temperature', xlabel='step', ylabel='place')
    figure.colorbar(image, ax=middle)
    right.plot(wanted, 'k--', label='wanted')
    right.plot(t, label='reached')
    right.set(title='at the end', xlabel='place')
    right.legend()
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
