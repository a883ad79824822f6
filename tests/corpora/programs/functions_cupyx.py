"""Functions of `cupyx.scipy`, as text: they need the real CuPy, but no device to be differentiated."""
import cupy as cp
import cupyx.scipy.fft
import cupyx.scipy.special
from cupyx.scipy import special


def errors(x):
    return cp.sum(cupyx.scipy.special.erf(x) * special.gammaln(x))


def soft(x):
    return special.logsumexp(x) + cp.sum(special.xlogy(x, x))


def turned(x):
    return cp.sum(cupyx.scipy.fft.dct(x) ** 2)
