"""Calls through which no derivative flows, of functions that are known only when running: they must write nothing.

    if f(y).sum() > 0:           ->        if only_reads(f)(y).sum() > 0:
    n = len(f(y))                          n = len(only_reads(f)(y))

What a known function writes is read off its source, and a call through which a derivative flows finds out when it finds its
twins (`driver.dispatch`). These two are as little as is left: what the function does is seen when it has been done.
"""
import operator

import gast

from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.runtime import facts


def watched(stmts, split):
    """The statements with such calls watched, where they are given something with a derivative.

    split : the Split that has made the statements; those that have an Op stay as they are
    """
    return Watch(split).block(stmts)


class Watch(gast.NodeTransformer):

    def __init__(self, split):
        self.ops, self.varied, self.aliases, self.library = split.ops, split.varied, split.aliases, split.library
        self.resolver, self.given = split.sources.resolver, frozenset()          # parameters of lambdas around

    def block(self, stmts):
        """The statements; the very list where nothing is changed."""
        found = [self.statement(s) for s in stmts]
        return found if any(map(operator.is_not, found, stmts)) else stmts

    def statement(self, s):
        fields = {field: self.block(block) for field, block in tree.blocks(s)}
        if s not in self.ops:
            fields.update((field, self.visit(tree.clone(value))) for field, value in gast.iter_fields(s)
                          if isinstance(value, gast.expr) and any(self.concerns(n) or self.orders(n) for n in tree.walk(value)))
        if all(value is getattr(s, field) for field, value in fields.items()):
            return s
        new = tree.replace(s, **fields)
        if s in self.ops:
            self.ops[new] = self.ops.pop(s)
        return new

    def concerns(self, node):
        """Whether it is a call that is known only when running, and is given something with a derivative."""
        if not isinstance(node, gast.Call) or isinstance(node.func, (gast.Attribute, gast.Lambda)) \
                or self.resolver(node.func) is not UNKNOWN:
            return False
        if isinstance(node.func, gast.Call) and facts.is_helper(self.resolver(node.func.func), 'only_reads'):
            return False
        given = set().union(*map(self.aliases.handed_on, [node.func, *tree.arguments(node)])) - self.given
        return any(not self.varied.isdisjoint(self.aliases.family(name) | {name}) for name in given)

    def orders(self, node):
        """Whether it is a call that is given a function that is not known, after `key=`."""
        return isinstance(node, gast.Call) and self.aliases.is_ordering(node) \
            and any(k.arg == 'key' and self.aliases.is_unknown(k.value) for k in node.keywords)

    def visit_Lambda(self, node):
        outer, self.given = self.given, self.given | set(tree.names(node.args, gast.Param))
        node, self.given = self.generic_visit(node), outer
        return node

    def visit_Call(self, node):
        concerns, orders = self.concerns(node), self.orders(node)
        node = self.generic_visit(node)
        if orders:
            keywords = [tree.replace(k, value=tree.call(self.library('only_reads'), k.value)) if k.arg == 'key' else k
                        for k in node.keywords]
            node = tree.replace(node, keywords=keywords)
        return tree.replace(node, func=tree.call(self.library('only_reads'), node.func)) if concerns else node
