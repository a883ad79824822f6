"""Sums, means, extrema and other reductions over axes, and running sums and products."""
import numpy

from tangent.templates.declare import bilinear, general, linear, method_of, reduction

linear('y = numpy.sum(a, axis=None, dtype=None, out=None, keepdims=False)',
       'unreduce_like(d[y], a, axis=axis, keepdims=keepdims)', shape='reduction')
linear('y = numpy.mean(a, axis=None, dtype=None, out=None, keepdims=False)',
       'unreduce_like(d[y] / array_size(a, axis=axis), a, axis=axis, keepdims=keepdims)', shape='reduction')
reduction('y = numpy.prod(a, axis=None, dtype=None, out=None, keepdims=False)', 'product_of_others(a, axis=axis)')
for extreme in ['max', 'min', 'amax', 'amin']:
    reduction(f'y = numpy.{extreme}(a, axis=None, out=None, keepdims=False)',
              'ties(a, y, axis=axis, keepdims=keepdims)')
reduction('y = numpy.ptp(a, axis=None, out=None, keepdims=False)',
          'ties(a, numpy.max(a, axis=axis, keepdims=True), axis=axis, keepdims=True)'
          ' - ties(a, numpy.min(a, axis=axis, keepdims=True), axis=axis, keepdims=True)')
reduction('y = numpy.ptp(a, axis=None, out=None, keepdims=False)', 'ties(a, numpy.max(a)) - ties(a, numpy.min(a))',
          when='axis is None and not keepdims')

reduction('y = numpy.var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)',
          '2 * centred(a, axis=axis) / (array_size(a, axis=axis) - ddof)')
reduction('y = numpy.std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)',
          'safe_divide(centred(a, axis=axis), (array_size(a, axis=axis) - ddof)'
          ' * numpy.std(a, axis=axis, ddof=ddof, keepdims=True))')
reduction('y = numpy.std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)',
          'safe_divide(centred(a), (array_size(a) - ddof) * y)', when='axis is None and not keepdims')
reduction('y = numpy.median(a, axis=None, out=None, overwrite_input=False, keepdims=False)', 'middle(a, axis=axis)')
general('y = numpy.average(a, axis=None, weights=None)',
        'unreduce_like(d[y], a, axis=axis) * shares(a, weights, axis=axis)', None,
        'unaverage(d[y], a, y, weights, axis=axis)',
        forward='push_average(d[a], d[weights], a, y, weights, axis=axis)', shape='reduction')
linear('y = numpy.average(a, axis=None, weights=None)',
       'unreduce_like(d[y], a, axis=axis) / array_size(a, axis=axis)', when='weights is None')

reduction('y = numpy.nansum(a, axis=None, dtype=None, out=None, keepdims=False)', '~numpy.isnan(a)')
reduction('y = numpy.nanmean(a, axis=None, dtype=None, out=None, keepdims=False)',
          'astype(~numpy.isnan(a) / numpy.sum(~numpy.isnan(a), axis=axis, keepdims=True), a)')
reduction('y = numpy.nanmean(a, axis=None, dtype=None, out=None, keepdims=False)',
          'astype(~numpy.isnan(a) / numpy.sum(~numpy.isnan(a)), a)', when='axis is None and not keepdims')
for extreme in ['nanmax', 'nanmin']:
    reduction(f'y = numpy.{extreme}(a, axis=None, out=None, keepdims=False)',
              'ties(a, y, axis=axis, keepdims=keepdims)')

COUNT = 'numpy.sum(~numpy.isnan(a), axis=axis, keepdims=True)'
reduction('y = numpy.nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)',
          f'astype(2 * nancentred(a, axis=axis) / ({COUNT} - ddof), a)')
reduction('y = numpy.nanvar(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)',
          'astype(2 * nancentred(a) / (numpy.sum(~numpy.isnan(a)) - ddof), a)', when='axis is None and not keepdims')
reduction('y = numpy.nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)',
          f'astype(safe_divide(nancentred(a, axis=axis), ({COUNT} - ddof)'
          ' * numpy.nanstd(a, axis=axis, ddof=ddof, keepdims=True)), a)')
reduction('y = numpy.nanstd(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False)',
          'astype(safe_divide(nancentred(a), (numpy.sum(~numpy.isnan(a)) - ddof) * y), a)',
          when='axis is None and not keepdims')
general('z = numpy.trapezoid(y, x=None, dx=1.0, axis=-1)', 'untrapezoid(d[z], y, x, dx, axis)[0]',
        'untrapezoid(d[z], y, x, dx, axis)[1]', 'untrapezoid(d[z], y, x, dx, axis)[2]',
        forward='push_trapezoid(d[y], d[x], d[dx], y, x, dx, axis)')

# Ufuncs over axes: their default axis is 0, so that it is always written out

REDUCE = 'reduce(array, axis=0, dtype=None, out=None, keepdims=False)'
linear(f'y = numpy.add.{REDUCE}', 'unreduce_like(d[y], array, axis, keepdims)')
for ufunc, coefficient in [('multiply', 'product_of_others(array, axis)'), ('maximum', 'ties(array, y, axis, keepdims)'),
                           ('minimum', 'ties(array, y, axis, keepdims)'),
                           ('logaddexp', 'numpy.exp(array - numpy.logaddexp.reduce(array, axis, keepdims=True))')]:
    general(f'y = numpy.{ufunc}.{REDUCE}', f'unreduce_like(d[y], array, axis, keepdims) * {coefficient}',
            forward=f'numpy.add.reduce(d[array] * {coefficient}, axis, keepdims=keepdims)')
linear('y = numpy.add.accumulate(array, axis=0)', 'uncumsum(d[y], array, axis)')
general('y = numpy.multiply.accumulate(array, axis=0)', 'uncumprod(d[y], array, y, axis)',
        forward='push_cumprod(d[array], array, y, axis)')
linear('y = numpy.add.outer(A, B)', 'unouter(d[y], A)', 'unbroadcast(d[y], B)')
linear('y = numpy.subtract.outer(A, B)', 'unouter(d[y], A)', 'unbroadcast(-d[y], B)')
bilinear('y = numpy.multiply.outer(A, B)', 'unouter(d[y] * B, A)',
         'unbroadcast(d[y] * numpy.multiply.outer(A, numpy.ones_like(B)), B)')

linear('y = numpy.cumsum(a, axis=None, dtype=None, out=None)', 'uncumsum(d[y], a, axis=axis)')
general('y = numpy.cumprod(a, axis=None, dtype=None, out=None)', 'uncumprod(d[y], a, y, axis=axis)',
        forward='push_cumprod(d[a], a, y, axis=axis)')

for name in ['sum', 'mean', 'prod', 'max', 'min', 'var', 'std', 'cumsum', 'cumprod']:
    method_of(getattr(numpy, name), name)
