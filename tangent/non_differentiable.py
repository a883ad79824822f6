"""Functions through which no gradient flows."""
from collections.abc import Callable

from tangent.templates.language import declare


def register_non_differentiable_functions(*funcs: Callable) -> None:
    """Declare that the results of these functions do not depend differentiably on their arguments.

    Calls of them stand in a derivative as the user wrote them, and no gradient flows through.

    Parameters
    ----------
    *funcs : callable
        Function objects, of any module.

    Examples
    --------
    >>> def rounded(x):
    ...     return float(round(x))
    >>> tangent.non_differentiable.register_non_differentiable_functions(rounded)
    >>> tangent.grad(lambda x: rounded(x) * x)(2.2)
    2.0
    """
    declare.constant(*funcs)
