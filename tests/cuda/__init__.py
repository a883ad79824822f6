"""Kernels, CuPy, and arrays that forbid conversions."""
