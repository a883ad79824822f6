"""Trees of parameters: `tree_map`, `ravel_pytree` and the way back, of containers and of objects, and differentiated."""
import collections

import numpy as np
import pytest

import tangent
from tests.interfaces.test_vmap import Net, X, Y
from tests.tools.checking import assert_close

Pair = collections.namedtuple('Pair', 'w b')
TREE = {'w': X[:, :2].T.copy(), 'rest': [Pair(1.5, (np.ones(2), None)), 3], 'word': 'this'}


def loss(tree, x):
    pair = tree['rest'][0]
    return np.sum((tree['w'] @ x) ** 2) * pair.w + np.sum(np.sin(pair.b[0])) + tree['rest'][1] ** 2


def test_a_vector_and_the_way_back():
    vector, unravel = tangent.ravel_pytree(TREE)
    assert vector.shape == (12,)
    again = unravel(vector)
    assert type(again['rest'][0]) is Pair and again['word'] == 'this' and again['rest'][0].b[1] is None
    np.testing.assert_array_equal(again['w'], TREE['w'])
    gradient = tangent.grad(lambda v: loss(unravel(v), Y[:, 0]))(vector)
    assert_close(gradient, tangent.ravel_pytree(tangent.grad(loss)(TREE, Y[:, 0]))[0])
    tangent.check_grads(lambda v: loss(unravel(v), Y[:, 0]), (vector,), order=2)


class Switched:
    def __init__(self):
        self.w, self.training, self.active = X[0].copy(), True, np.tanh

    def loss(self):
        return np.sum(self.active(self.w)) if self.training else 0.0


def test_flags_and_functions_of_objects_stay():
    model = Switched()
    moved = tangent.tree_map(lambda p, g: p - g, model, tangent.grad(Switched.loss)(model))
    assert moved.training is True and moved.active is np.tanh
    assert_close(moved.w, X[0] - (1 - np.tanh(X[0]) ** 2))


def test_objects_are_trees_of_their_attributes():
    net = Net(3, 4, 2)
    vector, unravel = tangent.ravel_pytree(net)
    gradient = tangent.grad(Net.loss)(net, X[0], Y[0])
    assert_close(tangent.grad(lambda v: unravel(v).loss(X[0], Y[0]))(vector), tangent.ravel_pytree(gradient)[0])
    moved = tangent.tree_map(lambda p, g: p - 0.01 * g, net, gradient)
    assert type(moved) is Net and moved.name == 'net' and moved.loss(X[0], Y[0]) < net.loss(X[0], Y[0])


def test_an_ensemble_of_objects():
    nets = [tangent.tree_map(lambda p, k=k: p * (k + 1), Net(3, 4, 2)) for k in range(3)]
    ensemble = tangent.tree_map(lambda *each: np.stack(each), *nets)
    assert_close(tangent.vmap(Net.forward, in_axes=(0, None))(ensemble, X[0]), np.stack([net.forward(X[0]) for net in nets]))
    total = tangent.grad(lambda e: np.sum(tangent.vmap(Net.loss, in_axes=(0, None, None))(e, X[0], Y[0])))(ensemble)
    alone = tangent.vmap(tangent.grad(Net.loss), in_axes=(0, None, None))(ensemble, X[0], Y[0])
    assert_close(total.layers[1].w, alone.layers[1].w)
    assert_close(alone.layers[0].w[2], tangent.grad(Net.loss)(nets[2], X[0], Y[0]).layers[0].w)


def test_derivatives_of_tree_map():
    tree = {'w': X, 'b': [Y[0], 2.0]}
    tangent.check_grads(lambda t: tangent.tree_map(lambda x, y: np.sin(x) * y, t, t)['w'], (tree,), order=1)
    assert_close(tangent.grad(lambda t: np.sum(tangent.ravel_pytree(t)[0] ** 2))(tree)['b'][0], 2 * Y[0])


def test_namedtuples_of_numbers_twice():
    tangent.check_grads(lambda w: line_of(Pair(w, 2.0)), (1.5,), order=2)


def line_of(p):
    return p.w * p.w * p.b


