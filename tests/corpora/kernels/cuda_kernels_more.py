"""Kernels as people write them: those of tutorials and of simulation codes. Their derivatives are taken by the tests."""
import math

import numpy as np
from numba import cuda, float32, float64, int32  # noqa: F401

WEIGHTS = np.array([0.1, 0.25, 0.3, 0.25, 0.1])
TPB = 4


@cuda.jit
def fast_matmul(A, B, C):
    """Numba's own example: tiles with bounds."""
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float64)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float64)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    bpg = cuda.gridDim.x
    tmp = 0.
    for i in range(bpg):
        sA[ty, tx] = 0
        sB[ty, tx] = 0
        if y < A.shape[0] and (tx + i * TPB) < A.shape[1]:
            sA[ty, tx] = A[y, tx + i * TPB]
        if x < B.shape[1] and (ty + i * TPB) < B.shape[0]:
            sB[ty, tx] = B[ty + i * TPB, x]
        cuda.syncthreads()
        for j in range(TPB):
            tmp += sA[ty, j] * sB[j, tx]
        cuda.syncthreads()
    if y < C.shape[0] and x < C.shape[1]:
        C[y, x] = tmp


@cuda.jit
def matmul_plain(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        tmp = 0.
        for k in range(A.shape[1]):
            tmp += A[i, k] * B[k, j]
        C[i, j] = tmp


@cuda.jit
def block_sum(x, partial):
    """A tree that halves its stride; each block leaves its sum."""
    s = cuda.shared.array(8, float64)
    tid = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    s[tid] = math.exp(x[i]) if i < x.shape[0] else 0.0
    cuda.syncthreads()
    stride = cuda.blockDim.x // 2
    while stride > 0:
        if tid < stride:
            s[tid] += s[tid + stride]
        cuda.syncthreads()
        stride //= 2
    if tid == 0:
        partial[cuda.blockIdx.x] = s[0]


@cuda.jit
def prefix_sum(x, y):
    """Hillis and Steele, in one block."""
    s = cuda.shared.array(8, float64)
    t = cuda.threadIdx.x
    s[t] = x[t] * x[t]
    cuda.syncthreads()
    offset = 1
    while offset < 8:
        v = 0.0
        if t >= offset:
            v = s[t - offset]
        cuda.syncthreads()
        s[t] += v
        cuda.syncthreads()
        offset *= 2
    y[t] = s[t]


@cuda.jit
def halo_stencil(x, y, c):
    """A tile with its neighbours on both sides."""
    s = cuda.shared.array(10, float64)
    i = cuda.grid(1)
    t = cuda.threadIdx.x + 1
    n = x.shape[0]
    if i < n:
        s[t] = x[i]
        if cuda.threadIdx.x == 0 and i > 0:
            s[0] = x[i - 1]
        if cuda.threadIdx.x == cuda.blockDim.x - 1 and i < n - 1:
            s[t + 1] = x[i + 1]
    cuda.syncthreads()
    if i > 0 and i < n - 1:
        y[i] = s[t] + c * (s[t - 1] * s[t] - 2.0 * s[t] + s[t + 1])


@cuda.jit(device=True)
def cnd(d):
    K = 1.0 / (1.0 + 0.2316419 * math.fabs(d))
    ret_val = 0.3989422804014327 * math.exp(-0.5 * d * d) * (
        K * (0.31938153 + K * (-0.356563782 + K * (1.781477937 + K * (-1.821255978 + K * 1.330274429)))))
    if d > 0:
        ret_val = 1.0 - ret_val
    return ret_val


@cuda.jit
def black_scholes(call, put, S, X, T, R, V):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    if i >= S.shape[0]:
        return
    sqrtT = math.sqrt(T[i])
    d1 = (math.log(S[i] / X[i]) + (R + 0.5 * V * V) * T[i]) / (V * sqrtT)
    d2 = d1 - V * sqrtT
    cndd1 = cnd(d1)
    cndd2 = cnd(d2)
    expRT = math.exp((-1. * R) * T[i])
    call[i] = S[i] * cndd1 - X[i] * expRT * cndd2
    put[i] = X[i] * expRT * (1.0 - cndd2) - S[i] * (1.0 - cndd1)


@cuda.jit
def nbody_tiled(pos, mass, acc):
    """Positions of a block at a time in shared memory, three coordinates."""
    tile = cuda.shared.array((4, 4), float64)
    i = cuda.grid(1)
    tx = cuda.threadIdx.x
    ax = 0.0
    ay = 0.0
    az = 0.0
    for b in range(cuda.gridDim.x):
        k = b * cuda.blockDim.x + tx
        tile[tx, 0] = pos[k, 0]
        tile[tx, 1] = pos[k, 1]
        tile[tx, 2] = pos[k, 2]
        tile[tx, 3] = mass[k]
        cuda.syncthreads()
        for j in range(4):
            dx = tile[j, 0] - pos[i, 0]
            dy = tile[j, 1] - pos[i, 1]
            dz = tile[j, 2] - pos[i, 2]
            r2 = dx * dx + dy * dy + dz * dz + 0.01
            inv = 1.0 / (r2 * math.sqrt(r2))
            ax += tile[j, 3] * dx * inv
            ay += tile[j, 3] * dy * inv
            az += tile[j, 3] * dz * inv
        cuda.syncthreads()
    acc[i, 0] = ax
    acc[i, 1] = ay
    acc[i, 2] = az


@cuda.jit
def heat_3d(u, v, c):
    i, j, k = cuda.grid(3)
    if 0 < i < u.shape[0] - 1 and 0 < j < u.shape[1] - 1 and 0 < k < u.shape[2] - 1:
        v[i, j, k] = u[i, j, k] * u[i, j, k] + c * (u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k] + u[i, j + 1, k]
                                                   + u[i, j, k - 1] + u[i, j, k + 1] - 6.0 * u[i, j, k])


