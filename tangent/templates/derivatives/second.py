"""Rules of run-time functions of NumPy's rules, so that derivatives can be differentiated again; see `runtime`.

What moves elements about by order, place or rank is linear in them, and the order does not change nearby.
"""
from tangent.templates.language.declare import constant, general, linear

LEVEL = 'axis, keepdims, nan, method="linear"'
KEYS = 'axis, keepdims, nan, method=method'
general(f'y = unquantile(g, a, q, w, {LEVEL}, weights=None)',
        f'push_quantile(d[y], 0.0, a, q, w, {KEYS}, weights=weights)', None,
        f'level_of_slope(g, d[y], a, q, {KEYS})',
        forward=f'unquantile(d[g], a, q, w, {KEYS}, weights=weights) + unquantile_turned(g, d[q], a, q, w, {KEYS})', shape='a')
general(f'y = unquantile_level(g, a, q, {LEVEL})', f'push_level(d[y], a, q, {KEYS})',
        f'unquantile_turned(g, d[y], a, q, 0.0, {KEYS})',
        forward=f'unquantile_level(d[g], a, q, {KEYS}) + level_of_slope(g, d[a], a, q, {KEYS})', shape='q')
general(f'y = push_quantile(da, dq, a, q, w, {LEVEL}, weights=None)',
        f'unquantile(d[y], a, q, w, {KEYS}, weights=weights)', f'unquantile_level(d[y], a, q, {KEYS})',
        f'unquantile_turned(d[y], dq, a, q, w, {KEYS})', f'level_of_slope(d[y], da, a, q, {KEYS})',
        forward=f'push_quantile(d[da], d[dq], a, q, w, {KEYS}, weights=weights)'
                f' + push_level(dq, d[a], q, {KEYS}, by=a) + push_level(d[q], da, q, {KEYS}, by=a)')

PADDED = 'a, pad_width, mode="constant", constant_values=0, end_values=0, stat_length=None, reflect_type="even"'
GIVEN = 'a, pad_width, mode=mode, constant_values=constant_values, end_values=end_values, stat_length=stat_length, ' \
        'reflect_type=reflect_type'
linear(f'y = unpad_any(g, {PADDED})', f'repad(d[y], {GIVEN})')
linear(f'y = push_pad(da, dconstant, dend, {PADDED})', f'unpad_any(d[y], {GIVEN})[0]', f'unpad_any(d[y], {GIVEN})[1]',
       f'unpad_any(d[y], {GIVEN})[2]')
linear('y = unpad(g, a, pad_width, mode="constant")', 'numpy.pad(d[y], pad_width, mode=mode)', shape='a')

linear('y = ungradient(g, f, varargs, axis=None, edge_order=1)',
       'gradient_of(d[y], varargs, axis=axis, edge_order=edge_order)', shape='f')
linear('y = gradient_of(df, varargs, axis=None, edge_order=1)',
       'ungradient(d[y], df, varargs, axis=axis, edge_order=edge_order)')
linear('y = undiff_joined(g, a, n, axis, prepend, append)', 'rediff(d[y], a, n, axis, prepend, append)')
linear('y = unouter(g, a)', 'outer_left(d[y], numpy.sum(g, axis=tuple(range(numpy.ndim(a))))) + numpy.zeros_like(g)', shape='a')
linear('y = outer_left(a, b)', 'numpy.reshape(d[y], numpy.shape(a))')

# The gradient of a Kronecker factor is linear in the other one

general('y = unkron(g, a, b, which)', 'numpy.reshape(numpy.kron(a, d[y]), numpy.shape(g))', 'unkron(g, a, d[y], 0)',
        forward='unkron(d[g], a, b, which) + unkron(g, d[a], b, which)')
general('y = unkron(g, a, b, which)', 'numpy.reshape(numpy.kron(d[y], b), numpy.shape(g))', None, 'unkron(g, d[y], b, 1)',
        forward='unkron(d[g], a, b, which) + unkron(g, a, d[b], which)', when='which == 0')

general('y = unhistogram(g, a, edges, weights, density=None)', 'histogram_of(d[y], a, edges, weights, density)', None, None,
        'unhistogram_turned(d[y], g, a, edges, weights, density)',
        forward='unhistogram(d[g], a, edges, weights, density) + unhistogram_turned(d[weights], g, a, edges, weights, density)')
linear('y = unsets(g, a, b, w)', 'first_part(push_sets(zero_or(d[y][0], a), zero_or(d[y][1], b), a, b, w))')
linear('y = push_sets(da, db, a, b, w)', 'unsets(first_part(d[y]), a, b, w)[0]', 'unsets(first_part(d[y]), a, b, w)[1]')
linear('y = first_part(g)', 'with_first_part(g, d[y])')
linear('y = unitem(g, a, args)', 'item_of(d[y], args)', shape='a')
linear('y = unblock(g, arrays)', 'numpy.block(d[y])')
general('y = inverse_or_inf(a)', '-numpy.swapaxes(y, -1, -2) @ d[y] @ numpy.swapaxes(y, -1, -2)', forward='-y @ d[a] @ y',
        shape='a')
general('y = cofactors(a)', 'push_cofactors(a, d[y])', forward='push_cofactors(a, d[a])', shape='a')
linear('y = item_of(g, args)', 'unitem(d[y], g, args)', shape='scalar')
linear('y = push_ix(dargs, y)', 'unpush_ix(d[y], dargs)')
linear('y = unpush_ix(g, dargs)', 'push_ix(d[y], g)')
linear('y = fitting(g, x, name, k)', 'd[y]', shape='x')
constant('numbered(x)', 'first_places(x)', 'places_of(x)', 'kept_places(x)', 'partition_order(x)', 'record_places(x)',
         'below(x)', 'above(x)', 'column_sizes(x)')
