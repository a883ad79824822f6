"""Programs of the kind that google/tangent was tested with, in our own words, each with arguments to call it with.

A case is `(function, arguments)`. All of them are differentiated by their first argument, as the tests of 2017 did.
"""
import numpy as np

import tangent
from tangent import grad, insert_grad_of

CASES = []
A, B, C = 0.7, 1.3, -0.4
VECTOR = np.array([0.4, -0.8, 1.1])
OTHER = np.array([0.9, 0.2, -0.6])
MATRIX = np.array([[0.3, -0.7, 0.2], [1.1, 0.6, -0.5], [0.2, 0.4, 0.9]])
CUBE = np.linspace(-1, 1, 24).reshape(2, 3, 4)


def case(*args):
    """Note a function with the arguments of a call."""
    def noted(function):
        CASES.append((function, args))
        return function
    return noted


# Numbers

@case(A)
def id_(x):
    return x


@case(A)
def unary_sub(x):
    return -x


@case(A)
def unary_add(x):
    return +x


@case(A)
def increment(x):
    return x + 1


@case(A)
def squared(x):
    return x * x


@case(A)
def cubed(x):
    return x ** 3


@case(A, B)
def add(x, y):
    return x + y


@case(A, B)
def sub(x, y):
    return x - y


@case(A, B)
def mul(x, y):
    return x * y


@case(A, B)
def div(x, y):
    return x / y


@case(A, B, C)
def saxpy(x, y, z):
    return x * y + z


@case((A, B, C))
def unpacking_args_saxpy(args):
    a, x, y = args
    return a * x + y


@case(A, B, C)
def packed_and_unpacked(x, y, z):
    t = (x, (y, z))
    a, (b, c) = t
    return a * b + c


@case(A)
def overwriting(x):
    y = x * x
    y = y * x
    x = y + x
    return x


@case(A)
def alias(x):
    y = x
    z = y
    return y * z


@case(A)
def alias_then_overwritten(x):
    y = x
    x = x * 2
    return x * y


@case(A)
def augassign(x):
    x += x
    x *= 3.0
    x -= 1.0
    x /= x + 5.0
    return x


@case(A, B)
def chained_calls(x, y):
    return np.sin(np.cos(x) * np.exp(y)) + np.tanh(x) / np.sqrt(y)


@case(B)
def numpy_functions(x):
    return np.log(x) * np.cosh(x) + np.sinh(x) * np.tan(x / 3)


@case(C)
def inverse_functions(x):
    return np.arcsin(x) * np.arccos(x) + np.arctan(x)


@case(A)
def inactive_statements(x):
    names = {'a': 'b'}
    for key in names:
        names[key] = key + 'c'
    n = len(names)
    return x * x * n


@case(A, B)
def unused_argument(x, y):
    return x * 2


@case(A)
def unused_result(x):
    y = x * x
    z = np.exp(y)  # noqa: F841
    return y


@case(A)
def keeps_a_constant(x):
    y = 3.0
    return y * x


# Branches

@case(A)
def if_(x):
    if x > 0:
        y = x * x
    else:
        y = x
    return y


@case(C)
def if_else_not_taken(x):
    if x > 0:
        y = x * x
    else:
        y = x * 3.0
    return y


@case(A)
def serial_if(x):
    if x > 0:
        x = x * 2
    if x > 100:
        x = x * 5
    else:
        x = x * x
    return x


@case(A)
def nested_if(x):
    if x > 0:
        if x < 10:
            y = x * x * x
        else:
            y = x
    else:
        y = -x
    return y


@case(A)
def elif_(x):
    if x < 0:
        return -x
    elif x < 1:
        return x * x
    return x ** 3


@case(A)
def if_else_pass(x):
    if x > 0:
        y = x * x
    else:
        pass
    return y


@case(A, B)
def multiple_returns(x, y):
    if x > y:
        return x * y
    return x / y


@case(A)
def conditional_expression(x):
    return x * x if x > 0 else -x


# Loops

@case(A)
def for_(x):
    y = x
    for _ in range(4):
        y = y * x
    return y


@case(A)
def for_with_index(x):
    y = 0.0
    for i in range(4):
        y = y + x ** i
    return y


@case(A)
def serial_for(x):
    for _ in range(2):
        x = x * x
    for i in range(3):
        x = x + i * x
    return x


@case(A, 4)
def for_with_bound(x, n):
    y = x
    for _ in range(n):
        y = np.sin(y) * x
    return y


@case(A)
def for_never_run(x):
    y = x * 2
    for _ in range(0):
        y = y * x
    return y


@case(A)
def nested_for_loop(x):
    y = x
    for i in range(3):
        for j in range(i + 1):
            y = y * x + j
    return y


