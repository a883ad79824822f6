"""Distributions of `scipy.stats`, in plain Python around SciPy's own formulas; see `table`.

SciPy evaluates a density at those points only that lie in the support, which it picks with masks. Here it is evaluated
everywhere, at a point inside the support in place of those outside, and selected. Each function of a distribution has its
text from one of the patterns below, with the parameters by name, in which `law` is the distribution.
"""
import ast
import dataclasses
import inspect
import linecache
import textwrap
import types

import numpy as np
import scipy.stats
from scipy.stats._distn_infrastructure import rv_continuous, rv_discrete, rv_generic

from tangent.errors import ArgumentError

PLACED = '''
    z = (x - loc) / scale
    inside, known = in_support(law, z, {shapes}, scale)
    z = np.where(inside, z, inner_point(law, {shapes}))
'''
CHOSEN = '    return np.where(known, np.where(inside, {inside}, {outside}), np.nan)[()]\n'
ABOVE = 'above(law, x, {shapes}, loc, scale)'
MOMENTS = '    mean, variance, skewness, kurtosis = law._stats({given})\n'
CONTINUOUS = {
    'pdf': ('x, ', PLACED + CHOSEN.format(inside='law._pdf({at}) / scale', outside='0.0')),
    'logpdf': ('x, ', PLACED + CHOSEN.format(inside='law._logpdf({at}) - np.log(scale)', outside='-np.inf')),
    'cdf': ('x, ', PLACED + CHOSEN.format(inside='law._cdf({at})', outside=ABOVE)),
    'sf': ('x, ', PLACED + CHOSEN.format(inside='law._sf({at})', outside='1.0 - ' + ABOVE)),
    'logcdf': ('x, ', PLACED + CHOSEN.format(inside='{logcdf}', outside=f'np.where({ABOVE} == 1.0, 0.0, -np.inf)')),
    'logsf': ('x, ', PLACED + CHOSEN.format(inside='{logsf}', outside=f'np.where({ABOVE} == 1.0, -np.inf, 0.0)')),
    'ppf': ('q, ', '\n    check_quantiles(law, q, {shapes}, scale)\n    return law._ppf(q, {given}) * scale + loc\n'),
    'isf': ('q, ', '\n    check_quantiles(law, q, {shapes}, scale)\n    return {isf} * scale + loc\n'),
    'median': ('', '\n    return law._ppf(0.5, {given}) * scale + loc\n'),
    'mean': ('', '\n' + MOMENTS + '    return mean * scale + loc\n'),
    'var': ('', '\n' + MOMENTS + '    return variance * scale * scale\n'),
    'std': ('', '\n' + MOMENTS + '    return np.sqrt(variance) * scale\n'),
    'entropy': ('', '\n    return law._entropy({given}) + np.log(scale)\n'),
}
COUNTED = '''
    z = np.subtract(k, loc)
    inside, known = in_support(law, z, {shapes}, 1.0)
    z = np.where(inside, z, inner_point(law, {shapes}))
'''
DISCRETE = {
    'pmf': ('k, ', COUNTED + CHOSEN.format(inside='{pmf}', outside='0.0')),
    'logpmf': ('k, ', COUNTED + CHOSEN.format(inside='{logpmf}', outside='-np.inf')),
    'mean': ('', '\n' + MOMENTS + '    return mean + loc\n'),
    'var': ('', '\n' + MOMENTS + '    return variance\n'),
    'std': ('', '\n' + MOMENTS + '    return np.sqrt(variance)\n'),
    'entropy': ('', '\n    return law._entropy({given})\n'),
}
OTHER = {'logcdf': ('law._logcdf({at})', 'np.log(law._cdf({at}))'), 'logsf': ('law._logsf({at})', 'np.log(law._sf({at}))'),
         'isf': ('law._isf(q, {given})', 'law._ppf(1 - q, {given})'), 'pmf': ('law._pmf({at})', 'np.exp(law._logpmf({at}))'),
         'logpmf': ('law._logpmf({at})', 'np.log(law._pmf({at}))')}


def has_own(law, name):
    """Whether a distribution has a formula of its own."""
    return getattr(type(law), name).__module__ != 'scipy.stats._distn_infrastructure'


