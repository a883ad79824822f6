"""Functions for `tests/corpora/test_hunted.py`: exceptions that carry values to contexts and handlers, objects that write when they
are called, what is sorted in place and differentiated twice, and objects of kinds that hold values in a way of their own.
"""
import contextlib
import dataclasses
import functools
import queue
import threading

import numpy as np

from tests.corpora.hunted.hunting import found

V = np.array([0.7, 1.3, 0.4])
BUT_TWICE_FORWARD = 'f', 'rf', 'fr', 'rr'


class Err(Exception):
    def __init__(self, v):
        self.v = v


def thrown(x):
    raise Err(x * 3)


class Watch:
    def __init__(self):
        self.seen = 0.0

    @contextlib.contextmanager
    def guard(self):
        try:
            yield
        except Err as e:
            self.seen = e.v * e.v

    def __enter__(self):
        return self

    def __exit__(self, kind, e, traceback):
        self.seen = e.v * e.v
        return True


@found(0.7, mixes=BUT_TWICE_FORWARD)
def caught_by_a_method_that_makes_a_context(x):
    m = Watch()
    with m.guard():
        raise Err(x * 3)
    return m.seen * x


@found(0.7, mixes=BUT_TWICE_FORWARD)
def caught_by_a_context_from_a_callee(x):
    m = Watch()
    with m:
        thrown(x)
    return m.seen * x


@contextlib.contextmanager
def noting(xs):
    try:
        yield
    except Err as e:
        xs.append(e.v * e.v)


@found(0.7, mixes=BUT_TWICE_FORWARD)
def caught_by_a_context_that_appends(x):
    xs = []
    with noting(xs):
        if x > 0:
            raise Err(x * 3)
    return sum(xs) * x


@found(0.7, mixes=BUT_TWICE_FORWARD)
def message_of_an_assertion_that_is_read(x):
    try:
        assert x > 5, x * x
    except AssertionError as e:
        return e.args[0] * 2
    return x


def checked(a, b):
    assert a > 5, (a * b, b)
    return a


@found(0.7, mixes=BUT_TWICE_FORWARD)
def message_of_an_assertion_of_a_callee(x):
    try:
        y = checked(x, x * 2)
    except AssertionError as e:
        y = e.args[0][0] * x
    return y


class Scaled:
    def __init__(self, v):
        self.v = v

    @functools.cached_property
    def scale(self):
        return lambda y: y * self.v * self.v


@found(0.7)
def function_that_an_object_keeps(x):
    p = Scaled(x * x)
    return p.scale(x) + p.scale(2.0)


class Layer:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        self.out = x * self.w
        return np.tanh(self.out)


