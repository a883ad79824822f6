"""What Python runs for an operator, an attribute or a method of an object, as plain functions that can be differentiated.

    operator.add(a, b)    where the class of a defines it     def add(a, b):
                                                                  return a.__add__(b)
    getattr(p, 'area')    where the class has a property      def area(x):
                                                                  return fget(x)
    xs.pop                of a list                           def pop(owner):
                                                                  return owner.pop()
"""
import builtins
import collections
import collections.abc
import dataclasses
import enum
import functools
import inspect
import itertools
import operator
import types

import numpy as np

from tangent.analysis.attributes import is_of_arrays
from tangent.emit.build import Part, build
from tangent.errors import ForwardNotImplementedError
from tangent.eventlog.shadow.operators import UNARY, tried
from tangent.eventlog.shadow.operators import elements as unpacked
from tangent.eventlog.shadow.values import coded, lacking, refuse_getattribute, refuse_overridden
from tangent.normal.constructors import is_plain_tuple
from tangent.runtime import facts
from tangent.runtime.array_api import is_array
from tangent.runtime.captures import differentiable
from tangent.runtime.fields import answers_ufuncs, makes_own, own_dict, refuse_object
from tangent.runtime.functions.elementwise import held
from tangent.runtime.functions.operators import (
    BINARY,
    CHANGEABLE,
    COMPARED,
    METHODS,
    OPERATIONS,
    PLAIN,
    SYMBOLS,
    above,
    held_above,
    iterated,
    outside,
    updating,
)
from tangent.runtime.tangents.yielded import Yielded
from tangent.templates.language import registry
from tangent.templates.python import mutations

CONTAINERS = (list, dict, tuple, set, frozenset, collections.deque, np.ndarray, np.generic)
ASKED = mutations.names(lambda m: m.gives == 'fact') | {'keys'}
SILENT = mutations.names(lambda m: m.gives == 'nothing' and m.tangents)
LISTED = {'items': '[(k, owner[k]) for k in owner]', 'values': '[owner[k] for k in owner]'}
COPIED = {list: 'owner[:]', dict: 'dict(owner)', collections.deque: 'deque(owner)'}
MISSING = object()

_functions: dict = {}            # (text, ids of what it names) -> (the function, these)


def asked(owner, name, *args):
    """What a method says of a container that depends on no value in it smoothly."""
    found = getattr(owner, name)(*args)
    return list(found) if name == 'keys' else found


def bound_method(x, name):
    """The method of an object, as a value: its derivative is that of its object."""
    return getattr(x, name)


def answered(f, args, keywords):
    """What a function of NumPy's runs that is given objects of classes which say themselves what it does; None for others."""
    known = isinstance(f, np.ufunc)
    for x in args if known or facts.is_numpy(f) or facts.is_of_ufunc(f) else ():
        parts = x if isinstance(x, (list, tuple)) else () if known else (x,)
        if any(answers_ufuncs(type(part)) for part in parts):
            refuse_object(next(iter(parts)))            # NumPy asks it for an array, or for what `add.reduce` does
    if not known or not any(answers_ufuncs(type(x)) for x in args):
        return None
    names, places = [f'x{k}' for k in range(len(args))], []
    for k, kind in enumerate(map(type, args)):
        if answers_ufuncs(kind) and not any(type(args[j]) is kind for j in places):
            above = [i for i, j in enumerate(places) if issubclass(kind, type(args[j]))]          # which is asked behind it
            places.insert(above[0] if above else len(places), k)
    given = ', '.join([*names, *(f'{k}={k}' for k in keywords)])
    lines = []
    for k in places:
        lines += [f'found = method{k}(x{k}, ufunc, "__call__", {given})', 'if found is not NotImplemented:', '    return found']
    lines.append(f'raise TypeError("{f.__name__} is not for these objects")')
    return function(f'{f.__name__}_of_objects', [*names, *['*'] * bool(keywords), *keywords], lines, ufunc=f,
                    **{f'method{k}': type(args[k]).__array_ufunc__ for k in places})


