"""Run-time functions for rules about formulas; they are looked up only where SymPy has been imported."""
from __future__ import annotations

import importlib
import math


def largest(args, k, sign):
    """The formula that is 1 where argument number `k` is the largest (`sign` = 1) or smallest, 1/2 at a tie of two, else 0."""
    sympy = importlib.import_module('sympy')
    half = sympy.Rational(1, 2)
    return math.prod([sympy.Heaviside(sign * (args[k] - a), half) for j, a in enumerate(args) if j != k])
