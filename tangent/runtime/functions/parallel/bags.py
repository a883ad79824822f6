"""Dask's bags and data frames: a function of each partition, and a sum of what it gives.

The adjoint of a step is a task for each partition, which takes the partition and what is owed to the step's value there, and
computes the step again. What the tasks owe to an argument that all partitions share is added up by a tree, neighbours first:
Dask gives neighbours to one worker, so that about one gradient leaves it.
"""
import functools

import dask
import numpy as np

from tangent.errors import ArgumentTypeError
from tangent.runtime import captures
from tangent.runtime.fields import SCALAR_KINDS
from tangent.runtime.functions.parallel import tasks
from tangent.runtime.functions.parallel.tasks import DATA, LIFTED, MOVED, Owed, Runner, add_all, gone_back, is_zero
from tangent.runtime.zeros import INITIALIZERS

OPTIONS = frozenset('meta enforce_metadata transform_divisions align_dataframes clear_divisions required_columns parent_meta '
                    'split_every out_type name token'.split())          # how, not what


class Parts:
    """What is owed to a collection: number of a partition -> what is owed to that."""

    def __init__(self, owed=()):
        self.terms = dict(owed)

    def __add__(self, other):
        if is_zero(other):
            return self
        mine = self.terms
        return Parts({**mine, **{k: mine[k] + part if k in mine else part for k, part in other.terms.items()}})

    __radd__ = __add__

    def settled(self, x):
        raise ArgumentTypeError(f'a {type(x).__name__} has no gradient: differentiate with respect to what its functions are '
                                'given, numbers, arrays, lists and dicts of them')


SCALAR_KINDS.add(Parts)


def register(kind, lift=None):
    """Make the collections of a class known to derivatives; `lift` goes back through the computing of one."""
    tasks.register(kind)
    INITIALIZERS[kind] = (lambda x: Parts(), False)
    LIFTED[kind] = lift


def partitions(x):
    return np.ravel(x.to_delayed()).tolist()


def is_collection(x):
    return type(x) in LIFTED


def of_list(x, g):
    """What is owed to a bag, from the gradient of the list that was computed of it."""
    every = partitions(x)
    ends = np.cumsum([0, *dask.compute(*(dask.delayed(size)(part) for part in every))]).tolist()
    return Parts({k: Owed([(g[ends[k]:ends[k + 1]], None)], None, False) for k in range(len(every)) if ends[k] < ends[k + 1]})


def size(part):
    return len(list(part))


# What is done to each partition

def mapped(f, which, *args, **keywords):
    """`f` of each element; `which` arguments are partitions, the others are the same for all elements."""
    if not any(which[1:]):
        return [f(v, *args[1:], **keywords) for v in list(args[0])]
    lists = [list(a) if w else a for w, a in zip(which, args)]
    return [f(*[a[k] if w else a for w, a in zip(which, lists)], **keywords) for k in range(len(lists[0]))]


def starmapped(f, part, **keywords):
    return [f(*v, **keywords) for v in list(part)]


def chosen(f, part):
    part = list(part)
    found = [f(v) for v in part]
    return [v for v, is_chosen in zip(part, found) if is_chosen]


def left(f, part):
    part = list(part)
    found = [f(v) for v in part]
    return [v for v, is_left_out in zip(part, found) if not is_left_out]


def plucked(key, part):
    return [v[key] for v in list(part)]


def joined(part):
    return [v for values in list(part) for v in values]


def step(name, f, args):
    """The function of one partition that stands for a method of a collection."""
    if name == 'map_partitions':
        return f
    if name == 'map':
        return functools.partial(mapped, f, (True, *map(is_collection, args)))
    return functools.partial({'starmap': starmapped, 'filter': chosen, 'remove': left, 'pluck': plucked}[name], f)


def method(name):
    """What stands for a method that has a function of each partition, its first argument, and gives a collection."""
    def pull(engine, wanted, x, f, *args, **keywords):
        value = getattr(x, name)(f, *args, **keywords)
        made, given = step(name, f, args), {k: v for k, v in keywords.items() if k not in OPTIONS}
        row = x, *args
        places = [k if k == 0 or isinstance(k, str) else 'f' if k == 1 else k - 1 for k in wanted]
        inner = engine.asked(made, [k for k in places if may_move(k, row, given)], row, given)
        if not inner:
            return DATA.mark(value), lambda g: {}

        def back(g):
            found = {} if is_zero(g) else each_gone_back(engine, made, (row, given), inner, g)
            of_f = {1: found.pop('f')} if 'f' in found else {}
            if made is not f and of_f:
                of_f = {1: of_f[1].get(-2 if name == 'map' else -1)}
            return {**of_f, **{k + 1 if isinstance(k, int) and k else k: part for k, part in found.items()}}
        return MOVED.mark(value), back
    return pull


def may_move(place, row, given):
    """Whether what stands at a place of a call may have a derivative; keywords that say how have none."""
    value = row[place] if isinstance(place, int) else given.get(place) if place != 'f' else None
    return place == 'f' or (isinstance(place, int) or place in given) and (not is_collection(value) or value in MOVED)


