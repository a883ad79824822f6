"""The run time of forward mode in several directions inside Numba-compiled code: eight at a time, see `machine.simd`.

Types say which tangents have directions; those that have none are the same in all of them, as in `directions`.
"""
import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.np.numpy_support import as_dtype, from_dtype

from tangent.numba.machine.simd import WIDTH, Simd, has_simd, lane, spread_over, with_lane
from tangent.numba.machine.simd_arrays import numbers, zeros
from tangent.numba.overloads import loop_nests as loops
from tangent.numba.overloads.core import by_parts, gradient_dtype, is_array, is_leaf, is_none, is_number, stands_for
from tangent.numba.overloads.forward import MISMATCH
from tangent.numba.overloads.optional import overload
from tangent.runtime import api
from tangent.runtime.functions import bases
from tangent.runtime.tangents import blocks, conversions
from tangent.runtime.tangents import zeros as zero_tangents
from tangent.runtime.tangents.parts import each_direction

NO_SIMD = 'tangents in several directions at once are those of real arrays and numbers, and of tuples of them'


def simd_for(x):
    """The type of the tangents of a number or array of this type, as an argument of `zeros`."""
    dtype = gradient_dtype(x) if is_leaf(x) else None
    if dtype is None or dtype.name not in ('float32', 'float64') or is_array(x) and not isinstance(x.dtype, types.Number):
        raise TypingError(f'{NO_SIMD} (here there is {x})')
    return Simd(from_dtype(dtype))


def parts_of(t, name):
    """(text, type) for each part of a tuple that is none itself."""
    if not isinstance(t, types.BaseTuple):
        return [(name, t)]
    return [part for k in range(len(t)) for part in parts_of(t[k], f'{name}[{k}]')]


# What emitted code calls

stands_for(each_direction, lambda function, *args: function(*args), complex_too=True)


@overload(conversions.directions)
def _directions(*tangents):
    return (lambda *tangents: WIDTH) if any(map(has_simd, tangents)) else (lambda *tangents: None)


@overload(conversions.zero_directions)
def _zero_directions(x, count):
    zero = conversions.zero_directions
    if is_none(count):
        return lambda x, count: zero_tangents.zero_tangent(x)
    if isinstance(x, types.BaseTuple):
        return by_parts(zero, x, 'x', '*count')
    if isinstance(x, types.List):
        return lambda x, count: [zero(v, count) for v in x]
    if not is_leaf(x):
        return lambda x, count: None
    kind = simd_for(x)
    return lambda x, count: zeros(x, kind)


@overload(conversions.count_directions)
def _count_directions(x, dx):
    if has_simd(dx):
        return lambda x, dx: WIDTH
    pairs = [p for k in range(len(x)) for p in zip(parts_of(x[k], f'x[{k}]'), parts_of(dx[k], f'dx[{k}]'), strict=True)]
    ranks = {getattr(d, 'ndim', 0) - getattr(v, 'ndim', 0) for (_, v), (_, d) in pairs}
    if ranks == {0} and not any(is_array(v) for (_, v), _ in pairs):
        return lambda x, dx: None                     # numbers, and one direction
    if ranks != {1}:
        raise TypingError(f'{MISMATCH}s in several directions: {x} and {dx}')
    tests = [f'{d}.shape != (count, ){f" + {v}.shape" if is_array(t) else ""}' for (v, t), (d, _) in pairs]
    return loops.build(f'def impl(x, dx):\n    count = {pairs[0][1][0]}.shape[0]\n    if {" or ".join(tests)}:\n'
                       '        raise ShapeError(why)\n    return count', why=f'{MISMATCH}s in several directions')


@overload(conversions.to_directions)
def _to_directions(x, dx, count):
    if isinstance(dx, types.BaseTuple):
        return by_parts(conversions.to_directions, x, 'x', 'dx', '*count')
    return (lambda x, dx, count: dx) if has_simd(dx) else lambda x, dx, count: api.unbroadcast(dx, x)


@overload(conversions.from_directions)
def _from_directions(tangent, count):
    if is_none(count) or is_none(tangent):
        return lambda tangent, count: tangent
    if isinstance(tangent, types.BaseTuple):
        return by_parts(conversions.from_directions, tangent, 'tangent', '*count')
    if has_simd(tangent) and not isinstance(tangent, types.List):
        return lambda tangent, count: tangent
    kind = simd_for(tangent)
    if is_number(tangent):
        return lambda tangent, count: spread_over(tangent, kind)

    def spread(tangent, count):
        found = zeros(tangent, kind)
        found[...] = tangent
        return found
    return spread


# How one goes through the directions

