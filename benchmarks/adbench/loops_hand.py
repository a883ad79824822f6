"""Hand tracking as loops, for Numba: where points on a hand are, and the Jacobian of their distances to given ones."""
import math

import numba
import numpy as np

import tangent

as_in_c = numba.njit(error_model='numpy', fastmath={'contract'})


@as_in_c
def product(a, b, c):
    """c = a @ b for transformations: 4 x 4 matrices, row by row, without the last row, which is 0, 0, 0, 1."""
    for i in range(3):
        for j in range(4):
            c[4 * i + j] = a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j]
        c[4 * i + 3] += a[4 * i + 3]


@as_in_c
def rotations(theta, bones):
    """Rz(tz) Ry(ty) Rx(tx) for each bone."""
    found = np.zeros((bones, 12))
    for b in range(bones):
        found[b, 0] = 1.0
        found[b, 5] = 1.0
        found[b, 10] = 1.0
    for finger in range(5):
        for joint in range(3):
            b = 2 + 4 * finger + joint
            tx = theta[6 + 4 * finger + (joint + 1 if joint > 0 else 0)]
            tz = theta[7 + 4 * finger] if joint == 0 else 0.0
            cx, sx, cz, sz = math.cos(tx), math.sin(tx), math.cos(tz), math.sin(tz)
            found[b, 0] = cz
            found[b, 1] = -sz * cx
            found[b, 2] = sz * sx
            found[b, 4] = sz
            found[b, 5] = cz * cx
            found[b, 6] = -cz * sx
            found[b, 9] = sx
            found[b, 10] = cx
    return found


@as_in_c
def global_rotation(theta):
    found = np.eye(3)
    norm = math.sqrt(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2])
    if norm >= 1e-4:
        x, y, z, s, c = theta[0] / norm, theta[1] / norm, theta[2] / norm, math.sin(norm), math.cos(norm)
        found[0, 0], found[0, 1], found[0, 2] = x * x + (1 - x * x) * c, x * y * (1 - c) - z * s, x * z * (1 - c) + y * s
        found[1, 0], found[1, 1], found[1, 2] = x * y * (1 - c) + z * s, y * y + (1 - y * y) * c, y * z * (1 - c) - x * s
        found[2, 0], found[2, 1], found[2, 2] = x * z * (1 - c) - y * s, z * y * (1 - c) + x * s, z * z + (1 - z * z) * c
    return found


@as_in_c
def vertices(theta, parents, relatives, inverses, positions, weights, mirrored):
    """Where the vertices of a hand are, in the pose theta."""
    bones, count = parents.shape[0], positions.shape[0]
    turns = rotations(theta, bones)
    absolute, transforms, relative = np.empty((bones, 12)), np.empty((bones, 12)), np.empty(12)
    for b in range(bones):
        product(relatives[b], turns[b], relative)
        if parents[b] == -1:
            absolute[b] = relative
        else:
            product(absolute[parents[b]], relative, absolute[b])
        product(absolute[b], inverses[b], transforms[b])
    turn = global_rotation(theta)
    found = np.empty((count, 3))
    blend = np.empty(12)
    for v in range(count):
        for i in range(12):
            blend[i] = 0.0
        for b in range(bones):
            for i in range(12):
                blend[i] += weights[v, b] * transforms[b, i]
        x = blend[0] * positions[v, 0] + blend[1] * positions[v, 1] + blend[2] * positions[v, 2] + blend[3]
        y = blend[4] * positions[v, 0] + blend[5] * positions[v, 1] + blend[6] * positions[v, 2] + blend[7]
        z = blend[8] * positions[v, 0] + blend[9] * positions[v, 1] + blend[10] * positions[v, 2] + blend[11]
        if mirrored:
            x = -x
        for i in range(3):
            found[v, i] = turn[i, 0] * x + turn[i, 1] * y + turn[i, 2] * z + theta[3 + i]
    return found


@as_in_c
def hand(theta, us, corners, points, parents, relatives, inverses, positions, weights, mirrored):
    """Distances of points to a hand: to vertices (`corners` of one column), or to points `us` on triangles."""
    at = vertices(theta, parents, relatives, inverses, positions, weights, mirrored)
    found = np.empty(points.shape)
    for n in range(points.shape[0]):
        for i in range(3):
            if corners.shape[1] == 1:
                found[n, i] = points[n, i] - at[corners[n, 0], i]
            else:
                u, v = us[n, 0], us[n, 1]
                found[n, i] = points[n, i] - (u * at[corners[n, 0], i] + v * at[corners[n, 1], i]
                                              + (1 - u - v) * at[corners[n, 2], i])
    return found


along = tangent.jvp(hand, ('theta', 'us'), batched=True)


@as_in_c
def hand_jacobian(theta, us, corners, points, parents, relatives, inverses, positions, weights, mirrored):
    """A row for each distance: by the two numbers in `us` of its point, if there are any, and by theta."""
    first = 2 if corners.shape[1] > 1 else 0
    columns = first + theta.shape[0]
    dtheta, dus = np.zeros((columns,) + theta.shape), np.zeros((columns,) + us.shape)
    for column in range(columns):
        if column < first:
            dus[column, :, column] = 1.0
        else:
            dtheta[column, column - first] = 1.0
    moved = along(theta, us, corners, points, parents, relatives, inverses, positions, weights, mirrored, dtheta, dus)
    return np.ascontiguousarray(moved.reshape(columns, points.size).T)


def arguments(theta, us, model, correspondences, points):
    """The arguments of `hand`, from those that `data.hand` gives."""
    corners = correspondences[:, None] if us is None else model.triangles[correspondences]
    return (theta, np.zeros((len(points), 2)) if us is None else us, np.ascontiguousarray(corners), points,
            np.array(model.parents), model.base_relatives.reshape(-1, 16), model.inverse_base_absolutes.reshape(-1, 16),
            model.base_positions, model.weights, model.is_mirrored)
