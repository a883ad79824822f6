"""Programs from the wild that write into arrays: gradients of the sum of each result with respect to each float array."""
import warnings

import numpy as np
import pytest

import tangent
from tests.corpora.kernels import KERNELS, POLYBENCH
from tests.tools import checking

TABLE = {k.name: k for k in KERNELS}


def gradients(kernel, dtype=float):
    """(arguments as they are after the call, gradients of the loss with respect to all float arguments)."""
    args = kernel.arguments(dtype)
    found = tangent.grad(kernel.loss(), argnums=positions(kernel))(*args.values())
    return args, found


def positions(kernel):
    return tuple(list(kernel.arguments()).index(n) for n in kernel.wrt)


def expected(kernel):
    """By the complex step where that can be, else by extrapolated differences."""
    args, loss = list(kernel.arguments().values()), kernel.loss()
    if kernel.analytic:                   # what is written into holds the complex numbers of what is written
        args = [a.astype(complex) if isinstance(a, np.ndarray) and a.dtype.kind == 'f' else a for a in args]
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            return checking.complex_step(loss, args, positions(kernel))
    found = []
    for k in positions(kernel):
        if not np.iscomplexobj(args[k]):
            found += checking.differences(loss, args, (k,))
            continue

        def split(re, im):
            return loss(*args[:k], re + 1j * im, *args[k + 1:])      # noqa: B023 called at once
        re, im = checking.differences(split, (args[k].real.copy(), args[k].imag.copy()), (0, 1))
        found.append(re + 1j * im)
    return found


def test_all_of_polybench_is_here():
    assert len(POLYBENCH) == 30 and set(POLYBENCH) <= set(TABLE)


@pytest.mark.parametrize('name', TABLE)
def test_gradient_of_kernel(name):
    """Every entry of it; and in single precision."""
    kernel = TABLE[name]
    before = kernel.arguments()
    args, found = gradients(kernel)
    for k, v in args.items():
        assert np.array_equal(v, before[k]), f'{k} was changed'
    for n, actual, right in zip(kernel.wrt, found, expected(kernel), strict=True):
        assert np.shape(actual) == np.shape(args[n])
        scale = max(1.0, np.max(np.abs(right)))
        np.testing.assert_allclose(actual, right, rtol=1e-9 if kernel.analytic else 1e-6,
                                   atol=(1e-10 if kernel.analytic else 1e-7) * scale, err_msg=n)
    assert not checking.share_memory([*args.values(), *found])
    _, single = gradients(kernel, np.float32)
    for n, s, d in zip(kernel.wrt, single, found, strict=True):
        if isinstance(args[n], np.ndarray):
            assert s.dtype == (np.complex64 if np.iscomplexobj(d) else np.float32)
        np.testing.assert_allclose(s, d, rtol=1e-2, atol=2e-3 * max(1.0, np.max(np.abs(d))), err_msg=n)
