"""The declarations for messages between processes; loaded once mpi4py has been imported.

Enters: nothing; leaves: rules in the registry. May import: `templates.language`, and run-time functions its texts name.
Start with: `mpi`.
"""
