"""Rules of our own run-time functions, so that derivatives can be differentiated again.

The gradient of `a` in `y = a @ b` is linear in the gradient `g` of `y` and in `b`; its adjoint is made of the other two of
the three products.
"""
from tangent.runtime import fields, zeros
from tangent.runtime.references import heaps, table
from tangent.templates.language.declare import bilinear, constant, elementwise, general, linear

linear('y = unbroadcast(b, x)', 'unbroadcast(d[y], b)', shape='x')
linear('y = astype(array, x)', 'astype(d[y], array)', shape='x')
for check in 'check_dims(y, by, *leaves)', 'check_number(y, by)', 'check_ones(y, by)':
    linear(f'z = {check}', None, 'unbroadcast(d[z], by)')
for copied in ['copy(source)', 'copy_alike(source)', 'copy_along(source, x)', 'array_copy(source, axes=None)',
               'own_gradient(source)']:
    linear(f'y = {copied}', 'd[y]', shape='source')
linear('y = last_at(b, index)', 'unlast_at(d[y], b, index)')
linear('y = unlast_at(g, b, index)', 'last_at(d[y], index)', shape='b')
linear('y = check_tangent(x, g)', None, 'd[y]', shape='x')
linear('y = broadcast_like(g, x)', 'unbroadcast(d[y], g)', shape='x')
linear('y = grown_like(g, x)', 'unbroadcast(d[y], g)', shape='x')
constant('zero_tangent(x)')
linear('y = of_numpy(x)', 'd[y]', shape='x')
for handed_on in 'check_pair(x)', 'check_scalar(by)', 'of_arguments(found, *args)', 'of_forward(found)', 'of_rule(found)':
    linear(f'y = {handed_on}', 'd[y]')
linear('y = unreduce_like(array, original_array, axis=None, keepdims=False, where=True)',
       'numpy.sum(d[y], axis=axis, keepdims=keepdims, where=where)', shape='original_array')
linear('y = add_grad(left, right)', 'd[y]', 'd[y]', shape='left')
linear('y = in_place(b)', 'd[y]', shape='b')
linear('y = as_many(values, owner, index)', 'd[y]', shape='values')
linear('y = add_at(bx, index, v)', 'd[y]', None, 'unadd_at(d[y], index, v)', shape='bx')
linear('y = unadd_at(d, index, v)', 'unadd_at_from(d[y], d, index)')
linear('y = unadd_at_from(g, d, index)', 'unadd_at(d[y], index, g)')
constant('check_apart(names, *arrays)', 'check_element(x)', 'check_floats(x)', 'array_size(x)',
         'only_reads(function)', 'ties(x)', 'share(x)', 'each_share(x)', 'middle(x)', 'sort_order(x)', 'init_grad(x)',
         'is_sequence(subject)', 'is_mapping(subject)', 'signature_of(function)', 'takes_items(*values)',
         'unstored(value, owner, index)', 'numeral(text)', 'text_of_numbers(text)')
constant('balanced_eq(x, z, y)', 'sign(x)', elementwise=True, gives='same')

constant(zeros.place_of_field, fields.noted, fields.check_only_read, 'dict_keys(subject)', 'last_key(subject)')
linear('y = centred(a, axis=None)', 'centred(d[y], axis=axis)', shape='a')
linear('y = unreal(g, x)', 'unreal(d[y], g)', shape='x')
constant('unimag(x)')
general('y = nancentred(a, axis=None)', 'nancentred(numpy.where(numpy.isnan(a), numpy.nan, d[y]), axis=axis)',
        forward='nancentred(numpy.where(numpy.isnan(a), numpy.nan, d[a]), axis=axis)', shape='a')
elementwise('z = safe_divide(x, y)', 'safe_divide(d[z], y)', '-safe_divide(d[z] * z, y)')
elementwise('z = quotient(x, y)', 'quotient(d[z], y)', '-quotient(d[z] * z, y)')
elementwise('z = dpower_dx(x, y)', 'd[z] * null_times(y, dpower_dx(x, numpy.subtract(y, 1)))',
            'd[z] * (numpy.power(x, numpy.subtract(y, 1)) + dpower_dy(x, y, z))', gives='same',
            pushed=[None, 'null_times(d[z], numpy.power(x, numpy.subtract(y, 1)) + dpower_dy(x, y, z))'])
elementwise('z = null_times(y, v)', 'd[z] * v', 'null_times(y, d[z])', gives='same',
            pushed=['null_times(d[z], v)'])
elementwise('w = dpower_dy(x, y, z)', 'd[w] * safe_divide(z, x)', None, 'null_times(d[w], dpower_dy(x, y, 1.0))', gives='same')

bilinear('y = dot_left(g, a, b)', 'numpy.dot(d[y], b)', None, 'dot_right(g, d[y], b)')
bilinear('y = dot_right(g, a, b)', 'numpy.dot(a, d[y])', 'dot_left(g, a, d[y])')
bilinear('z = matrix_product(x, y)', 'matmul_left(d[z], x, y)', 'matmul_right(d[z], x, y)')
bilinear('y = matmul_left(g, a, b)', 'matrix_product(d[y], b)', None, 'matmul_right(g, d[y], b)')
bilinear('y = matmul_right(g, a, b)', 'matrix_product(a, d[y])', 'matmul_left(g, a, d[y])')

