"""The errors that the library raises on purpose.

Each derives from :class:`TangentError` and from the built-in class that people expect to catch.
Where a line of the user's is at fault the message shows file, line, the line itself with a caret, and the way out.
"""


class TangentError(Exception):
    """Root of every error that tangent raises on purpose."""


class TangentParseError(TangentError, SyntaxError):
    """A construct of the user's Python that cannot be differentiated (attributes `lineno`, `text`, `offset`, `filename`)."""

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
    """A function that has no rule for reverse mode and whose source cannot be read."""


class ForwardNotImplementedError(TangentError, NotImplementedError):
    """A function that has no rule for forward mode and whose source cannot be read."""


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
