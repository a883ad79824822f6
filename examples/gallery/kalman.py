"""Kalman smoothing: a level and a trend behind noisy data, with the variances fitted by the likelihood.

The likelihood of a state space model is what the Kalman filter computes on its way. Its gradient by the logarithms of the
variances goes back through all steps of the filter. What the smoother shows needs no derivative.

    python examples/gallery/kalman.py
"""
import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import tangent

STEP = np.array([[1.0, 1.0], [0.0, 1.0]])              # level and trend of the next time
LOOK = np.array([1.0, 0.0])                            # the level is what one sees


def kalman(log_variances, data):
    """Minus the logarithm of the likelihood, and what was known before and after each measurement."""
    level, trend, noise = np.exp(log_variances)
    q = np.diag(np.array([level, trend]))
    mean, cov = np.zeros(2), 10.0 * np.eye(2)
    total, known = 0.0, []
    for y in data:
        before = STEP @ mean, STEP @ cov @ STEP.T + q
        mean, cov = before
        s = LOOK @ cov @ LOOK + noise
        error, gain = y - LOOK @ mean, cov @ LOOK / s
        total += 0.5 * (np.log(2 * np.pi * s) + error ** 2 / s)
        mean, cov = mean + gain * error, cov - np.outer(gain, LOOK @ cov)
        known.append((before, (mean, cov)))
    return total, known


def cost(log_variances, data):
    return kalman(log_variances, data)[0]


slope = tangent.value_and_grad(cost)


def smooth(known):
    """Level and its standard deviation at each time, given all measurements (Rauch, Tung, Striebel)."""
    mean, cov = known[-1][1]
    levels = [(mean[0], cov[0, 0] ** 0.5)]
    for (_, (m, c)), ((m_next, c_next), _) in zip(known[-2::-1], known[:0:-1]):
        back = c @ STEP.T @ np.linalg.inv(c_next)
        mean, cov = m + back @ (mean - m_next), c + back @ (cov - c_next) @ back.T
        levels.append((mean[0], cov[0, 0] ** 0.5))
    return np.array(levels[::-1])


def main(size=150):
    rng = np.random.default_rng(1)
    trend = np.cumsum(0.05 * rng.normal(size=size))
    truth = np.cumsum(trend + 0.1 * rng.normal(size=size))
    data = truth + 1.5 * rng.normal(size=size)
    start = np.zeros(3)
    found = minimize(slope, start, args=(data,), jac=True, method='L-BFGS-B', bounds=[(-12, 5)] * 3)
    print('standard deviations of level, trend and measurement:', np.round(np.exp(found.x / 2), 3))
    return found.x, data, truth


def picture(log_variances, data, truth):
    level, deviation = smooth(kalman(log_variances, data)[1]).T
    figure, axes = plt.subplots(figsize=(8, 3.5), layout='constrained')
    axes.plot(data, '.', color='gray', label='measured')
    axes.plot(truth, 'k--', linewidth=1, label='true level')
    axes.plot(level, label='smoothed')
    axes.fill_between(range(len(data)), level - 2 * deviation, level + 2 * deviation, alpha=0.25)
    axes.legend()
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
