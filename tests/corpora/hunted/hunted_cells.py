"""Functions for `tests/corpora/test_hunted.py`: captured variables that are bound anew after a call, and sums of a thing with itself."""
import numpy as np

from tests.corpora.hunted.hunting import found

V = np.array([0.3, 0.5, 0.2])


def applied(f, x):
    return f(x) * f(2 * x)


@found(V, 0.7, mixes=('f',))
def a_captured_array_under_another_name(v, s):
    def times(a):
        return a * v
    y = times(2.0)
    w = v
    w[0] = s
    v = y
    return np.sum(y) + v[1] * w[0]


@found(V, 0.7, mixes=('f',))
def a_captured_array_bound_to_what_the_function_makes(v, s):
    def times(a):
        return a * v
    v = times(s)
    for i in range(3):
        v[i] *= 0.867
    return np.sum(v)


@found(V, 0.7, mixes=('f',))
def a_captured_array_bound_anew_between_calls_as_an_argument(v, s):
    def times(a):
        return a * v
    y = applied(times, s)
    v = y * 2.0
    v[0] = 3.0 * v[1]
    return np.sum(applied(times, s) * v)


@found(V, 0.7, mixes=('f',))
def captured_by_what_is_captured(v, s):
    k = s * 2

    def times(a):
        return a * v * k

    def more(a):
        return times(a) + v
    y = applied(more, s)
    v = y * 2.0
    v[0] = 3.0 * v[1]
    k = v[1]
    y2 = applied(more, s)
    k = v * 2.0
    return np.sum(y2 * v * applied(more, s))


@found(V, 0.7, mixes=('f',))
def captured_in_a_loop_that_binds_it(v, s):
    out = 0.0

    def times(a):
        nonlocal out
        out = out + np.sum(a * v)
        return a * v
    for _ in range(3):
        y = times(s)
        v = y * 1.5
        v[0] = s * v[1]
        y = applied(times, s)
    return np.sum(y) + out


# Sums of a thing with itself, of which elements are read

@found(V)
def an_element_of_a_sum_with_itself(v):
    t = v + v
    return t[0] * t[1]


@found([0.3, 0.5, 0.2], mixes=('f',))
def an_element_of_a_list_joined_to_itself(v):
    t = v + v
    return t[0] * t[4] + t[3]


@found(V)
def elements_of_sums_with_itself_in_a_loop(v):
    s = 0.0
    for i in range(3):
        s += (v + v)[i] * v[i]
    return s


# Elements by their number in an array of any shape

@found(np.arange(6.0).reshape(2, 3) + 0.5)
def elements_by_number(v):
    t = (v * 2).flat
    s = v.flat[1] * v[0, 2]
    for i in range(3):
        s += t[i] * v.flat[-i]
    return s + np.sum(t[3:] * v.flat[:3])


def refused(a):
    raise ValueError


def small(a):
    if a > 0.9:
        raise ValueError
    return a * a


@found(np.array([0.7, 1.3, 0.4]))
def kept_where_a_call_raises(x):
    z = x[0] * 1.0
    try:
        z = refused(np.sin(z))
    except ValueError:
        pass

    def times(a):
        return a * z
    return x[1] + z + times(x[2])


@found(np.array([0.7, 1.3, 0.4]))
def kept_where_a_call_inside_raises(x):
    z = x[0] * 1.0

    def put(a):
        nonlocal z
        z = small(a)
    for v in x:
        try:
            put(v)
        except ValueError:
            z = z * x[0]
    return x[1] + z


@found(0.7, mixes=('f', 'rf', 'fr'))
def comprehension_that_names_its_own_as_what_it_goes_through(x):
    w = x * 2.0

    def weighted(q):
        nonlocal w
        w = w * q
        return sum([q * w for q, w in zip([w, w], [q, x])])
    return weighted(x) + w
