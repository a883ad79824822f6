"""Every elementwise function, reduction and reshaping on arrays of all shapes (none, empty, of size-1 axes) and kinds of numbers.

Gradients and tangents have the shape and the dtype that they have to have, the modes agree, and where NumPy does not warn the
derivatives do not. A case is left out where NumPy itself has no such call.
"""
import re
import warnings

import numpy as np
import pytest

from tests.tools.sampling import define, flat, heard, inner, like

UNARY = '''exp exp2 expm1 sin cos tan arctan sinh cosh tanh arcsinh sinc square negative positive reciprocal abs fabs deg2rad rad2deg
    cbrt nan_to_num real imag conj log log2 log10 log1p sqrt arcsin arccos arctanh sign floor rint i0'''
BINARY = '''add subtract multiply divide arctan2 hypot maximum minimum fmax fmin logaddexp logaddexp2 remainder fmod copysign power
    heaviside'''
REDUCTIONS = '''sum mean prod max min var std median nansum nanmean nanmax nanmin ptp nanvar nanstd nanprod nanmedian linalg.norm
    average add.reduce multiply.reduce maximum.reduce'''
SHAPING = '''np.ravel(x); np.reshape(x, -1); np.transpose(x); np.squeeze(x); np.atleast_2d(x); np.flip(x); np.copy(x); np.asarray(x)
    np.expand_dims(x, 0); np.concatenate([np.ravel(x), np.ravel(x)]); np.stack([x, x]); np.tile(x, 2); np.repeat(x, 2)
    np.broadcast_to(x, (2,) + np.shape(x)); np.outer(x, x); np.dot(np.ravel(x), np.ravel(x)); np.inner(x, x); np.vdot(x, x)
    np.diff(np.ravel(x)); np.roll(x, 1); np.where(x > 0, x, -x); np.clip(x, 0.1, 0.5); np.hstack([x, x]); np.pad(np.ravel(x), 1)
    np.append(x, x); np.ravel(x)[::-1]; np.trapezoid(np.ravel(x)); np.split(np.ravel(x), 1)[0]; np.einsum('...,...->...', x, x)
    np.kron(x, x); np.convolve(np.ravel(x), np.ravel(x)); np.interp(np.ravel(x), [0.0, 1.0], [1.0, 3.0]); np.polyval([1.0, 2.0], x)
    np.diag(np.ravel(x)); np.tril(np.atleast_2d(x)); np.trace(np.atleast_2d(x)); np.ediff1d(x); np.tensordot(x, x, 0)
    np.delete(np.ravel(x), np.array([], int)); np.insert(np.ravel(x), 0, 1.0); np.quantile(np.ravel(x), 0.5); np.percentile(x, 30)
    np.unwrap(np.ravel(x)); np.matmul(np.atleast_2d(x), np.atleast_2d(x).T); sum(np.ravel(x)); max(np.ravel(x)); x.T; x.sum()
    x.mean(); x.max(); x.copy(); x.reshape(-1); x.astype(float); x.std(); x.cumsum(); x ** 2; x ** 0.5; 2 ** x; x % 0.3; -x; abs(x)
    x / x; x @ x; np.linalg.inv(np.atleast_2d(x)); np.linalg.det(np.atleast_2d(x)); x[x > 0.5]; x[...]; x[None]; np.cumsum(x)
    np.cumprod(x); np.sort(x, axis=-1); np.cumsum(x, axis=-1); np.cumprod(x, axis=-1)'''
TEXTS = [f'np.{n}(x)' for n in (UNARY + REDUCTIONS).split()] + [f'np.{n}(x, y)' for n in BINARY.split()] \
    + [f'np.{n}(x, axis={way})' for n in REDUCTIONS.split() for way in ('-1', '0, keepdims=True')] \
    + [t.strip() for t in re.split(r';|\n', SHAPING)]
