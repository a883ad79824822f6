"""Adjoints by hand of networks, shortest paths and a recursion over a growing vector."""
import numpy as np
from numba import njit


def mlp(x, w1, b1, w2, b2, w3, b3):
    h1 = x @ w1
    h1 += b1
    np.maximum(h1, 0.0, out=h1)
    h2 = h1 @ w2
    h2 += b2
    np.maximum(h2, 0.0, out=h2)
    g = h2 @ w3
    g += b3
    g *= 2.0
    bw3, bb3 = h2.T @ g, np.sum(g, axis=0)
    g = g @ w3.T
    g *= h2 > 0
    bw2, bb2 = h1.T @ g, np.sum(g, axis=0)
    g = g @ w2.T
    g *= h1 > 0
    return g @ w1.T, x.T @ g, np.sum(g, axis=0), bw2, bb2, bw3, bb3


@njit(fastmath={'reassoc', 'contract'})
def conv2d_loops(x, w, bias, bx, bw, bb):
    n, height, width, many = x.shape
    k, out = w.shape[0], w.shape[3]
    g = np.empty(out)
    for s in range(n):
        for i in range(height - k + 1):
            for j in range(width - k + 1):
                for c in range(out):
                    g[c] = bias[c]
                for p in range(k):
                    for q in range(k):
                        for m in range(many):
                            v = x[s, i + p, j + q, m]
                            for c in range(out):
                                g[c] += v * w[p, q, m, c]
                for c in range(out):
                    g[c] *= 2.0
                    bb[c] += g[c]
                for p in range(k):
                    for q in range(k):
                        for m in range(many):
                            v, total = x[s, i + p, j + q, m], 0.0
                            for c in range(out):
                                bw[p, q, m, c] += v * g[c]
                                total += w[p, q, m, c] * g[c]
                            bx[s, i + p, j + q, m] += total


def conv2d_bias(input, weights, bias):
    bx, bw, bb = np.zeros_like(input), np.zeros_like(weights), np.zeros_like(bias)
    conv2d_loops(input, weights, bias, bx, bw, bb)
    return bx, bw, bb


@njit
def floyd_warshall_in_place(path, b):
    n = len(path)
    nearer = np.empty((n, n, n), np.bool_)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                way = path[i, k] + path[k, j]
                nearer[k, i, j] = way < path[i, j]
                path[i, j] = min(way, path[i, j])
    for i in range(n):
        for j in range(n):
            b[i, j] = 2.0 * path[i, j]
    for k in range(n - 1, -1, -1):
        for i in range(n - 1, -1, -1):
            total = 0.0
            for j in range(n):
                g = b[i, j] if nearer[k, i, j] else 0.0
                b[i, j] -= g
                total += g
                b[k, j] += g
            b[i, k] += total


def floyd_warshall_loops(path):
    """Neither row nor column `k` changes in trip `k`."""
    b = np.empty_like(path)
    floyd_warshall_in_place(path.copy(), b)
    return b,


@njit(fastmath={'reassoc', 'contract'})
def durbin_loops(r, br):
    n = len(r)
    y, by, old, alphas, betas = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    alpha, beta = -r[0], 1.0
    y[0] = alphas[0] = alpha
    for k in range(1, n):
        beta *= 1.0 - alpha * alpha
        total = r[k]
        for j in range(k):
            total += r[k - 1 - j] * y[j]
        alpha = -total / beta
        alphas[k], betas[k] = alpha, beta
        for j in range(k):
            old[j] = y[j]
        for j in range(k):
            y[j] = old[j] + alpha * old[k - 1 - j]
        y[k] = alpha
    for k in range(n):
        by[k] = 2.0 * y[k]
    bbeta = balpha = 0.0
    for k in range(n - 1, 0, -1):
        alpha, beta = alphas[k], betas[k]
        for j in range(k):                                # the step is its own inverse, but for a factor
            old[j] = (y[j] - alpha * y[k - 1 - j]) / (1.0 - alpha * alpha)
        balpha += by[k]
        for j in range(k):
            y[j] = old[j]
            balpha += by[j] * old[k - 1 - j]
        g = -balpha / beta
        bbeta += g * alpha
        for j in range(k):
            old[j] = by[k - 1 - j]
        for j in range(k):
            by[j] += alpha * old[j] + g * r[k - 1 - j]
        br[k] += g
        for j in range(k):
            br[k - 1 - j] += g * y[j]
        balpha = -2.0 * alphas[k - 1] * bbeta * beta / (1.0 - alphas[k - 1] ** 2)
        bbeta *= 1.0 - alphas[k - 1] ** 2
    br[0] -= by[0] + balpha


def durbin(r):
    br = np.zeros_like(r)
    durbin_loops(r, br)
    return br,
