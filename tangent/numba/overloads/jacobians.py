"""The run time of Jacobians inside Numba-compiled code."""
import sys

import numpy as np
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, register_jitable

from tangent.numba.machine.extents import overlapping
from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import gradient_dtype, is_array, is_leaf
from tangent.numba.overloads.optional import overload
from tangent.runtime.api import init_grad
from tangent.runtime.functions import bases

REFUSED = ('compiled Jacobians are those of real arrays and numbers, and tuples of them, by real arrays and numbers: for '
           'others, take the Jacobian of the function that Numba compiled, f.py_func')
SMALL = 512                 # numbers in a matrix of which all rows are set to zero with the first one
numbers_in, unit_seed, blocks_of = bases.numbers_in, bases.unit_seed, bases.blocks_of


def check_real(x):
    if not is_leaf(x) or gradient_dtype(x).kind == 'c':
        raise TypingError(f'{REFUSED} (here there is {x})')


def parts_of(y, name='y'):
    """(text, type) for each array and number in what a function returns."""
    if not isinstance(y, types.BaseTuple):
        check_real(y)
        return [(name, y)]
    return [part for k in range(len(y)) for part in parts_of(y[k], f'{name}[{k}]')]


def numbers_text(y, name='y'):
    return ' + '.join(f'{part}.size' if is_array(t) else '1' for part, t in parts_of(y, name)) or '0'


@overload(unit_seed)
def _unit_seed(x, k):
    if isinstance(x, types.BaseTuple):
        items, before = [], 'k'
        for i in range(len(x)):
            items.append(f'unit_seed(x[{i}], {before})')
            before += f' - ({numbers_text(x[i], f"x[{i}]")})'
        made = f'kind({", ".join(items)})' if isinstance(x, types.BaseNamedTuple) else f'({", ".join(items)},)'
        return loops.build(f'def impl(x, k):\n    return {made}', unit_seed=unit_seed, kind=getattr(x, 'instance_class', None))
    check_real(x)
    if not is_array(x):
        one, zero = gradient_dtype(x).type(1), gradient_dtype(x).type(0)
        return lambda x, k: one if k == 0 else zero

    def unit(x, k):
        found = init_grad(x)
        if 0 <= k < found.size:
            found.flat[k] = 1
        return found
    return unit


@overload(numbers_in)
def _numbers_in(x):
    return loops.build(f'def impl(x):\n    return {numbers_text(x, "x")}')


@overload(bases.matrix_of)
def _matrix_of(y, x):
    check_real(x)
    dtype = np.result_type(*(gradient_dtype(t) for _, t in parts_of(y)), gradient_dtype(x))
    shape = ' + x.shape' if is_array(x) else ''
    return loops.build(f'def impl(y, x):\n    return np.empty(({numbers_text(y)},){shape}, dtype)', dtype=dtype)


@overload(bases.rows_that_fit)
def _rows_that_fit(y, found, x):
    axes = x.ndim if is_array(x) else 0
    check_real(x)
    if not is_array(found) or found.ndim != 1 + axes:
        raise TypingError(f'{bases.WRONG_ROWS}: {found} for {x}')
    there, here = ([f'{name}.shape[{k}]' for k in range(n)] for name, n in (('found', axes + 1), ('x', axes)))
    same = ' & '.join(f'(there[{k}] == {size})' for k, size in enumerate(['count', *(f'here[{k}]' for k in range(axes))]))
    return loops.build(f'def impl(y, found, x):\n    there, here = ({", ".join(there)},), ({"".join(h + ", " for h in here)})\n'
                       f'    count = {numbers_text(y)}\n    return count if {same} else -1')


@infer_global(bases.rows_apart)
class TypeApart(AbstractTemplate):
    key, prefer_literal = bases.rows_apart, True

    def generic(self, args, keywords):
        return signature(types.intp, *args) if isinstance(args[0], types.IntegerLiteral) else None


