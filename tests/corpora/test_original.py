"""google/tangent's own tests, from memory and in our own words: its programs, called as scripts of 2017 called it."""
import copy
import inspect
import re

import numpy as np
import pytest

import tangent
from tangent.interfaces import grad
from tests.corpora.programs import functions_original as functions
from tests.tools.checking import assert_close, differences, numbers, random_like

CASES = [pytest.param(f, args, id=f.__name__) for f, args in functions.CASES]
both = pytest.mark.parametrize('optimized', [True, False], ids=['optimized', 'unoptimized'])
motions = pytest.mark.parametrize('motion', ['split', 'joint'])


def numeric_grad(func, args):
    return differences(func, args, (0,))[0]


# Reverse mode

@both
@motions
@pytest.mark.parametrize('func, args', CASES)
def test_reverse(func, args, motion, optimized):
    preserve_result = motion == 'joint'
    df = tangent.autodiff(func, mode='reverse', motion=motion, optimized=optimized, preserve_result=preserve_result)
    if motion == 'joint':
        found = df(*copy.deepcopy(args), 1.0)
    else:
        found = df(*copy.deepcopy(args), init_grad=1.0)
    if preserve_result:
        found, value = found
        assert_close(value, func(*copy.deepcopy(args)))
    assert_close(found, numeric_grad(func, args))


@pytest.mark.parametrize('func, args', CASES)
def test_grad_and_its_defaults(func, args):
    df = tangent.grad(func, (0,), True, False, True, 0)
    assert_close(df(*copy.deepcopy(args)), numeric_grad(func, args))


# Forward mode

@both
@pytest.mark.parametrize('func, args', CASES)
def test_forward(func, args, optimized):
    df = tangent.autodiff(func, mode='forward', preserve_result=optimized, optimized=optimized, wrt=(0,))
    direction = random_like(args[0])
    found = df(*copy.deepcopy(args), direction)
    if optimized:
        found, value = found
        assert_close(value, func(*copy.deepcopy(args)))
    assert_close(found, np.dot(numbers(numeric_grad(func, args)), numbers(direction)))


def test_forward_by_two():
    df = tangent.autodiff(functions.saxpy, wrt=(0, 2), mode='forward')
    assert df(2.0, 3.0, 4.0, 1.0, 0.5) == df(2.0, 3.0, 4.0, dx=1.0, dz=0.5) == 3.5
    assert inspect.getfullargspec(df).args == ['x', 'y', 'z', 'dx', 'dz']


# Reverse over reverse

@pytest.mark.parametrize('func, args', CASES)
def test_reverse_over_reverse(func, args, in_turn):
    """The gradient, by the first argument again, of what the gradient gives along a direction; optimized or not, in turn."""
    if not isinstance(args[0], (float, np.ndarray)):
        pytest.skip('a gradient that is a container is no cost')
    for optimized in in_turn([True, False], [f for f, _ in functions.CASES].index(func)):
        df = tangent.grad(func, optimized=optimized)
        direction = random_like(args[0])
        ddf = tangent.autodiff(df, motion='joint', optimized=optimized, check_dims=False)
        found = ddf(*copy.deepcopy(args), 1.0, direction)
        expected = differences(lambda *a, df=df: np.asarray(df(*a)), args, (0,), direction)[0]
        assert_close(found, expected, 1e-5)


def test_grad_of_grad_of_a_number():
    def f(x):
        return x * x * x
    ddf = tangent.grad(tangent.grad(f))
    assert ddf(2.0) == 12.0
    assert tangent.grad(ddf)(2.0) == 6.0
    assert [d.__name__ for d in (tangent.grad(f), ddf)] == ['dfdx', 'ddfdxdx']


# Products with the Hessian, in three mixes of the modes

def straight_line(x):
    y = x * x * x
    return np.sum(y * y)


def with_tanh(x):
    return np.sum(np.tanh(x * 0.5) * x)


def with_overwriting(x):
    y = x * x
    y = y * x ** 2.0
    return np.mean(y)


def with_loop(x):
    y = x
    for _ in range(3):
        y = np.sin(y) * x
    return np.sum(y)


def cube(x):
    return x * x * x


def with_calls(x):
    return np.sum(cube(x) + cube(np.cos(x)))


