"""Arrays that a function writes into: gradients in the readable form, and what their tape keeps."""
import copy
import inspect
import math
import re

import numpy as np
import pytest

import tangent
from tangent.errors import AliasError, ArgumentTypeError
from tests.corpora.programs import functions_buffers as functions
from tests.tools.judge import check_every_text

RNG = np.random.RandomState(0)
SPD = np.eye(5) * 5 + (lambda m: m @ m.T)(RNG.rand(5, 5))
ARGS = {
    'local': (RNG.rand(5), 5), 'jacobi': (4, RNG.rand(6, 6), RNG.rand(6, 6)), 'inplace_chol': (SPD,), 'chol': (SPD,),
    'recur': (RNG.rand(6), 6), 'seidel': (3, RNG.rand(6, 6), 6), 'nonlin': (4, RNG.rand(7)), 'swapped': (RNG.rand(5),),
    'masked': (RNG.rand(6),), 'gs': (RNG.rand(5, 4),), 'hist': (RNG.rand(6), RNG.rand(6)), 'dup': (RNG.rand(4),),
    'jloop': (3, RNG.rand(5, 5), RNG.rand(5, 5)), 'nloop': (3, RNG.rand(6), 0.1), 'level1': (RNG.rand(4), RNG.rand(4)),
    'fibs': (RNG.rand(5),),
}
LOGGED = {'swapped', 'level1'}                # two names for one array; arrays that might as well be lists
NO_TAPE = {'local', 'jacobi', 'inplace_chol', 'chol', 'seidel', 'dup'}


def arrays(args):
    return tuple(k for k, a in enumerate(args) if isinstance(a, np.ndarray))


def differences(function, args, k, eps=1e-6):
    found = np.zeros_like(args[k])
    for at in np.ndindex(found.shape):
        values = []
        for step in (eps, -eps):
            moved = copy.deepcopy(args)
            moved[k][at] += step
            values.append(function(*moved))
        found[at] = (values[0] - values[1]) / (2 * eps)
    return found


@pytest.mark.parametrize('name', ARGS)
def test_gradient(name):
    function, args = getattr(functions, name), ARGS[name]
    before = copy.deepcopy(args)
    found = tangent.grad(function, wrt=arrays(args))(*args)
    for k, gradient in zip(arrays(args), found if isinstance(found, tuple) else (found,)):
        np.testing.assert_allclose(gradient, differences(function, args, k), rtol=1e-6, atol=1e-6)
        np.testing.assert_array_equal(args[k], before[k])          # the caller's own is left alone


@pytest.mark.parametrize('name', ARGS)
def test_form(name):
    text = tangent.grad(getattr(functions, name), wrt=arrays(ARGS[name])).source
    assert ('_grads' in text) == (name in LOGGED)
    if name in NO_TAPE:
        assert '_stack' not in text and not re.search(r'\bold\d*\b', text)


@pytest.mark.parametrize('name', sorted(ARGS.keys() - LOGGED - {'hist'}))
def test_second_order(name):
    """The Hessian times a vector against differences of the gradient."""
    function, args = getattr(functions, name), list(ARGS[name])
    k = arrays(args)[-1]
    gradient = tangent.grad(function, wrt=(k,))
    parameter = list(inspect.signature(function).parameters)[k]
    rest = {p: a for p, a in zip(inspect.signature(function).parameters, args) if p != parameter}
    v = np.random.RandomState(1).rand(*args[k].shape)

    def along(x):
        return np.sum(gradient(**{**rest, parameter: x}) * v)
    found = tangent.grad(along)(args[k])
    eps = 1e-6
    steps = [gradient(**{**rest, parameter: args[k] + s * v}) for s in (eps, -eps)]
    np.testing.assert_allclose(found, (steps[0] - steps[1]) / (2 * eps), rtol=1e-4, atol=1e-4)


def filled(x, w):
    y = np.zeros_like(x)
    for i in range(len(x)):
        y[i] = w * x[i]
    return np.sum(y * y)


def test_integers_are_refused():
    """What is written into an array of integers loses its fraction."""
    df = tangent.grad(filled, wrt=(1,))
    assert df(np.array([1.0, 2.0]), 3.0) == 30
    with pytest.raises(ArgumentTypeError, match='int64'):
        df(np.array([1, 2]), 3.0)


def inner(A, B):
    A[1:-1, 1:-1] = B[1:-1, 1:-1] * 2
    return np.sum(A * B)


def test_shared_memory_is_refused():
    df = tangent.grad(inner, wrt=(0, 1))
    x = np.ones((4, 4))
    df(x, x.copy())
    with pytest.raises(AliasError, match=r'A \(line \d+\) and B share memory'):
        df(x, x)
    with pytest.raises(AliasError):
        df(x[:3], x[1:])


