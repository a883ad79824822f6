"""Simulations that keep their state in arrays and write into them."""
import numpy as np

from tests.corpora.kernels.kernels_linear import matrix
from tests.tools.registry import program


def shallow_water(h, u, v, dt, steps):
    for _ in range(steps):
        u[1:-1, 1:-1] -= dt * 9.8 * (h[1:-1, 2:] - h[1:-1, :-2]) / 2
        v[1:-1, 1:-1] -= dt * 9.8 * (h[2:, 1:-1] - h[:-2, 1:-1]) / 2
        flux_x = h * u
        flux_y = h * v
        h[1:-1, 1:-1] -= dt * ((flux_x[1:-1, 2:] - flux_x[1:-1, :-2]) / 2 + (flux_y[2:, 1:-1] - flux_y[:-2, 1:-1]) / 2)
        h[0, :], h[-1, :] = h[1, :], h[-2, :]
        h[:, 0], h[:, -1] = h[:, 1], h[:, -2]


@program('shallow water', matrix(5, 5) + 1, 0.1 * matrix(5, 5, seed=1), 0.1 * matrix(5, 5, seed=2), 0.01)
def shallow_water_loss(h, u, v, dt):
    shallow_water(h, u, v, dt, 3)
    return np.sum(h ** 2)


def pressure_poisson(p, b, dx, dy, iterations):
    for _ in range(iterations):
        pn = p.copy()
        p[1:-1, 1:-1] = (((pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy ** 2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx ** 2)
                         / (2 * (dx ** 2 + dy ** 2)) - dx ** 2 * dy ** 2 / (2 * (dx ** 2 + dy ** 2)) * b[1:-1, 1:-1])
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0


def build_up_b(b, rho, dt, u, v, dx, dy):
    b[1:-1, 1:-1] = rho * (
        1 / dt * ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx) + (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy))
        - ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)) ** 2
        - 2 * ((u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx))
        - ((v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy)) ** 2)


def cavity_flow(u, v, p, rho, nu, dt, steps):
    dx = dy = 0.5
    b = np.zeros_like(u)
    for _ in range(steps):
        un = u.copy()
        vn = v.copy()
        build_up_b(b, rho, dt, u, v, dx, dy)
        pressure_poisson(p, b, dx, dy, 2)
        u[1:-1, 1:-1] = (un[1:-1, 1:-1]
                         - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, 0:-2])
                         - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[0:-2, 1:-1])
                         - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, 0:-2])
                         + nu * (dt / dx ** 2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, 0:-2])
                                 + dt / dy ** 2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[0:-2, 1:-1])))
        v[1:-1, 1:-1] = (vn[1:-1, 1:-1]
                         - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, 0:-2])
                         - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[0:-2, 1:-1])
                         - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[0:-2, 1:-1])
                         + nu * (dt / dx ** 2 * (vn[1:-1, 2:] - 2 * vn[1:-1, 1:-1] + vn[1:-1, 0:-2])
                                 + dt / dy ** 2 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[0:-2, 1:-1])))
        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = 1
        v[0, :] = v[-1, :] = 0
        v[:, 0] = v[:, -1] = 0


@program('cavity flow', matrix(4, 4), matrix(4, 4, seed=1), matrix(4, 4, seed=2), 1.0, 0.1, 0.05)
def cavity_flow_loss(u, v, p, rho, nu, dt):
    cavity_flow(u, v, p, rho, nu, dt, 2)
    return np.sum(u) + np.sum(v ** 2)


def n_body(positions, velocities, masses, dt, steps):
    n = len(masses)
    for _ in range(steps):
        forces = np.zeros_like(positions)
        for i in range(n):
            for j in range(i + 1, n):
                r = positions[j] - positions[i]
                f = masses[i] * masses[j] * r / (np.sum(r ** 2) + 0.1) ** 1.5
                forces[i] += f
                forces[j] -= f
        velocities += dt * forces / masses[:, None]
        positions += dt * velocities


@program('n-body', matrix(3, 2), 0.1 * matrix(3, 2, seed=1), matrix(3), 0.1)
def n_body_loss(positions, velocities, masses, dt):
    n_body(positions, velocities, masses, dt, 2)
    return np.sum(positions ** 2) + 0.5 * np.sum(masses[:, None] * velocities ** 2)


def kalman(zs, F, H, Q, R, x, P):
    loglik = 0.0
    for z in zs:
        x = F @ x
        P = F @ P @ F.T + Q
        y = z - H @ x
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ y
        P = (np.eye(len(x)) - K @ H) @ P
        loglik -= 0.5 * (y @ np.linalg.solve(S, y) + np.log(np.linalg.det(S)))
    return loglik


@program('Kalman filter', matrix(3, 1), np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]]), 0.1 * np.eye(2),
         np.array([[0.5]]), np.array([0.1, 0.2]), np.eye(2))
def kalman_loss(zs, F, H, Q, R, x, P):
    return kalman(zs, F, H, Q, R, x, P)


class KalmanFilter:
    def __init__(self, q, r):
        self.q, self.r = q, r
        self.x = np.zeros(2)
        self.P = np.eye(2)

    def predict(self, dt):
        F = np.array([[1.0, dt], [0.0, 1.0]])
        self.x = F @ self.x
        self.P = F @ self.P @ F.T
        self.P[1, 1] += self.q

    def update(self, z):
        y = z - self.x[0]
        S = self.P[0, 0] + self.r
        K = self.P[:, 0] / S
        self.x += K * y
        self.P -= np.outer(K, self.P[0])
        return y


