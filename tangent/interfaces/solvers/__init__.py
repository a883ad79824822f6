"""Derivatives of what solves something: roots, minima, integrals, differential equations; forward mode inside of reverse.

Enters: the user's functions and the solution that a solver has found.
Leaves: the derivative of the solution, by the implicit function theorem or an adjoint equation, not through the steps.
May import: what `interfaces` may.
Start with: `implicit`, then `ode`.
"""
