"""Adjoints by hand of maps over arrays, and of means in rings."""
import numpy as np
from numba import njit


@njit
def go_fast_loops(a, g):
    n, m = a.shape
    trace = 0.0
    for i in range(n):
        trace += np.tanh(a[i, i])
    total = 0.0
    for i in range(n):
        for j in range(m):
            g[i, j] = 2.0 * (a[i, j] + trace)
            total += g[i, j]
    for i in range(n):
        t = np.tanh(a[i, i])
        g[i, i] += total * (1.0 - t * t)


def go_fast(a):
    g = np.empty_like(a)
    go_fast_loops(a, g)
    return g,


@njit(error_model='numpy')
def arc_distance_loops(t1, p1, t2, p2, b1, c1, b2, c2):
    for i in range(len(t1)):
        h, k = (t2[i] - t1[i]) / 2, (p2[i] - p1[i]) / 2
        s, r = np.sin(h), np.sin(k)
        x, y = np.cos(t1[i]), np.cos(t2[i])
        t = s * s + x * y * r * r
        u, v = np.sqrt(t), np.sqrt(1 - t)
        d = 2 * np.arctan2(u, v)
        g = 2.0 * d / (u * v)                   # of t
        gh, gk = g * s * np.cos(h), g * x * y * r * np.cos(k)
        g *= r * r
        b1[i], b2[i] = -gh - g * y * np.sin(t1[i]), gh - g * x * np.sin(t2[i])
        c1[i], c2[i] = -gk, gk


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    out = [np.empty_like(theta_1) for _ in range(4)]
    arc_distance_loops(theta_1, phi_1, theta_2, phi_2, *out)
    return tuple(out)


@njit
def azimint_loops(data, radius, npt, bdata):
    rmax = radius[0]
    for k in range(len(radius)):
        rmax = max(rmax, radius[k])
    res, count = np.zeros(npt), np.zeros(npt)
    for i in range(npt):
        r1, r2 = rmax * i / npt, rmax * (i + 1) / npt
        total, number = 0.0, 0
        for k in range(len(radius)):
            if r1 <= radius[k] and radius[k] < r2:
                total += data[k]
                number += 1
        res[i], count[i] = total / number, number
    for i in range(npt):
        r1, r2 = rmax * i / npt, rmax * (i + 1) / npt
        g = 2.0 * res[i] / count[i]
        for k in range(len(radius)):
            if r1 <= radius[k] and radius[k] < r2:
                bdata[k] += g


def azimint_naive(data, radius, npt):
    bdata = np.zeros_like(data)
    azimint_loops(data, radius, npt, bdata)
    return bdata, np.zeros_like(radius)


@njit
def compute_loops(x, y, a, b, c, bx, by):
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            t = min(max(x[i, j], 0.4), 1.0)
            g = 2.0 * (t * a + y[i, j] * b + c)
            bx[i, j] = g * a if t == x[i, j] else 0.0
            by[i, j] = g * b


def compute(array_1, array_2, a, b, c):
    bx, by = np.empty_like(array_1), np.empty_like(array_2)
    compute_loops(array_1, array_2, a, b, c, bx, by)
    return bx, by


def softmax(x):
    y = x - np.max(x, axis=-1, keepdims=True)
    np.exp(y, out=y)
    y /= np.sum(y, axis=-1, keepdims=True)
    s = np.einsum('ijkl,ijkl->ijk', y, y)[..., None]
    g = y - s
    g *= y
    g *= 2.0
    return g,
