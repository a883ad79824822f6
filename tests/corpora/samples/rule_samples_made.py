"""Samples made by the rule: every function with every shape, axis and keyword that it takes.

Each generator below yields calls as text and the shapes of the names in it; `made` draws the values. A text stands for
many samples: it is differentiated once, and called with arrays of every shape that is given for it.
"""
import itertools
import zlib

import numpy as np

from tests.tools.sampling import Sample

SHAPES = [(), (1,), (3,), (2, 3), (1, 3), (2, 1), (2, 1, 3), (0,), (2, 0)]
PAIRS = [((), ()), ((3,), (3,)), ((2, 3), (3,)), ((3,), (2, 3)), ((2, 1), (3,)), ((2, 3), ()), ((), (3,)), ((1,), (3,)),
         ((2, 1, 3), (4, 1)), ((1, 1), (2, 3)), ((0,), (1,)), ((2, 0), (0,))]
DOMAINS = {'real': (-2, 2), 'positive': (0.4, 2.2), 'inside': (-0.9, 0.9), 'above': (1.2, 3), 'share': (0.1, 0.9)}

UNARY = {
    'real': '''exp exp2 expm1 sin cos tan arctan sinh cosh tanh arcsinh sinc square negative positive reciprocal abs fabs
            absolute deg2rad radians rad2deg degrees cbrt nan_to_num real imag conj conjugate sign floor rint trunc ceil''',
    'positive': 'log log2 log10 log1p sqrt angle', 'inside': 'arcsin arccos arctanh asin acos atanh', 'above': 'arccosh acosh',
}
BINARY = '''add subtract multiply divide true_divide arctan2 hypot maximum minimum fmax fmin logaddexp logaddexp2 remainder mod
    fmod copysign float_power power pow heaviside floor_divide'''.split()
OPERATORS = ['a + b', 'a - b', 'a * b', 'a / b', 'a % b', 'a ** b', 'a // b', 'a * b + a', '(a < b) * a + b', 'abs(a - b)',
             '-a * +b', '2.0 * a - b / 3', 'a ** 2 * b', 'b ** -1.5 + a ** 3']


def made(text, domain='real', twice=True, **shapes):
    """A Sample of a call, with values drawn for it."""
    rng = np.random.default_rng(zlib.crc32(repr((text, shapes)).encode()))
    return Sample(text, {name: rng.uniform(*DOMAINS[domain], shape) for name, shape in shapes.items()}, twice)


def elementwise():
    """Functions and operators that work element by element."""
    for domain, names in UNARY.items():
        for name, shape in itertools.product(names.split(), SHAPES):
            yield made(f'numpy.{name}(a)', domain, a=shape)
    for name, (a, b) in itertools.product(BINARY, PAIRS):
        yield made(f'numpy.{name}(a, b)', 'positive', a=a, b=b)
    for text, (a, b) in itertools.product(OPERATORS, PAIRS):
        yield made(text, 'positive', a=a, b=b)
    for text, shape in itertools.product('''numpy.clip(a, -0.6, 0.7); numpy.clip(a, None, 0.3); numpy.clip(a, a_min=-0.4, a_max=None)
            a.clip(-0.6, 0.7); numpy.where(a > 0, a, 2 * a); numpy.where(a > 0, 1.0, a); numpy.select([a > 0.5, a < -0.5], [a, -a], 0.3)
            numpy.piecewise(a, [a < 0, a >= 0], [lambda t: t * t, lambda t: 3 * t]); numpy.i0(a); numpy.real_if_close(a)
            numpy.ldexp(a, 3); numpy.round(a, 1) * a; numpy.add(a, 1, dtype="float64"); numpy.exp(a, dtype=float)
            numpy.nan_to_num(a, nan=2.0); numpy.emath.sqrt(a); numpy.emath.log(a); numpy.emath.power(a, 2.5); numpy.isnan(a) * a
            numpy.modf(a); numpy.divmod(a, 0.7); numpy.frexp(a)[0]; a.real * a; a.conj() + a; numpy.angle(a) + a
            numpy.positive(a) * numpy.sign(a); numpy.fix(a) * a; numpy.heaviside(a, 0.5) * a; numpy.spacing(a) * a
            divmod(a, 0.7)[1]; operator.mul(a, a); operator.sub(1.5, a); operator.truediv(a, 3.0); operator.neg(a); operator.pow(a, 3)
            pow(a, 3); operator.mod(a, 0.7); operator.abs(a); operator.pos(a)
            '''.replace('\n', ';').split(';'), [(), (3,), (2, 3), (1, 1), (0,)]):
        if text.strip():
            yield made(text.strip(), a=shape, twice='piecewise' not in text)


