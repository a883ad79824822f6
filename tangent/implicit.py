"""Derivatives of what solves an equation, for solvers of your own: `root`, `fixed_point`, `minimiser`."""
from tangent.interfaces.solvers.implicit import fixed_point, minimiser, root

__all__ = ['fixed_point', 'minimiser', 'root']
