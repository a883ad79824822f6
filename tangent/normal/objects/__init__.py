"""Objects that one function makes and keeps to itself become variables, one for each of their fields.

    p = Pendulum(x, 0.0)                        p_th, p_om = Pendulum_init(x, 0.0)
    for i in range(n):                          for i in range(n):
        p.step(0.01)                                p_th, p_om = step(p_th, p_om, 0.01)
    return p.th                   ->            return p_th

    def step(self, dt):                         def step(th, om, dt):
        self.om -= dt * np.sin(self.th)             om -= dt * np.sin(th)
        self.th += dt * self.om                     th += dt * om
                                                    return th, om

What the plain form has no words for, an attribute that is bound anew, is then an assignment like any other. It is done where
nobody but methods of its class, and functions that treat it so, ever sees the object itself: it is not returned, stored,
compared, iterated, caught half written. Objects in fields of such objects are taken apart with them.

Enters: the `Source` of a function that the plain form refuses. Leaves: one that sees functions beside it (`frontend.nested`).
May import: what `normal` may. Start with: `dissolved`, then `text` (one function), `forms` (what a class is made of).
"""
from __future__ import annotations

import dataclasses

from tangent.errors import TangentError
from tangent.frontend.nested import NestedSource
from tangent.frontend.source import Source
from tangent.normal.objects.program import Program
from tangent.normal.objects.text import Whole


def dissolved(source, shared):
    """The source without objects that need not be, or None where it has none; `shared` gets the functions it calls instead."""
    for deep in (True, False):
        kept = set()
        while True:
            program = Program(shared, deep)
            try:
                whole = program.whole(source, kept)
            except Whole as why:                          # this variable has to hold an object
                if why.name in kept:
                    return None
                kept.add(why.name)
                continue
            except TangentError:
                return None
            break
        if whole is not None:
            fields = {f.name: getattr(source, f.name) for f in dataclasses.fields(Source)}
            visible = {**getattr(source, 'visible', {}), **program.register()}
            return NestedSource(**{**fields, 'tree': whole}, values=source.defaults, keyword_values=source.kwdefaults,
                                visible=visible, written=source.tree)
    return None
