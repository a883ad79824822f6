"""Kernels in a form that Numba takes, where it refuses the one with whole arrays: loops, as people write them for it."""
import numpy as np


def doitgen(NR, NQ, NP, A, C4):
    A[:] = np.reshape(np.reshape(A, (NR * NQ, NP)) @ C4, (NR, NQ, NP))


def correlation(M, float_n, data):
    for j in range(M):
        data[:, j] -= np.mean(data[:, j])
        deviation = np.sqrt(np.mean(data[:, j] * data[:, j]))
        if deviation <= 0.1:
            deviation = 1.0
        data[:, j] /= np.sqrt(float_n) * deviation
    corr = np.eye(M)
    for i in range(M - 1):
        corr[i, i + 1:M] = data[:, i] @ data[:, i + 1:M]
        corr[i + 1:M, i] = corr[i, i + 1:M]
    return corr


def covariance(M, float_n, data):
    for j in range(M):
        data[:, j] -= np.mean(data[:, j])
    cov = np.zeros((M, M))
    for i in range(M):
        cov[i, i:M] = data[:, i] @ data[:, i:M] / (float_n - 1.0)
        cov[i:M, i] = cov[i, i:M]
    return cov


def nbody(mass, pos, vel, steps, dt, G, softening):
    n = pos.shape[0]
    for _ in range(steps):
        for i in range(n):
            ax, ay, az = 0.0, 0.0, 0.0
            for j in range(n):
                dx, dy, dz = pos[j, 0] - pos[i, 0], pos[j, 1] - pos[i, 1], pos[j, 2] - pos[i, 2]
                r = dx * dx + dy * dy + dz * dz + softening * softening
                f = G * mass[j] / (r * np.sqrt(r))
                ax += dx * f
                ay += dy * f
                az += dz * f
            vel[i, 0] += ax * dt
            vel[i, 1] += ay * dt
            vel[i, 2] += az * dt
        for i in range(n):
            for k in range(3):
                pos[i, k] += vel[i, k] * dt
