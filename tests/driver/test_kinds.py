"""A derivative made for kinds of arguments is right for these, and never called with others."""
import fractions
import gc
import math
import re
import threading
import weakref

import numpy as np
import pytest

import tangent
from benchmarks.readability.report import programs
from tangent.driver import variants
from tests.driver.test_variants import Loud, Number
from tests.tools.texts import define

G = 2.0


def product(x, w, b):
    return np.sum((x * w + b) ** 2)


def scaled(x):
    return G * x * x + helper(x)


def helper(x):
    return 3.0 * x


def layers(x, w1, w2):
    return np.sum(layer(layer(x, w1), w2))


def layer(x, w):
    return np.tanh(x @ w)


def sums(x, y):
    return np.sum(x * y + y)


def means(x, y):
    return np.mean(y) * np.sum(y) + np.sum(x * y)


def centred(x, y):
    return np.sum(np.sum(y) * y * x) + np.mean((y - np.mean(y)) ** 2)


def rows(m, y):
    return np.sum(np.mean(m, axis=1)) + np.sum(np.sum(m, axis=0) * y) + np.sum(np.mean(m, axis=1) * 2.0)


def variances(m, y):
    v = np.mean((m - np.mean(m, axis=0)) ** 2, axis=0)
    return np.sum(v) + np.sum(np.sum(v) * y)


class Mass(np.ndarray):
    pass


X = np.array([0.3, 0.7, 1.1])
KINDS = {
    'floats': (0.3, 0.7, 1.1), 'ints': (3, 2, 1), 'NumPy': (np.float64(0.3), 0.7, 1.1), 'small': (np.float32(0.3), 0.7, 1.1),
    'complex': (0.3 + 1j, 0.7, 1.1), 'flag': (0.3, True, 1.1), 'fraction': (fractions.Fraction(1, 3), 0.7, 1.1),
    'vectors': (X, X * 2, X + 1), 'column': (X, X[:, None] * 2, X), 'one': (X, np.array([2.0]), X), 'number': (X, 2.0, X),
    'empty': (X[:0], 2.0, X[:0]), 'no axes': (np.array(0.3), X, 1.0), 'single': (X.astype('f4'), X.astype('f4'), X.astype('f4')),
    'mixed': (X.astype('f4'), X, X.astype('f4')), 'ints and floats': (np.arange(3), X, X), 'objects': (X.astype(object), 2.0, X),
    'subclass': (X.view(Mass), X, X), 'list': (X, [0.3, 0.7, 1.1], X), 'loud': (Loud(0.3), 0.7, 1.1), 'text': ('a', 2, 'b'),
    'object': (Number(0.3), 0.7, 1.1), 'none': (None, 0.7, 1.1), 'big': (X.astype('>f8'), X, X), 'other length': (X[:2], X[:2], 1.0),
    'matrix': (np.outer(X, X), X, X), 'complex array': (X * 1j, X, X), 'flags': (X > 0.5, X, X)}


def outcome(call, args):
    try:
        return [np.asarray(g) for g in call(*args)]
    except tangent.errors.TangentError as error:
        return type(error)
    except (TypeError, ValueError) as error:                      # of NumPy's, of what the function itself does
        return type(error)


