"""Fields, particles and orbits, step by step."""
import math

import numpy as np

from benchmarks.readability import Program


def heat(u0, diffusivity, target, steps):
    """How far a rod that cools is from a wanted profile."""
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] += diffusivity * (u[2:] - 2 * u[1:-1] + u[:-2])
    return np.sum((u - target) ** 2)


def heat_adjoint(u0, diffusivity, target, steps, bf=1.0):
    u, curvatures = u0.copy(), []
    for _ in range(steps):
        curvatures.append(u[2:] - 2 * u[1:-1] + u[:-2])
        u[1:-1] += diffusivity * curvatures[-1]
    bu = 2 * bf * (u - target)
    bdiffusivity = 0.0
    for curvature in reversed(curvatures):
        inner = bu[1:-1].copy()
        bdiffusivity += np.sum(inner * curvature)
        bu[2:] += diffusivity * inner
        bu[1:-1] -= 2 * diffusivity * inner
        bu[:-2] += diffusivity * inner
    return bu, bdiffusivity


def wave(u, speed, steps):
    """The energy in the middle of a string that is let go."""
    before = u
    for _ in range(steps):
        after = 2 * u - before
        after[1:-1] += speed ** 2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        before, u = u, after
    return np.sum(u[5:10] ** 2)


def wave_adjoint(u, speed, steps, bf=1.0):
    before, curvatures = u, []
    for _ in range(steps):
        curvatures.append(u[2:] - 2 * u[1:-1] + u[:-2])
        after = 2 * u - before
        after[1:-1] += speed ** 2 * curvatures[-1]
        before, u = u, after
    bu, bbefore, bspeed = np.zeros_like(u), np.zeros_like(u), 0.0
    bu[5:10] = 2 * bf * u[5:10]
    for curvature in reversed(curvatures):
        bafter, bu, inner = bu, bbefore + 2 * bu, bu[1:-1]
        bspeed += 2 * speed * np.sum(inner * curvature)
        bu[2:] += speed ** 2 * inner
        bu[1:-1] -= 2 * speed ** 2 * inner
        bu[:-2] += speed ** 2 * inner
        bbefore = -bafter
    return bu + bbefore, bspeed


def gravity(positions, masses):
    """The potential energy of some bodies."""
    energy = 0.0
    for i in range(len(masses)):
        for j in range(i):
            distance = np.sqrt(np.sum((positions[i] - positions[j]) ** 2) + 1e-3)
            energy -= masses[i] * masses[j] / distance
    return energy


def gravity_adjoint(positions, masses, bf=1.0):
    bpositions, bmasses = np.zeros_like(positions), np.zeros_like(masses)
    for i in range(len(masses)):
        for j in range(i):
            apart = positions[i] - positions[j]
            distance = np.sqrt(np.sum(apart ** 2) + 1e-3)
            pull = bf * masses[i] * masses[j] / distance ** 3 * apart
            bpositions[i] += pull
            bpositions[j] -= pull
            bmasses[i] -= bf * masses[j] / distance
            bmasses[j] -= bf * masses[i] / distance
    return bpositions, bmasses


def springs(positions, stiffness, rest):
    """The energy of a chain of springs that hangs."""
    steps = positions[1:] - positions[:-1]
    lengths = np.sqrt(np.sum(steps ** 2, axis=1))
    return 0.5 * np.sum(stiffness * (lengths - rest) ** 2) + 9.81 * np.sum(positions[:, 1])


def springs_adjoint(positions, stiffness, rest, bf=1.0):
    steps = positions[1:] - positions[:-1]
    lengths = np.sqrt(np.sum(steps ** 2, axis=1))
    stretch = lengths - rest
    blengths = bf * stiffness * stretch
    bsteps = (blengths / lengths)[:, None] * steps
    bpositions = np.zeros_like(positions)
    bpositions[:, 1] = 9.81 * bf
    bpositions[1:] += bsteps
    bpositions[:-1] -= bsteps
    return bpositions, 0.5 * bf * stretch ** 2, -blengths


def force(x, stiffness):
    return -stiffness * x - 0.1 * x ** 3


def verlet(x, v, stiffness, h, steps):
    """The energy of some oscillators after a while."""
    for _ in range(steps):
        v = v + 0.5 * h * force(x, stiffness)
        x = x + h * v
        v = v + 0.5 * h * force(x, stiffness)
    return 0.5 * np.sum(v ** 2) + 0.5 * np.sum(stiffness * x ** 2)


def force_adjoint(x, stiffness, bforce):
    return bforce * (-stiffness - 0.3 * x ** 2), -bforce * x


