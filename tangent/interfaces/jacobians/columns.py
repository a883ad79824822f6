"""Columns of a Jacobian: several directions in one pass where the function can be run so, else one at a time."""
import numpy as np

from tangent.interfaces import linear_maps
from tangent.interfaces.jacobians import complex as complexes
from tangent.runtime.broadcast import gradient_dtype
from tangent.runtime.pytree import filled, leaves, mapped, size

ELEMENTS = 1 << 20                  # how many numbers the tangents of the arguments may have in one pass, if nobody says
FEWEST = 4                          # directions from which on one pass for all of them takes less time


class Columns:
    """The function at given arguments, pushed forward along many directions.

    all, each : the passes along all directions and along one, once they are needed
    possible : whether the function can be run along several, for all that is known
    """

    def __init__(self, func, wrt, args, keywords):
        self.func, self.wrt, self.args, self.keywords = func, wrt, args, keywords
        self.inputs = linear_maps.selected(func, wrt, args, keywords)
        self.points = leaves(self.inputs)
        self.all = self.each = None
        self.possible = True

    def all_places(self):
        """(which leaf of the arguments, which number of it) for each column."""
        return [(i, k) for i, x in enumerate(self.points) for k in range(np.size(x))]

    def chunks(self, chunk_size=None):
        """The columns in groups, each for one pass."""
        count = chunk_size or max(1, ELEMENTS // max(1, size(self.inputs)))
        places = self.all_places()
        return [places[k:k + count] for k in range(0, len(places), count)]

    def __call__(self, places):
        """(the value, for each of its leaves the columns as rows of an array)."""
        value, found = self.along(self.units(places))
        return value, self.complex(places, value, found) if any(map(np.iscomplexobj, self.points)) else found

    def complex(self, places, value, found):
        """The columns of complex numbers: of the tangents along 1 and along 1j."""
        _, turned = self.along(self.units(places, 1j))
        whole = []
        for y, straight, other in zip(leaves(value), found, turned):
            rows = [complexes.column(y, a.reshape(np.shape(y)), b.reshape(np.shape(y))).ravel()
                    if np.iscomplexobj(self.points[i]) else a for (i, _), a, b in zip(places, straight, other)]
            whole.append(np.array(rows))
        return whole

    def units(self, places, one=1):
        """For each leaf of the arguments an array of directions: `one` at each of the places, zero elsewhere.

        1j is for complex leaves alone.
        """
        groups, found = grouped(places), []
        for i, x in enumerate(self.points):
            unit = np.zeros((len(places), np.size(x)), gradient_dtype(np.asarray(x)))
            if i in groups:
                unit[groups[i]] = one if np.iscomplexobj(x) else 1
            found.append(unit.reshape(len(places), *np.shape(x)))
        return found

    def along(self, directions):
        """The same for directions of any kind, an array of them for each leaf of the arguments."""
        count = len(directions[0])
        if self.possible and (count >= FEWEST or self.all is not None):
            try:
                return self.at_once(directions, count)
            except linear_maps.NOT_FORWARD:
                self.possible = False
        self.each = self.each or linear_maps.pushing(self.func, self.wrt)
        rows = []
        for k in range(count):
            parts = [d[k] if hasattr(x, '__array_function__') else d[k].item() for x, d in zip(self.points, directions)]
            value, tangent = self.each(self.args, self.keywords, filled(self.inputs, parts))
            rows.append(tangents_of(value, tangent))
        return value, [np.array([np.ravel(r) for r in column]) for column in zip(*rows)]

    def at_once(self, directions, count):
        self.all = self.all or linear_maps.pushing(self.func, self.wrt, batched=True)
        value, tangents = self.all(self.args, self.keywords, filled(self.inputs, directions))
        return value, [np.reshape(t, (count, -1)) if np.ndim(t) else np.zeros((count, np.size(y)))
                       for y, t in zip(leaves(value), tangents_of(value, tangents))]


class Conjugated(Columns):
    """The same for the conjugate of the function, which is that of a gradient where what it is of is holomorphic."""

    def along(self, directions):
        value, found = super().along(directions)
        return mapped(np.conj, value), [np.conj(row) for row in found]


def grouped(places):
    """For each leaf among the places (rows of a pass, numbers of that leaf)."""
    groups = {}
    for row, (i, k) in enumerate(places):
        rows, numbers = groups.setdefault(i, ([], []))
        rows.append(row)
        numbers.append(k)
    return groups


def tangents_of(value, tangent):
    """The tangents of the leaves of the value, in order; zeros where there is none."""
    found = []
    mapped(lambda y, t=None: found.append(np.zeros(np.shape(y)) if t is None else t), value, tangent)
    return found
