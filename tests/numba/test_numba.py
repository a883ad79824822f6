"""Derivatives under Numba: what `njit` makes of them agrees with CPython and with differences."""
import copy

import pytest

import tangent
from tests.corpora.numba.numba_corpus import CASES
from tests.tools.checking import assert_close, differences

numba = pytest.importorskip('numba', reason='Numba is not installed')


@pytest.mark.share(3)
@pytest.mark.parametrize('case', CASES, ids=lambda c: c.label)
def test_compiled_gradient(case):
    df = tangent.grad(case.function, wrt=case.wrt)
    plain = df(*copy.deepcopy(case.args))
    compiled = numba.njit(df)(*copy.deepcopy(case.args))
    assert_close(compiled, plain, 1e-10)
    right = differences(case.function, case.args, case.wrt)
    assert_close(compiled, right[0] if len(right) == 1 else tuple(right))


def test_many_functions():
    assert len({case.function for case in CASES}) >= 25
