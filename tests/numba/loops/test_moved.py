"""Arrays that compiled derivatives do not make: copies that are taken over, scaled matrices, what other arrays keep; and where that
would be wrong. What CPython makes of the same functions is right."""
import textwrap

import numpy as np
import pytest

import tangent
from benchmarks.hand import kernels
from benchmarks.polybench import linear_algebra as algebra
from benchmarks.polybench import loss_of
from tangent.runtime import api
from tests.numba.loops.test_adjoint_loops import windows
from tests.numba.loops.test_lower import function

numba = pytest.importorskip('numba', reason='Numba is not installed')


def product_in_place(alpha, beta, c, a, b):
    c[:] = alpha * a @ b + beta * c
    return np.sum(c * c)


def updates_in_place(alpha, a, u, v, w, x):
    a[:] += np.outer(u, v) + np.outer(w, x)
    y = alpha * a @ x
    return np.sum(a * a) + np.sum(y * y)


def factor_in_place(a):
    a[:] = np.linalg.cholesky(a) + np.triu(a, 1)
    return np.sum(a * a)


def overwritten_twice(a, x):
    a[:] = a * a
    s = np.sum(a @ x)
    a[:] = np.sin(a) * s
    a[:] += 1.0
    return np.sum(a * a) * s


def scaled_before_it_changes(alpha, a, x):
    t = alpha * a
    a[:] = a * a
    y = t @ x
    z = a @ y
    return np.sum(z * y)


def scaled_and_read(alpha, a, x):
    t = a * alpha
    return np.sum(t @ x) + t[0, 1] * np.sum(t * t)


def products_and_sums(a, b, x):
    y = np.tanh(a @ b) * 2.0 + a.T @ b
    return np.sum(y * y) * np.sum(x) + np.sum((b @ x) * x)


