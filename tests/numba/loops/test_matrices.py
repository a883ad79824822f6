"""Products of vectors with matrices as loops, in which the order of what is read and written matters; and where they stay."""
import inspect

import gast
import numpy as np
import pytest

import tangent
from tangent.numba.loops.prepared import tape_views

numba = pytest.importorskip('numba', reason='Numba is not installed')


def rows_of_a_part(y, a, x, k):
    y[:] += a[:, k:] @ x[k:]


def rows_made(y, a, x, k):
    t = np.dot(a[1:, :-k], x[k:])
    y[1:] -= 2.0 * t


def sums_over_rows(y, a, x, k):
    y[k:] -= x @ a[:, k:]


def sums_made(y, a, x, k):
    t = np.dot(x[1:], a[1:, :k])
    y[:k] = t * t


def each_with_each(y, a, x, k):
    a[k:, :] += np.outer(x[k:], y) * 0.5


def each_with_each_of_itself(y, a, x, k):
    a[:, k:] -= np.outer(a[:, 0], a[0, k:])


def row_into_itself(y, a, x, k):
    a[:, 0] += a[:, k:] @ a[0, k:]


def sums_into_itself(y, a, x, k):
    a[0, k:] += a[:, 0] @ a[:, k:]


def sums_of_what_is_written(y, a, x, k):
    x[k:] += x @ a[:, k:]


def one_after_the_other(y, a, x, k):
    for i in range(k):
        t = a[:, i] @ a[:, i:]
        y[i:] += t
        a[:, i] = a[:, i:] @ t
        a[:, i:] -= np.outer(a[:, i], y[i:])


def vector_for_matrix(y, a, x, k):
    t = 2.0 * x[k:]
    u = 2.0 * x
    a[:, k:] = a[:, k:] * t
    a[:] += u


FUNCTIONS = [rows_of_a_part, rows_made, sums_over_rows, sums_made, each_with_each, each_with_each_of_itself, row_into_itself,
             sums_into_itself, sums_of_what_is_written, one_after_the_other, vector_for_matrix]
LOOPS = [rows_of_a_part, rows_made, sums_over_rows, sums_made, each_with_each, one_after_the_other, vector_for_matrix]


def given(n, dtype=float):
    r = np.random.RandomState(n)
    return [r.rand(n).astype(dtype), r.rand(n, n).astype(dtype), r.rand(n).astype(dtype)]


def text_of(made):
    return getattr(made, 'source', None) or inspect.getsource(made)


def compare(f, made, arrays, k):
    """That `made` changes the arrays as `f` does."""
    expected, found = [[a.copy() for a in arrays] for _ in range(2)]
    f(*expected, k)
    made(*found, k)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-12 if one.dtype == float else 1e-5, atol=1e-12)


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_same_as_before(f):
    made = tangent.lower(f, *given(5), 2)
    assert 'for ' in text_of(made) or f not in LOOPS
    for n, k in (5, 2), (3, 2), (3, 3), (2, 2):
        compare(f, made, given(n), k)


@pytest.mark.parametrize('f, dtype', [(rows_of_a_part, np.float32), (sums_made, float), (one_after_the_other, float)])
def test_compiled(f, dtype):
    made = tangent.lower(numba.njit(f))
    for n, k in (5, 2), (7, 4):
        compare(f, made, given(n, dtype), k)


def without_comments(f, *args):
    return ''.join(line for line in text_of(tangent.lower(f, *args)).splitlines(True) if '#' not in line)


@pytest.mark.parametrize('f, loops', [(rows_of_a_part, 1), (rows_made, 1), (sums_over_rows, 2), (each_with_each, 2)])
def test_no_product_is_left(f, loops):
    text = without_comments(f, *given(3), 1)
    assert text.count('for ') == loops and text.count('dot_rows(a[') == (loops == 1)
    assert '@' not in text and 'np.' not in text.replace('np.empty', '')


def whole(y, a, x, k):
    y[:] += a @ x
    y[:] += x @ a
    y[k:] += a[k:, :] @ x
    y[:] += a.T @ x


def test_whole_matrices_are_for_libraries():
    made = tangent.lower(whole, *given(4), 1)
    assert 'dot_rows' not in text_of(made)
    compare(whole, made, given(4), 1)