@both
@pytest.mark.parametrize('modes', [('reverse', 'forward'), ('forward', 'reverse'), ('reverse', 'reverse'), ('forward', 'forward')])
@pytest.mark.parametrize('func', [straight_line, with_tanh, with_overwriting, with_loop, with_calls])
def test_hessian_vector_product(func, modes, optimized):
    random = np.random.RandomState(0)
    a, v = random.normal(size=(30,)), random.normal(size=(30,))
    df = tangent.autodiff(func, mode=modes[0], motion='joint', optimized=optimized, check_dims=False)
    ddf = tangent.autodiff(df, mode=modes[1], motion='joint', optimized=optimized, check_dims=False)
    expected = differences(tangent.grad(func), (a,), (0,), v)[0]
    if modes == ('reverse', 'forward'):
        assert_close(ddf(a, 1.0, v), expected, 1e-5)
    elif modes == ('forward', 'reverse'):
        assert_close(ddf(a, v, 1.0), expected, 1e-5)
    elif modes == ('reverse', 'reverse'):
        assert_close(ddf(a, 1.0, v), expected, 1e-5)
    else:
        assert_close(ddf(a, v, v), np.dot(expected, v), 1e-5)


@pytest.mark.parametrize('func', [straight_line, with_tanh, with_calls])
def test_hessian_vector_product_in_single_precision(func):
    a = np.random.RandomState(0).normal(size=(300,)).astype('float32')
    df = tangent.autodiff(func, mode='reverse', motion='joint', check_dims=False)
    ddf = tangent.autodiff(df, mode='forward', check_dims=False)
    found = ddf(a, tangent.astype(1.0, a), a)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, tangent.hvp(func)(a.astype(float), a.astype(float)), rtol=1e-3, atol=1e-3)


# Seeds

@pytest.mark.parametrize('motion', ['joint', 'split'])
def test_seeds_of_another_shape(motion):
    def f(x):
        return x * 2
    df = tangent.autodiff(f, motion=motion, check_dims=True)
    key = 'init_grad' if motion == 'split' else inspect.getfullargspec(df).args[-1]
    assert_close(df(np.ones(3), **{key: np.ones(3)}), 2 * np.ones(3))
    with pytest.raises(ValueError, match='Shape mismatch'):
        df(np.ones(3), **{key: np.ones(2)})


def test_tangents_of_another_shape():
    df = tangent.autodiff(functions.squared, mode='forward', check_dims=True)
    assert df(3.0, 1.0) == 6.0
    with pytest.raises(ValueError, match='Shape mismatch'):
        df(np.eye(3), 1.0)
    assert_close(tangent.autodiff(functions.squared, mode='forward', check_dims=False)(np.eye(3), 1.0), 2 * np.eye(3))


def test_input_derivatives():
    required = tangent.autodiff(functions.squared, input_derivative=grad.INPUT_DERIVATIVE.Required)
    with pytest.raises(TypeError):
        required(3.0)
    one = tangent.autodiff(functions.squared, input_derivative=grad.INPUT_DERIVATIVE.DefaultOne)
    assert one(3.0) == 6.0 and one(3.0, 2.0) == 12.0
    ones = tangent.autodiff(functions.squared, input_derivative=grad.INPUT_DERIVATIVE.DefaultOnes)
    assert_close(ones(np.arange(3.0)), 2 * np.arange(3.0))
    assert {m.name for m in grad.INPUT_DERIVATIVE} == {'Required', 'DefaultOne', 'DefaultOnes'}


def test_grad_checks_that_the_result_is_a_number():
    with pytest.raises((ValueError, TypeError)):
        tangent.grad(functions.squared)(np.eye(3))


# Results

def test_what_comes_back():
    assert tangent.grad(functions.saxpy, wrt=(1,))(2.0, 3.0, 4.0) == 2.0
    assert tangent.grad(functions.saxpy, wrt=(0, 1, 2))(2.0, 3.0, 4.0) == (3.0, 2.0, 1.0)
    assert tangent.grad(functions.saxpy, wrt=(2, 0))(2.0, 3.0, 4.0) == (1.0, 3.0)
    assert tangent.grad(functions.saxpy, preserve_result=True)(2.0, 3.0, 4.0) == (3.0, 10.0)
    assert tangent.grad(functions.saxpy, (0, 1), preserve_result=True)(2.0, 3.0, 4.0) == (3.0, 2.0, 10.0)
    assert tangent.autodiff(functions.saxpy, (0, 1), motion='split')(2.0, 3.0, 4.0) == (3.0, 2.0)
    assert tangent.jvp(functions.saxpy, (0,), preserve_result=True)(2.0, 3.0, 4.0, 1.0) == (3.0, 10.0)


def test_the_first_element_of_a_tuple_is_the_cost():
    assert tangent.grad(functions.two_results)(2.0, 3.0) == 3.0
    assert tangent.grad(functions.two_results, preserve_result=True)(2.0, 3.0) == (3.0, (6.0, 5.0))


