"""Calls of functions that are known only when running.

    y = f(x, n)    ->    y, f_back = pullback(f, (0,))(x, n)      ...    bx = f_back(by)

Here `(0,)` says whose gradients are wanted. Where a derivative may flow through what `f` has captured, its own gradient
comes first: `bf, bx = f_back(by)`.
"""
import gast

from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.frontend.resolve import pushes
from tangent.reverse.accumulate import Term
from tangent.templates.language import registry


def adjoint_of_dispatch(reverse, s, op, gradient, origin):
    """Write the adjoint of the call; the statement that takes its place in the forward pass."""
    func, args, keywords = op.args
    wanted = [(place(k, a), a.value if isinstance(a, gast.Starred) else a) for k, a in enumerate(args)]
    wanted += [(k.arg or '**', k.value) for k in keywords]
    wanted = [(where, a) for where, a in wanted if reverse.is_active(a)]
    own = reverse.is_active(func) or not wanted and pushes(reverse.normal.resolver(func))      # what it calls may send messages
    if not wanted and not own:
        return [s]
    back = reverse.names.fresh(f'{called_name(func)}_back')
    reverse.backs.add(back)
    atoms = [func] * own + [a for _, a in wanted]
    starred = [a.value for a in args if isinstance(a, gast.Starred)]
    reverse.returned_to(gast.Call(func=tree.load(back), args=[gradient], keywords=[]), atoms, origin, starred)
    places = gast.Tuple(elts=[tree.constant(where) for where, _ in wanted], ctx=gast.Load())
    found = reverse.call('pullback', func, *([places] if wanted else []))
    if own:
        found.keywords.append(gast.keyword(arg='captured', value=tree.constant(True)))
    pair = tree.targets(tree.target(s), back)
    return [tree.replace(s, targets=[pair], value=gast.Call(func=found, args=args, keywords=keywords))]


def place(k, arg):
    return f'{k}:' if isinstance(arg, gast.Starred) else k


def called_name(func):
    """What the way back is named after."""
    name = (tree.dotted(func) or '').rpartition('.')[2]
    return name if name and not name.startswith('_') else 'f'


def atoms(bound):
    """The atoms bound to one parameter: one, or those of a vararg or kwarg."""
    if isinstance(bound, (tuple, dict)):
        return list(bound.values()) if isinstance(bound, dict) else list(bound)
    return [bound]


def parts(bound, gradient):
    """(atom, its gradient) for what is bound to one parameter."""
    if not isinstance(bound, (tuple, dict)):
        return [(bound, gradient)]
    items = bound.items() if isinstance(bound, dict) else enumerate(bound)
    return [(atom, gast.Subscript(value=gradient, slice=tree.constant(key), ctx=gast.Load())) for key, atom in items]


def captured(reverse, op, gradient, origin):
    """The adjoint of a function value that was made: each of its arguments has a part of its gradient."""
    count = sum(isinstance(name, int) for name, _ in op.args)
    for name, atom in op.args:
        if reverse.is_active(atom):
            name = name - count if isinstance(name, int) else name      # from the end: a partial of a partial is one
            key = registry.number(name) if isinstance(name, int) else tree.constant(name)
            part = reverse.call('captured', gradient, key, atom)
            if name == '__func__':
                names = [tree.constant(n) for n, _ in op.args if isinstance(n, str) and n != name]
                part = reverse.call('of_inner', gradient, atom, tree.constant(count), *names)
            reverse.offer(atom, Term(part, origin, reverse.is_number(atom)))
            noted = op.what.active if isinstance(op.what, Nested) else getattr(op.what, 'captures', None)
            if noted is not None:              # the same set for all derivatives of that function
                noted.add(name)


def handed_out(reverse, op, gradient, origin):
    """The adjoint of a tuple that one of our own functions makes: unpacked, so that it can be differentiated again."""
    active = [reverse.is_active(atom) for atom in op.args]
    if len(op.args) == 1 or not any(active):
        parts_of = [gast.Subscript(value=gradient, slice=tree.constant(k), ctx=gast.Load()) for k in range(len(op.args))]
    else:
        names = [reverse.gradient(atom.id) if on else reverse.names.fresh('_') for atom, on in zip(op.args, active)]
        reverse.put(tree.targets(*names), gradient, origin)
        parts_of = [tree.load(n) for n in names]
    for atom, part in zip(op.args, parts_of):
        reverse.offer(atom, Term(part, origin, reverse.is_number(atom)))
