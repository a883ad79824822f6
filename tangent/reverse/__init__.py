"""Reverse mode: from the statements of a function to those statements with a tape, and the adjoint of each, last one first.

Enters: a function in normal form, and what is asked for.
Leaves: its forward pass with the pushes, and its backward pass with the pops: one function, or two that hand over a tape.
May import: `optimize` and what stands before it.
Start with: `reverse`, then `accumulate`, which gathers what is owed to a gradient and writes it once; `control_flow` for
branches and loops, `arrays` for what is written in place.
"""
