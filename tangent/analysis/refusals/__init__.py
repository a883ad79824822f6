"""Where a text is refused: what it writes into has another name, is written over by a library, or outlasts the call.

Enters: a function in normal form, its aliases and activity. Leaves: an error at the user's line, or a check for the run time.
May import: `analysis`.
Start with: `aliased_updates`.
"""
