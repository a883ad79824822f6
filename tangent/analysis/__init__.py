"""Questions about a function, each answered in one place: what carries a derivative, shares memory, is written, is a number.

Enters: a function as a tree, in normal form or as the user wrote it, and what its callees are known to do.
Leaves: facts, as values beside the tree; no analysis changes what it looks at.
May import: `emit` and what stands before it: names, the registry. It knows no direction:
reverse, forward, log form and Numba ask alike.
Start with: `activity` and `alias`; the general machinery is in `dataflow`.
"""
