"""Gradients of objects.

While it is summed the gradient of an object is a :class:`Record`, whose attributes come into being when they are first
asked for: cycles in what objects hold are no trouble, and adding two of them costs nothing. In it every path to an object
has its own share: `bm.a` and `bm.b` differ though `m.a is m.b`. At the end :func:`unify` puts together what belongs to one
object, and makes of it what people get: the same type for dataclasses and namedtuples, an :class:`ObjectGrad` for all else.
"""
import copy
import reprlib
import types

import numpy as np

from tangent.errors import ArgumentTypeError
from tangent.runtime.add import ADDERS, add_grad
from tangent.runtime.facts import helper
from tangent.runtime.fields import CONTAINERS, field, fields, is_gradient, own_dict, refuse_object, slots
from tangent.runtime.zeros import INITIALIZERS, ZeroGrad, init_grad, is_objects, is_record, rebuild_tuple


class ObjectGrad:
    """The gradient of an object: the same attribute names, with gradients in them.

    None stands where an attribute has no gradient (strings, functions). `vars(g)` gives all of them.
    """

    __slots__ = ('__of__', '__dict__')

    def __init__(self, of='object', /, **fields):
        self.__of__ = of
        self.__dict__ = fields

    @reprlib.recursive_repr()
    def __repr__(self):
        return f'{self.__of__}({", ".join(f"{name}={value!r}" for name, value in vars(self).items())})'

    def __eq__(self, other):
        if not isinstance(other, ObjectGrad):
            return NotImplemented
        return self.__of__ == other.__of__ and equal(vars(self), vars(other))

    __hash__ = None                       # type: ignore[assignment]


