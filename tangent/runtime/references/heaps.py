"""Heaps and sorted lists (`heapq`, `bisect`) in plain Python: only the places depend on the order of values."""
import bisect
import heapq
import itertools


class Token:
    """An element, compared by its value, that knows where it was."""

    __slots__ = ('value', 'place')

    def __init__(self, value, place):
        self.value, self.place = value, place

    def __lt__(self, other):
        return self.value < other.value


def places(function, values, new=0):
    """Where the values of the heap that `function` makes of `values` stood; the last `new` of these are given to it."""
    tokens = [Token(v, k) for k, v in enumerate(values)]
    heap, given = tokens[:len(tokens) - new], tokens[len(tokens) - new:]
    popped = function(heap, *given)
    return [t.place for t in heap] + ([] if popped is None else [popped.place])


def heappush(heap, item):
    values = [*heap, item]
    heap[:] = [values[k] for k in places(heapq.heappush, values, 1)]


def heapify(heap):
    heap[:] = [heap[k] for k in places(heapq.heapify, heap)]


def heappop(heap):
    return taken(heapq.heappop, heap, [])


def heappushpop(heap, item):
    return taken(heapq.heappushpop, heap, [item])


def heapreplace(heap, item):
    return taken(heapq.heapreplace, heap, [item])


def taken(function, heap, new):
    """What a function takes from a heap, to which it adds what is new."""
    values = [*heap, *new]
    order = places(function, values, len(new))
    heap[:] = [values[k] for k in order[:-1]]
    return values[order[-1]]


def insort_right(a, x, lo=0, hi=None, *, key=None):
    place = bisect.bisect_right(a, x if key is None else key(x), lo, hi, key=key)
    a.insert(place, x)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    place = bisect.bisect_left(a, x if key is None else key(x), lo, hi, key=key)
    a.insert(place, x)


def merge(*iterables, key=None, reverse=False):
    lists = [list(values) for values in iterables]
    values = [v for each in lists for v in each]
    return [values[k] for k in merged(lists, key, reverse)]


def merged(lists, key, reverse):
    """Where the values that `heapq.merge` takes from sorted lists stand in all of them, one list behind the other."""
    count = itertools.count()
    tokens = [[Token(v if key is None else key(v), next(count)) for v in values] for values in lists]
    return [t.place for t in heapq.merge(*tokens, reverse=reverse)]


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]


TABLE = {
    heapq.heappush: heappush, heapq.heapify: heapify, heapq.heappop: heappop, heapq.heappushpop: heappushpop,
    heapq.heapreplace: heapreplace, heapq.merge: merge, heapq.nlargest: nlargest, heapq.nsmallest: nsmallest,
    bisect.insort: insort_right, bisect.insort_left: insort_left,
}
