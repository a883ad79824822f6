"""Loop nests for Numba, written as text because the number of loops depends on ranks.

Each function here returns a compiled function or an implementation for one set of ranks and types, which
`overloads.core` chooses.
"""
import functools

import numba
import numpy as np

from tangent.errors import ShapeError

jit = numba.njit


def build(text, **names):
    """The function `impl` of `text`, which may use NumPy and `names`."""
    namespace = {'np': np, 'ShapeError': ShapeError, **names}
    exec(text, namespace)           # our own text, made of ranks and positions alone
    return namespace['impl']


@functools.cache
def scalar_cast(real, dtype):
    """A compiled function that turns a number into one of `dtype`, without its imaginary part if `real`."""
    kind = dtype.type
    return jit(lambda v: kind(v.real)) if real else jit(lambda v: kind(v))


def nest(extents, statement):
    """Lines that run `statement` for each `i0`, `i1`, ... below `extents`."""
    lines = [f'{"    " * (axis + 1)}for i{axis} in range({extent}):' for axis, extent in enumerate(extents)]
    return '\n'.join([*lines, '    ' * (len(extents) + 1) + statement])


def element(array, positions):
    return f'{array}[{", ".join(positions)}]' if positions else f'{array}[()]'


@functools.cache
def resize(b_rank, x_rank, dtype, cast, zeros=None):
    """`resize(b, x)`: `b` summed down or broadcast up to the shape of `x`, a fresh array of `dtype`.

    zeros : makes that of `x` and the dtype, which Python has no form for, in place of NumPy
    """
    rank = max(b_rank, x_rank)
    setup, extents, into, out_of = [], [], [], []
    for axis in range(rank):
        b_axis, x_axis = axis - rank + b_rank, axis - rank + x_rank
        b_size, x_size = f'b.shape[{b_axis}]', f'x.shape[{x_axis}]'
        for mine, name, size, place in (b_axis, 'b', b_size, out_of), (x_axis, 'x', x_size, into):
            if mine >= 0:
                setup.append(f'    {name}_step{axis} = 0 if {size} == 1 else 1')
                place.append(f'i{axis} * {name}_step{axis}')
        if b_axis >= 0 and x_axis >= 0:
            setup.append(f'    if {b_size} != {x_size} and {b_size} != 1 and {x_size} != 1:')
            setup.append("        raise ShapeError('Shape mismatch: a gradient that broadcasting cannot have made')")
            extents.append(f'{x_size} if {b_size} == 1 else {b_size}')
        else:
            extents.append(b_size if b_axis >= 0 else x_size)
    body = nest(extents, f'{element("out", into)} += cast({element("b", out_of)})')
    made = 'np.zeros(x.shape, dtype)' if zeros is None else 'zeros(x, dtype)'
    text = '\n'.join(['def impl(b, x):', f'    out = {made}', *setup, body, '    return out'])
    impl = build(text, dtype=dtype, cast=cast, zeros=zeros)
    return jit(impl) if zeros is None else jit(impl, no_cpython_wrapper=True, no_cfunc_wrapper=True)


@functools.cache
def spread(rank, full_rank, axis, dtype):
    """`spread(array, shape, axis)`: a sum's gradient of rank `rank`, put back along the axes that were summed.

    `axis` says what kind of value the argument is: 'none', 'int' or 'tuple'. Ranks tell whether dimensions were kept.
    """
    lines = ['def impl(array, shape, axis):']
    if rank == full_rank or axis == 'none':
        lines += [f'    k{j} = {full_rank - rank + j}' for j in range(rank)]
    else:
        lines += [f'    k{j} = -1' for j in range(rank)] + ['    kept = 0', f'    for d in range({full_rank}):']
        summed = ('axis' if axis == 'tuple' else '(axis,)')
        lines += ['        summed = False', f'        for a in {summed}:',
                  f'            if a == d or a + {full_rank} == d:', '                summed = True',
                  '        if not summed:']
        lines += [f'            if kept == {j}:\n                k{j} = d' for j in range(rank)]
        lines += ['            kept += 1']
    for j in range(rank):
        lines += [f'    step{j} = 0 if array.shape[{j}] == 1 else 1',
                  f'    if array.shape[{j}] != 1 and array.shape[{j}] != shape[k{j}]:',
                  "        raise ShapeError('Shape mismatch: not the gradient of a sum over an array of that shape')"]
    target = [f'i{axis}' for axis in range(full_rank)]
    source = [f'i[k{j}] * step{j}' for j in range(rank)]
    fill = f'i = ({", ".join(target)},); {element("out", target)} = {element("array", source)}'
    lines += ['    out = np.empty(shape, dtype)', nest([f'shape[{axis}]' for axis in range(full_rank)], fill),
              '    return out']
    return jit(build('\n'.join(lines), dtype=dtype))


