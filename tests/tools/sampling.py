"""Samples of calls, and what has to hold for the derivatives of each.

A sample is an expression and values for the names in it. It is differentiated through the whole library with respect to
all of them, in both modes and twice, and checked by mathematics alone: the two modes are each other's transposes to the
last digits (the dot-product test), and the forward one is what extrapolated differences say. The same call with its
values in other types and in other memory has to give the same gradients, each in the type and shape of its argument.
"""
import contextlib
import importlib.util
import re
import signal
import warnings
from typing import NamedTuple

import numpy as np

import tangent
from tests.tools.checking import seed_name
from tests.tools.sampling_forms import differentiable, forms, integers, kinds

HEAD = 'import cmath\nimport functools\nimport math\nimport operator\n\nimport numpy\nimport numpy as np\n'
SCIPY = '''import scipy
from scipy import fft, integrate, interpolate, linalg, ndimage, signal, sparse, special, stats
'''
EXACT = {'d': 1e-12, 'g': 1e-12, 'f': 2e-4}           # of the dot-product test, by the letter of the dtype
LONGEST = 20                                           # seconds for one form of a sample, compilation included
REFUSED = (tangent.errors.TangentError,)


class Sample(NamedTuple):
    """An expression and the values of its names.

    twice : whether a second derivative is asked for
    exact, smooth : relative precision of the dot-product test and of the comparison with differences
    without : beginnings of the names of the forms that the function itself does not have
    """
    text: str
    values: dict
    twice: bool = True
    exact: float = 1e-12
    smooth: float = 1e-6
    without: tuple = ()


class Counts(dict):
    """How many samples were checked, by what they are."""

    def add(self, name):
        self[name] = self.get(name, 0) + 1


# Values

