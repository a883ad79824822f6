"""`tangent.vmap`: what the loop gives is what a loop of one's own gives, in all modes, for all containers."""
import collections
import dataclasses
import functools

import numba
import numpy as np
import pytest

import tangent
from tangent import func
from tests.tools.checking import assert_close

RANDOM = np.random.default_rng(0)
X, Y, W = RANDOM.normal(size=(4, 3)), RANDOM.normal(size=(4, 2)), RANDOM.normal(size=(3, 2))
P = {'w': W, 'b': np.zeros(2)}


def loss(p, x, y):
    return np.sum((np.tanh(x @ p['w'] + p['b']) - y) ** 2)


def scaled(x, w):
    return np.sin(w * x) * x[0]


class Layer:
    def __init__(self, n, m):
        self.w, self.b = np.random.default_rng(n).normal(size=(n, m)), np.zeros(m)

    def __call__(self, x):
        return np.tanh(x @ self.w + self.b)


class Net:
    def __init__(self, *sizes):
        self.layers, self.name = [Layer(n, m) for n, m in zip(sizes, sizes[1:])], 'net'

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def loss(self, x, y):
        return np.sum((self.forward(x) - y) ** 2)


@dataclasses.dataclass
class Line:
    w: np.ndarray
    b: float


Pair = collections.namedtuple('Pair', 'w b')


def line(p, x):
    return np.sum(p.w * x) + p.b


def test_the_loop_can_be_read():
    per_sample = tangent.vmap(tangent.grad(loss), in_axes=(None, 0, 0))
    assert tangent.source(per_sample) == (
        'def vmap_of_dlossdp(p, x, y):\n'
        '    found = []\n'
        '    for x_k, y_k in rows_of((x, y)):\n'
        '        found.append(dlossdp(p, x_k, y_k))\n'
        '    return stack_rows(found)\n')


def test_gradients_of_each_sample():
    found = tangent.vmap(tangent.grad(loss), in_axes=(None, 0, 0))(P, X, Y)
    for k in range(4):
        alone = tangent.grad(loss)(P, X[k], Y[k])
        np.testing.assert_array_equal(found['w'][k], alone['w'])
        np.testing.assert_array_equal(found['b'][k], alone['b'])


def test_gradients_of_each_sample_by_a_network_of_objects():
    net = Net(3, 5, 2)
    found = tangent.vmap(tangent.grad(Net.loss), in_axes=(None, 0, 0))(net, X, Y)
    values, again = tangent.vmap(tangent.value_and_grad(Net.loss), in_axes=(None, 0, 0))(net, X, Y)
    for k in range(4):
        alone = tangent.grad(Net.loss)(net, X[k], Y[k])
        for i in range(2):
            np.testing.assert_array_equal(found.layers[i].w[k], alone.layers[i].w)
            np.testing.assert_array_equal(again.layers[i].b[k], alone.layers[i].b)
        assert values[k] == net.loss(X[k], Y[k])
    mean = tangent.grad(lambda net: np.mean(tangent.vmap(Net.loss, in_axes=(None, 0, 0))(net, X, Y)))(net)
    assert_close(mean.layers[0].w, found.layers[0].w.mean(0))
    by_method = tangent.grad(lambda net: np.sum(tangent.vmap(net.loss)(X, Y)))(net)
    assert_close(by_method.layers[0].w, found.layers[0].w.sum(0))


def through(x, w):
    """The sum over a vmap that captures what is differentiated."""
    total = 0.0
    for i in range(3):
        total = total + np.sum(tangent.vmap(lambda row, k=i: np.sin(w * row) * w[k], in_axes=(0,))(x))
    return total


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def written(x):
    x[0] = x[0] ** 2
    x *= 2
    return x * x[1]


batched = tangent.vmap(loss, in_axes=(None, 0, 0))
each = tangent.vmap(tangent.grad(loss), in_axes=(None, 0, 0))
several = tangent.vmap(lambda x: (x, {'s': np.sum(x), 'm': np.outer(x, x)}, 'tag', None, 3), in_axes=-1,
                       out_axes=(1, {'s': 0, 'm': -1}, 0, 0, None))
class Plain:
    __slots__ = ('w', 'b')

    def __init__(self, w, b):
        self.w, self.b = w, b


