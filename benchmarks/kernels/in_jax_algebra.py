"""PolyBench's linear algebra as people write it for JAX: nothing in place, loops as `lax.scan`, triangles by masks.

Each function takes the arguments of the kernel of its name and gives a tuple of what that computes.
"""
import jax
import jax.numpy as jnp
from jax import lax


def gemm(alpha, beta, C, A, B):
    return alpha * A @ B + beta * C,


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A = A + jnp.outer(u1, v1) + jnp.outer(u2, v2)
    x = x + beta * y @ A + z
    return A, x, w + alpha * A @ x


def gesummv(alpha, beta, A, B, x):
    return alpha * A @ x + beta * B @ x,


def k2mm(alpha, beta, A, B, C, D):
    return alpha * A @ B @ C + beta * D,


def k3mm(A, B, C, D):
    return A @ B @ C @ D,


def atax(A, x):
    return (A @ x) @ A,


def bicg(A, p, r):
    return r @ A, A @ p


def doitgen(NR, NQ, NP, A, C4):
    return A @ C4,


def mvt(x1, x2, y_1, y_2, A):
    return x1 + A @ y_1, x2 + y_2 @ A


def steps(body, start, *over):
    return lax.scan(lambda state, k: (body(state, *k), None), start, over)[0]


def symm(alpha, beta, C, A, B):
    index = jnp.arange(C.shape[0])

    def row(C, i):
        before = jnp.where(index < i, A[i], 0.0)
        return (C + alpha * jnp.outer(before, B[i])).at[i].add(alpha * B[i] * A[i, i] + alpha * (before @ B))
    return steps(row, beta * C, index),


def syr2k(alpha, beta, C, A, B):
    index = jnp.arange(C.shape[0])

    def row(C, i):
        return C.at[i].set(jnp.where(index <= i, beta * C[i] + alpha * (A @ B[i] + B @ A[i]), C[i]))
    return steps(row, C, index),


def syrk(alpha, beta, C, A):
    index = jnp.arange(C.shape[0])
    return steps(lambda C, i: C.at[i].set(jnp.where(index <= i, beta * C[i] + alpha * (A @ A[i]), C[i])), C, index),


def trmm(alpha, A, B):
    index = jnp.arange(B.shape[0])
    return alpha * steps(lambda B, i: B.at[i].add(jnp.where(index > i, A[:, i], 0.0) @ B), B, index),


def cholesky(A):
    n = A.shape[0]
    index = jnp.arange(n)

    def row(A, i):
        def element(A, j):
            before = jnp.where(index < j, 1.0, 0.0)
            return A.at[i, j].set(jnp.where(j < i, (A[i, j] - jnp.dot(A[i] * before, A[j])) / A[j, j], A[i, j]))
        A = steps(element, A, index)
        return A.at[i, i].set(jnp.sqrt(A[i, i] - jnp.sum(jnp.where(index < i, A[i], 0.0) ** 2)))
    return steps(row, A, index),


def durbin(r):
    n = r.shape[0]
    index = jnp.arange(n)

    def step(state, k):
        y, alpha, beta = state
        beta = beta * (1.0 - alpha * alpha)
        flipped = jnp.where(index < k, jnp.roll(y[::-1], k - n), 0.0)
        alpha = -(r[k] + jnp.dot(r, flipped)) / beta
        return (y + alpha * flipped).at[k].set(alpha), alpha, beta
    return steps(step, (jnp.zeros(n).at[0].set(-r[0]), -r[0], jnp.ones(())), jnp.arange(1, n))[0],


def gramschmidt(A):
    n = A.shape[1]
    index = jnp.arange(n)

    def column(state, k):
        A, Q, R = state
        norm = jnp.sqrt(jnp.dot(A[:, k], A[:, k]))
        q = A[:, k] / norm
        r = jnp.where(index > k, q @ A, 0.0)
        return A - jnp.outer(q, r), Q.at[:, k].set(q), R.at[k].set(r.at[k].set(norm))
    A, Q, R = steps(column, (A, jnp.zeros_like(A), jnp.zeros((n, n))), index)
    return Q, R, A


