"""Derivatives to look at: a page of HTML, and coloured text.

Enters: a derivative of ours. Leaves: the user's function beside it, line linked to line, with what every room made of it.
May import: what `interfaces` may, but `grad`, which shows derivatives by what is here.
Start with: `view`; `recording` is where the texts come from, `page` writes the HTML. Style and script are files in `static`.
"""