def test_containers_come_back_as_containers():
    assert tangent.grad(functions.dict_saxpy)({'a': 2.0, 'x': 3.0, 'y': 4.0}) == {'a': 3.0, 'x': 2.0, 'y': 1.0}
    assert tangent.grad(functions.list_of_numbers)([2.0, 3.0, 4.0]) == [7.0, 2.0, 2.0]


# Code in the backward pass

def test_inserted_code_changes_the_gradient():
    assert functions.inserted_scaling(3.0) == 9.0
    assert tangent.grad(functions.inserted_scaling)(3.0) == 60.0
    assert tangent.grad(functions.inserted_scaling.tangent)(3.0) == 60.0
    assert tangent.grad(functions.inserted_clipping)(3.0) == 6.0


def test_inserted_code_does_not_run_by_itself():
    with pytest.raises(ValueError, match='decorat'):
        functions.inserted_scaling.tangent(3.0)


# What is emitted

def test_emitted_code(capsys):
    def f(x):
        y = x * x
        return y
    df = tangent.grad(f, verbose=1)
    text = capsys.readouterr().out
    assert text == df.source + '\n' and inspect.getsource(df).strip() == text.strip()
    assert '# Grad of: y = x * x' in text
    assert str(inspect.signature(df)) == '(x, by=1.0)' and str(inspect.signature(tangent.vjp(f))) == '(x, by)'
    tangent.grad(f)
    assert capsys.readouterr().out == ''
    tangent.grad(f, verbose=2)
    assert capsys.readouterr().out.count('def ') > 2


def test_names_of_seeds():
    def f(x, z):
        return x * z
    assert inspect.getfullargspec(tangent.grad(f, (0, 1))).args == ['x', 'z', 'bx_times_z']
    assert tangent.grad(f, (0, 1)).__name__ == 'dfdxdz'           # dfdxz in 2017


def test_tape_operations_come_in_pairs():
    text = tangent.source(tangent.grad(functions.while_, optimized=False))
    pushed = re.findall(r'\bpush\(_stack, .*, ("\w+")\)', text)
    popped = re.findall(r'\bpop\(_stack, ("\w+")\)', text)
    assert pushed and sorted(pushed) == sorted(popped)
    assert 'Initialize the tape' in text and 'Beginning of backward pass' in text


# Errors

def test_functions_without_source():
    namespace = {}
    exec('def f(x):\n    return x * x', namespace)
    with pytest.raises(ValueError, match='source'):
        tangent.grad(namespace['f'])


def test_functions_without_rules():
    def f(x):
        return x * np.busday_count(x, x)
    with pytest.raises(NotImplementedError, match='[Rr]everse mode') as error:
        tangent.grad(f)(1.0)
    assert isinstance(error.value, tangent.ReverseNotImplementedError) and 'busday_count' in str(error.value)
    with pytest.raises(NotImplementedError, match='[Ff]orward mode') as error:
        tangent.autodiff(f, mode='forward')(1.0, 1.0)
    assert isinstance(error.value, tangent.ForwardNotImplementedError)


def test_what_is_not_accepted_is_a_syntax_error():
    def f(x):
        global T
        T = x
        return T * x
    with pytest.raises(SyntaxError, match='not supported') as error:
        tangent.grad(f)
    assert isinstance(error.value, tangent.TangentParseError) and error.value.lineno and 'T' in error.value.text


# The run time

def test_stack():
    stack = tangent.Stack()
    tangent.push(stack, 1.0, 'a')
    tangent.push(stack, np.ones(3), 'b')
    assert len(stack) == 2
    assert_close(tangent.pop(stack, 'b'), np.ones(3))
    with pytest.raises(AssertionError):
        tangent.pop(stack, 'c')
    outer = tangent.Stack()
    tangent.push_stack(outer, tangent.Stack([1]), 's')
    assert len(tangent.pop_stack(outer, 's')) == 1
    with pytest.raises(ValueError):
        tangent.push_stack(outer, [], 's')


@pytest.mark.parametrize('value, zero', [
    (2.0, 0.0), (np.ones((2, 3)), np.zeros((2, 3))), ([1.0, np.ones(2)], [0.0, np.zeros(2)]),
    ({'a': 1.0}, {'a': 0.0}), (np.float32(3), 0.0)])
def test_zeros(value, zero):
    assert_close(tangent.init_grad(value), zero)
    assert_close(tangent.add_grad(tangent.init_grad(value), value), value)
    assert_close(tangent.init_grad(value, False), zero)
    assert_close(tangent.init_grad(value, allow_lazy_initializer=False), zero)


