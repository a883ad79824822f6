"""The programs of ADBench as loops, for Numba: what is differentiated, and how its derivatives are put together."""
import math

import numba
import numpy as np

import tangent
from benchmarks.kernels import programs

programs.sigmoid = numba.njit(programs.sigmoid)
lstm = numba.njit(programs.lstm)


@numba.njit
def lse(x):
    top = x[0]
    for i in range(x.shape[0]):
        if x[i] > top:
            top = x[i]
    total = 0.0
    for i in range(x.shape[0]):
        total += math.exp(x[i] - top)
    return top + math.log(total)


@numba.njit
def gmm(alpha, mu, q, l, x, gamma, m):  # noqa: E741 - the names of the specification
    """The log posterior of a Gaussian mixture, without the constant of the prior."""
    n, d = x.shape
    k = alpha.shape[0]
    start = alpha + np.sum(q, axis=1)
    factor = np.zeros((k, d, d))
    for c in range(k):
        at = 0
        for column in range(d):
            factor[c, column, column] = math.exp(q[c, column])
            for row in range(column + 1, d):
                factor[c, row, column] = l[c, at]
                at += 1
    beta, v = np.empty(k), np.empty(d)
    lik = 0.0
    for i in range(n):
        for c in range(k):
            for j in range(d):
                v[j] = x[i, j] - mu[c, j]
            squares = 0.0
            for row in range(d):
                y = 0.0
                for column in range(row + 1):
                    y += factor[c, row, column] * v[column]
                squares += y * y
            beta[c] = start[c] - 0.5 * squares
        lik += lse(beta)
    prior = m * np.sum(q) - 0.5 * gamma * gamma * np.sum(factor * factor)
    return lik - n * lse(alpha) + prior


@numba.njit
def llsq(x, n):
    total = 0.0
    for i in range(n):
        t = -1.0 + 2.0 * i / (n - 1)
        residual, power = np.sign(t), 1.0
        for j in range(x.shape[0]):
            residual -= x[j] * power
            power *= t
        total += residual * residual
    return 0.5 * total


@numba.njit
def kmeans(centroids, points):
    total = 0.0
    for i in range(points.shape[0]):
        best = math.inf
        for c in range(centroids.shape[0]):
            distance = 0.0
            for j in range(points.shape[1]):
                difference = points[i, j] - centroids[c, j]
                distance += difference * difference
            if distance < best:
                best = distance
        total += best
    return total


@numba.njit
def chain(x, y):
    slope = np.empty(x.shape[0])
    slope[0] = x[0]
    for i in range(1, x.shape[0]):
        slope[i] = x[i] * y[i - 1]
    return slope


@numba.njit
def ode(x, s):
    h = 2.0 / s
    y = np.zeros(x.shape[0])
    for _ in range(s):
        k1 = chain(x, y)
        k2 = chain(x, y + h / 2 * k1)
        k3 = chain(x, y + h / 2 * k2)
        k4 = chain(x, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y[-1]


@numba.njit
def det(a):
    """A determinant by expansion along the first row."""
    n = a.shape[0]
    if n == 1:
        return a[0, 0]
    total, sign = 0.0, 1.0
    for j in range(n):
        minor = np.empty((n - 1, n - 1))
        for row in range(n - 1):
            for column in range(n - 1):
                minor[row, column] = a[row + 1, column if column < j else column + 1]
        total += sign * a[0, j] * det(minor)
        sign = -sign
    return total


as_in_c = numba.njit(error_model='numpy', fastmath={'contract'})       # what gcc does: no error for 1 / 0, x * y + z at once


@as_in_c
def reprojection(cam, x, weight, feature):
    """The two errors of one observation in bundle adjustment."""
    x0, x1, x2 = x[0] - cam[3], x[1] - cam[4], x[2] - cam[5]
    squared = cam[0] * cam[0] + cam[1] * cam[1] + cam[2] * cam[2]
    if squared == 0.0:
        y0 = x0 + cam[1] * x2 - cam[2] * x1
        y1 = x1 + cam[2] * x0 - cam[0] * x2
        y2 = x2 + cam[0] * x1 - cam[1] * x0
    else:
        theta = math.sqrt(squared)
        w0, w1, w2 = cam[0] / theta, cam[1] / theta, cam[2] / theta
        c, s = math.cos(theta), math.sin(theta)
        along = (w0 * x0 + w1 * x1 + w2 * x2) * (1 - c)
        y0 = x0 * c + (w1 * x2 - w2 * x1) * s + w0 * along
        y1 = x1 * c + (w2 * x0 - w0 * x2) * s + w1 * along
        y2 = x2 * c + (w0 * x1 - w1 * x0) * s + w2 * along
    p0, p1 = y0 / y2, y1 / y2
    q = p0 * p0 + p1 * p1
    radial = cam[6] * (1 + cam[9] * q + cam[10] * q * q)
    return weight * (radial * p0 + cam[7] - feature[0]), weight * (radial * p1 + cam[8] - feature[1])


@as_in_c
def weight_error(weight):
    return 1 - weight * weight


rows_of = tangent.jacobian(reprojection, (0, 1, 2), out=True)
of_weight = tangent.grad(weight_error)


@as_in_c
def ba(cameras, points, weights, features, of_camera, of_point):
    """The errors of all observations."""
    p = weights.shape[0]
    errors = np.empty(3 * p)
    for i in range(p):
        errors[2 * i], errors[2 * i + 1] = reprojection(cameras[of_camera[i]], points[of_point[i]], weights[i], features[i])
        errors[2 * p + i] = weight_error(weights[i])
    return errors


def ba_jacobian(cameras, points, weights, features, of_camera, of_point):
    """The sparse Jacobian of `ba`: (rows, columns, values) of compressed rows."""
    p = len(weights)
    found = np.empty(3 * p + 1, np.int64), np.empty(31 * p, np.int64), np.empty(31 * p)      # NumPy asks for large pages
    fill_jacobian(cameras, points, weights, features, of_camera, of_point, *found)
    return found


@as_in_c
def fill_jacobian(cameras, points, weights, features, of_camera, of_point, rows, columns, values):
    n, m, p = cameras.shape[0], points.shape[0], weights.shape[0]
    cam, x, feature = np.empty(11), np.empty(3), np.empty(2)
    of_cam, of_x, of_w = np.empty((2, 11)), np.empty((2, 3)), np.empty(2)
    rows[0] = 0
    for i in range(p):
        camera, point = of_camera[i], of_point[i]
        for j in range(11):
            cam[j] = cameras[camera, j]
        for j in range(3):
            x[j] = points[point, j]
        feature[0], feature[1] = features[i, 0], features[i, 1]
        rows_of(cam, x, weights[i], feature, of_cam, of_x, of_w)
        for k in range(2):
            at = 15 * (2 * i + k)
            for j in range(11):
                columns[at + j], values[at + j] = 11 * camera + j, of_cam[k, j]
            for j in range(3):
                columns[at + 11 + j], values[at + 11 + j] = 11 * n + 3 * point + j, of_x[k, j]
            columns[at + 14], values[at + 14] = 11 * n + 3 * m + i, of_w[k]
            rows[2 * i + k + 1] = at + 15
        columns[30 * p + i], values[30 * p + i] = 11 * n + 3 * m + i, of_weight(weights[i])
        rows[2 * p + i + 1] = 30 * p + i + 1
