"""What is done to a function before its statements are read as loops.

Enters: a FunctionDef, and the `types.Kinds` of it.
Leaves: one that says the same in statements that are easier to read; the same object where there is nothing to do.
May import: `affine`, `values` and what `loops` may import.
Start with: `rename`, one name for each array; `spread_first`, arrays that NumPy would spread over each other; `tape_views`,
what tapes hold; `sums`, sums in the midst of arithmetic; `scaled`, products of scaled matrices; `moved`, copies that are taken
over; `stored`, what arrays keep is on no tape; `memory`, who may change or keep what.
"""
