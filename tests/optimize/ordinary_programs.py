"""Programs as people write them, without a thought of derivatives: (function, with respect to what, arguments)."""
# ruff: noqa: B007
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

R = np.random.default_rng(0)


@dataclass
class Params:
    w: np.ndarray
    b: float = 0.0


class State(NamedTuple):
    x: float
    v: float


class Layer:
    def __init__(self, w, b):
        self.w, self.b = w, b
    def __call__(self, x):
        return np.tanh(self.w @ x + self.b)


class Model:
    def __init__(self, layers):
        self.layers = layers
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return np.sum(x ** 2)


def predict(p: Params, x):
    return p.w @ x + p.b


def mse(p: Params, xs, ys):
    total = 0.0
    for x, y in zip(xs, ys):
        r = predict(p, x) - y
        total += r ** 2
    return total / len(xs)


def simulate(k, steps=20, dt=0.1):
    s = State(1.0, 0.0)
    for _ in range(steps):
        a = -k * s.x
        s = State(s.x + dt * s.v, s.v + dt * a)
    return s.x


def loglik(theta, data):
    mu, sigma = theta
    n = len(data)
    z = (data - mu) / sigma
    return -0.5 * np.sum(z ** 2) - n * math.log(sigma) - 0.5 * n * math.log(2 * math.pi)


def garch(params, r):
    omega, alpha, beta = params
    h = np.empty(len(r))
    h[0] = np.var(r)
    for t in range(1, len(r)):
        h[t] = omega + alpha * r[t - 1] ** 2 + beta * h[t - 1]
    return 0.5 * np.sum(np.log(h) + r ** 2 / h)


def attention(q, k, v):
    s = q @ k.T / np.sqrt(q.shape[-1])
    s = s - s.max(axis=-1, keepdims=True)
    e = np.exp(s)
    a = e / e.sum(axis=-1, keepdims=True)
    return np.sum(a @ v)


def heat(u, alpha, steps):
    """Explicit heat equation."""
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += alpha * (u[2:] - 2 * u[1:-1] + u[:-2])   # interior only
    return np.sum(u ** 2)


def ridge(w, x, y, lam=0.1):
    # residuals
    r = x @ w - y
    return r @ r + lam * w @ w


def kalman(q, r, zs):
    m, p = 0.0, 1.0
    ll = 0.0
    for z in zs:
        p = p + q
        s = p + r
        ll -= 0.5 * (math.log(2 * math.pi * s) + (z - m) ** 2 / s)
        g = p / s
        m += g * (z - m)
        p *= 1 - g
    return ll


def huber(x, delta=1.0):
    a = np.abs(x)
    return np.sum(np.where(a <= delta, 0.5 * x ** 2, delta * (a - 0.5 * delta)))


def bezier(pts, t):
    pts = list(pts)
    while len(pts) > 1:
        pts = [(1 - t) * a + t * b for a, b in zip(pts[:-1], pts[1:])]
    return pts[0]


def poly(cs, x):
    y = 0.0
    for c in reversed(cs):
        y = y * x + c
    return y


def mlp(params, x, y):
    h = x
    for w, b in params[:-1]:
        h = np.maximum(h @ w + b, 0)
    w, b = params[-1]
    o = h @ w + b
    return np.mean((o - y) ** 2)


CASES = [
 (mse, 'p', (Params(R.normal(size=3), 0.5), R.normal(size=(4,3)), R.normal(size=4))),
 (simulate, 'k', (1.3,)),
 (loglik, 'theta', ((0.1, 1.2), R.normal(size=5))),
 (garch, 'params', (np.array([0.1,0.2,0.5]), R.normal(size=6))),
 (attention, ('q','k','v'), (R.normal(size=(3,4)), R.normal(size=(5,4)), R.normal(size=(5,2)))),
 (heat, ('u','alpha'), (R.normal(size=8), 0.1, 3)),
 (ridge, 'w', (R.normal(size=3), R.normal(size=(5,3)), R.normal(size=5))),
 (kalman, ('q','r'), (0.1, 0.2, R.normal(size=5))),
 (huber, 'x', (R.normal(size=5),)),
 (bezier, 'pts', (R.normal(size=4), 0.3)),
 (poly, ('cs','x'), ([1.,2.,3.], 0.7)),
 (mlp, 'params', ([(R.normal(size=(3,4)), R.normal(size=4)), (R.normal(size=(4,1)), R.normal(size=1))], R.normal(size=(5,3)), R.normal(size=(5,1)))),
 (Model.forward, 'self', (Model([Layer(R.normal(size=(3,3)), R.normal(size=3)), Layer(R.normal(size=(2,3)), R.normal(size=2))]), R.normal(size=3))),
]


