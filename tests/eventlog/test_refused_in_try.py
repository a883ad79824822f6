"""A refusal found when running is no exception of the user's: their handlers do not hide it."""
import pytest

import tangent


def hidden(y):
    kept = y
    try:
        numbers = (q for q in [y, 1.0])
        next(numbers)
        kept = 1.5
    except ValueError:
        pass
    return kept


def test_the_users_handler_does_not_hide_a_refusal():
    with pytest.raises(tangent.TangentError):
        tangent.grad(hidden)(2.0)


def caught(y):
    try:
        y = y * int('no number')
    except ValueError:
        y = y * 3.0
    return y


def test_their_own_exceptions_are_handled():
    assert tangent.grad(caught)(2.0) == 3.0
