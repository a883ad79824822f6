"""`sympy`: functions of symbols, whose derivatives are formulas."""
from tangent.templates.python.other_numbers import of_sympy

of_sympy()
