"""`sympy`: functions of symbols, whose derivatives are formulas."""
from tangent.templates.other_numbers import of_sympy

of_sympy()