def test_shapes():
    assert_close(tangent.unbroadcast(np.ones((3, 3)), 1.0), 9.0)
    assert_close(tangent.unbroadcast(np.ones((3, 3)), np.ones(3)), 3 * np.ones(3))
    assert_close(tangent.unreduce(np.ones(3), (2, 3), 0, False), np.ones((2, 3)))
    assert_close(tangent.unreduce_like(2.0, np.ones((2, 3)), None, False), 2 * np.ones((2, 3)))
    assert tangent.array_size(np.ones((2, 3)), None) == 6 and tangent.array_size(np.ones((2, 3)), (1,)) == 3
    assert tangent.shapes_match([1.0, np.ones(3)], (2.0, np.zeros(3))) and not tangent.shapes_match(np.ones(3), np.ones(2))
    assert tangent.astype(np.ones(3), np.float32(1)).dtype == np.float32
    assert_close(tangent.balanced_eq(np.ones(1), np.ones(1), np.ones(1)), np.array([0.5]))
    copied = tangent.copy(functions.VECTOR)
    assert copied is not functions.VECTOR
    assert_close(copied, functions.VECTOR)


@pytest.mark.parametrize('x1, x2', [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4))])
def test_grad_dot(x1, x2):
    x1, x2 = np.random.RandomState(0).normal(size=x1), np.random.RandomState(1).normal(size=x2)
    dy = random_like(np.dot(x1, x2))
    assert_close(tangent.grad_dot(dy, x1, x2), differences(np.dot, (x1, x2), (0,), dy)[0])


# Registries

def test_registries_of_rules():
    assert {np.sin, np.dot, np.sum} <= set(tangent.grads.adjoints)
    assert {np.sin, np.dot, np.sum} <= set(tangent.tangents.tangents)
    assert isinstance(tangent.grads.primals, dict)


class Money:
    def __init__(self, amount):
        self.amount = amount


def test_types_can_be_registered_once():
    tangent.utils.register_init_grad(Money, lambda m: Money(0.0))
    tangent.utils.register_add_grad(Money, Money, lambda a, b: Money(a.amount + b.amount))
    tangent.utils.register_shape_function(Money, lambda m: ())
    tangent.utils.register_unbroadcast(Money, lambda m, like: m)
    tangent.utils.register_unreduce(Money, lambda m, shape, axis, keepdims: m)
    tangent.utils.register_shape_checker(Money, Money, lambda a, b: True)
    assert tangent.add_grad(tangent.init_grad(Money(3.0)), Money(2.0)).amount == 2.0
    for again in (lambda: tangent.utils.register_init_grad(Money, None),
                  lambda: tangent.utils.register_add_grad(Money, Money, None),
                  lambda: tangent.utils.register_unbroadcast(Money, None),
                  lambda: tangent.utils.register_shape_checker(Money, Money, None)):
        with pytest.raises((ValueError, AssertionError)):
            again()


def plus_one_hidden(x):
    return float(x) + 1


def test_rules_by_templates():
    from tangent.grads import adjoint
    from tangent.tangents import tangent_

    @adjoint(plus_one_hidden)
    def dplus(y, x):
        d[x] = 7 * d[y]                                          # noqa: F821

    @tangent_(plus_one_hidden)
    def tplus(y, x):
        d[y] = 7 * d[x]                                          # noqa: F821

    def f(x):
        return plus_one_hidden(x) * 2
    assert tangent.grad(f)(1.0) == 14.0
    assert tangent.autodiff(f, mode='forward')(1.0, 1.0) == 14.0


NAMES = '''grad autodiff vjp jvp tangent trace insert_grad_of Stack push pop push_stack pop_stack add_grad init_grad unbroadcast unreduce
unreduce_like astype copy array_size balanced_eq grad_dot shapes_match TangentParseError ReverseNotImplementedError
ForwardNotImplementedError'''.split()


@pytest.mark.parametrize('name', NAMES)
def test_names(name):
    assert callable(getattr(tangent, name))


@pytest.mark.parametrize('function, names', [
    (tangent.grad, 'func wrt optimized preserve_result check_dims verbose'),
    (tangent.autodiff, 'func wrt optimized motion mode preserve_result check_dims input_derivative verbose'),
    (tangent.vjp, 'func wrt optimized check_dims preserve_result verbose'),
    (tangent.jvp, 'func wrt optimized check_dims preserve_result verbose')])
def test_positional_order(function, names):
    assert inspect.getfullargspec(function).args == names.split()
