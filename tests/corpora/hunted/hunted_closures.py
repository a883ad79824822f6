"""Functions for `tests/corpora/test_hunted.py`: functions that write into what they captured, called where that is not seen."""
import functools
import math
import operator

import numpy as np

from tests.corpora.hunted.hunting import found

V = np.array([0.7, 1.3, 0.4])


class Value:
    """A number that knows how it was made, as small libraries of automatic differentiation have it."""

    def __init__(self, data, children=()):
        self.data, self.grad, self.children, self.backward_step = data, 0.0, list(children), lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def step():
            self.grad += out.grad
            other.grad += out.grad
        out.backward_step = step
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))

        def step():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.backward_step = step
        return out

    def __pow__(self, k):
        out = Value(self.data ** k, (self,))

        def step():
            self.grad += k * self.data ** (k - 1) * out.grad
        out.backward_step = step
        return out

    def tanh(self):
        t = np.tanh(self.data)
        out = Value(t, (self,))

        def step():
            self.grad += (1 - t * t) * out.grad
        out.backward_step = step
        return out

    def backward(self):
        order, seen = [], []

        def build(v):
            if not any(v is w for w in seen):
                seen.append(v)
                for child in v.children:
                    build(child)
                order.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(order):
            v.backward_step()


@found(V, mixes=('f', 'rf', 'ff'))
def steps_of_operators(x):
    a, b = Value(x[0]), Value(x[1])
    y = a * b
    y.grad = x[2]
    y.backward_step()
    return a.grad * b.grad


@found(V, mixes=('f',))
def steps_in_order(x):
    a, b = Value(x[0]), Value(x[1])
    y = (a * b + a ** 2).tanh() * Value(x[2])
    y.backward()
    return a.grad * 2.0 + b.grad


class Taped:
    """The same with its steps on a tape, by lambdas or with a cell of its own."""

    def __init__(self, d, tape):
        self.d, self.g, self.tape = d, 0.0, tape

    def add(self, v):
        self.g = self.g + v

    def __mul__(self, o):
        r = Taped(self.d * o.d, self.tape)
        self.tape.append(lambda: (self.add(o.d * r.g), o.add(self.d * r.g)))
        return r

    def __sub__(self, o):
        r, times = Taped(self.d - o.d, self.tape), 0.0

        def step():
            nonlocal times
            times = times + o.d

            def give(t, v):
                t.g = t.g + v * r.g * times
            give(self, 1.0)
            give(o, -1.0)
        self.tape.append(step)
        return r


@found(V, mixes=('f',))
def steps_on_a_tape(x):
    tape = []
    a, b = Taped(x[0], tape), Taped(x[1], tape)
    y = (a * b - a) * b
    y.g = x[2]
    for step in reversed(tape):
        step()
    return a.g * b.g


class Grid:
    def __init__(self, v):
        self.v, self.g = v, np.zeros(3)

    def __mul__(self, o):
        r = Grid(self.v * o.v)

        def step():
            self.g += o.v * r.g
            o.g += self.v * r.g
        r.step = step
        return r


@found(V, mixes=('f',))
def steps_that_write_into_arrays(x):
    a, b = Grid(x), Grid(x * x)
    y = a * b
    y.g = np.ones(3) * x[1]
    y.step()
    return np.sum(a.g * b.g)


def adder(a, b):
    def add(g):
        a[0] = a[0] + b[0] * g
    return add


@found(V, mixes=('f',))
def a_list_without_a_derivative_captured_elsewhere(x):
    a = [1.0]
    add = adder(a, [2.0])
    add(x[2])
    add(x[0] * x[1])
    return a[0] * x[0]


