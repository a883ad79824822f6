"""Functions that move elements: reshaping, transposing, joining, splitting, repeating, padding, picking, copying."""
import numpy

from tangent.frontend.quote import Written, literal
from tangent.templates.language.declare import general, linear, method_of, only


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
linear('y = numpy.append(arr, values, axis=None)', 'unconcatenate(d[y], (arr, values), axis)[0]',
       'unconcatenate(d[y], (arr, values), axis)[1]')
linear('y = numpy.insert(arr, obj, values, axis=None)', 'uninsert(d[y], arr, obj, values, axis=axis)[0]', None,
       'uninsert(d[y], arr, obj, values, axis=axis)[1]')
linear('y = numpy.block(arrays)', 'unblock(d[y], arrays)')
linear('y = numpy.resize(a, new_shape)', 'untake(d[y], a, numpy.resize(numpy.arange(numpy.size(a)), new_shape))')
linear('y = numpy.broadcast_arrays(*args)', 'unbroadcast(d[y][i], args[i])')
linear('y = numpy.stack(arrays, axis=0)', 'unstack(d[y], arrays, axis=axis)')
linear('y = numpy.hstack(tup)', 'unhstack(d[y], tup)')
for vstack in ['vstack', 'row_stack']:
    linear(f'y = numpy.{vstack}(tup)', 'unconcatenate(d[y], tup)')
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
PAD = 'array, pad_width, mode="constant", constant_values=0, end_values=0, stat_length=None, reflect_type="even"'
OPTIONS = 'constant_values=constant_values, end_values=end_values, stat_length=stat_length, reflect_type=reflect_type'
general(f'y = numpy.pad({PAD})', f'unpad_any(d[y], array, pad_width, mode=mode, {OPTIONS})[0]',
        more={'constant_values': f'unpad_any(d[y], array, pad_width, mode=mode, {OPTIONS})[1]',
              'end_values': f'unpad_any(d[y], array, pad_width, mode=mode, {OPTIONS})[2]'},
        forward=f'push_pad(d[array], d[constant_values], d[end_values], array, pad_width, mode=mode, {OPTIONS})')
general(f'y = numpy.pad({PAD})', 'unpad(d[y], array, pad_width, mode=mode)',
        forward='numpy.pad(d[array], pad_width, mode=mode)',
        when='mode in ("constant", "edge", "reflect", "symmetric", "wrap") and constant_values == 0 and reflect_type == "even"')
linear('y = numpy.meshgrid(*xi, copy=True, sparse=False, indexing="xy")', 'unmeshgrid(d[y][i], xi[i], i, indexing=indexing)')
general('y = numpy.ix_(*args)', 'numpy.reshape(d[y][i], numpy.shape(args[i]))', forward='push_ix(d[args], y)')
general('y = numpy.vander(x, N=None, increasing=False)', 'unvander(d[y], x, increasing=increasing)',
        forward='push_vander(d[x], x, y, increasing=increasing)')
linear('y = numpy.full(shape, fill_value, dtype=None, like=None)', None, 'unbroadcast(d[y], fill_value)')
linear('y = numpy.full_like(a, fill_value, dtype=None)', None, 'unbroadcast(d[y], fill_value)', shape='a')
LINE = 'num=50, endpoint=True, retstep=False, dtype=None'
general(f'y = numpy.linspace(start, stop, {LINE})',
        'unbroadcast(unlinspace(d[y], 1, 0, num, endpoint), start)', 'unbroadcast(unlinspace(d[y], 0, 1, num, endpoint), stop)',
        forward='numpy.linspace(d[start], d[stop], num, endpoint)', prepare=only('numpy.linspace', retstep=False))
general(f'y = numpy.linspace(start, stop, {LINE})',
        'unbroadcast(unlinspace(d[y], 1, 0, num), start)', 'unbroadcast(unlinspace(d[y], 0, 1, num), stop)',
        forward='numpy.linspace(d[start], d[stop], num)', prepare=only('numpy.linspace', retstep=False),
        when='endpoint is True')
general('y = numpy.logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None)',
        'unbroadcast(unlinspace(d[y] * y * numpy.log(base), 1, 0, num, endpoint), start)',
        'unbroadcast(unlinspace(d[y] * y * numpy.log(base), 0, 1, num, endpoint), stop)',
        forward='numpy.linspace(d[start], d[stop], num, endpoint) * y * numpy.log(base)', refuse=['base'])
