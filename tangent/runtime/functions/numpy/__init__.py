"""Formulas that rules for NumPy's functions call by name, a topic a file.

Enters, leaves: as for `runtime.functions`. May import: `runtime` and the formulas there.
Start with: `statistics`.
"""
