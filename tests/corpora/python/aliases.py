"""Aliases and views."""
import numpy as np

from tests.tools.registry import program

X = np.array([0.3, 0.8, 1.4, 0.5])
A = np.array([[0.3, 0.8, 1.1], [1.4, 0.5, 0.2], [0.9, 0.7, 0.6]])


@program('alias', X)
def alias_written(x):
    y = x * 1.0
    z = y
    z[0] = z[1] * 5
    return np.sum(y * x)


@program('alias', X)
def alias_of_argument(x):
    z = x
    z[0] = 5.0
    return np.sum(x ** 2)


@program('view', X)
def view_written(x):
    y = x * 1.0
    v = y[1:]
    v[0] = y[0] * 7
    v *= 2
    return np.sum(y ** 2)


@program('view', X)
def base_written_view_read(x):
    y = x * 1.0
    v = y[1:]
    y[1] = x[0] * 3
    return np.sum(v ** 2)


@program('view', A)
def reshape_written(a):
    b = a * 1.0
    r = b.reshape(-1)
    r[3] = r[0] * 2
    return np.sum(b @ b)


@program('view', A)
def ravel_written(a):
    b = a * 1.0
    r = np.ravel(b)
    r[4:] = r[:5]
    return np.sum(b * a)


@program('view', A)
def transpose_written(a):
    b = a * 1.0
    b.T[0] = b[0] * 2
    t = b.T
    t[1, :] += 1.0
    return np.sum(b ** 2 * np.arange(9.0).reshape(3, 3))


@program('view', A)
def diagonal_by_reshape(a):
    b = a * 1.0
    b.reshape(-1)[::4] = a[0]
    return np.sum(b ** 2)


@program('rows', A)
def rows_in_loop(a):
    b = a * 1.0
    for row in b:
        row[:] = row * row[0]
    return np.sum(b ** 2)


@program('rows', A)
def rows_augmented(a):
    b = a * 1.0
    for k, row in enumerate(b):
        row += a[k, 0]
        row[1] *= 2
    return np.sum(b ** 2)


@program('rows', A)
def rows_zipped(a):
    b = np.zeros((3, 3))
    for source, target in zip(a, b):
        target[:] = source ** 2
    return np.sum(b * a)


def both(u, v):
    u[0] = v[1] * 2
    return np.sum(u * v)


@program('same array twice', X)
def passed_twice(x):
    y = x * 1.0
    return both(y, y)


@program('same array twice', X)
def views_passed(x):
    y = x * 1.0
    return both(y[1:], y[:-1])


@program('in a list', X)
def array_in_list(x):
    y = x * 1.0
    buffers = [y, y]
    buffers[0][0] = 4.0
    buffers[1][1] *= 3
    return np.sum(y * x)


@program('in a dict', X)
def array_in_dict(x):
    state = {'y': x * 1.0}
    y = state['y']
    state['y'][0] = y[1] * 2
    y[1] = 1.0
    return np.sum(state['y'] ** 2)


class Holder:
    def __init__(self, data):
        self.data = data


@program('in an attribute', X)
def array_in_attribute(x):
    y = x * 1.0
    h = Holder(y)
    h.data[0] = 2.0 * y[3]
    h.data += 1.0
    return np.sum(y ** 2)


@program('ping-pong', X)
def ping_pong(x):
    u, v = x * 1.0, np.zeros(4)
    for _ in range(3):
        v[1:-1] = u[1:-1] + 0.3 * (u[2:] - 2 * u[1:-1] + u[:-2])
        u, v = v, u
    return np.sum(u * np.arange(4.0))


@program('ping-pong', X)
def ping_pong_nonlinear(x):
    u, v = x * 1.0, np.zeros(4)
    for _ in range(3):
        v[:] = np.sin(u) * u
        v[0] = u[-1]
        u, v = v, u
    return np.sum(u ** 2) + np.sum(v)


@program('overlap', X)
def overlapping_views(x):
    y = x * 1.0
    a, b = y[:3], y[1:]
    a += b
    b[:] = a * 2
    return np.sum(y ** 2)


@program('alias chosen at run time', X, True, wrt=(0,))
def maybe_alias(x, flag):
    y = x * 1.0
    z = y if flag else y.copy()
    z[0] = 9.0 * x[1]
    return np.sum(y ** 2)


@program('alias chosen at run time', X)
def asarray_alias(x):
    y = np.asarray(x)
    z = y * 1.0
    w = np.asarray(z)
    w[0] = 3 * z[1]
    return np.sum(z ** 2)


def first_row(a):
    return a[0]


@program('view returned', A)
def view_returned(a):
    b = a * 1.0
    row = first_row(b)
    row *= 2
    row[0] = row[1] * row[2]
    return np.sum(b ** 2)


@program('view of view', A)
def view_of_view(a):
    b = a * 1.0
    block = b[1:, 1:]
    corner = block[0]
    corner[:] = a[0, :2]
    block += corner[0]
    return np.sum(b ** 2)


@program('broadcast view', X)
def broadcast_read(x):
    y = x * 1.0
    b = np.broadcast_to(y, (2, 4))
    y[0] = 2 * x[1]
    return np.sum(b ** 2)


@program('swapaxes view', A)
def swapaxes_written(a):
    b = a * 1.0
    s = b.swapaxes(0, 1)
    s[0] = a[0]
    c = np.moveaxis(b, 0, 1)
    c[2] *= 3
    return np.sum(b ** 2)


@program('view in a list', A)
def list_of_rows(a):
    b = a * 1.0
    rows = [b[0], b[2]]
    rows[0][:] = rows[1] * 2
    rows[1] += 1.0
    return np.sum(b ** 2)


@program('list(array)', A)
def list_of_array(a):
    b = a * 1.0
    rows = list(b)
    rows[1][0] = a[2, 2] * 2
    return np.sum(b ** 2)


@program('split views', X)
def split_views(x):
    y = x * 1.0
    left, right = np.split(y, 2)
    left[:] = right * 3
    return np.sum(y ** 2)


@program('real view', X)
def real_view(x):
    z = x * (1 + 0.5j)
    re = z.real
    re[0] = x[1]
    return np.sum(np.abs(z) ** 2)


@program('squeeze view', A)
def squeeze_view(a):
    b = a[:, :1] * 1.0
    s = b.squeeze()
    s[0] = a[1, 1]
    e = np.expand_dims(b, 0)
    e[0, 1] *= 2
    return np.sum(b ** 2)
