"""The smaller tools of the run time: the tape, helpers that rules call, and types that other people register."""
import dataclasses

import numpy as np
import pytest

from tangent.errors import RegistrationError, TapeError
from tangent.runtime import add, api, broadcast, zeros
from tangent.runtime.api import (
    Stack,
    add_grad,
    array_size,
    astype,
    balanced_eq,
    check_dims,
    grad_dot,
    init_grad,
    pop,
    pop_stack,
    push,
    push_stack,
    shapes_match,
    unbroadcast,
    unreduce,
    unreduce_like,
)

TABLES = [zeros.INITIALIZERS, add.ADDERS, broadcast.UNBROADCASTERS, broadcast.UNREDUCERS,
          broadcast.SHAPE_FUNCTIONS, broadcast.SHAPE_CHECKERS]
rng = np.random.default_rng(0)


@dataclasses.dataclass(frozen=True)
class Layer:
    w: np.ndarray
    name: str


# --- the tape

def test_tape_is_read_backwards():
    stack, inner = Stack(), Stack()
    push(stack, 1.0, '_1')
    push(inner, 2.0, '_2')
    push_stack(stack, inner, '_3')
    assert pop(pop_stack(stack, '_3'), '_2') == 2.0 and pop(stack, '_1') == 1.0 and len(stack) == 0 and stack


def test_tape_read_under_another_identifier_names_both_and_loses_nothing():
    stack = Stack()
    push(stack, 1.0, '_1')
    with pytest.raises(TapeError, match="'_2'.*'_1'"):
        pop(stack, '_2')
    assert pop(stack, '_1') == 1.0


def test_empty_tape():
    with pytest.raises(TapeError, match="empty.*'_1'"):
        pop(Stack(), '_1')


def test_only_a_tape_is_a_substack():
    stack = Stack()
    with pytest.raises(TapeError, match='list'):
        push_stack(stack, [], '_1')
    push(stack, 1.0, '_1')
    with pytest.raises(TapeError, match='float'):
        pop_stack(stack, '_1')


# --- small helpers

@pytest.mark.parametrize('x1, x2', [
    ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((), (2,)),
                                    ((6, 2, 3), (5, 3, 4)), ((3,), (5, 3, 4)), ((6, 2, 3), (3,)), ((2,), ()), ((),
                                    ())], ids=str)
def test_grad_dot_is_the_adjoint_of_dot(x1, x2):
    a, b = rng.normal(size=x1), rng.normal(size=x2)
    y = np.dot(a, b)
    dy = rng.normal(size=np.shape(y))
    da = grad_dot(dy, a, b)
    assert np.shape(da) == x1 and np.isclose(np.sum(y * dy), np.sum(a * da))


def test_balanced_eq():
    x, y = np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, 2.0])
    assert balanced_eq(x, np.maximum(x, y), y).tolist() == [0.0, 0.5, 1.0]
    assert balanced_eq(1.0, 1.0, 1.0) == 0.5 and balanced_eq(1.0, 2.0, 2.0) == 0.0


def test_array_size():
    x = np.ones((2, 3, 4))
    assert [array_size(x, axis) for axis in (None, 0, -1, (0, 2), [1])] == [24, 2, 4, 8, 3]
    assert array_size(2.0, None) == 1 and array_size(np.ones(0), 0) == 1


def test_shapes_match():
    a = {'a': [np.ones(2), (1.0, 2)]}
    assert shapes_match(a, {'a': (np.zeros(2), [3, np.array(1.0)])})
    assert not shapes_match(a, {'a': [np.ones(3), (1.0, 2)]}) and not shapes_match(a, {'b': a['a']})
    assert not shapes_match([1.0], 1.0) and not shapes_match([1.0], [1.0, 2.0]) and not shapes_match(np.ones(2), 1.0)
    assert shapes_match(Layer(np.ones(2), 'n'), Layer(np.zeros(2), 'm'))


# --- types of other people

@pytest.fixture
def dual():
    """A third party's array type, unknown to NumPy, registered for one test."""
    class Dual:
        def __init__(self, values):
            self.values = values
    before = [dict(table) for table in TABLES]
    yield Dual
    for table, old in zip(TABLES, before):
        table.clear()
        table.update(old)


def test_registered_type(dual):
    api.register_init_grad(dual, lambda x: dual([0.0] * len(x.values)))
    api.register_add_grad(dual, dual, lambda a, b: dual([p + q for p, q in zip(a.values, b.values)]))
    api.register_unbroadcast(dual, lambda b, x: dual(['unbroadcast']))
    api.register_unreduce(dual, lambda b, shape, axis, keepdims: dual([shape, axis, keepdims]))
    api.register_shape_function(dual, lambda x: (len(x.values),))
    api.register_shape_checker(dual, dual, lambda a, b: len(a.values) == len(b.values))
    x = dual([1.0, 2.0])
    assert init_grad(x).values == [0.0, 0.0] and init_grad(type('Child', (dual,), {})([3.0])).values == [0.0]
    assert add_grad((x,), (x,))[0].values == [2.0, 4.0]
    assert unbroadcast(x, 1.0).values == ['unbroadcast']
    assert unreduce(x, (3,), 0).values == [(3,), 0, False] and unreduce_like(x, x, 1, True).values == [(2,), 1, True]
    assert shapes_match([x], [dual([3.0, 4.0])]) and not shapes_match(x, dual([3.0]))
    assert check_dims(x, x) is x


@pytest.mark.parametrize('register', [
    lambda t: api.register_init_grad(t, len), lambda t: api.register_add_grad(t, t, max),
    lambda t: api.register_unreduce(t, len),
    lambda t: api.register_unbroadcast(t, len), lambda t: api.register_shape_function(t, len),
    lambda t: api.register_shape_checker(t, t, max), lambda t: api.register_all_add_grad(max, (t, float)),
])
def test_second_registration_is_refused(dual, register):
    register(dual)
    with pytest.raises(RegistrationError, match='already'):
        register(dual)


def test_register_all_add_grad_leaves_out_and_keeps(dual):
    api.register_add_grad(dual, dual, lambda a, b: 'first')
    api.register_all_add_grad(lambda a, b: 'all', (dual, str), exclude=[(str, str)], ignore_existing=True)
    assert add_grad(dual([]), dual([])) == 'first' and add_grad(dual([]), 'b') == add_grad('b', dual([])) == 'all'
    assert add_grad('a', 'b') == 'ab'


def test_mpmath_numbers_stay_mpmath_numbers():
    mpmath = pytest.importorskip('mpmath')
    x = mpmath.mpf('0.1')
    for value in (init_grad(x), check_dims(x, 1.0), add_grad(x, x), unbroadcast(x, x), astype(1.0, x)):
        assert type(value) is mpmath.mpf
