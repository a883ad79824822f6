"""Some of `kernels_programs` as people write them for JAX: name -> (gradient, what it takes of the arguments)."""
import functools

import numpy as np


def gradients():
    """Name -> the compiled gradient; each takes what the kernel takes, as NumPy arrays."""
    import jax
    import jax.numpy as jnp
    from jax import lax
    from jax.scipy.special import logsumexp
    jax.config.update('jax_enable_x64', True)

    def scanned(step):
        def f(x, n):
            return lax.scan(lambda y, _: (step(y), None), x, None, length=n)[0]
        return jax.jit(jax.grad(f), static_argnums=1)

    def seidel_2d(a, steps):
        n = a.shape[0]

        def cell(k, f):
            i, j = 1 + k // (n - 2), 1 + k % (n - 2)
            block = lax.dynamic_slice(f, (i - 1, j - 1), (3, 3))
            return f.at[i, j].set(block.sum() / 9.0)
        return jnp.sum(lax.fori_loop(0, steps * (n - 2) ** 2, lambda k, f: cell(k % (n - 2) ** 2, f), a))

    def jacobi_2d(a, steps):
        def half(f, g):
            return g.at[1:-1, 1:-1].set(0.2 * (f[1:-1, 1:-1] + f[1:-1, :-2] + f[1:-1, 2:] + f[2:, 1:-1] + f[:-2, 1:-1]))

        def step(_, pair):
            f, g = pair
            g = half(f, g)
            return half(g, f), g
        return jnp.sum(lax.fori_loop(0, steps, step, (a, a))[0])

    def jacobi_2d_slices(a, b, steps):
        inner = (slice(1, -1),) * 2

        def half(f, g):
            return g.at[inner].set(0.2 * (f[1:-1, 1:-1] + f[1:-1, :-2] + f[1:-1, 2:] + f[2:, 1:-1] + f[:-2, 1:-1]))

        def step(_, pair):
            f, g = pair
            g = half(f, g)
            return half(g, f), g
        return jnp.sum(lax.fori_loop(1, steps, step, (a, b))[0])

    def heat_3d_slices(a, b, steps):
        def half(f, g):
            c = f[1:-1, 1:-1, 1:-1]
            return g.at[1:-1, 1:-1, 1:-1].set(
                0.125 * (f[2:, 1:-1, 1:-1] - 2.0 * c + f[:-2, 1:-1, 1:-1])
                + 0.125 * (f[1:-1, 2:, 1:-1] - 2.0 * c + f[1:-1, :-2, 1:-1])
                + 0.125 * (f[1:-1, 1:-1, 2:] - 2.0 * c + f[1:-1, 1:-1, :-2]) + c)

        def step(_, pair):
            f, g = pair
            g = half(f, g)
            return half(g, f), g
        return jnp.sum(lax.fori_loop(1, steps, step, (a, b))[0])

    def fdtd_2d_slices(ex, ey, hz, fict):
        def step(fields, t):
            ex, ey, hz = fields
            ey = ey.at[0, :].set(t).at[1:, :].add(-0.5 * (hz[1:, :] - hz[:-1, :]))
            ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
            hz = hz.at[:-1, :-1].add(-0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]))
            return (ex, ey, hz), None
        return jnp.sum(lax.scan(step, (ex, ey, hz), fict)[0][2] ** 2)

    def hdiff_slices(field, out, coefficient):
        lap = 4.0 * field[1:-1, 1:-1] - (field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2])
        flx, fly = lap[1:, 1:-1] - lap[:-1, 1:-1], lap[1:-1, 1:] - lap[1:-1, :-1]
        flx = jnp.where(flx * (field[2:-1, 2:-2] - field[1:-2, 2:-2]) > 0, 0.0, flx)
        fly = jnp.where(fly * (field[2:-2, 2:-1] - field[2:-2, 1:-2]) > 0, 0.0, fly)
        return jnp.sum((field[2:-2, 2:-2] - coefficient * (flx[1:] - flx[:-1] + fly[:, 1:] - fly[:, :-1])) ** 2)

    def gmm(alpha, mu, q, l, x, gamma, m):  # noqa: E741
        n, d = x.shape
        rows, columns = np.tril_indices(d, -1)
        order = np.lexsort((rows, columns))
        lower = jnp.zeros((len(alpha), d, d)).at[:, rows[order], columns[order]].set(l)
        full = lower + jnp.exp(q)[:, :, None] * jnp.eye(d)
        y = jnp.einsum('crj,icj->icr', full, x[:, None, :] - mu[None])
        beta = alpha + q.sum(1) - 0.5 * jnp.sum(y * y, -1)
        prior = m * q.sum() - 0.5 * gamma ** 2 * (jnp.sum(jnp.exp(2 * q)) + jnp.sum(l ** 2))
        return logsumexp(beta, axis=1).sum() - n * logsumexp(alpha) + prior

    return {'cheap': scanned(lambda y: y * 0.999 + y * y * 1e-4),
            'sines': scanned(lambda y: jnp.sin(y) * 0.999 + jnp.cos(y) * 1e-3),
            'jacobi_2d': jax.jit(jax.grad(jacobi_2d), static_argnums=1),
            'seidel_2d': functools.partial(jax.jit(jax.grad(seidel_2d), static_argnums=1)),
            'gemm': jax.jit(jax.grad(lambda a, b: jnp.sum(a @ b), argnums=(0, 1))),
            'jacobi_2d_slices': jax.jit(jax.grad(jacobi_2d_slices, (0, 1)), static_argnums=2),
            'heat_3d_slices': jax.jit(jax.grad(heat_3d_slices, (0, 1)), static_argnums=2),
            'fdtd_2d_slices': jax.jit(jax.grad(fdtd_2d_slices, (0, 1, 2, 3))),
            'hdiff_slices': jax.jit(jax.grad(hdiff_slices, (0, 2))),
            'gmm': jax.jit(jax.grad(gmm, argnums=(0, 1, 2, 3)))}
