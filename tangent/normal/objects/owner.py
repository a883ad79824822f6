"""What the text of a function says of one object, and what may stand in its way."""
from __future__ import annotations

import functools
from typing import NamedTuple

import gast

from tangent.frontend import tree
from tangent.normal.objects.forms import Form


class Owner(NamedTuple):
    """An object that is taken apart: a variable of the function, and the path from there.

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
        below = lambda above, name: gast.Attribute(value=above, attr=name, ctx=gast.Load())  # noqa: E731
        return functools.reduce(below, self.path, tree.load(self.name))


class Whole(Exception):
    """An object has to be one: that in the variable `name`, or else those of class `kind`."""

    def __init__(self, owner):
        super().__init__(owner.name)
        self.name, self.kind = owner.name, getattr(owner.form, 'kind', None)


class Refined(Exception):
    """Objects of class `kind` hold objects of class `inner` in a field."""

    def __init__(self, kind, field, inner):
        super().__init__(kind, field)
        self.kind, self.field, self.inner = kind, field, inner
