"""Derivatives of roots, fixed points and minima: against closed forms, in both modes and both orders, whoever found them."""
import math

import numpy as np
import pytest
from scipy import optimize

import tangent
from tangent import errors
from tangent.interfaces.solvers import implicit

A = np.array([2.0, 3.0, 5.0])
FIRST, SECOND = A ** (-2 / 3) / 3, -2 / 9 * A ** (-5 / 3)          # of the sum of cube roots
ONES = np.ones(3)


def cube(x, a):
    return x ** 3 - a


def with_root(a):
    return np.sum(optimize.root(lambda x: x ** 3 - a, ONES).x)


def with_root_args(a):
    sol = optimize.root(cube, ONES, args=(a,), method='lm')
    return np.sum(sol.x)


def with_root_bare_args(a):
    return np.sum(optimize.root(cube, ONES, a).x)


def with_root_and_jacobian(a):
    return np.sum(optimize.root(lambda x: (x ** 3 - a, np.diag(3 * x ** 2)), ONES, jac=True).x)


def with_fsolve(a):
    def system(p):
        x, y, z = p
        return [x ** 3 - a[0], y ** 3 - a[1], z * z * z - a[2]]
    return np.sum(optimize.fsolve(system, ONES, xtol=1e-13))


def with_fsolve_output(a):
    x, info, flag, message = optimize.fsolve(cube, ONES, args=(a,), full_output=True)
    return np.sum(x)


def with_newton(a):
    return np.sum(optimize.newton(cube, ONES, args=(a,)))


def with_fixed_point(a):
    return np.sum(optimize.fixed_point(lambda x: 0.5 * (x + a / x ** 2), ONES, xtol=1e-13))


def with_brentq(a):
    total = 0.0
    for v in a:
        total = total + optimize.brentq(cube, 0.0, 10.0, args=(v,))
    return total


def with_bisect(a):
    x, report = optimize.bisect(lambda x: x ** 3 - a[0], 0.0, 10.0, full_output=True, xtol=1e-13)
    return x + np.sum(optimize.newton(cube, ONES[1:], args=(a[1:],)))


def with_root_scalar(a):
    total = 0.0
    for v in a:
        sol = optimize.root_scalar(lambda x, s: (x ** 3 - s, 3 * x ** 2), args=(v,), x0=1.0, fprime=True)
        total = total + sol.root
    return total


def with_minimize(a):
    res = optimize.minimize(lambda x: np.sum(x ** 4 / 4 - a * x), 2 * ONES, jac=lambda x: x ** 3 - a, tol=1e-12)
    return np.sum(res.x)


def with_minimize_and_jacobian(a):
    def f(x, a):
        return np.sum(x ** 4 / 4 - a * x), x ** 3 - a
    return np.sum(optimize.minimize(f, 2 * ONES, args=(a,), jac=True, tol=1e-12, method='L-BFGS-B').x)


def with_least_squares(a):
    return np.sum(optimize.least_squares(cube, ONES, args=(a,), xtol=1e-15, ftol=1e-15, gtol=1e-15).x)


def with_minimize_scalar(a):
    total = 0.0
    for v in a:
        res = optimize.minimize_scalar(lambda x, s: x ** 4 / 4 - s * x, args=(v,), tol=1e-12)
        total = total + res.x
    return total


@implicit.root(cube)
def cube_root(x0, a):
    return np.cbrt(a)


@implicit.fixed_point(lambda x, a: 0.5 * (x + a / x ** 2))
def by_halves(x0, a):
    return np.cbrt(a)


@implicit.minimiser(lambda x, a: np.sum(x ** 4 / 4 - a * x))
def downhill(x0, a):
    return np.cbrt(a)


def with_decorated_root(a):
    return np.sum(cube_root(None, a))


def with_decorated_fixed_point(a):
    return np.sum(by_halves(None, a))


def with_decorated_minimiser(a):
    return np.sum(downhill(None, a))


def with_decorated_closure(a):
    @implicit.root(lambda x: x ** 3 - a)
    def solve(x0):
        return np.cbrt(a)
    return np.sum(solve(None))


SOLVERS = [with_root, with_root_args, with_root_bare_args, with_root_and_jacobian, with_fsolve, with_fsolve_output, with_newton,
           with_fixed_point, with_brentq, with_bisect, with_root_scalar, with_minimize, with_minimize_and_jacobian,
           with_least_squares, with_minimize_scalar, with_decorated_root, with_decorated_fixed_point,
           with_decorated_minimiser, with_decorated_closure]


@pytest.mark.parametrize('solve', SOLVERS)
def test_first_derivatives_in_both_modes(solve):
    close = dict(rtol=1e-5 if 'least' in solve.__name__ or 'scalar' in solve.__name__ else 1e-6)
    np.testing.assert_allclose(tangent.grad(solve)(A), FIRST, **close)
    np.testing.assert_allclose(tangent.jvp(solve)(A, np.array([1.0, -2.0, 0.5])), FIRST @ [1.0, -2.0, 0.5], **close)


@pytest.mark.parametrize('k, solve', list(enumerate([with_root, with_root_scalar, with_minimize, with_decorated_closure])))
def test_second_derivatives_in_both_mixes(k, solve, in_turn):
    """One mix each, in turn."""
    for mix in in_turn(['rr', 'fr'], k):
        found = tangent.vjp(tangent.grad(solve))(A, 1.0, ONES) if mix == 'rr' else tangent.hvp(solve)(A, ONES)
        np.testing.assert_allclose(found, SECOND, rtol=1e-6)


def test_the_call_of_the_solver_stays_as_it_is():
    text = tangent.source(tangent.grad(with_root_args))
    assert 'sol = optimize.root(cube, ONES, args=t, method="lm")' in text
    assert 'unsolution(gradient_part(bsol, "x", "fun"), at_root, cube, sol["x"], t)' in ' '.join(text.split())


