# ruff: noqa: B007, B008, E731, F841 - a corpus of programs as people write them
"""Array programs of the kinds that reverse mode must take: elementwise, broadcasting, reductions, products, shapes.

A result that is not scalar is tested with a random seed. Each function is followed by the arguments it is tested at.
"""
import functools

import numpy as np

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)

V = np.array([0.3, 1.2, -0.7])
W = np.array([1.1, 0.4, 0.95])
A = np.array([[0.3, 1.2, -0.7], [0.5, -0.4, 0.9]])
B = np.array([[0.2, -0.3], [1.5, 0.7], [0.1, 0.6]])
S = np.array([[2.0, 0.3, 0.1], [0.2, 1.5, -0.4], [0.3, 0.1, 1.8]])
T = np.arange(24.0).reshape(2, 3, 4) / 10 + 0.3


# Elementwise

def trigonometry(x):
    return np.sin(x) * np.cos(x) + np.tan(x) - np.arctan(x)


case(trigonometry, V)
case(trigonometry, 0.4)


def exponentials(x):
    return np.exp(x) + np.expm1(x) * np.log(x) - np.log1p(x) + np.sqrt(x) + np.log2(x) + np.log10(x) + np.exp2(x)


case(exponentials, W)


def hyperbolics(x):
    return np.sinh(x) + np.cosh(x) * np.tanh(x) + np.arcsinh(x)


case(hyperbolics, A)


def squares(x):
    return np.square(x) + np.negative(x) * np.abs(x) + np.absolute(x) + np.reciprocal(x)


case(squares, V)


def binary_functions(x, y):
    return np.add(x, y) * np.subtract(x, y) + np.multiply(x, y) / np.divide(x, y) + np.power(y, x)


case(binary_functions, V, W)
case(binary_functions, A, W)
case(binary_functions, 0.4, W)


def extremes(x, y):
    return np.maximum(x, y) * np.minimum(x, 2 * y) + np.maximum(x, 0.0)


case(extremes, V, W)
case(extremes, A, W)


def angles(x, y):
    return np.arctan2(x, y) + np.hypot(x, y)


case(angles, V, W)


def clipped(x):
    return np.clip(x, -0.5, 1.0) * x


case(clipped, V)


def chosen(x, y):
    return np.where(x > 0.1, x * y, y)


case(chosen, V, W)
case(chosen, A, W)
case(chosen, V, 2.0)


def logaddexp(x, y):
    return np.logaddexp(x, y)


case(logaddexp, V, W)


def constants_between(x):
    n = x.shape[0]
    z = np.zeros(n) + np.ones_like(x) * np.arange(n)
    return np.sum(z * x) / n


case(constants_between, V)


def signs(x):
    return np.sign(x) * x + np.floor(x) * x


case(signs, V)


# Broadcasting

def broadcast_sum(x, y):
    return x + y


case(broadcast_sum, A, V)
case(broadcast_sum, A, np.array([[0.5], [0.2]]))
case(broadcast_sum, 2.0, A)
case(broadcast_sum, np.array([[1.0]]), np.array([2.0, 3.0]))


def broadcast_mixed(x, y, z):
    return np.sum(x * y / (1 + z * z) - y ** 2 * x)


case(broadcast_mixed, A, W, 0.3)
case(broadcast_mixed, W, A, np.array([[0.5], [0.2]]))
case(broadcast_mixed, 0.3, W, T[:, :, :3])


def outer_by_broadcast(x, y):
    return np.sum(np.sin(x[:, None] * y[None, :]))


case(outer_by_broadcast, V, np.array([0.2, 0.5]))


def scaled_in_loop(x, w):
    y = 0.0
    for i in range(3):
        y = y * 0.5 + x * w
    return np.sum(y * y)


case(scaled_in_loop, A, W)
case(scaled_in_loop, 0.3, W)


# Reductions

def sum_all(x):
    return np.sum(x * x)


case(sum_all, A)


