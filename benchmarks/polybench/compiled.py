"""Kernels in a form that Numba takes, where it refuses the one with whole arrays: loops, as people write them for it."""
import numpy as np


def doitgen(A, C4):
    sums = np.zeros(C4.shape[0])
    for r in range(A.shape[0]):
        for q in range(A.shape[1]):
            sums[:] = A[r, q, :] @ C4
            A[r, q, :] = sums


def correlation(M, float_n, data):
    n = data.shape[0]
    for j in range(M):
        mean, square = 0.0, 0.0
        for i in range(n):
            mean += data[i, j]
        mean /= n
        for i in range(n):
            square += (data[i, j] - mean) * (data[i, j] - mean)
        deviation = np.sqrt(square / n)
        if deviation <= 0.1:
            deviation = 1.0
        for i in range(n):
            data[i, j] = (data[i, j] - mean) / (np.sqrt(float_n) * deviation)
    corr = np.eye(M)
    for i in range(M - 1):
        for j in range(i + 1, M):
            total = 0.0
            for k in range(n):
                total += data[k, i] * data[k, j]
            corr[i, j] = total
            corr[j, i] = total
    return corr


def covariance(M, float_n, data):
    n = data.shape[0]
    for j in range(M):
        mean = 0.0
        for i in range(n):
            mean += data[i, j]
        mean /= n
        for i in range(n):
            data[i, j] -= mean
    cov = np.zeros((M, M))
    for i in range(M):
        for j in range(i, M):
            total = 0.0
            for k in range(n):
                total += data[k, i] * data[k, j]
            cov[i, j] = total / (float_n - 1.0)
            cov[j, i] = total / (float_n - 1.0)
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
