"""The models, in plain NumPy.

Tangent's (van Merrienboer, Moldovan, Wiltschko: Tangent: automatic differentiation using source-code transformation for
dynamically typed array programming, NeurIPS 2018): names that are bound again (Listing 2), a lattice that is updated row by
row (Listing 8), a perceptron (Listing 9). Lantern's (Wang, Zheng, Decker, Wu, Essertel, Rompf: Demystifying differentiable
programming, ICFP 2019, section 6): a vanilla RNN and an LSTM over characters, a TreeLSTM, a convolutional network.
"""
import numpy as np


def rebound(x, w):
    x = x * w
    x = np.sin(x) + x
    x = x * x
    return np.sum(x)


def lattice(x0, w, m):
    n = len(x0)
    total = 0.0
    for k in range(len(w)):
        x = np.copy(x0)
        for j in range(m):
            r = (7 * j + k) % n
            x[r] = np.tanh(w[k] * x[r] + x[(r + 1) % n])
        total = total + np.dot(x[k % n], x[(k + 7) % n])
    return total


def cross_entropy(logits, labels):
    top = np.max(logits, axis=1, keepdims=True)
    norm = np.log(np.sum(np.exp(logits - top), axis=1)) + top[:, 0]
    return np.mean(norm - logits[np.arange(len(labels)), labels])


def mlp(w1, b1, w2, b2, x, labels):
    hidden = np.tanh(x @ w1 + b1)
    return cross_entropy(hidden @ w2 + b2, labels)


def rnn(w_in, w_state, b_state, w_out, b_out, texts):
    """Predicts the next character of each of some texts: `texts[t]` has the characters at place t."""
    h = np.zeros((texts.shape[1], len(b_state)))
    loss = 0.0
    for t in range(len(texts) - 1):
        h = np.tanh(w_in[texts[t]] + h @ w_state + b_state)
        loss += cross_entropy(h @ w_out + b_out, texts[t + 1])
    return loss


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def lstm(w_in, w_state, b_state, w_out, b_out, texts):
    n = len(w_state)
    h = np.zeros((texts.shape[1], n))
    c = np.zeros((texts.shape[1], n))
    loss = 0.0
    for t in range(len(texts) - 1):
        gates = w_in[texts[t]] + h @ w_state + b_state
        c = sigmoid(gates[:, :n]) * c + sigmoid(gates[:, n:2 * n]) * np.tanh(gates[:, 3 * n:])
        h = sigmoid(gates[:, 2 * n:3 * n]) * np.tanh(c)
        loss += cross_entropy(h @ w_out + b_out, texts[t + 1])
    return loss


def convolution(images, kernels):
    """Of channels x images x height x width with kernels x channels x k x k: kernels x images x height' x width'."""
    size = kernels.shape[-1]
    rows, columns = images.shape[2] - size + 1, images.shape[3] - size + 1
    out = np.zeros((len(kernels), images.shape[1], rows, columns))
    for i in range(size):
        for j in range(size):
            out += np.tensordot(kernels[:, :, i, j], images[:, :, i:i + rows, j:j + columns], axes=1)
    return out


def pool(x):
    channels, count, rows, columns = x.shape
    return x.reshape(channels, count, rows // 2, 2, columns // 2, 2).max(axis=(3, 5))


def cnn(kernels1, kernels2, w1, b1, w2, b2, images, labels):
    h = pool(np.maximum(convolution(images, kernels1), 0.0))
    h = pool(np.maximum(convolution(h, kernels2), 0.0))
    h = np.maximum(h.transpose(1, 0, 2, 3).reshape(len(labels), -1) @ w1 + b1, 0.0)
    return cross_entropy(h @ w2 + b2, labels)