general('y = numpy.geomspace(start, stop, num=50, endpoint=True, dtype=None)',
        'unbroadcast(numpy.tensordot(numpy.linspace(1, 0, num, endpoint), d[y] * y, 1) / start, start)',
        'unbroadcast(numpy.tensordot(numpy.linspace(0, 1, num, endpoint), d[y] * y, 1) / stop, stop)',
        forward='numpy.linspace(d[start] / start, d[stop] / stop, num, endpoint) * y')
general('y = numpy.logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None)',
        'unbroadcast(unlinspace(d[y] * y * numpy.log(base), 1, 0, num), start)',
        'unbroadcast(unlinspace(d[y] * y * numpy.log(base), 0, 1, num), stop)',
        forward='numpy.linspace(d[start], d[stop], num) * y * numpy.log(base)', refuse=['base'], when='endpoint is True')
general('y = numpy.geomspace(start, stop, num=50, endpoint=True, dtype=None)',
        'unbroadcast(unlinspace(d[y] * y, 1, 0, num) / start, start)',
        'unbroadcast(unlinspace(d[y] * y, 0, 1, num) / stop, stop)',
        forward='numpy.linspace(d[start] / start, d[stop] / stop, num) * y', when='endpoint is True')
general('y = numpy.arange(start, stop=None, step=1, dtype=None)', 'numpy.sum(d[y])', None,
        'numpy.sum(d[y] * numpy.arange(len(d[y])))', forward='push_arange(y, d[start], stop, d[step])')
general('y = numpy.arange(start, stop=None, step=1, dtype=None)', when='stop is None')

# Diagonals and triangles

linear('y = numpy.diag(v, k=0)', 'undiag(d[y], v, k=k)')
linear('y = numpy.diagflat(v, k=0)', 'numpy.reshape(numpy.copy(numpy.diag(d[y], k)), numpy.shape(v))')
linear('y = numpy.diagonal(a, offset=0, axis1=0, axis2=1)',
       'undiagonal(d[y], a, offset=offset, axis1=axis1, axis2=axis2)')
linear('y = numpy.trace(a, offset=0, axis1=0, axis2=1)', 'untrace(d[y], a, offset=offset, axis1=axis1, axis2=axis2)')
linear('y = numpy.tril(m, k=0)', 'unbroadcast(numpy.tril(d[y], k=k), m)')
linear('y = numpy.triu(m, k=0)', 'unbroadcast(numpy.triu(d[y], k=k), m)')

# Views by strides

linear('y = numpy.lib.stride_tricks.sliding_window_view(x, window_shape, axis=None, subok=False, writeable=False)',
       'unwindow(d[y], x, window_shape, axis)')
general('y = numpy.lib.stride_tricks.as_strided(x, shape=None, strides=None, subok=False, writeable=True)',
        'unstrided(d[y], x, shape, strides)', forward='push_strided(d[x], x, shape, strides)')

# Picking and ordering

linear('y = numpy.take(a, indices, axis=None, out=None, mode="raise")', 'untake_folded(d[y], a, indices, axis, mode)')
linear('y = numpy.take(a, indices, axis=None, out=None, mode="raise")', 'untake(d[y], a, indices, axis=axis)',
        when='mode == "raise"')
linear('y = numpy.choose(a, choices, out=None, mode="raise")', None, 'unchoices(d[y], a, choices, mode=mode)')
linear('y = a.choose(choices, out=None, mode="raise")', None, 'unchoices(d[y], a, choices, mode=mode)')
linear('y = numpy.take_along_axis(arr, indices, axis=-1)', 'untake_along_axis(d[y], arr, indices, axis=axis)')
linear('y = a.compress(condition, axis=None)', 'untake(d[y], a, numpy.flatnonzero(condition), axis=axis)')
linear('y = numpy.compress(condition, a, axis=None)', None, 'untake(d[y], a, numpy.flatnonzero(condition), axis=axis)')
linear('y = numpy.extract(condition, arr)', None, 'untake(d[y], arr, numpy.flatnonzero(condition))')
linear('y = numpy.delete(arr, obj, axis=None)',
       'untake(d[y], arr, numpy.delete(counted(numpy.size(arr, axis), arr), obj), axis=axis)')
