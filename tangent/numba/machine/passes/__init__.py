"""Passes over Numba's intermediate code: what LLVM does not see by itself in the functions that we emit.

Enters: a function in Numba's intermediate code, each variable set in one place.
Leaves: the same function, with other statements in the place of single assignments.
May import: what `machine` may.
Start with: `assignments`; `ranges` puts all passes into a pipeline. `sums` are added up in any order, `pages` are large where
arrays are, and `elementary` is `np.exp` as arithmetic that is done for several numbers at a time.
"""
