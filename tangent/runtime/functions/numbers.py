"""Run-time functions about numbers and formulas of other libraries than NumPy: `decimal`, mpmath, SymPy, uncertainties."""
import decimal
import importlib
import math
import numbers
import sys

import numpy as np

from tangent.runtime.facts import home


def logarithm(x):
    """The natural logarithm in the arithmetic of a number of a third party's kind."""
    library = home(type(x))
    if hasattr(x, 'ln'):
        return x.ln()                          # Decimal
    if library in ('mpmath', 'sympy'):
        return sys.modules[library].log(x)
    if library == 'uncertainties':
        return importlib.import_module('uncertainties.umath').log(x)
    return np.log(x) if not isinstance(x, numbers.Number) else math.log(x)


def largest(args, k, sign):
    """The formula that is 1 where argument number `k` is the largest (`sign` = 1) or smallest, 1/2 at a tie of two, else 0."""
    sympy = importlib.import_module('sympy')
    half = sympy.Rational(1, 2)
    return math.prod([sympy.Heaviside(sign * (args[k] - a), half) for j, a in enumerate(args) if j != k])


# Methods of numbers that are written in C, as functions with a rule

def decimal_sqrt(x, context=None):
    return x.sqrt(context)


def decimal_exp(x, context=None):
    return x.exp(context)


def decimal_ln(x, context=None):
    return x.ln(context)


def decimal_log10(x, context=None):
    return x.log10(context)


FUNCTIONS = decimal_sqrt, decimal_exp, decimal_ln, decimal_log10
METHODS = {(decimal.Decimal, f.__name__.removeprefix('decimal_')): f for f in FUNCTIONS}


# Special methods by their names, of what Python's operators ask for them: of numbers, arrays, lists and the like

def answers(x, name, *others):
    """Whether a special method gives a value for these."""
    return getattr(x, name)(*others) is not NotImplemented


def by_add(x, y):
    return x + y if answers(x, '__add__', y) else NotImplemented


def by_radd(x, y):
    return y + x if answers(x, '__radd__', y) else NotImplemented


def by_sub(x, y):
    return x - y if answers(x, '__sub__', y) else NotImplemented


def by_rsub(x, y):
    return y - x if answers(x, '__rsub__', y) else NotImplemented


def by_mul(x, y):
    return x * y if answers(x, '__mul__', y) else NotImplemented


def by_rmul(x, y):
    return y * x if answers(x, '__rmul__', y) else NotImplemented


def by_truediv(x, y):
    return x / y if answers(x, '__truediv__', y) else NotImplemented


def by_rtruediv(x, y):
    return y / x if answers(x, '__rtruediv__', y) else NotImplemented


def by_matmul(x, y):
    return x @ y if answers(x, '__matmul__', y) else NotImplemented


def by_pow(x, y):
    return x ** y if answers(x, '__pow__', y) else NotImplemented


def by_rpow(x, y):
    return y ** x if answers(x, '__rpow__', y) else NotImplemented


def by_neg(x):
    return -x


def by_pos(x):
    return +x


def by_abs(x):
    return abs(x)


def by_len(x):
    return len(x)


SPECIAL = {f'__{f.__name__.removeprefix("by_")}__': f for f in (
    by_add, by_radd, by_sub, by_rsub, by_mul, by_rmul, by_truediv, by_rtruediv, by_matmul, by_pow, by_rpow, by_neg, by_pos,
    by_abs, by_len)}
