"""Run-time functions about numbers that are neither Python's nor NumPy's."""
from __future__ import annotations

import importlib
import math
import numbers
import sys

import numpy as np


def logarithm(x):
    """The natural logarithm in the arithmetic of a number of a third party's kind."""
    library = type(x).__module__.partition('.')[0]
    if hasattr(x, 'ln'):
        return x.ln()                          # Decimal
    if library in ('mpmath', 'sympy'):
        return sys.modules[library].log(x)
    if library == 'uncertainties':
        return importlib.import_module('uncertainties.umath').log(x)
    return np.log(x) if not isinstance(x, numbers.Number) else math.log(x)
