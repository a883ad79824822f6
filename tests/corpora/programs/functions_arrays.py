# ruff: noqa: B007, B008, E731, F841 - a corpus of programs as people write them
"""Array programs of the kinds that reverse mode must take: shapes, indexing, methods, models."""
import functools

import numpy as np

from tests.corpora.programs.functions_numpy import A, B, S, T, V, W
from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)


# Shapes

def reshaped(x):
    return np.reshape(x, (3, 2)) * np.arange(6.0).reshape(3, 2) + x.reshape(-1, 2) + np.ravel(x).reshape(3, 2)


case(reshaped, A)


def transposed(x):
    return np.transpose(x) * 2.0 + x.T * x.T + x.transpose()


case(transposed, A)


def transposed_axes(x):
    return np.transpose(x, (2, 0, 1)) * np.swapaxes(x, 0, 2).transpose(0, 2, 1) + np.moveaxis(x, 2, 0)


case(transposed_axes, T)


def expanded(x):
    return np.squeeze(np.expand_dims(x, 0) * x[np.newaxis], axis=0) + np.atleast_2d(x)[0]


case(expanded, V)


def joined(x, y):
    return np.concatenate((x, y * 2)) * np.concatenate([y, x], axis=0)


case(joined, V, W)


def stacked(x, y):
    return np.stack([x, y * y]) + np.vstack((y, x)) + np.hstack([x, y]).reshape(2, 3)


case(stacked, V, W)


def column_stacked(x, y):
    return np.stack((x, y), axis=1) * np.column_stack((y, x))


case(column_stacked, V, W)


def halves(x):
    a, b = np.split(x, 2)
    c, d, e = np.split(x, [1, 2])
    return np.sum(a * b) + np.sum(d) * c[0] + np.sum(e * e)


case(halves, np.array([0.1, 0.5, 0.2, 0.9]))


def tiled(x):
    return np.tile(x, 2) * np.repeat(x, 2) + np.sum(np.broadcast_to(x, (4, 3)))


case(tiled, V)


def flipped(x):
    return x[::-1] * np.flip(x) + np.roll(x, 1) * x


case(flipped, V)


def triangles(x):
    return np.tril(x) * 2 + np.triu(x, 1) * x


case(triangles, S)


def array_of_scalars(x, y):
    z = np.array([x, y, x * y])
    return np.sum(z * z)


case(array_of_scalars, 0.5, 1.2)


def nested_array_of_scalars(x, y):
    m = np.array([[x, 0.0], [1.0, y]])
    return np.dot(m, m)


case(nested_array_of_scalars, 0.5, 1.2)


# Indexing

def subscripts(x):
    return x[0] * x[1] + x[-1]


case(subscripts, V)


def matrix_subscripts(x):
    return x[0, 1] * x[1][2] + np.sum(x[:, 0]) + np.sum(x[1] * x[0, :])


case(matrix_subscripts, A)


def slices(x):
    return x[1:] * x[:-1] + x[::2]


case(slices, V)


def slice_variables(x, n):
    i = n - 1
    return np.sum(x[i:n + 1] * x[n]) + x[i]


case(slice_variables, np.array([0.1, 0.5, 0.2, 0.9]), 2)


def fancy(x):
    return x[[0, 0, 2]] * x[np.array([1, 2, 2])]


case(fancy, V)


def fancy_rows(x):
    return np.sum(x[[0, 1, 0], [2, 1, 2]]) * x[[1, 0]]


case(fancy_rows, A)


def masked(x):
    return np.sum(x[x > 0] ** 2)


case(masked, V)


def ellipsis_and_newaxis(x):
    return x[..., 0] * x[:, None, 1, :].sum(axis=(1, 2))[:, None]


case(ellipsis_and_newaxis, T)


def same_entry_twice(x, i):
    return x[i] * x[i] + x[i]


case(same_entry_twice, V, 1)


def gathers_in_loop(x, order):
    s = 0.0
    for i in order:
        s = s + x[i] ** 2 * s + x[i]
    return s


case(gathers_in_loop, V, [0, 2, 2, 1])


def taken(x):
    return np.take(x, [0, 2, 2]) * 2.0


case(taken, V)


def diffed(x):
    return np.diff(x) ** 2


case(diffed, V)


# Methods

def methods(x):
    y = x.sum() + x.mean() * x.max() - x.min() + x.dot(x.T).trace() + x.prod() + x.var() + x.std()
    return y + (x.flatten() * x.ravel()).sum() + x.copy().sum(axis=0, keepdims=True).squeeze().dot(x[0])


case(methods, A)


def astype_method(x):
    return x.astype(float).sum() * x.size * x.ndim


case(astype_method, A)


# Models

def linear_regression(w, b, x, y):
    r = np.dot(x, w) + b - y
    return 0.5 * np.mean(r ** 2)


case(linear_regression, V, 0.2, S, W, wrt=[(0,), (0, 1), (1, 0), (0, 1, 2, 3)])


def layer(x, w, b):
    return np.tanh(np.dot(x, w) + b)


def perceptron(x, w1, b1, w2, b2):
    h = layer(x, w1, b1)
    return np.sum(layer(h, w2, b2) ** 2)


case(perceptron, A, B, np.array([0.1, -0.2]), S[:2], W, wrt=[(1, 2, 3, 4), (0,), (0, 1, 2, 3, 4)])


def recurrent(w, u, xs):
    h = np.zeros(3)
    for x in xs:
        h = np.tanh(np.dot(w, h) + np.dot(u, x))
    return np.sum(h * h)


case(recurrent, S, S.T * 0.3, np.vstack([A, V]))


def recurrent_outputs(w, v, x, steps):
    h, cost = x, 0.0
    for t in range(steps):
        h = np.tanh(np.dot(w, h))
        y = np.dot(v, h)
        cost = cost + y * y / (t + 1)
        if t == steps - 2:
            cost = cost + np.sum(h)
    return cost


case(recurrent_outputs, S, V, W, 4)


def batch_normalized(x, gain, bias):
    mean = np.mean(x, axis=0)
    var = np.var(x, axis=0)
    return gain * (x - mean) / np.sqrt(var + 1e-3) + bias


case(batch_normalized, A, W, V)


def attention(q, k, v):
    scores = np.dot(q, k.T) / np.sqrt(q.shape[1])
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    return np.dot(p, v)


case(attention, A, S, S.T)


def stencil(u, steps):
    for _ in range(steps):
        inner = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u = np.concatenate((u[:1], inner, u[-1:]))
    return np.sum(u ** 2)


case(stencil, np.array([0.1, 0.5, 0.2, 0.9, 0.3]), 3)


def distances(x):
    d = x[:, None, :] - x[None, :, :]
    return np.sum(np.sqrt(np.sum(d * d, axis=-1) + 0.1))


case(distances, A)


def solves(a, b):
    return np.linalg.solve(a, b)


case(solves, S, V)


def determinants(a):
    return np.linalg.det(a) + np.trace(np.linalg.inv(a))


case(determinants, S)
