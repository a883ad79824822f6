"""Integrals over areas, as integrals of integrals; see `substitutes`."""
from __future__ import annotations

from scipy.integrate import quad


def dblquad(func, a, b, gfun, hfun, args=(), epsabs=1.49e-08, epsrel=1.49e-08):
    def inner(x):
        low = gfun(x) if callable(gfun) else gfun
        high = hfun(x) if callable(hfun) else hfun
        return quad(lambda y: func(y, x, *args), low, high, epsabs=epsabs, epsrel=epsrel)[0]
    return quad(inner, a, b, epsabs=epsabs, epsrel=epsrel)
