"""Functions inside functions: they become functions beside, and what they bind anew outside of themselves becomes lists.

Enters: a `Source`.
Leaves: one without the functions that matter, and these, as `Nested`.
May import: what `frontend` may.
Start with: `lambda_lifting`, then `cells`; `shadowed` tells names apart, `spread` makes a parameter of each argument behind
`*args` and `**more`.
"""