def add_gathered(add_at, unbroadcast, is_array, alone, index_rank, bx_rank, v_is_array):
    """`add_at` for an index of integers and integer arrays of one rank (`alone`: not in a tuple)."""
    parts = ['index'] if alone else [f'index[{axis}]' for axis in range(len(is_array))]
    arrays = [part for part, array in zip(parts, is_array) if array]
    sizes = [f'{arrays[0]}.shape[{axis}]' for axis in range(index_rank)]
    lines = ['def impl(bx, index, v):']
    for other in arrays[1:]:
        lines += [f'    if {other}.shape != {arrays[0]}.shape:',
                  "        raise ShapeError('Index arrays of different shapes')"]
    lines += _given_shape([*sizes, *(f'bx.shape[{axis}]' for axis in range(len(parts), bx_rank))], v_is_array)
    point = ', '.join(f'{part}[i]' if array else part for part, array in zip(parts, is_array))
    lines += [f'    for i in np.ndindex({arrays[0]}.shape):',
              f'        add_at(bx, ({point},), {"v[i]" if v_is_array else "v"})', '    return bx']
    return build('\n'.join(lines), add_at=add_at, unbroadcast=unbroadcast)


def add_masked(add_at, unbroadcast, mask_rank, bx_rank, v_is_array):
    """`add_at` for a boolean mask over the first axes."""
    sizes = ['index.sum()', *(f'bx.shape[{axis}]' for axis in range(mask_rank, bx_rank))]
    lines = ['def impl(bx, index, v):', f'    if index.shape != bx.shape[:{mask_rank}]:',
             "        raise ShapeError('A boolean index of another shape than the array')"]
    lines += [*_given_shape(sizes, v_is_array), '    k = 0', '    for i in np.ndindex(index.shape):',
              '        if index[i]:', f'            add_at(bx, i, {"v[k]" if v_is_array else "v"})',
              '            k += 1', '    return bx']
    return build('\n'.join(lines), add_at=add_at, unbroadcast=unbroadcast)


def add_where(add_at, masks):
    """`add_at` for masks of one axis among other parts of an index: the positions at which they hold.

    masks : which parts are masks
    """
    parts = ''.join(f'np.nonzero(index[{k}])[0], ' if mask else f'index[{k}], ' for k, mask in enumerate(masks))
    return build(f'def impl(bx, index, v):\n    return add_at(bx, ({parts}), v)', add_at=add_at)


def add_across(add_at, unbroadcast, place, n_parts, bx_rank, v_is_array):
    """`add_at` for slices and one integer vector, which stands at `place`."""
    everything = ', '.join(':' if axis == place else f'index[{axis}]' for axis in range(n_parts))
    sizes = [f'index[{place}].size' if axis == place else f'view.shape[{axis}]' for axis in range(bx_rank)]
    point = ', '.join(f'index[{place}][k]' if axis == place else f'index[{axis}]' for axis in range(n_parts))
    of_v = f'v[{":, " * place}k]' if v_is_array else 'v'
    lines = ['def impl(bx, index, v):', f'    view = bx[{everything}]', *_given_shape(sizes, v_is_array),
             f'    for k in range(index[{place}].size):', f'        add_at(bx, ({point},), {of_v})', '    return bx']
    return build('\n'.join(lines), add_at=add_at, unbroadcast=unbroadcast)


def _given_shape(sizes, v_is_array):
    """Lines that bring an array `v` to the shape that the index takes out of `bx`."""
    return [f'    v = unbroadcast(v, np.empty(({", ".join(sizes)},), bx.dtype))'] if v_is_array else []
