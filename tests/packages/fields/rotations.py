"""Rotations and robotics."""
import numpy as np

from tests.packages.registry import load, package

euler, quaternions, axangles, affines = [load(f'transforms3d.{n}') for n in ('euler', 'quaternions', 'axangles', 'affines')]
shears, reflections = load('transforms3d.shears'), load('transforms3d.reflections')
of_transforms3d = package('transforms3d', 'transforms3d')
pr, pt, batch, trajectories = [load(f'pytransform3d.{n}') for n in ('rotations', 'transformations', 'batch_rotations', 'trajectories')]
of_pytransform3d = package('pytransform3d', 'pytransform3d.rotations')
pyquaternion = load('pyquaternion')
of_pyquaternion = package('pyquaternion', 'pyquaternion')
smb, sm = load('spatialmath.base'), load('spatialmath')
of_spatialmath = package('spatialmath-python', 'spatialmath')
quaternionic = load('quaternionic')
of_quaternionic = package('quaternionic', 'quaternionic')
W = np.arange(1.0, 10.0).reshape(3, 3)
W4 = np.arange(1.0, 17.0).reshape(4, 4)


@of_transforms3d(0.3, 0.2, 0.8)
def euler_to_matrix(v):
    return np.sum(euler.euler2mat(v[0], v[1], v[2], 'sxyz') * W)


@of_transforms3d(0.3, 0.2, 0.8)
def euler_and_back(v):
    a, b, c = euler.mat2euler(euler.euler2mat(v[0], v[1], v[2]))
    return a * b + c


@of_transforms3d(0.3, 0.2, 0.8)
def euler_to_quaternion(v):
    return np.sum(euler.euler2quat(v[0], v[1], v[2], 'rzyx') * W[0, 0] * np.array([1.0, 2.0, 3.0, 4.0]))


@of_transforms3d(0.3, 0.2, 0.8)
def euler_to_axis_and_angle(v):
    axis, angle = euler.euler2axangle(v[0], v[1], v[2])
    return np.sum(axis * np.array([1.0, 2.0, 3.0])) * angle


@of_transforms3d(0.9, 0.3, 0.2, 0.8)
def quaternion_to_matrix(v):
    return np.sum(quaternions.quat2mat(v) * W)


@of_transforms3d(0.9, 0.3, 0.2, 0.8)
def quaternion_products(v):
    q = quaternions.qmult(v, quaternions.qinverse(np.array([1.0, 0.2, 0.1, 0.3])))
    return np.sum(q * quaternions.qconjugate(v)) + quaternions.qnorm(v)


@of_transforms3d(0.3, 0.2, 0.8)
def quaternion_rotates(v):
    return np.sum(quaternions.rotate_vector(v, np.array([0.9, 0.1, 0.2, 0.3])) * W[0])


@of_transforms3d(0.3, 0.2, 0.8)
def quaternion_exp_log(v):
    q = quaternions.qexp(np.array([0.1, v[0], v[1], v[2]]))
    return np.sum(quaternions.qlog(q) * np.array([1.0, 2.0, 3.0, 4.0]))


@of_transforms3d(0.9, 0.3, 0.2, 0.1)
def quaternion_axis_angle(v):
    axis, angle = quaternions.quat2axangle(v)
    return axis[0] * angle + axis[2]


@of_transforms3d(0.3, 0.2, 0.8)
def matrix_to_quaternion(v):
    return np.sum(quaternions.mat2quat(euler.euler2mat(v[0], v[1], v[2])) * np.array([1.0, 2.0, 3.0, 4.0]))


@of_transforms3d(0.3, 0.2, 0.8, 0.7)
def axis_angle_to_matrix(v):
    return np.sum(axangles.axangle2mat(v[:3], v[3]) * W)


@of_transforms3d(0.3, 0.2, 0.8)
def matrix_to_axis_angle(v):
    axis, angle = axangles.mat2axangle(euler.euler2mat(v[0], v[1], v[2]))
    return np.sum(axis * W[0]) * angle


@of_transforms3d(0.3, 0.2, 0.8, 1.1, 1.2, 1.3)
def compose_affine(v):
    A = affines.compose(v[:3], euler.euler2mat(v[0], v[1], v[2]), v[3:])
    return np.sum(A * W4)


