"""Array expressions as loops over elements, for given types of arguments.

Enters: a function and the types of its arguments.
Leaves: a function with loops, and its text; None where nothing can become loops. What is not known stays as it is.
May import: `frontend`, `emit`, `analysis` and the run time; never Numba.
Start with: `functions.specialised`, then `lower.Lowering.block`. In the order of the work: `types` says what each name holds
(in terms of `values`, and of `affine`: sizes as sums of names); `prepared` and `products` make statements easier;
`accesses` reads what a statement does at each step of a loop, `outer_products` so for products with matrices; `fuse` puts
statements into common loops and writes them; `scatter_to_gather`, `interchange`, `parted` and `raise_rows` change the order
of loops where that is better; `scopes` holds what is known at each place. A reader that meets what it does not know raises
`NotLowered`.
"""
