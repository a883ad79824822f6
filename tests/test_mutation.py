"""Every way to write in place: gradients against differences, and the caller's arrays as they were."""
import copy

import numpy as np
import pytest

import tangent
from tests import checking
from tests.functions_mutation import CASES


def floats(args):
    return tuple(k for k, a in enumerate(args) if checking.active(a))


def right(f, args, k):
    """The gradient by differences; of complex numbers by both their parts."""
    if not np.iscomplexobj(args[k]):
        return checking.differences(f, args, (k,), strict=True)[0]

    def split(re, im):
        return f(*copy.deepcopy(args[:k]), re + 1j * im, *copy.deepcopy(args[k + 1:]))
    re, im = checking.differences(split, (args[k].real.copy(), args[k].imag.copy()), (0, 1), strict=True)
    return re + 1j * im


@pytest.mark.parametrize('f, args', CASES, ids=[f.__name__ for f, _ in CASES])
def test_gradient(f, args):
    wrt = floats(args)
    given = copy.deepcopy(args)
    *found, value = tangent.grad(f, wrt=wrt, preserve_result=True)(*given)
    assert np.array_equal(checking.numbers(given), checking.numbers(args)), 'the arguments were changed'
    assert value == pytest.approx(f(*copy.deepcopy(args)), rel=1e-13)
    for k, actual in zip(wrt, found, strict=True):
        checking.assert_close(actual, right(f, args, k), 1e-6)
    assert not checking.share_memory([*given, *found])
