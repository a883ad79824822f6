"""Gradient surgery: code that runs in the backward pass, written where it concerns the forward pass.

    @tangent.differentiable
    def f(x):
        y = x * x
        with insert_grad_of(y) as dy:
            print('gradient of y:', dy)
            dy = numpy.clip(dy, -1, 1)
        return y

`tangent.grad(f)` runs the block when it has the gradient of `y` at that place; `f` itself can be called as if it were not
there.
"""
import gast

from tangent.emit.build import Part, build
from tangent.emit.printer import emit
from tangent.errors import ArgumentError, ArgumentTypeError
from tangent.frontend import subset, tree
from tangent.frontend.source import read


class insert_grad_of:
    """Insert code into the backward pass: `with insert_grad_of(x) as dx: ...`.

    Within the block `dx` is the gradient of `x` at this place; what is assigned to it replaces the gradient.

    Parameters
    ----------
    value : object
        A variable of the function, a number or an array; `dx` has its shape.

    Raises
    ------
    ArgumentError
        If the block is run as ordinary Python. Decorate the function with `tangent.differentiable` to call it.

    Notes
    -----
    Section 3.4 of the Tangent paper.

    Examples
    --------
    >>> @tangent.differentiable
    ... def f(x):
    ...     y = x * x
    ...     with tangent.insert_grad_of(y) as dy:
    ...         dy = dy * 10
    ...     return y
    >>> f(3.0), tangent.grad(f)(3.0)
    (9.0, 60.0)
    """

    def __init__(self, value):
        self.value = value

    def __enter__(self):
        raise ArgumentError('insert_grad_of stands for code of the backward pass and cannot run by itself: decorate the '
                            'function with @tangent.differentiable to call it, or call its derivative')

    def __exit__(self, *exception):
        return False


def differentiable(function):
    """Make a function with `insert_grad_of` blocks callable as if these were not there.

    Parameters
    ----------
    function : function

    Returns
    -------
    function
        The function less the blocks; the original is its attribute `tangent`, and is what `tangent.grad` looks at.

    Examples
    --------
    >>> @tangent.differentiable
    ... def f(x):
    ...     with tangent.insert_grad_of(x) as dx:
    ...         print('gradient', dx)
    ...     return x * x
    >>> f(3.0)
    9.0
    """
    source = read(function)
    body = _strip(source.tree.body, source)
    if body is None:
        return function
    definition = tree.replace(source.tree, body=body, decorator_list=[])
    part = Part(definition.name, source.globals, source.closure, source.defaults or None, source.kwdefaults or None)
    plain = build(emit([definition], source.comments), [part], {}, definition.name)[definition.name]
    plain.__doc__, plain.__qualname__ = function.__doc__, function.__qualname__
    plain.tangent = function
    return plain


def _strip(stmts, source):
    """The statements less the insertions; None if there are none."""
    out, changed = [], False
    for s in stmts:
        if isinstance(s, gast.With) and _inserts(s, source):
            changed = True
            continue
        blocks = {field: _strip(block, source) for field, block in tree.blocks(s)}
        blocks = {field: block for field, block in blocks.items() if block is not None}
        if blocks:
            changed = True
            if blocks.get('body') == []:
                blocks['body'] = [gast.Pass()]
            s = tree.replace(s, **blocks)
        out.append(s)
    return (out or [gast.Pass()]) if changed else None


def _inserts(s, source):
    """Whether it is an insertion; the decorator may run before the name `insert_grad_of` is imported."""
    if subset.is_insertion(s, source):
        return True
    call = s.items[0].context_expr
    return isinstance(call, gast.Call) and (tree.dotted(call.func) or '').rpartition('.')[2] == 'insert_grad_of'


def trace(function):
    """Mark a function, as google/tangent's `trace` did. Its source is differentiated like that of any other.

    Parameters
    ----------
    function : function

    Returns
    -------
    function
        The function itself.

    Raises
    ------
    ArgumentTypeError
        If it is given no function.

    Examples
    --------
    >>> @tangent.trace
    ... def f(x):
    ...     return x * x
    >>> tangent.grad(f)(3.0)
    6.0
    """
    if not callable(function):
        raise ArgumentTypeError(f'trace marks a function, not {function!r}')
    function.should_trace = True
    return function
