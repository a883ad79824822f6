"""The run time under Numba: every helper does what it does under CPython, in type, dtype, shape and value."""
import collections
import copy
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import tangent
from tangent.errors import ShapeError
from tangent.numba import options
from tangent.runtime import api
from tangent.runtime.functions import elementwise
from tangent.runtime.functions.numpy import products

numba = pytest.importorskip('numba')
options.init()
pytestmark = [pytest.mark.filterwarnings('ignore::numba.core.errors.NumbaPendingDeprecationWarning'), pytest.mark.share(2)]

Point = collections.namedtuple('Point', 'x y')


def F(*shape):
    return np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape)


def call(helper, n):
    """A compiled function of `n` arguments that calls the helper, held in a closure cell as in emitted code."""
    names = ', '.join('abcdef'[:n])
    text = f'def outer(helper):\n    def g({names}):\n        return helper({names})\n    return g'
    namespace = {}
    exec(text, namespace)
    return numba.njit(namespace['outer'](helper))


def same(a, b):
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray) and a.ndim:
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b)
    return np.array_equal(a, b) and np.asarray(a).dtype.kind == np.asarray(b).dtype.kind


def agree(name, *args):
    helper = getattr(api, name)
    want, got = helper(*copy.deepcopy(args)), call(helper, len(args))(*copy.deepcopy(args))
    want = type(got)(want) if isinstance(want, api.TupleGrad) else want       # a list, or a tuple of mixed types
    assert same(want, got), (want, got)


@pytest.mark.parametrize('x', [2.0, 3, True, 1j, F(2, 3), np.arange(3), F(3).astype(np.float32), [1.0, 2.0], (1.0, 2.0),
                               (1.0, F(2)), np.array(2.0), None], ids=repr)
def test_init_grad(x):
    agree('init_grad', x)


@pytest.mark.parametrize('left, right', [
    (1.0, 2.0), (F(2), F(2)), (None, F(2)), (F(2), None), ((1.0, F(2)), (2.0, F(2))), ([1.0, 2.0], (1.0, 2.0)),
    ([1.0], [2.0]), (Point(1.0, F(2)), Point(2.0, F(2)))], ids=repr)
def test_add_grad(left, right):
    agree('add_grad', left, right)


@pytest.mark.parametrize('b, x', [
    (F(2, 3), F(3)), (F(2, 3), F(2, 1)), (F(2, 3), F(1, 3)), (F(2, 3), 1.0), (F(2, 3), F(2, 3)), (F(3), F(2, 3)),
    (F(3, 1), F(1, 4)), (2.0, F(2)), (1 + 2j, 1.0), (F(2, 3), F(1, 1, 1)), (F(2, 3).astype(np.float32), F(3)),
    (F(2, 3) * (1 + 1j), F(3)), (F(2), np.array(1.0)), (2.0, 3), (F(3), np.arange(3)), (F(0, 3), F(3)), (F(1), 2.0),
    (np.asfortranarray(F(2, 3)), F(2, 3)), (F(3), F(3).astype(complex)), (np.array(2.0), 1.0)], ids=repr)
def test_unbroadcast(b, x):
    agree('unbroadcast', b, x)


@pytest.mark.parametrize('b, x', [(F(2), F(2).astype(np.float32)), (1 + 2j, 1.0), (F(2), F(2)), (2.0, 3)], ids=repr)
def test_astype(b, x):
    agree('astype', b, x)


def test_unbroadcast_gives_the_gradient_itself_when_nothing_is_to_do():
    b = F(2, 3)
    assert call(api.unbroadcast, 2)(b, F(2, 3)) is b


def test_unbroadcast_of_shapes_that_do_not_broadcast():
    with pytest.raises(ShapeError, match='Shape mismatch'):
        call(api.unbroadcast, 2)(F(2, 3), F(2, 2))


