"""Hostile values: dtypes, layouts, empty and read-only arrays, seeds and `wrt` that make no sense, aliased results."""
import copy
import dataclasses
import itertools

import numpy as np
import pytest

import tangent
from tangent.errors import TangentError
from tests.corpora import hostile
from tests.tools.checking import assert_close, differences, numbers, same_structure, share_memory

V = np.array([0.3, 1.2, -0.7])
A = np.array([[0.3, 1.2, -0.7], [0.5, -0.4, 0.9]])
BOTH = pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'raw'])


def squares(x):
    return np.sum(x * x)


def mixed(x, y):
    return np.sum(2.0 * x * y + np.sin(x) / 3.0)


def helper_loop(x):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * x[i]
    return s


def total(x):
    return np.sum(x)


def sum_of_two(x, y):
    return np.sum(x + y)


def vector(x):
    return x * 2.0


def wide(x):
    return x[:, None] * x


def scalar(x):
    return x * x


def three(x, y, z):
    return x * y * z


def with_text(x, name, flag):
    return x * x if flag else x


# dtypes and layouts

@BOTH
@pytest.mark.parametrize('f', [squares, total, helper_loop])
@pytest.mark.parametrize('dtype', ['float32', 'float16', 'longdouble', 'float64', '>f8'])
def test_dtype_is_kept(f, dtype, optimized):
    x = V.astype(dtype)
    g = tangent.grad(f, optimized=optimized)(x)
    assert g.dtype.newbyteorder('=') == x.dtype.newbyteorder('=')
    np.testing.assert_allclose(g, np.ones(3) if f is total else 2 * V, rtol=2e-3)


@BOTH
@pytest.mark.parametrize('first, second', list(itertools.product(['float32', 'float64', 'longdouble'], repeat=2)))
def test_mixed_dtypes(first, second, optimized):
    x, y = V.astype(first), V[::-1].astype(second)
    gx, gy = tangent.grad(mixed, wrt=(0, 1), optimized=optimized)(x, y)
    assert (gx.dtype, gy.dtype) == (x.dtype, y.dtype)
    np.testing.assert_allclose(gx, 2 * V[::-1] + np.cos(V) / 3, rtol=1e-5)
    np.testing.assert_allclose(gy, 2 * V, rtol=1e-5)


@BOTH
@pytest.mark.parametrize('x', [np.float32(1.5), np.float64(1.5), np.longdouble(1.5), np.float16(1.5), 1.5], ids=repr)
def test_scalar_kinds(x, optimized):
    g = tangent.grad(scalar, optimized=optimized)(x)
    assert type(g) is type(x)
    assert float(g) == 3.0


@BOTH
@pytest.mark.parametrize('f', [squares, helper_loop, total])
def test_integers_are_promoted(f, optimized):
    x = np.array([1, 2, 3])
    g = tangent.grad(f, optimized=optimized)(x)
    assert g.dtype == np.float64
    assert_close(g, np.ones(3) if f is total else np.array([2.0, 4.0, 6.0]))


@BOTH
def test_integer_scalar(optimized):
    g = tangent.grad(scalar, optimized=optimized)(3)
    assert isinstance(g, float)
    assert g == 6.0
    g = tangent.grad(three, wrt=(0, 1, 2), optimized=optimized)(2, 3, 5.0)
    assert g == (15.0, 10.0, 6.0)
    assert all(isinstance(v, float) for v in g)


@pytest.mark.parametrize('x', ['text', 'a', b'a'], ids=repr)
def test_text_has_no_gradient(x):
    with pytest.raises(TypeError):
        tangent.grad(scalar)(x)


@pytest.mark.parametrize('x', [True, np.True_, np.array([True, False])], ids=repr)
def test_no_gradient_for_this_kind(x):
    with pytest.raises(TypeError, match="'x'|`x`|argument x|\\bx\\b") as caught:
        tangent.grad(scalar)(x)
    assert isinstance(caught.value, TangentError)


def test_text_and_flags_pass_through():
    assert tangent.grad(with_text)(1.5, 'name', True) == 3.0
    assert tangent.grad(with_text)(1.5, 'name', False) == 1.0


@BOTH
@pytest.mark.parametrize('f', [squares, total])
@pytest.mark.parametrize('shape', [(0,), (0, 3), (3, 0)])
def test_empty(f, shape, optimized):
    g = tangent.grad(f, optimized=optimized)(np.zeros(shape))
    assert g.shape == shape
    assert g.dtype == np.float64


@BOTH
def test_no_trips_over_an_empty_array(optimized):
    g = tangent.grad(helper_loop, optimized=optimized)(np.zeros((0, 3), 'float32'))
    assert (g.shape, g.dtype) == ((0, 3), np.float32)


