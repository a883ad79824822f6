"""The run time against mathematics: each helper is an adjoint, a zero or a sum, and is tested as one."""
import collections
import dataclasses
import decimal
import fractions

import numpy as np
import pytest

from tangent.errors import ArgumentTypeError, ShapeError
from tangent.runtime import api
from tangent.runtime.api import (
    TupleGrad,
    ZeroGrad,
    add_at,
    add_grad,
    astype,
    check_dims,
    check_scalar,
    init_grad,
    unbroadcast,
    unreduce,
    unreduce_like,
)

Fraction, Decimal = fractions.Fraction, decimal.Decimal
Point = collections.namedtuple('Point', 'x y')
rng = np.random.default_rng(0)


@dataclasses.dataclass(frozen=True)
class Layer:
    w: np.ndarray
    name: str


def same(a, b):
    """Equal in type, dtype, shape and value, all the way down."""
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b)
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return type(a) is type(b) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return type(a) is type(b) and a == b


# --- zeros

@pytest.mark.parametrize('x, zero', [
    (2.5, 0.0), (3, 0.0), (True, 0.0), (1 + 2j, 0j), (np.float32(2), np.float32(0)), (np.int8(2), np.float64(0)),
    (np.complex64(2), np.complex64(0)), (np.longdouble(2), np.longdouble(0)),
    (np.ones((2, 3), np.float32), np.zeros((2, 3), np.float32)), (np.array(3.0), np.array(0.0)),
    (np.arange(3), np.zeros(3)), (np.array([True]), np.zeros(1)), (np.ones(2, complex), np.zeros(2, complex)),
    (np.ones((0, 2)), np.zeros((0, 2))), ([1, [2.0]], [0.0, [0.0]]), ({'a': 1.0}, {'a': 0.0}),
    (Fraction(1, 3), Fraction(0)), (Decimal('Infinity'), Decimal(0)), (None, None), ('text', None), (len, None),
    (np.array(['a']), None), ([1.0, 'text'], [0.0, None]),
], ids=repr)
def test_zero(x, zero):
    assert same(init_grad(x), zero)


def test_zero_of_an_object_array_is_exact():
    assert same(list(init_grad(np.array([Fraction(1, 3), Decimal(2)]))), [Fraction(0), Decimal(0)])


def test_zero_is_writeable_and_shares_nothing():
    x = np.asfortranarray(np.ones((2, 3)))
    x.flags.writeable = False
    zero = init_grad(x)
    zero += 1
    assert x.sum() == 6 and not np.shares_memory(zero, x)


def test_zero_of_a_tuple_takes_items_and_fields():
    zero = init_grad(Point(1.0, (np.ones(2), 3)))
    zero[0] += 2.0
    zero.x += 3.0
    zero.y[0][1] += 4.0
    assert same(astype(zero, Point(1.0, (np.ones(2), 3))), Point(5.0, (np.array([0.0, 4.0]), 0.0)))
    with pytest.raises(AttributeError, match='z'):
        zero.z += 1.0


def test_zero_of_a_dataclass():
    layer = Layer(np.ones(2), 'first')
    zero = init_grad(layer)
    assert zero.name is None and same(zero.w, np.zeros(2))
    zero.w += 1.0                                          # though it is frozen
    done = astype(zero, layer)
    assert type(done) is Layer and done.name is None and same(done.w, np.ones(2))


def test_zero_of_a_dict_subclass_keeps_its_type():
    assert same(init_grad(collections.OrderedDict(a=1.0)), collections.OrderedDict(a=0.0))


def test_lazy_zero_is_neutral_and_never_reaches_the_user():
    x = np.ones((2, 3))
    zero = init_grad(x, allow_lazy_initializer=True)
    assert type(zero) is ZeroGrad
    assert zero + x is x and x + zero is x and add_grad(zero, x) is x and add_grad(x, zero) is x
    assert same(astype(zero, x), np.zeros((2, 3))) and same(zero[0].materialize(), np.zeros(3))
    assert same(np.sin(np.asarray(zero)), np.zeros((2, 3)))
    assert same(astype([zero, None], [x, (1, 2.0)]), [np.zeros((2, 3)), (0.0, 0.0)])


