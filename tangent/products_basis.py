"""The run time of Jacobians that Numba compiles: the same under CPython, where they run uncompiled.

    found = matrix_of(y, x)
    put_row(found, i, pull(x, basis(y, i)))        one reverse pass for each element of y
    put_column(found, j, push(x, basis(x, j)))     one forward pass for each element of x
    shaped(found, y, x)                            y.shape + x.shape
"""
from __future__ import annotations

import numpy as np

from tangent.zero import init_grad


def basis(x, k):
    """The gradient, or tangent, of `x` that has 1 for its element number `k`, and 0 for the others."""
    if not isinstance(x, np.ndarray):
        return type(init_grad(x))(1)
    unit = init_grad(x)
    unit.flat[k] = 1
    return unit


def elements(x):
    """How many numbers `x` has."""
    return np.size(x)


def matrix_of(y, x):
    return np.empty((np.size(y), np.size(x)), np.result_type(init_grad(y), init_grad(x)))


def put_row(found, i, gradient):
    found[i] = np.ravel(gradient)


def put_column(found, j, tangent):
    found[:, j] = np.ravel(tangent)


def shaped(found, y, x):
    return np.reshape(found, np.shape(y) + np.shape(x))[()]
