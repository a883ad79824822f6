"""`try` statements: structured where nobody can tell how far what failed has come, right everywhere."""
import math

import numpy as np
import pytest

import tangent
from tests.tools.judge import check_every_text

X = np.array([0.5, 0.9, 1.3])


def overflown(x, n):
    try:
        y = math.exp(x[0])
    except OverflowError:
        y = 0.0
    return y * x[1]


def returned_in_both(x, n):
    try:
        return np.exp(x[0]) * x[1]
    except (OverflowError, ValueError):
        return x[2]


def jittered_cholesky(x, n):
    a = np.array([[x[0], 1.0], [1.0, x[1]]])
    try:
        c = np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        c = np.linalg.cholesky(a + 2.0 * np.eye(2))
    return np.sum(c * c * x[2])


def raised_here_and_asked(x, n):
    t = 0.0
    for k in range(n):
        try:
            if k == 1:
                raise ValueError('no')
            y = x[k] * x[0]
        except ValueError as e:
            t = t + x[2] * len(str(e))
        else:
            t = t + y * y
    return t


def safe(a, b):
    try:
        return math.log(a) / b
    except ZeroDivisionError:
        return a * 3.0
    except ValueError:
        return a * a


def several_handlers(x, n):
    return safe(x[0], 0.0) + safe(-x[1], 1.0) * safe(x[2], x[1])


def kept_from_before(x, n):
    y = x[0] * 2.0
    try:
        y = math.sqrt(-x[1])
    except ValueError:
        pass
    return y * x[1]


def bound_anew_halfway(x, n):
    try:
        z = x[0] * x[1]
        y = math.sqrt(z - 5.0)
    except ValueError:
        y = x[2] ** 2
        z = x[1]
    return y * z


def looked_up(x, n):
    d = {'a': x[0]}
    try:
        v = d['b']
    except KeyError:
        v = d['a'] * x[1]
    return v


def raised_from_a_handler(x, n):
    try:
        try:
            y = math.log(-x[0])
        except ValueError:
            raise KeyError('k')
    except KeyError:
        y = x[1] ** 2
    return y * x[0]


def left_by_a_handler(x, n):
    s = x[0]
    for k in range(10):
        try:
            s = s * x[1] + math.sqrt(1.1 - k * x[0])
        except ValueError:
            break
    return s


def a_loop_inside(x, n):
    s = x * 1.0
    try:
        for _ in range(n):
            s = s * x
        t = math.sqrt(-np.sum(s))
    except ValueError:
        t = x[0] * 2
    return t * x[1]


def an_unused_quotient(x, n):
    try:
        1.0 / float(x[0] - x[0])
        y = x[1]
    except ZeroDivisionError:
        y = x[2] * 2
    return y * x[1]


def an_unused_name(x, n):
    try:
        z = math.sqrt(-x[0])                  # noqa: F841 (it raises)
        y = x[1]
    except ValueError:
        y = x[2] * 2
    return y * x[1]


def an_empty_end(x, n):
    try:
        y = {'a': 1.0}['b'] * x[1]
    except (KeyError, IndexError) as e:       # noqa: F841
        return x[0] * x[1]
    finally:
        pass
    return y


def written_before_it_fails(x, n):
    u = x * 2.0
    try:
        u[0] = x[1]
        y = math.sqrt(-u[0])
    except ValueError:
        y = u[0] * x[2]
    return y * u[1]


def added_in_a_loop(x, n):
    total = 0.0
    for k in range(n):
        try:
            total += math.sqrt(x[k] - 0.7)
        except ValueError:
            total -= x[k] ** 2
    return total * x[0]


def read_in_the_next_trip(x, n):
    u, vals = x[0], []
    for k in range(n):
        try:
            t = u * x[k]
            u = t + x[1]
            vals.append(math.log(x[k] - 0.8) * t)
        except ValueError:
            vals.append(x[k])
    return sum(vals)


def without_a_derivative(x, n):
    try:
        r = float('abc')
    except ValueError:
        r = 2.0
    return r * x[0] * x[1]


def appended(x, n):
    vals = []
    for k in range(n):
        try:
            vals.append(math.log(x[k] - 0.6))
        except ValueError:
            vals.append(x[k] * x[0])
    return sum(vals)


def parse(s):
    try:
        return int(s)
    except ValueError:
        return None


def in_a_passive_callee(x, n):
    v = parse('3')
    w = parse('x')
    return x[0] * v + (x[1] if w is None else x[2])


def solve(f, lo, hi, n=30):
    if f(lo) * f(hi) > 0:
        raise ValueError('no root')
    for _ in range(n):
        mid = 0.5 * (lo + hi)
        lo, hi = (mid, hi) if f(mid) * f(lo) > 0 else (lo, mid)
    return lo - f(lo)


