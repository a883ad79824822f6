"""Methods of lists, dicts and double-ended queues that write, each with its way back.

Each function takes the record of the call, the owner and the arguments; it does what Python does and sets
`record.backward`, which undoes that and gives the gradients of the arguments.
"""
import collections
import operator

from tangent import errors
from tangent.eventlog.shadow.iterators import given_back
from tangent.eventlog.shadow.values import OWN
from tangent.runtime.captures import differentiable


def list_append(record, owner, args):
    owner.append(*args)

    def backward(grads, g):
        parts = grads.parts(owner)
        owner.pop()
        return {0: parts.pop()}
    record.backward = backward


def list_extend(record, owner, args):
    source, = args
    size = len(owner)
    items = list(source)
    if len(owner) != size:
        raise errors.AliasError('a list that what it is extended by changes: append the elements one by one')
    owner.extend(items)

    def backward(grads, g):
        parts = grads.parts(owner)
        found = parts[size:]
        del owner[size:], parts[size:]
        return {0: given_back(grads, source, items, found)}
    record.backward = backward


def list_insert(record, owner, args):
    index, value = args
    size = len(owner)
    owner.insert(index, value)
    at = min(index, size) if index >= 0 else max(0, size + index)

    def backward(grads, g):
        parts = grads.parts(owner)
        del owner[at]
        return {1: parts.pop(at)}
    record.backward = backward


def list_pop(record, owner, args):
    index = operator.index(args[0]) if args else -1
    at = index if index >= 0 else index + len(owner)
    value = owner.pop(index)

    def backward(grads, g):
        parts = grads.parts(owner)
        owner.insert(at, value)
        parts.insert(at, grads.give(value, g))
        return {}
    record.backward = backward
    return value


def list_remove(record, owner, args):
    list_pop(record, owner, (owner.index(*args),))


def refill(owner, values):
    """Put the values in place of all that a list or deque holds."""
    owner.clear()
    owner.extend(values)


def reordered(record, owner, order):
    """Bring a list or deque into the order `[owner[k] for k in order]`."""
    before = list(owner)
    refill(owner, [before[k] for k in order])

    def backward(grads, g):
        parts = grads.parts(owner)
        now = [None] * len(before)
        for k, part in zip(order, parts):
            now[k] = part
        parts[:] = now
        refill(owner, before)
        return {}
    record.backward = backward


def list_sort(record, owner, args):
    key, reverse = record.keywords.get('key'), record.keywords.get('reverse', False)
    values = list(owner) if key is None else [key(v) for v in owner]
    reordered(record, owner, sorted(range(len(owner)), key=values.__getitem__, reverse=reverse))


def list_reverse(record, owner, args):
    reordered(record, owner, range(len(owner) - 1, -1, -1))


def list_clear(record, owner, args):
    reordered(record, owner, ())


def list_copy(record, owner, args):
    record.structured = True
    record.backward = lambda grads, g: {OWN: g}
    return owner.copy()


# Dicts

def snapshot(record, owner, gradients):
    """Undo by putting back all items; `gradients(parts, g)` takes what belongs to the arguments first."""
    before = dict(owner)

    def backward(grads, g):
        found = gradients(grads, g) or {}
        owner.clear()
        owner.update(before)
        return found
    record.backward = backward
    return before


def dict_update(record, owner, args):
    other = dict(*args)
    items = {**other, **record.keywords}

    def gradients(grads, g):
        parts = grads.parts(owner)
        found = {key: parts.pop(key, None) for key in items}
        names = {key: found.pop(key) for key in record.keywords}
        return {0: found if args and isinstance(args[0], dict) else [(None, v) for v in found.values()], **names}
    snapshot(record, owner, gradients)
    owner.update(items)


def dict_pop(record, owner, args):
    key = args[0]
    known = key in owner

    def gradients(grads, g):
        if known:
            grads.parts(owner)[key] = grads.give(value, g)
            return {}
        return {1: g}
    snapshot(record, owner, gradients)
    value = owner.pop(*args)
    return value


def dict_popitem(record, owner, args):
    snapshot(record, owner, lambda grads, g: grads.parts(owner).update({key: g and grads.give(value, g[1])}))
    key, value = owner.popitem(*args)                  # OrderedDict.popitem(last)
    return key, value


def dict_get(record, owner, args):
    key, default = args[0], args[1] if len(args) > 1 else None
    value = owner.get(key, default)

    def backward(grads, g):
        if key in owner:
            grads.give_part(owner, key, value, g)
            return {}
        return {1: g}
    record.backward = backward
    return value


def view_get(record, owner, args):
    """`get` of a read-only view of a dict: what it shows has no gradient."""
    key, default = args[0], args[1] if len(args) > 1 else None
    if key in owner and differentiable(owner[key]):
        raise errors.AliasError(f'values that a {type(owner).__name__} gives have no gradient: read them from the dict itself')
    record.backward = lambda grads, g: {} if key in owner else {1: g}
    return owner.get(key, default)


