"""Solvers of small systems, transforms, filters, graphs, counting, and layers of networks."""
import numpy as np


def thomas(a, b, c, d):
    """A tridiagonal system, its right-hand side overwritten by the solution."""
    n = len(d)
    for i in range(1, n):
        w = a[i - 1] / b[i - 1]
        b[i] -= w * c[i - 1]
        d[i] -= w * d[i - 1]
    d[-1] /= b[-1]
    for i in range(n - 2, -1, -1):
        d[i] = (d[i] - c[i] * d[i + 1]) / b[i]


def stockham_fft(N, R, K, x, y):
    """Self-sorting FFT of N = R**K complex numbers, in the form of npbench."""
    dft_mat = np.empty((R, R), dtype=np.complex128)
    i_coord, j_coord = np.mgrid[0:R, 0:R]
    dft_mat[:] = np.exp(-2.0j * np.pi * i_coord * j_coord / R)
    y[:] = x[:]
    ii_coord, jj_coord = np.mgrid[0:R, 0:R**K]
    for i in range(K):
        yv = np.reshape(y, (R**i, R, R**(K - i - 1)))
        tmp_perm = np.transpose(yv, axes=(1, 0, 2))
        D = np.empty((R, R**i, R**(K - i - 1)), dtype=np.complex128)
        tmp = np.exp(-2.0j * np.pi * ii_coord[:, :R**i] * jj_coord[:, :R**i] / R**(i + 1))
        D[:] = np.repeat(np.reshape(tmp, (R, R**i, 1)), R**(K - i - 1), axis=2)
        tmp_twid = np.reshape(tmp_perm, (N, )) * np.reshape(D, (N, ))
        y[:] = np.reshape(dft_mat @ np.reshape(tmp_twid, (R, R**(K - 1))), (N, ))


def stockham_radix2(x):
    """Radix 2 with two buffers that swap places."""
    n = len(x)
    a, b = x.astype(complex), np.zeros(n, dtype=complex)
    half, stride = n // 2, 1
    while half >= 1:
        for p in range(half):
            w = np.exp(-1j * np.pi * p / half)
            for q in range(stride):
                u, v = a[q + stride * p], a[q + stride * (p + half)]
                b[q + stride * 2 * p] = u + v
                b[q + stride * (2 * p + 1)] = (u - v) * w
        a, b = b, a
        half, stride = half // 2, stride * 2
    return np.abs(a)**2