def raised_in_a_callee(x, n):
    a = x[0]
    try:
        r = solve(lambda t: t * t - a, 1.0, 2.0)
    except ValueError:
        r = a * 2.0
    return r * x[1]


class Bad(Exception):
    pass


def check(v):
    if v > 0.6:
        raise Bad(v)
    return v * v


def shown_by_a_bare_handler(x, n):
    try:
        y = np.dot(x, x[:1] if n == 7 else x)
    except:                                                      # noqa: E722 it is the user's
        print(x)
        raise
    return y * x[0]


def carrying_a_value(x, n):
    t = 0.0
    for k in range(n):
        try:
            t = t + check(x[k])
        except Bad as e:
            t = t + e.args[0] ** 3
    return t


def validated(seq, n):
    if len(seq) == n:
        try:
            numbers = [float(e) for e in seq]
        except ValueError:
            raise ValueError(f'no numbers: {seq!r}')
        else:
            return np.asarray(numbers)
    return np.zeros(n)


def a_comprehension(x, n):
    return np.sum(validated(x * x, 3) * np.array([1.0, 2.0, 3.0])) + np.sum(validated((x[0], x[1]), 2))


def one_or_several(v):
    try:
        r = float(v)
        q = np.array([r, 0.0])
        return q
    except TypeError:
        pass
    q = np.asarray(v)
    r = q[0] * 2.0
    return q * r


def bound_anew_behind(x, n):
    return np.sum(one_or_several(x[0])) * x[2] + one_or_several(x)[1]


def half_bound(v):
    q = v * 2.0
    try:
        q = v * 3.0
        r = math.sqrt(np.sum(v) - 100.0)
    except ValueError:
        pass
    else:
        q = q * r
    return q * v


def read_behind_what_failed(x, n):
    return np.sum(half_bound(x))


def step_by_step(x, n):
    return chain(x[0]) + chain(x[1]) * chain(x[2] + 4.0) + chain(x[0] - 3.0)


def chain(y):
    try:
        y = math.sqrt(y * 2.0 - 0.5)
        z = y * 3.0
        y = math.sqrt(z * y - 2.0) + z
    except ValueError:
        y = y * 5.0
    else:
        y = y + 1.0
    return y


def step_by_step_in_a_loop(x, n):
    y, seen = x[0] * 4.0, 0
    for _ in range(n):
        try:
            y = math.sqrt(y - 1.0) * x[1]
            seen = seen + 1
            y = math.log(y - 0.7) + y
        except ValueError:
            seen = seen + 10
    return y * x[2] * seen


def with_a_long_handler(x, n):
    y = x[0] * 2.0
    try:
        y = y * x[1]
        y = math.sqrt(y - 5.0)
    except ValueError:
        a = y * 2.0
        b = a * x[1]
        c = b + a
        y = c * y
    return y


def in_parts_of_which_one_is_seen_inside(x, n):
    y = x[0] * 2.0
    try:
        y = y * x[1]
        if x[2] > 1.0:
            y = y * 3.0
            y = math.sqrt(y - 5.0)
    except ValueError:
        pass
    return y


STRUCTURED = [
    step_by_step, step_by_step_in_a_loop, read_behind_what_failed, overflown, returned_in_both, jittered_cholesky, raised_here_and_asked, several_handlers, kept_from_before, bound_anew_halfway,
    looked_up, raised_from_a_handler, left_by_a_handler, a_loop_inside, an_unused_quotient, an_unused_name, an_empty_end,
    added_in_a_loop, without_a_derivative, appended, raised_in_a_callee, shown_by_a_bare_handler,
    a_comprehension, bound_anew_behind]


@pytest.mark.parametrize('f', [*STRUCTURED, read_in_the_next_trip, in_a_passive_callee, written_before_it_fails, carrying_a_value,
                               with_a_long_handler, in_parts_of_which_one_is_seen_inside], ids=lambda f: f.__name__)
def test_right_in_every_text(f):
    check_every_text(f, X, 3)


@pytest.mark.parametrize('f', STRUCTURED, ids=lambda f: f.__name__)
def test_structured(f):
    assert '_grads' not in tangent.source(tangent.grad(f)) and 'try:' in tangent.source(tangent.grad(f))


@pytest.mark.parametrize('f', [overflown, jittered_cholesky, several_handlers, bound_anew_halfway, added_in_a_loop, step_by_step],
                         ids=lambda f: f.__name__)
