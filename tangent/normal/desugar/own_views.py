"""Methods of the user's with the names of those by which dicts are gone through:

    for v in table.values(): ...        for v in getattr(table, 'values')(): ...

for a `table` that surely is an object of a class that defines such a method: it is found as any method of an object is, and
what it gives is no view of a dict.
"""
import gast

from tangent.analysis.attributes import Objects
from tangent.analysis.kinds import classes
from tangent.frontend import tree
from tangent.templates.python import mutations


def own_views(function, resolver, library):
    own = mutations.VIEWS & classes.users(resolver)[0]
    if not own:
        return function
    is_object = Objects(function, resolver)
    return tree.replace(function, body=[Named(own, is_object, library).visit(tree.clone(s)) for s in function.body])


class Named(gast.NodeTransformer):
    def __init__(self, own, is_object, library):
        self.own, self.is_object, self.library = own, is_object, library

    def visit_Call(self, node):
        func = node.func
        if isinstance(func, gast.Attribute) and func.attr in self.own and self.is_object(func.value):
            node = tree.replace(node, func=tree.call(self.library('getattr'), func.value, tree.constant(func.attr)))
        return self.generic_visit(node)
