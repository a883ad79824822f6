"""Programs of three numbers that give functions to functions."""
import functools
import math

import numpy as np


def simpson(f, a, b, n=6):
    h = (b - a) / n
    total = f(a) + f(b)
    for k in range(1, n):
        total += (4 if k % 2 else 2) * f(a + k * h)
    return total * h / 3


def square(v):
    return v * v


def cube(v, w=2.0):
    return w * v ** 3


def twice(f, v):
    return f(f(v))


def twice_kw(v, *, f):
    return f(f(v))


def with_args(f, v, *args):
    return f(v, *args) + 1.0


def with_kwargs(f, v, **kw):
    return f(v, **kw)


def passes_on(f, v):
    return twice(f, v) + twice(lambda u: f(u) * v, v)


def maybe(f, v):
    if f is None:
        return v
    return f(v) * 2


def shadows(f, v):
    square = v * 3
    return f(v) + square


def rebinds(f, v):
    f = math.sin if v > 100 else f
    return f(v)


def rec(f, v, n):
    return v if n == 0 else rec(f, f(v), n - 1)


def grows(f, v, n):
    return f(v) if n == 0 else grows(lambda u: f(u) * 1.1, v, n - 1)


def maps(f, xs):
    return sum(map(f, xs)) + sum(f(u) for u in xs)


def by_kw(f, v):
    return f(v, w=3.0) + f(v=v)


def inner_shadow(f, v):
    g = lambda f: f * 2
    return g(v) + f(v)


def keeps(f, v):
    d = {'f': f}
    return d['f'](v)


class Model:
    def __init__(self, k):
        self.k = k
    def rate(self, v):
        return self.k * v * v
    def run(self, f, v):
        return f(v) * self.k


def euler(f, y, t, n, *params):
    for i in range(n):
        y = y + 0.1 * f(y, t + 0.1 * i, *params)
    return y


def decay(y, t, k):
    return -k * y * math.cos(t)


def rk(f, y, h):
    k1 = f(y)
    k2 = f(y + 0.5 * h * k1)
    return y + h * k2


def newton(f, df, x, n=5):
    for _ in range(n):
        x = x - f(x) / df(x)
    return x


def integral(x):
    return simpson(lambda u: u * x[0] + math.sin(x[1] * u), 0.0, x[2])


def of_the_module(x):
    return twice(square, x[0]) * x[1]


def partials(x):
    return twice(functools.partial(cube, w=x[1]), x[0])


def held(x):
    g = lambda u: u * x[1] + x[2]
    return twice(g, x[0])


def passed_on(x):
    def g(u):
        return u * x[1] + x[2]
    return passes_on(g, x[0])


def by_keyword(x):
    return twice_kw(x[0], f=lambda u: u * x[1])


def more_arguments(x):
    return with_args(cube, x[0], x[1])


def more_keywords(x):
    return with_kwargs(cube, x[0], w=x[2])


def none_or_a_function(x):
    return maybe(lambda u: u * x[1], x[0]) + maybe(None, x[2])


def a_name_that_the_callee_has(x):
    return shadows(square, x[0])


def rebound_by_the_callee(x):
    return rebinds(lambda u: u * x[1], x[0])


def recursion(x):
    return rec(lambda u: u * x[1], x[0], 3)


def ever_new_functions(x):
    return grows(lambda u: u * x[1], x[0], 12)


def handed_to_map(x):
    return maps(lambda u: u * x[1], [x[0], x[2]])


def keywords_of_partials(x):
    return by_kw(functools.partial(cube, w=x[1]), x[0])


def hidden_in_the_callee(x):
    return inner_shadow(lambda u: u * x[1], x[0])


def kept_in_a_dict(x):
    return keeps(lambda u: u * x[1], x[0])


def functions_of_numpy(x):
    return twice(np.sin, x[0]) + twice(math.cos, x[1])


def methods(x):
    m = Model(x[1])
    return twice(m.rate, x[0]) + m.run(lambda u: u * x[2], x[0])


def captured_in_a_loop(x):
    total = 0.0
    for k in range(3):
        c = k * x[1]
        total += twice(lambda u: u * c, x[k])  # noqa: B023
    return total


def captured_and_written(x):
    w = x.copy()
    g = lambda u: u * w[1]
    a = twice(g, x[0])
    w[1] = x[2] * 3
    return a + twice(g, x[0])


