"""Functions in which one line makes a nan or an infinity: (function, arguments, the pass). `# forward` and `# backward` mark it."""
import math

import numba
import numpy as np

import tangent


def helper(a, b):
    c = np.dot(a, b)
    return np.log(c - 10)                                  # forward


def in_a_callee(x, w):
    total = 0.0
    for k in range(3):
        h = np.tanh(x * w)
        total = total + helper(h, w) * k
    return total


def root_of_zero(x):
    y = np.sum(x)
    n = np.sqrt(np.sum((x - 1) ** 2))                      # backward
    return y * n


def norm_by_hand(x):
    s = x[0]
    for k in range(3):
        d = x[k] - 1.0
        s = s + (d * d) ** 0.5                             # backward
    return s


class Model:
    def __init__(self, w):
        self.w, self.log = w, []

    def run(self, x):
        out = []
        for _ in range(3):
            self.w = self.w * x
            out.append(np.log(self.w - 4))                 # forward
        self.log.append(out)
        return sum(out)


def method(x):
    model = Model(x)
    return model.run(x) * 2


def both_branches(x):
    y = np.where(x > 0, np.sqrt(x), 0.0)                   # backward
    return np.sum(y)


def element(x):
    y = np.zeros(4)
    for i in range(4):
        y[i] = x[i] / (i - 2.0)                            # forward
    return np.sum(y * y)


def element_of_its_own_array(x):
    y = np.ones(4)
    for i in range(1, 4):
        y[i] = y[i - 1] * x[i] * 1e160                     # forward
    return np.sum(y)


def updated(x):
    y = np.ones(3)
    for _ in range(4):
        y *= np.sum(x) * 1e100                             # forward
    return np.sum(y)


def scaled(s):
    def inner(x):
        return np.sum(np.exp(x * s) ** 2)                  # backward
    return inner


def single(x):
    y = x * np.float32(1e30)
    z = y * y                                              # forward
    return np.sum(z)


@tangent.custom_vjp
def bent(x):
    return x * x


def bent_back(x, g):
    scale = np.log(x - 2)                                  # backward
    return (scale * g,)


bent.defvjp(lambda x: (x * x, x), bent_back)


def own_rule(x):
    y = np.sin(x)
    return bent(y)


def functions(x, fs):
    for f in fs:
        x = f(x)
    return x


def while_loop(x):
    k = 0
    while k < 30:
        x = x * x                                          # forward
        k += 1
    return x


def of_floats(x):
    y = x
    for _ in range(5):
        y = math.exp(min(y, 700.0)) * 1e10                 # forward
    return y


def nested(xs):
    total = 0.0
    for pair in xs:
        ratio = pair['a'] / pair['b']                      # forward
        total += np.sum(ratio)
    return total


@numba.njit
def compiled_helper(x):
    return np.log(x - 3.0)                                 # forward


@numba.njit
def compiled(x):
    y = 0.0
    for k in range(x.size):
        y += compiled_helper(x[k])
    return y


@numba.njit
def compiled_root(x):
    y = np.sqrt(x - 1.0)                                   # backward
    return y.sum()


@numba.njit
def compiled_ratio(x, y):
    z = x - y
    return x / z                                           # forward


@numba.njit
def compiled_ratios(x):
    out = np.zeros_like(x)
    for i in range(1, x.size):
        out[i] = compiled_ratio(x[i], x[i - 1])
    return out.sum()


def missing(x):
    y = x * 2
    if y < 0:
        return y
    z = np.float64(np.nan)                                 # forward
    return z


def met_in_a_callee(x):
    y = missing(x * 2)
    return y * x


def in_try(x):
    try:
        y = np.log(x)
        z = np.arcsin(y + 2)                               # forward
    except ValueError:
        z = 0.0
    return z * 2


def power_of_a_sum(x):
    y = np.sum(x)
    z = y ** 1.5                                           # second
    return 3 * z + np.sum(x * x)


def half_as_much_again(y):
    t = y * 2
    return t ** 1.5                                        # second


def second_in_a_callee(x):
    u = np.sum(x) * 1.0
    return half_as_much_again(u) * 2 + u


def second_in_a_loop(x):
    s = 0.0
    for i in range(3):
        v = x[i] * 2
        s = s + v ** 1.5                                   # second
    return s * 2


SECOND = [power_of_a_sum, second_in_a_callee, second_in_a_loop]
ONES = np.ones(4)
PROGRAMS = [
    (in_a_callee, (ONES[:3], ONES[:3]), (0, 1), 'forward'),
    (root_of_zero, (ONES,), 0, 'backward'),
    (norm_by_hand, (ONES,), 0, 'backward'),
    (method, (1.5,), 0, 'forward'),
    (both_branches, (np.array([0.0, 1.0]),), 0, 'backward'),
    (element, (ONES,), 0, 'forward'),
    (element_of_its_own_array, (ONES,), 0, 'forward'),
    (updated, (ONES,), 0, 'forward'),
    (scaled(400.0), (ONES,), 0, 'backward'),
    (single, (np.ones(3, np.float32),), 0, 'forward'),
    (own_rule, (0.5,), 0, 'backward'),
    (functions, (0.5, [np.sin, lambda t: np.log(-t)]), 0, 'forward'),
    (while_loop, (2.0,), 0, 'forward'),
    (of_floats, (1.0,), 0, 'forward'),
    (nested, ([{'a': ONES, 'b': ONES}, {'a': ONES, 'b': ONES - 1}],), 0, 'forward'),
    (compiled, (ONES,), 0, 'forward'),
    (compiled_root, (ONES,), 0, 'backward'),
    (in_try, (1.0,), 0, 'forward'),
    (functions, (ONES, [np.sin, compiled_ratios]), 0, 'forward'),
    (met_in_a_callee, (1.0,), 0, 'forward'),
]
