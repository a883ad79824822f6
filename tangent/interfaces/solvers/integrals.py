"""Integrals of functions: by Leibniz's rule their derivatives are integrals, and what the integrand is at the ends.

    value, error = quad(f, a, b, args)
    bf, bargs = unintegral(bvalue, density, f, a, b, args, how)        ba, bb = -bvalue * f(a), bvalue * f(b)
"""
import importlib

import numpy as np

from tangent import errors
from tangent.interfaces.grad import jvp, vjp
from tangent.interfaces.solvers.implicit import vector
from tangent.interfaces.solvers.ode import flat, given, unflat
from tangent.templates.language.declare import constant, general

TOLERANCE = 1e-10


def density(f, x, args):
    """The integrand as `quad` asks for it."""
    return vector(f(x, *args) if isinstance(args, tuple) else f(x, args))


def integral(law, f, a, b, args, how):
    """The integral of the vector `law(f, x, args)` over `x`; `how` is (limit, points)."""
    check_weight(how)
    quad_vec = importlib.import_module('scipy.integrate').quad_vec
    value, error, report = quad_vec(lambda x: law(f, x, args), a, b, epsabs=TOLERANCE, epsrel=TOLERANCE, points=how[1],
                                    limit=max(1000, how[0]), norm='max', full_output=True)
    if not report.success and not error <= 1e-6 * (1 + np.max(np.abs(value))):
        raise errors.UnsolvedError(f'the integral for the derivative of an integral has not converged: {report.message}')
    return value


def unintegral(g, law, f, a, b, args, how):
    """The gradients of `f` and `args`, from that of the integral."""
    row = integral(pulled, (law, f), a, b, (args, vector(g)), how)
    return unflat(row, (f, args))


def pulled(pair, x, given):
    """What the integrand gives to `f` and `args`, in one row."""
    (law, f), (args, g) = pair, given
    pull = vjp(law, (0, 2))
    return flat(pull(f, x, args, g), (f, args))


def push_integral(df, dargs, law, f, a, b, args, how):
    """The tangent of the integral between ends that stand still."""
    return integral(pushed, (law, f), a, b, (args, df, given(dargs, args)), how)


def pushed(pair, x, given):
    """The tangent of the integrand."""
    (law, f), (args, df, dargs) = pair, given
    push = jvp(law, (0, 2), check_dims=False)
    return push(f, x, args, df, dargs)


def at_end(law, f, x, args):
    """The integrand at one end of the interval; nothing comes from an end at infinity."""
    return law(f, x, args) if np.isfinite(x) else np.zeros(1)


def check_weight(how):
    if how[2:] and how[2] is not None:
        raise errors.ArgumentError('quad with a weight has no derivative rule: write the weight into the integrand')


constant(check_weight)
REST = 'law, f, a, b, args, how'
general(f'y = integral({REST})', None, f'unintegral(d[y], {REST})[0]', '-numpy.dot(d[y], at_end(law, f, a, args))',
        'numpy.dot(d[y], at_end(law, f, b, args))', f'unintegral(d[y], {REST})[1]',
        forward=f'push_integral(d[f], d[args], {REST}) + at_end(law, f, b, args) * d[b] - at_end(law, f, a, args) * d[a]')
