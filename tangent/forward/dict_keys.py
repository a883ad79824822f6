"""Dicts that leave a function: whoever goes through one finds its keys, and those have no derivative.

    def made_tangent(x, dx):                       def made_tangent(x, dx):
        return {1.0: x}, {1.0: dx}           ->        return {1.0: x}, no_keys({1.0: dx})

The function that gets it may not know that it is a dict: `list(d)` has the tangent `list(dd)`. Within one function
keys are said (desugar/keys.py).
"""
import collections

import gast

from tangent.frontend import tree
from tangent.normal.desugar.keys import by_text, is_text
from tangent.normal.desugar.loops import own

QUIET = ('len', 'dict_keys', 'last_key')


def without_keys(stmts, facts, forward, returned):
    """The statements of a tangent with the dicts that leave made such that their keys are none.

    returned : whether those that are returned leave, too, which are not anyone's who reads the function
    """
    ordered = {tree.target(s) for s in tree.every(facts.tree.body) if tree.target(s) and isinstance(s.value, gast.Call)
               and facts.resolver(s.value.func) is collections.OrderedDict}                    # which have methods of their own
    dicts = own('dict', facts.tree, facts.resolver) - by_text(facts.tree) - ordered
    given = {n for s in tree.walk(facts.tree) for n in handed(s)} & dicts
    early, late = ({forward.of.get(n) for n in names} - {None} for names in (given, dicts - given))

    def changed(node):
        node = tree.with_children(node, changed)
        if isinstance(node, gast.Assign) and tree.target(node) in early and not isinstance(node.value, gast.Name):
            return tree.replace(node, value=forward.call('no_keys', node.value))
        if isinstance(node, gast.Return) and isinstance(node.value, gast.Tuple) and returned:
            value, *tangents = node.value.elts
            return tree.replace(node, value=tree.replace(node.value, elts=[value, *map(shown, tangents)]))
        return node

    def shown(expr):
        leaves = isinstance(expr, gast.Name) and expr.id in late \
            or isinstance(expr, gast.Dict) and not all(map(is_text, expr.keys))
        return forward.call('no_keys', expr) if leaves else expr

    return [changed(s) for s in stmts]


def handed(node):
    """Names that a node hands to others as a whole."""
    if isinstance(node, gast.Call):
        quiet = isinstance(node.func, gast.Name) and node.func.id in QUIET
        given = [] if quiet else tree.arguments(node)
    elif isinstance(node, gast.Assign):
        given = [node.value]
    elif isinstance(node, gast.Dict):
        given = node.values
    else:
        given = node.elts if isinstance(node, (gast.Tuple, gast.List, gast.Set)) else []
    return {n.id for n in given if isinstance(n, gast.Name)}
