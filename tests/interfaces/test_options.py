"""Options that people know from other libraries: `has_aux`, `holomorphic`, `allow_int`; those that are not here are refused."""
import numba
import numpy as np
import pytest

import tangent
from tangent import func
from tests.tools.checking import assert_close

X, V = np.array([0.3, 0.7, -0.2]), np.array([1.0, 2.0, -1.0])


def first(x):
    return np.sin(x) * x[0]


def pair(x):
    return np.sin(x) * x[0], {'twice': x * 2, 'word': 'this'}


def cubes(x):
    return np.sum(x ** 3), (x, 'more')


def made_before(x):
    found = np.sum(x ** 3), x
    return found


@pytest.mark.parametrize('operator', [tangent.jacobian, tangent.jacfwd, tangent.jacrev, func.jacfwd, func.jacrev])
def test_jacobians_with_aux(operator):
    found, aux = operator(pair, has_aux=True)(X)
    assert_close(found, tangent.jacobian(first)(X))
    assert aux['word'] == 'this' and (aux['twice'] == 2 * X).all()


@pytest.mark.parametrize('f', [cubes, made_before])
def test_numbers_with_aux(f):
    for (found, aux), expected in [
            (tangent.grad(f, has_aux=True)(X), 3 * X ** 2),
            (tangent.jvp(f, has_aux=True)(X, V), 3 * X ** 2 @ V),
            (tangent.vjp(f, has_aux=True)(X, 2.0), 6 * X ** 2),
            (tangent.hvp(f, has_aux=True)(X, V), 6 * X * V),
            (tangent.hessian(f, has_aux=True)(X), np.diag(6 * X)),
            (func.hessian(f, has_aux=True)(X), np.diag(6 * X))]:
        assert_close(found, expected)
        assert ((aux[0] if f is cubes else aux) == X).all()
    gradient, (value, _) = tangent.grad_and_value(f, has_aux=True)(X)
    assert_close((gradient, value), (3 * X ** 2, np.sum(X ** 3)))


@numba.njit
def made_compiled(x):
    found = (np.sum(x ** 3), x * 2)
    return found


def test_compiled_functions_with_aux():
    found, aux = tangent.jvp(made_compiled, has_aux=True)(X, V)
    assert_close((found, aux), (3 * X ** 2 @ V, 2 * X))
    with pytest.raises(tangent.TangentError, match='has to be a pair'):
        tangent.jvp(numba.njit(lambda x: np.sum(x)), has_aux=True)(X, V)


def test_results_of_any_shape_with_aux():
    jacobian = tangent.jacobian(first)(X)
    assert_close(tangent.elementwise_grad(pair, has_aux=True)(X)[0], jacobian.sum(0))
    assert_close(tangent.vjp(pair, has_aux=True)(X, V)[0], V @ jacobian)
    value, push, aux = func.linearize(pair, X, has_aux=True)
    assert_close((value, push(V)), (first(X), jacobian @ V))
    assert aux['word'] == 'this'


def test_complex_derivatives_of_holomorphic_functions():
    assert tangent.grad(lambda z: z * z, holomorphic=True)(1 + 2j) == 2 + 4j
    assert func.grad(lambda z: (z * z, 'more'), holomorphic=True, has_aux=True)(1 + 2j) == (2 + 4j, 'more')
    assert tangent.value_and_grad(lambda z: z * z, holomorphic=True)(1 + 2j) == (-3 + 4j, 2 + 4j)
    assert tangent.grad(lambda n: n * n, allow_int=True)(3) == func.grad(lambda n: n * n, allow_int=True)(3) == 6.0


Z = np.array([1 + 2j, 0.5 - 1j])


def waves(z):
    return np.stack([z[0] * z[1] ** 2, np.exp(z[0])])


def product(a, z):
    return np.sum(a ** 2 * np.exp(z))


