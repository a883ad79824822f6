"""`mpmath`: functions of numbers of any precision."""
from tangent.templates.python.other_numbers import of_mpmath

of_mpmath()
