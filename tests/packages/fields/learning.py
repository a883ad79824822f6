"""Machine learning from scratch."""
import numpy as np

from tests.packages.registry import load, package

engine, nn = load('micrograd.engine'), load('micrograd.nn')
of_micrograd = package('micrograd', 'micrograd')
padasip = load('padasip')
of_padasip = package('padasip', 'padasip')
X = np.array([[0.2, 0.7], [1.1, -0.4], [0.5, 0.9]])


@of_micrograd(0.7, 1.3)
def micrograd_forward(v):
    a, b = engine.Value(v[0]), engine.Value(v[1])
    c = (a * b + b ** 3).relu() + a / b
    return c.data


@of_micrograd(0.7, 1.3)
def micrograd_backward(v):
    a, b = engine.Value(v[0]), engine.Value(v[1])
    c = a * b * b + b ** 3
    c.backward()
    return b.grad


@of_padasip(0.7, 0.3)
def least_mean_squares(v):
    f = padasip.filters.FilterLMS(n=2, mu=0.1, w='zeros')
    y, e, w = f.run(np.array([1.0, 0.3, 0.4]) * v[0], X * v[1])
    return np.sum(e ** 2) + np.sum(w)


@of_padasip(0.7, 0.3)
def recursive_least_squares(v):
    f = padasip.filters.FilterRLS(n=2, mu=0.9, w='zeros')
    y, e, w = f.run(np.array([1.0, 0.3, 0.4]) * v[0], X * v[1])
    return np.sum(e ** 2) + np.sum(w)


@of_padasip(0.7, 0.3)
def normalized_least_mean_squares(v):
    f = padasip.filters.FilterNLMS(n=2, mu=0.1, w='zeros')
    y, e, w = f.run(np.array([1.0, 0.3, 0.4]) * v[0], X * v[1])
    return np.sum(e ** 2) + np.sum(w)


@of_padasip(0.7, 0.3)
def affine_projection(v):
    f = padasip.filters.FilterAP(n=2, order=2, mu=0.1, ifc=0.001, w='zeros')
    y, e, w = f.run(np.array([1.0, 0.3, 0.4]) * v[0], X * v[1])
    return np.sum(e ** 2) + np.sum(w)
