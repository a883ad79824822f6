"""The declarations for libraries that spread a program over machines; each is loaded once its library has been imported.

*Enters*: nothing; leaves: rules in the registry. May import: the library, `templates.language`, and run-time functions.

*Start with*: `dask_array`, or `mpi`.
"""
