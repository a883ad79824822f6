"""Kernels at the sizes of NPBench, beside adjoints written by hand in NumPy and Numba: `python -m benchmarks.hand`.

`kernels` are the programs that `polybench` does not have, `sizes` says how large each is, `algebra`, `grids` and `maps` have
the adjoints (of the sum of squares of what a kernel computes; no array is made that is not needed, loops run over memory once),
`in_jax` JAX's for those that `benchmarks.kernels` lacks.
"""
