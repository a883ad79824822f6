"""Per-sample gradients of a table that does not fit into memory: a chunk at a time, by Dask's arrays.

    python examples/scale/per_sample.py [--rows N] [--picture FILE]

A logistic regression over a table that is made chunk by chunk. The gradient of each sample's loss is a row of a lazy array in
the chunks of the table; what is asked of it, here the norm of each row (which samples pull most), is computed as chunks go by.
"""
from __future__ import annotations

import argparse

import dask
import dask.array as da
import numpy as np
from tqdm.dask import TqdmCallback

import tangent

COLUMNS = 50


def table(rows, chunk=20_000):
    """(features, labels) of a table of so many rows, made when they are asked for; a hundredth of the labels are wrong."""
    x = da.random.default_rng(0).normal(size=(rows, COLUMNS), chunks=(chunk, COLUMNS))
    right = x[:, :5].sum(axis=1) > 0
    wrong = da.random.default_rng(1).random(rows, chunks=chunk) < 0.01
    return x, da.where(wrong, ~right, right).astype(float), wrong


def losses(weights, x, y):
    """The loss of each sample, by weights of its own: a row of weights for each."""
    score = (x * weights).sum(axis=1)
    return da.logaddexp(0.0, score) - y * score


def loss(w, x, y):
    return losses(w, x, y).mean()


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--rows', type=int, default=1_000_000)
    parser.add_argument('--steps', type=int, default=3)
    parser.add_argument('--picture', default='per_sample.png')
    given = parser.parse_args(arguments)
    x, y, wrong = table(given.rows)
    w, gradient = np.zeros(COLUMNS), tangent.grad(loss)
    for step in range(given.steps):
        with TqdmCallback(desc=f'step {step + 1}'):
            w = w - 4.0 * gradient(w, x, y).compute()
    each = tangent.elementwise_grad(losses)(da.broadcast_to(w, x.shape, chunks=x.chunks), x, y)       # a row for each sample
    assert each.chunks == x.chunks
    with TqdmCallback(desc='samples'):
        norms, wrong = dask.compute(da.sqrt((each ** 2).sum(axis=1)), wrong)
    found = np.argsort(norms)[::-1][:wrong.sum()]
    share = wrong[found].mean()
    picture(norms, wrong, given.picture)
    size = np.prod(each.chunksize) * each.itemsize
    print(f'{each.nbytes / 1e9:.2f} GB of gradients, {size / 1e6:.0f} MB at a time; of the samples that pull most '
          f'{share:.0%} are mislabelled, of all {wrong.mean():.0%}; {given.picture}')
    return share, wrong.mean()


def picture(norms, wrong, path):
    import matplotlib
    matplotlib.use('Agg')
    import matplotlib.pyplot as plt
    plt.figure(figsize=(6, 3))
    bins = np.linspace(0, norms.max(), 60)
    plt.hist([norms[~wrong], norms[wrong]], bins, label=['right labels', 'wrong labels'], log=True)
    plt.xlabel('norm of the gradient of one sample')
    plt.legend()
    plt.tight_layout()
    plt.savefig(path)


if __name__ == '__main__':
    main()
