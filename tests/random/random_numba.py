"""Random programs for Numba: their compiled derivatives in reverse and forward mode and of second order, and those of CPython.

    python -m tests.random --njit --count 100               programs of all kinds, some of which Numba takes
    python -m tests.random --njit typed --count 100         programs that Numba takes
    python -m tests.random --njit text --count 1000         the same, the text for Numba as Python runs it
"""
import copy
import inspect
import pathlib
import traceback
import warnings

import numba
import numpy as np

import tangent
from tangent.numba import options
from tangent.numba.loops.functions import specialised
from tangent.numba.machine.compile import described
from tangent.numba.target.written_out import joined
from tests.random.program_writer_numba import NumbaWriter
from tests.random.program_writer_typed import TypedWriter
from tests.random.random_programs import SECONDS, Hangs, Outcome, limited, load
from tests.tools import orders
from tests.tools.checking import NotSmooth, difference, differences, numbers
from tests.tools.registry import Entry

NUMBA_SECONDS = 20 * SECONDS
WRITERS = {'mixed': NumbaWriter, 'typed': TypedWriter, 'text': TypedWriter}


def judge(path, mixes=()):
    """The outcome for the program in a file; skipped where Numba does not compile it."""
    module = load(path)
    warnings.simplefilter('ignore', numba.core.errors.NumbaWarning)
    try:
        with np.errstate(all='ignore'), limited(NUMBA_SECONDS):
            value = module.f(*given(module))
            right = smooth_gradients(module)
    except (NotSmooth, Hangs, ArithmeticError) as reason:
        return Outcome('skipped', str(reason))
    except Exception as reason:           # Numba does not take all that the programs have
        return Outcome('skipped', f'does not compile: {str(reason)[-300:]}')
    try:
        with np.errstate(all='ignore'), limited(NUMBA_SECONDS):
            return compare(module, value, right, mixes or ('r',))
    except tangent.errors.TangentError as error:
        return Outcome('refused', f'{type(error).__name__}: {error}')
    except (Exception, Hangs) as error:
        return crashed(error)


def judge_text(path, mixes=()):
    """The outcome for the text that Numba would compile, as Python runs it: with slices, and with loops in their place."""
    with options.uncompiled():
        module = load(path)
        try:
            with np.errstate(all='raise', under='ignore'), limited(SECONDS):      # what is not used may be no number, too
                value, right = module.f(*copy.deepcopy(module.ARGS)), smooth_gradients(module)
        except (NotSmooth, Hangs, ArithmeticError) as reason:
            return Outcome('skipped', str(reason))
        except Exception as reason:
            return Outcome('skipped', f'does not run: {reason!r}')
        try:
            with np.errstate(all='ignore'), limited(2 * SECONDS):
                df = tangent.grad(module.f, wrt=module.WRT, preserve_result=True, jit=True)
                for name, derivative in ('text', df), ('loops', with_loops(df, module.ARGS)):
                    *found, kept = derivative(*copy.deepcopy(module.ARGS))
                    problem = difference(kept, value, 1e-9) or difference(list(found), list(right))
                    if problem:
                        return Outcome('wrong', f'{name}: {problem}')
        except tangent.errors.TangentError as error:
            return Outcome('refused', f'{type(error).__name__}: {error}')
        except (Exception, Hangs) as error:
            return crashed(error)
    return Outcome('right')


def with_loops(df, args):
    """The derivative with loops in place of arithmetic on slices, as it is compiled for the types of these arguments."""
    bound = inspect.signature(df).bind(*args)
    bound.apply_defaults()
    types = {name: described(numba.typeof(value)) for name, value in bound.arguments.items()}
    try:
        return specialised(df, types, options.Flags.find, source_of=joined) or df
    except tangent.errors.SourceError:           # what stands for a derivative that is made for types has no text of its own
        return df


def crashed(error):
    places = [f'{pathlib.Path(f.filename).name}:{f.lineno}' for f in traceback.extract_tb(error.__traceback__)[:-6:-1]]
    return Outcome('crashed', f'{type(error).__name__}: {error} at {" < ".join(places)}')


