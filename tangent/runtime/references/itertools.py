"""The finite iterators of `itertools`, and NumPy's, in plain Python; they give lists. Where positions are all that matters, the
original says which."""
import itertools

import numpy as np


def chain(*iterables):
    out = []
    for values in iterables:
        for x in list(values):
            out.append(x)
    return out


def chain_from(iterable):
    out = []
    for values in list(iterable):
        for x in list(values):
            out.append(x)
    return out


def product(*iterables, repeat=1):
    pools = [list(values) for values in iterables]
    out = []
    for at in itertools.product(*[range(len(pool)) for pool in pools], repeat=repeat):
        out.append(tuple([pools[j % len(pools)][k] for j, k in enumerate(at)]))
    return out


def combinations(iterable, r):
    values = list(iterable)
    out = []
    for at in itertools.combinations(range(len(values)), r):
        out.append(tuple([values[k] for k in at]))
    return out


def combinations_with_replacement(iterable, r):
    values = list(iterable)
    out = []
    for at in itertools.combinations_with_replacement(range(len(values)), r):
        out.append(tuple([values[k] for k in at]))
    return out


def tee(iterable, n=2):
    values = list(iterable)
    out = []
    for _ in range(n):
        out.append(iter(values))
    return tuple(out)


def permutations(iterable, r=None):
    values = list(iterable)
    out = []
    for at in itertools.permutations(range(len(values)), r):
        out.append(tuple([values[k] for k in at]))
    return out


def pairwise(iterable):
    values = list(iterable)
    out = []
    for k in range(len(values) - 1):
        out.append((values[k], values[k + 1]))
    return out


def batched(iterable, n):
    values = list(iterable)
    out = []
    for k in range(0, len(values), n):
        out.append(tuple(values[k:k + n]))
    return out


def islice(iterable, *bounds):
    values = list(iterable)
    return [values[k] for k in range(len(values))[slice(*bounds)]]


def repeat(value, times):
    out = []
    for _ in range(times):
        out.append(value)
    return out


def zip_longest(*iterables, fillvalue=None):
    pools = [list(values) for values in iterables]
    out = []
    for k in range(max([len(pool) for pool in pools], default=0)):
        out.append(tuple([pool[k] if k < len(pool) else fillvalue for pool in pools]))
    return out


def compress(data, selectors):
    values = list(data)
    out = []
    for k, wanted in zip(range(len(values)), list(selectors)):
        if wanted:
            out.append(values[k])
    return out


def takewhile(predicate, iterable):
    out = []
    for x in iterable:                               # the rest is left
        if not predicate(x):
            break
        out.append(x)
    return out


def dropwhile(predicate, iterable):
    out = []
    dropping = True
    for x in list(iterable):
        dropping = dropping and bool(predicate(x))
        if not dropping:
            out.append(x)
    return out


def filterfalse(predicate, iterable):
    out = []
    for x in list(iterable):
        if not (x if predicate is None else predicate(x)):
            out.append(x)
    return out


def groupby(iterable, key=None):
    values = list(iterable)
    keys = values if key is None else [key(x) for x in values]
    out = []
    start = 0
    for k in range(1, len(values) + 1):
        if k == len(values) or keys[k] != keys[start]:
            out.append((keys[start], values[start:k]))
            start = k
    return out


def ndenumerate(arr):
    arr = np.asarray(arr) if isinstance(arr, (list, tuple)) else arr
    out = []
    for at in np.ndindex(np.shape(arr)):
        out.append((at, arr[at]))
    return out


TABLE = {
    itertools.chain: chain, itertools.chain.from_iterable: chain_from, itertools.product: product,
    itertools.combinations: combinations, itertools.combinations_with_replacement: combinations_with_replacement,
    itertools.permutations: permutations, itertools.pairwise: pairwise, itertools.islice: islice,
    itertools.repeat: repeat, itertools.zip_longest: zip_longest, itertools.compress: compress,
    itertools.takewhile: takewhile, itertools.dropwhile: dropwhile, itertools.filterfalse: filterfalse,
    itertools.groupby: groupby, itertools.tee: tee, np.ndenumerate: ndenumerate,
    **({itertools.batched: batched} if hasattr(itertools, 'batched') else {}),
}
