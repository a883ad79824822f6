"""Comparisons in a row, where classes say what these do: what stands in the middle has a name, as it is compared twice.

    a < f(x) <= b        ->        a < (t := f(x)) and t <= b
"""
import gast

from tangent.analysis.kinds.special import COMPARED
from tangent.frontend import tree

ACTING = frozenset([*COMPARED.values(), 'contains'])


def one_by_one(function, names, acting):
    """(the FunctionDef with such comparisons as pairs, the names that this takes); `acting`: special methods that act."""
    chains = Chains(names)
    if acting.isdisjoint(ACTING) or not any(isinstance(n, gast.Compare) and chains.concerns(n) for n in tree.walk(function)):
        return function, set()
    return tree.replace(function, body=[chains.visit(tree.clone(s)) for s in function.body]), chains.made


class Chains(gast.NodeTransformer):
    def __init__(self, names):
        self.names, self.made = names, set()

    @staticmethod
    def concerns(node):
        return not all(isinstance(e, (gast.Name, gast.Constant)) for e in node.comparators[:-1])

    def visit_Compare(self, node):
        node = self.generic_visit(node)
        if not self.concerns(node):
            return node
        pairs, left = [], node.left
        for op, right in zip(node.ops[:-1], node.comparators):
            name = self.names.fresh('t')
            self.made.add(name)
            named = gast.NamedExpr(target=tree.store(name), value=right)
            pairs.append(gast.Compare(left=left, ops=[op], comparators=[gast.copy_location(named, right)]))
            left = tree.load(name)
        pairs.append(gast.Compare(left=left, ops=node.ops[-1:], comparators=node.comparators[-1:]))
        whole = gast.BoolOp(op=gast.And(), values=[gast.copy_location(p, node) for p in pairs])
        return gast.copy_location(whole, node)

    def as_it_is(self, node):
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = visit_ClassDef = as_it_is
