"""Messages between processes as functions: formulas that the rules for MPI call by name; loaded once mpi4py has been.

Enters, leaves: as for `runtime.functions`. May import: mpi4py and `runtime`.
Start with: `links`, which says where adjoint messages travel; then `messages` and `collectives`.
"""
