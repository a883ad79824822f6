"""Derivatives are pickled as a function and options, and are made anew from these where they arrive."""
import copy
import functools
import multiprocessing.reduction
import pickle
import subprocess
import sys

import numba
import numpy as np
import pytest

import tangent
from tangent import func
from tests import ROOT

W, X = np.array([0.3, 0.5]), np.array([1.0, 2.0])


def loss(w, x):
    return np.sum(np.tanh(w * x))


def wave(w):
    return np.sin(w) * w[0]


@numba.njit
def square(w):
    return np.sum(w * w)


@tangent.checkpoint
def block(w):
    return np.sum(np.tanh(w) ** 2)


class Model:
    def loss(self, x):
        return np.sum(x * x)


@tangent.vmap
def length(x):
    return np.sqrt(np.sum(x * x))


MADE = {
    'grad': (tangent.grad(loss), (W, X)),
    'names': (tangent.grad(loss, wrt=('w', 'x')), (W, X)),
    'value_and_grad': (tangent.value_and_grad(loss, argnums=(0,)), (W, X)),
    'func.grad': (func.grad(loss), (W, X)),
    'jvp': (tangent.jvp(loss), (W, X, X)),
    'jacobian': (tangent.jacobian(wave), (W,)),
    'of a gradient': (tangent.jacobian(tangent.grad(loss)), (W, X)),
    'hvp': (tangent.hvp(loss), (W, X, X)),
    'vmap': (tangent.vmap(tangent.grad(loss), in_axes=(None, 0)), (1.0, X)),
    'decorator': (length, (np.ones((2, 2)),)),
    'by Numba': (tangent.grad(square), (W,)),
    'partial': (tangent.grad(functools.partial(loss, W)), (X,)),
    'method': (tangent.grad(Model.loss, 'x'), (Model(), X)),
    'checkpoint': (tangent.grad(tangent.checkpoint(loss)), (W, X)),
    'decorated checkpoint': (tangent.grad(block), (W,)),
    'jacobian of a partial': (tangent.jacobian(functools.partial(loss, x=2.0)), (W,)),
    'numpy': (tangent.grad(np.sinh), (0.3,)),
    'holomorphic': (tangent.holomorphic_grad(np.sin), (1j,)),
}


def call(derivative, args):
    return derivative(*args)


@pytest.mark.parametrize('name', MADE)
def test_through_pickle(name):
    derivative, args = MADE[name]
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(derivative, protocol))
        assert again is derivative or isinstance(derivative, functools.partial)
    assert copy.deepcopy(derivative) is derivative or not isinstance(derivative, type(call))
    copy.copy(derivative)
    assert repr(again(*args)) == repr(derivative(*args))


def test_in_another_process():
    names = [name for name in MADE if name != 'by Numba']
    with multiprocessing.get_context('spawn').Pool(1) as pool:
        found = pool.starmap(call, [MADE[name] for name in names])
    assert repr(found) == repr([call(*MADE[name]) for name in names])


def test_of_a_function_of_the_script_that_runs(tmp_path):
    pytest.importorskip('joblib')
    script = tmp_path / 'script.py'
    script.write_text('''
import joblib
import numpy as np
import tangent

def cube(x):
    return np.sum(x ** 3)

if __name__ == '__main__':
    derivative = tangent.grad(cube)
    print(joblib.Parallel(n_jobs=2, backend='loky')(joblib.delayed(derivative)(x) for x in (1.0, 2.0)))
''', encoding='utf-8')
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env={'PYTHONPATH': str(ROOT), 'PATH': ''})
    assert done.stdout == '[3.0, 12.0]\n', done.stderr


def test_what_it_is_called_says_how_it_was_made():
    assert 'tangent/grad(tests/interfaces/test_pickle/loss, wrt=' in repr(MADE['names'][0])
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
        MADE['grad'][0](W)


def test_functions_that_cannot_be_imported_are_refused_by_pickle():
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(tangent.grad(lambda x: x * x))


def test_of_several_made_alike_each_is_found():
    one, two = tangent.jacobian(wave), tangent.jacobian(wave)
    assert one is not two and pickle.loads(pickle.dumps((one, two))) == (one, two)


def test_a_function_that_was_defined_anew_is_derived_anew(monkeypatch):
    text = pickle.dumps(tangent.grad(loss))
    monkeypatch.setattr(sys.modules[__name__], 'loss', other)
    assert pickle.loads(text)(W, X) == pytest.approx(np.ones(2))


def other(w, x):
    return np.sum(w)


@pytest.mark.parametrize('dumps', [pickle.dumps, multiprocessing.reduction.ForkingPickler.dumps])
def test_the_derivative_of_a_method_goes_with_its_object(dumps):
    for made in (tangent.grad(scaled.loss), tangent.grad(scaled, wrt='x'), tangent.value_and_grad(scaled.loss, argnums=(0,))):
        again = pickle.loads(dumps(made))
        assert repr(again(X)) == repr(made(X)) and again.__self__ is not scaled
    assert pickle.loads(dumps(tangent.grad(Scaled.of_the_class)))(X).tolist() == [3.0, 3.0]
    assert pickle.loads(dumps(Model().loss))(X) == 5.0
    assert copy.copy(tangent.grad(scaled.loss))(X).tolist() == copy.deepcopy(tangent.grad(scaled.loss))(X).tolist() == [6.0, 12.0]


class Scaled:
    def __init__(self, a):
        self.a = a

    def loss(self, x):
        return self.a * np.sum(x * x)

    def __call__(self, x):
        return self.a * np.sum(x)

    @classmethod
    def of_the_class(cls, x):
        return np.sum(3 * x)


scaled = Scaled(3.0)


def test_the_name_stays_where_a_derivative_is_made_anew(monkeypatch):
    derivative = tangent.grad(of_factor)
    assert derivative(2.0) == 3.0
    name = derivative.__qualname__
    monkeypatch.setattr(sys.modules[__name__], 'factor', lambda x: 5.0 * x)
    assert derivative(2.0) == 5.0 and derivative.__qualname__ == name
    assert pickle.loads(pickle.dumps(derivative)) is derivative


def factor(x):
    return 3.0 * x


def of_factor(x):
    return factor(x)