# --- sums

@pytest.mark.parametrize('left, right, total', [
    (1.0, 2.0, 3.0), (None, 2.0, 2.0), (2.0, None, 2.0), (np.ones(2), 1.0, np.full(2, 2.0)), ((1.0, None), (2.0, 3.0),
    (3.0, 3.0)),
    ([1.0, [2.0]], [1.0, [3.0]], [2.0, [5.0]]), ({'a': 1.0}, {'a': 2.0, 'b': 3.0}, {'a': 3.0, 'b': 3.0}),
    (Point(1.0, 2.0), Point(3.0, 4.0), Point(4.0, 6.0)), (Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)),
    (TupleGrad([1.0]), (2.0,), TupleGrad([3.0])), ((2.0,), TupleGrad([1.0]), TupleGrad([3.0])),
    ([1.0, 2.0], np.array([3.0, 4.0]), [np.float64(4), np.float64(6)]),
], ids=repr)
def test_sum(left, right, total):
    assert same(add_grad(left, right), total)


def test_sum_is_fresh():
    left, right = np.ones(2), np.ones(2)
    total = add_grad(left, right)
    total += 1
    assert same(left, np.ones(2)) and same(right, np.ones(2))


def test_zeros_of_namedtuples_are_made_when_they_are_asked_for():
    point = Point(np.ones(3), np.ones((2, 2)))
    first, second = init_grad(point), init_grad(point)
    first.x += 2.0
    second.x += 1.0
    total = add_grad(first, second)
    kept = add_grad(init_grad(point), first)
    kept.x += 5.0                                   # what was taken from one side alone is no part of it
    assert [type(v) for v in total.unmade()] == [np.ndarray, ZeroGrad]
    assert same(astype(total, point), Point(np.full(3, 3.0), np.zeros((2, 2)))) and same(first.x, np.full(3, 2.0))
    x, y = init_grad(point)
    assert same([x, y], [np.zeros(3), np.zeros((2, 2))]) and same(init_grad(point)[1], np.zeros((2, 2)))
    y = second.y
    y += 1.0
    assert same(second[1], np.ones((2, 2)))


def test_sum_of_dataclasses():
    total = add_grad(Layer(np.ones(2), None), Layer(np.ones(2), None))
    assert same(total.w, np.full(2, 2.0)) and total.name is None


def test_sum_of_different_structures_is_refused():
    with pytest.raises(ArgumentTypeError, match='structure'):
        add_grad((1.0, 2.0), (1.0,))


# --- broadcasting undone

@pytest.mark.parametrize('small, big', [
    ((3,), (2, 3)), ((2, 1), (2, 3)), ((1, 3), (2, 3)), ((), (2, 3)), ((1, 1, 1), (4, 2, 3)), ((4, 1, 3), (4, 2, 3)),
    ((2, 3), (2, 3)), ((1,), (1,)), ((1,), (0,)), ((3,), (0, 3)), ((), ()),
], ids=str)
def test_unbroadcast_is_the_adjoint_of_broadcast(small, big):
    x, b = rng.normal(size=small), rng.normal(size=big)
    bx = unbroadcast(b, x)
    assert np.shape(bx) == small
    assert np.isclose(np.sum(np.broadcast_to(x, big) * b), np.sum(x * bx))


def test_unbroadcast_to_one_axis_more_than_the_gradient_has():
    assert same(unbroadcast(np.ones((2, 3)), np.ones((1, 1, 3))), np.full((1, 1, 3), 2.0))


def test_unbroadcast_gives_the_gradient_itself_when_nothing_is_to_do():
    b = np.ones((2, 3))
    assert unbroadcast(b, np.zeros((2, 3))) is b
    assert unbroadcast(None, 1.0) is None


