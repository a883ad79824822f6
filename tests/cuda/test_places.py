"""Where CuPy computes, and what is held there: devices, streams, layers that go to the device one at a time."""
import weakref

import numpy as np
import pytest

import tangent
from tests.tools import fake_cupy
from tests.tools.strict_array import Strict, to_host
from tests.tools.texts import define

TEXT = '''
import cupy
import tangent

side = cupy.cuda.Stream(non_blocking=True)


def placed(x, w):
    with cupy.cuda.Device(1):
        y = cupy.tanh(x * w)
        with side:
            s = cupy.sum(y * y)
        side.synchronize()
    with cupy.cuda.Stream(non_blocking=True):
        u = s * s
    return u * cupy.sum(y)


def layer(w, x):
    return cupy.tanh(cupy.asarray(w) @ x)


def network(w, x):
    x = cupy.asarray(x)
    for k in range(len(w)):
        x = tangent.checkpoint(layer)(w[k], x)
    return cupy.sum(x * x)


def as_numpy(w, x):
    for k in range(len(w)):
        x = cupy.tanh(w[k] @ x)
    return cupy.sum(x * x)
'''


@pytest.fixture
def module():
    with fake_cupy.installed() as cupy:
        yield cupy, define(TEXT)


def test_a_device_is_entered_again_and_a_stream_is_not(module):
    cupy, programs = module
    x, w = np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])

    def by_hand(x):
        y = np.tanh(x * w)
        return np.sum(y * y) ** 2 * np.sum(y)
    expected = tangent.grad(by_hand)(x)
    for _ in range(3):
        fake_cupy.Place.entered.clear()
        found = tangent.grad(programs.placed)(cupy.asarray(x), cupy.asarray(w))
        assert fake_cupy.Place.entered == [('Device', 1), ('Stream',), ('Stream',), ('Device', 1)]
        assert to_host(found) == pytest.approx(expected)


def test_layers_of_a_file_are_on_the_device_one_at_a_time(module, tmp_path, monkeypatch):
    cupy, programs = module
    weights = np.memmap(tmp_path / 'weights', float, 'w+', shape=(30, 16, 16))
    weights[:] = np.random.default_rng(0).normal(size=weights.shape) / 4
    x = np.linspace(-1, 1, 16)
    expected = to_host(tangent.grad(programs.as_numpy)(cupy.asarray(np.array(weights)), cupy.asarray(x)))
    held, made, product = [], [], Strict.__matmul__

    def make(self, array):
        self._inner = array
        made.append(weakref.ref(self))

    def counted(a, b):
        made[:] = [o for o in made if o() is not None]
        held.append(sum(o()._inner.nbytes for o in made))
        return product(a, b)
    monkeypatch.setattr(Strict, '__init__', make)
    monkeypatch.setattr(Strict, '__matmul__', counted)
    for _ in range(3):
        found = tangent.grad(programs.network)(weights, x)
        assert isinstance(found.base, np.memmap) and found == pytest.approx(expected)
    assert max(held) < weights.nbytes / 4
