"""Numeric kernels compiled by Numba, beside adjoints by hand in C and beside JAX: `python -m benchmarks.kernels`."""
