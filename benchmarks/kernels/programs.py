"""Numeric programs as people write them for Numba, for `kernels`: loops over numbers and arrays."""
import math

import numpy as np


def cheap(x, n):
    y = x
    for _ in range(n):
        y = y * 0.999 + y * y * 1e-4
    return y


def sines(x, n):
    y = x
    for _ in range(n):
        y = math.sin(y) * 0.999 + math.cos(y) * 1e-3
    return y


def newton(x, n):
    s = 0.0
    for i in range(n):
        a = x * (i + 1)
        r = a
        while abs(r * r - a) > 1e-9 * a:
            r = 0.5 * (r + a / r)
        s += r
    return s


def branching(x, n):
    if n == 0:
        return math.sin(x)
    return branching(x * 0.5 + 0.1, n - 1) * x + branching(x * 0.7, n - 1)


def small(x, y):
    return math.sin(x) * y + x * y / (1.0 + x * x)


def cholesky(a):
    f = a.copy()
    n = f.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                f[i, j] -= f[i, k] * f[j, k]
            f[i, j] /= f[j, j]
        for k in range(i):
            f[i, i] -= f[i, k] * f[i, k]
        f[i, i] = math.sqrt(f[i, i])
    s = 0.0
    for i in range(n):
        for j in range(i + 1):
            s += f[i, j]
    return s


def lu(a):
    f = a.copy()
    n = f.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                f[i, j] -= f[i, k] * f[k, j]
            f[i, j] /= f[j, j]
        for j in range(i, n):
            for k in range(i):
                f[i, j] -= f[i, k] * f[k, j]
    s = 0.0
    for i in range(n):
        for j in range(n):
            s += f[i, j]
    return s


def trisolv(a, b):
    n = b.shape[0]
    x = np.zeros(n)
    for i in range(n):
        t = 0.0
        for j in range(i):
            t += a[i, j] * x[j]
        x[i] = (b[i] - t) / a[i, i]
    return np.sum(x)


def durbin(r):
    n = r.shape[0]
    y, z = np.zeros(n), np.zeros(n)
    y[0] = -r[0]
    beta, alpha = 1.0, -r[0]
    for k in range(1, n):
        beta = (1.0 - alpha * alpha) * beta
        s = 0.0
        for i in range(k):
            s += r[k - i - 1] * y[i]
        alpha = -(r[k] + s) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    return np.sum(y)


def seidel_2d(a, steps):
    f = a.copy()
    n = f.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                f[i, j] = (f[i - 1, j - 1] + f[i - 1, j] + f[i - 1, j + 1] + f[i, j - 1] + f[i, j] + f[i, j + 1]
                           + f[i + 1, j - 1] + f[i + 1, j] + f[i + 1, j + 1]) / 9.0
    return np.sum(f)


def jacobi_2d(a, steps):
    f, g = a.copy(), a.copy()
    n = f.shape[0]
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                g[i, j] = 0.2 * (f[i, j] + f[i, j - 1] + f[i, j + 1] + f[i + 1, j] + f[i - 1, j])
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                f[i, j] = 0.2 * (g[i, j] + g[i, j - 1] + g[i, j + 1] + g[i + 1, j] + g[i - 1, j])
    return np.sum(f)


def gemm(a, b):
    n = a.shape[0]
    c = np.zeros((n, n))
    for i in range(n):
        for k in range(n):
            for j in range(n):
                c[i, j] += a[i, k] * b[k, j]
    return np.sum(c)


def gmm(alpha, mu, q, l, x, gamma, m):  # noqa: E741 - the names of the specification
    """The log posterior of a Gaussian mixture (ADBench), without the constants of the prior."""
    n, d = x.shape
    k = alpha.shape[0]
    beta, v = np.zeros(k), np.zeros(d)
    lik = 0.0
    for i in range(n):
        for c in range(k):
            s = 0.0
            for j in range(d):
                s += q[c, j]
                v[j] = x[i, j] - mu[c, j]
            for row in range(d):
                y = 0.0
                for column in range(row):
                    y += l[c, column * d - column * (column + 1) // 2 + row - column - 1] * v[column]
                y += math.exp(q[c, row]) * v[row]
                s -= 0.5 * y * y
            beta[c] = s + alpha[c]
        top = np.max(beta)
        total = 0.0
        for c in range(k):
            total += math.exp(beta[c] - top)
        lik += top + math.log(total)
    top = np.max(alpha)
    total = 0.0
    for c in range(k):
        total += math.exp(alpha[c] - top)
    lik -= n * (top + math.log(total))
    prior = 0.0
    for c in range(k):
        for j in range(d):
            prior += m * q[c, j] - 0.5 * gamma * gamma * math.exp(2.0 * q[c, j])
        for j in range(l.shape[1]):
            prior -= 0.5 * gamma * gamma * l[c, j] * l[c, j]
    return lik + prior


def sigmoid(z):
    return 1.0 / (1.0 + math.exp(-z))


def lstm(main, extra, state, sequence):
    """The loss of a diagonal LSTM (ADBench)."""
    layers, b = state.shape[0] // 2, state.shape[1]
    s, u = state.copy(), np.zeros(b)
    total = 0.0
    for t in range(sequence.shape[0] - 1):
        for i in range(b):
            u[i] = sequence[t, i] * extra[0, i]
        for j in range(layers):
            for i in range(b):
                f = sigmoid(u[i] * main[2 * j, i] + main[2 * j + 1, i])
                g = sigmoid(s[2 * j, i] * main[2 * j, b + i] + main[2 * j + 1, b + i])
                o = sigmoid(u[i] * main[2 * j, 2 * b + i] + main[2 * j + 1, 2 * b + i])
                a = math.tanh(s[2 * j, i] * main[2 * j, 3 * b + i] + main[2 * j + 1, 3 * b + i])
                s[2 * j + 1, i] = s[2 * j + 1, i] * f + g * a
                s[2 * j, i] = o * math.tanh(s[2 * j + 1, i])
                u[i] = s[2 * j, i]
        lse = 2.0
        for i in range(b):
            lse += math.exp(u[i] * extra[1, i] + extra[2, i])
        lse = math.log(lse)
        for i in range(b):
            total += sequence[t + 1, i] * (u[i] * extra[1, i] + extra[2, i] - lse)
    return -total / (b * (sequence.shape[0] - 1))
