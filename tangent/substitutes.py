"""Functions of Python's that are differentiated through a function written in plain Python in their place."""
from __future__ import annotations

from tangent import substitutes_statistics

# function -> plain Python function with the same arguments
SUBSTITUTES: dict = dict(substitutes_statistics.TABLE)
