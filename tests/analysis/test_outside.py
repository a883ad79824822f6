"""What functions keep outside of themselves: right, a log that nobody reads, or refused at the line that keeps it.

It was taken for passive: a memo table, a default value, a work buffer, an attribute of a function or a class that another
call reads gave a gradient without what went through it.
"""
import functools
import importlib
import sys
import types

import numpy as np
import pytest

import tangent
from tangent.analysis import outside
from tangent.errors import TangentParseError
from tangent.frontend.resolve import resolver_of
from tangent.frontend.source import read
from tests.tools.checking import differences
from tests.tools.texts import define

X = np.array([0.7, 1.3, 0.4])
WORK = np.zeros(3)
LOG, KEPT, TABLE, BUFFER, COUNT, LAST, CALLS = [], [], {}, np.zeros(3), {'n': 0, 'total': 0.0}, 0.0, 0


class Model:
    total = 0.0

    def __init__(self):
        self.w, self.h, self.cache = np.ones(3), 0.0, {}

    def forward(self, x):
        self.cache['x'] = x
        return np.sum(self.w * self.cache['x'] * x)

    def put(self, v):
        self.h = v

    def get(self):
        return self.h * 2


MODEL = Model()


def cells():
    kept, seen = 0.0, [0]

    def put(v):
        nonlocal kept
        seen[0] += 1
        kept = v * v
        return v

    def get():
        return kept

    return put, get


put_cell, get_cell = cells()


def put_last(v):
    global LAST
    LAST = v


def put_global(v):
    globals()['LATEST'] = v


def put_in_module(v):
    here = sys.modules[__name__]
    here.LATEST = v


def put_log(v):
    LOG.append(v)


def put_by_name(v):
    add = LOG.append
    add(v)


def put_table(v):
    TABLE['v'] = v * v


def put_alias(v):
    table = TABLE
    table['v'] = v


def put_attribute(v):
    put_attribute.last = v


def put_model(v):
    MODEL.put(v)


def memo(v):
    if 'v' not in TABLE:
        TABLE['v'] = v * v
    return TABLE['v']


def buffered(v):
    BUFFER[:] = v
    return BUFFER


def first_of(v, seen=[]):                                    # noqa: B006 (that is the point)
    seen.append(v)
    return seen[0]


def fill(a, v):
    a[:] = v


def note(v, log):
    log.append(v)
    return v


def by_global(x):
    put_last(x[0])
    return LAST * x[1]


def by_namespace(x):
    put_global(x[0])
    return LATEST * x[1]                                      # noqa: F821 (put_global makes it)


def by_log(x):
    put_log(x[0])
    return LOG[-1] * 2


def by_name(x):
    put_by_name(x[0])
    return LOG[-1] * 2


def by_own_log(x):
    LOG.clear()
    for v in x:
        LOG.append(v * v)
    return sum(LOG)


def by_table(x):
    put_table(x[0])
    return TABLE['v'] * x[1]


def by_alias(x):
    put_alias(x[0])
    return TABLE['v'] * x[1]


def by_memo(x):
    TABLE.clear()
    return memo(x[0]) + memo(x[1])


def by_buffer(x):
    return np.sum(buffered(x) * buffered(x * x))


def by_filled_buffer(x):
    fill(BUFFER, x * x)
    return BUFFER[0] * x[1]


def by_default(x):
    first_of(x[0])
    return first_of(x[1])


def by_order(x):
    BUFFER[:] = x
    BUFFER.sort()
    return BUFFER[0] * BUFFER[1]


def by_function(x):
    put_attribute(x[0])
    return put_attribute.last * 2


def by_class(x):
    Model.total = x[0] * 2
    return MODEL.total * x[1]


def by_class_under_a_name(x):
    kind = Model
    kind.total = x[0] * 2
    return Model.total * x[1]


def by_module(x):
    put_in_module(x[0])
    return LATEST * 2                                  # noqa: F821 (it is set there)


def by_model(x):
    put_model(x[0])
    return MODEL.get() * x[1]


def by_cell(x):
    put_cell(x[0])
    return get_cell() * x[1]


def hand_out(out):
    out[0] = LOG[-1] * 2


