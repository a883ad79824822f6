"""Tools that look at derivatives: explain, check, report, export, the command line, and what has a rule.

Enters: a function or a derivative of ours. Leaves: a text, a table, or an error that says what is wrong.
May import: what `interfaces` may.
Start with: `explain` and `check_grads`.
"""
