"""Solvers and transforms as textbooks give them."""
import math

import numpy as np

from tests.corpora.kernels.kernels_linear import matrix, positive
from tests.tools.registry import program


def thomas(a, b, c, d):
    """Solve a tridiagonal system; b and d are overwritten."""
    n = len(d)
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    x = np.empty(n)
    x[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (d[i] - c[i] * x[i + 1]) / b[i]
    return x


@program('Thomas solver', matrix(4), matrix(5) + 2, matrix(4, seed=1), matrix(5, seed=1))
def thomas_loss(a, b, c, d):
    return np.sum(thomas(a, b, c, d) ** 2)


def stockham(x):
    """The FFT of a power of two, between two buffers."""
    n = len(x)
    u, v = x.astype(complex), np.empty(n, dtype=complex)
    m, stride = n, 1
    while m > 1:
        half = m // 2
        for p in range(half):
            w = np.exp(-2j * np.pi * p / m)
            for q in range(stride):
                a = u[q + stride * p]
                b = u[q + stride * (p + half)]
                v[q + stride * 2 * p] = a + b
                v[q + stride * (2 * p + 1)] = (a - b) * w
        u, v = v, u
        m, stride = half, stride * 2
    return u


@program('FFT', matrix(8))
def fft_loss(x):
    y = stockham(x)
    return np.sum(np.abs(y) ** 2 * np.arange(8)) / 8


def recursive_fft(x):
    n = len(x)
    if n == 1:
        return x
    even, odd = recursive_fft(x[::2]), recursive_fft(x[1::2])
    t = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + t, even - t])


@program('FFT', matrix(8))
def recursive_fft_loss(x):
    y = recursive_fft(x * (1 + 0j))
    return np.sum(np.real(y * np.conj(y)) * np.arange(8)) / 8


def histogram(x, weights, bins):
    h = np.zeros(bins)
    k = np.minimum((x * bins).astype(int), bins - 1)
    np.add.at(h, k, weights)
    return h


@program('histogram', matrix(7) * 0.8, matrix(7, seed=1), 3, wrt=(1,))
def histogram_loss(x, weights, bins):
    return np.sum(histogram(x, weights, bins) ** 2)


def conjugate_gradients(A, b, steps):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for _ in range(steps):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        p = r + (new / rs) * p
        rs = new
    return x


@program('conjugate gradients', positive(), matrix(4))
def conjugate_gradients_loss(A, b):
    return np.sum(conjugate_gradients(A, b, 3) ** 2)


def gauss_seidel(A, b, x, sweeps):
    for _ in range(sweeps):
        for i in range(len(b)):
            x[i] = (b[i] - A[i, :i] @ x[:i] - A[i, i + 1:] @ x[i + 1:]) / A[i, i]


@program('Gauss-Seidel', positive(), matrix(4))
def gauss_seidel_loss(A, b):
    x = np.zeros(4)
    gauss_seidel(A, b, x, 3)
    return x @ x


def gauss_jordan(A):
    n = len(A)
    M = np.hstack([A, np.eye(n)])
    for i in range(n):
        pivot = i + np.argmax(np.abs(M[i:, i]))
        if pivot != i:
            M[[i, pivot]] = M[[pivot, i]]
        M[i] /= M[i, i]
        for j in range(n):
            if j != i:
                M[j] -= M[j, i] * M[i]
    return M[:, n:]


@program('Gauss-Jordan', np.array([[0.1, 2.0, 0.3], [1.5, 0.2, 0.4], [0.3, 0.8, 1.9]]))
def gauss_jordan_loss(A):
    return np.sum(gauss_jordan(A) ** 2)


def givens_qr(A):
    R = A.copy()
    for j in range(R.shape[1]):
        for i in range(R.shape[0] - 1, j, -1):
            r = math.hypot(R[i - 1, j], R[i, j])
            c, s = R[i - 1, j] / r, -R[i, j] / r
            R[i - 1], R[i] = c * R[i - 1] - s * R[i], s * R[i - 1] + c * R[i]
    return R


@program('Givens', matrix(4, 3) + np.eye(4, 3))
def givens_loss(A):
    R = givens_qr(A)
    return np.sum(R[:3] ** 2 * np.arange(1, 4))


def power_iteration(A, steps):
    v = np.ones(len(A))
    for _ in range(steps):
        v = A @ v
        v /= np.linalg.norm(v)
    return v @ A @ v


@program('power iteration', positive())
def power_iteration_loss(A):
    return power_iteration(A, 5)


def householder(A):
    R = A.astype(float)
    for k in range(R.shape[1]):
        v = R[k:, k].copy()
        v[0] += np.sign(v[0]) * np.linalg.norm(v)
        v /= np.linalg.norm(v)
        R[k:, k:] -= 2 * np.outer(v, v @ R[k:, k:])
    return np.triu(R)


@program('Householder', matrix(4, 3) + np.eye(4, 3))
def householder_loss(A):
    return np.sum(householder(A)[:3] * np.arange(9.0).reshape(3, 3))


def dynamic_time_warping(a, b):
    n, m = len(a), len(b)
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            D[i, j] = abs(a[i - 1] - b[j - 1]) + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, m]


@program('dynamic programming', matrix(4), matrix(5, seed=3))
def dtw_loss(a, b):
    return dynamic_time_warping(a, b) ** 2


def viterbi(scores, transition):
    T, K = scores.shape
    best = np.zeros((T, K))
    best[0] = scores[0]
    for t in range(1, T):
        for k in range(K):
            best[t, k] = scores[t, k] + np.max(best[t - 1] + transition[:, k])
    return np.max(best[-1])


@program('dynamic programming', matrix(4, 3), matrix(3, 3))
def viterbi_loss(scores, transition):
    return viterbi(scores, transition)


def forward_algorithm(logits, transition):
    alpha = logits[0]
    for t in range(1, len(logits)):
        m = alpha[:, None] + transition
        top = m.max(axis=0)
        alpha = logits[t] + top + np.log(np.sum(np.exp(m - top), axis=0))
    return np.log(np.sum(np.exp(alpha)))


@program('dynamic programming', matrix(4, 3), matrix(3, 3))
def crf_loss(logits, transition):
    return forward_algorithm(logits, transition)


def runge_kutta(f, y, h, steps):
    for _ in range(steps):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@program('Runge-Kutta', np.array([1.0, 0.5]), 1.1, 0.4)
def lotka_volterra(y, alpha, beta):
    def rate(state):
        prey, hunters = state
        return np.array([alpha * prey - beta * prey * hunters, 0.1 * prey * hunters - 0.4 * hunters])
    return np.sum(runge_kutta(rate, y, 0.1, 4))


def cubic_spline_second_derivatives(x, y):
    n = len(x)
    u, y2 = np.zeros(n), np.zeros(n)
    for i in range(1, n - 1):
        sig = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1])
        p = sig * y2[i - 1] + 2.0
        y2[i] = (sig - 1.0) / p
        u[i] = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1])
        u[i] = (6.0 * u[i] / (x[i + 1] - x[i - 1]) - sig * u[i - 1]) / p
    for k in range(n - 2, -1, -1):
        y2[k] = y2[k] * y2[k + 1] + u[k]
    return y2


@program('spline', np.array([0.0, 0.4, 1.1, 1.5, 2.3]), matrix(5))
def spline_loss(x, y):
    return np.sum(cubic_spline_second_derivatives(x, y) ** 2)
