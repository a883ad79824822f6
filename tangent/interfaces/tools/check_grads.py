"""`check_grads`: derivatives of a function against finite differences, of any order, in both modes.

    tangent.check_grads(f, (x, w), order=2)           # the form of JAX
    tangent.check_grads(f, (0, 1), modes=['rev'])(x, w)           # the form of autograd: positions, 0 by default
"""
import copy

import numpy as np

from tangent import errors
from tangent.driver import ruled_functions, variants
from tangent.driver.options import Options
from tangent.interfaces import linear_maps
from tangent.interfaces.arguments import asks
from tangent.interfaces.debugging import blame
from tangent.interfaces.tools import finite_differences
from tangent.runtime.pytree import filled, leaves, leaves_like, mapped, places

MODES = {'rev': 'rev', 'reverse': 'rev', 'fwd': 'fwd', 'forward': 'fwd'}
LOOKED_AT = 100            # entries of an argument among which the wrong one is looked for


@asks
def check_grads(f, args=None, order=2, modes=('rev', 'fwd'), atol=None, rtol=None, eps=None):
    """Check the derivatives of a function at given arguments.

    Parameters
    ----------
    f : function
        Its result may be a number, an array or a container of them.
    args : tuple, or positions
        Its arguments; those made of real or complex numbers are checked, one by one. With a position or a tuple of positions
        in their place (integers have no derivative to be checked), or without them, the result is a function of the
        arguments, as in autograd, and checks what stands there.
    order : int
        2 checks the derivatives of the derivatives as well.
    modes : sequence of {'rev', 'fwd'}
        At higher orders in every mix.
    atol, rtol : float
        Tolerances; by default 1e-5 in double precision.
    eps : float
        Step of the differences.

    Returns
    -------
    function or None
        A function of the arguments, where none are given.

    Raises
    ------
    CheckError
        An AssertionError that names the entry of the argument, shows both numbers, how far they are apart and the step, and the
        statement whose derivative is wrong: the function is run once more, and each statement checked by itself.

    Notes
    -----
    Central differences against both modes, by directions and by the dot-product test.

    Examples
    --------
    >>> check_grads(numpy.tanh, (0.5,), order=2)
    """
    given = [MODES.get(m) for m in ((modes,) if isinstance(modes, str) else modes)]
    if None in given:
        raise errors.ArgumentError(f"modes is {modes!r}: it has to be made of 'rev' and 'fwd'")
    if not isinstance(order, (int, np.integer)) or order < 1:
        raise errors.ArgumentError(f'order is {order!r}: 1 checks the derivatives, 2 those of the derivatives too')
    for name, value in (('atol', atol), ('rtol', rtol), ('eps', eps)):
        if value is not None and not (isinstance(value, (int, float)) and value >= 0):
            raise errors.ArgumentError(f'{name} is {value!r}: it has to be a number, 0 or more')
    if eps == 0:
        raise errors.ArgumentError('eps is 0: it is a step, and has to be above 0')
    options = order, tuple(given), atol, rtol, eps
    if are_positions(args):
        wrt = args or (0,)
        return lambda *args, **keywords: Check(f, args, keywords, options, name_of(f), wrt=wrt).run()
    if not isinstance(args, (tuple, list)):
        raise errors.ArgumentTypeError(f'args is a {type(args).__name__}: it has to be a tuple of the arguments, (x,) for one')
    return Check(f, tuple(args), {}, options, name_of(f)).run()


def are_positions(args):
    each = args if isinstance(args, (tuple, list)) else (args,)
    return args is None or bool(each) and all(type(k) is int for k in each)


def name_of(f):
    name = getattr(f, '__name__', 'f')
    return 'the function' if name == '<lambda>' else name


def is_inexact(leaf):
    return np.asarray(leaf).dtype.kind in 'fc'


