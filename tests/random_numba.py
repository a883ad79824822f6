"""Random programs for Numba: their compiled derivatives in reverse and forward mode and of second order, and those of CPython.

    python -m tests.random_programs --njit --count 100
"""
import copy
import warnings

import numpy as np

import tangent
from tests.checking import NotSmooth, difference, differences, numbers
from tests.python_corpus import orders
from tests.python_corpus.registry import Entry
from tests.random_programs import SECONDS, Hangs, Outcome, limited, load

NUMBA_SECONDS = 20 * SECONDS


def judge(path, mixes=()):
    """The outcome for the program in a file; skipped where Numba does not compile it."""
    import numba
    module = load(path)
    warnings.simplefilter('ignore', numba.core.errors.NumbaWarning)
    try:
        with np.errstate(all='ignore'), limited(NUMBA_SECONDS):
            value = module.f(*copy.deepcopy(module.ARGS))
            right = smooth_gradients(module)
    except (NotSmooth, Hangs, ArithmeticError) as reason:
        return Outcome('skipped', str(reason))
    except Exception as reason:           # Numba does not take all that the programs have
        return Outcome('skipped', f'does not compile: {str(reason)[:200]}')
    try:
        with np.errstate(all='ignore'), limited(NUMBA_SECONDS):
            return compare(module, value, right, mixes or ('r',))
    except tangent.errors.TangentError as error:
        return Outcome('refused', f'{type(error).__name__}: {error}')
    except (Exception, Hangs) as error:
        return Outcome('crashed', f'{type(error).__name__}: {error}')


def smooth_gradients(module):
    """Those of the function as Numba compiles it."""
    if not abs(module.f(*copy.deepcopy(module.ARGS))) < 1e4:
        raise NotSmooth('the value is too large')
    return differences(module.f, module.ARGS, module.WRT, strict=True)


def compare(module, value, right, mixes):
    """r: the gradient, also that of CPython; f: a tangent; rf, fr ...: derivatives of second order, all compiled."""
    entry = Entry('f', module.f, lambda: copy.deepcopy(module.ARGS), tuple(module.WRT), 'random')
    along = orders.directions(entry, 1), orders.directions(entry, 2)
    for mix in mixes:
        if mix == 'r':
            problem = gradients(module, value, right)
        else:
            wanted = orders.inner(entry, right, along[0]) if mix == 'f' else orders.expected(entry, len(mix), along)
            actual = orders.found(entry, mix, along)
            problem = None if abs(actual - wanted) <= orders.CLOSE[len(mix)] * 10 * max(1.0, abs(wanted)) else \
                f'expected {wanted!r}, got {actual!r}'
        if problem:
            return Outcome('wrong', f'{mix}: {problem}')
    return Outcome('right')


def gradients(module, value, right):
    args = copy.deepcopy(module.ARGS)
    *found, kept = tangent.grad(module.f, wrt=module.WRT, preserve_result=True)(*args)
    if difference(kept, value, 1e-9):
        return f'value: expected {value!r}, got {kept!r}'
    if not np.array_equal(numbers(args), numbers(module.ARGS)):
        return f'arguments changed: {args!r}'
    problem = difference(list(found), list(right))
    if problem:
        return problem
    plain = tangent.grad(module.f, wrt=module.WRT, jit=False)(*copy.deepcopy(module.ARGS))
    return difference(found[0] if len(found) == 1 else tuple(found), plain, 1e-9)
