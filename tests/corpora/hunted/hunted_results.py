"""Functions for `tests/corpora/test_hunted.py` whose arrays are changed by functions they call, after an operation whose adjoint reads its own result.

`a = np.exp(v)` has the adjoint `bv = ba * a`: it needs what `a` was before `sweep(a)` wrote into it.
"""
import numpy as np

from tests.corpora.hunted.hunting import found

V = np.array([0.3, 0.7, 1.1])


def sweep(m):
    for i in range(1, len(m)):
        m[i] = np.tanh(m[i - 1] + m[i])


def double(m):
    m[1:] = m[1:] * 2


def doubled(m):
    m[1:] = m[1:] * 2
    return m


def powers(v):
    a = np.exp(v)
    double(a)
    return a


@found(V, mixes=('f', 'rf'))
def result_of_exp(v):
    a = np.exp(v)
    sweep(a)
    return np.sum(a)


@found(V, mixes=('f',))
def result_of_a_quotient(v):
    a = v / (v + 1)
    double(a)
    return np.sum(a)


@found(V, mixes=('f',))
def result_changed_three_times(v):
    a = np.exp(v)
    for _ in range(3):
        double(a)
    return np.sum(a * a)


@found(V, mixes=('f',))
def result_changed_by_one_of_two(v):
    a = np.tanh(v)
    if v[0] > 0:
        double(a)
    else:
        sweep(a)
    return np.sum(a * a)


@found(V, mixes=('f',))
def result_of_a_callee(v):
    b = powers(v)
    sweep(b)
    return np.sum(b)


@found(V, mixes=('f',))
def result_changed_by_a_function_inside(v):
    a = np.sqrt(v)

    def change(k):
        a[k] = a[k] * 2
    change(1)
    return np.sum(a)


@found(V, mixes=('f',))
def inverse_changed(v):
    m = np.linalg.inv(np.outer(v, v) + 2 * np.eye(3))
    double(m)
    return np.sum(m)


@found(V, mixes=('f',))
def result_changed_and_handed_back(v):
    a = np.exp(v)
    b = doubled(a)
    return np.sum(a * b)