@dataclasses.dataclass
class Named(Line):
    name: str = 'line'
    kernel: object = None


ensemble = tangent.vmap(tangent.vmap(line, in_axes=(None, 0)), in_axes=(0, None))
shared = tangent.vmap(line, in_axes=(Line(0, None), None))

CASES = {                       # function, arguments, order
    'of a loss': (batched, (P, X, Y), 1),
    'of a gradient': (lambda p, x, y: each(p, x, y)['w'], (P, X, Y), 1),
    'norms of gradients': (lambda p: np.sum(each(p, X, Y)['w'] ** 2), (P,), 1),
    'nested': (tangent.vmap(tangent.vmap(lambda a, b: np.sin(a) * b, in_axes=(None, 0)), in_axes=(0, None), out_axes=1),
               (X[0], Y[0]), 1),
    'of a jvp': (tangent.vmap(tangent.jvp(scaled), in_axes=(0, None, 0)), (X, X[1], X), 1),
    'of a Jacobian': (tangent.vmap(tangent.jacobian(scaled), in_axes=(0, None)), (X, X[1]), 1),
    'of an hvp': (tangent.vmap(tangent.hvp(lambda x: np.sum(np.sin(x) * x[0]))), (X, X), 1),
    'several results': (lambda x: (several(x)[0], several(x)[1]), (X[:2],), 1),
    'capturing': (through, (X, X[0]), 1),
    'a while loop': (tangent.vmap(newton), (np.array([2.0, 9.0, 0.25]),), 1),
    'writes into its row': (tangent.vmap(written), (X,), 1),
    'dataclasses': (lambda w, b: ensemble(Line(w, b), X), (X, X[:, 0]), 1),
    'namedtuples': (lambda w, b: ensemble(Pair(w, b), X), (X, X[:, 0]), 1),
    'part of a dataclass': (lambda w, b: shared(Line(w, b), X[0]), (X, 2.0), 1),
}


@pytest.mark.parametrize('name', CASES)
def test_derivatives_of_the_loop(name):
    function, args, order = CASES[name]
    tangent.check_grads(function, args, order=order)


def test_pushforwards_and_pullbacks_by_rows_of_the_identity():
    jacobian = tangent.jacobian(scaled)(X[0], X[1])
    assert_close(tangent.vmap(lambda v: func.jvp(scaled, (X[0], X[1]), (v, 0 * v))[1], out_axes=1)(np.eye(3)), jacobian)
    _, push = func.linearize(lambda x: scaled(x, X[1]), X[0])
    _, pull = func.vjp(scaled, X[0], X[1])
    assert_close(tangent.vmap(push, out_axes=1)(np.eye(3)), jacobian)
    assert_close(tangent.vmap(pull)(np.eye(3))[0], jacobian)


def test_masks_labels_and_words_in_a_batch():
    def entropy(w, batch):
        z = batch['x'] @ w
        logs = z - np.log(np.sum(np.exp(z)))
        return -logs[batch['label']] * batch['scale'] if batch['mask'] else 0.0

    batch = {'x': X, 'label': np.array([0, 1, 1, 0]), 'mask': np.array([True, False, True, True]), 'scale': 2.0, 'name': 'train'}
    axes = {'x': 0, 'label': 0, 'mask': 0, 'scale': None, 'name': None}
    found = tangent.vmap(tangent.grad(entropy), in_axes=(None, axes))(W, batch)
    rows = [{**batch, **{key: batch[key][k] for key in ('x', 'label', 'mask')}} for k in range(4)]
    assert_close(found, np.stack([tangent.grad(entropy)(W, row) for row in rows]))
    by_batch = tangent.grad(lambda batch: np.sum(tangent.vmap(entropy, in_axes=(None, axes))(W, batch)))(batch)
    assert_close(by_batch['scale'], sum(entropy(W, row) for row in rows) / 2)
    assert by_batch['x'].shape == X.shape and not by_batch['x'][1].any()


