"""Forward mode's own look at a function: which statements stay, and what the header of a loop goes over."""
from typing import NamedTuple

import gast

from tangent.frontend import subset, tree
from tangent.normal.desugar.targets import by_name
from tangent.templates.language import registry

VIEWS = ('items', 'values')


def plain_statements(stmts, names, source, temps):
    """The statements with one target in each assignment, without annotations, and without `insert_grad_of` blocks."""
    out = []
    for s in stmts:
        if isinstance(s, gast.With) and subset.is_insertion(s, source):
            continue
        if isinstance(s, gast.AnnAssign):
            if s.value is None:
                continue
            s = tree.like(s, s.target, s.value)
        if isinstance(s, (gast.Assign, gast.AugAssign)) and not isinstance(first := target_of(s), (gast.Tuple, gast.List)):
            base = base_of(first)
            if base is not None and not isinstance(base, gast.Name):       # `x.T[0] = v`: what is written into gets a name
                name = names.fresh('t')
                out.append(tree.instead(tree.assign(name, base, tree.origin(s)), s))
                new = with_base(first, tree.load(name))
                fields = {'target': new} if isinstance(s, gast.AugAssign) else {'targets': [new, *s.targets[1:]]}
                s = tree.replace(s, **fields)
        if isinstance(s, gast.Assign) and len(s.targets) > 1:
            out += one_by_one(s, names)
            continue
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], (gast.Tuple, gast.List)):
            target, later = by_name(s.targets[0], s, names, temps)
            out += [tree.replace(s, targets=[target]), *later] if later else [s]
            continue
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.YieldFrom):
            s = each_yielded(s, names)
        blocks = {field: plain_statements(block, names, source, temps) for field, block in tree.blocks(s)}
        for field in ('body', 'finalbody') if blocks else ():
            if getattr(s, field, None) and not blocks[field]:
                blocks[field] = [tree.place(gast.Pass(), tree.origin(s))]
        out.append(tree.replace(s, **blocks) if blocks else s)
    return out


def target_of(s):
    return s.targets[0] if isinstance(s, gast.Assign) else s.target


def base_of(target):
    """What `x.a[i].b` begins with; None for a plain name. Views such as `x.T` are taken as something of their own."""
    if not isinstance(target, (gast.Subscript, gast.Attribute)):
        return None
    while isinstance(target, (gast.Subscript, gast.Attribute)):
        inner = target.value
        if isinstance(inner, gast.Attribute) and registry.attribute(inner.attr) is not None:
            return inner
        target = inner
    return target


def with_base(target, base):
    inner = target.value
    if not isinstance(inner, (gast.Subscript, gast.Attribute)) or inner is base_of(target):
        return tree.replace(target, value=base)
    return tree.replace(target, value=with_base(inner, base))


def each_yielded(s, names):
    """`yield from xs` as a loop."""
    name = names.fresh('value')
    inside = gast.copy_location(gast.Expr(value=gast.Yield(value=tree.load(name))), s)
    loop = gast.For(target=tree.store(name), iter=s.value.value, body=[tree.place(inside, tree.origin(s))], orelse=[],
                    type_comment=None)
    return tree.instead(loop, s)


def one_by_one(s, names):
    """`a = b = value` as two assignments."""
    named = next((t for t in s.targets if isinstance(t, gast.Name)), None)
    first = named or tree.store(names.fresh('t'))
    out = [tree.replace(s, targets=[first])]
    return out + [tree.replace(s, targets=[t], value=tree.load(first.id)) for t in s.targets if t is not named]


class Head(NamedTuple):
    """One thing that a loop goes over.

    kind : 'each', 'reversed' or 'count' (what `enumerate` counts)
    target : tree of what an element is bound to
    iter : tree of the thing, None for a count
    """
    kind: str
    target: object
    iter: object


def loop_heads(target, expr, resolver):
    """The Heads of a loop: several where it goes over a `zip` or an `enumerate`."""
    function = resolver(expr.func) if isinstance(expr, gast.Call) and not expr.keywords else None
    plain = function is not None and not tree.starred(expr.args)
    elements = target.elts if isinstance(target, (gast.Tuple, gast.List)) else ()
    if plain and function is enumerate and len(elements) == 2 and len(expr.args) in (1, 2):
        start = expr.args[1] if len(expr.args) == 2 else None
        return [Head('count', elements[0], start)] + loop_heads(elements[1], expr.args[0], resolver)
    if plain and function is zip and len(elements) == len(expr.args) and \
            not any(is_call_of(a, enumerate, resolver) for a in expr.args):
        return [head for t, a in zip(elements, expr.args) for head in loop_heads(t, a, resolver)]
    if plain and function is reversed and len(expr.args) == 1:
        return [Head('reversed', target, expr.args[0])]
    return [Head('each', target, expr)]


def is_call_of(expr, function, resolver):
    return isinstance(expr, gast.Call) and resolver(expr.func) is function


def heads(resolver):
    """loop -> (target, what it is bound to an element of): in `zip(xs, ws)` x comes from xs alone."""
    return lambda s: [(h.target, h.iter) for h in loop_heads(s.target, s.iter, resolver) if h.kind != 'count']


def without_contexts(stmts):
    """The statements as analyses see them: `with f(x) as y:` binds y to what is made of x, then runs its block."""
    out = []
    for s in stmts:
        blocks = {field: without_contexts(block) for field, block in tree.blocks(s)}
        if isinstance(s, gast.With):
            bound = [tree.assign(i.optional_vars, i.context_expr, tree.origin(s)) for i in s.items if i.optional_vars]
            tests = gast.Tuple(elts=[i.context_expr for i in s.items], ctx=gast.Load())
            s = tree.instead(gast.If(test=tests, body=bound + blocks['body'], orelse=[]), s)
            out.append(s)
        else:
            out.append(tree.replace(s, **blocks) if blocks else s)
    return out


def changed_by_helpers(function):
    """Names of gradients into which `add_at` writes, in a derivative that is differentiated again."""
    return {n.args[0].id for n in tree.walk(function) if isinstance(n, gast.Call) and isinstance(n.func, gast.Name)
            and n.func.id.startswith('add_at') and n.args and isinstance(n.args[0], gast.Name)}


def never_ends(stmts):
    """Whether the end of the statements is surely not reached."""
    last = stmts[-1] if stmts else None
    if isinstance(last, gast.If):
        return never_ends(last.body) and never_ends(last.orelse)
    if isinstance(last, gast.While):
        return isinstance(last.test, gast.Constant) and last.test.value is True and not breaks(last.body)
    return isinstance(last, (gast.Return, gast.Raise))


def breaks(stmts):
    """Whether a `break` of the loop that these are the body of is among them."""
    return any(isinstance(s, gast.Break) or not isinstance(s, (gast.For, gast.While)) and any(
        breaks(block) for _, block in tree.blocks(s)) for s in stmts)
