"""Forward mode in several directions: what is different in the text.

Zeros that can be written into are made for all directions, and a function that is given tangents and does not know of
directions is called for each of them:

    dy = scipy.linalg.solve(a, dx)      ->      dy = each_direction(scipy.linalg.solve, a, dx)
"""
import numbers

import gast

from tangent.analysis.dataflow.solve import closure
from tangent.emit.library import find
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.templates.python import mutations

LIST_METHODS = mutations.names(
    lambda m: m.of & {'list', 'dict'} and 'array' not in m.of and (m.tangents or m.gives == 'view'))


def in_directions(function, forward, given, shared, twins, brought):
    """The emitted tree of one function, rewritten.

    forward : the `Forward` that has generated it
    given : names of the parameters that take tangents
    shared : library name -> object
    twins, brought : names of the twins that were emitted, and of those that functions brought with them
    """
    users = {n.id for n in tree.walk(forward.facts.source.tree) if isinstance(n, gast.Name)}
    moving = tangents(function, {*given, *forward.of.values(), forward.count}, users | set(forward.of))
    spreading = Spreading(moving, forward, shared, twins, brought)
    return tree.replace(function, body=[spreading(s) for s in function.body])


def tangents(function, known, primal):
    """Names that hold tangents: those that are known, and what is made of them."""
    graph = {}
    for s in tree.every(function.body):
        parts = list(tree.header(s))
        bound = {n for p in parts for n in tree.names(p, gast.Store)} - primal
        for n in (n for p in parts for n in tree.names(p, gast.Load)):
            graph.setdefault(n, set()).update(bound)
    return closure(known, graph)


class Spreading:
    """Rewrites the calls of functions that do not know of directions."""

    def __init__(self, moving, forward, shared, twins, brought):
        self.moving, self.forward, self.shared, self.twins, self.brought = moving, forward, shared, twins, brought
        self.passes = find('passes_directions')
        self.displays = {tree.target(s) for s in tree.every(forward.facts.tree.body) if isinstance(s, gast.Assign)
                         and isinstance(s.value, (gast.List, gast.Tuple, gast.ListComp))}
        self.displays |= {forward.of.get(n) for n in self.displays}

    def __call__(self, node):
        new = node.__class__.__new__(node.__class__)
        new.__dict__.update(node.__dict__)
        for key, value in node.__dict__.items():
            if type(value) is list:
                new.__dict__[key] = [self(v) if isinstance(v, gast.AST) else v for v in value]
            elif isinstance(value, gast.AST):
                new.__dict__[key] = self(value)
        return self.call(new) if type(node) is gast.Call else new

    def call(self, node):
        if self.still([*node.args, *node.keywords]):
            return node
        if isinstance(node.func, gast.Name) and self.shared.get(node.func.id) is find('pushforward'):
            batched = gast.keyword(arg='batched', value=tree.constant(True))
            return tree.replace(node, keywords=node.keywords + [batched])
        helper = self.helper(node.func, any(map(self.is_display, node.args)))
        if helper is None:
            return node
        return tree.replace(self.forward.call(helper, node.func, *node.args), keywords=node.keywords)

    def still(self, nodes):
        return self.moving.isdisjoint(n for node in nodes for n in tree.names(node, gast.Load))

    def is_display(self, expr):
        """Whether an argument is surely a list or tuple, in which NumPy does not look for what is none of its arrays."""
        return isinstance(expr, (gast.List, gast.Tuple)) or isinstance(expr, gast.Name) and expr.id in self.displays

    def helper(self, func, listed):
        """The helper by which a function is called that tangents are given to, None where it takes them as they are.

        listed : whether there is a list or tuple among its arguments
        """
        if isinstance(func, gast.Name):
            if func.id in self.twins:
                return None
            if func.id in self.brought:
                return 'each_pushed'
            found = self.shared[func.id] if func.id in self.shared else self.forward.library.denoted(func.id)
        elif isinstance(func, gast.Attribute) and (func.attr in LIST_METHODS or not self.still([tree.root(func)])):
            return None
        else:
            found = UNKNOWN
        found = self.forward.facts.resolver(func) if found is UNKNOWN else found
        if isinstance(found, type):
            return 'each_direction' if issubclass(found, numbers.Number) else None
        if found is UNKNOWN or not self.passes(found):
            return 'each_direction'
        return 'each_direction' if listed and (hasattr(found, '_implementation') or hasattr(found, 'nin')) else None
