"""Random programs for Numba, as Python runs the text that Numba compiles; and what they have found, compiled."""
import collections

import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close, differences

numba = pytest.importorskip('numba')

from tests.random import random_numba  # noqa: E402
from tests.random.program_writer_typed import TypedWriter  # noqa: E402
from tests.random.random_programs import campaign  # noqa: E402

State = collections.namedtuple('State', 'a b')
V, M, K = np.array([0.3, 0.5, 0.2, 0.9]), np.arange(16.0).reshape(4, 4) * 0.1 + 0.2, np.array([2, 0, 1, 0])


def test_programs(tmp_path):
    texts = []
    outcomes, refusals, failed = campaign(30, 5000, tmp_path, report=texts.append, writer=TypedWriter,
                                          judge=random_numba.judge_text)
    assert not failed, '\n'.join(texts)
    assert outcomes['right'] >= 18, (outcomes, refusals)


def test_a_program_compiled(tmp_path):
    path = tmp_path / 'program.py'
    path.write_text(TypedWriter(4, ('loops', 'writes'), 1).program())
    assert TypedWriter(4).program() == TypedWriter(4).program() != TypedWriter(5).program()
    assert random_numba.judge(path, ('r',)).kind == 'right'


def test_what_the_judge_says(tmp_path):
    path = tmp_path / 'wrong.py'
    path.write_text('import numpy as np, tangent\nfrom numba import njit\nARGS, WRT = (2.0,), (0,)\n\n\n'
                    '@njit\ndef f(x):\n    return tangent.stop_gradient(x) * x\n')
    assert random_numba.judge_text(path).kind == 'wrong'


# Loops in place of slices

def sizes(z):
    v = np.abs(z[1:] + 2.0)
    return np.sum(v * z[:-1].real) + abs(z[0])


def truths(x):
    large, y = np.greater(x, 0.4), x * 2
    y[large] = x[large] * 3
    y[np.isnan(x)] = 0.0
    return np.sum(y * y)


@pytest.mark.parametrize('f, x', [(sizes, V + 1j * V), (truths, V)], ids=['sizes', 'tests'])
def test_types_of_what_loops_fill(f, x):
    assert np.isrealobj(tangent.lower(f, x)(x)) and tangent.lower(f, x)(x) == pytest.approx(f(x))


@numba.njit
def bound_anew_in_a_loop(m):
    for _ in range(2):
        m = np.tanh(m) * m * 0.5
    return np.sum(m)


def test_shapes_of_what_had_the_name_before():
    expected, = differences(bound_anew_in_a_loop.py_func, (M,), (0,))
    assert_close(tangent.grad(bound_anew_in_a_loop)(M), expected)


def pairs(v, w, s):
    for _ in range(v.shape[0] - 1, -1, -1):
        (s, _t), v = (s, s), w
    return s + np.sum(v)


def test_tuples_on_a_tape():
    found = tangent.grad(pairs, (0, 1, 2), jit=True)(V, V, 0.7)
    assert_close(found, tuple(differences(pairs, (V, V, 0.7), (0, 1, 2))))


# Indices

def indices(m, v, k):
    m[0, k] = v
    m[v > 0.4, 2] = m[v > 0.4, 3]
    return m[0, 0] * m[0, 2] + m[1, 2] * m[3, 2] + m.flat[5] * v.flat[-1]


def test_indices():
    found = tangent.grad(numba.njit(indices), (0, 1))(M, V, K)
    assert_close(found, tuple(differences(indices, (M, V, K), (0, 1))))


# Namedtuples, and arguments of which nothing but an attribute is read

@numba.njit
def first(q):
    return q.a + q.b[0]


def of_a_record(q, z):
    z = complex(1.3, q.a)
    return q.a * first(q) + z.real


def test_records():
    df = tangent.grad(numba.njit(of_a_record), (0, 1))
    record, number = df(State(0.5, V), 1j)
    assert record.a == pytest.approx(1.3) and record.b.tolist() == [0.5, 0, 0, 0] and number == 0


# A compiled function that is handed over, in the derivative for CPython

@numba.njit
def square(x):
    return x * x


@numba.njit
def applied(f, x):
    return f(x) + 0.5 * f(0.3 * x)


@numba.njit
def with_a_log(x, y):
    y = np.outer(x, y)
    return np.sum(y) + applied(square, x[0])


def test_functions_of_numbas_are_not_walked_through():
    assert_close(tangent.grad(with_a_log, jit=False)(V, V), differences(with_a_log, (V, V), (0,))[0])
