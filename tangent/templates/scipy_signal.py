"""`scipy.signal` and `scipy.integrate`: convolutions, filters, sums over samples."""
import scipy.integrate  # noqa: F401
import scipy.signal  # noqa: F401

from tangent.templates.declare import bilinear, general, linear

for name, more in [('convolve', 'method="auto"'), ('fftconvolve', 'axes=None'), ('oaconvolve', 'axes=None')]:
    bilinear(f'y = scipy.signal.{name}(in1, in2, mode="full", {more})',
             f'unconvolve_axes(d[y], in1, in2, mode{", axes" if "axes" in more else ""})',
             f'unconvolve_axes(d[y], in2, in1, mode{", axes" if "axes" in more else ""}, True)'
             .replace('mode, True', 'mode, None, True'))
bilinear('y = scipy.signal.correlate(in1, in2, mode="full", method="auto")', 'uncorrelate_axes(d[y], in1, in2, mode)[0]',
         'uncorrelate_axes(d[y], in1, in2, mode)[1]')
general('y = scipy.signal.lfilter(b, a, x, axis=-1)', 'unlfilter(d[y], b, a, x, y, axis)[0]',
        'unlfilter(d[y], b, a, x, y, axis)[1]',
        'unlfilter(d[y], b, a, x, y, axis)[2]', forward='push_lfilter(d[b], d[a], d[x], b, a, x, y, axis)')
linear('y = scipy.signal.detrend(data, axis=-1, type="linear")', 'scipy.signal.detrend(d[y], axis=axis, type=type)',
        shape='data')

general('z = scipy.integrate.trapezoid(y, x=None, dx=1.0, axis=-1)', 'untrapezoid(d[z], y, x, dx, axis)[0]',
        'untrapezoid(d[z], y, x, dx, axis)[1]', 'untrapezoid(d[z], y, x, dx, axis)[2]',
        forward='push_trapezoid(d[y], d[x], d[dx], y, x, dx, axis)')
linear('z = scipy.integrate.simpson(y, x=None, dx=1.0, axis=-1)', 'unsimpson(d[z], y, x, dx, axis)', refuse=['x', 'dx'])
linear('z = scipy.integrate.cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None)',
       'uncumulative_trapezoid(d[z], y, x, dx, axis, initial)', refuse=['x', 'dx', 'initial'])
