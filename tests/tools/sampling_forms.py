"""The values of a sample in other memory, as numbers of other types, in other precisions."""
import numpy as np


def _strided(x):
    room = np.zeros((*x.shape, 2), x.dtype)
    room[..., 0] = x
    return room[..., 0]


def _reversed(x):
    return np.flip(np.flip(x).copy())


def _frozen(x):
    x = x.copy()
    x.flags.writeable = False
    return x


LAYOUTS = {'Fortran order': np.asfortranarray, 'negative strides': _reversed, 'every second': _strided, 'read-only': _frozen}
KINDS = {'single': np.float32, 'long': np.longdouble}
NUMBERS = {'numpy.float64': np.float64, '0-d array': np.array, 'float': float, 'numpy.float32': np.float32,
           'numpy.longdouble': np.longdouble}


def differentiable(value):
    """Whether a gradient can be asked for: numbers and arrays that are not of integers."""
    return isinstance(value, (float, complex)) or getattr(value, 'dtype', np.dtype(bool)).kind in 'fc'


def forms(values):
    """(name, the values in other memory, or as numbers of another type)."""
    arrays = {n for n, v in values.items() if isinstance(v, np.ndarray) and v.dtype.kind in 'fc'}
    for name, form in LAYOUTS.items():
        if any(values[n].ndim > (name == 'Fortran order') for n in arrays):
            yield name, {n: form(v) if n in arrays and v.ndim else v for n, v in values.items()}
    scalars = {n for n, v in values.items() if np.ndim(v) == 0 and differentiable(v)}
    for name, form in NUMBERS.items():
        if scalars and not any(np.iscomplexobj(values[n]) for n in scalars):
            yield name, {n: form(v) if n in scalars else v for n, v in values.items()}


def kinds(values):
    """(name, the values in another precision or as complex numbers, relative exactness)."""
    floats = [n for n, v in values.items() if isinstance(v, np.ndarray) and v.dtype == float]
    if not floats:
        return
    for name, dtype in KINDS.items():
        changed = {n: v.astype(dtype) if n in floats else v for n, v in values.items()}
        yield name, changed, 3e-4 if dtype is np.float32 else 1e-12
    rng = np.random.default_rng(4)
    turned = {n: v + 1j * rng.uniform(0.2, 0.8, v.shape) if n in floats else v for n, v in values.items()}
    yield 'complex', turned, 1e-12
    if len(floats) > 1:
        yield 'complex first', {n: turned[n] if n == floats[0] else v for n, v in values.items()}, 1e-12


def integers(values):
    """(the values as integers, the same as floats), for those that are floats."""
    floats = [n for n, v in values.items() if isinstance(v, (float, np.ndarray)) and np.asarray(v).dtype == float]
    rounded = {n: np.rint(2 * np.asarray(values[n])) + 0.0 for n in floats}
    whole = {n: rounded[n].astype(int) if isinstance(values[n], np.ndarray) else int(rounded[n]) for n in floats}
    again = {n: rounded[n] if isinstance(values[n], np.ndarray) else float(rounded[n]) for n in floats}
    return ({**values, **whole}, {**values, **again}) if floats else None
