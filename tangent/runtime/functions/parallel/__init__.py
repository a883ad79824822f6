"""Formulas for programs on more than one machine; each file is loaded once the library that it is about has been.

*Enters*: arrays in chunks, tasks, messages, and what is owed to them. Leaves: the same, of the gradient.

*May import*: `runtime` and the formulas there, and the library that the file is about.

*Start with*: `chunks` for Dask; `links` for MPI, which says where adjoint messages travel.
"""
