"""What comes from a tape: values that were made for it, or parts of arrays, which a restored array would change.

    t = np.flip(y[:k])                        # memory of y
    old = copy(y[:k])                         # memory of its own
    _stack.append((t, old))
"""
from __future__ import annotations

import gast
import numpy as np

from tangent.frontend import tree
from tangent.numba.loops.values import elementwise

OWN = frozenset('''empty zeros ones full empty_like zeros_like ones_like full_like copy dot sum init_grad zero_gradient
    array_copy'''.split())


def owned(function, find, library=()):
    """Name of a tape -> for each value that is pushed together whether it surely has memory of its own.

    library : names by which the text calls functions of the run time
    """
    values = bound(function)
    found: dict = {}
    for n in tree.walk(function):
        if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr == 'append' \
                and isinstance(n.func.value, gast.Name) and len(n.args) == 1:
            items = n.args[0].elts if isinstance(n.args[0], gast.Tuple) else n.args
            here = [is_own(item, values, find, library) for item in items]
            before = found.get(n.func.value.id, here)
            found[n.func.value.id] = [a and b for a, b in zip(before, here)] if len(before) == len(here) else []
    return found


def bound(function):
    """Name -> what it is bound to, wherever it is; None for what is no plain assignment."""
    values: dict = {}
    for s in tree.every(function.body):
        for name in tree.writes(s):
            values.setdefault(name, []).append(s.value if tree.target(s) == name else None)
    return values


def saved(function, count, find, library=()):
    """For each of the values that a primal returns for its adjoint, whether no other one can be a part of its memory."""
    result = getattr(function.body[-1], 'value', None)
    if not isinstance(result, gast.Tuple):
        return []
    pack = result.elts[-1] if isinstance(result.elts[-1], gast.Tuple) else result
    if len(pack.elts) != count:
        return []
    values, names = bound(function), tree.names(result, gast.Load)

    def is_alone(name):
        uses = [s for s in tree.every(function.body[:-1]) for part in tree.header(s) if name in tree.names(part, gast.Load)]
        return names.count(name) == 1 and all(isinstance(s, (gast.Assign, gast.AugAssign)) and (
            is_slice(s.targets[0] if isinstance(s, gast.Assign) else s.target)
            or not isinstance(s.value, gast.Name) and is_own(s.value, values, find, library)) for s in uses)
    return [isinstance(e, gast.Name) and is_own(e, values, find, library) and is_alone(e.id) for e in pack.elts]


def alone(s, owned):
    """The names that take values of their own out of what a primal saved."""
    if not isinstance(s, gast.Assign) or not isinstance(s.value, gast.Name) or not isinstance(s.targets[0], gast.Tuple):
        return set()
    return {e.id for e, own in zip(s.targets[0].elts, owned.get(s.value.id, ())) if own}


def is_slice(target):
    """Whether what is assigned to a target is copied into an array."""
    index = target.slice if isinstance(target, gast.Subscript) else None
    return any(isinstance(p, gast.Slice) for p in (index.elts if isinstance(index, gast.Tuple) else [index]))


def is_own(expr, values, find, library):
    """Whether the value of an expression surely has memory of its own, or none."""
    if isinstance(expr, gast.Name):
        made = values.get(expr.id) or [None]
        return not any(v is None or isinstance(v, gast.Name) for v in made) \
            and all(is_own(v, values, find, library) for v in made)
    if isinstance(expr, gast.Call):
        f = find(expr.func)
        if f is None and tree.dotted(expr.func) in library:
            return tree.dotted(expr.func) in OWN
        if f is None:
            return isinstance(expr.func, gast.Attribute) and expr.func.attr in ('copy', 'sum') and not expr.args
        module = str(getattr(f, '__module__', None) or '')
        return elementwise(f) and f is not np.positive or module.startswith(('numpy', 'tangent')) and f.__name__ in OWN
    return isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant))
