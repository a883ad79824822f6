# ruff: noqa - programs as people write them
"""Learning and signals: layers, sequences, kernels, images, dynamic programs."""
import functools
import math

import numba as nb
import numpy as np
from numba import njit

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)
R = np.random.RandomState(5)


@njit
def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum()


@njit
def cross_entropy(logits, labels):
    loss = 0.0
    for i in range(logits.shape[0]):
        p = softmax(logits[i])
        loss -= np.log(p[labels[i]])
    return loss / logits.shape[0]


case(cross_entropy, R.randn(4, 3), np.array([0, 2, 1, 1]))


@njit
def logistic_loss(w, b, X, y, lam):
    z = X @ w + b
    loss = np.mean(np.log(1 + np.exp(-y * z)))
    return loss + 0.5 * lam * np.dot(w, w)


case(logistic_loss, R.randn(3), 0.1, R.randn(5, 3), np.array([1.0, -1.0, 1.0, 1.0, -1.0]), 0.01)


@njit
def mlp(x, W1, b1, W2, b2):
    h = np.maximum(0, x @ W1 + b1)
    out = np.tanh(h @ W2 + b2)
    return np.sum(out ** 2)


case(mlp, R.randn(4, 3), R.randn(3, 5), R.randn(5), R.randn(5, 2), R.randn(2))


@njit
def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


@njit
def lstm_cell(x, h, c, W, U, b):
    n = h.shape[0]
    z = W @ x + U @ h + b
    i = sigmoid(z[:n])
    f = sigmoid(z[n:2 * n])
    o = sigmoid(z[2 * n:3 * n])
    g = np.tanh(z[3 * n:])
    c = f * c + i * g
    h = o * np.tanh(c)
    return h, c


@njit
def lstm(xs, W, U, b):
    n = U.shape[1]
    h, c = np.zeros(n), np.zeros(n)
    for t in range(xs.shape[0]):
        h, c = lstm_cell(xs[t], h, c, W, U, b)
    return np.sum(h * h)


case(lstm, R.randn(3, 2), R.randn(12, 2), R.randn(12, 3), R.randn(12))


@njit
def gru_loops(xs, Wz, Wr, Wh):
    h = np.zeros(Wz.shape[0])
    for x in xs:
        xh = np.concatenate((np.array([x]), h))
        z = sigmoid(np.dot(Wz, xh))
        r = sigmoid(np.dot(Wr, xh))
        xrh = np.concatenate((np.array([x]), r * h))
        h = (1 - z) * h + z * np.tanh(np.dot(Wh, xrh))
    return h.sum()


case(gru_loops, R.randn(3), R.randn(2, 3), R.randn(2, 3), R.randn(2, 3))