@pytest.mark.parametrize('x, b, bx', [
    (np.ones(2, np.float32), np.ones(2), np.ones(2, np.float32)),
    (np.ones(2, np.float16), np.ones((3, 2)), np.full(2, 3, np.float16)),
    (np.ones(2, int), np.ones(2), np.ones(2)), (np.ones(2, bool), np.ones(2, np.float32), np.ones(2)),
    (np.ones(2, int), np.ones(2, int), np.ones(2)),
    (np.ones(2), np.array([1 + 2j, 3j]), np.array([1.0, 0.0])), (np.ones(2, complex), np.ones(2), np.ones(2, complex)),
    (1.0, 2 + 3j, 2.0), (1, np.array([1j, 2 + 1j]), np.float64(2)), (1j, 2 + 3j, 2 + 3j),
    (np.float32(1), 2.0, np.float32(2)), (np.longdouble(1), 2.0, np.longdouble(2)),
    ([1.0, 2.0], np.ones((3, 2)), np.full(2, 3.0)), (np.ones((2, 2)), 3.0, np.full((2, 2), 3.0)),
    (np.ones((2, 3)), np.arange(3.0), np.array([[0.0, 1, 2], [0, 1, 2]])),
    (Fraction(1, 3), Fraction(1, 7), Fraction(1, 7)), (Decimal(1), Decimal(2), Decimal(2)),
], ids=repr)
def test_unbroadcast_has_the_dtype_of_the_value(x, b, bx):
    assert same(unbroadcast(b, x), bx)


def test_unbroadcast_up_is_fresh():
    b, x = np.ones(3), np.ones((2, 3))
    up = unbroadcast(b, x)
    up[0] += 1
    assert same(b, np.ones(3)) and same(up[1], np.ones(3))


@pytest.mark.parametrize('b, x', [((2, 3), (4,)), ((3,), (2,)), ((2, 3), (2,))])
def test_unbroadcast_of_shapes_that_do_not_broadcast(b, x):
    with pytest.raises(ShapeError, match='Shape mismatch'):
        unbroadcast(np.ones(b), np.ones(x))


@pytest.mark.parametrize('axis', [None, 0, 1, -1, (0, 2), (-1, 0), (0, 1, 2), ()])
@pytest.mark.parametrize('keepdims', [False, True])
def test_unreduce_is_the_adjoint_of_sum(axis, keepdims):
    x = rng.normal(size=(2, 3, 4))
    y = np.sum(x, axis=axis, keepdims=keepdims)
    by = rng.normal(size=y.shape)
    bx = unreduce(by, x.shape, axis, keepdims)
    assert bx.shape == x.shape and np.isclose(np.sum(y * by), np.sum(x * bx))
    bx += 1                         # writeable, every element its own
    assert np.isclose(np.sum(y * by) + x.sum(), np.sum(x * bx))


@pytest.mark.parametrize('x, dtype', [(np.ones((2, 3), np.float32), np.float32), (np.ones((2, 3), int), float),
                                      ([[1.0, 2, 3]] * 2, float), (np.ones((2, 3), complex), complex)])
def test_unreduce_like_has_the_dtype_of_the_value(x, dtype):
    assert same(unreduce_like(np.arange(3.0), x, 0), np.tile(np.arange(3.0), (2, 1)).astype(dtype))
    assert same(unreduce_like(2.0, x), np.full((2, 3), 2, dtype))


def test_unreduce_of_a_scalar():
    assert same(unreduce(2.0, ()), 2.0) and same(unreduce(2.0, 3), np.full(3, 2.0))
    assert same(unreduce_like(2.0, 5), 2.0)


# --- the form of the value

