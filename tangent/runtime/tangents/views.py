"""Tangents of what is looked at later: views of dicts."""
import operator


class View:
    """The tangent of a view of a dict: what `part` makes of each of the tangents that the dict's tangent holds by then."""

    __slots__ = ('owner', 'part')

    def __init__(self, owner, part):
        self.owner, self.part = owner, part

    def __iter__(self):
        return map(self.part, self.owner.values())

    def __len__(self):
        return len(self.owner)


def key(d):
    return 0.0


def item(d):
    return 0.0, d


VIEWS = {'values': operator.methodcaller('values'), 'keys': lambda d: View(d, key), 'items': lambda d: View(d, item)}
