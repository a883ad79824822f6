"""`bottleneck`: reductions of NumPy's, faster and with fewer keywords, which other packages use where it is installed."""
import bottleneck

from tangent.templates.language.declare import constant, general

B = 'bottleneck.'
NAN = 'numpy.isnan(a)'
COUNTED = f'numpy.sum(~{NAN}, axis=axis, keepdims=True)'


def reduction(text, coefficient, tangent='d[a]'):
    """A reduction over `axis` by the derivative by one element; see `declare.reduction`."""
    general(f'y = {B}{text}', f'unreduce_like(d[y], a, axis=axis) * ({coefficient})', shape='reduction',
            forward=f'numpy.sum({tangent} * ({coefficient}), axis=axis)')


def skipping(text, coefficient):
    """One that takes no notice of nan: there the coefficient is 0, and the tangent may be nan."""
    reduction(text, coefficient, f'numpy.where({NAN}, 0, d[a])')


skipping('nansum(a, axis=None)', f'~{NAN}')
skipping('nanmean(a, axis=None)', f'astype(~{NAN} / {COUNTED}, a)')
skipping('nanvar(a, axis=None, ddof=0)', f'astype(2 * nancentred(a, axis=axis) / ({COUNTED} - ddof), a)')
skipping('nanstd(a, axis=None, ddof=0)', f'astype(safe_divide(nancentred(a, axis=axis), ({COUNTED} - ddof)'
                                         ' * numpy.nanstd(a, axis=axis, ddof=ddof, keepdims=True)), a)')
for extreme in ['nanmin', 'nanmax']:
    skipping(f'{extreme}(a, axis=None)', 'ties(a, y, axis=axis, keepdims=False)')
reduction('ss(a, axis=None)', '2 * a')
reduction('median(a, axis=None)', 'middle(a, axis=axis)')
general(f'y = {B}nanmedian(a, axis=None)', 'unquantile(d[y], a, 0.5, y, axis, False, True)',
        forward='push_quantile(d[a], 0.0, a, 0.5, y, axis, False, True)')
constant(*[getattr(bottleneck, name) for name in ('nanargmin', 'nanargmax', 'anynan', 'allnan')])
