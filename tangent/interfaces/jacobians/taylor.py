"""Truncated power series as numbers: functions run on them give Taylor coefficients of any order in one go.

A rule that gives the tangent of a function gives its series: `y' = rule(x, y; x')` says the coefficient `k + 1` of `y` from
those of `x` and `y` up to `k` (Griewank and Walther, Evaluating Derivatives, 2nd ed., chapter 13). Linear functions act on
each coefficient, products by Cauchy's formula. What series cannot go through (Python's `math`, arrays that they are written
into, `float(x)`) raises, and is left to forward mode, used again and again.
"""
import ast
import functools
import operator

import gast
import numpy as np

from tangent.emit.library import find
from tangent.runtime.broadcast import gradient_dtype
from tangent.runtime.pytree import mapped
from tangent.templates.language import registry

MOST = 20_000               # applications of rules, after which forward mode is left to do it
SAME = {np.zeros_like, np.ones_like, np.empty_like, np.full_like}


class NoSeries(Exception):
    """Something that series cannot go through."""


class Series(np.lib.mixins.NDArrayOperatorsMixin):
    """`sum(c[k] * t ** k)`; the coefficients have the shape of the value."""

    __array_priority__ = 1000
    __hash__ = None                                       # type: ignore[assignment]

    def __init__(self, c, known=None):
        self.c, self.known = c, {} if known is None else known   # (what functions made of series, for all of them)

    @property
    def order(self):
        return len(self.c) - 1

    def cut(self, order):
        return Series(self.c[:order + 1], self.known)

    def slope(self):
        """The series of the derivative by `t`, one order less."""
        count = np.arange(1, len(self.c)).reshape(-1, *[1] * (self.c.ndim - 1))
        return Series(self.c[1:] * count, self.known)

    # As a number or an array

    def __array__(self, dtype=None, copy=None):
        raise NoSeries

    def __bool__(self):
        return bool(self.c[0])

    def __len__(self):
        return len(self.c[0])

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def __getitem__(self, index):
        return Series(np.stack([c[index] for c in self.c]), self.known)

    def __setitem__(self, index, value):
        for k, c in enumerate(self.c):
            c[index] = value.c[k] if isinstance(value, Series) else value if k == 0 else 0

    def __getattr__(self, name):
        if registry.tells(name):
            return getattr(self.c[0], name)
        if name == 'copy':
            return lambda: Series(self.c.copy(), self.known)
        rule = registry.attribute(name)
        if rule is not None:
            return applied(rule, operator.attrgetter(name), (self,), {})
        rule = registry.method(name)
        if rule is None or name.startswith('__'):
            raise AttributeError(name)
        return lambda *args, **keywords: applied(rule, functools.partial(method, name), (self, *args), keywords)

    def __array_ufunc__(self, ufunc, method, *args, out=None, **keywords):
        if method != '__call__' or keywords or out is not None:
            raise NoSeries
        if ufunc in COMPARISONS:
            return ufunc(*map(value_of, args))
        if ufunc is np.power and not isinstance(args[0], Series) and np.all(np.asarray(args[0]) > 0):
            return np.exp(args[1] * np.log(args[0]))
        if ufunc in DIRECT:
            return Series(DIRECT[ufunc](*spread_out(args)), next(series_in(args)).known)
        return called(ufunc, args, {})

    def __array_function__(self, function, kinds, args, keywords):
        return called(function, args, keywords)


def method(name, owner, *args, **keywords):
    return getattr(owner, name)(*args, **keywords)


COMPARISONS = {np.less, np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal, np.isnan, np.isfinite, np.isinf}


def value_of(x):
    return x.c[0] if isinstance(x, Series) else x


def constant(x, order):
    """The coefficients of a constant."""
    x = np.asarray(x)
    return np.concatenate([x[None], np.zeros((order, *x.shape), np.result_type(x, float))])


def spread_out(args):
    """The coefficients of the arguments, of one order and one rank."""
    order = next(series_in(args)).order
    found = [a.c if isinstance(a, Series) else constant(a, order) for a in args]
    rank = max(c.ndim for c in found)
    return [c.reshape(len(c), *[1] * (rank - c.ndim), *c.shape[1:]) for c in found]