@BOTH
def test_zero_dimensional(optimized):
    x = np.array(1.5)
    for f in (squares, scalar):
        g = tangent.grad(f, optimized=optimized)(x)
        assert np.shape(g) == ()
        assert g == 3.0
    assert tangent.grad(vector, optimized=optimized)(x) == 2.0


@BOTH
def test_one_element_results(optimized):
    g = tangent.grad(vector, optimized=optimized)(np.array([1.5]))
    assert_close(g, np.array([2.0]))


LAYOUTS = {
    'fortran': np.asfortranarray(A),
    'negative stride': A[::-1, ::-1],
    'strided': np.repeat(A, 2, axis=1)[:, ::2],
    'transposed': A.T.copy().T,
    'broadcast': np.broadcast_to(np.array([0.3, 1.2, -0.7]), (2, 3)),
    'unaligned': np.frombuffer(b'x' + A.tobytes(), dtype=np.float64, offset=1).reshape(2, 3),
}


@BOTH
@pytest.mark.parametrize('layout', LAYOUTS)
def test_layouts(layout, optimized):
    x = LAYOUTS[layout]
    g = tangent.grad(squares, optimized=optimized)(x)
    assert_close(g, 2 * np.array(x))
    g[0, 0] = 5.0


def rows_in_loop(x):
    s = 0.0
    for row in x:
        s = s + np.sum(row * row)
    return s + x[0, 0] * x[1, 1]


@BOTH
@pytest.mark.parametrize('layout', LAYOUTS)
def test_layouts_indexed(layout, optimized):
    x = LAYOUTS[layout]
    g = tangent.grad(rows_in_loop, optimized=optimized)(x)
    assert_close(g, differences(rows_in_loop, (np.array(x),), (0,))[0])
    g[0, 0] = 5.0


def test_read_only():
    x = V.copy()
    x.flags.writeable = False
    for f in (squares, total, helper_loop):
        g = tangent.grad(f)(x)
        assert g.flags.writeable
        assert g.base is None or g.base is not x


def test_array_subclass_is_right_or_refused():
    x = np.ma.masked_array(V, mask=[False, True, False])
    try:
        g = tangent.grad(squares)(x)
    except TangentError:
        return
    np.testing.assert_allclose(np.ma.filled(g, 0.0), [0.6, 0.0, -1.4])


def test_object_array_is_right_or_refused():
    try:
        g = tangent.grad(squares)(np.array([1.0, 2.0], dtype=object))
    except TangentError:
        return
    assert_close(np.asarray(g, dtype=float), np.array([2.0, 4.0]))


def containers_in_an_array(x):
    a = np.empty(2, dtype=object)
    a[0] = x[0]
    a[1] = [x[1], x[2]]
    return a[0] * a[1][0] + a[1][1]


def test_containers_in_an_array_of_objects_are_right_or_refused():
    """Their gradients were added as lists are: the gradient was 0."""
    try:
        g = tangent.grad(containers_in_an_array)(np.array([0.7, 1.9, -1.3]))
    except TangentError:
        return
    assert_close(g, np.array([1.9, 0.7, 1.0]))


def grown_in_a_list(x, y):
    xs = [x, y]
    xs.append(xs[0] * xs[1])
    xs[0] = xs[2] + xs[0]
    return np.sum(xs[0] * xs[1] * xs[2])


def grown_in_a_dict(x, y):
    d = {'x': x, 'y': y}
    d['x'] = d['x'] * d['y']
    return np.sum(d['x'] * d['y'])


@pytest.mark.parametrize('function', [grown_in_a_list, grown_in_a_dict])
def test_what_is_overwritten_by_another_shape(function):
    """A number that an array takes the place of had the gradient of each element."""
    y = np.array([0.5, 1.0, 2.0])
    expected = (function(1.3 + 1e-6, y) - function(1.3 - 1e-6, y)) / 2e-6
    for _ in range(4):
        assert_close(tangent.grad(function)(1.3, y), expected)


def repeated_tuple(x):
    t = (x[0],)
    u = t
    u += (x[1], x[2])
    t *= 3
    return sum(t) * u[1] * u[2]


def repeated_in_a_dict(x):
    d = {'t': (x[0],)}
    e = d
    e['t'] += (x[1], x[2])
    e['t'] *= 2
    return sum(d['t']) * d['t'][1] * d['t'][3]


