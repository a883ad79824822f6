"""Fourier transforms: linear, and their own adjoints but for what is cut off or filled up."""
import numpy

from tangent.templates.language.declare import constant, general, linear

for name in ['fft', 'ifft', 'rfft', 'irfft', 'hfft', 'ihfft']:
    linear(f'y = numpy.fft.{name}(a, n=None, axis=-1, norm=None, out=None)',
           f'unfft(d[y], a, "{name}", n=n, axis=axis, norm=norm)')
for name, last in [('fftn', 'fft'), ('ifftn', 'ifft'), ('rfftn', 'rfft'), ('irfftn', 'irfft')]:
    linear(f'y = numpy.fft.{name}(a, s=None, axes=None, norm=None, out=None)',
           f'unfftn(d[y], a, "{last}", s=s, axes=axes, norm=norm)')
    linear(f'y = numpy.fft.{name[:-1]}2(a, s=None, axes=(-2, -1), norm=None, out=None)',
           f'unfftn(d[y], a, "{last}", s, axes, norm=norm)')
linear('y = unfft(g, a, kind, n=None, axis=-1, norm=None)', 'transform(d[y], kind, n, axis, norm)', shape='a')
linear('y = transform(a, kind, n, axis, norm)', 'unfft(d[y], a, kind, n, axis, norm)')
linear('y = unfftn(g, a, kind, s=None, axes=None, norm=None)', 'transform_axes(d[y], kind, s, axes, norm)', shape='a')
linear('y = transform_axes(a, kind, s, axes, norm)', 'unfftn(d[y], a, kind, s, axes, norm)')
linear('y = numpy.fft.fftshift(x, axes=None)', 'numpy.fft.ifftshift(d[y], axes=axes)', shape='x')
linear('y = numpy.fft.ifftshift(x, axes=None)', 'numpy.fft.fftshift(d[y], axes=axes)', shape='x')

for name in ['fftfreq', 'rfftfreq']:
    general(f'y = numpy.fft.{name}(n, d=1.0, device=None)', None, '-numpy.sum(d[y] * y) / d', forward='-d[d] * y / d')

constant(numpy.bartlett, numpy.blackman, numpy.hamming, numpy.hanning)