def method_above(kind, x, name):
    """`super(kind, x).name`."""
    return getattr(super(kind, x), name)


def standing(f, args, keywords):
    """The plain function, or method of one, that stands for `f`; `f` itself where nothing does."""
    if (found := answered(f, args, keywords)) is not None:
        return found
    find = FINDERS.get(f)
    if find is not None:
        return find(f, (*args, *keywords.values()) if f is sum else args)
    if isinstance(f, type):
        return makes(f, len(args), tuple(keywords))
    if f is dataclasses.replace and type(args[0]).__new__ is object.__new__:
        return replaced(type(args[0]), tuple(keywords))
    owner = getattr(f, '__self__', None)
    if getattr(f, '__name__', '') == '_replace' and isinstance(owner, tuple) and is_plain_tuple(type(owner)):
        whole, kind = unlike(keywords, 'owner', 'kind')
        parts = [f'{n}={n}' if n in keywords else f'{n}={whole}.{n}' for n in owner._fields]
        return types.MethodType(function('replaced', [whole, *['*'] * bool(keywords), *keywords],
                                         [f'return {kind}({", ".join(parts)})'], **{kind: type(owner)}), owner)
    if getattr(f, '__name__', '') == '_make' and is_plain_tuple(owner):
        return types.MethodType(function('made', ['kind', 'items'], ['return kind(*items)']), owner)
    if isinstance(f, types.BuiltinMethodType) and isinstance(owner, CONTAINERS):
        return of_container(f, owner, len(args), tuple(keywords))
    if isinstance(f, types.MethodWrapperType) and f.__name__ == '__setattr__':
        setter = function('set_attribute', ('x', 'name', 'v'), ['put(x, name, v)'], put=object.__setattr__)
        return types.MethodType(setter, owner)
    if isinstance(f, types.MethodDescriptorType) and args and isinstance(args[0], CONTAINERS) \
            and getattr(type(args[0]), f.__name__, None) is f:
        return getattr(of_container(f, args[0], len(args) - 1, tuple(keywords)), '__func__', f)
    return f


def function(name, parameters, lines, defaults=None, kwdefaults=None, /, **library):
    """The function of this text, made once."""
    text = f'def {name}({", ".join(parameters)}):\n' + ''.join(f'    {line}\n' for line in lines)
    key = text, tuple(map(id, library.values()))
    if key not in _functions:
        namespace = {'__name__': 'objects', '__builtins__': builtins, **library}
        _functions[key] = build(text, [Part(name, namespace, {}, defaults, kwdefaults)], {}, name)[name], library
    return _functions[key][0]


# Operators

def binary(f, args):
    name = f.__name__.rstrip('_')
    if len(args) != 2:
        return f
    left, right = args
    tries = tried(name, left, right)
    if not tries and name == 'ne' and (coded(left, 'eq') or coded(right, 'eq')):            # Python asks for the opposite
        return function('ne', 'ab', ['return not eq(a, b)'], eq=operator.eq, left_kind=type(left), right_kind=type(right))
    if not tries:
        return joined(f, left, right)
    *first, last = [f'{"ab"[x]}.__{method}__({"ab"[y]})' for _, method, (x, y) in tries]
    lines = []
    for value in first:
        lines += [f'value = {value}', 'if value is not NotImplemented:', '    return value']
    return function(f.__name__, 'ab', [*lines, f'return {last}'],
                    left_kind=type(left), right_kind=type(right))          # one for each pair of classes


def joined(f, left, right):
    """`+` and `*` of sequences; those beside an array are taken for arrays."""
    if is_array(left) or is_array(right):
        return function(f.__name__, 'ab', [f'return a {SYMBOLS[f]} b']) if f in SYMBOLS else f
    if f is operator.add and isinstance(left, (list, tuple)):
        return function('joined', 'ab', ['return [*a, *b]' if isinstance(left, list) else 'return (*a, *b)'])
    for sequence, names in ((left, 'ab'), (right, 'ba')):
        if f is operator.mul and isinstance(sequence, (list, tuple)):
            made = f'[v for _ in range({names[1]}) for v in {names[0]}]'
            return function('repeated', 'ab', [f'return {made}' if isinstance(sequence, list) else f'return tuple({made})'])
    return function(f.__name__, 'ab', [f'return a {SYMBOLS[f]} b']) if f in SYMBOLS else f


