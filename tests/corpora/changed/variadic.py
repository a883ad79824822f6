"""Functions that take `*args` and `**more`, and loops over functions: a text for what a call gives knows each of them."""
import functools
import math

import numpy as np

from tests.tools.registry import other, program


def doubled(f):
    @functools.wraps(f)
    def wrapped(*args, **more):
        return f(*args, **more) * 2.0
    return wrapped


def counted(f):
    @functools.wraps(f)
    def wrapped(*args, **more):
        wrapped.calls += 1
        return f(*args, **more)
    wrapped.calls = 0
    return wrapped


def checked(*, least):
    def decorate(f):
        @functools.wraps(f)
        def wrapped(*args, **more):
            if len(args) < least:
                raise TypeError('too few')
            if any(a is None for a in args) or 'never' in more:
                raise ValueError('none')
            more.setdefault('scale', 1.0)
            return f(*args, **more)
        return wrapped
    return decorate


def with_arrays(f):
    @functools.wraps(f)
    def wrapped(x, *args, **more):
        x = np.asarray(x, float)
        return f(x, *args, **more)
    return wrapped


@doubled
def scaled(x, y=2.0):
    return x * x * y


@counted
@doubled
def twice(x, *, power=2):
    return x ** power


@checked(least=1)
def fitted(x, scale=3.0):
    return math.sin(x) * scale


@with_arrays
def weighed(x, w):
    return np.sum(x * x * w)


class Model:
    def __init__(self, w):
        self.w = w

    @doubled
    def forward(self, x, bias=0.0):
        return self.w * x + bias

    @counted
    def loss(self, x):
        return self.forward(x, bias=x * x)

    def __call__(self, x):
        return self.loss(x)


def options(x, **more):
    """Which branch is taken is known by the names."""
    if 'scale' in more:
        x = x * more['scale']
    return x + more.get('offset', 1.0) * x if more else x


def total(*xs):
    """All of them, in order."""
    found = 0.0
    for x in xs:
        found = found * 0.5 + x * x
    return found


def passed_on(x, *rest):
    return x * total(*rest, x)


def nested(*rest):
    """Read by a function inside."""
    def each(k):
        return rest[k] * len(rest)
    return sum([each(k) for k in range(len(rest))])


def recursive(x, *rest):
    return x * recursive(*rest) if rest else x


def clash(x, *args0, **args):
    """Names that parameters of ours would have."""
    args1 = args['x0'] * 2.0
    return x * args0[0] + args1


@program('decorators with *args and **more', 1.3, 0.7)
def decorated(x, y):
    return scaled(x) + scaled(x, y) * scaled(x, y=y)


@program('two decorators, one of which counts', 1.3)
def decorated_twice(x):
    before = twice.calls
    y = twice(x) + twice(x, power=3)
    return y * (twice.calls - before)


@program('a decorator that is made, looks at the arguments and gives another', 0.6, 1.7)
def decorated_with_checks(x, s):
    return fitted(x) + fitted(x, scale=s) * fitted(x * s)


@program('arrays', np.array([0.5, 1.5, -1.0]), 2.0)
def decorated_arrays(x, w):
    return weighed(x, w) + weighed(2.0 * x, w=w)


@program('methods', make=lambda: (Model(1.3), 0.7), wrt=(1,))
def decorated_methods(m, x):
    return m(x) + m.forward(x) * m.forward(x, bias=x)


@program('decorated methods of an object that is made here', 1.3, 0.7)
def decorated_methods_of_its_own(w, x):
    m = Model(w)
    return m(x) + m.forward(x) * m.forward(x, bias=w)


@program('branches by which names are given', 1.3, 0.7)
def named_options(x, y):
    return options(x) + options(x, scale=y) * options(y, offset=x, scale=2.0)


@program('none, one and several, passed on', 1.3, 0.7)
def sums_of_several(x, y):
    return total() + total(x) + total(x, y, x) * passed_on(y, x)


@program('read by a function inside', 1.3, 0.7)
def read_by_inner(x, y):
    return nested(x, y, x * y)


@program('calls itself with one less', 1.3, 0.7)
def recursion_by_stars(x, y):
    return recursive(x, y, x + y)


@program('names that are taken', 1.3, 0.7)
def names_taken(x, y):
    return clash(x, y, x0=x * y)


def square(v):
    return v * v


def composed(*fs):
    def run(x):
        for f in fs:
            x = f(x)
        return x
    return run


