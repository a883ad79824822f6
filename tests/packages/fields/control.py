"""Control and signals."""
import numpy as np

from tests.packages.registry import load, package

ct = load('control')
of_control = package('control', 'control')


@of_control(1.2, 0.7)
def transfer_function(v):
    s = ct.tf([v[0]], [1.0, v[1], 2.0])
    return np.abs(s(0.5j))


@of_control(1.2, 0.7)
def state_space_gain(v):
    s = ct.ss([[0.0, 1.0], [-v[0], -v[1]]], [[0.0], [1.0]], [[1.0, 0.0]], [[0.0]])
    return np.real(s.dcgain())


@of_control(1.2, 0.7)
def feedback(v):
    s = ct.feedback(ct.tf([v[0]], [1.0, v[1]]), 1)
    return np.real(s(0.0))


@of_control(1.2, 0.7)
def series(v):
    s = ct.tf([v[0]], [1.0, v[1]]) * ct.tf([1.0], [1.0, 2.0])
    return np.abs(s(1.0j))


@of_control(1.2, 0.7)
def lqr(v):
    K, S, E = ct.lqr(np.array([[0.0, 1.0], [-1.0, -0.5]]), np.array([[0.0], [1.0]]), np.diag(v), np.array([[1.0]]))
    return np.sum(K) + np.sum(S)


@of_control(1.2, 0.7)
def lyapunov(v):
    return np.sum(ct.lyap(np.array([[-v[0], 0.2], [0.1, -v[1]]]), np.eye(2)))


@of_control(1.2, 0.7)
def poles(v):
    s = ct.tf([1.0], [1.0, v[0] + 3.0, v[1]])
    return np.sum(np.real(s.poles()) ** 2)


@of_control(1.2, 0.7)
def step_response(v):
    s = ct.ss([[0.0, 1.0], [-v[0], -v[1]]], [[0.0], [1.0]], [[1.0, 0.0]], [[0.0]])
    t, y = ct.step_response(s, np.linspace(0.0, 1.0, 5))
    return np.sum(y)


@of_control(0.3)
def pade(x):
    num, den = ct.pade(x, 2)
    return np.sum(num) + np.sum(den)