def updated(f, args):
    name = f.__name__.rstrip('_')
    if coded(args[0], name) is not None:
        return function(name, 'ab', [f'return a.__{name}__(b)'])
    if isinstance(args[0], CHANGEABLE) and f is PLAIN[name]:
        raise ForwardNotImplementedError(updating(f))
    return binary(PLAIN[name[1:]], args)


def unary(f, args):
    name = UNARY[f]
    if coded(args[0], name) is None:
        return f
    given = ['a', 'b'][:len(args)]
    return function(f'{name}_of', given, [f'return a.__{name}__({", ".join(given[1:])})'])


def told(name, given, plain, own, *methods):
    """A finder for what tells a fact of an object: `own` where its class defines one of the methods, else `plain`."""
    def find(f, args):
        method = next((m for n in methods if (m := coded(args[0], n)) is not None), None)
        if method is None and f is operator.contains and coded(args[0], 'iter') is not None:
            raise ForwardNotImplementedError(f'in, for a {type(args[0]).__name__}, runs __iter__: define __contains__')
        known = {} if method is None else {'method': method}
        return function(name, given, [f'return {own if known else plain}'], **known)
    return find


def item(f, args):
    if coded(args[0], 'getitem') is not None:
        return function('item', 'ai', ['return a.__getitem__(i)'])
    if lacking(*args) is not None:
        return function('item', 'ai', ['return a.__missing__(i)'])
    return function('item', 'ai', ['return a[i]'])


def item_set(f, args):
    if coded(args[0], 'setitem') is not None:
        return function('item_set', 'aiv', ['a.__setitem__(i, v)'])
    return function('item_set', 'aiv', ['a[i] = v'])


def total(f, args):
    values = args[0]
    listed = isinstance(values, (list, tuple, collections.deque, collections.abc.ValuesView))
    added = (*(held(values if isinstance(values, (list, tuple)) else list(values)) if listed else ()), *args[1:])
    if not any(coded(v, n) for v in added for n in ('add', 'radd')):
        return f
    lines = ['result = start', 'for v in values:', '    result = add(result, v)', 'return result']
    if len(args) == 1:
        return function('total', ['values'], ['start = 0', *lines], add=operator.add)
    return function('total', ['values', 'start'], lines, add=operator.add)


def elements(f, args):
    values, = args
    if isinstance(values, Yielded):                  # all is taken here, even if nobody reads it
        values.whole()
    if coded(values, 'iter') is not None:
        return function('elements', ['values'], ['found = []', 'for v in through(values):', '    found.append(v)',
                                                 'return found'], through=iterated)
    if coded(values, 'getitem') is not None:
        return function('elements', ['values'], [
            'found, k = [], 0', 'while True:', '    try:', '        found.append(values.__getitem__(k))',
            '    except IndexError:', '        return found', '    k += 1'])
    return function('elements', ['values'], ['return values'])


def gone_through(f, args):
    if coded(args[0], 'iter') is None:
        return function('iterated', ['values'], ['return values'])
    return function('iterated', ['values'], ['for v in values.__iter__():', '    yield v'])


def following(f, args):
    if coded(args[0], 'next') is None:
        given = ['x', 'default'][:len(args)]
        return function('following', given, [f'return next({", ".join(given)})'])
    if len(args) > 1:
        raise ForwardNotImplementedError(f'next() of a {type(args[0]).__name__} with a default: catch StopIteration')
    return function('following', ['x'], ['return x.__next__()'])


def zipped(f, args):
    """The pairs as a list: how many there are is asked for when this is differentiated again."""
    names = [f'x{k}' for k in range(len(args))]
    return function('zipped', names, [f'return list(zip({", ".join(names)}))'])


# Attributes

