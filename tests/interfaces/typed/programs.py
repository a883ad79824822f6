"""A user's program: a class, decorators, a loop of steps, vmap, trees of parameters."""
from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import numpy.typing as npt

import tangent
from tangent import TangentError
from tangent.func import vmap

Array = npt.NDArray[np.float64]


@dataclasses.dataclass
class Dense:
    w: Array
    b: Array

    def __call__(self, x: Array) -> Array:
        return np.tanh(x @ self.w + self.b)


class Network:
    def __init__(self, sizes: list[int], seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        self.layers = [Dense(random.normal(size=(n, m)), np.zeros(m)) for n, m in zip(sizes, sizes[1:])]

    def predict(self, x: Array) -> Array:
        for layer in self.layers:
            x = layer(x)
        return x


def loss(net: Network, x: Array, y: Array) -> float:
    return float(np.mean((net.predict(x) - y) ** 2))


def train(net: Network, x: Array, y: Array, steps: int, rate: float = 0.1) -> list[float]:
    step = tangent.value_and_grad(loss)
    history = []
    for _ in range(steps):
        value, gradient = step(net, x, y)
        for layer, change in zip(net.layers, gradient.layers):
            layer.w -= rate * change.w
            layer.b -= rate * change.b
        history.append(value)
    return history


@tangent.checkpoint
def block(x: Array, w: float) -> Array:
    return np.tanh(x * w)


@tangent.custom_vjp
def softplus(x: float) -> float:
    return float(np.log1p(np.exp(x)))


def forward(x: float) -> tuple[float, float]:
    return softplus(x), x


def backward(x: float, g: float) -> tuple[float]:
    return (g / (1 + np.exp(-x)),)


softplus.defvjp(forward, backward)


@tangent.custom_jvp
def cube(x: float) -> float:
    return x ** 3


@cube.defjvp
def cube_rule(primals: tuple[float], tangents: tuple[float]) -> tuple[float, float]:
    x, = primals
    return cube(x), 3 * x * x * tangents[0]


@tangent.differentiable
def clipped(x: float) -> float:
    y = x * x
    with tangent.insert_grad_of(y) as dy:
        dy = min(dy, 1.0)
    return y + tangent.stop_gradient(x)


@partial(vmap, in_axes=(None, 0))
def rows(w: Array, x: Array) -> float:
    return float(np.sum(w * x))


def simulate(x: float, n: int) -> float:
    for _ in tangent.checkpointed(range(n)):
        x = x + 0.1 * np.sin(x)
    return x


if __name__ == '__main__':
    net, x, y = Network([3, 4, 1]), np.ones((5, 3)), np.zeros((5, 1))
    losses: list[float] = train(net, x, y, 3)
    shape: tuple[int, ...] = block(np.ones(2), 2.0).shape
    slope: float = tangent.grad(softplus)(0.0) + tangent.grad(cube)(2.0) + tangent.grad(clipped)(3.0)
    per_sample = tangent.vmap(tangent.grad(loss), in_axes=(None, 0, 0))(net, x[:, None], y[:, None])
    print(losses, shape, slope, per_sample.layers[0].w.shape, rows(np.ones(3), x), tangent.grad(simulate)(1.0, 10))
    tangent.check_grads(block, (np.ones(2), 2.0), order=1)
    try:
        print(tangent.explain(loss))
    except (TangentError, TypeError) as error:
        print(error)
