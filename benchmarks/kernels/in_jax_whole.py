"""Kernels of PolyBench that libraries have whole functions for, in these: what one writes who knows what the loops compute.

See `in_jax_algebra`, which has the loops.
"""
import jax.numpy as jnp
from jax.scipy.linalg import solve_triangular


def symm(alpha, beta, C, A, B):
    return beta * C + alpha * (jnp.tril(A) + jnp.tril(A, -1).T) @ B,


def syr2k(alpha, beta, C, A, B):
    whole = beta * C + alpha * (A @ B.T + B @ A.T)
    return jnp.tril(whole) + jnp.triu(C, 1),


def syrk(alpha, beta, C, A):
    return jnp.tril(beta * C + alpha * A @ A.T) + jnp.triu(C, 1),


def trmm(alpha, A, B):
    return alpha * (B + jnp.tril(A, -1).T @ B),


def correlation(M, float_n, data):
    data = data - jnp.mean(data, axis=0)
    deviation = jnp.sqrt(jnp.mean(data * data, axis=0))
    data = data / (jnp.sqrt(float_n) * jnp.where(deviation <= 0.1, 1.0, deviation))
    product = data.T @ data
    return product - jnp.diag(jnp.diag(product)) + jnp.eye(len(product)), data


def covariance(M, float_n, data):
    data = data - jnp.mean(data, axis=0)
    return data.T @ data / (float_n - 1.0), data


def cholesky(A):
    return jnp.tril(jnp.linalg.cholesky(A)) + jnp.triu(A, 1),


def trisolv(L, x, b):
    return solve_triangular(L, b, lower=True),