def integrator(x):
    return euler(decay, x[0], 0.3, 4, x[1])


def integrator_of_a_lambda(x): return euler(lambda y, t: -x[1] * y * t, x[0], 0.3, 4)


def definition_in_a_loop(x):
    def f(y):
        return -x[1] * y
    y = x[0]
    for _ in range(3):
        y = rk(f, y, x[2])
    return y


def two_functions(x):
    return newton(lambda u: u * u - x[0], lambda u: 2 * u, 1.5)


def one_of_several(x):
    fs = [lambda u: u * x[1], lambda u: u + x[2]]
    y = x[0]
    for f in fs:
        y = twice(f, y)
    return y


def chosen(x):
    f = square
    if x[0] > 0:
        f = lambda u: u * x[1]
    return twice(f, x[0])


def nested_integrals(x):
    return simpson(lambda u: simpson(lambda v: u * v * x[0], 0.0, x[1]), 0.0, x[2])


def captured_and_bound_anew(x):
    y = x[0]
    g = lambda u: u * y
    a = twice(g, x[1])
    y = y * 3
    return a + twice(g, x[1])


def writes(x):
    calls = []
    def g(u):
        calls.append(u)
        return u * x[1]
    return twice(g, x[0]) + sum(calls)


def arrays(x):
    return np.sum(twice(lambda u: u * x[0] + x, x * 2))


def computed_defaults(x):
    return twice(lambda u, k=x[2]: u * k, x[0])


def partial_of_what_is_bound_anew(x):
    h = functools.partial(cube, w=x[1])
    x = x * 2
    return twice(h, x[0])


def partial_before_it_is_bound_anew(x):
    a = x[1]
    h = functools.partial(cube, w=a)
    a = a * 2
    return twice(h, x[0]) + a


def builtins(x):
    return twice(abs, -x[0]) + with_args(pow, x[1], 3) + with_args(np.maximum, x[2], 0.1)


def given_to_functions_inside(x):
    def residual(v):
        return v - x[0] * np.array([1.0, 2.0])
    def norm(r):
        return np.sum(r(x[:2]) ** 2)
    return norm(residual)


def apply_n(f, v, n=2, **options):
    for _ in range(n):
        v = f(v)
    return v * options.get('scale', 1.0)


def options(x):
    return apply_n(lambda u: u * x[1], x[0], scale=x[2])


def all_by_keyword(x):
    return apply_n(v=x[0], f=lambda u: u * x[1], n=3)


def told_apart(f, g, u):
    return f(u) if f is g else g(u) * 2


def one_function_twice(x):
    g = lambda u: u * x[1]  # noqa: E731
    return told_apart(g, g, x[0]) + told_apart(square, square, x[2])


def shown(f, u):
    return f(u) * len(f.__name__)


def by_its_name(x):
    return shown(square, x[0])


def spread(f, *rest, scale=1.0):
    a, b = rest
    return f(a) * f(b) * scale + len(rest)


def more_arguments_as_a_tuple(x):
    return spread(lambda w: w * x[1], x[0], x[2], scale=x[1]) + spread(lambda w: w * x[1], *x[:2])


def defaults_behind(f, u=1.0, *rest, v=2.0):
    return f(u) * v


def fewer_arguments(x):
    return defaults_behind(lambda w: w * x[1], v=x[0]) + defaults_behind(u=x[0], f=lambda w: w * x[1]) * x[2]


PROGRAMS = (integral, of_the_module, partials, held, passed_on, by_keyword, more_arguments, more_keywords,
            none_or_a_function, a_name_that_the_callee_has, rebound_by_the_callee, recursion, ever_new_functions,
            handed_to_map, keywords_of_partials, hidden_in_the_callee, kept_in_a_dict, functions_of_numpy, methods,
            captured_in_a_loop, captured_and_written, integrator, integrator_of_a_lambda, definition_in_a_loop,
            two_functions, one_of_several, chosen, nested_integrals, captured_and_bound_anew, writes, arrays,
            computed_defaults, partial_of_what_is_bound_anew, partial_before_it_is_bound_anew, builtins,
            given_to_functions_inside, options, all_by_keyword, one_function_twice, by_its_name,
            more_arguments_as_a_tuple, fewer_arguments)
