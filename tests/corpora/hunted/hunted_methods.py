"""Methods of the user's whose names arrays, dicts and texts have, too: what they write was left out, as if it were theirs."""
import numpy as np

from tests.corpora.hunted.hunting import found

X = np.array([0.7, 1.3, 0.4])


class Cells:
    def __init__(self, cells):
        self.cells, self.calls = cells, 1.0

    def take(self):
        self.cells[1] *= 0

    def get(self):
        self.calls += 1.0

    def sum(self):
        self.calls += 1.0
        return self.cells[0]

    def copy(self):
        self.cells[1] = self.cells[1] * self.cells[0]
        return 3.0

    def mean(self):
        self.get()

    def write(self):
        self.cells[0] = 0.5


@found(X)
def take_that_writes_a_constant(x):
    o = Cells(x * 1.0)
    o.take()
    return o.cells[1] + x[0] * x[1]


@found(X)
def get_that_counts(x):
    o = Cells(x)
    o.get()
    return o.cells[1] * o.calls


@found(X)
def sum_that_counts_under_a_name(x):
    o = Cells(x)
    total = o.sum()  # noqa: F841
    return o.cells[1] * o.calls


@found(X)
def copy_that_writes(x):
    o = Cells(x * 1.0)
    o.copy()
    return o.cells[1] * o.calls


@found(X)
def mean_that_calls_what_counts(x):
    o = Cells(x)
    o.mean()
    return o.cells[1] * o.calls


@found(X)
def write_that_overwrites(x):
    o = Cells(x * 1.0)
    o.write()
    return o.cells[0] * o.cells[1]
