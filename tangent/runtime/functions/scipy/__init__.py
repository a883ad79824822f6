"""Formulas that rules for SciPy call by name; loaded once the module of SciPy has been.

Enters, leaves: as for `runtime.functions`. May import: SciPy and `runtime`.
Start with: `signals`.
"""
