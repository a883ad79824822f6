"""Users' own rules for forward mode.

    @tangent.tangents.tangent_(my_function)
    def tangent_of_my_function(y, x, w, scale=1.0):
        d[y] = (d[x] * w + x * d[w]) * scale
"""
from collections.abc import Callable
from typing import Any, TypeVar

from tangent.templates.language import registry, user_rules

_F = TypeVar('_F', bound=Callable)

tangents = registry.FORWARD


def tangent_(func: Any) -> Callable[[_F], _F]:
    """Decorator: register the template below it as the tangent of calls to `func`.

    Parameters
    ----------
    func : callable
        The function object whose calls the template differentiates.

    Returns
    -------
    callable
        A decorator that takes the template and returns it as it is.

    Raises
    ------
    SourceError, RegistrationError
        As for `tangent.grads.adjoint`; also if it does not set `d[...]` of its first parameter.

    Examples
    --------
    >>> def power(x, n):
    ...     return x ** n
    >>> @tangent.tangents.tangent_(power)
    ... def tangent_power(y, x, n):
    ...     d[y] = n * x ** (n - 1) * d[x]
    >>> tangent.jvp(power)(2.0, 3, 1.0)
    12.0
    """
    return user_rules.register(tangents, tangents, user_rules.forward_rule)(func)
