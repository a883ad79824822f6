"""Passes over the tape: what is kept, what is computed again instead, and how loops go back over it.

Enters, leaves: a function with tape operations, the same with fewer or cheaper ones. May import: what `optimize` may.
Start with: `tape`, then `recompute`.
"""
