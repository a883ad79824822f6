"""Derivatives of kernels against finite differences: `python -m tests.corpora.kernels.cuda_cases [names]`, on the simulator or on a device."""
import sys

import numpy as np
from numba import cuda

import tangent
from tests.corpora.kernels import cuda_kernels, cuda_kernels_more

R = np.random.RandomState(0)
X = R.rand(10) + 0.5
M = R.rand(8, 8)
A = R.rand(6, 2)
STEP = 1e-5

# kernel, wrt, launch, arguments, places of the arrays that it writes into, slots of the tape
CASES = {
    'saxpy': ('a x y', (2, 6), (1.7, X, X[::-1].copy(), np.zeros(10)), (3,), None),
    'stencil': ('x', (2, 6), (X, np.zeros(10)), (1,), None),
    'in_place': ('x', (2, 6), (X,), (0,), None),
    'total': ('x', (2, 8), (X, np.zeros(1)), (1,), 3),
    'nbody': ('p m', (1, 6), (A, X[:6].copy(), np.zeros(6)), (2,), 6),
    'matmul': ('a b', ((2, 2), (4, 4)), (M, M.T.copy(), np.zeros((8, 8))), (2,), None),
    'newton': ('x', (2, 5), (X, np.zeros(10)), (1,), 20),
    'powers': ('x', (2, 5), (X, np.zeros(10)), (1,), None),
    'calls': ('x w', (2, 5), (X, 0.7, X.copy()), (2,), None),
    'functions': ('x', (2, 5), (X, np.zeros(10)), (1,), None),
    'grid_stride': ('x', (1, 4), (X, np.zeros(10), 10), (1,), 3),
    'heat': ('u c', ((2, 2), (3, 3)), (M[:6, :6].copy(), np.zeros((6, 6)), 0.3), (1,), None),
    'private': ('x w', (2, 6), (X, X[:3].copy(), np.zeros(10)), (2,), None),
    'rounds': ('x', (2, 8), (R.rand(16), np.zeros(16)), (1,), None),
    'in_global': ('x', (1, 8), (X[:8].copy(), np.zeros(8)), (1,), None),
    'shared_sums': ('x', (2, 6), (X, R.randint(0, 3, 10), np.zeros(3)), (2,), None),
    'early': ('x y', (2, 6), (X, X[::-1].copy()), (1,), None),
    'places': ('x', ((2, 2), (3, 3)), (A[:5], np.zeros((5, 2))), (1,), None),
    'nested_calls': ('x', (2, 6), (X, np.zeros(10)), (1,), None),
    'kinks': ('x', (2, 6), (X, np.zeros(10)), (1,), None),
    'histogram': ('x', (2, 6), (X, R.randint(0, 3, 10), np.zeros(3)), (2,), None),
}

E = R.rand(10)
FORWARD, BACKWARD = X, X[::-1].copy()
CASES.update({
    'fast_matmul': ('A B', ((2, 2), (4, 4)), (R.rand(7, 6), R.rand(6, 5), np.zeros((7, 5))), (2,), 2),
    'matmul_plain': ('A B', ((2, 2), (4, 4)), (R.rand(7, 6), R.rand(6, 5), np.zeros((7, 5))), (2,), None),
    'block_sum': ('x', (2, 8), (R.rand(13), np.zeros(2)), (1,), 4),
    'prefix_sum': ('x', (1, 8), (R.rand(8), np.zeros(8)), (1,), 4),
    'halo_stencil': ('x c', (2, 8), (R.rand(14), np.zeros(14), 0.3), (1,), None),
    'black_scholes': ('S X T R V', (2, 6), (np.zeros(10), np.zeros(10), 20 + 5 * X, 22 + 2 * E, E + 0.3, 0.02, 0.3), (0, 1), None),
    'nbody_tiled': ('pos mass', (2, 4), (R.rand(8, 3), R.rand(8), np.zeros((8, 3))), (2,), 8),
    'heat_3d': ('u c', ((2, 2, 2), (2, 2, 2)), (R.rand(4, 4, 4), np.zeros((4, 4, 4)), 0.1), (1,), None),
    'convolve': ('x', (2, 6), (X, np.zeros(10)), (1,), None),
    'spmv': ('data x', (1, 6), (R.rand(6), np.array([0, 3, 1, 2, 0, 3]), np.array([0, 2, 3, 5, 6]), R.rand(4), np.zeros(4)), (4,),
             None),
    'softmax_rows': ('x', (1, 6), (R.rand(5, 4), np.zeros((5, 4))), (1,), 12),
    'layer_norm': ('x gain', (3, 4), (R.rand(3, 4), R.rand(4), np.zeros((3, 4))), (2,), 8),
    'interpolate': ('table x', (2, 6), (R.rand(6), 0.9 * E + 0.03, np.zeros(10)), (2,), None),
    'deposit': ('x q', (2, 6), (4 * E + 0.1, X, np.zeros(7), 0.8), (2,), None),
    'pairwise': ('a b', ((2, 2), (3, 3)), (R.rand(5, 3), R.rand(6, 3), np.zeros((5, 6))), (2,), 3),
    'linear_rows': ('a w', (2, 6), (R.rand(9, 3), R.rand(3), np.zeros(9)), (2,), None),
    'transpose': ('a', ((2, 2), (4, 4)), (M, np.zeros((8, 8))), (1,), None),
    'grid_stride_sum': ('x w', (1, 4), (X, 0.7, np.zeros(1)), (2,), 3),
    'rk4': ('x k', (2, 6), (FORWARD, BACKWARD, np.zeros(10), 3, 0.1), (2,), 3),
    'relu_bias': ('x b', ((2, 2), (3, 3)), (R.rand(5, 6) - 0.5, R.rand(6) - 0.5, np.zeros((5, 6))), (2,), None),
    'written_by_devices': ('c x', (2, 6), (R.rand(4), X, np.zeros((10, 2))), (2,), 20),
})


