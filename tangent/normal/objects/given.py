"""Objects that a function is given and nobody else can see while it runs: those, too, may be taken apart.

    def swing(p, dt):                           def swing(p, dt):
        p.om -= dt * np.sin(p.th)                   p_om = p.om
        p.th += dt * p.om             ->            p_th = p.th
        return p.th                                 p_om -= dt * np.sin(p_th)
                                                    p_th += dt * p_om
                                                    return p_th

A derivative leaves the objects that it is by as they were, so that nothing is put back; what is written into others stays.
Arrays and lists in them that are written into are copies. Where kinds are known the classes are; that no object stands in two
places among the arguments, and no two arrays share memory, is looked at before the text for these kinds is called
(`driver.variants`).
"""
import numbers
import re
import sys
import types

import gast
import numpy as np

from tangent.analysis.kinds.classes import SLOTS
from tangent.analysis.kinds.participants import may_define
from tangent.analysis.kinds.values import Array, Number, Parts, Passive, parts_within
from tangent.frontend import dependencies, tree
from tangent.frontend.dependencies import is_foundation, path_of
from tangent.frontend.resolve import contents
from tangent.normal.objects.forms import Several, form_of
from tangent.normal.objects.owner import Many, Nth
from tangent.runtime import facts

DATA = numbers.Number, str, bytes, type(None), np.dtype
DESCRIPTORS = (types.ModuleType, np.ufunc, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType,
               types.MethodWrapperType, *SLOTS)
OF_CLASSES = re.compile('__.*__$|_field_defaults$|_abc_impl$')         # what Python puts into classes


def given_objects(source, wrt, kinds):
    """Parameter -> its kind for objects, and lists of such, that nobody else can see while the function runs.

    wrt : the parameters that the derivative is by
    kinds : (name, kind) for the arguments
    """
    parameters = {n.id for n in tree.walk(source.tree.args) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Param)}
    found = {name: kind for name, kind in kinds if name in wrt and isinstance(kind, Parts) and made_of(kind) is not None}
    known = all(is_known(kind) for _, kind in kinds) and parameters <= dict(kinds).keys()
    if not found or not known or not sees_no_objects(source.function):
        return {}
    return found


def made_of(kind):
    """The class of an object of a kind, Many for a list of objects of one; None for what is taken apart in no such way."""
    if kind.form is list:
        found = {made_of(part) if isinstance(part, Parts) else None for part in kind.kinds}
        if len(found) == 1:
            return Many(one) if isinstance(one := found.pop(), type) else None
        return Several(tuple(map(made_of, kind.kinds))) if found and all(isinstance(one, type) for one in found) else None
    return kind.form if form_of(kind.form) is not None else None


def held_in(kinds):
    """Class -> {field: what objects of it hold there, see `made_of`} for objects of these kinds, where all hold the same."""
    found: dict = {}
    for kind in parts_within(kinds):
        if made_of(kind) is kind.form:
            inner = {n: made_of(part) for n, part in zip(kind.keys, kind.kinds) if isinstance(part, Parts) and made_of(part)}
            known = found.setdefault(kind.form, inner)
            found[kind.form] = {n: held for n, held in known.items() if inner.get(n) == held}
    return found


def reading(kind, value, path, copied, names):
    """The expression for what stands in a field of a given object, or for the list of what objects in a list have in it; None
    where there is none.

    value : the expression for the object
    copied : makes a copy of the arrays and lists there
    """
    if not path:
        return copied(kind, value)
    if kind.form is list and isinstance(path[0], Nth):
        part = gast.Subscript(value=value, slice=tree.constant(int(path[0])), ctx=gast.Load())
        return reading(kind.kinds[int(path[0])], part, path[1:], copied, names)
    if kind.form is list:
        each = names.fresh('each')
        parts = [reading(part, tree.load(each), path, copied, names) for part in kind.kinds]
        generators = [gast.comprehension(target=tree.store(each), iter=value, ifs=[], is_async=0)]
        return None if None in parts else gast.ListComp(elt=parts[0], generators=generators)
    inner = kind.part(path[0])
    return inner and reading(inner, gast.Attribute(value=value, attr=path[0], ctx=gast.Load()), path[1:], copied, names)


def is_known(kind):
    """Whether all that values of a kind hold is known."""
    return all(map(is_known, kind.kinds)) if isinstance(kind, Parts) else isinstance(kind, (Number, Array, Passive))


def sees_no_objects(function):
    """Whether nothing that a function and those it names can name is, or may hold, an object."""
    seen, pending = set(), [function]
    while pending:
        thing = pending.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        inner = within(thing)
        if inner is None:
            return False
        pending += inner
    return True


def within(thing):
    """What a value leads to that is no object itself; None for one that is, or may hold one."""
    if isinstance(thing, DATA + DESCRIPTORS) or isinstance(thing, np.ndarray) and thing.dtype != object:
        return ()
    if type(thing) is tuple:
        return thing
    if isinstance(thing, types.FunctionType):
        return () if facts.in_library(thing) or is_theirs(thing) else named_in(thing)
    if isinstance(thing, (staticmethod, classmethod)):
        return [thing.__func__]
    if isinstance(thing, property):
        return [thing.fget, thing.fset, thing.fdel]
    if isinstance(thing, type):
        return () if is_theirs(thing) else [*thing.__bases__, *looked_up(vars(thing), [
            n for n, held in vars(thing).items() if isinstance(held, types.FunctionType) or not OF_CLASSES.match(n)])]
    return None


def looked_up(namespace, names):
    """What names denote in a module or class; of data, whether it still is data is asked when the derivative is called."""
    for name in names:
        if isinstance(namespace[name], DATA):
            dependencies.note_data(namespace, name, namespace[name])
        yield namespace[name]


def named_in(function):
    """What the names in the code of a function denote, those in functions inside it among them, and what it brings with it."""
    codes, space = dependencies.codes_of(function.__code__), function.__globals__
    names = {n for code in codes for n in code.co_names}
    loaded = {n for code in codes for n in dependencies.loaded(code)}
    found = [*looked_up(space, loaded & space.keys())]
    for module in (m for m in found if isinstance(m, types.ModuleType) and may_define(m)):
        found += looked_up(vars(module), names & vars(module).keys())
    found += [contents(cell) for cell in function.__closure__ or ()]
    return [*found, *(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values(), *vars(function).values()]


def is_theirs(thing):
    """Whether a function or class is one of Python's own, or of the packages that others stand on."""
    return thing.__module__ in ('builtins', None) or is_foundation(path_of(sys.modules.get(thing.__module__)))
