"""Passes over the normal form that need to know what variables hold: copies for what is swapped, viewed or handed out.

Enters: a function in normal form, and the kinds of its variables, as a call under Numba tells them or the kinds of arguments.
Leaves: the same function with the copies and names that these kinds need.
May import: what `normal` may.
Start with: `own_arrays`, `in_step` and `flags`, which run wherever kinds are known; most of the others are for Numba.
"""