linear('y = numpy.select(condlist, choicelist, default=0)', None, 'unselect(d[y], condlist, choicelist)',
       'unselect(d[y], condlist, choicelist, default)[-1]')
JOINED = 'undiff_joined(d[y], a, n, axis, prepend, append)'
general('y = numpy.diff(a, n=1, axis=-1, prepend=None, append=None)', f'{JOINED}[0]', None, None, f'{JOINED}[1]',
        f'{JOINED}[2]',
        forward='push_diff(d[a], d[prepend], d[append], a, prepend, append, n, axis)')
linear('y = numpy.diff(a, n=1, axis=-1, prepend=None, append=None)', 'undiff(d[y], a, n=n, axis=axis)',
       when='prepend is None and append is None', forward='numpy.diff(d[a], n=n, axis=axis)')
ENDS = 'unediff(d[y], ary, to_end, to_begin)'
general('y = numpy.ediff1d(ary, to_end=None, to_begin=None)', f'{ENDS}[0]', f'{ENDS}[1]', f'{ENDS}[2]',
        forward='push_ediff(d[ary], d[to_end], d[to_begin], to_end, to_begin)')
linear('y = numpy.ediff1d(ary, to_end=None, to_begin=None)', 'numpy.reshape(undiff(d[y], numpy.ravel(ary)), numpy.shape(ary))',
       when='to_end is None and to_begin is None', forward='numpy.ediff1d(d[ary])')
general('y = numpy.gradient(f, *varargs, axis=None, edge_order=1)',
        'ungradient(d[y], f, varargs, axis=axis, edge_order=edge_order)', refuse=['varargs'],
        forward='gradient_of(d[f], varargs, axis=axis, edge_order=edge_order)')
general('y = numpy.unwrap(p, discont=None, axis=-1, period=2*pi)', 'd[y]', forward='d[p]', shape='p', refuse=['period'])
general('y = numpy.sort(a, axis=-1, kind=None, order=None, stable=None)', 'unsort(d[y], a, axis=axis)',
        forward='numpy.take_along_axis(d[a], sort_order(a, axis=axis), axis)')
general('y = numpy.sort_complex(a)', 'unsort(d[y], a)', forward='numpy.take_along_axis(d[a], sort_order(a), -1)')
general('y = numpy.partition(a, kth, axis=-1, kind="introselect", order=None)',
        'untake_along_axis(d[y], a, partition_order(a, y, axis), axis)',
        forward='numpy.take_along_axis(d[a], partition_order(a, y, axis), axis)')
UNIQUE = 'return_index=False, return_inverse=False, return_counts=False, axis=None, equal_nan=True, sorted=True'
general(f'y = numpy.unique(ar, {UNIQUE})', 'untake(first_part(d[y]), ar, first_places(ar, axis), axis=axis)',
        forward='with_first_part(y, numpy.take(d[ar], first_places(ar, axis), axis=axis))')
general(f'y = numpy.unique(ar, {UNIQUE})', 'untake(d[y], ar, first_places(ar))', forward='numpy.take(d[ar], first_places(ar))',
        when='not return_index and not return_inverse and not return_counts and axis is None')
general('y = numpy.unique_values(x)', 'untake(d[y], x, places_of(x, y))', forward='numpy.take(d[x], places_of(x, y))')
for name in ['unique_all', 'unique_counts', 'unique_inverse']:
    general(f'y = numpy.{name}(x)', 'untake(d[y][0], x, first_places(x))',
            forward='with_first_part(y, numpy.take(d[x], first_places(x)))')
for name, keys in [('union1d', ''), ('intersect1d', ', assume_unique=False, return_indices=False'),
                   ('setxor1d', ', assume_unique=False')]:
    general(f'y = numpy.{name}(ar1, ar2{keys})', 'unsets(first_part(d[y]), ar1, ar2, y)[0]',
            'unsets(first_part(d[y]), ar1, ar2, y)[1]',
            forward='push_sets(d[ar1], d[ar2], ar1, ar2, y)')
general('y = numpy.setdiff1d(ar1, ar2, assume_unique=False)', 'untake(d[y], ar1, places_of(ar1, y))',
        forward='numpy.take(d[ar1], places_of(ar1, y))')