def test_where_arguments_may_stand():
    def f(a, x, *, s=2.0):
        return np.sum(a * x) * s

    g = tangent.vmap(f, in_axes=(None, 0))
    assert_close(g(X[0], X), 2 * X @ X[0])
    assert_close(g(X[0], X, s=np.arange(4.0)), np.arange(4.0) * (X @ X[0]))
    assert_close(g(a=X[0], x=X), 2 * X @ X[0])
    assert_close(tangent.vjp(g)(X[0], X, np.ones(4)), 2 * X.sum(0))
    assert_close(tangent.vmap(functools.partial(f, X[0]))(X), 2 * X @ X[0])
    assert_close(tangent.vmap(np.sin)(X), np.sin(X))
    assert_close(tangent.vmap(lambda: X[0], in_axes=(), axis_size=2)(), np.stack([X[0], X[0]]))
    step = tangent.vmap(lambda q, p, dt=0.1: (q + dt * p, p))
    assert_close(step(X, X)[0], 1.1 * X)


@pytest.mark.parametrize('kind', [Pair, Line, Plain, Named])
def test_axes_may_stand_in_what_the_argument_is(kind):
    """What has no axis in it, words and None, is the same for all."""
    b = np.arange(1.0, 5.0)
    assert_close(tangent.vmap(line, in_axes=(kind(0, None), 0))(kind(X, 2.0), X), np.sum(X * X, 1) + 2.0)
    assert_close(tangent.vmap(line, in_axes=(kind(1, 0), 0))(kind(X.T, b), X), np.sum(X * X, 1) + b)
    assert_close(tangent.vmap(tangent.grad(line))(kind(X, b), X).w, X)


def test_parameters_with_defaults_go_along_the_axis_where_they_are_given():
    def scaled_by(x, y=2.0, *, z=1.0):
        return np.sum(x) * y * z

    g, b = tangent.vmap(scaled_by), np.arange(4.0)
    assert_close(g(X), 2 * X.sum(1))
    assert_close(g(X, b), b * X.sum(1))
    assert_close(g(X, b, z=b), b * b * X.sum(1))
    assert_close(tangent.vmap(scaled_by, in_axes=(0, None))(X, 3.0), 3 * X.sum(1))
    assert_close(tangent.grad(lambda b: np.sum(g(X, b)))(b), X.sum(1))


@tangent.vmap
def squared_length(x):
    return np.sum(x ** 2)


def test_rules_of_the_users_hold_inside():
    @tangent.custom_vjp
    def f(x):
        return np.sum(x * x)
    f.defvjp(lambda x: (f(x), x), lambda x, g: (3 * g * x,))
    assert_close(tangent.vmap(tangent.grad(f))(X), 3 * X)
    assert_close(tangent.grad(lambda x: np.sum(tangent.vmap(f)(x)))(X), 3 * X)
    assert_close(tangent.elementwise_grad(squared_length)(X), 2 * X)


def test_the_users_array_stays_as_it_is():
    before = X.copy()
    tangent.vmap(written)(X)
    tangent.elementwise_grad(tangent.vmap(written))(X)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize('call, message', [
    (lambda: tangent.vmap(lambda x, y: x * y)(np.ones(3), np.ones(4)), r'different lengths: 3 in .*\(3,\), 4 in .*\(4,\)'),
    (lambda: tangent.vmap(lambda x: x)(3.0), '3.0 has no axis to go along: give an array'),
    (lambda: tangent.vmap(lambda x: x)([1.0, 2.0]), '1.0 has no axis'),
    (lambda: tangent.vmap(Net.loss)(Net(3, 2), X, Y), 'different lengths: 3 in'),
    (lambda: tangent.vmap(lambda x: x, in_axes=2)(X), r'an array of shape \(4, 3\) has no axis 2'),
    (lambda: tangent.vmap(lambda x: x, out_axes=3)(X), 'new axis 3'),
    (lambda: tangent.vmap(lambda x: x, out_axes=None)(X), 'out_axes is None'),
    (lambda: tangent.vmap(lambda x: x)(np.ones((0, 2))), 'length 0'),
    (lambda: tangent.vmap(lambda x: x[:1] if x[0] > 0 else x)(X), r'differ in shape: \(1,\) and \(3,\)'),
    (lambda: tangent.vmap(lambda x: [1.0] if x[0] > 0 else [x, x])(X), 'differ in structure'),
    (lambda: tangent.vmap(lambda x: x.tobytes())(X), 'results of type bytes'),
    (lambda: tangent.vmap(lambda d: d['a'], in_axes=({'b': 0},))({'a': X}), 'do not have the structure'),
    (lambda: tangent.vmap(lambda x: x, in_axes=None), 'in_axes is None for all'),
    (lambda: tangent.vmap(lambda x, y: x, in_axes=(0,)), 'in_axes has 1 entries, and <lambda> takes 2 arguments: x, y'),
    (lambda: tangent.vmap(lambda x: x, in_axes=('a',)), "in_axes has 'a'"),
    (lambda: tangent.vmap(3), 'not a function'),
    (lambda: tangent.vmap(lambda x, y: x, in_axes={'x': 0, 'y': None}), r'a tuple with an entry for each, in_axes=\(0, None\)'),
    (lambda: tangent.vmap(lambda: 1.0, in_axes=(), axis_size=-1), 'axis_size is -1: it is how many'),
    (lambda: tangent.vmap(lambda x: x, axis_size='3'), "axis_size is '3'"),
    (lambda: tangent.vmap(lambda x: x, in_dims=0), 'it is called in_axes here'),
    (lambda: tangent.vmap(lambda x: x, axis_name='batch'), 'no collective operations'),
    (lambda: tangent.vmap(lambda x: x, in_axis=0), 'did you mean in_axes='),
    (lambda: tangent.vmap(lambda x: x, in_axes=({'a': 0},), jit=True), 'leave it out'),
])
def test_mistakes_are_told_in_the_users_words(call, message):
    with pytest.raises(tangent.TangentError, match=message):
        call()


