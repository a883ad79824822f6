"""Operators in the log form, where classes in sight define some: `a + b` looks at what a and b are, as Python does."""
import dataclasses
import functools
import operator

import numpy as np

from tangent.errors import ReverseNotImplementedError
from tangent.eventlog.shadow import iterators, methods
from tangent.eventlog.shadow.iterators import all_given_back
from tangent.eventlog.shadow.values import OWN, coded, lacking, unjoin
from tangent.runtime.captures import differentiable
from tangent.runtime.functions.containers import check_plain, unlist, unrepeated
from tangent.runtime.functions.lists import united
from tangent.runtime.functions.operators import (
    BINARY,
    CHANGEABLE,
    COMPARED,
    OPERATIONS,
    PLAIN,
    above,
    held_above,
    iterated,
    outside,
    updating,
)
from tangent.runtime.zeros import init_grad

UNARY = {operator.neg: 'neg', operator.pos: 'pos', operator.invert: 'invert', abs: 'abs', float: 'float', complex: 'complex',
         int: 'int', round: 'round', divmod: 'divmod'}


def operates(name, left, right):
    """Whether `left + right` (or another operator) runs Python code of a class."""
    return coded(left, name) is not None or coded(left, 'i' + name) is not None or coded(right, 'r' + name) is not None


def inner_call(record, method, args, positions):
    """Run a method as a call of its own; `positions` says which of the operands each of its arguments is."""
    before = record.backward, record.structured
    value = methods.by_method(record, method, args, {p: k for k, p in enumerate(positions)})
    if value is NotImplemented:
        record.backward, record.structured = before
    return value


def tried(name, left, right):
    """(the method in Python, its name, which operands it is given) for each that Python tries for an operator, in its order."""
    other = COMPARED.get(name, f'r{name}')
    tries = [(coded(left, name), name, (0, 1)), (coded(right, other), other, (1, 0))]
    if type(right) is not type(left) and issubclass(type(right), type(left)):
        tries.reverse()
    return [each for each in tries if each[0] is not None]


def binary(name):
    def run(record, f, args):
        left, right = args
        for method, _, positions in tried(name, left, right):
            value = inner_call(record, method, tuple([args[p] for p in positions]), positions)
            if value is not NotImplemented:
                return value
        if name == 'ne' and (coded(left, 'eq') or coded(right, 'eq')):                       # Python asks for the opposite
            return not binary('eq')(record, operator.eq, args)
        return plain(record, f, args, name)
    return run


def updated(name):
    """`a += b`: the method made for it where there is one."""
    def run(record, f, args):
        method = coded(args[0], 'i' + name)
        value = NotImplemented if method is None else inner_call(record, method, args, (0, 1))
        if value is NotImplemented and isinstance(args[0], CHANGEABLE) and f is PLAIN[f'i{name}']:
            raise ReverseNotImplementedError(updating(f))
        return value if value is not NotImplemented else binary(name)(record, PLAIN[name], args)
    return run


def plain(record, f, args, name):
    """An operator on numbers, arrays or sequences."""
    record.structured = True
    if name == 'add':
        record.backward = lambda grads, g: {} if g is None else dict(enumerate(unjoin(g, *args)))
        return f(*args)
    if name == 'mul':
        left, right = args
        record.backward = lambda grads, g: {} if g is None else {0: unrepeated(g, left, right), 1: unrepeated(g, right, left)}
        return f(*args)
    if name == 'or' and isinstance(args[0], dict):
        return record.ruled(united, args)
    return record.ruled(f, args)


def unary(record, f, args):
    method = coded(args[0], UNARY[f]) if f in UNARY else None
    return inner_call(record, method, args, range(len(args))) if method is not None else record.ruled(f, args)


def fact(*names):
    """What tells a fact of an object: the method of the first of these names that its class defines says so."""
    def run(record, f, args):
        method = next((m for name in names if (m := coded(args[0], name)) is not None), None)
        if method is None and f is operator.contains and coded(args[0], 'iter') is not None:
            raise ReverseNotImplementedError(f'in, for a {type(args[0]).__name__}, runs __iter__: define __contains__')
        if method is None:
            return f(*args)
        return (operator.index if f is len else bool)(inner_call(record, method, args, range(len(args))))
    return run


def acting(record, f, args):
    """What may run a method that acts: what Python does, is done."""
    return methods.FUNCTIONS[f.function](record, f.function, args)


def getitem(record, f, args):
    owner, index = args
    method = coded(owner, 'getitem')
    if method is not None:
        return inner_call(record, method, args, (0, 1))
    if (method := lacking(owner, index)) is not None:
        return inner_call(record, method, args, (0, 1))
    value = owner[index]
    record.structured = isinstance(owner, list) and isinstance(index, slice)            # a list of its own
    record.backward = lambda grads, g: {0: grads.give_item(owner, index, value, g)}
    return value


def item_outside(record, f, args):
    """An item of a table: what is found under a key without a derivative has none."""
    return getitem(record, f, args) if differentiable(args[1]) else f(*args)


def attribute_above(record, f, args):
    """What `super()` finds: what a property computes is gone back through."""
    kind, x, name = args
    held = held_above(kind, x, name)
    if isinstance(held, property):
        return methods.by_method(record, held.fget, (x,), {1: 0})
    value = f(*args)
    record.backward = lambda grads, g: {1: grads.give_attribute(x, name, value, g)}
    return value


def elements(values):
    """What is unpacked, as something that can be indexed."""
    return values


