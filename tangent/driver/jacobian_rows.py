"""All rows of a Jacobian by one function: it goes forward once, and back for each number of the result.

                                     y = w * x
    y = w * x                        jx = matrix_of(y, x)
    bx = by * w          ->          for row in range(numbers_in(y)):
    return bx                            by = unit_seed(y, row)
                                         put_row(jx, row, by * w)
                                     return blocks_of(y, (jx,), (x,))
"""
import gast

from tangent.driver.made import Demands, Made
from tangent.driver.results import gradients_of
from tangent.emit import naming
from tangent.emit.signature import part_of, with_seed
from tangent.frontend import tree

ROWS = tree.Origin('seed')


class UsedUp(Exception):
    """What was kept for the way back is used up by it: it can be gone once only."""


def rows(derivation, source, wrt, name):
    """The function that gives all rows; with `options.rows == 'given'` it writes them into arrays that it is given.

    Whether these are as they should be is checked at the end, and nothing written if not: Numba counts references to
    arrays in functions that may be left before the end of a loop.
    """
    given = derivation.options.rows == 'given'
    reverse, forward, adjoint, seed, result, *_ = derivation.passes(source, Demands(wrt))
    reverse.out = adjoint
    gradients, _ = gradients_of(reverse, wrt, forward + adjoint, derivation.shares_seed)
    if '_stack' in reverse.library.given or derivation.writes or any(map(keeps, derivation.made)):
        raise UsedUp
    fresh, call = reverse.names.fresh, reverse.call
    row, found = fresh('row'), [fresh('j' + p) for p in wrt]
    start, end = [], []
    if not isinstance(result, gast.Name):
        value = fresh(naming.result(source))
        start.append(tree.assign(value, result, tree.Origin('primal')))
        result = tree.load(value)
    loop = [tree.assign(seed, call('unit_seed', result, tree.load(row)), ROWS), *adjoint]
    loop += [put(call('put_row', tree.load(j), tree.load(row), b)) for j, b in zip(found, gradients)]
    tuples = [gast.Tuple(elts=[tree.load(n) for n in names], ctx=gast.Load()) for names in (found, wrt)]
    if given:
        rows = fresh('rows')
        fit = [call('rows_that_fit', result, tree.load(j), tree.load(p)) for j, p in zip(found, wrt)]
        others = [a for a in tree.names(source.tree.args, gast.Param) if a not in found]
        fit.append(call('rows_apart', tree.constant(len(found)), *map(tree.load, [*found, *others])))
        start.append(tree.assign(rows, tree.call(reverse.library('min'), *fit), ROWS))
        end = [put(call('check_rows', tree.load(rows)))]
        count, value = tree.load(rows), tree.constant(None)
    else:
        start += [tree.assign(j, call('matrix_of', result, tree.load(p)), ROWS) for j, p in zip(found, wrt)]
        count, value = call('numbers_in', result), call('blocks_of', result, *tuples)
    count = tree.call(reverse.library('range'), count)
    loop = tree.place(gast.For(target=tree.store(row), iter=count, body=loop, orelse=[], type_comment=None), ROWS)
    call('row_from_zero')                                         # may take the place of `init_grad`
    args = source.tree.args
    for j in found if given else ():
        args = with_seed(args, j, None)
    body = [*forward, *start, loop, *end, tree.place(gast.Return(value=value), tree.Origin('return'))]
    function = tree.replace(source.tree, name=name, args=args, body=body, decorator_list=[], returns=None)
    function = in_place(derivation.finish(function, reverse), reverse.library.given)
    return Made(function, source, part_of(name, source, len(found) if given else 0), reverse.normal.source.methods)


def keeps(made):
    """Whether an adjoint of a callee reads a tape, which is empty afterwards."""
    return any(isinstance(n, gast.Name) and n.id.rstrip('0123456789') in ('Stack', 'pop', '_stack')
               for n in tree.walk(made.tree))


def put(call):
    return tree.place(gast.Expr(value=call), ROWS)


def in_place(function, given):
    """The function with gradients made in the rows themselves, where that is how they begin.

        bx = init_grad(x); bx[0] += by; put_row(jx, row, bx)    ->    bx = row_from_zero(jx, row); bx[0] += by
    """
    loop = next(s for s in function.body if isinstance(s, gast.For) and s.origin is ROWS)
    body = loop.body
    for s in list(body):
        if not isinstance(s, gast.Expr) or tree.dotted(s.value.func) != given['put_row'] \
                or not isinstance(s.value.args[2], gast.Name):
            continue
        matrix, row, gradient = s.value.args
        zero = [t for t in body if tree.target(t) == gradient.id and isinstance(t.value, gast.Call)
                and tree.dotted(t.value.func) == given.get('init_grad')]
        if len(zero) == 1 and all(grows(t, gradient.id, given) for t in tree.every(body) if t is not s and t is not zero[0]):
            start = tree.replace(zero[0], value=tree.call(given['row_from_zero'], matrix, row))
            body = [start if t is zero[0] else t for t in body if t is not s]
    return tree.replace(function, body=[tree.replace(loop, body=body) if s is loop else s for s in function.body])


def grows(s, name, given):
    """Whether the statement leaves the gradient alone, or adds to elements of it in place."""
    if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Subscript) and getattr(s.target.value, 'id', None) == name:
        return name not in tree.names(s.value, gast.Load)
    return all(name not in tree.names(part, gast.Load) + tree.names(part, gast.Store) for part in tree.header(s))
