"""What is asked of a random program with state: every mode, called again, arguments of other kinds, second order both ways."""
import contextlib
import copy
import warnings

import numpy as np

import tangent
from tests.random import random_programs
from tests.random.random_programs import Hangs, Outcome
from tests.tools import orders
from tests.tools.checking import NotSmooth, difference, differences, numbers, share_memory
from tests.tools.registry import Entry

SECONDS = 40
WORST = ('wrong', 'crashed', 'refused', 'right')


def judge(path, asked=()):
    """The outcome for the program in a file, in some of the ways or in all; the worst where they differ."""
    try:
        with np.errstate(all='ignore'), random_programs.limited(random_programs.SECONDS_ALONE), quiet():
            module = random_programs.load(path)
            right = random_programs.smooth_gradients(module)
    except (NotSmooth, Hangs, ArithmeticError) as reason:
        return Outcome('skipped', str(reason))
    except Exception as reason:
        return Outcome('skipped', f'does not run: {reason!r}')
    outcomes = [one(way, check, module, right) for way, check in WAYS.items() if way in asked or not asked]
    return min(outcomes, key=lambda outcome: WORST.index(outcome.kind))


def quiet():
    stack = contextlib.ExitStack()
    stack.enter_context(warnings.catch_warnings())
    warnings.simplefilter('ignore')
    return stack


def one(way, check, module, right):
    """The outcome of one way; its name stands in front of what is said."""
    try:
        with np.errstate(all='ignore'), random_programs.limited(SECONDS), quiet():
            problem = check(module, right)
    except tangent.errors.TangentError as error:
        return Outcome('refused', f'{way}: {type(error).__name__}: {error}')
    except (Exception, Hangs) as error:
        return Outcome('crashed', f'{way}: {type(error).__name__}: {error}')
    return Outcome('wrong', f'{way}: {problem}') if problem else Outcome('right')


def compared(df, args, wrt, right, value, again=None):
    """What is wrong with gradients and a value, which are asked for of the same arguments until they have a text of their own."""
    for call in range(df.texts.enough + 2 if again is None else again):
        given = copy.deepcopy(args)
        found, gradients = df(*given)
        gradients = gradients if len(wrt) > 1 else (gradients,)
        for position, actual, wanted in zip(wrt, gradients, right, strict=True):
            problem = difference(actual, wanted)
            if problem:
                return f'argument {position}, call {call}: {problem}'
        if difference(found, value, 1e-9):
            return f'value, call {call}: expected {value!r}, got {found!r}'
        if not np.array_equal(numbers(given), numbers(args)):
            return f'arguments changed: {given!r}'
        if share_memory([*given, *gradients]):
            return f'memory shared: {gradients!r}'
    return None


def reverse(module, right, **options):
    df = tangent.value_and_grad(module.f, wrt=module.WRT, **options)
    return compared(df, module.ARGS, module.WRT, right, module.f(*copy.deepcopy(module.ARGS)))


def raw(module, right):
    return reverse(module, right, optimized=False)


def kinds(module, right):
    """Arguments of other kinds: numbers of NumPy's, arrays without axes. What is updated in place is another thing then."""
    df = tangent.value_and_grad(module.f, wrt=module.WRT)
    for kind in (np.float64, np.asarray):
        args = tuple(kind(a) if isinstance(a, float) else a for a in module.ARGS)
        if all(isinstance(a, np.ndarray) and a.ndim for a in args):
            return None
        try:
            wanted = right if kind is np.float64 else differences(module.f, args, module.WRT, strict=True)
            value = module.f(*copy.deepcopy(args))
        except Exception:                      # the program does not take them
            continue
        problem = compared(df, args, module.WRT, wanted, value, 1)
        if problem:
            return f'{kind.__name__}: {problem}'
    return None


def forward(module, right):
    return mixed(module, right, 'f')


def second(module, right):
    """Second order, in the one of the mixes that the program names: all three cost more than all else together."""
    return mixed(module, right, module.SECOND)


def mixed(module, right, mix):
    """The derivative along fixed directions; the mixes are those of `tests.tools.orders`."""
    entry = Entry('f', module.f, lambda: copy.deepcopy(module.ARGS), tuple(module.WRT), 'random')
    along = orders.directions(entry, 1), orders.directions(entry, 2)
    wanted = orders.inner(entry, right, along[0]) if len(mix) == 1 else orders.expected(entry, 2, along)
    actual = orders.found(entry, mix, along)
    if not abs(actual - wanted) <= orders.CLOSE[len(mix)] * 10 * max(1.0, abs(wanted)):
        return f'{mix}: expected {wanted!r}, got {actual!r}'
    return None


WAYS = {'reverse': reverse, 'raw': raw, 'kinds': kinds, 'forward': forward, 'second': second}
judge.ways = WAYS          # type: ignore[attr-defined]