def elements_of(record, f, args):
    values, = args
    if hasattr(values, 'receive'):
        return iterators.drain(record, f, args)
    if coded(values, 'getitem') is None:
        record.structured = True
        record.backward = lambda grads, g: {0: g}
        return values
    kind, steps, found = type(record), [], []
    while True:
        inner = kind(operator.getitem, (values, len(found)), {}, (0,))
        try:
            found.append(inner.run())
        except IndexError:
            break
        steps.append(inner)

    def back(grads, g):
        for k in range(len(steps) - 1, -1, -1):
            grads.give(values, *steps[k].back(grads, g[k] if g is not None else None))
        return {}
    record.structured, record.backward = True, back
    return found


def gone_through(record, f, args):
    """What a loop goes through: of an object, what its `__iter__` gives."""
    values, = args
    if coded(values, 'iter') is not None and not hasattr(values, 'receive'):
        found = methods.by_method(record, values.__iter__, (), {0: OWN})
        if coded(found, 'next') is not None and not hasattr(found, 'receive'):
            raise ReverseNotImplementedError(f'{type(found).__name__}.__next__ is Python code: write __iter__ as a generator, '
                                             'with yield')
        return found
    record.structured = not hasattr(values, 'receive')
    record.backward = lambda grads, g: {0: g}
    return values


def following(record, f, args):
    """`next(x)`: of an object, what its `__next__` gives."""
    if coded(args[0], 'next') is None or hasattr(args[0], 'receive') or len(args) > 1:
        return iterators.following(record, f, args)
    return methods.by_method(record, args[0].__next__, (), {0: OWN})


def total(record, f, args):
    """`sum(values, start)`, one addition after the other where an object is among them."""
    source, *rest = args
    start = rest[0] if rest else record.keywords.get('start', 0)
    values = list(source) if hasattr(source, '__next__') else source
    if not any(coded(v, name) for v in [*values, start] for name in ('add', 'radd')):
        result = record.ruled(f, (values, *rest))
    else:
        kind, steps = type(record), []
        result = start
        for v in values:
            inner = kind(operator.add, (result, v), {}, (0, 1))
            result = inner.run()
            steps.append(inner)
        record.backward = functools.partial(total_back, steps, values)
    if values is not source:
        record.backward = functools.partial(all_given_back, record.backward, {0: (source, values)})
    return result


def total_back(steps, values, grads, g):
    found = [None] * len(steps)
    for k in range(len(steps) - 1, -1, -1):
        g, found[k] = steps[k].back(grads, g)
        g = grads.take_whole(steps[k - 1].value, g) if k else g
    return {0: [init_grad(v) if t is None else t for t, v in zip(found, values)] if any(
        t is not None for t in found) else None, 1: g}


def extreme(record, f, args):
    """`max(a, b)` and `min(a, b)`: where objects are among them, one of them as it is."""
    if len(args) < 2 or record.keywords or not any(coded(v, name) for v in args for name in ('lt', 'gt')):
        return record.ruled(f, args)
    value = f(*args)
    place = next(k for k, v in enumerate(args) if v is value)
    record.structured = True
    record.backward = lambda grads, g: {place: g}
    return value


# Copies with other parts

def of_namedtuple(f):
    """What runs a method that all namedtuples have; None for any other method."""
    owner = f.__self__ if isinstance(f.__self__, type) else type(f.__self__)
    new = getattr(owner.__new__, '__code__', None)
    if f.__name__ not in ('_replace', '_make') or not hasattr(owner, '_fields') or new is None or new.co_filename[0] != '<':
        return None
    return made if f.__name__ == '_make' else replaced_tuple


def made(record, f, args):
    record.structured = True
    source = args[0] if isinstance(args[0], (list, tuple, np.ndarray)) else list(args[0])
    record.backward = lambda grads, g: {} if g is None else {0: unlist(g, source)}
    return f(source)


def replaced_tuple(record, f, args):
    record.structured = True
    owner, names = f.__self__, record.keywords

    def back(grads, g):
        if g is None:
            return {}
        parts = dict(zip(owner._fields, g))
        return {OWN: [None if n in names else part for n, part in parts.items()], **{n: parts[n] for n in names}}
    record.backward = back
    return f(**names)


def replaced(record, f, args):
    """`dataclasses.replace`: what is not replaced is in both objects."""
    owner, names = args[0], record.keywords
    check_plain(type(owner))
    value = f(owner, **names)

    def back(grads, g):
        parts = grads.parts(value)
        for name in [n for n in parts if n not in names]:
            grads.give_part(owner, name, getattr(value, name), parts.pop(name))
        return {name: parts.pop(name, None) for name in names}
    record.backward = back
    return value


methods.FUNCTIONS[dataclasses.replace] = replaced
methods.FUNCTIONS.update({PLAIN[name]: binary(name) for name in [*BINARY, *COMPARED]})
methods.FUNCTIONS.update({PLAIN[f'i{name}']: updated(name) for name in BINARY})
methods.FUNCTIONS.update({f: unary for f in UNARY})
methods.FUNCTIONS.update({operator.getitem: getitem, elements: elements_of, iterated: gone_through, next: following,
                          above: attribute_above, outside: item_outside,
                          sum: total, max: extreme, min: extreme, pow: binary('pow'),
                          operator.contains: fact('contains'), **dict.fromkeys((operator.truth, bool), fact('bool', 'len')),
                          len: fact('len')})
methods.FUNCTIONS.update({f: acting for f in OPERATIONS.values()})
