"""Solvers of flows, of motion and of waves that work in place."""
import numpy as np


def build_up_b(b, rho, dt, u, v, dx, dy):
    b[1:-1, 1:-1] = (rho * (1 / dt * ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx) + (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy))
                            - ((u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx))**2
                            - 2 * ((u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx))
                            - ((v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy))**2))


def pressure_poisson(nit, p, dx, dy, b):
    pn = np.empty_like(p)
    pn = p.copy()

    for q in range(nit):
        pn = p.copy()
        p[1:-1, 1:-1] = (((pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2)
                         / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1])

        p[:, -1] = p[:, -2]  # dp/dx = 0 at x = 2
        p[0, :] = p[1, :]  # dp/dy = 0 at y = 0
        p[:, 0] = p[:, 1]  # dp/dx = 0 at x = 0
        p[-1, :] = 0  # p = 0 at y = 2


def cavity_flow(nx, ny, nt, nit, u, v, dt, dx, dy, p, rho, nu):
    un = np.empty_like(u)
    vn = np.empty_like(v)
    b = np.zeros((ny, nx))

    for n in range(nt):
        un = u.copy()
        vn = v.copy()

        build_up_b(b, rho, dt, u, v, dx, dy)
        pressure_poisson(nit, p, dx, dy, b)

        u[1:-1, 1:-1] = (un[1:-1, 1:-1] - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, 0:-2])
                         - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[0:-2, 1:-1])
                         - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, 0:-2])
                         + nu * (dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, 0:-2])
                                 + dt / dy**2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[0:-2, 1:-1])))

        v[1:-1, 1:-1] = (vn[1:-1, 1:-1] - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, 0:-2])
                         - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[0:-2, 1:-1])
                         - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[0:-2, 1:-1])
                         + nu * (dt / dx**2 * (vn[1:-1, 2:] - 2 * vn[1:-1, 1:-1] + vn[1:-1, 0:-2])
                                 + dt / dy**2 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[0:-2, 1:-1])))

        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = 1  # the lid moves
        v[0, :] = 0
        v[-1, :] = 0
        v[:, 0] = 0
        v[:, -1] = 0


def channel_flow(nit, u, v, dt, dx, dy, p, rho, nu, F, steps):
    """Flow through a channel: periodic along x, the rows at both ends written out."""
    b = np.zeros_like(u)
    udiff = 1
    stepcount = 0
    while udiff > 1e-12 and stepcount < steps:
        un = u.copy()
        vn = v.copy()
        build_up_b(b, rho, dt, u, v, dx, dy)
        b[1:-1, -1] = rho * (1 / dt * ((u[1:-1, 0] - u[1:-1, -2]) / (2 * dx) + (v[2:, -1] - v[0:-2, -1]) / (2 * dy)))
        for q in range(nit):
            pn = p.copy()
            p[1:-1, 1:-1] = (((pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2)
                             / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1])
            p[1:-1, -1] = (((pn[1:-1, 0] + pn[1:-1, -2]) * dy**2 + (pn[2:, -1] + pn[0:-2, -1]) * dx**2)
                           / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, -1])
            p[-1, :] = p[-2, :]
            p[0, :] = p[1, :]
        u[1:-1, 1:-1] = (un[1:-1, 1:-1] - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, 0:-2])
                         - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, 0:-2])
                         + nu * dt / dy**2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[0:-2, 1:-1]) + F * dt)
        v[1:-1, 1:-1] = vn[1:-1, 1:-1] - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[0:-2, 1:-1])
        u[0, :] = 0
        u[-1, :] = 0
        udiff = (np.sum(u) - np.sum(un)) / np.sum(u)
        stepcount += 1
    return stepcount


def shallow_water(steps, h, u, v, dt, dx, g):
    """Forward-backward steps on a staggered grid, walls all around."""
    hx = np.empty_like(u)
    hy = np.empty_like(v)
    for n in range(steps):
        u[1:-1, :] -= dt / dx * g * (h[1:, :] - h[:-1, :])
        v[:, 1:-1] -= dt / dx * g * (h[:, 1:] - h[:, :-1])
        u[0, :] = u[-1, :] = 0.0
        v[:, 0] = v[:, -1] = 0.0
        hx[1:-1, :] = 0.5 * (h[1:, :] + h[:-1, :])
        hx[0, :], hx[-1, :] = h[0, :], h[-1, :]
        hy[:, 1:-1] = 0.5 * (h[:, 1:] + h[:, :-1])
        hy[:, 0] = h[:, 0]
        hy[:, -1] = h[:, -1]
        np.multiply(hx, u, out=hx)
        hy *= v
        h -= dt / dx * (hx[1:, :] - hx[:-1, :] + hy[:, 1:] - hy[:, :-1])


