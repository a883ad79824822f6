"""`uncertainties.umath`: functions of numbers with an uncertainty."""
from tangent.templates.python.other_numbers import of_umath

of_umath()