@of_transforms3d(0.3, 0.2, 0.8, 1.1, 1.2, 1.3)
def decompose_affine(v):
    A = affines.compose(v[:3], euler.euler2mat(v[0], v[1], v[2]), v[3:], [0.1, 0.2, 0.3])
    T, R, Z, S = affines.decompose44(A)
    return np.sum(T * W[0]) + np.sum(R * W) + np.sum(Z * W[1]) + np.sum(S * W[2])


@of_transforms3d(0.3, 0.2, 0.8)
def shear(v):
    return np.sum(shears.striu2mat(v) * W)


@of_transforms3d(0.3, 0.2, 0.8)
def reflection(v):
    return np.sum(reflections.rfnorm2aff(v) * W4)


@of_pytransform3d(0.3, 0.2, 0.8)
def matrix_from_axis_angle(v):
    return np.sum(pr.matrix_from_compact_axis_angle(v) * W)


@of_pytransform3d(0.9, 0.3, 0.2, 0.8)
def matrix_from_quaternion(v):
    return np.sum(pr.matrix_from_quaternion(v) * W)


@of_pytransform3d(0.3, 0.2, 0.8)
def matrix_from_euler(v):
    return np.sum(pr.matrix_from_euler(v, 0, 1, 2, True) * W)


@of_pytransform3d(0.3, 0.2, 0.8)
def quaternion_from_matrix(v):
    return np.sum(pr.quaternion_from_matrix(pr.matrix_from_compact_axis_angle(v)) * np.array([1.0, 2.0, 3.0, 4.0]))


@of_pytransform3d(0.3, 0.2, 0.8)
def axis_angle_from_matrix(v):
    return np.sum(pr.axis_angle_from_matrix(pr.matrix_from_compact_axis_angle(v)) * np.array([1.0, 2.0, 3.0, 4.0]))


@of_pytransform3d(0.9, 0.3, 0.2, 0.8)
def concatenated_quaternions(v):
    q = pr.concatenate_quaternions(v, np.array([0.5, 0.5, 0.5, 0.5]))
    return np.sum(pr.q_prod_vector(q, np.array([1.0, 2.0, 3.0])) * W[0])


@of_pytransform3d(0.9, 0.3, 0.2, 0.8)
def slerp(v):
    return np.sum(pr.quaternion_slerp(pr.norm_vector(v), np.array([1.0, 0.0, 0.0, 0.0]), 0.3) * np.array([1.0, 2.0, 3.0, 4.0]))


@of_pytransform3d(0.9, 0.3, 0.2, 0.8)
def quaternion_distance(v):
    return pr.quaternion_dist(v, np.array([1.0, 0.1, 0.0, 0.2]))


@of_pytransform3d(0.3, 0.2, 0.8)
def gibbs_and_mrp(v):
    q = pr.quaternion_from_mrp(v)
    return np.sum(pr.mrp_from_quaternion(q) * W[0]) + np.sum(pr.mrp_near_singularity(v))


@of_pytransform3d(0.3, 0.2, 0.8, 0.1, 0.4, 0.5)
def exponential_of_screw(v):
    return np.sum(pt.transform_from_exponential_coordinates(v) * W4)


@of_pytransform3d(0.3, 0.2, 0.8, 0.1, 0.4, 0.5)
def logarithm_of_transform(v):
    T = pt.transform_from_exponential_coordinates(v)
    return np.sum(pt.exponential_coordinates_from_transform(T) * np.arange(1.0, 7.0))


@of_pytransform3d(0.3, 0.2, 0.8, 0.1, 0.4, 0.5)
def adjoint_of_transform(v):
    return np.sum(pt.adjoint_from_transform(pt.transform_from_exponential_coordinates(v)) ** 2 * np.arange(6.0))


@of_pytransform3d(0.3, 0.2, 0.8, 0.9, 0.1, 0.4, 0.5)
def transform_from_pq(v):
    A = pt.transform_from_pq(v)
    return np.sum(pt.concat(A, pt.invert_transform(A)) * W4) + np.sum(pt.transform(A, np.array([1.0, 2.0, 3.0, 1.0])))


