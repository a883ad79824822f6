"""Memory for the gradients of arrays: one buffer for an array and all its views, and arguments that have one each."""
import numpy as np

from tangent import errors
from tangent.runtime.array_api import chunks, is_chunked
from tangent.runtime.cast import shared
from tangent.runtime.zeros import real_dtype

FLOAT64 = np.dtype(float)


class Memory:
    """Buffers by the identity of the arrays that own their memory (`buffers`): see `gradients.Table`."""

    def memory(self, owner):
        """(the array, gradient memory as a flat array, address that its first element stands for, bytes of an element / theirs,
        the memory in the shape of the array)."""
        found = self.buffers.get(id(owner))
        if self.pending and id(owner) in self.pending:
            array, term = self.pending.pop(id(owner))
            self.add(array, computed(term, array))
        if found is None:
            dtype = real_dtype(owner.dtype)
            if dtype is None or dtype.kind == 'O':
                raise errors.ArgumentTypeError(f'an array of dtype {owner.dtype} is written into or read where a derivative '
                                               'flows: use arrays of numbers')
            ratio = dtype.itemsize / owner.itemsize
            low, high = bounds(owner)
            flat = np.zeros((high - low) // owner.itemsize, dtype)
            shaped = seen_as(flat, dtype, owner, low, ratio)
            found = self.buffers[id(owner)] = owner, flat, low, ratio, shaped
        return found

    def buffer(self, array):
        """The gradient of an array or view, as an array that can be written into."""
        if not isinstance(array, np.ndarray):
            raise errors.AliasError(f'a function of NumPy writes into a {type(array).__name__}: use a[i] = v or a[...] = v')
        if is_imaginary(array):
            raise errors.AliasError('an imaginary part is written into by a function of NumPy: write z.imag[...] = value')
        return self.part(array)

    def add(self, array, term):
        """Add a term to the gradient of an array; what tasks compute is waited for where somebody reads the memory."""
        if type(term) is np.ndarray and array.base is None and not self.pending and self.added(array, term):
            return
        if is_awaited(term):
            owner = owner_of(array)
            if array is not owner and owner.flags.c_contiguous and array.dtype is owner.dtype:
                term, array = placed(term, places_of(array, owner), owner), owner
            first = self.pending.get(id(owner))
            if first is None:
                self.memory(owner)
            if first is None or first[0] is array:
                self.pending[id(owner)] = array, term if first is None else first[1] + term
                return
            term = computed(term, array)
        part = self.part(array)
        if part.dtype.kind != 'c' and np.iscomplexobj(term):
            term = term.real
        if is_imaginary(array):
            part -= term
        else:
            part += term

    def added(self, array, term):
        """Do so for an array in its own memory, to which something of its own kind is owed; whether it is that."""
        found = self.buffers.get(id(array))
        if found is None:
            plain = term.shape == array.shape and term.dtype is array.dtype is FLOAT64 and array.flags.c_contiguous
            if plain:
                shaped = term.copy()
                self.buffers[id(array)] = array, shaped.reshape(-1), array.__array_interface__['data'][0], 1.0, shaped
            return plain
        if found[4].dtype.kind != 'c' and term.dtype.kind == 'c' or found[4].shape != array.shape:
            return False
        found[4].__iadd__(term)
        return True

    def read(self, array):
        """A copy of the gradient of an array."""
        return -self.part(array) if is_imaginary(array) else self.part(array).copy()

    def part(self, array):
        """The same as `buffer`, but for imaginary parts, of which it is the gradient with the sign changed."""
        owner = owner_of(array) if array.base is not None else array
        _, flat, low, ratio, shaped = self.memory(owner)
        if owner is array and shaped.shape == array.shape:      # which `a.shape = (m, n)` changes
            return shaped
        dtype = flat.dtype if array.itemsize == owner.itemsize else real_dtype(array.dtype)
        both = array.dtype.kind != 'c' == owner.dtype.kind and any(s % owner.itemsize for s in array.strides)
        if both or ratio != 1 and array.itemsize != owner.itemsize:
            raise errors.AliasError(f'a view of dtype {array.dtype} of an array of dtype {owner.dtype} has a gradient: '
                                    'make the array one of floating-point numbers')
        return seen_as(flat, dtype, array, low, ratio)

    def places(self, view):
        """(gradient memory as a flat array, where in it the elements of a view are)."""
        _, flat, low, *_ = self.memory(owner_of(view))
        start = (view.__array_interface__['data'][0] - low) // view.itemsize
        strides = tuple(s // view.itemsize * 8 for s in view.strides)
        steps = np.arange(flat.size)[start:]
        return flat, np.lib.stride_tricks.as_strided(steps, view.shape, strides)

    def take_array(self, array):
        """The gradient of an array, which is zero afterwards; None where there is none."""
        if array.base is None and not self.pending:
            found = self.buffers.pop(id(array), None)
            return found and found[4].reshape(array.shape)
        owner = owner_of(array)
        if id(owner) not in self.buffers:
            return None
        first, term = self.pending.get(id(owner), (None, None))
        if first is array is owner and not self.buffers[id(owner)][1].any():
            del self.pending[id(owner)], self.buffers[id(owner)]
            return term                                          # nobody needs to wait for it here
        if overlaps(array):
            flat, places = self.places(array)
            found = np.zeros(array.shape, flat.dtype)
            distinct, first = np.unique(places, return_index=True)
            found.reshape(-1)[first] = flat[distinct]           # each element's once: the view is linear in the array
            flat[distinct] = 0
            return found
        found = self.part(array)
        if owner is array:
            del self.buffers[id(owner)]
            return found
        taken = self.read(array)
        found[...] = 0
        return taken


def seen_as(flat, dtype, array, low, ratio):
    """The memory of gradients from this address on, where each element of an array has its own."""
    if array.base is None and ratio == 1 and array.flags.c_contiguous:
        return flat.reshape(array.shape)
    offset = array.__array_interface__['data'][0] - low
    return np.ndarray(array.shape, dtype, flat, int(offset * ratio), tuple([int(s * ratio) for s in array.strides]))


def is_awaited(term):
    """Whether a gradient is not computed yet: owed by tasks, or an array in chunks."""
    return hasattr(type(term), 'settled') or is_chunked(term)


def placed(term, index, array):
    """What is owed to an array, from what is not computed yet and is owed to an element or a part of it."""
    if hasattr(type(term), 'placed'):
        return term.placed(index, array)
    return chunks().placed(term, index, chunks().like(array))


def places_of(view, owner):
    """The indices of the elements of a view in the array that owns its memory, without gaps."""
    at = np.asarray((view.__array_interface__['data'][0] - owner.__array_interface__['data'][0]) // owner.itemsize)
    for n, stride in zip(view.shape, view.strides):
        at = at[..., None] + np.arange(n) * (stride // owner.itemsize)
    return np.unravel_index(at, owner.shape)


def computed(term, array):
    """The gradient of an array, waited for."""
    found = term.settled(array) if hasattr(type(term), 'settled') else term
    return found.compute() if hasattr(found, 'compute') else found


def is_imaginary(array):
    """Whether an array is a view of the imaginary parts of complex numbers: their gradients are kept conjugated."""
    base = array.base
    if base is None or array.dtype.kind == 'c':
        return False
    owner = owner_of(array)
    return owner.dtype.kind == 'c' and (array.__array_interface__['data'][0] - owner.__array_interface__['data'][0]
                                        ) % owner.itemsize != 0


def owner_of(array):
    """The array whose memory a view is a view of."""
    base = array.base
    while base is not None:
        if isinstance(base, np.ndarray):
            array = base
        base = getattr(base, 'base', None)           # views by strides have something in between
    return array


def overlaps(array):
    """Whether a view may hold an element more than once: a broadcast, sliding windows."""
    if array.base is None or array.flags.c_contiguous:
        return False
    extent = array.itemsize
    for stride, size in sorted((abs(s), n) for s, n in zip(array.strides, array.shape) if n > 1):
        if stride < extent:
            return array.size > 0
        extent += (size - 1) * stride
    return False


def bounds(array):
    """The addresses of the first byte of an array and of the byte behind its last."""
    low = high = array.__array_interface__['data'][0]
    for size, stride in zip(array.shape, array.strides):
        if stride < 0:
            low += (size - 1) * stride
        else:
            high += (size - 1) * stride
    return low, (high + array.itemsize if array.size else low)


def overlap(value, owner):
    return isinstance(value, np.ndarray) and isinstance(owner, np.ndarray) and np.may_share_memory(value, owner)


class Apart:
    """The arguments of a call, of which an array that shares memory with one before is a copy: each has its own gradient.

    names : what the arguments are called, as in 'x, *ys, **rest'
    flat : (name, argument), with those behind stars one by one
    shared : (names of two, the copy of the second, both as they were given and copies of these)
    """

    def __init__(self, names, *arguments):
        self.flat, self.shared = [], []
        places = [self.put(name, x) for name, x in zip(names.split(', '), arguments)]
        found = [x for _, x in self.flat]
        for k, (name, x) in enumerate(self.flat):
            other, before = next(((n, y) for n, y in self.flat[:k] if overlap(x, y)), (None, None))
            if other is not None:
                found[k] = x.copy()
                self.shared.append((other, name, found[k], [(array, array.copy()) for array in (before, x)]))
        self.arguments = [place(found) for place in places]

    def put(self, name, argument):
        """Note the parts of an argument; the function that gives it again, of a list of all of these."""
        start = len(self.flat)
        if name.startswith('**'):
            self.flat += [(f'{name[2:]}[{key!r}]', x) for key, x in argument.items()]
            return lambda found: dict(zip(argument, found[start:]))
        if name.startswith('*'):
            self.flat += [(f'{name[1:]}[{k}]', x) for k, x in enumerate(argument)]
            return lambda found: tuple(found[start:start + len(argument)])
        self.flat.append((name, argument))
        return lambda found: found[start]

    def look(self):
        """Raise where what one is written into would have been seen in the other; both are as they were then."""
        for one, other, mine, kept in self.shared:
            if not all(same(array, before) for array, before in [*kept, (mine, kept[1][1])]):
                for array, before in kept:
                    array[...] = before
                raise errors.AliasError(shared(one, other))


def same(one, other):
    return np.array_equal(one, other, equal_nan=one.dtype.kind in 'fc')


def each_its_own(*arguments):
    """The same for a function that writes into none of them."""
    return Apart(', '.join(['x'] * len(arguments)), *arguments).arguments