@pytest.mark.parametrize('function', [repeated_tuple, repeated_in_a_dict])
def test_repeated_tuples_in_place(function):
    x = np.array([0.7, 1.9, -1.3])
    expected = [(function(x + e) - function(x - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    assert_close(tangent.grad(function)(x), np.array(expected))


def counters(x):
    def make():
        t = [0.0]

        def add(v):
            t[0] = t[0] + v * v
            return t[0]
        return add
    a = make()
    a(x[0])
    return a(x[2])


def test_second_derivatives_of_closures_with_state_are_right_or_refused():
    """What the first call had stored was lost."""
    x, v = np.array([0.7, 1.9, -1.3]), np.array([0.3, -1.0, 2.0])
    try:
        assert_close(tangent.hvp(counters)(x, v), 2 * v * [1, 0, 1])
    except TangentError:
        return


def of_no_axes(x):
    return np.sum((np.zeros(np.shape(x)) + x).reshape(-1) ** 2)


def test_methods_of_what_numpy_makes_of_a_number_in_forward_mode():
    assert_close(tangent.jvp(of_no_axes)(1.3, 1.0), 2.6)


@dataclasses.dataclass(order=True)
class Ranked:
    rank: float
    value: float


def largest_object(x):
    found = max([Ranked(v, v * v) for v in x])
    return found.rank * found.value


def test_the_largest_of_objects_is_one_of_them():
    x = np.array([0.7, 1.9, -1.3])
    expected = np.array([0.0, 3 * 1.9 ** 2, 0.0])
    for _ in range(4):
        assert_close(tangent.grad(largest_object)(x), expected)
        assert_close(tangent.jvp(largest_object)(x, np.ones(3)), np.sum(expected))


def test_lists_are_not_arrays():
    with pytest.raises((TypeError, ValueError)):
        tangent.grad(scalar)([1.0, 2.0])


# results that are not scalar

@pytest.mark.parametrize('f', [vector, wide])
def test_result_must_be_scalar(f):
    with pytest.raises(TypeError) as caught:
        tangent.grad(f)(V)
    assert isinstance(caught.value, TangentError)
    for word in ('jacobian', 'elementwise_grad', 'vjp'):
        assert word in str(caught.value)


WRONG_SEEDS = [1.0, np.ones(2), np.ones((3, 1)), np.ones((1, 3)), np.ones((3, 3)), [1.0, 1.0]]


@pytest.mark.parametrize('seed', WRONG_SEEDS, ids=repr)
def test_seed_of_another_shape(seed):
    with pytest.raises(ValueError, match='Shape mismatch') as caught:
        tangent.vjp(vector, wrt=(0,))(V, seed)
    assert isinstance(caught.value, TangentError)


def test_seeds():
    assert_close(tangent.vjp(vector, wrt=(0,))(V, np.arange(3.0)), 2 * np.arange(3.0))
    assert_close(tangent.vjp(vector, wrt=(0,))(V, np.arange(3)), 2 * np.arange(3.0))
    assert tangent.grad(scalar)(1.5, 2.0) == 6.0
    assert tangent.grad(scalar)(1.5, bx_times_x=2.0) == 6.0


def test_value_and_grad():
    value, g = tangent.value_and_grad(scalar)(1.5)
    assert (value, g) == (2.25, 3.0)


# calls that make no sense

@pytest.mark.parametrize('wrt', [3, (0, 7), 'q', ('x', 'q'), (), [], -9, (1.0,), 1.5, None, ('x', 0), (0, 0)], ids=repr)
def test_wrt_that_makes_no_sense(wrt):
    with pytest.raises((ValueError, TypeError)) as caught:
        tangent.grad(three, wrt=wrt)
    assert isinstance(caught.value, TangentError)
    assert 'wrt' in str(caught.value) or 'three' in str(caught.value)


@pytest.mark.parametrize('wrt, right', [
    (0, 15.0), ((0,), 15.0), ('x', 15.0), (('x',), 15.0), ((1, 0), (10.0, 15.0)), (('z', 0), (6.0, 15.0)), ('z', 6.0),
    ([0, 1], (15.0, 10.0)), ((2, 1, 0), (6.0, 10.0, 15.0)), (np.int64(1), 10.0)], ids=repr)
def test_wrt(wrt, right):
    assert tangent.grad(three, wrt=wrt)(2.0, 3.0, 5.0) == right


@pytest.mark.parametrize('wrt', [-1, True], ids=repr)
def test_wrt_right_or_refused(wrt):
    try:
        g = tangent.grad(three, wrt=wrt)(2.0, 3.0, 5.0)
    except TangentError:
        return
    assert g == {-1: 6.0, True: 10.0}[wrt]


@pytest.mark.parametrize('options', [{'mode': 'sideways'}, {'motion': 'slow'}])
def test_unknown_option(options):
    with pytest.raises(ValueError) as caught:
        tangent.autodiff(scalar, **options)
    assert isinstance(caught.value, TangentError)


@pytest.mark.parametrize('args, keywords', [
    ((), {}), ((1.0,), {}), ((1.0, 2.0, 3.0, 4.0, 5.0), {}), ((1.0, 2.0, 3.0), {'q': 1}), ((1.0, 2.0, 3.0), {'x': 1}),
], ids=repr)
def test_wrong_count(args, keywords):
    with pytest.raises(TypeError):
        tangent.grad(three)(*args, **keywords)


def test_arguments_by_name():
    assert tangent.grad(three, wrt=('x', 'z'))(z=5.0, x=2.0, y=3.0) == (15.0, 6.0)


# results that belong to the user


def copies(x, y):
    z = x
    return np.sum(z) + np.sum(y)


def passes(x, y):
    return np.sum(x.reshape(3, 1)) + np.sum(y.T)


@BOTH
@pytest.mark.parametrize('f', [sum_of_two, mixed, copies, passes])
def test_gradients_share_nothing(f, optimized):
    x, y = V.copy(), V[::-1].copy()
    seed = np.ones(())
    gradients = tangent.grad(f, wrt=(0, 1), optimized=optimized)(x, y)
    assert not share_memory([x, y, seed, *gradients])
    for g in gradients:
        g += 1.0
    assert_close(x, V)


def add_vectors(x, y):
    return x + y


def identity(x):
    return x


def pair_of(x, y):
    return x + y, x


@BOTH
def test_seed_is_not_handed_out(optimized):
    seed, x = np.arange(3.0), V.copy()
    gx, gy = tangent.autodiff(add_vectors, wrt=(0, 1), optimized=optimized)(x, V[::-1].copy(), seed)
    assert not share_memory([gx, gy, seed, x])
    g = tangent.autodiff(identity, optimized=optimized)(x, seed)
    assert not share_memory([g, seed, x])
    assert gx.flags.writeable and gy.flags.writeable and g.flags.writeable


@BOTH
def test_broadcast_gradient_is_writeable(optimized):
    for f in (total, doubled_mean):
        g = tangent.grad(f, optimized=optimized)(A)
        assert g.flags.writeable
        g[0, 0] = 100.0
        assert g[1, 1] != 100.0


def doubled_mean(x):
    return np.mean(x) * 2.0


@BOTH
def test_same_array_twice(optimized):
    x = V.copy()
    gx, gy = tangent.grad(mixed, wrt=(0, 1), optimized=optimized)(x, x)
    assert_close(gx, 2 * V + np.cos(V) / 3)
    assert_close(gy, 2 * V)
    assert not share_memory([gx, gy, x])


@BOTH
def test_unused_argument_gets_zeros(optimized):
    df = tangent.grad(hostile.unused, wrt=(0, 1), optimized=optimized)
    for y in (np.float32([[1, 2]]), 1.5, [1.0, (2.0, V)], {'a': V, 'b': 2.0}, np.zeros((0, 2)), 3, np.array([1, 2])):
        gx, gy = df(1.2, copy.deepcopy(y))
        assert gx == 2.0
        assert same_structure(y, gy)
        assert not np.any(numbers(gy))
        if isinstance(y, np.ndarray):
            assert gy.dtype == (np.float64 if y.dtype.kind == 'i' else y.dtype)


def test_called_again_and_again():
    df = tangent.grad(hostile.names_of_the_tape, wrt=(0, 1))
    once = df(0.9, 0.3, 3)
    assert all(df(0.9, 0.3, 3) == once for _ in range(3))


# values that are not numbers

@BOTH
@pytest.mark.parametrize('value', [np.nan, np.inf, -np.inf])
def test_not_finite(value, optimized):
    x = np.array([1.0, value, 2.0])
    g = tangent.grad(squares, optimized=optimized)(x)
    np.testing.assert_equal(g, 2 * x)
    assert np.isnan(tangent.grad(scalar, optimized=optimized)(np.nan))


def guarded(x):
    if x > 0:
        return np.log(x)
    return 0.0 * x + 5.0


def times_zero(x, y):
    return 0.0 * x + y


def root(x):
    return np.sqrt(x)


@BOTH
def test_edges(optimized):
    assert tangent.grad(guarded, optimized=optimized)(-1.0) == 0.0
    assert tangent.grad(times_zero, wrt=(0, 1), optimized=optimized)(np.inf, 1.0) == (0.0, 1.0)
    assert np.isnan(tangent.grad(three, optimized=optimized)(1.0, 0.0, np.inf))
    with np.errstate(all='ignore'):
        assert tangent.grad(root, optimized=optimized)(0.0) == np.inf
    assert tangent.grad(hostile.power_zero, optimized=optimized)(0.0) == 0.0


def test_bool_of_an_array_is_theirs():
    with pytest.raises(ValueError, match='truth value'):
        tangent.grad(hostile.bool_of_array)(V)


# complex numbers

def absolute(z):
    return np.abs(z) ** 2


@BOTH
def test_complex_argument(optimized):
    """Refused until a later version takes complex numbers, and then by the convention of `CONVENTIONS`."""
    try:
        g = tangent.grad(absolute, optimized=optimized)(1 + 2j)
    except TangentError as error:
        assert 'complex' in str(error)
        return
    assert_close(np.asarray(g), np.asarray(2 + 4j))
