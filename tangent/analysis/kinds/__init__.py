"""Kinds: what is known of the values that a function handles before a derivative is made for them.

Enters: a Source, and the arguments of a call where there are any.
Leaves: the classes that take part, what they define, and the Source with methods as the functions that they are.
May import: `emit` and what stands before it.
Start with: `participants.taking_part`, then `methods.resolved`; `classes` says what may run code of a class.
"""
