"""Users' own rules for reverse mode.

    @tangent.grads.adjoint(my_function)
    def adjoint_of_my_function(y, x, w, scale=1.0):
        d[x] = d[y] * w * scale
        d[w] = d[y] * x * scale

The first parameter stands for the result, the others for the arguments; `d[...]` is a gradient. The statements are
copied into the derivative, so that they read as if written there. Names are those of the template's own module.
"""
from collections.abc import Callable
from typing import Any, TypeVar

from tangent.templates.language import registry, user_rules

_F = TypeVar('_F', bound=Callable)

adjoints = registry.REVERSE
primals = registry.PRIMAL


def adjoint(func: Any) -> Callable[[_F], _F]:
    """Decorator: register the template below it as the gradient of calls to `func`.

    Parameters
    ----------
    func : callable
        The function object (or a gast operator class) whose calls the template differentiates.

    Returns
    -------
    callable
        A decorator that takes the template and returns it as it is.

    Raises
    ------
    SourceError
        If the source of the template cannot be read.
    RegistrationError
        If it is not straight-line code, or sets `d[...]` of something that is no parameter.

    Examples
    --------
    >>> def power(x, n):
    ...     return x ** n
    >>> @tangent.grads.adjoint(power)
    ... def adjoint_power(y, x, n):
    ...     d[x] = d[y] * n * x ** (n - 1)
    >>> tangent.grad(power)(2.0, 3)
    12.0
    """
    return user_rules.register(adjoints, registry.OPERATORS, user_rules.reverse_rule)(func)


def primal(func: Any) -> Callable[[_F], _F]:
    """Decorator: register a template whose statements replace calls to `func` in the forward pass of a gradient.

    The template assigns the result, its first parameter: `def primal_of_f(y, x): y = numpy.exp(x)`.

    Parameters
    ----------
    func : callable
        The function object whose calls the template replaces.

    Returns
    -------
    callable
        A decorator that takes the template and returns it as it is.

    Raises
    ------
    SourceError, RegistrationError
        As for `adjoint`.

    Examples
    --------
    >>> def power(x):
    ...     return x ** 2
    >>> @tangent.grads.primal(power)
    ... def primal_power(y, x):
    ...     y = x * x
    >>> @tangent.grads.adjoint(power)
    ... def adjoint_power(y, x):
    ...     d[x] = d[y] * 2 * x
    >>> 'x ** 2' in tangent.source(tangent.grad(power, preserve_result=True))
    False
    """
    return user_rules.register(primals, primals, user_rules.primal_rule)(func)
