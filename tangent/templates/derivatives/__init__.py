"""The rules of what derivatives call themselves, so that they can be differentiated again; other forms of rules.

Enters: nothing; leaves: rules in the registry, for run-time functions, complex numbers, `nan_safe` and series.
May import: `templates.language`, and run-time functions.
Start with: `runtime`; `complexes` and `nan_safe` give rules a second form.
"""