def given(module):
    """The arguments anew, in the memory and of the width that the program names."""
    args = copy.deepcopy(module.ARGS)
    return tuple(laid_out(narrowed(a) if getattr(module, 'NARROW', False) else a, layout)
                 for a, layout in zip(args, getattr(module, 'LAYOUTS', ['C'] * len(args)), strict=True))


def narrowed(value):
    """The numbers of an array in single precision."""
    return value.astype({'f': np.float32, 'c': np.complex64}.get(value.dtype.kind, value.dtype)) if isinstance(value, np.ndarray) else value


def laid_out(value, layout):
    """An array in other memory: 'F' as Fortran has it, 'A' every other element of one that is larger, 'R' not writeable."""
    if not isinstance(value, np.ndarray) or layout == 'C':
        return value
    if layout == 'F':
        return np.asfortranarray(value)
    larger = np.zeros(tuple(2 * n for n in value.shape), value.dtype)
    part = larger[(slice(None, None, 2),) * value.ndim]
    part[...] = value
    return part


def smooth_gradients(module):
    """Those of the function as it runs, of complex numbers `dx + 1j * dy`."""
    if not abs(module.f(*copy.deepcopy(module.ARGS))) < 1e4:
        raise NotSmooth('the value is too large')
    found = []
    for k in module.WRT:
        arg = module.ARGS[k]
        if isinstance(arg, (tuple, list, dict)) or not np.iscomplexobj(arg):
            found += differences(module.f, module.ARGS, (k,), strict=True)
        else:
            found.append(sum(unit * differences(along(module, k, unit), [np.real(arg)], (0,), strict=True)[0] for unit in (1.0, 1j)))
    return found


def along(module, k, unit):
    """The function of one part of a complex argument, moved along 1 or 1j from where it is."""
    def moved(x):
        args = list(copy.deepcopy(module.ARGS))
        args[k] = args[k] + unit * (x - np.real(args[k]))
        return module.f(*args)
    return moved


def compare(module, value, right, mixes):
    """r: the gradient, also that of CPython; f: a tangent; rf, fr ...: derivatives of second order, all compiled."""
    entry = Entry('f', module.f, lambda: given(module), tuple(module.WRT), 'random')
    along = orders.directions(entry, 1), orders.directions(entry, 2)
    close = 1e3 if getattr(module, 'NARROW', False) else 10
    for mix in mixes:
        if mix == 'r':
            problem = gradients(module, value, right)
        else:
            wanted = orders.inner(entry, right, along[0]) if mix == 'f' else orders.expected(entry, len(mix), along)
            actual = orders.found(entry, mix, along)
            problem = None if abs(actual - wanted) <= orders.CLOSE[len(mix)] * close * max(1.0, abs(wanted)) else \
                f'expected {wanted!r}, got {actual!r}'
        if problem:
            return Outcome('wrong', f'{mix}: {problem}')
    return Outcome('right')


def gradients(module, value, right):
    args, narrow = given(module), getattr(module, 'NARROW', False)
    *found, kept = tangent.grad(module.f, wrt=module.WRT, preserve_result=True)(*args)
    if difference(kept, value, 1e-4 if narrow else 1e-9):
        return f'value: expected {value!r}, got {kept!r}'
    if not np.array_equal(numbers(args), numbers(given(module))):
        return f'arguments changed: {args!r}'
    problem = difference(list(found), list(right), 1e-3 if narrow else 1e-6) or unlike(found, [args[k] for k in module.WRT])
    if problem:
        return problem
    plain = tangent.grad(module.f, wrt=module.WRT, jit=False)(*given(module))
    return difference(found[0] if len(found) == 1 else tuple(found), plain, 1e-3 if narrow else 1e-9)


def unlike(gradients, args):
    """What is wrong with the types of gradients, in words, or None."""
    for g, a in zip(gradients, args, strict=True):
        if isinstance(a, np.ndarray) and g.dtype != a.dtype:
            return f'a gradient of {g.dtype} for an argument of {a.dtype}'
    return None
