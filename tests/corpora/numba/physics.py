# ruff: noqa - programs as people write them
"""Particles, waves, orbits, filters: simulations that step through time."""
import functools
import math
from collections import namedtuple
from typing import NamedTuple

import numba
import numpy as np
from numba import njit, prange

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)
R = np.random.RandomState(3)


@njit
def nbody_energy(pos, vel, mass, dt, steps):
    n = pos.shape[0]
    acc = np.zeros((n, 3))
    for s in range(steps):
        acc[:] = 0.0
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = pos[j] - pos[i]
                    r2 = d[0] ** 2 + d[1] ** 2 + d[2] ** 2 + 0.01
                    acc[i] += mass[j] * d / r2 ** 1.5
        vel = vel + dt * acc
        pos = pos + dt * vel
    e = 0.0
    for i in range(n):
        e += 0.5 * mass[i] * np.sum(vel[i] ** 2)
    return e


case(nbody_energy, R.randn(3, 3), R.randn(3, 3) * 0.1, np.array([1.0, 0.7, 0.4]), 0.05, 4)


Body = namedtuple('Body', ['x', 'y', 'vx', 'vy'])


@njit
def kick(b, dt):
    r3 = (b.x * b.x + b.y * b.y) ** 1.5
    return Body(b.x, b.y, b.vx - dt * b.x / r3, b.vy - dt * b.y / r3)


@njit
def drift(b, dt):
    return Body(b.x + dt * b.vx, b.y + dt * b.vy, b.vx, b.vy)


@njit
def leapfrog(x, v, n, dt=0.05):
    b = Body(x, 0.0, 0.0, v)
    for _ in range(n):
        b = kick(b, dt / 2)
        b = drift(b, dt)
        b = kick(b, dt / 2)
    return math.sqrt(b.x ** 2 + b.y ** 2)


case(leapfrog, 1.0, 0.9, 12)


@njit
def verlet(x, v, k, m, dt, n):
    a = -k / m * x
    traj = np.empty(n)
    for i in range(n):
        x += v * dt + 0.5 * a * dt * dt
        a_new = -k / m * x
        v += 0.5 * (a + a_new) * dt
        a = a_new
        traj[i] = x
    return (traj ** 2).mean()


case(verlet, 1.0, 0.2, 3.0, 0.8, 0.1, 10)


@njit
def vdp(t, y, mu):
    return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])


@njit
def rk4(y0, mu, t0, t1, n):
    h = (t1 - t0) / n
    y = y0.copy()
    t = t0
    for i in range(n):
        k1 = vdp(t, y, mu)
        k2 = vdp(t + h / 2, y + h / 2 * k1, mu)
        k3 = vdp(t + h / 2, y + h / 2 * k2, mu)
        k4 = vdp(t + h, y + h * k3, mu)
        y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += h
    return y[0] * y[1]


case(rk4, np.array([1.0, 0.3]), 1.2, 0.0, 1.0, 6)


@njit
def rkf45(y, tol, tend):
    t, h = 0.0, 0.1
    steps = 0
    while t < tend and steps < 200:
        if t + h > tend:
            h = tend - t
        k1 = -y * y + math.sin(t)
        y2 = y + h * k1
        k2 = -y2 * y2 + math.sin(t + h)
        ynew = y + h * 0.5 * (k1 + k2)
        err = 0.5 * h * abs(k2 - k1)
        if err > 0.01:
            h *= 0.5
            continue
        t += h
        y = ynew
        steps += 1
        if err < 0.001:
            h *= 1.5
    return y


case(rkf45, 0.8, 1e-3, 2.0, wrt=[(0,)])


@njit
def diffuse(u, nu, dt, dx, nt):
    for n in range(nt):
        un = u.copy()
        for i in range(1, len(u) - 1):
            u[i] = un[i] + nu * dt / dx ** 2 * (un[i + 1] - 2 * un[i] + un[i - 1])
    return u.sum() + u[3] ** 2


