"""Kernels whose derivatives the tests take."""
import math

from numba import cuda, float32, float64, int32, int64  # noqa: F401


@cuda.jit
def saxpy(a, x, y, out):
    i = cuda.grid(1)
    if i < x.shape[0]:
        out[i] = a * x[i] + y[i] * y[i]


@cuda.jit
def stencil(x, y):
    i = cuda.grid(1)
    if i == 0 or i >= x.shape[0] - 1:
        return
    y[i] = 0.3 * x[i - 1] * x[i] + math.sin(x[i + 1])


@cuda.jit
def in_place(x):
    i = cuda.grid(1)
    if i < x.shape[0]:
        x[i] = x[i] * x[i] + math.exp(x[i])


@cuda.jit
def total(x, out):
    tile = cuda.shared.array(8, float64)
    tx = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + tx
    tile[tx] = 0.0
    if i < x.shape[0]:
        tile[tx] = x[i] * x[i]
    cuda.syncthreads()
    step = 4
    while step > 0:
        if tx < step:
            tile[tx] += tile[tx + step]
        cuda.syncthreads()
        step //= 2
    if tx == 0:
        cuda.atomic.add(out, 0, tile[0] * tile[0])


@cuda.jit
def nbody(p, m, energy):
    i = cuda.grid(1)
    if i < p.shape[0]:
        e = 0.0
        for j in range(p.shape[0]):
            if j != i:
                dx = p[i, 0] - p[j, 0]
                dy = p[i, 1] - p[j, 1]
                e += m[i] * m[j] / math.sqrt(dx * dx + dy * dy)
        energy[i] = e


@cuda.jit
def matmul(a, b, c):
    ta = cuda.shared.array((4, 4), float64)
    tb = cuda.shared.array((4, 4), float64)
    i, j = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    s = 0.0
    for k in range(2):
        ta[tx, ty] = a[i, 4 * k + ty]
        tb[tx, ty] = b[4 * k + tx, j]
        cuda.syncthreads()
        for q in range(4):
            s += ta[tx, q] * tb[q, ty]
        cuda.syncthreads()
    c[i, j] = s * s


@cuda.jit
def newton(x, r):
    i = cuda.grid(1)
    if i < x.shape[0]:
        t = x[i]
        while abs(t * t - x[i]) > 1e-10:
            t = 0.5 * (t + x[i] / t)
        r[i] = t * x[i]


@cuda.jit
def powers(x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        t = x[i]
        for _ in range(5):
            t = math.sin(t) * x[i]
        y[i] = t


@cuda.jit(device=True)
def bump(u, v):
    return math.exp(-u * u) * v


@cuda.jit
def calls(x, w, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] += bump(x[i], w) + bump(x[(i + 1) % x.shape[0]], 2.0)


@cuda.jit
def functions(x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        t = x[i]
        y[i] = math.tanh(t) + math.log(t) * math.cos(t) + math.atan2(t, 2.0) + t ** 3 + math.fabs(t)


@cuda.jit
def kinks(x, y):
    i = cuda.grid(1)
    if i < x.shape[0] - 1:
        t = x[i]
        u = x[i + 1]
        y[i] = max(t, u) * min(t, 0.9) + math.hypot(t, u) + t ** u + math.pow(2.5, t) + math.gamma(t) + math.lgamma(u)


@cuda.jit
def histogram(x, bins, h):
    i = cuda.grid(1)
    if i < x.shape[0]:
        cuda.atomic.add(h, bins[i], x[i] * x[i])


@cuda.jit
def grid_stride(x, y, n):
    start = cuda.grid(1)
    step = cuda.gridsize(1)
    for i in range(start, n, step):
        y[i] = x[i] * x[i] * x[n - 1 - i]


@cuda.jit
def heat(u, v, c):
    i, j = cuda.grid(2)
    if i > 0 and j > 0 and i < u.shape[0] - 1 and j < u.shape[1] - 1:
        v[i, j] = u[i, j] + c * (u[i - 1, j] * u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])


@cuda.jit
def private(x, w, y):
    i = cuda.grid(1)
    t = cuda.local.array(3, float64)
    if i < x.shape[0]:
        for k in range(3):
            t[k] = x[i] * w[k]
        for k in range(1, 3):
            t[k] = math.sin(t[k]) * t[k - 1]
        y[i] = t[0] + t[1] * t[2]


@cuda.jit
def rounds(x, y):
    tile = cuda.shared.array(8, float64)
    tx = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[tx] = x[i]
    cuda.syncthreads()
    for _ in range(3):
        left = tile[(tx + 7) % 8]
        right = tile[(tx + 1) % 8]
        cuda.syncthreads()
        tile[tx] = math.sin(left) * right + 0.5 * tile[tx]
        cuda.syncthreads()
    y[i] = tile[tx] * tile[0]


@cuda.jit
def in_global(x, y):
    tx = cuda.threadIdx.x
    y[tx] = x[tx] * x[tx]
    cuda.syncthreads()
    t = y[(tx + 1) % 8]
    cuda.syncthreads()
    y[tx] = math.cos(t) * y[tx]


@cuda.jit
def shared_sums(x, bins, out):
    tile = cuda.shared.array(3, float64)
    tx = cuda.threadIdx.x
    i = cuda.grid(1)
    if tx < 3:
        tile[tx] = 0.0
    cuda.syncthreads()
    if i < x.shape[0]:
        cuda.atomic.add(tile, bins[i], x[i] * x[i])
    cuda.syncthreads()
    if tx < 3:
        cuda.atomic.add(out, tx, tile[tx] * tile[tx])


@cuda.jit
def early(x, y):
    i = cuda.grid(1)
    if i >= x.shape[0]:
        return
    if x[i] < 0.8:
        y[i] = x[i] * 3.0
        return
    s = 0.0
    for k in range(8):
        if k == 5:
            break
        if k % 2 == 0:
            continue
        s += math.exp(-x[i] * k) * y[i]
    y[i] = s


@cuda.jit
def places(x, y):
    place = cuda.grid(2)
    if place[0] < x.shape[0] and place[1] < x.shape[1]:
        y[place] = x[place] * x[0, place[1]]


@cuda.jit(device=True)
def twice(u):
    return bump(u, 1.5) + bump(2.0 * u, u)


@cuda.jit
def nested_calls(x, y):
    i = cuda.grid(1)
    if i < x.shape[0]:
        y[i] = twice(x[i]) * twice(x[i] + 1.0)
