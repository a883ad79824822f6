"""Jacobians and products with the Hessian of functions that Numba compiles: functions that Numba compiles."""
import re

from tangent import errors
from tangent.driver import variants
from tangent.driver.jacobian_rows import UsedUp
from tangent.driver.options import Options
from tangent.interfaces import grad
from tangent.interfaces.jacobians.directions import eight_pushed, otherwise, parameters
from tangent.interfaces.jacobians.texts import HELPERS, Fresh, indented, listed, made, title

ONE_BY_ONE = '''\
{j} = matrix_of({value}, {x})
for {k} in range(numbers_in({x})):
    put_column({j}, {k}, {push}({args}, unit_seed({x}, {k})))
'''
EIGHT_AT_A_TIME = '''\
{j} = matrix_of({value}, {x})
for {k} in range(0, numbers_in({x}), 8):
    put_eight_columns({j}, {k}, {push}({args}, unit_eight({x}, {k})))
'''
WIDER = 4            # columns in the time of a row, where eight of them are taken at a time
NOT_COMPILED = ('out=True is for functions that Numba compiles, without defaults, and for reverse mode: take the Jacobian as '
                'it is returned')


def jacobian(func, wrt, mode=None, out=False):
    """The Jacobian of a compiled function, compiled; None where there is no such form.

    out : write the rows into arrays given behind the arguments
    """
    known = parameters(func, wrt)
    if known is None or out and mode == 'forward':
        if out:
            raise errors.ArgumentError(NOT_COMPILED)
        return None
    wanted, names = known
    rows = None if mode == 'forward' else \
        by_rows(func, wanted, 'given' if out else 'made') or rows_again(func, wanted, names, out)
    if mode == 'reverse' or out:
        return rows
    one = lambda: by_columns(func, wanted, names, rows, ONE_BY_ONE, [grad.jvp(func, x) for x in wanted])  # noqa: E731
    pushes = [eight_pushed(func, (x,)) for x in wanted]
    return one() if None in pushes else otherwise(by_columns(func, wanted, names, rows, EIGHT_AT_A_TIME, pushes), one)


def by_columns(func, wanted, names, rows, form, pushes):
    """The Jacobian column by column; by `rows`, unless that is None, where that takes fewer passes."""
    fresh = Fresh(names)
    words = {'args': ', '.join(names), 'value': fresh('y'), 'k': fresh('k')}
    found = [fresh('j' + x) for x in wanted]
    columns = ''.join(form.format(x=x, j=j, push=fresh('push', push), **words) for x, j, push in zip(wanted, found, pushes))
    columns += f'return blocks_of({words["value"]}, ({listed(found)}), ({listed(wanted)}))\n'
    text = f'{words["value"]} = {primal(fresh, func, names, pushes[0])}\n'
    if rows is None:
        text += columns
    else:
        count = ' + '.join(f'numbers_in({x})' for x in wanted)
        rows_in = f'{WIDER} * ' * (form is EIGHT_AT_A_TIME) + f'numbers_in({words["value"]})'
        text += f'if {count} <= {rows_in}:\n{indented(columns)}'
        text += f'return {fresh("rows", rows)}({words["args"]})\n'
    name = title('jacobian', func)
    return made(f'def {name}({words["args"]}):\n{indented(text)}', name, func, {**fresh.things, **HELPERS})


def primal(fresh, func, names, derivative):
    """The call of the function itself, with copies of the arguments that it writes into: its derivative makes some, too."""
    written = [n for n in names if re.search(rf'^    \w+ = (array_)?copy\d*\({n}\)$', str(derivative.source), re.M)]
    return f'{fresh("f", func)}({", ".join(f"copy({n})" if n in written else n for n in names)})'


def by_rows(func, wanted, form):
    """All rows by one function that goes forward once; None where what is kept for the way back is used up by it."""
    options = Options(scalar=False, first=False, check_dims=False, rows=form)
    try:
        return grad.for_machine(func, wanted, options)
    except UsedUp:
        return None


def rows_again(func, wanted, names, out):
    """All rows by a function that goes forward anew for each."""
    fresh = Fresh(names)
    args, value, k, rows = ', '.join(names), fresh('y'), fresh('k'), fresh('rows')
    found = [fresh('j' + x) for x in wanted]
    gradients = [fresh('b' + x) for x in wanted]
    pulled = grad.vjp(func, wanted if len(wanted) > 1 else wanted[0])
    pull = fresh('pull', pulled)
    text = f'{value} = {primal(fresh, func, names, pulled)}\n'
    tuples = f'{value}, ({listed(found)}), ({listed(wanted)})'
    if out:
        fit = ', '.join(f'rows_that_fit({value}, {j}, {x})' for j, x in zip(found, wanted))
        text += f'{rows} = min({fit}, rows_apart({len(found)}, {", ".join(found)}, {args}))\n'
    else:
        text += ''.join(f'{j} = matrix_of({value}, {x})\n' for j, x in zip(found, wanted))
    count = rows if out else f'numbers_in({value})'
    text += f'for {k} in range({count}):\n    {", ".join(gradients)} = {pull}({args}, unit_seed({value}, {k}))\n'
    text += ''.join(f'    put_row({j}, {k}, {b})\n' for j, b in zip(found, gradients))
    text += f'check_rows({rows})\n' if out else f'return blocks_of({tuples})\n'
    name = title('rows', func)
    head = f'def {name}({", ".join([args, *found] if out else [args])}):\n'
    return made(head + indented(text), name, func, {**fresh.things, **HELPERS})


def hvp(func, wrt):
    """The product of the Hessian of a compiled function with a vector, compiled; None where there is no such form."""
    known = parameters(func, wrt)
    if known is None or len(known[0]) > 1:
        return None
    (x,), names = known
    fresh = Fresh(names)
    vector, args, name = fresh('vector'), ', '.join(names), title('hvp', func)
    if hasattr(variants.derivative(func, x, Options()), 'written_out'):       # forward mode writes plainer text
        pull = fresh('pull', grad.grad(grad.jvp(func, x), x))
        text = f'def {name}({args}, {vector}):\n    return {pull}({args}, {vector})\n'
    else:
        push = fresh('push', grad.jvp(grad.grad(func, x), x))
        text = f'def {name}({args}, {vector}):\n    return {push}({args}, 1.0, {vector})\n'
    return made(text, name, func, fresh.things)
