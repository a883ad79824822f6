"""Programs for Numba as many hands write them, unmodified: their compiled derivatives are compared in `tests/numba/test_wild.py`."""
