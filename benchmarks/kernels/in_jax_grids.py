"""PolyBench's stencils and those of weather models as people write them for JAX, see `in_jax_algebra`."""
import jax.numpy as jnp
from jax import lax


def repeated(step, start, count):
    return lax.scan(lambda state, _: (step(*state), None), start, None, length=count)[0]


def jacobi_1d(steps, A, B):
    def half(f, g):
        return g.at[1:-1].set(0.33333 * (f[:-2] + f[1:-1] + f[2:]))

    def step(A, B):
        B = half(A, B)
        return half(B, A), B
    return repeated(step, (A, B), steps - 1)


def jacobi_2d(steps, A, B):
    def half(f, g):
        return g.at[1:-1, 1:-1].set(0.2 * (f[1:-1, 1:-1] + f[1:-1, :-2] + f[1:-1, 2:] + f[2:, 1:-1] + f[:-2, 1:-1]))

    def step(A, B):
        B = half(A, B)
        return half(B, A), B
    return repeated(step, (A, B), steps - 1)


def heat_3d(steps, A, B):
    def half(f, g):
        c = f[1:-1, 1:-1, 1:-1]
        return g.at[1:-1, 1:-1, 1:-1].set(0.125 * (f[2:, 1:-1, 1:-1] - 2.0 * c + f[:-2, 1:-1, 1:-1])
                                          + 0.125 * (f[1:-1, 2:, 1:-1] - 2.0 * c + f[1:-1, :-2, 1:-1])
                                          + 0.125 * (f[1:-1, 1:-1, 2:] - 2.0 * c + f[1:-1, 1:-1, :-2]) + c)

    def step(A, B):
        B = half(A, B)
        return half(B, A), B
    return repeated(step, (A, B), steps - 1)


def fdtd_2d(steps, ex, ey, hz, fict):
    def step(fields, t):
        ex, ey, hz = fields
        ey = ey.at[0, :].set(t).at[1:, :].add(-0.5 * (hz[1:, :] - hz[:-1, :]))
        ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
        hz = hz.at[:-1, :-1].add(-0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]))
        return (ex, ey, hz), None
    return lax.scan(step, (ex, ey, hz), fict)[0]


def seidel_2d(steps, n, A):
    def row(A, i):
        others = (A[i - 1, :-2] + A[i - 1, 1:-1] + A[i - 1, 2:] + A[i, 1:-1] + A[i, 2:] + A[i + 1, :-2] + A[i + 1, 1:-1]
                  + A[i + 1, 2:])

        def element(left, other):
            left = (other + left) / 9.0
            return left, left
        return A.at[i, 1:-1].set(lax.scan(element, A[i, 0], others)[1]), None
    return repeated(lambda A: (lax.scan(row, A, jnp.arange(1, n - 1))[0],), (A,), steps - 1)


def pairs(step, over, reverse=False):
    """Columns made one after the other, each from the two before it, which begin as zeros."""
    def advance(state, now):
        made = step(now, *state)
        return (made, state[0]), made
    first = jnp.zeros_like(over[0][0])
    return lax.scan(advance, (first, first), over, reverse=reverse)[1]


def deriche(alpha, image):
    k = (1.0 - jnp.exp(-alpha)) * (1.0 - jnp.exp(-alpha)) / (1.0 + alpha * jnp.exp(-alpha) - jnp.exp(2.0 * alpha))
    a1, a2 = k, k * jnp.exp(-alpha) * (alpha - 1.0)
    a3, a4 = k * jnp.exp(-alpha) * (alpha + 1.0), -k * jnp.exp(-2.0 * alpha)
    b1, b2 = 2.0 ** (-alpha), -jnp.exp(-2.0 * alpha)

    def along(x):
        zero = jnp.zeros((1, x.shape[1]))
        after1 = jnp.concatenate([x[1:], zero])
        after2 = jnp.concatenate([x[2:], zero, zero])
        y1 = pairs(lambda now, one, two: a1 * now[0] + a2 * now[1] + b1 * one + b2 * two, (x, jnp.concatenate([zero, x[:-1]])))
        y2 = pairs(lambda now, one, two: a3 * now[0] + a4 * now[1] + b1 * one + b2 * two, (after1, after2), True)
        return y1 + y2
    return along(along(image.T).T),


def adi(steps, n, u):
    mul1, mul2 = 2.0 * n * n / steps, 1.0 * n * n / steps
    a, b, d, e = -mul1 / 2.0, 1.0 + mul2, -mul2 / 2.0, 1.0 + mul2

    def half(x, low, middle, near, far):
        """Rows of the solution along one axis; x: the other way round."""
        right = -far * x[:, :-2] + (1.0 + 2.0 * far) * x[:, 1:-1] - far * x[:, 2:]

        def down(state, r):
            p, q = state
            p, q = -low / (near * p + middle), (r - near * q) / (near * p + middle)
            return (p, q), (p, q)
        ones = jnp.ones(n - 2)
        _, (p, q) = lax.scan(down, (jnp.zeros(n - 2), ones), right[1:-1])

        def up(v, pq):
            v = pq[0] * v + pq[1]
            return v, v
        return lax.scan(up, ones, (p, q), reverse=True)[1]

    def step(u):
        v = jnp.ones((n, n)).at[1:-1, 1:-1].set(half(u, a, b, a, d))
        inner = half(v.T, d, e, d, a).T
        return u.at[1:-1, 1:-1].set(inner).at[1:-1, 0].set(1.0).at[1:-1, -1].set(1.0),
    return repeated(step, (u,), steps)


def hdiff(field, out, coefficient):
    lap = 4.0 * field[1:-1, 1:-1] - (field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2])
    flx, fly = lap[1:, 1:-1] - lap[:-1, 1:-1], lap[1:-1, 1:] - lap[1:-1, :-1]
    flx = jnp.where(flx * (field[2:-1, 2:-2] - field[1:-2, 2:-2]) > 0, 0.0, flx)
    fly = jnp.where(fly * (field[2:-2, 2:-1] - field[2:-2, 1:-2]) > 0, 0.0, fly)
    return field[2:-2, 2:-2] - coefficient * (flx[1:] - flx[:-1] + fly[:, 1:] - fly[:, :-1]),


def vadv(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    def last(x):
        return jnp.moveaxis(x, -1, 0)
    u, w = last(u_stage), last(wcon)
    mean = 0.25 * (w[:, 1:, :] + w[:, :-1, :])
    zero = jnp.zeros_like(u[:1])
    gav = jnp.concatenate([zero, -mean[1:u.shape[0]]])
    gcv = jnp.concatenate([mean[1:u.shape[0]], zero])
    below, above = jnp.concatenate([u[:1], u[:-1]]), jnp.concatenate([u[1:], u[-1:]])
    correction = -gav * 0.5 * (below - u) - gcv * 0.5 * (above - u)
    d = dtr_stage * last(u_pos) + last(utens) + last(utens_stage) + correction
    a, c = gav * 0.5, gcv * 0.5

    def down(state, now):
        c_before, d_before = state
        a, c, d = now
        divided = 1.0 / (dtr_stage - a - c - c_before * a)
        c, d = c * divided, (d - d_before * a) * divided
        return (c, d), (c, d)
    _, (c, d) = lax.scan(down, (zero[0], zero[0]), (a, c, d))

    def up(x, now):
        x = now[1] - now[0] * x
        return x, x
    _, x = lax.scan(up, zero[0], (c, d), reverse=True)
    return jnp.moveaxis(dtr_stage * (x - last(u_pos)), 0, -1),