def softmax_ce(w, x, y):
    z = x @ w
    z = z - z.max(axis=1, keepdims=True)
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    return -np.mean(np.log(p[np.arange(len(y)), y]))


def pid(kp, ki, kd, target=1.0, n=20):
    x = 0.0
    integral = 0.0
    prev = target - x
    cost = 0.0
    for _ in range(n):
        err = target - x
        integral += err * 0.1
        deriv = (err - prev) / 0.1
        u = kp * err + ki * integral + kd * deriv
        x += 0.1 * u
        prev = err
        cost += err ** 2
    return cost


def portfolio(w, mu, cov, gamma=2.0):
    w = w / np.sum(w)
    ret = w @ mu
    risk = np.sqrt(w @ cov @ w)
    return ret - gamma * risk


def bs_greeks(s, k, t, r, v):
    d1 = (np.log(s / k) + (r + 0.5 * v * v) * t) / (v * np.sqrt(t))
    d2 = d1 - v * np.sqrt(t)
    nd = lambda x: 0.5 * (1 + math.erf(x / math.sqrt(2)))
    return s * nd(d1) - k * np.exp(-r * t) * nd(d2)


def logistic_map(r, x0, n=10):
    xs = [x0]
    for _ in range(n):
        xs.append(r * xs[-1] * (1 - xs[-1]))
    return sum(xs) / len(xs)


def convolve1d(x, k):
    n, m = len(x), len(k)
    out = np.zeros(n - m + 1)
    for i in range(n - m + 1):
        out[i] = np.sum(x[i:i + m] * k)
    return np.sum(out ** 2)


def rotation(theta, pts):
    c, s = np.cos(theta), np.sin(theta)
    rot = np.array([[c, -s], [s, c]])
    q = pts @ rot.T
    return np.sum(q[:, 0] ** 2)


