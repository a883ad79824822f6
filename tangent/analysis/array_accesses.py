"""What the text of a function tells of arrays: which names it treats as such, and where it writes into one."""
import types
from typing import NamedTuple

import gast

from tangent.frontend import tree
from tangent.frontend.source import uncompiled
from tangent.runtime import facts
from tangent.templates.language import registry
from tangent.templates.python import mutations

ARITHMETIC = (gast.Sub, gast.Div, gast.Pow, gast.MatMult)


class Write(NamedTuple):
    """A statement that writes into a buffer: `name[index] = value`, or `name[index] op= value`."""
    name: str
    index: object                         # type: ignore[assignment]
    value: object
    op: object = None


def written_params(function, resolver, effects, writes, known=()):
    """Parameters into whose elements a function writes, or has others write (`writes` tells that of a call), and which are
    surely meant to be arrays."""
    found = {w.name for s in tree.every(function.body) if (w := write_of(s)) is not None}
    for call in tree.walk(function):
        if isinstance(call, gast.Call):
            found |= {e.id for part in writes(resolver(call.func), call) for e in part if isinstance(e, gast.Name)}
    params = tree.names(function.args, gast.Param)
    starred = {a.id for a in (function.args.vararg, function.args.kwarg) if a}
    evidence = array_like(function, resolver) | effects.handed_over(function, resolver) | set(known)
    return [p for p in params if p in found and p not in starred and p in evidence]


def axes_of(function, name):
    """How many positions or slices the text uses to get at an element of an array, if always so many and more than one."""
    counts = set()
    for s in tree.every(function.body):
        for part in tree.header(s):
            for node in tree.walk(part):
                if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name) and node.value.id == name:
                    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
                    plain = all(is_position(p) or isinstance(p, gast.Slice) for p in parts)
                    counts.add(len(parts) if plain else None)
    return counts.pop() if len(counts) == 1 and counts.isdisjoint((1, None)) else None


def write_of(s):
    """The Write that a statement is, whatever it writes into; None for others."""
    if isinstance(s, gast.Assign) and len(s.targets) == 1:
        target, op = s.targets[0], None
    elif isinstance(s, gast.AugAssign):
        target, op = s.target, s.op
    elif hasattr(s, 'adds') and isinstance(s.value.args[0], gast.Name):               # `np.add.at(a, index, v)`
        return Write(s.value.args[0].id, *s.value.args[1:], s.adds)
    else:
        return None
    if not isinstance(target, gast.Subscript) or not isinstance(target.value, gast.Name):
        return None
    return Write(target.value.id, target.slice, s.value, op)


def array_like(function, resolver, surely=False):
    """Names that the text treats as arrays: by what it indexes, asks or calculates; surely if it can do that with no list."""
    found = set()
    for s in tree.every(function.body):
        for part in [*tree.header(s), *(s.targets if isinstance(s, gast.Assign) else ())]:
            for node in tree.walk(part):
                if not surely or not isinstance(node, gast.Call):
                    found.update(evidence(node, resolver))
    return found


def evidence(node, resolver):
    if isinstance(node, gast.Subscript) and isinstance(node.value, gast.Name):
        mask = node.slice.args[0] if isinstance(node.slice, gast.Call) and len(node.slice.args) == 1 and facts.is_numpy(
            resolver(node.slice.func)) else node.slice                                    # `x[np.asarray(x < 0)]`
        return [node.value.id] if isinstance(mask, (gast.Tuple, gast.Compare)) else []
    if isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name):
        array = registry.tells(node.attr) or node.attr in ('T', 'flat') \
            or registry.method(node.attr) is not None and 'list' not in mutations.of(node.attr).of
        return [node.value.id] if array and not isinstance(resolver(node.value), types.ModuleType) else []
    if isinstance(node, gast.BinOp) and isinstance(node.op, ARITHMETIC):
        return [e.id for e in (node.left, node.right) if isinstance(e, gast.Name)]
    if isinstance(node, gast.Call) and facts.is_numpy(resolver(node.func)):
        return [e.id for e in node.args if isinstance(e, gast.Name)]
    return []


def taken_whole(function, resolver, effects):
    """Parameters of which the text takes more than elements: slices or the whole, or has functions that it calls do so."""
    elements = set()
    for node in tree.walk(function):
        if isinstance(node, gast.Subscript) and is_position(node.slice):
            elements.add(id(node.value))
        elif isinstance(node, gast.Call):
            callee = resolver(node.func)
            if callee is len:
                elements.update(map(id, node.args))
            elif effects.knows(callee):
                whole = effects.of(uncompiled(callee)).whole
                elements.update(id(e) for p, given in effects.bound(callee, node).items() if p not in whole for e in given)
    loads = [n for s in function.body for n in tree.walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)]
    return {n.id for n in loads if id(n) not in elements}.intersection(tree.names(function.args, gast.Param))


def needs_no_axes(indices, made):
    """Whether an array into which one writes by these indices may have no axes: all are `...` or masks, as a comparison gives.

    made : name -> the expressions whose values it is given
    """
    return bool(indices) and all(is_whole(i) or is_mask(i, made) for i in indices)


def is_whole(index):
    return isinstance(index, gast.Constant) and index.value is Ellipsis or isinstance(index, gast.Tuple) and not index.elts


def is_mask(index, made):
    if isinstance(index, gast.Name):
        values = made.get(index.id, ())
        return bool(values) and all(is_mask(value, {n: v for n, v in made.items() if n != index.id}) for value in values)
    if isinstance(index, gast.Call):
        return any(is_mask(a, made) for a in index.args)
    bits = isinstance(index, gast.BinOp) and isinstance(index.op, (gast.BitAnd, gast.BitOr, gast.BitXor))
    return bits or isinstance(index, gast.Compare) or isinstance(index, gast.UnaryOp) and isinstance(index.op, gast.Invert)


def is_element(expr, ranks):
    """Whether `x[i, j]` surely is one element of the array."""
    parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
    return isinstance(expr.value, gast.Name) and ranks.get(expr.value.id) == len(parts) \
        and all(is_position(p) for p in parts)


def is_position(index):
    """Whether an index is one position, if it is no array: no slice, no mask, no new axis."""
    return not isinstance(index, (gast.Slice, gast.Compare)) and not (
        isinstance(index, gast.Constant) and not isinstance(index.value, int))
