"""For which lines of the user's the parts of an emitted statement stand: what was folded into a formula has its own."""
from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Mapping

from tangent.frontend import tree


class Folded:
    """An emitted statement, or the header of one, into which parts of other lines were folded.

    It is asked seldom, so that it looks at its tree only then.

    nodes : the expressions of the statement
    where : its Origin
    print_ : from an expression to its text
    """

    def __init__(self, nodes, where, print_):
        self.nodes, self.where, self.print, self.places = nodes, where, print_, None

    def through(self, places: Mapping) -> Folded:
        """The same for a text that was made of an emitted one: `places` has the Places of the lines of that."""
        new = Folded(self.nodes, self.where, self.print)
        new.places = places
        return new

    @functools.cached_property
    def texts(self):
        """Text of a part, as `ast` prints it -> its Origin."""
        found = {}
        for node in (n for e in self.nodes for n in tree.walk(e)):
            if tree.origin(node) is not None and tree.origin(node).line:
                found.setdefault(normal(self.print(node)), tree.origin(node))
        return found

    @property
    def line(self) -> int:
        """The line of the statement itself."""
        return self.meant(self.where)

    @property
    def lines(self) -> list[int]:
        """All lines for which it, or a part of it, stands."""
        return sorted({self.meant(origin) for origin in [self.where, *self.texts.values()]} - {0})

    def line_of(self, nodes: Iterable[ast.AST]) -> int:
        """The line of the first of these `ast` trees, those inside first, that has one; else that of the statement."""
        own = (self.texts.get(ast.unparse(node)) for node in nodes if isinstance(node, ast.expr))
        return self.meant(next(filter(None, own), self.where))

    def line_at(self, text: str, span: tuple | None) -> int:
        """The line of what stands at (line, last line, column, last column) of the whole text."""
        return self.line_of(covering(text, span) if span else ())

    def line_of_part(self, text: str) -> int:
        """The line of a part by its text, or that of the statement."""
        return self.meant(self.texts.get(text, self.where))

    def key(self, text: str) -> str | None:
        """The text by which a part is known; None for what is none."""
        found = normal(text)
        return found if found in self.texts else None

    def meant(self, origin):
        if self.places is None:
            return origin.line
        place = self.places.get(origin.line)
        if place is None:
            return 0
        return place.folded.line_of_part(origin.part) if place.folded else place.line


def normal(text):
    """An expression as `ast` prints it."""
    return ast.unparse(ast.parse(text, mode='eval'))


def covering(text, span):
    """The expressions of a text around a span, those inside first."""
    first, last, start, end = span
    found = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.expr)
             and (n.lineno, n.col_offset) <= (first, start) and (last, end) <= (n.end_lineno, n.end_col_offset)]
    return found[::-1]