@pytest.mark.parametrize('args', [
    (2.0, (2, 3)), (F(3), (2, 3), 0), (F(2), (2, 3), 1), (F(2), (2, 3), -1), (F(2, 1), (2, 3), 1, True), (2.0, ()),
    (F(3), (2, 3, 4), (0, 2)), (F(3), (2, 3, 4), (0, -1)), (F(1, 3, 1), (2, 3, 4), (0, -1), True), (2.0, 3, 0),
    (F(1, 1), (2, 3), None, True), (2.0, (3,), 0), (F(2, 4), (2, 3, 4), 1)], ids=repr)
def test_unreduce(args):
    agree('unreduce', *args)


def test_unreduce_of_a_gradient_that_is_not_a_sums():
    with pytest.raises(ShapeError, match='Shape mismatch'):
        call(api.unreduce, 3)(F(4), (2, 3), 0)


@pytest.mark.parametrize('args', [
    (F(2), F(2, 3).astype(np.float32), 1), (3.0, np.ones((2, 3), int)), (3.0, 2.0)], ids=repr)
def test_unreduce_like(args):
    agree('unreduce_like', *args)


@pytest.mark.parametrize('b, x', [
    ((1.0, F(2)), (2.0, np.arange(2))), ([1.0, 2.0], (1.0, 2.0)), ((1.0, F(2)), Point(1.0, F(2))), (None, (1.0, F(2))),
    ([1.0, 2.0], [1.0, 2.0])], ids=repr)
def test_astype_of_containers(b, x):
    agree('astype', b, x)


@pytest.mark.parametrize('x', [1.0, F(2), (1.0, F(2)), [1.0], Point(1.0, F(2))], ids=repr)
def test_copy(x):
    agree('copy', x)
    if isinstance(x, np.ndarray):
        assert not np.shares_memory(call(api.copy, 1)(x), x)


@pytest.mark.parametrize('y, by', [(1.0, 2.0), (F(1), 2.0), (F(2, 2), F(2, 2)), ((1.0, F(2)), (3.0, F(2))), (1, 1.0),
                                   (np.array(1.0), 1.0), (2, 3.0)], ids=repr)
def test_check_dims(y, by):
    agree('check_dims', y, by)


@pytest.mark.parametrize('y, by', [(F(2), 1.0), (F(2, 2), 1.0), (F(2), F(3))], ids=repr)
def test_check_dims_refuses(y, by):
    with pytest.raises(ShapeError, match='Shape mismatch between return value'):
        call(api.check_dims, 2)(y, by)


@pytest.mark.parametrize('y, by', [(True, 1.0), (1.0, F(2)), (F(2), F(2, 2)), ((1.0, 2.0), 1.0)], ids=repr)
def test_check_dims_refuses_while_compiling(y, by):
    with pytest.raises(numba.TypingError, match='no gradient|Shape mismatch'):
        call(api.check_dims, 2)(y, by)


def test_check_scalar():
    assert call(api.check_scalar, 1)(1.0) == 1.0 == call(api.check_scalar, 1)(np.array(1.0))
    with pytest.raises(numba.TypingError, match='Shape mismatch'):
        call(api.check_scalar, 1)(F(2))


@pytest.mark.parametrize('bx, index, v', [
    (F(3), 1, 2.0), (F(3), -1, 2.0), (F(3, 2), 1, F(2)), (F(3, 2), (1, 0), 2.0), (F(3, 2), np.s_[:, 0], F(3)),
    (F(3, 2), np.s_[:, 0], 2.0), (F(3), np.array([0, 0]), F(2)), (F(3), np.array([0, -3]), 1.0),
    (F(3, 2), np.array([[0, 0], [1, 0]]), F(2, 2, 2)), (F(3, 2), np.array([[0, 0], [1, 0]]), F(2)),
    (F(3), np.array([True, False, True]), F(2)), (F(2, 3), F(2, 3) > 2, F(4)), (F(2, 3), np.array([True, False]), F(3)),
    (F(3, 2), (np.array([0, 0]), np.array([1, 1])), F(2)), (F(3, 2), (np.array([0, 0]), 1), F(2)),
    (F(3, 2), np.s_[:, np.array([0, 0, 1])], F(3, 3)), (F(3, 2), np.s_[:, np.array([0, 0, 1])], F(3)),
    (F(3), 1, 1j), (F(3), 1, F(3)), (F(3), slice(0, 2), F(2)), (F(3), slice(0, 2), F(4, 2))], ids=repr)
