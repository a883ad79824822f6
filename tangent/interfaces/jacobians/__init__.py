"""Jacobians, Hessians, products with them, and Taylor coefficients.

Enters: a function and its arguments. Leaves: matrices in the structure of results and arguments.
May import: what `interfaces` may.
Start with: `matrices`; `operators` has the same in plain Python, for where they stand in code that is differentiated.
"""
