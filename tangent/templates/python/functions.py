"""What Python's own functions do with what they are given: facts beside their derivatives (see `runtime.facts`)."""
import builtins
import copy
import datetime
import functools
import itertools
import math

from tangent.runtime.facts import note
from tangent.runtime.functions import numbers
from tangent.runtime.references import table
from tangent.templates.language.declare import constant

# What goes through an iterable, and what calls functions that it is given

note((list, tuple, set, frozenset, dict, sorted, sum, max, min, any, all, math.fsum, math.prod), takes='now')
note((zip, enumerate, reversed, iter), takes='later')
note((map, filter, itertools.starmap, itertools.filterfalse, itertools.takewhile, itertools.dropwhile), takes='later',
     calls=(0, None))
note(itertools.accumulate, takes='later', calls=(1, 'func'))
note(itertools.groupby, takes='later', calls=(1, 'key'))
note(functools.reduce, calls=(0, None))
note((sorted, min, max), calls=(None, 'key'))
note((any, all, zip, itertools.islice, itertools.takewhile), leaves=True)

# What changes nothing, and keeps nothing

note([getattr(builtins, name) for name in '''len abs sum min max range int float bool complex str round divmod pow tuple list
    dict set frozenset sorted reversed enumerate zip iter isinstance issubclass callable type repr print all any hasattr getattr
    id'''.split()] + [copy.copy, copy.deepcopy], reads=True)
note((print, input, open, next, iter, id, hash, getattr, hasattr, copy.copy, copy.deepcopy), pure=False)
note((len, isinstance, issubclass, callable, type, hasattr, id, print, repr, str), tells=True)
note((list.index, list.count), reads=True, tells=True)
note((sorted, min, max, functools.reduce, any, all, sum), lets_go=True)

# What takes whole numbers alone

constant(datetime.date, datetime.time, datetime.datetime, table.places_of,
         table.defaults_of, table.is_own, table.of_class, table.fields_of, numbers.answers)