@of_pytransform3d(0.3, 0.2, 0.8, 0.1, 0.4, 0.5)
def dual_quaternion(v):
    dq = pt.dual_quaternion_from_transform(pt.transform_from_exponential_coordinates(v))
    return np.sum(pt.concatenate_dual_quaternions(dq, dq) * np.arange(8.0))


@of_pytransform3d(0.3, 0.2, 0.8)
def batch_matrices(v):
    return np.sum(batch.matrices_from_compact_axis_angles(np.stack([v, v * 0.5])) ** 2 * W)


@of_pytransform3d(0.3, 0.2, 0.8, 0.1, 0.4, 0.5)
def batch_transforms(v):
    return np.sum(trajectories.transforms_from_exponential_coordinates(np.stack([v, v * 0.5])) * W4)


@of_pyquaternion(0.9, 0.3, 0.2, 0.8)
def pyquaternion_products(v):
    q = pyquaternion.Quaternion(v[0], v[1], v[2], v[3])
    r = q * pyquaternion.Quaternion(0.5, 0.1, 0.2, 0.3)
    return r[0] * r[1] + r[2] - r[3]


@of_pyquaternion(0.9, 0.3, 0.2, 0.8)
def pyquaternion_from_array(v):
    q = pyquaternion.Quaternion(v)
    return np.sum(q.rotation_matrix * W)


@of_pyquaternion(0.9, 0.3, 0.2, 0.8)
def pyquaternion_rotates(v):
    q = pyquaternion.Quaternion(v[0], v[1], v[2], v[3])
    return np.sum(q.rotate(np.array([1.0, 2.0, 3.0])) * W[0])


@of_pyquaternion(0.3, 0.2, 0.8, 0.7)
def pyquaternion_axis_angle(v):
    q = pyquaternion.Quaternion(axis=v[:3], angle=v[3])
    return q.w * q.x + q.y * q.z


@of_pyquaternion(0.9, 0.3, 0.2, 0.8)
def pyquaternion_slerp(v):
    q = pyquaternion.Quaternion.slerp(pyquaternion.Quaternion(v[0], v[1], v[2], v[3]), pyquaternion.Quaternion(1.0, 0.0, 0.0, 0.0), 0.3)
    return q.w * q.x + q.y * q.z


@of_pyquaternion(0.9, 0.3, 0.2, 0.8)
def pyquaternion_exp_log(v):
    q = pyquaternion.Quaternion.exp(pyquaternion.Quaternion(v[0], v[1], v[2], v[3]))
    r = pyquaternion.Quaternion.log(q)
    return q.w * q.x + r.y * r.z


@of_pyquaternion(0.9, 0.3, 0.2, 0.8)
def pyquaternion_distance(v):
    return pyquaternion.Quaternion.absolute_distance(pyquaternion.Quaternion(v), pyquaternion.Quaternion(1.0, 0.1, 0.0, 0.0))


@of_pyquaternion(0.9, 0.3, 0.2, 0.8)
def pyquaternion_yaw(v):
    y, p, r = pyquaternion.Quaternion(v).yaw_pitch_roll
    return y * p + r


@of_spatialmath(0.3, 0.2, 0.8)
def rpy_to_rotation(v):
    return np.sum(smb.rpy2r(v[0], v[1], v[2]) * W)


@of_spatialmath(0.3, 0.2, 0.8)
def rotation_to_rpy(v):
    return np.sum(smb.tr2rpy(smb.rpy2r(v[0], v[1], v[2])) * W[0])


@of_spatialmath(0.3, 0.2, 0.8)
def matrix_exponential(v):
    return np.sum(smb.trexp(v) * W)


@of_spatialmath(0.3, 0.2, 0.8, 0.1, 0.4, 0.5)
def twist_exponential(v):
    return np.sum(smb.trexp(v) * W4)


@of_spatialmath(0.3, 0.2, 0.8)
def matrix_logarithm(v):
    return np.sum(smb.trlog(smb.rpy2r(v[0], v[1], v[2]), twist=True) * W[0])


@of_spatialmath(0.3, 0.2, 0.8)
def pose_class(v):
    T = sm.SE3.Tx(v[0]) * sm.SE3.Rx(v[1]) * sm.SE3.Ty(v[2])
    return np.sum(T.A * W4)


