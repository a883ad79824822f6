"""The control-flow graph, and the one solver for facts that flow along it.

Enters: the statements of a function in normal form, and an `Analysis`: direction, start, join, step.
Leaves: the facts before and after each statement.
May import: `frontend` and the registry.
Start with: `solve`, then `cfg`; `statements` says what a single statement does to names.
"""