def same(found, wanted):
    if isinstance(wanted, type) or isinstance(found, type):
        return found is wanted
    return all(a.shape == b.shape and a.dtype == b.dtype and np.all(a == b) for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize('first', KINDS)
def test_what_is_made_for_one_kind_is_not_called_with_another(first):
    wrt = (0, 2)
    wanted = {name: outcome(tangent.grad(product, wrt=wrt), args) for name, args in KINDS.items()}
    df = tangent.grad(product, wrt=wrt)
    for _ in range(3):
        assert same(outcome(df, KINDS[first]), wanted[first])
    for name, args in KINDS.items():
        for _ in range(3):
            assert same(outcome(df, args), wanted[name]), name


def test_the_text_says_what_is_known():
    df = tangent.grad(product, wrt=(0, 1, 2))
    assert 'unbroadcast' in df.source
    numbers, vectors, column = (tangent.source(df, *KINDS[kind]) for kind in ('floats', 'vectors', 'column'))
    assert not any(word in text for word in ('unbroadcast', 'check_', 'astype') for text in (numbers, vectors, column))
    assert 'np.sum' in column and tangent.source(df) == vectors.replace('(3,)', '(n0,)')


def test_names_that_are_bound_anew_are_followed():
    df = tangent.grad(scaled)
    for _ in range(3):
        assert df(1.5) == 2 * G * 1.5 + 3.0
    before = globals()['helper']
    try:
        globals()['helper'] = lambda x: np.sum(np.array([x, x]) * np.array([1.0, 2.0]))
        assert [df(1.5) for _ in range(3)] == [2 * G * 1.5 + 3.0] * 3
        globals()['helper'] = lambda x: x * np.ones(3)
        with pytest.raises(tangent.errors.ShapeError):
            df(1.5)
    finally:
        globals()['helper'] = before
    assert df(1.5) == 2 * G * 1.5 + 3.0


def test_globals_may_become_something_else():
    global G
    df = tangent.grad(scaled)
    for _ in range(3):
        assert df(1.5) == 9.0
    G = np.array([2.0])
    try:
        found = np.asarray(df(np.array([1.5])))
        assert found.shape == (1,) and found[0] == 9.0
        with pytest.raises(tangent.errors.ShapeError):
            df(1.5)
    finally:
        G = 2.0


def test_one_text_of_a_callee_serves_all_lengths():
    df = tangent.grad(layers, wrt=(0, 1, 2))
    args = np.ones((5, 4)), np.ones((4, 3)) / 9, np.ones((3, 2)) / 9
    text = tangent.source(df, *args)
    assert text.count('def layer_adjoint') == 1 and 'matmul' not in text
    assert same(outcome(variants.specialised(df, args), args), outcome(df, args))


def test_shapes_that_change_at_every_call():
    df = tangent.grad(product, wrt=(0, 2))
    for n in [*range(1, 40), *range(1, 40)]:
        x = np.linspace(0, 1, n)
        assert np.array_equal(df(x, 2.0, 1.0)[0], 4 * (2 * x + 1))


@pytest.mark.parametrize('program', programs().values(), ids=programs())
def test_known_kinds_give_the_same_numbers(program):
    args = program.arguments(np.random.default_rng(3))
    df = tangent.grad(program.function, wrt=program.wrt)
    copied = lambda: [a.copy() if isinstance(a, np.ndarray) else a for a in args]  # noqa: E731
    plain, alone = variants.for_arguments(df, args), variants.specialised(df, args, alone=True)
    assert str(plain(*copied())) == str(alone(*copied()))
    best = variants.specialised(df, args)                    # in which roots of floats are floats of Python's
    assert re.sub(r'np.float64\((.*?)\)', r'\1', str(plain(*copied()))) == re.sub(r'np.float64\((.*?)\)', r'\1', str(best(*copied())))


def price(spot, strike, time):
    moneyness = math.log(spot / strike)
    return -moneyness * math.sqrt(time) / (spot / strike)


def growth(p, rate, capacity, steps):
    for _ in range(steps):
        p = p + rate * p * (1 - p / capacity)
    return p


def bracket(income, low):
    if income > low:
        return 2.0 * (income - low) * income
    return income


@pytest.mark.parametrize('f, args, said', [
    (price, (100.0, 90.0, 2.0), ['math.log(spot / strike)']),
    (growth, (0.1, 0.5, 2.0, 7), ['_stack.append(p)', '(1 - p / capacity)']),
    (bracket, (3.0, 1.0), ['* (income - low)'])])
def test_one_operation_of_numbers_is_written_where_it_is_used(f, args, said):
    wrt = tuple(range(len(args) - (f is growth)))
    df = tangent.grad(f, wrt=wrt)
    text = tangent.source(df, *args)
    assert all(part in text for part in said), text
    best = variants.specialised(df, args)
    assert best(*args) == pytest.approx(df(*args), rel=1e-15)
    assert best(*args) == pytest.approx(by_differences(f, args, wrt), rel=1e-7)


def by_differences(f, args, wrt, h=1e-6):
    moved = lambda k, by: f(*[a + by if i == k else a for i, a in enumerate(args)])  # noqa: E731
    return tuple([(moved(k, h) - moved(k, -h)) / (2 * h) for k in wrt])


def test_what_is_bound_anew_or_written_to_is_not_read_again():
    """One operation is written where it is used only where its operands still hold what they held."""
    def f(a, b):
        t = (a + b) * (a * b)
        a = a * t
        return t * a + (a + b)
    df = tangent.grad(f, wrt=(0, 1))
    assert variants.specialised(df, (1.5, 0.5))(1.5, 0.5) == pytest.approx(by_differences(f, (1.5, 0.5), (0, 1)), rel=1e-8)


@pytest.mark.parametrize('function, at, slope', [(math.sqrt, 0.0, math.inf), (math.asin, 1.0, math.inf),
                                                 (math.acos, -1.0, -math.inf), (math.sqrt, 4.0, 0.25)])
def test_infinite_slopes_of_numbers(function, at, slope):
    def f(x, y):
        return function(x) * y
    df = tangent.grad(f)
    with np.errstate(divide='ignore'):
        assert [df(at, 1.0), variants.specialised(df, (at, 1.0))(at, 1.0)] == [slope, slope]
        assert tangent.autodiff(f, mode='forward')(at, 1.0, 1.0) == slope


Y = np.array([1.0, 2.0, 3.0, 5.0, 8.0])


@pytest.mark.parametrize('f, x', [(sums, 2.0), (means, 2.0), (centred, 2.0), (rows, np.outer(np.arange(6.0), Y)),
                                  (variances, np.outer(np.arange(6.0), Y))])
def test_what_is_broadcast_by_itself_has_something_to_be_broadcast_to(f, x):
    df = tangent.grad(f, wrt=(0, 1))
    assert same(outcome(variants.specialised(df, (x, Y)), (x, Y)), outcome(df, (x, Y)))


def test_eight_threads_with_changing_kinds():
    df = tangent.grad(product, wrt=(0, 2))
    wanted = {name: outcome(tangent.grad(product, wrt=(0, 2)), args) for name, args in KINDS.items()}
    wrong = []

    def run(k):
        names = list(KINDS)[k:] + list(KINDS)[:k]
        wrong.extend(name for _ in range(3) for name in names if not same(outcome(df, KINDS[name]), wanted[name]))
    threads = [threading.Thread(target=run, args=(3 * k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


class Scaled:
    def __init__(self, k):
        self.k = k

    def f(self, x):
        return x * self.k


class Squared(Scaled):
    pass


def applied(o, x):
    return o.f(x)


def test_methods_that_are_bound_anew_are_followed_and_found_again():
    df = tangent.grad(applied, wrt=1)
    args, other = (Scaled(2.0), 3.0), (Squared(2.0), 3.0)
    before = tangent.source(df, *args)
    assert [df(*args) for _ in range(4)] == [df(*other) for _ in range(4)] == [2.0] * 4
    kept = Scaled.f
    try:
        Scaled.f = lambda self, x: x * x * self.k
        assert [df(*args) for _ in range(4)] == [df(*other) for _ in range(4)] == [12.0] * 4
        assert tangent.source(df, *args) != before
    finally:
        Scaled.f = kept
    assert [df(*args) for _ in range(4)] == [df(*other) for _ in range(4)] == [2.0] * 4
    assert tangent.source(df, *args) == before
    Squared.f = lambda self, x: x ** 3
    try:
        for _ in range(4):                                           # refused, or followed; never what it was
            assert outcome(lambda *a: [df(*a)], other) in ([27.0], tangent.errors.ArgumentTypeError) and df(*args) == 2.0
    finally:
        del Squared.f
    assert [df(*other) for _ in range(4)] == [2.0] * 4


def test_functions_that_nobody_holds_are_let_go(few_objects):
    held = []

    def step(k):
        batch = np.ones(7) * k

        def loss(w):
            return product(w, batch, 1.0)
        held.append(weakref.ref(loss))
        df = tangent.grad(loss)
        return [df(np.ones(7)) for _ in range(4)]
    for k in range(5):
        step(k)
    gc.collect()
    assert sum(ref() is not None for ref in held) <= 1                 # the one for which the text was made
    assert tangent.grad(product) is tangent.grad(product)


def test_long_texts_are_made_anew_later():
    lines = '\n'.join(f'    x = np.sin(x) * {k}.5' for k in range(150))
    found = define(f'import numpy as np\n\n\ndef f(x):\n{lines}\n    return x\n').f
    df = tangent.grad(found)
    first = df(0.5)
    assert len(df.source.splitlines()) > 200
    for k in range(2, 8):
        assert df(0.5) == first and (not df.texts or k > 2)
    assert df.texts


def sum_of_squares(x):
    if len(x) == 0:
        return 0.0
    return x[0] ** 2 + sum_of_squares(x[1:])


def test_functions_that_call_themselves_with_shorter_arrays_have_a_text():
    """Each length is another kind, `n0 - 1`, `n0 - 2`, ...: the text that is shown before a call was a RecursionError."""
    df = tangent.grad(sum_of_squares)
    assert 'sum_of_squares_adjoint(' in tangent.source(df)
    for n in (3, 3, 5, 5, 3):
        np.testing.assert_array_equal(df(np.arange(1.0, n + 1)), 2 * np.arange(1.0, n + 1))


def heat(t: float, a: float = 0, order: complex = 0):
    if order == 0:
        return a + t * (a + t * a)
    if order == 1:
        return a * t ** 0.5
    raise ValueError('order')


def heats(t):
    return heat(t, 2.0) + heat(t, t, 1)


def magnitude(z: complex):
    return abs(z * z) + (z * 2.0).real


def test_parameters_annotated_as_complex_that_get_real_numbers():
    """What they get is real, whatever the annotation says; another call brings a complex number."""
    df = tangent.grad(heats)
    assert [df(4.0) for _ in range(4)] == pytest.approx([2.0 + 16.0 + 1.5 * 2.0] * 4, rel=1e-15)
    text = tangent.source(df, 4.0)
    assert 'unbroadcast' not in text and 'check_real' not in text and 'if ' not in text
    dg = tangent.grad(magnitude)
    for z in (2.0, 2.0, 2.0, 1 + 1j, 2.0, 1 + 1j, -2.0, 1 - 1j):
        h = 1e-6
        real = (magnitude(z + h) - magnitude(z - h)) / (2 * h)
        imaginary = (magnitude(z + h * 1j) - magnitude(z - h * 1j)) / (2 * h) if isinstance(z, complex) else 0.0
        assert dg(z) == pytest.approx(real + 1j * imaginary, rel=1e-8)