@program('Kalman filter', 0.3, 0.5, matrix(4))
def kalman_object(q, r, zs):
    kf = KalmanFilter(q, r)
    total = 0.0
    for z in zs:
        kf.predict(0.1)
        total += kf.update(z) ** 2
    return total


def heat_rod(u, k, steps, trace):
    for _ in range(steps):
        u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])
        trace.append(u[2])


@program('heat', matrix(6), 0.2)
def heat_trace(u, k):
    trace = []
    heat_rod(u, k, 4, trace)
    return sum(t ** 2 for t in trace)


class Particles:
    def __init__(self, x, v):
        self.x, self.v = x, v

    def __len__(self):
        return len(self.x)

    def force(self, k):
        f = np.zeros_like(self.x)
        f[:-1] += k * (self.x[1:] - self.x[:-1] - 1.0)
        f[1:] -= k * (self.x[1:] - self.x[:-1] - 1.0)
        return f

    def leapfrog(self, k, dt):
        self.v += 0.5 * dt * self.force(k)
        self.x += dt * self.v
        self.v += 0.5 * dt * self.force(k)

    @property
    def energy(self):
        return 0.5 * np.sum(self.v ** 2)


@program('chain of springs', matrix(5) + np.arange(5.0), 0.1 * matrix(5), 1.5)
def springs(x, v, k):
    chain = Particles(x.copy(), v.copy())
    for _ in range(3):
        chain.leapfrog(k, 0.1)
    return chain.energy + chain.x[2] * len(chain)


def bounce(y, v, g, steps):
    trace = np.empty(steps)
    for k in range(steps):
        v -= 0.1 * g
        y += 0.1 * v
        if y < 0:
            y, v = -y, -0.8 * v
        trace[k] = y
    return trace


@program('bouncing ball', 0.3, 0.2, 9.8)
def bouncing_ball(y, v, g):
    return np.sum(bounce(y, v, g, 6) ** 2)


def sir(beta, gamma, steps):
    S, I, R = [0.9], [0.1], [0.0]  # noqa: E741
    for _ in range(steps):
        new = beta * S[-1] * I[-1]
        out = gamma * I[-1]
        S.append(S[-1] - new)
        I.append(I[-1] + new - out)
        R.append(R[-1] + out)
    return S, I, R


@program('epidemic', 0.4, 0.1)
def epidemic(beta, gamma):
    S, I, R = sir(beta, gamma, 5)  # noqa: E741
    return max(I) + R[-1] * S[2]


def game_of_heat(grid, steps):
    rows, cols = grid.shape
    for _ in range(steps):
        new = np.zeros_like(grid)
        for i in range(rows):
            for j in range(cols):
                total = 0.0
                for di, dj in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
                    if 0 <= i + di < rows and 0 <= j + dj < cols:
                        total += grid[i + di, j + dj]
                new[i, j] = 0.5 * grid[i, j] + 0.125 * total
        grid = new
    return grid


@program('cellular', matrix(3, 3))
def diffusion(grid):
    return np.sum(game_of_heat(grid, 2) ** 2)


def upwind(u, c, dt, dx, steps):
    un = np.empty_like(u)
    for _ in range(steps):
        un[:] = u
        for i in range(1, len(u)):
            u[i] = un[i] - c * dt / dx * un[i] * (un[i] - un[i - 1])
        u[0] = u[-1]
    return u


@program('Burgers', matrix(5), 0.7)
def burgers(u, c):
    return np.sum(upwind(u, c, 0.05, 0.2, 3) ** 2)


def lorenz(state, sigma, rho, beta, dt, steps):
    for _ in range(steps):
        x, y, z = state
        state = (x + dt * sigma * (y - x), y + dt * (x * (rho - z) - y), z + dt * (x * y - beta * z))
    return state


@program('Lorenz', (1.0, 0.5, 0.2), 10.0, 28.0, 2.7)
def lorenz_loss(state, sigma, rho, beta):
    return sum(lorenz(state, sigma, rho, beta, 0.01, 5))


def ising_energy(s, J, out):
    out[0] = 0.0
    for i in range(len(s)):
        out[0] -= J[i] * s[i] * s[(i + 1) % len(s)]


@program('output by a one-element array', matrix(4), matrix(4, seed=1))
def ising(s, J):
    e = np.zeros(1)
    ising_energy(s, J, e)
    return e[0] ** 2


def black_scholes_monte_carlo(s0, sigma, shocks, dt):
    paths = np.empty((shocks.shape[0], shocks.shape[1] + 1))
    paths[:, 0] = s0
    for t in range(shocks.shape[1]):
        paths[:, t + 1] = paths[:, t] * np.exp(-0.5 * sigma ** 2 * dt + sigma * np.sqrt(dt) * shocks[:, t])
    return np.mean(np.maximum(paths[:, -1] - 1.0, 0.0))


@program('Monte Carlo', 1.1, 0.2, np.random.RandomState(0).randn(4, 3), wrt=(0, 1))
def option_price(s0, sigma, shocks):
    return black_scholes_monte_carlo(s0, sigma, shocks, 0.25)


def binomial_tree(s, u, n, strike):
    values = np.empty(n + 1)
    d, p = 1 / u, (1.01 - 1 / u) / (u - 1 / u)
    for j in range(n + 1):
        values[j] = max(s * u ** j * d ** (n - j) - strike, 0.0)
    for i in range(n, 0, -1):
        values[:i] = (p * values[1:i + 1] + (1 - p) * values[:i]) / 1.01
    return values[0]


@program('binomial option tree', 1.05, 1.2)
def option_tree(s, u):
    return binomial_tree(s, u, 3, 1.0)
