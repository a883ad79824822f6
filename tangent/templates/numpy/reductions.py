"""Sums, means, extrema and other reductions over axes, and running sums and products."""
import numpy

from tangent.templates.language.declare import bilinear, general, linear, method_of, only, reduction

ALL = 'axis=None, dtype=None, out=None, keepdims=False'
KEPT = 'axis=axis, keepdims=keepdims'
PART = 'where=where'
COUNT = f'numpy.sum(numpy.broadcast_to(where, numpy.shape(a)), {KEPT})'

linear(f'y = numpy.sum(a, {ALL}, initial=None, where=True)', f'unreduce_like(d[y], a, {KEPT}, {PART})',
       more={'initial': 'unbroadcast(d[y], initial)'}, shape='reduction')
linear(f'y = numpy.mean(a, {ALL}, where=True)', f'unreduce_like(d[y] / {COUNT}, a, {KEPT}, {PART})', shape='reduction')
linear(f'y = numpy.mean(a, {ALL}, where=True)', f'unreduce_like(d[y] / array_size(a, axis=axis), a, {KEPT})',
       when='where is True')
reduction(f'y = numpy.prod(a, {ALL}, initial=1, where=True)', 'product_of_others(a, axis=axis)',
          general=f'product_of_others(a, axis=axis, initial=initial, {PART})', plain='initial == 1 and where is True',
          further={'initial': f'numpy.prod(a, {KEPT}, {PART})'})
SHARE = f'1 - numpy.sum(ties(a, y, {KEPT}, initial=initial, {PART}), {KEPT})'
for extreme in ['max', 'min', 'amax', 'amin']:
    reduction(f'y = numpy.{extreme}(a, axis=None, out=None, keepdims=False, initial=None, where=True)',
              'ties(a, y, axis=axis, keepdims=keepdims)', general=f'ties(a, y, {KEPT}, initial=initial, {PART})',
              plain='initial is None and where is True', further={'initial': SHARE})
reduction('y = numpy.ptp(a, axis=None, out=None, keepdims=False)',
          'ties(a, numpy.max(a, axis=axis, keepdims=True), axis=axis, keepdims=True)'
          ' - ties(a, numpy.min(a, axis=axis, keepdims=True), axis=axis, keepdims=True)')
reduction('y = numpy.ptp(a, axis=None, out=None, keepdims=False)', 'ties(a, numpy.max(a)) - ties(a, numpy.min(a))',
          when='axis is None and not keepdims')

# The variance of some elements, about a mean that is given, or with another name for ddof, goes through `deviations`.

MOMENT = 'axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None'
GIVEN = 'ddof=ddof, where=where, mean=mean, correction=correction'
USUAL = 'where is True and mean is None and correction is None'
SINGLE = f'{USUAL} and axis is None and not keepdims'
reduction(f'y = numpy.var(a, {MOMENT})', '2 * centred(a, axis=axis) / (array_size(a, axis=axis) - ddof)',
          general=f'2 * deviations(a, axis=axis, {GIVEN})', plain=USUAL, refuse=['mean'])
reduction(f'y = numpy.std(a, {MOMENT})',
          'safe_divide(centred(a, axis=axis), (array_size(a, axis=axis) - ddof)'
          ' * numpy.std(a, axis=axis, ddof=ddof, keepdims=True))',
          general=f'safe_divide(deviations(a, axis=axis, {GIVEN}), numpy.std(a, axis=axis, {GIVEN}, keepdims=True))',
          plain=USUAL, refuse=['mean'])
reduction(f'y = numpy.std(a, {MOMENT})', 'safe_divide(centred(a), (array_size(a) - ddof) * y)', when=SINGLE)
reduction('y = numpy.median(a, axis=None, out=None, overwrite_input=False, keepdims=False)', 'middle(a, axis=axis)')
general('y = numpy.average(a, axis=None, weights=None, returned=False, keepdims=False)',
        'unreduce_like(d[y], a, axis=axis, keepdims=keepdims) * shares(a, weights, axis=axis)', None,
        'unaverage(d[y], a, y, weights, axis=axis, keepdims=keepdims)',
        forward='push_average(d[a], d[weights], a, y, weights, axis=axis, keepdims=keepdims)', shape='reduction',
        prepare=only('numpy.average', returned=False))
linear('y = numpy.average(a, axis=None, weights=None, returned=False, keepdims=False)',
       'unreduce_like(d[y], a, axis=axis, keepdims=keepdims) / array_size(a, axis=axis)', when='weights is None')

# Those that take no notice of nan

FOUND = 'numpy.sum(~numpy.isnan(a) & where, axis=axis, keepdims=True)'
NAN = 'numpy.isnan(a)'
SUMMED = f'numpy.where({NAN}, 0, d[a])'
linear(f'y = numpy.nansum(a, {ALL}, initial=None, where=True)',
       f'unreduce_like(d[y], a, {KEPT}, {PART}) * ~numpy.isnan(a)', more={'initial': 'unbroadcast(d[y], initial)'},
       shape='reduction', forward=f'numpy.sum({SUMMED}, {KEPT}, dtype=dtype, {PART}, initial=d[initial])')