ALL, FEW = [(), (0,), (1,), (4,), (3, 1), (1, 3), (0, 3), (2, 0), (1, 1), (2, 2)], [(), (0,), (4,), (2, 2)]
KINDS = {'f8': ALL, 'f4': ALL, 'f2': FEW, 'g': FEW, 'c16': FEW, 'c8': FEW, 'i1': FEW, 'u1': FEW, 'i8': FEW}
CLOSE = {'f2': 3e-2, 'i1': 3e-2, 'u1': 3e-2, 'f4': 1e-4, 'c8': 1e-4}       # NumPy's functions of int8 are of half precision
ANY_DTYPE = 'maximum', 'minimum', 'fmax', 'fmin'              # whose tangents of complex64 are complex128
CHUNKS = 8


def values(shape, kind, names):
    """Numbers between 0.2 and 0.85, or from 2 to 4."""
    rng = np.random.default_rng(len(shape) + 7)
    for k, _ in enumerate(names):
        x = rng.uniform(0.2, 0.8, shape) + k * 0.05
        if kind in ('i1', 'u1', 'i8'):
            x = np.round(x * 4 + 1)
        yield np.asarray(x + 1j * rng.uniform(0.2, 0.8, shape) if kind[0] == 'c' else x).astype(kind)


def problems(call, text, kind, shape):
    args = list(values(shape, kind, call.names))
    try:
        with np.errstate(all='ignore'):
            known, value = heard(lambda: call.function(*args))
    except Exception:  # noqa: BLE001 (NumPy has no such call)
        return
    dtype = np.asarray(value).dtype
    if dtype.kind not in 'fc' or (dtype.kind == 'c') != (kind[0] == 'c'):
        return
    seed, direction = like(value, 1), like(args[0], 2)
    more, gradient = heard(lambda: call.pull([a.copy() for a in args], (0,), seed)[0])
    again, moved = heard(lambda: call.push(args, (0,), [direction]))
    wanted = args[0].dtype if args[0].dtype.kind in 'fc' else np.dtype(float)
    if (np.shape(gradient), np.asarray(gradient).dtype) != (shape, wanted):
        yield f'gradient {np.shape(gradient)} {np.asarray(gradient).dtype}, wanted {shape} {wanted}'
    if np.shape(moved) != np.shape(value):
        yield f'tangent {np.shape(moved)} of a value {np.shape(value)}'
    if np.asarray(moved).dtype != dtype and args[0].dtype.kind in 'fc' and not any(n in text for n in ANY_DTYPE):
        yield f'tangent {np.asarray(moved).dtype} of a value {dtype}'
    told = {w.partition(' encountered')[0] for w in known}
    if (args[0].size or shape == ()) and kind not in ('i1', 'u1'):
        warned = {w for w in more | again if w.partition(' encountered')[0] not in told}
    else:
        warned = {w for w in more | again if 'empty slice' in w and not known}
    if warned:
        yield f'warns {warned}'
    left, a = inner(seed, moved)
    right, b = inner(gradient, direction)
    if np.all(np.isfinite(flat(value))) and not abs(left - right) <= CLOSE.get(kind, 1e-9) * max(a, b, 1):
        yield f'forward {left}, reverse {right}'


@pytest.mark.parametrize('k', range(CHUNKS))
def test_derivatives_of_arrays_of_every_shape_and_kind(k, tmp_path):
    texts, found, count = TEXTS[k::CHUNKS], [], 0
    for text, call in zip(texts, define([(t, ('x', 'y')) for t in texts], tmp_path / f'shapes_{k}.py'), strict=True):
        for kind, shapes in KINDS.items():
            for shape in shapes:
                form = call.in_complex if kind[0] == 'c' else call
                try:
                    with warnings.catch_warnings():
                        found += [f'{text} {kind}{shape}: {p}' for p in problems(form, text, kind, shape)]
                except Exception as error:  # noqa: BLE001 (a problem of whatever kind is one)
                    found.append(f'{text} {kind}{shape}: {type(error).__name__} {" ".join(str(error).split())[:200]}')
                count += 1
    assert count and not found, '\n'.join(found)
