"""Reads that look at the shape of an array, and not at what is in it."""
import gast

from tangent import tree
from tangent.optimize.look import BLOCKS, look

# Functions of the run time and of NumPy: positions of the arguments of which only shape and dtype are looked at.
SHAPES = {'unbroadcast': (1,), 'unreduce_like': (1,), 'init_grad': (0,), 'astype': (1,), 'zeros_like': (0,), 'ones_like': (0,),
          'empty_like': (0,), 'shape': (0,), 'ndim': (0,), 'len': (0,), 'size': (0,), 'array_size': (0,), 'check_floats': (0,),
          'full_like': (0,), 'check_number': (0,)}
ATTRIBUTES = frozenset('shape size ndim dtype itemsize nbytes'.split())


def value_reads(stmt, effects):
    """(name, index or None) for each place of a statement where the elements of an object are read."""
    found = []
    skip = BLOCKS if isinstance(stmt, (gast.If, gast.For, gast.While, gast.With, gast.Try)) else ()
    if look(stmt).opaque:
        return [(name, None) for name in look(stmt).loads]
    for field in stmt._fields:
        value = getattr(stmt, field, None)
        if field not in skip:
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, gast.AST):
                    _visit(item, effects, found)
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        found.append((stmt.target.id, None))
    elif isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Subscript) and isinstance(
            stmt.target.value, gast.Name):
        found.append((stmt.target.value.id, stmt.target.slice))
    return found


def _visit(node, effects, found):
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load):
            found.append((node.id, None))
        return
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
        if isinstance(node.ctx, gast.Load):
            found.append((node.value.id, node.slice))
        _visit(node.slice, effects, found)
        return
    if isinstance(node, gast.Attribute) and node.attr in ATTRIBUTES and isinstance(node.value, gast.Name):
        return
    if isinstance(node, gast.Call):
        for part in shape_arguments(node, effects)[1]:
            _visit(part, effects, found)
        return
    for child in tree.children(node):
        _visit(child, effects, found)


def shape_arguments(call, effects):
    """(arguments of which only the shape is read, all other parts) of a call."""
    last = (effects.helper(tree.dotted(call.func) or '')).split('.')[-1]
    at = SHAPES.get(last, ())
    shapes = [a for k, a in enumerate(call.args) if k in at]
    rest = [a for k, a in enumerate(call.args) if k not in at] + [k.value for k in call.keywords]
    rest.append(call.func.value if isinstance(call.func, gast.Attribute) else call.func)
    return shapes, rest


def needs(stmt, effects, value):
    """(names whose value, names of which only the shape is needed) for a statement.

    value : whether the value that it binds is needed, and not its shape alone
    """
    if look(stmt).opaque or look(stmt).captured:
        return look(stmt).loads, ()
    values, shapes = [], []
    if not value and tree.target(stmt):
        _shape(stmt.value, effects, values, shapes)
    else:
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
            values.append(stmt.target.id)
        for part in tree.header(stmt):
            _value(part, effects, values, shapes)
    return values, shapes


def _value(node, effects, values, shapes):
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load):
            values.append(node.id)
    elif isinstance(node, gast.Attribute) and node.attr in ATTRIBUTES:
        _shape(node.value, effects, values, shapes)
    elif isinstance(node, gast.Call):
        looked, rest = shape_arguments(node, effects)
        for part in looked:
            _shape(part, effects, values, shapes)
        for part in rest:
            _value(part, effects, values, shapes)
    else:
        for child in tree.children(node):
            _value(child, effects, values, shapes)


def _shape(node, effects, values, shapes):
    if isinstance(node, gast.Name):
        shapes.append(node.id)
    elif isinstance(node, gast.Subscript):
        _shape(node.value, effects, values, shapes)
        _value(node.slice, effects, values, shapes)
    elif isinstance(node, gast.Call) and effects.helper(tree.dotted(node.func)) in ('copy', 'array_copy'):
        _shape(node.args[0], effects, values, shapes)
    else:
        _value(node, effects, values, shapes)