linear(f'y = numpy.nansum(a, {ALL}, initial=None, where=True)', 'd[y] * ~numpy.isnan(a)',
       when='where is True and axis is None and not keepdims', more={'initial': 'unbroadcast(d[y], initial)'})
reduction(f'y = numpy.nanmean(a, {ALL}, where=True)',
          'astype(~numpy.isnan(a) / numpy.sum(~numpy.isnan(a), axis=axis, keepdims=True), a)',
          general=f'astype((~numpy.isnan(a) & where) / {FOUND}, a)', plain='where is True', skips=NAN)
reduction(f'y = numpy.nanmean(a, {ALL}, where=True)',
          'astype(~numpy.isnan(a) / numpy.sum(~numpy.isnan(a)), a)', when='where is True and axis is None and not keepdims',
          skips=NAN)
reduction(f'y = numpy.nanprod(a, {ALL}, initial=1, where=True)',
          'product_of_others(a, axis=axis, initial=initial, where=~numpy.isnan(a) & where)',
          further={'initial': f'numpy.nanprod(a, {KEPT}, {PART})'}, skips=NAN)
for extreme in ['nanmax', 'nanmin']:
    reduction(f'y = numpy.{extreme}(a, axis=None, out=None, keepdims=False, initial=None, where=True)',
              'ties(a, y, axis=axis, keepdims=keepdims)', general=f'ties(a, y, {KEPT}, initial=initial, {PART})',
              plain='initial is None and where is True', further={'initial': SHARE}, skips=NAN)

COUNTED = 'numpy.sum(~numpy.isnan(a), axis=axis, keepdims=True)'
SOME = 'axis=axis, ddof=ddof, where=~numpy.isnan(a) & where, mean=mean, correction=correction'
reduction(f'y = numpy.nanvar(a, {MOMENT})', f'astype(2 * nancentred(a, axis=axis) / ({COUNTED} - ddof), a)',
          general=f'2 * deviations(a, {SOME})', plain=USUAL, refuse=['mean'], skips=NAN)
reduction(f'y = numpy.nanvar(a, {MOMENT})', 'astype(2 * nancentred(a) / (numpy.sum(~numpy.isnan(a)) - ddof), a)', when=SINGLE,
          skips=NAN)
reduction(f'y = numpy.nanstd(a, {MOMENT})',
          f'astype(safe_divide(nancentred(a, axis=axis), ({COUNTED} - ddof)'
          ' * numpy.nanstd(a, axis=axis, ddof=ddof, keepdims=True)), a)',
          general=f'safe_divide(deviations(a, {SOME}), numpy.nanstd(a, axis=axis, {GIVEN}, keepdims=True))',
          plain=USUAL, refuse=['mean'], skips=NAN)
reduction(f'y = numpy.nanstd(a, {MOMENT})',
          'astype(safe_divide(nancentred(a), (numpy.sum(~numpy.isnan(a)) - ddof) * y), a)', when=SINGLE, skips=NAN)
for trapezoid in ['trapezoid', 'trapz']:
    general(f'z = numpy.{trapezoid}(y, x=None, dx=1.0, axis=-1)', 'untrapezoid(d[z], y, x, dx, axis)[0]',
            'untrapezoid(d[z], y, x, dx, axis)[1]', 'untrapezoid(d[z], y, x, dx, axis)[2]',
            forward='push_trapezoid(d[y], d[x], d[dx], y, x, dx, axis)')

# Order statistics: the quantile of each lane is a mean of two neighbours in order

QUANTILE = 'axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, weights=None'
for name, q, nan in [('quantile', 'q', 'False'), ('nanquantile', 'q', 'True'),
                     ('percentile', 'numpy.divide(q, 100)', 'False'), ('nanpercentile', 'numpy.divide(q, 100)', 'True')]:
    general(f'y = numpy.{name}(a, q, {QUANTILE})',
            f'unquantile(d[y], a, {q}, y, axis, keepdims, {nan}, method=method, weights=weights)',
            f'unquantile_level(d[y], a, {q}, axis, keepdims, {nan}, method=method) / {1 if q == "q" else 100}',
            forward=f'push_quantile(d[a], {q.replace("q", "d[q]")}, a, {q}, y, axis, keepdims, {nan}, '
                    'method=method, weights=weights)')
general('y = numpy.nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False)',
        'unquantile(d[y], a, 0.5, y, axis, keepdims, True)',
        forward='push_quantile(d[a], 0.0, a, 0.5, y, axis, keepdims, True)')

# Moments of several variables

