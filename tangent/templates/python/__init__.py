"""The declarations for Python itself: operators, builtins, `math`, containers, and numbers of other libraries.

Enters: nothing; leaves: rules in the registry. May import: `templates.language`, and the run-time functions its texts name.
Start with: `operators`.
"""
