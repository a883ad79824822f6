"""Where the names of one function are bound and read, and which of them may share memory."""
import collections
import functools

import gast

from tangent.emit.signature import params
from tangent.frontend import tree


class Uses:
    """What is asked of the statements of a function in normal form while its adjoint is written."""

    def __init__(self, normal):
        self.normal, self.stmts = normal, list(tree.every(normal.tree.body))
        self.families = {}               # buffer -> names that may share its memory

    @functools.cached_property
    def binds(self):
        """Name -> how often it is bound."""
        return collections.Counter(tree.names(self.normal.tree, gast.Store)) + collections.Counter(params(self.normal.tree))

    @functools.cached_property
    def reads(self):
        """Name -> how often it is read."""
        return collections.Counter(n for s in self.stmts for part in tree.header(s) for n in tree.names(part, gast.Load))

    @functools.cached_property
    def made_by(self):
        """Name -> the operation that binds it last."""
        return {tree.target(s): self.normal.ops.get(s) for s in self.stmts if tree.target(s)}

    def family(self, name):
        """The array and all names, those of parts of expressions among them, that may share memory with it."""
        if name not in self.families:
            buffers = self.normal.buffers
            found = set(buffers.family(name))
            for s in self.stmts:                            # in order: views are made of what was made before
                if s in self.normal.ops and tree.target(s) and not found.isdisjoint(buffers.memory(s.value)):
                    found.add(tree.target(s))
            self.families[name] = found
        return self.families[name]
