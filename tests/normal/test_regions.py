"""`finally`, and contexts of the standard library: the structured text, right everywhere, and left as Python leaves them."""
import contextlib
import io
import math
import threading
import types

import numpy as np
import pytest

import tangent
from tests.tools.judge import check_every_text

NOTES, LOCK = [], threading.Lock()
X = np.array([0.7, 0.9, 1.3])


class Mode:
    on = False


class Guard:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        NOTES.append(('enter', self.name))
        return self

    def __exit__(self, kind, error, trace):
        NOTES.append(('exit', self.name, kind))


@contextlib.contextmanager
def section(name):
    NOTES.append(name)
    try:
        with LOCK:
            yield len(name)
    finally:
        NOTES.append((name, 'end'))


@contextlib.contextmanager
def switched_on():
    before, Mode.on = Mode.on, True
    yield
    Mode.on = before


@contextlib.contextmanager
def catching():
    try:
        yield
    except ValueError:
        NOTES.append('caught')


class Singular(ArithmeticError):
    pass


@contextlib.contextmanager
def translating(name):
    """What Python raises, in the words of the module."""
    NOTES.append(name)
    try:
        yield
    except (ZeroDivisionError, ValueError) as error:
        raise Singular(f'{name}: {error}') from error
    finally:
        NOTES.append('end')


@contextlib.contextmanager
def stretched(x, by):
    y = x * by
    with LOCK:
        NOTES.append('in')
        yield y, by
    NOTES.append(SIZE)


SIZE = 2.0


def returned_with_a_lock(x):
    LOCK.acquire()
    try:
        return np.dot(x, x) * x[0]
    finally:
        LOCK.release()


def settings_put_back(x):
    old = np.seterr(all='ignore')
    try:
        y = np.log(x) * x
    finally:
        np.seterr(**old)
    return np.sum(y)


def mode_read_inside_and_behind(x):
    Mode.on = True
    try:
        y = x * x if Mode.on else x
    finally:
        Mode.on = False
    return np.sum(y * x if Mode.on else y * 2.0)


def left_by_break_and_continue(x):
    s = 0.0
    for i in range(3):
        try:
            if i == 1:
                continue
            if x[i] > 1.0:
                break
            s = s + x[i] ** 2
        finally:
            NOTES.append(i)
        s = s * x[0]
    return s * s


def returned_from_a_loop(x):
    for i in range(3):
        try:
            if x[i] > 0.8:
                return x[i] * x[0]
        finally:
            NOTES.append(i)
    return x[2]


def counted(x):
    n, s = 0, 0.0
    try:
        for v in x:
            n += 1
            s = s + v * v * n
    finally:
        NOTES.append(n)
        n -= 1
    return s * n * x[0]


def opened_inside(x):
    out = None
    try:
        out = io.StringIO()
        out.write('a')
        y = x * x
    finally:
        if out is not None:
            NOTES.append(out.getvalue())
            out.close()
    return np.sum(y * x)


def bound_at_the_end(x):
    k, s = 1.0, 0.0
    for i in range(3):
        try:
            s = s + x[i] * k
        finally:
            k = k * 2
    return s * s * k


def one_in_another(x):
    try:
        NOTES.append(1)
        try:
            y = x * x
        finally:
            try:
                NOTES.append(2)
            finally:
                NOTES.append(3)
        z = y * x
    finally:
        NOTES.append(4)
    return np.sum(z)


def with_handlers(x):
    try:
        y = np.linalg.cholesky(np.diag(x))
    except np.linalg.LinAlgError:
        y = np.diag(np.abs(x))
    else:
        y = y * 2.0
    finally:
        NOTES.append('done')
    return np.sum(y * y)


def around_lists_and_arrays(x):
    out, y = [], np.zeros(3)
    try:
        for i in range(3):
            y[i] = x[i] * x[0]
            out.append(y[i] ** 2)
    finally:
        NOTES.append(len(out))
    return out[0] * out[1] + np.sum(y)


def lock_and_files(x):
    with LOCK, io.StringIO() as out, contextlib.redirect_stdout(out), Guard('g') as guard:
        print('text')
        y = x * len(out.getvalue()) * len(guard.name)
    with contextlib.nullcontext():
        return np.sum(y * x)


def generators(x):
    s = 0.0
    for i in range(3):
        with section('abc'[:i]) as n:
            if x[i] > 1.0:
                break
            s = s + x[i] ** 2 * n
        with switched_on():
            s = s * x[0] if Mode.on else x[1]
    return s * x[0] if Mode.on else s * s