def product(a, b, times=operator.mul):
    """Cauchy's formula."""
    return np.stack([sum(times(a[j], b[k - j]) for j in range(k + 1)) for k in range(len(a))])


def quotient(a, b):
    found = []
    for k in range(len(a)):
        found.append((a[k] - sum(found[j] * b[k - j] for j in range(k))) / b[0])
    return np.stack(found)


DIRECT = {np.add: operator.add, np.subtract: operator.sub, np.negative: operator.neg, np.positive: operator.pos,
          np.multiply: product, np.divide: quotient}


BY_FORMULA = dict.fromkeys(['safe_divide', 'quotient'], operator.truediv)       # helpers, where they divide by what is not 0


# Rules

def called(function, args, keywords):
    """What a function with a rule makes of arguments among which there are series."""
    if function in SAME:
        return Series(constant(function(*map(value_of, args), **keywords), args[0].order), args[0].known)
    rule = registry.lookup(function, 'forward')
    if rule is None:
        raise NoSeries(f'{function} has no rule')
    return applied(rule, function, args, keywords)


def applied(rule, function, args, keywords):
    """The same for a known rule, remembered: functions whose derivatives name each other would be asked again and again."""
    known = next(series_in((args, tuple(keywords.values())))).known
    if len(known) > MOST:
        raise NoSeries('too much work')
    key = rule, *map(marked, args), *((name, marked(a)) for name, a in keywords.items())
    if key not in known:
        known[key] = anew(rule, function, args, keywords)
    found = known[key]
    return Series(found, known) if rule.kind != 'constant' else found


def marked(a):
    """What tells one argument from another."""
    if isinstance(a, (Series, np.ndarray)):
        c = a.c if isinstance(a, Series) else a
        return isinstance(a, Series), c.shape, c.dtype.str, c.tobytes()
    if isinstance(a, (tuple, list)):
        return type(a), *map(marked, a)
    return type(a), repr(a) if not callable(a) else a


def anew(rule, function, args, keywords):
    """The coefficients."""
    run = functools.partial(evaluated, function, args, keywords)
    first = run(0)
    if rule.kind == 'constant':
        return first
    order = next(series_in((args, tuple(keywords.values())))).order
    if rule.kind == 'linear':
        return np.stack([np.asarray(first, float), *(run(k, zero=True) for k in range(1, order + 1))])
    values = {**{f'a{k}': a for k, a in enumerate(args)}, **keywords}
    series = [key for key, a in values.items() if held_series(a)]
    if rule.kind == 'bilinear' and all(isinstance(values[key], Series) for key in series) and len(series) <= 2:
        if len(series) == 1:
            return np.stack([run(k) for k in range(order + 1)])
        left, right = (values[key].c for key in series)
        return product(left, right, lambda a, b: given(function, args, keywords, values, dict(zip(series, (a, b)))))
    bound = rule.bind(*tree_parts(args, keywords))
    text, names = forward_text(rule, bound, values)
    return integrated(text, names, values, np.asarray(first), order)


def given(function, args, keywords, values, found):
    """The function of the arguments with some of them replaced."""
    return function(*(found.get(f'a{k}', a) for k, a in enumerate(args)),
                    **{key: found.get(key, a) for key, a in keywords.items()})


def tree_parts(args, keywords):
    """The arguments as trees: literals as they are, others as names."""
    def part(name, a):
        return gast.Name(name, gast.Load(), None, None) if held(a) else tree_of(a)
    return [part(f'a{k}', a) for k, a in enumerate(args)], {key: part(key, a) for key, a in keywords.items()}


def held(a):
    return any(True for _ in series_in(a)) or isinstance(a, np.ndarray)


def series_in(a):
    if isinstance(a, Series):
        yield a
    elif isinstance(a, (tuple, list)):
        for b in a:
            yield from series_in(b)


def tree_of(a):
    try:
        return gast.parse(repr(a), mode='eval').body
    except SyntaxError:
        raise NoSeries from None