def test_the_start_has_no_derivative():
    def f(x0, a):
        return np.sum(optimize.root(cube, x0, args=(a,)).x) + np.sum(x0)
    np.testing.assert_array_equal(tangent.grad(f)(ONES, A), ONES)


def test_a_system_whose_matrix_is_not_symmetric():
    def f(w, b):
        return optimize.root(lambda x: np.tanh(w @ x) + x - b, np.zeros(2)).x @ np.array([1.0, 3.0])
    w, b = np.array([[0.5, 2.0], [-0.3, 0.1]]), np.array([0.4, -0.7])
    tangent.check_grads(f, (w, b), order=1, modes=('rev', 'fwd'))


def test_the_value_of_a_minimum_follows_the_envelope():
    def f(a):
        res = optimize.minimize(lambda x: np.sum(x ** 4 / 4 - a * x), 2 * ONES, jac=lambda x: x ** 3 - a, tol=1e-12)
        return res.fun + 2 * res.x[0]
    expected = -np.cbrt(A)
    expected[0] += 2 * FIRST[0]
    np.testing.assert_allclose(tangent.grad(f)(A), expected, rtol=1e-7)
    np.testing.assert_allclose(tangent.jvp(f)(A, ONES), expected.sum(), rtol=1e-7)


@pytest.mark.parametrize('bounds', [[(None, 0.5), (None, None), (0.0, 9.0)],
                                    optimize.Bounds([-np.inf, -np.inf, 0.0], [0.5, np.inf, 9.0])])
def test_what_lies_at_a_bound_does_not_move(bounds):
    def f(a):
        return np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 2) + x[0] * x[1], np.zeros(3), bounds=bounds,
                                        method='L-BFGS-B').x)
    np.testing.assert_allclose(tangent.grad(f)(A), [0.0, 1.0, 1.0], rtol=1e-6)


def test_bounds_of_one_variable():
    def f(a):
        return optimize.minimize_scalar(lambda x: (x - a) ** 2, bounds=(0.0, 5.0), method='bounded').x
    assert tangent.grad(f)(2.0) == pytest.approx(1.0)


def test_a_solver_that_has_not_converged():
    def f(a):
        return np.sum(optimize.root(cube, 100 * ONES, args=(a,), options={'maxfev': 5}).x)
    with pytest.raises(errors.UnsolvedError, match='let the solver converge'):
        tangent.grad(f)(A)
    with pytest.raises(ArithmeticError):
        tangent.jvp(f)(A, A)


def test_a_double_root_has_no_derivative():
    def f(a):
        return np.sum(implicit.root(lambda x: (x - a) ** 2)(lambda x0: a)(0.0))
    with pytest.raises(errors.UnsolvedError, match='singular'):
        tangent.grad(f)(A)


def test_other_parts_of_what_is_returned_are_refused():
    def f(a):
        return np.sum(optimize.minimize(lambda x: np.sum((x - a) ** 2), ONES).jac)
    with pytest.raises(errors.ReverseNotImplementedError, match='not in jac'):
        tangent.grad(f)(A)


def test_losses_other_than_squares_are_refused():
    def f(a):
        return np.sum(optimize.least_squares(cube, ONES, args=(a,), loss='cauchy').x)
    with pytest.raises(errors.ReverseNotImplementedError, match='loss'):
        tangent.grad(f)


def test_constraints_are_refused():
    def f(a):
        return optimize.minimize(lambda x: np.sum((x - a) ** 2), ONES, constraints=[{'type': 'eq', 'fun': np.sum}]).fun
    with pytest.raises(errors.ArgumentError, match='constraints'):
        tangent.grad(f)(A)


def test_bounds_with_a_derivative_are_refused():
    def f(a):
        return optimize.minimize_scalar(lambda x: (x - 9) ** 2, bounds=(0.0, a)).x
    with pytest.raises(errors.ReverseNotImplementedError, match='bounds'):
        tangent.grad(f)(2.0)


def test_what_a_call_returns_has_to_be_plain():
    def f(a, full):
        return optimize.brentq(lambda x: x - a, 0.0, 9.0, full_output=full)
    with pytest.raises(errors.ReverseNotImplementedError, match='full_output has to be written as True or False'):
        tangent.grad(f)(2.0, False)


def test_a_bilevel_problem():
    """The best penalty of a ridge regression, by Newton's method on the derivative of the error of validation."""
    rng = np.random.default_rng(0)
    x, y, x2, y2 = rng.normal(size=(20, 4)), rng.normal(size=20), rng.normal(size=(10, 4)), rng.normal(size=10)

    def validation(penalty):
        w = optimize.minimize(lambda w: np.sum((x @ w - y) ** 2) + np.exp(penalty) * np.sum(w * w), np.zeros(4),
                              jac=lambda w: 2 * x.T @ (x @ w - y) + 2 * np.exp(penalty) * w, tol=1e-11).x
        return np.sum((x2 @ w - y2) ** 2)

    def direct(penalty):
        w = np.linalg.solve(x.T @ x + np.exp(penalty) * np.eye(4), x.T @ y)
        return np.sum((x2 @ w - y2) ** 2)
    for df, dg in [(tangent.grad(validation), tangent.grad(direct)), (tangent.hessian(validation), tangent.hessian(direct))]:
        assert df(0.3) == pytest.approx(dg(0.3), rel=1e-6)


def test_a_solver_without_source():
    solver = implicit.root(lambda x, a: math.exp(x) - a)(lambda x0, a: math.log(a))
    assert tangent.grad(lambda a: solver(0.0, a) ** 2)(3.0) == pytest.approx(2 * math.log(3.0) / 3)