@pytest.mark.parametrize('dtype', [complex, np.int64])
def test_other_types_stay(dtype):
    arrays = [(10 * a).astype(dtype) for a in given(4)]
    for f in rows_of_a_part, sums_over_rows:
        made = tangent.lower(f, *arrays, 1)
        assert 'dot_rows' not in text_of(made)
        compare(f, made, [a * (1 + 1j) if dtype is complex else a for a in arrays], 1)


def test_sums_in_higher_precision_stay():
    y, a, x = given(4)
    made = tangent.lower(sums_over_rows, y.astype(np.float32), a, x, 1)
    assert '@' in text_of(made)


@pytest.mark.parametrize('f', [rows_of_a_part, rows_made, sums_over_rows, each_with_each], ids=lambda f: f.__name__)
def test_lengths_that_do_not_agree_are_errors(f):
    y, a, x = given(5)
    made = tangent.lower(f, y, a, x, 2)
    with pytest.raises(ValueError):
        made(y, a, np.ones(4), 2)


def test_nothing_to_add_up():
    y, a, x = np.ones(3), np.ones((0, 3)), np.ones(0)
    made = tangent.lower(sums_over_rows, y, a, x, 1)
    made(y, a, x, 1)
    assert (y == 1).all()


@pytest.mark.machine_code
def test_parts_of_rows_are_vectorised():
    made = tangent.lower(numba.njit(sums_over_rows))
    made(*given(5), 2)
    assert 'x double>' in next(iter(made.inspect_llvm().values()))


@numba.njit
def tied(a, x):
    s = 0.0
    for i in range(a.shape[1]):
        t = x @ a[:, i:]
        a[:, i] -= np.mean(a[:, i])
        s += np.sum(t * t)
    return s


