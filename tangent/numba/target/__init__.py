"""The last room before the text: trees of a derivative in the form that Numba takes, and runs fastest.

Enters: all functions of a derivation, as trees with the origin of each statement. Leaves: the same functions with contiguous
tapes, loops over `prange` that stay parallel, memory for recursive functions; nothing here knows a type.

Each pass is a function in a file of its own, which begins with a program before and after: `inner_loops` (sums first),
`common_quotients`, `branch_tapes`, `recursion`, `parallel` (with `dependences`, which asks what the trips of a loop have to
do with each other). `typed_stub` is for derivatives that are made when Numba compiles them, because only types decide.

May import: `frontend`, `analysis`, `emit`, `loops.functions`; never Numba itself. Start reading: `lower.lowered`, the list of
passes.
"""
