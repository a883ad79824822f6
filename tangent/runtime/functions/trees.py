"""Trees of numbers and arrays as rows of numbers, and back: what `tangent.ravel_pytree` and `tangent.tree_map` are made of."""
import numpy as np

from tangent.errors import ArgumentError, ArgumentTypeError, ShapeError
from tangent.runtime.api import init_grad
from tangent.runtime.broadcast import gradient_dtype
from tangent.runtime.facts import helper
from tangent.runtime.functions.rows import parts_of, split
from tangent.runtime.pytree import is_leaf
from tangent.runtime.seeds import holds_set
from tangent.runtime.zeros import ZeroGrad


@helper(fresh=True)
def tree_numbers(tree):
    """All the numbers of a tree in one array, in order."""
    return in_one_row(tree_leaves(tree))


def in_one_row(leaves):
    return np.concatenate([np.ravel(leaf) for leaf in leaves]) if leaves else np.zeros(0)


@helper(view='other', sequence=True)
def leaves_beside(other, tree):
    """What stands in another tree where the leaves of a tree are.

    Raises
    ------
    ArgumentError
        If it has another structure.
    """
    parts, _ = split(tree)
    if parts is None:
        if is_leaf(tree) and split(other)[0] is not None or other is None and is_leaf(tree):
            raise ArgumentError(f'the trees differ in structure: {tree!r:.60} is beside {other!r:.60}')
        return [other] if is_leaf(tree) else []
    try:
        own = parts_of(other, tree, len(parts))
    except (AttributeError, TypeError):
        own = ()
    if len(own) != len(parts) or any(o is None and p is not None and tree_leaves(p) for o, p in zip(own, parts)):
        raise ArgumentError(f'the trees differ in structure: {tree!r:.60} is beside {other!r:.60}')
    return [leaf for part, one in zip(parts, own) for leaf in leaves_beside(one, part)]


def unleaves_beside(g, other, tree):
    """The gradient of the other tree, from those of what stands where the leaves of a tree are."""
    return filled_beside(other, tree, iter(g))


def filled_beside(other, tree, leaves):
    parts, _ = split(tree)
    if parts is None:
        return next(leaves) if is_leaf(tree) else init_grad(other)
    _, rebuilt = split(other)
    return rebuilt([filled_beside(one, part, leaves) for part, one in zip(parts, parts_of(other, tree, len(parts)))])


@helper(view='tree', sequence=True)
def tree_leaves(tree):
    """The numbers and arrays of a tree, in order."""
    parts, _ = split(tree)
    if parts is None:
        if holds_set(tree):
            raise ArgumentTypeError('a set is no tree: its numbers have no order; write a list')
        return [tree] if is_leaf(tree) else []
    return [leaf for part in parts for leaf in tree_leaves(part)]


def tree_with(tree, leaves):
    """The tree with other leaves."""
    return filled(tree, iter(leaves))


def filled(tree, leaves):
    parts, rebuilt = split(tree)
    if parts is None:
        return next(leaves) if is_leaf(tree) else tree
    return rebuilt([filled(part, leaves) for part in parts])


def leaves_of(g, tree):
    """The gradients of the leaves, from that of the tree."""
    parts, _ = split(tree)
    if parts is None:
        if not is_leaf(tree):
            return []
        return [init_grad(tree) if g is None else g.materialize() if isinstance(g, ZeroGrad) else g]
    return [leaf for part, own in zip(parts, parts_of(g, tree, len(parts))) for leaf in leaves_of(own, part)]


@helper(fresh=True)
def tree_of(tree, row):
    """The tree with the numbers of a row in it, in the shapes and dtypes of its leaves (integers as float64).

    Raises
    ------
    ShapeError
        If the row has another length.
    """
    leaves = tree_leaves(tree)
    ends = np.cumsum([np.size(leaf) for leaf in leaves])
    if np.shape(row) != (ends[-1] if len(ends) else 0,):
        raise ShapeError(f'the row has the shape {np.shape(row)}, and the tree {ends[-1] if len(ends) else 0} numbers')
    return tree_with(tree, [shaped(part, leaf) for part, leaf in zip(np.split(row, ends[:-1]), leaves)] if leaves else [])


def shaped(part, leaf):
    if not hasattr(leaf, '__array_function__'):
        return part[0]
    return part.reshape(leaf.shape).astype(np.result_type(gradient_dtype(leaf), part.dtype) if np.iscomplexobj(part) else
                                           gradient_dtype(leaf))


def untree_numbers(g, tree):
    """The gradient of the tree, from that of its row of numbers."""
    return tree_of(tree, np.asarray(g))


def untree_of(g, tree):
    """The gradient of the row, from that of the tree made of it."""
    return in_one_row(leaves_of(g, tree))


def untree_leaves(g, tree):
    """The gradient of the tree, from those of its leaves."""
    return tree_with(tree, g)


def untree_with(g, tree):
    """The gradients of the leaves, from that of the tree made of them."""
    return leaves_of(g, tree)
