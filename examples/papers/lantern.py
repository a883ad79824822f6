"""The networks of the Lantern paper (Wang, Zheng, Decker, Wu, Essertel, Rompf: Demystifying differentiable programming, 2019).

    python examples/papers/lantern.py

A TreeLSTM, a recursive function over trees of different shapes; a vanilla RNN and an LSTM over characters; a convolutional
network. Each is written as one writes it without derivatives.
"""
from typing import NamedTuple

import numpy as np

import tangent


class Tree:
    """A sentence: a word, or two sentences; each has a label."""

    def __init__(self, label, word=None, left=None, right=None):
        self.label, self.word, self.left, self.right = label, word, left, right

    def __len__(self):
        return 1 if self.left is None else 1 + len(self.left) + len(self.right)


class TreeParameters(NamedTuple):
    embedding: np.ndarray      # words x hidden
    leaf: np.ndarray           # 3 hidden x hidden: input, output, update
    leaf_bias: np.ndarray
    node: np.ndarray           # 5 hidden x 2 hidden: input, forget left, forget right, output, update
    node_bias: np.ndarray
    out: np.ndarray            # labels x hidden
    out_bias: np.ndarray


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def tree_lstm(tree, p):
    """(loss of the tree and of all in it, hidden state, cell state)"""
    n = p.out.shape[1]
    if tree.left is None:
        gates = p.leaf @ p.embedding[tree.word] + p.leaf_bias
        c = sigmoid(gates[:n]) * np.tanh(gates[2 * n:])
        h = sigmoid(gates[n:2 * n]) * np.tanh(c)
        return cross_entropy(p.out @ h + p.out_bias, tree.label), h, c
    left_loss, left_h, left_c = tree_lstm(tree.left, p)
    right_loss, right_h, right_c = tree_lstm(tree.right, p)
    gates = p.node @ np.concatenate([left_h, right_h]) + p.node_bias
    c = (sigmoid(gates[:n]) * np.tanh(gates[4 * n:])
         + sigmoid(gates[n:2 * n]) * left_c + sigmoid(gates[2 * n:3 * n]) * right_c)
    h = sigmoid(gates[3 * n:4 * n]) * np.tanh(c)
    return left_loss + right_loss + cross_entropy(p.out @ h + p.out_bias, tree.label), h, c


def cross_entropy(logits, label):
    top = np.max(logits)
    return np.log(np.sum(np.exp(logits - top))) + top - logits[label]


def tree_loss(p, tree):
    loss, _, _ = tree_lstm(tree, p)
    return loss


def random_tree(leaves, rng, words=20, labels=5):
    """A tree with so many words, split anywhere."""
    if leaves == 1:
        return Tree(int(rng.randint(labels)), word=int(rng.randint(words)))
    k = int(rng.randint(1, leaves))
    return Tree(int(rng.randint(labels)), left=random_tree(k, rng, words, labels),
                right=random_tree(leaves - k, rng, words, labels))


def tree_parameters(hidden, rng, words=20, labels=5):
    def matrix(*shape):
        return rng.randn(*shape) / np.sqrt(shape[-1])
    return TreeParameters(matrix(words, hidden), matrix(3 * hidden, hidden), np.zeros(3 * hidden),
                          matrix(5 * hidden, 2 * hidden), np.zeros(5 * hidden), matrix(labels, hidden), np.zeros(labels))


def rnn_loss(w_in, w_state, w_out, b_state, b_out, text):
    """A vanilla RNN that predicts the next character of a text (as numbers)."""
    h = np.zeros(len(b_state))
    loss = 0.0
    for current, following in zip(text[:-1], text[1:]):
        h = np.tanh(w_in[:, current] + w_state @ h + b_state)
        loss += cross_entropy(w_out @ h + b_out, following)
    return loss / (len(text) - 1)


def lstm_loss(w_in, w_state, w_out, b_state, b_out, text):
    """The same with an LSTM."""
    n = w_state.shape[1]
    h, c = np.zeros(n), np.zeros(n)
    loss = 0.0
    for current, following in zip(text[:-1], text[1:]):
        gates = w_in[:, current] + w_state @ h + b_state
        forget, update, output = (sigmoid(gates[k * n:(k + 1) * n]) for k in range(3))
        c = forget * c + update * np.tanh(gates[3 * n:])
        h = output * np.tanh(c)
        loss += cross_entropy(w_out @ h + b_out, following)
    return loss / (len(text) - 1)


def convolution(x, kernels):
    """Valid convolution of channels x height x width with out x channels x k x k, by windows."""
    k = kernels.shape[-1]
    rows, columns = x.shape[1] - k + 1, x.shape[2] - k + 1
    out = np.empty((len(kernels), rows, columns))
    for i in range(rows):
        for j in range(columns):
            out[:, i, j] = np.tensordot(kernels, x[:, i:i + k, j:j + k], axes=3)
    return out


def max_pool(x):
    channels, rows, columns = x.shape
    return x.reshape(channels, rows // 2, 2, columns // 2, 2).max(axis=(2, 4))


def cnn_loss(kernels1, kernels2, w, b, image, label):
    h = max_pool(np.maximum(convolution(image, kernels1), 0.0))
    h = max_pool(np.maximum(convolution(h, kernels2), 0.0))
    return cross_entropy(w @ h.ravel() + b, label)


def train(trees, hidden=8, steps=12, rate=0.05):
    """Losses of a few steps of gradient descent over some trees."""
    p = tree_parameters(hidden, np.random.RandomState(0))
    losses = []
    gradient = tangent.value_and_grad(tree_loss)
    for _ in range(steps):
        total = 0.0
        for tree in trees:
            loss, g = gradient(p, tree)
            p = TreeParameters(*(x - rate * dx for x, dx in zip(p, g)))
            total += loss
        losses.append(total)
    return losses


if __name__ == '__main__':
    rng = np.random.RandomState(1)
    losses = train([random_tree(n, rng) for n in (3, 5, 9, 4)])
    print('TreeLSTM, loss over four trees:', ' '.join(f'{loss:.2f}' for loss in losses[::3]))
