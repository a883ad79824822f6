"""Calls of loops that keep a few states: the twins of the function of the loop go with them.

    x, = checkpointed_loop(f_loop, (2, 3), plan, range(n), x, w)
      ->  t, f_loop_saved = checkpointed_forward(f_loop, f_loop_primal, (2, 3), plan, range(n), x, w)
          x, = t
          ...
          bx, bw = checkpointed_backward(f_loop_saved, f_loop_adjoint, bt)

Where the function is known only when running, as in a call that was found then, so are its twins.
"""
import gast

from tangent.emit.signature import params
from tangent.frontend import tree
from tangent.frontend.nested import Nested
from tangent.reverse.accumulate import Term
from tangent.reverse.custom_calls import hand_over, named


def adjoint_of_loop(reverse, s, op, custom, gradient, origin):
    """Write the adjoint of the call; the statements that take its place in the forward pass."""
    args, y = op.args[0], tree.target(s)
    steps = reverse.normal.resolver(args[0])
    saved = reverse.names.fresh('loop')
    twin = wanted = None
    if isinstance(steps, Nested):
        names = params(steps.source.tree)
        atoms = [args[3]] * (len(names) - len(args) + 4) + args[4:]
        wanted = [k for k in steps.wanted if names[k] in steps.carried or reverse.is_active(atoms[k])]
        twin = reverse.callees.twin(steps, tuple(names[k] for k in wanted), s)
        atoms = [atoms[k] for k in wanted]
    forward = named(reverse.library, custom.forward, 'checkpointed_forward')
    backward = named(reverse.library, custom.backward, 'checkpointed_backward')
    primal = tree.load(twin.primal) if twin else tree.constant(None)
    adjoint = tree.load(twin.adjoint) if twin else tree.constant(None)
    places = gast.Tuple(elts=[tree.constant(k) for k in wanted], ctx=gast.Load()) if twin else args[1]
    back = gast.Call(func=tree.load(backward), args=[tree.load(saved), adjoint, gradient], keywords=[])
    if twin:
        hand_back(reverse, back, atoms, origin)
    else:
        hand_over(reverse, back, args, origin)
    value = gast.Call(func=tree.load(forward), args=[args[0], primal, places, *args[2:]], keywords=[])
    pair = tree.targets(y, saved)
    return [tree.replace(s, targets=[pair], value=value)]


def hand_back(reverse, found, atoms, origin):
    """Give the gradients that come back to the atoms; one alone comes bare."""
    unused = reverse.names.fresh('_') if not all(map(reverse.is_active, atoms)) else None
    targets = [reverse.gradient(a.id) if reverse.is_active(a) else unused for a in atoms]
    reverse.put(tree.targets(*targets), found, origin)
    for a, t in zip(atoms, targets):
        if reverse.is_active(a):
            reverse.offer(a, Term(tree.load(t), origin, reverse.is_number(a)))
