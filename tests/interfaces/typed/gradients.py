"""Derivatives keep the parameters of their function, and gradients have the type of what they are by."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from typing_extensions import assert_type

import tangent
from tangent import func

Array = npt.NDArray[np.float64]
Params = dict[str, Array]


def square(x: float, scale: float = 1.0) -> float:
    return x * x * scale


def loss(params: Params, x: Array, y: Array) -> float:
    return float(np.sum((x @ params['w'] + params['b'] - y) ** 2))


def with_aux(x: Array) -> tuple[float, dict[str, Array]]:
    return float(np.sum(x)), {'x': x}


def wave(x: Array) -> Array:
    return np.sin(x)


def untyped(x, w=1.0, *rest, **more):  # type: ignore[no-untyped-def]
    return x * w


assert_type(tangent.grad(square)(2.0), float)
assert_type(tangent.grad(square)(2.0, scale=3.0), float)
assert_type(tangent.grad(square)(x=2.0), float)
assert_type(tangent.value_and_grad(square)(2.0), tuple[float, float])
gradient = tangent.grad(loss)
params: Params = {'w': np.ones(2), 'b': np.zeros(3)}
batch, targets = np.ones((3, 2)), np.zeros(3)
assert_type(gradient(params, batch, targets), Params)
params = {key: value - 0.1 * gradient(params, batch, y=targets)[key] for key, value in params.items()}
value, by_params = tangent.value_and_grad(loss)(params, batch, targets)
assert_type(value, float)
assert_type(by_params, Params)
assert_type(tangent.elementwise_grad(wave)(np.ones(2)), Array)
assert_type(func.grad(square)(1.0), float)
assert_type(func.value_and_grad(square)(x=1.0, scale=2.0), tuple[float, float])
assert_type(tangent.remat(square)(1.0), float)
assert_type(tangent.tree_map(lambda p, g: p - 0.1 * g, {'w': 1.0}, {'w': 2.0}), dict[str, float])
text: str = tangent.source(gradient) + gradient.source + gradient.__name__

by_w, by_x = tangent.grad(square, wrt=(0, 1))(2.0, 3.0)
by_name = tangent.grad(square, wrt='scale')(2.0, scale=3.0)
by_second = tangent.grad(square, argnums=1)(2.0, 3.0)
found, aux = tangent.grad(with_aux, has_aux=True)(np.ones(2))
both, result = tangent.grad(square, preserve_result=True)(2.0)
anything = tangent.grad(untyped)(3.0, 2.0, 1, more=2)
of_lambda = tangent.grad(lambda x: x * x)(3.0)
of_two = tangent.grad(lambda x, w: x * w, wrt=(0, 1))(3.0, 2.0)
of_builtin = tangent.elementwise_grad(np.tanh)(np.ones(2))
slope = tangent.grad(square)
second = tangent.grad(tangent.grad(square))(2.0)
assert_type(tangent.grad(slope)(2.0), float)
hessian: Array = tangent.jacobian(tangent.elementwise_grad(wave))(np.ones(2))
saved: str = str(tangent.view(slope).save('slope.html'))
third = tangent.jacobian(tangent.jacobian(wave))(np.ones(2))

derivatives: list[Callable[..., Any]] = [tangent.grad(square), tangent.jvp(square), tangent.hessian(loss), tangent.hvp(loss)]
matrix = tangent.jacobian(wave, mode='forward', chunk_size=2)(np.ones(2)) @ np.ones(2)
half, aux = tangent.jacfwd(wave, has_aux=True)(np.ones(2))
curvature = tangent.hvp(loss)(params, batch, targets, params)
pulled = tangent.vjp(wave)(np.ones(2), np.ones(2))
pushed = tangent.jvp(wave, batched=True)(np.ones(2), np.eye(2))
seeded = tangent.autodiff(wave, mode='reverse', motion='joint')(np.ones(2), np.ones(2))
named: dict[str, Any] = tangent.multigrad_dict(square)(2.0)
back, start = tangent.make_vjp(wave)(np.ones(2))
assert_type(start, Array)

at, pull = func.vjp(wave, np.ones(2))
assert_type(at, Array)
by_wave, = pull(np.ones(2))
at, push = func.linearize(wave, np.ones(2))
primal, tangents = func.jvp(wave, (np.ones(2),), (np.ones(2),))
g, v = func.grad_and_value(square)(1.0)