def test_trees_that_do_not_fit_are_refused():
    for other in ({'w': 1}, 3.0, [1, 2], None, {**TREE, 'w': {'a': 1.0}}, {**TREE, 'rest': [1.0, 2]}):
        with pytest.raises(tangent.TangentError, match='the trees differ in structure'):
            tangent.tree_map(lambda a, b: a, TREE, other)
    with pytest.raises(tangent.TangentError, match=r'the row has the shape \(3,\), and the tree 12 numbers'):
        tangent.ravel_pytree(TREE)[1](np.ones(3))


def test_kinds_of_dicts_and_deques_stay():
    tree = collections.OrderedDict(b=1.0, a=collections.defaultdict(float, w=np.ones(2)), c=collections.deque([2.0, 3.0], maxlen=4))
    vector, unravel = tangent.ravel_pytree(tree)
    for found in (unravel(2 * vector), tangent.tree_map(lambda v: 2 * v, tree)):
        assert type(found) is collections.OrderedDict and list(found) == ['b', 'a', 'c']
        assert type(found['a']) is collections.defaultdict and found['a'].default_factory is float
        assert type(found['c']) is collections.deque and list(found['c']) == [4.0, 6.0] and found['c'].maxlen == 4
    assert_close(vector, np.array([1.0, 1.0, 1.0, 2.0, 3.0]))
    assert_close(tangent.grad(lambda v: unravel(v)['a']['w'][1] * unravel(v)['c'][0])(vector), np.array([0.0, 0.0, 2.0, 1.0, 0.0]))


def of_all(p):
    """A function of parameters beside which other things stand."""
    return np.sum(p['w'] ** 2 * p['mask']) * p['scale'] + (p['w'][0] if p['kind'] == 'odd' else 0.0)


def test_words_flags_and_functions_in_a_container_have_no_tangents():
    w = np.array([0.3, 0.7])
    p = {'w': w, 'mask': np.array([True, False]), 'scale': 2.0, 'kind': 'odd', 'none': None, 'f': np.sin, 'flag': True}
    slope = np.array([4 * w[0] + 1.0, 0.0])
    for operator in (tangent.grad, tangent.jacobian, tangent.jacfwd, tangent.jacrev):
        assert_close(operator(of_all)(p)['w'], slope)
    assert_close(tangent.jvp(of_all)(p, p), slope @ w + 2 * w[0] ** 2)
    assert_close(tangent.hvp(of_all)(p, p)['w'], np.array([8 * w[0], 0.0]))
    assert_close(tangent.hessian(of_all)(p)['w']['w'], np.diag([4.0, 0.0]))
    with pytest.raises(tangent.TangentError, match='which is a str'):
        tangent.jvp(of_all)(p, {**p, 'kind': 1.0})


def test_masks_in_a_container_do_not_shift_its_jacobian():
    p = {'w': np.array([0.3, 0.7]), 'mask': np.array([True, False]), 'v': np.array([2.0, 5.0])}
    of_both = lambda p: np.sum(p['w'] ** 2 * p['mask']) + np.sum(p['v'] ** 3)          # noqa: E731
    tangent.check_grads(of_both, (p,), order=1)
    for operator in (tangent.jacobian, tangent.jacfwd, tangent.jacrev):
        found = operator(of_both)(p)
        assert_close((found['w'], found['v']), (np.array([0.6, 0.0]), np.array([12.0, 75.0])))     # 'v' was that of the mask


def test_jacobians_by_objects_say_how():
    class Model:
        def __init__(self):
            self.w = np.ones(2)

    with pytest.raises(tangent.TangentError, match='is a Model, an object: give the vector of its numbers'):
        tangent.jacobian(lambda m: m.w * 2)(Model())
    vector, unravel = tangent.ravel_pytree(Model())
    assert_close(tangent.jacobian(lambda v: unravel(v).w * 2)(vector), 2 * np.eye(2))


def test_the_function_comes_first():
    """It gave the function back, which has no leaves."""
    with pytest.raises(tangent.errors.ArgumentTypeError, match='takes the function first'):
        tangent.tree_map({'a': 1.0}, lambda v: v * 2)