def sum_axis(x):
    return np.sum(x * x, axis=0) + np.sum(x, axis=-1)[0]


case(sum_axis, A)


def sum_axes(x):
    return np.sum(x * x, axis=(0, 2)) + np.sum(x, (0, 2), keepdims=False)


case(sum_axes, T)


def sum_keepdims(x):
    return x / np.sum(x, axis=1, keepdims=True)


case(sum_keepdims, A)


def means(x):
    return np.mean(x * x) + np.sum(np.mean(x, axis=0) * np.mean(x, axis=1, keepdims=True))


case(means, A)


def product_of_all(x):
    return np.prod(x) + np.sum(np.prod(x, axis=1))


case(product_of_all, A)


def variances(x):
    return np.var(x) + np.std(x) + np.sum(np.var(x, axis=0, ddof=1)) + np.sum(np.std(x, axis=1, keepdims=True) * x)


case(variances, A)


def max_and_min(x):
    return np.max(x) * np.min(x) + np.sum(np.max(x, axis=1)) + np.sum(np.amin(x, axis=0, keepdims=True) * x)


case(max_and_min, A)


def cumulative(x):
    return np.sum(np.cumsum(x) * np.arange(6.0)) + np.sum(np.cumsum(x, axis=1) ** 2)


case(cumulative, A)


def norms(x):
    return np.linalg.norm(x) + np.sqrt(np.sum(x ** 2))


case(norms, V)


def logsumexp(x):
    m = np.max(x, axis=-1, keepdims=True)
    return np.sum(m + np.log(np.sum(np.exp(x - m), axis=-1, keepdims=True)))


case(logsumexp, A)


def softmax_cross_entropy(logits, labels):
    z = logits - np.max(logits, axis=1, keepdims=True)
    p = np.exp(z) / np.sum(np.exp(z), axis=1, keepdims=True)
    return -np.mean(np.sum(labels * np.log(p), axis=1))


case(softmax_cross_entropy, A, np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]))


def average_and_trace(x):
    return np.trace(x) + np.sum(np.diag(x) * np.diagonal(x)) + np.average(x)


case(average_and_trace, S)


# Products

def dots(x, y):
    return np.dot(x, y)


case(dots, V, W)
case(dots, A, V)
case(dots, V, B)
case(dots, A, B)
case(dots, 0.3, A)
case(dots, A, 0.3)
case(dots, T, np.arange(4.0))
case(dots, T, np.arange(8.0).reshape(4, 2))
case(dots, V, T[0].T.reshape(1, 4, 3).transpose(0, 2, 1))
case(dots, T, np.arange(40.0).reshape(2, 4, 5) / 7)


def matmuls(x, y):
    return x @ y


case(matmuls, V, W)
case(matmuls, A, V)
case(matmuls, V, B)
case(matmuls, A, B)
case(matmuls, T, np.arange(4.0))
case(matmuls, T, np.arange(16.0).reshape(2, 4, 2) / 7)
case(matmuls, T, np.arange(8.0).reshape(4, 2) / 7)


def matmul_function(x, y):
    return np.matmul(x, y).sum() + (x @ y).T.mean()


case(matmul_function, A, B)


def outers(x, y):
    return np.outer(x, y)


case(outers, V, np.array([0.2, 0.5]))


def inners(x, y):
    return np.inner(x, y)


case(inners, V, W)
case(inners, A, S)


def tensordots(x, y):
    return np.tensordot(x, y, axes=([1], [0])) + 2 * np.tensordot(x, y, axes=1)


case(tensordots, A, B)


def double_contraction(x, y):
    return np.tensordot(x, y, axes=2)


case(double_contraction, A, B.T)


def einsums(x, y):
    return np.einsum('ij,jk->ik', x, y) + np.einsum('ij,jk->', x, y) + np.einsum('ij->i', x)[:, None]


case(einsums, A, B)


def quadratic_form(x, s):
    return x @ s @ x + np.dot(x, np.dot(s, x))


case(quadratic_form, V, S)
