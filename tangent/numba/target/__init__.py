"""The last room before the text: trees of a derivative in the form that Numba takes, and runs fastest.

Enters: all functions of a derivation, as trees with the origin of each statement.
Leaves: the same functions with contiguous tapes, parallel loops that stay parallel, and memory for recursion; no type is known.
May import: `frontend`, `analysis`, `emit` and `loops.functions`; never Numba itself.
Start with: `lower.lowered`, the list of passes. Each is a function in a file of its own that begins with a program before and
after: `inner_loops`, `common_quotients`, `branch_tapes`, `recursion`, `parallel` (with `dependences`: what the trips of a loop
have to do with each other). When Numba compiles, `typed_stub` makes derivatives where only types decide, and `written_out`
puts what is called once in the place of the call.
"""
