"""Parts of a function that become functions beside it, so that they can be called: loops that keep little, what a `try` tries.

Enters: a Source, before its statements are taken apart.
Leaves: the Source with calls in their place, and the functions, as `Nested` that it can read.
May import: what `normal` may, and `normal.desugar`.
Start with: `attempts`, then `loops`; `facts` says of a loop what goes in and what comes out.
"""
