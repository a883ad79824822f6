"""Trees of parameters: containers, dataclasses and objects of numbers and arrays, for optimizers that take one vector."""
from tangent import errors
from tangent.runtime.functions.trees import leaves_beside, tree_leaves, tree_numbers, tree_of, tree_with

__all__ = ['ravel_pytree', 'tree_map']


def tree_map(function, tree, *others):
    """The tree with `function` of each of its numbers and arrays, and of what stands there in the `others`.

    A tree is any nesting of tuples, lists, dicts, namedtuples, dataclasses and objects (then of their attributes); strings,
    None and functions in it stay as they are. A gradient is a tree like what it is by.

    Parameters
    ----------
    function : callable
        Takes a leaf of each tree.
    tree : object
    *others : object
        Trees of the same structure.

    Returns
    -------
    object
        Of the structure of `tree`.

    Raises
    ------
    ArgumentTypeError
        If the first is no function.
    ArgumentError
        If one of the others has another structure.

    Examples
    --------
    >>> params, gradient = {'w': numpy.ones(2), 'b': 1.0}, {'w': numpy.array([1.0, 2.0]), 'b': 4.0}
    >>> tangent.tree_map(lambda p, g: p - 0.5 * g, params, gradient)
    {'w': array([0.5, 0. ]), 'b': -1.0}
    """
    if not callable(function):
        raise errors.ArgumentTypeError(f'tree_map takes the function first, then the tree: this is a {type(function).__name__}')
    leaves = [tree_leaves(tree)]
    for other in others:
        leaves.append(leaves_beside(other, tree))
    found = []
    for each in zip(*leaves):
        found.append(function(*each))
    return tree_with(tree, found)


def ravel_pytree(tree):
    """All the numbers of a tree in one vector, and the way back: `(vector, unravel)`.

    Parameters
    ----------
    tree : object
        As for `tree_map`.

    Returns
    -------
    tuple
        A new array of one axis, and a function that makes of such an array a tree like the one given; it is differentiated as
        any other function.

    Raises
    ------
    ShapeError
        When `unravel` is called: the vector has another length.

    Examples
    --------
    >>> vector, unravel = tangent.ravel_pytree({'w': numpy.ones((2, 2)), 'b': 3.0})
    >>> vector
    array([1., 1., 1., 1., 3.])
    >>> unravel(2 * vector)['b']
    6.0
    """
    def unravel(vector):
        return tree_of(tree, vector)
    return tree_numbers(tree), unravel
