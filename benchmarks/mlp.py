"""Gradients of a perceptron (Listing 9 of the Tangent paper), batch 16: ours, autograd's, JAX's, one written by hand."""
import importlib

import numpy as np

import tangent
from benchmarks.tools.timing import Row, measure

SIZES = (4, 16, 64, 256, 1024)
BATCH, CLASSES = 16, 10
WEIGHTS = (1, 2, 3, 4)


def logsumexp(x):
    return np.log(np.sum(np.exp(x), axis=-1, keepdims=True))


def logsoftmax(logits):
    return logits - logsumexp(logits)


def softmax_crossent(logits, y):
    return -np.sum(logsoftmax(logits) * y, axis=-1)


def mlp(x, w1, b1, wout, bout, label):
    h1 = np.tanh(np.dot(x, w1) + b1)
    out = np.dot(h1, wout) + bout
    return np.mean(softmax_crossent(out, label))


def by_hand(x, w1, b1, wout, bout, label):
    """What a careful person writes: the gradients of `mlp` by the four weights."""
    h1 = np.dot(x, w1)
    h1 += b1
    np.tanh(h1, h1)
    out = np.dot(h1, wout)
    out += bout
    e = np.exp(out)
    s = e.sum(axis=-1, keepdims=True)
    scaled = label / len(x)
    bout_ = e / s
    bout_ *= scaled.sum(axis=-1, keepdims=True)
    bout_ -= scaled
    bh = np.dot(bout_, wout.T)
    h1t = h1.T
    bwout, bbout = np.dot(h1t, bout_), bout_.sum(axis=0)
    h1 *= h1
    np.subtract(1, h1, h1)
    bh *= h1
    return np.dot(x.T, bh), bh.sum(axis=0), bwout, bbout


def arguments(size, seed=0):
    """Inputs, weights and labels: `size` inputs, as many hidden units, ten classes."""
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(BATCH, size)), rng.normal(size=(size, size)) / np.sqrt(size), rng.normal(size=size),
            rng.normal(size=(size, CLASSES)) / np.sqrt(size), rng.normal(size=CLASSES),
            np.eye(CLASSES)[rng.integers(CLASSES, size=BATCH)])


def written_for(numpy):
    """`mlp` as other libraries want it: with their own module in place of NumPy."""
    def loss(x, w1, b1, wout, bout, label):
        h1 = numpy.tanh(numpy.dot(x, w1) + b1)
        out = numpy.dot(h1, wout) + bout
        logsoft = out - numpy.log(numpy.sum(numpy.exp(out), axis=-1, keepdims=True))
        return numpy.mean(-numpy.sum(logsoft * label, axis=-1))
    return loss


def gradients(peers):
    """Name -> function that takes the arguments of `mlp` and gives the gradients by the weights."""
    found = {'tangent': tangent.grad(mlp, wrt=WEIGHTS), 'by hand': by_hand}
    if 'autograd' in peers:
        found['autograd'] = peers['autograd'].grad(written_for(importlib.import_module('autograd.numpy')), WEIGHTS)
    if 'jax' in peers:
        jax = peers['jax']
        found['jax'] = jax.jit(jax.grad(written_for(jax.numpy), WEIGHTS))
    return found


def programs(peers, size):
    """Name -> call without arguments; JAX is waited for, and measured with arrays of its own and with NumPy's."""
    args = arguments(size)
    found = {name: lambda g=g: g(*args) for name, g in gradients(peers).items()}
    if 'jax' in peers:
        jax, compiled = peers['jax'], gradients(peers)['jax']
        theirs = [jax.numpy.asarray(a) for a in args]
        found['jax'] = lambda: jax.block_until_ready(compiled(*theirs))
        found['jax, NumPy arrays'] = lambda: jax.block_until_ready(compiled(*args))
    return found


def run(peers, repeats=15, sizes=SIZES):
    """The report, line by line."""
    for size in sizes:
        times = measure(programs(peers, size), repeats)
        ours = times['tangent']
        yield Row(f'mlp, size {size}: tangent', ours * 1e6, unit=' us')
        yield Row(f'mlp, size {size}: tangent / by hand', ours / times['by hand'])
        if 'autograd' in times:
            target = 0.15 if size <= 64 else 0.35 if size == 1024 else None
            yield Row(f'mlp, size {size}: tangent / autograd', ours / times['autograd'], target)
        if 'jax' in times:
            yield Row(f'mlp, size {size}: tangent / jax.jit', ours / times['jax'], 1.0 if size <= 256 else None)
            yield Row(f'mlp, size {size}: tangent / jax.jit given NumPy arrays', ours / times['jax, NumPy arrays'])