COV = 'm, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None'
WEIGHTS = 'rowvar=rowvar, bias=bias, ddof=ddof, fweights=fweights, aweights=aweights'
general(f'c = numpy.cov({COV})', f'uncov(d[c], m, y, {WEIGHTS})[0]', f'uncov(d[c], m, y, {WEIGHTS})[1]',
        forward=f'push_cov(d[m], d[y], m, y, {WEIGHTS})', refuse=['fweights', 'aweights'])
general('y = numpy.histogram(a, bins=10, range=None, density=None, weights=None)',
        more={'weights': 'unhistogram(d[y][0], a, y[1], weights, density=density)'}, refuse=['a', 'bins', 'range'],
        forward='push_histogram(y, a, d[weights], weights, density=density)')
linear('y = numpy.bincount(x, weights=None, minlength=0)', None, 'astype(numpy.take(d[y], x), weights)')

# Ufuncs over axes: their default axis is 0, so that it is always written out

REDUCE = 'reduce(array, axis=0, dtype=None, out=None, keepdims=False)'
linear('y = numpy.add.reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)',
       f'unreduce_like(d[y], array, axis, keepdims, {PART})', more={'initial': 'unbroadcast(d[y], initial)'})
linear(f'y = numpy.add.{REDUCE}', 'unreduce_like(d[y], array, axis, keepdims)', when='initial is None and where is True')
for ufunc, coefficient in [('multiply', 'product_of_others(array, axis)'), ('maximum', 'ties(array, y, axis, keepdims)'),
                           ('minimum', 'ties(array, y, axis, keepdims)'),
                           ('logaddexp', 'numpy.exp(array - numpy.logaddexp.reduce(array, axis, keepdims=True))')]:
    general(f'y = numpy.{ufunc}.{REDUCE}', f'unreduce_like(d[y], array, axis, keepdims) * {coefficient}',
            forward=f'numpy.add.reduce(d[array] * {coefficient}, axis, keepdims=keepdims)')
linear('y = numpy.add.accumulate(array, axis=0, dtype=None, out=None)', 'uncumsum(d[y], array, axis)')
general('y = numpy.multiply.accumulate(array, axis=0, dtype=None, out=None)', 'uncumprod(d[y], array, y, axis)',
        forward='push_cumprod(d[array], array, y, axis)')
linear('y = numpy.add.outer(A, B)', 'unouter(d[y], A)', 'unbroadcast(d[y], B)')
linear('y = numpy.subtract.outer(A, B)', 'unouter(d[y], A)', 'unbroadcast(-d[y], B)')
bilinear('y = numpy.multiply.outer(A, B)', 'unouter(d[y] * B, A)',
         'unbroadcast(d[y] * numpy.multiply.outer(A, numpy.ones_like(B)), B)')

for ufunc in ['maximum', 'minimum', 'fmax', 'fmin']:
    general(f'y = numpy.{ufunc}.accumulate(array, axis=0, dtype=None, out=None)',
            'untake_along_axis(d[y], array, record_places(array, y, axis), axis)',
            forward='numpy.take_along_axis(d[array], record_places(array, y, axis), axis)')
general('y = numpy.logaddexp.accumulate(array, axis=0, dtype=None, out=None)',
        'numpy.exp(array) * uncumsum(d[y] * numpy.exp(-y), array, axis)',
        forward='numpy.exp(-y) * numpy.add.accumulate(d[array] * numpy.exp(array), axis)')

linear('y = numpy.cumsum(a, axis=None, dtype=None, out=None)', 'uncumsum(d[y], a, axis=axis)')
general('y = numpy.cumprod(a, axis=None, dtype=None, out=None)', 'uncumprod(d[y], a, y, axis=axis)',
        forward='push_cumprod(d[a], a, y, axis=axis)')
linear('y = numpy.nancumsum(a, axis=None, dtype=None, out=None)', 'uncumsum(d[y], a, axis=axis) * ~numpy.isnan(a)',
       forward=f'numpy.cumsum({SUMMED}, axis=axis, dtype=dtype)')
general('y = numpy.nancumprod(a, axis=None, dtype=None, out=None)',
        'uncumprod(d[y], numpy.where(numpy.isnan(a), 1, a), y, axis=axis) * ~numpy.isnan(a)',
        forward='push_cumprod(numpy.where(numpy.isnan(a), 0, d[a]), numpy.where(numpy.isnan(a), 1, a), y, axis=axis)')
linear('y = numpy.cumulative_sum(x, axis=None, dtype=None, out=None, include_initial=False)',
       'uncumsum(without_first(d[y], axis, include_initial), x, axis=axis)')
general('y = numpy.cumulative_prod(x, axis=None, dtype=None, out=None, include_initial=False)',
        'uncumprod(without_first(d[y], axis, include_initial), x, without_first(y, axis, include_initial), axis=axis)',
        forward='with_first(push_cumprod(d[x], x, without_first(y, axis, include_initial), axis=axis), axis, include_initial)')

for name in ['sum', 'mean', 'prod', 'max', 'min', 'var', 'std', 'cumsum', 'cumprod']:
    method_of(getattr(numpy, name), name)
