"""Programs for Numba as many hands write them, unmodified: their compiled derivatives are compared in `test_numba_wild`."""
