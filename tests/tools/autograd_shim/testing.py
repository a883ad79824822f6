"""`autograd.test_util`: checks of derivatives with autograd's signatures, made by tangent's own."""
from __future__ import annotations

import itertools

import numpy as np

import tangent
from tangent.interfaces.tools.check_grads import Check
from tests.tools.autograd_shim.spaces import vspace

__all__ = ['TOL', 'RTOL', 'check_equivalent', 'check_grads', 'check_jvp', 'check_vjp', 'combo_check', 'nd', 'scalar_close']

TOL = RTOL = 1e-6


def scalar_close(a, b):
    return abs(a - b) < TOL or abs(a - b) / abs(a + b) < RTOL


def check_grads(fun, argnum=0, modes=('fwd', 'rev'), order=2):
    check = tangent.check_grads(fun, argnum, order=order, modes=modes)

    def checked(*args, **keywords):
        try:
            check(*args, **keywords)
        except tangent.errors.CheckError as error:
            name = getattr(fun, '__name__', 'f')
            kind = 'VJP' if 'gradient' in str(error) else 'JVP'
            inner = f'vjp_{name}' if 'gradient of the gradient' in str(error) else name
            raise AssertionError(f'Derivative ({kind}) check of {inner} failed: {error}') from error
    return checked


def check_vjp(fun, x):
    tangent.check_grads(fun, 0, order=1, modes=['rev'])(x)


def check_jvp(fun, x):
    tangent.check_grads(fun, 0, order=1, modes=['fwd'])(x)


def check_equivalent(x, y):
    assert vspace(x) == vspace(y), f'{x!r} and {y!r} are of different kinds'
    v = vspace(x).randn()
    assert scalar_close(vspace(x).inner_prod(x, v), vspace(x).inner_prod(y, v)), f'{x!r} is not {y!r}'


def combo_check(fun, *args, **keywords):
    """Check the function for all combinations of the arguments and keywords given."""
    def check(*choices, **keyword_choices):
        for given in itertools.product(*choices):
            for named in itertools.product(*([(key, v) for v in values] for key, values in keyword_choices.items())):
                check_grads(fun, *args, **keywords)(*given, **dict(named))
    return check


def nd(f, *args):
    """Gradients by differences, of a function that returns a number."""
    check = Check(f, args, {}, (1, ('rev',), None, None, None), 'f')
    found = []
    for k in check.wrt:
        x = np.asarray(args[k], float)
        grad = np.zeros(x.shape)
        for index in np.ndindex(x.shape):
            one = np.zeros(x.shape)
            one[index] = 1.0
            grad[index] = check.quotient(k, one[()])
        found.append(grad[()])
    return tuple(found)
