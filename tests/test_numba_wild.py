"""Programs for Numba as many hands write them: compiled gradients, differences, and what CPython makes of the same function.

A part of them runs always, all of them with `--all-samples`.
"""
import copy

import numpy as np
import pytest

import tangent
from tests.checking import assert_close, differences, numbers

numba = pytest.importorskip('numba', reason='Numba is not installed')
pytestmark = pytest.mark.filterwarnings('ignore::numba.core.errors.NumbaWarning')
from tests.numba_wild import forms, learning, physics, scalars  # noqa: E402

CASES = [case for module in (scalars, physics, learning, forms) for case in module.CASES]
QUICK = set('''kepler_E secant agm adaptive_simpson mandelbrot_smooth black_scholes chosen_function function_argument
    typed_list_inside wave_leapfrog swap_rows kalman_1d leapfrog iir raising_helper any_layout views_of_rows'''.split())
ONLY_COMPILED: set = set()
REFUSED = {                       # what only the derivative needs: ours, with the user's line
    'try_except': r'forms.py:\d+: try statements are not supported(?s:.*)try:(?s:.*)jit=False',
    'generator_sum': r'forms.py:\d+: generators \(yield\) are not supported',
    'uses_vectorized': r'forms.py:\d+: functions made by numba.vectorize', 'uses_guvectorized': r'forms.py:\d+: functions made by',
    'uses_jitclass': r'forms.py:\d+: objects of classes made by numba.experimental.jitclass',
    'object_mode': r'forms.py:\d+: with statements other than',
}


def test_there_are_many():
    assert len({case.function for case in CASES}) >= 100


@pytest.mark.parametrize('case', CASES, ids=lambda c: c.label)
def test_gradient(case, request):
    if case.function.__name__ not in QUICK and not request.config.getoption('--all-samples'):
        pytest.skip('runs with --all-samples')
    name = case.function.__name__
    if name in REFUSED:
        with pytest.raises(tangent.errors.TangentError, match=REFUSED[name]):
            tangent.grad(case.function, wrt=case.wrt)(*copy.deepcopy(case.args))
        return
    args = copy.deepcopy(case.args)
    compiled = tangent.grad(case.function, wrt=case.wrt)(*args)
    for given, before in zip(args, case.args, strict=True):
        assert callable(given) or np.array_equal(numbers(given), numbers(before))
    right = differences(case.function.py_func, case.args, case.wrt)
    assert_close(compiled, right[0] if len(right) == 1 else tuple(right))
    try:
        plain = tangent.grad(case.function, wrt=case.wrt, jit=False)(*copy.deepcopy(case.args))
    except tangent.errors.TangentError:                       # CPython is given lists and dicts of Numba's
        assert name in ONLY_COMPILED
        return
    assert_close(compiled, plain, 1e-9)
