"""Which arguments a derivative is by: the three keywords that people know, each with the rules of where it comes from.

`wrt=` is that of google/tangent: positions and names, one asked for gives the bare gradient, `(0,)` too. `argnums=` is
that of JAX and `argnum=` that of autograd: a position gives the bare gradient, a tuple a tuple, of one element as well;
positions count from the end where they are negative.
"""
from __future__ import annotations

from tangent import errors
from tangent.driver.ruled_functions import as_function
from tangent.frontend.source import original, unwrap

FIRST = (0,)


def asked(func, wrt=FIRST, argnums=None, argnum=None):
    """(positions or names, whether a single gradient comes bare) for the keywords that a caller gave."""
    given = {key: value for key, value in (('argnums', argnums), ('argnum', argnum)) if value is not None}
    refuse_flags(wrt, *given.values())
    if not given:
        return tuple(wrt) if isinstance(wrt, list) else wrt, True
    if len(given) > 1 or wrt != FIRST:
        raise errors.ArgumentError('give one of wrt= (the rules of tangent), argnums= (those of JAX) and argnum= (those '
                                   'of autograd)')
    (key, value), = given.items()
    many = isinstance(value, (tuple, list))
    if many and not value:
        raise errors.ArgumentError(f'{key} is empty: name at least one argument')
    positions = tuple(position(func, v) for v in (value if many else (value,)))
    return positions, not many


def refuse_flags(*asked):
    """A bool is no position, although it equals one: `grad(f, True)` wants something else."""
    for value in asked:
        for v in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(v, bool):
                raise errors.ArgumentTypeError(f'wrt has {v!r}: it takes positions and names of parameters')


def position(func, value):
    """A position counted from the front."""
    if isinstance(value, str) or not hasattr(value, '__index__') or value.__index__() >= 0:
        return value
    function, instance = unwrap(original(as_function(func)))
    count = function.__code__.co_argcount - (instance is not None)
    if value.__index__() < -count:
        raise errors.ArgumentError(f'position {value} is before the first of the {count} positional parameters of '
                                   f'{function.__name__}')
    return value.__index__() + count


def refuse_primals(wrt, form, name):
    """Say where JAX's form of `vjp` and `jvp` is to be found, if arguments came where positions and names are expected."""
    each = wrt if isinstance(wrt, (tuple, list)) else (wrt,)
    if any(isinstance(w, float) or hasattr(w, 'dtype') and getattr(w, 'shape', ()) != () for w in each):
        raise errors.ArgumentTypeError(f'tangent.{name}(f, wrt) takes positions and names of parameters and gives a function '
                                       f'of the arguments; the form {form} of JAX and PyTorch is tangent.func.{name}')


def titled(made, func, what, written_out=None):
    """The function that is handed to the user, with a name that says what it is of.

    written_out : makes of nothing the plain function that is differentiated in its place (see `operators`), or None
    """
    name = getattr(func, '__name__', 'f')
    made.__name__ = made.__qualname__ = f'{what}_of_{name}' if name.isidentifier() else what
    made.__doc__ = f'The {what} of {name}.'
    if written_out is not None:
        made.written_out = written_out
    return made
