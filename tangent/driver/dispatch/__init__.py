"""The corridor while a derivative is running: callees that are known only then have their twins found, or made, there.

Enters: a callable and the values it is called with.
Leaves: its result and what its backward pass, or its tangent, needs.
May import: what `driver` may.
Start with: `reverse.pullback`; `callables` sees all kinds of callables as one function with its first arguments.
"""
