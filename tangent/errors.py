"""The errors that the library raises on purpose.

Each derives from :class:`TangentError` and from the built-in class that people expect to catch.
Where a line of the user's is at fault the message shows file, line, the line itself with a caret, and the way out.
"""
import linecache
import os
import re
import sys
import sysconfig

PLACES: dict = {}            # file of an emitted text -> its line -> the (file, line) of the user's that it stands for
LIBRARIES = (os.path.dirname(__file__), sysconfig.get_path('purelib'), sysconfig.get_path('stdlib'))
LOCATED = re.compile(r'(<[^>\n]*>|[^\s:]+):\d+: ')


def with_place(message):
    """The message with the user's file and line in front, while emitted text runs; as it is where it says so already."""
    if not isinstance(message, str) or LOCATED.match(message):
        return message
    frame = sys._getframe(2)
    while frame is not None:
        file, line = PLACES.get(frame.f_code.co_filename, {}).get(frame.f_lineno, (None, 0))
        if file is not None and not file.startswith(LIBRARIES):
            return f'{os.path.basename(file)}:{line}: {message}\n    {linecache.getline(file, line).strip()}'
        frame = frame.f_back
    return message


class TangentError(Exception):
    """Root of every error that tangent raises on purpose.

    Examples
    --------
    >>> try:
    ...     tangent.grad(3)
    ... except tangent.TangentError as error:
    ...     print(isinstance(error, TypeError))
    True
    """

    bare = ''                # the message without a place, for those who say one themselves

    def __init__(self, *args, **named):
        self.bare = args[0] if args else ''
        super().__init__(*map(with_place, args[:1]), *args[1:], **named)


class TangentParseError(TangentError, SyntaxError):
    """A construct of the user's Python that cannot be differentiated (attributes `lineno`, `text`, `offset`, `filename`).

    Examples
    --------
    >>> async def f(x):
    ...     return x
    >>> try:
    ...     tangent.grad(f)
    ... except tangent.TangentParseError as error:
    ...     print(error.lineno, error.text.strip())
    1 async def f(x):
    """

    def __str__(self):
        return self.msg


class SourceError(TangentError, ValueError):
    """The source of a function cannot be read, or is not the source of the code that is loaded."""


class ArgumentError(TangentError, ValueError):
    """An argument of the library's own functions that makes no sense (`wrt` out of range, unknown mode ...)."""


class ArgumentTypeError(TangentError, TypeError):
    """An argument of a kind that has no gradient: not a function, a string, a bool."""


class FieldError(ArgumentTypeError, AttributeError):
    """The gradient of an attribute that an object does not hold: Python code computes it."""


class ShapeError(TangentError, TypeError, ValueError):
    """A result that is not scalar, or a seed whose shape is not the shape of the result."""


class ReverseNotImplementedError(TangentError, NotImplementedError):
    """A function that has no rule for reverse mode and whose source cannot be read.

    Examples
    --------
    >>> import scipy.special
    >>> def f(n):
    ...     return scipy.special.zetac(n)
    >>> try:
    ...     tangent.autodiff(f, mode='reverse')(2.0, 1.0)
    ... except tangent.ReverseNotImplementedError:
    ...     print('no rule')
    no rule
    """


class ForwardNotImplementedError(TangentError, NotImplementedError):
    """A function that has no rule for forward mode and whose source cannot be read.

    Examples
    --------
    >>> import scipy.special
    >>> def f(n):
    ...     return scipy.special.zetac(n)
    >>> try:
    ...     tangent.autodiff(f, mode='forward')(2.0, 1.0)
    ... except tangent.ForwardNotImplementedError:
    ...     print('no rule')
    no rule
    """


class ComplexNotImplementedError(TangentError, NotImplementedError, TypeError):
    """A complex number on the way from the arguments to the result."""


class RecomputeError(TangentError, ValueError):
    """A function that gives something else when it is computed again in the backward pass."""


class UnsolvedError(TangentError, ArithmeticError):
    """A solver that has not converged, or a solution that has no derivative: others lie close by."""


class CheckError(TangentError, AssertionError):
    """A derivative that is not what finite differences say."""


class TapeError(TangentError, ValueError, AssertionError):
    """A tape that is read in another order than it was written."""


class RegistrationError(TangentError, ValueError, AssertionError):
    """A second registration for the same type or function where only one can hold."""


class AliasError(TangentError, ValueError):
    """An in-place operation on an array that has another name."""