def floyd_warshall(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


def floyd_warshall_loops(path):
    n = len(path)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if path[i, k] + path[k, j] < path[i, j]:
                    path[i, j] = path[i, k] + path[k, j]


def nussinov(N, score):
    """The score of the best folding, where a pair (i, j) counts score[i, j]."""
    table = np.zeros((N, N), score.dtype)
    for i in range(N - 1, -1, -1):
        for j in range(i + 1, N):
            if j - 1 >= 0:
                table[i, j] = np.maximum(table[i, j], table[i, j - 1])
            if i + 1 < N:
                table[i, j] = np.maximum(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < N:
                if i < j - 1:
                    table[i, j] = np.maximum(table[i, j], table[i + 1, j - 1] + score[i, j])
                else:
                    table[i, j] = np.maximum(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = np.maximum(table[i, j], table[i, k] + table[k + 1, j])
    return table


def histogram(index, weights, bins):
    counts = np.zeros(bins)
    np.add.at(counts, index, weights)
    counts /= counts.sum()
    np.cumsum(counts, out=counts)
    return counts


def scatter_pairs(index, x, force):
    """Forces of springs, added at both ends."""
    i, j = index
    f = np.tanh(x[i] - x[j])
    np.add.at(force, i, -f)
    np.subtract.at(force, j, -f)


def kalman(A, H, Q, R, x, P, zs):
    estimates = np.empty((len(zs), len(x)))
    likelihood = 0.0
    eye = np.eye(len(x))
    for k, z in enumerate(zs):
        x[:] = A @ x
        P[:] = A @ P @ A.T + Q
        innovation = z - H @ x
        S = H @ P @ H.T + R
        K = np.linalg.solve(S, H @ P).T
        x += K @ innovation
        P[...] = (eye - K @ H) @ P
        estimates[k] = x
        likelihood += innovation @ np.linalg.solve(S, innovation) + np.log(np.linalg.det(S))
    return estimates, likelihood


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def lstm(W, U, b, xs, h, c):
    """An LSTM whose four gates live in one array made beforehand."""
    n = len(h)
    gates = np.empty(4 * n)
    outputs = np.zeros((len(xs), n))
    for t in range(len(xs)):
        np.dot(W, xs[t], out=gates)
        gates += U @ h
        gates += b
        gates[:3 * n] = sigmoid(gates[:3 * n])
        np.tanh(gates[3 * n:], out=gates[3 * n:])
        i, f, o, g = gates[:n], gates[n:2 * n], gates[2 * n:3 * n], gates[3 * n:]
        c *= f
        c += i * g
        h[:] = o * np.tanh(c)
        outputs[t, :] = h
    return outputs


def conv2d(input, weights):
    """A convolution with bias, loops over the windows (npbench's form)."""
    K = weights.shape[0]
    N = input.shape[0]
    H_out = input.shape[1] - K + 1
    W_out = input.shape[2] - K + 1
    C_out = weights.shape[3]
    output = np.empty((N, H_out, W_out, C_out), dtype=input.dtype)
    for i in range(H_out):
        for j in range(W_out):
            output[:, i, j, :] = np.sum(input[:, i:i + K, j:j + K, :, np.newaxis] * weights[np.newaxis, :, :, :],
                                        axis=(1, 2, 3))
    return output


def conv2d_bias(input, weights, bias):
    return conv2d(input, weights) + bias


def maxpool2d(x):
    output = np.empty([x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]], dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            output[:, i, j, :] = np.max(x[:, 2 * i:2 * i + 2, 2 * j:2 * j + 2, :], axis=(1, 2))
    return output


def softmax(x):
    tmp_max = np.max(x, axis=-1, keepdims=True)
    tmp_out = np.exp(x - tmp_max)
    tmp_sum = np.sum(tmp_out, axis=-1, keepdims=True)
    return tmp_out / tmp_sum


def softmax_in_place(x):
    x -= np.max(x, axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def spmv(A_row, A_col, A_val, x):
    y = np.empty(A_row.size - 1, A_val.dtype)
    for i in range(A_row.size - 1):
        cols = A_col[A_row[i]:A_row[i + 1]]
        vals = A_val[A_row[i]:A_row[i + 1]]
        y[i] = vals @ x[cols]
    return y


def azimint(data, radius, npt):
    """Means of the data in rings."""
    rmax = radius.max()
    res = np.zeros(npt, dtype=np.float64)
    for i in range(npt):
        r1 = rmax * i / npt
        r2 = rmax * (i + 1) / npt
        mask_r12 = np.logical_and((r1 <= radius), (radius < r2))
        values_r12 = data[mask_r12]
        res[i] = values_r12.mean()
    return res


def go_fast(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


def gauss_jordan(A, b):
    """Elimination with row swaps, in place."""
    n = len(b)
    for k in range(n):
        pivot = k + np.argmax(np.abs(A[k:, k]))
        if pivot != k:
            A[[k, pivot]] = A[[pivot, k]]
            b[k], b[pivot] = b[pivot], b[k]
        b[k] /= A[k, k]
        A[k] /= A[k, k]
        for i in range(n):
            if i != k:
                b[i] -= A[i, k] * b[k]
                A[i] -= A[i, k] * A[k]


def bubble_sort(x):
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]


def power_iteration(A, v, steps):
    w = np.empty_like(v)
    for _ in range(steps):
        np.matmul(A, v, out=w)
        w /= np.sqrt(w @ w)
        v, w = w, v
    return v @ A @ v


def conjugate_gradients(A, b, x, steps):
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for _ in range(steps):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        new = r @ r
        p *= new / rs
        p += r
        rs = new


def game_of_waves(grid, steps):
    """A cellular rule on a torus: np.roll, masks, and two grids in a dict."""
    state = {'now': grid, 'next': np.zeros_like(grid)}
    for _ in range(steps):
        now, new = state['now'], state['next']
        new[...] = 0.0
        for axis in (0, 1):
            for shift in (-1, 1):
                new += np.roll(now, shift, axis)
        new[new > 2.0] *= 0.5
        new += 0.1 * now**2
        state['now'], state['next'] = new, now
    return state['now']
