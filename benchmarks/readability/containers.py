"""Parameters in dicts, states in records, arrays in lists, and objects."""
import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchmarks.readability import Program


def dose_response(params, doses, responses):
    """The squared errors of a Hill curve."""
    power = (doses / params['half']) ** params['steepness']
    predicted = params['bottom'] + (params['top'] - params['bottom']) * power / (1 + power)
    return np.sum((predicted - responses) ** 2)


def dose_response_adjoint(params, doses, responses, bf=1.0):
    height = params['top'] - params['bottom']
    power = (doses / params['half']) ** params['steepness']
    share = power / (1 + power)
    bpredicted = 2 * bf * (params['bottom'] + height * share - responses)
    btop = np.sum(bpredicted * share)
    blog = bpredicted * height * share / (1 + power)        # by the logarithm of the power
    return {'bottom': np.sum(bpredicted) - btop, 'top': btop,
            'half': -params['steepness'] / params['half'] * np.sum(blog),
            'steepness': np.sum(blog * np.log(doses / params['half']))}


class State(NamedTuple):
    x: float
    v: float


def step(state, stiffness, h):
    v = state.v - h * stiffness * math.sin(state.x)
    return State(state.x + h * v, v)


def oscillator(state, stiffness, h, steps):
    for _ in range(steps):
        state = step(state, stiffness, h)
    return state.x ** 2 + state.v ** 2


def step_adjoint(state, stiffness, h, bafter):
    bv = bafter.v + h * bafter.x
    bx = bafter.x - h * stiffness * bv * math.cos(state.x)
    bstiffness = -h * bv * math.sin(state.x)
    return State(bx, bv), bstiffness


def oscillator_adjoint(state, stiffness, h, steps, bf=1.0):
    before = []
    for _ in range(steps):
        before.append(state)
        state = step(state, stiffness, h)
    bstate, bstiffness = State(2 * bf * state.x, 2 * bf * state.v), 0.0
    for state in reversed(before):
        bstate, bk = step_adjoint(state, stiffness, h, bstate)
        bstiffness += bk
    return bstate, bstiffness


def ensemble(members, weights, observed):
    """The error of a weighted mean of fields that several models forecast."""
    field = np.zeros_like(observed)
    for member, weight in zip(members, weights):
        field = field + weight * member
    return np.mean((field / np.sum(weights) - observed) ** 2)


def ensemble_adjoint(members, weights, observed, bf=1.0):
    total = np.sum(weights)
    field = np.zeros_like(observed)
    for member, weight in zip(members, weights):
        field = field + weight * member
    bmean = 2 * bf * (field / total - observed) / observed.size
    bfield = bmean / total
    btotal = -np.sum(bfield * field) / total
    bmembers = [weight * bfield for weight in weights]
    bweights = np.array([np.sum(bfield * member) + btotal for member in members])
    return bmembers, bweights


def random_walk(start, drift, noise, observed):
    """The squared distances of a path from what was observed; its points are kept in a list."""
    path = [start]
    for shock in noise:
        path.append(0.9 * path[-1] + drift + shock)
    return np.sum((np.stack(path) - observed) ** 2)


def random_walk_adjoint(start, drift, noise, observed, bf=1.0):
    path = [start]
    for shock in noise:
        path.append(0.9 * path[-1] + drift + shock)
    bpath = 2 * bf * (np.stack(path) - observed)
    bpoint, bdrift = np.zeros_like(start), np.zeros_like(drift)
    for k in range(len(noise), 0, -1):
        bpoint = bpoint + bpath[k]
        bdrift += bpoint
        bpoint = 0.9 * bpoint
    return bpoint + bpath[0], bdrift


@dataclass
class Beam:
    length: float
    width: float
    height: float
    modulus: float

    def inertia(self):
        return self.width * self.height ** 3 / 12

    def deflection(self, load):
        """Of the free end under a load."""
        return load * self.length ** 3 / (3 * self.modulus * self.inertia())


def design(beam, load, price):
    """What a cantilever costs, and how far it bends."""
    volume = beam.length * beam.width * beam.height
    return price * volume + beam.deflection(load) ** 2


def design_adjoint(beam, load, price, bf=1.0):
    bent = beam.deflection(load)
    bvolume = bf * price
    blog = 2 * bf * bent ** 2                               # by the logarithm of the deflection
    return Beam(bvolume * beam.width * beam.height + 3 * blog / beam.length,
                bvolume * beam.length * beam.height - blog / beam.width,
                bvolume * beam.length * beam.width - 3 * blog / beam.height,
                -blog / beam.modulus)


PROGRAMS = [
    Program(dose_response, dose_response_adjoint, (0,), lambda rng: (
        {'bottom': 0.1, 'top': 0.9, 'half': 1.5, 'steepness': 1.8}, 0.1 + 5 * rng.random(20), rng.random(20))),
    Program(oscillator, oscillator_adjoint, (0, 1), lambda rng: (State(rng.random(), 0.3), 2.0, 0.05, 30)),
    Program(ensemble, ensemble_adjoint, (0, 1), lambda rng: (
        [rng.normal(size=(4, 5)) for _ in range(5)], rng.random(5), rng.normal(size=(4, 5)))),
    Program(random_walk, random_walk_adjoint, (0, 1), lambda rng: (
        rng.normal(size=3), rng.normal(size=3), rng.normal(size=(12, 3)), rng.normal(size=(13, 3)))),
    Program(design, design_adjoint, (0,), lambda rng: (Beam(2.0, 0.1, 0.2 + 0.1 * rng.random(), 200.0), 1.5, 7.0)),
]
