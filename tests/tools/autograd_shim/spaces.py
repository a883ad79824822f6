"""`vspace` of autograd: the vector space of the values of one structure, as far as tests ask for it."""
from __future__ import annotations

import numpy as np

from tangent.runtime import pytree
from tangent.runtime.cast import astype
from tangent.runtime.zeros import init_grad


class VSpace:
    """The values that have the structure, shapes and dtypes of one."""

    def __init__(self, value):
        self.value = value
        self.shape = np.shape(value) if pytree.is_leaf(value) else None
        self.random = np.random.default_rng(len(pytree.leaves(value)))

    @property
    def size(self):
        return pytree.size(self.value)

    def zeros(self):
        return astype(init_grad(self.value), self.value)

    def ones(self):
        return pytree.mapped(lambda x: np.ones_like(x)[()], self.value)

    def randn(self):
        def part(x):
            drawn = self.random.normal(size=np.shape(x))[()]
            return drawn + 1j * self.random.normal(size=np.shape(x))[()] if np.iscomplexobj(x) else drawn
        return pytree.mapped(part, self.value)

    def add(self, a, b):
        return pytree.mapped(lambda x, y: x + y, a, b)

    def scalar_mul(self, a, factor):
        return pytree.mapped(lambda x: x * factor, a)

    def inner_prod(self, a, b):
        return sum(np.real(np.vdot(x, y)) for x, y in zip(pytree.leaves(a), pytree.leaves(b)))

    def __eq__(self, other):
        mine, theirs = pytree.leaves(self.value), pytree.leaves(other.value)
        return len(mine) == len(theirs) and all(
            np.shape(a) == np.shape(b) and np.iscomplexobj(a) == np.iscomplexobj(b) for a, b in zip(mine, theirs))

    __hash__ = None


def vspace(value):
    return VSpace(value)
