"""Lists of lists that are written into by two numbers, and elements of rows by number: structured where no row has another name,
right everywhere."""
import copy

import numpy as np
import pytest

import tangent
from tests.tools.judge import check_every_text

X = np.array([0.5, 0.9, 1.3])


def helper(t):
    return t[0][1] * t[1][1] + sum(t[0])


def writer(t):
    t[0][0] = t[0][1] * t[1][1]


def table_filled(x):
    t = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            t[i][j] = x[i] * x[j]
    return t[0][1] * t[2][2]


def longest_path(x):
    t = [[0.0 for _ in range(4)] for _ in range(4)]
    for i in range(1, 4):
        for j in range(1, 4):
            t[i][j] = max(t[i - 1][j], t[i][j - 1]) + x[i - 1] * x[j - 1]
    return t[3][3] * t[1][2]


def elimination(x):
    a = [[x[0], 1.0, 0.5], [0.3, x[1], 1.0], [0.2, 0.1, x[2]]]
    b = [1.0, 2.0, x[0]]
    n = 3
    for k in range(n):
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            for j in range(k, n):
                a[i][j] = a[i][j] - f * a[k][j]
            b[i] = b[i] - f * b[k]
    y = [0.0] * n
    for i in reversed(range(n)):
        s = b[i]
        for j in range(i + 1, n):
            s = s - a[i][j] * y[j]
        y[i] = s / a[i][i]
    return y[0] + y[1] * y[2]


