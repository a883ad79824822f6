"""Small things of the log form: the names and folds of expressions."""
import gast

from tangent.frontend import tree

NUMERIC = ('elementwise', 'bilinear', 'reduction')          # kinds of rules whose results are numbers and arrays
JUMPS = gast.Return, gast.Break, gast.Continue


def tree_names(expr):
    return set(tree.names(expr, gast.Load)) if isinstance(expr, gast.AST) else set()


def overtaken(function):
    """Whether what leaves a `finally` block, or a context, may take the place of a `return` that was already made."""
    def found(node, inside):
        leaves = isinstance(node, tree.TRIES) and node.finalbody or isinstance(node, gast.With)
        if leaves and has(gast.Return, without_end(node)) and (inside or has(JUMPS, getattr(node, 'finalbody', ()))):
            return True
        inside = inside or isinstance(node, tree.TRIES)
        return any(found(child, inside) for child in tree.children(node))
    return found(function, False)


def has(kinds, stmts):
    return any(isinstance(n, kinds) for s in stmts for n in gast.walk(s))


def without_end(node):
    """The statements of a `try` or `with` but for those of its `finally`."""
    return [*node.body, *getattr(node, 'handlers', ()), *getattr(node, 'orelse', ())]


def folded(ops, saved, last):
    """(name, expression) for each operation, those whose value is read once, right there, written where it is read."""
    inside, done = {}, []
    uses = {}
    for op in ops:
        for n in tree.names(op.value, gast.Load):
            uses[n] = uses.get(n, 0) + 1
    for op in ops:
        value = Fold(inside).visit(tree.clone(op.value)) if inside else op.value
        if op.target not in saved and op.target != last and uses.get(op.target) == 1:
            inside[op.target] = value
        else:
            done.append((op.target, value))
    return done


class Fold(gast.NodeTransformer):
    def __init__(self, inside):
        self.inside = inside

    def visit_Name(self, node):
        return self.inside.get(node.id, node) if isinstance(node.ctx, gast.Load) else node