def late(x):
    """What is owed to x reads y, which is set back before it is settled."""
    y = x * 2.0
    z = y[1:] * y[:-1]
    y[0] = x[1] * x[2]
    w = x * y
    y[1:] = w[:-1] * 3.0
    return np.sum(z) + np.sum(y * w)


def test_what_is_owed_is_settled_in_time():
    x = np.array([0.3, 0.8, 1.3, 0.2])
    np.testing.assert_allclose(tangent.grad(late)(x), differences(late, (x,), 0), rtol=1e-6)


def burgers(u, nu, n):
    energy = 0.0
    for _ in range(n):
        left, right = np.roll(u, 1), np.roll(u, -1)
        u = u - 0.1 * u * (right - left) + nu * (right - 2 * u + left)
        energy = energy + np.sum(u * u)
    return energy


def twice_burgers(u, nu, n):
    return 2.0 * burgers(u, nu, n)


@pytest.mark.parametrize('function', [burgers, twice_burgers], ids=['alone', 'called'])
def test_a_twin_keeps_no_more_than_the_function_alone(function):
    assert '_stack.append((left, right, u' in tangent.grad(function).source


def from_the_back(x):
    """`y[i - 1]` is the last element at first: what a write destroyed is read through an index that counts from the back."""
    y = x * 1.0
    for i in range(3):
        y[i] *= np.sin(y[i - 1])
    return np.sum(y)


def stealing(v):
    v[0] = 0.5
    return 2.0


def read_before_a_call(x):
    y = x * 1.0
    y[0] += stealing(y) * x[1]
    return np.sum(y * y)


@pytest.mark.parametrize('function', [from_the_back, read_before_a_call])
def test_order_and_negative_positions(function):
    x = np.array([0.3, 0.8, 1.3])
    np.testing.assert_allclose(tangent.grad(function)(x), differences(function, (x,), 0), rtol=1e-6, atol=1e-9)


def squares_into(u):
    u[1:2] = u[0:1] * u[0:1]


def overwrites(u):
    u[0:1] = 3.0 * u[2:3]


def one_after_the_other(u):
    squares_into(u)
    overwrites(u)
    return np.sum(u ** 2)


def test_a_call_puts_back_what_an_earlier_one_reads():
    """`overwrites` reads nothing itself, but the adjoint of `squares_into` reads what it destroyed."""
    u = np.array([0.7, 1.2, 1.1])
    df = tangent.grad(one_after_the_other)
    np.testing.assert_allclose(df(u), differences(one_after_the_other, (u,), 0), rtol=1e-6, atol=1e-9)
    assert tangent.source(df).count('def overwrites') == 2             # the twins in use, and no others


def test_a_result_that_elements_are_written_to_is_no_number():
    def outer(x, y):
        out = np.empty((x.shape[0], y.shape[0]))
        for i in range(x.shape[0]):
            for j in range(y.shape[0]):
                out[i, j] = math.sin(x[i]) * y[j] ** 2
        return out

    x, y, seed = np.array([0.3, -0.7]), np.array([2.0, 0.5, 1.0]), np.arange(6.0).reshape(2, 3)
    np.testing.assert_allclose(tangent.vjp(outer)(x, y, seed), np.cos(x) * (seed @ y ** 2), rtol=1e-14)


def test_an_early_return_of_an_element_does_not_make_the_sum_an_alias_of_the_array():
    def total(a):
        if a.shape[0] == 1:
            return a[0, 0]
        total = 0.0
        for j in range(a.shape[0]):
            total += a[0, j] ** 2
        return total

    df = tangent.grad(total)
    assert '_grads' not in tangent.source(df)
    np.testing.assert_array_equal(df(np.array([[3.0, 4.0], [5.0, 6.0]])), [[6.0, 8.0], [0.0, 0.0]])
    np.testing.assert_array_equal(df(np.array([[3.0]])), [[1.0]])


def test_any_argument_may_share_memory_with_one_that_is_written():
    def f(a, b):
        for i in range(a.shape[0]):
            a[i] = a[i] * b[0]
        return np.sum(a)

    x = np.array([1.0, 2.0, 3.0])
    for args in (x, x), (x, x[::-1]), (x[:2], x[1:]):
        with pytest.raises(AliasError, match='share memory'):
            tangent.grad(f)(*args)
    np.testing.assert_array_equal(tangent.grad(f)(x, x.copy()), [1.0, 1.0, 1.0])


def masked(v):
    a = np.amax(v, -1)
    h = np.where(a > 0.1, a * 2, a)
    h[np.asarray(h > 1)] *= 3
    h[(a == 0) | (h < 0)] = 0
    return np.sum(h) * np.sum(v)