def kepler(M, e, n=8):
    E = M
    for _ in range(n):
        E = E - (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
    return E


def trapz(f_vals, dx):
    total = 0.5 * (f_vals[0] + f_vals[-1])
    for v in f_vals[1:-1]:
        total += v
    return total * dx


def gmm_em_ll(means, logvars, x):
    ll = 0.0
    for xi in x:
        terms = []
        for m, lv in zip(means, logvars):
            terms.append(-0.5 * ((xi - m) ** 2 / np.exp(lv) + lv))
        mx = max(terms)
        ll += mx + np.log(sum(np.exp(t - mx) for t in terms))
    return ll


def batchnorm(x, gamma, beta, eps=1e-5):
    mu = x.mean(axis=0)
    var = x.var(axis=0)
    xn = (x - mu) / np.sqrt(var + eps)
    return np.sum(np.tanh(gamma * xn + beta))


def lstm_cell(params, h, c, x):
    wf, wi, wo, wc = params['f'], params['i'], params['o'], params['c']
    z = np.concatenate([h, x])
    sig = lambda a: 1 / (1 + np.exp(-a))
    f = sig(wf @ z)
    i = sig(wi @ z)
    o = sig(wo @ z)
    c = f * c + i * np.tanh(wc @ z)
    h = o * np.tanh(c)
    return np.sum(h)


def poisson_nll(beta, X, y):
    eta = X @ beta
    return np.sum(np.exp(eta) - y * eta)


def quat_mul(q, r):
    w0, x0, y0, z0 = q
    w1, x1, y1, z1 = r
    return np.array([w0*w1 - x0*x1 - y0*y1 - z0*z1,
                     w0*x1 + x0*w1 + y0*z1 - z0*y1,
                     w0*y1 - x0*z1 + y0*w1 + z0*x1,
                     w0*z1 + x0*y1 - y0*x1 + z0*w1])


def quat_cost(q, r):
    p = quat_mul(q, r)
    return p[0] ** 2 + 2 * p[3]


def nbody(pos, vel, mass, dt=0.01, steps=3):
    for _ in range(steps):
        acc = np.zeros_like(pos)
        for i in range(len(mass)):
            for j in range(len(mass)):
                if i != j:
                    d = pos[j] - pos[i]
                    acc[i] += mass[j] * d / (np.sum(d ** 2) + 0.1) ** 1.5
        vel = vel + dt * acc
        pos = pos + dt * vel
    return 0.5 * np.sum(mass[:, None] * vel ** 2)


def sdf(p, c, r):
    d = np.linalg.norm(p - c)
    return max(d - r, 0.0) ** 2


def elastic_net(w, X, y, l1=0.1, l2=0.2):
    r = y - X @ w
    return 0.5 * np.mean(r ** 2) + l1 * np.sum(np.abs(w)) + 0.5 * l2 * np.sum(w ** 2)


def adam_step(w, g, m, v, t=1, lr=1e-3, b1=0.9, b2=0.999):
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * g ** 2
    mh = m / (1 - b1 ** t)
    vh = v / (1 - b2 ** t)
    return np.sum(w - lr * mh / (np.sqrt(vh) + 1e-8))


def interp_table(xs, ys, x):
    for i in range(len(xs) - 1):
        if xs[i] <= x <= xs[i + 1]:
            t = (x - xs[i]) / (xs[i + 1] - xs[i])
            return (1 - t) * ys[i] + t * ys[i + 1]
    return ys[-1]


def ar2(phi, x):
    e = 0.0
    for t in range(2, len(x)):
        pred = phi[0] * x[t - 1] + phi[1] * x[t - 2]
        e += (x[t] - pred) ** 2
    return e / (len(x) - 2)


def stress(F, mu, lam):
    J = np.linalg.det(F)
    C = F.T @ F
    return 0.5 * mu * (np.trace(C) - 3) - mu * np.log(J) + 0.5 * lam * np.log(J) ** 2


def pairwise(X):
    d = X[:, None, :] - X[None, :, :]
    r2 = np.sum(d ** 2, axis=-1)
    return np.sum(np.exp(-r2))


def maxpool(x):
    n = len(x) // 2
    out = []
    for i in range(n):
        out.append(max(x[2 * i], x[2 * i + 1]))
    return sum(o ** 2 for o in out)


def ema(x, alpha):
    s = x[0]
    out = [s]
    for v in x[1:]:
        s = alpha * v + (1 - alpha) * s
        out.append(s)
    return np.sum(np.array(out) ** 2)


F = R.normal(size=(3, 3)) * 0.1 + np.eye(3)


CASES += [
 (softmax_ce, 'w', (R.normal(size=(4, 3)), R.normal(size=(6, 4)), R.integers(0, 3, 6))),
 (pid, ('kp', 'ki', 'kd'), (1.0, 0.1, 0.05)),
 (portfolio, 'w', (R.random(5), R.random(5), np.eye(5))),
 (bs_greeks, ('s', 'v'), (100.0, 95.0, 1.0, 0.02, 0.3)),
 (logistic_map, ('r', 'x0'), (3.1, 0.4)),
 (convolve1d, ('x', 'k'), (R.normal(size=9), R.normal(size=3))),
 (rotation, 'theta', (0.3, R.normal(size=(6, 2)))),
 (kepler, ('M', 'e'), (0.7, 0.2)),
 (trapz, 'f_vals', (R.normal(size=7), 0.1)),
 (gmm_em_ll, ('means', 'logvars'), (R.normal(size=3), R.normal(size=3), R.normal(size=6))),
 (batchnorm, ('x', 'gamma', 'beta'), (R.normal(size=(7, 5)), R.normal(size=5), R.normal(size=5))),
 (lstm_cell, 'params', ({k: R.normal(size=(5, 8)) for k in 'fioc'}, R.normal(size=5), R.normal(size=5), R.normal(size=3))),
 (poisson_nll, 'beta', (R.normal(size=3), R.normal(size=(6, 3)), R.normal(size=6))),
 (quat_cost, 'q', (R.normal(size=4), R.normal(size=4))),
 (nbody, ('pos', 'vel'), (R.normal(size=(5, 3)), R.normal(size=(5, 3)), R.random(5))),
 (sdf, ('p', 'c', 'r'), (R.normal(size=3), R.normal(size=3), 0.2)),
 (elastic_net, 'w', (R.normal(size=3), R.normal(size=(6, 3)), R.normal(size=6))),
 (adam_step, ('w', 'g'), (R.normal(size=5), R.normal(size=5), R.normal(size=5), R.random(5))),
 (interp_table, ('ys', 'x'), (np.arange(5.), R.normal(size=5), 2.3)),
 (ar2, 'phi', (np.array([0.3, 0.2]), R.normal(size=8))),
 (stress, 'F', (F, 1.2, 0.7)),
 (pairwise, 'X', (R.normal(size=(6, 2)),)),
 (maxpool, 'x', (R.normal(size=6),)),
 (ema, ('x', 'alpha'), (R.normal(size=7), 0.3)),
]



def train(params, data, lr=0.1, steps=3):
    w, b = params
    x, y = data
    for _ in range(steps):
        r = w * x + b - y
        gw = 2 * np.mean(r * x)
        gb = 2 * np.mean(r)
        w = w - lr * gw
        b = b - lr * gb
    return np.mean((w * x + b - y) ** 2)


def dict_net(params, x):
    h = x
    for name in ('l1', 'l2'):
        h = np.tanh(h @ params[name]['w'] + params[name]['b'])
    return np.sum(h)


def newton(a, tol=1e-10):
    x = a / 2
    while abs(x * x - a) > tol:
        x = 0.5 * (x + a / x)
    return x


def make_kernel(length):
    def kernel(a, b):
        d = a - b
        return np.exp(-0.5 * np.sum(d * d) / length ** 2)
    return kernel


def gram(length, xs):
    k = make_kernel(length)
    n = len(xs)
    K = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            K[i, j] = k(xs[i], xs[j])
    return np.sum(np.log(np.linalg.eigvalsh(K + np.eye(n))))


def cumret(r):
    w = np.cumprod(1 + r)
    peak = np.maximum.accumulate(w)
    dd = (peak - w) / peak
    return np.max(dd) + np.log(w[-1])


def viterbi(logits, trans):
    v = logits[0]
    for t in range(1, len(logits)):
        s = v[:, None] + trans
        m = s.max(axis=0)
        v = logits[t] + m + np.log(np.exp(s - m).sum(axis=0))
    return np.log(np.sum(np.exp(v)))


def spectral(x, w):
    f = np.fft.rfft(x * w)
    p = np.abs(f) ** 2
    return np.sum(p[1:4]) / np.sum(p)


def rk4(y0, k, n=5, h=0.1):
    def f(y):
        return -k * y + np.sin(y)
    y = y0
    for _ in range(n):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.sum(y)


def knn_soft(q, X, y, temp=0.5):
    d = np.sqrt(np.sum((X - q) ** 2, axis=1))
    w = np.exp(-d / temp)
    w /= w.sum()
    return w @ y


def triplet(a, p, n, margin=0.2):
    dp = np.linalg.norm(a - p, axis=1)
    dn = np.linalg.norm(a - n, axis=1)
    return np.mean(np.maximum(dp - dn + margin, 0.0))


def arm(theta, lengths):
    x = y = 0.0
    angle = 0.0
    for t, l in zip(theta, lengths):
        angle += t
        x += l * np.cos(angle)
        y += l * np.sin(angle)
    return (x - 1.0) ** 2 + (y - 0.5) ** 2


def catenary(a, xs):
    return np.sum((a * np.cosh(xs / a) - a) ** 2)


def beam(E, I, q, L, xs):
    w = q * xs ** 2 / (24 * E * I) * (6 * L ** 2 - 4 * L * xs + xs ** 2)
    return np.max(w)


def moving_average(x, k):
    c = np.cumsum(np.concatenate([[0.0], x]))
    m = (c[k:] - c[:-k]) / k
    return np.var(m)


def cosine_sim(A, B):
    An = A / np.linalg.norm(A, axis=1, keepdims=True)
    Bn = B / np.linalg.norm(B, axis=1, keepdims=True)
    return np.mean(An @ Bn.T)


def logsumexp(x):
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))