@numba.njit
def fast(w, x, y):
    total = 0.0
    for j in range(2):
        t = 0.0
        for i in range(3):
            t += x[i] * w[i, j]
        total += (np.tanh(t) - y[j]) ** 2
    return total


def test_under_numba_the_loop_is_a_prange_loop():
    def plain(w, x, y):
        return loss({'w': w, 'b': 0.0}, x, y)
    samples = tangent.vmap(fast, in_axes=(None, 0, 0), jit={'parallel': True})
    assert hasattr(samples, 'py_func') and 'for k in numba.prange(n):' in tangent.source(samples)
    assert_close(samples(W, X, Y), np.stack([plain(W, x, y) for x, y in zip(X, Y)]))
    assert_close(tangent.grad(lambda w: np.sum(samples(w, X, Y)))(W), sum(tangent.grad(plain)(W, x, y) for x, y in zip(X, Y)))
    for args in ((W, X, Y[:2]), (W, X[:0], Y[:0])):
        with pytest.raises(ValueError, match='vmap: the ax'):
            samples(*args)


def test_nested_loops_under_numba():
    product = tangent.vmap(tangent.vmap(numba.njit(lambda a, b: np.sin(a * b)), in_axes=(None, 1)), in_axes=(0, None))
    assert_close(product(X, X.T), np.sin(X[:, None] * X[None]))


@pytest.mark.parametrize('in_axes, out_axes', [(0, 0), (1, 1), ((0, None), -1), ((None, 1), 0)])
def test_the_same_as_of_jax(in_axes, out_axes):
    jax = pytest.importorskip('jax')
    before = jax.config.jax_enable_x64
    jax.config.update('jax_enable_x64', True)
    try:
        a, b = np.arange(9.0).reshape(3, 3) / 7, np.ones((3, 3))
        f = lambda x, y: (x + 2 * y) ** 2  # noqa: E731
        np.testing.assert_allclose(tangent.vmap(f, in_axes, out_axes)(a, b), jax.vmap(f, in_axes, out_axes)(a, b))
    finally:
        jax.config.update('jax_enable_x64', before)


def test_calls_that_return_nothing_are_not_stacked_with_those_that_do():
    with pytest.raises(tangent.errors.ArgumentTypeError, match='some calls return a number or an array, and others None'):
        tangent.vmap(lambda x: x if x > 0 else None)(np.array([1.0, -2.0]))


@pytest.mark.parametrize('of', [lambda x: 2 + 1j * x, lambda x: 2 ** 53 + int(x)], ids=['imaginary parts', 'large integers'])
def test_results_that_are_almost_the_same_in_all_calls_are_refused(of):
    with pytest.raises(tangent.errors.ShapeError, match='out_axes is None'):
        tangent.vmap(lambda x: (0.0, of(x)), out_axes=(0, None))(np.array([0.0, 1.0]))
