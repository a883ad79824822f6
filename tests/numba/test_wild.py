"""Programs for Numba as many hands write them: compiled gradients, differences, and what CPython makes of the same function.

One in a dozen or so runs always, all of them with `--all-samples`.
"""
import copy

import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close, differences, numbers

numba = pytest.importorskip('numba', reason='Numba is not installed')
pytestmark = pytest.mark.filterwarnings('ignore::numba.core.errors.NumbaWarning')
from tests.corpora.numba import forms, learning, libraries, physics, scalars  # noqa: E402
from tests.random.program_writer_numba import NumbaWriter  # noqa: E402
from tests.random.random_numba import judge  # noqa: E402
from tests.random.random_programs import campaign  # noqa: E402

CASES = [case for module in (scalars, physics, learning, forms, libraries) for case in module.CASES]
ONLY_COMPILED: set = set()
REFUSED = {                       # what only the derivative needs: ours, with the user's line
    'try_except': r'forms.py:\d+: try statements are not supported(?s:.*)try:(?s:.*)jit=False',
    'uses_vectorized': r'forms.py:\d+: functions made by numba.vectorize', 'uses_guvectorized': r'forms.py:\d+: functions made by',
    'uses_jitclass': r'forms.py:\d+: objects of classes made by numba.experimental.jitclass',
    'object_mode': r'forms.py:\d+: with statements other than',
}


def test_there_are_many():
    assert len({case.function for case in CASES}) >= 100


@pytest.mark.parametrize('case', [c for c in CASES if c.function.__name__ in REFUSED], ids=lambda c: c.label)
def test_refused(case):
    with pytest.raises(tangent.errors.TangentError, match=REFUSED[case.function.__name__]):
        tangent.grad(case.function, wrt=case.wrt)(*copy.deepcopy(case.args))


@pytest.mark.share(16)
@pytest.mark.parametrize('case', [c for c in CASES if c.function.__name__ not in REFUSED], ids=lambda c: c.label)
def test_gradient(case):
    name = case.function.__name__
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


def test_random_programs(tmp_path):
    texts = []
    outcomes, _, failed = campaign(4, 1, tmp_path, report=texts.append, writer=NumbaWriter, judge=judge)
    assert not failed, '\n'.join(texts)
    assert outcomes['right'] >= 2, outcomes


def test_a_seed_is_a_program():
    assert NumbaWriter(7).program() == NumbaWriter(7).program() != NumbaWriter(8).program()


@numba.njit
def rows(a):
    r = a[1]
    r[0] = r[1] * a[0, 0]
    return np.sum(a * a)


@numba.njit
def sums(a, w=None):
    s = 1.0
    if w is None:
        for i in range(a.shape[0]):
            s += a[i] * s
    else:
        for i in range(a.shape[0]):
            s += w[i] * a[i] * s * s
    return s


def test_derivatives_that_are_made_for_types():
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    right = np.array([[34.0, 4.0], [0.0, 16.0]])
    df = tangent.grad(rows)
    assert_close(df(a), right)
    assert df(a.astype(np.float32)).dtype == np.float32 and df(a=a, brows=2.0)[0, 0] == 68.0
    assert '_grads' in df.source and '_grads' not in tangent.source(df, a)
    assert_close(tangent.jvp(rows)(a, np.ones((2, 2))), np.sum(right))
    caller = numba.njit(lambda a: df(a)[0, 0])
    assert caller(a) == 34.0
    with pytest.warns(RuntimeWarning, match='types of its arguments'):
        tangent.grad(rows.py_func, jit={'cache': True})


def test_branches_that_numba_leaves_out():
    a, w = np.array([0.3, 0.5]), np.array([1.0, 2.0])
    assert_close(tangent.grad(sums)(a), differences(sums.py_func, (a,), (0,))[0])
    assert_close(tangent.grad(sums)(a, w), differences(sums.py_func, (a, w), (0,))[0])


@numba.njit
def dicts_of_tuples(x):
    d = {0: (x, 2.0 * x)}
    return d[0][0] * d[0][1]


def test_what_only_the_derivative_needs_is_told_with_the_line():
    assert dicts_of_tuples(1.5) == 4.5
    with pytest.raises(tangent.errors.TangentError, match=r'test_wild.py:\d+: Numba compiles this function, but not its'):
        tangent.grad(dicts_of_tuples)(1.5)


@numba.njit
def shares_of_rows(x):
    shape = (x.shape[0], 1)
    most = np.empty(shape, dtype=x.dtype)
    for i in range(x.shape[1]):
        most[:, 0] = np.max(x[:, i])
    e = np.exp(x - most)
    return e / np.reshape(np.sum(e, axis=-1), shape)


@numba.njit
def sum_of_squares(x):
    return np.sum(shares_of_rows(x) ** 2)


def test_statements_are_left_as_they_are_in_called_functions_too():
    x = np.array([[0.3, 0.9, 0.1], [1.2, 0.4, 0.7]])
    found = tangent.grad(sum_of_squares, jit={'loops': False})(x)
    assert_close(found, differences(sum_of_squares.py_func, (x,), (0,))[0])


@numba.njit
def two_kinds(b, x, n):
    def slopes(y):
        s, e = y
        return np.array([-b * s * e, b * s - e * e])
    y = np.array([x, 2 * x])
    for _ in range(n):
        y = y + 0.1 * slopes(y)
    return y


def test_tangents_of_arrays_made_of_lists():
    args = 0.3, 0.4, 3, 1.0, 2.0
    assert_close(tangent.jvp(two_kinds, (0, 1))(*args), tangent.jvp(two_kinds.py_func, (0, 1))(*args), 1e-12)
