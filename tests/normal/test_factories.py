"""Functions that make functions: what they make is the caller's own where they do nothing else, and right in any case."""
import math

import numpy as np
import pytest

import tangent
from tests.tools.judge import check_every_text

X = np.array([0.5, 0.9, 1.3])
SHIFT = 0.3


def kernel(scale, width=2.0):
    def k(a, b):
        return math.exp(-(a - b) ** 2 / (width * scale ** 2))
    return k


def of_kind(kind, scale):
    if kind == 'linear':
        def k(a, b):
            return a * b * scale
    else:
        def k(a, b):
            return math.sin(a - b) * scale
    return k


def shifted(scale):
    """With a docstring, and more than the function."""
    s = scale * 2.0
    t = s + SHIFT
    return lambda a: a * s + t


def power(n, x):
    def p(k):
        return 1.0 if k == 0 else x * p(k - 1)
    return p


def counting(scale):
    n = 0
    def k(a):
        nonlocal n
        n += 1
        return a * scale * n
    return k


def hiding(scale):
    def k(scale):
        return scale ** 2
    return k


def around(a):
    def k(b):
        return [a * c for c in (b, b * b)]
    return k


def once(v):
    k = kernel(v[0])
    return sum(v[i] * k(v[1], v[i]) for i in range(3))


def given_by_name(v):
    k = kernel(width=v[1], scale=v[0] * 2.0)
    return k(v[2], 0.1) * k(v[1], 0.2)


def two_of_them(v):
    k, s = kernel(v[0]), v[1]
    a = kernel(s)
    b = kernel(v[2], 3.0)
    return a(v[0], b(s, v[1])) * k(0.1, 0.2)


def bound_anew(v):
    s = v[0]
    k = kernel(s)
    s = s * v[1]
    return k(s, v[2])


def name_bound_anew(v):
    k = kernel(v[0])
    y = k(v[1], v[2])
    k = kernel(v[1])
    return y * k(v[1], v[2])


def by_a_flag(v):
    k = of_kind('linear', v[0])
    return k(v[1], v[2]) * of_kind('sine', v[1])(v[0], v[2])


def of_a_lambda(v):
    s = v[2]
    f = shifted(v[0])
    return f(v[1]) * s


def calls_itself(v):
    p = power(3, v[0])
    return p(3) * v[1]


def counts(v):
    k = counting(v[0])
    return k(v[1]) + k(v[2])


def hides(v):
    k = hiding(v[0])
    return k(v[1])


def with_names_of_its_own(v):
    b, c = v[0], v[1]
    k = around(b)
    return sum(k(c)) * b


def handed_on(v):
    k = kernel(v[0])
    return sum(map(lambda x: k(x, 0.5), v)) + applied(k, v[1], v[2])


def applied(f, a, b):
    return f(a, b) * f(b, a)


def in_a_loop(v):
    y = 0.0
    for s in v:
        k = kernel(s)
        y = y + k(v[0], 1.0)
    return y


def changed_array(v):
    s = v * 2.0
    k = last_of(s)
    s[2] = v[0] * v[1]
    return k(v[1])


def last_of(s):
    return lambda a: s[2] * a


def counter(start):
    total, seen = [start], []

    def add(v):
        total[0] += v
        seen.append(v * v)

    def get():
        return total[0] * sum(seen)
    return add, get


def optimizer(rate, decay=0.9):
    def init(w):
        return w, 0.0

    def update(g, state):
        w, m = state
        m = decay * m + (1 - decay) * g
        return w - rate * m, m
    return init, update, lambda state: state[0]


def history(start):
    kept = [start]

    def keep(v):
        kept.append(v * kept[-1])
    return kept, keep


def helped(a):
    def inner(b):
        return a * b

    def outer(b):
        return inner(b) + inner(a)
    return outer


def account(balance):
    def deposit(v):
        nonlocal balance
        balance += v
        return balance
    return deposit, lambda: balance


def several(v):
    add, get = counter(v[0])
    for k in range(3):
        add(v[k] * v[1])
    return get() * v[2]


def two_counters(v):
    add, get = counter(v[0])
    push, pop = counter(v[1])
    add(v[2])
    push(v[0] * get())
    return get() * pop()


def steps_of_an_optimizer(v):
    init, update, value = optimizer(0.1)
    state = init(v[0])
    for _ in range(3):
        state = update(2.0 * value(state) * v[1], state)
    return value(state)


def beside_what_it_changes(v):
    kept, keep = history(v[0])
    keep(v[1])
    keep(v[2])
    kept[0] *= v[1]
    return sum(kept)


def with_a_helper(v):
    k = helped(v[0])
    inner = v[1]
    return k(inner) * k(v[2])


def argument_bound_anew(v):
    start = v[0] * v[1]
    deposit, balance = account(start)
    y = deposit(v[1]) * start
    return y + balance() * start * deposit(v[2])


def as_a_pair(v):
    both = counter(v[0])
    both[0](v[1])
    return both[1]()


def names_alike(v):
    scale = v[1]
    add, scale2 = counter(scale)
    total = v[2]
    add(total)
    return scale2() * total * scale


WRITTEN_OUT = [once, given_by_name, bound_anew, of_a_lambda, calls_itself, with_names_of_its_own, several, two_counters,
               steps_of_an_optimizer, with_a_helper, names_alike]
OTHERS = [two_of_them, name_bound_anew, by_a_flag, counts, hides, handed_on, in_a_loop, changed_array,
          beside_what_it_changes, argument_bound_anew, as_a_pair]


@pytest.mark.parametrize('f', WRITTEN_OUT + OTHERS, ids=lambda f: f.__name__)
def test_right(f):
    check_every_text(f, X)


@pytest.mark.parametrize('f', WRITTEN_OUT, ids=lambda f: f.__name__)
def test_text(f):
    """No function is looked at when running, in no text."""
    for text in (tangent.source(tangent.grad(f)), tangent.source(tangent.grad(f), X)):
        assert 'pullback' not in text and 'captured' not in text


def test_a_flag_is_known_with_the_arguments():
    def f(x):
        k = of_kind('linear', x)
        return k(x, 0.5) * k(0.5, x)
    df = tangent.grad(f)
    assert 'pullback' not in tangent.source(df, 0.7)
    assert [df(0.7) for _ in range(4)] == [pytest.approx(0.7 ** 3)] * 4
