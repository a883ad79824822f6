"""In-place writes of every kind."""
import math

import numpy as np

from tests.tools.registry import program

X = np.array([0.3, 0.8, 1.4, 0.5])
A = np.array([[0.3, 0.8, 1.1], [1.4, 0.5, 0.2], [0.9, 0.7, 0.6]])


@program('x[i] = v', X)
def item_set(x):
    y = x.copy()
    y[1] = y[0] * y[2]
    y[2] = 3.0
    return np.sum(y ** 2)


@program('x[i] = v', X)
def item_set_in_loop(x):
    y = np.zeros(4)
    for i in range(4):
        y[i] = x[i] ** 2
    return np.sum(y * x)


@program('x[i] = v', X)
def item_overwritten(x):
    y = x.copy()
    y[0] = y[0] * 2
    y[0] = y[0] * y[0]
    return y[0] + y[1]


@program('x[i] = v', X)
def argument_written(x):
    x[0] = x[1] * 2
    x[1] = x[0] * x[2]
    return np.sum(x)


@program('x[i] += v', X)
def item_augmented(x):
    y = np.ones(4)
    for i in range(4):
        y[i] += x[i]
        y[i] *= y[i - 1]
        y[i] -= 0.5
        y[i] /= 2 + x[0]
    return np.sum(y)


@program('x[i] **= v', X)
def item_power(x):
    y = x.copy()
    y[0] **= 2
    y[1] **= y[0]
    return np.sum(y)


@program('x[i, j] = v', A)
def matrix_items(a):
    b = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            b[i, j] = a[j, i] * a[i, i]
    return np.sum(b * a)


@program('x[i, j] += v', A)
def matrix_items_added(a):
    b = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            for k in range(3):
                b[i, j] += a[i, k] * a[k, j]
    return np.sum(b ** 2)


@program('x[i][j] = v', A)
def chained_items(a):
    b = a.copy()
    b[0][1] = b[1][0] * 3
    b[2][2] *= b[0][1]
    return np.sum(b)


@program('slice', X)
def slice_set(x):
    y = np.zeros(4)
    y[1:] = x[:-1] * x[1:]
    y[:1] = 2.0
    return np.sum(y * x)


@program('slice', A)
def strided_slice(a):
    b = np.ones((3, 3))
    b[::2, 1:] = a[::2, :-1]
    b[1] = a[:, 0]
    return np.sum(b ** 2)


@program('slice, broadcast', A, 0.7)
def slice_broadcast(a, s):
    b = a.copy()
    b[1:] = s
    b[:, 0] = b[0, 1:2]
    b[:2, 1:] += a[2, 1:]
    return np.sum(b ** 2)


@program('slice of itself', X)
def shifted(x):
    y = x.copy()
    y[1:] = y[:-1]
    return np.sum(y * np.arange(4.0))


@program('slice of itself', X)
def shifted_added(x):
    y = x.copy()
    y[1:] += y[:-1]
    return np.sum(y ** 2)


@program('slice of itself', X)
def reversed_in_place(x):
    y = x.copy()
    y[:] = y[::-1] * y
    return np.sum(y * np.arange(4.0))


@program('ellipsis', A)
def ellipsis_set(a):
    b = np.empty((3, 3))
    b[...] = a * 2
    b[..., 0] = a[..., 1]
    return np.sum(b ** 2)


@program('mask', X)
def mask_set(x):
    y = x * 1.0
    y[y > 0.6] = 0.0
    return np.sum(y ** 2)


@program('mask', X)
def mask_set_values(x):
    y = np.zeros(4)
    m = x > 0.4
    y[m] = x[m] ** 2
    y[~m] -= x[~m]
    return np.sum(y * x)


@program('fancy index', X)
def fancy_set(x):
    y = np.zeros(5)
    y[[3, 0]] = x[:2]
    y[np.array([1, 2])] += x[2:] ** 2
    return np.sum(y ** 2)


@program('fancy index, repeated', X)
def fancy_repeated(x):
    y = np.zeros(3)
    y[[0, 0, 1]] = x[:3]          # the last one stays
    return np.sum(y * np.array([1.0, 2.0, 3.0])) + x[[0, 0]].sum()


@program('new axes', X)
def new_axis(x):
    b = np.zeros((4, 1))
    b[:, 0] = x
    b[:, None] *= 2
    return np.sum(b * b.T)


