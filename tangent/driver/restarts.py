"""Where a derivation begins again in another form because of what it met on its way: what was made till then is thrown away.

    in_complex_form     a function met on the way has complex numbers. Which functions are met is known when the adjoint of
                        their caller is written. Goes when the kinds of all values are known before adjoints are written.
    in_log_form         the normal form refuses the function, or one that shares its state. Goes with the log form itself:
                        when one engine takes every statement there is nothing to begin again.
    where_called        forward mode refuses what a function of a package calls, of the same or another one, which may be in a
                        branch that is not taken: that is looked at when it is called. Goes when all calls are made so.
    when_types_are_known
                        the text depends on types that Numba infers when it compiles: until then a stub stands in its place.
                        Goes when kinds of arguments are what a derivative is made for.

Nothing else in the driver goes on after an error of a room, but for two that ask whether a form is there at all:
`log_functions.pretty`, and `jacobian_rows.UsedUp`, which rows need no tape for.
"""
import contextlib
import dataclasses
import inspect

from tangent import errors
from tangent.analysis import complexity
from tangent.normal import objects
from tangent.normal.inlined import consumers
from tangent.numba.target import typed_stub


def in_complex_form(derivation, make):
    """What is made, in complex form if a function met on the way needs it."""
    settings = dataclasses.replace(derivation.shared.settings, hints=True, in_complex=derivation.options.in_complex)
    derivation.begin(settings)
    try:
        return make()
    except complexity.Hint:
        derivation.begin(dataclasses.replace(settings, in_complex=True))
        return make()


def in_log_form(source, plain, logged, afresh, given=dict):
    """What is made in the plain form; for what that has no words for in the plain form of the same without objects; else in
    the log form, where `logged` is told the reason. `afresh` gives the Shared for a new beginning.

    given : tells which parameters are objects that may be taken apart, too
    """
    try:
        return plain(source)
    except errors.TangentParseError as why:
        known = given()
        for apart in [known, {}] if known else [{}]:
            for inline in (False, True):
                found = objects.dissolved(source, afresh(), inline, apart, consumers.written_out)
                if found is None:
                    break
                afresh(found[1])
                with contextlib.suppress(errors.TangentParseError):
                    return plain(found[0])
                if not found[2]:
                    break
        afresh()
        return logged(why)


def where_called(derivation, make):
    """What is made, without the functions of packages that are refused: their calls are, where they are made."""
    while True:
        derivation.refused = None
        try:
            return make()
        except errors.TangentError:
            found, settings = derivation.refused, derivation.shared.settings
            if found is None or found in settings.late:
                raise
            derivation.begin(dataclasses.replace(settings, late=settings.late | {found}))


def when_types_are_known(func, plain, make, written, target, for_types):
    """What is made, or a stub that becomes it when the types of its arguments are known.

    plain : the function to be differentiated, as CPython runs it
    written : makes what the stub runs as where CPython runs it, and is read as
    for_types : makes the derivative for types, see `typed_stub.maker`; None where Numba does not compile it
    """
    starred = plain.__code__.co_flags & inspect.CO_VARARGS
    if for_types and not starred and typed_stub.is_stub(func):
        return typed_stub.stub(written(), target, for_types)
    try:
        return make()
    except errors.TangentParseError as why:
        if not for_types or starred or not getattr(why, 'undecided', False):
            raise
        return typed_stub.stub(written(), target, for_types)
