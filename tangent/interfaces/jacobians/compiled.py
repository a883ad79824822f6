"""Jacobians and products with the Hessian of functions that Numba compiles: functions that Numba compiles."""
from __future__ import annotations

import dataclasses
import functools
import re

from tangent import errors
from tangent.driver.derivation import Options
from tangent.driver.jacobian_rows import UsedUp
from tangent.emit import module_cache
from tangent.emit.build import Part, build
from tangent.interfaces import grad
from tangent.interfaces.linear_maps import completing, is_starred
from tangent.numba import options as compiled
from tangent.runtime import api
from tangent.runtime.functions import bases
from tangent.runtime.tangents import blocks, conversions

HELPERS = {name: getattr(bases, name) for name in
           ('unit_seed', 'numbers_in', 'matrix_of', 'put_row', 'put_column', 'blocks_of', 'rows_that_fit',
            'rows_apart', 'check_rows')}
HELPERS.update(count_directions=conversions.count_directions, copy=api.copy)
HELPERS.update((name, getattr(blocks, name)) for name in blocks.__all__)

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
IN_TURN = '''\
{count} = count_directions(({xs}), ({tangents}))
{both} = {push}({args}, {first})
{found} = room_for_{form}s({moved}, {count})
put_{form}({found}, 0, {moved})
for {k} in range({step}, {count}, {step}):
    put_{form}({found}, {k}, {push}({args}, {next}){item})
return {result}
'''
WIDER = 4            # columns in the time of a row, where eight of them are taken at a time
NOT_IN_EIGHTS = ('batched=True of a function that Numba compiles is for functions without defaults and without *args: give '
                 'jit=False')
NOT_COMPILED = ('out=True is for functions that Numba compiles, without defaults, and for reverse mode: take the Jacobian as '
                'it is returned')


def parameters(func, wrt):
    """The names of the parameters of a compiled function that the derivative is by, and of all its parameters; else None.

    Functions of `*args` and with defaults are called through Python: what comes last would have no place.
    """
    if compiled.flags_of(func) is None or is_starred(func.py_func) or func.py_func.__defaults__ \
            or func.py_func.__code__.co_kwonlyargcount:
        return None
    names = completing(func.py_func).names
    wanted, picks = grad.wanted(func.py_func, wrt)
    return (wanted, names) if picks is None else None


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


def eight_pushed(func, wanted, values='none'):
    """The function pushed forward along eight directions at once; None where that cannot be derived.

    Whether Numba compiles it is seen when it does: it calls a function that no other can call. CPython runs another.
    """
    flags = dataclasses.replace(compiled.flags_of(func), inner=True, cache=False)
    if dict(flags.options).get('parallel'):
        return None                          # Numba's parallel loops take numbers apart by kinds that it knows
    options = Options(mode='forward', default=None, batched=True, values=values, target=flags)
    try:
        found = grad.derivative(func, wanted, options)
    except errors.TangentError:
        return None
    if hasattr(found, 'derived'):
        return None
    plain = functools.cache(lambda: grad.derivative(func, wanted, dataclasses.replace(options, target=None)))

    def push(*args):
        return plain()(*args)
    push.source = found.source
    if found.compiled is not found:
        compiled.called_as(push, found.compiled)
    return push


def batched(func, wrt, options):
    """The compiled function pushed forward along any number of directions, eight at a time; one where that does not go."""
    known = parameters(func, wrt)
    if known is None:
        raise errors.ArgumentError(NOT_IN_EIGHTS)
    wanted, names = known
    one = lambda: in_turn(func, wanted, names, grad.for_machine(       # noqa: E731
        func, wanted, dataclasses.replace(options, batched=False)), options.values, 'one', '1')
    push = eight_pushed(func, wanted, options.values)
    found = one() if push is None else otherwise(in_turn(func, wanted, names, push, options.values, 'eight', '8'), one)
    plain = dataclasses.replace(options, target=None, verbose=0)
    getattr(found, 'py_func', found).written_out = lambda: grad.derivative(func, wrt, plain).written_out()
    return found


def in_turn(func, wanted, names, push, values, form, step):
    """The function that calls `push` for some directions after the other."""
    fresh = Fresh(names)
    tangents = [fresh('d' + x) for x in wanted]
    along = lambda k: ', '.join(f'{form}_of({x}, {d}, {k})' for x, d in zip(wanted, tangents))  # noqa: E731
    words = {name: fresh(name) for name in ('count', 'moved', 'found', 'k')}
    value = fresh('y') if values == 'after' else None
    words['push'] = fresh('push', push)
    text = IN_TURN.format(
        xs=listed(wanted), tangents=listed(tangents), args=', '.join(names), form=form, step=step,
        first=along('0'), next=along(words['k']),
        both=words['moved'] + (f', {value}' if value else ''), item='[0]' if value else '',
        result=words['found'] + (f', {value}' if value else ''), **words)
    name = title('jvp', func)
    return made(f'def {name}({", ".join([*names, *tangents])}):\n{indented(text)}', name, func, {**fresh.things, **HELPERS})


def otherwise(dispatcher, make):
    """The dispatcher, which compiles another function where Numba does not compile its own."""
    kept = functools.cache(make)
    function = getattr(dispatcher, 'py_func', dispatcher)
    if getattr(compiled.flags_of(dispatcher), 'cache', False):
        kept()                                   # what machine code on disk names has to be there
    function.retyped = lambda args: getattr(kept(), 'py_func', kept())
    return dispatcher


def listed(names):
    return ''.join(f'{n}, ' for n in names).rstrip() if len(names) == 1 else ', '.join(names)


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
    if hasattr(grad.derivative(func, x, Options()), 'written_out'):       # forward mode writes plainer text
        pull = fresh('pull', grad.grad(grad.jvp(func, x), x))
        text = f'def {name}({args}, {vector}):\n    return {pull}({args}, {vector})\n'
    else:
        push = fresh('push', grad.jvp(grad.grad(func, x), x))
        text = f'def {name}({args}, {vector}):\n    return {push}({args}, 1.0, {vector})\n'
    return made(text, name, func, fresh.things)


def title(what, func):
    return f'{what}_of_{func.__name__}' if func.__name__.isidentifier() else what


class Fresh:
    """Names that are no parameter of a function, nor a helper, and what some of them stand for."""

    def __init__(self, taken):
        self.taken, self.things = {*taken, *HELPERS}, {}

    def __call__(self, name, thing=None):
        while name in self.taken:
            name += '_'
        self.taken.add(name)
        if thing is not None:
            self.things[name] = thing
        return name


def indented(text):
    return ''.join(f'    {line}\n' for line in text.splitlines())


def made(text, name, func, library):
    function = build(text, [Part(name, {'__name__': 'operators_compiled'})], library, name)[name]
    flags, digest = compiled.flags_of(func), module_cache.Digest()
    try:
        digest.value(func if flags.cache else None)              # not all of the text calls it by its name
    except module_cache.NotCached:
        flags = dataclasses.replace(flags, cache=False)
    dispatcher = module_cache.single(function, flags, more=(digest.hexdigest(),))
    dispatcher.source = function.source
    return dispatcher


grad.batched = batched
