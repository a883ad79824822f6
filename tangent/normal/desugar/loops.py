"""Loops without `else`, which runs unless the loop was left by `break`, and without `iter(f, end)`.

    for x in xs:               broken = False
        if c:                  for x in xs:
            break        ->        if c:
        A                              broken = True
    else:                              break
        B                          A
                               if not broken:
                                   B
"""
import gast

from tangent.analysis.mutated_lists import kind_of
from tangent.frontend import tree
from tangent.frontend.resolve import is_prange

LOOPS = (gast.For, gast.While)
SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def without_else(stmts, names):
    """The statements with each `else` of a loop behind it."""
    out = []
    for s in stmts:
        if not isinstance(s, SCOPES):
            s = inside(s, lambda block: without_else(block, names))
        out += else_behind(s, names) if isinstance(s, LOOPS) and s.orelse else [s]
    return out


def in_order(stmts, resolver, library):
    """The statements with `range` for `numba.prange`, which says that the order of the trips does not matter."""
    out = []
    for s in stmts:
        if not isinstance(s, SCOPES):
            s = inside(s, lambda block: in_order(block, resolver, library))
        if isinstance(s, gast.For) and isinstance(s.iter, gast.Call) and is_prange(resolver(s.iter.func)):
            s = tree.replace(s, iter=tree.replace(s.iter, func=tree.load(library('range'))))
        out.append(s)
    return out


class Numbered(gast.NodeTransformer):
    """`for k, (a, b) in enumerate(zip(x, y))` for `for a, (k, b) in zip(x, enumerate(y))`: `y` may have no end."""

    def __init__(self, resolver):
        self.resolver = resolver

    def visit_For(self, node):
        node = self.generic_visit(node)
        zipped = node.iter if isinstance(node.iter, gast.Call) and self.resolver(node.iter.func) is zip else None
        targets = node.target.elts if isinstance(node.target, (gast.Tuple, gast.List)) else []
        if zipped is None or zipped.keywords or len(targets) != len(zipped.args) or tree.starred([*targets, *zipped.args]):
            return node
        for at, (target, call) in enumerate(zip(targets, zipped.args)):
            pair = target.elts if isinstance(target, (gast.Tuple, gast.List)) else []
            if len(pair) == 2 and isinstance(call, gast.Call) and call.args and self.resolver(call.func) is enumerate:
                together = gast.Tuple(elts=[*targets[:at], pair[1], *targets[at + 1:]], ctx=gast.Store())
                inner = tree.replace(zipped, args=[*zipped.args[:at], call.args[0], *zipped.args[at + 1:]])
                return tree.replace(node, iter=tree.replace(call, args=[inner, *call.args[1:]]),
                                    target=tree.replace(node.target, elts=[pair[0], together]))
        return node

    visit_comprehension = visit_For


def numbered_outside(stmts, resolver):
    """The statements with `enumerate` around `zip` in the headers of loops, where targets tell the number apart."""
    zipped = [n for s in stmts for n in tree.walk(s) if isinstance(n, gast.Call) and resolver(n.func) is zip]
    if not any(isinstance(a, gast.Call) and resolver(a.func) is enumerate for n in zipped for a in n.args):
        return stmts
    return [Numbered(resolver).visit(tree.clone(s)) for s in stmts]


