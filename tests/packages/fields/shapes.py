"""Geometry, meshes, curves."""
import numpy as np

from tests.packages.registry import load, package

transformations, triangles, geometry = load('trimesh.transformations'), load('trimesh.triangles'), load('trimesh.geometry')
trimesh, inertia = load('trimesh'), load('trimesh.inertia')
of_trimesh = package('trimesh', 'trimesh')
bspline, helpers, linalg = load('geomdl.BSpline'), load('geomdl.helpers'), load('geomdl.linalg')
of_geomdl = package('geomdl', 'geomdl')
splipy, factory = load('splipy'), load('splipy.curve_factory')
of_splipy = package('splipy', 'splipy')
POINTS = np.array([[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 1.0, 0.3], [0.1, 0.3, 1.0]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


@of_trimesh(0.3, 0.2, 0.8)
def rotation_matrix(v):
    return np.sum(transformations.rotation_matrix(v[0], [v[1], v[2], 1.0], [0.1, 0.2, v[0]]) * np.arange(16.0).reshape(4, 4))


@of_trimesh(0.3, 0.2, 0.8)
def euler_matrix(v):
    return np.sum(transformations.euler_matrix(v[0], v[1], v[2], 'sxyz') * np.arange(16.0).reshape(4, 4))


@of_trimesh(0.3, 0.2, 0.8)
def euler_back(v):
    a = transformations.euler_from_matrix(transformations.euler_matrix(v[0], v[1], v[2]))
    return a[0] + 2 * a[1] + 3 * a[2]


@of_trimesh(0.9, 0.3, 0.2, 0.8)
def quaternion_matrix(v):
    return np.sum(transformations.quaternion_matrix(v) * np.arange(16.0).reshape(4, 4))


@of_trimesh(0.9, 0.3, 0.2, 0.8)
def quaternion_product(v):
    return np.sum(transformations.quaternion_multiply(v, [0.5, 0.1, 0.2, 0.3]) * np.arange(4.0))


@of_trimesh(0.3, 0.2, 0.8)
def area(v):
    return np.sum(triangles.area((POINTS * v)[FACES]))


@of_trimesh(0.3, 0.2, 0.8)
def mass_properties(v):
    return triangles.mass_properties((POINTS * v)[FACES])['volume'] * 10


@of_trimesh(0.3, 0.2, 0.8)
def normals(v):
    n, valid = triangles.normals((POINTS * v)[FACES])
    return np.sum(n * np.arange(12.0).reshape(4, 3))


@of_trimesh(0.3, 0.2, 0.8)
def angles(v):
    return np.sum(triangles.angles((POINTS * v)[FACES]) * np.arange(12.0).reshape(4, 3))


@of_trimesh(0.3, 0.2, 0.8)
def mesh_volume(v):
    return trimesh.Trimesh(vertices=POINTS * v, faces=FACES, process=False).volume * 10


@of_trimesh(0.3, 0.2, 0.8)
def moved_points(v):
    return np.sum(trimesh.transform_points(POINTS, transformations.translation_matrix(v)) ** 2)


@of_trimesh(0.3, 0.2, 0.8)
def closest_point(v):
    return np.sum(triangles.closest_point(POINTS[FACES][:1], v.reshape(1, 3)) ** 2)


@of_geomdl(1.0, 2.0, 0.5)
def b_spline_curve(v):
    c = bspline.Curve()
    c.degree = 2
    c.ctrlpts = [[0.0, 0.0], [v[0], v[1]], [2.0, v[2]], [3.0, 0.0]]
    c.knotvector = [0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0]
    p = c.evaluate_single(0.3)
    return p[0] + 2 * p[1]


@of_geomdl(0.3)
def basis_functions(u):
    return sum(k * b for k, b in enumerate(helpers.basis_function(2, [0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0], 2, u)))


@of_geomdl(0.3, 0.7, 0.2)
def vectors(v):
    n = linalg.vector_normalize([v[0], v[1], v[2]])
    return linalg.vector_dot(n, [1.0, 2.0, 3.0]) + linalg.vector_cross([v[0], v[1], v[2]], [1.0, 2.0, 3.0])[0] + linalg.vector_magnitude([v[0], v[1]])


@of_splipy(0.3)
def spline_of_package(u):
    c = splipy.Curve(splipy.BSplineBasis(3), [[0.0, 0.0], [1.0, 2.0], [2.0, 0.5]])
    return np.sum(c(u))


@of_splipy(0.3, 0.7)
def spline_with_points(v):
    c = splipy.Curve(splipy.BSplineBasis(3), np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 0.5]]) * v[0])
    return np.sum(c(0.4) * v[1])


@of_trimesh(0.2, 0.4, 0.3)
def inertia_of_solids(v):
    return np.sum(inertia.cylinder_inertia(v[0], v[1], v[2])) + np.sum(inertia.sphere_inertia(v[0], v[1]))


@of_trimesh(0.2, 0.4, 0.3)
def plane_and_unit(v):
    return np.sum(geometry.plane_transform(v, np.array([0.0, 0.6, 0.8])) * np.arange(16.0).reshape(4, 4)) + trimesh.util.unitize(v)[0]


@of_trimesh(0.2, 0.4, 0.3)
def interpolated_quaternions(v):
    return np.sum(transformations.quaternion_slerp([1.0, 0.0, 0.0, 0.0], [0.8, v[0], v[1], v[2]], 0.3)) + np.sum(
        transformations.scale_matrix(v[0], v))