general('y = numpy.trim_zeros(filt, trim="fb", axis=None)', 'untake(d[y], filt, kept_places(filt, trim, axis))',
        forward='push_trimmed(d[filt], filt, trim, axis)')
general('y = numpy.interp(x, xp, fp, left=None, right=None, period=None)',
        'd[y] * interp_slope(x, xp, fp, left, right, period)',
        'uninterp_nodes(d[y], x, xp, fp, period)', 'uninterp(d[y], x, xp, fp, left, right, period)',
        'unbroadcast(d[y] * below(x, xp, period), left)', 'unbroadcast(d[y] * above(x, xp, period), right)', refuse=['period'],
        forward='push_interp(d[x], d[xp], d[fp], d[left], d[right], x, xp, fp, left, right, period)')
general('y = numpy.interp(x, xp, fp, left=None, right=None, period=None)', 'd[y] * interp_slope(x, xp, fp)',
        'uninterp_nodes(d[y], x, xp, fp)', 'uninterp(d[y], x, xp, fp)',
        when='left is None and right is None and period is None',
        forward='push_interp(d[x], d[xp], d[fp], None, None, x, xp, fp)')

# Convolutions

general('z = numpy.correlate(a, v, mode="valid")', 'uncorrelate(d[z], a, v, mode=mode)[0]',
        'uncorrelate(d[z], a, v, mode=mode)[1]',
        forward='numpy.correlate(d[a], v, mode=mode) + numpy.correlate(a, d[v], mode=mode)')

# Copies and conversions

general('y = numpy.array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0, like=None)',
        'unarray(numpy.reshape(d[y], numpy.shape(object)), object, dtype=dtype)',
        forward='float_array(d[object], dtype=dtype, ndmin=ndmin, copy=copy, order=order)')
general('y = numpy.array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0, like=None)',
        'unarray(d[y], object, dtype=dtype)', when='ndmin == 0')
for array in ['asarray(a, dtype=None, order=None, like=None)', 'asanyarray(a, dtype=None, order=None)',
              'ascontiguousarray(a, dtype=None)', 'asfortranarray(a, dtype=None)']:
    general(f'y = numpy.{array}', 'unarray(d[y], a, dtype=dtype)', forward='array_beside(d[a], a, y, dtype=dtype)')
for array in 'asarray(a, dtype=None, order=None, like=None)', 'asanyarray(a, dtype=None, order=None)':
    general(f'y = numpy.{array}', 'unarray(d[y], a, dtype=dtype)', forward='float_asarray(d[a])',
            when='dtype is None and order is None')
general('y = numpy.astype(x, dtype, copy=True)', 'unarray(d[y], x, dtype=dtype)',
        forward='float_array(d[x], dtype=dtype, copy=copy)')
general('y = a.astype(dtype, order="K", casting="unsafe", subok=True, copy=True)', 'unarray(d[y], a, dtype=dtype)',
        forward='float_array(d[a], dtype=dtype, copy=copy)', shape='a')
linear('y = numpy.copy(a, order="K")', 'd[y]', shape='a')
linear('y = a.copy(order="C")', 'd[y]', shape='a')
for kind in ['float16', 'float32', 'float64', 'longdouble', 'complex64', 'complex128', 'clongdouble']:
    linear(f'y = numpy.{kind}(x)', 'unbroadcast(d[y], x)')
general('y = numpy.asarray_chkfinite(a, dtype=None, order=None)', 'unarray(d[y], a, dtype=dtype)',
        forward='array_beside(d[a], a, y, dtype=dtype)')
general('y = numpy.require(a, dtype=None, requirements=None)', 'unarray(d[y], a, dtype=dtype)',
        forward='array_beside(d[a], a, y, dtype=dtype)')
linear('y = a.item(*args)', 'unitem(d[y], a, args)')
linear('y = a.tolist()', 'unarray(numpy.asarray(d[y]), a)')

for name in ['ravel', 'squeeze', 'swapaxes', 'repeat', 'take']:
    method_of(getattr(numpy, name), name)
for name in ['diagonal', 'trace']:                     # a sparse matrix has them, too
    linear(f'y = a.{name}(offset=0, axis1=0, axis2=1)', f'un{name}(d[y], a, offset=offset, axis1=axis1, axis2=axis2)')