def text_of(law, name):
    """The text of one function of a distribution."""
    first, pattern = patterns(law)[name]
    given = [s.strip() for s in law.shapes.split(',')] if law.shapes else []
    shapes = f'({", ".join(given)}{"," * (len(given) == 1)})'
    words = {'shapes': shapes, 'given': ', '.join(given), 'at': ', '.join(['z', *given])}
    own = {key: texts[not has_own(law, f'_{key}')].format(**words) for key, texts in OTHER.items()
           if hasattr(type(law), f'_{key}')}
    last = 'loc=0.0, scale=1.0' if isinstance(law, rv_continuous) else 'loc=0.0'
    return f'def {law.name}_{name}({first}{"".join(g + ", " for g in given)}{last}):' + pattern.format(**words, **own)


def patterns(law):
    return CONTINUOUS if isinstance(law, rv_continuous) else DISCRETE


def known(law):
    """Names of the functions of a distribution for which SciPy has formulas that can be differentiated."""
    lacking = LACKING.get(law.name, ())
    names = [name for name in patterns(law) if name not in lacking and '*' not in lacking]
    return [name for name in names if all(has_own(law, f'_{part}') for part in NEEDED.get(name, ())) and (
        name not in HALVES or any(has_own(law, f'_{part}') for part in HALVES[name]))]


NEEDED = {'pdf': ['pdf'], 'cdf': ['cdf'], 'ppf': ['ppf'], 'median': ['ppf'], 'mean': ['stats'], 'var': ['stats'],
          'std': ['stats'], 'entropy': ['entropy']}
HALVES = {'logpdf': ['logpdf', 'pdf'], 'pmf': ['pmf', 'logpmf'], 'logpmf': ['pmf', 'logpmf'], 'sf': ['sf', 'cdf'],
          'logcdf': ['logcdf', 'cdf'], 'logsf': ['logsf', 'sf', 'cdf'], 'isf': ['isf', 'ppf']}


def formula_of(law, name):
    """The text of a formula, a method, as that of a function that knows its distribution; None where that cannot be."""
    method = getattr(type(law), name, None)
    if not isinstance(method, types.FunctionType) or method.__closure__:
        return None
    function, = ast.parse(textwrap.dedent(inspect.getsource(method))).body
    if 'self' not in method.__code__.co_varnames[:1] or 'super' in method.__code__.co_names:
        return None
    function.args.args.pop(0)
    function.name, function.decorator_list = f'{law.name}{name}', []
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == 'self':
            node.id = 'law'
    return ast.unparse(function) + '\n', method.__globals__


def function_of(law, name):
    """A function of a distribution, or one of its formulas, as a function of Python's; None where there is none."""
    text, namespace = formula_of(law, name) or (None, None) if name.startswith('_') else (text_of(law, name), globals())
    if text is None:
        return None
    return executed(text, f'<scipy.stats.{law.name}.{name}>', {**namespace, 'law': law})


def executed(text, file, namespace):
    """The function that a text defines."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    names = {**namespace, '__name__': __name__}
    exec(compile(text, file, 'exec'), names)
    return names[text[4:text.index('(')]]


@dataclasses.dataclass
class Frozen:
    """A distribution with its parameters."""
    law: object
    args: tuple
    kwds: dict

    def pdf(self, x):
        return self.law.pdf(x, *self.args, **self.kwds)

    def logpdf(self, x):
        return self.law.logpdf(x, *self.args, **self.kwds)

    def pmf(self, k):
        return self.law.pmf(k, *self.args, **self.kwds)

    def logpmf(self, k):
        return self.law.logpmf(k, *self.args, **self.kwds)

    def cdf(self, x):
        return self.law.cdf(x, *self.args, **self.kwds)

    def logcdf(self, x):
        return self.law.logcdf(x, *self.args, **self.kwds)

    def sf(self, x):
        return self.law.sf(x, *self.args, **self.kwds)

    def logsf(self, x):
        return self.law.logsf(x, *self.args, **self.kwds)

    def ppf(self, q):
        return self.law.ppf(q, *self.args, **self.kwds)

    def isf(self, q):
        return self.law.isf(q, *self.args, **self.kwds)

    def mean(self):
        return self.law.mean(*self.args, **self.kwds)

    def median(self):
        return self.law.median(*self.args, **self.kwds)

    def var(self):
        return self.law.var(*self.args, **self.kwds)

    def std(self):
        return self.law.std(*self.args, **self.kwds)

    def entropy(self):
        return self.law.entropy(*self.args, **self.kwds)

    def interval(self, confidence):
        return self.ppf((1 - confidence) / 2), self.ppf((1 + confidence) / 2)


class NoFormula(ArgumentError, AttributeError):
    """A function of a distribution that cannot be differentiated; an attribute that is not there."""


class Law:
    """A distribution: called, it gives a `Frozen`; its attributes are the functions in the place of its methods."""

    def __init__(self, law):
        self.law, self.functions = law, known(law)

    def __call__(self, *args, **kwds):
        return Frozen(self, args, kwds)

    def __getattr__(self, name):
        found = function_of(self.law, name) if name in self.functions or is_formula(self.law, name) else None
        if found is None:
            raise NoFormula(f'scipy.stats.{self.law.name}.{name} has no derivative rule: register one with '
                            '@tangent.grads.adjoint')
        setattr(self, name, found)
        return found


FORMULAS = frozenset(f'_{name}' for name in 'pdf logpdf cdf sf logcdf logsf ppf isf pmf logpmf stats entropy'.split())



def is_formula(law, name):
    """Whether a method is one of those that SciPy asks distributions for, or what the class of this one alone has for them."""
    return name in FORMULAS or name in vars(type(law)) and name.startswith('_') and name not in OF_EVERY


OF_EVERY = vars(rv_generic).keys() | vars(rv_continuous).keys() | vars(rv_discrete).keys()
LAWS: dict = {}                # distribution of SciPy's -> Law


def law_of(found):
    """The Law of a distribution; itself where it is none of SciPy's own."""
    return LAWS.get(found, found)