def test_second_complex_derivatives_of_holomorphic_functions():
    a, b = Z
    found = tangent.hessian(waves, holomorphic=True)(Z)
    assert_close(found, np.array([[[0, 2 * b], [2 * b, 2 * a]], [[np.exp(a), 0], [0, 0]]]))
    assert_close(func.hessian(lambda z: (waves(z), 'more'), holomorphic=True, has_aux=True)(Z)[0], found)
    assert_close(tangent.hessian(lambda z: z ** 3, holomorphic=True)(1 + 2j), 6 + 12j)
    blocks = tangent.hessian(product, argnums=(0, 1), holomorphic=True)(Z, 2 * Z)
    assert_close(blocks[1][0], np.diag(2 * Z * np.exp(2 * Z)))
    assert_close(tangent.hessian(product, wrt='z', holomorphic=True)(Z, z=2 * Z), np.diag(Z ** 2 * np.exp(2 * Z)))
    for f in (lambda z: np.sum(np.conj(z) ** 2), lambda z: np.sum(z * np.conj(z)) + 0j, lambda z: np.sum(np.abs(z) ** 2)):
        with pytest.raises(tangent.TangentError, match='no holomorphic function'):
            tangent.hessian(f, holomorphic=True)(Z)


def test_second_derivatives_of_complex_results_by_real_arguments():
    x = np.array([0.3, 0.7])
    assert_close(tangent.hessian(lambda x: np.exp(1j * x))(0.3), -np.exp(0.3j))
    assert_close(tangent.hessian(lambda x: np.sum(np.exp(1j * x) * x[0]))(x),
                 np.array([[np.sum([2j * np.exp(0.3j), -0.3 * np.exp(0.3j)]), 1j * np.exp(0.7j)],
                           [1j * np.exp(0.7j), -0.3 * np.exp(0.7j)]]))


@pytest.mark.parametrize('f', [
    lambda x: np.imag(tangent.jacobian(lambda x: np.exp(1j * x))(x)),           # was 0
    lambda x: np.imag(tangent.jacfwd(lambda x: np.exp(1j * x))(x))])
def test_jacobians_of_complex_results_in_differentiated_code_are_refused(f):
    with pytest.raises(tangent.TangentError, match='of its real and that of its imaginary part'):
        tangent.grad(f)(0.3)


@pytest.mark.parametrize('f', [
    lambda x: np.sum(tangent.jacobian(pair, has_aux=True)(x)[0] ** 2),
    lambda x: np.sum(tangent.hvp(cubes, has_aux=True)(x, x)[0] ** 2),
    lambda x: np.sum(tangent.hessian(cubes, has_aux=True)(x)[0] ** 2),
    lambda x: np.sum(tangent.grad_and_value(made_before, has_aux=True)(x)[0] ** 2),
    lambda x: np.sum(func.linearize(pair, x, has_aux=True)[1](x))])
def test_in_differentiated_code(f):
    tangent.check_grads(f, (X,), order=1)