class Check:
    """One function at one point."""

    def __init__(self, f, args, keywords, options, title, seed=0, wrt=None, inner=False):
        if ruled_functions.is_ruled(f) or linear_maps.is_starred(f):
            f, keywords = ruled_functions.fixed(f, len(args), keywords), {}
        self.f, self.title, self.inner = f, title, inner
        self.order, self.modes, self.atol, self.rtol, self.eps = options
        self.options = options
        complete = linear_maps.completing(f)
        self.args, self.keywords = complete(args, keywords), complete.rest(keywords)
        self.names = [*complete.names, *(f'argument {k}' for k in range(len(complete.names), len(self.args)))]
        self.random = np.random.default_rng(seed)
        asked = {k % len(self.args) for k in ((wrt,) if isinstance(wrt, int) else wrt)} if wrt is not None else None
        self.args = tuple(float(a) if asked and k in asked and type(a) is int else a for k, a in enumerate(self.args))
        self.wrt = tuple(k for k, a in enumerate(self.args)
                         if (asked is None or k in asked) and any(map(is_inexact, leaves(a))))
        if not self.wrt:
            raise errors.ArgumentError(f'{title} has no argument made of real or complex numbers: nothing can be checked')
        for k in self.wrt:
            for place, leaf in zip(places(self.args[k], self.names[k]), leaves(self.args[k])):
                if is_inexact(leaf) and not np.all(np.isfinite(leaf)):
                    raise errors.ArgumentError(f'{place} holds nan or inf, where finite differences say nothing')

    def run(self):
        if 'fwd' in self.modes:
            self.first('fwd', self.forward)
        if 'rev' in self.modes:
            self.first('rev', self.reverse)
        if self.order > 1:
            for mode in self.modes:
                self.higher(mode)

    # First order

    def first(self, mode, check):
        """Check one mode; where it is wrong, say in which statement."""
        try:
            check()
        except errors.CheckError as error:
            if self.inner:
                raise
            options = 1, (mode,), self.atol, self.rtol, self.eps
            alone = lambda f, args: Check(f, args, {}, options, f.__name__, inner=True).run()  # noqa: E731
            raise errors.CheckError(error.bare + blame.statement(self.f, self.args, self.keywords, alone)) from None

    def value(self, args):
        return self.f(*copy.deepcopy(args), **self.keywords)

    def forward(self):
        for k in self.wrt:
            v = self.drawn(self.args[k])
            if any(not self.same(d, q) for _, (d, q) in self.pushed(k, v)):
                for by, _, direction in self.units(k):          # which entry it is
                    for place, (d, q) in self.pushed(k, direction):
                        self.compare(d, q, 'tangent', place, by)
                for place, (d, q) in self.pushed(k, v):
                    self.compare(d, q, 'tangent', place, f'{self.names[k]} along a random direction')

    def pushed(self, k, v):
        """(place, (tangent, quotient)) for each leaf of the result, along a direction of argument `k`."""
        _, tangent = linear_maps.pushing(self.f, (k,))(copy.deepcopy(self.args), self.keywords, (v,))
        return list(self.both(tangent, self.quotient(k, v)))

    def units(self, k):
        """(name, (leaf, index), direction) for the entries of argument `k`, the first of each leaf."""
        x, points = self.args[k], leaves(self.args[k])
        for i, (place, leaf) in enumerate(zip(places(x, self.names[k]), points)):
            for index in list(np.ndindex(np.shape(leaf)))[:LOOKED_AT] if is_inexact(leaf) else ():
                one = np.zeros(np.shape(leaf))
                one[index] = 1.0
                direction = filled(x, [one[()] if j == i else np.zeros(np.shape(p))[()] for j, p in enumerate(points)])
                yield place + (f'[{", ".join(map(str, index))}]' if index else ''), (i, index), direction

    def reverse(self):
        value, pull = linear_maps.pulling(self.f, self.wrt)(copy.deepcopy(self.args), self.keywords)
        seed = self.drawn(value)
        for k, g in zip(self.wrt, pull(seed)):
            self.same_form(k, g)
            v = self.drawn(self.args[k])
            d, q = inner(v, g), inner(seed, self.quotient(k, v))
            if not self.close(d, q):
                self.compare(*self.worst(k, g, seed, (d, q)))

    def same_form(self, k, g):
        for place, x, part in zip(places(self.args[k], self.names[k]), leaves(self.args[k]), leaves(g)):
            if np.shape(x) != np.shape(part):
                raise errors.CheckError(f'{self.title}: the gradient by {place} has shape {np.shape(part)}, and {place} has '
                                        f'shape {np.shape(x)}')

    def quotient(self, k, v):
        """The derivative of the value along a direction of argument `k`, by differences."""
        x = double(self.args[k])
        step = self.step

        def at(t):
            moved = mapped(
                lambda leaf, d: finite_differences.moved_to(leaf + t * step * d, leaf) if is_inexact(leaf) else leaf, x, v)
            return self.value((*self.args[:k], moved, *self.args[k + 1:]))
        values = [at(t) for t in (1, -1, 2, -2)]
        return mapped(lambda a, b, c, d: (4 * (a - b) / 2 - (c - d) / 4) / (3 * step) if is_inexact(a) else 0.0, *values)

    @property
    def step(self):
        """The step of the differences."""
        return self.eps or np.cbrt(np.finfo(float).eps)

    def worst(self, k, g, seed, totals):
        """What to show of a wrong gradient: the entry where it is furthest off, if one can be found."""
        parts, found = leaves_like(self.args[k], g), (0.0, None)
        for place, (i, index), direction in self.units(k):
            q, d = inner(seed, self.quotient(k, direction)), np.real(np.asarray(parts[i])[index])
            if abs(d - q) > found[0]:
                found = abs(d - q), (d, q, 'gradient', '', place)
        if found[1] is None or self.close(*found[1][:2]):
            return (*totals, 'gradient', '', self.names[k] + ' along a random direction')
        return found[1]

    def both(self, tangent, quotient):
        """(place, (derivative, quotient)) for each leaf of the result."""
        return zip(places(quotient), zip(leaves(tangent), leaves(quotient)))

    def same(self, d, q):
        return np.shape(d) == np.shape(q) and self.close(d, q)

    def compare(self, d, q, kind, of, by):
        """Complain if two values are not the same; `of` is a part of the result, `by` the argument or a part of it."""
        if self.same(d, q):
            return
        if np.shape(d) == np.shape(q) != ():             # the entry that is furthest off
            index = np.unravel_index(np.argmax(np.nan_to_num(np.abs(np.subtract(d, q)), nan=np.inf)), np.shape(d))
            of, d, q = f'{of}[{", ".join(map(str, index))}]', d[index], q[index]
        raise errors.CheckError(f'the {kind} of {self.title}{of} by {by} is {d}, but finite differences give {q}'
                                f'{self.off(d, q)}')

    def off(self, d, q):
        """How far apart two numbers are, and the step."""
        if np.shape(d) or np.shape(q):
            return ''
        share = f', {abs(d - q) / abs(q):.2g} of it' if q else ''
        return f' (off by {abs(d - q):.3g}{share}; the step is {self.step:.2g})'

    def close(self, d, q):
        kinds = [leaf for a in self.args for leaf in leaves(a) if is_inexact(leaf)]
        coarse = max(np.finfo(np.asarray(leaf).dtype).eps for leaf in kinds)
        slack = 1e-5 if coarse < 1e-10 else 100 * np.sqrt(coarse) / 10
        scale = np.max(np.abs(q), initial=1.0)
        return np.allclose(d, q, rtol=slack if self.rtol is None else self.rtol,
                           atol=slack * scale if self.atol is None else self.atol, equal_nan=True)

    def drawn(self, value):
        """A random value of the same structure; 0 for integers."""
        def part(leaf):
            if not is_inexact(leaf):
                return np.zeros(np.shape(leaf))[()]
            drawn = self.random.uniform(0.5, 1.5, np.shape(leaf)) * self.random.choice([-1, 1], np.shape(leaf))
            if np.iscomplexobj(leaf):
                drawn = drawn + 1j * self.random.normal(size=np.shape(leaf))
            return drawn.astype(np.asarray(leaf).dtype)[()] if hasattr(leaf, 'dtype') else drawn.item()
        return mapped(part, value)

    # Higher orders

    def higher(self, mode):
        in_complex = linear_maps.has_complex((self.args, self.value(self.args)))
        options = Options(scalar=False, first=False, default=None, bare=False, mode='forward' if mode == 'fwd' else 'reverse',
                          in_complex=in_complex)
        derivative = variants.derivative(self.f, self.wrt, options)
        if mode == 'fwd':
            more = tuple(self.drawn(self.args[k]) for k in self.wrt)
        else:
            more = (self.drawn(self.value(self.args)),)
        rest = self.order - 1, *self.options[1:]
        kind = 'tangent' if mode == 'fwd' else 'gradient'
        wrt = self.wrt + tuple(range(len(self.args), len(self.args) + len(more)))
        Check(derivative, (*self.args, *more), self.keywords, rest, f'the {kind} of {self.title}', 1, wrt).run()


def inner(a, b):
    """The real inner product of a value and one like it."""
    return sum(np.sum(np.real(np.conj(x) * y)) for x, y in zip(leaves(a), leaves_like(a, b)))


def double(value):
    return mapped(lambda leaf: finite_differences.promote(leaf, 'it') if is_inexact(leaf) else leaf, value)
