"""The tape of the raw form: a stack whose every entry carries the identifier of the push that made it."""
import numpy as np

from tangent.errors import TapeError


class Stack(list):
    """A tape, read in the reverse of the order in which it was written.

    Entries are (value, identifier) pairs, so that a pop can tell whether it reads what its own push wrote. A tape
    belongs to one call of a derivative: there is no shared state.

    Examples
    --------
    >>> stack = Stack()
    >>> push(stack, 2.0, '_1')
    >>> pop(stack, '_1')
    2.0
    """

    __slots__ = ()

    def __bool__(self):
        """A tape is always true: people test whether they were given one, not whether it is empty."""
        return True


class Tape(list):
    """A tape without identifiers, in text that Numba compiles: there it is one contiguous stack (see `numba.machine.tape`)."""

    __slots__ = ()


class LocalTape(Tape):
    """A tape that the function which makes it hands to nobody; it ends with that function."""

    __slots__ = ()

    def room(self, count, like):
        """Push `count` items at once, like this one; what they are is written into the part that comes back."""
        first = len(self)
        self.extend(list(like) if isinstance(like, tuple) else like for _ in range(count))
        return Part(self, first)

    def part(self, count):
        """Pop that many items at once."""
        first = len(self) - count
        found = self[first:]
        del self[first:]
        return Part(found, 0)


class Part:
    """Items of a tape, from one place on: an array of them in compiled code (see `numba.machine.tape_views`)."""

    __slots__ = ('first', 'items')

    def __init__(self, items, first):
        self.items, self.first = items, first

    def __getitem__(self, index):
        return self.items[self.first + index[0]][index[1]] if isinstance(index, tuple) else self.items[self.first + index]

    def __setitem__(self, index, value):
        if isinstance(index, tuple):
            self.items[self.first + index[0]][index[1]] = value
        else:
            self.items[self.first + index] = value


class Tapes:
    """A tape for each part of a parallel loop, in text that Numba compiles (see `numba.machine.parallel_tapes`)."""

    __slots__ = ('tapes',)

    def __init__(self, count):
        self.tapes = [[] for _ in range(count)]

    def append(self, part, value):
        self.tapes[part].append(value)

    def pop(self, part):
        return self.tapes[part].pop()

    def __len__(self):
        return len(self.tapes)


def portion(part, parts, first, last):
    """The trips from `first` to `last` that the part `part` of `parts` makes: the first of them, and the end."""
    return first + (last - first) * part // parts, first + (last - first) * (part + 1) // parts


def in_pairs(threads, first, last, width):
    """How many pairs of parts the trips make, of at least `width` trips each: one after the other if there are too few.

    Trips that are `width` apart touch nothing in common: so the first parts of all pairs may run together, then the second.
    """
    pairs = min(threads, (last - first) // (2 * width))
    return pairs if pairs > 1 and first >= 0 else 1


def empty_sum(total):
    """What a sum of the type of `total` begins with."""
    return np.zeros_like(total) if isinstance(total, np.ndarray) else type(total)(0)


class Kept(list):
    """What recursive functions keep for their adjoints, in text that Numba compiles (see `numba.machine.recursion_tape`).

    It is made of the arguments of the derivative, whose types say there what types are kept.
    """

    __slots__ = ()

    def __init__(self, *arguments):
        super().__init__()


def keep(memory, function, values):
    """Put the values down that the function keeps, and give their place."""
    memory.append(values)
    return len(memory) - 1


def kept(memory, function, place):
    """The values that the function has put down there."""
    return memory[place]


class Unset:
    """The type of `unset`, the value of what is kept on a path where it has none."""

    def __repr__(self):
        return 'unset'


unset = Unset()


def push(stack, value, identifier):
    """Write `value` on the tape under `identifier`: the value itself, no copy of an array (google/tangent made one).

    Parameters
    ----------
    stack : Stack
    value : object
    identifier : str
        That of the `pop` that is to read it.

    Examples
    --------
    >>> stack = tangent.Stack()
    >>> tangent.push(stack, 2.0, '_1')
    >>> tangent.pop(stack, '_1')
    2.0
    """
    stack.append((value, identifier))


def pop(stack, identifier):
    """Read the last value, which must have been pushed under `identifier`.

    Parameters
    ----------
    stack : Stack
    identifier : str

    Returns
    -------
    object
        The value, as it was pushed.

    Raises
    ------
    TapeError
        If the tape is empty, or its last entry was pushed under another identifier.

    Examples
    --------
    >>> stack = tangent.Stack()
    >>> tangent.push(stack, 2.0, '_1')
    >>> tangent.pop(stack, '_1')
    2.0
    """
    if not len(stack):
        raise TapeError(f'Tape is empty: nothing to pop for {identifier!r}')
    value, pushed = stack.pop()
    if pushed != identifier:
        stack.append((value, pushed))
        raise TapeError(f'Tape read out of order: expected {identifier!r}, found {pushed!r}')
    return value


def push_stack(stack, substack, identifier):
    """Write the whole tape of a callee on the tape of its caller.

    Parameters
    ----------
    stack, substack : Stack
    identifier : str

    Raises
    ------
    TapeError
        If what stands there is no tape.

    Examples
    --------
    >>> stack = tangent.Stack()
    >>> tangent.push_stack(stack, tangent.Stack([(2.0, '_1')]), '_2')
    >>> tangent.pop_stack(stack, '_2')
    [(2.0, '_1')]
    """
    if not isinstance(substack, Stack):
        raise TapeError(f'push_stack {identifier!r} needs a Stack, got {type(substack).__name__}')
    push(stack, substack, identifier)


def pop_stack(stack, identifier):
    """Read back the tape of a callee.

    Parameters
    ----------
    stack : Stack
    identifier : str

    Returns
    -------
    Stack

    Raises
    ------
    TapeError
        If what stands there is no tape.

    Examples
    --------
    >>> stack = tangent.Stack()
    >>> tangent.push_stack(stack, tangent.Stack([(2.0, '_1')]), '_2')
    >>> tangent.pop_stack(stack, '_2')
    [(2.0, '_1')]
    """
    substack = pop(stack, identifier)
    if not isinstance(substack, Stack):
        raise TapeError(f'pop_stack {identifier!r} found {type(substack).__name__}, not a Stack')
    return substack