@pytest.mark.parametrize('call, message', [
    (lambda: tangent.grad(cubes, wrtt=0), r'tangent.grad\(\) takes no wrtt=: did you mean wrt=\?'),
    (lambda: tangent.grad(cubes, reduce_axes=()), 'no named axes'),
    (lambda: tangent.hessian(cubes, create_graph=True), 'can be differentiated again'),
    (lambda: tangent.jacobian(first, vectorize=True), 'chunk_size'),
    (lambda: func.jacfwd(first, randomness='same'), 'draws anew'),
    (lambda: tangent.jvp(cubes, has_aux=True, preserve_result=True), 'not both'),
    (lambda: tangent.jacobian(pair, has_aux=True, sparsity='detect'), 'leave out sparsity'),
    (lambda: tangent.jacobian(first, has_aux=True)(X), 'has to be a pair'),
    (lambda: tangent.jvp(first, has_aux=True)(X, V), 'has to be a pair'),
    (lambda: tangent.grad(cubes, check_dims='no'), "check_dims is 'no': it is True or False"),
    (lambda: tangent.grad(cubes, 0, None), 'optimized is None: it is True or False'),
    (lambda: tangent.jacobian(first, has_aux='no'), "has_aux is 'no'"),
    (lambda: tangent.grad(cubes, 0, X), 'optimized is an array: .* arguments go to what this returns'),
    (lambda: tangent.grad(cubes, 2.0), 'wrt is 2.0: .* arguments go to what this returns'),
    (lambda: tangent.grad(cubes, argnums={0}), 'argnums is a set'),
    (lambda: tangent.grad(cubes, argnums=(0, 3)), 'cubes has no position 3'),
    (lambda: tangent.jacobian(first, wrt=3)(X), 'first has no position 3'),
    (lambda: tangent.grad(lambda: 3.0), 'takes no arguments'),
    (lambda: tangent.grad(by_name, 1), "others go by name: wrt='scale'"),
    (lambda: tangent.grad(by_name, 'x;scale'), r"several go into a tuple, wrt=\('x', 'scale'\)"),
    (lambda: tangent.grad(fn=cubes), r'did you mean func=\?'),
    (lambda: tangent.grad(np), 'numpy is a module'),
    (lambda: tangent.grad(cubes, memory=-1), '-1 is no amount of memory'),
    (lambda: tangent.grad(cubes, memory='-5MB'), "'-5MB' is no amount of memory"),
    (lambda: tangent.grad(cubes, jit={'fast_math': True}), "no option of numba.njit: did you mean 'fastmath'"),
    (lambda: tangent.check_grads(cubes, (X,), order=0), 'order is 0'),
    (lambda: tangent.check_grads(cubes, (X,), eps=0), 'eps is 0'),
    (lambda: tangent.check_grads(first, (X, X)), r'first\(\) takes 1 arguments by position, not 2'),
    (lambda: tangent.check_grads(first, (X * np.nan,)), 'x holds nan or inf'),
    (lambda: tangent.jacobian(lambda x: str(x))(X), 'there is no number in it'),
    (lambda: tangent.ravel_pytree({'a': {1.0, 2.0}}), 'a set is no tree'),
    (lambda: tangent.taylor(np.exp, 0.0, 1.0, 'a'), "order is 'a'"),
    (lambda: tangent.jvp(cubes_sum, has_aux=True)(X, V), 'has to be a pair'),
    (lambda: tangent.jacobian(first, wrt=7), 'first has no position 7: it has 1 positional parameter'),
    (lambda: tangent.jacfwd(first, argnums=3), 'first has no position 3'),
    (lambda: tangent.jacobian(first, wrt='z'), "names 'z', but the parameters of first are x"),
    (lambda: tangent.jacobian(lambda *xs: xs[0], wrt=5)(X), 'position 5, and <lambda> is called with 1 arguments'),
    (lambda: tangent.hessian(cubes, chunk_size=0), 'chunk_size is 0: it is how many'),
    (lambda: func.hessian(cubes, chunk_size='2'), "chunk_size is '2'"),
    (lambda: tangent.vmap(first, chunk_size=2.5), 'chunk_size is 2.5'),
    (lambda: tangent.vmap(first, jit='yes'), "jit is 'yes': it is True, False or a dict"),
    (lambda: tangent.hvp(weighted, vector='x'), "vector is 'x': it is a position"),
    (lambda: tangent.hvp(weighted, vector=9)(X, V, 2.0), 'vector=9 is no position among the 3 arguments'),
    (lambda: tangent.grad(waves, holomorphic=True, preserve_result=True), 'preserve_result=True and holomorphic=True'),
    (lambda: tangent.value_and_grad(waves, holomorphic=True, jit=True), 'jit=True and holomorphic=True'),
    (lambda: func.vjp(cubes_sum), 'takes the function and its arguments'),
    (lambda: func.linearize(cubes_sum, X)[1](), '1 primals and 0 tangents'),
    (lambda: func.linearize(3.0, X), 'not a function')])
def test_options_that_make_no_sense_are_refused(call, message):
    with pytest.raises(tangent.TangentError, match=message):
        call()


def by_name(x, *, scale):
    return np.sum(x * scale)


def cubes_sum(x):
    return np.sum(x ** 3)


def weighted(x, a):
    return np.sum(x ** 3 * a)


def test_the_vector_of_a_product_with_the_hessian_may_stand_second():
    product = tangent.hvp(weighted, vector=1)
    assert_close(product(X, V, 2.0), tangent.hvp(weighted)(X, 2.0, V))
    tangent.check_grads(lambda x: product(x, V, 2.0) + tangent.hvp(weighted, vector=1)(V, x, 2.0), (X,), order=1)


@pytest.mark.parametrize('name, said', [('jit', 'jit=True'), ('functional_call', 'an argument like any other'),
                                        ('hvp', 'that is tangent.hvp'), ('no_grad', 'leave it out'), ('pullback', 'func.vjp'),
                                        ('tree_leaves', 'tree_map'), ('gradcheck', 'check_grads'), ('gradd', "no attribute 'gradd'$")])
def test_names_that_are_elsewhere(name, said):
    with pytest.raises(AttributeError, match=said):
        getattr(func, name)
