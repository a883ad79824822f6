"""Twins of the function of a loop over plain numbers: nothing broadcasts there, and it runs twice as fast."""
import weakref

import numpy as np

from tangent.analysis.kinds.participants import RUNNING, of_call
from tangent.driver.derivation import Derivation
from tangent.driver.interpreter import deriving
from tangent.driver.options import Options
from tangent.emit.signature import params
from tangent.frontend.nested import NestedSource
from tangent.frontend.source import read

NUMBERS = (float, int, np.floating)
WORTH = 1000                   # from so many iterations on

_made: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()       # function of a loop -> {(wanted, numbers, memory): twins}


def twins_of_numbers(steps, wanted, lead, inputs, memory=False):
    """(primal, adjoint) for inputs of which those that are wanted are numbers; None if they are not."""
    places = frozenset(k + lead for k, x in enumerate(inputs) if is_number(x)) | frozenset(range(lead))
    if not places.issuperset(wanted) or min(wanted) < lead:
        return None
    known = _made.setdefault(steps, {})
    key = wanted, places, memory, RUNNING.classes
    if key not in known:
        source = read(steps)
        names = params(source.tree)
        source = NestedSource.of(source, source.tree, numbers=frozenset(names[k] for k in places), is_loop=True)
        with deriving():
            known[key] = Derivation(Options(memory=memory, classes=of_call(steps))).pair_for(
                source, tuple(names[k] for k in wanted))
    return known[key]


def is_number(x):
    return isinstance(x, NUMBERS) and not isinstance(x, bool)
