"""Activity for the log form: what a call is given goes into anything else that it is given, where it may write.

What is useful is not asked: what a function leaves in an object or a list may be read by its caller.
"""
import gast

from tangent.analysis import activity
from tangent.frontend import tree
from tangent.frontend.scopes import free


class Links(activity.Links):
    """The links of a function in the log form, in which lists have shadows like all that other names may hold.

    local : names of the function's own, and those that it captures
    """

    def __init__(self, sources, aliases, local):
        super().__init__(sources, aliases, activity.each)
        self.local = local

    def is_own(self, name):
        return name in self.local

    def change(self, s):
        return None

    def touched(self, call, s):
        if not self.aliases.acts(call):
            return set()
        return {n for e in tree.parts_of(call) for n in self.aliases.handed_on(e) if n in self.local or e is not call.func}

    def given(self, call):
        return self.sources.union(tree.parts_of(call))


def captured(function):
    """Names that functions inside a function take from it."""
    inside = [n for s in function.body for n in gast.walk(s) if isinstance(n, (gast.FunctionDef, gast.Lambda))]
    return {n for f in inside for n in free(f)}