case(diffuse, R.rand(8), 0.3, 0.1, 0.5, 5)


@njit
def burgers(u, nu, dt, dx, nt):
    for n in range(nt):
        un = u.copy()
        u[1:-1] = un[1:-1] - un[1:-1] * dt / dx * (un[1:-1] - un[:-2]) + nu * dt / dx ** 2 * (un[2:] - 2 * un[1:-1] + un[:-2])
        u[0] = un[0] - un[0] * dt / dx * (un[0] - un[-2])
        u[-1] = u[0]
    return np.sum(u * u)


case(burgers, R.rand(9) + 0.5, 0.07, 0.01, 0.2, 4)


@njit
def cavity_pressure(p, b, dx, dy, nit):
    pn = np.empty_like(p)
    for q in range(nit):
        pn[:] = p[:]
        p[1:-1, 1:-1] = (((pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy ** 2 +
                          (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx ** 2) /
                         (2 * (dx ** 2 + dy ** 2)) -
                         dx ** 2 * dy ** 2 / (2 * (dx ** 2 + dy ** 2)) * b[1:-1, 1:-1])
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0
    return np.sum(p ** 2)


case(cavity_pressure, R.rand(5, 6), R.rand(5, 6), 0.3, 0.4, 3)


@njit
def wave_leapfrog(u0, c, steps):
    n = u0.shape[0]
    prev, cur, nxt = u0.copy(), u0.copy(), np.zeros(n)
    for t in range(steps):
        for i in range(1, n - 1):
            nxt[i] = 2 * cur[i] - prev[i] + c * c * (cur[i + 1] - 2 * cur[i] + cur[i - 1])
        prev, cur, nxt = cur, nxt, prev
    return (cur ** 2).sum()


case(wave_leapfrog, R.rand(7), 0.5, 4)


@njit
def ising_energy_soft(s, J, h):
    n, m = s.shape
    e = 0.0
    for i in range(n):
        for j in range(m):
            e -= J * s[i, j] * (s[(i + 1) % n, j] + s[i, (j + 1) % m]) + h * s[i, j]
    return e


case(ising_energy_soft, np.tanh(R.randn(4, 3)), 0.7, 0.2)


@njit
def lj_forces(pos, box):
    n = len(pos)
    f = np.zeros_like(pos)
    pot = 0.0
    for i in range(n - 1):
        for j in range(i + 1, n):
            dr = pos[i] - pos[j]
            dr -= box * np.rint(dr / box)
            r2 = np.dot(dr, dr)
            if r2 > 4.0:
                continue
            inv6 = 1.0 / r2 ** 3
            ff = 48.0 * inv6 * (inv6 - 0.5) / r2
            f[i] += ff * dr
            f[j] -= ff * dr
            pot += 4.0 * inv6 * (inv6 - 1.0)
    return pot + 1e-3 * np.sum(np.abs(f))


case(lj_forces, np.array([[0.1, 0.2, 0.3], [1.3, 0.1, 0.2], [0.2, 1.5, 0.4], [1.2, 1.4, 1.5]]), 3.0, wrt=[(0,)])


@njit
def kalman_1d(zs, q, r):
    x, p = 0.0, 1.0
    ll = 0.0
    for z in zs:
        p = p + q
        k = p / (p + r)
        innov = z - x
        ll += -0.5 * (math.log(2 * math.pi * (p + r)) + innov * innov / (p + r))
        x = x + k * innov
        p = (1 - k) * p
    return ll


case(kalman_1d, R.randn(8), 0.1, 0.5)


@njit
def kalman_nd(zs, F, H, Q, Rm, x, P):
    n = x.shape[0]
    ll = 0.0
    I = np.eye(n)
    for t in range(zs.shape[0]):
        x = F @ x
        P = F @ P @ F.T + Q
        y = zs[t] - H @ x
        S = H @ P @ H.T + Rm
        Sinv = np.linalg.inv(S)
        K = P @ H.T @ Sinv
        x = x + K @ y
        P = (I - K @ H) @ P
        ll -= 0.5 * (y @ Sinv @ y + np.log(np.linalg.det(S)))
    return ll


case(kalman_nd, R.randn(4, 1), np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]]), np.eye(2) * 0.1,
     np.array([[0.5]]), np.zeros(2), np.eye(2))


