"""The run time of the event log: gradients kept by the identity of what can be written into, and ways back for all writes.

Enters: lists, dicts, objects, arrays and their methods as they are called.
Leaves: what the call gives, and an entry that undoes it and passes its gradient on.
May import: `runtime`; it never sees a tree.
Start with: `gradients`, then `methods`, the tables of what runs in the place of what writes.
"""
