"""Derivatives inside differentiated code, among them the examples in which other tools confuse one derivative with another.

Siskind and Pearlmutter, Perturbation confusion and referential transparency: correct functional implementation of
forward-mode AD (IFL 2005); Manzyuk, Pearlmutter, Radul, Rush and Siskind, Perturbation confusion in forward automatic
differentiation of higher-order functions (Journal of Functional Programming 29, 2019): the amazing bug.
"""
import functools

import numpy as np
import pytest

import tangent
from tests.tools.checking import assert_close, differences


def jvp1(f):
    """The derivative of a function of a number, by forward mode."""
    push = tangent.jvp(f)
    return lambda x: push(x, 1.0)


def split1(f):
    """By reverse mode in two halves."""
    return tangent.autodiff(f, motion='split', input_derivative=tangent.INPUT_DERIVATIVE.DefaultOne)


def vjp1(f):
    return lambda x: tangent.func.vjp(f, x)[1](1.0)[0]


def make1(f):
    return lambda x: tangent.make_vjp(f)(x)[0](1.0)


OPERATORS = [tangent.grad, jvp1, tangent.elementwise_grad]
two = pytest.mark.parametrize('outer, inner', [(a, b) for a in OPERATORS for b in OPERATORS],
                              ids=lambda f: f.__name__)
X = np.array([0.3, -0.4, 1.2])


# Perturbation confusion

@two
def test_the_inner_derivative_is_not_taken_for_the_outer_one(outer, inner):
    """D(x -> x * D(y -> x + y)(1))(1) is 1: a tool that cannot tell the two apart says 2."""
    def f(x):
        return x * inner(lambda y: x + y)(1.0)
    assert outer(f)(1.0) == 1.0


@two
def test_products_instead_of_sums(outer, inner):
    """D(x -> x * D(y -> x * y)(2))(1) is 2 x."""
    def f(x):
        return x * inner(lambda y: x * y)(2.0)
    assert outer(f)(1.0) == 2.0
    assert outer(f)(3.0) == 6.0


@two
def test_the_inner_point_depends_on_the_outer_one(outer, inner):
    """D(x -> D(y -> x y ** 2)(x))(x) = D(2 x ** 2) = 4 x."""
    def f(x):
        return inner(lambda y: x * y * y)(x)
    assert outer(f)(3.0) == pytest.approx(12.0)


@two
def test_names_that_are_the_same(outer, inner):
    """The inner function calls its argument what the outer one calls its own."""
    def f(x):
        def g(y):
            x = y * y
            return x * y
        return x * inner(g)(x)
    assert outer(f)(2.0) == pytest.approx(9 * 4)                     # 3 x ** 3


def test_three_deep():
    """D(x -> x D(y -> y D(z -> x y z)(.))(.)), all by grad: x * d/dy (y * x * y) = 2 x ** 2 y."""
    def f(x):
        def g(y):
            return y * tangent.grad(lambda z: x * y * z)(1.5)
        return x * tangent.grad(g)(2.0)
    assert tangent.grad(f)(3.0) == pytest.approx(4 * 3 * 2.0)
    assert tangent.grad(tangent.grad(f))(3.0) == pytest.approx(8.0)


def constant_in_x(x):
    def inner(y):
        return x
    return tangent.grad(inner)(1.0) * x


def test_an_inner_function_that_does_not_depend_on_its_argument():
    assert tangent.grad(constant_in_x)(2.0) == 0.0


# The amazing bug: functions that return functions

def shift(offset):
    """s(u) f x = f(x + u)"""
    def of(f):
        def at(x):
            return f(x + offset)
        return at
    return of


@pytest.mark.parametrize('operator', [tangent.grad, jvp1], ids=['grad', 'jvp'])
def test_the_amazing_bug(operator):
    """D(s)(0) applied twice to a function gives its second derivative; tools that lose the tag of the outer one give 0."""
    def shifted_once(f):
        return lambda x: operator(lambda u: shift(u)(f)(x))(0.0)

    def h(x):
        return np.exp(2 * x)
    assert shifted_once(h)(0.3) == pytest.approx(2 * np.exp(0.6))
    assert shifted_once(shifted_once(h))(0.3) == pytest.approx(4 * np.exp(0.6))


def derivative_of(f):
    """A derivative by forward mode that takes functions into functions."""
    return lambda x: tangent.jvp(f)(x, 1.0)


def curried(x):
    return lambda y: x * x * y * y * y


