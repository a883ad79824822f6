"""`scipy.signal`: convolutions and filters."""
import scipy.signal  # noqa: F401

from tangent.runtime.references import scipy as plain
from tangent.runtime.references.table import SUBSTITUTES
from tangent.templates.language.declare import bilinear, general, linear, only

for name, more in [('convolve', 'method="auto"'), ('fftconvolve', 'axes=None'), ('oaconvolve', 'axes=None')]:
    bilinear(f'y = scipy.signal.{name}(in1, in2, mode="full", {more})',
             f'unconvolve_axes(d[y], in1, in2, mode{", axes" if "axes" in more else ""})',
             f'unconvolve_axes(d[y], in2, in1, mode{", axes" if "axes" in more else ""}, True)'
             .replace('mode, True', 'mode, None, True'))
general('y = scipy.signal.lfilter(b, a, x, axis=-1)', 'unlfilter(d[y], b, a, x, y, axis)[0]',
        'unlfilter(d[y], b, a, x, y, axis)[1]',
        'unlfilter(d[y], b, a, x, y, axis)[2]', forward='push_lfilter(d[b], d[a], d[x], b, a, x, y, axis)')
G = 'scipy.signal.'
linear(f'y = {G}savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0)',
       f'unalong(d[y], x, functools.partial({G}savgol_filter, window_length=window_length, polyorder=polyorder, deriv=deriv, '
       'delta=delta, mode=mode), axis)', refuse=['delta', 'cval'], prepare=only(G + 'savgol_filter', cval=0.0), shape='x')
linear(f'y = {G}sosfilt(sos, x, axis=-1)', None, f'unalong(d[y], x, functools.partial({G}sosfilt, sos), axis)', refuse=['sos'],
       shape='x')
linear(f'y = {G}filtfilt(b, a, x, axis=-1)', None, None, f'unalong(d[y], x, functools.partial({G}filtfilt, b, a), axis)',
       refuse=['b', 'a'], shape='x')


def without_times(args, keywords):
    """`resample(x, num)`, whose value is no pair of samples and times."""
    return only(G + 'resample', t=None)(args, {**dict(zip(['t'], args[2:])), **keywords})[0], keywords


linear(f'y = {G}resample(x, num, t=None, axis=0)', f'unalong(d[y], x, functools.partial({G}resample, num=num), axis)',
       prepare=without_times, refuse=['t'])
linear('y = scipy.signal.detrend(data, axis=-1, type="linear")', 'scipy.signal.detrend(d[y], axis=axis, type=type)',
        shape='data')

# Linear along one axis
MORE = [('resample_poly', 'x, up, down, axis=0, window=None', 'up=up, down=down', ('up', 'down', 'window')),
        ('decimate', 'x, q, n=None, ftype="iir", axis=-1, zero_phase=True', 'q=q, n=n, ftype=ftype, zero_phase=zero_phase',
         ('q',))]
for name, parameters, given, refused in MORE:
    linear(f'y = {G}{name}({parameters})', f'unalong(d[y], x, functools.partial({G}{name}, {given}), axis)', refuse=refused,
           shape='x', prepare=only(G + name, window=None) if 'window' in parameters else None)
linear(f'y = {G}upfirdn(h, x, up=1, down=1, axis=-1)', None,
       f'unalong(d[y], x, functools.partial({G}upfirdn, h, up=up, down=down), axis)', refuse=['h'], shape='x')
linear(f'y = {G}sosfiltfilt(sos, x, axis=-1)', None, f'unalong(d[y], x, functools.partial({G}sosfiltfilt, sos), axis)',
       refuse=['sos'], shape='x')
SUBSTITUTES[scipy.signal.correlate] = plain.correlate