def wave(u, v, c, steps):
    """Three time levels in buffers that swap places."""
    u0, u1, u2 = u.copy(), u + v, np.zeros_like(u)
    for n in range(steps):
        u2[1:-1] = 2 * u1[1:-1] - u0[1:-1] + c[1:-1]**2 * (u1[2:] - 2 * u1[1:-1] + u1[:-2])
        u2[0] = u2[1]
        u2[-1] = u2[-2]
        u0, u1, u2 = u1, u2, u0
    return u1


def get_acceleration(pos, mass, G, softening):
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r3 = (dx**2 + dy**2 + dz**2 + softening**2)
    inv_r3[inv_r3 > 0] = inv_r3[inv_r3 > 0]**(-1.5)
    ax = G * (dx * inv_r3) @ mass
    ay = G * (dy * inv_r3) @ mass
    az = G * (dz * inv_r3) @ mass
    return np.hstack((ax, ay, az))


def get_energy(pos, vel, mass, G, softening):
    KE = 0.5 * np.sum(mass * vel**2)
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv_r = np.sqrt(dx**2 + dy**2 + dz**2 + softening**2)
    inv_r[inv_r > 0] = 1.0 / inv_r[inv_r > 0]
    PE = G * np.sum(np.triu(-(mass * mass.T) * inv_r, 1))
    return KE, PE


def nbody(mass, pos, vel, Nt, dt, G, softening):
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = get_acceleration(pos, mass, G, softening)
    KE = np.ndarray(Nt + 1, dtype=np.float64)
    PE = np.ndarray(Nt + 1, dtype=np.float64)
    KE[0], PE[0] = get_energy(pos, vel, mass, G, softening)
    for i in range(Nt):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc[:] = get_acceleration(pos, mass, G, softening)
        vel += acc * dt / 2.0
        KE[i + 1], PE[i + 1] = get_energy(pos, vel, mass, G, softening)
    return KE, PE


def nbody_pairs(pos, vel, mass, steps, dt):
    """One pair after the other; positions and velocities are rows that are written in place."""
    for _ in range(steps):
        for i in range(len(pos)):
            for j in range(i + 1, len(pos)):
                d = pos[i] - pos[j]
                mag = dt * (d @ d + 0.05)**-1.5
                vel[i] -= d * mass[j] * mag
                vel[j] += d * mass[i] * mag
        for r, v in zip(pos, vel):
            r += dt * v


def verlet_object(pos, vel, steps, dt):
    """The same idea with a class that keeps its state in attributes."""
    particles = Particles(pos, vel)
    for _ in range(steps):
        particles.advance(dt)
    return particles.energy()


class Particles:
    def __init__(self, pos, vel):
        self.pos, self.vel = pos, vel
        self.force = np.zeros_like(pos)

    def update_force(self):
        self.force.fill(0.0)
        for i in range(len(self.pos)):
            self.force[i] -= self.pos[i]**3
            if i:
                self.force[i] += self.pos[i - 1] - self.pos[i]
                self.force[i - 1] -= self.pos[i - 1] - self.pos[i]

    def advance(self, dt):
        self.update_force()
        self.vel += 0.5 * dt * self.force
        self.pos += dt * self.vel
        self.update_force()
        self.vel += 0.5 * dt * self.force

    def energy(self):
        return 0.5 * np.sum(self.vel**2) + 0.25 * np.sum(self.pos**4)


def lorenz_rk4(y, steps, dt, sigma, rho, beta):
    k = np.empty((4, 3))
    trajectory = np.empty((steps + 1, 3))
    trajectory[0] = y
    for n in range(steps):
        lorenz(y, k[0], sigma, rho, beta)
        lorenz(y + dt / 2 * k[0], k[1], sigma, rho, beta)
        lorenz(y + dt / 2 * k[1], k[2], sigma, rho, beta)
        lorenz(y + dt * k[2], k[3], sigma, rho, beta)
        y += dt / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3])
        trajectory[n + 1] = y
    return trajectory


def lorenz(y, dydt, sigma, rho, beta):
    dydt[0] = sigma * (y[1] - y[0])
    dydt[1] = y[0] * (rho - y[2]) - y[1]
    dydt[2] = y[0] * y[1] - beta * y[2]
