"""Derivatives compiled by Numba, against the function itself, adjoints written by hand in C, and JAX.

`python -m benchmarks.kernels [names] [--repeats N] [--write docs/kernels.md]` prints a table of ratios, all measured in one
run on one thread: the programs take turns.
"""
import argparse
import os
import time

for _name in 'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'NUMBA_NUM_THREADS', 'XLA_FLAGS':
    os.environ.setdefault(_name, '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1' if 'XLA' in _name else '1')

import numba  # noqa: E402
import numpy as np  # noqa: E402

import tangent  # noqa: E402
from benchmarks import kernels_c, kernels_programs, kernels_slices  # noqa: E402
from benchmarks.timing import measure  # noqa: E402

PLAIN = {**vars(kernels_programs), **vars(kernels_slices)}
for _name in 'sigmoid', 'branching':              # functions that others, or they themselves, call
    setattr(kernels_programs, _name, numba.njit(PLAIN[_name]))


def random(seed=0):
    return np.random.RandomState(seed)


def definite(n):
    a = random().rand(n, n)
    return a @ a.T + n * np.eye(n)


def mixture(d, k, n):
    r = np.random.default_rng(31337)
    x = r.normal(size=(n, d))
    return r.normal(size=k), r.uniform(size=(k, d)), r.normal(size=(k, d)), r.normal(size=(k, d * (d - 1) // 2)), x, 1.0, 0


def network(layers, bits, characters):
    r = random()
    return (r.rand(2 * layers, 4 * bits) - 0.5, r.rand(3, bits) - 0.5, r.rand(2 * layers, bits),
            (r.rand(characters, bits) > 0.5) * 1.0)


PROGRAMS = {                                       # name -> (arguments, wrt)
    'cheap': (lambda: (0.5, 10 ** 6), 0),
    'sines': (lambda: (0.5, 10 ** 6), 0),
    'newton': (lambda: (0.5, 10 ** 5), 0),
    'branching': (lambda: (0.7, 14), 0),
    'cholesky': (lambda: (definite(120),), 0),
    'lu': (lambda: (definite(100),), 0),
    'trisolv': (lambda: (definite(400), random().rand(400)), (0, 1)),
    'durbin': (lambda: (random().rand(400) * 0.1,), 0),
    'seidel_2d': (lambda: (random().rand(100, 100), 20), 0),
    'jacobi_2d': (lambda: (random().rand(150, 150), 20), 0),
    'gemm': (lambda: (random().rand(100, 100), random(1).rand(100, 100)), (0, 1)),
    'gmm': (lambda: mixture(10, 25, 1000), (0, 1, 2, 3)),
    'lstm': (lambda: network(2, 14, 1000), (0, 1)),
    'jacobi_2d_slices': (lambda: (random().rand(350, 350), random(1).rand(350, 350), 20), (0, 1)),
    'heat_3d_slices': (lambda: (random().rand(50, 50, 50), random(1).rand(50, 50, 50), 10), (0, 1)),
    'fdtd_2d_slices': (lambda: (*random().rand(3, 200, 220), random(1).rand(20)), (0, 1, 2, 3)),
    'seidel_2d_slices': (lambda: (random().rand(100, 100), 10), 0),
    'deriche_slices': (lambda: (0.25, random().rand(400, 300)), 1),
    'adi_slices': (lambda: (random().rand(100, 100), 10), 0),
    'hdiff_slices': (lambda: (random().rand(68, 68, 60), *random(1).rand(2, 64, 64, 60)), (0, 2)),
}


def timed(call):
    start = time.perf_counter()
    found = call()
    return time.perf_counter() - start, found


def close(one, other):
    pairs = zip(one, other) if isinstance(one, tuple) else [(one, other)]
    return all(np.allclose(a, b, rtol=1e-6, atol=1e-9) for a, b in pairs)


def row(name, peers, repeats):
    """A line of the table: times and ratios of one program."""
    make, wrt = PROGRAMS[name]
    args = make()
    primal = numba.njit(PLAIN[name]) if name != 'branching' else kernels_programs.branching
    compiling, _ = timed(lambda: primal(*args))
    derivation, gradient = timed(lambda: tangent.grad(primal, wrt))
    compiling_gradient, value = timed(lambda: gradient(*args))
    calls = {'primal': lambda: primal(*args), 'gradient': lambda: gradient(*args)}
    for peer, found in peers.items():
        if name in found:
            other = found[name]
            if not close(value, other(*args)):
                raise AssertionError(f'{name}: {peer} finds another gradient')
            calls[peer] = lambda other=other: np.asarray(other(*args)[0] if isinstance(wrt, tuple) else other(*args))
    times = measure(calls, repeats)
    cells = [name, f'{times["primal"] * 1e3:.3g}', f'{times["gradient"] / times["primal"]:.2f}']
    cells += [f'{times["gradient"] / times[peer]:.2f}' if peer in times else '-' for peer in ('C', 'JAX')]
    return [*cells, f'{derivation * 1e3:.0f}', f'{compiling_gradient / compiling:.1f}'], times


HEAD = ['program', 'primal, ms', 'gradient / primal', 'gradient / C', 'gradient / JAX', 'derivation, ms', 'compile time ratio']


def overhead(repeats):
    """Seconds of a call of a small gradient."""
    primal = numba.njit(PLAIN['small'])
    gradient = tangent.grad(primal, (0, 1))
    times = measure({'primal': lambda: primal(0.3, 0.7), 'gradient': lambda: gradient(0.3, 0.7)}, repeats)
    return times['gradient'], times['primal']


def table(names, repeats):
    """The lines of the table, in Markdown."""
    peers = {'C': kernels_c.functions()}
    try:
        from benchmarks import kernels_jax
        peers['JAX'] = kernels_jax.gradients()
    except ImportError:
        pass
    numba.njit(lambda x: x)(1.0)                     # what Numba does once
    tangent.grad(numba.njit(PLAIN['small']))(0.3, 0.7)
    yield '| ' + ' | '.join(HEAD) + ' |'
    yield '|' + '---|' * len(HEAD)
    ratios = []
    for name in names or PROGRAMS:
        cells, times = row(name, peers, repeats)
        ratios.append(times['gradient'] / times['primal'])
        yield '| ' + ' | '.join(cells) + ' |'
    yield ''
    yield f'Geometric mean of gradient / primal: {np.exp(np.mean(np.log(ratios))):.2f}'
    yield 'A call of a small gradient of two numbers takes {:.2f} us, of the function {:.2f} us'.format(
        *(t * 1e6 for t in overhead(repeats)))


def run(peers=None, repeats=7):
    yield from table((), repeats)


def main():
    parser = argparse.ArgumentParser(prog='python -m benchmarks.kernels', description=__doc__.splitlines()[0])
    parser.add_argument('names', nargs='*', metavar='name', help=f'which ones: {", ".join(PROGRAMS)} (all)')
    parser.add_argument('--repeats', type=int, default=7, help='how many turns each program gets')
    options = parser.parse_args()
    for line in table(options.names, options.repeats):
        print(line, flush=True)


if __name__ == '__main__':
    main()
