"""What is made of a function, room by room: texts whose lines know for which lines of the user's they stand.

A derivative is derived once more, by a derivation that keeps what `verbose=2` prints. The links between lines are the origins
of statements (`frontend.tree.Origin`), which the printer notes for each line that it writes.
"""
import copy
import dataclasses
import itertools
from collections.abc import Mapping
from typing import NamedTuple

from tangent import optimize
from tangent.driver.derivation import Derivation
from tangent.driver.forward import ForwardDerivation
from tangent.driver.interpreter import deriving
from tangent.driver.options import Options
from tangent.emit.printer import emit
from tangent.errors import NOT_THE_USERS, PLACES, Place, TangentError, users
from tangent.eventlog.statements import Logged

BACKWARD = ('zero', 'seed', 'adjoint', 'tangent')
PASSES = {step.__name__: step for step in [*optimize.FIRST, *optimize.REPEATED, *optimize.FINAL]}


class Row(NamedTuple):
    """A line of a text.

    place : the (file, line) of the user's for which it stands, or None
    role : as what part of a derivative it stands there, as in `Origin`; '' where it is no statement's
    also : other lines of that file for which parts of it stand: what was folded into one formula
    at : the Place of the line, or None
    """
    text: str
    place: tuple | None = None
    role: str = ''
    also: tuple = ()
    at: Place | None = None


class Shot(NamedTuple):
    """One function as a room, or a pass of the optimizer, has left it."""
    step: str
    function: str
    rows: tuple

    @property
    def is_pass(self):
        return self.step in PASSES


@dataclasses.dataclass(frozen=True)
class Recording:
    """A derivation as it was seen.

    Attributes
    ----------
    rows : tuple of Row
        The text of the derivative.
    shots : tuple of Shot
        In the order in which they were made.
    sources : tuple of Source
        The functions of the user's of which it is made.
    found : tuple of (str, object)
        What names of the user's denote, which the text takes for granted.
    main : int
        Where in the rows the derivative itself begins: what it calls stands before it.
    error : str
        Why there is no derivative.
    """
    rows: tuple = ()
    shots: tuple = ()
    sources: tuple = ()
    found: tuple = ()
    main: int = 0
    error: str = ''

    def within(self, around):
        """The recording of a derivative of a derivative with the text of a function around it. Its lines stand for those for
        which the lines of the first derivative stand."""
        shots = tuple(shot._replace(rows=further(shot.rows)) for shot in self.shots)
        sources = tuple(s for s in self.sources if s.filename not in PLACES)
        rows = (*further(self.rows), *map(Row, around.splitlines()))
        return dataclasses.replace(self, rows=rows, shots=shots, sources=sources)


class Shown:
    """Mixed into a derivation: it keeps what the rooms made."""

    def begin(self, settings):
        super().begin(settings)
        self.shots = []

    def show(self, room, function, source):
        if self.options.verbose >= 2:
            text = emit([copy.copy(function)], source.comments, files=[source.filename])
            self.shots.append(Shot(room, function.name, rows_of(text)))


class Reverse(Shown, Derivation):
    """A derivation in reverse mode that is watched."""

    def remember(self, normal):
        if isinstance(normal, Logged):
            self.show('desugared', normal.function, normal.source)
        return super().remember(normal)


class Forward(Shown, ForwardDerivation):
    """A derivation in forward mode that is watched."""


def recorded(function, names, picks, options, rooms=True):
    """The Recording of a derivation.

    function, names, picks, options : as `questions.make` derives
    rooms : whether the texts of rooms and passes are kept, too
    """
    options = dataclasses.replace(options, verbose=2 if rooms else 0)
    if options.target is not None:
        options = dataclasses.replace(options, target=dataclasses.replace(options.target, cache=False))
    try:
        derivation = (Forward if options.mode == 'forward' else Reverse)(options)
        derivation.picks = picks
        with deriving():
            made = derivation.derive(function, names)
    except TangentError as error:
        return Recording(error=str(error))
    text = getattr(made, 'source', '')
    found = {path: thing for _, path, thing in derivation.callees}
    sources = {m.source.function: m.source for m in derivation.made}
    rows, own = rows_of(text), f'def {made.__name__}('
    main = next((k for k, row in enumerate(rows) if row.text.startswith(own)), 0) if derivation.logged_because is None else 0
    return Recording(rows, tuple(derivation.shots), tuple(sources.values()), tuple(found.items()), main)


def rows_of(text):
    """The lines of an emitted text. What is written to a tape belongs to what stands before it, comments and what is taken
    from a tape to what follows, as do the tests of a log."""
    places: Mapping = getattr(text, 'places', {})
    roles: Mapping = getattr(text, 'roles', {})
    also: Mapping = getattr(text, 'also', {})
    rows = [Row(line, tuple(places[k][:2]) if k in places else None, roles.get(k, ''), also.get(k, ()), places.get(k))
            for k, line in enumerate(text.splitlines(), 1)]
    found = []
    for is_blank, group in itertools.groupby(rows, lambda row: not row.text and not row.place):
        stretch = list(group)
        found += stretch if is_blank else linked(stretch)
    return tuple(found)


def further(rows):
    """Rows of a text made of emitted ones, with the user's lines for which these stand."""
    found = []
    for row in rows:
        if row.place:
            place = users(row.at if row.at is not None and row.at[:2] == row.place else Place(*row.place))
            lines = place.folded.lines if place.folded else ()
            theirs, role = not place.file.startswith(NOT_THE_USERS), row.role
            row = row._replace(place=place[:2] if theirs else None, also=tuple(line for line in lines if line != place.line),
                               role='adjoint' if place.backward and role == 'primal' else role)
        found.append(row)
    return tuple(found)


def linked(rows):
    """Rows without an empty line in between, with the places of their neighbours for what has none; what stands in a block
    before it is no neighbour."""
    backward = next((k for k, row in enumerate(rows) if row.role in BACKWARD), len(rows))
    for k, row in enumerate(rows):
        if row.place is None and row.role in ('tape', 'carry', 'primal', ''):
            later = row.role == '' or k > backward
            others = rows[k + 1:] if later else [r for r in rows[:k][::-1] if indent(r) <= indent(row)]
            rows[k] = row._replace(place=next((r.place for r in others if r.place), None))
    return rows


def indent(row):
    return len(row.text) - len(row.text.lstrip())


def in_mode(options, mode, optimized):
    """The options for the same derivative in another mode or form."""
    if mode != options.mode:
        given = {name: getattr(options, name) for name in ('check_dims', 'in_complex', 'nan_safe', 'target', 'classes')}
        options = Options(mode=mode, default=None if mode == 'forward' else 1.0, **given)
    return dataclasses.replace(options, optimized=optimized, kinds=options.kinds if optimized else ())
