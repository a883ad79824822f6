"""Neural networks as people write them in NumPy."""
import numpy as np

from tests.corpora.kernels.kernels_linear import matrix
from tests.tools.registry import program


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def lstm_gates(W, b, xs, hidden):
    h, c = np.zeros(hidden), np.zeros(hidden)
    gates = np.empty(4 * hidden)
    for x in xs:
        gates[:] = W @ np.concatenate([x, h]) + b
        i, f, o, g = (gates[k * hidden:(k + 1) * hidden] for k in range(4))
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
    return h


@program('LSTM, preallocated gates', 0.5 * matrix(8, 5), matrix(8), matrix(3, 3))
def lstm_loss(W, b, xs):
    return np.sum(lstm_gates(W, b, xs, 2) ** 2)


def lstm_in_place(W, b, xs, hidden):
    T = len(xs)
    hs, cs = np.zeros((T + 1, hidden)), np.zeros((T + 1, hidden))
    gates = np.zeros((T, 4 * hidden))
    for t in range(T):
        gates[t] = W @ np.hstack([xs[t], hs[t]]) + b
        gates[t, :3 * hidden] = sigmoid(gates[t, :3 * hidden])
        gates[t, 3 * hidden:] = np.tanh(gates[t, 3 * hidden:])
        i, f, o, g = np.split(gates[t], 4)
        cs[t + 1] = f * cs[t] + i * g
        hs[t + 1] = o * np.tanh(cs[t + 1])
    return hs[1:]


@program('LSTM, preallocated gates', 0.5 * matrix(8, 5), matrix(8), matrix(3, 3))
def lstm_in_place_loss(W, b, xs):
    return np.sum(lstm_in_place(W, b, xs, 2) ** 2)