linear('y = uncumsum(g, a, axis=None)', 'numpy.reshape(numpy.cumsum(d[y], axis=axis), numpy.shape(g))')
linear('y = untranspose(g, axes)', 'retranspose(d[y], axes)')
linear('y = untranspose(g, axes)', 'numpy.transpose(d[y], axes)', when='axes is None or set(map(type, axes)) == {int}')
linear('y = unarray(g, x, dtype=None)', 'float_array(d[y], dtype=dtype)')
linear('y = unarray(g, x, dtype=None)', 'numpy.copy(d[y])', when='dtype is None')
linear('y = zero_for_none(dx)', 'd[y]')
linear('y = untake(g, a, indices, axis=None)', 'numpy.take(d[y], indices, axis=axis)', shape='a')
linear('y = undiagonal(g, a, offset=0, axis1=0, axis2=1)',
       'unbroadcast(numpy.copy(numpy.diagonal(d[y], offset=offset, axis1=axis1, axis2=axis2)), g)', shape='a')
linear('y = untrace(g, a, offset=0, axis1=0, axis2=1)',
       'numpy.trace(d[y], offset=offset, axis1=axis1, axis2=axis2)', shape='a')
linear('y = unwindow(g, x, window_shape, axis=None)',
       'numpy.lib.stride_tricks.sliding_window_view(d[y], window_shape, axis)', shape='x')
linear('y = unstrided(g, x, shape=None, strides=None)', 'push_strided(d[y], x, shape, strides)', shape='x')
linear('y = push_strided(dx, x, shape=None, strides=None)', 'unstrided(d[y], x, shape, strides)')
linear('y = undiag(g, v, k=0)', 'unbroadcast(numpy.diag(d[y], k=k), g)', shape='v')
linear('y = unconcatenate(g, arrays, axis=0)', 'reconcatenate(d[y], g, arrays, axis=axis)')
linear('y = unhstack(g, arrays)', 'reconcatenate(d[y], g, arrays, axis=min(1, numpy.ndim(g) - 1))')
linear('y = unstack(g, arrays, axis=0)', 'numpy.stack(d[y], axis=axis)')
linear('y = untile(g, A, reps)', 'numpy.tile(d[y], reps)', shape='A')
linear('y = unrepeat(g, a, repeats, axis=None)', 'numpy.repeat(d[y], repeats, axis=axis)', shape='a')
general('y = uneinsum(g, subscripts, operands, which)', 'einsum_with(d[y], subscripts, operands, which)', None,
        'uneinsum_operands(d[y], g, subscripts, operands, which)',
        forward='push_uneinsum(d[g], d[operands], g, subscripts, operands, which)')
linear('y = unsort(g, a, axis=-1)', 'numpy.take_along_axis(d[y], sort_order(a, axis=axis), axis)', shape='a')

# Gradient surgery

constant('as_it_was(x)', 'check_again(gradients, vectors, seed, moved)')
constant('stop_gradient(x)', 'nest_level()', 'check_recomputed(x)')
general('y = hook(f, x)', None, "fitting(f(d[y]), x, 'hook', 1)", forward='d[x]', shape='x')

# SciPy's own functions call these on their arguments before they compute (they are looked up by name)
linear('y = xp_promote(x, broadcast=False, force_floating=False, xp=None)', 'unbroadcast(d[y], x)', shape='x')
linear('y = _asarray(array, dtype=None, order=None, copy=None, xp=None, check_finite=False, subok=False)',
       'unbroadcast(d[y], array)', shape='array')
constant(table.position, table.keys_of, heaps.places, heaps.merged)
general('y = captured(gradient, name, value)', 'of_captured(d[y], gradient, name)',
        forward='captured(d[gradient], name, value)')
linear('y = of_captured(b, gradient, name)', 'captured(d[y], name, b)')

# Arrays of other libraries (see `foreign`)

general('y = as_array(x, dtype=None)', 'unarray(d[y], x, dtype=dtype)', forward='float_asarray(d[x], dtype=dtype)')
linear('y = at_least_1d(x)', 'numpy.reshape(d[y], numpy.shape(x))')
general('y = beside(x, *values)', 'd[y]', forward='d[x]')
constant('counted(n)', 'open_grid(shape)', 'peer(x)', 'is_foreign(x)', 'is_array(x)', '_exponents(x)')
constant('order_of(values, key, reverse)', 'ranked(value, place)')

linear('y = columns(*parts)', 'uncolumns(d[y], parts)[i]')
general('y = bound_method(x, name)', 'd[y]', forward='d[x]')
general('y = method_above(kind, x, name)', None, 'd[y]', forward='d[x]')
constant('asked(owner, name, *args)', 'steps_to_called(owner, name)', 'raised(k)')

# Rows, for loops over a mapped axis

linear('y = rows_of(values, axes=0, size=None)', 'unrows(d[y], values, axes=axes)')
linear('y = unrows(g, values, axes=0)', 'rows_of(d[y], axes=axes, size=len(g))')
general('y = stack_rows(rows, axes=0, check=True)', 'unstack_rows(d[y], rows, axes=axes)',
        forward='stack_rows(d[rows], axes=axes, check=False)')
linear('y = tree_numbers(tree)', 'untree_numbers(d[y], tree)')
linear('y = untree_numbers(g, tree)', 'untree_of(d[y], tree)')
linear('y = tree_of(tree, row)', None, 'untree_of(d[y], tree)')
linear('y = untree_of(g, tree)', 'untree_numbers(d[y], tree)')
linear('y = leaves_beside(other, tree)', 'unleaves_beside(d[y], other, tree)')
linear('y = unleaves_beside(g, other, tree)', 'leaves_beside(d[y], tree)')
linear('y = tree_leaves(tree)', 'untree_leaves(d[y], tree)')
linear('y = untree_leaves(g, tree)', 'untree_with(d[y], tree)')
linear('y = tree_with(tree, leaves)', None, 'untree_with(d[y], tree)')
linear('y = untree_with(g, tree)', 'untree_leaves(d[y], tree)')
linear('y = unstack_rows(g, rows, axes=0)', 'stack_rows(d[y], axes=axes, check=False)')
