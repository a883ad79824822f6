"""One buffer and all the versions of what is in it.

Baker's trick ("Shallow binding in Lisp 1.5", CACM 1978; Conchon and Filliatre, "A persistent union-find data structure", ML
2007): one version, the *current* one, is in the buffer; every other version knows how it differs from a neighbour that is
one step nearer to the current one. To read a version, it is made the current one (`reroot`): the differences on the way
are applied, and turned round. A write makes a new version and leaves the old one behind, one difference away from it.

    v0 --(x[3] was 7)--> v1 --(x[0] was 2)--> v2 = the buffer

So references go towards the buffer, and a version that nobody holds and that no other needs is freed with its difference
like any Python object. What is left behind is seen through weak references only.
"""
from __future__ import annotations

import threading
import weakref

import numpy as np


class Node:
    """The place of one version in its tree.

    next : the neighbour that is nearer to the current version; None for the current one
    index, values : what to write into that neighbour to get this version
    length : how many rows this version has
    alive : whether a handle of this version is left
    behind : id -> weak reference to the nodes whose `next` is this one
    """

    __slots__ = ('next', 'index', 'values', 'length', 'alive', 'behind', '__weakref__')

    def __init__(self, length):
        self.next = self.index = self.values = None
        self.length, self.alive, self.behind = length, True, {}


class Version:
    """What the handles of one version share; when the last of them is gone, the tree may forget it.

    shared : whether there was ever more than one handle
    """

    __slots__ = ('node', 'tree', 'shared')

    def __init__(self, node, tree):
        self.node, self.tree, self.shared = node, tree, False

    def __del__(self):
        self.node.alive = False
        del self.node                      # while the tree is tidied it counts as gone
        self.tree.forget()


class Tree:
    """A buffer and the node of the version that is in it. Whoever calls `reroot`, `write` or `resize` holds the lock.

    data : the current version, a view of the buffer, which has room for more rows
    """

    __slots__ = ('buffer', 'data', 'current', 'lock', 'prune_at', '__weakref__')

    def __init__(self, data):
        self.buffer = self.data = data
        self.current = Node(len(data) if data.ndim else 0)
        self.lock = threading.Lock()
        self.prune_at = 8

    def first(self):
        """The version that is there when the tree is made."""
        return Version(self.current, self)

    # Steps

    def reroot(self, node):
        """Make the version of a node the current one."""
        path = []
        while node.next is not None:
            path.append(node)
            node = node.next
        for node in reversed(path):
            self.step(node)

    def step(self, node):
        """Make a neighbour of the current node the current one."""
        last = self.current
        if node.length == last.length:
            last.index, last.values = node.index, taken(self.data, node.index)
            self.data[node.index] = node.values
        elif node.length < last.length:
            last.index = slice(node.length, last.length)
            last.values = self.data[last.index].copy()
            self.data = self.buffer[:node.length]
        else:
            last.index = last.values = None
            self.room(node.length)
            self.data[node.index] = node.values
        node.index = node.values = node.next = None
        node.behind[id(last)] = weakref.ref(last)
        last.behind.pop(id(node), None)
        last.next = node
        self.current = node

    def room(self, length):
        """Give the current version this many rows; what is in new ones is left open."""
        if length > len(self.buffer):
            grown = np.empty((max(length, 2 * len(self.buffer), 8), *self.buffer.shape[1:]), self.buffer.dtype)
            grown[:len(self.data)] = self.data
            self.buffer = grown
        self.data = self.buffer[:length]

    def alone(self, version):
        """Whether only one handle has the current version, and no other version needs it: it can be overwritten."""
        return not version.shared and not neighbours(self.current)

    # New versions, next to the current one

    def write(self, index, values, add=False):
        """(the version in which `values` are written to, or added at, an index; how many elements that names)."""
        old = taken(self.data, index)
        try:
            self.overwrite(index, values, add)
        except BaseException:
            self.data[index] = old
            raise
        return self.branch(index, old), np.size(old)

    def overwrite(self, index, values, add):
        """Write to, or add at, an index of the current version itself."""
        if not add:
            self.data[index] = values
        elif is_basic(index):
            self.data[index] += values
        else:
            np.add.at(self.data, index, values)

    def resize(self, length, rows=None):
        """The version that has this many rows: the first ones, or all and new ones."""
        before = len(self.data)
        index = slice(length, before)
        values = self.data[index].copy()
        if length < before:
            self.data = self.buffer[:length]
        else:
            self.room(length)
            try:
                self.data[before:] = rows
            except BaseException:
                self.data = self.buffer[:before]
                raise
        return self.branch(index, values)

    def branch(self, index, values):
        last, new = self.current, Node(len(self.data) if self.data.ndim else 0)
        last.next, last.index, last.values = new, index, values
        new.behind[id(last)] = weakref.ref(last)
        self.current = new
        return Version(new, self)

    # Forgetting

    def forget(self):
        """Let go of what no handle needs, unless somebody is at work here, who will do it when he has done."""
        if self.lock.acquire(blocking=False):
            try:
                self.tidy()
            finally:
                self.lock.release()

    def tidy(self):
        """Step back from a current version that is dead and stands at the end of a branch."""
        while not self.current.alive:
            found = neighbours(self.current)
            if len(found) != 1:
                return
            self.step(found[0])
        if len(self.current.behind) > self.prune_at:              # many branches of one version have come and gone
            neighbours(self.current)
            self.prune_at = max(8, 2 * len(self.current.behind))


def neighbours(node):
    """The nodes behind this one that may still be needed."""
    found = []
    for key, ref in list(node.behind.items()):
        other = ref()
        if other is None:
            node.behind.pop(key, None)
        elif other.alive or any(ref() is not None for ref in other.behind.values()):
            found.append(other)
    return found


def is_basic(index):
    """Whether an index is made of integers, slices, ... and None, so that it names no element twice."""
    parts = index if isinstance(index, tuple) else (index,)
    return all(p is None or p is Ellipsis or isinstance(p, (slice, np.integer)) or type(p) is int for p in parts)


def taken(data, index):
    """What is at an index, in memory of its own."""
    found = data[index]
    return found.copy() if isinstance(found, np.ndarray) and found.base is not None else found


def frozen(index):
    """An index that nobody can change: lists and arrays in it are copied, masks become positions."""
    if type(index) is tuple:
        return tuple(part for p in index for part in _frozen(p))
    if type(index) is int or isinstance(index, slice):
        return index
    found = _frozen(index)
    return found[0] if len(found) == 1 else tuple(found)


def _frozen(part):
    if isinstance(part, (list, np.ndarray)) or hasattr(part, '__array__') and not isinstance(part, np.generic):
        part = np.array(part, dtype=int if isinstance(part, list) and not np.size(part) else None)
        return part.nonzero() if part.dtype == bool else [part]
    return [part]
