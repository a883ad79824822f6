"""Numbers that are read from a text, or from bytes, which were made of a value with a derivative.

    y = float(f'{x * x:.3f}')            y = np.frombuffer((x * x).tobytes())

A text has no derivative, and neither has the number that is read from it: where this reaches a result, it is refused.
"""
from __future__ import annotations

import ast
import json

import gast
import numpy as np

from tangent.analysis.activity import ByName, Links, Sources, activity, by_name, each
from tangent.frontend import tree

READERS = float, complex, np.float64, np.frombuffer, np.fromstring, json.loads, ast.literal_eval
MAKERS = str, repr, format, ascii, json.dumps, np.array2string, np.format_float_positional
METHODS = frozenset('format join tobytes hex __str__ __repr__ __format__ encode decode'.split())


def first_read(function, resolver, wrt, effects):
    """The first call that reads such a number which reaches a result from the names `wrt`; None if there is none."""
    texts = Texts(resolver)
    nodes = [n for s in function.body for n in tree.walk(s)]
    if wrt is None or not any(map(texts.makes, nodes)) or not any(is_one(resolver(n.func), READERS) for n in calls(nodes)):
        return None
    params = tree.names(function.args, gast.Param)
    told = activity(function, wrt, Links(texts, ByName(resolver, effects), each, inner=True), params)
    flow = by_name(function, resolver, wrt, effects)
    for s in tree.every(function.body):
        header = list(tree.header(s))
        bound = tree.names(s, gast.Load) if isinstance(s, gast.Expr) else tree.mutates(s).union(
            *(tree.names(part, gast.Store) for part in header))
        for n in calls(n for part in header for n in tree.walk(part)):
            if is_one(resolver(n.func), READERS) and n.args and (isinstance(s, gast.Return) or told.matters(bound)) \
                    and told.flows(n.args[0]) and not flow.flows(n.args[0]):
                return n
    return None


def calls(nodes):
    return [n for n in nodes if isinstance(n, gast.Call)]


def is_one(thing, several):
    return any(thing is one for one in several)


class Texts(Sources):
    """The sources of an expression, those of what a text or bytes are made of among them."""

    def makes(self, expr):
        """Whether an expression makes a text of others."""
        if isinstance(expr, gast.Call):
            return is_one(self.resolver(expr.func), MAKERS) or getattr(expr.func, 'attr', None) in METHODS
        percent = isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Mod)
        return isinstance(expr, gast.JoinedStr) or percent and isinstance(getattr(expr.left, 'value', None), str)

    def __call__(self, expr):
        return self.union(tree.children(expr)) if self.makes(expr) else super().__call__(expr)

    def FormattedValue(self, expr):
        return self(expr.value)