@pytest.mark.parametrize('b, x, fitted', [
    (1 + 2j, 3.0, 1.0), (np.float64(2), 3, 2.0), (2, 3.0, 2.0), (np.float32(2), 3.0, 2.0), (np.array([2.0]), 3.0, 2.0),
    (np.array(2.0), 3.0, 2.0), (2.0, np.float32(3), np.float32(2)), (2.0, 1j, 2 + 0j),
    (2.0, np.array(3.0), np.array(2.0)),
    (np.ones(2), np.ones(2, np.float32), np.ones(2, np.float32)),
    (np.ones(2), np.ones(2, np.longdouble), np.ones(2, np.longdouble)),
    (np.ones(2, np.float32), np.ones(2, int), np.ones(2)), (np.ones(2) * 1j, np.ones(2), np.zeros(2)),
    (2.0, np.ones(2), np.full(2, 2.0)),
    (TupleGrad([1.0, TupleGrad([2.0])]), (1.0, (2.0,)), (1.0, (2.0,))), ([TupleGrad([1.0])], [(1.0,)], [(1.0,)]),
    ({'a': TupleGrad([1.0])}, {'a': (1,)}, {'a': (1.0,)}), (np.ones(2), [1.0, 2.0], [np.float64(1)] * 2),
    ((1.0, 2.0), Point(1, 2), Point(1.0, 2.0)), (None, Point(1, (2j,)), Point(0.0, (0j,))), (None, 'text', None),
    (1.0, Fraction(1, 3), Fraction(1)), (Fraction(1, 3), Fraction(1), Fraction(1, 3)), (1, Decimal(3), Decimal(1)),
], ids=repr)
def test_astype(b, x, fitted):
    assert same(astype(b, x), fitted)


def test_astype_gives_what_fits_as_it_is():
    b = np.ones(2)
    assert astype(b, np.zeros(2)) is b
    assert same(astype(Layer(b, None), Layer(b, 'n')).w, b)


def test_astype_refuses_another_structure():
    with pytest.raises(ValueError):
        astype([1.0], (1.0, 2.0))


def test_copy_copies_arrays_at_any_depth_and_nothing_else():
    a, text = np.ones(2), object()
    x = [a, (a, text), {'a': a}, Point(a, 1.0), Layer(a, 'n'), TupleGrad([a])]
    y = api.copy(x)
    assert y[1][1] is text and type(y[3]) is Point and type(y[5]) is TupleGrad
    for part in (y[0], y[1][0], y[2]['a'], y[3].x, y[4].w, y[5][0]):
        assert same(part, a) and not np.shares_memory(part, a)


# --- adding at an index

@pytest.mark.parametrize('shape, index', [
    ((3,), 1), ((3,), -1), ((3, 2), 1), ((3, 2), (1, 0)), ((3, 2), np.s_[:, 0]), ((3, 2), np.s_[..., 1]),
    ((3,), np.s_[::-2]),
    ((3,), None), ((3,), [0, 0, 2]), ((3,), []), ((3, 2), [[0, 0], [1, 0]]), ((3, 2), np.s_[:, [1, 1, 0]]),
    ((3, 2), ([0, 0], [1, 1])), ((3, 2), np.array([True, False, True])), ((2, 2), np.array([[True, False],
    [True, True]])),
    ((3,), np.int64(1)), ((3, 2), ()), ((2, 3, 2), np.s_[[1, 1], :, 0]),
], ids=repr)
def test_add_at_is_the_adjoint_of_indexing(shape, index):
    x = rng.normal(size=shape)
    v = rng.normal(size=x[index].shape)
    bx = np.zeros(shape)
    assert add_at(bx, index, v) is bx
    assert np.isclose(np.sum(x[index] * v), np.sum(x * bx))
    assert np.allclose(add_at(bx, index, 1.0).sum(), v.sum() + x[index].size)


def test_add_at_sums_and_broadcasts_what_is_added():
    assert same(add_at(np.zeros((2, 3)), 0, 2.0), np.array([[2.0, 2, 2], [0, 0, 0]]))
    assert same(add_at(np.zeros(3), 1, np.ones(4)), np.array([0.0, 4, 0]))
    assert same(add_at(np.zeros((2, 3)), [0, 0], np.ones(3)), np.array([[2.0, 2, 2], [0, 0, 0]]))


def test_add_at_drops_the_imaginary_part_and_keeps_the_dtype():
    assert same(add_at(np.zeros(2, np.float32), 0, 1 + 2j), np.array([1, 0], np.float32))


def test_add_at_of_containers():
    assert same(add_at([1.0, (2.0,)], 1, (3.0,)), [1.0, (5.0,)])
    assert same(add_at([1.0, 2.0, 3.0], slice(1, None), [1.0, 1.0]), [1.0, 3.0, 4.0])
    assert same(add_at({'a': 1.0}, 'a', 2.0), {'a': 3.0}) and same(add_at({}, 'a', 2.0), {'a': 2.0})
    assert same(add_at(init_grad((1.0, np.ones(2))), 1, np.ones(2))[1], np.ones(2))