def test_add_at(bx, index, v):
    agree('add_at', bx, index, v)


def test_add_at_of_a_list():
    bx = [1.0, 2.0]
    assert call(api.add_at, 3)(bx, 1, 3.0) == [1.0, 5.0]


@pytest.mark.parametrize('name, args', [
    ('array_size', (F(2, 3), 0)), ('array_size', (F(2, 3), (0, 1))), ('array_size', (F(2, 3),)), ('array_size', (2.0,)),
    ('balanced_eq', (F(3), F(3), F(3)[::-1].copy())), ('balanced_eq', (1.0, 1.0, 1.0)),
    ('shapes_match', (F(3), F(3))), ('shapes_match', (F(3), F(4))), ('shapes_match', (F(3), 1.0)),
    ('shapes_match', ((F(3), 1.0), (F(3), 2.0))), ('grad_dot', (2.0, F(3), F(3))), ('grad_dot', (F(2), F(2, 3), F(3))),
    ('grad_dot', (F(4), F(3), F(3, 4))), ('grad_dot', (F(2, 4), F(2, 3), F(3, 4))), ('grad_dot', (F(3), 2.0, F(3))),
], ids=repr)
def test_small_helpers(name, args):
    agree(name, *args)


def test_a_gradient_as_it_is_emitted():
    """The sum of squares of the products of neighbours, with helpers in closure cells and a list for a tape."""
    def emitted(init_grad, check_dims, unbroadcast, astype):
        def dfdx(x, by=1.0):
            _stack = []
            y = 0.0
            for i in range(len(x) - 1):
                t = x[i] * x[i + 1]
                _stack.append(t)
                y += t * t
            by = check_dims(y, by)
            bx = init_grad(x)
            for i in range(len(x) - 2, -1, -1):
                bt = unbroadcast(by * 2 * _stack.pop(), x[i])
                bx[i] += bt * x[i + 1]
                bx[i + 1] += bt * x[i]
            return astype(bx, x)
        return dfdx
    df = emitted(api.init_grad, api.check_dims, api.unbroadcast, api.astype)
    for x in F(4), F(4).astype(np.float32), np.arange(1, 5):
        assert same(df(x), numba.njit(df)(x))
    assert numba.njit(df)(F(3)).tolist() == [8.0, 40.0, 24.0]


PROGRAM = '''
    import sys
    {first}
    import numpy
    from tangent import utils
    from tangent.numba import entry
    entry.watch()
    {second}
    def outer(unbroadcast):
        return lambda b: unbroadcast(b, 1.0)
    print(numba.njit(outer(utils.unbroadcast))(numpy.ones(3)))
'''


@pytest.mark.parametrize('first, second', [
    ('import numba', ''), ('', 'assert "numba" not in sys.modules; import numba')])
def test_helpers_compile_whichever_is_imported_first(first, second):
    text = textwrap.dedent(PROGRAM.format(first=first, second=second))
    assert subprocess.run([sys.executable, '-c', text], capture_output=True, text=True, check=True).stdout == '3.0\n'


def test_watching_leaves_other_imports_and_a_missing_numba_alone():
    text = '''
    import sys
    from tangent.numba import entry
    entry.watch()
    entry.watch()
    finders = [f for f in sys.meta_path if type(f).__module__ == 'tangent.numba.entry']
    sys.path[:] = []
    sys.path_importer_cache.clear()
    try:
        import numba
    except ImportError:
        print(len(finders))
    '''
    assert subprocess.run([sys.executable, '-c', textwrap.dedent(text)], capture_output=True, text=True,
                          check=True).stdout == '1\n'


