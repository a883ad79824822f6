"""Kinds: what is known of the values that a function handles before a derivative is made for them.

Enters: a Source, and the arguments of a call where there are any.
Leaves: the classes that take part, what they define, and the Source with methods as the functions that they are; for each
expression whether it is a number, an array with axes that are known, a container or an object of such.
May import: `emit` and what stands before it.
Start with: `values`, which says what a kind is; `infer` runs a text on kinds, `program` goes from callers to callees, `results`
says what NumPy's functions make. `participants.taking_part`, then `methods.resolved`; `classes` says what runs code of classes,
`special` what Python calls where no call stands. `assumptions` says what arguments a function lets one expect, `decided` which
tests they decide.
"""
