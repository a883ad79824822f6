"""Gradients on a GPU: ours on CuPy's arrays, plain and with kernels, beside PyTorch's and JAX's where these are installed.

    python -m benchmarks gpu [--repeats N]

The programs are an elementwise chain, a dense layer, a stencil and a sum of squares, each given as one text that all
libraries run. Times are those of the wall, from one wait for the device to the next; the values are compared before.
"""
import importlib
import os
import statistics
import time
from typing import NamedTuple

import numpy as np

import tangent
from benchmarks.tools.timing import Row

SIZE = 2048


class Program(NamedTuple):
    """A function that returns a number, its arguments, and the same for a library whose functions have these names."""
    function: object
    args: tuple
    text: str


def gelu(x, w):
    return np.sum(0.5 * x * (1 + np.tanh(0.79788456 * (x + 0.044715 * x ** 3))) * w)


def layer(x, w):
    return np.sum(np.tanh(x @ w) ** 2)


def stencil(x, w):
    inside = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return np.sum((inside - x[1:-1, 1:-1]) ** 2 * w[1:-1, 1:-1])


def squares(x, w):
    return np.sum((x - w) * (x - w))


TEXTS = {
    'elementwise chain': (gelu, 'xp.sum(0.5 * x * (1 + xp.tanh(0.79788456 * (x + 0.044715 * x ** 3))) * w)'),
    'dense layer': (layer, 'xp.sum(xp.tanh(x @ w) ** 2)'),
    'stencil': (stencil, 'xp.sum((0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) - x[1:-1, 1:-1]) ** 2'
                         ' * w[1:-1, 1:-1])'),
    'sum of squares': (squares, 'xp.sum((x - w) * (x - w))'),
}


def numbers(size):
    rng = np.random.default_rng(0)
    return tuple(rng.uniform(-1, 1, (size, size)).astype(np.float32) for _ in range(2))


def programs(xp, size):
    """Name -> Program, with arrays of the library `xp` (CuPy, or NumPy)."""
    return {name: Program(f, tuple(map(xp.asarray, numbers(size))), text) for name, (f, text) in TEXTS.items()}


def ours(function):
    """How -> the gradient by both arguments."""
    return {'tangent': tangent.grad(function, wrt=(0, 1)), 'tangent, fuse=True': tangent.grad(function, wrt=(0, 1), fuse=True)}


def with_torch(torch, text, size):
    """A call that computes the gradients, and one that brings them back."""
    args = [torch.tensor(a, device='cuda', requires_grad=True) for a in numbers(size)]
    f = eval(f'lambda x, w: {text}', {'xp': torch})
    return lambda: torch.autograd.grad(f(*args), args), lambda found: [g.cpu().numpy() for g in found], torch.cuda.synchronize


def with_jax(jax, text, size):
    args = [jax.device_put(a) for a in numbers(size)]
    g = jax.jit(jax.grad(eval(f'lambda x, w: {text}', {'xp': jax.numpy}), argnums=(0, 1)))
    return lambda: jax.block_until_ready(g(*args)), lambda found: [np.asarray(v) for v in found], lambda: None


def jax_has_one(jax):
    jax.config.update('jax_platforms', None)                        # the other benchmarks keep it on the processor
    jax.config.update('jax_default_matmul_precision', 'float32')    # as the others compute, not with 10 bits
    return any(device.platform == 'gpu' for device in jax.devices())


def peers():
    """Name -> what makes a call of it, for the libraries that have the device."""
    os.environ['XLA_PYTHON_CLIENT_PREALLOCATE'] = 'false'           # beside the others
    found = {}
    for name, make, usable in ('torch', with_torch, lambda m: m.cuda.is_available()), ('jax', with_jax, jax_has_one):
        try:
            module = importlib.import_module(name)
            if usable(module):
                found[name] = lambda text, size, make=make, module=module: make(module, text, size)
            else:
                print(f'{name} has no GPU here: skipped')
        except ImportError:
            print(f'{name} is not installed: skipped')
    return found


def seconds(call, wait, repeats):
    """Median time of a call, the device's work included."""
    call()
    wait()
    times = []
    for _ in range(max(repeats, 1)):
        start = time.perf_counter()
        call()
        wait()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def run(others, repeats=30, size=SIZE):
    """A row for each program and library: microseconds of a gradient; nothing where there is no device."""
    try:
        cupy = importlib.import_module('cupy')
    except ImportError:
        print('CuPy is not installed: nothing is measured (pip install tangent[cuda12x])')
        return
    if not cupy.is_available():
        print('CuPy finds no CUDA device: nothing is measured')
        return
    wait, beside = cupy.cuda.Device().synchronize, peers()
    for name, program in programs(cupy, size).items():
        reference = None
        for how, gradient in ours(program.function).items():
            found = [cupy.asnumpy(g) for g in gradient(*program.args)]
            reference = found if reference is None else reference
            compare(reference, found, f'{name}: {how}')
            spent = seconds(lambda gradient=gradient, program=program: gradient(*program.args), wait, repeats)
            yield Row(f'{name}, {size} x {size}, float32: {how}', spent * 1e6, unit=' us')
        for how, make in beside.items():
            call, back, ready = make(program.text, size)
            compare(reference, back(call()), f'{name}: {how}')
            yield Row(f'{name}, {size} x {size}, float32: {how}', seconds(call, ready, repeats) * 1e6, unit=' us')


def compare(a, b, what):
    for x, y in zip(a, b, strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-3, atol=2e-3 * np.max(np.abs(x)), err_msg=what)