def test_curried_functions():
    """d/dx d/dy of x ** 2 y ** 3, where each derivative is of a function that a function has returned."""
    def of_x(x):
        return tangent.grad(curried(x))(2.0)
    assert tangent.grad(of_x)(3.0) == pytest.approx(2 * 3 * 3 * 4)
    assert derivative_of(of_x)(3.0) == pytest.approx(72.0)


def test_a_gradient_of_a_closure_is_that_of_what_it_has_captured():
    def make(a):
        return lambda x: a * a * x

    def f(a):
        g = make(a)
        return g(2.0) + tangent.grad(g)(5.0)
    assert tangent.grad(f)(3.0) == pytest.approx(2 * 3 * 2 + 2 * 3)


def test_derivatives_in_containers():
    def f(x):
        ds = [tangent.grad(np.sin), tangent.grad(lambda y: x * y ** 3)]
        return ds[0](x) * ds[1](x)
    x = 0.7
    expected = -np.sin(x) * 3 * x ** 3 + np.cos(x) * 9 * x ** 2
    assert tangent.grad(f)(x) == pytest.approx(expected)
    assert tangent.jvp(f)(x, 1.0) == pytest.approx(expected)


def apply_twice(operator, f):
    return operator(operator(f))


PARTIALS = [(lambda x: functools.partial(tangent.grad(lambda a, b: a * a * b * x, wrt='b'), x)(2.0), lambda x: x ** 3),
            (lambda x: functools.partial(lambda a, b: a * a * b * x, x)(2.0), lambda x: 2 * x ** 3),
            (lambda x: functools.partial(lambda a, *, b: a * a * b * x, b=x)(x), lambda x: x ** 4),
            (lambda x: functools.partial(tangent.grad(lambda a, b: a * a * b * x), b=x)(x), lambda x: 2 * x ** 3),
            (lambda x: tangent.grad(functools.partial(lambda a, b: a * a * b * x, x))(2.0), lambda x: x ** 3),
            (lambda x: functools.partial(functools.partial(lambda a, b: a * a * b * x, x), b=x)(), lambda x: x ** 4)]


@pytest.mark.parametrize('f, plain', PARTIALS)
def test_partials_of_functions_that_have_captured_something(f, plain):
    assert f(0.8) == pytest.approx(plain(0.8))
    expected = differences(plain, (0.8,), (0,))[0]
    assert_close(tangent.grad(f)(0.8), expected)
    assert_close(tangent.jvp(f)(0.8, 1.0), expected)


def test_an_operator_as_an_argument():
    def f(x):
        return apply_twice(tangent.grad, lambda y: y ** 3 * x)(x)
    assert f(2.0) == pytest.approx(24.0)
    assert tangent.grad(f)(2.0) == pytest.approx(24.0)                  # 6 x ** 2
    assert tangent.jvp(f)(2.0, 1.0) == pytest.approx(24.0)


def nth(f, n):
    return f if n == 0 else nth(tangent.grad(f), n - 1)


def test_operators_in_a_loop_of_python():
    def quintic(x):
        return x ** 5
    assert nth(quintic, 4)(2.0) == pytest.approx(240.0)
    assert functools.reduce(lambda f, _: tangent.grad(f), range(3), quintic)(2.0) == pytest.approx(240.0)


# Loops and derivatives

def sum_of_slopes(x):
    total = 0.0
    for k in range(1, 4):
        total = total + tangent.grad(lambda y: y ** k * x)(x)  # noqa: B023
    return total


def newton(a):
    """The cube root of a, by Newton's method, whose slope is a derivative."""
    def residual(y):
        return y ** 3 - a
    y = a
    for _ in range(30):
        y = y - residual(y) / tangent.grad(residual)(y)
    return y


def newton_until(a):
    def residual(y):
        return y ** 3 - a
    slope = tangent.grad(residual)
    y = a
    while abs(residual(y)) > 1e-13:
        y = y - residual(y) / slope(y)
    return y


def descent(rate):
    """The value after some steps of gradient descent, as a function of their length."""
    w = 2.0
    for _ in range(5):
        w = w - rate * tangent.grad(lambda v: v ** 4 / 4 + v)(w)
    return w * w


def descent_with_momentum(rate):
    w, v = np.array([1.0, -2.0]), np.zeros(2)
    for _ in range(4):
        v = 0.9 * v - rate * tangent.grad(lambda u: np.sum(u ** 4 / 4 + u))(w)
        w = w + v
    return np.sum(w * w)


