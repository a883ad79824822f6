"""Elements and attributes that are bound together with others, or by a loop or a context, are bound in statements of their own.

    for o.v, k in pairs:             for t, k in pairs:
        A                                o.v = t
                                         A
    o.a, *o.rest = xs          ->    t, *t2 = xs
                                     o.a = t
                                     o.rest = t2
    with c() as o.v:                 with c() as t:
        A                                o.v = t
                                         A
    y[i] = i = f(x)                  t = f(x)
                                     y[i] = t
                                     i = t
    xs, d = [], {'a': x}             xs = []
                                     d = {'a': x}, which have no other name meanwhile

`y[0], y[1] = a, b` stays: `writes` knows what to make of it. All are bound from the left to the right, as Python does.
Stars in the header of a loop or context go into an assignment, too, where `whole` says so: the log form knows no others.
A comprehension that binds elements becomes a loop; a generator that does so is refused unless it is gone through at once.
"""
import gast

from tangent.analysis.alias import COMPREHENSIONS, Aliases
from tangent.frontend import subset, tree
from tangent.normal.desugar.loops import SCOPES, inside, made

PLACES = (gast.Subscript, gast.Attribute)
SEVERAL = (gast.Tuple, gast.List)


def bound_together(function, names, temps, resolver, effects):
    """The function with a name for what several parts of come from one call, where one of these is written into and may be, or
    hold, another: what stands for the whole, as its tangent, holds that once.

        h, s = make()            ->            t = make()
        h['a'] = x                             h, s = t
    """
    several = {s: tree.names(s.targets[0], gast.Store) for s in tree.every(function.body) if is_several(s)
               and effects.gives_twice(s.value, resolver)}
    aliases = Aliases(function, resolver, effects) if several else None
    several = {s for s, found in several.items() if any(map(aliases.is_mutated, found))}

    def block(stmts):
        out = []
        for s in stmts:
            if s in several:
                name = names.fresh('t')
                temps.add(name)
                out.append(made(tree.assign(name, s.value), s))
                s = tree.replace(s, value=tree.load(name))
            out.append(s if isinstance(s, SCOPES) else inside(s, block))
        return out
    return block(function.body) if several else function.body


def is_several(s):
    """Whether it is `a, b = f(...)`."""
    return isinstance(s, gast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], SEVERAL) \
        and isinstance(s.value, gast.Call)


def bound_apart(stmts, names, temps, whole):
    """The statements with such targets bound in statements of their own; `temps` gets the names made for it."""
    out = []
    for s in stmts:
        if isinstance(s, SCOPES):
            out.append(s)
            continue
        s = inside(s, lambda block: bound_apart(block, names, temps, whole))
        if isinstance(s, gast.Assign):
            out += assigned(s, names, temps)
        elif isinstance(s, gast.For):
            target, later = at_start(s.target, s, names, temps, whole)
            out.append(tree.replace(s, target=target, body=[*later, *s.body]) if later else s)
        elif isinstance(s, gast.With):
            out.append(entered(s, names, temps, whole))
        else:
            out.append(s)
    return out


def assigned(s, names, temps):
    """The statements for an assignment."""
    if len(s.targets) > 1:
        return one_by_one(s, names, temps)
    target, = s.targets
    if makes_several(target, s.value):
        return [made(gast.Assign(targets=[t], value=v, type_comment=None), s) for t, v in zip(target.elts, s.value.elts)]
    if not isinstance(target, SEVERAL) or is_written_out(target, s.value):
        return [s]
    target, later = by_name(target, s, names, temps)
    return [tree.replace(s, targets=[target]), *later] if later else [s]


def makes_several(target, value, makes=lambda node: False):
    """Whether it is `xs, d = [], {}`: nothing that is called, or reads what has been bound, may see them one by one.

    makes : whether a call of a name does nothing but make a list, or one of its kin
    """
    if len(pairs := tree.side_by_side(target, value)) != len(getattr(target, 'elts', ())) or len(pairs) < 2:
        return False
    names = [getattr(t, 'id', None) for t, _ in pairs]
    quiet = all(isinstance(n, QUIET) or isinstance(n, gast.Call) and makes(n) for _, v in pairs for n in tree.walk(v))
    return quiet and None not in names and len(set(names)) == len(names) \
        and any(isinstance(getattr(v, 'left', v), (gast.List, gast.Dict, gast.Call)) for _, v in pairs) \
        and not any(n in tree.names(v, gast.Load) for k, (_, v) in enumerate(pairs) for n in names[:k])


