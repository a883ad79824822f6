"""Tools that watch a derivative while it runs: the first nan, a profile by the user's lines, the statement with a wrong rule.

Enters: a derivative and its arguments. Leaves: a report in the user's lines, or an error that names one.
May import: what `interfaces` may. Nothing here changes a text; what is not watched costs nothing.
Start with: `watch`, which follows the lines of emitted text as Python runs them.
"""
