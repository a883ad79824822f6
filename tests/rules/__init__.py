"""The rules of NumPy, of Python and of `math`: samples of each, calls as people write them, values at the edges."""
