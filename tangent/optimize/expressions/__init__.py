"""Passes over expressions: folding, copies, common subexpressions, dead code, hoisting.

Enters, leaves: a function, the same function with better expressions. May import: what `optimize` may.
Start with: `fold`, then `copies` and `dead`.
"""
