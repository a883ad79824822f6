"""Functions that move elements: reshaping, transposing, joining, splitting, repeating, padding, picking, copying."""
import numpy

from tangent.rules_trees import Written, literal
from tangent.templates.declare import general, linear, method_of


def inverse_permutation(bound):
    """The text of a transposition back, for literal axes."""
    axes, = literal(bound['axes'])
    return f'numpy.transpose(d[y], {tuple(axes.index(k) for k in range(len(axes)))})'


BACK = 'numpy.reshape(d[y], numpy.shape(a))'

linear('y = numpy.reshape(a, shape, order="C")', 'numpy.reshape(d[y], numpy.shape(a), order=order)')
linear('y = a.reshape(*shape, order="C")', 'numpy.reshape(d[y], numpy.shape(a), order=order)')
linear('y = numpy.ravel(a, order="C")', 'numpy.reshape(d[y], numpy.shape(a), order=order)')
linear('y = a.flatten(order="C")', 'numpy.reshape(d[y], numpy.shape(a), order=order)')
linear('y = a.flat', BACK)
linear('y = numpy.expand_dims(a, axis)', BACK)
linear('y = numpy.squeeze(a, axis=None)', BACK)
linear('y = numpy.atleast_1d(a)', BACK)
linear('y = numpy.atleast_2d(a)', BACK)
linear('y = numpy.atleast_3d(a)', BACK)

# Axes

linear('y = numpy.transpose(a, axes=None)', 'untranspose(d[y], axes)')
linear('y = numpy.transpose(a, axes=None)', 'numpy.transpose(d[y])', when='axes is None')
linear('y = numpy.transpose(a, axes=None)', Written(inverse_permutation, 'numpy'), when='axes is not None and min(axes) >= 0')
linear('y = a.transpose(*axes)', 'untranspose(d[y], axes)')
linear('y = a.transpose(*axes)', 'd[y].T', when='not axes')
linear('y = a.T', 'd[y].T')
linear('y = a.mT', 'd[y].mT')
linear('y = numpy.matrix_transpose(x)', 'numpy.swapaxes(d[y], -1, -2)')
linear('y = numpy.swapaxes(a, axis1, axis2)', 'numpy.swapaxes(d[y], axis1, axis2)')
linear('y = numpy.moveaxis(a, source, destination)', 'numpy.moveaxis(d[y], destination, source)')
linear('y = numpy.rollaxis(a, axis, start=0)', 'unrollaxis(d[y], axis, start=start)')
linear('y = numpy.flip(m, axis=None)', 'numpy.flip(d[y], axis=axis)', shape='m')
linear('y = numpy.fliplr(m)', 'numpy.fliplr(d[y])', shape='m')
linear('y = numpy.flipud(m)', 'numpy.flipud(d[y])', shape='m')
linear('y = numpy.roll(a, shift, axis=None)', 'numpy.roll(d[y], numpy.negative(shift), axis=axis)', shape='a')
linear('y = numpy.rot90(m, k=1, axes=(0, 1))', 'numpy.rot90(d[y], -k, axes=axes)')

# Joining and splitting

linear('y = numpy.concatenate(arrays, axis=0)', 'unconcatenate(d[y], arrays, axis=axis)')
linear('y = numpy.append(arr, values, axis=None)', 'unconcatenate(d[y], [arr, values], axis)[0]',
       'unconcatenate(d[y], [arr, values], axis)[1]')
linear('y = numpy.stack(arrays, axis=0)', 'unstack(d[y], arrays, axis=axis)')
linear('y = numpy.hstack(tup)', 'unconcatenate(d[y], tup, axis=min(1, d[y].ndim - 1))')
linear('y = numpy.vstack(tup)', 'unconcatenate(d[y], tup)')
linear('y = numpy.dstack(tup)', 'unconcatenate(d[y], tup, axis=2)')
linear('y = numpy.column_stack(tup)', 'unconcatenate(d[y], tup, axis=1)')
for split in ['split', 'array_split']:
    linear(f'y = numpy.{split}(ary, indices_or_sections, axis=0)', 'numpy.concatenate(d[y], axis=axis)')
linear('y = numpy.hsplit(ary, indices_or_sections)', 'numpy.concatenate(d[y], axis=min(1, numpy.ndim(ary) - 1))')
linear('y = numpy.vsplit(ary, indices_or_sections)', 'numpy.concatenate(d[y])')
linear('y = numpy.dsplit(ary, indices_or_sections)', 'numpy.concatenate(d[y], axis=2)')
linear('y = numpy.unstack(x, axis=0)', 'numpy.stack(d[y], axis=axis)')

# Repeating, padding, spreading

linear('y = numpy.broadcast_to(array, shape)', 'unbroadcast(d[y], array)')
linear('y = numpy.tile(A, reps)', 'untile(d[y], A, reps)')
linear('y = numpy.repeat(a, repeats, axis=None)', 'unrepeat(d[y], a, repeats, axis=axis)')
general('y = numpy.pad(array, pad_width, mode="constant", constant_values=0)',
        'unpad(d[y], array, pad_width, mode=mode)',
        forward='numpy.pad(d[array], pad_width, mode=mode)', refuse=['constant_values'])
linear('y = numpy.meshgrid(*xi, indexing="xy")', 'unmeshgrid(d[y][i], xi[i], i, indexing=indexing)')
general('y = numpy.vander(x, N=None, increasing=False)', 'unvander(d[y], x, increasing=increasing)',
        forward='push_vander(d[x], x, y, increasing=increasing)')