@njit
def conv2d(img, ker):
    H, W = img.shape
    kh, kw = ker.shape
    out = np.zeros((H - kh + 1, W - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            s = 0.0
            for a in range(kh):
                for b in range(kw):
                    s += img[i + a, j + b] * ker[a, b]
            out[i, j] = max(s, 0.0)
    return out.sum()


case(conv2d, R.rand(5, 6), R.rand(3, 2))


@njit
def conv_slices(img, ker):
    H, W = img.shape
    kh, kw = ker.shape
    out = np.empty((H - kh + 1, W - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(img[i:i + kh, j:j + kw] * ker)
    return np.sum(np.tanh(out))


case(conv_slices, R.randn(5, 4), R.randn(2, 3))


@njit
def maxpool(x, k):
    n = x.shape[0] // k
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            m = -np.inf
            for a in range(k):
                for b in range(k):
                    v = x[i * k + a, j * k + b]
                    if v > m:
                        m = v
            out[i, j] = m
    return np.sum(out ** 2)


case(maxpool, R.randn(4, 4), 2)


@njit
def hmm_forward(obs, pi, A, B):
    alpha = pi * B[:, obs[0]]
    ll = 0.0
    for t in range(1, len(obs)):
        s = np.sum(alpha)
        ll += np.log(s)
        alpha = (alpha / s) @ A * B[:, obs[t]]
    return ll + np.log(np.sum(alpha))


case(hmm_forward, np.array([0, 1, 1, 0]), np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.2, 0.8]]),
     np.array([[0.9, 0.1], [0.3, 0.7]]))


@njit
def logsumexp(a):
    m = a.max()
    return m + np.log(np.sum(np.exp(a - m)))


@njit
def hmm_log_loops(obs, log_pi, log_A, log_B):
    K = log_pi.shape[0]
    T = obs.shape[0]
    la = np.full((T, K), -np.inf)
    tmp = np.empty(K)
    for k in range(K):
        la[0, k] = log_pi[k] + log_B[k, obs[0]]
    for t in range(1, T):
        for k in range(K):
            for j in range(K):
                tmp[j] = la[t - 1, j] + log_A[j, k]
            la[t, k] = logsumexp(tmp) + log_B[k, obs[t]]
    return logsumexp(la[T - 1])


case(hmm_log_loops, np.array([0, 1, 1]), np.log(np.array([0.6, 0.4])), np.log(np.array([[0.7, 0.3], [0.2, 0.8]])),
     np.log(np.array([[0.9, 0.1], [0.3, 0.7]])))


@njit
def dtw(a, b):
    n, m = len(a), len(b)
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (a[i - 1] - b[j - 1]) ** 2
            D[i, j] = cost + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return math.sqrt(D[n, m])


case(dtw, R.randn(4), R.randn(5))


@njit
def softmin3(a, b, c, gamma):
    a /= -gamma
    b /= -gamma
    c /= -gamma
    max_val = max(max(a, b), c)
    tmp = 0
    tmp += np.exp(a - max_val)
    tmp += np.exp(b - max_val)
    tmp += np.exp(c - max_val)
    return -gamma * (np.log(tmp) + max_val)


@njit
def soft_dtw(D, gamma):
    m, n = D.shape
    R = np.zeros((m + 1, n + 1))
    R[:, :] = 1e10
    R[0, 0] = 0
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            R[i, j] = D[i - 1, j - 1] + softmin3(R[i - 1, j], R[i - 1, j - 1], R[i, j - 1], gamma)
    return R[m, n]


case(soft_dtw, R.rand(3, 4), 0.5, wrt=[(0,)])


@njit
def edit_distance_soft(cost, ins, dele):
    n, m = cost.shape
    prev = np.arange(m + 1) * ins
    for i in range(n):
        cur = np.empty(m + 1)
        cur[0] = (i + 1) * dele
        for j in range(m):
            cur[j + 1] = min(prev[j + 1] + dele, cur[j] + ins, prev[j] + cost[i, j])
        prev = cur
    return prev[m]


case(edit_distance_soft, R.rand(3, 4), 0.71, 0.63)


@njit
def viterbi_score(emit, trans):
    T, K = emit.shape
    v = emit[0].copy()
    back = np.zeros((T, K), dtype=np.int64)
    for t in range(1, T):
        new = np.zeros(K)
        for k in range(K):
            scores = v + trans[:, k]
            best = np.argmax(scores)
            back[t, k] = best
            new[k] = scores[best] + emit[t, k]
        v = new
    return v.max() + 0.0 * back.sum()


case(viterbi_score, R.randn(4, 3), R.randn(3, 3))


@njit
def rbf_kernel(X, ell, sf):
    n, d = X.shape
    K = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(d):
                diff = X[i, k] - X[j, k]
                s += diff * diff
            K[i, j] = sf ** 2 * np.exp(-0.5 * s / ell ** 2)
    return K


@njit
def gp_nll(X, y, ell, sf, noise):
    K = rbf_kernel(X, ell, sf) + noise ** 2 * np.eye(X.shape[0])
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return 0.5 * y @ alpha + np.sum(np.log(np.diag(L))) + 0.5 * len(y) * np.log(2 * np.pi)


case(gp_nll, R.randn(4, 2), R.randn(4), 0.9, 1.1, 0.3)


@njit
def soft_knn(train, labels, query, tau):
    d = np.empty(train.shape[0])
    for i in range(train.shape[0]):
        d[i] = np.linalg.norm(train[i] - query)
    w = np.exp(-d / tau)
    w /= np.sum(w)
    return np.dot(w, labels)


case(soft_knn, R.randn(5, 2), R.randn(5), R.randn(2), 0.7)


@njit
def kmeans_objective(X, C):
    total = 0.0
    for x in X:
        best = np.inf
        for c in C:
            d = 0.0
            for k in range(len(c)):
                d += (x[k] - c[k]) ** 2
            if d < best:
                best = d
        total += best
    return total / len(X)


case(kmeans_objective, R.randn(6, 2), R.randn(3, 2))


@njit
def pairwise(X):
    M = X.shape[0]
    N = X.shape[1]
    D = np.empty((M, M), dtype=np.float64)
    for i in range(M):
        for j in range(M):
            d = 0.0
            for k in range(N):
                tmp = X[i, k] - X[j, k]
                d += tmp * tmp
            D[i, j] = np.sqrt(d + 1e-3)
    return D.sum()


case(pairwise, R.randn(4, 3))


@njit
def fft_rec(re, im):
    n = len(re)
    if n == 1:
        return re.copy(), im.copy()
    er, ei = fft_rec(re[::2], im[::2])
    orr, oi = fft_rec(re[1::2], im[1::2])
    outr, outi = np.empty(n), np.empty(n)
    for k in range(n // 2):
        c, s = np.cos(-2 * np.pi * k / n), np.sin(-2 * np.pi * k / n)
        tr, ti = c * orr[k] - s * oi[k], c * oi[k] + s * orr[k]
        outr[k], outi[k] = er[k] + tr, ei[k] + ti
        outr[k + n // 2], outi[k + n // 2] = er[k] - tr, ei[k] - ti
    return outr, outi


@njit
def spectral_power(x):
    r, i = fft_rec(x, np.zeros_like(x))
    return np.sum((r * r + i * i)[1:3])


case(spectral_power, R.randn(8))


@njit
def fft_iterative(x):
    n = x.shape[0]
    X = np.empty(n, dtype=np.complex128)
    bits = 0
    while (1 << bits) < n:
        bits += 1
    for i in range(n):
        j, k = 0, i
        for b in range(bits):
            j = (j << 1) | (k & 1)
            k >>= 1
        X[j] = x[i]
    size = 2
    while size <= n:
        half = size // 2
        for start in range(0, n, size):
            for k in range(half):
                w = np.exp(-2j * np.pi * k / size)
                a, b = X[start + k], w * X[start + k + half]
                X[start + k] = a + b
                X[start + k + half] = a - b
        size *= 2
    return np.abs(X[1]) + np.abs(X[2]) ** 2


case(fft_iterative, R.randn(8))


@njit
def dft_naive(x):
    N = x.size
    total = 0.0
    for k in range(N):
        acc = 0j
        for n in range(N):
            acc += x[n] * np.exp(-2j * np.pi * k * n / N)
        total += (k + 1) * (acc.real ** 2 + acc.imag ** 2)
    return total


case(dft_naive, R.randn(5))


@njit
def iir(x, b, a):
    y = np.zeros_like(x)
    for n in range(x.size):
        acc = 0.0
        for k in range(b.size):
            if n - k >= 0:
                acc += b[k] * x[n - k]
        for k in range(1, a.size):
            if n - k >= 0:
                acc -= a[k] * y[n - k]
        y[n] = acc / a[0]
    return np.sum(y ** 2)


case(iir, R.randn(7), np.array([0.3, 0.2, 0.1]), np.array([1.1, -0.4, 0.2]))


@njit
def ewma(x, alpha):
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, x.shape[0]):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return np.std(out) + np.var(x - out)


case(ewma, R.randn(6), 0.3)


@njit
def garch(r, omega, alpha, beta):
    s2 = r.var()
    ll = 0.0
    for t in range(1, len(r)):
        s2 = omega + alpha * r[t - 1] ** 2 + beta * s2
        ll += math.log(s2) + r[t] ** 2 / s2
    return 0.5 * ll


case(garch, R.randn(7), 0.1, 0.15, 0.7)


@njit
def bilinear(img, y, x):
    y0, x0 = int(math.floor(y)), int(math.floor(x))
    fy, fx = y - y0, x - x0
    top = img[y0, x0] * (1 - fx) + img[y0, x0 + 1] * fx
    bot = img[y0 + 1, x0] * (1 - fx) + img[y0 + 1, x0 + 1] * fx
    return top * (1 - fy) + bot * fy


@njit
def warp_loss(img, ref, dy, dx):
    s = 0.0
    for i in range(1, img.shape[0] - 2):
        for j in range(1, img.shape[1] - 2):
            s += (bilinear(img, i + dy, j + dx) - ref[i, j]) ** 2
    return s


case(warp_loss, R.rand(6, 6), R.rand(6, 6), 0.3, -0.4)


@njit
def natural_spline_eval(x, y, q):
    n = len(x)
    h = np.diff(x)
    m = np.zeros(n)
    A = np.zeros((n, n))
    rhs = np.zeros(n)
    A[0, 0] = A[n - 1, n - 1] = 1.0
    for i in range(1, n - 1):
        A[i, i - 1], A[i, i], A[i, i + 1] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
        rhs[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
    m = np.linalg.solve(A, rhs)
    k = 0
    while k < n - 2 and q > x[k + 1]:
        k += 1
    a, b = (x[k + 1] - q) / h[k], (q - x[k]) / h[k]
    return a * y[k] + b * y[k + 1] + ((a ** 3 - a) * m[k] + (b ** 3 - b) * m[k + 1]) * h[k] ** 2 / 6


case(natural_spline_eval, np.array([0.0, 1.0, 1.7, 3.0]), R.randn(4), 1.3)


@njit
def linear_interp(xp, fp, x):
    out = 0.0
    for v in x:
        idx = np.searchsorted(xp, v) - 1
        w = (v - xp[idx]) / (xp[idx + 1] - xp[idx])
        out += (1 - w) * fp[idx] + w * fp[idx + 1]
    return out


case(linear_interp, np.array([0.0, 1.0, 2.0, 3.0]), R.randn(4), np.array([0.4, 2.2, 1.7]))


@njit
def attention(Q, K, V):
    n, d = Q.shape
    S = Q @ K.T / math.sqrt(d)
    out = np.zeros_like(V)
    for i in range(n):
        row = S[i] - S[i].max()
        w = np.exp(row)
        w = w / w.sum()
        for j in range(K.shape[0]):
            out[i] += w[j] * V[j]
    return (out ** 2).sum()


case(attention, R.randn(3, 2), R.randn(4, 2), R.randn(4, 2)[:3].copy() if False else R.randn(4, 2))


@njit
def layernorm(x, g, b, eps=1e-5):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        mu = x[i].mean()
        var = ((x[i] - mu) ** 2).mean()
        out[i] = (x[i] - mu) / np.sqrt(var + eps) * g + b
    return np.sum(out ** 3)


case(layernorm, R.randn(3, 4), R.randn(4), R.randn(4))


@njit
def sgd_linear(w0, X, y, lr, epochs):
    w = w0.copy()
    for e in range(epochs):
        for i in range(X.shape[0]):
            err = np.dot(X[i], w) - y[i]
            w -= lr * err * X[i]
    r = X @ w - y
    return (r * r).sum()


case(sgd_linear, R.randn(3), R.randn(4, 3), R.randn(4), 0.05, 2)


@njit
def gumbel_score(theta, u):
    g = -np.log(-np.log(u))
    z = (theta + g) / 0.5
    p = np.exp(z) / np.sum(np.exp(z))
    return (p * np.arange(len(theta))).sum()


case(gumbel_score, R.randn(4), R.rand(4), wrt=[(0,)])


@njit
def ctc_like(probs, labels):
    T, C = probs.shape
    L = len(labels)
    alpha = np.zeros((T, L))
    alpha[0, 0] = probs[0, labels[0]]
    for t in range(1, T):
        for s in range(L):
            a = alpha[t - 1, s]
            if s > 0:
                a = a + alpha[t - 1, s - 1]
            alpha[t, s] = a * probs[t, labels[s]]
    return -np.log(alpha[-1, -1])


case(ctc_like, R.rand(4, 3) + 0.1, np.array([1, 2]))
