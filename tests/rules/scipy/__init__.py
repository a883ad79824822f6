"""The rules of SciPy."""
