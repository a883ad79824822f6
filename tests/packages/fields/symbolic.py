"""Symbolic code, numbers and compiled packages."""
import numpy as np

from tests.packages.registry import load, package

sympy = load('sympy')
of_sympy = package('sympy', 'sympy')
if sympy is not None:
    a, b, c = sympy.symbols('a b c')
    PENDULUM = sympy.lambdify((a, b), sympy.diff(sympy.cos(a) * sympy.exp(-b * a), a))
    PIECES = sympy.lambdify(a, sympy.Piecewise((a ** 2, a < 1), (2 * a - 1, True)))
    SHARED = sympy.lambdify((a, b, c), sympy.sin(a + b) ** 2 + sympy.sqrt(a + b + c) / (a + b), cse=True)
    MATRIX = sympy.lambdify((a, b), sympy.Matrix([[sympy.cos(a), -sympy.sin(a)], [b, a * b]]))
    SPECIAL = sympy.lambdify((a, b), sympy.erf(a) + sympy.gamma(b) + sympy.besselj(0, a), modules=['scipy', 'numpy'])
    MATH = sympy.lambdify((a, b), sympy.atan2(a, b) + sympy.Max(a, b) + sympy.Abs(a - b), modules='math')
    NUMPY = sympy.lambdify((a, b), sympy.atan2(a, b) + sympy.Max(a, b) + sympy.sign(a) * sympy.floor(b), modules='numpy')


@of_sympy(0.7, 1.3)
def pendulum(v):
    return PENDULUM(v[0], v[1])


@of_sympy(0.7)
def pieces(x):
    return PIECES(x)


@of_sympy(0.7, 1.3, 0.4)
def shared_expressions(v):
    return SHARED(v[0], v[1], v[2])


@of_sympy(0.7, 1.3)
def matrix(v):
    return np.sum(MATRIX(v[0], v[1]) ** 2)


@of_sympy(0.7, 1.3)
def special_functions(v):
    return SPECIAL(v[0], v[1])


@of_sympy(0.7, 1.3)
def by_math(v):
    return MATH(v[0], v[1])


@of_sympy(0.7, 1.3)
def by_numpy(v):
    return NUMPY(v[0], v[1])
