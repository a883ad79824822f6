"""Regions: what is done at the end of statements, however these are left: `finally`, and contexts.

Enters: a Source with such statements, before they are taken apart; then the function, from room to room; then emitted text.
Leaves: the same as statements in a row, with marks, for all rooms but the optimizer; `try` and `with` in the text.
May import: what `normal` may.
Start with: `marks`, which says what a region is; `contexts` makes them, `written` writes them.
"""
