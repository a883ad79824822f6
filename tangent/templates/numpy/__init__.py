"""The declarations for NumPy, a topic a file; CuPy's functions are found by their names here, too.

Enters: nothing; leaves: rules in the registry. May import: `templates.language`, and the run-time functions its texts name.
Start with: `elementwise`, then `reductions` and `shapes`.
"""