class Paired(gast.NodeTransformer):
    """`for a, b in zip(x, y): p = a, b` for `for p in zip(x, y)`, and so for `enumerate`: parts have gradients of their own."""

    def __init__(self, names, resolver):
        self.names, self.resolver = names, resolver

    def apart(self, target, call):
        """(the target with names for parts, name -> its parts) for what a header goes through, where a name has any."""
        found = self.resolver(call.func) if isinstance(call, gast.Call) and call.args and not tree.starred(call.args) else None
        if found is not enumerate and (found is not zip or call.keywords):
            return target, {}
        if isinstance(target, gast.Name):
            wishes = ['count', target.id] if found is enumerate else [target.id] * len(call.args)
            targets, whole = [tree.store(self.names.fresh(n)) for n in wishes], {target.id: None}
        elif isinstance(target, (gast.Tuple, gast.List)) and not tree.starred(target.elts):
            targets, whole = target.elts, {}
        else:
            return target, {}
        inner = [None, call.args[0]] if found is enumerate else call.args
        if len(targets) != len(inner):
            return target, {}
        pairs = [self.apart(t, e) for t, e in zip(targets, inner)]
        targets, parts = [t for t, _ in pairs], {n: whole for _, found in pairs for n, whole in found.items()}
        changed = gast.Tuple(elts=targets, ctx=gast.Store())
        return (changed if parts or whole else target), {**dict.fromkeys(whole, as_value(changed)), **parts}

    def visit_For(self, node):
        node = self.generic_visit(node)
        target, parts = self.apart(node.target, node.iter)
        pairs = [made(tree.assign(name, value), node) for name, value in parts.items()]
        return tree.replace(node, target=target, body=[*pairs, *node.body]) if pairs else node

    def visit_comprehension_of(self, node):
        node = self.generic_visit(node)
        for k, each in enumerate(node.generators):
            target, parts = self.apart(each.target, each.iter)
            if parts:
                after = [tree.substitute(g, parts) for g in node.generators[k + 1:]]
                each = tree.replace(each, target=target, ifs=[tree.substitute(c, parts) for c in each.ifs])
                fields = {f: tree.substitute(getattr(node, f), parts) for f in ('elt', 'key', 'value') if hasattr(node, f)}
                node = tree.replace(node, generators=[*node.generators[:k], each, *after], **fields)
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_comprehension_of


def as_value(target):
    """The value that a target of names is bound to."""
    if isinstance(target, gast.Tuple):
        return gast.Tuple(elts=list(map(as_value, target.elts)), ctx=gast.Load())
    return tree.as_read(target)


def in_parts(stmts, names, resolver):
    """The statements with names for the parts of what `zip` and `enumerate` give."""
    headers = [n for s in stmts for n in tree.walk(s) if isinstance(n, (gast.For, gast.comprehension))]
    if not any(isinstance(n.iter, gast.Call) for n in headers):
        return stmts
    return [Paired(names, resolver).visit(tree.clone(s)) for s in stmts]


def calls_until(stmts, names, resolver):
    """The statements with `while True` for loops over `iter(f, end)`, which calls `f` until it gives `end`."""
    out = []
    for s in stmts:
        if not isinstance(s, SCOPES):
            s = inside(s, lambda block: calls_until(block, names, resolver))
        call = s.iter if isinstance(s, gast.For) else None
        out += until(s, names) if isinstance(call, gast.Call) and resolver(call.func) is iter and len(call.args) == 2 else [s]
    return out


def until(s, names):
    """Such a loop; what is called stands in it, unless it may be another thing there."""
    step, end = s.iter.args
    before, value, root = [], names.fresh('value'), tree.root_name(step)
    if not isinstance(step, (gast.Name, gast.Attribute)) or root in bound([s]):
        before.append(made(tree.assign(names.fresh('step'), step), s))
        step = tree.as_read(before[-1].targets[0])
    if not isinstance(end, gast.Constant):
        before.append(made(tree.assign(names.fresh('end'), end), s))
        end = tree.as_read(before[-1].targets[0])
    ended = gast.Compare(left=tree.load(value), ops=[gast.Eq()], comparators=[end])
    body = [tree.assign(value, gast.Call(func=step, args=[], keywords=[])),
            gast.If(test=ended, body=[made(gast.Break(), s)], orelse=[]), tree.assign(s.target, tree.load(value))]
    return [*before, made(gast.While(test=tree.constant(True), body=[*(made(b, s) for b in body), *s.body], orelse=[]), s)]


def yielding(stmts, names, delegates):
    """The statements with a loop for each `yield from` of what `delegates` says."""
    out = []
    for s in stmts:
        if not isinstance(s, SCOPES):
            s = inside(s, lambda block: yielding(block, names, delegates))
        value = s.value if isinstance(s, gast.Expr) else None
        if isinstance(value, gast.YieldFrom) and delegates(value.value):
            item = names.fresh('item')
            body = [made(gast.Expr(value=gast.Yield(value=tree.load(item))), s)]
            s = made(gast.For(target=tree.store(item), iter=value.value, body=body, orelse=[], type_comment=None), s)
        out.append(s)
    return out


