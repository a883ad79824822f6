"""A name that a branch leaves unbound, and that is read behind it in any case: the branch raises what Python would.

    if x > 0:                   if x > 0:
        y = x                       y = x
    return y * 2        ->      else:
                                    raise UnboundLocalError(...)
                                return y * 2

Behind branches a name has one value, a zero where there is none, since most that a path leaves unbound is not read there. Here
it is, and the zero would be a number for what has none.
"""
import gast

from tangent.frontend import tree

ENDS = (gast.Return, gast.Raise, gast.Break, gast.Continue)
SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Expr, gast.Return)
LATER = (gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp, gast.IfExp, gast.BoolOp)
ERROR = 'UnboundLocalError'


def told(function):
    """The function, with a `raise` at the end of such branches."""
    stores: dict = {}
    for node in tree.walk(function):
        for name in bound_by(node):
            stores[name] = stores.get(name, 0) + 1
    if ERROR in stores:
        return function
    body = block(function.body, stores)
    return function if body is function.body else tree.replace(function, body=body)


def bound_by(node):
    """Names that a node binds, or that are not the function's own."""
    if isinstance(node, gast.Name):
        return [node.id] if not isinstance(node.ctx, gast.Load) else []
    if isinstance(node, (gast.Global, gast.Nonlocal)):
        return node.names
    if isinstance(node, gast.alias):
        return [(node.asname or node.name).partition('.')[0]]
    return [name] if isinstance(name := getattr(node, 'name', None), str) else []


def block(stmts, stores):
    """The statements; what stands in loops, `try` and `with` stays, as names may be bound there on another way."""
    out, changed = [], False
    for k, s in enumerate(stmts):
        new = s
        if isinstance(s, gast.If):
            own = [n.id for n in tree.walk(s) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)]
            for name in dict.fromkeys(own):
                if stores[name] == own.count(name) and is_read(name, stmts[k + 1:]):
                    new = raising(new, name)
            parts = {field: block(part, stores) for field, part in (('body', new.body), ('orelse', new.orelse))}
            if any(part is not getattr(new, field) for field, part in parts.items()):
                new = tree.replace(new, **parts)
        changed |= new is not s
        out.append(new)
    return out if changed else stmts


def is_read(name, stmts):
    """Whether a name is read in any case where the statements run."""
    for s in stmts:
        first = s if isinstance(s, SIMPLE) else getattr(s, 'test', None) if isinstance(s, (gast.If, gast.While)) else None
        if first is None:
            return False
        if name in reads(first):
            return True
        if not isinstance(s, SIMPLE) or isinstance(s, ENDS):
            return False
    return False


def reads(node):
    """Names that are read where a node is evaluated, whatever the values are."""
    if isinstance(node, LATER):
        return set()
    if isinstance(node, gast.Name):
        return {node.id} if isinstance(node.ctx, gast.Load) else set()
    return set().union(*map(reads, gast.iter_child_nodes(node)))


def raising(s, name):
    """The `if` statement, whose branches raise where they leave the name unbound."""
    return tree.replace(s, body=ended(s.body, name, s), orelse=ended(s.orelse, name, s))


def ended(stmts, name, s):
    last = stmts[-1] if stmts else None
    if isinstance(last, ENDS):
        return stmts
    if not stored(name, stmts):
        text = f'local variable {name!r} referenced before assignment'
        error = gast.Raise(exc=tree.call(ERROR, tree.constant(text)), cause=None)
        return [*stmts, tree.place(error, tree.origin(s))]
    return [*stmts[:-1], raising(last, name)] if isinstance(last, gast.If) and not stored(name, stmts[:-1]) else stmts


def stored(name, stmts):
    return any(isinstance(n, gast.Name) and n.id == name and isinstance(n.ctx, gast.Store) for s in stmts for n in tree.walk(s))
