"""Sparse Jacobians: columns without a common row share one pass (Curtis, Powell and Reid), and so do rows.

The colouring is SciPy's. After each evaluation one pass more, along a random direction, compares what the matrix says with
what the function does, so that a pattern that misses a nonzero is found out.
"""
import importlib

import numpy as np

from tangent import errors
from tangent.interfaces import arguments, linear_maps
from tangent.interfaces.jacobians.columns import ELEMENTS, Columns
from tangent.runtime.pytree import leaves


def jacobian(func, wrt, bare, sparsity, mode=None, progress=False):
    """As `matrices.jacobian`, for a function of one vector; see there for `sparsity`."""
    if isinstance(wrt, (tuple, list)) and len(wrt) > 1 or not bare:
        raise errors.ArgumentError('a sparse Jacobian is by one argument: give one position or name')
    detect = isinstance(sparsity, str)
    if detect and sparsity != 'detect':
        raise errors.ArgumentError(f"sparsity is {sparsity!r}: it has to be a matrix or 'detect'")
    known = {} if detect else {'plan': Plan(sparsity, modes(func, wrt, mode))}

    def jacobian_of(*args, **keywords):
        at = Point(func, wrt, args, keywords)
        if 'plan' not in known:
            known['plan'] = Plan(at.detected(), modes(func, wrt, mode))
        found = at.matrix(known['plan'])
        if at.agrees(found, known['plan'].forward):
            return found
        if not detect:
            raise errors.ShapeError('the Jacobian has nonzeros outside of the sparsity pattern that was given: give a pattern '
                                    "that holds for all arguments, or sparsity='detect'")
        known['plan'] = Plan(at.detected(), modes(func, wrt, mode))
        return at.matrix(known['plan'])
    return arguments.titled(jacobian_of, func, 'jacobian')


def modes(func, wrt, mode):
    """The modes that can be used."""
    if mode is not None:
        return (mode,)
    try:
        linear_maps.pushing(func, wrt)
    except linear_maps.NOT_FORWARD:
        return ('reverse',)
    return 'forward', 'reverse'


class Plan:
    """A pattern, and the colours of its columns (or rows) with which it is filled.

    forward : whether columns are coloured
    groups : column (or row) -> its colour
    """

    def __init__(self, pattern, usable):
        scipy_sparse = importlib.import_module('scipy.sparse')
        self.pattern = scipy_sparse.csr_array(scipy_sparse.csr_array(pattern) != 0)
        self.pattern.sort_indices()
        colours = {m: coloured(self.pattern if m == 'forward' else self.pattern.T) for m in usable}
        best = min(colours, key=lambda m: colours[m].max(initial=0))
        self.forward, self.groups = best == 'forward', colours[best]
        self.count = int(self.groups.max(initial=-1)) + 1
        self.rows, self.columns = self.pattern.tocoo().coords           # in the order of `pattern.data`
        self.seeds = [(self.groups == c).astype(float) for c in range(self.count)]

    def filled(self, passes):
        """The matrix whose columns (or rows) of one colour add up to each of the passes."""
        found = np.stack(passes) if len(passes) else np.zeros((1, 0))
        data = found[self.groups[self.columns], self.rows] if self.forward else found[self.groups[self.rows], self.columns]
        matrix = self.pattern.astype(data.dtype)
        matrix.data = data
        return matrix


def coloured(pattern):
    """Colours of the columns such that no two of one colour have a row in common."""
    group_columns = importlib.import_module('scipy.optimize._numdiff').group_columns
    natural = importlib.import_module('scipy.sparse').csc_matrix(pattern)
    orders = [np.arange(natural.shape[1]), np.argsort(-np.diff(natural.indptr), kind='stable')]
    return min((group_columns(natural, order) for order in orders), key=lambda groups: groups.max(initial=-1))


