"""Callees whose names are bound anew, after the derivative was made, to functions with other parameters."""
import pytest

import tangent
from tests.tools.texts import define

BEFORE = '''
def g(a, b):
    return a * a * b

def f(x, y):
    return g(x, y)

def h(x, y):
    return g(a=x, b=y)
'''


def rebound(text, name='f'):
    """Derivatives by both arguments, in reverse and forward mode, after g was bound anew."""
    space = vars(define(BEFORE))
    back, push = tangent.grad(space[name], wrt=(0, 1)), tangent.jvp(space[name], wrt=(0, 1))
    assert [back(2.0, 3.0) for _ in range(3)] == [(12.0, 4.0)] * 3 and push(2.0, 3.0, 1.0, 0.0) == 12.0
    space['g'] = define(text).g
    return back, lambda: (push(2.0, 3.0, 1.0, 0.0), push(2.0, 3.0, 0.0, 1.0))


@pytest.mark.parametrize('text', ['def g(u, v):\n    return u * u * u * v', 'def g(a, v):\n    return a * a * a * v'])
def test_other_names_in_the_same_places(text):
    back, push = rebound(text)
    assert [back(2.0, 3.0) for _ in range(3)] == [(36.0, 8.0)] * 3
    assert push() == (36.0, 8.0)


@pytest.mark.parametrize('text', ['def g(b, a):\n    return b * b * b * a', 'def g(u, *a):\n    return u * u * u * a[0]'])
def test_the_same_names_in_other_places(text):
    back, push = rebound(text)
    for _ in range(3):
        found = right_or_refused(lambda: back(2.0, 3.0))
        assert found is None or found == (36.0, 8.0)
    assert right_or_refused(push) in (None, (36.0, 8.0))


def right_or_refused(call):
    try:
        return call()
    except tangent.errors.ArgumentTypeError as error:
        assert 'make it again' in str(error)
        return None


def test_by_keyword():
    back, push = rebound('def g(b, a):\n    return a * a * a * b', 'h')
    assert right_or_refused(lambda: back(2.0, 3.0)) in (None, (36.0, 8.0))
    assert right_or_refused(push) in (None, (36.0, 8.0))
