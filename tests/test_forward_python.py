"""Forward mode of the Python that reverse mode needs its log form for, and of functions, objects and generators as values."""
import contextlib

import numpy as np
import pytest

import tangent

X, DX = np.array([1.3, 0.7, 2.1]), np.array([0.3, -1.2, 0.5])


def inplace(x):
    y = np.zeros(4)
    y[0] = x[0] * 2
    y[1:3] = x[:2] * x[1]
    y[3] += x[2] * y[0]
    y *= 2.0
    y /= x[0]
    y **= 2
    v = y[1:]
    v[0] = 5.0 * x[1]
    y[2] *= y[1]
    return np.sum(y * x[0]) + v[1]


def tries(x):
    y = x * 2
    try:
        y = y / (x - x)
    except ZeroDivisionError:
        y = y * x
    finally:
        z = y * 3
    return z * y


def withs(x):
    with contextlib.suppress(ValueError):
        y = x * x
        with np.errstate(all='ignore') as _e:
            z = y * x
        raise ValueError
    return z + y


def lists(x):
    L = [x[0], x[1], 2.0]
    L[2] = L[0] * L[1]
    L.insert(1, x[2])
    a = L.pop()
    L.extend([a, a * x[0]])
    D = {'a': x[0]}
    D['b'] = D['a'] * L[1]
    D.update({'c': x[2]})
    M = L
    M.append(D['b'])
    M.reverse()
    s = 0.0
    for i, v in enumerate(L):
        s = s + v * (i + 1)
    for _k, v in D.items():
        s += v * v
    del L[0]
    return s * L[0] + D.get('c') + sum(D.values())


def kernel(A, x):
    A[0] = x[0] * A[1]
    A[1:] += x[1]


def kern(x):
    A = np.ones(3)
    kernel(A, x)
    kernel(A, x * 2)
    return A.sum() * A[0]


def args_written(x):
    x[0] = x[1] * 2
    x *= 3
    return x.sum() * x[0]


def alias2(x):
    y = x + 0.0
    z = y
    z[0] = 5.0
    y += x
    return y.sum() * y[0] + x[0]


def jumps(x):
    s = 0.0
    for i in range(10):
        if i == 3:
            continue
        s += x[0] * i
        if s > 20:
            break
    else:
        s = 100.0
    while True:
        s = s * x[0]
        if s > 100:
            return s


def comp(x):
    a = [v * v for v in x]
    b = {k: v * 2 for k, v in enumerate(a)}
    s = sum(w * x[0] for w in b.values())
    if (n := len(a)) > 2:
        s = s * n
    return s * max(v for v in a)


def nested(x):
    def g(y):
        return y * x[0]
    h = lambda z: g(z) + x[1]
    return h(x[2]) * g(x[1])


def apply(f, v):
    return f(v) * v


def hof(x):
    return apply(lambda t: t * x[0], x[1]) + apply(np.sin, x[2])


def star(x, *args, **kw):
    return x[0] * args[0] * kw['k']


def callstar(x):
    return star(x, x[1], k=x[2])


class P:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def dot(self, c):
        return self.a * c + self.b

    def __call__(self, q):
        self.b = self.b * q
        return self.b


def objs(x):
    p = P(x[0], x[1])
    p.a = p.a * 2
    r = p.dot(x[2])
    return r + p(x[1]) * p.b


def gen(x):
    for v in x:
        yield v * v


def gens(x):
    s = 0.0
    for g in gen(x):
        s += g * x[0]
    return s


def outk(x):
    y = np.empty(3)
    np.multiply(x, 2.0, out=y)
    np.copyto(y[1:], x[:2])
    np.add.at(y, [0, 0], x[1])
    return np.sum(y * y)


def sorts(x):
    L = [x[0], x[2], x[1]]
    L.sort()
    return L[0] * L[1] + sorted(L, key=lambda v: -v)[0]