class Model:
    def __init__(self):
        self.layers = [Layer(0.5), Layer(1.5)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


@found(0.7)
def layers_that_keep_what_they_gave(x):
    m = Model()
    return m(x) * m(x * x) * m.layers[0].out


class Memo:
    def __init__(self, f):
        self.f, self.cache = f, {}

    def __call__(self, n, x):
        if n not in self.cache:
            self.cache[n] = self.f(n, x)
        return self.cache[n]


@found(0.7)
def table_of_an_object_that_is_called(x):
    g = Memo(lambda n, x: x * n)
    return g(2, x) * g(3, x) * g(2, x)


@found(V)
def sorted_list(v):
    xs = [u * u for u in v]
    xs.sort()
    return xs[0] * xs[1] * xs[2] ** 2


@found(V)
def sorted_array(v):
    a = v * v * 1.5
    a.sort()
    return a[0] ** 3 * a[1] + a[2] ** 2


@found(V)
def sorted_by_a_key_and_searched(v):
    xs = [u * u for u in v]
    xs.sort(key=lambda a: -a)
    first = xs[0]
    xs.remove(first)
    return first * xs[0] ** 2 + xs[1] * first ** 2


def squared(xs):
    xs[:] = [u * u for u in xs]


@found(V)
def slice_that_a_callee_assigns_a_comprehension(v):
    xs = list(v)
    squared(xs)
    return xs[0] * xs[1] + xs[2]


def product(p):
    return np.outer(p, p) @ np.ones((3, 2))


@found(V)
def rows_of_what_a_call_gives(v):
    a, b, c = product(v)
    return np.sum(a * b) + c[0]


@dataclasses.dataclass
class Made:
    a: float
    s: dataclasses.InitVar[float] = 2.0
    c: float = dataclasses.field(init=False)

    def __post_init__(self, s):
        self.c = self.a * s


@found(0.7)
def fields_made_of_what_is_no_field(x):
    d, e = Made(x, s=x * 3), Made(x)
    return d.c * d.a * e.c


@found(0.7)
def attributes_of_a_thread(x):
    t = threading.local()
    t.v = x * x
    t.w = t.v * x
    return t.v * t.w


@found(V, mixes=())
def queue_that_sorts(v):
    q = queue.PriorityQueue()
    for u in v:
        q.put(u * u)
    y = 1.0
    while not q.empty():
        y = y * 2 + q.get() * v[0]
    return y


class Stop(Exception):
    def __init__(self, value, count=1):
        super().__init__(value)
        self.value, self.count = value, count


@found(np.array([0.7, 1.3, 0.4, -0.9]), mixes=BUT_TWICE_FORWARD)
def thrown_with_values_that_have_none(v):
    total = 0.0
    for k in range(5):
        try:
            if k == 0:
                raise Stop(v[1] ** 2, 2)
            if k == 1:
                raise Stop(0.5)
            if k == 2:
                raise KeyError('k', v[2])
            if k == 3:
                raise ValueError(0.83)
            raise ValueError
        except Stop as stop:
            total += stop.value * stop.count * v[0]
        except KeyError as e:
            total += e.args[1] ** 2
        except ValueError as e:
            total += sum(e.args) * v[3]
    return total


class Account:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return Account(self.v + other.v)

    def __getitem__(self, k):
        return self.v * k


@found(np.array([0.7, 1.3, 0.4]), mixes=BUT_TWICE_FORWARD)
def updates_of_parts_where_classes_have_operators(v):
    w, o = v * 1.0, Account(v[0])
    try:
        try:
            raise Stop(w[0] * v[1])
        finally:
            o.v *= w[1] ** 2
    except Stop as e:
        w[-1] += e.value
    w[0] -= (o + o)[2]
    return np.sum(w * w)


# Contexts that generators make, in every order; names bound to what they give

@contextlib.contextmanager
def scaled(box, k):
    old = box['s']
    box['s'] = old * k
    try:
        yield box
    finally:
        box['s'] = old * old


@contextlib.contextmanager
def pair_of(a, b):
    yield a * b, a + b


@contextlib.contextmanager
def quiet(out):
    try:
        yield
    except ValueError:
        out.append(2.0)


class Sim:
    def __init__(self, x):
        self.x, self.log = x, []

    @contextlib.contextmanager
    def step(self, dt):
        self.x = self.x * dt
        yield self.x
        self.log.append(self.x ** 2)


@found(0.7)
def context_that_writes_before_and_after(x):
    box = {'s': x}
    with scaled(box, x), scaled(box, x * 2) as b:
        y = b['s'] * 2
    return y * box['s']


@found(np.array([0.7, 1.3, 0.4]))
def context_made_by_a_method(v):
    s = Sim(v[0])
    for _ in range(2):
        with s.step(v[1]) as y:
            s.x = s.x + y * v[2]
    return sum(s.log) * s.x


@found(0.7)
def context_that_swallows(x):
    out = [x * x]
    with quiet(out):
        out.append(x)
        if x > 0:
            raise ValueError('no')
        out.append(x * 5)
    return out[0] * out[1] * out[2]


@found(0.7)
def names_of_a_context_bound_to_what_has_no_derivative(x):
    with pair_of(x, 2.0) as (p, q):
        r = p * q
    with pair_of(3.0, 2.0) as (p, q):
        r = r * p
    return r * x


@found(0.7)
def name_bound_to_a_number_by_a_context(x):
    log = []
    log.append(x * x)
    p = log[-1]
    r = p * p
    with contextlib.nullcontext(3.0) as p:
        r = r * p
    return r * x


@found(0.7, mixes=BUT_TWICE_FORWARD)
def values_that_an_error_is_given(x):
    """Second order was refused: the class has a __new__ of its own, which is written in C."""
    try:
        raise ValueError(x * x, 2.0)
    except ValueError as e:
        return e.args[0] * e.args[1] * x


class WithTotal(Exception):
    def total(self):
        return self.args[0] * self.args[1]


@found(0.7, mixes=BUT_TWICE_FORWARD)
def values_that_a_method_of_an_error_reads(x):
    try:
        raise WithTotal(x, x * x)
    except WithTotal as e:
        return e.total()


@found(0.7, mixes=BUT_TWICE_FORWARD)
def value_that_an_error_keeps_by_two_names(x):
    try:
        raise StopIteration(x * x)
    except StopIteration as e:
        return e.value * e.args[0]


class Doubled(Err):
    def __init__(self, v):
        self.w = v * v
        super().__init__(v * 2.0)


@found(0.7, mixes=BUT_TWICE_FORWARD)
def value_of_the_error_before(x):
    try:
        try:
            raise Doubled(x * x)
        except Err as e:
            raise WithTotal(e.v * x, e.w) from e
    except WithTotal as e:
        return e.total() * e.__cause__.v


@found(0.7, mixes=BUT_TWICE_FORWARD)
def list_that_an_error_carries(x):
    xs = []
    try:
        xs.append(x * x)
        raise Err(xs)
    except Err as e:
        e.v.append(x)
    return sum(xs) * xs[0]


@found(0.7, mixes=BUT_TWICE_FORWARD)
def error_that_a_handler_writes_into_and_raises_again(x):
    """Forward mode took what is written into it for lost, as nothing else reads it there."""
    try:
        try:
            raise Err(x * x)
        except Err as e:
            e.v = e.v * x
            raise
    except Err as again:
        return again.v


class Holder:
    def __init__(self, error):
        self.error = error


def of_holder(holder):
    return holder.error.v * holder.error.args[0]


@found(0.7, mixes=BUT_TWICE_FORWARD)
def error_in_an_object_of_a_helper(x):
    """The gradient of an exception in something else was None: a raw error."""
    try:
        raise Doubled(x * x)
    except Err as e:
        holder = Holder(e)
    return of_holder(holder) * x


def of_first(errors):
    return errors[0].v * 2.0


@found(0.7, mixes=BUT_TWICE_FORWARD)
def error_in_a_list_of_a_helper(x):
    try:
        raise Doubled(x * x)
    except Err as e:
        return of_first([e]) * x


class Fading:
    def __init__(self, v):
        self.v = v

    def __mul__(self, other):
        return Fading(self.v * other)

    def __getitem__(self, k):
        return self.v * k

    def scale(self, x):
        self.v = self.v * x


def left_by_a_return(a, x):
    try:
        return a[2] * x + a[1]
    finally:
        a.scale(x)


@found(0.7, mixes=BUT_TWICE_FORWARD)
def numbers_that_a_finally_block_cannot_change(x):
    """Second order was refused: what an operator gives may be what the block changes, if it is no number."""
    a, b = Fading(x), Fading(x * x)
    y = left_by_a_return(a, x) * a.v
    try:
        return (b * x).v * y
    finally:
        b.v = 5.0


@found(0.7, mixes=('f',))
def numbers_take_no_items(x):
    y = np.sin(x)
    try:
        y[np.abs(y) < 0.1] = 0.0
    except TypeError:
        y = y * 2.0 if np.abs(y) > 0.1 else 0.0
    return y * x


# Arrays that an exception carries are written into where it is caught

@found(V, mixes=())
def an_array_that_an_exception_carries(v):
    found_so_far = np.zeros(3)
    try:
        found_so_far[0] = v[0]
        raise RuntimeError(found_so_far)
    except RuntimeError as error:
        array = error.args[0]
        array[0] += v[1] * v[2]
    return np.sum(found_so_far * v)


@found(V, mixes=())
def a_row_that_a_callee_throws(v):
    table = {'m': np.outer(v, v)}

    def step(k):
        table['m'][k] += v
        if k == 1:
            raise KeyError('done', table['m'][0])
    try:
        for k in range(3):
            step(k)
    except KeyError as error:
        _, row = error.args
        row *= 2
    return np.sum(table['m'] ** 2)


# What exceptions carry out of functions that are known only when running

class Carried(Exception):
    def __init__(self, v):
        self.v = v


class Raises:
    def __init__(self, w):
        self.w = w

    def times(self, v):
        raise Carried(v * self.w)


def raises_the_square(v):
    raise Carried(v * v)


def guarded(f):
    def g(*args):
        try:
            return f(*args)
        except ArithmeticError as e:
            return e.args[0]
    return g


@found(np.array([0.7, 1.3]), mixes=('f', 'rf', 'fr', 'rr'))
def carried_out_of_an_element_of_a_list(x):
    fs = [raises_the_square]
    try:
        y = fs[0](x[0])
    except Carried as e:
        y = e.v
    return y * x[1]


@found(np.array([0.7, 1.3]), mixes=('f', 'rf', 'fr', 'rr'))
def carried_out_of_a_method(x):
    o = Raises(x[0])
    try:
        y = o.times(x[1])
    except Carried as e:
        y = e.v
    return y * x[1]


@found(np.array([0.7, 1.3]), mixes=('f', 'rf', 'fr', 'rr'))
def carried_out_of_what_a_closure_calls(x):
    def h(v):
        raise ArithmeticError(v * x[1])
    return guarded(h)(x[0]) * x[0]