def by_argument(x):
    out = np.zeros(1)
    put_log(x[0])
    hand_out(out)
    return out[0] * x[1]


def throw():
    if LOG[-1] > 0:
        raise ValueError(LOG[-1])


def by_exception(x):
    put_log(x[0])
    try:
        throw()
    except ValueError as e:
        return e.args[0] * x[1]
    return x[0]


def by_another_table(x):
    put_log(x[0])
    TABLE['last'] = LOG[-1]
    return TABLE['last'] * x[1]


def by_maximum(x):
    put_log(x[0])
    last = LOG[-1]
    return np.maximum(last, 0.0) if last > 0 else x[1]


def work():
    return WORK


def updated_as_handed_out(x):
    """`a += x` for what a function gave was taken for a new array."""
    a = work()
    a += x
    b = work()
    return np.sum(b * x)


def written_as_handed_out(x):
    a = work()
    a[0] = x[0]
    return np.sum(work() * x)


def updated_as_handed_out_and_read(x):
    a = work()
    a *= x
    return np.sum(WORK * x)


def add_up(v, total=np.zeros(3)):  # noqa: B008
    total += v
    return total


def added_up_in_a_default(x):
    add_up(x)
    return np.sum(add_up(x * 2.0) ** 2)


def handed_out_once(x):
    a = work()
    a[:] = x
    a *= x
    return np.sum(a * x)


def kept_in_a_log(n):
    y = np.zeros(n)
    KEPT.append(y)
    return y


def made_and_logged(x):
    """What a function gives and keeps was taken for the caller's alone."""
    a = kept_in_a_log(3)
    a[0] = x[0] * x[1]
    return np.sum(a * a) + np.sum(KEPT[-1] * x)


def put_kept(v):
    KEPT.append(v)


def kept_by_another(n):
    y = np.zeros(n)
    put_kept(y)
    return y


def last_kept():
    return KEPT[-1]


def made_and_logged_by_another(x):
    a = kept_by_another(3)
    a[0] = x[0] * x[1]
    return np.sum(a * a) + np.sum(last_kept() * x)


def kept_in_part(n):
    y = np.zeros(n + 1)
    MODEL.h = y[1:]
    return y


def made_and_kept_in_part(x):
    a = kept_in_part(3)
    a[1] = x[0] * x[1]
    return np.sum(a * a) + np.sum(MODEL.h * x)


def kept_under_a_second_name(n):
    y = z = np.zeros(n)
    MODEL.h = z
    return y


def made_and_kept_under_a_second_name(x):
    a = kept_under_a_second_name(3)
    a[0] = x[0] * x[1]
    return np.sum(a * a) + MODEL.get()[0] * x[0]


@functools.lru_cache
def once(n):
    return np.zeros(n)


def cached_array(x):
    a = once(3)
    a[0] = x[0] * x[1]
    return np.sum(a * a) + np.sum(once(3) * x)


class Only:
    one = None

    def __new__(cls):
        if cls.one is None:
            cls.one = super().__new__(cls)
            cls.one.v = 1.0
        return cls.one


class Pooled:
    pool = {}                                   # noqa: RUF012

    def __new__(cls, key):
        if key not in cls.pool:
            cls.pool[key] = object.__new__(cls)
            cls.pool[key].v = 1.0
        return cls.pool[key]


class Got:
    one = None

    @classmethod
    def get(cls):
        if cls.one is None:
            cls.one = cls()
            cls.one.v = 1.0
        return cls.one


class Alike:
    state = {}                                  # noqa: RUF012

    def __init__(self):
        self.__dict__ = self.state


class OneOfEach(type):
    made = {}                                   # noqa: RUF012

    def __call__(cls, *args):
        if cls not in cls.made:
            cls.made[cls] = super().__call__(*args)
        return cls.made[cls]


class Sole(metaclass=OneOfEach):
    v = 1.0


class Gatherer:
    items = []                                  # noqa: RUF012

    def add(self, v):
        self.items.append(v)


@functools.lru_cache
def station(name):
    return Station()


class Station:
    v = 1.0


