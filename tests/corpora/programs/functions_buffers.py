"""Functions that write into arrays whose every write is seen in their text, and those that they call."""
import numpy as np


def local(x, n):
    y = np.zeros(n)
    for i in range(n):
        y[i] = x[i] * x[i]
    return np.sum(y)

def jacobi(T, A, B):
    for _ in range(1, T):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])
    return np.sum(A)

def kernel(A):
    N = A.shape[0]
    for i in range(N):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])

def chol(A):
    kernel(A)
    return np.sum(A)

def inplace_chol(A):
    N = A.shape[0]
    for i in range(N):
        for j in range(i):
            A[i, j] -= np.dot(A[i, :j], A[j, :j])
            A[i, j] /= A[j, j]
        A[i, i] -= np.dot(A[i, :i], A[i, :i])
        A[i, i] = np.sqrt(A[i, i])
    return np.sum(np.tril(A) ** 3)

def recur(x, n):
    y = np.empty(n)
    y[0] = x[0]
    for i in range(1, n):
        y[i] = np.sin(y[i - 1]) * x[i]
    return np.sum(y)

def seidel(T, A, N):
    for _ in range(T - 1):
        for i in range(1, N - 1):
            A[i, 1:-1] += A[i - 1, :-2] + A[i - 1, 1:-1] + A[i - 1, 2:] + A[i, 2:] + A[i + 1, :-2] + A[i + 1, 1:-1] + A[i + 1, 2:]
            for j in range(1, N - 1):
                A[i, j] += A[i, j - 1]
                A[i, j] /= 9.0
    return np.sum(A * A)

def nonlin(T, x):
    u = x.copy()
    for _ in range(T):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] * u[:-2] - u[1:-1] ** 2)
    return np.sum(u)

def swapped(x):
    y = x * 1.0
    z = y
    z[0] = 5.0
    v = y[1:]
    v[0] = x[0] * 7
    return np.sum(y * y)

def masked(x):
    y = x * 2.0
    y[y > 1.0] = 0.5
    y[::2] *= x[::2]
    return np.sum(y ** 2)

def gs(A):
    Q = np.zeros_like(A)
    R = np.zeros((A.shape[1], A.shape[1]))
    for k in range(A.shape[1]):
        nrm = np.dot(A[:, k], A[:, k])
        R[k, k] = np.sqrt(nrm)
        Q[:, k] = A[:, k] / R[k, k]
        for j in range(k + 1, A.shape[1]):
            R[k, j] = np.dot(Q[:, k], A[:, j])
            A[:, j] -= Q[:, k] * R[k, j]
    return np.sum(Q * np.cos(Q)) + np.sum(R ** 2)

def hist(x, w):
    h = np.zeros(4)
    for k in range(len(x)):
        b = int(x[k] * 4)
        h[b] += w[k] ** 2
    return np.sum(h ** 2)
def dup(x):
    h = np.zeros(4)
    idx = np.array([0, 1, 1, 3])
    h[idx] = x * x
    return np.sum(h ** 2)

def jstep(A, B):
    B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])

def jloop(T, A, B):
    for _ in range(T):
        jstep(A, B)
        jstep(B, A)
    return np.sum(A ** 2)

def nstep(u, dt):
    u[1:-1] += dt * (u[2:] * u[:-2] - u[1:-1] ** 2)
    return np.sum(u)

def nloop(T, u, dt):
    s = 0.0
    for _ in range(T):
        s += nstep(u, dt)
    return s * np.sum(u)

def level2(u, w):
    scaled(u, w)
    u[0] = u[1] * w[0]

def scaled(u, w):
    u *= w

def level1(u, w):
    level2(u, w)
    scaled(u, w)
    return np.sum(u * u)

def fib(y, x, k):
    if k > 1:
        fib(y, x, k - 1)
        y[k] = y[k - 1] * x[k] + y[k - 2]
    else:
        y[0] = x[0]
        y[1] = x[1] * x[0]

def fibs(x):
    y = np.zeros(len(x))
    fib(y, x, len(x) - 1)
    return np.sum(y * y)
