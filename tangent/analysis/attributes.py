"""Reading attributes of objects: `model.layers[i].w` is one operation, whose gradient goes to that place of the owner's.

    t = model.layers[i].w        its adjoint: bmodel.layers[i].w += bt

A name like `T` or `size` may be an attribute of an array's or of an object's. It is an object's where the function reads
another attribute of the same value that no array has, and in `self`.
"""
import types

import gast

from tangent.analysis.activity import is_passive
from tangent.analysis.dataflow.solve import closure
from tangent.analysis.kinds.classes import is_users
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.templates.language import registry

HOLE = '_'


class Place(gast.AST):
    """A part of a gradient that has to be filled in: an expression in which the name `_` stands for the gradient."""
    _fields = ('value',)

    def __init__(self, value):
        super().__init__()
        self.value = value


def of(index, gradient):
    """What an index, or a Place, picks of the gradient with this name, as the target of an assignment."""
    if isinstance(index, Place):
        return tree.replace(tree.substitute(index.value, {HOLE: tree.load(gradient)}), ctx=gast.Store())
    return gast.Subscript(value=tree.load(gradient), slice=index, ctx=gast.Store())


# Which values are objects?

def path(expr):
    """'model.layers[]' for a name with attributes and indices, else None."""
    if isinstance(expr, gast.Name):
        return expr.id
    if isinstance(expr, (gast.Attribute, gast.Subscript)):
        owner = path(expr.value)
        return owner and owner + (f'.{expr.attr}' if isinstance(expr, gast.Attribute) else '[]')
    return None


def is_of_arrays(name):
    return is_passive(name) or name in OTHERS or registry.attribute(name) is not None


OTHERS = frozenset(['base', 'data', 'ctypes', 'device', 'numerator', 'denominator'])


class Objects:
    """Which expressions are objects for sure, because a class of the user's makes them, or an attribute is read of them that
    arrays do not have."""

    def __init__(self, function, resolver, fields=frozenset()):
        self.resolver, self.paths = resolver, paths_of_objects(function, resolver, fields)

    def __call__(self, expr):
        return path(expr) in self.paths or makes_object(expr, self.resolver)

    def inside(self, expr):
        """Whether an expression is an object, or holds one, as far as that is sure."""
        own = path(expr)
        return self(expr) or own is not None and any(p.startswith((f'{own}.', f'{own}[')) for p in self.paths)


def makes_object(expr, resolver):
    """Whether an expression is the call of a class of the user's."""
    kind = resolver(expr.func) if isinstance(expr, gast.Call) else None
    return isinstance(kind, type) and (is_users(kind) or kind is types.SimpleNamespace)


def paths_of_objects(function, resolver, fields):
    """Where an attribute is read that arrays do not have; or one that objects in sight have too, of what is used in no
    other way than by attributes."""
    params = function.args.posonlyargs + function.args.args
    found = {'self'} if params and params[0].id == 'self' else set()
    called, graph, bare, likely = set(), {}, set(), set()
    for node in tree.walk(function):
        if isinstance(node, gast.Call):
            called.add(node.func)
        elif isinstance(node, gast.Assign) and tree.target(node) and makes_object(node.value, resolver):
            found.add(tree.target(node))
        elif isinstance(node, gast.Assign) and tree.target(node) and isinstance(node.value, gast.Name):
            graph.setdefault(tree.target(node), set()).add(node.value.id)
            graph.setdefault(node.value.id, set()).add(tree.target(node))
    for node in tree.walk(function):
        if isinstance(node, gast.Attribute) and node not in called and not is_of_arrays(node.attr) \
                and resolver(node.value) is UNKNOWN and path(node.value):
            found.add(path(node.value))
        elif isinstance(node, gast.Attribute) and node not in called and not is_of_arrays(node.attr):
            found |= made_from(node.value)
        elif isinstance(node, gast.Attribute) and node.attr in fields and resolver(node.value) is UNKNOWN and path(node.value):
            likely.add(path(node.value))
        elif isinstance(node, (gast.BinOp, gast.UnaryOp, gast.Subscript, gast.For, gast.Call)):
            parts = [node.iter] if isinstance(node, gast.For) else tree.children(node)
            bare |= {path(e) for e in parts if isinstance(e, (gast.Name, gast.Attribute, gast.Subscript))}
    return closure(found | likely - bare, graph)


def made_from(expr):
    """Paths of the objects that an object is made from, by operators or by a method of one."""
    if isinstance(expr, (gast.BinOp, gast.UnaryOp)):
        operands = [expr.left, expr.right] if isinstance(expr, gast.BinOp) else [expr.operand]
        return set().union(*map(made_from, operands)) | {path(e) for e in operands if isinstance(e, gast.Name)}
    if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Attribute) and registry.method(expr.func.attr) is not None:
        return {path(expr.func.value)} - {None}
    return set()


def attributes_alone(function, name):
    """The attributes that a function reads of a parameter, if that is all it does with it."""
    read = {id(n.value): n.attr for n in tree.walk(function) if isinstance(n, gast.Attribute)}
    loads = [n for n in tree.walk(function) if isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Load)]
    return sorted({read[id(n)] for n in loads}) if all(id(n) in read for n in loads) else []


def combines_objects(function, is_object):
    """Whether an operator is applied to an object, whatever its class."""
    return any(is_object(e) for node in tree.walk(function) if isinstance(node, (gast.BinOp, gast.UnaryOp))
               for e in tree.children(node) if isinstance(e, gast.Name))