def test_gradient_in_a_loop():
    a, x = np.random.RandomState(0).rand(4, 3), np.arange(4.0) - 1.3
    df, slow = tangent.grad(tied, (0, 1)), tangent.grad(tied, (0, 1), jit=False)
    assert 'matmul_left' in tangent.source(slow) and 'matmul' not in tangent.source(df, a, x)
    for one, other in zip(df(a, x), slow(a, x), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    step = 1e-6 * np.random.RandomState(1).rand(4, 3)
    slope = (tied.py_func(a + step, x) - tied.py_func(a - step, x)) / 2
    np.testing.assert_allclose(np.sum(df(a, x)[0] * step), slope, rtol=1e-7)


def neighbours(a, b, n):
    for _ in range(n):
        t = 0.5 * a[1:-1]
        a[1:-1] = 0.0
        b[2:] += t
        b[1:-1] += t
        b[:-2] += t
        a[1:] += b[1:]


def test_sums_that_go_to_neighbours_come_from_them_on_one_axis():
    made = tangent.lower(neighbours, np.ones(5), np.ones(5), 2)
    assert 'b[i] += t[i + 2] + t[i + 1] + t[i]' in made.source
    for n in range(8):
        a, b = np.random.RandomState(n).rand(n), np.random.RandomState(n + 1).rand(n)
        one, other = [[a.copy(), b.copy()] for _ in range(2)]
        neighbours(*one, 3)
        made(*other, 3)
        np.testing.assert_allclose(other, one, rtol=1e-14)


def read_in_between(a, b, n):
    for _ in range(n):
        t = 0.5 * a[1:-1]
        b[2:] += t
        b[1:-1] += b[2:] * t
        b[:-2] += t
    return t


def test_sums_stay_where_one_needs_another():
    made = tangent.lower(read_in_between, np.ones(5), np.ones(5), 2)
    assert 't[i + 2]' not in made.source
    a, b = np.random.RandomState(0).rand(6), np.random.RandomState(1).rand(6)
    one, other = [[a.copy(), b.copy()] for _ in range(2)]
    np.testing.assert_allclose(made(*other, 3), read_in_between(*one, 3), rtol=1e-14)
    np.testing.assert_allclose(other, one, rtol=1e-14)


def columns(y, a, b, x):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            y[i, k] -= np.dot(a[:, k], x) * b[i, k]


def columns_that_wait(y, a, b, x):
    for k in range(1, a.shape[1]):
        y[0, k] += np.dot(a[:, k], x)
        x[0] = y[0, k - 1]


def columns_of_itself(y, a, b, x):
    for k in range(1, a.shape[1]):
        y[0, k] += np.dot(y[:, k - 1], x)


def columns_read_meanwhile(y, a, b, x):
    for k in range(a.shape[1]):
        y[0, k] += np.dot(a[:, k], x)
        b[:, k] = y[0, k] * a[:, k]


def added_up(y, a, b, x):
    for k in range(a.shape[1]):
        y[1, :] += a[:, k] * b[:, k]
        x[:] = x + a[:, k] * y[:, k]


@pytest.mark.parametrize('f', [columns, columns_that_wait, columns_of_itself, columns_read_meanwhile, added_up],
                         ids=lambda f: f.__name__)
def test_sums_over_columns(f):
    r = np.random.RandomState(3)
    for n in 4, 2:
        arrays = [r.rand(n, n), r.rand(n, n), r.rand(n, n), r.rand(n)]
        expected = [a.copy() for a in arrays]
        f(*expected)
        for made in tangent.lower(f, *arrays), tangent.lower(numba.njit(f)):
            found = [a.copy() for a in arrays]
            made(*found)
            for one, other in zip(expected, found, strict=True):
                np.testing.assert_allclose(other, one, rtol=1e-12)


def test_columns_are_read_row_by_row():
    arrays = [np.ones((3, 3)), np.ones((3, 3)), np.ones((3, 3)), np.ones(3)]
    text = without_comments(columns, *arrays)
    assert 'y[i, k] -= a[j, k] * x[j] * b[i, k]' in text and 'dot' not in text
    for f in columns_that_wait, columns_of_itself, columns_read_meanwhile:
        assert 'dot_rows(' in without_comments(f, *arrays)


@numba.njit
def of_columns(c, a, b):
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            c[i, :i + 1] += a[:i + 1, k] * b[i, k]
    return np.sum(c * c)


def test_adjoints_of_columns_are_read_row_by_row():
    c, a, b = np.random.RandomState(0).rand(3, 4, 4)
    df = tangent.grad(of_columns, (0, 1, 2))
    text = tangent.source(df, c, a, b)
    assert 'bb[i, k] += ' in text and 'a[j, k]' in text.split('bb[i, k] += ')[1].split('\n')[0] and 'dot_rows' not in text
    for one, other in zip(df(c, a, b), tangent.grad(of_columns, (0, 1, 2), jit=False)(c, a, b), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@numba.njit
def overwritten(a, b):
    t = np.reshape(a, (b.shape[0], b.shape[0]))
    a[:] = np.reshape(t @ b, a.shape)


@numba.njit
def of_overwritten(a, b):
    overwritten(a, b)
    return np.sum(a * a)


def test_what_is_put_back_needs_no_other_array():
    """`old` is a copy that nobody else holds: it can be put back element by element."""
    made = tape_views.saved(primal('old = copy(a)\nt = a[1:]\na[:] = old * 2.0\nreturn a, t, old, 3'), 4, find)
    assert made == [False, False, True, False]


@pytest.mark.parametrize('body', [
    'old = copy(a)\nt = old\nreturn a, t, old', 'old = copy(a)\nt = old[1:]\nreturn a, t, old',
    'old = copy(a)\nkeep(old)\nreturn a, 1, old', 'old = a\nreturn a, 1, old', 'old = copy(a)\nreturn old, (a, 1, old)',
    'old = copy(a)\nfor t in old:\n    pass\nreturn a, t, old', 'old = copy(a)\nif n:\n    old = a\nreturn a, n, old',
    'old = copy(a)\nt = [old]\nreturn a, t, old', 'old = copy(a)\na[0] = old\nreturn a, 1, old', 'old = copy(a)\nt = f(old)\nreturn a, t, old'])
def test_what_others_may_hold_is_put_back_by_way_of_another(body):
    assert not tape_views.saved(primal(body), 3, find)[-1]


def primal(body):
    lines = ''.join(f'    {line}\n' for line in body.splitlines())
    return gast.parse(f'def f(a, n):\n{lines}').body[0]


def find(expr):
    return {'copy': np.copy}.get(getattr(expr, 'id', None))


def test_gradient_of_what_is_overwritten():
    a, b = np.random.RandomState(0).rand(4), np.random.RandomState(1).rand(2, 2)
    for one, other in zip(tangent.grad(of_overwritten, (0, 1))(a, b), tangent.grad(of_overwritten, (0, 1), jit=False)(a, b),
                          strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
