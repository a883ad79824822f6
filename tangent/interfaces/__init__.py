"""What users call: `grad` and its kin, Jacobians, solvers, the names of autograd and JAX, rules, tools.

Enters: the user's function and options.
Leaves: a callable, a text or a report.
May import: every room. Nothing but the faces of the package (`tangent`, `func`, `implicit`) imports it.
Start with: `grad`; `registered` lists the modules that fill tables when they are imported.
"""
