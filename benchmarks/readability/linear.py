"""Linear algebra: systems of equations, determinants, factors."""
import numpy as np

from benchmarks.readability import Program


def misfit(a, b, seen):
    """How far the solution of a system is from what was seen."""
    x = np.linalg.solve(a, b)
    return np.sum((x - seen) ** 2)


def misfit_adjoint(a, b, seen, bf=1.0):
    x = np.linalg.solve(a, b)
    bb = np.linalg.solve(a.T, 2 * bf * (x - seen))
    return -np.outer(bb, x), bb


def quadratic(x, a, b):
    return 0.5 * x @ a @ x - b @ x


def quadratic_adjoint(x, a, b, bf=1.0):
    bx = bf * (0.5 * (a @ x + a.T @ x) - b)
    ba = 0.5 * bf * np.outer(x, x)
    return bx, ba, -bf * x


def gaussian_process(log_length, log_noise, x, y):
    """The log-likelihood of a Gaussian process, but for a constant."""
    distances = (x[:, None] - x[None, :]) ** 2
    k = np.exp(-0.5 * distances / np.exp(2 * log_length)) + np.exp(log_noise) * np.eye(len(x))
    factor = np.linalg.cholesky(k)
    z = np.linalg.solve(factor, y)
    return -0.5 * np.sum(z ** 2) - np.sum(np.log(np.diag(factor)))


def gaussian_process_adjoint(log_length, log_noise, x, y, bf=1.0):
    scaled = (x[:, None] - x[None, :]) ** 2 / np.exp(2 * log_length)
    smooth = np.exp(-0.5 * scaled)
    noise = np.exp(log_noise)
    inverse = np.linalg.inv(smooth + noise * np.eye(len(x)))
    a = inverse @ y
    bk = 0.5 * bf * (np.outer(a, a) - inverse)
    return np.sum(bk * smooth * scaled), noise * np.trace(bk)


def factorisation(u, v, ratings, known):
    """Low rank factors of a matrix of which some elements are known."""
    errors = known * (u @ v.T - ratings)
    return np.sum(errors ** 2) + 0.1 * (np.sum(u ** 2) + np.sum(v ** 2))


def factorisation_adjoint(u, v, ratings, known, bf=1.0):
    bproduct = 2 * bf * known ** 2 * (u @ v.T - ratings)
    bu = bproduct @ v + 0.2 * bf * u
    bv = bproduct.T @ u + 0.2 * bf * v
    return bu, bv


def power_iteration(a, v, steps):
    """The largest eigenvalue of a symmetric matrix."""
    for _ in range(steps):
        w = a @ v
        v = w / np.sqrt(w @ w)
    return v @ a @ v


def power_iteration_adjoint(a, v, steps, bf=1.0):
    before, norms = [v], []
    for _ in range(steps):
        w = a @ v
        norms.append(np.sqrt(w @ w))
        v = w / norms[-1]
        before.append(v)
    ba = bf * np.outer(v, v)
    bv = bf * (a @ v + a.T @ v)
    for k in reversed(range(steps)):
        v = before[k + 1]
        bw = (bv - (bv @ v) * v) / norms[k]
        ba += np.outer(bw, before[k])
        bv = a.T @ bw
    return ba, bv


def log_determinant(jitter, features):
    """The information in some features: what the design of experiments maximises."""
    gram = features.T @ features + jitter * np.eye(features.shape[1])
    _, value = np.linalg.slogdet(gram)
    return value


def log_determinant_adjoint(jitter, features, bf=1.0):
    gram = features.T @ features + jitter * np.eye(features.shape[1])
    bgram = bf * np.linalg.inv(gram)
    return np.trace(bgram), 2 * features @ bgram


def tridiagonal(lower, diagonal, upper, b):
    """The sum of squares of the solution of a tridiagonal system, by Thomas's algorithm."""
    n = len(b)
    d, x = diagonal.copy(), b.copy()
    for i in range(1, n):
        w = lower[i - 1] / d[i - 1]
        d[i] -= w * upper[i - 1]
        x[i] -= w * x[i - 1]
    x[n - 1] /= d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / d[i]
    return np.sum(x ** 2)


def thomas(lower, diagonal, upper, b):
    n = len(b)
    d, x = diagonal.copy(), b.copy()
    for i in range(1, n):
        w = lower[i - 1] / d[i - 1]
        d[i] -= w * upper[i - 1]
        x[i] -= w * x[i - 1]
    x[n - 1] /= d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - upper[i] * x[i + 1]) / d[i]
    return x


def tridiagonal_adjoint(lower, diagonal, upper, b, bf=1.0):
    x = thomas(lower, diagonal, upper, b)
    bb = thomas(upper, diagonal, lower, 2 * bf * x)         # the transposed system
    return -bb[1:] * x[:-1], -bb * x, -bb[:-1] * x[1:], bb


def definite(rng, n):
    a = rng.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


PROGRAMS = [
    Program(misfit, misfit_adjoint, (0, 1), lambda rng: (definite(rng, 6), rng.normal(size=6), rng.normal(size=6))),
    Program(quadratic, quadratic_adjoint, (0, 1, 2), lambda rng: (
        rng.normal(size=6), rng.normal(size=(6, 6)), rng.normal(size=6))),
    Program(gaussian_process, gaussian_process_adjoint, (0, 1), lambda rng: (
        -0.5, -1.0, np.sort(rng.random(20)) * 5, rng.normal(size=20))),
    Program(factorisation, factorisation_adjoint, (0, 1), lambda rng: (
        rng.normal(size=(8, 2)), rng.normal(size=(6, 2)), rng.normal(size=(8, 6)), (rng.random((8, 6)) < 0.7) * 1.0)),
    Program(power_iteration, power_iteration_adjoint, (0, 1), lambda rng: (definite(rng, 6), rng.normal(size=6), 10)),
    Program(log_determinant, log_determinant_adjoint, (0, 1), lambda rng: (0.1, rng.normal(size=(12, 4)))),
    Program(tridiagonal, tridiagonal_adjoint, (0, 1, 2, 3), lambda rng: (
        rng.normal(size=9), 5 + rng.random(10), rng.normal(size=9), rng.normal(size=10))),
]