ARRAYS = [inplace, lists, kern, args_written, alias2, jumps, comp, nested, hof, callstar, objs, gens, outk, sorts]


@pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])
@pytest.mark.parametrize('f', [*ARRAYS, tries, withs], ids=lambda f: f.__name__)
def test_derivative(f, optimized):
    x, dx = (X, DX) if f in ARRAYS else (1.3, 0.4)
    dy, y = tangent.jvp(f, optimized=optimized, preserve_result=True)(x, dx)
    assert np.array_equal(X, [1.3, 0.7, 2.1])                # the caller's own array
    np.testing.assert_allclose(y, f(x + 0.0), rtol=1e-12)
    difference = (f(x + 1e-6 * dx) - f(x - 1e-6 * dx)) / 2e-6
    np.testing.assert_allclose(dy, difference, rtol=1e-6, atol=1e-6)


def test_second_derivative_through_writes():
    """Forward over forward, where the tangents of the first pass are written into by the second."""
    push = tangent.jvp(inplace)
    twice = tangent.jvp(push, wrt=(0,))(X, DX, DX)
    difference = (push(X + 1e-5 * DX, DX) - push(X - 1e-5 * DX, DX)) / 2e-5
    np.testing.assert_allclose(twice, difference, rtol=1e-5)


def unchanged_when_it_raises(x):
    y = x
    try:
        y = y / (y - y)
    except ZeroDivisionError:
        pass
    return y * x


def test_an_exception_leaves_value_and_tangent_alone():
    assert tangent.jvp(unchanged_when_it_raises)(3.0, 1.0) == 6.0


def sends(x):
    y = yield x
    return y


def uses_sends(x):
    return sum(list(sends(x)))


def test_what_is_refused():
    with pytest.raises(tangent.TangentParseError, match='values sent into a generator'):
        tangent.jvp(uses_sends)


def only_adjoint(x):
    return x


@tangent.grads.adjoint(only_adjoint)
def adjoint_of_only_adjoint(y, x):
    d[x] = 2.0 * d[y]  # noqa: F821


def calls_only_adjoint(x):
    return only_adjoint(x) * x


def test_a_rule_for_reverse_mode_alone_is_not_passed_over():
    with pytest.raises(tangent.ForwardNotImplementedError, match='tangent_'):
        tangent.jvp(calls_only_adjoint)


def linear(x, w=2.0):
    return x * w


def test_signature_and_checks():
    df = tangent.autodiff(linear, mode='forward', input_derivative=tangent.INPUT_DERIVATIVE.DefaultOne)
    assert df(3.0) == 2.0
    assert tangent.jvp(linear, wrt=(0, 'w'), preserve_result=True)(3.0, 5.0, 1.0, 10.0) == (35.0, 15.0)
    with pytest.raises(ValueError, match='Shape mismatch'):
        tangent.jvp(linear)(X, 2.0, np.ones(2))
    with pytest.raises(TypeError, match='bool'):
        tangent.jvp(linear)(True, 2.0, 1.0)
    with pytest.raises(TypeError, match=r'tangent\.func\.jvp'):
        tangent.jvp(linear, (X,), (DX,))
    assert tangent.jvp(linear)(3, 2, 1) == 2.0 and isinstance(tangent.jvp(linear)(3, 2, 1), float)
    assert tangent.jvp(linear)(X.astype(np.float32), 2.0, DX).dtype == np.float32


def test_the_result_is_the_callers_own():
    def same(x):
        return x
    assert not np.shares_memory(tangent.jvp(same)(X, DX), DX)


def test_no_more_memory_than_the_function():
    """A million steps, no tape."""
    def steps(x, n):
        for _ in range(n):
            x = x * 0.999999 + 1e-9
        return x
    df = tangent.jvp(steps)
    assert 'append' not in tangent.source(df)
    np.testing.assert_allclose(df(1.0, 1000, 1.0), 0.999999 ** 1000)