@cuda.jit
def convolve(x, y):
    """A filter in constant memory."""
    w = cuda.const.array_like(WEIGHTS)
    i = cuda.grid(1)
    if i < x.shape[0]:
        s = 0.0
        for k in range(5):
            at = i + k - 2
            if at >= 0 and at < x.shape[0]:
                s += w[k] * x[at] * x[at]
        y[i] = s


@cuda.jit
def spmv(data, indices, indptr, x, y):
    row = cuda.grid(1)
    if row < y.shape[0]:
        acc = 0.0
        for k in range(indptr[row], indptr[row + 1]):
            acc += data[k] * x[indices[k]]
        y[row] = acc


@cuda.jit
def softmax_rows(x, y):
    """A thread for each row."""
    i = cuda.grid(1)
    if i < x.shape[0]:
        top = x[i, 0]
        for j in range(1, x.shape[1]):
            top = max(top, x[i, j])
        total = 0.0
        for j in range(x.shape[1]):
            total += math.exp(x[i, j] - top)
        for j in range(x.shape[1]):
            y[i, j] = math.exp(x[i, j] - top) / total


@cuda.jit
def layer_norm(x, gain, y):
    """A block for each row: two reductions."""
    s = cuda.shared.array(4, float64)
    row = cuda.blockIdx.x
    t = cuda.threadIdx.x
    s[t] = x[row, t]
    cuda.syncthreads()
    if t == 0:
        total = 0.0
        for k in range(4):
            total += s[k]
        s[0] = total / 4
    cuda.syncthreads()
    mean = s[0]
    cuda.syncthreads()
    d = x[row, t] - mean
    s[t] = d * d
    cuda.syncthreads()
    var = 0.0
    for k in range(4):
        var += s[k]
    y[row, t] = gain[t] * d / math.sqrt(var / 4 + 1e-3)


@cuda.jit
def interpolate(table, x, y):
    """Linear, between the entries of a table."""
    i = cuda.grid(1)
    if i < x.shape[0]:
        at = x[i] * (table.shape[0] - 1)
        k = int(at)
        f = at - k
        y[i] = table[k] * (1.0 - f) + table[k + 1] * f


@cuda.jit
def deposit(x, q, grid, h):
    """Charge of particles onto the two nearest points of a grid."""
    i = cuda.grid(1)
    if i < x.shape[0]:
        at = x[i] / h
        k = int(math.floor(at))
        f = at - k
        cuda.atomic.add(grid, k, q[i] * (1.0 - f))
        cuda.atomic.add(grid, k + 1, q[i] * f)


@cuda.jit
def pairwise(a, b, d):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < b.shape[0]:
        s = 0.0
        for k in range(a.shape[1]):
            t = a[i, k] - b[j, k]
            s += t * t
        d[i, j] = math.sqrt(s)


@cuda.jit(device=True)
def dot_row(a, i, w):
    s = 0.0
    for k in range(w.shape[0]):
        s += a[i, k] * w[k]
    return s


@cuda.jit
def linear_rows(a, w, y):
    i = cuda.grid(1)
    if i < a.shape[0]:
        y[i] = math.tanh(dot_row(a, i, w))


@cuda.jit
def transpose(a, b):
    tile = cuda.shared.array((4, 5), float64)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    x = cuda.blockIdx.x * 4 + tx
    y = cuda.blockIdx.y * 4 + ty
    tile[ty, tx] = a[y, x] * a[y, x]
    cuda.syncthreads()
    b[cuda.blockIdx.x * 4 + ty, cuda.blockIdx.y * 4 + tx] = tile[tx, ty]


@cuda.jit
def grid_stride_sum(x, w, out):
    acc = 0.0
    for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
        acc += math.sin(x[i]) * w
    cuda.atomic.add(out, 0, acc)


@cuda.jit
def rk4(x, k, y, steps, dt):
    i = cuda.grid(1)
    if i < x.shape[0]:
        s = x[i]
        for _ in range(steps):
            k1 = -k[i] * s
            k2 = -k[i] * (s + 0.5 * dt * k1)
            k3 = -k[i] * (s + 0.5 * dt * k2)
            k4 = -k[i] * (s + dt * k3)
            s = s + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4) * s
        y[i] = s


@cuda.jit
def relu_bias(x, b, y):
    i, j = cuda.grid(2)
    if i < x.shape[0] and j < x.shape[1]:
        y[i, j] = max(0.0, x[i, j] + b[j])


@cuda.jit(device=True)
def store_pair(out, i, u, v):
    out[i, 0] = u * v
    out[i, 1] = u / v


@cuda.jit(device=True)
def clamped(u, low=0.2, high=1.2):
    u = max(u, low)
    return min(u, high)


@cuda.jit(device=True)
def polynomial(c, u):
    """Horner's rule, with a loop and a number of its own."""
    s = c[c.shape[0] - 1]
    for k in range(2, c.shape[0] + 1):
        s = s * u + c[c.shape[0] - k]
    return s


@cuda.jit(device=True)
def both(c, u):
    s = polynomial(c, u)
    return s, s * clamped(u)


@cuda.jit
def written_by_devices(c, x, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        s = 2.0 * x[i]
        for _ in range(2):
            a, b = both(c, s)
            s = a * 0.1 + clamped(b, 0.1)
        store_pair(out, i, s + polynomial(c, x[i]), x[i])
