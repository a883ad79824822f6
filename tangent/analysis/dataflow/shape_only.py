"""Reads that look at the shape of an array, and not at what is in it."""
import gast

from tangent.analysis.dataflow.statements import BLOCKS, look
from tangent.frontend import tree
from tangent.runtime import facts
from tangent.templates.language import registry


def value_reads(stmt, helper):
    """(name, index or None) for each place of a statement where the elements of an object are read.

    helper : gives the library's own name of a function that the text calls by another
    """
    found = []
    skip = BLOCKS if isinstance(stmt, (gast.If, gast.For, gast.While, gast.With, *tree.TRIES)) else ()
    if look(stmt).opaque:
        return [(name, None) for name in look(stmt).loads]
    for field in stmt._fields:
        value = getattr(stmt, field, None)
        if field not in skip:
            for item in value if isinstance(value, list) else (value,):
                if isinstance(item, gast.AST):
                    _visit(item, helper, found)
    if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
        found.append((stmt.target.id, None))
    elif isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Subscript) and isinstance(
            stmt.target.value, gast.Name):
        found.append((stmt.target.value.id, stmt.target.slice))
    return found


def _visit(node, helper, found):
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load):
            found.append((node.id, None))
        return
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
        if isinstance(node.ctx, gast.Load):
            found.append((node.value.id, node.slice))
        _visit(node.slice, helper, found)
        return
    if isinstance(node, gast.Attribute) and registry.tells(node.attr) and isinstance(node.value, gast.Name):
        return
    if isinstance(node, gast.Call):
        for part in shape_arguments(node, helper)[1]:
            _visit(part, helper, found)
        return
    for child in tree.children(node):
        _visit(child, helper, found)


def shape_arguments(call, helper):
    """(arguments of which only the shape is read, all other parts) of a call."""
    known = facts.of(helper(tree.dotted(call.func) or ''))
    shapes = known.given(call, known.shape_of)
    rest = [a for a in tree.arguments(call) if not any(a is s for s in shapes)]
    rest.append(call.func.value if isinstance(call.func, gast.Attribute) else call.func)
    return shapes, rest


def needs(stmt, helper, value):
    """(names whose value, names of which only the shape is needed) for a statement.

    value : whether the value that it binds is needed, and not its shape alone
    """
    if look(stmt).opaque or look(stmt).captured:
        return look(stmt).loads, ()
    values, shapes = [], []
    if not value and tree.target(stmt):
        _shape(stmt.value, helper, values, shapes)
    else:
        if isinstance(stmt, gast.AugAssign) and isinstance(stmt.target, gast.Name):
            values.append(stmt.target.id)
        for part in tree.header(stmt):
            _value(part, helper, values, shapes)
    return values, shapes


def _value(node, helper, values, shapes):
    if isinstance(node, gast.Name):
        if isinstance(node.ctx, gast.Load):
            values.append(node.id)
    elif isinstance(node, gast.Attribute) and registry.tells(node.attr):
        _shape(node.value, helper, values, shapes)
    elif isinstance(node, gast.Call):
        looked, rest = shape_arguments(node, helper)
        for part in looked:
            _shape(part, helper, values, shapes)
        for part in rest:
            _value(part, helper, values, shapes)
    else:
        for child in tree.children(node):
            _value(child, helper, values, shapes)


def _shape(node, helper, values, shapes):
    if isinstance(node, gast.Name):
        shapes.append(node.id)
    elif isinstance(node, gast.Subscript):
        _shape(node.value, helper, values, shapes)
        _value(node.slice, helper, values, shapes)
    elif isinstance(node, gast.Call) and helper(tree.dotted(node.func) or '') in ('copy', 'array_copy'):
        _shape(node.args[0], helper, values, shapes)
    else:
        _value(node, helper, values, shapes)