def parts(value):
    """The arrays of numbers in a value, in order."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [a for v in value for a in parts(v)]
    if value is None or isinstance(value, (str, bytes)):
        return []
    if hasattr(value, 'toarray'):
        value = value.toarray()
    return [np.asarray(value)]


def inner(x, y):
    """(the real inner product of two values, the size that its rounding errors are relative to)."""
    total, size = 0.0, 0.0
    for a, b in zip(parts(x), parts(y), strict=True):
        if a.dtype.kind not in 'biufc' or b.dtype.kind not in 'biufc':
            continue
        products = np.real(np.conj(a) * b)
        total, size = total + np.sum(products), size + np.sum(np.abs(products))
    return total, size


def like(value, seed):
    """Random numbers in the structure and dtypes of a value."""
    return _like(value, np.random.default_rng(seed))


def _like(value, rng):
    if isinstance(value, dict):
        return {k: _like(v, rng) for k, v in value.items()}
    if isinstance(value, tuple) and hasattr(value, '_fields'):
        return type(value)(*(_like(v, rng) for v in value))
    if isinstance(value, (tuple, list)):
        return type(value)(_like(v, rng) for v in value)
    if value is None or isinstance(value, (str, bytes)):
        return value
    array = np.asarray(value)
    drawn = rng.uniform(0.5, 1.5, array.shape) * rng.choice([-1, 1], array.shape)
    if array.dtype.kind == 'c':
        drawn = drawn + 1j * rng.uniform(0.5, 1.5, array.shape)
    drawn = drawn.astype(array.dtype if array.dtype.kind in 'fc' else float)
    return drawn if isinstance(value, np.ndarray) else drawn[()] if isinstance(value, np.generic) else drawn.item()


def moved(values, directions, step):
    """The values, a step along the directions."""
    return [stepped(v, d, step) for v, d in zip(values, directions, strict=True)]


def stepped(value, direction, step):
    """A value, a step along a direction in its structure."""
    if isinstance(value, dict):
        return {k: stepped(v, direction[k], step) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        found = [stepped(v, d, step) for v, d in zip(value, direction, strict=True)]
        return type(value)(*found) if hasattr(value, '_fields') else type(value)(found)
    return value if value is None or isinstance(value, (str, bytes)) else value + step * direction


def flat(value):
    found = [np.ravel(p).astype(complex if p.dtype.kind == 'c' else float) for p in parts(value) if p.dtype.kind in 'biufc']
    return np.concatenate(found) if found else np.zeros(0)


def slope(f, values, directions):
    """(derivative of f along the directions by extrapolated differences, how far it can be trusted), as rows of numbers."""
    def central(h):
        return (flat(f(*moved(values, directions, h))) - flat(f(*moved(values, directions, -h)))) / (2 * h)
    a, b, c = central(4e-3), central(2e-3), central(1e-3)
    once, twice = (4 * b - a) / 3, (4 * c - b) / 3
    best, near = (16 * twice - once) / 15, central(1e-6)
    beside = np.abs(best - near) > 1e-4 * np.maximum(1, np.abs(near))          # a kink within the larger steps
    return np.where(beside, near, best), np.where(beside, 1e-5 * np.abs(near) + 1e-6, np.abs(best - twice))


class Call:
    """An expression as a function, with its derivatives, made when they are asked for."""

    def __init__(self, function, names, in_complex=None):
        self.function, self.names, self.in_complex, self._made = function, names, in_complex, {}

    def wrt(self, values):
        return tuple(k for k, name in enumerate(self.names) if differentiable(values[name]))

    def derivative(self, way, wrt, also=()):
        """The derivative by those positions: 'vjp', 'jvp', or of the vjp: 'jvp vjp', 'vjp vjp', by the positions `also`."""
        if (way, wrt) not in self._made:
            *outer, first = way.split()
            df = getattr(tangent, first)(self.function, wrt=wrt)
            for again in outer:
                df = getattr(tangent, again)(df, wrt=also)
            self._made[way, wrt] = df
        return self._made[way, wrt]

    def pull(self, args, wrt, seed):
        """The gradients, as a list."""
        df = self.derivative('vjp', wrt)
        found = df(*args, **{seed_name(df): seed})
        return [found] if len(wrt) == 1 else list(found)

    def push(self, args, wrt, directions):
        return self.derivative('jvp', wrt)(*args, *directions)


def define(texts, path, scipy=False):
    """Text -> Call, for expressions; their functions are in a module that is written to the path.

    scipy : whether that imports SciPy, or the lines that it imports in its place
    """
    lines, names = [HEAD + (scipy if isinstance(scipy, str) else SCIPY if scipy else '')], []
    for k, (text, known) in enumerate(texts):
        names.append([n for n in known if re.search(rf'(?<![\w.]){n}(?!\w|=[^=])', re.sub(r"'[^']*'|\"[^\"]*\"", '', text))])
        for kind, mark in ('f', ''), ('c', ': complex'):               # complex arguments are announced
            lines.append(f'\n\ndef {kind}{k}({", ".join(n + mark for n in names[-1])}):\n    return {text}\n')
    path.write_text(''.join(lines))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return [Call(getattr(module, f'f{k}'), names[k], Call(getattr(module, f'c{k}'), names[k])) for k in range(len(texts))]


# What has to hold

class Checker:
    """Checks samples; `problems` has what went wrong, `counts` what was checked."""

    def __init__(self):
        self.counts, self.problems = Counts(), []

    def check(self, call, sample):
        """Check one sample in all its forms."""
        with warnings.catch_warnings(), np.errstate(all='ignore'):
            warnings.simplefilter('ignore')
            values = {n: sample.values[n] for n in call.names}
            call = announced(call, values)
            base = self._guard(sample, 'as it stands', self.modes, call, values, sample)
            if base is None:
                return
            if sample.twice:
                self._guard(sample, 'twice', self.second, call, values, sample)
            self._guard(sample, 'warnings', self.warned, call, values)
            if integers(values) is not None:
                self._guard(sample, 'integers', self.whole, call, values, *integers(values))
            for name, other in forms(values):
                if not name.startswith(sample.without):
                    self._guard(sample, name, self.same, call, values, other, base)
            for name, other, exact in kinds(values):
                if not name.startswith(sample.without):
                    self._guard(sample, name, self.kind, call, values, other, sample, exact)

    def _guard(self, sample, form, check, *args):
        try:
            with at_most(LONGEST):
                found = check(*args)
            self.counts.add(form)
            return found if found is not None else True
        except Skip:
            return None
        except REFUSED as error:
            self.problems.append((sample.text, form, f'refused: {type(error).__name__} {" ".join(str(error).split())}'))
        except AssertionError as error:
            self.problems.append((sample.text, form, f'wrong: {error}'))
        except Exception as error:  # noqa: BLE001 (a problem of whatever kind is one)
            self.problems.append((sample.text, form, f'{type(error).__name__}: {error}'))
        return None

    def modes(self, call, values, sample, exact=None, smooth=True):
        """Both modes against each other and against differences; the gradients."""
        args, wrt = list(values.values()), call.wrt(values)
        value = call.function(*copied(args))
        if not wrt or not np.all(np.isfinite(flat(value))):
            raise Skip
        seed = like(value, 1)
        directions = [like(args[k], 2 + k) for k in wrt]
        before = copied(args)
        gradients = call.pull(args, wrt, seed)
        well_formed([args[k] for k in wrt], gradients, args)
        tangents = call.push(args, wrt, directions)
        assert all(map(same, parts(args), parts(before))), 'an argument was written to'
        left, a = inner(seed, tangents)
        right, b = inner(gradients, directions)
        limit = (sample.exact if exact is None else exact) * max(a, b, 1e-2)
        assert abs(left - right) <= limit, f'the modes differ: {left} (forward), {right} (reverse)'
        if smooth:
            def f(*moved):
                given = list(args)
                for k, v in zip(wrt, moved, strict=True):
                    given[k] = v
                return call.function(*copied(given))
            best, doubt = slope(f, [args[k] for k in wrt], directions)
            found = flat(tangents)
            size = max(1.0, np.max(np.abs(best), initial=0))
            assert found.shape == best.shape, f'the tangent has {found.size} numbers, the value {best.size}'
            assert np.all(np.abs(found - best) <= sample.smooth * size + 20 * doubt), f'tangent {found}, differences {best}'
        return gradients

    def second(self, call, values, sample):
        """The derivative of the gradient by the arguments and by what is asked of it, in both modes."""
        args, wrt = list(values.values()), call.wrt(values)
        args.append(like(call.function(*copied(args)), 1))
        also = (*wrt, len(args) - 1)
        directions = [like(args[k], 2 + k) for k in also]

        def f(*moved):
            given = list(args)
            for k, v in zip(also, moved, strict=True):
                given[k] = v
            return call.pull(copied(given[:-1]), wrt, given[-1])
        gradients = f(*(args[k] for k in also))
        weights = [like(g, 9 + k) for k, g in enumerate(gradients)]
        forward = call.derivative('jvp vjp', wrt, also)(*copied(args), *directions)
        forward = [forward] if len(wrt) == 1 else forward
        best, doubt = slope(f, [args[k] for k in also], directions)
        size = max(1.0, np.max(np.abs(best), initial=0))
        found = flat(forward)
        assert found.shape == best.shape, f'second tangent has {found.size} numbers, the gradient {best.size}'
        assert np.all(np.abs(found - best) <= 10 * sample.smooth * size + 20 * doubt), f'second tangent {found}, differences {best}'
        reverse = call.derivative('vjp vjp', wrt, also)(*copied(args), weights[0] if len(wrt) == 1 else tuple(weights))
        left, a = inner(weights, forward)
        right, b = inner(reverse, directions)
        assert abs(left - right) <= 100 * sample.exact * max(a, b, 1e-2), f'the second modes differ: {left} (forward), {right} (reverse)'

    def same(self, call, values, other, base):
        """The same numbers in other memory or of another type give the same gradients."""
        args, wrt = list(other.values()), call.wrt(values)
        try:
            value = call.function(*copied(args))
        except (TypeError, AttributeError):
            raise Skip from None
        plain = flat(call.function(*copied(list(values.values()))))
        if flat(value).shape != plain.shape or not np.allclose(flat(value), plain, 1e-3, 1e-3):
            raise Skip
        seed = as_kind(like(call.function(*copied(list(values.values()))), 1), value)
        gradients = call.pull(args, wrt, seed)
        well_formed([args[k] for k in wrt], gradients, args)
        narrow = any(getattr(a, 'dtype', np.dtype(float)) == np.float32 for a in args)
        for g, b in zip(gradients, base, strict=True):
            size = np.max(np.abs(b), initial=1)
            np.testing.assert_allclose(np.asarray(g), b, 2e-3 if narrow else 1e-10, (2e-3 if narrow else 1e-12) * size)

    def whole(self, call, values, other, plain):
        """Integers have the gradients of the same numbers as floats, in float64."""
        wrt = call.wrt(values)
        try:
            value, wanted = (call.function(*copied(list(v.values()))) for v in (other, plain))
        except (TypeError, ValueError, IndexError, NotImplementedError, ArithmeticError, np.linalg.LinAlgError):
            raise Skip from None
        same_shapes = [p.shape for p in parts(value)] == [p.shape for p in parts(wanted)]
        if not same_shapes or not np.all(np.isfinite(flat(wanted))) or not np.allclose(flat(value), flat(wanted), 1e-12, 1e-12) \
                or any(p.dtype.kind not in 'fc' for p in parts(wanted)):
            raise Skip
        args, seed = list(other.values()), like(wanted, 1)
        gradients = call.pull(args, wrt, seed)
        well_formed([args[k] for k in wrt], gradients, args)
        for g, b in zip(gradients, call.pull(list(plain.values()), wrt, seed), strict=True):
            np.testing.assert_allclose(np.asarray(g), b, 1e-10, 1e-12)

    def warned(self, call, values):
        """Where NumPy does not warn, the derivatives do not."""
        args, wrt = list(values.values()), call.wrt(values)
        before, value = heard(lambda: call.function(*copied(args)))
        for after, _ in (heard(lambda: call.pull(copied(args), wrt, like(value, 1))),
                         heard(lambda: call.push(copied(args), wrt, [like(args[k], 2 + k) for k in wrt]))):
            more = {text for text in after if text.partition(' encountered')[0] not in
                    {known.partition(' encountered')[0] for known in before}}
            assert not more, f'warns: {more}'

    def kind(self, call, values, other, sample, exact):
        """Another kind of number: both modes again, or no sample where NumPy itself has no such call."""
        try:
            value = call.function(*copied(list(other.values())))
        except (TypeError, ValueError, np.linalg.LinAlgError):
            raise Skip from None
        if not parts(value) or all(p.dtype.kind not in 'fc' for p in parts(value)):
            raise Skip
        complex_ = any(np.iscomplexobj(v) for v in other.values())
        if complex_ and dropped(call.function, list(other.values())):
            raise Skip
        self.modes(call.in_complex if complex_ else call, other, sample, exact * sample.exact / 1e-12, smooth=exact < 1e-6)


def announced(call, values):
    """The call with complex arguments, where it makes complex numbers of real ones and the derivative has to be told."""
    args, wrt = list(values.values()), call.wrt(values)
    try:
        call.pull(copied(args), wrt, like(call.function(*copied(args)), 1))
    except tangent.errors.ComplexNotImplementedError:
        return call.in_complex
    except Exception:  # noqa: BLE001 (told when the sample is checked)
        pass
    return call


def heard(make):
    """(the warnings that NumPy gives when something is made, what is made)."""
    with warnings.catch_warnings(record=True) as caught, np.errstate(all='warn', under='ignore'):
        warnings.simplefilter('always')
        made = make()
    return {str(w.message) for w in caught if not issubclass(w.category, (DeprecationWarning, np.exceptions.ComplexWarning))}, made


@contextlib.contextmanager
def at_most(seconds, error=TimeoutError):
    """Raise an error if what is done inside takes longer, on the processor (where the system has alarms)."""
    def late(*_):
        raise error(f'more than {seconds} seconds')
    if not hasattr(signal, 'SIGPROF'):
        yield
        return
    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Skip(Exception):
    """Not a sample: NumPy itself does not do this, or there is nothing to differentiate."""


def dropped(function, args):
    """Whether NumPy warns that it drops imaginary parts."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        function(*copied(args))
    return any('imaginary' in str(w.message) for w in caught)


