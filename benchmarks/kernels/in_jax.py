"""Gradients of the kernels as people write them for JAX: name -> function of the arguments of the kernel."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.special import logsumexp

from benchmarks.kernels import in_jax_algebra, in_jax_grids, in_jax_whole

jax.config.update('jax_enable_x64', True)
jax.config.update('jax_cpu_enable_async_dispatch', False)


def polybench(name, whole=False):
    """The function of that name, which gives the sum of squares of all that a kernel computes, and what makes its gradient.

    whole : whether by whole functions of a library, where there are some
    """
    kernel = getattr(in_jax_algebra, name, None) or getattr(in_jax_grids, name)
    if whole:
        kernel = getattr(in_jax_whole, name, None)
        if kernel is None:
            return None

    def loss(*args):
        args = [jnp.asarray(a) if isinstance(a, np.ndarray) else a for a in args]
        return sum(jnp.sum(r * r) for r in kernel(*args))

    def gradient(args, wrt):
        fixed = tuple(k for k, v in enumerate(args) if isinstance(v, int))
        return jax.jit(jax.grad(loss, wrt), static_argnums=fixed)
    return loss, gradient


def gradients():
    """Name -> the compiled gradient, for programs on numbers; each takes what the program takes, as NumPy arrays."""
    def scanned(step):
        def f(x, n):
            return lax.scan(lambda y, _: (step(y), None), x, None, length=n)[0]
        return jax.jit(jax.grad(f), static_argnums=1)

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
            'gmm': jax.jit(jax.grad(gmm, argnums=(0, 1, 2, 3)))}
