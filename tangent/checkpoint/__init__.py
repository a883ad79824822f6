"""Loops that keep a few states for the backward pass and compute the others again.

Enters: a loop that the user has marked, or one whose tape does not fit into the memory allowed.
Leaves: its result, and a way back within the budget: states kept in memory or in files by a binomial schedule.
May import: `driver` and what stands before it.
Start with: `checkpointed`, then `schedules` (Griewank and Walther's revolve) and `run`.

The function `tangent.checkpoint` is another thing, and is in `interfaces.custom`.
"""