@case(A)
def triple_nested_for_loop(x):
    y = x
    for _ in range(2):
        y = y * x
        for _ in range(2):
            y = y + x
            for _ in range(2):
                y = y * np.cos(x)
    return y


@case(A)
def if_in_for(x):
    y = x
    for i in range(4):
        if i % 2 == 0:
            y = y * x
        else:
            y = y + x
    return y


@case(A)
def for_in_if(x):
    if x > 0:
        for _ in range(3):
            x = x * 0.9 * x
    return x


@case(B)
def while_(x):
    y = x
    while y < 10:
        y = y * x
    return y


@case(A)
def while_never_run(x):
    y = x
    while y > 100:
        y = y * x
    return y


@case(B)
def nested_while(x):
    i = 0
    y = x
    while i < 2:
        j = 0
        while j < 3:
            y = y * x - 0.1
            j += 1
        i += 1
    return y


@case(B)
def while_in_for(x):
    for _ in range(2):
        while x < 4:
            x = x * 1.5 + x * x
        x = x / 3
    return x


@case(VECTOR)
def iterating_over_an_array(x):
    y = 1.0
    for v in x:
        y = y * v + v
    return y


@case(VECTOR)
def loop_over_indices(x):
    total = 0.0
    for i in range(len(x)):
        total += x[i] * x[i]
    return total


@case(VECTOR, OTHER)
def zipped(x, y):
    total = 0.0
    for a, b in zip(x, y):
        total = total + a * b
    return total


@case(VECTOR)
def enumerated(x):
    total = 0.0
    for i, v in enumerate(x):
        total = total + i * v * v
    return total


@case(VECTOR)
def listcomp(x):
    return sum([v * v for v in x])


@case(B)
def breaking_out(x):
    y = x
    for _ in range(10):
        if y > 5:
            break
        y = y * x
    return y


# Containers and indices

@case(VECTOR)
def subscript(x):
    return x[1] * x[1]


@case(VECTOR)
def subscript_slice(x):
    return np.sum(x[1:] * x[:-1])


@case(VECTOR)
def subscript_same_twice(x):
    y = x[0]
    z = x[0]
    return y * z * x[2]


@case(MATRIX)
def subscript_matrix(x):
    return x[0, 1] * x[1][1] + np.sum(x[:, 2] * x[0])


@case(VECTOR)
def subscript_overwrite(x):
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1] = x[1]
    y[0] = y[0] * x[2]
    return np.sum(y)


@case(VECTOR)
def augassign_to_subscript(x):
    y = x * 2
    y[0] += x[1]
    y[1:] *= x[1:]
    return np.sum(y * y)


@case(VECTOR)
def overwrite_in_loop(x):
    y = np.copy(x)
    for i in range(1, 3):
        y[i] = y[i - 1] * x[i]
    return np.sum(y)


@case({'a': A, 'x': B, 'y': C})
def dict_saxpy(values):
    return values['a'] * values['x'] + values['y']


@case(A, B, C)
def dict_made_inside(x, y, z):
    d = {'a': x, 'b': y}
    d['c'] = d['a'] * z
    return d['c'] * d['b'] * d['a']


@case([A, B, C])
def list_of_numbers(xs):
    return xs[0] * xs[1] + xs[2] * xs[0]


@case([VECTOR, MATRIX])
def list_of_arrays(params):
    v, m = params
    return np.sum(np.dot(m, v) * v)


@case(A)
def list_made_inside(x):
    xs = [x, x * x, 2.0]
    xs[1] = xs[1] * xs[0]
    return xs[1] * xs[2]


# Sums, products, shapes

@case(VECTOR)
def sum_(x):
    return np.sum(x)


@case(MATRIX)
def numpy_sum_axis(x):
    return np.sum(np.sum(x * x, axis=1) ** 2)


@case(CUBE)
def numpy_sum_keepdims(x):
    return np.sum(x / (2 + np.sum(x * x, axis=(0, 2), keepdims=True)))


@case(VECTOR)
def numpy_mean(x):
    return np.mean(x * x)


@case(CUBE)
def numpy_mean_axis(x):
    return np.sum(np.mean(x, axis=1) ** 3)


@case(VECTOR)
def numpy_array(x):
    return np.sum(np.array([x[0], x[1] * x[2]]) ** 2)


@case(VECTOR, OTHER)
def numpy_maximum(x, y):
    return np.sum(np.maximum(x, y) * x)


@case(VECTOR, OTHER)
def dot_vectors(x, y):
    return np.dot(x, y)


@case(MATRIX, VECTOR)
def dot_matrix_vector(x, y):
    return np.sum(np.dot(x, y) ** 2)