def summed(*fs, scale=1.0):
    def run(x):
        return scale * sum(f(x) for f in fs)
    return run


STEPS = composed(math.sin, square, math.exp)
BASIS = np.sin, np.cos, square


@program('loops over tuples and lists of functions, with numbers', 0.7, 1.3)
def loops_over_functions(x, s):
    steps = [math.sin, square, lambda v: v * s]
    for k, f in enumerate(steps):
        if k == 1:
            x = f(x) + k
        else:
            x = f(x)
    else:
        x = x * 2.0
    for g in (square, math.exp):
        x = g(x)
    return x * k


@program('what is composed in the function, and called at once', 0.7)
def composed_here(x):
    run = composed(math.sin, square, lambda v: v * 3.0)
    return run(x) * summed(square, math.sin, scale=x)(x)


@program('what is composed outside', 0.7)
def composed_outside(x):
    return STEPS(x) * STEPS(x * x)


@program('comprehensions over functions', np.array([0.3, 0.9]))
def basis_functions(x):
    columns = [f(x) * (k + 1) for k, f in enumerate(BASIS)]
    return np.sum(np.stack(columns)) + sum(np.sum(f(x)) for f in BASIS)


@program('a loop that is left stays a loop', 0.7)
def left_by_break(x):
    for f in (square, math.exp, math.sin):
        x = f(x)
        if x > 1.2:
            break
    return x


@other
@program('functions that outlive the loop see the last of them', 0.7)
def late_binding(x):
    later = []
    for f in (square, math.exp):
        later.append(lambda v: f(v))
    return later[0](x) * later[1](x) + f(x)


@program('a list of functions that is changed', 0.7)
def list_that_is_changed(x):
    steps = [square, math.sin]
    steps.append(math.exp)
    for f in steps:
        x = f(x)
    return x


def given(g, x):
    y = g(x)
    return y * y


def called_fn(fn):
    def w(x):
        t = fn(x)
        return t * t
    return w


SQUARED = called_fn(square)


@program('a lambda and what another function has captured under the name that it gets', 0.7)
def lambda_beside_captured(x):
    return given(lambda v: v * v * 3.0, x) + SQUARED(x)


def halved(f):
    def w(*args):
        return f(*[a * 0.5 for a in args])
    return w


def calls_counted(f):
    def w(*args):
        w.calls += 1
        return f(*args) * (w.calls - w.before)
    w.calls = w.before = 0
    return w


first, second = halved(square), calls_counted(square)


@program('a function of the name that another has captured itself by', 0.7, 1.3)
def named_like_captured(x, y):
    second.before = second.calls
    return first(x) + second(y)


class Applied:
    def __init__(self, fn):
        self.fn = fn

    def run(self, x):
        fn = self.fn
        y = fn(x)
        return y * y


@program('functions inside, called like what others have captured', 0.7)
def inner_beside_captured(x):
    def fn(v):
        return v * v * 3.0 * x
    y = fn(x)
    return y * SQUARED(x) + given(fn, x)


@program('the same of an object, and of a lambda in a dict', 0.7)
def held_beside_captured(x):
    def fn(v):
        return v * 3.0
    by_name = {'a': fn}
    return Applied(fn).run(x) * SQUARED(x) + by_name['a'](x) * Applied(square).run(x)


@program('the same in what is tried', 0.7)
def tried_beside_captured(x):
    try:
        def fn(v):
            if v > 100.0:
                raise ValueError
            return v * v * 3.0
        y = fn(x) * SQUARED(x)
    except ValueError:
        y = x
    return y * SQUARED(x)


def halves(f):
    """What it makes is of one code, and so are the functions inside."""
    def w(x):
        g = lambda b: f(b) * 2.0
        return g(x) * g(x * 0.5)
    return w


def scaled_inside(f, k):
    def w(x):
        def g(b):
            return f(b) * k
        return g(x) * x
    return w


HALF_OF_SQUARE, HALF_OF_SINE = halves(square), halves(math.sin)
TWICE_SQUARE, THRICE_SINE = scaled_inside(square, 2.0), scaled_inside(math.sin, 3.0)


@program('functions inside closures of one code', 0.7)
def closures_of_one_code(x):
    return HALF_OF_SQUARE(x) + HALF_OF_SINE(x) * TWICE_SQUARE(x) - THRICE_SINE(x)
