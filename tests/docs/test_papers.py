"""The programs of the papers in examples/papers have the derivatives that they should."""
import copy
import importlib.util

import numpy as np
import pytest

import tangent
from tests import ROOT
from tests.tools.checking import assert_close, differences

PAPERS = ROOT / 'examples' / 'papers'


def paper(name):
    spec = importlib.util.spec_from_file_location(f'papers_{name}', PAPERS / f'{name}.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


myia, zygote, tasks, lantern = map(paper, ('myia', 'zygote', 'tasks', 'lantern'))

BY_HAND = '''def dfdx(x, bf=1.0):
    # Grad of: return x ** 3
    return astype(3 * bf * x**2, x)
'''


def agrees(f, *args, wrt=(0,)):
    gradients = tangent.grad(f, wrt=wrt)(*copy.deepcopy(args))
    gradients = gradients if len(wrt) > 1 else (gradients,)
    for actual, expected in zip(gradients, differences(f, args, wrt), strict=True):
        assert_close(actual, expected, 1e-7)


# Myia

def test_figure_1_is_what_one_would_write_by_hand():
    assert tangent.source(tangent.grad(myia.f, check_dims=False)) == BY_HAND


def test_figure_1_runs():
    assert myia.main(2.0) == 12.0
    assert tangent.grad(myia.main)(2.0) == 12.0
    assert tangent.grad(tangent.grad(myia.main))(2.0) == 6.0


@pytest.mark.parametrize('f, args, wrt', [
    (myia.power, (1.5, 4), (0,)),
    (myia.scaled_twice, (0.5, 2.0), (0, 1)),
    (myia.fitted, ([1.0, 2.0, 3.0], 0.5), (0, 1)),
    (lambda x, n: myia.compose(np.sin, n)(x), (0.7, 3), (0,)),
], ids=['power', 'scaled_twice', 'fitted', 'compose'])
def test_myia(f, args, wrt):
    agrees(f, *args, wrt=wrt)


# Zygote

def test_hooks():
    assert tangent.grad(zygote.clipped)(3.0) == 7.0           # the gradient 10 of y is clipped to 1
    assert tangent.grad(zygote.reversed_gradient)(3.0) == -6.0


def test_nest_level():
    assert zygote.level(1.0) == 0.0
    assert tangent.grad(zygote.level)(1.0) == 1.0
    assert tangent.grad(tangent.grad(lambda x: zygote.level(x) * x))(1.0) == 4.0


def test_checkpoint_is_computed_once_more():
    agrees(zygote.long_wave, 0.5)
    calls = []

    def noted(x):
        calls.append(x)
        return x * x

    def f(x):
        return zygote.checkpoint(noted, x) * 2.0
    assert tangent.grad(f)(3.0) == 12.0
    assert calls == [3.0, 3.0]


@pytest.mark.parametrize('name, args, wrt', [
    ('power', (2.0, 5), (0,)),
    ('product_of_list', (2.0, 3.0), (0, 1)),
    ('power_by_box', (1.5, 4), (0,)),
    ('savings', (100.0, 0.02), (0, 1)),
])
def test_zygote(name, args, wrt):
    agrees(getattr(zygote, name), *args, wrt=wrt)


def test_the_gradient_of_a_point_is_a_point():
    gradient = tangent.grad(zygote.shifted_distance)(zygote.Point(2.0, 2.0))
    assert_close((gradient.x, gradient.y), (0.6, 0.8))


# Tasks

COLUMNS = list(np.random.RandomState(0).randn(3, 4))


@pytest.mark.parametrize('name, args, wrt', [
    ('total_energy', (COLUMNS, 0.7), (0, 1)),
    ('submitted', (0.3, 2.0), (0, 1)),
    ('pipeline', ([1.0, 2.0], 0.5), (0, 1)),
])
def test_tasks(name, args, wrt):
    agrees(getattr(tasks, name), *args, wrt=wrt)


# Lantern

@pytest.mark.parametrize('leaves', [1, 2, 7])
def test_tree_lstm_over_trees_of_any_shape(leaves):
    rng = np.random.RandomState(leaves)
    tree, p = lantern.random_tree(leaves, rng, words=4, labels=3), lantern.tree_parameters(2, rng, words=4, labels=3)
    gradient = tangent.grad(lantern.tree_loss)(p, tree)
    assert type(gradient) is lantern.TreeParameters
    for actual, expected in zip(gradient, differences(lantern.tree_loss, (p, tree), (0,))[0]):
        assert_close(actual, expected)


def test_tree_lstm_learns():
    losses = lantern.train([lantern.random_tree(n, np.random.RandomState(n)) for n in (3, 5)], steps=20, rate=0.2)
    assert losses[-1] < 0.8 * losses[0]


def characters(gates, words=4, hidden=3):
    rng = np.random.RandomState(0)
    return (rng.randn(gates * hidden, words), rng.randn(gates * hidden, hidden), rng.randn(words, hidden),
            rng.randn(gates * hidden), rng.randn(words), [0, 2, 1, 3, 0])


@pytest.mark.parametrize('name, gates', [('rnn_loss', 1), ('lstm_loss', 4)])
def test_recurrent_networks(name, gates):
    agrees(getattr(lantern, name), *characters(gates), wrt=(0, 1, 2, 3, 4))


def picture():
    rng = np.random.RandomState(0)
    return rng.randn(2, 1, 3, 3), rng.randn(2, 2, 2, 2), rng.randn(3, 2), rng.randn(3), rng.randn(1, 8, 8), 1


def test_convolutional_network():
    agrees(lantern.cnn_loss, *picture(), wrt=(0, 1, 2, 3, 4))


# The same numbers as PyTorch's

def gradients_of(torch, loss, arrays):
    tensors = [torch.tensor(a, requires_grad=True) for a in arrays]
    loss(*tensors).backward()
    return [t.grad.numpy() for t in tensors]


def test_tree_lstm_as_pytorch_has_it():
    torch = pytest.importorskip('torch')
    rng = np.random.RandomState(3)
    tree, p = lantern.random_tree(6, rng), lantern.tree_parameters(4, rng)

    def encode(tree, p):
        n = p.out.shape[1]
        if tree.left is None:
            i, o, u = torch.split(p.leaf @ p.embedding[tree.word] + p.leaf_bias, n)
            c, below = torch.sigmoid(i) * torch.tanh(u), 0.0
        else:
            left, left_h, left_c = encode(tree.left, p)
            right, right_h, right_c = encode(tree.right, p)
            i, f, g, o, u = torch.split(p.node @ torch.cat([left_h, right_h]) + p.node_bias, n)
            c = torch.sigmoid(i) * torch.tanh(u) + torch.sigmoid(f) * left_c + torch.sigmoid(g) * right_c
            below = left + right
        h = torch.sigmoid(o) * torch.tanh(c)
        logits = p.out @ h + p.out_bias
        return below + torch.logsumexp(logits, 0) - logits[tree.label], h, c

    expected = gradients_of(torch, lambda *ts: encode(tree, lantern.TreeParameters(*ts))[0], p)
    assert_close(list(tangent.grad(lantern.tree_loss)(p, tree)), expected, 1e-10)


def test_lstm_as_pytorch_has_it():
    torch = pytest.importorskip('torch')
    *arrays, text = characters(4)
    w_in, w_state, w_out, b_state, b_out = arrays
    order = [1, 0, 3, 2]                                     # PyTorch's gates: input, forget, cell, output
    shuffled = np.concatenate([np.arange(3) + 3 * k for k in order])

    def loss(w_in, w_state, w_out, b_state, b_out):
        one_hot = torch.eye(4, dtype=torch.float64)[text[:-1]]
        h = c = torch.zeros(3, dtype=torch.float64)
        total = 0.0
        for x, following in zip(one_hot, text[1:]):
            h, c = torch.lstm_cell(x[None], (h.reshape(1, 3), c.reshape(1, 3)), w_in[shuffled], w_state[shuffled],
                                   b_state[shuffled], torch.zeros(12, dtype=torch.float64))
            total = total + torch.nn.functional.cross_entropy((w_out @ h[0] + b_out)[None], torch.tensor([following]))
        return total / (len(text) - 1)

    # ours has forget, update, output, cell
    actual = tangent.grad(lantern.lstm_loss, wrt=(0, 1, 2, 3, 4))(*arrays, text)
    ours = np.concatenate([np.arange(3) + 3 * k for k in (1, 0, 3, 2)])
    assert (shuffled == ours).all()
    assert_close(list(actual), gradients_of(torch, loss, arrays), 1e-10)


def test_convolutional_network_as_pytorch_has_it():
    torch = pytest.importorskip('torch')
    *arrays, label = picture()

    def loss(kernels1, kernels2, w, b, image):
        functional = torch.nn.functional
        h = functional.max_pool2d(functional.relu(functional.conv2d(image[None], kernels1)), 2)
        h = functional.max_pool2d(functional.relu(functional.conv2d(h, kernels2)), 2)
        return functional.cross_entropy((w @ h.ravel() + b)[None], torch.tensor([label]))

    actual = tangent.grad(lantern.cnn_loss, wrt=(0, 1, 2, 3, 4))(*arrays, label)
    assert_close(list(actual), gradients_of(torch, loss, arrays), 1e-10)


# Rules of the user's hold wherever the function is called

@tangent.custom_vjp
def steep(x):
    return x * x


steep.defvjp(lambda x: (x * x, x), lambda x, g: (100.0 * g,))


def tried(x):
    try:
        return steep(x)
    except ValueError:
        return 0.0


@pytest.mark.parametrize('f', [steep, tried, lambda x: [steep][0](x), lambda x: sum(map(steep, [x])), lambda x: (lambda k: k(x))(steep)])
def test_rules_of_the_users_hold_when_found_at_run_time(f):
    assert tangent.grad(lambda x: f(x))(3.0) == 100.0
