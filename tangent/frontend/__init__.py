"""From a Python function to its syntax tree, and what each name in it means.

Enters: a function of the user's, whatever its form: def, lambda, method, closure, notebook cell, compiled by Numba.
Leaves: a `Source`: tree, namespace, line numbers and comments; a `Resolver`, which says which object a name denotes; or an
error that shows the user's own line and the way out (`subset` is the table of what is not accepted).
May import: `errors`, and of `runtime` the table of what stands in for a callable. It knows Python and nothing of
derivatives; `tree` is the box of tools that all later rooms use.
Start with: `source.read`, then `resolve`; `closures.lambda_lifting` for functions inside functions.
"""