def table_row_alias_after(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    t[0][1] = x[2] * t[0][0]
    r = t[0]
    return r[1] * t[1][0] + sum(r)


def table_rows_loop_read(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    t[0][1] = x[2] * t[0][0]
    s = 0.0
    for r in t:
        s = s + r[0] * r[1]
    return s * np.sum(np.array(t))


def table_negative(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    t[-1][-1] = x[0] * t[-2][0]
    t[0][-1] = t[-1][1] * 2
    return t[1][1] * t[0][1]


def table_appended(x):
    t = []
    for i in range(3):
        t.append([x[i], 0.0])
        t[i][1] = t[i][0] * x[0]
        t[len(t) - 1][0] = t[0][1] + x[i]
    return t[0][0] * t[1][1] + t[2][0]


def table_returned(x):
    t = [[x[0], 1.0], [2.0, x[1]]]
    t[0][1] = x[2] * x[0]
    u = np.array(t)
    return np.sum(u * u)


def table_in_branch(x):
    t = [[x[0], 1.0], [2.0, x[1]]]
    for k in range(2):
        if t[k][0] > 1.0:
            t[k][1] = t[k][0] * x[2]
        else:
            t[k][0] = x[1] * x[0]
    return t[0][0] * t[1][1]


def table_gone_through(x):
    t = [[0.0] * 3 for _ in range(2)]
    for i in range(2):
        for j, v in enumerate(x):
            t[i][j] = v * (i + 1)
    return sum(t[0]) * max(t[1]) + len(t[0])


def table_index_changes(x):
    t = [[0.0] * 3 for _ in range(3)]
    i = 0
    while i < 3:
        t[i][i] = x[i] * x[0]
        i += 1
        t[i - 1][0] = t[i - 1][i - 1] * x[1]
    return t[0][0] * t[1][0] * t[2][2]


def table_shared_rows(x):
    t = [[0.0] * 3] * 2
    t[0][1] = x[0]
    return t[1][1] * x[1]


def table_shared_named(x):
    row = [x[0], x[1]]
    t = [row, row]
    t[0][1] = x[2]
    return t[1][1] * row[0] * row[1]


def table_row_alias(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    r = t[0]
    t[0][1] = x[2]
    return r[1] * t[1][0] + r[0]


def table_rows_loop_write(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    for r in t:
        r[0] = r[1] * x[0]
    t[0][1] = x[1]
    return t[0][0] * t[1][0] * t[0][1]


def table_overwritten_shape(x):
    t = [[x[0], 0.0], [x[1], 1.0]]
    t[0][1] = x * t[0][0]
    t[1][1] = np.sum(t[0][1]) * t[1][0]
    t[0][1] = x[2]
    return t[1][1] * t[0][1]


def table_appended_name(x):
    t = []
    row = [x[0], x[1]]
    t.append(row)
    t[0][1] = x[2] * row[0]
    return row[1] * t[0][0]


def table_row_replaced(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    t[0][0] = x[1] * x[0]
    t[1] = [t[0][0], x[0]]
    t[1][1] = t[1][0] * x[2]
    return t[1][1] * t[0][0]


def table_swapped(x):
    t = [[x[0], 1.0], [2.0, x[1]]]
    t[0], t[1] = t[1], t[0]
    t[0][0] = t[0][0] * x[2]
    return t[0][0] * t[1][1] + t[0][1]


def table_passed(x):
    t = [[x[0], 1.0], [2.0, x[1]]]
    t[0][1] = x[2]
    s = helper(t)
    return s * t[0][0]


def table_passed_written(x):
    t = [[x[0], 1.0], [2.0, x[1]]]
    t[0][1] = x[2]
    writer(t)
    return t[0][0] * t[0][1]


def table_dict_rows(x):
    t = [{'a': x[0]}, {'a': x[1]}]
    t[0]['b'] = x[2] * t[1]['a']
    t[1]['a'] = t[0]['b'] * 2
    return t[0]['b'] * t[1]['a']


def table_array_rows(x):
    t = [np.zeros(3) for _ in range(2)]
    t[0][1] = x[0] * x[1]
    t[1][0] = t[0][1] * x[2]
    return np.sum(t[0] * t[1]) + t[1][0]


def table_deep(x):
    t = [[[0.0, 1.0], [2.0, 3.0]], [[1.0, 1.0], [0.0, 0.0]]]
    t[0][1][0] = x[0] * x[1]
    return t[0][1][0] * x[2]


def table_inner_list_alias(x):
    q = [x[0], x[1]]
    t = [[q, 1.0], [q, 2.0]]
    t[0][1] = x[2]
    q[0] = x[2] * 2
    return t[0][0][0] * t[0][1]


def table_ints(x):
    t = [[0] * 3 for _ in range(2)]
    t[0][1] = x[0]
    t[1][2] = t[0][1] * x[1] + t[0][0]
    return t[1][2] * x[2]


def table_comprehension(x):
    t = [[v * w for v in x] for w in x]
    t[0][0] = t[1][1] * t[2][0]
    return t[0][0] * t[0][1]


def table_popped(x):
    t = [[x[0], 1.0], [2.0, x[1]]]
    t[0][1] = x[2]
    r = t.pop()
    t[0][0] = r[1] * r[0]
    return t[0][0] * t[0][1]


def table_transposed(x):
    t = [[x[i] * x[j] for j in range(3)] for i in range(3)]
    u = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            u[j][i] = t[i][j]
    for i in range(3):
        for j in range(3):
            t[i][j] = u[i][j] * u[j][i]
    return t[0][1] * u[2][0] + t[2][2]


TABLES = [table_filled, longest_path, elimination, table_row_alias_after, table_rows_loop_read, table_negative,
          table_appended, table_returned, table_in_branch, table_gone_through, table_index_changes]
OTHER_TABLES = [table_shared_rows, table_shared_named, table_row_alias, table_rows_loop_write, table_overwritten_shape,
                table_appended_name, table_row_replaced, table_swapped, table_passed, table_passed_written, table_dict_rows,
                table_array_rows, table_deep, table_inner_list_alias, table_ints, table_comprehension, table_popped,
                table_transposed]


@pytest.mark.parametrize('f', [*TABLES, *OTHER_TABLES], ids=lambda f: f.__name__)
def test_tables_are_right_in_every_text(f):
    check_every_text(f, 1.1 * X)


@pytest.mark.parametrize('f', TABLES, ids=lambda f: f.__name__)
def test_tables_are_structured(f):
    assert '_grads' not in tangent.source(tangent.grad(f), X)


M = np.array([[0.7, 1.3, 0.4], [0.2, 0.9, 1.1], [1.5, 0.3, 0.8]])


def rows_fancy(m, n):
    t = 0.0
    idx = [0, 0, 1]
    for i in range(n):
        t = t + np.sum(m[i][idx] * m[i][1])
    return t


def rows_masked(m, n):
    t = 0.0
    for i in range(n):
        t = t + np.sum(m[i][m[i] > 0.5] ** 2) + np.sum(m[i][1:] * m[i][:-1])
    return t


def rows_idx_array(m, n):
    t = 0.0
    idx = np.array([0, 0, 1])
    for i in range(n):
        j = idx[::-1]
        t = t + np.sum(m[i][idx] * m[i][j])
    return t


def rows_outer_fancy(m, n):
    idx = np.array([0, 0, 1])
    rows = [0, 0]
    return np.sum(m[idx][rows] * m[idx][1])


def rows_outer_fancy_var(m, n):
    t = 0.0
    for idx in (np.array([0, 0, 1]), [1, 1], np.array([True, False, True])):
        t = t + np.sum(m[idx][1] * m[idx][0])
    return t


def rows_negative(m, n):
    t = 0.0
    for i in range(n):
        t = t + m[-i][-1] * m[i - 1][i] * m[i][-i]
    return t


def rows_moved(m, n):
    t = 0.0
    i = 0
    for k in range(n):
        a = m[i][k]
        i = i + 1
        t = t + a * a
    return t


def rows_three(m, n):
    c = m.reshape(3, 1, 3) * np.ones((1, 2, 1))
    t = 0.0
    for i in range(n):
        for j in range(2):
            for k in range(n):
                t = t + c[i][j][k] ** 2 * c[i][j, k] * c[k][j][i]
    return t


def rows_lists(m, n):
    q = [[v * v for v in r] for r in m]
    t = 0.0
    for i in range(n):
        for j in range(n):
            t = t + q[i][j] * q[j][i] * q[j][0]
    return t


def rows_shared(m, n):
    row = [m[0][0], m[1][1]]
    q = [row] * 2 + [row]
    t = 0.0
    for i in range(n):
        t = t + q[i][0] * q[i][1] * (i + 1)
    return t


def rows_shared_array(m, n):
    row = m[0] * 2
    q = [row, row, m[1]]
    t = 0.0
    for i in range(n):
        t = t + q[i][0] * q[i][1] * (i + 1) + np.sum(q[i])
    return t


def rows_dicts(m, n):
    d = {'a': {'x': m[0], 'y': m[1] * 2}, 'b': {'x': m[2], 'y': m[0]}}
    t = 0.0
    for k in d:
        for q in ('x', 'y'):
            t = t + np.sum(d[k][q] * d['a'][q]) ** 2
    return t


def rows_tuples(m, n):
    ps = [(m[0], m[1][0]), (m[1], m[2][1])]
    x = m[2]
    for l in range(2):
        x = np.tanh(ps[l][0] * x + ps[l][1])
    return np.sum(x)


def rows_element_of_number(m, n):
    t = 0.0
    for i in range(n):
        t = t + m[i][1][()] * m[i][...][0] + m[i][None][0, 2]
    return t


def rows_complex_rows(m, n):
    z = m + 1j * m * m
    t = 0.0
    for i in range(n):
        t = t + (z[i][0] * z[i][1]).real + abs(z[i][2])
    return t


def rows_integer_rows(m, n):
    k = [[1, 2, 0], [2, 0, 1], [0, 0, 1]]
    t = 0.0
    for i in range(n):
        for j in range(n):
            t = t + m[i][k[i][j]] * k[j][i]
    return t


def rows_changed_between(m, n):
    q = [m[0] * 1.0, m[1] * 2.0, m[2] * 3.0]
    t = 0.0
    for i in range(n):
        t = t + q[i][0] * q[i][1]
        q[i] = q[i] * t
        t = t + q[i][2] * q[i][1]
    return t


def rows_grown(m, n):
    q = []
    t = 0.0
    for i in range(n):
        q.append([m[i][0], m[i][1]])
        for j in range(len(q)):
            t = t + q[j][0] * q[i][1]
    return t


def rows_changed_array(m, n):
    q = m * 1.0
    t = 0.0
    for i in range(n):
        t = t + q[i][0] * q[i][1]
        q[i, 1] = t * q[i][2]
    return t


ROWS = [rows_fancy, rows_masked, rows_idx_array, rows_outer_fancy, rows_outer_fancy_var, rows_negative, rows_moved,
        rows_three, rows_lists, rows_shared, rows_shared_array, rows_dicts, rows_tuples, rows_element_of_number,
        rows_complex_rows, rows_integer_rows, rows_changed_between, rows_grown, rows_changed_array]


@pytest.mark.parametrize('f', ROWS, ids=lambda f: f.__name__)
def test_rows_by_number_are_right_in_every_text(f):
    """An array or a mask as index makes new rows, into whose gradients nothing may be written."""
    check_every_text(f, M, 3)


def test_elements_of_rows_have_their_gradients_there():
    def products(m, n):
        t = 0.0
        for i in range(n):
            for j in range(n):
                t = t + m[i][j] * m[j][i]
        return t
    m = [[1.0, 2.0], [3.0, 4.0]]
    assert tangent.grad(products)(m, 2) == [[2.0, 6.0], [4.0, 8.0]]
    assert 'bm[j][i] += bt * m[i][j]' in tangent.source(tangent.grad(products), m, 2)


# What reads a table, or a row of it, has rows that change under other names

def same(r):
    return r


def rows_by_sorted(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = sorted(t)
    t[0][0] = x[2] * 3
    t[1][0] = x[1] * x[0]
    return u[0][0] * u[1][0] + t[0][1]


def rows_by_list(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = list(t)
    t[0][0] = x[2] * 3
    return u[0][0] * u[1][0] + t[0][1]


def rows_by_plus(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = t + [[x[0], x[0]]]
    t[0][0] = x[2] * 3
    return u[0][0] * u[1][0] + t[0][1]


def rows_by_times(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = t * 2
    t[0][0] = x[2] * 3
    return u[2][0] * u[1][0] + t[0][1]


def rows_by_copy(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = t.copy()
    v = copy.copy(t)
    t[0][0] = x[2] * 3
    return u[0][0] * u[1][0] + t[0][1] * v[0][0]


def rows_by_slice(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = t[:1]
    t[0][0] = x[2] * 3
    return u[0][0] + t[0][1] * x[0]


def rows_by_reversed(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = list(reversed(t))
    t[0][0] = x[2] * 3
    return u[1][0] * t[0][1] * x[0]


def rows_by_star(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = [*t]
    a, b = t
    t[0][0] = x[2] * 3
    return u[0][0] * a[0] + b[0]


def rows_by_dict(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    d = dict(enumerate(t))
    t[0][0] = x[2] * 3
    return d[0][0] * d[1][0]


def rows_by_zip(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    z = list(zip(t, t))
    t[0][0] = x[2] * 3
    return z[0][1][0] * z[1][0][0]


def rows_by_choice(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    r = t[0] if x[0] > 0 else t[1]
    q = t[1] or t[0]
    t[0][0] = x[2] * 3
    t[1][0] = x[1] * 2
    return r[0] * q[0]


def rows_by_next(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    r = next(iter(t))
    t[0][0] = x[2] * 3
    return r[0] * x[0]


def rows_by_comprehension(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = [r for r in t]                              # noqa: C416
    t[0][0] = x[2] * 3
    return u[0][0] * u[1][0]


def rows_by_walrus(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    s = (r := t[0])[1]
    t[0][0] = x[2] * 3
    return r[0] * s


def rows_by_lambda(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    f = lambda i: t[i][0] * x[i]                    # noqa: E731
    a = f(0)
    t[0][0] = x[2] * 3
    return f(0) * a


def rows_by_function(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    def get(i):
        return t[i]
    r = get(0)
    t[0][0] = x[2] * 3
    return r[0] * x[0]


def rows_by_key(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    r = min(t, key=lambda r: r[1])
    t[0][0] = x[2] * 3
    t[1][0] = x[1]
    return r[0] * x[0]


def rows_by_filter(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    u = list(filter(None, t)) + list(map(same, t))
    t[0][0] = x[2] * 3
    return u[0][0] * u[2][0]


def rows_by_array(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    a = np.array(t)
    b = np.asarray(t[0])
    t[0][0] = x[2] * 3
    return a[0, 0] * b[0] * t[0][0] + np.sum(t)


def rows_length(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    for i in range(len(t)):
        for j in range(len(t[i])):
            t[i][j] = t[i][j] * x[j] + len(t[0])
    return t[0][0] * t[1][1] + sum(t[0])


def rows_row_sums(x):
    t = [[0.0] * 3 for _ in range(3)]
    for i in range(3):
        for j in range(3):
            t[i][j] = x[i] * x[j] + (sum(t[i - 1]) if i else 0.0) + (max(t[i]) if j else 0.0)
    return sum(t[2])


def rows_compared(x):
    t = [[x[0], x[1]], [x[2], 1.0]]
    t[0][1] = x[2] * 2
    s = 1.0 if t[0] < t[1] else 2.0
    t[0][0] = x[1] if 1.0 in t[1] else x[0]
    return t[0][0] * s * t[0][1]


READERS = [rows_by_sorted, rows_by_list, rows_by_plus, rows_by_times, rows_by_copy, rows_by_slice, rows_by_reversed,
           rows_by_star, rows_by_dict, rows_by_zip, rows_by_choice, rows_by_next, rows_by_comprehension, rows_by_walrus,
           rows_by_lambda, rows_by_function, rows_by_key, rows_by_filter, rows_by_array, rows_length, rows_row_sums,
           rows_compared]


@pytest.mark.parametrize('f', READERS, ids=lambda f: f.__name__)
def test_rows_under_other_names_are_right_in_every_text(f):
    check_every_text(f, 1.1 * X)


# Objects whose items a method makes are no lists of rows

class Squares:
    def __init__(self, v):
        self.v = v

    def __getitem__(self, i):
        return [self.v[i] * 2, self.v[i] ** 2]


def squares(v):
    return Squares(v)


def rows_of_an_object(x, n):
    d, t = Squares(x), 0.0
    for i in range(n):
        t = t + d[i][0] * d[i][1]
    return t


def rows_of_an_object_that_a_function_makes(x, n):
    d, t = squares(x), 0.0
    for i in range(n):
        t = t + d[i][0] * d[i][1]
    return t


def rows_of_objects_in_a_list(x, n):
    q, t = [Squares(x), Squares(x * 2)], 0.0
    for k in range(2):
        d = q[k]
        for i in range(n):
            t = t + d[i][0] * q[k][i][1]
    return t


@pytest.mark.parametrize('f', [rows_of_an_object, rows_of_an_object_that_a_function_makes, rows_of_objects_in_a_list],
                         ids=lambda f: f.__name__)
def test_items_that_a_method_makes(f):
    check_every_text(f, X, 3)