class Params(NamedTuple):
    alpha: float
    beta: float
    gamma: float


@njit
def sir(p, s, i, days):
    r = 0.0
    peak = 0.0
    for d in range(days):
        new = p.beta * s * i
        rec = p.gamma * i
        s, i, r = s - new, i + new - rec, r + rec + p.alpha * 0.0
        if i > peak:
            peak = i
    return peak + r


case(sir, Params(0.1, 0.5, 0.1), 0.99, 0.01, 40, wrt=[(0, 1)])


@njit
def lotka(params, y0, dt, n):
    a, b, c, d = params
    x, y = y0
    for _ in range(n):
        x, y = x + dt * (a * x - b * x * y), y + dt * (-c * y + d * x * y)
    return x + y


case(lotka, (1.0, 0.4, 0.5, 0.3), (2.0, 1.0), 0.05, 20)


@njit
def double_pendulum(state, n, dt):
    t1, t2, w1, w2 = state[0], state[1], state[2], state[3]
    g = 9.81
    for _ in range(n):
        delta = t2 - t1
        den = 2.0 - math.cos(delta) ** 2
        a1 = (w1 ** 2 * math.sin(delta) * math.cos(delta) + g * math.sin(t2) * math.cos(delta) + w2 ** 2 * math.sin(delta) - 2 * g * math.sin(t1)) / den
        a2 = (-w2 ** 2 * math.sin(delta) * math.cos(delta) + 2 * (g * math.sin(t1) * math.cos(delta) - w1 ** 2 * math.sin(delta) - g * math.sin(t2))) / den
        w1 += dt * a1
        w2 += dt * a2
        t1 += dt * w1
        t2 += dt * w2
    return t1 * t1 + t2


case(double_pendulum, np.array([0.4, 0.8, 0.1, -0.1]), 10, 0.02)


@njit
def sdf(px, py, pz):
    d1 = math.sqrt(px * px + py * py + pz * pz) - 1.0
    d2 = py + 1.2
    return d1 if d1 < d2 else d2


@njit
def ray_march(ox, oy, oz, dx, dy, dz):
    n = math.sqrt(dx ** 2 + dy ** 2 + dz ** 2)
    dx /= n
    dy /= n
    dz /= n
    t = 0.0
    for i in range(64):
        d = sdf(ox + t * dx, oy + t * dy, oz + t * dz)
        if d < 1e-9:
            break
        t += d
        if t > 20:
            return -1.0
    return t


case(ray_march, 0.1, 0.2, -3.0, 0.02, 0.05, 1.0)


@njit
def quat_mul(a, b):
    w1, x1, y1, z1 = a
    w2, x2, y2, z2 = b
    return (w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2,
            w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
            w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2,
            w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2)


@njit
def rotate(q, v):
    n = math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
    q = (q[0] / n, q[1] / n, q[2] / n, q[3] / n)
    qc = (q[0], -q[1], -q[2], -q[3])
    p = (0.0, v[0], v[1], v[2])
    r = quat_mul(quat_mul(q, p), qc)
    return r[1] + 2 * r[2] + 3 * r[3]


case(rotate, (0.9, 0.1, -0.3, 0.2), np.array([1.0, 2.0, -0.5]))


@njit
def madgwick_like(q, gyro, dt):
    for t in range(gyro.shape[0]):
        gx, gy, gz = gyro[t]
        qd = np.empty(4)
        qd[0] = 0.5 * (-q[1] * gx - q[2] * gy - q[3] * gz)
        qd[1] = 0.5 * (q[0] * gx + q[2] * gz - q[3] * gy)
        qd[2] = 0.5 * (q[0] * gy - q[1] * gz + q[3] * gx)
        qd[3] = 0.5 * (q[0] * gz + q[1] * gy - q[2] * gx)
        q = q + qd * dt
        q /= np.linalg.norm(q)
    return q[1] - q[2] * q[3]


