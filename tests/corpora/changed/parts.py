"""Parts of arrays that change: rows in loops, elements of rows, rows that functions write into
(`normal.typed.by_number`, `normal.typed.views`). All are structured where kinds are known, but for those marked."""
import numpy as np

from tests.tools.registry import other, program

X = np.array([0.3, 0.8, 1.4, 0.5])
A = np.array([[0.3, 0.8, 1.1], [1.4, 0.5, 0.2], [0.9, 0.7, 0.6]])
C = np.arange(24.0).reshape(2, 3, 4) * 0.1 + 0.3


def normalise(v):
    v /= np.sum(v)


def square_into(s, d):
    for i in range(len(s)):
        d[i] = s[i] ** 2


def square_at_once(s, d):
    d[:] = s ** 2


def step(u, w):
    w[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    w[0] = u[0]
    w[-1] = u[-1]


@program('parts of arrays', A)
def rows_given_in_turn(a):
    b = a * 1.0
    for i in range(3):
        normalise(b[i])
    return np.sum(b ** 2)


@program('parts of arrays', A)
def rows_gone_through_and_given(a):
    b = a * 1.0
    for r in b:
        normalise(r)
    return np.sum(b ** 2)


@program('parts of arrays', A)
def two_rows_of_one_array_given(a):
    b = a * 1.0
    square_into(b[1], b[2])
    return np.sum(b ** 2)


@program('parts of arrays', A)
def row_into_row(a):
    b = np.empty((3, 3))
    for i in range(3):
        square_into(a[i], b[i])
    return np.sum(b * a)


@program('parts of arrays', A)
def rows_gone_through_together(a):
    b = np.zeros((3, 3))
    for s, t in zip(a, b):
        t[:] = s ** 2
    return np.sum(b * a)


@program('parts of arrays', A)
def elements_of_rows(a):
    b = a.copy()
    b[0][1] = b[1][0] * 3
    b[2][2] *= b[0][1]
    return np.sum(b)


@program('parts of arrays', X)
def levels_in_time(x):
    u = np.zeros((4, 4))
    u[0] = x
    for n in range(3):
        step(u[n], u[n + 1])
    return np.sum(u[-1] ** 2)


@program('parts of arrays', X)
def levels_from_before(x):
    u = np.zeros((4, 4))
    u[0] = x
    for n in range(1, 4):
        step(u[n - 1], u[n])
    return np.sum(u[-1] ** 2)


@program('parts of arrays', X)
@other
def perhaps_the_same_row(x):
    u = np.ones((1, 4)) * x
    for n in range(1):
        step(u[n - 1], u[n])
    return np.sum(u[-1] ** 2)


@program('parts of arrays', A, A * 2)
def three_together_and_counted(a, c):
    b = np.zeros((3, 3))
    for k, (r, s, t) in enumerate(zip(a, c, b)):
        t[k:] = r[k:] * s[k:]
        t[0] += s[1]
    return np.sum(b ** 2)


@program('parts of arrays', A)
def as_many_as_the_shorter_has(a):
    b = np.ones((2, 3)) * 2
    for r, t in zip(a, b):
        t *= r
    return np.sum(b ** 2)


@program('parts of arrays', A)
def rows_beside_a_list(a):
    b = a * 1.0
    ws = [0.5, 0.25, 2.0]
    for w, t in zip(ws, b):
        t *= w * t[0]
    return np.sum(b ** 2)


@program('parts of arrays', A)
@other
def row_after_the_loop(a):
    b = a * 1.0
    for t in b:
        t *= t[0]
    t[1] = 5.0 * t[0]
    return np.sum(b ** 2)


@program('parts of arrays', A)
def two_loops_of_one_name(a):
    b = a * 1.0
    for t in b:
        t *= t[0]
    for t in b:
        t += t[1]
    return np.sum(b ** 2)


@program('parts of arrays', A)
def rows_by_rows(a):
    b = a * 1.0
    for t in b:
        for u in b:
            t += 0.1 * u * t[0]
    return np.sum(b ** 2)


@program('parts of arrays', C)
def rows_of_rows(c):
    b = c * 1.0
    for m in b:
        for r in m:
            r *= r[0]
    return np.sum(b ** 2)


@program('parts of arrays', C)
@other
def a_row_of_a_part_of_a_row(c):
    b = c * 1.0
    b[0][1][2] = b[1][2][3] * 2
    b[1][0] *= b[0][1][2]
    b[0][1:][0] = b[1][0]
    return np.sum(b ** 2)


@program('parts of arrays', A)
def a_mask_in_a_row(a):
    b = a * 1.0
    b[0][b[0] > 0.5] = 0.1
    b[1][[0, 2]] = b[2][:2] * 3
    return np.sum(b ** 2)


@program('parts of arrays', A)
@other
def what_may_be_a_tuple_in_a_row(a):
    b = np.ones((3, 3, 2)) * a[:, :, None]
    for p in [(0, 1), (1, 0)]:
        b[0][p] = a[1, 1] * p[0]
    return np.sum(b ** 2)


@program('parts of arrays', A)
def slopes_of_a_step(a):
    def rhs(s, out):
        out[0] = 10 * (s[1] - s[0])
        out[1] = s[0] * (2.8 - s[2]) - s[1]
        out[2] = s[0] * s[1] - s[2]
    y = a[0] * 1.0
    k = np.zeros((2, 3))
    for n in range(3):
        rhs(y, k[0])
        rhs(y + 0.01 * k[0], k[1])
        y = y + 0.005 * (k[0] + k[1])
    return np.sum(y ** 2)


@program('parts of arrays', C, A)
@other
def columns_of_a_matrix_by_a_list(c, a):
    b = c * 1.0
    r = b[0]
    r[:, [0, 2]] = a[:, :2]
    return np.sum(b ** 2)


def risen(v):
    return np.sin(v) if v[0] > 0 else v * 2


@program('parts of arrays', X)
def one_updated_as_a_whole_and_one_bound_anew(x):
    u = x * 1.0
    v = x * 2.0
    for _ in range(3):
        u[0] += v[1]
        u *= 0.5
        v = risen(v)
        v[0] = u[1]
    return np.sum(u * v)
