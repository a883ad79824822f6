"""Library functions in plain Python, which are differentiated through in their place.

Enters: the arguments of the library's function. Leaves: its result, by operations that have rules.
May import: `runtime`.
Start with: `table`, which says what stands for what.
"""
