"""Passes that read kinds: what a text need not do, and what it may say in NumPy's own words, where arguments are known.

Enters, leaves: a function, the same function with fewer calls of the run time. May import: what the optimizer may.
Start with: `known`, then `words`: their docstrings show texts before and after.
"""