def lu(A):
    n = A.shape[0]
    index = jnp.arange(n)

    def row(A, i):
        def element(A, j):
            before = index < jnp.minimum(i, j)
            t = A[i, j] - jnp.dot(jnp.where(before, A[i], 0.0), jnp.where(before, A[:, j], 0.0))
            return A.at[i, j].set(jnp.where(j < i, t / A[j, j], t))
        return steps(element, A, index)
    return steps(row, A, index),


def ludcmp(A, b):
    A, = lu(A)
    n = A.shape[0]
    index = jnp.arange(n)
    zero = jnp.zeros(n)
    y = steps(lambda y, i: y.at[i].set(b[i] - jnp.dot(jnp.where(index < i, A[i], 0.0), y)), zero, index)
    x = steps(lambda x, i: x.at[i].set((y[i] - jnp.dot(jnp.where(index > i, A[i], 0.0), x)) / A[i, i]), zero, index[::-1])
    return A, x, y


def trisolv(L, x, b):
    n = x.shape[0]
    index = jnp.arange(n)
    return steps(lambda x, i: x.at[i].set((b[i] - jnp.dot(jnp.where(index < i, L[i], 0.0), x)) / L[i, i]), jnp.zeros(n), index),


def correlation(M, float_n, data):
    data = data - jnp.mean(data, axis=0)
    deviation = jnp.sqrt(jnp.mean(data * data, axis=0))
    data = data / (jnp.sqrt(float_n) * jnp.where(deviation <= 0.1, 1.0, deviation))
    index = jnp.arange(M)

    def row(corr, i):
        right = jnp.where(index > i, data[:, i] @ data, 0.0)
        return corr.at[i].add(right).at[:, i].add(right)
    return steps(row, jnp.eye(M), index), data


def covariance(M, float_n, data):
    data = data - jnp.mean(data, axis=0)
    index = jnp.arange(M)

    def row(cov, i):
        right = jnp.where(index >= i, data[:, i] @ data / (float_n - 1.0), 0.0)
        return cov.at[i].add(right).at[:, i].add(jnp.where(index == i, 0.0, right))
    return steps(row, jnp.zeros((M, M)), index), data


def floyd_warshall_loops(path):
    return steps(lambda path, k: jnp.minimum(path, path[:, k, None] + path[k, None, :]), path, jnp.arange(path.shape[0])),


def nussinov(N, score):
    n = score.shape[0]
    index = jnp.arange(n)

    def cell(table, i, j):
        best = jnp.maximum(table[i, j - 1], jnp.where(i + 1 < n, table[(i + 1) % n, j], 0.0))
        best = jnp.maximum(best, table[(i + 1) % n, j - 1] + jnp.where(i < j - 1, score[i, j], 0.0))
        ends = jnp.where((index > i) & (index < j), table[i] + jnp.roll(table[:, j], -1), 0.0)
        return jnp.maximum(best, jnp.max(ends))

    def row(table, i):
        return steps(lambda table, j: table.at[i, j].set(jnp.where(j > i, cell(table, i, j), 0.0)), table, index)
    return steps(row, jnp.zeros((n, n)), index[::-1]),


def spmv(A_row, A_col, A_val, x):
    rows = jnp.repeat(jnp.arange(len(A_row) - 1), A_row[1:] - A_row[:-1], total_repeat_length=len(A_val))
    return jax.ops.segment_sum(A_val * x[A_col], rows, num_segments=len(A_row) - 1),


def nbody(mass, pos, vel, count, dt, G, softening):
    def step(state, _):
        pos, vel = state
        d = pos[None] - pos[:, None]
        r = jnp.sum(d * d, axis=-1) + softening ** 2
        vel = vel + G * jnp.einsum('ijk,ij->ik', d, mass / (r * jnp.sqrt(r))) * dt
        return (pos + vel * dt, vel), None
    return lax.scan(step, (pos, vel), None, length=count)[0]