RULES = [
    ('safe_divide', 3.0, 0.0), ('safe_divide', F(3), np.array([0.0, 1.0, 2.0])), ('safe_divide', F(3), 2.0),
    ('dpower_dx', 2.0, 3.0), ('dpower_dx', 0.0, 0.0), ('dpower_dx', 2, 3),
    ('dpower_dx', F(3), np.array([0.0, 1.0, 2.5])),
    ('dpower_dy', 2.0, 3.0, 8.0), ('dpower_dy', 0.0, 3.0, 0.0), ('dpower_dy', F(3), 2.0, F(3)),
    ('digamma', 2.5), ('digamma', -1.5), ('digamma', 3), ('ties', np.array([1.0, 2.0, 2.0]), 2.0),
    ('share', 2.0, 2.0, (2.0, 1.0, 2.0)), ('unextreme', 3.0, 2.0, (2.0, 1.0)), ('unextreme', 3.0, 3.0, F(3)),
    ('unsum', 2.0, (1.0, 2.0)), ('unsum', F(2), F(3, 2)), ('product_of_others', np.array([2.0, 0.0, 3.0])),
    ('product_of_others', F(2, 2)), ('uncumsum', F(3), F(3)), ('uncumprod', F(3), F(3), np.cumprod(F(3))),
    ('uncumprod', F(3), np.array([2.0, 0.0, 3.0]), np.array([2.0, 0.0, 0.0])),
    ('unsort', F(3), np.array([2.0, 1.0, 2.0])),
    ('middle', np.array([3.0, 1.0, 2.0])), ('middle', np.array([3.0, 1.0, 2.0, 5.0])), ('unrepeat', F(6), F(3), 2),
    ('untake', F(3), F(4), np.array([1, 1, 2])), ('undiff', F(3), F(4)), ('undiff', F(2), F(4), 2),
    ('unconcatenate', F(5), (F(2), F(3))),
    ('unstack', F(2, 3), (F(3), F(3))), ('unarray', F(2), (1.0, 2.0)), ('unarray', F(2), F(2).astype(np.float32)),
    ('untrace', 2.0, F(2, 3)), ('untrace', 2.0, F(3, 2), 1), ('undiag', F(2), F(2, 3)), ('undiag', F(3, 3), F(2), 1),
    ('undiag', F(2), F(3, 3), -1), ('undiagonal', F(2), F(2, 3), 1),
]


@pytest.mark.parametrize('case', RULES, ids=repr)
def test_functions_of_the_rules(case):
    name, *args = case
    helper = getattr(elementwise, name)
    want, got = helper(*copy.deepcopy(args)), call(helper, len(args))(*copy.deepcopy(args))
    want = type(got)(want) if isinstance(want, (list, tuple)) else want
    assert same(want, got) or name == 'digamma' and np.isclose(want, got, rtol=1e-13), (want, got)


@pytest.mark.parametrize('axis', [1, -1])
def test_unconcatenate_along_a_literal_axis(axis):
    text = f'def f(d, a, b):\n    return unconcatenate(d, (a, b), axis={axis})'
    namespace = {'unconcatenate': elementwise.unconcatenate}
    exec(text, namespace)
    args = F(2, 5), F(2, 2), F(2, 3)
    assert same(tuple(namespace['f'](*args)), numba.njit(namespace['f'])(*args))


