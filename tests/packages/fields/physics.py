"""Particle physics, materials and radio."""
import numpy as np

from tests.packages.registry import load, package

vector = load('vector')
of_vector = package('vector', 'vector')
skrf = load('skrf')
of_skrf = package('scikit-rf', 'skrf')
particle, kinematics = load('particle'), load('particle.particle.kinematics')
of_particle = package('particle', 'particle')
galpy = load('galpy.potential')
of_galpy = package('galpy', 'galpy.potential')


@of_vector(1.0, 0.7, 0.3)
def vector_3d(v):
    a = vector.obj(x=v[0], y=v[1], z=v[2])
    return a.mag + a.theta + a.phi + a.eta


@of_vector(1.0, 0.7, 0.3, 2.0)
def lorentz_vector(v):
    p = vector.obj(px=v[0], py=v[1], pz=v[2], E=v[3])
    return p.mass + p.rapidity + p.pt


@of_vector(1.0, 0.7, 0.3, 0.2)
def invariant_mass(v):
    a = vector.obj(pt=v[0], eta=v[1], phi=v[2], mass=v[3])
    b = vector.obj(pt=1.2, eta=-0.4, phi=2.0, mass=0.1)
    return (a + b).mass


@of_vector(1.0, 0.7, 0.3, 2.0)
def boosted(v):
    p = vector.obj(px=v[0], py=v[1], pz=v[2], E=v[3])
    q = p.boostZ(beta=0.3)
    return q.pz + q.E + p.deltaR(vector.obj(px=0.3, py=0.2, pz=1.0, E=3.0))


@of_vector(1.0, 0.7, 0.3)
def products_of_vectors(v):
    a, b = vector.obj(x=v[0], y=v[1], z=v[2]), vector.obj(x=0.3, y=0.2, z=1.0)
    return a.dot(b) + a.cross(b).mag + a.deltaangle(b)


@of_vector(1.0, 0.7)
def rotated(v):
    a = vector.obj(x=v[0], y=v[1]).rotateZ(0.3)
    return a.x * a.rho + a.phi


@of_particle(2.0)
def lifetime(x):
    return kinematics.lifetime_to_width(x) * 1e12 + kinematics.width_to_lifetime(x) * 1e12


@of_skrf(0.3, 0.2)
def reflection(v):
    z = skrf.tlineFunctions.Gamma0_2_zin(50.0, v[0] + 1j * v[1], 0.3)
    return np.sum(np.real(z))


@of_skrf(30.0)
def load_reflection(x):
    return np.sum(np.real(skrf.tlineFunctions.zl_2_Gamma0(50.0, x)))


@of_skrf(0.3, 0.2)
def decibels(v):
    return skrf.mathFunctions.mag_2_db(v[0]) + skrf.mathFunctions.db_2_np(v[1]) + skrf.mathFunctions.radian_2_degree(v[0])


@of_galpy(1.2, 0.3)
def galactic_potential(v):
    p = galpy.MiyamotoNagaiPotential(amp=1.0, a=0.5, b=0.1)
    return p(v[0], v[1]) + p.Rforce(v[0], v[1])


@of_galpy(1.2, 0.3)
def logarithmic_halo(v):
    p = galpy.LogarithmicHaloPotential(amp=1.0, q=0.8)
    return galpy.evaluatePotentials(p, v[0], v[1]) + galpy.evaluatezforces(p, v[0], v[1])


@of_skrf(0.3, 0.4)
def scattering_to_impedance(v):
    s = np.array([[[v[0], 0.2 + 0.1j], [0.2 + 0.1j, v[1]]]])
    return np.sum(np.real(skrf.network.s2z(s, 50.0))) + np.sum(np.abs(skrf.network.s2y(s, 50.0)))