def masked_like_another(v):
    a = np.amax(v, -1)
    h = np.zeros_like(a)
    h[a > 0.1] = a[a > 0.1] ** 2
    return np.sum(h * v[..., 0])


def masked_after_arithmetic(v):
    a = np.amax(v, -1)
    h = a * a
    h = np.where(a > 0.1, a * 2 + h, h)
    h[np.asarray(h == 0)] = 0
    return np.sum(h * v[..., 0])


@pytest.mark.parametrize('f', [masked, masked_like_another, masked_after_arithmetic])
@pytest.mark.parametrize('x', [np.array([0.3, 0.7, 0.55]), np.array([[0.3, 0.7, 0.55], [0.9, 0.2, 0.1]])], ids=['number', 'vector'])
def test_arrays_without_axes_are_written_by_masks(f, x):
    assert '_grads' not in tangent.source(tangent.grad(f))
    direction, h = np.cos(x), 1e-6
    slope = (f(x + h * direction) - f(x - h * direction)) / (2 * h)
    for _ in range(4):
        np.testing.assert_allclose(np.sum(tangent.grad(f)(x) * direction), slope, rtol=1e-6)
    np.testing.assert_allclose(tangent.jvp(f)(x, direction), slope, rtol=1e-6)
    bent = (tangent.grad(f)(x + h * direction) - tangent.grad(f)(x - h * direction)) / (2 * h)
    np.testing.assert_allclose(tangent.hvp(f)(x, direction), bent, rtol=1e-5, atol=1e-6)


def by_a_mask_in_a_call(v):
    h = v * 2
    h[np.asarray(h < 1)] += v[0]
    return np.sum(h * h)


def by_masks_in_a_loop(v):
    h = -v
    for _ in range(3):
        m = np.asarray(h < -0.4)
        h[m] *= 1.5
        h[np.logical_not(m)] -= 0.9 * v[1]
        h[np.asarray(h < -1)] = v[2]
    return np.sum(h * v)


@pytest.mark.parametrize('f', [by_a_mask_in_a_call, by_masks_in_a_loop])
def test_what_is_indexed_by_a_mask_is_an_array(f):
    assert '_grads' not in tangent.source(tangent.grad(f))
    check_every_text(f, np.array([0.3, 0.7, 0.57]))


def cut_or_squared(y, cut):
    m = y > 1.0
    if cut:
        y[m] = y[m] ** 2
    else:
        y = y ** 2
    return y * 3.0


def written_in_one_branch(x):
    a, b = 1.3 * x, 0.7 * x
    c, d = cut_or_squared(a, True), cut_or_squared(b, False)
    return np.sum(a * c) + np.sum(b * d)


def cut_arrays(y):
    if isinstance(y, np.ndarray):
        y[y > 1.0] = 1.0
    return y * y


def cut_inside(y):
    return cut_arrays(y) * y


def written_where_it_is_an_array(x):
    a, b = 1.3 * x, 1.3 * x[1]
    c, d = cut_arrays(a), cut_arrays(b)
    return np.sum(a * c) + b * d


def written_further_down(x):
    a, b = 1.3 * x, 1.3 * x[1]
    c, d = cut_inside(a), cut_inside(b)
    return np.sum(a * c) + b * d


def cleared_where_it_has_axes(y):
    if np.ndim(y):
        y[0] = 0.0
    return y * 3.0


def written_where_it_has_axes(x):
    a, b = 1.3 * x, 1.3 * x[1]
    c, d = cleared_where_it_has_axes(a), cleared_where_it_has_axes(b)
    return np.sum(a * c) + b * d


@pytest.mark.parametrize('f', [written_in_one_branch, written_where_it_is_an_array, written_further_down, written_where_it_has_axes],
                         ids=lambda f: f.__name__)
def test_what_a_callee_may_write_into_keeps_its_gradient_where_it_does_not(f):
    check_every_text(f, np.array([0.7, 1.3, 0.4, 0.9]))


def squared_up_to(y, n):
    for k in range(n):
        y[k] = y[k] ** 2
    return np.sum(y * y)


def written_in_a_loop(x, n):
    y = x * 2
    s = np.sum(y ** 3)
    return squared_up_to(y, n) * s


def test_a_loop_of_a_callee_may_not_run():
    """What it stores into would be an array; a number stays one, and has its gradient."""
    df = tangent.grad(written_in_a_loop)
    np.testing.assert_allclose([df(1.5, 0) for _ in range(3)], 160 * 1.5 ** 4)
    np.testing.assert_allclose(df(np.array([1.5]), 1), 128 * 7 * 1.5 ** 6)


