"""Functions of autograd's are NumPy's where it records nothing. autograd itself is tried by `tests/packages` (lifelines)."""
import sys
import types

import numpy as np
import pytest

import tangent
from tangent.frontend import array_modules


def primitive(f_raw):
    """What `autograd.tracer.primitive` makes of a function: a wrapper with the function as `fun`."""
    def wrapped(*args, **keywords):
        if any(type(a).__name__ == 'ArrayBox' for a in args):
            raise NotImplementedError
        return f_raw(*args, **keywords)
    wrapped.fun, wrapped._is_autograd_primitive, wrapped.__module__ = f_raw, True, 'autograd.tracer'
    return wrapped


@pytest.fixture
def anp(monkeypatch):
    module = types.ModuleType('autograd.numpy')
    for name in ('sin', 'log', 'sum', 'clip'):
        setattr(module, name, primitive(getattr(np, name)))
    array_modules._functions.cache_clear()
    own = lambda arr_list, axis=0: np.hstack(arr_list)  # noqa: E731
    own.__module__ = 'autograd.numpy.numpy_wrapper'
    module.concatenate = own
    monkeypatch.setitem(sys.modules, 'autograd', types.ModuleType('autograd'))
    monkeypatch.setitem(sys.modules, 'autograd.numpy', module)
    return module


@primitive
def doubled(v):
    return 2.0 * v


def test_they_have_the_rules_of_numpy(anp):
    def f(x):
        return anp.sum(anp.log(x) * anp.clip(x, 0.5, 3.0)) + anp.sum(doubled(anp.sin(x)))

    x = np.array([0.7, 1.2, 2.0])
    wanted = np.log(x) + 1 + 2 * np.cos(x)
    np.testing.assert_allclose(tangent.grad(f)(x), wanted)
    np.testing.assert_allclose(tangent.jvp(f)(x, np.ones(3)), wanted.sum())
    assert '_grads' not in tangent.source(tangent.grad(f))


def test_functions_with_the_name_of_numpys_are_taken_for_these(anp):
    def f(x):
        return np.sum(anp.concatenate([x, x * x]))

    x = np.array([0.7, 1.2])
    np.testing.assert_allclose(tangent.grad(f)(x), 1 + 2 * x)
    assert 'unconcatenate' in tangent.source(tangent.grad(f))
