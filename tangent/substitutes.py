"""Functions of Python's that are differentiated through a function written in plain Python in their place."""
from __future__ import annotations

SUBSTITUTES: dict = {}           # function -> plain Python function with the same arguments
