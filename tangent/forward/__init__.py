"""Forward mode: beside every statement that a derivative flows through stands the same for the tangents.

Enters: the function as the user wrote it, its namespace, and the parameters that have tangents.
Leaves: one function that computes value and tangent side by side, in the memory of the function itself.
May import: `reverse` and what stands before it.
Start with: `forward`, then `statements`; `batched` is for several directions in one pass.
"""
