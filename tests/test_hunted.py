"""Wrong derivatives that programs of many kinds have shown: each function here was silently wrong, or a raw error, once.

All are checked in the same way: reverse and forward mode against differences, second derivatives in all mixes against
differences of the gradient.
"""
import pytest

import tangent
from tests import hunted, hunted_operators  # noqa: F401 (they register)
from tests.hunting import FOUND
from tests.python_corpus import orders
from tests.python_corpus.judge import judge
from tests.random_programs import Outcome


@pytest.mark.parametrize('entry, mixes', FOUND, ids=[e.name for e, _ in FOUND])
def test_right(entry, mixes):
    assert judge(entry) == Outcome('right')
    along = orders.directions(entry, 1), orders.directions(entry, 2)
    known = {}
    for mix in mixes:
        order = len(mix)
        if order not in known:
            known[order] = orders.expected(entry, 2, along) if order == 2 else along_first(entry, along)
        assert orders.found(entry, mix, along) == pytest.approx(known[order], rel=orders.CLOSE[order])


def along_first(entry, along):
    gradients = orders.many(entry, tangent.grad(entry.function, wrt=entry.wrt)(*entry.make()))
    return orders.inner(entry, gradients, along[0])
