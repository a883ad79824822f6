"""Adjoints by hand of stencils, sweeps and filters: what is linear keeps no tape."""
import numpy as np
from numba import njit


@njit
def jacobi_half(a, b):
    n, m = a.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])


@njit
def jacobi_half_back(b, c, r):
    """What is owed to `b`, which the half-step wrote, is given to `c`; r: zeros around a row."""
    n, m = b.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            r[j + 1] = 0.2 * b[i, j]
            b[i, j] = 0.0
        for j in range(1, m - 1):
            c[i - 1, j] += r[j + 1]
        for j in range(1, m - 1):
            c[i + 1, j] += r[j + 1]
        for j in range(m):
            c[i, j] += r[j] + r[j + 1] + r[j + 2]


@njit
def jacobi_loops(steps, a, b):
    for _ in range(1, steps):
        jacobi_half(a, b)
        jacobi_half(b, a)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] *= 2.0
            b[i, j] *= 2.0
    r = np.zeros(a.shape[1] + 2)
    for _ in range(1, steps):
        jacobi_half_back(a, b, r)
        jacobi_half_back(b, a, r)


def jacobi_2d(TSTEPS, A, B):
    a, b = A.copy(), B.copy()
    jacobi_loops(TSTEPS, a, b)
    return a, b


@njit
def seidel_loops(steps, n, a):
    for _ in range(1, steps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                a[i, j] += (a[i - 1, j - 1] + a[i - 1, j] + a[i - 1, j + 1] + a[i, j + 1] + a[i + 1, j - 1] + a[i + 1, j]
                            + a[i + 1, j + 1])
            for j in range(1, n - 1):
                a[i, j] = (a[i, j] + a[i, j - 1]) / 9.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            a[i, j] *= 2.0
    for _ in range(1, steps):
        for i in range(n - 2, 0, -1):
            for j in range(n - 2, 0, -1):
                a[i, j] /= 9.0
                a[i, j - 1] += a[i, j]
            for other in (i - 1, i + 1):
                for j in range(1, n - 1):
                    a[other, j - 1] += a[i, j]
                for j in range(1, n - 1):
                    a[other, j] += a[i, j]
                for j in range(1, n - 1):
                    a[other, j + 1] += a[i, j]
            for j in range(n - 2, 0, -1):
                a[i, j + 1] += a[i, j]


def seidel_2d(TSTEPS, N, A):
    a = A.copy()
    seidel_loops(TSTEPS, N, a)
    return a,


@njit
def hdiff_loops(f, c, lap, flx, fly, bf, bc):
    n, m, p = c.shape
    for i in range(n + 2):
        for j in range(m + 2):
            for k in range(p):
                lap[i + 1, j + 1, k] = 4.0 * f[i + 1, j + 1, k] - (f[i + 2, j + 1, k] + f[i, j + 1, k]
                                                                   + f[i + 1, j + 2, k] + f[i + 1, j, k])
    for i in range(n + 1):
        for j in range(m):
            for k in range(p):
                r = lap[i + 2, j + 2, k] - lap[i + 1, j + 2, k]
                flx[i, j, k] = 0.0 if r * (f[i + 2, j + 2, k] - f[i + 1, j + 2, k]) > 0 else r
    for i in range(n):
        for j in range(m + 1):
            for k in range(p):
                r = lap[i + 2, j + 2, k] - lap[i + 2, j + 1, k]
                fly[i, j, k] = 0.0 if r * (f[i + 2, j + 2, k] - f[i + 2, j + 1, k]) > 0 else r
    lap[:] = 0.0                                # from here on its gradient, and that of `out` waits in `bf`
    for i in range(n):
        for j in range(m):
            for k in range(p):
                d = flx[i + 1, j, k] - flx[i, j, k] + fly[i, j + 1, k] - fly[i, j, k]
                g = 2.0 * (f[i + 2, j + 2, k] - c[i, j, k] * d)
                bf[i + 2, j + 2, k] = g
                bc[i, j, k] = -g * d
    for i in range(n):
        for j in range(m):
            for k in range(p):
                g = c[i, j, k] * bf[i + 2, j + 2, k]
                right, left = g if flx[i + 1, j, k] != 0.0 else 0.0, g if flx[i, j, k] != 0.0 else 0.0
                up, down = g if fly[i, j + 1, k] != 0.0 else 0.0, g if fly[i, j, k] != 0.0 else 0.0
                lap[i + 3, j + 2, k] -= right
                lap[i + 1, j + 2, k] -= left
                lap[i + 2, j + 3, k] -= up
                lap[i + 2, j + 1, k] -= down
                lap[i + 2, j + 2, k] += right + left + up + down
    for i in range(n + 2):
        for j in range(m + 2):
            for k in range(p):
                bf[i + 1, j + 1, k] += 4.0 * lap[i + 1, j + 1, k] - (lap[i, j + 1, k] + lap[i + 2, j + 1, k]
                                                                     + lap[i + 1, j, k] + lap[i + 1, j + 2, k])
    for k in range(p):                          # the edges, which only a neighbour reads
        for j in range(m + 2):
            bf[0, j + 1, k] = -lap[1, j + 1, k]
            bf[n + 3, j + 1, k] = -lap[n + 2, j + 1, k]
        for i in range(n + 2):
            bf[i + 1, 0, k] = -lap[i + 1, 1, k]
            bf[i + 1, m + 3, k] = -lap[i + 1, m + 2, k]


def hdiff(in_field, out_field, coeff):
    n, m, p = coeff.shape
    lap, flx, fly = np.zeros((n + 4, m + 4, p)), np.empty((n + 1, m, p)), np.empty((n, m + 1, p))
    bf, bc = np.zeros_like(in_field), np.empty_like(coeff)
    hdiff_loops(in_field, coeff, lap, flx, fly, bf, bc)
    return bf, np.zeros_like(out_field), bc


@njit
def thomas(n, low, middle):
    """The factors of a sweep, the same in all rows: (p, 1 / denominators)."""
    p, r = np.zeros(n), np.zeros(n)
    for j in range(1, n - 1):
        r[j] = 1.0 / (low * p[j - 1] + middle)
        p[j] = -low * r[j]
    return p, r


@njit
def adi_forward(u, v, q, a, b, d, e, steps):
    n = len(u)
    p1, r1 = thomas(n, a, b)
    p2, r2 = thomas(n, d, e)
    v[0], v[n - 1] = 1.0, 1.0
    for _ in range(steps):
        q[0] = 1.0
        for j in range(1, n - 1):
            for i in range(1, n - 1):
                q[j, i] = (-d * u[j, i - 1] + (1.0 + 2.0 * d) * u[j, i] - d * u[j, i + 1] - a * q[j - 1, i]) * r1[j]
        for j in range(n - 2, 0, -1):
            for i in range(1, n - 1):
                v[j, i] = p1[j] * v[j + 1, i] + q[j, i]
        for i in range(1, n - 1):
            u[i, 0] = last = 1.0
            for j in range(1, n - 1):
                last = (-a * v[i - 1, j] + (1.0 + 2.0 * a) * v[i, j] - a * v[i + 1, j] - d * last) * r2[j]
                q[i, j] = last
            u[i, n - 1] = last = 1.0
            for j in range(n - 2, 0, -1):
                last = p2[j] * last + q[i, j]
                u[i, j] = last


@njit
def adi_back(bu, bv, q, a, b, d, e, steps):
    """bu: what is owed to the result, becomes what is owed to the start."""
    n = len(bu)
    p1, r1 = thomas(n, a, b)
    p2, r2 = thomas(n, d, e)
    for _ in range(steps):
        bv[:] = 0.0
        for i in range(1, n - 1):
            last = 0.0
            for j in range(1, n - 1):
                last = bu[i, j] + p2[j - 1] * last
                q[i, j] = last
            last = 0.0
            for j in range(n - 2, 0, -1):
                last = (q[i, j] - d * last) * r2[j]
                q[i, j] = last
            for j in range(1, n - 1):
                bv[i - 1, j] -= a * q[i, j]
            for j in range(1, n - 1):
                bv[i, j] += (1.0 + 2.0 * a) * q[i, j]
            for j in range(1, n - 1):
                bv[i + 1, j] -= a * q[i, j]
        for j in range(2, n - 1):
            for i in range(1, n - 1):
                bv[j, i] += p1[j - 1] * bv[j - 1, i]
        q[n - 1] = 0.0
        for j in range(n - 2, 0, -1):
            for i in range(1, n - 1):
                q[j, i] = (bv[j, i] - a * q[j + 1, i]) * r1[j]
            q[j, 0] = q[j, n - 1] = 0.0
            for i in range(1, n - 1):
                bu[j, i] = (1.0 + 2.0 * d) * q[j, i] - d * (q[j, i - 1] + q[j, i + 1])
            bu[j, 0], bu[j, n - 1] = -d * q[j, 1], -d * q[j, n - 2]


def adi(TSTEPS, N, u):
    mul1, mul2 = 2.0 * N * N / TSTEPS, 1.0 * N * N / TSTEPS
    a, b, d, e = -mul1 / 2.0, 1.0 + mul2, -mul2 / 2.0, 1.0 + mul2
    u, v, q = u.copy(), np.empty_like(u), np.empty_like(u)
    adi_forward(u, v, q, a, b, d, e, TSTEPS)
    u *= 2.0
    adi_back(u, v, q, a, b, d, e, TSTEPS)
    return u,


@njit
def filter_rows(x, y, a, b, b1, b2):
    """y = along each row, there and back; a: weights of (j, j - 1) there, b: of (j + 1, j + 2) back."""
    n, m = x.shape
    for i in range(n):
        one = two = x1 = 0.0
        for j in range(m):
            one, two = a[0] * x[i, j] + a[1] * x1 + b1 * one + b2 * two, one
            x1 = x[i, j]
            y[i, j] = one
        one = two = x1 = x2 = 0.0
        for j in range(m - 1, -1, -1):
            one, two = b[0] * x1 + b[1] * x2 + b1 * one + b2 * two, one
            x2, x1 = x1, x[i, j]
            y[i, j] += one


@njit
def filter_columns(x, y, t, a, b, b1, b2):
    """The same along the columns, row by row; t: three rows."""
    n, m = x.shape
    for i in range(n):
        for j in range(m):
            s = a[0] * x[i, j]
            if i > 0:
                s += a[1] * x[i - 1, j] + b1 * y[i - 1, j]
            if i > 1:
                s += b2 * y[i - 2, j]
            y[i, j] = s
    t[:] = 0.0
    for i in range(n - 2, -1, -1):
        k0, k1, k2 = i % 3, (i + 1) % 3, (i + 2) % 3
        for j in range(m):
            s = b[0] * x[i + 1, j] + b1 * t[k1, j] + b2 * t[k2, j]
            if i + 2 < n:
                s += b[1] * x[i + 2, j]
            t[k0, j] = s
            y[i, j] += s


@njit
def filter_rows_back(g, bx, a, b, b1, b2):
    n, m = g.shape
    for i in range(n):
        one = two = 0.0
        for j in range(m - 1, -1, -1):
            one, two = g[i, j] + b1 * one + b2 * two, one
            bx[i, j] = a[0] * one + a[1] * two
        one = two = 0.0
        for j in range(m):
            bx[i, j] += b[0] * one + b[1] * two
            one, two = g[i, j] + b1 * one + b2 * two, one


@njit
def filter_columns_back(g, bx, t, a, b, b1, b2):
    n, m = g.shape
    t[:] = 0.0
    for i in range(n - 1, -1, -1):
        k0, k1, k2 = i % 3, (i + 1) % 3, (i + 2) % 3
        for j in range(m):
            s = g[i, j] + b1 * t[k1, j] + b2 * t[k2, j]
            bx[i, j] = a[0] * s + a[1] * t[k1, j]
            t[k0, j] = s
    t[:] = 0.0
    for i in range(n):
        k0, k1, k2 = i % 3, (i - 1) % 3, (i - 2) % 3
        for j in range(m):
            s = g[i, j] + b1 * t[k1, j] + b2 * t[k2, j]
            bx[i, j] += b[0] * t[k1, j] + b[1] * t[k2, j]
            t[k0, j] = s


def deriche(alpha, imgIn):
    s = np.exp(-alpha)
    k = (1.0 - s) ** 2 / (1.0 + alpha * s - np.exp(2.0 * alpha))
    a, b = (k, k * s * (alpha - 1.0)), (k * s * (alpha + 1.0), -k * s * s)
    b1, b2 = 2.0 ** -alpha, -s * s
    y, out, t = np.empty_like(imgIn), np.empty_like(imgIn), np.empty((3, imgIn.shape[1]))
    filter_rows(imgIn, y, a, b, b1, b2)
    filter_columns(y, out, t, a, b, b1, b2)
    out *= 2.0
    filter_columns_back(out, y, t, a, b, b1, b2)
    filter_rows_back(y, out, a, b, b1, b2)
    return out,


@njit
def heat_half(a, b):
    n, m, k = a.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for p in range(1, k - 1):
                b[i, j, p] = 0.25 * a[i, j, p] + 0.125 * (a[i + 1, j, p] + a[i - 1, j, p] + a[i, j + 1, p] + a[i, j - 1, p]
                                                         + a[i, j, p + 1] + a[i, j, p - 1])


@njit
def heat_half_back(b, c, r):
    """What is owed to `b`, which the half-step wrote, is given to `c`; r: zeros around a row."""
    n, m, k = b.shape
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            for p in range(1, k - 1):
                r[p + 1] = 0.125 * b[i, j, p]
                b[i, j, p] = 0.0
            for p in range(1, k - 1):
                c[i + 1, j, p] += r[p + 1]
            for p in range(1, k - 1):
                c[i - 1, j, p] += r[p + 1]
            for p in range(1, k - 1):
                c[i, j + 1, p] += r[p + 1]
            for p in range(1, k - 1):
                c[i, j - 1, p] += r[p + 1]
            for p in range(k):
                c[i, j, p] += r[p] + 2.0 * r[p + 1] + r[p + 2]


@njit
def heat_loops(steps, a, b):
    for _ in range(1, steps):
        heat_half(a, b)
        heat_half(b, a)
    for x in (a, b):
        for i in range(x.shape[0]):
            for j in range(x.shape[1]):
                for p in range(x.shape[2]):
                    x[i, j, p] *= 2.0
    r = np.zeros(a.shape[2] + 2)
    for _ in range(1, steps):
        heat_half_back(a, b, r)
        heat_half_back(b, a, r)


def heat_3d(TSTEPS, A, B):
    a, b = A.copy(), B.copy()
    heat_loops(TSTEPS, a, b)
    return a, b