def copied(args):
    return [a.copy(order='K') if isinstance(a, np.ndarray) else a for a in args]


def same(a, b):
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in 'fc')


def as_kind(seed, value):
    """The seed in the dtypes of a value."""
    if isinstance(value, dict):
        return {k: as_kind(seed[k], v) for k, v in value.items()}
    if isinstance(value, tuple) and hasattr(value, '_fields'):
        return type(value)(*map(as_kind, seed, value))
    if isinstance(value, (tuple, list)):
        return type(value)(map(as_kind, seed, value))
    if isinstance(value, np.ndarray) and value.dtype.kind in 'fc':
        return np.asarray(seed).astype(value.dtype)
    return value.dtype.type(seed) if isinstance(value, np.generic) and value.dtype.kind in 'fc' else seed


def well_formed(args, gradients, every):
    """Gradients have the type, shape and dtype of their arguments, and memory of their own."""
    for x, g in zip(args, gradients, strict=True):
        assert np.shape(x) == np.shape(g), f'gradient of shape {np.shape(g)} for an argument of shape {np.shape(x)}'
        wanted = np.asarray(x).dtype if np.asarray(x).dtype.kind in 'fc' else np.dtype(float)
        assert np.asarray(g).dtype == wanted, f'gradient of {np.asarray(g).dtype} for an argument of {np.asarray(x).dtype}'
        assert isinstance(g, np.ndarray) == isinstance(x, np.ndarray) or np.ndim(x) == 0, f'{type(g)} for {type(x)}'
        if isinstance(g, np.ndarray) and g.size:
            assert g.flags.writeable or g.ndim == 0, 'a gradient that cannot be written to'
            assert not any(isinstance(a, np.ndarray) and np.may_share_memory(g, a) for a in every), 'shares memory'
    arrays = [g for g in gradients if isinstance(g, np.ndarray) and g.size]
    assert not any(np.may_share_memory(g, h) for k, g in enumerate(arrays) for h in arrays[:k]), 'gradients share memory'
