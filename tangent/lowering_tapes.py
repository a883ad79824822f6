"""What comes from a tape: values that were made for it, or parts of arrays, which a restored array would change.

    t = np.flip(y[:k])                        # memory of y
    old = copy(y[:k])                         # memory of its own
    _stack.append((t, old))
"""
from __future__ import annotations

import gast
import numpy as np

from tangent import tree
from tangent.lowering_values import elementwise

OWN = frozenset('''empty zeros ones full empty_like zeros_like ones_like full_like copy dot sum init_grad zero_gradient
    array_copy'''.split())


def owned(function, find, library=()):
    """Name of a tape -> for each value that is pushed together whether it surely has memory of its own.

    library : names by which the text calls functions of the run time
    """
    values: dict = {}
    for s in tree.every(function.body):
        for name in tree.writes(s):
            values.setdefault(name, []).append(s.value if tree.target(s) == name else None)
    found: dict = {}
    for n in tree.walk(function):
        if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr == 'append' \
                and isinstance(n.func.value, gast.Name) and len(n.args) == 1:
            items = n.args[0].elts if isinstance(n.args[0], gast.Tuple) else n.args
            here = [is_own(item, values, find, library) for item in items]
            before = found.get(n.func.value.id, here)
            found[n.func.value.id] = [a and b for a, b in zip(before, here)] if len(before) == len(here) else []
    return found


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
