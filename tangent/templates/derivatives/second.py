"""Rules of run-time functions of NumPy's rules, so that derivatives can be differentiated again; see `runtime`.

What moves elements about by order, place or rank is linear in them, and the order does not change nearby.
"""
from tangent.templates.language.declare import constant, general, linear

linear('y = unpad(g, a, pad_width, mode="constant")', 'numpy.pad(d[y], pad_width, mode=mode)', shape='a')

linear('y = ungradient(g, f, varargs, axis=None, edge_order=1)',
       'gradient_of(d[y], varargs, axis=axis, edge_order=edge_order)', shape='f')
linear('y = gradient_of(df, varargs, axis=None, edge_order=1)',
       'ungradient(d[y], df, varargs, axis=axis, edge_order=edge_order)')
linear('y = unrecord(g, array, w, axis=0)', 'push_record(d[y], array, w, axis=axis)', shape='array')
linear('y = push_record(da, array, w, axis=0)', 'unrecord(d[y], array, w, axis=axis)', shape='array')
linear('y = unouter(g, a)', 'outer_left(d[y], numpy.sum(g, axis=tuple(range(numpy.ndim(a))))) + numpy.zeros_like(g)', shape='a')
linear('y = outer_left(a, b)', 'numpy.reshape(d[y], numpy.shape(a))')

# The gradient of a Kronecker factor is linear in the other one

general('y = unkron(g, a, b, which)', 'numpy.reshape(numpy.kron(a, d[y]), numpy.shape(g))', 'unkron(g, a, d[y], 0)',
        forward='unkron(d[g], a, b, which) + unkron(g, d[a], b, which)')
general('y = unkron(g, a, b, which)', 'numpy.reshape(numpy.kron(d[y], b), numpy.shape(g))', None, 'unkron(g, d[y], b, 1)',
        forward='unkron(d[g], a, b, which) + unkron(g, a, d[b], which)', when='which == 0')

linear('y = untrim(g, a, trim="fb", axis=None)', 'trimmed(d[y], a, trim, axis)', shape='a')
linear('y = trimmed(da, a, trim="fb", axis=None)', 'untrim(d[y], a, trim, axis)', shape='da')
linear('y = unsets(g, a, b, w)', 'first_part(push_sets(zero_or(d[y][0], a), zero_or(d[y][1], b), a, b, w))')
linear('y = push_sets(da, db, a, b, w)', 'unsets(first_part(d[y]), a, b, w)[0]', 'unsets(first_part(d[y]), a, b, w)[1]')
linear('y = first_part(g)', 'with_first_part(g, d[y])')
linear('y = unitem(g, a, args)', 'item_of(d[y], args)', shape='a')
linear('y = unblock(g, arrays)', 'numpy.block(d[y])')
general('y = inverse_or_inf(a)', '-numpy.swapaxes(y, -1, -2) @ d[y] @ numpy.swapaxes(y, -1, -2)', forward='-y @ d[a] @ y',
        shape='a')
linear('y = item_of(g, args)', 'unitem(d[y], g, args)', shape='scalar')
linear('y = push_ix(dargs, y)', 'unpush_ix(d[y], dargs)')
linear('y = unpush_ix(g, dargs)', 'push_ix(d[y], g)')
linear('y = fitting(g, x, name, k)', 'd[y]', shape='x')
constant('numbered(x)', 'first_places(x)', 'places_of(x)')

# What the references of NumPy's functions ask for (see `runtime.references.numpy`)

constant('axes_of(a)', 'whole(at)', 'steps(q)', 'weighted_places(a)', 'reduced_shape(a)', 'piece(x)', 'parted(a)',
         'matrix_shape(c)', 'read_by(array)', 'strip_shape(array)', 'pairs(value)')
general('y = bins_of(a, bins, range)', refuse=['a', 'bins', 'range'])
linear('y = binned(weights, k, n)', 'unbroadcast(numpy.take(d[y], k), weights)')
