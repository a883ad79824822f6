"""What Python does with classes and objects where no call of theirs stands: what their code writes was taken for nothing."""
import numpy as np

from tests.corpora.hunted.hunting import found

X = np.array([0.7, 1.3, 0.4])


class Listed:
    """Puts itself where it is told to."""

    def __init__(self, v, where=None):
        self.v = v
        if where is not None:
            where.append(self)


@found(X, mixes=('f', 'rf'))
def made_in_a_comprehension(x):
    where, more = [], []
    made = [Listed(v, where) for v in x]
    n = len([Listed(v * v, more) for v in x])
    return where[0].v * where[1].v * n * made[2].v * more[1].v


@found(X, mixes=('f', 'rf'))
def made_by_map(x):
    where, more = [], []
    list(map(Listed, x, [where, where, where]))
    for made in map(lambda v: Listed(v, more), x):
        made.v = made.v * made.v
    return where[0].v * where[1].v * more[2].v


@found(X, mixes=('f', 'rf'))
def made_for_what_it_is_put_into(x):
    where = []
    for v in x:
        Listed(v * x[0], where)
    return where[0].v * where[1].v
