"""Estimation and filtering."""
import numpy as np

from tests.packages.registry import load, package

kalman = load('filterpy.kalman')
common = load('filterpy.common')
stats = load('filterpy.stats')
gh = load('filterpy.gh')
leastsq = load('filterpy.leastsq')
memory = load('filterpy.memory')
hinfinity = load('filterpy.hinfinity')
bayes = load('filterpy.discrete_bayes')
of_filterpy = package('filterpy', 'filterpy.kalman')
ahrs = load('ahrs')
of_ahrs = package('ahrs', 'ahrs')


@of_filterpy(0.3, 1.2, 0.8, 0.1)
def predict_and_update(v):
    F, H = np.array([[1.0, 0.1], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    x, P = kalman.predict(v[:2], np.eye(2) * v[2], F, 0.01 * np.eye(2))
    x, P = kalman.update(x, P, v[3], 0.5, H)
    return np.sum(x ** 2) + np.sum(P)


@of_filterpy(0.3, 1.2, 0.8, 0.1, 0.5)
def kalman_filter_class(v):
    f = kalman.KalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([[v[0]], [v[1]]])
    f.F = np.array([[1.0, 0.1], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P = np.eye(2) * v[2]
    f.R = np.array([[v[4]]])
    f.Q = common.Q_discrete_white_noise(2, 0.1, 0.1)
    for z in (0.1, 0.3, 0.4):
        f.predict()
        f.update(z * v[3])
    return np.sum(f.x ** 2) + np.trace(f.P)


@of_filterpy(0.5, 0.4)
def log_likelihood_of_a_run(v):
    f = kalman.KalmanFilter(dim_x=2, dim_z=1)
    f.F = np.array([[1.0, 1.0], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P *= 10.0
    f.R *= v[0]
    f.Q = common.Q_discrete_white_noise(dim=2, dt=1.0, var=v[1])
    total = 0.0
    for z in (1.0, 2.1, 2.9, 4.2):
        f.predict()
        f.update(z)
        total = total + f.log_likelihood
    return total


@of_filterpy(0.3, 1.2, 0.8, 0.1)
def extended_kalman_filter(v):
    f = kalman.ExtendedKalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([[v[0]], [v[1]]])
    f.P = np.eye(2) * v[2]
    f.F = np.array([[1.0, 0.1], [0.0, 1.0]])
    f.R = np.array([[0.2]])
    f.predict()
    f.update(np.array([[v[3]]]), lambda x: np.array([[x[0, 0] * 2, 0.3]]), lambda x: np.array([[x[0, 0] ** 2]]))
    return np.sum(f.x ** 2) + np.sum(f.P)


def moved(x, dt):
    return np.array([x[0] + dt * x[1], x[1] - 0.1 * x[0]])


def seen(x):
    return np.array([x[0] ** 2 + x[1]])


@of_filterpy(0.3, 1.2, 0.8, 0.1)
def unscented_kalman_filter(v):
    points = kalman.MerweScaledSigmaPoints(2, alpha=0.1, beta=2.0, kappa=1.0)
    f = kalman.UnscentedKalmanFilter(dim_x=2, dim_z=1, dt=0.1, hx=seen, fx=moved, points=points)
    f.x = v[:2] * 1.0
    f.P = np.eye(2) * v[2]
    f.predict()
    f.update(np.array([v[3]]))
    return np.sum(f.x ** 2) + np.sum(f.P)


@of_filterpy(0.3, 1.2, 0.8)
def sigma_points(v):
    s = kalman.JulierSigmaPoints(2, kappa=1.0).sigma_points(v[:2], np.array([[v[2], 0.1], [0.1, 1.0]]))
    return np.sum(s ** 3)


@of_filterpy(0.3, 1.2, 0.8)
def unscented_transform(v):
    p = kalman.MerweScaledSigmaPoints(2, 0.3, 2.0, 1.0)
    s = p.sigma_points(v[:2], np.array([[v[2], 0.1], [0.1, 1.0]]))
    x, P = kalman.unscented_transform(s ** 2, p.Wm, p.Wc)
    return np.sum(x) + np.sum(P)


@of_filterpy(0.3, 1.2, 0.8, 0.1)
def information_filter(v):
    f = kalman.InformationFilter(dim_x=2, dim_z=1)
    f.x = np.array([[v[0]], [v[1]]])
    f.F = np.array([[1.0, 0.1], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P_inv = np.eye(2) * v[2]
    f.R_inv = np.array([[5.0]])
    f.Q = 0.01 * np.eye(2)
    f.predict()
    f.update(v[3])
    return np.sum(f.x ** 2) + np.sum(f.P_inv)


@of_filterpy(0.3, 1.2, 0.8, 0.1)
def square_root_filter(v):
    f = kalman.SquareRootKalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([[v[0]], [v[1]]])
    f.F = np.array([[1.0, 0.1], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P = np.eye(2) * v[2]
    f.predict()
    f.update(v[3])
    return np.sum(f.x ** 2) + np.sum(f.P)


@of_filterpy(0.3, 1.2, 0.8, 0.1)
def fading_kalman_filter(v):
    f = kalman.FadingKalmanFilter(alpha=1.02, dim_x=2, dim_z=1)
    f.x = np.array([[v[0]], [v[1]]])
    f.F = np.array([[1.0, 0.1], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P = np.eye(2) * v[2]
    f.predict()
    f.update(v[3])
    return np.sum(f.x ** 2) + np.sum(f.P)


@of_filterpy(0.3, 1.2, 0.8)
def rts_smoother(v):
    f = kalman.KalmanFilter(dim_x=2, dim_z=1)
    f.x = np.array([v[0], v[1]])
    f.F = np.array([[1.0, 1.0], [0.0, 1.0]])
    f.H = np.array([[1.0, 0.0]])
    f.P *= v[2]
    mu, cov, _, _ = f.batch_filter([1.0, 2.1, 2.9])
    x, P, K, Pp = f.rts_smoother(mu, cov)
    return np.sum(x ** 2) + np.sum(P)


@of_filterpy(0.1, 0.7)
def discrete_white_noise(v):
    return np.sum(common.Q_discrete_white_noise(3, v[0], v[1]))


@of_filterpy(0.1, 0.7)
def continuous_white_noise(v):
    return np.sum(common.Q_continuous_white_noise(3, v[0], v[1]))


@of_filterpy(0.1, 0.7)
def van_loan(v):
    phi, Q = common.van_loan_discretization(np.array([[0.0, 1.0], [-1.0, -v[1]]]), np.array([[0.0], [2.0]]), v[0])
    return np.sum(phi) + np.sum(Q)


@of_filterpy(0.3, 1.2, 0.8)
def gaussian(v):
    return stats.gaussian(v[0], v[1], v[2])


@of_filterpy(0.3, 1.2, 0.8, 0.4)
def gaussians_multiplied(v):
    m, s = stats.mul(v[0], v[1], v[2], v[3])
    return m * s


@of_filterpy(0.3, 1.2, 0.8)
def multivariate_gaussian(v):
    return stats.multivariate_gaussian(v[:2], np.array([0.1, 0.2]), np.eye(2) * v[2])


@of_filterpy(0.3, 1.2, 0.8)
def mahalanobis(v):
    return stats.mahalanobis(v[:2], np.array([0.1, 0.2]), np.array([[v[2], 0.1], [0.1, 1.0]]))


@of_filterpy(0.3, 1.2, 0.8)
def log_likelihood(v):
    return stats.log_likelihood(np.array([0.2]), v[:2], np.eye(2), np.array([[1.0, 0.0]]), np.array([[v[2]]]))


@of_filterpy(0.3, 1.2, 0.8, 0.4)
def gh_filter(v):
    f = gh.GHFilter(x=v[0], dx=v[1], dt=1.0, g=v[2], h=v[3])
    total = 0.0
    for z in (1.0, 2.1, 2.9):
        x, dx = f.update(z)
        total = total + x * dx
    return total


@of_filterpy(0.3, 1.2, 0.8, 0.4)
def ghk_filter(v):
    f = gh.GHKFilter(x=v[0], dx=v[1], ddx=0.0, dt=1.0, g=v[2], h=v[3], k=0.1)
    f.update(1.0)
    return f.update(2.0)[0] * 2


@of_filterpy(0.3, 1.2)
def least_squares_filter(v):
    f = leastsq.LeastSquaresFilter(dt=1.0, order=1)
    total = 0.0
    for z in (1.0, 2.1, 2.9):
        total = total + np.sum(f.update(z * v[0] + v[1]) ** 2)
    return total


@of_filterpy(0.3, 1.2)
def fading_memory_filter(v):
    f = memory.FadingMemoryFilter(x0=[v[0], v[1]], dt=1.0, order=1, beta=0.7)
    f.update(1.0)
    f.update(2.0)
    return np.sum(f.x ** 2)


@of_ahrs(0.3, 1.2, 0.8, 0.4)
def quaternion_product(v):
    q = ahrs.Quaternion(v)
    return np.sum(q.product(np.array([1.0, 0.2, 0.3, -0.4])) * np.array([1.0, 2.0, 3.0, 4.0]))


@of_ahrs(0.3, 1.2, 0.8, 0.4)
def quaternion_to_dcm(v):
    return np.sum(ahrs.Quaternion(v).to_DCM() * np.arange(9.0).reshape(3, 3))


@of_ahrs(0.3, 1.2, 0.8)
def ecef_to_geodetic_and_back(v):
    return np.sum(ahrs.common.frames.geodetic2ecef(v[0], v[1], v[2]) * np.array([1e-6, 2e-6, 3e-6]))


@of_ahrs(0.3, 0.2, 0.8)
def rotation_to_quaternion(v):
    return np.sum(ahrs.common.orientation.q_prod(np.array([1.0, v[0], v[1], v[2]]), np.array([0.5, 0.1, 0.2, 0.3])) ** 3)


@of_ahrs(0.3, 0.2, 0.8)
def acceleration_to_quaternion(v):
    return np.sum(ahrs.common.orientation.acc2q(v) * np.array([1.0, 2.0, 3.0, 4.0]))


@of_ahrs(0.3, 0.2, 0.8)
def mahony_filter(v):
    f = ahrs.filters.Mahony(frequency=100.0)
    q = f.updateIMU(np.array([1.0, 0.0, 0.0, 0.0]), v, np.array([0.1, 0.2, 9.7]))
    q = f.updateIMU(q, v * 0.9, np.array([0.1, 0.3, 9.7]))
    return np.sum(q * np.array([1.0, 2.0, 3.0, 4.0]))


@of_ahrs(0.3, 0.2, 0.8)
def madgwick_filter(v):
    f = ahrs.filters.Madgwick(frequency=100.0)
    q = f.updateIMU(np.array([1.0, 0.0, 0.0, 0.0]), v, np.array([0.1, 0.2, 9.7]))
    return np.sum(q * np.array([1.0, 2.0, 3.0, 4.0]))


@of_filterpy(0.2, 0.3, 0.4, 0.1)
def discrete_bayes(v):
    return np.dot(bayes.update(v, bayes.predict(v, 1, np.array([0.1, 0.8, 0.1]))), np.arange(4.0))


@of_filterpy(0.2, 0.3)
def fixed_lag_smoother(v):
    k = kalman.FixedLagSmoother(dim_x=2, dim_z=1, N=3)
    k.x, k.F, k.H = np.array([[v[0]], [v[1]]]), np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
    k.P *= 2.0
    k.Q *= 0.01
    for z in (1.0, 2.0):
        k.smooth(z)
    return k.x[0, 0] + k.x[1, 0]


@of_filterpy(0.2, 0.3)
def interacting_models(v):
    filters = [kalman.KalmanFilter(2, 1), kalman.KalmanFilter(2, 1)]
    for k, noise in zip(filters, (0.01, 0.1)):
        k.x, k.F, k.H = np.array([[v[0]], [v[1]]]), np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 0.0]])
        k.P *= 2.0
        k.Q *= noise
    m = kalman.IMMEstimator(filters, (0.5, 0.5), np.array([[0.97, 0.03], [0.03, 0.97]]))
    m.predict()
    m.update(np.array([[1.0]]))
    return m.x[0, 0] + m.x[1, 0]


@of_ahrs(0.7, 0.3, 0.4)
def electronic_compass(v):
    return np.sum(ahrs.common.orientation.ecompass(v, np.array([0.4, 0.1, 0.9]), frame='NED'))


@of_filterpy(0.7, 0.3)
def h_infinity_filter(v):
    f = hinfinity.HInfinityFilter(2, 1, 0, gamma=0.01)
    f.F = np.array([[1.0, 0.1], [0.0, 1.0]])
    f.x = np.array([[v[0]], [v[1]]])
    f.H = np.array([[1.0, 0.0]])
    f.V_inv = np.array([[2.0]])
    f.W = np.eye(2) * 0.01
    f.predict()
    f.update(np.array([[0.9]]))
    return np.sum(f.x) + np.sum(f.P)


@of_ahrs(0.3, 0.4, 0.8)
def tilt(v):
    return np.sum(ahrs.filters.Tilt().estimate(acc=v, mag=np.array([20.0, 3.0, -40.0])) * np.array([1.0, 2.0, 3.0, 4.0]))


@of_ahrs(0.3, 0.4, 0.8)
def triad(v):
    t = ahrs.filters.TRIAD(v1=np.array([0.0, 0.0, 1.0]), v2=np.array([0.8, 0.0, 0.6]))
    return np.sum(t.estimate(v, np.array([0.5, 0.1, -0.4])) * np.arange(9.0).reshape(3, 3))


@of_ahrs(0.3, 0.4, 0.8)
def saam(v):
    return np.sum(ahrs.filters.SAAM().estimate(acc=v, mag=np.array([20.0, 3.0, -40.0])) * np.array([1.0, 2.0, 3.0, 4.0]))
