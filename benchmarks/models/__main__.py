"""`python -m benchmarks.models [names] [--repeats N] [--write docs]`: models of two papers, beside JAX and PyTorch.

Times and ratios of gradients by all weights, measured in one run on one thread; the programs take turns. Every gradient is
compared with the others first. With `--write` the table and a picture go to that folder.
"""
import argparse
import datetime
import functools
import os
import pathlib

for _name in 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'XLA_FLAGS':
    os.environ.setdefault(_name, '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1' if 'XLA' in _name else '1')

import numpy as np  # noqa: E402

import tangent  # noqa: E402
from benchmarks import treelstm  # noqa: E402
from benchmarks.models import peers, programs  # noqa: E402
from benchmarks.tools import pages, tables  # noqa: E402
from benchmarks.tools.timing import measure  # noqa: E402

TITLES = {'rebound': 'names bound again (Listing 2)', 'lattice': 'lattice (Listing 8)', 'mlp': 'perceptron (Listing 9)',
          'rnn': 'RNN', 'lstm': 'LSTM', 'treelstm': 'TreeLSTM', 'cnn': 'CNN'}
HEAD = ['model', 'NumPy, ms', 'gradient, ms', 'gradient / NumPy', 'gradient / JAX', 'gradient / PyTorch']


def arguments(size=1.0):
    """Model -> (arguments, what the gradient is by); `size` makes all of them smaller, for tests."""
    rng = np.random.default_rng(0)

    def n(count):
        return max(2, round(size * count))

    def weights(*shape):
        return rng.normal(size=shape) / np.sqrt(shape[0])

    def perceptron(hidden):
        return (weights(n(64), hidden), weights(hidden), weights(hidden, 10), weights(10), rng.normal(size=(16, n(64))),
                rng.integers(0, 10, 16))

    def texts(gates):
        hidden, letters, times, batch = n(50), 65, n(20), n(20)
        return (weights(letters, gates * hidden), weights(hidden, gates * hidden), weights(gates * hidden),
                weights(hidden, letters), weights(letters), rng.integers(0, letters, (times + 1, batch)))

    images = n(20)
    module, parameters, tree = treelstm.arguments(n(60), n(150))
    pictures = (rng.normal(size=(10, 1, 5, 5)) / 5, rng.normal(size=(20, 10, 5, 5)) / 15, weights(320, 50), weights(50),
                weights(50, 10), weights(10), rng.normal(size=(1, images, 28, 28)), rng.integers(0, 10, images))
    programs.treelstm = module.tree_loss
    return {'rebound': ((weights(n(1000)), 0.7), (0, 1)), 'lattice': ((weights(n(200), n(200)), weights(8), 10), (0, 1)),
            'mlp': (perceptron(n(64)), (0, 1, 2, 3)), 'rnn': (texts(1), (0, 1, 2, 3, 4)), 'lstm': (texts(4), (0, 1, 2, 3, 4)),
            'treelstm': ((parameters, tree), (0,)), 'cnn': (pictures, (0, 1, 2, 3, 4, 5))}


def measured(names, repeats, models=None):
    """Model -> {'NumPy', 'gradient', 'JAX', 'PyTorch': seconds}."""
    models = models or arguments()
    models = {name: models[name] for name in names or models}
    others, found = peers.gradients(models), {}
    for name in models:
        args, wrt = models[name]
        function = getattr(programs, name)
        calls = {'gradient': functools.partial(tangent.grad(function, wrt[0] if len(wrt) == 1 else wrt), *args)}
        expected = calls['gradient']()
        for peer, gradients in others.items():
            calls[peer] = gradients[name]
            tables.check(f'{peer}: {name}', expected, calls[peer]())
        found[name] = measure({'NumPy': functools.partial(function, *args), **calls}, repeats)
    return found


def rows(found):
    for name, times in found.items():
        yield [TITLES[name], f'{times["NumPy"] * 1e3:.3g}', f'{times["gradient"] * 1e3:.3g}',
               *(tables.ratio(times, 'gradient', other) for other in ('NumPy', 'JAX', 'PyTorch'))]


def main():
    parser = argparse.ArgumentParser(prog='python -m benchmarks.models', description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='*', metavar='name', help=f'which ones: {", ".join(TITLES)} (all)')
    parser.add_argument('--repeats', type=int, default=9, help='how many turns each program gets')
    parser.add_argument('--write', type=pathlib.Path, help='a folder for the table and the plot')
    options = parser.parse_args()
    found = measured(options.names, options.repeats)
    lines = list(tables.lines(HEAD, rows(found)))
    print('\n'.join(lines))
    if options.write:
        pages.write(options.write, 'models', 'python -m benchmarks.models --write docs', lines, datetime.date.today())
        pages.ratios(options.write / 'models.svg', {TITLES[name]: times for name, times in found.items()}, 'gradient',
                     ('NumPy', 'JAX', 'PyTorch'))


if __name__ == '__main__':
    main()
