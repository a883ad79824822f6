"""Hyper-parameters of a ridge regression by their gradient, its folds on the workers of a Dask cluster.

    python examples/scale/hyper_parameters.py [--workers N] [--folds K] [--picture FILE]

Each fold fits weights with a penalty for each feature, in closed form, on a worker; the loss is the error on what was left out.
The gradient by the logarithms of all penalties is one call: its tasks run on the same cluster, one for each fold.
"""
from __future__ import annotations

import argparse

import distributed
import numpy as np
from tqdm import tqdm

import tangent

FEATURES, ROWS, INFORMATIVE = 20, 60, 5


def fold(k, folds):
    """(rows to fit, rows left out) of a table that every worker makes for itself: after the fifth, features are noise."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(ROWS, FEATURES))
    truth = np.where(np.arange(FEATURES) < INFORMATIVE, 1.0, 0.0)
    y = x @ truth + 2.0 * rng.normal(size=ROWS)
    out = np.arange(ROWS) % folds == k
    return (x[~out], y[~out]), (x[out], y[out])


def error(penalties, data):
    """The error on the rows left out of a fit with a penalty for each feature."""
    (x, y), (x_out, y_out) = data
    weights = np.linalg.solve(x.T @ x + np.diag(np.exp(penalties)), x.T @ y)
    return np.mean((x_out @ weights - y_out) ** 2)


def validation(penalties, data, client):
    """The mean error of all folds, each on a worker."""
    errors = client.gather(client.map(error, [penalties] * len(data), data))
    return sum(errors) / len(data)


def fit(client, folds=5, steps=40, rate=2.0, momentum=0.8):
    """(penalties, the errors on the way)."""
    data = client.map(fold, range(folds), folds=folds)              # stays where it was made
    gradient = tangent.grad(validation, preserve_result=True)
    penalties, speed, errors = np.zeros(FEATURES), np.zeros(FEATURES), []
    for _ in tqdm(range(steps), desc='penalties'):
        slope, value = gradient(penalties, data, client)
        speed = momentum * speed + slope
        penalties = penalties - rate * speed
        errors.append(float(value))
    return penalties, errors


def picture(penalties, errors, path):
    import matplotlib
    matplotlib.use('Agg')
    import matplotlib.pyplot as plt
    _, (left, right) = plt.subplots(1, 2, figsize=(9, 3))
    left.plot(errors)
    left.set(xlabel='step', ylabel='error on what was left out')
    right.bar(range(FEATURES), penalties, color=['C0' if k < INFORMATIVE else 'C1' for k in range(FEATURES)])
    right.set(xlabel='feature (noise in orange)', ylabel='log of its penalty')
    plt.tight_layout()
    plt.savefig(path)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--workers', type=int, default=2)
    parser.add_argument('--folds', type=int, default=5)
    parser.add_argument('--steps', type=int, default=40)
    parser.add_argument('--picture', default='hyper_parameters.png')
    given = parser.parse_args(arguments)
    with distributed.LocalCluster(n_workers=given.workers, threads_per_worker=1, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        penalties, errors = fit(client, given.folds, given.steps)
    picture(penalties, errors, given.picture)
    print(f'error {errors[0]:.3f} -> {errors[-1]:.3f}; mean log penalty of features {penalties[:INFORMATIVE].mean():.2f}, '
          f'of noise {penalties[INFORMATIVE:].mean():.2f}; {given.picture}')
    return penalties, errors


if __name__ == '__main__':
    main()
