"""`mpmath`: functions of numbers of any precision."""
from tangent.templates.other_numbers import of_mpmath

of_mpmath()
