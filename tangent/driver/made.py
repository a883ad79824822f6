"""What the driver makes on its way: emitted functions, twins of callees, the two passes of a function."""
import dataclasses
from collections.abc import Mapping
from typing import NamedTuple

import gast

from tangent.analysis.kinds.values import Array, Number, Parts
from tangent.emit.build import Part
from tangent.frontend import tree as syntax


@dataclasses.dataclass
class Made:
    """One emitted function on its way.

    methods : name -> `kinds.methods.Method`, for names in the text that stand for methods; none: as in the source
    """
    tree: gast.FunctionDef
    source: object
    part: Part
    methods: Mapping = dataclasses.field(default_factory=dict)


class Twin(NamedTuple):
    """Names of the emitted twins, and where the name of their callee is looked up.

    seeded : whether the adjoint takes the gradient of a result; it does not where nothing is returned
    """
    primal: str
    adjoint: str
    lookup: object = None
    seeded: bool = True

    @property
    def names(self):
        return self[:2]


class Demands(NamedTuple):
    """What the twins of a callee are to give: with its source and where it is called, all that their text depends on.

    wrt : names of the parameters whose gradients are wanted
    written : (parameter, number of axes or None) of arrays into which it writes; the adjoint takes their gradients and
        changes them in place
    restored : whether the adjoint puts back what these arrays held before
    kinds : (parameter, its kind) for those that are known
    tried : whether somebody may see which statements raise
    own : parameters that hold what nobody else reads from there on
    brought : whether what it is given may hold objects of classes in sight
    listed : parameters that get lists or tuples
    """
    wrt: tuple
    written: tuple = ()
    restored: bool = False
    kinds: tuple = ()
    tried: bool = False
    own: tuple = ()
    brought: bool = True
    listed: tuple = ()


class Passes(NamedTuple):
    """The two passes of one function, before they are one text.

    reverse : the Reverse that made them
    forward, adjoint : statements
    seed : name of the seed
    result : tree of what the function returns
    target : tree of what of that is differentiated
    known : what the text may take for granted, a `kinds.infer.Known`, or None
    kinds : the Inference of kinds in the normal form, or None
    """
    reverse: object
    forward: list
    adjoint: list
    seed: str
    result: object
    target: object
    known: object = None
    kinds: object = None


def is_list(kind):
    """Whether something of a kind is a list of numbers and arrays, which functions of NumPy take for an array."""
    return isinstance(kind, Parts) and kind.form in (list, tuple) and bool(kind.kinds) \
        and all(isinstance(part, (Number, Array)) or is_list(part) for part in kind.kinds)


def with_lists(source, kinds):
    """The Source, told which parameters are such lists wherever they are read."""
    lists = {p for p, kind in kinds if is_list(kind)}
    lists -= set(syntax.names(source.tree, gast.Store)) if lists else set()
    return dataclasses.replace(source, listed=source.listed | lists) if lists else source
