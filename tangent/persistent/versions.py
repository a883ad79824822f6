"""One buffer and all the versions of what is in it.

Baker's trick ("Shallow binding in Lisp 1.5", CACM 1978; Conchon and Filliatre, "A persistent union-find data structure", ML
2007): one version, the *current* one, is in the buffer; every other version knows how it differs from a neighbour that is
one step nearer to the current one. To read a version, it is made the current one (`reroot`): the differences on the way
are applied, and turned round. A write makes a new version and leaves the old one behind, one difference away from it.

    v0 --(x[3] was 7)--> v1 --(x[0] was 2)--> v2 = the buffer

So references go towards the buffer, and a version that nobody holds and that no other needs is freed with its difference
like any Python object; what is left behind is seen through weak references only. A version without handles that stands
between two others is taken out, and the differences on both sides become one. One that would be larger than the array itself
becomes a copy of it, so that no version takes more memory than a copy, nor more time to reach from the next one.
"""
import collections
import threading
import weakref

import numpy as np

from tangent.runtime.add import is_basic


class Node:
    """The place of one version in its tree.

    next : the neighbour that is nearer to the current version; None for the current one
    deltas : what to do to that neighbour to get this version, in order: (index, values, how many rows there are then)
    weight : how many elements these write
    length : how many rows this version has
    alive : whether a handle of this version is left
    behind : id -> weak reference to the nodes whose `next` is this one
    """

    __slots__ = ('next', 'deltas', 'weight', 'length', 'alive', 'behind', '__weakref__')

    def __init__(self, length):
        self.next, self.deltas, self.weight = None, None, 0
        self.length, self.alive, self.behind = length, True, {}

    def turn(self, other):
        """Let this node, which was the current one, stand behind another."""
        self.next = other
        other.behind[id(self)] = weakref.ref(self)


class Version:
    """What the handles of one version share; when the last of them is gone, the tree may forget it.

    shared : whether there was ever more than one handle
    """

    __slots__ = ('node', 'tree', 'shared')

    def __init__(self, node, tree):
        self.node, self.tree, self.shared = node, tree, False

    def __del__(self):
        node = self.node
        del self.node
        node.alive = False
        self.tree.forget(node)


class Tree:
    """A buffer and the node of the version that is in it. Whoever calls `reroot`, `write` or `resize` holds the lock.

    data : the current version, a view of the buffer, which has room for more rows
    gone : nodes whose handles are gone, which nobody has looked at yet
    """

    __slots__ = ('buffer', 'data', 'current', 'lock', 'gone', '__weakref__')

    def __init__(self, data):
        self.buffer = self.data = data
        self.current = Node(rows(data))
        self.lock = threading.Lock()
        self.gone = collections.deque()

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
        last, deltas = self.current, collections.deque()
        for delta in node.deltas:
            deltas.appendleft(self.change(*delta))
        last.deltas, last.weight = deltas, node.weight
        node.next = node.deltas = None
        last.behind.pop(id(node), None)
        last.turn(node)
        self.current = node

    def change(self, index, values, length):
        """Change the buffer; what changes it back."""
        before = rows(self.data)
        if index is Ellipsis:
            back = index, self.data.copy(), before
            self.room(length)
        elif length < before:
            index, values = slice(length, before), None
            back = index, self.data[index].copy(), before
            self.room(length)
        elif length > before:
            back = None, None, before
            self.room(length)
        else:
            back = index, taken(self.data, index), before
        if values is not None:
            self.data[index] = values
        return back

    def room(self, length):
        """Give the current version this many rows; what is in new ones is left open."""
        if not self.buffer.ndim:
            return
        if length > len(self.buffer):
            grown = np.empty((max(length, 2 * len(self.buffer), 8), *self.buffer.shape[1:]), self.buffer.dtype)
            grown[:len(self.data)] = self.data
            self.buffer = grown
        self.data = self.buffer[:length]

    # New versions, next to the current one

    def alone(self, version):
        """Whether only one handle has the current version, and no other version needs it: it can be overwritten."""
        return not version.shared and not neighbours(self.current)

    def write(self, index, values, add=False):
        """(the version in which `values` are written to, or added at, an index; how many elements that names)."""
        old = taken(self.data, index)
        try:
            self.overwrite(index, values, add)
        except BaseException:
            self.data[index] = old
            raise
        return self.branch((index, old, rows(self.data)), np.size(old)), np.size(old)

    def overwrite(self, index, values, add):
        """Write to, or add at, an index of the current version itself."""
        if not add:
            self.data[index] = values
        elif is_basic(index):
            self.data[index] += values
        else:
            np.add.at(self.data, index, values)

    def resize(self, length, values=None):
        """The version that has this many rows: the first ones, or all and new ones."""
        before = rows(self.data)
        if length == before:
            return self.branch((slice(0, 0), self.data[:0].copy(), before), 0)
        back = self.change(slice(before, length), values, length)
        return self.branch(back, np.size(back[1]) if length < before else 0)

    def branch(self, back, weight):
        last, new = self.current, Node(rows(self.data))
        last.deltas, last.weight = collections.deque([back]), weight
        last.turn(new)
        self.current = new
        return Version(new, self)

    # Forgetting

    def forget(self, node):
        """Let go of what no handle needs, unless somebody is at work here; then it is done the next time."""
        self.gone.append(node)
        del node
        if self.lock.acquire(blocking=False):
            try:
                while self.gone:
                    self.tidy(self.gone.popleft())
            finally:
                self.lock.release()

    def tidy(self, node):
        """Take a node without handles out of the tree, if it has one or two neighbours."""
        while not self.current.alive:                    # the end of a branch
            found = neighbours(self.current)
            if len(found) != 1:
                break
            self.step(found[0])
        while node is not None and node.next is not None and not node.alive:
            found, after = neighbours(node), node.next
            if found:
                if len(found) == 1:
                    self.merge(found[0], node)
                return
            after.behind.pop(id(node), None)             # it will be gone: its neighbour may be left between two others
            node = after

    def merge(self, other, node):
        """Let `other`, which stands behind `node`, stand behind the next one."""
        after = node.next
        if other.deltas[0][0] is not Ellipsis:           # else it is a copy, whatever comes before
            if len(other.deltas) < len(node.deltas):
                node.deltas.extend(other.deltas)
                other.deltas = node.deltas
            else:
                other.deltas.extendleft(reversed(node.deltas))
            other.weight += node.weight
        after.behind.pop(id(node), None)
        other.turn(after)
        if other.weight + len(other.deltas) > 2 * self.data.size + 16 and after is self.current:
            self.step(other)
            whole = self.data.copy()
            self.step(after)
            other.deltas, other.weight = collections.deque([(Ellipsis, whole, other.length)]), whole.size


def rows(data):
    return len(data) if data.ndim else 0


def neighbours(node):
    """The nodes behind this one that may still be needed."""
    found = []
    for key, ref in list(node.behind.items()):
        other = ref()
        if other is None:
            node.behind.pop(key, None)
        elif is_needed(other):
            found.append(other)
    return found


def is_needed(node):
    """Whether a node or one somewhere behind it has handles: one that only waits to be forgotten has none."""
    pending = [node]
    while pending:
        node = pending.pop()
        if node.alive:
            return True
        pending += [other for ref in list(node.behind.values()) if (other := ref()) is not None]
    return False


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