@found(V, mixes=('f',))
def functions_in_a_dict(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v * v
    table = {'add': add}
    table['add'](x[0])
    table['add'](x[1] * x[2])
    return total * x[2]


@found(V, mixes=('f',))
def functions_in_a_list(x):
    a, fs = [1.0], []
    for i in range(3):
        def f(g, i=i):
            a[0] = a[0] * g + i
        fs.append(f)
    for f in fs:
        f(x[0])
    return a[0] * x[1]


def keep(fs, a, k):
    def f():
        a[0] = a[0] * k
    fs[k > 0] = f


@found(V, mixes=('f',))
def a_function_kept_by_a_callee(x):
    fs, a = {}, [x[0]]
    keep(fs, a, x[1])
    fs[True]()
    return a[0] * x[2]


@found(V, mixes=('f',))
def a_variable_captured_two_levels_deep(x):
    a = x[0]
    h = lambda w: (lambda q: a)
    g = h(1.5)
    a = x[1]
    return g(0.3) * x[2]


@found(V, mixes=('f',))
def a_variable_captured_three_levels_deep(x):
    a = x[0]
    h = lambda w: (lambda q: (lambda r: a * r))
    k = h(1.5)(2.0)
    a = x[1]
    return k(0.3) * x[2]


@found(V, mixes=('f',))
def a_function_made_by_a_function_in_a_list(x):
    a = x[0]
    fs = [lambda q: (lambda r: a * r * q)]
    g = fs[0](2.0)
    a = x[1]
    return g(0.3) * x[2]


@found(V, mixes=('f',))
def a_maker_called_by_another(x):
    a = x[0]

    def inner():
        return lambda q: a * q

    def outer():
        return inner()
    g = outer()
    if x[1] > 0:
        a = x[1] * a
    return g(0.3) * x[2]


@found(V, mixes=('f',))
def a_made_function_in_a_loop_that_binds_anew(x):
    a = x[0]

    def h(w):
        return lambda q: a * q * w
    g, s = h(1.5), 0.0
    for i in range(3):
        a = x[i] * 2
        s += g(0.3)
    return s


def collector(xs):
    def put(q):
        xs.append(q)
        return sum(xs)
    return put


@found(np.array([0.7, 1.3, 0.4]), mixes=('fr', 'rf', 'rr'))
def made_elsewhere_and_called_for_what_it_writes(v):
    put = collector([1.5, v[1]])
    total = put(v[0] * v[0])  # noqa: F841
    return put(0.7)


def grow(xs, x):
    xs.append(x * x)
    return len(xs)


def bump(xs, x):
    xs[0] = xs[0] * x
    return x * 2


def doubled(a):
    a *= 2
    return a[0]


WRITERS = {'grow': grow, 'bump': bump, 'doubled': doubled}


@found(0.7)
def writer_in_a_table_whose_value_is_used(x):
    xs = [x]
    n = WRITERS['grow'](xs, x)
    return sum(xs) * n


@found(V)
def writer_in_a_table_that_updates_an_array(v):
    a = v * v
    y = WRITERS['doubled'](a) * 2
    return np.sum(a) * y


def applied(h, a, x):
    y = h(a, x)
    return y * a[0]


@found(0.7)
def writer_that_is_handed_on(x):
    a = [x]
    y = applied(bump, a, x) * 2
    return a[0] * y


class Runs:
    def __init__(self, h):
        self.h = h

    def run(self, a, x):
        return self.h(a, x)


@found(0.7)
def writer_that_an_object_holds(x):
    a = [x]
    y = Runs(bump).run(a, x) * 2
    return a[0] * y


@found(0.7)
def writer_with_its_first_argument(x):
    a = [x]
    h = functools.partial(bump, a)
    y = h(x) + h(x * x)
    return a[0] * y


@found(0.7)
def writer_that_is_chosen(x):
    a = [x]
    y = (bump if x > 0 else None)(a, x)
    z = [None, bump][1](a, x)
    return a[0] * y * z


def visit(node, mark):
    out = mark(node)
    for child in node.get('kids', []):
        out = out + visit(child, mark)
    return out


@found(0.7, mixes=('f', 'rf'))
def writer_made_here_and_handed_down(x):
    def mark(node):
        node['v'] = node['v'] * x
        return node['v']
    t = {'v': x, 'kids': [{'v': x * x}, {'v': 2.0}]}
    y = visit(t, mark)
    return y * t['kids'][1]['v'] * t['v']


@found(0.7, mixes=('f', 'rf', 'fr'))
def writer_given_to_reduce(x):
    xs = []

    def step(a, b):
        xs.append(a * b)
        return a + b * a
    return functools.reduce(step, [x, x * x, 2 * x]) * sum(xs)


def fixed_point(f):
    return (lambda g: g(g))(lambda g: f(lambda n: g(g)(n)))


@found(0.9, mixes=('f',))
def recursion_by_a_fixed_point(x):
    power = fixed_point(lambda me: lambda n: 1.0 if n == 0 else x * me(n - 1))
    return power(4)


def appends(x):
    seen = [x * x]

    def inner(y):
        seen.append(y)
        return y * seen[0] * len(seen)
    return inner


def multiplies(x):
    box = [x]

    def inner(y):
        box[0] = box[0] * y
        return box[0]
    return inner


def twice(f, v):
    return f(f(v))


def one_after_the_other(*fs):
    def go(v):
        for f in fs:
            v = f(v)
        return v
    return go


@found(0.9, mixes=('f',))
def state_of_a_closure_that_was_made_elsewhere(x):
    f, g = appends(x), multiplies(x)
    return f(x) * f(2.0) + g(x) + g(2.0)


@found(0.9, mixes=('f',))
def such_a_closure_handed_on(x):
    f = multiplies(x)
    return twice(f, x)


@found(0.9, mixes=('f',))
def such_a_closure_among_others(x):
    return one_after_the_other(lambda v: v * x, multiplies(x), np.sin)(x)


def remembers(f):
    seen = {}

    def inner(n):
        if n not in seen:
            seen[n] = f(n)
        return seen[n]
    return inner


@found(0.9, mixes=('f', 'rf', 'fr', 'rr'))
def recursion_through_a_closure_that_remembers(x):
    fib = remembers(lambda n: x if n < 2 else fib(n - 1) * x + fib(n - 2))
    return fib(6)


def remembered(f):
    known = {}

    @functools.wraps(f)
    def g(n, x):
        if n not in known:
            known[n] = f(n, x)
        return known[n]
    return g


@found(0.4, mixes=())
def wrapped_and_calling_itself(x):
    @remembered
    def legendre(n, x):
        if n < 2:
            return [1.0, x][n]
        return ((2 * n - 1) * x * legendre(n - 1, x) - (n - 1) * legendre(n - 2, x)) / n
    return legendre(5, x) * legendre(3, x)


# What is returned in two places, or held by what is returned, is one thing, into which callers write

def counted(x):
    n = x[0]

    def add(v):
        nonlocal n
        n = n * v
        return n

    def get():
        return n
    return add, get


@found(V, mixes=('f', 'rf', 'fr'))
def two_functions_of_one_counter(x):
    (add, get), (add2, get2) = counted(x), counted(x * 2)
    add(x[1])
    add2(get() * x[2])
    return get() * get2()


def in_two_places(x):
    a = [0.0, 1.0]
    for k in range(2):
        a[k] = x[k] * x[2]
    return {'p': [a], 'q': a}


@found(V, mixes=('f', 'rf', 'fr'))
def a_list_in_two_places_of_a_dict(x):
    d = in_two_places(x)
    d['p'][0][0] *= x[1]
    return d['q'][0] ** 2


def with_a_function_of_it(x):
    a = [0.0, 0.0]
    a[0] = x[0] * x[2]
    return functools.partial(lambda b, k: b[k] * 2, a), a


@found(V, mixes=('f', 'rf', 'fr'))
def a_list_that_a_function_beside_it_holds(x):
    f, a = with_a_function_of_it(x)
    a[0] *= x[1]
    return f(0) ** 2


# Functions that capture something, handed on in a list beside numbers

@found(np.array([0.7, 1.3, 0.4]))
def pieces_that_capture_something(x):
    k = x[0]
    y = np.piecewise(x, [x < 1.0, x >= 1.0], [lambda t: t * t * k, lambda t: t ** 3])
    return np.sum(y * y)


# Lambdas in a list, which keep what a comprehension goes through

@found(V)
def default_values_in_a_list(x):
    fs = [lambda w, v=v: w * v for v in x]
    gs = [lambda w, k=k, s=x[k]: w ** k * s for k in range(3) if k != 1]
    return fs[0](x[1]) * gs[1](x[2]) + fs[2](gs[0](x[1]))


@found(V)
def default_values_of_pairs(x):
    fs = [lambda w, *, a=a, b=b: w * a * b for a in x for b in x if a < b]
    return sum([f(x[0]) for f in fs])


def sum_beside_a_function():
    total = [0.0]

    def add(v):
        total[0] += v
        return total[0]
    return add, total


def entries_beside_a_function():
    entries = {'s': 1.0}

    def scale(v):
        entries['s'] = entries['s'] * v
    return entries, lambda v: scale(v)


@found(1.3)
def changed_by_a_function_that_is_given_back_with_it(x):
    add, total = sum_beside_a_function()
    add(x)
    y = add(x * x)
    return total[0] * y


@found(1.3, mixes=())
def kept_as_a_pair_with_a_function(x):
    pair = sum_beside_a_function()
    pair[0](x * x)
    return pair[1][0] * x


@found(1.3, mixes=())
def changed_by_a_lambda_that_is_given_back_with_it(x):
    entries, scale = entries_beside_a_function()
    for _ in range(3):
        scale(x)
    return entries['s'] + x


# Default values that are written into: each function that is made has its own

@found(V, mixes=('f',))
def made_anew_in_a_loop_with_a_list_for_a_default(x):
    s = 0.0
    for v in x:
        def seen_so_far(u, seen=[]):                     # noqa: B006
            seen.append(u * u)
            return sum(seen)
        s += seen_so_far(v) * seen_so_far(s)
    return s


@found(V, mixes=('f',))
def made_anew_with_a_dict_for_a_keyword(x):
    s = 1.0
    for v in x:
        def product_so_far(u, *, held={'u': 1.0}):       # noqa: B006
            held['u'] = held['u'] * u
            return held['u']
        s = s * product_so_far(v) + product_so_far(s)
    return s


# Closures of one code that have captured other functions each

def square(v):
    return v * v


class Scaled:
    def __init__(self, k):
        self.k = k

    def __call__(self, v):
        return v * v * self.k

    def times(self, v):
        return v * self.k


def composed(*functions):
    return functools.reduce(lambda f, g: lambda v: g(f(v)), functions)


@found(0.7)
def composed_of_functions_with_rules(x):
    return composed(lambda v: v * x, np.sin, abs, math.exp)(x)


@found(0.7, mixes=('f',))
def composed_of_functions_of_all_kinds(x):
    return composed(lambda v: v * x, square, np.sin, Scaled(x), Scaled(3.0).times, operator.neg)(x)


@found(0.7, mixes=('f',))
def watched_functions_of_all_kinds(x):
    seen = []

    def watched(f):
        def g(v):
            seen.append(v)
            return f(v)
        return g
    s = 0.0
    for f in [watched(f) for f in (np.sin, np.cos, abs, math.exp, square, lambda v: v * x)]:
        s = s + f(x + s * 0.1)
    return s * sum(seen)


@found(0.7, mixes=('f',))
def twice_each_in_a_try(x):
    def twice(f):
        return lambda v: f(f(v))
    out = []
    for f in (twice(np.sin), twice(square), twice(lambda v: v * x), twice(twice(np.sin))):
        try:
            out.append(f(x))
        except ValueError:
            pass
    return sum(out) * out[0]


# Functions that a lambda makes for each of many

@found(V, mixes=('f', 'rf'))
def mapped_to_functions(x):
    fs = list(map(lambda k: lambda v: k * v + 1, x))
    return fs[0](x[2]) * fs[1](x[1])


@found(V, mixes=('f',))
def mapped_to_functions_of_functions(x):
    fs = [lambda v, k=k: v * x[k] for k in range(3)]
    hs = list(map(lambda g: (lambda v: g(v) * v), fs))
    return sum(h(x[2]) for h in hs) * fs[0](x[1])


# What default values keep is read by calls that are given nothing with a derivative

@found(V, mixes=('f',))
def read_from_a_default_value(x):
    def held(v, h=[]):                                   # noqa: B006
        h.append(v)
        return h
    a = held(x[0])
    return a[0] * x[1] + sum(held(1.0))


@found(V, mixes=('f',))
def read_from_a_default_value_by_another(x):
    def total(v, h=[]):                                  # noqa: B006
        h.append(v)
        return sum(h)

    def one_more():
        return total(1.0)
    total(x[0])
    return one_more() * x[1] + one_more()


def product_of_all():
    def product(v, *, h={'v': 1.0}):                     # noqa: B006
        h['v'] = h['v'] * v
        return h['v']
    return product


@found(V, mixes=())
def read_from_the_default_values_of_two(x):
    f, g = product_of_all(), product_of_all()
    f(x[0])
    g(x[1] * x[2])
    return f(2.0) * g(3.0)


# Names of functions inside, and of comprehensions, that hide what a function which is called there has captured: it was given
# the variable that hides the other, and the value was wrong as the derivative was

@found([0.7, 1.3, 0.4])
def a_local_variable_hides_what_a_callee_captured(xs):
    x = xs[0]

    def square():
        return x * x

    def times(k):
        x = k * 2
        return x * square()
    return square() * times(xs[1])


@found([0.7, 1.3, 0.4])
def a_loop_variable_hides_what_a_callee_captured(xs):
    x = xs[0]

    def square():
        return x * x

    def total(values):
        t = 0.0
        for x in values:
            t += x * square()
        return t
    return square() * total(xs)


@found([0.7, 1.3, 0.4])
def a_variable_of_a_comprehension_hides_what_a_callee_captured(xs):
    x = xs[0]
    square = lambda: x * x                                      # noqa: E731
    return sum(x * square() for x in xs) + sum([x + square() for x in xs if x < square() + 5])


@found([0.7, 1.3, 0.4])
def a_parameter_hides_what_a_callee_captured(xs):
    x = xs[0]

    def square():
        return x * x

    def times(x=2.0, *, y=1.0):
        return x * square() * y
    return square() * times(x=xs[1]) + times(y=xs[2]) + sum(map(lambda x: x * square(), xs))


@found([0.7, 1.3, 0.4])
def a_function_deeper_inside_hides_what_a_callee_captured(xs):
    x = xs[0]

    def square():
        return x * x

    def times(k):
        def inner(x):
            y = [x * square() for x in (x, 2.0)]
            return sum(y) * x
        return inner(k) * inner(2.0) * x
    return square() * times(xs[1])


@found([0.7, 1.3, 0.4], mixes=('f', 'rf', 'fr', 'ff'))
def what_calls_what_captured(xs):
    x = xs[0]

    def square():
        return x * x

    def twice():
        return square() * 2

    def times(k):
        match k:
            case [x, *_]:
                return x * twice()
        if (x := k * 2) > 0:
            return x * twice()
        return k
    return times(xs[1]) * times([xs[2], 1.0])


@found([0.7, 1.3, 0.4], mixes=('f',))
def a_name_that_is_bound_anew_hides_what_a_callee_captured(xs):
    x = xs[0]

    def grow():
        nonlocal x
        x = x * 1.5
        return x

    def times(k):
        x = k * grow()
        return x * grow()
    return times(xs[1]) * x * times(xs[2])


def called_by_name(f, v):
    return f(v=v)


@found(V)
def given_to_who_calls_it_by_its_parameter_that_hides(x):
    v = x[0] * 2

    def square():
        return v * v

    def g(v):
        return v + square()
    return called_by_name(g, x[1]) * called_by_name(lambda v: v * square(), x[2]) * v


@found(V)
def called_in_a_list_by_its_parameter_that_hides(v):
    def product(k=1.0):
        return v[0] * v[1] * k
    h = lambda v: v * product(k=v)               # noqa: E731
    fs = [h, h]
    return sum(f(v=x) for f, x in zip(fs, v)) * h(v=3.0)