QUIET = gast.Constant, gast.Name, gast.List, gast.Dict, gast.BinOp, gast.UnaryOp, gast.operator, gast.unaryop, gast.expr_context


def one_by_one(s, names, temps):
    """`y[i] = i = v`, where what one target reads another binds, or several are bound at once with elements among them."""
    places = [t for t in s.targets for t in parts(t) if isinstance(t, PLACES)]
    bound = {n for t in s.targets for n in tree.names(t, gast.Store)}
    apart = [t for t in s.targets if isinstance(t, SEVERAL) and by_name(t, s, tree.Names(()), set())[1]]
    if not apart and bound.isdisjoint(n for t in places for n in tree.names(t, gast.Load)) and not any(map(has_call, places)):
        return [s]
    name = names.fresh('t')
    return [made(tree.assign(name, s.value), s)] + [
        t for target in s.targets for t in assigned(tree.replace(s, targets=[target], value=tree.load(name)), names, temps)]


def at_start(target, s, names, temps, whole):
    """(what a loop or context binds, the statements at the start of its block that bind the rest)."""
    if not whole or not tree.starred(tree.walk(target)):
        return by_name(target, s, names, temps)
    name = names.fresh('t')
    bound = made(gast.Assign(targets=[target], value=tree.load(name), type_comment=None), s)
    return tree.store(name), assigned(bound, names, temps)


def entered(s, names, temps, whole):
    """A context; what is entered behind the first that binds an element is entered in its block."""
    for k, item in enumerate(s.items):
        if item.optional_vars is None:
            continue
        target, later = at_start(item.optional_vars, s, names, temps, whole)
        if later:
            rest = s.items[k + 1:]
            body = [entered(tree.replace(s, items=rest), names, temps, whole)] if rest else s.body
            return tree.replace(s, items=[*s.items[:k], tree.replace(item, optional_vars=target)], body=[*later, *body])
    return s


def stores(comprehension):
    """Whether a comprehension binds elements or attributes."""
    return any(isinstance(t, PLACES) for g in comprehension.generators for t in parts(g.target))


def refuse_stores(function, source):
    """Refuse comprehensions that bind elements or attributes where it is not known when they do."""
    for s in function.body:
        for node in tree.walk(s):
            if isinstance(node, COMPREHENSIONS) and stores(node):
                raise subset.unsupported(node, source, 'elements and attributes as targets of generators and of what lambdas '
                                         'make', 'bind a name: for v in ...')


def by_name(target, s, names, temps):
    """(the target with names in the place of elements and attributes, the statements that store what these are bound to).

    What an element reads is bound behind it if it stands behind it: `y[i], i = pair`.
    """
    later, read = [], set()

    def new(t):
        if isinstance(t, SEVERAL):
            return tree.replace(t, elts=[new(e) for e in t.elts])
        if isinstance(t, gast.Starred):
            return tree.replace(t, value=new(t.value))
        if isinstance(t, gast.Name) and t.id not in read and not any(map(has_call, (u.targets[0] for u in later))):
            return t
        read.update(tree.names(t, gast.Load))
        name = names.fresh('t')
        temps.add(name)
        later.append(made(gast.Assign(targets=[t], value=tree.load(name), type_comment=None), s))
        return tree.store(name)
    return new(target), later


def parts(target):
    """The single targets in a target."""
    if isinstance(target, SEVERAL):
        return [t for e in target.elts for t in parts(e)]
    return parts(target.value) if isinstance(target, gast.Starred) else [target]


def is_written_out(target, value):
    """Whether `writes` makes assignments of elements of it, one for each."""
    return isinstance(value, SEVERAL) and len(value.elts) == len(target.elts) and not any(map(has_call, target.elts)) \
        and all(isinstance(t, (gast.Name, *PLACES)) for t in target.elts) \
        and not tree.starred(value.elts)


def has_call(expr):
    return any(isinstance(n, (gast.Call, gast.NamedExpr)) for n in tree.walk(expr))
