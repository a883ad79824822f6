# ruff: noqa
"""Functions that are legal Python and hard on a source transformation: odd names, odd namespaces, odd shapes of code."""
from numpy import *
from numpy import tanh as exp_, sum as total_of
import math
import math as sin
import numpy as cos
import numpy as np
import numpy as np2

pair = lambda x: x * x, lambda x: x * x * x
first, second = lambda x, y: x * y, lambda x, y: x * y * y
inside_call = dict(f=lambda x: math.sin(x))['f']
over_lines = (lambda x:
              x * x +
              x)

SETTINGS = {'scale': 3.0, 'names': ['a']}
SCALE = 2.0
LIST = [2.0, 3.0]


class Unhashable:
    __hash__ = None
    value = 3.0


unhashable = Unhashable()


# names

def names_of_gradients(x, bx, by):
    dfdx = x * bx
    by = dfdx * by
    return by


def names_of_the_tape(x, _stack, n):
    push, pop, Stack = x, x * 2, x * x
    for i in range(n):
        push = push * pop + _stack
        Stack = Stack * push
    return push * Stack


def names_of_helpers(x, init_grad, add_grad, unbroadcast, check_dims):
    astype = init_grad * x
    copy = add_grad * x
    return np.sum(astype + copy * unbroadcast + check_dims)


def names_of_numpy(x, numpy):
    return x * numpy + np2.sin(x)


def local_np(x):
    np = x * 2
    return np * x


def names_of_temporaries(x, t, t2, t3):
    t = x * t + t2
    t2 = t * t3 + math.sin(t * x)
    return t * t2


def numbered_names(x, x2, x_2):
    x = x * x2
    x = x * x_2
    x2 = x * x2
    return x * x2


def names_d_dx(d, dx):
    return d * dx


def dfdx(x):
    return x * x


def own_name(own_name):
    return own_name * own_name


def wrapped_names(x):
    _ = x * x
    __ = _ * x
    return __


def by(y, by):
    return y * by


def unicode(α, θ_1):
    β = α * θ_1
    ñ = β + np.sin(θ_1)
    return ñ * β


def normalized(ﬁ, x):
    return fi * x


def shadowed_sum(x):
    sum = x[0] * x[1]
    return sum * 2.0


def shadowed_builtins(x, len, range, float):
    abs = len * x
    return abs + range * float


def shadowed_max(x, max):
    min = x * max
    return min + max


def aliased_modules(x):
    return sin.cos(x) + cos.sin(x) * x


def star_imports(x):
    return sum(tanh(x) * exp_(x)) + total_of(x)


def module_attributes(x):
    return np.linalg.norm(x) + cos.linalg.norm(2.0 * x)


def local_alias(x):
    s = np.sin
    return s(x) * 2.0


def local_module(x):
    m = math
    return m.sin(x) * m.pi


def uses_unhashable(x):
    return x * unhashable.value


def uses_settings(x):
    return x * SETTINGS['scale'] + x * LIST[1]


# shapes of code

def no_arguments():
    return 3.0


def returns_nothing(x):
    y = x * x


def returns_none(x):
    if x > 100:
        return x
    return None


def returns_string(x):
    return 'text'


def unused(x, y):
    return x * 2.0


def same_twice(x):
    return product(x, x)


def product(x, y):
    return x * y


def mutable_default(x, seen=[2.0]):
    return x * seen[0]


def default_from_global(x, s=SCALE * 2):
    return x * s


def reads_global(x):
    return x * SCALE


def calls_helper(x):
    return helper(x) * x


def helper(x):
    return x * x


def other_helper(x):
    return x * x * x


def bool_of_array(x):
    if x:
        return x * x
    return x


def zero_trips(x, n):
    y = x * 2
    while n > 100:
        y = y * x
        n -= 1
    for i in range(n, 0):
        y = y * y
    for v in []:
        y = y * v
    return y