REDUCTIONS = '''sum mean prod max min amax amin var std median ptp average nansum nanmean nanprod nanmax nanmin nanvar nanstd
    nanmedian'''.split()
WHERE = '''sum mean prod var std nansum nanmean nanprod nanvar nanstd'''.split()
AXES = [('', [(3,), (2, 3), (2, 3, 2), (1,), (1, 3), ()]), ('axis=0', [(3,), (2, 3), (2, 3, 2), (1, 3), (2, 1)]),
        ('axis=-1', [(3,), (2, 3), (2, 3, 2), (2, 1)]), ('axis=(0, 2)', [(2, 3, 2), (1, 3, 2)]), ('axis=(0, -1)', [(2, 3), (2, 3, 2)]),
        ('axis=1, keepdims=True', [(2, 3), (2, 3, 2), (1, 3), (2, 1)]), ('keepdims=True', [(3,), (2, 3), (2, 3, 2)]),
        ('axis=None', [(2, 3)]), ('axis=numpy.array(1)', [(2, 3)])]

NO_METHODS = {'hypot.accumulate', 'logaddexp2.accumulate', 'subtract.accumulate', 'subtract.reduce', 'subtract.reduceat'}


def reductions():
    """Sums, means, products, extrema: over each axis, with each keyword."""
    for name, (axis, shapes) in itertools.product(REDUCTIONS, AXES):
        if 'array' in axis and name not in ('sum', 'max'):
            continue
        for shape in shapes:
            yield made(f'numpy.{name}(a{", " + axis if axis else ""})', a=shape)
    for name, (axis, shapes) in itertools.product('sum mean prod max min var std cumsum cumprod'.split(), AXES[:3]):
        for shape in shapes:
            yield made(f'a.{name}({axis})', a=shape)
    for name, more in itertools.product(WHERE, ['', ', axis=1', ', axis=0, keepdims=True']):
        yield made(f'numpy.{name}(a, where=a > -1.2{more})', a=(2, 3, 4))
        yield made(f'numpy.{name}(a, where=numpy.array([True, False, True, True]){more})', a=(2, 3, 4))
    for name, more in itertools.product('max min amax amin nanmax nanmin'.split(), ['', ', axis=1', ', axis=0, keepdims=True']):
        low = '5.0' if 'min' in name else '-5.0'
        yield made(f'numpy.{name}(a, where=a > -1.2, initial={low}{more})', a=(2, 3, 4))
        yield made(f'numpy.{name}(a, initial=b{more})', a=(2, 3), b=())
    for name, more in itertools.product('sum prod nansum nanprod'.split(), ['', ', axis=1', ', keepdims=True']):
        yield made(f'numpy.{name}(a, initial=b{more})', a=(2, 3), b=())
        yield made(f'numpy.{name}(a, dtype="float64"{more})', a=(2, 3))
    for name, ddof, shape in itertools.product('var std nanvar nanstd'.split(), ['ddof=1', 'ddof=1, axis=1', 'correction=1, axis=0'],
                                               [(3, 2), (2, 3, 2)]):
        yield made(f'numpy.{name}(a, {ddof})', a=shape)
    for name, axis in itertools.product('cumsum cumprod nancumsum nancumprod'.split(), ['', ', axis=0', ', axis=-1']):
        for shape in [(3,), (2, 3), (2, 3, 2), (1, 3), (0,)]:
            yield made(f'numpy.{name}(a{axis})', a=shape)
    for name, more in itertools.product(['cumulative_sum', 'cumulative_prod'], ['axis=0', 'axis=-1, include_initial=True']):
        for shape in [(3,), (2, 3), (2, 3, 2)]:
            yield made(f'numpy.{name}(a, {more})', a=shape)
    for ufunc, way in itertools.product('add subtract multiply maximum minimum fmax fmin logaddexp logaddexp2 hypot'.split(),
                                        ['reduce(a)', 'reduce(a, axis=-1)', 'reduce(a, axis=1, keepdims=True)', 'accumulate(a)',
                                         'accumulate(a, axis=-1)', 'reduceat(a, [0, 2, 1])', 'reduceat(a, [0, 1], axis=-1)']):
        if f'{ufunc}.{way.partition("(")[0]}' in NO_METHODS:
            continue
        for shape in [(3, 2), (3, 2, 2)]:
            yield made(f'numpy.{ufunc}.{way}', 'positive', a=shape)
    for ufunc, (a, b) in itertools.product('''add subtract multiply divide maximum minimum power float_power arctan2 hypot logaddexp
                                           logaddexp2 fmod remainder copysign fmax fmin'''.split(),
                                           [((3,), (2,)), ((2, 3), (2,)), ((), (3,)), ((3,), ())]):
        yield made(f'numpy.{ufunc}.outer(a, b)', 'positive', a=a, b=b)


