"""Inlined: functions of the user's that stand where they are called, since what they do is done there, step by step.

Enters: a Source as it was written. Leaves: the same with the statements of such functions in the place of their calls, under
names of their own. May import: what `normal` may.
Start with: `factories`, functions that make functions, and `unrolled`, loops over functions; then `consumers`, which finds who
takes all that a generator gives, and `yields`, which writes the generator out where a loop goes through it.
"""