def test_second_order(f):
    direction, h = np.array([0.3, -0.2, 0.5]), 1e-6
    gradient = tangent.grad(f)
    wanted = (gradient(X + h * direction, 3) - gradient(X - h * direction, 3)) / (2 * h)
    np.testing.assert_allclose(tangent.hvp(f)(X, 3, direction), wanted, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize('f', [with_a_long_handler, in_parts_of_which_one_is_seen_inside], ids=lambda f: f.__name__)
def test_others_are_told_in_a_log(f):
    assert '_grads' in tangent.source(tangent.grad(f))


def test_the_library_is_not_caught():
    def refused(x, make):
        try:
            y = make(x, float)
        except Exception:
            y = x * 0.0
        return np.sum(y)

    with pytest.raises(tangent.TangentError, match='fromiter has no rule'):
        tangent.grad(refused)(X, np.fromiter)


def test_what_is_not_caught_leaves_the_derivative():
    def raising(x):
        try:
            return math.log(x[0] - 1.0)
        except KeyError:
            return x[0]

    with pytest.raises(ValueError):
        tangent.grad(raising)(X)


class Scales:
    def __init__(self, a, b):
        self.a, self.b = a, b

    @classmethod
    def named(cls, name):
        return cls(*{'numbers': (1.3, 0.5), 'arrays': (np.array([1.1, 0.9, 1.3]), np.array([0.5, 0.4, 0.3]))}[name])


def turned_inside(x, name='numbers'):
    scales = Scales.named(name)
    a = np.hypot(scales.a * x, x)
    inside = a / scales.b < 2
    try:
        if inside.any():
            a[inside] = -a[inside]
    except (TypeError, AttributeError):
        if inside:
            a = -a
    return a * x


def where_it_is_an_array(x, n):
    return np.sum(turned_inside(x)) + turned_inside(x[0]) * turned_inside(x[1]) + np.sum(turned_inside(x[2], 'arrays'))


def cut_below(e, u, name='numbers'):
    scales = Scales.named(name)
    e, u = scales.a * e, scales.b * u
    try:
        e[abs(e) < 0.8] = 0.0
        u[u > 0.4] *= 2.0
    except TypeError:
        if abs(e) < 0.8:
            e = 0.0
        if u > 0.4:
            u = 2.0 * u
    return e * u * u


def several_arrays(x, n):
    return np.sum(cut_below(x, x * x)) + cut_below(x[0], x[1]) * cut_below(x[2], x[2]) + np.sum(cut_below(x[0], x[1], 'arrays'))


def squared_above(y):
    m = y > 1.0
    try:
        y[m] = y[m] ** 2
    except TypeError:
        if m:
            y = y ** 2
    return y * 3.0


def of_the_caller(x, n):
    scales = Scales.named('numbers')
    a, b = scales.a * x, scales.a * x[1]
    c, d = squared_above(a), squared_above(b)                     # a is written into, b is not
    return np.sum(a * c) + b * d


def without_axes(x, n):
    a = np.asarray(Scales.named('numbers').a * x[1])
    m = a > 1.0
    try:
        a[m] = a[m] ** 2
    except TypeError:
        if m:
            a = a ** 2
    return a * x[0]


def with_names_before(x, n):
    a = Scales.named('numbers').a * x[1]
    try:
        limit = np.finfo(a.dtype).eps + 1.0
        a = np.where(a > limit, a * a, a)
    except NameError:
        pass
    try:
        a = np.where(a < -limit, 0.0, a)
    except NameError:
        pass
    return a * x[0]


MASKED = [where_it_is_an_array, several_arrays, of_the_caller, without_axes, with_names_before]


@pytest.mark.parametrize('f', MASKED, ids=lambda f: f.__name__)
def test_what_asks_for_an_array_is_asked_for_it(f):
    assert '_grads' not in tangent.source(tangent.grad(f)) and '_grads' not in tangent.source(tangent.grad(f), X, 3)
    check_every_text(f, X, 3)
    test_second_order(f)


def test_arrays_and_numbers_together_are_refused_where_one_is_asked_for():
    def mixed(x):
        return np.sum(cut_below(x, x[0]))

    with pytest.raises(tangent.TangentError, match='of type ndarray, float64'):
        tangent.grad(mixed)(X)


def test_text():
    assert tangent.source(tangent.grad(jittered_cholesky), X, 3).startswith('''def jittered_cholesky_attempt_primal(a):
    try:
        c = np.linalg.cholesky(a)
        return (0, c), (c, None)
    except np.linalg.LinAlgError:
        return (1, 0.0), (None, (a,))


def jittered_cholesky_attempt_adjoint(bjittered_cholesky_attempt, kept):
    c, given = kept
    if given is not None:
        (a,) = given
        return init_grad(a)
''')