def equal(a, b):
    """Whether two gradients are equal, arrays in them compared as a whole."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    if isinstance(a, (list, tuple)) and type(a) is type(b):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict) and type(a) is type(b):
        return a.keys() == b.keys() and all(equal(value, b[key]) for key, value in a.items())
    return bool(a == b)


class Record:
    """The gradient of an object while it is being summed: its own attributes, and `parts` that are yet to be added.

    An attribute is made when it is first asked for: zero, and what the parts have there. From then on it holds all of it,
    and can be written to. The parts are never changed.
    """

    __slots__ = ('__primal__', '__parts__', '__dict__')

    def __init__(self, primal, parts=()):
        object.__setattr__(self, '__primal__', primal)
        object.__setattr__(self, '__parts__', parts)

    def __getattr__(self, name):
        if name in HIDDEN:                     # asked for by `copy` before they are set
            raise AttributeError(name)
        total = init_grad(field(self.__primal__, name))
        for value in shares(self.__parts__, name):
            total = add_grad(total, value)
        self.__dict__[name] = total
        return total

    def __repr__(self):
        return f'Record({type(self.__primal__).__name__}, {sorted(self.__dict__)})'

    def refuse(self, *_, **_keywords):
        refuse_object(self.__primal__)

    __getitem__ = __setitem__ = __iter__ = __len__ = __bool__ = __float__ = __array__ = __call__ = refuse
    def __add__(self, other):
        return add_records(self, other) if is_gradient(other) or is_object(other) else self.refuse()

    __radd__ = __add__
    __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __matmul__ = refuse
    __rmatmul__ = __pow__ = __rpow__ = __mod__ = __floordiv__ = __neg__ = __pos__ = __abs__ = refuse
    __lt__ = __le__ = __gt__ = __ge__ = __array_function__ = __array_ufunc__ = refuse


GRADIENTS = (Record, ObjectGrad)
SINGLE = frozenset([float, int, bool, str, type(None), np.float64])
HIDDEN = frozenset(['__primal__', '__parts__', '__deepcopy__', '__copy__', '__setstate__', '__getstate__'])


def attributes(b):
    """Name -> gradient, as far as they are there."""
    return b.__dict__ if isinstance(b, GRADIENTS) else fields(b)


def every_share(b):
    """(attribute, gradient) for all that was added up in the gradient of an object; an attribute may come more than once."""
    pending = [(b, frozenset())]
    while pending:
        part, done = pending.pop()
        own = attributes(part)
        yield from ((name, value) for name, value in own.items() if name not in done)
        if isinstance(part, Record):
            pending += [(p, done | own.keys()) for p in part.__parts__]


def shares(parts, name):
    """What the parts have for an attribute."""
    pending = list(parts)[::-1]
    while pending:
        part = pending.pop()
        own = attributes(part)
        if name in own:
            yield own[name]
        elif isinstance(part, Record):
            pending += part.__parts__[::-1]


def add_records(left, right):
    """The sum of two gradients of one object."""
    primal = left.__primal__ if isinstance(left, Record) else right.__primal__ if isinstance(right, Record) else left
    return Record(primal, (left, right))


def copy_record(b, copied):
    """A record that can be written to, `copied` making the copies of its attributes."""
    new = Record(b.__primal__, b.__parts__)
    new.__dict__.update({name: copied(value) for name, value in b.__dict__.items()})
    return new


def zero_of_object(x):
    if isinstance(x, GRADIENTS):
        return Record(getattr(x, '__primal__', x))
    return Record(x) if is_object(x) else None


INITIALIZERS[object] = zero_of_object, True
INITIALIZERS[Record] = zero_of_object, True
ADDERS[Record, Record] = ADDERS[Record, ObjectGrad] = ADDERS[ObjectGrad, Record] = add_records
ADDERS[ObjectGrad, ObjectGrad] = add_records


# What people get

def is_object(x):
    """Whether a value is an object whose type nobody has registered a gradient for."""
    return is_objects(type(x), len(INITIALIZERS))


def holds_objects(x):
    """Whether an object stands somewhere in a container, or is one itself."""
    if isinstance(x, CONTAINERS):
        return any(map(holds_objects, x.values() if isinstance(x, dict) else x))
    if isinstance(x, np.ndarray):
        return x.dtype.kind == 'O' and any(map(is_object, x.flat))
    return is_object(x)


class Node:
    """One value in the graph of what an object holds.

    keys : names of attributes, keys or positions of its parts; None for a number or array
    parts : a node for each of them
    terms : shares of its gradient, of a number or array; `lent` if one of them is the user's own
    result : its gradient
    """

    __slots__ = ('value', 'keys', 'parts', 'terms', 'lent', 'result')

    def __init__(self, value):
        self.value, self.keys, self.parts, self.terms, self.lent, self.result = value, None, (), [], False, None


def unify(b, x, fit):
    """The gradient `b` of `x`, as people get it: one gradient for every object, however often it is held.

    Parameters
    ----------
    b : object
        A gradient as it was summed.
    x : object
        An object, or a container with objects in it. Arrays, lists and dicts that objects hold are one each, too; those
        outside of objects have a gradient for every place where they stand.
    fit : callable
        (gradient, value) -> the gradient in the shape and dtype of a value that holds no objects.
    """
    if (found := of_numbers(b, x, fit)) is not None:
        return found
    nodes = []
    root = graph(x, nodes)
    spread(b, root, nodes)
    for node in nodes:
        node.result = shell(node, fit)
    for node in nodes:
        fill(node)
    return finished(root)


def of_numbers(b, x, fit):
    """The same for an object that holds numbers alone, none of which is two things; None for any other."""
    held = own_dict(x)
    if not held or not isinstance(b, GRADIENTS) or not SINGLE.issuperset(map(type, held.values())) or slots(type(x)):
        return None
    totals = dict.fromkeys(held)
    for name, term in every_share(b):
        if name not in totals:
            return None                              # its class holds it
        if term is not None and type(term) is not ZeroGrad:
            totals[name] = term if totals[name] is None else add_grad(totals[name], term)
    gradient = new_gradient(x)
    for name, value in held.items():
        object.__setattr__(gradient, name, fit(totals[name], value))
    return gradient


def new_gradient(x):
    """What people get as the gradient of an object, with nothing in it; `object.__setattr__` fills it."""
    if isinstance(x, types.SimpleNamespace):
        return types.SimpleNamespace()
    return object.__new__(type(x)) if is_record(x) else ObjectGrad(type(x).__name__)


def items_of(x):
    """The parts of an object or container; None for a number or array."""
    if is_object(x):
        return fields(x)
    if isinstance(x, dict):
        return x
    if isinstance(x, (list, tuple)):
        return dict(enumerate(x))
    if isinstance(x, np.ndarray) and x.dtype.kind == 'O':
        return {index: x[index] for index in np.ndindex(x.shape)}
    return None


def graph(x, nodes):
    """The node of a value, those of all it holds put into `nodes`."""
    known, root = {}, Node(x)
    pending = [(root, False)]
    while pending:
        node, inside = pending.pop()
        nodes.append(node)
        items = items_of(node.value)
        if items is None:
            continue
        inside = inside or is_object(node.value)
        if inside:
            known.setdefault(id(node.value), node)
        node.keys, node.parts = tuple(items), []
        for v in items.values():
            one = is_object(v) or inside and isinstance(v, (list, dict, np.ndarray))
            part = known.get(id(v)) if one else None
            if part is None:
                part = Node(v)
                pending.append((part, inside))
                if one:
                    known[id(v)] = part
            node.parts.append(part)
    return root


def spread(b, root, nodes):
    """Give every number and array the shares of its gradient."""
    pending = [(b, root, frozenset(), False)]
    while pending:
        b, node, done, lent = pending.pop()
        if b is None or type(b) is ZeroGrad:
            continue
        if node.keys is None:
            node.terms.append(b)
            node.lent |= lent
            continue
        if is_object(node.value):
            own = attributes(b)
            lent = lent or not isinstance(b, Record)
            for name in own.keys() - done - set(node.keys):          # its class holds it
                node.keys += name,
                node.parts.append(graph(getattr(node.value, name), nodes))
            if isinstance(b, Record):
                pending += [(part, node, done | own.keys(), False) for part in b.__parts__]
        else:
            whole = b.flat if isinstance(node.value, np.ndarray) else b
            own = b if isinstance(b, dict) else dict(zip(node.keys, whole, strict=True))
        pending += [(own[key], part, frozenset(), lent) for key, part in zip(node.keys, node.parts)
                    if key in own and key not in done]


def shell(node, fit):
    """The gradient of a number or array; of all else one of the right type, with nothing in it."""
    x = node.value
    if node.keys is None:
        total = None
        for term in node.terms:
            total = term if total is None else add_grad(total, term)
        total = fit(total, x)
        return total.copy() if node.lent and isinstance(total, np.ndarray) else total
    if is_object(x):
        return new_gradient(x)
    if isinstance(x, dict):
        return {} if type(x) is dict else copy.copy(x)
    return [] if isinstance(x, (list, tuple)) else np.empty(x.shape, object)


def fill(node):
    """Put the gradients of its parts into the gradient of an object or container."""
    if node.keys is None or isinstance(node.value, tuple):
        return
    for key, part in zip(node.keys, node.parts):
        if isinstance(node.value, list):
            node.result.append(finished(part))
        elif isinstance(node.value, (dict, np.ndarray)):
            node.result[key] = finished(part)
        else:
            object.__setattr__(node.result, key, finished(part))


def finished(node):
    if node.keys is not None and isinstance(node.value, tuple):
        return rebuild_tuple(type(node.value), map(finished, node.parts))
    return node.result


@helper(harmless=True)
def function_called(owner, name, above=None):
    """The function that `owner.name` runs, or calls with the owner: a method's, a property's; None where it is anything else.

    above : the class behind which it is looked for, as `super()` does
    """
    kind = type(owner)
    if isinstance(owner, (types.ModuleType, type, super)) or isinstance(kind.__getattribute__, types.FunctionType):
        return None
    defined = definition(kind, name, above)
    held = None if defined is None else vars(defined)[name]
    own = above is None and not isinstance(held, property) and name in own_dict(owner)
    return None if own or isinstance(held, classmethod) else function_of(held)


def definition(kind, name, above=None):
    """The class, of those that a class inherits from, that defines a name: behind `above`, if that is given."""
    order = kind.__mro__
    if above is not None:
        order = order[order.index(above) + 1:] if above in order else ()
    return next((k for k in order if name in vars(k)), None)


def function_of(held):
    """The function of a method or a property, for what a class holds; all else as it is."""
    return held.fget if isinstance(held, property) else held.__func__ if isinstance(held, (staticmethod, classmethod)) else held


@helper(pure=False, harmless=True)
def check_called(owner, name, function, above=None):
    """Refuse what has something else by a name than the function that a derivative takes it for."""
    if function_called(owner, name, above) is not function:
        raise ArgumentTypeError(UNFORESEEN.format(name))


@helper(pure=False, harmless=True)
def check_other(x, *kinds):
    """Refuse a value of these classes, of which a derivative was made as if there were none but those it has taken apart."""
    if isinstance(x, kinds):
        raise ArgumentTypeError(f'{type(x).__name__} is met here beside objects that are made in the function: pass it to the '
                                'function as an argument, or write the operation out with its fields')


@helper(pure=False, harmless=True)
def check_operand(x):
    """Refuse what has operators of its own beside an object that was taken apart: a number has none that know it."""
    if not isinstance(x, (int, float, complex, np.number)):
        raise ArgumentTypeError(f'{type(x).__name__} meets an object that is made in the function, by an operator: write the '
                                'operation out with the fields of the object')


UNFORESEEN = 'what has .{} here is none of the objects that the derivative was made for: pass it, or its class, as an argument'
