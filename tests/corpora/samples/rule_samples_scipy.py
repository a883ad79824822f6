"""Samples of SciPy's functions; see `rule_samples_made`."""
from scipy import special

from tests.corpora.samples import (
    rule_samples_scipy_data,
    rule_samples_scipy_matrices,
    rule_samples_scipy_special,
    rule_samples_scipy_stats,
)
from tests.rules.scipy.test_scipy import CALLS, VALUES
from tests.tools.sampling import Sample

MORE = """
signal.oaconvolve(v, x)
special.betaincc(1.5, 2.5, u)
stats.bernoulli.pmf([0, 1, 1], u)
stats.binom.pmf([0, 2, 3], 5, u)
stats.geom.pmf([1, 2, 3], u)
linalg.cosm(h)
linalg.tanm(0.3 * h)
linalg.sinhm(h)
linalg.tanhm(0.3 * h)
signal.savgol_filter(x, 5, 2)
signal.savgol_filter(t, 3, 1, axis=1, deriv=1, mode="nearest")
signal.sosfilt([[1.0, 0.5, 0.2, 1.0, 0.3, -0.1]], x)
signal.filtfilt([1.0, 0.5], [1.0, 0.3], numpy.tile(x, 3))
signal.resample(x, 6)
special.hankel1(1, p).real
special.hankel2(0, p).imag
special.ellipkinc(v, 0.4)
special.ellipeinc(v, 0.4)
special.ellipkm1(u)
special.chdtrc(3.0, p)
special.pdtr(2, p)
special.inv_boxcox1p(u, 0.7)
special.wrightomega(v)
special.sindg(50 * v)
special.cosdg(50 * v)
special.tandg(50 * p)
special.cotdg(30 * p)
special.eval_jacobi(3, 0.5, 1.5, v)
special.eval_gegenbauer(3, 0.7, v)
special.eval_genlaguerre(3, 0.7, v)
fft.fftshift(m)
fft.ifftshift(m, axes=1)
""".strip().splitlines()


MORE += [f'special.eval_{name}(3, v)' for name in 'legendre chebyt chebyu hermite hermitenorm laguerre'.split()]
MORE += [f'special.softplus({a})' for a in ('v', 'm') if hasattr(special, 'softplus')]
MORE += [f'fft.{name}(x{more})' for name in ('fft', 'ifft', 'rfft', 'irfft', 'hfft', 'ihfft') for more in ('', ', 5', ', norm="ortho"')]
MORE += [f'fft.{name}(t{more})' for name in 'fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn'.split() for more in ('', ', axes=(0, 1)')]
MORE += [f'fft.{name}(m, {more})' for name in ('dct', 'idct', 'dst', 'idst')
         for more in ('type=1', 'type=2', 'type=3', 'type=4', 'axis=0, n=4', 'norm="ortho"')]
MODES = 'reflect', 'mirror', 'nearest', 'wrap', 'constant'
MORE += [f'ndimage.{call}, mode="{mode}")' for mode in MODES for call in """correlate1d(x, v
convolve1d(t, v, axis=1
correlate(h, q
convolve(h, q[:2]
correlate(t[0], m, origin=(-1, 1)
uniform_filter1d(x, 3
uniform_filter1d(x, 4, origin=1
uniform_filter(h, 3
uniform_filter(h, (3, 1)
gaussian_filter1d(x, 1.2
gaussian_filter1d(t, 0.6, axis=0, order=1
gaussian_filter(h, 0.8
gaussian_filter(h, (0.5, 1.0), order=(0, 1)
sobel(h
prewitt(h, axis=0
laplace(h""".splitlines()]
MORE += ['ndimage.spline_filter1d(x)', 'ndimage.spline_filter1d(h, 2, axis=0)']


def written():
    """The calls that are written down one by one."""
    for text in CALLS + MORE:
        yield Sample(text, VALUES, exact=1e-11, smooth=1e-5, without=('long', 'complex', 'numpy.longdouble'))


GENERATORS = [written, *rule_samples_scipy_data.GENERATORS, *rule_samples_scipy_special.GENERATORS,
              *rule_samples_scipy_stats.GENERATORS, *rule_samples_scipy_matrices.GENERATORS]