class Point:
    """The function at given arguments, with its derivative as a linear map between two vectors."""

    def __init__(self, func, wrt, args, keywords):
        self.func, self.wrt, self.args, self.keywords = func, wrt, args, keywords
        self.x, = linear_maps.selected(func, wrt, args, keywords)
        if not isinstance(self.x, np.ndarray):
            raise errors.ArgumentTypeError(f'a sparse Jacobian is by an array, not a {type(self.x).__name__}')
        if np.iscomplexobj(self.x):
            raise errors.ComplexNotImplementedError('a sparse Jacobian is by real numbers: take real and imaginary parts apart')
        self.random = np.random.default_rng(0)
        self.columns = Columns(func, wrt, args, keywords)
        self.pull = None

    def forward(self, direction):
        return self.forward_all(direction[None])[0]

    def forward_all(self, directions):
        """The tangents along each of the directions, as rows; as many at a time as a chunk of columns has."""
        step = max(1, ELEMENTS // max(1, self.x.size))
        moved = []
        for k in range(0, len(directions), step):
            chunk = directions[k:k + step]
            value, found = self.columns.along([chunk.reshape(-1, *self.x.shape).astype(self.dtype)])
            if len(leaves(value)) != 1 or not isinstance(value, np.ndarray):
                raise errors.ArgumentTypeError(f'a sparse Jacobian is of an array, not a {type(value).__name__}')
            moved += found
        return np.concatenate(moved)

    def reverse(self, weights):
        if self.pull is None:
            self.value, self.pull = linear_maps.pulling(self.func, self.wrt)(self.args, self.keywords)
            if np.iscomplexobj(self.value):
                raise errors.ComplexNotImplementedError("a sparse Jacobian of complex results takes mode='forward'")
        seed = weights.reshape(np.shape(self.value)).astype(np.asarray(self.value).dtype)
        return np.ravel(self.pull(seed)[0])

    @property
    def dtype(self):
        return self.x.dtype if self.x.dtype.kind in 'fc' else np.dtype(float)

    def matrix(self, plan):
        """The Jacobian, from a direction for each colour, and what becomes of a random one, which `agrees` looks at."""
        if plan.pattern.shape[1] != self.x.size:
            raise errors.ShapeError(f'the sparsity pattern has {plan.pattern.shape[1]} columns, and the argument '
                                    f'{self.x.size} elements')
        self.along = self.direction(plan.pattern.shape[1 if plan.forward else 0])
        directions = [*plan.seeds, self.along]
        *passes, self.moved = self.forward_all(np.array(directions)) if plan.forward else map(self.reverse, directions)
        if plan.forward and self.moved.size != plan.pattern.shape[0]:
            raise errors.ShapeError(f'the sparsity pattern has {plan.pattern.shape[0]} rows, and the result '
                                    f'{self.moved.size} elements')
        return plan.filled(passes)

    def agrees(self, matrix, forward):
        """Whether the matrix moves the random direction as the function does."""
        direction, moved = self.along, self.moved
        said = (matrix if forward else matrix.T) @ direction
        slack = np.sqrt(np.finfo(moved.dtype if moved.dtype.kind in 'fc' else float).eps)
        with np.errstate(invalid='ignore'):
            close = np.abs(moved - said) <= slack * (np.abs(moved) + np.abs(said) + slack * np.max(np.abs(said), initial=0))
        return bool(np.all(close | ~np.isfinite(moved)))

    def direction(self, count):
        return self.random.uniform(0.5, 1.5, count) * self.random.choice([-1.0, 1.0], count)

    def detected(self):
        """The pattern of the Jacobian here, by halving blocks of columns.

        A block whose rows are disjoint from those of another shares its passes: a banded matrix takes a number of passes
        that grows with the logarithm of its size.
        """
        scipy_sparse = importlib.import_module('scipy.sparse')
        n = self.x.size
        first = self.forward(self.direction(n)) != 0
        blocks = [(0, n, np.flatnonzero(first))] if n and first.any() else []
        found = []
        while blocks:
            found += [(low, rows) for low, high, rows in blocks if high - low == 1]
            blocks = [b for b in blocks if b[1] - b[0] > 1]
            if not blocks:
                break
            starts = np.cumsum([0] + [len(rows) for _, _, rows in blocks])
            touched = np.concatenate([rows for _, _, rows in blocks])
            shape = first.size, len(blocks)
            groups = coloured(scipy_sparse.csc_array((np.ones(len(touched)), touched, starts), shape))
            halves = []
            parts = [([split(b)[part] for b in mine], mine) for colour in range(int(groups.max()) + 1) for part in (0, 1)
                     if (mine := [b for b, c in zip(blocks, groups) if c == colour])]
            directions = np.zeros((len(parts), n))
            for direction, (spans, _) in zip(directions, parts):
                for low, high in spans:
                    direction[low:high] = self.direction(high - low)
            for moved, (spans, mine) in zip(self.forward_all(directions) != 0, parts):
                halves += [(*span, rows) for span, b in zip(spans, mine) if (rows := b[2][moved[b[2]]]).size]
            blocks = halves
        columns = np.concatenate([np.full(len(rows), c) for c, rows in found]) if found else np.zeros(0, int)
        rows = np.concatenate([rows for _, rows in found]) if found else np.zeros(0, int)
        return scipy_sparse.csc_array((np.ones(len(rows)), (rows, columns)), (first.size, n))


def split(block):
    low, high, _ = block
    middle = (low + high) // 2
    return (low, middle), (middle, high)