class Known:
    """A frozen distribution of SciPy's that exists already: its attributes are functions with its parameters in them."""

    def __init__(self, law, frozen):
        self.law, self.frozen = law, frozen

    def __getattr__(self, name):
        function = getattr(self.law, name, None)
        if not isinstance(function, types.FunctionType) or name.startswith('_'):
            raise AttributeError(name)
        given = {f'a{k}': value for k, value in enumerate(self.frozen.args)} | self.frozen.kwds
        first = patterns(self.law.law)[name][0]
        names = ', '.join(n if n.startswith('a') and n[1:].isdigit() else f'{n}={n}' for n in given)
        text = f'def frozen_{name}({first}):\n    return function({first}{names})\n'
        file = f'<scipy.stats.{self.law.law.name}.{name}, frozen {id(self.frozen)}>'
        return executed(text, file, {**given, 'function': function})


def frozen_of(found):
    """What stands in the place of a frozen distribution of SciPy's."""
    law = LAWS.get(getattr(scipy.stats, found.dist.name, None))
    if law is None or type(law.law) is not type(found.dist):
        raise ArgumentError(f'{found.dist.name} is no distribution of scipy.stats; its functions have no derivative rule')
    return Known(law, found)


def in_support(law, z, shapes, scale):
    """(whether points are in the support, whether the parameters are allowed)."""
    a, b = law._get_support(*shapes)
    known = np.logical_and(law._argcheck(*map(np.asarray, shapes)), np.greater(scale, 0))
    known = np.logical_and(known, ~np.isnan(z))
    inside = np.logical_and(np.greater_equal(z, a), np.less_equal(z, b))
    if isinstance(law, rv_discrete):
        inside = np.logical_and(inside, np.floor(z) == z)
    return np.logical_and(known, inside), known


def above(law, x, shapes, loc, scale):
    """1.0 where a point is above the support, else 0.0."""
    return 1.0 * np.greater((x - loc) / scale, law._get_support(*shapes)[1])


def inner_point(law, shapes):
    """A point of the support."""
    a, b = map(np.asarray, law._get_support(*shapes))
    if isinstance(law, rv_discrete):
        return np.where(np.isfinite(a), a, 0)
    low, high = np.where(np.isfinite(a), a, b - 2.0), np.where(np.isfinite(b), b, a + 2.0)
    bounded = np.isfinite(low) & np.isfinite(high)
    return (np.where(bounded, low, 0.0) + np.where(bounded, high, 0.0)) / 2


def check_quantiles(law, q, shapes, scale):
    """An error for what is no probability, or 0 or 1, and for parameters that are not allowed."""
    allowed = np.all(law._argcheck(*map(np.asarray, shapes))) and np.all(np.greater(scale, 0))
    if not allowed or np.any(np.less_equal(q, 0)) or np.any(np.greater_equal(q, 1)):
        raise ArgumentError(f'scipy.stats.{law.name}: quantiles have a derivative for probabilities between 0 and 1 only, and '
                            'allowed parameters')