linear('y = numpy.full(shape, fill_value, dtype=None)', None, 'unbroadcast(d[y], fill_value)')
linear('y = numpy.full_like(a, fill_value, dtype=None)', None, 'unbroadcast(d[y], fill_value)', shape='a')
general('y = numpy.linspace(start, stop, num=50, endpoint=True)',
        'unbroadcast(numpy.tensordot(numpy.linspace(1, 0, num, endpoint), d[y], 1), start)',
        'unbroadcast(numpy.tensordot(numpy.linspace(0, 1, num, endpoint), d[y], 1), stop)',
        forward='numpy.linspace(d[start], d[stop], num, endpoint)')
general('y = numpy.arange(start, stop=None, step=1, dtype=None)', 'numpy.sum(d[y])', None,
        'numpy.sum(d[y] * numpy.arange(len(d[y])))', forward='push_arange(y, d[start], stop, d[step])')
general('y = numpy.arange(start, stop=None, step=1, dtype=None)', when='stop is None')

# Diagonals and triangles

linear('y = numpy.diag(v, k=0)', 'undiag(d[y], v, k=k)')
linear('y = numpy.diagflat(v, k=0)', 'numpy.reshape(numpy.array(numpy.diagonal(d[y], k)), numpy.shape(v))')
linear('y = numpy.diagonal(a, offset=0, axis1=0, axis2=1)',
       'undiagonal(d[y], a, offset=offset, axis1=axis1, axis2=axis2)')
linear('y = numpy.trace(a, offset=0, axis1=0, axis2=1)', 'untrace(d[y], a, offset=offset, axis1=axis1, axis2=axis2)')
linear('y = numpy.tril(m, k=0)', 'numpy.tril(d[y], k=k)', shape='m')
linear('y = numpy.triu(m, k=0)', 'numpy.triu(d[y], k=k)', shape='m')

# Picking and ordering

linear('y = numpy.take(a, indices, axis=None)', 'untake(d[y], a, indices, axis=axis)')
linear('y = numpy.take_along_axis(arr, indices, axis=-1)', 'untake_along_axis(d[y], arr, indices, axis=axis)')
linear('y = numpy.compress(condition, a, axis=None)', None, 'untake(d[y], a, numpy.flatnonzero(condition), axis=axis)')
linear('y = numpy.extract(condition, arr)', None, 'untake(d[y], arr, numpy.flatnonzero(condition))')
linear('y = numpy.delete(arr, obj, axis=None)',
       'untake(d[y], arr, numpy.delete(numpy.arange(numpy.size(arr, axis)), obj), axis=axis)')
linear('y = numpy.select(condlist, choicelist, default=0)', None, 'unselect(d[y], condlist, choicelist)',
       'unbroadcast(numpy.select(condlist, [0] * len(condlist), d[y]), default)')
linear('y = numpy.diff(a, n=1, axis=-1)', 'undiff(d[y], a, n=n, axis=axis)')
linear('y = numpy.ediff1d(ary)', 'numpy.reshape(undiff(d[y], numpy.ravel(ary)), numpy.shape(ary))')
general('y = numpy.sort(a, axis=-1, kind=None)', 'unsort(d[y], a, axis=axis)',
        forward='numpy.take_along_axis(d[a], sort_order(a, axis=axis), axis)')
general('y = numpy.interp(x, xp, fp)', 'd[y] * interp_slope(x, xp, fp)', None, 'uninterp(d[y], x, xp, fp)',
        forward='d[x] * interp_slope(x, xp, fp) + numpy.interp(x, xp, d[fp])')

# Copies and conversions

general('y = numpy.array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0)',
        'unarray(numpy.reshape(d[y], numpy.shape(object)), object, dtype=dtype)',
        forward='float_array(d[object], dtype=dtype, ndmin=ndmin)')
general('y = numpy.array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0)',
        'unarray(d[y], object, dtype=dtype)', when='ndmin == 0')
for array in ['asarray(a, dtype=None, order=None)', 'asanyarray(a, dtype=None, order=None)',
              'ascontiguousarray(a, dtype=None)', 'asfortranarray(a, dtype=None)']:
    general(f'y = numpy.{array}', 'unarray(d[y], a, dtype=dtype)',
            forward='float_array(d[a], dtype=dtype)')
general('y = numpy.astype(x, dtype, copy=True)', 'unarray(d[y], x, dtype=dtype)', forward='numpy.astype(d[x], dtype)')
general('y = a.astype(dtype, order="K", casting="unsafe", subok=True, copy=True)', 'unarray(d[y], a, dtype=dtype)',
        forward='float_array(d[a], dtype=dtype)', shape='a')
linear('y = numpy.copy(a, order="K")', 'd[y]', shape='a')
linear('y = a.copy(order="C")', 'd[y]', shape='a')
linear('y = numpy.float64(x)', 'unbroadcast(d[y], x)')
linear('y = numpy.float32(x)', 'unbroadcast(d[y], x)')
linear('y = numpy.complex128(x)', 'unbroadcast(d[y], x)')
linear('y = a.item(*args)', 'unitem(d[y], a, args)')
linear('y = a.tolist()', 'unarray(numpy.asarray(d[y]), a)')

for name in ['ravel', 'squeeze', 'swapaxes', 'repeat', 'take', 'diagonal', 'trace']:
    method_of(getattr(numpy, name), name)