def returns_from_depth(x, n):
    for i in range(n):
        for j in range(n):
            k = 0
            while True:
                k += 1
                x = x * 1.1
                if k > j:
                    break
                if x > 3:
                    return x * i + j
            if j == i:
                continue
            if x > 2.5:
                break
        x = x + 0.1
    return x


def deep_nest(x):
    if x > 0:
        for i in range(2):
            if i >= 0:
                while x < 50:
                    if x > 1:
                        for j in range(2):
                            if j == 1:
                                if x < 20:
                                    x = x * x
                                else:
                                    x = x * 1.5
                    else:
                        x = x + 1.0
    return x


def strings_pass(x, name='n'):
    label = f'{name!r:>4} {x:.2f}' + 'a' * 2
    info = {'label': label, 'values': [1, 2], 'text': label.upper()}
    assert isinstance(info, dict), 'never'
    print(info['text'])
    return x * len(info['values'])


def asserts(x):
    assert x > 0, 'x must be positive'
    return math.log(x)


def raises(x):
    y = x * x
    if y > 4:
        raise ValueError('y is too large')
    return y


def divides(x, y):
    z = x * 2.0
    return z / y


def index_error(x):
    return x[0] * x[7]


def key_error(p):
    return p['a'] * p['missing']


def calls_failing(x):
    return divides(x, x - x)


def mixed_tabs_and_comments(x):
    # leading comment

    y = (x    # trailing
         * x)

    # between
    if y > 0: z = y; w = z * x
    else: w = y
    return (
        w
    )  # the end


def semicolons(x): y = x * x; return y * x


def backslash(x):
    return x * \
        x


def multiline_string(x):
    text = """
    not code: return x
    """
    return x * len(text.split())


def chained(x, y):
    a = b = c = x * y
    a *= 2
    b = b + a
    return a * b * c


def tuple_swap_in_loop(x, y):
    for _ in range(3):
        x, y = y * 1.1, x + y
    return x


def conditional_value_of_kinds(x, flag):
    y = x if flag else None
    return x * x if y is None else y * 2.0


def power_zero(x):
    return x ** 0


def power_two_of_zero(x, y):
    return x ** 2 + y ** 3.0


def nested_function(x):
    def g(y):
        return y * x
    return g(x)


def generator(x):
    yield x


async def coroutine(x):
    return x


def sum_nothing(x):
    return np.sum(x[:0]) + np.sum(x)


def compares(x):
    return x > 1


def conditional_import(x):
    import math as m
    return m.sin(x)


def reads_attribute(x):
    return np.sum(x.real * x.T) + x.size + x.shape[0]


def is_none_default(x, w=None):
    if w is None:
        w = 2.0
    return x * w


def shape_branches(x):
    if x.ndim == 2 and x.shape[1] > 1:
        return np.sum(x[:, 0])
    return np.sum(x)


def loop_variable_is_argument(x, i):
    for i in range(3):
        x = x * i + x
    return x + i


def argument_rebound_to_constant(x, y):
    x = 1.0
    for _ in range(2):
        x = x * y
    return x


def closure_over(factor):
    def times(x):
        return x * factor * x

    def set_factor(value):
        nonlocal factor
        factor = value
    return times, set_factor


def deep_recursion(x, n):
    return x if n == 0 else deep_recursion(x, n - 1) * 1.001 + 0.1


def long_loop(x, n):
    for i in range(n):
        x = x + 1e-3 * math.sin(x + i)
    return x


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, x):
        return np.sum(self.w * x * x)

    @staticmethod
    def square(x):
        return x * x

    @classmethod
    def cube(cls, x):
        return x * x * x

    def __call__(self, x):
        return self.loss(x) * 2.0


def uses_static(x):
    return Model.square(x) * 3.0


def keyword_only_active(x, *, w):
    return x * w * w


def very_keyword(x, /, y, *, z=3.0):
    return x * y * z
