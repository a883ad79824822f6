"""What is written into after a statement: the adjoint of a call may read, late, what the call was given."""
import gast

from tangent.frontend import tree


class Later:
    """Whether something is written into after a statement: behind it in the text, in a loop around both, or when a context
    around it is left."""

    def __init__(self, function, aliases):
        self.aliases = aliases
        self.at, self.around = {}, {}
        self.place(function.body, ())
        self.writes = [(s, aliases.find(n)) for s, n in aliases.writes + aliases.updates]
        self.through = {aliases.find(n) for s in tree.every(function.body) for n in aliases.written_through(s)}

    def place(self, stmts, around):
        for s in stmts:
            if isinstance(s, (gast.For, gast.While, gast.With)):
                inner = (*around, id(s))
            else:
                inner = around
            self.at[id(s)], self.around[id(s)] = len(self.at), frozenset(inner)
            for _, block in tree.blocks(s):
                self.place(block, inner)

    def __call__(self, s, names):
        """The same of what these names may hold."""
        found = {self.aliases.find(n) for n in names}
        return not found.isdisjoint(self.through) or any(n in found and self.is_behind(w, s) for w, n in self.writes)

    def is_behind(self, write, s):
        if id(s) not in self.at or id(write) not in self.at:
            return True
        return self.at[id(write)] > self.at[id(s)] or not self.around[id(s)].isdisjoint(self.around[id(write)])
