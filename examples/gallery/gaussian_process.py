"""Gaussian process regression: the scales of a curve, learned by the marginal likelihood.

The marginal likelihood has a Cholesky factor and solutions of linear equations in it; both have rules. Three logarithms are
fitted: the height of the curve, the length over which it changes, and the noise.

    python examples/gallery/gaussian_process.py
"""
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import tangent


def kernel(x, z, height, length):
    return height ** 2 * np.exp(-0.5 * ((x[:, None] - z) / length) ** 2)


def cost(log_scales, x, y):
    """Minus the logarithm of the marginal likelihood."""
    height, length, noise = np.exp(log_scales)
    k = kernel(x, x, height, length) + (noise ** 2 + 1e-8) * np.eye(len(x))
    chol = np.linalg.cholesky(k)
    white = np.linalg.solve(chol, y)
    return 0.5 * white @ white + np.sum(np.log(np.diag(chol))) + 0.5 * len(x) * np.log(2 * np.pi)


slope = tangent.value_and_grad(cost)


def predict(log_scales, x, y, new):
    """Mean and standard deviation of the curve at new places."""
    height, length, noise = np.exp(log_scales)
    k = kernel(x, x, height, length) + noise ** 2 * np.eye(len(x))
    across = kernel(new, x, height, length)
    mean = across @ np.linalg.solve(k, y)
    variance = height ** 2 - np.sum(across * np.linalg.solve(k, across.T).T, axis=1)
    return mean, np.sqrt(np.maximum(variance, 0.0))


def main(size=40):
    rng = np.random.default_rng(2)
    x = np.sort(np.concatenate([rng.uniform(0, 4, size // 2), rng.uniform(6, 10, size - size // 2)]))
    y = np.sin(1.5 * x) + 0.3 * x + 0.2 * rng.normal(size=size)
    start = np.zeros(3)
    found = minimize(slope, start, args=(x, y), jac=True, method='BFGS')
    height, length, noise = np.exp(found.x)
    print(f'height {height:.2f}, length {length:.2f}, noise {abs(noise):.3f} (0.2 was put in)')
    return found.x, x, y


def picture(log_scales, x, y):
    new = np.linspace(-1, 11, 300)
    mean, deviation = predict(log_scales, x, y, new)
    figure, axes = plt.subplots(figsize=(8, 3.5), layout='constrained')
    axes.fill_between(new, mean - 2 * deviation, mean + 2 * deviation, alpha=0.25, label='two standard deviations')
    axes.plot(new, mean, label='mean')
    axes.plot(new, np.sin(1.5 * new) + 0.3 * new, 'k--', linewidth=1, label='true curve')
    axes.plot(x, y, '.', color='gray', label='data')
    axes.legend()
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
