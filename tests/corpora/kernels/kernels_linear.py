"""PolyBench in NumPy form: linear algebra kernels and statistics. Each kernel writes into its arguments."""
import numpy as np

from tests.tools.registry import program

N = 4


def matrix(*shape, seed=0):
    return np.random.RandomState(seed + 17 * len(shape) + sum(shape)).uniform(0.3, 1.2, shape)


def positive(n=N):
    a = matrix(n, n)
    return a @ a.T + n * np.eye(n)


def gemm(alpha, beta, C, A, B):
    C *= beta
    C += alpha * A @ B


@program('polybench', 1.5, 1.2, matrix(4, 5), matrix(4, 3), matrix(3, 5))
def gemm_loss(alpha, beta, C, A, B):
    gemm(alpha, beta, C, A, B)
    return np.sum(C)


def k2mm(alpha, beta, A, B, C, D):
    D[:] = alpha * A @ B @ C + beta * D


@program('polybench', 1.5, 1.2, matrix(2, 3), matrix(3, 4), matrix(4, 2), matrix(2, 2))
def k2mm_loss(alpha, beta, A, B, C, D):
    k2mm(alpha, beta, A, B, C, D)
    return np.sum(D)


def k3mm(A, B, C, D):
    return A @ B @ C @ D


@program('polybench', matrix(2, 3), matrix(3, 4), matrix(4, 2), matrix(2, 3))
def k3mm_loss(A, B, C, D):
    return np.sum(k3mm(A, B, C, D))


def atax(A, x):
    return (A @ x) @ A


@program('polybench', matrix(3, 4), matrix(4))
def atax_loss(A, x):
    return np.sum(atax(A, x))


def bicg(A, p, r):
    return r @ A, A @ p


@program('polybench', matrix(3, 4), matrix(4), matrix(3))
def bicg_loss(A, p, r):
    s, q = bicg(A, p, r)
    return np.sum(s) + np.sum(q)


def mvt(x1, x2, y_1, y_2, A):
    x1 += A @ y_1
    x2 += y_2 @ A


@program('polybench', matrix(4), matrix(4, seed=1), matrix(4, seed=2), matrix(4, seed=3), matrix(4, 4))
def mvt_loss(x1, x2, y_1, y_2, A):
    mvt(x1, x2, y_1, y_2, A)
    return np.sum(x1) + np.sum(x2)


def gesummv(alpha, beta, A, B, x):
    return alpha * A @ x + beta * B @ x


@program('polybench', 1.5, 1.2, matrix(4, 4), matrix(4, 4, seed=1), matrix(4))
def gesummv_loss(alpha, beta, A, B, x):
    return np.sum(gesummv(alpha, beta, A, B, x))


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A += np.outer(u1, v1) + np.outer(u2, v2)
    x += beta * y @ A + z
    w += alpha * A @ x


@program('polybench', 1.5, 1.2, matrix(3, 3), *(matrix(3, seed=k) for k in range(8)))
def gemver_loss(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z)
    return np.sum(w)


def symm(alpha, beta, C, A, B):
    temp2 = np.empty((C.shape[1],), dtype=C.dtype)
    C *= beta
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[:i, j] += alpha * B[i, j] * A[i, :i]
            temp2[j] = B[:i, j] @ A[i, :i]
        C[i, :] += alpha * B[i, :] * A[i, i] + alpha * temp2


@program('polybench', 1.5, 1.2, matrix(3, 4), matrix(3, 3), matrix(3, 4, seed=1))
def symm_loss(alpha, beta, C, A, B):
    symm(alpha, beta, C, A, B)
    return np.sum(C)


def syrk(alpha, beta, C, A):
    for i in range(A.shape[0]):
        C[i, :i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, :i + 1] += alpha * A[i, k] * A[:i + 1, k]


@program('polybench', 1.5, 1.2, matrix(4, 4), matrix(4, 3))
def syrk_loss(alpha, beta, C, A):
    syrk(alpha, beta, C, A)
    return np.sum(C)


def syr2k(alpha, beta, C, A, B):
    for i in range(A.shape[0]):
        C[i, :i + 1] *= beta
        for k in range(A.shape[1]):
            C[i, :i + 1] += A[:i + 1, k] * alpha * B[i, k] + B[:i + 1, k] * alpha * A[i, k]


@program('polybench', 1.5, 1.2, matrix(4, 4), matrix(4, 3), matrix(4, 3, seed=1))
def syr2k_loss(alpha, beta, C, A, B):
    syr2k(alpha, beta, C, A, B)
    return np.sum(C)


