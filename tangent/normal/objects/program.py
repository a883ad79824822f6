"""The functions that are given the fields of an object in place of it."""
from __future__ import annotations

import dataclasses

import gast

from tangent.analysis.effects import Effects
from tangent.frontend import tree
from tangent.frontend.nested import Nested, NestedSource
from tangent.frontend.source import Source, read
from tangent.normal.objects.text import Text, Whole

ROUNDS = 12                 # at most: what functions that call each other read of an object only grows


class Lifted:
    """A function for objects in some of its parameters.

    nested : the function that takes their fields, as a callee
    takes : (parameter, path) of the fields that it reads before it sets them
    sets : the same of those that it binds anew, which it gives back
    value : whether it gives back something else
    itself : whether its value is the object
    """

    def __init__(self, program, function, given, wish):
        self.function, self.given, self.source = function, given, read(function)
        self.nested = Nested(program.names.fresh(wish), ())
        self.takes, self.sets, self.value, self.itself, self.failed = (), (), False, False, False
        self.unset = ()

    def settled(self, program):
        """Write the text again; whether nothing has changed that others have to know."""
        before = self.takes, self.sets, self.value, self.itself, self.failed
        try:
            text = Text(program, self.source, dict(self.given), self)
            self.takes, self.sets, self.value, self.itself = text.takes, text.sets, text.value, text.itself
            self.unset = text.unset
            fields = {f.name: getattr(self.source, f.name) for f in dataclasses.fields(Source)}
            self.nested.source = NestedSource(**{**fields, 'tree': text.definition(self.nested.__name__)},
                                              values=text.defaults, keyword_values=dict(self.source.kwdefaults),
                                              visible=program.visible)
        except Whole:
            self.failed = True
        return before == (self.takes, self.sets, self.value, self.itself, self.failed)


class Program:
    """Takes the objects of one function apart.

    visible : names that the new texts may call -> Nested or other object
    """

    def __init__(self, shared, deep):
        self.shared, self.deep, self.visible, self.lifted = shared, deep, {}, {}
        self.names = tree.Names(shared)
        self.effects = Effects(shared.settings.facts, shared.settings.classes)

    def whole(self, source, kept):
        """The definition of the function without objects, None where it has none but those in the variables `kept`."""
        self.function = source.function
        self.names.taken |= {n.id for n in tree.walk(source.tree) if isinstance(n, gast.Name)} | set(source.globals)
        for _ in range(ROUNDS):
            text = Text(self, source, {}, None, kept)
            if not text.objects:
                return None
            if all([one.settled(self) for one in list(self.lifted.values())]) and text.count == len(self.lifted):
                if text.unset or any(one.unset for one in self.lifted.values()):
                    raise Whole(next(iter(text.unset or text.objects)))
                return text.definition(source.tree.name)
        return None

    def lift(self, function, given, wish):
        """The Lifted for a call of a function with objects of these forms for these parameters."""
        key = function, given
        if key not in self.lifted:
            known = {n.id for n in tree.walk(read(function).tree) if isinstance(n, gast.Name)}
            self.names.taken |= known | set(function.__globals__)
            self.lifted[key] = Lifted(self, function, given, wish)
        return self.lifted[key]

    def may_set(self, name):
        """Whether one of the functions may set an attribute of that name of a class."""
        functions = [self.function, *(one.function for one in self.lifted.values())]
        return any(key.attribute == name for f in functions for key in self.effects.of(f).outside.stores)

    def name_of(self, thing, wish):
        """A name by which every text sees a function or class."""
        found = next((n for n, one in self.visible.items() if one is thing), None)
        if found is None:
            found = self.names.fresh(wish)
            self.visible[found] = thing
        return found

    def register(self):
        """Let the derivation know the functions; what texts see by name."""
        for one in self.lifted.values():
            self.visible[one.nested.__name__] = one.nested
            self.shared.nested.append(one.nested)
        self.shared.update(self.visible)
        return self.visible