def the_only_object(x):
    Only().v = x[0] * x[1]
    return Only().v * x[2]


def an_object_of_a_pool(x):
    Pooled('a').v = x[0] * x[1]
    return Pooled('a').v * x[2]


def the_object_of_a_class_method(x):
    Got.get().v = x[0] * x[1]
    return Got.get().v * x[2]


def objects_with_one_dict(x):
    Alike().v = x[0] * x[1]
    return Alike().v * x[2]


def the_only_object_of_a_metaclass(x):
    Sole().v = x[0] * x[1]
    return Sole().v * x[2]


def a_list_of_a_class_that_methods_fill(x):
    a, b = Gatherer(), Gatherer()
    a.add(x[0])
    b.add(x[1] * x[2])
    return sum(a.items[-2:])


def a_cached_object(x):
    station('a').v = x[0] * x[1]
    return station('a').v * x[2]


REFUSED = [the_only_object, the_only_object_of_a_metaclass, a_list_of_a_class_that_methods_fill, an_object_of_a_pool,
            the_object_of_a_class_method, objects_with_one_dict, a_cached_object, made_and_logged, made_and_logged_by_another, made_and_kept_in_part, made_and_kept_under_a_second_name, cached_array,
           updated_as_handed_out, written_as_handed_out, updated_as_handed_out_and_read, added_up_in_a_default,
           by_class_under_a_name, by_module, by_global, by_namespace, by_log, by_name, by_own_log, by_table, by_alias, by_memo, by_buffer, by_filled_buffer, by_default,
           by_order, by_function, by_class, by_model, by_cell, by_argument, by_exception, by_another_table, by_maximum]


@pytest.mark.parametrize('function', REFUSED, ids=lambda f: f.__name__)
@pytest.mark.parametrize('mode', ['reverse', 'forward'])
def test_what_outlasts_a_call_is_refused_where_it_is_kept(function, mode):
    first_of.__defaults__[0].clear()
    TABLE.clear()
    with pytest.raises(TangentParseError, match='kept outside of the function, and read again|writes to global') as caught:
        tangent.grad(function)(X) if mode == 'reverse' else tangent.jvp(function)(X, X)
    assert caught.value.filename == __file__


def only_logged(x):
    COUNT['n'] += 1
    put_log(np.sum(x))
    return np.sum(x * x) + (len(LOG) < 0)


def logged_by_name(x):
    add = LOG.append
    put_log(np.sum(x))
    add(x[0])
    return np.sum(x * x) + 0 * len(LOG)


def logged_by_another(x):
    return note(x[0], LOG) * note(x[1], LOG)


def log_by_default(v, log=[]):                               # noqa: B006
    log.append(v)
    return v * v


def logged_by_default(x):
    return log_by_default(x[0]) * log_by_default(x[1])


def into_a_total(v):
    COUNT['total'] = COUNT['total'] + v
    MODEL.h = MODEL.h + v
    return v * v


def only_totals(x):
    return into_a_total(x[0]) * into_a_total(x[1])


def counted(x):
    global CALLS
    CALLS += 1
    return np.sum(x * x)


def worked(x):
    np.multiply(x, 2.0, out=WORK)
    return np.sum(WORK * x)


def work_buffer_of_another(x):
    return worked(x) * worked(x * x)


def own_buffer_by_index(x):
    """What is read of an array of the module by an index had no derivative."""
    WORK[:] = x * x
    first = WORK[0]
    return np.sum(WORK[1:] * x[1:]) * first


def norm(x, known={}):                                       # noqa: B006
    k = len(x)
    if k not in known:
        known[k] = np.arange(k) + 1.0
    return np.sum(known[k] * x * x)


def memo_of_arrays(x):
    return norm(x) * norm(x[:2])


def own_table(x):
    TABLE['v'] = x[0] * x[1]
    return TABLE['v'] * 2


def own_buffer(x):
    BUFFER[:] = x * x
    return np.sum(BUFFER * x)


def own_list_filled_by_another(x):
    note(x[0] * x[1], LOG)
    return LOG[-1] * x[2]


def model(x):
    return MODEL.forward(x) + MODEL.forward(x * x)


