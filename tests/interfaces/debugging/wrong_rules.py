"""Functions with a wrong rule in one statement: (function, arguments). `# here` marks the line where it is called."""
import sys

import numba
import numpy as np

import tangent


@tangent.primitive
def bad(x):
    return np.tanh(x)


tangent.defvjp(bad, lambda ans, x: lambda g: g * (1 - ans))
tangent.defjvp(bad, lambda g, ans, x: g * (1 - ans))


def loop(x, w):
    a = np.sin(x) * w
    for _ in range(3):
        a = 2 * bad(a * w) + x                                   # here
    return np.sum(a)


def helper(x, w):
    y = np.cos(x)
    z = bad(y) * w                                               # here
    return z


def callee(x, w):
    h = helper(x, w)
    return np.sum(h ** 2)


in_a_lambda = lambda x: np.sum(bad(x) * 2)  # noqa: E731           # here


class Net:
    def __init__(self, w):
        self.w = w

    def layer(self, x):
        return bad(self.w * x) + 1                               # here

    def __call__(self, x):
        for _ in range(2):
            x = self.layer(x)
        return x


def objects(x):
    net = Net(x * 2)
    return net(x)


def closure(x):
    k = 3.0

    def inner(y):
        t = y * k
        return bad(t)                                            # here
    return sum([inner(v) for v in x])


def dicts(p):
    r = {}
    r['a'] = p['a'] * 2
    r['b'] = bad(r['a'] + p['b'])                                # here
    return r['b'] * r['a']


def element(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] += bad(x[i]) * x[0]                                 # here
    return y


def appended(x):
    out = []
    for v in x:
        out.append(bad(v) + v)                                   # here
    return out[0] * out[-1]


def comprehension(x):
    y = sum([bad(v) * k for k, v in enumerate(x)])               # here
    return y


def branch(x):
    if x[0] < 10:
        z = bad(x)                                               # here
    else:
        z = x
    while np.sum(z) < 5:
        z = z * 2
    return (z * z).sum()


def walrus(x):
    if (n := bad(np.sum(x))) > -5:                               # here
        return n * 2
    return n


def generated(x):
    def values():
        for v in x:
            yield bad(v)                                         # here
    return sum(values())


def two_lambdas(x):
    fs = [lambda v: v * 2, lambda v: bad(v)]                     # here
    for f in fs:
        x = f(x)
    return np.sum(x)


def with_a_key(x):
    y = sorted([bad(v) for v in x], key=lambda v: -v)            # here
    return y[0] * y[1]


@tangent.custom_vjp
def swapped(x, w):
    return x * w


swapped.defvjp(lambda x, w: (x * w, (x, w)), lambda saved, g: (g * saved[0], g * saved[1]))


def two_results(x, w):
    a, b = np.sin(x), swapped(x, w)                              # here
    return np.sum(a * b)


@tangent.primitive
def sometimes(x):
    return np.sin(x)


tangent.defvjp(sometimes, lambda ans, x: lambda g: g * np.cos(x) * (1.1 if 0.83 < x < 0.8325 else 1))


def one_trip_of_many(x):
    s = 0.0
    for v in x:
        s = s + sometimes(v)                                     # here
    return s


@numba.njit
def compiled_helper(x):
    y = x * 2
    return np.sinc(y)                                            # here


@numba.njit
def compiled(x):
    s = 0.0
    for i in range(x.size):
        s += compiled_helper(x[i])
    return s


X = np.linspace(0.1, 0.5, 3)
BOTH = [(loop, (X, X + 1)), (callee, (X, X + 1)), (objects, (X,)), (closure, (X,)), (dicts, ({'a': X, 'b': 2.0},)), (element, (X,)),
        (appended, (X,)), (comprehension, (X,)), (branch, (X,)), (in_a_lambda, (X,)), (Net(X).layer, (X,)), (walrus, (X,)),
        (generated, (X,)), (with_a_key, (X,)), *[(two_lambdas, (X,))] * (sys.version_info >= (3, 11))]      # which knows columns
REVERSE = [(two_results, (X, X + 1)), (one_trip_of_many, (np.linspace(0.7, 0.9, 100),))]