def found_above(kind, name):
    return next((vars(k)[name] for k in kind.__mro__ if name in vars(k)), MISSING)


def attribute(f, args):
    """What reading an attribute runs."""
    x, name, *_ = args
    kind = type(x)
    if isinstance(x, (type, types.ModuleType)) or not isinstance(name, str):
        return f
    refuse_getattribute(x, name)
    given = ('x', 'name', 'default')[:len(args)]
    if isinstance(x, enum.Enum) and (name in ('value', 'name') or name in own_dict(x)):
        return function(name, given, ['return constant'], constant=getattr(x, name))
    above = found_above(kind, name)
    held = name in own_dict(x)
    if isinstance(x, collections.deque) and name == 'maxlen':
        return function(name, given, ['return constant'], constant=x.maxlen)
    if isinstance(above, property):
        tried = ['try:', '    return fget(x)', 'except AttributeError:', '    return default']
        return function(name, given, ['return fget(x)'] if len(args) == 2 else tried, fget=above.fget)
    if isinstance(above, functools.cached_property):
        if held:
            return function(name, given, [f'return x.{name}'])
        return function(name, given, ['found = made(x)', f'put(x, {name!r}, found)', 'return found'], made=above.func,
                        put=object.__setattr__)
    if isinstance(above, (types.FunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)) and not held:
        return function(name, given, [f'return bound_method(x, {name!r})'], bound_method=bound_method)
    get = getattr(type(above), '__get__', None)
    if isinstance(get, types.FunctionType) and (not held or hasattr(type(above), '__set__')):
        return function(name, given, ['return get(descriptor, x, kind)'], get=get, descriptor=above, kind=kind)
    if above is MISSING and not held and coded(x, 'getattr') is not None:
        asked_for = f'return x.__getattr__({name!r})'
        tried = ['try:', f'    {asked_for}', 'except AttributeError:', '    return default']
        return function(name, given, [asked_for] if len(args) == 2 else tried)
    if above is not MISSING and not held and not hasattr(type(above), '__set__'):         # of the class, not a descriptor
        return function(name, given, [f'return asked(x, "__getattribute__", {name!r})'], asked=asked)
    empty = isinstance(above, types.MemberDescriptorType) and not hasattr(x, name)          # a slot
    if (above is MISSING or empty) and not held and len(args) > 2:
        return function(name, given, ['return default'])
    owner = 'self' if is_of_arrays(name) and not is_array(x) else 'x'                 # whose `size` is not an array's
    return function(name, (owner, *given[1:]), [f'return {owner}.{name}'])


def item_outside(f, args):
    """What taking an item of a table outside of all functions runs: under a key without a derivative it is a constant."""
    if differentiable(args[1]):
        return item(operator.getitem, args)
    return function('item_outside', ('table', 'key'), ['return asked(table, "__getitem__", key)'], asked=asked)


def attribute_above(f, args):
    """What reading an attribute of `super()` runs."""
    kind, x, name = args
    held, given = held_above(kind, x, name), ('kind', 'x', 'name')
    if isinstance(held, property):
        return function(name, given, ['return fget(x)'], fget=held.fget)
    if isinstance(held, METHODS):
        return function(name, given, [f'return method_above(kind, x, {name!r})'], method_above=method_above)
    return f if held is None else function(name, given, ['return constant'], constant=held)


def kept_before(f, args, tangents):
    """The function of a cached_property that keeps a value from before the program, which has no tangent; else None."""
    if f is not getattr and f is not OPERATIONS['attribute'] or tangents[0] is None:
        return None
    (x, name, *_), (dx, *_) = args, tangents
    found = found_above(type(x), name)
    held = isinstance(found, functools.cached_property) and name in vars(x) and name not in getattr(dx, '__dict__', (name,))
    return found.func if held else None