def mixture_density(params, x):
    total = 0.0
    for p in params:
        z = (x - p['mu']) / p['sigma']
        total = total + p['w'] * np.exp(-0.5 * z * z) / (p['sigma'] * np.sqrt(2 * np.pi))
    return np.sum(np.log(total))


def power_flow(V, theta, Y):
    P = np.zeros(len(V))
    for i in range(len(V)):
        for j in range(len(V)):
            P[i] += V[i] * V[j] * Y[i, j] * np.cos(theta[i] - theta[j])
    return np.sum(P ** 2)


def sir(beta, gamma, n=10, dt=0.5):
    s, i, r = 0.99, 0.01, 0.0
    peak = 0.0
    for _ in range(n):
        new = beta * s * i
        rec = gamma * i
        s, i, r = s - dt * new, i + dt * (new - rec), r + dt * rec
        peak = max(peak, i)
    return peak


def tree_value(node, x):
    if node is None:
        return 0.0
    left, w, right = node
    return w * x + tree_value(left, x * 0.5) + tree_value(right, x * x)


def hinge(w, b, X, y):
    m = y * (X @ w + b)
    loss = np.where(m < 1, 1 - m, 0)
    return np.mean(loss) + 0.01 * w.dot(w)


def einsum_bilinear(A, x, y):
    return np.einsum('i,ij,j->', x, A, y)


