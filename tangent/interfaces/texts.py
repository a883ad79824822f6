"""The texts of derivatives, as strings that notebooks show as what they are."""
from tangent import errors
from tangent.driver.variants import expected, specialised
from tangent.interfaces import loops
from tangent.interfaces.arguments import asks


class Readable(str):
    """Source of Python; IPython and notebooks show its lines, not the string that holds them."""

    def _repr_pretty_(self, printer, cycle):
        from tangent.interfaces.tools.viewer import colours
        text = str(self).rstrip()
        printer.text(colours.painted(text) if colours.is_wanted() else text)

    def _repr_markdown_(self):
        return f'```python\n{str(self).rstrip()}\n```'


@asks
def source(derivative, *args):
    """The text of a derivative: the function, and the twins of the functions it calls.

    Parameters
    ----------
    derivative : function
        What `tangent.grad` and its like, or `tangent.lower`, returned.
    *args
        Arguments: the text for the likes of these. For a function that Numba compiles that of the function itself as it
        is compiled for their types, with loops in place of arithmetic on slices. Without, the text for arguments as the
        function lets one expect them, by annotations, defaults, and what it does with them; its docstring says which. Others
        get other texts. Where a function says too little, the text that takes any.

    Returns
    -------
    str
        The text, with the user's comments and a `# Grad of: ...` for each adjoint.

    Raises
    ------
    ArgumentTypeError
        If it is no derivative of ours.

    Examples
    --------
    >>> def f(x):
    ...     return numpy.tanh(x)
    >>> print(tangent.source(tangent.jvp(f)), end='')
    def dfdx(x, dx):
        dx = check_tangent(x, dx)
        t = numpy.tanh(x)
        return dx * (1 - t * t)
    """
    if hasattr(derivative, 'as_text') and not hasattr(derivative, 'py_func'):       # a Jacobian: a function around a derivative
        inner, around = derivative.as_text()
        return Readable(source(inner, *args) + around)
    return text_of(derivative if args else expected(derivative), args)


def text_of(derivative, args, alone=False):
    """The text that is right for these arguments, or for any; `alone`: see `variants.specialised`."""
    if args and not hasattr(derivative, 'variants'):
        return loops.text(derivative, args)
    text = getattr(specialised(derivative, args, alone), 'source', None)
    if not isinstance(text, str):
        name = getattr(derivative, '__name__', None) or repr(derivative)
        raise errors.ArgumentTypeError(f'{name} is no derivative made by tangent: pass what tangent.grad returned')
    return Readable(text)