def is_of_python(expr, resolver):
    """Whether an expression makes an iterator of Python's own, which does nothing but give values."""
    found = resolver(expr.func) if isinstance(expr, gast.Call) else None
    return any(found is f for f in (zip, enumerate, map, reversed, range))


def inside(s, change):
    """The statement with its blocks changed; itself if they stay the same."""
    blocks = {field: change(block) for field, block in tree.blocks(s)}
    same = all(len(b) == len(getattr(s, f)) and all(x is y for x, y in zip(b, getattr(s, f))) for f, b in blocks.items())
    return s if same else tree.replace(s, **blocks)


def else_behind(s, names):
    """The loop, and what stood in its `else`, as statements in a row."""
    plain = tree.replace(s, orelse=[])
    if not breaks(s.body):
        return [plain, *s.orelse]
    broken = names.fresh('broken')
    body = flagged(s.body, broken)
    test = tree.negation(tree.load(broken))
    after = gast.If(test=test, body=s.orelse, orelse=[])
    return [made(tree.assign(broken, tree.constant(False)), s), tree.replace(plain, body=body), made(after, s)]


def breaks(stmts):
    """Whether the statements can break the loop around them."""
    return any(isinstance(s, gast.Break) or not isinstance(s, LOOPS + SCOPES)
               and any(breaks(block) for _, block in tree.blocks(s)) or isinstance(s, LOOPS) and breaks(s.orelse)
               for s in stmts)


def flagged(stmts, flag):
    """The statements with the flag set before each `break` of the loop around them."""
    out = []
    for s in stmts:
        if isinstance(s, gast.Break):
            out.append(made(tree.assign(flag, tree.constant(True)), s))
        if isinstance(s, LOOPS):
            s = tree.replace(s, orelse=flagged(s.orelse, flag)) if s.orelse else s
        elif not isinstance(s, SCOPES):
            s = inside(s, lambda block: flagged(block, flag))
        out.append(s)
    return out


def made(stmt, s):
    """A statement of ours in the place of one of the user's."""
    stmt = gast.copy_location(stmt, s)
    stmt.origin = tree.Origin('primal', getattr(s, 'lineno', 0), tree.origin(s).text if tree.origin(s) else '')
    return stmt


def bound(stmts):
    """Names that the statements bind."""
    return {n for s in stmts for n in tree.names(s, gast.Store)}


def written(stmts):
    """Names of the objects that the statements write into."""
    found = set()
    for s in stmts:
        for node in tree.walk(s):
            if isinstance(node, (gast.Assign, gast.AugAssign)):
                found |= tree.mutates(node)
            elif isinstance(node, gast.Call) and grows(node):
                found.add(node.func.value.id)
    return found


def grows(call):
    """Whether a call makes a list of that name longer or shorter."""
    return isinstance(call.func, gast.Attribute) and call.func.attr in ('append', 'appendleft', 'pop', 'popleft', 'insert') \
        and isinstance(call.func.value, gast.Name)


def own(kind, function, resolver):
    """Names that the function binds to nothing but new lists (or dicts)."""
    made, others = set(), set(tree.names(function.args, gast.Param))
    for node in tree.walk(function):
        if isinstance(node, gast.Assign) and tree.target(node) and kind_of(node.value, resolver) == kind:
            made.add(node.targets[0].id)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            continue
        elif isinstance(node, (gast.Assign, gast.For, gast.NamedExpr, gast.withitem, gast.comprehension, gast.AnnAssign)):
            others |= {n for part in bound_by(node) for n in tree.names(part, gast.Store)}
    return made - others


def bound_by(node):
    if isinstance(node, gast.Assign):
        return node.targets
    if isinstance(node, gast.withitem):
        return [node.optional_vars] if node.optional_vars is not None else []
    return [node.target]