def by_hand(x):
    guard = Guard('g')
    Guard.__enter__(guard)
    y = x * x[0]
    guard.__exit__(None, None, None)
    return np.sum(y * y)


def suppressed_in_a_loop(x):
    s, ends = x[0], [1.0, 0.0, 2.0]
    for i in range(3):
        with Guard(i), contextlib.suppress(ZeroDivisionError, KeyError):
            s = s * x[i] + 1.0 / ends[i]
    return s * s


def returned_from_what_is_suppressed(x):
    with contextlib.suppress(ValueError):
        return math.sqrt(x[0] - 1.0) * x[1]
    return x[0] * x[2]


def null_with_a_value(x):
    with contextlib.nullcontext(x * 2.0) as y, contextlib.nullcontext():
        if x[0] > 5.0:
            return x[0]
        z = y * x
    return np.sum(z)


def chosen_and_kept_under_a_name(x):
    lock = threading.RLock()
    guard = Guard('g')
    context = lock if x[0] > 5.0 else contextlib.nullcontext()
    with lock, guard, context:
        y = x * x[0]
    return np.sum(y * y)


def imported_where_there(x):
    try:
        import no_such_module as m
        n = m.n
    except ImportError:
        m, n = None, 2.0
    return np.sum(x * x) * n


def words_read(x):
    s, k = 0.0, 1
    for word in ('2', 'a', '3'):
        try:
            k = int(word)
            NOTES.append(k)
            k = k + 1
        except ValueError as error:
            NOTES.append(type(error).__name__)
        s = s + x[0] * k
    return s * s


def noting(*what):
    NOTES.append(what)


def notes_of_what_is_tried(x):
    s = 0.0
    for v in x:
        try:
            noting('a')
            NOTES.append(2)
            try:
                y = math.log(v - 0.8)
            finally:
                noting('b')
        except ValueError as error:
            noting(str(error))
            y = v * v
        s = s + y * x[0]
    return s


def one_try_in_another(x):
    try:
        try:
            y = math.sqrt(x[0] - 5.0)
        except ValueError:
            y = math.sqrt(x[0])
        z = y * x[1]
    except ZeroDivisionError:
        z = x[2]
    return z * z


def errors_in_other_words(x):
    name, s = 'log', 1.0
    for i in range(3):
        with Guard(i), translating(name):
            s = s + math.sqrt(x[i]) / x[0]
    with translating('end'):
        return s * math.log(x[1])


def given_by_a_generator(x):
    y = x[0]
    with stretched(x, y) as (z, by), Guard('g'):
        y = z * x * by
    with stretched(y, 2.0) as (z, by), catching():
        return np.sum(z * y)


def tried_half_way(x):
    y = x[0]
    try:
        y = math.sqrt(x[1])
        y = y * math.sqrt(x[2] - 5.0)
    except ValueError:
        pass
    return y * x[0]


STRUCTURED = [f for f in list(globals().values()) if isinstance(f, types.FunctionType) and f.__module__ == __name__
              and f.__code__.co_varnames[:1] == ('x',)]


def catching_generator(x):
    with catching():
        y = x[0] * x[1]
        y = y * math.sqrt(x[2] - 2.0)
    return y * x[0]


def what_has_a_derivative_at_the_end(x):
    y = x[0]
    try:
        y = y * x[1]
    finally:
        y = y * x[2]
    return y * y


def returned_at_the_end(x):
    try:
        return np.sum(x * x)
    finally:
        return np.sum(x ** 3)              # noqa: B012


def written_at_the_end(x):
    y = x * x
    try:
        return np.sum(y) * x[0]
    finally:
        y[:] = 0.0


def written_half_way(x):
    out = []
    for i in range(5):
        try:
            out.append(x[0])
            y = x[i] * x[0]
        except IndexError:
            break
    return y * len(out) * out[0]


OTHERS = [written_half_way, what_has_a_derivative_at_the_end, returned_at_the_end, written_at_the_end]


@pytest.mark.parametrize('f', STRUCTURED + OTHERS)
def test_right_in_every_text(f):
    assert ('_grads' not in tangent.source(tangent.grad(f))) == (f in STRUCTURED)
    check_every_text(f, X)


@pytest.mark.parametrize('f', STRUCTURED)
def test_effects_once(f):
    noted = []
    for g in (f, tangent.grad(f), tangent.value_and_grad(f)):
        NOTES.clear()
        g(X)
        noted.append(list(NOTES))
    assert noted[0] == noted[1] == noted[2]


