"""Primal and adjoint as two functions: how one is cut into two, and what is handed from the first to the second.

Both are optimized as one function, with a marker between them; then they are cut apart there. What the second part reads
of the names of the first is `saved`.
"""
import gast

from tangent.analysis.dataflow.effects import effects_of
from tangent.analysis.effects import writing
from tangent.analysis.kinds.infer import SPLIT
from tangent.analysis.liveness import exposed
from tangent.emit import naming
from tangent.emit.signature import forward_call, params, plain_arguments, with_seed
from tangent.frontend import tree
from tangent.reverse import arrays

SEED = tree.Origin('seed')
TAPE = tree.Origin('tape')


def cut(function, source, seed, twin, reverse, own=()):
    """The two functions on both sides of the marker.

    seed : name of the gradient of the result, or None where nothing is returned
    own : gradients of arrays that the adjoint is given and changes
    """
    forward, backward = halves(function)
    at = len(forward)
    known = [*params(source.tree), *reverse.normal.stored(forward)]
    read_later = exposed(backward) - {seed, *own}
    saved = [n for n in dict.fromkeys(known) if n in read_later]
    unset = [n for n in saved if n in exposed([tree.place(gast.Expr(value=packed(saved, tree.load)), None)],
                                              settled(forward, params(source.tree)))]
    forward = [tree.assign(n, tree.constant(None), TAPE) for n in unset] + forward
    backward = backward or [gast.Pass()]
    name = saved[0] if len(saved) == 1 else tree.Names(reverse.names.taken).fresh('saved')
    pack = packed(saved, tree.load)
    computed = tree.Origin('return')
    if seed is not None:
        lines = [e.origin.line for e in function.body[at].value.args if getattr(e, 'origin', None)]     # of what is folded in
        computed = tree.Origin('return', *lines[:1])
        result = [handed_out(function, e, backward, known, reverse) for e in function.body[at].value.args]
        pack = gast.Tuple(elts=[*result, pack], ctx=gast.Load())
    primal = tree.replace(function, name=twin.primal, args=source.tree.args, returns=None,
                          body=forward + [tree.place(gast.Return(value=pack), computed)])
    unpack = [tree.place(gast.Assign(targets=[packed(saved, tree.store)], value=tree.load(name),
                                     type_comment=None), SEED)] if len(saved) > 1 else []
    given = [*([] if seed is None else [seed]), name, *own]
    adjoint = tree.replace(function, name=twin.adjoint, args=plain_arguments(given), returns=None, body=unpack + backward)
    return primal, adjoint


def halves(function):
    """What stands before the marker and after it."""
    at = next(i for i, s in enumerate(function.body) if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call)
              and tree.dotted(s.value.func) == SPLIT)
    return function.body[:at], function.body[at + 1:]


def handed_out(function, result, backward, known, reverse):
    """The result as callers get it: a copy, where the adjoint puts back in its memory what was there before."""
    func = tree.Func(function, reverse.base, frozenset(reverse.temps), reverse.normal.pure(), dict(reverse.library.given),
                     writing=writing(reverse.normal.resolver.classes))
    alias = effects_of(func).alias
    group = {m for n in tree.names(result, gast.Load) for m in alias.get(n, (n,))}
    changed = {tree.dotted(t.value) for s in tree.every(backward) if isinstance(s, gast.Assign)
               for t in s.targets if isinstance(t, gast.Subscript)}
    own = set(tree.names(reverse.normal.tree.body[-1].value, gast.Load))
    changed &= set(known)                       # gradients are changed as well
    return result if group.isdisjoint(changed) and own.isdisjoint(reverse.put_back) else arrays.copied(reverse, result)


def driver(source, count, twins, check, first, options):
    """The function that calls the primal, checks the seed with the helper named `check`, and calls the adjoint."""
    taken = tree.Names({*params(source.tree), *twins, check})
    seed, value, saved = taken.fresh('init_grad'), taken.fresh(naming.result(source)), taken.fresh('saved')
    pair = tree.targets(value, saved)
    body = [tree.assign(pair, forward_call(twins[0], source.tree.args), tree.Origin('primal'))]
    if check:
        cost = tree.load(value)
        if first:
            cost = gast.Subscript(value=cost, slice=tree.constant(0), ctx=gast.Load())
        body.append(tree.assign(seed, tree.call(check, cost, tree.load(seed)), SEED))
    back = tree.call(twins[1], tree.load(seed), tree.load(saved))
    if options.values == 'after':
        gradient = taken.fresh('gradient')
        body.append(tree.assign(gradient, back, SEED))
        part = tree.load(gradient)
        parts = [part if count == 1 else gast.Starred(value=part, ctx=gast.Load()), tree.load(value)]
        back = gast.Tuple(elts=parts, ctx=gast.Load())
    body.append(tree.place(gast.Return(value=back), tree.Origin('return')))
    return tree.replace(source.tree, args=with_seed(source.tree.args, seed, options.default), body=body,
                        decorator_list=[], returns=None)


def settled(stmts, known):
    """Names that are bound at the end of the statements, whatever path was taken."""
    known = set(known)
    for s in stmts:
        if isinstance(s, gast.If):
            known |= settled(s.body, known) & settled(s.orelse, known)
        elif isinstance(s, gast.With):
            known |= settled(s.body, known)
        elif not isinstance(s, (gast.For, gast.While)):
            known |= tree.writes(s)
    return known


def packed(names, make):
    """`()` , `x` or `(x, y)`: how values are handed from the primal to the adjoint."""
    if len(names) == 1:
        return make(names[0])
    return gast.Tuple(elts=[make(n) for n in names], ctx=make('x').ctx)
