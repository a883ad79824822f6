"""Array expressions as loops over elements, for given types of arguments: the same function, two to a hundred times faster.

Enters: a function and the types of its arguments (`functions.specialised`). Leaves: a function with loops and its text, or None
where nothing can become loops. What is not known stays as it is, so results differ by the order of sums at most.

In the order of the work: `types` says what each name holds (in terms of `values` and of `affine`, sizes as sums of names);
`rename`, `products` and `tape_views` make statements easier; `accesses` reads a statement as what it does at each step of a
loop; `outer_products` does so for products with matrices; `fuse` puts statements into common loops and writes them,
`scatter_to_gather`, `interchange` and `raise_rows` change the order of loops where that is better. `scopes` holds what is known
at each place. `NotLowered` is raised by a reader that meets what it does not know: the statement stays.

May import: `frontend`, `emit`, the run time; never Numba. Start reading: `lower.Lowering.block`.
"""
