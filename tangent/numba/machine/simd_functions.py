"""Sums, products and choices of tangents in several directions inside Numba-compiled code, see `machine.simd`."""
import operator

import numpy as np
from numba.core import types
from numba.extending import overload, register_jitable

from tangent.numba.machine.simd import Simd, joined, linear, spread_over
from tangent.numba.machine.simd_arrays import dtype_of, zeros_of
from tangent.numba.overloads import loop_nests as loops

SIZES = 'incompatible array sizes for a product'


def is_simd_array(t):
    return isinstance(t, types.Array) and isinstance(t.dtype, Simd)


def is_none(t):
    return t is None or isinstance(t, (types.NoneType, types.Omitted)) and getattr(t, 'value', None) is None


# Sums

@overload(np.sum)
def _sum(a, axis=None):
    if not is_simd_array(a) or not is_none(axis) and not isinstance(axis, types.Integer):
        return None
    kind = a.dtype
    if is_none(axis):
        def whole(a, axis=None):
            total = zeros_of((), kind)
            for v in a.flat:
                total += v
            return total
        return whole
    if a.ndim == 1:
        return lambda a, axis=None: np.sum(a)
    axes, sizes = [f'i{k}' for k in range(a.ndim)], [f'a.shape[{k}]' for k in range(a.ndim)]
    lines = ['def impl(a, axis=None):', f'    if axis < -{a.ndim} or axis >= {a.ndim}:',
             "        raise ValueError('axis is out of bounds')"]
    for k in range(a.ndim):
        rest = [n for j, n in enumerate(axes) if j != k]
        extents = [n for j, n in enumerate(sizes) if j != k]
        body = loops.nest(sizes, f'found[{", ".join(rest)}] += a[{", ".join(axes)}]').replace('\n', '\n    ')
        lines += [f'    if axis % {a.ndim} == {k}:', f'        found = zeros_of(({", ".join(extents)},), kind)', f'    {body}']
    return loops.build('\n'.join([*lines, '    return found']), zeros_of=zeros_of, kind=kind)


@overload(np.mean)
def _mean(a):
    return (lambda a: np.sum(a) / a.size) if is_simd_array(a) else None


# Products

def product(a, b):
    """A product of vectors and matrices, of which one has directions."""
    if not isinstance(a, types.Array) or not isinstance(b, types.Array) or not {a.ndim, b.ndim} <= {1, 2}:
        return None
    kind = linear([a.dtype, b.dtype], 'mul')
    if kind is None:
        return None
    left, right = ['i'] * (a.ndim - 1), ['j'] * (b.ndim - 1)
    size = ''.join(f'{n}, ' for n in ['a.shape[0]'] * len(left) + ['b.shape[1]'] * len(right))
    nest = [('i', 'a.shape[0]')] * len(left) + [('k', 'b.shape[0]')] + [('j', 'b.shape[1]')] * len(right)
    place = f'found[{", ".join(left + right)}]' if left or right else 'found'
    lines = ['def impl(a, b):', f'    if a.shape[{a.ndim - 1}] != b.shape[0]:', '        raise ValueError(why)',
             f'    found = zeros_of(({size}), kind)']
    lines += [f'{"    " * (depth + 1)}for {n} in range({extent}):' for depth, (n, extent) in enumerate(nest)]
    lines.append(f'{"    " * (len(nest) + 1)}{place} += a[{", ".join([*left, "k"])}] * b[{", ".join(["k", *right])}]')
    return loops.build('\n'.join([*lines, '    return found']), zeros_of=zeros_of, kind=kind, why=SIZES)


for multiplied in np.dot, np.matmul, operator.matmul:
    overload(multiplied)(product)


# Choices, and what is the same everywhere

@overload(np.full, target='cpu')                                     # asked before Numba's own, which asks for a dtype
def _full(shape, fill_value):
    if not isinstance(fill_value, Simd) or not isinstance(shape, (types.Integer, types.UniTuple)):
        return None
    one = isinstance(shape, types.Integer)

    def full(shape, fill_value):
        found = zeros_of(as_shape(shape), fill_value)
        found[...] = fill_value
        return found
    as_shape = register_jitable((lambda n: (n,)) if one else lambda n: n)
    return full


@overload(np.where)
def _where(condition, x, y):
    given = {'condition': condition, 'x': x, 'y': y}
    parts = [dtype_of(x), dtype_of(y)]
    if not any(isinstance(t, Simd) for t in parts) or any(
            t is None or not isinstance(t, (Simd, types.Number, types.Boolean)) for t in map(dtype_of, given.values())):
        return None
    kind, ranks = joined(*parts), {name: getattr(t, 'ndim', 0) for name, t in given.items()}
    rank = max(ranks.values())
    if kind is None:
        return None
    if rank == 0:
        return lambda condition, x, y: choice(condition, spread_over(x, kind), spread_over(y, kind))
    lines, sizes, places = ['def impl(condition, x, y):'], [], {name: [] for name in given}
    for axis in range(rank):
        here = [(name, f'{name}.shape[{axis - rank + n}]') for name, n in ranks.items() if axis - rank + n >= 0]
        lines.append(f'    n{axis} = 1')
        for name, size in here:
            lines += [f'    if {size} != 1:', f'        if n{axis} != 1 and n{axis} != {size}:',
                      '            raise ValueError(why)', f'        n{axis} = {size}']
            lines.append(f'    {name}_step{axis} = 0 if {size} == 1 else 1')
            places[name].append(f'i{axis} * {name}_step{axis}')
        sizes.append(f'n{axis}')
    one = {name: loops.element(name, places[name]) if isinstance(t, types.Array) else name for name, t in given.items()}
    target = f'found[{", ".join(f"i{k}" for k in range(rank))}]'
    x_there, y_there = (f'spread_over({one[name]}, kind)' for name in 'xy')
    body = loops.nest(sizes, f'{target} = choice({one["condition"]}, {x_there}, {y_there})')
    lines += [f'    found = zeros_of(({"".join(n + ", " for n in sizes)}), kind)', body, '    return found']
    return loops.build('\n'.join(lines), zeros_of=zeros_of, spread_over=spread_over, kind=kind,
                       choice=choice, why='shapes do not match')


@register_jitable
def choice(condition, x, y):
    return x if condition else y
