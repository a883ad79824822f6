"""Derivatives under Numba."""