def ones_like(x):
    return np.array([x, x * x])


def zeros(n):
    return np.full((n, n), 2.0)


def named_as_numpys_are(x, y):
    p = np.zeros(2)
    p[0] = x
    t = 3.0
    rows = zeros(2)
    return np.sum(rows[0] * y) + p[0] * np.sum(ones_like(t) * y)


def test_functions_of_the_users_that_are_named_as_numpys_are():
    """They were taken for these: what they give had another number of axes, and `y`'s gradient two elements."""
    np.testing.assert_allclose(tangent.grad(named_as_numpys_are, (0, 1))(0.5, 0.7), (12 * 0.7, 4 + 6.0))


def left_early(r, out=None):
    alone = out is None
    if alone:
        out = np.empty(r.shape[1:])
    flat = r.ndim == 1
    if len(r) < 2:
        out[()] = np.nan
        if flat:
            out = out.item()
        return out
    np.multiply(np.divide(np.mean(r), np.std(r), out=out), 3.0, out=out)
    if flat:
        out = out.item()
    return out


def given_by_its_caller(r):
    return left_early(r) * r[0]


def read_by_a_method(r):
    out = np.zeros(3)
    if len(r) < 2:
        return out.sum()
    out[0] = np.mean(r)
    return (out * out).sum()


def renamed_in_a_branch(r):
    out = np.empty(r.shape[1:])
    if len(r) < 2:
        y = out
    else:
        out[()] = np.mean(r)
        y = out
    return y * y


def renamed_in_a_loop(r):
    out, y, total = np.zeros(2), np.zeros(2), 0.0
    for k in range(4):
        if k % 2:
            out[0] = r[0] * k * r[1]
        else:
            y = out
        total = total + y[0] * r[2]
    return total


@pytest.mark.parametrize('function, structured', [(given_by_its_caller, True), (read_by_a_method, True), (renamed_in_a_branch, True),
                                                  (renamed_in_a_loop, False)], ids=lambda f: getattr(f, '__name__', ''))
def test_writes_in_branches(function, structured):
    """What one branch gives another name, or leaves with, is not changed by what the other branch writes."""
    r = np.array([1.0, 2.0, 4.0])
    want, df = differences(function, (r,), 0), tangent.grad(function)
    for _ in range(4):
        np.testing.assert_allclose(df(r), want, rtol=1e-6)
    np.testing.assert_allclose(tangent.jvp(function)(r, np.array([0.3, 1.7, 0.2])), want @ [0.3, 1.7, 0.2], rtol=1e-6)
    assert ('_grads' not in tangent.source(df, r)) == structured


def parts_turned(whole):
    whole = np.asarray(whole)
    last, inner = whole[:-1, -1], whole[:-1, :-1]
    first, second = np.array(inner).T
    size = math.sqrt(np.sum(first ** 2))
    first /= size
    shear = np.dot(first, second)
    second -= shear * first
    turned = np.array([first, second]).T
    if np.linalg.det(turned) < 0:
        size *= -1
        turned[:, 0] *= -1
    return last, turned, np.array([size, shear])


SAME = {'as it is': lambda x: x * 1.0}


def turned(r):
    whole = np.eye(3)
    whole[:2, :2] = np.array([[r[0], 2.0], [3.0, r[1]]])
    whole[:2, 2] = r[1:]
    last, made, sizes = parts_turned(SAME['as it is'](whole))
    return np.sum(made * np.array([[1.0, 2.0], [3.0, 4.0]])) + np.sum(sizes * r[2]) + np.sum(last * last)


def taken_by_a_list(r):
    values, vectors = np.linalg.eigh(np.outer(r, r) + np.diag([1.0, 2.0, 3.0]))
    q = vectors[[2, 0, 1], np.argmax(values)]
    if q[0] < 0 or q[1] > -9:
        q *= -1
    return np.sum(q * np.arange(3.0)) + np.sum(vectors[0] ** 2)


@pytest.mark.parametrize('function', [turned, taken_by_a_list], ids=lambda f: f.__name__)
def test_writes_into_what_is_turned_or_taken(function):
    """`a.T` of an array that nothing else reads is that array; `a[[2, 0, 1]]` is a copy."""
    r = np.array([1.0, 2.0, 4.0])
    want, df = differences(function, (r,), 0), tangent.grad(function)
    for _ in range(4):
        np.testing.assert_allclose(df(r), want, rtol=1e-6, atol=1e-8)
    along = np.array([0.3, 1.7, 0.2])
    np.testing.assert_allclose(tangent.jvp(function)(r, along), want @ along, rtol=1e-6)
    assert '_grads' not in tangent.source(df, r)