@case(VECTOR, MATRIX)
def dot_vector_matrix(x, y):
    return np.sum(np.tanh(np.dot(x, y)))


@case(CUBE, np.ones((4, 2)) / 3)
def batched_dot(x, y):
    return np.sum(np.dot(x, y) ** 2)


@case(MATRIX)
def numpy_det(x):
    return np.linalg.det(x)


@case(MATRIX)
def transposed(x):
    return np.sum(np.dot(np.transpose(x), x))


@case(CUBE)
def reshaped(x):
    return np.sum(np.reshape(x, (6, 4))[1:3] ** 2)


@case(A)
def atleast(x):
    return np.sum(np.atleast_3d(np.atleast_2d(np.atleast_1d(x * x))))


@case(VECTOR)
def broadcast(x):
    return np.sum((np.eye(3) + x) * x[:, None])


@case(A, MATRIX)
def broadcast_a_number(x, y):
    return np.sum(x * y / (x + 3))


@case(VECTOR)
def power_of_arrays(x):
    return np.sum((x * x + 1) ** x)


# Calls

def double(x):
    return x + x


def square_of_double(x):
    y = double(x)
    return y * y


def two_results(x, y):
    return x * y, x + y


@case(A)
def calling(x):
    return double(x) * x


@case(A)
def calling_twice(x):
    return double(double(x)) * double(x)


@case(A)
def calling_deep(x):
    return square_of_double(np.sin(x)) + double(x)


@case(A, B)
def calling_for_two(x, y):
    a, b = two_results(x, y)
    return a * b * b


@case(A)
def calling_in_a_loop(x):
    for _ in range(3):
        x = square_of_double(x) * 0.4
    return x


@case(A, B)
def calling_by_keyword(x, y):
    return saxpy(y, z=x, y=x * x)


def factorial_like(x, n):
    if n == 0:
        return 1.0
    return x * factorial_like(x, n - 1) + n


@case(A)
def calling_itself(x):
    return factorial_like(x, 3)


# Models

def logsumexp(x, axis=None, keepdims=False):
    return np.log(np.sum(np.exp(x), axis=axis, keepdims=keepdims))


def logsoftmax(logits, axis=-1, keepdims=True):
    return logits - logsumexp(logits, axis, keepdims)


def softmax_crossent(logits, label):
    return -np.sum(logsoftmax(logits, axis=-1, keepdims=True) * label, axis=1)


INPUT = np.linspace(-1, 1, 8).reshape(4, 2)
LABEL = np.eye(3)[[0, 2, 1, 1]]
WEIGHTS = np.array([[0.2, -0.5, 0.3], [0.1, 0.4, -0.7]])
BIAS = np.array([0.1, -0.2, 0.3])


@case(WEIGHTS, BIAS, INPUT, LABEL)
def logistic_regression(w, b, x, label):
    return np.mean(softmax_crossent(np.dot(x, w) + b, label))


@case(INPUT, WEIGHTS, BIAS, MATRIX, BIAS, LABEL)
def mlp(x, w1, b1, wout, bout, label):
    h = np.tanh(np.dot(x, w1) + b1)
    out = np.dot(h, wout) + bout
    return np.mean(softmax_crossent(out, label))


@case(INPUT[None, 0], MATRIX[None, 0], WEIGHTS, MATRIX, BIAS[None])
def bilinear(x, h, u, w, b):
    y = np.dot(x, u)
    y = y + np.dot(h, w)
    y = y + np.repeat(b, x.shape[0], axis=0)
    return np.sum(np.tanh(y))


@case(np.stack([INPUT, -INPUT]), WEIGHTS, MATRIX)
def rnn(inputs, w, u):
    h = np.zeros((inputs.shape[1], 3))
    for x in inputs:
        h = np.tanh(np.dot(x, w) + np.dot(h, u))
    return np.sum(h * h)


@case(A)
def gradgrad_pathology(x):
    """What the first pass keeps in its loop is read by the second one."""
    y = x
    for _ in range(3):
        y = y * y
        if y > 0.01:
            y = y + x
        z = y * x
        y = z
    return y


@case(A)
def grad_inside(x):
    return grad(square_of_double)(x) * x


# Code in the backward pass

@case(A)
@tangent.tangent
def inserted_reading(x):
    y = x * x
    seen = []
    with insert_grad_of(y) as g:
        seen.append(g)
    return y * x


@tangent.tangent
def inserted_scaling(x):
    y = x * x
    with insert_grad_of(y) as g:
        g = g * 10
    return y


@tangent.tangent
def inserted_clipping(x):
    for _ in range(3):
        x = x * x
        with insert_grad_of(x) as dx:
            if dx > 1:
                dx = 1.0
    return x
