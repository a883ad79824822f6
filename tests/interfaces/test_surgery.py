# ruff: noqa: F841 - assigning to the name of the gradient is how it is replaced
"""Gradient surgery: code put into the backward pass with `insert_grad_of` runs there, once, and may replace the gradient."""
import inspect

import numpy as np
import pytest

import tangent
from tangent import insert_grad_of
from tests.tools.checking import assert_close

WAYS = pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])


@tangent.tangent
def clipped(x):
    y = x * x
    with insert_grad_of(y) as dy:
        dy = np.clip(dy, -1.0, 1.0)
    return y * 10.0


@tangent.differentiable
def printed(x, y):
    z = x * y
    with insert_grad_of(z) as g:
        print('gradient of z is', g)
    return z * z


@tangent.tangent
def doubled_on_the_way(x, n):
    y = x
    for _ in range(n):
        y = y * x
        with insert_grad_of(y) as dy:
            dy = dy * 2.0
    return y


@tangent.tangent
def gate(x):
    with insert_grad_of(x) as dx:
        if dx > 5.0:
            dx = 5.0
    return x * 3.0


def uses_gate(x):
    return gate(x * x) * 2.0


@tangent.tangent
def two_places(x, w):
    h = np.tanh(w * x)
    with insert_grad_of(h) as dh:
        dh = dh / np.linalg.norm(dh)
    s = np.sum(h * h)
    with insert_grad_of(s) as ds:
        ds = 7.0 * ds
    return s


@tangent.tangent
def recurrent(w, xs):
    h = np.zeros(2)
    for x in xs:
        h = np.tanh(w @ h + x)
        with insert_grad_of(h) as dh:
            dh = np.clip(dh, -0.1, 0.1)
    return np.sum(h)


@tangent.tangent
def before_a_name_is_used_again(x):
    y = x * 2.0
    with insert_grad_of(y) as dy:
        dy = dy + 100.0
    y = y * 3.0
    return y


def plain(x):
    with insert_grad_of(x) as dx:
        dx = dx * 2
    return x


def recurrent_by_hand(w, xs):
    hs = [np.zeros(2)]
    for x in xs:
        hs.append(np.tanh(w @ hs[-1] + x))
    bw, bh = np.zeros_like(w), np.ones(2)
    for h, before in zip(hs[:0:-1], hs[-2::-1]):
        bz = np.clip(bh, -0.1, 0.1) * (1 - h * h)
        bw += np.outer(bz, before)
        bh = w.T @ bz
    return bw


@WAYS
def test_clipping(optimized):
    assert tangent.grad(clipped, optimized=optimized)(2.0) == 4.0
    assert tangent.grad(clipped, optimized=optimized)(2.0, 0.05) == 2.0


@WAYS
def test_prints_once(optimized, capsys):
    assert tangent.grad(printed, wrt=(0, 1), optimized=optimized)(2.0, 3.0) == (36.0, 24.0)
    assert capsys.readouterr().out == 'gradient of z is 12.0\n'


@WAYS
def test_in_a_loop(optimized):
    df = tangent.grad(doubled_on_the_way, optimized=optimized)
    assert df(1.5, 0) == 1.0
    assert df(1.5, 1) == 2 * (1.5 + 1.5)
    assert df(1.5, 2) == 2 * (1.5 * 1.5 + 2 * 1.5 * (1.5 + 1.5))


@WAYS
def test_in_a_helper(optimized):
    df = tangent.grad(uses_gate, optimized=optimized)
    assert df(2.0) == 5.0 * 2 * 2.0
    assert df(2.0, 0.5) == 3.0 * 2 * 2.0


@WAYS
def test_two_places(optimized):
    x, w = np.array([0.3, -0.2]), np.array([1.0, 2.0])
    h = np.tanh(w * x)
    dh = 14 * h
    right = dh / np.linalg.norm(dh) * (1 - h * h)
    gx, gw = tangent.grad(two_places, wrt=(0, 1), optimized=optimized)(x, w)
    assert_close(gx, right * w)
    assert_close(gw, right * x)


@WAYS
@pytest.mark.parametrize('motion', ['joint', 'split'])
def test_recurrent(motion, optimized):
    w, xs = np.array([[0.3, 0.2], [-0.5, 0.1]]), np.array([[0.3, 0.1], [0.2, -0.4], [0.9, 0.5]])
    df = tangent.autodiff(recurrent, optimized=optimized, motion=motion,
                          input_derivative=tangent.INPUT_DERIVATIVE.DefaultOne)
    assert_close(df(w, xs), recurrent_by_hand(w, xs))


@WAYS
def test_name_used_again(optimized):
    assert tangent.grad(before_a_name_is_used_again, optimized=optimized)(1.0) == (3.0 + 100.0) * 2.0


def test_decorated_functions_are_called_as_usual(capsys):
    assert clipped(2.0) == 40.0
    assert printed(2.0, 3.0) == 36.0
    assert capsys.readouterr().out == ''
    assert clipped.__name__ == 'clipped'
    assert 'insert_grad_of' in inspect.getsource(clipped.tangent)


def test_outside_of_a_derivative_it_is_an_error():
    with pytest.raises(ValueError, match='tangent') as caught:
        plain(1.0)
    assert isinstance(caught.value, tangent.errors.TangentError)


def test_undecorated_functions_can_be_differentiated():
    assert tangent.grad(plain)(3.0) == 2.0


def test_inserted_code_is_marked():
    assert '# Inserted code' in tangent.source(tangent.grad(clipped))


def of_no_variable(x):
    with insert_grad_of(z) as dx:  # noqa: F821
        dx = 1.0  # noqa: F841
    return x * x


def without_a_name(x):
    with insert_grad_of(x):
        pass
    return x * x


@pytest.mark.parametrize('f, said', [(of_no_variable, 'for what is no variable of the function'),
                                     (without_a_name, r'write with insert_grad_of\(x\) as dx:')])
def test_blocks_that_say_nothing_are_refused(f, said):
    with pytest.raises(tangent.TangentParseError, match=said):
        tangent.grad(f)(1.0)