def state_of_a_model(x):
    MODEL.put(x[0])
    return MODEL.get() * x[1]


def binomial(n, k, known={}):                                # noqa: B006
    if (n, k) not in known:
        known[n, k] = 1.0 if k in (0, n) else binomial(n - 1, k - 1) + binomial(n - 1, k)
    return known[n, k]


def memo_of_numbers(x):
    return sum(binomial(3, k) * x[0] ** k for k in range(4)) * x[1]


@functools.lru_cache
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def cached(x):
    return x[0] ** 3 / factorial(3) * x[1] + x[2]


def stops_early(x):
    loss = np.sum(x * x)
    LOG.append(loss)
    if len(LOG) > 1 and abs(LOG[-1] - LOG[-2]) < 0:
        return 0.0
    return loss


def shows_the_mean_of_a_log(x):
    loss = np.sum(x * x)
    LOG.append(loss)
    mean = np.mean(LOG[-3:])
    print(f'{mean:.3f}', float(np.max(LOG)))
    return loss


def grid(n, kind='uniform'):
    key = n, kind
    if key in TABLE:
        return TABLE[key]
    TABLE[key] = np.linspace(0, 1, n) if kind == 'uniform' else np.cos(np.arange(n))
    return TABLE[key]


class Meter:                                                 # beside a class with operators, sums may be anything
    def __iadd__(self, other):
        return self


def grids(x):
    meter, s = Meter(), 0.0
    meter += 1.0
    for n in range(2, 5):
        s += np.interp(0.3, grid(n), x[0] * grid(n) + x[1])
    return s * x[2]


def made_and_logged_alone(x):
    a = kept_in_a_log(3)
    a[0] = x[0] * x[1]
    return np.sum(a * a)


RIGHT = [made_and_logged_alone, handed_out_once, memo_of_arrays, only_totals, counted, work_buffer_of_another, own_buffer_by_index, stops_early, shows_the_mean_of_a_log, grids,
         only_logged, logged_by_name, logged_by_another, logged_by_default, own_table, own_buffer,
         own_list_filled_by_another, model, state_of_a_model, memo_of_numbers, cached]


@pytest.mark.parametrize('function', RIGHT, ids=lambda f: f.__name__)
def test_what_is_read_by_nobody_else_is_right(function):
    want = differences(function, (X,), (0,))[0]
    assert np.allclose(tangent.grad(function)(X), want, atol=1e-5)
    found = [tangent.jvp(function)(X, d) for d in np.eye(3)]
    assert np.allclose(found, want, atol=1e-5)


# What has no derivative, and is written after a call that reads it: the adjoint of the call would read it then

class Gain:
    def __init__(self):
        self.n = 2.0

    def times(self, y):
        return self.n * y


GAIN, FACTOR = Gain(), 2.0


def times_factor(y):
    return FACTOR * y


def attribute_afterwards(x):
    GAIN.n = 2.0
    y = GAIN.times(x[0])
    GAIN.n = 5.0
    return y * x[1]


def attribute_in_a_loop(x):
    y = x[0]
    for k in range(3):
        GAIN.n = 2.0 + k
        y = GAIN.times(y)
    return y * x[1]


def variable_afterwards(x):
    global FACTOR
    FACTOR = 2.0
    y = times_factor(x[0])
    FACTOR = 5.0
    return y * x[1]


def attribute_before(x):
    GAIN.n = 3.0
    return GAIN.times(x[0]) * x[1]


def test_a_variable_that_is_bound_anew_after_a_call_that_reads_it_is_refused():
    with pytest.raises(tangent.TangentParseError, match='outside after a call that has read it(.|\n)*FACTOR = '):
        tangent.grad(variable_afterwards)(np.array([0.7, 1.3]))


@pytest.mark.parametrize('function, wanted', [(attribute_afterwards, [2.6, 1.4]), (attribute_in_a_loop, [31.2, 16.8])])
def test_an_attribute_that_is_written_after_a_call_that_reads_it_is_put_back(function, wanted):
    gradient = tangent.grad(function)
    for _ in range(4):
        np.testing.assert_allclose(gradient(np.array([0.7, 1.3])), wanted)


