"""The declarations for SciPy, a file for each of its modules; each is loaded once that module has been imported.

Enters: nothing; leaves: rules in the registry. May import: SciPy, `templates.language`, and run-time functions its texts name.
Start with: `special`, which is a line for each function.
"""