def sorted_loss(x):
    s = np.sort(x)
    return np.sum(s * np.arange(len(x)))


def gumbel(logits, noise, tau=0.7):
    y = (logits + noise) / tau
    y = y - np.max(y)
    p = np.exp(y) / np.sum(np.exp(y))
    return -np.sum(p * np.log(p + 1e-9))


def taylor_sin(x, n=6):
    term = x
    total = x
    for k in range(1, n):
        term = -term * x * x / ((2 * k) * (2 * k + 1))
        total = total + term
    return total


def gauss_seidel(A, b, n=4):
    x = np.zeros(len(b))
    for _ in range(n):
        for i in range(len(b)):
            s = b[i]
            for j in range(len(b)):
                if j != i:
                    s -= A[i, j] * x[j]
            x[i] = s / A[i, i]
    return np.sum(x ** 2)


D = {n: {'w': R.normal(size=(5, 5)), 'b': R.normal(size=5)} for n in ('l1', 'l2')}
MIX = [{'w': 0.4, 'mu': 0.1, 'sigma': 1.2}, {'w': 0.6, 'mu': -0.5, 'sigma': 0.7}]


CASES += [
 (train, 'params', ((0.5, 0.1), (R.normal(size=6), R.normal(size=6)))),
 (dict_net, 'params', (D, R.normal(size=(6, 5)))),
 (newton, 'a', (2.0,)),
 (gram, 'length', (1.1, R.normal(size=(5, 2)))),
 (cumret, 'r', (np.array([0.1, -0.05, 0.08, -0.2, 0.04, 0.07, 0.02]),)),
 (viterbi, ('logits', 'trans'), (R.normal(size=(6, 3)), R.normal(size=(3, 3)))),
 (spectral, 'x', (R.normal(size=12), R.random(12))),
 (rk4, ('y0', 'k'), (R.normal(size=5), 0.3)),
 (knn_soft, 'q', (R.normal(size=3), R.normal(size=(7, 3)), R.normal(size=7))),
 (triplet, ('a', 'p'), (R.normal(size=(6, 5)), R.normal(size=(6, 5)), R.normal(size=(6, 5)))),
 (arm, ('theta', 'lengths'), ([0.1, 0.2, 0.3], [1.0, 0.5, 0.2])),
 (catenary, 'a', (1.3, R.normal(size=6))),
 (beam, ('E', 'q'), (2.0, 1.5, 0.7, 3.0, np.linspace(0, 3, 7))),
 (moving_average, 'x', (R.normal(size=9), 3)),
 (cosine_sim, ('A', 'B'), (R.normal(size=(6, 5)), R.normal(size=(7, 5)))),
 (logsumexp, 'x', (R.normal(size=6),)),
 (mixture_density, 'params', (MIX, R.normal(size=6))),
 (power_flow, ('V', 'theta'), (R.random(5), R.random(5), R.normal(size=(5, 5)))),
 (sir, ('beta', 'gamma'), (1.5, 0.3)),
 (tree_value, 'x', (((None, 0.5, None), 1.2, None), 0.8)),
 (hinge, ('w', 'b'), (R.normal(size=3), 0.1, R.normal(size=(6, 3)), np.sign(R.normal(size=6)))),
 (einsum_bilinear, ('A', 'x'), (R.normal(size=(5, 6)), R.normal(size=5), R.normal(size=6))),
 (sorted_loss, 'x', (R.normal(size=6),)),
 (gumbel, 'logits', (R.normal(size=6), R.normal(size=6))),
 (taylor_sin, 'x', (0.7,)),
 (gauss_seidel, ('A', 'b'), (R.normal(size=(5, 5)) + 5 * np.eye(5), R.normal(size=5))),
]
