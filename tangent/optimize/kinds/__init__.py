"""Passes that read kinds: what a text need not do, and what it may say in NumPy's own words, where arguments are known."""