@program('augmented names', X)
def name_augmented(x):
    y = x.copy()
    y += x
    y *= 2.0
    y -= y ** 2
    y /= 1.5
    return np.sum(y)


@program('augmented names', X)
def name_augmented_mutates(x):
    y = x * 1.0
    z = y
    z += 1.0
    return np.sum(y * x)


@program('augmented names', X)
def name_rebound(x):
    y = x * 1.0
    z = y
    z = z + 1.0
    return np.sum(y * z)


@program('augmented names', X)
def argument_augmented(x):
    x += 1.0
    x *= x
    return np.sum(x)


@program('augmented in loop', X)
def augmented_in_loop(x):
    y = np.ones(4)
    for k in range(3):
        y *= x
        y += k
    return np.sum(y)


@program('augmented, broadcast', A, X[:3])
def augmented_broadcast(a, v):
    b = a.copy()
    b += v
    b *= v[:, None]
    return np.sum(b ** 2)


@program('augmented @', A)
def augmented_matmul(a):
    b = a.copy()
    b = b @ a
    b @= a
    return np.sum(b)


@program('out=', X)
def out_keyword(x):
    y = np.empty(4)
    np.multiply(x, x, out=y)
    np.add(y, x, out=y)
    np.sin(y, out=y)
    return np.sum(y)


@program('out=', X)
def out_positional(x):
    y = np.empty(4)
    np.exp(x, y)
    np.subtract(y, x, y)
    return np.sum(y * y)


@program('out=', A, X[:3])
def out_dot(a, v):
    y = np.empty(3)
    np.dot(a, v, out=y)
    b = np.empty((3, 3))
    np.matmul(a, a, out=b)
    np.cumsum(y, out=y)
    return np.sum(b @ y)


@program('out= of a slice', X)
def out_slice(x):
    y = np.ones(6)
    np.multiply(x, 2.0, out=y[1:5])
    return np.sum(y ** 2)


@program('fill', X)
def filled(x):
    y = x * x
    z = np.sum(y)
    y.fill(x[0])
    return np.sum(y) * z


@program('sort', X)
def sorted_in_place(x):
    y = x * 1.0
    y.sort()
    return np.sum(y * np.arange(4.0))


@program('copyto', X)
def copy_to(x):
    y = np.zeros(4)
    np.copyto(y, x ** 2)
    np.copyto(y, x, where=x > 1)
    return np.sum(y * x)


@program('put', X)
def put(x):
    y = x.copy()
    np.put(y, [0, 2], x[1:3] * 2)
    y.put(3, x[0])
    return np.sum(y ** 2)


@program('put_along_axis', A)
def put_along_axis(a):
    b = a.copy()
    k = np.argmax(a, axis=1)[:, None]
    np.put_along_axis(b, k, a[:, :1] * 2, axis=1)
    return np.sum(b ** 2)


@program('add.at', X)
def add_at(x):
    h = np.zeros(3)
    np.add.at(h, [0, 1, 0, 2], x)
    return np.sum(h ** 2)


@program('fill_diagonal', A)
def fill_diagonal(a):
    b = a.copy()
    np.fill_diagonal(b, a[0, 1])
    return np.sum(b ** 2)


@program('shape =', X)
def shape_set(x):
    y = x.copy()
    y.shape = (2, 2)
    return np.sum(y @ y)


@program('resize', X)
def flat_set(x):
    b = np.zeros((2, 2))
    b.flat = x
    b.flat[1] = x[0] * 2
    return np.sum(b @ b)


@program('swap of elements', X)
def elements_swapped(x):
    y = x.copy()
    y[0], y[1] = y[1], y[0]
    return np.sum(y * np.arange(4.0))


@program('swap of rows', A)
def rows_swapped(a):
    b = a.copy()
    b[[0, 2]] = b[[2, 0]]
    b[0], b[1] = b[1].copy(), b[0].copy()
    return np.sum(b * np.arange(9.0).reshape(3, 3))


@program('swap of names', X)
def names_swapped(x):
    a, b = x * 1.0, x * 2.0
    for _ in range(3):
        b[1:] = a[:-1] * 0.5
        a, b = b, a
    return np.sum(a * x) + b[0]