@pytest.mark.parametrize('name, a, b', [
    ('dot', F(3), F(3)), ('dot', F(2, 3), F(3)), ('dot', F(3), F(3, 2)), ('dot', F(2, 3), F(3, 4)), ('dot', 2.0, F(3)),
    ('dot', F(3), 2.0), ('dot', F(2, 3).astype(np.float32), F(3, 4)), ('dot', F(2, 2), F(2, 2) * 1j),
    ('dot', np.ones((2, 3), int), F(3)),
    ('matmul', F(2, 3), F(3)), ('matmul', F(3), F(3, 2)), ('matmul', F(2, 3), F(3, 4)),
    ('inner', F(2, 3), F(3)), ('inner', F(3), F(2, 3)), ('inner', F(2, 3), F(4, 3))], ids=str)
def test_products(name, a, b):
    left, right = getattr(products, f'{name}_left'), getattr(products, f'{name}_right')

    def both(d, a, b):
        return left(d, a, b), right(d, a, b)
    d = np.cos(getattr(np, name)(a, b))
    for want, got in zip(both(d, a, b), numba.njit(both)(d, a, b), strict=True):
        assert np.shape(want) == np.shape(got) and np.allclose(want, got)
        assert np.asarray(want).dtype == np.asarray(got).dtype


SQUARE = np.array([[2.0, 0.5], [0.3, 1.5]])


@pytest.mark.parametrize('b', [F(2), F(2, 3)], ids=str)
def test_solve(b):
    x = np.linalg.solve(SQUARE, b)
    for want, got in zip(products.unsolve(b, SQUARE, b, x), call(products.unsolve, 4)(b, SQUARE, b, x), strict=True):
        assert want.shape == got.shape and np.allclose(want, got)


def test_cofactors():
    compiled_cofactors = call(products.cofactors, 1)
    for m in SQUARE, -SQUARE, np.array([[1.0, 2.0], [2.0, 4.0]]):
        assert np.allclose(compiled_cofactors(m), products.cofactors(m))


def test_tangents_of_cofactors():
    compiled_tangent = call(products.push_cofactors, 2)
    for m in SQUARE, np.eye(2), np.zeros((2, 2)), np.array([[0.4, 0.7, 1.3], [0.7, 1.3, 0.4], [1.3, 0.4, 0.7]]):
        d = np.sin(np.arange(m.size, dtype=float)).reshape(m.shape)
        assert np.allclose(compiled_tangent(m, d), products.push_cofactors(m, d))


@numba.njit
def product(a):
    if a.shape[0] > 0:
        return np.dot(a, a)


@numba.njit
def root(x):
    if x > 0:
        return np.sqrt(x)


@pytest.mark.parametrize('f, point', [
    (lambda a: np.sum(np.sin(product(a))), F(3, 3)), (lambda x: root(x) * x, 0.7),
    (lambda a: np.sum(np.dot(np.linalg.matrix_power(a, 3), a)), F(3, 3))], ids=['array', 'number', 'matrix_power'])
def test_value_that_numba_types_as_optional(f, point):
    found, right = tangent.grad(numba.njit(f))(point), tangent.grad(f)(point)
    np.testing.assert_allclose(found, right, 1e-12)


def test_none_where_a_number_is_asked_for():
    f = numba.njit(lambda x: root(x) * x)
    with pytest.raises(TypeError, match='None'):
        tangent.grad(f)(-0.7)


@pytest.mark.parametrize('k, f', list(enumerate([lambda a: np.sum(np.linalg.eigvals(a) ** 2), lambda a: np.sum(np.linalg.eig(a)[0] ** 2),
                                                 lambda a: np.sum(np.diff(a, 2) ** 3)])),
                         ids=['eigvals', 'eig', 'second differences of rows'])
def test_both_modes_are_compiled(k, f, in_turn):
    """One of them each, in turn (of the functions every second runs): each takes seconds."""
    a, move = F(3, 3) + 3 * np.eye(3), np.cos(F(3, 3))
    for derivative, more in in_turn([(tangent.grad, ()), (tangent.jvp, (move,))], k // 2):
        np.testing.assert_allclose(derivative(numba.njit(f))(a, *more), derivative(f)(a, *more), 1e-9, 1e-12)
