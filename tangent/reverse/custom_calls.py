"""Calls of functions whose passes are the user's own, or are run again: `custom_vjp` and `checkpoint`.

    y = f(x, w)    ->    y, f_saved = of_forward(f_fwd(x, w))    ...
                             bx, bw = of_arguments(f_bwd(f_saved, by), x, w)

    y = g(x)       ->    y = g(x)                      ...    again, g_saved = g_primal(x)
                                                              check_recomputed(y, again)
                                                              bx = g_adjoint(by, g_saved)
"""
import inspect
from typing import NamedTuple

import gast

from tangent import errors
from tangent.frontend import subset, tree
from tangent.reverse.accumulate import Term
from tangent.templates.language.user_rules import identifier


class Custom(NamedTuple):
    """How calls of a callable in `rules.CUSTOM` are differentiated.

    function : the Python function that is called
    forward, backward : functions of a `custom_vjp`; None for what is computed again
    fixed : positions of the parameters without a derivative, which `backward` takes first
    write : what writes the adjoint of a call in place of `adjoint_of_call`
    """
    function: object
    forward: object = None
    backward: object = None
    fixed: tuple = ()
    write: object = None


def adjoint_of_call(reverse, s, op, custom, gradient, origin):
    """Write the adjoint of the call; the statements that take its place in the forward pass."""
    (args, keywords), y = op.args, tree.target(s)
    if custom.write is not None:
        return custom.write(reverse, s, op, custom, gradient, origin)
    if custom.forward is None:
        return recomputed(reverse, s, op, custom, gradient, origin)
    atoms = positional(reverse, custom, args, keywords, s)
    forward = named(reverse.library, custom.forward, f'{identifier(op.what)}_fwd')
    backward = named(reverse.library, custom.backward, f'{identifier(op.what)}_bwd')
    saved = reverse.names.fresh(f'{identifier(op.what)}_saved')
    own = [a for k, a in enumerate(atoms) if k not in custom.fixed]
    fixed = [atoms[k] for k in custom.fixed]
    found = gast.Call(func=tree.load(backward), args=[*fixed, tree.load(saved), gradient], keywords=[])
    hand_over(reverse, reverse.call('of_arguments', found, *own), own, origin)
    value = gast.Call(func=tree.load(forward), args=[a for a in atoms if not tree.is_none(a)], keywords=[])
    pair = tree.targets(y, saved)
    return [tree.replace(s, targets=[pair], value=reverse.call('of_forward', value))]


def recomputed(reverse, s, op, custom, gradient, origin):
    """The primal twin runs in the backward pass, right before its adjoint."""
    (args, keywords), y = op.args, tree.target(s)
    bound = reverse.normal.bind(custom.function, args, keywords, s)
    wanted = [p for p, e in bound.items() if reverse.is_active(e)]
    twin = reverse.callees.twin(op.what, tuple(wanted), s)
    again, saved = reverse.names.fresh('again'), reverse.names.fresh(f'{identifier(op.what)}_saved')
    pair = tree.targets(again, saved)
    reverse.put(pair, tree.replace(s.value, func=tree.load(twin.primal)), origin)
    check = reverse.call('check_recomputed', tree.load(y), tree.load(again))
    reverse.out.append(tree.place(gast.Expr(value=check), origin))
    back = gast.Call(func=tree.load(twin.adjoint), args=[gradient, tree.load(saved)], keywords=[])
    reverse.returned_to(back, [bound[p] for p in wanted], origin)
    return [s]


def positional(reverse, custom, args, keywords, s):
    """The arguments in the order of the parameters, None for those left at their defaults."""
    bound = reverse.normal.bind(custom.function, args, keywords, s)
    atoms = []
    for name, parameter in inspect.signature(custom.function).parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            atoms += bound.get(name, ())
        elif parameter.kind is parameter.VAR_KEYWORD and bound.get(name):
            raise errors.ReverseNotImplementedError(subset.locate(
                s, reverse.normal.source, f'{custom.function.__name__} takes **{name}, which a custom_vjp cannot have: name '
                'the parameters'))
        elif parameter.kind is not parameter.VAR_KEYWORD:
            atoms.append(bound.get(name, tree.constant(None)))
    while atoms and tree.is_none(atoms[-1]):
        atoms.pop()
    count = len(inspect.signature(custom.function).parameters)
    if any(map(tree.is_none, atoms)) and len(args) + len(keywords) < count:
        raise errors.ReverseNotImplementedError(subset.locate(
            s, reverse.normal.source, f'{custom.function.__name__} is a custom_vjp: pass the arguments before the last one '
            'that is given by position'))
    return atoms + [tree.constant(None)] * (count - len(atoms))


def hand_over(reverse, found, atoms, origin):
    """Give the gradients in the tuple `found` to the atoms."""
    wanted = [k for k, a in enumerate(atoms) if reverse.is_active(a)]
    targets = {k: reverse.gradient(atoms[k].id) for k in wanted}
    if len(wanted) == 1:
        k, = wanted
        reverse.put(targets[k], gast.Subscript(value=found, slice=tree.constant(k), ctx=gast.Load()), origin)
    else:
        unused = reverse.names.fresh('_') if len(wanted) < len(atoms) else None
        elts = [tree.store(targets.get(k, unused)) for k in range(len(atoms))]
        reverse.put(gast.Tuple(elts=elts, ctx=gast.Store()), found, origin)
    for k in wanted:
        reverse.offer(atoms[k], Term(tree.load(targets[k]), origin, reverse.is_number(atoms[k])))


def named(library, function, wish):
    """The name of a function of the user's in emitted code: its own where that denotes it there."""
    own = getattr(function, '__name__', '')
    name = own if own.isidentifier() else wish
    return name if library.resolver.name(name) is function else library.object(name, function)
