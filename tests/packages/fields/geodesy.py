"""Geodesy."""

import numpy as np

from tests.packages.registry import load, package

pymap3d, vincenty, lox, los = [load(n) for n in ('pymap3d', 'pymap3d.vincenty', 'pymap3d.lox', 'pymap3d.los')]
haversine = load('pymap3d.haversine')
of_pymap3d = package('pymap3d', 'pymap3d')
geodesic, geomath = load('geographiclib.geodesic'), load('geographiclib.geomath')
of_geographiclib = package('geographiclib', 'geographiclib')


def weighted(values):
    return values[0] * 1e-3 + values[1] * 2e-3 + values[2] * 3e-3


@of_pymap3d(42.0, -82.0, 200.0)
def geodetic_to_ecef(v):
    return weighted(pymap3d.geodetic2ecef(v[0], v[1], v[2]))


@of_pymap3d(660e3, -4700e3, 4246e3)
def ecef_to_geodetic(v):
    lat, lon, alt = pymap3d.ecef2geodetic(v[0], v[1], v[2])
    return lat + 2 * lon + 3e-3 * alt


@of_pymap3d(33.0, 70.0, 1000.0)
def aer_to_geodetic(v):
    lat, lon, alt = pymap3d.aer2geodetic(v[0], v[1], v[2], 42.0, -82.0, 200.0)
    return lat + 2 * lon + 3e-3 * alt


@of_pymap3d(42.1, -82.2, 300.0)
def geodetic_to_aer(v):
    return weighted(pymap3d.geodetic2aer(v[0], v[1], v[2], 42.0, -82.0, 200.0))


@of_pymap3d(42.1, -82.2, 300.0)
def geodetic_to_enu(v):
    return weighted(pymap3d.geodetic2enu(v[0], v[1], v[2], 42.0, -82.0, 200.0))


@of_pymap3d(186.3, 286.8, 939.7)
def enu_to_geodetic(v):
    lat, lon, alt = pymap3d.enu2geodetic(v[0], v[1], v[2], 42.0, -82.0, 200.0)
    return lat + 2 * lon + 3e-3 * alt


@of_pymap3d(186.3, 286.8, 939.7)
def enu_to_aer(v):
    return weighted(pymap3d.enu2aer(v[0], v[1], v[2]))


@of_pymap3d(42.1, -82.2, 300.0)
def geodetic_to_ned(v):
    return weighted(pymap3d.geodetic2ned(v[0], v[1], v[2], 42.0, -82.0, 200.0))


@of_pymap3d(42.1, -82.2)
def distance_of_vincenty(v):
    d, a = vincenty.vdist(v[0], v[1], 43.0, -80.0)
    return d / 1e3 + a


@of_pymap3d(30000.0, 40.0)
def direct_of_vincenty(v):
    lat, lon = vincenty.vreckon(42.0, -82.0, v[0], v[1])
    return lat + 2 * lon


@of_pymap3d(40.0, -80.0)
def rhumb_line(v):
    d, a = lox.loxodrome_inverse(v[0], v[1], 65.0, -148.0)
    return d / 1e3 + a


@of_pymap3d(42.0)
def latitudes(x):
    return pymap3d.geodetic2isometric(x) + pymap3d.geodetic2conformal(x) + pymap3d.geodetic2authalic(x) + pymap3d.geodetic2rectifying(x)


@of_pymap3d(42.0)
def radii(x):
    return (pymap3d.rcurve.meridian(x) + pymap3d.rcurve.parallel(x) + pymap3d.rcurve.transverse(x)) / 1e3


@of_pymap3d(35.0, 23.0)
def angular_separation(v):
    return haversine.anglesep(v[0], v[1], 84.0, 20.0) + haversine.anglesep_meeus(v[0], v[1], 84.0, 20.0)


@of_pymap3d(33.0, 70.0)
def line_of_sight(v):
    lat, lon, d = los.lookAtSpheroid(42.0, -82.0, 200e3, v[0], v[1] - 50.0)
    return lat + 2 * lon + d / 1e5


@of_geographiclib(-41.32, 174.81)
def inverse_geodesic(v):
    g = geodesic.Geodesic.WGS84.Inverse(v[0], v[1], 40.96, -5.50)
    return g['s12'] / 1e5 + g['azi1']


@of_geographiclib(225.0, 2e6)
def direct_geodesic(v):
    g = geodesic.Geodesic.WGS84.Direct(40.6, -73.8, v[0], v[1])
    return g['lat2'] + 2 * g['lon2']


@of_geographiclib(40.0, 1e6)
def line_position(v):
    line = geodesic.Geodesic.WGS84.Line(v[0], 116.6, 37.0)
    return line.Position(v[1])['lat2']


@of_geographiclib(40.0, 20.0)
def area_of_polygon(v):
    p = geodesic.Geodesic.WGS84.Polygon()
    p.AddPoint(v[0], v[1])
    p.AddPoint(41.0, 25.0)
    p.AddPoint(45.0, 22.0)
    num, perimeter, area = p.Compute()
    return perimeter / 1e5 + area / 1e10


@of_geographiclib(30.0, 40.0)
def angles(v):
    s, c = geomath.Math.sincosd(v[0])
    return s * c + geomath.Math.atan2d(v[0], v[1]) + geomath.Math.AngNormalize(v[1] * 10)


@of_pymap3d(100.0, 200.0, 1.0)
def along_the_normal(v):
    return np.sum(pymap3d.enu2uvw(v[0], v[1], v[2], 42.0, -82.0)) / 100 \
        + np.sum(pymap3d.ecef2enu(6e5 + v[0], -4.7e6, 4.2e6 + v[1], 42.0, -82.0, 200.0)) / 1e5
