"""`scipy.fft`: the transforms that NumPy has too, by the same run-time functions, and those of cosines and sines."""
import scipy.fft  # noqa: F401

from tangent.templates.language.declare import constant, linear, only

F = 'scipy.fft.'
MORE = 'overwrite_x=False, workers=None'

for name in ['fft', 'ifft', 'rfft', 'irfft', 'hfft', 'ihfft']:
    linear(f'y = {F}{name}(x, n=None, axis=-1, norm=None, {MORE})', f'unfft(d[y], x, "{name}", n=n, axis=axis, norm=norm)')
for name, last in [('fftn', 'fft'), ('ifftn', 'ifft'), ('rfftn', 'rfft'), ('irfftn', 'irfft')]:
    linear(f'y = {F}{name}(x, s=None, axes=None, norm=None, {MORE})', f'unfftn(d[y], x, "{last}", s=s, axes=axes, norm=norm)')
    linear(f'y = {F}{name[:-1]}2(x, s=None, axes=(-2, -1), norm=None, {MORE})',
           f'unfftn(d[y], x, "{last}", s, axes, norm=norm)')
for name in ['dct', 'idct', 'dst', 'idst']:
    linear(f'y = {F}{name}(x, type=2, n=None, axis=-1, norm=None, {MORE}, orthogonalize=None)',
           f'unalong(d[y], x, functools.partial({F}{name}, type=type, n=n, norm=norm, orthogonalize=orthogonalize), axis)')
    linear(f'y = {F}{name}n(x, type=2, s=None, axes=None, norm=None, {MORE}, orthogonalize=None)',
           f'unalong_each(d[y], x, functools.partial({F}{name}, type=type, norm=norm, orthogonalize=orthogonalize), axes)',
           shape='x', prepare=only(f'{F}{name}n', s=None))
linear(f'y = {F}fftshift(x, axes=None)', f'{F}ifftshift(d[y], axes=axes)', shape='x')
linear(f'y = {F}ifftshift(x, axes=None)', f'{F}fftshift(d[y], axes=axes)', shape='x')
constant(scipy.fft.next_fast_len, scipy.fft.prev_fast_len)