@of_spatialmath(0.3, 0.2, 0.8)
def rotation_class(v):
    R = sm.SO3.Rx(v[0]) * sm.SO3.Ry(v[1]) * sm.SO3.Rz(v[2])
    return np.sum(R.A * W)


@of_spatialmath(0.9, 0.3, 0.2, 0.8)
def quaternion_functions(v):
    q = smb.qqmul(v, smb.qconj(np.array([0.5, 0.1, 0.2, 0.3])))
    return np.sum(q * np.array([1.0, 2.0, 3.0, 4.0])) + np.sum(smb.q2r(smb.qunit(v)) * W)


@of_spatialmath(0.3, 0.2, 0.8)
def rotate_vector_2d(v):
    return np.sum(smb.rot2(v[0]) @ v[1:]) + np.sum(smb.transl2(v[1], v[2]) ** 2)


@of_spatialmath(0.3, 0.2, 0.8)
def vectors(v):
    return np.sum(smb.skew(v) * W) + smb.norm(v) + np.sum(smb.unitvec(v) * W[0]) + np.sum(smb.cross(v, W[1]) * W[2])


@of_quaternionic(0.9, 0.3, 0.2, 0.8)
def quaternionic_products(v):
    q = quaternionic.array(v)
    return np.sum((q * quaternionic.array(0.5, 0.1, 0.2, 0.3)).ndarray * np.array([1.0, 2.0, 3.0, 4.0]))


@of_quaternionic(0.9, 0.3, 0.2, 0.8)
def quaternionic_rotates(v):
    return np.sum(quaternionic.array(v).rotate(np.array([1.0, 2.0, 3.0])) * W[0])


@of_spatialmath(0.3, 0.4, 0.5)
def rates_of_angles(v):
    return np.sum(smb.rpy2jac(v) * np.arange(9.0).reshape(3, 3)) + np.sum(smb.exp2jac(v) * np.arange(9.0).reshape(3, 3))


@of_spatialmath(0.3, 0.4, 0.5)
def angle_and_axis(v):
    turned = smb.angvec2r(v[0], [0.0, 0.6, 0.8]) @ smb.rotx(v[1]) @ smb.eul2r(v[0], v[1], v[2])
    return np.sum(turned * np.arange(9.0).reshape(3, 3)) + np.sum(smb.tr2eul(turned))


@of_pytransform3d(0.3, 0.4, 0.5)
def axes_and_jacobians(v):
    return np.sum(pr.left_jacobian_SO3(v) * np.arange(9.0).reshape(3, 3)) + pr.angle_between_vectors(v, np.array([1.0, 0.2, 0.0])) \
        + np.sum(pr.perpendicular_to_vectors(v, np.array([1.0, 0.0, 0.0])))


@of_pytransform3d(0.3, 0.4, 0.5)
def quaternions_and_angles(v):
    return np.sum(pr.euler_from_quaternion(pr.quaternion_from_euler(v, 0, 1, 2, True), 0, 1, 2, True) * np.arange(3.0)) + np.sum(
        pr.axis_angle_from_quaternion(pr.quaternion_from_axis_angle(np.array([0.0, 0.6, 0.8, v[0]]))))


@of_pyquaternion(0.3, 0.4, 0.5)
def yaw_pitch_roll(v):
    q = pyquaternion.Quaternion(axis=[1.0, 0.0, 0.0], angle=v[0]) * pyquaternion.Quaternion(1.0, v[1], v[2], 0.1).normalised
    return q.rotation_matrix[1, 2] + q.angle + q.yaw_pitch_roll[0]


@of_pytransform3d(0.3, 0.4, 0.8)
def screw_of_an_axis(v):
    s = pt.screw_parameters_from_screw_axis(np.array([v[0], v[1], v[2], 0.1, 0.2, 0.3]) / np.linalg.norm(v))
    return np.sum(s[0]) + np.sum(s[1]) + s[2]


@of_pytransform3d(0.3, 0.4, 0.8)
def polar_decomposition(v):
    r = pr.matrix_from_compact_axis_angle(v) + 0.01 * np.arange(9.0).reshape(3, 3)
    return np.sum(pr.robust_polar_decomposition(r, n_iter=3) * np.arange(9.0).reshape(3, 3))