case(madgwick_like, np.array([0.8, 0.1, 0.2, 0.3]), R.randn(3, 3), 0.1)


@njit
def monte_carlo_paths(S0, mu, sigma, normals, K, dt):
    n_paths, n_steps = normals.shape
    payoff = 0.0
    for p in range(n_paths):
        S = S0
        running = 0.0
        for t in range(n_steps):
            S *= math.exp((mu - 0.5 * sigma ** 2) * dt + sigma * math.sqrt(dt) * normals[p, t])
            running += S
        avg = running / n_steps
        if avg > K:
            payoff += avg - K
    return payoff / n_paths


case(monte_carlo_paths, 100.0, 0.05, 0.2, R.randn(5, 4), 95.0, 0.1)


@njit(parallel=True)
def heston_parallel(v0, kappa, theta, xi, normals, dt):
    out = np.zeros(normals.shape[0])
    for p in prange(normals.shape[0]):
        v = v0
        s = 0.0
        for t in range(normals.shape[1]):
            v = v + kappa * (theta - v) * dt + xi * math.sqrt(v * dt) * normals[p, t] * 0.1
            v = max(v, 1e-6)
            s += v
        out[p] = s
    return out.mean()


case(heston_parallel, 0.04, 1.5, 0.05, 0.3, R.randn(4, 5), 0.05)


@njit
def tridiag_solve(a, b, c, d):
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.zeros(n)
    x[n - 1] = dp[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


@njit
def crank_nicolson(u, r, steps):
    n = u.shape[0]
    a, b, c = np.full(n, -r / 2), np.full(n, 1 + r), np.full(n, -r / 2)
    b[0] = b[-1] = 1.0
    a[-1] = c[0] = 0.0
    for _ in range(steps):
        d = np.zeros(n)
        for i in range(1, n - 1):
            d[i] = r / 2 * u[i - 1] + (1 - r) * u[i] + r / 2 * u[i + 1]
        u = tridiag_solve(a, b, c, d)
    return np.sum(u ** 2)


case(crank_nicolson, R.rand(6), 0.4, 3)


@njit
def brownian_bridge_lists(zs, sigma):
    path = [0.0]
    for z in zs:
        path.append(path[-1] + sigma * z)
    end = path[-1]
    acc = 0.0
    for k, p in enumerate(path):
        acc += (p - end * k / (len(path) - 1)) ** 2
    return acc


case(brownian_bridge_lists, R.randn(5), 0.4)


@njit
def upwind(q, u, dt, dx):
    flux = np.zeros(q.size + 1)
    for i in range(1, q.size):
        if u[i] > 0:
            flux[i] = u[i] * q[i - 1]
        else:
            flux[i] = u[i] * q[i]
    for i in range(q.size):
        q[i] -= dt / dx * (flux[i + 1] - flux[i])
    return np.max(q) + np.sum(q ** 2)


case(upwind, R.rand(6), R.randn(7), 0.1, 0.5)


@njit
def minmod(a, b):
    if a * b <= 0:
        return 0.0
    elif abs(a) < abs(b):
        return a
    else:
        return b


@njit
def muscl(u, cfl, steps):
    n = len(u)
    for s in range(steps):
        slope = np.zeros(n)
        for i in range(n):
            slope[i] = minmod(u[i] - u[i - 1], u[(i + 1) % n] - u[i])
        new = np.empty(n)
        for i in range(n):
            left = u[i - 1] + 0.5 * slope[i - 1]
            right = u[i] + 0.5 * slope[i]
            new[i] = u[i] - cfl * (0.5 * right ** 2 - 0.5 * left ** 2)
        u = new
    return np.sum(u ** 3)


case(muscl, R.rand(7) + 0.3, 0.2, 3)