# What SciPy writes its formulas with

def apply_where(cond, args, f1, f2=None, /, *, fill_value=None, kwargs=None, xp=None):
    """Each function at its own points, put together again."""
    args = list(args) if isinstance(args, (tuple, list)) else [args]
    kwargs = {} if kwargs is None else kwargs
    first, second, order, shape = places_of(cond, args)
    ones, twos = [], []
    for a in args:
        flat = np.ravel(np.broadcast_to(a, shape))
        ones.append(flat[first])
        twos.append(flat[second])
    one = f1(*ones, **kwargs) + np.zeros(len(first))
    two = np.ravel(np.broadcast_to(fill_value, shape))[second] if f2 is None else f2(*twos, **kwargs) + np.zeros(len(second))
    return np.reshape(np.concatenate([one, two])[order], shape)


def places_of(cond, args):
    """(places where the condition holds, where it does not, the order that undoes taking these after those, the shape)."""
    shape = np.broadcast_shapes(np.shape(cond), *(np.shape(a) for a in args))
    cond = np.ravel(np.broadcast_to(cond, shape))
    one, two = np.flatnonzero(cond), np.flatnonzero(~cond)
    return one, two, np.argsort(np.concatenate([one, two])), shape

# Functions of `scipy.stats` distributions whose formulas need what has no derivative; found by trying each of them.
#
# Among them are those whose value is infinite or no float for the parameters that SciPy tests its distributions with: nothing
# is claimed of these. A star stands for all functions.

TABLE = '''
alpha: mean var std
argus: mean var std
beta: ppf median entropy
betanbinom: mean var std
betaprime: ppf isf median
binom: entropy
cauchy: isf mean var std
cosine: cdf sf logcdf logsf ppf isf
dgamma: cdf sf logcdf logsf ppf isf median
dpareto_lognorm: cdf sf logcdf logsf
dweibull: var std
foldcauchy: mean var std
gausshyper: pdf logpdf
genhyperbolic: pdf logpdf cdf sf logcdf logsf mean var std
geninvgauss: pdf logpdf cdf sf logcdf logsf
genlogistic: entropy
gennorm: median
genpareto: cdf logcdf
gompertz: entropy
halfcauchy: mean var std
hypergeom: pmf logpmf mean var std entropy
invgauss: ppf isf median entropy
irwinhall: pdf logpdf cdf sf logcdf logsf mean var std
jf_skew_t: ppf isf median
kappa3: sf logsf mean var std
kappa4: pdf logpdf cdf sf logcdf logsf ppf isf median mean var std
ksone: *
kstwo: *
kstwobign: pdf logpdf cdf sf logcdf logsf ppf isf
landau: pdf logpdf cdf sf logcdf logsf ppf isf mean var std
levy: mean var std
levy_l: mean var std
levy_stable: *
lomax: mean var std
nbinom: pmf mean var std
ncf: pdf logpdf cdf sf logcdf logsf ppf isf median mean var std
nchypergeom_fisher: pmf logpmf mean var std
nchypergeom_wallenius: pmf logpmf mean var std
nct: pdf logpdf cdf sf logcdf logsf ppf isf median mean var std
ncx2: pdf logpdf cdf sf logcdf logsf ppf isf median
nhypergeom: pmf logpmf mean var std
norminvgauss: sf logsf isf
poisson_binom: *
randint: pmf logpmf mean var std entropy
rdist: ppf isf median
rel_breitwigner: mean var std
rice: ppf isf median
semicircular: ppf isf
skellam: pmf logpmf mean var std
skewcauchy: mean var std
skewnorm: cdf sf logcdf logsf ppf isf median
studentized_range: *
t: mean var std
trapezoid: pdf logpdf cdf sf logcdf logsf ppf isf median
triang: pdf logpdf cdf sf logcdf logsf
truncnorm: cdf sf logcdf logsf ppf isf median mean var std
truncpareto: pdf logpdf cdf sf logcdf logsf ppf isf median
tukeylambda: pdf logpdf cdf sf logcdf logsf mean var std
vonmises: cdf sf logcdf logsf
vonmises_line: cdf sf logcdf logsf
wald: ppf isf
zipf: pmf logpmf
zipfian: pmf logpmf mean var std
'''
LACKING = {name: set(rest.split()) for name, _, rest in (
    line.partition(': ') for line in TABLE.replace('\n    ', ' ').strip().splitlines())}
