"""Classes in sight whose objects do not come where they could run code: the text stays structured; and where they do come."""
import numpy as np
import pytest

import tangent
from tests.analysis import bystanders

GIVEN = {'given_object': (bystanders.Vec(1.5, 1.0),), 'given_list': ([bystanders.Vec(1.5, 1.0)],)}


@pytest.mark.parametrize('function', bystanders.FREE, ids=lambda f: f.__name__)
def test_stay_structured(function):
    assert '_grads' not in tangent.grad(function).source


@pytest.mark.parametrize('function', bystanders.FREE + bystanders.REACHED, ids=lambda f: f.__name__)
def test_right_or_refused(function):
    args = GIVEN.get(function.__name__, ())
    value = lambda x: bystanders.afresh(function)(x, *args)  # noqa: E731
    expected = (value(1.7 + 1e-6) - value(1.7 - 1e-6)) / 2e-6
    for make in (tangent.grad, lambda f: lambda *a: tangent.jvp(f, wrt=(0,))(*a, 1.0)):
        try:
            derivative = make(function)
            for _ in range(4):                                     # texts for known kinds are made for the third call
                bystanders.afresh(function)
                np.testing.assert_allclose(derivative(1.7, *args), expected, rtol=1e-6)
        except tangent.TangentError:
            assert function.__name__ in bystanders.REFUSED


def test_functions_named_as_methods():
    derivative = tangent.grad(bystanders.with_namesakes, wrt=(1,))
    v, f = bystanders.Vec(2.0, 1.0), bystanders.with_namesakes
    expected = (f(v, 1.5 + 1e-6) - f(v, 1.5 - 1e-6)) / 2e-6
    assert all(np.isclose(derivative(v, 1.5), expected) for _ in range(4))
    assert 'norm(3.0) + scaled(2.0, 3.0)' in tangent.source(tangent.grad(f), v, 1.5)