def verlet_adjoint(x, v, stiffness, h, steps, bf=1.0):
    positions = [x]
    for _ in range(steps):
        v = v + 0.5 * h * force(x, stiffness)
        x = x + h * v
        v = v + 0.5 * h * force(x, stiffness)
        positions.append(x)
    bx, bv, bstiffness = bf * stiffness * x, bf * v, 0.5 * bf * x ** 2
    for before, after in zip(positions[-2::-1], positions[:0:-1]):
        bafter, bk = force_adjoint(after, stiffness, 0.5 * h * bv)
        bx += bafter
        bstiffness += bk
        bv = bv + h * bx
        bbefore, bk = force_adjoint(before, stiffness, 0.5 * h * bv)
        bx += bbefore
        bstiffness += bk
    return bx, bv, bstiffness


def predators(populations, rates, h, steps):
    """Hares and lynxes: how many lynxes there are in the end."""
    y = populations
    for _ in range(steps):
        met = y[0] * y[1]
        y = y + h * np.array([rates[0] * y[0] - rates[1] * met, rates[2] * met - rates[3] * y[1]])
    return y[1]


def predators_adjoint(populations, rates, h, steps, bf=1.0):
    y, before = populations, []
    for _ in range(steps):
        before.append(y)
        met = y[0] * y[1]
        y = y + h * np.array([rates[0] * y[0] - rates[1] * met, rates[2] * met - rates[3] * y[1]])
    by, brates = np.array([0.0, bf]), np.zeros(4)
    for y in reversed(before):
        met = y[0] * y[1]
        hares, lynxes = h * by
        brates += [hares * y[0], -hares * met, lynxes * met, -lynxes * y[1]]
        bmet = rates[2] * lynxes - rates[1] * hares
        by = by + [rates[0] * hares + bmet * y[1], bmet * y[0] - rates[3] * lynxes]
    return by, brates


def pendulum(angle, velocity, length, damping, h, steps):
    """Where a damped pendulum is after some steps."""
    for _ in range(steps):
        velocity = velocity - h * (9.81 / length * math.sin(angle) + damping * velocity)
        angle = angle + h * velocity
    return angle


def pendulum_adjoint(angle, velocity, length, damping, h, steps, bf=1.0):
    before = []
    for _ in range(steps):
        before.append((angle, velocity))
        velocity = velocity - h * (9.81 / length * math.sin(angle) + damping * velocity)
        angle = angle + h * velocity
    bangle, bvelocity, blength, bdamping = bf, 0.0, 0.0, 0.0
    for angle, velocity in reversed(before):
        bvelocity += h * bangle
        blength += h * bvelocity * 9.81 / length ** 2 * math.sin(angle)
        bdamping -= h * bvelocity * velocity
        bangle -= h * bvelocity * 9.81 / length * math.cos(angle)
        bvelocity *= 1 - h * damping
    return bangle, bvelocity, blength, bdamping


def relaxation(u, source, sweeps):
    """Gauss-Seidel sweeps over a Poisson equation, in the array itself."""
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + source[i])
    return np.sum(u ** 2)


def relaxation_adjoint(u, source, sweeps, bf=1.0):
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + source[i])
    bu, bsource = 2 * bf * u, np.zeros_like(source)
    for _ in range(sweeps):
        for i in reversed(range(1, len(u) - 1)):
            half = 0.5 * bu[i]
            bu[i] = 0.0
            bu[i - 1] += half
            bu[i + 1] += half
            bsource[i] += half
    return bu, bsource


PROGRAMS = [
    Program(heat, heat_adjoint, (0, 1), lambda rng: (rng.normal(size=20), 0.2, rng.normal(size=20), 15)),
    Program(wave, wave_adjoint, (0, 1), lambda rng: (rng.normal(size=16), 0.5, 15)),
    Program(gravity, gravity_adjoint, (0, 1), lambda rng: (rng.normal(size=(6, 3)), 1 + rng.random(6))),
    Program(springs, springs_adjoint, (0, 1, 2), lambda rng: (rng.normal(size=(8, 2)), 1 + rng.random(7), 0.5 + rng.random(7))),
    Program(verlet, verlet_adjoint, (0, 1, 2), lambda rng: (
        rng.normal(size=5), rng.normal(size=5), 1 + rng.random(5), 0.1, 20)),
    Program(predators, predators_adjoint, (0, 1), lambda rng: (
        10 + rng.random(2), np.array([1.0, 0.1, 0.075, 1.5]), 0.05, 20)),
    Program(pendulum, pendulum_adjoint, (0, 1, 2, 3), lambda rng: (0.5 + rng.random(), 0.1, 1.2, 0.3, 0.02, 40)),
    Program(relaxation, relaxation_adjoint, (0, 1), lambda rng: (rng.normal(size=12), rng.normal(size=12), 4), writes=True),
]