def loop_inside_the_inner(x):
    def g(y):
        for _ in range(3):
            y = y * x + np.sin(y)
        return y
    return tangent.grad(g)(x * x)


def branches_inside_the_inner(x):
    def g(y):
        if y > x:
            return y * y * x
        return y ** 3 * x
    return tangent.grad(g)(x * 2) + tangent.grad(g)(x / 2)


@pytest.mark.parametrize('outer', OPERATORS, ids=lambda f: f.__name__)
@pytest.mark.parametrize('f, x', [(sum_of_slopes, 1.3), (newton, 2.0), (newton_until, 2.0), (descent, 0.05),
                                  (descent_with_momentum, 0.05), (loop_inside_the_inner, 0.8),
                                  (branches_inside_the_inner, 0.8)], ids=lambda f: getattr(f, '__name__', ''))
def test_loops(f, x, outer):
    assert_close(outer(f)(x), differences(f, (x,), (0,))[0])


@pytest.mark.parametrize('f, x', [(newton, 2.0), (descent, 0.05), (loop_inside_the_inner, 0.8)],
                         ids=lambda f: getattr(f, '__name__', ''))
def test_loops_twice(f, x):
    expected = differences(tangent.grad(f), (x,), (0,))[0]
    assert_close(tangent.grad(tangent.grad(f))(x), expected, 1e-5)
    assert_close(tangent.jvp(tangent.grad(f))(x, 1.0, 1.0), expected, 1e-5)
    assert_close(tangent.grad(tangent.jvp(f))(x, 1.0), expected, 1e-5)


# Mutation

def written_inside(x):
    def g(y):
        a = np.zeros(3)
        a[0] = y * x
        a[1:] = a[0] * y
        a *= x
        return np.sum(a)
    return tangent.grad(g)(x * x)


def written_outside(x):
    a = np.zeros(3)
    for i in range(3):
        a[i] = tangent.grad(lambda y: y ** i * x)(x)  # noqa: B023
    a[1:] += a[:-1]
    return np.sum(a * a)


def list_of_slopes(x):
    slopes = []
    for i in range(3):
        slopes.append(tangent.grad(lambda y: np.sin(y * i) * x)(x))  # noqa: B023
    return slopes[0] + slopes[1] * slopes[2]


def counted(x):
    calls = {'n': 0}

    def g(y):
        calls['n'] += 1
        return y * y * x
    return tangent.grad(g)(x) * calls['n']


def captured_array_that_is_written(x):
    w = np.ones(2)
    w[0] = x

    def g(y):
        return np.sum(w * y * y)
    first = tangent.grad(g)(x)
    w[1] = x * x
    return first * tangent.grad(g)(x)


def accumulated_by_nonlocal(x):
    total = 0.0

    def add(y):
        nonlocal total
        total = total + tangent.grad(lambda z: z * z * y)(y)
    add(x)
    add(x * x)
    return total


@pytest.mark.parametrize('outer', OPERATORS, ids=lambda f: f.__name__)
@pytest.mark.parametrize('f', [written_inside, written_outside, list_of_slopes, counted, captured_array_that_is_written],
                         ids=lambda f: f.__name__)
def test_mutation(f, outer):
    assert_close(outer(f)(0.8), differences(f, (0.8,), (0,))[0])


def kept_in_a_list(x):
    """What the inner function leaves outside is used by the outer one."""
    seen = []

    def g(y):
        seen.append(y * x)
        return y * y
    return tangent.grad(g)(x) * seen[0]


def kept_in_an_array(x):
    a = np.zeros(2)

    def g(y):
        a[0] = y * x
        return y * y
    return tangent.grad(g)(x) * a[0]


def kept_by_another_name(x):
    a = np.zeros(2)

    def g(y):
        a[0] = y * x
        return y * y
    h = g
    return h(x) * a[0]


@pytest.mark.parametrize('f', [kept_in_a_list, kept_in_an_array, kept_by_another_name, accumulated_by_nonlocal],
                         ids=lambda f: f.__name__)
def test_what_inner_functions_leave_outside(f):
    expected = differences(f, (0.8,), (0,))[0]
    assert_close(tangent.grad(f)(0.8), expected)
    try:
        push = tangent.jvp(f)
    except tangent.TangentParseError as error:             # forward mode follows some of them, and refuses the others
        assert 'variables of the function around them' in str(error)
    else:
        assert_close(push(0.8, 1.0), expected)