def evaluated(function, args, keywords, k, zero=False):
    """The function of the coefficients number `k`; of zeros, for linear ones, where there are none."""
    def part(a):
        if isinstance(a, Series):
            return a.c[k]
        if isinstance(a, (tuple, list)) and any(True for _ in series_in(a)):
            return type(a)(part(b) if isinstance(b, Series) else np.zeros_like(b) if zero else b for b in a)
        return a
    return function(*map(part, args), **{key: part(a) for key, a in keywords.items()})


def forward_text(rule, bound, values):
    """(the tangent of the result as code, whether it reads the result), for tangents `d_a0` of the arguments `a0`."""
    active, tangents = set(), {}
    for p, e in bound.items():
        elements = e.elts if p == rule.vararg else [e]
        moving = [isinstance(x, gast.Name) and held_series(values.get(x.id)) for x in elements]
        if any(moving) and p in rule.differentiable:
            active.add(p)
            trees = [gast.Name(f'd_{x.id}', gast.Load(), None, None) if m else None for x, m in zip(elements, moving)]
            tangents[p] = trees if p == rule.vararg else trees[0]
        elif any(moving):
            raise NoSeries(f'{rule.name} has no derivative by {p}')
    body, value = rule.forward(bound, gast.Name('result_', gast.Load(), None, None), tangents, active)
    if body:
        raise NoSeries
    code = compile(ast.fix_missing_locations(gast.gast_to_ast(gast.Expression(value))), '<series>', 'eval')
    return code, {n.id for n in gast.walk(value) if isinstance(n, gast.Name)}


def held_series(a):
    return any(True for _ in series_in(a))


def integrated(code, names, values, first, order):
    """The series that begins with `first` and whose derivative is what the code says."""
    library = {n: helper(n) for n in names if n not in values and not n.startswith('d_') and n != 'result_'}

    def slope_at(m, result):
        given = {key: cut(a, m) for key, a in values.items()}
        slopes = {f'd_{key}': slopes_of(a, m) for key, a in values.items() if held_series(a)}
        found = eval(code, {**library, **given, **slopes, 'result_': result})
        return found.c if isinstance(found, Series) else constant(found, m)
    found = [np.asarray(first, np.result_type(first, float))]
    if 'result_' not in names:
        rest = slope_at(order - 1, None) if order else []
        return np.stack(np.broadcast_arrays(*found, *(c / (k + 1) for k, c in enumerate(rest))))
    known = next(series_in(tuple(values.values()))).known
    for m in range(order):
        found.append(slope_at(m, Series(np.stack(found), known))[m] / (m + 1))
    return np.stack(found)


def cut(a, m):
    if isinstance(a, (tuple, list)):
        return type(a)(cut(b, m) for b in a)
    return a.cut(m) if isinstance(a, Series) else a


def slopes_of(a, m):
    if isinstance(a, (tuple, list)):
        return type(a)(slopes_of(b, m) if isinstance(b, Series) else np.zeros_like(b) for b in a)
    return a.slope().cut(m)


def helper(name):
    """A library function that takes series."""
    found = find(name)
    if not callable(found):
        return found

    def helped(*args, **keywords):
        if name in BY_FORMULA and all(np.all(value_of(a)) for a in args[1:]):
            return BY_FORMULA[name](*args)
        given = [s for a in (*args, *keywords.values()) for s in series_in(a)]
        return called(found, args, keywords) if given else found(*args, **keywords)
    return helped


def coefficients(func, x, v, order):
    """The value of `func(x + t * v)` with a series in place of each number or array that moves.

    Raises
    ------
    Exception
        Whatever goes wrong where a series is no number.
    """
    known: dict = {}

    def started(value, direction):
        if np.iscomplexobj(value):
            raise NoSeries('complex numbers')
        first = np.stack([np.asarray(value, float), np.asarray(direction, float)])
        return Series(np.concatenate([first, np.zeros((order - 1, *np.shape(value)))]), known)
    return func(mapped(started, x, v))


def parts(value, like, k):
    """The coefficients number `k`, in the structure and dtypes of the value `like`."""
    def part(y, s):
        if not isinstance(s, Series):
            s = Series(constant(s, k))
        if np.shape(y) != s.shape:
            raise NoSeries('another shape')
        return s.c[k].astype(gradient_dtype(y))[()] if gradient_dtype(y) is not None else float(s.c[k])
    return mapped(part, like, value)