@program('empty', X)
def empty_filled(x):
    y = np.empty(5)
    y[0] = 1.0
    for i in range(4):
        y[i + 1] = y[i] * x[i] + 1
    return y[-1]


@program('empty_like', X)
def empty_like_filled(x):
    y = np.empty_like(x)
    y[::2] = x[1::2]
    y[1::2] = x[::2] ** 2
    return np.sum(y * x)


@program('ndarray', X)
def ndarray_made(x):
    y = np.ndarray((2, 2))
    y[0] = x[:2]
    y[1] = x[2:] * y[0]
    return np.sum(y)


@program('read before write', X)
def read_then_overwritten(x):
    y = x * 2
    a = y[1] * y[2]
    y[1] = 0.0
    b = np.sum(y)
    y[2] = a
    return a * b + np.sum(y)


@program('nonlinear in loop', X)
def taped_elements(x):
    y = x.copy()
    for i in range(1, 4):
        y[i] = math.sin(y[i - 1]) * y[i]
    return y[-1] * y[0]


@program('conditional write', X)
def conditional_write(x):
    y = x.copy()
    for i in range(4):
        if y[i] > 0.6:
            y[i] = y[i] ** 2
        else:
            y[i] = 0.6
    return np.sum(y * x)


@program('clip in place', X)
def clipped(x):
    y = x * 2.0
    np.clip(y, 0.7, 2.0, out=y)
    np.maximum(y, 0.9, y)
    return np.sum(y ** 2)


@program('complex array', X)
def complex_array(x):
    z = np.zeros(4, dtype=complex)
    z.real = x
    z[1:] += 1j * x[:-1]
    z.imag[0] = x[3]
    return np.sum(np.abs(z) ** 2)


@program('structured loops', A)
def triangular(a):
    b = a.copy()
    for i in range(3):
        for j in range(i):
            b[i, j] = b[j, i]
    return np.sum(b @ b)


@program('where=', X)
def where_keyword(x):
    y = np.ones(4)
    np.multiply(x, x, out=y, where=x > 0.4)
    return np.sum(y * x)


@program('delete item of list of arrays', X)
def list_of_arrays(x):
    buffers = [np.zeros(4) for _ in range(2)]
    buffers[0][:] = x
    buffers[1][1:] = buffers[0][:-1] * 2
    buffers[0] = buffers[1] * x
    return np.sum(buffers[0]) + buffers[1][2]


@program('cumulative', X)
def prefix_sums(x):
    y = x.copy()
    for i in range(1, len(y)):
        y[i] += y[i - 1]
    return np.sum(y ** 2)


@program('integer array beside', X)
def integer_beside(x):
    count = np.zeros(3, dtype=int)
    total = 0.0
    for v in x:
        k = int(v * 2)
        count[k] += 1
        total += v * count[k]
    return total


@program('multiply.at', X)
def multiply_at(x):
    h = np.ones(3)
    np.multiply.at(h, [0, 1, 0], x[:3])
    np.subtract.at(h, [1, 1], x[2:])
    return np.sum(h ** 2)


@program('partition', X)
def partitioned(x):
    y = x * 1.0
    y.partition(2)
    return np.sum(y[:2]) * np.sum(y[2:])


@program('overlap in an update', X)
def product_of_neighbours(x):
    y = x * 1.0
    y[1:] *= y[:-1]
    y /= y[::-1] + 1
    y *= y
    return np.sum(y * x)


@program('overlap in an update', A)
def transposed_updates(a):
    b = a * 1.0
    b *= b.T
    b -= b[0]
    b[:, 0] *= b[:, 1]
    b[0] += b[2] ** 2
    return np.sum(b[1:] * a[1:]) + b[0, 2]


@program('number updated by itself', 0.7)
def number_updated(x):
    y = x
    try:
        y += y ** 2
        y *= y
        y -= y / 3
    finally:
        x = 0.0
    return y


@program('out= beside the derivative', 0.7)
def passive_outputs(x):
    b = np.array([3.0, 2.0])
    b.sort()
    np.cumsum(b, out=b)
    b.clip(0, 3.5, out=b)
    np.copyto(b, b * 2)
    np.clip(b, 0, 5.0, b)
    c = np.exp(b * 0.1, b)
    np.add(b, c, out=b)
    return b[1] * x + c[0] * x ** 2