def attribute_set(f, args):
    """What setting an attribute runs."""
    x, name, _ = args
    above = found_above(type(x), name)
    given = 'x', 'name', 'v'
    if coded(x, 'setattr') is not None:
        return function(f'set_{name}', given, [f'x.__setattr__({name!r}, v)'])
    if isinstance(above, property):
        return function(f'set_{name}', given, ['fset(x, v)'], fset=above.fset)
    put = getattr(type(above), '__set__', None)
    if isinstance(put, types.FunctionType):
        return function(f'set_{name}', given, ['put(descriptor, x, v)'], put=put, descriptor=above)
    return function(f'set_{name}', given, [f'x.{name} = v'])


# Objects that are made

def made_in_python(kind, count, keywords):
    """What `kind(...)` runs: `__new__`, and the `__init__` of what that gives, if it is of this class."""
    names = unlike(keywords, *(f'x{k}' for k in range(count)))
    made, new, above, init = unlike(keywords, 'made', 'new', 'kind', 'init')
    given = ', '.join([*names, *(f'{k}={k}' for k in keywords)])
    lines = [f'{made} = {new}({above}{"" if kind.__new__ is object.__new__ else f", {given}"})']
    own = kind.__init__ is not object.__init__
    lines += [f'if type({made}) is {above}:', f'    {init}({made}, {given})'] * own
    if kind.__subclasses__():
        lines += [f'{"el" * own}if isinstance({made}, {above}) and type({made}).__init__ is not object.__init__:',
                  f'    {made}.__init__({given})']
    lines.append(f'return {made}')
    return function(kind.__name__, [*names, *['*'] * bool(keywords), *keywords], lines, **{
        above: kind, new: kind.__new__, init: kind.__init__})


def makes(kind, count, keywords):
    """The function that makes an object of a class whose `__init__` was not written by people, or that has a `__new__` of its
    own; else the class."""
    if makes_own(kind) and registry.lookup(kind) is None and registry.custom(kind) is None:
        return made_in_python(kind, count, keywords)
    if kind is types.SimpleNamespace:
        names = list(keywords)
        made, blank = unlike(names, 'made', 'blank')
        lines = [f'{made} = {blank}()', *(f'{made}.{n} = {n}' for n in names), f'return {made}']
        return function('namespace', ['*', *names] if names else [], lines, **{blank: kind})
    if is_plain_tuple(kind):
        defaults = kind._field_defaults
        made, (above,) = ', '.join(kind._fields), unlike(kind._fields, 'kind')
        return function(kind.__name__, kind._fields, [f'return {above}({made})'], tuple(defaults.values()) or None,
                        **{above: kind})
    if not is_generated(kind):
        return kind
    frozen = kind.__dataclass_params__.frozen
    taken = inspect.signature(kind).parameters
    made, blank, put, missing = unlike([*taken, *kind.__dataclass_fields__], 'made', 'blank', 'put', 'MISSING')
    parameters, lines, defaults, only = [], [f'{made} = {blank}()'], [], {}
    library = {blank: functools.partial(object.__new__, kind), missing: MISSING, put: object.__setattr__}
    only_init = [n for n in taken if n not in {field.name for field in dataclasses.fields(kind)}]
    order = list(taken)
    every = [kind.__dataclass_fields__[n] for n in only_init] + list(dataclasses.fields(kind))
    for field in sorted(every, key=lambda field: order.index(field.name) if field.init and field.name in order else len(order)):
        name, default = field.name, field.default
        if default is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
            factory, = unlike(taken, f'make_{name}')
            default, library[factory] = MISSING, field.default_factory
            lines += [f'if {name} is {missing}:', f'    {name} = {factory}()'] if field.init else [f'{name} = {factory}()']
        elif not field.init and default is not dataclasses.MISSING:
            constant, = unlike(taken, f'default_{name}')
            library[constant] = default
            lines.append(f'{name} = {constant}')
        elif not field.init:
            continue
        if field.init:
            parameters += ['*'] * (field.kw_only and '*' not in parameters) + [name]
            if default is not dataclasses.MISSING and field.kw_only:
                only[name] = default
            elif default is not dataclasses.MISSING:
                defaults.append(default)
        if name not in only_init:
            lines.append(f'{put}({made}, {name!r}, {name})' if frozen else f'{made}.{name} = {name}')
    lines += [f'{made}.__post_init__({", ".join(only_init)})'] * hasattr(kind, '__post_init__') + [f'return {made}']
    return function(kind.__name__, parameters, lines, tuple(defaults), only, **library)