QUANTILES = '''linear hazen weibull median_unbiased normal_unbiased interpolated_inverted_cdf lower higher nearest midpoint
    inverted_cdf averaged_inverted_cdf closest_observation'''.split()


def orders():
    """Sorting, order statistics."""
    for name, more in itertools.product('quantile nanquantile percentile nanpercentile'.split(),
                                        ['', ', axis=0', ', axis=-1, keepdims=True', ', axis=(0, 1)']):
        q, one = ('[0.2, 0.55]', '0.3') if 'quan' in name else ('[20, 55.0]', '30')
        for shape in [(3, 2), (4, 3, 2)]:
            yield made(f'numpy.{name}(a, {one}{more})', a=shape)
            yield made(f'numpy.{name}(a, {q}{more})', a=shape)
    for method, shape in itertools.product(QUANTILES, [(7,), (5, 2)]):
        yield made(f'numpy.quantile(a, 0.37, axis=0, method="{method}")', a=shape)
        yield made(f'numpy.nanpercentile(a, [12, 64], axis=0, method="{method}")', a=shape)
        yield Sample(f'numpy.quantile(a, q, axis=0, method="{method}")',
                     {**made('quantile', a=shape).values, 'q': np.array([0.33, 0.71])})
    for text, shapes in [('numpy.sort(a)', [(4,), (2, 3), (2, 3, 2), (1,), (0,)]), ('numpy.sort(a, axis=0)', [(4,), (2, 3)]),
                         ('numpy.sort(a, axis=None)', [(2, 3)]), ('numpy.sort(a, kind="stable")', [(2, 3)]),
                         ('numpy.partition(a, 1)', [(4,), (2, 3), (2, 3, 2)]), ('numpy.partition(a, 1, axis=0)', [(4,), (2, 3)]),
                         ('numpy.partition(a, (0, 2), axis=None)', [(2, 3)]), ('numpy.sort_complex(a)', [(4,), (2, 3)]),
                         ('numpy.take_along_axis(a, numpy.argsort(a, axis=0), 0)', [(4,), (2, 3)]), ('a[numpy.argsort(a)]', [(4,)]),
                         ('numpy.unique(a)', [(4,), (2, 3)]), ('a[numpy.argpartition(a, 1)[:1]]', [(4,)]), ('numpy.max(a) - a[a.argmin()]', [(4,)]),
                         ('a[numpy.unravel_index(numpy.argmax(a), a.shape)]', [(4,), (2, 3)]), ('numpy.lexsort((a,)) * a', [(4,)]),
                         ('numpy.searchsorted(numpy.sort(a), 0.1) * a', [(4,)]), ('numpy.trim_zeros(a)', [(4,)]),
                         ('numpy.trim_zeros(numpy.pad(a, 2), "f")', [(4,)]), ('numpy.trim_zeros(numpy.pad(a, 2), "b")', [(4,)]),
                         ('numpy.intersect1d(a, a[:2])', [(4,)]), ('numpy.union1d(a, a[:2])', [(4,)]), ('numpy.setxor1d(a, a[:2])', [(4,)]), ('numpy.unique_all(a)[0]', [(4,)]),
                         ('numpy.unique_counts(a)[0]', [(4,)]), ('numpy.unique_inverse(a)[0]', [(4,)]), ('numpy.sum(numpy.unique_values(a))', [(4,)]),
                         ('numpy.subtract.reduce(a)', [(4,), (2, 3)]), ('numpy.subtract.reduce(a, axis=-1)', [(2, 3)]), ('numpy.setdiff1d(a, a[:2])', [(4,)])]:
        for shape in shapes:
            yield made(text, a=shape)
