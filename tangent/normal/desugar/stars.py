"""Stars between arguments and elements, for the log form, which has to know where each argument comes to stand."""
import dataclasses
import functools

import gast

from tangent.frontend import tree
from tangent.frontend.resolve import names_in


def spelled_out(source):
    """The Source with `f(a, *[*xs, y])` for `f(a, *xs, y)`, and `[x for x in xs] + [y]` for `[*xs, y]`."""
    if not any(isinstance(n, gast.Starred) and isinstance(n.ctx, gast.Load) for n in source.nodes):
        return source
    names = tree.Names(set(names_in(source).mentioned) | set(source.globals))
    return dataclasses.replace(source, tree=Stars(names).visit(tree.clone(source.tree)))


class Stars(gast.NodeTransformer):
    def __init__(self, names):
        self.names = names

    def visit_Call(self, node):
        args = node.args
        star = next((k for k, a in enumerate(args) if isinstance(a, gast.Starred)), len(args))
        if star < len(args) - 1:
            whole = at(gast.List(elts=args[star:], ctx=gast.Load()), args[star])
            node = tree.replace(node, args=[*args[:star], at(gast.Starred(value=whole, ctx=gast.Load()), args[star])])
        return self.generic_visit(node)

    def visit_List(self, node):
        node = self.generic_visit(node)
        if not isinstance(node.ctx, gast.Load) or not tree.starred(node.elts):
            return node
        parts = []
        for e in node.elts:
            if isinstance(e, gast.Starred):
                name = self.names.fresh('part')
                loop = gast.comprehension(target=tree.store(name), iter=e.value, ifs=[], is_async=0)
                parts.append(at(gast.ListComp(elt=tree.load(name), generators=[loop]), e))
            elif parts and isinstance(parts[-1], gast.List):
                parts[-1].elts.append(e)
            else:
                parts.append(at(gast.List(elts=[e], ctx=gast.Load()), e))
        return functools.reduce(lambda a, b: at(gast.BinOp(left=a, op=gast.Add(), right=b), node), parts)


def at(node, place):
    return gast.fix_missing_locations(gast.copy_location(node, place))
