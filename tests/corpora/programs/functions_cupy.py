"""Functions that name CuPy: read as text by the tests, in a module where `cupy` is the fake one or the real one."""
import cupy
import cupy as cp
import numpy as np


def chain(x):
    return cupy.sum(cupy.tanh(0.5 * x) ** 3 / (1 + cupy.exp(-x)))


def mixed(x):
    """NumPy's functions dispatch on arrays of the device."""
    y = cp.exp2(x.reshape(-1)) * np.pi
    return np.sum(np.sin(y)) + cp.linalg.norm(x)


def edges(x):
    return cp.sum(cp.maximum(x, 0) + cp.where(x > 0.5, x * x, cp.abs(x))) * cp.pi


def products(x):
    return cp.sum(cp.sqrt(x @ cp.outer(x, x) @ x)) + cp.dot(x, x) + cp.einsum('i,i->', x, x)


def reductions(x):
    return cp.mean(x) * cp.max(x) + cp.std(x) + cp.prod(x) + cp.var(cp.cumsum(x))


def shapes(x):
    y = cp.concatenate([x, cp.stack([x, 2 * x]).ravel()])
    return cp.sum(cp.sort(y)[::2] * cp.roll(y, 1)[::2]) + cp.sum(cp.pad(x, 1)[1:] ** 2) + cp.sum(x[cp.array([0, 0, 2])])


def spectrum(x):
    return cp.sum(cp.abs(cp.fft.rfft(x)) ** 2)


def written(x):
    y = cp.zeros(3)
    y[0] = cp.sum(x)
    y[1:] = x[1:] * 2
    return cp.sum(cp.cumsum(y) * y)


def elements(x):
    t = cp.zeros(3)
    for i in range(3):
        t[i] = x[i] * x[i]
        s = t[i]
        t[i] = s * x[0]
    return cp.sum(t)


def solved(x):
    a = cp.diag(x) + cp.outer(x, x)
    return cp.sum(cp.linalg.solve(a, x)) + cp.linalg.slogdet(a)[1] + cp.trace(cp.linalg.inv(a))


FUNCTIONS = [chain, mixed, edges, products, reductions, shapes, spectrum, written, elements, solved]


# Without a text that names CuPy's functions

def either(x):
    xp = cp.get_array_module(x)
    return xp.sum(xp.sin(x) * xp.ones_like(x))


def given(f, x):
    return cp.sum(f(x) * x)


def there_and_back(h):
    x = cp.asarray(h)
    return np.sum(np.sin(cp.asnumpy(cp.cos(x))))


def log_two(x):
    return cp.sum(cp.log2(x) + cp.erfcx(x) if hasattr(cp, 'erfcx') else cp.log2(x))
