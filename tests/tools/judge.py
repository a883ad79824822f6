"""What becomes of a program of the corpus: right, wrong, refused or crashed."""
import warnings
from fractions import Fraction

import numpy as np

import tangent
from tangent.runtime.zeros import init_grad
from tests.random.random_programs import Hangs, Outcome, limited
from tests.tools import orders
from tests.tools.checking import differences, kinked, slope
from tests.tools.registry import get, leaves, put, shown

SECONDS = 60


def expected(entry):
    """{(position, path): derivative} by extrapolated differences, each entry of each leaf moved alone."""
    found = {}
    for position in entry.wrt:
        for path, leaf in leaves(entry.make()[position]):
            found[position, path] = leaf_difference(entry, position, path, leaf)
    return found


def leaf_difference(entry, position, path, leaf):
    if isinstance(leaf, np.ndarray):
        result = np.zeros(leaf.shape, leaf.dtype if leaf.dtype.kind == 'c' else float)
        for index in np.ndindex(leaf.shape):
            result[index] = number_difference(entry, position, path, index, leaf.dtype.kind == 'c')
        return result
    return number_difference(entry, position, path, None, isinstance(leaf, complex), isinstance(leaf, Fraction))


def number_difference(entry, position, path, index, is_complex, exact=False):
    def line(h, factor=1.0):
        args = list(entry.make())
        delta = Fraction(h).limit_denominator(10 ** 6) if exact else h * factor
        if index is None:
            args[position] = put(args[position], path, get(args[position], path) + delta)
        else:
            get(args[position], path)[index] += delta
        return first_number(entry.function(*args))
    best, doubt = slope(line)
    if not np.isfinite(best) or doubt > 1e-5 * max(1.0, abs(best)) or not exact and kinked(line):
        raise AssertionError(f'{entry.name}: not smooth at its arguments: {best} +- {doubt}')
    return best + 1j * slope(lambda h: line(h, 1j))[0] if is_complex else best


def first_number(value):
    value = value[0] if isinstance(value, tuple) else value
    return float(np.reshape(np.asarray(value, dtype=float), ())[()])


def ways(entry, more=('raw',)):
    """The texts that are tried; `more`: 'raw' for the one that is not optimized, too."""
    wrt = entry.wrt
    df = tangent.grad(entry.function, wrt=wrt, preserve_result=True)
    yield 'optimized', df
    yield 'again', lambda *args: called_again(df, entry.make)(*args)
    if 'raw' in more:
        yield 'raw', tangent.grad(entry.function, wrt=wrt, preserve_result=True, optimized=False)


def called_again(df, make):
    """A derivative that has been called so often that it has a text of its own for the kinds of these arguments."""
    for _ in range(df.texts.enough + 1 if hasattr(df, 'texts') else 1):
        df(*make())
    return df


def judge(entry, more=('raw',)):
    """The outcome for an entry; an entry that cannot run without derivatives is an error of the corpus."""
    with np.errstate(all='ignore'), warnings.catch_warnings():
        warnings.simplefilter('ignore')
        try:
            value = entry.function(*entry.make())
            right = expected(entry)
        except tangent.errors.TangentError as error:      # a program that calls tangent itself
            return Outcome('refused', f'without derivatives: {type(error).__name__}: {error}')
        try:
            with limited(SECONDS):
                return compare(entry, first_number(value), right, more)
        except tangent.errors.TangentError as error:
            return Outcome('refused', f'{type(error).__name__}: {error}')
        except (Exception, Hangs) as error:
            return Outcome('crashed', f'{type(error).__name__}: {error}')


def judge_mixes(entry, mixes):
    """{mix: outcome}; see `orders`."""
    along, known, found = (orders.directions(entry, 1), orders.directions(entry, 2)), {}, {}
    for mix in mixes:
        order = len(mix)
        with np.errstate(all='ignore'), warnings.catch_warnings():
            warnings.simplefilter('ignore')
            try:
                with limited(SECONDS):
                    if order not in known:
                        known[order] = first_order(entry, along) if order == 1 else higher_order(entry, order, along)
                    found[mix] = close(known[order], orders.found(entry, mix, along), order, entry.tolerance)
            except tangent.errors.TangentError as error:
                found[mix] = Outcome('refused', f'{type(error).__name__}: {error}')
            except (Exception, Hangs) as error:
                found[mix] = Outcome('crashed', f'{type(error).__name__}: {error}')
    return found


def first_order(entry, along):
    gradients = [init_grad(entry.make()[p]) for p in entry.wrt]
    for (position, path), leaf in expected(entry).items():
        k = entry.wrt.index(position)
        gradients[k] = put(gradients[k], path, leaf)
    return orders.inner(entry, gradients, along[0])


def higher_order(entry, order, along):
    try:
        return orders.expected(entry, order, along)
    except tangent.errors.TangentError:
        return None                                    # no gradient: the mixes tell


def close(right, actual, order, tolerance):
    if right is None:
        return Outcome('refused', f'no gradient to compare with; got {actual!r}')
    if abs(actual - right) <= max(orders.CLOSE[order], tolerance) * max(1.0, abs(right)):
        return Outcome('right')
    return Outcome('wrong', f'expected {right!r}, got {actual!r}')


def compare(entry, value, right, more):
    for way, df in ways(entry, more):
        args = entry.make()
        before = [a.copy() if isinstance(a, np.ndarray) else None for a in args]
        *gradients, kept = df(*args)
        kept = first_number(kept)
        if not abs(kept - value) <= 1e-9 * max(1.0, abs(value)):
            return Outcome('wrong', f'{way}, value: expected {value!r}, got {kept!r}')
        for (position, path), wanted in right.items():
            problem = leaf_problem(gradients[entry.wrt.index(position)], path, wanted, entry.tolerance)
            if problem:
                return Outcome('wrong', f'{way}, argument {position}{shown(path)}: {problem}')
        for k, (old, new) in enumerate(zip(before, args)):
            if old is not None and not np.array_equal(old, new):
                return Outcome('wrong', f'{way}, argument {k} of the caller was changed')
    return Outcome('right')


def check_every_text(f, x, *args):
    """The derivative by `x`, in the texts before and after one is made for the arguments, unoptimized, and forwards."""
    wanted = differences(f, (x, *args), (0,))[0]
    gradient = tangent.grad(f)
    for _ in range(4):                                 # the third call has a text for its arguments
        np.testing.assert_allclose(gradient(x, *args), wanted, atol=1e-6)
    np.testing.assert_allclose(tangent.grad(f, optimized=False)(x, *args), wanted, atol=1e-6)
    np.testing.assert_allclose(tangent.jvp(f)(x, *args, np.ones(np.shape(x))), wanted.sum(), atol=1e-6)


def leaf_problem(gradient, path, wanted, tolerance):
    try:
        actual = get(gradient, path)
    except (AttributeError, KeyError, IndexError, TypeError) as error:
        return f'nothing there in {gradient!r} ({type(error).__name__}: {error})'
    if np.shape(actual) != np.shape(wanted):
        return f'shape {np.shape(actual)} in place of {np.shape(wanted)}'
    actual = np.asarray(actual, dtype=complex if np.iscomplexobj(wanted) else float)
    scale = max(1.0, np.max(np.abs(wanted), initial=0.0))
    if not np.allclose(actual, wanted, rtol=tolerance, atol=tolerance * scale):
        return f'expected {wanted!r}, got {actual!r}'
    return None