@lower_builtin(bases.rows_apart, types.IntegerLiteral, types.VarArg(types.Any))
def _rows_apart(context, builder, sig, args):
    count, *arrays = sig.args
    shared = cgutils.false_bit
    for _, _, shares in overlapping(context, builder, arrays, args[1:], count.literal_value):
        shared = builder.or_(shared, shares)
    return builder.select(shared, context.get_constant(types.intp, -1), context.get_constant(types.intp, sys.maxsize))


register_jitable(bases.check_rows)


@overload(bases.row_from_zero)
def _row_at(found, k):
    if found.ndim == 1:
        raise TypingError('the gradient of a number is no array')
    sizes = [f'found.shape[{axis}]' for axis in range(found.ndim)]
    places = [f'i{axis}' for axis in range(found.ndim)]
    each = {'all': loops.nest(sizes, f'found[{", ".join(places)}] = 0'),
            'one': loops.nest(sizes[1:], f'found[{", ".join(["k", *places[:-1]])}] = 0')}
    each = {key: body.replace('\n', '\n    ') for key, body in each.items()}
    return loops.build(f'def impl(found, k):\n    if found.size > {SMALL}:\n    {each["one"]}\n    elif k == 0:\n'
                       f'    {each["all"]}\n    return found[k]')


@overload(bases.put_row)
def _put_row(found, k, gradient):
    if not is_array(gradient):
        return loops.build('def impl(found, k, gradient):\n    found[k] = gradient')
    places = [f'i{axis}' for axis in range(gradient.ndim)]
    sizes = [f'gradient.shape[{axis}]' for axis in range(gradient.ndim)]
    statement = f'found[{", ".join(["k", *places])}] = {loops.element("gradient", places)}'
    return loops.build('def impl(found, k, gradient):\n' + loops.nest(sizes, statement))


@overload(bases.put_column)
def _put_column(found, k, tangent):
    lines = ['def impl(found, k, tangent):']
    if found.ndim > 2:
        lines.append('    found = found.reshape(found.shape[0], found.size // max(found.shape[0], 1))')
    place = 'i' if found.ndim == 1 else 'i, k'
    lines.append('    i = 0')
    for part, t in parts_of(tangent, 'tangent'):
        lines += ([f'    for v in {part}.flat:', f'        found[{place}] = v', '        i += 1'] if is_array(t) else
                  [f'    found[{place}] = {part}', '    i += 1'])
    return loops.build('\n'.join(lines))


@overload(blocks_of)
def _blocks_of(y, found, xs):
    if isinstance(y, types.BaseTuple):
        lines = ['def impl(y, found, xs):', '    start = 0']
        for i in range(len(y)):
            parts = ''.join(f'found[{n}][start:stop], ' for n in range(len(found)))
            lines += [f'    stop = start + {numbers_text(y[i], f"y[{i}]")}', f'    b{i} = blocks_of(y[{i}], ({parts}), xs)',
                      '    start = stop']
        items = ''.join(f'b{i}, ' for i in range(len(y)))
        made = f'kind({items})' if isinstance(y, types.BaseNamedTuple) else f'({items})'
        return loops.build('\n'.join([*lines, f'    return {made}']), blocks_of=blocks_of,
                           kind=getattr(y, 'instance_class', None))
    blocks = [block(y, xs[n], f'found[{n}]', f'xs[{n}]') for n in range(len(xs))]
    made = blocks[0] if len(blocks) == 1 else f'({", ".join(blocks)})'
    return loops.build(f'def impl(y, found, xs):\n    return {made}')


def block(y, x, found, name):
    """The text of the derivative of a leaf by one of the arguments."""
    if not is_array(y):
        return f'{found}[0]' if not is_array(x) else f'np.ascontiguousarray({found}).reshape({name}.shape)'
    shape = ' + '.join(['y.shape'] + [f'{name}.shape'] * is_array(x))
    return f'np.ascontiguousarray({found}).reshape({shape})'