# --- seeds

@pytest.mark.parametrize('y, by, seed', [
    (2.0, 1.0, 1.0), (3, 1.0, 1.0), (np.float32(2), 1.0, np.float32(1)), (np.array(2.0), 1.0, 1.0), (2.0, 3, 3.0),
    (2.0, np.array(3.0), np.array(3.0)),
    (np.ones(1), 1.0, np.ones(1)), (np.ones(1, np.float32), 1.0, np.ones(1, np.float32)),
    (np.ones(1, int), 1.0, np.ones(1)),
    (np.ones(2), [1.0, 2.0], np.array([1.0, 2.0])), (np.ones(2), np.array([1, 2]), np.array([1.0, 2.0])),
    (Fraction(1, 3), 1.0, Fraction(1)), (Decimal(3), 1.0, Decimal(1)),
    ((1.0, [2.0]), (1.0, [1.0]), [1.0, [1.0]]), ((1.0, 'text'), (1.0, None), [1.0, None]), ({'a': 1.0}, {'a': 2.0},
    {'a': 2.0}),
    (Point(1.0, 2.0), (1.0, 1.0), [1.0, 1.0]), ([1.0], (2.0,), [2.0]),
], ids=repr)
def test_seed(y, by, seed):
    found = check_dims(y, by)
    assert same(list(found) if isinstance(found, api.TupleGrad) else found, seed)      # of a tuple: one that can be written


def test_seed_array_is_returned_as_given():
    by = np.ones(3)
    assert check_dims(np.zeros(3), by) is by


@pytest.mark.parametrize('y, by', [
    (np.ones(3), np.ones(2)), (1.0, np.ones(1)), (np.ones(0), 1.0), ((1.0, 2.0), 1.0),
    ((1.0, 2.0), (1.0,)),
    ({'a': 1.0}, {'b': 1.0}), (1.0, (1.0,)), ([1.0], {'a': 1.0}), (Layer(np.ones(2), 'n'), 1.0),
], ids=repr)
def test_seed_of_another_shape(y, by):
    with pytest.raises(ShapeError, match=r'Shape mismatch between return value \(.*\) and seed derivative \(.*\)'):
        check_dims(y, by)


@pytest.mark.parametrize('y', [1.0, np.ones(2), (1.0, 2.0), {'a': 1.0}], ids=repr)
@pytest.mark.parametrize('by', [None, '1', {1.0}], ids=repr)
def test_seed_that_is_no_number(y, by):
    with pytest.raises(ArgumentTypeError, match='the seed is (None|a str|a set): give a number'):
        check_dims(y, by)


def test_seed_of_one_for_an_array_names_the_ways_out():
    with pytest.raises(ShapeError,
    match=r'\(3,\)(.|\n)*tangent.jacobian(.|\n)*tangent.elementwise_grad(.|\n)*tangent.vjp'):
        check_dims(np.ones(3), 1.0)


@pytest.mark.parametrize('y, kind', [
    (True, 'bool'), (np.bool_(True), 'bool'), ('text', 'str'), (None, 'None'), (len, 'function'),
                                     (np.array([True]), 'bool'), (np.array(['a']), 'U1')], ids=repr)
def test_a_result_without_gradient(y, kind):
    with pytest.raises(ArgumentTypeError, match=f'result is .*{kind}.*no gradient'):
        check_dims(y, 1.0)


@pytest.mark.parametrize('by', [1.0, 2, np.float32(1), np.array(1.0), Fraction(1, 3)], ids=repr)
def test_seed_of_a_number(by):
    assert check_scalar(by) is by


@pytest.mark.parametrize('by', [np.ones(1), [1.0], (1.0, 2.0)], ids=repr)
def test_seed_of_a_number_that_is_none(by):
    with pytest.raises(ShapeError, match='Shape mismatch'):
        check_scalar(by)
