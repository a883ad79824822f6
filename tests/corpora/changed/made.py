"""Lists that functions make, and others change: structured, but for those marked, which look alike and are not."""

import numpy as np

from tests.tools.registry import other, program


def make(x):
    return [x * i for i in range(3)]


def zeros(n):
    return [0.0] * n


def table(n, m):
    return [[0.0] * m for _ in range(n)]


def two(x):
    a = []
    b = []
    for i in range(3):
        a.append(x * i)
        b.append(1.0)
    return (a, b)


def gives(xs):
    return xs


def rows(x):
    r = [x]
    return [r, r]


def lam(x):
    r = [x, x]
    f = lambda: r[0]
    return (r, f)


@program('a list that a function makes', 0.7)
def made_and_changed(x):
    xs = make(x)
    xs[0] += x
    xs.append(x * x)
    return sum(xs) * xs[1]


@program('a list that a function makes', 0.7)
def a_list_of_zeros(x):
    z = zeros(4)
    for i in range(4):
        z[i] = x * i
        z[i] += z[i - 1]
    return sum(v * v for v in z)


@program('a list that a function makes', 0.7)
def a_table_of_zeros(x):
    m = table(3, 2)
    for i in range(3):
        for j in range(2):
            m[i][j] = x * (i + j) + (m[i - 1][j] if i else x)
    return sum(sum(r) for r in m) * m[2][1]


@program('a list that a function makes', 0.7)
def two_lists(x):
    a, b = two(x)
    a[0] += b[1] * x
    b[1] *= a[1]
    return sum(a) * sum(b)


@other
@program('a list that a function makes', 0.7)
def a_list_given_back(x):
    xs = [x, 2 * x]
    ys = gives(xs)
    ys[0] += 1
    return xs[0] * ys[1]


@other
@program('a list that a function makes', 0.7)
def the_same_row_twice(x):
    m = rows(x)
    m[0][0] += 1
    return m[1][0] * x


@other
@program('a list that a function makes', 0.7)
def a_list_and_who_reads_it(x):
    r, f = lam(x)
    r[0] += 1
    return f() * r[1]


def fib(n, x):
    if n < 2:
        return [x]
    r = fib(n - 1, x)
    r.append(r[-1] * 0.5 + x)
    return r


@other
@program('a list that a function makes', 0.7)
def made_by_one_that_calls_itself(x):
    r = fib(5, x)
    r[0] *= 2
    return sum(r) ** 2


def matmul(a, b):
    n = len(a)
    c = table(n, len(b[0]))
    for i in range(n):
        for j in range(len(b[0])):
            for k in range(len(b)):
                c[i][j] += a[i][k] * b[k][j]
    return c


@program('a list that a function makes', 0.7)
def matrices(x):
    a = [[x, 1.0], [2.0, x * x]]
    b = matmul(a, a)
    c = matmul(b, a)
    return c[0][0] * c[1][1] - c[0][1] * c[1][0]


def transpose(m):
    return [[m[i][j] for i in range(len(m))] for j in range(len(m[0]))]


@program('a list that a function makes', 0.7)
def transposed(x):
    m = transpose([[x, 1.0], [2.0, x * x]])
    m[0][1] += x
    m[1][0] *= 2
    return m[0][1] * m[1][0] + m[0][0]


def solve(a, b):
    n = len(b)
    x = zeros(n)
    for i in range(n):
        for k in range(i + 1, n):
            f = a[k][i] / a[i][i]
            for j in range(i, n):
                a[k][j] -= f * a[i][j]
            b[k] -= f * b[i]
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= a[i][j] * x[j]
        x[i] = s / a[i][i]
    return x


@other
@program('a list that a function makes', 0.7)
def solved(x):
    a = [[2.0 + x, 1.0], [x, 3.0]]
    b = [x, 1.0]
    s = solve(a, b)
    return s[0] * s[1] + a[1][1]


@program('a list that a function makes', 0.7)
def row_by_row(x):
    m = []
    for i in range(3):
        row = []
        for j in range(3):
            row.append(x * i + j)
        m.append(row)
    for i in range(3):
        scale_row(m, i, x)
    return m[0][0] + m[1][2] * m[2][2]


def scale_row(m, i, f):
    for j in range(len(m[i])):
        m[i][j] *= f


@other
@program('a list that a function makes', 0.7)
def a_row_with_a_name(x):
    row = [x, x]
    m = [row, [1.0, x]]
    for i in range(2):
        scale_row(m, i, x)
    row[0] += 1.0
    return m[0][0] * m[1][1]


@other
@program('a list that a function makes', 0.7)
def a_name_for_a_row(x):
    m = [[x, 1.0], [2.0, x]]
    r = m[0]
    r[0] = r[0] * 2
    for i in range(2):
        scale_row(m, i, x)
    return m[0][0] * m[1][1]


def setrow(m, r):
    m[0] = r


@other
@program('a list that a function makes', 0.7)
def a_row_that_is_put_there(x):
    m = [[x, 1.0], [2.0, x]]
    r = [x, x * x]
    setrow(m, r)
    r[0] *= 3
    scale_row(m, 0, x)
    return m[0][0] * m[1][1] + r[0]


def put(m, i, v):
    m[i][0] = v


@other
@program('a list that a function makes', 0.7)
def an_array_for_a_number(x):
    m = [[x, 1.0], [2.0, x]]
    put(m, 0, np.array([x, x]))
    k = m[0][0]
    addto(m, 0, x)
    return np.sum(k) * m[1][1]


def addto(m, i, v):
    m[i][0] += v


@other
@program('a list that a function makes', 0.7)
def arrays_in_all_rows(x):
    m = [[x, 1.0], [2.0, x]]
    for row in m:
        row[0] = np.array([x, 1.0])
    k = m[0][0]
    addto(m, 0, x)
    return np.sum(k) * m[1][1]


@other
@program('a list that a function makes', 0.7)
def one_row_in_two_places(x):
    m = [[0.0] * 2] * 2
    m[0][0] += x
    addto(m, 1, x * x)
    return m[0][0] + m[1][0] * x


@other
@program('a list that a function makes', 0.7)
def rows_of_two_tables(x):
    a = [[x, 1.0], [2.0, x]]
    b = a + [[x, x]]
    put(b, 0, np.array([x, x]))
    k = a[0][0]
    addto(a, 0, x)
    return (np.sum(k) + b[2][1]) ** 2


@other
@program('a list that a function makes', 0.7)
def in_a_pair(x):
    pair = two(x)
    pair[0][0] += x
    q = pair[0]
    q[0] += x
    return pair[0][0] ** 2