@overload(blocks.eight_of)
def _eight_of(x, dx, k):
    if isinstance(x, types.BaseTuple):
        return by_parts(blocks.eight_of, x, 'x', 'dx', '*k')
    kind = simd_for(x)
    if not is_array(x):
        def some(x, dx, k):
            found = zeros(x, kind)
            for j in range(min(WIDTH, dx.shape[0] - k)):
                found = with_lane(found, j, dx[k + j])
            return found
        return some
    axes = [f'i{axis + 1}' for axis in range(x.ndim)]
    body = loops.nest([f'min({WIDTH}, dx.shape[0] - k)', *(f'x.shape[{axis}]' for axis in range(x.ndim))],
                      f'each[{", ".join([*axes, "i0"])}] = dx[{", ".join(["k + i0", *axes])}]')
    return loops.build(f'def impl(x, dx, k):\n    found = zeros(x, kind)\n    each = numbers(found)\n{body}\n    return found',
                       zeros=zeros, kind=kind, numbers=numbers)


@overload(blocks.one_of)
def _one_of(x, dx, k):
    if isinstance(x, types.BaseTuple):
        return by_parts(blocks.one_of, x, 'x', 'dx', '*k')
    if not is_array(x):
        zero = dx.dtype(0)
        return lambda x, dx, k: dx[k] if k < dx.shape[0] else zero
    return lambda x, dx, k: dx[k] if k < dx.shape[0] else np.zeros(dx.shape[1:], dx.dtype)


@overload(blocks.unit_eight)
def _unit_eight(x, k):
    if not is_array(x):
        return lambda x, k: bases.unit_seed(x, k)             # one direction
    kind = simd_for(x)

    def unit(x, k):
        found = zeros(x, kind)
        each = numbers(found.reshape(x.size))
        for j in range(min(WIDTH, x.size - k)):
            each[k + j, j] = 1
        return found
    return unit


def room_for(moved, count):
    room = blocks.room_for_eights
    if isinstance(moved, types.BaseTuple):
        return by_parts(room, moved, 'moved', '*count')
    number = moved.dtype.dtype if is_array(moved) and has_simd(moved) else getattr(moved, 'dtype', moved)
    if not isinstance(number, (types.Float, types.Complex)):
        raise TypingError(f'{NO_SIMD} (here there is {moved})')
    dtype = as_dtype(number)
    if is_array(moved):
        return lambda moved, count: np.empty((count,) + moved.shape, dtype)
    return lambda moved, count: np.empty(count, dtype)


def put(found, k, moved):
    """Writes tangents behind each other, as many as there are and have room."""
    if isinstance(moved, types.BaseTuple):
        lines = ''.join(f'    put_eight(found[{i}], k, moved[{i}])\n' for i in range(len(moved)))
        return loops.build(f'def impl(found, k, moved):\n{lines}    return None', put_eight=blocks.put_eight)
    if not has_simd(moved):
        def one(found, k, moved):
            if k < found.shape[0]:
                found[k] = moved
        return one
    axes = [f'i{axis + 1}' for axis in range(found.ndim - 1)]
    value = f'each[{", ".join([*axes, "i0"])}]' if axes else 'lane(moved, i0)'
    body = loops.nest([f'min({WIDTH}, found.shape[0] - k)', *(f'found.shape[{axis + 1}]' for axis in range(len(axes)))],
                      f'found[{", ".join(["k + i0", *axes])}] = {value}')
    each = '    each = numbers(moved)\n' if axes else ''
    return loops.build(f'def impl(found, k, moved):\n{each}{body}', numbers=numbers, lane=lane)


overload(blocks.room_for_eights)(room_for)
overload(blocks.room_for_ones)(room_for)
overload(blocks.put_eight)(put)
overload(blocks.put_one)(put)


@overload(blocks.put_eight_columns)
def _put_eight_columns(found, k, moved):
    if not has_simd(moved):
        return lambda found, k, moved: bases.put_column(found, k, moved)
    lines = ['def impl(found, k, moved):', '    columns = found.reshape(found.shape[0], found.size // max(found.shape[0], 1))',
             f'    i, count = 0, min({WIDTH}, columns.shape[1] - k)']
    for part, t in parts_of(moved, 'moved'):
        if is_array(t):
            lines += [f'    each = np.ascontiguousarray(numbers({part})).reshape({part}.size, {WIDTH})',
                      f'    for row in range({part}.size):', '        for j in range(count):',
                      '            columns[i + row, k + j] = each[row, j]', f'    i += {part}.size']
        else:
            lines += ['    for j in range(count):', f'        columns[i, k + j] = lane({part}, j)', '    i += 1']
    return loops.build('\n'.join(lines), numbers=numbers, lane=lane)