def rows_that_are_kept(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        e = np.exp(x[i] - np.max(x[i]))
        out[i] = e / np.sum(e)
    return np.sum(out * out * x)


def rows_that_change_later(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        t = x[i] / np.sum(x[i])
        out[i] = t * t
        out[i] = t
        out[0] = out[0] + t
    out[1] = 2.0 * out[1]
    return np.sum(out * out)


def rows_of_one_place(x):
    out = np.zeros(x.shape)
    for i in range(x.shape[0]):
        t = x[i] * x[i]
        out[0] = t
    return np.sum(out * out)


def given_back(a, x):
    b = 2.0 * a
    c = b.copy()
    c[0] = x
    return np.sum(b * c) + c[0, 0]


def numbers_that_change(alpha, a, x):
    t = alpha * a
    alpha *= 2.0
    y = t @ x
    return np.sum(y * y) * alpha


def multiplied_again(a, n):
    x = a * 2.0
    for _ in range(n):
        x = x @ a
        x = x * 0.5
    x = x @ a
    x = a @ x
    return np.sum(x * x)


def taken_over_in_a_loop(x, n):
    a = x * 2.0
    s = 0.0
    for i in range(n):
        b = a.copy()
        a[:] = 0.0
        a[i] = b[i] * 2.0 + b[i + 1]
        s += np.sum(b * b) + np.sum(a)
        a[:] = a + b
    return s * np.sum(a)


def changed_on_one_way(x, c):
    a = x * 2.0
    if c > 1.0:
        a[:] = x * x
    a[:] = a * a
    b = a.copy()
    a[:] = 0.0
    if c < 1.0:
        a[:2] = b[2:]
    return np.sum(b * x) + np.sum(a * a)


def changed_through_a_part(x):
    a = x * 2.0
    v = a[1:]
    b = a.copy()
    v[:] = v * v
    return np.sum(b * b) + np.sum(a * x)


def buffers_that_go_round(x, n):
    v = x * x
    b = np.zeros(x.shape)
    for _ in range(n):
        old = b.copy()
        b[:] = v @ x
        v = v + b * old
    return np.sum(np.sin(v) * b)


def rows_that_are_kept_twice(x):
    out = np.zeros(x.shape)
    m = x.shape[0]
    for i in range(m):
        u = np.exp(x[i]) / np.sum(x[i])
        out[i] = u
    m = 2
    for i in range(m):
        u = np.exp(x[i]) / np.sum(x[i])
        out[i] = u * 2.0
    return np.sum(out * out * x)


def rows_with_another_name(x):
    out = np.empty(x.shape)
    q = out
    for i in range(x.shape[0]):
        u = np.exp(x[i]) / np.sum(x[i])
        out[i] = u
    q[1] = 3.0
    return np.sum(out * out * x)


def outer_product_of_rows(a):
    b = a * 1.0
    b[:] += np.outer(b[0], b[1])
    return np.sum(b * b)


def outer_product_of_what_changes(u, a):
    t = np.outer(u, u)
    u[:] = 2.0 * u
    a[:] += t * 2.0
    return np.sum(a * a) + np.sum(u)


R = np.random.RandomState(0)


def like(*shape):
    return R.uniform(0.2, 1.2, shape)


SPD = (lambda m: m @ m.T + 4 * np.eye(4))(like(4, 4))
CASES = [
    (product_in_place, (1.5, 1.2, like(3, 4), like(3, 5), like(5, 4))),
    (product_in_place, (2, 3, like(3, 4), like(3, 0), like(0, 4))),
    (updates_in_place, (0.5, like(3, 4), like(3), like(4), like(3), like(4))),
    (factor_in_place, (SPD,)),
    (overwritten_twice, (like(3, 3), like(3))),
    (scaled_before_it_changes, (0.5, like(3, 3), like(3))),
    (scaled_and_read, (0.5, like(3, 3), like(3))),
    (products_and_sums, (like(4, 4), like(4, 4), like(4))),
    (rows_that_are_kept, (like(3, 4),)),
    (rows_that_change_later, (like(3, 4),)),
    (rows_of_one_place, (like(3, 4),)),
    (given_back, (like(3, 4), like(4))),
    (windows, (like(4, 5), like(2, 2, 3))),
    (numbers_that_change, (0.5, like(3, 3), like(3))),
    (multiplied_again, (like(3, 3), 3)),
    (taken_over_in_a_loop, (like(4), 3)),
    (changed_on_one_way, (like(4), 1.5)),
    (changed_on_one_way, (like(4), 0.5)),
    (changed_through_a_part, (like(5),)),
    (buffers_that_go_round, (like(4, 4), 2)),
    (rows_that_are_kept_twice, (like(4, 3),)),
    (rows_with_another_name, (like(4, 3),)),
    (outer_product_of_rows, (like(3, 3),)),
    (outer_product_of_what_changes, (like(3), like(3, 3))),
    (scaled_before_it_changes, (0.5, np.asfortranarray(like(3, 3)), like(6)[::2])),
    (product_in_place, (1.5, 1.2, like(3, 8)[:, ::2], np.asfortranarray(like(3, 5)), like(5, 4))),
]


@pytest.mark.share(3)
@pytest.mark.parametrize('f, args', CASES, ids=[f'{f.__name__}-{k}' for k, (f, _) in enumerate(CASES)])
def test_gradients_are_those_of_python(f, args):
    wrt = tuple(k for k, a in enumerate(args) if isinstance(a, (float, np.ndarray)))

    def copies():
        return [a.copy() if isinstance(a, np.ndarray) else a for a in args]
    given = copies()
    value, found = tangent.value_and_grad(numba.njit(f), wrt)(*given)
    expected = tangent.grad(f, wrt)(*copies())
    found, expected = (found, expected) if len(wrt) > 1 else ((found,), (expected,))
    for a, b in zip(given, args):
        np.testing.assert_array_equal(a, b)                       # arguments stay as they are
    assert value == pytest.approx(f(*copies()), rel=1e-12)
    for one, other in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
    arrays = [a for a in found if isinstance(a, np.ndarray)]
    assert not any(np.shares_memory(a, b) for k, a in enumerate(arrays) for b in [*arrays[:k], *given] if isinstance(b, np.ndarray))


def of_kernel(kernel, results, **given):
    return loss_of(kernel, tuple(given), results, 'np.sum({0} * {0})', numba.njit), loss_of(
        kernel, tuple(given), results, 'np.sum({0} * {0})'), list(given.values())


GEMVER = of_kernel(algebra.gemver, ('A', 'x', 'w'), alpha=0.5, beta=0.2, A=like(4, 4), u1=like(1), v1=like(4), u2=like(4),
                   v2=like(1), w=like(4), x=like(4), y=like(4), z=like(4))


@pytest.mark.parametrize('compiled, plain, args', [
    of_kernel(algebra.gemm, ('C',), alpha=1.5, beta=1.2, C=like(3, 4), A=like(1, 5), B=like(5, 4)),
    of_kernel(algebra.gemm, ('C',), alpha=1.5, beta=1.2, C=like(3, 4), A=like(3, 5), B=like(5, 1)),
    of_kernel(algebra.gemm, ('C',), alpha=1.5, beta=1.2, C=like(3, 4), A=like(3, 5), B=like(5, 4)),
    GEMVER,
], ids=['rows', 'columns', 'nothing', 'vectors'])
def test_what_is_spread_over_an_array_that_is_written(compiled, plain, args):
    wrt = tuple(range(2, len(args)))
    found = tangent.grad(compiled, wrt)(*[a.copy() if isinstance(a, np.ndarray) else a for a in args])
    for one, other in zip(found, tangent.grad(plain, wrt)(*args), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def scaled_once(alpha, a, x):
    t = alpha * a
    return np.sum((t @ x) * x) + np.sum(x @ t)


def test_matrices_that_are_not_made():
    text = tangent.source(tangent.grad(numba.njit(scaled_once), (1, 2)), 0.5, like(3, 3), like(3))
    assert '\n    t = alpha * a' not in text and 'part = a @ x' in text
    compiled, _, args = GEMVER
    text = tangent.source(tangent.grad(compiled, 2), *args)
    assert 'np.outer(u1' not in text and 'np.outer(u2' not in text and text.count('array_copy(A') == 1
    assert 'bA = A2\n' in text                                    # in the memory of what is read before for the last time


def made(f, *args, wrt):
    """How many arrays the text of a compiled gradient makes, and the text."""
    text = tangent.source(tangent.grad(numba.njit(f), wrt), *args)
    return sum(text.count(word) for word in ('np.empty(', 'np.zeros(', 'array_copy(', 'init_grad(', 'np.outer(', ' @ ')), text


def test_copies_that_are_not_made():
    count, text = made(product_in_place, *CASES[0][1], wrt=(2, 3, 4))
    assert count == 6 and 'array_copy' not in text                # and three are asked for
    _, text = made(factor_in_place, SPD, wrt=(0,))
    assert 'array_copy' not in text and 'old' not in text


def test_products_of_matrices_are_written_into_arrays_on_large_pages():
    _, text = made(product_in_place, *CASES[0][1], wrt=(2, 3, 4))
    assert ' @ ' not in text and text.count('np.dot(') == 3
    text = tangent.source(tangent.grad(numba.njit(multiplied_again)), like(3, 3), 3)
    assert not any(f'np.dot({pair}' in text for pair in ('x, a, x)', 'a, x, x)'))


def test_what_an_array_keeps_is_on_no_tape():
    compiled, _, args = of_kernel(kernels.softmax, ('value',), x=like(2, 2, 3, 4))
    assert '_stack.append((t, e, t2))' in tangent.source(tangent.grad(compiled), *args)
    for f, args in [(rows_that_are_kept_twice, (like(4, 3),)), (rows_with_another_name, (like(4, 3),))]:
        assert '_stack' in tangent.source(tangent.grad(numba.njit(f)), *args)


def test_arguments_that_meet_still_share_loops():
    compiled, _, args = of_kernel(kernels.compute, ('value',), array_1=like(3, 4), array_2=like(3, 4), a=1.3, b=0.7, c=0.2)
    assert tangent.source(tangent.grad(compiled, (0, 1)), *args).count('np.empty(') == 2


KEPT: list = []


def keep(a):
    KEPT.append(a)
    return 1.0


def change_what_is_kept():
    KEPT[-1][:] = 7.0
    return 0.0


PROGRAMS = '''
a = x * 2.0
xs = [a]
b = copy(a[:])
for r in xs:
    r[:] = 1.0
return a, b, xs[0]

a = m * 2.0
b = copy(a[:])
for r in a:
    r[0] = 1.0
return b * 1.0, a * 1.0

a = x * 2.0
s = keep(a)
b = copy(a[:])
s += change_what_is_kept()
return b * s

a = array_copy(x)
s = keep(a)
a[:] = a * 3.0
s += change_what_is_kept()
return a * s

a = x * 2.0
s = keep(a)
b = copy(a[:])
a[:] = 0
s += change_what_is_kept()
return b * s, a * 1.0

a = x * 2.0
g = lambda: a
b = copy(a[:])
a[:] = 0
return b * 1.0, g() * 1.0

a = x * 2.0
b = copy(a[:])
g = lambda: b
return g(), b, a

a = x * 2.0
p, q = a, y
b = copy(a[:])
p[:] = 1.0
return b * 1.0

a = x * 2.0
b = copy(a[:])
a[0], c = 5.0, 2.0
return b * a * c

a = x * 2.0
b = copy(a[:])
return a, b

a = x * 2.0
b = copy(a[:])
return [a, b]

a = x * 2.0
b = copy(a[:])
d = {'a': a, 'b': b}
return d['a'], d['b']

a = array_copy(x)
y[:] = 1.0
a[:] = a + 1.0
return a * y

a = array_copy(x)
a[:] = a * 2.0
return a

a = x * 2.0
v = a[1:]
b = copy(a[:])
v[:] = 0.0
return b * a

a = x * 2.0
d = {}
d['k'] = a
b = copy(a[:])
d['k'][:] = 0.0
return b * 1.0

a = x * 2.0
b = copy(a[:]) if n > 2 else a
b[:] = 0.0
return a * 1.0

a = x * 2.0
if (q := a) is not None:
    pass
b = copy(a[:])
q[:] = 0.0
return b * 1.0

a = x * 2.0
g = (a[i] for i in range(n))
b = copy(a[:])
a[:] = 0
s = sum(g)
return b * s

a = x * 2.0
b = copy(a[:])
a.fill(0.0)
return b * a

a = x * -2.0
b = copy(a[:])
a.sort()
return b * a

a = x * 2.0
s = np.cumsum(y)
c = a * 3.0
a += c
return c * s

a = m @ m
c = a * 3.0
return c + a.T

a = m @ m
c = a * x
return c

a = m @ m
c = a.T * 2.0
return c

a = m @ m
c = a * a
d = np.sin(c)
return d, c

t = s * m
s *= 2.0
return t @ x, s

t = s * m
m[0, 0] = 9.0
return t @ x

t = s * m
m2 = m.T
m2[0, 1] = 9.0
return t @ x

t = s * m
r = keep(t) + (t @ x)
return r

t = m * s
r = t @ x
for i in range(n):
    r += t[0]
return r

t = np.outer(x, y)
x[:] = 2.0 * x
m[:] = m + t
return m * 1.0

t = np.outer(m[0], y)
m[:] += t * 2.0
return m * 1.0

v = m[0]
t = np.outer(v, y)
m[:] += t * 2.0 + m
return m * 1.0

m = m @ m
m = m @ m
return m

for i in range(n):
    m = m * 0.5
m = m @ m
return m

u = np.empty_like(m)
u[:] = x
return u

u = np.empty_like(m)
u[:] = m[:, ::-1]
w = np.empty_like(u)
w[:] = u @ u
return w + u

u = np.empty_like(k)
u[:] = k * 2 + 1
return u

u = np.empty_like(m)
for i in range(n):
    u[:] = m * i
    m = u * 1.0
return m

u = np.empty_like(x)
u[:] = x[::-1]
x[:] = u + x
return x * u

b = np.zeros_like(x)
b += x * y
b += b * x
return b

b = np.zeros_like(m)
b += m * x
c = np.zeros_like(m)
c += x
d = np.zeros_like(m)
d += n
return b, c, d

a = array_copy(m)
c = a @ x
b = 2.0 * a
d = a @ y
b += np.outer(c, d)
return b, d

a = array_copy(m, 2)
b = 2.0 * a
d = a @ x
b += np.outer(d, a[0])
return b

a = array_copy(m)
v = a[0]
b = 2.0 * a
d = a @ x
b += np.outer(d, x)
return b, v * 1.0

a = array_copy(m)
xs = [a]
b = 2.0 * a
d = a @ x
b += np.outer(d, x)
return b, xs[0]

a = array_copy(m)
b = s * a
r = keep(a) + (a @ x)
b += np.outer(r, x)
r += change_what_is_kept()
return b, r

a = array_copy(m)
b = s * a
a[0, 0] = 9.0
d = a @ x
b += np.outer(d, x)
return b

a = array_copy(m)
b = s * a
s = 3.0
d = a @ x
b += np.outer(d, x)
return b * s

a = array_copy(m)
b = s * a
d = a @ x
for i in range(n):
    d = d * 0.5
b += np.outer(d, x)
return b

a = array_copy(m)
b = s * a
d = a @ x
b += np.outer(d, x)
return b, a

a = array_copy(m)
g = lambda: a
b = s * a
d = a @ x
b += np.outer(d, x)
return b, g() * 1.0

a = m @ m
d = a @ x
b = a * s
b[1:] += a[:-1] * 2.0
return b, d

a = m * m
d = a @ x
c = a[:, 0] * x
b = a * s
e = b * a.T
return b, c, d, e

a = m * x
b = -a
c = b * 2.0 + m
d = b * y
return c, d

a = m * x
b = -a
c = b * 2.0
a[0] = 9.0
d = b * y
return c, d, a

a = m * x
b = -a
b[0] = 1.0
c = b * 2.0
return c, a

a = m * x
b = -a
s = keep(a)
c = b * s
s += change_what_is_kept()
d = b * s
return c, d

a = m * x
v = a[1]
b = -a
c = b * 2.0
v[:] = 5.0
d = b * y
return c, d

a = m * x
b = -a
for i in range(n):
    m = b * i + m
return m

a = m * x
b = -a
c = b * b
return b, c, a

a = -m
b = a * x
m[0, 0] = 7.0
c = a * y
return b, c
'''.strip().split('\n\n')


def outcome(f, how):
    """What a program gives, what is left of its arguments, and which of the arrays share memory."""
    r = np.random.RandomState(1)
    x, y, m, k = r.rand(3) + 0.2, r.rand(3) + 0.2, r.rand(3, 3), np.arange(3)
    if how == 'same':
        y = x
    elif how == 'strided':
        x, m = r.rand(6)[::2], np.asfortranarray(r.rand(3, 6))[:, ::2]
    elif how in ('float32', 'complex128'):
        x, y, m = (v.astype(how) for v in (x, y, m))
    KEPT.clear()
    given = f(x, y, m, k, 0.7, 3)
    arrays = [*(given if isinstance(given, (tuple, list)) else [given]), x, y, m, *KEPT]
    return arrays, [[np.shares_memory(a, b) for a in arrays] for b in arrays]


@pytest.mark.share(4)
@pytest.mark.parametrize('how', ['apart', 'same', 'strided', 'float32', 'complex128'])
@pytest.mark.parametrize('text', PROGRAMS, ids=range(len(PROGRAMS)))
def test_what_others_may_keep_or_change_is_not_taken_over(text, how):
    f = function(f'def f(x, y, m, k, s, n):\n{textwrap.indent(text, "    ")}\n', f'<kept {text}>')
    f.__globals__.update(copy=api.copy, array_copy=api.array_copy, keep=keep, change_what_is_kept=change_what_is_kept)
    right, shared = outcome(f, how)
    for apart in True, False:
        try:
            found, also_shared = outcome(tangent.lower(f, apart=apart), how)
        except tangent.errors.AliasError:
            assert apart and how == 'same'
            continue
        assert shared == also_shared
        for one, other in zip(found, right, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4 if how == 'float32' else 1e-10)
