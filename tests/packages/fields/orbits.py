"""Orbits and the sky."""
import numpy as np

from tests.packages.registry import load, package

sgp4_model, sgp4_propagation, sgp4_gravity, ext = [load(f'sgp4.{n}') for n in ('model', 'propagation', 'earth_gravity', 'ext')]
sgp4_io = load('sgp4.io')
of_sgp4 = package('sgp4', 'sgp4')
keplerlib, functions, earthlib, framelib, positionlib, nutation, precession = [
    load(f'skyfield.{n}') for n in ('keplerlib', 'functions', 'earthlib', 'framelib', 'positionlib', 'nutationlib', 'precessionlib')]
of_skyfield = package('skyfield', 'skyfield')
cosmology, units, modeling = load('astropy.cosmology'), load('astropy.units'), load('astropy.modeling.functional_models')
stats, angles, powers = [load(f'astropy.{n}') for n in ('stats', 'coordinates.angles.utils', 'modeling.powerlaws')]
of_astropy = package('astropy', 'astropy')
LINES = ('1 00005U 58002B   00179.78495062  .00000023  00000-0  28098-4 0  4753',
         '2 00005  34.2682 348.7242 1859667 331.7664  19.3264 10.82419157413667')
MU = 398600.4418


@of_sgp4(0.05, 10.82)
def satellite(v):
    s = sgp4_model.Satrec()
    s.sgp4init(1, 'i', 5, 18441.785, 2.8e-5, 6.97e-16, 0.0, v[0] + 0.13, 5.79, 0.598, 0.337, v[1] * 0.00436, 6.08)
    e, r, d = s.sgp4_tsince(360.0)
    return r[0] / 1000 + d[1]


@of_sgp4(360.0)
def propagated(t):
    s = sgp4_io.twoline2rv(LINES[0], LINES[1], sgp4_gravity.wgs72)
    r, d = sgp4_propagation.sgp4(s, t)
    return r[0] / 1000 + d[1]


@of_sgp4(0.3)
def sidereal(days):
    return sgp4_propagation.gstime(2451545.0 + days)


@of_sgp4(7000.0, 100.0, 200.0, 1.0, 7.0, 1.0)
def state_to_elements(v):
    p, a, ecc, incl, omega, argp, nu, m, arglat, truelon, lonper = ext.rv2coe([v[0], v[1], v[2]], [v[3], v[4], v[5]], MU)
    return p / 1000 + ecc + incl + omega + argp + nu


@of_skyfield(0.3, 0.7)
def kepler_equation(v):
    return keplerlib.eccentric_anomaly(v[0], v[1])


@of_skyfield(0.3, 0.7, 1.2)
def true_anomaly(v):
    return keplerlib.true_anomaly_closed(v[0], v[1])


@of_skyfield(0.3, 0.7, 1.2)
def spherical(v):
    d, a, b = functions.to_spherical(v)
    return d * a + b + functions.length_of(v)


@of_skyfield(0.3, 0.7, 1.2)
def rotations(v):
    return np.sum(functions.mxm(functions.rot_x(v[0]), functions.mxm(functions.rot_y(v[1]), functions.rot_z(v[2]))) * np.arange(9.0).reshape(3, 3))


@of_skyfield(0.3, 0.7, 1.2)
def angle_between(v):
    return functions.angle_between(v, np.array([1.0, 0.2, 0.1]))


@of_skyfield(10.0)
def refraction(x):
    return earthlib.refraction(x, 10.0, 1010.0) * 100


@of_skyfield(2451545.3e-6)
def precession_matrix(x):
    return np.sum(precession.compute_precession(x * 1e6 + 1e4) * np.arange(9.0).reshape(3, 3))


@of_skyfield(0.3)
def mean_obliquity(x):
    return nutation.mean_obliquity(2451545.0 + 36525.0 * x) * 1e-3


@of_astropy(0.7, 1.3)
def gaussian_model(v):
    return modeling.Gaussian1D.evaluate(v[0], 2.0, v[1], 0.5)


@of_astropy(0.7, 1.3)
def lorentz_model(v):
    return modeling.Lorentz1D.evaluate(v[0], 2.0, v[1], 0.5)


@of_astropy(0.7, 1.3)
def sersic_and_moffat(v):
    return modeling.Moffat1D.evaluate(v[0], 2.0, v[1], 0.5, 1.5) + modeling.Sine1D.evaluate(v[0], 2.0, v[1], 0.2)


@of_astropy(0.7, 1.3, 0.2, 0.4)
def separation(v):
    return angles.angular_separation(v[0], v[1], v[2], v[3])


@of_astropy(0.5)
def hubble(z):
    return cosmology.FlatLambdaCDM(H0=70.0, Om0=0.3).efunc(z)


@of_astropy(0.5, 0.8, 0.9, 1.4)
def robust_statistics(v):
    return stats.biweight_location(v) + stats.median_absolute_deviation(v)


@of_astropy(0.5, 0.8, 0.9, 1.4)
def circular_statistics(v):
    return stats.circmean(v) + stats.circvar(v)


@of_astropy(0.5, 0.9)
def more_models(v):
    bell = modeling.Gaussian2D.evaluate(v[0], v[1], 2.0, 0.2, 0.3, 0.5, 0.6, 0.4)
    return bell + modeling.Trapezoid1D.evaluate(v[0], 2.0, 0.1, 0.5, 1.0) + modeling.RickerWavelet1D.evaluate(v[0], 2.0, v[1], 0.6)


@of_astropy(0.7, 1.3)
def power_laws(v):
    return powers.PowerLaw1D.evaluate(v[0], 2.0, 1.0, v[1]) + powers.BrokenPowerLaw1D.evaluate(v[0], 2.0, 0.5, v[1], 1.2) \
        + powers.LogParabola1D.evaluate(v[0], 1.0, 0.5, v[1], 0.3)
