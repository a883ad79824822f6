"""The tape of a derivative in its raw form, taken for the list that it is, when that derivative is differentiated.

    _stack = Stack()                    _stack = []
    push(_stack, y, '_1')        ->     _stack.append(y)
    y = pop(_stack, '_1')               y = _stack.pop()
"""
from __future__ import annotations

import gast

from tangent import tree
from tangent.resolve import Resolver, local_names

NAMES = ('Stack', 'push', 'pop')


def as_lists(function, source):
    """The FunctionDef with lists for tapes; itself where there is none."""
    if not any(isinstance(n, gast.Name) and n.id.rstrip('0123456789') in NAMES for n in tree.walk(function)):
        return function
    resolver = Resolver(source, local_names(function))
    return tree.replace(function, body=[_replaced(s, resolver) for s in function.body])


def _operation(call, resolver):
    """'Stack', 'push' or 'pop' for a call of the run time's function of that name, else None."""
    name = (tree.dotted(call.func) or '').rpartition('.')[2].rstrip('0123456789')
    if name in NAMES and getattr(resolver(call.func), '__module__', None) == 'tangent.stack':
        return name
    return None


def _replaced(node, resolver):
    """A copy of the tree; statements keep their places."""
    if isinstance(node, gast.Call) and (name := _operation(node, resolver)):
        if name == 'Stack':
            return gast.List(elts=[], ctx=gast.Load())
        method = gast.Attribute(value=node.args[0], attr='append' if name == 'push' else 'pop', ctx=gast.Load())
        return gast.Call(func=method, args=[_replaced(node.args[1], resolver)] if name == 'push' else [], keywords=[])
    fields = {}
    for key, value in node.__dict__.items():
        if type(value) is list:
            fields[key] = [_replaced(v, resolver) if isinstance(v, gast.AST) else v for v in value]
        elif isinstance(value, gast.AST):
            fields[key] = _replaced(value, resolver)
    return tree.replace(node, **fields) if fields else node
