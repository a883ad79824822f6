"""What the objects of a class are made of, where that is all there is to them."""
from __future__ import annotations

import abc
import dataclasses
import sys
import types
from typing import NamedTuple

import gast

from tangent.analysis.kinds.classes import contents, functions
from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.dependencies import is_foundation, path_of, remembered
from tangent.frontend.resolve import Resolver, imported, local_names
from tangent.frontend.scopes import inside
from tangent.frontend.source import read
from tangent.normal.constructors import is_generated
from tangent.runtime.objects import definition

ABSENT = object()


class Form(NamedTuple):
    """kind : the class
    fields : (name, Form of the object in it or None) for each attribute that `__init__` sets
    given : names of attributes that the class has values for until a method sets them
    late : names of other attributes that methods set
    """
    kind: type
    fields: tuple
    given: tuple = ()
    late: tuple = ()

    def field(self, name):
        """The Form of a field, None for one of anything; ABSENT where there is no such field."""
        return next((form for n, form in self.fields if n == name), None if name in self.given + self.late else ABSENT)

    def leaves(self):
        """The paths of all fields that hold no such objects themselves."""
        own = [(n,) for n in self.given + self.late]
        return [path for n, form in self.fields for path in ([(n, *p) for p in form.leaves()] if form else [(n,)])] + own

    def held(self, name):
        """What the class has by a name, as it stands there; ABSENT where it has none."""
        return next((vars(k)[name] for k in self.kind.__mro__ if name in vars(k)), ABSENT)


@remembered
def form_of(kind, deep):
    """The Form of a class, or None where its objects are more than attributes; `deep` with the objects in them."""
    if not is_plain(kind):
        return None
    try:
        stored = initial(kind)
        if stored is None:
            return None
        found = Form(kind, tuple([(n, inner(kind, n, deep)) for n in stored]))
    except (TangentError, RecursionError):
        return None
    later = [n for n in sorted(contents(kind)[2] - stored.keys()) if not is_taken(found.held(n))]
    found = found._replace(given=tuple([n for n in later if found.held(n) is not ABSENT]),
                           late=tuple([n for n in later if found.held(n) is ABSENT]))
    return None if any(is_taken(found.held(n)) for n in stored) else found


def is_plain(kind):
    """Whether a class is written in Python and leaves to Python how attributes are read and set."""
    above = [k for k in getattr(kind, '__mro__', ()) if k not in (object, abc.ABC)]
    ours = all(k.__flags__ & 1 << 9 and k.__module__ not in ('typing', 'enum') for k in above)
    theirs = is_foundation(path_of(sys.modules.get(kind.__module__)))
    if type(kind) not in (type, abc.ABCMeta) or not above or not ours or theirs:
        return False
    alike = '__new__', '__setattr__', '__delattr__', '__getattribute__'
    return all(getattr(kind, n) is getattr(object, n) for n in alike) and not any(hasattr(kind, n) for n in (
        '__getattr__', '__del__'))


def is_data(value):
    return not hasattr(type(value), '__get__') and not isinstance(value, type)


def is_taken(held):
    """Whether the class says what an attribute of that name is."""
    return held is not ABSENT and not is_data(held) and not isinstance(held, types.MemberDescriptorType)


def initial(kind):
    """The attributes that an object has when it has been made, in order (a dict), or None."""
    found: dict = {}
    if dataclasses.is_dataclass(kind) and is_generated(kind.__init__):
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
        for name, _ in stores(first, kind):
            found.setdefault(name)
    return found


DISPLAYS = {list: gast.List(elts=[], ctx=gast.Load()), dict: gast.Dict(keys=[], values=[])}


def default(field):
    """The text of the default of a dataclass's field, or ABSENT."""
    if field.default_factory in DISPLAYS:
        return DISPLAYS[field.default_factory]
    if isinstance(field.default, (int, float, str, bool, complex, type(None))):
        return tree.constant(field.default)
    return ABSENT


def stores(function, kind, seen=()):
    """(attribute, statement) for what a method sets on its object, and what it calls of that."""
    source = read(function)
    params = source.tree.args.posonlyargs + source.tree.args.args
    if not params or function in seen:
        return
    own, around = params[0].id, source.closure.get('__class__')
    for s in inside(source.tree.body):
        if isinstance(s, gast.stmt):
            yield from ((n.attr, s) for part in tree.header(s) for n in tree.walk(part) if isinstance(n, gast.Attribute)
                        and isinstance(n.ctx, gast.Store) and isinstance(n.value, gast.Name) and n.value.id == own)
        if isinstance(s, gast.Call) and isinstance(s.func, gast.Attribute):
            value, name = s.func.value, s.func.attr
            above = around.cell_contents if around and tree.is_call(value, 'super') else None
            owner = definition(kind, name, above) if above or isinstance(value, gast.Name) and value.id == own else None
            if owner is None and s.args and isinstance(s.args[0], gast.Name) and s.args[0].id == own:
                called = resolver_of(source)(s.func)              # Base.__init__(self)
            else:
                called = vars(owner).get(name) if owner else None
            if isinstance(called, types.FunctionType):
                yield from stores(called, kind, (*seen, function))


def resolver_of(source):
    known = {**imported(source.tree, source), **getattr(source, 'visible', {})}
    return Resolver(source, local_names(source.tree), known)


def inner(kind, name, deep):
    """The Form of the object that a field always holds, if it is made where it is put there, once."""
    if not deep:
        return None
    found = []
    for _, function in functions(kind):
        source = read(function)
        found += [(s, source) for s in inside(source.tree.body) if isinstance(s, gast.stmt)
                  for part in tree.header(s) for n in tree.walk(part)
                  if isinstance(n, gast.Attribute) and n.attr == name and isinstance(n.ctx, gast.Store)]
    if len(found) != 1 or not isinstance(found[0][0], gast.Assign) or not isinstance(found[0][0].value, gast.Call):
        return None
    s, source = found[0]
    made = resolver_of(source)(s.value.func)
    return form_of(made, deep) if isinstance(made, type) and made is not kind else None
