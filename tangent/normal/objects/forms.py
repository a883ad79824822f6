"""What the objects of a class are made of, where that is all there is to them."""
import abc
import dataclasses
import inspect
import sys
import types
from typing import NamedTuple

import gast

from tangent.analysis.kinds.classes import contents
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.dependencies import is_foundation, path_of, remembered
from tangent.frontend.resolve import resolver_of
from tangent.frontend.scopes import inside
from tangent.frontend.source import read
from tangent.normal.constructors import is_generated
from tangent.runtime.objects import definition

ABSENT = object()
DISPLAYS = {list: gast.List(elts=[], ctx=gast.Load()), dict: gast.Dict(keys=[], values=[])}


class Several(NamedTuple):
    """A list or tuple of objects of these classes, see `several`."""
    kinds: tuple


class Form(NamedTuple):
    """kind : the class; Several for a list of objects of several classes, whose places are the fields
    fields : (name, Form of the object that is always in it, or None) for each attribute that `__init__` sets
    given : names of attributes that the class has values for until a method, or a branch in `__init__`, sets them
    late : names of other attributes that methods set
    many : list or dict, if it is that of one of such objects, which has none of their attributes; None for one object
    """
    kind: type
    fields: tuple
    given: tuple = ()
    late: tuple = ()
    many: type | None = None

    def field(self, name):
        """The Form of a field, None for one of anything; ABSENT where there is no such field."""
        if self.many:
            return ABSENT
        return next((form for n, form in self.fields if n == name), None if name in self.given + self.late else ABSENT)

    def leaves(self, moved=False, late=True):
        """The paths of all fields that hold no such objects themselves.

        moved : but for those of objects in lists of several that are not set when they are made
        """
        own = [(n,) for n in self.given + self.late * late if n not in dict(self.fields)]
        late = late and not (moved and isinstance(self.kind, Several))
        inner = [(n, form.leaves(moved, late) if form else [()]) for n, form in self.fields]
        return [(n, *path) for n, paths in inner for path in paths] + own

    def held(self, name, above=None):
        """What the class, or those behind `above`, has by a name, as it stands there; ABSENT where it has none."""
        if self.many or not isinstance(self.kind, type):
            return ABSENT
        kind = definition(self.kind, name, above)
        return ABSENT if kind is None else vars(kind)[name]

    def holding(self, inner):
        """The same with objects of these Forms in some fields."""
        names = dict.fromkeys([*dict(self.fields), *inner])
        return self._replace(fields=tuple([(n, inner.get(n, dict(self.fields).get(n))) for n in names]))


@remembered
def form_of(kind):
    """The Form of a class, or None where its objects are more than attributes."""
    if not is_plain(kind) or inspect.isabstract(kind):
        return None
    try:
        stored = initial(kind)
    except (TangentError, RecursionError):
        return None
    if stored is None:
        return None
    found = Form(kind, tuple([(n, None) for n in stored]))
    later = [n for n in sorted(contents(kind)[2] - stored.keys()) if not is_taken(found.held(n))]
    own = [n for n in later if found.held(n) is ABSENT or isinstance(found.held(n), types.MemberDescriptorType)]       # slots
    others = set(own) - set_by_methods(kind)                                 # `layer.w = v`, of another object
    own, later = [n for n in own if n not in others], [n for n in later if n not in others]
    seldom = [n for n in stored if found.held(n) is not ABSENT and is_data(found.held(n)) and not is_surely_set(kind, n)]
    found = found._replace(given=tuple([n for n in later if n not in own] + seldom), late=tuple(own))
    return None if any(is_taken(found.held(n)) for n in stored) else found


def set_by_methods(kind):
    """The attributes that methods of a class may set on its objects."""
    methods = [m for k in kind.__mro__ for held in vars(k).values() for m in (
        (held.fget, held.fset, held.fdel) if isinstance(held, property) else (getattr(held, '__func__', held),))]
    written = [m for m in methods if isinstance(m, types.FunctionType) and not is_foundation(m.__code__.co_filename)]
    try:
        return {name for m in written for name in stores(m, kind)}
    except TangentError:
        return set(contents(kind)[2])