def convolve(image, kernel):
    kh, kw = kernel.shape
    out = np.empty((image.shape[0] - kh + 1, image.shape[1] - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(image[i:i + kh, j:j + kw] * kernel)
    return out


@program('convolution by windows', matrix(4, 4), matrix(2, 2))
def convolution_loss(image, kernel):
    return np.sum(np.maximum(convolve(image, kernel) - 1.5, 0.0) ** 2)


def max_pool(x, size):
    out = np.zeros((x.shape[0] // size, x.shape[1] // size))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = x[i * size:(i + 1) * size, j * size:(j + 1) * size].max()
    return out


@program('convolutional network', matrix(5, 5), matrix(2, 2), matrix(2, 4), matrix(2))
def cnn_loss(image, kernel, W, b):
    h = np.maximum(convolve(image, kernel), 0)
    p = max_pool(h, 2).ravel()
    logits = W @ p + b
    return np.log(np.sum(np.exp(logits))) - logits[0]


def conv2d_nchw(x, weights):
    n, _, h, w = x.shape
    k = weights.shape[2]
    out = np.zeros((n, weights.shape[0], h - k + 1, w - k + 1))
    for i in range(k):
        for j in range(k):
            out += np.einsum('nchw,oc->nohw', x[:, :, i:i + h - k + 1, j:j + w - k + 1], weights[:, :, i, j])
    return out


@program('convolution by shifts', matrix(1, 2, 3, 3), matrix(2, 2, 2, 2))
def conv2d_loss(x, weights):
    return np.sum(np.tanh(conv2d_nchw(x, weights)))


def tree_lstm(node, W, U, b):
    if isinstance(node, int):
        h, c = np.zeros(2), W[:, node]
        return h, c
    lh, lc = tree_lstm(node[0], W, U, b)
    rh, rc = tree_lstm(node[1], W, U, b)
    gates = U @ np.concatenate([lh, rh]) + b
    i, fl, fr, o, u = np.split(gates, 5)
    c = sigmoid(i) * np.tanh(u) + sigmoid(fl) * lc + sigmoid(fr) * rc
    return sigmoid(o) * np.tanh(c), c


@program('TreeLSTM', ((0, 1), (2, (1, 0))), matrix(2, 3), 0.5 * matrix(10, 4), matrix(10), wrt=(1, 2, 3))
def tree_lstm_loss(tree, W, U, b):
    h, c = tree_lstm(tree, W, U, b)
    return np.sum(h) + np.sum(c ** 2)


class Tree:
    def __init__(self, word=None, left=None, right=None):
        self.word, self.left, self.right = word, left, right

    @property
    def is_leaf(self):
        return self.left is None


class TreeRNN:
    def __init__(self, rng, words=3, size=2):
        self.E = rng.randn(words, size)
        self.W = rng.randn(size, 2 * size)
        self.b = rng.randn(size)

    def encode(self, tree):
        if tree.is_leaf:
            return self.E[tree.word]
        pair = np.concatenate([self.encode(tree.left), self.encode(tree.right)])
        return np.tanh(self.W @ pair + self.b)

    def loss(self, tree):
        return np.sum(self.encode(tree) ** 2)


def make_tree_rnn():
    tree = Tree(left=Tree(0), right=Tree(left=Tree(1), right=Tree(2)))
    return TreeRNN(np.random.RandomState(0)), tree


@program('TreeRNN as objects', make=make_tree_rnn, wrt=(0,))
def tree_rnn_loss(model, tree):
    return model.loss(tree)


class Linear:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def __call__(self, x):
        return x @ self.w + self.b


class MLP:
    def __init__(self, sizes, rng):
        self.layers = [Linear(rng.randn(m, n) * 0.5, np.zeros(n)) for m, n in zip(sizes, sizes[1:])]

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = np.maximum(layer(x), 0.1 * layer(x))
        return self.layers[-1](x)


def make_mlp():
    rng = np.random.RandomState(0)
    return MLP([3, 4, 2], rng), rng.randn(5, 3), np.array([0, 1, 1, 0, 1])


@program('model class', make=make_mlp, wrt=(0,))
def mlp_cross_entropy(model, x, labels):
    logits = model.forward(x)
    logits = logits - logits.max(axis=1, keepdims=True)
    logp = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return -np.mean(logp[np.arange(len(labels)), labels])


def train(w, x, y, rate, steps):
    for _ in range(steps):
        error = x @ w - y
        w -= rate * x.T @ error / len(y)
    return w


@program('unrolled training', matrix(2), matrix(4, 2), matrix(4), 0.3)
def meta_loss(w, x, y, rate):
    w = train(w.copy(), x, y, rate, 3)
    return np.sum((x @ w - y) ** 2)


class Adam:
    def __init__(self, rate, beta1=0.9, beta2=0.99):
        self.rate, self.beta1, self.beta2 = rate, beta1, beta2
        self.m, self.v, self.t = None, None, 0

    def step(self, params, grads):
        if self.m is None:
            self.m = [np.zeros_like(p) for p in params]
            self.v = [np.zeros_like(p) for p in params]
        self.t += 1
        for k, (p, g) in enumerate(zip(params, grads)):
            self.m[k] = self.beta1 * self.m[k] + (1 - self.beta1) * g
            self.v[k] = self.beta2 * self.v[k] + (1 - self.beta2) * g * g
            m = self.m[k] / (1 - self.beta1 ** self.t)
            v = self.v[k] / (1 - self.beta2 ** self.t)
            p -= self.rate * m / (np.sqrt(v) + 1e-3)


@program('optimiser with state', matrix(3), 0.1)
def adam_loss(w, rate):
    opt = Adam(rate)
    w = w.copy()
    for _ in range(3):
        opt.step([w], [2 * w])
    return np.sum(w ** 2)


def attention(q, k, v, mask):
    scores = q @ k.T / np.sqrt(q.shape[-1])
    scores[mask] = -1e9
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v


@program('attention', matrix(3, 2), matrix(3, 2, seed=1), matrix(3, 2, seed=2))
def attention_loss(q, k, v):
    mask = np.triu(np.ones((3, 3), dtype=bool), 1)
    return np.sum(attention(q, k, v, mask) ** 2)


class BatchNorm:
    def __init__(self, gamma, beta):
        self.gamma, self.beta = gamma, beta
        self.running = np.zeros_like(gamma)

    def __call__(self, x):
        mean = x.mean(axis=0)
        var = x.var(axis=0)
        self.running = 0.9 * self.running + 0.1 * mean
        return self.gamma * (x - mean) / np.sqrt(var + 1e-5) + self.beta


@program('normalisation with running mean', matrix(4, 2), matrix(2), matrix(2, seed=1))
def batch_norm_loss(x, gamma, beta):
    bn = BatchNorm(gamma, beta)
    y = bn(bn(x))
    return np.sum(np.sin(y)) + np.sum(bn.running)


def gru(params, xs, h):
    for x in xs:
        z = sigmoid(params['Wz'] @ x + params['Uz'] @ h)
        r = sigmoid(params['Wr'] @ x + params['Ur'] @ h)
        n = np.tanh(params['Wh'] @ x + params['Uh'] @ (r * h))
        h = (1 - z) * h + z * n
    return h


@program('GRU with a dict of parameters', {n: matrix(2, 2, seed=k) for k, n in enumerate(['Wz', 'Uz', 'Wr', 'Ur', 'Wh', 'Uh'])},
         matrix(3, 2), matrix(2))
def gru_loss(params, xs, h):
    return np.sum(gru(params, xs, h))


def vanilla_rnn(Wxh, Whh, Why, bh, by, inputs, targets):
    """Karpathy's min-char-rnn loss."""
    xs, hs, ps = {}, {}, {}
    hs[-1] = np.zeros((len(bh), 1))
    loss = 0
    for t in range(len(inputs)):
        xs[t] = np.zeros((Wxh.shape[1], 1))
        xs[t][inputs[t]] = 1
        hs[t] = np.tanh(np.dot(Wxh, xs[t]) + np.dot(Whh, hs[t - 1]) + bh)
        y = np.dot(Why, hs[t]) + by
        ps[t] = np.exp(y) / np.sum(np.exp(y))
        loss += -np.log(ps[t][targets[t], 0])
    return loss


@program('vanilla RNN with dicts of arrays', matrix(2, 3), matrix(2, 2), matrix(3, 2), matrix(2, 1), matrix(3, 1),
         [0, 2, 1], [2, 1, 0], wrt=(0, 1, 2, 3, 4))
def vanilla_rnn_loss(Wxh, Whh, Why, bh, by, inputs, targets):
    return vanilla_rnn(Wxh, Whh, Why, bh, by, inputs, targets)


class Value:
    """micrograd's forward half: an expression graph that somebody else built."""

    def __init__(self, data, children=()):
        self.data, self.children = data, children

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, (self, other))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, (self, other))

    def relu(self):
        return Value(0.0 if self.data < 0 else self.data, (self,))


@program('graph of values', 0.4, -0.3)
def value_graph(x, y):
    a, b = Value(x), Value(y)
    c = (a * b + 2.0) * a
    return (c.relu() + b * b).data


def gaussian_mixture(x, means, log_scales, logits):
    out = []
    for m, s in zip(means, log_scales):
        out.append(-0.5 * ((x - m) / np.exp(s)) ** 2 - s)
    terms = np.array(out) + logits[:, None]
    top = terms.max(axis=0)
    return np.sum(top + np.log(np.sum(np.exp(terms - top), axis=0)))


@program('mixture', matrix(4), matrix(2), matrix(2, seed=1), matrix(2, seed=2))
def mixture_loss(x, means, log_scales, logits):
    return gaussian_mixture(x, means, log_scales, logits)
