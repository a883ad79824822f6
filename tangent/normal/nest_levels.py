"""`nest_level()`: each derivative adds one where it is called.

    print(nest_level())    ->    print(nest_level() + 1)    ->    print(nest_level() + 1 + 1)
"""
import gast

from tangent.frontend import tree
from tangent.runtime import facts


def deeper(stmts, resolver):
    """The statements with one added to each call of `nest_level`; the same list where there is none."""
    calls = [n for s in stmts for n in tree.walk(s) if isinstance(n, gast.Call) and _asks(n, resolver)]
    return [_Deeper(set(map(id, calls)))(s) for s in stmts] if calls else stmts


def _asks(call, resolver):
    if (tree.dotted(call.func) or '').rpartition('.')[2] != 'nest_level' or call.args:
        return False
    return facts.is_helper(resolver(call.func), 'nest_level')


class _Deeper:
    def __init__(self, calls):
        self.calls = calls

    def __call__(self, node):
        """The tree with the calls one level deeper; statements keep their places."""
        if id(node) in self.calls:
            return gast.BinOp(left=node, op=gast.Add(), right=tree.constant(1))
        return tree.with_children(node, self)
