"""Networks: layers in lists, in objects, in a loop over time."""
from dataclasses import dataclass

import numpy as np

from benchmarks.readability import Program


def perceptron(layers, x, y):
    """Layers are pairs of weights and biases."""
    for w, b in layers:
        x = np.tanh(x @ w + b)
    return np.mean((x - y) ** 2)


def perceptron_adjoint(layers, x, y, bf=1.0):
    inputs = []
    for w, b in layers:
        inputs.append(x)
        x = np.tanh(x @ w + b)
    bx = 2 * bf * (x - y) / x.size
    blayers = []
    for (w, _), before in zip(reversed(layers), reversed(inputs)):
        bz = bx * (1 - x * x)
        blayers.append((before.T @ bz, np.sum(bz, axis=0)))
        bx = bz @ w.T
        x = before
    return blayers[::-1]


@dataclass
class Model:
    w1: np.ndarray
    b1: np.ndarray
    w2: np.ndarray
    b2: np.ndarray

    def forward(self, x):
        hidden = np.tanh(x @ self.w1 + self.b1)
        return hidden @ self.w2 + self.b2


def model_loss(model, x, y):
    return np.sum((model.forward(x) - y) ** 2)


def model_loss_adjoint(model, x, y, bf=1.0):
    hidden = np.tanh(x @ model.w1 + model.b1)
    bout = 2 * bf * (hidden @ model.w2 + model.b2 - y)
    bz = bout @ model.w2.T * (1 - hidden * hidden)
    return Model(x.T @ bz, np.sum(bz, axis=0), hidden.T @ bout, np.sum(bout, axis=0))


def cell(h, x, w, u, b):
    return np.tanh(w @ x + u @ h + b)


def recurrent(w, u, b, inputs, target):
    h = np.zeros(len(b))
    for x in inputs:
        h = cell(h, x, w, u, b)
    return np.sum((h - target) ** 2)


def recurrent_adjoint(w, u, b, inputs, target, bf=1.0):
    states = [np.zeros(len(b))]
    for x in inputs:
        states.append(cell(states[-1], x, w, u, b))
    bw, bu, bb = np.zeros_like(w), np.zeros_like(u), np.zeros_like(b)
    bh = 2 * bf * (states[-1] - target)
    for t in reversed(range(len(inputs))):
        bz = bh * (1 - states[t + 1] ** 2)
        bw += np.outer(bz, inputs[t])
        bu += np.outer(bz, states[t])
        bb += bz
        bh = u.T @ bz
    return bw, bu, bb


class Dense:
    def __init__(self, weights, biases):
        self.weights = weights
        self.biases = biases

    def apply(self, x):
        return np.maximum(x @ self.weights + self.biases, 0.0)


class Network:
    def __init__(self, layers):
        self.layers = layers

    def apply(self, x):
        for layer in self.layers:
            x = layer.apply(x)
        return x


def network_loss(network, x, y):
    return np.mean((network.apply(x) - y) ** 2)


def dense_adjoint(layer, x, out, bout):
    bz = bout * (out > 0)
    return bz @ layer.weights.T, Dense(x.T @ bz, np.sum(bz, axis=0))


def network_loss_adjoint(network, x, y, bf=1.0):
    values = [x]
    for layer in network.layers:
        values.append(layer.apply(values[-1]))
    bx = 2 * bf * (values[-1] - y) / y.size
    blayers = []
    for k in reversed(range(len(network.layers))):
        bx, blayer = dense_adjoint(network.layers[k], values[k], values[k + 1], bx)
        blayers.append(blayer)
    return Network(blayers[::-1])


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def attention(queries, keys, values, target):
    scores = queries @ keys.T / np.sqrt(keys.shape[1])
    return np.sum((softmax(scores) @ values - target) ** 2)


def softmax_adjoint(p, bp):
    return p * (bp - np.sum(bp * p, axis=-1, keepdims=True))


def attention_adjoint(queries, keys, values, target, bf=1.0):
    scale = np.sqrt(keys.shape[1])
    p = softmax(queries @ keys.T / scale)
    bout = 2 * bf * (p @ values - target)
    bscores = softmax_adjoint(p, bout @ values.T) / scale
    return bscores @ keys, bscores.T @ queries, p.T @ bout


def layer_norm(x, gain, shift, target):
    centred = x - np.mean(x, axis=1, keepdims=True)
    deviation = np.sqrt(np.mean(centred ** 2, axis=1, keepdims=True) + 1e-5)
    return np.sum((centred / deviation * gain + shift - target) ** 2)


def layer_norm_adjoint(x, gain, shift, target, bf=1.0):
    centred = x - np.mean(x, axis=1, keepdims=True)
    deviation = np.sqrt(np.mean(centred ** 2, axis=1, keepdims=True) + 1e-5)
    z = centred / deviation
    bout = 2 * bf * (z * gain + shift - target)
    bz = bout * gain
    bx = (bz - np.mean(bz, axis=1, keepdims=True) - z * np.mean(bz * z, axis=1, keepdims=True)) / deviation
    return bx, np.sum(bout * z, axis=0), np.sum(bout, axis=0)


def dense(rng, inputs, outputs):
    return rng.normal(size=(inputs, outputs)) / np.sqrt(inputs), 0.1 * rng.normal(size=outputs)


PROGRAMS = [
    Program(perceptron, perceptron_adjoint, (0,), lambda rng: (
        [dense(rng, 5, 8), dense(rng, 8, 8), dense(rng, 8, 3)], rng.normal(size=(16, 5)), rng.normal(size=(16, 3)))),
    Program(model_loss, model_loss_adjoint, (0,), lambda rng: (
        Model(*dense(rng, 5, 8), *dense(rng, 8, 3)), rng.normal(size=(16, 5)), rng.normal(size=(16, 3)))),
    Program(recurrent, recurrent_adjoint, (0, 1, 2), lambda rng: (
        0.5 * rng.normal(size=(6, 4)), 0.5 * rng.normal(size=(6, 6)), rng.normal(size=6),
        rng.normal(size=(10, 4)), rng.normal(size=6))),
    Program(network_loss, network_loss_adjoint, (0,), lambda rng: (
        Network([Dense(*dense(rng, 5, 8)), Dense(*dense(rng, 8, 3))]), rng.normal(size=(16, 5)), rng.normal(size=(16, 3)))),
    Program(attention, attention_adjoint, (0, 1, 2), lambda rng: (
        rng.normal(size=(6, 4)), rng.normal(size=(7, 4)), rng.normal(size=(7, 3)), rng.normal(size=(6, 3)))),
    Program(layer_norm, layer_norm_adjoint, (0, 1, 2), lambda rng: (
        rng.normal(size=(6, 8)), rng.normal(size=8), rng.normal(size=8), rng.normal(size=(6, 8)))),
]