def trmm(alpha, A, B):
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] += np.dot(A[i + 1:, i], B[i + 1:, j])
    B *= alpha


@program('polybench', 1.5, matrix(3, 3), matrix(3, 4))
def trmm_loss(alpha, A, B):
    trmm(alpha, A, B)
    return np.sum(B)


def cholesky(A):
    A[0, 0] = np.sqrt(A[0, 0])
    for i in range(1, A.shape[0]):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])


@program('polybench', positive())
def cholesky_loss(A):
    cholesky(A)
    return np.sum(A)


def durbin(r):
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


@program('polybench', 0.4 * matrix(5))
def durbin_loss(r):
    return np.sum(durbin(r))


def gramschmidt(A):
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]), dtype=A.dtype)
    for k in range(A.shape[1]):
        nrm = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(nrm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return Q, R


@program('polybench', matrix(4, 3) + np.eye(4, 3))
def gramschmidt_loss(A):
    Q, R = gramschmidt(A)
    return np.sum(Q) + np.sum(R) + np.sum(A)


def lu(A):
    for i in range(A.shape[0]):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, A.shape[0]):
            A[i, j] -= A[i, :i] @ A[:i, j]


@program('polybench', positive())
def lu_loss(A):
    lu(A)
    return np.sum(A)


def ludcmp(A, b):
    n = A.shape[0]
    x, y = np.zeros_like(b), np.zeros_like(b)
    for i in range(n):
        for j in range(i):
            A[i, j] -= A[i, :j] @ A[:j, j]
            A[i, j] /= A[j, j]
        for j in range(i, n):
            A[i, j] -= A[i, :i] @ A[:i, j]
    for i in range(n):
        y[i] = b[i] - A[i, :i] @ y[:i]
    for i in range(n - 1, -1, -1):
        x[i] = (y[i] - A[i, i + 1:] @ x[i + 1:]) / A[i, i]
    return x, y


@program('polybench', positive(), matrix(4))
def ludcmp_loss(A, b):
    x, y = ludcmp(A, b)
    return np.sum(x) + np.sum(y)


def trisolv(L, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - L[i, :i] @ x[:i]) / L[i, i]


@program('polybench', matrix(4, 4) + 2 * np.eye(4), matrix(4), matrix(4, seed=1))
def trisolv_loss(L, x, b):
    trisolv(L, x, b)
    return np.sum(x)


def correlation(M, float_n, data):
    mean = np.mean(data, axis=0)
    stddev = np.std(data, axis=0)
    stddev[stddev <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(float_n) * stddev
    corr = np.eye(M, dtype=data.dtype)
    for i in range(M - 1):
        corr[i + 1:M, i] = corr[i, i + 1:M] = data[:, i] @ data[:, i + 1:M]
    return corr


@program('polybench', 3, 5.0, matrix(5, 3), wrt=(2,))
def correlation_loss(M, float_n, data):
    return np.sum(correlation(M, float_n, data))


def covariance(M, float_n, data):
    mean = np.mean(data, axis=0)
    data -= mean
    cov = np.zeros((M, M), dtype=data.dtype)
    for i in range(M):
        cov[i:M, i] = cov[i, i:M] = data[:, i] @ data[:, i:M] / (float_n - 1.0)
    return cov


@program('polybench', 3, 5.0, matrix(5, 3), wrt=(1, 2))
def covariance_loss(M, float_n, data):
    return np.sum(covariance(M, float_n, data) * np.arange(9.0).reshape(3, 3))


def doitgen(NR, NQ, NP, A, C4):
    for r in range(NR):
        for q in range(NQ):
            tmp = A[r, q, :] @ C4
            A[r, q, :] = tmp


@program('polybench', 2, 3, 4, matrix(2, 3, 4), matrix(4, 4), wrt=(3, 4))
def doitgen_loss(NR, NQ, NP, A, C4):
    doitgen(NR, NQ, NP, A, C4)
    return np.sum(A)


def doitgen_reshaped(NR, NQ, NP, A, C4):
    A[:] = np.reshape(np.reshape(A, (NR, NQ, 1, NP)) @ C4, (NR, NQ, NP))


@program('polybench', 2, 3, 4, matrix(2, 3, 4), matrix(4, 4), wrt=(3, 4))
def doitgen_reshaped_loss(NR, NQ, NP, A, C4):
    doitgen_reshaped(NR, NQ, NP, A, C4)
    return np.sum(A)
