"""The programs of ADBench and GradBench, as a person writes them in plain NumPy; what is differentiated stands here.

Nothing here is written for the sake of a derivative.
"""
import math

import numpy as np
from scipy.special import multigammaln


def llsq(x, n):
    """Least squares: a polynomial with coefficients x against sign(t), on n points t."""
    t = np.linspace(-1.0, 1.0, n)
    powers = np.vander(t, len(x), increasing=True)
    return 0.5 * np.sum((np.sign(t) - powers @ x) ** 2)


def lse(x):
    """The logarithm of the sum of exponentials."""
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


def logsumexp_rows(a):
    top = np.max(a, axis=1)
    return top + np.log(np.sum(np.exp(a - top[:, None]), axis=1))


def gmm(alpha, mu, q, l, x, gamma, m):  # noqa: E741 - the names of the specification
    """The log posterior of a Gaussian mixture model."""
    n, d = x.shape
    k = len(alpha)
    columns, rows = np.triu_indices(d, 1)                # column by column, as l is stored
    factor = np.zeros((k, d, d))
    factor[:, rows, columns] = l
    factor[:, np.arange(d), np.arange(d)] = np.exp(q)
    centred = x[:, None, :] - mu
    y = np.einsum('cij,ncj->nci', factor, centred)
    beta = alpha + np.sum(q, axis=1) - 0.5 * np.sum(y * y, axis=2)
    lik = np.sum(logsumexp_rows(beta)) - n * (d / 2 * math.log(2 * math.pi) + lse(alpha))
    nu = d + m + 1
    constant = k * (nu * d * (math.log(gamma) - 0.5 * math.log(2)) - multigammaln(nu / 2, d))
    prior = constant - 0.5 * gamma ** 2 * (np.sum(np.exp(2 * q)) + np.sum(l ** 2)) + m * np.sum(q)
    return lik + prior


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def lstm(main, extra, state, sequence):
    """The loss of a diagonal LSTM on a text given as rows of bits."""
    layers, b = len(state) // 2, state.shape[1]
    h, s = list(state[0::2]), list(state[1::2])
    weights, biases = main[0::2], main[1::2]
    total = 0.0
    for t in range(len(sequence) - 1):
        u = sequence[t] * extra[0]
        for j in range(layers):
            w, v = weights[j], biases[j]
            forget = sigmoid(u * w[:b] + v[:b])
            ingate = sigmoid(h[j] * w[b:2 * b] + v[b:2 * b])
            outgate = sigmoid(u * w[2 * b:3 * b] + v[2 * b:3 * b])
            change = np.tanh(h[j] * w[3 * b:] + v[3 * b:])
            s[j] = s[j] * forget + ingate * change
            h[j] = outgate * np.tanh(s[j])
            u = h[j]
        y = u * extra[1] + extra[2]
        total += np.sum(sequence[t + 1] * (y - np.log(2 + np.sum(np.exp(y)))))
    return -total / (b * (len(sequence) - 1))


def rotate(r, x):
    """Rodrigues' formula."""
    squared = r @ r
    if squared == 0.0:
        return x + np.cross(r, x)
    theta = np.sqrt(squared)
    w = r / theta
    return x * np.cos(theta) + np.cross(w, x) * np.sin(theta) + w * (w @ x) * (1 - np.cos(theta))


def reprojection(cam, x, weight, feat):
    """The error of one observation in bundle adjustment, two numbers."""
    y = rotate(cam[:3], x - cam[3:6])
    p = y[:2] / y[2]
    q = p @ p
    p = p * (1 + cam[9] * q + cam[10] * q ** 2)
    return weight * (cam[6] * p + cam[7:9] - feat)


def weight_error(weight):
    return 1 - weight ** 2


def euler(angles):
    """Rz(tz) Ry(ty) Rx(tx) of (tx, tz, ty), as the upper left of a 4 x 4 matrix."""
    tx, tz, ty = angles
    cx, sx, cy, sy, cz, sz = np.cos(tx), np.sin(tx), np.cos(ty), np.sin(ty), np.cos(tz), np.sin(tz)
    around_x = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, cx, -sx, 0.0], [0.0, sx, cx, 0.0], [0.0, 0.0, 0.0, 1.0]])
    around_y = np.array([[cy, 0.0, sy, 0.0], [0.0, 1.0, 0.0, 0.0], [-sy, 0.0, cy, 0.0], [0.0, 0.0, 0.0, 1.0]])
    around_z = np.array([[cz, -sz, 0.0, 0.0], [sz, cz, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    return around_z @ around_y @ around_x


def global_rotation(r):
    norm = np.sqrt(r @ r)
    if norm < 1e-4:
        return np.eye(3)
    x, y, z = r / norm
    s, c = np.sin(norm), np.cos(norm)
    return np.array([[x * x + (1 - x * x) * c, x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
                     [x * y * (1 - c) + z * s, y * y + (1 - y * y) * c, y * z * (1 - c) - x * s],
                     [x * z * (1 - c) - y * s, z * y * (1 - c) + x * s, z * z + (1 - z * z) * c]])


def vertices(theta, model):
    """Where the vertices of a hand are, as rows, in the pose theta."""
    angles = np.zeros((len(model.parents), 3))
    for finger in range(5):
        first = 2 + 4 * finger
        angles[first, 0] = theta[6 + 4 * finger]
        angles[first, 1] = theta[7 + 4 * finger]
        angles[first + 1, 0] = theta[8 + 4 * finger]
        angles[first + 2, 0] = theta[9 + 4 * finger]
    absolute = []
    for bone, parent in enumerate(model.parents):
        relative = model.base_relatives[bone] @ euler(angles[bone])
        absolute.append(relative if parent == -1 else absolute[parent] @ relative)
    transforms = np.stack(absolute) @ model.inverse_base_absolutes
    positions = np.einsum('vb,bij,vj->vi', model.weights, transforms[:, :3], model.base_positions)
    if model.is_mirrored:
        positions = positions * np.array([-1.0, 1.0, 1.0])
    return positions @ global_rotation(theta[:3]).T + theta[3:6]


def hand(theta, us, model, correspondences, points):
    """Distances of points to a hand: to vertices, or where `us` are given to points on triangles."""
    found = vertices(theta, model)
    if us is None:
        return (points - found[correspondences]).ravel()
    corners = model.triangles[correspondences]
    u0, u1 = us[:, 0:1], us[:, 1:2]
    return (points - (u0 * found[corners[:, 0]] + u1 * found[corners[:, 1]]
                      + (1 - u0 - u1) * found[corners[:, 2]])).ravel()


def kmeans(centroids, points):
    """The sum of squared distances to the nearest centroid."""
    distances = np.sum((points[:, None, :] - centroids) ** 2, axis=2)
    return np.sum(np.min(distances, axis=1))


def chain(x, y):
    return x * np.concatenate([[1.0], y[:-1]])


def ode(x, s):
    """A chain of reactions after time 2, by s Runge-Kutta steps."""
    h = 2.0 / s
    y = np.zeros(len(x))
    for _ in range(s):
        k1 = chain(x, y)
        k2 = chain(x, y + h / 2 * k1)
        k3 = chain(x, y + h / 2 * k2)
        k4 = chain(x, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y[-1]


def det(a):
    """A determinant by expansion along the first row."""
    n = len(a)
    if n == 1:
        return a[0, 0]
    total = 0.0
    for j in range(n):
        minor = np.concatenate([a[1:, :j], a[1:, j + 1:]], axis=1)
        total += (-1) ** j * a[0, j] * det(minor)
    return total
