"""Adjoints by hand of linear algebra: products are left to BLAS, and what is added up in an array is one loop nest."""
import numpy as np
from numba import njit
from scipy.linalg import solve_triangular


@njit
def outer2(x, y, u, v, out):
    """out = x y' + u v'"""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = x[i] * y[j] + u[i] * v[j]


@njit
def plus_outer2(a, x, y, u, v, c, out):
    """out = c a + x y' + u v'"""
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = c * a[i, j] + x[i] * y[j] + u[i] * v[j]


def gemm(alpha, beta, C, A, B):
    g = A @ B
    g *= 2.0 * alpha
    g += (2.0 * beta) * C
    bC = beta * g
    g *= alpha
    return bC, g @ B.T, A.T @ g


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    bA = np.empty_like(A)
    plus_outer2(A, u1, v1, u2, v2, 1.0, bA)
    x = x + beta * (y @ bA) + z
    bw = 2.0 * (w + alpha * (bA @ x))
    bx = 2.0 * x + alpha * (bw @ bA)
    by = beta * (bA @ bx)
    plus_outer2(bA, alpha * bw, x, beta * y, bx, 2.0, bA)
    return bA, bA @ v1, u1 @ bA, bA @ v2, u2 @ bA, bw, bx, by, bx.copy()


def gesummv(alpha, beta, A, B, x):
    g = 2.0 * (alpha * (A @ x) + beta * (B @ x))
    return np.outer(alpha * g, x), np.outer(beta * g, x), alpha * (g @ A) + beta * (g @ B)


def k2mm(alpha, beta, A, B, C, D):
    t = A @ B
    g = t @ C
    g *= 2.0 * alpha
    g += (2.0 * beta) * D
    bD = beta * g
    g *= alpha
    bt = g @ C.T
    return bt @ B.T, A.T @ bt, t.T @ g, bD


def atax(A, x):
    t = A @ x
    by = 2.0 * (t @ A)
    bt = A @ by
    bA = np.empty_like(A)
    outer2(t, by, bt, x, bA)
    return bA, bt @ A


def bicg(A, p, r):
    bs, bq = 2.0 * (r @ A), 2.0 * (A @ p)
    bA = np.empty_like(A)
    outer2(r, bs, bq, p, bA)
    return bA, bq @ A, A @ bs


def mvt(x1, x2, y_1, y_2, A):
    b1, b2 = 2.0 * (x1 + A @ y_1), 2.0 * (x2 + y_2 @ A)
    bA = np.empty_like(A)
    outer2(b1, y_1, y_2, b2, bA)
    return b1, b2, b1 @ A, A @ b2, bA


@njit(fastmath={'reassoc', 'contract'})
def dot(x, y, n):
    s = 0.0
    for k in range(n):
        s += x[k] * y[k]
    return s


@njit
def less(x, c, y, n):
    """x[:n] -= c * y[:n]"""
    for k in range(n):
        x[k] -= c * y[k]


@njit
def cholesky_in_place(a, b):
    n = len(a)
    for i in range(n):
        for j in range(i):
            a[i, j] = (a[i, j] - dot(a[i], a[j], j)) / a[j, j]
        a[i, i] = np.sqrt(a[i, i] - dot(a[i], a[i], i))
    for i in range(n):
        for j in range(n):
            b[i, j] = 2.0 * a[i, j]
    for i in range(n - 1, -1, -1):
        b[i, i] /= 2.0 * a[i, i]
        less(b[i], 2.0 * b[i, i], a[i], i)
        for j in range(i - 1, -1, -1):
            b[i, j] /= a[j, j]
            g = b[i, j]
            b[j, j] -= g * a[i, j]
            less(b[i], g, a[j], j)
            less(b[j], g, a[i], j)


def cholesky(A):
    b = np.empty_like(A)
    cholesky_in_place(A.copy(), b)
    return b,


def cholesky2(A):
    """The gradient of a factor is symmetric, as that of its matrix."""
    L = np.linalg.cholesky(A)
    s = 2.0 * (L.T @ L)
    s = np.tril(s)
    s.flat[::len(s) + 1] *= 0.5
    s = solve_triangular(L, s, trans='T', lower=True, overwrite_b=True, check_finite=False)
    s = solve_triangular(L, s.T, trans='T', lower=True, check_finite=False)
    s = s + s.T
    s *= 0.5
    s += np.triu(2.0 * A, 1)
    return s,


@njit
def lu_in_place(a, b):
    n = len(a)
    for i in range(n):
        for k in range(i):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    for i in range(n):
        for j in range(n):
            b[i, j] = 2.0 * a[i, j]
    for i in range(n - 1, -1, -1):
        for k in range(i - 1, -1, -1):
            b[i, k] -= dot(b[i, k + 1:], a[k, k + 1:], n - k - 1)
            for j in range(k + 1, n):
                b[k, j] -= a[i, k] * b[i, j]
            b[i, k] /= a[k, k]
            b[k, k] -= b[i, k] * a[i, k]


def lu(A):
    b = np.empty_like(A)
    lu_in_place(A.copy(), b)
    return b,


@njit
def trisolv_loops(L, b, x, bL, bb):
    n = len(b)
    for i in range(n):
        x[i] = (b[i] - dot(L[i], x, i)) / L[i, i]
    for i in range(n):
        bb[i] = 2.0 * x[i]
    for i in range(n - 1, -1, -1):
        bb[i] /= L[i, i]
        g = bb[i]
        for j in range(i + 1):
            bL[i, j] = -g * x[j]
        for j in range(i + 1, n):
            bL[i, j] = 0.0
        less(bb, g, L[i], i)


def trisolv(L, x, b):
    bL, bb = np.empty_like(L), np.empty_like(b)
    trisolv_loops(L, b, np.empty_like(b), bL, bb)
    return bL, np.zeros_like(x), bb


@njit
def spmv_loops(row, col, val, x, bval, bx):
    for i in range(len(row) - 1):
        y = 0.0
        for k in range(row[i], row[i + 1]):
            y += val[k] * x[col[k]]
        y *= 2.0
        for k in range(row[i], row[i + 1]):
            bval[k] = y * x[col[k]]
            bx[col[k]] += y * val[k]


def spmv(A_row, A_col, A_val, x):
    bval, bx = np.empty_like(A_val), np.zeros_like(x)
    spmv_loops(A_row, A_col, A_val, x, bval, bx)
    return bval, bx
