"""Arrays of one shape on every trip are not kept to be asked for it."""
import numpy as np
import pytest

import tangent
from tests.tools.checking import differences

U = np.linspace(0.1, 1.0, 5)


def padded(u, n):
    for _ in range(n):
        v = np.zeros(u.size + 2)
        v[1:-1] = u
        u = u + 0.2 * (v[2:] - 2 * u + v[:-2])
    return np.sum(u * u)


def deleted(u, n):
    for _ in range(n):
        v = np.zeros(u.size + 2)
        v[1:-1] = u
        u = u + 0.2 * (v[2:] - 2 * u + v[:-2])
        del v
    return np.sum(u * u)


def something_else_behind(u, n):
    for _ in range(n):
        v = np.zeros(u.size + 2)
        v[1:-1] = u
        u = u + 0.2 * (v[2:] - 2 * u + v[:-2])
    v = 3.0
    return np.sum(u * u) * v


def now_and_then(u, n):
    for k in range(n):
        if k % 2:
            continue
        v = np.zeros(u.size + 2)
        v[1:-1] = u
        u = u + 0.2 * (v[2:] - 2 * u + v[:-2])
    return np.sum(u * u)


def of_two_lengths(u, n):
    for k in range(n):
        v = np.zeros(u.size + 2)
        if k == 1:
            v = np.zeros(u.size + 3)
        v[1:u.size + 1] = u
        u = u + 0.2 * (v[2:u.size + 2] - 2 * u + v[:u.size])
    return np.sum(u * u)


def rows(u, n):
    a = np.outer(u, u)
    norms = []
    for row in a:
        norms.append(np.sqrt(np.sum(row ** 2)))
    return norms[0] * norms[1] * n


@pytest.mark.parametrize('f', [padded, deleted, something_else_behind, now_and_then, of_two_lengths, rows], ids=lambda f: f.__name__)
@pytest.mark.parametrize('n', [0, 1, 4])
def test_right(f, n):
    gradient = tangent.grad(f)
    for _ in range(3):
        np.testing.assert_allclose(gradient(U, n), differences(f, (U, n), (0,))[0], atol=1e-6)


@pytest.mark.parametrize('f', [padded, deleted], ids=lambda f: f.__name__)
def test_nothing_is_kept(f):
    text = tangent.source(tangent.grad(f))
    assert '_stack' not in text and 'bv = np.zeros(v.shape)' in text


def test_lengths_that_differ_are_kept():
    assert '_stack' in tangent.source(tangent.grad(of_two_lengths))
