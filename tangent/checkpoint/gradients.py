"""The gradients of what a checkpointed loop took, as they are added up on the way back."""
import numpy as np

from tangent.checkpoint.iterables import Pulled
from tangent.runtime.add import add_grad
from tangent.runtime.cast import copy
from tangent.runtime.functions.custom import same
from tangent.runtime.zeros import init_grad

FLOATS = float, np.float64


class Sums:
    """The gradients of what a loop took, as they are added up on the way back."""

    def __init__(self, loop, gradient):
        self.loop, self.lead = loop, max(loop.ranged, 1)
        self.carried, self.outputs = list(gradient[:loop.carried]), gradient[loop.carried:]       # None: nothing is owed
        self.totals = {}

    def through(self, adjoint, saved, values, first):
        """Go back through one segment, which begins with the `first` iteration."""
        loop = self.loop
        if self.outputs is None:
            self.outputs = [init_grad(x) for x in values[loop.carried:loop.carried + loop.outputs]]
        self.carried = [init_grad(x) if g is None else g for g, x in zip(self.carried, values)]
        seed = (*self.carried, *self.outputs, 0.0) if loop.breaks else (*self.carried, *self.outputs)
        self.outputs = None
        self.carried = [None] * loop.carried          # what the segment binds anew asks nothing of those before it
        own, saved = saved
        adjoint = own or adjoint
        found = saved(seed) if adjoint is None else adjoint(seed, saved)
        for place, g in zip(loop.wanted, found if len(loop.wanted) > 1 else (found,)):
            k = place - self.lead
            if 0 <= k < loop.carried:
                self.carried[k] = g
            elif place < self.lead:
                self.part(first, g)
            else:
                self.totals[place] = added(self.totals.get(place), g)

    def part(self, first, g):
        """Add the gradient of some of the items; keys of a dict have none."""
        if isinstance(self.loop.given, (dict, set)):
            return
        total = self.totals.setdefault(0, init_grad(list(self.loop.items[0:first + len(g)]) if isinstance(
            self.loop.items, Pulled) else self.loop.items))
        if isinstance(total, np.ndarray):
            total[first:first + len(g)] += g
        else:
            total = list(total)
            total[first:first + len(g)] = map(add_grad, total[first:first + len(g)], g)
            self.totals[0] = total

    def result(self):
        loop = self.loop
        inputs = [*self.carried, *[None] * len(loop.reads)]
        found = []
        for place in loop.wanted:
            k = place - self.lead
            g = self.totals.get(place) if not 0 <= k < loop.carried else inputs[k]
            found.append(init_grad(loop.inputs[k] if k >= 0 else loop.given) if g is None else g)
        return tuple(found)


def added(total, g):
    """The sum of gradients; `total` is ours to write into."""
    if total is None:
        return copy(g)
    if type(total) is type(g) is np.ndarray and total.shape == g.shape and total.dtype == g.dtype:
        total += g
        return total
    return add_grad(total, g)


def equal(x, again):
    return x is again or type(x) in FLOATS and x == again or same(x, again)
