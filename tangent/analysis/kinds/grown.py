"""Lists that a text makes, fills and empties, and hands to nobody who might change them."""
from __future__ import annotations

import builtins

import gast
import numpy as np

from tangent.frontend import tree
from tangent.runtime import facts

READING = frozenset([np.stack, np.array, np.asarray, np.concatenate, np.vstack, np.hstack, np.column_stack,
                     *(getattr(builtins, name) for name in ('len', 'sum', 'min', 'max'))])
HELPERS = 'init_grad', 'unstack', 'unarray', 'array_size'           # of the run time, which look at what they are given
CHANGING = 'append', 'pop'
SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp,
          gast.GeneratorExp)


def grown_lists(function, called):
    """Names that hold nothing but lists which the function makes itself: nobody else has them, so that they hold what it puts
    into them.

    called : from what a call calls to the function, or None

        path = [start]                      `path`: it is asked, filled, and read by NumPy
        for shock in noise:
            path.append(0.9 * path[-1] + shock)
        return np.stack(path)
    """
    scan = _Scan(called)
    for s in function.body:
        scan.look(s)
    return scan.made - scan.lost - set(tree.names(function.args, gast.Param))


class _Scan:
    def __init__(self, called):
        self.called, self.made, self.lost = called, set(), set()

    def look(self, node):
        if isinstance(node, gast.Name):
            self.lost.add(node.id)
        elif isinstance(node, SCOPES):
            self.lost.update(n.id for n in tree.walk(node) if isinstance(n, gast.Name))
            self.lost.add(getattr(node, 'name', None))
        elif isinstance(node, gast.Assign) and tree.target(node) and self.makes(node.value):
            self.made.add(tree.target(node))
            self.look(node.value)
        elif isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and not isinstance(node.ctx, gast.Del) \
                and not isinstance(node.slice, gast.Slice):
            self.look(node.slice)
        elif isinstance(node, gast.Call):
            self.call(node)
        elif isinstance(node, gast.For) and isinstance(node.iter, gast.Name):
            self.each([node.target, *node.body, *node.orelse])
        else:
            self.each(gast.iter_child_nodes(node))

    def each(self, nodes):
        for node in nodes:
            self.look(node)

    def call(self, node):
        method = node.func if isinstance(node.func, gast.Attribute) and isinstance(node.func.value, gast.Name) else None
        if method is not None and method.attr in CHANGING and not node.keywords:
            return self.each(node.args)
        function = self.called(node.func)
        reads = getattr(function, '__hash__', None) and function in READING or facts.is_helper(function, *HELPERS)
        if not reads:
            self.look(node.func)
        self.each([a for a in [*node.args, *(k.value for k in node.keywords)] if not (reads and isinstance(a, gast.Name))])

    def makes(self, value):
        """Whether an expression makes a list that nobody else has."""
        if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
            return isinstance(value.left, gast.List)
        if isinstance(value, gast.Call):
            return facts.is_helper(self.called(value.func), *HELPERS)
        return isinstance(value, gast.List) and not any(isinstance(e, gast.Starred) for e in value.elts)
