"""The second engine of reverse mode, for any control flow and any writes: a log of what was done is undone.

Enters: a function whose writes, objects or generators the plain form of `reverse` cannot follow.
Leaves: a pair of functions: one computes and notes each step, the other goes back through the log.
May import: `forward` and what stands before it. It is to dissolve into the first engine: nothing new goes in.
Start with: `statements`, then `steps` (a statement, its entry, its adjoint); `shadow` is what runs.
"""
