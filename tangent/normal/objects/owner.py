"""What the text of a function says of one object, and what may stand in its way."""
import functools
from typing import NamedTuple

import gast

from tangent.frontend import tree
from tangent.normal.objects.forms import Form


class At(NamedTuple):
    """A place in a list of objects, or a dict of such: the name of a variable, an integer, or a tree of such.

    of : list or dict
    """
    place: object
    of: type

    def expression(self):
        if isinstance(self.place, (str, int)):
            return tree.load(self.place) if isinstance(self.place, str) else tree.constant(self.place)
        return tree.clone(self.place)

    def names(self):
        return set(tree.names(self.expression(), gast.Load))


class Many(NamedTuple):
    """A list of objects of a class, or a dict of such."""
    kind: type
    of: type = list


class Nth(str):
    """A place in such a list, as the name of a field."""


class Owner(NamedTuple):
    """An object that is taken apart: a variable of the function, and the path from there, through fields and places in lists.

    fresh : nothing else holds it
    """
    name: str
    path: tuple
    form: Form
    fresh: bool = False

    def part(self, name):
        """What says which field it is: the variable and the path."""
        return self.name, (*self.path, name)

    def inner(self, name):
        """The object in a field."""
        return Owner(*self.part(name), self.form.field(name))

    def expression(self):
        """The expression that denotes it."""
        place = lambda step: step.expression() if isinstance(step, At) else tree.constant(int(step))  # noqa: E731
        below = lambda above, step: gast.Subscript(value=above, slice=place(step), ctx=gast.Load()) \
            if isinstance(step, (At, Nth)) else gast.Attribute(value=above, attr=step, ctx=gast.Load())  # noqa: E731
        return functools.reduce(below, self.path, tree.load(self.name))

    def at(self, index):
        """An object in it, which is a list or a dict."""
        return Owner(self.name, (*self.path, At(index, self.form.many)), self.form._replace(many=None))

    def around(self):
        """The list or dict in which it stands."""
        return Owner(self.name, self.path[:-1], self.form._replace(many=self.path[-1].of))

    def is_row(self):
        """Whether it stands in a list."""
        return bool(self.path) and isinstance(self.path[-1], At)

    def in_list(self):
        """Whether it is, or is part of, an object that does."""
        return any(isinstance(step, At) for step in self.path)


class Whole(Exception):
    """An object has to be one: that in the variable `name`, or else those of class `kind`."""

    def __init__(self, owner):
        super().__init__(owner.name)
        self.name, self.kind = owner.name, getattr(owner.form, 'kind', None)


class Refined(Exception):
    """Objects of class `kind` hold objects of class `inner`, or lists of such (Many), in a field."""

    def __init__(self, kind, field, inner):
        super().__init__(kind, field)
        self.kind, self.field, self.inner = kind, field, inner