def is_plain(kind):
    """Whether a class is written in Python and leaves to Python how its objects are made, read and set."""
    above = [k for k in getattr(kind, '__mro__', ()) if k not in (object, abc.ABC)]
    ours = all(k.__flags__ & 1 << 9 and k.__module__ not in ('typing', 'enum') for k in above)
    theirs = is_foundation(path_of(sys.modules.get(kind.__module__)))
    if type(kind) not in (type, abc.ABCMeta) or not above or not ours or theirs:
        return False
    alike = '__new__', '__setattr__', '__delattr__', '__getattribute__'
    frozen = dataclasses.is_dataclass(kind) and kind.__dataclass_params__.frozen
    return all(getattr(kind, n) is getattr(object, n) or frozen and 'attr__' in n for n in alike) \
        and not any(hasattr(kind, n) for n in ('__getattr__', '__del__'))


def is_data(value):
    return not hasattr(type(value), '__get__') and not isinstance(value, type)


def is_taken(held):
    """Whether the class says what an attribute of that name is."""
    return held is not ABSENT and not is_data(held) and not isinstance(held, types.MemberDescriptorType)


def initial(kind):
    """The attributes that an object has when it has been made, in order (a dict), or None."""
    found: dict = {}
    if is_record(kind):
        fields = dataclasses.fields(kind)
        if any(not f.init or default(f) is ABSENT and f.default_factory is not dataclasses.MISSING for f in fields):
            return None
        found = dict.fromkeys(f.name for f in fields)
        first = getattr(kind, '__post_init__', None)
    else:
        first = None if kind.__init__ is object.__init__ else kind.__init__
    if first is not None:
        if not isinstance(first, types.FunctionType):
            return None
        for name in stores(first, kind):
            found.setdefault(name)
    return found


def is_surely_set(kind, name):
    """Whether an object has an attribute of its own by a name once it has been made: an `__init__` sets it in any case."""
    if is_record(kind):
        return True
    source = read(kind.__init__)
    own = next((a.id for a in source.tree.args.args), None)
    return any(isinstance(n, gast.Attribute) and n.attr == name and getattr(n.value, 'id', None) == own
               for s in source.tree.body if isinstance(s, (gast.Assign, gast.AnnAssign)) and s.value is not None
               for t in (s.targets if isinstance(s, gast.Assign) else [s.target]) for n in tree.walk(t))


def is_record(kind):
    """Whether it is a dataclass whose `__init__` Python has written."""
    return '__dataclass_fields__' in vars(kind) and '__init__' in vars(kind) and is_generated(kind.__init__) \
        and kind.__dataclass_params__.init


def default(field):
    """The text of the default of a dataclass's field, or ABSENT."""
    if field.default_factory in DISPLAYS:
        return DISPLAYS[field.default_factory]
    if isinstance(field.default, (int, float, str, bool, complex, type(None))):
        return tree.constant(field.default)
    return ABSENT


def stores(function, kind, seen=()):
    """The attributes that a method sets on its object, and what it calls of that."""
    source = read(function)
    params = source.tree.args.posonlyargs + source.tree.args.args
    if not params or function in seen:
        return
    own, around = params[0].id, source.closure.get('__class__')
    for n in inside(source.tree.body):
        if isinstance(n, gast.Attribute) and isinstance(n.ctx, gast.Store) and getattr(n.value, 'id', None) == own:
            yield n.attr
        if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute):
            value, name = n.func.value, n.func.attr
            above = around.cell_contents if around and tree.is_call(value, 'super') else None
            owner = definition(kind, name, above) if above or getattr(value, 'id', None) == own else None
            if owner is None and n.args and getattr(n.args[0], 'id', None) == own:
                called = resolver_of(source)(n.func)              # Base.__init__(self)
            else:
                called = vars(owner).get(name) if owner else None
            if isinstance(called, types.FunctionType):
                yield from stores(called, kind, (*seen, function))