def first_updated(a):
    a[0] = a[0] * a[1]
    return a[0] * WORK[0] * WORK[2]


def first_of_work():
    return WORK[0]


def first_updated_by_a_callee(a):
    first_updated(a)
    return a[0] * first_of_work()


def log_updated(xs):
    xs.append(xs[0] * 2.0)
    return sum(LOG) * xs[1]


def model_updated(m):
    m.h = m.h * m.h
    return m.h * MODEL.h


@pytest.mark.parametrize('f, given', [(first_updated, WORK), (first_updated_by_a_callee, WORK), (first_updated, WORK[::-1]),
                                      (log_updated, LOG), (model_updated, MODEL)])
@pytest.mark.parametrize('mode', ['reverse', 'forward', 'for its kinds'])
def test_what_is_given_and_written_into_is_nothing_that_is_read_outside(f, given, mode, monkeypatch):
    """The copy that was made of it, or its gradient, was another thing: the value was wrong, too."""
    monkeypatch.setattr(MODEL, 'h', 2.0)
    WORK[:], LOG[:] = [1.0, 2.0, 3.0], [1.0]
    df = tangent.jvp(f) if mode == 'forward' else tangent.grad(f)
    other = [2.0] if given is LOG else Model() if given is MODEL else given.copy()
    for _ in range(3 * (mode == 'for its kinds')):
        df(other)
    with pytest.raises(tangent.errors.AliasError, match='share memory'):
        df(given, other) if mode == 'forward' else df(given)


def set_factor(v):
    sys.modules[__name__].FACTOR = v


def factor_set_by_a_callee(x):
    y = FACTOR * x
    set_factor(5.0)
    return y * y


def factor_set_here(x):
    y = FACTOR * x
    vars(importlib.import_module(__name__))['FACTOR'] = 5.0
    return y * y


@pytest.mark.parametrize('f', [factor_set_by_a_callee, factor_set_here])
def test_variables_of_modules_that_are_looked_up_are_not_read_late(f):
    """The adjoint read what the variable was afterwards."""
    with pytest.raises(tangent.TangentParseError, match='looked up by their names|outside'):
        tangent.grad(f)(0.7)


def test_what_is_written_before_the_call_is_right():
    np.testing.assert_allclose(tangent.grad(attribute_before)(np.array([0.7, 1.3])), [3.9, 2.1])


INSIDE = '''
import math

import numpy as np

RATE = 0.5


def formula(x, w):
    y = np.zeros_like(x)
    for k in range(x.shape[0]):
        y[k] = math.sin(x[k] * RATE) + w.sum()
    y += x
    return np.sum(y) if len(w) > 2 else abs(y[0])
'''
REACHING = '''
import numpy as np

TABLE, LOG = {}, []


def table(x):
    TABLE['x'] = x
    return x


def alias(x):
    t = TABLE
    t['x'] = x
    return x


def declared(x):
    global RATE
    RATE = x
    return x


def module(x):
    np.rate = x
    return x


def kept(x, seen=[]):
    seen.append(x)
    return x


def field(model, x):
    c = model.cache
    c['x'] = x
    return x


def of_field(model, x):
    model.cache.append(x)
    return x


def set_on(model, x):
    model.x = x
    return x


def called(x):
    return table(x)


def imports(x):
    import settings
    settings.x = x
    return x


def inside(x):
    def put(v):
        TABLE['x'] = v
    put(x)
    return x


def of_python(x):
    globals()['RATE'] = x
    return x


class Counter:
    @classmethod
    def count(cls, x):
        cls.total(x)
        return x

    def instance(self, x):
        self.total += x
        return x
'''


def test_what_stands_alone_has_nothing_outside_to_write_into():
    """Only what surely does is spared the look at what it puts outside."""
    def alone(function):
        source = read(function)
        return outside.stands_alone(source, resolver_of(source))
    assert alone(define(INSIDE).formula)
    found = define(REACHING)
    functions = [f for f in vars(found).values() if isinstance(f, types.FunctionType)]
    functions += [found.Counter.count.__func__, found.Counter.instance]
    assert len(functions) == 14 and not any(map(alone, functions))