def unlike(taken, *names):
    """The names, or ones like them where these are taken."""
    return [next(n for n in (name + '_' * k for k in itertools.count()) if n not in taken) for name in names]


def replaced(kind, names):
    """`dataclasses.replace(x, k=v)`: a new object, made of the fields of the other."""
    frozen = kind.__dataclass_params__.frozen
    x, made, blank, put = unlike(names, 'x', 'made', 'blank', 'put')
    lines = [f'{made} = {blank}()']
    for n in (field.name for field in dataclasses.fields(kind)):
        value = n if n in names else f'{x}.{n}'
        lines.append(f'{put}({made}, {n!r}, {value})' if frozen else f'{made}.{n} = {value}')
    lines += [f'{made}.__post_init__()'] * hasattr(kind, '__post_init__') + [f'return {made}']
    return function('replaced', [x, *['*'] * bool(names), *names], lines,
                    **{blank: functools.partial(object.__new__, kind), put: object.__setattr__})


def is_generated(kind):
    """Whether `dataclasses` has written the `__init__` of a class."""
    init = getattr(kind.__init__, '__code__', None)
    return init is not None and init.co_filename == '<string>' and dataclasses.is_dataclass(kind)


# Methods of containers

def of_container(f, owner, count, keywords):
    name = f.__name__
    if isinstance(f, types.BuiltinMethodType):
        refuse_overridden(f)
    owner_name, *given = unlike(keywords, 'owner', *(f'x{k}' for k in range(count)))
    call = ', '.join([*given, *(f'{k}={k}' for k in keywords)])
    head = [owner_name, *given, *['*'] * bool(keywords), *keywords]
    library = {}
    if name in ASKED:
        body, library = [f'return asked({", ".join([owner_name, repr(name), *given])})'], {'asked': asked}
    elif isinstance(owner, dict) and name in LISTED:
        body = [f'return {LISTED[name]}']
    elif name == 'copy' and (kind := next((k for k in COPIED if isinstance(owner, k)), None)) is not None:
        body, library = [f'return {COPIED[kind]}'], {'deque': collections.deque}
    elif name in ('__getitem__', '__setitem__', '__delitem__'):
        body = [{'__getitem__': 'return owner[x0]', '__setitem__': 'owner[x0] = x1', '__delitem__': 'del owner[x0]'}[name]]
    elif name in SILENT and not (isinstance(owner, np.ndarray) and name != 'fill'):
        body = [f'{owner_name}.{name}({call})']
    elif name in POPPED or isinstance(owner, (np.ndarray, np.generic)) and registry.method(name) is not None:
        body = [f'return {owner_name}.{name}({call})']
    else:
        return f
    return types.MethodType(function(name.strip('_'), head, body, **library), owner)


POPPED = mutations.names(lambda m: m.gives == 'element')
FINDERS = {
    **{PLAIN[name]: binary for name in [*BINARY, *COMPARED]},
    **{PLAIN[f'i{name}']: updated for name in BINARY},
    **dict.fromkeys(UNARY, unary),
    **dict.fromkeys((operator.truth, bool), told('truth', 'a', 'bool(a)', 'method(a) != 0', 'bool', 'len')),
    len: told('length', 'a', 'len(a)', 'method(a)', 'len'),
    operator.contains: told('contains', 'ab', 'b in a', 'bool(method(a, b))', 'contains'),
    pow: binary, operator.getitem: item, operator.setitem: item_set, sum: total, unpacked: elements,
    iterated: gone_through, next: following, above: attribute_above,
    outside: item_outside,
    getattr: attribute, setattr: attribute_set, zip: zipped,
}
FINDERS.update({f: lambda f, args: FINDERS[f.function](f.function, args) for f in OPERATIONS.values()})