def dict_setdefault(record, owner, args):
    key = args[0]
    if key in owner:
        return dict_get(record, owner, args)

    def gradients(grads, g):
        inside = grads.parts(owner).pop(key, None)
        value = args[1] if len(args) > 1 else None
        return {1: grads.give(value, g, inside) if g is not None else inside}
    snapshot(record, owner, gradients)
    return owner.setdefault(*args)


def dict_clear(record, owner, args):
    snapshot(record, owner, lambda grads, g: None)
    owner.clear()


def looked_at(method):
    """A method of lists, for what stands in the place of a view: this shows what the dict holds when it is looked at."""
    def checked(self, *args):
        now = self.owner.items()
        if len(now) != len(self.then) or any(k is not n or v is not w for (k, v), (n, w) in zip(now, self.then)):
            raise errors.AliasError('a view of a dict with a derivative is looked at after the dict has been changed: call its '
                                    'method again there, or make a list where the view is made: list(d.values())')
        return method(self, *args)
    return checked


class Shown(list):
    """What a view of a dict shows, as long as the dict holds the same."""

    def __init__(self, shown=(), owner=None):
        super().__init__(shown)
        self.owner = {} if owner is None else owner          # its gradient is of no dict
        self.then = list(self.owner.items())

    __iter__, __len__ = looked_at(list.__iter__), looked_at(list.__len__)
    __getitem__, __contains__ = looked_at(list.__getitem__), looked_at(list.__contains__)


def dict_values(record, owner, args):
    record.structured = True
    record.backward = lambda grads, g: {OWN: g and dict(zip(owner, g))}
    return Shown(owner.values(), owner)


def dict_items(record, owner, args):
    record.structured = True
    record.backward = lambda grads, g: {OWN: g and {key: part and part[1] for key, part in zip(owner, g)}}
    return Shown(owner.items(), owner)


dict_copy = list_copy


def ordered_move(record, owner, args):
    snapshot(record, owner, lambda grads, g: None)
    owner.move_to_end(*args, **record.keywords)


# Double-ended queues: as lists

def at_end(last):
    """`append` and `pop` at one end, the last or the first; what an append pushes out of a full queue was at the other."""
    here, there = (-1, 0) if last else (0, -1)

    def append(record, owner, args):
        full = owner.maxlen is not None and len(owner) == owner.maxlen
        lost = owner[there] if full and owner else None
        (owner.append if last else owner.appendleft)(*args)

        def backward(grads, g):
            parts = grads.parts(owner)
            del owner[here]
            found = parts.pop(here)
            if full:
                put(owner, there, lost)
                put(parts, there, None)
            return {0: found}
        record.backward = backward

    def pop(record, owner, args):
        value = (owner.pop if last else owner.popleft)()

        def backward(grads, g):
            parts = grads.parts(owner)
            put(owner, here, value)
            put(parts, here, grads.give(value, g))
            return {}
        record.backward = backward
        return value

    def put(things, end, value):
        things.insert(len(things) if end else 0, value)
    return append, pop


deque_append, deque_pop = at_end(last=True)
deque_appendleft, deque_popleft = at_end(last=False)
deque_insert, deque_reverse, deque_clear, deque_copy = list_insert, list_reverse, list_clear, list_copy


def deque_rotate(record, owner, args):
    order = collections.deque(range(len(owner)))
    order.rotate(*args)
    reordered(record, owner, order)


def deque_remove(record, owner, args):
    at = owner.index(*args)
    reordered(record, owner, [k for k in range(len(owner)) if k != at])


def extending(last):
    """`extend` at one end, the last or the first; what does not fit into the queue goes at the other."""
    def extend(record, owner, args):
        source, = args
        before, items = list(owner), list(source)
        (owner.extend if last else owner.extendleft)(items)

        def backward(grads, g):
            parts = grads.parts(owner)
            ends = parts if last else parts[::-1]                    # as if the queue were read from the other end
            ends = [None] * (len(before) + len(items) - len(parts)) + ends
            old, new = ends[:len(before)], ends[len(before):]
            parts[:] = old if last else old[::-1]
            refill(owner, before)
            return {0: given_back(grads, source, items, new)}
        record.backward = backward
    return extend


deque_extend, deque_extendleft = extending(last=True), extending(last=False)


# Containers that are made of others

def container(record, f, args):
    """list(x), tuple(x), dict(x), defaultdict(kind, x), OrderedDict(x)."""
    record.structured = True
    if issubclass(f, dict):
        lead = 1 if f is collections.defaultdict else 0
        if lead and 0 in record.positions():
            raise errors.ReverseNotImplementedError('the function that makes what a defaultdict lacks has captured a value '
                                                    'with a derivative: write d.setdefault(key, value)')
        source = args[lead] if len(args) > lead else {}
        value = f(*args, **record.keywords)
        record.backward = lambda grads, g: {} if g is None else {
            lead: {k: g.get(k) for k in source} if isinstance(source, dict) else [(None, g.get(k)) for k in value],
            **{k: g.get(k) for k in record.keywords}}
        return value
    if not args:
        return f(**record.keywords)
    source, = args
    items = list(source)
    value = f(items)
    record.backward = lambda grads, g: {0: given_back(grads, source, items, None if g is None else list(g))}
    return value
