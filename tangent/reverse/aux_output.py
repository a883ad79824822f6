"""`has_aux=True`: the function returns a pair, of which the first is differentiated and the second handed on as it is.

    return loss, y     ->     ... return dx, y

Where the pair is not written out in the last `return`, it is taken apart when running.
"""
import gast

from tangent import errors
from tangent.frontend import tree

PRIMAL = tree.Origin('primal')


def seed_of_pair(reverse, seed, result):
    """The gradient of a pair whose first element has the seed as its gradient."""
    second = gast.Subscript(value=result, slice=tree.constant(1), ctx=gast.Load())
    return gast.Tuple(elts=[tree.load(seed), reverse.call('init_grad', second)], ctx=gast.Load())


def taken_apart(reverse, source, result, target):
    """(statements at the end of the forward pass, the tree of what is differentiated, the tree of the rest)."""
    names = reverse.names
    aux = names.fresh('aux')
    if target is result:
        value = names.fresh('value')
        pair = tree.targets(value, aux)
        return [tree.assign(pair, reverse.call('check_pair', result), PRIMAL)], tree.load(value), tree.load(aux)
    elements = _elements(reverse.normal, result)
    if len(elements) != 2:
        raise errors.ArgumentError(f'has_aux: {source.name} returns {len(elements)} values, and has to return two: the '
                                   'number to differentiate, and one thing more')
    return [tree.assign(aux, elements[1], PRIMAL)], target, tree.load(aux)


def _elements(normal, result):
    if isinstance(result, gast.Tuple):
        return result.elts
    return next(normal.ops[s].args for s in normal.tree.body if s in normal.ops and tree.target(s) == result.id)