@pytest.mark.parametrize('f', [written_inside, list_of_slopes], ids=lambda f: f.__name__)
def test_mutation_twice(f):
    expected = differences(tangent.grad(f), (0.8,), (0,))[0]
    assert_close(tangent.grad(tangent.grad(f))(0.8), expected, 1e-5)
    assert_close(tangent.jvp(tangent.grad(f))(0.8, 1.0, 1.0), expected, 1e-5)


# Matrices of derivatives

def field(x):
    return np.array([x[0] * x[1], np.sin(x[2]) * x[0], x[1] ** 2 * x[2]])


def divergence(x):
    return np.trace(tangent.jacobian(field)(x))


def laplacian_of_sum(x):
    return np.trace(tangent.hessian(lambda y: np.sum(np.sin(y) * y[0] ** 2))(x))


def log_determinant(x):
    return np.linalg.slogdet(tangent.jacobian(field)(x))[1]


def norm_of_gradient(x):
    return np.sum(tangent.grad(divergence)(x) ** 2)


def hessian_with_captured(x):
    return np.sum(tangent.hessian(lambda y: np.sum(x * y ** 3))(x) ** 2)


@pytest.mark.parametrize('f', [divergence, laplacian_of_sum, log_determinant, norm_of_gradient, hessian_with_captured],
                         ids=lambda f: f.__name__)
def test_matrices_inside(f):
    point = np.array([0.7, -0.4, 1.2])
    expected = differences(f, (point,), (0,))[0]
    assert_close(tangent.grad(f)(point), expected, 1e-5)
    assert_close(tangent.jvp(f)(point, np.ones(3)), np.sum(expected), 1e-5)


def test_hessian_of_a_function_with_a_jacobian_in_it():
    point = np.array([0.7, -0.4, 1.2])
    for f in (divergence, log_determinant):
        df = tangent.grad(f)
        expected = np.array([differences(lambda x, df=df, k=k: df(x)[k], (point,), (0,))[0] for k in range(3)])
        assert_close(tangent.hessian(f)(point), expected, 1e-5)


# Physics-informed: derivatives by the input inside a loss that is differentiated by the parameters

PARAMS = {'w': np.array([0.4, -0.7, 0.2]), 'b': np.array([0.1, 0.3, -0.2]), 'v': np.array([1.0, -0.5, 0.8])}


def network(params, t):
    return np.sum(params['v'] * np.tanh(params['w'] * t + params['b']))


def residual_of_oscillator(params):
    total = 0.0
    for t in (0.1, 0.5, 0.9):
        second = tangent.grad(tangent.grad(network, wrt='t'), wrt='t')(params, t)
        total = total + (second + network(params, t)) ** 2
    return total


def gradient_penalty(params, x):
    return (np.sum(tangent.grad(lambda z: np.sum(np.tanh(params['w'] * z)) ** 2)(x) ** 2) - 1) ** 2


def test_losses_with_derivatives_in_them():
    assert_close(tangent.grad(residual_of_oscillator)(PARAMS), differences(residual_of_oscillator, (PARAMS,), (0,))[0], 1e-5)
    assert_close(tangent.grad(gradient_penalty)(PARAMS, X), differences(gradient_penalty, (PARAMS, X), (0,))[0], 1e-5)


# Mechanics: derivatives of methods, inside methods

class Pendulum:
    def __init__(self, mass, length):
        self.mass, self.length = mass, length

    def lagrangian(self, q, v):
        return 0.5 * self.mass * self.length ** 2 * v ** 2 + self.mass * 9.81 * self.length * np.cos(q)

    def acceleration(self, q, v):
        by_v = tangent.grad(self.lagrangian, wrt='v')
        by_q = tangent.grad(self.lagrangian, wrt='q')(q, v)
        return (by_q - tangent.grad(by_v, wrt='q')(q, v) * v) / tangent.grad(by_v, wrt='v')(q, v)

    def swing(self, q, v):
        for _ in range(3):
            v = v + 0.1 * self.acceleration(q, v)
            q = q + 0.1 * v
        return q


def angle(length):
    return Pendulum(2.0, length).swing(length, 0.2)


def with_a_method(x):
    p = Pendulum(x, x)
    return tangent.grad(p.lagrangian)(x, x) * p.mass


def energy_of(q, v, p):
    return 0.5 * np.dot(v, v) * p[0] + np.sin(q[0]) * v[0] * v[1] * p[1] - np.cos(q[1]) * np.sum(q * q)