def each_gone_back(engine, f, call, wanted, g):
    """Place -> what is owed, for a call of `f` on each partition; collections among the arguments are owed Parts."""
    args, keywords = call
    lists = [partitions(a) if is_collection(a) else None for a in args]
    found = {}
    for k, part in sorted(g.terms.items()):
        row = [a if parts is None else parts[k] for a, parts in zip(args, lists)]
        for place, owed in gone_back(engine, Runner(), (f, row, keywords), wanted, part).items():
            found.setdefault(place, {})[k] = owed
    apart = {place for place in found if isinstance(place, int) and lists[place] is not None}
    return {place: Parts(each) if place in apart else summed([*each.values()]) for place, each in found.items()}


def summed(parts):
    """The sum of what is owed, in dicts and lists as the value is."""
    first = parts[0]
    if isinstance(first, dict):
        return {k: summed([part[k] for part in parts]) for k in first}
    return [summed([*column]) for column in zip(*parts)] if isinstance(first, list) else add_all(parts)


def pull_flatten(engine, wanted, x):
    value = x.flatten()
    return MOVED.mark(value) if x in MOVED else value, \
        lambda g: {} if is_zero(g) or x not in MOVED else each_gone_back(engine, joined, ((x,), {}), [0], g)


def of_data(name):
    """What stands for a method of collections that is not followed: those without a derivative have it as it is."""
    refuse = tasks.refused(name)[0]

    def pull(engine, wanted, x, *args, **keywords):
        every = x, *args, *keywords.values()
        if any(a in MOVED or callable(a) and captures.environment(a) for a in every):
            refuse(engine, wanted)
        if 0 in wanted and x not in DATA and not name.endswith('.to_delayed'):
            tasks.refuse_met(x)
        value = getattr(x, name.rpartition('.')[2])(*args, **keywords)
        for each in np.ravel(value).tolist() if name.endswith('.to_delayed') else [value]:
            DATA.mark(each)
        return value, lambda g: {}
    return pull


# Sums and the like: a function of each partition, and one of the list of what these give

def taken(f, part):
    return f(list(part))


def moments(part):
    """(how many numbers, their sum, the sum of their squares)."""
    return len(part), sum(part), sum([v * v for v in part])


def mean_of(found):
    return sum([s for _, s, _ in found]) / sum([n for n, _, _ in found])


def variance_of(found, ddof=0):
    n, s = sum([n for n, _, _ in found]), sum([s for _, s, _ in found])
    return (sum([q for _, _, q in found]) - s * s / n) / (n - ddof)


def deviation_of(found, ddof=0):
    return variance_of(found, ddof) ** 0.5


def of_numbers(part):
    """The same of what a function of a part of a data frame has given, a number or an array."""
    return np.size(part), np.sum(part), 0.0


def reduced(f, start, part):
    values = [*start, *list(part)]
    found = values[0]
    for v in values[1:]:
        found = f(found, v)
    return found


def folded(f, combine=None, initial=(), **options):
    start = () if initial == () else (initial,)
    return functools.partial(reduced, f, start), functools.partial(reduced, combine or f, ())


TOTALS = {
    'sum': lambda **_: (functools.partial(taken, sum), sum),
    'max': lambda **_: (functools.partial(taken, max), max),
    'min': lambda **_: (functools.partial(taken, min), min),
    'mean': lambda **_: (functools.partial(taken, moments), mean_of),
    'var': lambda ddof=0, **_: (functools.partial(taken, moments), functools.partial(variance_of, ddof=ddof)),
    'std': lambda ddof=0, **_: (functools.partial(taken, moments), functools.partial(deviation_of, ddof=ddof)),
    'fold': folded,
    'reduction': lambda perpartition, aggregate, **_: (functools.partial(taken, perpartition), aggregate),
}
OF_FRAMES = {'sum': lambda: (np.sum, sum), 'mean': lambda: (of_numbers, mean_of)}


def fact(name):
    """What stands for a method that tells something without a derivative."""
    return lambda engine, wanted, x, *args, **keywords: (getattr(x, name)(*args, **keywords), lambda g: {})


def total(name, totals):
    """What stands for a method that makes one value of a collection."""
    def pull(engine, wanted, x, *args, **keywords):
        if x not in MOVED:
            return of_data(name)(engine, wanted, x, *args, **keywords)
        if any(callable(a) and captures.environment(a) for a in (*args, *keywords.values())):
            raise ArgumentTypeError(f'{name}() with a function that has captured something with a derivative is not supported: '
                                    'capture it in a function that is given to map or map_partitions')
        value = getattr(x, name)(*args, **keywords)
        first, last = totals[name](*args, **keywords)
        engine.asked(first, [0], (x,), {})

        def back(g):
            if is_zero(g):
                return {}
            every = partitions(x)
            given = [dask.delayed(first, pure=False)(part) for part in every]
            owed = gone_back(engine, Runner(), (last, (given,), {}), [0], g)[0]
            return {0: Parts({k: gone_back(engine, Runner(), (first, (part,), {}), [0], o)[0]
                              for k, (part, o) in enumerate(zip(every, owed))})}
        return value, back
    return pull