@pytest.mark.parametrize('f', STRUCTURED)
def test_right_twice(f):
    v, h = np.array([0.6, -0.8, 0.3]), 1e-5
    wanted = (tangent.grad(f)(X + h * v) - tangent.grad(f)(X - h * v)) / (2 * h)
    np.testing.assert_allclose(tangent.hvp(f)(X, v), wanted, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(tangent.grad(lambda x: np.sum(tangent.grad(f)(x) * v))(X), wanted, rtol=1e-6, atol=1e-7)


def failing_inside(x):
    n = 0
    for i in range(3):
        try:
            n = i + 1
            y = math.sqrt(x[i]) * x[0]
        finally:
            NOTES.append(n)
            n = 0
    return y


def failing_in_contexts(x):
    s = 0.0
    for i in range(3):
        with Guard(i), section('a'):
            t = x[i] * x[0]
            s = s + math.sqrt(x[i + int(x[1] < -2)]) * t
    return s


def failing_on_the_last_line(x):
    t = 1.0
    for i in range(3):
        with Guard(i):
            u = x[0] * t
            t = u * x[i + int(x[1] < -2)]
    return t


def failing_behind_a_region_that_does_nothing(x):
    start = 1.0
    try:
        y = math.sqrt(x[0])
    finally:
        taken = 2.0 - start                # noqa: F841
    try:
        n = len(x)
    finally:
        NOTES.append('second')
    return y * n


def failing_between_calls_by_hand(x):
    guard = Guard('g')
    Guard.__enter__(guard)
    y = math.sqrt(x[0]) * x[1]
    Guard.__exit__(guard, None, None, None)
    return y


@pytest.mark.parametrize('f', [failing_inside, failing_in_contexts, failing_on_the_last_line,
                               failing_behind_a_region_that_does_nothing, failing_between_calls_by_hand,
                               errors_in_other_words])
@pytest.mark.parametrize('x', [-X, np.array([1.0, -3.0, 1.0])], ids=['first', 'later'])
def test_left_where_something_is_raised(f, x):
    """As Python leaves them: with the same notes, and the same error."""
    assert '_grads' not in tangent.source(tangent.grad(f))
    found = []
    for g in (f, tangent.grad(f), lambda x: tangent.jvp(f)(x, X)):
        NOTES.clear()
        try:
            g(x)
            found.append(list(NOTES))
        except (ValueError, IndexError, Singular) as error:
            found.append((list(NOTES), type(error), str(error), type(error.__cause__)))
    assert found[0] == found[1] == found[2]
    assert not LOCK.locked()


class Twice:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        NOTES.append('in')
        return self.x * 2.0

    def __exit__(self, kind, error, trace):
        NOTES.append(kind)


def entered_with_a_derivative(x):
    with Twice(x) as y:
        z = y * math.sqrt(x[0])
    return np.sum(z * x)


def test_a_context_that_gives_what_has_a_derivative_is_left():
    check_every_text(entered_with_a_derivative, X)
    df = tangent.grad(entered_with_a_derivative)
    for _ in range(3):
        NOTES.clear()
        with pytest.raises(ValueError, match='domain'):
            df(-X)
        assert NOTES == ['in', ValueError]
        NOTES.clear()
        df(X)
        assert NOTES == ['in', None]


class Solver:
    def __init__(self, w):
        self.w, self.calls, self.lock = w, 0, threading.Lock()

    def run(self, x):
        with self.lock:
            self.calls += 1
            return np.sum(x * self.w * x) * self.calls


def made_and_run(x):
    solver = Solver(2.0)
    return solver.run(x) * solver.run(x)


def test_locks_of_objects():
    check_every_text(made_and_run, X)


def test_contexts_that_may_catch():
    np.testing.assert_allclose(tangent.grad(catching_generator)(X), [2 * X[0] * X[1], X[0] ** 2, 0])


def its_global_is_a_variable_here(x):
    SIZE = x[0] * 2.0                      # noqa: N806
    with stretched(x, SIZE) as (z, by):
        y = z * x
    return np.sum(y) * by * SIZE


def test_names_of_the_module_mean_what_they_do_there():
    check_every_text(its_global_is_a_variable_here, X)
    NOTES.clear()
    tangent.grad(its_global_is_a_variable_here)(X)
    assert NOTES == ['in', 2.0]
