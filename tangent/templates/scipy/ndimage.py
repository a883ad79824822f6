"""`scipy.ndimage`: the filters that are linear in the image, and in their weights where they have any."""
import scipy.ndimage  # noqa: F401

from tangent.runtime.references import images
from tangent.runtime.references.table import SUBSTITUTES
from tangent.templates.language.declare import bilinear, constant, general, linear, only

N = 'scipy.ndimage.'

linear('y = unfiltered(g, a, operation, mode, radius)', 'operation(d[y], mode=mode)', shape='a')
WEIGHTED = 'operation, mode, radius'
bilinear(f'y = unweighted(g, a, weights, {WEIGHTED})', 'operation(d[y], weights, mode=mode)', None,
         f'unweights(g, d[y], weights, {WEIGHTED})')
bilinear(f'y = unweights(g, a, weights, {WEIGHTED}, cval=0.0)', 'operation(a, d[y], mode=mode, cval=cval)',
         f'unweighted(g, a, d[y], {WEIGHTED})',
         forward=f'unweights(d[g], a, weights, {WEIGHTED}, cval=cval) + unweights(g, d[a], weights, {WEIGHTED})')
constant('reach(x)', 'gaussian_reach(x)')


def image_filter(name, parameters, given, radius, refuse=()):
    """Declare a filter: its further parameters, how they are given on, how far it reads."""
    origin = ', origin=0' if 'origin' in given else ''
    signature = f'{N}{name}(input, {parameters}output=None, mode="reflect", cval=0.0{origin})'
    operation = f'functools.partial({N}{name}, {given})'
    if not given:
        operation = f'{N}{name}'
    forward = f'{N}{name}(d[input], {given + ", " if given else ""}mode=mode)'
    term = f'unfiltered(d[y], input, {operation}, mode, reach(input, {radius}))'
    options = {'refuse': ['cval', *refuse], 'shape': 'input', 'prepare': only(N + name, output=None)}
    if 'weights' not in parameters:
        general(f'y = {signature}', term, forward=forward, **options)
        return
    rest = given.replace('weights=weights, ', '')
    turned = f'weights, functools.partial({N}{name}, {rest}), mode, reach(input, {radius})'
    general(f'y = {signature}', f'unweighted(d[y], input, {turned})', f'unweights(d[y], input, {turned}, cval=cval)',
            forward=f'{forward} + {N}{name}(input, d[weights], {rest}, mode=mode)', **options)


for name in ['correlate1d', 'convolve1d']:
    image_filter(name, 'weights, axis=-1, ', 'weights=weights, axis=axis, origin=origin', 'len(weights), axis')
for name in ['correlate', 'convolve']:
    image_filter(name, 'weights, ', 'weights=weights, origin=origin', 'numpy.shape(weights)')
image_filter('uniform_filter1d', 'size, axis=-1, ', 'size=size, axis=axis, origin=origin', 'size, axis', ['size'])
image_filter('uniform_filter', 'size=3, ', 'size=size, origin=origin', 'size', ['size'])
for name in ['sobel', 'prewitt']:
    image_filter(name, 'axis=-1, ', 'axis=axis', '1')
image_filter('laplace', '', '', '1')
for name, axis, end in [('gaussian_filter1d', 'axis=-1, ', ', axis'), ('gaussian_filter', '', '')]:
    given = f'sigma=sigma, {axis.replace("-1", "axis")}order=order, truncate=truncate, radius=radius'
    general(f'y = {N}{name}(input, sigma, {axis}order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, radius=None)',
            f'unfiltered(d[y], input, functools.partial({N}{name}, {given}), mode, '
            f'reach(input, gaussian_reach(sigma, truncate, radius){end}))',
            forward=f'{N}{name}(d[input], {given}, mode=mode)', refuse=['sigma', 'cval'], shape='input',
            prepare=only(N + name, output=None))
linear(f'y = {N}spline_filter1d(input, order=3, axis=-1, output=None, mode="mirror")',
       f'unalong(d[y], input, functools.partial({N}spline_filter1d, order=order, mode=mode), axis)', shape='input',
       prepare=only(N + 'spline_filter1d', output=None))

# Other places
SUBSTITUTES.update(images.TABLE)
constant('check(output, order, mode)', 'filtered(mode)', 'first_of(place, order)',
         'index_of(firsts, steps, shape, border, mode)', 'within(places, shape)', 'grid(shape)', 'zoomed(shape, factors)')