def euler_lagrange(p):
    """The mass matrix is a Hessian, what acts on the masses a gradient and a Jacobian of a gradient."""
    q, v = np.array([0.3, 0.4]), np.array([0.1, -0.5])
    for _ in range(2):
        mass = tangent.hessian(energy_of, wrt='v')(q, v, p)
        force = tangent.grad(energy_of, wrt='q')(q, v, p)
        mixed = tangent.jacobian(tangent.grad(energy_of, wrt='v'), wrt='q')(q, v, p)
        v = v + 0.1 * np.linalg.solve(mass, force - mixed @ v)
        q = q + 0.1 * v
    return np.sum(q * q) + np.sum(v)


@pytest.mark.parametrize('f, x', [(angle, 0.8), (with_a_method, 0.8), (euler_lagrange, np.array([1.0, 0.5]))],
                         ids=lambda f: getattr(f, '__name__', ''))
def test_mechanics(f, x):
    expected = differences(f, (x,), (0,))[0]
    assert_close(tangent.grad(f)(x), expected)
    assert_close(tangent.jvp(f)(x, np.ones_like(x) * 1.0), np.sum(expected))


# Names

def pullback(x):
    """Called what one of our own functions is called."""
    return x * x


def calls_pullback(x, h):
    return functools.partial(pullback, x)() * h(x)


def calls_what_calls_pullback(x, h):
    return h(x) * calls_pullback(x, h)


def pulls_back(x):
    value, back = tangent.func.vjp(lambda y: y * y * x, x)
    return back(x)[0] * value


def test_names_of_ours_that_helpers_have_as_globals():
    expected = differences(lambda x: calls_what_calls_pullback(x, np.sin), (0.8,), (0,))[0]
    assert_close(tangent.grad(calls_what_calls_pullback)(0.8, np.sin), expected)
    assert_close(tangent.jvp(calls_what_calls_pullback)(0.8, np.sin, 1.0), expected)
    assert tangent.grad(tangent.grad(pulls_back))(0.8) == pytest.approx(2 * 6 * 5 * 0.8 ** 4)


# Learning to learn

DATA = np.array([[0.1, 0.5], [0.4, -0.2], [-0.3, 0.9]])


def task_loss(params, data):
    w, b = params
    return np.mean((np.tanh(data[:, 0] * w) + b - data[:, 1]) ** 2)


def maml(params, rate):
    """The loss on one half of the data after a step on the other."""
    gw, gb = tangent.grad(task_loss)(params, DATA[:2])
    return task_loss((params[0] - rate * gw, params[1] - rate * gb), DATA[1:])


def maml_in_steps(params, rate):
    for _ in range(3):
        g = tangent.grad(task_loss)(params, DATA[:2])
        params = tuple(p - rate * d for p, d in zip(params, g))
    return task_loss(params, DATA[1:])


@pytest.mark.parametrize('f', [maml, maml_in_steps])
def test_meta_learning(f):
    args = (0.7, -0.2), 0.1
    assert_close(list(tangent.grad(f, wrt=(0, 1))(*args)), list(differences(f, args, (0, 1))), 1e-5)


# Where a particle lands; descents in descents stand with the programs of ADBench

def forward_gradient(f):
    push = tangent.jvp(f)

    def gradient(x):
        return np.array([push(x, e) for e in np.eye(2)])
    return gradient


def landing(derivative):
    def p(x, w):
        return 1 / np.sqrt((x[0] - 10) ** 2 + (x[1] - 10 + w) ** 2) + 1 / np.sqrt((x[0] - 10) ** 2 + x[1] ** 2)

    def e(w):
        pos, vel, dt = np.array([0.0, 8.0]), np.array([0.75, 0.0]), 0.1
        while True:
            acc = -derivative(lambda x: p(x, w))(pos)
            pos = pos + dt * vel
            if pos[1] <= 0:
                break
            vel = vel + dt * acc
        tf = -pos[1] / vel[1]
        return (pos[0] + tf * vel[0]) ** 2
    return e


@pytest.mark.parametrize('inner', [tangent.grad, forward_gradient], ids=['r', 'f'])
def test_particle(inner):
    e = landing(inner)
    w = 0.2
    expected = (e(w + 1e-6) - e(w - 1e-6)) / 2e-6
    assert tangent.grad(e)(w) == pytest.approx(expected, rel=1e-5)
    assert tangent.jvp(e)(w, 1.0) == pytest.approx(expected, rel=1e-5)
