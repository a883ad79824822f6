"""Functions that are given to functions, in texts that are made for what the arguments are."""
import numpy as np
import pytest

import tangent
from tests.driver.given_programs import PROGRAMS, decay, euler

DYNAMIC = '''none_or_a_function rebound_by_the_callee ever_new_functions handed_to_map keywords_of_partials hidden_in_the_callee
    kept_in_a_dict methods captured_and_written one_of_several chosen captured_and_bound_anew writes options more_keywords
    partial_of_what_is_bound_anew partial_before_it_is_bound_anew
    one_function_twice by_its_name more_arguments_as_a_tuple'''.split()           # what is called is found when running


@pytest.mark.parametrize('program', PROGRAMS, ids=lambda f: f.__name__)
def test_gradients(program):
    x = np.array([0.7, 1.3, 0.4])
    wanted = [(program(x + step) - program(x - step)) / 2e-6 for step in np.eye(3) * 1e-6]
    df, both = tangent.grad(program), tangent.value_and_grad(program)
    for _ in range(3):
        np.testing.assert_allclose(df(x.copy()), wanted, atol=1e-6)
        value, found = both(x.copy())
        np.testing.assert_allclose(found, wanted, atol=1e-6)
        assert value == pytest.approx(program(x), rel=1e-14)
    if program.__name__ not in DYNAMIC:
        assert not any(word in tangent.source(df, x) for word in ('pullback', '_grads', 'captured('))


def integrated(y, k):
    return euler(decay, y, 0.3, 4, k)


@pytest.mark.parametrize('name', ['euler', 'decay'])
def test_functions_that_are_bound_anew_are_followed(name):
    other = {'euler': lambda f, y, t, n, *params: f(y, t, *params) * 2.0, 'decay': lambda y, t, k: k * k * y}[name]
    space = integrated.__globals__ if name == 'decay' else globals()
    df, args = tangent.grad(integrated, wrt=(0, 1)), (0.7, 1.3)
    before = [df(*args) for _ in range(3)][-1]
    kept, space[name] = space[name], other
    try:
        steps = [(integrated(0.7 + h, 1.3 + k) - integrated(0.7 - h, 1.3 - k)) / 2e-6 for h, k in ((1e-6, 0), (0, 1e-6))]
        for _ in range(3):
            np.testing.assert_allclose(df(*args), steps, rtol=1e-7)
    finally:
        space[name] = kept
    assert [df(*args) for _ in range(3)] == [before] * 3
