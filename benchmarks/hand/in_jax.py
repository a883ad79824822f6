"""JAX's gradients of the kernels: those of `benchmarks.kernels.in_jax`, and of the programs here."""
import jax
import jax.numpy as jnp

from benchmarks.kernels import in_jax, in_jax_whole


def go_fast(a):
    return a + jnp.sum(jnp.tanh(jnp.diagonal(a))),


def arc_distance(theta_1, phi_1, theta_2, phi_2):
    t = jnp.sin((theta_2 - theta_1) / 2)**2 + jnp.cos(theta_1) * jnp.cos(theta_2) * jnp.sin((phi_2 - phi_1) / 2)**2
    return 2 * jnp.arctan2(jnp.sqrt(t), jnp.sqrt(1 - t)),


def azimint_naive(data, radius, npt):
    rmax = jnp.max(radius)

    def ring(i):
        end = jnp.where(i + 1 < npt, rmax * (i + 1) / npt, rmax)           # the compiler's own quotient is another one
        inside = (rmax * i / npt <= radius) & (radius < end)
        return jnp.mean(data, where=inside)
    return jax.lax.map(ring, jnp.arange(npt)),


def compute(array_1, array_2, a, b, c):
    return jnp.clip(array_1, 0.4, 1.0) * a + array_2 * b + c,


def softmax(x):
    return jax.nn.softmax(x),


def cholesky2(A):
    return in_jax_whole.cholesky(A)


def mlp(x, w1, b1, w2, b2, w3, b3):
    return jax.nn.relu(jax.nn.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3,


def conv2d_bias(input, weights, bias):
    return jax.lax.conv_general_dilated(input, weights, (1, 1), 'VALID', dimension_numbers=('NHWC', 'HWIO', 'NHWC')) + bias,


HERE = {f.__name__: f for f in (go_fast, arc_distance, azimint_naive, compute, softmax, cholesky2, mlp, conv2d_bias)}


def gradient(name, args, wrt):
    """The compiled gradient of the kernel of that name, or of its loops, a function of the arguments."""
    if name not in HERE:
        return in_jax.polybench(name)[1](args, wrt)

    def loss(*given):
        return sum(jnp.sum(r * r) for r in HERE[name](*given))
    return jax.jit(jax.grad(loss, wrt), static_argnums=tuple(k for k, v in enumerate(args) if isinstance(v, int)))
