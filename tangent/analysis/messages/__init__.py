"""Messages between processes: what calls of mpi4py do, said as functions of what is sent.

Enters: a function as the user wrote it, and the declarations of `templates.parallel.mpi`.
Leaves: the function with each call as an assignment, and where requests are waited for.
May import: what `analysis` may.
Start with: `communication`, then `waits`.
"""
