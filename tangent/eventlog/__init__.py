"""The second engine of reverse mode, for any control flow and any writes: gradients by identity, and writes that are undone.

Enters: a function whose writes, objects or generators the plain form of `reverse` cannot follow.
Leaves: a pair of functions: one computes and keeps what the other reads, which goes back through the same blocks.
May import: `forward` and what stands before it. It is to dissolve into the first engine: nothing new goes in.
Start with: `statements`, then `steps` (a statement, its entry, its adjoint); `nothing` is what is known of gradients that are
not there yet, `shadow` is what runs.
"""