def find(name):
    return getattr(cuda_kernels, name, None) or getattr(cuda_kernels_more, name)


def run(kernel, launch, args):
    """The arguments after the launch, on the host."""
    there = [cuda.to_device(np.array(a)) if isinstance(a, np.ndarray) else a for a in args]
    kernel[launch](*there)
    return [a.copy_to_host() if hasattr(a, 'copy_to_host') else a for a in there]


def check(name):
    """Compare the adjoint with central differences of a sum of what the kernel writes, with random weights."""
    wrt, launch, args, outputs, slots = CASES[name]
    kernel = find(name)
    wrt = tuple(wrt.split())
    names = kernel.py_func.__code__.co_varnames[:len(args)]
    seeds = {k: R.rand(*args[k].shape) for k in outputs}

    def cost(values):
        after = run(kernel, launch, values)
        return sum(np.sum(seeds[k] * after[k]) for k in outputs)

    wanted = [k for k, n in enumerate(names) if n in wrt or k in outputs]
    gradients = [seeds[k].copy() if k in outputs else np.ones_like(args[k]) if isinstance(args[k], np.ndarray) else np.ones(1)
                 for k in wanted]
    adjoint = tangent.grad(kernel, wrt)
    after = run(adjoint.with_tape(slots), launch, [*args, *gradients])[len(args):]
    found = {k: g if k in outputs else g - 1.0 for k, g in zip(wanted, after) if names[k] in wrt}
    for _ in range(3):
        ways = {k: R.rand(*np.shape(args[k])) for k in found}
        ahead, behind = (cost([a + s * STEP * ways[k] if k in ways else a for k, a in enumerate(args)]) for s in (1, -1))
        expected = (ahead - behind) / (2 * STEP)
        np.testing.assert_allclose(sum(np.sum(found[k] * ways[k]) for k in found), expected, rtol=2e-6, atol=1e-8)


def without_tape():
    tangent.grad(cuda_kernels.newton)[2, 5](X, X.copy(), X.copy(), X.copy())


def too_short_a_tape():
    adjoint = tangent.grad(cuda_kernels.newton).with_tape(2)
    run(adjoint, (2, 5), (X, X.copy(), X.copy(), X.copy()))


def along_two_axes():
    tangent.grad(cuda_kernels.newton).with_tape(20)[(1, 1), (5, 2)](X, X.copy(), X.copy(), X.copy())


def the_same_array_twice():
    x = X.copy()
    tangent.grad(cuda_kernels.saxpy)[2, 6](1.7, x, x, np.zeros(10), np.zeros(1), np.ones(10))


REFUSALS = {'the_same_array_twice': 'x and y share memory', 'without_tape': 'with_tape', 'too_short_a_tape': 'longer tape', 'along_two_axes': 'along 1 axes'}


def refused(name):
    try:
        globals()[name]()
    except tangent.TangentError as error:
        return 'refused' if REFUSALS[name] in str(error) else str(error)
    return 'accepted'


if __name__ == '__main__':
    asked = sys.argv[1:] or [*REFUSALS, *CASES]
    for case in [case for case in asked if case in REFUSALS]:
        print(case, refused(case), flush=True)
    for case in [case for case in asked if case not in REFUSALS]:
        try:
            check(case)
            print(case, 'fine', flush=True)
        except Exception as error:
            print(case, type(error).__name__, ' '.join(str(error).split()), flush=True)
